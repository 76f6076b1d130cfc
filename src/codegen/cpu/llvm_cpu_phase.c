// SPDX-License-Identifier: Apache-2.0
// A block as phases: see Note [Phases] in cpu_phase.h.
#include "base/panic.h"
#include "codegen/cpu/cpu_phase.h"
#include "codegen/cpu/llvm_cpu.h"

#include <llvm-c/Target.h>
#include <string.h>

#define EACH_LEAF(e, flow, i, leaf, at)                                        \
  for (uint32_t i = 0, at = 0; i < (flow)->n_vars; i++)                        \
    for (uint32_t leaf = (e)->plan->var_leaf[(flow)->vars[i]];                 \
         leaf < (e)->plan->var_leaf[(flow)->vars[i] + 1]; leaf++, at++)

static IrType cpu_phase_leaf_type(const CpuEmit *e, uint32_t var,
                                  uint32_t leaf) {
  uint32_t offset;
  return code_leaf_type(e->module, e->kernel->vars.data[var].type,
                        leaf - e->plan->var_leaf[var], &offset);
}

// ------------------------------------------------- what warps keep

// The place of this warp in an array by warp, made when it is first needed.
static LLVMValueRef kept_at(CpuEmit *e, LLVMValueRef *array, LLVMTypeRef type,
                            LLVMValueRef warp) {
  if (*array == NULL)
    *array = cpu_alloca(e, LLVMArrayType2(type, e->plan->n_warps));
  // In bytes: the index is a part of the rank, and both scales become one.
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(e->llvm), type);
  LLVMValueRef offset =
      LLVMBuildNUWMul(e->b, warp, cpu_i64(e, (int64_t)bytes), CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, *array, &offset, 1, CPU_NAME);
}

static void load_kept_var(CpuEmit *e, uint32_t var) {
  for (uint32_t leaf = e->plan->var_leaf[var];
       leaf < e->plan->var_leaf[var + 1]; leaf++) {
    CpuLeaf value = {.shape = e->env[leaf],
                     .type = cpu_phase_leaf_type(e, var, leaf)};
    uint8_t kind = value.shape.kind;
    if (kind == CPU_NONE)
      continue;
    LLVMTypeRef type = cpu_slot_type(e, value.type, kind);
    LLVMValueRef at =
        kept_at(e, &e->kept_vars[leaf][kind], type, e->warp_index);
    value.v = LLVMBuildLoad2(e->b, type, at, CPU_NAME);
    cpu_store_var(e, leaf, value);
  }
}

static void store_kept_var(CpuEmit *e, uint32_t var) {
  for (uint32_t leaf = e->plan->var_leaf[var];
       leaf < e->plan->var_leaf[var + 1]; leaf++) {
    uint8_t kind = e->env[leaf].kind;
    if (kind == CPU_NONE)
      continue;
    CpuLeaf value = cpu_load_var(e, leaf, cpu_phase_leaf_type(e, var, leaf));
    LLVMTypeRef type = cpu_slot_type(e, value.type, kind);
    LLVMBuildStore(e->b, value.v,
                   kept_at(e, &e->kept_vars[leaf][kind], type, e->warp_index));
  }
}

static LLVMTypeRef value_type(const CpuEmit *e, const IrNode *node,
                              uint32_t k) {
  uint32_t offset;
  uint32_t at = e->plan->node_leaf[node->id] + k;
  return cpu_slot_type(e, code_leaf_type(e->module, node->type, k, &offset),
                       e->plan->shapes[at].kind);
}

static uint32_t cpu_phase_leaf_count(const CpuEmit *e, const IrNode *node) {
  return e->plan->node_leaf[node->id + 1] - e->plan->node_leaf[node->id];
}

// What the form of a value has besides its vector.
static void store_form(CpuEmit *e, const IrNode *node) {
  CpuLeaf leaf = cpu_leaf(e, node, 0);
  LLVMValueRef *arrays = e->kept_forms[e->plan->node_leaf[node->id]];
  if (leaf.base)
    LLVMBuildStore(e->b, leaf.base,
                   kept_at(e, &arrays[0], e->i64, e->warp_index));
  if (leaf.row)
    LLVMBuildStore(e->b, leaf.row,
                   kept_at(e, &arrays[1], e->i64, e->warp_index));
}

static void load_form(CpuEmit *e, const IrNode *node, LLVMValueRef warp) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  LLVMValueRef *arrays = e->kept_forms[e->plan->node_leaf[node->id]];
  LLVMValueRef base = NULL, row = NULL;
  if (shape.form_bits > 0)
    base = LLVMBuildLoad2(e->b, e->i64, kept_at(e, &arrays[0], e->i64, warp),
                          CPU_NAME);
  if (shape.has_row)
    row = LLVMBuildLoad2(e->b, e->i64, kept_at(e, &arrays[1], e->i64, warp),
                         CPU_NAME);
  cpu_set_form(e, node, base, row);
}

static void store_results(CpuEmit *e, const CpuRun *run) {
  for (uint32_t i = 0; i < run->results.count; i++) {
    const IrNode *node = run->results.data[i];
    if (cpu_phase_leaf_count(e, node) == 1)
      store_form(e, node);
    for (uint32_t k = 0; k < cpu_phase_leaf_count(e, node); k++) {
      LLVMValueRef *array = &e->kept_values[e->plan->node_leaf[node->id] + k];
      LLVMBuildStore(e->b, cpu_leaf(e, node, k).v,
                     kept_at(e, array, value_type(e, node, k), e->warp_index));
    }
  }
}

static void load_result(CpuEmit *e, const IrNode *node, LLVMValueRef warp) {
  for (uint32_t k = 0; k < cpu_phase_leaf_count(e, node); k++) {
    LLVMValueRef *array = &e->kept_values[e->plan->node_leaf[node->id] + k];
    LLVMTypeRef type = value_type(e, node, k);
    LLVMValueRef at = kept_at(e, array, type, warp);
    cpu_set_value(e, node, k, LLVMBuildLoad2(e->b, type, at, CPU_NAME));
  }
  if (cpu_phase_leaf_count(e, node) == 1)
    load_form(e, node, warp);
}

static void load_externals(CpuEmit *e, const CpuRun *run) {
  for (uint32_t i = 0; i < run->externals.count; i++) {
    const IrNode *node = run->externals.data[i];
    if (cpu_is_cheap(e->plan->phases, node, 0))
      cpu_emit_value(e, node);
    else
      load_result(e, node, e->warp_index);
  }
}

// ------------------------------------------------------- private arrays

// Small arrays are copied to the run's own and back: they may then live in
// registers.
#define COPIED_BYTES 4096

static uint64_t array_bytes(const CpuEmit *e, uint32_t object) {
  return e->plan->privates[object].size_bytes * e->lanes;
}

static LLVMValueRef kept_array(CpuEmit *e, uint32_t object) {
  uint64_t bytes = array_bytes(e, object);
  LLVMValueRef offset =
      LLVMBuildMul(e->b, e->warp_index, cpu_i64(e, (int64_t)bytes), CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, e->kept_arrays[object], &offset, 1,
                       CPU_NAME);
}

// A copy of the array would be another place than its pointers lead to.
static bool is_copied(const CpuEmit *e, uint32_t object) {
  const CpuPhases *phases = e->plan->phases;
  return phases->keeps_array[object] && !phases->is_pointed[object] &&
         array_bytes(e, object) <= COPIED_BYTES;
}

static void take_arrays(CpuEmit *e, const CpuRun *run) {
  for (uint32_t i = 0; i < e->kernel->objects.count; i++)
    if (e->plan->phases->is_pointed[i])
      e->privates[i] = kept_array(e, i);
  for (uint32_t i = 0; i < run->objects.count; i++) {
    uint32_t object = run->objects.data[i];
    if (!e->plan->phases->keeps_array[object])
      continue;
    uint64_t bytes = array_bytes(e, object);
    LLVMValueRef kept = kept_array(e, object);
    e->privates[object] = kept;
    if (!is_copied(e, object))
      continue;
    e->privates[object] = cpu_alloca(e, LLVMArrayType2(e->i8, bytes));
    LLVMSetAlignment(e->privates[object], 64);
    LLVMBuildMemCpy(e->b, e->privates[object], 64, kept, 64,
                    cpu_i64(e, (int64_t)bytes));
  }
}

static void give_arrays(CpuEmit *e, const CpuRun *run) {
  for (uint32_t i = 0; i < run->objects.count; i++) {
    uint32_t object = run->objects.data[i];
    uint64_t bytes = array_bytes(e, object);
    if (is_copied(e, object))
      LLVMBuildMemCpy(e->b, kept_array(e, object), 64, e->privates[object], 64,
                      cpu_i64(e, (int64_t)bytes));
  }
}

// ------------------------------------------------------------------ runs

typedef struct {
  const CpuRun *run;
  CpuShape *env; // where the run starts
} RunContext;

static void emit_run_for_warp(CpuEmit *e, void *context) {
  const RunContext *cx = context;
  const CpuRun *run = cx->run;
  LLVMBasicBlockRef end = cpu_new_block(e, "run_end");
  CpuSkip *outer = e->skip;
  e->skip = ARENA_NEW(e->arena, CpuSkip);
  e->skip->block = end;
  memcpy(e->env, cx->env, e->plan->n_var_leaves * sizeof(CpuShape));
  cpu_begin_groups(e);
  for (uint32_t i = 0; i < run->loads.count; i++)
    load_kept_var(e, run->loads.data[i]);
  load_externals(e, run);
  take_arrays(e, run);
  for (uint32_t i = 0; i < run->nodes.count; i++)
    if (!cpu_emit_node(e, run->nodes.data[i]))
      break;
  for (uint32_t i = 0; i < run->stores.count; i++)
    store_kept_var(e, run->stores.data[i]);
  store_results(e, run);
  give_arrays(e, run);
  if (LLVMGetFirstUse(LLVMBasicBlockAsValue(end))) {
    LLVMBuildBr(e->b, end);
    cpu_begin_block(e, end);
  } else {
    LLVMDeleteBasicBlock(end);
  }
  e->skip = outer;
}

// ------------------------------------------------- warps of a kind
// Conditions such as `rank() < 64` are known for most warps: code is made for
// those in which it holds, those in which it doesn't, and those between.

static bool add_edges(IrNode *node, void *context) {
  CpuEdges *edges = context;
  if (node->op == IR_IF)
    cpu_add_edges(node->args[0], edges);
  else if (node->op == IR_GROUP)
    cpu_add_member_edges(node, edges);
  return true;
}

static void find_edges(const CpuRun *run, CpuEdges *edges) {
  for (uint32_t i = 0; i < run->nodes.count; i++) {
    IrNode *node = run->nodes.data[i];
    add_edges(node, edges);
    for (uint32_t r = 0; r < node->n_regions; r++)
      ir_walk(&node->regions[r], add_edges, edges);
  }
}

// Nothing that the node does matters behind it.
static bool cpu_phase_is_idle(const IrNode *node, CpuRanks ranks,
                              uint32_t depth) {
  bool value;
  if (node->op == IR_GET || node->op == IR_SET ||
      (ir_op_info(node)->flags & OPF_PURE) != 0)
    return true;
  if (node->op == IR_LOAD)
    return node->u.access.order == ORDER_PLAIN;
  if (node->op == IR_GROUP)
    return cpu_known_member(node, ranks, &value) && !value;
  if (node->op != IR_IF || depth == 0 ||
      !cpu_known_condition(node->args[0], ranks, &value))
    return false;
  const IrNode *inner = node->regions[value ? 0 : 1].first;
  while (inner && cpu_phase_is_idle(inner, ranks, depth - 1))
    inner = inner->next;
  return inner == NULL;
}

#define IDLE_DEPTH 8

static bool is_idle_run(const CpuEmit *e, const CpuRun *run, uint32_t first,
                        uint32_t last) {
  int64_t last_rank = (int64_t)last * CPU_WARP - 1;
  if (last_rank >= e->plan->n_threads)
    last_rank = (int64_t)e->plan->n_threads - 1;
  CpuRanks ranks = {(int64_t)first * CPU_WARP, last_rank};
  if (run->stores.count > 0 || run->results.count > 0 || e->plan->has_checks)
    return false;
  for (uint32_t i = 0; i < run->nodes.count; i++)
    if (!cpu_phase_is_idle(run->nodes.data[i], ranks, IDLE_DEPTH))
      return false;
  return true;
}

// Longer runs are cut only where that makes a part idle: each part is emitted
// anew, and a mask more is little beside the rest.
#define MOST_CUT_OPERATIONS 24

static bool count_operation(IrNode *node, void *context) {
  uint32_t *count = context;
  IrForm form = ir_op_info(node)->form;
  *count += form != FORM_CONST && form != FORM_VAR && form != FORM_INDEX;
  return *count <= MOST_CUT_OPERATIONS;
}

static bool is_short_run(const CpuRun *run) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->nodes.count; i++) {
    IrNode *node = run->nodes.data[i];
    count_operation(node, &count);
    for (uint32_t r = 0; r < node->n_regions; r++)
      ir_walk(&node->regions[r], count_operation, &count);
  }
  return count <= MOST_CUT_OPERATIONS;
}

static bool has_idle_part(const CpuEmit *e, const CpuRun *run,
                          const CpuEdges *edges) {
  uint32_t first = 0;
  for (uint32_t i = 0; i <= edges->count; i++) {
    uint32_t last = i < edges->count ? edges->warps[i] : e->plan->n_warps;
    if (is_idle_run(e, run, first, last))
      return true;
    first = last;
  }
  return false;
}

static void emit_run(CpuEmit *e, uint32_t number) {
  const CpuRun *run = e->plan->phases->runs.data[number];
  RunContext cx = {.run = run};
  cx.env =
      arena_copy(e->arena, e->env, e->plan->n_var_leaves * sizeof(CpuShape));
  for (uint32_t w = 0; w < e->plan->n_warps && run->is_straight; w++)
    if (!is_idle_run(e, run, w, w + 1))
      cpu_some_warps(e, w, w + 1, emit_run_for_warp, &cx);
  if (run->is_straight)
    return;
  CpuEdges edges = {.n_warps = e->plan->n_warps};
  if (!e->plan->has_checks)
    find_edges(run, &edges);
  if (!is_short_run(run) && !has_idle_part(e, run, &edges))
    edges.count = 0;
  uint32_t first = 0;
  for (uint32_t i = 0; i <= edges.count; i++) {
    uint32_t last = i < edges.count ? edges.warps[i] : e->plan->n_warps;
    if (edges.count == 0 || !is_idle_run(e, run, first, last))
      cpu_some_warps(e, first, last, emit_run_for_warp, &cx);
    first = last;
  }
}

// ----------------------------------------------------- edges of a block

typedef struct {
  const CpuFlow *flow;
  const CpuShape *shapes;
} SettleContext;

static bool is_to_settle(const CpuEmit *e, const CpuFlow *flow, uint32_t i,
                         uint32_t leaf, CpuShape shape) {
  return shape.kind != CPU_NONE && e->env[leaf].kind != CPU_NONE &&
         e->env[leaf].kind != shape.kind &&
         !e->plan->phases->is_shared[flow->vars[i]] &&
         e->plan->phases->is_kept[flow->vars[i]];
}

static void settle_warp(CpuEmit *e, void *context) {
  const SettleContext *cx = context;
  EACH_LEAF(e, cx->flow, i, leaf, at) {
    CpuShape from = e->env[leaf], to = cx->shapes[at];
    if (!is_to_settle(e, cx->flow, i, leaf, to))
      continue;
    CpuLeaf value = {.shape = from,
                     .type = cpu_phase_leaf_type(e, cx->flow->vars[i], leaf)};
    LLVMTypeRef type = cpu_slot_type(e, value.type, from.kind);
    value.v = LLVMBuildLoad2(
        e->b, type,
        kept_at(e, &e->kept_vars[leaf][from.kind], type, e->warp_index),
        CPU_NAME);
    value = cpu_convert(e, value, to);
    type = cpu_slot_type(e, value.type, to.kind);
    LLVMBuildStore(
        e->b, value.v,
        kept_at(e, &e->kept_vars[leaf][to.kind], type, e->warp_index));
  }
}

// Makes all warps keep their variables in the shapes of `shapes`.
static void cpu_phase_settle(CpuEmit *e, const CpuFlow *flow,
                             const CpuShape *shapes) {
  SettleContext cx = {flow, shapes};
  bool any = false;
  EACH_LEAF(e, flow, i, leaf, at)
  any |= is_to_settle(e, flow, i, leaf, shapes[at]);
  if (any)
    cpu_each_warp(e, settle_warp, &cx);
}

static void cpu_phase_set_env(CpuEmit *e, const CpuFlow *flow,
                              const CpuShape *shapes) {
  EACH_LEAF(e, flow, i, leaf, at) e->env[leaf] = shapes[at];
}

static CpuShape *copy_env(CpuEmit *e, const CpuFlow *flow) {
  CpuShape *copy = ARENA_ARRAY(e->arena, CpuShape, flow->n_leaves);
  EACH_LEAF(e, flow, i, leaf, at) copy[at] = e->env[leaf];
  return copy;
}

// -------------------------------------------------------- control

static bool emit_items(CpuEmit *e, const CpuItems *items);

// A scalar that all warps agree on.
static LLVMValueRef block_value(CpuEmit *e, const IrNode *value) {
  if (!e->plan->phases->is_block[value->id])
    load_result(e, value, cpu_i64(e, e->plan->n_warps - 1));
  CpuLeaf leaf = cpu_leaf(e, value, 0);
  HD_ASSERT(leaf.shape.kind == CPU_UNIFORM);
  return leaf.v;
}

static const CpuItems *region_items(const CpuEmit *e, const IrNode *node,
                                    uint32_t region) {
  return &e->plan->phases->regions[region][node->id];
}

static bool emit_phased_if(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuShape *entry = copy_env(e, flow);
  LLVMBasicBlockRef end = cpu_new_block(e, "end");
  LLVMBasicBlockRef branches[2] = {cpu_new_block(e, "then"),
                                   cpu_new_block(e, "else")};
  LLVMBuildCondBr(e->b, block_value(e, node->args[0]), branches[0],
                  branches[1]);
  bool goes_on = false;
  for (uint32_t r = 0; r < 2; r++) {
    cpu_begin_block(e, branches[r]);
    cpu_phase_set_env(e, flow, entry);
    if (node->n_regions > r && !emit_items(e, region_items(e, node, r)))
      continue;
    cpu_phase_settle(e, flow, flow->after);
    LLVMBuildBr(e->b, end);
    goes_on = true;
  }
  if (!goes_on) {
    LLVMDeleteBasicBlock(end);
    return false;
  }
  cpu_begin_block(e, end);
  cpu_phase_set_env(e, flow, flow->after);
  return true;
}

static bool cpu_phase_enter_after(CpuEmit *e, const IrNode *node,
                                  bool is_reached) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  LLVMBasicBlockRef after = e->targets[node->id]->after;
  if (!is_reached) {
    LLVMDeleteBasicBlock(after);
    return false;
  }
  cpu_begin_block(e, after);
  cpu_phase_set_env(e, flow, flow->after);
  return true;
}

static bool emit_phased_block(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = cpu_target_new(e, node);
  bool ends = emit_items(e, region_items(e, node, 0));
  if (ends) {
    cpu_phase_settle(e, flow, flow->after);
    LLVMBuildBr(e->b, target->after);
  }
  return cpu_phase_enter_after(e, node, ends || flow->is_left);
}

static void cpu_phase_emit_turn(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  e->phased_depth++;
  bool goes_on = emit_items(e, region_items(e, node, 0));
  e->phased_depth--;
  if (!goes_on)
    return;
  cpu_phase_settle(e, flow, flow->head);
  LLVMBuildBr(e->b, e->targets[node->id]->latch);
}

static bool emit_phased_loop(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = cpu_target_new(e, node);
  target->latch = cpu_new_block(e, "turn");
  cpu_phase_settle(e, flow, flow->head);
  LLVMBuildBr(e->b, target->latch);
  cpu_begin_block(e, target->latch);
  cpu_phase_set_env(e, flow, flow->head);
  cpu_phase_emit_turn(e, node);
  return cpu_phase_enter_after(e, node, flow->is_left);
}

static LLVMIntPredicate predicate_of(const IrNode *node) {
  bool is_down = node->u.loop.step < 0, is_signed = node->u.loop.is_signed;
  if (node->u.loop.is_inclusive)
    return is_down ? (is_signed ? LLVMIntSGE : LLVMIntUGE)
                   : (is_signed ? LLVMIntSLE : LLVMIntULE);
  return is_down ? (is_signed ? LLVMIntSGT : LLVMIntUGT)
                 : (is_signed ? LLVMIntSLT : LLVMIntULT);
}

static bool emit_phased_for(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  CpuTarget *target = cpu_target_new(e, node);
  uint32_t leaf = e->plan->var_leaf[node->u.loop.var];
  CpuLeaf now = cpu_leaf_of(cpu_uniform(), node->args[0]->type,
                            block_value(e, node->args[0]));
  LLVMValueRef bound = block_value(e, node->args[1]);
  LLVMTypeRef type = cpu_scalar_type(e, now.type);
  LLVMValueRef slot = cpu_alloca(e, type);
  LLVMBasicBlockRef header = cpu_new_block(e, "turn");
  LLVMBasicBlockRef body = cpu_new_block(e, "body");
  LLVMBasicBlockRef end = cpu_new_block(e, "end");
  target->latch = cpu_new_block(e, "latch");
  LLVMBuildStore(e->b, now.v, slot);
  cpu_phase_settle(e, flow, flow->head);
  LLVMBuildBr(e->b, header);
  cpu_begin_block(e, header);
  cpu_phase_set_env(e, flow, flow->head);
  now.v = cpu_load_slot(e, type, slot);
  cpu_store_var(e, leaf, now);
  LLVMValueRef more =
      LLVMBuildICmp(e->b, predicate_of(node), now.v, bound, CPU_NAME);
  LLVMBuildCondBr(e->b, more, body, end);
  cpu_begin_block(e, end);
  cpu_phase_settle(e, flow, flow->after);
  LLVMBuildBr(e->b, target->after);
  cpu_begin_block(e, body);
  cpu_phase_set_env(e, flow, flow->head);
  e->env[leaf] = now.shape;
  cpu_phase_emit_turn(e, node);
  cpu_begin_block(e, target->latch);
  LLVMValueRef step = LLVMConstInt(type, (uint64_t)node->u.loop.step, 1);
  LLVMBuildStore(
      e->b, LLVMBuildAdd(e->b, cpu_load_slot(e, type, slot), step, CPU_NAME),
      slot);
  LLVMBuildBr(e->b, header);
  return cpu_phase_enter_after(e, node, true);
}

static void emit_phased_exit(CpuEmit *e, const IrNode *node) {
  const IrNode *to = node->u.exit.target;
  const CpuFlow *flow = cpu_flow(e->plan, to);
  const CpuTarget *target = e->targets[to->id];
  bool is_loop = to->op == IR_LOOP || to->op == IR_FOR;
  bool is_turn = node->u.exit.is_continue && is_loop;
  cpu_phase_settle(e, flow, is_turn ? flow->head : flow->after);
  LLVMBuildBr(e->b, is_turn ? target->latch : target->after);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static bool emit_phased(CpuEmit *e, const IrNode *node) {
  switch (node->op) {
  case IR_IF: return emit_phased_if(e, node);
  case IR_LOOP: return emit_phased_loop(e, node);
  case IR_FOR: return emit_phased_for(e, node);
  case IR_BLOCK:
  case IR_CALL: return emit_phased_block(e, node);
  case IR_EXIT: emit_phased_exit(e, node); return false;
  case IR_SYNC:
    if (e->plan->has_checks && !(node->flags & NODE_OWN))
      cpu_tell_block_sync(e);
    return true; // runs follow each other
  case IR_JOIN: return true;
  default: HD_PANIC("operation %d can't be phased", (int)node->op);
  }
}

#pragma GCC diagnostic pop

static bool emit_items(CpuEmit *e, const CpuItems *items) {
  for (uint32_t i = 0; i < items->items.count; i++) {
    const CpuItem *item = &items->items.data[i];
    bool goes_on = true;
    switch (item->kind) {
    case ITEM_BLOCK_NODE: cpu_emit_value(e, item->node); break;
    case ITEM_RUN: emit_run(e, item->run); break;
    case ITEM_PHASED: goes_on = emit_phased(e, item->node); break;
    }
    if (!goes_on)
      return false;
  }
  return true;
}

void cpu_emit_phases(CpuEmit *e) {
  const CpuPlan *plan = e->plan;
  e->kept_vars =
      arena_alloc_array(e->arena, plan->n_var_leaves, sizeof e->kept_vars[0]);
  e->kept_values =
      ARENA_ARRAY(e->arena, LLVMValueRef, plan->node_leaf[e->kernel->n_nodes]);
  e->kept_forms = arena_alloc_array(
      e->arena, plan->node_leaf[e->kernel->n_nodes], sizeof e->kept_forms[0]);
  e->kept_arrays =
      ARENA_ARRAY(e->arena, LLVMValueRef, e->kernel->objects.count);
  for (uint32_t i = 0; i < e->kernel->objects.count; i++)
    if (plan->phases->keeps_array[i]) {
      e->kept_arrays[i] = cpu_alloca(
          e, LLVMArrayType2(e->i8, array_bytes(e, i) * plan->n_warps));
      LLVMSetAlignment(e->kept_arrays[i], 64);
    }
  memset(e->env, 0, plan->n_var_leaves * sizeof(CpuShape));
  LLVMBasicBlockRef end = cpu_new_block(e, "phases_end");
  if (emit_items(e, &plan->phases->body)) {
    cpu_drop_rows(e);
    LLVMBuildBr(e->b, end);
  }
  cpu_begin_block(e, end);
}
