// SPDX-License-Identifier: Apache-2.0
// Maps, interned strings and hashes.
#include "base/intern.h"
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void keys_are_found_and_replaced(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Map map = {0};
  static int values[2000];
  assert_null(map_get(&map, 0));
  assert_false(map_has(&map, 0));
  for (uint64_t i = 0; i < 2000; i++)
    map_put(arena, &map, i << 32, &values[i]);
  assert_int_equal(map.count, 2000);
  for (uint64_t i = 0; i < 2000; i++)
    assert_ptr_equal(map_get(&map, i << 32), &values[i]);
  assert_false(map_has(&map, 1));
  map_put(arena, &map, 0, &values[7]);
  assert_int_equal(map.count, 2000);
  assert_ptr_equal(map_get(&map, 0), &values[7]);
  arena_free(arena);
}

static void null_is_a_value(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Map map = {0};
  map_put(arena, &map, 5, NULL);
  assert_null(map_get(&map, 5));
  assert_true(map_has(&map, 5));
  arena_free(arena);
}

static void equal_text_is_one_pointer(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Interner *interner = intern_new(arena);
  const char *first = intern_cstr(interner, "name");
  char other[] = "renamed";
  assert_ptr_equal(intern_text(interner, other + 2, 4), first);
  assert_ptr_not_equal(intern_text(interner, other + 2, 3), first);
  assert_string_equal(intern_text(interner, other + 2, 3), "nam");
  assert_ptr_not_equal(intern_text(interner, "a\0b", 3),
                       intern_text(interner, "a\0c", 3));
  assert_string_equal(intern_cstr(interner, ""), "");
  arena_free(arena);
}

static void pointers_survive_growth(void **state) {
  (void)state;

  enum { N = 3000 };

  Arena *arena = arena_new();
  Interner *interner = intern_new(arena);
  static const char *kept[N];
  char name[32];
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof(name), "name%d", i);
    kept[i] = intern_cstr(interner, name);
  }
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof(name), "name%d", i);
    assert_string_equal(kept[i], name);
    assert_ptr_equal(intern_cstr(interner, name), kept[i]);
  }
  arena_free(arena);
}

static Hash128 hash_of_two(const char *a, const char *b) {
  HashState *state = hash_new();
  hash_add_text(state, a);
  hash_add_text(state, b);
  Hash128 result = hash_result(state);
  hash_free(state);
  return result;
}

static void cuts_between_texts_matter(void **state) {
  (void)state;
  Hash128 a = hash_of_two("ab", "c");
  Hash128 b = hash_of_two("a", "bc");
  Hash128 again = hash_of_two("ab", "c");
  assert_memory_equal(&a, &again, sizeof(a));
  assert_memory_not_equal(&a, &b, sizeof(a));
}

// The disk cache outlives builds: the value itself is pinned.
static void content_hash_is_the_published_one(void **state) {
  (void)state;
  HashState *hash = hash_new();
  Hash128 empty = hash_result(hash);
  assert_int_equal(empty.low, UINT64_C(0x6001c324468d497f));
  assert_int_equal(empty.high, UINT64_C(0x99aa06d3014798d8));
  hash_add_u64(hash, 1);
  Hash128 one = hash_result(hash);
  assert_memory_not_equal(&one, &empty, sizeof(one));
  hash_free(hash);
  hash_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_found_and_replaced),
      cmocka_unit_test(null_is_a_value),
      cmocka_unit_test(equal_text_is_one_pointer),
      cmocka_unit_test(pointers_survive_growth),
      cmocka_unit_test(cuts_between_texts_matter),
      cmocka_unit_test(content_hash_is_the_published_one),
  };
  return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
