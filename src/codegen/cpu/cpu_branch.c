// SPDX-License-Identifier: Apache-2.0
// Which threads of a block go into a branch, where that depends on their index
// alone. Threads of a warp that wait in one for what others of the same warp
// signal elsewhere need strands of their own.
#include "codegen/cpu/cpu_plan.h"
#include "ir/form/fold.h"

enum { MOST_STEPS = 256 };

typedef struct {
  const CpuPlan *plan;
  uint32_t rank;
  uint32_t n_steps;
} Eval;

static bool cpu_branch_eval(Eval *e, const IrNode *node, uint64_t *bits);

static bool eval_rank(const Eval *e, const IrGroup *group, uint64_t *bits) {
  *bits = group->kind == GROUP_WARP ? e->rank % CPU_WARP : e->rank;
  return group->kind == GROUP_WARP || group->kind == GROUP_BLOCK;
}

static uint64_t cpu_branch_thread_index(const Eval *e, uint32_t axis) {
  const int32_t *dim = e->plan->kernel->block_dim;
  uint32_t rank = e->rank;
  for (uint32_t k = 0; k < axis; k++)
    rank /= (uint32_t)dim[k];
  return rank % (uint32_t)dim[axis];
}

static bool cpu_branch_value_of(void *context, const IrNode *node,
                                uint64_t *bits) {
  return cpu_branch_eval(context, node, bits);
}

static bool cpu_branch_eval(Eval *e, const IrNode *node, uint64_t *bits) {
  if (e->n_steps++ > MOST_STEPS)
    return false;
  switch ((int)node->op) {
  case IR_THREAD_INDEX:
    *bits = cpu_branch_thread_index(e, node->u.index.number);
    return true;
  case IR_RANK: return eval_rank(e, node->u.group.group, bits);
  default: return ir_fold_by(node, cpu_branch_value_of, e, bits);
  }
}

bool cpu_branch_is_taken(const CpuPlan *plan, const IrNode *branch,
                         uint32_t rank, bool *is_taken) {
  Eval e = {.plan = plan, .rank = rank};
  uint64_t bits = 0;
  bool is_known = cpu_branch_eval(&e, branch->args[0], &bits);
  *is_taken = bits & 1;
  return is_known;
}

// ------------------------------------------------------------------ signals

typedef struct {
  const IrObject *object;
  const IrRegion *inside;
  bool is_found;
} Search;

static bool cpu_branch_is_inside(const IrNode *node, const IrRegion *region) {
  for (const IrRegion *at = node->region; at;
       at = at->owner ? at->owner->region : NULL)
    if (at == region)
      return true;
  return false;
}

static bool find_signal(IrNode *node, void *context) {
  Search *search = context;
  const IrObject *object = NULL;
  if (ir_op_info(node)->form == FORM_BARRIER &&
      ir_op_info(node)->signals == EVENT_MBARRIER)
    object = node->u.barrier.object;
  else if (ir_op_info(node)->form == FORM_COPY)
    object = node->u.copy.barrier;
  search->is_found |=
      object == search->object && !cpu_branch_is_inside(node, search->inside);
  return !search->is_found;
}

bool cpu_is_signalled_outside(const CpuPlan *plan, const IrObject *barrier,
                              const IrRegion *region) {
  Search search = {.object = barrier, .inside = region};
  IrRegion body = plan->kernel->body;
  ir_walk(&body, find_signal, &search);
  return search.is_found;
}
