// SPDX-License-Identifier: Apache-2.0
// TEST: templates of functions, kernels and structs: type and integer parameters, deduced and explicit, defaults, specialisations
template <typename T> __device__ T square(T v) { return v * v; }

template <typename T, int N> __device__ T sum_of(const T (&a)[N])
{
    T s = 0;
    for (int k = 0; k < N; k++)
        s += a[k];
    return s;
}

template <class T> struct Limits {
    static constexpr int kind = 0;
    __device__ static T largest() { return T(1); }
};

template <> struct Limits<int> {
    static constexpr int kind = 1;
    __device__ static int largest() { return 0x7fffffff; }
};

template <> struct Limits<float> {
    static constexpr int kind = 2;
    __device__ static float largest() { return 3.0e38f; }
};

template <typename T, int N = 4> struct Stack {
    T items[N];
    int n;
    __device__ Stack() : n(0) {}
    __device__ void push(T v) { items[n++] = v; }
    __device__ T pop() { return items[--n]; }
    __device__ static constexpr int room() { return N; }
};

template <typename A, typename B> __device__ auto mixed(A a, B b) -> decltype(a + b) { return a + b; }

template <bool ADD> __device__ int choose(int a, int b)
{
    if constexpr (ADD)
        return a + b;
    else
        return a - b;
}

template <typename T, int BLOCK> __global__ void kernel(const T *x, T *y, int *z)
{
    __shared__ T s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t] = x[i];
    __syncthreads();
    T part[3] = {s[t], s[(t + 1) % BLOCK], square(s[BLOCK - 1 - t])};
    Stack<T> stack;
    stack.push(sum_of(part));
    stack.push(T(2));
    y[i] = stack.pop() * stack.pop();
    z[i] = Limits<T>::kind + 10 * Stack<T, 7>::room() + 100 * Stack<T>::room() + choose<true>(i, 1) * 1000 +
           choose<BLOCK == 64>(5, 3) * 10000000 + (Limits<T>::largest() > T(5)) * 5 + (int)mixed(1, 0.5f);
}

template __global__ void kernel<float, 64>(const float *, float *, int *);
// PY: def values(x, n):
// PY:     p = x.reshape(-1, n)
// PY:     return (2 * (p + np.roll(p, -1, 1) + p[:, ::-1]**2)).ravel()
// PY: def facts(kind, n, total): return kind + 470 + (np.arange(total) + 1) * 1000 + (8 if n == 64 else 2) * 10000000 + 6
// LAUNCH: 'kernel<float, 64>' x[128]=iota y[128]=zeros z[128]=zeros --grid 2 --block 64
// OUT: y = values(in_x, 64)
// OUT: z = facts(2, 64, 128)
// LAUNCH: 'kernel<int, 32>' x[96]=iota y[96]=zeros z[96]=zeros --grid 3 --block 32
// OUT: y = values(in_x, 32)
// OUT: z = facts(1, 32, 96)

// Pointers that are const themselves, arrays given for them; a launch as formatters
// that don't know CUDA leave it.
template <class T> __device__ T most(T *const own, T const *const other, int const n)
{
    for (int i = 0; i < n; i++)
        own[i] = own[i] < other[i] ? other[i] : own[i];
    return own[n - 1];
}
template <int N> __global__ void spaced(float *const x, float const *const y)
{
    __shared__ float s[N];
    float own[N];
    for (int i = 0; i < N; i++)
        own[i] = i;
    if (threadIdx.x == 0)
        for (int i = 0; i < N; i++)
            s[i] = x[i];
    __syncthreads();
    x[threadIdx.x] = most(own, s, N) + most(x + 32, y, N - 1);
}
void start(float *x) { spaced<4> << <1, 32>> > (x, x); }
// LAUNCH: spaced<4> x[64]=iota y[4]=full:50 --grid 1 --block 1
// OUT: x = np.r_[3 + 50, np.arange(1, 32), 50, 50, 50, np.arange(35, 64)]
