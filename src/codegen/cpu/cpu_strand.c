// SPDX-License-Identifier: Apache-2.0
// Strands: which lanes of a warp must be able to wait apart from others, and
// the barriers at which they meet.
//
// Note [What blocks]
// A sync whose threads all lie in one strand is no barrier: lanes of a strand
// run in step. So these block: syncs, kept joins and other collectives of a
// group that reaches over several strands, waits for mbarriers and semaphores,
// and a loop that is left when an atomic access in it gives some value (others
// must run for it to end). Group statements around such a thing cut warps at
// their boundaries, if those are constant. If one isn't, or a schedule drew
// that lanes run apart, every lane is a strand.
#include "abi/cpu.h"
#include "base/bits.h"
#include "codegen/cpu/cpu_plan.h"

// --------------------------------------------------------- waiting loops

typedef struct {
  CpuPlan *plan;
  bool *node_taints, *var_taints;
  bool changed;
  bool has_atomics;
} Taint;

static bool is_atomic_read(const IrNode *node) {
  return node->op == IR_RMW || node->op == IR_CAS || ir_asks_phase(node->op) ||
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

static bool cpu_strand_is_inside(const IrNode *node, const IrNode *outer) {
  for (; node; node = node->region->owner)
    if (node == outer)
      return true;
  return false;
}

static bool cpu_strand_leaves(const IrNode *node, const IrNode *loop) {
  if (node->op != IR_EXIT)
    return false;
  const IrNode *target = node->u.exit.target;
  return target == loop ? !node->u.exit.is_continue
                        : !cpu_strand_is_inside(target, loop);
}

static bool scan_loop(IrNode *node, void *context) {
  WaitingLoop *w = context;
  w->has_atomic |= is_atomic_read(node);
  if (!cpu_strand_leaves(node, w->loop))
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
  const CodeParts *parts = code_parts_of(cut->plan->parts, group);
  int64_t size = code_part_size(cut->plan->parts, group);
  if (parts == NULL) {
    bool is_aligned = group->alignment > 0 &&
                      group->alignment % CPU_WARP == 0 && size > 0 &&
                      size % CPU_WARP == 0;
    cut->is_per_lane |= !is_aligned;
    return;
  }
  for (uint32_t i = 0; i < parts->count; i++) {
    add_boundary(cut, parts->data[i].begin);
    add_boundary(cut, parts->data[i].end);
  }
}

bool cpu_is_kept_sync(const IrNode *node) {
  return node->op == IR_SYNC ||
         (node->op == IR_JOIN &&
          (node->u.group.join == JOIN_KEPT || node->u.group.join == JOIN_OPEN));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

// Somebody may have to wait here while others go on.
static bool node_blocks(const CpuPlan *plan, const IrNode *node) {
  const CpuFlow *flow = plan->flows[node->id];
  bool is_of_group = (ir_op_info(node)->flags & OPF_COLLECTIVE) != 0;
  if (ir_op_info(node)->flags & OPF_BLOCKS && !is_of_group &&
      ir_family(node) != FAMILY_COPY) // the one who waits for copies makes them
    return true;
  if (node->op == IR_JOIN)
    return cpu_is_kept_sync(node) &&
           cpu_needs_barrier(plan, node->u.group.group);
  if (is_of_group && node->op != IR_COPY_ASYNC && !ir_copies_bytes(node) &&
      cpu_node_group(node) != NULL)
    return cpu_needs_barrier(plan, cpu_node_group(node));
  return flow != NULL && flow->yields;
}

// Needs the state that the runtime keeps for a block whose strands wait.
static bool node_is_apart(const IrNode *node) {
  IrForm form = ir_op_info(node)->form;
  if (ir_family(node) == FAMILY_MBARRIER || ir_family(node) == FAMILY_COPY)
    return true;
  switch (node->op) {
  case IR_SEMAPHORE_LOCK:
  case IR_MAP_SHARED:
  case IR_SHARED_RANK: return true;
  case IR_ARRIVE:
  case IR_WAIT: return true;
  case IR_SYNC:
    return node->u.group.group->kind == GROUP_GRID ||
           node->u.group.group->kind == GROUP_CLUSTER;
  case IR_RANK:
  case IR_SIZE: return node->u.group.group->kind == GROUP_CLUSTER;
  case IR_META_RANK:
  case IR_META_SIZE:
    return node->u.group.group->kind == GROUP_CLUSTER ||
           node->u.group.group->kind == GROUP_BLOCK;
  default:
    return form == FORM_ACCESS && node->u.access.object != NULL &&
           node->u.access.object->is_cluster_shared;
  }
}

// How completion of the copies that the node makes, closes or waits for is
// asked for.
static uint32_t copy_kind_bits(const IrNode *node) {
  if (ir_family(node) != FAMILY_COPY)
    return 0;
  switch (ir_copy_op(node->op)) {
  case IR_COPY_ASYNC:
    return UINT32_C(1) << (node->u.copy.barrier ? HD_CPU_COPY_ARRIVE
                                                : HD_CPU_COPY_SET);
  case IR_COPY_BYTES:
    return UINT32_C(1) << (node->u.copy.barrier ? HD_CPU_COPY_JOIN
                                                : HD_CPU_COPY_SET);
  case IR_COPY_COMMIT:
  case IR_COPY_WAIT: return UINT32_C(1) << HD_CPU_COPY_SET;
  case IR_COPY_BULK:
  case IR_TMA_LOAD: return UINT32_C(1) << HD_CPU_COPY_BYTES;
  case IR_TMA_STORE:
  case IR_TMA_REDUCE:
  case IR_BULK_STORE:
  case IR_TMA_COMMIT:
  case IR_TMA_WAIT: return UINT32_C(1) << HD_CPU_COPY_BULK;
  case IR_TMA_WAIT_READ:
    return UINT32_C(1) << HD_CPU_COPY_BULK | UINT32_C(1) << HD_CPU_COPY_SOURCE;
  case IR_TENSOR_FENCE:
  case IR_TENSOR_ALLOC:
  case IR_TENSOR_DEALLOC:
  case IR_WGMMA_FENCE: return 0;
  case IR_TENSOR_TOUCH: return UINT32_C(1) << HD_CPU_COPY_TENSOR;
  case IR_WGMMA_READ:
  case IR_WGMMA_COMMIT:
  case IR_WGMMA_WAIT: return UINT32_C(1) << HD_CPU_COPY_MATRIX;
  case IR_MEMCPY_ASYNC:
  case IR_MEMCPY_WAIT: return UINT32_C(1) << HD_CPU_COPY_GROUP;
  }
  return 0;
}

#pragma GCC diagnostic pop

uint32_t cpu_copy_group(const CpuPlan *plan, const IrGroup *group) {
  uint32_t i = 0;
  while (i < plan->copy_groups.count && plan->copy_groups.data[i] != group)
    i++;
  return i;
}

static void note_copy_group(CpuPlan *plan, const IrGroup *group) {
  if (cpu_copy_group(plan, group) == plan->copy_groups.count)
    VEC_PUSH(plan->arena, &plan->copy_groups, group);
}

static void note_kind(CpuPlan *plan, const IrNode *node) {
  bool is_wide = (ir_op_info(node)->flags & OPF_COLLECTIVE) != 0 &&
                 cpu_node_group(node) != NULL &&
                 cpu_node_group(node)->kind == GROUP_GRID;
  plan->syncs_grid |= is_wide;
  plan->does_yield |= node->op == IR_SEMAPHORE_LOCK;
  plan->copy_kinds |= copy_kind_bits(node);
  if (node->op == IR_MEMCPY_ASYNC || node->op == IR_MEMCPY_WAIT)
    note_copy_group(plan, node->u.group.group);
}

// A part that reaches over several strands begins and ends with strands, so
// that who arrives for it is in no other.
static void cut_straddling(Cut *cut, const IrGroup *group) {
  const CpuPlan *plan = cut->plan;
  const CodeParts *parts =
      group != NULL ? code_parts_of(plan->parts, group) : NULL;
  for (uint32_t i = 0; parts != NULL && i < parts->count; i++) {
    CodePart part = parts->data[i];
    bool is_cut = false;
    for (int32_t at = part.begin + 1;
         at < part.end && at < (int32_t)plan->n_threads; at++)
      is_cut |= plan->is_boundary[at];
    if (!is_cut)
      continue;
    add_boundary(cut, part.begin);
    add_boundary(cut, part.end);
  }
}

// Tiles whose size is known at run time, and which don't begin at a warp: one
// may hold a part of a strand.
static bool moves_in_warps(const CpuPlan *plan, const IrGroup *group) {
  int64_t size;
  if (group == NULL || group->kind != GROUP_TILED ||
      code_tile_size(group, &size))
    return false;
  const CodeParts *outer = code_parts_of(plan->parts, group->parent);
  if (outer == NULL)
    return true;
  for (uint32_t i = 0; i < outer->count; i++)
    if (outer->data[i].begin % CPU_WARP != 0)
      return true;
  // Nor where another statement cuts a warp, and perhaps a tile with it.
  for (uint32_t rank = 0; rank < plan->n_threads; rank++)
    if (plan->is_boundary[rank] && rank % CPU_WARP != 0)
      return true;
  return false;
}

static void cut_at_branch(Cut *cut, const IrNode *branch) {
  const CpuPlan *plan = cut->plan;
  bool before, now;
  for (uint32_t rank = 1; rank < plan->n_threads; rank++)
    if (rank % CPU_WARP != 0 &&
        cpu_branch_is_taken(plan, branch, rank - 1, &before) &&
        cpu_branch_is_taken(plan, branch, rank, &now) && before != now)
      add_boundary(cut, rank);
}

// Around a wait, where others of the warp don't get, but perhaps signal.
static void cut_at_branches(Cut *cut, const IrNode *wait) {
  const IrObject *barrier = wait->u.barrier.object;
  for (const IrRegion *at = wait->region; at->owner; at = at->owner->region)
    if (at->owner->op == IR_IF &&
        cpu_is_signalled_outside(cut->plan, barrier, at))
      cut_at_branch(cut, at->owner);
}

static bool cut_node(IrNode *node, void *context) {
  Cut *cut = context;
  CpuPlan *plan = cut->plan;
  note_kind(plan, node);
  if (node_is_apart(node))
    cut->blocks = plan->is_apart = true;
  if (cpu_is_scattered_maker(node) &&
      cpu_needs_barrier(plan, node->u.group.group->parent))
    cut->is_per_lane = true;
  if (!node_blocks(plan, node))
    return true;
  cut->is_per_lane |= moves_in_warps(plan, cpu_node_group(node));
  cut_straddling(cut, cpu_node_group(node));
  cut->blocks = true;
  if (ir_waits_phase(node->op))
    cut_at_branches(cut, node);
  for (const IrNode *up = node->region->owner; up; up = up->region->owner)
    if (up->op == IR_GROUP || up->op == IR_WITH ||
        (up->op == IR_THREAD_FOR && up->u.part.is_split))
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

// The power of two that divides every begin, up to the tile's size.
static uint32_t begin_shift(const IrGroup *group, const CodeParts *parts) {
  int64_t size;
  if (!code_tile_size(group, &size) || !is_power_of_two(size))
    return 0;
  for (uint32_t i = 0; i < parts->count; i++)
    if (parts->data[i].begin % size != 0)
      return 0;
  return bits_log2((uint64_t)size);
}

// Sizes up to the most that a part can have: powers of two, and what lies
// between them.
static uint32_t size_levels(const CpuPlan *plan, const IrGroup *group) {
  int64_t most = ir_group_most(group);
  if (most > plan->n_threads)
    most = plan->n_threads;
  uint32_t levels = 1;
  for (int64_t size = 1; size < most; size *= 2)
    levels += 2;
  return levels;
}

static void add_barrier(CpuPlan *plan, const IrGroup *group) {
  CpuBarrierRows *rows = &plan->barriers[group->id];
  if (rows->first != UINT32_MAX)
    return;
  const CodeParts *parts = code_parts_of(plan->parts, group);
  bool is_numbered = !code_is_computed(group);
  rows->first = plan->n_barriers;
  rows->n_threads = (uint32_t)code_part_size(plan->parts, group);
  rows->n_levels = 1;
  if (parts != NULL && (is_numbered || parts->count == 1)) {
    rows->n_rows = parts->count;
  } else {
    rows->is_by_begin = true;
    rows->shift = parts ? begin_shift(group, parts) : 0;
    rows->n_rows = ((plan->n_threads - 1) >> rows->shift) + 1;
    if (parts == NULL && rows->n_threads == 0 && !code_is_scattered(group))
      rows->n_levels = size_levels(plan, group);
    rows->n_rows *= rows->n_levels;
  }
  plan->n_barriers += rows->n_rows;
}

static bool cpu_strand_add_sync(IrNode *node, void *context) {
  CpuPlan *plan = context;
  bool is_barrier = cpu_is_kept_sync(node) || node->op == IR_ARRIVE ||
                    node->op == IR_WAIT || node->op == IR_MEMCPY_WAIT;
  if (!is_barrier)
    return true;
  const IrGroup *group = node->u.group.group;
  if (group->kind != GROUP_GRID && group->kind != GROUP_CLUSTER &&
      cpu_needs_barrier(plan, group))
    add_barrier(plan, group);
  return true;
}

bool cpu_plan_strands(CpuPlan *plan, const char **why) {
  IrRegion body = plan->kernel->body;
  plan->is_boundary = ARENA_ARRAY(plan->arena, bool, plan->n_threads + 1);
  for (uint32_t rank = 0; rank < plan->n_threads; rank += CPU_WARP)
    plan->is_boundary[rank] = true;
  plan->is_boundary[plan->n_threads] = true;
  find_waiting_loops(plan);
  Cut cut = {.plan = plan, .is_per_lane = plan->kernel->has_lanes_apart};
  plan->does_yield |= plan->kernel->has_lanes_apart;
  do {
    cut.changed = false;
    ir_walk(&body, cut_node, &cut);
  } while (cut.changed);
  plan->is_blocking = cut.blocks || plan->is_scheduled;
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
  if (plan->is_blocking)
    ir_walk(&body, cpu_strand_add_sync, plan);
  return *why == NULL;
}
