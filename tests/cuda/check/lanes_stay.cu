// SPDX-License-Identifier: Apache-2.0
// TEST: where the path says that whole warps come, shuffles of the threads that are left are those of warps
// REF: docs/errors/HD0603.md
// check-args: --block 128 --assume 'n % 32 == 0' --assume '32 * n <= len(x)' --assume 'n <= len(out)'

// check sums: proved
__global__ void sums(int n, const int *x, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = x[i];
  for (int d = 16; d > 0; d >>= 1)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (i % 32 == 0)
    out[i / 32] = v;
}

// check scan: proved
__global__ void scan(int n, const int *x, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (i < n) {
    int v = x[i];
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(0xffffffff, v, d);
      if (lane >= d)
        v += u;
    }
    out[i] = v;
  }
}

// check votes: proved
__global__ void votes(int n, const int *x, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned b = __ballot_sync(0xffffffff, x[i] > 0);
  out[i] = b + __shfl_sync(0xffffffff, b, 0);
}

// check ordered: proved
__global__ void ordered(int n, const int *x, int *out) {
  __shared__ int s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = x[i];
  __syncwarp();
  out[i] = s[threadIdx.x ^ 1];
}

// check rows: proved
__global__ void rows(int n, const int *x, int *out) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= n)
    return;
  int v = x[row * 32 + lane];
  for (int d = 16; d > 0; d >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, d);
  if (lane == 0)
    out[row] = v;
}

// check stride2: proved
__global__ void stride2(int n, const int *x, int *out) {
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    v = x[i];
    for (int d = 16; d > 0; d >>= 1)
      v += __shfl_down_sync(0xffffffff, v, d);
    if (i % 32 == 0)
      out[i / 32] = v;
  }
}

// check unordered: bug HD0601
__global__ void unordered(int n, const int *x, int *out) {
  __shared__ int s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = x[i];
  __syncwarp();
  out[i] = s[threadIdx.x ^ 32];
}
