// SPDX-License-Identifier: Apache-2.0
// Of a deadlock who waits where, for what, and who could have released it.
#include "interp/machine.h"
#include "interp/stuck.h"
#include <string.h>

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
  StuckWait *out;
  const IrObject *object; // NULL: a semaphore
} Search;

static bool deadlock_note_place(IrNode *node, void *context) {
  const Search *search = context;
  StuckWait *out = search->out;
  bool is_found = search->object ? ir_signals(node, search->object)
                                 : node->op == IR_SEMAPHORE_RELEASE;
  if (is_found && out->n_releases == STUCK_MOST_PLACES)
    return false;
  if (is_found)
    out->releases[out->n_releases++] = node;
  return true;
}

static void deadlock_find_releases(const Machine *m, const IrObject *object,
                                   StuckWait *out) {
  Search search = {.out = out, .object = object};
  ir_walk((IrRegion *)(uintptr_t)&m->launch->kernel->body, deadlock_note_place,
          &search);
}

// The threads of the part that haven't come, as far as one thread tells: rank 0
// of the missing.
static void deadlock_find_absent(const Machine *m, const Meeting *meeting,
                                 StuckWait *out) {
  for (uint32_t i = 0; i < m->n_threads && out->n_absent < STUCK_MOST_PLACES;
       i++) {
    const Thread *u = &m->threads[i];
    GroupContext context = group_context(m, u, meeting->group);
    if (context.key != meeting->key ||
        (uint32_t)context.rank >= meeting->size ||
        meeting->threads[context.rank] == u)
      continue;
    uint32_t last = i;
    while (last + 1 < m->n_threads &&
           deadlock_same_wait(u, &m->threads[last + 1]))
      last++;
    out->absent[out->n_absent++] =
        (StuckAbsent){.first = u->rank,
                      .last = last > i ? m->threads[last].rank : u->rank,
                      .kind = u->state == THREAD_DONE    ? ABSENT_ENDED
                              : u->state == THREAD_WAITS ? ABSENT_WAITING
                                                         : ABSENT_BUSY,
                      .node = u->node};
    i = last;
  }
}

// ---------------------------------------------------------------- waits

static void deadlock_note_meeting(const Machine *m, const Thread *t,
                                  StuckWait *out) {
  const Meeting *meeting = t->meeting;
  bool is_barrier = ir_is_barrier(t->node->op) || t->node->op == IR_WAIT;
  out->kind = is_barrier ? STUCK_BARRIER : STUCK_MEETING;
  out->group = meeting->group;
  out->n_arrived = meeting->n_arrived;
  out->size = meeting->size;
  out->arrival = t->node->op == IR_WAIT ? meeting->insn->node : NULL;
  deadlock_find_absent(m, meeting, out);
}

static void deadlock_note_mbarrier(const Machine *m, const Thread *t,
                                   StuckWait *out) {
  const Mbarrier *barrier = t->mbarrier;
  out->kind = STUCK_MBARRIER;
  out->object = barrier->object;
  out->element = barrier->element;
  out->phase = t->phase - 1;
  out->seen = barrier->count - barrier->pending;
  out->count = barrier->count;
  out->bytes = barrier->bytes;
  deadlock_find_releases(m, barrier->object, out);
}

static void deadlock_note_wait(const Machine *m, const Thread *first,
                               const Thread *last, StuckWait *out) {
  *out = (StuckWait){
      .first = first->rank, .last = last->rank, .node = first->node};
  memcpy(out->block, first->block->index, sizeof out->block);
  if (first->state != THREAD_WAITS || !first->node)
    return; // STUCK_MEMORY
  switch (first->wait) {
  case WAIT_MEETING: deadlock_note_meeting(m, first, out); break;
  case WAIT_MBARRIER: deadlock_note_mbarrier(m, first, out); break;
  case WAIT_SEMAPHORE:
    out->kind = STUCK_SEMAPHORE;
    out->value = first->semaphore_value;
    deadlock_find_releases(m, NULL, out);
    break;
  case WAIT_COALESCED: out->kind = STUCK_COALESCED; break;
  }
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

static void tell_deadlock(Machine *m, const StuckReport *report) {
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
    observer->deadlock(observer->context, report, is_complete);
}

static void deadlock_find_waits(const Machine *m, StuckReport *out) {
  for (uint32_t i = 0; i < m->n_threads && out->n_waits < STUCK_MOST_WAITS;
       i++) {
    const Thread *first = &m->threads[i], *last = first;
    if (first->state == THREAD_DONE)
      continue;
    for (;
         i + 1 < m->n_threads && deadlock_same_wait(first, &m->threads[i + 1]);
         i++)
      last = &m->threads[i + 1];
    deadlock_note_wait(m, first, last, &out->waits[out->n_waits++]);
  }
}

void machine_report_deadlock(Machine *m) {
  StuckReport *report = ARENA_NEW(m->arena, StuckReport);
  Text out = {.arena = m->arena};
  report->kernel = m->launch->kernel;
  report->n_blocks = m->launch->n_blocks;
  memcpy(report->block, m->blocks[0].index, sizeof report->block);
  deadlock_find_waits(m, report);
  stuck_report_text(&out, report);
  m->status = HD_ERROR_DEADLOCK;
  m->why = text_cstr(&out);
  tell_deadlock(m, report);
}
