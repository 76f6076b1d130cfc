// SPDX-License-Identifier: Apache-2.0
// Inside diag: quoted lines with marks under them.
#ifndef HD_DIAG_RENDER_SNIPPET_H
#define HD_DIAG_RENDER_SNIPPET_H

#include "base/text.h"
#include "base/vec.h"
#include "diag/source.h"

// Escape sequences, all "" without colour.
typedef struct {
  const char *severity; // of the diagnostic at hand
  const char *gutter;
  const char *label;
  const char *bold;
  const char *reset;
} RenderStyle;

// A range of bytes on one line.
typedef struct {
  uint32_t line;
  size_t begin, end; // from 0; an empty range is shown as one column
  bool is_primary;
  const char *text; // or NULL
} Mark;

typedef hd_vec(Mark) Marks;

typedef struct {
  SourceText *source;
  Text *out;
  const RenderStyle *style;
  size_t gutter_width; // digits of the largest line number
} SnippetContext;

// Adds the marks of `place`: one, or one on its first and one on its last
// line. False when the place is unknown or its lines can't be had.
bool snippet_add_place(const SnippetContext *cx, Marks *marks, Place place,
                       bool is_primary, const char *text);

// Quotes every line of `file` that has marks. Sorts them.
void snippet_render(const SnippetContext *cx, const char *file, Marks *marks);

// "   |" and a newline.
void snippet_blank_gutter(const SnippetContext *cx);

#endif
