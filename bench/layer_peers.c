/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of networks as loops in C, for bench/layers.c: what gcc -O3 and its
 * library of vector functions make of them is a peer. */
#include "layer_peers.h"

#include <float.h>
#include <math.h>
#include <string.h>

void c_softmax(int rows, int columns, const float *restrict x,
               float *restrict y) {
#pragma omp parallel for
  for (int i = 0; i < rows; i++) {
    const float *from = x + (long)i * columns;
    float *to = y + (long)i * columns;
    float top = -FLT_MAX, sum = 0;
    for (int j = 0; j < columns; j++)
      top = from[j] > top ? from[j] : top;
    for (int j = 0; j < columns; j++) {
      to[j] = expf(from[j] - top);
      sum += to[j];
    }
    for (int j = 0; j < columns; j++)
      to[j] *= 1 / sum;
  }
}

void c_layer_norm(int rows, int columns, const float *restrict x,
                  const float *restrict w, const float *restrict b,
                  float *restrict y) {
#pragma omp parallel for
  for (int i = 0; i < rows; i++) {
    const float *from = x + (long)i * columns;
    float *to = y + (long)i * columns;
    float mean = 0, square = 0;
    for (int j = 0; j < columns; j++)
      mean += from[j];
    mean /= (float)columns;
    for (int j = 0; j < columns; j++)
      square += (from[j] - mean) * (from[j] - mean);
    float scale = 1 / sqrtf(square / (float)columns + 1e-5f);
    for (int j = 0; j < columns; j++)
      to[j] = (from[j] - mean) * scale * w[j] + b[j];
  }
}

enum { D = 64, TILE = 64 };

/* Scores of TILE rows of q with TILE rows of k, then the sums that they weigh:
 * the same algorithm as the kernel's. */
static void attention_rows(int n, const float *restrict q,
                           const float *restrict k, const float *restrict v,
                           float *restrict out) {
  static _Thread_local float s[TILE][TILE], acc[TILE][D], kt[D][TILE];
  float top[TILE], total[TILE];
  memset(acc, 0, sizeof acc);
  for (int i = 0; i < TILE; i++) {
    top[i] = -INFINITY;
    total[i] = 0;
  }
  for (int j = 0; j < n; j += TILE) {
    for (int d = 0; d < D; d++)
      for (int c = 0; c < TILE; c++)
        kt[d][c] = k[(j + c) * D + d];
    for (int i = 0; i < TILE; i++) {
      for (int c = 0; c < TILE; c++)
        s[i][c] = 0;
      for (int d = 0; d < D; d++)
        for (int c = 0; c < TILE; c++)
          s[i][c] += q[i * D + d] * 0.125f * kt[d][c];
      float higher = top[i], sum = 0;
      for (int c = 0; c < TILE; c++)
        higher = s[i][c] > higher ? s[i][c] : higher;
      for (int c = 0; c < TILE; c++) {
        s[i][c] = expf(s[i][c] - higher);
        sum += s[i][c];
      }
      float shrink = expf(top[i] - higher);
      total[i] = total[i] * shrink + sum;
      top[i] = higher;
      for (int d = 0; d < D; d++)
        acc[i][d] *= shrink;
      for (int c = 0; c < TILE; c++)
        for (int d = 0; d < D; d++)
          acc[i][d] += s[i][c] * v[(j + c) * D + d];
    }
  }
  for (int i = 0; i < TILE; i++)
    for (int d = 0; d < D; d++)
      out[i * D + d] = acc[i][d] / total[i];
}

void c_attention(int heads, int n, const float *q, const float *k,
                 const float *v, float *out) {
#pragma omp parallel for collapse(2)
  for (int head = 0; head < heads; head++)
    for (int i = 0; i < n; i += TILE) {
      long rows = (long)head * n * D;
      attention_rows(n, q + rows + (long)i * D, k + rows, v + rows,
                     out + rows + (long)i * D);
    }
}

enum { C = 64, F = 64 };

void c_convolution(int h, int w, const float *restrict image,
                   const float *restrict filter, float *restrict out) {
#pragma omp parallel for
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float acc[F] = {0};
      for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
          int at = i + y - 1, to = j + x - 1;
          if (at < 0 || at >= h || to < 0 || to >= w)
            continue;
          const float *pixel = image + ((long)at * w + to) * C;
          const float *weights = filter + (long)(y * 3 + x) * C * F;
          for (int c = 0; c < C; c++)
            for (int f = 0; f < F; f++)
              acc[f] += pixel[c] * weights[c * F + f];
        }
      memcpy(out + ((long)i * w + j) * F, acc, sizeof acc);
    }
}
