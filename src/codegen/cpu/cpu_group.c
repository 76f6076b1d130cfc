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

#include "base/bits.h"

// --------------------------------------------------- parts in strands

bool cpu_group_keeps_strands(const CpuPlan *plan, const IrGroup *group) {
  if (plan->lanes == 1 || group->kind <= GROUP_BLOCK)
    return true;
  const CodeParts *parts = code_parts_of(plan->parts, group);
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
  if (group->kind == GROUP_TILED || code_is_scattered(group))
    return cpu_needs_barrier(plan, group->parent);
  if (plan->n_threads <= CPU_WARP)
    return false;
  return group->size <= 0 || group->size > CPU_WARP ||
         group->alignment % CPU_WARP != 0 || group->alignment == 0;
}

bool cpu_needs_barrier(const CpuPlan *plan, const IrGroup *group) {
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER)
    return true;
  if (code_part_size(plan->parts, group) == 1)
    return false;
  const CodeParts *parts = code_parts_of(plan->parts, group);
  if (parts == NULL)
    return moving_needs_barrier(plan, group);
  for (uint32_t i = 0; i < parts->count; i++) {
    CodePart part = parts->data[i];
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
  const CodeParts *parts = code_parts_of(plan->parts, group);
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
  const CodeParts *parts = code_parts_of(plan->parts, group);
  *is_even = true;
  if (plan->lanes == 1 || parts == NULL || parts->count == 0)
    return 0;
  int32_t size = parts->data[0].end - parts->data[0].begin;
  for (uint32_t i = 0; i < parts->count; i++) {
    int32_t threads = parts->data[i].end - parts->data[i].begin;
    size = threads > size ? threads : size;
  }
  if (size > CPU_WARP || !is_power_of_two(size))
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
  bool is_power = is_power_of_two(size);
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
    inner->period_log2 = (uint8_t)bits_log2((uint64_t)size);
    inner->align_log2 = 62;
    part->period_log2 = inner->period_log2;
    part->step = 0;
    part->outer = 1;
    part->align_log2 = (uint8_t)(rank.align_log2 - inner->period_log2);
  }
  inner->is_nonneg = part->is_nonneg = true;
  inner->most = size > 0 ? size - 1 : 0;
  part->most = size > 0 ? rank.most / size : 0;
}

static CpuShape cpu_group_settle(const CpuPlan *plan, CpuShape shape) {
  if (plan->lanes == 1)
    shape = cpu_uniform();
  shape.is_nonneg = true;
  return shape;
}

static CpuShape uniform_if(const CpuPlan *plan, bool is_uniform) {
  return cpu_group_settle(plan, is_uniform ? cpu_uniform() : cpu_varying());
}

CpuShape cpu_rank_shape(const CpuPlan *plan, const IrGroup *group) {
  CpuShape inner, part;
  int64_t size;
  if (!code_is_computed(group))
    return plan->ranks[group->id];
  switch ((int)group->kind) {
  case GROUP_WARP:
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), CPU_WARP, &inner,
                     &part);
    return cpu_group_settle(plan, inner);
  case GROUP_TILED:
    if (!code_tile_size(group, &size))
      return cpu_group_settle(plan, cpu_varying());
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), size, &inner, &part);
    return cpu_group_settle(plan, inner);
  case GROUP_THREAD: return cpu_group_settle(plan, cpu_uniform());
  default: return cpu_group_settle(plan, cpu_varying());
  }
}

CpuShape cpu_part_shape(const CpuPlan *plan, const IrGroup *group) {
  CpuShape inner, part;
  int64_t size;
  if (!code_is_computed(group))
    return plan->counts[group->id];
  switch ((int)group->kind) {
  case GROUP_WARP:
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), CPU_WARP, &inner,
                     &part);
    return cpu_group_settle(plan, part);
  case GROUP_TILED:
    if (!code_tile_size(group, &size))
      return cpu_group_settle(plan, cpu_varying());
    cpu_split_shapes(cpu_rank_shape(plan, group->parent), size, &inner, &part);
    return cpu_group_settle(plan, part);
  case GROUP_THREAD:
    return cpu_group_settle(plan, cpu_rank_shape(plan, group->parent));
  case GROUP_COALESCED: return cpu_group_settle(plan, cpu_uniform());
  default: return cpu_group_settle(plan, cpu_varying());
  }
}

CpuShape cpu_size_shape(const CpuPlan *plan, const IrGroup *group) {
  return uniform_if(plan, code_part_size(plan->parts, group) > 0 ||
                              cpu_is_one_part(plan, group));
}

// How many parts the parent has.
CpuShape cpu_parts_shape(const CpuPlan *plan, const IrGroup *group) {
  bool is_fixed = group->kind <= GROUP_BLOCK || !code_is_computed(group) ||
                  group->kind == GROUP_COALESCED;
  return uniform_if(plan, is_fixed || cpu_is_one_part(plan, group->parent));
}

CpuShape cpu_instance_shape(const CpuPlan *plan, const IrGroup *group) {
  if (!code_is_computed(group))
    return plan->instances[group->id];
  CpuShape part = cpu_part_shape(plan, group);
  CpuShape outer = cpu_instance_shape(plan, group->parent);
  CpuShape shape = outer.kind == CPU_UNIFORM ? part : cpu_varying();
  shape.align_log2 = 0;
  return cpu_group_settle(plan, shape);
}

// ----------------------------------------------------- collective results

CpuShape cpu_collective_shape(const CpuPlan *plan, const IrNode *node,
                              CpuShape value) {
  const IrGroup *group = cpu_node_group(node);
  if (plan->lanes == 1)
    return cpu_uniform();
  if (ir_op_info(node)->flags & OPF_ALIKE && cpu_is_one_part(plan, group))
    return cpu_uniform();
  return ir_is_shuffle(node->op) && value.kind == CPU_UNIFORM ? cpu_uniform()
                                                              : cpu_varying();
}
