// SPDX-License-Identifier: Apache-2.0
// What is not understood: where it ends, and which names it may declare.
#include "cxx/cx_parser.h"

static bool skip_is_closer(CxTokenKind kind) {
  return kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET ||
         kind == CX_TOK_RBRACE;
}

static bool skip_is_opener(CxTokenKind kind) {
  return kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
         kind == CX_TOK_LBRACE;
}

// A declaration ends at its `;`, or behind braces that no initialiser, no type
// and no member initialiser of a constructor has.
typedef struct {
  bool is_type;  // struct, union, class, enum came
  bool has_init; // `=` came
  bool in_member_inits;
} Skip;

static bool ends_behind_braces(CxParser *cx, const Skip *skip) {
  if (skip->has_init || skip->is_type)
    return false;
  return !skip->in_member_inits ||
         !(cx_at(cx, CX_TOK_COMMA) || cx_at(cx, CX_TOK_LBRACE));
}

static void note_skipped(CxParser *cx, Skip *skip, CxTokenKind last) {
  switch ((int)cx->kind) {
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
  case CX_TOK_ENUM: skip->is_type = skip->is_type || last != CX_TOK_LT; break;
  case CX_TOK_EQ: skip->has_init = last != CX_TOK_OPERATOR; break;
  case CX_TOK_COLON: skip->in_member_inits |= last == CX_TOK_RPAREN; break;
  case CX_TOK_LPAREN: skip->is_type = false; break; // a result's struct S
  default: break;
  }
}

void cx_skip_declaration(CxParser *cx, uint32_t begin) {
  Skip skip = {0};
  CxTokenKind last = CX_TOK_EOF;
  cx_end_panic(cx);
  cx_go_to(cx, begin);
  while (!cx_at(cx, CX_TOK_EOF)) {
    CxTokenKind kind = cx->kind;
    if (skip_is_closer(kind))
      break;
    note_skipped(cx, &skip, last);
    last = kind;
    if (skip_is_opener(kind)) {
      bool is_closed =
          cx->tokens[cx->pos].u.match < cx->limit &&
          skip_is_closer(
              (CxTokenKind)cx->tokens[cx->tokens[cx->pos].u.match].kind);
      cx_skip_brackets(cx);
      if (!is_closed)
        break;
      last = (CxTokenKind)(kind + 1);
    } else {
      cx_advance(cx);
    }
    if (kind == CX_TOK_SEMICOLON)
      break;
    if (kind == CX_TOK_LBRACE && ends_behind_braces(cx, &skip)) {
      cx_accept(cx, CX_TOK_SEMICOLON);
      break;
    }
  }
  if (cx->pos == begin)
    cx_advance(cx); // a stray bracket
}

static bool names_something(unsigned before, unsigned after) {
  switch (before) {
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
  case CX_TOK_ENUM:
  case CX_TOK_USING:
  case CX_TOK_NAMESPACE: return true;
  default: break;
  }
  return after == CX_TOK_LPAREN || after == CX_TOK_EQ ||
         after == CX_TOK_SEMICOLON || after == CX_TOK_COMMA ||
         after == CX_TOK_LBRACKET || after == CX_TOK_LBRACE;
}

static void find_names(CxParser *cx, CxDecl *decl) {
  enum { MAX_NAMES = 16 };

  hd_vec(const char *) names = {0};
  CxTokens range = decl->u.unknown.tokens;
  unsigned before = CX_TOK_EOF;
  for (uint32_t at = range.begin; at < range.end;) {
    const CxToken *token = &cx->tokens[at];
    unsigned after = at + 1 < cx->limit ? cx->tokens[at + 1].kind : CX_TOK_EOF;
    if (token->kind == CX_TOK_IDENT && names_something(before, after) &&
        names.count < MAX_NAMES)
      VEC_PUSH(cx->arena, &names, token->u.name);
    before = token->kind;
    at = skip_is_opener((CxTokenKind)token->kind) ? cx_behind_brackets(cx, at)
                                                  : at + 1;
  }
  decl->u.unknown.names = names.data;
  decl->u.unknown.n_names = names.count;
}

CxDecl *cx_unknown_decl(CxParser *cx, uint32_t begin, CxProblem *problems) {
  const CxToken *first = &cx->tokens[begin];
  CxDecl *decl =
      cx_new_decl(cx, CX_DECL_UNKNOWN, (Span){first->begin, first->end});
  uint32_t end = cx->pos;
  decl->u.unknown.tokens = (CxTokens){begin, end};
  decl->u.unknown.problem = problems;
  if (end > begin)
    decl->span = (Span){first->begin, cx->tokens[end - 1].end};
  find_names(cx, decl);
  VEC_PUSH(cx->arena, &cx->unknowns, decl);
  return decl;
}
