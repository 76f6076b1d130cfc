// SPDX-License-Identifier: Apache-2.0
// Atomic operations.
//
// Every active lane does its own, in lane order. Shared memory is touched by
// one worker only, so plain operations do there. Where all lanes add to (or
// and, or, xor, take the minimum or maximum of) one place and nobody asks for
// the old value, the lanes are combined first and one operation is left: the
// sum doesn't depend on their order, and that of floats nobody may rely on.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/llvm_parts.h"

static bool cpu_atomic_is_shared(const IrAccess *access) {
  return access->object && access->object->space == SPACE_SHARED;
}

// ------------------------------------------------------------- addresses

// The pointer of a lane, cheaply inside a loop over lanes.
typedef struct {
  CpuAddress at;
  LLVMValueRef memory; // spilled pointers, or NULL
  LLVMValueRef mask;   // lanes that access, NULL: all
} LanePointers;

static LanePointers lane_pointers(CpuEmit *e, const IrNode *node) {
  LanePointers p = {.at = cpu_address(e, node), .mask = e->mask};
  cpu_forget_object(e, p.at.object);
  if (p.at.guard) {
    LLVMValueRef guard =
        p.at.is_guard_uniform ? cpu_splat(e, p.at.guard) : p.at.guard;
    p.mask = cpu_mask_and(e, e->mask, guard);
  }
  if (p.at.shape.kind == CPU_VARYING) {
    LLVMValueRef v = cpu_address_pointers(e, &p.at, 0);
    p.memory = cpu_alloca(e, LLVMTypeOf(v));
    LLVMBuildStore(e->b, v, p.memory);
  }
  return p;
}

static LLVMValueRef pointer_at(CpuEmit *e, const LanePointers *p,
                               LLVMValueRef lane) {
  if (p->memory) {
    LLVMValueRef at =
        LLVMBuildGEP2(e->b, e->ptr, p->memory, &lane, 1, CPU_NAME);
    return LLVMBuildLoad2(e->b, e->ptr, at, CPU_NAME);
  }
  CpuLeaf pointer =
      cpu_leaf_of(p->at.shape, ir_scalar(IR_TYPE_PTR), p->at.base);
  return cpu_at_lane(e, pointer, lane);
}

// Old values, one a lane, while they are collected.
typedef struct {
  LLVMValueRef memory;
  IrType type;
} Results;

// Lanes that a guard leaves out have 0.
static Results results_new(CpuEmit *e, IrType type, const LanePointers *p) {
  Results results = {NULL, type};
  if (type.kind == IR_TYPE_VOID || (e->lanes == 1 && p->at.guard == NULL))
    return results;
  LLVMTypeRef row = cpu_vector_of(e, cpu_memory_type(e, type));
  results.memory = cpu_alloca(e, row);
  if (p->at.guard)
    LLVMBuildStore(e->b, LLVMConstNull(row), results.memory);
  return results;
}

static void results_put(CpuEmit *e, const Results *results, LLVMValueRef lane,
                        LLVMValueRef v) {
  if (results->memory == NULL)
    return;
  LLVMTypeRef type = cpu_memory_type(e, results->type);
  LLVMValueRef at =
      LLVMBuildGEP2(e->b, type, results->memory, &lane, 1, CPU_NAME);
  LLVMBuildStore(e->b, cpu_to_memory(e, results->type, v), at);
}

static void results_take(CpuEmit *e, const Results *results, const IrNode *node,
                         LLVMValueRef last) {
  if (results->type.kind == IR_TYPE_VOID)
    return;
  LLVMValueRef v = last;
  if (results->memory) {
    LLVMTypeRef type = cpu_vector_of(e, cpu_memory_type(e, results->type));
    v = cpu_from_memory(e, results->type,
                        LLVMBuildLoad2(e->b, type, results->memory, CPU_NAME));
  }
  cpu_set_value(e, node, 0, v);
}

// Skips what follows where a guard leaves no lane; NULL: there is none.
static LLVMBasicBlockRef skip_begin(CpuEmit *e, const LanePointers *p) {
  if (p->at.guard == NULL)
    return NULL;
  LLVMBasicBlockRef some = cpu_new_block(e, "guarded");
  LLVMBasicBlockRef end = cpu_new_block(e, "guard_end");
  LLVMBuildCondBr(e->b, cpu_any(e, p->mask), some, end);
  cpu_begin_block(e, some);
  return end;
}

static void cpu_atomic_skip_end(CpuEmit *e, LLVMBasicBlockRef end) {
  if (end == NULL)
    return;
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

// Loops over the lanes that access.
typedef struct {
  CpuLaneLoop lanes;
  LLVMBasicBlockRef end;
} AccessLoop;

static AccessLoop access_begin(CpuEmit *e, const LanePointers *p) {
  AccessLoop loop = {.end = skip_begin(e, p)};
  loop.lanes = cpu_lanes_begin(e, p->mask);
  return loop;
}

static void access_end(CpuEmit *e, AccessLoop *loop) {
  cpu_lanes_end(e, &loop->lanes);
  cpu_atomic_skip_end(e, loop->end);
}

// -------------------------------------------------------- load and store

static LLVMValueRef one_load(CpuEmit *e, const IrAccess *access,
                             LLVMValueRef pointer) {
  LLVMTypeRef type = cpu_memory_type(e, access->type);
  LLVMValueRef load = LLVMBuildLoad2(e->b, type, pointer, CPU_NAME);
  LLVMAtomicOrdering order = llvm_ordering(access->order);
  if (order == LLVMAtomicOrderingAcquireRelease ||
      order == LLVMAtomicOrderingRelease)
    order = LLVMAtomicOrderingAcquire;
  LLVMSetOrdering(load, order);
  LLVMSetAlignment(load, ir_type_size(e->module, access->type));
  return cpu_from_memory(e, access->type, load);
}

void cpu_emit_atomic_load(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  CpuShape shape = cpu_node_shape(e->plan, node);
  LanePointers p = lane_pointers(e, node);
  if (shape.kind == CPU_UNIFORM && p.at.guard == NULL) {
    cpu_set_value(e, node, 0, one_load(e, access, p.at.base));
    return;
  }
  Results results = results_new(e, node->type, &p);
  LLVMValueRef scalar_slot = NULL, type_null = NULL;
  LLVMTypeRef scalar = cpu_scalar_type(e, node->type);
  type_null = LLVMConstNull(scalar);
  if (shape.kind == CPU_UNIFORM) {
    scalar_slot = cpu_alloca(e, scalar);
    LLVMBuildStore(e->b, type_null, scalar_slot);
  } else if (results.memory) {
    LLVMTypeRef row = cpu_vector_of(e, cpu_memory_type(e, node->type));
    LLVMBuildStore(e->b, LLVMConstNull(row), results.memory);
  }
  AccessLoop loop = access_begin(e, &p);
  LLVMValueRef v = one_load(e, access, pointer_at(e, &p, loop.lanes.lane));
  if (scalar_slot)
    LLVMBuildStore(e->b, v, scalar_slot);
  else
    results_put(e, &results, loop.lanes.lane, v);
  access_end(e, &loop);
  if (scalar_slot)
    cpu_set_value(e, node, 0, cpu_load_slot(e, scalar, scalar_slot));
  else
    results_take(e, &results, node, v);
}

void cpu_emit_atomic_store(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  LanePointers p = lane_pointers(e, node);
  if (!cpu_atomic_is_shared(access))
    cpu_end_streams(e);
  CpuSpill value =
      cpu_spill(e, cpu_leaf(e, node->args[code_operands(node).value], 0));
  AccessLoop loop = access_begin(e, &p);
  LLVMValueRef v = cpu_spilled_at(e, &value, loop.lanes.lane);
  v = cpu_to_memory(e, access->type, v);
  LLVMValueRef store =
      LLVMBuildStore(e->b, v, pointer_at(e, &p, loop.lanes.lane));
  LLVMAtomicOrdering order = llvm_ordering(access->order);
  if (order == LLVMAtomicOrderingAcquireRelease ||
      order == LLVMAtomicOrderingAcquire)
    order = LLVMAtomicOrderingRelease;
  LLVMSetOrdering(store, order);
  LLVMSetAlignment(store, ir_type_size(e->module, access->type));
  access_end(e, &loop);
  cpu_note_write(e);
}

// ------------------------------------------------------ read-modify-write

static LLVMAtomicRMWBinOp rmw_op(IrRmw rmw, bool is_real) {
  switch (rmw) {
  case RMW_ADD: return is_real ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
  case RMW_SUB: return is_real ? LLVMAtomicRMWBinOpFSub : LLVMAtomicRMWBinOpSub;
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

static LLVMValueRef cpu_atomic_choose(CpuEmit *e, LLVMIntPredicate predicate,
                                      LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef c = LLVMBuildICmp(e->b, predicate, a, b, CPU_NAME);
  return LLVMBuildSelect(e->b, c, a, b, CPU_NAME);
}

// The new value, where no other thread can come between.
static LLVMValueRef cpu_atomic_modified(CpuEmit *e, IrRmw rmw, bool is_real,
                                        LLVMValueRef old, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(old);
  LLVMValueRef c, one;
  switch (rmw) {
  case RMW_ADD:
    return is_real ? LLVMBuildFAdd(e->b, old, v, CPU_NAME)
                   : LLVMBuildAdd(e->b, old, v, CPU_NAME);
  case RMW_SUB:
    return is_real ? LLVMBuildFSub(e->b, old, v, CPU_NAME)
                   : LLVMBuildSub(e->b, old, v, CPU_NAME);
  case RMW_SMIN:
    return is_real ? cpu_extreme(e, true, old, v)
                   : cpu_atomic_choose(e, LLVMIntSLT, old, v);
  case RMW_SMAX:
    return is_real ? cpu_extreme(e, false, old, v)
                   : cpu_atomic_choose(e, LLVMIntSGT, old, v);
  case RMW_UMIN:
    return is_real ? cpu_extreme(e, true, old, v)
                   : cpu_atomic_choose(e, LLVMIntULT, old, v);
  case RMW_UMAX:
    return is_real ? cpu_extreme(e, false, old, v)
                   : cpu_atomic_choose(e, LLVMIntUGT, old, v);
  case RMW_AND: return LLVMBuildAnd(e->b, old, v, CPU_NAME);
  case RMW_OR: return LLVMBuildOr(e->b, old, v, CPU_NAME);
  case RMW_XOR: return LLVMBuildXor(e->b, old, v, CPU_NAME);
  case RMW_INC: // old >= v ? 0 : old + 1
    one = LLVMConstInt(type, 1, 0);
    c = LLVMBuildICmp(e->b, LLVMIntUGE, old, v, CPU_NAME);
    return LLVMBuildSelect(e->b, c, LLVMConstNull(type),
                           LLVMBuildAdd(e->b, old, one, CPU_NAME), CPU_NAME);
  case RMW_DEC: // old == 0 || old > v ? v : old - 1
    one = LLVMConstInt(type, 1, 0);
    c = LLVMBuildICmp(e->b, LLVMIntUGE, LLVMBuildSub(e->b, old, one, CPU_NAME),
                      v, CPU_NAME);
    return LLVMBuildSelect(e->b, c, v, LLVMBuildSub(e->b, old, one, CPU_NAME),
                           CPU_NAME);
  case RMW_EXCH: break;
  }
  return v;
}

// Floats are exchanged as integers of their size.
static LLVMValueRef atomic_rmw(CpuEmit *e, const IrAccess *access,
                               LLVMValueRef pointer, LLVMValueRef v) {
  bool is_real = ir_type_is_float(access->type) && access->rmw != RMW_EXCH;
  LLVMTypeRef type = LLVMTypeOf(v), bits = type;
  if (ir_type_is_float(access->type) && access->rmw == RMW_EXCH) {
    bits = LLVMIntTypeInContext(e->cx, ir_type_bits(access->type));
    v = LLVMBuildBitCast(e->b, v, bits, CPU_NAME);
  }
  LLVMValueRef old =
      LLVMBuildAtomicRMW(e->b, rmw_op(access->rmw, is_real), pointer, v,
                         llvm_ordering(access->order), 0);
  return bits == type ? old : LLVMBuildBitCast(e->b, old, type, CPU_NAME);
}

static LLVMValueRef one_cas(CpuEmit *e, const IrAccess *access,
                            LLVMValueRef pointer, LLVMValueRef expected,
                            LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMTypeRef bits =
      LLVMIntTypeInContext(e->cx, 8 * ir_type_size(e->module, access->type));
  if (bits != type && LLVMGetTypeKind(type) != LLVMPointerTypeKind) {
    expected = LLVMBuildBitCast(e->b, expected, bits, CPU_NAME);
    v = LLVMBuildBitCast(e->b, v, bits, CPU_NAME);
  }
  LLVMAtomicOrdering order = llvm_ordering(access->order);
  LLVMAtomicOrdering failure = LLVMAtomicOrderingMonotonic;
  if (order == LLVMAtomicOrderingAcquire ||
      order == LLVMAtomicOrderingAcquireRelease)
    failure = LLVMAtomicOrderingAcquire;
  LLVMValueRef pair =
      LLVMBuildAtomicCmpXchg(e->b, pointer, expected, v, order, failure, 0);
  LLVMValueRef old = LLVMBuildExtractValue(e->b, pair, 0, CPU_NAME);
  if (bits != type && LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    old = LLVMBuildBitCast(e->b, old, type, CPU_NAME);
  return old;
}

// Of 16-bit floats, which machines neither add nor compare.
static bool cpu_atomic_is_narrow_float(const IrAccess *access) {
  return access->type.kind == IR_TYPE_F16 || access->type.kind == IR_TYPE_BF16;
}

static LLVMValueRef narrow_modified(CpuEmit *e, const IrAccess *access,
                                    LLVMValueRef old, LLVMValueRef v) {
  if (access->rmw == RMW_EXCH)
    return v;
  IrTypeKind kind = (IrTypeKind)access->type.kind;
  LLVMValueRef now = cpu_atomic_modified(
      e, access->rmw, true, cpu_to_f32(e, kind, old), cpu_to_f32(e, kind, v));
  return cpu_from_f32(e, kind, now);
}

// What LLVM has no instruction for: it knows no float minimum that orders
// zeros.
static bool cpu_atomic_needs_loop(const IrAccess *access) {
  switch (access->rmw) {
  case RMW_SMIN:
  case RMW_SMAX:
  case RMW_UMIN:
  case RMW_UMAX: return ir_type_is_float(access->type);
  case RMW_ADD:
  case RMW_SUB:
  case RMW_AND:
  case RMW_OR:
  case RMW_XOR:
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  return cpu_atomic_is_narrow_float(access);
}

static LLVMValueRef any_modified(CpuEmit *e, const IrAccess *access,
                                 LLVMValueRef old, LLVMValueRef v) {
  return cpu_atomic_is_narrow_float(access)
             ? narrow_modified(e, access, old, v)
             : cpu_atomic_modified(e, access->rmw,
                                   ir_type_is_float(access->type), old, v);
}

// By comparison of the bits, until nobody came between.
static LLVMValueRef cpu_atomic_rmw_by_loop(CpuEmit *e, const IrAccess *access,
                                           LLVMValueRef pointer,
                                           LLVMValueRef v) {
  uint32_t size = ir_type_size(e->module, access->type);
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, 8 * size);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMValueRef start = LLVMBuildLoad2(e->b, bits, pointer, CPU_NAME);
  LLVMSetOrdering(start, LLVMAtomicOrderingMonotonic);
  LLVMSetAlignment(start, size);
  LLVMBasicBlockRef again = cpu_new_block(e, "again");
  LLVMBasicBlockRef done = cpu_new_block(e, "done");
  LLVMBuildBr(e->b, again);
  cpu_begin_block(e, again);
  LLVMValueRef seen = LLVMBuildPhi(e->b, bits, CPU_NAME);
  LLVMValueRef seen_value = LLVMBuildBitCast(e->b, seen, type, CPU_NAME);
  LLVMValueRef now = any_modified(e, access, seen_value, v);
  LLVMValueRef old = one_cas(e, access, pointer, seen_value, now);
  LLVMValueRef old_bits = LLVMBuildBitCast(e->b, old, bits, CPU_NAME);
  LLVMValueRef is_done =
      LLVMBuildICmp(e->b, LLVMIntEQ, old_bits, seen, CPU_NAME);
  LLVMBasicBlockRef last = LLVMGetInsertBlock(e->b);
  LLVMBuildCondBr(e->b, is_done, done, again);
  LLVMValueRef from[2] = {start, old_bits};
  LLVMBasicBlockRef blocks[2] = {before, last};
  LLVMAddIncoming(seen, from, blocks, 2);
  cpu_begin_block(e, done);
  return old;
}

static LLVMValueRef one_rmw(CpuEmit *e, const IrAccess *access,
                            LLVMValueRef pointer, LLVMValueRef v) {
  if (!cpu_atomic_is_shared(access))
    return cpu_atomic_needs_loop(access)
               ? cpu_atomic_rmw_by_loop(e, access, pointer, v)
               : atomic_rmw(e, access, pointer, v);
  LLVMTypeRef type = cpu_scalar_type(e, access->type);
  LLVMValueRef old = LLVMBuildLoad2(e->b, type, pointer, CPU_NAME);
  cpu_mark_access(e, old, access->object);
  LLVMValueRef now = any_modified(e, access, old, v);
  LLVMValueRef store = LLVMBuildStore(e->b, now, pointer);
  cpu_mark_access(e, store, access->object);
  return old;
}

// ------------------------------------------------- all lanes to one place

// NULL: of LLVM's none, or none that orders zeros.
static const char *reduction(IrRmw rmw, bool is_real) {
  switch (rmw) {
  case RMW_ADD:
  case RMW_SUB:
    return is_real ? "llvm.vector.reduce.fadd" : "llvm.vector.reduce.add";
  case RMW_SMIN: return is_real ? NULL : "llvm.vector.reduce.smin";
  case RMW_SMAX: return is_real ? NULL : "llvm.vector.reduce.smax";
  case RMW_UMIN: return is_real ? NULL : "llvm.vector.reduce.umin";
  case RMW_UMAX: return is_real ? NULL : "llvm.vector.reduce.umax";
  case RMW_AND: return "llvm.vector.reduce.and";
  case RMW_OR: return "llvm.vector.reduce.or";
  case RMW_XOR: return "llvm.vector.reduce.xor";
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  return NULL;
}

static bool is_extreme(const IrAccess *access) {
  return ir_type_is_float(access->type) && cpu_atomic_needs_loop(access);
}

// The minimum or maximum of all lanes, halves with halves.
static LLVMValueRef reduce_extreme(CpuEmit *e, const IrAccess *access,
                                   LLVMValueRef v) {
  for (uint32_t n = e->lanes / 2; n > 0; n /= 2) {
    LLVMValueRef low = cpu_slice(e, v, 0, n), high = cpu_slice(e, v, n, n);
    v = cpu_atomic_modified(e, access->rmw, true, low, high);
  }
  return LLVMBuildExtractElement(e->b, v, cpu_i32(e, 0), CPU_NAME);
}

// What an inactive lane contributes: some active lane's own value where twice
// is as good as once, else zero.
static LLVMValueRef without_inactive(CpuEmit *e, const IrAccess *access,
                                     CpuLeaf leaf, LLVMValueRef v) {
  if (e->mask == NULL)
    return v;
  bool is_sum = access->rmw == RMW_ADD || access->rmw == RMW_SUB ||
                access->rmw == RMW_XOR;
  LLVMValueRef filler;
  if (is_sum && ir_type_is_float(access->type))
    filler = cpu_const_splat(
        e, LLVMConstReal(cpu_scalar_type(e, access->type), -0.0));
  else if (is_sum)
    filler = LLVMConstNull(LLVMTypeOf(v));
  else
    filler = cpu_splat(e, cpu_at_lane(e, leaf, cpu_first_active(e)));
  return cpu_select(e, e->mask, v, filler);
}

static LLVMValueRef cpu_atomic_reduce(CpuEmit *e, const IrAccess *access,
                                      CpuLeaf leaf) {
  bool is_real = ir_type_is_float(access->type);
  LLVMValueRef v = without_inactive(e, access, leaf, cpu_as_vector(e, leaf));
  LLVMTypeRef type = LLVMTypeOf(v);
  if (is_extreme(access))
    return reduce_extreme(e, access, v);
  const char *name = reduction(access->rmw, is_real);
  bool is_sum = access->rmw == RMW_ADD || access->rmw == RMW_SUB;
  if (!is_real || !is_sum)
    return cpu_intrinsic(e, name, &type, 1, &v, 1);
  LLVMValueRef zero = LLVMConstReal(cpu_scalar_type(e, access->type), -0.0);
  LLVMValueRef args[2] = {zero, v};
  LLVMValueRef sum = cpu_intrinsic(e, name, &type, 1, args, 2);
  LLVMSetFastMathFlags(sum, LLVMFastMathAllowReassoc);
  return sum;
}

static bool can_reduce(const CpuEmit *e, const IrNode *node,
                       const CpuAddress *at) {
  const IrAccess *access = &node->u.access;
  return node->op == IR_RMW && e->lanes > 1 && at->shape.kind == CPU_UNIFORM &&
         (at->guard == NULL || at->is_guard_uniform) &&
         !cpu_atomic_is_narrow_float(access) &&
         (is_extreme(access) ||
          reduction(access->rmw, ir_type_is_float(access->type)) != NULL) &&
         access->type.kind != IR_TYPE_PTR && !cpu_is_used(e, node);
}

typedef struct {
  const IrNode *wanted;
  bool found;
} UseSearch;

static bool find_use(IrNode *node, void *context) {
  UseSearch *search = context;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (node->args[i] == search->wanted)
      search->found = true;
  return !search->found;
}

// Uses stand behind the node in its region or nested there.
bool cpu_is_used(const CpuEmit *e, const IrNode *node) {
  (void)e;
  if (node->type.kind == IR_TYPE_VOID)
    return false;
  UseSearch search = {node, false};
  for (IrNode *next = node->next; next && !search.found; next = next->next) {
    find_use(next, &search);
    for (uint32_t r = 0; r < next->n_regions && !search.found; r++)
      ir_walk(&next->regions[r], find_use, &search);
  }
  return search.found;
}

void cpu_emit_rmw(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  CodeOperands operand = code_operands(node);
  CpuLeaf value = cpu_leaf(e, node->args[operand.value], 0);
  LanePointers p = lane_pointers(e, node);
  if (access->order == ORDER_RELEASE || access->order == ORDER_ACQ_REL)
    cpu_end_streams(e);
  if (can_reduce(e, node, &p.at)) {
    LLVMBasicBlockRef end = skip_begin(e, &p);
    LLVMValueRef all = cpu_atomic_reduce(e, access, value);
    one_rmw(e, access, p.at.base, all);
    cpu_atomic_skip_end(e, end);
    if (node->type.kind != IR_TYPE_VOID)
      cpu_set_value(e, node, 0, LLVMConstNull(cpu_vector_type(e, node->type)));
    cpu_note_write(e);
    return;
  }
  CpuSpill spill = cpu_spill(e, value), expected = {0};
  if (node->op == IR_CAS)
    expected = cpu_spill(e, cpu_leaf(e, node->args[operand.compare], 0));
  Results results = results_new(
      e, cpu_is_used(e, node) ? node->type : ir_scalar(IR_TYPE_VOID), &p);
  AccessLoop loop = access_begin(e, &p);
  LLVMValueRef lane = loop.lanes.lane;
  LLVMValueRef v = cpu_spilled_at(e, &spill, lane);
  LLVMValueRef pointer = pointer_at(e, &p, lane), old;
  if (node->op == IR_CAS)
    old = one_cas(e, access, pointer, cpu_spilled_at(e, &expected, lane), v);
  else
    old = one_rmw(e, access, pointer, v);
  results_put(e, &results, lane, old);
  access_end(e, &loop);
  if (results.type.kind == IR_TYPE_VOID && node->type.kind != IR_TYPE_VOID)
    cpu_set_value(e, node, 0, LLVMConstNull(cpu_vector_type(e, node->type)));
  else
    results_take(e, &results, node, old);
  cpu_note_write(e);
}

void cpu_emit_fence(CpuEmit *e, const IrNode *node) {
  LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
  if (node->u.text.order == ORDER_ACQUIRE)
    order = LLVMAtomicOrderingAcquire;
  else if (node->u.text.order == ORDER_RELEASE)
    order = LLVMAtomicOrderingRelease;
  // A block stays on one thread of the machine.
  bool is_local = node->u.text.scope == SCOPE_BLOCK;
  if (!is_local && order != LLVMAtomicOrderingAcquire)
    cpu_end_streams(e);
  LLVMBuildFence(e->b, order, is_local, CPU_NAME);
}

// ------------------------------------------------------------- semaphores

// Each lane by itself: who waits suspends the strand until the value is there.
static void lock_lane(CpuEmit *e, const IrNode *node, LLVMValueRef pointer,
                      LLVMValueRef wanted) {
  LLVMBasicBlockRef waits = cpu_new_block(e, "waits");
  LLVMBasicBlockRef done = cpu_new_block(e, "locked");
  LLVMValueRef now = LLVMBuildLoad2(e->b, e->i32, pointer, CPU_NAME);
  LLVMSetOrdering(now, LLVMAtomicOrderingAcquire);
  LLVMSetAlignment(now, sizeof(int32_t));
  LLVMValueRef is_there = LLVMBuildICmp(e->b, LLVMIntEQ, now, wanted, CPU_NAME);
  LLVMBuildCondBr(e->b, is_there, done, waits);
  cpu_begin_block(e, waits);
  CpuWaitFor wait = {
      .kind = HD_CPU_WAIT_SEMAPHORE, .word = pointer, .value = wanted};
  cpu_coro_wait(e, &wait, node->loc);
  LLVMBuildBr(e->b, done);
  cpu_begin_block(e, done);
}

void cpu_emit_semaphore(CpuEmit *e, const IrNode *node) {
  if (e->plan->has_checks && node->op == IR_SEMAPHORE_RELEASE)
    cpu_tell_access(e, node);
  LanePointers p = lane_pointers(e, node);
  CpuSpill value =
      cpu_spill(e, cpu_leaf(e, node->args[code_operands(node).value], 0));
  cpu_end_streams(e);
  AccessLoop loop = access_begin(e, &p);
  LLVMValueRef v = cpu_spilled_at(e, &value, loop.lanes.lane);
  LLVMValueRef pointer = pointer_at(e, &p, loop.lanes.lane);
  if (node->op == IR_SEMAPHORE_LOCK) {
    lock_lane(e, node, pointer, v);
  } else {
    LLVMValueRef store = LLVMBuildStore(e->b, v, pointer);
    LLVMSetOrdering(store, LLVMAtomicOrderingRelease);
    LLVMSetAlignment(store, sizeof(int32_t));
  }
  access_end(e, &loop);
  if (e->plan->has_checks && node->op == IR_SEMAPHORE_LOCK)
    cpu_tell_access(e, node);
  cpu_access_end(e);
  cpu_forget_rows(e);
  cpu_note_write(e);
}
