// SPDX-License-Identifier: Apache-2.0
// Which writes come before a read: Note [Filled].
#include "check/prove/filled_before.h"

enum { MOST_CASES = 48, MOST_ORDERED = 40 };

typedef struct {
  SolveCase cases[MOST_CASES];
  Before before[MOST_CASES];
  bool if_ordered[MOST_CASES]; // that it is before, the order has to prove
  uint32_t n;
} Cases;

// -------------------------------------------------------------------- cases

static void filled_add_case(const Before *model, Cases *cases,
                            const Term *byte) {
  Before before = *model, *b = &before;
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Touch *write = b->write->u.touch.touch;
  BeforeAnswer answer = filled_may_be_before(b);
  if (cases->n == MOST_CASES || answer == NOT_BEFORE ||
      (answer == IF_ORDERED && !f->check->order))
    return;
  b->n_own = 0;
  b->may_elect = b->is_other_block && !filled_is_by_rank(write);
  const Term *all = filled_same_place(b, byte);
  if (!all)
    return;
  all = term_and(t, all, filled_turns(b));
  if (b->filled_in) {
    const Term *turn = filled_written(b, b->filled_in);
    all = turn ? term_and(t, all, term_eq(t, turn, b->read_in)) : term_false(t);
  }
  all = term_and(t, all, filled_same_home(b));
  all = term_and(t, all, filled_same_instance(b, write->object->group));
  all = term_and(t, all, filled_same_instance(b, b->together));
  all = term_and(t, all, filled_reaches(b));
  if (write->may_miss) {
    const Term *index[IR_MAX_RANK];
    for (int k = 0; k < write->n_index; k++)
      index[k] = filled_written(b, write->index[k]);
    all = term_and(t, all, filled_inside(f, write, index));
  }
  if (all->kind == TERM_FALSE)
    return;
  const Symbol **own = ARENA_ARRAY(f->arena, const Symbol *, b->n_own + 1);
  for (uint32_t i = 0; i < b->n_own; i++)
    own[i] = b->own[i];
  cases->before[cases->n] = *b;
  cases->if_ordered[cases->n] = answer == IF_ORDERED;
  cases->cases[cases->n++] = (SolveCase){all, own, b->n_own};
}

// By barriers, wherever the case holds.
static bool filled_is_ordered(Filled *f, Before *b, const Term *given,
                              const Term *all) {
  const Term *both[2] = {given, all};
  OrderSide write = {b->write, filled_as_writer, b},
            read = {b->read, NULL, NULL};
  if (f->n_ordered++ >= MOST_ORDERED ||
      solve_is_over(&f->check->options->solve))
    return false;
  return order_proves_first(f->check->order, &write, &read, both, 2);
}

// Leaves the cases of which the order is known, or proved.
static void keep_ordered(Filled *f, Cases *cases, const Term *given) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < cases->n; i++) {
    if (cases->if_ordered[i] && !filled_is_ordered(f, &cases->before[i], given,
                                                   cases->cases[i].condition))
      continue;
    cases->before[n_kept] = cases->before[i];
    cases->if_ordered[n_kept] = false; // it is proved
    cases->cases[n_kept++] = cases->cases[i];
  }
  cases->n = n_kept;
}

static bool has_if_ordered(const Cases *cases) {
  for (uint32_t i = 0; i < cases->n; i++)
    if (cases->if_ordered[i])
      return true;
  return false;
}

typedef struct {
  const IrGroup *groups[4];
  uint32_t n;
} Groups;

static void filled_add_group(Groups *groups, const IrGroup *group) {
  bool is_known = group->id <= 2;
  for (uint32_t i = 0; i < groups->n; i++)
    is_known |= groups->groups[i] == group;
  if (!is_known && groups->n < sizeof groups->groups / sizeof *groups->groups)
    groups->groups[groups->n++] = group;
}

static void note_group(const Symbol *symbol, void *context) {
  if (symbol->kind == SYMBOL_VALUE && symbol->over)
    filled_add_group(context, symbol->over);
}

// Of which values are one, or whose threads meet where mbarriers order others.
static Groups groups_of(const Filled *f, const Step *write) {
  Groups groups = {.n = 0};
  term_symbols(write->path, note_group, &groups);
  for (uint32_t i = 0; i < f->meets.count && f->check->has_order; i++)
    filled_add_group(&groups, f->meets.data[i]->u.meet.group);
  return groups;
}

static void add_cases(Filled *f, const Step *read, const Step *write,
                      Cases *cases, const Term *byte) {
  Before b = {.f = f, .read = read, .write = write};
  filled_find_common(&b);
  Rings *rings = f->check->rings;
  if (rings && rings_fill_turns(rings, write, read, &b.filled_in, &b.read_in)) {
    filled_add_case(&b, cases, byte);
    b.has_its_turns = true;
    filled_add_case(&b, cases, byte);
    b.has_its_turns = false;
    b.filled_in = NULL;
  }
  bool is_far =
      filled_is_far(read->u.touch.touch) || filled_is_far(write->u.touch.touch);
  b.is_anywhere = f->check->order != NULL;
  for (int guess = 0; guess < 2 && b.is_anywhere; guess++) {
    b.has_its_turns = guess == 0;
    filled_add_case(&b, cases, byte);
    b.is_other_block = is_far;
    if (is_far)
      filled_add_case(&b, cases, byte);
    b.is_other_block = false;
  }
  b.is_anywhere = b.has_its_turns = false;
  Groups groups = groups_of(f, write);
  for (uint32_t n_same = b.n_common + 1; n_same-- > 0;) {
    b.n_same = n_same;
    b.is_own_thread = true;
    filled_add_case(&b, cases, byte);
    b.is_own_thread = false;
    filled_add_case(&b, cases, byte);
    b.is_other_block = is_far;
    if (is_far)
      filled_add_case(&b, cases, byte);
    b.is_other_block = false;
    for (uint32_t i = 0; i < groups.n; i++) {
      b.together = groups.groups[i];
      filled_add_case(&b, cases, byte);
    }
    b.together = NULL;
  }
}

// What is stored has no value itself (follow_values.c): it stays unset. Paths
// may not say which elements a mask leaves out.
static bool stores_garbage(const Step *write) {
  const IrNode *node = write->node, *next = node->next;
  return (node->op == IR_STORE && next && next->op == IR_SET_IF) ||
         write->u.touch.touch->is_partial;
}

// ----------------------------------------------------------- turns of rings

typedef struct {
  const Before *b;
  bool is_found;
} PartSeen;

static void note_part(const Symbol *symbol, void *context) {
  PartSeen *seen = context;
  seen->is_found |= symbol->is_axis || symbol->is_of_element ||
                    filled_is_of_section(seen->b, symbol);
}

static bool filled_has_part(const Before *b, const Term *term) {
  PartSeen seen = {.b = b};
  term_symbols(term, note_part, &seen);
  return seen.is_found;
}

// Of the conditions of the write, those that choose among threads or elements
// of a section, as a mask does. The others hold in each turn that the arrival
// ends.
static const Term *filled_chosen(Before *b, bool of_threads) {
  TermTable *t = b->f->terms;
  const Term *path = b->write->path, *all = term_true(t);
  bool is_list = path->kind == TERM_ALL;
  bool is_masked = filled_is_masked(b->write);
  for (uint32_t i = 0; i < (is_list ? path->n_args : 1); i++) {
    const Term *one = is_list ? path->args[i] : path;
    bool is_of_thread = filled_has_thread(one);
    if (is_of_thread ? of_threads : is_masked || filled_has_part(b, one))
      all = term_and(t, all, filled_at_least(b, one));
  }
  return all;
}

// The write as one that each turn of a ring leaves: Note [What turns leave].
static void add_left(Filled *f, const Step *read, const Step *write,
                     uint32_t ring, uint32_t arrival, Cases *cases,
                     const Term *byte) {
  const Touch *from = read->u.touch.touch, *to = write->u.touch.touch;
  TermTable *t = f->terms;
  bool of_threads = filled_is_by_rank(to);
  int dimension;
  Before b = {.f = f, .read = read, .write = write};
  if (cases->n == MOST_CASES || to->may_miss || !filled_is_in_element(from) ||
      !filled_is_in_element(to) ||
      (to->object->group && !filled_is_one_in_block(f, to->object->group)) ||
      !rings_leave(f->check->rings, ring, arrival, write, read, of_threads,
                   &dimension))
    return;
  const Term *all = filled_chosen(&b, of_threads);
  const Term *at = filled_written(&b, to->byte);
  all = at ? term_and(t, all,
                      filled_holds_byte(f, from, to, from->byte, at, byte))
           : term_false(t);
  for (int k = 0; k < to->n_index; k++) {
    const Term *index =
        k == dimension ? NULL : filled_written(&b, to->index[k]);
    if (k != dimension)
      all = index ? term_and(t, all, term_eq(t, index, from->index[k]))
                  : term_false(t);
  }
  if (all->kind == TERM_FALSE)
    return;
  const Symbol **own = ARENA_ARRAY(f->arena, const Symbol *, b.n_own + 1);
  for (uint32_t i = 0; i < b.n_own; i++)
    own[i] = b.own[i];
  cases->if_ordered[cases->n] = false;
  cases->cases[cases->n++] = (SolveCase){all, own, b.n_own};
}

// What each arrival that may have ended the turn leaves is what is read.
static bool is_left_by(Filled *f, const Step *read, uint32_t ring,
                       const Term *given, const Term *byte) {
  const Rings *rings = f->check->rings;
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    if (!rings_end_turn(rings, ring, i))
      continue;
    Cases *cases = ARENA_NEW(f->arena, Cases);
    TermModel missing;
    for (uint32_t k = 0; k < f->touches.count; k++) {
      const Step *write = f->touches.data[k];
      if (write->u.touch.touch->object == read->u.touch.touch->object &&
          write->u.touch.touch->is_write && !stores_garbage(write))
        add_left(f, read, write, ring, i, cases, byte);
    }
    if (cases->n == 0 || !solver_covers(f->check->solver, given, cases->cases,
                                        cases->n, &missing))
      return false;
    n_left++;
  }
  return n_left > 0;
}

static bool filled_is_left(Filled *f, const Step *read, const Term *given,
                           const Term *byte) {
  const Rings *rings = f->check->rings;
  for (uint32_t i = 0; rings && i < rings->rings.count; i++)
    if (is_left_by(f, read, i, given, byte))
      return true;
  return false;
}

// The cases of which equations determine all symbols: by more than isl knows.
static bool filled_is_solved(Filled *f, const Cases *cases, const Term *given) {
  Cases *solved = ARENA_NEW(f->arena, Cases);
  TermModel missing;
  for (uint32_t i = 0; i < cases->n; i++) {
    Before b = cases->before[i];
    const Term *all = cases->if_ordered[i]
                          ? term_false(f->terms)
                          : filled_solve(&b, cases->cases[i].condition);
    if (all->kind != TERM_FALSE && b.n_own == 0)
      solved->cases[solved->n++] = (SolveCase){all, NULL, 0};
  }
  return solved->n > 0 && solver_covers(f->check->solver, given, solved->cases,
                                        solved->n, &missing);
}

bool filled_is_covered(Filled *f, const Step *read, TermModel *missing) {
  *missing = (TermModel){0};
  TermTable *t = f->terms;
  const Touch *touch = read->u.touch.touch;
  Symbol model = {.kind = SYMBOL_VALUE,
                  .name = "byte",
                  .low = 0,
                  .high = (int64_t)touch->n_bytes - 1};
  const Term *byte = touch->n_bytes == 1
                         ? term_int(t, 0)
                         : term_of(t, term_symbol_new(t, &model));
  Cases *cases = ARENA_NEW(f->arena, Cases);
  for (uint32_t i = 0; i < f->touches.count; i++) {
    const Step *write = f->touches.data[i];
    const Touch *other = write->u.touch.touch;
    if (other->object != touch->object || !other->is_write || write == read ||
        stores_garbage(write))
      continue;
    add_cases(f, read, write, cases, byte);
  }
  const Term *given =
      term_and(t, read->path, filled_inside(f, touch, touch->index));
  if (filled_is_far(touch))
    given = term_and(t, given, filled_is_block(f));
  Solver *solver = f->check->solver;
  bool is_covered =
      solver_covers(solver, given, cases->cases, cases->n, missing);
  if (is_covered && has_if_ordered(cases)) {
    keep_ordered(f, cases, given);
    is_covered = solver_covers(solver, given, cases->cases, cases->n, missing);
  }
  return is_covered || filled_is_left(f, read, given, byte) ||
         filled_is_solved(f, cases, given);
}
