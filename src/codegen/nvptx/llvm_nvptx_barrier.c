// SPDX-License-Identifier: Apache-2.0
// Barriers of groups: sync and its two halves, up to the cluster and the grid;
// what a kernel does before its first statement and behind its last.
//
// Every barrier is an intrinsic or inline code with unknown effects on memory,
// so that neither LLVM nor ptxas moves an access across it.
//
// Note [Barrier of the grid]
// One word for all blocks, which is never reset: each round adds exactly 2^31
// to it, of which block 0 adds what the others don't, so that its highest bit
// flips once all have arrived. With n blocks:
//
//   block 0 adds 2^31 - (n - 1), each other one 1     (release)
//   all wait until the highest bit differs from what the own addition saw
//                                                      (acquire)
//
// The driver gives cooperative launches such a word, whose address is in two of
// the registers for the environment, as cooperative groups of CUDA use it. With
// some hundred blocks it is faster than a word of our own (1.2 instead of 1.6
// us for 528 on an H200).
//
// Many blocks disturb each other's additions by looking at the word. Then they
// look at another one, in a line of its own, whose highest bit the last to
// arrive flips after it has set the count to 0.
//
// One thread does this between two barriers of its block; what the others did
// before is ordered by the first, what they do afterwards by the second.
#include "codegen/nvptx/llvm_nvptx_team.h"

#include <stddef.h>

#define HIGHEST_BIT ((int64_t)INT32_MIN)

static void sync_block(NvEmit *e) {
  LLVMValueRef id = nv_i32(e, 0);
  nv_intrinsic(e, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, 0, &id, 1);
}

static void sync_warp(NvEmit *e, LLVMValueRef mask) {
  nv_intrinsic(e, "llvm.nvvm.bar.warp.sync", NULL, 0, &mask, 1);
}

static void sync_named(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  LLVMValueRef id = nv_i32(e, row->barrier);
  if (row->n_instances > 1)
    id = LLVMBuildAdd(e->b, id, nv_group_instance(e, group), NV_NAME);
  LLVMValueRef args[2] = {id, nv_i32(e, row->n_threads)};
  if (row->n_threads == 0) { // parts of several sizes
    args[1] = LLVMBuildAdd(e->b, nv_group_size(e, group),
                           nv_i32(e, NV_WARP - 1), NV_NAME);
    args[1] = LLVMBuildAnd(e->b, args[1], nv_i32(e, -NV_WARP), NV_NAME);
  }
  nv_intrinsic(e, "llvm.nvvm.barrier.cta.sync.aligned.count", NULL, 0, args, 2);
}

// No access of the thread itself is moved either: it may be waited for by other
// means.
static void fence_compiler(NvEmit *e) {
  nv_asm(e, e->none, "", "", NULL, 0, true);
}

static void cluster_half(NvEmit *e, bool arrives) {
  nv_intrinsic(e,
               arrives ? "llvm.nvvm.barrier.cluster.arrive.aligned"
                       : "llvm.nvvm.barrier.cluster.wait.aligned",
               NULL, 0, NULL, 0);
}

static bool has_clusters(const NvEmit *e) {
  return e->sm >= 90;
}

static void sync_cluster(NvEmit *e) {
  if (!has_clusters(e)) {
    sync_block(e);
    return;
  }
  cluster_half(e, true);
  cluster_half(e, false);
}

// ----------------------------------------------- words: Note [Words of
// barriers]

static LLVMValueRef shared_at(NvEmit *e, uint64_t offset) {
  return nv_byte_offset(e, e->shared, (int64_t)offset);
}

static LLVMValueRef nvptx_barrier_smaller(NvEmit *e, LLVMValueRef v,
                                          uint32_t most) {
  LLVMValueRef args[2] = {v, nv_i32(e, most)};
  return nv_intrinsic(e, "llvm.umin", &e->i32, 1, args, 2);
}

// The logarithm of the next power of two.
static LLVMValueRef nvptx_barrier_level_of_size(NvEmit *e, LLVMValueRef size) {
  LLVMValueRef args[2] = {LLVMBuildSub(e->b, size, nv_i32(e, 1), NV_NAME),
                          LLVMConstInt(e->i1, 0, 0)};
  LLVMValueRef zeros = nv_intrinsic(e, "llvm.ctlz", &e->i32, 1, args, 2);
  return LLVMBuildSub(e->b, nv_i32(e, 32), zeros, NV_NAME);
}

// By the part's first thread and its size, if that varies.
static LLVMValueRef moving_word(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  uint32_t n_begins = row->n_words / row->word_sizes;
  LLVMValueRef rank = nv_group_rank(e, group);
  LLVMValueRef word = LLVMBuildSub(e->b, e->thread, rank, NV_NAME);
  word = LLVMBuildLShr(e->b, word, nv_i32(e, row->word_shift), NV_NAME);
  // A begin outside of the block is the program's mistake; the word stays ours.
  word = nvptx_barrier_smaller(e, word, n_begins - 1);
  if (row->word_sizes <= 1)
    return word;
  LLVMValueRef size = nv_group_size(e, group);
  LLVMValueRef level = nvptx_barrier_level_of_size(e, size);
  if (row->has_rest_words) {
    LLVMValueRef bits = nv_popcount(e, size);
    LLVMValueRef is_rest =
        LLVMBuildICmp(e->b, LLVMIntUGT, bits, nv_i32(e, 1), NV_NAME);
    level = LLVMBuildShl(e->b, level, nv_i32(e, 1), NV_NAME);
    level = LLVMBuildOr(e->b, level,
                        LLVMBuildZExt(e->b, is_rest, e->i32, NV_NAME), NV_NAME);
  }
  level = nvptx_barrier_smaller(e, level, row->word_sizes - 1);
  level = LLVMBuildMul(e->b, level, nv_i32(e, n_begins), NV_NAME);
  return LLVMBuildAdd(e->b, word, level, NV_NAME);
}

static LLVMValueRef nvptx_barrier_word_of(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  LLVMValueRef at = shared_at(e, row->word_offset);
  if (row->n_words <= 1)
    return at;
  LLVMValueRef offset =
      row->is_moving ? moving_word(e, group) : nv_group_instance(e, group);
  offset = LLVMBuildMul(e->b, offset, nv_i32(e, 8), NV_NAME);
  return LLVMBuildGEP2(e->b, e->i8, at, &offset, 1, NV_NAME);
}

static bool nvptx_barrier_is_counter(const NvEmit *e, const IrGroup *group) {
  return e->plan->groups[group->id].word_threads == 0;
}

static LLVMValueRef nvptx_barrier_add_shared(NvEmit *e, LLVMValueRef word,
                                             LLVMValueRef v) {
  LLVMValueRef args[2] = {nv_shared_u32(e, word), v};
  return nv_asm(e, e->i32, "atom.acq_rel.cta.shared.add.u32 $0, [$1], $2;",
                "=r,r,r", args, 2, true);
}

static LLVMValueRef generation(NvEmit *e, LLVMValueRef v) {
  return LLVMBuildLShr(e->b, v, nv_i32(e, 16), NV_NAME);
}

// Adds the thread to the counter: the generation before.
static LLVMValueRef counter_arrive(NvEmit *e, const IrGroup *group) {
  LLVMValueRef word = nvptx_barrier_word_of(e, group);
  LLVMValueRef size = nv_group_size(e, group);
  LLVMValueRef old = nvptx_barrier_add_shared(e, word, nv_i32(e, 1));
  LLVMValueRef count = LLVMBuildAnd(e->b, old, nv_i32(e, 0xffff), NV_NAME);
  count = LLVMBuildAdd(e->b, count, nv_i32(e, 1), NV_NAME);
  NvIf last = nv_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, count, size, NV_NAME));
  nvptx_barrier_add_shared(
      e, word, LLVMBuildSub(e->b, nv_i32(e, 0x10000), size, NV_NAME));
  nv_end_if(e, last);
  return generation(e, old);
}

static void counter_wait(NvEmit *e, const IrGroup *group, LLVMValueRef old) {
  LLVMValueRef word = nv_shared_u32(e, nvptx_barrier_word_of(e, group));
  NvSpin spin = nv_spin_begin(e);
  LLVMValueRef now = nv_asm(e, e->i32, "ld.acquire.cta.shared.u32 $0, [$1];",
                            "=r,r", &word, 1, true);
  nv_spin_end(e, &spin,
              LLVMBuildICmp(e->b, LLVMIntNE, generation(e, now), old, NV_NAME));
}

static LLVMValueRef word_arrive(NvEmit *e, const IrGroup *group) {
  if (nvptx_barrier_is_counter(e, group))
    return LLVMBuildZExt(e->b, counter_arrive(e, group), e->i64, NV_NAME);
  return nv_mbarrier_arrive(e, nvptx_barrier_word_of(e, group));
}

static void word_wait(NvEmit *e, const IrGroup *group, LLVMValueRef token) {
  if (nvptx_barrier_is_counter(e, group))
    counter_wait(e, group, LLVMBuildTrunc(e->b, token, e->i32, NV_NAME));
  else
    nv_mbarrier_wait(e, nvptx_barrier_word_of(e, group), token);
}

// -------------------------------------------- grid: Note [Barrier of the grid]

enum { MANY_BLOCKS = 800 }; // from where on two words are faster

typedef struct {
  LLVMValueRef n;       // blocks
  LLVMValueRef is_many; // there are two words
  LLVMValueRef arrivals, looked_at;
} Grid;

static LLVMValueRef workspace_at(NvEmit *e, uint64_t offset_bytes) {
  return LLVMBuildAdd(e->b, nv_hidden(e, HD_CUDA_HIDDEN_WORKSPACE),
                      nv_i64(e, (int64_t)offset_bytes), NV_NAME);
}

static LLVMValueRef environment(NvEmit *e, uint32_t number) {
  LLVMValueRef v = nv_intrinsic(
      e, arena_printf(e->arena, "llvm.nvvm.read.ptx.sreg.envreg%u", number),
      NULL, 0, NULL, 0);
  return LLVMBuildZExt(e->b, v, e->i64, NV_NAME);
}

// The driver's, behind the size of its memory; else ours.
static LLVMValueRef single_word(NvEmit *e) {
  LLVMValueRef high =
      LLVMBuildShl(e->b, environment(e, 1), nv_i64(e, 32), NV_NAME);
  LLVMValueRef at = LLVMBuildOr(e->b, environment(e, 2), high, NV_NAME);
  LLVMValueRef is_there =
      LLVMBuildICmp(e->b, LLVMIntNE, at, nv_i64(e, 0), NV_NAME);
  at = LLVMBuildAdd(e->b, at, nv_i64(e, sizeof(uint32_t)), NV_NAME);
  return LLVMBuildSelect(e->b, is_there, at,
                         workspace_at(e, offsetof(HdCudaWorkspace, arrivals)),
                         NV_NAME);
}

static Grid grid_of(NvEmit *e) {
  Grid grid = {0};
  grid.n = LLVMBuildMul(e->b, e->grid[0], e->grid[1], NV_NAME);
  grid.n = LLVMBuildMul(e->b, grid.n, e->grid[2], NV_NAME);
  grid.is_many =
      LLVMBuildICmp(e->b, LLVMIntUGT, grid.n, nv_i32(e, MANY_BLOCKS), NV_NAME);
  LLVMValueRef word = single_word(e);
  LLVMValueRef count = workspace_at(e, offsetof(HdCudaWorkspace, arrivals));
  LLVMValueRef flag = workspace_at(e, e->plan->grid_flag_offset);
  grid.arrivals = LLVMBuildSelect(e->b, grid.is_many, count, word, NV_NAME);
  grid.looked_at = LLVMBuildSelect(e->b, grid.is_many, flag, word, NV_NAME);
  return grid;
}

static LLVMValueRef is_thread_0(NvEmit *e) {
  return LLVMBuildICmp(e->b, LLVMIntEQ, e->thread, nv_i32(e, 0), NV_NAME);
}

static LLVMValueRef grid_load(NvEmit *e, const Grid *grid, const char *text) {
  LLVMValueRef word = grid->looked_at;
  return nv_asm(e, e->i32, text, "=r,l", &word, 1, true);
}

static LLVMValueRef grid_seen(NvEmit *e, const Grid *grid) {
  return grid_load(e, grid, "ld.relaxed.gpu.global.u32 $0, [$1];");
}

// The word as the addition saw it.
static LLVMValueRef add_to_one(NvEmit *e, const Grid *grid) {
  LLVMValueRef index = LLVMBuildOr(e->b, e->index[0], e->index[1], NV_NAME);
  index = LLVMBuildOr(e->b, index, e->index[2], NV_NAME);
  LLVMValueRef is_first =
      LLVMBuildICmp(e->b, LLVMIntEQ, index, nv_i32(e, 0), NV_NAME);
  LLVMValueRef rest =
      LLVMBuildSub(e->b, nv_i32(e, HIGHEST_BIT + 1), grid->n, NV_NAME);
  LLVMValueRef args[2] = {
      grid->arrivals,
      LLVMBuildSelect(e->b, is_first, rest, nv_i32(e, 1), NV_NAME)};
  return nv_asm(e, e->i32, "atom.add.release.gpu.global.u32 $0, [$1], $2;",
                "=r,l,r", args, 2, true);
}

static LLVMValueRef add_to_two(NvEmit *e, const Grid *grid) {
  LLVMValueRef seen = grid_seen(e, grid);
  LLVMValueRef count = grid->arrivals;
  LLVMValueRef old =
      nv_asm(e, e->i32, "atom.add.acq_rel.gpu.global.u32 $0, [$1], 1;", "=r,l",
             &count, 1, true);
  LLVMValueRef last = LLVMBuildSub(e->b, grid->n, nv_i32(e, 1), NV_NAME);
  NvIf place = nv_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, old, last, NV_NAME));
  LLVMValueRef args[3] = {
      grid->arrivals, grid->looked_at,
      LLVMBuildXor(e->b, seen, nv_i32(e, HIGHEST_BIT), NV_NAME)};
  nv_asm(e, e->none,
         "st.relaxed.gpu.global.u32 [$0], 0; st.release.gpu.global.u32 [$1], "
         "$2;",
         "l,l,r", args, 3, true);
  nv_end_if(e, place);
  return seen;
}

// The block arrives: the word that is looked at, as it was before.
static LLVMValueRef grid_add(NvEmit *e, const Grid *grid) {
  LLVMValueRef seen = nv_alloca(e, e->i32);
  NvIf two = nv_if(e, grid->is_many);
  LLVMBuildStore(e->b, add_to_two(e, grid), seen);
  nv_end_if(e, two);
  NvIf one = nv_if(e, LLVMBuildNot(e->b, grid->is_many, NV_NAME));
  LLVMBuildStore(e->b, add_to_one(e, grid), seen);
  nv_end_if(e, one);
  return LLVMBuildLoad2(e->b, e->i32, seen, NV_NAME);
}

static void grid_wait(NvEmit *e, const Grid *grid, LLVMValueRef seen) {
  NvSpin spin = nv_spin_begin(e);
  LLVMValueRef now = grid_load(e, grid, "ld.acquire.gpu.global.u32 $0, [$1];");
  now = LLVMBuildXor(e->b, now, seen, NV_NAME);
  nv_spin_end(e, &spin,
              LLVMBuildICmp(e->b, LLVMIntSLT, now, nv_i32(e, 0), NV_NAME));
}

static void sync_grid(NvEmit *e) {
  sync_block(e);
  NvIf one = nv_if(e, is_thread_0(e));
  Grid grid = grid_of(e);
  grid_wait(e, &grid, grid_add(e, &grid));
  nv_end_if(e, one);
  sync_block(e);
}

// Threads count in a word of the block, which wraps to zero; the last one adds
// the block. Until then the highest bit is that of this round.
static LLVMValueRef grid_arrive(NvEmit *e) {
  Grid grid = grid_of(e);
  LLVMValueRef before = grid_seen(e, &grid);
  LLVMValueRef last = nv_i32(e, (int64_t)e->plan->n_threads - 1);
  LLVMValueRef args[2] = {nv_shared_u32(e, shared_at(e, e->plan->grid_offset)),
                          last};
  LLVMValueRef count =
      nv_asm(e, e->i32, "atom.acq_rel.cta.shared.inc.u32 $0, [$1], $2;",
             "=r,r,r", args, 2, true);
  NvIf is_last = nv_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, count, last, NV_NAME));
  grid_add(e, &grid);
  nv_end_if(e, is_last);
  return LLVMBuildZExt(e->b, before, e->i64, NV_NAME);
}

static void wait_for_grid(NvEmit *e, LLVMValueRef seen) {
  Grid grid = grid_of(e);
  grid_wait(e, &grid, seen);
}

// -------------------------------------------------------------- groups

// The mask of all lanes costs nothing, that of some a hundred cycles. It is the
// right one where all come together, unless a lane may wait for what another
// one does behind its barrier.
static LLVMValueRef lanes_to_sync(NvEmit *e, const IrGroup *group,
                                  const IrNode *node) {
  bool is_all = !e->plan->has_waits && nv_is_warp_converged(e, node);
  return is_all ? nv_all_lanes(e) : nv_group_mask(e, group);
}

void nv_sync_group(NvEmit *e, const IrGroup *group, const IrNode *node) {
  switch (e->plan->groups[group->id].meet) {
  case NV_MEET_NONE: fence_compiler(e); break;
  case NV_MEET_WARP: sync_warp(e, lanes_to_sync(e, group, node)); break;
  case NV_MEET_NAMED: sync_named(e, group); break;
  case NV_MEET_BLOCK: sync_block(e); break;
  case NV_MEET_ARRAY: word_wait(e, group, word_arrive(e, group)); break;
  case NV_MEET_CLUSTER: sync_cluster(e); break;
  case NV_MEET_GRID: sync_grid(e); break;
  }
}

static LLVMValueRef nvptx_barrier_arrive(NvEmit *e, const IrGroup *group) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (row->has_words)
    return word_arrive(e, group);
  if (row->meet == NV_MEET_GRID)
    return grid_arrive(e);
  // Else all of it is left to the second half.
  if (row->meet == NV_MEET_CLUSTER && has_clusters(e))
    cluster_half(e, true);
  return nv_i64(e, 0);
}

static void wait(NvEmit *e, const IrGroup *group, LLVMValueRef token) {
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (row->has_words)
    word_wait(e, group, token);
  else if (row->meet == NV_MEET_GRID)
    wait_for_grid(e, LLVMBuildTrunc(e->b, token, e->i32, NV_NAME));
  else if (row->meet == NV_MEET_CLUSTER && has_clusters(e))
    cluster_half(e, false);
  else
    nv_sync_group(e, group, e->node);
}

static bool nvptx_barrier_is_kept(const IrNode *node) {
  return node->op == IR_SYNC || node->u.group.join == JOIN_KEPT ||
         node->u.group.join == JOIN_OPEN;
}

void nv_emit_barrier(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  if (node->op == IR_ARRIVE)
    nv_set_value(e, node, 0, nvptx_barrier_arrive(e, group));
  else if (node->op == IR_WAIT)
    wait(e, group, nv_arg(e, node, 0));
  else if (nvptx_barrier_is_kept(node))
    nv_sync_group(e, group, node);
}

// -------------------------------------------------------- begin and end

typedef enum { WORD_MBARRIER, WORD_COUNTED, WORD_DROPPED, WORD_ZERO } WordKind;

// `n` words of 8 bytes with one first value.
typedef struct {
  uint64_t offset;
  uint32_t n, arrivals;
  WordKind kind;
} Words;

typedef struct {
  hd_vec(Words) data;
} WordList;

static void add_words(NvEmit *e, WordList *list, Words words) {
  VEC_PUSH(e->arena, &list->data, words);
}

static uint32_t nvptx_barrier_element_count(const IrObject *object) {
  int64_t n = 1, extent;
  for (uint32_t k = 0; k < object->rank; k++)
    n *= code_host_const(object->extents[k], &extent) ? extent : 1;
  return (uint32_t)n;
}

static WordKind word_kind(const NvBarrierPlan *row) {
  return !row->is_counted  ? WORD_MBARRIER
         : row->is_dropped ? WORD_DROPPED
                           : WORD_COUNTED;
}

static void nvptx_barrier_find_words(NvEmit *e, WordList *list) {
  const NvPlan *plan = e->plan;
  for (uint32_t i = 0; i < e->kernel->objects.count; i++) {
    const IrObject *object = e->kernel->objects.data[i];
    const CodeShared *place = &plan->shared[i];
    Words words = {place->offset_bytes, nvptx_barrier_element_count(object),
                   object->arrivals, word_kind(&plan->barriers[i])};
    for (uint32_t k = 0;
         object->kind == OBJECT_MBARRIER && k < place->n_instances;
         k++, words.offset += place->size_bytes)
      add_words(e, list, words);
  }
  for (uint32_t i = 0; i < e->kernel->groups.count; i++) {
    const NvGroupPlan *row = &plan->groups[i];
    if (row->has_words)
      add_words(e, list,
                (Words){row->word_offset, row->n_words, row->word_threads,
                        row->word_threads == 0 ? WORD_ZERO : WORD_MBARRIER});
  }
}

static void init_word(NvEmit *e, const Words *words, LLVMValueRef at) {
  if (words->kind == WORD_MBARRIER) {
    LLVMValueRef args[2] = {at, nv_i32(e, words->arrivals)};
    nv_intrinsic(e, "llvm.nvvm.mbarrier.init.shared", NULL, 0, args, 2);
    return;
  }
  int64_t word = words->kind == WORD_ZERO ? 0 : words->arrivals;
  if (words->kind == WORD_DROPPED)
    word |= word << NV_NEXT_COUNT_SHIFT;
  LLVMBuildStore(e->b, nv_i64(e, word), at);
}

// A word a thread, in turns.
static void init_many(NvEmit *e, const Words *words) {
  NvTurns turns = nv_turns_begin(e, e->thread, nv_i32(e, e->plan->n_threads),
                                 nv_i32(e, words->n));
  LLVMValueRef offset = LLVMBuildMul(e->b, turns.number, nv_i32(e, 8), NV_NAME);
  LLVMValueRef at = shared_at(e, words->offset);
  init_word(e, words, LLVMBuildGEP2(e->b, e->i8, at, &offset, 1, NV_NAME));
  nv_turns_end(e, &turns);
}

enum { FEW_WORDS = 8 }; // one thread writes them all

static void init_few(NvEmit *e, const Words *words) {
  for (uint32_t i = 0; i < words->n; i++)
    init_word(e, words, shared_at(e, words->offset + 8 * (uint64_t)i));
}

// Blocks are numbered in the order in which they start, so that one may wait
// for those of lower index.
static void take_ticket(NvEmit *e) {
  LLVMValueRef at = nv_hidden(e, HD_CUDA_HIDDEN_WORKSPACE);
  LLVMValueRef args[2] = {at, nv_i32(e, 1)};
  LLVMValueRef ticket =
      nv_asm(e, e->i32, "atom.add.relaxed.gpu.global.u32 $0, [$1], $2;",
             "=r,l,r", args, 2, true);
  LLVMBuildStore(e->b, ticket, shared_at(e, e->plan->ticket_offset));
}

static void index_of_ticket(NvEmit *e) {
  LLVMValueRef rest = LLVMBuildLoad2(
      e->b, e->i32, shared_at(e, e->plan->ticket_offset), NV_NAME);
  for (uint32_t k = 0; k < 2; k++) {
    e->index[k] = LLVMBuildURem(e->b, rest, e->grid[k], NV_NAME);
    rest = LLVMBuildUDiv(e->b, rest, e->grid[k], NV_NAME);
  }
  e->index[2] = rest;
}

static void prefetch_maps(NvEmit *e) {
  for (uint32_t i = 0; i < e->plan->maps.count; i++) {
    LLVMValueRef map = LLVMGetParam(e->function, i + 1);
    nv_intrinsic(e, "llvm.nvvm.prefetch.tensormap", &e->ptr[NV_SPACE_GENERIC],
                 1, &map, 1);
  }
}

// What thread 0 does alone.
static void begin_alone(NvEmit *e, const WordList *list) {
  NvIf one = nv_if(e, is_thread_0(e));
  prefetch_maps(e);
  for (uint32_t i = 0; i < list->data.count; i++)
    if (list->data.data[i].n <= FEW_WORDS)
      init_few(e, &list->data.data[i]);
  if (e->plan->flags & HD_CUDA_FLAG_TICKET)
    take_ticket(e);
  if (e->plan->is_grid_split)
    LLVMBuildStore(e->b, nv_i32(e, 0), shared_at(e, e->plan->grid_offset));
  nv_end_if(e, one);
}

static uint32_t count_kind(const WordList *list, bool are_mbarriers) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->data.count; i++)
    n += (list->data.data[i].kind == WORD_MBARRIER) == are_mbarriers;
  return n;
}

// The block's threads, and those of other blocks that may arrive at once, find
// the words ready. mbarriers have a fence of their own, behind which the
// arrival at the cluster's barrier need not release.
static void publish_words(NvEmit *e, const WordList *list, bool has_others) {
  bool has_fence = e->sm >= 90 && count_kind(list, true) > 0;
  if (has_fence)
    nv_intrinsic(e, "llvm.nvvm.fence.mbarrier_init.release.cluster", NULL, 0,
                 NULL, 0);
  if (!e->plan->is_remote || !has_clusters(e)) {
    sync_block(e);
    return;
  }
  has_others |= count_kind(list, false) > 0;
  nv_intrinsic(e,
               has_others ? "llvm.nvvm.barrier.cluster.arrive.aligned"
                          : "llvm.nvvm.barrier.cluster.arrive.relaxed.aligned",
               NULL, 0, NULL, 0);
  cluster_half(e, false);
}

void nv_begin_barriers(NvEmit *e) {
  const NvPlan *plan = e->plan;
  WordList list = {0};
  nvptx_barrier_find_words(e, &list);
  bool has_ticket = (plan->flags & HD_CUDA_FLAG_TICKET) != 0;
  bool has_words = list.data.count > 0 || has_ticket || plan->is_grid_split;
  if (!has_words && plan->maps.count == 0)
    return;
  begin_alone(e, &list);
  for (uint32_t i = 0; i < list.data.count; i++)
    if (list.data.data[i].n > FEW_WORDS)
      init_many(e, &list.data.data[i]);
  if (!has_words)
    return;
  publish_words(e, &list, has_ticket || plan->is_grid_split);
  if (has_ticket)
    index_of_ticket(e);
}

static bool ends_with_cluster_sync(const NvEmit *e) {
  const IrNode *last = e->kernel->body.last;
  return last && last->op == IR_SYNC &&
         last->u.group.group->kind == GROUP_CLUSTER;
}

// The shared memory of a block is gone when it ends: other blocks of the
// cluster, and copies from it, must be done with it.
void nv_end_barriers(NvEmit *e) {
  if (e->plan->has_bulk_stores) {
    nv_intrinsic(e, "llvm.nvvm.cp.async.bulk.commit.group", NULL, 0, NULL, 0);
    LLVMValueRef none = nv_i32(e, 0);
    nv_intrinsic(e, "llvm.nvvm.cp.async.bulk.wait.group", NULL, 0, &none, 1);
  }
  if (e->plan->is_remote && has_clusters(e) && !ends_with_cluster_sync(e))
    sync_cluster(e);
}
