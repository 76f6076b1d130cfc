// SPDX-License-Identifier: Apache-2.0
// What holds where two threads of a set meet at two touches.
#include "check/prove/race_conditions.h"
#include "check/prove/race.h"

// ------------------------------------------------------- loops around a pair

static const CheckLoop *loop_at(const Race *race, const Step *step,
                                uint32_t depth) {
  const CheckLoop *loop = step->loop;
  while (loop && race->loop_depth[loop->id] > depth)
    loop = loop->parent;
  return loop && race->loop_depth[loop->id] == depth ? loop : NULL;
}

// In how many turns from outside in, of the loops around both, the two are the
// same.
static uint32_t n_same_turns(const Pair *pair) {
  uint32_t depth = 0;
  for (;; depth++) {
    const CheckLoop *loop = loop_at(pair->race, pair->second, depth);
    if (!loop || loop != loop_at(pair->race, pair->first->step, depth) ||
        open_turn(pair->first, depth) != TURN_SAME)
      return depth;
  }
}

// The loop is around both touches, and all loops around it are.
static bool is_common(const Pair *pair, const CheckLoop *loop) {
  uint32_t depth = pair->race->loop_depth[loop->id];
  return loop_at(pair->race, pair->second, depth) == loop &&
         loop_at(pair->race, pair->first->step, depth) == loop;
}

// ------------------------------------------------------- the first side

const Symbol *race_copy(Race *race, const Symbol *symbol) {
  Symbol *copy = map_get(&race->copies, symbol->id + 1ull);
  if (!copy) {
    copy = term_copy_symbol(race->terms, symbol);
    map_put(race->arena, &race->copies, symbol->id + 1ull, copy);
  }
  return copy;
}

static const Term *first_turn_of(const Pair *pair, const Symbol *symbol) {
  TermTable *terms = pair->race->terms;
  if (symbol->loop && is_common(pair, symbol->loop)) {
    uint32_t depth = pair->race->loop_depth[symbol->loop->id];
    TurnState state = open_turn(pair->first, depth);
    // A turn before says nothing when an outer loop's turn is another one.
    if (depth <= n_same_turns(pair)) {
      int64_t back;
      if (state == TURN_SAME)
        return NULL;
      if (open_turns_back(state, &back))
        return term_sub(terms, term_of(terms, symbol), term_int(terms, back));
    }
  }
  return term_of(terms, race_copy(pair->race, symbol));
}

static bool shares_value(const Pair *pair, const Symbol *symbol) {
  const SyncSet *set = pair->set;
  if (symbol->loop &&
      (pair->race->loop_depth[symbol->loop->id] >= n_same_turns(pair) ||
       !is_common(pair, symbol->loop)))
    return false;
  // Elements of copies are any of a section.
  if (set->kind == SET_THREAD)
    return !symbol->origin || !ir_is_async_copy(symbol->origin);
  return symbol->over && set->shares[symbol->over->id];
}

// All blocks of a cluster have that index: it is one block long there.
static bool is_of_cluster(const Pair *pair, const Symbol *symbol) {
  const int32_t *dim = pair->race->check->kernel->cluster_dim;
  if (pair->set->kind != SET_CLUSTER || dim[0] <= 0)
    return false;
  for (int k = 0; k < 3; k++)
    if (pair->race->tree->block[k] == symbol)
      return dim[k] <= 1;
  return false;
}

const Term *race_first_symbol(const Symbol *symbol, void *context) {
  const Pair *pair = context;
  SetKind kind = pair->set->kind;
  bool is_shared = false;
  switch (symbol->kind) {
  case SYMBOL_LAUNCH: return NULL;
  case SYMBOL_BLOCK:
    is_shared =
        kind == SET_THREAD || kind == SET_PART || is_of_cluster(pair, symbol);
    break;
  case SYMBOL_THREAD: is_shared = kind == SET_THREAD; break;
  case SYMBOL_TURN: return first_turn_of(pair, symbol);
  case SYMBOL_VALUE: is_shared = shares_value(pair, symbol); break;
  }
  if (is_shared)
    return NULL;
  return term_of(pair->race->terms, race_copy(pair->race, symbol));
}

const Term *race_second_symbol(const Symbol *symbol, void *context) {
  (void)symbol, (void)context;
  return NULL;
}

const Term *race_first(const Pair *pair, const Term *term) {
  return term_replace(pair->race->terms, term, race_first_symbol,
                      (void *)(uintptr_t)pair);
}

// ------------------------------------------------------- conditions

void race_add(const Pair *pair, TermList *list, const Term *condition) {
  if (condition->kind != TERM_TRUE)
    VEC_PUSH(pair->race->arena, list, condition);
}

void race_add_turns(const Pair *pair, TermList *list) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  uint32_t n_same = n_same_turns(pair);
  for (const CheckLoop *l = pair->first->step->loop; l; l = l->parent) {
    uint32_t depth = race->loop_depth[l->id];
    TurnState state = open_turn(pair->first, depth);
    bool is_left = state >= TURN_LAST && state < TURN_OWN;
    if (is_left && l->trips && !l->has_exit) {
      const Term *last =
          term_sub(t, race_first(pair, l->trips),
                   term_int(t, 1 + (int64_t)(state - TURN_LAST)));
      race_add(pair, list,
               term_eq(t, term_of(t, race_copy(race, l->turn)), last));
    } else if (state == TURN_EARLIER && depth == n_same && is_common(pair, l)) {
      race_add(pair, list,
               term_le(t, term_of(t, race_copy(race, l->turn)),
                       term_sub(t, term_of(t, l->turn), term_int(t, 2))));
    }
  }
  for (const CheckLoop *l = pair->second->loop; l; l = l->parent) {
    uint32_t depth = race->loop_depth[l->id];
    int64_t back;
    // The first side's turn, so many before, is one of the loop's, too.
    if (depth <= n_same && is_common(pair, l) &&
        open_turns_back(open_turn(pair->first, depth), &back) && back > 0)
      race_add(
          pair, list,
          term_le(t, term_int(t, l->turn->low + back), term_of(t, l->turn)));
    if (depth < TURN_LOOPS && (pair->first_turn >> depth & 1) &&
        depth >= n_same)
      race_add(pair, list, term_eq(t, term_of(t, l->turn), term_int(t, 0)));
    else if (pair->first->entered == depth + 1)
      race_add(pair, list,
               term_eq(t, term_of(t, l->turn), term_int(t, pair->first->turn)));
  }
}

// Both threads are in one instance of the set.
static const Term *in_one_instance(const Pair *pair, const SyncSet *set) {
  TermTable *t = pair->race->terms;
  const Term *members = term_and(t, set->member, race_first(pair, set->member));
  return term_and(t, members,
                  term_eq(t, set->instance, race_first(pair, set->instance)));
}

static const Term *race_conditions_block_of(const Race *race, int k) {
  return race->tree->block[k] ? term_of(race->terms, race->tree->block[k])
                              : term_int(race->terms, 0);
}

// Number of the block's cluster along a dimension, its rank there; NULL: the
// clusters aren't known.
static const Term *cluster_part(const Race *race, int k, bool is_rank) {
  int32_t size = race->check->kernel->cluster_dim[k];
  const Term *n = term_int(race->terms, size > 0 ? size : 1);
  return is_rank ? term_mod(race->terms, race_conditions_block_of(race, k), n)
                 : term_div(race->terms, race_conditions_block_of(race, k), n);
}

static const Term *in_one_cluster(const Pair *pair) {
  Race *race = pair->race;
  const Term *same = term_true(race->terms);
  if (race->check->kernel->cluster_dim[0] <= 0)
    return NULL;
  for (int k = 0; k < 3; k++) {
    const Term *number = cluster_part(race, k, false);
    same = term_and(race->terms, same,
                    term_eq(race->terms, number, race_first(pair, number)));
  }
  return same;
}

static void add_ranges_of_block(const Pair *pair, TermList *list) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  for (int k = 0; k < 3; k++) {
    const Term *first = race_first(pair, race_conditions_block_of(race, k));
    race_add(pair, list, term_le(t, term_int(t, 0), first));
    if (race->tree->grid[k])
      race_add(pair, list, term_lt(t, first, race->tree->grid[k]));
  }
}

static void add_other_block(const Pair *pair, TermList *list) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  const Term *differs = term_false(t);
  for (int k = 0; k < 3; k++) {
    const Term *block = race_conditions_block_of(race, k);
    differs = term_or(t, differs, term_ne(t, block, race_first(pair, block)));
  }
  race_add(pair, list, differs);
  add_ranges_of_block(pair, list);
  const Term *one_cluster = in_one_cluster(pair);
  if (pair->set->kind == SET_CLUSTER && one_cluster)
    race_add(pair, list, one_cluster);
  else if (pair->set->kind == SET_GRID && one_cluster && race->has_cluster_set)
    race_add(pair, list, term_not(t, one_cluster));
}

void race_add_threads(const Pair *pair, TermList *list) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  const SyncSet *set = pair->set;
  if (set->kind == SET_CLUSTER || set->kind == SET_GRID)
    add_other_block(pair, list);
  if (set->kind == SET_PART) {
    const Term *thread = term_of(t, race->tree->thread);
    race_add(pair, list, term_ne(t, race_first(pair, thread), thread));
    race_add(pair, list, in_one_instance(pair, set));
    for (uint32_t i = 0; i < set->inner.count; i++)
      race_add(pair, list,
               term_not(t, in_one_instance(pair, set->inner.data[i])));
  }
  if (set->kind == SET_THREAD)
    return;
  for (uint32_t i = 0; i < race->moving_facts.count; i++)
    race_add(pair, list, race_first(pair, race->moving_facts.data[i]));
}

typedef struct {
  const Pair *pair;
  TermList *list;
} Shared;

static bool is_in_same_turns(const Pair *pair, const Symbol *symbol) {
  return !symbol->loop ||
         (is_common(pair, symbol->loop) &&
          pair->race->loop_depth[symbol->loop->id] < n_same_turns(pair));
}

// A value that is one for each instance of a group, of which the set has
// several: it is one for both threads if they are of one instance.
static void add_shared_value(const Symbol *symbol, void *context) {
  const Shared *shared = context;
  const Pair *pair = shared->pair;
  Race *race = pair->race;
  TermTable *t = race->terms;
  if (symbol->kind != SYMBOL_VALUE || !symbol->over ||
      shares_value(pair, symbol) || !is_in_same_turns(pair, symbol))
    return;
  const GroupView *view = tree_group(race->tree, symbol->over);
  if (!view || !view->is_known || !race_is_fixed(view->instance) ||
      !race_is_fixed(view->member))
    return;
  const Term *members =
      term_and(t, view->member, race_first(pair, view->member));
  const Term *together = term_and(
      t, members, term_eq(t, view->instance, race_first(pair, view->instance)));
  const Term *value = term_of(t, symbol);
  race_add(pair, shared->list,
           term_or(t, term_not(t, together),
                   term_eq(t, value, race_first(pair, value))));
}

void race_add_shared_values(const Pair *pair, TermList *list) {
  Shared shared = {pair, list};
  if (pair->set->kind != SET_PART)
    return;
  const Touch *touch = pair->second->u.touch.touch;
  term_symbols(pair->second->path, add_shared_value, &shared);
  for (int k = 0; k < touch->n_index; k++)
    term_symbols(touch->index[k], add_shared_value, &shared);
  if (touch->byte)
    term_symbols(touch->byte, add_shared_value, &shared);
}

enum { MOST_UPDATE_DEPTH = 8 };

static bool update_has(const IrNode *value, const IrNode *load, int depth) {
  if (value == load || depth > MOST_UPDATE_DEPTH)
    return value == load;
  for (uint32_t i = 0; i < value->n_args; i++)
    if (update_has(value->args[i], load, depth + 1))
      return true;
  return false;
}

// One is the load, the other the store of one `op=`, which count as one touch.
static bool is_one_update(const IrNode *a, const IrNode *b) {
  if (ir_op_info(a)->form != FORM_SECTION ||
      ir_op_info(b)->form != FORM_SECTION || !a->u.section.is_update ||
      !b->u.section.is_update || a->op == b->op)
    return false;
  const IrNode *load = a->op == IR_TILE_LOAD ? a : b;
  const IrNode *store = a->op == IR_TILE_LOAD ? b : a;
  return load->op == IR_TILE_LOAD && store->op == IR_TILE_STORE &&
         load->region == store->region &&
         update_has(store->args[store->n_args - 1], load, 0);
}

// What a group does once, a copy or the store of a tile, is no race with
// itself.
void race_add_other_copy(const Pair *pair, TermList *list) {
  const Touch *touch = pair->second->u.touch.touch;
  bool is_once = touch->done != DONE_AT_ONCE ||
                 ir_op_info(pair->second->node)->form == FORM_SECTION;
  const IrNode *one = pair->first->step->node, *other = pair->second->node;
  if ((one != other && !is_one_update(one, other)) || !touch->copied_by ||
      !is_once || pair->set->kind == SET_THREAD)
    return;
  TermTable *t = pair->race->terms;
  const GroupView *view = tree_group(pair->race->tree, touch->copied_by);
  if (!view || !view->is_known || pair->set->kind != SET_PART)
    return; // different blocks, and unknown groups: it may be another one
  const Term *same =
      term_eq(t, view->instance, race_first(pair, view->instance));
  for (const CheckLoop *l = pair->second->loop; l; l = l->parent)
    same = term_and(
        t, same,
        term_eq(t, term_of(t, l->turn), race_first(pair, term_of(t, l->turn))));
  race_add(pair, list, term_not(t, same));
}

bool race_add_instance(const Pair *pair, TermList *list) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  const Touch *a = pair->first->step->u.touch.touch;
  const Touch *b = pair->second->u.touch.touch;
  if (!a->object || a->object != b->object ||
      a->object->space != SPACE_SHARED || a->object->is_cluster_shared)
    return true;
  bool same_block =
      pair->set->kind == SET_PART || pair->set->kind == SET_THREAD;
  if (!a->cluster_rank && !b->cluster_rank) {
    if (!same_block)
      return false;
    const IrGroup *group = a->object->group;
    const GroupView *view = group ? tree_group(race->tree, group) : NULL;
    if (view && view->is_known && race_is_fixed(view->instance))
      race_add(pair, list,
               term_eq(t, view->instance, race_first(pair, view->instance)));
    return true;
  }
  if (race->check->kernel->cluster_dim[0] <= 0)
    return true;
  const Term *own = term_add(
      t, cluster_part(race, 0, true),
      term_scale(t,
                 term_add(t, cluster_part(race, 1, true),
                          term_scale(t, cluster_part(race, 2, true),
                                     race->check->kernel->cluster_dim[1] > 0
                                         ? race->check->kernel->cluster_dim[1]
                                         : 1)),
                 race->check->kernel->cluster_dim[0]));
  const Term *first = race_first(pair, a->cluster_rank ? a->cluster_rank : own);
  race_add(pair, list,
           term_eq(t, first, b->cluster_rank ? b->cluster_rank : own));
  return true;
}
