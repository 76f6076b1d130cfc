// SPDX-License-Identifier: Apache-2.0
// Layouts of tiles, stated where these are declared or by relayout(t, L), and
// of shared arrays: whether they fit.
#include "sema/tile.h"

#include "tile/layout/layout_name.h"

#include <string.h>

// The threads of the current group; of a tile kernel's, which has none, the
// fewest that can have the layout. 0: reported.
static uint32_t layout_holders(SemaContext *cx, const LayoutSpec *spec,
                               Span span, const char *what) {
  int64_t size = cx->body ? cx->body->group.size : 0;
  if (is_tile_code(cx))
    return tile_layout_threads(spec);
  if (size > 0 && size <= 1024)
    return (uint32_t)size;
  SEMA_ERROR(cx, span, tile_layout, DS(sema_source_text(cx, span)), DS(what),
             DS("the number of threads that hold it isn't constant"));
  return 0;
}

static LayoutTile layout_tile_of(const Type *type, uint32_t n_threads) {
  LayoutTile tile = {.rank = type->u.tile.rank,
                     .element_bits = type_bits(type->u.tile.element),
                     .n_threads = n_threads};
  memcpy(tile.extents, type->u.tile.extents, sizeof tile.extents);
  return tile;
}

const TileLayout *tile_fit_layout(SemaContext *cx, const LayoutSpec *spec,
                                  const Type *type, Span span,
                                  const char *what) {
  uint32_t n_threads = layout_holders(cx, spec, span, what);
  if (n_threads == 0)
    return NULL;
  LayoutTile tile = layout_tile_of(type, n_threads);
  TileLayout *layout = ARENA_NEW(cx->arena, TileLayout);
  const char *why = layout_tile_problem(cx->arena, &tile);
  if (!why)
    why = layout_named(cx->arena, &tile, spec, layout);
  if (!why)
    return layout;
  SEMA_ERROR(cx, span, tile_layout, DS(sema_source_text(cx, span)), DS(what),
             DS(why));
  return NULL;
}

bool tile_declare_layout(SemaContext *cx, const LayoutSyntax *syntax,
                         TVar *var) {
  Span span = syntax->parts.data[0]->span;
  span.end = syntax->parts.data[syntax->parts.count - 1]->span.end;
  LayoutSpec spec;
  if (!tile_read_layout(cx, &syntax->parts, "layout", 1, &spec))
    return false;
  var->tile_layout = tile_fit_layout(cx, &spec, var->type, span,
                                     sema_format(cx, "'%s'", var->name));
  return var->tile_layout != NULL;
}

const char *tile_suggest_layout(SemaContext *cx, const Type *type) {
  enum { ACCESS_BITS = 128 };

  int64_t size = cx->body->group.size;
  LayoutTile tile = layout_tile_of(type, size > 0 ? (uint32_t)size : 1);
  uint32_t last = tile.extents[tile.rank - 1], run = 1, count = 1;
  for (uint32_t i = 0; i < tile.rank; i++)
    count *= tile.extents[i];
  while (last % (2 * run) == 0 && 2 * run * tile.element_bits <= ACCESS_BITS &&
         2 * run * tile.n_threads <= count)
    run *= 2;
  const char *text = "blocked(";
  for (uint32_t i = 0; i + 1 < tile.rank; i++)
    text = sema_format(cx, "%s1, ", text);
  return sema_format(cx, "%s%u)", text, run);
}

// relayout(t, L)
TExpr *tile_rule_relayout(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return build_poison(cx, call->span);
  TExpr *value = tile_moved_argument(call, 0);
  ExprList part = {&call->args->data[1], 1};
  LayoutSpec spec;
  if (!value || !tile_read_layout(cx, &part, call->name, 2, &spec))
    return build_poison(cx, call->span);
  TTileArgs args = {0};
  args.layout =
      tile_fit_layout(cx, &spec, value->type, part.data[0]->span, "this tile");
  return args.layout ? tile_build(call, value->type, &value, 1, &args)
                     : build_poison(cx, call->span);
}

// Where arrays other than shared ones of numbers lie is not up to programs.
static const char *array_layout_place(const TVar *var) {
  const Type *base = type_array_base(var->type, NULL);
  if (var->kind != TVAR_SHARED)
    return "only shared arrays lie as programs say";
  if (type_is(base, TY_MBARRIER) || type_is(base, TY_PIPELINE))
    return "what it has aren't numbers";
  return NULL;
}

static bool array_layout_is_open(const TVar *var) {
  const TExpr *row =
      var->rank && var->extents ? var->extents[var->rank - 1] : NULL;
  return row && !expr_is_const(row);
}

// Swizzles are of the last two axes, and of rows as wide or wider. How many
// rows there are doesn't matter.
static const char *array_layout_problem(SemaContext *cx, const TVar *var) {
  uint32_t rank = 0;
  const char *why = array_layout_place(var);
  const Type *base = type_array_base(var->type, &rank), *row = var->type;
  if (why || strcmp(var->layout, "row_major") == 0)
    return why;
  for (uint32_t i = 1; i < rank; i++)
    row = row->u.array.element;
  if (base->size_bytes == 0)
    return NULL;

  enum { CHUNK_BYTES = 16, ROWS = 8 };

  if (CHUNK_BYTES % base->size_bytes != 0)
    return sema_format(
        cx, "elements of %llu bytes don't divide the 16 that it moves",
        (unsigned long long)base->size_bytes);
  bool is_open = rank > 0 && row->u.array.extent < 0;
  if (is_open && array_layout_is_open(var) && sema_sizes_are_final(cx))
    return "only the launch knows how long its rows are";
  if (is_open)
    return NULL;
  LayoutTile tile = {.rank = rank < 2 ? rank : 2,
                     .element_bits = 8 * (uint32_t)base->size_bytes,
                     .n_threads = 1};
  if (rank > 0 && row->u.array.extent > UINT32_MAX)
    return NULL; // is refused for its size
  tile.extents[0] = rank < 2 ? 1 : ROWS;
  if (rank >= 2)
    tile.extents[1] = (uint32_t)row->u.array.extent;
  LayoutSpec spec = {.name = var->layout};
  TileLayout made;
  return layout_named(cx->arena, &tile, &spec, &made);
}

bool tile_layout_fits_array(SemaContext *cx, const TVar *var, Span span) {
  const char *why = array_layout_problem(cx, var);
  if (why)
    SEMA_ERROR(cx, span, tile_layout, DS(var->layout),
               DS(sema_format(cx, "'%s'", var->name)), DS(why));
  return !why;
}
