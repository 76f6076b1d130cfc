// SPDX-License-Identifier: Apache-2.0
// What the rows of the group table say about each other.
#include "ir/form/ir.h"

bool ir_group_contains(const IrGroup *outer, const IrGroup *inner) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner == outer;
}

IrGroup *ir_node_group(const IrKernel *kernel, const IrNode *node) {
  for (const IrNode *owner = node->region ? node->region->owner : NULL; owner;
       owner = owner->region ? owner->region->owner : NULL)
    if (ir_op_info(owner)->form == FORM_PART)
      return owner->u.part.group;
  return kernel->groups.data[GROUP_ROW_BLOCK];
}

IrGroup *ir_op_group(const IrKernel *kernel, const IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_GROUP: return node->u.group.group;
  case FORM_COLLECTIVE: return node->u.collective.group;
  case FORM_COPY: return node->u.copy.group;
  case FORM_TILE:
  case FORM_SECTION:
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_INDEX:
  case FORM_ACCESS:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_PART:
  case FORM_EXIT:
  case FORM_BARRIER: break;
  }
  return ir_node_group(kernel, node);
}

// ----------------------------------------------------------------- sizes

static int64_t group_least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

int64_t ir_group_nominal(const IrGroup *group) {
  if (group->kind == GROUP_WARP)
    return 32;
  const IrNode *maker = group->maker;
  if (group->kind != GROUP_TILED || group->size != SIZE_UNKNOWN)
    return group->kind == GROUP_TILED ? group->size : SIZE_UNKNOWN;
  if (!maker || !maker->n_args || maker->args[0]->op != IR_CONST)
    return SIZE_UNKNOWN;
  uint64_t bits = maker->args[0]->u.constant.bits;
  return bits <= 512 ? (int64_t)bits : SIZE_UNKNOWN;
}

// Threads of a tile whose row doesn't say: its last part may be ragged.
static int64_t tile_most(const IrGroup *group) {
  int64_t nominal = ir_group_nominal(group);
  return nominal != SIZE_UNKNOWN ? nominal : 512;
}

int64_t ir_group_most(const IrGroup *group) {
  int64_t most = INT64_MAX;
  for (; group; group = group->parent) {
    if (group->size != SIZE_UNKNOWN)
      return group_least(most, group->size);
    if (group->kind == GROUP_WARP || group->kind == GROUP_LABELED ||
        group->kind == GROUP_COALESCED)
      most = group_least(most, 32);
    if (group->kind == GROUP_TILED)
      most = group_least(most, tile_most(group));
    if (group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE)
      return 1;
  }
  return most;
}

int64_t ir_group_block_begin(const IrGroup *group) {
  int64_t begin = 0;
  for (; group && group->kind != GROUP_BLOCK; group = group->parent) {
    bool is_fixed = group->kind == GROUP_RANGE || group->kind == GROUP_SINGLE;
    if (!is_fixed || group->begin == SIZE_UNKNOWN)
      return SIZE_UNKNOWN;
    begin += group->begin;
  }
  return group ? begin : SIZE_UNKNOWN;
}

// ------------------------------------------------------------ being inside

bool ir_group_in_warp(const IrGroup *group) {
  for (; group && group->kind > GROUP_BLOCK; group = group->parent) {
    int64_t most = ir_group_most(group);
    int64_t begin = ir_group_block_begin(group);
    if (group->kind == GROUP_WARP || group->kind == GROUP_COALESCED ||
        most == 1)
      return true;
    if (begin != SIZE_UNKNOWN && begin % 32 + most <= 32)
      return true;
    if (most <= 32 && most <= (int64_t)group->alignment)
      return true;
  }
  // A block of at most 32 threads is one warp.
  return group && group->kind == GROUP_BLOCK && group->size > 0 &&
         group->size <= 32;
}

// Every warp is wholly inside a part of the group or wholly outside. The last
// warp of the block may be ragged.
static bool holds_warps(const IrKernel *kernel, const IrGroup *group) {
  if (group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED)
    return false;
  int64_t begin = ir_group_block_begin(group), size = group->size;
  int64_t n_threads = kernel->groups.data[GROUP_ROW_BLOCK]->size;
  if (begin != SIZE_UNKNOWN && size != SIZE_UNKNOWN && begin % 32 == 0 &&
      begin + size == n_threads)
    return true;
  return group->alignment % 32 == 0 && size != SIZE_UNKNOWN && size % 32 == 0;
}

static bool holds_warp_row(const IrKernel *kernel, const IrGroup *outer,
                           const IrGroup *inner) {
  for (; inner; inner = inner->parent)
    if (inner->kind == GROUP_WARP)
      return holds_warps(kernel, outer);
  return false;
}

bool ir_group_holds(const IrKernel *kernel, const IrGroup *outer,
                    const IrGroup *inner) {
  if (ir_group_contains(outer, inner) || holds_warp_row(kernel, outer, inner))
    return true;
  // A coalesced group is a part of the group that was current where it was
  // made. Makers stand inside one another, so that this ends.
  for (; inner; inner = inner->parent)
    if (inner->kind == GROUP_COALESCED && inner->maker)
      return ir_group_holds(kernel, outer, ir_node_group(kernel, inner->maker));
  return false;
}
