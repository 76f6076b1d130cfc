// SPDX-License-Identifier: Apache-2.0
// Kernels whose mbarriers are all of rings: what is proved of them, and which
// touches the rule of Note [Rings] orders.
#include "check/order/ring.h"

// ----------------------------------------------------------------- the kernel

static bool is_plain_kernel(const Check *check) {
  for (int k = 0; k < 3; k++)
    if (check->kernel->cluster_dim[k] > 1)
      return false;
  return check->tree->n_threads <= 64 * RING_WORDS && check->tree->end_counts;
}

Rings *rings_build(Check *check) {
  if (!is_plain_kernel(check))
    return NULL;
  Rings *rings = ARENA_NEW(check->arena, Rings);
  *rings = (Rings){.check = check,
                   .arena = check->arena,
                   .terms = check->terms,
                   .tree = check->tree};
  bool is_ring = ring_collect(rings);
  check->are_turns_dealt = rings->sharers.count > 0;
  if (!is_ring || !ring_pair_up(rings) || !ring_is_live(rings))
    return NULL;
  for (uint32_t i = 0; i < rings->ops.count; i++)
    check_proved(check);
  return rings;
}

// --------------------------------------------------------------- which turn

typedef struct {
  Rings *rings;
  const Step *step;
  const Touch *touch;
} Look;

// index = stride * slot + rest, with 0 <= rest < stride
static bool is_slot(Look *l, const Term *index, const Term *slot,
                    int64_t *stride) {
  enum { MAX_STRIDE = 1 << 24 };

  TermTable *t = l->rings->terms;
  *stride = 1;
  if (index == slot)
    return true;
  if (index->kind == TERM_MOD && slot->kind == TERM_MOD &&
      index->args[1] == slot->args[1])
    return ring_is_equal_at(l->rings, l->step, index, slot);
  for (uint32_t i = 0; index->kind == TERM_SUM && i < index->n_parts; i++)
    if (index->parts[i].atom == slot)
      *stride = index->parts[i].coefficient;
  if (index->kind != TERM_SUM || *stride < 1 || *stride > MAX_STRIDE)
    return false;
  const Term *rest = term_sub(t, index, term_scale(t, slot, *stride));
  const Term *is_inside = term_and(t, term_le(t, term_int(t, 0), rest),
                                   term_lt(t, rest, term_int(t, *stride)));
  return ring_proves(l->rings, l->step, is_inside);
}

static bool finds_slot(Look *l, const Ring *ring, const Term *turn,
                       RingWindow *window) {
  TermTable *t = l->rings->terms;
  const Term *slot = term_mod(t, turn, term_int(t, ring->full->n_slots));
  window->dimension = -1;
  window->stride = 1;
  if (ring->full->n_slots == 1)
    return true;
  for (int i = 0; i < l->touch->n_index; i++)
    if (is_slot(l, l->touch->index[i], slot, &window->stride)) {
      window->dimension = i;
      return true;
    }
  return false;
}

static bool ring_is_around(const Step *parent, const Step *step) {
  for (; step; step = step->parent)
    if (step == parent)
      return true;
  return !parent;
}

// Whoever is in the same turn of the ring is in the same turns of the loops
// around that wait.
static const RingOp *only_wait(const Rings *rings, const RingWindow *window,
                               const Step *step) {
  const RingBarrier *barrier =
      window->fills ? window->ring->empty : window->ring->full;
  const RingOp *found = NULL;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind != RING_WAIT || op->barrier != barrier ||
        ring_is_apart(&op->cover, &window->by))
      continue;
    if (found)
      return NULL;
    found = op;
  }
  bool is_before = found && found->step->id < step->id &&
                   ring_is_equal(&found->by, &found->cover) &&
                   ring_is_around(found->step->parent, step);
  return is_before ? found : NULL;
}

// The copy that lands on the ring's full barrier.
static bool lands_on(const Look *l, const Ring *ring) {
  const BarrierUse *use = l->step->u.touch.copy_barrier;
  return use && use->object == ring->full->object && l->touch->is_write;
}

static bool try_turn(Look *l, const Ring *ring, const Term *waited,
                     const Term *made, RingWindow *window) {
  TermTable *t = l->rings->terms;
  const Term *n = term_sub(t, waited, term_int(t, window->back)), *block;
  const Term *is_open =
      term_and(t, term_le(t, term_int(t, 0), n),
               window->is_copy ? term_true(t) : term_le(t, made, n));
  window->turn = n;
  if (!window->fills && ring->full->deal.n > 1)
    window->turn = window->place < 0
                       ? NULL
                       : ring_dealt_turn(l->rings, l->step, &ring->full->deal,
                                         window->place, n, &block);
  return window->turn && finds_slot(l, ring, window->turn, window) &&
         ring_proves(l->rings, l->step, is_open);
}

// The thread itself waits for it.
static bool ring_has_sets(const Touch *touch) {
  return touch->done == DONE_SETS || touch->done == DONE_TMA_SETS ||
         touch->done == DONE_MATRIX;
}

// An arrival of a tensor core comes behind what its thread asked it to do, and
// behind nothing else; other arrivals behind all but that.
static bool ring_covers(const Rings *rings, const RingBarrier *barrier,
                        const RingSet *by, bool is_tensor) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->barrier != barrier || op->kind != RING_ARRIVE ||
        ring_is_apart(by, &op->cover))
      continue;
    if ((op->step->node->op == IR_MBAR_TENSOR) != is_tensor ||
        (is_tensor && !ring_is_within(by, &op->by)))
      return false;
  }
  return true;
}

static bool find_turn(Look *l, const Ring *ring, bool fills,
                      RingWindow *window) {
  enum { MAX_BACK = 16 };

  Rings *rings = l->rings;
  const RingBarrier *from = fills ? ring->empty : ring->full;
  const RingBarrier *to = fills ? ring->full : ring->empty;
  window->ring = ring;
  window->fills = fills;
  bool has_sets = ring_has_sets(l->touch);
  bool is_tensor = l->touch->done == DONE_TENSOR;
  window->is_copy = l->touch->done != DONE_AT_ONCE && !has_sets && !is_tensor;
  if (window->is_copy && (!fills || !lands_on(l, ring)))
    return false;
  if (!ring_takes_part(rings, from, RING_WAIT, &window->by) ||
      !ring_takes_part(rings, to, RING_ARRIVE, &window->by))
    return false;
  if (!window->is_copy && !ring_covers(rings, to, &window->by, is_tensor))
    return false;
  window->place = ring_place(rings, from, RING_WAIT, &window->by);
  const Term *waited = ring_count(rings, l->step, from->row, PASS_WAITS);
  const Term *made = ring_ended(rings, l->step, ring, to);
  // A copy's turn is the one that ring_rule.c has proved its bytes to be of.
  int64_t most = window->is_copy ? 1 : ring->full->n_slots;
  for (window->back = 1; window->back <= most && window->back <= MAX_BACK;
       window->back++)
    if (try_turn(l, ring, waited, made, window)) {
      if (has_sets && !ring_is_held(rings, window, l->step))
        return false;
      window->wait = only_wait(rings, window, l->step);
      return true;
    }
  return false;
}

// With one slot all of the array is the slot's.
static bool ring_is_in_element(const Look *l, bool is_any) {
  const Touch *touch = l->touch;
  int64_t low, high;
  if (!touch->object || touch->object->space != SPACE_SHARED ||
      touch->cluster_rank)
    return false;
  if (is_any)
    return true;
  term_interval(l->rings->terms, touch->byte, &low, &high);
  return touch->n_index > 0 && low >= 0 && high < INT32_MAX &&
         high + touch->n_bytes <= touch->object->element_bytes;
}

bool ring_find_window(Rings *rings, const Ring *ring, const Step *step,
                      RingWindow *window) {
  Look look = {rings, step, step->u.touch.touch};
  *window = (RingWindow){0};
  if (!step->counts || !ring_is_in_element(&look, ring->full->n_slots == 1) ||
      !ring_set_of(rings, step, &window->by))
    return false;
  return find_turn(&look, ring, false, window) ||
         find_turn(&look, ring, true, window);
}

// -------------------------------------------------------------------- pairs

static const Term *of_side(const Rings *rings, const OrderSide *side,
                           const Term *term) {
  return side->map ? term_replace(rings->terms, term, side->map, side->context)
                   : term;
}

static const Term *same_term(const Rings *rings, const OrderSide *a,
                             const OrderSide *b, const Term *x, const Term *y) {
  return term_eq(rings->terms, of_side(rings, a, x), of_side(rings, b, y));
}

// What follows if both are in the same turn of the ring.
static const Term *same_turn(const Rings *rings, const OrderSide *a,
                             const OrderSide *b, const RingWindow *x,
                             const RingWindow *y) {
  const Term *same = same_term(rings, a, b, x->turn, y->turn);
  if (!x->wait || x->wait != y->wait || x->back != y->back)
    return same;
  same = term_true(rings->terms);
  for (const CheckLoop *loop = x->wait->step->loop; loop; loop = loop->parent) {
    const Term *turn = term_of(rings->terms, loop->turn);
    same = term_and(rings->terms, same, same_term(rings, a, b, turn, turn));
  }
  return same;
}

// Once in each turn of the ring, by one thread.
static bool is_one_execution(Rings *rings, const OrderSide *a,
                             const OrderSide *b, const RingWindow *x) {
  return a->step == b->step && x->wait && x->is_copy &&
         a->step->loop == x->wait->step->loop && ring_size(rings, &x->by) == 1;
}

static bool proves_by(Rings *rings, const Ring *ring, const OrderSide *a,
                      const OrderSide *b, const Term *const *conflict,
                      uint32_t n_conflict) {
  RingWindow x, y;
  if (!ring_find_window(rings, ring, a->step, &x) ||
      !ring_find_window(rings, ring, b->step, &y) ||
      x.dimension != y.dimension || x.stride != y.stride)
    return false;
  if (x.fills != y.fills || is_one_execution(rings, a, b, &x))
    return true;
  const Term **all = ARENA_ARRAY(rings->arena, const Term *, n_conflict + 1);
  for (uint32_t i = 0; i < n_conflict; i++)
    all[i] = conflict[i];
  all[n_conflict] = same_turn(rings, a, b, &x, &y);
  return solver_ask(rings->check->solver, all, n_conflict + 1).status ==
         SOLVE_UNSAT;
}

bool rings_prove(Rings *rings, const OrderSide *a, const OrderSide *b,
                 const Term *const *conflict, uint32_t n_conflict) {
  bool is_proved = false;
  if (a->step->u.touch.touch->object != b->step->u.touch.touch->object)
    return false;
  for (uint32_t i = 0; i < rings->rings.count && !is_proved; i++)
    is_proved =
        proves_by(rings, rings->rings.data[i], a, b, conflict, n_conflict);
  return is_proved;
}

bool rings_fill_turns(Rings *rings, const Step *write, const Step *read,
                      const Term **of_write, const Term **of_read) {
  for (uint32_t i = 0; i < rings->rings.count; i++) {
    const Ring *ring = rings->rings.data[i];
    RingWindow x, y;
    if (!ring_find_window(rings, ring, write, &x) ||
        !ring_find_window(rings, ring, read, &y) || !x.fills || y.fills ||
        x.dimension != y.dimension || x.stride != y.stride)
      continue;
    *of_write = x.turn;
    *of_read = y.turn;
    return true;
  }
  return false;
}
