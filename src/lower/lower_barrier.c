// SPDX-License-Identifier: Apache-2.0
// Mbarriers, tokens, semaphores, fences.
#include "lower/lower_barrier.h"

static Value lower_barrier_no_value(Lowering *lw) {
  return lower_value_leaves(lw, NULL, 0);
}

// ------------------------------------------------------------------ objects

IrObject *lower_new_barrier(Lowering *lw, const char *name, int64_t arrivals) {
  IrObject *object =
      ir_object_new(lw->kernel, name, SPACE_SHARED, ir_scalar(IR_TYPE_I64));
  object->kind = OBJECT_MBARRIER;
  object->arrivals = (uint32_t)arrivals;
  object->align_bytes = 8;
  object->layout = LAYOUT_ROW_MAJOR;
  object->group = lw->group;
  object->loc = lw->loc;
  return object;
}

void lower_bind_mbarrier(Lowering *lw, const TVar *var) {
  IrObject *object = lower_new_barrier(lw, var->name, var->count);
  lower_shape(lw, object, var->type);
  object->layout = LAYOUT_ROW_MAJOR;
  object->element_bytes = 8;
  object->is_cluster_shared = var->is_cluster_shared;
  if (var->is_cluster_shared)
    object->group = lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  Binding binding = {.kind = BIND_OBJECT, .type = var->type, .object = object};
  lower_bind(lw, var, &binding);
}

// ------------------------------------------------------------------- places

static BarrierPlace place_of_var(Lowering *lw, const TVar *var) {
  const Binding *binding = lower_binding(lw, var);
  if (!binding)
    HD_PANIC("barrier '%s' is used before it exists", var->name);
  if (binding->kind == BIND_BARRIER)
    return *binding->barrier;
  return (BarrierPlace){.object = binding->object};
}

BarrierPlace lower_barrier_place(Lowering *lw, const TExpr *expr) {
  if (expr->kind == TEXPR_BUILTIN)
    return lower_full_place(lw, expr);
  if (expr->kind == TEXPR_VAR)
    return place_of_var(lw, expr->u.var);
  BarrierPlace place = lower_barrier_place(lw, expr->u.index.base);
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++) {
    HD_ASSERT(place.n_indices < IR_MAX_RANK);
    place.indices[place.n_indices++] =
        lower_index(lw, expr->u.index.indices[i]);
  }
  return place;
}

const Binding *lower_named_argument(Lowering *lw, const TExpr *arg) {
  const Type *base = type_array_base(arg->type, &(uint32_t){0});
  if (type_is(base, TY_PIPELINE))
    return lower_binding(lw, arg->u.var);
  if (!type_is(base, TY_MBARRIER))
    return NULL;
  BarrierPlace *place = ARENA_NEW(lw->scratch, BarrierPlace);
  *place = lower_barrier_place(lw, arg);
  Binding *binding = ARENA_NEW(lw->scratch, Binding);
  binding->kind = BIND_BARRIER;
  binding->type = arg->type;
  binding->barrier = place;
  return binding;
}

// --------------------------------------------------------------- operations

IrNode *lower_barrier_op(Lowering *lw, IrOp op, IrType type,
                         const BarrierPlace *place, IrNode *const *operands,
                         uint32_t n_operands) {
  IrNode *args[IR_MAX_RANK + 2];
  uint32_t n_args = 0;
  HD_ASSERT(place->n_indices == place->object->rank);
  for (uint32_t i = 0; i < place->n_indices; i++)
    args[n_args++] = place->indices[i];
  for (uint32_t i = 0; i < n_operands; i++)
    args[n_args++] = operands[i];
  IrNode *node = lower_emit(lw, op, type, args, n_args);
  node->u.barrier.object = place->object;
  return node;
}

static bool lower_barrier_has_parity(IrOp op) {
  return op == IR_MBAR_WAIT || op == IR_MBAR_TEST;
}

// Parities count modulo 2.
static IrNode *lower_barrier_parity_of(Lowering *lw, IrNode *node) {
  int64_t value;
  if (lower_is_const(node, &value))
    return lower_i32(lw, value & 1);
  return lower_emit2(lw, IR_AND, node->type, node, lower_i32(lw, 1));
}

static Value barrier(Lowering *lw, const TExpr *expr, IrOp op,
                     IrTypeKind type) {
  BarrierPlace place = lower_barrier_place(lw, expr->u.builtin.args[0]);
  IrNode *operands[2];
  uint32_t n_operands = expr->u.builtin.n_args - 1;
  for (uint32_t i = 0; i < n_operands; i++)
    operands[i] = lower_scalar(lw, expr->u.builtin.args[i + 1]);
  if (lower_barrier_has_parity(op))
    operands[0] = lower_barrier_parity_of(lw, operands[0]);
  if (op == IR_MBAR_ARRIVE_REMOTE)
    lower_owe_rank(lw, operands[0]);
  if (op == IR_MBAR_ARRIVE_EXPECT_MULTICAST)
    lower_owe_mask(lw, operands[1]);
  IrNode *node =
      lower_barrier_op(lw, op, ir_scalar(type), &place, operands, n_operands);
  return type == IR_TYPE_VOID ? lower_barrier_no_value(lw)
                              : lower_value_node(node);
}

// By the thread that asks for products. No lane is left behind at a wait when
// what it waits for goes on.
static Value tensor_commit(Lowering *lw, const TExpr *expr) {
  IrNode *sync = lower_emit(lw, IR_SYNC, ir_scalar(IR_TYPE_VOID), NULL, 0);
  sync->u.group.group = lw->group;
  SingleThread saved = lower_begin_first(lw);
  Value none = barrier(lw, expr, IR_MBAR_TENSOR, IR_TYPE_VOID);
  lower_end_single(lw, saved);
  return none;
}

static Value group_arrive(Lowering *lw, const TExpr *expr) {
  IrGroup *group = lower_group_ref(lw, expr->u.builtin.args[0]);
  IrNode *node = lower_emit(lw, IR_ARRIVE, ir_scalar(IR_TYPE_TOKEN), NULL, 0);
  node->u.group.group = group;
  return lower_value_node(node);
}

static Value group_wait(Lowering *lw, const TExpr *expr) {
  IrGroup *group = lower_group_ref(lw, expr->u.builtin.args[0]);
  IrNode *token = lower_scalar(lw, expr->u.builtin.args[1]);
  IrNode *node = lower_emit1(lw, IR_WAIT, ir_scalar(IR_TYPE_VOID), token);
  node->u.group.group = group;
  return lower_barrier_no_value(lw);
}

static Value semaphore(Lowering *lw, const TExpr *expr, IrOp op) {
  const Address *address = lower_pointer(lw, expr->u.builtin.args[0]);
  IrNode *value = lower_scalar(lw, expr->u.builtin.args[1]);
  IrNode *node =
      lower_access(lw, op, address, ir_scalar(IR_TYPE_I32), 4, &value, 1);
  node->u.access.order =
      op == IR_SEMAPHORE_LOCK ? ORDER_ACQUIRE : ORDER_RELEASE;
  node->u.access.scope = SCOPE_DEVICE;
  return lower_barrier_no_value(lw);
}

bool lower_builtin_barrier(Lowering *lw, const TExpr *expr, Value *out) {
  switch ((int)expr->u.builtin.id) {
  case BI_GROUP_ARRIVE: *out = group_arrive(lw, expr); return true;
  case BI_GROUP_WAIT: *out = group_wait(lw, expr); return true;
  case BI_MBAR_ARRIVE:
    *out = barrier(lw, expr, IR_MBAR_ARRIVE, IR_TYPE_TOKEN);
    return true;
  case BI_MBAR_ARRIVE_DROP:
    *out = barrier(lw, expr, IR_MBAR_ARRIVE_DROP, IR_TYPE_TOKEN);
    return true;
  case BI_MBAR_WAIT:
    *out = barrier(lw, expr, IR_MBAR_WAIT, IR_TYPE_VOID);
    return true;
  case BI_MBAR_WAIT_TOKEN:
    *out = barrier(lw, expr, IR_MBAR_WAIT_TOKEN, IR_TYPE_VOID);
    return true;
  case BI_MBAR_TEST:
    *out = barrier(lw, expr, IR_MBAR_TEST, IR_TYPE_BOOL);
    return true;
  case BI_MBAR_TEST_TOKEN:
    *out = barrier(lw, expr, IR_MBAR_TEST_TOKEN, IR_TYPE_BOOL);
    return true;
  case BI_MBAR_INIT:
    *out = barrier(lw, expr, IR_MBAR_INIT, IR_TYPE_VOID);
    return true;
  case BI_MBAR_EXPECT:
    *out = barrier(lw, expr, IR_MBAR_EXPECT, IR_TYPE_VOID);
    return true;
  case BI_MBAR_ARRIVE_EXPECT:
    *out = barrier(lw, expr, IR_MBAR_ARRIVE_EXPECT, IR_TYPE_TOKEN);
    return true;
  case BI_MBAR_ARRIVE_REMOTE:
    *out = barrier(lw, expr, IR_MBAR_ARRIVE_REMOTE, IR_TYPE_VOID);
    return true;
  case BI_MBAR_TENSOR: *out = tensor_commit(lw, expr); return true;
  case BI_MBAR_ARRIVE_MULTICAST:
    *out = barrier(lw, expr, IR_MBAR_ARRIVE_EXPECT_MULTICAST, IR_TYPE_VOID);
    return true;
  case BI_DRAIN:
    lower_drain_slots(lw, expr);
    *out = lower_barrier_no_value(lw);
    return true;
  case BI_SLOT: *out = lower_value_node(lower_slot(lw, expr)); return true;
  case BI_SEMAPHORE_LOCK:
    *out = semaphore(lw, expr, IR_SEMAPHORE_LOCK);
    return true;
  case BI_SEMAPHORE_RELEASE:
    *out = semaphore(lw, expr, IR_SEMAPHORE_RELEASE);
    return true;
  case BI_FENCE_ASYNC:
    lower_emit(lw, IR_FENCE_ASYNC, ir_scalar(IR_TYPE_VOID), NULL, 0);
    *out = lower_barrier_no_value(lw);
    return true;
  default: return lower_builtin_copy(lw, expr, out);
  }
}
