// SPDX-License-Identifier: Apache-2.0
// Bit vectors, for bit operations and small products. The width is chosen so
// that by the intervals of the terms no value of any part needs more: then
// nothing wraps, and the answer is one for integers. What has no such intervals
// isn't asked.
#include "check/solve/z3_parts.h"

#ifdef HD_HAVE_Z3

#define MAX_WIDTH 64

// What isn't decided in this time rarely is later.
#define MAX_MS 120

// Products and quotients of symbols are hopeless with more bits, or with many
// of them: each becomes some 9 gates for each pair of bits, and these memory.
#define MAX_PRODUCT_WIDTH 40
#define MAX_PRODUCT_PAIRS 6144

// ----------------------------------------------------------------------- width

typedef struct {
  Wide magnitude;     // of the largest value of any part
  const Term *open;   // a term without ends
  bool has_hard_part; // bits, products: else Z3's integers are as good
} Width;

// Of one condition at a time: what has no ends or is too wide is left out.
typedef struct {
  Wide magnitude;
  bool has_hard_part;
  TermList conditions;
} Fitting;

static Wide z3_bits_largest(TermRange range) {
  Wide low = range.low, high = range.high;
  low = low < 0 ? -low : low;
  high = high < 0 ? -high : high;
  return low > high ? low : high;
}

static void note_magnitude(Width *width, Wide magnitude) {
  if (magnitude > width->magnitude)
    width->magnitude = magnitude;
}

static const Wide TOO_LARGE = (Wide)1 << MAX_WIDTH;

// Sums and products are computed step by step: every step counts.
static void measure_sum(Width *width, const Term *term) {
  Wide sum = z3_bits_largest((TermRange){term->number, term->number});
  for (uint32_t i = 0; i < term->n_parts; i++) {
    int64_t c = term->parts[i].coefficient;
    Wide part = z3_bits_largest((TermRange){c, c}) *
                z3_bits_largest(term_range(term->parts[i].atom));
    sum += part > TOO_LARGE ? TOO_LARGE : part;
    note_magnitude(width, z3_bits_largest((TermRange){c, c}));
  }
  note_magnitude(width, sum);
}

static void measure_product(Width *width, const Term *term) {
  Wide product = 1;
  for (uint32_t i = 0; i < term->n_args; i++) {
    product *= z3_bits_largest(term_range(term->args[i]));
    product = product > TOO_LARGE ? TOO_LARGE : product;
    note_magnitude(width, product);
  }
}

static bool is_hard(const Term *term) {
  int64_t number;
  switch (term->kind) {
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL: return true;
  case TERM_DIV:
  case TERM_MOD: return !term_is_constant(term->args[1], &number);
  case TERM_SYMBOL: return term->symbol->is_power_of_two;
  case TERM_SUM:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  return false;
}

static void z3_bits_measure(const Term *term, void *context) {
  Width *width = context;
  if (!term_is_int(term))
    return;
  width->has_hard_part = width->has_hard_part || is_hard(term);
  TermRange range = term_range(term);
  if (term_is_open(range.low) || term_is_open(range.high)) {
    if (!width->open || width->open->kind != TERM_SYMBOL)
      width->open = term;
    return;
  }
  note_magnitude(width, z3_bits_largest(range));
  if (term->kind == TERM_SUM)
    measure_sum(width, term);
  else if (term->kind == TERM_MUL)
    measure_product(width, term);
}

static bool z3_bits_is_product(const Term *term) {
  int64_t number;
  return term->kind == TERM_MUL ||
         ((term->kind == TERM_DIV || term->kind == TERM_MOD) &&
          !term_is_constant(term->args[1], &number));
}

static void count_product(const Term *term, void *context) {
  unsigned *n = context;
  if (z3_bits_is_product(term))
    *n += term->n_args - 1;
}

static bool has_hopeless_products(const Query *query, unsigned n_bits) {
  unsigned n = 0;
  query_each(query, count_product, &n);
  return n > 0 && (n_bits > MAX_PRODUCT_WIDTH ||
                   n > MAX_PRODUCT_PAIRS / (n_bits * n_bits));
}

static void leave_out(Query *query, const Term *open) {
  Text text = {.arena = query->solver->arena};
  text_add(&text, open ? "no bounds of " : "products of more than 64 bits");
  if (open)
    term_print(open, &text);
  solve_set_reason(query->solver, text_cstr(&text));
}

// Bits that hold every part of the conditions that fit, with its sign and, for
// negative quotients, one more; 0: it isn't worth it. (Fewer conditions can't
// make an UNSAT wrong, and a model is checked against all.)
static unsigned choose_width(Query *query, Fitting *fitting) {
  fitting->magnitude = 64;
  for (uint32_t i = 0; i < query->all.count; i++) {
    Width width = {.magnitude = 1};
    term_each(query->all.data[i], ++query->table->stamp, z3_bits_measure,
              &width);
    if (width.open || width.magnitude >= (Wide)1 << (MAX_WIDTH - 4)) {
      leave_out(query, width.open);
      continue;
    }
    if (width.magnitude > fitting->magnitude)
      fitting->magnitude = width.magnitude;
    fitting->has_hard_part = fitting->has_hard_part || width.has_hard_part;
    VEC_PUSH(query->arena, &fitting->conditions, query->all.data[i]);
  }
  if (!fitting->has_hard_part)
    return 0;
  unsigned n_bits = 3;
  for (Wide rest = fitting->magnitude; rest > 0; rest /= 2)
    n_bits++;
  if (has_hopeless_products(query, n_bits)) {
    solve_set_reason(query->solver, solve_inexact_reason(query));
    return 0;
  }
  return n_bits;
}

// -------------------------------------------------------------------- encoding

static Z3_ast z3_bits_encode(Z3Question *q, const Term *term);

static Z3_ast encode_symbol(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast ast = z3_constant(q, term);
  const Symbol *symbol = term->symbol;
  z3_assert(q, z3_hold(q, Z3_mk_bvsle(c, z3_number(q, symbol->low), ast)));
  z3_assert(q, z3_hold(q, Z3_mk_bvsle(c, ast, z3_number(q, symbol->high))));
  if (symbol->is_power_of_two) {
    Z3_ast less = z3_hold(q, Z3_mk_bvsub(c, ast, z3_number(q, 1)));
    Z3_ast common = z3_hold(q, Z3_mk_bvand(c, ast, less));
    z3_assert(q, z3_hold(q, Z3_mk_eq(c, common, z3_number(q, 0))));
  }
  return ast;
}

static Z3_ast z3_bits_encode_sum(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast sum = z3_number(q, term->number);
  for (uint32_t i = 0; i < term->n_parts; i++) {
    Z3_ast atom = z3_bits_encode(q, term->parts[i].atom);
    if (!atom)
      return NULL;
    Z3_ast factor = z3_number(q, term->parts[i].coefficient);
    Z3_ast part = z3_hold(q, Z3_mk_bvmul(c, factor, atom));
    sum = z3_hold(q, Z3_mk_bvadd(c, sum, part));
  }
  return sum;
}

static Z3_ast encode_product(Z3Question *q, const Term *term) {
  Z3_ast product = z3_bits_encode(q, term->args[0]);
  for (uint32_t i = 1; i < term->n_args && product; i++) {
    Z3_ast factor = z3_bits_encode(q, term->args[i]);
    product = factor ? z3_hold(q, Z3_mk_bvmul(q->z3->context, product, factor))
                     : NULL;
  }
  return product;
}

// bvsmod has the divisor's sign: for a positive one it is ours.
static Z3_ast z3_bits_encode_quotient(Z3Question *q, const Term *term, Z3_ast a,
                                      Z3_ast b) {
  Z3_context c = q->z3->context;
  Z3_ast rest = z3_hold(q, Z3_mk_bvsmod(c, a, b));
  if (term->kind == TERM_MOD)
    return rest;
  Z3_ast multiple = z3_hold(q, Z3_mk_bvsub(c, a, rest));
  return z3_hold(q, Z3_mk_bvsdiv(c, multiple, b));
}

static Z3_ast encode_pair(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast a = z3_bits_encode(q, term->args[0]);
  Z3_ast b = a ? z3_bits_encode(q, term->args[1]) : NULL;
  if (!b)
    return NULL;
  Z3_ast is_le = NULL;
  switch ((int)term->kind) {
  case TERM_AND: return z3_hold(q, Z3_mk_bvand(c, a, b));
  case TERM_OR: return z3_hold(q, Z3_mk_bvor(c, a, b));
  case TERM_XOR: return z3_hold(q, Z3_mk_bvxor(c, a, b));
  case TERM_SHL: return z3_hold(q, Z3_mk_bvshl(c, a, b));
  case TERM_MIN:
  case TERM_MAX:
    is_le = z3_hold(q, Z3_mk_bvsle(c, a, b));
    return z3_hold(q, term->kind == TERM_MIN ? Z3_mk_ite(c, is_le, a, b)
                                             : Z3_mk_ite(c, is_le, b, a));
  default: return z3_bits_encode_quotient(q, term, a, b);
  }
}

static Z3_ast encode_choice(Z3Question *q, const Term *term) {
  Z3_ast condition = z3_bits_encode(q, term->args[0]);
  Z3_ast a = condition ? z3_bits_encode(q, term->args[1]) : NULL;
  Z3_ast b = a ? z3_bits_encode(q, term->args[2]) : NULL;
  return b ? z3_hold(q, Z3_mk_ite(q->z3->context, condition, a, b)) : NULL;
}

static Z3_ast encode_comparison(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast sum = z3_bits_encode(q, term->args[0]), zero = z3_number(q, 0);
  if (!sum)
    return NULL;
  return z3_hold(q, term->kind == TERM_LE ? Z3_mk_bvsle(c, sum, zero)
                                          : Z3_mk_eq(c, sum, zero));
}

static Z3_ast encode_kind(Z3Question *q, const Term *term) {
  switch (term->kind) {
  case TERM_SUM: return z3_bits_encode_sum(q, term);
  case TERM_SYMBOL: return encode_symbol(q, term);
  case TERM_MUL: return encode_product(q, term);
  case TERM_DIV:
  case TERM_MOD:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL: return encode_pair(q, term);
  case TERM_ITE: return encode_choice(q, term);
  case TERM_LE:
  case TERM_EQ: return encode_comparison(q, term);
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: return z3_junction(q, term, z3_bits_encode);
  case TERM_SHR:
  case TERM_APPLY: break; // has no ends: choose_width refused
  }
  return NULL;
}

static Z3_ast z3_bits_encode(Z3Question *q, const Term *term) {
  Z3_ast ast = z3_known(q, term);
  if (!ast && (ast = encode_kind(q, term)))
    z3_remember(q, term, ast);
  return ast;
}

static SolveStatus z3_bits_solve(Query *query, TermModel *model) {
  Fitting fitting = {.magnitude = 0};
  unsigned width = choose_width(query, &fitting);
  Z3Question q;
  if (!width || !z3_begin(&q, query, width))
    return SOLVE_UNKNOWN;
  z3_limit_ms(&q, MAX_MS);
  for (uint32_t i = 0; i < fitting.conditions.count; i++)
    z3_assert(&q, z3_bits_encode(&q, fitting.conditions.data[i]));
  SolveStatus status = z3_check(&q, model);
  z3_end(&q);
  return status;
}

SolveStatus z3_solve_bits(Query *query, TermModel *model) {
  return z3_ask(query, model, z3_bits_solve);
}

#endif
