// SPDX-License-Identifier: Apache-2.0
// Tiles of structs: values only, as arrays of structs have no sections.
#include "sema/tile.h"

#include "base/panic.h"

enum { MAX_STRUCT_BYTES = 32 };

static TExpr *tile_struct_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- which structs ---

bool tile_is_movable(const Type *type) {
  return tile_is_element(type) || type_is(type, TY_STRUCT);
}

void tile_refuse_struct(SemaContext *cx, Span span, const Type *record,
                        const char *problem) {
  if (!record->u.record.is_poisoned)
    SEMA_ERROR(cx, span, tile_struct, NT(cx, record), DS(problem));
}

void tile_refuse_struct_operand(SemaContext *cx, Span span, const Type *record,
                                const char *op) {
  HD_ASSERT(type_is(record, TY_STRUCT) && record->u.record.n_fields > 0);
  const char *member = record->u.record.fields[0].name;
  tile_refuse_struct(
      cx, span, record,
      sema_format(cx, "'%s' needs numbers: write a member, as in t.%s", op,
                  member));
}

static const Type *member_type(const Type *record, uint32_t i) {
  return type_underlying(record->u.record.fields[i].type);
}

// NULL: none.
static const char *struct_problem(SemaContext *cx, const Type *record) {
  if (record->u.record.n_fields == 0)
    return "it has no members";
  for (uint32_t i = 0; i < record->u.record.n_fields; i++) {
    const Field *field = &record->u.record.fields[i];
    if (!field->name || !tile_is_element(member_type(record, i)))
      return sema_format(cx, "member %u is '%s': members must be numbers",
                         i + 1, sema_type_name(cx, field->type));
  }
  if (record->size_bytes > MAX_STRUCT_BYTES)
    return sema_format(cx, "it has %u bytes: the limit is %u",
                       (unsigned)record->size_bytes, MAX_STRUCT_BYTES);
  return NULL;
}

bool tile_holds(SemaContext *cx, const Type *type) {
  return tile_is_element(type) ||
         (type_is(type, TY_STRUCT) && type_is_complete(type) &&
          !struct_problem(cx, type));
}

bool tile_check_element(SemaContext *cx, Span span, const Type *type) {
  if (tile_is_element(type))
    return true;
  if (!type_is(type, TY_STRUCT)) {
    SEMA_ERROR(cx, span, tile_element, NT(cx, type));
    return false;
  }
  if (!type_is_complete(type)) {
    SEMA_ERROR(cx, span, incomplete_type, NT(cx, type));
    return false;
  }
  const char *problem = struct_problem(cx, type);
  if (problem)
    tile_refuse_struct(cx, span, type, problem);
  return !problem;
}

TExpr *tile_zero_struct(SemaContext *cx, const Type *record, Span span) {
  HD_ASSERT(type_is(record, TY_STRUCT));
  return build_expr(cx, TEXPR_AGGREGATE, record, span);
}

// --- members ---

TExpr *tile_check_member(SemaContext *cx, TExpr *tile, const Expr *expr) {
  HD_ASSERT(is_tile(tile) && type_is(tile->type->u.tile.element, TY_STRUCT));
  const Type *record = tile->type->u.tile.element;
  uint64_t offset = 0;
  const Field *field = type_find_field(record, expr->u.member.name, &offset);
  if (!field)
    return check_no_field(cx, record, expr);
  if (cx->assigned == expr) {
    tile_refuse_struct(
        cx, expr->span, record,
        sema_format(cx,
                    "its members can't be assigned: make a new tile by "
                    "zip(%s, …)",
                    sema_type_name(cx, record)));
    return build_poison(cx, expr->span);
  }
  const Type *type =
      type_tile_of(cx->types, tile->type, type_underlying(field->type));
  TExpr *result = build_expr(cx, TEXPR_MEMBER, type, expr->span);
  result->u.member.base = tile;
  result->u.member.offset_bytes = offset;
  result->u.member.field = field;
  return result;
}

// --- zip ---

// The struct that argument 0 names; NULL: reported.
static const Type *named_struct(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const Type *type = tile_named_type(call);
  Span span = call->args->data[0]->span;
  if (!type)
    return NULL;
  if (type_is(type, TY_STRUCT))
    return tile_check_element(cx, span, type) ? type : NULL;
  builtin_refuse_type(call, 0, type, "a struct");
  return NULL;
}

// Arguments 1 to the last as tiles of the members' types; NULL: reported.
static TExpr **zip_members(const BuiltinCall *call, const Type *record) {
  SemaContext *cx = call->cx;
  uint32_t count = record->u.record.n_fields;
  TExpr **values = ARENA_ARRAY(cx->arena, TExpr *, count);
  bool is_good = true;
  for (uint32_t i = 0; i < count; i++) {
    values[i] = tile_row(cx, check_value(cx, call->args->data[i + 1]));
    const Type *type =
        type_tile_of(cx->types, values[i]->type, member_type(record, i));
    const char *what =
        sema_format(cx, "member '%s'", record->u.record.fields[i].name);
    values[i] = is_tile(values[i]) ? tile_assign(cx, values[i], type, what)
                                   : tile_scalar(cx, values[i], type, what);
    is_good &= !expr_is_poison(values[i]);
  }
  return is_good ? values : NULL;
}

// zip(struct P, v, i): one tile, or number, for each member.
TExpr *tile_rule_zip(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, UINT32_MAX))
    return tile_struct_poison(call);
  const Type *record = named_struct(call);
  if (!record)
    return tile_struct_poison(call);
  uint32_t count = record->u.record.n_fields;
  if (call->args->count != count + 1) {
    tile_refuse_struct(cx, call->span, record,
                       sema_format(cx, "it has %u member%s, but 'zip' has %u",
                                   count, text_plural(count),
                                   call->args->count - 1));
    return tile_struct_poison(call);
  }
  TExpr **values = zip_members(call, record);
  const Type *type = values ? tile_common_shape(cx, call->name, values, count,
                                                record, call->span)
                            : NULL;
  if (!type)
    return tile_struct_poison(call);
  TExpr *result = build_expr(cx, TEXPR_AGGREGATE, type, call->span);
  result->u.aggregate.n_parts = count;
  result->u.aggregate.parts = ARENA_ARRAY(cx->arena, TInit, count);
  for (uint32_t i = 0; i < count; i++) {
    TInit *part = &result->u.aggregate.parts[i];
    part->offset_bytes = record->u.record.fields[i].offset_bytes;
    part->value = tile_broadcast(
        cx, values[i], type_tile_of(cx->types, type, member_type(record, i)));
  }
  return result;
}

// --- topk ---

// A number with an order, and an int; false: reported.
static bool is_ranked(const BuiltinCall *call, const Type *record) {
  SemaContext *cx = call->cx;
  const Type *value = member_type(record, 0);
  bool has_order = type_is_arithmetic(value) && value->kind != TY_BOOL;
  if (record->u.record.n_fields == 2 && has_order &&
      record->u.record.fields[1].type->kind == TY_INT)
    return true;
  tile_refuse_struct(cx, call->args->data[0]->span, record,
                     "'topk' needs two members, a number and an int");
  return false;
}

// topk(struct P, t, k[, axis])
TExpr *tile_rule_topk(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 3, 4))
    return tile_struct_poison(call);
  const Type *record = named_struct(call);
  TExpr *value = tile_argument(call, 1);
  if (!record || !value || !is_ranked(call, record))
    return tile_struct_poison(call);
  const Type *from =
      type_tile_of(cx->types, value->type, member_type(record, 0));
  value = tile_assign(cx, value, from, "argument 2 of 'topk'");
  uint32_t rank = from->u.tile.rank;
  TTileArgs tile = {.axis = rank - 1};
  int64_t k, extents[TYPE_MAX_TILE_RANK];
  if (expr_is_poison(value) ||
      (call->args->count == 4 &&
       !tile_axis(call, call->args->data[3], rank, &tile.axis)) ||
      !tile_constant(call, 2, "the number of elements", &k))
    return tile_struct_poison(call);
  for (uint32_t i = 0; i < rank; i++)
    extents[i] = from->u.tile.extents[i];
  if (k < 1 || k > extents[tile.axis]) {
    tile_refuse_struct(
        cx, call->args->data[2]->span, record,
        sema_format(cx, "'topk' gives 1 to %u elements of axis %u, not %lld",
                    from->u.tile.extents[tile.axis], tile.axis, (long long)k));
    return tile_struct_poison(call);
  }
  extents[tile.axis] = k;
  const Type *type = tile_make_type(cx, call->span, "the result of 'topk'",
                                    record, rank, extents, NULL);
  return type ? tile_build(call, type, &value, 1, &tile)
              : tile_struct_poison(call);
}
