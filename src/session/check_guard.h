// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SESSION_CHECK_GUARD_H
#define HD_SESSION_CHECK_GUARD_H

#include "session/check_edit.h"

// For a bug of bounds: the fix in words, and its edit, which was proved; NULL:
// there is none.
const char *guard_of(EditContext *cx, const Finding *finding, Edit *out);

#endif
