// SPDX-License-Identifier: Apache-2.0
// What `requires` says of the contents of arrays, tested before a launch with
// checks. Elements are looked at one by one; an array of n elements takes
// O(n log n) time and 16 n bytes.
#include "session/args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An integer of any type, and where in the array it stands.
typedef struct {
  int64_t value;
  int64_t at; // in row-major order
} Element;

typedef struct {
  const HdArgs *args;
  HdStatus status; // of the test itself
  char why[256];   // the first predicate that is false
} Test;

static const HdBuffer *buffer_of(const Test *test, const IrObject *object) {
  return test->args->buffers[object->param];
}

static int64_t element_count(const HdBuffer *buffer) {
  int64_t count = 1;
  for (int i = 0; i < buffer->rank; i++)
    count *= buffer->extents[i];
  return count;
}

// Unsigned 64-bit values beyond INT64_MAX become it: no bound reaches there.
static int64_t contents_read_integer(HdType type, const char *at) {
  union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
  } v = {0};

  switch ((int)type) {
  case HD_I8: memcpy(&v.i8, at, 1); return v.i8;
  case HD_I16: memcpy(&v.i16, at, 2); return v.i16;
  case HD_I32: memcpy(&v.i32, at, 4); return v.i32;
  case HD_BOOL:
  case HD_U8: memcpy(&v.u8, at, 1); return v.u8;
  case HD_U16: memcpy(&v.u16, at, 2); return v.u16;
  case HD_U32: memcpy(&v.u32, at, 4); return v.u32;
  case HD_U64:
    memcpy(&v.u64, at, 8);
    return v.u64 > INT64_MAX ? INT64_MAX : (int64_t)v.u64;
  default: memcpy(&v.i64, at, 8); return v.i64;
  }
}

static int64_t contents_element_at(const HdBuffer *buffer, int64_t number) {
  const char *at = buffer->data;
  for (int i = buffer->rank; i-- > 0;) {
    int64_t extent = buffer->extents[i];
    at += number % extent * buffer->strides[i] * (int64_t)buffer->element_bytes;
    number /= extent;
  }
  return contents_read_integer(buffer->type, at);
}

// "idx[3]" or "idx[1][2]".
static void contents_name_element(const IrObject *object,
                                  const HdBuffer *buffer, int64_t number,
                                  char *text, size_t size) {
  int64_t index[8] = {0};
  for (int i = buffer->rank; i-- > 0;) {
    index[i] = number % buffer->extents[i];
    number /= buffer->extents[i];
  }
  size_t length = (size_t)snprintf(text, size, "%s", object->name);
  for (int i = 0; i < buffer->rank && length < size; i++)
    length += (size_t)snprintf(text + length, size - length, "[%" PRId64 "]",
                               index[i]);
}

static bool evaluate_bound(Test *test, const IrHost *bound, int64_t none,
                           int64_t *out) {
  *out = none;
  if (!bound)
    return true;
  HostScope scope = args_scope(test->args);
  char buffer[256];
  const char *why = host_eval_int(&scope, bound, out, buffer);
  if (why)
    snprintf(test->why, sizeof test->why, "%s", why);
  return why == NULL;
}

// Elements, in row-major order, whose position along the first dimension lies
// in the bounds. What a pointer leads to has one dimension.
static bool contents_find_range(Test *test, const IrHost *x, int64_t *first,
                                int64_t *last) {
  const HdBuffer *buffer = buffer_of(test, x->object);
  int64_t rows = element_count(buffer), row = 1;
  if (!x->object->is_plain_pointer && buffer->rank > 1 && rows > 0) {
    row = rows / buffer->extents[0];
    rows = buffer->extents[0];
  }
  if (!evaluate_bound(test, x->args[0], 0, first) ||
      !evaluate_bound(test, x->args[1], rows, last))
    return false;
  *first = (*first < 0 ? 0 : *first > rows ? rows : *first) * row;
  *last = (*last < 0 ? 0 : *last > rows ? rows : *last) * row;
  return true;
}

// ------------------------------------------------------------- predicates

static bool contents_is_bounded(Test *test, const IrHost *x) {
  const HdBuffer *buffer = buffer_of(test, x->object);
  int64_t low, high, n = element_count(buffer);
  if (!x->args[0])
    return true;
  if (!evaluate_bound(test, x->args[0], 0, &low) ||
      !evaluate_bound(test, x->args[1], 0, &high))
    return false;
  for (int64_t i = 0; i < n; i++) {
    int64_t value = contents_element_at(buffer, i);
    if (value >= low && value < high)
      continue;
    char name[96];
    contents_name_element(x->object, buffer, i, name, sizeof name);
    snprintf(test->why, sizeof test->why,
             "%s is %" PRId64 ", not in [%" PRId64 ", %" PRId64 ")", name,
             value, low, high);
    return false;
  }
  return true;
}

static int contents_by_value(const void *a, const void *b) {
  const Element *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static bool is_injective(Test *test, const IrHost *x) {
  const HdBuffer *buffer = buffer_of(test, x->object);
  int64_t first, last;
  if (!contents_find_range(test, x, &first, &last))
    return false;
  int64_t n = last > first ? last - first : 0;
  Element *sorted = calloc((size_t)n + 1, sizeof *sorted);
  if (!sorted) {
    test->status = HD_ERROR_MEMORY;
    return false;
  }
  for (int64_t i = 0; i < n; i++)
    sorted[i] = (Element){contents_element_at(buffer, first + i), first + i};
  qsort(sorted, (size_t)n, sizeof *sorted, contents_by_value);
  bool holds = true;
  for (int64_t i = 1; i < n && holds; i++) {
    if (sorted[i].value != sorted[i - 1].value)
      continue;
    char one[96], other[96];
    contents_name_element(x->object, buffer, sorted[i - 1].at, one, sizeof one);
    contents_name_element(x->object, buffer, sorted[i].at, other, sizeof other);
    snprintf(test->why, sizeof test->why, "%s and %s are both %" PRId64, one,
             other, sorted[i].value);
    holds = false;
  }
  free(sorted);
  return holds;
}

static bool contents_is_monotone(Test *test, const IrHost *x) {
  const HdBuffer *buffer = buffer_of(test, x->object);
  int64_t first, last;
  if (!contents_find_range(test, x, &first, &last))
    return false;
  for (int64_t i = first + 1; i < last; i++) {
    int64_t before = contents_element_at(buffer, i - 1),
            value = contents_element_at(buffer, i);
    if (value >= before)
      continue;
    char name[96];
    contents_name_element(x->object, buffer, i, name, sizeof name);
    snprintf(test->why, sizeof test->why,
             "%s is %" PRId64 ", less than the %" PRId64 " before it", name,
             value, before);
    return false;
  }
  return true;
}

static bool contents_is_disjoint(Test *test, const IrHost *x) {
  if (x->object == x->other)
    return true; // args_check_members saw to it
  uint32_t a = (uint32_t)x->object->param, b = (uint32_t)x->other->param;
  bool is_apart = true;
  for (uint32_t i = 0; i < args_buffer_count(test->args, a); i++)
    for (uint32_t k = 0; k < args_buffer_count(test->args, b); k++)
      is_apart &= !buffers_overlap(args_buffer(test->args, a, i),
                                   args_buffer(test->args, b, k));
  if (is_apart)
    return true;
  snprintf(test->why, sizeof test->why, "'%s' and '%s' overlap in memory",
           x->object->name, x->other->name);
  return false;
}

static bool contents_holds(Test *test, const IrHost *x) {
  HostScope scope = args_scope(test->args);
  HostValue value;
  char buffer[256];
  switch ((int)x->op) {
  case HOST_INJECTIVE: return is_injective(test, x);
  case HOST_BOUNDED: return contents_is_bounded(test, x);
  case HOST_MONOTONE: return contents_is_monotone(test, x);
  case HOST_DISJOINT: return contents_is_disjoint(test, x);
  case HOST_LOGICAL_AND:
    return contents_holds(test, x->args[0]) && contents_holds(test, x->args[1]);
  case HOST_LOGICAL_OR:
    return contents_holds(test, x->args[0]) || contents_holds(test, x->args[1]);
  case HOST_LOGICAL_NOT: return !contents_holds(test, x->args[0]);
  default: break;
  }
  const char *why = host_eval(&scope, x, &value, buffer);
  if (why)
    snprintf(test->why, sizeof test->why, "%s", why);
  return !why && (value.is_float ? value.real != 0 : value.integer != 0);
}

HdStatus args_check_contents(const HdArgs *args) {
  for (uint32_t i = 0; i < args->ir->requirements.count; i++) {
    const IrRequire *require = &args->ir->requirements.data[i];
    Test test = {.args = args, .status = HD_OK};
    if (require->kind != REQUIRE_CONTENTS ||
        contents_holds(&test, require->condition))
      continue;
    if (test.status != HD_OK)
      return session_fail(args->session, test.status, "out of memory");
    Arena *arena = arena_new();
    HdStatus status = session_fail(
        args->session, HD_ERROR_CHECK,
        "%s: error[HD0604]: kernel '%s' requires %s, which is false%s%s",
        ir_loc_text(args->ir->module, require->loc, arena), args->ir->name,
        require->text, test.why[0] ? ": " : "", test.why);
    arena_free(arena);
    return status;
  }
  return HD_OK;
}
