// SPDX-License-Identifier: Apache-2.0
// A process that ends a group of processes when we are gone, whatever ended us.
#ifndef HD_SYNTAX_PREPROCESS_GUARD_H
#define HD_SYNTAX_PREPROCESS_GUARD_H

#include <sys/types.h>

// For the group; 0 where there can't be one. The thread that asks for it must
// live until it is ended.
pid_t preprocess_guard_start(pid_t group);
// Before the group's leader is waited for: its number may then be another's.
void preprocess_guard_end(pid_t guard);

#endif
