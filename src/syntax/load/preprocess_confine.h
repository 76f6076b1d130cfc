// SPDX-License-Identifier: Apache-2.0
// Keeps the preprocessor from opening what --confine-includes doesn't allow.
//
// Note [Asked before it opens]
// Which files an #include leads to only the preprocessor knows (macros, links,
// #include_next). A filter of system calls makes it ask us before each open:
// we read the name, follow its links and let the call go on, or have it fail
// with EACCES. So nothing outside is opened, and a FIFO there can't hold it up.
// A compiler opens libraries and files of its own, too; from
// heddle_confined.h on, which it reads before any line of the source, it opens
// nothing but headers. Where the system has no such filters (Linux before 5.7,
// or we run below one that answers already), what was opened is found in the
// line markers only (load_confine_files).
#ifndef HD_SYNTAX_LOAD_PREPROCESS_CONFINE_H
#define HD_SYNTAX_LOAD_PREPROCESS_CONFINE_H

#include "syntax/load/load_confine.h"
#include <sys/types.h>

enum { CONFINE_MOST_PROCESSES = 16 };

typedef struct {
  Arena *arena;
  const LoadConfine *rules;
  int sockets[2]; // the child hands over what it asks by; -1: none
  int asked;      // readable when the child asks; -1: it doesn't
  const char *last_header;
  pid_t bound[CONFINE_MOST_PROCESSES]; // those that have read it
  int n_bound;
} PreprocessConfine;

// `rules` NULL: nothing is confined. `last_header`: the path of
// heddle_confined.h as the command has it.
PreprocessConfine preprocess_confine(Arena *arena, const LoadConfine *rules,
                                     const char *last_header);
// In the child before exec: system calls only, no memory is changed. False: it
// would ask, but nobody could answer; errno says why.
bool preprocess_confine_child(const PreprocessConfine *confine);
// In the parent, once the child runs or has failed to.
void preprocess_confine_begin(PreprocessConfine *confine);
// Answers one question.
void preprocess_confine_answer(PreprocessConfine *confine);
void preprocess_confine_end(PreprocessConfine *confine);

#endif
