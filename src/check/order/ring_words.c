// SPDX-License-Identifier: Apache-2.0
// What roles wait for, as words that are compared: Note [Rings].
#include "check/order/ring_words.h"

// ------------------------------------------------------------------ reading

typedef struct {
  Rings *rings;
  const RingSet *set;
  bool is_known;
  Word **tail;
} Reader;

static void read_list(Reader *r, const Step *list);

static RingOp *op_of(const Rings *rings, const Step *step) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    if (rings->ops.data[i]->step == step)
      return rings->ops.data[i];
  return NULL;
}

static Word *ring_words_add_word(Reader *r, WordKind kind) {
  Word *word = ARENA_NEW(r->rings->arena, Word);
  *word = (Word){.kind = kind};
  *r->tail = word;
  r->tail = &word->next;
  return word;
}

// Has one value for all threads of the block in the same turns of its loops.
static void see_shared(const Symbol *symbol, void *context) {
  bool *is_shared = context;
  switch (symbol->kind) {
  case SYMBOL_LAUNCH:
  case SYMBOL_BLOCK:
  case SYMBOL_TURN: break;
  case SYMBOL_VALUE:
    *is_shared &= !symbol->loop && symbol->over && !symbol->copy_of &&
                  symbol->over->kind <= GROUP_BLOCK;
    break;
  case SYMBOL_THREAD: *is_shared = false; break;
  }
}

static bool ring_words_is_shared(const Term *term) {
  bool result = true;
  term_symbols(term, see_shared, &result);
  return result;
}

// The words of a list, in a place of their own.
static Word *read_inside(Reader *r, const Step *list) {
  Word *first = NULL, **tail = r->tail;
  r->tail = &first;
  read_list(r, list);
  r->tail = tail;
  return first;
}

static bool contains_wait(const Rings *rings, const Step *list) {
  for (const Step *step = list; step; step = step->next) {
    const RingOp *op = op_of(rings, step);
    if (op && op->kind == RING_WAIT)
      return true;
    if ((step->kind == STEP_IF &&
         (contains_wait(rings, step->u.branch.body) ||
          contains_wait(rings, step->u.branch.other))) ||
        (step->kind == STEP_LOOP && contains_wait(rings, step->u.loop.body)) ||
        (step->kind == STEP_SCOPE && contains_wait(rings, step->u.scope.body)))
      return true;
  }
  return false;
}

// A part for some threads of the role alone may hold waits that the others
// pass, none in a loop.
static void read_part(Reader *r, const Step *list) {
  for (const Step *step = list; step && r->is_known; step = step->next)
    if ((step->kind == STEP_LOOP || step->kind == STEP_IF) &&
        contains_wait(r->rings, step))
      r->is_known = false;
  read_list(r, list);
}

// Of a list for those threads: all of the role, none, or some. False: it isn't
// decided by ranks.
static bool read_for(Reader *r, const Step *list, const Term *condition) {
  RingSet truth;
  if (!list)
    return true;
  if (!ring_is_of_rank(r->rings, condition) ||
      !ring_truth(r->rings, condition, &truth))
    return false;
  if (ring_is_within(r->set, &truth))
    read_list(r, list);
  else if (!ring_is_apart(r->set, &truth) && contains_wait(r->rings, list))
    read_part(r, list);
  return true;
}

static void read_if(Reader *r, const Step *step) {
  TermTable *t = r->rings->terms;
  const Term *condition = step->u.branch.condition;
  if (read_for(r, step->u.branch.body, condition) &&
      read_for(r, step->u.branch.other, term_not(t, condition)))
    return;
  Word *body = read_inside(r, step->u.branch.body);
  Word *other = read_inside(r, step->u.branch.other);
  if (!body && !other)
    return;
  r->is_known &= ring_words_is_shared(condition);
  Word *word = ring_words_add_word(r, WORD_IF);
  word->condition = condition;
  word->body = body;
  word->other = other;
}

static void read_scope(Reader *r, const Step *step) {
  const Term *entry =
      step->u.scope.body ? ring_entry(r->rings, step->u.scope.body) : NULL;
  if (!entry) {
    read_list(r, step->u.scope.body);
  } else if (!read_for(r, step->u.scope.body, entry)) {
    RingSet inside;
    if (!contains_wait(r->rings, step->u.scope.body))
      return;
    r->is_known &= ring_set_of(r->rings, step->u.scope.body, &inside);
    if (!ring_is_apart(r->set, &inside))
      read_part(r, step->u.scope.body);
  }
}

static void read_loop(Reader *r, const Step *step) {
  const CheckLoop *loop = step->u.loop.loop;
  bool is_tested = tree_has_head_test(step);
  Word *body = read_inside(r, step->u.loop.body);
  if (!body)
    return;
  Word *word = ring_words_add_word(r, WORD_LOOP);
  word->loop = loop;
  word->body = body;
  word->is_test = is_tested;
  word->condition = is_tested         ? step->u.loop.body->u.branch.condition
                    : !loop->has_exit ? loop->trips
                                      : NULL;
  if (!word->condition || (is_tested && loop->trips) || loop->is_thread_loop ||
      !ring_words_is_shared(word->condition))
    r->is_known = false;
}

static void read_list(Reader *r, const Step *list) {
  for (const Step *step = list; step && r->is_known; step = step->next) {
    const RingOp *op = op_of(r->rings, step);
    switch ((int)step->kind) {
    case STEP_IF: read_if(r, step); break;
    case STEP_LOOP: read_loop(r, step); break;
    case STEP_SCOPE: read_scope(r, step); break;
    case STEP_BARRIER:
      if (op && op->kind == RING_WAIT && !ring_is_apart(&op->by, r->set))
        ring_words_add_word(r, WORD_WAIT)->ring = op->barrier->ring;
      break;
    default: break;
    }
  }
}

// -------------------------------------------------------------------- roles

static bool add_role(Rings *rings, Roles *roles, const RingSet *set) {
  for (uint32_t i = 0; i < roles->count; i++) {
    if (ring_is_equal(&roles->data[i].set, set))
      return true;
    if (!ring_is_apart(&roles->data[i].set, set))
      return false;
  }
  Role role = {.set = *set};
  Reader reader = {.rings = rings, .set = set, .is_known = true};
  reader.tail = &role.word;
  read_list(&reader, rings->tree->first);
  VEC_PUSH(rings->arena, roles, role);
  return reader.is_known;
}

bool words_find_roles(Rings *rings, Roles *roles) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind == RING_WAIT && !add_role(rings, roles, &op->cover))
      return false;
  }
  return true;
}

const Role *words_role_of(const Roles *roles, const RingOp *op) {
  for (uint32_t i = 0; i < roles->count; i++)
    if (ring_is_within(&op->by, &roles->data[i].set))
      return &roles->data[i];
  return NULL;
}

// ------------------------------------------------------------------ comparing

static bool ring_words_is_empty(const WordFilter *filter, const Word *word);

const Word *words_skip(const WordFilter *filter, const Word *word) {
  while (word && ring_words_is_empty(filter, word))
    word = word->next;
  return word;
}

static bool ring_words_is_empty(const WordFilter *filter, const Word *word) {
  if (word->kind == WORD_WAIT)
    return !filter->counts[word->ring->id];
  return !words_skip(filter, word->body) && !words_skip(filter, word->other);
}

// With `by` turn n of `from` is turn by * n + plus of `to`, else turn n.
typedef struct TurnPair {
  const CheckLoop *from, *to;
  int64_t by, plus;
  const struct TurnPair *outer;
} TurnPair;

typedef struct {
  const Rings *rings;
  const TurnPair *pairs;
} Renaming;

// In terms of b, whose loops are the pairs' `from`.
static const Term *rename_turn(const Symbol *symbol, void *context) {
  const Renaming *renaming = context;
  for (const TurnPair *pair = renaming->pairs; pair; pair = pair->outer)
    if (pair->by == 0 && pair->from->turn == symbol)
      return term_of(renaming->rings->terms, pair->to->turn);
  return NULL;
}

// In terms of a.
static const Term *deal_turn(const Symbol *symbol, void *context) {
  const Renaming *renaming = context;
  TermTable *t = renaming->rings->terms;
  for (const TurnPair *pair = renaming->pairs; pair; pair = pair->outer)
    if (pair->by > 0 && pair->to->turn == symbol)
      return term_add(t, term_scale(t, term_of(t, pair->from->turn), pair->by),
                      term_int(t, pair->plus));
  return NULL;
}

// b says with its own turns what a says with those of its loops.
static bool ring_words_is_same(const WordFilter *filter, const TurnPair *pairs,
                               const Term *a, const Term *b) {
  TermTable *t = filter->rings->terms;
  Renaming renaming = {filter->rings, pairs};
  return term_replace(t, b, rename_turn, &renaming) ==
         term_replace(t, a, deal_turn, &renaming);
}

// The only word in the loop, if that is a branch without another way.
static const Word *only_branch(const WordFilter *filter, const Word *loop) {
  const Word *body = words_skip(filter, loop->body);
  bool is_only = body && body->kind == WORD_IF &&
                 !words_skip(filter, body->other) &&
                 !words_skip(filter, body->next);
  return is_only ? body : NULL;
}

typedef struct {
  const Rings *rings;
  const CheckLoop *loop;
} NextTurn;

static const Term *next_turn(const Symbol *symbol, void *context) {
  const NextTurn *next = context;
  TermTable *t = next->rings->terms;
  return symbol == next->loop->turn
             ? term_add(t, term_of(t, symbol), term_int(t, 1))
             : NULL;
}

// Where it holds, it holds in the next turn, too.
static bool stays(Rings *rings, const CheckLoop *loop, const Term *condition) {
  TermTable *t = rings->terms;
  NextTurn next = {rings, loop};
  const Term *later = term_replace(t, condition, next_turn, &next);
  return ring_proves(rings, NULL, term_or(t, term_not(t, condition), later));
}

// Where the condition holds the loop goes on, and it held in the turns before.
static bool is_tighter_test(const WordFilter *filter, const Word *loop,
                            const Term *condition) {
  Rings *rings = filter->rings;
  NextTurn next = {rings, loop->loop};
  const Term *later = term_replace(rings->terms, condition, next_turn, &next);
  return ring_proves(rings, NULL,
                     term_or(rings->terms, term_not(rings->terms, condition),
                             term_not(rings->terms, loop->condition))) &&
         ring_proves(
             rings, NULL,
             term_or(rings->terms, term_not(rings->terms, later), condition));
}

static bool are_equal(const WordFilter *filter, const Word *a, const Word *b,
                      const TurnPair *pairs);

// A loop in which something is done as long as a condition holds, and nothing
// later, is a loop that has the condition for its test.
static bool is_loop_of_part(const WordFilter *filter, const Word *a,
                            const Word *b, const TurnPair *within) {
  const Word *part = a->is_test ? only_branch(filter, a) : NULL;
  TermTable *t = filter->rings->terms;
  return part &&
         ring_words_is_same(filter, within, term_not(t, part->condition),
                            b->condition) &&
         is_tighter_test(filter, a, part->condition) &&
         are_equal(filter, part->body, b->body, within);
}

static bool are_equal(const WordFilter *filter, const Word *a, const Word *b,
                      const TurnPair *pairs) {
  for (;; a = a->next, b = b->next) {
    a = words_skip(filter, a);
    b = words_skip(filter, b);
    if (!a || !b)
      return !a && !b;
    if (a->kind != b->kind || a->is_test != b->is_test)
      return false;
    TurnPair inside = {b->loop, a->loop, 0, 0, pairs};
    const TurnPair *within = a->kind == WORD_LOOP ? &inside : pairs;
    if (a->kind == WORD_WAIT) {
      if (a->ring != b->ring)
        return false;
      continue;
    }
    // A loop's number of turns is a term of what is around it.
    const TurnPair *known = a->is_test ? within : pairs;
    if (a->kind == WORD_LOOP && is_loop_of_part(filter, a, b, within))
      continue;
    if (!ring_words_is_same(filter, known, a->condition, b->condition) ||
        !are_equal(filter, a->body, b->body, within) ||
        !are_equal(filter, a->other, b->other, within))
      return false;
  }
}

bool words_are_equal(const WordFilter *filter, const Word *a, const Word *b) {
  return are_equal(filter, a, b, NULL);
}

// Of the turns 0 … trips - 1, as many as the sharer takes.
static const Term *own_trips(TermTable *t, const Term *trips, int64_t n,
                             int64_t place) {
  const Term *own = term_div(t, term_add(t, trips, term_int(t, n - 1 - place)),
                             term_int(t, n));
  return term_max(t, own, term_int(t, 0));
}

bool words_are_dealt(const WordFilter *filter, const Word *a, const Word *b,
                     int64_t n, int64_t place) {
  Rings *rings = filter->rings;
  TermTable *t = rings->terms;
  if (a->kind != WORD_LOOP || b->kind != WORD_LOOP ||
      a->is_test != b->is_test || a->loop->parent || b->loop->parent ||
      words_skip(filter, a->next) || words_skip(filter, b->next))
    return false;
  TurnPair pair = {b->loop, a->loop, n, place, NULL};
  bool is_dealt =
      a->is_test
          ? stays(rings, a->loop, a->condition) &&
                ring_words_is_same(filter, &pair, a->condition, b->condition)
          : ring_proves(rings, NULL,
                        term_eq(t, own_trips(t, a->condition, n, place),
                                term_max(t, b->condition, term_int(t, 0))));
  return is_dealt && are_equal(filter, a->body, b->body, &pair) &&
         are_equal(filter, a->other, b->other, &pair);
}
