// SPDX-License-Identifier: Apache-2.0
// Arguments that host code computes in a way that isn't followed.
#ifndef HD_CUDA_HOST_CU_MADE_H
#define HD_CUDA_HOST_CU_MADE_H

#include "cuda/host/cu_host.h"

typedef struct {
  CudaOrigin origin;
  bool has_value; // one that it gets is known
  int64_t value;
} CuMade;

// Of a launch's argument with that value; NULL: it isn't known.
CuMade cu_find_made(CuHostReader *reader, const CuHost *value,
                    const CxExpr *argument);

#endif
