// SPDX-License-Identifier: Apache-2.0
// Which pointers a launch passes that lead into one array.
#ifndef HD_CUDA_HOST_CU_JOINED_H
#define HD_CUDA_HOST_CU_JOINED_H

#include "cuda/host/cu_host.h"

// Names of parameters of the emitted kernel, two and two, and a NULL at the
// end; NULL: there are none.
typedef struct {
  const char *const *same, *const *overlapping;
  const char *const *facts; // the same in words: "b == a", "a may overlap b"
  uint32_t n_facts;
} CuJoined;

// Of the pointers of the launch, those that are members of structs included,
// and of the arrays of file scope that they lead into. NULL among `args`: not
// known.
void cu_find_joined(const CuHostReader *reader, const CuFunction *kernel,
                    const CxExpr *const *args, uint32_t n_args, CuJoined *out);

#endif
