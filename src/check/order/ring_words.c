// SPDX-License-Identifier: Apache-2.0
// That nobody waits for ever: all roles that share rings wait for them in the
// same order, equally often. Note [Rings].
#include "check/order/ring.h"

// What one role waits for, in program order: waits of rings, and loops and
// branches around them.
typedef enum { WORD_WAIT, WORD_LOOP, WORD_IF } WordKind;

typedef struct Word {
  WordKind kind;
  const Ring *ring;      // WAIT
  const CheckLoop *loop; // LOOP
  const Term *condition; // IF; LOOP: trips, or the test that leaves it
  bool is_test;
  struct Word *body, *other, *next;
} Word;

typedef struct {
  RingSet set;
  Word *word;
} Role;

typedef hd_vec(Role) Roles;

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

static Word *add_word(Reader *r, WordKind kind) {
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

static bool is_shared(const Term *term) {
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
  r->is_known &= is_shared(condition);
  Word *word = add_word(r, WORD_IF);
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
  Word *word = add_word(r, WORD_LOOP);
  word->loop = loop;
  word->body = body;
  word->is_test = is_tested;
  word->condition = is_tested         ? step->u.loop.body->u.branch.condition
                    : !loop->has_exit ? loop->trips
                                      : NULL;
  if (!word->condition || (is_tested && loop->trips) || loop->is_thread_loop ||
      !is_shared(word->condition))
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
        add_word(r, WORD_WAIT)->ring = op->barrier->ring;
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

static bool find_roles(Rings *rings, Roles *roles) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind == RING_WAIT && !add_role(rings, roles, &op->cover))
      return false;
  }
  return true;
}

static const Role *role_of(const Roles *roles, const RingOp *op) {
  for (uint32_t i = 0; i < roles->count; i++)
    if (ring_is_within(&op->by, &roles->data[i].set))
      return &roles->data[i];
  return NULL;
}

// ------------------------------------------------------------------ comparing

// Which rings count; the others' waits are as if they weren't there.
typedef struct {
  Rings *rings;
  bool *counts; // by ring
} Filter;

static bool is_empty(const Filter *filter, const Word *word);

static const Word *skip(const Filter *filter, const Word *word) {
  while (word && is_empty(filter, word))
    word = word->next;
  return word;
}

static bool is_empty(const Filter *filter, const Word *word) {
  if (word->kind == WORD_WAIT)
    return !filter->counts[word->ring->id];
  return !skip(filter, word->body) && !skip(filter, word->other);
}

typedef struct TurnPair {
  const CheckLoop *from, *to;
  const struct TurnPair *outer;
} TurnPair;

typedef struct {
  const Rings *rings;
  const TurnPair *pairs;
} Renaming;

static const Term *rename_turn(const Symbol *symbol, void *context) {
  const Renaming *renaming = context;
  for (const TurnPair *pair = renaming->pairs; pair; pair = pair->outer)
    if (pair->from->turn == symbol)
      return term_of(renaming->rings->terms, pair->to->turn);
  return NULL;
}

// b says with its own turns what a says with those of its loops.
static bool is_same(const Filter *filter, const TurnPair *pairs, const Term *a,
                    const Term *b) {
  Renaming renaming = {filter->rings, pairs};
  return term_replace(filter->rings->terms, b, rename_turn, &renaming) == a;
}

// The only word in the loop, if that is a branch without another way.
static const Word *only_branch(const Filter *filter, const Word *loop) {
  const Word *body = skip(filter, loop->body);
  bool is_only = body && body->kind == WORD_IF && !skip(filter, body->other) &&
                 !skip(filter, body->next);
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

// Where the condition holds the loop goes on, and it held in the turns before.
static bool is_tighter_test(const Filter *filter, const Word *loop,
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

static bool are_equal(const Filter *filter, const Word *a, const Word *b,
                      const TurnPair *pairs);

// A loop in which something is done as long as a condition holds, and nothing
// later, is a loop that has the condition for its test.
static bool is_loop_of_part(const Filter *filter, const Word *a, const Word *b,
                            const TurnPair *within) {
  const Word *part = a->is_test ? only_branch(filter, a) : NULL;
  TermTable *t = filter->rings->terms;
  return part &&
         is_same(filter, within, term_not(t, part->condition), b->condition) &&
         is_tighter_test(filter, a, part->condition) &&
         are_equal(filter, part->body, b->body, within);
}

static bool are_equal(const Filter *filter, const Word *a, const Word *b,
                      const TurnPair *pairs) {
  for (;; a = a->next, b = b->next) {
    a = skip(filter, a);
    b = skip(filter, b);
    if (!a || !b)
      return !a && !b;
    if (a->kind != b->kind || a->is_test != b->is_test)
      return false;
    TurnPair inside = {b->loop, a->loop, pairs};
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
    if (!is_same(filter, known, a->condition, b->condition) ||
        !are_equal(filter, a->body, b->body, within) ||
        !are_equal(filter, a->other, b->other, within))
      return false;
  }
}

// ------------------------------------------------------------------ the star

static void note_rings(const Rings *rings, const Roles *roles, const Role *role,
                       bool *has) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind == RING_WAIT && role_of(roles, op) == role)
      has[op->barrier->ring->id] = true;
  }
}

// On one side of each ring is this role alone, and not on the other.
static bool is_master(const Rings *rings, const Roles *roles,
                      const Role *role) {
  for (uint32_t k = 0; k < rings->rings.count; k++) {
    bool is_in[2] = {false, false}, is_alone[2] = {true, true};
    for (uint32_t i = 0; i < rings->ops.count; i++) {
      const RingOp *op = rings->ops.data[i];
      if (op->kind != RING_WAIT || op->barrier->ring != rings->rings.data[k])
        continue;
      int side = op->barrier == op->barrier->ring->full;
      bool is_own = role_of(roles, op) == role;
      is_in[side] |= is_own;
      is_alone[side] &= is_own;
    }
    if (is_in[0] == is_in[1] || !is_alone[is_in[0] ? 0 : 1])
      return false;
  }
  return true;
}

static bool follows(Rings *rings, const Roles *roles, const Role *master,
                    const Role *role) {
  Filter filter = {.rings = rings};
  filter.counts = ARENA_ARRAY(rings->arena, bool, rings->rings.count);
  note_rings(rings, roles, role, filter.counts);
  return are_equal(&filter, master->word, role->word, NULL);
}

static bool is_star(Rings *rings, const Roles *roles) {
  for (uint32_t m = 0; m < roles->count; m++) {
    const Role *master = &roles->data[m];
    bool is_right = is_master(rings, roles, master);
    for (uint32_t i = 0; i < roles->count && is_right; i++)
      is_right = i == m || follows(rings, roles, master, &roles->data[i]);
    if (is_right)
      return true;
  }
  return false;
}

// ------------------------------------------------------------- what is pending

// When a role that fills rings waits, all turns that it began are filled, and
// their copies asked for.
static bool has_filled(Rings *rings, const Step *step, const Ring *ring) {
  TermTable *t = rings->terms;
  const Term *waited = ring_count(rings, step, ring->empty->row, PASS_WAITS);
  const Term *made = ring_count(rings, step, ring->full->row, PASS_ARRIVALS);
  const Term *due = ring_count(rings, step, ring->full->row, PASS_BYTES);
  return ring_proves(rings, step, term_eq(t, waited, made)) &&
         ring_proves(rings, step, term_eq(t, due, term_int(t, 0)));
}

static bool has_filled_all(Rings *rings, const Roles *roles) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    for (uint32_t k = 0; k < rings->ops.count; k++) {
      const RingOp *filling = rings->ops.data[k], *wait = rings->ops.data[i];
      if (filling->kind != RING_WAIT || wait->kind != RING_WAIT ||
          filling->barrier != filling->barrier->ring->empty ||
          role_of(roles, filling) != role_of(roles, wait))
        continue;
      if (!has_filled(rings, wait->step, filling->barrier->ring))
        return false;
    }
  return true;
}

// … and at the end.
static bool fills_last(Rings *rings, const RingOp *op) {
  const Ring *ring = op->barrier->ring;
  const Term *given = ring_membership(rings, op->step);
  const Term *waited =
      ring_end_count(rings, given, ring->empty->row, PASS_WAITS);
  const Term *made =
      ring_end_count(rings, given, ring->full->row, PASS_ARRIVALS);
  return waited == made || solver_proves(rings->check->solver, given,
                                         term_eq(rings->terms, waited, made));
}

// Who waits for turn i has freed all slots but the last S - 1.
static bool has_freed(Rings *rings, const RingOp *op) {
  TermTable *t = rings->terms;
  const Ring *ring = op->barrier->ring;
  const Term *waited = ring_count(rings, op->step, ring->full->row, PASS_WAITS);
  const Term *made = ring_ended(rings, op->step, ring, ring->empty);
  const Term *most = term_int(t, ring->full->n_slots - 1);
  return ring_proves(rings, op->step,
                     term_le(t, waited, term_add(t, made, most)));
}

static bool is_in_time(Rings *rings, const Roles *roles) {
  if (!has_filled_all(rings, roles))
    return false;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind != RING_WAIT)
      continue;
    bool is_right = op->barrier == op->barrier->ring->empty
                        ? fills_last(rings, op)
                        : has_freed(rings, op);
    if (!is_right)
      return false;
  }
  return true;
}

// -------------------------------------------------------- what else may hold
// up

typedef struct {
  Rings *rings;
  const Roles *roles;
  bool is_right, has_begun;
  uint32_t last; // id of the last operation
} Others;

// All that meet are of one role, or of none; or it is before or behind all.
static bool may_meet(const Others *o, const Step *step, const IrGroup *group) {
  RingSet met;
  if ((!o->has_begun || step->id > o->last) && !step->parent)
    return true;
  if (!ring_group_set(o->rings, group, &met))
    return false;
  for (uint32_t i = 0; i < o->roles->count; i++) {
    const RingSet *set = &o->roles->data[i].set;
    if (ring_is_within(&met, set))
      return true;
    if (!ring_is_apart(&met, set))
      return false;
  }
  return true;
}

static bool holds_op(const Rings *rings, const Step *step) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    for (const Step *at = rings->ops.data[i]->step; at; at = at->parent)
      if (at == step)
        return true;
  return false;
}

// The test of a loop, which is its number of turns, or what has no operation.
static bool is_harmless_exit(const Others *o, const Step *step) {
  const Step *target = step->u.exit.target;
  if (!target)
    return step->id > o->last;
  bool is_test = target->kind == STEP_LOOP && tree_has_head_test(target) &&
                 target->u.loop.body->u.branch.body == step;
  return is_test || !holds_op(o->rings, target);
}

static void see_step(const Step *step, void *context) {
  Others *o = context;
  switch (step->kind) {
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_COLLECTIVE:
    o->is_right &= may_meet(o, step, step->u.meet.group);
    break;
  case STEP_COPY_WAIT:
    if (step->u.sets.done == DONE_GROUP)
      o->is_right &= may_meet(o, step, step->u.sets.group);
    break;
  case STEP_EXIT: o->is_right &= is_harmless_exit(o, step); break;
  case STEP_LOOP:
  case STEP_BARRIER:
    o->has_begun |= step->kind == STEP_BARRIER || holds_op(o->rings, step);
    break;
  case STEP_TOUCH:
  case STEP_IF:
  case STEP_SCOPE:
  case STEP_COMMIT:
  case STEP_FENCE_ASYNC:
  case STEP_FENCE:
  case STEP_OBLIGATION:
  case STEP_CLAIM: break;
  }
}

bool ring_is_live(Rings *rings) {
  Roles roles = {0};
  if (!find_roles(rings, &roles) || !is_star(rings, &roles) ||
      !is_in_time(rings, &roles))
    return false;
  Others others = {.rings = rings, .roles = &roles, .is_right = true};
  for (uint32_t i = 0; i < rings->ops.count; i++)
    if (rings->ops.data[i]->step->id > others.last)
      others.last = rings->ops.data[i]->step->id;
  tree_each(rings->tree->first, see_step, &others);
  return others.is_right;
}
