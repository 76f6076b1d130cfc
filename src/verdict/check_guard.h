// SPDX-License-Identifier: Apache-2.0
#ifndef HD_VERDICT_CHECK_GUARD_H
#define HD_VERDICT_CHECK_GUARD_H

#include "verdict/check_edit.h"

// For a bug of bounds: the fix in words, and its edit, which was proved; NULL:
// there is none.
const char *guard_of(EditContext *cx, const Finding *finding, Edit *out);

#endif
