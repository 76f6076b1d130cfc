// SPDX-License-Identifier: Apache-2.0
#include "cli/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_rates(HdArgs *args, double median_ms) {
  double flops = -1, bytes = -1;
  if (hd_args_work(args, &flops, &bytes) != HD_OK)
    return;
  if (flops >= 0)
    printf(", %.2f GFLOP/s", flops / median_ms * 1e-6);
  if (bytes >= 0)
    printf(", %.2f GB/s", bytes / median_ms * 1e-6);
}

HdStatus timing_report(HdArgs *args, int n_runs,
                       HdStatus (*launch)(void *context), void *context) {
  double *times = malloc((size_t)n_runs * sizeof *times);
  if (!times)
    return HD_ERROR_MEMORY;
  HdStatus status = HD_OK;
  for (int i = 0; i < n_runs && status == HD_OK; i++) {
    double start = now_ms();
    status = launch(context);
    times[i] = now_ms() - start;
  }
  if (status == HD_OK) {
    qsort(times, (size_t)n_runs, sizeof *times, by_value);
    double median = n_runs % 2
                        ? times[n_runs / 2]
                        : (times[n_runs / 2 - 1] + times[n_runs / 2]) / 2;
    printf("time: median %.4f ms, minimum %.4f ms, %d runs", median, times[0],
           n_runs);
    print_rates(args, median);
    putchar('\n');
  }
  free(times);
  return status;
}
