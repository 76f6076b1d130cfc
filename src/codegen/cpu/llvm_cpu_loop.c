// SPDX-License-Identifier: Apache-2.0
// Loops. Lanes that leave early wait behind the loop with copies of their
// variables; nothing is merged inside.
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/llvm_parts.h"

static CpuTarget *loop_begin(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = cpu_target_new(e, node);
  target->latch = cpu_new_block(e, "latch");
  if (flow->splits || flow->splits_turn || flow->leaks) {
    target->turn_mask = cpu_alloca(e, e->mask_type);
    LLVMBuildStore(e->b, cpu_mask(e), target->turn_mask);
  }
  return target;
}

static void settle_at_head(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  uint32_t at = 0;
  for (uint32_t i = 0; i < flow->n_vars; i++) {
    uint32_t var = flow->vars[i], first = e->plan->var_leaf[var], offset;
    for (uint32_t leaf = first; leaf < e->plan->var_leaf[var + 1];
         leaf++, at++) {
      CpuShape shape = flow->head[at];
      IrType type = code_leaf_type(e->module, e->kernel->vars.data[var].type,
                                   leaf - first, &offset);
      if (shape.kind != CPU_NONE && e->env[leaf].kind != shape.kind)
        cpu_store_var(e, leaf,
                      cpu_convert(e, cpu_load_var(e, leaf, type), shape));
      e->env[leaf] = shape;
    }
  }
}

static void use_head_env(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  uint32_t at = 0;
  for (uint32_t i = 0; i < flow->n_vars; i++)
    for (uint32_t leaf = e->plan->var_leaf[flow->vars[i]];
         leaf < e->plan->var_leaf[flow->vars[i] + 1]; leaf++)
      e->env[leaf] = flow->head[at++];
}

static void turn_begin(CpuEmit *e, const IrNode *node,
                       LLVMBasicBlockRef header) {
  CpuTarget *target = e->targets[node->id];
  cpu_begin_block(e, header);
  use_head_env(e, node);
  if (target->turn_mask)
    e->mask = cpu_load_slot(e, e->mask_type, target->turn_mask);
  if (target->turned)
    LLVMBuildStore(e->b, cpu_no_mask(e), target->turned);
}

// Variables that lanes kept over the end of their turn.
static void take_turn_copies(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  const CpuTarget *target = e->targets[node->id];
  uint32_t at = 0;
  for (uint32_t i = 0; i < flow->n_vars; i++) {
    uint32_t var = flow->vars[i], first = e->plan->var_leaf[var], offset;
    for (uint32_t leaf = first; leaf < e->plan->var_leaf[var + 1];
         leaf++, at++) {
      if (!target->turn_copies[at])
        continue;
      CpuLeaf merged = {.shape = cpu_varying()};
      merged.type = code_leaf_type(e->module, e->kernel->vars.data[var].type,
                                   leaf - first, &offset);
      merged.v = cpu_load_slot(e, cpu_vector_type(e, merged.type),
                               target->turn_copies[at]);
      cpu_store_var(e, leaf, merged);
    }
  }
}

// Where all lanes of a turn left: those that ended it early go on, else the
// loop is over.
static void emit_all_left(CpuEmit *e, const IrNode *node, CpuSkip *skip,
                          CpuSkip *outer) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = e->targets[node->id];
  cpu_begin_block(e, skip->block);
  if (target->turned) {
    LLVMValueRef waiting = cpu_load_slot(e, e->mask_type, target->turned);
    LLVMBasicBlockRef over = cpu_new_block(e, "over");
    LLVMBuildStore(e->b, waiting, target->turn_mask);
    LLVMBuildCondBr(e->b, cpu_any(e, waiting), target->latch, over);
    cpu_begin_block(e, over);
  }
  LLVMBasicBlockRef nobody = outer ? outer->block : NULL;
  if (!flow->splits) {
    if (outer->slot)
      LLVMBuildStore(e->b, cpu_no_mask(e), outer->slot);
    LLVMBuildBr(e->b, nobody);
    return;
  }
  if (!target->after_mask) {
    LLVMBuildBr(e->b, target->after);
    return;
  }
  LLVMValueRef exited = cpu_load_slot(e, e->mask_type, target->exited);
  LLVMBuildStore(e->b, exited, target->after_mask);
  if (outer->slot)
    LLVMBuildStore(e->b, cpu_no_mask(e), outer->slot);
  LLVMBuildCondBr(e->b, cpu_any(e, exited), target->after, nobody);
}

// The body of one turn; ends at the latch or behind the loop.
static void emit_turn(CpuEmit *e, const IrNode *node, CpuSkip *skip) {
  CpuTarget *target = e->targets[node->id];
  CpuSkip *outer = e->skip;
  if (target->turn_mask)
    e->skip = skip;
  if (cpu_emit_region(e, &node->regions[0]))
    cpu_edge_turn(e, node);
  e->skip = outer;
}

static void emit_latch(CpuEmit *e, const IrNode *node) {
  cpu_begin_block(e, e->targets[node->id]->latch);
  take_turn_copies(e, node);
  use_head_env(e, node);
  if (cpu_flow(e->plan, node)->yields && e->is_coroutine)
    cpu_coro_yield(e, node);
}

// Turns in which no lane leaves; goes to `masked` before the first other one.
static void emit_full_turns(CpuEmit *e, const IrNode *node,
                            const IrNode *leaving, LLVMBasicBlockRef masked) {
  CpuTarget *target = e->targets[node->id];
  LLVMBasicBlockRef header = cpu_new_block(e, "full_turn");
  LLVMBasicBlockRef body = cpu_new_block(e, "full_body");
  LLVMBasicBlockRef latch = target->latch;
  target->latch = cpu_new_block(e, "full_latch");
  LLVMBuildBr(e->b, header);
  cpu_begin_block(e, header);
  use_head_env(e, node);
  for (const IrNode *n = node->regions[0].first; n != leaving; n = n->next)
    cpu_emit_value(e, n);
  LLVMBuildCondBr(e->b, cpu_tell(e, leaving->args[0], false), body, masked);
  cpu_begin_block(e, body);
  e->n_repeats++;
  if (cpu_emit_from(e, leaving->next))
    cpu_edge_turn(e, node);
  e->n_repeats--;
  cpu_begin_block(e, target->latch);
  LLVMBuildBr(e->b, header);
  target->latch = latch;
  e->mask = NULL;
}

void cpu_emit_loop(CpuEmit *e, const IrNode *node, bool *goes_on) {
  CpuTarget *target = loop_begin(e, node);
  LLVMBasicBlockRef header = cpu_new_block(e, "turn");
  CpuSkip skip = {NULL, NULL};
  if (target->turn_mask)
    skip.block = cpu_new_block(e, "all_left");
  settle_at_head(e, node);
  const IrNode *leaving = cpu_leading_exit(e, node);
  if (leaving && cpu_may_repeat(e, &node->regions[0]))
    emit_full_turns(e, node, leaving, header);
  else
    LLVMBuildBr(e->b, header);
  turn_begin(e, node, header);
  emit_turn(e, node, &skip);
  emit_latch(e, node);
  LLVMBuildBr(e->b, header);
  if (target->turn_mask)
    emit_all_left(e, node, &skip, e->skip);
  *goes_on = cpu_flow(e->plan, node)->is_left;
  if (*goes_on)
    cpu_enter_after(e, node);
  else
    LLVMDeleteBasicBlock(target->after);
}

// ---------------------------------------------------------- counted loops

typedef struct {
  const IrNode *node;
  uint32_t var;
  CpuLeaf first;
  CpuLeaf bound;
  int64_t step;
  LLVMIntPredicate goes_on; // variable against bound
  CpuShape shape;           // of the variable
  // Of strided loops, else NULL: a slot with the number of iterations from the
  // one of rank 0 on, i64. It decides, because the variable of a thread that
  // is done may wrap. `rank` is a thread's in the group of `n_threads`.
  LLVMValueRef left;
  CpuLeaf rank;
  int64_t n_threads;
} Counted;

// Groups that share a warp may have bounds of their own.
static bool has_own_bounds(const Counted *c) {
  return c->first.shape.kind == CPU_VARYING ||
         c->bound.shape.kind != CPU_UNIFORM;
}

static LLVMTypeRef left_type(const CpuEmit *e, const Counted *c) {
  return has_own_bounds(c) ? cpu_vector_of(e, e->i64) : e->i64;
}

static LLVMValueRef compare_rank(CpuEmit *e, const Counted *c) {
  LLVMTypeRef type = left_type(e, c);
  LLVMValueRef left = cpu_load_slot(e, type, c->left);
  if (has_own_bounds(c)) {
    LLVMValueRef rank = cpu_as_vector(e, c->rank);
    rank = LLVMBuildSExt(e->b, rank, type, CPU_NAME);
    return LLVMBuildICmp(e->b, LLVMIntSLT, rank, left, CPU_NAME);
  }
  LLVMValueRef most = cpu_i64(e, INT32_MAX);
  LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntSLT, left, most, CPU_NAME);
  left = LLVMBuildSelect(e->b, fits, left, most, CPU_NAME);
  left = LLVMBuildTrunc(e->b, left, e->i32, CPU_NAME);
  if (c->rank.shape.kind == CPU_UNIFORM)
    return LLVMBuildICmp(e->b, LLVMIntSLT, c->rank.v, left, CPU_NAME);
  return LLVMBuildICmp(e->b, LLVMIntSLT, cpu_as_vector(e, c->rank),
                       cpu_splat(e, left), CPU_NAME);
}

static LLVMValueRef cpu_loop_compare(CpuEmit *e, const Counted *c,
                                     CpuLeaf now) {
  if (c->left)
    return compare_rank(e, c);
  if (now.shape.kind == CPU_UNIFORM && c->bound.shape.kind == CPU_UNIFORM)
    return LLVMBuildICmp(e->b, c->goes_on, now.v, c->bound.v, CPU_NAME);
  return LLVMBuildICmp(e->b, c->goes_on, cpu_as_vector(e, now),
                       cpu_as_vector(e, c->bound), CPU_NAME);
}

// Lanes whose count is over leave; those that remain are the mask.
static void leave_at_head(CpuEmit *e, const Counted *c, LLVMValueRef more,
                          CpuSkip *skip) {
  LLVMValueRef stay = cpu_mask_and(e, e->mask, more);
  LLVMValueRef end = LLVMBuildNot(e->b, more, CPU_NAME);
  LLVMValueRef leaving = cpu_mask_and(e, e->mask, end);
  LLVMBasicBlockRef some = cpu_new_block(e, "some_end");
  LLVMBasicBlockRef body = cpu_new_block(e, "body");
  LLVMBuildCondBr(e->b, cpu_any(e, leaving), some, body);
  cpu_begin_block(e, some);
  cpu_leave(e, c->node, leaving, false);
  LLVMBuildCondBr(e->b, cpu_any(e, stay), body, skip->block);
  cpu_begin_block(e, body);
  e->mask = stay;
}

static CpuLeaf next_count(CpuEmit *e, const Counted *c, CpuLeaf now) {
  if (now.shape.kind == CPU_AFFINE) {
    now.v = LLVMBuildAdd(e->b, now.v, cpu_i64(e, c->step), CPU_NAME);
    return now;
  }
  LLVMTypeRef type = cpu_scalar_type(e, now.type);
  LLVMValueRef step = LLVMConstInt(type, (uint64_t)c->step, 1);
  if (now.shape.kind == CPU_VARYING)
    step = cpu_const_splat(e, step);
  now.v = LLVMBuildAdd(e->b, now.v, step, CPU_NAME);
  return now;
}

static LLVMTypeRef count_type(CpuEmit *e, const Counted *c) {
  if (c->shape.kind == CPU_AFFINE)
    return e->i64;
  return c->shape.kind == CPU_VARYING ? cpu_vector_type(e, c->first.type)
                                      : cpu_scalar_type(e, c->first.type);
}

static void cpu_loop_count_on(CpuEmit *e, const Counted *c, CpuLeaf now,
                              LLVMValueRef slot) {
  now.v = cpu_load_slot(e, count_type(e, c), slot);
  LLVMBuildStore(e->b, next_count(e, c, now).v, slot);
  if (!c->left)
    return;
  LLVMValueRef left = cpu_load_slot(e, left_type(e, c), c->left);
  LLVMValueRef done = cpu_i64(e, c->n_threads);
  if (has_own_bounds(c))
    done = cpu_const_splat(e, done);
  LLVMBuildStore(e->b, LLVMBuildSub(e->b, left, done, CPU_NAME), c->left);
}

// Whether a scalar comparison tells that all lanes go on.
static bool can_tell(const Counted *c, CpuLeaf now) {
  if (!c->left)
    return cpu_can_tell_count(now, c->bound, c->goes_on);
  return !has_own_bounds(c) &&
         cpu_can_tell_count(c->rank, c->bound, LLVMIntSLT);
}

// All lanes go on for `turns` turns.
static LLVMValueRef cpu_loop_tell(CpuEmit *e, const Counted *c, CpuLeaf now,
                                  uint32_t turns) {
  int64_t later = (int64_t)turns - 1;
  if (!c->left)
    return cpu_tell_count(e, now, later * c->step, c->bound, c->goes_on);
  CpuLeaf left = cpu_leaf_of(cpu_uniform(), ir_scalar(IR_TYPE_I64),
                             cpu_load_slot(e, e->i64, c->left));
  return cpu_tell_count(e, c->rank, later * c->n_threads, left, LLVMIntSLT);
}

// Counts that are the same for all lanes, in 32 bits.
static bool can_tell_uniform(const Counted *c, CpuLeaf now) {
  return !c->left && now.shape.kind == CPU_UNIFORM &&
         c->bound.shape.kind == CPU_UNIFORM && now.type.kind == IR_TYPE_I32;
}

static LLVMValueRef cpu_loop_tell_uniform(CpuEmit *e, const Counted *c,
                                          CpuLeaf now, uint32_t turns) {
  bool is_signed = c->node->u.loop.is_signed;
  LLVMValueRef a = LLVMBuildIntCast2(e->b, now.v, e->i64, is_signed, CPU_NAME);
  LLVMValueRef b =
      LLVMBuildIntCast2(e->b, c->bound.v, e->i64, is_signed, CPU_NAME);
  // The bound is moved, which needs no work in the loop.
  b = LLVMBuildSub(e->b, b, cpu_i64(e, ((int64_t)turns - 1) * c->step),
                   CPU_NAME);
  LLVMIntPredicate p = c->step > 0 ? LLVMIntSLT : LLVMIntSGT;
  if (c->node->u.loop.is_inclusive)
    p = c->step > 0 ? LLVMIntSLE : LLVMIntSGE;
  return LLVMBuildICmp(e->b, p, a, b, CPU_NAME);
}

typedef struct {
  const CpuEmit *e;
  bool found;
} SplitSearch;

static bool cpu_loop_find_split(IrNode *node, void *context) {
  SplitSearch *search = context;
  search->found |=
      node->op == IR_EXIT && search->e->plan->splits_exit[node->id];
  return !search->found;
}

// Lanes leave by their count alone.
static bool may_run_full(const CpuEmit *e, const Counted *c, CpuLeaf now) {
  const CpuFlow *flow = cpu_flow(e->plan, c->node);
  if (!flow->is_divergent || flow->splits_turn || flow->leaks || flow->yields ||
      !can_tell(c, now) || !cpu_may_repeat(e, &c->node->regions[0]))
    return false;
  SplitSearch search = {e, false};
  IrRegion body = c->node->regions[0];
  ir_walk(&body, cpu_loop_find_split, &search);
  return !search.found;
}

// Runs `turns` turns at a time while all lanes go on for as many; then goes to
// `next`.
static void emit_full_counts(CpuEmit *e, const Counted *c, LLVMValueRef slot,
                             uint32_t turns, LLVMBasicBlockRef next) {
  const IrNode *node = c->node;
  CpuTarget *target = e->targets[node->id];
  LLVMBasicBlockRef header = cpu_new_block(e, "full_turn");
  LLVMBasicBlockRef body = cpu_new_block(e, "full_body");
  LLVMBasicBlockRef latch = target->latch;
  CpuLeaf now = {.shape = c->shape, .type = c->first.type};
  LLVMBuildBr(e->b, header);
  cpu_begin_block(e, header);
  now.v = cpu_load_slot(e, count_type(e, c), slot);
  LLVMValueRef go_on = cpu_flow(e->plan, node)->is_divergent
                           ? cpu_loop_tell(e, c, now, turns)
                           : cpu_loop_tell_uniform(e, c, now, turns);
  LLVMBuildCondBr(e->b, go_on, body, next);
  cpu_begin_block(e, body);
  e->n_repeats++;
  for (uint32_t turn = 0; turn < turns; turn++) {
    target->latch = cpu_new_block(e, "full_latch");
    use_head_env(e, node);
    now.v = cpu_load_slot(e, count_type(e, c), slot);
    cpu_store_var(e, e->plan->var_leaf[c->var], now);
    if (cpu_emit_region(e, &node->regions[0]))
      cpu_edge_turn(e, node);
    cpu_begin_block(e, target->latch);
    cpu_loop_count_on(e, c, now, slot);
  }
  e->n_repeats--;
  LLVMBuildBr(e->b, header);
  target->latch = latch;
  e->mask = NULL;
}

// Note [Turns in a row]
// How much memory a core asks for at once depends on how many of its next
// instructions it sees. So loops over long arrays that do little else run some
// turns between two tests of their end.
#define TURNS_IN_A_ROW       4
#define MOST_TURNS_IN_A_ROW  16
#define OPERATIONS_IN_A_TURN 16

static uint32_t turns_in_a_row(const CpuEmit *e, const Counted *c) {
  const IrNode *node = c->node;
  int32_t asked = node->op == IR_FOR ? node->u.loop.unroll : 0;
  uint32_t n_operations = 0, n_accesses = 0;
  if (e->mask || e->lanes == 1 || asked == 1 || cpu_flow(e->plan, node)->yields)
    return 1;
  for (const IrNode *n = node->regions[0].first; n; n = n->next) {
    const IrOpInfo *info = ir_op_info(n);
    bool is_access = n->op == IR_LOAD || n->op == IR_STORE;
    if (info->form == FORM_CONST || info->form == FORM_VAR)
      continue;
    if (n->n_regions > 0 || !(is_access || (info->flags & OPF_PURE)))
      return 1;
    n_operations++;
    n_accesses += is_access && n->u.access.object &&
                  n->u.access.object->space == SPACE_GLOBAL;
  }
  if (asked > 1)
    return asked < MOST_TURNS_IN_A_ROW ? (uint32_t)asked : MOST_TURNS_IN_A_ROW;
  return n_accesses > 0 && n_operations <= OPERATIONS_IN_A_TURN ? TURNS_IN_A_ROW
                                                                : 1;
}

// The turns that need no masks, first some at a time; ends at `header`.
static void emit_fast_turns(CpuEmit *e, const Counted *c, CpuLeaf now,
                            LLVMValueRef slot, LLVMBasicBlockRef header) {
  bool is_divergent = cpu_flow(e->plan, c->node)->is_divergent;
  bool runs_full = may_run_full(e, c, now);
  uint32_t turns = turns_in_a_row(e, c);
  if (turns > 1 && (runs_full || (!is_divergent && can_tell_uniform(c, now)))) {
    LLVMBasicBlockRef one = runs_full ? cpu_new_block(e, "few_left") : header;
    emit_full_counts(e, c, slot, turns, one);
    if (!runs_full)
      return;
    cpu_begin_block(e, one);
  }
  if (runs_full)
    emit_full_counts(e, c, slot, 1, header);
  else
    LLVMBuildBr(e->b, header);
}

static void emit_counted(CpuEmit *e, Counted *c) {
  const IrNode *node = c->node;
  const CpuFlow *flow = cpu_flow(e->plan, node);
  uint32_t leaf = e->plan->var_leaf[c->var], at = 0;
  cpu_flow_find(e->plan, flow, c->var, &at);
  c->shape = flow->head[at];
  CpuTarget *target = loop_begin(e, node);
  LLVMBasicBlockRef header = cpu_new_block(e, "turn");
  CpuSkip skip = {NULL, NULL};
  if (target->turn_mask)
    skip.block = cpu_new_block(e, "all_left");
  CpuLeaf now = cpu_convert(e, c->first, c->shape);
  LLVMValueRef slot = cpu_alloca(e, count_type(e, c));
  LLVMBuildStore(e->b, now.v, slot);
  cpu_store_var(e, leaf, now);
  settle_at_head(e, node);
  cpu_tell_turns(e, node);
  emit_fast_turns(e, c, now, slot, header);
  turn_begin(e, node, header);
  now.v = cpu_load_slot(e, count_type(e, c), slot);
  cpu_store_var(e, leaf, now);
  LLVMValueRef more = cpu_loop_compare(e, c, now);
  if (flow->is_divergent) {
    leave_at_head(e, c, more, &skip);
  } else {
    LLVMBasicBlockRef body = cpu_new_block(e, "body");
    LLVMBasicBlockRef end = cpu_new_block(e, "end");
    LLVMBuildCondBr(e->b, more, body, end);
    cpu_begin_block(e, end);
    cpu_edge_after(e, node);
    use_head_env(e, node);
    cpu_begin_block(e, body);
  }
  emit_turn(e, node, &skip);
  emit_latch(e, node);
  cpu_loop_count_on(e, c, now, slot);
  LLVMBuildBr(e->b, header);
  if (target->turn_mask)
    emit_all_left(e, node, &skip, e->skip);
  cpu_turns_end(e);
  cpu_enter_after(e, node);
}

// ------------------------------------------------------------- unrolling

#define UNROLL_TURNS      8
#define UNROLL_OPERATIONS 64
#define UNROLL_MOST       4096

static bool counts_private(IrNode *node, void *context) {
  bool *found = context;
  const IrOpInfo *info = ir_op_info(node);
  *found |= info->form == FORM_ACCESS && node->u.access.object &&
            node->u.access.object->space == SPACE_LOCAL;
  return !*found;
}

static bool cpu_loop_count_node(IrNode *node, void *context) {
  uint32_t *count = context;
  *count += ir_op_info(node)->form != FORM_CONST &&
            ir_op_info(node)->form != FORM_VAR;
  return true;
}

// Turns of a loop that is repeated in the code, 0: a loop it stays. Private
// arrays live in registers only under constant indices.
static uint32_t unrolled_turns(const CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  uint32_t turns = cpu_constant_turns(node), count = 0;
  if (flow->is_divergent || flow->splits || flow->splits_turn || flow->leaks ||
      flow->yields || node->u.loop.unroll > 0 || turns == 0)
    return 0;
  bool has_private = false;
  IrRegion body = node->regions[0];
  ir_walk(&body, cpu_loop_count_node, &count);
  ir_walk(&body, counts_private, &has_private);
  if (turns * count > UNROLL_MOST)
    return 0;
  if (node->u.loop.unroll < 0 || (has_private && turns <= 2 * UNROLL_TURNS))
    return turns;
  return turns <= UNROLL_TURNS && turns * count <= UNROLL_OPERATIONS ? turns
                                                                     : 0;
}

static void emit_unrolled(CpuEmit *e, const Counted *c, uint32_t turns) {
  const IrNode *node = c->node;
  CpuTarget *target = cpu_target_new(e, node);
  CpuSkip skip = {NULL, NULL};
  LLVMTypeRef type = cpu_scalar_type(e, c->first.type);
  uint32_t leaf = e->plan->var_leaf[c->var];
  CpuLeaf now = c->first;
  settle_at_head(e, node);
  now.shape = cpu_uniform();
  cpu_store_var(e, leaf, now);
  cpu_tell_turns(e, node);
  for (uint32_t turn = 0; turn < turns; turn++) {
    target->latch = cpu_new_block(e, "latch");
    now.v = LLVMBuildAdd(e->b, c->first.v,
                         LLVMConstInt(type, (uint64_t)(turn * c->step), 1),
                         CPU_NAME);
    now.shape = cpu_uniform();
    cpu_store_var(e, leaf, now);
    emit_turn(e, node, &skip);
    cpu_begin_block(e, target->latch);
    use_head_env(e, node);
  }
  cpu_turns_end(e);
  now.v = LLVMBuildAdd(e->b, c->first.v,
                       LLVMConstInt(type, (uint64_t)(turns * c->step), 1),
                       CPU_NAME);
  cpu_store_var(e, leaf, now);
  cpu_edge_after(e, node);
  cpu_enter_after(e, node);
}

void cpu_emit_for(CpuEmit *e, const IrNode *node) {
  if (cpu_emit_matrix(e, node))
    return;
  Counted c = {.node = node, .var = node->u.loop.var};
  c.first = cpu_leaf(e, node->args[0], 0);
  c.bound = cpu_leaf(e, node->args[1], 0);
  c.step = node->u.loop.step;
  c.goes_on = llvm_count_predicate(c.step < 0, node->u.loop.is_signed,
                                   node->u.loop.is_inclusive);
  uint32_t turns = unrolled_turns(e, node);
  if (turns > 0)
    emit_unrolled(e, &c, turns);
  else
    emit_counted(e, &c);
}

static LLVMValueRef as_i64(CpuEmit *e, CpuLeaf leaf, bool is_vector) {
  if (!is_vector)
    return cpu_base(e, leaf);
  return LLVMBuildIntCast2(e->b, cpu_as_vector(e, leaf),
                           cpu_vector_of(e, e->i64), 1, CPU_NAME);
}

static LLVMValueRef i64_like(CpuEmit *e, int64_t value, bool is_vector) {
  LLVMValueRef v = cpu_i64(e, value);
  return is_vector ? cpu_const_splat(e, v) : v;
}

// Iterations of a strided loop, at most INT64_MAX; 0 or less if none.
static LLVMValueRef iterations(CpuEmit *e, const Counted *c, CpuLeaf low) {
  bool is_vector = has_own_bounds(c);
  LLVMValueRef lo = as_i64(e, low, is_vector);
  LLVMValueRef hi = as_i64(e, c->bound, is_vector);
  LLVMValueRef span = LLVMBuildSub(e->b, hi, lo, CPU_NAME);
  int64_t step = c->node->u.part.step;
  if (low.type.kind != IR_TYPE_I64 && step == 1)
    return span;
  LLVMValueRef none = i64_like(e, 0, is_vector);
  LLVMValueRef one = i64_like(e, 1, is_vector);
  LLVMValueRef most = i64_like(e, INT64_MAX, is_vector);
  LLVMValueRef n = LLVMBuildSub(e->b, span, one, CPU_NAME);
  n = LLVMBuildUDiv(e->b, n, i64_like(e, step, is_vector), CPU_NAME);
  LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntULT, n, most, CPU_NAME);
  n = LLVMBuildSelect(e->b, fits, LLVMBuildAdd(e->b, n, one, CPU_NAME), most,
                      CPU_NAME);
  LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntSLT, lo, hi, CPU_NAME);
  return LLVMBuildSelect(e->b, some, n, none, CPU_NAME);
}

// Thread r runs lo + r * step, lo + (r + M) * step, …
void cpu_emit_strided(CpuEmit *e, const IrNode *node) {
  const IrGroup *parent = node->u.part.parent;
  const IrGroup *group = node->u.part.group;
  int64_t size =
      parent->kind == GROUP_BLOCK ? e->plan->n_threads : parent->size;
  CpuLeaf rank = cpu_group_rank(e, parent), low = cpu_leaf(e, node->args[0], 0);
  Counted c = {.node = node, .var = node->u.part.var};
  c.step = (int64_t)((uint64_t)node->u.part.step * (uint64_t)size);
  c.goes_on = LLVMIntSLT;
  c.rank = rank;
  c.n_threads = size;
  c.bound = cpu_leaf(e, node->args[1], 0);
  const CpuFlow *flow = cpu_flow(e->plan, node);
  uint32_t at = 0;
  cpu_flow_find(e->plan, flow, c.var, &at);
  c.first = (CpuLeaf){.type = low.type, .shape = flow->head[at]};
  if (c.first.shape.kind == CPU_VARYING) {
    LLVMTypeRef type = cpu_scalar_type(e, low.type);
    LLVMValueRef ranks = cpu_as_vector(e, rank);
    ranks = LLVMBuildIntCast2(e->b, ranks, cpu_vector_of(e, type), 1, CPU_NAME);
    LLVMValueRef step =
        cpu_const_splat(e, LLVMConstInt(type, (uint64_t)node->u.part.step, 1));
    c.first.v =
        LLVMBuildAdd(e->b, cpu_as_vector(e, low),
                     LLVMBuildMul(e->b, ranks, step, CPU_NAME), CPU_NAME);
  } else {
    LLVMValueRef offset = LLVMBuildMul(e->b, cpu_base(e, rank),
                                       cpu_i64(e, node->u.part.step), CPU_NAME);
    c.first.v = LLVMBuildAdd(e->b, cpu_base(e, low), offset, CPU_NAME);
    if (c.first.shape.kind == CPU_UNIFORM)
      c.first.v = LLVMBuildTrunc(e->b, c.first.v, cpu_scalar_type(e, low.type),
                                 CPU_NAME);
  }
  c.left = cpu_alloca(e, left_type(e, &c));
  LLVMBuildStore(e->b, iterations(e, &c, low), c.left);
  e->ranks[group->id] = (CpuLeaf){.shape = cpu_uniform(),
                                  .type = ir_scalar(IR_TYPE_I32),
                                  .v = cpu_i32(e, 0)};
  e->counts[group->id] = rank;
  e->instances[group->id] = cpu_group_instance(e, parent);
  emit_counted(e, &c);
}
