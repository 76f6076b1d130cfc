// SPDX-License-Identifier: Apache-2.0
// What follows the declarator of a function.
#include "cxx/cx_parser.h"

#include <string.h>

// Behind `:` of a constructor: up to the `{` of its body.
static void skip_member_inits(CxParser *cx) {
  cx_advance(cx);
  for (;;) {
    while (!cx_at(cx, CX_TOK_LPAREN) && !cx_at(cx, CX_TOK_LBRACE) &&
           !cx_at(cx, CX_TOK_SEMICOLON) && !cx_at(cx, CX_TOK_EOF) &&
           !cx->is_panicking)
      cx_advance(cx);
    if (!cx_at(cx, CX_TOK_LPAREN) && !cx_at(cx, CX_TOK_LBRACE))
      return;
    cx_skip_brackets(cx);
    cx_accept(cx, CX_TOK_ELLIPSIS);
    if (!cx_accept(cx, CX_TOK_COMMA))
      return;
  }
}

static void skip_handlers(CxParser *cx) {
  while (cx_accept(cx, CX_TOK_CATCH)) {
    if (cx_at(cx, CX_TOK_LPAREN))
      cx_skip_brackets(cx);
    if (cx_at(cx, CX_TOK_LBRACE))
      cx_skip_brackets(cx);
  }
}

static void take_body(CxParser *cx, CxDecl *decl) {
  bool has_handlers = cx_at(cx, CX_TOK_TRY);
  if (has_handlers) {
    cx_note_unsupported(decl, "exceptions", cx_span(cx));
    cx_advance(cx);
  }
  decl->u.function.body.begin = cx->pos;
  if (cx_at(cx, CX_TOK_COLON))
    skip_member_inits(cx);
  if (!cx_at(cx, CX_TOK_LBRACE)) {
    cx_expected(cx, "the body of the function");
    return;
  }
  cx_skip_brackets(cx);
  decl->u.function.body.end = cx->pos;
  decl->u.function.has_body = true;
  if (has_handlers)
    skip_handlers(cx);
  VEC_PUSH(cx->arena, &cx->bodies, decl);
  cx_scan_body(cx, decl);
}

// = default, = delete, = 0
static void parse_special_body(CxParser *cx, CxDecl *decl) {
  cx_advance(cx);
  if (cx_accept(cx, CX_TOK_DEFAULT)) {
    decl->u.function.is_defaulted = true;
  } else if (cx_accept(cx, CX_TOK_DELETE)) {
    decl->u.function.is_deleted = true;
  } else if (cx_at(cx, CX_TOK_NUMBER)) {
    decl->u.function.is_pure = true;
    cx_note_unsupported(decl, "virtual functions", cx_span(cx));
    cx_advance(cx);
  } else {
    cx_expected(cx, "'default', 'delete' or 0");
  }
}

void cx_add_annotation(CxParser *cx, CxDecl *function,
                       const CxAnnotation *annotation) {
  uint32_t n = function->u.function.n_annotations;
  CxAnnotation *all = ARENA_ARRAY(cx->arena, CxAnnotation, n + 1);
  if (n > 0)
    memcpy(all, function->u.function.annotations, n * sizeof(*all));
  all[n] = *annotation;
  function->u.function.annotations = all;
  function->u.function.n_annotations = n + 1;
}

// __requires(e) and its kin behind the parameters.
static bool parse_annotation(CxParser *cx, CxDecl *decl) {
  const char *word = cx_at(cx, CX_TOK_IDENT) ? cx_token(cx)->u.name : "";
  if (strncmp(word, "__", 2) != 0 || cx_peek(cx, 1) != CX_TOK_LPAREN)
    return false;
  Span begin = cx_span(cx);
  cx_advance(cx);
  CxAnnotation annotation = {.word = intern_cstr(cx->interner, word + 2)};
  annotation.tokens.begin = cx->pos + 1;
  cx_skip_brackets(cx);
  annotation.tokens.end = cx->pos - 1;
  annotation.span = cx_since(cx, begin);
  cx_add_annotation(cx, decl, &annotation);
  return true;
}

// What follows the declarator of a function. True: a body, so that no `;` is
// needed.
bool cx_parse_function_rest(CxParser *cx, CxDecl *decl) {
  for (;;) {
    if (cx_at_name(cx, cx->names.override) || cx_at_name(cx, cx->names.final)) {
      cx_note_unsupported(decl, "virtual functions", cx_span(cx));
      cx_advance(cx);
    } else if (!parse_annotation(cx, decl)) {
      break;
    }
  }
  if (cx_at(cx, CX_TOK_EQ)) {
    parse_special_body(cx, decl);
    return false;
  }
  bool has_body = cx_at(cx, CX_TOK_LBRACE) || cx_at(cx, CX_TOK_TRY) ||
                  cx_at(cx, CX_TOK_COLON);
  if (has_body)
    take_body(cx, decl);
  return has_body;
}
