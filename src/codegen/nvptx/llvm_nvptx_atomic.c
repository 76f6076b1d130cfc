// SPDX-License-Identifier: Apache-2.0
// Atomic operations and fences.
//
// Note [Orders of read-modify-writes]
// LLVM's NVPTX back end writes every atomicrmw as a relaxed one of the device's
// scope, whatever order and scope it has. Relaxed ones up to that scope may be
// that; others are inline PTX with their qualifiers. Loads, stores and
// exchanges by comparison keep theirs.
#include "base/panic.h"
#include "codegen/llvm_parts.h"
#include "codegen/nvptx/llvm_nvptx.h"

#include <string.h>

static bool nvptx_atomic_is_float(IrType type) {
  return ir_type_is_float(type);
}

static bool nvptx_atomic_is_narrow(IrType type) {
  return ir_type_bits(type) == 16;
}

static const char *scope_name(const NvEmit *e, IrScope scope) {
  switch (scope) {
  case SCOPE_BLOCK: return "cta";
  case SCOPE_CLUSTER: return e->sm >= 90 ? "cluster" : "cta";
  case SCOPE_DEVICE: return "gpu";
  case SCOPE_SYSTEM: break;
  }
  return "sys";
}

static const char *order_name(IrOrder order) {
  switch (order) {
  case ORDER_PLAIN:
  case ORDER_RELAXED: return "relaxed";
  case ORDER_ACQUIRE: return "acquire";
  case ORDER_RELEASE: return "release";
  case ORDER_ACQ_REL: break;
  }
  return "acq_rel";
}

static const char *space_name(unsigned space) {
  switch (space) {
  case NV_SPACE_GLOBAL: return ".global";
  case NV_SPACE_SHARED: return ".shared";
  case NV_SPACE_CLUSTER: return ".shared::cluster";
  default: return "";
  }
}

// What LLVM calls the scopes of PTX.
static void set_scope(NvEmit *e, LLVMValueRef access, IrScope scope) {
  static const char *const names[] = {[SCOPE_BLOCK] = "block",
                                      [SCOPE_CLUSTER] = "cluster",
                                      [SCOPE_DEVICE] = "device"};
  if (scope == SCOPE_SYSTEM)
    return;
  if (scope == SCOPE_CLUSTER && e->sm < 90)
    scope = SCOPE_BLOCK;
  const char *name = names[scope];
  LLVMSetAtomicSyncScopeID(access,
                           LLVMGetSyncScopeID(e->cx, name, strlen(name)));
}

// -------------------------------------------------------- load and store

static LLVMValueRef atomic_load(NvEmit *e, const IrAccess *access,
                                LLVMValueRef at) {
  LLVMTypeRef type = nv_scalar_type(e, access->type);
  LLVMValueRef load = LLVMBuildLoad2(e->b, type, at, NV_NAME);
  LLVMSetOrdering(load, access->order == ORDER_RELAXED
                            ? LLVMAtomicOrderingMonotonic
                            : LLVMAtomicOrderingAcquire);
  set_scope(e, load, access->scope);
  LLVMSetAlignment(load, ir_type_size(e->module, access->type));
  nv_mark_access(e, load, access->object);
  return load;
}

static void atomic_store(NvEmit *e, const IrAccess *access, LLVMValueRef at,
                         LLVMValueRef v) {
  LLVMValueRef store = LLVMBuildStore(e->b, v, at);
  LLVMSetOrdering(store, access->order == ORDER_RELAXED
                             ? LLVMAtomicOrderingMonotonic
                             : LLVMAtomicOrderingRelease);
  set_scope(e, store, access->scope);
  LLVMSetAlignment(store, ir_type_size(e->module, access->type));
  nv_mark_access(e, store, access->object);
}

// --------------------------------------------------- compare and exchange

static LLVMTypeRef nvptx_atomic_bits_type(const NvEmit *e, IrType type) {
  if (nvptx_atomic_is_narrow(type))
    return e->i16;
  return ir_type_bits(type) == 64 ? e->i64 : e->i32;
}

// LLVM would compare and swap the word around them.
static LLVMValueRef exchange_16_bits(NvEmit *e, const IrAccess *access,
                                     LLVMValueRef at, LLVMValueRef expected,
                                     LLVMValueRef v) {
  const char *text =
      arena_printf(e->arena, "atom.%s.%s%s.cas.b16 $0, [$1], $2, $3;",
                   order_name(access->order), scope_name(e, access->scope),
                   space_name(LLVMGetPointerAddressSpace(LLVMTypeOf(at))));
  LLVMValueRef args[3] = {at, expected, v};
  return nv_asm(e, e->i16, text, "=h,l,h,h", args, 3, true);
}

// Of bits; the old ones.
static LLVMValueRef exchange_bits(NvEmit *e, const IrAccess *access,
                                  LLVMValueRef at, LLVMValueRef expected,
                                  LLVMValueRef v) {
  if (nvptx_atomic_is_narrow(access->type))
    return exchange_16_bits(e, access, at, expected, v);
  LLVMAtomicOrdering order = llvm_ordering(access->order);
  LLVMAtomicOrdering failure = LLVMAtomicOrderingMonotonic;
  if (order == LLVMAtomicOrderingAcquire ||
      order == LLVMAtomicOrderingAcquireRelease)
    failure = LLVMAtomicOrderingAcquire;
  LLVMValueRef pair =
      LLVMBuildAtomicCmpXchg(e->b, at, expected, v, order, failure, 0);
  set_scope(e, pair, access->scope);
  nv_mark_access(e, pair, access->object);
  return LLVMBuildExtractValue(e->b, pair, 0, NV_NAME);
}

static LLVMValueRef compare_and_swap(NvEmit *e, const IrAccess *access,
                                     LLVMValueRef at, LLVMValueRef expected,
                                     LLVMValueRef v) {
  LLVMTypeRef bits = nvptx_atomic_bits_type(e, access->type);
  expected = LLVMBuildBitCast(e->b, expected, bits, NV_NAME);
  v = LLVMBuildBitCast(e->b, v, bits, NV_NAME);
  LLVMValueRef old = exchange_bits(e, access, at, expected, v);
  return LLVMBuildBitCast(e->b, old, nv_scalar_type(e, access->type), NV_NAME);
}

// ------------------------------------------------------ read-modify-write

// What the machine has no instruction for: minimum and maximum of floats, inc
// and dec of 64 bits, all of 16 bits but sums of floats.
static bool nvptx_atomic_needs_loop(const NvEmit *e, const IrAccess *access) {
  if (nvptx_atomic_is_narrow(access->type)) {
    bool is_sum = access->rmw == RMW_ADD && nvptx_atomic_is_float(access->type);
    return !is_sum || (access->type.kind == IR_TYPE_BF16 && e->sm < 90);
  }
  switch (access->rmw) {
  case RMW_SMIN:
  case RMW_SMAX:
  case RMW_UMIN:
  case RMW_UMAX: return nvptx_atomic_is_float(access->type);
  case RMW_INC:
  case RMW_DEC: return access->type.kind == IR_TYPE_I64;
  case RMW_ADD:
  case RMW_SUB:
  case RMW_AND:
  case RMW_OR:
  case RMW_XOR:
  case RMW_EXCH: break;
  }
  return false;
}

static LLVMValueRef nvptx_atomic_modified(NvEmit *e, const IrAccess *access,
                                          LLVMValueRef old, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (access->rmw == RMW_EXCH)
    return v;
  if (access->rmw == RMW_SUB)
    return LLVMBuildSub(e->b, old, v, NV_NAME);
  if (access->rmw != RMW_INC && access->rmw != RMW_DEC)
    return nv_combine(e, access->rmw, access->type, old, v);
  LLVMValueRef one = LLVMConstInt(type, 1, 0);
  if (access->rmw == RMW_INC) { // old >= v ? 0 : old + 1
    LLVMValueRef wraps = LLVMBuildICmp(e->b, LLVMIntUGE, old, v, NV_NAME);
    return LLVMBuildSelect(e->b, wraps, LLVMConstNull(type),
                           LLVMBuildAdd(e->b, old, one, NV_NAME), NV_NAME);
  }
  // old == 0 || old > v ? v : old - 1
  LLVMValueRef less = LLVMBuildSub(e->b, old, one, NV_NAME);
  LLVMValueRef wraps = LLVMBuildICmp(e->b, LLVMIntUGE, less, v, NV_NAME);
  return LLVMBuildSelect(e->b, wraps, v, less, NV_NAME);
}

static LLVMValueRef nvptx_atomic_rmw_by_loop(NvEmit *e, const IrAccess *access,
                                             LLVMValueRef at, LLVMValueRef v) {
  LLVMTypeRef bits = nvptx_atomic_bits_type(e, access->type),
              type = LLVMTypeOf(v);
  IrAccess first = *access;
  first.order = ORDER_RELAXED;
  first.type = ir_scalar(bits == e->i64   ? IR_TYPE_I64
                         : bits == e->i32 ? IR_TYPE_I32
                                          : IR_TYPE_I16);
  LLVMValueRef start = atomic_load(e, &first, at);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef again = nv_new_block(e, "again");
  LLVMBasicBlockRef done = nv_new_block(e, "done");
  LLVMBuildBr(e->b, again);
  nv_begin_block(e, again);
  LLVMValueRef seen = LLVMBuildPhi(e->b, bits, NV_NAME);
  LLVMValueRef now = nvptx_atomic_modified(
      e, access, LLVMBuildBitCast(e->b, seen, type, NV_NAME), v);
  LLVMValueRef old = exchange_bits(e, access, at, seen,
                                   LLVMBuildBitCast(e->b, now, bits, NV_NAME));
  LLVMValueRef is_done = LLVMBuildICmp(e->b, LLVMIntEQ, old, seen, NV_NAME);
  LLVMBuildCondBr(e->b, is_done, done, again);
  LLVMValueRef from[2] = {start, old};
  LLVMBasicBlockRef blocks[2] = {before, again};
  LLVMAddIncoming(seen, from, blocks, 2);
  nv_begin_block(e, done);
  return LLVMBuildBitCast(e->b, old, type, NV_NAME);
}

static LLVMAtomicRMWBinOp llvm_op(IrRmw rmw, bool is_real) {
  switch (rmw) {
  case RMW_ADD:
  case RMW_SUB: return is_real ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
  case RMW_SMIN: return LLVMAtomicRMWBinOpMin;
  case RMW_SMAX: return LLVMAtomicRMWBinOpMax;
  case RMW_UMIN: return LLVMAtomicRMWBinOpUMin;
  case RMW_UMAX: return LLVMAtomicRMWBinOpUMax;
  case RMW_AND: return LLVMAtomicRMWBinOpAnd;
  case RMW_OR: return LLVMAtomicRMWBinOpOr;
  case RMW_XOR: return LLVMAtomicRMWBinOpXor;
  case RMW_INC: return LLVMAtomicRMWBinOpUIncWrap;
  case RMW_DEC: return LLVMAtomicRMWBinOpUDecWrap;
  case RMW_EXCH: break;
  }
  return LLVMAtomicRMWBinOpXchg;
}

// Of PTX, with the letter of its type.
static const char *ptx_op(IrRmw rmw, bool is_real) {
  switch (rmw) {
  case RMW_ADD:
  case RMW_SUB: return is_real ? "add.f" : "add.u";
  case RMW_SMIN: return "min.s";
  case RMW_SMAX: return "max.s";
  case RMW_UMIN: return "min.u";
  case RMW_UMAX: return "max.u";
  case RMW_AND: return "and.b";
  case RMW_OR: return "or.b";
  case RMW_XOR: return "xor.b";
  case RMW_INC: return "inc.u";
  case RMW_DEC: return "dec.u";
  case RMW_EXCH: break;
  }
  return "exch.b";
}

// Of 16-bit floats; registers hold their bits.
static LLVMValueRef narrow_sum_in_ptx(NvEmit *e, const IrAccess *access,
                                      LLVMValueRef at, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  const char *text =
      arena_printf(e->arena, "atom.%s.%s%s.add.noftz.%s $0, [$1], $2;",
                   order_name(access->order), scope_name(e, access->scope),
                   space_name(LLVMGetPointerAddressSpace(LLVMTypeOf(at))),
                   access->type.kind == IR_TYPE_F16 ? "f16" : "bf16");
  LLVMValueRef args[2] = {at, LLVMBuildBitCast(e->b, v, e->i16, NV_NAME)};
  LLVMValueRef old = nv_asm(e, e->i16, text, "=h,l,h", args, 2, true);
  return LLVMBuildBitCast(e->b, old, type, NV_NAME);
}

// See Note [Orders of read-modify-writes].
static LLVMValueRef rmw_in_ptx(NvEmit *e, const IrAccess *access,
                               LLVMValueRef at, LLVMValueRef v) {
  if (nvptx_atomic_is_narrow(access->type))
    return narrow_sum_in_ptx(e, access, at, v);
  bool is_real = nvptx_atomic_is_float(access->type) && access->rmw != RMW_EXCH;
  bool is_wide = ir_type_bits(access->type) == 64;
  LLVMTypeRef type = LLVMTypeOf(v),
              bits = nvptx_atomic_bits_type(e, access->type);
  const char *letter = is_real ? (is_wide ? "d" : "f") : (is_wide ? "l" : "r");
  const char *text =
      arena_printf(e->arena, "atom.%s.%s%s.%s%d $0, [$1], $2;",
                   order_name(access->order), scope_name(e, access->scope),
                   space_name(LLVMGetPointerAddressSpace(LLVMTypeOf(at))),
                   ptx_op(access->rmw, is_real), is_wide ? 64 : 32);
  const char *constraints = arena_printf(e->arena, "=%s,l,%s", letter, letter);
  if (!is_real)
    v = LLVMBuildBitCast(e->b, v, bits, NV_NAME);
  LLVMValueRef args[2] = {at, v};
  LLVMValueRef old = nv_asm(e, LLVMTypeOf(v), text, constraints, args, 2, true);
  return LLVMBuildBitCast(e->b, old, type, NV_NAME);
}

static LLVMValueRef rmw_in_llvm(NvEmit *e, const IrAccess *access,
                                LLVMValueRef at, LLVMValueRef v) {
  bool is_real = nvptx_atomic_is_float(access->type) && access->rmw != RMW_EXCH;
  LLVMTypeRef type = LLVMTypeOf(v);
  if (!is_real)
    v = LLVMBuildBitCast(e->b, v, nvptx_atomic_bits_type(e, access->type),
                         NV_NAME);
  LLVMValueRef old = LLVMBuildAtomicRMW(e->b, llvm_op(access->rmw, is_real), at,
                                        v, LLVMAtomicOrderingMonotonic, 0);
  set_scope(e, old, access->scope);
  nv_mark_access(e, old, access->object);
  return LLVMBuildBitCast(e->b, old, type, NV_NAME);
}

LLVMValueRef nv_atomic_modify(NvEmit *e, const IrAccess *access,
                              LLVMValueRef at, LLVMValueRef v) {
  if (nvptx_atomic_needs_loop(e, access))
    return nvptx_atomic_rmw_by_loop(e, access, at, v);
  if (access->rmw == RMW_SUB)
    v = nvptx_atomic_is_float(access->type) ? LLVMBuildFNeg(e->b, v, NV_NAME)
                                            : LLVMBuildNeg(e->b, v, NV_NAME);
  if (access->order == ORDER_RELAXED && access->scope != SCOPE_SYSTEM)
    return rmw_in_llvm(e, access, at, v);
  return rmw_in_ptx(e, access, at, v);
}

// ---------------------------------------------------------------- dispatch

static LLVMValueRef emit_one(NvEmit *e, const IrNode *node, LLVMValueRef at) {
  const IrAccess *access = &node->u.access;
  CodeOperands operand = code_operands(node);
  if (node->op == IR_LOAD)
    return atomic_load(e, access, at);
  LLVMValueRef v = nv_arg(e, node, (uint32_t)operand.value);
  if (node->op == IR_RMW)
    return nv_atomic_modify(e, access, at, v);
  if (node->op == IR_CAS)
    return compare_and_swap(e, access, at,
                            nv_arg(e, node, (uint32_t)operand.compare), v);
  atomic_store(e, access, at, v);
  return NULL;
}

void nv_emit_atomic(NvEmit *e, const IrNode *node) {
  unsigned space;
  LLVMValueRef guard = nv_access_guard(e, node);
  LLVMValueRef at = nv_address(e, node, &space);
  bool has_value = node->type.kind != IR_TYPE_VOID;
  if (guard == NULL) {
    LLVMValueRef v = emit_one(e, node, at);
    if (has_value)
      nv_set_value(e, node, 0, v);
    return;
  }
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  NvIf place = nv_if(e, guard);
  LLVMValueRef v = emit_one(e, node, at);
  LLVMBasicBlockRef inside = LLVMGetInsertBlock(e->b);
  nv_end_if(e, place);
  if (!has_value)
    return;
  LLVMTypeRef type = nv_scalar_type(e, node->type);
  LLVMValueRef phi = LLVMBuildPhi(e->b, type, NV_NAME);
  LLVMValueRef from[2] = {v, LLVMConstNull(type)};
  LLVMBasicBlockRef blocks[2] = {inside, before};
  LLVMAddIncoming(phi, from, blocks, 2);
  nv_set_value(e, node, 0, phi);
}

// Both ways, and writes before reads: as strong as the fences of CPUs.
void nv_emit_fence(NvEmit *e, const IrNode *node) {
  bool is_whole = node->u.text.order == ORDER_ACQ_REL;
  const char *text =
      arena_printf(e->arena, "fence.%s.%s;", is_whole ? "sc" : "acq_rel",
                   scope_name(e, node->u.text.scope));
  nv_asm(e, e->none, text, "", NULL, 0, true);
}
