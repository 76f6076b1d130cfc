// SPDX-License-Identifier: Apache-2.0
// Views: parts of arrays that functions take as arrays, `f(n, A[lo:n][:])`. A
// row or a whole array that tile code passes is a view, too: what is outside of
// the parameter's extents is outside.
#include "sema/tile.h"

// --- the part of an array ---

static int64_t constant_or(const TExpr *value, int64_t otherwise) {
  return value && expr_is_const(value) ? value->u.value.i : otherwise;
}

static int64_t view_extent(const TSection *view, uint32_t i) {
  const TVar *array = view->array;
  return array->extents ? constant_or(array->extents[i], -1) : -1;
}

static bool view_report_beyond(SemaContext *cx, const TSection *view,
                               uint32_t i, Span span, const char *part) {
  int64_t extent = view_extent(view, i);
  const char *have = extent >= 0
                         ? sema_format(cx, "has %lld", (long long)extent)
                         : "begins at 0";
  SEMA_ERROR(cx, span, view_range, DS(part), DU(i), DS(view->array->name),
             DS(have));
  return false;
}

// 0 <= lo, 0 <= n, lo + n <= extent, as far as they are constants.
static bool check_view_range(SemaContext *cx, const TSection *view,
                             uint32_t i) {
  const TExpr *lo = view->lo[i], *n = view->length[i];
  int64_t extent = view_extent(view, i);
  bool has_lo = expr_is_const(lo), has_n = expr_is_const(n);
  int64_t first = constant_or(lo, 0), count = constant_or(n, 0);
  if (cx->unevaluated)
    return true;
  if (view->is_index[i]) {
    if (!has_lo || (first >= 0 && (extent < 0 || first < extent)))
      return true;
    return view_report_beyond(
        cx, view, i, lo->span,
        sema_format(cx, "takes index %lld", (long long)first));
  }
  bool is_good = first >= 0 && count >= 0 &&
                 (extent < 0 || (first <= extent && count <= extent - first));
  if (is_good)
    return true;
  Span span = {lo->span.begin, n->span.end};
  const char *part =
      has_lo && has_n
          ? sema_format(cx, "takes %lld element%s from %lld", (long long)count,
                        text_plural(count), (long long)first)
      : has_lo ? sema_format(cx, "begins at %lld", (long long)first)
               : sema_format(cx, "has %lld element%s", (long long)count,
                             text_plural(count));
  return view_report_beyond(cx, view, i,
                            has_lo && has_n ? span
                            : has_lo        ? lo->span
                                            : n->span,
                            part);
}

// The type of an array with the dimensions that have no index.
static const Type *view_type(SemaContext *cx, const TSection *view) {
  const Type *type = view->array->element;
  for (uint32_t i = view->rank; i-- > 0;)
    if (!view->is_index[i])
      type = type_array(cx->types, type, constant_or(view->length[i], -1));
  return type;
}

static TExpr *view_place(SemaContext *cx, TSection *view) {
  for (uint32_t i = 0; i < view->rank; i++) {
    if (is_tile(view->lo[i])) {
      SEMA_ERROR(cx, view->lo[i]->span, subscript_type,
                 NT(cx, view->lo[i]->type));
      return build_poison(cx, view->span);
    }
    if (!check_view_range(cx, view, i))
      return build_poison(cx, view->span);
  }
  if (!tile_check_packed_view(cx, view))
    return build_poison(cx, view->span);
  TExpr *place = build_expr(cx, TEXPR_SECTION, view_type(cx, view), view->span);
  place->is_lvalue = true;
  place->is_const_place = view->array->is_const || view->array->is_read_only;
  place->u.section = view;
  view->array->is_read = true;
  return place;
}

TExpr *tile_check_view(SemaContext *cx, const Expr *expr) {
  TSection *view = ARENA_NEW(cx->arena, TSection);
  if (!check_section_base(cx, expr) || !check_section(cx, expr, view))
    return build_poison(cx, expr->span);
  return view_place(cx, view);
}

TExpr *tile_row_view(SemaContext *cx, TExpr *array) {
  TSection *view = tile_row_section(cx, array);
  if (!view)
    return NULL;
  const TVar *var = view->array;
  const Type *index = sema_basic(cx, TY_LONG), *type = var->type;
  for (uint32_t i = 0; i < view->rank; i++, type = type->u.array.element) {
    if (view->is_index[i])
      continue;
    view->length[i] =
        var->extents && var->extents[i]
            ? var->extents[i]
            : build_int(cx, index, type->u.array.extent, view->span);
  }
  return view_place(cx, view);
}

// --- what takes it ---

static const char *dimensions(SemaContext *cx, uint32_t rank) {
  return sema_format(cx, "%u dimension%s", rank, text_plural(rank));
}

static TExpr *refuse_view(SemaContext *cx, const TExpr *value, const char *what,
                          const char *have, const TVar *param,
                          const char *want) {
  SEMA_ERROR(cx, value->span, view_shape, DS(what), DS(have), DS(param->name),
             DS(want));
  return build_poison(cx, value->span);
}

// Constant extents are equal; of others the launch tells.
static bool same_extents(SemaContext *cx, const TExpr *value, const char *what,
                         const TVar *param) {
  const Type *type = value->type;
  for (uint32_t i = 0; i < param->rank; i++, type = type->u.array.element) {
    int64_t have = type->u.array.extent;
    int64_t want = constant_or(param->extents[i], -1);
    if (have < 0 || want < 0 || have == want)
      continue;
    refuse_view(cx, value, what,
                sema_format(cx, "%lld element%s in dimension %u",
                            (long long)have, text_plural(have), i),
                param, sema_format(cx, "%lld", (long long)want));
    return false;
  }
  return true;
}

TExpr *tile_pass_view(SemaContext *cx, const TVar *param, TExpr *value,
                      const char *what) {
  uint32_t rank;
  const Type *element = type_array_base(value->type, &rank);
  if (type_is_poison(param->type))
    return build_poison(cx, value->span);
  if (param->kind != TVAR_ARG_ARRAY || rank != param->rank)
    return refuse_view(cx, value, what, dimensions(cx, rank), param,
                       dimensions(cx, param->rank));
  if (element != param->element)
    return refuse_view(
        cx, value, what,
        sema_format(cx, "elements of '%s'", sema_type_name(cx, element)), param,
        sema_format(cx, "'%s'", sema_type_name(cx, param->element)));
  if (value->is_const_place && !param->is_const) {
    SEMA_ERROR(cx, value->span, drops_const, DS(what),
               NT(cx, type_pointer(cx->types, element, TSPACE_GLOBAL, true)),
               NT(cx, type_pointer(cx->types, element, TSPACE_GLOBAL, false)));
    return build_poison(cx, value->span);
  }
  return same_extents(cx, value, what, param) ? value
                                              : build_poison(cx, value->span);
}
