// SPDX-License-Identifier: Apache-2.0
// What the files about the rules of groups share: inside check_groups.
#ifndef HD_IR_RULES_CHECK_RULES_H
#define HD_IR_RULES_CHECK_RULES_H

#include "ir/analyses/blame.h"

typedef struct {
  const IrKernel *kernel;
  const Uniformity *u;
  Arena *arena;
  DiagEngine *diags;
  Blamer *blamer;
  Map blamed; // conditions that were reported: one mistake, one message
  uint32_t n_errors;
  uint32_t n_copy_waits;   // looked at
  const IrNode *operation; // whose operator is being looked at, or NULL
  OpenConditions *open;    // to be stated; NULL: all are reported
  Arena *open_arena;
} Checker;

// In the language of the program that the kernel is from.
static inline const char *rule_word(const Checker *c, VocabularyWord word) {
  return vocabulary_word(c->kernel->module->language, word);
}

// What the user calls the node.
const char *check_text(Checker *c, const IrNode *node);
// Counts the error and says in which calls it stands.
Diag *check_finish(Checker *c, Diag *diag, const IrNode *node);
// All threads of `group` must reach the node together.
void check_together(Checker *c, const IrNode *node, const IrGroup *group);
// Whether they do; of parts of a block.
bool check_is_together(const IrKernel *kernel, const Uniformity *u,
                       const IrNode *node, const IrGroup *group);
// The value must be the same for all threads of the group; `what` names it.
void check_same(Checker *c, const IrNode *node, const IrNode *value,
                const IrGroup *group, const char *what);

// check_open.c: whether nothing but conditions that may be stated decide who
// gets to the node. Lists them.
bool check_open(Checker *c, const IrNode *node, const IrGroup *group);
// Whether it is a condition of CUDA C++ that was stated although ranks may
// decide it: runs test it (ir_test_claims).
bool check_is_tested(const IrKernel *kernel, const Uniformity *u,
                     Arena *scratch, const IrNode *claim);

// check_collective.c: what operations of groups, barriers and copies need.
void check_operation(Checker *c, const IrNode *node);

// check_tile.c: what operations on tiles need of the group that does them.
void check_tile(Checker *c, const IrNode *node);
// What the group has: "16 threads", and where they begin if it matters.
const char *check_size_text(Checker *c, const IrGroup *group);

// check_copies.c: waits that leave more copies than can have been made.
void check_copies_left(Checker *c, const IrNode *node);

// check_wgmma.c: accumulators are fenced, and waited for, on every path.
void check_wgmma(Checker *c);

// check_tensor.c: tensor memory is taken, fenced and given back on every path.
void check_tensor(Checker *c);

// check_registers.c: what warpgroups set their registers to fits together.
void check_registers(Checker *c);

// check_spin.c: warns of a loop in which lanes of one warp wait for each other.
void check_spin(Checker *c, const IrNode *loop);
// Refuses waits for other blocks where blocks don't begin in their order.
void check_order(Checker *c, const IrNode *node);
// Warns of order(longest_first) where all blocks do the same.
void check_lengths(Checker *c);

#endif
