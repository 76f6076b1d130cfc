// SPDX-License-Identifier: Apache-2.0
// Shapes of all values and variables, and where masks split.
//
// Note [Shapes by repeated passes]
// One pass walks the tree in program order with the current shape of every
// variable (`env`), as emission will. What a pass learns about loop heads,
// exits and divergence only ever grows (a join, a flag set, an earlier split),
// and the walk is repeated until nothing grows.
//
// Note [Copies for lanes that left]
// Lanes that leave a node early must find their variables as they were then.
// A variable needs a copy only if it is live behind the node and assigned at
// or behind the place where lanes part (`split_pos`, the outermost node around
// the exit that not all lanes run): what was assigned before is the same for
// all. In loops a later turn is behind every place.
#include "codegen/cpu/cpu_flow.h"
#include "codegen/cpu/cpu_plan.h"

#include <string.h>

// ------------------------------------------------------------ flow tables

int32_t cpu_flow_find(const CpuPlan *plan, const CpuFlow *flow, uint32_t var,
                      uint32_t *leaf) {
  uint32_t low = 0, high = flow->n_vars;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (flow->vars[middle] < var)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == flow->n_vars || flow->vars[low] != var)
    return -1;
  *leaf = 0;
  for (uint32_t i = 0; i < low; i++)
    *leaf += plan->var_leaf[flow->vars[i] + 1] - plan->var_leaf[flow->vars[i]];
  return (int32_t)low;
}

bool cpu_is_live_after(const CpuPlan *plan, const IrNode *node, uint32_t var) {
  return plan->liveness == NULL || plan->is_operator[var] ||
         liveness_after(plan->liveness, node, var);
}

bool cpu_is_live_at_turn(const CpuPlan *plan, const IrNode *node,
                         uint32_t var) {
  return plan->liveness == NULL || plan->is_operator[var] ||
         liveness_at_entry(plan->liveness, &node->regions[0], var);
}

static bool cpu_flow_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

bool cpu_needs_copy(const CpuPlan *plan, const IrNode *node, uint32_t index,
                    bool is_turn) {
  const CpuFlow *flow = cpu_flow(plan, node);
  uint32_t pos = is_turn ? flow->turn_pos : flow->split_pos;
  if (pos == UINT32_MAX)
    return false;
  if (is_turn)
    return flow->last_set[index] >= pos &&
           cpu_is_live_at_turn(plan, node, flow->vars[index]);
  return (cpu_flow_is_loop(node) || flow->last_set[index] >= pos) &&
         cpu_is_live_after(plan, node, flow->vars[index]);
}

#define EACH_LEAF(plan, flow, i, leaf, at)                                     \
  for (uint32_t i = 0, at = 0; i < (flow)->n_vars; i++)                        \
    for (uint32_t leaf = (plan)->var_leaf[(flow)->vars[i]];                    \
         leaf < (plan)->var_leaf[(flow)->vars[i] + 1]; leaf++, at++)

// ------------------------------------------------------- growing the tables

static void cpu_flow_grow(CpuPass *pass, CpuShape *slot, CpuShape shape) {
  CpuShape joined = cpu_shape_join(*slot, shape);
  if (cpu_shape_equal(joined, *slot))
    return;
  // Alignment shrinks by many small steps in a loop: give it up at once.
  if (slot->kind == joined.kind && slot->align_log2 > joined.align_log2 &&
      joined.align_log2 < CPU_WARP_LOG2)
    joined.align_log2 = 0;
  // Likewise bounds.
  if (slot->kind != CPU_NONE && slot->most != joined.most)
    joined.most = 0;
  *slot = joined;
  pass->changed = true;
}

static void raise(CpuPass *pass, bool *flag, bool value) {
  if (value && !*flag) {
    *flag = true;
    pass->changed = true;
  }
}

static void lower_pos(CpuPass *pass, uint32_t *pos, uint32_t value) {
  if (value < *pos) {
    *pos = value;
    pass->changed = true;
  }
}

static void cpu_flow_save(const CpuPass *pass, const CpuFlow *flow,
                          CpuShape *into) {
  EACH_LEAF(pass->plan, flow, i, leaf, at) into[at] = pass->env[leaf];
}

static void cpu_flow_restore(CpuPass *pass, const CpuFlow *flow,
                             const CpuShape *from) {
  EACH_LEAF(pass->plan, flow, i, leaf, at) pass->env[leaf] = from[at];
}

static CpuShape *scratch(const CpuPass *pass, const CpuFlow *flow) {
  return ARENA_ARRAY(pass->scratch, CpuShape, flow->n_leaves);
}

// The env flows behind the node; dead variables end here.
static void flow_after(CpuPass *pass, const IrNode *node) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  EACH_LEAF(pass->plan, flow, i, leaf, at) {
    if (cpu_is_live_after(pass->plan, node, flow->vars[i]))
      cpu_flow_grow(pass, &flow->after[at], pass->env[leaf]);
  }
}

// The env flows to the next turn, where a counted loop may be left.
static void flow_turn(CpuPass *pass, const IrNode *node) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  EACH_LEAF(pass->plan, flow, i, leaf, at) {
    if (cpu_is_live_at_turn(pass->plan, node, flow->vars[i]) ||
        cpu_is_live_after(pass->plan, node, flow->vars[i]))
      cpu_flow_grow(pass, &flow->head[at], pass->env[leaf]);
  }
}

// ------------------------------------------------------------- the walk

static bool walk_region(CpuPass *pass, IrRegion *region);

static void set_env(CpuPass *pass, uint32_t var, CpuShape shape) {
  for (uint32_t leaf = pass->plan->var_leaf[var];
       leaf < pass->plan->var_leaf[var + 1]; leaf++)
    pass->env[leaf] = shape;
}

static void walk_if(CpuPass *pass, IrNode *node, bool *goes_on) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  CpuShape *entry = scratch(pass, flow), *then_end = scratch(pass, flow);
  bool diverges = cpu_node_shape(pass->plan, node->args[0]).kind == CPU_VARYING;
  raise(pass, &flow->is_divergent, diverges);
  cpu_flow_save(pass, flow, entry);
  pass->depth += flow->is_divergent;
  bool then_goes = walk_region(pass, &node->regions[0]);
  cpu_flow_save(pass, flow, then_end);
  cpu_flow_restore(pass, flow, entry);
  bool else_goes = node->n_regions < 2 || walk_region(pass, &node->regions[1]);
  pass->depth -= flow->is_divergent;
  *goes_on = then_goes || else_goes;
  flow->goes_on[0] = then_goes;
  flow->goes_on[1] = else_goes;
  EACH_LEAF(pass->plan, flow, i, leaf, at) {
    CpuShape shape = pass->env[leaf]; // the end of else
    if (then_goes && !else_goes)
      shape = then_end[at];
    else if (then_goes && !flow->is_divergent)
      shape = cpu_shape_join(then_end[at], shape);
    else if (then_goes)
      shape = cpu_is_live_after(pass->plan, node, flow->vars[i])
                  ? cpu_varying()
                  : (CpuShape){0};
    flow->after[at] = pass->env[leaf] = shape;
  }
}

// Members run the body, others keep their variables.
static void walk_members(CpuPass *pass, IrNode *node) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  CpuShape *entry = scratch(pass, flow);
  cpu_flow_save(pass, flow, entry);
  pass->depth += flow->is_divergent;
  walk_region(pass, &node->regions[0]);
  pass->depth -= flow->is_divergent;
  EACH_LEAF(pass->plan, flow, i, leaf, at) {
    CpuShape shape = cpu_shape_join(entry[at], pass->env[leaf]);
    if (flow->is_divergent)
      shape = cpu_is_live_after(pass->plan, node, flow->vars[i])
                  ? cpu_varying()
                  : (CpuShape){0};
    flow->after[at] = pass->env[leaf] = shape;
  }
}

static uint32_t split_depth(const CpuFlow *flow) {
  return flow->splits || flow->splits_turn || flow->is_divergent;
}

// What is behind a node that exits lead to.
static void cpu_flow_enter_after(CpuPass *pass, IrNode *node) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  EACH_LEAF(pass->plan, flow, i, leaf, at) {
    if (flow->splits && cpu_needs_copy(pass->plan, node, i, false))
      cpu_flow_grow(pass, &flow->after[at], cpu_varying());
    pass->env[leaf] = flow->after[at];
  }
}

static void enter_turn(CpuPass *pass, IrNode *node) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  EACH_LEAF(pass->plan, flow, i, leaf, at) {
    if (flow->splits_turn && cpu_needs_copy(pass->plan, node, i, true))
      cpu_flow_grow(pass, &flow->head[at], cpu_varying());
    pass->env[leaf] = flow->head[at];
  }
}

static void cpu_flow_walk_loop(CpuPass *pass, IrNode *node) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  flow_turn(pass, node);
  enter_turn(pass, node);
  pass->depth += split_depth(flow);
  flow->depth = pass->depth;
  if (walk_region(pass, &node->regions[0]))
    flow_turn(pass, node);
  pass->depth -= split_depth(flow);
  cpu_flow_enter_after(pass, node);
}

// A counted loop, or the strided form of thread_for: `first` is the shape of
// the variable at its first turn.
static void walk_counted(CpuPass *pass, IrNode *node, uint32_t var,
                         CpuShape first, CpuShape bound, int64_t step) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  bool diverges = first.kind != CPU_UNIFORM || bound.kind != CPU_UNIFORM;
  raise(pass, &flow->is_divergent, diverges);
  if (flow->is_divergent) {
    raise(pass, &flow->splits, true);
    lower_pos(pass, &flow->split_pos, node->id);
  }
  uint32_t step_align =
      step == 0 ? 62 : (uint32_t)__builtin_ctzll((uint64_t)step);
  if (first.align_log2 > step_align)
    first.align_log2 = (uint8_t)step_align;
  first.is_nonneg = first.is_nonneg && step > 0;
  if (node->op == IR_FOR && !node->u.loop.is_signed && !bound.is_nonneg)
    first.is_exact = first.is_nonneg = false; // its base may pass 2^31
  bool is_bounded =
      first.is_nonneg && bound.is_nonneg && first.most > 0 && bound.most > 0;
  if (first.most < bound.most)
    first.most = bound.most;
  if (!is_bounded)
    first.most = 0;
  set_env(pass, var, first);
  flow_turn(pass, node);
  enter_turn(pass, node);
  // The variable steps by itself and keeps its shape.
  uint32_t at = 0;
  cpu_flow_find(pass->plan, flow, var, &at);
  cpu_flow_grow(pass, &flow->head[at], first);
  set_env(pass, var, flow->head[at]);
  flow_after(pass, node);
  flow->is_left = true;
  pass->depth += split_depth(flow);
  flow->depth = pass->depth;
  bool goes_on = walk_region(pass, &node->regions[0]);
  set_env(pass, var, flow->head[at]);
  if (goes_on)
    flow_turn(pass, node);
  pass->depth -= split_depth(flow);
  cpu_flow_enter_after(pass, node);
}

static void walk_block(CpuPass *pass, IrNode *node, bool *goes_on) {
  CpuFlow *flow = cpu_flow(pass->plan, node);
  pass->depth += split_depth(flow);
  flow->depth = pass->depth;
  bool ends = walk_region(pass, &node->regions[0]);
  pass->depth -= split_depth(flow);
  if (ends)
    flow_after(pass, node);
  *goes_on = ends || flow->is_left;
  cpu_flow_enter_after(pass, node);
}

static const IrNode *outermost_split(const CpuPass *pass, const IrNode *node,
                                     const IrNode *target) {
  const IrNode *outermost = node;
  for (const IrNode *up = node->region->owner; up && up != target;
       up = up->region->owner) {
    const CpuFlow *flow = cpu_flow(pass->plan, up);
    if (flow->is_divergent || flow->splits || flow->splits_turn)
      outermost = up;
  }
  return outermost;
}

static void walk_exit(CpuPass *pass, IrNode *node) {
  CpuPlan *plan = pass->plan;
  IrNode *target = node->u.exit.target;
  CpuFlow *flow = cpu_flow(plan, target);
  bool is_turn = node->u.exit.is_continue && cpu_flow_is_loop(target);
  if (is_turn)
    flow_turn(pass, target);
  else
    flow_after(pass, target);
  flow->is_left |= !is_turn;
  if (pass->depth <= flow->depth)
    return;
  raise(pass, &plan->splits_exit[node->id], true);
  uint32_t pos = outermost_split(pass, node, target)->id;
  raise(pass, is_turn ? &flow->splits_turn : &flow->splits, true);
  lower_pos(pass, is_turn ? &flow->turn_pos : &flow->split_pos, pos);
  for (IrNode *up = node->region->owner; up && up != target;
       up = up->region->owner)
    raise(pass, &cpu_flow(plan, up)->leaks, true);
}

// ---------------------------------------------------------------- groups

static bool begin_shape(const CpuPass *pass, const IrNode *node,
                        uint8_t *align) {
  const IrGroup *group = node->u.part.group;
  *align = 62;
  if (node->n_args == 0) {
    int64_t begin = group->begin < 0 ? 0 : group->begin;
    *align = begin == 0 ? 62 : (uint8_t)__builtin_ctzll((uint64_t)begin);
    return true;
  }
  CpuShape begin = cpu_node_shape(pass->plan, node->args[0]);
  *align = begin.align_log2;
  return begin.kind == CPU_UNIFORM;
}

static bool group_diverges(const CpuPass *pass, const IrNode *node) {
  CpuPlan *plan = pass->plan;
  const IrGroup *group = node->u.part.group;
  if (cpu_group_keeps_strands(plan, group))
    return false;
  CpuShape rank = cpu_rank_shape(plan, node->u.part.parent);
  uint8_t align;
  bool is_uniform = begin_shape(pass, node, &align);
  if (rank.kind == CPU_UNIFORM && is_uniform)
    return false;
  return !(is_uniform && rank.kind == CPU_AFFINE &&
           rank.period_log2 == CPU_WARP_LOG2 && rank.step == 1 &&
           rank.align_log2 >= CPU_WARP_LOG2 && align >= CPU_WARP_LOG2 &&
           group->size > 0 && group->size % CPU_WARP == 0);
}

static void walk_group(CpuPass *pass, IrNode *node) {
  CpuPlan *plan = pass->plan;
  CpuFlow *flow = cpu_flow(plan, node);
  const IrGroup *group = node->u.part.group;
  raise(pass, &flow->is_divergent, group_diverges(pass, node));
  CpuShape rank = cpu_rank_shape(plan, node->u.part.parent);
  uint8_t align;
  if (!begin_shape(pass, node, &align))
    rank = cpu_varying();
  if (rank.align_log2 > align)
    rank.align_log2 = align;
  if (group->size == 1) {
    rank = cpu_uniform();
    rank.is_nonneg = true;
  }
  plan->ranks[group->id] = rank;
  plan->counts[group->id] = cpu_uniform();
  plan->instances[group->id] = cpu_instance_shape(plan, node->u.part.parent);
  walk_members(pass, node);
}

static int64_t parent_size(const CpuPlan *plan, const IrNode *node) {
  const IrGroup *parent = node->u.part.parent;
  return parent->kind == GROUP_BLOCK ? plan->n_threads : parent->size;
}

static void walk_split(CpuPass *pass, IrNode *node, bool *goes_on) {
  CpuPlan *plan = pass->plan;
  const IrGroup *group = node->u.part.group;
  CpuShape inner, part;
  cpu_split_shapes(cpu_rank_shape(plan, node->u.part.parent), group->size,
                   &inner, &part);
  plan->ranks[group->id] = inner;
  plan->counts[group->id] = part;
  CpuShape first = cpu_node_shape(plan, node->args[0]);
  CpuShape shape = cpu_varying();
  int64_t step = node->u.part.step;
  bool is_affine_type = node->args[0]->type.kind == IR_TYPE_I32 ||
                        node->args[0]->type.kind == IR_TYPE_I64;
  if (part.kind == CPU_UNIFORM && first.kind == CPU_UNIFORM) {
    shape = first;
    shape.align_log2 = 0;
    shape.most = 0;
  } else if (part.kind == CPU_AFFINE && first.kind == CPU_UNIFORM &&
             is_affine_type) {
    shape = part;
    shape.step *= step;
    shape.outer *= step;
    shape.align_log2 =
        first.align_log2 < part.align_log2 ? first.align_log2 : part.align_log2;
    shape.is_nonneg = first.is_nonneg;
    shape.most = 0;
  }
  set_env(pass, node->u.part.var, shape);
  CpuShape outer = cpu_instance_shape(plan, node->u.part.parent);
  if (outer.kind == CPU_UNIFORM && part.kind != CPU_VARYING)
    plan->instances[group->id] = part;
  else
    plan->instances[group->id] = cpu_varying();
  plan->instances[group->id].align_log2 = 0;
  walk_block(pass, node, goes_on);
}

static void walk_strided(CpuPass *pass, IrNode *node) {
  CpuPlan *plan = pass->plan;
  IrGroup *group = node->u.part.group;
  plan->ranks[group->id] = cpu_uniform();
  plan->ranks[group->id].is_nonneg = true;
  plan->counts[group->id] = cpu_rank_shape(plan, node->u.part.parent);
  plan->instances[group->id] = cpu_instance_shape(plan, node->u.part.parent);
  CpuShape rank = cpu_rank_shape(plan, node->u.part.parent);
  CpuShape low = cpu_node_shape(plan, node->args[0]), first = cpu_varying();
  bool is_affine_type = node->args[0]->type.kind == IR_TYPE_I32 ||
                        node->args[0]->type.kind == IR_TYPE_I64;
  if (rank.kind == CPU_UNIFORM && low.kind == CPU_UNIFORM)
    first = cpu_uniform();
  else if (rank.kind == CPU_AFFINE && low.kind == CPU_UNIFORM &&
           is_affine_type) {
    first = rank;
    first.step *= node->u.part.step;
    first.outer *= node->u.part.step;
    if (low.align_log2 < first.align_log2)
      first.align_log2 = low.align_log2;
    first.is_nonneg = low.is_nonneg;
    first.most = 0;
  }
  int64_t stride;
  if (__builtin_mul_overflow(node->u.part.step, parent_size(plan, node),
                             &stride))
    stride = 1;
  walk_counted(pass, node, node->u.part.var, first,
               cpu_node_shape(plan, node->args[1]), stride);
}

// ---------------------------------------------------------------- nodes

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

// The body runs once for each step of the combination, on vectors.
static void walk_operator(CpuPass *pass, IrNode *node) {
  CpuShape shape = pass->plan->lanes == 1 ? cpu_uniform() : cpu_varying();
  cpu_pass_collective(pass, node, cpu_pass_leaves(pass, node),
                      cpu_pass_count(pass, node));
  set_env(pass, node->u.by.left, shape);
  set_env(pass, node->u.by.right, shape);
  walk_region(pass, &node->regions[0]);
}

// The body stands for itself; only what is current changes.
static void walk_with(CpuPass *pass, IrNode *node, bool *goes_on) {
  *goes_on = walk_region(pass, &node->regions[0]);
}

// True if control goes on behind the node.
static bool walk_node(CpuPass *pass, IrNode *node) {
  bool goes_on = true;
  switch (node->op) {
  case IR_IF: walk_if(pass, node, &goes_on); break;
  case IR_LOOP:
    cpu_flow_walk_loop(pass, node);
    goes_on = cpu_flow(pass->plan, node)->is_left;
    break;
  case IR_FOR:
    walk_counted(pass, node, node->u.loop.var,
                 cpu_node_shape(pass->plan, node->args[0]),
                 cpu_node_shape(pass->plan, node->args[1]), node->u.loop.step);
    break;
  case IR_BLOCK:
  case IR_CALL: walk_block(pass, node, &goes_on); break;
  case IR_EXIT: walk_exit(pass, node); return false;
  case IR_GROUP: walk_group(pass, node); break;
  case IR_WITH: walk_with(pass, node, &goes_on); break;
  case IR_REDUCE_BY:
  case IR_SCAN_BY: walk_operator(pass, node); break;
  case IR_THREAD_FOR:
    if (node->u.part.is_split)
      walk_split(pass, node, &goes_on);
    else
      walk_strided(pass, node);
    break;
  default: cpu_pass_value(pass, node); break;
  }
  return goes_on;
}

#pragma GCC diagnostic pop

static bool walk_region(CpuPass *pass, IrRegion *region) {
  for (IrNode *node = region->first; node; node = node->next)
    if (!walk_node(pass, node))
      return false;
  return true;
}

bool cpu_plan_flow(CpuPlan *plan, const char **why) {
  CpuShape lane = cpu_affine(1);
  lane.align_log2 = CPU_WARP_LOG2;
  lane.is_exact = lane.is_nonneg = true;
  for (int row = GROUP_ROW_GRID; row <= GROUP_ROW_BLOCK; row++) {
    plan->ranks[row] = plan->lanes == 1 ? cpu_uniform() : lane;
    plan->ranks[row].is_nonneg = true;
    plan->ranks[row].most = row == GROUP_ROW_BLOCK ? plan->n_threads - 1 : 0;
    plan->counts[row] = plan->instances[row] = cpu_uniform();
  }
  if (plan->n_threads % CPU_WARP != 0)
    plan->ranks[GROUP_ROW_GRID].align_log2 =
        plan->ranks[GROUP_ROW_CLUSTER].align_log2 = 0;
  CpuPass pass = {.plan = plan, .scratch = arena_new()};
  pass.env = ARENA_ARRAY(plan->arena, CpuShape, plan->n_var_leaves);
  IrRegion body = plan->kernel->body;
  // What a walk allocates goes with it; what liveness has found stays.
  do {
    pass.changed = false;
    pass.depth = 0;
    memset(pass.env, 0, plan->n_var_leaves * sizeof(CpuShape));
    ArenaMark mark = arena_mark(pass.scratch);
    walk_region(&pass, &body);
    arena_release(pass.scratch, mark);
  } while (pass.changed);
  arena_free(pass.scratch);
  (void)why;
  return true;
}
