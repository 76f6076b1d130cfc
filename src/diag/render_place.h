// SPDX-License-Identifier: Apache-2.0
// Inside diag: places as people and tools count them.
#ifndef HD_DIAG_RENDER_PLACE_H
#define HD_DIAG_RENDER_PLACE_H

#include "base/text.h"
#include "diag/source.h"

// The number of the character at byte column `col` of a line, from 1; `col`
// itself when the line can't be had.
uint32_t render_column(SourceText *source, const char *file, uint32_t line,
                       uint32_t col);

// "file:line:column", or "file" when the line is unknown.
void render_place(Text *out, SourceText *source, const Place *place);

#endif
