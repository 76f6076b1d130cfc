// SPDX-License-Identifier: Apache-2.0
// Of a deadlock what waits for what: from a wait to the arrival that it needs,
// from there to what the thread that would make it waits for, and so on, until
// a wait comes again or nobody is left who could arrive.
#include "check/run/detect.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_LINKS = 24, MOST_RANGES = 3 };

typedef struct {
  Detect *d;
  ConcreteFinding *found;
  hd_vec(uint32_t) waits; // numbers of stuck threads, from the first on
} Chain;

// ------------------------------------------------------------------- text

static void add_link(Chain *c, const IrNode *node, const char *text) {
  ChainLink link = {node, text};
  VEC_PUSH(c->d->result, &c->found->chain, link);
}

static const char *in_turns(const Chain *c, const char *turns) {
  return turns[0] ? arena_printf(c->d->arena, " (%s)", turns) : "";
}

static const char *range_text(const Chain *c, const ObservedThread *first,
                              uint32_t last) {
  Detect *d = c->d;
  Text text = {.arena = d->arena};
  if (first->rank == last)
    text_printf(&text, "thread %u", last);
  else
    text_printf(&text, "threads %u to %u", first->rank, last);
  int32_t b[3];
  detect_block_index(d, first->block, b);
  if (d->n_blocks > 1 && b[1] == 0 && b[2] == 0)
    text_printf(&text, " of block %d", (int)b[0]);
  else if (d->n_blocks > 1)
    text_printf(&text, " of block (%d, %d, %d)", (int)b[0], (int)b[1],
                (int)b[2]);
  return text_cstr(&text);
}

// ----------------------------------------------------------------- threads

static int64_t stuck_number(const Chain *c, const ObservedThread *thread) {
  for (uint32_t i = 0; i < c->d->stuck.count; i++)
    if (c->d->stuck.data[i].thread.number == thread->number)
      return i;
  return -1;
}

static const DetectStuck *stuck_at(const Chain *c, int64_t number) {
  return &c->d->stuck.data[number];
}

static bool same_wait(const DetectStuck *a, const DetectStuck *b) {
  return a->node == b->node && a->phase == b->phase &&
         a->thread.block == b->thread.block &&
         (a->phase >= 0 ? a->barrier.number == b->barrier.number
                        : a->meeting == b->meeting);
}

// The last of the threads behind it that wait for the same.
static uint32_t last_with(const Chain *c, uint32_t number) {
  const DetectStuck *first = stuck_at(c, number);
  uint32_t last = number;
  while (
      last + 1 < c->d->stuck.count && same_wait(first, stuck_at(c, last + 1)) &&
      stuck_at(c, last + 1)->thread.rank == stuck_at(c, last)->thread.rank + 1)
    last++;
  return last;
}

static const char *stuck_text(const Chain *c, uint32_t number) {
  return range_text(c, &stuck_at(c, number)->thread,
                    stuck_at(c, last_with(c, number))->thread.rank);
}

// Number in the chain of a wait for the same; -1: none yet.
static int64_t place_in(const Chain *c, const DetectStuck *stuck) {
  for (uint32_t i = 0; i < c->waits.count; i++)
    if (same_wait(stuck_at(c, c->waits.data[i]), stuck))
      return i;
  return -1;
}

// "threads 0 to 31 have ended"; NULL: none has, or too many ranges have.
static const char *ended_text(const Chain *c) {
  Detect *d = c->d;
  Text text = {.arena = d->arena};
  uint32_t n_ranges = 0, next = 0;
  int64_t block = d->stuck.data[0].thread.block;
  if (d->n_blocks > 1)
    return NULL;
  for (uint32_t i = 0; i <= d->stuck.count; i++) {
    bool is_end = i == d->stuck.count;
    uint32_t rank = is_end ? d->n_threads : stuck_at(c, i)->thread.rank;
    if (rank > next) {
      ObservedThread first = {.block = block, .rank = next};
      text_printf(&text, "%s%s", n_ranges ? ", " : "",
                  range_text(c, &first, rank - 1));
      n_ranges++;
    }
    next = rank + 1;
  }
  if (n_ranges == 0 || n_ranges > MOST_RANGES)
    return NULL;
  bool is_one = n_ranges == 1 && d->stuck.count + 1 == d->n_threads;
  text_add(&text, is_one ? " has ended" : " have ended");
  return text_cstr(&text);
}

// -------------------------------------------------------------- what is needed

static bool detect_chain_is_copy(const IrNode *node) {
  return ir_op_info(node)->form == FORM_COPY;
}

// Arrivals of threads that haven't arrived yet, or copies where only bytes are
// missing.
static bool would_help(const Chain *c, const DetectStuck *at,
                       const DetectAhead *ahead) {
  const ObservedMbarrier *barrier = &at->barrier;
  if (ahead->barrier != barrier->number)
    return false;
  if (barrier->arrived == barrier->count)
    return barrier->bytes > 0 && detect_chain_is_copy(ahead->node);
  return !detect_chain_is_copy(ahead->node) &&
         !detect_has_arrived(c->d, barrier, &ahead->thread);
}

static bool is_in_chain(const Chain *c, const DetectAhead *ahead) {
  return place_in(c, stuck_at(c, stuck_number(c, &ahead->thread))) >= 0;
}

// Those that a wait of the chain keeps come first, then lower threads.
static bool comes_before(const Chain *c, const DetectAhead *a,
                         const DetectAhead *b) {
  bool p = is_in_chain(c, a), q = is_in_chain(c, b);
  return p == q ? a->thread.number < b->thread.number : p;
}

// The signal that the wait needs; NULL: nobody makes it.
static const DetectAhead *detect_chain_needed(const Chain *c,
                                              const DetectStuck *at) {
  const DetectAhead *best = NULL;
  for (uint32_t i = 0; i < c->d->ahead.count; i++) {
    const DetectAhead *ahead = &c->d->ahead.data[i];
    bool is_one =
        stuck_number(c, &ahead->thread) >= 0 && would_help(c, at, ahead);
    if (is_one && (!best || comes_before(c, ahead, best)))
      best = ahead;
  }
  return best;
}

static void add_needed(Chain *c, const DetectAhead *ahead) {
  const char *who = stuck_text(c, (uint32_t)stuck_number(c, &ahead->thread));
  add_link(c, ahead->node,
           arena_printf(c->d->result, "<- needs '%s' by %s%s",
                        ir_word(ahead->node), who, in_turns(c, ahead->turns)));
}

// ---------------------------------------------------------------- no arrival

typedef struct {
  const IrObject *object;
  const IrNode *first;
} Arrival;

static bool find_arrival(IrNode *node, void *context) {
  Arrival *place = context;
  if (!place->first && ir_signals(node, place->object) &&
      !detect_chain_is_copy(node))
    place->first = node;
  return !place->first;
}

static const IrNode *first_arrival(const Chain *c, const IrObject *object) {
  Arrival place = {.object = object};
  ir_walk((IrRegion *)(uintptr_t)&c->d->kernel->body, find_arrival, &place);
  return place.first;
}

// All have arrived, and still the phase isn't complete.
static void add_missing_bytes(Chain *c, const ObservedMbarrier *barrier) {
  Arena *arena = c->d->result;
  const char *text =
      "<- expects no more arrivals: all threads have dropped out";
  if (barrier->bytes > 0)
    text =
        arena_printf(arena,
                     "<- needs %" PRId64
                     " bytes more than have arrived, and no copy to it remains",
                     barrier->bytes);
  else if (barrier->bytes < 0)
    text = arena_printf(
        arena, "<- has received %" PRId64 " bytes more than it expects",
        -barrier->bytes);
  add_link(c, barrier->last, text);
}

static void add_no_arrival(Chain *c, const ObservedMbarrier *barrier) {
  Arena *arena = c->d->result;
  uint32_t n = barrier->count - barrier->arrived;
  const IrNode *place = first_arrival(c, barrier->object);
  const char *ended = ended_text(c), *s = text_plural(n);
  if (barrier->arrived > 0) {
    add_link(c, barrier->last,
             arena_printf(arena,
                          "<- needs %u arrival%s more than its %u: all threads "
                          "that reach one have arrived%s%s",
                          n, s, barrier->arrived, ended ? "; " : "",
                          ended ? ended : ""));
    return;
  }
  if (!place) {
    add_link(c, NULL,
             arena_printf(arena,
                          "<- needs %u arrival%s: nothing in the kernel "
                          "arrives on '%s'",
                          n, s, barrier->object->name));
    return;
  }
  add_link(c, place,
           arena_printf(arena,
                        "<- needs %u arrival%s, and no thread gets here any "
                        "more%s%s",
                        n, s, ended ? ": " : "", ended ? ended : ""));
}

// ------------------------------------------------------------------- links

static const char *wait_text(const Chain *c, const DetectStuck *at) {
  if (at->phase >= 0)
    return arena_printf(c->d->arena, "phase %" PRId64 " of '%s'", at->phase,
                        detect_barrier_name(c->d, &at->barrier));
  const IrGroup *group = ir_op_group(c->d->kernel, at->node);
  return arena_printf(c->d->arena, "all threads of '%s'",
                      group ? group->name : "the group");
}

static void add_first(Chain *c, uint32_t number) {
  const DetectStuck *at = stuck_at(c, number);
  const char *who = stuck_text(c, number);
  bool is_one = last_with(c, number) == number;
  add_link(c, at->node,
           arena_printf(c->d->result, "%s wait%s for %s%s", who,
                        is_one ? "s" : "", wait_text(c, at),
                        in_turns(c, at->turns)));
}

// Of the thread that is missing, at a wait of its own.
static void add_wait(Chain *c, const char *who, const DetectStuck *at) {
  bool is_cycle = place_in(c, at) >= 0;
  add_link(c, at->node,
           arena_printf(c->d->result, "<- %s the wait for %s%s%s", who,
                        wait_text(c, at), in_turns(c, at->turns),
                        is_cycle ? ": a cycle" : ""));
}

// The thread of a group that the others wait for: one that has ended, or one
// that waits for what the chain has, if there are such.
static const ObservedThread *missing_of(const Chain *c, const DetectStuck *at) {
  const ObservedThread *first = NULL, *in_chain = NULL;
  for (uint32_t i = 0; i < at->n_missing; i++) {
    const ObservedThread *thread = &at->missing[i];
    int64_t stuck = stuck_number(c, thread);
    if (stuck < 0)
      return thread;
    first = first ? first : thread;
    if (!in_chain && place_in(c, stuck_at(c, stuck)) >= 0)
      in_chain = thread;
  }
  return in_chain ? in_chain : first;
}

// The number of the stuck thread that the wait depends on; -1: the chain ends.
static int64_t follow_meeting(Chain *c, const DetectStuck *at) {
  const ObservedThread *thread = missing_of(c, at);
  if (!thread)
    return -1;
  int64_t next = stuck_number(c, thread);
  if (next < 0) {
    add_link(c, NULL,
             arena_printf(c->d->result, "<- needs %s, which has ended",
                          range_text(c, thread, thread->rank)));
    return -1;
  }
  const char *who = arena_printf(c->d->arena, "needs %s, kept by",
                                 stuck_text(c, (uint32_t)next));
  add_wait(c, who, stuck_at(c, next));
  return next;
}

static int64_t follow_barrier(Chain *c, const DetectStuck *at,
                              bool is_complete) {
  const DetectAhead *ahead = detect_chain_needed(c, at);
  if (ahead) {
    int64_t next = stuck_number(c, &ahead->thread);
    add_needed(c, ahead);
    add_wait(c, "only after", stuck_at(c, next));
    return next;
  }
  if (is_complete && at->barrier.arrived == at->barrier.count)
    add_missing_bytes(c, &at->barrier);
  else if (is_complete)
    add_no_arrival(c, &at->barrier);
  return -1;
}

void detect_chain(Detect *d, uint32_t stuck, bool is_complete,
                  ConcreteFinding *found) {
  Chain c = {.d = d, .found = found};
  add_first(&c, stuck);
  for (int64_t at = stuck; at >= 0 && found->chain.count < MOST_LINKS;) {
    if (place_in(&c, stuck_at(&c, at)) >= 0)
      break;
    VEC_PUSH(d->arena, &c.waits, (uint32_t)at);
    at = stuck_at(&c, at)->phase >= 0
             ? follow_barrier(&c, stuck_at(&c, at), is_complete)
             : follow_meeting(&c, stuck_at(&c, at));
  }
  if (found->chain.count == 1) // says nothing new
    found->chain.count = 0;
}
