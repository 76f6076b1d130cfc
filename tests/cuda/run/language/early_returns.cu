// SPDX-License-Identifier: Apache-2.0
// TEST: threads that have returned don't count at later barriers of the block
__global__ void guarded(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __shared__ int s[64];
    const int v = in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    int next = s[(threadIdx.x + 1) % 8];
    __syncthreads();
    out[i] = next * 100 + v;
}
// PY: def rotated(x): k = np.arange(len(x)); return x[k // 64 * 64 + (k % 64 + 1) % 8] * 100 + x
// LAUNCH: guarded in[72]=iota out[72]=zeros n=72 --grid 2 --block 64
// OUT: out = rotated(in_in)

// Each turn some more threads leave; what they leave behind is seen.
__global__ void leaving(int *out, int n)
{
    __shared__ int s[32];
    if (threadIdx.x >= n) {
        out[threadIdx.x] = -1;
        return;
    }
    s[threadIdx.x] = 0;
    int m = 3;
    __syncthreads();
    for (int k = 0; k < m; k++) {
        int seen = s[(threadIdx.x + 1) % n];
        __syncthreads();
        if (threadIdx.x == k)
            return;
        s[threadIdx.x] = seen + 1;
        __syncthreads();
    }
    if (threadIdx.x == n - 1)
        return;
    out[threadIdx.x] = s[threadIdx.x];
}
// LAUNCH: leaving out[32]=full:9 n=6 --grid 1 --block 32
// OUT: out = np.array([9, 9, 9, 3, 2, 9] + [-1] * 26)
