// SPDX-License-Identifier: Apache-2.0
// Kernels whose arithmetic counts: kernels/compute.hd line by line.
#include "table.h"

__global__ void __launch_bounds__(1024)
    gemm_simple(int n, const float *__restrict__ a, const float *__restrict__ b,
                float *__restrict__ c) {
  __shared__ float sa[32][32], sb[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    sa[ty][tx] = a[(long)row * n + k + tx];
    sb[ty][tx] = b[(long)(k + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i++)
      sum += sa[ty][i] * sb[i][tx];
    __syncthreads();
  }
  c[(long)row * n + col] = sum;
}

constexpr int M = 128, K = 16;

__global__ void __launch_bounds__(256, 2)
    gemm(int n, const float *__restrict__ a, const float *__restrict__ b,
         float *__restrict__ c) {
  __shared__ __align__(16) float sa[K][M + 4], sb[K][M];
  int tx = threadIdx.x, ty = threadIdx.y, rank = ty * 16 + tx;
  int row = blockIdx.y * M, col = blockIdx.x * M;
  int ar = rank / 4, ak = rank % 4 * 4;
  int bk = rank / 32, bc = rank % 32 * 4;
  float sum[8][8] = {};
  float4 next_a[2], next_b[2];
#pragma unroll
  for (int j = 0; j < 2; j++) {
    next_a[j] = *(const float4 *)&a[(long)(row + ar + j * 64) * n + ak];
    next_b[j] = *(const float4 *)&b[(long)(bk + j * 8) * n + col + bc];
  }
  for (int k = 0; k < n; k += K) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      sa[ak][ar + j * 64] = next_a[j].x;
      sa[ak + 1][ar + j * 64] = next_a[j].y;
      sa[ak + 2][ar + j * 64] = next_a[j].z;
      sa[ak + 3][ar + j * 64] = next_a[j].w;
      *(float4 *)&sb[bk + j * 8][bc] = next_b[j];
    }
    __syncthreads();
    if (k + K < n) {
#pragma unroll
      for (int j = 0; j < 2; j++) {
        next_a[j] =
            *(const float4 *)&a[(long)(row + ar + j * 64) * n + k + K + ak];
        next_b[j] =
            *(const float4 *)&b[(long)(k + K + bk + j * 8) * n + col + bc];
      }
    }
#pragma unroll
    for (int kk = 0; kk < K; kk++) {
      float u[8], v[8];
#pragma unroll
      for (int j = 0; j < 2; j++) {
        float4 p = *(const float4 *)&sa[kk][ty * 4 + j * 64];
        float4 q = *(const float4 *)&sb[kk][tx * 4 + j * 64];
        u[j * 4] = p.x, u[j * 4 + 1] = p.y, u[j * 4 + 2] = p.z,
              u[j * 4 + 3] = p.w;
        v[j * 4] = q.x, v[j * 4 + 1] = q.y, v[j * 4 + 2] = q.z,
              v[j * 4 + 3] = q.w;
      }
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 2; j++)
      *(float4 *)&c[(long)(row + i / 4 * 64 + ty * 4 + i % 4) * n + col +
                    j * 64 + tx * 4] =
          make_float4(sum[i][j * 4], sum[i][j * 4 + 1], sum[i][j * 4 + 2],
                      sum[i][j * 4 + 3]);
}

__global__ void __launch_bounds__(256)
    nbody(int n, const float4 *__restrict__ body, float4 *__restrict__ pull) {
  __shared__ float4 near[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float4 me = body[i];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += 256) {
    near[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (int j = 0; j < 256; j++) {
      float4 other = near[j];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float s = other.w * r * r * r;
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    __syncthreads();
  }
  pull[i] = make_float4(ax, ay, az, 0);
}

__global__ void __launch_bounds__(256)
    mandelbrot(int width, int height, float x0, float y0, float step, int limit,
               int *__restrict__ counts) {
  int px = blockIdx.x * 32 + threadIdx.x;
  int py = blockIdx.y * 8 + threadIdx.y;
  if (px >= width || py >= height)
    return;
  float cx = x0 + px * step, cy = y0 + py * step;
  float x = 0, y = 0;
  int count = 0;
  while (count < limit && x * x + y * y < 4) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    count++;
  }
  counts[(long)py * width + px] = count;
}

template <bool FAST> static __device__ float normal(float d) {
  float down = 1 + 0.2316419f * fabsf(d);
  float k = FAST ? __fdividef(1, down) : 1 / down;
  float e = FAST ? __expf(-0.5f * d * d) : expf(-0.5f * d * d);
  float p = 0.39894228f * e *
            (k * (0.31938153f +
                  k * (-0.356563782f +
                       k * (1.781477937f +
                            k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - p : p;
}

template <bool FAST>
__global__ void __launch_bounds__(256)
    black_scholes(int n, float rate, float volatility,
                  const float *__restrict__ spot,
                  const float *__restrict__ strike,
                  const float *__restrict__ years, float *__restrict__ call,
                  float *__restrict__ put) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n)
    return;
  float s = spot[i], k = strike[i], t = years[i];
  float root = sqrtf(t), spread = volatility * root;
  float ratio = FAST ? __logf(__fdividef(s, k)) : logf(s / k);
  float drift = ratio + (rate + 0.5f * volatility * volatility) * t;
  float d1 = FAST ? __fdividef(drift, spread) : drift / spread;
  float d2 = d1 - spread;
  float n1 = normal<FAST>(d1), n2 = normal<FAST>(d2);
  float discounted = k * (FAST ? __expf(-rate * t) : expf(-rate * t));
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1 - n2) - s * (1 - n1);
}

__global__ void __launch_bounds__(256)
    stencil(int n, float middle, float side, const float *__restrict__ u,
            float *__restrict__ v) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int z = blockIdx.z;
  long row = n, plane = (long)n * n, at = z * plane + y * row + x;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
    v[at] = middle * u[at] +
            side * (u[at - 1] + u[at + 1] + u[at - row] + u[at + row] +
                    u[at - plane] + u[at + plane]);
}

static int run_gemm_simple(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  gemm_simple<<<dim3(n / 32, n / 32), dim3(32, 32), 0, stream>>>(
      n, (const float *)args[1].in, (const float *)args[2].in,
      (float *)args[3].out);
  return cudaGetLastError();
}

static int run_gemm(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  gemm<<<dim3(n / M, n / M), dim3(16, 16), 0, stream>>>(
      n, (const float *)args[1].in, (const float *)args[2].in,
      (float *)args[3].out);
  return cudaGetLastError();
}

static int run_nbody(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  nbody<<<n / 256, 256, 0, stream>>>(n, (const float4 *)args[1].in,
                                     (float4 *)args[2].out);
  return cudaGetLastError();
}

static int run_mandelbrot(PeerStream stream, const PeerArg *args) {
  int width = (int)args[0].integer, height = (int)args[1].integer;
  mandelbrot<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0,
               stream>>>(width, height, (float)args[2].real,
                         (float)args[3].real, (float)args[4].real,
                         (int)args[5].integer, (int *)args[6].out);
  return cudaGetLastError();
}

template <bool FAST>
static int run_black_scholes(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  black_scholes<FAST><<<(n + 255) / 256, 256, 0, stream>>>(
      n, (float)args[1].real, (float)args[2].real, (const float *)args[3].in,
      (const float *)args[4].in, (const float *)args[5].in,
      (float *)args[6].out, (float *)args[7].out);
  return cudaGetLastError();
}

static int run_stencil(PeerStream stream, const PeerArg *args) {
  int n = (int)args[0].integer;
  stencil<<<dim3(n / 32, n / 8, n), dim3(32, 8), 0, stream>>>(
      n, (float)args[1].real, (float)args[2].real, (const float *)args[3].in,
      (float *)args[4].out);
  return cudaGetLastError();
}

const PeerEntry peers_compute[] = {
    {"gemm_simple", run_gemm_simple},
    {"gemm", run_gemm},
    {"nbody", run_nbody},
    {"mandelbrot", run_mandelbrot},
    {"black_scholes", run_black_scholes<true>},
    {"black_scholes_exact", run_black_scholes<false>},
    {"stencil", run_stencil},
    {nullptr, nullptr},
};
