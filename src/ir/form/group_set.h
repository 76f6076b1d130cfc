// SPDX-License-Identifier: Apache-2.0
// Sets of groups that are closed under taking parts, as small numbers.
//
// A set is kept as its largest members: {block} means the block and every
// group inside it. Groups of one thread are members of every set and are never
// kept. Equal sets have equal numbers, so that a table of a million values
// costs four bytes each.
#ifndef HD_IR_FORM_GROUP_SET_H
#define HD_IR_FORM_GROUP_SET_H

#include "ir/form/ir.h"

typedef uint32_t GroupSet;

enum {
  GROUP_SET_SINGLE, // single threads only: the smallest set
  GROUP_SET_ALL,    // the grid and all of its parts
};

typedef struct GroupSets GroupSets;

GroupSets *group_sets_new(Arena *arena, const IrKernel *kernel);

// All parts of `group`.
GroupSet group_set_of(GroupSets *sets, const IrGroup *group);
// The same at a node that only threads of `group` execute: warps and coalesced
// groups that lie wholly in it belong to the set, too.
GroupSet group_set_inside(GroupSets *sets, const IrGroup *group);
// Without groups that are made anew, of other threads, at each turn of the
// loop: what was the same for their threads is so no more for the next ones.
GroupSet group_set_turn(GroupSets *sets, GroupSet set, const IrNode *loop);
// Without groups that are made or named by their begin: what the others did
// was done by the same threads each time.
GroupSet group_set_lasting(GroupSets *sets, GroupSet set);
// What both have. Sets that would grow beyond a fixed bound lose members,
// which is safe: fewer groups are then known to agree.
GroupSet group_set_meet(GroupSets *sets, GroupSet a, GroupSet b);
// `set` with `group` and its parts.
GroupSet group_set_add(GroupSets *sets, GroupSet set, const IrGroup *group);
bool group_set_has(const GroupSets *sets, GroupSet set, const IrGroup *group);

// One thread, or a part of one: everything is uniform over it.
static inline bool group_is_one_thread(const IrGroup *group) {
  for (; group; group = group->parent)
    if (group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE ||
        group->size == 1)
      return true;
  return false;
}

#endif
