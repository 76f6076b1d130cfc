// SPDX-License-Identifier: Apache-2.0
// What a side of a pair has seen of others: what atomic loads gave, to its own
// thread, or to another one of its block before a sync.
#include "check/prove/publish.h"

// ------------------------------------------------------------------- symbols

static const Term *publish_seen_keep(const Symbol *symbol, void *context) {
  (void)symbol, (void)context;
  return NULL;
}

const Term *side_term(const Side *side, const Term *term) {
  return side->is_first ? race_first(side->pair, term)
                        : term_replace(side->pair->race->terms, term,
                                       publish_seen_keep, NULL);
}

// One value for all threads of the block, found once.
static bool is_of_block(const Race *race, const Symbol *symbol) {
  const IrGroup *group = race->check->kernel->groups.data[GROUP_ROW_BLOCK];
  bool is_over = false;
  for (; group; group = group->parent)
    is_over |= symbol->over == group;
  return is_over && symbol->kind == SYMBOL_VALUE && !symbol->loop &&
         !symbol->is_lost;
}

static const Term *publish_seen_copied(Other *other, const Symbol *symbol) {
  Race *race = other->race;
  Symbol *copy = map_get(&other->copies, symbol->id + 1ull);
  if (!copy) {
    copy = term_copy_symbol(race->terms, symbol);
    map_put(race->arena, &other->copies, symbol->id + 1ull, copy);
  }
  return term_of(race->terms, copy);
}

static const Term *publish_seen_other_symbol(const Symbol *symbol,
                                             void *context) {
  Other *other = context;
  if (symbol->kind == SYMBOL_LAUNCH)
    return NULL;
  if (symbol->kind == SYMBOL_THREAD && other->thread)
    return other->thread;
  if (other->side &&
      (symbol->kind == SYMBOL_BLOCK || is_of_block(other->race, symbol)))
    return side_term(other->side, term_of(other->race->terms, symbol));
  return publish_seen_copied(other, symbol);
}

const Term *other_term(Other *other, const Term *term) {
  return term_replace(other->race->terms, term, publish_seen_other_symbol,
                      other);
}

const Term *other_is_in_block(Other *other, const Side *side) {
  Race *race = other->race;
  TermTable *t = race->terms;
  const Term *same = term_true(t);
  for (int k = 0; k < 3; k++) {
    if (!race->tree->block[k])
      continue;
    const Term *block = term_of(t, race->tree->block[k]);
    same = term_and(
        t, same, term_eq(t, other_term(other, block), side_term(side, block)));
  }
  return same;
}

// --------------------------------------------------------------------- steps

const Step *step_of_node(const Race *race, const IrNode *node) {
  const Step *found = NULL;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH || step->node != node)
      continue;
    if (found)
      return NULL;
    found = step;
  }
  return found;
}

// The one thread of a block that a path leads: a constant rank, or a symbol of
// the whole block. NULL: not seen.
static const Term *thread_of(const Race *race, const Term *path) {
  TermTable *t = race->terms;
  uint32_t n = path->kind == TERM_ALL ? path->n_args : 1;
  for (uint32_t i = 0; i < n; i++) {
    const Term *one = path->kind == TERM_ALL ? path->args[i] : path;
    int64_t factor, low, high;
    const Term *rest;
    if (one->kind != TERM_EQ ||
        !term_split(t, one->args[0], race->tree->thread, &factor, &rest) ||
        (factor != 1 && factor != -1))
      continue;
    const Term *rank = term_scale(t, rest, -factor);
    bool is_one = rank->kind == TERM_SYMBOL ? is_of_block(race, rank->symbol)
                                            : term_is_constant(rank, &low);
    term_interval(t, rank, &low, &high);
    if (is_one && low >= 0 && high < race->tree->n_threads)
      return rank;
  }
  return NULL;
}

static bool is_flag_load(const Step *step) {
  const Touch *touch = step->u.touch.touch;
  return touch->is_atomic && touch->is_read && touch->object &&
         touch->object->space == SPACE_GLOBAL && !touch->may_miss &&
         touch->scope >= SCOPE_DEVICE && touch->done == DONE_AT_ONCE &&
         (step->node->op == IR_LOAD || step->node->op == IR_RMW ||
          step->node->op == IR_CAS);
}

static bool publish_seen_acquires(const IrNode *node) {
  IrOrder order = (IrOrder)node->u.access.order;
  return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL;
}

// ------------------------------------------------------------------- gathering

typedef struct {
  const Side *side;
  Other *other;     // that has loaded; NULL: the side's own thread
  const Term *rank; // of `other`, of the tree's symbols
  SeenList *list;
} Gather;

static void note_other(const Symbol *symbol, void *context) {
  bool *is_other = context;
  *is_other |= symbol->kind != SYMBOL_LAUNCH && symbol->kind != SYMBOL_TURN;
}

// Whoever gets to `step` has made the load that gave the symbol its value, in
// the last turn of the loops around it.
static bool makes(const Race *race, const Step *step, const Step *load) {
  const Term *path = load->path;
  uint32_t n = path->kind == TERM_ALL ? path->n_args : 1;
  for (uint32_t i = 0; i < n; i++) {
    const Term *one = path->kind == TERM_ALL ? path->args[i] : path;
    bool is_other = false;
    term_symbols(one, note_other, &is_other);
    if (is_other && !solver_proves(race->check->solver, step->path, one))
      return false;
  }
  return true;
}

// The thread has made the load itself: a value that is one for several may be
// what another one of them has loaded.
static bool has_loaded(const Gather *g, const Symbol *symbol,
                       const Step *load) {
  const Race *race = g->side->pair->race;
  if (g->other)
    return thread_of(race, load->path) == g->rank;
  return !symbol->over || makes(race, g->side->step, load);
}

static void note_load(const Symbol *symbol, void *context) {
  Gather *g = context;
  Race *race = g->side->pair->race;
  TermTable *t = race->terms;
  if (symbol->kind != SYMBOL_VALUE || !symbol->origin || symbol->loop ||
      symbol->n_var || symbol->is_lost || symbol->is_wrapped)
    return;
  const Step *load = step_of_node(race, symbol->origin);
  if (!load || !is_flag_load(load) || !has_loaded(g, symbol, load))
    return;
  Way way = way_between(race, load, g->side->step);
  if (!way.is_before || (g->other && !way.is_synced))
    return;
  bool is_own = !g->other;
  Seen seen = {.load = load};
  const Term *value = term_of(t, symbol);
  seen.value = is_own ? side_term(g->side, value) : other_term(g->other, value);
  seen.is_taken = publish_seen_acquires(load->node) ||
                  (is_own ? way.is_fenced : way.is_fenced_first);
  seen.is_fenced =
      is_own ? way.is_fenced : way.is_fenced_first || way.is_fenced_last;
  Other self = {.race = race,
                .side = g->side,
                .thread = side_term(g->side, term_of(t, race->tree->thread))};
  const Touch *touch = load->u.touch.touch;
  for (int k = 0; k < touch->n_index; k++)
    seen.index[k] = other_term(is_own ? &self : g->other, touch->index[k]);
  VEC_PUSH(race->arena, &g->list->all, seen);
}

static void publish_seen_add_fact(Race *race, SeenList *list,
                                  const Term *fact) {
  if (fact->kind != TERM_TRUE)
    VEC_PUSH(race->arena, &list->facts, fact);
}

// Of one thread of the block before the last sync: what holds when it gets
// there, as all of the block do.
static void gather_synced(const Side *side, SeenList *list) {
  Race *race = side->pair->race;
  const Step *sync = way_last_sync(race, side->step);
  for (uint32_t i = 0; sync && i < sync->id; i++) {
    const Step *load = race->steps.data[i];
    const Term *rank = load && load->kind == STEP_TOUCH && is_flag_load(load)
                           ? thread_of(race, load->path)
                           : NULL;
    if (!rank)
      continue;
    Other other = {.race = race, .side = side};
    other.thread = side_term(side, rank);
    publish_seen_add_fact(race, list, other_term(&other, sync->path));
    Gather g = {side, &other, rank, list};
    term_symbols(sync->path, note_load, &g);
  }
}

// --------------------------------------------------------- through shared
// memory

// The one store into the shared variable; NULL: not seen.
static const Step *store_into(const Race *race, const Step *load) {
  const Touch *touch = load->u.touch.touch;
  const Step *store = NULL;
  if (!touch->object || touch->object->space != SPACE_SHARED ||
      touch->is_atomic || touch->cluster_rank || touch->may_miss ||
      !publish_is_known(race, touch->object))
    return NULL;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH || !step->u.touch.touch->is_write ||
        step->u.touch.touch->object != touch->object)
      continue;
    if (store || step->node->op != IR_STORE)
      return NULL;
    store = step;
  }
  return store;
}

static bool publish_seen_is_same_place(const Touch *a, const Touch *b) {
  int64_t number;
  bool is_same = a->n_index == b->n_index && a->n_bytes == b->n_bytes &&
                 a->byte == b->byte && term_is_constant(a->byte, &number);
  for (int k = 0; k < a->n_index && is_same; k++)
    is_same =
        a->index[k] == b->index[k] && term_is_constant(a->index[k], &number);
  return is_same;
}

const Term *publish_equal(TermTable *t, const Term *x, const Term *y,
                          uint32_t n_bytes) {
  int64_t low, high, y_low, y_high;
  if (n_bytes > 4)
    return NULL;
  int64_t n = INT64_C(1) << n_bytes * 8;
  term_interval(t, x, &low, &high);
  term_interval(t, y, &y_low, &y_high);
  if (low < -n / 2 || high >= n || y_low < -n / 2 || y_high >= n)
    return NULL;
  const Term *is_same = term_eq(t, x, y);
  if (low < 0 && y_high >= n / 2)
    is_same =
        term_or(t, is_same, term_eq(t, term_add(t, x, term_int(t, n)), y));
  if (high >= n / 2 && y_low < 0)
    is_same =
        term_or(t, is_same, term_eq(t, term_sub(t, x, term_int(t, n)), y));
  return is_same;
}

// A variable of the block gave what one thread stored there before a sync.
static void note_shared(const Symbol *symbol, void *context) {
  Gather *g = context;
  Race *race = g->side->pair->race;
  if (!is_of_block(race, symbol) || !symbol->origin || symbol->n_var ||
      symbol->is_wrapped || symbol->origin->op != IR_LOAD)
    return;
  const Step *load = step_of_node(race, symbol->origin);
  const Step *store = load ? store_into(race, load) : NULL;
  const Term *rank = store ? thread_of(race, store->path) : NULL;
  const Touch *touch = store ? store->u.touch.touch : NULL;
  if (!rank || !touch->value ||
      !publish_seen_is_same_place(load->u.touch.touch, touch) ||
      !way_between(race, store, load).is_synced)
    return;
  const Term *same = publish_equal(
      race->terms, touch->value, term_of(race->terms, symbol), touch->n_bytes);
  Other *other = ARENA_NEW(race->arena, Other);
  *other = (Other){.race = race, .side = g->side};
  other->thread = side_term(g->side, rank);
  // The thread stores, wherever the load is made.
  if (!same ||
      !solver_proves(race->check->solver, side_term(g->side, load->path),
                     other_term(other, store->path)))
    return;
  publish_seen_add_fact(race, g->list, other_term(other, same));
  Gather inner = {g->side, other, rank, g->list};
  term_symbols(touch->value, note_load, &inner);
}

void seen_before(const Side *side, SeenList *list) {
  Gather g = {side, NULL, NULL, list};
  term_symbols(side->step->path, note_load, &g);
  term_symbols(side->step->path, note_shared, &g);
  gather_synced(side, list);
}
