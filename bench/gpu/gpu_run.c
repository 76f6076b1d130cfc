/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a row: checks it, measures its sides in turn, prints it. */
#include "gpu_bench.h"

#include "../median.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEDDLE, PEER, COPY, N_SIDES, MOST_RUNS = 1000 };

/* What a row has measured. */
typedef struct {
  int exists[N_SIDES];
  int n_launches[N_SIDES]; /* between two events */
  double values[N_SIDES][MOST_RUNS];
  double medians[N_SIDES];
  double ratios[N_SIDES]; /* medians of those of single runs */
} Measured;

double bench_now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

int bench_complain(Bench *bench, const char *what) {
  fprintf(stderr, "gpu_bench: %s: %s\n", what, hd_last_message(bench->session));
  return 1;
}

/* Splits "T=512 E=int"; names and values point into `text`. */
static int split_embeds(char *text, HdEmbed embeds[8]) {
  int n = 0;
  for (char *at = strtok(text, " "); at && n < 8; at = strtok(NULL, " ")) {
    char *equals = strchr(at, '=');
    if (!equals)
      continue;
    *equals = 0;
    embeds[n++] = (HdEmbed){at, equals + 1};
  }
  return n;
}

HdKernel *bench_kernel(Bench *bench, const char *file, const char *name,
                       const char *embeds) {
  char path[4096], text[256];
  HdEmbed given[8];
  HdProgram *program = NULL;
  HdKernel *kernel = NULL;
  snprintf(path, sizeof path, "%s/%s.hd", bench->kernels_dir, file);
  snprintf(text, sizeof text, "%s", embeds ? embeds : "");
  int n = split_embeds(text, given);
  if (hd_compile_file(bench->session, path, &program) != HD_OK ||
      hd_kernel_get(program, name, given, n, &kernel) != HD_OK)
    bench_complain(bench, name);
  hd_program_free(program);
  return kernel;
}

static int launch_heddle(Bench *bench, HdKernel *kernel, Call *call) {
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.device = bench->device;
  if (call->counted_arg >= 0)
    call->args[call->counted_arg].integer++;
  if (call->zeroed && bench->cu_stream &&
      bench->driver.fill((DriverAddress)hd_buffer_data(call->zeroed), 0,
                         (size_t)hd_buffer_extent(call->zeroed, 0) *
                             hd_buffer_element_bytes(call->zeroed),
                         bench->cu_stream))
    return 1;
  if (hd_kernel_launch(kernel, bench->stream, &options, call->args,
                       call->n_args) == HD_OK)
    return 0;
  return bench_complain(bench, hd_kernel_name(kernel));
}

static int launch_peer(Bench *bench, PeerRun *peer, Call *call) {
  int error = peer(bench->cu_stream, call->peer);
  if (error)
    fprintf(stderr, "gpu_bench: peer: %s\n", bench->peers.error_text(error));
  return error != 0;
}

static int launch_copy(Bench *bench) {
  return bench->driver.copy((DriverAddress)hd_buffer_data(bench->copy_to),
                            (DriverAddress)hd_buffer_data(bench->copy_from),
                            (size_t)hd_buffer_extent(bench->copy_to, 0),
                            bench->cu_stream);
}

typedef struct {
  HdKernel *kernel;
  PeerRun *peer;
} Sides;

static int launch(Bench *bench, const Sides *sides, Call *call, int side) {
  return side == HEDDLE ? launch_heddle(bench, sides->kernel, call)
         : side == PEER ? launch_peer(bench, sides->peer, call)
                        : launch_copy(bench);
}

static int wait_for(Bench *bench) {
  if (hd_stream_wait(bench->stream) != HD_OK)
    return bench_complain(bench, "wait");
  return bench->cu_stream && bench->driver.stream_wait(bench->cu_stream);
}

/* Milliseconds of each of n launches in a row. */
static int time_launches(Bench *bench, const Sides *sides, Call *call, int side,
                         int n, double *ms) {
  int failed = 0;
  if (!bench->cu_stream) {
    double start = bench_now_ms();
    for (int i = 0; i < n && !failed; i++)
      failed = launch(bench, sides, call, side);
    failed = failed || wait_for(bench);
    *ms = (bench_now_ms() - start) / n;
    return failed;
  }
  float elapsed = 0;
  bench->driver.context_set(bench->context);
  failed = bench->driver.event_record(bench->start, bench->cu_stream);
  for (int i = 0; i < n && !failed; i++)
    failed = launch(bench, sides, call, side);
  failed = failed || bench->driver.event_record(bench->end, bench->cu_stream) ||
           bench->driver.event_wait(bench->end) ||
           bench->driver.event_elapsed(&elapsed, bench->start, bench->end) ||
           wait_for(bench);
  *ms = (double)elapsed / n;
  return failed;
}

static int differs(Bench *bench, const Row *row, Call *call, int i) {
  float found[2];
  float *differences = hd_buffer_data(bench->copy_to);
  int64_t n = call->results[i].n;
  if (bench->peers.difference(bench->cu_stream, call->results[i].type,
                              hd_buffer_data(call->results[i].peer),
                              hd_buffer_data(call->results[i].heddle), n,
                              differences) ||
      wait_for(bench) ||
      hd_buffer_read(bench->copy_to, found, sizeof found) != HD_OK)
    return 1;
  double mean = found[1] / (double)n;
  if (found[0] <= row->tolerance || mean <= row->mean_tolerance)
    return 0;
  fprintf(stderr, "gpu_bench: %s: result %d differs by %g, in the mean %g\n",
          row->name, i, found[0], mean);
  return 1;
}

/* Both sides once on fresh data: their results must agree. */
static int check_row(Bench *bench, const Row *row, const Sides *sides,
                     Call *call) {
  if (launch(bench, sides, call, HEDDLE) || wait_for(bench))
    return 1;
  if (!sides->peer)
    return 0;
  if (launch(bench, sides, call, PEER) || wait_for(bench))
    return 1;
  for (int i = 0; i < call->n_results; i++)
    if (differs(bench, row, call, i))
      return 1;
  return 0;
}

/* What a time, or the ticks that the kernel told, are in the row's unit. */
static int value_of(Bench *bench, const Row *row, Call *call, int side,
                    double ms, double *value) {
  static const double scales[] = {1e9, 1e9, 1e6, 0, 0};
  if (row->unit == UNIT_US)
    *value = ms * 1e3 / TURNS;
  else if (row->unit == UNIT_CYCLES) {
    int64_t ticks = 0;
    HdBuffer *buffer = side == HEDDLE ? call->ticks_heddle : call->ticks_peer;
    if (hd_buffer_read(buffer, &ticks, sizeof ticks) != HD_OK)
      return bench_complain(bench, "ticks");
    *value = (double)ticks / TURNS;
  } else {
    double work = side == COPY
                      ? 2.0 * (double)hd_buffer_extent(bench->copy_to, 0)
                      : call->work;
    *value = work / (ms * 1e-3) / scales[row->unit];
  }
  return 0;
}

static int is_time(const Row *row) {
  return row->unit == UNIT_CYCLES || row->unit == UNIT_US;
}

/* So many launches that events don't count: about 0.4 ms. */
static int measure(Bench *bench, const Row *row, const Sides *sides, Call *call,
                   Measured *m) {
  for (int side = 0; side < N_SIDES; side++) {
    double ms = 0;
    if (!m->exists[side])
      continue;
    for (int i = 0; i < 2; i++) {
      if (time_launches(bench, sides, call, side, 1, &ms))
        return 1;
    }
    m->n_launches[side] = is_time(row) || ms > 0.4 ? 1
                          : ms < 0.008             ? 50
                                                   : (int)(0.4 / ms) + 1;
  }
  for (int run = 0; run < bench->n_runs; run++)
    for (int i = 0; i < N_SIDES; i++) {
      /* Who comes first finds the copy's data in the L2 cache, to be written.
       */
      int side = run % 2 && i != COPY ? PEER - i : i;
      double ms;
      if (m->exists[side] &&
          (time_launches(bench, sides, call, side, m->n_launches[side], &ms) ||
           value_of(bench, row, call, side, ms, &m->values[side][run])))
        return 1;
    }
  return 0;
}

static void summarise(const Row *row, int n_runs, Measured *m) {
  static double sorted[MOST_RUNS];
  for (int side = 0; side < N_SIDES; side++) {
    if (!m->exists[side])
      continue;
    for (int run = 0; run < n_runs; run++) {
      double ours = m->values[HEDDLE][run], theirs = m->values[side][run];
      sorted[run] = is_time(row) ? theirs / ours : ours / theirs;
    }
    m->ratios[side] = bench_median(sorted, n_runs);
    memcpy(sorted, m->values[side], (size_t)n_runs * sizeof *sorted);
    m->medians[side] = bench_median(sorted, n_runs);
  }
}

/* Bars in cycles were found with loops that take 28 to 31 a turn themselves;
 * ratios of 1 are told to two places. */
enum { LOOP_DIFFERENCE = 3 };

static const double ratio_error = 0.005;

static int is_met(const Row *row, const Measured *m) {
  double value = m->medians[HEDDLE];
  if (row->bar_kind == BAR_PEER)
    return m->ratios[PEER] >= row->bar - (row->bar == 1 ? ratio_error : 0);
  if (row->bar_kind == BAR_COPY)
    return m->ratios[COPY] >= row->bar;
  if (row->unit == UNIT_CYCLES)
    return value <= row->bar + LOOP_DIFFERENCE;
  return is_time(row) ? value <= row->bar : value >= row->bar;
}

static void print_row(const Row *row, const char *embeds, int has_bar,
                      const Measured *m) {
  static const char *const units[] = {"GB/s", "GFLOP/s", "M/s", "cycles", "us"};
  static const char *const bars[] = {"", " x peer", " x copy", ""};
  printf("| %s | %s%s%s | %s |", row->group, row->name,
         embeds != row->embeds ? " " : "", embeds != row->embeds ? embeds : "",
         units[row->unit]);
  for (int side = 0; side < N_SIDES; side++) {
    if (m->exists[side])
      printf(m->medians[side] < 10 ? " %.3f |" : " %.1f |", m->medians[side]);
    else
      printf(" – |");
  }
  for (int side = PEER; side < N_SIDES; side++) {
    if (m->exists[side])
      printf(" %.3f |", m->ratios[side]);
    else
      printf(" – |");
  }
  if (!has_bar || row->bar_kind == BAR_NONE ||
      (row->bar_kind == BAR_PEER && !m->exists[PEER]) ||
      (row->bar_kind == BAR_COPY && !m->exists[COPY]))
    printf(" – | |\n");
  else
    printf(" %s%g%s | %s |\n",
           row->bar_kind == BAR_VALUE && is_time(row) ? "≤ " : "≥ ", row->bar,
           bars[row->bar_kind], is_met(row, m) ? "met" : "**missed**");
  fflush(stdout);
}

static void keep_json(Bench *bench, const Row *row, const char *embeds,
                      const Measured *m) {
  static const char *const sides[] = {"heddle", "peer", "copy"};
  if (!bench->json)
    return;
  fprintf(bench->json,
          "{\"group\": \"%s\", \"row\": \"%s\", \"kernel\": \"%s\", "
          "\"embeds\": \"%s\", \"unit\": %d, \"bar\": %g",
          row->group, row->name, row->kernel, embeds ? embeds : "", row->unit,
          row->bar);
  for (int side = 0; side < N_SIDES; side++) {
    if (!m->exists[side])
      continue;
    fprintf(bench->json, ", \"%s\": [", sides[side]);
    for (int run = 0; run < bench->n_runs; run++)
      fprintf(bench->json, "%s%.6g", run ? ", " : "", m->values[side][run]);
    fprintf(bench->json, "]");
  }
  fprintf(bench->json, "}\n");
  fflush(bench->json);
}

/* Rows that turn are checked after few turns. */
static void set_turns(const Row *row, Call *call, int turns) {
  if (!is_time(row))
    return;
  call->args[0].integer = turns;
  call->peer[0].integer = turns;
}

void run_row(Bench *bench, const Row *row, const char *embeds) {
  static Measured m;
  Call call = {.counted_arg = -1};
  Sides sides = {bench_kernel(bench, row->file, row->kernel, embeds), NULL};
  Row variant = *row;
  variant.embeds = embeds;
  if (bench->cu_stream && bench->peers.find && row->peer)
    sides.peer = bench->peers.find(row->peer);
  memset(&m, 0, sizeof m);
  m.exists[HEDDLE] = sides.kernel != NULL;
  m.exists[PEER] = sides.peer != NULL;
  m.exists[COPY] = bench->cu_stream && row->unit == UNIT_GB;
  if (sides.kernel)
    row->prepare(bench, &variant, &call);
  set_turns(row, &call, FEW_TURNS);
  int failed = !sides.kernel || call.failed || wait_for(bench) ||
               check_row(bench, row, &sides, &call);
  set_turns(row, &call, TURNS);
  failed = failed || measure(bench, row, &sides, &call, &m);
  if (failed)
    printf("| %s | %s | FAILED | | | | | | | |\n", row->group, row->name);
  else {
    summarise(row, bench->n_runs, &m);
    print_row(row, embeds, bench->cu_stream != NULL, &m);
    keep_json(bench, row, embeds, &m);
  }
  fflush(stdout);
  hd_kernel_free(sides.kernel);
  for (int i = 0; i < call.n_buffers; i++)
    hd_buffer_free(call.buffers[i]);
}
