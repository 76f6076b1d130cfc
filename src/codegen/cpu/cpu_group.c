// SPDX-License-Identifier: Apache-2.0
// What is known about groups before emission: the block ranks of their parts
// where these are constant, how parts lie in warps and strands, the shapes of
// ranks and sizes.
//
// Note [Groups by kind]
// A part of a group is contiguous (ranks follow lanes) or scattered: labeled
// and coalesced groups are lane sets, a mask of one warp's lanes that their
// make_group gives, and so is whatever is a part of one. Ranges and splits are
// known where their statement is entered; all others are computed from their
// parent at each use, so that a use may stand in another function or phase than
// the maker.
#include "codegen/cpu/cpu_plan.h"

bool cpu_is_scattered(const IrGroup *group) {
  while (group && !cpu_is_lane_set(group))
    group = group->parent;
  return group != NULL;
}

int64_t cpu_group_size(const CpuPlan *plan, const IrGroup *group) {
  if (group->kind == GROUP_BLOCK)
    return plan->n_threads;
  if (group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE)
    return 1;
  return group->size > 0 ? group->size : 0;
}

bool cpu_tile_size(const IrGroup *group, int64_t *size) {
  const IrNode *maker = group->maker;
  if (group->kind != GROUP_TILED)
    return false;
  *size = group->size;
  if (maker != NULL && maker->n_args > 0)
    return code_const_int(maker->args[0], size) && *size > 0;
  return *size > 0;
}

// ----------------------------------------------------------------- parts

static bool constant_begin(const IrGroup *group, int64_t *begin) {
  const IrNode *maker = group->maker;
  *begin = group->begin;
  if (maker != NULL && maker->op == IR_GROUP && maker->n_args > 0)
    return code_const_int(maker->args[0], begin);
  if (group->kind == GROUP_SINGLE && *begin < 0) {
    *begin = 0; // any thread: the first
    return true;
  }
  return *begin >= 0;
}

static CpuParts *parts_new(const CpuPlan *plan, uint32_t n) {
  CpuParts *parts = ARENA_NEW(plan->arena, CpuParts);
  parts->data = ARENA_ARRAY(plan->arena, CpuPart, n ? n : 1);
  return parts;
}

static void add_part(CpuParts *parts, int64_t begin, int64_t end) {
  parts->data[parts->count++] =
      (CpuPart){.begin = (int32_t)begin, .end = (int32_t)end};
}

// Pieces of `size` of each part of the parent, the last ragged.
static CpuParts *pieces(const CpuPlan *plan, const CpuParts *outer,
                        int64_t size) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < outer->count; i++) {
    int64_t threads = outer->data[i].end - outer->data[i].begin;
    n += (uint32_t)((threads + size - 1) / size);
  }
  CpuParts *parts = parts_new(plan, n);
  for (uint32_t i = 0; i < outer->count; i++) {
    int64_t last = outer->data[i].end;
    for (int64_t at = outer->data[i].begin; at < last; at += size)
      add_part(parts, at, at + size < last ? at + size : last);
  }
  return parts;
}

static CpuParts *ranges(const CpuPlan *plan, const CpuParts *outer,
                        const IrGroup *group) {
  int64_t begin, size = cpu_group_size(plan, group);
  if (!constant_begin(group, &begin) || begin < 0 || begin > CPU_MAX_BLOCK ||
      size <= 0 || size > CPU_MAX_BLOCK)
    return NULL;
  CpuParts *parts = parts_new(plan, outer->count);
  for (uint32_t i = 0; i < outer->count; i++)
    add_part(parts, outer->data[i].begin + begin,
             outer->data[i].begin + begin + size);
  return parts;
}

static CpuParts *find_parts(const CpuPlan *plan, const IrGroup *group) {
  int64_t size;
  if (group->kind <= GROUP_BLOCK) {
    CpuParts *parts = parts_new(plan, 1);
    add_part(parts, 0, plan->n_threads);
    return parts;
  }
  const CpuParts *outer = cpu_group_parts(plan, group->parent);
  if (outer == NULL)
    return NULL;
  switch (group->kind) {
  case GROUP_WARP: return pieces(plan, outer, CPU_WARP);
  case GROUP_THREAD: return pieces(plan, outer, 1);
  case GROUP_SPLIT:
    return group->size > 0 ? pieces(plan, outer, group->size) : NULL;
  case GROUP_TILED:
    return cpu_tile_size(group, &size) ? pieces(plan, outer, size) : NULL;
  case GROUP_RANGE:
  case GROUP_SINGLE: return ranges(plan, outer, group);
  case GROUP_GRID:
  case GROUP_CLUSTER:
  case GROUP_BLOCK:
  case GROUP_LABELED:
  case GROUP_COALESCED:
  case GROUP_KIND_COUNT: break;
  }
  return NULL;
}

const CpuParts *cpu_group_parts(const CpuPlan *plan, const IrGroup *group) {
  if (!plan->knows_parts[group->id]) {
    plan->knows_parts[group->id] = true;
    plan->parts[group->id] = find_parts(plan, group);
  }
  return plan->parts[group->id];
}

uint32_t cpu_most_parts(const CpuPlan *plan, const IrGroup *group) {
  if (group->kind == GROUP_RANGE || group->kind == GROUP_SINGLE ||
      group->kind <= GROUP_BLOCK || cpu_is_scattered(group) ||
      (group->kind == GROUP_THREAD && !cpu_is_computed(group) &&
       !group->maker->u.part.is_split))
    return 1;
  const CpuParts *outer = cpu_group_parts(plan, group->parent);
  const CpuParts *parts = cpu_group_parts(plan, group);
  if (outer == NULL || parts == NULL || parts->count == 0)
    return 1;
  uint32_t most = 1, at = 0;
  for (uint32_t i = 0; i < outer->count; i++) {
    uint32_t first = at;
    while (at < parts->count && parts->data[at].begin < outer->data[i].end)
      at++;
    most = at - first > most ? at - first : most;
  }
  return most;
}

uint32_t cpu_count_instances(const CpuPlan *plan, const IrGroup *group) {
  uint32_t count = 1;
  for (; group && group->kind > GROUP_BLOCK; group = group->parent)
    count *= cpu_most_parts(plan, group);
  return count > plan->n_threads ? plan->n_threads : count;
}

// --------------------------------------------------- parts in strands

bool cpu_group_keeps_strands(const CpuPlan *plan, const IrGroup *group) {
  if (plan->lanes == 1 || group->kind <= GROUP_BLOCK)
    return true;
  const CpuParts *parts = cpu_group_parts(plan, group);
  if (parts == NULL)
    return false;
  for (uint32_t i = 0; i < parts->count; i++) {
    int32_t begin = parts->data[i].begin, end = parts->data[i].end;
    if (begin >= (int32_t)plan->n_threads || end > (int32_t)plan->n_threads ||
        !plan->is_boundary[begin] || !plan->is_boundary[end])
      return false;
  }
  return true;
}

// Parts without constant places.
static bool moving_needs_barrier(const CpuPlan *plan, const IrGroup *group) {
  if (plan->lanes == 1)
    return true;
  if (group->kind == GROUP_TILED || cpu_is_scattered(group))
    return cpu_needs_barrier(plan, group->parent);
  if (plan->n_threads <= CPU_WARP)
    return false;
  return group->size <= 0 || group->size > CPU_WARP ||
         group->alignment % CPU_WARP != 0 || group->alignment == 0;
}

bool cpu_needs_barrier(const CpuPlan *plan, const IrGroup *group) {
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER)
    return true;
  if (cpu_group_size(plan, group) == 1)
    return false;
  const CpuParts *parts = cpu_group_parts(plan, group);
  if (parts == NULL)
    return moving_needs_barrier(plan, group);
  for (uint32_t i = 0; i < parts->count; i++) {
    CpuPart part = parts->data[i];
    for (int32_t at = part.begin + 1;
         at < part.end && at < (int32_t)plan->n_threads; at++)
      if (plan->lanes == 1 || plan->is_boundary[at])
        return true;
  }
  return false;
}

bool cpu_is_one_part(const CpuPlan *plan, const IrGroup *group) {
  if (plan->lanes == 1 || group->kind <= GROUP_BLOCK)
    return true;
  if (group->kind == GROUP_COALESCED) // one in each part that was current
    return cpu_is_one_part(plan, ir_node_group(plan->kernel, group->maker));
  if (group->kind == GROUP_LABELED)
    return false;
  const CpuParts *parts = cpu_group_parts(plan, group);
  if (parts == NULL)
    return (group->kind == GROUP_RANGE || group->kind == GROUP_SINGLE) &&
           cpu_is_one_part(plan, group->parent);
  // A second part begins in a strand that one has begun in.
  int32_t strand = -1;
  for (uint32_t i = 0; i < parts->count; i++) {
    int32_t begin = parts->data[i].begin, end = parts->data[i].end;
    if (begin >= (int32_t)plan->n_threads)
      break;
    int32_t first = begin;
    while (!plan->is_boundary[first])
      first--;
    if (first == strand)
      return false;
    int32_t last =
        end > (int32_t)plan->n_threads ? (int32_t)plan->n_threads - 1 : end - 1;
    while (!plan->is_boundary[last])
      last--;
    strand = last;
  }
  return true;
}

uint32_t cpu_lane_pattern(const CpuPlan *plan, const IrGroup *group,
                          bool *is_even) {
  const CpuParts *parts = cpu_group_parts(plan, group);
  *is_even = true;
  if (plan->lanes == 1 || parts == NULL || parts->count == 0)
    return 0;
  int32_t size = parts->data[0].end - parts->data[0].begin;
  for (uint32_t i = 0; i < parts->count; i++) {
    int32_t threads = parts->data[i].end - parts->data[i].begin;
    size = threads > size ? threads : size;
  }
  if (size > CPU_WARP || (size & (size - 1)) != 0)
    return 0;
  for (uint32_t i = 0; i < parts->count; i++) {
    if (parts->data[i].begin % size != 0)
      return 0;
    *is_even &= parts->data[i].end - parts->data[i].begin == size;
  }
  return (uint32_t)size;
}

// ---------------------------------------------------------------- shapes

void cpu_split_shapes(CpuShape rank, int64_t size, CpuShape *inner,
                      CpuShape *part) {
  *inner = *part = rank.kind == CPU_UNIFORM ? cpu_uniform() : cpu_varying();
  bool is_lane = rank.kind == CPU_AFFINE && rank.step == 1 &&
                 rank.period_log2 == CPU_WARP_LOG2 &&
                 rank.align_log2 >= CPU_WARP_LOG2;
  bool is_power = size > 0 && (size & (size - 1)) == 0;
  if (size == 1) {
    *inner = cpu_uniform();
    *part = rank;
  } else if (is_lane && is_power && size >= CPU_WARP) {
    *inner = rank;
    *part = cpu_uniform();
  } else if (is_lane && size % CPU_WARP == 0) {
    *inner = rank;
    *part = cpu_uniform();
  } else if (is_lane && is_power) {
    *inner = *part = rank;
    inner->period_log2 = (uint8_t)__builtin_ctzll((uint64_t)size);
    inner->align_log2 = 62;
    part->period_log2 = inner->period_log2;
    part->step = 0;
    part->outer = 1;
    part->align_log2 = (uint8_t)(rank.align_log2 - inner->period_log2);
  }
  inner->is_nonneg = part->is_nonneg = true;
}

static CpuShape settle(const CpuPlan *plan, CpuShape shape) {
  if (plan->lanes == 1)
    shape = cpu_uniform();
  shape.is_nonneg = true;
  return shape;
}

static CpuShape uniform_if(const CpuPlan *plan, bool is_uniform) {
  return settle(plan, is_uniform ? cpu_uniform() : cpu_varying());
}

CpuShape cpu_rank_shape(const CpuPlan *plan, const IrGroup *group) {
  CpuShape inner, part;
  int64_t size;
  if (!cpu_is_computed(group))
    return plan->ranks[group->id];
  switch ((int)group->kind) {
  case GROUP_WARP:
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), CPU_WARP, &inner,
                     &part);
    return settle(plan, inner);
  case GROUP_TILED:
    if (!cpu_tile_size(group, &size))
      return settle(plan, cpu_varying());
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), size, &inner, &part);
    return settle(plan, inner);
  case GROUP_THREAD: return settle(plan, cpu_uniform());
  default: return settle(plan, cpu_varying());
  }
}

CpuShape cpu_part_shape(const CpuPlan *plan, const IrGroup *group) {
  CpuShape inner, part;
  int64_t size;
  if (!cpu_is_computed(group))
    return plan->counts[group->id];
  switch ((int)group->kind) {
  case GROUP_WARP:
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), CPU_WARP, &inner,
                     &part);
    return settle(plan, part);
  case GROUP_TILED:
    if (!cpu_tile_size(group, &size))
      return settle(plan, cpu_varying());
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), size, &inner, &part);
    return settle(plan, part);
  case GROUP_THREAD: return settle(plan, cpu_rank_shape(plan, group->parent));
  case GROUP_COALESCED: return settle(plan, cpu_uniform());
  default: return settle(plan, cpu_varying());
  }
}

CpuShape cpu_size_shape(const CpuPlan *plan, const IrGroup *group) {
  return uniform_if(plan, cpu_group_size(plan, group) > 0 ||
                              cpu_is_one_part(plan, group));
}

// How many parts the parent has.
CpuShape cpu_parts_shape(const CpuPlan *plan, const IrGroup *group) {
  bool is_fixed = group->kind <= GROUP_BLOCK || !cpu_is_computed(group) ||
                  group->kind == GROUP_COALESCED;
  return uniform_if(plan, is_fixed || cpu_is_one_part(plan, group->parent));
}

CpuShape cpu_instance_shape(const CpuPlan *plan, const IrGroup *group) {
  if (!cpu_is_computed(group))
    return plan->instances[group->id];
  CpuShape part = cpu_part_shape(plan, group);
  CpuShape outer = cpu_instance_shape(plan, group->parent);
  CpuShape shape = outer.kind == CPU_UNIFORM ? part : cpu_varying();
  shape.align_log2 = 0;
  return settle(plan, shape);
}

// ----------------------------------------------------- collective results

bool cpu_is_group_wide(IrOp op) {
  return op == IR_BROADCAST || op == IR_ANY || op == IR_ALL || op == IR_COUNT ||
         op == IR_BALLOT || op == IR_MATCH_ALL || op == IR_REDUCE ||
         op == IR_REDUCE_BY;
}

CpuShape cpu_collective_shape(const CpuPlan *plan, const IrNode *node,
                              CpuShape value) {
  const IrGroup *group = cpu_node_group(node);
  if (plan->lanes == 1)
    return cpu_uniform();
  if (cpu_is_group_wide(node->op) && cpu_is_one_part(plan, group))
    return cpu_uniform();
  bool is_moved = node->op >= IR_SHFL && node->op <= IR_BROADCAST;
  return is_moved && value.kind == CPU_UNIFORM ? cpu_uniform() : cpu_varying();
}
