// SPDX-License-Identifier: Apache-2.0
// What a thread holds of a tile: local(t), local_index(t, i, axis), and tiles
// made of that, from_local(L, x, d…).
#include "sema/tile.h"

#define MOST_REGISTERS 1024

static bool local_check_place(const BuiltinCall *call) {
  return tile_check_threads(call->cx, call->span,
                            sema_format(call->cx, "'%s'", call->name));
}

// The layout that the program states for the tile; NULL: reported.
static const TileLayout *local_layout(const BuiltinCall *call, TExpr *tile) {
  const TExpr *from = tile->kind == TEXPR_LOAD ? tile->u.operand : tile;
  const TileLayout *layout = NULL;
  if (from->kind == TEXPR_VAR)
    layout = from->u.var->tile_layout;
  else if (from->kind == TEXPR_BUILTIN &&
           from->u.builtin.id == BI_TILE_RELAYOUT)
    layout = from->u.builtin.tile->layout;
  if (!layout) {
    const char *what = from->kind == TEXPR_VAR
                           ? sema_format(call->cx, "'%s'", from->u.var->name)
                           : "its tile";
    SEMA_ERROR(call->cx, tile->span, tile_no_layout, DS(call->name), DS(what),
               DS(tile_suggest_layout(call->cx, tile->type)));
  }
  return layout;
}

// The tile that argument 0 is, whose elements are numbers; NULL: reported.
static TExpr *local_tile(const BuiltinCall *call, const TileLayout **layout) {
  TExpr *tile = tile_argument(call, 0);
  if (!tile)
    return NULL;
  if (type_is_narrow(tile->type->u.tile.element)) {
    builtin_refuse_type(call, 0, tile->type,
                        "a tile of numbers that threads can have: cast it");
    return NULL;
  }
  *layout = local_layout(call, tile);
  return *layout ? tile : NULL;
}

static bool local_is_few(const BuiltinCall *call, uint32_t n) {
  if (n <= MOST_REGISTERS)
    return true;
  SEMA_ERROR(call->cx, call->span, too_large,
             DS(sema_format(call->cx, "what a thread holds (%u elements)", n)),
             DU(MOST_REGISTERS));
  return false;
}

static TExpr *local_build(const BuiltinCall *call, Builtin id, const Type *type,
                          const TileLayout *layout, TExpr *tile, TExpr *index) {
  BuiltinName name = *call->builtin;
  BuiltinCall made = *call;
  name.id = id;
  made.builtin = &name;
  TExpr **args = ARENA_ARRAY(call->cx->arena, TExpr *, 2);
  args[0] = tile;
  args[1] = index;
  TTileArgs tile_args = {.layout = layout};
  return tile_build(&made, type, args, 2, &tile_args);
}

TExpr *tile_rule_local(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const TileLayout *layout = NULL;
  if (!builtin_takes(call, 1, 1) || !local_check_place(call))
    return build_poison(cx, call->span);
  TExpr *tile = local_tile(call, &layout);
  if (!tile || !local_is_few(call, layout_count(layout, PLACE_REGISTER)))
    return build_poison(cx, call->span);
  uint32_t n = layout_count(layout, PLACE_REGISTER);
  const Type *element = tile->type->u.tile.element;
  TExpr *all = build_expr(cx, TEXPR_AGGREGATE,
                          type_array(cx->types, element, n), call->span);
  all->u.aggregate.parts = ARENA_ARRAY(cx->arena, TInit, n);
  all->u.aggregate.n_parts = n;
  for (uint32_t i = 0; i < n; i++) {
    TExpr *index = build_int(cx, sema_basic(cx, TY_INT), i, call->span);
    all->u.aggregate.parts[i].offset_bytes = i * element->size_bytes;
    all->u.aggregate.parts[i].value =
        local_build(call, BI_TILE_LOCAL, element, layout, tile, index);
  }
  return all;
}

static const TExpr *local_first(const TExpr *value) {
  if (value->kind != TEXPR_AGGREGATE || value->u.aggregate.n_parts == 0)
    return NULL;
  const TExpr *first = value->u.aggregate.parts[0].value;
  return first->kind == TEXPR_BUILTIN && first->u.builtin.id == BI_TILE_LOCAL
             ? first
             : NULL;
}

bool tile_is_local(const TExpr *value) {
  return local_first(value) != NULL;
}

TExpr *tile_local_element(SemaContext *cx, const TExpr *array, TExpr *index,
                          Span span) {
  const TExpr *first = local_first(array);
  if (!first || !type_is(array->type, TY_ARRAY) || expr_is_poison(index))
    return NULL;
  int64_t extent = array->type->u.array.extent;
  if (expr_is_const(index) &&
      (index->u.value.i < 0 || index->u.value.i >= extent)) {
    SEMA_ERROR(cx, index->span, subscript_range, DD(index->u.value.i),
               DS("local"), DD(extent));
    return build_poison(cx, span);
  }
  TExpr *element = ARENA_NEW(cx->arena, TExpr);
  *element = *first;
  element->span = span;
  element->u.builtin.args = ARENA_ARRAY(cx->arena, TExpr *, 2);
  element->u.builtin.args[0] = first->u.builtin.args[0];
  element->u.builtin.args[1] =
      build_convert(cx, index, sema_basic(cx, TY_LONG));
  return element;
}

TExpr *tile_rule_local_index(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const TileLayout *layout = NULL;
  TExpr *tile = NULL;
  uint32_t axis;
  if (builtin_takes(call, 3, 3) && local_check_place(call))
    tile = local_tile(call, &layout);
  if (!tile || !tile_axis(call, call->args->data[2], layout->rank, &axis))
    return build_poison(cx, call->span);
  TExpr *index = check_value(cx, call->args->data[1]);
  if (expr_is_poison(index))
    return index;
  if (!type_is_integer(index->type))
    return builtin_refuse_type(call, 1, index->type, "an integer");
  int64_t count = layout_count(layout, PLACE_REGISTER);
  if (expr_is_const(index) &&
      (index->u.value.i < 0 || index->u.value.i >= count)) {
    SEMA_ERROR(cx, index->span, subscript_range, DD(index->u.value.i),
               DS("local"), DD(count));
    return build_poison(cx, call->span);
  }
  TExpr **args = ARENA_ARRAY(cx->arena, TExpr *, 1);
  args[0] = build_convert(cx, index, sema_basic(cx, TY_LONG));
  TTileArgs tile_args = {.layout = layout, .axis = axis};
  return tile_build(call, sema_basic(cx, TY_INT), args, 1, &tile_args);
}

// ----------------------------------------------------------------- from_local

// The array of argument 1: n elements; NULL: reported.
static TExpr *local_array(const BuiltinCall *call) {
  TExpr *array = check_expr(call->cx, call->args->data[1]);
  if (expr_is_poison(array))
    return NULL;
  bool is_array = type_is(array->type, TY_ARRAY) && array->is_lvalue &&
                  tile_is_element(array->type->u.array.element) &&
                  !type_is_narrow(array->type->u.array.element);
  if (is_array)
    return array;
  builtin_refuse_type(call, 1, array->type, "an array of numbers");
  return NULL;
}

static TExpr **local_values(const BuiltinCall *call, TExpr *array, uint32_t n) {
  SemaContext *cx = call->cx;
  TExpr **values = ARENA_ARRAY(cx->arena, TExpr *, n);
  for (uint32_t i = 0; i < n; i++) {
    TExpr *index = build_int(cx, sema_basic(cx, TY_LONG), i, array->span);
    values[i] = build_load(cx, build_index(cx, array, index, array->span));
  }
  return values;
}

static bool local_has_count(const BuiltinCall *call, const TExpr *array,
                            const TileLayout *layout) {
  int64_t n = layout_count(layout, PLACE_REGISTER);
  if (array->type->u.array.extent == n)
    return true;
  SEMA_ERROR(call->cx, array->span, tile_local_count, DS(call->name),
             DD(array->type->u.array.extent), DD(n));
  return false;
}

TExpr *tile_rule_from_local(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  LayoutSpec spec;
  if (!builtin_takes(call, 3, 2 + TYPE_MAX_TILE_RANK) ||
      !local_check_place(call))
    return build_poison(cx, call->span);
  TExpr *array = local_array(call);
  ExprList part = {&call->args->data[0], 1};
  if (!array || !tile_read_layout(cx, &part, call->name, 1, &spec))
    return build_poison(cx, call->span);
  const Type *type =
      tile_extents(call, 2, 0, type_underlying(array->type->u.array.element));
  if (!type)
    return build_poison(cx, call->span);
  TTileArgs args = {0};
  args.layout =
      tile_fit_layout(cx, &spec, type, part.data[0]->span, "this tile");
  if (!args.layout || !local_has_count(call, array, args.layout) ||
      !local_is_few(call, layout_count(args.layout, PLACE_REGISTER)))
    return build_poison(cx, call->span);
  uint32_t n = layout_count(args.layout, PLACE_REGISTER);
  return tile_build(call, type, local_values(call, array, n), n, &args);
}
