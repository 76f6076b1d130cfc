// SPDX-License-Identifier: Apache-2.0
// Arena and the vectors that live in it.
#include "base/arena.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void memory_is_zeroed_aligned_and_distinct(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char *previous = NULL;
  for (size_t size = 0; size < 3000; size += 7) {
    char *memory = arena_alloc(arena, size);
    assert_non_null(memory);
    assert_ptr_not_equal(memory, previous);
    assert_int_equal((uintptr_t)memory % 16, 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(memory[i], 0);
    memset(memory, 0xFF, size);
    previous = memory;
  }
  arena_free(arena);
}

static void large_blocks_fit(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char *small = arena_strdup(arena, "before");
  size_t size = (size_t)5 << 20;
  char *large = arena_alloc(arena, size);
  large[0] = large[size - 1] = 1;
  assert_string_equal(arena_strdup(arena, "after"), "after");
  assert_string_equal(small, "before");
  assert_true(arena_used_bytes(arena) >= size);
  arena_free(arena);
}

static void release_gives_back_and_zeroes_again(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char *kept = arena_strdup(arena, "kept");
  size_t before = arena_used_bytes(arena);
  for (int round = 0; round < 50; round++) {
    ArenaMark mark = arena_mark(arena);
    for (int i = 0; i < 100; i++) {
      char *memory = arena_alloc(arena, 100);
      assert_int_equal(memory[0] | memory[99], 0);
      memset(memory, 0xAA, 100);
    }
    arena_release(arena, mark);
    assert_int_equal(arena_used_bytes(arena), before);
  }
  assert_string_equal(kept, "kept");
  arena_free(arena);
}

static void release_of_an_empty_arena(void **state) {
  (void)state;
  Arena *arena = arena_new();
  ArenaMark mark = arena_mark(arena);
  arena_alloc(arena, 10);
  arena_release(arena, mark);
  assert_int_equal(arena_used_bytes(arena), 0);
  arena_free(arena);
  arena_free(NULL);
}

static void formatted_text(void **state) {
  (void)state;
  Arena *arena = arena_new();
  assert_string_equal(arena_printf(arena, "%d and %s", 7, "x"), "7 and x");
  assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
  assert_string_equal(arena_strndup(arena, NULL, 0), "");
  char *copy = arena_copy(arena, "\0\1\2", 3);
  assert_memory_equal(copy, "\0\1\2", 3);
  arena_free(arena);
}

static void vectors_keep_what_was_pushed(void **state) {
  (void)state;
  Arena *arena = arena_new();
  hd_vec(uint64_t) numbers = {0};
  for (uint64_t i = 0; i < 10000; i++)
    VEC_PUSH(arena, &numbers, i * i);
  assert_int_equal(numbers.count, 10000);
  for (uint64_t i = 0; i < 10000; i++)
    assert_int_equal(numbers.data[i], i * i);
  assert_int_equal(VEC_LAST(&numbers), 9999 * 9999);
  assert_int_equal(VEC_POP(&numbers), 9999 * 9999);
  assert_int_equal(numbers.count, 9999);
  VEC_RESERVE(arena, &numbers, 50000);
  assert_true(numbers.capacity >= 50000);
  assert_int_equal(numbers.data[9998], 9998 * 9998);
  arena_free(arena);
}

// Two at once: only the last can grow where it is.
static void vectors_that_grow_are_apart(void **state) {
  (void)state;
  Arena *arena = arena_new();
  hd_vec(uint32_t) a = {0}, b = {0};
  for (uint32_t i = 0; i < 300000; i++) {
    VEC_PUSH(arena, &a, i);
    if (i % 3 == 0 || i > 200000)
      VEC_PUSH(arena, &b, ~i);
    if (i % 1000 == 0)
      assert_int_equal(*(unsigned char *)arena_alloc(arena, 1), 0);
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < 300000; i++) {
    assert_int_equal(a.data[i], i);
    if (i % 3 == 0 || i > 200000)
      assert_int_equal(b.data[n++], ~i);
  }
  assert_int_equal(b.count, n);
  arena_free(arena);
}

static void growth_is_rolled_back(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char *text = arena_grow(arena, NULL, 0, 0, 16);
  memset(text, 'a', 16);
  ArenaMark mark = arena_mark(arena);
  size_t used_bytes = arena_used_bytes(arena);
  char *grown = arena_grow(arena, text, 16, 16, 64);
  memset(grown + 16, 'b', 48);
  assert_memory_equal(grown, "aaaaaaaaaaaaaaaa", 16);
  arena_release(arena, mark);
  assert_int_equal(arena_used_bytes(arena), used_bytes);
  char *zeroed = arena_alloc(arena, 64);
  for (int i = 0; i < 64; i++)
    assert_int_equal(zeroed[i], 0);
  assert_memory_equal(text, "aaaaaaaaaaaaaaaa", 16);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_zeroed_aligned_and_distinct),
      cmocka_unit_test(large_blocks_fit),
      cmocka_unit_test(release_gives_back_and_zeroes_again),
      cmocka_unit_test(release_of_an_empty_arena),
      cmocka_unit_test(formatted_text),
      cmocka_unit_test(vectors_keep_what_was_pushed),
      cmocka_unit_test(vectors_that_grow_are_apart),
      cmocka_unit_test(growth_is_rolled_back),
  };
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
