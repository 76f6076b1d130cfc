// SPDX-License-Identifier: Apache-2.0
// Tiles computed into memory: element by element, piece by piece, by counting.
#include "tile/tile_parts.h"

// ------------------------------------------------------------ element-wise

typedef struct {
  const IrNode *value; // a tile, or the scalar of all elements
  IrTileShape shape;   // of the value
  const TileHome *home;
  IrTileShape whole; // of what is in the home
  const int32_t *offsets;
} CopyJob;

static void tile_copy_element(Lower *t, const TileIndex *index, void *context) {
  const CopyJob *job = context;
  IrNode *value = ir_is_tile(job->value->type)
                      ? element_of(t, job->value, index)
                      : (IrNode *)(uintptr_t)job->value;
  TileIndex to = *index;
  if (job->offsets) {
    for (uint32_t i = 0; i < index->rank; i++)
      to.at[i] = put_plus(t, index->at[i], job->offsets[i]);
    to = nest_index(t, &job->whole, to.at);
  }
  home_store_at(t, job->home, &to, value);
}

static void copy_all(Lower *t, void *context) {
  const CopyJob *job = context;
  nest_over_home(t, &job->shape, job->home, tile_copy_element, context);
}

static void tile_copy_run(Lower *t, CopyJob *job) {
  uint32_t n_accesses = t->n_accesses;
  section_emit(t, &job->value, 1, copy_all, job);
  put_sync_since(t, n_accesses);
}

void tile_emit_copy(Lower *t, const IrNode *value, const TileHome *home) {
  CopyJob job = {.value = value, .home = home};
  job.shape = tile_shape_of_node(t, value);
  tile_copy_run(t, &job);
}

// ----------------------------------------------------------------- pieces

// The value begins at `offsets` of the node's tile.
static void copy_piece(Lower *t, const IrNode *node, const IrNode *value,
                       const int32_t *offsets, const TileHome *home) {
  CopyJob job = {value, tile_shape_of_node(t, value), home,
                 tile_shape_of_node(t, node), offsets};
  tile_copy_run(t, &job);
}

static void put_cat(Lower *t, const IrNode *node, const TileHome *home) {
  int32_t offsets[IR_MAX_TILE_RANK] = {0};
  uint32_t axis = node->u.tile.axis;
  for (uint32_t i = 0; i < node->n_args; i++) {
    copy_piece(t, node, node->args[i], offsets, home);
    offsets[axis] +=
        (int32_t)tile_shape_of_node(t, node->args[i]).extents[axis];
  }
}

// All elements are the scalar first.
static void put_pad(Lower *t, const IrNode *node, const TileHome *home) {
  static const int32_t start[IR_MAX_TILE_RANK];
  CopyJob job = {.value = node->args[1], .home = home};
  job.shape = tile_shape_of_node(t, node);
  nest_over(t, &job.shape, tile_copy_element, &job);
  put_sync(t);
  copy_piece(t, node, node->args[0], start, home);
}

void tile_emit_pieces(Lower *t, const IrNode *node, const TileHome *home) {
  if (node->op == IR_TILE_CAT) {
    put_cat(t, node, home);
  } else if (node->op == IR_TILE_PAD) {
    put_pad(t, node, home);
  } else {
    tile_emit_copy(t, node->args[0], home);
    copy_piece(t, node, node->args[1], node->u.tile.numbers, home);
  }
}

// -------------------------------------------------------------- histograms

typedef struct {
  const IrNode *node;
  IrTileShape from;
  uint32_t n; // counted are 0 to n - 1
  const TileHome *home;
} CountJob;

// Lanes may count one number at a time.
static void count_one(Lower *t, const CountJob *job, IrNode *number) {
  if (t->lanes == 1) { // a thread's own memory has no atomics
    IrNode *sum = put_plus(t, home_load(t, job->home, number), 1);
    home_store(t, job->home, number, sum);
    return;
  }
  IrNode *add = put_node(t, IR_RMW, put_type_i32, 2, number, put_i32(t, 1));
  add->u.access = (IrAccess){.object = job->home->object,
                             .type = put_type_i32,
                             .align_bytes = 4,
                             .n_index = 1,
                             .order = ORDER_RELAXED,
                             .scope = SCOPE_BLOCK,
                             .rmw = RMW_ADD};
}

static void count_element(Lower *t, const TileIndex *index, void *context) {
  const CountJob *job = context;
  IrNode *value = element_of(t, job->node->args[0], index);
  bool is_unsigned = job->node->flags & NODE_UNSIGNED;
  if (value->type.kind != IR_TYPE_I64)
    value =
        put_node(t, is_unsigned ? IR_ZEXT : IR_SEXT, put_type_i64, 1, value);
  PutPlace place = put_if(t, put_test(t, IR_ULT, value, put_i64(t, job->n)));
  count_one(t, job, put_node(t, IR_TRUNC, put_type_i32, 1, value));
  put_end(t, place);
}

static void count_all(Lower *t, void *context) {
  const CountJob *job = context;
  nest_over(t, &job->from, count_element, context);
}

void tile_emit_histogram(Lower *t, const IrNode *node, const TileHome *home) {
  IrTileShape shape = tile_shape_of_node(t, node);
  CountJob job = {node, tile_shape_of_node(t, node->args[0]), shape.extents[0],
                  home};
  CopyJob zeros = {.value = put_i32(t, 0), .shape = shape, .home = home};
  nest_over(t, &shape, tile_copy_element, &zeros);
  put_sync(t);
  const IrNode *root = node->args[0];
  section_emit(t, &root, 1, count_all, &job);
  put_sync(t);
}
