// SPDX-License-Identifier: Apache-2.0
// Lines of a text: where each starts, and which one an offset is in.
#ifndef HD_DIAG_LINE_INDEX_H
#define HD_DIAG_LINE_INDEX_H

#include "base/arena.h"

// Lines count from 1. A text without bytes has one empty line, and so has what
// follows a last newline.
typedef struct {
  const char *text; // not copied
  uint32_t length;
  uint32_t n_lines;
  uint32_t *starts; // offset of the first byte of each line
} LineIndex;

void line_index_init(Arena *arena, LineIndex *index, const char *text,
                     size_t length);
// The line of a byte; an offset past the end is in the last line.
uint32_t line_index_find(const LineIndex *index, uint32_t offset);
// The text of a line without "\n" or "\r\n"; NULL when there is no such line.
const char *line_index_get(const LineIndex *index, uint32_t line,
                           size_t *length);

#endif
