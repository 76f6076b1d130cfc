// SPDX-License-Identifier: Apache-2.0
// A check of a kernel in CUDA C may take several rounds: for all launches with
// its block size, and for those that the file makes.
#ifndef HD_VERDICT_CHECK_ROUNDS_H
#define HD_VERDICT_CHECK_ROUNDS_H

#include "check/check.h"
#include "check/run/concrete.h"
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
  const char *const *shared, *const *overlapping; // see CheckRound
  const CudaMade *made; // of the launch that the verdict is about
  uint32_t n_made;
  CudaFacts first_turn;  // of its loops
  const char *otherwise; // what is known of other launches; NULL: nothing
  const char *excuse;    // an assumption with which the bug is gone, or NULL
  const IrKernel *ir;    // once it was checked
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
  uint32_t before;  // the last round of compiling that isn't of this question
  SolveEnd end;     // of all rounds, see SolveOptions
  // Pointers that the launch gives twice, as HdCheckOptions.shared; or NULL.
  const char *const *shared;
  const char *const *overlapping; // likewise, at different places
} CheckRound;

// The block is a guess, and the kernel can't be translated for it: a check with
// another usual one replaces *check, if there is one that it can be. *task asks
// for that one then, and the errors of the guess were never told.
HdStatus check_guess_again(CheckTask *task, const CheckRound *first,
                           HdCheck **check);
// *task asks with this block instead of what it had. In the arena.
CheckTask check_task_with(const CheckTask *task, Arena *arena,
                          const int block[3]);
// One assumption more; those before stay where they are.
void check_round_assume(Arena *arena, CheckRound *round, CudaFact fact);
// One round, with what it assumes.
HdStatus check_round(const CheckTask *task, const CheckRound *round,
                     HdCheck **out);
// The same as a trial of ours: what the compiler says of it isn't told.
HdStatus check_try(const CheckTask *task, const CheckRound *round,
                   HdCheck **out);
// Likewise without a search for bugs: what isn't proved is open.
HdStatus check_try_proof(const CheckTask *task, const CheckRound *round,
                         HdCheck **out);
// An integer that the program declares as a parameter: no len(x), nothing that
// the launch adds.
bool check_is_argument(const IrParam *param);
// Tells the report's findings again, which have been changed.
void check_tell(const CheckTask *task, HdCheck *check);
// Bugs of a guessed block that other blocks wouldn't have are unknown
// (check_doubt.c).
HdStatus check_doubt(const CheckTask *task, const CheckRound *first,
                     HdCheck *check);
// What `check` tells as a bug is proved at its place in `other`.
bool check_doubt_is_gone(const HdCheck *check, uint32_t index,
                         const HdCheck *other);
// The verdict and what is told, after findings became unknown.
void check_doubt_settle(const CheckTask *task, HdCheck *check);
// The condition has the word.
bool check_names_word(const char *condition, const char *name);
// What is assumed of the launch relates the argument to something, or gives it
// a value; bounds alone don't.
bool check_is_decided(const HdCheck *check, const char *name);
// Accesses outside that need values of arguments of which the launch says
// nothing are unknown (check_free.c).
HdStatus check_free(const CheckTask *task, const CheckRound *first,
                    HdCheck *check);
// Bugs that may need other values of arguments than the host computes are
// unknown (check_made.c).
HdStatus check_made(const CheckTask *task, const CheckRound *first,
                    HdCheck *check);
// A launch of the file doesn't make the blocks run together that wait for each
// other: a bug (check_apart.c).
void check_apart(const CheckTask *task, HdCheck *check);
// Nothing but how large arrays are is open.
bool check_is_clean(const HdCheck *check);
// What is assumed contradicts itself.
bool check_is_impossible(const HdCheck *check);
// For a bug of CUDA C: sets `excuse` (check_excuse.c).
void check_find_excuse(const CheckTask *task, const CheckRound *first,
                       HdCheck *check);
// All of them: the verdict that says most.
HdStatus check_rounds(const CheckTask *task, HdCheck **out);

#endif
