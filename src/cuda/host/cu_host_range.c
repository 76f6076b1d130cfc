// SPDX-License-Identifier: Apache-2.0
// What numbers of host code are multiples of, and how small they may be: what
// can be said of a padded size, `(n + 63) / 64 * 64`, to a kernel that isn't
// told n.
#include "cuda/host/cu_host.h"

#include "cuda/host/cx_guards.h"

#include <stdlib.h>

static int64_t host_range_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t cu_host_factor(const CuHost *term) {
  int64_t a, b, product;
  switch ((int)term->kind) {
  case CU_HOST_NUMBER:
    return term->number < -INT64_MAX ? 1 : llabs(term->number);
  case CU_HOST_MUL:
    a = cu_host_factor(term->a);
    b = cu_host_factor(term->b);
    return __builtin_mul_overflow(a, b, &product) ? 1 : product;
  case CU_HOST_ADD:
  case CU_HOST_SUB:
  case CU_HOST_MIN:
  case CU_HOST_MAX:
    return host_range_gcd(cu_host_factor(term->a), cu_host_factor(term->b));
  default: return 1;
  }
}

static bool least_of_sum(const CuHostLeasts *leasts, const CuHost *term,
                         int64_t *out) {
  int64_t a, b;
  if (!cu_host_least(leasts, term->a, &a))
    return false;
  if (term->kind == CU_HOST_SUB)
    return term->b->kind == CU_HOST_NUMBER &&
           !__builtin_sub_overflow(a, term->b->number, out);
  return cu_host_least(leasts, term->b, &b) &&
         !__builtin_add_overflow(a, b, out);
}

static bool least_of_quotient(const CuHostLeasts *leasts, const CuHost *term,
                              int64_t *out) {
  int64_t a;
  int64_t by = term->b->kind == CU_HOST_NUMBER ? term->b->number : 0;
  if (by < 1 || !cu_host_least(leasts, term->a, &a) || a < 0)
    return false;
  *out = a / by + (term->kind == CU_HOST_CDIV && a % by != 0);
  return true;
}

static bool least_of_product(const CuHostLeasts *leasts, const CuHost *term,
                             int64_t *out) {
  int64_t a, b;
  return cu_host_least(leasts, term->a, &a) &&
         cu_host_least(leasts, term->b, &b) && a >= 0 && b >= 0 &&
         !__builtin_mul_overflow(a, b, out);
}

static bool least_of_rest(const CuHostLeasts *leasts, const CuHost *term,
                          int64_t *out) {
  int64_t a;
  *out = 0;
  return cu_host_least(leasts, term->a, &a) && a >= 0;
}

bool cu_host_most(const CuHost *term, int64_t *out) {
  int64_t a = 0, b = 0;
  bool has_a, has_b;
  switch ((int)term->kind) {
  case CU_HOST_NUMBER: *out = term->number; return true;
  case CU_HOST_REM:
    *out = term->b->kind == CU_HOST_NUMBER ? term->b->number - 1 : -1;
    return *out >= 0;
  case CU_HOST_MIN:
    has_a = cu_host_most(term->a, &a);
    has_b = cu_host_most(term->b, &b);
    *out = has_a && (!has_b || a < b) ? a : b;
    return has_a || has_b;
  default: return false;
  }
}

bool cu_host_least(const CuHostLeasts *leasts, const CuHost *term,
                   int64_t *out) {
  int64_t a = 0, b = 0;
  bool has_a, has_b;
  switch (term->kind) {
  case CU_HOST_NUMBER: *out = term->number; return true;
  case CU_HOST_VARIABLE:
    for (uint32_t i = 0; i < leasts->count; i++) {
      *out = leasts->data[i].least;
      if (leasts->data[i].name == term->name)
        return true;
    }
    return false;
  case CU_HOST_ADD:
  case CU_HOST_SUB: return least_of_sum(leasts, term, out);
  case CU_HOST_MUL: return least_of_product(leasts, term, out);
  case CU_HOST_DIV:
  case CU_HOST_CDIV: return least_of_quotient(leasts, term, out);
  case CU_HOST_REM: return least_of_rest(leasts, term, out);
  case CU_HOST_SHL: return false;
  case CU_HOST_MIN:
    if (!cu_host_least(leasts, term->a, &a) ||
        !cu_host_least(leasts, term->b, &b))
      return false;
    *out = a < b ? a : b;
    return true;
  case CU_HOST_MAX:
    has_a = cu_host_least(leasts, term->a, &a);
    has_b = cu_host_least(leasts, term->b, &b);
    *out = has_a && (!has_b || a > b) ? a : b;
    return has_a || has_b;
  }
  return false;
}

// -------------------------------------------------------------- conditions

static void note_least(const CuHostReader *reader, CuHostLeasts *out,
                       const CuHost *a, BinaryOp op, const CuHost *b) {
  if (a->kind != CU_HOST_VARIABLE || b->kind != CU_HOST_NUMBER ||
      (op != BINARY_GE && op != BINARY_GT && op != BINARY_EQ) ||
      b->number == INT64_MAX)
    return;
  CuHostLeast least = {a->name, b->number + (op == BINARY_GT)};
  VEC_PUSH(reader->cu->arena, out, least);
}

static BinaryOp host_range_opposite(BinaryOp op) {
  switch ((int)op) {
  case BINARY_LT: return BINARY_GE;
  case BINARY_GE: return BINARY_LT;
  case BINARY_GT: return BINARY_LE;
  case BINARY_LE: return BINARY_GT;
  case BINARY_EQ: return BINARY_NE;
  default: return BINARY_EQ;
  }
}

// The same with the sides exchanged.
static BinaryOp host_range_mirrored(BinaryOp op) {
  switch ((int)op) {
  case BINARY_LT: return BINARY_GT;
  case BINARY_LE: return BINARY_GE;
  case BINARY_GT: return BINARY_LT;
  case BINARY_GE: return BINARY_LE;
  default: return op;
  }
}

static void find_least(CuHostReader *reader, CuHostLeasts *out,
                       const CxExpr *expr, bool is_false, uint32_t depth) {
  enum { MOST_DEPTH = 16 };

  if (depth > MOST_DEPTH)
    return;
  if (expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_NOT)
    find_least(reader, out, expr->u.unary.operand, !is_false, depth + 1);
  if (expr->kind != CX_EXPR_BINARY)
    return;
  BinaryOp op = expr->u.binary.op;
  if (op == (is_false ? BINARY_LOG_OR : BINARY_LOG_AND)) {
    find_least(reader, out, expr->u.binary.left, is_false, depth + 1);
    find_least(reader, out, expr->u.binary.right, is_false, depth + 1);
  }
  if (op < BINARY_LT || op > BINARY_NE)
    return;
  const CuHost *a = cu_host_term(reader, expr->u.binary.left);
  const CuHost *b = cu_host_term(reader, expr->u.binary.right);
  op = is_false ? host_range_opposite(op) : op;
  if (!a || !b)
    return;
  note_least(reader, out, a, op, b);
  note_least(reader, out, b, host_range_mirrored(op), a);
}

void cu_host_find_leasts(CuHostReader *reader, CuHostLeasts *out) {
  const CxLaunch *launch = reader->launch;
  CxGuards guards = {0};
  cx_find_guards(reader->cu->tree, launch->function, launch->at, &guards);
  for (uint32_t i = 0; i < guards.count; i++) {
    const CxGuard *guard = &guards.data[i];
    bool is_plain = !guard->counter && guard->label.begin == guard->label.end;
    CxTokens tokens = is_plain       ? guard->condition
                      : guard->grows ? guard->first
                                     : (CxTokens){0, 0};
    const CxExpr *expr = cu_host_parse(reader, tokens);
    if (expr && is_plain)
      find_least(reader, out, expr, guard->is_false, 0);
    const CuHost *first = expr && !is_plain ? cu_host_term(reader, expr) : NULL;
    if (first)
      note_least(reader, out, cu_host_variable(reader->cu, guard->counter),
                 BINARY_GE, first);
  }
}
