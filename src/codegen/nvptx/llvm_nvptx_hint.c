// SPDX-License-Identifier: Apache-2.0
// Loads and stores of global memory with a cache hint. LLVM has no place for
// hints, so that these are inline PTX, up to 16 bytes each where the leaves are
// of one size, side by side and aligned.
#include "codegen/nvptx/llvm_nvptx.h"

#include <string.h>

#define WIDEST_BYTES 16

// Leaves that one instruction moves.
typedef struct {
  uint32_t first, count;
  uint32_t offset_bytes, size_bytes; // of each
} Row;

static uint32_t leaf_size(const NvEmit *e, const IrAccess *access, uint32_t k,
                          uint32_t *offset) {
  IrType type = nv_leaf_type(e, access->type, k, offset);
  return ir_type_size(e->module, type);
}

// The most leaves from `first` on, at places that are multiples of the whole.
static Row row_from(const NvEmit *e, const IrAccess *access, uint32_t first,
                    uint32_t n_leaves) {
  Row row = {.first = first, .count = 1};
  row.size_bytes = leaf_size(e, access, first, &row.offset_bytes);
  for (uint32_t n = 2; n <= 4 && row.size_bytes >= 4; n *= 2) {
    uint32_t bytes = n * row.size_bytes, offset;
    bool fits = first + n <= n_leaves && bytes <= WIDEST_BYTES &&
                access->align_bytes % bytes == 0 && access->align_bytes > 0 &&
                row.offset_bytes % bytes == 0;
    for (uint32_t k = 0; fits && k < n; k++)
      fits = leaf_size(e, access, first + k, &offset) == row.size_bytes &&
             offset == row.offset_bytes + k * row.size_bytes;
    if (!fits)
      break;
    row.count = n;
  }
  return row;
}

// --------------------------------------------------------------------- bits

static LLVMTypeRef nvptx_hint_bits_type(const NvEmit *e, uint32_t size_bytes) {
  return size_bytes == 8 ? e->i64 : size_bytes == 4 ? e->i32 : e->i16;
}

static LLVMValueRef to_bits(NvEmit *e, IrType type, LLVMValueRef v,
                            uint32_t size_bytes) {
  v = nv_to_memory(e, type, v);
  if (type.kind == IR_TYPE_PTR)
    return LLVMBuildPtrToInt(e->b, v, e->i64, NV_NAME);
  LLVMTypeRef whole = LLVMIntTypeInContext(e->cx, size_bytes * 8);
  v = LLVMBuildBitCast(e->b, v, whole, NV_NAME);
  return LLVMBuildIntCast2(e->b, v, nvptx_hint_bits_type(e, size_bytes), 0,
                           NV_NAME);
}

static LLVMValueRef from_bits(NvEmit *e, IrType type, LLVMValueRef v,
                              uint32_t size_bytes) {
  if (type.kind == IR_TYPE_PTR)
    return LLVMBuildIntToPtr(e->b, v, nv_scalar_type(e, type), NV_NAME);
  LLVMTypeRef whole = LLVMIntTypeInContext(e->cx, size_bytes * 8);
  v = LLVMBuildIntCast2(e->b, v, whole, 0, NV_NAME);
  v = LLVMBuildBitCast(e->b, v, nv_memory_type(e, type), NV_NAME);
  return nv_from_memory(e, type, v);
}

static char letter_of(uint32_t size_bytes) {
  return size_bytes == 8 ? 'l' : size_bytes == 4 ? 'r' : 'h';
}

// "{$0, $1}" or "$0", from operand `first` on.
static const char *operands_text(NvEmit *e, uint32_t first, uint32_t count) {
  Text text = {.arena = e->arena};
  for (uint32_t k = 0; k < count; k++)
    text_printf(&text, "%s$%u", k ? ", " : "", first + k);
  if (count == 1)
    return text_cstr(&text);
  return arena_printf(e->arena, "{%s}", text_cstr(&text));
}

static const char *vector_text(uint32_t count) {
  return count == 4 ? ".v4" : count == 2 ? ".v2" : "";
}

// --------------------------------------------------------------------- load

static const char *load_hint(IrHint hint, bool is_fixed) {
  if (hint == HINT_STREAMING)
    return is_fixed ? ".nc.cs" : ".cs";
  if (hint == HINT_LAST_USE)
    return ".lu";
  return is_fixed ? ".nc.ca" : ".ca";
}

static void load_row(NvEmit *e, const IrAccess *access, const Row *row,
                     LLVMValueRef at, bool is_fixed, LLVMValueRef *out) {
  LLVMTypeRef types[4], type = nvptx_hint_bits_type(e, row->size_bytes);
  Text constraints = {.arena = e->arena};
  for (uint32_t k = 0; k < row->count; k++) {
    types[k] = type;
    text_printf(&constraints, "=%c,", letter_of(row->size_bytes));
  }
  text_add(&constraints, "l");
  if (row->count > 1)
    type = LLVMStructTypeInContext(e->cx, types, row->count, 0);
  const char *text = arena_printf(e->arena, "ld.global%s%s.b%u %s, [$%u];",
                                  load_hint(access->hint, is_fixed),
                                  vector_text(row->count), row->size_bytes * 8,
                                  operands_text(e, 0, row->count), row->count);
  at = nv_byte_offset(e, at, row->offset_bytes);
  LLVMValueRef loaded =
      nv_asm(e, type, text, text_cstr(&constraints), &at, 1, !is_fixed);
  for (uint32_t k = 0; k < row->count; k++) {
    uint32_t offset;
    IrType leaf = nv_leaf_type(e, access->type, row->first + k, &offset);
    LLVMValueRef v = row->count == 1
                         ? loaded
                         : LLVMBuildExtractValue(e->b, loaded, k, NV_NAME);
    out[row->first + k] = from_bits(e, leaf, v, row->size_bytes);
  }
}

void nv_load_hinted(NvEmit *e, const IrAccess *access, LLVMValueRef at,
                    bool is_fixed, LLVMValueRef *out) {
  uint32_t n = code_leaf_count(e->module, access->type);
  for (uint32_t k = 0; k < n;) {
    Row row = row_from(e, access, k, n);
    load_row(e, access, &row, at, is_fixed, out);
    k += row.count;
  }
}

// -------------------------------------------------------------------- store

static void store_row(NvEmit *e, const IrAccess *access, const Row *row,
                      LLVMValueRef at, const IrNode *value) {
  LLVMValueRef args[5] = {nv_byte_offset(e, at, row->offset_bytes)};
  Text constraints = {.arena = e->arena};
  text_add(&constraints, "l");
  for (uint32_t k = 0; k < row->count; k++) {
    uint32_t offset;
    IrType leaf = nv_leaf_type(e, access->type, row->first + k, &offset);
    args[1 + k] =
        to_bits(e, leaf, nv_value(e, value, row->first + k), row->size_bytes);
    text_printf(&constraints, ",%c", letter_of(row->size_bytes));
  }
  const char *text = arena_printf(e->arena, "st.global.%s%s.b%u [$0], %s;",
                                  access->hint == HINT_CACHED ? "wb" : "cs",
                                  vector_text(row->count), row->size_bytes * 8,
                                  operands_text(e, 1, row->count));
  nv_asm(e, e->none, text, text_cstr(&constraints), args, 1 + row->count, true);
}

void nv_store_hinted(NvEmit *e, const IrAccess *access, LLVMValueRef at,
                     const IrNode *value) {
  uint32_t n = code_leaf_count(e->module, access->type);
  for (uint32_t k = 0; k < n;) {
    Row row = row_from(e, access, k, n);
    store_row(e, access, &row, at, value);
    k += row.count;
  }
}
