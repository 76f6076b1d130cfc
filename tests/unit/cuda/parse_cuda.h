// SPDX-License-Identifier: Apache-2.0
// CUDA text in, tree or messages out, for the tests of this folder.
#ifndef HD_TESTS_PARSE_CUDA_H
#define HD_TESTS_PARSE_CUDA_H

#include "cxx/cx_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Arena *arena;
  DiagEngine *diags;
  CxUnit *unit;
  char *text; // ends where its memory ends, so that ASan sees a read behind it
} Parsed;

static inline Parsed parse_cuda(const char *text) {
  Parsed out = {.arena = arena_new()};
  size_t n = strlen(text);
  out.diags = diag_engine_new(out.arena, 0);
  out.text = malloc(n + 1);
  memcpy(out.text, text, n + 1);
  SourceText *source = source_new(out.arena, "t.cu", out.text, n, false);
  diag_engine_set_source(out.diags, source);
  out.unit = cx_parse_unit(out.arena, intern_new(out.arena), out.diags, source);
  return out;
}

static inline void parsed_free(Parsed *parsed) {
  arena_free(parsed->arena);
  free(parsed->text);
}

// The tree with all bodies.
static inline const char *tree_of(const Parsed *parsed) {
  Text out = {.arena = parsed->arena};
  cx_print(parsed->unit, true, &out);
  return text_cstr(&out);
}

// "HD0201@1:5 HD0202@2:1", in order, after all bodies were parsed and all
// UNKNOWNs told.
static inline const char *codes_of(const Parsed *parsed) {
  uint32_t count;
  Text out = {.arena = parsed->arena};
  tree_of(parsed);
  for (uint32_t i = 0; i < parsed->unit->n_unknowns; i++)
    cx_report_problems(parsed->unit,
                       parsed->unit->unknowns[i]->u.unknown.problem);
  const Diag *const *list = diag_list(parsed->diags, &count);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&out, "%s%s@%u:%u", i ? " " : "", diag_code(list[i]->id),
                list[i]->place.line, list[i]->place.col);
  return text_cstr(&out);
}

static inline const char *span_text(const Parsed *parsed, Span span) {
  return arena_strndup(parsed->arena, parsed->text + span.begin,
                       span.end - span.begin);
}

#endif
