// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cx_writes.h"

#include "cuda/host/cx_guards.h"
#include "cuda/host/cx_host.h"
#include "cxx/cx_parser.h"

// ------------------------------------------------------------------ blocks

bool cx_is_inside(const CxUnit *unit, uint32_t from, uint32_t at) {
  const CxParser *cx = unit->parser;
  uint32_t depth = 0;
  for (uint32_t pos = from; pos < at; pos++) {
    unsigned kind = cx_kind_at(cx, pos);
    depth += kind == CX_TOK_LBRACE;
    if (kind == CX_TOK_RBRACE && depth-- == 0)
      return false;
  }
  return true;
}

// Labels of a switch between them, in a block that both stand in.
static bool writes_has_label(const CxParser *cx, uint32_t from, uint32_t at) {
  uint32_t depth = 0;
  for (uint32_t pos = from; pos < at; pos++) {
    unsigned kind = cx_kind_at(cx, pos);
    depth += kind == CX_TOK_LBRACE;
    depth -= kind == CX_TOK_RBRACE;
    if (depth == 0 && (kind == CX_TOK_CASE || kind == CX_TOK_DEFAULT))
      return true;
  }
  return false;
}

// Longer chains of assignments aren't followed.
enum { MOST_CHAINED = 16 };

// Where a.y = b.z = x.w, of which x stands at `pos`, begins.
static uint32_t begin_of_chain(const CxParser *cx, uint32_t pos) {
  for (int i = 0; i < MOST_CHAINED && cx_kind_at(cx, pos - 1) == CX_TOK_EQ &&
                  cx_kind_at(cx, pos - 2) == CX_TOK_IDENT;
       i++) {
    pos -= 2;
    while (cx_kind_at(cx, pos - 1) == CX_TOK_DOT &&
           cx_kind_at(cx, pos - 2) == CX_TOK_IDENT)
      pos -= 2;
  }
  return pos;
}

static bool is_axis(const CxParser *cx, uint32_t pos) {
  const char *name =
      cx_kind_at(cx, pos) == CX_TOK_IDENT ? cx->tokens[pos].u.name : "";
  return name[0] >= 'x' && name[0] <= 'z' && !name[1];
}

// Behind `b.z = c.grid.x = ` at `pos`: sizes, which pass the value on as it is.
static uint32_t behind_chain(const CxParser *cx, uint32_t pos) {
  for (int i = 0; i < MOST_CHAINED; i++) {
    uint32_t at = pos + 1;
    while (cx_kind_at(cx, at) == CX_TOK_DOT &&
           cx_kind_at(cx, at + 1) == CX_TOK_IDENT)
      at += 2;
    bool is_size = cx_kind_at(cx, pos) == CX_TOK_IDENT && at > pos + 1 &&
                   is_axis(cx, at - 1) && cx_kind_at(cx, at) == CX_TOK_EQ;
    if (!is_size)
      break;
    pos = at + 1;
  }
  return pos;
}

bool cx_is_always_done(const CxUnit *unit, uint32_t statement, uint32_t at) {
  statement = begin_of_chain(unit->parser, statement);
  return cx_ends_statement(cx_kind_at(unit->parser, statement - 1)) &&
         cx_is_inside(unit, statement, at) &&
         !writes_has_label(unit->parser, statement, at);
}

// ------------------------------------------------------------------ writes

// What stands at `pos` is the place, something around it or in it.
static bool is_of_place(const CxParser *cx, const CxPlace *place,
                        uint32_t pos) {
  if (!cx_is_named(cx, pos, place->name))
    return false;
  for (uint32_t i = 0; i < place->n_members; i++) {
    if (cx_kind_at(cx, pos + 1) != CX_TOK_DOT)
      return true;
    if (!cx_is_named(cx, pos + 2, place->members[i]))
      return false;
    pos += 2;
  }
  return true;
}

bool cx_writes_place(const CxParser *cx, const CxPlace *place, uint32_t pos) {
  return is_of_place(cx, place, pos) && cx_changes_at(cx, pos);
}

// place = value;
static CxWrite read_write(const CxUnit *unit, const CxPlace *place,
                          uint32_t pos, uint32_t at) {
  const CxParser *cx = unit->parser;
  CxWrite write = {.kind = CX_WRITE_OTHER, .at = pos};
  uint32_t behind = pos + 1;
  while (write.n_members < place->n_members &&
         cx_kind_at(cx, behind) == CX_TOK_DOT) {
    behind += 2;
    write.n_members++;
  }
  if (cx_kind_at(cx, behind) != CX_TOK_EQ || !cx_is_always_done(unit, pos, at))
    return write;
  uint32_t begin = behind_chain(cx, behind + 1), end = begin;
  while (end < at && cx_kind_at(cx, end) != CX_TOK_SEMICOLON) {
    unsigned kind = cx_kind_at(cx, end);
    if (kind == CX_TOK_EQ || kind == CX_TOK_COMMA || kind == CX_TOK_RPAREN)
      return write;
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACE ||
                 kind == CX_TOK_LBRACKET;
    end = opens ? cx_behind_brackets(cx, end) : end + 1;
  }
  write.value = (CxTokens){begin, end};
  if (end < at)
    write.kind = CX_WRITE_VALUE;
  return write;
}

// const int n = f(m); nothing changes what was declared so, once.
static bool is_const(const CxParser *cx, const CxDecl *function,
                     const CxPlace *place) {
  CxTokens body = function->u.function.body;
  const CxDeclList *params = &function->type->u.function.params;
  uint32_t found = 0;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == place->name)
      return false;
  for (uint32_t pos = body.begin + 1; pos < body.end; pos++) {
    if (!cx_is_named(cx, pos, place->name) || !cx_declares_at(cx, pos))
      continue;
    if (found)
      return false;
    found = pos;
  }
  while (found > body.begin && !cx_ends_statement(cx_kind_at(cx, found - 1)) &&
         cx_kind_at(cx, found - 1) != CX_TOK_LPAREN)
    if (cx_kind_at(cx, --found) == CX_TOK_CONST ||
        cx_kind_at(cx, found) == CX_TOK_CONSTEXPR)
      return true;
  return false;
}

static bool is_written(const CxParser *cx, const CxPlace *place,
                       CxTokens tokens) {
  for (uint32_t pos = tokens.begin; pos < tokens.end; pos++)
    if (cx_writes_place(cx, place, pos))
      return true;
  return false;
}

bool cx_is_unchanged(const CxUnit *unit, const CxDecl *function,
                     const CxPlace *place, uint32_t from, uint32_t at) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  CxTokens range = {from,
                    place->is_first ? at : cx_behind_loops(unit, from, at)};
  if (is_const(cx, function, place))
    return !cx_is_declared_in(cx, range, place->name);
  if (cx_may_jump_to(cx, function, at))
    range = (CxTokens){body.begin + 1, body.end};
  return !is_written(cx, place, range) &&
         !cx_is_declared_in(cx, range, place->name) &&
         !cx_is_shared(cx, body, place->name);
}

bool cx_is_known_elsewhere(const CxUnit *unit, const CxDecl *function,
                           const CxPlace *place, uint32_t at) {
  const CxParser *cx = unit->parser;
  CxTokens range = function->u.function.body;
  if (!cx_may_jump_to(cx, function, at))
    range.end =
        place->is_first ? at : cx_behind_loops(unit, range.begin + 1, at);
  return cx_is_address_passed(cx, range, place->name);
}

CxWrite cx_last_write(const CxUnit *unit, const CxDecl *function,
                      const CxPlace *place, uint32_t from, uint32_t at) {
  const CxParser *cx = unit->parser;
  uint32_t first = function->u.function.body.begin + 1;
  CxWrite last = {.kind = CX_WRITE_NONE, .at = from ? from : first};
  if (from && is_const(cx, function, place))
    return last;
  for (uint32_t pos = from ? from + 1 : first; pos < at; pos++)
    if (cx_writes_place(cx, place, pos))
      last = read_write(unit, place, pos, at);
  uint32_t behind = last.kind == CX_WRITE_VALUE ? last.value.end : last.at + 1;
  if (last.kind != CX_WRITE_OTHER &&
      (cx_is_known_elsewhere(unit, function, place, at) ||
       !cx_is_unchanged(unit, function, place, behind, at)))
    last.kind = CX_WRITE_OTHER;
  return last;
}
