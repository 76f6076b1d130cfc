// SPDX-License-Identifier: Apache-2.0
// Diagnostics for people:
//
//   error[HD0601]: data race on 'buf[0]' in shared memory
//     --> blur.hd:14:24
//      |
//   12 |     buf[lane] = in[base + lane];
//      |     ---------- thread 0 writes buf[0] here
//   14 |     out[base + lane] = buf[lane ^ 1];
//      |                        ^^^^^^^^^^^^^^ thread 1 reads buf[0]
//      = note: ...
#include "diag/diag.h"

#include "diag/diag_engine.h"
#include "diag/display.h"
#include "diag/render_place.h"
#include "diag/render_snippet.h"
#include <string.h>

static RenderStyle style_of(Severity severity, bool use_colour) {
  if (!use_colour)
    return (RenderStyle){"", "", "", "", ""};
  static const char *const colours[] = {"\033[1;31m", "\033[1;35m",
                                        "\033[1;36m"};
  return (RenderStyle){colours[severity], "\033[1;34m", "\033[1;34m", "\033[1m",
                       "\033[0m"};
}

static size_t count_digits(uint32_t number) {
  size_t count = 1;
  for (; number >= 10; number /= 10)
    count++;
  return count;
}

static uint32_t last_line(const Place *place) {
  return place->end_line > place->line ? place->end_line : place->line;
}

static size_t gutter_width_of(const Diag *diag) {
  uint32_t largest = last_line(&diag->place);
  for (uint32_t i = 0; i < diag->labels.count; i++) {
    uint32_t line = last_line(&diag->labels.data[i].place);
    largest = line > largest ? line : largest;
  }
  return count_digits(largest);
}

static void render_header(const SnippetContext *cx, const Diag *diag) {
  text_printf(cx->out, "%s%s[%s]%s%s: ", cx->style->severity,
              severity_name(diag->severity), diag_code(diag->id),
              cx->style->reset, cx->style->bold);
  display_add(cx->out, diag->message, strlen(diag->message), 0);
  text_add(cx->out, cx->style->reset);
  text_add_char(cx->out, '\n');
}

// "  --> file:line:column"
static void render_arrow(const SnippetContext *cx, const char *arrow,
                         const Place *place) {
  text_add_repeat(cx->out, ' ', cx->gutter_width);
  text_printf(cx->out, "%s%s%s ", cx->style->gutter, arrow, cx->style->reset);
  render_place(cx->out, cx->source, place);
  text_add_char(cx->out, '\n');
}

// "   = kind: " and the text, further lines of which are indented alike.
static void begin_remark(const SnippetContext *cx, const char *kind) {
  text_add_repeat(cx->out, ' ', cx->gutter_width + 1);
  text_printf(cx->out, "%s=%s %s%s%s: ", cx->style->gutter, cx->style->reset,
              cx->style->bold, kind, cx->style->reset);
}

static void add_remark_text(const SnippetContext *cx, const char *kind,
                            const char *text) {
  size_t indent =
      cx->gutter_width + strlen(" = ") + strlen(kind) + strlen(": ");
  display_add_message(cx->out, text, indent);
}

static void render_remark(const SnippetContext *cx, const char *kind,
                          const Place *place, const char *text) {
  begin_remark(cx, kind);
  if (place && place->line != 0 && place->file) {
    render_place(cx->out, cx->source, place);
    text_add(cx->out, ": ");
  }
  add_remark_text(cx, kind, text);
  text_add_char(cx->out, '\n');
}

static bool render_text_is_at(const Place *a, const Place *b) {
  return a->file && b->file && strcmp(a->file, b->file) == 0 &&
         a->line == b->line && a->col == b->col;
}

static bool is_in_file(const Place *place, const char *file) {
  return place->file && strcmp(place->file, file) == 0;
}

// The label that says what the carets mean: one at the same place.
static const DiagLabel *primary_label(const Diag *diag) {
  for (uint32_t i = 0; i < diag->labels.count; i++) {
    const Place *place = &diag->labels.data[i].place;
    if (render_text_is_at(place, &diag->place) &&
        place->end_line == diag->place.end_line &&
        place->end_col == diag->place.end_col)
      return &diag->labels.data[i];
  }
  return NULL;
}

// Labels of `file` become marks; those that can't be quoted, notes.
static void mark_labels(const SnippetContext *cx, const Diag *diag,
                        const char *file, const DiagLabel *except,
                        Marks *marks) {
  for (uint32_t i = 0; i < diag->labels.count; i++) {
    const DiagLabel *label = &diag->labels.data[i];
    if (label != except && is_in_file(&label->place, file))
      snippet_add_place(cx, marks, label->place, false, label->text);
  }
}

static bool is_quotable(const SnippetContext *cx, const Place *place) {
  size_t length;
  return cx->source && place->line != 0 &&
         source_line(cx->source, place->file, place->line, &length) != NULL;
}

static void render_main_snippet(const SnippetContext *cx, const Diag *diag) {
  const DiagLabel *own = primary_label(diag);
  Marks marks = {0};
  if (!snippet_add_place(cx, &marks, diag->place, true,
                         own ? own->text : NULL)) {
    if (own)
      render_remark(cx, "note", NULL, own->text);
    return;
  }
  mark_labels(cx, diag, diag->place.file, own, &marks);
  snippet_blank_gutter(cx);
  snippet_render(cx, diag->place.file, &marks);
}

// True when no label before `index` is of the same file.
static bool is_first_of_file(const Diag *diag, uint32_t index) {
  const char *file = diag->labels.data[index].place.file;
  for (uint32_t i = 0; i < index; i++)
    if (is_in_file(&diag->labels.data[i].place, file))
      return false;
  return true;
}

// One snippet for each other file that has labels.
static void render_other_files(const SnippetContext *cx, const Diag *diag) {
  for (uint32_t i = 0; i < diag->labels.count; i++) {
    const Place *place = &diag->labels.data[i].place;
    bool is_done = diag->place.file && is_in_file(place, diag->place.file);
    if (is_done || !is_first_of_file(diag, i) || !is_quotable(cx, place))
      continue;
    Marks marks = {0};
    mark_labels(cx, diag, place->file, NULL, &marks);
    render_arrow(cx, ":::", place);
    snippet_blank_gutter(cx);
    snippet_render(cx, place->file, &marks);
  }
}

static void render_unquotable_labels(const SnippetContext *cx,
                                     const Diag *diag) {
  const DiagLabel *own = primary_label(diag);
  for (uint32_t i = 0; i < diag->labels.count; i++) {
    const DiagLabel *label = &diag->labels.data[i];
    if (label != own && !is_quotable(cx, &label->place))
      render_remark(cx, "note", &label->place, label->text);
  }
}

// `text` has the part in quotes.
static bool is_said(const char *text, const char *part, size_t length) {
  for (; (text = strchr(text, '\'')) != NULL; text++)
    if (strncmp(text + 1, part, length) == 0 && text[1 + length] == '\'')
      return true;
  return false;
}

// What to insert, if it is short enough to show beside the explanation, and
// that doesn't say it already.
static void render_fix(const SnippetContext *cx, const DiagFix *fix) {
  enum { MAX_SHOWN_BYTES = 80 };

  size_t length = strlen(fix->replacement);
  const char *from = fix->replacement;
  while (length > 0 && strchr(" \t\n", from[0])) {
    from++;
    length--;
  }
  while (length > 0 && strchr(" \t\n", from[length - 1]))
    length--;
  begin_remark(cx, "fix");
  add_remark_text(cx, "fix", fix->text);
  bool is_shown = length > 0 && length <= MAX_SHOWN_BYTES &&
                  !memchr(from, '\n', length) &&
                  strncmp(fix->text, from, length) != 0 &&
                  !is_said(fix->text, from, length);
  if (is_shown) {
    text_add(cx->out, ":  ");
    display_add(cx->out, from, length, 0);
  }
  text_add_char(cx->out, '\n');
}

static void render_diag(const DiagEngine *engine, const Diag *diag, Text *out,
                        bool use_colour) {
  RenderStyle style = style_of(diag->severity, use_colour);
  SnippetContext cx = {engine->source, out, &style, gutter_width_of(diag)};
  render_header(&cx, diag);
  if (diag->place.file) {
    render_arrow(&cx, "-->", &diag->place);
    render_main_snippet(&cx, diag);
  }
  render_other_files(&cx, diag);
  render_unquotable_labels(&cx, diag);
  for (uint32_t i = 0; i < diag->notes.count; i++)
    render_remark(&cx, "note", &diag->notes.data[i].place,
                  diag->notes.data[i].text);
  if (diag->witness)
    render_remark(&cx, "witness", NULL, diag->witness);
  for (uint32_t i = 0; i < diag->fixes.count; i++)
    render_fix(&cx, &diag->fixes.data[i]);
}

static void render_all(DiagEngine *engine, Text *out, bool use_colour,
                       bool of_this_round) {
  uint32_t count;
  const Diag *const *diags = diag_list(engine, &count);
  bool is_first = true;
  for (uint32_t i = 0; i < count; i++) {
    if (of_this_round && diags[i]->round != engine->round)
      continue;
    if (!is_first)
      text_add_char(out, '\n');
    is_first = false;
    render_diag(engine, diags[i], out, use_colour);
  }
  uint32_t n_hidden = diag_hidden_count(engine);
  if (n_hidden > 0)
    text_printf(out, "\n%u more %s not shown\n", n_hidden,
                n_hidden == 1 ? "message is" : "messages are");
}

void diag_render_text(DiagEngine *engine, Text *out, bool use_colour) {
  render_all(engine, out, use_colour, false);
}

void diag_render_round_text(DiagEngine *engine, Text *out, bool use_colour) {
  render_all(engine, out, use_colour, true);
}
