// SPDX-License-Identifier: Apache-2.0
// mbarriers: a phase is completed when all arrivals that the type counts were
// made and all bytes that were expected have landed.
#include "interp/eval.h"
#include "interp/machine.h"
#include <inttypes.h>

static void complete_if_due(Machine *m, Mbarrier *barrier) {
  if (barrier->pending > 0 || barrier->bytes != 0)
    return;
  barrier->phase++;
  barrier->pending = barrier->count;
  m->n_writes++;
}

Mbarrier *mbarrier_at(Machine *m, const Thread *t, const Insn *insn,
                      const IrObject *object, uint32_t first,
                      const Block *block) {
  const ObjectPlace *place = launch_place(m->launch, object);
  GroupContext context = group_context(m, t, object->group);
  int64_t element = 0;
  for (uint32_t i = 0; i < object->rank; i++) {
    uint32_t bits = ir_type_bits(insn->node->args[first + i]->type);
    int64_t index = eval_signed(*machine_operand(m, t, insn, first + i), bits);
    if (index < 0 || index >= place->extents[i]) {
      machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                    "index %" PRId64 " is outside '%s', which has %" PRId64
                    " barriers",
                    index, object->name, place->extents[i]);
      return NULL;
    }
    element += index * place->strides[i];
  }
  if (object->is_cluster_shared)
    block -= block->in_cluster;
  uint32_t instance =
      context.instance < place->n_instances ? context.instance : 0;
  return &block->mbarriers[place->first_mbarrier +
                           instance * place->size_bytes + (uint64_t)element];
}

bool mbarrier_arrive(Machine *m, const Thread *t, const IrNode *node,
                     Mbarrier *barrier, uint32_t count) {
  if (count < 1 || count > barrier->pending)
    return machine_fault(
        m, t, node, HD_ERROR_TRAP,
        "%u arrivals on '%s[%u]': phase %" PRIu64 " has seen %u of %u", count,
        barrier->object->name, barrier->element, barrier->phase,
        barrier->count - barrier->pending, barrier->count);
  barrier->pending -= count;
  complete_if_due(m, barrier);
  return true;
}

void mbarrier_bytes(Machine *m, Mbarrier *barrier, int64_t landed) {
  barrier->bytes -= landed;
  complete_if_due(m, barrier);
}

static bool expect(Machine *m, const Thread *t, const Insn *insn,
                   Mbarrier *barrier, uint64_t operand) {
  int32_t bytes = (int32_t)operand;
  if (bytes < 0)
    return machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                         "%" PRId32 " bytes can't be expected", bytes);
  barrier->bytes += bytes;
  return true;
}

static bool arrive_remote(Machine *m, Thread *t, const Insn *insn,
                          uint64_t rank) {
  const IrObject *object = insn->node->u.barrier.object;
  const Block *block = machine_cluster_block(m, t, insn, rank);
  if (!block)
    return false;
  Mbarrier *barrier = mbarrier_at(m, t, insn, object, 0, block);
  return barrier && mbarrier_arrive(m, t, insn->node, barrier, 1);
}

bool mbarrier_multicast(Machine *m, Thread *t, const Insn *insn) {
  const IrObject *object = insn->node->u.barrier.object;
  uint64_t bytes = *machine_operand(m, t, insn, object->rank);
  uint32_t mask = (uint32_t)*machine_operand(m, t, insn, object->rank + 1u);
  for (uint32_t rank = 0; rank < 32; rank++) {
    if (!(mask >> rank & 1))
      continue;
    const Block *block = machine_cluster_block(m, t, insn, rank);
    Mbarrier *barrier =
        block ? mbarrier_at(m, t, insn, object, 0, block) : NULL;
    if (!barrier || !expect(m, t, insn, barrier, bytes) ||
        !mbarrier_arrive(m, t, insn->node, barrier, 1))
      return false;
  }
  return true;
}

// ------------------------------------------------------------------- waits

bool mbarrier_is_done(Machine *m, const Thread *t) {
  if (t->mbarrier->phase >= t->phase)
    return true;
  return copy_land_for(m, t->mbarrier) && t->mbarrier->phase >= t->phase;
}

// Until `phase` phases are completed.
static bool wait_for(Machine *m, Thread *t, const Insn *insn, Mbarrier *barrier,
                     uint64_t phase) {
  t->mbarrier = barrier;
  t->phase = phase;
  t->insn = insn;
  t->node = insn->node;
  if (!mbarrier_is_done(m, t)) {
    t->state = THREAD_WAITS;
    t->wait = WAIT_MBARRIER;
  }
  return m->status == HD_OK;
}

// The phase whose completion a parity means: the current one, or the one
// before it, which is complete.
static uint64_t phase_of_parity(const Mbarrier *barrier, uint64_t parity) {
  return (barrier->phase & 1) == (parity & 1) ? barrier->phase + 1
                                              : barrier->phase;
}

static bool wait_token(Machine *m, Thread *t, const Insn *insn,
                       Mbarrier *barrier, uint64_t token) {
  if (token == 0 || token > barrier->phase + 1)
    return machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                         "the token is of no arrival on '%s[%u]'",
                         barrier->object->name, barrier->element);
  return wait_for(m, t, insn, barrier, token);
}

static bool test(Machine *m, Thread *t, const Insn *insn, Mbarrier *barrier,
                 uint64_t parity) {
  uint64_t phase = phase_of_parity(barrier, parity);
  if (barrier->phase < phase && !copy_land_for(m, barrier))
    return false;
  t->frame[insn->dst] = barrier->phase >= phase;
  t->did_poll = true;
  return true;
}

// A token is the number of phases that are complete when its own is.
bool mbarrier_operation(Machine *m, Thread *t, const Insn *insn) {
  const IrObject *object = insn->node->u.barrier.object;
  uint64_t operand = *machine_operand(m, t, insn, object->rank);
  if (insn->op == IR_MBAR_ARRIVE_REMOTE)
    return arrive_remote(m, t, insn, operand);
  Mbarrier *barrier = mbarrier_at(m, t, insn, object, 0, t->block);
  if (!barrier)
    return false;
  uint64_t token = barrier->phase + 1;
  switch ((int)insn->op) {
  case IR_MBAR_ARRIVE:
    t->frame[insn->dst] = token;
    return mbarrier_arrive(m, t, insn->node, barrier, (uint32_t)operand);
  case IR_MBAR_EXPECT: return expect(m, t, insn, barrier, operand);
  case IR_MBAR_ARRIVE_EXPECT:
    t->frame[insn->dst] = token;
    return expect(m, t, insn, barrier, operand) &&
           mbarrier_arrive(m, t, insn->node, barrier, 1);
  case IR_MBAR_WAIT:
    return wait_for(m, t, insn, barrier, phase_of_parity(barrier, operand));
  case IR_MBAR_WAIT_TOKEN: return wait_token(m, t, insn, barrier, operand);
  default: return test(m, t, insn, barrier, operand);
  }
}
