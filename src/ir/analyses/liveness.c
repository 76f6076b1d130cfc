// SPDX-License-Identifier: Apache-2.0
// Liveness on demand: a variable is live at a point if some path from there
// meets a `get` of it before a `set`. A question is a search through points
// near occurrences of that one variable only, and what a search learns is kept:
// a search that finds nothing settles every point it saw, one that finds a
// `get` the points on its way.
//
// A point is "after a node" or "at the start of a region". Between two of them
// lie nodes without an occurrence; what matters about those is only whether an
// exit in them leads elsewhere, which is looked up by position.
#include "base/panic.h"
#include "ir/analyses/analysis.h"
#include "ir/form/order.h"

typedef struct {
  uint32_t *data; // positions, increasing
  uint32_t count;
} Positions;

typedef struct {
  const IrRegion *region; // start of it, or NULL
  const IrNode *node;     // after it, or NULL
  uint32_t parent;        // index in the search, for the way back
} Point;

struct Liveness {
  Arena *arena;
  const NodeOrder *order;
  Positions *occurrences; // by variable
  Positions *leaves;      // by node id: exits that leave it
  Positions *turns;       // by node id: exits to its next turn
  Map known;              // point and variable to 1 (dead) or 2 (live)
  Map seen;               // of the running search: to its number
  uintptr_t n_searches;
  hd_vec(Point) points; // of the running search
};

// --------------------------------------------------------------- tables

static uint32_t liveness_variable_of(const IrNode *node) {
  switch ((int)node->op) {
  case IR_GET:
  case IR_SET: return node->u.variable.var;
  case IR_FOR: return node->u.loop.var;
  case IR_THREAD_FOR: return node->u.part.var;
  default: return UINT32_MAX;
  }
}

static Positions *liveness_list_of(Liveness *live, const IrNode *node) {
  if (node->op == IR_EXIT) {
    const IrNode *target = node->u.exit.target;
    bool is_turn = node->u.exit.is_continue &&
                   (target->op == IR_LOOP || target->op == IR_FOR);
    return &(is_turn ? live->turns : live->leaves)[target->id];
  }
  uint32_t var = liveness_variable_of(node);
  return var == UINT32_MAX ? NULL : &live->occurrences[var];
}

// Counts first, then fills: each list is one array of the right size.
static void liveness_collect(Liveness *live) {
  const NodeOrder *order = live->order;
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    Positions *list = liveness_list_of(live, order->nodes[i]);
    if (list)
      list->count++;
  }
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    Positions *list = liveness_list_of(live, order->nodes[i]);
    if (!list)
      continue;
    if (!list->data) {
      list->data = ARENA_ARRAY(live->arena, uint32_t, list->count);
      list->count = 0;
    }
    list->data[list->count++] = i;
  }
}

Liveness *ir_liveness(Arena *arena, const IrKernel *kernel) {
  Liveness *live = ARENA_NEW(arena, Liveness);
  live->arena = arena;
  live->order = node_order(arena, kernel);
  live->occurrences = ARENA_ARRAY(arena, Positions, kernel->vars.count);
  live->leaves = ARENA_ARRAY(arena, Positions, kernel->n_nodes);
  live->turns = ARENA_ARRAY(arena, Positions, kernel->n_nodes);
  liveness_collect(live);
  return live;
}

// The first position in the list at or after `from`; UINT32_MAX if none.
static uint32_t first_from(const Positions *list, uint32_t from) {
  uint32_t low = 0, high = list->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (list->data[middle] < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low < list->count ? list->data[low] : UINT32_MAX;
}

// --------------------------------------------------------------- search

static uint64_t liveness_key_of(const Liveness *live, Point point,
                                uint32_t var) {
  uint32_t n_ids = live->order->n_ids;
  uint64_t place;
  if (point.node)
    place = point.node->id;
  else if (point.region->owner)
    place = n_ids + 2 * (uint64_t)point.region->owner->id +
            (uint64_t)(point.region - point.region->owner->regions);
  else
    place = 3 * (uint64_t)n_ids;
  return place << 32 | var;
}

static void add_point(Liveness *live, Point point, uint32_t var) {
  uint64_t key = liveness_key_of(live, point, var);
  if ((uintptr_t)map_get(&live->known, key) == 1 ||
      (uintptr_t)map_get(&live->seen, key) == live->n_searches)
    return;
  map_put(live->arena, &live->seen, key, (void *)live->n_searches);
  VEC_PUSH(live->arena, &live->points, point);
}

static void add_start(Liveness *live, const IrRegion *region, uint32_t var,
                      uint32_t parent) {
  add_point(live, (Point){.region = region, .parent = parent}, var);
}

static void add_after(Liveness *live, const IrNode *node, uint32_t var,
                      uint32_t parent) {
  add_point(live, (Point){.node = node, .parent = parent}, var);
}

// The variable at the head of a loop whose next turn may begin.
static void add_turn(Liveness *live, const IrNode *loop, uint32_t var,
                     uint32_t parent) {
  if (liveness_variable_of(loop) != var)
    add_start(live, &loop->regions[0], var, parent);
  if (loop->op != IR_LOOP)
    add_after(live, loop, var, parent);
}

static bool is_straight(const IrNode *node) {
  return node->op == IR_BLOCK || node->op == IR_CALL || node->op == IR_IF ||
         node->op == IR_GROUP || node->op == IR_WITH ||
         (node->op == IR_THREAD_FOR && node->u.part.is_split);
}

// Where exits between two positions of a region lead.
static void add_exits(Liveness *live, const IrRegion *region, uint32_t from,
                      uint32_t to, uint32_t var, uint32_t parent) {
  for (const IrNode *target = region->owner; target;
       target = ir_node_owner(target)) {
    if (ir_op_info(target)->form == FORM_PART || ir_is_operator(target))
      return;
    if (first_from(&live->leaves[target->id], from) < to)
      add_after(live, target, var, parent);
    if (first_from(&live->turns[target->id], from) < to)
      add_turn(live, target, var, parent);
  }
}

static void liveness_add_end(Liveness *live, const IrRegion *region,
                             uint32_t var, uint32_t parent) {
  const IrNode *owner = region->owner;
  if (!owner || (region->last && region->last->op == IR_EXIT))
    return;
  if (is_straight(owner))
    add_after(live, owner, var, parent);
  else
    add_turn(live, owner, var, parent);
}

// Into a node that holds occurrences.
static void liveness_add_inside(Liveness *live, const IrNode *node,
                                uint32_t var, uint32_t parent) {
  if (node->op == IR_FOR ||
      (node->op == IR_THREAD_FOR && !node->u.part.is_split)) {
    add_turn(live, node, var, parent);
    return;
  }
  if (node->op == IR_THREAD_FOR && liveness_variable_of(node) == var)
    return;
  for (uint32_t i = 0; i < node->n_regions; i++)
    add_start(live, &node->regions[i], var, parent);
  if (node->op == IR_GROUP || ir_is_operator(node))
    add_after(live, node, var, parent);
}

// True if a `get` comes next on some path; else adds where paths go on.
static bool liveness_step(Liveness *live, uint32_t index, uint32_t var) {
  Point point = live->points.data[index];
  const NodeOrder *order = live->order;
  const IrRegion *region = point.node ? point.node->region : point.region;
  if (!region->first) {
    liveness_add_end(live, region, var, index);
    return false;
  }
  uint32_t from = point.node ? order->end[point.node->id]
                             : order->position[region->first->id];
  uint32_t end = order->end[region->last->id];
  uint32_t at = first_from(&live->occurrences[var], from);
  if (at >= end) {
    add_exits(live, region, from, end, var, index);
    liveness_add_end(live, region, var, index);
    return false;
  }
  const IrNode *next = order->nodes[at];
  while (next->region != region)
    next = ir_node_owner(next);
  add_exits(live, region, from, order->position[next->id], var, index);
  if (next->op == IR_GET)
    return true;
  if (next->op != IR_SET)
    liveness_add_inside(live, next, var, index);
  return false;
}

static void liveness_settle(Liveness *live, uint32_t index, uint32_t var,
                            bool is_live) {
  uint64_t key = liveness_key_of(live, live->points.data[index], var);
  map_put(live->arena, &live->known, key, (void *)(uintptr_t)(is_live ? 2 : 1));
}

static bool liveness_search(Liveness *live, Point start, uint32_t var) {
  uintptr_t known =
      (uintptr_t)map_get(&live->known, liveness_key_of(live, start, var));
  if (known)
    return known == 2;
  live->n_searches++;
  live->points.count = 0;
  add_point(live, start, var);
  for (uint32_t i = 0; i < live->points.count; i++) {
    uint64_t key = liveness_key_of(live, live->points.data[i], var);
    if ((uintptr_t)map_get(&live->known, key) != 2 &&
        !liveness_step(live, i, var))
      continue;
    for (uint32_t k = i;; k = live->points.data[k].parent) {
      liveness_settle(live, k, var, true);
      if (k == 0)
        return true;
    }
  }
  for (uint32_t i = 0; i < live->points.count; i++)
    liveness_settle(live, i, var, false);
  return false;
}

bool liveness_after(const Liveness *liveness, const IrNode *node,
                    uint32_t var) {
  HD_ASSERT(order_has(liveness->order, node));
  Liveness *live = (Liveness *)(uintptr_t)liveness; // what is known grows
  return liveness_search(live, (Point){.node = node}, var);
}

bool liveness_at_entry(const Liveness *liveness, const IrRegion *region,
                       uint32_t var) {
  Liveness *live = (Liveness *)(uintptr_t)liveness;
  return liveness_search(live, (Point){.region = region}, var);
}
