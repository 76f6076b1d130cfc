/* SPDX-License-Identifier: Apache-2.0 */
/* Rows whose arithmetic counts, against nvcc on the same source. */
#include "gpu_bench.h"

static void gemm(Bench *bench, const Row *row, Call *call) {
  int64_t n = bench->is_small ? 256 : 4096;
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_in(bench, call, shape_of_matrix(HD_F32, n, n), -1, 1);
  add_in(bench, call, shape_of_matrix(HD_F32, n, n), -1, 1);
  add_out(bench, call, shape_of_matrix(HD_F32, n, n));
  call->work = 2.0 * (double)(n * n) * (double)n;
}

/* An interaction counts 20 operations, as it usually does. */
static void nbody(Bench *bench, const Row *row, Call *call) {
  int64_t n = bench->is_small ? 1024 : 135168; /* 4 blocks of 256 an SM */
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_in(bench, call, shape_of_vectors(HD_F32, 16, n), 0, 1);
  add_out(bench, call, shape_of_vectors(HD_F32, 16, n));
  call->work = 20.0 * (double)n * (double)n;
}

static void mandelbrot(Bench *bench, const Row *row, Call *call) {
  int64_t n = bench->is_small ? 128 : 8192;
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_int(call, FOR_BOTH, n);
  add_real(call, FOR_BOTH, -2);
  add_real(call, FOR_BOTH, -1.25);
  add_real(call, FOR_BOTH, 2.5 / (double)n);
  add_int(call, FOR_BOTH, 1000);
  add_out(bench, call, shape_of_matrix(HD_I32, n, n));
  call->work = (double)(n * n);
}

static void black_scholes(Bench *bench, const Row *row, Call *call) {
  int64_t n = bench->is_small ? 10000 : 1 << 26;
  Shape shape = shape_of(HD_F32, n);
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_real(call, FOR_BOTH, 0.02);
  add_real(call, FOR_BOTH, 0.3);
  add_in(bench, call, shape, 5, 30);
  add_in(bench, call, shape, 1, 100);
  add_in(bench, call, shape, 0.25f, 10);
  add_out(bench, call, shape);
  add_out(bench, call, shape);
  call->work = (double)n;
}

static void stencil(Bench *bench, const Row *row, Call *call) {
  int64_t n = bench->is_small ? 64 : 640;
  Shape shape = {HD_F32, 0, 3, {n, n, n}};
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_real(call, FOR_BOTH, 0.4);
  add_real(call, FOR_BOTH, 0.1);
  add_in(bench, call, shape, 0, 1);
  add_out(bench, call, shape);
  call->work = 8.0 * (double)(n * n) * (double)n;
}

const Row compute_rows[] = {
    {"compute", "matmul 4096, 32 x 32 in shared memory", "compute",
     "gemm_simple", NULL, "gemm_simple", UNIT_GFLOP, BAR_PEER, 1, gemm,
     .tolerance = 1e-3},
    {"compute", "matmul 4096, 8 x 8 a thread", "compute", "gemm", NULL, "gemm",
     UNIT_GFLOP, BAR_PEER, 1, gemm, .tolerance = 1e-3},
    {"compute", "n-body 132K", "compute", "nbody", NULL, "nbody", UNIT_GFLOP,
     BAR_PEER, 1, nbody, .tolerance = 1e-3},
    {"compute", "Mandelbrot 8192 x 8192, 1000 turns", "compute", "mandelbrot",
     NULL, "mandelbrot", UNIT_MITEMS, BAR_PEER, 1, mandelbrot,
     .mean_tolerance = 2e-2},
    {"compute", "Black-Scholes 2^26", "compute", "black_scholes", "FAST=true",
     "black_scholes", UNIT_MITEMS, BAR_PEER, 1, black_scholes,
     .tolerance = 1e-3},
    {"compute", "Black-Scholes 2^26, accurate functions", "compute",
     "black_scholes", "FAST=false", "black_scholes_exact", UNIT_MITEMS,
     BAR_PEER, 1, black_scholes, .tolerance = 1e-3},
    {"compute", "stencil 640^3, 7 points", "compute", "stencil", NULL,
     "stencil", UNIT_GB, BAR_PEER, 1, stencil, .tolerance = 1e-5},
    {.name = NULL},
};
