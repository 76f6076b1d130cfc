/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of networks in C with OpenMP; arrays are dense and row-major. */
#ifndef HD_BENCH_LAYER_PEERS_H
#define HD_BENCH_LAYER_PEERS_H

void c_softmax(int rows, int columns, const float *x, float *y);
void c_layer_norm(int rows, int columns, const float *x, const float *w,
                  const float *b, float *y);
/* Heads of 64 numbers, n a multiple of 64. */
void c_attention(int heads, int n, const float *q, const float *k,
                 const float *v, float *out);
/* Filters of 3 x 3, 64 channels to 64, channels last. */
void c_convolution(int h, int w, const float *image, const float *filter,
                   float *out);

#endif
