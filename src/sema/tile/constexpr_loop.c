// SPDX-License-Identifier: Apache-2.0
// `constexpr for`: the body is checked once for each value of a constant
// counter, so that what is declared in it may have another type each turn.
#include "sema/tile.h"

#include "sema/type/constants.h"

enum { MAX_TURNS = 4096, MAX_EXPRS = 1000000 };

typedef struct {
  SemaContext *cx;
  const Stmt *stmt;
  const Decl *counter;
  const Type *type;
  TValue value;
} Unrolled;

static bool constexpr_refuse(SemaContext *cx, Span span, const char *problem) {
  SEMA_ERROR(cx, span, constexpr_for, DS(problem));
  return false;
}

// --- the counter ---

static bool constexpr_counter(Unrolled *u) {
  SemaContext *cx = u->cx;
  const Stmt *init = u->stmt->u.loop.init;
  bool is_one = init && init->kind == STMT_DECL && init->u.decls.count == 1;
  const Decl *decl = is_one ? init->u.decls.data[0] : NULL;
  if (!decl || decl->kind != DECL_VAR || !decl->u.var.init)
    return constexpr_refuse(cx, init ? init->span : u->stmt->u.loop.header,
                            "it must declare its own variable");
  QualType type = sema_resolve_type(cx, decl->type, NULL);
  if (type_is_poison(type.type))
    return false;
  u->counter = decl;
  u->type = type_underlying(type.type);
  if (!type_is_integer(u->type))
    return constexpr_refuse(cx, decl->span, "the variable must be an integer");
  TExpr *value = check_const_value(cx, decl->u.var.init, u->type,
                                   "the start of a constexpr for");
  if (expr_is_poison(value))
    return false;
  u->value = value->u.value;
  return true;
}

static void constexpr_for_declare(Unrolled *u) {
  Symbol *symbol = sema_scope_declare(u->cx, SYMBOL_CONST, u->counter->name,
                                      u->counter->name_span);
  if (!symbol)
    return;
  symbol->type = sema_plain(u->type);
  symbol->value = u->value;
}

// --- the header, with the counter's value declared ---

static bool constexpr_goes_on(Unrolled *u, bool *goes_on) {
  SemaContext *cx = u->cx;
  const Expr *written = u->stmt->u.loop.condition;
  if (!written)
    return constexpr_refuse(cx, u->stmt->u.loop.header, "it needs a condition");
  TExpr *condition = check_condition(cx, written);
  if (expr_is_poison(condition))
    return false;
  if (!expr_is_const(condition)) {
    SEMA_ERROR(cx, written->span, not_constant,
               DS("the condition of a constexpr for"));
    return false;
  }
  *goes_on = condition->u.value.u != 0;
  return true;
}

static bool constexpr_is_counter(const Unrolled *u, const Expr *expr) {
  return expr->kind == EXPR_NAME && expr->u.name == u->counter->name;
}

// The next value: i++, i--, i = e, i op= e.
static TExpr *constexpr_next(Unrolled *u, const Expr *step) {
  SemaContext *cx = u->cx;
  TExpr *old = build_const(cx, u->type, u->value, step->span);
  if (step->kind == EXPR_UNARY &&
      constexpr_is_counter(u, step->u.unary.operand)) {
    UnaryOp op = step->u.unary.op;
    TExpr *one = build_int(cx, sema_basic(cx, TY_INT), 1, step->span);
    if (op == UNARY_PRE_INC || op == UNARY_POST_INC)
      return check_binary_values(cx, BINARY_ADD, old, one, step->span);
    if (op == UNARY_PRE_DEC || op == UNARY_POST_DEC)
      return check_binary_values(cx, BINARY_SUB, old, one, step->span);
  }
  if (step->kind != EXPR_ASSIGN ||
      !constexpr_is_counter(u, step->u.assign.left))
    return NULL;
  TExpr *right = check_value(cx, step->u.assign.right);
  return step->u.assign.is_compound
             ? check_binary_values(cx, step->u.assign.op, old, right,
                                   step->span)
             : right;
}

static bool constexpr_for_step(Unrolled *u) {
  SemaContext *cx = u->cx;
  const Expr *step = u->stmt->u.loop.step;
  TExpr *next = step ? constexpr_next(u, step) : NULL;
  if (!next)
    return constexpr_refuse(cx, step ? step->span : u->stmt->u.loop.header,
                            "the step must assign its variable");
  next = convert_assign(cx, next, u->type, "step");
  if (expr_is_poison(next))
    return false;
  if (!expr_is_const(next)) {
    SEMA_ERROR(cx, step->span, not_constant, DS("the step of a constexpr for"));
    return false;
  }
  u->value = next->u.value;
  return true;
}

// --- turns ---

// `continue` leaves a turn as it leaves a loop of one turn.
static TStmt *constexpr_turn(Unrolled *u) {
  SemaContext *cx = u->cx;
  Jump jump = {
      .outer = cx->body->jump, .kind = JUMP_TURN, .construct = "constexpr for"};
  cx->body->jump = &jump;
  TStmt *body = check_block(cx, u->stmt->u.loop.body);
  cx->body->jump = jump.outer;
  if (!jump.is_left)
    return body;
  TStmt *once = build_stmt(cx, TSTMT_LOOP, u->stmt->span);
  once->u.loop.is_post_tested = true;
  once->u.loop.condition =
      build_int(cx, sema_basic(cx, TY_BOOL), 0, u->stmt->span);
  once->u.loop.body = body;
  return once;
}

// Bodies of loops inside one another multiply.
static bool constexpr_is_small(const Unrolled *u, uint32_t n_turns) {
  SemaContext *cx = u->cx;
  Span header = u->stmt->u.loop.header;
  if (n_turns >= MAX_TURNS)
    return constexpr_refuse(
        cx, header, sema_format(cx, "it has more than %d turns", MAX_TURNS));
  if (cx->n_exprs > MAX_EXPRS)
    return constexpr_refuse(
        cx, header,
        sema_format(cx, "the kernel would have more than %d operations",
                    MAX_EXPRS));
  return true;
}

TStmt *check_constexpr_for(SemaContext *cx, const Stmt *stmt) {
  Unrolled u = {.cx = cx, .stmt = stmt};
  StmtBuilder turns = {0};
  bool goes_on = constexpr_counter(&u);
  for (uint32_t n = 0; goes_on; n++) {
    sema_scope_push(cx, &cx->body->scope);
    constexpr_for_declare(&u);
    bool is_good = constexpr_goes_on(&u, &goes_on) &&
                   (!goes_on || constexpr_is_small(&u, n));
    if (is_good && goes_on) {
      uint32_t errors = cx->n_errors;
      TStmt *turn = constexpr_turn(&u);
      if (turn)
        VEC_PUSH(cx->arena, &turns.list, turn);
      is_good = cx->n_errors == errors && constexpr_for_step(&u);
    }
    sema_scope_pop(cx, &cx->body->scope);
    goes_on &= is_good;
  }
  return build_block(cx, &turns, stmt->span);
}
