// SPDX-License-Identifier: Apache-2.0
// What must be known of a text before it is lexed.
#ifndef HD_SYNTAX_LOAD_SOURCE_SCAN_H
#define HD_SYNTAX_LOAD_SOURCE_SCAN_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

// Whether the text needs a preprocessor: it has a directive other than
// #pragma, or a predefined macro such as __LINE__.
bool source_needs_preprocessor(const char *text, size_t length);

// Of a text that is not UTF-8: puts `?` for what is not ASCII in its comments,
// which may have any encoding in files of others.
void source_plain_comments(Arena *arena, char *text, size_t length);

// Why the text is no source text, and where; NULL if it is one.
const char *source_find_bad_text(Arena *arena, const char *text, size_t length,
                                 size_t *offset);

// The text with continued lines joined (a backslash at their end); the line
// numbers of what follows stay. Gives `text` itself if there are none.
const char *source_join_lines(Arena *arena, const char *text, size_t *length);

#endif
