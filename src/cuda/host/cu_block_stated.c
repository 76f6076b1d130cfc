// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_block_stated.h"

#include "base/bits.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cxx/cx_parse.h"
#include "cxx/cx_shape.h"

#include <math.h>
#include <string.h>

// Candidates of an axis are its guess, powers of two and the constants of the
// conditions; if they name this axis alone, all sizes. What is beyond these
// limits is not looked at.
enum { MOST_TERMS = 64, MOST_CONDITIONS = 16 };

enum { MOST_X = 1024, MOST_Z = 64, WARP = 32 };

typedef enum { TERM_NUMBER, TERM_AXIS, TERM_NOT, TERM_POWER, TERM_OP } TermKind;

typedef struct {
  TermKind kind;
  BinaryOp op;     // OP
  int left, right; // terms; NOT and POWER have a left one
  int64_t value;   // NUMBER; the number of the AXIS
} Term;

typedef struct {
  int64_t values[MOST_X + 1];
  int count;
} Candidates;

typedef struct {
  CuContext *cu;
  CxDecl *kernel;
  CuScope *scope;
  Term terms[MOST_TERMS];
  int n_terms;
  int conditions[MOST_CONDITIONS];
  int n_conditions;
  bool names[3]; // axes that a condition names
} Stated;

// ------------------------------------------------------------------- terms

static const char *single_name(const CxExpr *expr) {
  return expr->kind == CX_EXPR_NAME && expr->u.name->n_parts == 1
             ? expr->u.name->parts[0].name
             : NULL;
}

static bool block_stated_is_name(const CxExpr *expr, const char *word) {
  const char *name = single_name(expr);
  return name && strcmp(name, word) == 0;
}

// Of `blockDim.x`; -1: it isn't that.
static int axis_of(const CxExpr *expr) {
  if (expr->kind != CX_EXPR_MEMBER || expr->u.member.is_arrow ||
      !block_stated_is_name(expr->u.member.base, "blockDim") ||
      expr->u.member.name->n_parts != 1)
    return -1;
  const char *name = expr->u.member.name->parts[0].name;
  bool is_axis = name && name[0] >= 'x' && name[0] <= 'z' && !name[1];
  return is_axis ? name[0] - 'x' : -1;
}

static bool block_stated_is_param(const Stated *s, const char *name) {
  const CxDeclList *params = &s->kernel->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name && strcmp(params->data[i]->name, name) == 0)
      return true;
  return false;
}

static int block_stated_add_term(Stated *s, Term term) {
  if (s->n_terms == MOST_TERMS)
    return -1;
  s->terms[s->n_terms] = term;
  return s->n_terms++;
}

static int constant_term(Stated *s, const CxExpr *expr) {
  const char *name = single_name(expr);
  if (name && block_stated_is_param(s, name))
    return -1;
  CuScope *before = cu_set_scope(s->cu, s->scope);
  CuConst constant = cu_try_constant(s->cu, expr).constant;
  cu_set_scope(s->cu, before);
  return constant.kind == CU_CONST_INT
             ? block_stated_add_term(
                   s, (Term){.kind = TERM_NUMBER, .value = constant.i})
             : -1;
}

static int term_of(Stated *s, const CxExpr *expr);

static int unary_term(Stated *s, TermKind kind, const CxExpr *operand) {
  int left = term_of(s, operand);
  return left < 0
             ? -1
             : block_stated_add_term(s, (Term){.kind = kind, .left = left});
}

static int binary_term(Stated *s, const CxExpr *expr) {
  Term term = {.kind = TERM_OP, .op = expr->u.binary.op};
  term.left = term_of(s, expr->u.binary.left);
  term.right = term.left < 0 ? -1 : term_of(s, expr->u.binary.right);
  return term.right < 0 ? -1 : block_stated_add_term(s, term);
}

// -1: what it says isn't about blockDim and constants alone.
static int term_of(Stated *s, const CxExpr *expr) {
  int axis = axis_of(expr);
  if (axis >= 0) {
    s->names[axis] = true;
    return block_stated_add_term(s, (Term){.kind = TERM_AXIS, .value = axis});
  }
  if (expr->kind == CX_EXPR_BINARY)
    return binary_term(s, expr);
  if (expr->kind == CX_EXPR_CAST)
    return term_of(s, expr->u.cast.operand);
  if (expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_NOT)
    return unary_term(s, TERM_NOT, expr->u.unary.operand);
  if (expr->kind == CX_EXPR_CALL &&
      block_stated_is_name(expr->u.call.callee, "__is_pow2") &&
      expr->u.call.args.count == 1)
    return unary_term(s, TERM_POWER, expr->u.call.args.data[0]);
  return constant_term(s, expr);
}

// -------------------------------------------------------------- conditions

static void block_stated_add_condition(Stated *s, const CxExpr *expr) {
  if (expr->kind == CX_EXPR_BINARY && expr->u.binary.op == BINARY_LOG_AND) {
    block_stated_add_condition(s, expr->u.binary.left);
    block_stated_add_condition(s, expr->u.binary.right);
    return;
  }
  bool names[3];
  int n_terms = s->n_terms;
  memcpy(names, s->names, sizeof names);
  int term = term_of(s, expr);
  if (term >= 0 && s->n_conditions < MOST_CONDITIONS) {
    s->conditions[s->n_conditions++] = term;
    return;
  }
  s->n_terms = n_terms;
  memcpy(s->names, names, sizeof names);
}

static void block_stated_add_tokens(Stated *s, CxTokens tokens) {
  const char *why = NULL;
  Span span = cx_tokens_span(s->cu->tree, tokens);
  // What names no blockDim is not even parsed.
  if (!cx_tokens_have(s->cu->tree, tokens, "blockDim"))
    return;
  const char *text =
      arena_strndup(s->cu->arena, source_text(s->cu->source) + span.begin,
                    span.end - span.begin);
  const CxExpr *expr = cx_parse_text(s->cu->tree, s->kernel, text, span, &why);
  if (expr)
    block_stated_add_condition(s, expr);
}

static void find_conditions(Stated *s) {
  CxTokens found[CX_MOST_CONDITIONS];
  uint32_t count = cx_find_conditions(s->cu->tree, s->kernel, found);
  for (uint32_t i = 0; i < count; i++)
    block_stated_add_tokens(s, found[i]);
}

// -------------------------------------------------------------- evaluation

static bool block_stated_operate(BinaryOp op, int64_t a, int64_t b,
                                 int64_t *out) {
  bool divides = b > 0;
  switch ((int)op) {
  case BINARY_ADD: return !__builtin_add_overflow(a, b, out);
  case BINARY_SUB: return !__builtin_sub_overflow(a, b, out);
  case BINARY_MUL: return !__builtin_mul_overflow(a, b, out);
  case BINARY_DIV: *out = divides ? a / b : 0; return divides;
  case BINARY_REM: *out = divides ? a % b : 0; return divides;
  case BINARY_BIT_AND: *out = a & b; return true;
  case BINARY_EQ: *out = a == b; return true;
  case BINARY_NE: *out = a != b; return true;
  case BINARY_LT: *out = a < b; return true;
  case BINARY_LE: *out = a <= b; return true;
  case BINARY_GT: *out = a > b; return true;
  case BINARY_GE: *out = a >= b; return true;
  case BINARY_LOG_AND: *out = a && b; return true;
  case BINARY_LOG_OR: *out = a || b; return true;
  default: return false;
  }
}

// False: it isn't known.
static bool block_stated_evaluate(const Stated *s, int index,
                                  const int64_t block[3], int64_t *out) {
  const Term *term = &s->terms[index];
  int64_t left = 0, right = 0;
  if (term->kind == TERM_NUMBER || term->kind == TERM_AXIS) {
    *out = term->kind == TERM_AXIS ? block[term->value] : term->value;
    return true;
  }
  if (!block_stated_evaluate(s, term->left, block, &left))
    return false;
  if (term->kind == TERM_OP)
    return block_stated_evaluate(s, term->right, block, &right) &&
           block_stated_operate(term->op, left, right, out);
  *out = term->kind == TERM_NOT ? !left : left == 0 || is_power_of_two(left);
  return true;
}

static bool block_stated_holds(const Stated *s, const int64_t block[3]) {
  for (int i = 0; i < s->n_conditions; i++) {
    int64_t value = 0;
    if (block_stated_evaluate(s, s->conditions[i], block, &value) && !value)
      return false;
  }
  return true;
}

// ------------------------------------------------------------------ search

static void block_stated_add_candidate(Candidates *to, int64_t value,
                                       int64_t most) {
  if (value < 1 || value > most)
    return;
  for (int i = 0; i < to->count; i++)
    if (to->values[i] == value)
      return;
  to->values[to->count++] = value;
}

static void block_stated_find_candidates(const Stated *s, int axis,
                                         uint32_t guess, Candidates *out) {
  int64_t most = axis == 2 ? MOST_Z : MOST_X;
  bool is_only = s->names[0] + s->names[1] + s->names[2] == 1;
  out->count = 0;
  block_stated_add_candidate(out, guess, most);
  if (guess == 1 && !s->names[axis])
    return;
  if (is_only && s->names[axis]) {
    for (int64_t value = 1; value <= most; value++)
      block_stated_add_candidate(out, value, most);
    return;
  }
  for (int64_t power = 1; power <= most; power *= 2)
    block_stated_add_candidate(out, power, most);
  for (int i = 0; i < s->n_terms; i++)
    if (s->terms[i].kind == TERM_NUMBER)
      block_stated_add_candidate(out, s->terms[i].value, most);
}

// Steps by two away, and one if warps aren't whole.
static double block_stated_distance(const int64_t block[3],
                                    const uint32_t from[3]) {
  double sum = block[0] * block[1] * block[2] % WARP ? 1 : 0;
  for (int i = 0; i < 3; i++)
    sum += fabs(log2((double)block[i] / from[i]));
  return sum;
}

static bool find_nearest(const Stated *s, uint32_t most,
                         const uint32_t guess[3], uint32_t nearest[3]) {
  Candidates axes[3];
  double least = INFINITY;
  for (int axis = 0; axis < 3; axis++)
    block_stated_find_candidates(s, axis, guess[axis], &axes[axis]);
  for (int i = 0; i < axes[0].count; i++) {
    for (int j = 0; j < axes[1].count; j++) {
      for (int k = 0; k < axes[2].count; k++) {
        const int64_t block[3] = {axes[0].values[i], axes[1].values[j],
                                  axes[2].values[k]};
        double far = block_stated_distance(block, guess);
        if (far >= least || block[0] * block[1] * block[2] > most ||
            !block_stated_holds(s, block))
          continue;
        least = far;
        for (int axis = 0; axis < 3; axis++)
          nearest[axis] = (uint32_t)block[axis];
      }
    }
  }
  return least < INFINITY;
}

bool cu_stated_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                     uint32_t most, uint32_t block[3]) {
  Stated s = {.cu = cu, .kernel = (CxDecl *)(uintptr_t)kernel, .scope = scope};
  uint32_t nearest[3];
  find_conditions(&s);
  if (s.n_conditions == 0 || !find_nearest(&s, most, block, nearest) ||
      memcmp(nearest, block, sizeof nearest) == 0)
    return false;
  memcpy(block, nearest, sizeof nearest);
  return true;
}
