// SPDX-License-Identifier: Apache-2.0
// All small launches of a kernel, one after the other, under the exact
// detector.
#ifndef HD_FUZZ_ORACLE_BRUTE_H
#define HD_FUZZ_ORACLE_BRUTE_H

#include "check/check.h"
#include "check/prove/decisive.h"
#include "check/run/concrete.h"
#include "heddle/heddle.h"

typedef struct {
  uint32_t n_launches, n_unfinished, n_refused, n_events;
} BruteCounts;

// Called for every error of every run.
typedef void (*BruteVisit)(void *context, const ConcreteLaunch *launch,
                           const ConcreteFinding *found);

// For about so many seconds; `most`: no parameter is larger (0: any). Errors
// that are only seen behind an access that was left out don't count.
BruteCounts brute_search(const IrKernel *kernel, int64_t most, double seconds,
                         BruteVisit visit, void *context);

// Whether a report that proves the kernel claims that this doesn't happen. No
// claim is made about overflow of what arrays hold, unless it decides what is
// touched; then it is trusted, and the report says so.
bool brute_is_claimed(const CheckReport *report, const Decisive *decisive,
                      const ConcreteFinding *found);

// The kernel's IR after all passes, as the checker sees it; NULL: the compiler
// refuses it.
IrModule *brute_load(Arena *arena, HdProgram *program, const char *kernel,
                     const HdEmbed *embeds, int n_embeds);

#endif
