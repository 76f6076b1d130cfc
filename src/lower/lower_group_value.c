// SPDX-License-Identifier: Apache-2.0
// Groups as values: each becomes a row of the group table. Naming one costs
// nothing; a constructor makes its row, and a node where it is evaluated.
#include "lower/lower_internal.h"
#include <ctype.h>

// ------------------------------------------------------------------ names

enum { MAX_NAME = 60 };

// How the statement starts in the source, "single_warp(1)", for messages.
const char *lower_written_name(Lowering *lw, Span span, const char *otherwise) {
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

uint32_t lower_lowest_bit(uint64_t value, uint32_t limit) {
  if (value == 0)
    return limit;
  uint64_t bit = value & (0 - value);
  return bit < limit ? (uint32_t)bit : limit;
}

// ---------------------------------------------------------- implicit groups

static IrGroup *block_row(Lowering *lw) {
  return lw->kernel->groups.data[GROUP_ROW_BLOCK];
}

static int64_t parts_of(const IrGroup *parent, int64_t n) {
  return parent->size > 0 ? (parent->size - 1) / n + 1 : SIZE_UNKNOWN;
}

// Of parts of n: a number where no part is ragged. (A single part that is too
// small counts as ragged: tiles are powers of two.)
static int64_t group_value_size_of_part(const IrGroup *parent, int64_t n) {
  int64_t size = parent->size;
  if (size == SIZE_UNKNOWN && parent->kind == GROUP_WARP)
    size = parent->parent->size % 32; // of the last one
  return n == 1 || (size > 0 && size % n == 0) ? n : SIZE_UNKNOWN;
}

static IrGroup *part_row(Lowering *lw, IrGroupKind kind, IrGroup *parent,
                         int64_t n, const char *name) {
  IrGroup *group = ir_group_new(lw->kernel, kind, parent);
  group->name = name;
  group->size = group_value_size_of_part(parent, n);
  group->instances = parts_of(parent, n);
  group->alignment = lower_lowest_bit((uint64_t)n, parent->alignment);
  return group;
}

static IrGroup *warp_row(Lowering *lw) {
  enum { WARP = 32 };

  if (!lw->warp)
    lw->warp = part_row(lw, GROUP_WARP, block_row(lw), WARP, "warp");
  if (block_row(lw)->size > 0 && block_row(lw)->size < WARP)
    lw->warp->size = block_row(lw)->size;
  return lw->warp;
}

IrGroup *lower_thread_row(Lowering *lw) {
  if (!lw->thread)
    lw->thread = part_row(lw, GROUP_THREAD, block_row(lw), 1, "thread");
  return lw->thread;
}

// ------------------------------------------------------------- constructors

static void make_row(Lowering *lw, IrGroup *group, IrNode *operand) {
  IrNode *node = lower_emit(lw, IR_MAKE_GROUP, ir_scalar(IR_TYPE_I32), &operand,
                            operand != NULL);
  node->u.group.group = group;
  group->maker = node;
}

static IrGroup *make_tiled(Lowering *lw, const TExpr *expr, const char *name) {
  IrGroup *parent = lower_group_ref(lw, expr->u.group.parent);
  const TExpr *size = expr->u.group.operand;
  IrGroup *group;
  if (size->kind == TEXPR_CONST) {
    group = part_row(lw, GROUP_TILED, parent, size->u.value.i, name);
    group->is_whole = parent->is_whole;
    bool is_ragged = group->size == SIZE_UNKNOWN;
    make_row(lw, group, is_ragged ? lower_i32(lw, size->u.value.i) : NULL);
    return group;
  }
  IrNode *operand = lower_scalar(lw, size);
  lower_owe_tile(lw, operand);
  group = ir_group_new(lw->kernel, GROUP_TILED, parent);
  group->name = name;
  group->is_whole = parent->is_whole;
  make_row(lw, group, operand);
  return group;
}

static IrGroup *group_value_make_labeled(Lowering *lw, const TExpr *expr,
                                         const char *name) {
  IrGroup *parent = lower_group_ref(lw, expr->u.group.parent);
  const TExpr *label = expr->u.group.operand;
  Value value = lower_as_leaves(lw, lower_expr(lw, label), label->type);
  IrGroup *group = ir_group_new(lw->kernel, GROUP_LABELED, parent);
  group->name = name;
  if (parent->size == 1)
    group->size = group->instances = 1;
  make_row(lw, group, lower_leaf(&value, 0));
  return group;
}

static IrGroup *group_value_make_coalesced(Lowering *lw, const char *name) {
  IrGroup *group = ir_group_new(lw->kernel, GROUP_COALESCED, warp_row(lw));
  group->name = name;
  make_row(lw, group, NULL);
  return group;
}

// The plain row is there, too: ir_decide_whole puts it in place of this one.
IrGroup *lower_whole_warp(Lowering *lw) {
  const IrGroup *warp = warp_row(lw);
  if (lw->whole_warp)
    return lw->whole_warp;
  lw->whole_warp = ir_group_new(lw->kernel, GROUP_WARP, block_row(lw));
  lw->whole_warp->name = warp->name;
  lw->whole_warp->size = warp->size;
  lw->whole_warp->instances = warp->instances;
  lw->whole_warp->alignment = warp->alignment;
  lw->whole_warp->is_whole = true;
  return lw->whole_warp;
}

static IrGroup *make_whole_tiled(Lowering *lw, const TExpr *expr,
                                 const char *name) {
  (void)warp_row(lw);
  IrGroup *group = make_tiled(lw, expr, name);
  group->is_whole = true;
  return group;
}

// ------------------------------------------------------------------- names

void lower_bind_group(Lowering *lw, const TVar *var, IrGroup *group) {
  map_put(lw->scratch, &lw->groups, MAP_KEY(var), group);
}

IrGroup *lower_group_row(Lowering *lw, const TExpr *expr, const char *name) {
  name = name ? arena_strdup(lw->module->arena, name)
              : lower_written_name(lw, expr->span, "group");
  switch (expr->u.group.ref) {
  case TGROUP_CURRENT: return lw->group;
  case TGROUP_GRID: return lw->kernel->groups.data[GROUP_ROW_GRID];
  case TGROUP_CLUSTER: return lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  case TGROUP_BLOCK: return block_row(lw);
  case TGROUP_WARP: return warp_row(lw);
  case TGROUP_THREAD: return lower_thread_row(lw);
  case TGROUP_NAMED: return map_get(&lw->groups, MAP_KEY(expr->u.group.var));
  case TGROUP_TILED: return make_tiled(lw, expr, name);
  case TGROUP_LABELED:
  case TGROUP_BINARY: return group_value_make_labeled(lw, expr, name);
  case TGROUP_COALESCED: return group_value_make_coalesced(lw, name);
  case TGROUP_WHOLE: return lower_whole_warp(lw);
  case TGROUP_WHOLE_TILED: return make_whole_tiled(lw, expr, name);
  }
  return lw->group;
}

IrGroup *lower_group_ref(Lowering *lw, const TExpr *expr) {
  return lower_group_row(lw, expr, NULL);
}
