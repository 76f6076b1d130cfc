// SPDX-License-Identifier: Apache-2.0
// The sets of threads that the syncs of a kernel order, and which sync orders
// which set. Two groups that are the same threads are one set.
#include "base/panic.h"
#include "check/prove/race.h"
#include <string.h>

enum { MAX_SETS = 64 }; // pairs of further sets are left to larger ones

// Depends on nothing but the launch, the block and the thread; and, if allowed,
// on values that are found once.
static bool phase_set_is_fixed_part(const Term *term, bool has_values,
                                    uint32_t depth) {
  if (term->kind == TERM_SYMBOL) {
    const Symbol *symbol = term->symbol;
    return symbol->kind == SYMBOL_LAUNCH || symbol->kind == SYMBOL_BLOCK ||
           symbol->kind == SYMBOL_THREAD ||
           (has_values && symbol->kind == SYMBOL_VALUE && !symbol->loop &&
            !symbol->is_lost && !symbol->is_axis && !symbol->is_of_element);
  }
  if (term->kind == TERM_APPLY || depth > 200)
    return false;
  for (uint32_t i = 0; i < term->n_args; i++) {
    if (!phase_set_is_fixed_part(term->args[i], has_values, depth + 1))
      return false;
  }
  for (uint32_t i = 0; i < term->n_parts; i++) {
    if (!phase_set_is_fixed_part(term->parts[i].atom, has_values, depth + 1))
      return false;
  }
  return true;
}

bool race_is_fixed(const Term *term) {
  return phase_set_is_fixed_part(term, false, 0);
}

bool race_is_timeless(const Term *term) {
  return phase_set_is_fixed_part(term, true, 0);
}

static bool view_is_fixed(const GroupView *view) {
  return view && view->is_known && view->member && view->instance &&
         race_is_fixed(view->member) && race_is_fixed(view->instance);
}

// ------------------------------------------------------- what holds what

static int64_t *classes_new(Race *race, const Term *member,
                            const Term *instance) {
  int64_t n = race->tree->n_threads;
  if (n > 1024)
    return NULL;
  int64_t *classes = ARENA_ARRAY(race->arena, int64_t, (size_t)n);
  const Symbol *symbol = race->tree->thread;
  for (int64_t rank = 0; rank < n; rank++) {
    TermModel model = {.n = 1, .symbols = &symbol, .values = &rank};
    int64_t is_member, number = -1;
    if (!term_value(member, &model, &is_member))
      return NULL;
    if (is_member &&
        (!term_value(instance, &model, &number) || number < 0 || number >= n))
      return NULL;
    classes[rank] = number;
  }
  return classes;
}

typedef struct {
  const int64_t *classes;
} Classes;

// Instance of each rank of the block, or -1; NULL: not the same for all
// launches and blocks. Asked often, so remembered.
static const int64_t *classes_of(Race *race, const Term *member,
                                 const Term *instance) {
  uint64_t key = (uint64_t)member->id << 32 | instance->id;
  Classes *known = map_get(&race->classes, key);
  if (!known) {
    known = ARENA_NEW(race->arena, Classes);
    known->classes = classes_new(race, member, instance);
    map_put(race->arena, &race->classes, key, known);
  }
  return known->classes;
}

static bool classes_hold(const Race *race, const int64_t *outer,
                         const int64_t *inner) {
  int64_t found[1024];
  int64_t n = race->tree->n_threads;
  HD_ASSERT(n <= 1024);
  memset(found, -1, sizeof found);
  for (int64_t rank = 0; rank < n; rank++) {
    if (inner[rank] < 0)
      continue;
    int64_t *slot = &found[inner[rank]];
    if (outer[rank] < 0 || (*slot >= 0 && *slot != outer[rank]))
      return false;
    *slot = outer[rank];
  }
  return true;
}

typedef struct {
  const Term *thread;
} OtherThread;

static const Term *replace_thread(const Symbol *symbol, void *context) {
  const OtherThread *other = context;
  return symbol->kind == SYMBOL_THREAD ? other->thread : NULL;
}

// Two threads of one instance of `inner` are in one of `outer`, by the solver.
static bool terms_hold(Race *race, const Term *outer_member,
                       const Term *outer_instance, const Term *inner_member,
                       const Term *inner_instance) {
  TermTable *t = race->terms;
  OtherThread other = {term_of(t, term_copy_symbol(t, race->tree->thread))};
  const Term *member = term_replace(t, inner_member, replace_thread, &other);
  const Term *instance =
      term_replace(t, inner_instance, replace_thread, &other);
  const Term *given = term_and(t, term_and(t, inner_member, member),
                               term_eq(t, inner_instance, instance));
  member = term_replace(t, outer_member, replace_thread, &other);
  instance = term_replace(t, outer_instance, replace_thread, &other);
  const Term *held = term_and(t, term_and(t, outer_member, member),
                              term_eq(t, outer_instance, instance));
  return solver_proves(race->check->solver, given, held);
}

static bool terms_are(const Term *member, const Term *instance,
                      const SyncSet *set) {
  return member == set->member && instance == set->instance;
}

static bool set_inside(Race *race, const Term *member, const Term *instance,
                       const SyncSet *inner) {
  if (terms_are(member, instance, inner))
    return true;
  int64_t number;
  if (member->kind == TERM_TRUE && term_is_constant(instance, &number))
    return true;
  const int64_t *outer = classes_of(race, member, instance);
  const int64_t *within = classes_of(race, inner->member, inner->instance);
  if (outer && within)
    return classes_hold(race, outer, within);
  return terms_hold(race, member, instance, inner->member, inner->instance);
}

bool race_all_members(Race *race, const SyncSet *set, const IrGroup *group) {
  const GroupView *view = tree_group(race->tree, group);
  if (!view || !view->is_known || !view->member)
    return false;
  if (view->member->kind == TERM_TRUE)
    return true;
  if (set->kind != SET_PART || !race_is_fixed(view->member))
    return false;
  const Term *zero = term_int(race->terms, 0);
  const int64_t *all = classes_of(race, view->member, zero);
  const int64_t *own = classes_of(race, set->member, zero);
  if (all && own)
    return classes_hold(race, all, own);
  return solver_proves(race->check->solver, set->member, view->member);
}

// --------------------------------------------------------------- the sets

static SyncSet *set_new(Race *race, SetKind kind) {
  uint32_t n = race->check->kernel->groups.count;
  SyncSet *set = ARENA_NEW(race->arena, SyncSet);
  *set = (SyncSet){.kind = kind, .id = race->sets.count};
  set->ordered_by = ARENA_ARRAY(race->arena, bool, n);
  set->shares = ARENA_ARRAY(race->arena, bool, n);
  memset(set->ordered_by, 0, n * sizeof(bool));
  memset(set->shares, 0, n * sizeof(bool));
  VEC_PUSH(race->arena, &race->sets, set);
  return set;
}

// Every instance of the group is one thread.
static bool phase_set_is_single(const Race *race, const IrGroup *group) {
  return group->size == 1 || group->kind == GROUP_THREAD ||
         group->kind == GROUP_SINGLE || race->tree->n_threads == 1;
}

static void add_threads_of(Race *race, const Term *member,
                           const Term *instance) {
  if (race->sets.count >= MAX_SETS)
    return;
  SyncSet other = {.member = member, .instance = instance};
  for (uint32_t i = 0; i < race->sets.count; i++) {
    SyncSet *set = race->sets.data[i];
    if (set->kind == SET_PART &&
        (terms_are(member, instance, set) ||
         (set_inside(race, member, instance, set) &&
          set_inside(race, set->member, set->instance, &other))))
      return;
  }
  SyncSet *set = set_new(race, SET_PART);
  set->member = member;
  set->instance = instance;
}

static void phase_set_add_part(Race *race, const IrGroup *group) {
  const GroupView *view = tree_group(race->tree, group);
  if (!phase_set_is_single(race, group) && view_is_fixed(view))
    add_threads_of(race, view->member, view->instance);
}

static int64_t n_instances(const Race *race, const int64_t *classes) {
  int64_t most = -1;
  for (int64_t rank = 0; rank < race->tree->n_threads; rank++)
    most = classes[rank] > most ? classes[rank] : most;
  return most + 1;
}

// Threads that are together in instances of both sets: syncs of either order
// them.
static void phase_set_add_common(Race *race, const SyncSet *a,
                                 const SyncSet *b) {
  TermTable *t = race->terms;
  const int64_t *x = classes_of(race, a->member, a->instance);
  const int64_t *y = classes_of(race, b->member, b->instance);
  if (!x || !y || classes_hold(race, x, y) || classes_hold(race, y, x))
    return;
  int64_t n = n_instances(race, y);
  bool are_apart = true;
  for (int64_t rank = 0; rank < race->tree->n_threads; rank++)
    are_apart &= x[rank] < 0 || y[rank] < 0;
  if (are_apart || n_instances(race, x) * n > race->tree->n_threads)
    return;
  add_threads_of(race, term_and(t, a->member, b->member),
                 term_add(t, term_scale(t, a->instance, n), b->instance));
}

static void add_all_common(Race *race) {
  uint32_t n = race->sets.count;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (race->sets.data[i]->kind == SET_PART &&
          race->sets.data[j]->kind == SET_PART)
        phase_set_add_common(race, race->sets.data[i], race->sets.data[j]);
    }
  }
}

static bool group_holds(Race *race, const SyncSet *set, const IrGroup *group) {
  bool is_grid = group->kind == GROUP_GRID;
  bool is_cluster = group->kind == GROUP_CLUSTER;
  switch (set->kind) {
  case SET_THREAD: return true;
  case SET_CLUSTER: return is_grid || is_cluster;
  case SET_GRID: return is_grid;
  case SET_PART: break;
  }
  if (is_grid || is_cluster || group->kind == GROUP_BLOCK)
    return true;
  const GroupView *view = tree_group(race->tree, group);
  return view_is_fixed(view) &&
         set_inside(race, view->member, view->instance, set);
}

// A block has one part of this kind, so that what is uniform over it is one
// value in the block, whichever of its threads are asked.
static bool is_alone(Race *race, const IrGroup *group) {
  int64_t instance;
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER ||
      group->kind == GROUP_BLOCK)
    return true;
  const GroupView *view = tree_group(race->tree, group);
  return view_is_fixed(view) && term_is_constant(view->instance, &instance);
}

// Groups that syncs name, and that values are uniform over.
static void fill_groups(Race *race) {
  const IrKernel *kernel = race->check->kernel;
  for (uint32_t i = 0; i < race->sets.count; i++) {
    SyncSet *set = race->sets.data[i];
    for (uint32_t g = 0; g < kernel->groups.count; g++) {
      bool holds = group_holds(race, set, kernel->groups.data[g]);
      set->ordered_by[g] = holds;
      set->shares[g] = holds || (set->kind == SET_PART &&
                                 is_alone(race, kernel->groups.data[g]));
    }
  }
}

// Threads of the largest instance, and of all. False: not known.
static bool phase_set_measure(Race *race, const SyncSet *set, int64_t *largest,
                              int64_t *all) {
  const int64_t *classes = classes_of(race, set->member, set->instance);
  int64_t counts[1024] = {0};
  *largest = *all = 0;
  if (!classes)
    return false;
  for (int64_t rank = 0; rank < race->tree->n_threads; rank++) {
    if (classes[rank] < 0)
      continue;
    int64_t count = ++counts[classes[rank]];
    *all += 1;
    *largest = count > *largest ? count : *largest;
  }
  return true;
}

// A pair of threads is checked in the first of the sets that hold it. Sets
// inside others come before them, and smaller ones before larger ones.
static bool phase_set_comes_before(Race *race, const SyncSet *a,
                                   const SyncSet *b) {
  int64_t largest_a, largest_b, all_a, all_b;
  if (!phase_set_measure(race, a, &largest_a, &all_a) ||
      !phase_set_measure(race, b, &largest_b, &all_b))
    return set_inside(race, b->member, b->instance, a);
  if (largest_a != largest_b)
    return largest_a < largest_b;
  return all_a != all_b ? all_a < all_b : a->id < b->id;
}

// Some rank is a member of both, as far as that is known.
static bool sets_meet(Race *race, const SyncSet *a, const SyncSet *b) {
  const int64_t *x = classes_of(race, a->member, a->instance);
  const int64_t *y = classes_of(race, b->member, b->instance);
  for (int64_t rank = 0; x && y && rank < race->tree->n_threads; rank++) {
    if (x[rank] >= 0 && y[rank] >= 0)
      return true;
  }
  return !x || !y;
}

static void fill_inner(Race *race) {
  for (uint32_t i = 0; i < race->sets.count; i++) {
    SyncSet *set = race->sets.data[i];
    for (uint32_t j = 0; j < race->sets.count; j++) {
      SyncSet *other = race->sets.data[j];
      if (i != j && set->kind == SET_PART && other->kind == SET_PART &&
          phase_set_comes_before(race, other, set) &&
          sets_meet(race, other, set))
        VEC_PUSH(race->arena, &set->inner, other);
    }
  }
}

void race_find_sets(Race *race) {
  const IrKernel *kernel = race->check->kernel;
  bool has_cluster = race->has_remote;
  if (race->has_pending)
    set_new(race, SET_THREAD);
  phase_set_add_part(race, kernel->groups.data[GROUP_ROW_BLOCK]);
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || (step->kind != STEP_SYNC && step->kind != STEP_ARRIVE &&
                  step->kind != STEP_WAIT))
      continue;
    const IrGroup *group = step->u.meet.group;
    if (group->kind == GROUP_CLUSTER)
      has_cluster = true;
    else if (group->kind != GROUP_GRID)
      phase_set_add_part(race, group);
  }
  add_all_common(race);
  if (has_cluster)
    set_new(race, SET_CLUSTER);
  set_new(race, SET_GRID);
  fill_groups(race);
  fill_inner(race);
}
