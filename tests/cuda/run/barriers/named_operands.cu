// SPDX-License-Identifier: Apache-2.0
// TEST: a named barrier whose number and count are operands of the asm statement
template <int ID, int COUNT> __device__ __forceinline__ void named_sync()
{
    asm volatile("bar.sync %0, %1;" : : "n"(ID), "n"(COUNT) : "memory");
}

__device__ __forceinline__ void sync_warps(int count)
{
    const int id = 3;
    asm volatile("barrier.sync %0, 32;" : : "r"(id) : "memory");
}

__global__ void operands(const int *x, int *y)
{
    __shared__ int s[96];
    int t = threadIdx.x, w = t / 32;
    s[t] = x[t];
    if (t < 64)
        named_sync<5, 64>();
    int v = t < 64 ? s[63 - t] : 0;
    __syncthreads();
    s[t] = v;
    if (w == 0)
        sync_warps(32);
    else
        asm("bar.sync 4, 64;\n" ::: "memory");
    y[t] = s[t ^ 1] + s[t];
}
// PY: def reference(x):
// PY:     v = np.r_[x[:64][::-1], np.zeros(32, int)]
// PY:     return v + v[np.arange(96) ^ 1]
// LAUNCH: x[96]=iota y[96]=zeros --block 96 --grid 1
// OUT: y = reference(in_x)
