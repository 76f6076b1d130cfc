// SPDX-License-Identifier: Apache-2.0
// Consumers that take the turns of one ring in rotation, a block of turns each
// time: Note [Dealt turns].
#include "check/order/ring.h"

// ------------------------------------------------------------------- counts

// The first of the barrier's arrivals by these threads; NULL: they overlap with
// others, or don't always arrive with one count.
static const RingOp *ring_deal_first_of(const Rings *rings, const RingOp *op) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *other = rings->ops.data[i];
    if (other->barrier != op->barrier || other->kind != RING_ARRIVE)
      continue;
    if (ring_is_equal(&op->by, &other->by))
      return op->arrivals == other->arrivals ? other : NULL;
    if (!ring_is_apart(&op->by, &other->by))
      return NULL;
  }
  return NULL;
}

int64_t ring_sharers(Rings *rings, const RingBarrier *barrier) {
  int64_t sum = 0, n = 0, count = barrier->object->arrivals;
  bool is_each = true;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->barrier != barrier || op->kind != RING_ARRIVE)
      continue;
    const RingOp *first = ring_deal_first_of(rings, op);
    if (!first)
      return 0;
    if (first != op)
      continue;
    int64_t own = ring_size(rings, &op->by) * op->arrivals;
    is_each &= own == count;
    sum += own;
    n++;
  }
  if (sum == count)
    return 1;
  return is_each ? n : 0;
}

// ------------------------------------------------------------------- streams

static const CheckLoop *outermost(const Step *step) {
  const CheckLoop *loop = step->loop;
  while (loop && loop->parent)
    loop = loop->parent;
  return loop;
}

// The turns of the loop around all others count the blocks.
static bool find_by_loop(Rings *rings, const Step *step, const Term *size,
                         const Term *n, const Term **block, const Term **rest) {
  TermTable *t = rings->terms;
  const CheckLoop *loop = outermost(step);
  if (!loop)
    return false;
  *block = term_of(t, loop->turn);
  *rest = term_sub(t, n, term_mul(t, size, *block));
  const Term *is_inside =
      term_and(t, term_le(t, term_int(t, 0), *rest), term_lt(t, *rest, size));
  return ring_proves(rings, step, is_inside);
}

// The block of its own that the n-th is in, and its place there.
static bool ring_deal_find_block(Rings *rings, const Step *step,
                                 const Term *size, const Term *n,
                                 const Term **block, const Term **rest) {
  TermTable *t = rings->terms;
  int64_t number;
  bool is_number = term_is_constant(size, &number);
  if ((!is_number || number > 1) &&
      find_by_loop(rings, step, size, n, block, rest))
    return true;
  if (!is_number || number < 1)
    return false;
  *block = term_div(t, n, size);
  *rest = term_mod(t, n, size);
  return ring_proves(rings, step, term_le(t, term_int(t, 0), n));
}

const Term *ring_dealt_turn(Rings *rings, const Step *step,
                            const RingDeal *deal, int64_t place, const Term *n,
                            const Term **block) {
  TermTable *t = rings->terms;
  const Term *rest;
  if (!ring_deal_find_block(rings, step, deal->size, n, block, &rest))
    return NULL;
  const Term *of_all =
      term_add(t, term_scale(t, *block, deal->n), term_int(t, place));
  return term_add(t, term_mul(t, deal->size, of_all), rest);
}

static void see_launch(const Symbol *symbol, void *context) {
  bool *is_fixed = context;
  *is_fixed &= symbol->kind == SYMBOL_LAUNCH || symbol->kind == SYMBOL_BLOCK;
}

// How many turns a block may have: as many as the inner loop, or one.
static const Term *ring_deal_size_of(Rings *rings, const RingOp *op,
                                     int which) {
  const CheckLoop *loop = op->step->loop;
  bool is_fixed = true;
  if (which > 0)
    return term_int(rings->terms, 1);
  if (!loop || !loop->parent || !loop->trips)
    return NULL;
  const Term *size = ring_decided(rings, op->step, loop->trips);
  term_symbols(size, see_launch, &is_fixed);
  return is_fixed ? size : NULL;
}

static bool ring_deal_is_place(Rings *rings, const RingOp *op, const Term *n,
                               const RingDeal *deal, int64_t place,
                               const Term **block) {
  TermTable *t = rings->terms;
  const Term *n_slots = term_int(t, op->barrier->n_slots);
  const Term *turn = ring_dealt_turn(rings, op->step, deal, place, n, block);
  if (!turn || !ring_is_equal_at(rings, op->step,
                                 ring_decided(rings, op->step, op->use->slot),
                                 term_mod(t, turn, n_slots)))
    return false;
  if (op->kind != RING_WAIT)
    return true;
  const Term *round = term_div(t, turn, n_slots);
  return ring_is_equal_at(rings, op->step,
                          ring_decided(rings, op->step, op->use->parity),
                          term_mod(t, round, term_int(t, 2)));
}

// The place that these threads have, or that is free; false: they overlap with
// others that have it.
static bool ring_deal_may_have(const Rings *rings, const RingSet *set,
                               int64_t place, bool *is_new) {
  *is_new = true;
  for (uint32_t i = 0; i < rings->sharers.count; i++) {
    const RingSharer *sharer = &rings->sharers.data[i];
    bool is_same = ring_is_equal(&sharer->set, set);
    if (is_same != (sharer->place == place))
      return false;
    if (is_same)
      *is_new = false;
    else if (!ring_is_apart(&sharer->set, set))
      return false;
  }
  return true;
}

static bool takes_place(Rings *rings, RingOp *op, const Term *n,
                        const RingDeal *deal) {
  RingBarrier *barrier = op->barrier;
  for (int64_t place = 0; place < deal->n; place++) {
    bool is_new;
    if (!ring_deal_may_have(rings, &op->cover, place, &is_new) ||
        !ring_deal_is_place(rings, op, n, deal, place, &op->block))
      continue;
    if (is_new) {
      RingSharer sharer = {op->cover, place};
      VEC_PUSH(rings->arena, &rings->sharers, sharer);
    }
    op->place = place;
    barrier->deal = *deal;
    barrier->sense = RING_FULL;
    return true;
  }
  return false;
}

bool ring_is_dealt_wait(Rings *rings, RingOp *op, const Term *n) {
  const RingBarrier *barrier = op->barrier;
  if (barrier->deal.n == 1 || barrier->sense == RING_EMPTY)
    return false;
  if (barrier->deal.n > 1)
    return takes_place(rings, op, n, &barrier->deal);
  for (int which = 0; which < 2; which++) {
    RingDeal deal = {rings->n_sharers, ring_deal_size_of(rings, op, which)};
    if (deal.size && takes_place(rings, op, n, &deal))
      return true;
  }
  return false;
}

bool ring_is_dealt_arrival(Rings *rings, RingOp *op, const Term *n) {
  RingBarrier *barrier = op->barrier;
  for (uint32_t i = 0; i < rings->sharers.count; i++) {
    const RingSharer *sharer = &rings->sharers.data[i];
    if (!ring_is_within(&op->by, &sharer->set))
      continue;
    // The deal is that of a barrier which these threads wait for.
    for (uint32_t k = 0; k < rings->barriers.count; k++) {
      const RingDeal *deal = &rings->barriers.data[k]->deal;
      if (deal->n < 2 ||
          (barrier->deal.n > 1 && barrier->deal.size != deal->size) ||
          !ring_deal_is_place(rings, op, n, deal, sharer->place, &op->block))
        continue;
      op->place = sharer->place;
      barrier->deal = *deal;
      return true;
    }
  }
  return false;
}

int64_t ring_place(Rings *rings, const RingBarrier *barrier, RingOpKind kind,
                   const RingSet *set) {
  int64_t place = -1;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->barrier != barrier || op->kind != kind ||
        ring_is_apart(&op->cover, set))
      continue;
    if (!ring_is_within(set, &op->cover) || (place >= 0 && place != op->place))
      return -1;
    place = op->place;
  }
  return place;
}

bool ring_is_deal_right(Rings *rings, const Ring *ring) {
  const RingBarrier *full = ring->full, *empty = ring->empty;
  if (full->deal.n <= 1 && empty->deal.n <= 1)
    return true;
  if (full->deal.n != empty->deal.n || full->deal.size != empty->deal.size ||
      ring->ahead != 0 || empty->n_sharers != full->deal.n)
    return false;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *a = rings->ops.data[i];
    if (a->barrier != empty || a->kind != RING_ARRIVE)
      continue;
    if (ring_place(rings, full, RING_WAIT, &a->by) != a->place)
      return false;
    // Each turn is freed by one of the sets that make the count.
    for (uint32_t k = 0; k < i; k++) {
      const RingOp *b = rings->ops.data[k];
      if (b->barrier == empty && b->kind == RING_ARRIVE &&
          (a->place == b->place) != ring_is_equal(&a->by, &b->by))
        return false;
    }
  }
  return true;
}

// --------------------------------------------------------------------- begin

// The slot's turn before was the same sharer's.
static bool has_own_slots(const RingBarrier *full) {
  int64_t size;
  return term_is_constant(full->deal.size, &size) && size > 0 &&
         size <= full->n_slots && full->n_slots % (full->deal.n * size) == 0;
}

static const Term *ring_deal_passed(Rings *rings, const Step *step,
                                    const RingBarrier *barrier,
                                    CountKind kind) {
  return ring_count(rings, step, barrier->row, kind);
}

// The wait of a block comes behind the order's wait of that turn.
static bool awaits_order(Rings *rings, const RingOp *wait, const Ring *order) {
  TermTable *t = rings->terms;
  const RingBarrier *from = wait->place == 0 ? order->empty : order->full;
  const Term *waited = ring_deal_passed(rings, wait->step, from, PASS_WAITS);
  return ring_takes_part(rings, from, RING_WAIT, &wait->by) &&
         ring_proves(rings, wait->step, term_lt(t, wait->block, waited));
}

// The order is passed on in turn m behind all waits of the own blocks up to m.
static bool passes_on(Rings *rings, const RingOp *arrival, const Ring *order,
                      const Ring *ring) {
  TermTable *t = rings->terms;
  const Step *at = arrival->step;
  const Term *turn = ring_ended(rings, at, order, arrival->barrier);
  const Term *due =
      term_mul(t, ring->full->deal.size, term_add(t, turn, term_int(t, 1)));
  int64_t place = arrival->barrier == order->full ? 0 : 1;
  return ring_place(rings, ring->full, RING_WAIT, &arrival->by) == place &&
         ring_takes_part(rings, ring->full, RING_WAIT, &arrival->by) &&
         ring_proves(
             rings, at,
             term_le(t, due,
                     ring_deal_passed(rings, at, ring->full, PASS_WAITS)));
}

static bool is_order(Rings *rings, const Ring *ring, const Ring *order) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    bool is_of_order =
        op->barrier == order->full || op->barrier == order->empty;
    if (op->kind == RING_WAIT && op->barrier == ring->full &&
        !awaits_order(rings, op, order))
      return false;
    if (op->kind == RING_ARRIVE && is_of_order &&
        !passes_on(rings, op, order, ring))
      return false;
  }
  return true;
}

bool ring_begins_in_turn(Rings *rings, const Ring *ring) {
  if (ring->full->deal.n <= 1 || has_own_slots(ring->full))
    return true;
  for (uint32_t i = 0; ring->full->deal.n == 2 && i < rings->rings.count; i++) {
    const Ring *order = rings->rings.data[i];
    // With more slots a wait for turn m is for what was freed before m - 1.
    bool may_order = order->full->deal.n <= 1 && order->full->n_slots == 1;
    if (may_order && is_order(rings, ring, order))
      return true;
  }
  return false;
}
