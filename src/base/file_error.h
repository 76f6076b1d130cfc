// SPDX-License-Identifier: Apache-2.0
// Inside base: how failures of the system are worded.
#ifndef HD_BASE_FILE_ERROR_H
#define HD_BASE_FILE_ERROR_H

#include "base/file.h"

// Sets `*why` to "can't <verb> '<path>': <reason>" for `error_number` (an
// errno value) and returns the status that goes with it.
HdStatus file_fail(Arena *arena, const char **why, const char *verb,
                   const char *path, int error_number);
// The same with the reason given.
HdStatus file_fail_text(Arena *arena, const char **why, const char *verb,
                        const char *path, const char *reason);

#endif
