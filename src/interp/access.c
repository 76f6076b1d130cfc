// SPDX-License-Identifier: Apache-2.0
// Memory: finding the address of an access, checking it, moving the value.
#include "interp/eval.h"
#include "interp/machine.h"
#include <inttypes.h>
#include <string.h>

// --------------------------------------------------------------- scalars
// Hosts are little-endian: the low bytes of a slot come first.

const uint8_t machine_kind_bytes[IR_TYPE_COUNT] = {
#define IR_TYPE(id, text, size_bytes, bits) [IR_TYPE_##id] = size_bytes,
#include "ir/types.def"
#undef IR_TYPE
};

uint64_t machine_read(const char *from, uint8_t kind) {
  uint64_t value = 0;
  memcpy(&value, from, machine_kind_bytes[kind]);
  return kind == IR_TYPE_BOOL ? value != 0 : value;
}

void machine_write(char *to, uint8_t kind, uint64_t value) {
  memcpy(to, &value, machine_kind_bytes[kind]);
}

// -------------------------------------------------------------- addresses

enum { NULL_BYTES = 4096 }; // what is that near to null is meant to be null

typedef struct {
  char *address;
  bool is_skipped; // guard is false, or outside the extents
  bool is_out;     // told as outside
  uint32_t next;   // first operand after the address
} Target;

char *machine_base_in(const Machine *m, const Thread *t,
                      const ObjectPlace *place, const Block *block) {
  if (place->home == HOME_FIXED)
    return place->base;
  if (place->home == HOME_LOCAL)
    return t->locals + place->offset;
  if (place->object->is_cluster_shared)
    block -= block->in_cluster;
  GroupContext context = group_context(m, t, place->object->group);
  uint32_t instance =
      context.instance < place->n_instances ? context.instance : 0;
  return block->shared + place->offset + instance * place_step(place);
}

char *machine_base(const Machine *m, const Thread *t,
                   const ObjectPlace *place) {
  return machine_base_in(m, t, place, t->block);
}

static bool outside_extent(Machine *m, const Thread *t, const Insn *insn,
                           const ObjectPlace *place, uint32_t dimension,
                           int64_t index) {
  return machine_trap(
      m, t, insn->node, FAULT_CODE_INDEX,
      &(FaultArgs){.name = place->object->name,
                   .numbers = {index, dimension, place->extents[dimension]}});
}

static bool outside_object(Machine *m, const Thread *t, const Insn *insn,
                           const ObjectPlace *place, int64_t at) {
  const IrModule *module = m->launch->kernel->module;
  int64_t size = ir_type_size(module, insn->node->u.access.type);
  return machine_trap(
      m, t, insn->node, FAULT_CODE_BYTES,
      &(FaultArgs){.name = place->object->name,
                   .numbers = {size, at, (int64_t)place->size_bytes}});
}

// No access at all, if the observer goes on.
static bool skip(Target *target, bool goes_on) {
  target->is_skipped = true;
  target->is_out = true;
  return goes_on;
}

// Offset of the element in bytes. False after a fault.
static bool element_offset(Machine *m, const Thread *t, const Insn *insn,
                           const ObjectPlace *place, Target *target,
                           int64_t *out) {
  const IrAccess *access = &insn->node->u.access;
  bool checks = place->has_extents && insn->op != IR_ADDRESS;
  int64_t elements = 0;
  for (uint32_t i = 0; i < access->n_index; i++) {
    uint32_t bits = ir_type_bits(insn->node->args[target->next]->type);
    int64_t index =
        eval_signed(*machine_operand(m, t, insn, target->next++), bits);
    if (checks && (index < 0 || index >= place->extents[i])) {
      if (access->bounds == BOUNDS_NONE)
        return skip(target, outside_extent(m, t, insn, place, i, index));
      target->is_skipped = true;
    }
    int64_t part;
    if (__builtin_mul_overflow(index, place->strides[i], &part) ||
        __builtin_add_overflow(elements, part, &elements))
      return skip(target, outside_object(m, t, insn, place, INT64_MAX));
  }
  if (__builtin_mul_overflow(elements, (int64_t)place->object->element_bytes,
                             out))
    return skip(target, outside_object(m, t, insn, place, INT64_MAX));
  return true;
}

static bool object_address(Machine *m, const Thread *t, const Insn *insn,
                           Target *target, int64_t extra) {
  const IrAccess *access = &insn->node->u.access;
  const ObjectPlace *place = launch_place(m->launch, access->object);
  int64_t at = 0;
  if (!element_offset(m, t, insn, place, target, &at))
    return false;
  if (target->is_out)
    return true;
  if (__builtin_add_overflow(at, extra, &at))
    return skip(target, outside_object(m, t, insn, place, INT64_MAX));
  char *base = machine_base(m, t, place);
  if (insn->op == IR_ADDRESS || target->is_skipped) {
    target->address = (char *)((uintptr_t)base + (uintptr_t)at);
    return true;
  }
  uint64_t size = ir_type_size(m->launch->kernel->module, access->type);
  if (at < 0 || (uint64_t)at > place->size_bytes ||
      size > place->size_bytes - (uint64_t)at)
    return skip(target, outside_object(m, t, insn, place, at));
  target->address = base + at;
  return true;
}

// ------------------------------------------------------- pointer accesses

static bool access_contains(const char *base, uint64_t size_bytes,
                            uint64_t address, uint64_t size) {
  uint64_t first = (uint64_t)(uintptr_t)base;
  return base && address >= first && size <= size_bytes &&
         address - first <= size_bytes - size;
}

static bool in_places(const ObjectPlace *places, uint32_t count,
                      uint64_t address, uint64_t size) {
  for (uint32_t i = 0; i < count; i++)
    if (places[i].home == HOME_FIXED &&
        access_contains(places[i].base, places[i].size_bytes, address, size))
      return true;
  return false;
}

// Blocks of a cluster reach each other's shared memory.
static bool in_shared(const Machine *m, const Thread *t, uint64_t address,
                      uint64_t size) {
  const Launch *launch = m->launch;
  uint32_t n = launch->n_clusters ? launch->n_blocks / launch->n_clusters : 1;
  const Block *first = t->block - t->block->in_cluster;
  for (uint32_t i = 0; i < n; i++)
    if (access_contains(first[i].shared, launch->shared_bytes, address, size))
      return true;
  return false;
}

bool machine_can_see(const Machine *m, const Thread *t, uint64_t address,
                     uint64_t size) {
  const Launch *launch = m->launch;
  return in_places(launch->objects, launch->kernel->objects.count, address,
                   size) ||
         in_places(launch->globals, launch->kernel->module->globals.count,
                   address, size) ||
         in_shared(m, t, address, size) ||
         access_contains(t->locals, launch->local_bytes, address, size);
}

static bool pointer_address(Machine *m, const Thread *t, const Insn *insn,
                            Target *target, int64_t extra) {
  const Launch *launch = m->launch;
  uint64_t address =
      *machine_operand(m, t, insn, target->next++) + (uint64_t)extra;
  uint64_t size =
      ir_type_size(launch->kernel->module, insn->node->u.access.type);
  target->address = (char *)(uintptr_t)address;
  if (insn->op == IR_ADDRESS || machine_can_see(m, t, address, size))
    return true;
  FaultCode code =
      address < NULL_BYTES ? FAULT_CODE_NULL_POINTER : FAULT_CODE_POINTER;
  return skip(target, machine_trap(m, t, insn->node, code,
                                   &(FaultArgs){.numbers = {(int64_t)size}}));
}

// -------------------------------------------------------------- checking

// Operands come as: pointer, indices, offset, guard; the offset is needed
// first.
static int64_t extra_offset(const Machine *m, const Thread *t,
                            const Insn *insn) {
  const IrAccess *access = &insn->node->u.access;
  int64_t extra = access->offset_bytes;
  if (!access->has_offset)
    return extra;
  uint32_t at = (access->object ? 0u : 1u) + access->n_index;
  uint64_t dynamic = *machine_operand(m, t, insn, at);
  return (int64_t)(dynamic + (uint64_t)extra);
}

static bool is_guarded_off(const Machine *m, const Thread *t,
                           const Insn *insn) {
  const IrAccess *access = &insn->node->u.access;
  uint32_t at =
      (access->object ? 0u : 1u) + access->n_index + access->has_offset;
  return access->has_guard && !*machine_operand(m, t, insn, at);
}

static bool access_check_alignment(Machine *m, const Thread *t,
                                   const Insn *insn, Target *target) {
  uint32_t align = insn->node->u.access.align_bytes;
  if (((uintptr_t)target->address & (align - 1)) == 0)
    return true;
  return skip(target, machine_trap(m, t, insn->node, FAULT_CODE_ADDRESS,
                                   &(FaultArgs){.numbers = {align}}));
}

static bool find_target(Machine *m, Thread *t, const Insn *insn,
                        Target *target) {
  const IrAccess *access = &insn->node->u.access;
  *target = (Target){.is_skipped = is_guarded_off(m, t, insn)};
  if (target->is_skipped)
    return true;
  int64_t extra = extra_offset(m, t, insn);
  bool is_found = access->object ? object_address(m, t, insn, target, extra)
                                 : pointer_address(m, t, insn, target, extra);
  target->next += (access->has_offset ? 1u : 0u) + access->has_guard;
  if (!is_found || target->is_skipped || insn->op == IR_ADDRESS)
    return is_found;
  return access_check_alignment(m, t, insn, target);
}

// ------------------------------------------------------------ operations

// Tells an observer of an access of memory that isn't the thread's own.
static void observe(const Machine *m, const Thread *t, const Insn *insn,
                    const Target *target) {
  const InterpObserver *observer = m->observer;
  const IrAccess *access = &insn->node->u.access;
  uint64_t address = (uint64_t)(uintptr_t)target->address;
  uint32_t size = ir_type_size(m->launch->kernel->module, access->type);
  bool is_own =
      access->object
          ? access->object->space == SPACE_LOCAL
          : access_contains(t->locals, m->launch->local_bytes, address, size);
  if (is_own || !observer->access)
    return;
  bool is_semaphore =
      insn->op == IR_SEMAPHORE_LOCK || insn->op == IR_SEMAPHORE_RELEASE;
  uint32_t memory = ir_op_info(insn->node)->memory;
  IrOrder order = access->order;
  ObservedThread thread = machine_observed(m, t);
  ObservedAccess told = {
      .node = insn->node,
      .address = address,
      .n_bytes = size,
      .reads = (memory & MEM_READ) != 0,
      .writes = (memory & MEM_WRITE) != 0,
      .is_atomic = is_semaphore || order != ORDER_PLAIN,
      .acquires = insn->op == IR_SEMAPHORE_LOCK || order == ORDER_ACQUIRE ||
                  order == ORDER_ACQ_REL,
      .releases = insn->op == IR_SEMAPHORE_RELEASE || order == ORDER_RELEASE ||
                  order == ORDER_ACQ_REL,
      .scope = is_semaphore ? SCOPE_DEVICE : access->scope};
  if (insn->op == IR_STORE)
    told.value = fingerprint_bytes(machine_operand(m, t, insn, target->next),
                                   insn->n_slots * sizeof(uint64_t));
  observer->access(observer->context, &thread, &told);
}

// One for each byte, or NULL: nobody asks, or it has always a value.
static char *set_marks(const Machine *m, const char *address, uint64_t size) {
  uint64_t at = (uint64_t)(uintptr_t)address;
  if (m->shared_set &&
      access_contains(m->all_shared, m->all_shared_bytes, at, size))
    return m->shared_set + (address - m->all_shared);
  if (m->locals_set &&
      access_contains(m->all_locals, m->all_local_bytes, at, size))
    return m->locals_set + (address - m->all_locals);
  return NULL;
}

void machine_note_set(const Machine *m, const char *address, uint64_t size,
                      bool is_set) {
  char *marks = set_marks(m, address, size);
  if (marks)
    memset(marks, is_set, size);
}

void machine_unset(const Machine *m, const Thread *t, const IrObject *object) {
  const ObjectPlace *place = launch_place(m->launch, object);
  machine_note_set(m, machine_base(m, t, place), place->size_bytes, false);
}

static bool is_set(const Machine *m, const char *address, uint32_t size) {
  const char *marks = set_marks(m, address, size);
  for (uint32_t i = 0; marks && i < size; i++)
    if (!marks[i])
      return false;
  return true;
}

// A struct is copied as a whole, whatever part of it has a value.
static void note_touched(const Machine *m, Thread *t, const Insn *insn,
                         const Target *target) {
  if (!m->shared_set && !m->locals_set)
    return;
  const IrType type = insn->node->u.access.type;
  const TypeLayout *layout = program_layout(m->program, type);
  bool is_struct = type.kind == IR_TYPE_STRUCT;
  t->touched = target->is_skipped ? NULL : target->address;
  t->touched_bytes = ir_type_size(m->launch->kernel->module, type);
  t->was_set = target->is_skipped || !is_struct;
  for (uint32_t i = 0; i < layout->n_slots && !target->is_skipped; i++) {
    bool has = is_set(m, target->address + layout->offsets[i],
                      machine_kind_bytes[layout->kinds[i]]);
    t->was_set = is_struct ? t->was_set || has : t->was_set && has;
  }
}

bool machine_load(Machine *m, Thread *t, const Insn *insn) {
  Target target;
  if (!find_target(m, t, insn, &target))
    return false;
  if (m->observer && !target.is_skipped)
    observe(m, t, insn, &target);
  const TypeLayout *layout =
      program_layout(m->program, insn->node->u.access.type);
  note_touched(m, t, insn, &target);
  uint64_t *out = &t->frame[insn->dst];
  for (uint32_t i = 0; i < layout->n_slots; i++)
    out[i] = target.is_skipped
                 ? 0
                 : machine_read(target.address + layout->offsets[i],
                                layout->kinds[i]);
  t->did_poll |= insn->node->u.access.order != ORDER_PLAIN;
  return true;
}

bool machine_store(Machine *m, Thread *t, const Insn *insn) {
  Target target;
  if (!find_target(m, t, insn, &target))
    return false;
  if (target.is_skipped)
    return true;
  if (m->observer)
    observe(m, t, insn, &target);
  const TypeLayout *layout =
      program_layout(m->program, insn->node->u.access.type);
  const uint64_t *value = machine_operand(m, t, insn, target.next);
  for (uint32_t i = 0; i < layout->n_slots; i++)
    machine_write(target.address + layout->offsets[i], layout->kinds[i],
                  value[i]);
  note_touched(m, t, insn, &target);
  machine_note_set(m, target.address, t->touched_bytes, true);
  m->n_writes++;
  return true;
}

uint64_t machine_updated(IrRmw rmw, IrType type, uint64_t old, uint64_t value) {
  return eval_rmw(rmw, (IrTypeKind)type.kind, old, value) &
         eval_mask(ir_type_bits(type));
}

bool machine_rmw(Machine *m, Thread *t, const Insn *insn) {
  Target target;
  if (!find_target(m, t, insn, &target))
    return false;
  const IrAccess *access = &insn->node->u.access;
  t->frame[insn->dst] = 0;
  if (target.is_skipped)
    return true;
  if (m->observer)
    observe(m, t, insn, &target);
  note_touched(m, t, insn, &target);
  uint8_t kind = access->type.kind;
  uint64_t old = machine_read(target.address, kind), updated;
  uint64_t value = *machine_operand(m, t, insn, target.next);
  if (insn->op == IR_CAS)
    updated =
        old == value ? *machine_operand(m, t, insn, target.next + 1) : old;
  else
    updated = machine_updated(access->rmw, access->type, old, value);
  machine_write(target.address, kind, updated);
  if (insn->op == IR_RMW && access->rmw == RMW_EXCH)
    machine_note_set(m, target.address, machine_kind_bytes[kind], true);
  t->frame[insn->dst] = old;
  m->n_writes += updated != old;
  t->did_poll = true;
  return true;
}

bool machine_address(Machine *m, Thread *t, const Insn *insn) {
  Target target;
  if (!find_target(m, t, insn, &target))
    return false;
  t->frame[insn->dst] = (uint64_t)(uintptr_t)target.address;
  return true;
}

// -------------------------------------------------------------- semaphores

bool machine_semaphore(Machine *m, Thread *t, const Insn *insn) {
  Target target;
  if (!find_target(m, t, insn, &target))
    return false;
  if (target.is_skipped)
    return true;
  uint64_t value = *machine_operand(m, t, insn, target.next);
  if (insn->op == IR_SEMAPHORE_RELEASE) {
    if (m->observer)
      observe(m, t, insn, &target);
    machine_write(target.address, IR_TYPE_I32, value);
    m->n_writes++;
    return true;
  }
  t->semaphore = target.address;
  t->semaphore_value = value;
  t->insn = insn;
  t->node = insn->node;
  if (!machine_semaphore_is_open(m, t)) {
    t->state = THREAD_WAITS;
    t->wait = WAIT_SEMAPHORE;
  }
  return true;
}

bool machine_semaphore_is_open(const Machine *m, const Thread *t) {
  if (m->ahead)
    return true;
  if (machine_read(t->semaphore, IR_TYPE_I32) != t->semaphore_value)
    return false;
  Target target = {.address = (char *)(uintptr_t)t->semaphore};
  if (m->observer)
    observe(m, t, t->insn, &target);
  return true;
}

// ---------------------------------------------------------------- clusters

const Block *machine_cluster_block(Machine *m, const Thread *t,
                                   const Insn *insn, uint64_t rank) {
  const Launch *launch = m->launch;
  uint32_t n = launch->n_clusters ? launch->n_blocks / launch->n_clusters : 1;
  if ((uint32_t)rank < n)
    return t->block - t->block->in_cluster + (uint32_t)rank;
  machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                "there is no block %" PRId32 " in a cluster of %u",
                (int32_t)rank, n);
  return NULL;
}

// The block of the cluster whose shared memory holds the address, or NULL.
static const Block *block_with(const Machine *m, const Thread *t,
                               uint64_t address) {
  const Launch *launch = m->launch;
  uint32_t n = launch->n_clusters ? launch->n_blocks / launch->n_clusters : 1;
  const Block *first = t->block - t->block->in_cluster;
  for (uint32_t i = 0; i < n; i++)
    if (access_contains(first[i].shared, launch->shared_bytes, address, 0))
      return &first[i];
  return NULL;
}

static bool not_shared(Machine *m, Thread *t, const Insn *insn) {
  return machine_fault(m, t, insn->node, HD_ERROR_TRAP,
                       "%s: the pointer isn't to shared memory of the cluster",
                       ir_op_info(insn->node)->text);
}

bool machine_map_shared(Machine *m, Thread *t, const Insn *insn) {
  uint64_t address = *machine_operand(m, t, insn, 0);
  const Block *from = block_with(m, t, address);
  const Block *to =
      machine_cluster_block(m, t, insn, *machine_operand(m, t, insn, 1));
  if (!from || !to)
    return to ? not_shared(m, t, insn) : false;
  uint64_t offset = address - (uint64_t)(uintptr_t)from->shared;
  t->frame[insn->dst] = (uint64_t)(uintptr_t)to->shared + offset;
  return true;
}

bool machine_shared_rank(Machine *m, Thread *t, const Insn *insn) {
  const Block *block = block_with(m, t, *machine_operand(m, t, insn, 0));
  if (!block)
    return not_shared(m, t, insn);
  t->frame[insn->dst] = block->in_cluster;
  return true;
}
