/* SPDX-License-Identifier: Apache-2.0 */
#include "peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <omp.h>

void c_saxpy(int n, float a, const float *restrict x, float *restrict y) {
#pragma omp parallel for simd
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}

float c_reduce(int n, const float *x) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}

/* Sums of parts, then every thread scans its part. */
void c_scan(int n, const float *restrict x, float *restrict y) {
  int n_threads = omp_get_max_threads();
  float *sums = calloc((size_t)n_threads + 1, sizeof *sums);
#pragma omp parallel num_threads(n_threads)
  {
    int t = omp_get_thread_num();
    long first = (long)n * t / n_threads, last = (long)n * (t + 1) / n_threads;
    float sum = 0;
    if (n_threads > 1) {
#pragma omp simd reduction(+ : sum)
      for (long i = first; i < last; i++)
        sum += x[i];
    }
    sums[t + 1] = sum;
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < n_threads; i++)
      sums[i + 1] += sums[i];
    float total = sums[t];
#pragma omp simd reduction(inscan, + : total)
    for (long i = first; i < last; i++) {
      total += x[i];
#pragma omp scan inclusive(total)
      y[i] = total;
    }
  }
  free(sums);
}

enum { TRANSPOSE_TILE = 32 };

void c_transpose(int n, const float *restrict a, float *restrict b) {
#pragma omp parallel for collapse(2)
  for (int y0 = 0; y0 < n; y0 += TRANSPOSE_TILE)
    for (int x0 = 0; x0 < n; x0 += TRANSPOSE_TILE)
      for (int x = x0; x < x0 + TRANSPOSE_TILE; x++)
        for (int y = y0; y < y0 + TRANSPOSE_TILE; y++)
          b[(long)x * n + y] = a[(long)y * n + x];
}

void c_mandelbrot(int width, int height, float x0, float y0, float dx, float dy,
                  int limit, int *counts) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      float cx = x0 + (float)i * dx, cy = y0 + (float)j * dy;
      float x = cx, y = cy;
      int k = 0;
      for (; k < limit && x * x + y * y <= 4.0f; k++) {
        float t = x * x - y * y;
        y = 2.0f * x * y + cy;
        x = t + cx;
      }
      counts[(long)j * width + i] = k;
    }
}

static inline float cumulative_normal(float x) {
  float t = fabsf(x);
  float k = 1.0f / (1.0f + 0.2316419f * t);
  float poly =
      k * (0.319381530f +
           k * (-0.356563782f +
                k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float w = 0.3989422804f * expf(-0.5f * t * t) * poly;
  return x > 0 ? 1.0f - w : w;
}

void c_black_scholes(int n, float rate, float volatility,
                     const float *restrict price, const float *restrict strike,
                     const float *restrict years, float *restrict call,
                     float *restrict put) {
#pragma omp parallel for simd
  for (int i = 0; i < n; i++) {
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) /
               (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
    float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

void c_stencil(int nz, int ny, int nx, const float *restrict c,
               const float *restrict v, const float *restrict now,
               float *restrict next) {
  long row = nx, plane = (long)nx * ny;
#pragma omp parallel for
  for (int z = 4; z < nz - 4; z++)
    for (int y = 4; y < ny - 4; y++)
#pragma omp simd
      for (int x = 4; x < nx - 4; x++) {
        long i = z * plane + y * row + x;
        float sum = c[0] * now[i];
        for (int r = 1; r < 4; r++)
          sum += c[r] *
                 (now[i - r] + now[i + r] + now[i - r * row] +
                  now[i + r * row] + now[i - r * plane] + now[i + r * plane]);
        next[i] = 2 * now[i] - next[i] + v[i] * sum;
      }
}

/* Loops in i, k, j order over blocks of k that fit the cache. */
void c_gemm(int n, const float *restrict a, const float *restrict b,
            float *restrict c) {
  enum { BLOCK = 64 };

#pragma omp parallel for
  for (int i0 = 0; i0 < n; i0 += BLOCK) {
    memset(c + (long)i0 * n, 0, sizeof(float) * BLOCK * (size_t)n);
    for (int k0 = 0; k0 < n; k0 += BLOCK)
      for (int i = i0; i < i0 + BLOCK; i++)
        for (int k = k0; k < k0 + BLOCK; k++) {
          float f = a[(long)i * n + k];
#pragma omp simd
          for (int j = 0; j < n; j++)
            c[(long)i * n + j] += f * b[(long)k * n + j];
        }
  }
}

void c_tree_reduce(int n_blocks, const float *restrict x,
                   float *restrict sums) {
#pragma omp parallel for
  for (int block = 0; block < n_blocks; block++) {
    float part[1024];
    memcpy(part, x + (long)block * 1024, sizeof part);
    for (int half = 512; half > 0; half /= 2)
#pragma omp simd
      for (int i = 0; i < half; i++)
        part[i] += part[i + half];
    sums[block] = part[0];
  }
}

void c_bitonic(int n, const unsigned *restrict x, unsigned *restrict y) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 512) {
    unsigned v[512];
    memcpy(v, x + base, sizeof v);
    for (int k = 2; k <= 512; k *= 2)
      for (int j = k / 2; j > 0; j /= 2)
#pragma omp simd
        for (int t = 0; t < 256; t++) {
          int i = 2 * t - (t & (j - 1));
          unsigned lo = v[i], hi = v[i + j];
          int swap = (lo > hi) == ((i & k) == 0);
          v[i] = swap ? hi : lo;
          v[i + j] = swap ? lo : hi;
        }
    memcpy(y + base, v, sizeof v);
  }
}

void c_block_scan(int n, const float *restrict x, float *restrict y) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 256) {
    float v[2][256];
    int from = 0;
    memcpy(v[0], x + base, sizeof v[0]);
    for (int d = 1; d < 256; d *= 2, from = 1 - from) {
      float *to = v[1 - from];
      memcpy(to, v[from], (size_t)d * sizeof(float));
#pragma omp simd
      for (int i = d; i < 256; i++)
        to[i] = v[from][i] + v[from][i - d];
    }
    memcpy(y + base, v[from], sizeof v[0]);
  }
}

#if defined(__AVX512F__)
typedef struct {
  __m512 cx, cy, x, y;
  __m512i count;
  __mmask16 alive;
} Lane16;

static inline Lane16 lane_start(float x0, int i, float dx, float cy) {
  const __m512 ramp =
      _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  Lane16 l;
  l.cx = _mm512_fmadd_ps(_mm512_add_ps(ramp, _mm512_set1_ps((float)i)),
                         _mm512_set1_ps(dx), _mm512_set1_ps(x0));
  l.cy = _mm512_set1_ps(cy);
  l.x = l.cx;
  l.y = l.cy;
  l.count = _mm512_setzero_si512();
  l.alive = 0xffff;
  return l;
}

static inline void lane_step(Lane16 *l) {
  __m512 xx = _mm512_mul_ps(l->x, l->x);
  __m512 sum = _mm512_fmadd_ps(l->y, l->y, xx);
  l->alive =
      _mm512_mask_cmp_ps_mask(l->alive, sum, _mm512_set1_ps(4.0f), _CMP_LE_OQ);
  l->count =
      _mm512_mask_add_epi32(l->count, l->alive, l->count, _mm512_set1_epi32(1));
  __m512 t = _mm512_fnmadd_ps(l->y, l->y, xx);
  l->y = _mm512_fmadd_ps(_mm512_add_ps(l->x, l->x), l->y, l->cy);
  l->x = _mm512_add_ps(t, l->cx);
}

int c_mandelbrot_floor(int width, int height, float x0, float y0, float dx,
                       float dy, int limit, int *counts) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int j = 0; j < height; j++)
    for (int i = 0; i + 32 <= width; i += 32) {
      float cy = y0 + (float)j * dy;
      Lane16 a = lane_start(x0, i, dx, cy), b = lane_start(x0, i + 16, dx, cy);
      for (int k = 0; k < limit && (a.alive | b.alive); k++) {
        lane_step(&a);
        lane_step(&b);
      }
      _mm512_storeu_si512(counts + (long)j * width + i, a.count);
      _mm512_storeu_si512(counts + (long)j * width + i + 16, b.count);
    }
  return 1;
}
#else
int c_mandelbrot_floor(int width, int height, float x0, float y0, float dx,
                       float dy, int limit, int *counts) {
  (void)width, (void)height, (void)x0, (void)y0;
  (void)dx, (void)dy, (void)limit, (void)counts;
  return 0;
}
#endif
