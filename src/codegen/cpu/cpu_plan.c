// SPDX-License-Identifier: Apache-2.0
// Numbering of leaves, variables assigned in each region, and the order of
// the plan's parts.
#include "codegen/cpu/cpu_plan.h"
#include "base/panic.h"
#include "codegen/cpu/cpu_expand.h"
#include "codegen/cpu/cpu_phase.h"
#include "ir/passes/passes.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- leaves

static bool number_node(IrNode *node, void *context) {
  CpuPlan *plan = context;
  // Until prefix sums are taken: the count, one place behind.
  plan->node_leaf[node->id + 1] = code_leaf_count(plan->module, node->type);
  return true;
}

static void cpu_plan_number_leaves(CpuPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  uint32_t n = kernel->n_nodes, n_vars = kernel->vars.count;
  plan->node_leaf = ARENA_ARRAY(plan->arena, uint32_t, n + 1);
  IrRegion body = kernel->body;
  ir_walk(&body, number_node, plan);
  for (uint32_t i = 0; i < n; i++)
    plan->node_leaf[i + 1] += plan->node_leaf[i];
  plan->shapes = ARENA_ARRAY(plan->arena, CpuShape, plan->node_leaf[n] + 1);
  plan->var_leaf = ARENA_ARRAY(plan->arena, uint32_t, n_vars + 1);
  for (uint32_t v = 0; v < n_vars; v++)
    plan->var_leaf[v + 1] =
        plan->var_leaf[v] +
        code_leaf_count(plan->module, kernel->vars.data[v].type);
  plan->n_var_leaves = plan->var_leaf[n_vars];
}

// ----------------------------------------------------- assigned variables

typedef hd_vec(uint32_t) IdList;

typedef struct {
  CpuPlan *plan;
  uint32_t *stamp;    // by variable: last node that noted it
  uint32_t *last_set; // by variable
} Assigned;

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void note_var(Assigned *cx, IdList *list, const IrNode *owner,
                     uint32_t var) {
  if (cx->stamp[var] == owner->id + 1)
    return;
  cx->stamp[var] = owner->id + 1;
  VEC_PUSH(cx->plan->arena, list, var);
}

static void note_operator(Assigned *cx, IdList *list, const IrNode *node) {
  uint32_t vars[3] = {node->u.by.left, node->u.by.right, node->u.by.result};
  for (int i = 0; i < 3; i++) {
    cx->last_set[vars[i]] = node->id;
    cx->plan->is_operator[vars[i]] = true;
    note_var(cx, list, node, vars[i]);
  }
}

static void note_own_var(Assigned *cx, IdList *list, const IrNode *node) {
  uint32_t var = node->op == IR_FOR ? node->u.loop.var : node->u.part.var;
  cx->last_set[var] = node->id;
  note_var(cx, list, node, var);
}

static bool is_long_function(IrMathOp op) {
  switch (op) {
  case IR_CBRT:
  case IR_EXP:
  case IR_EXP2:
  case IR_EXP10:
  case IR_EXPM1:
  case IR_LOG:
  case IR_LOG2:
  case IR_LOG10:
  case IR_LOG1P:
  case IR_SIN:
  case IR_COS:
  case IR_TAN:
  case IR_ASIN:
  case IR_ACOS:
  case IR_ATAN:
  case IR_SINH:
  case IR_COSH:
  case IR_TANH:
  case IR_ASINH:
  case IR_ACOSH:
  case IR_ATANH:
  case IR_ERF:
  case IR_ERFC:
  case IR_TGAMMA:
  case IR_LGAMMA:
  case IR_POW:
  case IR_ATAN2: return true;
  case IR_FREM:
  case IR_SQRT:
  case IR_RSQRT:
  case IR_FLOOR:
  case IR_CEIL:
  case IR_FTRUNC:
  case IR_ROUND:
  case IR_RINT:
  case IR_SIGMOID:
  case IR_SINPI:
  case IR_COSPI:
  case IR_FAST_EXP:
  case IR_FAST_EXP2:
  case IR_FAST_LOG:
  case IR_FAST_LOG2:
  case IR_FAST_SIN:
  case IR_FAST_COS:
  case IR_FAST_TANH:
  case IR_FAST_RSQRT:
  case IR_FAST_RCP:
  case IR_FAST_SQRT:
  case IR_HYPOT:
  case IR_FDIM:
  case IR_COPYSIGN:
  case IR_NEXTAFTER:
  case IR_FAST_POW:
  case IR_FAST_DIV:
  case IR_REMAINDER:
  case IR_LDEXP:
  case IR_ILOGB: break;
  }
  return false;
}

// Loops are dear for another reason as well: they end when their last lane
// leaves, so they must not begin without one.
static uint32_t cpu_plan_node_cost(const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  switch (info->form) {
  case FORM_ACCESS:
  case FORM_TEXT:
  case FORM_BARRIER:
  case FORM_COPY:
  case FORM_TILE:
  case FORM_SECTION: return 100;
  case FORM_CONST:
  case FORM_VAR:
  case FORM_INDEX:
  case FORM_EXIT: return 0;
  case FORM_PLAIN:
  case FORM_GROUP:
  case FORM_COLLECTIVE:
  case FORM_LOOP:
  case FORM_PART: break;
  }
  bool is_slow =
      (info->family == FAMILY_MATH && is_long_function(ir_math_op(node->op))) ||
      (info->flags & (OPF_COLLECTIVE | OPF_BLOCKS)) != 0 ||
      node->op == IR_LOOP || node->op == IR_FOR ||
      (node->op == IR_THREAD_FOR && !node->u.part.is_split) ||
      ir_divides(node->op) || node->op == IR_CLOCK ||
      node->op == IR_GLOBALTIMER;
  return is_slow ? 100 : 1;
}

uint32_t cpu_region_cost(const CpuPlan *plan, const IrRegion *region) {
  uint32_t cost = 0;
  for (const IrNode *node = region->first; node; node = node->next) {
    const CpuFlow *flow = cpu_flow(plan, node);
    cost += cpu_plan_node_cost(node) + (flow ? flow->cost : 0);
  }
  return cost;
}

bool cpu_region_assigns(const CpuPlan *plan, const IrRegion *region,
                        uint32_t var) {
  uint32_t leaf;
  for (const IrNode *node = region->first; node; node = node->next) {
    const CpuFlow *flow = cpu_flow(plan, node);
    if ((node->op == IR_SET && node->u.variable.var == var) ||
        (flow && cpu_flow_find(plan, flow, var, &leaf) >= 0))
      return true;
  }
  return false;
}

static void cpu_plan_collect(Assigned *cx, IrNode *node);

static void merge_child(Assigned *cx, IdList *list, const IrNode *owner,
                        const IrNode *child, CpuFlow *flow) {
  const CpuFlow *inner = cx->plan->flows[child->id];
  for (uint32_t i = 0; inner && i < inner->n_vars; i++)
    note_var(cx, list, owner, inner->vars[i]);
  flow->cost += cpu_plan_node_cost(child) + (inner ? inner->cost : 0);
  if (child->op == IR_SET)
    note_var(cx, list, owner, child->u.variable.var);
}

static void finish_flow(Assigned *cx, CpuFlow *flow, IdList *list) {
  CpuPlan *plan = cx->plan;
  if (list->count > 0)
    qsort(list->data, list->count, sizeof(uint32_t), compare_ids);
  flow->vars = list->data;
  flow->n_vars = list->count;
  flow->last_set = ARENA_ARRAY(plan->arena, uint32_t, list->count);
  for (uint32_t i = 0; i < list->count; i++) {
    uint32_t var = list->data[i];
    flow->last_set[i] = cx->last_set[var];
    flow->n_leaves += plan->var_leaf[var + 1] - plan->var_leaf[var];
  }
  flow->head = ARENA_ARRAY(plan->arena, CpuShape, flow->n_leaves);
  flow->after = ARENA_ARRAY(plan->arena, CpuShape, flow->n_leaves);
}

static void collect_regions(Assigned *cx, IrNode *node) {
  CpuFlow *flow = ARENA_NEW(cx->plan->arena, CpuFlow);
  flow->split_pos = flow->turn_pos = UINT32_MAX;
  cx->plan->flows[node->id] = flow;
  for (uint32_t r = 0; r < node->n_regions; r++)
    for (IrNode *child = node->regions[r].first; child; child = child->next)
      cpu_plan_collect(cx, child);
  IdList list = {0};
  if (node->op == IR_FOR || node->op == IR_THREAD_FOR)
    note_own_var(cx, &list, node);
  if (node->op == IR_REDUCE_BY || node->op == IR_SCAN_BY)
    note_operator(cx, &list, node);
  for (uint32_t r = 0; r < node->n_regions; r++)
    for (IrNode *child = node->regions[r].first; child; child = child->next)
      merge_child(cx, &list, node, child, flow);
  finish_flow(cx, flow, &list);
}

static void cpu_plan_collect(Assigned *cx, IrNode *node) {
  if (node->op == IR_SET)
    cx->last_set[node->u.variable.var] = node->id;
  if (node->n_regions > 0)
    collect_regions(cx, node);
}

static void collect_assigned(CpuPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  Assigned cx = {.plan = plan};
  cx.stamp = ARENA_ARRAY(plan->arena, uint32_t, kernel->vars.count);
  cx.last_set = ARENA_ARRAY(plan->arena, uint32_t, kernel->vars.count);
  plan->flows = ARENA_ARRAY(plan->arena, CpuFlow *, kernel->n_nodes);
  for (IrNode *node = kernel->body.first; node; node = node->next)
    cpu_plan_collect(&cx, node);
}

// Up to strands.
static CpuPlan *plan_begin(Arena *arena, const IrModule *module,
                           const IrKernel *kernel, bool has_checks,
                           bool is_scheduled, const char **why) {
  CpuPlan *plan = ARENA_NEW(arena, CpuPlan);
  const int32_t *dim = kernel->block_dim;
  plan->arena = arena;
  plan->module = module;
  plan->kernel = kernel;
  plan->has_checks = has_checks;
  plan->is_scheduled = is_scheduled;
  plan->n_own_objects = kernel->objects.count;
  plan->lanes = CPU_WARP;
  plan->n_threads = (uint32_t)(dim[0] * dim[1] * dim[2]);
  plan->n_warps = (plan->n_threads + CPU_WARP - 1) / CPU_WARP;
  HD_ASSERT(plan->n_threads > 0 && plan->n_threads <= CPU_MAX_BLOCK);
  uint32_t n_groups = kernel->groups.count;
  plan->ranks = ARENA_ARRAY(arena, CpuShape, n_groups);
  plan->counts = ARENA_ARRAY(arena, CpuShape, n_groups);
  plan->instances = ARENA_ARRAY(arena, CpuShape, n_groups);
  plan->parts = code_part_table(arena, kernel);
  plan->is_operator = ARENA_ARRAY(arena, bool, kernel->vars.count);
  plan->splits_exit = ARENA_ARRAY(arena, bool, kernel->n_nodes);
  plan->liveness = ir_liveness(arena, kernel);
  cpu_plan_number_leaves(plan);
  collect_assigned(plan);
  return cpu_plan_strands(plan, why) ? plan : NULL;
}

CpuPlan *cpu_plan_new(Arena *arena, const IrModule *module,
                      const IrKernel *kernel, bool has_checks,
                      bool is_scheduled, const char **why) {
  *why = NULL;
  CpuPlan *plan =
      plan_begin(arena, module, kernel, has_checks, is_scheduled, why);
  bool is_to_expand = plan != NULL && cpu_needs_expansion(plan);
  const IrKernel *expanded = is_to_expand ? cpu_expand(plan) : kernel;
  pass_done(PASS_EXPAND, expanded, is_to_expand);
  if (is_to_expand) {
    plan = plan_begin(arena, module, expanded, has_checks, is_scheduled, why);
    if (plan != NULL)
      plan->n_own_objects = kernel->objects.count;
  }
  bool is_ok =
      plan != NULL && cpu_plan_layout(plan, why) && cpu_plan_flow(plan, why);
  bool is_watched = has_checks && is_ok && ir_has_mbarriers(plan->kernel);
  if (is_ok && !is_watched && !is_scheduled)
    plan->phases = cpu_phases_new(plan);
  return is_ok ? plan : NULL;
}
