// SPDX-License-Identifier: Apache-2.0
// Copies of a few bytes that one thread makes. They may land as soon as they
// are asked for: where nobody looks for waits that are missing (no checks, no
// schedule), they are a load and a store, and vectors with those of the other
// threads.
#include "codegen/code_parts.h"
#include "codegen/cpu/cpu_expand.h"

// The type that moves n bytes aligned to `align`; void: there is none.
static IrType expand_copy_moved_type(int64_t n, uint32_t align) {
  static const struct {
    uint8_t bytes, align, kind, lanes;
  } rows[] = {
      {1, 1, IR_TYPE_I8, 1},  {2, 2, IR_TYPE_I16, 1}, {4, 4, IR_TYPE_I32, 1},
      {8, 8, IR_TYPE_I64, 1}, {8, 4, IR_TYPE_I32, 2}, {16, 4, IR_TYPE_I32, 4},
  };

  IrType type = ir_scalar(IR_TYPE_VOID);
  for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].bytes == n && align >= rows[i].align) {
      type = ir_scalar(rows[i].kind);
      type.lanes = rows[i].lanes;
      return type;
    }
  return type;
}

bool cpu_copies_at_once(const CpuPlan *plan, const IrNode *node) {
  int64_t n = 0;
  return node->op == IR_COPY_BYTES && node->u.copy.group->size == 1 &&
         !plan->has_checks && !plan->is_scheduled &&
         code_const_int(node->args[2], &n) &&
         expand_copy_moved_type(n, node->u.copy.align_bytes).kind !=
             IR_TYPE_VOID;
}

// An access at the pointer; `value`: a store of it.
static IrNode *access_at(Expand *x, IrNode *pointer, IrType type,
                         uint32_t align_bytes, IrNode *value) {
  bool is_seen = pointer->op == IR_ADDRESS && !pointer->u.access.has_guard;
  IrNode *args[IR_MAX_RANK + 3];
  uint32_t n = 0;
  for (uint32_t i = 0; is_seen && i < pointer->n_args; i++)
    args[n++] = pointer->args[i];
  if (!is_seen)
    args[n++] = pointer;
  if (value)
    args[n++] = value;
  IrNode *node =
      expand_node_of(x, value ? IR_STORE : IR_LOAD,
                     value ? ir_scalar(IR_TYPE_VOID) : type, args, n);
  if (is_seen)
    node->u.access = pointer->u.access;
  node->u.access.type = type;
  node->u.access.align_bytes = align_bytes;
  return node;
}

void expand_copy(Expand *x, IrNode *node) {
  int64_t n = 0;
  code_const_int(node->args[2], &n);
  uint32_t align = node->u.copy.align_bytes;
  IrType type = expand_copy_moved_type(n, align);
  if (align > (uint32_t)n)
    align = (uint32_t)n;
  IrNode *value = access_at(x, node->args[1], type, align, NULL);
  (void)access_at(x, node->args[0], type, align, value);
}

// ------------------------------------------------------------ what is left

typedef struct {
  Arena *arena;
  bool has_sets;
  hd_vec(IrNode *) steps; // commits and waits
} Sets;

static bool expand_copy_find_sets(IrNode *node, void *context) {
  Sets *sets = context;
  bool is_copy = node->op == IR_COPY_ASYNC || node->op == IR_COPY_BYTES;
  sets->has_sets |= is_copy && !node->u.copy.barrier;
  if (node->op == IR_COPY_COMMIT || node->op == IR_COPY_WAIT)
    VEC_PUSH(sets->arena, &sets->steps, node);
  return true;
}

void expand_drop_sets(Expand *x) {
  Sets sets = {.arena = x->arena};
  ir_walk(&x->kernel->body, expand_copy_find_sets, &sets);
  for (uint32_t i = 0; !sets.has_sets && i < sets.steps.count; i++)
    ir_node_unlink(sets.steps.data[i]);
}
