// SPDX-License-Identifier: Apache-2.0
// Included files from which a preprocessor may never get an end.
#ifndef HD_SYNTAX_PREPROCESS_WAIT_H
#define HD_SYNTAX_PREPROCESS_WAIT_H

#include "syntax/preprocess.h"

// "'x.h', which is included, is a FIFO"; NULL: all includes that can be found
// are regular files.
const char *preprocess_waits_for(Arena *arena, const PreprocessJob *job);

#endif
