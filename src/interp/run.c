// SPDX-License-Identifier: Apache-2.0
// Running one thread for a slice.
#include "base/panic.h"
#include "interp/eval.h"
#include "interp/tile.h"
#include <string.h>

// Long enough to be fast, short enough that threads that wait for each other
// in loops go on soon.
enum { SLICE_STEPS = 512 };

// ----------------------------------------------------------------- loops

static bool for_is_done(const IrNode *node, uint64_t value, uint64_t hi) {
  uint32_t bits = ir_type_bits(node->args[0]->type);
  if (node->u.loop.is_inclusive && value == hi)
    return false;
  bool is_below = value < hi;
  if (node->u.loop.is_signed)
    is_below = eval_signed(value, bits) < eval_signed(hi, bits);
  if (value == hi)
    return true;
  return node->u.loop.step > 0 ? !is_below : is_below;
}

static void for_step(Thread *t, const Insn *insn) {
  uint32_t bits = ir_type_bits(insn->node->args[0]->type);
  uint64_t value = t->frame[insn->dst] + (uint64_t)insn->node->u.loop.step;
  t->frame[insn->dst] = value & eval_mask(bits);
}

static void stride_step(Machine *m, Thread *t, const Insn *insn) {
  GroupContext outer = group_context(m, t, insn->node->u.part.parent);
  t->frame[insn->extra] += (uint64_t)outer.size;
}

static void stride_start(Machine *m, Thread *t, const Insn *insn) {
  GroupContext outer = group_context(m, t, insn->node->u.part.parent);
  t->frame[insn->extra] = (uint64_t)outer.rank;
}

// -------------------------------------------------------------- position

static int64_t grid_position(const Machine *m, const Thread *t, IrOp op) {
  int64_t n_threads = m->launch->n_threads;
  const int32_t *grid = m->launch->grid;
  if (op == IR_SIZE)
    return (int64_t)grid[0] * grid[1] * grid[2] * n_threads;
  return op == IR_RANK ? t->block->linear * n_threads + t->rank : 0;
}

static uint64_t run_position(const Machine *m, const Thread *t,
                             const Insn *insn) {
  const IrGroup *group = insn->node->u.group.group;
  IrOp op = insn->node->op;
  if (group->kind == GROUP_GRID && (op == IR_RANK || op == IR_SIZE))
    return (uint64_t)grid_position(m, t, op);
  GroupContext context = group_context(m, t, group);
  if (op == IR_RANK)
    return (uint32_t)context.rank;
  if (op == IR_SIZE)
    return (uint32_t)context.size;
  return (uint32_t)(op == IR_META_RANK ? context.meta_rank : context.meta_size);
}

static uint64_t thread_index(const Machine *m, const Thread *t,
                             uint32_t dimension) {
  const int32_t *dim = m->launch->kernel->block_dim;
  uint32_t x = (uint32_t)dim[0], y = (uint32_t)dim[1];
  if (dimension == 0)
    return t->rank % x;
  return dimension == 1 ? t->rank / x % y : t->rank / x / y;
}

// Both ends more often than others: what goes wrong does so there.
static uint64_t run_choose(const Machine *m, const Thread *t,
                           const Insn *insn) {
  const IrGroup *group = insn->node->u.group.group;
  uint64_t low = *machine_operand(m, t, insn, 0);
  uint64_t n = *machine_operand(m, t, insn, 1) - low;
  uint64_t random = machine_mix(m->launch->given->seed, insn->node->id);
  if (group->kind == GROUP_THREAD)
    random = machine_mix(random ^ t->rank, m->n_steps);
  else if (group->kind != GROUP_GRID)
    random = machine_mix(random, group_context(m, t, group).key);
  if (n == 0 || random % 4 == 0)
    return low;
  return random % 4 == 1 ? low + n - 1 : low + random / 4 % n;
}

// ------------------------------------------------------------- run time

static bool assertion(Machine *m, Thread *t, const Insn *insn) {
  if (*machine_operand(m, t, insn, 0))
    return true;
  const char *text = insn->node->u.text.text;
  FaultArgs args = {.name = text};
  if (insn->node->flags & NODE_INSIDE)
    return machine_trap(m, t, insn->node, FAULT_CODE_PART, &args);
  if (insn->node->n_args == 1)
    return machine_trap(m, t, insn->node, FAULT_CODE_ASSERTION, &args);
  args.n_index = (uint8_t)(insn->node->n_args - 1);
  for (uint32_t i = 0; i < args.n_index; i++)
    args.index[i] = (int32_t)*machine_operand(m, t, insn, i + 1);
  return machine_trap(m, t, insn->node, FAULT_CODE_ELEMENT_ASSERTION, &args);
}

static bool run_inside(Machine *m, Thread *t, const Insn *insn) {
  int64_t first = (int64_t)*machine_operand(m, t, insn, 0);
  int64_t count = (int64_t)*machine_operand(m, t, insn, 1);
  int64_t extent = (int64_t)*machine_operand(m, t, insn, 2);
  if (first >= 0 && count >= 0 && first <= extent && count <= extent - first)
    return true;
  FaultArgs args = {.name = insn->node->u.text.text,
                    .numbers = {first, count, extent}};
  bool is_element = insn->node->flags & NODE_INSIDE;
  return machine_trap(m, t, insn->node,
                      is_element ? FAULT_CODE_ELEMENT : FAULT_CODE_VIEW_LEAVES,
                      &args);
}

static bool run_check_value(Machine *m, Thread *t, const Insn *insn) {
  if (*machine_operand(m, t, insn, 0))
    return true;
  return machine_trap(m, t, insn->node, FAULT_CODE_NO_VALUE,
                      &(FaultArgs){.name = insn->node->u.text.text});
}

static bool join_or_sync(Machine *m, Thread *t, const Insn *insn) {
  IrJoin join = insn->node->u.group.join;
  if (join == JOIN_DROPPED_SAME_OWNER || join == JOIN_DROPPED_DISJOINT)
    return true;
  return meet(m, t, insn);
}

static void run_copy(Machine *m, Thread *t, const Insn *insn, uint32_t index) {
  const uint64_t *from = machine_operand(m, t, insn, index);
  if (insn->n_slots == 1)
    t->frame[insn->dst] = *from;
  else
    memmove(&t->frame[insn->dst], from, insn->n_slots * sizeof *from);
}

// ------------------------------------------------------------- observers

// Signed arithmetic that the program promises not to go over does.
static bool run_overflows(const Insn *insn, uint64_t a, uint64_t b) {
  uint32_t bits = ir_type_bits(ir_scalar((IrTypeKind)insn->to_kind));
  int64_t x = eval_signed(a, bits), y = eval_signed(b, bits), result = 0;
  bool is_over = false;
  switch ((int)insn->op) {
  case IR_ADD: is_over = __builtin_add_overflow(x, y, &result); break;
  case IR_SUB: is_over = __builtin_sub_overflow(x, y, &result); break;
  case IR_MUL: is_over = __builtin_mul_overflow(x, y, &result); break;
  case IR_NEG: is_over = __builtin_sub_overflow(0, x, &result); break;
  case IR_SHL:
    result = (int64_t)((uint64_t)x << (b % bits));
    is_over = result >> (b % bits) != x;
    break;
  default: return false;
  }
  return is_over ||
         eval_signed((uint64_t)result & eval_mask(bits), bits) != result;
}

static void tell_overflow(const Machine *m, const Thread *t, const Insn *insn,
                          uint64_t a, uint64_t b) {
  const InterpObserver *observer = m->observer;
  if (!(insn->node->flags & NODE_NO_SIGNED_WRAP) || !observer->overflow ||
      !ir_type_is_int(ir_scalar((IrTypeKind)insn->to_kind)) ||
      !run_overflows(insn, a, b))
    return;
  ObservedThread thread = machine_observed(m, t);
  observer->overflow(observer->context, &thread, insn->node);
}

// Mixes the turns of all loops from `node` outwards into the key. False: some
// are a thread's own.
static bool mix_turns(const Machine *m, const Thread *t, const IrNode *node,
                      uint64_t *key) {
  for (; node; node = node->region->owner) {
    uint32_t loop = m->program->loop_of[node->id];
    if (loop)
      *key = machine_mix(*key, t->frame[m->program->loops.data[loop - 1].slot]);
    else if (node->op == IR_THREAD_FOR && !node->u.part.is_split)
      return false;
  }
  return true;
}

static void tell_uniform(const Machine *m, const Thread *t, const Insn *insn) {
  const InterpObserver *observer = m->observer;
  if (!observer || !observer->uniform)
    return;
  ObservedThread thread = machine_observed(m, t);
  uint64_t key = group_context(m, t, insn->node->u.group.group).key;
  if (mix_turns(m, t, insn->node->region->owner, &key))
    observer->uniform(observer->context, &thread, insn->node, key,
                      machine_operand(m, t, insn, 0), insn->n_slots);
}

// A clause stands where an iteration of its loop begins.
static bool execution_of(const Machine *m, const Thread *t, const IrNode *node,
                         uint64_t *key) {
  const IrNode *owner = node->region->owner;
  *key = 0;
  if (node->u.index.number & CLAIM_NEST)
    return true;
  IrGroup *group = owner->op == IR_THREAD_FOR
                       ? owner->u.part.parent
                       : ir_node_group(m->launch->kernel, owner);
  *key =
      machine_mix(group_context(m, t, group).key, (uint64_t)t->block->linear);
  return mix_turns(m, t, owner->region->owner, key);
}

static void tell_claim(const Machine *m, const Thread *t, const Insn *insn) {
  enum { MOST = 2 * IR_MAX_RANK + 64 };

  const InterpObserver *observer = m->observer;
  const IrNode *node = insn->node;
  int64_t operands[MOST];
  uint64_t key;
  if (!observer || !observer->claim || node->n_args > MOST ||
      !execution_of(m, t, node, &key))
    return;
  for (uint32_t i = 0; i < node->n_args; i++)
    operands[i] = eval_signed(*machine_operand(m, t, insn, i),
                              ir_type_bits(node->args[i]->type));
  ObservedThread thread = machine_observed(m, t);
  observer->claim(observer->context, &thread, node, key, operands);
}

// Trusted: a run in which it is false says nothing.
static bool assumption(Machine *m, const Thread *t, const Insn *insn) {
  return !m->observer || *machine_operand(m, t, insn, 0) ||
         machine_trap(m, t, insn->node, FAULT_CODE_ASSUMED,
                      &(FaultArgs){.name = insn->node->u.text.text});
}

static bool run_fence(const Machine *m, const Thread *t, const IrNode *node) {
  const InterpObserver *observer = m->observer;
  if (!observer)
    return true;
  ObservedThread thread = machine_observed(m, t);
  if (node->op == IR_FENCE_ASYNC && observer->fence_async)
    observer->fence_async(observer->context, &thread);
  if (node->op == IR_FENCE && observer->fence)
    observer->fence(observer->context, &thread, node);
  return true;
}

static void tell_wide_shift(const Machine *m, const Thread *t, const Insn *insn,
                            uint64_t count) {
  const InterpObserver *observer = m->observer;
  bool is_shift =
      insn->op == IR_SHL || insn->op == IR_LSHR || insn->op == IR_ASHR;
  if (!is_shift || !observer->wide_shift ||
      count < ir_type_bits(ir_scalar((IrTypeKind)insn->to_kind)))
    return;
  ObservedThread thread = machine_observed(m, t);
  observer->wide_shift(observer->context, &thread, insn->node);
}

// ------------------------------------------------------------- scalars

uint64_t machine_scalar(const Machine *m, const Thread *t, const Insn *insn,
                        const uint64_t values[3]) {
  if (m->observer) {
    tell_overflow(m, t, insn, values[0], values[1]);
    tell_wide_shift(m, t, insn, values[1]);
  }
  return eval_scalar((IrOp)insn->op, (IrTypeKind)insn->kind,
                     (IrTypeKind)insn->to_kind, values[0], values[1],
                     values[2]);
}

static void scalar(Machine *m, Thread *t, const Insn *insn) {
  uint32_t n_args = insn->node->n_args;
  uint64_t values[3] = {0};
  for (uint32_t i = 0; i < n_args && i < 3; i++)
    values[i] = *machine_operand(m, t, insn, i);
  t->frame[insn->dst] = machine_scalar(m, t, insn, values);
}

static bool make_group(Machine *m, Thread *t, const Insn *insn) {
  t->frame[insn->dst] = 0;
  switch ((int)insn->node->u.group.group->kind) {
  case GROUP_TILED: return group_make_tiled(m, t, insn);
  case GROUP_LABELED: return meet(m, t, insn);
  default: return group_make_coalesced(m, t, insn);
  }
}

static bool value_operation(Machine *m, Thread *t, const Insn *insn) {
  switch (ir_value_op(insn->node->op)) {
  case IR_GET:
    memmove(&t->frame[insn->dst],
            &t->frame[m->program->var_slots[insn->node->u.variable.var]],
            insn->n_slots * sizeof *t->frame);
    return true;
  case IR_SELECT:
    run_copy(m, t, insn, *machine_operand(m, t, insn, 0) ? 1 : 2);
    return true;
  case IR_PACK: machine_pack(m, t, insn); return true;
  case IR_EXTRACT: machine_extract(m, t, insn); return true;
  case IR_INSERT: machine_insert(m, t, insn); return true;
  case IR_CONST:
  case IR_PARAM:
  case IR_EXTENT:
  case IR_STRIDE:
  case IR_SET: break; // flatten_node
  }
  HD_PANIC("'%s' is not an instruction", ir_op_info(insn->node)->text);
}

static bool position_operation(Machine *m, Thread *t, const Insn *insn) {
  uint64_t *out = &t->frame[insn->dst];
  uint32_t number = insn->node->u.index.number;
  switch (ir_position_op(insn->node->op)) {
  case IR_RANK:
  case IR_SIZE:
  case IR_META_RANK:
  case IR_META_SIZE: *out = run_position(m, t, insn); return true;
  case IR_BLOCK_INDEX: *out = (uint32_t)t->block->index[number]; return true;
  case IR_THREAD_INDEX: *out = thread_index(m, t, number); return true;
  case IR_MAKE_GROUP: return make_group(m, t, insn);
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: break; // flatten_node
  }
  HD_PANIC("'%s' is not an instruction", ir_op_info(insn->node)->text);
}

static bool memory_operation(Machine *m, Thread *t, const Insn *insn) {
  switch (ir_memory_op(insn->node->op)) {
  case IR_LOAD: return machine_load(m, t, insn);
  case IR_STORE: return machine_store(m, t, insn);
  case IR_RMW:
  case IR_CAS: return machine_rmw(m, t, insn);
  case IR_ADDRESS: return machine_address(m, t, insn);
  case IR_PTR_ADD:
  case IR_PTR_DIFF: break;
  case IR_MAP_SHARED: return machine_map_shared(m, t, insn);
  case IR_SHARED_RANK: return machine_shared_rank(m, t, insn);
  }
  scalar(m, t, insn);
  return true;
}

static bool sync_operation(Machine *m, Thread *t, const Insn *insn) {
  switch (ir_sync_op(insn->node->op)) {
  case IR_SYNC:
  case IR_JOIN: return join_or_sync(m, t, insn);
  case IR_ARRIVE: return meet_arrive(m, t, insn);
  case IR_WAIT: return meet_wait(m, t, insn);
  case IR_FENCE: // memory is always in order here
  case IR_FENCE_ASYNC: return run_fence(m, t, insn->node);
  case IR_SEMAPHORE_LOCK:
  case IR_SEMAPHORE_RELEASE: break;
  }
  return machine_semaphore(m, t, insn);
}

static bool claim_operation(Machine *m, Thread *t, const Insn *insn) {
  switch (ir_claim_op(insn->node->op)) {
  case IR_UNIFORM:
    tell_uniform(m, t, insn);
    run_copy(m, t, insn, 0);
    return true;
  case IR_ASSUME: return assumption(m, t, insn);
  case IR_CONSUMES:
  case IR_PRODUCES:
  case IR_PRESERVES:
  case IR_READS: tell_claim(m, t, insn); break;
  }
  return true;
}

static bool effect_operation(Machine *m, Thread *t, const Insn *insn) {
  uint64_t *out = &t->frame[insn->dst];
  switch (ir_effect_op(insn->node->op)) {
  case IR_PRINTF: machine_print(m, t, insn); break;
  case IR_TRAP:
    return machine_trap(m, t, insn->node, FAULT_CODE_TRAP, &(FaultArgs){0});
  case IR_ASSERT: return assertion(m, t, insn);
  case IR_INSIDE: return run_inside(m, t, insn);
  case IR_CHECK_VALUE: return run_check_value(m, t, insn);
  case IR_WAS_SET: *out = t->was_set; break;
  case IR_SET_IF:
    if (t->touched && !*machine_operand(m, t, insn, 0))
      machine_note_set(m, t->touched, t->touched_bytes, false);
    break;
  case IR_UNSET: machine_unset(m, t, insn->node->u.index.object); break;
  case IR_SET_MAX_REGS: break;
  case IR_CHECK_UNIFORM: break; // trusted
  case IR_CLOCK:
  case IR_GLOBALTIMER: *out = m->n_steps; break;
  case IR_UNKNOWN: memset(out, 0, insn->n_slots * sizeof *out); break;
  case IR_CHOICE: *out = run_choose(m, t, insn); break;
  }
  return true;
}

// False after a fault.
static bool run_operation(Machine *m, Thread *t, const Insn *insn) {
  if (insn->is_tile)
    return tile_operation(m, t, insn);
  switch (ir_family(insn->node)) {
  case FAMILY_VALUE: return value_operation(m, t, insn);
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_MATH: scalar(m, t, insn); return true;
  case FAMILY_CONVERT:
    if (insn->op == IR_BITCAST)
      machine_bitcast(m, t, insn);
    else
      scalar(m, t, insn);
    return true;
  case FAMILY_POSITION: return position_operation(m, t, insn);
  case FAMILY_MEMORY: return memory_operation(m, t, insn);
  case FAMILY_SYNC: return sync_operation(m, t, insn);
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE: return meet(m, t, insn);
  case FAMILY_MBARRIER: return mbarrier_operation(m, t, insn);
  case FAMILY_COPY: return copy_operation(m, t, insn);
  case FAMILY_CLAIM: return claim_operation(m, t, insn);
  case FAMILY_EFFECT: return effect_operation(m, t, insn);
  case FAMILY_CONTROL: // flatten_node
  case FAMILY_TILE:    // is_tile
  case FAMILY_COUNT: break;
  }
  HD_PANIC("'%s' is not an instruction", ir_op_info(insn->node)->text);
}

// --------------------------------------------------------------- control

static bool enter_group(Machine *m, Thread *t, const Insn *insn) {
  bool is_inside = false;
  if (!group_enter(m, t, insn, &is_inside))
    return false;
  if (!is_inside)
    t->pc = insn->target;
  return true;
}

// Executes `insn`, whose successor t->pc already is. False after a fault.
static bool run_step(Machine *m, Thread *t, const Insn *insn) {
  switch (insn->op) {
  case INSN_JUMP: t->pc = insn->target; return true;
  case INSN_BRANCH:
    if (!*machine_operand(m, t, insn, 0))
      t->pc = insn->target;
    return true;
  case INSN_COPY: run_copy(m, t, insn, 0); return true;
  case INSN_FOR_TEST:
    if (for_is_done(insn->node, t->frame[insn->dst],
                    *machine_operand(m, t, insn, 0)))
      t->pc = insn->target;
    return true;
  case INSN_FOR_STEP:
    for_step(t, insn);
    t->pc = insn->target;
    return true;
  case INSN_GROUP: return enter_group(m, t, insn);
  case INSN_SPLIT: group_enter_split(m, t, insn); return true;
  case INSN_STRIDE_START: stride_start(m, t, insn); return true;
  case INSN_STRIDE_TEST:
    if (!group_stride(m, t, insn))
      t->pc = insn->target;
    return true;
  case INSN_STRIDE_STEP:
    stride_step(m, t, insn);
    t->pc = insn->target;
    return true;
  case INSN_ZERO: t->frame[insn->dst] = 0; return true;
  case INSN_COUNT: t->frame[insn->dst]++; return true;
  case INSN_TILE_SET: tile_set(m, t, insn); return true;
  case INSN_TILE_DROP: tile_drop(m, t, insn->dst, insn->n_slots); return true;
  case INSN_END: t->state = THREAD_DONE; return true;
  default: return run_operation(m, t, insn);
  }
}

static bool is_over_limit(Machine *m, Thread *t, const IrNode *node) {
  const InterpLaunch *given = m->launch->given;
  if (m->ahead)
    return !ahead_may_go_on(m);
  uint64_t limit = given->max_steps;
  if (given->stop && *given->stop)
    limit = m->n_steps;
  else if (limit == 0 || m->n_steps < limit)
    return false;
  (void)machine_trap(m, t, node, FAULT_CODE_STEPS,
                     &(FaultArgs){.numbers = {(int64_t)limit}});
  return true;
}

bool machine_charge(Machine *m, Thread *t, const IrNode *node, uint64_t steps) {
  m->n_steps += steps;
  return !is_over_limit(m, t, node);
}

bool machine_run_slice(Machine *m, Thread *t) {
  t->state = THREAD_READY;
  t->did_poll = false;
  const Insn *insn = NULL;
  uint32_t i = 0, limit = SLICE_STEPS;
  if (m->random)
    limit = 1 + machine_random(m, SLICE_STEPS);
  for (; i < limit && t->state == THREAD_READY; i++) {
    insn = &m->program->code.data[t->pc++];
    if (!run_step(m, t, insn))
      return false;
  }
  m->n_steps += i;
  if (t->state == THREAD_READY)
    t->node = insn->node;
  return !is_over_limit(m, t, insn->node);
}

// -------------------------------------------------------------- operators

static bool waits_in_operator(Machine *m, const Thread *t, const Insn *insn) {
  return machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                       "an operator can't wait for other threads");
}

bool machine_run_operator(Machine *m, Thread *t, const Insn *insn) {
  uint32_t pc = t->pc;
  for (t->pc = insn->extra;;) {
    const Insn *next = &m->program->code.data[t->pc++];
    if (next->op == INSN_RETURN)
      break;
    if (!run_step(m, t, next))
      return false;
    if (t->state != THREAD_READY)
      return waits_in_operator(m, t, next);
    m->n_steps++;
    if (is_over_limit(m, t, next->node))
      return false;
  }
  t->pc = pc;
  return true;
}

bool machine_combine(Machine *m, Thread *t, const Insn *insn, uint64_t *left,
                     const uint64_t *right) {
  const IrNode *node = insn->node;
  const uint32_t *slots = m->program->var_slots;
  size_t bytes = program_layout(m->program, node->type)->n_slots * sizeof *left;
  memcpy(&t->frame[slots[node->u.by.left]], left, bytes);
  memcpy(&t->frame[slots[node->u.by.right]], right, bytes);
  if (!machine_run_operator(m, t, insn))
    return false;
  memcpy(left, &t->frame[slots[node->u.by.result]], bytes);
  return true;
}

uint32_t machine_random(Machine *m, uint32_t limit) {
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return (uint32_t)((m->random >> 32) * limit >> 32);
}
