// SPDX-License-Identifier: Apache-2.0
// Ranges of an array's memory as rectangles of its elements.
#ifndef HD_BASE_RANGE_BOX_H
#define HD_BASE_RANGE_BOX_H

#include <stdbool.h>
#include <stdint.h>

// Of an array with these strides (in elements, `rank` of them, at least one)
// what lies in `n_bytes` bytes from `from_bytes` behind element `index` on:
// low and length a dimension. False: that is no rectangle of whole elements.
bool range_box(const int64_t *strides, uint32_t rank, uint32_t element_bytes,
               const int64_t *index, int64_t from_bytes, int64_t n_bytes,
               int64_t *low, int64_t *length);

#endif
