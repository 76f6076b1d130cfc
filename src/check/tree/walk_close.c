// SPDX-License-Identifier: Apache-2.0
// Leaving loops: symbols that differ from turn to turn end with the loop.
#include "check/tree/walk.h"

struct Closing {
  Walk *w;
  CheckLoop *outer;
  const IrGroup *over; // threads that leave at the same turn
  Map symbols;         // by id: the term for it
  const Symbol *ended; // of closing_end, or NULL
};

bool loop_is_inside(const CheckLoop *loop, const CheckLoop *outer) {
  return loop && loop != outer && (!outer || tree_is_in_loop(loop, outer));
}

Closing *closing_new(Walk *w, CheckLoop *outer, const IrGroup *over) {
  Closing *closing = ARENA_NEW(w->arena, Closing);
  closing->w = w;
  closing->outer = outer;
  closing->over = over;
  return closing;
}

// One value for the threads of both.
static const IrGroup *common(const IrGroup *a, const IrGroup *b) {
  if (!a || !b)
    return NULL;
  if (ir_group_contains(a, b))
    return b;
  return ir_group_contains(b, a) ? a : NULL;
}

static const Symbol *last_value(Closing *closing, const Symbol *symbol) {
  Symbol model = *symbol;
  bool is_turn = symbol->kind == SYMBOL_TURN;
  model.kind = SYMBOL_VALUE;
  model.loop = closing->outer;
  model.copy_of = NULL;
  model.over = is_turn ? closing->over : common(symbol->over, closing->over);
  return term_symbol_new(closing->w->terms, &model);
}

void closing_set(Closing *closing, const Symbol *symbol, const Term *term) {
  union {
    const Term *in;
    void *out;
  } entry = {.in = term};

  map_put(closing->w->arena, &closing->symbols, (uint64_t)symbol->id + 1,
          entry.out);
}

void closing_end(Closing *closing, const Symbol *symbol, const Term *term) {
  closing->ended = symbol;
  closing_set(closing, symbol, term);
}

const Term *closing_symbol(const Symbol *symbol, void *context) {
  Closing *closing = context;
  if (!loop_is_inside(symbol->loop, closing->outer))
    return NULL;
  uint64_t key = (uint64_t)symbol->id + 1;
  if (!map_has(&closing->symbols, key))
    closing_set(closing, symbol,
                term_of(closing->w->terms, last_value(closing, symbol)));
  return map_get(&closing->symbols, key);
}

static const Term *closed(Closing *closing, const Term *term) {
  return term ? term_replace(closing->w->terms, term, closing_symbol, closing)
              : NULL;
}

// first + step * min(a, b) is min(first + step * a, first + step * b).
static const Value *chosen_at_end(Closing *closing, const Value *value) {
  int64_t factor;
  const Term *rest;
  if (!closing->ended || value->kind != VALUE_INT ||
      !term_split(closing->w->terms, value->term, closing->ended, &factor,
                  &rest))
    return value;
  Value *chosen = value_new(closing->w, VALUE_INT);
  *chosen = *value;
  chosen->term = term_into_choice(
      closing->w->terms, closing_symbol(closing->ended, closing), factor, rest);
  return chosen;
}

static void close_values(Walk *w, Incoming *incoming, Closing *closing) {
  for (uint32_t i = 0; i < incoming->n_changes; i++) {
    const Value *value = incoming->changes[i].value;
    if (!value)
      continue;
    if (value->kind == VALUE_LOST)
      incoming->changes[i].value = value_lost_within(
          w, closed(closing, value->low), closed(closing, value->high));
    else
      incoming->changes[i].value =
          value_map(w, chosen_at_end(closing, value), closing_symbol, closing);
  }
}

void incoming_close(Walk *w, Incoming *incoming, CheckLoop *outer,
                    Closing *closing) {
  if (!loop_is_inside(incoming->loop, outer))
    return;
  bool is_own = !closing;
  if (is_own)
    closing = closing_new(w, outer, NULL);
  if (incoming->condition)
    incoming->condition =
        term_replace(w->terms, incoming->condition, closing_symbol, closing);
  close_values(w, incoming, closing);
  if (!is_own)
    return;
  // The same condition could hold at another way's moment: which way it was is
  // a value of its own.
  const Term *is_this =
      symbol_holds(w, walk_symbol(w, "way", NULL, NULL, 0, 1));
  incoming->condition = incoming->condition
                            ? term_and(w->terms, is_this, incoming->condition)
                            : is_this;
}
