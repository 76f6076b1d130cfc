// SPDX-License-Identifier: Apache-2.0
// Inside diag: text from users as a terminal can show it. Tabs become spaces;
// control characters, broken UTF-8 and characters that reorder or hide text
// become escapes such as \x1b and \u{202e}.
#ifndef HD_DIAG_DISPLAY_H
#define HD_DIAG_DISPLAY_H

#include "base/text.h"

// Adds `bytes` to `out` (NULL: only measures) as they look on a line that has
// `column` columns before them; returns the columns then.
size_t display_add(Text *out, const char *bytes, size_t length, size_t column);

// A message: as display_add, except that tabs are one space and each newline
// starts a line with `indent` spaces.
void display_add_message(Text *out, const char *message, size_t indent);

// Characters in the bytes, a broken byte being one.
size_t display_count_characters(const char *bytes, size_t length);

// The start of the character that the byte at `offset` belongs to.
size_t display_character_start(const char *bytes, size_t length, size_t offset);

#endif
