// SPDX-License-Identifier: Apache-2.0
// Sets of groups that are closed under taking parts, as small numbers.
//
// A set is kept as its largest members: {block} means the block and every
// group inside it. Groups of one thread are members of every set and are never
// kept. Equal sets have equal numbers, so that a table of a million values
// costs four bytes each.
#ifndef HD_IR_GROUP_SET_H
#define HD_IR_GROUP_SET_H

#include "ir/ir.h"

typedef uint32_t GroupSet;

enum {
  GROUP_SET_SINGLE, // single threads only: the smallest set
  GROUP_SET_ALL,    // the grid and all of its parts
};

typedef struct GroupSets GroupSets;

GroupSets *group_sets_new(Arena *arena, const IrKernel *kernel);

// All parts of `group`.
GroupSet group_set_of(GroupSets *sets, const IrGroup *group);
// What both have. Sets that would grow beyond a fixed bound lose members,
// which is safe: fewer groups are then known to agree.
GroupSet group_set_meet(GroupSets *sets, GroupSet a, GroupSet b);
// `set` with `group` and its parts.
GroupSet group_set_add(GroupSets *sets, GroupSet set, const IrGroup *group);
bool group_set_has(const GroupSets *sets, GroupSet set, const IrGroup *group);

// One thread: everything is uniform over it.
static inline bool group_is_one_thread(const IrGroup *group) {
  return group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE ||
         group->size == 1;
}

#endif
