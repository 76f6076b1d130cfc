// SPDX-License-Identifier: Apache-2.0
// Dropped joins against what threads touch: random fork-join kernels run thread
// by thread. Two accesses of different threads to one element, one of them a
// write, with a join between them but no barrier that was kept, are a race
// that the decision made.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#define N_THREADS 8
#define N_ARRAYS  2
#define N_CELLS   512
#define MAX_TOUCH 40000

static uint64_t random_state;

static uint32_t pick(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

// ------------------------------------------------------------- generation

typedef struct {
  Make m;
  IrObject *arrays[N_ARRAYS];
  uint32_t turn;      // variable of the loop around all, or UINT32_MAX
  uint32_t places[4]; // variables of the thread loops around
  uint32_t n_places;
  bool is_simple; // mostly the same few indices
} Program;

static IrNode *join(Make *m) {
  IrNode *node = make_node(m, IR_JOIN, ir_scalar(IR_TYPE_VOID), NULL, NULL);
  node->u.group.group = make_current(m);
  return node;
}

static IrNode *exact(IrNode *node) {
  node->flags = NODE_NO_SIGNED_WRAP;
  return node;
}

static IrNode *scaled(Make *m, IrNode *value, int64_t factor) {
  if (factor == 1)
    return value;
  return exact(make_op(m, IR_MUL, value, make_int(m, factor)));
}

static IrNode *plus(Make *m, IrNode *a, IrNode *b) {
  return exact(make_op(m, IR_ADD, a, b));
}

static IrNode *some_index(Program *p) {
  Make *m = &p->m;
  IrNode *sum = NULL;
  for (uint32_t i = 0; i < p->n_places; i++) {
    int64_t factor = p->is_simple && p->n_places > 1 ? (i == 0 ? 4 : 1)
                     : p->is_simple                  ? 1
                                                     : (int64_t)pick(5) + 1;
    if (!p->is_simple && pick(8) == 0)
      continue;
    IrNode *term = scaled(m, make_get(m, p->places[i]), factor);
    sum = sum ? plus(m, sum, term) : term;
  }
  if (!sum)
    sum = pick(2) ? make_rank(m) : make_int(m, pick(4));
  if (pick(p->is_simple ? 8 : 3) == 0)
    sum = plus(m, sum, make_int(m, pick(3)));
  if (p->turn != UINT32_MAX && pick(6) == 0)
    sum = plus(m, sum, make_get(m, p->turn));
  if (pick(8) == 0)
    sum = plus(m, sum, scaled(m, make_block_index(m), 8));
  return sum;
}

static void some_access(Program *p) {
  Make *m = &p->m;
  IrObject *array = p->arrays[pick(N_ARRAYS)];
  IrNode *index = some_index(p);
  if (pick(2))
    make_store(m, array, index, make_int(m, 1));
  else
    make_load(m, array, index);
}

static void some_accesses(Program *p) {
  for (uint32_t n = 1 + pick(2); n > 0; n--)
    some_access(p);
}

static void some_loop(Program *p, uint32_t depth) {
  static const int64_t counts[] = {8, 8, 8, 16, 4, 2, 24, 0};
  Make *m = &p->m;
  int64_t size = make_current(m)->size;
  int64_t count = counts[pick(8)];
  if (depth > 1)
    count = size > 1 ? size : 4;
  if (count && count <= size && size % count)
    count = size;
  uint32_t var = make_var(m, NULL);
  IrNode *node =
      make_thread_for(m, var, count ? NULL : make_block_index(m), count);
  if (pick(6) == 0 && count)
    node->u.part.step = 2; // then `hi` only bounds; counts stay
  p->places[p->n_places++] = var;
  bool goes_deeper = depth < 2 && node->u.part.group->size > 1 && pick(4) != 0;
  if (goes_deeper)
    some_loop(p, depth + 1);
  else if (pick(6) == 0 && node->u.part.group->size > 1) {
    make_group(m, NULL, 0, 1);
    some_accesses(p);
    make_end(m);
  } else
    some_accesses(p);
  p->n_places--;
  m->at = node->region;
}

static void some_statement(Program *p) {
  Make *m = &p->m;
  switch (pick(8)) {
  case 0: make_sync(m); break;
  case 1: some_access(p); break;
  case 2:
    make_group(m, NULL, pick(4), 1 + pick(2) * 3);
    some_access(p);
    make_end(m);
    break;
  default:
    join(m);
    some_loop(p, 0);
    join(m);
  }
}

static void some_program(Program *p) {
  Make *m = &p->m;
  p->is_simple = pick(2);
  p->turn = UINT32_MAX;
  for (uint32_t i = 0; i < N_ARRAYS; i++)
    p->arrays[i] = make_shared(m, i ? "b" : "a");
  IrNode *around = NULL;
  if (pick(2)) {
    p->turn = make_var(m, NULL);
    IrNode *lo = make_int(m, 0);
    around = make_for(m, p->turn, lo, make_int(m, 3));
  }
  for (uint32_t n = 2 + pick(4); n > 0; n--)
    some_statement(p);
  if (around)
    make_end(m);
}

// --------------------------------------------------------------- execution

typedef struct {
  uint32_t cell; // array and element
  int32_t thread;
  uint32_t barriers, joins; // passed before
  bool is_write;
} Touch;

typedef struct {
  int32_t thread, begin, size;
  int32_t vars[64];
  int32_t values[2048];
  uint32_t barriers, joins;
} Thread;

static Touch touches[MAX_TOUCH];
static uint32_t n_touches;

static void run(Thread *t, const IrRegion *region);

static void touch(const Thread *t, const IrNode *node) {
  int32_t index = t->values[node->args[0]->id];
  if (index < 0 || index >= N_CELLS || n_touches == MAX_TOUCH)
    return;
  touches[n_touches++] =
      (Touch){node->u.access.object->id * N_CELLS + (uint32_t)index, t->thread,
              t->barriers, t->joins, node->op == IR_STORE};
}

static void run_thread_for(Thread *t, const IrNode *node) {
  int32_t begin = t->begin, size = t->size, rank = t->thread - begin;
  int32_t step = (int32_t)node->u.part.step;
  if (node->u.part.is_split) {
    int32_t part = rank / (int32_t)node->u.part.group->size;
    t->size = (int32_t)node->u.part.group->size;
    t->begin = begin + part * t->size;
    t->vars[node->u.part.var] = part * step;
    run(t, &node->regions[0]);
  } else {
    int32_t n = node->u.part.count > 0 ? (int32_t)node->u.part.count
                                       : t->values[node->args[1]->id];
    t->begin = t->thread;
    t->size = 1;
    for (int32_t i = rank; i < n; i += size) {
      t->vars[node->u.part.var] = i * step;
      run(t, &node->regions[0]);
    }
  }
  t->begin = begin;
  t->size = size;
}

static void run_group(Thread *t, const IrNode *node) {
  int32_t begin = t->begin, size = t->size;
  t->begin += (int32_t)node->u.part.group->begin;
  t->size = (int32_t)node->u.part.group->size;
  if (t->thread >= t->begin && t->thread < t->begin + t->size)
    run(t, &node->regions[0]);
  t->begin = begin;
  t->size = size;
}

static void run_node(Thread *t, const IrNode *node) {
  int32_t a = node->n_args > 0 ? t->values[node->args[0]->id] : 0;
  int32_t b = node->n_args > 1 ? t->values[node->args[1]->id] : 0;
  int32_t *value = &t->values[node->id];
  switch ((int)node->op) {
  case IR_CONST: *value = (int32_t)node->u.constant.bits; break;
  case IR_RANK: *value = t->thread - t->begin; break;
  case IR_BLOCK_INDEX: *value = 11; break;
  case IR_GET: *value = t->vars[node->u.variable.var]; break;
  case IR_ADD: *value = a + b; break;
  case IR_MUL: *value = a * b; break;
  case IR_SYNC: t->barriers++; break;
  case IR_JOIN:
    t->joins++;
    t->barriers += node->u.group.join == JOIN_KEPT;
    break;
  case IR_LOAD:
  case IR_STORE: touch(t, node); break;
  case IR_THREAD_FOR: run_thread_for(t, node); break;
  case IR_GROUP: run_group(t, node); break;
  case IR_FOR:
    for (int32_t i = a; i < b; i++) {
      t->vars[node->u.loop.var] = i;
      run(t, &node->regions[0]);
    }
    break;
  default: break;
  }
}

static void run(Thread *t, const IrRegion *region) {
  for (const IrNode *node = region->first; node; node = node->next)
    run_node(t, node);
}

static int by_cell(const void *a, const void *b) {
  const Touch *x = a, *y = b;
  if (x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  return x->barriers < y->barriers ? -1 : x->barriers > y->barriers;
}

static bool is_race(const Touch *a, const Touch *b) {
  return a->cell == b->cell && a->barriers == b->barriers &&
         a->thread != b->thread && (a->is_write || b->is_write) &&
         a->joins != b->joins;
}

static uint32_t n_dropped, n_kept;

static bool count_joins(IrNode *node, void *context) {
  (void)context;
  if (node->op == IR_JOIN) {
    assert_int_not_equal(node->u.group.join, JOIN_OPEN);
    if (node->u.group.join == JOIN_KEPT)
      n_kept++;
    else if (node->u.group.join == JOIN_DROPPED_SAME_OWNER)
      n_dropped++;
  }
  return true;
}

static void run_program(uint32_t seed) {
  random_state = seed * UINT64_C(2654435761) + 17;
  Program p = {.m = make_kernel(N_THREADS)};
  some_program(&p);
  Make *m = &p.m;
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  ir_decide_joins(m->kernel, u);
  ir_walk(&m->kernel->body, count_joins, NULL);
  assert_true(m->kernel->n_nodes <= 2048 && m->kernel->vars.count <= 64);
  n_touches = 0;
  for (int32_t i = 0; i < N_THREADS; i++) {
    Thread t = {.thread = i, .size = N_THREADS};
    run(&t, &m->kernel->body);
  }
  qsort(touches, n_touches, sizeof *touches, by_cell);
  for (uint32_t i = 0; i < n_touches; i++)
    for (uint32_t k = i + 1;
         k < n_touches && touches[k].cell == touches[i].cell &&
         touches[k].barriers == touches[i].barriers;
         k++)
      if (is_race(&touches[i], &touches[k]))
        fail_msg("seed %u: threads %d and %d race on element %u of array %u",
                 seed, touches[i].thread, touches[k].thread,
                 touches[i].cell % N_CELLS, touches[i].cell / N_CELLS);
  make_free(m);
}

static void test_random_programs(void **state) {
  (void)state;
  const char *seeds = getenv("HD_TEST_SEEDS");
  uint32_t n_seeds = seeds ? (uint32_t)atoi(seeds) : 25000;
  for (uint32_t seed = 0; seed < n_seeds; seed++)
    run_program(seed);
  print_message("%u joins kept, %u dropped for their owners\n", n_kept,
                n_dropped);
  assert_true(n_kept > n_seeds / 4 && n_dropped > n_seeds / 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
