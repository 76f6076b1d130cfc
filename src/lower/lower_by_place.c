// SPDX-License-Identifier: Apache-2.0
// Pointers that only stand for a variable of the caller.
//
// Note [Parameters that are places]. A function gets `&x` to change x, or what
// is in it; calls are inlined, so no address is needed for that. A parameter
// whose every use is `*p`, or as such a parameter of a further call, is bound
// to the place itself, and x stays what it would be without the call: values or
// variables of the IR. Otherwise x would be memory, and what is stored in it
// (pointers above all) would be lost to whoever looks at the IR.
//
// Not so where the address shows: arithmetic, comparisons, subscripts that
// aren't constant, being stored or returned, and pointers to pointers, whose
// object is found without looking into calls (Note [Roots of pointers]).
#include "lower/lower_internal.h"

// ------------------------------------------------------------------ shapes

static bool only_adds_const(const TExpr *convert) {
  const Type *from = convert->u.operand->type, *to = convert->type;
  return from->kind == TY_POINTER && to->kind == TY_POINTER &&
         from->u.pointer.pointee == to->u.pointer.pointee &&
         from->u.pointer.space == to->u.pointer.space;
}

static const TExpr *by_place_unconverted(const TExpr *expr) {
  while (expr->kind == TEXPR_CONVERT && only_adds_const(expr))
    expr = expr->u.operand;
  return expr;
}

// What an argument is after all else that it does: (f(), &x).
static const TExpr *by_place_last_of(const TExpr *arg) {
  arg = by_place_unconverted(arg);
  while (arg->kind == TEXPR_COMMA)
    arg = by_place_unconverted(arg->u.binary.right);
  return arg;
}

static void do_before(Lowering *lw, const TExpr *arg) {
  for (arg = by_place_unconverted(arg); arg->kind == TEXPR_COMMA;
       arg = by_place_unconverted(arg->u.binary.right))
    (void)lower_expr(lw, arg->u.binary.left);
}

// The pointer variable that an expression is; else NULL.
static TVar *pointer_read(const TExpr *expr) {
  expr = by_place_unconverted(expr);
  return expr->kind == TEXPR_LOAD && expr->u.operand->kind == TEXPR_VAR
             ? expr->u.operand->u.var
             : NULL;
}

// Where the way to a part of a variable, or of what a pointer points to,
// begins.
static const TExpr *by_place_begin_of(const TExpr *place, bool *is_fixed) {
  *is_fixed = true;
  for (;;) {
    switch ((int)place->kind) {
    case TEXPR_INDEX:
      *is_fixed &= lower_is_fixed_element(place);
      place = place->u.index.base;
      break;
    case TEXPR_MEMBER:
    case TEXPR_COMPONENT: place = place->u.member.base; break;
    default: return place;
    }
  }
}

// The pointer that leads to the place; NULL: none.
static TVar *pointer_to(const TExpr *place, bool *is_fixed) {
  const TExpr *begin = by_place_begin_of(place, is_fixed);
  return begin->kind == TEXPR_DEREF ? pointer_read(begin->u.operand) : NULL;
}

// ------------------------------------------------------------ one parameter

typedef struct {
  Lowering *lw;
  const TVar *param;
  uint32_t n_uses, n_good;
  bool is_bad;
} Search;

static bool begins_at(const TExpr *place, const TVar *param, bool *is_fixed) {
  return pointer_to(place, is_fixed) == param;
}

static void search_call(Search *search, const TExpr *call) {
  for (uint32_t i = 0; i < call->u.call.n_args; i++) {
    const TExpr *arg = call->u.call.args[i];
    bool is_fixed;
    if (arg->is_lvalue && begins_at(arg, search->param, &is_fixed))
      search->is_bad = true; // a whole array
    if (pointer_read(by_place_last_of(arg)) == search->param &&
        lower_is_place_param(search->lw, call->u.call.func, i))
      search->n_good++;
  }
}

static bool search_expr(const TExpr *expr, void *context) {
  Search *search = context;
  bool is_fixed;
  switch ((int)expr->kind) {
  case TEXPR_VAR: search->n_uses += expr->u.var == search->param; break;
  case TEXPR_DEREF:
    search->n_good += pointer_read(expr->u.operand) == search->param;
    break;
  case TEXPR_INDEX:
    if (begins_at(expr, search->param, &is_fixed) && !is_fixed)
      search->is_bad = true;
    break;
  case TEXPR_ADDR:
    if (begins_at(expr->u.operand, search->param, &is_fixed) &&
        !map_has(&search->lw->place_args, MAP_KEY(expr)))
      search->is_bad = true;
    break;
  case TEXPR_BUILTIN:
    for (uint32_t i = 0; i < expr->u.builtin.n_args; i++)
      if (expr->u.builtin.args[i] && expr->u.builtin.args[i]->is_lvalue &&
          begins_at(expr->u.builtin.args[i], search->param, &is_fixed))
        search->is_bad = true;
    break;
  case TEXPR_CALL:
    lower_note_place_args(search->lw, expr);
    search_call(search, expr);
    break;
  case TEXPR_SECTION: search->is_bad = true; break;
  default: break;
  }
  return !search->is_bad;
}

static bool is_place_param(Lowering *lw, const TFunc *func, const TVar *param) {
  if (param->kind != TVAR_ARG || !type_is(param->type, TY_POINTER) ||
      param->type->u.pointer.space != TSPACE_LOCAL || func->n_sections ||
      !func->body ||
      !lower_layout(lw, param->type->u.pointer.pointee)->is_split)
    return false;
  Search search = {.lw = lw, .param = param};
  lower_visit_stmt(func->body, search_expr, &search);
  return !search.is_bad && search.n_uses == search.n_good;
}

enum { PLACE_NO = 1, PLACE_YES };

bool lower_is_place_param(Lowering *lw, const TFunc *func, uint32_t i) {
  static const char answers[3];
  const TVar *param = func->params[i];
  const char *known = map_get(&lw->place_params, MAP_KEY(param));
  if (known)
    return known == &answers[PLACE_YES];
  // Until it is known: no.
  map_put(lw->scratch, &lw->place_params, MAP_KEY(param),
          (void *)(uintptr_t)&answers[PLACE_NO]);
  bool is_place = is_place_param(lw, func, param);
  if (is_place)
    map_put(lw->scratch, &lw->place_params, MAP_KEY(param),
            (void *)(uintptr_t)&answers[PLACE_YES]);
  return is_place;
}

// --------------------------------------------------------------- arguments

// &x, &x.y, &p->y where that may be a place.
static const TExpr *by_place_of(const TExpr *arg) {
  const TExpr *address = by_place_last_of(arg);
  if (address->kind != TEXPR_ADDR ||
      type_is(address->u.operand->type, TY_POINTER))
    return NULL;
  bool is_fixed;
  const TExpr *begin = by_place_begin_of(address->u.operand, &is_fixed);
  bool is_own = begin->kind == TEXPR_VAR && (begin->u.var->kind == TVAR_LOCAL ||
                                             begin->u.var->kind == TVAR_ARG);
  bool is_behind = begin->kind == TEXPR_DEREF && pointer_read(begin->u.operand);
  return is_fixed && (is_own || is_behind) ? address->u.operand : NULL;
}

void lower_note_place_args(Lowering *lw, const TExpr *call) {
  for (uint32_t i = 0; i < call->u.call.n_args; i++) {
    const TExpr *arg = call->u.call.args[i];
    if (by_place_of(arg) && lower_is_place_param(lw, call->u.call.func, i))
      map_put(lw->scratch, &lw->place_args, MAP_KEY(by_place_last_of(arg)), lw);
  }
}

const Storage *lower_pointed_place(Lowering *lw, const TExpr *pointer) {
  const TVar *var = pointer_read(pointer);
  const Binding *binding = var ? lower_binding(lw, var) : NULL;
  return binding && binding->kind == BIND_PLACE ? binding->place : NULL;
}

static const Storage *kept(Lowering *lw, Storage storage) {
  Storage *copy = ARENA_NEW(lw->scratch, Storage);
  *copy = storage;
  return copy;
}

static const Storage *argument_place(Lowering *lw, const TExpr *arg) {
  const Storage *same = lower_pointed_place(lw, by_place_last_of(arg));
  const TExpr *place = by_place_of(arg);
  if (same || !place)
    return same;
  bool is_fixed;
  const TExpr *begin = by_place_begin_of(place, &is_fixed);
  if (begin->kind == TEXPR_DEREF)
    return lower_pointed_place(lw, begin->u.operand)
               ? kept(lw, lower_storage(lw, place))
               : NULL;
  const Binding *binding = lower_binding(lw, begin->u.var);
  return binding && binding->kind == BIND_VARS
             ? kept(lw, lower_storage(lw, place))
             : NULL;
}

const Storage *lower_argument_place(Lowering *lw, const TFunc *func, uint32_t i,
                                    const TExpr *arg) {
  if (!lower_is_place_param(lw, func, i))
    return NULL;
  const Storage *place = argument_place(lw, arg);
  if (place)
    do_before(lw, arg);
  return place;
}
