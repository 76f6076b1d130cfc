// SPDX-License-Identifier: Apache-2.0
// Order of rings and meetings, written down as relations.
#include "check/order/isl_order_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the three above
#include <cmocka.h>

#ifdef HD_HAVE_ISL
#include <isl/options.h>

enum { MAX_OPS = 16 };

typedef struct {
  Arena *arena;
  OrderGraph graph;
  OrderOp ops[MAX_OPS];
  uint32_t n_ops;
} Fixture;

static void fixture_init(Fixture *f) {
  *f = (Fixture){.arena = arena_new()};
  f->graph.ctx = isl_ctx_alloc();
  f->graph.n_lead = 1;
}

static void fixture_fini(Fixture *f) {
  for (uint32_t i = 0; i < f->n_ops; i++) {
    isl_set_free(f->ops[i].event.domain);
    isl_map_free(f->ops[i].node);
  }
  graph_clear(&f->graph);
  isl_ctx_free(f->graph.ctx);
  arena_free(f->arena);
}

static OrderEvent event(Fixture *f, const char *loops, const char *domain) {
  OrderEvent result = {.position = f->n_ops, .is_exact = true};
  for (; loops[result.n_loops]; result.n_loops++)
    result.loops[result.n_loops] =
        (const void *)(uintptr_t)(loops[result.n_loops]); // a letter is a loop
  result.domain = isl_set_read_from_str(f->graph.ctx, domain);
  return result;
}

enum { SIGNAL = 1, AWAIT = 2, SYNC = 3 };

static void op(Fixture *f, int what, const char *loops, const char *domain,
               const char *node) {
  OrderOp *new_op = &f->ops[f->n_ops];
  new_op->event = event(f, loops, domain);
  new_op->signals = what & SIGNAL;
  new_op->awaits = what & AWAIT;
  new_op->node =
      isl_map_intersect_domain(isl_map_read_from_str(f->graph.ctx, node),
                               isl_set_copy(new_op->event.domain));
  assert_non_null(new_op->node);
  VEC_PUSH(f->arena, &f->graph.ops, new_op);
  f->n_ops++;
}

static bool holds(Fixture *f, isl_union_map *order, const char *required) {
  isl_union_map *map = isl_union_map_read_from_str(f->graph.ctx, required);
  assert_non_null(map);
  bool result = isl_union_map_is_subset(map, order) == isl_bool_true;
  isl_union_map_free(map);
  isl_union_map_free(order);
  return result;
}

static isl_union_map *between(Fixture *f, const OrderEvent *a,
                              const OrderEvent *b) {
  return isl_union_map_apply_range(
      graph_after(&f->graph, a, NULL, ORDER_MEMORY, ORDER_FAR),
      graph_awaited(&f->graph, b));
}

#define PRODUCER  "[N] -> { [t, k] : t = 0 and 0 <= k < N }"
#define CONSUMERS "[N] -> { [t, k] : 128 <= t < 256 and 0 <= k < N }"
#define FIRST     "[N] -> { [t, k] : t = 128 and 0 <= k < N }"

// What each row of the ring is made of; variants leave something out.
typedef struct {
  bool no_wait_free, first_arrives, has_sync;
  int shift; // of the generation that the producer waits for
} Ring;

static void ring(Fixture *f, const Ring *r, OrderEvent *write,
                 OrderEvent *read) {
  const char *before =
      r->shift ? "{ [t, k] -> E[k] }" : "{ [t, k] -> E[k - 4] }";
  if (!r->no_wait_free)
    op(f, AWAIT, "k", PRODUCER, before);
  *write = event(f, "k", PRODUCER);
  f->n_ops++;
  op(f, SIGNAL, "k", PRODUCER, "{ [t, k] -> F[k] }");
  op(f, AWAIT, "j", CONSUMERS, "{ [t, k] -> F[k] }");
  *read = event(f, "j", CONSUMERS);
  f->n_ops++;
  if (r->has_sync)
    op(f, SYNC, "j", CONSUMERS, "{ [t, k] -> S[k] }");
  op(f, SIGNAL, "j", r->first_arrives ? FIRST : CONSUMERS,
     "{ [t, k] -> E[k] }");
  graph_close(&f->graph);
  graph_see(&f->graph);
}

// The write of a slot and the reads of its last content.
#define REUSE                                                                  \
  "[N] -> { [t, k] -> [u, j] : 128 <= t < 256 and u = 0 and 0 <= k and j > k " \
  "and (j - k) mod 4 = 0 and j < N }"
#define FILLED                                                                 \
  "[N] -> { [t, k] -> [u, j] : t = 0 and 128 <= u < 256 and 0 <= k <= j and "  \
  "(j - k) mod 4 = 0 and j < N }"

static void check_ring(const Ring *r, bool is_filled, bool is_reused,
                       bool is_acyclic) {
  Fixture f;
  fixture_init(&f);
  OrderEvent write, read;
  ring(&f, r, &write, &read);
  assert_int_equal(holds(&f, between(&f, &write, &read), FILLED), is_filled);
  assert_int_equal(holds(&f, between(&f, &read, &write), REUSE), is_reused);
  assert_int_equal(graph_is_acyclic(&f.graph), is_acyclic);
  isl_set_free(write.domain);
  isl_set_free(read.domain);
  fixture_fini(&f);
}

static void test_ring(void **state) {
  (void)state;
  check_ring(&(Ring){0}, true, true, true);
  check_ring(&(Ring){.no_wait_free = true}, true, false, true);
  check_ring(&(Ring){.shift = 4}, true, true, false);
}

// Who arrives speaks for himself, unless the group met before.
static void test_ring_threads(void **state) {
  (void)state;
  check_ring(&(Ring){.first_arrives = true}, true, false, true);
  check_ring(&(Ring){.first_arrives = true, .has_sync = true}, true, true,
             true);
}

static void test_two_consumers(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  OrderEvent write, read;
  ring(&f, &(Ring){.has_sync = true, .first_arrives = true}, &write, &read);
#define OTHERS "[N] -> { [t, k] : 256 <= t < 384 and 0 <= k < N }"
  op(&f, AWAIT, "l", OTHERS, "{ [t, k] -> F[k] }");
  OrderEvent other = event(&f, "l", OTHERS);
  f.n_ops++;
  op(&f, SIGNAL, "l", OTHERS, "{ [t, k] -> E[k] }");
  graph_close(&f.graph);
  graph_see(&f.graph);
  assert_true(holds(&f, between(&f, &read, &write), REUSE));
  assert_true(holds(&f, between(&f, &other, &write),
                    "[N] -> { [t, k] -> [u, j] : 256 <= t < 384 and u = 0 and "
                    "0 <= k and j > k and (j - k) mod 4 = 0 and j < N }"));
  assert_true(graph_is_acyclic(&f.graph));
  isl_set_free(write.domain);
  isl_set_free(read.domain);
  isl_set_free(other.domain);
  fixture_fini(&f);
}

// Phases of one barrier follow each other; a waiter is there before the next.
static void test_phases(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  OrderEvent write, read;
  ring(&f, &(Ring){0}, &write, &read);
  const OrderEvent *arrive = &f.ops[2].event, *wait = &f.ops[3].event;
  assert_true(holds(&f, graph_ahead(&f.graph, arrive, NULL, ORDER_FAR),
                    "[N] -> { F[k] -> [0, k + 4] : 0 <= k < N - 4 }"));
  assert_true(holds(&f,
                    graph_after(&f.graph, wait, NULL, ORDER_TIME, ORDER_FAR),
                    "[N] -> { [t, k] -> F[k + 4] : 128 <= t < 256 and 0 <= k < "
                    "N - 4 }"));
  assert_false(holds(&f,
                     graph_after(&f.graph, wait, NULL, ORDER_TIME, ORDER_FAR),
                     "[N] -> { [t, k] -> F[k + 3] : 128 <= t < 256 and 0 <= k "
                     "< N - 4 }"));
  isl_set_free(write.domain);
  isl_set_free(read.domain);
  fixture_fini(&f);
}

// Each reach is a part of the next one. That a slot was filled before is known
// through the threads that freed it.
static void test_reaches(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  OrderEvent write, read;
  ring(&f, &(Ring){0}, &write, &read);
  const OrderEvent *arrive = &f.ops[2].event;
  const char *freed = "[N] -> { F[k] -> [0, k + 4] : 0 <= k < N - 4 }";
  assert_false(
      holds(&f, graph_ahead(&f.graph, arrive, NULL, ORDER_NEAR), freed));
  assert_true(
      holds(&f, graph_ahead(&f.graph, arrive, NULL, ORDER_STEP), freed));
  const char *signalled = "[N] -> { [t, k] -> F[k] : t = 0 and 0 <= k < N }";
  for (OrderReach reach = ORDER_NEAR; reach <= ORDER_FAR; reach++) {
    isl_union_map *after =
        graph_after(&f.graph, &write, NULL, ORDER_MEMORY, reach);
    isl_union_map *far =
        graph_after(&f.graph, &write, NULL, ORDER_MEMORY, ORDER_FAR);
    assert_true(isl_union_map_is_subset(after, far) == isl_bool_true);
    isl_union_map_free(far);
    assert_true(holds(&f, after, signalled));
  }
  isl_set_free(write.domain);
  isl_set_free(read.domain);
  fixture_fini(&f);
}

// Tiles, with a meeting of the block after each, around a ring in symbols.
static void test_nested(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
#define OUTER "0 <= j < J and 0 <= k < K"
  op(&f, SIGNAL, "jk", "[J, K] -> { [t, j, k] : t = 0 and " OUTER " }",
     "{ [t, j, k] -> F[j, k] }");
  op(&f, AWAIT, "jl", "[J, K] -> { [t, j, k] : 32 <= t < 64 and " OUTER " }",
     "{ [t, j, k] -> F[j, k] }");
  OrderEvent read =
      event(&f, "jl", "[J, K] -> { [t, j, k] : 32 <= t < 64 and " OUTER " }");
  f.n_ops++;
  op(&f, SYNC, "j", "[J] -> { [t, j] : 0 <= t < 64 and 0 <= j < J }",
     "{ [t, j] -> S[j] }");
  graph_close(&f.graph);
  graph_see(&f.graph);
  assert_true(graph_is_acyclic(&f.graph));
  assert_true(holds(&f, between(&f, &read, &f.ops[0].event),
                    "[J, K] -> { [t, j, k] -> [0, i, l] : 32 <= t < 64 and "
                    "0 <= j < i < J and 0 <= k < K and 0 <= l < K }"));
  assert_false(holds(&f, between(&f, &read, &f.ops[0].event),
                     "[J, K] -> { [t, j, k] -> [0, i, l] : 32 <= t < 64 and "
                     "0 <= j <= i < J and 0 <= k < l < K }"));
  isl_set_free(read.domain);
  fixture_fini(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ring),   cmocka_unit_test(test_ring_threads),
      cmocka_unit_test(test_phases), cmocka_unit_test(test_two_consumers),
      cmocka_unit_test(test_nested), cmocka_unit_test(test_reaches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) {
  return 0;
}
#endif
