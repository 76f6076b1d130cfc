// SPDX-License-Identifier: Apache-2.0
// A process that cleans up when we are gone, whatever ended us.
#ifndef HD_SYNTAX_LOAD_PREPROCESS_GUARD_H
#define HD_SYNTAX_LOAD_PREPROCESS_GUARD_H

#include <stdint.h>
#include <sys/types.h>

// Kills the group of processes (0: none) and removes the paths, the last first;
// folders must be empty then. 0 where there can't be one. The thread that asks
// for it must live until it is ended.
pid_t preprocess_guard_start(pid_t group, const char *const *paths,
                             uint32_t n_paths);
// Before a group's leader is waited for: its number may then be another's.
void preprocess_guard_end(pid_t guard);

#endif
