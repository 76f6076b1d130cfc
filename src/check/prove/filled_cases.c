// SPDX-License-Identifier: Apache-2.0
// Which writes come before a read: Note [Filled].
#include "check/prove/filled.h"

#include "check/order/ring.h"
#include "check/tree/tree.h"
#include "ir/form/order.h"

enum { MOST_CASES = 48, MOST_LOOPS = 16, MOST_OWN = 40, MOST_ORDERED = 24 };

typedef enum { NOT_BEFORE, IS_BEFORE, IF_ORDERED } BeforeAnswer;

// A write as one that comes before the read. In the loops around both the turns
// are the same up to `n_same`; in the next one, if there is one, the write's is
// an earlier one.
typedef struct {
  Filled *f;
  const Step *read, *write;
  const CheckLoop *loops[MOST_LOOPS]; // around both, from outside in
  uint32_t n_common, n_same;
  // Or a ring orders the two: they are in this turn of it, and loops don't
  // matter.
  const Term *filled_in, *read_in;
  bool is_anywhere; // nothing is said of turns: barriers order the two
  // Turns of loops around the write are those of the loops around the read: one
  // guess, for what isn't linear.
  bool has_its_turns;
  bool is_own_thread;
  const IrGroup *together; // both threads are in one instance; or NULL
  const Symbol *own[MOST_OWN];
  uint32_t n_own;
  bool is_hidden; // the term at hand has a symbol of which nothing is known
} Before;

typedef struct {
  SolveCase cases[MOST_CASES];
  Before before[MOST_CASES];
  bool if_ordered[MOST_CASES]; // that it is before, the order has to prove
  uint32_t n;
} Cases;

// ------------------------------------------------------------------- loops

static uint32_t depth_of(const CheckLoop *loop) {
  uint32_t depth = 0;
  for (; loop; loop = loop->parent)
    depth++;
  return depth;
}

static const CheckLoop *at_depth(const CheckLoop *loop, uint32_t depth) {
  while (loop && depth_of(loop) > depth + 1)
    loop = loop->parent;
  return depth_of(loop) == depth + 1 ? loop : NULL;
}

static void find_common(Before *b) {
  for (uint32_t i = 0; i < MOST_LOOPS; i++) {
    const CheckLoop *loop = at_depth(b->read->loop, i);
    if (!loop || loop != at_depth(b->write->loop, i))
      return;
    b->loops[b->n_common++] = loop;
  }
}

// The threads of the block, or of the instance in which both are, make its
// turns together.
static bool is_in_step(const Before *b, const CheckLoop *loop) {
  for (uint32_t i = 0; i < b->f->meets.count; i++) {
    const Step *meet = b->f->meets.data[i];
    const IrGroup *group = meet->u.meet.group;
    if ((group->id <= 2 || group == b->together) &&
        tree_is_in_loop(meet->loop, loop))
      return true;
  }
  return false;
}

// The turn of the loop is one in which both are.
static bool is_shared_loop(const Before *b, const CheckLoop *loop) {
  for (uint32_t i = 0; i < b->n_same; i++)
    if (b->loops[i] == loop)
      return true;
  return !loop;
}

typedef struct {
  const Filled *f;
  const CheckLoop *loop;
  const Step *found; // the loop itself
  uint32_t n_exits;
} Leaving;

static void note_leaving(const Step *step, void *context) {
  Leaving *leaving = context;
  if (step->kind == STEP_LOOP && step->u.loop.loop == leaving->loop)
    leaving->found = step;
  if (step->kind == STEP_EXIT && tree_is_in_loop(step->loop, leaving->loop))
    leaving->n_exits++;
}

static void note_turn(const Symbol *symbol, void *context) {
  const CheckLoop **loop = context;
  if (symbol->loop && tree_is_in_loop(symbol->loop, *loop))
    *loop = NULL;
}

static bool filled_depends_on(const Term *term, const CheckLoop *loop) {
  const CheckLoop *found = loop;
  term_symbols(term, note_turn, &found);
  return !found;
}

static bool filled_is_not_negative(const Term *term) {
  return term->kind == TERM_SYMBOL && term->symbol->low >= 0;
}

// With the turn of the loop the sum doesn't become less.
static bool filled_grows_with(const Term *sum, const CheckLoop *loop) {
  for (uint32_t i = 0; i < sum->n_parts; i++) {
    const Term *atom = sum->parts[i].atom;
    if (!filled_depends_on(atom, loop))
      continue;
    bool is_turn = atom->kind == TERM_SYMBOL && atom->symbol == loop->turn;
    bool is_product = atom->kind == TERM_MUL;
    for (uint32_t k = 0; k < atom->n_args && is_product; k++)
      is_product = filled_is_not_negative(atom->args[k]) &&
                   (!filled_depends_on(atom->args[k], loop) ||
                    atom->args[k]->symbol == loop->turn);
    if (sum->parts[i].coefficient < 0 || (!is_turn && !is_product))
      return false;
  }
  return sum->kind == TERM_SUM;
}

// A test at the start of each turn is all that ends the loop, and where it
// holds it held in all turns before: the path says which turns are made.
static bool is_tested(const Filled *f, const CheckLoop *loop) {
  Leaving leaving = {.f = f, .loop = loop};
  tree_each(f->tree->first, note_leaving, &leaving);
  if (!leaving.found || leaving.n_exits != 1 ||
      !tree_has_head_test(leaving.found))
    return false;
  const Step *test = leaving.found->u.loop.body;
  TermTable *t = f->terms;
  const Term *stays = test->kind == STEP_IF ? test->u.branch.condition : NULL;
  if (stays && test->u.branch.body && test->u.branch.body->kind == STEP_EXIT)
    stays = term_not(t, stays);
  return stays && stays->kind == TERM_LE &&
         filled_grows_with(stays->args[0], loop);
}

// The turn of the loop that declares the array has one of its own.
static bool begins_in(const IrObject *object, const CheckLoop *loop) {
  return object->space == SPACE_LOCAL && object->lifetime &&
         ir_is_inside(object->lifetime, loop->node);
}

static bool is_counted(const Filled *f, const CheckLoop *loop) {
  return (loop->trips && !loop->has_exit) || is_tested(f, loop);
}

// ----------------------------------------------------------------- symbols

static const Symbol *filled_copy_of(Before *b, const Symbol *symbol) {
  Filled *f = b->f;
  Symbol *copy = map_get(&f->copies, symbol->id + 1ull);
  if (!copy) {
    copy = term_copy_symbol(f->terms, symbol);
    map_put(f->arena, &f->copies, symbol->id + 1ull, copy);
  }
  for (uint32_t i = 0; i < b->n_own; i++)
    if (b->own[i] == copy)
      return copy;
  if (b->n_own < MOST_OWN)
    b->own[b->n_own++] = copy;
  else
    b->is_hidden = true;
  return copy;
}

// An element of what a copy moves: each of them is written.
static bool is_of_section(const Before *b, const Symbol *symbol) {
  return symbol->kind == SYMBOL_VALUE && symbol->origin == b->write->node &&
         ir_is_async_copy(b->write->node);
}

// The group, or each block, has one instance.
static bool is_one_in_block(const Filled *f, const IrGroup *group) {
  const GroupView *view = tree_group(f->tree, group);
  int64_t number;
  return group->id <= 2 ||
         (view && view->is_known && term_is_constant(view->instance, &number));
}

// One value for both threads.
static bool is_shared_value(const Before *b, const Symbol *symbol) {
  if (symbol->is_lost || !is_shared_loop(b, symbol->loop))
    return false;
  return b->is_own_thread ||
         (symbol->over && (is_one_in_block(b->f, symbol->over) ||
                           (b->together && symbol->over == b->together)));
}

static const Term *as_writer(const Symbol *symbol, void *context) {
  Before *b = context;
  bool is_copied = false;
  switch (symbol->kind) {
  case SYMBOL_LAUNCH:
  case SYMBOL_BLOCK: return NULL;
  case SYMBOL_THREAD: is_copied = !b->is_own_thread; break;
  case SYMBOL_TURN:
    is_copied = !is_shared_loop(b, symbol->loop);
    if (is_copied && b->has_its_turns) {
      const CheckLoop *other =
          at_depth(b->read->loop, depth_of(symbol->loop) - 1);
      if (other)
        return term_of(b->f->terms, other->turn);
    }
    break;
  case SYMBOL_VALUE:
    is_copied = is_of_section(b, symbol);
    b->is_hidden |= !is_copied && !is_shared_value(b, symbol);
    break;
  }
  return is_copied ? term_of(b->f->terms, filled_copy_of(b, symbol)) : NULL;
}

// An element of a parameter lies in the range of its type: the walk states so
// in paths.
static bool is_of_type(const Before *b, const Term *term) {
  const IrKernel *kernel = b->f->check->kernel;
  if (term->kind != TERM_LE)
    return false;
  const Term *sum = term->args[0];
  const Term *atom =
      sum->kind == TERM_SUM && sum->n_parts == 1 ? sum->parts[0].atom : sum;
  if (atom->kind != TERM_APPLY || atom->object->param < 0)
    return false;
  uint32_t bits = ir_type_bits(atom->object->element);
  bool is_signed = kernel->params.data[atom->object->param].is_signed;
  int64_t factor = sum == atom ? 1 : sum->parts[0].coefficient;
  int64_t number = sum == atom ? 0 : sum->number;
  if (bits > 32)
    return false;
  int64_t low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
  int64_t high = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
  return (factor == 1 && -number >= high) || (factor == -1 && number <= low);
}

// What is known of the condition at least; FALSE where that is nothing.
static const Term *filled_at_least(Before *b, const Term *term) {
  TermTable *t = b->f->terms;
  if (term->kind == TERM_ALL || term->kind == TERM_SOME) {
    bool is_all = term->kind == TERM_ALL;
    const Term *whole = is_all ? term_true(t) : term_false(t);
    for (uint32_t i = 0; i < term->n_args; i++) {
      const Term *arg = filled_at_least(b, term->args[i]);
      whole = is_all ? term_and(t, whole, arg) : term_or(t, whole, arg);
    }
    return whole;
  }
  if (is_of_type(b, term))
    return term_true(t);
  b->is_hidden = false;
  const Term *image = term_replace(t, term, as_writer, b);
  return b->is_hidden ? term_false(t) : image;
}

// NULL: not known.
static const Term *written_term(Before *b, const Term *term) {
  b->is_hidden = false;
  const Term *image = term_replace(b->f->terms, term, as_writer, b);
  return b->is_hidden ? NULL : image;
}

// ------------------------------------------------------------------- places

static bool filled_is_in_element(const Touch *touch) {
  int64_t byte;
  return touch->n_index == touch->object->rank &&
         term_is_constant(touch->byte, &byte) && byte >= 0 &&
         byte + touch->n_bytes <= touch->object->element_bytes;
}

// Bytes from the start of the array; NULL: not known.
static const Term *place_of(const Filled *f, const Touch *touch,
                            const Term *const *index, const Term *byte) {
  TermTable *t = f->terms;
  const IrObject *object = touch->object;
  if (touch->n_index == 0)
    return byte;
  if (object->has_strides || touch->n_index != object->rank)
    return NULL;
  const Term *element = index[0];
  for (int k = 1; k < touch->n_index; k++) {
    const Term *extent = tree_extent(f->tree, object, k);
    if (!extent)
      return NULL;
    element = term_add(t, term_mul(t, element, extent), index[k]);
  }
  return term_add(t, term_scale(t, element, object->element_bytes), byte);
}

// The byte of the read that is looked at: `from` + one of n_bytes.
static const Term *holds_byte(Filled *f, const Touch *read, const Touch *write,
                              const Term *from, const Term *to,
                              const Term *byte) {
  TermTable *t = f->terms;
  if (from == to && read->n_bytes <= write->n_bytes)
    return term_true(t);
  const Term *at = term_add(t, from, byte);
  return term_and(t, term_le(t, to, at),
                  term_lt(t, at, term_add(t, to, term_int(t, write->n_bytes))));
}

// Both are of whole units of one size: the first bytes tell.
static bool is_of_unit(const Term *place, uint32_t n_bytes) {
  if (place->kind != TERM_SUM)
    return n_bytes == 1;
  for (uint32_t i = 0; i < place->n_parts; i++)
    if (place->parts[i].coefficient % n_bytes != 0)
      return false;
  return place->number % n_bytes == 0;
}

static const Term *filled_same_place(Before *b, const Term *byte) {
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Touch *read = b->read->u.touch.touch, *write = b->write->u.touch.touch;
  const Term *index[IR_MAX_RANK];
  for (int k = 0; k < write->n_index; k++) {
    index[k] = written_term(b, write->index[k]);
    if (!index[k])
      return NULL;
  }
  const Term *at = written_term(b, write->byte);
  if (!at)
    return NULL;
  if (filled_is_in_element(read) && filled_is_in_element(write)) {
    const Term *same = holds_byte(f, read, write, read->byte, at, byte);
    for (int k = 0; k < write->n_index; k++)
      same = term_and(t, same, term_eq(t, index[k], read->index[k]));
    return same;
  }
  const Term *from = place_of(f, read, read->index, read->byte);
  const Term *to = place_of(f, write, index, at);
  if (!from || !to)
    return NULL;
  if (read->n_bytes == write->n_bytes && is_of_unit(from, read->n_bytes) &&
      is_of_unit(to, read->n_bytes))
    return term_eq(t, from, to);
  return holds_byte(f, read, write, from, to, byte);
}

// Inside of its extents, outside of which a copy does nothing.
static const Term *inside(const Filled *f, const Touch *touch,
                          const Term *const *index) {
  TermTable *t = f->terms;
  const Term *all = term_true(t);
  for (int k = 0; k < touch->n_index; k++) {
    const Term *extent = tree_extent(f->tree, touch->object, k);
    all = term_and(t, all, term_le(t, term_int(t, 0), index[k]));
    if (extent)
      all = term_and(t, all, term_lt(t, index[k], extent));
  }
  return all;
}

// -------------------------------------------------------------------- order

// The writer makes the turns of the loops around the write that the case
// speaks of; FALSE: that isn't known.
static const Term *turns(Before *b) {
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Term *all = term_true(t);
  for (const CheckLoop *l = b->write->loop; l; l = l->parent) {
    uint32_t depth = depth_of(l) - 1;
    bool is_common = depth < b->n_common && !b->filled_in && !b->is_anywhere;
    bool is_follower = b->is_own_thread || is_in_step(b, l);
    const Term *turn = written_term(b, term_of(t, l->turn));
    if (!turn)
      return term_false(t);
    if (is_common && depth < b->n_same) {
      if (!is_follower && !is_counted(f, l))
        return term_false(t);
    } else if (is_common && depth == b->n_same) {
      const Term *last = term_sub(t, term_of(t, l->turn), term_int(t, 1));
      all = term_and(t, all, term_le(t, turn, last));
      if (!is_follower && !is_counted(f, l))
        return term_false(t);
    } else if (!is_counted(f, l)) { // its first turn is made
      all = term_and(t, all, term_eq(t, turn, term_int(t, 0)));
    }
    all = term_and(t, all, term_le(t, term_int(t, 0), turn));
    if (l->trips)
      all = term_and(
          t, all,
          filled_at_least(b, term_lt(t, term_of(t, l->turn), l->trips)));
  }
  return all;
}

static bool is_in_list(const Step *list, const Step *step) {
  while (list && list != step)
    list = list->next;
  return list != NULL;
}

// The step, or what holds it, in the list of the parent.
static const Step *filled_below(const Step *step, const Step *parent) {
  while (step && step->parent != parent)
    step = step->parent;
  return step;
}

static void note_exit(const Step *step, void *context) {
  const Step **scope = context;
  if (step->kind == STEP_EXIT && step->u.exit.target == *scope)
    *scope = NULL;
}

static bool is_left_early(const Step *scope) {
  const Step *found = scope;
  tree_each(scope->u.scope.body, note_exit, &found);
  return !found;
}

// Whoever executes `step` passes the meeting as well, in the turns of the loops
// around both.
static bool is_passed(const Step *meet, const Step *step) {
  for (const Step *p = meet->parent; p; p = p->parent) {
    const Step *other = filled_below(step, p);
    if (p->kind == STEP_SCOPE && !other && is_left_early(p))
      return false;
    if (p->kind != STEP_IF)
      continue;
    if (!other || is_in_list(p->u.branch.body, other) !=
                      is_in_list(p->u.branch.body, filled_below(meet, p)))
      return false;
  }
  return true;
}

// Where mbarriers order threads as well, it takes a sync between the two that
// both threads pass: Note [Filled].
static bool meets_between(const Before *b) {
  const Filled *f = b->f;
  bool is_earlier = b->n_same < b->n_common;
  const CheckLoop *last = b->n_same > 0 ? b->loops[b->n_same - 1] : NULL;
  for (uint32_t i = 0; i < f->meets.count; i++) {
    const Step *meet = f->meets.data[i];
    bool is_of_both =
        meet->u.meet.group->id <= 2 || meet->u.meet.group == b->together;
    bool is_behind = meet->id > b->write->id, is_ahead = meet->id < b->read->id;
    bool by_write = is_behind && is_passed(meet, b->write);
    bool by_read = is_ahead && is_passed(meet, b->read);
    bool is_between =
        is_earlier ? meet->loop == b->loops[b->n_same] && (by_write || by_read)
                   : meet->loop == last && is_behind && is_ahead &&
                         (by_write || by_read);
    if (is_of_both && is_between)
      return true;
  }
  return false;
}

static BeforeAnswer may_be_before(const Before *b) {
  const Check *check = b->f->check;
  const Touch *read = b->read->u.touch.touch, *write = b->write->u.touch.touch;
  bool is_earlier = b->n_same < b->n_common;
  if (is_earlier && begins_in(write->object, b->loops[b->n_same]))
    return NOT_BEFORE;
  if (!b->is_own_thread && (write->object->space == SPACE_LOCAL ||
                            (read->is_atomic && write->is_atomic)))
    return NOT_BEFORE; // in any order
  if (b->filled_in)
    return IS_BEFORE;
  if (b->is_anywhere)
    return IF_ORDERED;
  if (!is_earlier && b->write->id >= b->read->id)
    return NOT_BEFORE;
  bool is_done = b->is_own_thread && write->done == DONE_AT_ONCE;
  return is_done || !check->has_order || meets_between(b) ? IS_BEFORE
                                                          : IF_ORDERED;
}

// Arrays that each instance of a group has for itself.
static const Term *same_instance(Before *b, const IrGroup *group) {
  TermTable *t = b->f->terms;
  const GroupView *view = group ? tree_group(b->f->tree, group) : NULL;
  if (!group || b->is_own_thread)
    return term_true(t);
  if (!view || !view->is_known)
    return term_false(t);
  const Term *other = written_term(b, view->instance);
  const Term *member = filled_at_least(b, view->member);
  return other ? term_and(t, member, term_eq(t, view->instance, other))
               : term_false(t);
}

// -------------------------------------------------------------------- cases

static void filled_add_case(const Before *model, Cases *cases,
                            const Term *byte) {
  Before before = *model, *b = &before;
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Touch *write = b->write->u.touch.touch;
  BeforeAnswer answer = may_be_before(b);
  if (cases->n == MOST_CASES || answer == NOT_BEFORE ||
      (answer == IF_ORDERED && !f->check->order))
    return;
  b->n_own = 0;
  const Term *all = filled_same_place(b, byte);
  if (!all)
    return;
  all = term_and(t, all, turns(b));
  if (b->filled_in) {
    const Term *turn = written_term(b, b->filled_in);
    all = turn ? term_and(t, all, term_eq(t, turn, b->read_in)) : term_false(t);
  }
  all = term_and(t, all, same_instance(b, write->object->group));
  all = term_and(t, all, same_instance(b, b->together));
  all = term_and(t, all, filled_at_least(b, b->write->path));
  if (write->may_miss) {
    const Term *index[IR_MAX_RANK];
    for (int k = 0; k < write->n_index; k++)
      index[k] = written_term(b, write->index[k]);
    all = term_and(t, all, inside(f, write, index));
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
  OrderSide write = {b->write, as_writer, b}, read = {b->read, NULL, NULL};
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
  find_common(&b);
  Rings *rings = f->check->rings;
  if (rings && rings_fill_turns(rings, write, read, &b.filled_in, &b.read_in)) {
    filled_add_case(&b, cases, byte);
    b.has_its_turns = true;
    filled_add_case(&b, cases, byte);
    b.has_its_turns = false;
    b.filled_in = NULL;
  }
  b.is_anywhere = f->check->order != NULL;
  for (int guess = 0; guess < 2 && b.is_anywhere; guess++) {
    b.has_its_turns = guess == 0;
    filled_add_case(&b, cases, byte);
  }
  b.is_anywhere = b.has_its_turns = false;
  Groups groups = groups_of(f, write);
  for (uint32_t n_same = b.n_common + 1; n_same-- > 0;) {
    b.n_same = n_same;
    b.is_own_thread = true;
    filled_add_case(&b, cases, byte);
    b.is_own_thread = false;
    filled_add_case(&b, cases, byte);
    for (uint32_t i = 0; i < groups.n; i++) {
      b.together = groups.groups[i];
      filled_add_case(&b, cases, byte);
    }
    b.together = NULL;
  }
}

// What is stored has no value itself (follow_values.c): it stays unset.
static bool stores_garbage(const Step *write) {
  const IrNode *next = write->node->next;
  return write->node->op == IR_STORE && next && next->op == IR_SET_IF;
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
  if (touch->cluster_rank)
    return false;
  for (uint32_t i = 0; i < f->touches.count; i++) {
    const Step *write = f->touches.data[i];
    const Touch *other = write->u.touch.touch;
    if (other->object != touch->object || !other->is_write || write == read ||
        other->cluster_rank || stores_garbage(write))
      continue;
    add_cases(f, read, write, cases, byte);
  }
  const Term *given = term_and(t, read->path, inside(f, touch, touch->index));
  Solver *solver = f->check->solver;
  if (!solver_covers(solver, given, cases->cases, cases->n, missing))
    return false;
  if (!has_if_ordered(cases))
    return true;
  keep_ordered(f, cases, given);
  return solver_covers(solver, given, cases->cases, cases->n, missing);
}
