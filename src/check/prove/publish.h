// SPDX-License-Identifier: Apache-2.0
// Publication by flags and counters: Note [Publication] in publish.c.
#ifndef HD_CHECK_PROVE_PUBLISH_H
#define HD_CHECK_PROVE_PUBLISH_H

#include "check/prove/race.h"

// The pair's conditions `list` can't hold unless one of the two touches
// has been published to the other's thread. What that trusts is added to the
// report.
bool publish_orders(const Pair *pair, const TermList *list);

// Only touches that are said to be of the array write it.
bool publish_is_known(const Race *race, const IrObject *object);

// ------------------------------------------------------- ways (publish_way.c)

// What lies between a step x and a step y that stands behind it, once in the
// kernel: each execution of x is before each of y.
typedef struct {
  bool is_before; // if one thread makes both
  // So do all threads of a block, between x and y of any two of them.
  bool is_synced;
  // Fences of the whole device, in the order of all such fences: by x's thread
  // before the last sync between, by y's behind the first one; by a thread
  // that makes both.
  bool is_fenced_first, is_fenced_last, is_fenced;
} Way;

Way way_between(const Race *race, const Step *x, const Step *y);
// The last sync of whole blocks that every thread of a block passes before one
// of them gets to the step; once in the kernel. NULL: none.
const Step *way_last_sync(const Race *race, const Step *step);

// ------------------------------------------- what is seen (publish_seen.c)

// One of the two threads of a pair.
typedef struct {
  const Pair *pair;
  bool is_first;
  const Step *step;
} Side;

const Term *side_term(const Side *side, const Term *term);

// A thread that isn't one of the pair: symbols that it has for itself are
// copied. Its block is that of `side`, or any (NULL).
typedef struct {
  Race *race;
  const Side *side;
  const Term *thread; // of `side`'s block: its rank; NULL: any
  Map copies;
} Other;

const Term *other_term(Other *other, const Term *term);
// The block of the side.
const Term *other_is_in_block(Other *other, const Side *side);

// What an atomic load of global memory gave before a side's step.
typedef struct {
  const Step *load;
  const Term *value;              // what it gave
  const Term *index[IR_MAX_RANK]; // where
  bool is_fenced; // a fence of its thread, or of the side's, lies between
  bool is_taken;  // it acquires, or its thread fences
} Seen;

typedef struct {
  hd_vec(Seen) all;
  TermList facts; // about their values
} SeenList;

// The numbers are the same in as many bytes, signed or not; NULL: not known.
const Term *publish_equal(TermTable *t, const Term *x, const Term *y,
                          uint32_t n_bytes);
void seen_before(const Side *side, SeenList *list);
// The one step of a node; NULL: several, or none.
const Step *step_of_node(const Race *race, const IrNode *node);

#endif
