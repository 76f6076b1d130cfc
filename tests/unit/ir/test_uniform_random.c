// SPDX-License-Identifier: Apache-2.0
// What the analysis says against what threads do: random kernels run thread by
// thread, and every execution of a node is compared between the threads that
// meet it in the same turn of every loop. "Uniform over g" must mean equal
// values, "reached together" all threads of g or none.
#include "random_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#define MAX_STEPS  4000
#define MAX_EVENTS 60000

// --------------------------------------------------------------- execution

typedef struct {
  int32_t begin, size; // of the current group, in block ranks
} Range;

// One execution of a node by one thread; `instance` tells turns apart.
typedef struct {
  const IrNode *node;
  uint64_t instance;
  int32_t thread, value;
  Range range; // of the current group
} Event;

typedef struct {
  const Make *m;
  int32_t thread;
  int32_t vars[64];
  int32_t *values; // by node id
  Range range;     // of the current group
  uint32_t n_steps;
  const IrNode *leaving; // target of an exit under way, or NULL
  bool is_continue;
  Event *events;
  uint32_t n_events;
  bool is_over; // too long: the kernel is not judged
} Thread;

static uint64_t mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static int32_t value_of(const Thread *t, const IrNode *node) {
  int32_t a = node->n_args > 0 ? t->values[node->args[0]->id] : 0;
  int32_t b = node->n_args > 1 ? t->values[node->args[1]->id] : 0;
  switch ((int)node->op) {
  case IR_CONST: return (int32_t)node->u.constant.bits;
  case IR_RANK: return t->thread;
  case IR_BLOCK_INDEX: return 3;
  case IR_GET: return t->vars[node->u.variable.var];
  case IR_LOAD: return t->vars[node->u.access.object->id];
  case IR_ADD: return (int32_t)((uint32_t)a + (uint32_t)b);
  case IR_SLT: return a < b;
  case IR_EQ: return a == b;
  case IR_NE: return a != b;
  default: return a;
  }
}

static void run_region(Thread *t, const IrRegion *region, uint64_t instance);

// Runs one turn; false if the loop is to be left.
static bool run_turn(Thread *t, const IrNode *loop, uint64_t instance) {
  run_region(t, &loop->regions[0], instance);
  if (!t->leaving)
    return !t->is_over;
  if (t->leaving != loop)
    return false;
  t->leaving = NULL;
  return t->is_continue;
}

static void run_for(Thread *t, const IrNode *node, uint64_t instance) {
  int64_t hi = t->values[node->args[1]->id];
  uint64_t turn = 0;
  for (int64_t i = t->values[node->args[0]->id]; i < hi; i++) {
    t->vars[node->u.loop.var] = (int32_t)i;
    if (!run_turn(t, node, mix(instance, ++turn)))
      return;
  }
}

static void run_part(Thread *t, const IrNode *node, uint64_t instance) {
  Range outer = t->range;
  int64_t begin =
      node->n_args ? t->values[node->args[0]->id] : node->u.part.group->begin;
  t->range.size = (int32_t)node->u.part.group->size;
  if (begin < 0 || begin + t->range.size > outer.size) {
    t->is_over = true; // an error of the program
    return;
  }
  t->range.begin = outer.begin + (int32_t)begin;
  if (t->thread >= t->range.begin && t->thread < t->range.begin + t->range.size)
    run_region(t, &node->regions[0], instance);
  t->range = outer;
}

static void run_thread_for(Thread *t, const IrNode *node, uint64_t instance) {
  Range outer = t->range;
  int32_t rank = t->thread - outer.begin;
  if (node->u.part.is_split) {
    int32_t size = (int32_t)node->u.part.group->size, part = rank / size;
    t->range = (Range){outer.begin + part * size, size};
    t->vars[node->u.part.var] = part;
    run_region(t, &node->regions[0], instance);
  } else {
    uint64_t turn = 0;
    t->range = (Range){t->thread, 1};
    for (int32_t i = rank; i < t->values[node->args[1]->id]; i += outer.size) {
      t->vars[node->u.part.var] = i;
      run_region(t, &node->regions[0], mix(instance, ++turn));
    }
  }
  t->range = outer;
}

static void run_control(Thread *t, const IrNode *node, uint64_t instance) {
  uint64_t turn = 0;
  switch ((int)node->op) {
  case IR_IF: {
    bool is_true = t->values[node->args[0]->id] != 0;
    run_region(t, &node->regions[is_true ? 0 : 1], instance);
    return;
  }
  case IR_LOOP:
    while (run_turn(t, node, mix(instance, ++turn)))
      ;
    return;
  case IR_FOR: run_for(t, node, instance); return;
  case IR_GROUP: run_part(t, node, instance); return;
  case IR_THREAD_FOR: run_thread_for(t, node, instance); return;
  default:
    run_region(t, &node->regions[0], instance);
    if (t->leaving == node)
      t->leaving = NULL;
  }
}

static void run_region(Thread *t, const IrRegion *region, uint64_t instance) {
  for (const IrNode *node = region->first; node; node = node->next) {
    if (++t->n_steps > MAX_STEPS || t->n_events == MAX_EVENTS)
      t->is_over = true;
    if (t->is_over)
      return;
    t->values[node->id] = value_of(t, node);
    t->events[t->n_events++] = (Event){node, mix(instance, node->id), t->thread,
                                       t->values[node->id], t->range};
    if (node->op == IR_SET)
      t->vars[node->u.variable.var] = t->values[node->id];
    if (node->op == IR_STORE)
      t->vars[node->u.access.object->id] = t->values[node->id];
    if (node->op == IR_EXIT) {
      t->leaving = node->u.exit.target;
      t->is_continue = node->u.exit.is_continue;
      return;
    }
    if (node->n_regions)
      run_control(t, node, instance);
    if (t->leaving)
      return;
  }
}

// -------------------------------------------------------------- comparison

static int by_instance(const void *a, const void *b) {
  const Event *x = a, *y = b;
  if (x->node->id != y->node->id)
    return x->node->id < y->node->id ? -1 : 1;
  if (x->instance != y->instance)
    return x->instance < y->instance ? -1 : 1;
  return x->thread - y->thread;
}

// Threads of the group around a node, if they are the same ones each time.
static bool fixed_range(const IrGroup *group, Range *range) {
  if (group->kind == GROUP_BLOCK) {
    *range = (Range){0, N_THREADS};
    return true;
  }
  if (group->kind != GROUP_RANGE || group->begin < 0 ||
      !fixed_range(group->parent, range))
    return false;
  range->begin += (int32_t)group->begin;
  range->size = (int32_t)group->size;
  return true;
}

static uint32_t n_uniform, n_converged, n_uniform_loads;
static uint32_t seed_now;

// What is said about the node and the group, against the threads of `range`.
static void judge_range(const Make *m, const Uniformity *u, const Event *events,
                        uint32_t n, const IrGroup *group, Range range) {
  const IrNode *node = events[0].node;
  int32_t n_there = 0, value = 0;
  bool is_same = true;
  for (uint32_t i = 0; i < n; i++) {
    if (events[i].thread < range.begin ||
        events[i].thread >= range.begin + range.size)
      continue;
    is_same &= n_there == 0 || value == events[i].value;
    value = events[i].value;
    n_there++;
  }
  bool is_uniform =
      node->type.kind != IR_TYPE_VOID && uniformity_has(u, node, group);
  if (is_uniform && !is_same)
    fail_msg("seed %u: node %u (%s) differs over group %u", seed_now, node->id,
             ir_op_info(node)->text, group->id);
  bool is_met = ir_group_contains(ir_node_group(m->kernel, node), group) &&
                uniformity_converged(u, node, group);
  if (is_met && n_there != 0 && n_there != range.size)
    fail_msg("seed %u: node %u (%s) is met by %d of group %u", seed_now,
             node->id, ir_op_info(node)->text, n_there, group->id);
  n_uniform += is_uniform && n_there > 1 && node->op == IR_GET;
  n_uniform_loads += is_uniform && n_there > 1 && node->op == IR_LOAD;
  n_converged += is_met && n_there > 1;
}

static void judge(const Make *m, const Uniformity *u, const Event *events,
                  uint32_t n) {
  for (uint32_t g = GROUP_ROW_BLOCK; g < m->kernel->groups.count; g++) {
    Range range;
    if (fixed_range(m->kernel->groups.data[g], &range))
      judge_range(m, u, events, n, m->kernel->groups.data[g], range);
  }
  // The current group as it is this time, moving ones and parts of loops too.
  const IrGroup *current = ir_node_group(m->kernel, events[0].node);
  for (uint32_t i = 0; i < n; i++)
    judge_range(m, u, events, n, current, events[i].range);
}

static void compare(const Make *m, Event *events, uint32_t n) {
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  qsort(events, n, sizeof *events, by_instance);
  for (uint32_t i = 0, end; i < n; i = end) {
    for (end = i; end < n && events[end].node == events[i].node &&
                  events[end].instance == events[i].instance;
         end++)
      ;
    judge(m, u, events + i, end - i);
  }
}

// ir_check_groups is what makes group statements of differing begin errors.
static bool is_accepted(const Make *m) {
  DiagEngine *diags = diag_engine_new(m->arena, 0);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  ir_check_groups(m->kernel, u, diags);
  return diag_error_count(diags) == 0;
}

static bool is_group_node(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_GROUP && node->op != IR_THREAD_FOR;
}

static bool put_in_memory(IrNode *node, void *context) {
  IrObject *const *objects = context;
  bool is_moved = (node->op == IR_GET || node->op == IR_SET) &&
                  node->u.variable.var < N_VARS;
  if (!is_moved)
    return true;
  uint32_t var = node->u.variable.var;
  node->op = node->op == IR_GET ? IR_LOAD : IR_STORE;
  memset(&node->u, 0, sizeof node->u);
  node->u.access = (IrAccess){.object = objects[var], .type = MAKE_I32};
  return true;
}

// The variables of the kernel become memory of each thread.
static void keep_in_memory(const Make *m) {
  IrObject *objects[N_VARS];
  for (uint32_t i = 0; i < N_VARS; i++) {
    objects[i] = ir_object_new(m->kernel, "own", SPACE_LOCAL, MAKE_I32);
    assert_int_equal(objects[i]->id, i);
  }
  ir_walk(&m->kernel->body, put_in_memory, objects);
}

static bool run_kernel(uint32_t seed) {
  seed_now = seed;
  Make m = random_kernel(seed);
  if (seed % 2)
    keep_in_memory(&m);
  ir_kernel_renumber(m.kernel);
  bool is_good =
      m.kernel->vars.count <= 64 &&
      (ir_walk(&m.kernel->body, is_group_node, NULL) || is_accepted(&m));
  static Event events[MAX_EVENTS];
  uint32_t n = 0;
  for (int32_t i = 0; is_good && i < N_THREADS; i++) {
    Thread t = {.m = &m,
                .thread = i,
                .values = ARENA_ARRAY(m.arena, int32_t, m.kernel->n_nodes),
                .range = {0, N_THREADS},
                .events = events,
                .n_events = n};
    run_region(&t, &m.kernel->body, 1);
    n = t.n_events;
    is_good = !t.is_over;
  }
  if (is_good)
    compare(&m, events, n);
  make_free(&m);
  return is_good;
}

static void test_random_kernels(void **state) {
  (void)state;
  const char *seeds = getenv("HD_TEST_SEEDS");
  uint32_t n_seeds = seeds ? (uint32_t)atoi(seeds) : 4000, n_run = 0;
  for (uint32_t seed = 0; seed < n_seeds; seed++)
    n_run += run_kernel(seed);
  // Otherwise nothing was tested.
  print_message("%u kernels, %u uniform reads, %u of memory, %u nodes met\n",
                n_run, n_uniform, n_uniform_loads, n_converged);
  assert_true(n_run > n_seeds / 8);
  assert_true(n_uniform > n_run / 2 && n_converged > n_run);
  assert_true(n_uniform_loads > n_run / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
