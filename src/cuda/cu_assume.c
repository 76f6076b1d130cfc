// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_assume.h"

void cu_add_assumptions(CuContext *cu, CuFunction *kernel, CuDeclVec *params,
                        const CudaTranslation *options, CuClauseVec *clauses) {
  (void)cu, (void)kernel, (void)params, (void)options, (void)clauses;
}
