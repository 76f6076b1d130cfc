// SPDX-License-Identifier: Apache-2.0
// Elements between tiles and the threads that hold them.
#include "ir/form/group_set.h"
#include "tile/tile_parts.h"

// ---------------------------------------------------------------- an element

typedef struct {
  const IrNode *node;
  uint32_t var; // the element
} Taking;

static TileIndex threads_index(Lower *t, const IrNode *node, uint32_t first,
                               const IrTileShape *shape) {
  IrNode *at[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape->rank; i++)
    at[i] = node->args[first + i];
  return nest_index(t, shape, at);
}

static void take_element(Lower *t, void *context) {
  const Taking *taking = context;
  const IrNode *tile = taking->node->args[0];
  IrTileShape shape = tile_shape_of_node(t, tile);
  TileIndex index = threads_index(t, taking->node, 1, &shape);
  put_set(t, taking->var, cast_physical(t, element_of(t, tile, &index)));
}

// What stands next but for numbers takes an element, too: nothing that lanes do
// stands between.
static bool takes_more(const IrNode *node) {
  const IrNode *next = node->next;
  while (next && next->op != IR_TILE_AT &&
         (next->op == IR_GET || ir_op_info(next)->flags & OPF_PURE) &&
         ir_family(next) != FAMILY_TILE &&
         (next->op == IR_GET || !ir_is_tile(next->type)))
    next = next->next;
  return next && next->op == IR_TILE_AT;
}

// Threads look into the group's copy after the lanes have made it, and before
// these go on.
IrNode *tile_emit_at(Lower *t, const IrNode *node) {
  Taking taking = {node, put_var(t, node->type, NULL)};
  const IrNode *root = node->args[0];
  IrGroup *group = work_holder(t, node);
  if (group && !t->is_taking)
    work_sync(t, group);
  section_emit(t, &root, 1, take_element, &taking);
  t->is_taking = group && takes_more(node);
  if (group && !t->is_taking)
    work_sync(t, group);
  return put_get(t, taking.var);
}

// ----------------------------------------------------------- all of a group

static void store_held(Lower *t, const IrNode *node, const TileHome *home) {
  IrTileShape shape = tile_shape_of_node(t, node);
  for (uint32_t i = 0; i < node->n_args; i += 1u + shape.rank) {
    TileIndex index = threads_index(t, node, i + 1, &shape);
    home_store(t, home, index.flat, node->args[i])->flags |= NODE_OWN;
  }
}

typedef struct {
  const TileHome *from, *to;
} Collected;

static void copy_collected(Lower *t, const TileIndex *index, void *context) {
  const Collected *job = context;
  IrNode *value = home_load(t, job->from, index->flat);
  value->flags |= NODE_OWN;
  home_store(t, job->to, index->flat, value);
}

// By way of memory of the group.
static void collect_of_group(Lower *t, const IrNode *node, IrGroup *group,
                             const TileHome *home) {
  IrTileShape shape = tile_shape_of_node(t, node);
  TileHome through = *home;
  through.slot_var_1 = 0;
  through.object = home_object(t, shape.element, home->elements);
  through.object->space = SPACE_SHARED;
  through.object->group = group;
  work_sync(t, group);
  store_held(t, node, &through);
  work_sync(t, group);
  Collected job = {&through, home};
  nest_over(t, &shape, copy_collected, &job);
}

void tile_emit_collect(Lower *t, const IrNode *node, const TileHome *home) {
  IrGroup *group = ir_node_group(t->kernel, node);
  if (t->holder) {
    work_sync(t, group);
    store_held(t, node, home);
    work_sync(t, group);
    return;
  }
  if (t->is_of_threads && !group_is_one_thread(group)) {
    collect_of_group(t, node, group, home);
    return;
  }
  PutPlace place = {0};
  if (!t->is_of_threads)
    place = put_if(t, t->is_first);
  store_held(t, node, home);
  if (place.statement)
    put_end(t, place);
  put_sync(t);
}
