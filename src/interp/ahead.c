// SPDX-License-Identifier: Apache-2.0
// What threads would signal next, if nothing kept them.
//
// Note [Looking ahead]
// Behind a deadlock the run is over. Which arrival a wait needs, and which
// thread would make it, only the threads' further way tells, so they go on:
// waits for mbarriers and semaphores return at once, tests say yes, and
// barriers are left as they are. Where all of a group have to come together
// they do. What this run computes is nothing that a launch could: it only tells
// where control gets to, the first time for each thread and mbarrier. A thread
// that does what it can't (for values that were never written, say) ends
// quietly.
#include "interp/eval.h"
#include "interp/machine.h"
#include <inttypes.h>

enum { MOST_STEPS = 1000 * 1000, MANY = 1 << 24 };

typedef struct Ahead {
  const InterpObserver *observer; // whom it is for
  uint64_t end;                   // steps
  Map seen;                       // thread, barrier and kind that were told
  Mbarrier standin;               // for the one that an operation names
} Ahead;

// ------------------------------------------------------------------ turns

static void ahead_add_turn(const Machine *m, const Thread *t,
                           const IrNode *loop, Text *out) {
  uint32_t var = loop->u.loop.var;
  const char *name = m->launch->kernel->vars.data[var].name;
  uint32_t bits = ir_type_bits(loop->args[0]->type);
  if (name)
    text_printf(out, "%s%s=%" PRId64, out->length ? ", " : "", name,
                eval_signed(t->frame[m->program->var_slots[var]], bits));
}

const char *machine_turns(const Machine *m, const Thread *t,
                          const IrNode *node) {
  enum { MOST = 4 };

  const IrNode *loops[MOST];
  int n = 0;
  for (; node && n < MOST; node = node->region->owner)
    if (node->op == IR_FOR)
      loops[n++] = node;
  Text out = {.arena = m->arena};
  while (n-- > 0)
    ahead_add_turn(m, t, loops[n], &out);
  return text_cstr(&out);
}

// ----------------------------------------------------------------- signals

static void ahead_tell(const Machine *m, const Thread *t, const IrNode *node,
                       const Mbarrier *barrier) {
  Ahead *ahead = m->ahead;
  uint64_t number = (uint64_t)(barrier - m->mbarriers);
  uint64_t n_barriers = (uint64_t)m->launch->n_blocks * m->launch->n_mbarriers;
  uint64_t key = (uint64_t)(t - m->threads) * n_barriers + number;
  key = 2 * key + (ir_op_info(node)->form == FORM_COPY) + 1;
  if (map_has(&ahead->seen, key))
    return;
  map_put(m->gang_arena, &ahead->seen, key, ahead);
  ObservedThread thread = machine_observed(m, t);
  ahead->observer->ahead(ahead->observer->context, &thread, node,
                         (uint32_t)number, machine_turns(m, t, node));
}

Mbarrier *ahead_mbarrier(const Machine *m, const Thread *t, const IrNode *node,
                         const Mbarrier *barrier) {
  Ahead *ahead = m->ahead;
  if (ir_signals(node, barrier->object))
    ahead_tell(m, t, node, barrier);
  ahead->standin = *barrier;
  ahead->standin.count = ahead->standin.pending = MANY;
  return &ahead->standin;
}

bool ahead_may_go_on(const Machine *m) {
  const bool *stop = m->launch->given->stop;
  return m->n_steps < m->ahead->end && !(stop && *stop);
}

// --------------------------------------------------------------------- run

// Accesses out of bounds are left out.
static bool ahead_leave_out(void *context, const Fault *fault,
                            const ObservedThread *thread, const IrNode *node) {
  (void)context;
  (void)fault;
  (void)thread;
  (void)node;
  return true;
}

static void let_go(Machine *m) {
  for (uint32_t i = 0; i < m->n_threads; i++) {
    Thread *t = &m->threads[i];
    if (t->state == THREAD_WAITS &&
        (t->wait == WAIT_MBARRIER || t->wait == WAIT_SEMAPHORE))
      t->state = THREAD_READY;
  }
}

static bool ahead_may_run(Machine *m, Thread *t) {
  if (t->state == THREAD_WAITS && t->wait == WAIT_COALESCED)
    return group_coalesced_poll(m, t);
  return t->state == THREAD_READY;
}

// All threads that can go on, for a slice each. False: none could.
static bool run_slices(Machine *m, bool *is_complete) {
  bool is_moving = false;
  for (uint32_t i = 0; i < m->n_threads && ahead_may_go_on(m); i++) {
    Thread *t = &m->threads[i];
    if (!ahead_may_run(m, t))
      continue;
    is_moving = true;
    if (machine_run_slice(m, t) || !ahead_may_go_on(m))
      continue;
    *is_complete = false;
    t->state = THREAD_DONE;
    m->status = HD_OK;
  }
  return is_moving && ahead_may_go_on(m);
}

bool machine_look_ahead(Machine *m) {
  InterpObserver silent = {.fault = ahead_leave_out};
  const InterpObserver *observer = m->observer;
  HdStatus status = m->status;
  const char *why = m->why;
  Ahead ahead = {.observer = observer, .end = m->n_steps + MOST_STEPS};
  bool is_complete = true;
  m->observer = &silent;
  m->ahead = &ahead;
  m->random = 0;
  m->status = HD_OK;
  let_go(m);
  while (run_slices(m, &is_complete)) {
  }
  is_complete &= ahead_may_go_on(m);
  m->ahead = NULL;
  m->observer = observer;
  m->status = status;
  m->why = why;
  return is_complete;
}
