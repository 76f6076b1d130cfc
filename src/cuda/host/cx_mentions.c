// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cx_mentions.h"

#include "cuda/host/cx_writes.h"
#include "cxx/cx_parser.h"

#include <string.h>

bool cx_next_mention(const CxUnit *unit, const char *name, uint32_t *at) {
  const CxParser *cx = unit->parser;
  const CxToken *tokens = cx->lexed.tokens.data;
  for (uint32_t pos = *at; pos + 1 < cx->limit; pos++) {
    if (tokens[pos].kind != CX_TOK_IDENT || tokens[pos].u.name != name)
      continue;
    unsigned next = tokens[pos + 1].kind;
    if (next != CX_TOK_LT && next != CX_TOK_LPAREN)
      continue;
    *at = pos;
    return true;
  }
  return false;
}

CxDecl *cx_function_at(const CxUnit *unit, uint32_t at) {
  const CxParser *cx = unit->parser;
  uint32_t low = 0, high = cx->bodies.count;
  while (low < high) { // the first that ends behind it
    uint32_t middle = low + (high - low) / 2;
    if (cx->bodies.data[middle]->u.function.body.end > at)
      high = middle;
    else
      low = middle + 1;
  }
  CxDecl *found = low < cx->bodies.count ? cx->bodies.data[low] : NULL;
  return found && found->u.function.body.begin <= at ? found : NULL;
}

bool cx_has_main(const CxUnit *unit) {
  const CxParser *cx = unit->parser;
  for (uint32_t i = 0; i < cx->bodies.count; i++)
    if (cx->bodies.data[i]->name &&
        strcmp(cx->bodies.data[i]->name, "main") == 0)
      return true;
  return false;
}

bool cx_is_for_devices(const CxDecl *function) {
  return (function->specs & (CX_SPEC_DEVICE | CX_SPEC_GLOBAL)) &&
         !(function->specs & CX_SPEC_HOST);
}

// f(x), f(…, x), &x, p = x
static bool mentions_is_passed_on(const CxToken *at) {
  unsigned before = at[-1].kind;
  return at[1].kind != CX_TOK_LBRACKET &&
         (before == CX_TOK_LPAREN || before == CX_TOK_COMMA ||
          before == CX_TOK_AMP || before == CX_TOK_EQ ||
          before == CX_TOK_LBRACE);
}

bool cx_host_may_write(const CxUnit *unit, const char *name) {
  const CxParser *cx = unit->parser;
  const CxToken *tokens = cx->lexed.tokens.data;
  for (uint32_t pos = 1; pos + 1 < cx->limit; pos++) {
    if (tokens[pos].kind != CX_TOK_IDENT || tokens[pos].u.name != name)
      continue;
    const CxDecl *function = cx_function_at(unit, pos);
    uint32_t specs = function ? function->specs : 0;
    bool is_device = specs & (CX_SPEC_DEVICE | CX_SPEC_GLOBAL);
    bool is_host = function && !is_device;
    bool is_only_device = is_device && !(specs & CX_SPEC_HOST);
    if (is_host || (!is_only_device && mentions_is_passed_on(&tokens[pos])))
      return true;
  }
  return false;
}

static CxScope *mentions_scope_of(CxParser *cx, const CxDecl *function) {
  return function ? cx_body_scope(cx, function) : cx->file_scope;
}

const CxName *cx_name_at(CxUnit *unit, CxDecl *function, uint32_t at,
                         uint32_t *behind) {
  CxParser *cx = unit->parser;
  if (!cx_looks_like_args(cx, at + 1, behind))
    return NULL;
  CxOutside outside =
      cx_begin(cx, mentions_scope_of(cx, function), (CxTokens){at, *behind});
  const CxName *name = cx_parse_name(cx, true, NULL);
  bool is_whole = cx_at(cx, CX_TOK_EOF);
  return cx_end(cx, &outside) || !is_whole ? NULL : name;
}

bool cx_arguments_at(const CxUnit *unit, uint32_t at, CxTokens *out) {
  const CxParser *cx = unit->parser;
  if (cx_kind_at(cx, at) != CX_TOK_LPAREN)
    return false;
  *out = (CxTokens){at + 1, cx_behind_brackets(cx, at) - 1};
  return true;
}

const CxExpr *cx_parse_part(CxUnit *unit, CxDecl *function, CxTokens tokens) {
  CxParser *cx = unit->parser;
  if (tokens.begin >= tokens.end)
    return NULL;
  CxOutside outside = cx_begin(cx, mentions_scope_of(cx, function), tokens);
  const CxExpr *expr = cx_parse_expr(cx);
  bool is_whole = cx_at(cx, CX_TOK_EOF);
  return cx_end(cx, &outside) || !is_whole ? NULL : expr;
}

// ------------------------------------------------------------ declarations

// Where the statement, or the part of a for, that holds the token begins.
static uint32_t mentions_begin_of_statement(const CxParser *cx, uint32_t at,
                                            uint32_t first) {
  while (at > first) {
    unsigned kind = cx_kind_at(cx, at - 1);
    if (cx_ends_statement(kind) || kind == CX_TOK_LPAREN)
      return at;
    bool is_closer = kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET;
    at = is_closer && cx->tokens[at - 1].u.match < at
             ? cx->tokens[at - 1].u.match
             : at - 1;
  }
  return first;
}

// What no declarator's name stands behind is not even parsed.
static bool may_declare(const CxParser *cx, uint32_t pos) {
  unsigned before = cx_kind_at(cx, pos - 1), next = cx_kind_at(cx, pos + 1);
  bool is_first = cx_ends_statement(before) || before == CX_TOK_LPAREN;
  bool is_used = before == CX_TOK_EQ || before == CX_TOK_DOT ||
                 before == CX_TOK_ARROW || before == CX_TOK_COLON_COLON ||
                 before == CX_TOK_RETURN;
  return !is_first && !is_used &&
         (next == CX_TOK_EQ || next == CX_TOK_SEMICOLON ||
          next == CX_TOK_COMMA || next == CX_TOK_LPAREN ||
          next == CX_TOK_LBRACE || next == CX_TOK_LBRACKET);
}

static CxDecl *declared(CxParser *cx, CxDecl *function, uint32_t begin,
                        const char *name) {
  CxTokens tokens = {begin, function->u.function.body.end};
  CxOutside outside = cx_begin(cx, cx_body_scope(cx, function), tokens);
  CxDeclVec out = {0};
  if (cx_at_declaration(cx))
    cx_parse_block_declaration(cx, &out);
  bool is_wrong = cx_end(cx, &outside) != NULL;
  for (uint32_t i = 0; i < out.count && !is_wrong; i++) {
    unsigned kind = out.data[i]->kind;
    bool is_local = kind == CX_DECL_VAR || kind == CX_DECL_ALIAS;
    if (is_local && out.data[i]->name == name)
      return out.data[i];
  }
  return NULL;
}

CxDecl *cx_find_local(CxUnit *unit, CxDecl *function, const char *name,
                      uint32_t at) {
  CxParser *cx = unit->parser;
  uint32_t first = function->u.function.body.begin + 1;
  for (uint32_t pos = at; pos > first; pos--) {
    if (!cx_is_named(cx, pos - 1, name) || !may_declare(cx, pos - 1) ||
        !cx_is_inside(unit, pos, at))
      continue;
    CxDecl *found = declared(
        cx, function, mentions_begin_of_statement(cx, pos - 1, first), name);
    if (found)
      return found;
  }
  return NULL;
}

// The first token of the file that doesn't begin before the byte. (Tokens of
// texts stand behind them, in no order.)
static uint32_t token_at(const CxParser *cx, uint32_t byte) {
  uint32_t low = 0, high = cx->lexed.n_main;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (cx->tokens[middle].begin >= byte)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

CxTokens cx_tokens_of(const CxUnit *unit, Span span) {
  return (CxTokens){token_at(unit->parser, span.begin),
                    token_at(unit->parser, span.end)};
}

uint32_t cx_names_in(const CxUnit *unit, CxTokens tokens, uint32_t most,
                     const char **names) {
  const CxParser *cx = unit->parser;
  uint32_t n = 0;
  for (uint32_t pos = tokens.begin; pos < tokens.end && n < most; pos++) {
    unsigned before = cx_kind_at(cx, pos - 1);
    if (cx_kind_at(cx, pos) != CX_TOK_IDENT || before == CX_TOK_DOT ||
        before == CX_TOK_ARROW || before == CX_TOK_COLON_COLON)
      continue;
    const char *name = cx->tokens[pos].u.name;
    bool is_new = true;
    for (uint32_t i = 0; i < n; i++)
      is_new = is_new && names[i] != name;
    if (is_new)
      names[n++] = name;
  }
  return n;
}
