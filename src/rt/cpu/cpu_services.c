// SPDX-License-Identifier: Apache-2.0
// What generated code calls: frame memory, traps, printf, time.
#include "base/bits.h"
#include "base/text.h"
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_reach.h"
#include "rt/cpu/cpu_worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAME_ALIGN = 64 };

static const uint64_t smallest_chunk_bytes = UINT64_C(64) * 1024;

static CpuChunk *chunk_new(uint64_t size_bytes) {
  CpuChunk *chunk = calloc(1, sizeof(*chunk));
  if (!chunk)
    return NULL;
  chunk->data = aligned_alloc(FRAME_ALIGN, size_bytes);
  chunk->size_bytes = size_bytes;
  if (chunk->data)
    return chunk;
  free(chunk);
  return NULL;
}

// The chunk after `current` that has room; chunks are kept in one list and
// only appended to, so that a block finds the memory of the one before.
static CpuChunk *chunk_with_room(CpuWorker *worker, uint64_t size_bytes) {
  CpuChunk **link = worker->current ? &worker->current : &worker->chunks;
  for (; *link; link = &(*link)->next) {
    if ((*link)->size_bytes - (*link)->used_bytes >= size_bytes)
      return *link;
  }
  uint64_t bytes =
      size_bytes > smallest_chunk_bytes ? size_bytes : smallest_chunk_bytes;
  CpuChunk *chunk = chunk_new(bytes);
  if (!chunk)
    return NULL;
  CpuChunk **tail = &worker->chunks;
  while (*tail)
    tail = &(*tail)->next;
  *tail = chunk;
  return chunk;
}

static void *service_frame_alloc(HdCpuBlock *block, uint64_t size_bytes) {
  CpuWorker *worker = cpu_worker_of(block);
  uint64_t rounded = bits_align_up(size_bytes, FRAME_ALIGN);
  CpuChunk *chunk = chunk_with_room(worker, rounded);
  if (!chunk) {
    char text[160];
    snprintf(text, sizeof text,
             "out of memory: %" PRIu64 " bytes for the threads of one warp",
             size_bytes);
    cpu_run_fail(worker->run, HD_ERROR_MEMORY, text);
    longjmp(worker->escape, 1);
  }
  worker->current = chunk;
  void *memory = chunk->data + chunk->used_bytes;
  chunk->used_bytes += rounded;
  return memory;
}

void cpu_memory_failed(CpuWorker *worker, const char *what) {
  char text[160];
  snprintf(text, sizeof text, "out of memory for %s", what);
  cpu_run_fail(worker->run, HD_ERROR_MEMORY, text);
  longjmp(worker->escape, 1);
}

static void stop_at(HdCpuBlock *block, uint32_t loc, int32_t thread,
                    const char *what) __attribute__((noreturn));

static void stop_at(HdCpuBlock *block, uint32_t loc, int32_t thread,
                    const char *what) {
  CpuWorker *worker = cpu_worker_of(block);
  const HdCpuKernel *kernel = worker->run->kernel;
  int32_t index[3];
  cpu_block_index(block->launch->grid, block->linear, index);
  char message[2048];
  rt_fault_text(message, sizeof message,
                kernel->locs[loc < kernel->n_locs ? loc : 0], what,
                kernel->name, index, thread, kernel->block_dim);
  cpu_run_fail(worker->run, HD_ERROR_TRAP, message);
  longjmp(worker->escape, 1);
}

static void service_trap(HdCpuBlock *block, uint32_t loc, int32_t thread,
                         const char *text) {
  char what[1024] = "trap()";
  if (text)
    rt_assert_text(what, sizeof what, text, NULL, 0);
  stop_at(block, loc, thread, what);
}

void cpu_fault(HdCpuBlock *block, uint32_t loc, int32_t thread,
               const char *text) {
  char what[1024];
  snprintf(what, sizeof what, "%s,", text);
  stop_at(block, loc, thread, what);
}

static void service_fault(HdCpuBlock *block, uint32_t loc, int32_t thread,
                          const char *text) {
  cpu_fault(block, loc, thread, text);
}

static void service_outside(HdCpuBlock *block, uint32_t loc, int32_t thread,
                            const char *where, int32_t is_element,
                            int64_t first, int64_t count, int64_t extent) {
  char text[512];
  if (is_element)
    snprintf(text, sizeof text,
             "error[HD0702]: element %" PRId64
             " is outside of %s, which has %" PRId64 " element%s",
             first, where, extent, text_plural(extent));
  else
    snprintf(text, sizeof text,
             "error[HD0702]: a view of %" PRId64 " element%s from %" PRId64
             " is outside of %s, which has %" PRId64,
             count, text_plural(count), first, where, extent);
  cpu_fault(block, loc, thread, text);
}

static void service_trap_element(HdCpuBlock *block, uint32_t loc,
                                 int32_t thread, const char *text,
                                 const int32_t *index, uint32_t n_index) {
  char what[1024];
  rt_assert_text(what, sizeof what, text, index,
                 n_index < HD_CPU_MAX_RANK ? n_index : HD_CPU_MAX_RANK);
  stop_at(block, loc, thread, what);
}

// The formats are assembled from parts that read_spec has validated, which the
// compiler cannot see.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

// One conversion of a format: `spec` is "%-8.3" without length and letter.
static int print_one(char *out, size_t size, const char *spec, char letter,
                     uint64_t bits) {
  char format[48];
  if (strchr("di", letter)) {
    snprintf(format, sizeof format, "%s%s", spec, PRId64);
    return snprintf(out, size, format, (int64_t)bits);
  }
  if (strchr("uxXo", letter)) {
    snprintf(format, sizeof format, "%sl%c", spec, letter);
    return snprintf(out, size, format, bits);
  }
  if (letter == 'c') {
    snprintf(format, sizeof format, "%sc", spec);
    return snprintf(out, size, format, (int)(unsigned char)bits);
  }
  if (letter == 's') {
    const char *text = (const char *)(uintptr_t)bits;
    snprintf(format, sizeof format, "%ss", spec);
    return snprintf(out, size, format, text ? text : "(null)");
  }
  if (letter == 'p') {
    snprintf(format, sizeof format, "%sp", spec);
    return snprintf(out, size, format, (void *)(uintptr_t)bits);
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  snprintf(format, sizeof format, "%s%c", spec, letter);
  return snprintf(out, size, format, value);
}

#pragma GCC diagnostic pop

typedef struct {
  const uint64_t *values;
  uint32_t next, count;
} PrintArgs;

// The width or precision that an argument gives; a negative precision is none.
static size_t cpu_services_put_star(char *spec, size_t n, size_t size,
                                    PrintArgs *args) {
  int value =
      args->next < args->count ? (int)(int64_t)args->values[args->next++] : 0;
  if (spec[n - 1] == '.' && value < 0)
    return n - 1;
  int length = snprintf(spec + n, size - n, "%d", value);
  return length > 0 && (size_t)length < size - n ? n + (size_t)length : n;
}

typedef struct {
  char text[40]; // "%-8.3", without length and letter
  int n_h;       // of the length modifier
} Spec;

// Reads flags, width and precision of the conversion at `p` (after '%'), skips
// the length, and returns where its letter stands.
static const char *read_spec(const char *p, Spec *spec, PrintArgs *args) {
  size_t n = 0;
  spec->text[n++] = '%';
  for (; *p && strchr("-+ #0123456789.*", *p); p++) {
    if (*p == '*')
      n = cpu_services_put_star(spec->text, n, sizeof spec->text, args);
    else if (n + 1 < sizeof spec->text)
      spec->text[n++] = *p;
  }
  spec->text[n] = 0;
  spec->n_h = 0;
  for (; *p && strchr("hlqjztL", *p); p++)
    spec->n_h += *p == 'h';
  return p;
}

// What h and hh leave of an int.
static uint64_t cpu_services_narrowed(const Spec *spec, char letter,
                                      uint64_t bits) {
  bool is_signed = letter == 'd' || letter == 'i';
  if (spec->n_h == 0)
    return bits;
  if (spec->n_h == 1)
    return is_signed ? (uint64_t)(int16_t)bits : (uint16_t)bits;
  return is_signed ? (uint64_t)(int8_t)bits : (uint8_t)bits;
}

// Output that grows: printf of one thread becomes one write.
typedef struct {
  char *data;
  size_t length, capacity;
  char fixed[512];
} Line;

static bool line_reserve(Line *line, size_t extra) {
  if (line->length + extra <= line->capacity)
    return true;
  size_t capacity = (line->length + extra) * 2;
  char *data = malloc(capacity);
  if (!data)
    return false;
  memcpy(data, line->data, line->length);
  if (line->data != line->fixed)
    free(line->data);
  line->data = data;
  line->capacity = capacity;
  return true;
}

static void line_add(Line *line, const char *text, size_t length) {
  if (!line_reserve(line, length))
    return;
  memcpy(line->data + line->length, text, length);
  line->length += length;
}

static void line_add_value(Line *line, const char *spec, char letter,
                           uint64_t bits) {
  char none;
  int length = print_one(&none, 1, spec, letter, bits);
  if (length < 0 || !line_reserve(line, (size_t)length + 1))
    return;
  print_one(line->data + line->length, (size_t)length + 1, spec, letter, bits);
  line->length += (size_t)length;
}

// The worker's text becomes longer; false: it can't.
static bool line_keep(CpuWorker *worker, const Line *line) {
  size_t length = worker->n_printed + line->length;
  if (length > worker->printed_capacity) {
    char *data = realloc(worker->printed, length * 2);
    if (!data)
      return false;
    worker->printed = data;
    worker->printed_capacity = length * 2;
  }
  memcpy(worker->printed + worker->n_printed, line->data, line->length);
  worker->n_printed = length;
  return true;
}

// What doesn't fit into memory is written in several pieces.
static void line_write(CpuWorker *worker, const Line *line, bool has_more) {
  bool is_alone = !has_more && worker->n_printed == 0;
  bool is_kept = !is_alone && line_keep(worker, line);
  if (is_kept && has_more)
    return;
  if (worker->n_printed > 0)
    fwrite(worker->printed, 1, worker->n_printed, stdout);
  worker->n_printed = 0;
  if (!is_kept)
    fwrite(line->data, 1, line->length, stdout);
}

static void service_print(HdCpuBlock *block, const char *format,
                          const uint64_t *args, uint32_t n_args) {
  Line line = {.capacity = sizeof line.fixed};
  line.data = line.fixed;
  PrintArgs given = {.values = args, .count = n_args & ~HD_CPU_PRINT_MORE};
  for (const char *p = format; *p;) {
    const char *percent = strchr(p, '%');
    if (!percent) {
      line_add(&line, p, strlen(p));
      break;
    }
    line_add(&line, p, (size_t)(percent - p));
    Spec spec;
    p = read_spec(percent + 1, &spec, &given);
    if (*p == '%')
      line_add(&line, "%", 1);
    else if (*p && given.next < given.count)
      line_add_value(&line, spec.text, *p,
                     cpu_services_narrowed(&spec, *p, args[given.next++]));
    p += *p != 0;
  }
  line_write(block->worker, &line, n_args & HD_CPU_PRINT_MORE);
  if (line.data != line.fixed)
    free(line.data);
}

// With checks a phase may end between two lanes, of which the second then
// arrives in the next one. Those that arrive in one phase are told together.
static void service_mbar_arrive(HdCpuBlock *block, HdCpuMbarrier *barrier,
                                int32_t count, int32_t drops, uint32_t lanes,
                                int32_t thread, uint32_t loc, int32_t *tokens) {
  int64_t all = (int64_t)__builtin_popcount(lanes) * count;
  bool is_one_phase = count > 0 && all <= barrier->pending;
  if (!block->check || is_one_phase) {
    if (block->check && lanes)
      cpu_check_mbar_arrive(block, barrier, lanes, thread);
    cpu_mbar_arrive(block, barrier, count, drops, lanes, thread, loc, tokens);
    return;
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = left & (0 - left);
    cpu_check_mbar_arrive(block, barrier, lane, thread);
    cpu_mbar_arrive(block, barrier, count, drops, lane, thread, loc, tokens);
  }
}

static int64_t service_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

const HdCpuServices cpu_services = {
    .frame_alloc = service_frame_alloc,
    .trap = service_trap,
    .trap_element = service_trap_element,
    .print = service_print,
    .check_same = cpu_check_same,
    .check_row = cpu_check_row,
    .check_rows = cpu_check_rows,
    .check_lanes = cpu_check_lanes,
    .check_turns = cpu_check_turns,
    .check_stored = cpu_check_stored,
    .check_outside = cpu_check_outside,
    .check_block_sync = cpu_check_block_sync,
    .check_arrive = cpu_check_arrive,
    .check_parts = cpu_check_parts,
    .check_meet = cpu_check_meet,
    .check_meet_parts = cpu_check_meet_parts,
    .check_fence = cpu_check_fence,
    .check_row_arrive = cpu_check_row_arrive,
    .check_row_wait = cpu_check_row_wait,
    .check_parts_arrive = cpu_check_parts_arrive,
    .check_parts_wait = cpu_check_parts_wait,
    .check_wide_half = cpu_check_wide_half,
    .check_waiting = cpu_check_waiting,
    .check_waited = cpu_check_waited,
    .check_value = cpu_check_value,
    .check_overflow = cpu_check_overflow,
    .check_claim = cpu_check_claim,
    .check_clause = cpu_check_clause,
    .fault = service_fault,
    .outside = service_outside,
    .reach_same = cpu_reach_same,
    .reach_lanes = cpu_reach_lanes,
    .mbar_arrive = service_mbar_arrive,
    .mbar_expect = cpu_mbar_expect,
    .mbar_poll = cpu_mbar_poll,
    .mbar_remote = cpu_mbar_remote,
    .copy = cpu_copy,
    .copy_commit = cpu_copy_commit,
    .copy_wait = cpu_copy_wait,
    .wide_arrive = cpu_wide_arrive,
    .nanoseconds = service_nanoseconds,
};
