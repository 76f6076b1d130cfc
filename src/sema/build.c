// SPDX-License-Identifier: Apache-2.0
// Constructors of typed nodes. They fold constants, so that an expression is
// constant after specialisation exactly when its node is TEXPR_CONST.
#include "sema/context.h"

#include "sema/type/constants.h"

TExpr *build_expr(SemaContext *cx, TExprKind kind, const Type *type,
                  Span span) {
  TExpr *expr = ARENA_NEW(cx->arena, TExpr);
  cx->n_exprs++;
  expr->kind = kind;
  expr->type = type;
  expr->span = span;
  return expr;
}

// Note [Poison without an error]
// Poison stands where an error was reported, so that one mistake gives one
// message. If a kernel has poison and no error all the same, whoever made it
// forgot to say why, and what is left of the kernel means something else than
// what was written: that is an error then, at the first poison. What isn't
// evaluated doesn't count: its values may be wrong (SEMA_VALUE_ERROR).
void build_note_poison(SemaContext *cx, Span span) {
  if (!cx->unevaluated && cx->unexplained.end == 0)
    cx->unexplained = span;
}

bool build_is_explained(SemaContext *cx) {
  const OpenMembers *open = cx->options.open_members; // told later
  return cx->unexplained.end == 0 || (open && open->count > 0) ||
         diag_round_error_count(cx->diags) > 0 ||
         sema_not_available(cx, cx->unexplained, "this construct");
}

TExpr *build_poison(SemaContext *cx, Span span) {
  build_note_poison(cx, span);
  return build_expr(cx, TEXPR_CONST, type_basic(cx->types, TY_POISON), span);
}

TExpr *build_const(SemaContext *cx, const Type *type, TValue value, Span span) {
  TExpr *expr = build_expr(cx, TEXPR_CONST, type, span);
  expr->u.value = value;
  expr->is_host = true;
  return expr;
}

TExpr *build_int(SemaContext *cx, const Type *type, int64_t value, Span span) {
  TValue held = {.i = value};
  return build_const(cx, type, held, span);
}

TVar *build_variable(SemaContext *cx, TVarKind kind, const char *name,
                     const Type *type, Span span) {
  TVar *var = ARENA_NEW(cx->arena, TVar);
  var->kind = kind;
  var->name = name;
  var->type = type;
  var->span = span;
  var->align_bytes = type->align_bytes;
  var->element = type_array_base(type, &var->rank);
  if (cx->body) {
    var->holder = cx->body->group.number;
    var->holder_size = cx->body->group.size;
    var->id = cx->body->vars.count;
    VEC_PUSH(cx->arena, &cx->body->vars, var);
  } else {
    var->id = cx->unit->globals.count;
    VEC_PUSH(cx->arena, &cx->unit->globals, var);
  }
  return var;
}

TStmt *build_stmt(SemaContext *cx, TStmtKind kind, Span span) {
  TStmt *stmt = ARENA_NEW(cx->arena, TStmt);
  stmt->kind = kind;
  stmt->span = span;
  return stmt;
}

// --- questions ---

bool expr_is_poison(const TExpr *expr) {
  return type_is_poison(expr->type);
}

bool expr_is_const(const TExpr *expr) {
  return expr->kind == TEXPR_CONST && !expr_is_poison(expr);
}

bool expr_is_null(const TExpr *expr) {
  if (!expr_is_const(expr) || expr->u.value.u != 0)
    return false;
  return type_is_integer(expr->type) || expr->type->kind == TY_POINTER;
}

TVar *expr_root(TExpr *place) {
  for (;;) {
    if (place->kind == TEXPR_VAR)
      return place->u.var;
    if (place->kind == TEXPR_SECTION)
      return place->u.section->array;
    if (place->kind == TEXPR_INDEX)
      place = place->u.index.base;
    else if (place->kind == TEXPR_MEMBER || place->kind == TEXPR_COMPONENT)
      place = place->u.member.base;
    else
      return NULL;
  }
}

// --- places ---

static void note_global_use(SemaContext *cx, TVar *var) {
  if (!cx->kernel || map_has(&cx->kernel->globals, MAP_KEY(var)))
    return;
  map_put(cx->arena, &cx->kernel->globals, MAP_KEY(var), var);
  VEC_PUSH(cx->arena, &cx->kernel->global_list, var);
}

TExpr *build_var(SemaContext *cx, TVar *var, Span span) {
  if (var->kind == TVAR_CONSTANT || var->kind == TVAR_GLOBAL)
    note_global_use(cx, var);
  TExpr *expr = build_expr(cx, TEXPR_VAR, var->type, span);
  expr->is_lvalue = true;
  expr->is_const_place = var->is_const;
  expr->u.var = var;
  return expr;
}

// The value of a constant object, or of a field of a constant aggregate.
static bool known_value(const TExpr *place, TValue *out) {
  if (place->kind != TEXPR_VAR || !place->u.var->has_value)
    return false;
  *out = place->u.var->value;
  return true;
}

TExpr *build_load(SemaContext *cx, TExpr *place) {
  TValue value;
  if (known_value(place, &value))
    return build_const(cx, place->type, value, place->span);
  const TVar *root = expr_root(place);
  if (root && root->is_initialising && !cx->unevaluated) {
    SEMA_ERROR(cx, place->span, own_initialiser, DS(root->name));
    return build_poison(cx, place->span);
  }
  bool is_unbound = place->kind == TEXPR_VAR &&
                    place->type->kind == TY_POINTER &&
                    place->type->u.pointer.space == TSPACE_UNKNOWN;
  if (is_unbound)
    place->u.var->is_read_unbound = true;
  if (place->kind == TEXPR_VAR)
    place->u.var->is_read = true;
  TExpr *expr = build_expr(cx, TEXPR_LOAD, place->type, place->span);
  expr->u.operand = place;
  expr->is_host = place->kind == TEXPR_VAR &&
                  place->u.var->kind == TVAR_PARAM &&
                  !place->u.var->is_assigned && type_is_arithmetic(place->type);
  return expr;
}

TExpr *build_addr(SemaContext *cx, TExpr *place, Span span) {
  if (place->kind == TEXPR_DEREF)
    return place->u.operand;
  TVar *root = expr_root(place);
  Space space = TSPACE_LOCAL;
  if (root) {
    root->is_address_taken = true;
    space = sema_var_space(root);
  } else {
    space = sema_place_space(place);
  }
  const Type *type =
      type_pointer(cx->types, place->type, space, place->is_const_place);
  TExpr *expr = build_expr(cx, TEXPR_ADDR, type, span);
  expr->u.operand = place;
  return expr;
}

TExpr *build_deref(SemaContext *cx, TExpr *pointer, Span span) {
  if (pointer->kind == TEXPR_ADDR) {
    TExpr *place = pointer->u.operand;
    if (place->type == pointer->type->u.pointer.pointee &&
        place->is_const_place == pointer->type->u.pointer.to_const)
      return place;
  }
  TExpr *expr =
      build_expr(cx, TEXPR_DEREF, pointer->type->u.pointer.pointee, span);
  expr->u.operand = pointer;
  expr->is_lvalue = true;
  expr->is_const_place = pointer->type->u.pointer.to_const;
  return expr;
}

TExpr *build_ptr_add(SemaContext *cx, TExpr *pointer, TExpr *count, Span span) {
  if (expr_is_const(count) && count->u.value.i == 0)
    return pointer;
  TExpr *expr = build_expr(cx, TEXPR_PTR_ADD, pointer->type, span);
  expr->u.binary.op = TOP_ADD;
  expr->u.binary.left = pointer;
  expr->u.binary.right = count;
  return expr;
}

// --- operators ---

static bool is_foldable(const Type *type) {
  return type_is_arithmetic(type) || type_lacks_arithmetic(type);
}

TExpr *build_convert(SemaContext *cx, TExpr *value, const Type *to) {
  if (value->type == to || expr_is_poison(value))
    return value;
  if (expr_is_const(value) && is_foldable(value->type) && is_foldable(to)) {
    TValue folded = value_convert(to, value->type, value->u.value, NULL);
    return build_const(cx, to, folded, value->span);
  }
  TExpr *expr = build_expr(cx, TEXPR_CONVERT, to, value->span);
  expr->u.operand = value;
  expr->is_host = value->is_host && type_is_arithmetic(to);
  return expr;
}

TExpr *build_unary(SemaContext *cx, TOp op, TExpr *operand, Span span) {
  if (expr_is_const(operand)) {
    FoldProblem problem;
    TValue value = value_unary(op, operand->type, operand->u.value, &problem);
    if (problem != FOLD_OK)
      SEMA_VALUE_ERROR(cx, span, constant_overflow, DS("-"),
                       NT(cx, operand->type));
    return build_const(cx, operand->type, value, span);
  }
  TExpr *expr = build_expr(cx, TEXPR_UNARY, operand->type, span);
  expr->u.unary.op = op;
  expr->u.unary.operand = operand;
  expr->is_host = operand->is_host && type_is_arithmetic(operand->type);
  return expr;
}

static bool build_is_product(const TExpr *expr) {
  return expr->kind == TEXPR_BINARY && expr->u.binary.op == TOP_MUL;
}

// a*b+c may become one fma where the pragma allows it.
static bool build_may_contract(const SemaContext *cx, TOp op, const Type *type,
                               const TExpr *left, const TExpr *right) {
  if (!cx->body || !cx->body->fp_contract || (op != TOP_ADD && op != TOP_SUB))
    return false;
  const Type *element = type->kind == TY_VECTOR ? type->u.vector.element
                                                : type_tile_element(type);
  return type_is_floating(element) &&
         (build_is_product(left) || build_is_product(right));
}

// NULL: not folded.
static TExpr *fold_binary(SemaContext *cx, TOp op, const char *spelling,
                          TExpr *left, TExpr *right, const Type *result,
                          Span span) {
  if (!expr_is_const(left) || !expr_is_const(right) ||
      !type_is_arithmetic(left->type) || !type_is_arithmetic(right->type))
    return NULL;
  FoldProblem problem;
  TValue value = value_binary(op, left->type, left->u.value, right->type,
                              right->u.value, &problem);
  if (problem == FOLD_DIVIDE_BY_ZERO) {
    if (cx->unevaluated)
      return NULL;
    SEMA_ERROR0(cx, span, constant_division);
    return build_poison(cx, span);
  }
  if (problem == FOLD_OVERFLOW)
    SEMA_VALUE_ERROR(cx, span, constant_overflow, DS(spelling),
                     NT(cx, left->type));
  return build_const(cx, result, value, span);
}

TExpr *build_binary(SemaContext *cx, TOp op, const char *spelling, TExpr *left,
                    TExpr *right, Span span) {
  const Type *result = left->type;
  if (op >= TOP_EQ)
    result = type_basic(cx->types, TY_BOOL);
  TExpr *folded = fold_binary(cx, op, spelling, left, right, result, span);
  if (folded)
    return folded;
  TExpr *expr = build_expr(cx, TEXPR_BINARY, result, span);
  expr->u.binary.op = op;
  expr->u.binary.left = left;
  expr->u.binary.right = right;
  expr->may_contract = build_may_contract(cx, op, result, left, right);
  expr->is_host =
      left->is_host && right->is_host && type_is_arithmetic(left->type);
  return expr;
}

TExpr *build_current_group(SemaContext *cx, Span span) {
  TExpr *expr =
      build_expr(cx, TEXPR_GROUP, type_basic(cx->types, TY_GROUP), span);
  expr->u.group.ref = TGROUP_CURRENT;
  expr->u.group.facts = current_group_facts(cx);
  return expr;
}

TExpr *build_call_builtin(SemaContext *cx, Builtin id, const Type *type,
                          TExpr **args, uint32_t n_args, Span span) {
  TExpr *expr = build_expr(cx, TEXPR_BUILTIN, type, span);
  expr->u.builtin.id = id;
  expr->u.builtin.args = arena_copy(cx->arena, args, n_args * sizeof(TExpr *));
  expr->u.builtin.n_args = n_args;
  expr->u.builtin.scope = TSCOPE_DEVICE;
  return expr;
}

// --- spaces ---

Space sema_var_space(const TVar *var) {
  switch (var->kind) {
  case TVAR_SHARED: return TSPACE_SHARED;
  case TVAR_CONSTANT: return TSPACE_CONSTANT;
  case TVAR_GLOBAL:
  case TVAR_PARAM_ARRAY: return TSPACE_GLOBAL;
  case TVAR_ARG_ARRAY: return var->space;
  case TVAR_LOCAL:
  case TVAR_ARRAY:
  case TVAR_PARAM:
  case TVAR_PARAM_PTR:
  case TVAR_ARG:
  case TVAR_INDUCTION:
  case TVAR_GROUP:
  case TVAR_ARG_GROUP: return TSPACE_LOCAL;
  }
  return TSPACE_LOCAL;
}

Space sema_place_space(const TExpr *place) {
  for (;;) {
    if (place->kind == TEXPR_VAR)
      return sema_var_space(place->u.var);
    if (place->kind == TEXPR_DEREF)
      return place->u.operand->type->u.pointer.space;
    if (place->kind == TEXPR_INDEX)
      place = place->u.index.base;
    else if (place->kind == TEXPR_MEMBER || place->kind == TEXPR_COMPONENT)
      place = place->u.member.base;
    else
      return TSPACE_LOCAL;
  }
}
