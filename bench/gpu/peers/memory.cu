// SPDX-License-Identifier: Apache-2.0
// Kernels that the bandwidth of memory bounds: kernels/memory.hd and ring.hd.
#include "table.h"

#include <cuda/barrier>
#include <cuda_runtime.h>

static unsigned cdiv(long a, long b) { return (unsigned)((a + b - 1) / b); }

static __device__ float4 saxpy_of(float a, float4 u, float4 v) {
  return make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z,
                     a * u.w + v.w);
}

static __device__ float4 square_of(float4 u) {
  return make_float4(u.x * u.x + 1, u.y * u.y + 1, u.z * u.z + 1,
                     u.w * u.w + 1);
}

constexpr int T = 1024, EACH = 2;

__global__ void __launch_bounds__(T)
    saxpy(int n, float a, const float4 *__restrict__ x, float4 *__restrict__ y) {
  int first = blockIdx.x * (T * EACH) + threadIdx.x;
  if (first < n - (EACH - 1) * T) {
    float4 u[EACH], v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      u[k] = x[first + k * T];
      v[k] = y[first + k * T];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
      y[first + k * T] = saxpy_of(a, u[k], v[k]);
  } else
    for (int i = first; i < n; i += T)
      y[i] = saxpy_of(a, x[i], y[i]);
}

constexpr int PLAIN = 256;

__global__ void __launch_bounds__(PLAIN)
    saxpy_plain(int n, float a, const float *__restrict__ x,
                float *__restrict__ y) {
  int i = blockIdx.x * PLAIN + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void __launch_bounds__(T)
    square(int n, const float4 *__restrict__ x, float4 *__restrict__ y) {
  int first = blockIdx.x * (T * EACH) + threadIdx.x;
  if (first < n - (EACH - 1) * T) {
    float4 u[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
      u[k] = x[first + k * T];
#pragma unroll
    for (int k = 0; k < EACH; k++)
      y[first + k * T] = square_of(u[k]);
  } else
    for (int i = first; i < n; i += T)
      y[i] = square_of(x[i]);
}

template <int TILE, int ROWS, int BAND>
__global__ void __launch_bounds__(TILE *ROWS)
    transpose(int n, const float *__restrict__ a, float *__restrict__ b) {
  __shared__ float turned[TILE][TILE + 1];
  long x0 = blockIdx.y * TILE, y0 = (blockIdx.z * BAND + blockIdx.x) * TILE;
  int tx = threadIdx.x, ty = threadIdx.y;
  float v[TILE / ROWS];
#pragma unroll
  for (int k = 0; k < TILE / ROWS; k++)
    v[k] = a[(y0 + ty + k * ROWS) * n + x0 + tx];
#pragma unroll
  for (int k = 0; k < TILE / ROWS; k++)
    turned[ty + k * ROWS][tx] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < TILE / ROWS; k++)
    b[(x0 + ty + k * ROWS) * n + y0 + tx] = turned[tx][ty + k * ROWS];
}

// The ring of kernels/ring.hd with cuda::barrier and bulk copies.
#pragma nv_diag_suppress static_var_with_dynamic_init
constexpr int TILE = 4096, S = 6;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(288)
    ring(int tiles, int blocks, const float *__restrict__ x,
         float *__restrict__ y) {
  extern __shared__ __align__(128) float slot[];
  __shared__ Barrier filled[S], freed[S];
  if (threadIdx.x == 0) {
    for (int s = 0; s < S; s++) {
      init(&filled[s], 1);
      init(&freed[s], 8);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  int b = blockIdx.x;
  int turns = b < tiles ? (tiles - b - 1) / blocks + 1 : 0;
  int warp = threadIdx.x / 32;
  if (warp == 8) {
    if (threadIdx.x == 256)
      for (int k = 0; k < turns; k++) {
        int s = k % S;
        freed[s].wait_parity((k / S & 1) ^ 1);
        cuda::device::memcpy_async_tx(
            &slot[s * TILE], &x[(long)(b + (long)k * blocks) * TILE],
            cuda::aligned_size_t<16>(TILE * sizeof(float)), filled[s]);
        (void)cuda::device::barrier_arrive_tx(filled[s], 1,
                                              TILE * sizeof(float));
      }
    return;
  }
  for (int k = 0; k < turns; k++) {
    int s = k % S;
    filled[s].wait_parity(k / S & 1);
    const float4 *from = (const float4 *)&slot[s * TILE];
    float4 *to = (float4 *)&y[(long)(b + (long)k * blocks) * TILE];
#pragma unroll
    for (int i = 0; i < TILE / 4; i += 256)
      to[i + threadIdx.x] = square_of(from[i + threadIdx.x]);
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      (void)freed[s].arrive();
  }
}

static int run_saxpy(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  saxpy<<<cdiv(n, T * EACH), T, 0, stream>>>(n, (float)args[1].real,
                                             (const float4 *)args[2].in,
                                             (float4 *)args[3].out);
  return cudaGetLastError();
}

static int run_saxpy_plain(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  saxpy_plain<<<cdiv(n, PLAIN), PLAIN, 0, stream>>>(n, (float)args[1].real,
                                            (const float *)args[2].in,
                                            (float *)args[3].out);
  return cudaGetLastError();
}

static int run_square(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  square<<<cdiv(n, T * EACH), T, 0, stream>>>(n, (const float4 *)args[1].in,
                                              (float4 *)args[2].out);
  return cudaGetLastError();
}

static int run_transpose(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  transpose<64, 4, 16><<<dim3(16, n / 64, n / 64 / 16), dim3(64, 4), 0,
                         stream>>>(n, (const float *)args[1].in,
                                   (float *)args[2].out);
  return cudaGetLastError();
}

static int run_ring(PeerStream stream, const PeerArg *args) {
  int tiles = (int)args[0].integer, blocks = (int)args[1].integer;
  int bytes = S * TILE * (int)sizeof(float);
  cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  ring<<<blocks, 288, bytes, stream>>>(
      tiles, blocks, (const float *)args[2].in, (float *)args[3].out);
  return cudaGetLastError();
}

const PeerEntry peers_memory[] = {
    {"saxpy", run_saxpy},         {"saxpy_plain", run_saxpy_plain},
    {"square", run_square},       {"transpose", run_transpose},
    {"ring", run_ring},           {nullptr, nullptr},
};
