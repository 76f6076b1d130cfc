// SPDX-License-Identifier: Apache-2.0
// Operations on barriers as streams: operation n of a thread is on slot n mod
// S, and a wait's parity is that of round n / S, or of the round before.
#include "check/order/ring.h"

#include "check/term/term_decide.h"

// ----------------------------------------------------------------- counters

bool ring_proves(Rings *rings, const Step *step, const Term *condition) {
  if (condition->kind == TERM_TRUE)
    return true;
  return condition->kind != TERM_FALSE &&
         solver_proves(rings->check->solver, step ? step->path : NULL,
                       condition);
}

typedef struct {
  Solver *solver;
  TermTable *terms;
  const Term *given;
} Given;

static int ring_ops_ask(void *context, const Term *condition) {
  const Given *g = context;
  if (solver_proves(g->solver, g->given, condition))
    return 1;
  return -solver_proves(g->solver, g->given, term_not(g->terms, condition));
}

// The choices taken that are clear where `given` holds.
static const Term *ring_ops_decide(Rings *rings, const Term *given,
                                   const Term *term) {
  Given g = {rings->check->solver, rings->terms, given};
  return term_decide(&(TermDecider){rings->terms, ring_ops_ask, &g}, term);
}

const Term *ring_count(Rings *rings, const Step *step, uint32_t row,
                       CountKind kind) {
  return ring_ops_decide(rings, step->path,
                         step->counts[row * COUNT_KINDS + kind]);
}

const Term *ring_end_count(Rings *rings, const Term *given, uint32_t row,
                           CountKind kind) {
  return ring_ops_decide(rings, given,
                         rings->tree->end_counts[row * COUNT_KINDS + kind]);
}

const Term *ring_decided(Rings *rings, const Step *step, const Term *term) {
  return ring_ops_decide(rings, step->path, term);
}

// -------------------------------------------------------------------- covers

static const Step *ring_ops_list_of(const Rings *rings, const Step *step) {
  const Step *parent = step->parent;
  if (!parent)
    return rings->tree->first;
  switch ((int)parent->kind) {
  case STEP_IF: {
    const Step *at = parent->u.branch.body;
    while (at && at != step)
      at = at->next;
    return at ? parent->u.branch.body : parent->u.branch.other;
  }
  case STEP_LOOP: return parent->u.loop.body;
  default: return parent->u.scope.body;
  }
}

static bool says_nothing(const Step *step) {
  return step->kind == STEP_OBLIGATION || step->kind == STEP_FENCE ||
         step->kind == STEP_FENCE_ASYNC || step->kind == STEP_CLAIM;
}

// What stands before the step in its list, or behind it; NULL: nothing that
// does something.
static const Step *ring_ops_neighbour(const Rings *rings, const Step *step,
                                      bool is_before) {
  const Step *found = NULL;
  if (!is_before) {
    do
      step = step->next;
    while (step && says_nothing(step));
    return step;
  }
  for (const Step *at = ring_ops_list_of(rings, step); at != step;
       at = at->next)
    if (!says_nothing(at))
      found = at;
  return found;
}

// A statement for some threads, and nothing for the others.
static bool ring_ops_is_part(const Rings *rings, const Step *step) {
  if (step->kind == STEP_SCOPE)
    return true;
  return step->kind == STEP_IF && !step->u.branch.other &&
         ring_is_of_rank(rings, step->u.branch.condition);
}

// Who meets in a sync right before the operation (behind a wait), though only
// some of them execute it: Note [Rings].
static void find_cover(Rings *rings, RingOp *op) {
  bool is_before = op->kind != RING_WAIT;
  op->cover = op->by;
  for (const Step *at = op->step;; at = at->parent) {
    RingSet here, met;
    const Step *next = ring_ops_neighbour(rings, at, is_before);
    if (!ring_set_of(rings, at, &here))
      return;
    bool is_sync = next && next->kind == STEP_SYNC;
    if (is_sync && ring_group_set(rings, next->u.meet.group, &met) &&
        ring_has_one_each(rings, next->u.meet.group, &op->by, &met) &&
        ring_is_within(&here, &met)) {
      op->cover = met;
      return;
    }
    bool is_own = ring_is_equal(&here, &op->by);
    if ((next && !is_own) || !at->parent ||
        !ring_ops_is_part(rings, at->parent))
      return;
  }
}

// ---------------------------------------------------------------- collecting

static RingBarrier *ring_ops_barrier_of(Rings *rings, const IrObject *object) {
  for (uint32_t i = 0; i < rings->barriers.count; i++)
    if (rings->barriers.data[i]->object == object)
      return rings->barriers.data[i];
  RingBarrier *barrier = ARENA_NEW(rings->arena, RingBarrier);
  *barrier = (RingBarrier){.object = object, .n_slots = 1};
  while (barrier->row < rings->tree->counted.count &&
         rings->tree->counted.data[barrier->row] != object)
    barrier->row++;
  for (int i = 0; i < object->rank; i++) {
    const IrHost *extent = object->extents[i];
    bool is_known = extent && extent->op == HOST_CONST && extent->number > 0 &&
                    extent->number <= 1024 && barrier->n_slots <= 1024;
    barrier->n_slots *= is_known ? extent->number : 0;
  }
  VEC_PUSH(rings->arena, &rings->barriers, barrier);
  return barrier;
}

static bool ring_ops_kind_of(const IrNode *node, RingOpKind *kind) {
  switch ((int)node->op) {
  case IR_MBAR_WAIT: *kind = RING_WAIT; return true;
  case IR_MBAR_ARRIVE:
  case IR_MBAR_TENSOR:
  case IR_MBAR_ARRIVE_EXPECT: *kind = RING_ARRIVE; return true;
  case IR_MBAR_EXPECT: *kind = RING_EXPECT; return true;
  case IR_TMA_LOAD:
  case IR_COPY_BULK: *kind = RING_LAND; return true;
  default: return false;
  }
}

// One instance a block, for all of the kernel.
static bool is_for_the_block(const IrObject *object) {
  const IrNode *node = object->lifetime;
  bool is_once = !object->group || object->group->kind == GROUP_BLOCK;
  for (; node && is_once; node = node->region ? node->region->owner : NULL)
    is_once =
        node->op != IR_LOOP && node->op != IR_FOR && node->op != IR_THREAD_FOR;
  return is_once && !object->is_cluster_shared;
}

typedef struct {
  Rings *rings;
  bool is_known;
} Collect;

static bool add_op(Rings *rings, const Step *step, const BarrierUse *use) {
  RingOp *op = ARENA_NEW(rings->arena, RingOp);
  *op = (RingOp){.step = step, .use = use};
  op->barrier = ring_ops_barrier_of(rings, use->object);
  bool is_known = ring_ops_kind_of(step->node, &op->kind) && step->counts &&
                  op->barrier->row < rings->tree->counted.count &&
                  op->barrier->n_slots > 0 && !use->cluster_rank &&
                  !use->mask && is_for_the_block(use->object) &&
                  ring_set_of(rings, step, &op->by);
  if (!is_known)
    return false;
  if (op->kind == RING_ARRIVE)
    is_known = term_is_constant(use->count, &op->arrivals) && op->arrivals > 0;
  op->expects = op->kind == RING_EXPECT ||
                (op->kind == RING_ARRIVE && use->bytes != NULL);
  find_cover(rings, op);
  VEC_PUSH(rings->arena, &rings->ops, op);
  return is_known;
}

static void collect_step(const Step *step, void *context) {
  Collect *c = context;
  if (!c->is_known)
    return;
  if (step->kind == STEP_BARRIER) {
    c->is_known = add_op(c->rings, step, step->u.barrier);
  } else if (step->kind == STEP_TOUCH && step->u.touch.copy_barrier) {
    const Touch *touch = step->u.touch.touch;
    if (touch->is_write) // once for both touches
      c->is_known = !touch->copied_by &&
                    add_op(c->rings, step, step->u.touch.copy_barrier);
  } else if (step->node && step->node->op == IR_SEMAPHORE_LOCK) {
    c->is_known = false;
  }
}

// ------------------------------------------------------------------- streams

static const Term *ring_ops_slot_of(const Rings *rings, const RingOp *op,
                                    const Term *n) {
  return term_mod(rings->terms, n,
                  term_int(rings->terms, op->barrier->n_slots));
}

// Round n / S, and `by` more, modulo 2.
static const Term *ring_ops_parity_of(const Rings *rings, const RingOp *op,
                                      const Term *n, int64_t by) {
  TermTable *t = rings->terms;
  const Term *round = term_div(t, n, term_int(t, op->barrier->n_slots));
  return term_mod(t, term_add(t, round, term_int(t, by)), term_int(t, 2));
}

bool ring_is_equal_at(Rings *rings, const Step *step, const Term *a,
                      const Term *b) {
  return a == b || ring_proves(rings, step, term_eq(rings->terms, a, b));
}

static bool is_equal(Rings *rings, const RingOp *op, const Term *a,
                     const Term *b) {
  return ring_is_equal_at(rings, op->step, a, b);
}

// The number of operations before this one, if what the thread did itself is
// what it passed.
static const Term *ring_ops_turn_of(Rings *rings, const RingOp *op) {
  bool waits = op->kind == RING_WAIT;
  uint32_t row = op->barrier->row;
  const Term *own =
      ring_count(rings, op->step, row, waits ? COUNT_WAITS : COUNT_ARRIVALS);
  const Term *passed =
      ring_count(rings, op->step, row, waits ? PASS_WAITS : PASS_ARRIVALS);
  return is_equal(rings, op, own, passed) ? passed : NULL;
}

static bool has_sense(Rings *rings, const RingOp *op, RingSense sense,
                      const Term *n) {
  const Term *parity = ring_decided(rings, op->step, op->use->parity);
  return is_equal(rings, op, parity,
                  ring_ops_parity_of(rings, op, n, sense == RING_FULL ? 0 : 1));
}

// Of the turns in which who waits has arrived, the last S, the one of a slot.
static const Term *late_turn(Rings *rings, const RingOp *op, const Term *made,
                             const Term *slot) {
  TermTable *t = rings->terms;
  const Term *n_slots = term_int(t, op->barrier->n_slots);
  const Term *from = term_sub(t, made, n_slots);
  return term_add(t, from, term_mod(t, term_sub(t, slot, from), n_slots));
}

static bool is_late_turn(Rings *rings, const RingOp *op, const Term *made,
                         const Term *slot, const Term *n) {
  TermTable *t = rings->terms;
  const Term *last = term_sub(t, made, term_int(t, op->barrier->n_slots));
  const Term *is_late =
      term_and(t, term_le(t, term_int(t, 0), n),
               term_and(t, term_le(t, last, n), term_lt(t, n, made)));
  return is_equal(rings, op, slot, ring_ops_slot_of(rings, op, n)) &&
         has_sense(rings, op, RING_FULL, n) &&
         ring_proves(rings, op->step, is_late);
}

// A wait of who has arrived there in turn i and won't before the wait is over
// in turn i + S. The turn is what the slot is a remainder of, unless its
// simplest form has lost that.
static bool is_late_wait(Rings *rings, RingOp *op) {
  const Term *slot = ring_decided(rings, op->step, op->use->slot);
  const Term *made =
      ring_count(rings, op->step, op->barrier->row, PASS_ARRIVALS);
  const Term *n = slot->kind == TERM_MOD ? slot->args[0] : slot;
  return ring_takes_part(rings, op->barrier, RING_ARRIVE, &op->by) &&
         (is_late_turn(rings, op, made, slot, n) ||
          is_late_turn(rings, op, made, slot,
                       late_turn(rings, op, made, slot)));
}

static bool is_stream_wait(Rings *rings, RingOp *op) {
  const Term *n = ring_ops_turn_of(rings, op);
  if (n && rings->n_sharers > 1 && ring_is_dealt_wait(rings, op, n))
    return true;
  if (!n || !is_equal(rings, op, ring_decided(rings, op->step, op->use->slot),
                      ring_ops_slot_of(rings, op, n)))
    return false;
  RingSense sense = has_sense(rings, op, RING_FULL, n)    ? RING_FULL
                    : has_sense(rings, op, RING_EMPTY, n) ? RING_EMPTY
                                                          : RING_OPEN;
  if (sense == RING_OPEN || op->barrier->deal.n > 1 ||
      (op->barrier->sense != RING_OPEN && op->barrier->sense != sense))
    return false;
  op->barrier->sense = sense;
  op->barrier->deal.n = 1;
  return true;
}

static bool is_stream_arrival(Rings *rings, RingOp *op) {
  const Term *n = ring_ops_turn_of(rings, op);
  if (n && op->barrier->n_sharers > 1)
    return ring_is_dealt_arrival(rings, op, n);
  return n && is_equal(rings, op, ring_decided(rings, op->step, op->use->slot),
                       ring_ops_slot_of(rings, op, n));
}

bool ring_takes_part(Rings *rings, const RingBarrier *barrier, RingOpKind kind,
                     const RingSet *set) {
  bool takes_part = false;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->barrier != barrier || op->kind != kind)
      continue;
    if (ring_is_within(set, &op->cover))
      takes_part = true;
    else if (!ring_is_apart(set, &op->cover))
      return false;
  }
  return takes_part;
}

// Waits first: those of who share turns tell the place of each.
static bool are_streams(Rings *rings) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    RingOp *op = rings->ops.data[i];
    if (op->kind != RING_WAIT || is_stream_wait(rings, op))
      continue;
    if (!is_late_wait(rings, op))
      return false;
    op->kind = RING_WAIT_LATE;
  }
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    RingOp *op = rings->ops.data[i];
    if (op->kind == RING_ARRIVE && !is_stream_arrival(rings, op))
      return false;
  }
  return true;
}

// Late waits aren't in the streams of others, whose waits are counted.
static bool are_late_ones_apart(const Rings *rings) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    for (uint32_t k = 0; k < rings->ops.count; k++) {
      const RingOp *a = rings->ops.data[i], *b = rings->ops.data[k];
      if (a->kind == RING_WAIT_LATE && b->kind == RING_WAIT &&
          a->barrier == b->barrier && !ring_is_apart(&a->by, &b->cover))
        return false;
    }
  return true;
}

static bool are_counts_right(Rings *rings) {
  rings->n_sharers = 1;
  for (uint32_t i = 0; i < rings->barriers.count; i++) {
    RingBarrier *barrier = rings->barriers.data[i];
    barrier->n_sharers = ring_sharers(rings, barrier);
    if (barrier->n_sharers == 0)
      return false;
    if (barrier->n_sharers > rings->n_sharers)
      rings->n_sharers = barrier->n_sharers;
  }
  return true;
}

bool ring_collect(Rings *rings) {
  Collect c = {rings, true};
  tree_each(rings->tree->first, collect_step, &c);
  return c.is_known && rings->ops.count > 0 && are_counts_right(rings) &&
         are_streams(rings) && are_late_ones_apart(rings);
}
