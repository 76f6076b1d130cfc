/* SPDX-License-Identifier: Apache-2.0 */
/* The same work in C with OpenMP: what gcc -O3 makes of it is a peer. Arrays
 * are dense and row-major; threads are OpenMP's current setting. */
#ifndef HD_BENCH_PEERS_H
#define HD_BENCH_PEERS_H

void c_saxpy(int n, float a, const float *x, float *y);
float c_reduce(int n, const float *x);
void c_scan(int n, const float *x, float *y);
void c_transpose(int n, const float *a, float *b);
void c_mandelbrot(int width, int height, float x0, float y0, float dx, float dy,
                  int limit, int *counts);
void c_black_scholes(int n, float rate, float volatility, const float *price,
                     const float *strike, const float *years, float *call,
                     float *put);
void c_stencil(int nz, int ny, int nx, const float *c, const float *v,
               const float *now, float *next);
void c_gemm(int n, const float *a, const float *b, float *c);
void c_tree_reduce(int n_blocks, const float *x, float *sums);
void c_bitonic(int n, const unsigned *x, unsigned *y);
void c_block_scan(int n, const float *x, float *y);
/* The Mandelbrot floor: AVX-512 by hand, two vectors interleaved. Returns 0
 * where the machine has no AVX-512. */
int c_mandelbrot_floor(int width, int height, float x0, float y0, float dx,
                       float dy, int limit, int *counts);

#endif
