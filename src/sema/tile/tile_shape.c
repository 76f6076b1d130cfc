// SPDX-License-Identifier: Apache-2.0
// Operations that move elements of tiles.
#include "sema/tile.h"

static TExpr *tile_shape_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- another shape ---

TExpr *tile_rule_reshape(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1 + TYPE_MAX_TILE_RANK))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  const Type *type =
      value ? tile_extents(call, 1, 0, value->type->u.tile.element) : NULL;
  if (!type)
    return tile_shape_poison(call);
  uint32_t have = type_tile_count(value->type), want = type_tile_count(type);
  if (have == want)
    return tile_build(call, type, &value, 1, NULL);
  SEMA_ERROR(cx, call->span, tile_count, NT(cx, value->type), DU(have),
             NT(cx, type), DU(want));
  return tile_shape_poison(call);
}

TExpr *tile_rule_broadcast(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 1 + TYPE_MAX_TILE_RANK))
    return tile_shape_poison(call);
  TExpr *value = tile_row(cx, check_value(cx, call->args->data[0]));
  if (expr_is_poison(value))
    return value;
  const Type *element = type_underlying(type_tile_element(value->type));
  if (!tile_is_movable(element))
    return builtin_refuse_type(call, 0, value->type, "a tile or a number");
  if (!tile_check_element(cx, value->span, element))
    return tile_shape_poison(call);
  const Type *type = tile_extents(call, 1, 0, element);
  return type ? tile_assign(cx, value, type, "the operand of 'broadcast'")
              : tile_shape_poison(call);
}

// A dimension of extent 1 that stands at `axis` of the result.
TExpr *tile_rule_expand(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  uint32_t axis;
  if (!value || !tile_axis(call, call->args->data[1],
                           value->type->u.tile.rank + 1, &axis))
    return tile_shape_poison(call);
  const Type *from = value->type;
  int64_t extents[TYPE_MAX_TILE_RANK + 1];
  for (uint32_t i = 0, k = 0; i <= from->u.tile.rank; i++)
    extents[i] = i == axis ? 1 : from->u.tile.extents[k++];
  const Type *type = tile_make_type(cx, call->span, "the result of 'expand'",
                                    from->u.tile.element, from->u.tile.rank + 1,
                                    extents, NULL);
  return type ? tile_build(call, type, &value, 1, NULL)
              : tile_shape_poison(call);
}

// --- permutations ---

static bool permutation(const BuiltinCall *call, uint32_t rank,
                        TTileArgs *tile) {
  SemaContext *cx = call->cx;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t axis;
    if (!tile_axis(call, call->args->data[1 + i], rank, &axis))
      return false;
    if (seen >> axis & 1) {
      SEMA_ERROR(cx, call->args->data[1 + i]->span, tile_axis_twice,
                 DS(call->name), DU(axis));
      return false;
    }
    seen |= 1u << axis;
    tile->numbers[i] = axis;
  }
  return true;
}

static void last_two_exchanged(uint32_t rank, TTileArgs *tile) {
  for (uint32_t i = 0; i < rank; i++)
    tile->numbers[i] = i;
  tile->numbers[rank - 2] = rank - 1;
  tile->numbers[rank - 1] = rank - 2;
}

TExpr *tile_rule_permute(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  bool is_transpose = call->builtin->id == BI_TILE_TRANSPOSE;
  if (!builtin_takes(call, is_transpose ? 1 : 2,
                     is_transpose ? 1 : 1 + TYPE_MAX_TILE_RANK))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  if (!value)
    return tile_shape_poison(call);
  const Type *from = value->type;
  uint32_t rank = from->u.tile.rank, extents[TYPE_MAX_TILE_RANK];
  TTileArgs tile = {.n_numbers = rank};
  if (is_transpose && rank < 2) {
    SEMA_ERROR(cx, value->span, tile_matrix, DU(1), DS(call->name),
               NT(cx, from));
    return tile_shape_poison(call);
  }
  if (!is_transpose && !builtin_takes(call, 1 + rank, 1 + rank))
    return tile_shape_poison(call);
  if (is_transpose)
    last_two_exchanged(rank, &tile);
  else if (!permutation(call, rank, &tile))
    return tile_shape_poison(call);
  for (uint32_t i = 0; i < rank; i++)
    extents[i] = from->u.tile.extents[tile.numbers[i]];
  const Type *type = type_tile(cx->types, from->u.tile.element, rank, extents);
  return tile_build(call, type, &value, 1, &tile);
}

// --- parts together ---

// All arguments but the last, with one element type; NULL: reported.
static TExpr **tile_pieces(const BuiltinCall *call, uint32_t *count) {
  SemaContext *cx = call->cx;
  *count = call->args->count - 1;
  TExpr **pieces = ARENA_ARRAY(cx->arena, TExpr *, *count);
  bool is_good = true;
  for (uint32_t i = 0; i < *count; i++)
    is_good &= (pieces[i] = tile_moved_argument(call, i)) != NULL;
  const Type *element = is_good ? tile_common_element(cx, call->name, pieces,
                                                      *count, true, call->span)
                                : NULL;
  for (uint32_t i = 0; element && i < *count; i++)
    pieces[i] = tile_convert_elements(cx, pieces[i], element);
  return element ? pieces : NULL;
}

// All pieces have the first one's extents, but along `axis`.
static bool pieces_fit(const BuiltinCall *call, TExpr **pieces, uint32_t count,
                       uint32_t axis) {
  const Type *first = pieces[0]->type;
  for (uint32_t i = 1; i < count; i++) {
    const Type *type = pieces[i]->type;
    if (type->u.tile.rank != first->u.tile.rank) {
      SEMA_ERROR(call->cx, pieces[i]->span, tile_ranks, DS(call->name),
                 NT(call->cx, first), NT(call->cx, type),
                 DU(first->u.tile.rank), DU(type->u.tile.rank));
      return false;
    }
    for (uint32_t k = 0; k < first->u.tile.rank; k++) {
      if (k == axis || type->u.tile.extents[k] == first->u.tile.extents[k])
        continue;
      SEMA_ERROR(call->cx, pieces[i]->span, tile_shapes, DS(call->name),
                 NT(call->cx, first), NT(call->cx, type), DU(k),
                 DD(first->u.tile.extents[k]), DD(type->u.tile.extents[k]));
      return false;
    }
  }
  return true;
}

static TExpr *make_cat(const BuiltinCall *call, TExpr **pieces, uint32_t count,
                       uint32_t axis) {
  SemaContext *cx = call->cx;
  const Type *first = pieces[0]->type;
  int64_t extents[TYPE_MAX_TILE_RANK] = {0};
  for (uint32_t k = 0; k < first->u.tile.rank; k++)
    extents[k] = first->u.tile.extents[k];
  for (uint32_t i = 1; i < count; i++)
    extents[axis] += pieces[i]->type->u.tile.extents[axis];
  const Type *type = tile_make_type(
      cx, call->span, sema_format(cx, "the result of '%s'", call->name),
      first->u.tile.element, first->u.tile.rank, extents, NULL);
  TTileArgs tile = {.axis = axis};
  return type ? tile_build(call, type, pieces, count, &tile)
              : tile_shape_poison(call);
}

TExpr *tile_rule_cat(const BuiltinCall *call) {
  uint32_t count, axis;
  if (!builtin_takes(call, 2, 64))
    return tile_shape_poison(call);
  TExpr **pieces = tile_pieces(call, &count);
  if (!pieces ||
      !tile_axis(call, call->args->data[count], pieces[0]->type->u.tile.rank,
                 &axis) ||
      !pieces_fit(call, pieces, count, axis))
    return tile_shape_poison(call);
  return make_cat(call, pieces, count, axis);
}

// Each piece gets a dimension of extent 1, along which they are joined.
TExpr *tile_rule_stack(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t count, axis;
  if (!builtin_takes(call, 2, 64))
    return tile_shape_poison(call);
  TExpr **pieces = tile_pieces(call, &count);
  if (!pieces ||
      !tile_axis(call, call->args->data[count],
                 pieces[0]->type->u.tile.rank + 1, &axis) ||
      !pieces_fit(call, pieces, count, UINT32_MAX))
    return tile_shape_poison(call);
  const Type *from = pieces[0]->type;
  int64_t extents[TYPE_MAX_TILE_RANK + 1];
  for (uint32_t i = 0, k = 0; i <= from->u.tile.rank; i++)
    extents[i] = i == axis ? 1 : from->u.tile.extents[k++];
  const Type *type = tile_make_type(cx, call->span, "the result of 'stack'",
                                    from->u.tile.element, from->u.tile.rank + 1,
                                    extents, NULL);
  if (!type)
    return tile_shape_poison(call);
  BuiltinName name = {"reshape", BI_TILE_RESHAPE, TY_POISON};
  BuiltinCall reshape = *call;
  reshape.builtin = &name;
  for (uint32_t i = 0; i < count; i++)
    pieces[i] = tile_build(&reshape, type, &pieces[i], 1, NULL);
  return make_cat(call, pieces, count, axis);
}

// --- parts of a tile ---

// A part from `numbers` on with these extents lies inside of the whole.
static bool part_fits(const BuiltinCall *call, const Type *whole,
                      const TTileArgs *tile, const int64_t *lengths) {
  for (uint32_t i = 0; i < whole->u.tile.rank; i++) {
    int64_t begin = tile->numbers[i], extent = whole->u.tile.extents[i];
    if (begin >= 0 && begin <= extent && lengths[i] <= extent - begin)
      continue;
    int64_t last;
    if (__builtin_add_overflow(begin, lengths[i] - 1, &last))
      last = INT64_MAX;
    SEMA_ERROR(call->cx, call->span, tile_part, DS(call->name), DD(begin),
               DD(last), DU(i), DD(extent));
    return false;
  }
  return true;
}

// split(t, n, axis, i): part i of n
TExpr *tile_rule_split(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 4, 4))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  int64_t n, i, extents[TYPE_MAX_TILE_RANK];
  uint32_t axis;
  if (!value || !tile_constant(call, 1, "the number of parts", &n) ||
      !tile_axis(call, call->args->data[2], value->type->u.tile.rank, &axis) ||
      !tile_constant(call, 3, "the number of the part", &i))
    return tile_shape_poison(call);
  const Type *from = value->type;
  uint32_t rank = from->u.tile.rank, extent = from->u.tile.extents[axis];
  if (n < 1 || extent % n != 0) {
    SEMA_ERROR(cx, call->args->data[1]->span, tile_split, DU(axis), DU(extent),
               DD(n));
    return tile_shape_poison(call);
  }
  for (uint32_t k = 0; k < rank; k++)
    extents[k] = k == axis ? extent / n : from->u.tile.extents[k];
  TTileArgs tile = {.n_numbers = rank};
  tile.numbers[axis] = i > INT32_MAX || i < 0 ? i : i * extents[axis];
  const Type *type =
      part_fits(call, from, &tile, extents)
          ? tile_make_type(cx, call->span, "this part", from->u.tile.element,
                           rank, extents, NULL)
          : NULL;
  return type ? tile_build(call, type, &value, 1, &tile)
              : tile_shape_poison(call);
}

static bool tile_offsets(const BuiltinCall *call, uint32_t first, uint32_t rank,
                         TTileArgs *tile) {
  tile->n_numbers = rank;
  for (uint32_t i = 0; i < rank; i++)
    if (!tile_constant(call, first + i, "an offset in a tile",
                       &tile->numbers[i]))
      return false;
  return true;
}

// extract(t, offset…, length…)
TExpr *tile_rule_extract(const BuiltinCall *call) {
  if (!builtin_takes(call, 3, 1 + 2 * TYPE_MAX_TILE_RANK))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  uint32_t rank = value ? value->type->u.tile.rank : 0;
  TTileArgs tile = {0};
  if (!value || !builtin_takes(call, 1 + 2 * rank, 1 + 2 * rank) ||
      !tile_offsets(call, 1, rank, &tile))
    return tile_shape_poison(call);
  const Type *type =
      tile_extents(call, 1 + rank, 0, value->type->u.tile.element);
  int64_t lengths[TYPE_MAX_TILE_RANK];
  for (uint32_t i = 0; type && i < rank; i++)
    lengths[i] = type->u.tile.extents[i];
  if (!type || !part_fits(call, value->type, &tile, lengths))
    return tile_shape_poison(call);
  return tile_build(call, type, &value, 1, &tile);
}

// insert(t, part, offset…)
TExpr *tile_rule_insert(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 3, 2 + TYPE_MAX_TILE_RANK))
    return tile_shape_poison(call);
  TExpr *args[2] = {tile_moved_argument(call, 0), tile_moved_argument(call, 1)};
  if (!args[0] || !args[1])
    return tile_shape_poison(call);
  const Type *whole = args[0]->type, *part = args[1]->type;
  uint32_t rank = whole->u.tile.rank;
  TTileArgs tile = {0};
  if (part->u.tile.rank != rank) {
    SEMA_ERROR(cx, args[1]->span, tile_ranks, DS(call->name), NT(cx, whole),
               NT(cx, part), DU(rank), DU(part->u.tile.rank));
    return tile_shape_poison(call);
  }
  if (!builtin_takes(call, 2 + rank, 2 + rank) ||
      !tile_offsets(call, 2, rank, &tile))
    return tile_shape_poison(call);
  int64_t lengths[TYPE_MAX_TILE_RANK];
  for (uint32_t i = 0; i < rank; i++)
    lengths[i] = part->u.tile.extents[i];
  args[1] = tile_assign(cx, args[1],
                        type_tile_of(cx->types, part, whole->u.tile.element),
                        "argument 2 of 'insert'");
  if (expr_is_poison(args[1]) || !part_fits(call, whole, &tile, lengths))
    return tile_shape_poison(call);
  return tile_build(call, whole, args, 2, &tile);
}

// --- order along an axis ---

TExpr *tile_rule_flip(const BuiltinCall *call) {
  if (!builtin_takes(call, 2, 2))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  TTileArgs tile = {0};
  if (!value || !tile_axis(call, call->args->data[1], value->type->u.tile.rank,
                           &tile.axis))
    return tile_shape_poison(call);
  return tile_build(call, value->type, &value, 1, &tile);
}

// roll(t, shift, axis); the shift counts modulo the extent
TExpr *tile_rule_roll(const BuiltinCall *call) {
  if (!builtin_takes(call, 3, 3))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  TTileArgs tile = {.n_numbers = 1};
  if (!value || !tile_constant(call, 1, "a shift", &tile.numbers[0]) ||
      !tile_axis(call, call->args->data[2], value->type->u.tile.rank,
                 &tile.axis))
    return tile_shape_poison(call);
  int64_t extent = value->type->u.tile.extents[tile.axis];
  tile.numbers[0] = (tile.numbers[0] % extent + extent) % extent;
  return tile_build(call, value->type, &value, 1, &tile);
}

static TExpr *tile_shape_zero(SemaContext *cx, const Type *element, Span span) {
  TValue zero = {.u = 0};
  return tile_is_element(element) ? build_const(cx, element, zero, span)
                                  : tile_zero_struct(cx, element, span);
}

// pad_to(t, d…[, value])
TExpr *tile_rule_pad_to(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2 + TYPE_MAX_TILE_RANK))
    return tile_shape_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  uint32_t rank = value ? value->type->u.tile.rank : 0;
  if (!value || !builtin_takes(call, 1 + rank, 2 + rank))
    return tile_shape_poison(call);
  const Type *from = value->type, *element = from->u.tile.element;
  bool has_value = call->args->count == 2 + rank;
  const Type *type = tile_extents(call, 1, has_value, element);
  if (!type)
    return tile_shape_poison(call);
  for (uint32_t i = 0; i < rank; i++)
    if (type->u.tile.extents[i] < from->u.tile.extents[i]) {
      SEMA_ERROR(cx, call->span, tile_pad, NT(cx, from), NT(cx, type), DU(i),
                 DU(from->u.tile.extents[i]), DU(type->u.tile.extents[i]));
      return tile_shape_poison(call);
    }
  TExpr *args[2] = {value, NULL};
  args[1] = has_value ? check_value(cx, call->args->data[1 + rank])
                      : tile_shape_zero(cx, element, call->span);
  args[1] = tile_scalar(cx, args[1], element, "the value of 'pad_to'");
  return expr_is_poison(args[1]) ? args[1]
                                 : tile_build(call, type, args, 2, NULL);
}
