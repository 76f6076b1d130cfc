// SPDX-License-Identifier: Apache-2.0
// Places of shared memory that are the same for all threads and at all times.
#ifndef HD_CUDA_FORM_CU_SPOT_H
#define HD_CUDA_FORM_CU_SPOT_H

#include "cuda/form/cu.h"

// An element of an array that isn't the same one always.
typedef struct {
  CuValue index;
  int64_t extent;
  uint64_t stride_bytes;
} CuElement;

// Where an object is, or a pointer, array or number of an address leads. Of
// what holds a pointer it is where that leads, never where the pointer is.
typedef struct CuSpot {
  const CuName *root; // a shared variable of the kernel
  int64_t bytes;      // from where that begins
  // A variable that leads there as long as it isn't changed, and what it was
  // initialised with; or NULL.
  const CuVariable *variable;
  const struct CuSpot *through;
  // Of an object that has mbarriers, or NULL: `bytes` is that of element 0.
  const CuElement *element;
} CuSpot;

// What a use of the variable has as its spot; NULL: it isn't known.
const CuSpot *cu_spot_of_variable(CuContext *cu, const CuVariable *variable);
// So many bytes further; `spot` may be NULL.
const CuSpot *cu_spot_moved(CuContext *cu, const CuSpot *spot, int64_t bytes);
// Behind a pointer by `index` objects of `type`; NULL: that isn't known.
const CuSpot *cu_spot_indexed(CuContext *cu, const CuSpot *spot,
                              const CuType *type, const CuValue *index,
                              BinaryOp op);
// An element of an array of objects that have mbarriers; NULL: `index` isn't
// such an array's, or too large.
const CuSpot *cu_spot_element(CuContext *cu, const CuValue *array,
                              const CuValue *index);
// Where a variable leads that is declared here: to the same element always.
const CuSpot *cu_spot_pinned(CuContext *cu, const CuSpot *spot, Span span);
// Something relies on it: the variables that lead there must not change.
void cu_spot_fix(CuContext *cu, const CuSpot *spot, Span span);

#endif
