// SPDX-License-Identifier: Apache-2.0
// A back end without a machine: its code is one line, and computes nothing.
#ifndef HD_TESTS_SESSION_NULL_BACK_END_H
#define HD_TESTS_SESSION_NULL_BACK_END_H

#include "codegen/code_ops.h"

// Target "null": code is loaded by the back end, for the CPU.
extern const CodeBackEnds null_back_ends;
// Target "null_text": code that no device loads.
extern const CodeBackEnds null_text_back_ends;
// Target "null_rare": as "null", but no usual one.
extern const CodeBackEnds null_rare_back_ends;

// What the null back end was asked for, and how it fails.
typedef struct {
  int n_compilers; // that are open
  int n_compiled, n_loaded;
  CodeOptions options; // of the compiler that was opened last
  bool fails_to_load;
} NullCounts;

extern NullCounts null_counts;

#endif
