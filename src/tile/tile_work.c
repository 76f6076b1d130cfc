// SPDX-License-Identifier: Apache-2.0
// Who does an operation on a tile of threads.
//
// Note [Lanes of a group]
// A group of whole warps has one copy of its tiles, in shared memory. Its first
// warp does the operations, as the lanes of a tile kernel do: what other warps
// would add is no speed, as one core runs all of them. An operation needs no
// sync, for nobody else looks into that memory; what others look at, sections,
// is ordered by the program's syncs. Only numbers for all threads wait:
// results of rank 0, elements that threads take, and those that they give.
//
// Where the threads of a group run at once, as on GPUs (TileTarget.takes_all),
// all of them are the lanes, and what one stores for others is followed by a
// sync of the group.
//
// Groups of fewer threads, and runs that are told of accesses, have a copy in
// each thread.
#include "base/panic.h"
#include "ir/form/group_set.h"
#include "tile/tile_parts.h"

#define WARP_LANES 32

static bool work_is_of_warps(const IrGroup *group) {
  return group->size >= WARP_LANES && group->size % WARP_LANES == 0;
}

IrGroup *work_holder(const Lower *t, const IrNode *node) {
  IrGroup *group = ir_node_group(t->kernel, node);
  return t->is_shared && work_is_of_warps(group) ? group : NULL;
}

IrGroup *work_of_var(const Lower *t, uint32_t var) {
  IrGroup *group = t->var_holders[var];
  return group && t->is_shared && work_is_of_warps(group) ? group : NULL;
}

// ------------------------------------------------------------- one group each

// False: a tile goes from one group to another, which the language refuses and
// the text of a kernel may have.
static bool work_note(IrNode *node, void *context) {
  Lower *t = context;
  IrGroup *group = ir_node_group(t->kernel, node);
  for (uint32_t i = 0; i < node->n_args; i++)
    if (ir_is_tile(node->args[i]->type) && node->op != IR_CALL &&
        ir_node_group(t->kernel, node->args[i]) != group)
      return false;
  bool is_var = (node->op == IR_GET && ir_is_tile(node->type)) ||
                (node->op == IR_SET && ir_is_tile(node->args[0]->type));
  if (!is_var)
    return true;
  IrGroup **holder = &t->var_holders[node->u.variable.var];
  *holder = *holder ? *holder : group;
  return *holder == group;
}

bool work_is_shared(Lower *t) {
  t->var_holders =
      ARENA_ARRAY(t->scratch, IrGroup *, t->kernel->vars.count + 1);
  return (t->target->lanes == WARP_LANES || t->target->takes_all) &&
         ir_walk(&t->kernel->body, work_note, t);
}

// ---------------------------------------------------------------------- lanes

static PutPlace work_enter(Lower *t, IrGroup *group) {
  IrGroup *lanes = ir_group_new(t->kernel, GROUP_RANGE, group);
  lanes->name = "lanes";
  lanes->size = WARP_LANES;
  lanes->begin = 0;
  lanes->instances = 1;
  lanes->alignment = WARP_LANES;
  IrNode *node = put_node(t, IR_GROUP, put_void, 0);
  node->u.part.group = lanes;
  node->u.part.parent = group;
  lanes->maker = node;
  t->lane_group = lanes;
  return put_enter(t, node);
}

bool work_is_apart_in(const Lower *t, const IrGroup *group) {
  return group->size > WARP_LANES && !t->target->takes_all;
}

TileWork work_begin(Lower *t, const IrNode *node) {
  TileWork work = {.lanes = t->lanes,
                   .lane_group = t->lane_group,
                   .holder = t->holder,
                   .rank = t->rank,
                   .is_first = t->is_first};
  IrGroup *group = work_holder(t, node);
  if (!group)
    return work;
  t->holder = t->lane_group = group;
  t->lanes = t->target->takes_all ? (uint32_t)group->size : WARP_LANES;
  if (work_is_apart_in(t, group))
    work.place = work_enter(t, group);
  t->rank = put_node(t, IR_RANK, put_type_i32, 0);
  t->rank->u.group.group = t->lane_group;
  t->is_first = put_test(t, IR_EQ, t->rank, put_i32(t, 0));
  return work;
}

bool work_is_apart(const TileWork *work) {
  return work->place.statement != NULL;
}

void work_end(Lower *t, TileWork work) {
  if (work_is_apart(&work))
    put_end(t, work.place);
  t->lanes = work.lanes;
  t->lane_group = work.lane_group;
  t->holder = work.holder;
  t->rank = work.rank;
  t->is_first = work.is_first;
}

// ------------------------------------------------------------------- meetings

void work_sync(Lower *t, IrGroup *group) {
  IrNode *sync = put_node(t, IR_SYNC, put_void, 0);
  sync->u.group.group = group;
  sync->flags |= NODE_OWN;
}

IrNode *work_broadcast(Lower *t, IrGroup *group, IrNode *value) {
  IrNode *made =
      put_node(t, IR_BROADCAST, value->type, 2, value, put_i32(t, 0));
  made->u.group.group = group;
  return made;
}
