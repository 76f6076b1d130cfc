// SPDX-License-Identifier: Apache-2.0
// TEST: qualifiers in every order and spelling: __forceinline__, __noinline__, static inline, __host__ __device__, __restrict__, __launch_bounds__, register, volatile
static __device__ __forceinline__ int a(int v) { return v + 1; }
__device__ __noinline__ int b(int v) { return a(v) * 2; }
static inline __host__ __device__ int c(int v) { return v - 3; }
__forceinline__ __device__ int d(const int v) { return c(v); }
template <typename T> __host__ __device__ inline T e(T v) { return v * v; }
inline __device__ int f([[maybe_unused]] int first, int unused [[maybe_unused]]) { return 4; }
extern __device__ int later(int v);
__device__ int declared(int v);

static __global__ void small(int *out) { out[threadIdx.x] += 1; }

template <int N> __global__ void __launch_bounds__(N, 2) bounded(const int *const __restrict__ x, int *__restrict__ out)
{
    register int v = x[threadIdx.x];
    volatile int w = v;
    w = w + 1;
    __syncthreads();
    const int t = blockIdx.x * N + threadIdx.x;
    out[t] = b(v) + d(v) + e(v) + f(1, 2) + w + declared(v) + later(2);
}

__global__ __launch_bounds__(64) void plain(const int x[], int *out)
{
    int i = threadIdx.x;
    out[i] = x[i] + (int)blockDim.x;
}

__device__ int declared(int v) { return 10 * v; }
__device__ int later(int v) { return v << 3; }
// LAUNCH: bounded<64> x[64]=iota out[128]=zeros --grid 2 --block 64
// OUT: out = np.tile(2 * (in_x + 1) + in_x - 3 + in_x**2 + 4 + in_x + 1 + 10 * in_x + 16, 2)
// LAUNCH: plain x[64]=iota out[64]=zeros --block 64 --grid 1
// OUT: out = in_x + 64
