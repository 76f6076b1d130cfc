// SPDX-License-Identifier: Apache-2.0
// Why something differs between the threads of a group: the way from it to
// the operation where the difference begins, in words and places.
#ifndef HD_IR_ANALYSES_BLAME_H
#define HD_IR_ANALYSES_BLAME_H

#include "ir/analyses/uniform.h"

typedef struct Blamer Blamer;

Blamer *blamer_new(Arena *arena, const Uniformity *uniformity,
                   DiagEngine *diags);

// One explanation; valid until the next one is asked for.
typedef struct {
  const IrGroup *group;
  // The first value on the way: the condition or bound that decides, or the
  // value that was asked about. NULL where no value is involved.
  const IrNode *condition;
  const IrNode *exit; // through which threads are missing, or NULL
  const char *value;  // what differs in the end: "rank()"
  Token root;
  hd_vec(Token) path; // from what was asked to the root
} Blame;

// NULL when `token` doesn't differ between the threads of `group`.
const Blame *blame_token(Blamer *blamer, Token token, const IrGroup *group);

// Labels for the way, after the message was reported.
void blame_add_labels(Blamer *blamer, const Blame *blame, Diag *diag);
// Notes for the inlined calls in which `loc` stands.
void blame_add_calls(Blamer *blamer, Diag *diag, IrLocId loc);

Place blame_place(const Blamer *blamer, const IrNode *node);
// "the block", "thread_group(0, 16)"
const char *blame_group_phrase(Blamer *blamer, const IrGroup *group);
// The user's text of a value in quotes, or `otherwise`.
const char *blame_value_text(Blamer *blamer, const IrNode *node,
                             const char *otherwise);

#endif
