// SPDX-License-Identifier: Apache-2.0
// Types of tiles, and what the verifier refuses of operations on them.
#include "ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// ------------------------------------------------------------------ types

static void test_extents(void **state) {
  (void)state;
  static const uint32_t good[] = {1, 2, 3, 31, 48, 96, 192, 31 << 4, 1 << 20};
  static const uint32_t bad[] = {0, 33, 37, 74, 1 << 21, UINT32_MAX};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(ir_tile_extent_fits(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(ir_tile_extent_fits(bad[i]));
}

static void test_rows_are_shared(void **state) {
  (void)state;
  Arena *arena = arena_new();
  IrModule *module = ir_module_new(arena, "m.hd");
  uint32_t extents[] = {4, 6};
  IrType f32 = ir_scalar(IR_TYPE_F32), boolean = ir_scalar(IR_TYPE_BOOL);
  IrType one = ir_tile_type(module, f32, 2, extents);
  IrType mask = ir_tile_of(module, one, boolean);
  assert_true(ir_type_equal(one, ir_tile_type(module, f32, 2, extents)));
  assert_false(ir_type_equal(one, ir_tile_type(module, f32, 1, extents)));
  assert_true(ir_type_equal(f32, ir_tile_type(module, f32, 0, extents)));
  assert_true(ir_same_extents(module, one, mask));
  assert_false(ir_same_extents(module, one, f32));
  assert_true(ir_type_equal(ir_element_type(module, mask), boolean));
  assert_int_equal(ir_tile_elements(module, one), 24);
  assert_int_equal(ir_tile_elements(module, f32), 1);
  assert_int_equal(ir_type_size(module, one), 96);
  arena_free(arena);
}

// ------------------------------------------------------------- operations

// Before a body: %0 i32, %1 i64, %2 f32, %3 bool, %4 i32[8], %5 i32[2, 4],
// %6 f32[2, 4], %7 bool[8].
static const char *program(char *text, size_t size, const char *tiles,
                           const char *body) {
  snprintf(text, size,
           "heddle-ir 1\nmodule \"t.hd\"\n"
           "tile i32[8]\ntile i32[2, 4]\ntile f32[2, 4]\ntile bool[8]\n"
           "tile i32[16]\ntile i32[2]\ntile f32[4, 2]\ntile f32[2, 2]\n%s\n"
           "kernel \"k\" {\n  block 1 1 1\n  grid 1 1 _ _\n"
           "  group #0 grid align 1024 \"grid\"\n"
           "  group #1 cluster in #0 align 1024 \"cluster\"\n"
           "  group #2 block in #1 size 1 align 1024 \"block\"\n"
           "  object @a global i32 of 4 extents [64] align 4 bound 0\n"
           "  object @m global f32 of 4 extents [64, 64] align 4 bound 1\n"
           "  object @c global i32 of 4 extents [64] align 4 bound 2 const\n"
           "  object @t global i32 of 4 extents [4, 64] align 4 table bound 3\n"
           "  param \"a\" array void @a\n  param \"m\" array void @m\n"
           "  param \"c\" array void @c\n  param \"t\" array void @t\n"
           "  var $x.0 i32\n  var $y.1 i32\n  var $f.2 f32\n  body {\n"
           "  %%0 = const i32 1\n  %%1 = const i64 1\n  %%2 = const f32 0\n"
           "  %%3 = const bool 1\n  %%4 = tile_iota tile.0\n"
           "  %%5 = tile_reshape tile.1 %%4\n  %%6 = stof tile.2 %%5\n"
           "  %%7 = tile_broadcast tile.3 %%3\n%s\n  }\n}\nlocations {\n}\n",
           tiles, body);
  return text;
}

// The first error; "": there is none.
static const char *error_of(Arena *arena, const char *tiles, const char *body) {
  static char text[4000];
  const char *code, *message;
  parse_ir(arena, program(text, sizeof text, tiles, body), &code, &message);
  return message;
}

typedef struct {
  const char *body;
  const char *why;
} Refused;

static const Refused refused[] = {
    {"%8 = add tile.0 %4, %5", "tiles of several shapes"},
    {"%8 = add tile.1 %4, %4", "its result has another shape"},
    {"%8 = slt tile.0 %4, %4", "its result is bool"},
    {"%8 = add tile.2 %6, %4", "tiles of several shapes"},
    {"%8 = fma tile.0 %4, %4, %4", "operand 0 can't be"},
    {"%8 = select tile.0 %3, %4, %4", "tiles of several shapes"},
    {"%8 = uniform tile.0 #2 %4", "operand 0 can't be"},
    {"%8 = shfl tile.0 #2 %4, %0", "operand 0 can't be"},
    {"%8 = tile_broadcast tile.0 %2", "its result has other elements"},
    {"%8 = tile_broadcast tile.0 %5", "its result has another shape"},
    {"%8 = tile_broadcast i32 %0", "its result has another shape"},
    {"%8 = tile_iota tile.1", "a row of i32"},
    {"%8 = tile_reshape tile.4 %4", "its result has another shape"},
    {"%8 = tile_permute tile.2 [0, 0] %6", "not a permutation"},
    {"%8 = tile_permute tile.2 [1, 0] %6", "its result has another shape"},
    {"%8 = tile_permute tile.2 [0] %6", "its result has another shape"},
    {"%8 = tile_cat tile.4 %4, %5", "operand 1 doesn't fit"},
    {"%8 = tile_cat tile.0 axis 4 %4", "there is no axis 4"},
    {"%8 = tile_cat tile.4 %4", "its result has another shape"},
    {"%8 = tile_extract tile.5 [7] %4", "its part goes outside along axis 0"},
    {"%8 = tile_extract tile.5 [-1] %4", "its part goes outside along axis 0"},
    {"%8 = tile_insert tile.0 [0] %4, %0", "its result has another shape"},
    {"%8 = tile_roll tile.0 %4", "doesn't say how far"},
    {"%8 = tile_pad tile.4 %4, %2", "operand 1 is not an element"},
    {"%8 = tile_pad tile.5 %4, %0", "its result has another shape"},
    {"%8 = tile_map tile.0 by $x.0 $x.0 $f.2 %4 { }", "is f32, not i32"},
    {"%8 = tile_map tile.0 by $x.0 $y.1 $y.1 %4 { }", "takes one element"},
    {"%8 = tile_reduce i32 %4", "there are no such axes"},
    {"%8 = tile_reduce i32 axes 2 %4", "there are no such axes"},
    {"%8 = tile_reduce i32 combine fmin axes 1 %4", "can't combine"},
    {"%8 = tile_reduce tile.5 axes 1 %5", "its result has another shape"},
    {"%8 = tile_arg i32 axes 1 %4", "neither a smallest nor a largest"},
    {"%8 = tile_arg tile.5 combine umin axes 1 %4",
     "its result has another shape"},
    {"%8 = tile_scan tile.0 %4, %2", "operand 1 is not an element"},
    {"%8 = tile_scan_by tile.0 by $x.0 $x.0 $y.1 exclusive %4 { }",
     "has nothing to begin with"},
    {"%8 = tile_sort tile.3 %7", "such elements have no order"},
    {"%8 = tile_argsort tile.2 %6", "its result has another shape"},
    {"%8 = tile_topk tile.0 %4", "its result has no structs"},
    {"%8 = tile_histogram tile.0 %6", "counts integers"},
    {"%8 = tile_bitcast tile.4 %4", "its result has another shape"},
    {"%8 = tile_mma tile.2 %6, %6, %6", "its result has another shape"},
    {"%8 = tile_mma tile.0 %4, %4, %4", "can't multiply such elements"},
    {"%8 = tile_load tile.0 @a[%2 : 8]", "index 0 is not an index"},
    {"%8 = tile_load tile.1 @t[%0 : 2, %0 : 4]", "section of several arrays"},
    {"%8 = tile_load tile.0 @t[* %4, %0]", "section of several arrays"},
    {"%8 = load i32 @t align 4", "doesn't say which of several arrays"},
    {"%8 = tile_load tile.0 @a[%0 : 16]", "its tile has another shape"},
    {"%8 = tile_load tile.2 @a[%0 : 8]", "its tile has another shape"},
    {"%8 = tile_load tile.0 @a[%0]", "its tile has another shape"},
    {"%8 = tile_load tile.0 @a[%0 : 37]", "a length of 37 doesn't fit"},
    {"%8 = tile_load tile.0 @a[* %0]", "not a tile of integers"},
    {"%8 = tile_load tile.0 @a[* %7]", "not a tile of integers"},
    {"%8 = tile_load tile.2 @m[* %4, * %5]", "several shapes"},
    {"%8 = tile_load tile.2 @m[%0 : 2, %0 : 4] mask = %7", "mask doesn't fit"},
    {"%8 = tile_load tile.0 @a[%0 : 8] pad = %2", "value outside"},
    {"%8 = tile_load tile.0 @a[%0 : 8] view = %0, %1", "view is not i64"},
    {"%8 = tile_load tile.0 @a[%0 : 8] view = %1", "has 2 operands"},
    {"tile_store @c[%0 : 8] = %4", "'c' can't be written"},
    {"tile_store @a[%0 : 8] = %5", "its tile has another shape"},
    {"tile_store @a[%0 : 8] pad = %0, %4", "has a value outside"},
    {"%8 = tile_rmw tile.0 @a[%0 : 8] rmw add = %4", "wrong memory order"},
};

static void test_what_is_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    Arena *arena = arena_new();
    const char *message = error_of(arena, "", refused[i].body);
    if (!strstr(message, refused[i].why))
      fail_msg("%s: '%s', not '%s'", refused[i].body, message, refused[i].why);
    arena_free(arena);
  }
}

static void test_what_is_taken(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "%8 = tile_broadcast tile.2 %2\n%9 = fma tile.2 %6, %8, %6",
      "%8 = select tile.0 %7, %4, %4",
      "%8 = tile_reduce f32 combine fmax axes 3 %6",
      "%8 = tile_load tile.2 @m[%0, * %5]",
      "%8 = tile_load tile.2 @m[* %5, * %5] pad = %2",
      "%8 = tile_load tile.0 @a[%0 : 8] view mask unchecked hint streaming = "
      "%1, %1, %7",
      "%8 = tile_permute tile.6 [1, 0] %6\n"
      "%9 = tile_broadcast tile.7 %2\n%10 = tile_mma tile.7 %6, %8, %9",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    Arena *arena = arena_new();
    assert_string_equal(error_of(arena, "", bodies[i]), "");
    arena_free(arena);
  }
}

static void test_rows(void **state) {
  (void)state;
  static const Refused rows[] = {
      {"tile i32[8]", "tile.8: is tile.0, too"},
      {"tile i32[37]", "tile.8: extent 37 doesn't fit"},
      {"tile i32[0]", "tile.8: extent 0 doesn't fit"},
      {"tile i32[1024, 2048]", "tile.8: extent 2048 doesn't fit"},
      {"tile i32[1, 1, 1, 1, 1, 1]", "dimensions"},
      {"tile i32[]", "tile.8: has 0 dimensions"},
      {"tile f32x2[8]", "tile.8: elements are scalars"},
      {"tile ptr.global[8]", "tile.8: elements are scalars"},
      {"tile tile.0[8]", "tile.8: elements are scalars"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_new();
    const char *message = error_of(arena, rows[i].body, "");
    if (!strstr(message, rows[i].why))
      fail_msg("%s: '%s', not '%s'", rows[i].body, message, rows[i].why);
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_extents),
      cmocka_unit_test(test_rows_are_shared),
      cmocka_unit_test(test_what_is_refused),
      cmocka_unit_test(test_what_is_taken),
      cmocka_unit_test(test_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
