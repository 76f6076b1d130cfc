// SPDX-License-Identifier: Apache-2.0
// What heddle run tells of a launch: --verbose, --report, --time.
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_cpu(const Run *run) {
  return strcmp(hd_device_target(run->device), "cpu") == 0;
}

// "cpu:4" is listed as "cpu", "cuda" as "cuda:0".
static void print_device(const Run *run) {
  const char *wanted = run->options->device;
  const char *listed = is_cpu(run)           ? "cpu"
                       : strchr(wanted, ':') ? wanted
                                             : "cuda:0";
  for (int i = 0; i < hd_device_count(run->session); i++) {
    if (strcmp(hd_device_name(run->session, i), listed) == 0)
      cli_error("device %s: %s", wanted,
                hd_device_description(run->session, i));
  }
}

// Lines of text, each behind the kernel's name.
static void report_shared(const char *name, const char *lines) {
  while (lines && *lines) {
    size_t length = strcspn(lines, "\n");
    cli_error("kernel '%s': %.*s", name, (int)length, lines);
    lines += length + (lines[length] != 0);
  }
}

static HdStatus report_on_cpu(const Run *run) {
  HdReport report = HD_REPORT_INIT;
  const char *name = hd_kernel_name(run->kernel);
  HdStatus status = hd_args_report(run->args, run->device, &report);
  if (status != HD_OK)
    return status;
  if (report.blocks)
    cli_error("kernel '%s': %s", name, report.blocks);
  report_shared(name, report.shared);
  return HD_OK;
}

HdStatus run_report(Run *run) {
  if (run->options->verbose)
    print_device(run);
  if (is_cpu(run))
    return report_on_cpu(run);
  HdReport report = HD_REPORT_INIT;
  HdStatus status = hd_args_report(run->args, run->device, &report);
  if (status != HD_OK)
    return status;
  const char *name = hd_kernel_name(run->kernel);
  char assembled[64] = "from the cache";
  if (report.assemble_ms > 0)
    snprintf(assembled, sizeof assembled, "assembled in %.1f ms",
             report.assemble_ms);
  cli_error("kernel '%s' for %s, %s: %u registers and %llu bytes of local "
            "memory a thread, %llu bytes of shared memory a block",
            name, hd_device_target(run->device), assembled, report.registers,
            (unsigned long long)report.local_bytes,
            (unsigned long long)report.shared_bytes);
  report_shared(name, report.shared);
  if (report.most_threads > 0)
    cli_error("kernel '%s': %u blocks, %u of %u threads at a time on a "
              "multiprocessor (%.0f %%)",
              name, report.resident_blocks, report.resident_threads,
              report.most_threads,
              100.0 * report.resident_threads / report.most_threads);
  if (report.spill_bytes > 0)
    cli_error(
        "warning: kernel '%s' keeps %lld bytes of a thread's registers in "
        "memory, which is slow; fewer threads in a block, or fewer values "
        "alive at a time, give each more registers",
        name, (long long)report.spill_bytes);
  return HD_OK;
}

// ------------------------------------------------------------------- times

static double run_report_now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int run_report_by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static HdStatus time_on_host(Run *run, int n_runs, double *times) {
  HdLaunchOptions launch = run_launch_options(run);
  HdStatus status = HD_OK;
  for (int i = 0; i < n_runs && status == HD_OK; i++) {
    double start = run_report_now_ms();
    status = hd_args_launch(run->args, NULL, &launch);
    times[i] = run_report_now_ms() - start;
  }
  return status;
}

typedef struct {
  HdStream *stream;
  HdEvent *start, *end;
} Clock;

static HdStatus clock_open(const Run *run, Clock *clock) {
  HdStatus status = hd_stream_new(run->device, &clock->stream);
  if (status == HD_OK)
    status = hd_event_new(run->device, &clock->start);
  if (status == HD_OK)
    status = hd_event_new(run->device, &clock->end);
  return status;
}

// Between two events of the device's, one before and one behind the launch.
static HdStatus time_by_events(const Run *run, const Clock *clock,
                               double *time) {
  HdLaunchOptions launch = run_launch_options(run);
  HdStatus status = hd_event_record(clock->start, clock->stream);
  if (status == HD_OK)
    status = hd_args_launch(run->args, clock->stream, &launch);
  if (status == HD_OK)
    status = hd_event_record(clock->end, clock->stream);
  if (status == HD_OK)
    status = hd_stream_wait(clock->stream);
  if (status == HD_OK)
    status = hd_event_elapsed_ms(clock->start, clock->end, time);
  return status;
}

// The first launches raise the clock rate and fill caches.
static HdStatus time_on_device(const Run *run, int n_runs, double *times) {
  enum { N_WARM = 5 };

  Clock clock = {0};
  HdStatus status = clock_open(run, &clock);
  for (int i = -N_WARM; i < n_runs && status == HD_OK; i++) {
    double ignored;
    status = time_by_events(run, &clock, i < 0 ? &ignored : &times[i]);
  }
  hd_event_free(clock.start);
  hd_event_free(clock.end);
  hd_stream_free(clock.stream);
  return status;
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

HdStatus run_time(Run *run) {
  int n_runs = run->options->time_runs;
  double *times = malloc((size_t)n_runs * sizeof *times);
  if (!times)
    return HD_ERROR_MEMORY;
  HdStatus status = is_cpu(run) ? time_on_host(run, n_runs, times)
                                : time_on_device(run, n_runs, times);
  if (status == HD_OK) {
    qsort(times, (size_t)n_runs, sizeof *times, run_report_by_value);
    double median = n_runs % 2
                        ? times[n_runs / 2]
                        : (times[n_runs / 2 - 1] + times[n_runs / 2]) / 2;
    printf("time: median %.4f ms, minimum %.4f ms, %d runs", median, times[0],
           n_runs);
    print_rates(run->args, median);
    putchar('\n');
  }
  free(times);
  return status;
}
