// SPDX-License-Identifier: Apache-2.0
// TEST: structs with pointers and arrays are kernel parameters: each pointer and element of a short array is a parameter, a long array is one
// NVCC: arguments are members of the parameters
namespace views {
template <typename T, int N> struct View {
    T *data;
    int size[N];
    long stride[N];
};
struct Named { float *p; const char *name[2]; };
} // namespace views

struct Pairs {
    struct { int low, high; } ends[2];
    float *to[3];
    float *rows[2][2];
    bool flags[2];
};

struct Table {
    float *out;
    short steps[3][20];
};

struct Base { float *p; };
struct Derived : Base { int shift[2]; };

template <typename T, int N>
__global__ void fill(views::View<T, N> out)
{
    int at = 0, i = threadIdx.x;
    if (i >= out.size[0] * out.size[1])
        return;
    for (int d = N - 1; d >= 0; d--) {
        at += i % out.size[d] * out.stride[d];
        i /= out.size[d];
    }
    out.data[at] = threadIdx.x + 1;
}
template __global__ void fill<float, 2>(views::View<float, 2>);

__device__ float *chosen(const Pairs &p, int k) { return k < 3 ? p.to[k] : p.rows[k % 2][k / 2 - 1]; }

__global__ void spread(const Pairs p)
{
    int i = threadIdx.x, k = blockIdx.x;
    float *out = chosen(p, k);
    if (p.flags[1] && i >= p.ends[1].low && i < p.ends[1].high)
        out[i] = k * 100 + i + p.ends[0].high;
}

__global__ void steps(Table t)
{
    int i = threadIdx.x;
    for (int r = 0; r < 3; r++) {
        t.steps[r][i] += 1;
        t.out[r * 20 + i] = t.steps[r][i];
    }
}

__global__ void shifted(__grid_constant__ const Derived d)
{
    d.p[threadIdx.x] = d.shift[threadIdx.x & 1];
}
// PY: i = np.arange(8)
// LAUNCH: fill<float,2> out_data[24]=zeros out_size_0=4 out_size_1=3 out_stride_0=1 out_stride_1=6 --grid 1 --block 32
// OUT: out_data = [1, 4, 7, 10, 0, 0, 2, 5, 8, 11, 0, 0, 3, 6, 9, 12, 0, 0, 0, 0, 0, 0, 0, 0]
// LAUNCH: spread p_ends_0_low=0 p_ends_0_high=7 p_ends_1_low=2 p_ends_1_high=6 p_to_0[8]=zeros p_to_1[8]=zeros p_to_2[8]=zeros p_rows_0_0[8]=zeros p_rows_0_1[8]=zeros p_rows_1_0[8]=zeros p_rows_1_1[8]=zeros p_flags_0=false p_flags_1=true --grid 6 --block 8
// OUT: p_to_0 = np.where((i >= 2) & (i < 6), 0 + i + 7, 0)
// OUT: p_to_2 = np.where((i >= 2) & (i < 6), 200 + i + 7, 0)
// OUT: p_rows_1_0 = np.where((i >= 2) & (i < 6), 300 + i + 7, 0)
// OUT: p_rows_0_1 = np.where((i >= 2) & (i < 6), 400 + i + 7, 0)
// OUT: p_rows_1_1 = np.where((i >= 2) & (i < 6), 500 + i + 7, 0)
// OUT: p_rows_0_0 = 0
// LAUNCH: steps t_out[60]=zeros t_steps=zeros --grid 1 --block 20
// OUT: t_out = 1
// LAUNCH: shifted d_part_p[4]=zeros d_shift_0=5 d_shift_1=9 --grid 1 --block 4
// OUT: d_part_p = [5, 9, 5, 9]
