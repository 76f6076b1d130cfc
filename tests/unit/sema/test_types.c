// SPDX-License-Identifier: Apache-2.0
// Types: equal ones are one, layout is the host's, names read as C.
#include "sema/type/types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

typedef struct {
  Arena *arena;
  TypeTable *table;
} Fixture;

static int begin(void **state) {
  static Fixture fixture;
  fixture.arena = arena_new();
  fixture.table = type_table_new(fixture.arena);
  *state = &fixture;
  return 0;
}

static int end(void **state) {
  arena_free(((Fixture *)*state)->arena);
  return 0;
}

static void test_derived_types_are_interned(void **state) {
  TypeTable *table = ((Fixture *)*state)->table;
  const Type *f32 = type_basic(table, TY_FLOAT);
  const Type *shared = type_pointer(table, f32, TSPACE_SHARED, false);
  assert_ptr_equal(shared, type_pointer(table, f32, TSPACE_SHARED, false));
  assert_ptr_not_equal(shared, type_pointer(table, f32, TSPACE_SHARED, true));
  assert_ptr_not_equal(shared, type_pointer(table, f32, TSPACE_GLOBAL, false));
  assert_ptr_equal(type_array(table, shared, 3), type_array(table, shared, 3));
  assert_ptr_not_equal(type_array(table, shared, 3),
                       type_array(table, shared, 4));
  assert_ptr_equal(type_vector(table, f32, 4), type_vector(table, f32, 4));
}

static void test_many_types_stay_distinct(void **state) {
  TypeTable *table = ((Fixture *)*state)->table;
  const Type *element = type_basic(table, TY_CHAR);
  const Type *first[500];
  for (int i = 0; i < 500; i++)
    first[i] = type_array(table, element, i + 1);
  for (int i = 0; i < 500; i++) {
    assert_ptr_equal(first[i], type_array(table, element, i + 1));
    assert_int_equal(first[i]->size_bytes, i + 1);
  }
}

static void test_vectors_align_as_in_cuda(void **state) {
  static const struct {
    TypeKind element;
    uint32_t count, size, align;
  } rows[] = {
      {TY_CHAR, 2, 2, 2},     {TY_CHAR, 3, 3, 1},    {TY_CHAR, 4, 4, 4},
      {TY_SHORT, 2, 4, 4},    {TY_SHORT, 3, 6, 2},   {TY_SHORT, 4, 8, 8},
      {TY_FLOAT, 2, 8, 8},    {TY_FLOAT, 3, 12, 4},  {TY_FLOAT, 4, 16, 16},
      {TY_DOUBLE, 2, 16, 16}, {TY_DOUBLE, 3, 24, 8}, {TY_DOUBLE, 4, 32, 16},
      {TY_LONG, 3, 24, 8},    {TY_HALF, 2, 4, 4},    {TY_HALF, 3, 6, 2},
  };

  TypeTable *table = ((Fixture *)*state)->table;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    const Type *type =
        type_vector(table, type_basic(table, rows[i].element), rows[i].count);
    assert_int_equal(type->size_bytes, rows[i].size);
    assert_int_equal(type->align_bytes, rows[i].align);
  }
}

struct Host {
  char c;
  double d;
  short s[3];

  struct {
    char x;
    int y;
  } in;

  char last;
};

static void test_struct_layout_is_the_hosts(void **state) {
  TypeTable *table = ((Fixture *)*state)->table;
  Arena *arena = ((Fixture *)*state)->arena;
  Span none = {0, 0};
  Field inner[2] = {{.name = "x", .type = type_basic(table, TY_CHAR)},
                    {.name = "y", .type = type_basic(table, TY_INT)}};
  Type *in = type_new_record(table, TY_STRUCT, NULL, none);
  assert_false(type_is_complete(in));
  assert_true(type_complete_record(table, in, inner, 2));
  Field fields[5] = {
      {.name = "c", .type = type_basic(table, TY_CHAR)},
      {.name = "d", .type = type_basic(table, TY_DOUBLE)},
      {.name = "s", .type = type_array(table, type_basic(table, TY_SHORT), 3)},
      {.name = "in", .type = in},
      {.name = "last", .type = type_basic(table, TY_CHAR)}};
  Type *host = type_new_record(table, TY_STRUCT, "Host", none);
  assert_true(type_complete_record(table, host, fields, 5));
  assert_int_equal(host->size_bytes, sizeof(struct Host));
  assert_int_equal(fields[1].offset_bytes, offsetof(struct Host, d));
  assert_int_equal(fields[2].offset_bytes, offsetof(struct Host, s));
  assert_int_equal(fields[3].offset_bytes, offsetof(struct Host, in));
  assert_int_equal(fields[4].offset_bytes, offsetof(struct Host, last));
  assert_string_equal(type_name(arena, host), "struct Host");
}

static void test_huge_arrays_are_refused(void **state) {
  TypeTable *table = ((Fixture *)*state)->table;
  const Type *type = type_basic(table, TY_DOUBLE);
  assert_null(type_array(table, type, INT64_MAX));
  const Type *row = type_array(table, type, (int64_t)1 << 40);
  assert_non_null(row);
  assert_null(type_array(table, row, (int64_t)1 << 40));
}

static void test_names_read_as_c(void **state) {
  TypeTable *table = ((Fixture *)*state)->table;
  Arena *arena = ((Fixture *)*state)->arena;
  const Type *f32 = type_basic(table, TY_FLOAT);
  const Type *row = type_array(table, f32, 4);
  assert_string_equal(type_name(arena, type_array(table, row, -1)),
                      "float[][4]");
  const Type *p = type_pointer(table, f32, TSPACE_SHARED, true);
  assert_string_equal(type_name(arena, p), "shared const float *");
  const Type *pp = type_pointer(table, p, TSPACE_GLOBAL, false);
  assert_string_equal(type_name(arena, pp), "shared const float **");
  const Type *u2 = type_vector(table, type_basic(table, TY_UINT), 2);
  assert_string_equal(type_name(arena, u2), "uint2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_derived_types_are_interned, begin,
                                      end),
      cmocka_unit_test_setup_teardown(test_many_types_stay_distinct, begin,
                                      end),
      cmocka_unit_test_setup_teardown(test_vectors_align_as_in_cuda, begin,
                                      end),
      cmocka_unit_test_setup_teardown(test_struct_layout_is_the_hosts, begin,
                                      end),
      cmocka_unit_test_setup_teardown(test_huge_arrays_are_refused, begin, end),
      cmocka_unit_test_setup_teardown(test_names_read_as_c, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
