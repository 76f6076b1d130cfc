// SPDX-License-Identifier: Apache-2.0
// Group statements and loops over threads.
#include "lower/lower_internal.h"
#include <ctype.h>

// ------------------------------------------------------------------ names

enum { MAX_NAME = 60 };

// How the statement starts in the source, "single_warp(1)", for messages.
static const char *written_name(Lowering *lw, Span span,
                                const char *otherwise) {
  const char *text = source_text(lw->source);
  size_t length = source_length(lw->source), at = span.begin;
  Text name = {.arena = lw->module->arena};
  for (; at < length && (isalnum((unsigned char)text[at]) || text[at] == '_');
       at++)
    text_add_char(&name, text[at]);
  if (name.length == 0)
    return otherwise;
  size_t open = at;
  while (open < length && text[open] == ' ')
    open++;
  if (open >= length || text[open] != '(')
    return text_cstr(&name);
  uint32_t depth = 0;
  for (at = open; at < length && name.length < MAX_NAME; at++) {
    depth += text[at] == '(';
    depth -= text[at] == ')';
    if (text[at] != '\n')
      text_add_char(&name, text[at]);
    if (depth == 0)
      return text_cstr(&name);
  }
  return otherwise;
}

// -------------------------------------------------------------- alignment

static uint32_t lowest_bit(uint64_t value, uint32_t limit) {
  if (value == 0)
    return limit;
  uint64_t bit = value & (0 - value);
  return bit < limit ? (uint32_t)bit : limit;
}

static uint32_t minimum(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// A power of two up to `limit` that divides the value of `expr`.
static uint32_t known_factor(const TExpr *expr, uint32_t limit) {
  if (expr->kind == TEXPR_CONST)
    return lowest_bit(expr->u.value.u, limit);
  if (expr->kind == TEXPR_CONVERT && type_is_integer(expr->u.operand->type))
    return known_factor(expr->u.operand, limit);
  if (expr->kind != TEXPR_BINARY)
    return 1;
  uint32_t a = known_factor(expr->u.binary.left, limit);
  const TExpr *right = expr->u.binary.right;
  switch ((int)expr->u.binary.op) {
  case TOP_ADD:
  case TOP_SUB: return minimum(a, known_factor(right, limit));
  case TOP_MUL: {
    uint64_t product = (uint64_t)a * known_factor(right, limit);
    return product < limit ? (uint32_t)product : limit;
  }
  case TOP_SHL:
    if (right->kind != TEXPR_CONST || right->u.value.u > 31)
      return a;
    return lowest_bit((uint64_t)a << right->u.value.u, limit);
  default: return 1;
  }
}

// -------------------------------------------------------- group statements

static IrGroup *group_of(Lowering *lw, const TStmt *stmt) {
  bool is_range = stmt->u.group.kind == TGROUP_RANGE;
  IrGroup *parent = lw->group;
  IrGroup *group =
      ir_group_new(lw->kernel, is_range ? GROUP_RANGE : GROUP_SINGLE, parent);
  const TExpr *begin = stmt->u.group.begin;
  group->name = written_name(lw, stmt->span, "group");
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

void lower_group_stmt(Lowering *lw, const TStmt *stmt) {
  IrGroup *group = group_of(lw, stmt);
  IrNode *begin = NULL;
  if (group->begin == SIZE_UNKNOWN)
    begin = lower_index(lw, stmt->u.group.begin);
  IrNode *node =
      lower_emit(lw, IR_GROUP, ir_scalar(IR_TYPE_VOID), &begin, begin != NULL);
  run_under(lw, node, group);
  node->u.part.is_any = stmt->u.group.kind == TGROUP_SINGLE;
  IrGroup *outside = lw->group;
  ControlScope *control = lw->control;
  lw->group = group;
  lw->control = NULL;
  IrRegion *before = lower_enter(lw, node, 0);
  lower_stmt(lw, stmt->u.group.body);
  lower_leave(lw, before);
  lw->control = control;
  lw->group = outside;
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

static Range range_of(Lowering *lw, const TStmt *stmt) {
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
  group->size = n > 0 ? parent->size / n : parent->size;
  group->alignment = lowest_bit((uint64_t)group->size, parent->alignment);
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
  Range range = range_of(lw, stmt);
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
  lower_iteration_body(lw, stmt->u.thread_loop.body);
  lower_leave(lw, before);
  lw->control = control;
}

void lower_thread_loop(Lowering *lw, const TStmt *stmt) {
  TLoopForm form = stmt->u.thread_loop.form;
  if (form == TLOOP_FLAT || form == TLOOP_GRID) {
    lower_serial_loop(lw, stmt);
    return;
  }
  bool is_split = form == TLOOP_SPLIT || form == TLOOP_FORK_SPLIT;
  bool is_fork = form == TLOOP_FORK_SPLIT || form == TLOOP_FORK_STRIDED;
  Range range = range_of(lw, stmt);
  if (is_fork)
    lower_join(lw);
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
