// SPDX-License-Identifier: Apache-2.0
// coalesced_threads(): the threads of a warp that get to the statement in the
// same turn of every loop around it.
//
// Threads run one by one here, so those that came wait for the others of their
// warp until each has come, too, or is past the statement in this turn.
// Instructions lie in program order, so that the places of two threads are
// compared by their turns of the common loops, from outside in, and then by
// the number of the instruction.
#include "interp/machine.h"

typedef struct {
  const Machine *m;
  const Thread *t; // that waits
  const IrNode *node;
  uint32_t at; // the instruction
} Gathering;

// ---------------------------------------------------------------- who may

static bool may_join(const Gathering *g, const Thread *u, const IrGroup *group);

// Rank of the other thread in a group that the waiting one is in; false where
// it isn't known before it gets there.
static bool rank_in(const Gathering *g, const Thread *u, const IrGroup *group,
                    int64_t *out) {
  const GroupContext *own = &g->t->groups[group->id];
  int64_t rank;
  switch ((int)group->kind) {
  case GROUP_BLOCK: *out = u->rank; return true;
  case GROUP_WARP: *out = u->rank % 32; return true;
  case GROUP_RANGE:
    if (!rank_in(g, u, group->parent, &rank))
      return false;
    *out = rank - own->begin;
    return true;
  case GROUP_SPLIT:
    if (!rank_in(g, u, group->parent, &rank) || own->size < 1)
      return false;
    *out = rank % own->size;
    return true;
  default: return false;
  }
}

static bool may_join(const Gathering *g, const Thread *u,
                     const IrGroup *group) {
  const GroupContext *own = &g->t->groups[group->id];
  int64_t rank;
  if (group->size == 1)
    return u == g->t;
  if ((group->kind != GROUP_RANGE && group->kind != GROUP_SPLIT) ||
      own->size < 1)
    return true;
  if (!may_join(g, u, group->parent))
    return false;
  if (!rank_in(g, u, group->parent, &rank))
    return true;
  if (group->kind == GROUP_RANGE)
    return rank >= own->begin && rank < (int64_t)own->begin + own->size;
  return rank / own->size == own->meta_rank;
}

// ------------------------------------------------------------------ places

typedef enum { IS_BEFORE, IS_THERE, IS_PAST } Where;

static Where by_instruction(uint32_t pc, uint32_t at) {
  return pc <= at ? IS_BEFORE : IS_PAST;
}

// Where the other thread is, seen from the statement in this turn.
static Where where_is(const Gathering *g, const Thread *u) {
  const Program *program = g->m->program;
  const CountedLoop *chain[IR_MAX_DEPTH + 1] = {NULL};
  uint32_t n = 0;
  for (const IrNode *node = g->node->region->owner; node;
       node = node->region->owner)
    if (program->loop_of[node->id])
      chain[n++] = &program->loops.data[program->loop_of[node->id] - 1];
  for (uint32_t i = n; i > 0; i--) { // outermost first
    const CountedLoop *loop = chain[i - 1];
    if (u->pc <= loop->begin)
      return IS_BEFORE;
    if (u->pc >= loop->end)
      return IS_PAST;
    uint64_t theirs = u->frame[loop->slot], ours = g->t->frame[loop->slot];
    if (theirs != ours)
      return theirs < ours ? IS_BEFORE : IS_PAST;
  }
  bool is_there = u->state == THREAD_WAITS && u->wait == WAIT_COALESCED &&
                  u->insn == g->t->insn;
  return is_there ? IS_THERE : by_instruction(u->pc, g->at);
}

// --------------------------------------------------------------- gathering

static Thread *warp_thread(const Machine *m, const Thread *t, uint32_t lane) {
  uint32_t rank = t->rank / 32 * 32 + lane;
  size_t block = (size_t)(t->block - m->blocks);
  return rank < m->launch->n_threads
             ? &m->threads[block * m->launch->n_threads + rank]
             : NULL;
}

// The lanes that are there; false while others may still come.
static bool coalesce_gather(const Gathering *g, uint32_t *lanes) {
  const IrGroup *current = ir_node_group(g->m->launch->kernel, g->node);
  *lanes = 0;
  for (uint32_t lane = 0; lane < 32; lane++) {
    const Thread *u = warp_thread(g->m, g->t, lane);
    if (!u || u->state == THREAD_DONE ||
        (u != g->t && !may_join(g, u, current)))
      continue;
    Where where = u == g->t ? IS_THERE : where_is(g, u);
    if (where == IS_BEFORE)
      return false;
    if (where == IS_THERE)
      *lanes |= UINT32_C(1) << lane;
  }
  return true;
}

static void give_contexts(Machine *m, const Gathering *g, uint32_t lanes) {
  const IrGroup *group = g->node->u.group.group;
  const Thread *t = g->t;
  uint64_t key = machine_mix(group_context(m, t, group->parent).key, lanes);
  key = machine_mix(key, group->id);
  int32_t rank = 0, size = __builtin_popcount(lanes);
  for (uint32_t lane = 0; lane < 32; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    Thread *u = warp_thread(m, t, lane);
    u->groups[group->id] =
        (GroupContext){.rank = rank, .size = size, .meta_size = 1, .key = key};
    rank++;
    u->state = THREAD_READY;
  }
}

bool group_coalesced_poll(Machine *m, Thread *t) {
  Gathering g = {.m = m, .t = t, .node = t->insn->node};
  g.at = (uint32_t)(t->insn - m->program->code.data);
  uint32_t lanes;
  if (!coalesce_gather(&g, &lanes))
    return false;
  m->n_writes++;
  give_contexts(m, &g, lanes);
  return true;
}

bool group_make_coalesced(Machine *m, Thread *t, const Insn *insn) {
  t->state = THREAD_WAITS;
  t->wait = WAIT_COALESCED;
  t->insn = insn;
  t->node = insn->node;
  (void)group_coalesced_poll(m, t);
  return true;
}
