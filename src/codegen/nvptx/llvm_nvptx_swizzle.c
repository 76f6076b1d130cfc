// SPDX-License-Identifier: Apache-2.0
// Places in swizzled arrays: Note [Swizzled places] in ir/form/swizzle.h.
//
// An offset is that of a chunk's row and panel, whose low bits are zeros, plus
// the number of the chunk in the row of the panel, which alone the exclusive or
// changes, plus the place in the chunk. The two are added one after the other:
// so LLVM sees that neighbours in a chunk are neighbours.
#include "codegen/nvptx/llvm_nvptx.h"

#include "base/bits.h"

enum { PATTERN_BIT = 7, CHUNK_BIT = 4, ADDRESS_MASK = 0x3FFFF };

static LLVMValueRef nvptx_swizzle_index(NvEmit *e, const IrNode *node,
                                        uint32_t operand) {
  return LLVMBuildIntCast2(e->b, nv_arg(e, node, operand), e->i64, 1, NV_NAME);
}

static LLVMValueRef nvptx_swizzle_add_scaled(NvEmit *e, LLVMValueRef sum,
                                             LLVMValueRef v,
                                             LLVMValueRef factor) {
  LLVMValueRef by = LLVMBuildNSWMul(e->b, v, factor, NV_NAME);
  return sum ? LLVMBuildNSWAdd(e->b, sum, by, NV_NAME) : by;
}

NvSwizzle nv_swizzle_of(NvEmit *e, const IrObject *object) {
  NvSwizzle swizzle = {.bytes = ir_swizzle_bytes(object)};
  if (swizzle.bytes)
    swizzle.panel_bytes =
        LLVMBuildNSWMul(e->b, nv_extent(e, object, object->rank - 2u),
                        nv_i64(e, swizzle.bytes), NV_NAME);
  return swizzle;
}

LLVMValueRef nv_swizzle_stride(NvEmit *e, const IrObject *object, uint32_t k) {
  uint32_t bytes = ir_swizzle_bytes(object);
  if (bytes && k + 2 == object->rank)
    return nv_i64(e, bytes);
  return LLVMBuildNSWMul(e->b, nv_stride(e, object, k),
                         nv_i64(e, object->element_bytes), NV_NAME);
}

LLVMValueRef nv_swizzle_row(NvEmit *e, const IrObject *object,
                            const IrNode *node, uint32_t first) {
  LLVMValueRef sum = NULL;
  for (uint32_t k = 0; k + 1 < object->rank; k++)
    sum = nvptx_swizzle_add_scaled(e, sum,
                                   nvptx_swizzle_index(e, node, first + k),
                                   nv_swizzle_stride(e, object, k));
  return sum;
}

LLVMValueRef nv_swizzle_column(NvEmit *e, const IrObject *object,
                               const IrNode *node, uint32_t first) {
  LLVMValueRef index = nvptx_swizzle_index(e, node, first + object->rank - 1u);
  return LLVMBuildNSWMul(e->b, index, nv_i64(e, object->element_bytes),
                         NV_NAME);
}

LLVMValueRef nv_swizzle_panel(NvEmit *e, const NvSwizzle *swizzle,
                              LLVMValueRef row, LLVMValueRef column) {
  LLVMValueRef panel = LLVMBuildLShr(
      e->b, column, nv_i64(e, bits_log2(swizzle->bytes)), NV_NAME);
  return nvptx_swizzle_add_scaled(e, row, panel, swizzle->panel_bytes);
}

LLVMValueRef nv_swizzled(NvEmit *e, const NvSwizzle *swizzle, LLVMValueRef base,
                         LLVMValueRef row, LLVMValueRef column) {
  uint32_t chunks = swizzle->bytes - SWIZZLE_CHUNK_BYTES;
  LLVMValueRef at = nv_swizzle_panel(e, swizzle, row, column);
  LLVMValueRef pattern =
      LLVMBuildLShr(e->b, at, nv_i64(e, PATTERN_BIT - CHUNK_BIT), NV_NAME);
  pattern = LLVMBuildAnd(e->b, pattern, nv_i64(e, chunks), NV_NAME);
  LLVMValueRef chunk = LLVMBuildAnd(e->b, column, nv_i64(e, chunks), NV_NAME);
  LLVMValueRef inner =
      LLVMBuildAnd(e->b, column, nv_i64(e, SWIZZLE_CHUNK_BYTES - 1), NV_NAME);
  at = LLVMBuildNSWAdd(e->b, at, LLVMBuildXor(e->b, chunk, pattern, NV_NAME),
                       NV_NAME);
  at = LLVMBuildInBoundsGEP2(e->b, e->i8, base, &at, 1, NV_NAME);
  return LLVMBuildInBoundsGEP2(e->b, e->i8, at, &inner, 1, NV_NAME);
}

LLVMValueRef nv_swizzle_descriptor(NvEmit *e, const NvSwizzle *swizzle,
                                   LLVMValueRef base, LLVMValueRef row,
                                   LLVMValueRef column, uint64_t fixed) {
  LLVMBuilderRef b = e->b;
  LLVMValueRef at = nv_swizzle_panel(e, swizzle, row, column);
  LLVMValueRef inner =
      LLVMBuildAnd(b, column, nv_i64(e, swizzle->bytes - 1), NV_NAME);
  at = LLVMBuildAdd(b, at, inner, NV_NAME);
  at = LLVMBuildAdd(b, base, LLVMBuildTrunc(b, at, e->i32, NV_NAME), NV_NAME);
  at = LLVMBuildAnd(b, at, nv_i32(e, ADDRESS_MASK), NV_NAME);
  at = LLVMBuildLShr(b, at, nv_i32(e, CHUNK_BIT), NV_NAME);
  at = LLVMBuildZExt(b, at, e->i64, NV_NAME);
  return LLVMBuildOr(b, at, nv_i64(e, (int64_t)fixed), NV_NAME);
}
