// SPDX-License-Identifier: Apache-2.0
// --confine-includes: what the preprocessor may read.
#ifndef HD_SYNTAX_LOAD_LOAD_CONFINE_H
#define HD_SYNTAX_LOAD_LOAD_CONFINE_H

#include "syntax/load/preprocess.h"

// What may be read, links resolved: the folder of a source, those of the
// options and Heddle's own headers.
typedef struct LoadConfine LoadConfine;

// `path`: the source, "-" in the current folder. Lives in `arena`.
LoadConfine *load_confine_new(Arena *arena, const char *path,
                              const LoadOptions *options);
// NULL: none.
void load_confine_add(LoadConfine *confine, const char *folder);
// True of what isn't there, and of anything if `confine` is NULL. Opens
// nothing.
bool load_confine_allows(const LoadConfine *confine, const char *path);

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
// Looks at all files that line markers of `text` name. `first` is the place of
// what has no other.
Refused load_confine_files(Arena *arena, Interner *interner,
                           const PreprocessJob *job, const char *text,
                           size_t length, Place first);

#endif
