// SPDX-License-Identifier: Apache-2.0
// How the elements of a tile are spread over lanes that have registers.
//
// Note [Spreads]
// A tile is spread if each lane has equally many of its elements, at the places
// that the lane's own indices plus some numbers name: the slots. A loop over
// the tile then is a copy of its body for each slot, and all loops over tiles
// of one shape have one spread. So a tile of which nobody asks for another
// element than the one that is being computed is kept in variables of the
// lanes, one a slot: in registers, without memory and without a sync.
//
// Who asks for what is seen when code is made. So the kernel is lowered on
// trial, with all tiles in variables that may be there; those of which another
// element was asked for are kept in memory, and it is lowered anew, until
// nobody asks for what isn't there. Each time there are fewer in variables.
//
// Neighbours along the last axis are one lane's, as many as an access to memory
// takes at once. Results of products in matrix units are spread as these have
// them; those of others are spread over both of their last axes,
// so that a lane's elements share the elements of the operands.
#include "tile/tile_parts.h"

enum {
  MOST_SLOTS = 128,       // of a tile in variables
  MOST_UNKEPT_SLOTS = 32, // of loops over others
  MOST_UNIT = 4,          // neighbours of a lane
  MOST_LANE_BYTES = 512,
};

static uint32_t spread_common(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint32_t spread_elements(const IrTileShape *shape) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < shape->rank; i++)
    n *= shape->extents[i];
  return n;
}

static bool spread_is_same(const IrTileShape *a, const IrTileShape *b) {
  if (a->rank != b->rank)
    return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->extents[i] != b->extents[i])
      return false;
  return true;
}

// ------------------------------------------------------------------ making

// `n` lanes go along the dimension, `unit` neighbours each.
static void spread_along(TileSpread *s, uint32_t dimension, uint32_t n,
                         uint32_t unit, uint32_t *divisor) {
  s->along[dimension] = n;
  s->unit[dimension] = unit;
  if (n > 1)
    s->terms[s->n_terms++] = (SpreadTerm){dimension, *divisor, n, unit};
  *divisor *= n;
}

// The last axis first.
static bool spread_linear(TileSpread *s, uint32_t unit) {
  const IrTileShape *shape = &s->shape;
  uint32_t divisor = 1;
  if (shape->extents[shape->rank - 1] % unit)
    return false;
  s->n_terms = 0;
  for (uint32_t i = shape->rank; i-- > 0;) {
    uint32_t n = spread_common(s->lanes / divisor, shape->extents[i] / unit);
    spread_along(s, i, n, unit, &divisor);
    unit = 1;
  }
  return divisor == s->lanes;
}

// Of rows and columns, as nearly square as can be.
static bool spread_square(TileSpread *s, uint32_t unit) {
  uint32_t rows = s->shape.extents[0], columns = s->shape.extents[1];
  uint32_t best = 0, least = UINT32_MAX, divisor = 1;
  for (uint32_t n = 1; n <= s->lanes; n++) {
    uint32_t others = s->lanes / n;
    if (s->lanes % n || columns % (unit * n) || rows % others)
      continue;
    uint32_t sides = rows / others + columns / n;
    if (sides <= least) {
      best = n;
      least = sides;
    }
  }
  if (best == 0)
    return false;
  s->n_terms = 0;
  spread_along(s, 1, best, unit, &divisor);
  spread_along(s, 0, s->lanes / best, 1, &divisor);
  return true;
}

// Fragments of warps (Note [Fragments]), of as few words of operands as can be.
static bool spread_fragments(Lower *t, TileSpread *s) {
  enum { WARP = 32, ROWS = 16, COLUMNS = 8, SUMS = 4 };

  uint32_t down = s->shape.extents[0] / ROWS;
  uint32_t across = s->shape.extents[1] / COLUMNS;
  uint32_t n_warps = s->lanes / WARP, best = 0, least = UINT32_MAX;
  if (s->lanes % WARP)
    return false;
  for (uint32_t n = 1; n <= n_warps; n++) {
    if (n_warps % n || across % n || down % (n_warps / n))
      continue;
    uint32_t words = 2 * down / (n_warps / n) + across / n;
    if (words <= least) {
      best = n;
      least = words;
    }
  }
  if (best == 0)
    return false;
  across /= best;
  down /= n_warps / best;
  const SpreadTerm terms[] = {
      {1, 1, 4, 2},
      {0, 4, 8, 1},
      {1, WARP, best, across * COLUMNS},
      {0, WARP * best, n_warps / best, down * ROWS},
  };
  s->n_terms = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (terms[i].count > 1)
      s->terms[s->n_terms++] = terms[i];
  s->n_across = across;
  s->n_slots = down * across * SUMS;
  s->slots = arena_alloc(t->scratch, s->n_slots * sizeof *s->slots);
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    uint32_t fragment = slot / SUMS, part = slot % SUMS;
    s->slots[slot][0] = fragment / across * ROWS + part / 2 * (ROWS / 2);
    s->slots[slot][1] = fragment % across * COLUMNS + part % 2;
  }
  return true;
}

static void spread_slots(Lower *t, TileSpread *s) {
  s->n_slots = spread_elements(&s->shape) / s->lanes;
  s->slots = arena_alloc(t->scratch, s->n_slots * sizeof *s->slots);
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    uint32_t rest = slot;
    if (s->is_of_unit) {
      unit_slot(s, slot, s->slots[slot]);
      continue;
    }
    for (uint32_t i = s->shape.rank; i-- > 0;) {
      uint32_t n = s->along[i], unit = s->unit[i];
      uint32_t own = s->shape.extents[i] / n, k = rest % own;
      s->slots[slot][i] = k / unit * unit * n + k % unit;
      rest /= own;
    }
  }
}

static bool spread_is_among(const IrTileShape *shapes, uint32_t n,
                            const IrTileShape *shape) {
  for (uint32_t i = 0; i < n; i++)
    if (spread_is_same(&shapes[i], shape))
      return true;
  return false;
}

static bool spread_shape_is_kept(const Lower *t, const IrTileShape *shape) {
  return spread_is_among(t->kept_shapes.data, t->kept_shapes.count, shape);
}

static bool spread_is_of_unit(const Lower *t, const IrTileShape *shape) {
  return spread_is_among(t->unit_shapes.data, t->unit_shapes.count, shape);
}

// As of what the tile is a result of.
static bool spread_of_result(Lower *t, TileSpread *s) {
  for (uint32_t i = 0; i < t->result_shapes.count; i++) {
    const SpreadResult *result = &t->result_shapes.data[i];
    if (!spread_is_same(&result->shape, &s->shape))
      continue;
    IrTileShape of = result->of;
    const TileSpread *from = spread_of(t, &of);
    if (from && alike_spread(t, s, from))
      return true;
  }
  return false;
}

static TileSpread *spread_make(Lower *t, const IrTileShape *shape) {
  TileSpread *s = ARENA_NEW(t->scratch, TileSpread);
  s->shape = *shape;
  s->lanes = t->lanes;
  if (spread_of_result(t, s))
    return s;
  uint32_t n = spread_elements(shape);
  uint32_t most =
      spread_shape_is_kept(t, shape) ? MOST_SLOTS : MOST_UNKEPT_SLOTS;
  if (spread_is_of_unit(t, shape))
    most = MOST_SLOTS;
  if (n % s->lanes || n / s->lanes > most)
    return s;
  if (spread_is_of_unit(t, shape) &&
      (t->has_tensors ? tensor_spread(s) : unit_spread(s))) {
    spread_slots(t, s);
    return s;
  }
  bool is_product =
      spread_is_among(t->product_shapes.data, t->product_shapes.count, shape);
  bool has_squares =
      spread_is_among(t->square_shapes.data, t->square_shapes.count, shape);
  if (is_product && !has_squares && spread_fragments(t, s))
    return s;
  bool is_there = false;
  for (uint32_t unit = MOST_UNIT; unit > 0 && !is_there; unit /= 2)
    is_there = is_product ? spread_square(s, unit) : spread_linear(s, unit);
  if (is_there)
    spread_slots(t, s);
  return s;
}

const TileSpread *spread_of(Lower *t, const IrTileShape *shape) {
  if (!t->target->takes_all || t->lanes == 1 || shape->rank == 0)
    return NULL;
  for (uint32_t i = 0; i < t->spreads.count; i++) {
    const TileSpread *s = t->spreads.data[i];
    if (s->lanes == t->lanes && spread_is_same(&s->shape, shape))
      return s->n_slots ? s : NULL;
  }
  TileSpread *s = spread_make(t, shape);
  VEC_PUSH(t->scratch, &t->spreads, s);
  return s->n_slots ? s : NULL;
}

// --------------------------------------------------------------- candidates

bool spread_takes(const IrNode *node) {
  if (ir_family(node) != FAMILY_TILE)
    return true;
  switch (ir_tile_op(node->op)) {
  case TILE_BROADCAST:
  case TILE_IOTA:
  case TILE_RESHAPE:
  case TILE_PERMUTE:
  case TILE_EXTRACT:
  case TILE_FLIP:
  case TILE_ROLL:
  case TILE_MAP:
  case TILE_BITCAST:
  case TILE_CAST:
  case TILE_LOAD:
  case TILE_RMW:
  case TILE_CAS:
  case TILE_MMA:
  case WGMMA_MMA: return true;
  case TILE_CAT:
  case TILE_INSERT:
  case TILE_PAD:
  case TILE_REDUCE:
  case TILE_ARG:
  case TILE_REDUCE_BY:
  case TILE_SCAN:
  case TILE_SCAN_BY:
  case TILE_SORT:
  case TILE_ARGSORT:
  case TILE_TOPK:
  case TILE_HISTOGRAM:
  case TILE_COLLECT:
  case TILE_MMA_SCALED:
  case TILE_AT:
  case TENSOR_READ:
  case TENSOR_WRITE:
  case TENSOR_MMA:
  case WGMMA_LOAD:
  case TILE_STORE:
  case TILE_PRINT:
  case TILE_ASSERT: break;
  }
  return false;
}

// Panels of what a unit added up stay in its registers.
static bool spread_is_part_of_unit(const Lower *t, const IrNode *node) {
  return node->op == IR_TILE_EXTRACT && ir_is_tile(node->args[0]->type) &&
         spread_is_of_unit(
             t, ir_tile_shape(t->kernel->module, node->args[0]->type));
}

// The shape is the other one without its last axis, or with an extent of 1
// there.
static bool spread_is_result(const IrTileShape *shape, const IrTileShape *of) {
  for (uint32_t i = 0; i < shape->rank; i++)
    if (shape->extents[i] != (i + 1 < of->rank ? of->extents[i] : 1))
      return false;
  return shape->rank + 1 >= of->rank && shape->rank <= of->rank;
}

// Reductions that keep their axis are reshaped.
static void spread_note_result(Lower *t, const IrNode *node,
                               const IrTileShape *shape) {
  const IrNode *reduce = node->op == IR_TILE_RESHAPE ? node->args[0] : node;
  if (reduce->op != IR_TILE_REDUCE)
    return;
  SpreadResult result = {*shape, tile_shape_of_node(t, reduce->args[0])};
  uint32_t last = result.of.rank - 1u;
  if (reduce->u.tile.axes == UINT32_C(1) << last &&
      spread_is_result(shape, &result.of) &&
      !spread_is_same(&result.shape, &result.of))
    VEC_PUSH(t->scratch, &t->result_shapes, result);
}

static bool spread_note(IrNode *node, void *context) {
  Lower *t = context;
  const IrModule *module = t->kernel->module;
  const IrTileShape *shape = ir_tile_shape(module, node->type);
  if (tensor_is_left(t, node))
    VEC_PUSH(t->scratch, &t->unit_shapes,
             *ir_tile_shape(module, tensor_type(node)));
  if (!shape || shape->rank == 0)
    return true;
  if (node->op == IR_TILE_MMA && shape->rank == 2)
    VEC_PUSH(t->scratch, &t->product_shapes, *shape);
  if (node->op == IR_TILE_MMA && shape->rank == 2 && !warp_takes(t, node))
    VEC_PUSH(t->scratch, &t->square_shapes, *shape);
  if (node->op == IR_WGMMA_MMA) {
    VEC_PUSH(t->scratch, &t->unit_shapes, *shape);
    if (node->args[0]->op != IR_WGMMA_LOAD)
      VEC_PUSH(t->scratch, &t->unit_shapes,
               *ir_tile_shape(module, node->args[0]->type));
  }
  spread_note_result(t, node, shape);
  if (spread_is_part_of_unit(t, node))
    VEC_PUSH(t->scratch, &t->unit_shapes, *shape);
  const TileFact *fact = tile_fact(t, node);
  uint32_t key =
      node->op == IR_GET ? t->n_nodes + node->u.variable.var : node->id;
  bool is_kept = node->op == IR_GET || (fact->is_kept && spread_takes(node));
  if (is_kept && !t->in_memory[key] && !spread_shape_is_kept(t, shape))
    VEC_PUSH(t->scratch, &t->kept_shapes, *shape);
  return true;
}

void spread_begin(Lower *t) {
  if (t->target->takes_all)
    ir_walk(&t->kernel->body, spread_note, t);
}

// ----------------------------------------------------------------- elements

IrNode *spread_digit(Lower *t, const TileSpread *s, const SpreadTerm *term) {
  IrNode *at = t->rank;
  if (term->divisor > 1)
    at = put_two(t, IR_UDIV, at, put_i32(t, term->divisor));
  if (term->divisor * term->count < s->lanes)
    at = put_two(t, IR_UREM, at, put_i32(t, term->count));
  return at;
}

SpreadBase spread_base(Lower *t, const TileSpread *s) {
  SpreadBase base = {0};
  for (uint32_t i = 0; i < s->n_terms; i++) {
    const SpreadTerm *term = &s->terms[i];
    IrNode *at = put_times(t, spread_digit(t, s, term), term->step);
    IrNode *sum = base.at[term->dimension];
    base.at[term->dimension] = sum ? put_add(t, sum, at) : at;
  }
  return base;
}

TileIndex spread_index(Lower *t, const TileSpread *s, const SpreadBase *base,
                       uint32_t slot) {
  IrNode *at[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < s->shape.rank; i++)
    at[i] = base->at[i] ? put_plus(t, base->at[i], s->slots[slot][i])
                        : put_i32(t, s->slots[slot][i]);
  TileIndex index = nest_index(t, &s->shape, at);
  index.spread = s;
  index.slot = slot;
  return index;
}

bool spread_nest(Lower *t, const IrTileShape *shape, bool is_by_all,
                 NestBody body, void *context) {
  const TileSpread *s = spread_of(t, shape);
  if (!s)
    return false;
  PutPlace place = {0};
  if (s->n_alike > 0 && !is_by_all)
    place = put_if(t, alike_is_first(t, s));
  SpreadBase base = spread_base(t, s);
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    TileIndex index = spread_index(t, s, &base, slot);
    body(t, &index, context);
  }
  if (place.statement)
    put_end(t, place);
  return true;
}

// ---------------------------------------------------------------- variables

TileHome *spread_home(Lower *t, IrType element, const IrTileShape *shape,
                      uint32_t key) {
  if (!t->target->takes_all || t->in_memory[key])
    return NULL;
  const TileSpread *s = spread_of(t, shape);
  uint32_t bytes = ir_type_size(t->kernel->module, element);
  if (!s || s->n_slots * bytes > MOST_LANE_BYTES)
    return NULL;
  TileHome *home = ARENA_NEW(t->scratch, TileHome);
  home->spread = s;
  home->key = key;
  home->elements = spread_elements(shape);
  home->last = UINT32_MAX;
  home->vars = ARENA_ARRAY(t->scratch, uint32_t, s->n_slots);
  for (uint32_t i = 0; i < s->n_slots; i++)
    home->vars[i] = ir_var_new(t->kernel, NULL, element);
  return home;
}

void spread_ask(Lower *t, const TileHome *home) {
  t->in_memory[home->key] = true;
  t->is_lowered_again = true;
}

// -------------------------------------------------------------- sums of
// products

void spread_load_sums(Lower *t, const IrNode *tile, const TileSpread *s,
                      const SpreadBase *base, IrType work, uint32_t *sums) {
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    TileIndex index = spread_index(t, s, base, slot);
    IrNode *start = element_of(t, tile, &index);
    if (!ir_type_equal(start->type, work))
      start = put_node(t, IR_FCAST, work, 1, start);
    sums[slot] = put_var(t, work, start);
  }
}

void spread_store_sums(Lower *t, const TileHome *home, const TileSpread *s,
                       const SpreadBase *base, IrType tile,
                       const uint32_t *sums) {
  IrType type = ir_element_type(t->kernel->module, tile);
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    TileIndex index = spread_index(t, s, base, slot);
    IrNode *sum = put_get(t, sums[slot]);
    if (!ir_type_equal(type, sum->type))
      sum = put_node(t, IR_FCAST, type, 1, sum);
    home_store_at(t, home, &index, sum);
  }
}
