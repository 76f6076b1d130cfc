// SPDX-License-Identifier: Apache-2.0
// What would mend a race of an update with itself, as in `bins[i] += 1`: the
// atomic operation that does the same.
#include "check/fix/fix.h"

#include <string.h>

typedef struct {
  const IrNode *store, *load, *value; // value: the store's, made of the load
  const IrNode *by;                   // the other operand
  IrRmw combine;
} Update;

// ---------------------------------------------------------------- updates

static bool fix_atomic_is_same_value(const IrNode *a, const IrNode *b) {
  return a == b || (a->op == IR_CONST && b->op == IR_CONST &&
                    a->type.kind == b->type.kind &&
                    a->u.constant.bits == b->u.constant.bits);
}

// The same element, plainly.
static bool fix_atomic_is_same_place(const IrNode *store, const IrNode *load) {
  const IrAccess *a = &store->u.access, *b = &load->u.access;
  if (load->op != IR_LOAD || !a->object || a->object != b->object ||
      a->order != ORDER_PLAIN || b->order != ORDER_PLAIN ||
      a->offset_bytes != b->offset_bytes || store->n_args != load->n_args + 1)
    return false;
  for (uint32_t i = 0; i < load->n_args; i++)
    if (!fix_atomic_is_same_value(store->args[i], load->args[i]))
      return false;
  return true;
}

static bool find_combine(const IrNode *value, IrRmw *out) {
  switch ((int)value->op) {
  case IR_ADD: *out = RMW_ADD; return true;
  case IR_AND: *out = RMW_AND; return true;
  case IR_OR: *out = RMW_OR; return true;
  case IR_XOR: *out = RMW_XOR; return true;
  case IR_SMIN: *out = RMW_SMIN; return true;
  case IR_SMAX: *out = RMW_SMAX; return true;
  case IR_UMIN: *out = RMW_UMIN; return true;
  case IR_UMAX: *out = RMW_UMAX; return true;
  default: return false;
  }
}

static bool fix_has_atomic_type(IrType type) {
  return type.lanes == 1 &&
         (type.kind == IR_TYPE_I32 || type.kind == IR_TYPE_I64 ||
          type.kind == IR_TYPE_F32);
}

typedef struct {
  const IrNode *of;
  uint32_t n;
} Uses;

static bool count_uses(IrNode *node, void *context) {
  Uses *uses = context;
  for (uint32_t i = 0; i < node->n_args; i++)
    uses->n += node->args[i] == uses->of;
  return true;
}

static bool is_used_once(const IrKernel *kernel, const IrNode *node) {
  Uses uses = {node, 0};
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, count_uses, &uses);
  return uses.n == 1;
}

static bool find_update(const IrKernel *kernel, const IrNode *store,
                        Update *out) {
  const IrNode *value = store->n_args ? store->args[store->n_args - 1] : NULL;
  if (store->op != IR_STORE || !find_combine(value, &out->combine) ||
      !fix_has_atomic_type(value->type))
    return false;
  for (uint32_t i = 0; i < 2; i++) {
    const IrNode *load = value->args[i];
    if (!fix_atomic_is_same_place(store, load) || !is_used_once(kernel, load) ||
        !is_used_once(kernel, value) || !fix_same_line(kernel, load, store))
      continue;
    out->store = store;
    out->value = value;
    out->load = load;
    out->by = value->args[1 - i];
    return true;
  }
  return false;
}

// ----------------------------------------------------------------- change

static bool make_atomic(IrKernel *copy, const void *context) {
  enum { MOST = IR_MAX_RANK + 1 };

  const Update *update = context;
  IrNode *store = fix_copy_of(copy, update->store);
  IrNode *load = fix_copy_of(copy, update->load);
  IrNode *value = fix_copy_of(copy, update->value);
  IrNode *args[MOST];
  if (!store || !load || !value || store->n_args > MOST)
    return false;
  memcpy(args, store->args, store->n_args * sizeof(IrNode *));
  args[store->n_args - 1] =
      value->args[update->value->args[0] == update->load ? 1 : 0];
  IrNode *made = ir_node_new(copy, NULL, IR_RMW, value->type, store->loc, args,
                             store->n_args);
  made->u.access = store->u.access;
  made->u.access.order = ORDER_RELAXED;
  made->u.access.scope = SCOPE_DEVICE;
  made->u.access.rmw = update->combine;
  ir_node_insert_before(store, made);
  ir_node_unlink(store);
  ir_node_unlink(value);
  ir_node_unlink(load);
  return true;
}

// ------------------------------------------------------------------- text

static VocabularyWord fix_atomic_word_of(IrRmw combine) {
  switch ((int)combine) {
  case RMW_ADD: return WORD_atomic_add;
  case RMW_AND: return WORD_atomic_and;
  case RMW_OR: return WORD_atomic_or;
  case RMW_XOR: return WORD_atomic_xor;
  case RMW_SMIN:
  case RMW_UMIN: return WORD_atomic_min;
  default: return WORD_atomic_max;
  }
}

static bool is_of(const IrNode *node, const Update *update) {
  return !node || node == update->store || node == update->load;
}

const char *fix_atomic(Check *check, const Finding *finding) {
  const IrKernel *kernel = check->kernel;
  const IrNode *sides[2] = {finding->node, finding->other};
  Update update;
  for (int i = 0; i < 2; i++) {
    if (!sides[i] || !find_update(kernel, sides[i], &update) ||
        !is_of(sides[0], &update) || !is_of(sides[1], &update))
      continue;
    if (!fix_try(check, finding, make_atomic, &update))
      return NULL;
    const IrObject *object = update.store->u.access.object;
    uint32_t line = kernel->module->locs.data[update.store->loc].place.line;
    return arena_printf(
        check->arena,
        "%s(&%s%s, …) for the update in line %u (proved: this removes the "
        "race)",
        check_word(check, fix_atomic_word_of(update.combine), NULL, NULL),
        object->name, object->rank ? "[…]" : "", line);
  }
  return NULL;
}
