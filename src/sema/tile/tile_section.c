// SPDX-License-Identifier: Apache-2.0
// Sections of arrays as places of tiles.
#include "sema/tile.h"

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

static const Type *section_type(SemaContext *cx, const TSection *section) {
  int64_t extents[8];
  Span spans[8];
  uint32_t rank = 0;
  const Type *element = type_underlying(section->array->element);
  for (uint32_t i = 0; i < section->rank; i++)
    if (!section->is_index[i]) {
      if (!section_length(cx, section, i, &extents[rank], &spans[rank]))
        return NULL;
      rank++;
    }
  if (!tile_is_element(element)) {
    SEMA_ERROR(cx, section->span, tile_element, NT(cx, element));
    return NULL;
  }
  return tile_make_type(cx, section->span, "this section", element, rank,
                        extents, spans);
}

static bool is_const_array(const TVar *array) {
  return array->is_const || array->is_read_only;
}

TExpr *tile_check_section(SemaContext *cx, const Expr *expr) {
  TSection *section = ARENA_NEW(cx->arena, TSection);
  if (!tile_check_place(cx, expr->span, "a section used as a value") ||
      !check_section_base(cx, expr) || !check_section(cx, expr, section))
    return build_poison(cx, expr->span);
  const Type *type = section_type(cx, section);
  if (!type)
    return build_poison(cx, expr->span);
  TExpr *place = build_expr(cx, TEXPR_SECTION, type, expr->span);
  place->is_lvalue = true;
  place->is_const_place = is_const_array(section->array);
  place->u.section = section;
  section->array->is_read = true;
  return place;
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
