/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the suite: the same work by Heddle and its peers. */
#ifndef HD_BENCH_BENCH_H
#define HD_BENCH_BENCH_H

#include "heddle/heddle.h"
#include "opencl.h"

enum { PEER_HEDDLE, PEER_GCC, PEER_POCL, PEER_FLOOR, N_PEERS };

typedef struct {
  HdSession *session;
  HdDevice *device;
  OpenCl *cl; /* NULL: no OpenCL */
  const char *kernels_dir;
  HdBuffer *buffers[6]; /* 64 Mi floats each, shared by all peers */
  float *data[6];
  int n_threads;
} Bench;

enum { BIG = 1 << 26 };

typedef struct {
  const char *id, *name, *unit;
  double work;       /* per run: in units of 1e9 a second (GB/s, GFLOP/s), or
                        1e6 (Mopt/s); 0: report milliseconds */
  double work_scale; /* 1e9 or 1e6 */
  int (*prepare)(Bench *bench);
  /* 0 on success; a NULL peer does not exist for the row */
  int (*run[N_PEERS])(Bench *bench);
  /* Largest error of the current results against a plain computation, and what
   * is allowed; called after each peer once. */
  double (*error)(Bench *bench);
  double tolerance;
} Row;

extern const Row rows[];
extern const int n_rows;

/* Kernel `name` of kernels/`file`.hd, made once. */
HdKernel *bench_kernel(Bench *bench, const char *file, const char *name);
/* Launches and waits; says what went wrong. */
int bench_launch(Bench *bench, HdKernel *kernel, int n_blocks,
                 const HdArg *args, int n_args);
/* A buffer over the first elements of data[i] in another shape. */
HdBuffer *bench_view(Bench *bench, int i, int rank, int64_t a, int64_t b,
                     int64_t c);
double bench_now_ms(void);

/* Compile and launch latencies (rows C8), printed as they are measured. */
int bench_latency(Bench *bench, const char *heddle);

#endif
