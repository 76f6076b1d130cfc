// SPDX-License-Identifier: Apache-2.0
// Text in, tree or messages out, for the tests of this folder.
#ifndef HD_TESTS_PARSE_TEXT_H
#define HD_TESTS_PARSE_TEXT_H

#include "syntax/lexer.h"
#include "syntax/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Arena *arena;
  DiagEngine *diags;
  AstUnit *unit;
  char *text; // ends where its memory ends, so that ASan sees a read behind it
} Parsed;

static inline SourceText *source_of(Parsed *out, const char *text, size_t n) {
  out->arena = arena_new();
  out->diags = diag_engine_new(out->arena, 0);
  out->text = malloc(n + 1);
  memcpy(out->text, text, n);
  out->text[n] = '\0';
  SourceText *source = source_new(out->arena, "t.hd", out->text, n, false);
  diag_engine_set_source(out->diags, source);
  return source;
}

static inline Parsed parse_bytes(const char *text, size_t n) {
  Parsed out;
  SourceText *source = source_of(&out, text, n);
  out.unit = parse_unit(out.arena, intern_new(out.arena), out.diags, source);
  return out;
}

static inline Parsed parse_text(const char *text) {
  return parse_bytes(text, strlen(text));
}

static inline void parsed_free(Parsed *parsed) {
  arena_free(parsed->arena);
  free(parsed->text);
}

// "HD0201@1:5 HD0303@2:1", in order; lives as long as `parsed`.
static inline const char *codes_of(const Parsed *parsed) {
  uint32_t count;
  Text out = {.arena = parsed->arena};
  const Diag *const *list = diag_list(parsed->diags, &count);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&out, "%s%s@%u:%u", i ? " " : "", diag_code(list[i]->id),
                list[i]->place.line, list[i]->place.col);
  return text_cstr(&out);
}

static inline const char *printed(const Parsed *parsed) {
  Text out = {.arena = parsed->arena};
  ast_print(parsed->unit, &out);
  return text_cstr(&out);
}

#endif
