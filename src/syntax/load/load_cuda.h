// SPDX-License-Identifier: Apache-2.0
// What CUDA C++ needs before and after the preprocessor.
//
// Headers that exist nowhere must not stop it (<vector>, "helper_cuda.h"): the
// includes of the file, and of the files it includes, are followed beforehand,
// and what isn't found gets an empty stand-in in a folder of its own. Comments
// `// heddle: …` and the words of `#pragma unroll …` are put where the
// preprocessor expands macros: __heddle_comment(…), __heddle_unroll(…). In what
// the preprocessor gives, a stand-in is `#pragma heddle missing_header NAME`.
#ifndef HD_SYNTAX_LOAD_LOAD_CUDA_H
#define HD_SYNTAX_LOAD_LOAD_CUDA_H

#include "base/file.h"
#include "base/status.h"
#include "syntax/load/load_confine.h"
#include <sys/types.h>

// Names of headers may lead up so often.
enum { LOAD_CUDA_STEPS_UP = 8 };

typedef struct {
  Arena *arena;
  const char *text; // what to preprocess instead of the file; NULL: nothing new
  size_t length;
  const char **missing; // as they were written, each once
  uint32_t n_missing;
  // Of the stand-ins: the folder to search, and the one that holds it all;
  // NULL: none yet.
  const char *folder, *root;
  const char **made; // its files and folders, to be removed
  uint32_t n_made;
  pid_t guard; // that removes them if we can't; 0: none
} CudaSource;

// The folder of Heddle's own CUDA headers, beside the C headers; NULL if there
// is none.
const char *syntax_own_cuda_headers(Arena *arena);

// Looks through the text of `path`. `headers`: folders of Heddle's own.
// `confine`: what may be read, or NULL.
CudaSource load_cuda_scan(Arena *arena, const char *path, const char *text,
                          size_t length, const LoadOptions *options,
                          const LoadConfine *confine,
                          const char *const headers[2]);
// The preprocessor's text with pragmas for the stand-ins.
const char *load_cuda_tidy(const CudaSource *source, const char *text,
                           size_t *length);
// The text with the built-in declarations in front of it. *why: they can't be
// read.
__attribute__((warn_unused_result)) HdStatus
load_cuda_join(Arena *arena, const char *text, size_t *length, const char **out,
               const char **why);

#endif
