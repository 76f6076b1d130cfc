// SPDX-License-Identifier: Apache-2.0
// Strands: which lanes of a warp must be able to wait apart from others, and
// the barriers at which they meet.
//
// Note [What blocks]
// A sync whose threads all lie in one warp is no barrier: lanes of a warp run
// in step. So only two things block: a sync or kept join of a group that
// reaches over a multiple of 32, and a loop that is left when an atomic access
// in it gives some value (others must run for it to end). Group statements
// around such a thing cut warps at their boundaries, if those are constant.
// If one isn't, every lane is a strand.
#include "codegen/cpu/cpu_plan.h"

// ------------------------------------------------------- group instances

static const int32_t *one_begin(Arena *arena, int32_t begin, uint32_t *n) {
  int32_t *begins = ARENA_NEW(arena, int32_t);
  *begins = begin;
  *n = 1;
  return begins;
}

static bool constant_begin(const IrGroup *group, int64_t *begin) {
  const IrNode *maker = group->maker;
  *begin = group->begin;
  if (maker != NULL && maker->op == IR_GROUP && maker->n_args > 0)
    return cpu_const_int(maker->args[0], begin);
  if (group->kind == GROUP_SINGLE && *begin < 0) {
    *begin = 0; // any thread: the first
    return true;
  }
  return *begin >= 0;
}

static const int32_t *split_begins(const CpuPlan *plan, const IrGroup *group,
                                   uint32_t *n) {
  uint32_t n_outer;
  const int32_t *outer = cpu_group_begins(plan, group->parent, &n_outer);
  int64_t parts = group->instances;
  if (outer == NULL || group->size <= 0 || parts <= 0 ||
      parts * group->size > CPU_MAX_BLOCK || parts * n_outer > CPU_MAX_BLOCK)
    return NULL;
  int32_t *begins = ARENA_ARRAY(plan->arena, int32_t, (size_t)parts * n_outer);
  *n = 0;
  for (uint32_t i = 0; i < n_outer; i++)
    for (int64_t j = 0; j < parts; j++)
      begins[(*n)++] = outer[i] + (int32_t)(j * group->size);
  return begins;
}

static const int32_t *range_begins(const CpuPlan *plan, const IrGroup *group,
                                   uint32_t *n) {
  int64_t begin;
  uint32_t n_outer;
  const int32_t *outer = cpu_group_begins(plan, group->parent, &n_outer);
  if (outer == NULL || !constant_begin(group, &begin) || begin < 0 ||
      begin > CPU_MAX_BLOCK)
    return NULL;
  int32_t *begins = ARENA_ARRAY(plan->arena, int32_t, n_outer);
  for (uint32_t i = 0; i < n_outer; i++)
    begins[i] = outer[i] + (int32_t)begin;
  *n = n_outer;
  return begins;
}

const int32_t *cpu_group_begins(const CpuPlan *plan, const IrGroup *group,
                                uint32_t *n_begins) {
  *n_begins = 0;
  switch (group->kind) {
  case GROUP_GRID:
  case GROUP_CLUSTER:
  case GROUP_BLOCK: return one_begin(plan->arena, 0, n_begins);
  case GROUP_SPLIT: return split_begins(plan, group, n_begins);
  case GROUP_RANGE:
  case GROUP_SINGLE: return range_begins(plan, group, n_begins);
  case GROUP_WARP:
  case GROUP_THREAD:
  case GROUP_TILED:
  case GROUP_LABELED:
  case GROUP_COALESCED:
  case GROUP_KIND_COUNT: break;
  }
  return NULL;
}

static int64_t group_size(const CpuPlan *plan, const IrGroup *group) {
  if (group->kind == GROUP_BLOCK)
    return plan->n_threads;
  return group->size;
}

bool cpu_group_keeps_strands(const CpuPlan *plan, const IrGroup *group) {
  if (plan->lanes == 1)
    return true;
  if (group->kind == GROUP_BLOCK || group->kind == GROUP_GRID ||
      group->kind == GROUP_CLUSTER)
    return true;
  uint32_t n;
  const int32_t *begins = cpu_group_begins(plan, group, &n);
  int64_t size = group_size(plan, group);
  if (begins == NULL || size <= 0)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    int64_t end = begins[i] + size;
    if (begins[i] >= (int32_t)plan->n_threads || end > plan->n_threads ||
        !plan->is_boundary[begins[i]] || !plan->is_boundary[end])
      return false;
  }
  return true;
}

// Its threads lie in one warp, in every instance.
static bool is_within_warp(const CpuPlan *plan, const IrGroup *group) {
  int64_t size = group_size(plan, group);
  if (group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE || size == 1 ||
      plan->n_threads <= CPU_WARP)
    return true;
  if (group->kind == GROUP_WARP)
    return true;
  if (size <= 0 || size > CPU_WARP)
    return false;
  uint32_t n;
  const int32_t *begins = cpu_group_begins(plan, group, &n);
  if (begins == NULL)
    return group->alignment > 0 && group->alignment % CPU_WARP == 0;
  for (uint32_t i = 0; i < n; i++)
    if (begins[i] / CPU_WARP != (begins[i] + size - 1) / CPU_WARP)
      return false;
  return true;
}

bool cpu_needs_barrier(const CpuPlan *plan, const IrGroup *group) {
  int64_t size = group_size(plan, group);
  if (size == 1)
    return false;
  if (plan->lanes == 1 || !is_within_warp(plan, group))
    return true;
  uint32_t n;
  const int32_t *begins = cpu_group_begins(plan, group, &n);
  for (uint32_t i = 0; begins != NULL && i < n; i++)
    for (int64_t k = 1; k < size; k++)
      if (begins[i] + k < plan->n_threads && plan->is_boundary[begins[i] + k])
        return true;
  return false;
}

// --------------------------------------------------------- waiting loops

typedef struct {
  CpuPlan *plan;
  bool *node_taints, *var_taints;
  bool changed;
  bool has_atomics;
} Taint;

static bool is_atomic_read(const IrNode *node) {
  return node->op == IR_RMW || node->op == IR_CAS ||
         (node->op == IR_LOAD && node->u.access.order != ORDER_PLAIN);
}

static bool under_tainted(const Taint *t, const IrNode *node) {
  for (const IrNode *up = node->region->owner; up; up = up->region->owner) {
    if (up->op == IR_IF && t->node_taints[up->args[0]->id])
      return true;
    if (up->op == IR_LOOP || up->op == IR_FOR)
      return false;
  }
  return false;
}

static bool taint_node(IrNode *node, void *context) {
  Taint *t = context;
  bool taints = is_atomic_read(node);
  t->has_atomics |= taints;
  for (uint32_t i = 0; i < node->n_args && !taints; i++)
    taints = t->node_taints[node->args[i]->id];
  if (node->op == IR_GET)
    taints |= t->var_taints[node->u.variable.var];
  if (node->op == IR_SET && (taints || under_tainted(t, node)) &&
      !t->var_taints[node->u.variable.var]) {
    t->var_taints[node->u.variable.var] = true;
    t->changed = true;
  }
  t->node_taints[node->id] = taints;
  return true;
}

typedef struct {
  const Taint *taint;
  const IrNode *loop;
  bool is_left, has_atomic;
} WaitingLoop;

static bool is_inside(const IrNode *node, const IrNode *outer) {
  for (; node; node = node->region->owner)
    if (node == outer)
      return true;
  return false;
}

static bool leaves(const IrNode *node, const IrNode *loop) {
  if (node->op != IR_EXIT)
    return false;
  const IrNode *target = node->u.exit.target;
  return target == loop ? !node->u.exit.is_continue : !is_inside(target, loop);
}

static bool scan_loop(IrNode *node, void *context) {
  WaitingLoop *w = context;
  w->has_atomic |= is_atomic_read(node);
  if (!leaves(node, w->loop))
    return true;
  for (const IrNode *up = node->region->owner; up && up != w->loop;
       up = up->region->owner)
    if (up->op == IR_IF && w->taint->node_taints[up->args[0]->id])
      w->is_left = true;
  return true;
}

static bool waits_for_memory(const Taint *taint, IrNode *node) {
  if (node->op != IR_LOOP && node->op != IR_FOR)
    return false;
  WaitingLoop w = {.taint = taint, .loop = node};
  ir_walk(&node->regions[0], scan_loop, &w);
  return w.is_left && w.has_atomic;
}

static bool mark_loop(IrNode *node, void *context) {
  Taint *t = context;
  if (t->plan->flows[node->id] != NULL && waits_for_memory(t, node)) {
    t->plan->flows[node->id]->yields = true;
    t->plan->does_yield = true;
  }
  return true;
}

static void find_waiting_loops(CpuPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  Taint t = {.plan = plan};
  t.node_taints = ARENA_ARRAY(plan->arena, bool, kernel->n_nodes);
  t.var_taints = ARENA_ARRAY(plan->arena, bool, kernel->vars.count);
  IrRegion body = kernel->body;
  do {
    t.changed = false;
    ir_walk(&body, taint_node, &t);
  } while (t.changed && t.has_atomics);
  if (t.has_atomics)
    ir_walk(&body, mark_loop, &t);
}

// ------------------------------------------------------------ boundaries

typedef struct {
  CpuPlan *plan;
  bool blocks;
  bool is_per_lane;
  bool changed;
} Cut;

static void add_boundary(Cut *cut, int64_t rank) {
  CpuPlan *plan = cut->plan;
  if (rank > plan->n_threads || plan->is_boundary[rank])
    return;
  plan->is_boundary[rank] = true;
  cut->changed = true;
}

static void cut_at(Cut *cut, const IrGroup *group) {
  CpuPlan *plan = cut->plan;
  uint32_t n;
  const int32_t *begins = cpu_group_begins(plan, group, &n);
  int64_t size = group_size(plan, group);
  if (begins == NULL || size <= 0) {
    bool is_aligned = group->alignment > 0 &&
                      group->alignment % CPU_WARP == 0 && size > 0 &&
                      size % CPU_WARP == 0;
    cut->is_per_lane |= !is_aligned;
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    add_boundary(cut, begins[i]);
    add_boundary(cut, begins[i] + size);
  }
}

static bool is_kept_sync(const IrNode *node) {
  return node->op == IR_SYNC ||
         (node->op == IR_JOIN &&
          (node->u.group.join == JOIN_KEPT || node->u.group.join == JOIN_OPEN));
}

static bool cut_node(IrNode *node, void *context) {
  Cut *cut = context;
  CpuPlan *plan = cut->plan;
  CpuFlow *flow = plan->flows[node->id];
  bool blocks = is_kept_sync(node)
                    ? cpu_needs_barrier(plan, node->u.group.group)
                    : flow != NULL && flow->yields;
  if (!blocks)
    return true;
  cut->blocks = true;
  for (const IrNode *up = node->region->owner; up; up = up->region->owner)
    if (up->op == IR_GROUP || (up->op == IR_THREAD_FOR && up->u.part.is_split))
      cut_at(cut, up->u.part.group);
  return true;
}

static void make_strands(CpuPlan *plan) {
  plan->strands = ARENA_ARRAY(plan->arena, CpuStrand, plan->n_threads);
  uint32_t begin = 0;
  for (uint32_t rank = 1; rank <= plan->n_threads; rank++) {
    if (!plan->is_boundary[rank])
      continue;
    CpuStrand *strand = &plan->strands[plan->n_strands++];
    strand->warp = begin / CPU_WARP;
    strand->begin = begin % CPU_WARP;
    strand->end = strand->begin + (rank - begin);
    begin = rank;
  }
}

// -------------------------------------------------------------- barriers

static bool runtime_rows(CpuPlan *plan, const IrGroup *group,
                         CpuBarrierRows *rows) {
  rows->is_by_begin = true;
  rows->n_rows = plan->n_threads;
  return group->size > 0;
}

static bool add_barrier(CpuPlan *plan, const IrGroup *group) {
  CpuBarrierRows *rows = &plan->barriers[group->id];
  if (rows->first != UINT32_MAX)
    return true;
  rows->first = plan->n_barriers;
  int64_t size = group_size(plan, group);
  if (size <= 0)
    return false;
  rows->n_threads = (uint32_t)size;
  uint32_t n;
  if (cpu_group_begins(plan, group, &n) != NULL)
    rows->n_rows = n;
  else if (!runtime_rows(plan, group, rows))
    return false;
  plan->n_barriers += rows->n_rows;
  return true;
}

typedef struct {
  CpuPlan *plan;
  const char *why;
} BarrierContext;

static bool add_sync(IrNode *node, void *context) {
  BarrierContext *cx = context;
  CpuPlan *plan = cx->plan;
  if (!is_kept_sync(node))
    return true;
  IrGroup *group = node->u.group.group;
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER) {
    cx->why = "sync of a grid or cluster is not available on the CPU yet";
    return false;
  }
  if (!cpu_needs_barrier(plan, group))
    return true;
  if (!add_barrier(plan, group))
    cx->why = "the size of a group that syncs is not constant";
  return cx->why == NULL;
}

bool cpu_plan_strands(CpuPlan *plan, const char **why) {
  IrRegion body = plan->kernel->body;
  plan->is_boundary = ARENA_ARRAY(plan->arena, bool, plan->n_threads + 1);
  for (uint32_t rank = 0; rank < plan->n_threads; rank += CPU_WARP)
    plan->is_boundary[rank] = true;
  plan->is_boundary[plan->n_threads] = true;
  find_waiting_loops(plan);
  Cut cut = {.plan = plan};
  do {
    cut.changed = false;
    ir_walk(&body, cut_node, &cut);
  } while (cut.changed);
  plan->is_blocking = cut.blocks;
  if (cut.is_per_lane) {
    plan->lanes = 1;
    for (uint32_t rank = 0; rank < plan->n_threads; rank++)
      plan->is_boundary[rank] = true;
  }
  make_strands(plan);
  uint32_t n_groups = plan->kernel->groups.count;
  plan->barriers = ARENA_ARRAY(plan->arena, CpuBarrierRows, n_groups);
  for (uint32_t i = 0; i < n_groups; i++)
    plan->barriers[i].first = UINT32_MAX;
  BarrierContext cx = {.plan = plan};
  if (plan->is_blocking)
    ir_walk(&body, add_sync, &cx);
  *why = cx.why;
  return cx.why == NULL;
}
