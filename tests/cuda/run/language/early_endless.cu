// SPDX-License-Identifier: Apache-2.0
// TEST: threads leave an endless loop around barriers one after the other
// NVCC: threads that return wait for the rest of their warp there, for ever
__global__ void endless(int *out, int n)
{
    __shared__ int s[32];
    int i = threadIdx.x;
    s[i] = 0;
    for (int k = 0;; k++) {
        if (k == i % 4 + n) {
            out[i] = s[(i + 1) % 4];
            return;
        }
        __syncthreads();
        s[i] = k + 1;
        __syncthreads();
    }
}
// LAUNCH: endless out[32]=full:-1 n=3 --grid 1 --block 32
// OUT: out = np.array([3, 4, 5, 3] * 8)
