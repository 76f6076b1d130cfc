// SPDX-License-Identifier: Apache-2.0
// Arguments of const references that the call may change.
#ifndef HD_CUDA_FORM_CU_ALIAS_H
#define HD_CUDA_FORM_CU_ALIAS_H

#include "cuda/form/cu_value.h"

// Parameter `param` is a `const T &`, and the function may write its argument
// by another way. Errs on the side of true.
bool cu_may_alias(CuContext *cu, const CuFunction *function,
                  const CuValue *object, CuValues args, uint32_t param);

#endif
