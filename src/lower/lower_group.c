// SPDX-License-Identifier: Apache-2.0
// Group statements and loops over threads.
#include "lower/lower_internal.h"

// -------------------------------------------------------------- alignment

static uint32_t lower_group_minimum(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// A power of two up to `limit` that divides the value of `expr`.
static uint32_t known_factor(const TExpr *expr, uint32_t limit) {
  if (expr->kind == TEXPR_CONST)
    return lower_lowest_bit(expr->u.value.u, limit);
  if (expr->kind == TEXPR_CONVERT && type_is_integer(expr->u.operand->type))
    return known_factor(expr->u.operand, limit);
  if (expr->kind != TEXPR_BINARY)
    return 1;
  uint32_t a = known_factor(expr->u.binary.left, limit);
  const TExpr *right = expr->u.binary.right;
  switch ((int)expr->u.binary.op) {
  case TOP_ADD:
  case TOP_SUB: return lower_group_minimum(a, known_factor(right, limit));
  case TOP_MUL: {
    uint64_t product = (uint64_t)a * known_factor(right, limit);
    return product < limit ? (uint32_t)product : limit;
  }
  case TOP_SHL:
    if (right->kind != TEXPR_CONST || right->u.value.u > 31)
      return a;
    return lower_lowest_bit((uint64_t)a << right->u.value.u, limit);
  default: return 1;
  }
}

// -------------------------------------------------------- group statements

static IrGroup *lower_group_of(Lowering *lw, const TStmt *stmt) {
  bool is_range = stmt->u.group.kind == TGROUP_RANGE;
  IrGroup *parent = lw->group;
  IrGroup *group =
      ir_group_new(lw->kernel, is_range ? GROUP_RANGE : GROUP_SINGLE, parent);
  const TExpr *begin = stmt->u.group.begin;
  group->name = lower_written_name(lw, stmt->span, "group");
  group->size = stmt->u.group.count;
  group->instances = 1;
  group->alignment = parent->alignment;
  if (!begin)
    group->begin = 0;
  else if (begin->kind == TEXPR_CONST)
    group->begin = begin->u.value.i;
  if (begin)
    group->alignment = known_factor(begin, parent->alignment);
  return group;
}

static void run_under(Lowering *lw, IrNode *node, IrGroup *group) {
  node->u.part.group = group;
  node->u.part.parent = lw->group;
  group->maker = node;
}

static void lower_under(Lowering *lw, IrNode *node, const TStmt *body) {
  IrGroup *outside = lw->group;
  ControlScope *control = lw->control;
  lw->group = node->u.part.group;
  lw->control = NULL;
  IrRegion *before = lower_enter(lw, node, 0);
  lower_stmt(lw, body);
  lower_leave(lw, before);
  lw->control = control;
  lw->group = outside;
}

void lower_group_stmt(Lowering *lw, const TStmt *stmt) {
  IrGroup *group = lower_group_of(lw, stmt);
  IrNode *begin = NULL;
  if (group->begin == SIZE_UNKNOWN)
    begin = lower_index(lw, stmt->u.group.begin);
  IrNode *node =
      lower_emit(lw, IR_GROUP, ir_scalar(IR_TYPE_VOID), &begin, begin != NULL);
  run_under(lw, node, group);
  node->u.part.is_any = stmt->u.group.kind == TGROUP_SINGLE;
  lower_under(lw, node, stmt->u.group.body);
}

// The group exists already, so the row keeps its maker.
void lower_with(Lowering *lw, const TStmt *stmt) {
  IrGroup *group = lower_group_ref(lw, stmt->u.with.group);
  IrNode *node = lower_emit(lw, IR_WITH, ir_scalar(IR_TYPE_VOID), NULL, 0);
  node->u.part.group = group;
  node->u.part.parent = lw->group;
  lower_under(lw, node, stmt->u.with.body);
}

// ------------------------------------------------------------ thread loops

// Bounds as i32 or i64, exclusive. Types that don't order as i32 are counted
// in i64, and the variable is narrowed in the body.
typedef struct {
  IrNode *lo, *hi;
  bool is_widened;
  const Type *type;
} Range;

static bool counts_in_own_type(const TStmt *stmt, const Type *type) {
  if (type_bits(type) < 32 || stmt->u.thread_loop.is_inclusive)
    return false;
  return type_is_signed(type) || type_bits(type) == 64;
}

static IrNode *bound_as_i64(Lowering *lw, const TExpr *bound,
                            const Type *type) {
  IrNode *node = lower_scalar(lw, bound);
  if (ir_type_bits(node->type) == 64)
    return node;
  if (type_is_signed(type) && !type_is(type, TY_BOOL))
    return lower_to_i64(lw, node);
  int64_t value;
  if (lower_is_const(node, &value))
    return lower_i64(lw, (int64_t)node->u.constant.bits);
  return lower_emit1(lw, IR_ZEXT, ir_scalar(IR_TYPE_I64), node);
}

static Range lower_group_range_of(Lowering *lw, const TStmt *stmt) {
  Range range = {.type = type_underlying(stmt->u.thread_loop.var->type)};
  range.is_widened = !counts_in_own_type(stmt, range.type);
  if (!range.is_widened) {
    range.lo = lower_scalar(lw, stmt->u.thread_loop.lo);
    range.hi = lower_scalar(lw, stmt->u.thread_loop.hi);
    return range;
  }
  range.lo = bound_as_i64(lw, stmt->u.thread_loop.lo, range.type);
  range.hi = bound_as_i64(lw, stmt->u.thread_loop.hi, range.type);
  if (stmt->u.thread_loop.is_inclusive)
    range.hi = lower_add64(lw, range.hi, lower_i64(lw, 1));
  return range;
}

IrNode *lower_narrow_exact(Lowering *lw, IrNode *wide, const Type *type) {
  IrType narrow = lower_type(lw, type);
  if (narrow.kind == wide->type.kind)
    return wide;
  IrNode *node = lower_emit1(lw, IR_TRUNC, narrow, wide);
  Map *map = lower_type_is_signed(type) ? &lw->wide : &lw->wide_unsigned;
  map_put(lw->scratch, map, MAP_KEY(node), wide);
  return node;
}

static IrGroup *iteration_group(Lowering *lw, const TStmt *stmt,
                                bool is_split) {
  IrGroup *parent = lw->group;
  IrGroup *group =
      ir_group_new(lw->kernel, is_split ? GROUP_SPLIT : GROUP_THREAD, parent);
  int64_t n = stmt->u.thread_loop.iterations;
  if (!is_split) {
    group->name = "thread";
    group->instances = parent->size;
    return group;
  }
  group->name = arena_printf(lw->module->arena, "iteration of '%s'",
                             stmt->u.thread_loop.var->name);
  group->instances = n;
  int64_t threads = stmt->u.thread_loop.group_size;
  group->size = n > 0 ? threads / n : threads;
  group->alignment = lower_lowest_bit((uint64_t)group->size, parent->alignment);
  return group;
}

static void lower_thread_body(Lowering *lw, const TStmt *stmt, IrNode *node,
                              const Range *range) {
  IrGroup *outside = lw->group;
  ControlScope *control = lw->control;
  lw->control = NULL;
  lw->group = node->u.part.group;
  IrRegion *before = lower_enter(lw, node, 0);
  IrNode *value = lower_get(lw, node->u.part.var);
  if (range->is_widened)
    value = lower_narrow_exact(lw, value, range->type);
  lower_bind_node(lw, stmt->u.thread_loop.var, value);
  lower_claims(lw, &stmt->u.thread_loop.claims, false);
  lower_iteration_body(lw, stmt->u.thread_loop.body);
  lower_leave(lw, before);
  lw->group = outside;
  lw->control = control;
}

static void lower_join(Lowering *lw) {
  IrNode *node = lower_emit(lw, IR_JOIN, ir_scalar(IR_TYPE_VOID), NULL, 0);
  node->u.group.group = lw->group;
  node->u.group.join = JOIN_OPEN;
}

// A parallel loop that a thread runs alone, as a counted loop.
static void lower_serial_loop(Lowering *lw, const TStmt *stmt) {
  Range range = lower_group_range_of(lw, stmt);
  IrNode *node =
      lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID), range.lo, range.hi);
  node->u.loop.var =
      lower_new_var(lw, stmt->u.thread_loop.var->name, range.lo->type);
  node->u.loop.step = stmt->u.thread_loop.step;
  node->u.loop.is_signed = true;
  node->u.loop.unroll = lower_unroll(stmt->u.thread_loop.unroll);
  ControlScope *control = lw->control;
  lw->control = NULL;
  IrRegion *before = lower_enter(lw, node, 0);
  IrNode *value = lower_get(lw, node->u.loop.var);
  if (range.is_widened)
    value = lower_narrow_exact(lw, value, range.type);
  lower_bind_node(lw, stmt->u.thread_loop.var, value);
  lower_claims(lw, &stmt->u.thread_loop.claims, true);
  VEC_PUSH(lw->scratch, &lw->nest, stmt->u.thread_loop.var);
  lower_iteration_body(lw, stmt->u.thread_loop.body);
  lw->nest.count--;
  lower_leave(lw, before);
  lw->control = control;
}

// How many iterations there are, unsigned; differences may pass 63 bits.
static IrNode *lower_group_count_turns(Lowering *lw, IrNode *lo, IrNode *hi,
                                       IrNode *step) {
  IrType i64 = ir_scalar(IR_TYPE_I64);
  IrNode *one = lower_i64(lw, 1);
  IrNode *last =
      lower_emit2(lw, IR_SUB, i64, lower_emit2(lw, IR_SUB, i64, hi, lo), one);
  IrNode *turns = lower_emit2(lw, IR_ADD, i64,
                              lower_emit2(lw, IR_UDIV, i64, last, step), one);
  IrNode *some = lower_emit2(lw, IR_SLT, ir_scalar(IR_TYPE_BOOL), lo, hi);
  return lower_emit3(lw, IR_SELECT, i64, some, turns, lower_i64(lw, 0));
}

// A body of single threads.
static void lower_alone(Lowering *lw, const TStmt *body) {
  IrGroup *outside = lw->group;
  ControlScope *control = lw->control;
  lw->control = NULL;
  lw->group = lower_thread_row(lw);
  lower_iteration_body(lw, body);
  lw->group = outside;
  lw->control = control;
}

// Note [Strided loops of ragged groups]. `thread_for` strides by a number of
// threads that its row states. Where the parts of a partition differ in size,
// the thread counts its own turns: rank, rank + size, … below their number.
// Nothing in the body asks for more than a thread, so no region is needed to
// make it current.
static void lower_ragged_loop(Lowering *lw, const TStmt *stmt) {
  IrType i64 = ir_scalar(IR_TYPE_I64), none = ir_scalar(IR_TYPE_VOID);
  Range range = lower_group_range_of(lw, stmt);
  IrNode *lo = lower_to_i64(lw, range.lo), *hi = lower_to_i64(lw, range.hi);
  IrNode *step = lower_i64(lw, stmt->u.thread_loop.step);
  IrNode *threads = lower_to_i64(lw, lower_group_size(lw, lw->group));
  uint32_t next = lower_new_var(lw, NULL, i64);
  lower_set(lw, next, lower_to_i64(lw, lower_rank(lw, lw->group)));
  IrNode *turns = lower_group_count_turns(lw, lo, hi, step);
  IrNode *loop = lower_emit(lw, IR_LOOP, none, NULL, 0);
  loop->u.loop.unroll = lower_unroll(stmt->u.thread_loop.unroll);
  IrRegion *before = lower_enter(lw, loop, 0);
  IrNode *turn = lower_get(lw, next);
  IrNode *goes_on =
      lower_emit2(lw, IR_ULT, ir_scalar(IR_TYPE_BOOL), turn, turns);
  IrNode *done = lower_emit1(lw, IR_IF, none, lower_not(lw, goes_on));
  IrRegion *body = lower_enter(lw, done, 0);
  lower_exit(lw, loop, false);
  lower_leave(lw, body);
  IrNode *value = lower_emit2(lw, IR_ADD, i64, lo,
                              lower_emit2(lw, IR_MUL, i64, turn, step));
  lower_bind_node(lw, stmt->u.thread_loop.var,
                  lower_narrow_exact(lw, value, range.type));
  lower_claims(lw, &stmt->u.thread_loop.claims, false);
  lower_alone(lw, stmt->u.thread_loop.body);
  lower_set(lw, next, lower_add64(lw, lower_get(lw, next), threads));
  lower_leave(lw, before);
}

void lower_thread_loop(Lowering *lw, const TStmt *stmt) {
  TLoopForm form = stmt->u.thread_loop.form;
  if (form == TLOOP_FLAT || form == TLOOP_GRID) {
    lower_serial_loop(lw, stmt);
    return;
  }
  bool is_split = form == TLOOP_SPLIT || form == TLOOP_FORK_SPLIT;
  bool is_fork = form == TLOOP_FORK_SPLIT || form == TLOOP_FORK_STRIDED;
  if (is_fork)
    lower_join(lw);
  if (!is_split && lw->group->size == SIZE_UNKNOWN) {
    lower_ragged_loop(lw, stmt);
    if (is_fork)
      lower_join(lw);
    return;
  }
  Range range = lower_group_range_of(lw, stmt);
  IrNode *node = lower_emit2(lw, IR_THREAD_FOR, ir_scalar(IR_TYPE_VOID),
                             range.lo, range.hi);
  run_under(lw, node, iteration_group(lw, stmt, is_split));
  node->u.part.var =
      lower_new_var(lw, stmt->u.thread_loop.var->name, range.lo->type);
  node->u.part.step = stmt->u.thread_loop.step;
  node->u.part.is_split = is_split;
  node->u.part.count = stmt->u.thread_loop.iterations >= 0
                           ? stmt->u.thread_loop.iterations
                           : SIZE_UNKNOWN;
  lower_thread_body(lw, stmt, node, &range);
  if (is_fork)
    lower_join(lw);
}
