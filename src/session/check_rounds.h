// SPDX-License-Identifier: Apache-2.0
// A check of a kernel in CUDA C may take several rounds: for all launches with
// its block size, and for those that the file makes.
#ifndef HD_SESSION_CHECK_ROUNDS_H
#define HD_SESSION_CHECK_ROUNDS_H

#include "check/check.h"
#include "session/session.h"

struct HdCheck {
  HdProgram *program;
  Arena *arena;
  const char *kernel;
  CheckReport report;
  HdVerdict verdict;
  HdBlockSource block_source;
  int block[3];
  SpecLimits limits;
  bool was_checked; // not refused, not left out
  // The launches that the verdict is about; none: all.
  hd_vec(int) launch_lines;
  const char *otherwise; // what is known of other launches; NULL: nothing
  hd_vec(HdFinding) findings;
  // The checker's findings as diagnostics; those of the compiler are the
  // program's.
  DiagEngine *diags;
};

typedef struct {
  HdProgram *program;
  const char *kernel;
  const HdEmbed *embeds;
  int n_embeds;
  const HdCheckOptions *options;
} CheckTask;

typedef struct {
  SpecLimits limits;
  uint32_t n_given; // of its assumptions, by the user; others a launch tells
  bool only_proofs; // runs are made only of what is proved
  uint32_t time_ms; // 0: as the options say
} CheckRound;

// One round, with what it assumes.
HdStatus check_round(const CheckTask *task, const CheckRound *round,
                     HdCheck **out);
// All of them: the verdict that says most.
HdStatus check_rounds(const CheckTask *task, HdCheck **out);

#endif
