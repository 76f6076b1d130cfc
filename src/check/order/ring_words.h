// SPDX-License-Identifier: Apache-2.0
// Words of roles: what the files about progress share. Note [Rings] in
// docs/internals/check-order.md.
#ifndef HD_CHECK_ORDER_RING_WORDS_H
#define HD_CHECK_ORDER_RING_WORDS_H

#include "check/order/ring.h"

// What one role waits for, in program order: waits of rings, and loops and
// branches around them.
typedef enum { WORD_WAIT, WORD_LOOP, WORD_IF } WordKind;

typedef struct Word {
  WordKind kind;
  const Ring *ring;      // WAIT
  const CheckLoop *loop; // LOOP
  const Term *condition; // IF; LOOP: trips, or the test that leaves it
  bool is_test;
  struct Word *body, *other, *next;
} Word;

typedef struct {
  RingSet set;
  Word *word;
} Role;

typedef hd_vec(Role) Roles;

// Which rings count; the others' waits are as if they weren't there.
typedef struct {
  Rings *rings;
  bool *counts; // by ring
} WordFilter;

// The roles of all waits, with their words; false: not known.
bool words_find_roles(Rings *rings, Roles *roles);
// NULL: of no role.
const Role *words_role_of(const Roles *roles, const RingOp *op);
// The first word that counts, from this one on; NULL: there is none.
const Word *words_skip(const WordFilter *filter, const Word *word);
bool words_are_equal(const WordFilter *filter, const Word *a, const Word *b);
// b makes the turns place, place + n, … of a, each with equal words.
bool words_are_dealt(const WordFilter *filter, const Word *a, const Word *b,
                     int64_t n, int64_t place);

// --- ring_live_deal.c
// As the star of ring_live.c, of rings whose turns are dealt.
bool ring_is_dealt_live(Rings *rings, const Roles *roles);

// --- ring_live.c
// When a role that fills the ring waits, all turns that it began are filled.
bool ring_has_filled(Rings *rings, const Step *step, const Ring *ring);
// … and at the end.
bool ring_fills_last(Rings *rings, const RingOp *op);
// Who waits for turn i has freed all slots but the last S - 1.
bool ring_has_freed(Rings *rings, const RingOp *op);

#endif
