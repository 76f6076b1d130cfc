// SPDX-License-Identifier: Apache-2.0
// The command where memory runs out: a plain error, and the end.
#ifndef HD_CLI_NO_MEMORY_H
#define HD_CLI_NO_MEMORY_H

#include "base/rescue.h"

// First in main and in each thread. The process ends where the command's own
// memory runs out, before anything is taken from other threads; what is owed is
// released.
//
//   Rescue rescue RESCUE_SCOPE;
//   if (RESCUE_ENTER(&rescue))
//     return …; // not reached
//   no_memory_begin();
void no_memory_begin(void);

// Once, in main: a stack that can't grow since address space is limited is
// memory that has run out, too.
void no_memory_watch_stack(void);
// What there was before a handler of the same signals was set and taken away.
void no_memory_watch_again(void);

#endif
