// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SYNTAX_LOAD_PREPROCESS_WAIT_H
#define HD_SYNTAX_LOAD_PREPROCESS_WAIT_H

#include "syntax/load/preprocess.h"

typedef struct {
  const char *what; // "'x.h', which is included, is a FIFO"; NULL: not known
  bool is_open;     // it may wait for something, known or not
} PreprocessWait;

// What the preprocessor may come to wait for: something among the includes of
// the text that is no file.
PreprocessWait preprocess_wait(Arena *arena, const PreprocessJob *job);

#endif
