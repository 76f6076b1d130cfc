// SPDX-License-Identifier: Apache-2.0
// Plain loads.
//
//   uniform address                one scalar load
//   neighbours (or reversed)       vector load
//   rows of neighbours (period)    a vector load a row
//   strides 2 to 4, short vectors  vector loads and shuffles, if all lanes run
//   else                           gather
#include "codegen/cpu/llvm_cpu.h"

#include <string.h>

// One leaf of an access.
typedef struct {
  const CpuAddress *at;
  IrType type;
  LLVMTypeRef memory; // its scalar type in memory
  uint32_t offset_bytes, size_bytes;
  unsigned align;
  LLVMValueRef mask; // NULL: all lanes
} LeafAccess;

static LLVMValueRef load_mask(CpuEmit *e, const CpuAddress *at) {
  if (at->guard == NULL)
    return e->mask;
  LLVMValueRef guard =
      at->is_guard_uniform ? cpu_splat(e, at->guard) : at->guard;
  return cpu_mask_and(e, e->mask, guard);
}

static LLVMValueRef plain_load(CpuEmit *e, const LeafAccess *a,
                               LLVMTypeRef type, LLVMValueRef pointer) {
  LLVMValueRef load = LLVMBuildLoad2(e->b, type, pointer, CPU_NAME);
  cpu_see_rows(e, a->at->object);
  LLVMSetAlignment(load, a->align);
  cpu_mark_access(e, load, a->at->object);
  return load;
}

static LLVMValueRef cpu_load_shuffle(CpuEmit *e, LLVMValueRef a, LLVMValueRef b,
                                     const int32_t *picks, uint32_t n);

// The first `few` of `n` neighbours.
static LLVMValueRef load_first(CpuEmit *e, const LeafAccess *a,
                               LLVMValueRef pointer, uint32_t few, uint32_t n) {
  LLVMTypeRef type = LLVMVectorType(a->memory, few);
  LLVMValueRef v = plain_load(e, a, type, pointer);
  LLVMValueRef others =
      a->at->guard ? LLVMConstNull(type) : LLVMGetPoison(type);
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < n; i++)
    picks[i] = (int32_t)(i < few ? i : few);
  return few == n ? v : cpu_load_shuffle(e, v, others, picks, n);
}

// `n` neighbours under `mask` (NULL: all); lanes without are zero if guarded.
static LLVMValueRef vector_load(CpuEmit *e, const LeafAccess *a,
                                LLVMValueRef pointer, uint32_t n,
                                LLVMValueRef mask) {
  LLVMTypeRef type = LLVMVectorType(a->memory, n);
  if (mask == NULL)
    return plain_load(e, a, type, pointer);
  uint32_t few = cpu_first_lanes(mask);
  if (few > 0)
    return load_first(e, a, pointer, few, n);
  LLVMTypeRef types[2] = {type, e->ptr};
  LLVMValueRef others =
      a->at->guard ? LLVMConstNull(type) : LLVMGetPoison(type);
  LLVMValueRef args[3] = {pointer, mask, others};
  LLVMValueRef load = cpu_intrinsic(e, "llvm.masked.load", types, 2, args, 3);
  cpu_see_rows(e, a->at->object);
  LLVMSetInstrParamAlignment(load, 1, a->align);
  cpu_mark_access(e, load, a->at->object);
  return load;
}

static LLVMValueRef cpu_load_shuffle(CpuEmit *e, LLVMValueRef a, LLVMValueRef b,
                                     const int32_t *picks, uint32_t n) {
  LLVMValueRef indices[4 * CPU_WARP];
  for (uint32_t i = 0; i < n; i++)
    indices[i] = cpu_i32(e, picks[i]);
  if (b == NULL)
    b = LLVMGetPoison(LLVMTypeOf(a));
  return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(indices, n),
                                CPU_NAME);
}

static LLVMValueRef cpu_load_reversed(CpuEmit *e, LLVMValueRef v) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++)
    picks[i] = (int32_t)(e->lanes - 1 - i);
  return cpu_load_shuffle(e, v, NULL, picks, e->lanes);
}

static LLVMValueRef cpu_load_slice(CpuEmit *e, LLVMValueRef v, uint32_t first,
                                   uint32_t n) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < n; i++)
    picks[i] = (int32_t)(first + i);
  return cpu_load_shuffle(e, v, NULL, picks, n);
}

// Joins `count` vectors of `n` elements.
static LLVMValueRef cpu_load_join(CpuEmit *e, LLVMValueRef *parts,
                                  uint32_t count, uint32_t n) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < CPU_WARP; i++)
    picks[i] = (int32_t)i;
  for (; count > 1; count /= 2, n *= 2)
    for (uint32_t i = 0; i < count / 2; i++)
      parts[i] =
          cpu_load_shuffle(e, parts[2 * i], parts[2 * i + 1], picks, 2 * n);
  return parts[0];
}

static LLVMValueRef cpu_load_gather(CpuEmit *e, const LeafAccess *a) {
  LLVMTypeRef type = cpu_vector_of(e, a->memory);
  LLVMValueRef pointers = cpu_address_pointers(e, a->at, a->offset_bytes);
  LLVMTypeRef types[2] = {type, LLVMTypeOf(pointers)};
  LLVMValueRef mask = a->mask ? a->mask : cpu_full_mask(e);
  LLVMValueRef others =
      a->at->guard ? LLVMConstNull(type) : LLVMGetPoison(type);
  LLVMValueRef args[3] = {pointers, mask, others};
  LLVMValueRef load = cpu_intrinsic(e, "llvm.masked.gather", types, 2, args, 3);
  cpu_see_rows(e, a->at->object);
  LLVMSetInstrParamAlignment(load, 1, a->align);
  cpu_mark_access(e, load, a->at->object);
  return load;
}

static LLVMValueRef splat_n(CpuEmit *e, LLVMValueRef scalar, uint32_t n) {
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), n);
  LLVMValueRef poison = LLVMGetPoison(type);
  LLVMValueRef first =
      LLVMBuildInsertElement(e->b, poison, scalar, cpu_i32(e, 0), CPU_NAME);
  int32_t picks[CPU_WARP] = {0};
  return cpu_load_shuffle(e, first, NULL, picks, n);
}

// Rows of neighbours, or of one element repeated.
static LLVMValueRef load_rows(CpuEmit *e, const LeafAccess *a) {
  CpuShape shape = cpu_rows(a->at);
  uint32_t period = 1u << shape.period_log2;
  uint32_t count = e->lanes / period;
  LLVMValueRef parts[CPU_WARP];
  for (uint32_t i = 0; i < count; i++) {
    LLVMValueRef row = cpu_row(e, a->at, i, a->offset_bytes);
    if (shape.step == 0) {
      parts[i] = splat_n(e, plain_load(e, a, a->memory, row), period);
      continue;
    }
    LLVMValueRef mask =
        a->mask ? cpu_load_slice(e, a->mask, i * period, period) : NULL;
    parts[i] = vector_load(e, a, row, period, mask);
  }
  return cpu_load_join(e, parts, count, period);
}

// Every stride-th element: `stride` overlapping loads, the last of which ends
// with the last element.
static LLVMValueRef load_strided(CpuEmit *e, const LeafAccess *a,
                                 uint32_t stride) {
  uint32_t n = e->lanes, last_start = (n - 1) * (stride - 1);
  LLVMTypeRef type = LLVMVectorType(a->memory, n);
  LLVMValueRef result = LLVMGetPoison(type);
  for (uint32_t part = 0; part < stride; part++) {
    uint32_t start = part + 1 < stride ? part * n : last_start;
    LLVMValueRef at = cpu_byte_offset(
        e, a->at->base, a->offset_bytes + (int64_t)start * a->size_bytes);
    LLVMValueRef v = plain_load(e, a, type, at);
    int32_t picks[CPU_WARP];
    for (uint32_t i = 0; i < n; i++) {
      uint32_t element = i * stride;
      bool is_here = part + 1 < stride
                         ? element / n == part && element < last_start + n
                         : element >= (stride - 1) * n;
      picks[i] = is_here ? (int32_t)(n + element - start) : (int32_t)i;
    }
    result = cpu_load_shuffle(e, result, v, picks, n);
  }
  return result;
}

static LLVMValueRef load_affine(CpuEmit *e, const LeafAccess *a);

static LLVMValueRef cpu_load_flipped(CpuEmit *e, LLVMValueRef v,
                                     uint32_t flip) {
  int32_t picks[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++)
    picks[i] = (int32_t)(i ^ flip);
  return cpu_load_shuffle(e, v, NULL, picks, e->lanes);
}

static LLVMValueRef load_flipped(CpuEmit *e, const LeafAccess *a) {
  CpuAddress at = *a->at;
  LeafAccess straight = *a;
  straight.at = &at;
  at.shape.flip = 0;
  if (a->mask)
    straight.mask = cpu_load_flipped(e, a->mask, a->at->shape.flip);
  return cpu_load_flipped(e, load_affine(e, &straight), a->at->shape.flip);
}

static bool is_by_rows(const LeafAccess *a) {
  CpuShape rows = cpu_rows(a->at);
  return rows.kind == CPU_AFFINE && rows.period_log2 >= 2 &&
         rows.period_log2 < CPU_WARP_LOG2 &&
         (rows.step == a->size_bytes || (rows.step == 0 && a->mask == NULL));
}

static LLVMValueRef load_affine(CpuEmit *e, const LeafAccess *a) {
  if (a->at->shape.flip != 0)
    return load_flipped(e, a);
  CpuShape shape = a->at->shape;
  int64_t size = a->size_bytes;
  LLVMValueRef first = cpu_byte_offset(e, a->at->base, a->offset_bytes);
  bool is_plain = shape.period_log2 == CPU_WARP_LOG2;
  if (is_plain && shape.step == size && a->at->guard == NULL) {
    LLVMValueRef known = cpu_load_known(e, a->at, a->offset_bytes, a->memory,
                                        a->size_bytes, a->mask);
    if (known)
      return known;
  }
  if (is_plain && shape.step == size)
    return vector_load(e, a, first, e->lanes, a->mask);
  if (is_plain && shape.step == -size) {
    LLVMValueRef low = cpu_byte_offset(
        e, a->at->base, a->offset_bytes - size * (int64_t)(e->lanes - 1));
    LLVMValueRef mask = a->mask ? cpu_load_reversed(e, a->mask) : NULL;
    return cpu_load_reversed(e, vector_load(e, a, low, e->lanes, mask));
  }
  if (is_by_rows(a))
    return load_rows(e, a);
  if (is_plain && a->mask == NULL && shape.step % size == 0 &&
      shape.step / size >= 2 && shape.step / size <= 4)
    return load_strided(e, a, (uint32_t)(shape.step / size));
  return cpu_load_gather(e, a);
}

static LLVMValueRef guarded_scalar(CpuEmit *e, const LeafAccess *a,
                                   LLVMValueRef pointer) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef inside = cpu_new_block(e, "guarded");
  LLVMBasicBlockRef end = cpu_new_block(e, "guard_end");
  LLVMBuildCondBr(e->b, a->at->guard, inside, end);
  cpu_begin_block(e, inside);
  LLVMValueRef load = plain_load(e, a, a->memory, pointer);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
  LLVMValueRef phi = LLVMBuildPhi(e->b, a->memory, CPU_NAME);
  LLVMValueRef values[2] = {LLVMConstNull(a->memory), load};
  LLVMBasicBlockRef blocks[2] = {from, inside};
  LLVMAddIncoming(phi, values, blocks, 2);
  return phi;
}

static LLVMValueRef cpu_load_leaf(CpuEmit *e, const LeafAccess *a,
                                  CpuShape result) {
  LLVMValueRef pointer = NULL;
  if (a->at->shape.kind == CPU_UNIFORM) {
    pointer = cpu_byte_offset(e, a->at->base, a->offset_bytes);
    LLVMValueRef known = NULL;
    if (result.kind == CPU_UNIFORM && a->at->guard == NULL)
      known = cpu_load_known_scalar(e, a->at, a->offset_bytes, a->memory,
                                    a->size_bytes);
    if (known)
      return known;
    if (result.kind == CPU_UNIFORM)
      return a->at->guard ? guarded_scalar(e, a, pointer)
                          : plain_load(e, a, a->memory, pointer);
    // A guard that differs by lane.
    return cpu_load_gather(e, a);
  }
  if (a->at->shape.kind == CPU_AFFINE)
    return load_affine(e, a);
  return is_by_rows(a) ? load_rows(e, a) : cpu_load_gather(e, a);
}

static unsigned cpu_load_leaf_align(const CpuAddress *at, uint32_t offset_bytes,
                                    uint32_t size_bytes) {
  unsigned align = at->align_bytes ? at->align_bytes : 1;
  if (at->align_bytes == 0 || align > size_bytes)
    align = size_bytes;
  while (align > 1 && offset_bytes % align != 0)
    align /= 2;
  return align;
}

// ------------------------------------------------------------ short vectors

// 2 or 4 leaves that are neighbours of one type, read by all lanes.
static bool cpu_load_is_record(const CpuEmit *e, const IrNode *node,
                               const CpuAddress *at, uint32_t n) {
  if ((n != 2 && n != 4) || at->shape.kind == CPU_UNIFORM || at->guard ||
      e->mask)
    return false;
  uint32_t offset;
  IrType first = code_leaf_type(e->module, node->u.access.type, 0, &offset);
  uint32_t size = ir_type_size(e->module, first);
  for (uint32_t k = 0; k < n; k++) {
    IrType leaf = code_leaf_type(e->module, node->u.access.type, k, &offset);
    if (leaf.kind == IR_TYPE_PTR || leaf.kind == IR_TYPE_BOOL ||
        leaf.kind != first.kind || offset != k * size)
      return false;
  }
  return true;
}

// Lanes follow each other without gaps.
static bool is_dense(const LeafAccess *a, uint32_t n) {
  CpuShape shape = a->at->shape;
  return shape.kind == CPU_AFFINE && shape.period_log2 == CPU_WARP_LOG2 &&
         shape.flip == 0 && shape.step == (int64_t)a->size_bytes * n;
}

// Every n-th element from k of two vectors of 32.
static LLVMValueRef pick_every(CpuEmit *e, LLVMValueRef a, LLVMValueRef b,
                               uint32_t n, uint32_t k) {
  int32_t picks[CPU_WARP];
  uint32_t count = 2 * e->lanes / n;
  for (uint32_t i = 0; i < count; i++)
    picks[i] = (int32_t)(i * n + k);
  return cpu_load_shuffle(e, a, b, picks, count);
}

static LLVMValueRef lane_pointer(CpuEmit *e, const CpuAddress *at,
                                 LLVMValueRef pointers, uint32_t lane) {
  LLVMValueRef index = cpu_i32(e, lane);
  if (at->shape.kind == CPU_AFFINE) {
    CpuLeaf pointer = cpu_leaf_of(at->shape, ir_scalar(IR_TYPE_PTR), at->base);
    return cpu_at_lane(e, pointer, index);
  }
  if (at->lane_bytes && !at->pointers) {
    LLVMValueRef by =
        LLVMBuildMul(e->b, at->lane_bytes, cpu_i64(e, lane), CPU_NAME);
    return LLVMBuildGEP2(e->b, e->i8, at->base, &by, 1, CPU_NAME);
  }
  if (at->offsets == NULL || at->pointers)
    return LLVMBuildExtractElement(e->b, pointers, index, CPU_NAME);
  LLVMValueRef offset =
      LLVMBuildExtractElement(e->b, at->offsets, index, CPU_NAME);
  offset = LLVMBuildIntCast2(e->b, offset, e->i64, 1, CPU_NAME);
  LLVMTypeRef unit = LLVMIntTypeInContext(e->cx, at->unit_bytes * 8);
  return LLVMBuildGEP2(e->b, unit, at->base, &offset, 1, CPU_NAME);
}

// Element n * i + k of the n vectors is leaf k of lane i: vector loads where
// lanes are dense, else one short load a lane.
static void load_rows_of_records(CpuEmit *e, const LeafAccess *a, uint32_t n,
                                 LLVMValueRef *rows) {
  uint32_t per_row = e->lanes / n;
  LLVMValueRef pointers = NULL;
  bool dense = is_dense(a, n);
  if (!dense && a->at->shape.kind != CPU_AFFINE)
    pointers = cpu_address_pointers(e, a->at, 0);
  for (uint32_t k = 0; k < n; k++) {
    if (dense) {
      LLVMValueRef pointer = cpu_byte_offset(
          e, a->at->base, (int64_t)k * e->lanes * a->size_bytes);
      rows[k] = vector_load(e, a, pointer, e->lanes, NULL);
      continue;
    }
    LLVMValueRef parts[CPU_WARP];
    for (uint32_t i = 0; i < per_row; i++)
      parts[i] = vector_load(
          e, a, lane_pointer(e, a->at, pointers, k * per_row + i), n, NULL);
    rows[k] = cpu_load_join(e, parts, per_row, n);
  }
}

static void load_records(CpuEmit *e, const IrNode *node, const CpuAddress *at,
                         uint32_t n) {
  uint32_t offset;
  LeafAccess a = {.at = at};
  a.type = code_leaf_type(e->module, node->u.access.type, 0, &offset);
  a.memory = cpu_memory_type(e, a.type);
  a.size_bytes = ir_type_size(e->module, a.type);
  a.align = cpu_load_leaf_align(at, 0, a.size_bytes);
  LLVMValueRef rows[4];
  load_rows_of_records(e, &a, n, rows);
  for (uint32_t k = 0; k < n; k++) {
    LLVMValueRef v = pick_every(e, rows[0], rows[1], n, k);
    if (n == 4) {
      LLVMValueRef halves[2] = {v, pick_every(e, rows[2], rows[3], n, k)};
      v = cpu_load_join(e, halves, 2, e->lanes / 2);
    }
    cpu_set_value(e, node, k, v);
  }
}

void cpu_emit_load(CpuEmit *e, const IrNode *node) {
  CpuAddress at = cpu_address(e, node);
  uint32_t n = code_leaf_count(e->module, node->type);
  if (n > 1 && e->lanes > 1 && cpu_load_is_record(e, node, &at, n)) {
    load_records(e, node, &at, n);
    return;
  }
  LLVMValueRef mask = load_mask(e, &at);
  for (uint32_t k = 0; k < n; k++) {
    LeafAccess a = {.at = &at, .mask = mask};
    a.type = code_leaf_type(e->module, node->type, k, &a.offset_bytes);
    a.memory = cpu_memory_type(e, a.type);
    a.size_bytes = ir_type_size(e->module, a.type);
    a.align = cpu_load_leaf_align(&at, a.offset_bytes, a.size_bytes);
    CpuShape shape = e->plan->shapes[e->plan->node_leaf[node->id] + k];
    LLVMValueRef v = cpu_load_leaf(e, &a, shape);
    cpu_set_value(e, node, k, cpu_from_memory(e, a.type, v));
  }
}
