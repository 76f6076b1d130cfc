/* SPDX-License-Identifier: Apache-2.0 */
/* The rows: sizes, launches and checks. */
#include "bench.h"
#include "peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))
#define LAUNCH(bench, kernel, blocks, ...)                                     \
  bench_launch(bench, kernel, blocks, (HdArg[]){__VA_ARGS__},                  \
               COUNT(((HdArg[]){__VA_ARGS__})))
#define CL_RUN(bench, name, rank, global, local, ...)                          \
  opencl_run((bench)->cl, name, rank, global, local,                           \
             (OpenClArg[]){__VA_ARGS__}, COUNT(((OpenClArg[]){__VA_ARGS__})))
static const size_t big_bytes = (size_t)BIG * sizeof(float);
#define CL_BIG(bench, i) OPENCL_BUFFER((bench)->data[i], big_bytes)

static float random_float(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (1 << 24);
}

static int fill_random(Bench *bench) {
  uint32_t state = 1;
  for (int i = 0; i < BIG; i++) {
    bench->data[0][i] = random_float(&state);
    bench->data[1][i] = random_float(&state);
  }
  return 0;
}

/* --- C1 saxpy ------------------------------------------------------------ */

static int saxpy_heddle(Bench *b) {
  return LAUNCH(b, bench_kernel(b, "memory", "saxpy_runs"), 0, HD_INT(BIG),
                HD_INT(1 << 14), HD_FLOAT(0.5), HD_BUF(b->buffers[0]),
                HD_BUF(b->buffers[1]));
}

static int saxpy_gcc(Bench *b) {
  c_saxpy(BIG, 0.5f, b->data[0], b->data[1]);
  return 0;
}

static int saxpy_pocl(Bench *b) {
  return CL_RUN(b, "saxpy", 1, (size_t[]){BIG}, (size_t[]){256},
                OPENCL_INT(BIG), OPENCL_FLOAT(0.5f), CL_BIG(b, 0),
                CL_BIG(b, 1));
}

static double saxpy_error(Bench *b) {
  uint32_t state = 1;
  double worst = 0;
  for (int i = 0; i < BIG; i++) {
    double x = random_float(&state), y = random_float(&state);
    worst = fmax(worst, fabs(0.5 * x + y - b->data[1][i]));
  }
  return worst;
}

/* --- C1 reduce ----------------------------------------------------------- */

enum { REDUCE_BLOCKS = 64 };

static float reduce_result;

static int reduce_heddle(Bench *b) {
  static HdBuffer *total;
  if (!total)
    total = bench_view(b, 2, 1, 1, 0, 0);
  b->data[2][0] = 0;
  int failed = LAUNCH(b, bench_kernel(b, "memory", "reduce"), 0, HD_INT(BIG),
                      HD_INT(1 << 15), HD_BUF(b->buffers[0]), HD_BUF(total));
  reduce_result = b->data[2][0];
  return failed;
}

static int reduce_gcc(Bench *b) {
  reduce_result = c_reduce(BIG, b->data[0]);
  return 0;
}

static int reduce_pocl(Bench *b) {
  int failed =
      CL_RUN(b, "reduce", 1, (size_t[]){REDUCE_BLOCKS * 256}, (size_t[]){256},
             OPENCL_INT(BIG), CL_BIG(b, 0), CL_BIG(b, 2));
  reduce_result = 0;
  for (int i = 0; i < REDUCE_BLOCKS; i++)
    reduce_result += b->data[2][i];
  return failed;
}

static double reduce_error(Bench *b) {
  double sum = 0;
  for (int i = 0; i < BIG; i++)
    sum += b->data[0][i];
  return fabs(reduce_result - sum) / sum;
}

/* --- C1 scan ------------------------------------------------------------- */

enum { SCAN_CHUNKS = 1024 };

static int scan_heddle(Bench *b) {
  static HdBuffer *before, *ready;
  static int turn;
  int chunk = BIG / SCAN_CHUNKS;
  if (!before) {
    before = bench_view(b, 3, 1, SCAN_CHUNKS + 1, 0, 0);
    if (hd_buffer_new(b->device, HD_I32, 1, (int64_t[]){SCAN_CHUNKS + 1},
                      &ready) != HD_OK)
      return 1;
  }
  b->data[3][0] = 0;
  *(int *)hd_buffer_data(ready) = ++turn;
  return LAUNCH(b, bench_kernel(b, "scan", "scan"), 0, HD_INT(BIG),
                HD_INT(chunk), HD_INT(turn), HD_INT(b->n_threads > 1),
                HD_BUF(b->buffers[0]), HD_BUF(b->buffers[2]), HD_BUF(before),
                HD_BUF(ready));
}

static int scan_gcc(Bench *b) {
  c_scan(BIG, b->data[0], b->data[2]);
  return 0;
}

static double scan_error(Bench *b) {
  double sum = 0, worst = 0;
  for (int i = 0; i < BIG; i++) {
    sum += b->data[0][i];
    if (i % 4096 == 0 && i > 0)
      worst = fmax(worst, fabs(b->data[2][i] - sum) / sum);
  }
  return worst;
}

/* --- C1 transpose -------------------------------------------------------- */

enum { SIDE = 8192 };

static int transpose_heddle(Bench *b) {
  static HdBuffer *from, *to;
  if (!from) {
    from = bench_view(b, 0, 2, SIDE, SIDE, 0);
    to = bench_view(b, 2, 2, SIDE, SIDE, 0);
  }
  return LAUNCH(b, bench_kernel(b, "memory", "transpose"), 0, HD_INT(SIDE),
                HD_BUF(from), HD_BUF(to));
}

static int transpose_gcc(Bench *b) {
  c_transpose(SIDE, b->data[0], b->data[2]);
  return 0;
}

static int transpose_pocl(Bench *b) {
  return CL_RUN(b, "transpose", 2, ((size_t[]){SIDE, SIDE / 4}),
                ((size_t[]){32, 8}), OPENCL_INT(SIDE), CL_BIG(b, 0),
                CL_BIG(b, 2));
}

static double transpose_error(Bench *b) {
  double wrong = 0;
  for (int y = 0; y < SIDE; y += 7)
    for (int x = 0; x < SIDE; x++)
      wrong += b->data[0][(long)y * SIDE + x] != b->data[2][(long)x * SIDE + y];
  return wrong;
}

/* --- C2 mandelbrot ------------------------------------------------------- */

enum { WIDTH = 1536, HEIGHT = 1024, LIMIT = 512 };

static const float mandel_x0 = -2, mandel_y0 = -1;
static const float mandel_dx = 3.0f / WIDTH, mandel_dy = 2.0f / HEIGHT;

static int mandelbrot_heddle(Bench *b) {
  static HdBuffer *counts;
  if (!counts &&
      hd_buffer_wrap(b->device, b->data[2], HD_I32, 2,
                     (int64_t[]){HEIGHT, WIDTH}, NULL, &counts) != HD_OK)
    return 1;
  return LAUNCH(b, bench_kernel(b, "compute", "mandelbrot"), 0, HD_INT(WIDTH),
                HD_INT(HEIGHT), HD_FLOAT(mandel_x0), HD_FLOAT(mandel_y0),
                HD_FLOAT(mandel_dx), HD_FLOAT(mandel_dy), HD_INT(LIMIT),
                HD_BUF(counts));
}

static int mandelbrot_gcc(Bench *b) {
  c_mandelbrot(WIDTH, HEIGHT, mandel_x0, mandel_y0, mandel_dx, mandel_dy, LIMIT,
               (int *)b->data[2]);
  return 0;
}

static int mandelbrot_pocl(Bench *b) {
  return CL_RUN(b, "mandelbrot", 2, ((size_t[]){WIDTH, HEIGHT}),
                ((size_t[]){64, 4}), OPENCL_INT(WIDTH), OPENCL_INT(HEIGHT),
                OPENCL_FLOAT(mandel_x0), OPENCL_FLOAT(mandel_y0),
                OPENCL_FLOAT(mandel_dx), OPENCL_FLOAT(mandel_dy),
                OPENCL_INT(LIMIT), CL_BIG(b, 2));
}

static int mandelbrot_floor(Bench *b) {
  return !c_mandelbrot_floor(WIDTH, HEIGHT, mandel_x0, mandel_y0, mandel_dx,
                             mandel_dy, LIMIT, (int *)b->data[2]);
}

/* Chaotic near the border: the share of points that differ from C's by more
 * than one turn. */
static double mandelbrot_error(Bench *b) {
  int *counts = (int *)b->data[2], *want = malloc(sizeof(int) * WIDTH * HEIGHT);
  double wrong = 0;
  c_mandelbrot(WIDTH, HEIGHT, mandel_x0, mandel_y0, mandel_dx, mandel_dy, LIMIT,
               want);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    wrong += abs(counts[i] - want[i]) > 1;
  free(want);
  return wrong / (WIDTH * HEIGHT);
}

/* --- C3 Black-Scholes ---------------------------------------------------- */

enum { OPTIONS = 4 << 20 };

static int options_prepare(Bench *b) {
  uint32_t state = 7;
  for (int i = 0; i < OPTIONS; i++) {
    b->data[0][i] = 5 + 25 * random_float(&state);
    b->data[1][i] = 1 + 99 * random_float(&state);
    b->data[2][i] = 0.25f + 9.75f * random_float(&state);
  }
  return 0;
}

static int options_heddle(Bench *b) {
  static HdBuffer *views[5];
  for (int i = 0; i < 5 && !views[4]; i++)
    views[i] = bench_view(b, i, 1, OPTIONS, 0, 0);
  return LAUNCH(b, bench_kernel(b, "compute", "black_scholes"), 0,
                HD_INT(OPTIONS), HD_FLOAT(0.02), HD_FLOAT(0.3),
                HD_BUF(views[0]), HD_BUF(views[1]), HD_BUF(views[2]),
                HD_BUF(views[3]), HD_BUF(views[4]));
}

static int options_gcc(Bench *b) {
  c_black_scholes(OPTIONS, 0.02f, 0.3f, b->data[0], b->data[1], b->data[2],
                  b->data[3], b->data[4]);
  return 0;
}

static int options_pocl(Bench *b) {
  return CL_RUN(b, "black_scholes", 1, (size_t[]){OPTIONS}, (size_t[]){256},
                OPENCL_INT(OPTIONS), OPENCL_FLOAT(0.02f), OPENCL_FLOAT(0.3f),
                CL_BIG(b, 0), CL_BIG(b, 1), CL_BIG(b, 2), CL_BIG(b, 3),
                CL_BIG(b, 4));
}

static double normal(double x) {
  double t = fabs(x), k = 1 / (1 + 0.2316419 * t);
  double poly =
      k * (0.319381530 +
           k * (-0.356563782 +
                k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  double w = 0.3989422804 * exp(-0.5 * t * t) * poly;
  return x > 0 ? 1 - w : w;
}

static double options_error(Bench *b) {
  double worst = 0;
  for (int i = 0; i < OPTIONS; i += 37) {
    double s = b->data[0][i], x = b->data[1][i], t = b->data[2][i];
    double d1 = (log(s / x) + (0.02 + 0.045) * t) / (0.3 * sqrt(t));
    double call =
        s * normal(d1) - x * exp(-0.02 * t) * normal(d1 - 0.3 * sqrt(t));
    worst = fmax(worst, fabs(call - b->data[3][i]));
  }
  return worst;
}

/* --- C5 gemm ------------------------------------------------------------- */

enum { GEMM = 1024 };

static int gemm_any(Bench *b, const char *name) {
  static HdBuffer *views[3];
  for (int i = 0; i < 3 && !views[2]; i++)
    views[i] = bench_view(b, i, 2, GEMM, GEMM, 0);
  return LAUNCH(b, bench_kernel(b, "barriers", name), 0, HD_INT(GEMM),
                HD_BUF(views[0]), HD_BUF(views[1]), HD_BUF(views[2]));
}

static int gemm_heddle(Bench *b) {
  return gemm_any(b, "gemm");
}

static int gemm_simple_heddle(Bench *b) {
  return gemm_any(b, "gemm_simple");
}

static int gemm_gcc(Bench *b) {
  c_gemm(GEMM, b->data[0], b->data[1], b->data[2]);
  return 0;
}

static int gemm_pocl(Bench *b) {
  return CL_RUN(b, "gemm", 2, ((size_t[]){GEMM, GEMM}), ((size_t[]){16, 16}),
                OPENCL_INT(GEMM), CL_BIG(b, 0), CL_BIG(b, 1), CL_BIG(b, 2));
}

static double gemm_error(Bench *b) {
  double worst = 0;
  for (int i = 0; i < GEMM; i += 41)
    for (int j = 0; j < GEMM; j += 37) {
      double sum = 0;
      for (int k = 0; k < GEMM; k++)
        sum += (double)b->data[0][i * GEMM + k] * b->data[1][k * GEMM + j];
      worst = fmax(worst, fabs(sum - b->data[2][i * GEMM + j]) / sum);
    }
  return worst;
}

/* --- C5 tree reduction, bitonic sort, scan ------------------------------- */

enum { SMALL = 1 << 24 };

static int tree_heddle(Bench *b) {
  static HdBuffer *x, *sums;
  if (!x) {
    x = bench_view(b, 0, 1, SMALL, 0, 0);
    sums = bench_view(b, 2, 1, SMALL / 1024, 0, 0);
  }
  return LAUNCH(b, bench_kernel(b, "barriers", "tree_reduce"), 0, HD_INT(SMALL),
                HD_INT(SMALL / 1024), HD_BUF(x), HD_BUF(sums));
}

static int tree_gcc(Bench *b) {
  c_tree_reduce(SMALL / 1024, b->data[0], b->data[2]);
  return 0;
}

static int tree_pocl(Bench *b) {
  return CL_RUN(b, "tree_reduce", 1, (size_t[]){SMALL / 4}, (size_t[]){256},
                CL_BIG(b, 0), CL_BIG(b, 2));
}

static double tree_error(Bench *b) {
  double worst = 0;
  for (int i = 0; i < SMALL / 1024; i += 11) {
    double sum = 0;
    for (int k = 0; k < 1024; k++)
      sum += b->data[0][i * 1024 + k];
    worst = fmax(worst, fabs(sum - b->data[2][i]) / sum);
  }
  return worst;
}

static int bitonic_heddle(Bench *b) {
  static HdBuffer *x, *y;
  if (!x && (hd_buffer_wrap(b->device, b->data[0], HD_U32, 1,
                            (int64_t[]){SMALL}, NULL, &x) != HD_OK ||
             hd_buffer_wrap(b->device, b->data[2], HD_U32, 1,
                            (int64_t[]){SMALL}, NULL, &y) != HD_OK))
    return 1;
  return LAUNCH(b, bench_kernel(b, "barriers", "bitonic"), 0, HD_INT(SMALL),
                HD_BUF(x), HD_BUF(y));
}

static int bitonic_gcc(Bench *b) {
  c_bitonic(SMALL, (unsigned *)b->data[0], (unsigned *)b->data[2]);
  return 0;
}

static int bitonic_pocl(Bench *b) {
  return CL_RUN(b, "bitonic", 1, (size_t[]){SMALL}, (size_t[]){512},
                CL_BIG(b, 0), CL_BIG(b, 2));
}

static double bitonic_error(Bench *b) {
  const unsigned *v = (const unsigned *)b->data[2];
  double wrong = 0;
  for (int i = 1; i < SMALL; i++)
    wrong += i % 512 && v[i - 1] > v[i];
  return wrong;
}

static int block_scan_heddle(Bench *b) {
  static HdBuffer *x, *y;
  if (!x) {
    x = bench_view(b, 0, 1, SMALL, 0, 0);
    y = bench_view(b, 2, 1, SMALL, 0, 0);
  }
  return LAUNCH(b, bench_kernel(b, "barriers", "block_scan"), 0, HD_INT(SMALL),
                HD_BUF(x), HD_BUF(y));
}

static int block_scan_gcc(Bench *b) {
  c_block_scan(SMALL, b->data[0], b->data[2]);
  return 0;
}

static int block_scan_pocl(Bench *b) {
  return CL_RUN(b, "block_scan", 1, (size_t[]){SMALL}, (size_t[]){256},
                CL_BIG(b, 0), CL_BIG(b, 2));
}

static double block_scan_error(Bench *b) {
  double worst = 0, sum = 0;
  for (int i = 0; i < SMALL; i++) {
    sum = (i % 256 ? sum : 0) + b->data[0][i];
    if (i % 61 == 0 && sum > 0)
      worst = fmax(worst, fabs(sum - b->data[2][i]) / sum);
  }
  return worst;
}

/* --- C6 stencil ---------------------------------------------------------- */

enum { CUBE = 256 };

#define CUBE_INNER ((size_t)(CUBE - 8))

static int stencil_prepare(Bench *b) {
  const float c[4] = {0.5f, -0.25f, 0.125f, -0.0625f};
  fill_random(b);
  memcpy(b->data[4], c, sizeof c);
  memset(b->data[2], 0, sizeof(float) * CUBE * CUBE * CUBE);
  return 0;
}

static int stencil_heddle(Bench *b) {
  static HdBuffer *c, *views[3];
  if (!c) {
    c = bench_view(b, 4, 1, 4, 0, 0);
    for (int i = 0; i < 3; i++)
      views[i] = bench_view(b, i, 3, CUBE, CUBE, CUBE);
  }
  return LAUNCH(b, bench_kernel(b, "compute", "stencil"), 0, HD_INT(CUBE),
                HD_INT(CUBE), HD_INT(CUBE), HD_BUF(c), HD_BUF(views[0]),
                HD_BUF(views[1]), HD_BUF(views[2]));
}

static int stencil_gcc(Bench *b) {
  c_stencil(CUBE, CUBE, CUBE, b->data[4], b->data[0], b->data[1], b->data[2]);
  return 0;
}

static int stencil_pocl(Bench *b) {
  return CL_RUN(
      b, "stencil", 3, ((size_t[]){CUBE_INNER, CUBE_INNER, CUBE_INNER}),
      ((size_t[]){CUBE_INNER, 1, 1}), OPENCL_INT(CUBE), OPENCL_INT(CUBE),
      OPENCL_INT(CUBE), CL_BIG(b, 4), CL_BIG(b, 0), CL_BIG(b, 1), CL_BIG(b, 2));
}

/* `next` was 0 before the one step that is checked. */
static double stencil_error(Bench *b) {
  const float *c = b->data[4], *v = b->data[0], *now = b->data[1];
  double worst = 0;
  for (int z = 4; z < CUBE - 4; z += 5)
    for (int y = 4; y < CUBE - 4; y += 3)
      for (int x = 4; x < CUBE - 4; x++) {
        long i = ((long)z * CUBE + y) * CUBE + x;
        double sum = c[0] * now[i];
        for (int r = 1; r < 4; r++)
          sum +=
              (double)c[r] *
              (now[i - r] + now[i + r] + now[i - r * CUBE] + now[i + r * CUBE] +
               now[i - (long)r * CUBE * CUBE] + now[i + (long)r * CUBE * CUBE]);
        worst = fmax(worst, fabs(2 * now[i] + v[i] * sum - b->data[2][i]));
      }
  return worst;
}

/* --- the table ----------------------------------------------------------- */

#define GIGA 1e9

/* --- C9 groups ----------------------------------------------------------- */

enum { MANY = 1000000, SOME = 20000, FEW = 1000, GRID_THREADS = 64 * 256 };

static float group_result;

static int run_groups(Bench *b, const char *name, int turns, int n) {
  HdBuffer *out = bench_view(b, 2, 1, n, 0, 0);
  if (!out)
    return 1;
  int failed =
      LAUNCH(b, bench_kernel(b, "groups", name), 0, HD_INT(turns), HD_BUF(out));
  group_result = b->data[2][n - 1];
  hd_buffer_free(out);
  return failed;
}

static int sums_apart_heddle(Bench *b) {
  return run_groups(b, "sums_apart", MANY, 32);
}

static int sums_in_turn_heddle(Bench *b) {
  return run_groups(b, "sums_in_turn", MANY, 32);
}

static int ballots_heddle(Bench *b) {
  return run_groups(b, "ballots", MANY, 32);
}

static int block_sums_heddle(Bench *b) {
  return run_groups(b, "block_sums", SOME, 1024);
}

static int ring_heddle(Bench *b) {
  return run_groups(b, "ring", MANY, 32);
}

static int grid_syncs_heddle(Bench *b) {
  return run_groups(b, "grid_syncs", FEW, GRID_THREADS);
}

/* A mean of a warp's or block's ranks that the turns run into; what the ring
 * passes on; the number of syncs. Sums and ballots have tests of their own. */
static double any_error(Bench *b) {
  (void)b;
  return isfinite(group_result) ? 0 : 1;
}

static double grid_syncs_error(Bench *b) {
  (void)b;
  return fabs(group_result - FEW);
}

const Row rows[] = {
    {"C1",
     "saxpy 64M",
     "GB/s",
     12.0 * BIG,
     GIGA,
     fill_random,
     {saxpy_heddle, saxpy_gcc, saxpy_pocl, NULL},
     saxpy_error,
     1e-6},
    {"C1",
     "reduce 64M",
     "GB/s",
     4.0 * BIG,
     GIGA,
     fill_random,
     {reduce_heddle, reduce_gcc, reduce_pocl, NULL},
     reduce_error,
     1e-2},
    {"C1",
     "scan 64M",
     "GB/s",
     8.0 * BIG,
     GIGA,
     fill_random,
     {scan_heddle, scan_gcc, NULL, NULL},
     scan_error,
     1e-1},
    {"C1",
     "transpose 8192",
     "GB/s",
     8.0 * BIG,
     GIGA,
     fill_random,
     {transpose_heddle, transpose_gcc, transpose_pocl, NULL},
     transpose_error,
     0},
    {"C2",
     "mandelbrot 1536x1024x512",
     "ms",
     0,
     0,
     NULL,
     {mandelbrot_heddle, mandelbrot_gcc, mandelbrot_pocl, mandelbrot_floor},
     mandelbrot_error,
     0.02},
    {"C3",
     "black-scholes 4M",
     "Mopt/s",
     OPTIONS,
     1e6,
     options_prepare,
     {options_heddle, options_gcc, options_pocl, NULL},
     options_error,
     1e-3},
    {"C5",
     "tiled gemm 1024",
     "GFLOP/s",
     2.0 * GEMM *GEMM *GEMM,
     GIGA,
     fill_random,
     {gemm_heddle, gemm_gcc, gemm_pocl, NULL},
     gemm_error,
     1e-4},
    {"C5",
     "tiled gemm 1024, 16x16 as pocl's",
     "GFLOP/s",
     2.0 * GEMM *GEMM *GEMM,
     GIGA,
     fill_random,
     {gemm_simple_heddle, NULL, gemm_pocl, NULL},
     gemm_error,
     1e-4},
    {"C5",
     "tree reduction 16M",
     "GB/s",
     4.0 * SMALL,
     GIGA,
     fill_random,
     {tree_heddle, tree_gcc, tree_pocl, NULL},
     tree_error,
     1e-4},
    {"C5",
     "bitonic sort 16M in 512s",
     "GB/s",
     8.0 * SMALL,
     GIGA,
     fill_random,
     {bitonic_heddle, bitonic_gcc, bitonic_pocl, NULL},
     bitonic_error,
     0},
    {"C5",
     "scan 16M in 256s",
     "GB/s",
     8.0 * SMALL,
     GIGA,
     fill_random,
     {block_scan_heddle, block_scan_gcc, block_scan_pocl, NULL},
     block_scan_error,
     1e-4},
    {"C6",
     "stencil 256^3",
     "GFLOP/s",
     28.0 * (CUBE - 8) * (CUBE - 8) * (CUBE - 8),
     GIGA,
     stencil_prepare,
     {stencil_heddle, stencil_gcc, stencil_pocl, NULL},
     stencil_error,
     1e-5},
    {"C9",
     "sums of a warp, apart",
     "M/s",
     4.0 * MANY,
     1e6,
     fill_random,
     {sums_apart_heddle, NULL, NULL, NULL},
     any_error,
     0},
    {"C9",
     "sums of a warp, in turn",
     "M/s",
     MANY,
     1e6,
     fill_random,
     {sums_in_turn_heddle, NULL, NULL, NULL},
     any_error,
     0},
    {"C9",
     "ballots",
     "M/s",
     MANY,
     1e6,
     fill_random,
     {ballots_heddle, NULL, NULL, NULL},
     any_error,
     0},
    {"C9",
     "block sums of 1024, warps",
     "M/s",
     32.0 * SOME,
     1e6,
     fill_random,
     {block_sums_heddle, NULL, NULL, NULL},
     any_error,
     0},
    {"C9",
     "ring of mbarriers, handovers",
     "M/s",
     MANY,
     1e6,
     fill_random,
     {ring_heddle, NULL, NULL, NULL},
     any_error,
     0},
    {"C9",
     "syncs of a grid, 64 blocks of 8 warps",
     "M/s",
     FEW,
     1e6,
     fill_random,
     {grid_syncs_heddle, NULL, NULL, NULL},
     grid_syncs_error,
     0},
};
const int n_rows = COUNT(rows);
