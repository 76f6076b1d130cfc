// SPDX-License-Identifier: Apache-2.0
// Linear integers with quotients and remainders by constants, choices and
// tables as functions. Products and bit operations are unknown integers of
// which Z3 is told ranges and lemmas: an UNSAT holds, a model must be checked.
#include "check/solve/z3_parts.h"

#ifdef HD_HAVE_Z3

#include <stdio.h>

// 2^x is spelled out for this many x.
#define MAX_POWERS 32

static Z3_ast z3_linear_encode(Z3Question *q, const Term *term);

static Z3_ast z3_linear_compare(Z3Question *q, Z3_ast a, int64_t b,
                                bool is_le) {
  Z3_context c = q->z3->context;
  Z3_ast number = z3_number(q, b);
  return z3_hold(q, is_le ? Z3_mk_le(c, a, number) : Z3_mk_ge(c, a, number));
}

static void assert_range(Z3Question *q, Z3_ast ast, TermRange range) {
  if (!term_is_open(range.low))
    z3_assert(q, z3_linear_compare(q, ast, range.low, false));
  if (!term_is_open(range.high))
    z3_assert(q, z3_linear_compare(q, ast, range.high, true));
}

static void assert_power_of_two(Z3Question *q, Z3_ast ast,
                                const Symbol *symbol) {
  Z3_context c = q->z3->context;
  Z3_ast equal[63];
  unsigned n = 0;
  for (int i = 0; i < 63; i++) {
    int64_t power = (int64_t)1 << i;
    if (power >= symbol->low && power <= symbol->high)
      equal[n++] = z3_hold(q, Z3_mk_eq(c, ast, z3_number(q, power)));
  }
  z3_assert(q, z3_hold(q, Z3_mk_or(c, n, equal)));
}

// Any integer in the term's interval.
static Z3_ast z3_linear_opaque(Z3Question *q, const Term *term) {
  Z3_ast ast = z3_constant(q, term);
  assert_range(q, ast, term_range(term));
  if (term->symbol && term->symbol->is_power_of_two)
    assert_power_of_two(q, ast, term->symbol);
  return ast;
}

static Z3_ast z3_linear_encode_sum(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast *parts = ARENA_ARRAY(q->query->arena, Z3_ast, term->n_parts + 1);
  for (uint32_t i = 0; i < term->n_parts; i++) {
    Z3_ast atom = z3_linear_encode(q, term->parts[i].atom);
    if (!atom)
      return NULL;
    Z3_ast factors[2] = {z3_number(q, term->parts[i].coefficient), atom};
    parts[i] = z3_hold(q, Z3_mk_mul(c, 2, factors));
  }
  parts[term->n_parts] = z3_number(q, term->number);
  return z3_hold(q, Z3_mk_add(c, term->n_parts + 1, parts));
}

static Z3_ast z3_linear_encode_quotient(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  int64_t b;
  if (!term_is_constant(term->args[1], &b) || b < 1)
    return z3_linear_opaque(q, term);
  Z3_ast a = z3_linear_encode(q, term->args[0]), divisor = z3_number(q, b);
  if (!a)
    return NULL;
  return z3_hold(q, term->kind == TERM_DIV ? Z3_mk_div(c, a, divisor)
                                           : Z3_mk_mod(c, a, divisor));
}

static Z3_ast encode_power(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  TermRange range = term_range(term->args[1]);
  Z3_ast exponent = z3_linear_encode(q, term->args[1]);
  if (!exponent || range.low < 0 || range.high > 62 ||
      range.high - range.low >= MAX_POWERS)
    return z3_linear_opaque(q, term);
  Z3_ast power = z3_number(q, (int64_t)1 << range.high);
  for (int64_t x = range.high - 1; x >= range.low; x--) {
    Z3_ast is_x = z3_hold(q, Z3_mk_eq(c, exponent, z3_number(q, x)));
    power =
        z3_hold(q, Z3_mk_ite(c, is_x, z3_number(q, (int64_t)1 << x), power));
  }
  return power;
}

static Z3_ast z3_linear_encode_choice(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast args[3] = {NULL};
  for (uint32_t i = 0; i < term->n_args; i++)
    if (!(args[i] = z3_linear_encode(q, term->args[i])))
      return NULL;
  if (term->kind == TERM_ITE)
    return z3_hold(q, Z3_mk_ite(c, args[0], args[1], args[2]));
  Z3_ast is_le = z3_hold(q, Z3_mk_le(c, args[0], args[1]));
  return z3_hold(q, term->kind == TERM_MIN
                        ? Z3_mk_ite(c, is_le, args[0], args[1])
                        : Z3_mk_ite(c, is_le, args[1], args[0]));
}

static Z3_ast encode_apply(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_sort integer = Z3_mk_int_sort(c), sorts[IR_MAX_RANK];
  Z3_ast args[IR_MAX_RANK];
  if (term->n_args > IR_MAX_RANK || term->n_args == 0)
    return z3_linear_opaque(q, term);
  for (uint32_t i = 0; i < term->n_args; i++) {
    sorts[i] = integer;
    if (!(args[i] = z3_linear_encode(q, term->args[i])))
      return NULL;
  }
  // Named by the object; constants are named by numbers.
  char name[32];
  snprintf(name, sizeof name, "table%u_%u", term->object ? term->object->id : 0,
           term->n_args);
  Z3_func_decl table = Z3_mk_func_decl(c, Z3_mk_string_symbol(c, name),
                                       term->n_args, sorts, integer);
  z3_hold(q, Z3_func_decl_to_ast(c, table));
  return z3_hold(q, Z3_mk_app(c, table, term->n_args, args));
}

static Z3_ast z3_linear_encode_comparison(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  Z3_ast sum = z3_linear_encode(q, term->args[0]);
  if (!sum)
    return NULL;
  Z3_ast zero = z3_number(q, 0);
  return z3_hold(q, term->kind == TERM_LE ? Z3_mk_le(c, sum, zero)
                                          : Z3_mk_eq(c, sum, zero));
}

static Z3_ast z3_linear_encode_kind(Z3Question *q, const Term *term) {
  switch (term->kind) {
  case TERM_SUM: return z3_linear_encode_sum(q, term);
  case TERM_DIV:
  case TERM_MOD: return z3_linear_encode_quotient(q, term);
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE: return z3_linear_encode_choice(q, term);
  case TERM_SHL: return encode_power(q, term);
  case TERM_APPLY: return encode_apply(q, term);
  case TERM_LE:
  case TERM_EQ: return z3_linear_encode_comparison(q, term);
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: return z3_junction(q, term, z3_linear_encode);
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHR: break;
  }
  return z3_linear_opaque(q, term);
}

static Z3_ast z3_linear_encode(Z3Question *q, const Term *term) {
  Z3_ast ast = z3_known(q, term);
  if (!ast && (ast = z3_linear_encode_kind(q, term)))
    z3_remember(q, term, ast);
  return ast;
}

static bool is_opaque(const Term *term) {
  return term->kind == TERM_MUL || term->kind == TERM_AND ||
         term->kind == TERM_OR || term->kind == TERM_XOR;
}

static SolveStatus z3_linear_solve(Query *query, TermModel *model) {
  Z3Question q;
  if (!z3_begin(&q, query, 0))
    return SOLVE_UNKNOWN;
  for (uint32_t i = 0; i < query->all.count; i++)
    z3_assert(&q, z3_linear_encode(&q, query->all.data[i]));
  TermList lemmas = {0};
  if (query_has(query, is_opaque))
    solve_lemmas(query, NULL, 0, &lemmas);
  for (uint32_t i = 0; i < lemmas.count; i++)
    z3_assert(&q, z3_linear_encode(&q, lemmas.data[i]));
  SolveStatus status = z3_check(&q, model);
  z3_end(&q);
  return status;
}

SolveStatus z3_solve_linear(Query *query, TermModel *model) {
  return z3_ask(query, model, z3_linear_solve);
}

#endif
