// SPDX-License-Identifier: Apache-2.0
// Note [Loops in parts]
// LLVM cuts an operation on a vector of several registers into as many
// operations, which stay next to each other. In a loop that adds up products,
//
//   b = load; for each row: sum[row] = fma(splat(a[row]), b, sum[row])
//
// all parts of b are then needed until the last row is done. For sums of 3 rows
// of 4 registers that makes 17 registers; an AVX2 machine has 16, and one sum
// lives in memory. By parts,
//
//   splat each a[row]; for each part: b = load; for each row: …
//
// 16 are enough. So loops of one block that hold nothing but scalars, sums,
// loads, splats and such operations are rewritten part by part if row by row
// they need more registers than there are, and more than by parts. Nothing is
// stored in them, so loads may move. For sums of 14 rows of 2 registers row by
// row is better: 31 registers, by parts 43.
#include "codegen/llvm_loop_parts.h"

#include "base/bits.h"
#include "base/vec.h"
#include "codegen/llvm_arith.h"
#include <stdbool.h>
#include <string.h>

#define MOST_PARTS 32

typedef enum { KIND_NONE, KIND_PHI, KIND_SPLAT, KIND_LOAD, KIND_OP } PartKind;

typedef struct {
  LLVMValueRef value;
  PartKind kind;
  LLVMValueRef parts[MOST_PARTS];
} PartRow;

typedef struct {
  Arena *arena;
  LLVMModuleRef module;
  LLVMBuilderRef b;
  uint32_t vector_bytes, n_vectors;
  // Of the loop.
  LLVMBasicBlockRef block, before;
  hd_vec(PartRow) rows;
  uint32_t n_ops;
} Parts;

// ------------------------------------------------------------------- types

// 0: of another type than those that are cut.
static uint32_t parts_element_bytes(LLVMTypeRef vector) {
  LLVMTypeRef element = LLVMGetElementType(vector);
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  if (kind == LLVMFloatTypeKind)
    return 4;
  if (kind == LLVMDoubleTypeKind)
    return 8;
  unsigned bits =
      kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(element) : 0;
  return bits == 32 || bits == 64 ? bits / 8 : 0;
}

// Registers of a value; 0: it is no vector that is cut.
static uint32_t n_parts(const Parts *p, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return 0;
  uint32_t bytes = parts_element_bytes(type) * LLVMGetVectorSize(type);
  uint32_t n = bytes / p->vector_bytes;
  bool is_even = n > 1 && bytes % p->vector_bytes == 0 && bits_is_power(n);
  return is_even && n <= MOST_PARTS ? n : 0;
}

static LLVMTypeRef part_type(const Parts *p, LLVMTypeRef type) {
  return LLVMVectorType(LLVMGetElementType(type),
                        p->vector_bytes / parts_element_bytes(type));
}

static bool parts_is_vector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

// ------------------------------------------------------------------- loops

static LLVMValueRef splat_scalar(LLVMValueRef shuffle) {
  LLVMValueRef from = LLVMGetOperand(shuffle, 0);
  unsigned n = LLVMGetNumMaskElements(shuffle);
  for (unsigned i = 0; i < n; i++)
    if (LLVMGetMaskValue(shuffle, i) != 0)
      return NULL;
  if (!LLVMIsAInsertElementInst(from) ||
      !LLVMIsAConstantInt(LLVMGetOperand(from, 2)) ||
      LLVMConstIntGetZExtValue(LLVMGetOperand(from, 2)) != 0)
    return NULL;
  return LLVMGetOperand(from, 1);
}

static bool is_fma(LLVMValueRef value) {
  LLVMValueRef callee = LLVMGetCalledValue(value);
  if (!LLVMIsAFunction(callee))
    return false;
  return LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID("llvm.fma", 8);
}

static PartKind kind_of_row(const Parts *p, LLVMValueRef value) {
  if (n_parts(p, LLVMTypeOf(value)) == 0)
    return KIND_NONE;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMPHI)
    return KIND_PHI;
  if (opcode == LLVMShuffleVector)
    return splat_scalar(value) ? KIND_SPLAT : KIND_NONE;
  if (opcode == LLVMLoad)
    return LLVMGetVolatile(value) ? KIND_NONE : KIND_LOAD;
  if (opcode == LLVMCall)
    return is_fma(value) ? KIND_OP : KIND_NONE;
  return opcode == LLVMAdd || opcode == LLVMMul || opcode == LLVMFAdd ||
                 opcode == LLVMFMul
             ? KIND_OP
             : KIND_NONE;
}

// What the loop may hold besides: no effects.
static bool is_aside(LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMInsertElement) // of a splat
    return true;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (parts_is_vector(LLVMGetOperand(value, (unsigned)i)))
      return false; // it needs the whole of it
  bool is_effect = opcode == LLVMStore || opcode == LLVMCall ||
                   opcode == LLVMFence || opcode == LLVMAtomicCmpXchg ||
                   opcode == LLVMAtomicRMW;
  if (is_effect || parts_is_vector(value))
    return false;
  return opcode != LLVMLoad ||
         (!LLVMGetVolatile(value) &&
          LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic);
}

static PartRow *row_of(const Parts *p, LLVMValueRef value) {
  for (uint32_t i = 0; i < p->rows.count; i++)
    if (p->rows.data[i].value == value)
      return &p->rows.data[i];
  return NULL;
}

// Operands have parts, or are there before the loop.
static bool parts_has_operands(const Parts *p, LLVMValueRef value) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    LLVMValueRef from = LLVMGetOperand(value, i);
    if (parts_is_vector(from) && LLVMIsAInstruction(from) &&
        LLVMGetInstructionParent(from) == p->block && !row_of(p, from))
      return false;
  }
  return true;
}

static bool parts_find_rows(Parts *p) {
  bool has_sums = false;
  p->rows.count = 0;
  p->n_ops = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(p->block); at;
       at = LLVMGetNextInstruction(at)) {
    PartRow row = {.value = at, .kind = kind_of_row(p, at)};
    if (row.kind == KIND_NONE && !is_aside(at))
      return false;
    if (row.kind == KIND_NONE)
      continue;
    has_sums |= row.kind == KIND_PHI;
    p->n_ops += row.kind == KIND_OP;
    VEC_PUSH(p->arena, &p->rows, row);
  }
  for (uint32_t i = 0; i < p->rows.count; i++) {
    const PartRow *row = &p->rows.data[i];
    if (row->kind != KIND_SPLAT && !parts_has_operands(p, row->value))
      return false;
  }
  return has_sums && p->n_ops > 1;
}

bool llvm_loop_is_single(LLVMBasicBlockRef block, LLVMBasicBlockRef *before,
                         unsigned *leaves) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  LLVMValueRef phi = LLVMGetFirstInstruction(block);
  if (!LLVMIsABranchInst(end) || LLVMGetNumSuccessors(end) != 2 ||
      !LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
    return false;
  bool is_first = LLVMGetSuccessor(end, 0) == block;
  if (is_first == (LLVMGetSuccessor(end, 1) == block))
    return false;
  *leaves = is_first ? 1 : 0;
  unsigned outside = LLVMGetIncomingBlock(phi, 0) == block ? 1 : 0;
  *before = LLVMGetIncomingBlock(phi, outside);
  return true;
}

// ------------------------------------------------------------------- parts

// Part `i` of a value from before the loop.
static LLVMValueRef part_outside(const Parts *p, LLVMValueRef value,
                                 uint32_t i) {
  uint32_t n = LLVMGetVectorSize(part_type(p, LLVMTypeOf(value)));
  LLVMBasicBlockRef here = LLVMGetInsertBlock(p->b);
  LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(p->before));
  LLVMValueRef part = llvm_lanes(p->b, value, i * n, n);
  LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(here));
  return part;
}

static LLVMValueRef part_of(const Parts *p, LLVMValueRef value, uint32_t i) {
  const PartRow *row = row_of(p, value);
  return row ? row->parts[i] : part_outside(p, value, i);
}

static void part_phi(const Parts *p, PartRow *row, uint32_t n) {
  LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(p->block));
  for (uint32_t i = 0; i < n; i++)
    row->parts[i] =
        LLVMBuildPhi(p->b, part_type(p, LLVMTypeOf(row->value)), "");
}

static void part_splat(const Parts *p, PartRow *row, uint32_t n) {
  LLVMTypeRef type = part_type(p, LLVMTypeOf(row->value));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(p->module));
  LLVMPositionBuilderBefore(p->b, row->value);
  LLVMValueRef one = LLVMBuildInsertElement(p->b, LLVMGetPoison(type),
                                            splat_scalar(row->value),
                                            LLVMConstInt(i32, 0, 0), "");
  LLVMValueRef zeros =
      LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(type)));
  LLVMValueRef all =
      LLVMBuildShuffleVector(p->b, one, LLVMGetPoison(type), zeros, "");
  for (uint32_t i = 0; i < n; i++)
    row->parts[i] = all;
}

static void part_load(const Parts *p, PartRow *row, uint32_t i) {
  LLVMContextRef cx = LLVMGetModuleContext(p->module);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(cx),
                                     (uint64_t)i * p->vector_bytes, 0);
  LLVMValueRef at = LLVMGetOperand(row->value, 0);
  if (i > 0)
    at = LLVMBuildGEP2(p->b, LLVMInt8TypeInContext(cx), at, &offset, 1, "");
  row->parts[i] =
      LLVMBuildLoad2(p->b, part_type(p, LLVMTypeOf(row->value)), at, "");
  unsigned align = LLVMGetAlignment(row->value);
  LLVMSetAlignment(row->parts[i],
                   align < p->vector_bytes ? align : p->vector_bytes);
}

static LLVMValueRef part_call(const Parts *p, LLVMValueRef call,
                              LLVMValueRef *args) {
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(call));
  LLVMValueRef callee = LLVMGetIntrinsicDeclaration(p->module, id, &type, 1);
  return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(callee), callee, args, 3,
                        "");
}

static void part_op(const Parts *p, PartRow *row, uint32_t i) {
  LLVMValueRef args[3];
  bool is_call = LLVMGetInstructionOpcode(row->value) == LLVMCall;
  for (uint32_t k = 0; k < (is_call ? 3 : 2); k++)
    args[k] = part_of(p, LLVMGetOperand(row->value, k), i);
  LLVMValueRef made =
      is_call ? part_call(p, row->value, args)
              : LLVMBuildBinOp(p->b, LLVMGetInstructionOpcode(row->value),
                               args[0], args[1], "");
  if (LLVMCanValueUseFastMathFlags(made))
    LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(row->value));
  row->parts[i] = made;
}

static void make_parts(const Parts *p, uint32_t n) {
  for (uint32_t k = 0; k < p->rows.count; k++) {
    PartRow *row = &p->rows.data[k];
    if (row->kind == KIND_PHI)
      part_phi(p, row, n);
    else if (row->kind == KIND_SPLAT)
      part_splat(p, row, n);
  }
  LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(p->block));
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < p->rows.count; k++) {
      PartRow *row = &p->rows.data[k];
      if (row->kind == KIND_LOAD)
        part_load(p, row, i);
      else if (row->kind == KIND_OP)
        part_op(p, row, i);
    }
}

static void close_phis(const Parts *p, uint32_t n) {
  for (uint32_t k = 0; k < p->rows.count; k++) {
    const PartRow *row = &p->rows.data[k];
    for (uint32_t i = 0; row->kind == KIND_PHI && i < n; i++)
      for (unsigned from = 0; from < 2; from++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(row->value, from);
        LLVMValueRef value = LLVMGetIncomingValue(row->value, from);
        LLVMValueRef part = block == p->block ? part_of(p, value, i)
                                              : part_outside(p, value, i);
        LLVMAddIncoming(row->parts[i], &part, &block, 1);
      }
  }
}

// -------------------------------------------------------------- behind it

// A block between the loop and what is behind it.
static LLVMBasicBlockRef parts_split_exit(const Parts *p, unsigned leaves) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block);
  LLVMBasicBlockRef behind = LLVMGetSuccessor(end, leaves);
  LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(
      LLVMGetModuleContext(p->module), behind, "");
  LLVMPositionBuilderAtEnd(p->b, between);
  LLVMBuildBr(p->b, behind);
  LLVMSetSuccessor(end, leaves, between);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(behind), next;
       LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(p->b, phi);
    LLVMValueRef other = LLVMBuildPhi(p->b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      from = from == p->block ? between : from;
      LLVMAddIncoming(other, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, other);
    LLVMInstructionEraseFromParent(phi);
  }
  return between;
}

static bool parts_is_used_behind(const Parts *p, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) != p->block)
      return true;
  return false;
}

static void parts_replace_all(const Parts *p, uint32_t n,
                              LLVMBasicBlockRef between) {
  LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(between));
  for (uint32_t k = 0; k < p->rows.count; k++) {
    LLVMValueRef value = p->rows.data[k].value;
    LLVMReplaceAllUsesWith(value,
                           parts_is_used_behind(p, value)
                               ? llvm_join(p->b, p->rows.data[k].parts, n)
                               : LLVMGetPoison(LLVMTypeOf(value)));
  }
  for (uint32_t k = p->rows.count; k-- > 0;)
    LLVMInstructionEraseFromParent(p->rows.data[k].value);
}

// ------------------------------------------------------------------- all

// All vectors have as many parts.
static uint32_t parts_of_loop(const Parts *p) {
  uint32_t n = n_parts(p, LLVMTypeOf(p->rows.data[0].value));
  for (uint32_t k = 1; k < p->rows.count; k++)
    if (n_parts(p, LLVMTypeOf(p->rows.data[k].value)) != n)
      return 0;
  return n;
}

// Registers, for rows of n parts: in both forms all sums, and
//  - row by row: the loads, and one element of a row;
//  - by parts: an element of each row, and one part of a load.
static bool parts_saves_registers(const Parts *p, uint32_t n) {
  uint32_t counts[KIND_OP + 1] = {0};
  for (uint32_t k = 0; k < p->rows.count; k++)
    counts[p->rows.data[k].kind]++;
  uint32_t sums = counts[KIND_PHI] * n;
  uint32_t by_rows = sums + counts[KIND_LOAD] * n + 1;
  uint32_t by_parts = sums + counts[KIND_SPLAT] + 1;
  return by_rows > p->n_vectors && by_parts < by_rows;
}

static void parts_of_block(Parts *p) {
  unsigned leaves;
  if (!llvm_loop_is_single(p->block, &p->before, &leaves) ||
      !parts_find_rows(p))
    return;
  uint32_t n = parts_of_loop(p);
  if (n == 0 || !parts_saves_registers(p, n))
    return;
  make_parts(p, n);
  close_phis(p, n);
  parts_replace_all(p, n, parts_split_exit(p, leaves));
}

void llvm_loop_parts(Arena *arena, LLVMModuleRef module,
                     const LlvmTarget *target) {
  Parts p = {.arena = arena,
             .module = module,
             .vector_bytes = target->vector_bytes,
             .n_vectors = target->n_vectors};
  p.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
      p.block = block;
      parts_of_block(&p);
    }
  LLVMDisposeBuilder(p.b);
}
