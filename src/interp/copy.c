// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies. Each is kept as it was asked for, and lands when
// somebody waits for it or looks whether it has: at the last moment, so that a
// wait that is missing shows. Under a random order it may land at any time
// before. What nobody waits for lands when its blocks end.
#include "interp/copy.h"
#include "interp/eval.h"
#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------ lists

Copy *copy_new(Machine *m, Thread *t, const IrNode *node) {
  Copy *copy = m->free_copies.count ? VEC_POP(&m->free_copies)
                                    : ARENA_NEW(m->gang_arena, Copy);
  *copy = (Copy){.node = node, .t = t, .part = ++m->n_copies, .n_owners = 1};
  VEC_PUSH(m->gang_arena, &m->pending, copy);
  return copy;
}

void copy_drop(Machine *m, Copy *copy) {
  if (--copy->n_owners == 0)
    VEC_PUSH(m->gang_arena, &m->free_copies, copy);
}

static void copy_sweep(Machine *m) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < m->pending.count; i++) {
    Copy *copy = m->pending.data[i];
    if (copy->has_landed)
      copy_drop(m, copy);
    else
      m->pending.data[kept++] = copy;
  }
  m->pending.count = kept;
}

// --------------------------------------------------------------- elements

static bool copy_is_inside(const Side *side, const int64_t *at) {
  for (uint32_t i = 0; i < side->place->object->rank; i++)
    if (side->from[i] + at[i] < 0 ||
        side->from[i] + at[i] >= side->place->extents[i])
      return false;
  return true;
}

// The address of an element inside the extents; NULL: outside the memory.
static char *copy_element(const Side *side, const int64_t *at) {
  const IrObject *object = side->place->object;
  int64_t offset = 0;
  for (uint32_t i = 0; i < object->rank; i++) {
    int64_t part;
    if (__builtin_mul_overflow(side->from[i] + at[i], side->place->strides[i],
                               &part) ||
        __builtin_add_overflow(offset, part, &offset))
      return NULL;
  }
  if (__builtin_mul_overflow(offset, (int64_t)object->element_bytes, &offset) ||
      offset < 0 ||
      (uint64_t)offset + object->element_bytes > side->place->size_bytes)
    return NULL;
  return side->base + offset;
}

static void copy_split(const int64_t *length, uint32_t rank, int64_t number,
                       int64_t *at) {
  for (uint32_t i = rank; i-- > 0;) {
    at[i] = number % length[i];
    number /= length[i];
  }
}

// What the element gets, into `value`; false: it lies outside of the memory.
static bool copy_read_element(const Copy *copy, int64_t number, char *value) {
  int64_t at[IR_MAX_RANK];
  const IrObject *from = copy->from.place->object;
  copy_split(copy->from.length, from->rank, number, at);
  if (!copy_is_inside(&copy->from, at)) {
    memset(value, 0, from->element_bytes);
    return true;
  }
  const char *source = copy_element(&copy->from, at);
  if (source)
    memcpy(value, source, from->element_bytes);
  return source != NULL;
}

// What the element gets: the source, or what it combines with what is there.
static void copy_give(const Copy *copy, char *target, const char *source) {
  const IrObject *to = copy->to.place->object;
  if (copy->node->op != IR_TMA_REDUCE) {
    memmove(target, source, to->element_bytes);
    return;
  }
  uint64_t old = 0, value = 0;
  memcpy(&old, target, to->element_bytes);
  memcpy(&value, source, to->element_bytes);
  IrTypeKind kind = (IrTypeKind)to->element.kind;
  value = eval_rmw(copy->node->u.copy.rmw, kind, old, value);
  memcpy(target, &value, to->element_bytes);
}

static bool land_read(const Machine *m, const Copy *copy, int64_t number) {
  int64_t at[IR_MAX_RANK];
  const IrObject *to = copy->to.place->object;
  copy_split(copy->to.length, to->rank, number, at);
  if (!copy_is_inside(&copy->to, at))
    return true;
  char *target = copy_element(&copy->to, at);
  size_t size = to->element_bytes;
  if (target)
    copy_give(copy, target, copy->read + (size_t)(number - copy->first) * size);
  if (target)
    machine_note_set(m, target, size, true);
  return target != NULL;
}

static bool land_element(const Machine *m, const Copy *copy, int64_t number) {
  if (copy->read)
    return land_read(m, copy, number);
  int64_t to_at[IR_MAX_RANK], from_at[IR_MAX_RANK];
  const IrObject *to = copy->to.place->object, *from = copy->from.place->object;
  copy_split(copy->to.length, to->rank, number, to_at);
  copy_split(copy->from.length, from->rank, number, from_at);
  if (!copy_is_inside(&copy->to, to_at))
    return true;
  char *target = copy_element(&copy->to, to_at);
  if (target)
    machine_note_set(m, target, to->element_bytes, true);
  if (target && !copy_is_inside(&copy->from, from_at)) {
    memset(target, 0, to->element_bytes);
    return true;
  }
  const char *source = target ? copy_element(&copy->from, from_at) : NULL;
  if (source)
    copy_give(copy, target, source);
  return source != NULL;
}

// ---------------------------------------------------------------- observers

// The bytes of a rectangle, neighbours on both sides together.
static void tell_elements(const Machine *m, const Copy *copy) {
  const InterpObserver *observer = m->observer;
  const IrObject *to = copy->to.place->object, *from = copy->from.place->object;
  uint64_t size = to->element_bytes, run_to = 0, run_from = 0, run = 0;
  for (int64_t i = copy->first; i < copy->end; i++) {
    int64_t to_at[IR_MAX_RANK], from_at[IR_MAX_RANK];
    copy_split(copy->to.length, to->rank, i, to_at);
    copy_split(copy->from.length, from->rank, i, from_at);
    char *target =
        copy_is_inside(&copy->to, to_at) ? copy_element(&copy->to, to_at) : 0;
    char *source = target && copy_is_inside(&copy->from, from_at)
                       ? copy_element(&copy->from, from_at)
                       : NULL;
    if (copy_only_tells(copy))
      target = NULL;
    uint64_t t = (uint64_t)(uintptr_t)target, s = (uint64_t)(uintptr_t)source;
    bool goes_on = run && t == (run_to ? run_to + run : 0) &&
                   s == (run_from ? run_from + run : 0);
    if (run && !goes_on)
      observer->copy_bytes(observer->context, copy->part, run_to, run_from,
                           run);
    if (!goes_on) {
      run_to = t;
      run_from = s;
      run = 0;
    }
    run += size;
  }
  if (run)
    observer->copy_bytes(observer->context, copy->part, run_to, run_from, run);
}

static void tell_copy(const Machine *m, const Copy *copy, ObservedCopy *told) {
  const InterpObserver *observer = m->observer;
  told->node = copy->node;
  told->part = copy->part;
  if (observer->copy)
    observer->copy(observer->context, told);
  if (!observer->copy_bytes)
    return;
  if (copy->matrix.kind != MATRIX_NONE)
    matrix_tell(m, copy);
  else if (!copy->to_bytes)
    tell_elements(m, copy);
  else if (copy->end > copy->first)
    observer->copy_bytes(observer->context, copy->part,
                         (uint64_t)(uintptr_t)(copy->to_bytes + copy->first),
                         (uint64_t)(uintptr_t)(copy->from_bytes + copy->first),
                         (uint64_t)(copy->end - copy->first));
}

void copy_tell_part(const Machine *m, const Thread *t, const Copy *copy,
                    const IrGroup *group, ObservedDone done) {
  if (!m->observer)
    return;
  GroupContext context = group_context(m, t, group);
  ObservedThread thread = machine_observed(m, t);
  ObservedCopy told = {.done = done,
                       .key = context.key,
                       .rank = (uint32_t)context.rank,
                       .size = (uint32_t)context.size,
                       .n_threads = 1,
                       .threads = &thread};
  tell_copy(m, copy, &told);
}

// Made once for all who met.
static void tell_once(const Machine *m, const Meeting *meeting,
                      const Copy *copy) {
  if (!m->observer)
    return;
  ObservedThread *threads =
      ARENA_ARRAY(m->gang_arena, ObservedThread, meeting->size);
  for (uint32_t i = 0; i < meeting->size; i++)
    threads[i] = machine_observed(m, meeting->threads[i]);
  ObservedCopy told = {.done = copy->barrier ? OBSERVED_BARRIER : OBSERVED_BULK,
                       .key = meeting->key,
                       .is_once = true,
                       .n_threads = meeting->size,
                       .threads = threads};
  tell_copy(m, copy, &told);
}

static void copy_tell_waited(const Machine *m, const Thread *t,
                             const Copy *copy) {
  const InterpObserver *observer = m->observer;
  if (!observer || !observer->copy_waited ||
      copy->matrix.kind == MATRIX_PRODUCT)
    return;
  ObservedThread thread = machine_observed(m, t);
  observer->copy_waited(observer->context, &thread, copy->part);
}

static void tell_read(const Machine *m, const Thread *t, const Copy *copy) {
  const InterpObserver *observer = m->observer;
  if (!observer || !observer->copy_read)
    return;
  ObservedThread thread = machine_observed(m, t);
  observer->copy_read(observer->context, &thread, copy->part);
}

// What copies nothing may be left, and so may what was read: the block's shared
// memory isn't needed any more.
static void copy_tell_lost(const Machine *m, const Copy *copy) {
  const InterpObserver *observer = m->observer;
  if (!observer || !observer->copy_lost || copy->first >= copy->end ||
      copy->read)
    return;
  ObservedThread thread = machine_observed(m, copy->t);
  observer->copy_lost(observer->context, &thread, copy->node);
}

// ---------------------------------------------------------------- landing

static void signal_landed(const Machine *m, const Copy *copy) {
  const InterpObserver *observer = m->observer;
  if (copy->barrier && observer && observer->copy_landed)
    observer->copy_landed(observer->context, copy->part,
                          (uint32_t)(copy->barrier - m->mbarriers));
}

bool copy_land(Machine *m, Copy *copy) {
  if (copy->matrix.kind != MATRIX_NONE)
    return matrix_land(m, copy);
  if (copy_only_tells(copy)) {
    copy->has_landed = true;
    return true;
  }
  copy->has_landed = true;
  m->n_writes++;
  if (copy->barrier)
    copy->barrier->n_copies--;
  signal_landed(m, copy);
  if (copy->to_bytes)
    machine_note_set(m, copy->to_bytes + copy->first,
                     (uint64_t)(copy->end - copy->first), true);
  if (copy->to_bytes)
    memmove(copy->to_bytes + copy->first,
            copy->read ? copy->read : copy->from_bytes + copy->first,
            (size_t)(copy->end - copy->first));
  for (int64_t i = copy->first; i < copy->end && !copy->to_bytes; i++)
    if (!land_element(m, copy, i))
      return machine_trap(
          m, copy->t, copy->node, FAULT_CODE_COPY_LANDS,
          &(FaultArgs){.name = copy->to.place->object->name,
                       .other = copy->from.place->object->name});
  if (copy->barrier && copy->bytes)
    mbarrier_bytes(m, copy->node, copy->barrier, copy->bytes);
  else if (copy->barrier)
    return mbarrier_arrive(m, copy->t, copy->node, copy->barrier, 1);
  return true;
}

bool copy_land_for(Machine *m, const Mbarrier *barrier) {
  if (barrier->n_copies == 0)
    return true;
  for (uint32_t i = 0; i < m->pending.count; i++) {
    Copy *copy = m->pending.data[i];
    if (copy->barrier == barrier && !copy->has_landed && !copy_land(m, copy))
      return false;
  }
  copy_sweep(m);
  return true;
}

bool copy_land_some(Machine *m) {
  enum { ONE_OF = 8 };

  for (uint32_t i = 0; i < m->pending.count; i++)
    if (!m->pending.data[i]->has_landed && machine_random(m, ONE_OF) == 0 &&
        !copy_land(m, m->pending.data[i]))
      return false;
  copy_sweep(m);
  return true;
}

bool copy_land_all(Machine *m) {
  for (uint32_t i = 0; i < m->pending.count; i++)
    copy_tell_lost(m, m->pending.data[i]);
  for (uint32_t i = 0; i < m->pending.count; i++)
    if (!m->pending.data[i]->has_landed && !copy_land(m, m->pending.data[i]))
      return false;
  copy_sweep(m);
  return true;
}

// -------------------------------------------------------------- rectangles

static Side copy_side_of(const Machine *m, const Thread *t, const Insn *insn,
                         const IrSection *section, uint32_t *next,
                         const Block *block) {
  Side side = {.place = launch_place(m->launch, section->object),
               .length = section->length};
  side.base = machine_base_in(m, t, side.place, block);
  for (uint32_t i = 0; i < section->object->rank; i++) {
    uint32_t bits = ir_type_bits(insn->node->args[*next]->type);
    side.from[i] = eval_signed(*machine_operand(m, t, insn, *next), bits);
    (*next)++;
  }
  return side;
}

static int64_t copy_n_elements(const IrSection *section) {
  int64_t count = 1;
  for (uint32_t i = 0; i < section->object->rank; i++)
    count *= section->length[i];
  return count;
}

// What the block keeps itself is copied whole; elements outside the extents of
// a global array are zero, or dropped.
static bool check_shared(Machine *m, const Thread *t, const IrNode *node,
                         const Side *side) {
  if (side->place->object->space != SPACE_SHARED)
    return true;
  for (uint32_t i = 0; i < side->place->object->rank; i++)
    if (side->from[i] < 0 || side->length[i] > side->place->extents[i] ||
        side->from[i] > side->place->extents[i] - side->length[i])
      return machine_trap(
          m, t, node, FAULT_CODE_COPY_BOX,
          &(FaultArgs){.name = side->place->object->name,
                       .numbers = {side->from[i],
                                   side->from[i] + side->length[i] - 1, i,
                                   side->place->extents[i]}});
  return true;
}

// Sections far outside, whose indices would overflow, have nothing to give.
static void copy_clamp(Side *side) {
  const int64_t far = INT64_MAX / 4;
  for (uint32_t i = 0; i < side->place->object->rank; i++) {
    if (side->from[i] > far)
      side->from[i] = far;
    if (side->from[i] < -far)
      side->from[i] = -far;
  }
}

// For `block`, which has the shared side and the barrier. NULL after a fault.
static Copy *rectangle(Machine *m, Thread *t, const Insn *insn,
                       const Block *block) {
  const IrNode *node = insn->node;
  uint32_t next = 0;
  Side to = copy_side_of(m, t, insn, &node->u.copy.to, &next, block);
  Side from = copy_side_of(m, t, insn, &node->u.copy.from, &next, block);
  if (!check_shared(m, t, node, &to) || !check_shared(m, t, node, &from))
    return NULL;
  copy_clamp(&to);
  copy_clamp(&from);
  Mbarrier *barrier = NULL;
  if (node->u.copy.barrier) {
    barrier = mbarrier_at(m, t, insn, node->u.copy.barrier, next, block);
    if (!barrier)
      return NULL;
    barrier->n_copies++;
  }
  Copy *copy = copy_new(m, t, node);
  copy->to = to;
  copy->from = from;
  copy->barrier = barrier;
  copy->end = copy_n_elements(&node->u.copy.to);
  return copy;
}

// -------------------------------------------------------------- copy_async

void copy_queue(Machine *m, CopyQueue *list, Copy *copy) {
  copy->n_owners++;
  VEC_PUSH(m->gang_arena, &list->copies, copy);
}

// Each thread has its part, by rank.
static bool issue_part(Machine *m, Thread *t, const Insn *insn) {
  GroupContext context = group_context(m, t, insn->node->u.copy.group);
  Copy *copy = rectangle(m, t, insn, t->block);
  if (!copy)
    return false;
  int64_t count = copy->end;
  copy->first = count * context.rank / context.size;
  copy->end = count * (context.rank + 1) / context.size;
  if (copy_only_tells(copy))
    copy_queue(m, &t->matrices, copy);
  else if (!copy->barrier)
    copy_queue(m, &t->asyncs, copy);
  copy_tell_part(m, t, copy, insn->node->u.copy.group,
                 copy->barrier ? OBSERVED_BARRIER : OBSERVED_SETS);
  return true;
}

static void interp_copy_commit(CopyQueue *list) {
  list->n_sets++;
  for (uint32_t i = list->copies.count; i-- > 0;) {
    if (list->copies.data[i]->set)
      break;
    list->copies.data[i]->set = list->n_sets;
  }
}

static bool copy_wait_sets(Machine *m, const Thread *t, CopyQueue *list,
                           uint32_t but) {
  uint32_t last = list->n_sets > but ? list->n_sets - but : 0, kept = 0;
  for (uint32_t i = 0; i < list->copies.count; i++) {
    Copy *copy = list->copies.data[i];
    if (copy->set == 0 || copy->set > last) {
      list->copies.data[kept++] = copy;
      continue;
    }
    if (!copy->has_landed && !copy_land(m, copy))
      return false;
    copy_tell_waited(m, t, copy);
    copy_drop(m, copy);
  }
  list->copies.count = kept;
  copy_sweep(m);
  return true;
}

static bool read_now(Machine *m, Copy *copy) {
  size_t size = copy->to_bytes ? 1 : copy->from.place->object->element_bytes;
  int64_t count = copy->end - copy->first;
  copy->read = arena_alloc(m->gang_arena, (size_t)count * size + 1);
  if (copy->to_bytes)
    memcpy(copy->read, copy->from_bytes + copy->first, (size_t)count);
  for (int64_t i = 0; i < count && !copy->to_bytes; i++)
    if (!copy_read_element(copy, copy->first + i,
                           copy->read + (size_t)i * size))
      return machine_trap(m, copy->t, copy->node, FAULT_CODE_COPY_READS,
                          &(FaultArgs){.name = copy->from.place->object->name});
  return true;
}

// The sources of these sets may be overwritten; what is written isn't there
// yet.
static bool wait_reads(Machine *m, const Thread *t, const CopyQueue *list,
                       uint32_t but) {
  uint32_t last = list->n_sets > but ? list->n_sets - but : 0;
  for (uint32_t i = 0; i < list->copies.count; i++) {
    Copy *copy = list->copies.data[i];
    if (copy->set == 0 || copy->set > last)
      continue;
    if (!copy->has_landed && !copy->read && !read_now(m, copy))
      return false;
    tell_read(m, t, copy);
  }
  return true;
}

// --------------------------------------------------- tma_load, tma_store

static bool load_into(Machine *m, const Meeting *meeting, const Block *block) {
  const Insn *insn = meeting->insn;
  Copy *copy = rectangle(m, meeting->threads[0], insn, block);
  if (!copy)
    return false;
  const IrObject *object = insn->node->u.copy.to.object;
  copy->bytes = copy->end * (int64_t)object->element_bytes;
  tell_once(m, meeting, copy);
  return true;
}

static bool load_all(Machine *m, const Meeting *meeting) {
  Thread *t = meeting->threads[0];
  const Insn *insn = meeting->insn;
  if (!insn->node->u.copy.has_mask)
    return load_into(m, meeting, t->block);
  uint32_t mask =
      (uint32_t)*machine_operand(m, t, insn, insn->node->n_args - 1);
  for (uint32_t rank = 0; rank < 32; rank++) {
    if (!(mask >> rank & 1))
      continue;
    const Block *block = machine_cluster_block(m, t, insn, rank);
    if (!block || !load_into(m, meeting, block))
      return false;
  }
  return true;
}

bool copy_issue_once(Machine *m, const Meeting *meeting) {
  Thread *t = meeting->threads[0];
  if (meeting->insn->op == IR_TMA_LOAD)
    return load_all(m, meeting);
  Copy *copy = rectangle(m, t, meeting->insn, t->block);
  for (uint32_t i = 0; i < meeting->size && copy; i++)
    copy_queue(m, &meeting->threads[i]->stores, copy);
  if (copy)
    tell_once(m, meeting, copy);
  return copy != NULL;
}

// ------------------------------------------------- memcpy_async, copy_bytes

static GroupCount *copy_count_of(Machine *m, Thread *t, uint64_t key) {
  for (uint32_t i = 0; i < t->group_counts.count; i++)
    if (t->group_counts.data[i].key == key)
      return &t->group_counts.data[i];
  GroupCount count = {.key = key};
  VEC_PUSH(m->gang_arena, &t->group_counts, count);
  return &VEC_LAST(&t->group_counts);
}

// The thread's part of a row of bytes; NULL after a fault.
static Copy *row_of_bytes(Machine *m, Thread *t, const Insn *insn,
                          const GroupContext *context) {
  uint64_t to = *machine_operand(m, t, insn, 0);
  uint64_t from = *machine_operand(m, t, insn, 1);
  int64_t bytes = (int64_t)*machine_operand(m, t, insn, 2);
  if (bytes < 0 ||
      (bytes > 0 && (!machine_can_see(m, t, to, (uint64_t)bytes) ||
                     !machine_can_see(m, t, from, (uint64_t)bytes)))) {
    (void)machine_trap(
        m, t, insn->node, FAULT_CODE_COPY_BYTES,
        &(FaultArgs){.name = ir_op_info(insn->node)->text, .numbers = {bytes}});
    return NULL;
  }
  Copy *copy = copy_new(m, t, insn->node);
  copy->to_bytes = (char *)(uintptr_t)to;
  copy->from_bytes = (const char *)(uintptr_t)from;
  copy->first = bytes / context->size * context->rank +
                bytes % context->size * context->rank / context->size;
  copy->end = bytes / context->size * (context->rank + 1) +
              bytes % context->size * (context->rank + 1) / context->size;
  return copy;
}

static bool issue_memcpy(Machine *m, Thread *t, const Insn *insn) {
  GroupContext context = group_context(m, t, insn->node->u.group.group);
  Copy *copy = row_of_bytes(m, t, insn, &context);
  if (!copy)
    return false;
  copy->key = context.key;
  copy->number = ++copy_count_of(m, t, context.key)->made;
  copy->n_owners++;
  VEC_PUSH(m->gang_arena, &t->group_copies, copy);
  copy_tell_part(m, t, copy, insn->node->u.group.group, OBSERVED_GROUP);
  return true;
}

// From now on the phase waits for the part, also if it is empty.
static bool copy_join_phase(Machine *m, const Thread *t, const Insn *insn,
                            Copy *copy) {
  enum { FIRST_INDEX = 3 };

  copy->barrier = mbarrier_at(m, t, insn, insn->node->u.copy.barrier,
                              FIRST_INDEX, t->block);
  if (!copy->barrier)
    return false;
  copy->bytes = 1;
  copy->barrier->bytes += copy->bytes;
  copy->barrier->n_copies++;
  return true;
}

static bool issue_bytes(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  GroupContext context = group_context(m, t, node->u.copy.group);
  Copy *copy = row_of_bytes(m, t, insn, &context);
  if (!copy || (node->u.copy.barrier && !copy_join_phase(m, t, insn, copy)))
    return false;
  if (!copy->barrier)
    copy_queue(m, &t->asyncs, copy);
  copy_tell_part(m, t, copy, node->u.copy.group,
                 copy->barrier ? OBSERVED_BARRIER : OBSERVED_SETS);
  return true;
}

static bool is_16(uint64_t number) {
  return number % 16 == 0;
}

static bool issue_bulk(Machine *m, Thread *t, const Insn *insn) {
  enum { FIRST_INDEX = 3 };

  const IrNode *node = insn->node;
  GroupContext context = group_context(m, t, node->u.copy.group);
  for (uint32_t i = 0; i < 3; i++)
    if (!is_16(*machine_operand(m, t, insn, i)))
      return machine_trap(m, t, node,
                          i == 2 ? FAULT_CODE_BYTE_COUNT : FAULT_CODE_ADDRESS,
                          &(FaultArgs){.numbers = {16}});
  Copy *copy = row_of_bytes(m, t, insn, &context);
  if (!copy)
    return false;
  if (node->op == IR_BULK_STORE) {
    copy_queue(m, &t->stores, copy);
    copy_tell_part(m, t, copy, node->u.copy.group, OBSERVED_BULK);
    return true;
  }
  Mbarrier *barrier =
      mbarrier_at(m, t, insn, node->u.copy.barrier, FIRST_INDEX, t->block);
  if (!barrier)
    return false;
  copy->bytes = copy->end - copy->first;
  if (copy->bytes == 0)
    return true; // nothing lands
  copy->barrier = barrier;
  barrier->n_copies++;
  copy_tell_part(m, t, copy, node->u.copy.group, OBSERVED_BARRIER);
  return true;
}

static bool wait_group(Machine *m, Thread *t, const Insn *insn) {
  const IrGroup *group = insn->node->u.group.group;
  GroupContext context = group_context(m, t, group);
  uint64_t but = *machine_operand(m, t, insn, 0), kept = 0;
  uint64_t made = copy_count_of(m, t, context.key)->made;
  if (but > made)
    return machine_trap(m, t, insn->node, FAULT_CODE_COPIES,
                        &(FaultArgs){.name = group->name,
                                     .numbers = {(int64_t)but, (int64_t)made}});
  for (uint32_t i = 0; i < t->group_copies.count; i++) {
    Copy *copy = t->group_copies.data[i];
    if (copy->key != context.key || copy->number > made - but) {
      t->group_copies.data[kept++] = copy;
      continue;
    }
    if (!copy->has_landed && !copy_land(m, copy))
      return false;
    copy_tell_waited(m, t, copy);
    copy_drop(m, copy);
  }
  t->group_copies.count = (uint32_t)kept;
  copy_sweep(m);
  return meet(m, t, insn);
}

bool copy_operation(Machine *m, Thread *t, const Insn *insn) {
  switch (ir_copy_op(insn->node->op)) {
  case IR_COPY_ASYNC: return issue_part(m, t, insn);
  case IR_COPY_BYTES: return issue_bytes(m, t, insn);
  case IR_COPY_BULK:
  case IR_BULK_STORE: return issue_bulk(m, t, insn);
  case IR_COPY_COMMIT: interp_copy_commit(&t->asyncs); return true;
  case IR_COPY_WAIT:
    return copy_wait_sets(m, t, &t->asyncs, insn->node->u.index.number);
  case IR_TMA_COMMIT: interp_copy_commit(&t->stores); return true;
  case IR_TMA_WAIT_READ:
    return wait_reads(m, t, &t->stores, insn->node->u.index.number);
  case IR_TMA_WAIT:
    return copy_wait_sets(m, t, &t->stores, insn->node->u.index.number);
  case IR_WGMMA_FENCE: return true;
  case IR_WGMMA_COMMIT: interp_copy_commit(&t->matrices); return true;
  case IR_WGMMA_WAIT:
    return copy_wait_sets(m, t, &t->matrices, insn->node->u.index.number);
  case IR_WGMMA_READ:
  case IR_TENSOR_TOUCH: return issue_part(m, t, insn);
  case IR_TENSOR_FENCE:
  case IR_TENSOR_ALLOC:
  case IR_TENSOR_DEALLOC: return true;
  case IR_MEMCPY_ASYNC: return issue_memcpy(m, t, insn);
  case IR_MEMCPY_WAIT: return wait_group(m, t, insn);
  case IR_TMA_LOAD:
  case IR_TMA_STORE:
  case IR_TMA_REDUCE: break; // done once for the group
  }
  return meet(m, t, insn);
}
