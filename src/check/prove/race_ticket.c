// SPDX-License-Identifier: Apache-2.0
// Note [Tickets]
// `s = atomicAdd(p, n)` gives a number to each execution: those of one place
// are in an order, and each finds at least what the one before it found and n
// more. So of two executions a and b, either a + n(a) <= b or b + n(b) <= a.
// That holds if
//
//   - nothing else in the kernel writes the array, or what may be the same
//     memory, and all who write it add a number that isn't negative;
//   - the additions are atomic for both threads (their scope);
//   - both are of one place in global memory, which launch, block and thread
//     decide;
//   - the two executions are different ones. They are by different threads, and
//     the value is a thread's own: one that several threads share, because one
//     of them asked for all, says nothing of two of them;
//   - the number doesn't wrap, which is trusted and listed.
#include "check/prove/race.h"

#include "ir/analyses/alias.h"

#include <string.h>

enum { MOST_TICKETS = 4 };

typedef struct {
  const Symbol *symbols[MOST_TICKETS];
  uint32_t n;
} Tickets;

static bool is_addition(const IrNode *node) {
  const IrObject *object = node->op == IR_RMW && node->u.access.rmw == RMW_ADD
                               ? node->u.access.object
                               : NULL;
  return object && object->space == SPACE_GLOBAL &&
         ir_type_is_int(node->u.access.type);
}

static void note_ticket(const Symbol *symbol, void *context) {
  Tickets *tickets = context;
  bool is_one = symbol->kind == SYMBOL_VALUE && symbol->origin &&
                is_addition(symbol->origin) && !symbol->over;
  for (uint32_t i = 0; i < tickets->n && is_one; i++)
    is_one = tickets->symbols[i] != symbol;
  if (is_one && tickets->n < MOST_TICKETS)
    tickets->symbols[tickets->n++] = symbol;
}

static Tickets tickets_of(const Touch *touch) {
  Tickets tickets = {.n = 0};
  for (int k = 0; k < touch->n_index; k++)
    term_symbols(touch->index[k], note_ticket, &tickets);
  if (touch->byte)
    term_symbols(touch->byte, note_ticket, &tickets);
  return tickets;
}

// ---------------------------------------------------------------- premises

typedef struct {
  const Race *race;
  const IrObject *object;
  SetKind kind;
  bool is_right;
} Counter;

static bool look_at_write(IrNode *node, void *context) {
  Counter *counter = context;
  const Check *check = counter->race->check;
  if (!ir_is_write(node))
    return true;
  const IrObject *other = ir_target_object(node);
  if (other == counter->object)
    counter->is_right &=
        is_addition(node) &&
        ir_type_equal(node->u.access.type, counter->object->element) &&
        race_scope_covers(counter->kind, (IrScope)node->u.access.scope);
  else if (!other)
    counter->is_right &= !ir_pointer_may_reach(node, counter->object);
  else
    counter->is_right &= !ir_may_alias(check->kernel, other, counter->object) ||
                         race_is_trusted_apart(check, other, counter->object);
  return counter->is_right;
}

// No step adds less than 0.
static bool adds_naturals(const Race *race, const IrObject *object) {
  TermTable *t = race->terms;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH ||
        step->u.touch.touch->object != object || !step->u.touch.touch->is_write)
      continue;
    const Term *by = step->u.touch.touch->value;
    if (!by || !solver_proves(race->check->solver, step->path,
                              term_le(t, term_int(t, 0), by)))
      return false;
  }
  return true;
}

static bool race_ticket_is_counter(const Pair *pair, const IrObject *object) {
  Counter counter = {pair->race, object, pair->set->kind, true};
  ir_walk((IrRegion *)(uintptr_t)&pair->race->check->kernel->body,
          look_at_write, &counter);
  return counter.is_right && adds_naturals(pair->race, object);
}

// The one step of the node; NULL: several, or its place isn't fixed.
static const Touch *race_ticket_place_of(const Race *race, const IrNode *node) {
  const Touch *found = NULL;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH || step->node != node)
      continue;
    const Touch *touch = step->u.touch.touch;
    bool is_fixed = !found && touch->value && !touch->may_miss &&
                    !touch->cluster_rank && race_is_fixed(touch->byte);
    for (int k = 0; k < touch->n_index && is_fixed; k++)
      is_fixed = race_is_fixed(touch->index[k]);
    if (!is_fixed)
      return NULL;
    found = touch;
  }
  return found;
}

// ------------------------------------------------------------------ lemmas

static const Term *lemma(const Pair *pair, const Symbol *first,
                         const Symbol *second) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  const Touch *a = race_ticket_place_of(race, first->origin);
  const Touch *b = race_ticket_place_of(race, second->origin);
  if (!a || !b || a->object != b->object || a->n_index != b->n_index ||
      !race_ticket_is_counter(pair, a->object))
    return NULL;
  const Term *same = term_eq(t, race_first(pair, a->byte), b->byte);
  for (int k = 0; k < a->n_index; k++)
    same = term_and(t, same,
                    term_eq(t, race_first(pair, a->index[k]), b->index[k]));
  const Term *x = race_first(pair, term_of(t, first)), *y = term_of(t, second);
  const Term *x_end = term_add(t, x, race_first(pair, a->value));
  const Term *y_end = term_add(t, y, b->value);
  return term_or(t, term_not(t, same),
                 term_or(t, term_le(t, x_end, y), term_le(t, y_end, x)));
}

const Term *race_tickets(const Pair *pair) {
  TermTable *t = pair->race->terms;
  const Term *all = term_true(t);
  if (pair->set->kind == SET_THREAD)
    return all;
  Tickets first = tickets_of(pair->first->step->u.touch.touch);
  Tickets second = tickets_of(pair->second->u.touch.touch);
  for (uint32_t i = 0; i < first.n; i++)
    for (uint32_t k = 0; k < second.n; k++) {
      const Term *one = lemma(pair, first.symbols[i], second.symbols[k]);
      all = one ? term_and(t, all, one) : all;
    }
  return all;
}
