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
#include "tile/tile_parts.h"

typedef struct {
  const IrNode *node;
  IrTileShape shape; // of the operand
  uint32_t axis, extent, step, elements;
  bool is_falling;
  const TileHome *order; // numbers
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
  s.order = home_new(t, put_type_i32, 2 * s.elements, node->id);
  nest_over(t, &s.shape, sort_begin, &s);
  put_sync(t);
  sort_levels(t, &s);
  IrTileShape to = tile_shape_of_node(t, node);
  nest_over(t, &to, tile_sort_give, &s);
  put_sync(t);
}
