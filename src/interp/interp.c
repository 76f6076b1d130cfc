// SPDX-License-Identifier: Apache-2.0
// A launch from beginning to end: gangs of blocks in increasing order, the
// threads of a gang in turn.
#include "interp/interp.h"
#include "base/bits.h"
#include "base/panic.h"
#include "base/rescue.h"
#include "interp/tile.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Rounds in which every thread only polled memory and nothing was written:
// after these it is a deadlock.
enum { STUCK_ROUNDS = 200 };

// Tells an observer; true if it wants to go on.
static bool interp_tell(Machine *m, const Thread *t, const IrNode *node,
                        const Fault *fault) {
  const InterpObserver *observer = m->observer;
  if (!observer || !observer->fault)
    return false;
  ObservedThread thread = machine_observed(m, t);
  FaultKind kind = fault_kind(fault->code);
  bool may_go_on = kind == FAULT_BOUNDS || kind == FAULT_ALIGNMENT ||
                   kind == FAULT_ASSERT || kind == FAULT_VALUE;
  return observer->fault(observer->context, fault, &thread, node) && may_go_on;
}

static void end_with(Machine *m, const Thread *t, const IrNode *node,
                     HdStatus status, const char *what) {
  const IrKernel *kernel = m->launch->kernel;
  Text out = {.arena = m->arena};
  text_printf(&out, "%s in kernel '%s'", what, kernel->name);
  if (node)
    text_printf(&out, " at %s",
                ir_loc_text(kernel->module, node->loc, m->arena));
  const int32_t *block = t->block->index;
  text_printf(&out, ", block (%d, %d, %d), thread %u", (int)block[0],
              (int)block[1], (int)block[2], t->rank);
  m->status = status;
  m->why = text_cstr(&out);
}

bool machine_fault(Machine *m, const Thread *t, const IrNode *node,
                   HdStatus status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(m->arena, format, args);
  va_end(args);
  (void)interp_tell(m, t, node, &(Fault){FAULT_CODE_ANY, {.name = what}});
  end_with(m, t, node, status, what);
  return false;
}

bool machine_trap(Machine *m, const Thread *t, const IrNode *node,
                  FaultCode code, const FaultArgs *args) {
  Fault fault = {code, *args};
  FaultKind kind = fault_kind(code);
  if (interp_tell(m, t, node, &fault))
    return true;
  bool is_deadlock = kind == FAULT_PLACES || kind == FAULT_LIMIT;
  end_with(m, t, node, is_deadlock ? HD_ERROR_DEADLOCK : HD_ERROR_TRAP,
           fault_text(m->arena, m->launch->kernel->module, &fault));
  return false;
}

// ----------------------------------------------------------------- memory
// From malloc, zeroed lazily: frames of many threads may be large.

static const uint64_t max_frame_bytes = UINT64_C(1) << 33;

static void *interp_allocate(uint64_t count, uint64_t size) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > max_frame_bytes)
    return NULL;
  return calloc(bytes ? bytes : 1, 1);
}

typedef struct {
  uint64_t *frames;
  TileValue **tiles;
  GroupContext *contexts;
  char *locals, *shared, *aligned_shared, *aligned_locals;
  uint64_t local_step;  // bytes of one thread
  uint64_t shared_step; // bytes of one block
} Memory;

enum { ALIGN = 4096 };

static char *interp_align_up(char *address) {
  uintptr_t at = (uintptr_t)address;
  return address + (bits_align_up(at, ALIGN) - at);
}

static void memory_free(Machine *m, Memory *memory) {
  tile_release_all(m);
  free(memory->frames);
  free(memory->tiles);
  free(memory->contexts);
  free(memory->locals);
  free(memory->shared);
  free(m->threads);
  free(m->blocks);
  free(m->mbarriers);
  free(m->shared_set);
  free(m->locals_set);
}

static uint64_t interp_rounded(uint64_t bytes) {
  return bits_align_up(bytes, ALIGN);
}

static bool asks_what_is_set(const Program *program) {
  for (uint32_t i = 0; i < program->code.count; i++)
    if (program->code.data[i].op == IR_WAS_SET)
      return true;
  return false;
}

// Where only some threads run, what the others would write isn't known.
static bool marks_new(Machine *m, const Memory *memory) {
  m->all_shared = memory->aligned_shared;
  m->all_shared_bytes = m->launch->n_blocks * memory->shared_step;
  m->all_locals = memory->aligned_locals;
  m->all_local_bytes = m->n_threads * memory->local_step;
  if (!asks_what_is_set(m->program))
    return true;
  if (m->launch->given->n_threads == 0)
    m->shared_set = interp_allocate(m->all_shared_bytes, 1);
  m->locals_set = interp_allocate(m->all_local_bytes, 1);
  return m->locals_set && (m->shared_set || m->launch->given->n_threads);
}

static bool interp_memory_new(Machine *m, Memory *memory) {
  const Launch *launch = m->launch;
  uint64_t n = m->n_threads, n_blocks = launch->n_blocks;
  uint64_t step = bits_align_up(launch->local_bytes, 64);
  if (launch->local_bytes) // alignment of each thread's part
    step = interp_rounded(step);
  memory->local_step = step;
  memory->shared_step = interp_rounded(launch->shared_bytes);
  memory->frames =
      interp_allocate(n * m->program->frame_slots, sizeof(uint64_t));
  memory->tiles = interp_allocate(n * m->program->n_tiles, sizeof(TileValue *));
  memory->contexts =
      interp_allocate(n * launch->kernel->groups.count, sizeof(GroupContext));
  memory->locals = interp_allocate(n * step + ALIGN, 1);
  memory->shared = interp_allocate(n_blocks * memory->shared_step + ALIGN, 1);
  m->threads = interp_allocate(n, sizeof(Thread));
  m->blocks = interp_allocate(n_blocks, sizeof(Block));
  m->mbarriers =
      interp_allocate(n_blocks * launch->n_mbarriers, sizeof(Mbarrier));
  if (!memory->frames || !memory->tiles || !memory->contexts ||
      !memory->locals || !memory->shared || !m->threads || !m->blocks ||
      !m->mbarriers)
    return false;
  memory->aligned_shared = interp_align_up(memory->shared);
  memory->aligned_locals = interp_align_up(memory->locals);
  return marks_new(m, memory);
}

// ------------------------------------------------------------------ gangs

static void start_mbarriers(const Machine *m, Block *block) {
  const IrKernel *kernel = m->launch->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const ObjectPlace *place = &m->launch->objects[i];
    const IrObject *object = place->object;
    if (object->kind != OBJECT_MBARRIER)
      continue;
    uint64_t count = place->size_bytes * place->n_instances;
    for (uint64_t k = 0; k < count; k++)
      block->mbarriers[place->first_mbarrier + k] =
          (Mbarrier){.object = object,
                     .element = (uint32_t)(k % place->size_bytes),
                     .count = object->arrivals,
                     .pending = object->arrivals};
  }
}

// Tells an observer of the arrays of one home: those of the launch, or those
// that `block` has its own instances of.
static void tell_memory(const Machine *m, const ObjectPlace *place,
                        const Block *block) {
  const InterpObserver *observer = m->observer;
  ObservedMemory memory = {.object = place->object,
                           .size_bytes = place->size_bytes,
                           .block = block ? block->told : -1};
  if (place->has_extents) {
    memory.extents = place->extents;
    memory.strides = place->strides;
  }
  uint64_t step = place_step(place);
  for (uint32_t i = 0; i < (block ? place->n_instances : 1); i++) {
    const char *base = block ? block->shared + place->offset : place->base;
    memory.address = (uint64_t)(uintptr_t)base + i * step;
    observer->memory(observer->context, &memory);
  }
}

static void tell_memories(const Machine *m, const Block *block) {
  const Launch *launch = m->launch;
  const IrModule *module = launch->kernel->module;
  Home home = block ? HOME_SHARED : HOME_FIXED;
  if (!m->observer || !m->observer->memory)
    return;
  for (uint32_t i = 0; i < launch->kernel->objects.count; i++)
    if (launch->objects[i].home == home &&
        launch->objects[i].object->kind == OBJECT_ARRAY)
      tell_memory(m, &launch->objects[i], block);
  for (uint32_t i = 0; i < module->globals.count && !block; i++)
    if (launch->globals[i].home == home)
      tell_memory(m, &launch->globals[i], block);
}

static bool is_run(const InterpLaunch *given, uint32_t rank) {
  for (uint32_t i = 0; i < given->n_threads; i++)
    if (given->threads[i] == rank)
      return true;
  return given->n_threads == 0;
}

// Variables, private and shared memory start as zeros in every block, so that
// reading what was never written gives the same each time. For the first gang
// they are as calloc gave them.
static void clear_block(Machine *m, const Block *block) {
  const Launch *launch = m->launch;
  memset(block->shared, 0, launch->shared_bytes);
  machine_note_set(m, block->shared, launch->shared_bytes, false);
}

static void clear_thread(Machine *m, const Thread *t) {
  const Launch *launch = m->launch;
  memset(t->frame, 0, m->program->frame_slots * sizeof *t->frame);
  memset(t->groups, 0, launch->kernel->groups.count * sizeof *t->groups);
  memset(t->locals, 0, launch->local_bytes);
  machine_note_set(m, t->locals, launch->local_bytes, false);
}

static void start_block(Machine *m, const Memory *memory, uint32_t number) {
  const Launch *launch = m->launch;
  Block *block = &m->blocks[number];
  uint32_t frame_slots = m->program->frame_slots;
  uint32_t n_groups = launch->kernel->groups.count;
  uint32_t n_tiles = m->program->n_tiles;
  if (m->has_run)
    clear_block(m, block);
  start_mbarriers(m, block);
  tell_memories(m, block);
  for (uint32_t i = 0; i < launch->n_threads; i++) {
    uint64_t at = (uint64_t)number * launch->n_threads + i;
    Thread *t = &m->threads[at];
    *t = (Thread){.rank = i, .block = block};
    if (!is_run(launch->given, i))
      t->state = THREAD_DONE;
    t->frame = memory->frames + at * frame_slots;
    t->tiles = memory->tiles + at * n_tiles;
    tile_drop(m, t, 0, n_tiles);
    t->groups = memory->contexts + at * n_groups;
    t->locals = memory->aligned_locals + at * memory->local_step;
    if (m->has_run)
      clear_thread(m, t);
  }
}

// Number `rank` of the blocks of a cluster that begins at `first`.
static void place_block(const Machine *m, Block *block, const int32_t *first,
                        uint32_t rank) {
  const int32_t *dim = m->launch->cluster, *grid = m->launch->grid;
  uint32_t rest = rank;
  block->in_cluster = rank;
  for (int i = 0; i < 3; i++) {
    block->index[i] = first[i] + (int32_t)(rest % (uint32_t)dim[i]);
    rest /= (uint32_t)dim[i];
  }
  block->linear =
      ((int64_t)block->index[2] * grid[1] + block->index[1]) * grid[0] +
      block->index[0];
  block->told = block->linear;
}

static bool may_go_on(Machine *m, Thread *t) {
  if (t->state != THREAD_WAITS)
    return true;
  switch (t->wait) {
  case WAIT_MEETING: return false; // the last one to come wakes it
  case WAIT_MBARRIER: return mbarrier_is_done(m, t);
  case WAIT_SEMAPHORE: return machine_semaphore_is_open(m, t);
  case WAIT_COALESCED: return group_coalesced_poll(m, t);
  }
  return false;
}

typedef struct {
  uint32_t n_ran, n_live;
  bool is_moving; // somebody did more than poll
} Round;

static bool run_thread(Machine *m, Thread *t, Round *round) {
  if (t->state == THREAD_DONE)
    return true;
  round->n_live++;
  if (!may_go_on(m, t))
    return m->status == HD_OK;
  if (!machine_run_slice(m, t))
    return false;
  round->n_ran++;
  round->is_moving |= t->state != THREAD_READY || !t->did_poll;
  return true;
}

// In order, or from a random thread on with a random odd stride, which meets
// every thread of a number that is rounded up to a power of two once.
static bool interp_run_round(Machine *m, Round *round) {
  uint64_t writes = m->n_writes;
  uint32_t n = m->n_threads, start = 0, stride = 1;
  *round = (Round){0};
  uint32_t room = UINT32_C(1) << bits_log2_up(n);
  if (m->random) {
    start = machine_random(m, room);
    stride = machine_random(m, room) | 1;
    if (!copy_land_some(m))
      return false;
  }
  for (uint32_t i = 0; i < room; i++) {
    uint32_t at = (start + i * stride) & (room - 1);
    if (at < n && !run_thread(m, &m->threads[at], round))
      return false;
  }
  round->is_moving |= m->n_writes != writes;
  return true;
}

static bool run_threads(Machine *m) {
  int n_stuck = 0;
  for (;;) {
    Round round;
    if (!interp_run_round(m, &round))
      return false;
    if (round.n_live == 0)
      return copy_land_all(m);
    n_stuck = round.is_moving ? 0 : n_stuck + 1;
    if ((round.n_ran == 0 && !round.is_moving) || n_stuck > STUCK_ROUNDS) {
      machine_report_deadlock(m);
      return false;
    }
  }
}

static void forget_gang(Machine *m) {
  if (m->gang_arena)
    arena_free(m->gang_arena);
  m->gang_arena = NULL;
  m->observed_room = 0;
  memset(&m->meetings, 0, sizeof m->meetings);
  memset(&m->free_meetings, 0, sizeof m->free_meetings);
  memset(&m->open_meetings, 0, sizeof m->open_meetings);
  memset(&m->pending, 0, sizeof m->pending);
  memset(&m->free_copies, 0, sizeof m->free_copies);
}

ObservedMbarrier machine_observed_mbarrier(const Machine *m,
                                           const Mbarrier *barrier) {
  return (ObservedMbarrier){.object = barrier->object,
                            .number = (uint32_t)(barrier - m->mbarriers),
                            .element = barrier->element,
                            .bytes = barrier->bytes,
                            .phase = barrier->phase,
                            .arrived = barrier->count - barrier->pending,
                            .count = barrier->count,
                            .last = barrier->last};
}

static void tell_end(const Machine *m, bool is_good) {
  const InterpObserver *observer = m->observer;
  uint32_t count = m->launch->n_blocks * m->launch->n_mbarriers;
  if (!observer)
    return;
  for (uint32_t i = 0; i < count && is_good && observer->mbarrier_end; i++) {
    ObservedMbarrier told = machine_observed_mbarrier(m, &m->mbarriers[i]);
    observer->mbarrier_end(observer->context, &told);
  }
  if (observer->gang_end)
    observer->gang_end(observer->context);
}

// Runs the blocks of the gang whose indices are set.
static bool run_gang(Machine *m, const Memory *memory) {
  m->gang_arena = arena_new();
  for (uint32_t i = 0; i < m->launch->n_blocks; i++)
    start_block(m, memory, i);
  m->has_run = true;
  bool is_good = run_threads(m);
  tell_end(m, is_good);
  forget_gang(m);
  return is_good;
}

// Blocks lie in the order of their clusters. A gang that is the whole grid has
// them in the order of the grid instead, if clusters are one block.
static void run_grid(Machine *m, const Memory *memory) {
  const int32_t *grid = m->launch->grid, *dim = m->launch->cluster;
  uint32_t in_cluster = (uint32_t)(dim[0] * dim[1] * dim[2]);
  uint32_t n_placed = 0;
  int32_t at[3];
  for (at[2] = 0; at[2] < grid[2]; at[2] += dim[2])
    for (at[1] = 0; at[1] < grid[1]; at[1] += dim[1])
      for (at[0] = 0; at[0] < grid[0]; at[0] += dim[0]) {
        for (uint32_t i = 0; i < in_cluster; i++)
          place_block(m, &m->blocks[n_placed + i], at, i);
        n_placed += in_cluster;
        if (n_placed < m->launch->n_blocks)
          continue;
        n_placed = 0;
        if (!run_gang(m, memory))
          return;
      }
}

static void run_some(Machine *m, const Memory *memory) {
  const InterpLaunch *given = m->launch->given;
  const int32_t *grid = m->launch->grid;
  for (uint32_t i = 0; i < given->n_blocks; i++) {
    int64_t rest = given->blocks[i];
    int32_t at[3];
    for (int k = 0; k < 3; k++) {
      at[k] = (int32_t)(rest % grid[k]);
      rest /= grid[k];
    }
    place_block(m, &m->blocks[0], at, 0);
    m->blocks[0].told = i;
    if (!run_gang(m, memory))
      return;
  }
}

static void place_gang(Machine *m, const Memory *memory) {
  const Launch *launch = m->launch;
  for (uint32_t i = 0; i < launch->n_blocks; i++) {
    m->blocks[i].shared = memory->aligned_shared + i * memory->shared_step;
    m->blocks[i].mbarriers = m->mbarriers + (size_t)i * launch->n_mbarriers;
  }
}

typedef struct {
  Machine *machine;
  Memory *memory;
} Owned;

static void free_owned(void *what) {
  Owned *owned = what;
  memory_free(owned->machine, owned->memory);
}

static HdStatus run_launch(Arena *arena, const Launch *launch,
                           const Program *program, const char **why) {
  Machine machine = {.arena = arena,
                     .launch = launch,
                     .program = program,
                     .observer = launch->given->observer};
  Memory memory = {0};
  machine.n_threads = launch->n_blocks * launch->n_threads;
  machine.random =
      launch->given->seed ? machine_mix(launch->given->seed, 1) | 1 : 0;
  Owned owned = {&machine, &memory};
  rescue_owe(free_owned, &owned);
  if (interp_memory_new(&machine, &memory)) {
    place_gang(&machine, &memory);
    tell_memories(&machine, NULL);
    if (launch->given->blocks)
      run_some(&machine, &memory);
    else
      run_grid(&machine, &memory);
  } else {
    machine.status = HD_ERROR_MEMORY;
    machine.why = "no memory for the threads of a block";
  }
  rescue_paid(&owned);
  memory_free(&machine, &memory);
  if (launch->given->n_steps)
    *launch->given->n_steps = machine.n_steps;
  *why = machine.why;
  return machine.status;
}

HdStatus interp_run(Arena *arena, const IrKernel *kernel,
                    const InterpLaunch *given, const char **why) {
  HD_ASSERT(kernel->level <= LEVEL_THREAD);
  HD_ASSERT((given->args || kernel->n_slots == 0) &&
            (given->blocks || given->n_blocks == 0) &&
            (given->threads || given->n_threads == 0));
  *why = NULL;
  Launch launch = {.arena = arena, .kernel = kernel, .given = given};
  HdStatus status = launch_setup(&launch);
  if (status != HD_OK) {
    *why = launch.why;
    return status;
  }
  Program program;
  HD_TRY(program_build(arena, kernel, &launch, &program, why));
  return run_launch(arena, &launch, &program, why);
}
