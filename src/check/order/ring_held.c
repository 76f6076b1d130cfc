// SPDX-License-Identifier: Apache-2.0
// Copies of sets that read or write a slot of a ring.
//
// Note [Held slots]. A copy that a thread's wait for its sets ends, as the
// reads of a matrix unit do, belongs to the turn that is open where it is asked
// for, if it is done before the thread ends that turn. So at each arrival that
// ends turns none may be under way but those of later turns. What may be under
// way follows from the program alone: how many sets were closed behind a copy,
// at least, on any way to the arrival. A wait for all but the newest n sets
// ends those with more than n. A copy that was asked for behind the last wait
// of the ring is of that wait's turn, and the solver decides whether an arrival
// before the next wait ends an earlier one.
#include "check/order/ring.h"

enum { NONE = UINT8_MAX, MOST_CLOSED = 64 };

// Sets closed since the copy was asked for, at least; NONE: all are done.
typedef struct {
  uint8_t old, fresh; // before and behind the last wait of the ring
} Held;

// A loop or scope that an exit may lead to.
typedef struct Frame {
  const Step *step;
  Held left, continued;
  struct Frame *outer;
} Frame;

typedef struct {
  Rings *rings;
  const RingWindow *window;
  const Step *copy;
  const RingBarrier *from, *to;
  Frame *frame;
  bool is_held;
} HeldFlow;

static Held held_list(HeldFlow *f, const Step *list, Held held);

static Held held_nothing(void) {
  return (Held){NONE, NONE};
}

static uint8_t held_least(uint8_t a, uint8_t b) {
  return a < b ? a : b;
}

static Held held_either(Held a, Held b) {
  return (Held){held_least(a.old, b.old), held_least(a.fresh, b.fresh)};
}

static bool held_are_equal(Held a, Held b) {
  return a.old == b.old && a.fresh == b.fresh;
}

static uint8_t held_closed(uint8_t n) {
  return n == NONE || n == MOST_CLOSED ? n : (uint8_t)(n + 1);
}

static uint8_t held_waited(uint8_t n, int64_t n_newest) {
  return n != NONE && n > n_newest && n_newest < MOST_CLOSED ? NONE : n;
}

// --------------------------------------------------------------- operations

static const RingOp *held_op(const HeldFlow *f, const Step *step) {
  for (uint32_t i = 0; i < f->rings->ops.count; i++)
    if (f->rings->ops.data[i]->step == step)
      return f->rings->ops.data[i];
  return NULL;
}

// The arrival ends a turn before that of the last wait.
static bool ends_earlier_turn(const HeldFlow *f, const Step *arrival) {
  Rings *rings = f->rings;
  TermTable *t = rings->terms;
  const Term *waited = ring_count(rings, arrival, f->from->row, PASS_WAITS);
  const Term *made = ring_ended(rings, arrival, f->window->ring, f->to);
  const Term *turn = term_sub(t, waited, term_int(t, f->window->back));
  return ring_proves(rings, arrival, term_lt(t, made, turn));
}

static Held held_barrier(HeldFlow *f, const Step *step, Held held) {
  const RingOp *op = held_op(f, step);
  if (!op)
    return held;
  bool is_own = !ring_is_apart(&op->cover, &f->window->by);
  if (op->kind == RING_WAIT && op->barrier == f->from && is_own) {
    held.old = held_least(held.old, held.fresh);
    held.fresh = NONE;
  }
  if (op->kind == RING_ARRIVE && op->barrier == f->to && is_own) {
    f->is_held &= held.old == NONE;
    if (f->is_held && held.fresh != NONE)
      f->is_held = ends_earlier_turn(f, step);
  }
  return held;
}

static Held held_wait(const HeldFlow *f, const Step *step, Held held) {
  const Touch *touch = f->copy->u.touch.touch;
  if (step->u.sets.done != touch->done ||
      (step->u.sets.reads_only && touch->is_write))
    return held;
  held.old = held_waited(held.old, step->u.sets.n_newest);
  held.fresh = held_waited(held.fresh, step->u.sets.n_newest);
  return held;
}

// ------------------------------------------------------------------ control

static Held held_exit(HeldFlow *f, const Step *step, Held held) {
  Frame *frame = f->frame;
  while (frame && frame->step != step->u.exit.target)
    frame = frame->outer;
  if (!frame)
    return held_nothing(); // the thread is gone
  Held *to = step->u.exit.is_continue ? &frame->continued : &frame->left;
  *to = held_either(*to, held);
  return held_nothing();
}

static Held held_loop(HeldFlow *f, const Step *step, Held held) {
  Frame frame = {step, held_nothing(), held_nothing(), f->frame};
  f->frame = &frame;
  Held before;
  do {
    before = held;
    Held end = held_list(f, step->u.loop.body, held);
    held = held_either(held, held_either(end, frame.continued));
  } while (f->is_held && !held_are_equal(before, held));
  f->frame = frame.outer;
  return held_either(held, frame.left);
}

static Held held_scope(HeldFlow *f, const Step *step, Held held) {
  Frame frame = {step, held_nothing(), held_nothing(), f->frame};
  f->frame = &frame;
  Held end = held_list(f, step->u.scope.body, held);
  f->frame = frame.outer;
  return held_either(held_either(held, end), frame.left);
}

static Held held_step(HeldFlow *f, const Step *step, Held held) {
  switch (step->kind) {
  case STEP_TOUCH:
    if (step == f->copy)
      held.fresh = 0;
    break;
  case STEP_IF:
    return held_either(held_list(f, step->u.branch.body, held),
                       held_list(f, step->u.branch.other, held));
  case STEP_LOOP: return held_loop(f, step, held);
  case STEP_SCOPE: return held_scope(f, step, held);
  case STEP_EXIT: return held_exit(f, step, held);
  case STEP_BARRIER: return held_barrier(f, step, held);
  case STEP_COMMIT:
    if (step->u.sets.done == f->copy->u.touch.touch->done)
      held = (Held){held_closed(held.old), held_closed(held.fresh)};
    break;
  case STEP_COPY_WAIT: return held_wait(f, step, held);
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_COLLECTIVE:
  case STEP_FENCE_ASYNC:
  case STEP_FENCE:
  case STEP_OBLIGATION:
  case STEP_CLAIM: break;
  }
  return held;
}

static Held held_list(HeldFlow *f, const Step *list, Held held) {
  for (; list && f->is_held; list = list->next)
    held = held_step(f, list, held);
  return held;
}

// ---------------------------------------------------------------- questions

static bool held_flow(Rings *rings, const RingWindow *window,
                      const Step *copy) {
  HeldFlow f = {.rings = rings,
                .window = window,
                .copy = copy,
                .from =
                    window->fills ? window->ring->empty : window->ring->full,
                .to = window->fills ? window->ring->full : window->ring->empty,
                .is_held = true};
  (void)held_list(&f, rings->tree->first, held_nothing());
  return f.is_held;
}

bool ring_is_held(Rings *rings, const RingWindow *window, const Step *copy) {
  static char answers[2];

  enum { BACK = 32, RINGS = 1 << 16 };

  uint64_t key = copy->id;
  key = (key * RINGS + window->ring->id) * BACK + (uint64_t)window->back;
  key = 2 * key + window->fills;
  void *known = map_get(&rings->held, key);
  if (!known) {
    known = &answers[held_flow(rings, window, copy)];
    map_put(rings->arena, &rings->held, key, known);
  }
  return known == &answers[1];
}
