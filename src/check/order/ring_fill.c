// SPDX-License-Identifier: Apache-2.0
// Note [What turns leave]
// Memory that was written once stays so. Whoever is in a turn of a ring has
// waited for the phase of that turn, so all arrivals of the turn were made, and
// all its bytes have landed (ring_rule.c). Which turns of which loops these
// were doesn't matter, as long as each of the arrivals that may end a turn has
// a write beside it that is done in the same turn of the ring:
//
//   arrive_expect(full[s], 256); tma_load(b[s], x[k], full[s]);
//   b[s][rank()] = x[k]; arrive(full[s]);
//
// The write and the arrival are in one loop, in the same turn of it: what
// stands around them there lets threads in by their rank alone, and nothing
// leaves the loop between them. The arrivals made so far show that both are of
// one turn of the ring. What depends on the thread that writes needs all
// threads of the arrival, so these have to make the phase's count by
// themselves, or be in step with the one that does.
#include "check/order/ring.h"

bool rings_end_turn(const Rings *rings, uint32_t ring, uint32_t arrival) {
  const RingOp *op = rings->ops.data[arrival];
  return op->kind == RING_ARRIVE &&
         op->barrier == rings->rings.data[ring]->full;
}

typedef struct {
  const Rings *rings;
  const Ring *ring;
  uint32_t first, last; // steps
  bool is_parted;
} Between;

static void note_between(const Step *step, void *context) {
  Between *between = context;
  if (step->id <= between->first || step->id >= between->last)
    return;
  between->is_parted |= step->kind == STEP_EXIT;
  for (uint32_t i = 0; i < between->rings->ops.count; i++) {
    const RingOp *op = between->rings->ops.data[i];
    bool is_turn = op->kind == RING_WAIT || op->kind == RING_ARRIVE;
    between->is_parted |= op->step == step && is_turn &&
                          (op->barrier == between->ring->full ||
                           op->barrier == between->ring->empty);
  }
}

// An exit, or another operation that begins or ends turns, is between the two.
static bool ring_fill_is_parted(const Rings *rings, const Ring *ring,
                                const Step *a, const Step *b) {
  Between between = {.rings = rings,
                     .ring = ring,
                     .first = a->id < b->id ? a->id : b->id,
                     .last = a->id < b->id ? b->id : a->id};
  tree_each(rings->tree->first, note_between, &between);
  return between.is_parted;
}

// Inside of its loop, nothing but ranks decides who gets to the step.
static bool ring_fill_is_by_rank(const Rings *rings, const Step *step) {
  for (; step->parent && step->parent->kind != STEP_LOOP; step = step->parent)
    if (step->parent->kind == STEP_IF &&
        !ring_is_of_rank(rings, step->parent->u.branch.condition))
      return false;
  return true;
}

// Of the turn that the arrival ends.
static bool is_of_its_turn(Rings *rings, const Ring *ring, const Step *write,
                           const RingOp *arrival, const RingWindow *window) {
  TermTable *t = rings->terms;
  const Term *ended = ring_ended(rings, write, ring, ring->full);
  const Term *turn = term_add(
      t, window->turn, term_int(t, arrival->step->id < write->id ? 1 : 0));
  return ring_proves(rings, write, term_eq(t, ended, turn));
}

// The threads of the arrival make each turn's count alone, one by one, or one
// of them does for all that are in step with it.
static bool is_whole(Rings *rings, const Ring *ring, const RingOp *arrival,
                     const RingWindow *window) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < rings->ops.count; i++)
    n += rings->ops.data[i]->kind == RING_ARRIVE &&
         rings->ops.data[i]->barrier == ring->full;
  if (n == 1 && arrival->by.one)
    return ring_is_equal(&arrival->cover, &window->by);
  return n == 1 && ring_is_equal(&arrival->by, &window->by) &&
         ring_size(rings, &arrival->by) * arrival->arrivals ==
             (int64_t)ring->full->object->arrivals;
}

bool rings_leave(Rings *rings, uint32_t ring, uint32_t arrival,
                 const Step *write, const Step *read, bool of_threads,
                 int *dimension) {
  const Ring *of = rings->rings.data[ring];
  const RingOp *op = rings->ops.data[arrival];
  RingWindow x, y;
  bool is_late_store = (write->u.touch.touch->done == DONE_AT_ONCE ||
                        write->u.touch.touch->done == DONE_TENSOR) &&
                       write->id > op->step->id;
  if (write->loop != op->step->loop || is_late_store ||
      !ring_fill_is_by_rank(rings, write) ||
      !ring_fill_is_by_rank(rings, op->step) ||
      ring_fill_is_parted(rings, of, write, op->step) ||
      !ring_find_window(rings, of, write, &x) || !x.fills ||
      !ring_find_window(rings, of, read, &y) || y.fills ||
      x.dimension != y.dimension || x.stride != 1 || y.stride != 1 ||
      ring_size(rings, &x.by) == 0 || !ring_is_within(&x.by, &op->cover) ||
      !is_of_its_turn(rings, of, write, op, &x) ||
      (of_threads && !is_whole(rings, of, op, &x)))
    return false;
  *dimension = x.dimension;
  return true;
}
