// SPDX-License-Identifier: Apache-2.0
// What stands outside of a kernel's body is evaluated exactly, in integers that
// don't wrap: types matter there only where a value may be negative.
#include "convert/convert_tidy.h"

static bool tidy_clause_is_integer(int type) {
  return type >= BUILTIN_INT && type <= BUILTIN_ULLONG;
}

static bool tidy_clause_is_number(const Expr *expr, uint64_t value) {
  return expr->kind == EXPR_INT && expr->u.int_lit.value == value;
}

static bool tidy_clause_is_binary(const Expr *expr, BinaryOp op) {
  return expr->kind == EXPR_BINARY && expr->u.binary.op == op;
}

static bool tidy_clause_is_same_name(const Expr *a, const Expr *b) {
  return a->kind == EXPR_NAME && b->kind == EXPR_NAME && a->u.name == b->u.name;
}

// `a + (by - 1)`: gives a.
static Expr *tidy_rounded_up(Expr *sum, const Expr *by) {
  if (tidy_clause_is_binary(sum, BINARY_ADD) && by->kind == EXPR_INT &&
      tidy_clause_is_number(sum->u.binary.right, by->u.int_lit.value - 1))
    return sum->u.binary.left;
  bool is_named =
      tidy_clause_is_binary(sum, BINARY_SUB) &&
      tidy_clause_is_number(sum->u.binary.right, 1) &&
      tidy_clause_is_binary(sum->u.binary.left, BINARY_ADD) &&
      tidy_clause_is_same_name(sum->u.binary.left->u.binary.right, by);
  return is_named ? sum->u.binary.left->u.binary.left : NULL;
}

// (n + 127) / 128 and (n + b - 1) / b of sizes are cdiv(n, b).
static void make_cdiv(Tidy *tidy, Expr *expr) {
  Expr *by = expr->u.binary.right;
  Expr *size = tidy_clause_is_binary(expr, BINARY_DIV)
                   ? tidy_rounded_up(expr->u.binary.left, by)
                   : NULL;
  const char *name = intern_cstr(tidy->names, "cdiv");
  if (!size || tidy_is_declared(tidy, name) ||
      map_has(&tidy->locals, MAP_KEY(name)))
    return;
  Expr *callee = ARENA_NEW(tidy->arena, Expr);
  *callee = (Expr){.kind = EXPR_NAME,
                   .id = ++tidy->unit->n_nodes,
                   .span = expr->span,
                   .depth = 1,
                   .u.name = name};
  expr->kind = EXPR_CALL;
  expr->u.call.callee = callee;
  expr->u.call.args.data = ARENA_ARRAY(tidy->arena, Expr *, 2);
  expr->u.call.args.data[0] = size;
  expr->u.call.args.data[1] = by;
  expr->u.call.args.count = 2;
}

static void tidy_clause_visit(Tidy *tidy, Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_INT:
    expr->u.int_lit.is_unsigned = false;
    expr->u.int_lit.n_longs = 0;
    return;
  case EXPR_CAST:
    tidy_clause_visit(tidy, expr->u.cast.operand);
    if (tidy_clause_is_integer(tidy_builtin(expr->u.cast.type)) &&
        tidy_type(tidy, expr->u.cast.operand) >= 0 &&
        tidy_clause_is_integer(tidy_type(tidy, expr->u.cast.operand)) &&
        tidy_is_natural(tidy, expr->u.cast.operand))
      *expr = *expr->u.cast.operand;
    return;
  case EXPR_UNARY: tidy_clause_visit(tidy, expr->u.unary.operand); return;
  case EXPR_BINARY:
    tidy_clause_visit(tidy, expr->u.binary.left);
    tidy_clause_visit(tidy, expr->u.binary.right);
    make_cdiv(tidy, expr);
    return;
  case EXPR_CONDITIONAL:
    tidy_clause_visit(tidy, expr->u.conditional.condition);
    tidy_clause_visit(tidy, expr->u.conditional.if_true);
    tidy_clause_visit(tidy, expr->u.conditional.if_false);
    return;
  case EXPR_CALL:
    for (uint32_t i = 0; i < expr->u.call.args.count; i++)
      tidy_clause_visit(tidy, expr->u.call.args.data[i]);
    return;
  default: return;
  }
}

void tidy_clauses(Tidy *tidy, const Decl *kernel) {
  const ClauseList *clauses = &kernel->u.function.clauses;
  const DeclList *params = &kernel->type->u.function.params;
  for (uint32_t i = 0; i < clauses->count; i++)
    for (uint32_t k = 0; k < clauses->data[i].args.count; k++)
      tidy_clause_visit(tidy, clauses->data[i].args.data[k]);
  for (uint32_t i = 0; i < params->count; i++) {
    const TypeSyntax *type = params->data[i]->type;
    if (type && type->kind == TYPE_ARRAY && type->u.array.extent)
      tidy_clause_visit(tidy, type->u.array.extent);
  }
}
