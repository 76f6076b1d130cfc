// SPDX-License-Identifier: Apache-2.0
// Sections of arrays as places of tiles.
#include "sema/tile.h"

#include "base/panic.h"

// --- the tile of a section ---

static bool section_length(SemaContext *cx, const TSection *section, uint32_t i,
                           int64_t *length, Span *span) {
  const TExpr *value = section->length[i];
  bool is_written = value->span.begin >= section->span.begin &&
                    value->span.end <= section->span.end;
  *span = is_written ? value->span : section->span;
  if (expr_is_const(value)) {
    *length = value->u.value.i;
    return true;
  }
  SEMA_ERROR(
      cx, *span, not_constant,
      DS(sema_format(cx, "the length of dimension %u of this section", i)));
  return false;
}

TExpr *tile_index(SemaContext *cx, TExpr *value) {
  value = tile_row(cx, value);
  if (!is_tile(value))
    return NULL;
  const Type *element = value->type->u.tile.element;
  if (type_is_integer(element) && element->kind != TY_BOOL)
    return tile_convert_elements(cx, value, sema_basic(cx, TY_LONG));
  SEMA_ERROR(cx, value->span, subscript_type, NT(cx, value->type));
  return build_poison(cx, value->span);
}

// Index tiles get one shape, which is returned; NULL: there are none, or they
// don't fit (reported, and *is_good is false).
static const Type *index_shape(SemaContext *cx, TSection *section,
                               bool *is_good) {
  TExpr *tiles[8];
  uint32_t count = 0;
  for (uint32_t i = 0; i < section->rank; i++)
    if (is_tile(section->lo[i]))
      tiles[count++] = section->lo[i];
  *is_good = true;
  if (count == 0)
    return NULL;
  const Type *type = tile_common_shape(cx, section->array->name, tiles, count,
                                       sema_basic(cx, TY_LONG), section->span);
  *is_good = type != NULL;
  for (uint32_t i = 0; type && i < section->rank; i++)
    if (is_tile(section->lo[i]))
      section->lo[i] = tile_broadcast(cx, section->lo[i], type);
  return type;
}

static const Type *section_type(SemaContext *cx, TSection *section) {
  int64_t extents[8 + TYPE_MAX_TILE_RANK];
  Span spans[8 + TYPE_MAX_TILE_RANK];
  uint32_t rank = 0;
  bool is_good;
  const Type *element = type_underlying(section->array->element);
  const Type *gathered = index_shape(cx, section, &is_good);
  if (!is_good)
    return NULL;
  for (uint32_t i = 0; i < section->rank; i++)
    if (is_tile(section->lo[i])) {
      for (uint32_t k = 0; gathered && k < gathered->u.tile.rank; k++) {
        spans[rank] = section->span;
        extents[rank++] = gathered->u.tile.extents[k];
      }
      gathered = NULL;
    } else if (!section->is_index[i]) {
      if (!section_length(cx, section, i, &extents[rank], &spans[rank]))
        return NULL;
      rank++;
    }
  if (type_is(element, TY_STRUCT)) {
    tile_refuse_struct(
        cx, section->span, element,
        "an array of structs has no sections: use one array for each member");
    return NULL;
  }
  if (!tile_check_element(cx, section->span, element))
    return NULL;
  return tile_make_type(cx, section->span, "this section", element, rank,
                        extents, spans);
}

static bool is_const_array(const TVar *array) {
  return array->is_const || array->is_read_only;
}

static TExpr *section_place(SemaContext *cx, TSection *section,
                            const Type *type) {
  TExpr *place = build_expr(cx, TEXPR_SECTION, type, section->span);
  place->is_lvalue = true;
  place->is_const_place = is_const_array(section->array);
  place->u.section = section;
  section->array->is_read = true;
  return place;
}

TExpr *tile_check_section(SemaContext *cx, const Expr *expr) {
  TSection *section = ARENA_NEW(cx->arena, TSection);
  if (!tile_check_place(cx, expr->span, "a section used as a value") ||
      !check_section_base(cx, expr) || !check_section(cx, expr, section))
    return build_poison(cx, expr->span);
  const Type *type = section_type(cx, section);
  if (!type)
    return build_poison(cx, expr->span);
  return section_place(cx, section, type);
}

// --- rows ---

// What `n_given` indices select of the array, with the lengths of those.
static TSection *indexed_section(SemaContext *cx, TVar *array, TExpr **indices,
                                 uint32_t n_given, Span span) {
  const Type *index = sema_basic(cx, TY_LONG);
  TSection *section = ARENA_NEW(cx->arena, TSection);
  *section = (TSection){.array = array, .rank = array->rank, .span = span};
  section->lo = ARENA_ARRAY(cx->arena, TExpr *, array->rank);
  section->length = ARENA_ARRAY(cx->arena, TExpr *, array->rank);
  section->is_index = ARENA_ARRAY(cx->arena, bool, array->rank);
  for (uint32_t i = 0; i < array->rank; i++) {
    section->is_index[i] = i < n_given;
    section->lo[i] = i < n_given ? indices[i] : build_int(cx, index, 0, span);
    if (i < n_given)
      section->length[i] = build_int(cx, index, 1, span);
  }
  return section;
}

TSection *tile_row_section(SemaContext *cx, TExpr *array) {
  bool is_row = array->kind == TEXPR_INDEX;
  const TExpr *base = is_row ? array->u.index.base : array;
  if (!is_tile_code(cx) || !type_is(array->type, TY_ARRAY) ||
      base->kind != TEXPR_VAR)
    return NULL;
  return indexed_section(cx, base->u.var,
                         is_row ? array->u.index.indices : NULL,
                         is_row ? array->u.index.n_indices : 0, array->span);
}

// The place of all that its indices select; NULL: an extent isn't constant.
static TExpr *whole_place(SemaContext *cx, TSection *section) {
  const Type *index = sema_basic(cx, TY_LONG), *type = section->array->type;
  for (uint32_t i = 0; i < section->rank; i++, type = type->u.array.element) {
    if (section->is_index[i])
      continue;
    if (type->u.array.extent < 0)
      return NULL;
    section->length[i] =
        build_int(cx, index, type->u.array.extent, section->span);
  }
  const Type *tile = section_type(cx, section);
  return tile ? section_place(cx, section, tile)
              : build_poison(cx, section->span);
}

TExpr *tile_row_place(SemaContext *cx, TExpr *array) {
  TSection *section = tile_row_section(cx, array);
  return section ? whole_place(cx, section) : NULL;
}

TExpr *tile_row(SemaContext *cx, TExpr *value) {
  const TExpr *at = value;
  while (at->kind == TEXPR_CONVERT && type_is(at->type, TY_POINTER))
    at = at->u.operand;
  if (!is_tile_code(cx) || at->kind != TEXPR_ADDR ||
      at->u.operand->kind != TEXPR_INDEX)
    return value;
  const TExpr *first = at->u.operand, *base = first->u.index.base;
  if (first->u.index.n_written == first->u.index.n_indices ||
      base->kind != TEXPR_VAR || !type_is(base->type, TY_ARRAY))
    return value;
  TExpr *place =
      whole_place(cx, indexed_section(cx, base->u.var, first->u.index.indices,
                                      first->u.index.n_written, value->span));
  return place ? convert_to_value(cx, place) : value;
}

bool tile_check_loaded(SemaContext *cx, const TExpr *place) {
  if (place->kind != TEXPR_SECTION || !place->u.section->store_hint)
    return true;
  SEMA_ERROR(cx, place->span, not_a_value,
             DS(sema_source_text(cx, place->span)),
             DS("a place with a hint for stores"));
  return false;
}

// --- elements ---

TExpr *tile_refuse_element(SemaContext *cx, const Expr *expr, TExpr *tile) {
  const char *name = sema_source_text(cx, tile->span);
  SEMA_ERROR(cx, expr->span, tile_element_access,
             DS(cx->assigned == expr ? "assigned" : "read"), DS(name),
             DS(cx->assigned == expr
                    ? "assign a new tile, made by insert(…) or where(…)"
                    : "take a part by extract(…), or reduce it"));
  return build_poison(cx, expr->span);
}

// --- pad, masked, unchecked, and hints ---

static TExpr *around_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

TExpr *tile_section_place(SemaContext *cx, TExpr *place) {
  if (place->kind == TEXPR_SECTION)
    return place;
  if (!is_tile_code(cx))
    return NULL;
  return expr_is_poison(place) ? place : tile_row_place(cx, place);
}

// Argument 0 as the place of a section; NULL: reported.
static const TExpr *around_place(const BuiltinCall *call) {
  TExpr *place = check_expr(call->cx, call->args->data[0]);
  if (expr_is_poison(place))
    return NULL;
  TExpr *row = tile_section_place(call->cx, place);
  if (!row)
    builtin_refuse_type(call, 0, place->type, "a section of an array");
  return row && !expr_is_poison(row) ? row : NULL;
}

TExpr *tile_around(const BuiltinCall *call, const TExpr *place) {
  HD_ASSERT(place->kind == TEXPR_SECTION);
  TSection *section = ARENA_NEW(call->cx->arena, TSection);
  *section = *place->u.section;
  TExpr *result = build_expr(call->cx, TEXPR_SECTION, place->type, call->span);
  result->is_lvalue = true;
  result->is_const_place = place->is_const_place;
  result->u.section = section;
  return result;
}

bool tile_around_once(const BuiltinCall *call, bool is_there) {
  if (is_there)
    SEMA_ERROR(call->cx, call->span, tile_around, DS(call->name));
  return !is_there;
}

static bool add_pad(const BuiltinCall *call, TSection *section,
                    const Type *element) {
  if (!tile_around_once(call, section->outside != NULL))
    return false;
  section->outside =
      tile_scalar(call->cx, check_value(call->cx, call->args->data[1]), element,
                  "the value of 'pad'");
  return !expr_is_poison(section->outside);
}

static bool add_mask(const BuiltinCall *call, TSection *section,
                     const Type *type) {
  SemaContext *cx = call->cx;
  if (!tile_around_once(call, section->mask != NULL))
    return false;
  const Type *masks = type_tile_of(cx->types, type, sema_basic(cx, TY_BOOL));
  TExpr *mask = tile_row(cx, check_value(cx, call->args->data[1]));
  if (expr_is_poison(mask))
    return false;
  mask = tile_to_bool(cx, mask);
  section->mask = expr_is_poison(mask)
                      ? mask
                      : tile_assign(cx, mask, masks, "the mask of 'masked'");
  return !expr_is_poison(section->mask);
}

// pad(A[…], value), masked(A[…], mask), unchecked(A[…]), in any order.
TExpr *tile_rule_around(const BuiltinCall *call) {
  Builtin id = call->builtin->id;
  uint32_t n_args = id == BI_TILE_AROUND_UNCHECKED ? 1 : 2;
  const TExpr *place =
      builtin_takes(call, n_args, n_args) ? around_place(call) : NULL;
  if (!place)
    return around_poison(call);
  TExpr *result = tile_around(call, place);
  TSection *section = result->u.section;
  bool is_good = true;
  if (id == BI_TILE_AROUND_PAD)
    is_good = add_pad(call, section, place->type->u.tile.element);
  else if (id == BI_TILE_AROUND_MASKED)
    is_good = add_mask(call, section, place->type);
  else
    is_good = tile_around_once(call, section->is_unchecked);
  section->is_unchecked |= id == BI_TILE_AROUND_UNCHECKED;
  return is_good ? result : around_poison(call);
}
