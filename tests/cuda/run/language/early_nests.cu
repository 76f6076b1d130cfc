// SPDX-License-Identifier: Apache-2.0
// TEST: behind an early return, loops with barriers inside of a loop that those who are there vote on
__device__ int highest(unsigned x) { return 31 - __clz(x); }

// Sorts n numbers; more threads than the next power of two are there for nothing.
__device__ void sort(unsigned *x, unsigned n)
{
    unsigned size = 1u << (highest(n - 1) + 1);
    if (threadIdx.x >= size)
        return;
    for (unsigned k = 2; k <= size; k *= 2)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned i = threadIdx.x, o = i ^ j;
            if (i < o && o < size) {
                unsigned a = x[i], b = x[o];
                if (((i & k) == 0) == (a > b)) {
                    x[i] = b;
                    x[o] = a;
                }
            }
            __syncthreads();
        }
}

__global__ void sorted(unsigned *x, unsigned n) { sort(x, n); }
// LAUNCH: sorted x[64]=random:3 n=64 --block 256 --grid 1
// OUT: x = np.sort(in_x)
// LAUNCH: sorted x[64]=random:4 n=33 --block 64 --grid 1
// OUT: x = np.sort(in_x)

// The step uses what the body sets, so only those who are there make it.
__global__ void jumps(const int *next, int *y, int n)
{
    __shared__ int s[64];
    int i = threadIdx.x, stride = 1;
    if (i >= n)
        return;
    for (int k = next[0]; k < n; k += stride) {
        s[i] = k;
        stride = next[k];
        __syncthreads();
        for (int j = 0; j < 2; j++) {
            y[i] += s[(i + j) % n];
            __syncthreads();
        }
    }
}
// LAUNCH: jumps next[40]=full:3 y[40]=zeros n=40 --block 64 --grid 1
// OUT: y = np.full(40, 2 * sum(range(3, 40, 3)))
