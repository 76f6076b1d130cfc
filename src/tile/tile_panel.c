// SPDX-License-Identifier: Apache-2.0
// Products of operands that are packed for several blocks.
//
// Note [Panels]
// Operand 1 of a column of blocks is packed as panels: as many columns of the
// matrix as there are lanes, one row after the other, so that a panel is read
// from its first to its last element. Operand 0 of a row of blocks is packed
// row by row, with a gap so that rows don't compete for the same lines of a
// cache. A block of sums, some rows by one panel, is in registers while k goes
// over the chunk; between chunks it is in memory, with the bits it had. A panel
// is used for all rows of the block before the next one.
#include "tile/tile_parts.h"

// Elements between rows of operand 0.
#define ROW_GAP 16

static uint32_t panel_stride(const Lower *t) {
  return t->rect->most_depth + ROW_GAP;
}

static uint32_t panels_of(const Lower *t, uint32_t n_columns) {
  return (n_columns + t->lanes - 1) / t->lanes;
}

static const IrTileShape *panel_shape(const Lower *t, uint32_t operand) {
  const IrType type = t->kernel->vars.data[t->rect->pack_vars[operand]].type;
  return ir_tile_shape(t->kernel->module, type);
}

static TileHome *panel_home(Lower *t, uint32_t operand) {
  if (t->rect->packs[operand])
    return t->rect->packs[operand];
  const IrTileShape *shape = panel_shape(t, operand);
  uint32_t elements = operand == 0 ? shape->extents[0] * panel_stride(t)
                                   : t->rect->n_panels *
                                         panels_of(t, shape->extents[1]) *
                                         t->rect->most_depth * t->lanes;
  TileHome *home = ARENA_NEW(t->scratch, TileHome);
  home->elements = elements;
  home->object = home_object(
      t, product_work(ir_element_type(t->kernel->module, t->rect->mma->type)),
      elements);
  return t->rect->packs[operand] = home;
}

// Where the panel begins.
static IrNode *panel_place(Lower *t, IrNode *panel) {
  uint32_t n = panels_of(t, panel_shape(t, 1)->extents[1]);
  IrNode *column = put_times(t, put_get(t, t->rect->panel_var), n);
  return put_times(t, put_add(t, column, panel),
                   (int64_t)t->rect->most_depth * t->lanes);
}

// ---------------------------------------------------------------- packing

int panel_operand(const Lower *t, const IrNode *set) {
  for (int i = 0; t->rect && i < 2; i++)
    if (set->u.variable.var == t->rect->pack_vars[i])
      return i;
  return -1;
}

typedef struct {
  const IrNode *value;
  IrNode *at; // of the chunk: where the turn begins
} PanelPack;

static void pack_row_element(Lower *t, const TileIndex *index, void *context) {
  const PanelPack *job = context;
  IrNode *value =
      product_convert(t, t->rect->mma, 0, element_of(t, job->value, index));
  IrNode *row = put_times(t, index->at[0], panel_stride(t));
  IrNode *k = put_add(t, job->at, index->at[1]);
  home_store(t, panel_home(t, 0), put_add(t, row, k), value);
}

static void pack_rows(Lower *t, void *context) {
  nest_over(t, panel_shape(t, 0), pack_row_element, context);
}

typedef void (*PanelBody)(Lower *t, IrNode *panel, void *context);

// For each panel; its lanes that have columns.
static void each_panel(Lower *t, PanelBody body, void *context) {
  uint32_t n_columns = panel_shape(t, 1)->extents[1];
  uint32_t rest = n_columns % t->lanes, full = n_columns / t->lanes;
  if (full > 0) {
    IrNode *panel;
    PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, full), 1, &panel);
    place.statement->u.loop.unroll = 1;
    body(t, panel, context);
    put_end(t, place);
  }
  if (rest > 0) {
    PutPlace place = put_if(t, put_test(t, IR_SLT, t->rank, put_i32(t, rest)));
    body(t, put_i32(t, full), context);
    put_end(t, place);
  }
}

static void pack_panel(Lower *t, IrNode *panel, void *context) {
  const PanelPack *job = context;
  IrNode *k, *start = panel_place(t, panel);
  IrNode *column = put_add(t, put_times(t, panel, t->lanes), t->rank);
  PutPlace place = put_for(t, put_i32(t, 0),
                           put_i32(t, panel_shape(t, 1)->extents[0]), 1, &k);
  IrNode *at[2] = {k, column};
  TileIndex index = nest_index(t, panel_shape(t, 1), at);
  IrNode *value =
      product_convert(t, t->rect->mma, 1, element_of(t, job->value, &index));
  IrNode *row = put_times(t, put_add(t, job->at, k), t->lanes);
  home_store(t, panel_home(t, 1), put_add(t, put_add(t, start, row), t->rank),
             value);
  put_end(t, place);
}

static void pack_panels(Lower *t, void *context) {
  each_panel(t, pack_panel, context);
}

void panel_pack(Lower *t, const IrNode *set) {
  const IrNode *value = set->args[0];
  PanelPack job = {value, put_get(t, t->rect->at_var)};
  section_emit(t, &value, 1,
               panel_operand(t, set) == 0 ? pack_rows : pack_panels, &job);
  put_sync(t);
}

// ---------------------------------------------------------------- products

#define MOST_SUMS 14

typedef struct {
  const TileHome *home;
  uint32_t n_rows, n_columns;
  uint32_t most_rows;
} PanelSums;

// Rows from `first` on, of a panel.
static void panel_sums(Lower *t, const PanelSums *p, IrNode *panel,
                       IrNode *first, uint32_t rows) {
  IrNode *k, *places[MOST_SUMS];
  IrNode *starts[MOST_SUMS], *start = panel_place(t, panel);
  IrNode *column = put_add(t, put_times(t, panel, t->lanes), t->rank);
  uint32_t sums[MOST_SUMS];
  for (uint32_t i = 0; i < rows; i++) {
    IrNode *row = put_plus(t, first, i);
    places[i] = put_add(t, put_times(t, row, p->n_columns), column);
    starts[i] = put_times(t, row, panel_stride(t));
    sums[i] =
        put_var(t, p->home->object->element, home_load(t, p->home, places[i]));
  }
  PutPlace place =
      put_for(t, put_i32(t, 0), put_get(t, t->rect->depth_var), 1, &k);
  place.statement->u.loop.unroll = 1;
  k = put_wide(t, k);
  IrNode *at =
      put_add(t, put_add(t, put_wide(t, start), put_times(t, k, t->lanes)),
              put_wide(t, t->rank));
  IrNode *b = home_load(t, panel_home(t, 1), at);
  for (uint32_t i = 0; i < rows; i++) {
    IrNode *a =
        home_load(t, panel_home(t, 0), put_add(t, put_wide(t, starts[i]), k));
    put_set(t, sums[i], product_link(t, a, b, put_get(t, sums[i])));
  }
  put_end(t, place);
  for (uint32_t i = 0; i < rows; i++)
    home_store(t, p->home, places[i], put_get(t, sums[i]));
}

static void panel_rows(Lower *t, const PanelSums *p, IrNode *panel,
                       uint32_t first, uint32_t n_blocks, uint32_t rows) {
  if (n_blocks == 0 || rows == 0)
    return;
  IrNode *row;
  PutPlace place = put_for(t, put_i32(t, first),
                           put_i32(t, first + n_blocks * rows), rows, &row);
  place.statement->u.loop.unroll = 1;
  panel_sums(t, p, panel, row, rows);
  put_end(t, place);
}

// Blocks of sums of two sizes, one row apart.
static void panel_all(Lower *t, IrNode *panel, void *context) {
  const PanelSums *p = context;
  uint32_t n_blocks = (p->n_rows + p->most_rows - 1) / p->most_rows;
  uint32_t rows = (p->n_rows + n_blocks - 1) / n_blocks;
  uint32_t n_less = n_blocks * rows - p->n_rows, n_full = n_blocks - n_less;
  panel_rows(t, p, panel, 0, n_full, rows);
  panel_rows(t, p, panel, n_full * rows, n_less, rows - 1);
}

void panel_emit_mma(Lower *t, const TileHome *home) {
  PanelSums p = {.home = home,
                 .n_rows = panel_shape(t, 0)->extents[0],
                 .n_columns = panel_shape(t, 1)->extents[1],
                 .most_rows = product_rows_most(t, home->object->element)};
  each_panel(t, panel_all, &p);
  put_sync(t);
}
