// SPDX-License-Identifier: Apache-2.0
// TEST: what is read of a thread's own object, of which another object keeps a reference, is followed: conditions on it are alike for all threads, and indices are known
// check-args: --block 64 --assume 'gridDim.x == 1'
// check tensor: proved
// check moved: bug HD0515 line @moved
// check either: bug HD0405 line @either
// check late: bug HD0601 line @late
template <typename T, int D> struct Tensor {
    struct Row {
        Tensor &whole;
        T *at;
        __device__ Row(Tensor &w, T *p) : whole(w), at(p) {}
        __device__ T &operator[](int i) { return at[i * whole.stride[1]]; }
    };
    T *data;
    int size[D], stride[D];
    __device__ int extent(int d) { return size[d]; }
    __device__ Row operator[](int i) { return Row(*this, data + i * stride[0]); }
};

// heddle: requires x_stride_1 == 1 && x_stride_0 == 64 && x_size_1 <= 64 && x_size_0 <= 8 && len(x_data) == 512
__global__ void tensor(Tensor<float, 2> x)
{
    int t = threadIdx.x;
    if (blockIdx.x < x.extent(0))
        x[blockIdx.x][t] = 1;
    if (x.extent(1) > 32)
        __syncthreads();
}

struct Counter { int n; };
struct Handle {
    Counter *to;
    __device__ void set(int v) { to->n = v; }
};
__global__ void moved(int n)
{
    Counter c = {n};
    Handle h = {&c};
    h.set(threadIdx.x);
    if (c.n > 3)
        __syncthreads();        //@moved
}
__global__ void either(int n)
{
    Counter c = {n}, d = {threadIdx.x};
    Handle h = {&c};
    if (n > 2)
        h.to = &d;
    if (h.to->n > 3)            //@either
        __syncthreads();
}
// heddle: requires len(y) == 64
__global__ void late(float *y)
{
    Counter c = {0};
    Handle h = {&c};
    h.set(threadIdx.x / 2);
    y[h.to->n] = threadIdx.x;   //@late
}
