// SPDX-License-Identifier: Apache-2.0
// Where threads stand in groups, and the barriers of groups.
#include "interp/eval.h"
#include "interp/machine.h"
#include <inttypes.h>

static IrTypeKind operand_kind(const IrNode *node, uint32_t index) {
  return (IrTypeKind)node->args[index]->type.kind;
}

static int64_t signed_operand(const Machine *m, const Thread *t,
                              const Insn *insn, uint32_t index) {
  uint32_t bits = ir_type_bits(ir_scalar(operand_kind(insn->node, index)));
  return eval_signed(*machine_operand(m, t, insn, index), bits);
}

// ------------------------------------------------------- implicit groups

static GroupContext cluster_context(const Machine *m, const Thread *t) {
  const int32_t *dim = m->launch->kernel->cluster_dim;
  int32_t n_blocks = 1, rank = 0;
  for (int i = 2; i >= 0; i--) {
    int32_t n = dim[i] > 0 ? dim[i] : 1;
    n_blocks *= n;
    rank = rank * n + m->block[i] % n;
  }
  int32_t n_threads = (int32_t)m->launch->n_threads;
  return (GroupContext){.rank = rank * n_threads + (int32_t)t->rank,
                        .size = n_blocks * n_threads,
                        .meta_size = 1};
}

static GroupContext block_context(const Machine *m, const Thread *t) {
  int32_t n_threads = (int32_t)m->launch->n_threads;
  GroupContext cluster = cluster_context(m, t);
  return (GroupContext){.rank = (int32_t)t->rank,
                        .size = n_threads,
                        .meta_rank = cluster.rank / n_threads,
                        .meta_size = cluster.size / n_threads};
}

static GroupContext warp_context(const Machine *m, const Thread *t) {
  int32_t n_threads = (int32_t)m->launch->n_threads, rank = (int32_t)t->rank;
  int32_t first = rank / 32 * 32;
  int32_t left = n_threads - first;
  return (GroupContext){.rank = rank % 32,
                        .size = left < 32 ? left : 32,
                        .meta_rank = rank / 32,
                        .meta_size = (n_threads + 31) / 32,
                        .instance = (uint32_t)rank / 32};
}

static GroupContext thread_context(const Machine *m, const Thread *t,
                                   const IrGroup *group) {
  GroupContext outer = group_context(m, t, group->parent);
  return (GroupContext){.size = 1,
                        .meta_rank = outer.rank,
                        .meta_size = outer.size,
                        .instance = t->rank};
}

GroupContext group_context(const Machine *m, const Thread *t,
                           const IrGroup *group) {
  switch ((int)group->kind) {
  case GROUP_CLUSTER: return cluster_context(m, t);
  case GROUP_BLOCK: return block_context(m, t);
  case GROUP_WARP: return warp_context(m, t);
  case GROUP_THREAD: return thread_context(m, t, group);
  default: return t->groups[group->id];
  }
}

// --------------------------------------------------------- made groups

static bool wrong_range(Machine *m, Thread *t, const IrNode *node,
                        int64_t begin, int64_t count, int64_t size) {
  return machine_fault(m, t, node, HD_ERROR_TRAP,
                       "%s: %" PRId64 " threads from rank %" PRId64
                       " are not inside a group of %" PRId64,
                       node->u.part.group->name, count, begin, size);
}

static int64_t begin_of(const Machine *m, const Thread *t, const Insn *insn) {
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
  int64_t begin = begin_of(m, t, insn), count = group->size;
  if (begin < 0 || begin > outer.size - count)
    return wrong_range(m, t, insn->node, begin, count, outer.size);
  *is_inside = outer.rank >= begin && outer.rank < begin + count;
  if (*is_inside)
    t->groups[group->id] = (GroupContext){.rank = outer.rank - (int32_t)begin,
                                          .size = (int32_t)count,
                                          .meta_size = 1,
                                          .instance = outer.instance,
                                          .begin = (uint32_t)begin};
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
  int32_t size = outer.size / count, part = outer.rank / size;
  t->groups[group->id] = (GroupContext){
      .rank = outer.rank % size,
      .size = size,
      .meta_rank = part,
      .meta_size = count,
      .instance = outer.instance * (uint32_t)count + (uint32_t)part};
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

void group_start(Machine *m, Thread *t) {
  GroupContext *grid = &t->groups[GROUP_ROW_GRID];
  *grid = (GroupContext){.rank = (int32_t)t->rank, .meta_size = 1};
  t->groups[GROUP_ROW_CLUSTER] = cluster_context(m, t);
  t->groups[GROUP_ROW_BLOCK] = block_context(m, t);
}

// --------------------------------------------------------------- barriers

static Barrier *barrier_of(const Machine *m, const IrGroup *group,
                           const GroupContext *context) {
  const GroupPlace *place = &m->launch->groups[group->id];
  uint32_t begin = place->n_begins > 1 ? context->begin : 0;
  return &m->barriers[place->first_barrier +
                      context->instance * place->n_begins + begin];
}

static bool complete(Machine *m, Barrier *barrier) {
  barrier->arrived = 0;
  barrier->generation++;
  m->n_writes++;
  return true;
}

bool group_sync(Machine *m, Thread *t, const Insn *insn) {
  const IrGroup *group = insn->node->u.group.group;
  GroupContext context = group_context(m, t, group);
  Barrier *barrier = barrier_of(m, group, &context);
  if (barrier->arrived == 0)
    barrier->node = insn->node;
  if (barrier->node != insn->node)
    return machine_fault(
        m, t, insn->node, HD_ERROR_DEADLOCK,
        "threads of %s wait at different places, also at %s", group->name,
        ir_loc_text(m->launch->kernel->module, barrier->node->loc, m->arena));
  if ((int32_t)++barrier->arrived == context.size)
    return complete(m, barrier);
  t->state = THREAD_WAITS;
  t->barrier = barrier;
  t->generation = barrier->generation;
  t->node = insn->node;
  return true;
}
