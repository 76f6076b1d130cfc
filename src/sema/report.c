// SPDX-License-Identifier: Apache-2.0
#include "sema/context.h"

#include <stdarg.h>
#include <string.h>

Place sema_place(const SemaContext *cx, Span span) {
  return source_place(cx->source, span);
}

// Inside a function, the call that led there explains embedded values, spaces
// and group sizes.
static void note_callers(SemaContext *cx, Diag *diag) {
  for (const Body *at = cx->body; at && at->caller; at = at->caller)
    if (diag->notes.count < 3)
      diag_note(cx->diags, diag, sema_place(cx, at->call_span),
                "'%s' is called here", at->name);
}

Diag *sema_report(SemaContext *cx, Span span, DiagId id, const DiagArg *args,
                  size_t n_args) {
  Diag *diag = diag_report(cx->diags, id, sema_place(cx, span), args, n_args);
  if (diag->severity == SEVERITY_ERROR)
    cx->n_errors++;
  bool is_new = diag->notes.count == 0 && diag->labels.count == 0;
  const char *code = diag_code(id);
  if (is_new && code[2] == '0' && (code[3] == '5' || code[3] == '4'))
    note_callers(cx, diag);
  return diag;
}

const char *sema_type_name(SemaContext *cx, const Type *type) {
  return type_name(cx->arena, type);
}

const char *sema_format(SemaContext *cx, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(cx->arena, format, args);
  va_end(args);
  return text;
}

enum { LONGEST_QUOTE = 60 };

const char *sema_source_text(SemaContext *cx, Span span) {
  const char *text = source_text(cx->source);
  Text out = {.arena = cx->arena};
  bool was_blank = true;
  for (uint32_t i = span.begin; i < span.end && i < source_length(cx->source);
       i++) {
    bool is_blank = strchr(" \t\r\n\f\v", text[i]) != NULL;
    if (!is_blank)
      text_add_char(&out, text[i]);
    else if (!was_blank)
      text_add_char(&out, ' ');
    was_blank = is_blank;
  }
  if (out.length <= LONGEST_QUOTE)
    return text_cstr(&out);
  return arena_printf(cx->arena, "%.*s…", LONGEST_QUOTE, text_cstr(&out));
}

bool sema_not_available(SemaContext *cx, Span span, const char *feature) {
  SEMA_ERROR(cx, span, not_available, DS(feature));
  return false;
}

// One body may be as deep as the parser allows; calls nest bodies.
enum { MAX_DEPTH = 3000 };

bool sema_enter(SemaContext *cx, Span span) {
  if (cx->depth >= MAX_DEPTH) {
    if (!cx->has_depth_error)
      SEMA_ERROR(cx, span, calls_too_deep,
                 DS(cx->body ? cx->body->name : "the program"));
    cx->has_depth_error = true;
    return false;
  }
  cx->depth++;
  return true;
}

void sema_leave(SemaContext *cx) {
  cx->depth--;
}
