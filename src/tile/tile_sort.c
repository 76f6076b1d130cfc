// SPDX-License-Identifier: Apache-2.0
// Orders along an axis.
//
// Note [Merging by counting]
// What is sorted are numbers of elements, which start as 0, 1, 2, … At each
// level, runs of 2^level that are in order become runs of twice the length:
// the place of an element is its place in its run plus how many of the other
// run come before it, which a binary search counts. Equal elements of the lower
// run come first, so that the order is stable. The last run may be short:
// extents need not be powers of two. Both runs are in one array of twice the
// tile's elements, in turn in its first and in its second half.
//
// Note [Places by counting]
// Short lines are not merged: the place of an element is how many of its line
// come before it, and all lanes count at once. What is compared are keys,
// integers that have the order of the elements: floats as their bits, where
// negative ones are inverted, zeros equal and NaNs last.
#include "tile/tile_parts.h"

enum { MOST_COUNTED = 256 }; // longer lines take less time to merge

typedef struct {
  const IrNode *node;
  IrTileShape shape; // of the operand
  uint32_t axis, extent, step, elements;
  bool is_falling;
  const TileHome *order; // numbers
  const TileHome *keys;  // where places are counted
  IrType key_type;
  const TileHome *home;
  IrNode *level, *from, *to; // i32: where the halves begin
} Sort;

// `a` comes before `b`, and they aren't equal. NaNs are last.
static IrNode *sort_is_before(Lower *t, const Sort *s, IrNode *a, IrNode *b) {
  IrNode *left = s->is_falling ? b : a, *right = s->is_falling ? a : b;
  if (!ir_type_is_float(a->type))
    return put_test(t, s->node->flags & NODE_UNSIGNED ? IR_ULT : IR_SLT, left,
                    right);
  IrNode *is_less = put_test(t, IR_FLT, left, right);
  IrNode *is_number = put_node(t, IR_ISNAN, put_bool, 1, a);
  is_number = put_node(t, IR_NOT, put_bool, 1, is_number);
  IrNode *is_last = put_node(t, IR_ISNAN, put_bool, 1, b);
  return put_two(t, IR_OR, is_less, put_and(t, is_number, is_last));
}

// The place of element `i` of the line that the element at `at` is in.
static IrNode *in_line(Lower *t, const Sort *s, const TileIndex *at,
                       IrNode *i) {
  IrNode *distance = put_two(t, IR_SUB, i, at->at[s->axis]);
  distance->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  return put_add(t, at->flat, put_times(t, distance, s->step));
}

static IrNode *key_of(Lower *t, const Sort *s, const TileIndex *at,
                      IrNode *number) {
  TileIndex own = *at;
  own.at[s->axis] = number;
  own.flat = in_line(t, s, at, number);
  own.spread = NULL;
  return element_of(t, s->node->args[0], &own);
}

static IrNode *sort_number_at(Lower *t, const Sort *s, IrNode *flat) {
  return home_load(t, s->order, put_add(t, s->from, flat));
}

static void sort_begin(Lower *t, const TileIndex *at, void *context) {
  const Sort *s = context;
  home_store(t, s->order, at->flat, at->at[s->axis]);
}

// ------------------------------------------------------------------ levels

// The runs that an element is in, as indices along the axis.
typedef struct {
  IrNode *begin, *middle, *end;
  IrNode *is_left;
} Runs;

static Runs runs_of(Lower *t, const Sort *s, IrNode *i) {
  IrNode *extent = put_i32(t, s->extent);
  IrNode *width = put_two(t, IR_SHL, put_i32(t, 1), s->level);
  IrNode *both = put_plus(t, s->level, 1);
  Runs runs;
  runs.begin = put_two(t, IR_SHL, put_two(t, IR_LSHR, i, both), both);
  IrNode *middle = put_add(t, runs.begin, width);
  runs.middle = put_two(t, IR_SMIN, middle, extent);
  runs.end = put_two(t, IR_SMIN, put_add(t, middle, width), extent);
  runs.is_left = put_test(t, IR_SLT, i, runs.middle);
  return runs;
}

// One step of the search between `low` and `high`.
static void search_step(Lower *t, const Sort *s, const TileIndex *at,
                        const Runs *runs, IrNode *key, uint32_t low,
                        uint32_t high) {
  IrNode *from = put_get(t, low), *to = put_get(t, high);
  IrNode *goes_on = put_test(t, IR_SLT, from, to);
  IrNode *half = put_two(t, IR_LSHR, put_add(t, from, to), put_i32(t, 1));
  half = put_select(t, goes_on, half, at->at[s->axis]);
  IrNode *other =
      key_of(t, s, at, sort_number_at(t, s, in_line(t, s, at, half)));
  IrNode *is_behind = sort_is_before(t, s, key, other);
  IrNode *is_lower =
      put_select(t, runs->is_left, sort_is_before(t, s, other, key),
                 put_node(t, IR_NOT, put_bool, 1, is_behind));
  IrNode *goes_up = put_and(t, goes_on, is_lower);
  IrNode *goes_down =
      put_and(t, goes_on, put_node(t, IR_NOT, put_bool, 1, is_lower));
  put_set(t, low, put_select(t, goes_up, put_plus(t, half, 1), from));
  put_set(t, high, put_select(t, goes_down, half, to));
}

// How many of the other run come before the element.
static IrNode *count_before(Lower *t, const Sort *s, const TileIndex *at,
                            const Runs *runs, IrNode *key) {
  IrNode *first = put_select(t, runs->is_left, runs->middle, runs->begin);
  IrNode *end = put_select(t, runs->is_left, runs->end, runs->middle);
  uint32_t low = put_var(t, put_type_i32, first);
  uint32_t high = put_var(t, put_type_i32, end);
  IrNode *unused;
  PutPlace place =
      put_for(t, put_i32(t, 0), put_plus(t, s->level, 1), 1, &unused);
  search_step(t, s, at, runs, key, low, high);
  put_end(t, place);
  IrNode *count = put_two(t, IR_SUB, put_get(t, low), first);
  count->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  return count;
}

static void merge_element(Lower *t, const TileIndex *at, void *context) {
  const Sort *s = context;
  IrNode *i = at->at[s->axis];
  IrNode *number = sort_number_at(t, s, at->flat);
  Runs runs = runs_of(t, s, i);
  IrNode *count = count_before(t, s, at, &runs, key_of(t, s, at, number));
  IrNode *behind = put_two(t, IR_SUB, i, runs.middle);
  behind->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  IrNode *own = put_select(t, runs.is_left, i, put_add(t, runs.begin, behind));
  IrNode *place = in_line(t, s, at, put_add(t, own, count));
  home_store(t, s->order, put_add(t, s->to, place), number);
}

static void sort_levels(Lower *t, Sort *s) {
  int64_t n_levels = 0;
  while (UINT64_C(1) << n_levels < s->extent)
    n_levels++;
  PutPlace place =
      put_for(t, put_i32(t, 0), put_i32(t, n_levels), 1, &s->level);
  IrNode *is_odd = put_two(t, IR_AND, s->level, put_i32(t, 1));
  s->from = put_times(t, is_odd, s->elements);
  s->to = put_two(t, IR_SUB, put_i32(t, s->elements), s->from);
  s->to->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  nest_over(t, &s->shape, merge_element, s);
  put_sync(t);
  put_end(t, place);
  s->from = put_i32(t, n_levels & 1 ? s->elements : 0);
}

// ---------------------------------------------------------------- counting

static IrType sort_key_type(IrType element) {
  switch (ir_type_bits(element)) {
  case 8: return ir_scalar(IR_TYPE_I8);
  case 16: return ir_scalar(IR_TYPE_I16);
  case 32: return ir_scalar(IR_TYPE_I32);
  default: return ir_scalar(IR_TYPE_I64);
  }
}

// A signed integer, the lower the earlier.
static IrNode *sort_key(Lower *t, const Sort *s, IrNode *element) {
  IrType type = s->key_type;
  uint32_t bits = ir_type_bits(type);
  IrNode *sign = put_const(t, type, UINT64_C(1) << (bits - 1));
  IrNode *most = put_const(t, type, (UINT64_C(1) << (bits - 1)) - 1);
  IrNode *ones = put_const(t, type, UINT64_MAX >> (64 - bits));
  bool is_float = ir_type_is_float(element->type);
  IrNode *key = element;
  if (is_float) {
    IrNode *zero = put_const(t, type, 0);
    key = put_node(t, IR_BITCAST, type, 1, element);
    key = put_select(t, put_test(t, IR_EQ, key, sign), zero, key);
    key = put_select(t, put_test(t, IR_SLT, key, zero),
                     put_two(t, IR_XOR, key, most), key);
  } else if (s->node->flags & NODE_UNSIGNED) {
    key = put_two(t, IR_XOR, key, sign);
  }
  if (s->is_falling)
    key = put_two(t, IR_XOR, key, ones);
  return is_float ? put_select(t, put_node(t, IR_ISNAN, put_bool, 1, element),
                               most, key)
                  : key;
}

static void sort_keep_key(Lower *t, const TileIndex *at, void *context) {
  const Sort *s = context;
  home_store(t, s->keys, at->flat,
             sort_key(t, s, element_of(t, s->node->args[0], at)));
}

// The place in the tile of number `i` of the line.
static IrNode *sort_place(Lower *t, const Sort *s, const TileIndex *at,
                          IrNode *i) {
  TileIndex other = *at;
  other.at[s->axis] = i;
  return nest_index(t, &s->shape, other.at).flat;
}

static void sort_count(Lower *t, const TileIndex *at, void *context) {
  const Sort *s = context;
  IrNode *j, *i = at->at[s->axis];
  IrNode *key = home_load(t, s->keys, at->flat);
  uint32_t count = put_var(t, put_type_i32, put_i32(t, 0));
  PutPlace loop = put_for(t, put_i32(t, 0), put_i32(t, s->extent), 1, &j);
  IrNode *other = home_load(t, s->keys, sort_place(t, s, at, j));
  IrNode *is_lower = put_test(t, IR_SLT, j, i);
  IrNode *is_before =
      put_two(t, IR_OR, put_test(t, IR_SLT, other, key),
              put_and(t, put_test(t, IR_EQ, other, key), is_lower));
  IrNode *more = put_select(t, is_before, put_i32(t, 1), put_i32(t, 0));
  put_set(t, count, put_add(t, put_get(t, count), more));
  put_end(t, loop);
  home_store(t, s->order, sort_place(t, s, at, put_get(t, count)), i);
}

static void sort_by_counting(Lower *t, Sort *s) {
  s->key_type = sort_key_type(s->shape.element);
  s->keys = home_new(t, s->key_type, s->elements, s->node->id);
  s->order = home_new(t, put_type_i32, s->elements, s->node->id);
  s->from = put_i32(t, 0);
  nest_over(t, &s->shape, sort_keep_key, s);
  put_sync(t);
  nest_over(t, &s->shape, sort_count, s);
  put_sync(t);
}

static void sort_by_merging(Lower *t, Sort *s) {
  s->order = home_new(t, put_type_i32, 2 * s->elements, s->node->id);
  nest_over(t, &s->shape, sort_begin, s);
  put_sync(t);
  sort_levels(t, s);
}

// ----------------------------------------------------------------- results

static IrNode *sort_result(Lower *t, const Sort *s, const TileIndex *at,
                           IrNode *number) {
  if (s->node->op == IR_TILE_ARGSORT)
    return number;
  IrNode *key = key_of(t, s, at, number);
  if (s->node->op == IR_TILE_SORT)
    return key;
  IrType type = ir_element_type(t->kernel->module, s->node->type);
  return put_node(t, IR_PACK, type, 2, key, number);
}

static void tile_sort_give(Lower *t, const TileIndex *to, void *context) {
  const Sort *s = context;
  TileIndex at = nest_index(t, &s->shape, to->at);
  IrNode *number = sort_number_at(t, s, at.flat);
  home_store(t, s->home, to->flat, sort_result(t, s, &at, number));
}

void tile_emit_sort(Lower *t, const IrNode *node, const TileHome *home) {
  Sort s = {.node = node, .home = home, .axis = node->u.tile.axis, .step = 1};
  s.shape = tile_shape_of_node(t, node->args[0]);
  s.extent = s.shape.extents[s.axis];
  for (uint32_t i = s.axis + 1; i < s.shape.rank; i++)
    s.step *= s.shape.extents[i];
  s.elements = ir_tile_elements(t->kernel->module, node->args[0]->type);
  s.is_falling = node->op == IR_TILE_TOPK;
  if (s.extent <= MOST_COUNTED)
    sort_by_counting(t, &s);
  else
    sort_by_merging(t, &s);
  IrTileShape to = tile_shape_of_node(t, node);
  nest_over(t, &to, tile_sort_give, &s);
  put_sync(t);
}
