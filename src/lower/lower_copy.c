// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, and pointers into other blocks' shared memory.
#include "lower/lower_barrier.h"

static Value no_value(Lowering *lw) {
  return lower_value_leaves(lw, NULL, 0);
}

// ----------------------------------------------------------------- sections

typedef struct {
  IrNode *args[3 * IR_MAX_RANK + 1];
  uint32_t n_args;
} CopyArgs;

static uint64_t lower_copy_section_bytes(const IrSection *section) {
  uint64_t bytes = section->object->element_bytes;
  for (uint32_t i = 0; i < section->object->rank; i++)
    bytes *= (uint64_t)section->length[i];
  return bytes;
}

static Value lower_copy(Lowering *lw, const TExpr *expr, IrOp op) {
  CopyArgs args = {.n_args = 0};
  IrSection to = {0}, from = {0};
  bool fills = op != IR_COPY_ASYNC;
  if (!lower_section(lw, expr->u.builtin.args[0]->u.section, fills, &to,
                     args.args, &args.n_args) ||
      !lower_section(lw, expr->u.builtin.args[1]->u.section, fills, &from,
                     args.args, &args.n_args))
    return no_value(lw);
  IrObject *object = NULL;
  bool has_mask = expr->u.builtin.n_args > 3;
  if (expr->u.builtin.n_args > 2) {
    BarrierPlace place = lower_barrier_place(lw, expr->u.builtin.args[2]);
    for (uint32_t i = 0; i < place.n_indices; i++)
      args.args[args.n_args++] = place.indices[i];
    object = place.object;
    lower_count_copy(lw, &place, lower_copy_section_bytes(&to),
                     op == IR_TMA_LOAD);
  }
  if (has_mask) {
    IrNode *mask = lower_scalar(lw, expr->u.builtin.args[3]);
    lower_owe_mask(lw, mask);
    args.args[args.n_args++] = mask;
  }
  IrNode *node =
      lower_emit(lw, op, ir_scalar(IR_TYPE_VOID), args.args, args.n_args);
  node->u.copy.group = lw->group;
  node->u.copy.to = to;
  node->u.copy.from = from;
  node->u.copy.barrier = object;
  node->u.copy.has_mask = has_mask;
  if (op == IR_TMA_REDUCE)
    node->u.copy.rmw =
        lower_rmw_of(expr->u.builtin.combine, expr->u.builtin.args[0]->type);
  return no_value(lw);
}

// COPY_WAIT, TMA_WAIT, TMA_WAIT_READ with their number; the others have none.
static Value lower_copy_step(Lowering *lw, const TExpr *expr, IrOp op) {
  if (expr->u.builtin.n_args == 0)
    lower_emit(lw, op, ir_scalar(IR_TYPE_VOID), NULL, 0);
  else
    lower_index_op(lw, op, ir_scalar(IR_TYPE_VOID),
                   (uint32_t)expr->u.builtin.args[0]->u.value.u, NULL);
  return no_value(lw);
}

// -------------------------------------------------------------------- bytes

static IrNode *pointer_node(Lowering *lw, const TExpr *expr) {
  return lower_pointer_node(lw, lower_pointer(lw, expr),
                            expr->type->u.pointer.space);
}

static Value copy_bytes(Lowering *lw, const TExpr *expr) {
  TExpr *const *args = expr->u.builtin.args;
  IrGroup *group = lower_group_ref(lw, args[0]);
  IrNode *operands[] = {pointer_node(lw, args[1]), pointer_node(lw, args[2]),
                        lower_scalar(lw, args[3])};
  lower_owe_bytes(lw, operands[2]);
  IrNode *node =
      lower_emit(lw, IR_MEMCPY_ASYNC, ir_scalar(IR_TYPE_VOID), operands, 3);
  node->u.group.group = group;
  return no_value(lw);
}

// What the type that is pointed to says of addresses.
static uint32_t pointee_align(const TExpr *expr) {
  const Type *to = expr->type->u.pointer.pointee;
  uint32_t align = type_is_complete(to) ? (uint32_t)to->align_bytes : 1;
  return align > 16 ? 16 : align > 0 ? align : 1;
}

typedef struct {
  const Address *to, *from;
  IrNode *n_bytes; // i64
  uint32_t unit;   // bytes that are moved at a time
  IrGroup *group;
} Row;

static IrNode *units(Lowering *lw, IrNode *bytes, const Row *row) {
  return lower_emit2(lw, IR_SDIV, ir_scalar(IR_TYPE_I64), bytes,
                     lower_i64(lw, row->unit));
}

// How many units the thread has: those of its rank, rank + size, …
static IrNode *own_units(Lowering *lw, const Row *row, IrNode *rank,
                         IrNode *size) {
  IrType type = ir_scalar(IR_TYPE_I64);
  IrNode *rest = lower_emit2(lw, IR_SUB, type, units(lw, row->n_bytes, row),
                             lower_emit2(lw, IR_SUB, type, rank, size));
  rest = lower_emit2(lw, IR_SUB, type, rest, lower_i64(lw, 1));
  return lower_emit2(lw, IR_SDIV, type, rest, size);
}

static Address *moved_by(Lowering *lw, const Address *address, IrNode *bytes) {
  Address *moved = lower_address_new(lw, address);
  moved->offset = moved->offset ? lower_add64(lw, moved->offset, bytes) : bytes;
  return moved;
}

// Between other memory than global and shared: by ordinary accesses.
static void lower_copy_at_once(Lowering *lw, const Row *row) {
  static const uint8_t kinds[] = {0, IR_TYPE_I8, IR_TYPE_I16, 0, IR_TYPE_I32, 0,
                                  0, 0,          IR_TYPE_I64};
  IrType piece = ir_scalar(kinds[row->unit]), type = ir_scalar(IR_TYPE_I64);
  IrNode *rank = lower_to_i64(lw, lower_rank(lw, row->group));
  IrNode *size = lower_to_i64(lw, lower_group_size(lw, row->group));
  uint32_t var = lower_new_var(lw, NULL, type);
  IrNode *loop = lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID),
                             lower_i64(lw, 0), own_units(lw, row, rank, size));
  loop->u.loop.var = var;
  loop->u.loop.step = 1;
  loop->u.loop.is_signed = true;
  IrRegion *before = lower_enter(lw, loop, 0);
  IrNode *at = lower_emit2(lw, IR_MUL, type, lower_get(lw, var), size);
  at = lower_emit2(lw, IR_ADD, type, at, rank);
  at = lower_emit2(lw, IR_MUL, type, at, lower_i64(lw, row->unit));
  IrNode *value = lower_access(lw, IR_LOAD, moved_by(lw, row->from, at), piece,
                               row->unit, NULL, 0);
  lower_access(lw, IR_STORE, moved_by(lw, row->to, at), piece, row->unit,
               &value, 1);
  lower_leave(lw, before);
}

// The largest unit of which the row is made.
static uint32_t lower_copy_unit_of(const IrNode *n_bytes, uint32_t align) {
  int64_t n;
  uint32_t unit = align < 8 ? align : 8;
  return lower_is_const(n_bytes, &n) && n % unit == 0 ? unit : 1;
}

static bool is_asynchronous(const IrNode *to, const IrNode *from) {
  return to->type.space == SPACE_SHARED && (from->type.space == SPACE_GLOBAL ||
                                            from->type.space == SPACE_CONSTANT);
}

static Value lower_copy_row(Lowering *lw, const TExpr *expr) {
  TExpr *const *args = expr->u.builtin.args;
  uint32_t to = pointee_align(args[1]), from = pointee_align(args[2]);
  uint32_t align = to < from ? to : from, n_operands = 3;
  Row row = {.group = lower_group_ref(lw, args[0])};
  row.to = lower_pointer(lw, args[1]);
  row.from = lower_pointer(lw, args[2]);
  row.n_bytes = lower_scalar(lw, args[3]);
  row.unit = lower_copy_unit_of(row.n_bytes, align);
  IrNode *operands[3 + IR_MAX_RANK] = {
      lower_pointer_node(lw, row.to, args[1]->type->u.pointer.space),
      lower_pointer_node(lw, row.from, args[2]->type->u.pointer.space),
      row.n_bytes};
  IrObject *barrier = NULL;
  if (expr->u.builtin.n_args > 4) {
    BarrierPlace place = lower_barrier_place(lw, args[4]);
    for (uint32_t i = 0; i < place.n_indices; i++)
      operands[n_operands++] = place.indices[i];
    barrier = place.object;
  }
  if (!is_asynchronous(operands[0], operands[1])) {
    lower_copy_at_once(lw, &row);
    return no_value(lw);
  }
  lower_owe_bytes(lw, row.n_bytes);
  IrNode *node = lower_emit(lw, IR_COPY_BYTES, ir_scalar(IR_TYPE_VOID),
                            operands, n_operands);
  node->u.copy.group = row.group;
  node->u.copy.barrier = barrier;
  node->u.copy.align_bytes = align;
  return no_value(lw);
}

static Value copy_bulk(Lowering *lw, const TExpr *expr) {
  TExpr *const *args = expr->u.builtin.args;
  bool is_load = expr->u.builtin.n_args > 3;
  uint32_t n_operands = 3;
  Space to = is_load ? TSPACE_SHARED : TSPACE_GLOBAL;
  Space from = is_load ? TSPACE_GLOBAL : TSPACE_SHARED;
  IrNode *operands[3 + IR_MAX_RANK] = {
      lower_pointer_node(lw, lower_pointer(lw, args[0]), to),
      lower_pointer_node(lw, lower_pointer(lw, args[1]), from),
      lower_scalar(lw, args[2])};
  BarrierPlace place = {0};
  if (is_load)
    place = lower_barrier_place(lw, args[3]);
  for (uint32_t i = 0; i < place.n_indices; i++)
    operands[n_operands++] = place.indices[i];
  lower_owe_bytes(lw, operands[2]);
  lower_owe_16_bytes(lw, operands[2]);
  IrNode *node = lower_emit(lw, is_load ? IR_COPY_BULK : IR_BULK_STORE,
                            ir_scalar(IR_TYPE_VOID), operands, n_operands);
  node->u.copy.group = lower_thread_row(lw);
  node->u.copy.barrier = place.object;
  node->u.copy.align_bytes = 16;
  return no_value(lw);
}

static Value wait_for_bytes(Lowering *lw, const TExpr *expr) {
  IrGroup *group = lower_group_ref(lw, expr->u.builtin.args[0]);
  IrNode *newest = lower_scalar(lw, expr->u.builtin.args[1]);
  IrNode *node =
      lower_emit1(lw, IR_MEMCPY_WAIT, ir_scalar(IR_TYPE_VOID), newest);
  node->u.group.group = group;
  return no_value(lw);
}

// ----------------------------------------------------------------- clusters

static Value map_shared(Lowering *lw, const TExpr *expr) {
  IrNode *operands[] = {pointer_node(lw, expr->u.builtin.args[1]),
                        lower_scalar(lw, expr->u.builtin.args[2])};
  lower_owe_rank(lw, operands[1]);
  IrNode *node = lower_emit(lw, IR_MAP_SHARED, operands[0]->type, operands, 2);
  node->u.group.group = lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  return lower_from_leaves(lw, lower_value_node(node), expr->type);
}

static Value shared_rank(Lowering *lw, const TExpr *expr) {
  IrNode *pointer = pointer_node(lw, expr->u.builtin.args[1]);
  IrNode *node =
      lower_emit1(lw, IR_SHARED_RANK, ir_scalar(IR_TYPE_I32), pointer);
  node->u.group.group = lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  return lower_value_node(node);
}

bool lower_builtin_copy(Lowering *lw, const TExpr *expr, Value *out) {
  switch ((int)expr->u.builtin.id) {
  case BI_COPY_ASYNC: *out = lower_copy(lw, expr, IR_COPY_ASYNC); return true;
  case BI_TMA_LOAD: *out = lower_copy(lw, expr, IR_TMA_LOAD); return true;
  case BI_TMA_STORE: *out = lower_copy(lw, expr, IR_TMA_STORE); return true;
  case BI_TMA_REDUCE: *out = lower_copy(lw, expr, IR_TMA_REDUCE); return true;
  case BI_COPY_COMMIT:
    *out = lower_copy_step(lw, expr, IR_COPY_COMMIT);
    return true;
  case BI_COPY_WAIT:
    *out = lower_copy_step(lw, expr, IR_COPY_WAIT);
    return true;
  case BI_TMA_COMMIT:
    *out = lower_copy_step(lw, expr, IR_TMA_COMMIT);
    return true;
  case BI_TMA_WAIT: *out = lower_copy_step(lw, expr, IR_TMA_WAIT); return true;
  case BI_TMA_WAIT_READ:
    *out = lower_copy_step(lw, expr, IR_TMA_WAIT_READ);
    return true;
  case BI_WGMMA_FENCE:
    *out = lower_copy_step(lw, expr, IR_WGMMA_FENCE);
    return true;
  case BI_WGMMA_COMMIT:
    *out = lower_copy_step(lw, expr, IR_WGMMA_COMMIT);
    return true;
  case BI_WGMMA_WAIT:
    *out = lower_copy_step(lw, expr, IR_WGMMA_WAIT);
    return true;
  case BI_TENSOR_FENCE:
    *out = lower_copy_step(lw, expr, IR_TENSOR_FENCE);
    return true;
  case BI_COPY_BYTES: *out = lower_copy_row(lw, expr); return true;
  case BI_COPY_BULK: *out = copy_bulk(lw, expr); return true;
  case BI_MEMCPY_ASYNC: *out = copy_bytes(lw, expr); return true;
  case BI_MEMCPY_WAIT: *out = wait_for_bytes(lw, expr); return true;
  case BI_MAP_SHARED: *out = map_shared(lw, expr); return true;
  case BI_SHARED_RANK: *out = shared_rank(lw, expr); return true;
  default: return false;
  }
}
