// SPDX-License-Identifier: Apache-2.0
// Clauses of thread loops against what iterations touch.
//
// Two iterations of one execution of a loop own different elements; what an
// iteration touches of an array that its clauses name lies in their sections;
// what is uninit is written before it is read. With --owner arrays that no
// clause names are owned by the iteration that touches them.
#include "check/prove/own.h"

#include "check/prove/race.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/analysis.h"

typedef struct {
  Check *check;
  TermTable *terms;
  const Step *first; // of the list that the clauses stand in
  const Step *step;  // a clause of the loop: it says which iterations
  Map copies;
} Own;

// -------------------------------------------------- the other iteration

// The loop's own turns and those of loops in it differ between iterations;
// those of the loops around are the same.
static bool own_is_around(const Own *own, const CheckLoop *loop) {
  const LoopClaim *claim = own->step->u.claim;
  const CheckLoop *l = claim->own ? claim->own->parent : own->step->loop;
  if (claim->is_nest)
    return false;
  for (; l; l = l->parent)
    if (l == loop)
      return true;
  return false;
}

static bool is_over_all(const Own *own, const Symbol *symbol) {
  const LoopClaim *claim = own->step->u.claim;
  if (!symbol->over)
    return false;
  return claim->is_nest ? symbol->over->kind == GROUP_GRID
                        : ir_group_contains(symbol->over, claim->group);
}

static bool own_is_shared(const Own *own, const Symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_LAUNCH: return true;
  case SYMBOL_BLOCK: return !own->step->u.claim->is_nest;
  case SYMBOL_THREAD: return false;
  case SYMBOL_TURN: return own_is_around(own, symbol->loop);
  case SYMBOL_VALUE:
    return is_over_all(own, symbol) &&
           (!symbol->loop || own_is_around(own, symbol->loop));
  }
  return false;
}

static const Term *other_symbol(const Symbol *symbol, void *context) {
  Own *own = context;
  if (own_is_shared(own, symbol))
    return NULL;
  Symbol *copy = map_get(&own->copies, symbol->id + 1ull);
  if (!copy) {
    copy = term_copy_symbol(own->terms, symbol);
    map_put(own->check->arena, &own->copies, symbol->id + 1ull, copy);
  }
  return term_of(own->terms, copy);
}

static const Term *other(Own *own, const Term *term) {
  return term_replace(own->terms, term, other_symbol, own);
}

static void own_add(Own *own, TermList *list, const Term *condition) {
  if (condition->kind != TERM_TRUE)
    VEC_PUSH(own->check->arena, list, condition);
}

// Two iterations of one execution of the loop.
static void add_iterations(Own *own, TermList *list) {
  TermTable *t = own->terms;
  const LoopClaim *claim = own->step->u.claim;
  const Tree *tree = own->check->tree;
  uint32_t last = claim->n_at - 1;
  for (uint32_t i = 0; i < last; i++)
    own_add(own, list, term_eq(t, claim->at[i], other(own, claim->at[i])));
  own_add(own, list, term_ne(t, claim->at[last], other(own, claim->at[last])));
  own_add(own, list, own->step->path);
  own_add(own, list, other(own, own->step->path));
  for (uint32_t i = 0; i < tree->facts.count; i++)
    own_add(own, list, other(own, tree->facts.data[i]));
  const GroupView *view = claim->group ? tree_group(tree, claim->group) : NULL;
  if (!view || !view->is_known)
    return;
  own_add(own, list, view->member);
  own_add(own, list, other(own, view->member));
  own_add(own, list, term_eq(t, view->instance, other(own, view->instance)));
}

static SolveAnswer own_ask(const Own *own, const TermList *list) {
  return solver_ask(own->check->solver, list->data, list->count);
}

static void own_tell(const Own *own, SuspectKind kind, const Step *a,
                     const Step *b, const SolveAnswer *answer,
                     const char *plain) {
  Suspect suspect = {.kind = kind, .a = a, .b = b, .reason.text = plain};
  if (answer && answer->status == SOLVE_UNKNOWN && answer->reason)
    suspect.reason.text =
        arena_printf(own->check->arena, "%s (the solvers can't decide: %s)",
                     plain, answer->reason);
  if (answer && answer->status == SOLVE_SAT) {
    suspect.has_model = true;
    suspect.model = answer->model;
  }
  check_suspect(own->check, &suspect);
}

// ------------------------------------------------------------- sections

static bool is_exclusive(const Step *step) {
  return step->u.claim->kind != IR_READS;
}

// One that begins in the list, of the same loop as own->step.
static bool is_of_loop(const Own *own, const Step *step) {
  return step->kind == STEP_CLAIM &&
         step->u.claim->n_at == own->step->u.claim->n_at;
}

// Sections of two iterations have an element in common.
static void add_common(Own *own, TermList *list, const LoopClaim *a,
                       const LoopClaim *b) {
  TermTable *t = own->terms;
  for (int k = 0; k < a->object->rank; k++) {
    const Term *low = other(own, a->low[k]);
    const Term *length = other(own, a->length[k]);
    own_add(own, list, term_lt(t, low, term_add(t, b->low[k], b->length[k])));
    own_add(own, list, term_lt(t, b->low[k], term_add(t, low, length)));
    own_add(own, list, term_lt(t, term_int(t, 0), length));
    own_add(own, list, term_lt(t, term_int(t, 0), b->length[k]));
  }
}

static void check_two(Own *own, const Step *a, const Step *b) {
  const LoopClaim *x = a->u.claim, *y = b->u.claim;
  if (!is_exclusive(a) && !is_exclusive(b))
    return;
  if (x->object != y->object) {
    if (!ir_may_alias(own->check->kernel, x->object, y->object))
      return;
    own_tell(own, SUSPECT_TWO_OWNERS, a, b, NULL,
             "the two arrays may be one in memory");
    return;
  }
  TermList list = {0};
  add_iterations(own, &list);
  add_common(own, &list, x, y);
  SolveAnswer answer = own_ask(own, &list);
  if (answer.status == SOLVE_UNSAT)
    check_proved(own->check);
  else
    own_tell(own, SUSPECT_TWO_OWNERS, a, b, &answer,
             "sections of two iterations may have an element in common");
}

static void check_disjoint(Own *own) {
  for (const Step *b = own->first; b; b = b->next)
    for (const Step *a = own->first; a && is_of_loop(own, b); a = a->next) {
      if (is_of_loop(own, a) && a->u.claim->object && b->u.claim->object)
        check_two(own, a, b);
      if (a == b)
        break;
    }
}

// -------------------------------------------------------------- touches

// First and last element in the innermost dimension, all other indices; false:
// not known.
static bool own_place_of(const Own *own, const Touch *touch, const Term **index,
                         const Term **last) {
  TermTable *t = own->terms;
  const IrObject *object = touch->object;
  int rank = object->rank;
  if (touch->cluster_rank || rank == 0 ||
      (touch->n_index != rank && (rank > 1 || touch->n_index)))
    return false;
  const Term *size = term_int(t, (int64_t)object->element_bytes);
  const Term *end = term_add(t, touch->byte, term_int(t, touch->n_bytes - 1));
  const Term *from = touch->n_index ? touch->index[rank - 1] : term_int(t, 0);
  for (int k = 0; k < rank - 1; k++)
    index[k] = touch->index[k];
  index[rank - 1] = term_add(t, from, term_div(t, touch->byte, size));
  *last = term_add(t, from, term_div(t, end, size));
  return true;
}

// What the touch touches lies in the section.
static const Term *own_inside(Own *own, const LoopClaim *claim,
                              const Term *const *index, const Term *last) {
  TermTable *t = own->terms;
  const Term *all = term_true(t);
  int rank = claim->object->rank;
  for (int k = 0; k < rank; k++) {
    const Term *top = k == rank - 1 ? last : index[k];
    const Term *end = term_add(t, claim->low[k], claim->length[k]);
    all = term_and(t, all, term_le(t, claim->low[k], index[k]));
    all = term_and(t, all, term_lt(t, top, end));
  }
  return all;
}

// A copy does nothing outside of the array.
static void add_extents(Own *own, TermList *list, const Touch *touch) {
  TermTable *t = own->terms;
  for (int k = 0; k < touch->n_index && touch->may_miss; k++) {
    const Term *extent = tree_extent(own->check->tree, touch->object, k);
    own_add(own, list, term_le(t, term_int(t, 0), touch->index[k]));
    if (extent)
      own_add(own, list, term_lt(t, touch->index[k], extent));
  }
}

// The array is named by clauses of this loop, in `named` the first of them.
static bool find_named(const Own *own, const IrObject *object,
                       const Step **named) {
  *named = NULL;
  for (const Step *s = own->first; s && !*named; s = s->next)
    if (is_of_loop(own, s) && s->u.claim->object == object)
      *named = s;
  return *named != NULL;
}

static void check_covered(Own *own, const Step *step, const Step *named) {
  const Touch *touch = step->u.touch.touch;
  const Term *index[IR_MAX_RANK], *last;
  if (!own_place_of(own, touch, index, &last)) {
    own_tell(own, SUSPECT_NOT_OWNED, step, named, NULL,
             "the index of the element is too complicated for the checker");
    return;
  }
  TermList list = {0};
  own_add(own, &list, step->path);
  add_extents(own, &list, touch);
  for (const Step *s = own->first; s; s = s->next)
    if (is_of_loop(own, s) && s->u.claim->object == touch->object &&
        (is_exclusive(s) || !touch->is_write))
      own_add(own, &list,
              term_not(own->terms, own_inside(own, s->u.claim, index, last)));
  SolveAnswer answer = own_ask(own, &list);
  if (answer.status == SOLVE_UNSAT)
    check_proved(own->check);
  else
    own_tell(
        own, SUSPECT_NOT_OWNED, step, named, &answer,
        "the element may lie outside of the sections that the clauses name");
}

// ------------------------------------------------------ uninit sections

// A write before the read, in the same turns of the loops around both. Of a
// loop that ended before it is the turn, if there is one, that wrote the
// element which is read.
typedef struct {
  Own *own;
  const Term *const *index; // what is read
  const Term *place[IR_MAX_RANK], *end;
  const Term *condition; // that it was made
  const CheckLoop *loop; // the one whose turn is replaced, by
  const Term *turn;
} Written;

static const Term *at_turn(const Symbol *symbol, void *context) {
  const Written *w = context;
  return symbol == w->loop->turn ? w->turn : NULL;
}

// Where place and index are equal in dimension k; NULL: no single turn.
static const Term *solved_turn(const Written *w, int k) {
  TermTable *t = w->own->terms;
  const Term *turn = term_of(t, w->loop->turn), *place = w->place[k];
  for (uint32_t i = 0; place->kind == TERM_SUM && i < place->n_parts; i++) {
    int64_t factor = place->parts[i].coefficient;
    if (place->parts[i].atom == turn && (factor == 1 || factor == -1))
      return term_add(t, turn,
                      term_scale(t, term_sub(t, w->index[k], place), factor));
  }
  return place == turn ? w->index[k] : NULL;
}

static void end_loop(Written *w, const CheckLoop *loop, int rank) {
  TermTable *t = w->own->terms;
  w->loop = loop;
  w->turn = NULL;
  for (int k = 0; k < rank && !w->turn; k++)
    w->turn = solved_turn(w, k);
  if (!w->turn)
    w->turn = term_int(t, 0);
  const Term *is_turn = term_and(t, term_le(t, term_int(t, 0), w->turn),
                                 term_lt(t, w->turn, loop->trips));
  for (int k = 0; k < rank; k++)
    w->place[k] = term_replace(t, w->place[k], at_turn, w);
  w->end = term_replace(t, w->end, at_turn, w);
  w->condition =
      term_and(t, term_replace(t, w->condition, at_turn, w), is_turn);
}

static bool is_around_step(const CheckLoop *loop, const Step *step) {
  for (const CheckLoop *l = step->loop; l; l = l->parent)
    if (l == loop)
      return true;
  return false;
}

static const Term *written_by(Own *own, const Step *write, const Step *read,
                              const Term *const *index, const Term *last) {
  const Touch *touch = write->u.touch.touch;
  Written w = {.own = own, .index = index, .condition = write->path};
  if (touch->object != read->u.touch.touch->object || !touch->is_write ||
      touch->done != DONE_AT_ONCE || write->id >= read->id ||
      !own_place_of(own, touch, w.place, &w.end))
    return NULL;
  int inner = touch->object->rank - 1;
  for (const CheckLoop *l = write->loop; l && !is_around_step(l, read);
       l = l->parent) {
    if (!l->trips || l->has_exit)
      return NULL;
    end_loop(&w, l, inner + 1);
  }
  TermTable *t = own->terms;
  const Term *all = w.condition;
  for (int k = 0; k < inner; k++)
    all = term_and(t, all, term_eq(t, index[k], w.place[k]));
  all = term_and(t, all, term_le(t, w.place[inner], index[inner]));
  return term_and(t, all, term_le(t, last, w.end));
}

static void add_writes(Own *own, TermList *list, const Step *steps,
                       const Step *read, const Term *const *index,
                       const Term *last) {
  for (const Step *s = steps; s; s = s->next) {
    if (s->kind == STEP_TOUCH) {
      const Term *written = written_by(own, s, read, index, last);
      if (written)
        own_add(own, list, term_not(own->terms, written));
    } else if (s->kind == STEP_IF) {
      add_writes(own, list, s->u.branch.body, read, index, last);
      add_writes(own, list, s->u.branch.other, read, index, last);
    } else if (s->kind == STEP_LOOP) {
      add_writes(own, list, s->u.loop.body, read, index, last);
    } else if (s->kind == STEP_SCOPE) {
      add_writes(own, list, s->u.scope.body, read, index, last);
    }
  }
}

// A read of what has contents, or was written by the iteration before.
static void check_contents(Own *own, const Step *step) {
  TermTable *t = own->terms;
  const Touch *touch = step->u.touch.touch;
  const Term *index[IR_MAX_RANK], *last, *is_open = term_false(t);
  const Step *uninit = NULL;
  TermList list = {0};
  if (!touch->is_read || !own_place_of(own, touch, index, &last))
    return;
  own_add(own, &list, step->path);
  for (const Step *s = own->first; s; s = s->next) {
    if (!is_of_loop(own, s) || s->u.claim->object != touch->object ||
        s->u.claim->kind == IR_PRODUCES)
      continue;
    const Term *in = own_inside(own, s->u.claim, index, last);
    if (s->u.claim->is_uninit) {
      is_open = term_or(t, is_open, in);
      uninit = s;
    } else {
      own_add(own, &list, term_not(t, in));
    }
  }
  if (!uninit)
    return;
  own_add(own, &list, is_open);
  add_writes(own, &list, own->first, step, index, last);
  SolveAnswer answer = own_ask(own, &list);
  if (answer.status == SOLVE_UNSAT)
    check_proved(own->check);
  else
    own_tell(own, SUSPECT_NO_CONTENTS, step, uninit, &answer,
             "the checker doesn't see that the iteration has written the "
             "element before");
}

// ----------------------------------------------------- arrays not named

typedef hd_vec(const Step *) StepList;

// Two iterations that touch one element, one of them writing it.
static void check_inferred(Own *own, const Step *a, const Step *b) {
  const Touch *x = a->u.touch.touch, *y = b->u.touch.touch;
  const Term *at[IR_MAX_RANK], *at_last, *to[IR_MAX_RANK], *to_last;
  if (x->object != y->object || (!x->is_write && !y->is_write))
    return;
  TermTable *t = own->terms;
  TermList list = {0};
  SolveAnswer answer = {.status = SOLVE_SAT};
  bool is_known =
      own_place_of(own, x, at, &at_last) && own_place_of(own, y, to, &to_last);
  if (is_known) {
    int inner = x->object->rank - 1;
    add_iterations(own, &list);
    own_add(own, &list, other(own, a->path));
    own_add(own, &list, b->path);
    for (int k = 0; k < inner; k++)
      own_add(own, &list, term_eq(t, other(own, at[k]), to[k]));
    own_add(own, &list, term_le(t, other(own, at[inner]), to_last));
    own_add(own, &list, term_le(t, to[inner], other(own, at_last)));
    answer = own_ask(own, &list);
  }
  if (answer.status == SOLVE_UNSAT)
    check_proved(own->check);
  else
    own_tell(
        own, SUSPECT_NOT_OWNED, y->is_write ? b : a, own->step,
        is_known ? &answer : NULL,
        "no clause of the loop names the array, and two iterations may touch "
        "one element of it");
}

// ------------------------------------------------------------------ all

static void check_touch(Own *own, const Step *step, StepList *others) {
  const Touch *touch = step->u.touch.touch;
  const IrKernel *kernel = own->check->kernel;
  const Step *named;
  if (touch->object && touch->object->space == SPACE_LOCAL)
    return;
  if (touch->object && find_named(own, touch->object, &named)) {
    check_covered(own, step, named);
    check_contents(own, step);
    return;
  }
  for (const Step *s = own->first; s; s = s->next) {
    if (!is_of_loop(own, s) || !s->u.claim->object ||
        (touch->object &&
         !ir_may_alias(kernel, touch->object, s->u.claim->object)))
      continue;
    own_tell(own, SUSPECT_NOT_OWNED, step, s, NULL,
             "it may be an element of the array that this clause names");
    return;
  }
  if (touch->object && own->check->options->owner_strict)
    VEC_PUSH(own->check->arena, others, step);
}

static void check_touches(Own *own, const Step *first, StepList *others) {
  for (const Step *s = first; s; s = s->next) {
    if (s->kind == STEP_TOUCH) {
      check_touch(own, s, others);
    } else if (s->kind == STEP_IF) {
      check_touches(own, s->u.branch.body, others);
      check_touches(own, s->u.branch.other, others);
    } else if (s->kind == STEP_LOOP) {
      check_touches(own, s->u.loop.body, others);
    } else if (s->kind == STEP_SCOPE) {
      check_touches(own, s->u.scope.body, others);
    }
  }
}

static bool own_is_followed(Own *own) {
  const GroupView *view = NULL;
  const LoopClaim *claim = own->step->u.claim;
  for (const Step *s = own->first; s; s = s->next)
    if (is_of_loop(own, s) && (!s->u.claim->object || s->u.claim->is_lost)) {
      own_tell(own, SUSPECT_NOT_OWNED, s, NULL, NULL,
               "the part of an array behind this function's parameter is "
               "unknown here: write the clause for the array itself");
      return false;
    }
  if (claim->group)
    view = tree_group(own->check->tree, claim->group);
  return claim->is_nest || view;
}

static void check_loop(Check *check, const Step *first, const Step *step) {
  Own own = {
      .check = check, .terms = check->terms, .first = first, .step = step};
  StepList others = {0};
  if (!own_is_followed(&own))
    return;
  check_disjoint(&own);
  check_touches(&own, first, &others);
  for (uint32_t i = 0; i < others.count; i++)
    for (uint32_t k = 0; k <= i; k++)
      check_inferred(&own, others.data[k], others.data[i]);
}

// Each loop once: its first clause.
static bool is_first(const Step *first, const Step *step) {
  for (const Step *s = first; s != step; s = s->next)
    if (s->kind == STEP_CLAIM && s->u.claim->n_at == step->u.claim->n_at)
      return false;
  return true;
}

static void check_list(Check *check, const Step *first) {
  for (const Step *s = first; s; s = s->next) {
    if (s->kind == STEP_CLAIM && is_first(first, s)) {
      check_loop(check, first, s);
    } else if (s->kind == STEP_IF) {
      check_list(check, s->u.branch.body);
      check_list(check, s->u.branch.other);
    } else if (s->kind == STEP_LOOP) {
      check_list(check, s->u.loop.body);
    } else if (s->kind == STEP_SCOPE) {
      check_list(check, s->u.scope.body);
    }
  }
}

void check_ownership(Check *check) {
  check_list(check, check->tree->first);
}
