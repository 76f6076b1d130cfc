// SPDX-License-Identifier: Apache-2.0
// A write that may come before a read: inside of Note [Filled].
#ifndef HD_CHECK_PROVE_FILLED_BEFORE_H
#define HD_CHECK_PROVE_FILLED_BEFORE_H

#include "check/order/ring.h"
#include "check/prove/filled.h"
#include "check/tree/tree.h"
#include "ir/form/order.h"

enum { MOST_LOOPS = 16, MOST_OWN = 40 };

typedef enum { NOT_BEFORE, IS_BEFORE, IF_ORDERED } BeforeAnswer;

// A write as one that comes before the read. In the loops around both the turns
// are the same up to `n_same`; in the next one, if there is one, the write's is
// an earlier one.
typedef struct {
  Filled *f;
  const Step *read, *write;
  const CheckLoop *loops[MOST_LOOPS]; // around both, from outside in
  uint32_t n_common, n_same;
  // Or a ring orders the two: they are in this turn of it, and loops don't
  // matter.
  const Term *filled_in, *read_in;
  bool is_anywhere; // nothing is said of turns: barriers order the two
  // Turns of loops around the write are those of the loops around the read: one
  // guess, for what isn't linear.
  bool has_its_turns;
  bool is_own_thread;
  bool is_other_block;     // of the cluster: the writer's
  bool may_elect;          // who is elected there doesn't matter
  const IrGroup *together; // both threads are in one instance; or NULL
  const Symbol *own[MOST_OWN];
  uint32_t n_own;
  bool is_hidden; // the term at hand has a symbol of which nothing is known
} Before;

// ---------------------------------------------------------- filled_symbols.c

uint32_t filled_depth(const CheckLoop *loop);
// Sets the loops around both.
void filled_find_common(Before *b);
// Both threads are in one instance of the group: the grid, the cluster, the
// block, or the one that the case is about.
bool filled_holds_both(const Before *b, const IrGroup *group);
// The threads of the block, or of the instance in which both are, make its
// turns together.
bool filled_is_in_step(const Before *b, const CheckLoop *loop);
// The path says which turns of the loop are made.
bool filled_is_counted(const Filled *f, const CheckLoop *loop);
// The turn of the loop that declares the array has one of its own.
bool filled_begins_in(const IrObject *object, const CheckLoop *loop);
// An element of what a copy moves: each of them is written.
bool filled_is_of_section(const Before *b, const Symbol *symbol);
// The group, or each block, has one instance.
bool filled_is_one_in_block(const Filled *f, const IrGroup *group);
// The thread, or who is elected, is in the term.
bool filled_has_thread(const Term *term);
// … in the place that is written.
bool filled_is_by_rank(const Touch *write);
// Where the clusters aren't known: the block that wrote is one of the grid.
const Term *filled_is_block(Filled *f);
// The writer's symbol for one of the tree: a TermMap of a Before.
const Term *filled_as_writer(const Symbol *symbol, void *before);
// What is known of the condition at least, of the writer; FALSE: nothing.
const Term *filled_at_least(Before *b, const Term *term);
// The term for the writer; NULL: not known.
const Term *filled_written(Before *b, const Term *term);
// It lies inside of the element that its indices name.
bool filled_is_in_element(const Touch *touch);
// The byte of the read that is looked at, `from` + one of n_bytes, is one of
// those that are written from `to` on.
const Term *filled_holds_byte(Filled *f, const Touch *read, const Touch *write,
                              const Term *from, const Term *to,
                              const Term *byte);
// Read and write have that byte in common; NULL: not known.
const Term *filled_same_place(Before *b, const Term *byte);
// Inside of its extents, outside of which a copy does nothing.
const Term *filled_inside(const Filled *f, const Touch *touch,
                          const Term *const *index);

// ------------------------------------------------------------ filled_order.c

// The writer makes the turns that the case speaks of; FALSE: not known.
const Term *filled_turns(Before *b);
BeforeAnswer filled_may_be_before(const Before *b);
// Arrays that each instance of a group has for itself: of one.
const Term *filled_same_instance(Before *b, const IrGroup *group);
// It may be the memory of another block.
bool filled_is_far(const Touch *touch);
// One block's memory; FALSE: not known.
const Term *filled_same_home(Before *b);
// The writer gets to the write, in those turns; FALSE: not known.
const Term *filled_reaches(Before *b);
// Its path says which elements of a tile it leaves out.
bool filled_is_masked(const Step *write);
// The condition without the case's own symbols that its equations determine.
const Term *filled_solve(Before *b, const Term *all);

#endif
