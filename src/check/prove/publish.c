// SPDX-License-Identifier: Apache-2.0
// Note [Publication]
// A thread x of one block writes, a thread y of another has seen a *flag*, an
// element of global memory that atomic operations of the whole device raise
// and load. x's touch is before y's if
//
//   - y's thread, or one that y's block has met since in a sync, has loaded a
//     value there that only a write W can have left: 0, which the flag begins
//     with (trusted, and listed), contradicts what y's path says of it;
//   - whatever execution of a write can have left it is one of x's thread, or
//     of its block with a sync between, and x's touch is always before it;
//   - W publishes x's touch, and the load takes it (synchronization.md,
//     "Fences"): W releases, or its thread fences before it, and the load
//     acquires or its thread fences behind it; or, as fences of the whole
//     device are in one order, x's thread or W's fences between the two, and
//     the load's or y's.
//
// Additions of 0 leave what was there and pass on what it published.
//
// A *counter* is a flag to which one thread of a block adds 1, at most once,
// and that nothing else writes, unless when all blocks have: then with 0. Who
// sees that as many have added as there are blocks, its own addition included,
// comes behind all of them; atomic operations that read and write pass on what
// all before them published. Of two blocks only one sees it in the number that
// its own addition gave.
//
// An array may have a counter for each of several sets of blocks: an index is
// a term of the block's. Those that add to one element are at most as many as
// the grid has blocks in the dimensions that no index names, where the others
// follow from the indices. Then the rule holds for each element, and of x it
// must be shown that its block adds to the element that y has seen.
#include "check/prove/publish.h"

#include "ir/analyses/alias.h"

#include <string.h>

// ------------------------------------------------------------------ the flag

// The step may write the array, but isn't said to.
static bool may_write(const Race *race, const Step *step,
                      const IrObject *object) {
  const Check *check = race->check;
  if (!step || step->kind != STEP_TOUCH || !step->u.touch.touch->is_write)
    return false;
  const IrObject *other = step->u.touch.touch->object;
  if (other == object)
    return false;
  if (!other)
    return ir_pointer_may_reach(step->node, object);
  return ir_may_alias(check->kernel, other, object) &&
         !race_is_trusted_apart(check, other, object);
}

bool publish_is_known(const Race *race, const IrObject *object) {
  for (uint32_t i = 0; i < race->steps.count; i++)
    if (may_write(race, race->steps.data[i], object))
      return false;
  return true;
}

static bool publish_is_number(const Term *term, int64_t wanted) {
  int64_t number;
  return term && term_is_constant(term, &number) && number == wanted;
}

static bool is_write_to(const Step *step, const IrObject *object) {
  return step && step->kind == STEP_TOUCH && step->u.touch.touch->is_write &&
         step->u.touch.touch->object == object;
}

static bool is_atomic(const Step *write) {
  const Touch *touch = write->u.touch.touch;
  return touch->is_atomic && touch->scope >= SCOPE_DEVICE &&
         touch->done == DONE_AT_ONCE &&
         (write->node->op == IR_STORE || write->node->op == IR_RMW ||
          write->node->op == IR_CAS);
}

// It leaves the value that it found.
static bool publish_is_idle(const Step *write) {
  return write->node->op == IR_RMW && is_atomic(write) &&
         write->node->u.access.rmw == RMW_ADD &&
         publish_is_number(write->u.touch.touch->value, 0);
}

static bool leaves_zero(const Step *write) {
  return write->node->op == IR_STORE &&
         publish_is_number(write->u.touch.touch->value, 0);
}

static bool publish_releases(const IrNode *node) {
  IrOrder order = (IrOrder)node->u.access.order;
  return order == ORDER_RELEASE || order == ORDER_ACQ_REL;
}

// The write and the load are of the same bytes of an element, if of one.
static bool are_alike(const Touch *write, const Touch *load) {
  return write->n_index == load->n_index && write->n_bytes == load->n_bytes &&
         write->byte == load->byte && !write->may_miss;
}

// ----------------------------------------------------------------- questions

typedef struct {
  Race *race;
  const TermList *list; // conditions of the pair
  Side x, y;
  SeenList of_x, of_y;
} Publication;

static bool is_refuted(const Publication *p, const TermList *facts,
                       const Term *last) {
  TermTable *t = p->race->terms;
  const Term *all = last;
  for (uint32_t i = 0; i < p->list->count; i++)
    all = term_and(t, all, p->list->data[i]);
  for (uint32_t i = 0; i < facts->count; i++)
    all = term_and(t, all, facts->data[i]);
  return all->kind == TERM_FALSE ||
         solver_ask(p->race->check->solver, &all, 1).status == SOLVE_UNSAT;
}

// What the write publishes of x is what the load takes.
static bool is_handed_over(const Step *write, const Way *way,
                           const Seen *seen) {
  bool by_thread = way->is_synced ? way->is_fenced_last : way->is_fenced;
  bool is_fenced = by_thread || (way->is_synced && way->is_fenced_first);
  bool is_released = by_thread || publish_releases(write->node);
  return (is_fenced && seen->is_fenced) || (is_released && seen->is_taken);
}

// The thread that writes is x's own, or one of its block behind a sync.
static const Term *is_behind(Publication *p, Other *writer, const Way *way) {
  TermTable *t = p->race->terms;
  const Term *thread = term_of(t, p->race->tree->thread);
  const Term *same = other_is_in_block(writer, &p->x);
  if (way->is_synced)
    return same;
  return term_and(
      t, same,
      term_eq(t, other_term(writer, thread), side_term(&p->x, thread)));
}

static const Term *range_of_block(Race *race, Other *other) {
  TermTable *t = race->terms;
  const Term *all = term_true(t);
  for (int k = 0; k < 3; k++) {
    if (!race->tree->block[k] || !race->tree->grid[k])
      continue;
    const Term *block = other_term(other, term_of(t, race->tree->block[k]));
    all = term_and(t, all, term_le(t, term_int(t, 0), block));
    all = term_and(t, all, term_lt(t, block, race->tree->grid[k]));
  }
  return all;
}

// ---------------------------------------------------------------------- flags

// It stores, or puts there, the very number.
static const Term *publish_leaves(const Step *write) {
  bool is_put =
      write->node->op == IR_STORE ||
      (write->node->op == IR_RMW && write->node->u.access.rmw == RMW_EXCH);
  return is_put ? write->u.touch.touch->value : NULL;
}

// An execution of the write by this thread may have left the value.
static const Term *has_left(Publication *p, Other *writer, const Step *write,
                            const Seen *seen) {
  TermTable *t = p->race->terms;
  const Touch *touch = write->u.touch.touch;
  const Term *is_it = term_and(t, other_term(writer, write->path),
                               range_of_block(p->race, writer));
  for (int k = 0; k < touch->n_index; k++)
    is_it = term_and(
        t, is_it,
        term_eq(t, other_term(writer, touch->index[k]), seen->index[k]));
  const Term *value = publish_leaves(write);
  const Term *is_same = value ? publish_equal(t, other_term(writer, value),
                                              seen->value, touch->n_bytes)
                              : NULL;
  return is_same ? term_and(t, is_it, is_same) : is_it;
}

// No execution of the write but one that publishes x can have left the value:
// none of another block, if one does, and of x's block none but behind x.
static bool is_left_for(Publication *p, const Step *write, const Seen *seen) {
  Race *race = p->race;
  TermTable *t = race->terms;
  if (publish_is_idle(write) || leaves_zero(write))
    return true;
  if (!is_atomic(write) ||
      !are_alike(write->u.touch.touch, seen->load->u.touch.touch))
    return false;
  Way way = way_between(race, p->x.step, write);
  bool publishes = way.is_before && is_handed_over(write, &way, seen);
  Other any = {.race = race}, near = {.race = race, .side = &p->x};
  const Term *far = has_left(p, &any, write, seen);
  if (!publishes)
    return is_refuted(p, &p->of_y.facts, far);
  far = term_and(t, far, term_not(t, other_is_in_block(&any, &p->x)));
  if (!is_refuted(p, &p->of_y.facts, far))
    return false;
  return way.is_synced ||
         is_refuted(p, &p->of_y.facts,
                    term_and(t, has_left(p, &near, write, seen),
                             term_not(t, is_behind(p, &near, &way))));
}

static bool is_flag_seen(Publication *p, const Seen *seen) {
  Race *race = p->race;
  TermTable *t = race->terms;
  const IrObject *object = seen->load->u.touch.touch->object;
  if (!is_refuted(p, &p->of_y.facts, term_eq(t, seen->value, term_int(t, 0))))
    return false;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *write = race->steps.data[i];
    if (is_write_to(write, object) && !is_left_for(p, write, seen))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------- counters

typedef struct {
  const Symbol *symbol;
  bool is_named;
} Naming;

static void note_name(const Symbol *symbol, void *context) {
  Naming *naming = context;
  naming->is_named |= symbol == naming->symbol;
}

static bool names_block(const Race *race, const Touch *touch, int dimension) {
  Naming naming = {race->tree->block[dimension], false};
  for (int k = 0; k < touch->n_index; k++)
    term_symbols(touch->index[k], note_name, &naming);
  return naming.is_named;
}

// Blocks with one index have one coordinate along the dimension.
static bool follows_from_index(const Publication *p, const Touch *touch,
                               int dimension) {
  Race *race = p->race;
  TermTable *t = race->terms;
  Other a = {.race = race}, b = {.race = race};
  const Term *block = term_of(t, race->tree->block[dimension]);
  const Term *both =
      term_and(t, range_of_block(race, &a), range_of_block(race, &b));
  for (int k = 0; k < touch->n_index; k++)
    both = term_and(t, both,
                    term_eq(t, other_term(&a, touch->index[k]),
                            other_term(&b, touch->index[k])));
  both = term_and(t, both,
                  term_ne(t, other_term(&a, block), other_term(&b, block)));
  return is_refuted(p, &(TermList){0}, both);
}

// Blocks that may add to one element, at most.
static const Term *n_adders(const Publication *p, const Touch *touch) {
  const Race *race = p->race;
  const Term *n = term_int(race->terms, 1);
  for (int k = 0; k < 3; k++)
    if (race->tree->grid[k] &&
        !(names_block(race, touch, k) && follows_from_index(p, touch, k)))
      n = term_mul(race->terms, n, race->tree->grid[k]);
  return n;
}

// As many have added as there are blocks, when the load of this thread, or its
// own addition, gave its value.
static bool is_last(const Publication *p, const SeenList *facts,
                    const Seen *seen, const Step *addition) {
  TermTable *t = p->race->terms;
  const Term *n = seen->value;
  if (seen->load == addition)
    n = term_add(t, n, term_int(t, 1));
  const Term *all = n_adders(p, addition->u.touch.touch);
  return is_refuted(p, &facts->facts, term_lt(t, n, all));
}

// One thread of a block, at most, makes the step, and once.
static bool is_once_a_block(Publication *p, const Step *step) {
  Race *race = p->race;
  TermTable *t = race->terms;
  for (const Step *s = step->parent; s; s = s->parent)
    if (s->kind == STEP_LOOP)
      return false;
  Other a = {.race = race, .side = &p->x}, b = {.race = race, .side = &p->x};
  const Term *thread = term_of(t, race->tree->thread);
  const Term *both =
      term_and(t, other_term(&a, step->path), other_term(&b, step->path));
  both = term_and(t, both,
                  term_ne(t, other_term(&a, thread), other_term(&b, thread)));
  return is_refuted(p, &(TermList){0}, both);
}

static bool adds_one(const Publication *p, const Step *step) {
  TermTable *t = p->race->terms;
  const Term *by = step->u.touch.touch->value;
  if (step->node->op != IR_RMW || !is_atomic(step) || !by)
    return false;
  if (step->node->u.access.rmw == RMW_ADD)
    return publish_is_number(by, 1);
  // It starts over behind the last block's, or never.
  return step->node->u.access.rmw == RMW_INC &&
         solver_proves(p->race->check->solver, step->path,
                       term_le(t, n_adders(p, step->u.touch.touch),
                               term_add(t, by, term_int(t, 1))));
}

typedef struct {
  bool may_be_block, is_moving;
} Moving;

static void note_moving(const Symbol *symbol, void *context) {
  Moving *moving = context;
  bool is_block = moving->may_be_block && symbol->kind == SYMBOL_BLOCK;
  moving->is_moving |= symbol->kind != SYMBOL_LAUNCH && !is_block;
}

// The block decides which element it is.
static bool is_place_of_block(const Touch *touch) {
  Moving moving = {true, touch->may_miss || touch->cluster_rank};
  for (int k = 0; k < touch->n_index; k++)
    term_symbols(touch->index[k], note_moving, &moving);
  moving.may_be_block = false;
  term_symbols(touch->byte, note_moving, &moving);
  return !moving.is_moving;
}

static bool publish_is_at(const Touch *load, const Touch *addition) {
  bool is_same = are_alike(addition, load);
  for (int k = 0; k < load->n_index && is_same; k++)
    is_same = load->index[k] == addition->index[k];
  return is_same;
}

// The store of 0 comes behind all additions, since its thread has seen that.
static bool is_reset(Publication *p, const Step *store, const Step *addition) {
  Pair pair = *p->y.pair;
  pair.second = store;
  Side side = {.pair = &pair, .step = store};
  Publication own = {
      .race = p->race, .list = &(TermList){0}, .x = side, .y = side};
  SeenList *seen = &own.of_y;
  seen_before(&side, seen);
  VEC_PUSH(p->race->arena, &seen->facts, store->path);
  bool is_right = false;
  for (uint32_t i = 0; i < seen->all.count && !is_right; i++)
    is_right = seen->all.data[i].load == addition &&
               is_last(&own, seen, &seen->all.data[i], addition);
  return is_right;
}

// The one step that adds to the counter; NULL: it is none.
static const Step *addition_to(Publication *p, const IrObject *object) {
  Race *race = p->race;
  const Step *addition = NULL;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *write = race->steps.data[i];
    if (!is_write_to(write, object) || leaves_zero(write) ||
        publish_is_idle(write))
      continue;
    if (addition || !adds_one(p, write))
      return NULL;
    addition = write;
  }
  if (!addition || !is_place_of_block(addition->u.touch.touch) ||
      !is_once_a_block(p, addition))
    return NULL;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *write = race->steps.data[i];
    if (is_write_to(write, object) && leaves_zero(write) &&
        !(publish_is_at(write->u.touch.touch, addition->u.touch.touch) &&
          is_reset(p, write, addition)))
      return NULL;
  }
  return addition;
}

// x's block adds to the element that y's thread has seen.
static bool adds_there(Publication *p, const Seen *seen, const Step *addition) {
  TermTable *t = p->race->terms;
  const Touch *touch = addition->u.touch.touch;
  Other adder = {.race = p->race, .side = &p->x};
  const Term *differs = term_false(t);
  for (int k = 0; k < touch->n_index; k++)
    differs = term_or(
        t, differs,
        term_ne(t, other_term(&adder, touch->index[k]), seen->index[k]));
  return is_refuted(p, &p->of_y.facts, differs);
}

static bool has_own(const Publication *p, const SeenList *list,
                    const Step *addition) {
  for (uint32_t i = 0; i < list->all.count; i++)
    if (list->all.data[i].load == addition &&
        is_last(p, list, &list->all.data[i], addition))
      return true;
  return false;
}

static bool publish_is_counted(Publication *p, const Seen *seen) {
  Race *race = p->race;
  TermTable *t = race->terms;
  const Touch *load = seen->load->u.touch.touch;
  const Step *addition = addition_to(p, load->object);
  if (!addition || !publish_is_at(load, addition->u.touch.touch) ||
      !is_last(p, &p->of_y, seen, addition) || !adds_there(p, seen, addition))
    return false;
  if (seen->load == addition && has_own(p, &p->of_x, addition))
    return true;
  // What the load has observed comes before it without fences (PTX: causality
  // order).
  Way way = way_between(race, p->x.step, addition);
  bool is_itself = p->x.step == addition;
  if (!is_itself && (!way.is_before || !is_handed_over(addition, &way, seen)))
    return false;
  Other adder = {.race = race, .side = &p->x};
  const Term *is_other =
      term_and(t, other_term(&adder, addition->path),
               term_and(t, other_is_in_block(&adder, &p->x),
                        term_not(t, is_behind(p, &adder, &way))));
  return is_refuted(p, &p->of_y.facts, is_other);
}

// ----------------------------------------------------------------- the pair

static void publish_trust(Race *race, const IrObject *object) {
  CheckReport *report = race->check->report;
  const char *text =
      arena_printf(race->check->arena, "'%s' holds 0 before the launch",
                   object->name ? object->name : "memory");
  for (uint32_t i = 0; i < report->trusted.count; i++)
    if (strcmp(report->trusted.data[i], text) == 0)
      return;
  VEC_PUSH(race->check->arena, &report->trusted, text);
}

// Numbers of the array are said to be from `low` to `high`, and no others.
static bool is_bounded(const TableFact *fact, int64_t *low, int64_t *high) {
  return fact->kind == TABLE_BOUNDED && fact->low && fact->high &&
         term_is_constant(fact->low, low) && term_is_constant(fact->high, high);
}

// Nothing that is said of its contents, or that it is initialised with, is
// against it. `is_said`: it must.
static bool may_begin_with_zeros(const Race *race, const IrObject *object,
                                 bool *is_said) {
  const uint8_t *bytes = object->initial;
  *is_said = false;
  for (uint64_t i = 0; bytes && i < object->initial_bytes; i++)
    if (bytes[i])
      return false;
  for (uint32_t i = 0; i < race->tree->tables.count; i++) {
    const TableFact *fact = &race->tree->tables.data[i];
    int64_t low = 0, high = 0;
    if (fact->object != object)
      continue;
    if (!is_bounded(fact, &low, &high) || low > 0 || high <= 0)
      return false;
    *is_said |= low == 0 && high == 1;
  }
  return true;
}

// x is published to y.
static bool is_published(Publication *p) {
  for (uint32_t i = 0; i < p->of_y.all.count; i++) {
    const Seen *seen = &p->of_y.all.data[i];
    const IrObject *object = seen->load->u.touch.touch->object;
    bool is_said;
    if (!publish_is_known(p->race, object) ||
        !may_begin_with_zeros(p->race, object, &is_said) ||
        !(is_flag_seen(p, seen) || publish_is_counted(p, seen)))
      continue;
    if (!is_said)
      publish_trust(p->race, object);
    return true;
  }
  return false;
}

static bool has_atomic_load(const Race *race) {
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (step && step->kind == STEP_TOUCH && step->u.touch.touch->is_atomic &&
        step->u.touch.touch->is_read)
      return true;
  }
  return false;
}

// A copy goes on by itself, and the engine that makes it takes no fences of
// threads.
static bool is_at_once(const Step *step) {
  const Touch *touch = step->u.touch.touch;
  return touch->done == DONE_AT_ONCE && touch->proxy == PROXY_GENERIC &&
         !touch->copied_by;
}

bool publish_orders(const Pair *pair, const TermList *list) {
  Race *race = pair->race;
  SetKind kind = pair->set->kind;
  if ((kind != SET_GRID && kind != SET_CLUSTER) || !has_atomic_load(race) ||
      !is_at_once(pair->first->step) || !is_at_once(pair->second))
    return false;
  Side first = {pair, true, pair->first->step},
       second = {pair, false, pair->second};
  Publication there = {.race = race, .list = list, .x = first, .y = second};
  seen_before(&first, &there.of_x);
  seen_before(&second, &there.of_y);
  Publication back = {.race = race,
                      .list = list,
                      .x = second,
                      .y = first,
                      .of_x = there.of_y,
                      .of_y = there.of_x};
  return is_published(&there) || is_published(&back);
}
