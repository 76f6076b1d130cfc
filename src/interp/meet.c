// SPDX-License-Identifier: Apache-2.0
// Threads of one part of a group that come together: barriers in one piece and
// in two, and every operation that needs all of their operands.
//
// A meeting begins with the first thread that comes and is known by the key of
// its part. The last one does the operation for all of them. A token names the
// meeting that its barrier began.
#include "interp/machine.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_MEETINGS = 1 << 20 };

// Tokens of groups have this bit, those of mbarriers don't.
#define GROUP_TOKEN (UINT64_C(1) << 63)

// ---------------------------------------------------------------- meetings

static Meeting *meeting_number(const Machine *m, uint32_t number) {
  return m->meetings.data[number];
}

static uint32_t meet_number_of(Machine *m) {
  if (m->free_meetings.count)
    return VEC_POP(&m->free_meetings);
  Meeting *made = ARENA_NEW(m->gang_arena, Meeting);
  VEC_PUSH(m->gang_arena, &m->meetings, made);
  return m->meetings.count - 1;
}

static void meet_make_room(Machine *m, Meeting *meeting) {
  if (meeting->size > meeting->thread_room) {
    meeting->thread_room = meeting->size;
    meeting->threads = ARENA_ARRAY(m->gang_arena, Thread *, meeting->size);
  }
  uint64_t n_values = (uint64_t)meeting->size * meeting->n_slots;
  if (n_values > meeting->value_room) {
    meeting->value_room = (uint32_t)n_values;
    meeting->values = ARENA_ARRAY(m->gang_arena, uint64_t, n_values);
  }
  memset(meeting->threads, 0, meeting->size * sizeof *meeting->threads);
}

// Slots of all operands of one thread.
static uint32_t operand_slots(const Machine *m, const IrNode *node) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < node->n_args; i++)
    count += program_layout(m->program, node->args[i]->type)->n_slots;
  return count;
}

static Meeting *meet_begin(Machine *m, const Insn *insn, const IrGroup *group,
                           const GroupContext *context) {
  uint32_t number = meet_number_of(m);
  Meeting *meeting = meeting_number(m, number);
  meeting->insn = insn;
  meeting->group = group;
  meeting->key = context->key;
  meeting->size = (uint32_t)context->size;
  meeting->n_arrived = meeting->n_left = 0;
  meeting->number = number;
  meeting->serial++;
  meeting->is_complete = false;
  meeting->n_slots = operand_slots(m, insn->node);
  meet_make_room(m, meeting);
  map_put(m->gang_arena, &m->open_meetings, context->key, meeting);
  return meeting;
}

static void meet_release(Machine *m, Meeting *meeting) {
  meeting->insn = NULL;
  VEC_PUSH(m->gang_arena, &m->free_meetings, meeting->number);
}

// ---------------------------------------------------------------- arrivals

static bool at_different_places(Machine *m, const Thread *t, const Insn *insn,
                                const Meeting *meeting) {
  return machine_trap(
      m, t, insn->node, FAULT_CODE_OTHER_PLACE,
      &(FaultArgs){.name = meeting->group->name, .place = meeting->insn->node});
}

static void meet_keep_operands(Machine *m, const Thread *t, const Insn *insn,
                               Meeting *meeting, uint32_t rank) {
  uint64_t *to = meeting->values + (size_t)rank * meeting->n_slots;
  for (uint32_t i = 0; i < insn->node->n_args; i++) {
    uint32_t count =
        program_layout(m->program, insn->node->args[i]->type)->n_slots;
    memcpy(to, machine_operand(m, t, insn, i), count * sizeof *to);
    to += count;
  }
}

// The parent comes together for a labeled partition.
static const IrGroup *meeting_group(const Machine *m, const IrNode *node) {
  const IrGroup *group = ir_op_group(m->launch->kernel, node);
  return node->op == IR_MAKE_GROUP ? group->parent : group;
}

// NULL after a fault.
static Meeting *come(Machine *m, Thread *t, const Insn *insn) {
  const IrGroup *group = meeting_group(m, insn->node);
  GroupContext context = group_context(m, t, group);
  Meeting *meeting = map_get(&m->open_meetings, context.key);
  if (!meeting && m->meetings.count - m->free_meetings.count >= MOST_MEETINGS) {
    machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                  "too many tokens that no thread waits for");
    return NULL;
  }
  if (!meeting)
    meeting = meet_begin(m, insn, group, &context);
  uint32_t rank = (uint32_t)context.rank;
  if (meeting->insn->node != insn->node ||
      meeting->size != (uint32_t)context.size || rank >= meeting->size ||
      meeting->threads[rank]) {
    at_different_places(m, t, insn, meeting);
    return NULL;
  }
  meeting->threads[rank] = t;
  meet_keep_operands(m, t, insn, meeting, rank);
  meeting->n_arrived++;
  return meeting;
}

static void tell_half(const Machine *m, const Thread *t, const Meeting *meeting,
                      bool is_wait) {
  const InterpObserver *observer = m->observer;
  if (!observer)
    return;
  ObservedThread thread = machine_observed(m, t);
  if (is_wait && observer->wait)
    observer->wait(observer->context, &thread, meeting->number);
  if (!is_wait && observer->arrive)
    observer->arrive(observer->context, &thread, meeting->number,
                     meeting->n_arrived == 1);
}

// A barrier in one piece is complete, or a collective.
static void meet_tell_meeting(Machine *m, const Meeting *meeting) {
  const InterpObserver *observer = m->observer;
  const IrNode *node = meeting->insn->node;
  if (!observer ||
      !(ir_is_barrier(node->op) ? observer->sync != NULL
                                : observer->meet && ir_is_collective(node)))
    return;
  if (meeting->size > m->observed_room) {
    m->observed_room = meeting->size;
    m->observed = ARENA_ARRAY(m->gang_arena, ObservedThread, meeting->size);
  }
  for (uint32_t i = 0; i < meeting->size; i++)
    m->observed[i] = machine_observed(m, meeting->threads[i]);
  if (ir_is_barrier(node->op))
    observer->sync(observer->context, node, m->observed, meeting->size);
  else
    observer->meet(observer->context, m->observed, meeting->size);
}

static void wake_all(const Machine *m, const Meeting *meeting) {
  for (uint32_t i = 0; i < meeting->size; i++)
    if (meeting->threads[i]->state == THREAD_WAITS &&
        meeting->threads[i]->meeting == meeting) {
      if (meeting->threads[i]->node->op == IR_WAIT)
        tell_half(m, meeting->threads[i], meeting, true);
      meeting->threads[i]->state = THREAD_READY;
      meeting->threads[i] = NULL; // has used its token, too
    }
}

static bool meet_finish(Machine *m, Thread *t, Meeting *meeting) {
  map_put(m->gang_arena, &m->open_meetings, meeting->key, NULL);
  meeting->is_complete = true;
  m->n_writes++;
  meet_tell_meeting(m, meeting);
  if (!collective_finish(m, t, meeting))
    return false;
  wake_all(m, meeting);
  return true;
}

static void meet_wait_for(Thread *t, const Insn *insn, Meeting *meeting) {
  t->state = THREAD_WAITS;
  t->wait = WAIT_MEETING;
  t->meeting = meeting;
  t->insn = insn;
  t->node = insn->node;
}

bool meet(Machine *m, Thread *t, const Insn *insn) {
  Meeting *meeting = come(m, t, insn);
  if (!meeting)
    return false;
  if (meeting->n_arrived < meeting->size) {
    meet_wait_for(t, insn, meeting);
    return true;
  }
  bool is_good = meet_finish(m, t, meeting);
  meet_release(m, meeting);
  return is_good;
}

// ----------------------------------------------------------- split barriers

bool meet_arrive(Machine *m, Thread *t, const Insn *insn) {
  Meeting *meeting = come(m, t, insn);
  if (!meeting)
    return false;
  t->frame[insn->dst] = GROUP_TOKEN |
                        (uint64_t)(meeting->serial & INT32_MAX) << 32 |
                        meeting->number;
  tell_half(m, t, meeting, false);
  return meeting->n_arrived < meeting->size || meet_finish(m, t, meeting);
}

static Meeting *meeting_of(const Machine *m, const Thread *t,
                           const Insn *insn) {
  uint64_t token = *machine_operand(m, t, insn, 0);
  uint32_t number = (uint32_t)token;
  if (!(token & GROUP_TOKEN) || number >= m->meetings.count)
    return NULL;
  Meeting *meeting = meeting_number(m, number);
  bool is_valid = meeting->insn &&
                  (meeting->serial & INT32_MAX) == (token >> 32 & INT32_MAX);
  return is_valid && meeting->group == insn->node->u.group.group ? meeting
                                                                 : NULL;
}

bool meet_wait(Machine *m, Thread *t, const Insn *insn) {
  Meeting *meeting = meeting_of(m, t, insn);
  GroupContext context = group_context(m, t, insn->node->u.group.group);
  uint32_t rank = (uint32_t)context.rank;
  if (!meeting || rank >= meeting->size || meeting->threads[rank] != t)
    return machine_trap(m, t, insn->node, FAULT_CODE_MEETING_TOKEN,
                        &(FaultArgs){.name = insn->node->u.group.group->name});
  if (!meeting->is_complete) {
    meet_wait_for(t, insn, meeting);
    meeting->n_left++;
    return true;
  }
  tell_half(m, t, meeting, true);
  meeting->threads[rank] = NULL;
  if (++meeting->n_left == meeting->size)
    meet_release(m, meeting);
  return true;
}
