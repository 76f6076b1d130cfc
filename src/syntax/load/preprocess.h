// SPDX-License-Identifier: Apache-2.0
// Runs the system's C preprocessor as a child process, without a shell.
#ifndef HD_SYNTAX_LOAD_PREPROCESS_H
#define HD_SYNTAX_LOAD_PREPROCESS_H

#include "base/status.h"
#include "syntax/load/load.h"

typedef struct {
  const char *path; // the file to read, or the name of `text`
  const char *text; // or NULL
  size_t length;
  const char *headers; // Heddle's own, or NULL
  // CUDA C++ only, else NULL: Heddle's own headers for it; the folder that
  // `text` was in; a folder to search last, which is not part of the key; the
  // headers that it holds.
  const char *cuda_headers;
  const char *text_folder;
  const char *last_folder;
  const char *const *missing;
  uint32_t n_missing;
  const LoadOptions *options;
  const struct LoadConfine *confine; // what may be read; NULL: anything
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

// Its command line from `arena`, ended by NULL.
char **preprocess_command(Arena *arena, const PreprocessJob *job);

// A hash of what its result depends on, included files left out: the command
// and the files that it names, the folder, the name and text of the main file.
// False: also on the time, or on files that it does not tell of.
bool preprocess_key(Arena *arena, const PreprocessJob *job, const char *text,
                    size_t length, Hash128 *key);
// The text names something that the preprocessor finds out by itself: the date,
// or whether a file exists.
bool preprocess_is_volatile(const char *text, size_t length);

// Turns what the preprocessor printed on standard error into diagnostics.
// `fallback` is the place of messages without one.
void preprocess_report(Arena *arena, Interner *interner, DiagEngine *diags,
                       const PreprocessResult *result, Place fallback);

// With confined includes: the first message that tells of what is not allowed,
// an include that was not found outside or a word of heddle_confined.h. False:
// none. *name and *why are from `arena`.
bool preprocess_find_refused(Arena *arena, Interner *interner,
                             const PreprocessResult *result, const char **name,
                             const char **why, Place *place);
// The name of an include is absolute or has `..`.
bool preprocess_is_outside(const char *name);

#endif
