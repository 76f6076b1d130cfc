// SPDX-License-Identifier: Apache-2.0
// Which shared arrays may lie in the same bytes.
#include "ir/analyses/shared_life.h"
#include "uniform_ask.h"

static IrHost *number(Make *m, int64_t value) {
  IrHost *host = ARENA_NEW(m->arena, IrHost);
  host->op = HOST_CONST;
  host->number = value;
  return host;
}

static IrObject *array(Make *m, const char *name) {
  IrObject *object = make_shared(m, name);
  object->extents[0] = number(m, 64);
  object->element_bytes = 4;
  return object;
}

static void put(Make *m, IrObject *object) {
  IrNode *rank = make_rank(m);
  make_store(m, object, rank, make_int(m, 1));
}

static void take(Make *m, IrObject *object) {
  make_load(m, object, make_int(m, 5));
}

// Written, synced, read.
static void use(Make *m, IrObject *object) {
  put(m, object);
  make_sync(m);
  take(m, object);
}

static bool may_share(Make *m, const IrObject *a, const IrObject *b) {
  ir_kernel_renumber(m->kernel);
  const SharedLives *lives = ir_shared_lives(m->arena, m->kernel);
  bool result = shared_lives_may_share(lives, a->id, b->id);
  assert_int_equal(shared_lives_may_share(lives, b->id, a->id), result);
  return result;
}

// a; (sync); b; (sync); (a is read again)
static void test_needs_a_sync_between(void **state) {
  (void)state;
  for (int how = 0; how < 4; how++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    use(&m, a);
    if (how & 1)
      make_sync(&m);
    use(&m, b);
    make_sync(&m);
    if (how & 2)
      take(&m, a);
    assert_int_equal(may_share(&m, a, b), how == 1);
    make_free(&m);
  }
}

// A sync of some threads only, and one that not all threads get to.
static void test_needs_all_threads(void **state) {
  (void)state;
  for (int how = 0; how < 3; how++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    use(&m, a);
    if (how == 1)
      make_group(&m, NULL, 0, 32);
    else if (how == 2)
      make_if(&m, make_same(&m));
    make_sync(&m);
    if (how)
      make_end(&m);
    use(&m, b);
    assert_int_equal(may_share(&m, a, b), how == 0);
    make_free(&m);
  }
}

// In a loop each array is wanted in the next turn.
static void test_turns_of_a_loop(void **state) {
  (void)state;
  for (int is_loop = 0; is_loop < 2; is_loop++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    uint32_t k = make_var(&m, "k");
    if (is_loop)
      make_for(&m, k, make_int(&m, 0), make_block_index(&m));
    use(&m, a);
    make_sync(&m);
    use(&m, b);
    make_sync(&m);
    if (is_loop)
      make_end(&m);
    assert_int_equal(may_share(&m, a, b), !is_loop);
    make_free(&m);
  }
}

// for (…) { a; (sync) } b: the sync at the end of each turn, or the one behind
// the loop, lies between; without any, the last turn meets b.
static void test_behind_a_loop(void **state) {
  (void)state;
  for (int how = 0; how < 3; how++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    uint32_t k = make_var(&m, "k");
    make_for(&m, k, make_int(&m, 0), make_block_index(&m));
    use(&m, a);
    if (how == 1)
      make_sync(&m);
    make_end(&m);
    if (how == 2)
      make_sync(&m);
    use(&m, b);
    assert_int_equal(may_share(&m, a, b), how != 0);
    make_free(&m);
  }
}

// if (…) { a; sync } else { b; sync }: one of the two for all threads, or,
// where no sync says so, perhaps both at once.
static void test_sides_of_a_branch(void **state) {
  (void)state;
  for (int has_sync = 0; has_sync < 2; has_sync++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b"), *c = array(&m, "c");
    make_if(&m, has_sync ? make_same(&m) : make_below(&m, 9));
    put(&m, a);
    if (has_sync)
      make_sync(&m);
    make_else(&m);
    put(&m, b);
    if (has_sync)
      make_sync(&m);
    make_end(&m);
    make_sync(&m);
    use(&m, c);
    assert_int_equal(may_share(&m, a, b), has_sync);
    assert_true(may_share(&m, a, c));
    make_free(&m);
  }
}

// What a branch leaves out: a is read behind it, so b in it must be elsewhere.
static void test_lives_through_a_branch(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *a = array(&m, "a"), *b = array(&m, "b");
  put(&m, a);
  make_sync(&m);
  make_if(&m, make_same(&m));
  use(&m, b);
  make_sync(&m);
  make_end(&m);
  take(&m, a);
  assert_false(may_share(&m, a, b));
  make_free(&m);
}

// Threads of a group: the block's syncs count, whoever touches.
static void test_touches_of_a_group(void **state) {
  (void)state;
  for (int has_sync = 0; has_sync < 2; has_sync++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    make_group(&m, NULL, 0, 32);
    put(&m, a);
    make_sync(&m);
    take(&m, a);
    make_end(&m);
    if (has_sync)
      make_sync(&m);
    make_group(&m, NULL, 32, 32);
    put(&m, b);
    make_end(&m);
    make_sync(&m);
    assert_int_equal(may_share(&m, a, b), has_sync);
    make_free(&m);
  }
}

enum { COMMITS = 1, WAITS_ALL = 2, WAITS_BUT_ONE = 4 };

// A copy into `a` is under way until it was committed and waited for.
static void test_copies(void **state) {
  (void)state;
  for (int how = 0; how < 8; how++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    IrObject *x = make_array(&m, "x");
    IrNode *to = make_int(&m, 0), *from = make_int(&m, 0);
    IrNode *copy =
        make_node(&m, IR_COPY_ASYNC, ir_scalar(IR_TYPE_VOID), to, from);
    copy->u.copy.group = make_block_group(&m);
    copy->u.copy.to = (IrSection){.object = a, .length = {64}};
    copy->u.copy.from = (IrSection){.object = x, .length = {64}};
    if (how & COMMITS)
      make_node(&m, IR_COPY_COMMIT, ir_scalar(IR_TYPE_VOID), NULL, NULL);
    if (how & (WAITS_ALL | WAITS_BUT_ONE)) {
      IrNode *wait =
          make_node(&m, IR_COPY_WAIT, ir_scalar(IR_TYPE_VOID), NULL, NULL);
      wait->u.index.number = how & WAITS_ALL ? 0 : 1;
    }
    make_sync(&m);
    take(&m, a);
    make_sync(&m);
    use(&m, b);
    bool has_landed = (how & COMMITS) && (how & WAITS_ALL);
    assert_int_equal(may_share(&m, a, b), has_landed);
    copy->u.copy.has_mask = true; // other blocks write it, too
    assert_false(may_share(&m, a, b));
    make_free(&m);
  }
}

// Arrays that stay alone, one reason each.
static void test_alone(void **state) {
  (void)state;
  for (int how = 0; how < 9; how++) {
    Make m = make_kernel(64);
    IrObject *a = array(&m, "a"), *b = array(&m, "b");
    if (how == 1)
      take(&m, a); // before it is written
    if (how == 2) {
      IrType pointer = {.kind = IR_TYPE_PTR, .lanes = 1, .space = SPACE_SHARED};
      IrNode *zero = make_int(&m, 0);
      IrNode *address = make_node(&m, IR_ADDRESS, pointer, zero, NULL);
      address->u.access = (IrAccess){.object = a, .n_index = 1};
    }
    a->is_cluster_shared = how == 3;
    a->is_uninitialised_ok = how == 4;
    a->kind = how == 5 ? OBJECT_MBARRIER : OBJECT_ARRAY;
    if (how == 6)
      a->extents[0] = NULL;
    a->is_scratch = how == 7;
    put(&m, a);
    IrNode *sync = make_sync(&m);
    sync->flags |= how == 8 ? NODE_OWN : 0;
    take(&m, a);
    sync = make_sync(&m);
    sync->flags |= how == 8 ? NODE_OWN : 0;
    use(&m, b);
    assert_int_equal(may_share(&m, a, b), how == 0);
    make_free(&m);
  }
}

// The places: of two that share, the smaller one lies in the larger one; what
// shares with nothing comes first, at its own place.
static void test_places(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *a = array(&m, "a"), *b = array(&m, "b"), *c = array(&m, "c");
  put(&m, c);
  use(&m, a);
  make_sync(&m);
  use(&m, b);
  make_sync(&m);
  take(&m, c);
  ir_kernel_renumber(m.kernel);
  const SharedLives *lives = ir_shared_lives(m.arena, m.kernel);
  SharedSpan spans[] = {
      {a->id, 100, 4, 0}, {b->id, 200, 128, 0}, {c->id, 10, 4, 0}};
  assert_int_equal(shared_lives_place(lives, spans, 3, 0, 1 << 20), 328);
  assert_int_equal(spans[2].offset_bytes, 0);
  assert_int_equal(spans[1].offset_bytes, 128);
  assert_int_equal(spans[0].offset_bytes, 12);
  assert_int_equal(shared_lives_place(NULL, spans, 3, 0, 1 << 20), 338);
  assert_int_equal(shared_lives_place(lives, spans, 3, 0, 300), 300);
  make_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_needs_a_sync_between),
      cmocka_unit_test(test_needs_all_threads),
      cmocka_unit_test(test_turns_of_a_loop),
      cmocka_unit_test(test_behind_a_loop),
      cmocka_unit_test(test_sides_of_a_branch),
      cmocka_unit_test(test_lives_through_a_branch),
      cmocka_unit_test(test_touches_of_a_group),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
