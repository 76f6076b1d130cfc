// SPDX-License-Identifier: Apache-2.0
#include "base/range_box.h"

#include "base/panic.h"

// Number of the element, from the array's start; false: not one's start.
static bool range_box_first_element(const int64_t *strides, uint32_t rank,
                                    uint32_t element_bytes,
                                    const int64_t *index, int64_t from_bytes,
                                    int64_t *first) {
  if (from_bytes % element_bytes != 0)
    return false;
  *first = from_bytes / element_bytes;
  for (uint32_t k = 0; k < rank; k++) {
    int64_t part;
    if (strides[k] <= 0 ||
        __builtin_mul_overflow(index[k], strides[k], &part) ||
        __builtin_add_overflow(*first, part, first))
      return false;
  }
  return strides[rank - 1] == 1 && (*first >= 0 || rank == 1);
}

bool range_box(const int64_t *strides, uint32_t rank, uint32_t element_bytes,
               const int64_t *index, int64_t from_bytes, int64_t n_bytes,
               int64_t *low, int64_t *length) {
  HD_ASSERT(rank >= 1);
  int64_t rest, n = n_bytes / element_bytes;
  if (n_bytes % element_bytes != 0 ||
      !range_box_first_element(strides, rank, element_bytes, index, from_bytes,
                               &rest))
    return false;
  for (uint32_t k = 0; k < rank; k++) {
    low[k] = rest / strides[k];
    rest -= low[k] * strides[k];
    length[k] = 1;
  }
  for (uint32_t k = rank - 1; k > 0; k--) {
    int64_t row = strides[k - 1] / strides[k];
    if (strides[k - 1] % strides[k] != 0)
      return false;
    if (n <= row - low[k]) {
      length[k] = n;
      return true;
    }
    if (low[k] != 0 || n % row != 0)
      return false;
    length[k] = row;
    n /= row;
  }
  length[0] = n;
  return true;
}
