// SPDX-License-Identifier: Apache-2.0
// Diagnostics for tools: one array, one object a diagnostic. Lines and columns
// count from 1, columns in characters; end_column is one past the last. Where
// nothing is known, "file" is null and the numbers are 0.
#include "diag/diag.h"

#include "diag/diag_engine.h"
#include "diag/render_place.h"

static void add_key(Text *out, const char *key) {
  text_printf(out, ",\"%s\":", key);
}

static void render_json_add_text(Text *out, const char *key,
                                 const char *value) {
  add_key(out, key);
  if (value)
    text_add_json(out, value);
  else
    text_add(out, "null");
}

static void add_place(Text *out, SourceText *source, const Place *place) {
  uint32_t column = render_column(source, place->file, place->line, place->col);
  uint32_t end_column =
      render_column(source, place->file, place->end_line, place->end_col);
  render_json_add_text(out, "file", place->file);
  text_printf(out,
              ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u",
              place->line, column, place->end_line, end_column);
}

static void render_json_add_label(Text *out, SourceText *source,
                                  const DiagLabel *label) {
  text_add(out, "{\"text\":");
  text_add_json(out, label->text);
  add_place(out, source, &label->place);
  text_add_char(out, '}');
}

static void add_labels(Text *out, SourceText *source, const char *key,
                       const DiagLabel *labels, uint32_t count) {
  add_key(out, key);
  text_add_char(out, '[');
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, i > 0 ? "," : "");
    render_json_add_label(out, source, &labels[i]);
  }
  text_add_char(out, ']');
}

static void add_fix(Text *out, SourceText *source, const DiagFix *fix) {
  text_add(out, "{\"text\":");
  text_add_json(out, fix->text);
  render_json_add_text(out, "replacement", fix->replacement);
  text_printf(out, ",\"certain\":%s", fix->is_certain ? "true" : "false");
  add_place(out, source, &fix->place);
  text_add_char(out, '}');
}

static void add_fixes(Text *out, SourceText *source, const Diag *diag) {
  add_key(out, "fixes");
  text_add_char(out, '[');
  for (uint32_t i = 0; i < diag->fixes.count; i++) {
    text_add(out, i > 0 ? "," : "");
    add_fix(out, source, &diag->fixes.data[i]);
  }
  text_add_char(out, ']');
}

static void add_diag(Text *out, SourceText *source, const Diag *diag) {
  text_printf(out, "{\"code\":\"%s\",\"severity\":\"%s\",\"id\":\"%s\"",
              diag_code(diag->id), severity_name(diag->severity),
              diag_name(diag->id));
  render_json_add_text(out, "message", diag->message);
  add_place(out, source, &diag->place);
  add_labels(out, source, "labels", diag->labels.data, diag->labels.count);
  add_labels(out, source, "notes", diag->notes.data, diag->notes.count);
  add_fixes(out, source, diag);
  render_json_add_text(out, "witness", diag->witness);
  text_add_char(out, '}');
}

void diag_render_json(DiagEngine *engine, Text *out) {
  uint32_t count;
  const Diag *const *diags = diag_list(engine, &count);
  text_add_char(out, '[');
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, i > 0 ? ",\n " : "");
    add_diag(out, engine->source, diags[i]);
  }
  text_add(out, "]\n");
}
