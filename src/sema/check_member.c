// SPDX-License-Identifier: Apache-2.0
// a.x and p->x: fields of records, components of short vectors.
#include "sema/tile.h"

#include <string.h>

static TExpr *build_member(SemaContext *cx, TExprKind kind, TExpr *base,
                           const Type *type, const Expr *expr) {
  TExpr *result = build_expr(cx, kind, type, expr->span);
  result->is_lvalue = base->is_lvalue;
  result->is_const_place = base->is_const_place;
  result->u.member.base = base;
  return result;
}

// A part of a value that is spelled out, as block_dim() is.
static TExpr *known_part(SemaContext *cx, const TExpr *base, uint64_t offset,
                         const Type *type, Span span) {
  if (base->kind != TEXPR_AGGREGATE)
    return NULL;
  for (uint32_t i = 0; i < base->u.aggregate.n_parts; i++) {
    const TInit *part = &base->u.aggregate.parts[i];
    if (!expr_is_const(part->value))
      return NULL;
    if (part->offset_bytes == offset && part->value->type == type)
      return build_const(cx, type, part->value->u.value, span);
  }
  return NULL;
}

static TExpr *check_component(SemaContext *cx, TExpr *base, const Expr *expr) {
  const char *name = expr->u.member.name;
  const Type *vector = base->type;
  static const char letters[] = "xyzw";
  const char *at = strlen(name) == 1 ? strchr(letters, name[0]) : NULL;
  uint32_t component = at ? (uint32_t)(at - letters) : 4;
  if (component >= vector->u.vector.count) {
    Diag *diag = SEMA_ERROR(cx, expr->u.member.name_span, no_member,
                            NT(cx, vector), DS(name));
    if (diag->notes.count == 0)
      diag_note(cx->diags, diag, (Place){0}, "its components are %s",
                vector->u.vector.count == 2   ? ".x and .y"
                : vector->u.vector.count == 3 ? ".x, .y and .z"
                                              : ".x, .y, .z and .w");
    return build_poison(cx, expr->span);
  }
  const Type *element = vector->u.vector.element;
  uint64_t offset = component * element->size_bytes;
  TExpr *known = known_part(cx, base, offset, element, expr->span);
  if (known)
    return known;
  TExpr *result = build_member(cx, TEXPR_COMPONENT, base, element, expr);
  result->u.member.component = component;
  result->u.member.offset_bytes = offset;
  return result;
}

static void collect_names(const Type *record, const char **names,
                          uint32_t limit, uint32_t *count) {
  for (uint32_t i = 0; i < record->u.record.n_fields; i++) {
    const Field *field = &record->u.record.fields[i];
    if (field->name && *count < limit)
      names[(*count)++] = field->name;
    else if (!field->name && type_is_record(field->type))
      collect_names(field->type, names, limit, count);
  }
}

TExpr *check_no_field(SemaContext *cx, const Type *record, const Expr *expr) {
  if (record->u.record.is_poisoned)
    return build_poison(cx, expr->span);
  const char *names[64];
  uint32_t count = 0;
  collect_names(record, names, 64, &count);
  const char *nearest = text_nearest(expr->u.member.name, names, count);
  Diag *diag = SEMA_ERROR(cx, expr->u.member.name_span, no_member,
                          NT(cx, record), DS(expr->u.member.name));
  if (nearest && diag->fixes.count == 0)
    diag_fix(cx->diags, diag, sema_place(cx, expr->u.member.name_span), false,
             nearest, "did you mean '%s'?", nearest);
  return build_poison(cx, expr->span);
}

static TExpr *check_field(SemaContext *cx, TExpr *base, const Expr *expr) {
  if (!type_is_complete(base->type)) {
    SEMA_ERROR(cx, expr->span, incomplete_type, NT(cx, base->type));
    return build_poison(cx, expr->span);
  }
  uint64_t offset = 0;
  const Field *field =
      type_find_field(base->type, expr->u.member.name, &offset);
  if (!field)
    return check_no_field(cx, base->type, expr);
  TExpr *known = known_part(cx, base, offset, field->type, expr->span);
  if (known)
    return known;
  TExpr *result = build_member(cx, TEXPR_MEMBER, base, field->type, expr);
  result->is_const_place |= field->is_const;
  result->u.member.offset_bytes = offset;
  result->u.member.field = field;
  return result;
}

// g.sync(), g.thread_rank(): methods of CUDA's groups.
static const char *group_function(const char *name) {
  static const struct {
    const char *method, *function;
  } rows[] = {
      {"sync", "sync(g)"},
      {"thread_rank", "rank(g)"},
      {"size", "size(g)"},
      {"num_threads", "size(g)"},
      {"meta_group_rank", "meta_rank(g)"},
      {"meta_group_size", "meta_size(g)"},
      {"shfl", "shfl(g, value, lane)"},
      {"shfl_down", "shfl_down(g, value, delta)"},
      {"shfl_up", "shfl_up(g, value, delta)"},
      {"shfl_xor", "shfl_xor(g, value, mask)"},
      {"any", "any(g, predicate)"},
      {"all", "all(g, predicate)"},
      {"ballot", "ballot(g, predicate)"},
      {"group_index", "block_index()"},
      {"thread_index", "thread_index()"},
  };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].method, name) == 0)
      return rows[i].function;
  return NULL;
}

static TExpr *refuse_member(SemaContext *cx, TExpr *base, const Expr *expr) {
  bool is_arrow = expr->u.member.is_arrow;
  if (expr_is_poison(base))
    return base;
  Diag *diag = SEMA_ERROR(cx, expr->span, member_of, DS(is_arrow ? "->" : "."),
                          DS(expr->u.member.name), NT(cx, base->type));
  const Type *type = base->type;
  const char *function =
      type->kind == TY_GROUP && !(cx->options.policy & SEMA_NO_SPELLINGS)
          ? group_function(expr->u.member.name)
          : NULL;
  if (function)
    diag_note(cx->diags, diag, (Place){0}, "groups have no methods: write '%s'",
              function);
  bool is_pointer =
      type->kind == TY_POINTER && (type_is_record(type->u.pointer.pointee) ||
                                   type->u.pointer.pointee->kind == TY_VECTOR);
  bool is_value = type_is_record(type) || type->kind == TY_VECTOR;
  if (diag->fixes.count == 0 && (is_arrow ? is_value : is_pointer))
    diag_fix(cx->diags, diag, sema_place(cx, expr->operator_span), true,
             is_arrow ? "." : "->", "use '%s'", is_arrow ? "." : "->");
  return build_poison(cx, expr->span);
}

TExpr *check_member(SemaContext *cx, const Expr *expr) {
  bool in_address = cx->in_address;
  cx->in_address = false;
  TExpr *base = check_expr(cx, expr->u.member.base);
  cx->in_address = in_address;
  if (expr->u.member.is_arrow) {
    TExpr *pointer = convert_to_value(cx, base);
    if (pointer->type->kind != TY_POINTER)
      return refuse_member(cx, base, expr);
    base = check_pointee(cx, pointer, expr->span);
    if (expr_is_poison(base))
      return base;
  }
  if (base->type->kind == TY_VECTOR)
    return check_component(cx, base, expr);
  if (type_is_record(base->type))
    return check_field(cx, base, expr);
  if (is_tile(base) && !expr->u.member.is_arrow &&
      type_is(base->type->u.tile.element, TY_STRUCT))
    return tile_check_member(cx, convert_to_value(cx, base), expr);
  return refuse_member(cx, base, expr);
}
