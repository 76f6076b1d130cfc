// SPDX-License-Identifier: Apache-2.0
// Inside of the search for witnesses: search.c, which runs launches, and
// search_aim.c, which makes them of the solver's models.
#ifndef HD_CHECK_RUN_SEARCH_PARTS_H
#define HD_CHECK_RUN_SEARCH_PARTS_H

#include "check/prove/decisive.h"
#include "check/run/aim.h"
#include "check/run/search.h"

typedef struct {
  uint32_t finding, suspect;
} ShownBug;

typedef struct Search {
  Check *check;
  bool *is_decided; // by suspect
  bool *is_equal;   // by suspect: threads stored one value at one place
  uint32_t n_open, n_remarks; // that a run may decide; remarks apart
  bool has_bug;
  uint64_t budget, used, used_at_last; // when the last was decided
  SolveEnd end;
  const Decisive *trusts_overflow, *open_shifts;
  Aim *aim;
  // Bugs that stand for a suspect: numbers of findings and suspects.
  hd_vec(ShownBug) shown;
  bool *is_aimed; // by suspect: a model of small sizes was run
} Search;

// Runs the launch and takes what it shows.
void search_try(Search *s, const ConcreteLaunch *launch);
// Nothing is open any more, or so large a share of the budget is used up.
bool search_is_over(const Search *s, double share);
// The launch shows what the suspect is about: then *bug is the finding.
bool search_shows(Search *s, const ConcreteLaunch *launch,
                  const Suspect *suspect, Finding *bug);
// The run has shown what the suspect was about.
bool search_decides(const ConcreteFinding *found, const Suspect *suspect);

// search_aim.c
void search_aim_at_suspects(Search *s, double share);
void search_aim_at_turns(Search *s, double share);
// The launch of a model, which only names blocks and threads that are asked
// for; false: it is none. `scalars` has room for one of each parameter.
bool search_aimed_launch(const Search *s, const TermModel *model,
                         int64_t *scalars, ConcreteLaunch *launch);
// The solver's models as they are, of suspects that nobody aimed at.
void search_try_models(Search *s, double share);

// search_memory.c: the kernel in which loads of what nobody has written are
// told; the one that is checked if there are none.
const IrKernel *search_follow_memory(const Check *check);
// Runs that kernel at the sizes at which reads may come before all writes.
void search_for_unfilled(Search *s, const IrKernel *followed);

// search_plain.c: bugs that were shown with sizes that nobody means, such as 0,
// are shown with others, or said to need these.
void search_show_plainly(Search *s);

#endif
