// SPDX-License-Identifier: Apache-2.0
#include "ir/passes/decide_lanes.h"

static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};

IrNode *lanes_put(const LaneMaker *m, IrOp op, IrType type, IrNode *const *args,
                  uint32_t n_args) {
  IrNode *node =
      ir_node_new(m->kernel, NULL, op, type, m->before->loc, args, n_args);
  ir_node_insert_before(m->before, node);
  return node;
}

IrNode *lanes_ask(const LaneMaker *m, IrOp op, IrGroup *group) {
  IrNode *node = lanes_put(m, op, type_i32, NULL, 0);
  node->u.group.group = group;
  return node;
}

static IrNode *decide_lanes_number(const LaneMaker *m, uint32_t value) {
  IrNode *node = lanes_put(m, IR_CONST, type_i32, NULL, 0);
  node->u.constant.bits = value;
  return node;
}

static IrNode *decide_lanes_binary(const LaneMaker *m, IrOp op, IrType type,
                                   IrNode *a, IrNode *b) {
  IrNode *args[] = {a, b};
  return lanes_put(m, op, type, args, 2);
}

static IrNode *decide_lanes_choose(const LaneMaker *m, IrNode *condition,
                                   IrNode *a, IrNode *b) {
  IrNode *args[] = {condition, a, b};
  return lanes_put(m, IR_SELECT, a->type, args, 3);
}

// rank(warp) of the tile's first thread
static IrNode *decide_lanes_begin_of(const LaneMaker *m, IrGroup *tile) {
  return decide_lanes_binary(m, IR_SUB, type_i32,
                             lanes_ask(m, IR_RANK, m->warp),
                             lanes_ask(m, IR_RANK, tile));
}

static IrGroup *decide_lanes_make_row(const LaneMaker *m, IrGroupKind kind,
                                      IrGroup *parent, IrNode *label,
                                      const char *name) {
  IrGroup *row = ir_group_new(m->kernel, kind, parent);
  row->name = name;
  row->maker = lanes_put(m, IR_MAKE_GROUP, type_i32, &label, label != NULL);
  row->maker->u.group.group = row;
  return row;
}

IrGroup *lanes_here(const LaneMaker *m, IrGroup *group) {
  IrGroup *here =
      decide_lanes_make_row(m, GROUP_COALESCED, m->warp, NULL, group->name);
  if (group == m->warp)
    return here;
  return decide_lanes_make_row(m, GROUP_LABELED, here,
                               decide_lanes_begin_of(m, group), group->name);
}

// A mask of as many bits as the group has threads.
static IrNode *all_bits(const LaneMaker *m, IrGroup *group) {
  IrNode *missing =
      decide_lanes_binary(m, IR_SUB, type_i32, decide_lanes_number(m, 32),
                          lanes_ask(m, IR_SIZE, group));
  return decide_lanes_binary(m, IR_LSHR, type_i32,
                             decide_lanes_number(m, UINT32_MAX), missing);
}

IrNode *lanes_count(const LaneMaker *m, IrNode *lanes, IrGroup *tile) {
  IrNode *moved = decide_lanes_binary(m, IR_LSHR, type_i32, lanes,
                                      decide_lanes_begin_of(m, tile));
  IrNode *own =
      decide_lanes_binary(m, IR_AND, type_i32, moved, all_bits(m, tile));
  return lanes_put(m, IR_POPCOUNT, type_i32, &own, 1);
}

// 1 << rank(group)
static IrNode *own_bit(const LaneMaker *m, IrGroup *group) {
  return decide_lanes_binary(m, IR_SHL, type_i32, decide_lanes_number(m, 1),
                             lanes_ask(m, IR_RANK, group));
}

static IrNode *united(const LaneMaker *m, IrGroup *here, IrNode *bits) {
  IrNode *node = lanes_put(m, IR_REDUCE, type_i32, &bits, 1);
  node->u.collective.group = here;
  node->u.collective.combine = RMW_OR;
  return node;
}

IrNode *lanes_of(const LaneMaker *m, IrGroup *here, IrGroup *group) {
  return united(m, here, own_bit(m, group));
}

IrGroup **lanes_group_of(IrNode *node) {
  if (node->op == IR_MAKE_GROUP)
    return &node->u.group.group->parent;
  return ir_op_info(node)->form == FORM_COLLECTIVE ? &node->u.collective.group
                                                   : &node->u.group.group;
}

static void set_args(const LaneMaker *m, IrNode *node, IrNode *const *args,
                     uint32_t n_args) {
  node->args =
      arena_copy(m->kernel->module->arena, args, n_args * sizeof *args);
  node->n_args = n_args;
}

// Of the tiles or warps that aren't the last of their parent.
static IrNode *size_of_others(const LaneMaker *m, const IrGroup *group) {
  int64_t nominal = ir_group_nominal(group);
  return nominal == SIZE_UNKNOWN ? group->maker->args[0]
                                 : decide_lanes_number(m, (uint32_t)nominal);
}

// The rank in `here` of the thread whose rank in `group` is `rank`;
// `otherwise` if it isn't there.
static IrNode *rank_here(const LaneMaker *m, IrGroup *here, IrGroup *group,
                         IrNode *rank, uint32_t otherwise) {
  IrNode *lanes = lanes_of(m, here, group);
  IrNode *bit = decide_lanes_binary(m, IR_AND, type_i32, rank,
                                    decide_lanes_number(m, 31));
  IrNode *moved = decide_lanes_binary(m, IR_LSHR, type_i32, lanes, bit);
  IrNode *low = decide_lanes_binary(m, IR_AND, type_i32, moved,
                                    decide_lanes_number(m, 1));
  IrNode *is_set =
      decide_lanes_binary(m, IR_NE, type_bool, low, decide_lanes_number(m, 0));
  IrNode *is_rank =
      decide_lanes_binary(m, IR_ULT, type_bool, rank, size_of_others(m, group));
  IrNode *is_there = decide_lanes_binary(m, IR_AND, type_bool, is_set, is_rank);
  IrNode *below = decide_lanes_binary(
      m, IR_SUB, type_i32,
      decide_lanes_binary(m, IR_SHL, type_i32, decide_lanes_number(m, 1), bit),
      decide_lanes_number(m, 1));
  IrNode *before = decide_lanes_binary(m, IR_AND, type_i32, lanes, below);
  IrNode *count = lanes_put(m, IR_POPCOUNT, type_i32, &before, 1);
  return decide_lanes_choose(m, is_there, count,
                             decide_lanes_number(m, otherwise));
}

// The rank in `group` that a shuffle names.
static IrNode *named_rank(const LaneMaker *m, const IrNode *node,
                          IrGroup *group) {
  IrNode *by = node->args[1];
  switch ((int)node->op) {
  case IR_SHFL_UP:
    return decide_lanes_binary(m, IR_SUB, type_i32,
                               lanes_ask(m, IR_RANK, group), by);
  case IR_SHFL_DOWN:
    return decide_lanes_binary(m, IR_ADD, type_i32,
                               lanes_ask(m, IR_RANK, group), by);
  case IR_SHFL_XOR:
    return decide_lanes_binary(m, IR_XOR, type_i32,
                               lanes_ask(m, IR_RANK, group), by);
  default: {
    return decide_lanes_binary(m, IR_UREM, type_i32, by,
                               m->kernel->module->has_open_lanes
                                   ? size_of_others(m, group)
                                   : lanes_ask(m, IR_SIZE, group));
  }
  }
}

// No thread has rank 32: the own value. A broadcast gives all the same, so that
// of the first one.
static void do_shuffle(const LaneMaker *m, IrNode *node, IrGroup *here,
                       IrGroup *group) {
  bool is_broadcast = node->op == IR_BROADCAST;
  IrNode *rank = rank_here(m, here, group, named_rank(m, node, group),
                           is_broadcast ? 0 : 32);
  IrNode *args[] = {node->args[0], rank};
  set_args(m, node, args, 2);
  if (!is_broadcast)
    node->op = IR_SHFL;
  node->u.group.group = here;
}

static void become_union(const LaneMaker *m, IrNode *node, IrGroup *here,
                         IrNode *bits) {
  node->op = IR_REDUCE;
  set_args(m, node, &bits, 1);
  node->u.collective.group = here;
  node->u.collective.combine = RMW_OR;
  node->u.collective.is_exclusive = false;
}

static void do_ballot(const LaneMaker *m, IrNode *node, IrGroup *here,
                      IrGroup *group) {
  IrNode *bits = decide_lanes_choose(m, node->args[0], own_bit(m, group),
                                     decide_lanes_number(m, 0));
  become_union(m, node, here, bits);
}

// Those with equal values have equal masks of ranks in `here`.
static void do_match_any(const LaneMaker *m, IrNode *node, IrGroup *here,
                         IrGroup *group) {
  IrNode *alike = lanes_put(m, IR_MATCH_ANY, type_i32, node->args, 1);
  alike->u.group.group = here;
  IrGroup *part =
      decide_lanes_make_row(m, GROUP_LABELED, here, alike, group->name);
  become_union(m, node, part, own_bit(m, group));
}

static void do_match_all(const LaneMaker *m, IrNode *node, IrGroup *here,
                         IrGroup *group) {
  IrNode *alike = lanes_put(m, IR_MATCH_ALL, type_i32, node->args, 1);
  alike->u.group.group = here;
  IrNode *are_alike = decide_lanes_binary(m, IR_NE, type_bool, alike,
                                          decide_lanes_number(m, 0));
  IrNode *args[] = {are_alike, lanes_of(m, here, group),
                    decide_lanes_number(m, 0)};
  node->op = IR_SELECT;
  set_args(m, node, args, 3);
}

void lanes_do(IrKernel *kernel, IrGroup *warp, IrNode *node, IrGroup *here,
              bool is_whole) {
  LaneMaker m = {.kernel = kernel, .warp = warp, .before = node};
  IrGroup **slot = lanes_group_of(node), *group = *slot;
  if (is_whole && node->op == IR_SHFL)
    node->args[1] = named_rank(&m, node, group);
  if (is_whole) {
    *slot = here;
    return;
  }
  if (ir_family(node) != FAMILY_EXCHANGE) {
    *slot = here;
    return;
  }
  switch (ir_exchange_op(node->op)) {
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR:
  case IR_BROADCAST: do_shuffle(&m, node, here, group); break;
  case IR_BALLOT: do_ballot(&m, node, here, group); break;
  case IR_MATCH_ANY: do_match_any(&m, node, here, group); break;
  case IR_MATCH_ALL: do_match_all(&m, node, here, group); break;
  case IR_ANY: // which doesn't depend on ranks
  case IR_ALL:
  case IR_COUNT: *slot = here; break;
  }
}

void lanes_make_full(const LaneMaker *m, IrNode *node) {
  IrNode *args[] = {all_bits(m, m->warp), decide_lanes_number(m, UINT32_MAX)};
  node->op = IR_AND;
  node->flags = 0;
  set_args(m, node, args, 2);
}
