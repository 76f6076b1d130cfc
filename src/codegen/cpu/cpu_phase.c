// SPDX-License-Identifier: Apache-2.0
#include "codegen/cpu/cpu_phase.h"

typedef struct {
  CpuPlan *plan;
  CpuPhases *phases;
  Uniformity *uniformity; // made when it is first needed
  bool failed, changed;
} Build;

static bool is_barrier(const CpuPlan *plan, const IrNode *node) {
  return cpu_is_kept_sync(node) && cpu_needs_barrier(plan, node->u.group.group);
}

// ----------------------------------------------------------- phased nodes

static bool mark_barrier(IrNode *node, void *context) {
  Build *b = context;
  if (!is_barrier(b->plan, node))
    return true;
  if (node->u.group.group->kind != GROUP_BLOCK)
    b->failed = true;
  for (const IrNode *up = node; up; up = up->region->owner) {
    b->phases->is_phased[up->id] = true;
    b->failed |= ir_op_info(up)->form == FORM_PART;
  }
  return !b->failed;
}

// An exit to a phased node, and all between, is phased.
static bool mark_exit(IrNode *node, void *context) {
  Build *b = context;
  bool *is_phased = b->phases->is_phased;
  if (node->op != IR_EXIT || !is_phased[node->u.exit.target->id])
    return true;
  for (const IrNode *up = node; up != node->u.exit.target;
       up = up->region->owner) {
    b->changed |= !is_phased[up->id];
    is_phased[up->id] = true;
    b->failed |= ir_op_info(up)->form == FORM_PART;
  }
  return !b->failed;
}

static bool is_top_level(const Build *b, const IrNode *node) {
  const IrNode *owner = node->region->owner;
  return owner == NULL || b->phases->is_phased[owner->id];
}

// ------------------------------------------------------------ block nodes

static bool unshare(IrNode *node, void *context) {
  Build *b = context;
  CpuPhases *p = b->phases;
  if (node->op == IR_SET && p->is_shared[node->u.variable.var] &&
      (!is_top_level(b, node) || !p->is_block[node->args[0]->id])) {
    p->is_shared[node->u.variable.var] = false;
    b->changed = true;
  }
  bool is_loop = node->op == IR_FOR || node->op == IR_THREAD_FOR;
  uint32_t var = node->op == IR_FOR ? node->u.loop.var : node->u.part.var;
  if (is_loop && !p->is_phased[node->id] && p->is_shared[var]) {
    p->is_shared[var] = false;
    b->changed = true;
  }
  return true;
}

// Parts of a group may be of different sizes.
static bool is_same_for_block(const CpuPlan *plan, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  return group->kind <= GROUP_BLOCK ||
         (node->op == IR_SIZE && code_part_size(plan->parts, group) > 0);
}

static bool is_block_position(const Build *b, const IrNode *node) {
  switch (ir_position_op(node->op)) {
  case IR_RANK:
  case IR_META_RANK:
  case IR_MAKE_GROUP:
  case IR_THREAD_INDEX: break;
  case IR_SIZE:
  case IR_META_SIZE: return is_same_for_block(b->plan, node);
  case IR_BLOCK_INDEX:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: return true;
  }
  return false;
}

static bool is_block_op(const Build *b, const IrNode *node) {
  const CpuPhases *p = b->phases;
  if (ir_family(node) == FAMILY_POSITION)
    return is_block_position(b, node);
  if (node->op == IR_GET || node->op == IR_SET)
    return p->is_shared[node->u.variable.var];
  if ((ir_op_info(node)->flags & OPF_PURE) == 0 || node->op == IR_ADDRESS ||
      (p->has_checks && cpu_may_tell_overflow(node)))
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!p->is_block[node->args[i]->id])
      return false;
  return true;
}

static bool cpu_phase_find_block(IrNode *node, void *context) {
  Build *b = context;
  b->phases->is_block[node->id] =
      is_top_level(b, node) && node->n_regions == 0 && is_block_op(b, node);
  return true;
}

// Variables start out shared and lose it; block nodes follow.
static void find_shared(Build *b) {
  IrRegion body = b->plan->kernel->body;
  for (uint32_t v = 0; v < b->plan->kernel->vars.count; v++)
    b->phases->is_shared[v] = true;
  do {
    b->changed = false;
    ir_walk(&body, cpu_phase_find_block, b);
    ir_walk(&body, unshare, b);
  } while (b->changed);
}

// -------------------------------------------------------------- checking

static bool is_block_uniform(Build *b, const IrNode *value) {
  if (b->phases->is_block[value->id])
    return true;
  if (cpu_node_shape(b->plan, value).kind != CPU_UNIFORM)
    return false;
  if (b->uniformity == NULL)
    b->uniformity = ir_uniformity(b->plan->arena, b->plan->kernel);
  return uniformity_has(b->uniformity, value,
                        b->plan->kernel->groups.data[GROUP_ROW_BLOCK]);
}

static bool check_phased(IrNode *node, void *context) {
  Build *b = context;
  if (!b->phases->is_phased[node->id] || node->n_regions == 0)
    return true;
  const CpuFlow *flow = cpu_flow(b->plan, node);
  b->failed |= flow->is_divergent || flow->splits || flow->splits_turn ||
               flow->leaks || flow->yields;
  for (uint32_t i = 0; i < node->n_args && node->op != IR_CALL; i++)
    b->failed |= !is_block_uniform(b, node->args[i]);
  return !b->failed;
}

// ------------------------------------------------------------------ runs

static CpuRun *open_run(Build *b, CpuItems *items, bool is_in_loop) {
  CpuRun *run = ARENA_NEW(b->plan->arena, CpuRun);
  run->is_in_loop = is_in_loop;
  CpuItem item = {.kind = ITEM_RUN, .run = b->phases->runs.count};
  VEC_PUSH(b->plan->arena, &b->phases->runs, run);
  VEC_PUSH(b->plan->arena, &items->items, item);
  return run;
}

typedef struct {
  Build *b;
  uint32_t run; // + 1
} Assign;

static bool assign_run(IrNode *node, void *context) {
  Assign *a = context;
  a->b->phases->run_of[node->id] = a->run;
  return true;
}

static void cpu_phase_add_to_run(Build *b, CpuRun *run, IrNode *node) {
  Assign a = {b, b->phases->runs.count};
  VEC_PUSH(b->plan->arena, &run->nodes, node);
  assign_run(node, &a);
  for (uint32_t r = 0; r < node->n_regions; r++)
    ir_walk(&node->regions[r], assign_run, &a);
}

static void build_items(Build *b, const IrRegion *region, CpuItems *items,
                        bool is_in_loop) {
  CpuPhases *p = b->phases;
  CpuRun *run = NULL;
  for (IrNode *node = region->first; node; node = node->next) {
    CpuItem item = {.kind = ITEM_PHASED, .node = node};
    if (p->is_block[node->id]) {
      // It may go before the run that is open, unless it changes what that
      // reads.
      item.kind = ITEM_BLOCK_NODE;
      if (node->op == IR_SET || run == NULL) {
        run = NULL;
        VEC_PUSH(b->plan->arena, &items->items, item);
      } else {
        uint32_t last = items->items.count - 1;
        CpuItem open = items->items.data[last];
        items->items.data[last] = item;
        VEC_PUSH(b->plan->arena, &items->items, open);
      }
      continue;
    }
    if (!p->is_phased[node->id]) {
      if (run == NULL)
        run = open_run(b, items, is_in_loop);
      cpu_phase_add_to_run(b, run, node);
      continue;
    }
    run = NULL;
    VEC_PUSH(b->plan->arena, &items->items, item);
    bool is_loop = node->op == IR_LOOP || node->op == IR_FOR;
    for (uint32_t r = 0; r < node->n_regions; r++)
      build_items(b, &node->regions[r], &p->regions[r][node->id],
                  is_in_loop || is_loop);
  }
}

// ---------------------------------------------------- what crosses runs

static bool cpu_phase_is_root(const IrNode *node) {
  return node->op == IR_SQRT || node->op == IR_RSQRT;
}

bool cpu_is_cheap(const CpuPhases *phases, const IrNode *node, uint32_t depth) {
  if (phases->is_block[node->id])
    return true;
  if ((ir_op_info(node)->flags & OPF_PURE) == 0 || depth > 4 ||
      node->op == IR_ADDRESS || node->n_args > 3 ||
      (phases->has_checks && cpu_may_tell_overflow(node)) ||
      (ir_family(node) == FAMILY_MATH && !cpu_phase_is_root(node)) ||
      ir_divides(node->op) || node->op == IR_FDIV)
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!cpu_is_cheap(phases, node->args[i], depth + 1))
      return false;
  return true;
}

typedef struct {
  Build *b;
  CpuRun *run;
  uint32_t number; // + 1
  uint32_t *seen;  // by node id: run + 1 that has it as external
  uint32_t *var_seen;
  uint32_t *object_seen;
} Crossing;

static void add_result(Build *b, const IrNode *value) {
  CpuPhases *p = b->phases;
  if (p->run_of[value->id] == 0)
    return;
  CpuRun *run = p->runs.data[p->run_of[value->id] - 1];
  for (uint32_t i = 0; i < run->results.count; i++)
    if (run->results.data[i] == value)
      return;
  VEC_PUSH(b->plan->arena, &run->results, value);
}

static void note_external(Crossing *c, const IrNode *value);

// An operation of a group needs what made it, and its parents.
static void note_makers(Crossing *c, const IrNode *node) {
  const IrGroup *group = cpu_node_group(node);
  int64_t size;
  for (; group && group->kind > GROUP_BLOCK; group = group->parent) {
    if (code_is_lane_set(group))
      note_external(c, group->maker);
    else if (group->kind == GROUP_TILED && !code_tile_size(group, &size))
      note_external(c, group->maker->args[0]);
  }
}

static void note_external(Crossing *c, const IrNode *value) {
  CpuPhases *p = c->b->phases;
  Arena *arena = c->b->plan->arena;
  if (p->is_block[value->id] || p->run_of[value->id] == c->number ||
      c->seen[value->id] == c->number)
    return;
  c->seen[value->id] = c->number;
  if (cpu_is_cheap(p, value, 0)) {
    for (uint32_t i = 0; i < value->n_args; i++)
      note_external(c, value->args[i]);
    note_makers(c, value);
  } else {
    add_result(c->b, value);
  }
  VEC_PUSH(arena, &c->run->externals, value);
}

static bool note_uses(IrNode *node, void *context) {
  Crossing *c = context;
  CpuPhases *p = c->b->phases;
  Arena *arena = c->b->plan->arena;
  for (uint32_t i = 0; i < node->n_args; i++)
    note_external(c, node->args[i]);
  note_makers(c, node);
  bool is_var = node->op == IR_GET || node->op == IR_SET;
  uint32_t var = node->u.variable.var;
  if (is_var && !p->is_shared[var] && c->var_seen[var] != c->number) {
    c->var_seen[var] = c->number;
    // What is set first, on every way, is not found.
    bool is_set_first = node->op == IR_SET && is_top_level(c->b, node);
    if (!is_set_first)
      VEC_PUSH(arena, &c->run->loads, var);
  }
  const IrObject *object =
      ir_op_info(node)->form == FORM_ACCESS ? node->u.access.object : NULL;
  if (object && object->space == SPACE_LOCAL && node->op == IR_ADDRESS)
    p->is_pointed[object->id] = true;
  if (object && object->space == SPACE_LOCAL &&
      c->object_seen[object->id] != c->number) {
    c->object_seen[object->id] = c->number;
    VEC_PUSH(arena, &c->run->objects, object->id);
  }
  return true;
}

static bool cpu_phase_note_set(IrNode *node, void *context) {
  Crossing *c = context;
  CpuPhases *p = c->b->phases;
  uint32_t var = node->u.variable.var;
  if (node->op == IR_FOR)
    var = node->u.loop.var;
  else if (node->op == IR_THREAD_FOR)
    var = node->u.part.var;
  else if (node->op != IR_SET)
    return true;
  if (!p->is_kept[var] || c->var_seen[var] == c->number)
    return true;
  c->var_seen[var] = c->number;
  VEC_PUSH(c->b->plan->arena, &c->run->stores, var);
  return true;
}

static void walk_run(Crossing *c, IrVisitor visit) {
  for (uint32_t i = 0; i < c->run->nodes.count; i++) {
    IrNode *node = c->run->nodes.data[i];
    visit(node, c);
    for (uint32_t r = 0; r < node->n_regions; r++)
      ir_walk(&node->regions[r], visit, c);
  }
}

static void find_crossings(Build *b) {
  CpuPhases *p = b->phases;
  const IrKernel *kernel = b->plan->kernel;
  Arena *arena = b->plan->arena;
  Crossing c = {.b = b};
  c.seen = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  c.var_seen = ARENA_ARRAY(arena, uint32_t, kernel->vars.count);
  c.object_seen = ARENA_ARRAY(arena, uint32_t, kernel->objects.count);
  uint32_t *users = ARENA_ARRAY(arena, uint32_t, kernel->objects.count);
  for (uint32_t r = 0; r < p->runs.count; r++) {
    c.run = p->runs.data[r];
    c.number = r + 1;
    walk_run(&c, note_uses);
    for (uint32_t i = 0; i < c.run->loads.count; i++)
      p->is_kept[c.run->loads.data[i]] = true;
    for (uint32_t i = 0; i < c.run->objects.count; i++)
      users[c.run->objects.data[i]] += c.run->is_in_loop ? 2 : 1;
  }
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    p->keeps_array[i] = users[i] > 1 || p->is_pointed[i];
  c.var_seen = ARENA_ARRAY(arena, uint32_t, kernel->vars.count);
  for (uint32_t r = 0; r < p->runs.count; r++) {
    c.run = p->runs.data[r];
    c.number = r + 1;
    walk_run(&c, cpu_phase_note_set);
  }
}

// Conditions of phased nodes that a run computes are read from it.
static bool note_condition(IrNode *node, void *context) {
  Build *b = context;
  CpuPhases *p = b->phases;
  if (!p->is_phased[node->id] || node->n_regions == 0 || node->op == IR_CALL)
    return true;
  for (uint32_t i = 0; i < node->n_args; i++) {
    const IrNode *value = node->args[i];
    if (!p->is_block[value->id])
      add_result(b, value);
  }
  return true;
}

// Bytes of the arrays by warp; on the stack while a block runs.
#define MOST_KEPT_BYTES (128 * 1024)

static uint64_t kept_bytes(const Build *b) {
  const CpuPlan *plan = b->plan;
  const CpuPhases *p = b->phases;
  uint64_t leaves = 0, arrays = 0;
  for (uint32_t v = 0; v < plan->kernel->vars.count; v++)
    if (p->is_kept[v])
      leaves += plan->var_leaf[v + 1] - plan->var_leaf[v];
  for (uint32_t r = 0; r < p->runs.count; r++) {
    const CpuRun *run = p->runs.data[r];
    for (uint32_t i = 0; i < run->results.count; i++) {
      uint32_t id = run->results.data[i]->id;
      leaves += plan->node_leaf[id + 1] - plan->node_leaf[id];
    }
  }
  for (uint32_t i = 0; i < plan->kernel->objects.count; i++)
    if (p->keeps_array[i])
      arrays += plan->privates[i].size_bytes * plan->lanes;
  return (leaves * CPU_WARP * 8 + arrays) * plan->n_warps;
}

// ------------------------------------------------------- straight runs

// Operations of all runs that are repeated for each warp, and of one warp. An
// access by single lanes becomes many instructions, whose time in LLVM grows
// with the square of their number.
#define MOST_STRAIGHT      1000
#define MOST_STRAIGHT_WARP 64
#define LANES_COST         20

typedef struct {
  const CpuPlan *plan;
  uint32_t count;
  bool is_simple;
} Straight;

static bool is_by_lanes(const CpuPlan *plan, const IrNode *node) {
  if (ir_op_info(node)->form != FORM_ACCESS || !node->u.access.object)
    return false;
  CpuShape place = cpu_access_shape(plan, node);
  int64_t step = place.step < 0 ? -place.step : place.step;
  bool is_row = place.kind == CPU_AFFINE &&
                step <= (int64_t)node->u.access.object->element_bytes;
  return place.kind != CPU_UNIFORM && !is_row;
}

// Conditions on the rank are known then; other control needs blocks anyway.
static bool count_straight(IrNode *node, void *context) {
  Straight *s = context;
  bool value;
  IrForm form = ir_op_info(node)->form;
  if (form == FORM_CONST || form == FORM_VAR || form == FORM_INDEX)
    return true;
  s->count += is_by_lanes(s->plan, node) ? LANES_COST : 1;
  CpuRanks ranks = {0, 0};
  bool is_known =
      node->n_regions == 0 ||
      (node->op == IR_IF &&
       cpu_known_condition(node->args[0], ranks, &value)) ||
      (node->op == IR_GROUP && cpu_known_member(node, ranks, &value));
  s->is_simple = s->is_simple && is_known;
  return s->is_simple;
}

static uint32_t straight_cost(const CpuPlan *plan, const CpuRun *run) {
  Straight s = {plan, 0, true};
  for (uint32_t i = 0; i < run->nodes.count; i++) {
    IrNode *node = run->nodes.data[i];
    count_straight(node, &s);
    for (uint32_t r = 0; r < node->n_regions; r++)
      ir_walk(&node->regions[r], count_straight, &s);
  }
  return s.is_simple && s.count <= MOST_STRAIGHT_WARP ? s.count : UINT32_MAX;
}

static void choose_straight(Build *b) {
  CpuPhases *p = b->phases;
  uint32_t total = 0;
  for (uint32_t r = 0; r < p->runs.count; r++) {
    uint32_t cost = straight_cost(b->plan, p->runs.data[r]);
    p->runs.data[r]->is_straight = cost != UINT32_MAX;
    total += cost != UINT32_MAX ? cost * b->plan->n_warps : 0;
  }
  p->has_straight = total > 0 && total <= MOST_STRAIGHT;
  for (uint32_t r = 0; r < p->runs.count; r++)
    p->runs.data[r]->is_straight &= p->has_straight;
}

CpuPhases *cpu_phases_new(CpuPlan *plan) {
  Arena *arena = plan->arena;
  uint32_t n = plan->kernel->n_nodes;
  if (!plan->is_blocking || plan->does_yield || plan->lanes == 1 ||
      plan->is_apart)
    return NULL;
  CpuPhases *p = ARENA_NEW(arena, CpuPhases);
  p->has_checks = plan->has_checks;
  p->is_phased = ARENA_ARRAY(arena, bool, n);
  p->is_block = ARENA_ARRAY(arena, bool, n);
  p->run_of = ARENA_ARRAY(arena, uint32_t, n);
  p->is_shared = ARENA_ARRAY(arena, bool, plan->kernel->vars.count);
  p->is_kept = ARENA_ARRAY(arena, bool, plan->kernel->vars.count);
  p->keeps_array = ARENA_ARRAY(arena, bool, plan->kernel->objects.count);
  p->is_pointed = ARENA_ARRAY(arena, bool, plan->kernel->objects.count);
  for (uint32_t r = 0; r < 2; r++)
    p->regions[r] = ARENA_ARRAY(arena, CpuItems, n);
  Build b = {.plan = plan, .phases = p};
  IrRegion body = plan->kernel->body;
  ir_walk(&body, mark_barrier, &b);
  do {
    b.changed = false;
    if (!b.failed)
      ir_walk(&body, mark_exit, &b);
  } while (b.changed && !b.failed);
  if (b.failed)
    return NULL;
  find_shared(&b);
  ir_walk(&body, check_phased, &b);
  if (b.failed)
    return NULL;
  build_items(&b, &body, &p->body, false);
  find_crossings(&b);
  ir_walk(&body, note_condition, &b);
  if (!p->has_checks)
    choose_straight(&b);
  return kept_bytes(&b) <= MOST_KEPT_BYTES ? p : NULL;
}
