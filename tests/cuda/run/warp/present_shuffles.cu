// SPDX-License-Identifier: Apache-2.0
// TEST: shuffles of warps some of whose threads have returned: by any distance, of two and eight bytes, with gaps
// NVCC: CUDA leaves open what comes from a lane that is gone
__global__ void moved(long long *y, const double *x, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    short small = (short)v;
    long long down = (long long)__shfl_down_sync(0xffffffffu, v, by);
    long long up = __shfl_up_sync(0xffffffffu, (int)v, by);
    long long across = __shfl_xor_sync(0xffffffffu, (long long)small, by);
    y[i] = down + 1000 * up + 1000000 * across;
}
// PY: def at(k, r, there): return np.where((r >= 0) & (r < 32) & there(k - k % 32 + r), k - k % 32 + r, k)
// PY: def all_ways(k, by, there): return at(k, k % 32 + by, there) + 1000 * at(k, k % 32 - by, there) + 1000000 * at(k, (k % 32) ^ by, there)
// PY: def below(n, by): k = np.arange(n); return np.append(all_ways(k, by, lambda j: j < n), np.zeros(90 - n))
// LAUNCH: moved y[90]=zeros x[77]=iota n=77 by=0 --grid 2 --block 64
// OUT: y = below(77, 0)
// LAUNCH: moved y[90]=zeros x[77]=iota n=77 by=1 --grid 2 --block 64
// OUT: y = below(77, 1)
// LAUNCH: moved y[90]=zeros x[77]=iota n=77 by=13 --grid 2 --block 64
// OUT: y = below(77, 13)
// LAUNCH: moved y[90]=zeros x[77]=iota n=77 by=31 --grid 2 --block 64
// OUT: y = below(77, 31)
// LAUNCH: moved y[90]=zeros x[64]=iota n=64 by=16 --grid 2 --block 64
// OUT: y = below(64, 16)

__global__ void sums(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    for (int o = 16; o > 0; o >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0)
        y[i / 32] = v;
}
// LAUNCH: sums y[4]=zeros x[96]=iota n=96 --grid 1 --block 128
// OUT: y = np.append(np.arange(96).reshape(3, 32).sum(1), 0)

__global__ void gaps(int *y, const int *x, int n)
{
    int i = threadIdx.x;
    if (i % 3 == n)
        return;
    int next = __shfl_down_sync(0xffffffffu, x[i], 1);
    y[i] = next + 1000 * __popc(__ballot_sync(0xffffffffu, x[i] & 1));
}
// PY: def gapped(n): k = np.arange(64); there = lambda j: j % 3 != n; odd = [((k // 32 == w) & there(k) & (k % 2 == 1)).sum() for w in (0, 1)]; return np.where(there(k), at(k, k % 32 + 1, there) + 1000 * np.array(odd)[k // 32], 0)
// LAUNCH: gaps y[64]=zeros x[64]=iota n=1 --grid 1 --block 64
// OUT: y = gapped(1)
// LAUNCH: gaps y[64]=zeros x[64]=iota n=2 --grid 1 --block 64
// OUT: y = gapped(2)
