// SPDX-License-Identifier: Apache-2.0
// Parsing on demand: the bodies of functions.
#include "base/panic.h"
#include "cxx/cx_parser.h"

void cx_declare_params(CxParser *cx, const CxType *type) {
  for (uint32_t i = 0; i < type->u.function.params.count; i++)
    cx_scope_declare(cx, cx->scope, type->u.function.params.data[i]->name,
                     CX_NAME_VALUE, NULL);
}

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
  scope->is_whole = true; // a comment before the kernel sees them, too
  cx->scope = scope;
  cx_declare_params(cx, function->type);
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

const CxBody *cx_parse_quietly(CxUnit *unit, CxDecl *function) {
  HD_ASSERT(function->kind == CX_DECL_FUNCTION &&
            function->u.function.has_body);
  CxBody *body = function->u.function.parsed;
  if (!body)
    body = function->u.function.parsed = parse_body(unit->parser, function);
  return body;
}

const CxBody *cx_parse_body(CxUnit *unit, CxDecl *function) {
  const CxBody *body = cx_parse_quietly(unit, function);
  cx_report_problems(unit, body->problems);
  return body;
}
