// SPDX-License-Identifier: Apache-2.0
// Scalars in a thread's own memory become variables.
//
// A function that takes a reference or a pointer makes the variable it is given
// an object in memory. Once the call is inlined, all that is left is mostly
// loads and stores of the whole of it, which every analysis follows better as
// a variable.
#include "ir/analysis.h"

#include <string.h>

typedef struct {
  IrKernel *kernel;
  bool *is_kept; // by object: it stays in memory
  uint32_t *var; // by object: its variable + 1
  bool is_changed;
} Promotion;

static bool is_scalar_type(IrType type) {
  return type.lanes == 1 && (ir_type_is_int(type) || ir_type_is_float(type) ||
                             type.kind == IR_TYPE_BOOL);
}

static bool is_candidate(const IrObject *object) {
  return object->kind == OBJECT_ARRAY && object->space == SPACE_LOCAL &&
         object->rank == 0 && object->param < 0 && !object->initial &&
         is_scalar_type(object->element);
}

// A plain load or store of all of it.
static bool is_whole_access(const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if ((node->op != IR_LOAD && node->op != IR_STORE) || access->n_index > 0 ||
      access->has_offset || access->has_guard || access->offset_bytes ||
      access->order != ORDER_PLAIN || node->n_args != (node->op == IR_STORE))
    return false;
  IrType moved = node->op == IR_LOAD ? node->type : node->args[0]->type;
  return ir_type_equal(moved, access->object->element);
}

static void keep(Promotion *p, const IrObject *object) {
  if (object && object->id < p->kernel->objects.count &&
      p->kernel->objects.data[object->id] == object)
    p->is_kept[object->id] = true;
}

static bool find_kept(IrNode *node, void *context) {
  Promotion *p = context;
  switch (ir_op_info(node)->form) {
  case FORM_ACCESS:
    if (node->u.access.object && !is_whole_access(node))
      keep(p, node->u.access.object);
    break;
  case FORM_INDEX: keep(p, node->u.index.object); break;
  case FORM_BARRIER: keep(p, node->u.barrier.object); break;
  case FORM_COPY:
    keep(p, node->u.copy.to.object);
    keep(p, node->u.copy.from.object);
    keep(p, node->u.copy.barrier);
    break;
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_GROUP:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_PART:
  case FORM_EXIT:
  case FORM_COLLECTIVE: break;
  }
  return true;
}

static bool rewrite(IrNode *node, void *context) {
  Promotion *p = context;
  if (ir_op_info(node)->form != FORM_ACCESS || !node->u.access.object)
    return true;
  const IrObject *object = node->u.access.object;
  bool is_own = object->id < p->kernel->objects.count &&
                p->kernel->objects.data[object->id] == object;
  if (!is_own || p->is_kept[object->id])
    return true;
  if (!p->var[object->id])
    p->var[object->id] =
        ir_var_new(p->kernel, object->name, object->element) + 1;
  node->op = node->op == IR_LOAD ? IR_GET : IR_SET;
  memset(&node->u, 0, sizeof node->u);
  node->u.variable.var = p->var[object->id] - 1;
  p->is_changed = true;
  return true;
}

static void drop_objects(Promotion *p) {
  IrKernel *kernel = p->kernel;
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    IrObject *object = kernel->objects.data[i];
    if (!p->is_kept[i])
      continue;
    object->id = n_kept;
    kernel->objects.data[n_kept++] = object;
  }
  kernel->objects.count = n_kept;
}

bool ir_promote(IrKernel *kernel) {
  Arena *scratch = arena_new();
  uint32_t n = kernel->objects.count;
  Promotion p = {.kernel = kernel,
                 .is_kept = ARENA_ARRAY(scratch, bool, n + 1),
                 .var = ARENA_ARRAY(scratch, uint32_t, n + 1)};
  for (uint32_t i = 0; i < n; i++)
    p.is_kept[i] = !is_candidate(kernel->objects.data[i]);
  ir_walk(&kernel->body, find_kept, &p);
  ir_walk(&kernel->body, rewrite, &p);
  if (p.is_changed)
    drop_objects(&p);
  arena_free(scratch);
  return p.is_changed;
}
