// SPDX-License-Identifier: Apache-2.0
// Memory accesses: operands, attributes, and values of several chunks.
#include "lower/lower_barrier.h"
#include "lower/lower_internal.h"

#include "ir/form/swizzle.h"
#include "ir/form/words.h"

enum {
  // Copies of more pieces than this are loops.
  MAX_STRAIGHT_PIECES = 16,
};

Address *lower_address_new(Lowering *lw, const Address *from) {
  Address *address = ARENA_NEW(lw->scratch, Address);
  if (from)
    *address = *from;
  return address;
}

// The first element: all indices zero.
Address *lower_object_address(Lowering *lw, IrObject *object) {
  Address *address = lower_address_new(lw, NULL);
  address->object = object;
  address->n_index = object->rank;
  return address;
}

IrNode *lower_index_at(Lowering *lw, const Address *address, uint32_t dim) {
  return address->indices[dim] ? address->indices[dim] : lower_i32(lw, 0);
}

const Address *lower_address_at(Lowering *lw, const Address *address,
                                uint64_t offset_bytes) {
  if (offset_bytes == 0)
    return address;
  Address *moved = lower_address_new(lw, address);
  moved->offset_bytes += (int64_t)offset_bytes;
  lower_move_inside(lw, moved, NULL, (int64_t)offset_bytes);
  return moved;
}

// ---------------------------------------------------------- one access

enum { MAX_ACCESS_ARGS = IR_MAX_RANK + 5 };

// The constant offset as an attribute where it fits, else as an operand.
static IrNode *dynamic_offset(Lowering *lw, const Address *address,
                              uint32_t *fixed) {
  *fixed = 0;
  if (address->offset_bytes >= 0 && address->offset_bytes <= INT32_MAX) {
    *fixed = (uint32_t)address->offset_bytes;
    return address->offset;
  }
  IrNode *constant = lower_i64(lw, address->offset_bytes);
  return address->offset ? lower_add64(lw, address->offset, constant)
                         : constant;
}

static bool is_own_pointer(const IrNode *value) {
  if (value->op == IR_BITCAST)
    value = value->args[0];
  return value->type.kind == IR_TYPE_PTR && value->type.space == SPACE_LOCAL;
}

// Elements of a swizzled array don't follow each other as pointers count.
static void lower_refuse_moved(Lowering *lw, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  if (lw->has_failed || !object || ir_swizzle_bytes(object) == 0 ||
      (node->op != IR_ADDRESS && !ir_leaves_element(lw->module, access)))
    return;
  Diag *diag = DIAG_REPORT(
      lw->diags, DIAG_tile_layout, lw->module->locs.data[lw->loc].place,
      DS(ir_words_layout[object->layout]),
      DS(arena_printf(lw->scratch, "'%s'", object->name)),
      DS("here a pointer into it is moved, or kept as a value"));
  diag_label(lw->diags, diag, lw->module->locs.data[object->loc].place,
             "rows don't lie one behind the other");
  diag_note(lw->diags, diag, (Place){0},
            "subscript the array, take sections of it, or declare it "
            "layout(row_major)");
  lower_report(lw, diag);
}

IrNode *lower_access(Lowering *lw, IrOp op, const Address *address, IrType type,
                     uint32_t align_bytes, IrNode *const *values,
                     uint32_t n_values) {
  IrNode *args[MAX_ACCESS_ARGS];
  uint32_t n_args = 0, fixed;
  IrNode *offset = dynamic_offset(lw, address, &fixed);
  if (!address->object)
    args[n_args++] = address->pointer;
  for (uint32_t i = 0; i < address->n_index; i++)
    args[n_args++] = lower_index_at(lw, address, i);
  if (offset)
    args[n_args++] = offset;
  for (uint32_t i = 0; i < n_values; i++)
    args[n_args++] = values[i];
  bool has_result = ir_op_table[op].result[0] != '-';
  IrType result = has_result ? type : ir_scalar(IR_TYPE_VOID);
  if (type.kind == IR_TYPE_PTR &&
      (type.space == SPACE_LOCAL || (n_values && is_own_pointer(values[0]))))
    lower_refuse_local(lw);
  if (op != IR_ADDRESS)
    lower_owe_inside(lw, address, ir_type_size(lw->module, type));
  IrNode *node = lower_emit(lw, op, result, args, n_args);
  node->u.access = (IrAccess){.object = address->object,
                              .type = type,
                              .offset_bytes = fixed,
                              .align_bytes = align_bytes,
                              .n_index = address->n_index,
                              .has_offset = offset != NULL};
  lower_refuse_moved(lw, node);
  return node;
}

// A pointer to a thread's own variable is a value: if memory held it, nobody
// could tell what it points to.
void lower_refuse_local(Lowering *lw) {
  if (!lw->has_failed)
    lower_report(lw, DIAG_REPORT(lw->diags, DIAG_local_escapes,
                                 lw->module->locs.data[lw->loc].place,
                                 DS("stored in memory")));
}

// ------------------------------------------------------- whole values

static void load_chunk(Lowering *lw, const Address *address, const Chunk *chunk,
                       IrHint hint, IrNode **leaves) {
  const Address *at = lower_address_at(lw, address, chunk->offset_bytes);
  IrNode *node =
      lower_access(lw, IR_LOAD, at, chunk->ir, chunk->align_bytes, NULL, 0);
  node->u.access.hint = hint;
  if (chunk->ir.lanes == 1) {
    leaves[chunk->first_leaf] = node;
    return;
  }
  IrType lane = ir_scalar((IrTypeKind)chunk->ir.kind);
  for (uint32_t i = 0; i < chunk->n_leaves; i++) {
    IrNode *part = lower_emit1(lw, IR_EXTRACT, lane, node);
    part->u.index.number = i;
    leaves[chunk->first_leaf + i] = part;
  }
}

Value lower_load_memory(Lowering *lw, const Address *address, const Type *type,
                        IrHint hint) {
  const TypeLayout *layout = lower_layout(lw, type);
  if (!layout->is_split)
    return (Value){.kind = VALUE_MEMORY, .address = address};
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < layout->n_chunks; i++)
    load_chunk(lw, address, &layout->chunks[i], hint, leaves);
  Value value = lower_value_leaves(lw, leaves, layout->n_leaves);
  return lower_from_leaves(lw, value, type);
}

static void lower_access_store_chunk(Lowering *lw, const Address *address,
                                     const Chunk *chunk, IrHint hint,
                                     const Value *value) {
  const Address *at = lower_address_at(lw, address, chunk->offset_bytes);
  IrNode *node = lower_leaf(value, chunk->first_leaf);
  if (chunk->ir.lanes > 1)
    node = lower_emit(lw, IR_PACK, chunk->ir,
                      value->n_leaves == 1 ? &value->node
                                           : value->leaves + chunk->first_leaf,
                      chunk->n_leaves);
  IrNode *store =
      lower_access(lw, IR_STORE, at, chunk->ir, chunk->align_bytes, &node, 1);
  store->u.access.hint = hint;
}

void lower_store_memory(Lowering *lw, const Address *address, const Type *type,
                        Value value, IrHint hint) {
  const TypeLayout *layout = lower_layout(lw, type);
  if (!layout->is_split) {
    HD_ASSERT(value.kind == VALUE_MEMORY);
    lower_copy_bytes(lw, address, value.address, type);
    return;
  }
  value = lower_as_leaves(lw, value, type);
  for (uint32_t i = 0; i < layout->n_chunks; i++)
    lower_access_store_chunk(lw, address, &layout->chunks[i], hint, &value);
}

// -------------------------------------------------- images without leaves

static IrType piece_type(const Type *type, uint32_t *bytes) {
  *bytes = type->align_bytes > 8 ? 8 : type->align_bytes;
  switch (*bytes) {
  case 8: return ir_scalar(IR_TYPE_I64);
  case 4: return ir_scalar(IR_TYPE_I32);
  case 2: return ir_scalar(IR_TYPE_I16);
  default: break;
  }
  *bytes = 1;
  return ir_scalar(IR_TYPE_I8);
}

// What the bytes at `to` become.
typedef struct {
  const Address *to, *from; // from NULL: zeros
  const char *giver;        // or what this function gives; or NULL
  const Type *type;
  IrType piece;
  uint32_t piece_bytes;
} Move;

static IrNode *made_piece(Lowering *lw, const Move *move) {
  if (!move->giver)
    return lower_zero(lw, move->piece);
  IrNode *node = lower_emit(lw, IR_UNKNOWN, move->piece, NULL, 0);
  node->u.text.text = move->giver;
  return node;
}

static void move_piece(Lowering *lw, const Move *move, const Address *to,
                       const Address *from) {
  uint32_t bytes = move->piece_bytes;
  IrNode *value =
      from ? lower_access(lw, IR_LOAD, from, move->piece, bytes, NULL, 0)
           : made_piece(lw, move);
  lower_access(lw, IR_STORE, to, move->piece, bytes, &value, 1);
}

static const Address *address_plus(Lowering *lw, const Address *address,
                                   IrNode *bytes) {
  Address *moved = lower_address_new(lw, address);
  moved->offset = moved->offset ? lower_add64(lw, moved->offset, bytes) : bytes;
  lower_move_inside(lw, moved, bytes, 0);
  return moved;
}

static void move_in_loop(Lowering *lw, const Move *move) {
  uint32_t var = lower_new_var(lw, NULL, ir_scalar(IR_TYPE_I64));
  IrNode *lo = lower_i64(lw, 0);
  IrNode *hi = lower_i64(lw, (int64_t)move->type->size_bytes);
  IrNode *loop = lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID), lo, hi);
  loop->u.loop.var = var;
  loop->u.loop.step = move->piece_bytes;
  loop->u.loop.is_signed = true;
  IrRegion *before = lower_enter(lw, loop, 0);
  IrNode *at = lower_get(lw, var);
  move_piece(lw, move, address_plus(lw, move->to, at),
             move->from ? address_plus(lw, move->from, at) : NULL);
  lower_leave(lw, before);
}

static void move_bytes(Lowering *lw, Move move) {
  move.piece = piece_type(move.type, &move.piece_bytes);
  uint32_t bytes = move.piece_bytes;
  if (move.type->size_bytes / bytes > MAX_STRAIGHT_PIECES) {
    move_in_loop(lw, &move);
    return;
  }
  for (uint64_t at = 0; at < move.type->size_bytes; at += bytes)
    move_piece(lw, &move, lower_address_at(lw, move.to, at),
               move.from ? lower_address_at(lw, move.from, at) : NULL);
}

void lower_copy_bytes(Lowering *lw, const Address *to, const Address *from,
                      const Type *type) {
  move_bytes(lw, (Move){.to = to, .from = from, .type = type});
}

void lower_zero_bytes(Lowering *lw, const Address *to, const Type *type) {
  move_bytes(lw, (Move){.to = to, .type = type});
}

void lower_unknown_bytes(Lowering *lw, const Address *to, const Type *type,
                         const char *giver) {
  move_bytes(lw, (Move){.to = to, .giver = giver, .type = type});
}

// ---------------------------------------------------------------- strides

static bool constant_stride(const IrObject *object, uint32_t dim,
                            int64_t *elements) {
  int64_t stride = 1;
  for (uint32_t i = object->rank; i-- > dim + 1;) {
    IrHost *extent = object->extents[i];
    if (!extent || extent->op != HOST_CONST)
      return false;
    if (__builtin_mul_overflow(stride, extent->number, &stride))
      return false;
  }
  *elements = stride;
  return true;
}

IrNode *lower_stride_bytes(Lowering *lw, IrObject *object, uint32_t dim) {
  int64_t elements;
  int64_t bytes;
  if (!object->has_strides && constant_stride(object, dim, &elements) &&
      !__builtin_mul_overflow(elements, object->element_bytes, &bytes))
    return lower_i64(lw, bytes);
  IrNode *stride =
      lower_index_op(lw, IR_STRIDE, ir_scalar(IR_TYPE_I64), dim, object);
  return lower_scale64(lw, stride, object->element_bytes);
}
