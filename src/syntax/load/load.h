// SPDX-License-Identifier: Apache-2.0
// A file, or text from memory, to the SourceText that the lexer reads.
//
// Text that has directives other than #pragma, or uses predefined macros, goes
// through the system's C preprocessor: the command in $HEDDLE_CPP (a program
// and its first arguments, split on blanks), else `cc -E`. It is given
// -undef -nostdinc, Heddle's own headers and __HEDDLE__. Other text is read as
// it is, so that no C compiler is needed for it; CUDA C++ always goes through.
#ifndef HD_SYNTAX_LOAD_LOAD_H
#define HD_SYNTAX_LOAD_LOAD_H

#include "base/intern.h"
#include "base/map.h"
#include "base/status.h"
#include "diag/diag.h"

// A file that the text came from.
typedef struct {
  const char *path;
  uint64_t size_bytes;
  int64_t mtime_ns;
} SourceFile;

// What a preprocessor gave, and all that it depended on.
typedef struct {
  Hash128 key; // command, environment, name and content of the main file
  const SourceFile *files; // that were included
  uint32_t n_files;
  // Where includes were looked for; "" is the current folder. Own headers last.
  const char *const *folders;
  uint32_t n_folders;
  const char *text;
  size_t length;
} Preprocessed;

// Whoever remembers what preprocessors gave (the session does, on disk).
typedef struct {
  void *context;
  // The text that was kept for `key`, from `arena`, if all files are as they
  // were; else NULL.
  const char *(*find)(void *context, Arena *arena, Hash128 key, size_t *length);
  void (*keep)(void *context, const Preprocessed *what);
} PreprocessorMemory;

// What the language of a source needs; CUDA C++ all of them.
typedef enum {
  LOAD_PREPROCESS = 1 << 0, // whatever is in it
  // Our own declarations of what the language has built in come first.
  LOAD_PRELUDE = 1 << 1,
  // Headers of a toolkit are made for another compiler: our own stand for them,
  // and empty ones for what isn't found (load_cuda.h).
  LOAD_STAND_INS = 1 << 2,
  LOAD_PLAIN_COMMENTS = 1 << 3, // may be any bytes
} LoadPolicy;

typedef struct {
  const char *text; // NULL: read `path`
  size_t length;
  const char *const *include_dirs; // searched before Heddle's headers
  uint32_t n_include_dirs;
  const char *const *defines; // "NAME" or "NAME=VALUE"
  uint32_t n_defines;
  const PreprocessorMemory *memory; // or NULL
  uint32_t policy;                  // LoadPolicy
  // Includes stay in the source's folder, include_dirs and Heddle's headers.
  bool is_confined;
} LoadOptions;

typedef struct {
  SourceText *source;
  // The file itself (not for text from memory or from a pipe), then what it
  // includes, each once.
  SourceFile *files;
  uint32_t n_files;
  // No file has changed while it was read, so a cache may trust the list.
  bool is_stable;
} LoadedSource;

// `path` names the text in messages; "-" is standard input. `options` may be
// NULL. HD_ERROR_PROGRAM: what is wrong went to `diags` (a bad #include, text
// that is no text). Any other failure: *why says it in plain words (from
// `arena`): no such file, no preprocessor. Sets the source of `diags`.
__attribute__((warn_unused_result)) HdStatus
syntax_load(Arena *arena, Interner *interner, DiagEngine *diags,
            const char *path, const LoadOptions *options, LoadedSource *out,
            const char **why);

// The folder of Heddle's own C headers: $HEDDLE_INCLUDE, else heddle/c in the
// include folder that belongs to this library; NULL if there is none.
const char *syntax_own_headers(Arena *arena);

#endif
