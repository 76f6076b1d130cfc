// SPDX-License-Identifier: Apache-2.0
// Runs the system's C preprocessor as a child process, without a shell.
#ifndef HD_SYNTAX_PREPROCESS_H
#define HD_SYNTAX_PREPROCESS_H

#include "base/status.h"
#include "syntax/load.h"

typedef struct {
  const char *path; // the file to read, or the name of `text`
  const char *text; // or NULL
  size_t length;
  const char *headers; // Heddle's own, or NULL
  const LoadOptions *options;
} PreprocessJob;

typedef struct {
  const char *program; // as it was called
  const char *text;    // what it printed
  size_t length;
  const char *messages; // what it printed on standard error
  bool has_failed;      // it said so by its exit status
  bool is_too_large;    // it printed more than SYNTAX_MAX_SOURCE_BYTES
} PreprocessResult;

// HD_OK whenever it ran, even if it failed; else *why says why not.
__attribute__((warn_unused_result)) HdStatus
preprocess_run(Arena *arena, const PreprocessJob *job, PreprocessResult *out,
               const char **why);

// Turns what the preprocessor printed on standard error into diagnostics.
// `fallback` is the place of messages without one.
void preprocess_report(Arena *arena, Interner *interner, DiagEngine *diags,
                       const PreprocessResult *result, Place fallback);

#endif
