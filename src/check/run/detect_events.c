// SPDX-License-Identifier: Apache-2.0
// What the interpreter tells, as knowledge of threads about each other.
//
// Note [The phase that is meant]
// A wait for a parity returns at once if the phase before the current one has
// that parity. Which phase it means follows from what the thread knows: all
// phases up to some number k are complete for it, so in the slowest of all runs
// phase k + 1 is current, and the wait means that one or k. In any other run
// the barrier must not get further than the phase behind the one that is meant
// until the wait has returned: then the parity is that of another phase. So
// the end of phase p must come after every return of a wait that means p - 1.
#include "check/run/detect_events.h"
#include "check/run/detect.h"

#include "check/prove/decisive.h"
#include <string.h>

Detect *detect_of(void *context) {
  return context;
}

// --------------------------------------------------------------- accesses

static void on_memory(void *context, const ObservedMemory *memory) {
  detect_add_array(detect_of(context), memory);
}

static Know **atomic_at(Detect *d, uint64_t address) {
  Know **sync = map_get(&d->atomics, address);
  if (!sync) {
    sync = ARENA_NEW(d->arena, Know *);
    map_put(d->arena, &d->atomics, address, sync);
  }
  return sync;
}

static void join_into(Detect *d, Know **into, Know *from) {
  Know *joined = know_copy(d, from);
  if (*into)
    know_join(d, joined, *into);
  know_drop(d, *into);
  *into = joined;
}

// Note [Fences of a block]
// A fence of the block's scope orders for threads of its block alone (PTX:
// morally strong). So in kernels that have one each cell also keeps, for each
// block, what fences of any scope of its own threads released.
static Know **near_at(Detect *d, uint64_t address) {
  Know **near = map_get(&d->near_atomics, address);
  if (!near) {
    near = ARENA_ARRAY(d->arena, Know *, d->n_blocks);
    map_put(d->arena, &d->near_atomics, address, near);
  }
  return near;
}

static void order_near(Detect *d, uint32_t thread,
                       const ObservedAccess *access) {
  Know **near = near_at(d, access->address);
  DetectThread *t = &d->threads[thread];
  uint32_t block = thread / d->n_threads;
  if (access->reads && near[block])
    join_into(d, &t->seen_near, near[block]);
  for (uint32_t i = 0; i < d->n_blocks && access->writes && !access->reads;
       i++) {
    know_drop(d, near[i]);
    near[i] = NULL;
  }
  if (access->writes && access->releases)
    detect_release(d, thread, &near[block]);
  else if (access->writes && t->released_near)
    join_into(d, &near[block], t->released_near);
}

// Orders by the value that one cell holds. Relaxed accesses order by the
// fences before and after them.
static void order_atomic(Detect *d, uint32_t thread,
                         const ObservedAccess *access) {
  Know **sync = atomic_at(d, access->address);
  DetectThread *t = &d->threads[thread];
  if (access->reads && *sync) {
    detect_see_fenced(d, thread, *sync);
    if (access->acquires)
      detect_acquire(d, thread, *sync);
    else
      join_into(d, &t->seen, *sync);
  }
  if (!access->writes)
    return;
  if (!access->reads) { // a store ends what others released
    know_drop(d, *sync);
    *sync = NULL;
  }
  if (access->releases)
    detect_release(d, thread, sync);
  else if (t->released)
    join_into(d, sync, t->released);
  detect_leave_fenced(d, thread, sync);
}

// Two elements of one tile at one place: nobody says which of them stays.
static void detect_scattered(Detect *d, const Actor *actor,
                             const ObservedAccess *access) {
  Stored *stored = map_get(&d->stored, access->address);
  if (stored && stored->operation == access->operation &&
      stored->who == actor->who) {
    Record record = {
        .node = actor->node, .who = actor->who, .kind = actor->kind};
    detect_race(d, actor, &record, actor->who, access->address, false);
    return;
  }
  if (!stored) {
    stored = ARENA_NEW(d->arena, Stored);
    map_put(d->arena, &d->stored, access->address, stored);
  }
  *stored = (Stored){access->operation, actor->who};
}

static void on_access(void *context, const ObservedThread *thread,
                      const ObservedAccess *access) {
  Detect *d = detect_of(context);
  uint32_t who = (uint32_t)thread->number;
  uint8_t kind = access->writes ? KIND_WRITES : 0;
  if (access->is_atomic)
    kind |= (uint8_t)(KIND_ATOMIC | (unsigned)access->scope << KIND_SCOPE);
  Actor actor = {.know = d->threads[who].know,
                 .thread = who,
                 .who = who,
                 .clock = d->threads[who].clock,
                 .node = access->node->id,
                 .value =
                     (uint32_t)(access->value >> 32) | (access->value != 0),
                 .kind = kind,
                 .scope = access->scope};
  detect_touch(d, &actor, access->address, access->n_bytes);
  if (access->operation && access->node->op == IR_TILE_STORE &&
      !access->is_atomic)
    detect_scattered(d, &actor, access);
  detect_owned(d, thread, access);
  if (access->is_atomic && d->has_near_fences)
    order_near(d, who, access);
  if (access->is_atomic)
    order_atomic(d, who, access);
}

static void on_fence(void *context, const ObservedThread *thread,
                     const IrNode *node) {
  Detect *d = detect_of(context);
  uint32_t who = (uint32_t)thread->number;
  DetectThread *t = &d->threads[who];
  detect_acquire(d, who, t->seen_near);
  know_drop(d, t->seen_near);
  know_drop(d, t->released_near);
  t->seen_near = t->released_near = NULL;
  if (detect_is_near(node)) {
    detect_release(d, who, &t->released_near);
    return;
  }
  detect_acquire(d, who, t->seen);
  know_drop(d, t->seen);
  t->seen = NULL;
  if (ir_fences_all(node))
    detect_fence_all(d, who);
  know_drop(d, t->released);
  t->released = NULL;
  detect_release(d, who, &t->released);
  if (d->has_near_fences)
    t->released_near = know_keep(t->released);
}

static void on_fence_async(void *context, const ObservedThread *thread) {
  Detect *d = detect_of(context);
  uint32_t who = (uint32_t)thread->number;
  DetectThread *t = &d->threads[who];
  if (!d->keeps[HALF_ASYNC])
    return;
  Know *know = know_copy(d, t->know), *own = know_own(d, who);
  memcpy(know->clocks[HALF_ASYNC], own->clocks[HALF_GENERIC],
         d->n_all * sizeof(uint32_t));
  memcpy(know->copies[HALF_ASYNC], own->copies[HALF_GENERIC],
         know->n_words * sizeof(uint64_t));
  know_drop(d, own);
  know_drop(d, t->know);
  t->know = know;
  t->clock = ++d->time;
}

// --------------------------------------------------------------- barriers

static void on_sync(void *context, const IrNode *node,
                    const ObservedThread *threads, uint32_t n_threads) {
  const IrGroup *group = node->u.group.group;
  detect_sync(detect_of(context), threads, n_threads,
              group->kind == GROUP_GRID);
}

static void on_meet(void *context, const ObservedThread *threads,
                    uint32_t n_threads) {
  detect_meet(detect_of(context), threads, n_threads);
}

static DetectMeeting *meeting_at(Detect *d, uint32_t number) {
  DetectMeeting none = {0};
  while (d->meetings.count <= number)
    VEC_PUSH(d->arena, &d->meetings, none);
  return &d->meetings.data[number];
}

static void on_arrive(void *context, const ObservedThread *thread,
                      uint32_t number, bool is_first) {
  Detect *d = detect_of(context);
  DetectMeeting *meeting = meeting_at(d, number);
  if (is_first) {
    know_drop(d, meeting->know);
    meeting->know = NULL;
  }
  detect_release(d, (uint32_t)thread->number, &meeting->know);
}

static void on_wait(void *context, const ObservedThread *thread,
                    uint32_t number) {
  Detect *d = detect_of(context);
  detect_acquire(d, (uint32_t)thread->number, meeting_at(d, number)->know);
}

DetectBarrier *detect_barrier_at(Detect *d, uint32_t number) {
  DetectBarrier none = {0};
  while (d->barriers.count <= number)
    VEC_PUSH(d->arena, &d->barriers, none);
  return &d->barriers.data[number];
}

static BarrierView *detect_events_view_of(Detect *d, DetectBarrier *barrier,
                                          uint32_t thread) {
  if (!barrier->views) {
    barrier->views = ARENA_ARRAY(d->arena, BarrierView, d->n_all);
    for (uint32_t i = 0; i < d->n_all; i++)
      barrier->views[i] =
          (BarrierView){.meant = -2, .known = -1, .arrived = -2, .waited = -2};
  }
  return &barrier->views[thread];
}

static void on_mbarrier_arrive(void *context, const ObservedThread *thread,
                               uint32_t number, uint32_t count) {
  Detect *d = detect_of(context);
  DetectBarrier *barrier = detect_barrier_at(d, number);
  BarrierView *view =
      detect_events_view_of(d, barrier, (uint32_t)thread->number);
  detect_release(d, (uint32_t)thread->number, &barrier->open);
  int64_t phase = (int64_t)barrier->ended.count;
  if (view->arrived < phase) {
    view->signals |= view->arrived > view->waited;
    view->n_arrivals = 0;
  }
  view->arrived = phase;
  view->n_arrivals += count;
}

static void tell_lap(Detect *d, uint32_t thread, const BarrierView *view,
                     const IrNode *node) {
  ObservedThread told = {.number = thread,
                         .block = thread / d->n_threads,
                         .rank = thread % d->n_threads};
  const IrNode *other = node == view->node ? NULL : node;
  if (d->is_tainted)
    return;
  Fact fact = {.kind = FACT_OTHER_PHASE,
               .args = {.numbers = {view->meant, view->meant + 1}}};
  ConcreteFinding *found =
      detect_found(d, EVENT_FOUND_BARRIER, &told, view->node, other, &fact);
  if (found)
    found->object = view->node->u.barrier.object;
}

static void on_mbarrier_phase(void *context, const IrNode *node,
                              uint32_t number, uint64_t phase) {
  Detect *d = detect_of(context);
  DetectBarrier *barrier = detect_barrier_at(d, number);
  Know *ended = barrier->open ? barrier->open : know_keep(d->nothing);
  VEC_PUSH(d->arena, &barrier->ended, ended);
  barrier->open = NULL;
  for (uint32_t i = 0; i < d->n_all && barrier->views; i++) {
    const BarrierView *view = &barrier->views[i];
    bool is_back =
        view->clock > 0 && ended->clocks[know_cause(d)][i] >= view->clock;
    if (view->meant == (int64_t)phase - 1 && !is_back)
      tell_lap(d, i, view, node);
  }
}

static void on_mbarrier_wait(void *context, const ObservedThread *thread,
                             const IrNode *node, uint32_t number,
                             uint32_t parity, uint64_t phase) {
  Detect *d = detect_of(context);
  uint32_t who = (uint32_t)thread->number;
  DetectBarrier *barrier = detect_barrier_at(d, number);
  BarrierView *view = detect_events_view_of(d, barrier, who);
  while (view->known + 1 < (int64_t)barrier->ended.count &&
         know_has_all(d, &d->threads[who], who,
                      barrier->ended.data[view->known + 1]))
    view->known++;
  bool is_next = ((uint64_t)(view->known + 1) & 1) == parity;
  view->meant = view->known + is_next;
  view->clock = 0;
  view->node = node;
  if ((int64_t)phase >= view->meant + 2)
    tell_lap(d, who, view, node);
}

static void on_mbarrier_waited(void *context, const ObservedThread *thread,
                               uint32_t number) {
  Detect *d = detect_of(context);
  uint32_t who = (uint32_t)thread->number;
  DetectBarrier *barrier = detect_barrier_at(d, number);
  BarrierView *view = detect_events_view_of(d, barrier, who);
  if (view->meant >= 0 && view->meant < (int64_t)barrier->ended.count)
    detect_acquire(d, who, barrier->ended.data[view->meant]);
  view->clock = d->threads[who].clock;
  if (view->waited < view->meant)
    view->waited = view->meant;
}

static void on_mbarrier_token(void *context, const ObservedThread *thread,
                              uint32_t number, uint64_t phase) {
  Detect *d = detect_of(context);
  uint32_t who = (uint32_t)thread->number;
  DetectBarrier *barrier = detect_barrier_at(d, number);
  BarrierView *view = detect_events_view_of(d, barrier, who);
  if (phase < barrier->ended.count)
    detect_acquire(d, who, barrier->ended.data[phase]);
  if (view->waited < (int64_t)phase)
    view->waited = (int64_t)phase;
}

// Nobody waits in this launch: what the arrivals tell has no taker.
static bool is_waited_for(const Detect *d, const DetectBarrier *barrier) {
  for (uint32_t i = 0; i < d->n_all && barrier->views; i++)
    if (barrier->views[i].waited > -2)
      return true;
  return false;
}

// What is left is the signal of a whole side: its threads never wait for the
// barrier, and those that are missing waited for each phase they arrived in.
// Roles end so where the last "ready" is for nobody.
static bool is_last_signal(Detect *d, const ObservedMbarrier *told) {
  const DetectBarrier *barrier = detect_barrier_at(d, told->number);
  int64_t phase = (int64_t)told->phase;
  uint32_t n_arrived = 0, n_before = 0;
  if (phase == 0)
    return !is_waited_for(d, barrier);
  for (uint32_t i = 0; i < d->n_all && barrier->views; i++) {
    const BarrierView *view = &barrier->views[i];
    bool is_here = view->arrived == phase,
         was_before = view->arrived == phase - 1;
    bool is_waiter = view->waited >= view->arrived && !view->signals;
    if (is_here ? view->waited > -2 : was_before && !is_waiter)
      return false;
    n_arrived += is_here ? view->n_arrivals : 0;
    n_before += was_before ? view->n_arrivals : 0;
  }
  return n_arrived == told->arrived && n_arrived + n_before == told->count;
}

const char *detect_barrier_name(Detect *d, const ObservedMbarrier *barrier) {
  const char *name = barrier->object->name;
  return barrier->object->rank == 0
             ? name
             : arena_printf(d->arena, "%s[%u]", name, barrier->element);
}

bool detect_has_arrived(const Detect *d, const ObservedMbarrier *barrier,
                        const ObservedThread *thread) {
  const BarrierView *views = barrier->number < d->barriers.count
                                 ? d->barriers.data[barrier->number].views
                                 : NULL;
  return views && views[thread->number].arrived == (int64_t)barrier->phase;
}

static void detect_events_tell_partial(Detect *d,
                                       const ObservedMbarrier *barrier) {
  const IrObject *object = barrier->object;
  Fact fact = {.kind = FACT_HALF_FILLED,
               .args = {.name = object->name,
                        .n_index = object->rank > 0,
                        .index = {barrier->element},
                        .numbers = {(int64_t)barrier->phase, barrier->arrived,
                                    barrier->count}}};
  ConcreteFinding *found =
      detect_found(d, EVENT_FOUND_PARTIAL, NULL, barrier->last, NULL, &fact);
  if (found)
    found->object = barrier->object;
}

static void on_mbarrier_end(void *context, const ObservedMbarrier *barrier) {
  Detect *d = detect_of(context);
  const IrObject *object = barrier->object;
  int64_t bytes = barrier->bytes;
  if (d->is_tainted)
    return;
  if (bytes == 0) {
    if (barrier->arrived > 0 && !is_last_signal(d, barrier))
      detect_events_tell_partial(d, barrier);
    return;
  }
  Fact fact = {
      .kind = bytes < 0 ? FACT_BYTES_UNEXPECTED : FACT_BYTES_MISSING,
      .args = {.name = object->name,
               .numbers = {barrier->element, bytes < 0 ? -bytes : bytes}}};
  const IrNode *node = d->kernel->body.first;
  for (uint32_t i = 0; i < d->copies.count; i++)
    if (d->copies.data[i]->node->u.copy.barrier == object)
      node = d->copies.data[i]->node;
  ConcreteFinding *found =
      node ? detect_found(d, EVENT_FOUND_BARRIER, NULL, node, NULL, &fact)
           : NULL;
  if (found)
    found->object = object;
}

// ----------------------------------------------------------------- values

// The run isn't exact any more, by an access that was left out or else (NULL).
static void taint(Detect *d, const IrNode *by) {
  d->tainted_by = d->is_tainted && d->tainted_by != by ? NULL : by;
  d->is_tainted = true;
}

static void on_overflow(void *context, const ObservedThread *thread,
                        const IrNode *node) {
  Detect *d = detect_of(context);
  if (d->trusts_overflow && decisive_has(d->trusts_overflow, node))
    taint(d, NULL);
  if (!d->trusts_overflow)
    detect_found(d, EVENT_FOUND_OVERFLOW, thread, node, NULL,
                 &(Fact){.kind = FACT_TOO_LARGE});
}

// CUDA C leaves open what it gives, so the run shows nothing.
static void on_wide_shift(void *context, const ObservedThread *thread,
                          const IrNode *node) {
  (void)thread;
  Detect *d = detect_of(context);
  d->is_assumption |= d->open_shifts && decisive_has(d->open_shifts, node);
}

typedef struct {
  uint64_t value;
  ObservedThread thread;
} Claim;

static void on_uniform(void *context, const ObservedThread *thread,
                       const IrNode *node, uint64_t key, const uint64_t *value,
                       uint32_t n_slots) {
  Detect *d = detect_of(context);
  uint64_t hash = fingerprint_bytes(value, n_slots * sizeof *value);
  uint64_t number = (key ^ (node->id + 1) * UINT64_C(0x9e3779b97f4a7c15)) | 1;
  Claim *claim = map_get(&d->claims, number);
  if (!claim) {
    claim = ARENA_NEW(d->arena, Claim);
    *claim = (Claim){hash, *thread};
    map_put(d->arena, &d->claims, number, claim);
  } else if (claim->value != hash && !d->is_tainted) {
    Fact fact = {.kind = FACT_DIFFERENT_VALUES,
                 .args = {.name = node->u.group.group->name,
                          .numbers = {claim->thread.rank, thread->rank}}};
    detect_found(d, EVENT_FOUND_UNIFORM, thread, node, NULL, &fact);
  }
}

// ----------------------------------------------------------------- faults

static void tell_barrier(Detect *d, const ObservedThread *thread,
                         const IrNode *node, const Fact *fact) {
  ConcreteFinding *found =
      detect_found(d, EVENT_FOUND_BARRIER, thread, node, NULL, fact);
  if (found && fact->fault == FAULT_CODE_ARRIVALS)
    found->seen_arrivals = fact->args.numbers[FAULT_ARRIVALS_SEEN];
}

static bool on_fault(void *context, const Fault *fault,
                     const ObservedThread *thread, const IrNode *node) {
  Detect *d = detect_of(context);
  const Fact fact = {
      .kind = FACT_FAULT, .fault = fault->code, .args = fault->args};
  switch (fault_kind(fault->code)) {
  case FAULT_BOUNDS:
    detect_found(d, EVENT_FOUND_BOUNDS, thread, node, NULL, &fact);
    taint(d, node);
    d->is_order_lost |= ir_is_atomic(node);
    // What a function does to a view that is none only follows from that.
    return node->op != IR_INSIDE || (node->flags & NODE_INSIDE);
  case FAULT_SECTION:
  case FAULT_ALIGNMENT:
    if (!d->is_tainted)
      detect_found(d, EVENT_FOUND_BOUNDS, thread, node, NULL, &fact);
    taint(d, NULL);
    return true;
  case FAULT_ASSERT:
    if (!d->is_tainted)
      detect_found(d, EVENT_FOUND_ASSERT, thread, node, NULL, &fact);
    if (node->flags & NODE_OBLIGATION)
      taint(d, NULL);
    return node->op == IR_ASSERT || node->op == IR_TILE_ASSERT;
  case FAULT_VALUE:
    if (!d->is_tainted)
      detect_found(d, EVENT_FOUND_VALUE, thread, node, NULL, &fact);
    return true;
  case FAULT_RANGE:
    if (!d->is_tainted)
      detect_found(d, EVENT_FOUND_RANGE, thread, node, NULL, &fact);
    return false;
  case FAULT_BARRIER:
    if (!d->is_tainted)
      tell_barrier(d, thread, node, &fact);
    return false;
  case FAULT_COPY:
    if (!d->is_tainted)
      detect_found(d, EVENT_FOUND_COPY, thread, node, NULL, &fact);
    return false;
  case FAULT_PLACES:
    if (!d->is_tainted)
      detect_found(d, EVENT_FOUND_DEADLOCK, thread, node, NULL, &fact);
    return false;
  case FAULT_ASSUMPTION: d->is_assumption = true; return false;
  case FAULT_OTHER:
  case FAULT_LIMIT: break;
  }
  d->out->finished = false;
  return false;
}

static void on_stuck(void *context, const ObservedStuck *told) {
  Detect *d = detect_of(context);
  DetectStuck stuck = {.thread = told->thread,
                       .node = told->node,
                       .turns = arena_strdup(d->arena, told->turns),
                       .phase = -1,
                       .meeting = told->meeting,
                       .missing = told->missing,
                       .n_missing = told->n_missing};
  d->polls |= told->polls;
  if (told->barrier) {
    stuck.barrier = *told->barrier;
    stuck.phase = (int64_t)told->phase;
  }
  VEC_PUSH(d->arena, &d->stuck, stuck);
}

static void on_ahead(void *context, const ObservedThread *thread,
                     const IrNode *node, uint32_t barrier, const char *turns) {
  Detect *d = detect_of(context);
  DetectAhead ahead = {*thread, node, barrier, arena_strdup(d->arena, turns)};
  VEC_PUSH(d->arena, &d->ahead, ahead);
}

// What the first waits for barriers have, and lack.
static void note_waits(const Detect *d, ConcreteFinding *found) {
  bool has_barrier = false;
  for (uint32_t i = 0; i < d->stuck.count; i++) {
    const DetectStuck *stuck = &d->stuck.data[i];
    int64_t bytes = stuck->phase >= 0 ? stuck->barrier.bytes : 0;
    if (stuck->phase >= 0 && !has_barrier)
      found->seen_arrivals = stuck->barrier.arrived;
    has_barrier |= stuck->phase >= 0;
    if (found->open_bytes == 0 || (found->open_bytes < 0 && bytes > 0))
      found->open_bytes = bytes;
  }
}

// A thread that polls memory might be released by a block that runs later. Of
// all waits the first that is new stands for them.
static void on_deadlock(void *context, const StuckReport *report,
                        bool is_complete) {
  Detect *d = detect_of(context);
  bool has_chain = d->observer.ahead == NULL;
  const Fact fact = {
      .kind = FACT_STUCK,
      .args = {.stuck = arena_copy(d->result, report, sizeof *report)}};
  if (d->polls)
    d->out->finished = false;
  for (uint32_t i = 0; i < d->stuck.count && !d->polls && !d->is_tainted; i++) {
    const DetectStuck *stuck = &d->stuck.data[i];
    ConcreteFinding *found = detect_found(
        d, EVENT_FOUND_DEADLOCK, &stuck->thread, stuck->node, NULL, &fact);
    if (found)
      note_waits(d, found);
    if (found && !has_chain)
      detect_chain(d, i, is_complete, found);
    has_chain |= found != NULL;
  }
}

static void on_gang_end(void *context) {
  Detect *d = detect_of(context);
  detect_flush_copies(d);
  d->open_copies.count = 0;
  detect_drop_shared(d);
  for (uint32_t i = 0; i < d->barriers.count; i++) {
    DetectBarrier *barrier = &d->barriers.data[i];
    know_drop(d, barrier->open);
    for (uint32_t k = 0; k < barrier->ended.count; k++)
      know_drop(d, barrier->ended.data[k]);
  }
  d->barriers.count = 0;
  d->meetings.count = 0;
  d->claims = (Map){0};
}

InterpObserver detect_observer(Detect *d) {
  return (InterpObserver){.context = d,
                          .memory = on_memory,
                          .access = on_access,
                          .fence = on_fence,
                          .fence_async = on_fence_async,
                          .overflow = on_overflow,
                          .wide_shift = on_wide_shift,
                          .uniform = on_uniform,
                          .claim = detect_claim,
                          .sync = on_sync,
                          .meet = on_meet,
                          .arrive = on_arrive,
                          .wait = on_wait,
                          .mbarrier_arrive = on_mbarrier_arrive,
                          .mbarrier_phase = on_mbarrier_phase,
                          .mbarrier_wait = on_mbarrier_wait,
                          .mbarrier_waited = on_mbarrier_waited,
                          .mbarrier_token = on_mbarrier_token,
                          .mbarrier_end = on_mbarrier_end,
                          .copy = detect_on_copy,
                          .copy_bytes = detect_on_copy_bytes,
                          .copy_read = detect_on_copy_read,
                          .copy_waited = detect_on_copy_waited,
                          .copy_landed = detect_on_copy_landed,
                          .copy_lost = detect_on_copy_lost,
                          .fault = on_fault,
                          .stuck = on_stuck,
                          .ahead = on_ahead,
                          .deadlock = on_deadlock,
                          .gang_end = on_gang_end};
}
