// SPDX-License-Identifier: Apache-2.0
// That nobody waits for ever where consumers take the turns of a ring in
// rotation: one run is told in which everybody gets on. Note [Dealt turns].
#include "check/order/ring_words.h"

// Who is who: one role fills, and there is one at each place.
enum { MAX_PLACES = 8 };

typedef struct {
  Rings *rings;
  const Roles *roles;
  int64_t n;
  const Role *master;
  const Role *at[MAX_PLACES];
} Deal;

static bool is_dealt(const Ring *ring) {
  return ring->full->deal.n > 1;
}

static bool is_consumer(const Deal *d, const Role *role) {
  for (int64_t i = 0; i < d->n; i++)
    if (d->at[i] == role)
      return true;
  return false;
}

// The role that waits there is the one in *role, or becomes it.
static bool live_deal_fits(const Deal *d, const RingOp *wait,
                           const Role **role) {
  const Role *own = words_role_of(d->roles, wait);
  if (!*role)
    *role = own;
  return own && *role == own;
}

static bool find_places(Deal *d) {
  for (uint32_t i = 0; i < d->rings->ops.count; i++) {
    const RingOp *op = d->rings->ops.data[i];
    const Ring *ring = op->barrier->ring;
    if (op->kind != RING_WAIT || !is_dealt(ring))
      continue;
    if (ring->full->deal.n != d->n ||
        !live_deal_fits(
            d, op, op->barrier == ring->empty ? &d->master : &d->at[op->place]))
      return false;
  }
  bool is_right = d->master && !is_consumer(d, d->master);
  for (int64_t i = 0; i < d->n && is_right; i++) {
    is_right = d->at[i] != NULL;
    for (int64_t k = 0; k < i; k++)
      is_right &= d->at[i] != d->at[k];
  }
  return is_right && d->roles->count == (uint32_t)d->n + 1;
}

// Which ring the wait is of, where that is one that orders two consumers: the
// one at the first place waits for what the other frees.
static bool is_order_right(const Deal *d, const RingOp *wait) {
  const Ring *ring = wait->barrier->ring;
  int place = wait->barrier == ring->empty ? 0 : 1;
  return d->n == 2 && ring->full->n_slots == 1 &&
         words_role_of(d->roles, wait) == d->at[place];
}

static bool are_orders_right(const Deal *d) {
  for (uint32_t i = 0; i < d->rings->ops.count; i++) {
    const RingOp *op = d->rings->ops.data[i];
    if (op->kind == RING_WAIT && !is_dealt(op->barrier->ring) &&
        !is_order_right(d, op))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------- words

static WordFilter filter_of(const Deal *d) {
  WordFilter filter = {.rings = d->rings};
  filter.counts = ARENA_ARRAY(d->rings->arena, bool, d->rings->rings.count);
  return filter;
}

// The loop of the role's blocks; NULL: it isn't one alone.
static const Word *live_deal_loop_of(const Deal *d, const Role *role) {
  WordFilter filter = filter_of(d);
  for (uint32_t i = 0; i < d->rings->rings.count; i++)
    filter.counts[i] = is_dealt(d->rings->rings.data[i]);
  const Word *word = words_skip(&filter, role->word);
  return word && word->kind == WORD_LOOP ? word : NULL;
}

static bool are_words_dealt(const Deal *d) {
  WordFilter filter = filter_of(d);
  for (uint32_t i = 0; i < d->rings->rings.count; i++)
    filter.counts[i] = is_dealt(d->rings->rings.data[i]);
  const Word *all = live_deal_loop_of(d, d->master);
  for (int64_t i = 0; i < d->n && all; i++) {
    const Word *own = live_deal_loop_of(d, d->at[i]);
    if (!own || !words_are_dealt(&filter, all, own, d->n, i))
      return false;
  }
  return all != NULL;
}

// In each turn of that loop the consumer waits once for its turn of the order.
static bool is_in_each_turn(const Deal *d, const Role *role,
                            const Ring *order) {
  WordFilter filter = filter_of(d);
  filter.counts[order->id] = true;
  const Word *loop = words_skip(&filter, role->word);
  const Word *own = live_deal_loop_of(d, role);
  if (!loop || !own || loop->kind != WORD_LOOP || loop->loop != own->loop ||
      words_skip(&filter, loop->next))
    return false;
  const Word *wait = words_skip(&filter, loop->body);
  return wait && wait->kind == WORD_WAIT && !words_skip(&filter, wait->next);
}

// ------------------------------------------------------------------- counts

static const Term *count_at(const Deal *d, const RingOp *op,
                            const RingBarrier *barrier, CountKind kind) {
  return ring_count(d->rings, op->step, barrier->row, kind);
}

// Which turn of its loop of blocks the wait is in; NULL: it is outside of it.
static const Term *block_at(const Deal *d, const Role *role,
                            const RingOp *wait) {
  const Word *word = live_deal_loop_of(d, role);
  for (const CheckLoop *loop = wait->step->loop; word && loop;
       loop = loop->parent)
    if (loop == word->loop)
      return term_of(d->rings->terms, loop->turn);
  return NULL;
}

// Wait n of the dealt ring's is in block n / size.
static bool is_in_block(const Deal *d, const RingOp *wait, const Term *block) {
  TermTable *t = d->rings->terms;
  const Term *size = wait->barrier->ring->full->deal.size;
  const Term *rest = term_sub(t, count_at(d, wait, wait->barrier, PASS_WAITS),
                              term_mul(t, size, block));
  const Term *is_inside =
      term_and(t, term_le(t, term_int(t, 0), rest), term_lt(t, rest, size));
  return ring_proves(d->rings, wait->step, is_inside);
}

// What the consumer made of earlier blocks: all slots are freed, and the order
// is passed on.
static bool live_deal_is_behind(const Deal *d, const Role *role,
                                const RingOp *wait, const Term *block) {
  Rings *rings = d->rings;
  TermTable *t = rings->terms;
  for (uint32_t i = 0; i < rings->rings.count; i++) {
    const Ring *ring = rings->rings.data[i];
    const RingBarrier *to =
        is_dealt(ring) || role == d->at[1] ? ring->empty : ring->full;
    const Term *size = is_dealt(ring) ? ring->full->deal.size : term_int(t, 1);
    const Term *made = ring_ended(rings, wait->step, ring, to);
    if (!ring_takes_part(rings, to, RING_ARRIVE, &wait->by) ||
        !ring_proves(rings, wait->step,
                     term_le(t, term_mul(t, size, block), made)))
      return false;
  }
  return true;
}

// At its end a consumer has freed, and passed on, all that it waited for.
static bool ends_right(const Deal *d, const Role *role, const RingOp *wait) {
  Rings *rings = d->rings;
  TermTable *t = rings->terms;
  const Ring *ring = wait->barrier->ring;
  const RingBarrier *to =
      is_dealt(ring) || role == d->at[1] ? ring->empty : ring->full;
  const Term *given = ring_membership(rings, wait->step);
  const Term *waited =
      ring_end_count(rings, given, wait->barrier->row, PASS_WAITS);
  const Term *made =
      term_sub(t, ring_end_count(rings, given, to->row, PASS_ARRIVALS),
               term_int(t, to == ring->empty ? ring->ahead : 0));
  return waited == made ||
         solver_proves(rings->check->solver, given, term_eq(t, waited, made));
}

static bool is_good_wait(const Deal *d, const RingOp *wait) {
  const Role *role = words_role_of(d->roles, wait);
  const Ring *ring = wait->barrier->ring;
  const Term *block = block_at(d, role, wait);
  if (!block)
    return false;
  if (role == d->master) {
    for (uint32_t i = 0; i < d->rings->rings.count; i++)
      if (is_dealt(d->rings->rings.data[i]) &&
          !ring_has_filled(d->rings, wait->step, d->rings->rings.data[i]))
        return false;
    return is_in_block(d, wait, block) && ring_fills_last(d->rings, wait);
  }
  bool is_right = is_dealt(ring) ? is_in_block(d, wait, block) &&
                                       ring_has_freed(d->rings, wait)
                                 : is_in_each_turn(d, role, ring);
  return is_right && live_deal_is_behind(d, role, wait, block) &&
         ends_right(d, role, wait);
}

bool ring_is_dealt_live(Rings *rings, const Roles *roles) {
  Deal d = {.rings = rings, .roles = roles, .n = rings->n_sharers};
  if (d.n > MAX_PLACES || !find_places(&d) || !are_orders_right(&d) ||
      !are_words_dealt(&d))
    return false;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind == RING_WAIT && !is_good_wait(&d, op))
      return false;
  }
  return true;
}
