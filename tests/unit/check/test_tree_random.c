// SPDX-License-Identifier: Apache-2.0
// The tree against what threads do: random kernels run thread by thread, and
// whatever a thread touched must be what the tree says for that thread in those
// turns of its loops. A tree that leaves out an execution makes wrong proofs.
// Symbols that stand for one value of several threads, or of several places,
// must not have two.
#include "../ir/random_kernel.h"
#include "check/tree/tree.h"
#include "interp/eval.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum {
  MAX_STEPS = 4000,
  MAX_EVENTS = 20000,
  MAX_TURNS = 12, // loops inside one another
  MAX_ASKED = 60, // events of a kernel that the solver looks at
  BLOCK_X = 3,
};

// ------------------------------------------------------------ what is tested

static IrNode *some_update(Make *m, uint32_t var) {
  static const IrOp ops[] = {
      IR_ADD,  IR_SUB,  IR_MUL,  IR_XOR,  IR_AND, IR_OR,   IR_SREM, IR_UREM,
      IR_SDIV, IR_UDIV, IR_ASHR, IR_LSHR, IR_SHL, IR_SMIN, IR_SMAX, IR_UMAX};
  IrOp op = ops[pick(sizeof ops / sizeof *ops)];
  IrNode *old = make_get(m, var);
  switch (pick(8)) {
  case 0: // starts over
    return make_op(m, IR_SREM, make_op(m, IR_ADD, old, make_int(m, 1)),
                   make_int(m, 2 + pick(3)));
  case 1: return make_op(m, IR_ADD, old, make_int(m, (int64_t)pick(7) - 3));
  case 2: return make_op(m, IR_XOR, old, make_int(m, 1));
  case 3: return make_op(m, IR_SDIV, old, make_int(m, 2));
  case 4: return make_op(m, op, old, some_value(m));
  case 5: {
    IrNode *byte = make_node(m, IR_TRUNC, ir_scalar(IR_TYPE_I8), old, NULL);
    return make_node(m, pick(2) ? IR_SEXT : IR_ZEXT, MAKE_I32, byte, NULL);
  }
  default: return make_op(m, op, old, make_int(m, (int64_t)pick(6) - 1));
  }
}

// if (++v == n) { v = 0; u ^= 1; }
static void stage_and_phase(Make *m) {
  uint32_t stage = pick(N_VARS), phase = pick(N_VARS);
  IrNode *next = make_op(m, IR_ADD, make_get(m, stage), make_int(m, 1));
  make_set(m, stage, next);
  make_if(m, make_op(m, IR_EQ, make_get(m, stage), make_int(m, 2 + pick(3))));
  make_set_int(m, stage, 0);
  make_set(m, phase, make_op(m, IR_XOR, make_get(m, phase), make_int(m, 1)));
  make_end(m);
}

static void leave_unless_less(Make *m, IrNode *loop, IrNode *a, IrNode *b) {
  IrNode *less = make_op(m, pick(8) ? IR_SLT : IR_ULT, a, b);
  make_exit_if(m, make_node(m, IR_NOT, ir_scalar(IR_TYPE_BOOL), less, NULL),
               loop, false);
}

// Of a number that is small where the step must not wrap.
static void step_up(Make *m, uint32_t var, int64_t step, bool wraps) {
  IrNode *next = make_op(m, IR_ADD, make_get(m, var), make_int(m, step));
  if (!wraps)
    next->flags |= NODE_NO_SIGNED_WRAP;
  make_set(m, var, next);
}

// for (; f < n && f < k + s; f += a, x += b) touch(f), touch(x);
static void catch_up(Make *m, uint32_t k, uint32_t f, uint32_t x,
                     IrObject *array) {
  int64_t most = pick(9), ahead = pick(4);
  bool is_late = pick(3) == 0;
  IrNode *loop = make_loop(m);
  if (!is_late && pick(4))
    leave_unless_less(m, loop, make_get(m, f), make_int(m, most));
  leave_unless_less(m, loop, make_get(m, f),
                    make_op(m, IR_ADD, make_get(m, k), make_int(m, ahead)));
  if (is_late)
    leave_unless_less(m, loop, make_get(m, f), make_int(m, most));
  IrNode *index = make_get(m, pick(2) ? f : x);
  make_store(m, array, index, index);
  step_up(m, f, pick(5) ? 1 : 2, false);
  if (pick(4))
    step_up(m, x, (int64_t)pick(4) - 1, false);
  make_end(m);
}

// for (k = …, f = …; k < n; k++) { catch up; touch(f); }
static void catching_up(Make *m, IrObject *array) {
  uint32_t k = pick(N_VARS), f = pick(N_VARS), x = pick(N_VARS);
  make_set_int(m, k, pick(3));
  make_set(m, f, pick(3) ? make_int(m, pick(3)) : make_get(m, k));
  make_set_int(m, x, (int64_t)pick(9) - 4);
  IrNode *loop = make_loop(m);
  leave_unless_less(m, loop, make_get(m, k), make_int(m, 1 + pick(8)));
  catch_up(m, k, f, x, array);
  IrNode *index = make_get(m, pick(2) ? f : x);
  make_store(m, array, index, index);
  step_up(m, k, pick(6) ? 1 : 2, false);
  if (pick(3) == 0)
    step_up(m, pick(2) ? x : pick(N_VARS), -1, true);
  if (pick(3) == 0)
    step_up(m, x, (int64_t)pick(3) - 1, false);
  make_end(m);
}

static void some_addition(Make *m, IrObject *array) {
  uint32_t var = pick(N_VARS);
  if (pick(12) == 0)
    catching_up(m, array);
  else if (pick(5) == 0)
    stage_and_phase(m);
  else if (pick(2))
    make_set(m, var, some_update(m, var));
}

// Stores whose index is what a variable holds.
static void some_touch(Make *m, IrObject *array) {
  IrNode *index = make_get(m, pick(N_VARS));
  make_store(m, array, index, index);
}

// Nodes are made at the end of a region; these go before `position`.
static void move_before(IrRegion *from, IrNode *position) {
  while (from->first) {
    IrNode *node = from->first;
    ir_node_unlink(node);
    ir_node_insert_before(position, node);
  }
}

static void add_to_region(Make *m, IrRegion *region, IrObject *array) {
  for (IrNode *node = region->first; node; node = node->next) {
    bool is_new = node->op == IR_STORE || pick(3) != 0;
    IrRegion scratch = {.owner = region->owner};
    m->at = &scratch;
    if (!is_new)
      some_addition(m, array);
    if (pick(3) == 0)
      some_touch(m, array);
    move_before(&scratch, node);
    for (uint32_t i = 0; i < node->n_regions; i++)
      add_to_region(m, &node->regions[i], array);
  }
}

// --------------------------------------------------------------- execution

typedef struct {
  const IrNode *loop;
  int64_t turn;
} Turn;

typedef struct {
  const IrNode *node;
  int32_t thread, value;
  uint32_t n_turns;
  Turn turns[MAX_TURNS];
} Event;

typedef struct {
  int32_t begin, size; // of the current group, in block ranks
} Range;

typedef struct {
  const Make *m;
  int32_t thread;
  int32_t vars[64];
  uint64_t *values; // by node id
  Range range;
  uint32_t n_steps, n_turns;
  Turn turns[MAX_TURNS];
  const IrNode *leaving; // target of an exit under way, or NULL
  bool is_continue, is_over;
  Event *events;
  uint32_t n_events;
} Thread;

static uint64_t value_of(const Thread *t, const IrNode *node) {
  uint64_t a = node->n_args > 0 ? t->values[node->args[0]->id] : 0;
  uint64_t b = node->n_args > 1 ? t->values[node->args[1]->id] : 0;
  switch ((int)node->op) {
  case IR_CONST: return (uint32_t)node->u.constant.bits;
  case IR_RANK: return (uint32_t)t->thread;
  case IR_BLOCK_INDEX: return BLOCK_X;
  case IR_GET: return (uint32_t)t->vars[node->u.variable.var];
  case IR_SET: return a;
  default: break;
  }
  if (node->type.kind == IR_TYPE_VOID)
    return 0;
  return eval_scalar(node->op, (IrTypeKind)node->args[0]->type.kind,
                     (IrTypeKind)node->type.kind, a, b, 0);
}

static int32_t arg_of(const Thread *t, const IrNode *node, uint32_t k) {
  return (int32_t)(uint32_t)t->values[node->args[k]->id];
}

static void run_region(Thread *t, const IrRegion *region);

// False if the loop is to be left.
static bool run_turn(Thread *t, const IrNode *loop, int64_t turn) {
  if (t->n_turns == MAX_TURNS) {
    t->is_over = true;
    return false;
  }
  t->turns[t->n_turns++] = (Turn){loop, turn};
  run_region(t, &loop->regions[0]);
  t->n_turns--;
  if (!t->leaving)
    return !t->is_over;
  if (t->leaving != loop)
    return false;
  t->leaving = NULL;
  return t->is_continue;
}

static void run_for(Thread *t, const IrNode *node) {
  int64_t hi = arg_of(t, node, 1), turn = 0;
  for (int64_t i = arg_of(t, node, 0); i < hi; i++) {
    t->vars[node->u.loop.var] = (int32_t)i;
    if (!run_turn(t, node, turn++))
      return;
  }
}

static void run_part(Thread *t, const IrNode *node) {
  Range outer = t->range;
  int64_t begin = node->n_args ? arg_of(t, node, 0) : node->u.part.group->begin;
  t->range.size = (int32_t)node->u.part.group->size;
  if (begin < 0 || begin + t->range.size > outer.size) {
    t->is_over = true; // an error of the program
    return;
  }
  t->range.begin = outer.begin + (int32_t)begin;
  if (t->thread >= t->range.begin && t->thread < t->range.begin + t->range.size)
    run_region(t, &node->regions[0]);
  t->range = outer;
}

static void run_thread_for(Thread *t, const IrNode *node) {
  Range outer = t->range;
  int32_t rank = t->thread - outer.begin;
  if (node->u.part.is_split) {
    int32_t size = (int32_t)node->u.part.group->size, part = rank / size;
    t->range = (Range){outer.begin + part * size, size};
    t->vars[node->u.part.var] = part;
    run_region(t, &node->regions[0]);
  } else {
    int64_t turn = 0;
    t->range = (Range){t->thread, 1};
    for (int32_t i = rank; i < arg_of(t, node, 1); i += outer.size) {
      t->vars[node->u.part.var] = i;
      if (!run_turn(t, node, turn++))
        break;
    }
  }
  t->range = outer;
}

static void run_control(Thread *t, const IrNode *node) {
  int64_t turn = 0;
  switch ((int)node->op) {
  case IR_IF:
    run_region(t, &node->regions[t->values[node->args[0]->id] ? 0 : 1]);
    return;
  case IR_LOOP:
    while (run_turn(t, node, turn++))
      ;
    return;
  case IR_FOR: run_for(t, node); return;
  case IR_GROUP: run_part(t, node); return;
  case IR_THREAD_FOR: run_thread_for(t, node); return;
  default:
    run_region(t, &node->regions[0]);
    if (t->leaving == node)
      t->leaving = NULL;
  }
}

static void record(Thread *t, const IrNode *node) {
  Event *event = &t->events[t->n_events++];
  *event = (Event){.node = node,
                   .thread = t->thread,
                   .value = arg_of(t, node, 0),
                   .n_turns = t->n_turns};
  memcpy(event->turns, t->turns, sizeof event->turns);
}

static void run_region(Thread *t, const IrRegion *region) {
  for (const IrNode *node = region->first; node; node = node->next) {
    if (++t->n_steps > MAX_STEPS || t->n_events == MAX_EVENTS)
      t->is_over = true;
    if (t->is_over)
      return;
    t->values[node->id] = value_of(t, node);
    if (node->op == IR_SET)
      t->vars[node->u.variable.var] = arg_of(t, node, 0);
    if (node->op == IR_STORE)
      record(t, node);
    if (node->op == IR_EXIT) {
      t->leaving = node->u.exit.target;
      t->is_continue = node->u.exit.is_continue;
      return;
    }
    if (node->n_regions)
      run_control(t, node);
    if (t->leaving)
      return;
  }
}

// -------------------------------------------------------------- comparison

static uint32_t n_checked, n_exact, n_shared, seed_now;

typedef struct {
  const Tree *tree;
  Solver *solver;
  const Event *event;
} Side;

static const Term *known(const Symbol *symbol, void *context) {
  const Side *side = context;
  TermTable *t = side->tree->terms;
  if (symbol->kind == SYMBOL_THREAD)
    return term_int(t, side->event->thread);
  if (symbol->kind == SYMBOL_BLOCK && symbol->dimension == 0)
    return term_int(t, BLOCK_X);
  if (symbol->kind != SYMBOL_TURN)
    return NULL;
  for (uint32_t i = 0; i < side->event->n_turns; i++)
    if (side->event->turns[i].loop == symbol->loop->node)
      return term_int(t, side->event->turns[i].turn);
  fail_msg("seed %" PRIu32 ": the turn of a loop that isn't around", seed_now);
  return NULL;
}

static const Term *at_event(Side *side, const Term *term) {
  return term_replace(side->tree->terms, term, known, side);
}

static void fail_at(const Side *side, const Step *step, const char *what) {
  Text text = {.arena = side->tree->arena};
  tree_print(side->tree, &text);
  if (getenv("HD_TEST_IR"))
    ir_print(side->tree->kernel->module, &text);
  fputs(text_cstr(&text), stderr);
  for (uint32_t i = 0; i < side->event->n_turns; i++)
    fprintf(stderr, "turn %" PRId64 "\n", side->event->turns[i].turn);
  fail_msg("seed %" PRIu32 ": %s: thread %d at @%d, value %d", seed_now, what,
           side->event->thread, step ? (int)step->id : -1, side->event->value);
}

static void judge(Side *side, const Step *step, bool asks) {
  TermTable *t = side->tree->terms;
  const Term *path = at_event(side, step->path);
  const Term *index = at_event(side, step->u.touch.touch->index[0]);
  const Term *same = term_eq(t, index, term_int(t, side->event->value));
  n_checked++;
  n_exact += same->kind == TERM_TRUE;
  if (path->kind == TERM_FALSE || same->kind == TERM_FALSE)
    fail_at(side, step, path->kind == TERM_FALSE ? "path" : "index");
  const Term *both[2] = {path, same};
  if (asks && solver_ask(side->solver, both, 2).status == SOLVE_UNSAT)
    fail_at(side, step, "path and index");
}

// --- symbols: one value for the threads of `over` in the same turns

typedef struct {
  const Symbol *symbol;
  int64_t value, instance;
  const Event *event;
} Seen;

// index = symbol + number: the value that the symbol had.
static bool symbol_value(const Term *index, int64_t value,
                         const Symbol **symbol, int64_t *out) {
  int64_t number = 0;
  if (index->kind == TERM_SUM) {
    if (index->n_parts != 1 || index->parts[0].coefficient != 1)
      return false;
    number = index->number;
    index = index->parts[0].atom;
  }
  *symbol = index->symbol;
  *out = value - number;
  return index->kind == TERM_SYMBOL && (*symbol)->kind == SYMBOL_VALUE;
}

static bool same_turns(const Seen *a, const Seen *b) {
  uint32_t n = 0;
  for (const CheckLoop *loop = a->symbol->loop; loop; loop = loop->parent)
    n++;
  for (uint32_t i = 0; i < n; i++)
    if (a->event->turns[i].turn != b->event->turns[i].turn)
      return false;
  return true;
}

static int64_t instance_of(Side *side, const IrGroup *over) {
  int64_t instance = -1, member = 0;
  const GroupView *view = tree_group(side->tree, over);
  if (over->kind == GROUP_GRID || over->kind == GROUP_CLUSTER)
    return 0;
  if (!view->is_known)
    return -1;
  const Term *is_member = at_event(side, view->member);
  member = is_member->kind == TERM_TRUE;
  return member && term_is_constant(at_event(side, view->instance), &instance)
             ? instance
             : -1;
}

static void judge_symbols(Side *side, Seen *seen, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Seen *a = &seen[i], *b = &seen[k];
      if (a->symbol != b->symbol || !same_turns(a, b))
        continue;
      bool is_one = a->event->thread == b->event->thread;
      if (!is_one &&
          (!a->symbol->over || a->instance < 0 || a->instance != b->instance))
        continue;
      n_shared += !is_one;
      side->event = a->event;
      if (a->value != b->value)
        fail_at(side, NULL,
                arena_printf(
                    side->tree->arena,
                    "two values of %s: %" PRId64 " and %" PRId64 " (thread %d)",
                    a->symbol->name, a->value, b->value, b->event->thread));
    }
}

static void note_symbol(Side *side, const Step *step, Seen *seen, uint32_t *n) {
  enum { MAX_SEEN = 1500 };

  Seen one = {.event = side->event, .instance = -1};
  const Term *index = step->u.touch.touch->index[0];
  if (*n == MAX_SEEN ||
      !symbol_value(index, side->event->value, &one.symbol, &one.value))
    return;
  if (one.symbol->over)
    one.instance = instance_of(side, one.symbol->over);
  seen[(*n)++] = one;
}

static void list_steps(const Step *step, const Step **steps) {
  for (; step; step = step->next) {
    if (step->kind == STEP_TOUCH)
      steps[step->node->id] = step;
    if (step->kind == STEP_IF) {
      list_steps(step->u.branch.body, steps);
      list_steps(step->u.branch.other, steps);
    } else if (step->kind == STEP_LOOP) {
      list_steps(step->u.loop.body, steps);
    } else if (step->kind == STEP_SCOPE) {
      list_steps(step->u.scope.body, steps);
    }
  }
}

// -------------------------------------------------------------------- tests

static uint32_t run_threads(const Make *m, Event *events) {
  uint32_t n = 0;
  for (int32_t i = 0; i < N_THREADS; i++) {
    Thread t = {.m = m,
                .thread = i,
                .range = {0, N_THREADS},
                .events = events,
                .n_events = n};
    t.values = ARENA_ARRAY(m->arena, uint64_t, m->kernel->n_nodes);
    run_region(&t, &m->kernel->body);
    // What was done before it went on for too long counts.
    n = t.n_events;
  }
  return n;
}

static void judge_kernel(const Make *m) {
  Event *events = ARENA_ARRAY(m->arena, Event, MAX_EVENTS);
  uint32_t n = run_threads(m, events);
  TermTable *terms = term_table_new(m->arena);
  SolveOptions options = {.query_ms = 100, .kernel_ms = 1500};
  Solver *solver = solver_new(m->arena, terms, &options);
  Side side = {.solver = solver};
  side.tree =
      tree_build(m->arena, m->kernel, ir_uniformity(m->arena, m->kernel), terms,
                 solver, false);
  const Step **steps = ARENA_ARRAY(m->arena, const Step *, m->kernel->n_nodes);
  Seen *seen = ARENA_ARRAY(m->arena, Seen, 1500);
  uint32_t n_seen = 0;
  list_steps(side.tree->first, steps);
  for (uint32_t i = 0; i < n; i++) {
    side.event = &events[i];
    const Step *step = steps[events[i].node->id];
    if (!step)
      fail_at(&side, NULL, "left out");
    judge(&side, step, pick(n) < MAX_ASKED);
    note_symbol(&side, step, seen, &n_seen);
  }
  judge_symbols(&side, seen, n_seen);
  solver_free(solver);
}

static void one_kernel(uint32_t seed) {
  seed_now = seed;
  Make m = random_kernel(seed);
  IrObject *array = make_array(&m, "a");
  add_to_region(&m, &m.kernel->body, array);
  ir_kernel_renumber(m.kernel);
  judge_kernel(&m);
  make_free(&m);
}

static void test_random(void **state) {
  (void)state;
  const char *text = getenv("HD_TEST_SEEDS");
  const char *first = getenv("HD_TEST_FIRST");
  uint32_t n = text ? (uint32_t)atoi(text) : getenv("HD_LONG") ? 300 : 100;
  uint32_t begin = first ? (uint32_t)atoi(first) : 0;
  for (uint32_t seed = begin; seed < begin + n; seed++)
    one_kernel(seed);
  printf("%" PRIu32 " touches, %" PRIu32 " said exactly, %" PRIu32
         " values of several threads\n",
         n_checked, n_exact, n_shared);
  if (n < 100)
    return;
  assert_true(n_checked > 1000);
  assert_true(n_exact > n_checked / 8 && n_shared > n_checked / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
