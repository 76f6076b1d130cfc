// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_asm.h"

#include "cuda/cu_report.h"

void cu_asm(CuContext *cu, const CxStmt *stmt) {
  cu_unsupported(cu, stmt->keyword, "this inline assembly",
                 "use the built-in function for it");
}
