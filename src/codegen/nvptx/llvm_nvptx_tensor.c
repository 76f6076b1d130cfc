// SPDX-License-Identifier: Apache-2.0
// Tensor memory: tcgen05. Note [Rows of tensor memory] in
// tile/tile_tensor_unit.c says which thread has which elements.
//
// Note [Addresses of tensor memory]
// An array lies where `tcgen05.alloc` says, in a word of shared memory that is
// the array's: lane in the upper half of the address, column in the lower. The
// program's sync behind the allocation lets everyone read it.
//
// Operands are described as those of wgmma (Note [Operands of units] in
// llvm_nvptx_unit.c), but steps are 32 bytes along K for all types.
#include "codegen/nvptx/llvm_nvptx.h"

#include "base/bits.h"
#include "codegen/nvptx/nvptx_tensor.h"

enum {
  STEP_BYTES = 32, // of K, of an instruction
  ROW_GROUP = 8,   // rows that a swizzle repeats after
  TENSOR_ROWS = 128,
  LEAST_COLUMNS = 32,
  MOST_COLUMNS = 128, // of a tile in registers
  LANE_SHIFT = 16,
  WARP_BITS = 5,
};

// -------------------------------------------------------------- addresses

static uint32_t tensor_columns(const IrObject *object) {
  int64_t n = 0;
  uint32_t columns = LEAST_COLUMNS;
  code_host_const(object->extents[1], &n);
  while (columns < n)
    columns *= 2;
  return columns;
}

static LLVMValueRef tensor_slot(NvEmit *e, const IrObject *object) {
  return nv_shared_u32(e, nv_instance_base(e, object));
}

static LLVMValueRef tensor_array_at(NvEmit *e, const IrObject *object) {
  LLVMValueRef slot = tensor_slot(e, object);
  return nv_asm(e, e->i32, "ld.shared.u32 $0, [$1];", "=r,r", &slot, 1, true);
}

// Of the first column of a section.
static LLVMValueRef tensor_address(NvEmit *e, const IrNode *node) {
  LLVMValueRef column =
      LLVMBuildIntCast2(e->b, nv_arg(e, node, 1), e->i32, 1, NV_NAME);
  return LLVMBuildAdd(e->b, tensor_array_at(e, node->u.section.object), column,
                      NV_NAME);
}

static uint32_t tensor_count(const NvEmit *e) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->kernel->objects.count; i++)
    n += e->kernel->objects.data[i]->is_tensor;
  return n;
}

// A block that takes no more lets others on its multiprocessor take theirs.
// Each array is taken once, but one warp doesn't know of another's.
void nv_tensor_alloc(NvEmit *e, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  if (!e->kernel->has_tensors)
    return;
  LLVMValueRef args[2] = {tensor_slot(e, object),
                          nv_i32(e, tensor_columns(object))};
  nv_asm(e, e->none,
         "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;",
         "r,r", args, 2, true);
  if (tensor_count(e) == 1)
    nv_asm(e, e->none,
           "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "",
           NULL, 0, true);
}

void nv_tensor_dealloc(NvEmit *e, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  if (!e->kernel->has_tensors)
    return;
  LLVMValueRef args[2] = {tensor_array_at(e, object),
                          nv_i32(e, tensor_columns(object))};
  nv_asm(e, e->none, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, $1;",
         "r,r", args, 2, true);
}

// It stands behind waits and before signals, and needn't know which.
void nv_tensor_fence(NvEmit *e) {
  if (e->kernel->has_tensors)
    nv_asm(e, e->none,
           "tcgen05.fence::before_thread_sync; "
           "tcgen05.fence::after_thread_sync;",
           "", NULL, 0, true);
}

// The hardware arrives on its own mbarriers only.
void nv_tensor_commit(NvEmit *e, const IrNode *node, const NvBarrier *barrier) {
  if (!e->kernel->has_tensors) {
    nv_barrier_arrive(e, barrier, nv_i32(e, 1));
    return;
  }
  if (barrier->is_counted) {
    nv_unsupported(e, node,
                   "'tcgen05_commit' arrives on '%s', which isn't an mbarrier "
                   "of the hardware",
                   barrier->object->name);
    return;
  }
  LLVMValueRef at = nv_shared_u32(e, barrier->at);
  nv_asm(e, e->none,
         "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster."
         "b64 [$0];",
         "r", &at, 1, true);
}

// --------------------------------------------------------------- operands

typedef struct {
  NvSwizzle swizzle;
  LLVMValueRef base, row, column; // shared address i32; offsets i64
  uint32_t element_bytes;
  uint64_t fixed; // of descriptors
  bool is_across; // neighbours are rows or columns of the result
} TensorOperand;

// Where sections must begin; NULL: they do.
static const char *tensor_problem(const NvEmit *e, const IrNode *read,
                                  const TensorOperand *operand, int64_t rows) {
  uint32_t row = read->u.section.object->rank - 2u;
  uint32_t bytes = operand->is_across ? operand->swizzle.bytes : STEP_BYTES;
  if (rows % ROW_GROUP)
    return "its rows aren't a multiple of 8";
  if (nv_zero_bits(e->plan, read->args[row]) < bits_log2(ROW_GROUP))
    return "its section isn't seen to begin at a multiple of 8 rows";
  if (nv_zero_bits(e->plan, read->args[row + 1]) <
      bits_log2(bytes / operand->element_bytes))
    return operand->is_across
               ? "its section isn't seen to begin with a panel"
               : "its section isn't seen to begin at a multiple of 32 bytes";
  return NULL;
}

static TensorOperand tensor_operand_of(NvEmit *e, const IrNode *node,
                                       const IrNode *read, bool is_across) {
  const IrObject *object = read->u.section.object;
  TensorOperand operand = {.swizzle = nv_swizzle_of(e, object),
                           .element_bytes = object->element_bytes,
                           .is_across = is_across};
  int64_t rows = 1;
  code_host_const(object->extents[object->rank - 2u], &rows);
  const char *why = tensor_problem(e, read, &operand, rows);
  if (why)
    nv_unsupported(e, node, "the tensor core reads '%s', but %s", object->name,
                   why);
  operand.base = nv_shared_u32(e, nv_instance_base(e, object));
  operand.row = nv_swizzle_row(e, object, read, 0);
  operand.column = nv_swizzle_column(e, object, read, 0);
  operand.fixed = nvptx_tensor_operand(
      operand.swizzle.bytes, (uint64_t)rows * operand.swizzle.bytes, is_across);
  return operand;
}

// Of the part that begins so many bytes of a row of K further.
static LLVMValueRef tensor_descriptor(NvEmit *e, const TensorOperand *operand,
                                      uint32_t depth_bytes) {
  LLVMBuilderRef b = e->b;
  uint32_t width = operand->swizzle.bytes;
  uint32_t down =
      operand->is_across ? depth_bytes / operand->element_bytes * width : 0;
  uint32_t along = operand->is_across ? 0 : depth_bytes;
  LLVMValueRef row = LLVMBuildAdd(b, operand->row, nv_i64(e, down), NV_NAME);
  LLVMValueRef column =
      LLVMBuildAdd(b, operand->column, nv_i64(e, along), NV_NAME);
  return nv_swizzle_descriptor(e, &operand->swizzle, operand->base, row, column,
                               operand->fixed);
}

// ----------------------------------------------- what the core is asked for

static void tensor_multiply(NvEmit *e, const IrNode *write,
                            const IrNode *node) {
  const IrNode *a = node->args[0], *b = node->args[1];
  int32_t numbers = node->u.tile.n_numbers ? node->u.tile.numbers[0] : 0;
  bool turns_a = numbers & WGMMA_TURNS_A, turns_b = numbers & WGMMA_TURNS_B;
  const IrTileShape *of_a = ir_tile_shape(e->module, a->type);
  const IrTileShape *to = ir_tile_shape(e->module, node->type);
  NvptxTensorProduct product = {.a = of_a->element,
                                .b = ir_element_type(e->module, b->type),
                                .sum = to->element,
                                .a_unsigned = numbers & 1,
                                .b_unsigned = numbers & 2,
                                .a_is_across = turns_a,
                                .b_is_across = !turns_b,
                                .rows = to->extents[0],
                                .columns = to->extents[1]};
  TensorOperand x = tensor_operand_of(e, node, a, turns_a);
  TensorOperand y = tensor_operand_of(e, node, b, !turns_b);
  uint32_t bytes = of_a->extents[!turns_a] * x.element_bytes;
  const char *text =
      arena_printf(e->arena,
                   "{ .reg .pred p; setp.ne.u32 p, $4, 0; "
                   "tcgen05.mma.cta_group::1.kind::%s [$0], $1, $2, $3, p; }",
                   nvptx_tensor_kind(product.a));
  LLVMValueRef to_at = tensor_address(e, write);
  LLVMValueRef goes_on =
      LLVMBuildZExt(e->b, nv_arg(e, node, 3), e->i32, NV_NAME);
  for (uint32_t at = 0; at < bytes; at += STEP_BYTES) {
    LLVMValueRef args[5] = {
        to_at, tensor_descriptor(e, &x, at), tensor_descriptor(e, &y, at),
        nv_i32(e, nvptx_tensor_product(&product)), at ? nv_i32(e, 1) : goes_on};
    nv_asm(e, e->none, text, "r,l,l,r,r", args, 5, true);
  }
}

// 128 rows of 32 bytes a step.
static void tensor_copy(NvEmit *e, const IrNode *write, const IrNode *read) {
  const IrTileShape *shape = ir_tile_shape(e->module, read->type);
  TensorOperand x = tensor_operand_of(e, write, read, false);
  LLVMValueRef to_at = tensor_address(e, write);
  uint32_t bytes = shape->extents[1] * x.element_bytes;
  for (uint32_t at = 0; at < bytes; at += STEP_BYTES) {
    LLVMValueRef args[2] = {
        LLVMBuildAdd(e->b, to_at, nv_i32(e, at / x.element_bytes), NV_NAME),
        tensor_descriptor(e, &x, at)};
    nv_asm(e, e->none, "tcgen05.cp.cta_group::1.128x256b [$0], $1;", "r,l",
           args, 2, true);
  }
}

// ------------------------------------------------------ loads and stores

// The thread's warp reaches 32 lanes.
static LLVMValueRef tensor_lanes(NvEmit *e, const IrNode *node) {
  LLVMValueRef rank = nv_group_rank(e, ir_node_group(e->kernel, node));
  rank = LLVMBuildAnd(e->b, rank, nv_i32(e, TENSOR_ROWS - (1 << WARP_BITS)),
                      NV_NAME);
  rank = LLVMBuildShl(e->b, rank, nv_i32(e, LANE_SHIFT), NV_NAME);
  return LLVMBuildAdd(e->b, tensor_address(e, node), rank, NV_NAME);
}

// "$0,$1" of the operands, or their constraints.
static void tensor_list(Text *text, const char *constraint, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add(text, ",");
    if (constraint)
      text_add(text, constraint);
    else
      text_printf(text, "$%u", i);
  }
}

static const char *tensor_move_text(NvEmit *e, bool is_load, uint32_t n) {
  Text text = {.arena = e->arena};
  text_printf(&text, "tcgen05.%s.sync.aligned.32x32b.x%u.b32 ",
              is_load ? "ld" : "st", n);
  if (!is_load)
    text_printf(&text, "[$%u], ", n);
  text_add(&text, "{");
  tensor_list(&text, NULL, n);
  if (is_load)
    text_printf(&text, "}, [$%u]; tcgen05.wait::ld.sync.aligned;", n);
  else
    text_add(&text, "}; tcgen05.wait::st.sync.aligned;");
  return text_cstr(&text);
}

static void tensor_load_some(NvEmit *e, const IrNode *node, LLVMValueRef at,
                             uint32_t first, uint32_t n) {
  LLVMTypeRef types[MOST_COLUMNS], all = e->i32;
  LLVMTypeRef element =
      nv_scalar_type(e, ir_element_type(e->module, node->type));
  Text list = {.arena = e->arena};
  for (uint32_t i = 0; i < n; i++)
    types[i] = e->i32;
  tensor_list(&list, "=r", n);
  text_add(&list, ",r");
  if (n > 1)
    all = LLVMStructTypeInContext(e->cx, types, n, 0);
  LLVMValueRef made = nv_asm(e, all, tensor_move_text(e, true, n),
                             text_cstr(&list), &at, 1, true);
  for (uint32_t i = 0; i < n; i++) {
    LLVMValueRef v =
        n == 1 ? made : LLVMBuildExtractValue(e->b, made, i, NV_NAME);
    nv_set_value(e, node, first + i,
                 LLVMBuildBitCast(e->b, v, element, NV_NAME));
  }
}

static void tensor_store_some(NvEmit *e, const IrNode *tile, LLVMValueRef at,
                              uint32_t first, uint32_t n) {
  LLVMValueRef args[MOST_COLUMNS + 1];
  Text list = {.arena = e->arena};
  for (uint32_t i = 0; i < n; i++)
    args[i] =
        LLVMBuildBitCast(e->b, nv_value(e, tile, first + i), e->i32, NV_NAME);
  args[n] = at;
  tensor_list(&list, "r", n + 1);
  nv_asm(e, e->none, tensor_move_text(e, false, n), text_cstr(&list), args,
         n + 1, true);
}

// As many columns at once as are left, in powers of two.
static void tensor_move(NvEmit *e, const IrNode *node) {
  bool is_load = node->op == IR_TILE_LOAD;
  const IrNode *tile = is_load ? node : node->args[node->n_args - 1];
  uint32_t columns = ir_tile_shape(e->module, tile->type)->extents[1];
  LLVMValueRef at = tensor_lanes(e, node);
  for (uint32_t first = 0, n; first < columns; first += n) {
    LLVMValueRef part = LLVMBuildAdd(e->b, at, nv_i32(e, first), NV_NAME);
    for (n = MOST_COLUMNS; n > columns - first;)
      n /= 2;
    if (is_load)
      tensor_load_some(e, node, part, first, n);
    else
      tensor_store_some(e, tile, part, first, n);
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

void nv_emit_tensor(NvEmit *e, const IrNode *node) {
  const IrNode *value = node->args[node->n_args - 1];
  switch (node->op) {
  case IR_TENSOR_READ:
  case IR_TENSOR_MMA: nv_set_undefined(e, node); break; // by the write
  case IR_TENSOR_WRITE:
    if (value->op == IR_TENSOR_MMA)
      tensor_multiply(e, node, value);
    else
      tensor_copy(e, node, value);
    break;
  case IR_TILE_LOAD:
  case IR_TILE_STORE: tensor_move(e, node); break;
  default: code_refuse(node);
  }
}

#pragma GCC diagnostic pop
