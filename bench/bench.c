/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU suite: Heddle, gcc and pocl interleaved in one process, on the same
 * buffers; medians and ratios.
 *
 *   heddle_bench THREADS RUNS KERNELS_DIR ["" ROW]
 *   heddle_bench THREADS RUNS KERNELS_DIR HEDDLE_COMMAND
 *
 * prints Markdown table rows, all or those that match ROW; or latencies. */
#include "bench.h"

#include "median.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 1000, MOST_KERNELS = 64 };

double bench_now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int complain(Bench *bench, const char *what) {
  fprintf(stderr, "bench: %s: %s\n", what, hd_last_message(bench->session));
  return 1;
}

HdKernel *bench_kernel(Bench *bench, const char *file, const char *name) {
  static struct {
    char name[64];
    HdKernel *kernel;
  } made[MOST_KERNELS];

  static int n_made;
  for (int i = 0; i < n_made; i++) {
    if (strcmp(made[i].name, name) == 0)
      return made[i].kernel;
  }
  char path[4096];
  HdProgram *program;
  snprintf(path, sizeof path, "%s/%s.hd", bench->kernels_dir, file);
  if (n_made == MOST_KERNELS ||
      hd_compile_file(bench->session, path, &program) != HD_OK ||
      hd_kernel_get(program, name, NULL, 0, &made[n_made].kernel) != HD_OK) {
    complain(bench, name);
    return NULL;
  }
  hd_program_free(program);
  snprintf(made[n_made].name, sizeof made[n_made].name, "%s", name);
  return made[n_made++].kernel;
}

int bench_launch(Bench *bench, HdKernel *kernel, int n_blocks,
                 const HdArg *args, int n_args) {
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.device = bench->device;
  options.has_grid = n_blocks > 0;
  options.grid[0] = n_blocks;
  if (!kernel)
    return 1;
  if (hd_kernel_launch(kernel, NULL, &options, args, n_args) == HD_OK)
    return 0;
  return complain(bench, hd_kernel_name(kernel));
}

HdBuffer *bench_view(Bench *bench, int i, int rank, int64_t a, int64_t b,
                     int64_t c) {
  HdBuffer *view;
  int64_t extents[3] = {a, b, c};
  int64_t strides[3] = {rank == 3   ? b * c
                        : rank == 2 ? b
                                    : 1,
                        rank == 3 ? c : 1, 1};
  if (hd_buffer_view(bench->buffers[i], 0, rank, extents, strides, &view) ==
      HD_OK)
    return view;
  complain(bench, "view");
  exit(2);
}

/* Every peer once on fresh data: the results must be right. */
static int check_row(Bench *bench, const Row *row, int exists[N_PEERS]) {
  for (int peer = 0; peer < N_PEERS; peer++) {
    exists[peer] = row->run[peer] && (peer != PEER_POCL || bench->cl);
    if (!exists[peer])
      continue;
    if (row->prepare && row->prepare(bench))
      return 1;
    if (row->run[peer](bench)) {
      exists[peer] = 0;
      if (peer == PEER_HEDDLE)
        return 1;
      continue;
    }
    double error = row->error ? row->error(bench) : 0;
    if (!(error <= row->tolerance)) {
      fprintf(stderr, "bench: %s: peer %d is wrong: error %g\n", row->name,
              peer, error);
      return 1;
    }
  }
  return 0;
}

static void print_value(const Row *row, int exists, double ms) {
  if (!exists)
    printf(" – |");
  else if (row->work > 0)
    printf(" %.1f |", row->work / (ms * 1e-3) / row->work_scale);
  else
    printf(" %.2f |", ms);
}

/* Threads that wait for more work by spinning, as libgomp's do for some
 * milliseconds, must not take cores from the next peer. */
static void let_spinners_sleep(void) {
  nanosleep(&(struct timespec){.tv_nsec = 15000000}, NULL);
}

static int run_row(Bench *bench, const Row *row, int n_runs) {
  static double times[N_PEERS][MOST_RUNS];
  int exists[N_PEERS];
  if (check_row(bench, row, exists))
    return 1;
  for (int run = 0; run < n_runs; run++)
    for (int peer = 0; peer < N_PEERS; peer++) {
      if (!exists[peer])
        continue;
      let_spinners_sleep();
      double start = bench_now_ms();
      if (row->run[peer](bench))
        return 1;
      times[peer][run] = bench_now_ms() - start;
    }
  double ms[N_PEERS] = {0}, ratio[N_PEERS] = {0};
  for (int peer = N_PEERS; peer-- > 0;) {
    if (!exists[peer])
      continue;
    static double ratios[MOST_RUNS];
    for (int run = 0; run < n_runs; run++)
      ratios[run] = times[peer][run] / times[PEER_HEDDLE][run];
    ratio[peer] = bench_median(ratios, n_runs);
    ms[peer] = bench_median(times[peer], n_runs);
  }
  printf("| %s | %s | %s | %d |", row->id, row->name, row->unit,
         bench->n_threads);
  for (int peer = 0; peer < N_PEERS; peer++)
    print_value(row, exists[peer], ms[peer]);
  for (int peer = PEER_GCC; peer < N_PEERS; peer++) {
    if (exists[peer])
      printf(" %.2f |", ratio[peer]);
    else
      printf(" – |");
  }
  printf("\n");
  fflush(stdout);
  return 0;
}

static void use_cores(int count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; i++)
    CPU_SET(i, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/* Latencies are measured in a small process: a child's peak memory counts what
 * its parent had. */
static int open_bench(Bench *bench, int64_t extent) {
  char device[32];
  snprintf(device, sizeof device, "cpu:%d", bench->n_threads);
  if (hd_session_new(NULL, &bench->session) != HD_OK ||
      hd_device_open(bench->session, device, &bench->device) != HD_OK)
    return complain(bench, device);
  for (int i = 0; i < 6; i++) {
    if (hd_buffer_new(bench->device, HD_F32, 1, &extent, &bench->buffers[i]) !=
        HD_OK)
      return complain(bench, "buffers");
    bench->data[i] = hd_buffer_data(bench->buffers[i]);
    memset(bench->data[i], 0, (size_t)extent * sizeof(float));
  }
  char path[4096], count[16];
  snprintf(path, sizeof path, "%s/peers.cl", bench->kernels_dir);
  snprintf(count, sizeof count, "%d", bench->n_threads);
  setenv("POCL_MAX_PTHREAD_COUNT", count, 1);
  setenv("POCL_MAX_COMPUTE_UNITS", count, 1);
  bench->cl = opencl_open(path);
  omp_set_num_threads(bench->n_threads);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s THREADS RUNS KERNELS_DIR [HEDDLE] [ROW]\n",
            argv[0]);
    return 2;
  }
  Bench bench = {.n_threads = atoi(argv[1]), .kernels_dir = argv[3]};
  int n_runs = atoi(argv[2]);
  const char *only = argc > 5 ? argv[5] : NULL;
  if (bench.n_threads < 1 || n_runs < 1 || n_runs > MOST_RUNS)
    return 2;
  use_cores(bench.n_threads);
  if (argc > 4 && *argv[4])
    return open_bench(&bench, 1024) || bench_latency(&bench, argv[4]);
  if (open_bench(&bench, BIG))
    return 1;
  int failed = 0;
  for (int i = 0; i < n_rows; i++) {
    if (!only || strstr(rows[i].name, only) || strcmp(rows[i].id, only) == 0)
      failed |= run_row(&bench, &rows[i], n_runs);
  }
  return failed;
}
