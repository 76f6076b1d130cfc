// SPDX-License-Identifier: Apache-2.0
// What a check is asked and what it answers.
#ifndef HD_CHECK_REPORT_REPORT_H
#define HD_CHECK_REPORT_REPORT_H

#include "check/solve/solve.h"
#include "diag/diag.h"
#include "diag/vocabulary.h"
#include "ir/form/ir.h"

typedef enum { VERDICT_PROVED, VERDICT_BUG, VERDICT_UNKNOWN } Verdict;

// Where the text of a fix goes; how it gets there is for those who have the
// program's text.
typedef enum {
  FIX_NOWHERE,
  FIX_BEFORE,   // a statement before the node's line
  FIX_BEHIND,   // a statement behind the node's
  FIX_AT_END,   // a statement at the end of the body of the node, a loop
  FIX_IN_FRONT, // a word in front of the node's statement
} FixWhere;

typedef struct {
  FixWhere where;
  const IrNode *node;
  const char *text;
} FixEdit;

// Why something isn't proved.
typedef struct {
  const char *text; // which term, and what would help
  // What would help as users give it: a clause of the kernel, "requires(…)", or
  // an option of the command, "--assume '…'". NULL: none is known.
  const char *need;
  bool is_time; // the time for the kernel is over
} CheckReason;

// One obligation that isn't proved (all that are, only count), or a remark.
typedef struct {
  uint32_t code;              // HDnnnn
  Verdict verdict;            // PROVED: a remark
  const IrNode *node, *other; // other: the second access, or NULL
  IrLocId loc;                // without a node: the place, or 0
  const char *message;        // one sentence, without the code
  const char *witness;        // BUG: sizes, threads, elements; else NULL
  CheckReason reason;         // UNKNOWN
  const char *fix;            // proved to remove it, or NULL
  FixEdit edit;               // of fix
  const char *notes[4];       // labels of node and other, further lines
  // BUG, a deadlock: what waits for what, step by step.
  const struct ChainLink *chain;
  uint32_t n_chain;
  // BUG: arrivals that the barrier, or of a deadlock that of the first wait,
  // has seen, and bytes that one still waits for, or (negative) has got too
  // many.
  int64_t seen_arrivals, open_bytes;
  // BUG: the run that showed it.
  const struct ConcreteLaunch *launch;
  bool is_across_blocks; // BUG: a race of threads of two blocks
  // BUG of bounds: an index is outside a dimension of the array, and which.
  bool is_of_index;
  int64_t index;
  uint32_t dim;
  bool is_of_extent; // UNKNOWN: how large an array is, isn't known
} Finding;

// Arrays of the kernel or of its file.
typedef struct {
  IrObject *a, *b;
  bool begins_elsewhere;
  bool is_one; // both begin at one place
} CheckShared;

// Who asks whether all is proved needs no more than the first obligation that
// decides it. Asked of each that is open and will be told.
typedef struct {
  bool (*is_enough)(const void *context, const IrKernel *kernel,
                    const Finding *open);
  const void *context;
} CheckStop;

// What the language of the program has no words for is trusted, and listed as
// such, or judged with care.
typedef enum {
  CHECK_TRUST_APART = 1 << 0,     // plain pointers don't overlap
  CHECK_TRUST_SIZES = 1 << 1,     // products of sizes don't overflow
  CHECK_TRUST_ALIGNMENT = 1 << 2, // pointers begin where the allocator's do
  CHECK_TRUST_UNKNOWN = 1 << 3,   // functions without a body touch no memory
  // What the host puts into memory, and launches with, has no contract: a value
  // there that a run makes up is no counterexample.
  CHECK_OPEN_INPUT = 1 << 4,
  CHECK_REMARK_SAME_VALUE = 1 << 5, // equal values at one place: a remark
  CHECK_REMARK_UNORDERED = 1 << 6,  // so are others, by atomic stores
  CHECK_NO_BARRIER_FIXES = 1 << 7,  // fixes of mbarriers have no words
  CHECK_TELL_LENGTHS = 1 << 8,      // of arrays in witnesses: none has extents
} CheckPolicy;

typedef struct {
  SolveOptions solve;
  bool no_search;   // no runs of the interpreter: nothing is called a bug
  bool only_proofs; // runs only where all is proved, to test the proofs
  bool allow_same_value;
  bool owner_strict; // atomics on an element of another thread count, too
  bool no_fixes;
  bool no_remarks;
  bool bounds_only; // no races: proves less than a kernel needs
  CheckStop stop;   // is_enough: NULL: nothing ends it
  bool is_retry;   // what is unknown isn't asked again: Note [Less is required]
  uint32_t policy; // CheckPolicy: what the program's language leaves open
  Language language; // of messages, hints and fixes
  bool has_launch;   // what a launch of the file says is among the requirements
  const CheckShared *shared; // as if the kernel had may_alias of them
  uint32_t n_shared;
} CheckOptions;

// A parameter that has to begin at a multiple of so many bytes.
typedef struct {
  uint32_t param, align_bytes;
} AlignedParam;

typedef struct {
  Verdict verdict;              // BUG if any, else UNKNOWN if any, else PROVED
  hd_vec(Finding) findings;     // in program order, one for each cause
  hd_vec(const char *) trusted; // assume(…), contents, size limits
  uint32_t n_unfilled;          // the first of these: that memory was written
  uint32_t n_obligations, n_proved;
  // Parameters through which an access isn't proved to be inside; some more
  // than once.
  hd_vec(uint32_t) open_params;
  hd_vec(AlignedParam) aligned_params; // that are trusted; some repeated
  uint32_t answers[TIER_COUNT];
  uint32_t n_runs; // of the interpreter
  bool is_stopped; // by the options' stop: what comes behind wasn't asked
  double time_ms;
} CheckReport;

#endif
