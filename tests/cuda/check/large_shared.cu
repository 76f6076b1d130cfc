// SPDX-License-Identifier: Apache-2.0
// TEST: shared memory beyond all devices is reasoned about, not run
// MODE: check
// check-args: --block 64 --grid 1
// REF: docs/reference/cuda.md#positions-barriers-warps
// check right: proved
__global__ void right(int *y) {
  // heddle: requires 64 <= len(y)
  __shared__ char s[1ull << 32];
  s[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
// check unmet: unknown HD0601 may touch the same element
__global__ void unmet(int *y) {
  // heddle: requires 64 <= len(y)
  __shared__ char s[1ull << 32];
  s[threadIdx.x] = 1;
  y[threadIdx.x] = s[63 - threadIdx.x];
}
