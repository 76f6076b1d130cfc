// SPDX-License-Identifier: Apache-2.0
// Where tiles may stand, and what may not stand beside them.
#include "sema/tile.h"

bool is_tile_code(const SemaContext *cx) {
  return cx->kernel ? cx->kernel->is_tile : cx->lone_is_tile;
}

bool tile_check_place(SemaContext *cx, Span span, const char *what) {
  if (cx->body && !cx->in_clause && is_tile_code(cx))
    return true;
  const char *why =
      !cx->body || cx->in_clause
          ? "tiles stand in the bodies of kernels and functions"
          : "its kernel runs threads; tiles stand in kernels with neither "
            "threads(…) nor warps(…)";
  SEMA_ERROR(cx, span, tile_place, DS(what), DS(why));
  return false;
}

bool tile_check_threads(SemaContext *cx, Span span, const char *what) {
  if (!is_tile_code(cx))
    return true;
  SEMA_ERROR(cx, span, tile_place, DS(what),
             DS("this is tile code, in which a block is one sequence of "
                "statements without threads"));
  return false;
}
