// SPDX-License-Identifier: Apache-2.0
// Full and empty barriers of a ring: what must hold at each operation for the
// rule of Note [Rings] to hold.
#include "check/order/ring.h"

static const Term *ring_rule_passed(Rings *rings, const Step *step,
                                    const RingBarrier *barrier,
                                    CountKind kind) {
  return ring_count(rings, step, barrier->row, kind);
}

// a + by <= b at the step
static bool is_at_most(Rings *rings, const Step *step, const Term *a,
                       int64_t by, const Term *b) {
  TermTable *t = rings->terms;
  return ring_proves(rings, step,
                     term_le(t, term_add(t, a, term_int(t, by)), b));
}

const Term *ring_ended(Rings *rings, const Step *step, const Ring *ring,
                       const RingBarrier *barrier) {
  TermTable *t = rings->terms;
  int64_t ahead = barrier == ring->empty ? ring->ahead : 0;
  return term_sub(t, ring_rule_passed(rings, step, barrier, PASS_ARRIVALS),
                  term_int(t, ahead));
}

// An arrival of turn i on `own` comes behind the wait on `other` of turn i.
static bool follows_wait(Rings *rings, const RingOp *arrival, const Ring *ring,
                         const RingBarrier *other) {
  const Step *at = arrival->step;
  return ring_takes_part(rings, other, RING_WAIT, &arrival->by) &&
         is_at_most(rings, at, ring_ended(rings, at, ring, arrival->barrier), 1,
                    ring_rule_passed(rings, at, other, PASS_WAITS));
}

// A wait of turn i on `own` comes before the arrival on `other` of turn i, if
// that ever comes.
static bool precedes_arrival(Rings *rings, const RingOp *wait, const Ring *ring,
                             const RingBarrier *other) {
  const Step *at = wait->step;
  return ring_takes_part(rings, other, RING_ARRIVE, &wait->by) &&
         is_at_most(rings, at, ring_ended(rings, at, ring, other), 0,
                    ring_rule_passed(rings, at, wait->barrier, PASS_WAITS));
}

static bool has_kind(const Rings *rings, const RingBarrier *barrier,
                     RingOpKind kind) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    if (rings->ops.data[i]->barrier == barrier &&
        rings->ops.data[i]->kind == kind)
      return true;
  return false;
}

static bool is_good_op(Rings *rings, const RingOp *op, const Ring *ring) {
  const RingBarrier *own = op->barrier, *full = ring->full;
  const RingBarrier *other = own == full ? ring->empty : full;
  if (own != full && own != ring->empty)
    return true;
  switch (op->kind) {
  case RING_ARRIVE: return follows_wait(rings, op, ring, other);
  case RING_WAIT: return precedes_arrival(rings, op, ring, other);
  case RING_WAIT_LATE: return own == full;
  case RING_EXPECT:
  case RING_LAND: return own == full;
  }
  return false;
}

// -------------------------------------------------------------------- bytes

static bool is_single(Rings *rings, const RingSet *set) {
  return ring_size(rings, set) == 1;
}

// Bytes of turn i are expected and asked for behind the wait of turn i, and
// before that of the next turn; while the phase still waits for an arrival of
// who expects them, or for bytes that it expected with its arrival.
static bool is_in_turn(Rings *rings, const RingOp *op, const Ring *ring) {
  TermTable *t = rings->terms;
  const Step *at = op->step;
  const Term *waited = ring_rule_passed(rings, at, ring->empty, PASS_WAITS);
  const Term *made = ring_rule_passed(rings, at, ring->full, PASS_ARRIVALS);
  const Term *turn = term_sub(t, waited, term_int(t, 1));
  if (op->kind == RING_ARRIVE)
    return ring_proves(rings, at, term_eq(t, turn, made));
  const Term *slot = term_mod(t, turn, term_int(t, ring->full->n_slots));
  int64_t early = op->kind == RING_LAND ? -1 : 0;
  return is_at_most(rings, at, made, early, turn) &&
         ring_proves(rings, at, term_le(t, term_int(t, 0), turn)) &&
         ring_proves(rings, at, term_eq(t, slot, op->use->slot)) &&
         ring_takes_part(rings, ring->empty, RING_WAIT, &op->by) &&
         ring_takes_part(rings, ring->full, RING_ARRIVE, &op->by);
}

static bool ring_rule_has_bytes(const RingOp *op) {
  return op->kind == RING_LAND || op->expects;
}

// Nothing is due or too much when a turn begins, nor at the end.
static bool is_settled(Rings *rings, const RingOp *op, const Ring *ring) {
  TermTable *t = rings->terms;
  const Term *zero = term_int(t, 0);
  bool is_waited = false;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *wait = rings->ops.data[i];
    if (wait->kind != RING_WAIT || wait->barrier != ring->empty ||
        ring_is_apart(&op->by, &wait->cover))
      continue;
    const Term *due =
        ring_rule_passed(rings, wait->step, ring->full, PASS_BYTES);
    if (!ring_is_within(&op->by, &wait->by) ||
        !ring_proves(rings, wait->step, term_eq(t, due, zero)))
      return false;
    is_waited = true;
  }
  const Term *end = ring_end_count(rings, ring_membership(rings, op->step),
                                   ring->full->row, PASS_BYTES);
  return is_waited &&
         solver_proves(rings->check->solver, ring_membership(rings, op->step),
                       term_eq(t, end, zero));
}

static bool are_bytes_right(Rings *rings, const Ring *ring) {
  const RingOp *expecting = NULL, *landing = NULL;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->barrier != ring->full || !ring_rule_has_bytes(op))
      continue;
    const RingOp **same = op->kind == RING_LAND ? &landing : &expecting;
    if (*same && !ring_is_equal(&(*same)->by, &op->by))
      return false;
    *same = op;
    if (!is_single(rings, &op->by) || !is_in_turn(rings, op, ring) ||
        !is_settled(rings, op, ring))
      return false;
  }
  return (expecting == NULL) == (landing == NULL);
}

// ------------------------------------------------------------------- pairing

static bool belong_together(Rings *rings, const Ring *ring) {
  const RingBarrier *full = ring->full, *empty = ring->empty;
  if (full == empty || !ring_is_deal_right(rings, ring) ||
      full->n_slots != empty->n_slots || !has_kind(rings, full, RING_ARRIVE) ||
      !has_kind(rings, empty, RING_ARRIVE))
    return false;
  for (uint32_t i = 0; i < rings->ops.count; i++)
    if (!is_good_op(rings, rings->ops.data[i], ring))
      return false;
  return are_bytes_right(rings, ring);
}

// The barrier of those that free the slots. Where its first wait is for its
// first phase, that is completed by arrivals for all slots beforehand.
static bool find_empty(Rings *rings, RingBarrier *full) {
  for (uint32_t i = 0; i < rings->barriers.count; i++) {
    RingBarrier *empty = rings->barriers.data[i];
    Ring candidate = {rings->rings.count, full, empty, 0};
    if (empty->sense == RING_FULL)
      candidate.ahead = empty->n_slots;
    if (empty->ring || !belong_together(rings, &candidate))
      continue;
    Ring *ring = ARENA_NEW(rings->arena, Ring);
    *ring = candidate;
    VEC_PUSH(rings->arena, &rings->rings, ring);
    full->ring = empty->ring = ring;
    return true;
  }
  return false;
}

bool ring_pair_up(Rings *rings) {
  for (uint32_t i = 0; i < rings->barriers.count; i++) {
    RingBarrier *barrier = rings->barriers.data[i];
    if (barrier->sense == RING_OPEN)
      return false;
    if (barrier->sense == RING_FULL && !barrier->ring)
      (void)find_empty(rings, barrier);
  }
  for (uint32_t i = 0; i < rings->barriers.count; i++)
    if (!rings->barriers.data[i]->ring)
      return false;
  for (uint32_t i = 0; i < rings->rings.count; i++)
    if (!ring_begins_in_turn(rings, rings->rings.data[i]))
      return false;
  return true;
}
