// SPDX-License-Identifier: Apache-2.0
#include "syntax/number.h"
#include "syntax/parser.h"

static Expr *parse_number_make_int(Parser *cx, Span span,
                                   const NumberValue *number) {
  Expr *expr = new_expr(cx, EXPR_INT, span);
  expr->u.int_lit.value = number->value;
  expr->u.int_lit.base = number->base;
  expr->u.int_lit.n_longs = number->n_longs;
  expr->u.int_lit.is_unsigned = number->is_unsigned;
  return expr;
}

static Expr *parse_number_make_float(Parser *cx, Span span,
                                     const NumberValue *number) {
  Expr *expr = new_expr(cx, EXPR_FLOAT, span);
  expr->u.float_lit.value = number->float_value;
  expr->u.float_lit.digits = number->digits;
  expr->u.float_lit.suffix = number->suffix;
  return expr;
}

// number: integer suffix? | float suffix?
Expr *parse_number(Parser *cx) {
  Span span = cx->token.span;
  NumberValue number = number_read(
      cx->arena, source_text(cx->source) + span.begin, span.end - span.begin);
  parser_advance(cx);
  if (number.problem) {
    DIAG_REPORT(cx->diags, number.problem_id, parser_place(cx, span),
                DS(number.text), DS(number.problem));
    return new_expr(cx, EXPR_POISON, span);
  }
  return number.is_float ? parse_number_make_float(cx, span, &number)
                         : parse_number_make_int(cx, span, &number);
}
