// SPDX-License-Identifier: Apache-2.0
// Reductions, scans and updates. Built-in operators combine leaf by leaf; a
// function gets whole values in the body of its operation, and is inlined there
// as code of single threads.
#include "lower/lower_internal.h"

// -------------------------------------------------------------- whole values

IrNode *lower_pack(Lowering *lw, Value value, const Type *type) {
  const TypeLayout *layout = lower_layout(lw, type);
  IrType whole = lower_type(lw, type);
  IrType element = ir_element_type(lw->module, whole);
  value = lower_as_leaves(lw, value, type);
  if (element.kind != IR_TYPE_STRUCT && element.lanes == 1)
    return lower_leaf(&value, 0);
  IrNode **parts = ARENA_ARRAY(lw->scratch, IrNode *, layout->n_chunks + 1);
  for (uint32_t i = 0; i < layout->n_chunks; i++) {
    const Chunk *chunk = &layout->chunks[i];
    IrNode *leaves[4];
    for (uint32_t k = 0; k < chunk->n_leaves; k++)
      leaves[k] = lower_leaf(&value, chunk->first_leaf + k);
    parts[i] = chunk->ir.lanes > 1
                   ? lower_emit(lw, IR_PACK, chunk->ir, leaves, chunk->n_leaves)
                   : leaves[0];
  }
  if (element.kind != IR_TYPE_STRUCT)
    return parts[0];
  return lower_emit(lw, IR_PACK, whole, parts, layout->n_chunks);
}

static IrNode *lower_combine_extract(Lowering *lw, IrNode *whole,
                                     uint32_t number, IrType type) {
  IrNode *part = lower_emit1(lw, IR_EXTRACT, type, whole);
  part->u.index.number = number;
  return part;
}

Value lower_unpack(Lowering *lw, IrNode *node, const Type *type) {
  const TypeLayout *layout = lower_layout(lw, type);
  IrType element = ir_element_type(lw->module, node->type);
  if (element.kind != IR_TYPE_STRUCT && element.lanes == 1)
    return lower_from_leaves(lw, lower_value_node(node), type);
  IrNode **leaves = ARENA_ARRAY(lw->scratch, IrNode *, layout->n_leaves);
  for (uint32_t i = 0; i < layout->n_chunks; i++) {
    const Chunk *chunk = &layout->chunks[i];
    IrNode *part = node;
    if (element.kind == IR_TYPE_STRUCT)
      part = lower_combine_extract(lw, node, i, chunk->ir);
    for (uint32_t k = 0; k < chunk->n_leaves; k++) {
      uint32_t leaf = chunk->first_leaf + k;
      leaves[leaf] =
          chunk->ir.lanes > 1
              ? lower_combine_extract(lw, part, k, layout->leaves[leaf].ir)
              : part;
    }
  }
  return lower_value_leaves(lw, leaves, layout->n_leaves);
}

// ---------------------------------------------------------------- operators

IrRmw lower_rmw_of(TCombine combine, const Type *type) {
  type = type_underlying(type);
  if (type_is(type, TY_VECTOR))
    type = type->u.vector.element;
  bool is_unsigned = type_is_integer(type) && !type_is_signed(type);
  switch (combine) {
  case TCOMBINE_MIN: return is_unsigned ? RMW_UMIN : RMW_SMIN;
  case TCOMBINE_MAX: return is_unsigned ? RMW_UMAX : RMW_SMAX;
  case TCOMBINE_BIT_AND: return RMW_AND;
  case TCOMBINE_BIT_OR: return RMW_OR;
  case TCOMBINE_BIT_XOR: return RMW_XOR;
  case TCOMBINE_NONE:
  case TCOMBINE_PLUS:
  case TCOMBINE_FUNC: break;
  }
  return RMW_ADD;
}

// What REDUCE and SCAN have in common.
typedef struct {
  const TExpr *expr;
  const Type *type;
  IrGroup *group;
  bool is_scan, is_exclusive;
} Combination;

static void lower_combine_describe(const Combination *combination,
                                   IrNode *node) {
  const TExpr *expr = combination->expr;
  node->u.collective.group = combination->group;
  node->u.collective.combine =
      lower_rmw_of(expr->u.builtin.combine, combination->type);
  node->u.collective.is_exclusive = combination->is_exclusive;
}

// Truth values are combined as integers.
static IrNode *combine_leaf(Lowering *lw, const Combination *combination,
                            IrNode *value, IrNode *init) {
  IrType type = value->type;
  bool is_bool = type.kind == IR_TYPE_BOOL;
  IrType wide = is_bool ? ir_scalar(IR_TYPE_I32) : type;
  IrNode *args[] = {value, init};
  for (int i = 0; i < 2; i++)
    if (is_bool && args[i])
      args[i] = lower_emit1(lw, IR_ZEXT, wide, args[i]);
  IrNode *node = lower_emit(lw, combination->is_scan ? IR_SCAN : IR_REDUCE,
                            wide, args, init ? 2 : 1);
  lower_combine_describe(combination, node);
  if (!is_bool)
    return node;
  return lower_emit2(lw, IR_NE, type, node, lower_zero(lw, wide));
}

static Value combine_leaves(Lowering *lw, const Combination *combination,
                            Value value, const Value *init) {
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < value.n_leaves; i++)
    leaves[i] = combine_leaf(lw, combination, lower_leaf(&value, i),
                             init ? lower_leaf(init, i) : NULL);
  return lower_value_leaves(lw, leaves, value.n_leaves);
}

static Value lower_combine_apply(Lowering *lw, const Combination *combination,
                                 Value left, Value right) {
  Value values[] = {left, right};
  return lower_call_with(lw, combination->expr->u.builtin.func,
                         combination->expr->span, values, 2);
}

static void lower_operator(Lowering *lw, const Combination *combination,
                           IrNode *node) {
  IrGroup *outside = lw->group;
  ControlScope *control = lw->control;
  lw->group = lower_thread_row(lw);
  lw->control = NULL;
  IrRegion *before = lower_enter(lw, node, 0);
  const Type *type = combination->type;
  Value left = lower_unpack(lw, lower_get(lw, node->u.by.left), type);
  Value right = lower_unpack(lw, lower_get(lw, node->u.by.right), type);
  Value result = lower_combine_apply(lw, combination, left, right);
  lower_set(lw, node->u.by.result, lower_pack(lw, result, type));
  lower_leave(lw, before);
  lw->control = control;
  lw->group = outside;
}

static Value combine_whole(Lowering *lw, const Combination *combination,
                           Value value, const Value *init) {
  const Type *type = combination->type;
  IrNode *args[] = {lower_pack(lw, value, type),
                    init ? lower_pack(lw, *init, type) : NULL};
  IrType whole = args[0]->type;
  IrNode *node =
      lower_emit(lw, combination->is_scan ? IR_SCAN_BY : IR_REDUCE_BY, whole,
                 args, init ? 2 : 1);
  lower_combine_describe(combination, node);
  node->u.by.left = lower_new_var(lw, "left", whole);
  node->u.by.right = lower_new_var(lw, "right", whole);
  node->u.by.result = lower_new_var(lw, "result", whole);
  lower_operator(lw, combination, node);
  return lower_unpack(lw, node, type);
}

static Value lower_combine(Lowering *lw, const Combination *combination,
                           Value value, const Value *init) {
  if (combination->group->size == 1 && !combination->is_scan)
    return value;
  if (combination->expr->u.builtin.combine == TCOMBINE_FUNC)
    return combine_whole(lw, combination, value, init);
  return combine_leaves(lw, combination, value, init);
}

static Value leaves_of(Lowering *lw, const TExpr *expr) {
  return lower_as_leaves(lw, lower_expr(lw, expr), expr->type);
}

Value lower_reduce(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[1];
  Combination combination = {.expr = expr, .type = arg->type};
  combination.group = lower_group_ref(lw, expr->u.builtin.args[0]);
  Value value = lower_combine(lw, &combination, leaves_of(lw, arg), NULL);
  return lower_from_leaves(lw, value, expr->type);
}

Value lower_prefix(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[1];
  Combination combination = {.expr = expr, .type = arg->type, .is_scan = true};
  combination.is_exclusive = expr->u.builtin.id == BI_EXCLUSIVE_SCAN;
  combination.group = lower_group_ref(lw, expr->u.builtin.args[0]);
  Value value = leaves_of(lw, arg), init;
  bool has_init = expr->u.builtin.n_args == 3;
  if (has_init)
    init = leaves_of(lw, expr->u.builtin.args[2]);
  value = lower_combine(lw, &combination, value, has_init ? &init : NULL);
  return lower_from_leaves(lw, value, expr->type);
}

// ------------------------------------------------------------------ updates

static IrNode *relaxed(IrNode *access) {
  access->u.access.order = ORDER_RELAXED;
  access->u.access.scope = SCOPE_DEVICE;
  return access;
}

// Bits are compared, so that a NaN is found again.
static IrNode *as_bits(Lowering *lw, IrNode *value, IrType bits) {
  return ir_type_equal(value->type, bits)
             ? value
             : lower_emit1(lw, IR_BITCAST, bits, value);
}

// *p = f(*p, value) by compare and swap; the old value.
static IrNode *update_by_function(Lowering *lw, const Combination *combination,
                                  const Address *address, IrNode *value) {
  const Type *type = combination->type;
  IrType whole = lower_type(lw, type);
  bool is_wide = type->size_bytes == 8;
  IrType bits = ir_scalar(is_wide ? IR_TYPE_I64 : IR_TYPE_I32);
  uint32_t seen = lower_new_var(lw, NULL, bits);
  lower_set(lw, seen,
            relaxed(lower_access(lw, IR_LOAD, address, bits, type->align_bytes,
                                 NULL, 0)));
  IrNode *loop = lower_emit(lw, IR_LOOP, ir_scalar(IR_TYPE_VOID), NULL, 0);
  IrRegion *before = lower_enter(lw, loop, 0);
  IrNode *old = lower_get(lw, seen);
  Value made = lower_combine_apply(lw, combination,
                                   lower_value_node(as_bits(lw, old, whole)),
                                   lower_value_node(value));
  IrNode *values[] = {old, as_bits(lw, lower_pack(lw, made, type), bits)};
  IrNode *found = relaxed(
      lower_access(lw, IR_CAS, address, bits, type->align_bytes, values, 2));
  lower_set(lw, seen, found);
  IrNode *done =
      lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID),
                  lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), found, old));
  IrRegion *body = lower_enter(lw, done, 0);
  lower_exit(lw, loop, false);
  lower_leave(lw, body);
  lower_leave(lw, before);
  return as_bits(lw, lower_get(lw, seen), whole);
}

static IrNode *update(Lowering *lw, const Combination *combination,
                      const Address *address, IrNode *value) {
  TCombine by = combination->expr->u.builtin.combine;
  if (by == TCOMBINE_FUNC)
    return update_by_function(lw, combination, address, value);
  IrNode *node = lower_access(lw, IR_RMW, address, value->type,
                              combination->type->align_bytes, &value, 1);
  node->u.access.rmw = lower_rmw_of(by, combination->type);
  return relaxed(node);
}

// The group's result goes to memory once; a scan then begins with what was
// there before.
Value lower_update(Lowering *lw, const TExpr *expr) {
  const TExpr *arg = expr->u.builtin.args[2];
  Combination combination = {.expr = expr, .type = type_underlying(arg->type)};
  combination.group = lower_group_ref(lw, expr->u.builtin.args[0]);
  const Address *address = lower_pointer(lw, expr->u.builtin.args[1]);
  Value value = leaves_of(lw, arg);
  Value total = lower_combine(lw, &combination, value, NULL);
  IrNode *sum = lower_leaf(&total, 0);
  uint32_t before = lower_new_var(lw, NULL, sum->type);
  lower_set(lw, before, lower_zero(lw, sum->type));
  IrRegion *region = lower_enter_first(lw, combination.group);
  lower_set(lw, before, update(lw, &combination, address, sum));
  lower_leave(lw, region);
  if (expr->u.builtin.id == BI_REDUCE_UPDATE)
    return total;
  Value init = lower_value_node(
      lower_broadcast_first(lw, combination.group, lower_get(lw, before)));
  combination.is_scan = combination.is_exclusive = true;
  return lower_combine(lw, &combination, value, &init);
}
