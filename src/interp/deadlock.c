// SPDX-License-Identifier: Apache-2.0
// The text of a deadlock: who waits where, for what, and who could have
// released it.
#include "interp/machine.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_LINES = 16, MOST_PLACES = 4 };

typedef struct {
  const Machine *m;
  Text *out;
} Report;

static const char *deadlock_place_of(const Report *r, const IrNode *node) {
  return node
             ? ir_loc_text(r->m->launch->kernel->module, node->loc, r->m->arena)
             : "unknown place";
}

static bool deadlock_same_wait(const Thread *a, const Thread *b) {
  if (a->state != b->state || a->node != b->node || a->block != b->block)
    return false;
  if (a->state != THREAD_WAITS)
    return true;
  if (a->wait != b->wait)
    return false;
  return a->wait == WAIT_MEETING ? a->meeting == b->meeting
         : a->wait == WAIT_MBARRIER
             ? a->mbarrier == b->mbarrier && a->phase == b->phase
             : true;
}

// ------------------------------------------------------ who could release

typedef struct {
  Report *r;
  const IrObject *object;
  bool is_semaphore;
  uint32_t n_places;
} Search;

static bool note_place(IrNode *node, void *context) {
  Search *search = context;
  bool is_found = search->is_semaphore ? node->op == IR_SEMAPHORE_RELEASE
                                       : ir_signals(node, search->object);
  if (!is_found)
    return true;
  if (search->n_places++ >= MOST_PLACES)
    return false;
  text_add(search->r->out, search->n_places > 1 ? ", " : "");
  text_printf(search->r->out, "%s (%s)", deadlock_place_of(search->r, node),
              ir_word(node));
  return true;
}

static void add_places(Report *r, const IrObject *object, bool is_semaphore) {
  Search search = {.r = r, .object = object, .is_semaphore = is_semaphore};
  text_add(r->out, "\n    could be released at ");
  ir_walk((IrRegion *)(uintptr_t)&r->m->launch->kernel->body, note_place,
          &search);
  if (search.n_places == 0)
    text_add(r->out, "no place: nothing does");
}

static void add_where(Report *r, const Thread *t) {
  if (t->state == THREAD_DONE)
    text_add(r->out, "which has ended");
  else
    text_printf(r->out, "%s at %s",
                t->state == THREAD_WAITS ? "waiting" : "busy",
                deadlock_place_of(r, t->node));
}

// The threads of the part that haven't come, as far as one thread tells: rank 0
// of the missing.
static void deadlock_add_missing(Report *r, const Thread *t) {
  const Meeting *meeting = t->meeting;
  uint32_t n_told = 0;
  const Machine *m = r->m;
  for (uint32_t i = 0; i < m->n_threads && n_told < MOST_PLACES; i++) {
    const Thread *u = &m->threads[i];
    GroupContext context = group_context(m, u, meeting->group);
    if (context.key != meeting->key ||
        (uint32_t)context.rank >= meeting->size ||
        meeting->threads[context.rank] == u)
      continue;
    uint32_t last = i;
    while (last + 1 < m->n_threads &&
           deadlock_same_wait(u, &m->threads[last + 1]) &&
           u->state == m->threads[last + 1].state)
      last++;
    text_add(r->out, n_told++ ? "; " : "\n    not there: ");
    if (last > i)
      text_printf(r->out, "threads %u to %u, ", u->rank, m->threads[last].rank);
    else
      text_printf(r->out, "thread %u, ", u->rank);
    add_where(r, u);
    i = last;
  }
}

// ---------------------------------------------------------------- waits

static void add_meeting(Report *r, const Thread *t) {
  const Meeting *meeting = t->meeting;
  bool is_barrier = t->node->op == IR_SYNC || t->node->op == IR_JOIN ||
                    t->node->op == IR_WAIT || t->node->op == IR_MEMCPY_WAIT;
  if (is_barrier)
    text_add(r->out, "for the barrier of ");
  else
    text_printf(r->out, "with %s for all threads of ",
                ir_op_info(t->node)->text);
  text_printf(r->out, "%s: %u of its %u threads have arrived",
              meeting->group->name, meeting->n_arrived, meeting->size);
  if (t->node->op == IR_WAIT)
    text_printf(r->out, " at %s", deadlock_place_of(r, meeting->insn->node));
  deadlock_add_missing(r, t);
}

static void add_mbarrier(Report *r, const Thread *t) {
  const Mbarrier *barrier = t->mbarrier;
  text_printf(r->out,
              "for phase %" PRIu64 " of '%s[%u]': it has seen %u of %u "
              "arrivals",
              t->phase - 1, barrier->object->name, barrier->element,
              barrier->count - barrier->pending, barrier->count);
  if (barrier->bytes > 0)
    text_printf(r->out, ", %" PRId64 " bytes are missing", barrier->bytes);
  else if (barrier->bytes < 0)
    text_printf(r->out, ", %" PRId64 " bytes more have come than it expects",
                -barrier->bytes);
  add_places(r, barrier->object, false);
}

static void add_wait_kind(Report *r, const Thread *t) {
  switch (t->wait) {
  case WAIT_MEETING: add_meeting(r, t); break;
  case WAIT_MBARRIER: add_mbarrier(r, t); break;
  case WAIT_SEMAPHORE:
    text_printf(r->out, "for a semaphore to be %" PRIu64, t->semaphore_value);
    add_places(r, NULL, true);
    break;
  case WAIT_COALESCED:
    text_add(r->out, "for threads of its warp that may still come to this "
                     "coalesced_threads()");
    break;
  }
}

static void deadlock_add_wait(Report *r, const Thread *first,
                              const Thread *last) {
  const char *place = deadlock_place_of(r, first->node);
  text_add(r->out, "\n  ");
  if (r->m->launch->n_blocks > 1) {
    const int32_t *block = first->block->index;
    text_printf(r->out, "block (%d, %d, %d), ", (int)block[0], (int)block[1],
                (int)block[2]);
  }
  if (first == last)
    text_printf(r->out, "thread %u waits at %s ", first->rank, place);
  else
    text_printf(r->out, "threads %u to %u wait at %s ", first->rank, last->rank,
                place);
  if (first->state != THREAD_WAITS || !first->node)
    text_add(r->out, "in a loop for memory that nobody writes");
  else
    add_wait_kind(r, first);
}

// ---------------------------------------------------------------- observers

// Those of the meeting's part that haven't come to it.
static void list_missing(const Machine *m, const Meeting *meeting,
                         ObservedStuck *out) {
  ObservedThread *list =
      ARENA_ARRAY(m->gang_arena, ObservedThread, meeting->size);
  out->n_missing = 0;
  for (uint32_t i = 0; i < m->n_threads && out->n_missing < meeting->size;
       i++) {
    const Thread *u = &m->threads[i];
    GroupContext context = group_context(m, u, meeting->group);
    bool is_of_part =
        context.key == meeting->key && (uint32_t)context.rank < meeting->size;
    if (is_of_part && meeting->threads[context.rank] != u)
      list[out->n_missing++] = machine_observed(m, u);
  }
  out->missing = list;
}

static void tell_stuck(const Machine *m, const Thread *t,
                       const Meeting **last_meeting, ObservedMbarrier *barrier,
                       ObservedStuck *told) {
  const Meeting *meeting =
      t->state == THREAD_WAITS && t->wait == WAIT_MEETING ? t->meeting : NULL;
  told->thread = machine_observed(m, t);
  told->node = t->node;
  told->turns = machine_turns(m, t, t->node);
  told->polls = t->state != THREAD_WAITS || t->wait == WAIT_SEMAPHORE;
  told->barrier = NULL;
  if (t->state == THREAD_WAITS && t->wait == WAIT_MBARRIER) {
    *barrier = machine_observed_mbarrier(m, t->mbarrier);
    told->barrier = barrier;
    told->phase = t->phase - 1;
  }
  if (!meeting)
    told->n_missing = 0;
  else if (meeting != *last_meeting) // else the list is theirs, too
    list_missing(m, meeting, told);
  told->meeting = meeting ? meeting->number + 1 : 0;
  *last_meeting = meeting;
  m->observer->stuck(m->observer->context, told);
}

static void tell_deadlock(Machine *m) {
  const InterpObserver *observer = m->observer;
  if (!observer)
    return;
  const Meeting *last_meeting = NULL;
  ObservedStuck told = {0};
  ObservedMbarrier barrier;
  for (uint32_t i = 0; i < m->n_threads && observer->stuck; i++)
    if (m->threads[i].state != THREAD_DONE && m->threads[i].node)
      tell_stuck(m, &m->threads[i], &last_meeting, &barrier, &told);
  bool is_complete = observer->ahead && machine_look_ahead(m);
  if (observer->deadlock)
    observer->deadlock(observer->context, m->why, is_complete);
}

void machine_report_deadlock(Machine *m) {
  const int32_t *block = m->blocks[0].index;
  Text out = {.arena = m->arena};
  Report r = {.m = m, .out = &out};
  text_printf(&out, "deadlock in kernel '%s'", m->launch->kernel->name);
  if (m->launch->n_blocks == 1)
    text_printf(&out, ", block (%d, %d, %d)", (int)block[0], (int)block[1],
                (int)block[2]);
  text_add(&out, ": no thread can go on");
  int n_lines = 0;
  for (uint32_t i = 0; i < m->n_threads && n_lines < MOST_LINES; i++) {
    const Thread *first = &m->threads[i], *last = first;
    if (first->state == THREAD_DONE)
      continue;
    for (;
         i + 1 < m->n_threads && deadlock_same_wait(first, &m->threads[i + 1]);
         i++)
      last = &m->threads[i + 1];
    deadlock_add_wait(&r, first, last);
    n_lines++;
  }
  m->status = HD_ERROR_DEADLOCK;
  m->why = text_cstr(&out);
  tell_deadlock(m);
}
