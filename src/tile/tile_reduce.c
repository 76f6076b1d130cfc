// SPDX-License-Identifier: Apache-2.0
// Reductions.
//
// Note [Ways to reduce]
// Where the last dimension goes, lanes share the elements of one result: each
// combines every `lanes`-th of a row, then all lanes combine what they have.
// Otherwise, or where rows are shorter than the lanes, each lane has a result
// of its own and goes over its elements one by one.
//
// Operators of the program keep the order of elements, and begin with the first
// element: they see nothing that the tile doesn't hold. Lanes share the
// elements of a result in pieces, the first lane has the first ones, if all
// lanes have equally many and the operator may be asked anything: what combines
// lanes may ask it more than it needs (operator_takes_all).
//
// Note [Keys of floats]
// Minimum and maximum of floats are those of integers: bits in two's complement
// are in the order of the numbers, -0 before +0, if those of negative numbers
// are inverted but for the sign. A NaN is what leaves each key as it is. That
// takes one operation on a vector where floats take six, one after the other;
// GPUs have one operation for floats.
#include "base/bits.h"
#include "ir/form/float_format.h"
#include "tile/tile_parts.h"
#include <math.h>

typedef struct Reduce {
  const IrNode *node; // says how to combine
  const IrNode *from;
  IrTileShape shape, kept, gone; // of the operand and its dimensions
  uint32_t axes;
  IrType type; // of what is combined
  // What is combined: an element of `from`, at `place` among those of its
  // result. NULL: the element itself.
  IrNode *(*value)(Lower *t, const struct Reduce *r, IrNode *element,
                   IrNode *place);
  uint32_t best_var;      // of `value`: the scalar result before
  const TileHome *best;   // or the tile
  const IrNode *combiner; // combines by it, NULL: as the node says
  IrCombine combine;
  bool has_keys;        // of floats; `type` and `combine` are those of keys
  const TileHome *home; // NULL: the result is in `result`
  uint32_t result;
  // State.
  IrNode *kept_at[IR_MAX_TILE_RANK];
  IrNode *kept_flat;
  uint32_t kept_slot; // of a result in variables
  uint32_t sum;
} Reduce;

// ---------------------------------------------------------------- elements

static IrNode *reduce_pair(Lower *t, const Reduce *r, IrNode *left,
                           IrNode *right) {
  if (r->combiner)
    return put_combined(t, r->combiner, left, right);
  return put_combine(t, r->combine, left, right);
}

// What leaves each element as it is: of floats, sums begin with -0, minimum and
// maximum with a NaN.
static IrNode *reduce_start(Lower *t, const Reduce *r) {
  bool is_extreme = r->combine == COMBINE_FMIN || r->combine == COMBINE_FMAX;
  if (r->combine == COMBINE_ADD && ir_type_is_float(r->type))
    return put_const(t, r->type, UINT64_C(1) << (ir_type_bits(r->type) - 1));
  if (!is_extreme)
    return put_const(t, r->type, ir_combine_identity(r->combine, r->type));
  FloatFormat format = ir_float_format(r->type);
  return put_const(t, r->type, float_bits_from_double(format, NAN));
}

// Bits of negative numbers but for the sign, inverted; what was inverted, too.
static IrNode *reduce_turned(Lower *t, const Reduce *r, IrNode *bits) {
  uint32_t width = ir_type_bits(r->type);
  IrNode *sign = put_two(t, IR_ASHR, bits, put_const(t, r->type, width - 1u));
  IrNode *below = put_const(t, r->type, (UINT64_C(1) << (width - 1u)) - 1u);
  return put_two(t, IR_XOR, bits, put_two(t, IR_AND, sign, below));
}

static IrNode *reduce_key(Lower *t, const Reduce *r, IrNode *element) {
  IrNode *bits = put_node(t, IR_BITCAST, r->type, 1, element);
  return put_select(t, put_test(t, IR_FEQ, element, element),
                    reduce_turned(t, r, bits), reduce_start(t, r));
}

static IrNode *reduce_of_key(Lower *t, const Reduce *r, IrNode *key) {
  IrType type = r->shape.element;
  IrNode *number = put_node(t, IR_BITCAST, type, 1, reduce_turned(t, r, key));
  IrNode *nan =
      put_const(t, type, float_bits_from_double(ir_float_format(type), NAN));
  return put_select(t, put_test(t, IR_EQ, key, reduce_start(t, r)), nan,
                    number);
}

// From here on the element is loaded, from where it is stored.
static void reduce_fill(Lower *t, const TileIndex *index) {
  t->homes[t->filled->id] = NULL;
  IrNode *element = element_of(t, t->filled, index);
  home_store_at(t, t->fills, index, element);
  t->homes[t->filled->id] = t->fills;
}

// `place`: among those of its result.
static IrNode *reduce_of_element(Lower *t, const Reduce *r,
                                 const TileIndex *index, IrNode *place) {
  if (t->filled)
    reduce_fill(t, index);
  IrNode *element = element_of(t, r->from, index);
  if (r->has_keys)
    return reduce_key(t, r, element);
  return r->value ? r->value(t, r, element, place) : element;
}

// The element whose index among those that go is `gone`.
static IrNode *reduce_value(Lower *t, const Reduce *r, const TileIndex *gone) {
  IrNode *at[IR_MAX_TILE_RANK];
  uint32_t n_kept = 0, n_gone = 0;
  for (uint32_t i = 0; i < r->shape.rank; i++)
    at[i] = r->axes >> i & 1 ? gone->at[n_gone++] : r->kept_at[n_kept++];
  TileIndex index = nest_index(t, &r->shape, at);
  if (r->kept.rank == 0)
    index.flat = gone->flat;
  return reduce_of_element(t, r, &index, gone->flat);
}

static void reduce_give(Lower *t, const Reduce *r, IrNode *value) {
  value = r->has_keys ? reduce_of_key(t, r, value) : value;
  if (r->home && r->home->vars)
    put_set(t, r->home->vars[r->kept_slot], value);
  else if (r->home)
    home_store(t, r->home, r->kept_flat, value);
  else
    put_set(t, r->result, value);
}

// ------------------------------------------------- a result in all lanes

static void reduce_add(Lower *t, const TileIndex *gone, void *context) {
  const Reduce *r = context;
  IrNode *value = reduce_value(t, r, gone);
  put_set(t, r->sum, reduce_pair(t, r, put_get(t, r->sum), value));
}

static IrNode *reduce_lanes(Lower *t, const Reduce *r, IrNode *value) {
  IrNode how = *r->node;
  if (!r->combiner) {
    how.op = IR_TILE_REDUCE;
    how.u.tile.combine = r->combine;
  }
  return put_over_lanes(t, &how, value);
}

static void reduce_together(Lower *t, Reduce *r) {
  r->sum = put_var(t, r->type, reduce_start(t, r));
  nest_over(t, &r->gone, reduce_add, r);
  IrNode *value = reduce_lanes(t, r, put_get(t, r->sum));
  if (!r->home) {
    reduce_give(t, r, value);
    return;
  }
  PutPlace place = put_if(t, t->is_first);
  reduce_give(t, r, value);
  put_end(t, place);
}

static void results_one_by_one(Lower *t, const TileIndex *kept, void *context) {
  Reduce *r = context;
  for (uint32_t i = 0; i < kept->rank; i++)
    r->kept_at[i] = kept->at[i];
  r->kept_flat = kept->flat;
  reduce_together(t, r);
}

// ------------------------------------------------ a result in each lane

static void reduce_next(Lower *t, const TileIndex *gone, void *context) {
  const Reduce *r = context;
  IrNode *value = reduce_value(t, r, gone);
  put_set(t, r->sum, reduce_pair(t, r, put_get(t, r->sum), value));
}

static void reduce_alone(Lower *t, const TileIndex *kept, void *context) {
  Reduce *r = context;
  for (uint32_t i = 0; i < kept->rank; i++)
    r->kept_at[i] = kept->at[i];
  r->kept_flat = kept->flat;
  r->sum = put_var(t, r->type, reduce_start(t, r));
  nest_serial(t, &r->gone, reduce_next, r);
  reduce_give(t, r, put_get(t, r->sum));
}

// ------------------------------------------- by operators of the program

// Combines `count` elements, from the one at `begin` on.
static void reduce_piece(Lower *t, Reduce *r, IrNode *begin, uint32_t count) {
  IrNode *step;
  TileIndex index = nest_index(t, &r->gone, &begin);
  r->sum = put_var(t, r->type, reduce_value(t, r, &index));
  if (count == 1)
    return;
  PutPlace place = put_for(t, put_i32(t, 1), put_i32(t, count), 1, &step);
  IrNode *at = put_add(t, begin, step);
  index = nest_index(t, &r->gone, &at);
  reduce_next(t, &index, r);
  put_end(t, place);
}

static void reduce_in_order(Lower *t, const TileIndex *kept, void *context) {
  Reduce *r = context;
  for (uint32_t i = 0; i < kept->rank; i++)
    r->kept_at[i] = kept->at[i];
  r->kept_flat = kept->flat;
  reduce_piece(t, r, put_i32(t, 0), r->gone.extents[0]);
  reduce_give(t, r, put_get(t, r->sum));
}

static void reduce_in_pieces(Lower *t, const TileIndex *kept, void *context) {
  Reduce *r = context;
  for (uint32_t i = 0; i < kept->rank; i++)
    r->kept_at[i] = kept->at[i];
  r->kept_flat = kept->flat;
  uint32_t count = r->gone.extents[0] / t->lanes;
  reduce_piece(t, r, put_times(t, t->rank, count), count);
  IrNode *value = reduce_lanes(t, r, put_get(t, r->sum));
  if (!r->home) {
    reduce_give(t, r, value);
    return;
  }
  PutPlace place = put_if(t, t->is_first);
  reduce_give(t, r, value);
  put_end(t, place);
}

// ------------------------------------------------------------------ both

static uint32_t reduce_elements(const IrTileShape *shape) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < shape->rank; i++)
    n *= shape->extents[i];
  return n;
}

static void reduce_by_operator(Lower *t, Reduce *r) {
  bool is_shared = r->gone.extents[0] % t->lanes == 0 &&
                   reduce_elements(&r->kept) < t->lanes / 2 &&
                   operator_takes_all(r->combiner);
  NestBody body = is_shared ? reduce_in_pieces : reduce_in_order;
  if (r->kept.rank == 0)
    body(t, &(TileIndex){.flat = put_i32(t, 0)}, r);
  else if (is_shared)
    nest_serial(t, &r->kept, body, r);
  else
    nest_over(t, &r->kept, body, r);
}

static void reduce_by_keys(const Lower *t, Reduce *r) {
  bool is_extreme = r->combine == COMBINE_FMIN || r->combine == COMBINE_FMAX;
  bool is_wide = r->type.kind == IR_TYPE_F32 || r->type.kind == IR_TYPE_F64;
  if (!is_extreme || !is_wide || t->target->takes_all)
    return;
  r->has_keys = true;
  r->combine = r->combine == COMBINE_FMIN ? COMBINE_SMIN : COMBINE_SMAX;
  r->type = ir_scalar(r->type.kind == IR_TYPE_F32 ? IR_TYPE_I32 : IR_TYPE_I64);
}

static bool goes_together(const Lower *t, const Reduce *r) {
  uint32_t row = 1;
  for (uint32_t i = r->shape.rank; i-- > 0 && (r->axes >> i & 1);)
    row *= r->shape.extents[i];
  return row >= t->lanes || (row > 1 && reduce_elements(&r->kept) == 1);
}

// --------------------------------------------------- lanes that share results
//
// Note [Reductions of spread tiles]
// A lane combines its own slots of each result first. Then lanes of a warp that
// share the result combine theirs by shuffles, and what is left is combined by
// way of memory: `parts` has a row for each of those who share.

typedef struct {
  Reduce *r;
  const TileSpread *spread;
  SpreadBase base;
  uint32_t n_sharers; // lanes that share a result
  IrNode *sharer;     // which of them this is, behind those of `near`
  IrGroup *near;      // lanes of a warp that do, NULL: one
  bool is_of_all;     // all lanes share all results
  const TileHome *parts;
  uint32_t n_kept, at; // of `parts`
} Sharing;

static Sharing sharing_of(Lower *t, Reduce *r, const TileSpread *s) {
  enum { WARP = 32 };

  Sharing sharing = {.r = r, .spread = s, .n_sharers = 1, .is_of_all = true};
  sharing.base = spread_base(t, s);
  sharing.n_kept = reduce_elements(&r->kept);
  uint32_t near = 1;
  for (uint32_t i = 0; i < s->n_terms; i++) {
    const SpreadTerm *term = &s->terms[i];
    bool goes = r->axes >> term->dimension & 1;
    sharing.is_of_all &= goes;
    if (!goes)
      continue;
    if (term->divisor == sharing.n_sharers && term->divisor == near)
      near = near * term->count;
    sharing.n_sharers *= term->count;
  }
  if (sharing.is_of_all)
    return sharing;
  near = !bits_is_power(near) ? 1 : near > WARP ? WARP : near;
  if (near > 1)
    sharing.near = put_near_lanes(t, near);
  sharing.n_sharers /= near;
  return sharing;
}

// The number of the lane among those that share its results, but for the near.
static IrNode *sharing_number(Lower *t, const Sharing *sharing) {
  const TileSpread *s = sharing->spread;
  IrNode *number = put_i32(t, 0);
  uint32_t step = 1, near = sharing->near ? (uint32_t)sharing->near->size : 1;
  for (uint32_t i = 0; i < s->n_terms; i++) {
    const SpreadTerm *term = &s->terms[i];
    if (!(sharing->r->axes >> term->dimension & 1))
      continue;
    uint32_t count = term->count, divisor = term->divisor;
    if (divisor < near) {
      uint32_t skipped = near / divisor < count ? near / divisor : count;
      count /= skipped;
      divisor *= skipped;
    }
    if (count == 1)
      continue;
    IrNode *digit = put_two(t, IR_UDIV, t->rank, put_i32(t, divisor));
    digit = put_two(t, IR_UREM, digit, put_i32(t, count));
    number = put_add(t, number, put_times(t, digit, step));
    step *= count;
  }
  return number;
}

static bool sharing_is_same(const Sharing *sharing, uint32_t a, uint32_t b) {
  const TileSpread *s = sharing->spread;
  for (uint32_t i = 0; i < s->shape.rank; i++)
    if (!(sharing->r->axes >> i & 1) && s->slots[a][i] != s->slots[b][i])
      return false;
  return true;
}

static void sharing_add(Lower *t, const Sharing *sharing, uint32_t slot) {
  const Reduce *r = sharing->r;
  TileIndex index = spread_index(t, sharing->spread, &sharing->base, slot);
  IrNode *at[IR_MAX_TILE_RANK], *place = NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->shape.rank; i++)
    if (r->axes >> i & 1)
      at[n++] = index.at[i];
  if (r->value)
    place = nest_index(t, &r->gone, at).flat;
  IrNode *value = reduce_of_element(t, r, &index, place);
  put_set(t, r->sum, reduce_pair(t, r, put_get(t, r->sum), value));
}

// What the lanes of a warp have of the result, in the first of them.
static IrNode *sharing_near_value(Lower *t, const Sharing *sharing,
                                  IrNode *value) {
  if (!sharing->near)
    return value;
  IrGroup *lane_group = t->lane_group;
  t->lane_group = sharing->near;
  value = reduce_lanes(t, sharing->r, value);
  t->lane_group = lane_group;
  return value;
}

static void sharing_give(Lower *t, const Sharing *sharing) {
  Reduce *r = sharing->r;
  IrNode *value = put_get(t, r->sum);
  if (sharing->is_of_all) {
    value = reduce_lanes(t, r, value);
    PutPlace place = {0};
    if (r->home && !r->home->vars)
      place = put_if(t, t->is_first);
    reduce_give(t, r, value);
    if (place.statement)
      put_end(t, place);
    return;
  }
  value = sharing_near_value(t, sharing, value);
  PutPlace place = {0};
  if (sharing->near && !r->home->vars) {
    IrNode *low = put_i32(t, sharing->near->size - 1);
    IrNode *rank = put_two(t, IR_AND, t->rank, low);
    place = put_if(t, put_test(t, IR_EQ, rank, put_i32(t, 0)));
  }
  if (sharing->parts)
    home_store(t, sharing->parts,
               put_add(t, put_times(t, sharing->sharer, sharing->n_kept),
                       r->kept_flat),
               value);
  else
    reduce_give(t, r, value);
  if (place.statement)
    put_end(t, place);
}

// The result that `slot` is a part of.
static void sharing_result(Lower *t, const Sharing *sharing, uint32_t slot,
                           bool *is_done) {
  Reduce *r = sharing->r;
  TileIndex index = spread_index(t, sharing->spread, &sharing->base, slot);
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->shape.rank; i++)
    if (!(r->axes >> i & 1))
      r->kept_at[n++] = index.at[i];
  r->kept_flat = nest_index(t, &r->kept, r->kept_at).flat;
  if (r->home && r->home->vars)
    r->kept_slot = alike_slot(r->home->spread, slot);
  r->sum = put_var(t, r->type, reduce_start(t, r));
  for (uint32_t k = slot; k < sharing->spread->n_slots; k++) {
    if (is_done[k] || !sharing_is_same(sharing, slot, k))
      continue;
    is_done[k] = true;
    sharing_add(t, sharing, k);
  }
  sharing_give(t, sharing);
}

static void sharing_combine(Lower *t, const TileIndex *kept, void *context) {
  const Sharing *sharing = context;
  Reduce *r = sharing->r;
  IrNode *part;
  for (uint32_t i = 0; i < kept->rank; i++)
    r->kept_at[i] = kept->at[i];
  r->kept_flat = kept->flat;
  r->sum = put_var(t, r->type, home_load(t, sharing->parts, kept->flat));
  PutPlace place =
      put_for(t, put_i32(t, 1), put_i32(t, sharing->n_sharers), 1, &part);
  IrNode *at = put_add(t, put_times(t, part, sharing->n_kept), kept->flat);
  IrNode *value = home_load(t, sharing->parts, at);
  put_set(t, r->sum, reduce_pair(t, r, put_get(t, r->sum), value));
  put_end(t, place);
  reduce_give(t, r, put_get(t, r->sum));
}

static void reduce_spread(Lower *t, Reduce *r, const TileSpread *s) {
  Sharing sharing = sharing_of(t, r, s);
  bool *is_done = ARENA_ARRAY(t->scratch, bool, s->n_slots);
  if (!sharing.is_of_all && sharing.n_sharers > 1) {
    sharing.sharer = sharing_number(t, &sharing);
    sharing.parts =
        home_new(t, r->type, sharing.n_kept * sharing.n_sharers, r->node->id);
  }
  for (uint32_t slot = 0; slot < s->n_slots; slot++)
    if (!is_done[slot])
      sharing_result(t, &sharing, slot, is_done);
  if (!sharing.parts)
    return;
  put_sync(t);
  nest_over(t, &r->kept, sharing_combine, &sharing);
}

static void reduce_all(Lower *t, void *context) {
  Reduce *r = context;
  const TileSpread *spread = r->combiner ? NULL : spread_of(t, &r->shape);
  if (spread && spread->n_alike == 0) {
    reduce_spread(t, r, spread);
    return;
  }
  if (r->combiner)
    reduce_by_operator(t, r);
  else if (r->kept.rank == 0)
    reduce_together(t, r);
  else if (goes_together(t, r))
    nest_serial(t, &r->kept, results_one_by_one, r);
  else
    nest_over(t, &r->kept, reduce_alone, r);
}

static Reduce reduce_of(Lower *t, const IrNode *node, uint32_t axes,
                        const TileHome *home) {
  Reduce r = {.node = node, .from = node->args[0], .axes = axes, .home = home};
  r.shape = tile_shape_of_node(t, r.from);
  r.kept = nest_part(&r.shape, axes, false);
  r.gone = nest_part(&r.shape, axes, true);
  r.type = r.shape.element;
  r.combine = node->u.tile.combine;
  return r;
}

// The scalar result, or NULL.
static IrNode *reduce_run(Lower *t, Reduce *r) {
  const IrNode *root = r->from;
  if (!r->home)
    r->result = put_var(t, r->has_keys ? r->shape.element : r->type, NULL);
  uint32_t n_accesses = t->n_accesses;
  section_emit(t, &root, 1, reduce_all, r);
  put_sync_since(t, n_accesses);
  return r->home ? NULL : put_get(t, r->result);
}

IrNode *tile_emit_reduce(Lower *t, const IrNode *node, const TileHome *home) {
  Reduce r = reduce_of(t, node, node->u.tile.axes, home);
  reduce_by_keys(t, &r);
  IrNode *result = reduce_run(t, &r);
  t->filled = NULL;
  return result;
}

bool reduce_may_fill(Lower *t, const IrNode *node) {
  Reduce r = reduce_of(t, node, node->u.tile.axes, NULL);
  if (spread_of(t, &r.shape))
    return true;
  return r.kept.rank == 0 || goes_together(t, &r);
}

// Note [Where the best is]
// The best element first, then the lowest place of an element that equals it.
// NaNs equal nothing; if all are, no place is found, and it is 0.
static IrNode *place_if_best(Lower *t, const Reduce *r, IrNode *element,
                             IrNode *place) {
  IrNode *best =
      r->best ? home_load(t, r->best, r->kept_flat) : put_get(t, r->best_var);
  IrOp equal = ir_type_is_float(element->type) ? IR_FEQ : IR_EQ;
  return put_select(t, put_test(t, equal, element, best), place,
                    put_i32(t, INT32_MAX));
}

static void found_or_zero(Lower *t, const TileIndex *index, void *context) {
  const TileHome *home = context;
  IrNode *place = home_load(t, home, index->flat);
  IrNode *is_none = put_test(t, IR_EQ, place, put_i32(t, INT32_MAX));
  home_store(t, home, index->flat,
             put_select(t, is_none, put_i32(t, 0), place));
}

IrNode *tile_emit_arg(Lower *t, const IrNode *node, const TileHome *home) {
  uint32_t axes = node->u.tile.axes;
  Reduce best = reduce_of(t, node, axes, NULL);
  reduce_by_keys(t, &best);
  if (home)
    best.home =
        home_new(t, best.shape.element, reduce_elements(&best.kept), node->id);
  (void)reduce_run(t, &best);
  Reduce r = reduce_of(t, node, axes, home);
  r.type = put_type_i32;
  r.value = place_if_best;
  r.combine = COMBINE_SMIN;
  r.best = best.home;
  r.best_var = best.result;
  IrNode *place = reduce_run(t, &r);
  if (!home)
    return put_select(t, put_test(t, IR_EQ, place, put_i32(t, INT32_MAX)),
                      put_i32(t, 0), place);
  nest_over(t, &r.kept, found_or_zero, (void *)(uintptr_t)home);
  put_sync(t);
  return NULL;
}

IrNode *tile_emit_reduce_by(Lower *t, const IrNode *node,
                            const TileHome *home) {
  Reduce r = reduce_of(t, node, 1u << node->u.tile.axis, home);
  r.combiner = node;
  return reduce_run(t, &r);
}
