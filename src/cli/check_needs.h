// SPDX-License-Identifier: Apache-2.0
// What would decide a kernel that is unknown, in a line.
#ifndef HD_CLI_CHECK_NEEDS_H
#define HD_CLI_CHECK_NEEDS_H

#include "base/text.h"
#include "heddle/heddle.h"

// "--assume 'n <= len(x)', --assume 'm <= len(y)'; line 12: why not", of what
// its open findings say. In `arena`.
const char *cli_check_needs(Arena *arena, const HdCheck *check);

#endif
