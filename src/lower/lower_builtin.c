// SPDX-License-Identifier: Apache-2.0
// Built-in operations on positions, groups and the run time; mathematics and
// memory have their own files.
#include "ir/form/format.h"
#include "lower/lower_internal.h"

static Value lower_builtin_no_value(Lowering *lw) {
  return lower_value_leaves(lw, NULL, 0);
}

// ------------------------------------------------------------- positions

static IrNode *block_dim(Lowering *lw, uint32_t dim) {
  return lower_i32(lw, lw->kernel->block_dim[dim]);
}

static bool is_flat_block(const Lowering *lw) {
  return lw->kernel->block_dim[1] == 1 && lw->kernel->block_dim[2] == 1;
}

static IrNode *lower_builtin_thread_index(Lowering *lw, uint32_t dim) {
  if (lw->kernel->block_dim[dim] == 1)
    return lower_i32(lw, 0);
  if (dim == 0 && is_flat_block(lw))
    return lower_rank(lw, lw->kernel->groups.data[GROUP_ROW_BLOCK]);
  return lower_index_op(lw, IR_THREAD_INDEX, ir_scalar(IR_TYPE_I32), dim, NULL);
}

static IrNode *lower_builtin_position(Lowering *lw, Builtin id, uint32_t dim) {
  IrType i32 = ir_scalar(IR_TYPE_I32);
  switch ((int)id) {
  case BI_BLOCK_INDEX:
    return lower_index_op(lw, IR_BLOCK_INDEX, i32, dim, NULL);
  case BI_GRID_DIM: return lower_index_op(lw, IR_GRID_DIM, i32, dim, NULL);
  case BI_THREAD_INDEX: return lower_builtin_thread_index(lw, dim);
  default: return block_dim(lw, dim);
  }
}

static Value index_triple(Lowering *lw, Builtin id) {
  IrNode *leaves[3];
  for (uint32_t dim = 0; dim < 3; dim++)
    leaves[dim] = lower_builtin_position(lw, id, dim);
  return lower_value_leaves(lw, leaves, 3);
}

bool lower_position(Lowering *lw, const TExpr *component, Value *out) {
  const TExpr *base = component->u.member.base;
  if (component->kind != TEXPR_COMPONENT || base->kind != TEXPR_BUILTIN)
    return false;
  Builtin id = base->u.builtin.id;
  if (id != BI_BLOCK_INDEX && id != BI_GRID_DIM && id != BI_BLOCK_DIM &&
      id != BI_THREAD_INDEX)
    return false;
  *out = lower_value_node(
      lower_builtin_position(lw, id, component->u.member.component));
  return true;
}

// Block t of nm rows and nn columns, where g rows at a time are done column by
// column. The last group may have fewer rows.
static Value grouped(Lowering *lw, const TExpr *expr) {
  IrNode *args[4];
  for (uint32_t i = 0; i < 4; i++)
    args[i] = lower_scalar(lw, expr->u.builtin.args[i]);
  IrType i32 = ir_scalar(IR_TYPE_I32);
  IrNode *most = lower_emit2(lw, IR_SMIN, i32, args[3], args[1]);
  IrNode *in_group = lower_emit2(lw, IR_MUL, i32, most, args[2]);
  IrNode *group = lower_emit2(lw, IR_SDIV, i32, args[0], in_group);
  IrNode *rest = lower_emit2(lw, IR_SREM, i32, args[0], in_group);
  IrNode *first = lower_emit2(lw, IR_MUL, i32, group, most);
  IrNode *left = lower_emit2(lw, IR_SUB, i32, args[1], first);
  IrNode *rows = lower_emit2(lw, IR_SMIN, i32, left, most);
  IrNode *row = lower_emit2(lw, IR_SREM, i32, rest, rows);
  IrNode *place[2] = {lower_emit2(lw, IR_ADD, i32, first, row),
                      lower_emit2(lw, IR_SDIV, i32, rest, rows)};
  return lower_value_leaves(lw, place, 2);
}

// ----------------------------------------------------------------- groups

// The group that a call names first, else the current one.
static IrGroup *first_group(Lowering *lw, const TExpr *expr) {
  const TExpr *const first =
      expr->u.builtin.n_args > 0 ? expr->u.builtin.args[0] : NULL;
  if (first && first->kind == TEXPR_GROUP)
    return lower_group_ref(lw, first);
  return lw->group;
}

static IrNode *group_number(Lowering *lw, IrOp op, IrTypeKind type,
                            IrGroup *group) {
  IrNode *node = lower_emit(lw, op, ir_scalar(type), NULL, 0);
  node->u.group.group = group;
  return node;
}

// Positions and sizes count threads of the grid in 64 bits.
static IrTypeKind lower_builtin_count_type(const IrGroup *group) {
  return group->kind == GROUP_GRID ? IR_TYPE_I64 : IR_TYPE_I32;
}

IrNode *lower_rank(Lowering *lw, IrGroup *group) {
  if (group->size == 1)
    return lower_i32(lw, 0);
  return group_number(lw, IR_RANK, lower_builtin_count_type(group), group);
}

IrNode *lower_group_size(Lowering *lw, IrGroup *group) {
  if (group->size != SIZE_UNKNOWN)
    return lower_i32(lw, group->size);
  return group_number(lw, IR_SIZE, lower_builtin_count_type(group), group);
}

static Value meta_number(Lowering *lw, const TExpr *expr) {
  IrGroup *group = first_group(lw, expr);
  bool is_size = expr->u.builtin.id == BI_META_SIZE;
  if (group->instances == 1)
    return lower_value_node(lower_i32(lw, is_size));
  if (is_size && group->instances != SIZE_UNKNOWN)
    return lower_value_node(lower_i32(lw, group->instances));
  IrOp op = is_size ? IR_META_SIZE : IR_META_RANK;
  return lower_value_node(group_number(lw, op, IR_TYPE_I32, group));
}

static Value sync(Lowering *lw, const TExpr *expr) {
  IrGroup *group = first_group(lw, expr); // which may have to be made first
  IrNode *node = lower_emit(lw, IR_SYNC, ir_scalar(IR_TYPE_VOID), NULL, 0);
  node->u.group.group = group;
  return lower_builtin_no_value(lw);
}

// ir_decide_whole finds out what it is.
static Value present_lanes(Lowering *lw) {
  IrNode *holds = lower_const(lw, ir_scalar(IR_TYPE_BOOL), 1);
  IrNode *node = lower_emit1(lw, IR_BALLOT, ir_scalar(IR_TYPE_I32), holds);
  node->u.group.group = lower_whole_warp(lw);
  node->flags |= NODE_RETURNS;
  return lower_value_node(node);
}

static Value uniform(Lowering *lw, const TExpr *expr) {
  IrGroup *group = first_group(lw, expr);
  const TExpr *claimed = expr->u.builtin.args[expr->u.builtin.n_args - 1];
  Value value = lower_as_leaves(lw, lower_expr(lw, claimed), claimed->type);
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < value.n_leaves; i++) {
    IrNode *leaf = lower_leaf(&value, i);
    leaves[i] = lower_emit1(lw, IR_UNIFORM, leaf->type, leaf);
    leaves[i]->flags |= NODE_UNIFORM_CLAIM;
    if (ir_type_is_int(leaf->type) && !lower_type_is_signed(claimed->type))
      leaves[i]->flags |= NODE_UNSIGNED;
    leaves[i]->u.group.group = group;
  }
  Value claimed_value = lower_value_leaves(lw, leaves, value.n_leaves);
  return lower_from_leaves(lw, claimed_value, claimed->type);
}

// ----------------------------------------- functions without a body

static const char *kept_text(Lowering *lw, const TExpr *expr) {
  if (!expr->u.builtin.text)
    return NULL;
  return arena_strndup(lw->module->arena, expr->u.builtin.text,
                       expr->u.builtin.text_length);
}

static Value lower_builtin_unknown(Lowering *lw, const TExpr *expr) {
  const TypeLayout *layout = lower_layout(lw, expr->type);
  if (!layout->is_split) {
    IrObject *object =
        lower_local_object(lw, "unknown", expr->type, expr->type->align_bytes);
    const Address *address = lower_object_address(lw, object);
    lower_unknown_bytes(lw, address, expr->type, kept_text(lw, expr));
    return (Value){.kind = VALUE_MEMORY, .address = address};
  }
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < layout->n_leaves; i++) {
    leaves[i] = lower_emit(lw, IR_UNKNOWN, layout->leaves[i].ir, NULL, 0);
    leaves[i]->u.text.text = kept_text(lw, expr);
  }
  Value value = lower_value_leaves(lw, leaves, layout->n_leaves);
  return lower_from_leaves(lw, value, expr->type);
}

static Value lower_builtin_choice(Lowering *lw, const TExpr *expr) {
  TExpr **args = expr->u.builtin.args;
  IrGroup *group = first_group(lw, expr);
  IrNode *range[2] = {lower_to_i64(lw, lower_scalar(lw, args[1])),
                      lower_to_i64(lw, lower_scalar(lw, args[2]))};
  IrNode *node = lower_emit(lw, IR_CHOICE, ir_scalar(IR_TYPE_I64), range, 2);
  node->u.group.group = group;
  return lower_value_node(node);
}

bool lower_is_pure_builtin(Builtin id) {
  switch ((int)id) {
  case BI_BLOCK_INDEX:
  case BI_GRID_DIM:
  case BI_BLOCK_DIM:
  case BI_THREAD_INDEX:
  case BI_GROUPED:
  case BI_SLOT:
  case BI_RANK:
  case BI_SIZE:
  case BI_META_RANK:
  case BI_META_SIZE: return true;
  default: return lower_is_math_builtin(id);
  }
}

// --------------------------------------------------------------- run time

// A width or precision that an argument gives is one that all back ends print.
static void limit_stars(Lowering *lw, const char *format, IrNode **args) {
  IrFormatPart part;
  for (uint32_t i = 0; ir_format_next(&format, &part);) {
    if (part.letter == '%')
      continue;
    for (uint32_t k = 0; k < part.n_stars; k++, i++) {
      IrType type = args[i]->type;
      args[i] = lower_emit2(lw, IR_SMIN, type, args[i],
                            lower_i32(lw, IR_FORMAT_MOST));
      args[i] = lower_emit2(lw, IR_SMAX, type, args[i],
                            lower_i32(lw, -IR_FORMAT_MOST));
    }
    i++;
  }
}

static void print_as(Lowering *lw, IrNode **args, uint32_t n_args,
                     const char *format) {
  IrNode *node =
      lower_emit(lw, IR_PRINTF, ir_scalar(IR_TYPE_VOID), args, n_args);
  node->u.text.text = format;
}

// Strings that are chosen: the printf whose number it is.
static void print_chosen(Lowering *lw, const TExpr *expr, IrNode **args,
                         uint32_t n_args) {
  IrNode *which = args[n_args];
  for (uint32_t i = 0; i < expr->u.builtin.n_formats; i++) {
    IrNode *is_it = lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), which,
                                lower_i32(lw, (int32_t)i));
    IrNode *branch = lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), is_it);
    IrRegion *before = lower_enter(lw, branch, 0);
    print_as(lw, args, n_args,
             arena_strdup(lw->module->arena, expr->u.builtin.formats[i]));
    lower_leave(lw, before);
  }
}

static Value lower_builtin_print(Lowering *lw, const TExpr *expr) {
  uint32_t n_args = expr->u.builtin.n_args;
  IrNode **args = ARENA_ARRAY(lw->scratch, IrNode *, n_args);
  for (uint32_t i = 0; i < n_args; i++) {
    const TExpr *arg = expr->u.builtin.args[i];
    Value value = lower_as_leaves(lw, lower_expr(lw, arg), arg->type);
    args[i] = lower_leaf(&value, 0);
  }
  limit_stars(lw, expr->u.builtin.text, args);
  if (expr->u.builtin.n_formats > 1)
    print_chosen(lw, expr, args, n_args - 1);
  else
    print_as(lw, args, n_args, kept_text(lw, expr));
  return lower_value_node(lower_i32(lw, 0));
}

static Value lower_builtin_claim(Lowering *lw, const TExpr *expr, IrOp op) {
  IrNode *condition = lower_scalar(lw, expr->u.builtin.args[0]);
  if (ir_is_tile(condition->type))
    op = IR_TILE_ASSERT;
  IrNode *node = lower_emit1(lw, op, ir_scalar(IR_TYPE_VOID), condition);
  node->u.text.text = kept_text(lw, expr);
  return lower_builtin_no_value(lw);
}

static Value lower_builtin_fence(Lowering *lw, const TExpr *expr) {
  static const IrScope scopes[] = {
      [TSCOPE_BLOCK] = SCOPE_BLOCK,
      [TSCOPE_CLUSTER] = SCOPE_CLUSTER,
      [TSCOPE_DEVICE] = SCOPE_DEVICE,
      [TSCOPE_SYSTEM] = SCOPE_SYSTEM,
  };
  IrNode *node = lower_emit(lw, IR_FENCE, ir_scalar(IR_TYPE_VOID), NULL, 0);
  node->u.text.order = ORDER_ACQ_REL;
  node->u.text.scope = scopes[expr->u.builtin.scope];
  return lower_builtin_no_value(lw);
}

const char *lower_builtin_text(Builtin id) {
  static const char *const ids[] = {
#define BUILTIN(id, rule) [BI_##id] = #id,
#include "sema/type/builtins.def"
#undef BUILTIN
#define TILE_BUILTIN(id, name, rule, lower, where) [BI_TILE_##id] = name,
#include "sema/type/tile_builtins.def"
  };
  return ids[id];
}

Value lower_builtin(Lowering *lw, const TExpr *expr) {
  Value value;
  if (lower_builtin_collective(lw, expr, &value) ||
      lower_builtin_tile(lw, expr, &value) ||
      lower_builtin_math(lw, expr, &value) ||
      lower_builtin_parts(lw, expr, &value) ||
      lower_builtin_memory(lw, expr, &value) ||
      lower_builtin_barrier(lw, expr, &value))
    return value;
  Builtin id = expr->u.builtin.id;
  switch ((int)id) {
  case BI_BLOCK_INDEX:
  case BI_GRID_DIM:
  case BI_BLOCK_DIM:
  case BI_THREAD_INDEX: return index_triple(lw, id);
  case BI_GROUPED: return grouped(lw, expr);
  case BI_RANK: return lower_value_node(lower_rank(lw, first_group(lw, expr)));
  case BI_SIZE:
    return lower_value_node(lower_group_size(lw, first_group(lw, expr)));
  case BI_META_RANK:
  case BI_META_SIZE: return meta_number(lw, expr);
  case BI_SYNC: return sync(lw, expr);
  case BI_FENCE: return lower_builtin_fence(lw, expr);
  case BI_PRINTF: return lower_builtin_print(lw, expr);
  case BI_CLOCK64:
    return lower_value_node(
        lower_emit(lw, IR_CLOCK, ir_scalar(IR_TYPE_I64), NULL, 0));
  case BI_GLOBALTIMER:
    return lower_value_node(
        lower_emit(lw, IR_GLOBALTIMER, ir_scalar(IR_TYPE_I64), NULL, 0));
  case BI_SET_MAX_REGS:
    lower_index_op(lw, IR_SET_MAX_REGS, ir_scalar(IR_TYPE_VOID),
                   (uint32_t)expr->u.builtin.args[0]->u.value.u, NULL);
    return lower_builtin_no_value(lw);
  case BI_TRAP:
    lower_emit(lw, IR_TRAP, ir_scalar(IR_TYPE_VOID), NULL, 0);
    return lower_builtin_no_value(lw);
  case BI_ASSERT: return lower_builtin_claim(lw, expr, IR_ASSERT);
  case BI_ASSUME: return lower_builtin_claim(lw, expr, IR_ASSUME);
  case BI_PRESENT: return lower_expr(lw, expr->u.builtin.args[0]);
  case BI_PRESENT_LANES: return present_lanes(lw);
  case BI_UNIFORM: return uniform(lw, expr);
  case BI_UNKNOWN: return lower_builtin_unknown(lw, expr);
  case BI_CHOICE: return lower_builtin_choice(lw, expr);
  default: break;
  }
  HD_PANIC("the built-in %s has no lowering", lower_builtin_text(id));
}
