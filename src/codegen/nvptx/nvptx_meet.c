// SPDX-License-Identifier: Apache-2.0
// What is decided about groups before emission: how their threads meet, which
// hardware barriers they have, what scratch memory their collectives need.
//
//   parts                         meet                     values pass through
//   one thread                    not at all               registers
//   threads of one warp           member mask              shuffles
//   whole warps, fixed places     hardware barrier, or     shuffles, scratch
//                                 mbarrier
//   whole warps, moving           mbarrier                 shuffles, scratch
//   all others in a block         mbarrier                 scratch
//   blocks of a cluster           cluster barrier          each other's scratch
//   the grid                      counters                 the workspace
//
// Note [Hardware barriers of groups]
// A block has barriers 1 to 15 beside its own. Rows whose parts are the same
// threads share theirs: all of a part's threads come to the collectives of both
// rows in one order. Rows that come first in the program get them first. A
// kernel that may fail has mbarriers instead, because these barriers wait for
// threads that are gone; see Note [Faults].
//
// Note [Scratch of groups]
// A row has two buffers, used in turn: whoever writes one for operation k + 2
// has passed the barrier of k + 1, and so have all who read it in k. Elements
// are numbered by warps (or threads) of the block, so that parts never share
// one; a row that has both keeps them apart, because one part may be ahead of
// another. Words lie apart, so that lanes read neighbours. Parts whose threads
// change from one use to the next have not counted the same turns: these use
// one buffer and a second barrier.
#include "base/bits.h"
#include "codegen/code_groups.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

#define N_BARRIERS 16 // 0 is the block's

typedef struct {
  NvPlan *plan;
  CodePartTable *parts;
  bool *syncs;      // by group id: it has barriers, or operations that need one
  uint32_t *words;  // by group id: of the largest value that passes
  uint32_t *values; // by group id: values by thread: 1, in the slow way: 4
  uint32_t next_barrier;
  bool may_fail; // traps, asserts, tests of the compiler's own
} Meeting;

// ------------------------------------------------------------------ parts

static int64_t part_threads(CodePart part) {
  return part.end - part.begin;
}

static uint32_t warps_of(CodePart part) {
  return (uint32_t)(part_threads(part) + NV_WARP - 1) / NV_WARP;
}

static bool is_within_warp(CodePart part) {
  return part.begin / NV_WARP == (part.end - 1) / NV_WARP;
}

static bool nvptx_meet_is_of_warps(const NvPlan *plan, CodePart part) {
  return part.begin % NV_WARP == 0 && part.end <= (int32_t)plan->n_threads &&
         (part.end % NV_WARP == 0 || part.end == (int32_t)plan->n_threads);
}

// All parts have n threads, a power of two, and begin at a multiple of n.
static uint32_t even_tile(const CodeParts *parts) {
  int64_t n = part_threads(parts->data[0]);
  if (!is_power_of_two(n) || n > NV_WARP)
    return 0;
  for (uint32_t i = 0; i < parts->count; i++)
    if (part_threads(parts->data[i]) != n || parts->data[i].begin % n != 0)
      return 0;
  return (uint32_t)n;
}

static void describe_fixed(const NvPlan *plan, const CodeParts *parts,
                           NvGroupPlan *row) {
  row->in_warp = true;
  uint32_t begins = 4 * NV_WARP; // more is not needed
  bool is_whole = true;
  row->is_even = true;
  for (uint32_t i = 0; i < parts->count; i++) {
    CodePart part = parts->data[i];
    uint32_t n_warps = warps_of(part);
    row->in_warp &= is_within_warp(part);
    begins |= (uint32_t)part.begin;
    is_whole &= nvptx_meet_is_of_warps(plan, part);
    row->is_even &= part_threads(part) == part_threads(parts->data[0]);
    row->n_warps = n_warps > row->n_warps ? n_warps : row->n_warps;
    row->most_threads = part_threads(part) > (int64_t)row->most_threads
                            ? (uint32_t)part_threads(part)
                            : row->most_threads;
  }
  row->tile = even_tile(parts);
  row->warp_align = (begins & (0 - begins)) / NV_WARP;
  if (!is_whole || row->in_warp)
    row->n_warps = 0;
}

// Nothing is known but what the row says.
static void describe_moving(const NvPlan *plan, const IrGroup *group,
                            NvGroupPlan *row) {
  int64_t most = ir_group_most(group);
  row->most_threads =
      most < (int64_t)plan->n_threads ? (uint32_t)most : plan->n_threads;
  row->in_warp = code_is_scattered(group) || ir_group_in_warp(group);
  row->is_moving = true;
  if (!row->in_warp && group->size > 0 && group->size % NV_WARP == 0 &&
      group->alignment > 0 && group->alignment % NV_WARP == 0) {
    row->n_warps = (uint32_t)group->size / NV_WARP;
    row->warp_align = 1;
    row->is_even = true;
  }
}

// Parts of this group in one part of the parent, at most.
static uint32_t most_parts(Meeting *m, const IrGroup *group) {
  if (code_parts_of(m->parts, group))
    return code_most_parts(m->parts, group);
  uint32_t outer = m->plan->groups[group->parent->id].most_threads;
  if (group->kind == GROUP_LABELED || group->kind == GROUP_THREAD)
    return outer;
  if (group->kind == GROUP_SPLIT && group->instances > 0)
    return (uint32_t)group->instances;
  int64_t size = 1;
  if (group->kind != GROUP_TILED)
    return 1;
  return code_tile_size(group, &size) ? (uint32_t)((outer + size - 1) / size)
                                      : outer;
}

static void nvptx_meet_describe(Meeting *m, const IrGroup *group) {
  NvPlan *plan = m->plan;
  NvGroupPlan *row = &plan->groups[group->id];
  const CodeParts *parts = code_parts_of(m->parts, group);
  if (group->kind <= GROUP_BLOCK)
    row->n_instances = row->most_parts = 1;
  if (group->kind < GROUP_BLOCK) {
    row->most_threads = UINT32_MAX;
    return;
  }
  if (group->kind == GROUP_BLOCK) {
    describe_fixed(plan, parts, row);
    if (group->kind < GROUP_BLOCK) // more than the block that was described
      row->tile = 0;
    return;
  }
  if (parts && parts->count > 0)
    describe_fixed(plan, parts, row);
  else
    describe_moving(plan, group, row);
  row->most_parts = most_parts(m, group);
  uint64_t n = row->most_parts;
  n *= plan->groups[group->parent->id].n_instances;
  row->n_instances = n > plan->n_threads ? plan->n_threads : (uint32_t)n;
}

// ------------------------------------------------------------------- uses

// Words of a value, its leaves packed: see nv_pack.
static uint32_t count_words(const NvPlan *plan, IrType type) {
  uint32_t bits = 0, n = code_leaf_count(plan->module, type), offset;
  for (uint32_t k = 0; k < n; k++)
    bits = nv_place_leaf(bits, code_leaf_type(plan->module, type, k, &offset)) +
           nv_leaf_bits(code_leaf_type(plan->module, type, k, &offset));
  return (bits + 31) / 32;
}

static void at_least(uint32_t *count, uint32_t n) {
  *count = n > *count ? n : *count;
}

static bool is_scan(const IrNode *node) {
  if (ir_family(node) != FAMILY_REDUCE)
    return false;
  switch (ir_reduce_op(node->op)) {
  case IR_SCAN:
  case IR_SCAN_BY: return true;
  case IR_REDUCE:
  case IR_REDUCE_BY: break;
  }
  return false;
}

// Values that pass between the threads of a group.
static void note_value(Meeting *m, const IrNode *node, const IrGroup *group) {
  const NvGroupPlan *row = &m->plan->groups[group->id];
  uint32_t n_words = count_words(m->plan, node->args[0]->type);
  if (row->in_warp && group->kind >= GROUP_BLOCK)
    return;
  m->syncs[group->id] = true;
  at_least(&m->words[group->id], n_words > 0 ? n_words : 1);
  if (ir_is_shuffle(node->op))
    at_least(&m->values[group->id], 1);
  else if (group->kind >= GROUP_BLOCK && row->n_warps == 0)
    at_least(&m->values[group->id], is_scan(node) ? 4 : 1);
  if (group->kind < GROUP_BLOCK) // the blocks' values, then theirs
    note_value(m, node, m->plan->kernel->groups.data[GROUP_ROW_BLOCK]);
}

static bool may_fail(const IrNode *node) {
  int64_t size;
  if (node->op == IR_MAKE_GROUP)
    return node->u.group.group->kind == GROUP_TILED &&
           !code_tile_size(node->u.group.group, &size);
  return node->op == IR_TRAP ||
         (node->op == IR_ASSERT && !(node->flags & NODE_OBLIGATION));
}

static bool nvptx_meet_note_use(IrNode *node, void *context) {
  Meeting *m = context;
  m->may_fail |= may_fail(node);
  const IrGroup *group = ir_op_group(m->plan->kernel, node);
  NvGroupPlan *row = &m->plan->groups[group->id];
  bool is_value =
      ir_family(node) == FAMILY_EXCHANGE || ir_family(node) == FAMILY_REDUCE;
  if (is_value)
    note_value(m, node, group);
  else if (node->op == IR_JOIN)
    m->syncs[group->id] |= node->u.group.join <= JOIN_KEPT;
  else if (ir_op_info(node)->flags & OPF_COLLECTIVE)
    m->syncs[group->id] = true;
  if (node->op == IR_META_RANK || node->op == IR_META_SIZE)
    row->needs_parts = true;
  return true;
}

// ---------------------------------------------------------------- barriers

static bool are_same(const CodeParts *a, const CodeParts *b) {
  if (a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->data[i].begin != b->data[i].begin ||
        a->data[i].end != b->data[i].end)
      return false;
  return true;
}

// See Note [Hardware barriers of groups].
static bool take_barriers(Meeting *m, const IrGroup *group) {
  NvPlan *plan = m->plan;
  NvGroupPlan *row = &plan->groups[group->id];
  const CodeParts *parts = code_parts_of(m->parts, group);
  for (uint32_t i = 0; i < group->id; i++) {
    const NvGroupPlan *other = &plan->groups[i];
    if (other->meet != NV_MEET_NAMED ||
        !are_same(parts, code_parts_of(m->parts, plan->kernel->groups.data[i])))
      continue;
    row->barrier = other->barrier;
    return true;
  }
  if (m->next_barrier + row->n_instances > N_BARRIERS) {
    if (!plan->left_out)
      plan->left_out = group;
    return false;
  }
  row->barrier = m->next_barrier;
  m->next_barrier += row->n_instances;
  return true;
}

static bool is_whole_block(const NvPlan *plan, const CodeParts *parts) {
  return parts && parts->count == 1 && parts->data[0].begin == 0 &&
         parts->data[0].end == (int32_t)plan->n_threads;
}

static NvMeet nvptx_meet_choose(Meeting *m, const IrGroup *group) {
  NvPlan *plan = m->plan;
  NvGroupPlan *row = &plan->groups[group->id];
  if (group->kind == GROUP_GRID)
    return NV_MEET_GRID;
  if (group->kind == GROUP_CLUSTER)
    return NV_MEET_CLUSTER;
  if (row->most_threads == 1)
    return NV_MEET_NONE;
  if (row->in_warp)
    return NV_MEET_WARP;
  const CodeParts *parts = code_parts_of(m->parts, group);
  if (is_whole_block(plan, parts))
    return NV_MEET_BLOCK;
  row->n_threads = row->is_even ? row->n_warps * NV_WARP : 0;
  bool is_fixed = parts != NULL && row->n_warps > 0 && !m->may_fail;
  return is_fixed && m->syncs[group->id] && take_barriers(m, group)
             ? NV_MEET_NAMED
             : NV_MEET_ARRAY;
}

// ----------------------------------------------------------------- scratch

// See Note [Scratch of groups].
static void place_scratch(Meeting *m, const IrGroup *group) {
  NvPlan *plan = m->plan;
  NvGroupPlan *row = &plan->groups[group->id];
  uint32_t n_words = m->words[group->id];
  if (n_words == 0)
    return;
  if (group->kind == GROUP_GRID) { // a value of each block
    row->scratch_bytes = 4 * n_words;
    row->scratch_offset = plan->workspace_block_bytes;
    plan->workspace_block_bytes +=
        ((uint64_t)2 * row->scratch_bytes + 15) & ~15u;
    return;
  }
  bool is_block = group->kind == GROUP_CLUSTER;
  uint32_t n = m->values[group->id] * plan->n_threads;
  row->scratch_units = is_block ? 1 : n > plan->n_warps ? n : plan->n_warps;
  bool has_both = n > 0 && row->n_warps > 0 && group->kind > GROUP_BLOCK;
  if (has_both) {
    row->first_warp_unit = (n + 3) & ~3u;
    row->scratch_units = row->first_warp_unit + plan->n_warps;
  }
  row->scratch_units = (row->scratch_units + 3) & ~3u;
  row->scratch_bytes = 4 * n_words * row->scratch_units;
  uint64_t bytes = (uint64_t)row->scratch_bytes * (row->is_moving ? 1 : 2);
  row->scratch_offset = nv_plan_reserve(plan, bytes, 16);
}

void nv_describe_groups(NvPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  Meeting m = {.plan = plan, .parts = code_part_table(plan->arena, kernel)};
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    nvptx_meet_describe(&m, kernel->groups.data[i]);
}

void nv_plan_groups(NvPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  uint32_t n = kernel->groups.count;
  Meeting m = {.plan = plan, .next_barrier = 1};
  m.parts = code_part_table(plan->arena, kernel);
  m.syncs = ARENA_ARRAY(plan->arena, bool, n);
  m.words = ARENA_ARRAY(plan->arena, uint32_t, n);
  m.values = ARENA_ARRAY(plan->arena, uint32_t, n);
  IrRegion body = kernel->body;
  ir_walk(&body, nvptx_meet_note_use, &m);
  for (uint32_t i = 0; i < n; i++) {
    plan->groups[i].meet = nvptx_meet_choose(&m, kernel->groups.data[i]);
    place_scratch(&m, kernel->groups.data[i]);
  }
}
