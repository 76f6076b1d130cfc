// SPDX-License-Identifier: Apache-2.0
// Note [Rows known in registers]
// Lanes and warps pass values to each other through shared memory: they store a
// row, and load it moved by some elements. Machines can't forward a load that
// overlaps a store in flight without being inside it, and wait until it has
// reached the cache. So rows stored at constant places (in blocks of one warp,
// and in phases that are repeated for each warp) are remembered until control
// joins or something unknown is stored, and a load takes what it can from
// registers by a shuffle; the rest is a short load of what was stored long ago.
// A row that is replaced before anything loaded it from memory need not have
// been stored, nor one that is left at a block's end.
#include "codegen/cpu/llvm_cpu.h"

static void forget_row(CpuEmit *e, uint32_t i) {
  e->rows[i] = e->rows[--e->n_rows];
}

void cpu_forget_rows(CpuEmit *e) {
  e->n_rows = 0;
}

void cpu_forget_object(CpuEmit *e, const IrObject *object) {
  if (object != NULL && object->space != SPACE_SHARED)
    return;
  for (uint32_t i = e->n_rows; i-- > 0;)
    if (object == NULL || e->rows[i].object == object)
      forget_row(e, i);
}

void cpu_see_rows(CpuEmit *e, const IrObject *object) {
  if (object != NULL && object->space != SPACE_SHARED)
    return;
  for (uint32_t i = 0; i < e->n_rows; i++)
    if (object == NULL || e->rows[i].object == object)
      e->rows[i].store = NULL;
}

void cpu_drop_rows(CpuEmit *e) {
  for (uint32_t i = 0; i < e->n_rows; i++)
    if (e->rows[i].store)
      LLVMInstructionEraseFromParent(e->rows[i].store);
  e->n_rows = 0;
}

static bool overlaps(int64_t a, int64_t a_bytes, int64_t b, int64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

static void see_range(CpuEmit *e, const IrObject *object, int64_t first,
                      int64_t bytes) {
  for (uint32_t i = 0; i < e->n_rows; i++)
    if (e->rows[i].object == object &&
        overlaps(e->rows[i].offset_bytes, e->rows[i].bytes, first, bytes))
      e->rows[i].store = NULL;
}

// The store of a row that `first` to `first + bytes` replace is not needed if
// nothing saw it and nothing is left of it.
static void replace_row(CpuEmit *e, uint32_t i, int64_t first, int64_t bytes) {
  const CpuRow *row = &e->rows[i];
  if (row->store && first <= row->offset_bytes &&
      row->offset_bytes + row->bytes <= first + bytes)
    LLVMInstructionEraseFromParent(row->store);
  forget_row(e, i);
}

void cpu_remember_row(CpuEmit *e, const CpuAddress *at, uint32_t offset_bytes,
                      LLVMValueRef store, LLVMValueRef v,
                      uint32_t element_bytes) {
  int64_t first = at->constant_offset + offset_bytes;
  int64_t bytes = (int64_t)element_bytes * e->lanes;
  if (!at->is_constant) {
    cpu_forget_object(e, at->object);
    return;
  }
  for (uint32_t i = e->n_rows; i-- > 0;)
    if (e->rows[i].object == at->object &&
        overlaps(e->rows[i].offset_bytes, e->rows[i].bytes, first, bytes))
      replace_row(e, i, first, bytes);
  if (e->n_rows == CPU_MOST_ROWS)
    forget_row(e, 0);
  e->rows[e->n_rows++] = (CpuRow){at->object, first, bytes, v, store};
}

static const CpuRow *best_row(const CpuEmit *e, const IrObject *object,
                              int64_t first, int64_t bytes, LLVMTypeRef type) {
  const CpuRow *best = NULL;
  int64_t most = 0;
  for (uint32_t i = 0; i < e->n_rows; i++) {
    const CpuRow *row = &e->rows[i];
    int64_t low = row->offset_bytes > first ? row->offset_bytes : first;
    int64_t high = row->offset_bytes + row->bytes < first + bytes
                       ? row->offset_bytes + row->bytes
                       : first + bytes;
    if (row->object == object && LLVMTypeOf(row->v) == type &&
        high - low > most) {
      most = high - low;
      best = row;
    }
  }
  return most * 2 >= bytes ? best : NULL;
}

// `n` elements at the start or the end of a vector of all lanes.
static LLVMValueRef cpu_forward_widen(CpuEmit *e, LLVMValueRef v, uint32_t n,
                                      bool is_start) {
  LLVMValueRef picks[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++) {
    bool is_here = is_start ? i < n : i >= e->lanes - n;
    uint32_t from = is_start ? i : i - (e->lanes - n);
    picks[i] = is_here ? cpu_i32(e, from) : LLVMGetPoison(e->i32);
  }
  return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(picks, e->lanes), CPU_NAME);
}

static LLVMValueRef load_rest(CpuEmit *e, const CpuAddress *at,
                              LLVMTypeRef scalar, uint32_t element_bytes,
                              uint32_t offset_bytes, uint32_t n,
                              bool is_start) {
  uint32_t first = is_start ? 0 : e->lanes - n;
  LLVMValueRef pointer = cpu_byte_offset(
      e, at->base, offset_bytes + (int64_t)first * element_bytes);
  LLVMValueRef load =
      LLVMBuildLoad2(e->b, LLVMVectorType(scalar, n), pointer, CPU_NAME);
  LLVMSetAlignment(load, element_bytes);
  cpu_mark_access(e, load, at->object);
  see_range(e, at->object,
            at->constant_offset + offset_bytes + (int64_t)first * element_bytes,
            (int64_t)n * element_bytes);
  return cpu_forward_widen(e, load, n, is_start);
}

void cpu_remember_part(CpuEmit *e, const CpuAddress *at, uint32_t offset_bytes,
                       LLVMValueRef v, LLVMValueRef mask,
                       uint32_t element_bytes) {
  int64_t first = at->constant_offset + offset_bytes;
  int64_t bytes = (int64_t)element_bytes * e->lanes;
  for (uint32_t i = e->n_rows; i-- > 0;) {
    CpuRow *row = &e->rows[i];
    if (row->object != at->object ||
        !overlaps(row->offset_bytes, row->bytes, first, bytes))
      continue;
    if (row->offset_bytes != first || LLVMTypeOf(row->v) != LLVMTypeOf(v)) {
      forget_row(e, i);
      continue;
    }
    row->v = LLVMBuildSelect(e->b, mask, v, row->v, CPU_NAME);
    row->store = NULL;
  }
}

// ------------------------------------------------------- from registers

// Elements of a load, by lane: of which rows they are.
typedef struct {
  const CpuRow *rows[2];
  LLVMValueRef picks[CPU_WARP]; // element of the rows' concatenation, or poison
  bool is_row;                  // lane i is element i of rows[0]
} Known;

static bool cpu_forward_is_needed(LLVMValueRef mask, uint32_t lane) {
  if (mask == NULL || !LLVMIsConstant(mask))
    return true;
  LLVMValueRef bit = LLVMGetAggregateElement(mask, lane);
  return bit == NULL || !LLVMIsAConstantInt(bit) ||
         LLVMConstIntGetZExtValue(bit) != 0;
}

static bool cpu_forward_holds(const CpuRow *row, int64_t place,
                              uint32_t element_bytes) {
  return place >= row->offset_bytes &&
         place + element_bytes <= row->offset_bytes + row->bytes &&
         (place - row->offset_bytes) % element_bytes == 0;
}

static const CpuRow *cpu_forward_row_of(const CpuEmit *e,
                                        const IrObject *object,
                                        LLVMTypeRef type, int64_t place,
                                        uint32_t element_bytes) {
  for (uint32_t i = 0; i < e->n_rows; i++)
    if (e->rows[i].object == object && LLVMTypeOf(e->rows[i].v) == type &&
        cpu_forward_holds(&e->rows[i], place, element_bytes))
      return &e->rows[i];
  return NULL;
}

static bool pick_lane(const CpuEmit *e, Known *known, const IrObject *object,
                      LLVMTypeRef type, uint32_t lane, int64_t place,
                      uint32_t element_bytes) {
  for (uint32_t k = 0; k < 2; k++) {
    if (known->rows[k] == NULL)
      known->rows[k] =
          cpu_forward_row_of(e, object, type, place, element_bytes);
    if (known->rows[k] == NULL)
      return false;
    if (!cpu_forward_holds(known->rows[k], place, element_bytes))
      continue;
    int64_t element = (place - known->rows[k]->offset_bytes) / element_bytes;
    known->picks[lane] = cpu_i32(e, element + k * e->lanes);
    known->is_row = known->is_row && k == 0 && element == lane;
    return true;
  }
  return false;
}

// All that `mask` (NULL: all lanes) needs, from at most two rows; or NULL.
static LLVMValueRef from_rows(CpuEmit *e, const CpuAddress *at, int64_t first,
                              LLVMTypeRef type, uint32_t element_bytes,
                              LLVMValueRef mask) {
  Known known = {.is_row = true};
  for (uint32_t i = 0; i < e->lanes; i++) {
    known.picks[i] = LLVMGetPoison(e->i32);
    if (cpu_forward_is_needed(mask, i) &&
        !pick_lane(e, &known, at->object, type, i,
                   first + (int64_t)i * element_bytes, element_bytes))
      return NULL;
  }
  if (known.rows[0] == NULL || known.is_row)
    return known.rows[0] ? known.rows[0]->v : NULL;
  LLVMValueRef other = known.rows[1] ? known.rows[1]->v : LLVMGetPoison(type);
  return LLVMBuildShuffleVector(e->b, known.rows[0]->v, other,
                                LLVMConstVector(known.picks, e->lanes),
                                CPU_NAME);
}

LLVMValueRef cpu_load_known_scalar(CpuEmit *e, const CpuAddress *at,
                                   uint32_t offset_bytes, LLVMTypeRef scalar,
                                   uint32_t element_bytes) {
  if (!at->is_constant || e->n_rows == 0 || e->lanes == 1)
    return NULL;
  int64_t place = at->constant_offset + offset_bytes;
  LLVMTypeRef type = LLVMVectorType(scalar, e->lanes);
  const CpuRow *row =
      cpu_forward_row_of(e, at->object, type, place, element_bytes);
  if (row == NULL)
    return NULL;
  int64_t element = (place - row->offset_bytes) / element_bytes;
  return LLVMBuildExtractElement(e->b, row->v, cpu_i32(e, element), CPU_NAME);
}

LLVMValueRef cpu_load_known(CpuEmit *e, const CpuAddress *at,
                            uint32_t offset_bytes, LLVMTypeRef scalar,
                            uint32_t element_bytes, LLVMValueRef mask) {
  if (!at->is_constant || e->n_rows == 0)
    return NULL;
  int64_t first = at->constant_offset + offset_bytes;
  LLVMTypeRef type = LLVMVectorType(scalar, e->lanes);
  LLVMValueRef all = from_rows(e, at, first, type, element_bytes, mask);
  if (all || mask)
    return all;
  const CpuRow *row =
      best_row(e, at->object, first, (int64_t)element_bytes * e->lanes, type);
  if (row == NULL || (first - row->offset_bytes) % element_bytes != 0)
    return NULL;
  // Lane i of the load is element i + move of the row.
  int64_t move = (first - row->offset_bytes) / element_bytes;
  uint32_t n = (uint32_t)(move < 0 ? -move : move);
  LLVMValueRef v = row->v;
  LLVMValueRef rest =
      load_rest(e, at, scalar, element_bytes, offset_bytes, n, move < 0);
  LLVMValueRef picks[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++) {
    int64_t element = (int64_t)i + move;
    bool is_known = element >= 0 && element < e->lanes;
    picks[i] = cpu_i32(e, is_known ? element : (int64_t)(e->lanes + i));
  }
  return LLVMBuildShuffleVector(e->b, v, rest, LLVMConstVector(picks, e->lanes),
                                CPU_NAME);
}
