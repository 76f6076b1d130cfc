// SPDX-License-Identifier: Apache-2.0
// Accesses through pointers to a thread's own objects name the object.
//
// A class that refers to another one, as what operator[] gives, holds a pointer
// to it. Once calls are inlined that pointer is mostly a variable that is set
// once: what goes through it is an access of that object, and where nothing
// else asks for its address, the object's values are followed like any other.
#include "ir/analyses/analysis.h"
#include "ir/form/order.h"

#include <string.h>

typedef struct {
  IrKernel *kernel;
  const NodeOrder *order;
  const IrNode **only; // by variable: its `set`; NULL: none, or several
  bool *is_left;       // by id: an exit leaves the block or call early
  bool has_changed;
} Pointers;

typedef struct {
  IrObject *object;
  int64_t offset_bytes;
} OwnPlace;

enum { MOST_STEPS = 64 };

// Whoever gets behind this region's owner has been through all of it.
static bool is_passed_whole(const Pointers *p, const IrNode *owner) {
  return owner && (owner->op == IR_BLOCK || owner->op == IR_CALL) &&
         !p->is_left[owner->id];
}

// Every way to `get` leads through `set`.
static bool is_set_before(const Pointers *p, const IrNode *set,
                          const IrNode *get) {
  const IrRegion *region = set->region;
  while (region && is_passed_whole(p, region->owner))
    region = region->owner->region;
  return region && order_in_region(p->order, region, get) &&
         p->order->position[set->id] < p->order->position[get->id];
}

static bool own_pointers_place_of(const Pointers *p, const IrNode *value,
                                  OwnPlace *out) {
  int64_t offset = 0;
  for (int i = 0; i < MOST_STEPS; i++) {
    switch ((int)value->op) {
    case IR_ADDRESS: {
      const IrAccess *access = &value->u.access;
      if (!access->object || access->object->space != SPACE_LOCAL ||
          access->object->rank != 0 || value->n_args != 0)
        return false;
      *out = (OwnPlace){access->object, offset + (int64_t)access->offset_bytes};
      return true;
    }
    case IR_GET: {
      const IrNode *set = p->only[value->u.variable.var];
      if (!set || !is_set_before(p, set, value))
        return false;
      value = set->args[0];
      break;
    }
    case IR_PTR_ADD:
      if (value->args[1]->op != IR_CONST)
        return false;
      offset += (int64_t)value->args[1]->u.constant.bits;
      value = value->args[0];
      break;
    default: return false;
    }
  }
  return false;
}

static void own_pointers_find_sets(Pointers *p, Arena *scratch) {
  const NodeOrder *order = p->order;
  bool *is_bad = ARENA_ARRAY(scratch, bool, p->kernel->vars.count + 1);
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if (node->op == IR_FOR)
      is_bad[node->u.loop.var] = true;
    else if (node->op == IR_THREAD_FOR)
      is_bad[node->u.part.var] = true;
    else if (node->op == IR_EXIT && node->u.exit.target)
      p->is_left[node->u.exit.target->id] = true;
    else if (ir_is_operator(node))
      is_bad[node->u.by.left] = is_bad[node->u.by.right] = true;
    if (node->op != IR_SET)
      continue;
    uint32_t var = node->u.variable.var;
    is_bad[var] = is_bad[var] || p->only[var];
    p->only[var] = node;
  }
  for (uint32_t i = 0; i < p->kernel->vars.count; i++)
    if (is_bad[i])
      p->only[i] = NULL;
}

// What reaches outside of the object is an error to be told, with the pointer.
static void name_object(Pointers *p, IrNode *node) {
  IrAccess *access = &node->u.access;
  bool is_meant = (node->op == IR_LOAD || node->op == IR_STORE) &&
                  !access->object && access->order == ORDER_PLAIN &&
                  !access->has_guard && node->n_args > 0;
  OwnPlace place;
  if (!is_meant || !own_pointers_place_of(p, node->args[0], &place))
    return;
  int64_t offset = place.offset_bytes + (int64_t)access->offset_bytes;
  int64_t end = offset + (int64_t)ir_type_size(p->kernel->module, access->type);
  if (offset < 0 || end > (int64_t)place.object->element_bytes)
    return;
  access->object = place.object;
  access->offset_bytes = (uint32_t)offset;
  node->n_args--;
  memmove(node->args, node->args + 1, node->n_args * sizeof(IrNode *));
  p->has_changed = true;
}

// Of objects whose address nothing asks for any more.
static void forget_addresses(IrKernel *kernel, Arena *scratch) {
  const NodeOrder *order = node_order(scratch, kernel);
  bool *is_used = ARENA_ARRAY(scratch, bool, kernel->objects.count + 1);
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    const IrObject *object =
        node->op == IR_ADDRESS ? node->u.access.object : NULL;
    if (object && object->id < kernel->objects.count)
      is_used[object->id] = true;
  }
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    IrObject *object = kernel->objects.data[i];
    if (object->space == SPACE_LOCAL && object->param < 0 && !is_used[i])
      object->address_taken = false;
  }
}

bool ir_name_own(IrKernel *kernel) {
  Arena *scratch = arena_new();
  ir_kernel_renumber(kernel);
  Pointers p = {.kernel = kernel, .order = node_order(scratch, kernel)};
  p.only = ARENA_ARRAY(scratch, const IrNode *, kernel->vars.count + 1);
  p.is_left = ARENA_ARRAY(scratch, bool, kernel->n_nodes + 1);
  own_pointers_find_sets(&p, scratch);
  for (uint32_t i = 0; i < p.order->n_nodes; i++)
    name_object(&p, p.order->nodes[i]);
  if (p.has_changed) {
    ir_simplify(kernel);
    forget_addresses(kernel, scratch);
  }
  arena_free(scratch);
  return p.has_changed;
}
