// SPDX-License-Identifier: Apache-2.0
// Line markers in a preprocessor's output: `# 12 "file" 1` and `#line 12`.
#ifndef HD_DIAG_LINE_MARKER_H
#define HD_DIAG_LINE_MARKER_H

#include "base/arena.h"
#include <stdbool.h>

typedef struct {
  uint32_t line;    // of the user's line that follows
  const char *file; // with escapes resolved, from `arena`; NULL: unchanged
} LineMarker;

// True when `text` (one line, `length` bytes) is a line marker. What follows
// the name (the flags) is not looked at.
bool line_marker_parse(Arena *arena, const char *text, size_t length,
                       LineMarker *out);

#endif
