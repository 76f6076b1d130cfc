// SPDX-License-Identifier: Apache-2.0
#include "diag/line_index.h"

#include "base/panic.h"
#include <string.h>

// The byte after the next newline, NULL after the last.
static const char *next_line(const char *at, const char *end) {
  const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
  return newline ? newline + 1 : NULL;
}

void line_index_init(Arena *arena, LineIndex *index, const char *text,
                     size_t length) {
  HD_ASSERT(length < UINT32_MAX);
  const char *end = text + length;
  uint32_t n_lines = 0;
  for (const char *at = text; at; at = next_line(at, end))
    n_lines++;
  *index = (LineIndex){text, (uint32_t)length, n_lines,
                       ARENA_ARRAY(arena, uint32_t, n_lines)};
  uint32_t line = 0;
  for (const char *at = text; at; at = next_line(at, end))
    index->starts[line++] = (uint32_t)(at - text);
}

uint32_t line_index_find(const LineIndex *index, uint32_t offset) {
  uint32_t low = 0; // starts[low] <= offset
  uint32_t high = index->n_lines;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (index->starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

const char *line_index_get(const LineIndex *index, uint32_t line,
                           size_t *length) {
  if (line == 0 || line > index->n_lines)
    return NULL;
  uint32_t begin = index->starts[line - 1];
  uint32_t end =
      line < index->n_lines ? index->starts[line] - 1 : index->length;
  if (line < index->n_lines && end > begin && index->text[end - 1] == '\r')
    end--;
  *length = end - begin;
  return index->text + begin;
}
