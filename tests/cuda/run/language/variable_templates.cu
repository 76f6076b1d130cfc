// SPDX-License-Identifier: Apache-2.0
// TEST: variable templates with their specialisations, constants of classes, type traits that nobody includes, words for operators
template <class T> constexpr int weight = sizeof(T) * 2;
template <> constexpr int weight<char> = 77;
template <class T> constexpr int weight<T *> = 5;
template <int N> constexpr int product = N * product<N - 1>;
template <> constexpr int product<0> = 1;
template <class T> constexpr T third = T(1) / T(3);
template <class T> __device__ T memory[4];
template <class T> __constant__ T factor = T(3);

struct Facts {
    static constexpr float half = 0.5f;
    template <int N> static constexpr int square = N * N;
};

// Members that stay as they were made.
struct Matrix {
    const int rows;
    const int columns;
    int *data;
    __device__ Matrix(int *data, int rows, int columns) : rows(rows), columns(columns), data(data) {}
    __device__ int last() const { return data[rows * columns - 1]; }
};

#if defined(WIDE) and not defined(NARROW)
#error
#endif

template <class T> __global__ void kernel(int *x, T *y)
{
    int i = threadIdx.x & 3;
    x[0] = weight<float>;
    x[1] = weight<char>;
    x[2] = weight<int *>;
    x[3] = product<5>;
    x[4] = Facts::square<7>;
    x[5] = Matrix(x, 1, 5).last() + 1;
    if constexpr (std::is_same_v<T, float> or std::is_pointer_v<T>)
        x[6] = std::numeric_limits<int>::max();
    else
        x[6] = compl 5 bitand 15;
    memory<T>[i] = T(2);
    y[0] = memory<T>[i] * factor<T>;
    y[1] = third<T> + T(Facts::half);
}

template __global__ void kernel<float>(int *, float *);
// LAUNCH: 'kernel<float>' x[7]=zeros y[2]=zeros --grid 1 --block 1
// OUT: x = [8, 77, 5, 120, 49, 50, 2**31 - 1]
// OUT: y = np.array([6, np.float32(1) / np.float32(3) + np.float32(.5)], 'f')
// LAUNCH: 'kernel<double>' x[7]=zeros y[2]=zeros --grid 1 --block 1
// OUT: x = [8, 77, 5, 120, 49, 50, 10]
// OUT: y = [6, 1 / 3 + .5]
