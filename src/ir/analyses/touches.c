// SPDX-License-Identifier: Apache-2.0
#include "ir/analyses/touches.h"

typedef struct {
  const IrNode *node;
  const IrOpInfo *info;
  IrTouchVisit visit;
  void *context;
} Toucher;

// ------------------------------------------------------------------ memory

static IrTouch memory_touch(const Toucher *t, uint32_t memory) {
  return (IrTouch){.kind = IR_TOUCH_MEMORY,
                   .proxy = ir_proxy(t->node),
                   .is_read = (memory & MEM_READ) != 0,
                   .is_write = (memory & MEM_WRITE) != 0};
}

// Operands as IrAccess says.
static bool touches_touch_element(const Toucher *t) {
  const IrNode *node = t->node;
  const IrAccess *access = &node->u.access;
  IrTouch touch = memory_touch(t, t->info->memory);
  uint32_t next = 0;
  if (!(t->info->memory & (MEM_READ | MEM_WRITE)))
    return true;
  touch.shape = IR_TOUCH_ELEMENT;
  touch.object = access->object;
  if (!access->object)
    touch.pointer = node->args[next++];
  touch.index = node->args + next;
  touch.n_index = access->n_index;
  next += access->n_index;
  touch.offset_bytes = access->offset_bytes;
  if (access->has_offset)
    touch.offset = node->args[next++];
  if (access->has_guard)
    touch.guard = node->args[next];
  touch.type = access->type;
  touch.bounds = access->bounds;
  touch.order = access->order;
  touch.scope = access->scope;
  touch.is_atomic = ir_is_atomic(node);
  return t->visit(&touch, t->context);
}

// A semaphore is of the device and acquires, or releases, whatever is written.
static bool touch_semaphore(const Toucher *t) {
  const IrAccess *access = &t->node->u.access;
  IrTouch touch = memory_touch(t, t->info->memory);
  touch.shape = IR_TOUCH_ELEMENT;
  touch.object = access->object;
  touch.pointer = access->object ? NULL : t->node->args[0];
  touch.index = t->node->args + (access->object ? 0 : 1);
  touch.n_index = access->n_index;
  touch.offset_bytes = access->offset_bytes;
  if (access->has_offset)
    touch.offset = touch.index[access->n_index];
  touch.type = access->type;
  touch.order = touch.is_write ? ORDER_RELEASE : ORDER_ACQUIRE;
  touch.scope = SCOPE_DEVICE;
  touch.is_atomic = true;
  return t->visit(&touch, t->context);
}

// What lies outside of a global array reads as zero and isn't written.
static bool touch_section(const Toucher *t, const IrSection *section,
                          uint32_t first, uint32_t memory) {
  IrTouch touch = memory_touch(t, memory);
  touch.shape = IR_TOUCH_SECTION;
  touch.object = section->object;
  touch.index = t->node->args + first;
  touch.n_index = section->object->rank;
  touch.length = section->length;
  touch.group = t->node->u.copy.group;
  touch.goes_on = true;
  if (section->object->space == SPACE_GLOBAL)
    touch.bounds = touch.is_write ? BOUNDS_DROP : BOUNDS_ZERO;
  touch.is_atomic = touch.is_write && touch.is_read;
  if (touch.is_atomic) {
    touch.order = ORDER_RELAXED;
    touch.scope = SCOPE_DEVICE;
  }
  if (touch.is_write && t->node->u.copy.has_mask)
    touch.mask = t->node->args[t->node->n_args - 1];
  return t->visit(&touch, t->context);
}

static bool touch_sections(const Toucher *t) {
  const IrSection *to = &t->node->u.copy.to, *from = &t->node->u.copy.from;
  return touch_section(t, from, to->object->rank, MEM_READ) &&
         touch_section(t, to, 0, MEM_WRITE);
}

static bool touch_row(const Toucher *t, const IrGroup *group, uint32_t pointer,
                      uint32_t memory) {
  IrTouch touch = memory_touch(t, memory);
  touch.shape = IR_TOUCH_BYTES;
  touch.pointer = t->node->args[pointer];
  touch.bytes = t->node->args[2];
  touch.group = group;
  touch.goes_on = true;
  return t->visit(&touch, t->context);
}

static bool touch_rows(const Toucher *t, const IrGroup *group) {
  return touch_row(t, group, 1, MEM_READ) && touch_row(t, group, 0, MEM_WRITE);
}

static bool touch_memory_op(const Toucher *t) {
  switch (ir_memory_op(t->node->op)) {
  case MEMORY_LOAD:
  case MEMORY_STORE:
  case MEMORY_RMW:
  case MEMORY_CAS: return touches_touch_element(t);
  case MEMORY_ADDRESS:
  case MEMORY_PTR_ADD:
  case MEMORY_PTR_DIFF:
  case MEMORY_MAP_SHARED:
  case MEMORY_SHARED_RANK: break;
  }
  return true;
}

static bool touch_copied(const Toucher *t) {
  switch (ir_copy_op(t->node->op)) {
  case COPY_COPY_ASYNC:
  case COPY_TMA_LOAD:
  case COPY_TMA_STORE: return touch_sections(t);
  case COPY_TMA_REDUCE:
    return touch_section(t, &t->node->u.copy.from,
                         t->node->u.copy.to.object->rank, MEM_READ) &&
           touch_section(t, &t->node->u.copy.to, 0, MEM_READ | MEM_WRITE);
  case COPY_COPY_BYTES:
  case COPY_COPY_BULK:
  case COPY_BULK_STORE: return touch_rows(t, t->node->u.copy.group);
  case COPY_MEMCPY_ASYNC: return touch_rows(t, t->node->u.group.group);
  case COPY_WGMMA_READ:
    return touch_section(t, &t->node->u.copy.from,
                         t->node->u.copy.to.object->rank, MEM_READ);
  case COPY_TENSOR_TOUCH:
    return touch_section(
        t, &t->node->u.copy.from, t->node->u.copy.to.object->rank,
        t->node->u.copy.to.object->is_tensor ? MEM_READ | MEM_WRITE : MEM_READ);
  case COPY_TENSOR_FENCE:
  case COPY_TENSOR_ALLOC:
  case COPY_TENSOR_DEALLOC:
  case COPY_WGMMA_FENCE:
  case COPY_WGMMA_COMMIT:
  case COPY_WGMMA_WAIT:
  case COPY_COPY_COMMIT:
  case COPY_COPY_WAIT:
  case COPY_TMA_COMMIT:
  case COPY_TMA_WAIT:
  case COPY_TMA_WAIT_READ:
  case COPY_MEMCPY_WAIT: break;
  }
  return true;
}

// ------------------------------------------------------- order and events

// What the form says of whom it is for.
static void name_event(const IrNode *node, IrTouch *touch) {
  switch (ir_op_info(node)->form) {
  case FORM_GROUP: touch->group = node->u.group.group; break;
  case FORM_BARRIER:
    touch->object = node->u.barrier.object;
    touch->index = node->args;
    touch->n_index = touch->object->rank;
    break;
  case FORM_COPY:
    touch->object = node->u.copy.barrier;
    touch->group = node->u.copy.group;
    if (!touch->object)
      break;
    touch->index = node->args + (ir_copies_bytes(node)
                                     ? 3
                                     : node->u.copy.to.object->rank +
                                           node->u.copy.from.object->rank);
    touch->n_index = touch->object->rank;
    break;
  case FORM_TILE:
  case FORM_SECTION:
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_INDEX:
  case FORM_ACCESS:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_PART:
  case FORM_EXIT:
  case FORM_COLLECTIVE: break;
  }
}

static IrScope scope_of_group(const IrGroup *group) {
  return group->kind == GROUP_GRID      ? SCOPE_DEVICE
         : group->kind == GROUP_CLUSTER ? SCOPE_CLUSTER
                                        : SCOPE_BLOCK;
}

// Who waits acquires, who signals releases.
static void set_order(const Toucher *t, IrTouch *touch) {
  bool waits = t->info->waits != EVENT_NONE;
  bool signals = t->info->signals != EVENT_NONE;
  touch->order = waits == signals ? ORDER_ACQ_REL
                 : waits          ? ORDER_ACQUIRE
                                  : ORDER_RELEASE;
  touch->proxy = t->info->proxy;
  touch->scope = SCOPE_BLOCK;
  if (t->node->op == IR_FENCE) {
    touch->order = t->node->u.text.order;
    touch->scope = t->node->u.text.scope;
  } else if (t->info->form == FORM_ACCESS) {
    touch->scope = SCOPE_DEVICE; // semaphores
  } else if (touch->group) {
    touch->scope = scope_of_group(touch->group);
  } else if (t->node->op == IR_MBAR_ARRIVE_REMOTE ||
             t->node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST) {
    touch->scope = SCOPE_CLUSTER;
  }
}

static bool touch_event(const Toucher *t, IrTouchKind kind, IrEvent event) {
  IrTouch touch = {.kind = kind, .event = event};
  if (event == EVENT_NONE)
    return true;
  name_event(t->node, &touch);
  return t->visit(&touch, t->context);
}

// A join that was dropped does nothing. A copy whose barrier counts its parts
// signals that, whichever event its row has without one.
static bool touch_events(const Toucher *t) {
  const IrNode *node = t->node;
  IrTouch order = {.kind = IR_TOUCH_ORDER};
  IrEvent signals = t->info->signals;
  if (node->op == IR_JOIN && node->u.group.join > JOIN_KEPT)
    return true;
  if (t->info->form == FORM_COPY && node->u.copy.barrier)
    signals = EVENT_MBARRIER;
  if (t->info->memory & MEM_ORDER) {
    name_event(node, &order);
    set_order(t, &order);
    if (!t->visit(&order, t->context))
      return false;
  }
  return touch_event(t, IR_TOUCH_WAIT, t->info->waits) &&
         touch_event(t, IR_TOUCH_SIGNAL, signals);
}

static bool touch_sync(const Toucher *t) {
  switch (ir_sync_op(t->node->op)) {
  case SYNC_SEMAPHORE_LOCK:
  case SYNC_SEMAPHORE_RELEASE: return touch_semaphore(t) && touch_events(t);
  case SYNC_FENCE:
  case SYNC_SYNC:
  case SYNC_JOIN:
  case SYNC_ARRIVE:
  case SYNC_WAIT:
  case SYNC_FENCE_ASYNC: return touch_events(t);
  }
  return true;
}

static bool touch_tile(const Toucher *t) {
  const IrNode *node = t->node;
  if (t->info->form != FORM_SECTION)
    return true;
  IrTouch touch = {.kind = IR_TOUCH_MEMORY,
                   .shape = IR_TOUCH_TILE,
                   .tile = node,
                   .object = node->u.section.object,
                   .index = node->args,
                   .n_index = node->u.section.object->rank,
                   .order = node->u.section.order,
                   .scope = node->u.section.scope,
                   .proxy = ir_proxy(node),
                   .is_read = t->info->memory & MEM_READ,
                   .is_write = t->info->memory & MEM_WRITE,
                   .type = node->u.section.object->element};
  touch.is_atomic = touch.order != ORDER_PLAIN;
  touch.goes_on = node->op == IR_WGMMA_LOAD || ir_is_tensor_op(node->op);
  if (!node->u.section.is_unchecked)
    touch.bounds = touch.is_write ? BOUNDS_DROP : BOUNDS_ZERO;
  return t->visit(&touch, t->context);
}

bool ir_touches(const IrNode *node, IrTouchVisit visit, void *context) {
  Toucher t = {node, ir_op_info(node), visit, context};
  switch (t.info->family) {
  case FAMILY_MEMORY: return touch_memory_op(&t);
  case FAMILY_SYNC: return touch_sync(&t);
  case FAMILY_MBARRIER: return touch_events(&t);
  case FAMILY_COPY: return touch_copied(&t) && touch_events(&t);
  case FAMILY_TILE: return touch_tile(&t) && touch_events(&t);
  case FAMILY_VALUE:
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_POSITION:
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE:
  case FAMILY_CLAIM:
  case FAMILY_EFFECT:
  case FAMILY_CONTROL:
  case FAMILY_COUNT: break;
  }
  return true;
}

static bool keep_memory(const IrTouch *touch, void *context) {
  IrTouch *found = context;
  if (touch->kind == IR_TOUCH_MEMORY)
    *found = *touch;
  return touch->kind == IR_TOUCH_MEMORY;
}

bool ir_main_touch(const IrNode *node, IrTouch *touch) {
  *touch = (IrTouch){.kind = IR_TOUCH_ORDER};
  ir_touches(node, keep_memory, touch); // writes come last
  return touch->kind == IR_TOUCH_MEMORY;
}
