// SPDX-License-Identifier: Apache-2.0
// TEST: published kernels in CUDA C: bounds are open, races never
// check transpose: unknown HD0702
// check transpose_racy: bug HD0601 tile
// check bitonic: unknown HD0702
// check histogram: unknown HD0702
// check histogram_racy: bug HD0601
// check stencil: unknown HD0702
// check stencil_racy: bug HD0601
// check rows: unknown HD0702
// check vec4: unknown HD0702
#define TILE_DIM 32
#define BLOCK_ROWS 8
__global__ void transpose(float *odata, const float *idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transpose_racy(float *odata, const float *idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void bitonic(int *data, unsigned dir) {
  __shared__ int s[512];
  s[threadIdx.x] = data[blockIdx.x * 512 + threadIdx.x];
  s[threadIdx.x + 256] = data[blockIdx.x * 512 + threadIdx.x + 256];
  for (unsigned size = 2; size < 512; size <<= 1) {
    unsigned ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      int a = s[pos], b = s[pos + stride];
      if ((a > b) == ddd) { s[pos] = b; s[pos + stride] = a; }
    }
  }
  for (unsigned stride = 256; stride > 0; stride >>= 1) {
    __syncthreads();
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    int a = s[pos], b = s[pos + stride];
    if ((a > b) == dir) { s[pos] = b; s[pos + stride] = a; }
  }
  __syncthreads();
  data[blockIdx.x * 512 + threadIdx.x] = s[threadIdx.x];
  data[blockIdx.x * 512 + threadIdx.x + 256] = s[threadIdx.x + 256];
}
__global__ void histogram(unsigned *hist, const unsigned char *data, unsigned n) {
  __shared__ unsigned h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&h[data[i]], 1);
  __syncthreads();
  atomicAdd(&hist[threadIdx.x], h[threadIdx.x]);
}
__global__ void histogram_racy(unsigned *hist, const unsigned char *data, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) hist[data[i]]++;
}
__global__ void stencil(const int *in, int *out, int n) {
  __shared__ int temp[256 + 6];
  int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + 3;
  temp[l] = in[g];
  if (threadIdx.x < 3) { temp[l - 3] = g >= 3 ? in[g - 3] : 0; temp[l + 256] = g + 256 < n ? in[g + 256] : 0; }
  __syncthreads();
  int r = 0;
  for (int o = -3; o <= 3; o++) r += temp[l + o];
  out[g] = r;
}
__global__ void stencil_racy(const int *in, int *out, int n) {
  __shared__ int temp[256 + 6];
  int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + 3;
  temp[l] = in[g];
  if (threadIdx.x < 3) { temp[l - 3] = g >= 3 ? in[g - 3] : 0; temp[l + 256] = g + 256 < n ? in[g + 256] : 0; }
  int r = 0;
  for (int o = -3; o <= 3; o++) r += temp[l + o];
  out[g] = r;
}
__global__ void rows(float *A, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) A[y * w + x] *= 2;
}
__global__ void vec4(float4 *a, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float4 v = a[i]; v.x += 1; a[i] = v; }
}
void run(float *o, const float *i, int w, int h, dim3 g) { dim3 b(32, 8); transpose<<<g, b>>>(o, i, w, h); transpose_racy<<<g, b>>>(o, i, w, h); rows<<<g, b>>>(o, w, h); }
