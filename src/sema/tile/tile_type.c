// SPDX-License-Identifier: Apache-2.0
// Types of tiles as they are written, and the limits of shapes.
#include "sema/tile.h"

#include "base/panic.h"

bool is_tile_syntax(const TypeSyntax *syntax) {
  while (syntax && syntax->kind == TYPE_ARRAY)
    syntax = syntax->u.array.element;
  return syntax && syntax->kind == TYPE_TILE;
}

bool tile_is_element(const Type *type) {
  return type_is_arithmetic(type) || type_lacks_arithmetic(type);
}

// --- shapes ---

static const char *near_text(SemaContext *cx, int64_t extent) {
  int64_t below, above;
  type_tile_near_extents(extent, &below, &above);
  if (below && above)
    return sema_format(cx, "%lld or %lld", (long long)below, (long long)above);
  return sema_format(cx, "%lld", (long long)(below ? below : above));
}

static bool tile_extent_fits(SemaContext *cx, Span span, const char *what,
                             uint32_t axis, int64_t extent) {
  if (type_tile_extent_fits(extent))
    return true;
  SEMA_ERROR(cx, span, tile_extent, DU(axis), DS(what), DD(extent),
             DS(near_text(cx, extent)));
  return false;
}

// One dimension alone is too large: whether it is m * 2^k is no matter then.
static bool tile_is_large(SemaContext *cx, Span span, const char *what,
                          uint32_t rank, const int64_t *extents) {
  int64_t most = 0, count = 1;
  for (uint32_t i = 0; i < rank; i++) {
    most = extents[i] > most ? extents[i] : most;
    if (extents[i] > 0 && __builtin_mul_overflow(count, extents[i], &count))
      count = INT64_MAX;
  }
  if (most <= TYPE_MAX_TILE_ELEMENTS)
    return false;
  SEMA_ERROR(cx, span, tile_elements, DS(what), DU((uint64_t)count),
             DU(TYPE_MAX_TILE_ELEMENTS));
  return true;
}

const Type *tile_make_type(SemaContext *cx, Span span, const char *what,
                           const Type *element, uint32_t rank,
                           const int64_t *extents, const Span *spans) {
  HD_ASSERT(element && !type_is(element, TY_TILE));
  uint32_t shape[TYPE_MAX_TILE_RANK];
  uint64_t count = 1;
  if (rank > TYPE_MAX_TILE_RANK) {
    SEMA_ERROR(cx, span, tile_rank, DS(what), DU(rank), DU(TYPE_MAX_TILE_RANK));
    return NULL;
  }
  if (tile_is_large(cx, spans ? spans[0] : span, what, rank, extents))
    return NULL;
  for (uint32_t i = 0; i < rank; i++) {
    if (!tile_extent_fits(cx, spans ? spans[i] : span, what, i, extents[i]))
      return NULL;
    shape[i] = (uint32_t)extents[i];
    if (count <= TYPE_MAX_TILE_ELEMENTS)
      count *= shape[i];
  }
  if (count > TYPE_MAX_TILE_ELEMENTS) {
    SEMA_ERROR(cx, span, tile_elements, DS(what), DU(count),
               DU(TYPE_MAX_TILE_ELEMENTS));
    return NULL;
  }
  return rank ? type_tile(cx->types, element, rank, shape) : element;
}

// --- declarations ---

static bool written_extents(SemaContext *cx, const TypeSyntax *syntax,
                            int64_t *extents, Span *spans, uint32_t *rank) {
  bool is_good = true;
  for (*rank = 0; syntax->kind == TYPE_ARRAY;
       syntax = syntax->u.array.element, ++*rank) {
    const Expr *written = syntax->u.array.extent;
    if (*rank >= TYPE_MAX_TILE_RANK)
      continue; // counted
    spans[*rank] = written ? written->span : syntax->u.array.brackets;
    if (!written) {
      SEMA_ERROR(cx, syntax->u.array.brackets, not_constant,
                 DS("an extent of a tile"));
      is_good = false;
    } else {
      is_good &=
          check_const_int(cx, written, "an extent of a tile", &extents[*rank]);
    }
  }
  return is_good;
}

static const Type *written_element(SemaContext *cx, const TypeSyntax *tile) {
  const Type *element = sema_resolve_element(cx, tile->u.inner, NULL).type;
  if (type_is_poison(element))
    return NULL;
  element = type_underlying(element);
  return tile_check_element(cx, tile->span, element) ? element : NULL;
}

QualType tile_resolve(SemaContext *cx, const TypeSyntax *syntax) {
  const TypeSyntax *tile = syntax;
  QualType poison = sema_plain(sema_basic(cx, TY_POISON));
  while (tile->kind == TYPE_ARRAY)
    tile = tile->u.array.element;
  if (tile->quals & (QUAL_SPACES | QUAL_CLUSTER)) {
    SEMA_ERROR(cx, tile->span, bad_qualifier, DS("a memory space"),
               DS("a tile is a value, which lies in no memory"));
    return poison;
  }
  int64_t extents[TYPE_MAX_TILE_RANK];
  Span spans[TYPE_MAX_TILE_RANK];
  uint32_t rank;
  const Type *element = written_element(cx, tile);
  bool is_good = written_extents(cx, syntax, extents, spans, &rank);
  bool may_stand = !cx->body || tile_check_place(cx, tile->span, "a tile");
  if (!element || !is_good || !may_stand)
    return poison;
  if (rank == 0 && type_is_narrow(element)) {
    SEMA_ERROR(cx, syntax->span, narrow_place, NT(cx, element),
               DS("elements of tiles with one dimension or more"));
    return poison;
  }
  const Type *type = tile_make_type(cx, syntax->span, "this tile", element,
                                    rank, extents, spans);
  if (!type)
    return poison;
  QualType result = sema_plain(type);
  result.is_const = (tile->quals & QUAL_CONST) != 0;
  return result;
}
