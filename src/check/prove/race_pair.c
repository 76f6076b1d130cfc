// SPDX-License-Identifier: Apache-2.0
// One open touch against one touch: what would have to hold for two threads of
// the set to meet there, and the question whether it can.
#include "check/order/ring.h"
#include "check/prove/publish.h"
#include "check/prove/race.h"

#include "check/prove/input.h"

#include "check/prove/race_conditions.h"
#include "ir/analyses/alias.h"

enum { MAX_COMPARED = 3000000 };

// ------------------------------------------------------- what is no race

bool race_scope_covers(SetKind kind, IrScope scope) {
  switch (kind) {
  case SET_THREAD:
  case SET_PART: return true;
  case SET_CLUSTER: return scope >= SCOPE_CLUSTER;
  case SET_GRID: return scope >= SCOPE_DEVICE;
  }
  return false;
}

// What both are is the same in all threads at all times: made of parameters and
// constants, in the same way.
static bool same_launch_value(const IrNode *x, const IrNode *y, int depth) {
  if (x->op != y->op || x->n_args != y->n_args || depth > 8 ||
      !ir_type_equal(x->type, y->type))
    return false;
  if (x->op == IR_CONST)
    return x->u.constant.bits == y->u.constant.bits;
  if (x->op == IR_PARAM)
    return x->u.index.number == y->u.index.number;
  const IrOpInfo *info = ir_op_info(x);
  if (info->form != FORM_PLAIN || !(info->flags & OPF_PURE) || !x->n_args)
    return false;
  for (uint32_t i = 0; i < x->n_args; i++)
    if (!same_launch_value(x->args[i], y->args[i], depth + 1))
      return false;
  return true;
}

static bool same_constant(const Step *a, const Step *b) {
  const IrNode *x = a->node, *y = b->node;
  if (x->op != IR_STORE || y->op != IR_STORE || !x->n_args || !y->n_args ||
      !ir_type_equal(x->u.access.type, y->u.access.type))
    return false;
  x = x->args[x->n_args - 1];
  y = y->args[y->n_args - 1];
  return same_launch_value(x, y, 0);
}

static bool are_stores(const Pair *pair) {
  const Touch *a = pair->first->step->u.touch.touch;
  const Touch *b = pair->second->u.touch.touch;
  return !a->is_read && !b->is_read && a->n_bytes == b->n_bytes &&
         a->done == DONE_AT_ONCE && b->done == DONE_AT_ONCE;
}

// Elements of one array differ only if their indices do.
static const Term *differ(TermTable *t, const Term *x, const Term *y) {
  if (x->kind != TERM_APPLY || y->kind != TERM_APPLY ||
      x->object != y->object || x->n_args != y->n_args)
    return term_ne(t, x, y);
  const Term *any = term_false(t);
  for (uint32_t i = 0; i < x->n_args; i++)
    any = term_or(t, any, term_ne(t, x->args[i], y->args[i]));
  return any;
}

// That what two stores leave in a byte of both may differ: their values do, or
// they begin at different bytes. False: it never does.
static bool add_difference(const Pair *pair, TermList *list) {
  TermTable *t = pair->race->terms;
  const Touch *a = pair->first->step->u.touch.touch;
  const Touch *b = pair->second->u.touch.touch;
  const Term *apart = race_begin_apart(pair);
  if (!apart)
    return true;
  if (!same_constant(pair->first->step, pair->second)) {
    if (!a->value || !b->value)
      return true;
    apart = term_or(t, apart, differ(t, race_first(pair, a->value), b->value));
  }
  if (apart->kind == TERM_FALSE)
    return false;
  race_add(pair, list, apart);
  return true;
}

// Both store, the same value: no race with --allow-same-value.
static bool race_pair_add_values(const Pair *pair, TermList *list) {
  return !pair->race->check->options->allow_same_value || !are_stores(pair) ||
         add_difference(pair, list);
}

// Accesses that never race, whatever the addresses.
static bool race_pair_is_harmless(const Pair *pair) {
  const Touch *a = pair->first->step->u.touch.touch;
  const Touch *b = pair->second->u.touch.touch;
  if (!a->is_write && !b->is_write)
    return true;
  if (pair->race->check->options->owner_strict)
    return false; // what one thread has written belongs to it
  return a->is_atomic && b->is_atomic && a->proxy == b->proxy &&
         a->n_bytes == b->n_bytes &&
         race_scope_covers(pair->set->kind,
                           a->scope < b->scope ? a->scope : b->scope);
}

// --------------------------------------------------------------- the query

typedef struct {
  SolveAnswer answer;
} Answered;

static const Term *race_pair_joined(const Pair *pair, const TermList *list) {
  TermTable *terms = pair->race->terms;
  const Term *all = term_true(terms);
  for (uint32_t i = 0; i < list->count && all->kind != TERM_FALSE; i++)
    all = term_and(terms, all, list->data[i]);
  return all;
}

static const SolveAnswer *race_pair_ask(const Pair *pair,
                                        const TermList *list) {
  Race *race = pair->race;
  const Term *all = race_pair_joined(pair, list);
  Answered *known = map_get(&race->answered, MAP_KEY(all));
  if (known)
    return &known->answer;
  known = ARENA_NEW(race->arena, Answered);
  if (all->kind == TERM_FALSE)
    known->answer = (SolveAnswer){.status = SOLVE_UNSAT};
  else
    known->answer = solver_ask(race->check->solver, &all, 1);
  map_put(race->arena, &race->answered, MAP_KEY(all), known);
  return &known->answer;
}

static bool order_says(const Pair *pair, const TermList *list) {
  Race *race = pair->race;
  OrderSide a = {pair->first->step, race_first_symbol, (void *)(uintptr_t)pair};
  OrderSide b = {pair->second, race_second_symbol, NULL};
  Rings *rings = race->check->rings;
  if (rings && rings_prove(rings, &a, &b, list->data, list->count))
    return true;
  if (rings && !race->check->order)
    race->check->order = order_beside_rings(race->check);
  if (!race->check->order)
    return false;
  return order_proves(race->check->order, &a, &b, list->data, list->count);
}

// Two parameters that might be the same memory: runs give each its own, unless
// the kernel says that they may share one.
static bool is_apart_in_runs(const Pair *pair) {
  const IrObject *x = pair->first->step->u.touch.touch->object;
  const IrObject *y = pair->second->u.touch.touch->object;
  return x && y && x != y && x->param >= 0 && y->param >= 0 &&
         !ir_is_alias_pair(pair->race->check->kernel, x, y);
}

// Where the host put what decides whether the two meet; NULL: nothing does.
static const IrObject *input_of(const Pair *pair) {
  TermList meet = {0}, zeros = {0};
  const IrObject *found = NULL;
  if (check_counts(pair->first->step->node, pair->second->node) ||
      !race_overlap(pair, &meet, &zeros))
    return NULL;
  for (uint32_t i = 0; i < meet.count && !found; i++)
    found = check_input(pair->race->check, meet.data[i], INPUT_PLACES);
  return found;
}

static void race_pair_suspect(const Pair *pair, const TermList *list,
                              const SolveAnswer *answer) {
  Race *race = pair->race;
  const IrObject *input = input_of(pair);
  bool is_input = input != NULL;
  bool is_across =
      pair->set->kind == SET_GRID || pair->set->kind == SET_CLUSTER;
  Suspect suspect = {.kind = SUSPECT_RACE,
                     .a = pair->first->step,
                     .b = pair->second,
                     .reason = race_reason(pair, answer, input),
                     .has_model = answer->status == SOLVE_SAT,
                     .is_for_none = is_apart_in_runs(pair) || is_input,
                     .is_of_input = is_input && !is_across,
                     .is_of_input_across = is_input && is_across,
                     .model = answer->model,
                     .queries = {race_pair_joined(pair, list)},
                     .n_queries = is_input ? 0 : 1};
  check_suspect(race->check, &suspect);
  if (answer->status == SOLVE_UNKNOWN &&
      solver_left_ms(race->check->solver) == 0)
    race_give_up(race, pair->second, check_reason_time());
}

static void remark_same_value(const Pair *pair, const SolveAnswer *answer) {
  Check *check = pair->race->check;
  const IrNode *a = pair->first->step->node, *b = pair->second->node;
  const IrObject *object = pair->second->u.touch.touch->object;
  for (uint32_t i = 0; i < check->report->findings.count; i++) {
    const Finding *known = &check->report->findings.data[i];
    if (known->code == CODE_SAME_VALUE &&
        (known->node == b || known->node == a))
      return;
  }
  bool is_mark = object && object->marks_barrier;
  bool is_sure = race_is_one_element(pair);
  Finding remark = {
      .code = CODE_SAME_VALUE,
      .verdict = VERDICT_PROVED,
      .node = b,
      .other = a == b ? NULL : a,
      .message = arena_printf(
          check->arena,
          is_mark ? "several threads initialise mbarrier '%s'"
          : is_sure
              ? "several threads store the same value to one element of '%s'"
              : "several threads may store the same value to one element of "
                "'%s'",
          object && object->name ? object->name : "memory"),
      .notes = {"let one thread store it",
                a == b ? NULL : "another thread stores it here",
                is_sure || is_mark ? NULL
                                   : race_reason(pair, answer, NULL).text}};
  VEC_PUSH(check->arena, &check->report->findings, remark);
}

// In CUDA C, stores of values that are proved to be equal are only remarked on.
static bool race_pair_is_same_value(const Pair *pair, const SolveAnswer *answer,
                                    TermList *list) {
  if (!check_has(pair->race->check, CHECK_REMARK_SAME_VALUE) ||
      !are_stores(pair))
    return false;
  uint32_t n_before = list->count;
  if (add_difference(pair, list) && list->count == n_before)
    return false; // a value isn't known
  if (list->count > n_before &&
      race_pair_ask(pair, list)->status != SOLVE_UNSAT)
    return false;
  remark_same_value(pair, answer);
  return true;
}

// ------------------------------------------------------ stores in no order

// A place that nobody reads in the kernel is no flag.
static bool is_read(const Race *race, const IrObject *object) {
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (step && step->kind == STEP_TOUCH && step->u.touch.touch->is_read &&
        (!step->u.touch.touch->object || step->u.touch.touch->object == object))
      return true;
  }
  return false;
}

// As accesses of volatile places are.
static bool is_relaxed_store(const Step *step) {
  const IrNode *node = step->node;
  const Touch *touch = step->u.touch.touch;
  return node->op == IR_STORE && touch->is_atomic && touch->object &&
         touch->scope == SCOPE_SYSTEM && node->u.access.order == ORDER_RELAXED;
}

static bool may_be_unordered(const Pair *pair) {
  const Check *check = pair->race->check;
  const IrObject *object = pair->second->u.touch.touch->object;
  return check_has(check, CHECK_REMARK_UNORDERED) &&
         !check->options->no_remarks && is_relaxed_store(pair->first->step) &&
         is_relaxed_store(pair->second) &&
         pair->first->step->u.touch.touch->object == object &&
         are_stores(pair) && !is_read(pair->race, object);
}

static void remark_unordered(const Pair *pair) {
  Check *check = pair->race->check;
  const IrNode *a = pair->first->step->node, *b = pair->second->node;
  const IrObject *object = pair->second->u.touch.touch->object;
  for (uint32_t i = 0; i < check->report->findings.count; i++) {
    const Finding *known = &check->report->findings.data[i];
    if (known->code == CODE_UNORDERED && (known->node == b || known->node == a))
      return;
  }
  Finding remark = {
      .code = CODE_UNORDERED,
      .verdict = VERDICT_PROVED,
      .node = b,
      .other = a == b ? NULL : a,
      .message = arena_printf(check->arena,
                              "several threads store different values to one "
                              "element of '%s' in no order",
                              object->name ? object->name : "memory"),
      .notes = {"the last store remains, and any of them may be the last",
                a == b ? NULL : "another thread stores here"}};
  VEC_PUSH(check->arena, &check->report->findings, remark);
}

bool race_is_possible(Race *race, const SyncSet *set, const OpenTouch *touch) {
  Pair pair = {.race = race, .set = set, .first = touch, .second = touch->step};
  TermList list = {0};
  race_add_turns(&pair, &list);
  race_add(&pair, &list, race_first(&pair, touch->step->path));
  if (touch->extra)
    race_add(&pair, &list, race_first(&pair, touch->extra));
  return race_pair_ask(&pair, &list)->status != SOLVE_UNSAT;
}

static bool race_pair_is_new(const Pair *pair) {
  Race *race = pair->race;
  uint64_t key = (uint64_t)pair->first->id << 44 |
                 (uint64_t)pair->second->id << 20 | pair->first_turn;
  if (map_has(&race->seen, key))
    return false;
  map_put(race->arena, &race->seen, key, race);
  return true;
}

// In a function of its own set the two may touch the same memory.
static bool may_meet(const Pair *pair) {
  const Step *a = pair->first->step, *b = pair->second;
  if (!race_may_alias(pair->race, a, b))
    return false;
  if (pair->set->kind == SET_THREAD || pair->set->kind == SET_PART)
    return true;
  bool shared = race_space(a) == SPACE_SHARED || race_space(b) == SPACE_SHARED;
  return !shared || pair->set->kind == SET_CLUSTER;
}

// With what tickets say. That they don't wrap is trusted.
static bool are_apart_by_tickets(const Pair *pair, TermList *list) {
  static const char text[] = "results of atomic additions don't wrap";

  Race *race = pair->race;
  const Term *tickets = race_tickets(pair);
  if (tickets->kind == TERM_TRUE)
    return false;
  race_add(pair, list, tickets);
  if (race_pair_ask(pair, list)->status != SOLVE_UNSAT)
    return false;
  CheckReport *report = race->check->report;
  for (uint32_t i = 0; i < report->trusted.count; i++)
    if (report->trusted.data[i] == text)
      return true;
  VEC_PUSH(race->check->arena, &report->trusted, text);
  return true;
}

// What holds if the two meet, in two threads; false: they don't.
static bool conditions_of(const Pair *pair, TermList *list) {
  TermList zeros = {0};
  if (!race_overlap(pair, list, &zeros) || !race_add_instance(pair, list) ||
      !race_pair_add_values(pair, list) ||
      race_same_owner(pair, zeros.data, zeros.count))
    return false;
  race_split_digits(pair, &zeros, list);
  race_add_threads(pair, list);
  race_add_turns(pair, list);
  race_add_other_copy(pair, list);
  race_add_shared_values(pair, list);
  race_add(pair, list, pair->second->path);
  race_add(pair, list, race_first(pair, pair->first->step->path));
  if (pair->first->extra)
    race_add(pair, list, race_first(pair, pair->first->extra));
  return true;
}

// Atomic stores don't race, but of different values one is lost.
static void look_for_order(const Pair *pair) {
  TermList list = {0};
  if (!may_be_unordered(pair) || !may_meet(pair) || !race_pair_is_new(pair) ||
      !conditions_of(pair, &list))
    return;
  bool is_known = pair->first->step->u.touch.touch->value &&
                  pair->second->u.touch.touch->value;
  if (is_known && add_difference(pair, &list) &&
      race_pair_ask(pair, &list)->status == SOLVE_SAT &&
      !order_says(pair, &list))
    remark_unordered(pair);
}

// Two threads of the set can get to the two places, whatever they touch there.
static bool may_both_run(const Pair *pair) {
  TermList list = {0};
  if (!race_add_instance(pair, &list))
    return false;
  race_add_threads(pair, &list);
  race_add_turns(pair, &list);
  race_add(pair, &list, pair->second->path);
  race_add(pair, &list, race_first(pair, pair->first->step->path));
  return race_pair_ask(pair, &list)->status != SOLVE_UNSAT;
}

// Members of one table that the kernel doesn't require to be disjoint: what
// their indices say is not enough. Runs give each its own memory.
static bool is_of_open_table(const Pair *pair) {
  Race *race = pair->race;
  const IrObject *object = pair->second->u.touch.touch->object;
  if (object != pair->first->step->u.touch.touch->object ||
      !race_is_open_table(race->check, object) || !may_both_run(pair))
    return false;
  Suspect suspect = {.kind = SUSPECT_RACE,
                     .a = pair->first->step,
                     .b = pair->second,
                     .reason =
                         check_reason(race->check, WORD_state_members,
                                      WORD_need_members, object->name, NULL),
                     .is_for_none = true};
  check_suspect(race->check, &suspect);
  return true;
}

void race_pair(const Pair *pair) {
  Race *race = pair->race;
  if (race->gave_up)
    return;
  if (race->n_compared++ > MAX_COMPARED) {
    race_give_up_comparing(race, pair->second);
    return;
  }
  if (race_pair_is_harmless(pair)) {
    look_for_order(pair);
    return;
  }
  if (!may_meet(pair) || !race_pair_is_new(pair))
    return;
  TermList list = {0};
  if (!conditions_of(pair, &list)) {
    if (!is_of_open_table(pair))
      check_proved(race->check);
    return;
  }
  const SolveAnswer *answer = race_pair_ask(pair, &list);
  if (answer->status == SOLVE_UNSAT && is_of_open_table(pair))
    return;
  TermList more = {0};
  for (uint32_t i = 0; i < list.count; i++)
    VEC_PUSH(race->arena, &more, list.data[i]);
  if (answer->status == SOLVE_UNSAT || order_says(pair, &list) ||
      are_apart_by_tickets(pair, &more) || publish_orders(pair, &list) ||
      race_pair_is_same_value(pair, answer, &list))
    check_proved(race->check);
  else
    race_pair_suspect(pair, &list, answer);
}
