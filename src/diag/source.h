// SPDX-License-Identifier: Apache-2.0
// Source text and places in it.
//
// A Span is a byte range in the text that the lexer reads (which is the
// preprocessor's output when the file has directives). A Place is what a user
// is told: the file, line and column of the text that they wrote, found
// through the line markers. IR and diagnostics hold Places.
#ifndef HD_DIAG_SOURCE_H
#define HD_DIAG_SOURCE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

// [begin, end) byte offsets into the text of one SourceText. {0,0} is none
// where a span is optional.
typedef struct {
  uint32_t begin, end;
} Span;

// Lines and columns count from 1; columns count bytes here, and renderers turn
// them into characters. `end_col` is one past the last byte. line 0: unknown.
// `file` is interned or lives as long as the program; NULL: unknown.
typedef struct {
  const char *file;
  uint32_t line, col;
  uint32_t end_line, end_col;
  bool is_own; // in a header that comes with Heddle
} Place;

typedef struct SourceText SourceText;

// Takes no copy: `text` (`length` bytes, below 2^32, NUL-terminated) must
// outlive it. `name` is the file as the user named it, used until a line marker
// (`# 12 "file" 1` or `#line 12`) says otherwise; markers are only honoured
// when `has_markers`.
SourceText *source_new(Arena *arena, const char *name, const char *text,
                       size_t length, bool has_markers);
// Where `text` above is a preprocessor's output: what the user wrote in the
// file `name` itself, to be quoted. Not copied. Without it the file is read
// from disk when it is first needed.
void source_set_original(SourceText *source, const char *text, size_t length);
// Line markers that name a file in `folder` lead to Heddle's own headers (their
// places have `is_own`). NULL: no such folder. Not copied.
void source_set_own(SourceText *source, const char *folder);
const char *source_name(const SourceText *source);
const char *source_text(const SourceText *source);
size_t source_length(const SourceText *source);

// The place of a span. Where macros shifted columns, the column is that of the
// same token text on the user's line if it is there, else of the line's first
// character that is not a blank.
Place source_place(SourceText *source, Span span);

// Line `line` of the user's file `file` (without its newline), from memory or,
// for included files, from disk; NULL when it can't be had.
const char *source_line(SourceText *source, const char *file, uint32_t line,
                        size_t *length);

static inline Span span_join(Span a, Span b) {
  Span joined = {a.begin < b.begin ? a.begin : b.begin,
                 a.end > b.end ? a.end : b.end};
  return joined;
}

#endif
