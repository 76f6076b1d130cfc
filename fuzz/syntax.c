// SPDX-License-Identifier: Apache-2.0
// Lexer, parser and printer.
//
// Properties: no crash and no leak whatever the bytes; a unit without errors
// prints to text that parses without errors (its parentheses may be nested
// too deep) and prints to itself, in the readable form too; a unit with
// `has_errors` has a message.
#include "syntax/lexer.h"
#include "syntax/parse.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is_true) {
  if (!is_true)
    abort();
}

typedef struct {
  Arena *arena;
  Interner *interner;
} Memory;

static bool is_too_nested(DiagEngine *diags) {
  uint32_t count;
  const Diag *const *list = diag_list(diags, &count);
  return count > 0 && list[0]->id == DIAG_too_nested;
}

// The text that `text` prints to, NULL if it has errors.
static const char *parse_and_print(const Memory *memory, const char *text,
                                   size_t length, bool must_be_right,
                                   const char **pretty) {
  DiagEngine *diags = diag_engine_new(memory->arena, 0);
  SourceText *source =
      source_new(memory->arena, "fuzz.hd", text, length, false);
  AstUnit *unit = parse_unit(memory->arena, memory->interner, diags, source);
  demand(unit->has_errors == (diag_error_count(diags) > 0));
  demand(!must_be_right || !unit->has_errors || is_too_nested(diags));
  if (unit->has_errors)
    return NULL;
  Text out = {.arena = memory->arena}, readable = {.arena = memory->arena};
  ast_print(unit, &out);
  ast_print_pretty(unit, false, &readable);
  *pretty = text_cstr(&readable);
  return text_cstr(&out);
}

static void print_tokens(const Memory *memory, const char *text,
                         size_t length) {
  DiagEngine *diags = diag_engine_new(memory->arena, 0);
  SourceText *source =
      source_new(memory->arena, "fuzz.hd", text, length, false);
  Text out = {.arena = memory->arena};
  tokens_print(memory->arena, memory->interner, diags, source, &out);
  demand(out.length > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {.arena = arena_new()};
  memory.interner = intern_new(memory.arena);
  char *text = malloc(size + 1);
  demand(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  print_tokens(&memory, text, size);
  const char *pretty, *ignored;
  const char *once = parse_and_print(&memory, text, size, false, &pretty);
  if (once) {
    const char *twice =
        parse_and_print(&memory, once, strlen(once), true, &ignored);
    demand(!twice || strcmp(once, twice) == 0);
    twice = parse_and_print(&memory, pretty, strlen(pretty), true, &ignored);
    demand(!twice || strcmp(once, twice) == 0);
  }
  free(text);
  arena_free(memory.arena);
  return 0;
}
