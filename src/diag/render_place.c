// SPDX-License-Identifier: Apache-2.0
#include "diag/render_place.h"

#include "diag/display.h"

uint32_t render_column(SourceText *source, const char *file, uint32_t line,
                       uint32_t col) {
  size_t length;
  const char *text =
      source && line != 0 ? source_line(source, file, line, &length) : NULL;
  if (!text || col == 0)
    return col;
  size_t before = col - 1 < length ? col - 1 : length;
  return (uint32_t)display_count_characters(text, before) + 1;
}

void render_place(Text *out, SourceText *source, const Place *place) {
  display_add_message(out, place->file, 0);
  if (place->line == 0)
    return;
  text_printf(out, ":%u", place->line);
  if (place->col != 0)
    text_printf(out, ":%u",
                render_column(source, place->file, place->line, place->col));
}
