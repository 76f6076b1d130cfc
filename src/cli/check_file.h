// SPDX-License-Identifier: Apache-2.0
// One file of `heddle check`, and what is said about it.
#ifndef HD_CLI_CHECK_FILE_H
#define HD_CLI_CHECK_FILE_H

#include "cli/cli.h"

enum { N_VERDICTS = 3 };

typedef struct {
  const char *file;
  bool is_alone; // the only file: kernels are told without it
  // Results. All memory is `arena`'s.
  Arena *arena;
  int status;                // exit status for this file alone
  Text err, out;             // --json: only what could not be read is in `err`
  Text kernels;              // JSON objects with commas between
  Text diagnostics;          // likewise
  int n_kernels[N_VERDICTS]; // by HdVerdict
  Text needs;      // a line for each unknown kernel: what would decide it
  bool has_kernel; // that was named
} FileCheck;

// Fills the results. Sessions are for one thread each.
void check_file(const Options *options, HdSession *session, FileCheck *check);

#endif
