// SPDX-License-Identifier: Apache-2.0
#include "ir/form/group_set.h"
#include <string.h>

// Bounds on hostile programs; ordinary ones have a handful of sets of one or
// two members.
#define MAX_MEMBERS 32u
#define MAX_SETS    (1u << 15)

typedef struct Members {
  struct Members *chain; // next with the same hash
  GroupSet id;
  uint32_t count;
  uint32_t ids[]; // group ids, increasing, none inside another
} Members;

// Where a group stands in the tree: it contains those numbered in
// [enter, leave).
typedef struct {
  uint32_t enter, leave;
} TreeSpan;

struct GroupSets {
  Arena *arena;
  const IrKernel *kernel;
  TreeSpan *spans; // by group id
  hd_vec(const Members *) sets;
  Map by_hash;             // of members
  Map meets;               // pair of sets to set + 1
  bool *is_moving;         // by group id: other threads each time it is made
  bool has_moving;         // any of them
  hd_vec(uint32_t) strays; // warps and coalesced groups: parts of groups
                           // that are not their parents
};

// ---------------------------------------------------------- the group tree

// Numbers the tree without recursion, through child lists by id.
static void number_groups(GroupSets *sets) {
  const IrKernel *kernel = sets->kernel;
  uint32_t n = kernel->groups.count;
  uint32_t *first_child = ARENA_ARRAY(sets->arena, uint32_t, n + 1);
  uint32_t *next_sibling = ARENA_ARRAY(sets->arena, uint32_t, n + 1);
  for (uint32_t i = n; i > 0; i--) { // ids + 1; 0 is none, n roots in [0]
    const IrGroup *parent = kernel->groups.data[i - 1]->parent;
    uint32_t *head = &first_child[parent ? parent->id + 1 : 0];
    next_sibling[i] = *head;
    *head = i;
  }
  uint32_t clock = 0;
  for (uint32_t i = first_child[0]; i;) {
    sets->spans[i - 1].enter = clock++;
    if (first_child[i]) {
      i = first_child[i];
      continue;
    }
    sets->spans[i - 1].leave = clock;
    while (i && !next_sibling[i]) {
      const IrGroup *parent = kernel->groups.data[i - 1]->parent;
      i = parent ? parent->id + 1 : 0;
      if (i)
        sets->spans[i - 1].leave = clock;
    }
    i = i ? next_sibling[i] : 0;
  }
}

static bool group_set_contains(const GroupSets *sets, uint32_t outer,
                               uint32_t inner) {
  return sets->spans[outer].enter <= sets->spans[inner].enter &&
         sets->spans[inner].leave <= sets->spans[outer].leave;
}

// ------------------------------------------------------------- interning

static GroupSet intern(GroupSets *sets, const uint32_t *ids, uint32_t count) {
  uint64_t hash = hash_bytes(ids, count * sizeof *ids) + count;
  Members *same = map_get(&sets->by_hash, hash);
  for (Members *m = same; m; m = m->chain)
    if (m->count == count && memcmp(m->ids, ids, count * sizeof *ids) == 0)
      return m->id;
  if (sets->sets.count >= MAX_SETS)
    return GROUP_SET_SINGLE;
  Members *made =
      arena_alloc(sets->arena, sizeof *made + count * sizeof *made->ids);
  made->chain = same;
  made->id = sets->sets.count;
  made->count = count;
  if (count)
    memcpy(made->ids, ids, count * sizeof *ids);
  map_put(sets->arena, &sets->by_hash, hash, made);
  VEC_PUSH(sets->arena, &sets->sets, made);
  return made->id;
}

// ------------------------------------------------------------ made groups

static bool is_made_anew(const IrGroup *group) {
  if (group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED)
    return true;
  return group->kind == GROUP_TILED && group->maker && group->maker->n_args &&
         group->maker->args[0]->op != IR_CONST;
}

static void collect_made(GroupSets *sets) {
  const IrKernel *kernel = sets->kernel;
  uint32_t n = kernel->groups.count;
  sets->is_moving = ARENA_ARRAY(sets->arena, bool, n);
  for (uint32_t i = 0; i < n; i++) {
    const IrGroup *group = kernel->groups.data[i];
    sets->is_moving[i] = is_made_anew(group) ||
                         (group->parent && sets->is_moving[group->parent->id]);
    sets->has_moving |= sets->is_moving[i];
    bool is_stray = group->kind == GROUP_WARP || group->kind == GROUP_COALESCED;
    if (is_stray && sets->strays.count < MAX_MEMBERS)
      VEC_PUSH(sets->arena, &sets->strays, i);
  }
}

GroupSets *group_sets_new(Arena *arena, const IrKernel *kernel) {
  GroupSets *sets = ARENA_NEW(arena, GroupSets);
  sets->arena = arena;
  sets->kernel = kernel;
  sets->spans = ARENA_ARRAY(arena, TreeSpan, kernel->groups.count);
  number_groups(sets);
  collect_made(sets);
  uint32_t grid = GROUP_ROW_GRID;
  intern(sets, &grid, 0); // GROUP_SET_SINGLE
  intern(sets, &grid, 1); // GROUP_SET_ALL
  return sets;
}

// A partition of one part has the threads of its parent.
static const IrGroup *same_threads(const IrGroup *group) {
  while ((group->kind == GROUP_WARP || group->kind == GROUP_TILED) &&
         group->instances == 1 && group->parent)
    group = group->parent;
  return group;
}

GroupSet group_set_of(GroupSets *sets, const IrGroup *group) {
  group = same_threads(group);
  if (group_is_one_thread(group))
    return GROUP_SET_SINGLE;
  return intern(sets, &group->id, 1);
}

GroupSet group_set_inside(GroupSets *sets, const IrGroup *group) {
  group = same_threads(group);
  GroupSet set = group_set_of(sets, group);
  for (uint32_t i = 0; i < sets->strays.count && set; i++) {
    const IrGroup *stray = sets->kernel->groups.data[sets->strays.data[i]];
    if (ir_group_holds(sets->kernel, group, stray))
      set = group_set_add(sets, set, stray);
  }
  return set;
}

// ------------------------------------------------------------ operations

// Adds `id` to the increasing array unless it or a larger group is there;
// members inside it go. A full array drops it.
static uint32_t insert_member(const GroupSets *sets, uint32_t *ids,
                              uint32_t count, uint32_t id) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (group_set_contains(sets, ids[i], id))
      return count;
    if (!group_set_contains(sets, id, ids[i]))
      ids[kept++] = ids[i];
  }
  if (kept == MAX_MEMBERS)
    return kept;
  uint32_t at = kept;
  for (; at > 0 && ids[at - 1] > id; at--)
    ids[at] = ids[at - 1];
  ids[at] = id;
  return kept + 1;
}

static GroupSet meet_members(GroupSets *sets, const Members *a,
                             const Members *b) {
  uint32_t ids[MAX_MEMBERS], count = 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++) {
      if (group_set_contains(sets, a->ids[i], b->ids[k]))
        count = insert_member(sets, ids, count, b->ids[k]);
      else if (group_set_contains(sets, b->ids[k], a->ids[i]))
        count = insert_member(sets, ids, count, a->ids[i]);
    }
  return intern(sets, ids, count);
}

GroupSet group_set_meet(GroupSets *sets, GroupSet a, GroupSet b) {
  if (a == b || b == GROUP_SET_ALL)
    return a;
  if (a == GROUP_SET_ALL)
    return b;
  if (a == GROUP_SET_SINGLE || b == GROUP_SET_SINGLE)
    return GROUP_SET_SINGLE;
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  uintptr_t known = (uintptr_t)map_get(&sets->meets, key);
  if (known)
    return (GroupSet)(known - 1);
  GroupSet set = meet_members(sets, sets->sets.data[a], sets->sets.data[b]);
  map_put(sets->arena, &sets->meets, key, (void *)((uintptr_t)set + 1));
  return set;
}

GroupSet group_set_add(GroupSets *sets, GroupSet set, const IrGroup *group) {
  group = same_threads(group);
  if (group_set_has(sets, set, group))
    return set;
  const Members *members = sets->sets.data[set];
  uint32_t ids[MAX_MEMBERS];
  if (members->count)
    memcpy(ids, members->ids, members->count * sizeof *ids);
  uint32_t count = insert_member(sets, ids, members->count, group->id);
  return intern(sets, ids, count);
}

bool group_set_has(const GroupSets *sets, GroupSet set, const IrGroup *group) {
  if (group_is_one_thread(group) || set == GROUP_SET_ALL)
    return true;
  const Members *members = sets->sets.data[set];
  for (uint32_t i = 0; i < members->count; i++)
    if (group_set_contains(sets, members->ids[i], group->id))
      return true;
  return false;
}

static bool stands_in(const IrNode *node, const IrNode *loop) {
  while (node && node != loop)
    node = node->region ? node->region->owner : NULL;
  return node == loop;
}

static bool ends_with_turn(const GroupSets *sets, const Members *members,
                           uint32_t id, const IrNode *loop) {
  const IrGroup *group = sets->kernel->groups.data[id];
  for (; group && sets->is_moving[group->id]; group = group->parent) {
    if (!is_made_anew(group) || !stands_in(group->maker, loop))
      continue;
    // A coalesced group stays a part of the group that was current.
    if (group->kind == GROUP_COALESCED) {
      uint32_t outer = ir_node_group(sets->kernel, group->maker)->id;
      for (uint32_t i = 0; i < members->count; i++)
        if (members->ids[i] != id &&
            group_set_contains(sets, members->ids[i], outer))
          return false;
    }
    return true;
  }
  return false;
}

GroupSet group_set_turn(GroupSets *sets, GroupSet set, const IrNode *loop) {
  if (!sets->has_moving || set == GROUP_SET_SINGLE || set == GROUP_SET_ALL)
    return set;
  const Members *members = sets->sets.data[set];
  uint32_t ids[MAX_MEMBERS], count = 0;
  for (uint32_t i = 0; i < members->count; i++)
    if (!ends_with_turn(sets, members, members->ids[i], loop))
      ids[count++] = members->ids[i];
  return intern(sets, ids, count);
}

// One and the same threads wherever the kernel names it.
static bool is_lasting(const IrGroup *group) {
  for (; group; group = group->parent)
    switch ((int)group->kind) {
    case GROUP_GRID:
    case GROUP_CLUSTER:
    case GROUP_BLOCK:
    case GROUP_WARP:
    case GROUP_TILED: break;
    default: return false;
    }
  return true;
}

GroupSet group_set_lasting(GroupSets *sets, GroupSet set) {
  if (set == GROUP_SET_SINGLE || set == GROUP_SET_ALL)
    return set;
  const Members *members = sets->sets.data[set];
  uint32_t ids[MAX_MEMBERS], count = 0;
  for (uint32_t i = 0; i < members->count; i++)
    if (is_lasting(sets->kernel->groups.data[members->ids[i]]))
      ids[count++] = members->ids[i];
  return intern(sets, ids, count);
}
