// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SYNTAX_LOAD_PREPROCESS_STUCK_H
#define HD_SYNTAX_LOAD_PREPROCESS_STUCK_H

#include "base/arena.h"
#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

// What the process, or one that it started, sleeps in opening or reading, and
// which is no file: "'x.h', which is included, is a FIFO", from `arena`. NULL:
// it works, or the system doesn't tell.
const char *preprocess_stuck(Arena *arena, pid_t pid);

// The path that lies there in the process' memory. False: it can't be read.
bool preprocess_read_path(pid_t pid, unsigned long long address,
                          char path[PATH_MAX]);

// For messages: "a FIFO".
const char *preprocess_kind(mode_t mode);

#endif
