// SPDX-License-Identifier: Apache-2.0
#include "verdict/check_edit.h"

#include "base/panic.h"
#include "check/report/finding.h"
#include <string.h>

enum { MOST_LINES = 20000, CHECK_MS = 1000 };

// ------------------------------------------------------------- the place

typedef struct {
  const EditContext *cx;
  const char *file;
  uint32_t line; // of the statement, or where the loop begins
} Spot;

static const char *check_edit_line_at(const Spot *spot, uint32_t line,
                                      size_t *length) {
  return source_line(spot->cx->program->source, spot->file, line, length);
}

static const char *indent_of(const Spot *spot, uint32_t line) {
  size_t length, n = 0;
  const char *text = check_edit_line_at(spot, line, &length);
  while (text && n < length && (text[n] == ' ' || text[n] == '\t'))
    n++;
  return text ? arena_strndup(spot->cx->arena, text, n) : NULL;
}

static Place place_at(const Spot *spot, uint32_t line, uint32_t column) {
  return (Place){spot->file, line, column, line, column, false};
}

static bool before_line(const Spot *spot, const char *what, Edit *out) {
  const char *indent = indent_of(spot, spot->line);
  if (!indent)
    return false;
  out->place = place_at(spot, spot->line, (uint32_t)strlen(indent) + 1);
  out->text = arena_printf(spot->cx->arena, "%s\n%s", what, indent);
  return true;
}

static bool behind_line(const Spot *spot, uint32_t last, const char *what,
                        Edit *out) {
  size_t length;
  const char *indent = indent_of(spot, spot->line);
  if (!indent || !check_edit_line_at(spot, last, &length))
    return false;
  out->place = place_at(spot, last, (uint32_t)length + 1);
  out->text = arena_printf(spot->cx->arena, "\n%s%s", indent, what);
  return true;
}

// Before the brace that ends the loop's body. What looks like a brace and is
// none leads to an edit that isn't right, and isn't offered.
static bool check_edit_at_end(const Spot *spot, const char *what, Edit *out) {
  int depth = 0;
  for (uint32_t line = spot->line; line < spot->line + MOST_LINES; line++) {
    size_t length;
    const char *text = check_edit_line_at(spot, line, &length);
    for (size_t i = 0; text && i < length; i++) {
      depth += text[i] == '{';
      if (text[i] == ';' && depth == 0 && line > spot->line)
        return false; // no braces
      if (text[i] != '}' || --depth > 0)
        continue;
      const char *indent = indent_of(spot, line);
      bool is_alone = strlen(indent) == i;
      out->place = place_at(spot, line, (uint32_t)i + 1);
      out->text =
          is_alone ? arena_printf(spot->cx->arena, "    %s\n%s", what, indent)
                   : arena_printf(spot->cx->arena, "%s ", what);
      return true;
    }
    if (!text)
      return false;
  }
  return false;
}

static bool candidate(const EditContext *cx, const Finding *finding,
                      Edit *out) {
  const FixEdit *fix = &finding->edit;
  if (fix->where == FIX_NOWHERE || !fix->node || !fix->node->loc)
    return false;
  const Place *place = &cx->ir->module->locs.data[fix->node->loc].place;
  Spot spot = {cx, place->file, place->line};
  if (!place->file ||
      strcmp(place->file, source_name(cx->program->source)) != 0)
    return false;
  switch (fix->where) {
  case FIX_BEFORE: return before_line(&spot, fix->text, out);
  case FIX_BEHIND: return behind_line(&spot, place->end_line, fix->text, out);
  case FIX_AT_END: return check_edit_at_end(&spot, fix->text, out);
  case FIX_IN_FRONT:
    out->place = place_at(&spot, place->line, place->col);
    out->text = arena_printf(cx->arena, "%s ", fix->text);
    return true;
  case FIX_NOWHERE: break;
  }
  return false;
}

// -------------------------------------------------------------- the proof

static void check_edit_add_line(Text *out, uint32_t line, const Edit *edit,
                                const char *text, size_t length) {
  size_t at = line == edit->place.line ? edit->place.col - 1 : length;
  at = at < length ? at : length;
  text_printf(out, "%.*s", (int)at, text);
  if (line == edit->place.line)
    text_add(out, edit->text);
  text_printf(out, "%.*s\n", (int)(length - at), text + at);
}

static const char *edited_text(const EditContext *cx, const Edit *edit,
                               size_t *size) {
  Text out = {.arena = cx->arena};
  for (uint32_t line = 1; line < MOST_LINES; line++) {
    size_t length;
    const char *text =
        source_line(cx->program->source, edit->place.file, line, &length);
    if (!text)
      break;
    check_edit_add_line(&out, line, edit, text, length);
  }
  *size = out.length;
  return text_cstr(&out);
}

static uint32_t check_edit_line_of(const IrKernel *kernel, const IrNode *node) {
  return node && node->loc ? kernel->module->locs.data[node->loc].place.line
                           : 0;
}

// Where the line was before the edit.
static uint32_t old_line(const Edit *edit, uint32_t line) {
  bool is_longer = strchr(edit->text, '\n') != NULL;
  return is_longer && line > edit->place.line ? line - 1 : line;
}

typedef struct {
  const EditContext *cx;
  const Edit *edit;
  const Finding *target;
} Trial;

// A finding at one place is one of it with itself.
static const IrNode *second(const Finding *finding) {
  return finding->other ? finding->other : finding->node;
}

static bool check_edit_is_same(const Trial *trial, const IrKernel *edited,
                               const Finding *now, const Finding *before) {
  const Edit *edit = trial->edit;
  const IrKernel *kernel = trial->cx->ir;
  uint32_t a = old_line(edit, check_edit_line_of(edited, now->node));
  uint32_t b = old_line(edit, check_edit_line_of(edited, second(now)));
  uint32_t p = check_edit_line_of(kernel, before->node);
  uint32_t q = check_edit_line_of(kernel, second(before));
  return now->code == before->code &&
         ((a == p && b == q) || (a == q && b == p));
}

static bool was_there(const Trial *trial, const IrKernel *edited,
                      const Finding *now) {
  const CheckReport *report = trial->cx->report;
  for (uint32_t i = 0; i < report->findings.count; i++)
    if (check_edit_is_same(trial, edited, now, &report->findings.data[i]))
      return true;
  return false;
}

// New, or what the edit is for: it isn't right.
static bool is_wrong(const void *context, const IrKernel *edited,
                     const Finding *now) {
  const Trial *trial = context;
  return check_edit_is_same(trial, edited, now, trial->target) ||
         !was_there(trial, edited, now);
}

static bool mends(const Trial *trial, const IrKernel *edited,
                  const CheckReport *report, bool *has_open_barriers) {
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *now = &report->findings.data[i];
    if (!is_wrong(trial, edited, now))
      continue;
    *has_open_barriers = now->code >= CODE_WAITS;
    return false;
  }
  return !report->is_stopped;
}

bool edit_is_right(EditContext *cx, const Edit *edit, const Finding *target) {
  const Trial trial = {cx, edit, target};
  cx->has_open_barriers = false;
  if (solve_is_over(&cx->options->solve))
    return false;
  size_t length;
  const char *text = edited_text(cx, edit, &length);
  HdProgram *program = NULL;
  bool is_mended = false;
  if (program_from_text(cx->program->session, source_name(cx->program->source),
                        text, length, &program) == HD_OK) {
    Spec *spec;
    CheckOptions options = *cx->options;
    options.no_search = options.no_fixes = options.no_remarks = true;
    options.is_retry = true;
    options.stop = (CheckStop){is_wrong, &trial};
    options.solve.kernel_ms = CHECK_MS;
    if (spec_get(program, cx->kernel, cx->embeds, cx->n_embeds, cx->limits,
                 &spec) == HD_OK) {
      CheckReport report;
      Arena *scratch = arena_new();
      check_kernel(scratch, spec->kernel, &options, &report);
      is_mended = mends(&trial, spec->kernel, &report, &cx->has_open_barriers);
      arena_free(scratch);
    }
  }
  if (program)
    hd_program_free(program);
  return is_mended;
}

bool edit_of(EditContext *cx, const Finding *finding, Edit *out) {
  HD_ASSERT(cx->program && cx->kernel && cx->report && finding);
  out->is_guess = false;
  return candidate(cx, finding, out) && edit_is_right(cx, out, finding);
}
