// SPDX-License-Identifier: Apache-2.0
// Sections copied by threads: rows of bytes cut into chunks, which the threads
// take in turns.
//
// Note [Widths of chunks]
// A chunk has 16 bytes where both sides allow it, which mostly only the launch
// knows (an index, a stride). So there are several versions of the loop, and
// one test before them: whether all addresses are multiples of the width. What
// lies outside the array ends in the middle of a chunk only if cp.async can
// fill its rest with zeros; other copies are wide only if that doesn't happen.
// The last version has chunks that are parts of one element.
#include "codegen/nvptx/llvm_nvptx.h"

#include "base/bits.h"
#include "base/panic.h"

enum { MOST_UNROLLED = 8 };

// ------------------------------------------------------------- describing

// One side of a copy: its indices are operands from `first` on.
typedef struct {
  const IrSection *section;
  uint32_t first;
} Side;

static LLVMValueRef nvptx_rows_index_of(NvEmit *e, const IrNode *node,
                                        const Side *side, uint32_t k) {
  return LLVMBuildIntCast2(e->b, nv_arg(e, node, side->first + k), e->i64, 1,
                           NV_NAME);
}

static LLVMValueRef nvptx_rows_stride_bytes(NvEmit *e, const IrObject *object,
                                            uint32_t k) {
  if (ir_swizzle_bytes(object))
    return nv_swizzle_stride(e, object, k);
  return LLVMBuildMul(e->b, nv_stride(e, object, k),
                      nv_i64(e, object->element_bytes), NV_NAME);
}

// v within [0, most], as i32.
static LLVMValueRef nvptx_rows_limit(NvEmit *e, LLVMValueRef v, int64_t most) {
  LLVMValueRef low[2] = {v, nv_i64(e, 0)};
  v = nv_intrinsic(e, "llvm.smax", &e->i64, 1, low, 2);
  LLVMValueRef high[2] = {v, nv_i64(e, most)};
  v = nv_intrinsic(e, "llvm.smin", &e->i64, 1, high, 2);
  return LLVMBuildTrunc(e->b, v, e->i32, NV_NAME);
}

typedef struct {
  LLVMValueRef low, high; // i32
} Range;

// Which of the section's elements along dimension k lie inside the array.
static Range nvptx_rows_inside(NvEmit *e, const IrNode *node, const Side *side,
                               uint32_t k) {
  const IrObject *object = side->section->object;
  int64_t length = side->section->length[k];
  Range range = {nv_i32(e, 0), nv_i32(e, length)};
  if (object->is_plain_pointer || object->extents[k] == NULL)
    return range;
  LLVMValueRef start = nvptx_rows_index_of(e, node, side, k);
  LLVMValueRef extent = nv_extent(e, object, k);
  range.low = nvptx_rows_limit(e, LLVMBuildNeg(e->b, start, NV_NAME), length);
  range.high =
      nvptx_rows_limit(e, LLVMBuildSub(e->b, extent, start, NV_NAME), length);
  return range;
}

// The alignment that every element has.
static uint32_t nvptx_rows_element_align(const NvEmit *e,
                                         const IrObject *object) {
  IrType type = object->element;
  uint32_t align = object->element_bytes;
  if (type.kind == IR_TYPE_STRUCT)
    align = e->module->structs.data[type.index]->align_bytes;
  else if (type.lanes == 3)
    align = object->element_bytes / 3;
  uint32_t unit = (uint32_t)bits_lowest(object->element_bytes);
  unit = unit < align ? unit : align;
  return unit < 16 ? unit : 16;
}

static void set_dimension(NvRows *rows, uint32_t i, Range range,
                          int64_t length) {
  rows->length[i] = length;
  rows->low[i] = range.low;
  rows->high[i] = range.high;
}

static LLVMValueRef and_there(NvEmit *e, LLVMValueRef is_there, Range range) {
  LLVMValueRef is_inside =
      LLVMBuildICmp(e->b, LLVMIntSLT, range.low, range.high, NV_NAME);
  return LLVMBuildAnd(e->b, is_there, is_inside, NV_NAME);
}

// Dimensions of one element are left out: a section outside along one of them
// has nothing inside.
static void add_shape(NvEmit *e, NvRows *rows, const IrNode *node,
                      const Side *global) {
  const IrSection *section = global->section;
  LLVMValueRef is_there = LLVMConstInt(e->i1, 1, 0), zero = nv_i32(e, 0);
  for (uint32_t k = 0; k < section->object->rank; k++) {
    Range range = nvptx_rows_inside(e, node, global, k);
    if (section->length[k] == 1)
      is_there = and_there(e, is_there, range);
    else
      set_dimension(rows, rows->rank++, range, section->length[k]);
  }
  if (rows->rank == 0)
    set_dimension(rows, rows->rank++, (Range){zero, nv_i32(e, 1)}, 1);
  uint32_t last = rows->rank - 1;
  LLVMValueRef bytes = nv_i32(e, rows->element_bytes);
  rows->low[last] = LLVMBuildMul(e->b, rows->low[last], bytes, NV_NAME);
  rows->high[last] = LLVMBuildMul(e->b, rows->high[last], bytes, NV_NAME);
  rows->high[last] =
      LLVMBuildSelect(e->b, is_there, rows->high[last], zero, NV_NAME);
}

static bool add_strides(NvEmit *e, const IrSection *section,
                        LLVMValueRef *strides) {
  const IrObject *object = section->object;
  uint32_t n = 0, inner = object->rank;
  for (uint32_t k = 0; k < object->rank; k++)
    if (section->length[k] > 1) {
      strides[n++] = nvptx_rows_stride_bytes(e, object, k);
      inner = k;
    }
  int64_t stride = 1;
  if (n == 0)
    strides[0] = nv_i64(e, object->element_bytes);
  else if (!code_stride_const(object, inner, &stride))
    stride = 0;
  return stride == 1;
}

// What the alignment of the addresses depends on: bits of `v`.
static void depend(NvEmit *e, NvRows *rows, LLVMValueRef v) {
  v = LLVMBuildIntCast2(e->b, v, e->i32, 0, NV_NAME);
  rows->address_bits = LLVMBuildOr(e->b, rows->address_bits, v, NV_NAME);
}

static void depend_on_side(NvEmit *e, NvRows *rows, const IrNode *node,
                           const Side *side, LLVMValueRef first,
                           const LLVMValueRef *strides) {
  const IrObject *object = side->section->object;
  uint32_t needed = FACT_ALIGNED16 | FACT_STRIDE16, last = object->rank - 1;
  if ((object->facts & needed) == needed && object->rank > 0) {
    LLVMValueRef bytes = nv_i64(e, object->element_bytes);
    LLVMValueRef index = nvptx_rows_index_of(e, node, side, last);
    depend(e, rows, LLVMBuildMul(e->b, index, bytes, NV_NAME));
    return;
  }
  if (ir_swizzle_bytes(object)) {
    depend(e, rows, rows->column); // rows and what moves have 16 bytes
    return;
  }
  depend(e, rows, LLVMBuildPtrToInt(e->b, first, e->i64, NV_NAME));
  for (uint32_t k = 0; k + 1 < rows->rank; k++)
    depend(e, rows, strides[k]);
}

// The section may begin outside of a global array, so that nothing is known of
// the sum.
static LLVMValueRef nvptx_rows_first_element(NvEmit *e, const IrNode *node,
                                             const Side *side) {
  const IrObject *object = side->section->object;
  unsigned space;
  if (ir_swizzle_bytes(object))
    return nv_instance_base(e, object);
  if (object->space == SPACE_SHARED)
    return nv_element(e, object, node, side->first, &space);
  LLVMValueRef sum = nv_i64(e, 0);
  for (uint32_t k = 0; k < object->rank; k++) {
    LLVMValueRef by =
        LLVMBuildMul(e->b, nvptx_rows_index_of(e, node, side, k),
                     nvptx_rows_stride_bytes(e, object, k), NV_NAME);
    sum = LLVMBuildAdd(e->b, sum, by, NV_NAME);
  }
  return LLVMBuildGEP2(e->b, e->i8, nv_object_base(e, object), &sum, 1,
                       NV_NAME);
}

static void add_swizzle(NvEmit *e, NvRows *rows, const IrNode *node,
                        const Side *shared) {
  const IrObject *object = shared->section->object;
  rows->swizzle = nv_swizzle_of(e, object);
  if (rows->swizzle.bytes == 0)
    return;
  rows->row = nv_swizzle_row(e, object, node, shared->first);
  rows->column = nv_swizzle_column(e, object, node, shared->first);
  rows->is_along = shared->section->length[object->rank - 1] > 1;
}

static unsigned nvptx_rows_space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

NvRows nv_rows_of(NvEmit *e, const IrNode *node) {
  const IrSection *to = &node->u.copy.to, *from = &node->u.copy.from;
  Side sides[2] = {{to, 0}, {from, to->object->rank}};
  NvRows rows = {.node = node,
                 .is_store = to->object->space == SPACE_GLOBAL,
                 .element_bytes = to->object->element_bytes,
                 .unit = nvptx_rows_element_align(e, to->object),
                 .address_bits = nv_i32(e, 0)};
  rows.to = nvptx_rows_first_element(e, node, &sides[0]);
  rows.from = nvptx_rows_first_element(e, node, &sides[1]);
  add_shape(e, &rows, node, &sides[rows.is_store ? 0 : 1]);
  add_swizzle(e, &rows, node, &sides[rows.is_store ? 1 : 0]);
  bool to_dense = add_strides(e, to, rows.to_stride);
  bool from_dense = add_strides(e, from, rows.from_stride);
  rows.is_dense = to_dense && from_dense;
  rows.is_async = !rows.is_store &&
                  nvptx_rows_space_of(rows.to) == NV_SPACE_SHARED &&
                  nvptx_rows_space_of(rows.from) == NV_SPACE_GLOBAL;
  depend_on_side(e, &rows, node, &sides[0], rows.to, rows.to_stride);
  depend_on_side(e, &rows, node, &sides[1], rows.from, rows.from_stride);
  depend(e, &rows, rows.low[rows.rank - 1]);
  return rows;
}

// ---------------------------------------------------------------- chunks

typedef struct {
  LLVMValueRef to, from;
  LLVMValueRef n_inside; // bytes that lie inside the array, i32
} Chunk;

static LLVMValueRef row_offset(NvEmit *e, LLVMValueRef at,
                               LLVMValueRef stride) {
  at = LLVMBuildZExt(e->b, at, e->i64, NV_NAME);
  return LLVMBuildMul(e->b, at, stride, NV_NAME);
}

static LLVMValueRef nvptx_rows_moved(NvEmit *e, LLVMValueRef pointer,
                                     LLVMValueRef offset) {
  return LLVMBuildGEP2(e->b, e->i8, pointer, &offset, 1, NV_NAME);
}

// Offset of byte `at` of the innermost dimension.
static LLVMValueRef inner_offset(NvEmit *e, const NvRows *rows, LLVMValueRef at,
                                 LLVMValueRef stride) {
  LLVMValueRef bytes = nv_i32(e, rows->element_bytes);
  if (rows->is_dense)
    return LLVMBuildZExt(e->b, at, e->i64, NV_NAME);
  LLVMValueRef element = LLVMBuildUDiv(e->b, at, bytes, NV_NAME);
  LLVMValueRef rest = LLVMBuildURem(e->b, at, bytes, NV_NAME);
  rest = LLVMBuildZExt(e->b, rest, e->i64, NV_NAME);
  return LLVMBuildAdd(e->b, row_offset(e, element, stride), rest, NV_NAME);
}

static LLVMValueRef bytes_inside(NvEmit *e, const NvRows *rows, LLVMValueRef at,
                                 uint32_t width) {
  uint32_t last = rows->rank - 1;
  LLVMValueRef zero = nv_i32(e, 0);
  LLVMValueRef n = LLVMBuildSub(e->b, rows->high[last], at, NV_NAME);
  LLVMValueRef low[2] = {n, zero};
  n = nv_intrinsic(e, "llvm.smax", &e->i32, 1, low, 2);
  LLVMValueRef high[2] = {n, nv_i32(e, width)};
  n = nv_intrinsic(e, "llvm.smin", &e->i32, 1, high, 2);
  LLVMValueRef is_before =
      LLVMBuildICmp(e->b, LLVMIntSLT, at, rows->low[last], NV_NAME);
  return LLVMBuildSelect(e->b, is_before, zero, n, NV_NAME);
}

// Where a chunk is on one side: a pointer. Of a swizzled one the base, and
// offsets of a row and along it; see Note [Swizzled places].
typedef struct {
  LLVMValueRef at, row, column; // row: NULL where row-major
} RowsPlace;

static RowsPlace nvptx_rows_begin(const NvRows *rows, LLVMValueRef at,
                                  bool is_shared) {
  bool is_swizzled = is_shared && rows->swizzle.bytes;
  return is_swizzled ? (RowsPlace){at, rows->row, rows->column}
                     : (RowsPlace){.at = at};
}

static void nvptx_rows_move(NvEmit *e, RowsPlace *place, LLVMValueRef by) {
  if (place->row)
    place->row = LLVMBuildAdd(e->b, place->row, by, NV_NAME);
  else
    place->at = nvptx_rows_moved(e, place->at, by);
}

// By what the last dimension adds.
static LLVMValueRef nvptx_rows_at(NvEmit *e, const NvRows *rows,
                                  RowsPlace place, LLVMValueRef by) {
  if (place.row && rows->is_along)
    place.column = LLVMBuildAdd(e->b, place.column, by, NV_NAME);
  else
    nvptx_rows_move(e, &place, by);
  if (!place.row)
    return place.at;
  return nv_swizzled(e, &rows->swizzle, place.at, place.row, place.column);
}

// Chunk number c: elements count in row-major order.
static Chunk nvptx_rows_chunk_at(NvEmit *e, const NvRows *rows, LLVMValueRef c,
                                 uint32_t width) {
  uint32_t last = rows->rank - 1;
  LLVMValueRef n = nv_i32(e, rows->length[last] * rows->element_bytes / width);
  LLVMValueRef at = LLVMBuildURem(e->b, c, n, NV_NAME);
  LLVMValueRef rest = LLVMBuildUDiv(e->b, c, n, NV_NAME);
  at = LLVMBuildMul(e->b, at, nv_i32(e, width), NV_NAME);
  Chunk chunk = {.n_inside = bytes_inside(e, rows, at, width)};
  RowsPlace to = nvptx_rows_begin(rows, rows->to, !rows->is_store);
  RowsPlace from = nvptx_rows_begin(rows, rows->from, rows->is_store);
  for (uint32_t k = last; k-- > 0;) {
    LLVMValueRef length = nv_i32(e, rows->length[k]);
    LLVMValueRef i = k == 0 ? rest : LLVMBuildURem(e->b, rest, length, NV_NAME);
    rest = LLVMBuildUDiv(e->b, rest, length, NV_NAME);
    nvptx_rows_move(e, &to, row_offset(e, i, rows->to_stride[k]));
    nvptx_rows_move(e, &from, row_offset(e, i, rows->from_stride[k]));
    LLVMValueRef is_in = LLVMBuildAnd(
        e->b, LLVMBuildICmp(e->b, LLVMIntSGE, i, rows->low[k], NV_NAME),
        LLVMBuildICmp(e->b, LLVMIntSLT, i, rows->high[k], NV_NAME), NV_NAME);
    chunk.n_inside =
        LLVMBuildSelect(e->b, is_in, chunk.n_inside, nv_i32(e, 0), NV_NAME);
  }
  chunk.to = nvptx_rows_at(e, rows, to,
                           inner_offset(e, rows, at, rows->to_stride[last]));
  chunk.from = nvptx_rows_at(
      e, rows, from, inner_offset(e, rows, at, rows->from_stride[last]));
  return chunk;
}

void nv_cp_async(NvEmit *e, LLVMValueRef to, LLVMValueRef from, uint32_t width,
                 LLVMValueRef n_bytes) {
  const char *name =
      arena_printf(e->arena, "llvm.nvvm.cp.async.%s.shared.global.%u%s",
                   width == 16 ? "cg" : "ca", width, n_bytes ? ".s" : "");
  LLVMValueRef args[3] = {to, from, n_bytes};
  nv_intrinsic(e, name, NULL, 0, args, n_bytes ? 3 : 2);
}

static LLVMTypeRef chunk_type(NvEmit *e, uint32_t width) {
  if (width == 16)
    return LLVMVectorType(e->i32, 4);
  return LLVMIntTypeInContext(e->cx, width * 8);
}

static void store_chunk(NvEmit *e, LLVMValueRef v, LLVMValueRef to,
                        uint32_t width) {
  LLVMSetAlignment(LLVMBuildStore(e->b, v, to), width);
}

// A chunk is an element.
static void combine_element(NvEmit *e, const IrNode *node, LLVMValueRef v,
                            LLVMValueRef to) {
  const IrObject *object = node->u.copy.to.object;
  IrAccess access = {.object = (IrObject *)(uintptr_t)object,
                     .type = object->element,
                     .order = ORDER_RELAXED,
                     .scope = SCOPE_DEVICE,
                     .rmw = node->u.copy.rmw};
  v = LLVMBuildBitCast(e->b, v, nv_scalar_type(e, object->element), NV_NAME);
  nv_atomic_modify(e, &access, to, v);
}

// Here a chunk lies inside as a whole, or not at all.
static void move_plain(NvEmit *e, const NvRows *rows, const Chunk *chunk,
                       uint32_t width) {
  LLVMTypeRef type = chunk_type(e, width);
  LLVMValueRef is_inside =
      LLVMBuildICmp(e->b, LLVMIntNE, chunk->n_inside, nv_i32(e, 0), NV_NAME);
  LLVMValueRef slot = rows->is_store ? NULL : nv_alloca(e, type);
  if (slot)
    LLVMBuildStore(e->b, LLVMConstNull(type), slot);
  NvIf there = nv_if(e, is_inside);
  LLVMValueRef v = LLVMBuildLoad2(e->b, type, chunk->from, NV_NAME);
  LLVMSetAlignment(v, width);
  if (slot)
    LLVMBuildStore(e->b, v, slot);
  else if (rows->node->op == IR_TMA_REDUCE)
    combine_element(e, rows->node, v, chunk->to);
  else
    store_chunk(e, v, chunk->to, width);
  nv_end_if(e, there);
  if (slot)
    store_chunk(e, LLVMBuildLoad2(e->b, type, slot, NV_NAME), chunk->to, width);
}

typedef struct {
  uint32_t width;
  bool is_async;
} Way;

static void move_chunk(NvEmit *e, const NvRows *rows, LLVMValueRef c, Way way) {
  Chunk chunk = nvptx_rows_chunk_at(e, rows, c, way.width);
  if (!way.is_async) {
    move_plain(e, rows, &chunk, way.width);
    return;
  }
  bool is_whole = LLVMIsAConstantInt(chunk.n_inside) &&
                  LLVMConstIntGetZExtValue(chunk.n_inside) == way.width;
  nv_cp_async(e, chunk.to, chunk.from, way.width,
              is_whole ? NULL : chunk.n_inside);
}

// ----------------------------------------------------------------- turns

// The thread's numbers rank, rank + size, … below n: a loop around what is
// emitted until nv_turns_end.
NvTurns nv_turns_begin(NvEmit *e, LLVMValueRef rank, LLVMValueRef size,
                       LLVMValueRef n) {
  LLVMBasicBlockRef body = nv_new_block(e, "turn");
  NvTurns turns = {.head = nv_new_block(e, "turns"),
                   .end = nv_new_block(e, "turned"),
                   .slot = nv_alloca(e, e->i32),
                   .size = size};
  LLVMBuildStore(e->b, rank, turns.slot);
  LLVMBuildBr(e->b, turns.head);
  nv_begin_block(e, turns.head);
  turns.number = LLVMBuildLoad2(e->b, e->i32, turns.slot, NV_NAME);
  LLVMBuildCondBr(e->b,
                  LLVMBuildICmp(e->b, LLVMIntULT, turns.number, n, NV_NAME),
                  body, turns.end);
  nv_begin_block(e, body);
  return turns;
}

void nv_turns_end(NvEmit *e, const NvTurns *turns) {
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, turns->number, turns->size, NV_NAME),
                 turns->slot);
  LLVMBuildBr(e->b, turns->head);
  nv_begin_block(e, turns->end);
}

static void move_straight(NvEmit *e, const NvRows *rows, LLVMValueRef rank,
                          int64_t size, int64_t n, Way way) {
  for (int64_t first = 0; first < n; first += size) {
    LLVMValueRef c = LLVMBuildAdd(e->b, rank, nv_i32(e, first), NV_NAME);
    bool is_last = first + size > n;
    LLVMValueRef is_one =
        LLVMBuildICmp(e->b, LLVMIntULT, c, nv_i32(e, n), NV_NAME);
    NvIf some = {0};
    if (is_last)
      some = nv_if(e, is_one);
    move_chunk(e, rows, c, way);
    if (is_last)
      nv_end_if(e, some);
  }
}

static void move_all(NvEmit *e, const NvRows *rows, const NvThreads *threads,
                     Way way) {
  int64_t n = rows->length[rows->rank - 1] * rows->element_bytes / way.width;
  for (uint32_t k = 0; k + 1 < rows->rank; k++)
    n *= rows->length[k];
  int64_t size = 0;
  if (LLVMIsAConstantInt(threads->size))
    size = LLVMConstIntGetSExtValue(threads->size);
  if (size > 0 && (n + size - 1) / size <= MOST_UNROLLED) {
    move_straight(e, rows, threads->rank, size, n, way);
    return;
  }
  NvTurns turns = nv_turns_begin(e, threads->rank, threads->size, nv_i32(e, n));
  move_chunk(e, rows, turns.number, way);
  nv_turns_end(e, &turns);
}

// ---------------------------------------------- Note [Widths of chunks]

static bool may_be_wide(const NvRows *rows, uint32_t width) {
  int64_t row = rows->length[rows->rank - 1] * rows->element_bytes;
  return width > rows->unit && rows->is_dense &&
         rows->node->op != IR_TMA_REDUCE && row % width == 0;
}

static LLVMValueRef nvptx_rows_is_wide(NvEmit *e, const NvRows *rows, Way way) {
  LLVMValueRef bits = rows->address_bits;
  if (!way.is_async)
    bits = LLVMBuildOr(e->b, bits, rows->high[rows->rank - 1], NV_NAME);
  bits = LLVMBuildAnd(e->b, bits, nv_i32(e, (int64_t)way.width - 1), NV_NAME);
  return LLVMBuildICmp(e->b, LLVMIntEQ, bits, nv_i32(e, 0), NV_NAME);
}

static void copy_one_way(NvEmit *e, const NvRows *rows,
                         const NvThreads *threads, const NvBarrier *barrier,
                         Way way) {
  move_all(e, rows, threads, way);
  if (barrier)
    nv_arrive_when_landed(e, barrier, way.is_async);
}

void nv_copy_rows(NvEmit *e, const NvRows *rows, const NvThreads *threads,
                  bool is_async, const NvBarrier *barrier) {
  static const uint32_t widths[] = {16, 4};
  LLVMBasicBlockRef end = nv_new_block(e, "copied");
  for (uint32_t i = 0; i < 2; i++) {
    Way way = {widths[i], is_async && rows->is_async};
    if (!may_be_wide(rows, way.width) || (i > 0 && rows->unit >= 4))
      continue;
    LLVMValueRef condition = nvptx_rows_is_wide(e, rows, way);
    LLVMBasicBlockRef wide = nv_new_block(e, "wide");
    LLVMBasicBlockRef other = nv_new_block(e, "narrow");
    LLVMBuildCondBr(e->b, condition, wide, other);
    nv_begin_block(e, wide);
    copy_one_way(e, rows, threads, barrier, way);
    LLVMBuildBr(e->b, end);
    nv_begin_block(e, other);
  }
  Way way = {rows->unit, is_async && rows->is_async && rows->unit >= 4};
  copy_one_way(e, rows, threads, barrier, way);
  LLVMBuildBr(e->b, end);
  nv_begin_block(e, end);
}
