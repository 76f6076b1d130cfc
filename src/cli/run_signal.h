// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while a kernel runs.
#ifndef HD_CLI_RUN_SIGNAL_H
#define HD_CLI_RUN_SIGNAL_H

#include "heddle/heddle.h"

// SIGINT and SIGTERM ask the session to stop. A kernel that does not come back
// within a second, or a second signal, ends the process with status 130;
// results are only written after a launch, so nothing is half-written.
void signal_begin(HdSession *session);
void signal_end(void);

#endif
