// SPDX-License-Identifier: Apache-2.0
// Neighbouring blocks run together.
//
// Note [Rectangles of blocks]
// The grid is cut into rectangles of blocks. Some blocks, spread evenly over
// the grid, run a rectangle each; the others return at once:
//
//   for each chunk of the loop's turns, at least one:
//     for each column of blocks: pack what operand 1 is in these turns
//     for each row of blocks:
//       pack what operand 0 is in these turns
//       for each block of the row:
//         if the chunk is the first: prologue; its sums begin
//         add the products
//         if the chunk is the last: prologue; epilogue
//
// Columns are blocks along the dimension of the grid in which operand 1
// changes. So an operand's elements are brought into the order in which they
// are used once for a whole row or column, and a chunk of operand 1 stays in a
// cache. The parts are copies of the body in which the block's index is a
// variable; what a copy computes and doesn't need is removed later.
#include "ir/analyses/analysis.h"
#include "tile/tile_parts.h"

#include "base/panic.h"

#include <string.h>

// Of a rectangle: elements of the result along the dimensions of operands 0 and
// 1. Operand 1 is packed once for all rows, and a chunk of it has to stay in a
// second-level cache.
static const uint32_t most_sides[2] = {1024, 1024};
// Of a panel of operand 1: a quarter of the first-level cache and this much.
#define PANEL_BYTES        (12 << 10)
#define LEAST_CACHE_BYTES  (32 << 10)
// Of one that comes from a second-level cache: blocks of so many rows multiply
// longer by a row of it than that takes to arrive, and longer chunks bring sums
// to memory and back less often.
#define FAR_PANEL_BYTES    (64 << 10)
#define FAR_PANEL_ROWS     8
// Likewise with matrix registers, which take their rows of operand 0 from a
// second-level cache as fast as they multiply.
#define MATRIX_PANEL_BYTES (32 << 10)
// Times as many blocks along operand 0 if none keeps sums while others run.
#define WINDOW_RECTS       16
// Rectangles for each worker, if the grid has as many blocks: workers want to
// end together.
#define RECTS_EACH         2

typedef struct {
  Lower *t;
  TileRect *rect;
  RectKernel of;
  IrRegion body;     // as it was
  uint32_t index[2]; // variables: the block's index, by dimension
  uint32_t most[2];  // blocks of a rectangle, by operand
  IrNode *first[2];  // its first block, by operand; i64
  IrNode *count[2];  // its blocks, i32
  uint32_t depth;    // of a turn
} Rect;

typedef enum { PART_START, PART_BOUNDS, PART_PACK, PART_END } RectPart;

// ------------------------------------------------------ copies of the body

typedef struct {
  const Rect *r;
  IrNode *loop; // of the copy
} RectCopy;

static bool rect_copy_index(IrNode *node, void *context) {
  const Rect *r = context;
  if (node->op != IR_BLOCK_INDEX || node->u.index.number > 1)
    return true;
  uint32_t var = r->index[node->u.index.number];
  node->op = IR_GET;
  node->u.variable.var = var;
  return true;
}

static void rect_copy_trim(const Rect *r, IrRegion *copy, RectPart part,
                           IrNode *loop) {
  bool is_behind = false;
  for (IrNode *node = copy->first, *next; node; node = next) {
    next = node->next;
    bool starts =
        node->op == IR_SET && node->u.variable.var == r->of.acc && !is_behind;
    bool is_dropped =
        node == loop ? part != PART_PACK
        : is_behind  ? part != PART_END
                     : starts && (part != PART_START || r->rect->is_from_zero);
    is_behind |= node == loop;
    if (is_dropped)
      ir_node_unlink(node);
  }
}

// The part of the body, where code goes now. Returns its loop, which is left
// only in PART_PACK.
static IrNode *rect_part(Rect *r, RectPart part) {
  IrRegion copy = {0};
  ir_clone_region(r->t->kernel, &r->body, &copy);
  IrNode *loop = copy.first;
  for (const IrNode *from = r->body.first; from != r->of.loop;
       from = from->next)
    loop = loop->next;
  rect_copy_trim(r, &copy, part, loop);
  ir_walk(&copy, rect_copy_index, r);
  for (IrNode *node = copy.first, *next; node; node = next) {
    next = node->next;
    ir_node_unlink(node);
    put_here(r->t, node);
  }
  return loop;
}

// ------------------------------------------------------------------- grids

// Numbers of blocks are i64: grids have up to 2^31 - 1 along a dimension.
static IrNode *rect_dimension(const Rect *r, IrOp op, uint32_t number) {
  IrNode *node = put_node(r->t, op, put_type_i32, 0);
  node->u.index.number = number;
  return put_wide(r->t, node);
}

// Of the blocks along which an operand changes: how many there are
// (IR_GRID_DIM), or this block's number.
static IrNode *rect_grid(const Rect *r, IrOp op, uint32_t operand) {
  Lower *t = r->t;
  uint32_t axis = r->of.axis[operand];
  if (axis == RECT_NO_AXIS)
    return put_i64(t, op == IR_GRID_DIM);
  if (axis != RECT_BOTH_AXES)
    return rect_dimension(r, op, axis);
  IrNode *x = rect_dimension(r, op, 0), *y = rect_dimension(r, op, 1);
  IrNode *width = rect_dimension(r, IR_GRID_DIM, 0);
  return op == IR_GRID_DIM
             ? put_two(t, IR_MUL, x, y)
             : put_two(t, IR_ADD, put_two(t, IR_MUL, y, width), x);
}

static IrNode *rect_rounded_up(Lower *t, IrNode *a, IrNode *b) {
  return put_two(t, IR_UDIV, put_add(t, a, put_plus(t, b, -1)), b);
}

// How many rectangles there are along the dimension, for n blocks.
static IrNode *rect_count(const Rect *r, uint32_t operand, IrNode *n) {
  Lower *t = r->t;
  uint32_t least = 1, all = t->target->joins_for_workers * RECTS_EACH;
  while (least * least < all)
    least++;
  if (r->of.axis[operand] == RECT_BOTH_AXES)
    least = all;
  IrNode *few = put_two(t, IR_SMIN, n, put_i64(t, least));
  IrNode *many = rect_rounded_up(t, n, put_i64(t, r->most[operand]));
  return put_two(t, IR_SMAX, few, many);
}

// The rectangle's first block and how many it has, from its number.
static void rect_range(Rect *r, uint32_t operand, IrNode *number, IrNode *n,
                       IrNode *count) {
  Lower *t = r->t;
  IrNode *size = rect_rounded_up(t, n, count);
  IrNode *first = put_two(t, IR_SMIN, put_two(t, IR_MUL, number, size), n);
  IrNode *behind = put_two(t, IR_SMIN, put_add(t, first, size), n);
  r->first[operand] = first;
  r->count[operand] =
      put_node(t, IR_TRUNC, put_type_i32, 1, put_two(t, IR_SUB, behind, first));
}

// Whether this block runs a rectangle, and which.
static IrNode *rect_choose(Rect *r) {
  Lower *t = r->t;
  IrNode *n[2], *counts[2];
  for (uint32_t i = 0; i < 2; i++) {
    n[i] = rect_grid(r, IR_GRID_DIM, i);
    counts[i] = rect_count(r, i, n[i]);
  }
  // Blocks are numbered along x first.
  bool is_x_first = r->of.axis[1] == 0 || r->of.axis[0] == RECT_NO_AXIS;
  uint32_t x = is_x_first ? 1 : 0, y = 1 - x;
  IrNode *all = put_two(t, IR_MUL, n[0], n[1]);
  IrNode *rects = put_two(t, IR_MUL, counts[0], counts[1]);
  IrNode *every = put_two(t, IR_UDIV, all, rects);
  IrNode *row = put_two(t, IR_MUL, rect_grid(r, IR_BLOCK_INDEX, y), n[x]);
  IrNode *block = put_two(t, IR_ADD, row, rect_grid(r, IR_BLOCK_INDEX, x));
  IrNode *number = put_two(t, IR_UDIV, block, every);
  IrNode *is_first =
      put_test(t, IR_EQ, put_two(t, IR_MUL, number, every), block);
  IrNode *is_there = put_test(t, IR_SLT, number, rects);
  rect_range(r, x, put_two(t, IR_UREM, number, counts[x]), n[x], counts[x]);
  rect_range(r, y, put_two(t, IR_UDIV, number, counts[x]), n[y], counts[y]);
  return put_and(t, is_first, is_there);
}

// ------------------------------------------------------------------- loops

static void rect_set_index(Rect *r, uint32_t axis, IrNode *index) {
  put_set(r->t, r->index[axis],
          put_node(r->t, IR_TRUNC, put_type_i32, 1, index));
}

// The block is the rectangle's i-th along the operand's axis.
static void rect_at(Rect *r, uint32_t operand, IrNode *i) {
  Lower *t = r->t;
  uint32_t axis = r->of.axis[operand];
  IrNode *index = put_add(t, r->first[operand], put_wide(t, i));
  if (axis == RECT_NO_AXIS)
    return;
  if (axis != RECT_BOTH_AXES) {
    rect_set_index(r, axis, index);
    return;
  }
  IrNode *width = rect_dimension(r, IR_GRID_DIM, 0);
  rect_set_index(r, 0, put_two(t, IR_UREM, index, width));
  rect_set_index(r, 1, put_two(t, IR_UDIV, index, width));
}

static PutPlace rect_along(Rect *r, uint32_t operand, IrNode **i) {
  PutPlace place = put_for(r->t, put_i32(r->t, 0), r->count[operand], 1, i);
  rect_at(r, operand, *i);
  return place;
}

// The sums meant are those of that block. If there is one chunk, all blocks
// have theirs at one place, which stays in a cache.
static void rect_slot(Rect *r, IrNode *row, IrNode *column, IrNode *is_only) {
  Lower *t = r->t;
  put_set(t, r->rect->panel_var, column);
  if (r->rect->windows) {
    put_set(t, r->rect->slot_var, put_i32(t, 0));
    return;
  }
  IrNode *slot = put_add(t, put_times(t, row, r->most[1]), column);
  put_set(t, r->rect->slot_var, put_select(t, is_only, put_i32(t, 0), slot));
}

// ------------------------------------------------------------------ chunks

static IrNode *rect_wide(const Rect *r, IrNode *bound) {
  return put_wide(r->t, bound);
}

static IrNode *rect_narrow(const Rect *r, IrNode *bound, IrType type) {
  return ir_type_equal(type, put_type_i64)
             ? bound
             : put_node(r->t, IR_TRUNC, type, 1, bound);
}

// Nothing small was seen yet.
static void rect_see_none(Rect *r, uint32_t i) {
  if (r->rect->words.link == IR_FDOT2)
    put_set(r->t, r->rect->small_vars[i], put_const(r->t, put_bool, 0));
}

static void rect_turn_nodes(const IrNode *loop, IrNode **set, IrNode **mma) {
  *set = *mma = NULL;
  for (IrNode *node = loop->regions[0].first; node; node = node->next) {
    *set = node->op == IR_SET ? node : *set;
    *mma = node->op == IR_TILE_MMA ? node : *mma;
  }
  HD_ASSERT(*set && *mma);
}

// The turns from `low` to below `high` (i64) of the loop, in which an operand
// is packed.
static void rect_pack(Rect *r, uint32_t operand, IrNode *low, IrNode *high) {
  Lower *t = r->t;
  put_set(t, r->rect->at_var, put_i32(t, 0));
  if (operand == 0)
    rect_see_none(r, 0);
  IrNode *loop = rect_part(r, PART_PACK);
  PutPlace place = {t->region, t->before, loop};
  IrType type = loop->args[0]->type;
  t->region = NULL;
  t->before = loop;
  loop->args[0] = rect_narrow(r, low, type);
  loop->args[1] = rect_narrow(r, high, type);
  IrNode *set, *mma;
  rect_turn_nodes(loop, &set, &mma);
  t->before = set;
  put_set(t, r->rect->pack_vars[operand], mma->args[operand]);
  put_set(t, r->rect->at_var,
          put_plus(t, put_get(t, r->rect->at_var), r->depth));
  ir_node_unlink(set);
  ir_node_unlink(mma);
  put_end(t, place);
}

// The loop's variable has the value that it has in its first turn.
static bool rect_first_turn(IrNode *node, void *context) {
  const Rect *r = context;
  if (node->op != IR_GET || node->u.variable.var != r->of.loop->u.loop.var)
    return true;
  memset(&node->u, 0, sizeof node->u);
  node->op = IR_CONST;
  node->u.constant.bits = (uint32_t)r->rect->windows->first_turn;
  return true;
}

// All turns of the loop, of which operand 0 is windows.
static void rect_pack_windows(Rect *r) {
  Lower *t = r->t;
  rect_see_none(r, 0);
  IrNode *loop = rect_part(r, PART_PACK), *set, *mma;
  PutPlace place = {t->region, t->before, NULL};
  rect_turn_nodes(loop, &set, &mma);
  ir_walk(&loop->regions[0], rect_first_turn, r);
  loop_dissolve(loop);
  t->region = NULL;
  t->before = set;
  IrNode *all = window_widen(t, r->rect->windows, mma);
  r->rect->windows->var = ir_var_new(t->kernel, NULL, all->type);
  put_set(t, r->rect->windows->var, all);
  ir_node_unlink(set);
  ir_node_unlink(mma);
  t->region = place.region;
  t->before = place.before;
}

static void rect_add(Rect *r) {
  Lower *t = r->t;
  IrNode *args[3] = {put_get(t, r->rect->pack_vars[0]),
                     put_get(t, r->rect->pack_vars[1]), put_get(t, r->of.acc)};
  IrNode *mma = put_node_of(t, IR_TILE_MMA, r->of.mma->type, args, 3);
  mma->u = r->of.mma->u;
  mma->flags = r->of.mma->flags;
  r->rect->mma = mma;
  put_set(t, r->of.acc, mma);
}

static void rect_part_if(Rect *r, IrNode *is, RectPart part) {
  PutPlace place = put_if(r->t, is);
  rect_part(r, part);
  put_end(r->t, place);
}

typedef struct {
  IrNode *low, *high;         // turns of the loop, i64
  IrNode *is_first, *is_last; // of all chunks
} RectChunk;

static void rect_chunk(Rect *r, const RectChunk *chunk) {
  Lower *t = r->t;
  IrNode *row, *column;
  rect_see_none(r, 1);
  rect_at(r, 0, put_i32(t, 0));
  PutPlace place = rect_along(r, 1, &column);
  put_set(t, r->rect->panel_var, column);
  rect_pack(r, 1, chunk->low, chunk->high);
  put_end(t, place);
  PutPlace rows = rect_along(r, 0, &row);
  rect_at(r, 1, put_i32(t, 0));
  if (r->rect->windows)
    rect_pack_windows(r);
  else
    rect_pack(r, 0, chunk->low, chunk->high);
  place = rect_along(r, 1, &column);
  rect_slot(r, row, column, put_and(t, chunk->is_first, chunk->is_last));
  rect_part_if(r, chunk->is_first, PART_START);
  rect_add(r);
  rect_part_if(r, chunk->is_last, PART_END);
  put_end(t, place);
  put_end(t, rows);
}

// Bounds of the loop are computed in i64, where nothing overflows. A loop that
// has no turns has one chunk, of none: blocks begin and end in chunks.
static void rect_chunks(Rect *r) {
  Lower *t = r->t;
  int64_t step = r->of.loop->u.loop.step;
  int64_t turns = r->rect->most_depth / r->depth;
  rect_at(r, 0, put_i32(t, 0));
  rect_at(r, 1, put_i32(t, 0));
  const IrNode *loop = rect_part(r, PART_BOUNDS);
  IrNode *low = rect_wide(r, loop->args[0]),
         *high = rect_wide(r, loop->args[1]);
  IrNode *has_turns = put_test(t, IR_SLT, low, high);
  low = put_select(t, has_turns, low, put_i64(t, 0));
  high = put_select(t, has_turns, high, put_i64(t, 1));
  rect_see_none(r, 2);
  IrNode *chunks = put_node(t, IR_FOR, put_void, 2, low, high);
  chunks->u.loop.var = ir_var_new(t->kernel, NULL, put_type_i64);
  chunks->u.loop.step = step * turns;
  chunks->u.loop.is_signed = true;
  PutPlace place = {t->region, t->before, chunks};
  t->region = &chunks->regions[0];
  IrNode *from = put_get(t, chunks->u.loop.var);
  IrNode *to = put_two(t, IR_SMIN, put_plus(t, from, step * turns), high);
  RectChunk chunk = {.low = from,
                     .is_first = put_test(t, IR_EQ, from, low),
                     .is_last = put_test(t, IR_EQ, to, high)};
  chunk.high = to = put_select(t, has_turns, to, from);
  IrNode *length = put_plus(t, put_two(t, IR_SUB, to, from), step - 1);
  length = put_two(t, IR_UDIV, length, put_i64(t, step));
  length = put_node(t, IR_TRUNC, put_type_i32, 1, length);
  put_set(t, r->rect->depth_var, put_times(t, length, r->depth));
  if (r->rect->words.link == IR_FDOT2 || r->rect->is_from_zero)
    put_set(t, r->rect->first_var, chunk.is_first);
  rect_chunk(r, &chunk);
  put_end(t, place);
}

// ----------------------------------------------------------------- the whole

static void rect_variables(Rect *r) {
  Lower *t = r->t;
  IrKernel *kernel = t->kernel;
  TileRect *rect = r->rect;
  for (uint32_t i = 0; i < 2; i++) {
    r->index[i] = ir_var_new(kernel, NULL, put_type_i32);
    rect->pack_vars[i] = ir_var_new(kernel, NULL, r->of.mma->args[i]->type);
  }
  rect->acc = r->of.acc;
  rect->slot_var = ir_var_new(kernel, NULL, put_type_i32);
  rect->panel_var = ir_var_new(kernel, NULL, put_type_i32);
  rect->at_var = ir_var_new(kernel, NULL, put_type_i32);
  rect->depth_var = ir_var_new(kernel, NULL, put_type_i32);
  for (uint32_t i = 0; i < 3; i++)
    rect->small_vars[i] = ir_var_new(kernel, NULL, put_bool);
  rect->first_var = ir_var_new(kernel, NULL, put_bool);
}

// Elements of K in a chunk: with a near panel of operand 1 the rows of operand
// 0 that are multiplied by it have to fit the first-level cache: 20 KiB of 32
// are of the panel, 24 of 48.
static uint32_t rect_depth(const Rect *r) {
  const IrModule *module = r->t->kernel->module;
  uint32_t word_bytes = ir_type_size(module, r->rect->words.word);
  uint32_t cache = r->t->target->cache_bytes;
  if (cache < LEAST_CACHE_BYTES)
    cache = LEAST_CACHE_BYTES;
  uint32_t bytes = cache / 4 + PANEL_BYTES;
  IrType sum = ir_element_type(module, r->of.mma->type);
  uint32_t rows = product_rows_most(r->t, sum, r->rect->words.group > 1);
  if (r->rect->words.is_matrix)
    bytes = MATRIX_PANEL_BYTES;
  else if (rows >= FAR_PANEL_ROWS)
    bytes = FAR_PANEL_BYTES;
  return bytes / (word_bytes * r->t->lanes) * r->rect->words.group;
}

// Some of its elements come from a tile whose last dimensions are swapped.
static bool rect_is_turned(const IrNode *tile) {
  if (tile->op == IR_TILE_PERMUTE)
    return true; // of rank 2
  bool is_turned = false;
  for (uint32_t i = 0; i < tile->n_args && tile_is_pointwise(tile); i++)
    is_turned |=
        ir_is_tile(tile->args[i]->type) && rect_is_turned(tile->args[i]);
  return is_turned;
}

// Blocks begin with sums that are all +0.
static bool rect_is_from_zero(const Rect *r) {
  const IrNode *start = NULL;
  for (const IrNode *node = r->t->kernel->body.first; node != r->of.loop;
       node = node->next)
    if (node->op == IR_SET && node->u.variable.var == r->of.acc)
      start = node->args[0];
  return start && start->op == IR_TILE_BROADCAST &&
         start->args[0]->op == IR_CONST && start->args[0]->u.constant.bits == 0;
}

// All turns are one chunk, and no block keeps sums while others run.
static void rect_window_sizes(Rect *r) {
  TileRect *rect = r->rect;
  rect->n_slots = 1;
  rect->is_from_zero = rect_is_from_zero(r);
  rect->most_depth = r->depth * rect->windows->n_turns;
  r->most[0] *= WINDOW_RECTS;
  uint32_t columns = rect->windows->most_columns;
  if (r->most[1] > columns)
    r->most[1] = columns;
}

static void rect_sizes(Rect *r) {
  const IrModule *module = r->t->kernel->module;
  const IrTileShape *to = ir_tile_shape(module, r->of.mma->type);
  r->depth = ir_tile_shape(module, r->of.mma->args[0]->type)->extents[1];
  r->rect->words = product_words(r->t, r->of.mma, r->depth);
  r->rect->is_from_zero = r->rect->words.is_matrix && rect_is_from_zero(r);
  r->rect->is_turned[0] = rect_is_turned(r->of.mma->args[0]);
  r->rect->is_turned[1] =
      r->rect->words.group < 4 && rect_is_turned(r->of.mma->args[1]);
  for (uint32_t i = 0; i < 2; i++)
    r->most[i] = r->of.axis[i] == RECT_NO_AXIS ? 1
                 : to->extents[i] >= most_sides[i]
                     ? 1
                     : most_sides[i] / to->extents[i];
  r->rect->n_slots = r->most[0] * r->most[1];
  r->rect->n_panels = r->most[1];
  uint32_t turns = rect_depth(r) / r->depth;
  r->rect->most_depth = r->depth * (turns > 0 ? turns : 1);
  if (!r->rect->words.is_matrix && !r->rect->is_turned[0])
    r->rect->windows = window_find(r->t, &r->of);
  if (r->rect->windows)
    rect_window_sizes(r);
}

void tile_rect(Lower *t) {
  Rect r = {.t = t};
  if (rect_find(t, &r.of))
    return;
  IrRegion *body = &t->kernel->body;
  t->rect = r.rect = ARENA_NEW(t->scratch, TileRect);
  t->loc = r.of.loop->loc;
  rect_sizes(&r);
  rect_variables(&r);
  r.body = *body;
  *body = (IrRegion){0};
  t->region = body;
  PutPlace place = put_if(t, rect_choose(&r));
  rect_chunks(&r);
  put_end(t, place);
  t->region = NULL;
}
