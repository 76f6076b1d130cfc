// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while a kernel runs.
#ifndef HD_CLI_RUN_SIGNAL_H
#define HD_CLI_RUN_SIGNAL_H

#include "heddle/heddle.h"
#include <stdbool.h>

// SIGINT and SIGTERM ask the session to stop. A kernel that does not come back
// within a second, or a second signal, ends the process with status 130;
// results are only written after a launch, so nothing is half-written.
void signal_begin(HdSession *session);
void signal_end(void);

// Between these a bad address of a kernel ends the process with a message that
// names the kernel and --sanitize, and status 1. Faults inside of the
// compiler's libraries stay what they are.
void fault_begin(const char *kernel, bool is_sanitized);
void fault_end(void);

#endif
