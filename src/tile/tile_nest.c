// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of a tile.
//
// Note [Rows of lanes]
// The last dimension is walked by all lanes together, `lanes` neighbours at a
// time, the dimensions before it by loops that are the same in all lanes. So an
// index of the last dimension is a sum that the back end knows to be one more
// in each lane, and all others are scalars. Short last dimensions are taken
// together with those before them until a row is full.
#include "tile/tile_parts.h"

#include "base/bits.h"

// ---------------------------------------------------------------- indices

IrTileShape nest_part(const IrTileShape *shape, uint32_t axes, bool is_in) {
  IrTileShape part = {.element = shape->element};
  for (uint32_t i = 0; i < shape->rank; i++)
    if ((axes >> i & 1) == is_in)
      part.extents[part.rank++] = shape->extents[i];
  return part;
}

TileIndex nest_index(Lower *t, const IrTileShape *shape, IrNode *const *at) {
  TileIndex index = {.rank = shape->rank};
  IrNode *flat = NULL;
  for (uint32_t i = 0; i < shape->rank; i++) {
    index.at[i] = at[i];
    flat =
        flat ? put_add(t, put_times(t, flat, shape->extents[i]), at[i]) : at[i];
  }
  index.flat = flat ? flat : put_i32(t, 0);
  return index;
}

static IrNode *modulo(Lower *t, IrNode *a, uint32_t b) {
  return put_two(t, IR_UREM, a, put_i32(t, b));
}

static IrNode *quotient(Lower *t, IrNode *a, uint32_t b) {
  return b == 1 ? a : put_two(t, IR_UDIV, a, put_i32(t, b));
}

// Indices of the dimensions from `first` on.
static void unflat_from(Lower *t, const IrTileShape *shape, uint32_t first,
                        IrNode *flat, IrNode **at) {
  uint32_t step = 1;
  for (uint32_t i = shape->rank; i-- > first;) {
    IrNode *above = quotient(t, flat, step);
    at[i] = shape->extents[i] == 1 ? put_i32(t, 0)
            : i == first           ? above
                                   : modulo(t, above, shape->extents[i]);
    step *= shape->extents[i];
  }
}

TileIndex nest_unflat(Lower *t, const IrTileShape *shape, IrNode *flat) {
  TileIndex index = {.rank = shape->rank, .flat = flat};
  unflat_from(t, shape, 0, flat, index.at);
  return index;
}

// ------------------------------------------------------------------ loops

typedef struct {
  const IrTileShape *shape;
  uint32_t first; // dimensions from it on are one row
  uint32_t row;   // elements of that
  IrNode *at[IR_MAX_TILE_RANK];
  NestBody body;
  void *context;
} Nest;

// The element at place `j` of the row.
static void nest_element(Lower *t, const Nest *nest, IrNode *j) {
  const IrTileShape *shape = nest->shape;
  TileIndex index = {.rank = shape->rank};
  IrNode *flat = NULL;
  for (uint32_t i = 0; i < nest->first; i++) {
    index.at[i] = nest->at[i];
    flat = flat ? put_add(t, put_times(t, flat, shape->extents[i]), nest->at[i])
                : nest->at[i];
  }
  if (nest->first + 1 == shape->rank)
    index.at[nest->first] = j;
  else
    unflat_from(t, shape, nest->first, j, index.at);
  index.flat = flat ? put_add(t, put_times(t, flat, nest->row), j) : j;
  nest->body(t, &index, nest->context);
}

static void nest_row(Lower *t, const Nest *nest) {
  uint32_t rest = nest->row % t->lanes, full = nest->row - rest;
  if (full == t->lanes) {
    nest_element(t, nest, t->rank);
  } else if (full > 0) {
    IrNode *j;
    PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, full), t->lanes, &j);
    nest_element(t, nest, put_add(t, j, t->rank));
    put_end(t, place);
  }
  if (rest > 0) {
    PutPlace place = put_if(t, put_test(t, IR_SLT, t->rank, put_i32(t, rest)));
    nest_element(t, nest, put_plus(t, t->rank, full));
    put_end(t, place);
  }
}

static void nest_loops(Lower *t, Nest *nest, uint32_t dimension) {
  if (dimension == nest->first) {
    nest_row(t, nest);
    return;
  }
  uint32_t extent = nest->shape->extents[dimension];
  if (extent == 1) {
    nest->at[dimension] = put_i32(t, 0);
    nest_loops(t, nest, dimension + 1);
    return;
  }
  PutPlace place =
      put_for(t, put_i32(t, 0), put_i32(t, extent), 1, &nest->at[dimension]);
  nest_loops(t, nest, dimension + 1);
  put_end(t, place);
}

static void choose_row(const Lower *t, Nest *nest) {
  const IrTileShape *shape = nest->shape;
  nest->first = shape->rank - 1u;
  nest->row = shape->extents[nest->first];
  if (nest->row > t->lanes / 2 && !bits_is_power(nest->row))
    return; // dividing costs more than the lanes that have nothing to do
  while (nest->first > 0 && nest->row < t->lanes)
    nest->row *= shape->extents[--nest->first];
}

static void nest_spread(Lower *t, const IrTileShape *shape, bool is_by_all,
                        NestBody body, void *context) {
  Nest nest = {.shape = shape, .body = body, .context = context};
  if (shape->rank == 0) {
    TileIndex index = {.flat = put_i32(t, 0)};
    body(t, &index, context);
    return;
  }
  if (spread_nest(t, shape, is_by_all, body, context))
    return;
  choose_row(t, &nest);
  nest_loops(t, &nest, 0);
}

void nest_over(Lower *t, const IrTileShape *shape, NestBody body,
               void *context) {
  nest_spread(t, shape, false, body, context);
}

void nest_over_home(Lower *t, const IrTileShape *shape, const TileHome *home,
                    NestBody body, void *context) {
  nest_spread(t, shape, home->vars != NULL, body, context);
}

static void serial_loops(Lower *t, Nest *nest, uint32_t dimension) {
  if (dimension == nest->shape->rank) {
    TileIndex index = nest_index(t, nest->shape, nest->at);
    nest->body(t, &index, nest->context);
    return;
  }
  PutPlace place =
      put_for(t, put_i32(t, 0), put_i32(t, nest->shape->extents[dimension]), 1,
              &nest->at[dimension]);
  serial_loops(t, nest, dimension + 1);
  put_end(t, place);
}

void nest_serial(Lower *t, const IrTileShape *shape, NestBody body,
                 void *context) {
  Nest nest = {.shape = shape, .body = body, .context = context};
  serial_loops(t, &nest, 0);
}
