// SPDX-License-Identifier: Apache-2.0
// Assignment, compound assignment, ++ and --.
#include "sema/tile.h"

#include "base/bits.h"

static bool refuse_change(SemaContext *cx, Span span, const char *what,
                          const char *reason) {
  SEMA_ERROR(cx, span, not_assignable, DS(what), DS(reason));
  return false;
}

static const char *quoted(SemaContext *cx, Span span) {
  return sema_format(cx, "'%s'", sema_source_text(cx, span));
}

static const char *const_reason(SemaContext *cx, TExpr *place) {
  const TVar *root = expr_root(place);
  if (!root)
    return "it points to const";
  if (root->kind == TVAR_CONSTANT)
    return sema_format(cx, "'%s' is in constant memory", root->name);
  if (root->is_const)
    return sema_format(cx, "'%s' is const", root->name);
  return "it is const";
}

static bool has_const_field(const Type *type) {
  if (!type_is_record(type))
    return false;
  for (uint32_t i = 0; i < type->u.record.n_fields; i++)
    if (type->u.record.fields[i].is_const ||
        has_const_field(type->u.record.fields[i].type))
      return true;
  return false;
}

bool check_writable(SemaContext *cx, TExpr *place, const char *op, Span span) {
  if (expr_is_poison(place))
    return false;
  if (type_is(place->type, TY_GROUP)) {
    SEMA_ERROR(cx, span, group_assigned, DS(sema_source_text(cx, place->span)));
    return false;
  }
  if (!place->is_lvalue) {
    bool is_embedded = expr_is_const(place);
    if (is_embedded)
      return refuse_change(cx, span, quoted(cx, place->span),
                           "it is a constant");
    SEMA_ERROR(cx, span, not_a_place, DS(op));
    return false;
  }
  TVar *root = expr_root(place);
  if (root && root->kind == TVAR_INDUCTION) {
    SEMA_ERROR(cx, span, thread_loop_variable, DS(root->name),
               DS(root->loop_word));
    return false;
  }
  if (type_is(place->type, TY_ARRAY))
    return refuse_change(cx, span, quoted(cx, place->span),
                         "an array is assigned element by element");
  if (place->kind == TEXPR_SECTION && place->u.section->outside)
    return refuse_change(cx, span, quoted(cx, place->span),
                         "'pad' gives the value that loads have outside; "
                         "stores drop what is outside");
  if (place->is_const_place || has_const_field(place->type))
    return refuse_change(cx, span, quoted(cx, place->span),
                         const_reason(cx, place));
  if (convert_is_lone(cx, place, span, place->span) ||
      !tile_check_packed(cx, place))
    return false;
  if (root)
    root->is_assigned = true;
  return true;
}

// --- pointers without a space of their own ---

static void settle_pointer(SemaContext *cx, TVar *var, Space space, Span span) {
  var->type = type_pointer_in(cx->types, var->type, space);
  var->bind_span = span;
  map_put(cx->arena, &cx->body->pointer_spaces, var->decl_id,
          (void *)(uintptr_t)(space + 1));
  if (var->is_read_unbound)
    cx->body->needs_rerun = true;
}

static bool is_other_space(const TVar *var, const TExpr *value) {
  Space bound = var->type->u.pointer.space;
  Space wanted = value->type->u.pointer.space;
  return bound != wanted && wanted != TSPACE_UNKNOWN &&
         bound != TSPACE_UNKNOWN && bound != TSPACE_GENERIC;
}

static bool is_second_space(SemaContext *cx, TVar *var, TExpr *value) {
  Space bound = var->type->u.pointer.space;
  Space wanted = value->type->u.pointer.space;
  if (bound == wanted || wanted == TSPACE_UNKNOWN || bound == TSPACE_UNKNOWN)
    return false;
  if (convert_note_open(cx, SEMA_OPEN_DECL, var->span))
    return true;
  Diag *diag = SEMA_ERROR(cx, value->span, two_spaces, DS(var->name),
                          DS(space_name(bound)), DS(space_name(wanted)));
  if (diag->labels.count || diag->notes.count)
    return true;
  if (var->bind_span.end)
    diag_label(cx->diags, diag, sema_place(cx, var->bind_span),
               "bound to %s memory here", space_name(bound));
  diag_note(cx->diags, diag, (Place){0},
            "declare it 'generic' if it is to point to both");
  return true;
}

TExpr *check_bind_pointer(SemaContext *cx, TVar *var, TExpr *value,
                          const char *what) {
  bool is_pointer = value->type->kind == TY_POINTER;
  if (is_pointer && var->takes_space) {
    Space wanted = value->type->u.pointer.space;
    if (var->type->u.pointer.space == TSPACE_UNKNOWN &&
        wanted != TSPACE_UNKNOWN && !expr_is_null(value))
      settle_pointer(cx, var, wanted, value->span);
    if (is_second_space(cx, var, value))
      return build_poison(cx, value->span);
  } else if (is_pointer && is_other_space(var, value) &&
             convert_note_open(cx, SEMA_OPEN_DECL, var->span)) {
    return build_poison(cx, value->span);
  }
  value = convert_assign(cx, value, var->type, what);
  return value;
}

static void add_binding(SemaContext *cx, TVar *var, TExpr *value) {
  uint32_t count = var->n_bindings;
  if (!bits_has_several(count)) {
    TExpr **grown = ARENA_ARRAY(cx->arena, TExpr *, count ? count * 2 : 1);
    for (uint32_t i = 0; i < count; i++)
      grown[i] = var->bindings[i];
    var->bindings = grown;
  }
  var->bindings[var->n_bindings++] = value;
}

// --- = ---

static TExpr *assigned_value(SemaContext *cx, TExpr *place, TExpr *value) {
  const char *what = "assignment";
  const TExpr *whole = place;
  while (whole->kind == TEXPR_INDEX)
    whole = whole->u.index.base;
  if (whole->kind == TEXPR_MEMBER)
    return convert_to_member(cx, value, place->type, whole->u.member.base->type,
                             whole->u.member.field, what);
  if (place->kind != TEXPR_VAR || place->type->kind != TY_POINTER)
    return convert_assign(cx, value, place->type, what);
  TVar *var = place->u.var;
  value = check_bind_pointer(cx, var, value, what);
  place->type = var->type;
  if (!expr_is_poison(value))
    add_binding(cx, var, value);
  return value;
}

// A variable of the thread, a part of one, or of what a pointer leads to that
// can only lead to one.
static bool is_own_place(const TExpr *place) {
  while (place->kind == TEXPR_MEMBER || place->kind == TEXPR_INDEX)
    place = place->kind == TEXPR_MEMBER ? place->u.member.base
                                        : place->u.index.base;
  if (place->kind == TEXPR_DEREF)
    return place->u.operand->type->u.pointer.space == TSPACE_LOCAL;
  return place->kind == TEXPR_VAR &&
         (place->u.var->kind == TVAR_LOCAL || place->u.var->kind == TVAR_ARG);
}

static bool check_assign_may_hold(SemaContext *cx, TExpr *place, TExpr *value) {
  bool escapes = value->type->kind == TY_POINTER &&
                 value->type->u.pointer.space == TSPACE_LOCAL &&
                 place->kind != TEXPR_VAR && !is_own_place(place);
  if (escapes)
    SEMA_ERROR(cx, value->span, local_escapes, DS("stored"));
  return !escapes;
}

static TExpr *check_compound(SemaContext *cx, const Expr *expr, TExpr *place,
                             TExpr *right);

static TExpr *check_assigned(SemaContext *cx, const Expr *left) {
  const Expr *outer = cx->assigned;
  cx->assigned = left;
  TExpr *place = check_expr(cx, left);
  cx->assigned = outer;
  TExpr *row = tile_row_place(cx, place);
  return row ? row : place;
}

// A hint for loads says nothing of a place that is only stored to.
static bool check_assign_hint(SemaContext *cx, const TExpr *place, Span span) {
  if (place->kind != TEXPR_SECTION || !place->u.section->load_hint)
    return true;
  return refuse_change(cx, span, quoted(cx, place->span),
                       "'load' gives a hint for loads: write store(…)");
}

TExpr *check_assign(SemaContext *cx, const Expr *expr) {
  TExpr *place = check_assigned(cx, expr->u.assign.left);
  bool is_group =
      type_is(place->type, TY_GROUP) && is_group_expr(cx, expr->u.assign.right);
  const Expr *outer = cx->assignment;
  cx->assignment = expr;
  TExpr *value = is_group ? place : check_value(cx, expr->u.assign.right);
  cx->assignment = outer;
  if (!check_writable(cx, place, "=", expr->u.assign.left->span))
    return build_poison(cx, expr->span);
  if (expr_is_poison(value))
    return value;
  if (expr->u.assign.is_compound)
    return check_compound(cx, expr, place, value);
  if (!check_assign_hint(cx, place, expr->u.assign.left->span))
    return build_poison(cx, expr->span);
  if (!check_assign_may_hold(cx, place, value))
    return build_poison(cx, expr->span);
  value = assigned_value(cx, place, value);
  if (expr_is_poison(value))
    return value;
  TExpr *result = build_expr(cx, TEXPR_ASSIGN, place->type, expr->span);
  result->u.binary.left = place;
  result->u.binary.right = value;
  return result;
}

// --- op= ---

static TExpr *make_compound(SemaContext *cx, TOp op, TExpr *place, TExpr *right,
                            const Type *compute, Span span) {
  TExpr *result = build_expr(cx, TEXPR_ASSIGN_OP, place->type, span);
  result->u.assign.op = op;
  result->u.assign.place = place;
  result->u.assign.right = right;
  result->u.assign.compute_type = compute;
  return result;
}

static TExpr *step_place(SemaContext *cx, TOp op, TExpr *place, TExpr *right,
                         const char *spelling, Span span) {
  bool is_step = (op == TOP_ADD || op == TOP_SUB) &&
                 type_is_integer(right->type) &&
                 type_is_complete(place->type->u.pointer.pointee);
  if (!is_step) {
    SEMA_ERROR(cx, span, bad_operands, DS(spelling), NT(cx, place->type),
               NT(cx, right->type));
    return build_poison(cx, span);
  }
  right = build_convert(cx, right, sema_basic(cx, TY_LONG));
  return make_compound(cx, op, place, right, place->type, span);
}

static bool adds_product(const TExpr *right) {
  return right->kind == TEXPR_BINARY && right->u.binary.op == TOP_MUL;
}

static TExpr *check_compound(SemaContext *cx, const Expr *expr, TExpr *place,
                             TExpr *right) {
  const char *spelling;
  TOp op = check_binary_op(expr->u.assign.op, &spelling);
  if (place->type->kind == TY_POINTER)
    return step_place(cx, op, place, right, sema_format(cx, "%s=", spelling),
                      expr->span);
  // The binary operator on a stand-in for the old value finds the type that
  // the operation works in, and what it does to the right operand.
  TExpr *old = build_expr(cx, TEXPR_LOAD, place->type, place->span);
  old->u.operand = place;
  TExpr *result =
      check_binary_values(cx, expr->u.assign.op, old, right, expr->span);
  if (expr_is_poison(result))
    return result;
  if (result->kind != TEXPR_BINARY) {
    SEMA_ERROR(cx, expr->span, bad_operands,
               DS(sema_format(cx, "%s=", spelling)), NT(cx, place->type),
               NT(cx, right->type));
    return build_poison(cx, expr->span);
  }
  TExpr *back = convert_assign(cx, result, place->type, "assignment");
  if (expr_is_poison(back))
    return back;
  TExpr *compound = make_compound(cx, op, place, result->u.binary.right,
                                  result->type, expr->span);
  compound->may_contract =
      result->may_contract && adds_product(result->u.binary.right);
  return compound;
}

// --- ++ and -- ---

TExpr *check_inc_dec(SemaContext *cx, const Expr *expr) {
  UnaryOp op = expr->u.unary.op;
  bool is_increment = op == UNARY_PRE_INC || op == UNARY_POST_INC;
  const char *spelling = is_increment ? "++" : "--";
  TExpr *place = check_expr(cx, expr->u.unary.operand);
  if (!check_writable(cx, place, spelling, expr->span))
    return build_poison(cx, expr->span);
  const Type *type = place->type;
  bool is_pointer =
      type->kind == TY_POINTER && type_is_complete(type->u.pointer.pointee);
  if (!type_is_arithmetic(type) && !is_pointer) {
    SEMA_ERROR(cx, expr->span, bad_operand, DS(spelling), NT(cx, type));
    return build_poison(cx, expr->span);
  }
  TExpr *result = build_expr(cx, TEXPR_INC_DEC, type, expr->span);
  result->u.inc_dec.place = place;
  result->u.inc_dec.is_increment = is_increment;
  result->u.inc_dec.is_prefix = op == UNARY_PRE_INC || op == UNARY_PRE_DEC;
  return result;
}
