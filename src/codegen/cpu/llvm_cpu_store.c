// SPDX-License-Identifier: Apache-2.0
// Plain stores, in the same forms as loads.
#include "codegen/cpu/llvm_cpu.h"

typedef struct {
  const CpuAddress *at;
  CpuLeaf value;
  LLVMTypeRef memory;
  uint32_t offset_bytes, size_bytes;
  unsigned align;
  LLVMValueRef mask; // NULL: all lanes
} LeafStore;

// In kernels that wait for memory every write may let somebody go on; the
// scheduler hears of it when the strand suspends.
void cpu_note_write(CpuEmit *e) {
  if (e->has_written)
    LLVMBuildStore(e->b, cpu_i64(e, 1), e->has_written);
}

static LLVMValueRef plain_store(CpuEmit *e, const LeafStore *s, LLVMValueRef v,
                                LLVMValueRef pointer) {
  LLVMValueRef store = LLVMBuildStore(e->b, v, pointer);
  LLVMSetAlignment(store, s->align);
  cpu_mark_access(e, store, s->at->object);
  return store;
}

static LLVMValueRef cpu_store_slice(CpuEmit *e, LLVMValueRef v, uint32_t first,
                                    uint32_t n, bool is_reversed);

static void vector_store(CpuEmit *e, const LeafStore *s, LLVMValueRef v,
                         LLVMValueRef pointer, LLVMValueRef mask) {
  if (mask == NULL) {
    uint32_t bytes = LLVMGetVectorSize(LLVMTypeOf(v)) * s->size_bytes;
    cpu_store_row(e, s->at, v, pointer, bytes, s->align);
    return;
  }
  uint32_t few = cpu_first_lanes(mask);
  if (few > 0) {
    plain_store(e, s, cpu_store_slice(e, v, 0, few, false), pointer);
    return;
  }
  LLVMTypeRef types[2] = {LLVMTypeOf(v), e->ptr};
  LLVMValueRef args[3] = {v, pointer, mask};
  LLVMValueRef store = cpu_intrinsic(e, "llvm.masked.store", types, 2, args, 3);
  LLVMSetInstrParamAlignment(store, 2, s->align);
  cpu_mark_access(e, store, s->at->object);
}

static LLVMValueRef cpu_store_shuffle(CpuEmit *e, LLVMValueRef a,
                                      LLVMValueRef b, const int32_t *picks,
                                      uint32_t n) {
  LLVMValueRef indices[CPU_WARP];
  for (uint32_t i = 0; i < n; i++)
    indices[i] = cpu_i32(e, picks[i]);
  if (b == NULL)
    b = LLVMGetPoison(LLVMTypeOf(a));
  return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(indices, n),
                                CPU_NAME);
}

static LLVMValueRef cpu_store_slice(CpuEmit *e, LLVMValueRef v, uint32_t first,
                                    uint32_t n, bool is_reversed) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < n; i++)
    picks[i] = (int32_t)(is_reversed ? first + n - 1 - i : first + i);
  return cpu_store_shuffle(e, v, NULL, picks, n);
}

static LLVMValueRef memory_vector(CpuEmit *e, const LeafStore *s) {
  return cpu_to_memory(e, s->value.type, cpu_as_vector(e, s->value));
}

static void scatter(CpuEmit *e, const LeafStore *s) {
  LLVMValueRef v = memory_vector(e, s);
  LLVMValueRef pointers = cpu_address_pointers(e, s->at, s->offset_bytes);
  LLVMTypeRef types[2] = {LLVMTypeOf(v), LLVMTypeOf(pointers)};
  LLVMValueRef args[3] = {v, pointers, s->mask ? s->mask : cpu_full_mask(e)};
  LLVMValueRef store =
      cpu_intrinsic(e, "llvm.masked.scatter", types, 2, args, 3);
  LLVMSetInstrParamAlignment(store, 2, s->align);
  cpu_mark_access(e, store, s->at->object);
}

static void store_rows(CpuEmit *e, const LeafStore *s) {
  uint32_t period = 1u << cpu_rows(s->at).period_log2;
  LLVMValueRef v = memory_vector(e, s);
  for (uint32_t i = 0; i < e->lanes / period; i++) {
    LLVMValueRef row = cpu_row(e, s->at, i, s->offset_bytes);
    LLVMValueRef part = cpu_store_slice(e, v, i * period, period, false);
    LLVMValueRef mask =
        s->mask ? cpu_store_slice(e, s->mask, i * period, period, false) : NULL;
    vector_store(e, s, part, row, mask);
  }
}

static void store_affine(CpuEmit *e, const LeafStore *s);

static LLVMValueRef cpu_store_flipped(CpuEmit *e, LLVMValueRef v,
                                      uint32_t flip) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++)
    picks[i] = (int32_t)(i ^ flip);
  return cpu_store_shuffle(e, v, NULL, picks, e->lanes);
}

static void store_flipped(CpuEmit *e, const LeafStore *s) {
  CpuAddress at = *s->at;
  LeafStore straight = *s;
  straight.at = &at;
  at.shape.flip = 0;
  if (s->mask)
    straight.mask = cpu_store_flipped(e, s->mask, s->at->shape.flip);
  straight.value.v =
      cpu_store_flipped(e, cpu_as_vector(e, s->value), s->at->shape.flip);
  straight.value.shape = cpu_varying();
  store_affine(e, &straight);
}

static void store_affine(CpuEmit *e, const LeafStore *s) {
  if (s->at->shape.flip != 0) {
    store_flipped(e, s);
    return;
  }
  CpuShape shape = s->at->shape;
  int64_t size = s->size_bytes;
  bool is_plain = shape.period_log2 == CPU_WARP_LOG2;
  if (is_plain && shape.step == size) {
    LLVMValueRef first = cpu_byte_offset(e, s->at->base, s->offset_bytes);
    LLVMValueRef v = memory_vector(e, s);
    if (s->mask == NULL && s->at->is_constant)
      cpu_remember_row(e, s->at, s->offset_bytes, plain_store(e, s, v, first),
                       v, s->size_bytes);
    else
      vector_store(e, s, v, first, s->mask);
    if (s->at->is_constant && s->mask && LLVMIsConstant(s->mask))
      cpu_remember_part(e, s->at, s->offset_bytes, v, s->mask, s->size_bytes);
  } else if (is_plain && shape.step == -size) {
    LLVMValueRef low = cpu_byte_offset(
        e, s->at->base, s->offset_bytes - size * (int64_t)(e->lanes - 1));
    LLVMValueRef mask =
        s->mask ? cpu_store_slice(e, s->mask, 0, e->lanes, true) : NULL;
    vector_store(e, s,
                 cpu_store_slice(e, memory_vector(e, s), 0, e->lanes, true),
                 low, mask);
  } else if (!is_plain && shape.step == size && shape.period_log2 >= 2) {
    store_rows(e, s);
  } else {
    scatter(e, s);
  }
}

// All lanes write one place: some active lane's value stays, the last one's.
static void store_uniform(CpuEmit *e, const LeafStore *s) {
  LLVMValueRef pointer = cpu_byte_offset(e, s->at->base, s->offset_bytes);
  LLVMValueRef v = s->value.v;
  if (s->value.shape.kind != CPU_UNIFORM && s->mask == NULL) {
    v = cpu_at_lane(e, s->value, cpu_i32(e, e->lanes - 1));
  } else if (s->value.shape.kind != CPU_UNIFORM) {
    LLVMValueRef bits = cpu_mask_bits(e, s->mask);
    LLVMValueRef args[2] = {bits, LLVMConstInt(e->i1, 1, 0)};
    LLVMValueRef zeros = cpu_intrinsic(e, "llvm.ctlz", &e->i32, 1, args, 2);
    LLVMValueRef lane = LLVMBuildSub(e->b, cpu_i32(e, 31), zeros, CPU_NAME);
    v = cpu_at_lane(e, s->value, lane);
  }
  plain_store(e, s, cpu_to_memory(e, s->value.type, v), pointer);
}

static void cpu_store_leaf(CpuEmit *e, const LeafStore *s) {
  switch ((CpuShapeKind)s->at->shape.kind) {
  case CPU_NONE:
  case CPU_UNIFORM: store_uniform(e, s); break;
  case CPU_AFFINE: store_affine(e, s); break;
  case CPU_VARYING:
    if (s->at->row_bytes && s->at->rows.step == s->size_bytes)
      store_rows(e, s);
    else
      scatter(e, s);
    break;
  }
}

// ------------------------------------------------- short vectors in a row

static bool is_packed(const CpuEmit *e, const IrType type, const CpuAddress *at,
                      uint32_t n, uint32_t *size) {
  if ((n != 2 && n != 4) || at->shape.kind != CPU_AFFINE ||
      at->shape.flip != 0 || at->shape.period_log2 != CPU_WARP_LOG2 ||
      at->guard || e->mask)
    return false;
  uint32_t offset;
  IrType first = code_leaf_type(e->module, type, 0, &offset);
  *size = ir_type_size(e->module, first);
  for (uint32_t k = 0; k < n; k++) {
    IrType leaf = code_leaf_type(e->module, type, k, &offset);
    if (leaf.kind == IR_TYPE_PTR || leaf.kind == IR_TYPE_BOOL ||
        leaf.kind != first.kind || offset != k * *size)
      return false;
  }
  return at->shape.step == (int64_t)*size * n;
}

// Element i of the result: alternately of a and b from element `first` on.
static LLVMValueRef zip(CpuEmit *e, LLVMValueRef a, LLVMValueRef b,
                        uint32_t first) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++)
    picks[i] = (int32_t)(first + i / 2 + (i % 2) * e->lanes);
  return cpu_store_shuffle(e, a, b, picks, e->lanes);
}

static void store_packed(CpuEmit *e, const IrNode *node, const CpuAddress *at,
                         const IrNode *value, uint32_t n, uint32_t size) {
  LLVMValueRef v[4], out[4];
  for (uint32_t k = 0; k < n; k++)
    v[k] = cpu_as_vector(e, cpu_leaf(e, value, k));
  uint32_t half = e->lanes / 2;
  if (n == 2) {
    out[0] = zip(e, v[0], v[1], 0);
    out[1] = zip(e, v[0], v[1], half);
  } else {
    // x0 z0 x1 z1 … and y0 w0 y1 w1 …, then those zipped.
    for (uint32_t h = 0; h < 2; h++) {
      LLVMValueRef xz = zip(e, v[0], v[2], h * half);
      LLVMValueRef yw = zip(e, v[1], v[3], h * half);
      out[2 * h] = zip(e, xz, yw, 0);
      out[2 * h + 1] = zip(e, xz, yw, half);
    }
  }
  LeafStore s = {.at = at, .size_bytes = size, .align = size};
  if (node->u.access.align_bytes != 0 && node->u.access.align_bytes < size)
    s.align = node->u.access.align_bytes;
  for (uint32_t k = 0; k < n; k++) {
    LLVMValueRef pointer =
        cpu_byte_offset(e, at->base, (int64_t)k * e->lanes * size);
    vector_store(e, &s, out[k], pointer, NULL);
  }
}

static void emit_leaves(CpuEmit *e, const IrNode *node, const CpuAddress *at,
                        LLVMValueRef mask) {
  const IrType type = node->u.access.type;
  const IrNode *value = node->args[code_operands(node).value];
  uint32_t n = code_leaf_count(e->module, type), size = 0;
  if (n > 1 && is_packed(e, type, at, n, &size)) {
    store_packed(e, node, at, value, n, size);
    return;
  }
  for (uint32_t k = 0; k < n; k++) {
    LeafStore s = {.at = at, .mask = mask, .value = cpu_leaf(e, value, k)};
    IrType leaf = code_leaf_type(e->module, type, k, &s.offset_bytes);
    s.memory = cpu_memory_type(e, leaf);
    s.size_bytes = ir_type_size(e->module, leaf);
    s.align = s.size_bytes;
    if (at->align_bytes != 0 && at->align_bytes < s.align)
      s.align = at->align_bytes;
    while (s.align > 1 && s.offset_bytes % s.align != 0)
      s.align /= 2;
    cpu_store_leaf(e, &s);
  }
}

// A row, or known lanes of one, at a constant place says itself what it
// replaces.
static bool is_constant_row(const CpuEmit *e, const IrNode *node,
                            const CpuAddress *at) {
  bool is_known = e->mask == NULL || LLVMIsConstant(e->mask);
  return at->is_constant && is_known && at->guard == NULL &&
         at->shape.kind == CPU_AFFINE &&
         at->shape.period_log2 == CPU_WARP_LOG2 &&
         code_leaf_count(e->module, node->u.access.type) == 1 &&
         at->shape.step ==
             (int64_t)ir_type_size(e->module, node->u.access.type);
}

void cpu_emit_store(CpuEmit *e, const IrNode *node) {
  CpuAddress at = cpu_address(e, node);
  if (!is_constant_row(e, node, &at))
    cpu_forget_object(e, at.object);
  if (at.guard == NULL) {
    emit_leaves(e, node, &at, e->mask);
    cpu_note_write(e);
    return;
  }
  // A guarded store happens only where somebody's guard holds.
  LLVMValueRef mask = e->mask, any = at.guard;
  if (!at.is_guard_uniform) {
    mask = cpu_mask_and(e, e->mask, at.guard);
    any = cpu_any(e, mask);
  }
  LLVMBasicBlockRef inside = cpu_new_block(e, "guarded");
  LLVMBasicBlockRef end = cpu_new_block(e, "guard_end");
  LLVMBuildCondBr(e->b, any, inside, end);
  cpu_begin_block(e, inside);
  emit_leaves(e, node, &at, mask);
  cpu_note_write(e);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}
