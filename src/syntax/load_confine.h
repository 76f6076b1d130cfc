// SPDX-License-Identifier: Apache-2.0
// --confine-includes: what the preprocessor may read.
#ifndef HD_SYNTAX_LOAD_CONFINE_H
#define HD_SYNTAX_LOAD_CONFINE_H

#include "syntax/load_cuda.h"
#include "syntax/preprocess.h"

// What the preprocessor read from outside, or was asked to.
typedef struct {
  const char *name; // NULL: nothing
  const char *why;
  Place place; // of the #include
} Refused;

// Why the source itself may not be read; NULL: it may. What a link leads to
// must lie in the folder of the link or in one of the options.
const char *load_confine_main(Arena *arena, const char *path,
                              const LoadOptions *options);
// Looks at all files that line markers of `text` name. Allowed are, with links
// resolved: the folder of `path` ("-": the current one), the folders of the
// options and Heddle's own headers. `first` is the place of what has no other.
Refused load_confine_files(Arena *arena, Interner *interner, const char *path,
                           const PreprocessJob *job, const CudaSource *cuda,
                           const char *text, size_t length, Place first);

#endif
