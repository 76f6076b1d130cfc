// SPDX-License-Identifier: Apache-2.0
// Scans. Where there are enough lines, each lane has lines of its own and goes
// along them. Otherwise the lanes scan `lanes` neighbours of one line at a time
// and go on with the sum, unless an operator of the program may not be asked
// for what no element is (operator_takes_all): lanes without an element have
// one of another.
#include "tile/tile_parts.h"

typedef struct {
  const IrNode *node;
  IrTileShape shape, others; // of the tile, and without the axis
  uint32_t axis, extent;
  bool is_exclusive, is_reverse;
  const TileHome *home;
  IrNode *others_at[IR_MAX_TILE_RANK];
} Scan;

// What is combined comes before, or, from the end, after.
static IrNode *scan_pair(Lower *t, const Scan *s, IrNode *sum, IrNode *next) {
  return s->is_reverse ? put_combined(t, s->node, next, sum)
                       : put_combined(t, s->node, sum, next);
}

static TileIndex scan_index(Lower *t, const Scan *s, IrNode *step) {
  IrNode *at[IR_MAX_TILE_RANK];
  uint32_t next = 0;
  if (s->is_reverse) {
    step = put_two(t, IR_SUB, put_i32(t, (int64_t)s->extent - 1), step);
    step->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  }
  for (uint32_t i = 0; i < s->shape.rank; i++)
    at[i] = i == s->axis ? step : s->others_at[next++];
  return nest_index(t, &s->shape, at);
}

// What comes before the first, or NULL: nothing does.
static IrNode *tile_scan_first(Lower *t, const Scan *s) {
  if (s->node->n_args > 1)
    return s->node->args[1];
  if (!s->is_exclusive)
    return NULL;
  IrType type = s->shape.element;
  return put_const(t, type, ir_combine_identity(s->node->u.tile.combine, type));
}

// ------------------------------------------------------ a line in each lane

static void scan_alone(Lower *t, const TileIndex *others, void *context) {
  Scan *s = context;
  for (uint32_t i = 0; i < others->rank; i++)
    s->others_at[i] = others->at[i];
  IrNode *first = tile_scan_first(t, s), *step;
  uint32_t begin = 0;
  if (!first) {
    TileIndex index = scan_index(t, s, put_i32(t, 0));
    first = element_of(t, s->node->args[0], &index);
    home_store(t, s->home, index.flat, first);
    begin = 1;
  }
  uint32_t sum = put_var(t, s->shape.element, first);
  PutPlace place =
      put_for(t, put_i32(t, begin), put_i32(t, s->extent), 1, &step);
  TileIndex index = scan_index(t, s, step);
  IrNode *value = element_of(t, s->node->args[0], &index);
  IrNode *before = put_get(t, sum);
  IrNode *after = scan_pair(t, s, before, value);
  put_set(t, sum, after);
  home_store(t, s->home, index.flat, s->is_exclusive ? before : after);
  put_end(t, place);
}

// --------------------------------------------------- all lanes in one line

// Of a reverse scan, the operator with its sides exchanged.
static IrNode *scan_lanes(Lower *t, const Scan *s, IrNode *value) {
  if (!s->is_reverse || !ir_is_operator(s->node))
    return put_scan_lanes(t, s->node, value);
  IrNode how = *s->node;
  how.u.by.left = s->node->u.by.right;
  how.u.by.right = s->node->u.by.left;
  return put_scan_lanes(t, &how, value);
}

static IrNode *one_lower(Lower *t, IrNode *value) {
  IrNode *made = put_node(t, IR_SHFL_UP, value->type, 2, value, put_i32(t, 1));
  made->u.group.group = t->lane_group;
  return made;
}

// The elements from `start` on, one a lane. `sum` is what comes before, if
// `has_sum`.
static void scan_row(Lower *t, const Scan *s, IrNode *start, uint32_t sum,
                     bool has_sum) {
  IrNode *step = put_add(t, start, t->rank);
  IrNode *is_there = put_test(t, IR_SLT, step, put_i32(t, s->extent));
  TileIndex index =
      scan_index(t, s, put_select(t, is_there, step, put_i32(t, 0)));
  IrNode *value = element_of(t, s->node->args[0], &index);
  IrNode *after = scan_lanes(t, s, value), *given = after;
  if (has_sum)
    given = after = scan_pair(t, s, put_get(t, sum), after);
  if (s->is_exclusive)
    given = put_select(t, t->is_first, put_get(t, sum), one_lower(t, after));
  put_set(t, sum, put_of_lane(t, after, t->lanes - 1));
  PutPlace place = put_if(t, is_there);
  home_store(t, s->home, index.flat, given);
  put_end(t, place);
}

static void scan_together(Lower *t, const TileIndex *others, void *context) {
  Scan *s = context;
  for (uint32_t i = 0; i < others->rank; i++)
    s->others_at[i] = others->at[i];
  IrNode *first = tile_scan_first(t, s), *start;
  uint32_t sum = put_var(t, s->shape.element, first), begin = 0;
  if (!first) {
    scan_row(t, s, put_i32(t, 0), sum, false);
    begin = t->lanes;
  }
  if (begin >= s->extent)
    return;
  PutPlace place =
      put_for(t, put_i32(t, begin), put_i32(t, s->extent), t->lanes, &start);
  scan_row(t, s, start, sum, true);
  put_end(t, place);
}

static void tile_scan_all(Lower *t, void *context) {
  const Scan *s = context;
  uint32_t n_lines = 1;
  for (uint32_t i = 0; i < s->others.rank; i++)
    n_lines *= s->others.extents[i];
  bool is_shared = !ir_is_operator(s->node) || operator_takes_all(s->node);
  if (n_lines < t->lanes / 2 && is_shared) {
    nest_serial(t, &s->others, scan_together, context);
  } else if (s->others.rank > 0) {
    nest_over(t, &s->others, scan_alone, context);
  } else {
    PutPlace place = put_if(t, t->is_first);
    scan_alone(t, &(TileIndex){.flat = put_i32(t, 0)}, context);
    put_end(t, place);
  }
}

void tile_emit_scan(Lower *t, const IrNode *node, const TileHome *home) {
  Scan s = {.node = node, .shape = tile_shape_of_node(t, node), .home = home};
  s.axis = node->u.tile.axis;
  s.extent = s.shape.extents[s.axis];
  s.others = nest_part(&s.shape, 1u << s.axis, false);
  s.is_exclusive = node->u.tile.is_exclusive;
  s.is_reverse = node->u.tile.is_reverse;
  const IrNode *root = node->args[0];
  section_emit(t, &root, 1, tile_scan_all, &s);
  put_sync(t);
}
