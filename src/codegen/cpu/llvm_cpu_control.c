// SPDX-License-Identifier: Apache-2.0
// Conditions, blocks and exits.
//
// Note [Joining divergent branches]
// Both branches run one after the other, each under its part of the mask. A
// variable that is live behind the join is merged in a slot of its own: it
// starts as the value before, and takes the branch's value in its lanes at
// the end of each branch. The condition itself selects, not the mask: lanes
// that aren't active hold nothing that is wanted. A branch that all of its
// lanes leave merges nothing, and the other one runs on as if alone.
#include "codegen/cpu/llvm_cpu.h"

#include <string.h>

// Bodies of at most this many operations run without a branch around them.
#define CPU_SHORT_BODY 8

static IrType var_leaf_type(const CpuEmit *e, uint32_t var, uint32_t leaf) {
  uint32_t offset;
  return code_leaf_type(e->module, e->kernel->vars.data[var].type,
                        leaf - e->plan->var_leaf[var], &offset);
}

#define EACH_LEAF(e, flow, i, leaf, at)                                        \
  for (uint32_t i = 0, at = 0; i < (flow)->n_vars; i++)                        \
    for (uint32_t leaf = (e)->plan->var_leaf[(flow)->vars[i]];                 \
         leaf < (e)->plan->var_leaf[(flow)->vars[i] + 1]; leaf++, at++)

static CpuLeaf load_leaf(CpuEmit *e, uint32_t var, uint32_t leaf) {
  return cpu_load_var(e, leaf, var_leaf_type(e, var, leaf));
}

// ---------------------------------------------------------------- targets

CpuTarget *cpu_target_new(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = ARENA_NEW(e->arena, CpuTarget);
  e->targets[node->id] = target;
  target->after = cpu_new_block(e, "after");
  target->entry_mask = e->mask;
  target->exit_copies = ARENA_ARRAY(e->arena, LLVMValueRef, flow->n_leaves);
  target->turn_copies = ARENA_ARRAY(e->arena, LLVMValueRef, flow->n_leaves);
  EACH_LEAF(e, flow, i, leaf, at) {
    LLVMTypeRef type =
        cpu_vector_type(e, var_leaf_type(e, flow->vars[i], leaf));
    if (flow->splits && cpu_needs_copy(e->plan, node, i, false))
      target->exit_copies[at] = cpu_alloca(e, type);
    if (flow->splits_turn && cpu_needs_copy(e->plan, node, i, true))
      target->turn_copies[at] = cpu_alloca(e, type);
  }
  if (flow->splits) {
    target->exited = cpu_alloca(e, e->mask_type);
    LLVMBuildStore(e->b, cpu_no_mask(e), target->exited);
  }
  if (flow->splits_turn)
    target->turned = cpu_alloca(e, e->mask_type);
  if (flow->leaks)
    target->after_mask = cpu_alloca(e, e->mask_type);
  return target;
}

static void merge_copy(CpuEmit *e, LLVMValueRef mask, uint32_t var,
                       uint32_t leaf, LLVMValueRef copy) {
  CpuLeaf now = load_leaf(e, var, leaf);
  LLVMTypeRef type = cpu_vector_type(e, now.type);
  LLVMValueRef old = cpu_load_slot(e, type, copy);
  LLVMBuildStore(e->b, cpu_select(e, mask, cpu_as_vector(e, now), old), copy);
}

// Makes the slot of `shape` hold the variable.
static void settle_var(CpuEmit *e, uint32_t var, uint32_t leaf,
                       CpuShape shape) {
  if (shape.kind != CPU_NONE && e->env[leaf].kind != shape.kind)
    cpu_store_var(e, leaf, cpu_convert(e, load_leaf(e, var, leaf), shape));
  e->env[leaf] = shape;
}

// The same on an edge: code emitted next is not behind it.
static void settle_for_edge(CpuEmit *e, uint32_t var, uint32_t leaf,
                            CpuShape shape) {
  CpuShape before = e->env[leaf];
  settle_var(e, var, leaf, shape);
  e->env[leaf] = before;
}

static LLVMValueRef mask_or(CpuEmit *e, LLVMValueRef mask, LLVMValueRef slot) {
  LLVMValueRef waiting = cpu_load_slot(e, e->mask_type, slot);
  if (mask == NULL)
    return cpu_full_mask(e);
  return LLVMBuildOr(e->b, mask, waiting, CPU_NAME);
}

void cpu_edge_after(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  const CpuTarget *target = e->targets[node->id];
  EACH_LEAF(e, flow, i, leaf, at) {
    if (target->exit_copies[at])
      merge_copy(e, e->mask, flow->vars[i], leaf, target->exit_copies[at]);
    else
      settle_for_edge(e, flow->vars[i], leaf, flow->after[at]);
  }
  if (target->after_mask && target->exited)
    LLVMBuildStore(e->b, mask_or(e, e->mask, target->exited),
                   target->after_mask);
  else if (target->after_mask)
    LLVMBuildStore(e->b, cpu_mask(e), target->after_mask);
  LLVMBuildBr(e->b, target->after);
}

void cpu_edge_turn(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  const CpuTarget *target = e->targets[node->id];
  EACH_LEAF(e, flow, i, leaf, at) {
    if (target->turn_copies[at])
      merge_copy(e, e->mask, flow->vars[i], leaf, target->turn_copies[at]);
    else
      settle_for_edge(e, flow->vars[i], leaf, flow->head[at]);
  }
  if (target->turn_mask && target->turned)
    LLVMBuildStore(e->b, mask_or(e, e->mask, target->turned),
                   target->turn_mask);
  else if (target->turn_mask)
    LLVMBuildStore(e->b, cpu_mask(e), target->turn_mask);
  LLVMBuildBr(e->b, target->latch);
}

void cpu_enter_after(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  const CpuTarget *target = e->targets[node->id];
  cpu_begin_block(e, target->after);
  EACH_LEAF(e, flow, i, leaf, at) {
    e->env[leaf] = flow->after[at];
    if (!target->exit_copies[at])
      continue;
    IrType type = var_leaf_type(e, flow->vars[i], leaf);
    CpuLeaf merged = {.shape = cpu_varying(), .type = type};
    merged.v =
        cpu_load_slot(e, cpu_vector_type(e, type), target->exit_copies[at]);
    cpu_store_var(e, leaf, merged);
  }
  e->mask = target->after_mask
                ? cpu_load_slot(e, e->mask_type, target->after_mask)
                : target->entry_mask;
}

void cpu_leave(CpuEmit *e, const IrNode *node, LLVMValueRef mask,
               bool is_turn) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  const CpuTarget *target = e->targets[node->id];
  LLVMValueRef *copies = is_turn ? target->turn_copies : target->exit_copies;
  const CpuShape *shapes = is_turn ? flow->head : flow->after;
  EACH_LEAF(e, flow, i, leaf, at) {
    if (copies[at])
      merge_copy(e, mask, flow->vars[i], leaf, copies[at]);
    else
      settle_for_edge(e, flow->vars[i], leaf, shapes[at]);
  }
  LLVMValueRef slot = is_turn ? target->turned : target->exited;
  LLVMBuildStore(e->b, mask_or(e, mask, slot), slot);
}

// No lane is left on this path.
static void go_to_skip(CpuEmit *e) {
  if (e->skip->slot)
    LLVMBuildStore(e->b, cpu_no_mask(e), e->skip->slot);
  LLVMBuildBr(e->b, e->skip->block);
}

// Goes on only if lanes are left in `mask`.
static void need_any(CpuEmit *e, LLVMValueRef mask) {
  LLVMBasicBlockRef go = cpu_new_block(e, "left");
  LLVMBasicBlockRef none = cpu_new_block(e, "none_left");
  LLVMBuildCondBr(e->b, cpu_any(e, mask), go, none);
  cpu_begin_block(e, none);
  go_to_skip(e);
  cpu_begin_block(e, go);
}

static bool cpu_control_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

void cpu_emit_exit(CpuEmit *e, const IrNode *node) {
  const IrNode *target = node->u.exit.target;
  bool is_turn = node->u.exit.is_continue && cpu_control_is_loop(target);
  if (e->plan->splits_exit[node->id]) {
    cpu_leave(e, target, e->mask, is_turn);
    go_to_skip(e);
  } else if (is_turn) {
    cpu_edge_turn(e, target);
  } else {
    cpu_edge_after(e, target);
  }
}

// ------------------------------------------------------------ uniform if

static void save_env(const CpuEmit *e, const CpuFlow *flow, CpuShape *into) {
  EACH_LEAF(e, flow, i, leaf, at) into[at] = e->env[leaf];
}

static void restore_env(CpuEmit *e, const CpuFlow *flow, const CpuShape *from) {
  EACH_LEAF(e, flow, i, leaf, at) e->env[leaf] = from[at];
}

static void end_uniform(CpuEmit *e, const CpuFlow *flow, LLVMValueRef mask,
                        LLVMBasicBlockRef end) {
  EACH_LEAF(e, flow, i, leaf, at)
  settle_var(e, flow->vars[i], leaf, flow->after[at]);
  if (mask)
    LLVMBuildStore(e->b, cpu_mask(e), mask);
  LLVMBuildBr(e->b, end);
}

// `node` is an if, or a group whose members are decided by a scalar.
static bool cpu_control_emit_uniform(CpuEmit *e, const IrNode *node,
                                     LLVMValueRef condition) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuShape *entry = ARENA_ARRAY(e->arena, CpuShape, flow->n_leaves);
  LLVMValueRef entry_mask = e->mask;
  LLVMValueRef mask = flow->leaks ? cpu_alloca(e, e->mask_type) : NULL;
  LLVMBasicBlockRef yes = cpu_new_block(e, "then");
  LLVMBasicBlockRef no = cpu_new_block(e, "else");
  LLVMBasicBlockRef end = cpu_new_block(e, "end");
  save_env(e, flow, entry);
  LLVMBuildCondBr(e->b, condition, yes, no);
  cpu_begin_block(e, yes);
  bool goes_on = cpu_emit_region(e, &node->regions[0]);
  if (goes_on)
    end_uniform(e, flow, mask, end);
  restore_env(e, flow, entry);
  e->mask = entry_mask;
  cpu_begin_block(e, no);
  if (node->n_regions < 2 || cpu_emit_region(e, &node->regions[1])) {
    end_uniform(e, flow, mask, end);
    goes_on = true;
  }
  e->mask = entry_mask;
  if (!goes_on) {
    LLVMDeleteBasicBlock(end);
    return false;
  }
  cpu_begin_block(e, end);
  restore_env(e, flow, flow->after);
  if (mask)
    e->mask = cpu_load_slot(e, e->mask_type, mask);
  return true;
}

// ---------------------------------------------------------- divergent if

typedef struct {
  const IrNode *node;
  const CpuFlow *flow;
  LLVMValueRef condition; // vector
  LLVMValueRef entry_mask;
  CpuShape *entry;
  CpuLeaf *old;         // by leaf, the values before
  LLVMValueRef *merged; // slots by leaf, NULL: dead behind
} Divergent;

static void divergent_begin(CpuEmit *e, Divergent *d, const IrNode *node,
                            LLVMValueRef condition) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  *d = (Divergent){.node = node, .flow = flow, .condition = condition};
  d->entry_mask = e->mask;
  d->entry = ARENA_ARRAY(e->arena, CpuShape, flow->n_leaves);
  d->old = ARENA_ARRAY(e->arena, CpuLeaf, flow->n_leaves);
  d->merged = ARENA_ARRAY(e->arena, LLVMValueRef, flow->n_leaves);
  save_env(e, flow, d->entry);
  EACH_LEAF(e, flow, i, leaf, at) {
    d->old[at] = load_leaf(e, flow->vars[i], leaf);
    d->old[at].shape = d->entry[at];
  }
}

static void divergent_make_merged(CpuEmit *e, Divergent *d) {
  EACH_LEAF(e, d->flow, i, leaf, at) {
    if (d->flow->after[at].kind == CPU_NONE)
      continue;
    CpuLeaf old = d->old[at];
    d->merged[at] = cpu_alloca(e, cpu_vector_type(e, old.type));
    LLVMBuildStore(e->b, cpu_as_vector(e, old), d->merged[at]);
  }
}

static void divergent_restore(CpuEmit *e, Divergent *d) {
  EACH_LEAF(e, d->flow, i, leaf, at) {
    cpu_store_var(e, leaf, d->old[at]);
  }
}

// The end of a branch: its lanes take its values.
static void divergent_merge(CpuEmit *e, Divergent *d, const IrRegion *region,
                            bool is_then) {
  EACH_LEAF(e, d->flow, i, leaf, at) {
    uint32_t var = d->flow->vars[i];
    if (!d->merged[at] || !cpu_region_assigns(e->plan, region, var))
      continue;
    CpuLeaf now = load_leaf(e, var, leaf);
    LLVMTypeRef type = cpu_vector_type(e, now.type);
    LLVMValueRef others = cpu_load_slot(e, type, d->merged[at]);
    LLVMValueRef mine = cpu_as_vector(e, now);
    LLVMValueRef merged =
        is_then ? LLVMBuildSelect(e->b, d->condition, mine, others, CPU_NAME)
                : LLVMBuildSelect(e->b, d->condition, others, mine, CPU_NAME);
    LLVMBuildStore(e->b, merged, d->merged[at]);
  }
}

static LLVMValueRef branch_mask(CpuEmit *e, const Divergent *d, bool is_then) {
  LLVMValueRef own = d->condition;
  if (!is_then)
    own = LLVMBuildNot(e->b, own, CPU_NAME);
  return cpu_mask_and(e, d->entry_mask, own);
}

// That some lane takes the branch; a scalar comparison where that is exact, for
// the branch must not run without lanes.
static LLVMValueRef any_goes(CpuEmit *e, const Divergent *d, bool is_then,
                             LLVMValueRef mask) {
  if (d->entry_mask != NULL || d->node->op != IR_IF ||
      !cpu_can_tell(e, d->node->args[0], !is_then) ||
      !cpu_tells_exactly(e, d->node->args[0]))
    return cpu_any(e, mask);
  LLVMValueRef none = cpu_tell(e, d->node->args[0], !is_then);
  return LLVMBuildNot(e->b, none, CPU_NAME);
}

// One branch that goes on, under its lanes; those that remain at its end go to
// `remaining` (NULL where no lane leaves).
static void divergent_branch(CpuEmit *e, Divergent *d, const IrRegion *region,
                             bool is_then, LLVMValueRef remaining) {
  LLVMValueRef mask = branch_mask(e, d, is_then);
  bool is_known = LLVMIsConstant(mask) && LLVMIsAConstantVector(mask);
  bool branches =
      remaining != NULL ||
      (!is_known && cpu_region_cost(e->plan, region) > CPU_SHORT_BODY);
  LLVMBasicBlockRef end = NULL;
  CpuSkip skip, *outer = e->skip;
  if (branches) {
    LLVMBasicBlockRef body = cpu_new_block(e, "some");
    end = cpu_new_block(e, "join");
    if (remaining)
      LLVMBuildStore(e->b, cpu_no_mask(e), remaining);
    LLVMBuildCondBr(e->b, any_goes(e, d, is_then, mask), body, end);
    cpu_begin_block(e, body);
    skip = (CpuSkip){end, remaining};
    e->skip = &skip;
  }
  e->mask = mask;
  if (cpu_emit_region(e, region)) {
    divergent_merge(e, d, region, is_then);
    if (remaining)
      LLVMBuildStore(e->b, cpu_mask(e), remaining);
    if (end)
      LLVMBuildBr(e->b, end);
  }
  if (end)
    cpu_begin_block(e, end);
  e->skip = outer;
  e->mask = d->entry_mask;
}

static bool cpu_control_is_empty(const IrNode *node, uint32_t region) {
  return node->n_regions <= region || node->regions[region].first == NULL;
}

static void divergent_end(CpuEmit *e, Divergent *d) {
  EACH_LEAF(e, d->flow, i, leaf, at) {
    e->env[leaf] = d->flow->after[at];
    if (!d->merged[at])
      continue;
    CpuLeaf merged = {.shape = cpu_varying(), .type = d->old[at].type};
    merged.v = cpu_load_slot(e, cpu_vector_type(e, merged.type), d->merged[at]);
    cpu_store_var(e, leaf, merged);
  }
}

// The only branch, where it holds in all lanes and where it doesn't.
static void emit_repeated(CpuEmit *e, Divergent *d) {
  const IrRegion *region = &d->node->regions[0];
  LLVMBasicBlockRef full = cpu_new_block(e, "all");
  LLVMBasicBlockRef partial = cpu_new_block(e, "not_all");
  LLVMBasicBlockRef end = cpu_new_block(e, "all_end");
  LLVMValueRef all = cpu_tell(e, d->node->args[0], true);
  LLVMBuildCondBr(e->b, all, full, partial);
  e->n_repeats++;
  cpu_begin_block(e, full);
  cpu_emit_region(e, region);
  EACH_LEAF(e, d->flow, i, leaf, at) {
    if (d->merged[at])
      LLVMBuildStore(e->b,
                     cpu_as_vector(e, load_leaf(e, d->flow->vars[i], leaf)),
                     d->merged[at]);
  }
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, partial);
  restore_env(e, d->flow, d->entry);
  d->condition = cpu_as_vector(e, cpu_leaf(e, d->node->args[0], 0));
  divergent_branch(e, d, region, true, NULL);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
  e->n_repeats--;
}

static bool may_repeat(const CpuEmit *e, const Divergent *d) {
  return d->node->op == IR_IF && !d->flow->leaks &&
         cpu_control_is_empty(d->node, 1) && !LLVMIsConstant(d->condition) &&
         cpu_can_tell(e, d->node->args[0], true) &&
         cpu_may_repeat(e, &d->node->regions[0]);
}

// Both branches go on.
static void emit_both(CpuEmit *e, Divergent *d) {
  const IrNode *node = d->node;
  bool leaks = d->flow->leaks;
  LLVMValueRef remaining[2] = {NULL, NULL};
  divergent_make_merged(e, d);
  if (may_repeat(e, d)) {
    emit_repeated(e, d);
    divergent_end(e, d);
    return;
  }
  for (uint32_t r = 0; r < 2; r++) {
    if (leaks)
      remaining[r] = cpu_alloca(e, e->mask_type);
    if (r == 1 && !cpu_control_is_empty(node, 1))
      divergent_restore(e, d);
    if (!cpu_control_is_empty(node, r))
      divergent_branch(e, d, &node->regions[r], r == 0, remaining[r]);
    else if (leaks)
      LLVMBuildStore(e->b, branch_mask(e, d, r == 0), remaining[r]);
  }
  divergent_end(e, d);
  if (!leaks)
    return;
  LLVMValueRef left = cpu_load_slot(e, e->mask_type, remaining[0]);
  e->mask = mask_or(e, left, remaining[1]);
  need_any(e, e->mask);
}

static void add_incoming(LLVMValueRef phi, LLVMValueRef value,
                         LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &value, &from, 1);
}

// All lanes of branch `first` leave; the other branch, if lanes are left, runs
// on without a join. What is left of the mask is a phi, not a slot: a switch
// has one for each label, and each slot costs LLVM a walk over all blocks
// behind it.
static bool emit_leaving(CpuEmit *e, Divergent *d, uint32_t first) {
  const IrNode *node = d->node;
  LLVMValueRef mask = branch_mask(e, d, first == 0);
  LLVMValueRef rest = branch_mask(e, d, first != 0);
  LLVMBasicBlockRef body = cpu_new_block(e, "some");
  LLVMBasicBlockRef gone = cpu_new_block(e, "gone");
  LLVMBasicBlockRef others = cpu_new_block(e, "others");
  // Unless somebody left, the mask stays what it is.
  LLVMValueRef whole = d->entry_mask ? d->entry_mask : cpu_full_mask(e);
  LLVMValueRef any = cpu_any(e, mask);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBuildCondBr(e->b, any, body, others);
  cpu_begin_block(e, body);
  CpuSkip skip = {gone, NULL}, *outer = e->skip;
  e->skip = &skip;
  e->mask = mask;
  cpu_emit_region(e, &node->regions[first]);
  e->skip = outer;
  cpu_begin_block(e, gone);
  divergent_restore(e, d);
  need_any(e, rest);
  LLVMBasicBlockRef behind = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, others);
  cpu_begin_block(e, others);
  e->mask = LLVMBuildPhi(e->b, e->mask_type, "");
  add_incoming(e->mask, whole, before);
  add_incoming(e->mask, rest, behind);
  restore_env(e, d->flow, d->entry);
  if (cpu_control_is_empty(node, 1 - first))
    return true;
  return cpu_emit_region(e, &node->regions[1 - first]);
}

bool cpu_emit_known(CpuEmit *e, const IrNode *node, uint32_t region) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  if (node->n_regions > region && !cpu_emit_region(e, &node->regions[region]))
    return false;
  EACH_LEAF(e, flow, i, leaf, at)
  settle_var(e, flow->vars[i], leaf, flow->after[at]);
  return true;
}

void cpu_emit_if(CpuEmit *e, const IrNode *node, bool *goes_on) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  bool value;
  if (e->plan->phases &&
      cpu_known_condition(node->args[0], e->warp_ranks, &value)) {
    *goes_on = cpu_emit_known(e, node, value ? 0 : 1);
    return;
  }
  CpuLeaf condition = cpu_leaf(e, node->args[0], 0);
  if (!flow->is_divergent) {
    *goes_on = cpu_control_emit_uniform(e, node, condition.v);
    return;
  }
  Divergent d;
  divergent_begin(e, &d, node, cpu_as_vector(e, condition));
  *goes_on = true;
  if (flow->goes_on[0] && flow->goes_on[1])
    emit_both(e, &d);
  else
    *goes_on = emit_leaving(e, &d, flow->goes_on[0] ? 1 : 0);
}

void cpu_emit_members(CpuEmit *e, const IrNode *node, LLVMValueRef member) {
  if (!cpu_flow(e->plan, node)->is_divergent) {
    cpu_control_emit_uniform(e, node, member);
    return;
  }
  Divergent d;
  divergent_begin(e, &d, node, member);
  emit_both(e, &d);
}

// ---------------------------------------------------------------- blocks

void cpu_emit_block(CpuEmit *e, const IrNode *node, bool *goes_on) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = cpu_target_new(e, node);
  CpuSkip skip = {NULL, NULL}, *outer = e->skip;
  if (flow->splits) {
    skip.block = cpu_new_block(e, "all_left");
    e->skip = &skip;
  }
  bool ends = cpu_emit_region(e, &node->regions[0]);
  if (ends)
    cpu_edge_after(e, node);
  e->skip = outer;
  *goes_on = ends || flow->is_left;
  if (flow->splits) {
    cpu_begin_block(e, skip.block);
    if (target->after_mask) {
      LLVMValueRef waiting = cpu_load_slot(e, e->mask_type, target->exited);
      LLVMBuildStore(e->b, waiting, target->after_mask);
      need_any(e, waiting);
    }
    LLVMBuildBr(e->b, target->after);
  }
  if (*goes_on)
    cpu_enter_after(e, node);
  else
    LLVMDeleteBasicBlock(target->after);
}

// --------------------------------------------------------------- regions

bool cpu_emit_from(CpuEmit *e, const IrNode *node) {
  for (; node; node = node->next)
    if (!cpu_emit_node(e, node))
      return false;
  return true;
}

bool cpu_emit_region(CpuEmit *e, const IrRegion *region) {
  return cpu_emit_from(e, region->first);
}

static bool emit_control(CpuEmit *e, const IrNode *node) {
  bool goes_on = true;
  switch (ir_control_op(node->op)) {
  case IR_IF: cpu_emit_if(e, node, &goes_on); break;
  case IR_LOOP: cpu_emit_loop(e, node, &goes_on); break;
  case IR_FOR: cpu_emit_for(e, node); break;
  case IR_BLOCK:
  case IR_CALL: cpu_emit_block(e, node, &goes_on); break;
  case IR_EXIT: cpu_emit_exit(e, node); return false;
  case IR_GROUP: cpu_emit_group(e, node); break;
  case IR_WITH: goes_on = cpu_emit_with(e, node); break;
  case IR_THREAD_FOR: cpu_emit_thread_for(e, node, &goes_on); break;
  }
  return goes_on;
}

bool cpu_emit_node(CpuEmit *e, const IrNode *node) {
  e->node = node;
  if (ir_family(node) == FAMILY_CONTROL)
    return emit_control(e, node);
  cpu_emit_value(e, node);
  return true;
}
