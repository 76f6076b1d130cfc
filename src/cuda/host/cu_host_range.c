// SPDX-License-Identifier: Apache-2.0
// What numbers of host code are multiples of, and how small they may be: what
// can be said of a padded size, `(n + 63) / 64 * 64`, to a kernel that isn't
// told n.
#include "cuda/host/cu_host.h"

#include <stdlib.h>

static int64_t host_range_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t cu_host_factor(const CuHost *term) {
  int64_t a, b, product;
  switch ((int)term->kind) {
  case CU_HOST_NUMBER:
    return term->number < -INT64_MAX ? 1 : llabs(term->number);
  case CU_HOST_MUL:
    a = cu_host_factor(term->a);
    b = cu_host_factor(term->b);
    return __builtin_mul_overflow(a, b, &product) ? 1 : product;
  case CU_HOST_ADD:
  case CU_HOST_SUB:
  case CU_HOST_MIN:
  case CU_HOST_MAX:
    return host_range_gcd(cu_host_factor(term->a), cu_host_factor(term->b));
  default: return 1;
  }
}

static bool least_of_sum(const CuHostLeasts *leasts, const CuHost *term,
                         int64_t *out) {
  int64_t a, b;
  if (!cu_host_least(leasts, term->a, &a))
    return false;
  if (term->kind == CU_HOST_SUB)
    return term->b->kind == CU_HOST_NUMBER &&
           !__builtin_sub_overflow(a, term->b->number, out);
  return cu_host_least(leasts, term->b, &b) &&
         !__builtin_add_overflow(a, b, out);
}

static bool least_of_quotient(const CuHostLeasts *leasts, const CuHost *term,
                              int64_t *out) {
  int64_t a;
  int64_t by = term->b->kind == CU_HOST_NUMBER ? term->b->number : 0;
  if (by < 1 || !cu_host_least(leasts, term->a, &a) || a < 0)
    return false;
  *out = a / by + (term->kind == CU_HOST_CDIV && a % by != 0);
  return true;
}

static bool least_of_product(const CuHostLeasts *leasts, const CuHost *term,
                             int64_t *out) {
  int64_t a, b;
  return cu_host_least(leasts, term->a, &a) &&
         cu_host_least(leasts, term->b, &b) && a >= 0 && b >= 0 &&
         !__builtin_mul_overflow(a, b, out);
}

bool cu_host_least(const CuHostLeasts *leasts, const CuHost *term,
                   int64_t *out) {
  int64_t a = 0, b = 0;
  bool has_a, has_b;
  switch (term->kind) {
  case CU_HOST_NUMBER: *out = term->number; return true;
  case CU_HOST_VARIABLE:
    for (uint32_t i = 0; i < leasts->count; i++) {
      *out = leasts->data[i].least;
      if (leasts->data[i].name == term->name)
        return true;
    }
    return false;
  case CU_HOST_ADD:
  case CU_HOST_SUB: return least_of_sum(leasts, term, out);
  case CU_HOST_MUL: return least_of_product(leasts, term, out);
  case CU_HOST_DIV:
  case CU_HOST_CDIV: return least_of_quotient(leasts, term, out);
  case CU_HOST_REM: return false;
  case CU_HOST_MIN:
    if (!cu_host_least(leasts, term->a, &a) ||
        !cu_host_least(leasts, term->b, &b))
      return false;
    *out = a < b ? a : b;
    return true;
  case CU_HOST_MAX:
    has_a = cu_host_least(leasts, term->a, &a);
    has_b = cu_host_least(leasts, term->b, &b);
    *out = has_a && (!has_b || a > b) ? a : b;
    return has_a || has_b;
  }
  return false;
}
