// SPDX-License-Identifier: Apache-2.0
// Empty headers for those that exist nowhere: load_cuda.h.
#ifndef HD_SYNTAX_LOAD_LOAD_STAND_IN_H
#define HD_SYNTAX_LOAD_LOAD_STAND_IN_H

#include "syntax/load/load_cuda.h"

// What stands in for the header of this name: what kernels name of PyTorch's,
// of others nothing.
const char *load_cuda_stand_in(const char *name);
// Makes the stand-ins; *why says why not. A process that is killed leaves none.
__attribute__((warn_unused_result)) HdStatus
load_cuda_make_stand_ins(CudaSource *source, const char **why);
// Removes them. Nothing happens if there are none.
void load_cuda_remove_stand_ins(CudaSource *source);

#endif
