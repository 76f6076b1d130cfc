// SPDX-License-Identifier: Apache-2.0
#include "diag/diag_engine.h"

#define MAX_QUOTE 60u

const char *diag_quote(const DiagEngine *engine, Arena *arena, Place place) {
  size_t length = 0;
  if (!engine->source || !place.file || place.line != place.end_line ||
      place.end_col <= place.col || place.end_col - place.col > MAX_QUOTE)
    return NULL;
  const char *line =
      source_line(engine->source, place.file, place.line, &length);
  if (!line || place.col == 0 || place.end_col - 1 > length)
    return NULL;
  return arena_strndup(arena, line + place.col - 1, place.end_col - place.col);
}
