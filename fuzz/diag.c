// SPDX-License-Identifier: Apache-2.0
// Diagnostics in hostile source. The first byte chooses how the rest is cut:
// into what the preprocessor made and what the user wrote.
//
// Properties: every place lies on its line; what is shown is valid UTF-8
// without control characters; JSON strings are closed; a second rendering is
// the same.
#include "diag/diag.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is_true) {
  if (!is_true)
    abort();
}

static void check_place(SourceText *source, const Place *place) {
  size_t length;
  demand(place->file && place->col >= 1 && place->end_col >= 1);
  demand(place->end_line >= place->line);
  demand(place->end_line > place->line || place->end_col >= place->col);
  const char *line = source_line(source, place->file, place->line, &length);
  // A span may begin at the "\r" or "\n" that is no part of the line.
  demand(!line || place->col <= length + 2);
}

static void check_text(const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    Utf8Char c = utf8_decode(text + i, length - i);
    demand(c.is_valid);
    demand(c.code_point == '\n' || c.code_point >= 0x20);
    demand(c.code_point != 0x202E && c.code_point != 0x7F);
    i += c.size_bytes;
  }
}

static void check_json(const char *json) {
  bool is_in_string = false;
  int depth = 0;
  for (const char *at = json; *at; at++) {
    demand(!is_in_string || (unsigned char)*at >= 0x20);
    if (is_in_string && *at == '\\')
      demand(*++at != '\0');
    else if (*at == '"')
      is_in_string = !is_in_string;
    else if (!is_in_string)
      depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
  }
  demand(!is_in_string && depth == 0);
}

static void report_some(DiagEngine *engine, SourceText *source,
                        const char *word) {
  uint32_t length = (uint32_t)source_length(source);
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t begin = length * i / 5;
    Place place = source_place(source, (Span){begin, begin + 1 + i * 11});
    check_place(source, &place);
    Diag *diag = DIAG_REPORT(engine, DIAG_undeclared_name, place, DS(word));
    diag_label(engine, diag, place, "%s", word);
    diag_label(engine, diag, source_place(source, (Span){i, i + 3}), "l");
    diag_note(engine, diag, place, "%s", word);
    diag_fix(engine, diag, place, true, word, "%s", word);
  }
}

static const char *render(DiagEngine *engine, Arena *arena, bool is_json) {
  Text out = {.arena = arena};
  if (is_json)
    diag_render_json(engine, &out);
  else
    diag_render_text(engine, &out, false);
  return text_cstr(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  Arena *arena = arena_new();
  size_t cut = (size - 1) * (data[0] & 15u) / 15;
  const char *text = arena_strndup(arena, (const char *)data + 1, cut);
  const char *written =
      arena_strndup(arena, (const char *)data + 1 + cut, size - 1 - cut);
  SourceText *source =
      source_new(arena, "a.hd", text, cut, (data[0] & 16u) != 0);
  source_set_original(source, written, size - 1 - cut);
  DiagEngine *engine = diag_engine_new(arena, 0);
  diag_engine_set_source(engine, source);
  report_some(engine, source, written);
  const char *shown = render(engine, arena, false);
  check_text(shown);
  demand(strcmp(shown, render(engine, arena, false)) == 0);
  check_json(render(engine, arena, true));
  arena_free(arena);
  return 0;
}
