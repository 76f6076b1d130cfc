// SPDX-License-Identifier: Apache-2.0
// Lambda expressions, and the bodies of functions.
#include "cuda/cx_parser.h"

static void declare_params(CxParser *cx, const CxType *type) {
  for (uint32_t i = 0; i < type->u.function.params.count; i++)
    cx_scope_declare(cx, cx->scope, type->u.function.params.data[i]->name,
                     CX_NAME_VALUE, NULL);
}

// --- Lambdas ---------------------------------------------------------------

// capture: "this" | "*" "this" | "&"? ident ("=" assignment)?
static CxCapture parse_capture(CxParser *cx) {
  CxCapture capture = {.span = cx_span(cx)};
  capture.is_reference = cx_accept(cx, CX_TOK_AMP);
  if (cx_at(cx, CX_TOK_STAR) && cx_peek(cx, 1) == CX_TOK_THIS)
    cx_advance(cx);
  if (cx_accept(cx, CX_TOK_THIS)) {
    capture.is_this = true;
  } else if (cx_at(cx, CX_TOK_IDENT)) {
    capture.name = cx_token(cx)->u.name;
    cx_advance(cx);
    if (cx_accept(cx, CX_TOK_EQ))
      capture.init = cx_parse_init_clause(cx);
    if (capture.init)
      cx_scope_declare(cx, cx->scope, capture.name, CX_NAME_VALUE, NULL);
    cx_accept(cx, CX_TOK_ELLIPSIS);
  } else {
    cx_expected(cx, "a capture");
  }
  capture.span = cx_since(cx, capture.span);
  return capture;
}

// captures: "[" ("=" | "&")? capture ("," capture)* "]"
static void parse_captures(CxParser *cx, CxExpr *expr) {
  hd_vec(CxCapture) captures = {0};
  uint32_t opener = cx->pos;
  cx_advance(cx);
  bool is_default =
      cx_peek(cx, 1) == CX_TOK_COMMA || cx_peek(cx, 1) == CX_TOK_RBRACKET;
  if (is_default && cx_at(cx, CX_TOK_EQ))
    expr->u.lambda.capture_default = CX_CAPTURE_COPY;
  else if (is_default && cx_at(cx, CX_TOK_AMP))
    expr->u.lambda.capture_default = CX_CAPTURE_REFERENCE;
  if (expr->u.lambda.capture_default != CX_CAPTURE_NONE) {
    cx_advance(cx);
    cx_accept(cx, CX_TOK_COMMA);
  }
  while (!cx_at(cx, CX_TOK_RBRACKET) && !cx->is_panicking) {
    CxCapture capture = parse_capture(cx);
    VEC_PUSH(cx->arena, &captures, capture);
    if (!cx_accept(cx, CX_TOK_COMMA))
      break;
  }
  cx_expect_close(cx, CX_TOK_RBRACKET, opener);
  expr->u.lambda.captures = captures.data;
  expr->u.lambda.n_captures = captures.count;
}

static void parse_lambda_type(CxParser *cx, CxExpr *expr) {
  CxType *type = cx_new_type(cx, CX_TYPE_FUNCTION, cx_span(cx));
  CxSpecs specs = {0};
  type->u.function.result = cx_new_type(cx, CX_TYPE_AUTO, cx_span(cx));
  expr->u.lambda.type = type;
  while (cx_parse_attribute(cx, &specs) || cx_accept(cx, CX_TOK_DEVICE) ||
         cx_accept(cx, CX_TOK_HOST)) {
  }
  if (cx_at(cx, CX_TOK_LPAREN))
    type->u.function.params =
        cx_parse_params(cx, &type->u.function.is_variadic);
  for (;;) {
    if (cx_accept(cx, CX_TOK_MUTABLE)) {
      expr->u.lambda.is_mutable = true;
    } else if (cx_accept(cx, CX_TOK_NOEXCEPT)) {
      if (cx_at(cx, CX_TOK_LPAREN))
        cx_skip_brackets(cx);
    } else if (!cx_accept(cx, CX_TOK_CONSTEXPR) &&
               !cx_accept(cx, CX_TOK_DEVICE) && !cx_accept(cx, CX_TOK_HOST) &&
               !cx_parse_attribute(cx, &specs)) {
      break;
    }
  }
  if (cx_accept(cx, CX_TOK_ARROW)) {
    type->u.function.has_trailing = true;
    type->u.function.result = cx_parse_type_id(cx);
  }
}

// lambda: captures params? (mutable | constexpr | noexcept | attribute)*
//         ("->" type-id)? compound
CxExpr *cx_parse_lambda(CxParser *cx) {
  Span begin = cx_span(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_LAMBDA, begin);
  CxScope *scope = cx->scope;
  bool no_gt = cx->no_gt;
  cx->no_gt = false;
  cx->scope = cx_scope_new(cx, CX_SCOPE_BLOCK, scope);
  parse_captures(cx, expr);
  if (cx_at(cx, CX_TOK_LT)) {
    cx_expected(cx, "the parameters of the lambda");
  } else if (!cx->is_panicking) {
    parse_lambda_type(cx, expr);
    declare_params(cx, expr->u.lambda.type);
  }
  if (cx_at(cx, CX_TOK_LBRACE))
    expr->u.lambda.body = cx_parse_compound(cx);
  else
    cx_expected(cx, "the body of the lambda");
  if (!expr->u.lambda.body)
    expr->kind = CX_EXPR_POISON;
  cx->scope = scope;
  cx->no_gt = no_gt;
  expr->span = cx_since(cx, begin);
  return expr;
}

// --- Bodies of functions ---------------------------------------------------

// member-init: name (arguments | init-list)
static CxMemberInit parse_member_init(CxParser *cx) {
  CxMemberInit init = {.span = cx_span(cx)};
  if (cx_at_name_start(cx))
    init.name = cx_parse_name(cx, true, NULL);
  init.is_braced = cx_at(cx, CX_TOK_LBRACE);
  if (!init.name)
    cx_expected(cx, "the name of a member or base");
  else if (init.is_braced)
    init.args = cx_parse_arguments(cx, CX_TOK_RBRACE, NULL);
  else if (cx_at(cx, CX_TOK_LPAREN))
    init.args = cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
  else
    cx_expected(cx, "'('");
  init.span = cx_since(cx, init.span);
  return init;
}

// member-inits: ":" member-init ("," member-init)*
static void parse_member_inits(CxParser *cx, CxBody *body) {
  hd_vec(CxMemberInit) inits = {0};
  if (!cx_accept(cx, CX_TOK_COLON))
    return;
  do {
    CxMemberInit init = parse_member_init(cx);
    VEC_PUSH(cx->arena, &inits, init);
  } while (cx_accept(cx, CX_TOK_COMMA));
  body->inits = inits.data;
  body->n_inits = inits.count;
}

CxOutside cx_begin(CxParser *cx, CxScope *scope, CxTokens tokens) {
  CxOutside out = {.pos = cx->pos,
                   .limit = cx->limit,
                   .last_end = cx->last_end,
                   .problems = cx->problems,
                   .scope = cx->scope};
  cx->tokens = cx->lexed.tokens.data;
  cx->problems = NULL;
  cx->reported_at = UINT32_MAX;
  cx->limit = tokens.end;
  cx->scope = scope;
  cx->no_gt = false;
  cx->nesting = 0;
  cx->tried = 0;
  cx_end_panic(cx);
  cx_go_to(cx, tokens.begin);
  return out;
}

CxProblem *cx_end(CxParser *cx, const CxOutside *outside) {
  CxProblem *problems = cx->problems;
  cx->problems = outside->problems;
  cx->limit = outside->limit;
  cx->last_end = outside->last_end;
  cx->scope = outside->scope;
  cx_end_panic(cx);
  cx_go_to(cx, outside->pos);
  return problems;
}

// Where the body of a function looks names up: its parameters first.
CxScope *cx_body_scope(CxParser *cx, const CxDecl *function) {
  CxScope *scope =
      cx_scope_new(cx, CX_SCOPE_BLOCK, function->u.function.inside);
  CxScope *outer = cx->scope;
  cx->scope = scope;
  declare_params(cx, function->type);
  cx->scope = outer;
  return scope;
}

static CxBody *parse_body(CxParser *cx, CxDecl *function) {
  CxBody *body = ARENA_NEW(cx->arena, CxBody);
  CxScope *scope = cx_body_scope(cx, function);
  CxOutside outside = cx_begin(cx, scope, function->u.function.body);
  parse_member_inits(cx, body);
  if (!cx_at(cx, CX_TOK_LBRACE)) {
    cx_expected(cx, "'{'");
    while (cx->pos < cx->limit && cx->tokens[cx->pos].kind != CX_TOK_LBRACE)
      cx->pos++;
    cx_end_panic(cx);
  }
  body->block = cx_parse_compound(cx);
  body->problems = cx_end(cx, &outside);
  body->has_errors = body->problems != NULL;
  return body;
}

const CxBody *cx_parse_body(CxUnit *unit, CxDecl *function) {
  CxBody *body = function->u.function.parsed;
  if (!body)
    body = function->u.function.parsed = parse_body(unit->parser, function);
  cx_report_problems(unit, body->problems);
  return body;
}
