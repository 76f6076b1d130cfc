// SPDX-License-Identifier: Apache-2.0
// When, and under which conditions, a write of a case is made: Note [Filled].
#include "check/prove/filled_before.h"

// -------------------------------------------------------------------- order

// The writer makes the turns of the loops around the write that the case
// speaks of; FALSE: that isn't known.
const Term *filled_turns(Before *b) {
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Term *all = term_true(t);
  for (const CheckLoop *l = b->write->loop; l; l = l->parent) {
    uint32_t depth = filled_depth(l) - 1;
    bool is_common = depth < b->n_common && !b->filled_in && !b->is_anywhere;
    bool is_follower = b->is_own_thread || filled_is_in_step(b, l);
    const Term *turn = filled_written(b, term_of(t, l->turn));
    if (!turn)
      return term_false(t);
    if (is_common && depth < b->n_same) {
      if (!is_follower && !filled_is_counted(f, l))
        return term_false(t);
    } else if (is_common && depth == b->n_same) {
      const Term *last = term_sub(t, term_of(t, l->turn), term_int(t, 1));
      all = term_and(t, all, term_le(t, turn, last));
      if (!is_follower && !filled_is_counted(f, l))
        return term_false(t);
    } else if (!filled_is_counted(f, l)) { // its first turn is made
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
    bool is_of_both = filled_holds_both(b, meet->u.meet.group);
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

BeforeAnswer filled_may_be_before(const Before *b) {
  const Check *check = b->f->check;
  const Touch *read = b->read->u.touch.touch, *write = b->write->u.touch.touch;
  bool is_earlier = b->n_same < b->n_common;
  if (is_earlier && filled_begins_in(write->object, b->loops[b->n_same]))
    return NOT_BEFORE;
  bool in_any_order = read->is_atomic && write->is_atomic && !meets_between(b);
  if (!b->is_own_thread &&
      (write->object->space == SPACE_LOCAL || in_any_order))
    return NOT_BEFORE;
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
const Term *filled_same_instance(Before *b, const IrGroup *group) {
  TermTable *t = b->f->terms;
  const GroupView *view = group ? tree_group(b->f->tree, group) : NULL;
  if (!group || b->is_own_thread)
    return term_true(t);
  if (!view || !view->is_known)
    return term_false(t);
  const Term *other = filled_written(b, view->instance);
  const Term *member = filled_at_least(b, view->member);
  return other ? term_and(t, member, term_eq(t, view->instance, other))
               : term_false(t);
}

// ------------------------------------------------------------------ clusters

static int64_t filled_cluster_dim(const Filled *f, int k) {
  int32_t size = f->check->kernel->cluster_dim[k];
  return size > 0 ? size : 1;
}

static const Term *filled_block(const Filled *f, int k) {
  return f->tree->block[k] ? term_of(f->terms, f->tree->block[k])
                           : term_int(f->terms, 0);
}

// The rank in its cluster of the block whose shared memory is touched.
static const Term *filled_home(const Filled *f, const Touch *touch) {
  TermTable *t = f->terms;
  if (touch->cluster_rank)
    return touch->cluster_rank;
  const Term *rank = term_int(t, 0);
  for (int k = 2; k >= 0; k--) {
    const Term *size = term_int(t, filled_cluster_dim(f, k));
    rank = term_add(t, term_mul(t, rank, size),
                    term_mod(t, filled_block(f, k), size));
  }
  return rank;
}

// The block is one of those that a multicast copy names.
static const Term *filled_is_named(Before *b, const Term *home) {
  TermTable *t = b->f->terms;
  const BarrierUse *use = b->write->u.touch.copy_barrier;
  if (!use || !use->mask)
    return term_true(t);
  const Term *mask = filled_written(b, use->mask);
  const Term *named = term_false(t);
  int64_t low, high;
  term_interval(t, b->f->tree->cluster_size, &low, &high);
  for (int64_t k = 0; mask && k < high && k < 32; k++) {
    const Term *bit = term_mod(
        t, term_div(t, mask, term_int(t, (int64_t)1 << k)), term_int(t, 2));
    named = term_or(t, named,
                    term_and(t, term_eq(t, home, term_int(t, k)),
                             term_eq(t, bit, term_int(t, 1))));
  }
  return named;
}

// It may be the memory of another block.
bool filled_is_far(const Touch *touch) {
  return touch->cluster_rank || touch->object->is_cluster_shared;
}

// One block's memory, and the writer's block in the reader's cluster, which is
// whole in each launch; FALSE: not known.
const Term *filled_same_home(Before *b) {
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Touch *read = b->read->u.touch.touch, *write = b->write->u.touch.touch;
  const Term *all = term_true(t);
  if (!filled_is_far(read) && !filled_is_far(write))
    return all;
  if (f->check->kernel->cluster_dim[0] <= 0)
    return b->is_other_block && !write->cluster_rank ? all : term_false(t);
  for (int k = 0; k < 3 && b->is_other_block; k++) {
    const Term *size = term_int(t, filled_cluster_dim(f, k));
    const Term *block = filled_block(f, k), *other = filled_written(b, block);
    all = term_and(t, all, term_le(t, term_int(t, 0), other));
    all = term_and(
        t, all, term_eq(t, term_div(t, block, size), term_div(t, other, size)));
  }
  if (read->object->is_cluster_shared)
    return all;
  const Term *home = filled_written(b, filled_home(f, write));
  if (!home)
    return term_false(t);
  all = term_and(t, all, term_eq(t, home, filled_home(f, read)));
  return term_and(t, all, filled_is_named(b, home));
}

// ---------------------------------------------------------------- conditions

static bool filled_holds(const Step *outer, const Step *step) {
  while (step && step != outer)
    step = step->parent;
  return step != NULL;
}

static void note_passing(const Step *step, void *context) {
  const Step **write = context;
  if (step->kind == STEP_EXIT && *write && step->id < (*write)->id &&
      (!step->u.exit.target || filled_holds(step->u.exit.target, *write)))
    *write = NULL;
}

// An exit before the write may lead past it.
static bool filled_may_be_passed(const Filled *f, const Step *write) {
  const Step *found = write;
  tree_each(f->tree->first, note_passing, &found);
  return !found;
}

// What decides that a thread gets to the write, where nothing leads past it:
// the conditions around it, apart from those of turns. The path knows more,
// such as how loops before it ended, which holds for whoever comes there.
static const Term *filled_entries(Before *b) {
  TermTable *t = b->f->terms;
  const Term *all = term_true(t);
  for (const Step *at = b->write; at->parent; at = at->parent) {
    const Step *parent = at->parent;
    if (parent->kind == STEP_IF) {
      const Term *condition = parent->u.branch.condition;
      bool holds = is_in_list(parent->u.branch.body, at);
      all = term_and(
          t, all,
          filled_at_least(b, holds ? condition : term_not(t, condition)));
    }
    if (parent->kind == STEP_SCOPE && parent->node->op == IR_GROUP) {
      const GroupView *view =
          tree_group(b->f->tree, parent->node->u.part.group);
      all = view && view->is_known
                ? term_and(t, all, filled_at_least(b, view->member))
                : term_false(t);
    }
  }
  return all;
}

bool filled_is_masked(const Step *write) {
  return write->node->op == IR_TILE_STORE && write->node->u.section.has_mask;
}

// The write's path at least, or the conditions around it and what else of the
// path is known.
const Term *filled_reaches(Before *b) {
  TermTable *t = b->f->terms;
  const Term *path = b->write->path;
  const Term *all = filled_at_least(b, path);
  if (all->kind != TERM_FALSE || path->kind != TERM_ALL ||
      filled_is_masked(b->write) || filled_may_be_passed(b->f, b->write))
    return all;
  all = filled_entries(b);
  for (uint32_t i = 0; i < path->n_args && all->kind != TERM_FALSE; i++) {
    const Term *one = filled_at_least(b, path->args[i]);
    if (one->kind != TERM_FALSE)
      all = term_and(t, all, one);
  }
  return all;
}

// ----------------------------------------------------------- symbols of a case

typedef struct {
  const Symbol *symbol;
  const Term *value;
  uint32_t n_seen;
} Solved;

static void note_solved(const Symbol *symbol, void *context) {
  Solved *solved = context;
  solved->n_seen += symbol == solved->symbol;
}

static const Term *as_solved(const Symbol *symbol, void *context) {
  const Solved *solved = context;
  return symbol == solved->symbol ? solved->value : NULL;
}

// own + rest == 0, with nothing of the symbol in the rest: what it is.
static bool filled_finds_value(Before *b, const Term *equation,
                               Solved *solved) {
  TermTable *t = b->f->terms;
  const Term *sum = equation->args[0];
  for (uint32_t i = 0; sum->kind == TERM_SUM && i < sum->n_parts; i++) {
    const Term *atom = sum->parts[i].atom;
    int64_t factor = sum->parts[i].coefficient;
    bool is_own = false;
    for (uint32_t k = 0; k < b->n_own && atom->kind == TERM_SYMBOL; k++)
      is_own |= b->own[k] == atom->symbol;
    if (!is_own || (factor != 1 && factor != -1))
      continue;
    const Term *rest = term_sub(t, sum, term_scale(t, atom, factor));
    *solved = (Solved){atom->symbol, term_scale(t, rest, -factor), 0};
    term_symbols(rest, note_solved, solved);
    if (solved->n_seen == 0)
      return true;
  }
  return false;
}

static void forget_own(Before *b, const Symbol *symbol) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->n_own; i++)
    if (b->own[i] != symbol)
      b->own[n++] = b->own[i];
  b->n_own = n;
}

// Without the symbols of the case that an equation of it determines: what is
// left of it may be known by itself, or by more than isl understands.
const Term *filled_solve(Before *b, const Term *all) {
  TermTable *t = b->f->terms;
  Solved solved;
  for (uint32_t i = 0; all->kind == TERM_ALL && i < all->n_args;) {
    const Term *one = all->args[i++];
    if (one->kind != TERM_EQ || !filled_finds_value(b, one, &solved))
      continue;
    const Symbol *own = solved.symbol;
    all = term_replace(t, all, as_solved, &solved);
    all = term_and(t, all, term_le(t, term_int(t, own->low), solved.value));
    all = term_and(t, all, term_le(t, solved.value, term_int(t, own->high)));
    forget_own(b, own);
    i = 0;
  }
  return all;
}
