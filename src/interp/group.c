// SPDX-License-Identifier: Apache-2.0
// Where threads stand in groups.
#include "base/bits.h"
#include "interp/eval.h"
#include "interp/machine.h"
#include <inttypes.h>

static IrTypeKind group_operand_kind(const IrNode *node, uint32_t index) {
  return (IrTypeKind)node->args[index]->type.kind;
}

static int64_t signed_operand(const Machine *m, const Thread *t,
                              const Insn *insn, uint32_t index) {
  uint32_t bits =
      ir_type_bits(ir_scalar(group_operand_kind(insn->node, index)));
  return eval_signed(*machine_operand(m, t, insn, index), bits);
}

// ------------------------------------------------------- implicit groups

enum { KEY_GRID = 1, KEY_CLUSTER, KEY_BLOCK, KEY_WARP, KEY_THREAD };

static int32_t group_threads_of(const Machine *m, uint32_t n_blocks) {
  return (int32_t)(n_blocks * m->launch->n_threads);
}

static uint32_t cluster_blocks(const Machine *m) {
  const Launch *launch = m->launch;
  return launch->n_clusters ? launch->n_blocks / launch->n_clusters : 1;
}

// Ranks in the grid are 64 bits wide (see run.c); where threads meet in it,
// all are there and are few enough.
static GroupContext grid_context(const Machine *m, const Thread *t) {
  return (GroupContext){.rank =
                            group_threads_of(m, (uint32_t)t->block->linear) +
                            (int32_t)t->rank,
                        .size = group_threads_of(m, m->launch->n_blocks),
                        .meta_size = 1,
                        .key = KEY_GRID};
}

static GroupContext cluster_context(const Machine *m, const Thread *t) {
  uint32_t n = cluster_blocks(m);
  uint64_t first = (uint64_t)(t->block - m->blocks) - t->block->in_cluster;
  const int32_t *grid = m->launch->grid, *dim = m->launch->cluster;
  const int32_t *at = t->block->index;
  return (GroupContext){
      .rank = group_threads_of(m, t->block->in_cluster) + (int32_t)t->rank,
      .size = group_threads_of(m, n),
      .meta_rank =
          (int32_t)(((uint32_t)(at[2] / dim[2]) * (uint32_t)(grid[1] / dim[1]) +
                     (uint32_t)(at[1] / dim[1])) *
                        (uint32_t)(grid[0] / dim[0]) +
                    (uint32_t)(at[0] / dim[0])),
      .meta_size = (int32_t)((uint32_t)(grid[0] / dim[0]) *
                             (uint32_t)(grid[1] / dim[1]) *
                             (uint32_t)(grid[2] / dim[2])),
      .key = machine_mix(KEY_CLUSTER, first)};
}

static GroupContext block_context(const Machine *m, const Thread *t) {
  return (GroupContext){
      .rank = (int32_t)t->rank,
      .size = (int32_t)m->launch->n_threads,
      .meta_rank = (int32_t)t->block->in_cluster,
      .meta_size = (int32_t)cluster_blocks(m),
      .key = machine_mix(KEY_BLOCK, (uint64_t)(t->block - m->blocks))};
}

static GroupContext warp_context(const Machine *m, const Thread *t) {
  int32_t n_threads = (int32_t)m->launch->n_threads, rank = (int32_t)t->rank;
  int32_t first = rank / 32 * 32;
  int32_t left = n_threads - first;
  uint64_t block = (uint64_t)(t->block - m->blocks);
  return (GroupContext){
      .rank = rank % 32,
      .size = left < 32 ? left : 32,
      .meta_rank = rank / 32,
      .meta_size = (n_threads + 31) / 32,
      .instance = (uint32_t)rank / 32,
      .key = machine_mix(machine_mix(KEY_WARP, block), (uint64_t)first)};
}

static GroupContext thread_context(const Machine *m, const Thread *t,
                                   const IrGroup *group) {
  GroupContext outer = group_context(m, t, group->parent);
  return (GroupContext){
      .size = 1,
      .meta_rank = outer.rank,
      .meta_size = outer.size,
      .instance = t->rank,
      .key = machine_mix(KEY_THREAD, (uint64_t)(t - m->threads))};
}

GroupContext group_context(const Machine *m, const Thread *t,
                           const IrGroup *group) {
  switch ((int)group->kind) {
  case GROUP_GRID: return grid_context(m, t);
  case GROUP_CLUSTER: return cluster_context(m, t);
  case GROUP_BLOCK: return block_context(m, t);
  case GROUP_WARP: return warp_context(m, t);
  case GROUP_THREAD: return thread_context(m, t, group);
  default: return t->groups[group->id];
  }
}

static uint64_t part_key(const GroupContext *outer, const IrGroup *group,
                         int64_t begin, int64_t size) {
  uint64_t key = machine_mix(outer->key, group->id);
  return machine_mix(machine_mix(key, (uint64_t)begin), (uint64_t)size);
}

// Number of this part among those of its row that own memory.
static uint32_t part_instance(const Machine *m, const GroupContext *outer,
                              const IrGroup *group, int32_t part) {
  if (group->kind == GROUP_TILED && group->instances <= 0)
    return 0;
  uint64_t parts = group->kind == GROUP_TILED
                       ? (uint64_t)group->instances
                       : (uint64_t)(outer->size / group->size); // a split
  uint64_t instance = outer->instance * parts + (uint64_t)part;
  uint32_t n = m->launch->groups[group->id].n_instances;
  return instance < n ? (uint32_t)instance : 0;
}

// --------------------------------------------------------- made groups

static bool wrong_range(Machine *m, Thread *t, const IrNode *node,
                        int64_t begin, int64_t count, int64_t size) {
  return machine_trap(m, t, node, FAULT_CODE_GROUP,
                      &(FaultArgs){.name = node->u.part.group->name,
                                   .numbers = {count, begin, size}});
}

static int64_t group_begin_of(const Machine *m, const Thread *t,
                              const Insn *insn) {
  const IrNode *node = insn->node;
  if (node->n_args)
    return signed_operand(m, t, insn, 0);
  int64_t begin = node->u.part.group->begin;
  return begin == SIZE_UNKNOWN ? 0 : begin;
}

static bool enter_range(Machine *m, Thread *t, const Insn *insn,
                        bool *is_inside) {
  const IrGroup *group = insn->node->u.part.group;
  GroupContext outer = group_context(m, t, insn->node->u.part.parent);
  int64_t begin = group_begin_of(m, t, insn), count = group->size;
  if (begin < 0 || begin > outer.size - count)
    return wrong_range(m, t, insn->node, begin, count, outer.size);
  *is_inside = outer.rank >= begin && outer.rank < begin + count;
  if (*is_inside)
    t->groups[group->id] =
        (GroupContext){.rank = outer.rank - (int32_t)begin,
                       .size = (int32_t)count,
                       .meta_size = 1,
                       .instance = outer.instance,
                       .begin = (uint32_t)begin,
                       .key = part_key(&outer, group, begin, count)};
  return true;
}

bool group_enter(Machine *m, Thread *t, const Insn *insn, bool *is_inside) {
  IrGroupKind kind = insn->node->u.part.group->kind;
  if (kind == GROUP_RANGE || kind == GROUP_SINGLE)
    return enter_range(m, t, insn, is_inside);
  *is_inside = true; // a group that is there anyway becomes current
  return true;
}

// Iteration j of the split form is run by the j-th of N equal parts.
void group_enter_split(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  const IrGroup *group = node->u.part.group;
  GroupContext outer = group_context(m, t, node->u.part.parent);
  int32_t count = (int32_t)node->u.part.count;
  int32_t size = outer.size >= count ? outer.size / count : 1;
  int32_t part = outer.rank / size;
  t->groups[group->id] =
      (GroupContext){.rank = outer.rank - part * size,
                     .size = size,
                     .meta_rank = part,
                     .meta_size = count,
                     .instance = part_instance(m, &outer, group, part),
                     .key = part_key(&outer, group, part, size)};
  uint32_t bits = ir_type_bits(node->args[0]->type);
  uint64_t lo = *machine_operand(m, t, insn, 0);
  uint64_t value = lo + (uint64_t)part * (uint64_t)node->u.part.step;
  t->frame[insn->dst] = value & eval_mask(bits);
}

// The turn of a strided loop: sets the variable; false when all are done.
bool group_stride(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  uint64_t turn = t->frame[insn->extra];
  int64_t lo = signed_operand(m, t, insn, 0),
          hi = signed_operand(m, t, insn, 1);
  if (hi <= lo)
    return false;
  uint64_t span = (uint64_t)hi - (uint64_t)lo,
           step = (uint64_t)node->u.part.step;
  if (turn > (span - 1) / step)
    return false;
  uint32_t bits = ir_type_bits(node->args[0]->type);
  t->frame[insn->dst] = ((uint64_t)lo + turn * step) & eval_mask(bits);
  return true;
}

// ----------------------------------------------------------------- tiles

static bool wrong_tile(Machine *m, Thread *t, const IrNode *node,
                       int64_t size) {
  return machine_trap(m, t, node, FAULT_CODE_TILE,
                      &(FaultArgs){.numbers = {size}});
}

bool group_make_tiled(Machine *m, Thread *t, const Insn *insn) {
  const IrGroup *group = insn->node->u.group.group;
  GroupContext outer = group_context(m, t, group->parent);
  int64_t n = group->size;
  if (insn->node->n_args)
    n = signed_operand(m, t, insn, 0);
  if (insn->node->n_args && (n > 512 || !is_power_of_two(n)))
    return wrong_tile(m, t, insn->node, n);
  if (group->parent->kind == GROUP_GRID || group->parent->kind == GROUP_CLUSTER)
    return machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                         "tiled_partition divides groups inside a block");
  int32_t size = (int32_t)n, part = outer.rank / size;
  int32_t left = outer.size - part * size;
  t->groups[group->id] =
      (GroupContext){.rank = outer.rank % size,
                     .size = left < size ? left : size,
                     .meta_rank = part,
                     .meta_size = (outer.size + size - 1) / size,
                     .instance = part_instance(m, &outer, group, part),
                     .key = part_key(&outer, group, part, size)};
  return true;
}

// ---------------------------------------------------------------- labels

enum { MOST_LABELS = 1024 };

static GroupContext labeled_context(const Meeting *meeting,
                                    const uint16_t *first, uint32_t at) {
  GroupContext context = {.key = meeting->key};
  uint32_t own = first[at];
  for (uint32_t i = 0; i < meeting->size; i++) {
    bool leads = first[i] == i;
    context.meta_size += leads;
    context.meta_rank += leads && own > i;
    if (first[i] != own)
      continue;
    context.size++;
    context.rank += i < at;
    context.key = machine_mix(context.key, i);
  }
  return context;
}

bool group_make_labeled(Machine *m, const Meeting *meeting) {
  const IrNode *node = meeting->insn->node;
  uint16_t first[MOST_LABELS]; // of the part, by rank in the parent
  if (meeting->size > MOST_LABELS)
    return machine_fault(m, meeting->threads[0], node, HD_ERROR_TRAP,
                         "labeled_partition divides groups within one warp");
  for (uint32_t i = 0; i < meeting->size; i++)
    for (first[i] = 0; meeting->values[first[i]] != meeting->values[i];)
      first[i]++;
  const IrGroup *group = node->u.group.group;
  for (uint32_t i = 0; i < meeting->size; i++) {
    GroupContext context = labeled_context(meeting, first, i);
    context.key = machine_mix(context.key, group->id);
    meeting->threads[i]->groups[group->id] = context;
  }
  return true;
}
