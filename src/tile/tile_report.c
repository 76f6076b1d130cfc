// SPDX-License-Identifier: Apache-2.0
// What users are told of a tile kernel's code.
#include "ir/analyses/analysis.h"
#include "tile/tile.h"
#include "tile/tile_parts.h"

const char *tile_apart(const IrKernel *kernel) {
  Arena *arena = arena_new();
  Lower t = {.kernel = ir_clone_kernel(arena, kernel),
             .arena = arena,
             .scratch = arena};
  RectKernel found;
  const char *why = rect_find(&t, &found);
  arena_free(arena);
  return why;
}
