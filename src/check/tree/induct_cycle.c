// SPDX-License-Identifier: Apache-2.0
// Variables that change places with each other, or turn over, in every turn:
//
//   t = a; a = b; b = c; c = t;
//   p = !p;  p = ~p;  p = 7 - p;
//
// A value in such a circle of n is what another one was before the loop, n
// turns apart always the same one.
#include "check/tree/induct.h"

enum { MAX_CYCLE = 8 };

typedef struct {
  LoopVar *vars[MAX_CYCLE]; // what vars[0] holds after 0, 1, … turns
  const Term *first[MAX_CYCLE];
  uint32_t n;
} Cycle;

static bool induct_cycle_is_alike(const LoopVar *a, const LoopVar *b) {
  return a->head->kind == b->head->kind && a->head->bits == b->head->bits &&
         a->head->is_unsigned == b->head->is_unsigned;
}

static LoopVar *with_symbol(const LoopLaws *laws, const Term *symbol) {
  for (uint32_t i = 0; i < laws->n; i++)
    if (symbol->kind == TERM_SYMBOL && laws->vars[i].symbol == symbol->symbol)
      return &laws->vars[i];
  return NULL;
}

// Each becomes what the next one was, the last one what the first one was.
static bool find_cycle(const Induct *in, LoopVar *var, Cycle *cycle) {
  *cycle = (Cycle){.n = 0};
  LoopVar *next = var;
  while (cycle->n < MAX_CYCLE) {
    cycle->vars[cycle->n] = next;
    cycle->first[cycle->n++] = next->first;
    next = with_symbol(in->laws, next->back_term);
    if (!next || next->law || !next->back_term ||
        !induct_cycle_is_alike(var, next))
      return false;
    if (next == var)
      return true;
  }
  return false;
}

// first[k] = least + by * ((start + step * k) mod n), so that the cycle is one
// remainder: 0 1 2, or addresses of the rows of an array in any order.
typedef struct {
  const Term *least;
  int64_t by, start, step;
} Steps;

static bool are_steps(TermTable *t, const Term *const *first, int64_t n,
                      Steps *steps) {
  int64_t apart[MAX_CYCLE], least = 0, most = 0;
  for (int64_t k = 0; k < n; k++) {
    const Term *difference = term_sub(t, first[k], first[0]);
    if (!term_is_constant(difference, &apart[k]) || apart[k] < -(1LL << 40) ||
        apart[k] > 1LL << 40)
      return false;
    least = apart[k] < least ? apart[k] : least;
    most = apart[k] > most ? apart[k] : most;
  }
  if (most == least || (most - least) % (n - 1) != 0)
    return false;
  steps->by = (most - least) / (n - 1);
  steps->least = term_add(t, first[0], term_int(t, least));
  steps->start = -least / steps->by;
  steps->step = (apart[1] - apart[0]) / steps->by;
  steps->step += steps->step < 0 ? n : 0;
  for (int64_t k = 0; k < n; k++)
    if (apart[k] - least != steps->by * ((steps->start + steps->step * k) % n))
      return false;
  return true;
}

// What goes round first[0], first[1], … from there on, at a turn.
static const Term *round_law(TermTable *t, const Term *const *first, uint32_t n,
                             const Term *turn) {
  const Term *size = term_int(t, n);
  Steps steps;
  if (are_steps(t, first, n, &steps)) {
    const Term *at =
        term_add(t, term_int(t, steps.start), term_scale(t, turn, steps.step));
    return term_add(t, steps.least,
                    term_scale(t, term_mod(t, at, size), steps.by));
  }
  const Term *at = term_mod(t, turn, size), *law = first[n - 1];
  for (uint32_t k = n - 1; k-- > 0;)
    law = term_ite(t, term_eq(t, at, term_int(t, k)), first[k], law);
  return law;
}

bool guess_cycle(Induct *in, LoopVar *var, const Term *back) {
  (void)back;
  TermTable *t = in->w->terms;
  Cycle cycle;
  if (!find_cycle(in, var, &cycle) || cycle.n < 2)
    return false;
  const Term *turn = term_of(t, in->laws->turn);
  for (uint32_t k = 0; k < cycle.n; k++) {
    const Term *from_here[MAX_CYCLE];
    for (uint32_t i = 0; i < cycle.n; i++)
      from_here[i] = cycle.first[(k + i) % cycle.n];
    induct_accept(in, cycle.vars[k], round_law(t, from_here, cycle.n, turn));
  }
  return true;
}

// c - x
bool guess_reflection(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *sum = term_add(t, back, term_of(t, var->symbol));
  if (!induct_is_outer(in, sum))
    return false;
  const Term *first[2] = {var->first, term_sub(t, sum, var->first)};
  induct_accept(in, var, round_law(t, first, 2, term_of(t, in->laws->turn)));
  return true;
}

// ---------------------------------------------------------------- pointers

// The variable of which it is the head, moved by `by` bytes.
static LoopVar *moved_head(const LoopLaws *laws, const Value *value,
                           int64_t *by) {
  bool is_head = value && value->kind == VALUE_POINTER && value->head_var &&
                 value->loop == laws->loop && !value->object &&
                 term_is_constant(value->term, by);
  for (uint32_t i = 0; is_head && i < laws->n; i++)
    if (laws->vars[i].var + 1 == value->head_var)
      return &laws->vars[i];
  return NULL;
}

static LoopVar *with_head(const LoopLaws *laws, const Value *value) {
  int64_t by;
  LoopVar *var = moved_head(laws, value, &by);
  return var && by == 0 ? var : NULL;
}

static const Value *plus_bytes(Walk *w, const Value *value, const Term *bytes) {
  Value *sum = value_new(w, value->kind);
  *sum = *value;
  if (value->kind == VALUE_POINTER) {
    sum->term = term_add(w->terms, value->term, bytes);
    return value->object ? sum : NULL;
  }
  if (value->kind != VALUE_CHOICE)
    return NULL;
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, 2);
  for (int i = 0; i < 2; i++) {
    parts[i] = plus_bytes(w, value->parts[i], bytes);
    if (!parts[i])
      return NULL;
  }
  sum->parts = parts;
  return sum;
}

// start + turn * by, where every turn moves it so.
static const Value *steady_pointer(const Induct *in, LoopVar *var) {
  int64_t by;
  TermTable *t = in->w->terms;
  bool is_steady =
      moved_head(in->laws, var->back, &by) == var && by != 0 && var->start &&
      (var->start->kind == VALUE_POINTER || var->start->kind == VALUE_CHOICE);
  return is_steady ? plus_bytes(in->w, var->start,
                                term_scale(t, term_of(t, in->laws->turn), by))
                   : NULL;
}

static bool find_pointers(const Induct *in, LoopVar *var, const Value **first,
                          uint32_t *n) {
  LoopVar *next = var;
  for (*n = 0; *n < MAX_CYCLE;) {
    first[(*n)++] = next->start;
    next = with_head(in->laws, next->back);
    if (!next || !next->start)
      return false;
    if (next == var)
      return true;
  }
  return false;
}

void induct_pointers(Induct *in) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  for (uint32_t i = 0; i < in->laws->n; i++) {
    LoopVar *var = &in->laws->vars[i];
    const Value *first[MAX_CYCLE];
    uint32_t n;
    const Value *steady =
        with_head(in->laws, var->head) ? steady_pointer(in, var) : NULL;
    if (steady)
      var->law = steady;
    if (steady || !with_head(in->laws, var->head) ||
        !find_pointers(in, var, first, &n))
      continue;
    const Term *at =
        term_mod(t, term_of(t, in->laws->turn), term_int(t, (int64_t)n));
    const Value *law = first[n - 1];
    for (uint32_t k = n - 1; k-- > 0;)
      law = value_merge(w, term_eq(t, at, term_int(t, (int64_t)k)), first[k],
                        law);
    var->law = law->kind == VALUE_LOST ? NULL : law;
  }
}
