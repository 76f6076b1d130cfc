// SPDX-License-Identifier: Apache-2.0
// The dispatch over expressions, and those that fit nowhere else: names,
// casts, sizeof, conditional, comma, _Generic.
#include "sema/tile.h"

static TExpr *check_by_kind(SemaContext *cx, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_POISON: return build_poison(cx, expr->span);
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_CHAR:
  case EXPR_STRING:
  case EXPR_BOOL: return check_literal(cx, expr);
  case EXPR_NAME: return check_name(cx, expr);
  case EXPR_UNARY: return check_unary(cx, expr);
  case EXPR_BINARY: return check_binary(cx, expr);
  case EXPR_ASSIGN: return check_assign(cx, expr);
  case EXPR_CONDITIONAL: return check_conditional(cx, expr);
  case EXPR_COMMA: return check_comma(cx, expr);
  case EXPR_CAST: return check_cast(cx, expr);
  case EXPR_SIZEOF_EXPR:
  case EXPR_SIZEOF_TYPE:
  case EXPR_ALIGNOF: return check_sizeof(cx, expr);
  case EXPR_OFFSETOF: return check_offsetof(cx, expr);
  case EXPR_CALL: return check_call(cx, expr);
  case EXPR_INDEX: return check_index(cx, expr);
  case EXPR_MEMBER: return check_member(cx, expr);
  case EXPR_COMPOUND: return check_compound_literal(cx, expr);
  case EXPR_INIT_LIST:
    SEMA_ERROR(cx, expr->span, misplaced, DS("{…}"), DS("an initialiser"));
    return build_poison(cx, expr->span);
  case EXPR_GENERIC: return check_generic(cx, expr);
  case EXPR_TYPE:
    SEMA_ERROR(cx, expr->span, not_a_value,
               DS(sema_source_text(cx, expr->span)), DS("a type"));
    return build_poison(cx, expr->span);
  }
  return build_poison(cx, expr->span);
}

TExpr *check_expr(SemaContext *cx, const Expr *expr) {
  if (!sema_enter(cx, expr->span))
    return build_poison(cx, expr->span);
  TExpr *result = check_by_kind(cx, expr);
  sema_leave(cx);
  return result;
}

TExpr *check_value(SemaContext *cx, const Expr *expr) {
  return convert_to_value(cx, check_expr(cx, expr));
}

// if (i = 3); a pair of parentheses more says that it is meant.
static void warn_assignment(SemaContext *cx, const Expr *expr) {
  bool is_plain = expr->kind == EXPR_ASSIGN && !expr->u.assign.is_compound &&
                  !expr->has_parens;
  if (!is_plain || (cx->options.policy & SEMA_NO_HABITS))
    return;
  Diag *diag = SEMA_ERROR(cx, expr->span, assigns_in_condition,
                          DS(sema_source_text(cx, expr->u.assign.left->span)));
  diag_fix(cx->diags, diag, sema_place(cx, expr->operator_span), false,
           "==", "compare with '=='; or write ((…)) if it is intended");
}

static TExpr *check_truth(SemaContext *cx, const Expr *expr, bool may_be_tile) {
  warn_assignment(cx, expr);
  if (expr->kind == EXPR_STRING) // assert(n > 0 && "why"): never null
    return build_int(cx, sema_basic(cx, TY_BOOL), 1, expr->span);
  TExpr *value = check_value(cx, expr);
  if (type_is(value->type, TY_VOID)) {
    SEMA_ERROR0(cx, expr->span, void_value);
    return build_poison(cx, expr->span);
  }
  return may_be_tile && is_tile(value) ? value : convert_to_bool(cx, value);
}

TExpr *check_condition(SemaContext *cx, const Expr *expr) {
  return check_truth(cx, expr, false);
}

TExpr *check_operand(SemaContext *cx, const Expr *expr) {
  return check_truth(cx, expr, true);
}

// --- names ---

static const char *symbol_word(SymbolKind kind) {
  if (kind == SYMBOL_TYPE)
    return "a type";
  if (kind == SYMBOL_LAYOUT)
    return "a layout";
  return kind == SYMBOL_KERNEL ? "a kernel" : "a function";
}

TExpr *check_name(SemaContext *cx, const Expr *expr) {
  const char *name = expr->u.name;
  Symbol *symbol = sema_scope_find(cx, name);
  if (!symbol) {
    const char *later = later_find(cx, name);
    if (builtin_find(cx, name))
      SEMA_ERROR(cx, expr->span, not_a_value, DS(name),
                 DS("a built-in function"));
    else if (is_operator_name(name))
      SEMA_ERROR(cx, expr->span, not_a_value, DS(name),
                 DS("an operator of 'reduce' and similar functions"));
    else if (later)
      sema_not_available(cx, expr->span, later);
    else
      sema_scope_undeclared(cx, expr->span, name);
    return build_poison(cx, expr->span);
  }
  switch (symbol->kind) {
  case SYMBOL_VAR:
    if (symbol->var->is_initialising && !cx->unevaluated) {
      if (type_is(symbol->var->type, TY_GROUP)) {
        SEMA_ERROR(cx, expr->span, own_initialiser, DS(name));
        break;
      }
      symbol->var->is_in_own = true; // build_load refuses its value
    }
    if (symbol->var->is_tensor && expr != cx->tensor_name) {
      SEMA_ERROR(cx, expr->span, tensor_name, DS(name));
      break;
    }
    if (type_is(symbol->var->type, TY_TILE) &&
        !tile_check_holder(cx, symbol->var, expr->span))
      break;
    return type_is(symbol->var->type, TY_GROUP)
               ? build_named_group(cx, symbol->var, expr->span)
               : build_var(cx, symbol->var, expr->span);
  case SYMBOL_CONST:
    return build_const(cx, symbol->type.type, symbol->value, expr->span);
  case SYMBOL_TYPE:
  case SYMBOL_TAG:
  case SYMBOL_FUNC:
  case SYMBOL_KERNEL:
  case SYMBOL_LAYOUT:
    SEMA_ERROR(cx, expr->span, not_a_value, DS(name),
               DS(symbol_word(symbol->kind)));
    break;
  case SYMBOL_POISON: break;
  }
  return build_poison(cx, expr->span);
}

// --- casts, sizes ---

TExpr *check_cast(SemaContext *cx, const Expr *expr) {
  QualType to = sema_resolve_element(cx, expr->u.cast.type, NULL);
  TExpr *value = check_value(cx, expr->u.cast.operand);
  if (type_is(to.type, TY_ARRAY)) {
    SEMA_ERROR(cx, expr->span, bad_cast, NT(cx, value->type), NT(cx, to.type));
    return build_poison(cx, expr->span);
  }
  return convert_cast(cx, value, to, expr->span);
}

// Its type; `*measured` is the expression, NULL for a type name.
static const Type *measured_type(SemaContext *cx, const Expr *expr,
                                 const TExpr **measured) {
  *measured = NULL;
  if (expr->kind != EXPR_SIZEOF_EXPR)
    return sema_resolve_type(cx, expr->u.type, NULL).type;
  cx->unevaluated++;
  TExpr *operand = expr->u.operand->kind == EXPR_STRING
                       ? check_string_size(cx, expr->u.operand)
                       : check_expr(cx, expr->u.operand);
  cx->unevaluated--;
  *measured = operand;
  return operand->type;
}

// The bytes of a row a[i] whose extents a launch or caller gives; NULL where
// they aren't known by an expression.
static TExpr *row_size(SemaContext *cx, const TExpr *row, Span span) {
  uint32_t n_indices = 0;
  for (; row && row->kind == TEXPR_INDEX; row = row->u.index.base)
    n_indices += row->u.index.n_indices;
  if (n_indices == 0 || row->kind != TEXPR_VAR || !row->u.var->extents)
    return NULL;
  const TVar *var = row->u.var;
  const Type *type = sema_basic(cx, TY_ULONG);
  TExpr *size = build_int(cx, type, (int64_t)var->element->size_bytes, span);
  for (uint32_t i = n_indices; i < var->rank; i++) {
    if (!var->extents[i])
      return NULL;
    size = build_binary(cx, TOP_MUL, "*", size,
                        build_convert(cx, var->extents[i], type), span);
  }
  return size;
}

TExpr *check_sizeof(SemaContext *cx, const Expr *expr) {
  const TExpr *measured;
  const Type *type = measured_type(cx, expr, &measured);
  if (type_is_poison(type))
    return build_poison(cx, expr->span);
  bool is_open = type->kind == TY_ARRAY && !type_is_complete(type);
  TExpr *computed = is_open ? row_size(cx, measured, expr->span) : NULL;
  if (computed)
    return computed;
  if (is_open) {
    SEMA_ERROR(cx, expr->span, not_constant,
               DS("the size of an array in sizeof"));
    return build_poison(cx, expr->span);
  }
  if (type->kind == TY_GROUP) {
    SEMA_ERROR(cx, expr->span, group_stored, DS("measured: it has no bytes"));
    return build_poison(cx, expr->span);
  }
  if (!type_is_complete(type)) {
    SEMA_ERROR(cx, expr->span, incomplete_type, NT(cx, type));
    return build_poison(cx, expr->span);
  }
  bool is_align = expr->kind == EXPR_ALIGNOF;
  int64_t value =
      is_align ? (int64_t)type->align_bytes : (int64_t)type->size_bytes;
  return build_int(cx, sema_basic(cx, TY_ULONG), value, expr->span);
}

static const Type *offset_step(SemaContext *cx, const Type *type,
                               const Designator *step, int64_t *offset) {
  if (step->name && type_is_record(type) && type_is_complete(type)) {
    uint64_t inner = 0;
    const Field *field = type_find_field(type, step->name, &inner);
    *offset += (int64_t)inner;
    if (field)
      return field->type;
  } else if (step->index && type->kind == TY_ARRAY) {
    int64_t index;
    if (!check_const_int(cx, step->index, "this index", &index))
      return NULL;
    *offset += index * (int64_t)type->u.array.element->size_bytes;
    return type->u.array.element;
  }
  const char *name = step->name ? step->name : "[…]";
  SEMA_ERROR(cx, step->span, no_member, NT(cx, type), DS(name));
  return NULL;
}

TExpr *check_offsetof(SemaContext *cx, const Expr *expr) {
  const Type *type = sema_resolve_type(cx, expr->u.offset_of.type, NULL).type;
  int64_t offset = 0;
  for (uint32_t i = 0; i < expr->u.offset_of.n_path; i++) {
    if (!type || type_is_poison(type))
      return build_poison(cx, expr->span);
    type = offset_step(cx, type, &expr->u.offset_of.path[i], &offset);
  }
  if (!type)
    return build_poison(cx, expr->span);
  return build_int(cx, sema_basic(cx, TY_ULONG), offset, expr->span);
}

// --- conditional, comma ---

// A pointer and a null or void pointer, or equal pointers but for const.
static const Type *common_pointer(SemaContext *cx, TExpr *a, TExpr *b) {
  if (expr_is_null(a) && b->type->kind == TY_POINTER)
    return b->type;
  if (expr_is_null(b) && a->type->kind == TY_POINTER)
    return a->type;
  if (a->type->kind != TY_POINTER || b->type->kind != TY_POINTER)
    return NULL;
  const Type *x = a->type, *y = b->type;
  if (x->u.pointer.pointee != y->u.pointer.pointee)
    return NULL;
  Space space = x->u.pointer.space;
  if (space == TSPACE_UNKNOWN || y->u.pointer.space == TSPACE_GENERIC)
    space = y->u.pointer.space;
  return type_pointer(cx->types, x->u.pointer.pointee, space,
                      x->u.pointer.to_const || y->u.pointer.to_const);
}

static bool check_expr_are_apart(const Type *a, const Type *b) {
  if (a->kind != TY_POINTER || b->kind != TY_POINTER)
    return false;
  Space x = a->u.pointer.space, y = b->u.pointer.space;
  return x != y && x != TSPACE_UNKNOWN && y != TSPACE_UNKNOWN &&
         x != TSPACE_GENERIC && y != TSPACE_GENERIC;
}

static bool unify_branches(SemaContext *cx, TExpr **a, TExpr **b, Span span) {
  if (expr_is_poison(*a) || expr_is_poison(*b))
    return false;
  if (!sema_may_be(cx, span, (*a)->type, "chosen by '?:'"))
    return false;
  if ((*a)->type == (*b)->type)
    return true;
  if (is_tile(*a) || is_tile(*b)) {
    TExpr *values[2] = {*a, *b};
    bool is_good = tile_unify(cx, "?:", values, 2, true, span) != NULL;
    *a = values[0];
    *b = values[1];
    return is_good;
  }
  if (check_expr_are_apart((*a)->type, (*b)->type) && !expr_is_null(*a) &&
      !expr_is_null(*b) && convert_note_open(cx, SEMA_OPEN_CHOICE, span))
    return false;
  const Type *pointer = common_pointer(cx, *a, *b);
  if (!pointer)
    return convert_usual(cx, "?:", a, b, span);
  *a = convert_assign(cx, *a, pointer, "operand of '?:'");
  *b = convert_assign(cx, *b, pointer, "operand of '?:'");
  return !expr_is_poison(*a) && !expr_is_poison(*b);
}

TExpr *check_branch(SemaContext *cx, const Expr *expr, bool is_dead) {
  cx->unevaluated += is_dead;
  TExpr *value = check_value(cx, expr);
  cx->unevaluated -= is_dead;
  return value;
}

static TExpr *refuse_selection(SemaContext *cx, const Expr *expr) {
  SEMA_ERROR0(cx, expr->span, group_selected);
  return build_poison(cx, expr->span);
}

TExpr *check_conditional(SemaContext *cx, const Expr *expr) {
  if (is_group_expr(cx, expr->u.conditional.if_true) ||
      is_group_expr(cx, expr->u.conditional.if_false))
    return refuse_selection(cx, expr);
  TExpr *condition = check_condition(cx, expr->u.conditional.condition);
  bool is_known = expr_is_const(condition);
  bool is_true = is_known && condition->u.value.u != 0;
  TExpr *a =
      check_branch(cx, expr->u.conditional.if_true, is_known && !is_true);
  TExpr *b = check_branch(cx, expr->u.conditional.if_false, is_true);
  bool promotes = type_is_arithmetic(a->type) && type_is_arithmetic(b->type);
  if (promotes) {
    a = convert_promote(cx, a);
    b = convert_promote(cx, b);
  }
  if (!unify_branches(cx, &a, &b, expr->span) || expr_is_poison(condition))
    return build_poison(cx, expr->span);
  if (is_known)
    return is_true ? a : b;
  TExpr *result = build_expr(cx, TEXPR_CONDITIONAL, a->type, expr->span);
  result->u.conditional.condition = condition;
  result->u.conditional.if_true = a;
  result->u.conditional.if_false = b;
  result->is_host = condition->is_host && a->is_host && b->is_host;
  return result;
}

TExpr *check_comma(SemaContext *cx, const Expr *expr) {
  const ExprList *list = &expr->u.list;
  TExpr *result = check_value(cx, list->data[0]);
  bool is_poisoned = expr_is_poison(result);
  for (uint32_t i = 1; i < list->count; i++) {
    TExpr *right = check_value(cx, list->data[i]);
    is_poisoned |= expr_is_poison(right);
    TExpr *comma = build_expr(cx, TEXPR_COMMA, right->type, expr->span);
    comma->u.binary.left = result;
    comma->u.binary.right = right;
    result = comma;
  }
  return is_poisoned ? build_poison(cx, expr->span) : result;
}

// --- _Generic ---

// `type` is NULL for `default`.
static void refuse_second(SemaContext *cx, const GenericAssoc *assoc,
                          const Type *type) {
  SEMA_ERROR(
      cx, assoc->span, generic_selection,
      DS(type ? sema_format(cx, "lists '%s' twice", sema_type_name(cx, type))
              : "has a second 'default'"));
}

TExpr *check_generic(SemaContext *cx, const Expr *expr) {
  cx->unevaluated++;
  TExpr *control = check_value(cx, expr->u.generic.control);
  cx->unevaluated--;
  const Expr *chosen = NULL, *otherwise = NULL;
  Map seen = {0};
  for (uint32_t i = 0; i < expr->u.generic.n_assocs; i++) {
    const GenericAssoc *assoc = &expr->u.generic.assocs[i];
    const Type *type =
        assoc->type ? sema_resolve_type(cx, assoc->type, NULL).type : NULL;
    if (map_has(&seen, MAP_KEY(type)))
      refuse_second(cx, assoc, type);
    else if (!type)
      otherwise = assoc->value;
    else if (type == control->type)
      chosen = assoc->value;
    if (!type || !type_is_poison(type))
      map_put(cx->arena, &seen, MAP_KEY(type), cx);
  }
  if (expr_is_poison(control))
    return control;
  if (!chosen)
    chosen = otherwise;
  if (chosen)
    return check_expr(cx, chosen);
  SEMA_ERROR(cx, expr->span, generic_selection,
             DS(sema_format(cx, "has no case for '%s'",
                            sema_type_name(cx, control->type))));
  return build_poison(cx, expr->span);
}
