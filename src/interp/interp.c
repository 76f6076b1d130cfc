// SPDX-License-Identifier: Apache-2.0
// A launch from beginning to end: blocks in increasing order, the threads of a
// block in turn.
#include "interp/interp.h"
#include "interp/machine.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Rounds in which every thread only polled memory and nothing was written:
// after these it is a deadlock.
enum { STUCK_ROUNDS = 200 };

bool machine_fault(Machine *m, const Thread *t, const IrNode *node,
                   HdStatus status, const char *format, ...) {
  const IrKernel *kernel = m->launch->kernel;
  Text out = {.arena = m->arena};
  va_list args;
  va_start(args, format);
  text_vprintf(&out, format, args);
  va_end(args);
  text_printf(&out, " in kernel '%s'", kernel->name);
  if (node)
    text_printf(&out, " at %s",
                ir_loc_text(kernel->module, node->loc, m->arena));
  text_printf(&out, ", block (%d, %d, %d), thread %u", (int)m->block[0],
              (int)m->block[1], (int)m->block[2], t->rank);
  m->status = status;
  m->why = text_cstr(&out);
  return false;
}

// ----------------------------------------------------------------- memory
// From malloc, zeroed lazily: frames of many threads may be large.

static const uint64_t max_frame_bytes = UINT64_C(1) << 33;

static void *allocate(uint64_t count, uint64_t size) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > max_frame_bytes)
    return NULL;
  return calloc(bytes ? bytes : 1, 1);
}

typedef struct {
  uint64_t *frames;
  GroupContext *contexts;
  char *locals, *shared, *aligned_shared, *aligned_locals;
  uint64_t local_step; // bytes of one thread
} Memory;

enum { ALIGN = 4096 };

static char *align_up(char *address) {
  return address + (ALIGN - (uintptr_t)address % ALIGN) % ALIGN;
}

static void memory_free(Machine *m, Memory *memory) {
  free(memory->frames);
  free(memory->contexts);
  free(memory->locals);
  free(memory->shared);
  free(m->threads);
  free(m->barriers);
}

static bool memory_new(Machine *m, Memory *memory) {
  const Launch *launch = m->launch;
  uint64_t n = launch->n_threads, step = (launch->local_bytes + 63) / 64 * 64;
  if (launch->local_bytes && step % ALIGN) // alignment of each thread's part
    step += ALIGN - step % ALIGN;
  memory->local_step = step;
  memory->frames = allocate(n * m->program->frame_slots, sizeof(uint64_t));
  memory->contexts =
      allocate(n * launch->kernel->groups.count, sizeof(GroupContext));
  memory->locals = allocate(n * step + ALIGN, 1);
  memory->shared = allocate(launch->shared_bytes + ALIGN, 1);
  m->threads = allocate(n, sizeof(Thread));
  m->barriers = allocate(launch->n_barriers, sizeof(Barrier));
  if (!memory->frames || !memory->contexts || !memory->locals ||
      !memory->shared || !m->threads || !m->barriers)
    return false;
  memory->aligned_shared = align_up(memory->shared);
  memory->aligned_locals = align_up(memory->locals);
  m->shared = memory->aligned_shared;
  return true;
}

// ----------------------------------------------------------------- blocks

// Variables, private and shared memory start as zeros in every block, so that
// reading what was never written gives the same each time.
static void start_block(Machine *m, const Memory *memory) {
  const Launch *launch = m->launch;
  uint32_t frame_slots = m->program->frame_slots;
  uint32_t n_groups = launch->kernel->groups.count;
  memset(m->shared, 0, launch->shared_bytes);
  memset(m->barriers, 0, launch->n_barriers * sizeof *m->barriers);
  for (uint32_t i = 0; i < launch->n_threads; i++) {
    Thread *t = &m->threads[i];
    *t = (Thread){.rank = i};
    t->frame = memory->frames + (uint64_t)i * frame_slots;
    t->groups = memory->contexts + (uint64_t)i * n_groups;
    t->locals = memory->aligned_locals + i * memory->local_step;
    memset(t->frame, 0, frame_slots * sizeof *t->frame);
    memset(t->locals, 0, launch->local_bytes);
    group_start(m, t);
  }
}

typedef struct {
  uint32_t n_ran, n_live;
  bool is_moving; // somebody did more than poll
} Round;

static bool still_waits(const Thread *t) {
  return t->state == THREAD_WAITS && t->barrier->generation == t->generation;
}

static bool run_round(Machine *m, Round *round) {
  uint64_t writes = m->n_writes;
  *round = (Round){0};
  for (uint32_t i = 0; i < m->launch->n_threads; i++) {
    Thread *t = &m->threads[i];
    if (t->state == THREAD_DONE)
      continue;
    round->n_live++;
    if (still_waits(t))
      continue;
    if (!machine_run_slice(m, t))
      return false;
    round->n_ran++;
    round->is_moving |= t->state != THREAD_READY || !t->did_poll;
  }
  round->is_moving |= m->n_writes != writes;
  return true;
}

static bool run_block(Machine *m, const Memory *memory) {
  start_block(m, memory);
  int n_stuck = 0;
  for (;;) {
    Round round;
    if (!run_round(m, &round))
      return false;
    if (round.n_live == 0)
      return true;
    n_stuck = round.is_moving ? 0 : n_stuck + 1;
    if (round.n_ran == 0 || n_stuck > STUCK_ROUNDS) {
      machine_report_deadlock(m);
      return false;
    }
  }
}

static void run_grid(Machine *m, const Memory *memory) {
  const int32_t *grid = m->launch->grid;
  for (m->block[2] = 0; m->block[2] < grid[2]; m->block[2]++)
    for (m->block[1] = 0; m->block[1] < grid[1]; m->block[1]++)
      for (m->block[0] = 0; m->block[0] < grid[0]; m->block[0]++) {
        if (!run_block(m, memory))
          return;
        m->block_linear++;
      }
}

static HdStatus run(Arena *arena, const Launch *launch, const Program *program,
                    const char **why) {
  Machine machine = {.arena = arena, .launch = launch, .program = program};
  Memory memory = {0};
  if (memory_new(&machine, &memory)) {
    run_grid(&machine, &memory);
  } else {
    machine.status = HD_ERROR_MEMORY;
    machine.why = "no memory for the threads of a block";
  }
  memory_free(&machine, &memory);
  *why = machine.why;
  return machine.status;
}

HdStatus interp_run(Arena *arena, const IrKernel *kernel,
                    const InterpLaunch *given, const char **why) {
  *why = NULL;
  Launch launch = {.arena = arena, .kernel = kernel, .given = given};
  HdStatus status = launch_setup(&launch);
  if (status != HD_OK) {
    *why = launch.why;
    return status;
  }
  Program program;
  HD_TRY(program_build(arena, kernel, &launch, &program, why));
  return run(arena, &launch, &program, why);
}
