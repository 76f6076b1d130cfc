// SPDX-License-Identifier: Apache-2.0
// Scalars and members of structs in a thread's own memory become variables.
//
// A function that takes a reference or a pointer makes the variable it is given
// an object in memory, as a method does with its object. Once the call is
// inlined, all that is left is mostly loads and stores of the same parts, which
// every analysis follows better as variables.
#include "ir/analyses/analysis.h"
#include "ir/form/order.h"

#include <stdlib.h>
#include <string.h>

// What is loaded and stored at one place of an object.
typedef struct {
  const IrObject *object;
  uint32_t offset, size;
  IrType type;
  uint32_t var;
} Part;

typedef struct {
  IrKernel *kernel;
  Arena *arena;
  bool *is_kept; // by object: it stays in memory
  hd_vec(Part) parts;
  Map part_at; // object and offset to index + 1
  bool is_changed;
} Promotion;

static bool promote_is_candidate(const IrObject *object) {
  return object->kind == OBJECT_ARRAY && object->space == SPACE_LOCAL &&
         object->rank == 0 && object->param < 0 && !object->initial;
}

static bool is_scalar_type(IrType type) {
  bool is_shared_pointer =
      type.kind == IR_TYPE_PTR && type.space != SPACE_LOCAL;
  return type.lanes == 1 && (ir_type_is_int(type) || ir_type_is_float(type) ||
                             type.kind == IR_TYPE_BOOL || is_shared_pointer);
}

// A plain load or store at a constant place.
static bool promote_is_simple(const IrNode *node) {
  const IrAccess *access = &node->u.access;
  return (node->op == IR_LOAD || node->op == IR_STORE) &&
         access->n_index == 0 && !access->has_offset && !access->has_guard &&
         access->order == ORDER_PLAIN && node->n_args == (node->op == IR_STORE);
}

static IrType moved_type(const IrNode *node) {
  return node->op == IR_LOAD ? node->type : node->args[0]->type;
}

static bool promote_is_own(const Promotion *p, const IrObject *object) {
  return object && object->id < p->kernel->objects.count &&
         p->kernel->objects.data[object->id] == object;
}

static uint64_t promote_key_of(const IrObject *object, uint32_t offset) {
  return ((uint64_t)object->id << 32 | offset) + 1;
}

static Part *promote_part_of(const Promotion *p, const IrAccess *access) {
  uintptr_t at = (uintptr_t)map_get(
      &p->part_at, promote_key_of(access->object, access->offset_bytes));
  return at ? &p->parts.data[at - 1] : NULL;
}

// What reaches outside, or isn't aligned as it says, is an error to be told.
static bool is_sound(const Promotion *p, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  uint64_t end = (uint64_t)access->offset_bytes +
                 ir_type_size(p->kernel->module, moved_type(node));
  return end <= object->element_bytes &&
         (access->align_bytes <= 1 ||
          (access->align_bytes <= object->align_bytes &&
           access->offset_bytes % access->align_bytes == 0));
}

static void promote_keep(Promotion *p, const IrObject *object) {
  if (promote_is_own(p, object))
    p->is_kept[object->id] = true;
}

static void promote_note_access(Promotion *p, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if (!promote_is_own(p, access->object) || p->is_kept[access->object->id])
    return;
  if (!promote_is_simple(node) || !is_scalar_type(moved_type(node)) ||
      !is_sound(p, node)) {
    promote_keep(p, access->object);
    return;
  }
  IrType type = moved_type(node);
  const Part *known = promote_part_of(p, access);
  if (known) {
    if (!ir_type_equal(known->type, type))
      promote_keep(p, access->object);
    return;
  }
  Part part = {.object = access->object,
               .offset = access->offset_bytes,
               .size = ir_type_size(p->kernel->module, type),
               .type = type,
               .var = UINT32_MAX};
  VEC_PUSH(p->arena, &p->parts, part);
  map_put(p->arena, &p->part_at, promote_key_of(part.object, part.offset),
          (void *)(uintptr_t)p->parts.count);
}

static bool promote_find_parts(IrNode *node, void *context) {
  Promotion *p = context;
  switch (ir_op_info(node)->form) {
  case FORM_ACCESS: promote_note_access(p, node); break;
  case FORM_INDEX: promote_keep(p, node->u.index.object); break;
  case FORM_BARRIER: promote_keep(p, node->u.barrier.object); break;
  case FORM_COPY:
    promote_keep(p, node->u.copy.to.object);
    promote_keep(p, node->u.copy.from.object);
    promote_keep(p, node->u.copy.barrier);
    break;
  case FORM_SECTION: promote_keep(p, node->u.section.object); break;
  case FORM_TILE:
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

static int promote_by_place(const void *a, const void *b) {
  const Part *x = *(const Part *const *)a, *y = *(const Part *const *)b;
  if (x->object != y->object)
    return x->object->id < y->object->id ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

// Parts of one object that have bytes in common stay in memory.
static void keep_overlapping(Promotion *p) {
  uint32_t n = p->parts.count;
  const Part **sorted = ARENA_ARRAY(p->arena, const Part *, n + 1);
  for (uint32_t i = 0; i < n; i++)
    sorted[i] = &p->parts.data[i];
  qsort(sorted, n, sizeof(const Part *), promote_by_place);
  for (uint32_t i = 0; i + 1 < n; i++)
    if (sorted[i]->object == sorted[i + 1]->object &&
        sorted[i]->offset + sorted[i]->size > sorted[i + 1]->offset)
      promote_keep(p, sorted[i]->object);
}

static bool promote_rewrite(IrNode *node, void *context) {
  Promotion *p = context;
  if (ir_op_info(node)->form != FORM_ACCESS ||
      !promote_is_own(p, node->u.access.object) ||
      p->is_kept[node->u.access.object->id])
    return true;
  Part *part = promote_part_of(p, &node->u.access);
  if (part->var == UINT32_MAX) {
    part->var = ir_var_new(p->kernel, part->object->name, part->type);
    p->kernel->vars.data[part->var].loop =
        ir_loop_around(part->object->lifetime);
  }
  node->op = node->op == IR_LOAD ? IR_GET : IR_SET;
  memset(&node->u, 0, sizeof node->u);
  node->u.variable.var = part->var;
  p->is_changed = true;
  return true;
}

static void drop_objects(const Promotion *p) {
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
                 .arena = scratch,
                 .is_kept = ARENA_ARRAY(scratch, bool, n + 1)};
  for (uint32_t i = 0; i < n; i++)
    p.is_kept[i] = !promote_is_candidate(kernel->objects.data[i]);
  ir_walk(&kernel->body, promote_find_parts, &p);
  keep_overlapping(&p);
  ir_walk(&kernel->body, promote_rewrite, &p);
  if (p.is_changed)
    drop_objects(&p);
  arena_free(scratch);
  return p.is_changed;
}
