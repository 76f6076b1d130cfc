// SPDX-License-Identifier: Apache-2.0
// Variables of the file, and their members, in host code: what the function
// that launches gave them last, or their declaration, where nothing else in the
// file changes them and the file is a program by itself.
#include "cuda/host/cu_host.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parser.h"

// The value of `int n = 64;`.
static CxTokens global_value_at(const CxParser *cx, uint32_t pos) {
  uint32_t end = pos + 2;
  while (end < cx->limit && cx_kind_at(cx, end) != CX_TOK_SEMICOLON &&
         cx_kind_at(cx, end) != CX_TOK_COMMA)
    end++;
  return (CxTokens){pos + 2, end};
}

typedef struct {
  bool is_found, is_changed; // declared in the file; outside of the function
  CxTokens value;            // what the declaration gives; empty: nothing
} GlobalUses;

static void global_note(const CxUnit *unit, const CxPlace *place, uint32_t pos,
                        bool is_outside, GlobalUses *out) {
  const CxParser *cx = unit->parser;
  bool is_declared =
      is_outside && cx_is_named(cx, pos, place->name) &&
      (cx_declares_at(cx, pos) || cx_kind_at(cx, pos - 1) == CX_TOK_COMMA);
  out->is_found |= is_declared;
  if (!cx_writes_place(cx, place, pos))
    return;
  bool is_first = is_declared && cx_kind_at(cx, pos + 1) == CX_TOK_EQ &&
                  out->value.end == 0 && place->n_members == 0;
  out->is_changed |= !is_first;
  if (is_first)
    out->value = global_value_at(cx, pos);
}

static GlobalUses global_find_uses(const CuHostReader *reader,
                                   const CxPlace *place) {
  const CxUnit *unit = reader->cu->tree;
  const CxParser *cx = unit->parser;
  CxTokens body = reader->launch->function->u.function.body;
  GlobalUses out = {0};
  uint32_t depth = 0;
  for (uint32_t pos = 1; pos + 1 < cx->limit && !out.is_changed; pos++) {
    unsigned kind = cx_kind_at(cx, pos);
    depth += kind == CX_TOK_LBRACE;
    depth -= kind == CX_TOK_RBRACE && depth > 0;
    if (kind == CX_TOK_IDENT && (pos < body.begin || pos >= body.end))
      global_note(unit, place, pos, depth == 0, &out);
  }
  return out;
}

const CuHost *cu_host_global(CuHostReader *reader, const CxPlace *place) {
  if (reader->frame || !cx_has_main(reader->cu->tree))
    return NULL;
  CxWrite write = cu_host_write(reader, place, NULL);
  if (write.kind == CX_WRITE_OTHER ||
      (write.kind == CX_WRITE_VALUE && write.n_members != place->n_members))
    return NULL;
  GlobalUses uses = global_find_uses(reader, place);
  if (!uses.is_found || uses.is_changed)
    return NULL;
  CxTokens value = write.kind == CX_WRITE_VALUE ? write.value : uses.value;
  if (value.end == value.begin)
    return NULL;
  const CuHost *term =
      cu_host_follow(reader, cu_host_parse(reader, value), write.at);
  return write.kind == CX_WRITE_VALUE || (term && term->kind == CU_HOST_NUMBER)
             ? term
             : NULL;
}
