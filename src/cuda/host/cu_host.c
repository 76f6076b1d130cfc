// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_host.h"

const CuHost *cu_host_number(CuContext *cu, int64_t value) {
  CuHost *out = ARENA_NEW(cu->arena, CuHost);
  *out = (CuHost){.kind = CU_HOST_NUMBER, .number = value};
  return out;
}

const CuHost *cu_host_variable(CuContext *cu, const char *name) {
  CuHost *out = ARENA_NEW(cu->arena, CuHost);
  *out = (CuHost){.kind = CU_HOST_VARIABLE, .name = name};
  return out;
}

static bool host_is_number(const CuHost *term, int64_t value) {
  return term->kind == CU_HOST_NUMBER && term->number == value;
}

bool cu_host_equal(const CuHost *a, const CuHost *b) {
  if (a->kind != b->kind || a->number != b->number || a->name != b->name)
    return false;
  return !a->a || (cu_host_equal(a->a, b->a) && cu_host_equal(a->b, b->b));
}

bool cu_host_fold(CuHostKind kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
  case CU_HOST_ADD: return !__builtin_add_overflow(a, b, out);
  case CU_HOST_SUB: return !__builtin_sub_overflow(a, b, out);
  case CU_HOST_MUL: return !__builtin_mul_overflow(a, b, out);
  case CU_HOST_DIV:
  case CU_HOST_CDIV:
  case CU_HOST_REM:
    if (b <= 0 || a < 0)
      return false;
    *out = kind == CU_HOST_REM    ? a % b
           : kind == CU_HOST_CDIV ? a / b + (a % b != 0)
                                  : a / b;
    return true;
  case CU_HOST_MIN: *out = a < b ? a : b; return true;
  case CU_HOST_MAX: *out = a > b ? a : b; return true;
  case CU_HOST_SHL:
    return b >= 0 && b < 62 && !__builtin_mul_overflow(a, INT64_C(1) << b, out);
  case CU_HOST_NUMBER:
  case CU_HOST_VARIABLE: break;
  }
  return false;
}

// (x + 128) - 1 is x + 127. NULL: it is something else.
static const CuHost *join_sums(CuContext *cu, CuHostKind kind, const CuHost *a,
                               const CuHost *b) {
  bool is_sum = kind == CU_HOST_ADD || kind == CU_HOST_SUB;
  int64_t first, second, sum;
  if (!is_sum || b->kind != CU_HOST_NUMBER ||
      (a->kind != CU_HOST_ADD && a->kind != CU_HOST_SUB) ||
      a->b->kind != CU_HOST_NUMBER)
    return NULL;
  first = a->b->number;
  second = b->number;
  bool is_known = a->kind == kind
                      ? cu_host_fold(CU_HOST_ADD, first, second, &sum)
                      : cu_host_fold(CU_HOST_SUB, first, second, &sum);
  return is_known && sum >= 0
             ? cu_host_join(cu, a->kind, a->a, cu_host_number(cu, sum))
             : NULL;
}

const CuHost *cu_host_join(CuContext *cu, CuHostKind kind, const CuHost *a,
                           const CuHost *b) {
  int64_t value;
  if (!a || !b)
    return NULL;
  if (a->kind == CU_HOST_NUMBER && b->kind == CU_HOST_NUMBER)
    return cu_host_fold(kind, a->number, b->number, &value)
               ? cu_host_number(cu, value)
               : NULL;
  bool is_product =
      kind == CU_HOST_MUL || kind == CU_HOST_DIV || kind == CU_HOST_CDIV;
  bool is_sum = kind == CU_HOST_ADD || kind == CU_HOST_SUB;
  if ((is_product && host_is_number(b, 1)) || (is_sum && host_is_number(b, 0)))
    return a;
  if ((kind == CU_HOST_MUL && host_is_number(a, 1)) ||
      (kind == CU_HOST_ADD && host_is_number(a, 0)))
    return b;
  const CuHost *joined = join_sums(cu, kind, a, b);
  if (joined)
    return joined;
  CuHost *out = ARENA_NEW(cu->arena, CuHost);
  *out = (CuHost){.kind = kind, .a = a, .b = b};
  return out;
}

const CuHost *cu_host_divide(CuContext *cu, const CuHost *a, int64_t by) {
  const CuHost *left;
  if (by == 1)
    return a;
  switch ((int)a->kind) {
  case CU_HOST_NUMBER:
    return by > 0 && a->number % by == 0 ? cu_host_number(cu, a->number / by)
                                         : NULL;
  case CU_HOST_MUL:
    left = cu_host_divide(cu, a->a, by);
    return left ? cu_host_join(cu, CU_HOST_MUL, left, a->b)
                : cu_host_join(cu, CU_HOST_MUL, a->a,
                               cu_host_divide(cu, a->b, by));
  case CU_HOST_ADD:
  case CU_HOST_SUB:
    return cu_host_join(cu, a->kind, cu_host_divide(cu, a->a, by),
                        cu_host_divide(cu, a->b, by));
  default: return NULL;
  }
}
