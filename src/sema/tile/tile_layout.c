// SPDX-License-Identifier: Apache-2.0
// relayout(t, L): the same tile, which threads are to hold in another way. What
// has no threads, as CPUs and the interpreter, only checks the layout.
#include "sema/tile.h"

#include "tile/layout/layout_name.h"

#include <string.h>

static TExpr *tile_layout_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// The name of a layout of tiles, alone or called; else NULL.
static const char *tile_layout_word(const Expr *expr) {
  const Expr *name = expr->kind == EXPR_CALL ? expr->u.call.callee : expr;
  if (!name || name->kind != EXPR_NAME)
    return NULL;
  LayoutOwner owner;
  const char *word;
  for (uint32_t i = 0; (word = layout_name(i, &owner)); i++) {
    if (owner == LAYOUT_OF_TILE && strcmp(word, name->u.name) == 0)
      return word;
  }
  return NULL;
}

// The numbers of blocked(1, 8).
static bool tile_layout_numbers(const BuiltinCall *call, const Expr *expr,
                                LayoutSpec *spec) {
  static const ExprList none;
  const ExprList *args = expr->kind == EXPR_CALL ? &expr->u.call.args : &none;
  spec->n_numbers = args->count;
  for (uint32_t i = 0; i < args->count && i < LAYOUT_MAX_RANK; i++) {
    int64_t n;
    if (!check_const_int(call->cx, args->data[i], "a number of a layout", &n))
      return false;
    // Others fit no tile.
    spec->numbers[i] = n < 0 || n > TYPE_MAX_TILE_ELEMENTS ? 0 : (uint32_t)n;
  }
  return true;
}

// The fewest threads that can have it: more hold copies, or fewer elements
// each.
static uint32_t tile_layout_threads(const LayoutSpec *spec) {
  enum { WARP = 32, WARPGROUP = 128, MOST = 32 }; // warps

  if (strncmp(spec->name, "wgmma", 5) == 0)
    return WARPGROUP;
  bool has_grid = strncmp(spec->name, "mma", 3) == 0 && spec->n_numbers == 2 &&
                  spec->numbers[0] <= MOST && spec->numbers[1] <= MOST;
  uint32_t warps = has_grid ? spec->numbers[0] * spec->numbers[1] : 1;
  return WARP * (warps > 0 && warps <= MOST ? warps : 1);
}

static bool tile_layout_check(const BuiltinCall *call, const Type *type) {
  SemaContext *cx = call->cx;
  const Expr *expr = call->args->data[1];
  LayoutSpec spec = {.name = tile_layout_word(expr)};
  if (!spec.name) {
    if (expr->kind != EXPR_POISON)
      SEMA_ERROR(cx, expr->span, argument_word, DU(2), DS(call->name),
                 DS("mma_a, mma_b, mma_c, wgmma_a, wgmma_c and blocked(…)"));
    return false;
  }
  if (!tile_layout_numbers(call, expr, &spec))
    return false;
  LayoutTile tile = {.rank = type->u.tile.rank,
                     .element_bits = type_bits(type->u.tile.element),
                     .n_threads = tile_layout_threads(&spec)};
  memcpy(tile.extents, type->u.tile.extents, sizeof tile.extents);
  TileLayout layout;
  const char *why = layout_named(cx->arena, &tile, &spec, &layout);
  if (why)
    SEMA_ERROR(cx, expr->span, tile_layout,
               DS(sema_source_text(cx, expr->span)), DS("this tile"), DS(why));
  return !why;
}

// relayout(t, L)
TExpr *tile_rule_relayout(const BuiltinCall *call) {
  if (!builtin_takes(call, 2, 2))
    return tile_layout_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  return value && tile_layout_check(call, value->type)
             ? value
             : tile_layout_poison(call);
}

// Swizzles are of the last two axes, and of rows as wide or wider. How many
// rows there are doesn't matter.
static const char *array_layout_problem(SemaContext *cx, const char *layout,
                                        const Type *type) {
  uint32_t rank = 0;
  const Type *base = type_array_base(type, &rank), *row = type;
  for (uint32_t i = 1; i < rank; i++)
    row = row->u.array.element;
  bool is_open = rank > 0 && row->u.array.extent < 0;
  if (strcmp(layout, "row_major") == 0 || is_open || base->size_bytes == 0)
    return NULL;

  enum { CHUNK_BYTES = 16, ROWS = 8 };

  if (CHUNK_BYTES % base->size_bytes != 0)
    return sema_format(
        cx, "elements of %llu bytes don't divide the 16 that it moves",
        (unsigned long long)base->size_bytes);
  LayoutTile tile = {.rank = rank < 2 ? rank : 2,
                     .element_bits = 8 * (uint32_t)base->size_bytes,
                     .n_threads = 1};
  if (rank > 0 && row->u.array.extent > UINT32_MAX)
    return NULL; // is refused for its size
  tile.extents[0] = rank < 2 ? 1 : ROWS;
  if (rank >= 2)
    tile.extents[1] = (uint32_t)row->u.array.extent;
  LayoutSpec spec = {.name = layout};
  TileLayout made;
  return layout_named(cx->arena, &tile, &spec, &made);
}

bool tile_layout_fits_array(SemaContext *cx, const char *layout,
                            const char *name, const Type *type, Span span) {
  const char *why = array_layout_problem(cx, layout, type);
  if (why)
    SEMA_ERROR(cx, span, tile_layout, DS(layout),
               DS(sema_format(cx, "'%s'", name)), DS(why));
  return !why;
}
