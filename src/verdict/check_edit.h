// SPDX-License-Identifier: Apache-2.0
// Fixes of the checker as edits of the user's text.
#ifndef HD_VERDICT_CHECK_EDIT_H
#define HD_VERDICT_CHECK_EDIT_H

#include "check/check.h"
#include "session/session.h"

// An insertion, with the place where it goes (which is empty).
typedef struct {
  Place place;
  const char *text;
  bool is_guess; // nothing is wrong then, but more may have been meant
} Edit;

typedef struct {
  HdProgram *program;
  Arena *arena;
  const char *kernel;
  const IrKernel *ir;
  const HdEmbed *embeds;
  int n_embeds;
  const SpecLimits *limits;
  const CheckReport *report;
  const CheckOptions *options;
  uint32_t n_guards; // tried so far (check_guard.c)
  // The last edit that was none left something about barriers open that isn't
  // told of the program as it is.
  bool has_open_barriers;
} EditContext;

// The finding's fix as an edit. It is applied to a copy of the program, which
// is compiled and checked again: only if the finding is gone then and nothing
// new is open, there is one. False: none.
bool edit_of(EditContext *cx, const Finding *finding, Edit *out);
// The second half of it, for an edit of another's.
bool edit_is_right(EditContext *cx, const Edit *edit, const Finding *target);

#endif
