// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_trace.h"

#include "base/file.h"
#include "base/rescue.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Beyond it events are left out, and the file says how many.
enum { MOST_EVENTS = 2000000 };

struct CpuTrace {
  const HdCpuKernel *kernel;
  int32_t grid[3];
  int64_t start_ns;
  pthread_mutex_t lock; // guards what follows
  char *text;
  size_t length, capacity;
  uint64_t n_events, n_left_out;
  uint64_t check_bytes, check_elements; // 0: no checks
  uint32_t n_copies;
  bool is_out_of_memory;
};

// What a strand did last.
typedef struct CpuTraceStrand {
  uint64_t since_ns; // it runs, or waits, since then
  uint32_t loc;      // of its last wait; 0: it has just started
  uint32_t wait_kind, row;
  const HdCpuMbarrier *barrier;
  int32_t phase;
  bool waits;
} CpuTraceStrand;

static int64_t clock_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

uint64_t cpu_trace_now(const CpuTrace *trace) {
  return (uint64_t)(clock_ns() - trace->start_ns);
}

CpuTrace *cpu_trace_new(const HdCpuKernel *kernel, const int32_t grid[3]) {
  CpuTrace *trace = calloc(1, sizeof *trace);
  if (!trace)
    return NULL;
  trace->kernel = kernel;
  memcpy(trace->grid, grid, sizeof trace->grid);
  trace->start_ns = clock_ns();
  pthread_mutex_init(&trace->lock, NULL);
  return trace;
}

// ----------------------------------------------------------------- events

static bool cpu_trace_reserve(CpuTrace *trace, size_t extra) {
  if (trace->length + extra < trace->capacity)
    return true;
  size_t capacity = (trace->length + extra) * 2 + 4096;
  char *text = realloc(trace->text, capacity);
  if (!text) {
    trace->is_out_of_memory = true;
    return false;
  }
  trace->text = text;
  trace->capacity = capacity;
  return true;
}

// One event: the members of a JSON object, without its braces.
__attribute__((format(printf, 2, 3))) static void
cpu_trace_add(CpuTrace *trace, const char *format, ...) {
  enum { MOST_BYTES = 1024 };

  pthread_mutex_lock(&trace->lock);
  if (trace->n_events >= MOST_EVENTS) {
    trace->n_left_out++;
  } else if (cpu_trace_reserve(trace, MOST_BYTES)) {
    va_list args;
    va_start(args, format);
    char line[MOST_BYTES - 8];
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < sizeof line) {
      trace->length += (size_t)sprintf(trace->text + trace->length, "%s{%s}",
                                       trace->n_events ? ",\n" : "", line);
      trace->n_events++;
    }
  }
  pthread_mutex_unlock(&trace->lock);
}

// A place as text in JSON: file names may hold anything.
static const char *cpu_trace_place(const CpuTrace *trace, uint32_t loc,
                                   char *out, size_t size) {
  const char *from = trace->kernel->locs[loc < trace->kernel->n_locs ? loc : 0];
  size_t n = 0;
  for (; *from && n + 3 < size; from++) {
    if (*from == '"' || *from == '\\')
      out[n++] = '\\';
    out[n++] = (unsigned char)*from < 0x20 ? ' ' : *from;
  }
  out[n] = 0;
  return out;
}

// "ring.hd:22" of a place that was made fit for JSON.
static const char *short_place(const char *text, char *out, size_t size) {
  const char *end = strstr(text, " (");
  const char *stop = end ? end : text + strlen(text), *start = stop;
  while (start > text && start[-1] != '/')
    start--;
  const char *colon = stop; // before the column
  while (colon > start && *colon != ':')
    colon--;
  if (colon == start)
    colon = stop;
  snprintf(out, size, "%.*s", (int)(colon - start), start);
  return out;
}

static double micro(uint64_t ns) {
  return (double)ns / 1000;
}

typedef struct {
  long long pid;
  int tid;
} Row;

static Row cpu_trace_row_of(const CpuWorker *worker, CpuLive strand) {
  return (Row){(long long)worker->blocks[strand.block].abi.linear,
               (int)strand.strand};
}

// ------------------------------------------------------------------- rows

static void name_strand(CpuTrace *trace, Row row) {
  const HdCpuStrand *strand = &trace->kernel->strands[row.tid];
  char name[64];
  if (strand->lane_end - strand->lane_begin == 32)
    snprintf(name, sizeof name, "warp %d", strand->warp);
  else
    snprintf(name, sizeof name, "warp %d, lanes %d to %d", strand->warp,
             strand->lane_begin, strand->lane_end - 1);
  cpu_trace_add(trace,
                "\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%lld,\"tid\":%d,"
                "\"args\":{\"name\":\"%s\"}",
                row.pid, row.tid, name);
}

void cpu_trace_gang(CpuWorker *worker) {
  CpuTrace *trace = worker->run->trace;
  uint32_t n_strands = trace->kernel->n_strands;
  size_t n = (size_t)worker->n_blocks * n_strands;
  CpuTraceStrand *strands = realloc(worker->traced, (n + 1) * sizeof *strands);
  if (!strands)
    cpu_memory_failed(worker, "the timeline");
  memset(strands, 0, n * sizeof *strands);
  worker->traced = strands;
  for (uint32_t b = 0; b < worker->n_blocks; b++) {
    const HdCpuBlock *block = &worker->blocks[b].abi;
    cpu_trace_add(trace,
                  "\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%lld,"
                  "\"args\":{\"name\":\"block (%d, %d, %d)\"}",
                  (long long)block->linear, block->index[0], block->index[1],
                  block->index[2]);
    for (uint32_t s = 0; s < n_strands; s++)
      name_strand(trace, cpu_trace_row_of(worker, (CpuLive){b, s}));
  }
}

static CpuTraceStrand *state_of(CpuWorker *worker, CpuLive strand) {
  uint32_t n_strands = worker->run->kernel->n_strands;
  return &worker->traced[(size_t)strand.block * n_strands + strand.strand];
}

// ------------------------------------------------------------------ spans

// "mbarrier full[2], phase 3"
static void name_wait(const CpuTrace *trace, const CpuTraceStrand *state,
                      char *text, size_t size) {
  const HdCpuKernel *kernel = trace->kernel;
  switch (state->wait_kind) {
  case HD_CPU_WAIT_BARRIER:
  case HD_CPU_WAIT_TOKEN:
    snprintf(text, size, "barrier of %s",
             state->row < kernel->n_barriers
                 ? kernel->barriers[state->row].group
                 : "a group");
    return;
  case HD_CPU_WAIT_CLUSTER: snprintf(text, size, "the cluster"); return;
  case HD_CPU_WAIT_GRID: snprintf(text, size, "the grid"); return;
  case HD_CPU_WAIT_MBARRIER:
    snprintf(text, size, "mbarrier %s[%" PRIu32 "], phase %" PRId32,
             kernel->mbarriers[state->barrier->row].name,
             state->barrier->element, state->phase);
    return;
  case HD_CPU_WAIT_SEMAPHORE: snprintf(text, size, "a semaphore"); return;
  default: snprintf(text, size, "memory"); return;
  }
}

void cpu_trace_run(CpuWorker *worker, CpuLive strand) {
  CpuTrace *trace = worker->run->trace;
  CpuTraceStrand *state = state_of(worker, strand);
  Row row = cpu_trace_row_of(worker, strand);
  uint64_t now = cpu_trace_now(trace);
  char what[128], at[256];
  worker->traced_now = strand;
  if (state->waits) {
    name_wait(trace, state, what, sizeof what);
    cpu_trace_add(
        trace,
        "\"name\":\"wait for %s\",\"cat\":\"wait\",\"ph\":\"X\",\"ts\":%.3f,"
        "\"dur\":%.3f,\"pid\":%lld,\"tid\":%d,\"args\":{\"at\":\"%s\"}",
        what, micro(state->since_ns), micro(now - state->since_ns), row.pid,
        row.tid, cpu_trace_place(trace, state->loc, at, sizeof at));
  }
  state->since_ns = now;
  state->waits = false;
}

void cpu_trace_stop(CpuWorker *worker, CpuLive strand, bool has_ended) {
  CpuTrace *trace = worker->run->trace;
  CpuTraceStrand *state = state_of(worker, strand);
  const HdCpuWait *wait =
      &worker->blocks[strand.block].abi.waits[strand.strand];
  Row row = cpu_trace_row_of(worker, strand);
  uint64_t now = cpu_trace_now(trace);
  char from[256], to[256], shown[2][64];
  cpu_trace_place(trace, state->loc, from, sizeof from);
  cpu_trace_place(trace, wait->loc, to, sizeof to);
  cpu_trace_add(
      trace,
      "\"name\":\"%s to %s\",\"cat\":\"run\",\"ph\":\"X\",\"ts\":%.3f,"
      "\"dur\":%.3f,\"pid\":%lld,\"tid\":%d,\"args\":{\"from\":\"%s\","
      "\"to\":\"%s\"}",
      state->loc ? short_place(from, shown[0], sizeof shown[0]) : "start",
      has_ended ? "end" : short_place(to, shown[1], sizeof shown[1]),
      micro(state->since_ns), micro(now - state->since_ns), row.pid, row.tid,
      state->loc ? from : "start", has_ended ? "end" : to);
  if (has_ended)
    return;
  *state = (CpuTraceStrand){.since_ns = now,
                            .loc = wait->loc,
                            .wait_kind = wait->kind,
                            .row = wait->row,
                            .barrier = wait->object,
                            .phase = wait->value,
                            .waits = true};
}

void cpu_trace_range(CpuTrace *trace, int worker, int64_t first, int64_t last,
                     uint64_t begin_ns) {
  uint64_t now = cpu_trace_now(trace);
  cpu_trace_add(trace,
                "\"name\":\"blocks %lld to %lld\",\"cat\":\"run\",\"ph\":\"X\","
                "\"ts\":%.3f,\"dur\":%.3f,\"pid\":0,\"tid\":%d",
                (long long)first, (long long)last - 1, micro(begin_ns),
                micro(now - begin_ns), worker);
}

// ----------------------------------------------------------------- arrows

void cpu_trace_copy(CpuWorker *worker, HdCpuCopy *copy) {
  CpuTrace *trace = worker->run->trace;
  Row row = cpu_trace_row_of(worker, worker->traced_now);
  char at[256];
  pthread_mutex_lock(&trace->lock);
  copy->arrow = ++trace->n_copies;
  pthread_mutex_unlock(&trace->lock);
  cpu_trace_add(
      trace,
      "\"name\":\"copy\",\"cat\":\"copy\",\"ph\":\"s\",\"id\":%" PRIu32
      ",\"ts\":%.3f,\"pid\":%lld,\"tid\":%d,\"args\":{\"at\":\"%s\"}",
      copy->arrow, micro(cpu_trace_now(trace)), row.pid, row.tid,
      cpu_trace_place(trace, copy->loc, at, sizeof at));
}

void cpu_trace_landed(CpuWorker *worker, const HdCpuCopy *copy) {
  CpuTrace *trace = worker->run->trace;
  Row row = cpu_trace_row_of(worker, worker->traced_now);
  cpu_trace_add(
      trace,
      "\"name\":\"copy\",\"cat\":\"copy\",\"ph\":\"f\",\"bp\":\"e\",\"id\":"
      "%" PRIu32 ",\"ts\":%.3f,\"pid\":%lld,\"tid\":%d",
      copy->arrow, micro(cpu_trace_now(trace)), row.pid, row.tid);
}

// ------------------------------------------------------------------- file

void cpu_trace_checks(CpuTrace *trace, uint64_t bytes, uint64_t elements) {
  trace->check_bytes = bytes;
  trace->check_elements = elements;
}

static int print_heading(const CpuTrace *trace, char *out, size_t size) {
  char checks[96] = "";
  if (trace->check_bytes)
    snprintf(checks, sizeof checks,
             ",\"check_bytes\":%" PRIu64 ",\"check_elements\":%" PRIu64,
             trace->check_bytes, trace->check_elements);
  // A first call, without `out`, measures.
  // cppcheck-suppress[nullPointer,ctunullpointer]
  return snprintf(out, size,
                  "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\":"
                  "\"%s\",\"events_left_out\":%" PRIu64
                  "%s},\"traceEvents\":[\n",
                  trace->kernel->name, trace->n_left_out, checks);
}

// The whole file, malloc'd; NULL: out of memory.
static char *cpu_trace_print_all(const CpuTrace *trace, size_t *length) {
  static const char end[] = "\n]}\n";
  size_t heading = (size_t)print_heading(trace, NULL, 0);
  size_t n = trace->text ? trace->length : 0;
  char *all = trace->is_out_of_memory ? NULL : malloc(heading + n + sizeof end);
  if (!all)
    return NULL;
  print_heading(trace, all, heading + 1);
  if (n > 0)
    memcpy(all + heading, trace->text, n);
  memcpy(all + heading + n, end, sizeof end);
  *length = heading + n + sizeof end - 1;
  return all;
}

static HdStatus cpu_trace_write_all(const char *path, const char *all,
                                    size_t length, RtError *error) {
  const char *why;
  Arena *arena = arena_new();
  HdStatus status = file_write_atomic(arena, path, all, length, &why);
  if (status != HD_OK)
    rt_error_set(error, "%s", why);
  arena_free(arena);
  return status == HD_OK ? HD_OK : HD_ERROR_IO;
}

static HdStatus cpu_trace_write_file(const char *path, const char *all,
                                     size_t length, RtError *error) {
  Rescue rescue RESCUE_SCOPE;
  if (RESCUE_ENTER(&rescue)) {
    rt_error_set(error, "out of memory for the timeline");
    return HD_ERROR_MEMORY;
  }
  return cpu_trace_write_all(path, all, length, error);
}

static HdStatus write_trace(const CpuTrace *trace, const char *path,
                            RtError *error) {
  size_t length;
  char *all = cpu_trace_print_all(trace, &length);
  if (!all) {
    rt_error_set(error, "out of memory for the timeline");
    return HD_ERROR_MEMORY;
  }
  HdStatus status = cpu_trace_write_file(path, all, length, error);
  free(all);
  return status;
}

HdStatus cpu_trace_end(CpuTrace *trace, const char *path, RtError *error) {
  HdStatus status = write_trace(trace, path, error);
  pthread_mutex_destroy(&trace->lock);
  free(trace->text);
  free(trace);
  return status;
}
