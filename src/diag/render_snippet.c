// SPDX-License-Identifier: Apache-2.0
#include "diag/render_snippet.h"

#include "diag/display.h"
#include <stdlib.h>
#include <string.h>

// Lines longer than this are shown in part.
enum {
  MAX_LINE_BYTES = 160,
  SHOWN_BYTES = 120,
  SHOWN_BEFORE_BYTES = 40,
};

// --- marks of places ---

static size_t first_nonblank(const char *text, size_t length) {
  size_t i = 0;
  while (i < length && (text[i] == ' ' || text[i] == '\t'))
    i++;
  return i;
}

static size_t clamp_column(uint32_t col, size_t length) {
  size_t offset = col > 0 ? col - 1 : 0;
  return offset < length ? offset : length;
}

static void add_first_and_last_line(Text *out, Marks *marks, Mark first,
                                    Mark last) {
  last.text = first.text;
  first.text = NULL;
  VEC_PUSH(out->arena, marks, first);
  VEC_PUSH(out->arena, marks, last);
}

bool snippet_add_place(const SnippetContext *cx, Marks *marks, Place place,
                       bool is_primary, const char *text) {
  size_t length;
  if (!cx->source || place.line == 0)
    return false;
  const char *line = source_line(cx->source, place.file, place.line, &length);
  if (!line)
    return false;
  Mark mark = {place.line, clamp_column(place.col, length),
               clamp_column(place.end_col, length), is_primary, text};
  size_t last_length;
  const char *last_line = NULL;
  if (place.end_line > place.line)
    last_line =
        source_line(cx->source, place.file, place.end_line, &last_length);
  if (last_line) {
    mark.end = length;
    Mark last = {place.end_line, first_nonblank(last_line, last_length),
                 clamp_column(place.end_col, last_length), is_primary, NULL};
    add_first_and_last_line(cx->out, marks, mark, last);
    return true;
  }
  if (mark.end < mark.begin)
    mark.end = mark.begin;
  VEC_PUSH(cx->out->arena, marks, mark);
  return true;
}

static int compare_marks(const void *left, const void *right) {
  const Mark *a = left;
  const Mark *b = right;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  // Equal starts: the wider first, so that the narrower is drawn over it.
  if (a->end != b->end)
    return a->end > b->end ? -1 : 1;
  return (int)a->is_primary - (int)b->is_primary;
}

// --- the shown part of a line ---

typedef struct {
  const char *text;
  size_t length;
  size_t begin, end; // bytes shown
} Slice;

// The mark around which a long line is cut: a primary one if there is one.
static const Mark *anchor_of(const Mark *marks, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (marks[i].is_primary)
      return &marks[i];
  return &marks[0];
}

static Slice slice_line(const char *text, size_t length, const Mark *marks,
                        size_t count) {
  Slice slice = {text, length, 0, length};
  if (length <= MAX_LINE_BYTES)
    return slice;
  size_t anchor = anchor_of(marks, count)->begin;
  if (anchor > SHOWN_BEFORE_BYTES)
    slice.begin =
        display_character_start(text, length, anchor - SHOWN_BEFORE_BYTES);
  if (slice.begin + SHOWN_BYTES < length)
    slice.end =
        display_character_start(text, length, slice.begin + SHOWN_BYTES);
  return slice;
}

static const char *const ellipsis = "...";

static size_t column_of(const Slice *slice, size_t offset) {
  if (offset < slice->begin)
    offset = slice->begin;
  if (offset > slice->end)
    offset = slice->end;
  size_t before = slice->begin > 0 ? strlen(ellipsis) : 0;
  return display_add(NULL, slice->text + slice->begin, offset - slice->begin,
                     before);
}

// --- rows ---

static void gutter(const SnippetContext *cx) {
  text_add(cx->out, cx->style->gutter);
  text_add_repeat(cx->out, ' ', cx->gutter_width + 1);
  text_add_char(cx->out, '|');
  text_add(cx->out, cx->style->reset);
}

void snippet_blank_gutter(const SnippetContext *cx) {
  gutter(cx);
  text_add_char(cx->out, '\n');
}

static void render_line(const SnippetContext *cx, uint32_t line,
                        const Slice *slice) {
  text_printf(cx->out, "%s%*u |%s", cx->style->gutter, (int)cx->gutter_width,
              line, cx->style->reset);
  if (slice->length > 0)
    text_add_char(cx->out, ' ');
  if (slice->begin > 0)
    text_add(cx->out, ellipsis);
  display_add(cx->out, slice->text + slice->begin, slice->end - slice->begin,
              slice->begin > 0 ? strlen(ellipsis) : 0);
  if (slice->end < slice->length)
    text_add(cx->out, ellipsis);
  text_add_char(cx->out, '\n');
}

// A mark in columns of the screen.
typedef struct {
  size_t begin, end;
  bool is_primary;
  const char *text;
} Underline;

static Underline underline_of(const Slice *slice, const Mark *mark) {
  Underline line = {column_of(slice, mark->begin), column_of(slice, mark->end),
                    mark->is_primary, mark->text};
  if (line.end <= line.begin)
    line.end = line.begin + 1;
  return line;
}

static const char *mark_style(const SnippetContext *cx, bool is_primary) {
  return is_primary ? cx->style->severity : cx->style->label;
}

// Prints a row of '^', '-', '|' and ' ' with runs in their colours.
static void render_snippet_add_row(const SnippetContext *cx, const char *row,
                                   size_t length) {
  for (size_t i = 0; i < length;) {
    size_t end = i;
    while (end < length && row[end] == row[i])
      end++;
    bool is_blank = row[i] == ' ';
    if (!is_blank)
      text_add(cx->out, mark_style(cx, row[i] == '^'));
    text_add_n(cx->out, row + i, end - i);
    if (!is_blank)
      text_add(cx->out, cx->style->reset);
    i = end;
  }
}

static void add_mark_text(const SnippetContext *cx, const Underline *line,
                          size_t column) {
  text_add(cx->out, mark_style(cx, line->is_primary));
  display_add_message(cx->out, line->text, cx->gutter_width + 3 + column);
  text_add(cx->out, cx->style->reset);
}

// All marks, and beside them the text of the last one.
static void render_underlines(const SnippetContext *cx, const Underline *lines,
                              size_t count, size_t width) {
  char *row = arena_alloc(cx->out->arena, width + 1);
  memset(row, ' ', width);
  for (size_t i = 0; i < count; i++)
    memset(row + lines[i].begin, lines[i].is_primary ? '^' : '-',
           lines[i].end - lines[i].begin);
  gutter(cx);
  text_add_char(cx->out, ' ');
  render_snippet_add_row(cx, row, width);
  if (lines[count - 1].text) {
    text_add_char(cx->out, ' ');
    add_mark_text(cx, &lines[count - 1], width + 1);
  }
  text_add_char(cx->out, '\n');
}

// The text of mark `which` below it, with a '|' for each earlier mark that
// still waits for its own.
static void render_text_below(const SnippetContext *cx, const Underline *lines,
                              size_t which) {
  size_t column = lines[which].begin;
  char *row = arena_alloc(cx->out->arena, column + 1);
  memset(row, ' ', column);
  for (size_t i = 0; i < which; i++)
    if (lines[i].text && lines[i].begin < column)
      row[lines[i].begin] = '|';
  gutter(cx);
  text_add_char(cx->out, ' ');
  render_snippet_add_row(cx, row, column);
  add_mark_text(cx, &lines[which], column);
  text_add_char(cx->out, '\n');
}

// `marks` are those of one line, from left to right.
static void render_marked_line(const SnippetContext *cx, const char *text,
                               size_t length, const Mark *marks, size_t count) {
  Slice slice = slice_line(text, length, marks, count);
  Underline *lines = ARENA_ARRAY(cx->out->arena, Underline, count);
  size_t width = 0;
  for (size_t i = 0; i < count; i++) {
    lines[i] = underline_of(&slice, &marks[i]);
    width = lines[i].end > width ? lines[i].end : width;
  }
  render_line(cx, marks[0].line, &slice);
  render_underlines(cx, lines, count, width);
  for (size_t i = count - 1; i-- > 0;)
    if (lines[i].text)
      render_text_below(cx, lines, i);
}

// A single line left out can be imagined; more are shown to be missing.
static bool is_gap_shown(uint32_t previous, uint32_t line) {
  return previous != 0 && line - previous > 2;
}

void snippet_render(const SnippetContext *cx, const char *file, Marks *marks) {
  if (marks->count > 1)
    qsort(marks->data, marks->count, sizeof(Mark), compare_marks);
  uint32_t previous = 0;
  for (uint32_t i = 0; i < marks->count;) {
    const Mark *first = &marks->data[i];
    uint32_t end = i;
    while (end < marks->count && marks->data[end].line == first->line)
      end++;
    size_t length;
    const char *text = source_line(cx->source, file, first->line, &length);
    if (is_gap_shown(previous, first->line))
      snippet_blank_gutter(cx);
    if (text)
      render_marked_line(cx, text, length, first, end - i);
    previous = first->line;
    i = end;
  }
}
