// SPDX-License-Identifier: Apache-2.0
// mbarriers: a phase is completed when all arrivals that the type counts were
// made and all bytes that were expected have landed.
#include "base/panic.h"
#include "interp/eval.h"
#include "interp/machine.h"
#include <inttypes.h>

static uint32_t mbarrier_number_of(const Machine *m, const Mbarrier *barrier) {
  return (uint32_t)(barrier - m->mbarriers);
}

static void complete_if_due(Machine *m, const IrNode *node, Mbarrier *barrier) {
  const InterpObserver *observer = m->observer;
  if (barrier->pending > 0 || barrier->bytes != 0)
    return;
  if (observer && observer->mbarrier_phase)
    observer->mbarrier_phase(observer->context, node,
                             mbarrier_number_of(m, barrier), barrier->phase);
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
      (void)machine_trap(m, t, insn->node, FAULT_CODE_BARRIER_INDEX,
                         &(FaultArgs){.name = object->name,
                                      .numbers = {index, place->extents[i]}});
      return NULL;
    }
    element += index * place->strides[i];
  }
  if (object->is_cluster_shared)
    block -= block->in_cluster;
  uint32_t instance =
      context.instance < place->n_instances ? context.instance : 0;
  Mbarrier *barrier =
      &block->mbarriers[place->first_mbarrier + instance * place->size_bytes +
                        (uint64_t)element];
  return m->ahead ? ahead_mbarrier(m, t, insn->node, barrier) : barrier;
}

bool mbarrier_arrive(Machine *m, const Thread *t, const IrNode *node,
                     Mbarrier *barrier, uint32_t count) {
  if (count < 1 || count > barrier->pending)
    return machine_trap(
        m, t, node, FAULT_CODE_ARRIVALS,
        &(FaultArgs){
            .name = barrier->object->name,
            .numbers = {count, barrier->element, (int64_t)barrier->phase,
                        barrier->count - barrier->pending, barrier->count}});
  barrier->pending -= count;
  barrier->last = node;
  complete_if_due(m, node, barrier);
  return true;
}

void mbarrier_bytes(Machine *m, const IrNode *node, Mbarrier *barrier,
                    int64_t landed) {
  barrier->bytes -= landed;
  complete_if_due(m, node, barrier);
}

// An arrival of the thread itself: what it did comes before the phase's end.
// With `drops`, later phases expect it no more.
static bool interp_mbarrier_arrive(Machine *m, const Thread *t,
                                   const IrNode *node, Mbarrier *barrier,
                                   uint32_t count, bool drops) {
  const InterpObserver *observer = m->observer;
  if (observer && observer->mbarrier_arrive && count >= 1 &&
      count <= barrier->pending) {
    ObservedThread thread = machine_observed(m, t);
    observer->mbarrier_arrive(observer->context, &thread,
                              mbarrier_number_of(m, barrier), count);
  }
  if (drops && count >= 1 && count <= barrier->pending)
    barrier->count -= count;
  return mbarrier_arrive(m, t, node, barrier, count);
}

static bool mbarrier_expect(Machine *m, const Thread *t, const Insn *insn,
                            Mbarrier *barrier, uint64_t operand) {
  int32_t bytes = (int32_t)operand;
  if (bytes < 0)
    return machine_trap(m, t, insn->node, FAULT_CODE_EXPECTED,
                        &(FaultArgs){.numbers = {bytes}});
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
  return barrier && interp_mbarrier_arrive(m, t, insn->node, barrier, 1, false);
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
    if (!barrier || !mbarrier_expect(m, t, insn, barrier, bytes) ||
        !interp_mbarrier_arrive(m, t, insn->node, barrier, 1, false))
      return false;
  }
  return true;
}

// ------------------------------------------------------------------- waits

// A wait for a parity begins.
static void mbarrier_tell_wait(const Machine *m, const Thread *t,
                               const IrNode *node, const Mbarrier *barrier,
                               uint64_t parity) {
  const InterpObserver *observer = m->observer;
  if (!observer || !observer->mbarrier_wait)
    return;
  ObservedThread thread = machine_observed(m, t);
  observer->mbarrier_wait(observer->context, &thread, node,
                          mbarrier_number_of(m, barrier), (uint32_t)parity & 1,
                          barrier->phase);
}

// What the thread waited for has come.
static bool tell_waited(const Machine *m, const Thread *t) {
  const InterpObserver *observer = m->observer;
  if (!observer)
    return true;
  ObservedThread thread = machine_observed(m, t);
  uint32_t number = mbarrier_number_of(m, t->mbarrier);
  if (t->node->op == IR_MBAR_WAIT_TOKEN || t->node->op == IR_MBAR_TEST_TOKEN) {
    if (observer->mbarrier_token)
      observer->mbarrier_token(observer->context, &thread, number,
                               t->phase - 1);
  } else if (observer->mbarrier_waited) {
    observer->mbarrier_waited(observer->context, &thread, number);
  }
  return true;
}

bool mbarrier_is_done(Machine *m, const Thread *t) {
  if (m->ahead)
    return true;
  if (t->mbarrier->phase >= t->phase)
    return tell_waited(m, t);
  return copy_land_for(m, t->mbarrier) && t->mbarrier->phase >= t->phase &&
         tell_waited(m, t);
}

// Until `phase` phases are completed.
static bool mbarrier_wait_for(Machine *m, Thread *t, const Insn *insn,
                              Mbarrier *barrier, uint64_t phase) {
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
static uint64_t mbarrier_phase_of_parity(const Mbarrier *barrier,
                                         uint64_t parity) {
  return (barrier->phase & 1) == (parity & 1) ? barrier->phase + 1
                                              : barrier->phase;
}

static bool mbarrier_is_token(Machine *m, const Thread *t, const Insn *insn,
                              const Mbarrier *barrier, uint64_t token) {
  return (token != 0 && token <= barrier->phase + 1) ||
         machine_trap(m, t, insn->node, FAULT_CODE_TOKEN,
                      &(FaultArgs){.name = barrier->object->name,
                                   .numbers = {barrier->element}});
}

static bool mbarrier_test(Machine *m, Thread *t, const Insn *insn,
                          Mbarrier *barrier, uint64_t operand) {
  bool by_token = insn->op == IR_MBAR_TEST_TOKEN;
  if (by_token && !mbarrier_is_token(m, t, insn, barrier, operand))
    return false;
  uint64_t phase =
      by_token ? operand : mbarrier_phase_of_parity(barrier, operand);
  if (barrier->phase < phase && !copy_land_for(m, barrier))
    return false;
  bool is_done = barrier->phase >= phase || m->ahead;
  t->frame[insn->dst] = is_done;
  t->did_poll = true;
  if (is_done && m->observer) {
    if (!by_token)
      mbarrier_tell_wait(m, t, insn->node, barrier, operand);
    t->mbarrier = barrier;
    t->phase = phase;
    t->node = insn->node;
    tell_waited(m, t);
  }
  return true;
}

// A token is the number of phases that are complete when its own is.
bool mbarrier_operation(Machine *m, Thread *t, const Insn *insn) {
  const IrObject *object = insn->node->u.barrier.object;
  uint64_t operand = insn->op == IR_MBAR_TENSOR
                         ? 0
                         : *machine_operand(m, t, insn, object->rank);
  if (insn->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST)
    return meet(m, t, insn);
  if (insn->op == IR_MBAR_ARRIVE_REMOTE)
    return arrive_remote(m, t, insn, operand);
  Mbarrier *barrier = mbarrier_at(m, t, insn, object, 0, t->block);
  if (!barrier)
    return false;
  uint64_t token = barrier->phase + 1;
  switch (ir_mbarrier_op(insn->node->op)) {
  case IR_MBAR_ARRIVE:
  case IR_MBAR_ARRIVE_DROP:
    t->frame[insn->dst] = token;
    return interp_mbarrier_arrive(m, t, insn->node, barrier, (uint32_t)operand,
                                  insn->op == IR_MBAR_ARRIVE_DROP);
  case IR_MBAR_TENSOR:
    matrix_ask_arrival(m, t, insn->node, barrier);
    return true;
  case IR_MBAR_EXPECT: return mbarrier_expect(m, t, insn, barrier, operand);
  case IR_MBAR_ARRIVE_EXPECT:
    t->frame[insn->dst] = token;
    return mbarrier_expect(m, t, insn, barrier, operand) &&
           interp_mbarrier_arrive(m, t, insn->node, barrier, 1, false);
  case IR_MBAR_WAIT:
    mbarrier_tell_wait(m, t, insn->node, barrier, operand);
    return mbarrier_wait_for(m, t, insn, barrier,
                             mbarrier_phase_of_parity(barrier, operand));
  case IR_MBAR_WAIT_TOKEN:
    return mbarrier_is_token(m, t, insn, barrier, operand) &&
           mbarrier_wait_for(m, t, insn, barrier, operand);
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN: return mbarrier_test(m, t, insn, barrier, operand);
  case IR_MBAR_INIT: // flatten_node
  case IR_MBAR_ARRIVE_REMOTE:
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST: break;
  }
  HD_PANIC("'%s' is not an instruction", ir_op_info(insn->node)->text);
}
