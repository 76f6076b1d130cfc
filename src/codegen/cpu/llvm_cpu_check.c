// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds: the runtime is told of every access and barrier before
// it happens. Which array an address is in, and what came before, is the
// runtime's to know; llvm_cpu_bounds.c compares indices with their extents.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// ----------------------------------------------------------------- calls

LLVMValueRef cpu_ask_runtime(CpuEmit *e, LLVMTypeRef result,
                             size_t offset_bytes, LLVMTypeRef *types,
                             LLVMValueRef *args, uint32_t n) {
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef service =
      cpu_service(e, (uint32_t)(offset_bytes / sizeof(void *)));
  return LLVMBuildCall2(e->b, type, service, args, n, CPU_NAME);
}

void cpu_tell_runtime(CpuEmit *e, size_t offset_bytes, LLVMTypeRef *types,
                      LLVMValueRef *args, uint32_t n) {
  cpu_ask_runtime(e, e->none, offset_bytes, types, args, n);
}

CpuTold cpu_told_lanes(CpuEmit *e, LLVMValueRef mask) {
  LLVMValueRef rank = LLVMBuildTrunc(e->b, e->warp_rank, e->i32, CPU_NAME);
  CpuTold lanes;
  lanes.warp = LLVMBuildLShr(e->b, rank, cpu_i32(e, 5), CPU_NAME);
  lanes.bits = cpu_mask_bits(e, mask ? mask : cpu_mask(e));
  if (e->lanes == 1) {
    LLVMValueRef lane = LLVMBuildAnd(e->b, rank, cpu_i32(e, 31), CPU_NAME);
    lanes.bits = LLVMBuildShl(e->b, lanes.bits, lane, CPU_NAME);
  }
  return lanes;
}

// The value in all lanes, also where code is made for one.
static LLVMValueRef all_lanes(CpuEmit *e, LLVMValueRef v, LLVMTypeRef scalar) {
  if (e->lanes != 1)
    return v;
  LLVMTypeRef type = LLVMVectorType(scalar, CPU_WARP);
  LLVMValueRef one = LLVMBuildInsertElement(e->b, LLVMGetPoison(type), v,
                                            cpu_i32(e, 0), CPU_NAME);
  LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(e->i32, CPU_WARP));
  return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(type), zeros,
                                CPU_NAME);
}

LLVMValueRef cpu_spilled_lanes(CpuEmit *e, LLVMValueRef v, LLVMTypeRef scalar) {
  LLVMValueRef slot = cpu_alloca(e, LLVMVectorType(scalar, CPU_WARP));
  LLVMBuildStore(e->b, all_lanes(e, v, scalar), slot);
  return slot;
}

// ----------------------------------------------------------------- sites

// A copy has two, one behind the other: where it reads and where it writes.
LLVMValueRef cpu_site(CpuEmit *e, const IrNode *node) {
  uint32_t *number = &e->site_number[node->id];
  if (*number == 0) {
    VEC_PUSH(e->arena, &e->sites, node);
    *number = e->sites.count;
    cpu_loc(e, node->loc);
    if (ir_op_info(node)->form != FORM_ACCESS)
      VEC_PUSH(e->arena, &e->sites, node);
  }
  return cpu_i32(e, *number - 1);
}

static uint32_t site_flags(const IrNode *node) {
  const IrAccess *access = &node->u.access;
  uint32_t flags = 0;
  if (node->op == IR_SEMAPHORE_LOCK)
    return HD_CPU_ATOMIC | HD_CPU_ACQUIRES;
  if (node->op == IR_SEMAPHORE_RELEASE)
    return HD_CPU_ATOMIC | HD_CPU_WRITES | HD_CPU_RELEASES;
  bool is_rmw = node->op == IR_RMW || node->op == IR_CAS;
  if (is_rmw || node->op == IR_STORE)
    flags |= HD_CPU_WRITES;
  if (node->flags & NODE_ENDS)
    flags |= HD_CPU_ENDS;
  if (access->order == ORDER_PLAIN && !is_rmw)
    return flags;
  flags |= HD_CPU_ATOMIC;
  flags |= is_rmw ? HD_CPU_RMW : 0;
  flags |= access->scope == SCOPE_BLOCK ? HD_CPU_BLOCK_SCOPE : 0;
  if (access->order == ORDER_ACQUIRE || access->order == ORDER_ACQ_REL)
    flags |= HD_CPU_ACQUIRES;
  if (access->order == ORDER_RELEASE || access->order == ORDER_ACQ_REL)
    flags |= HD_CPU_RELEASES;
  return flags;
}

// ---------------------------------------------------------------- arrays

static bool is_checked_object(const IrObject *object) {
  return object->kind == OBJECT_ARRAY &&
         (object->space == SPACE_GLOBAL || object->space == SPACE_SHARED ||
          object->space == SPACE_CONSTANT);
}

// Row of the array table: kernel objects first, then those at file scope.
int32_t cpu_array_row(const CpuEmit *e, const IrObject *object) {
  int32_t row = 0;
  for (uint32_t i = 0; i < e->kernel->objects.count; i++) {
    const IrObject *other = e->kernel->objects.data[i];
    if (other == object)
      return is_checked_object(object) ? row : -1;
    row += is_checked_object(other);
  }
  for (uint32_t i = 0; i < e->module->globals.count; i++) {
    const IrObject *other = e->module->globals.data[i];
    if (other == object)
      return is_checked_object(object) ? row : -1;
    row += is_checked_object(other);
  }
  return -1;
}

// The smallest leaf that an element has.
static uint32_t cell_bytes(const CpuEmit *e, const IrObject *object) {
  uint32_t bytes = 8, n = code_leaf_count(e->module, object->element);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t offset;
    IrType leaf = code_leaf_type(e->module, object->element, i, &offset);
    uint32_t size = ir_type_size(e->module, leaf);
    bytes = size < bytes ? size : bytes;
    while (bytes > 1 && offset % bytes != 0)
      bytes /= 2;
  }
  return n == 0 || bytes == 0 ? 1 : bytes;
}

typedef struct {
  const IrObject *object;
  bool is_written;
} Writes;

static bool find_write(IrNode *node, void *context) {
  Writes *writes = context;
  const IrOpInfo *info = ir_op_info(node);
  if (!(info->memory & MEM_WRITE))
    return true;
  const IrObject *target = NULL;
  if (info->form == FORM_ACCESS)
    target = node->u.access.object;
  else if (info->form == FORM_COPY)
    target = node->u.copy.to.object;
  writes->is_written = target == NULL || target == writes->object ||
                       (target->alias_class != 0 &&
                        target->alias_class == writes->object->alias_class);
  return !writes->is_written;
}

static bool is_never_written(CpuEmit *e, const IrObject *object) {
  uint8_t *known = &e->written[cpu_array_row(e, object)];
  if (*known == 0) {
    Writes writes = {.object = object};
    IrRegion body = e->kernel->body;
    ir_walk(&body, find_write, &writes);
    *known = writes.is_written ? 2 : 1;
  }
  return *known == 1;
}

static LLVMValueRef array_record(CpuEmit *e, const IrObject *object) {
  bool is_kernels = cpu_is_kernel_object(e, object);
  bool is_shared = object->space == SPACE_SHARED;
  uint64_t where = object->id, size = object->element_bytes;
  uint32_t kind = HD_CPU_ARRAY_GLOBAL, n_instances = 1;
  LLVMValueRef extents[HD_CPU_MAX_RANK];
  for (uint32_t i = 0; i < HD_CPU_MAX_RANK; i++) {
    int64_t extent = -1;
    if (i < object->rank && code_host_const(object->extents[i], &extent))
      size *= (uint64_t)extent;
    extents[i] = cpu_i64(e, extent);
  }
  if (is_kernels && is_shared) {
    const CpuShared *place = &e->plan->shared[object->id];
    kind = HD_CPU_ARRAY_SHARED;
    where = place->is_dynamic ? e->plan->shared_bytes : place->offset_bytes;
    size = place->is_dynamic ? UINT64_MAX : place->size_bytes;
    n_instances = place->n_instances;
  } else if (is_kernels) {
    kind = object->is_plain_pointer ? HD_CPU_ARRAY_POINTER : HD_CPU_ARRAY_PARAM;
    where = e->kernel->params.data[object->param].slot;
  }
  LLVMValueRef fields[] = {
      cpu_text(e, object->name ? object->name : ""),
      cpu_i32(e, kind),
      cpu_i32(e, object->rank),
      cpu_i32(e, object->element_bytes),
      cpu_i32(e, cell_bytes(e, object)),
      cpu_i32(e, is_never_written(e, object)),
      cpu_i32(e, n_instances),
      cpu_i32(e, object->marks_barrier),
      cpu_i64(e, (int64_t)where),
      cpu_i64(e, (int64_t)size),
      LLVMConstArray2(e->i64, extents, HD_CPU_MAX_RANK),
  };
  return LLVMConstStructInContext(e->cx, fields,
                                  sizeof fields / sizeof fields[0], 0);
}

LLVMValueRef cpu_array_table(CpuEmit *e, uint32_t *count) {
  uint32_t n_kernel = e->kernel->objects.count;
  uint32_t n_most = n_kernel + e->module->globals.count;
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, n_most + 1);
  *count = 0;
  for (uint32_t i = 0; i < n_most; i++) {
    const IrObject *object = i < n_kernel
                                 ? e->kernel->objects.data[i]
                                 : e->module->globals.data[i - n_kernel];
    if (is_checked_object(object))
      rows[(*count)++] = array_record(e, object);
  }
  if (*count == 0)
    return LLVMConstNull(e->ptr);
  return cpu_constant_table(e,
                            LLVMConstArray2(LLVMTypeOf(rows[0]), rows, *count));
}

static LLVMValueRef site_record(CpuEmit *e, const IrNode *node, uint32_t flags,
                                uint32_t size_bytes, uint32_t align_bytes,
                                const IrObject *object) {
  LLVMValueRef fields[] = {cpu_i32(e, cpu_loc(e, node->loc)),
                           cpu_i32(e, flags),
                           cpu_i32(e, size_bytes),
                           cpu_i32(e, align_bytes ? align_bytes : 1),
                           cpu_i32(e, object ? cpu_array_row(e, object) : -1),
                           cpu_i32(e, cpu_clause_loops(e, node))};
  return LLVMConstStructInContext(e->cx, fields,
                                  sizeof fields / sizeof fields[0], 0);
}

// One side of a copy; what the copy engine does needs fences.
static LLVMValueRef copy_site(CpuEmit *e, const IrNode *node, bool writes) {
  const IrObject *object = NULL;
  uint32_t flags = writes ? HD_CPU_WRITES : 0;
  if (ir_op_info(node)->form == FORM_COPY)
    object = writes ? node->u.copy.to.object : node->u.copy.from.object;
  if (ir_op_info(node)->proxy == PROXY_ASYNC)
    flags |= HD_CPU_ASYNC;
  return site_record(e, node, flags, 1, 1, object);
}

LLVMValueRef cpu_site_table(CpuEmit *e) {
  uint32_t n = e->sites.count;
  if (n == 0)
    return LLVMConstNull(e->ptr);
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  for (uint32_t i = 0; i < n; i++) {
    const IrNode *node = e->sites.data[i];
    const IrAccess *access = &node->u.access;
    bool is_second = i > 0 && e->sites.data[i - 1] == node;
    rows[i] = ir_op_info(node)->form != FORM_ACCESS
                  ? copy_site(e, node, is_second)
                  : site_record(e, node, site_flags(node),
                                ir_type_size(e->module, access->type),
                                access->align_bytes, access->object);
  }
  return cpu_constant_table(e, LLVMConstArray2(LLVMTypeOf(rows[0]), rows, n));
}

// -------------------------------------------------------------- accesses

static LLVMValueRef address_number(CpuEmit *e, LLVMValueRef pointer) {
  return LLVMBuildPtrToInt(e->b, pointer, e->i64, CPU_NAME);
}

// A thread's own variables, by name or through a pointer, are nobody else's.
static bool is_own_memory(const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (object)
    return object->space == SPACE_LOCAL;
  return node->args[0]->type.space == SPACE_LOCAL;
}

static bool may_be_own_memory(const IrNode *node) {
  return !node->u.access.object && node->args[0]->type.space == SPACE_GENERIC;
}

bool cpu_told_rows(CpuEmit *e, const CpuAddress *at, CpuRows *rows) {
  CpuShape shape = cpu_rows(at);
  if (e->lanes != CPU_WARP || at->pointers)
    return false;
  *rows = (CpuRows){at->lane_bytes, cpu_i64(e, shape.outer), CPU_WARP_LOG2};
  if (at->shape.kind == CPU_VARYING && rows->step)
    return true;
  rows->step = cpu_i64(e, shape.step);
  rows->period_log2 = shape.period_log2;
  if (at->row_bytes)
    rows->row_bytes = at->row_bytes;
  else if (shape.kind != CPU_AFFINE)
    return false;
  return shape.flip == 0 && shape.period_log2 >= 2;
}

static LLVMValueRef tell_lanes(CpuEmit *e, const CpuAddress *at,
                               LLVMTypeRef *types, LLVMValueRef *args) {
  LLVMValueRef pointers = cpu_address_pointers(e, at, 0);
  LLVMTypeRef numbers = cpu_vector_of(e, e->i64);
  types[4] = e->ptr;
  args[4] = cpu_spilled_lanes(
      e, LLVMBuildPtrToInt(e->b, pointers, numbers, CPU_NAME), e->i64);
  return cpu_ask_runtime(e, e->i32, offsetof(HdCpuServices, check_lanes), types,
                         args, 5);
}

// Parts of one size, one behind the other; 0: the element isn't made so.
static uint32_t part_bytes(const CpuEmit *e, IrType type, uint32_t n) {
  uint32_t offset, size = 0;
  for (uint32_t k = 0; k < n; k++) {
    IrType leaf = code_leaf_type(e->module, type, k, &offset);
    uint32_t bytes = ir_type_size(e->module, leaf);
    if (leaf.kind == IR_TYPE_PTR || (k > 0 && bytes != size) ||
        offset != k * bytes)
      return 0;
    size = bytes;
  }
  return size;
}

// What a plain store stores, so that equal values can be told.
static void tell_stored(CpuEmit *e, const IrNode *node, LLVMValueRef bits) {
  IrType type = node->u.access.type;
  uint32_t n = code_leaf_count(e->module, type), size = part_bytes(e, type, n);
  if (node->op != IR_STORE || node->u.access.order != ORDER_PLAIN || n > 4 ||
      size == 0)
    return;
  const IrNode *value = node->args[code_operands(node).value];
  LLVMBasicBlockRef compares = cpu_new_block(e, "compares");
  LLVMBasicBlockRef stores = cpu_new_block(e, "stores");
  LLVMValueRef does =
      cpu_launch_number(e, offsetof(HdCpuLaunch, compares_stores));
  does = LLVMBuildICmp(e->hoist, LLVMIntNE, does, cpu_i32(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, does, compares, stores);
  cpu_begin_block(e, compares);
  uint64_t all = (uint64_t)CPU_WARP * size * n;
  LLVMValueRef values = cpu_alloca(e, LLVMArrayType2(e->i8, all));
  LLVMSetAlignment(values, 8);
  for (uint32_t k = 0; k < n; k++) {
    CpuLeaf leaf = cpu_leaf(e, value, k);
    LLVMValueRef v = cpu_to_memory(e, leaf.type, cpu_as_vector(e, leaf));
    LLVMValueRef row = all_lanes(e, v, cpu_memory_type(e, leaf.type));
    LLVMSetAlignment(
        LLVMBuildStore(
            e->b, row,
            cpu_byte_offset(e, values, (int64_t)k * CPU_WARP * size)),
        8);
  }
  LLVMTypeRef types[4] = {e->ptr, e->i32, e->ptr, e->i32};
  LLVMValueRef args[4] = {e->block, bits, values, cpu_i32(e, size)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_stored), types, args, 4);
  LLVMBuildBr(e->b, stores);
  cpu_begin_block(e, stores);
}

// Returns the bits of the lanes that are outside.
static LLVMValueRef call_access(CpuEmit *e, const IrNode *node,
                                const CpuAddress *at, LLVMValueRef mask) {
  CpuTold lanes = cpu_told_lanes(e, mask);
  tell_stored(e, node, lanes.bits);
  LLVMTypeRef types[8] = {e->ptr, e->i32, e->i32, e->i32,
                          e->i64, e->i64, e->i64, e->i32};
  LLVMValueRef args[8] = {e->block, cpu_site(e, node), lanes.warp, lanes.bits};
  CpuRows rows;
  size_t service = offsetof(HdCpuServices, check_same);
  uint32_t n_args = 5;
  if (at->shape.kind == CPU_UNIFORM) {
    args[4] = address_number(e, at->base);
  } else if (cpu_told_rows(e, at, &rows)) {
    bool is_one = rows.period_log2 == CPU_WARP_LOG2;
    args[4] = address_number(e, at->base);
    args[5] = rows.step;
    args[6] = rows.row_bytes;
    args[7] = cpu_i32(e, rows.period_log2);
    service = is_one ? offsetof(HdCpuServices, check_row)
                     : offsetof(HdCpuServices, check_rows);
    n_args = is_one ? 6 : 8;
  } else {
    return tell_lanes(e, at, types, args);
  }
  return cpu_ask_runtime(e, e->i32, service, types, args, n_args);
}

// A load of an element whose indices have been tested, from an array that the
// kernel doesn't write to: HdCpuLaunch.quiet knows whether it has to be told.
static bool may_be_quiet(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  if (node->op != IR_LOAD || access->order != ORDER_PLAIN || !object ||
      object->is_plain_pointer || object->space == SPACE_SHARED ||
      access->n_index != object->rank || access->has_offset ||
      ir_type_size(e->module, access->type) > object->element_bytes ||
      cpu_clause_loops(e, node) != 0)
    return false;
  uint32_t align = object->element_bytes & -object->element_bytes;
  return access->align_bytes <= align && cpu_array_row(e, object) >= 0 &&
         is_never_written(e, object);
}

static LLVMValueRef is_told(CpuEmit *e, const IrNode *node) {
  size_t row = (size_t)cpu_array_row(e, node->u.access.object);
  LLVMValueRef quiet =
      cpu_launch_word(e, offsetof(HdCpuLaunch, quiet), row * sizeof(uint64_t));
  return LLVMBuildICmp(e->hoist, LLVMIntEQ, quiet, cpu_i64(e, 0), CPU_NAME);
}

enum { MOST_PREFETCHED = 8 }; // bytes of a lane

// A row without gaps: of the next warps.
static void prefetch_row(CpuEmit *e, const CpuAddress *at) {
  CpuShape shape = cpu_rows(at);
  if (e->lanes == CPU_WARP && !at->pointers && shape.kind == CPU_AFFINE &&
      shape.flip == 0 && shape.period_log2 == CPU_WARP_LOG2 && shape.step > 0 &&
      shape.step <= MOST_PREFETCHED)
    cpu_prefetch_ahead(e, at->base, CPU_WARP * (uint32_t)shape.step);
}

// The same, where a launch may be quiet about it.
static LLVMValueRef call_if_told(CpuEmit *e, const IrNode *node,
                                 const CpuAddress *at, LLVMValueRef mask) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef tells = cpu_new_block(e, "tells");
  LLVMBasicBlockRef told = cpu_new_block(e, "told");
  LLVMBuildCondBr(e->b, is_told(e, node), tells, told);
  cpu_begin_block(e, tells);
  LLVMValueRef bits[2] = {cpu_i32(e, 0), call_access(e, node, at, mask)};
  LLVMBasicBlockRef blocks[2] = {before, LLVMGetInsertBlock(e->b)};
  LLVMBuildBr(e->b, told);
  cpu_begin_block(e, told);
  LLVMValueRef phi = LLVMBuildPhi(e->b, e->i32, CPU_NAME);
  LLVMAddIncoming(phi, bits, blocks, 2);
  prefetch_row(e, at);
  return phi;
}

// The loop around may have told the reads of all its turns.
static bool may_be_told(const CpuEmit *e, const IrNode *node) {
  return e->told_turns && node->op == IR_LOAD && node->u.access.object &&
         node->u.access.object->space == SPACE_SHARED;
}

typedef struct {
  LLVMValueRef outside; // lanes by their indices, NULL: none
  LLVMValueRef bits;    // i32: lanes of the others, by the runtime
} Outside;

static Outside test_access(CpuEmit *e, const IrNode *node, const CpuAddress *at,
                           LLVMValueRef mask) {
  LLVMValueRef outside = cpu_check_indices(e, node, mask);
  mask = cpu_mask_without(e, mask, outside);
  if (may_be_own_memory(node))
    mask = cpu_mask_without(
        e, mask,
        cpu_lanes_at_own(e, cpu_address_pointers(e, at, 0),
                         ir_type_size(e->module, node->u.access.type)));
  LLVMValueRef bits = may_be_quiet(e, node) ? call_if_told(e, node, at, mask)
                                            : call_access(e, node, at, mask);
  return (Outside){outside, bits};
}

// The same, unless the loop has told it.
static Outside test_unless_told(CpuEmit *e, const IrNode *node,
                                const CpuAddress *at, LLVMValueRef mask) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef tells = cpu_new_block(e, "tells");
  LLVMBasicBlockRef told = cpu_new_block(e, "told");
  LLVMBuildCondBr(e->b, e->told_turns, told, tells);
  cpu_begin_block(e, tells);
  Outside of = test_access(e, node, at, mask);
  LLVMBasicBlockRef blocks[2] = {before, LLVMGetInsertBlock(e->b)};
  LLVMBuildBr(e->b, told);
  cpu_begin_block(e, told);
  LLVMValueRef bits[2] = {cpu_i32(e, 0), of.bits};
  of.bits = LLVMBuildPhi(e->b, e->i32, CPU_NAME);
  LLVMAddIncoming(of.bits, bits, blocks, 2);
  if (of.outside) {
    LLVMValueRef lanes[2] = {LLVMConstNull(LLVMTypeOf(of.outside)), of.outside};
    of.outside = LLVMBuildPhi(e->b, LLVMTypeOf(of.outside), CPU_NAME);
    LLVMAddIncoming(of.outside, lanes, blocks, 2);
  }
  return of;
}

// Lanes of `outside` (NULL: none) and of the runtime's bits don't access.
static void set_inside(CpuEmit *e, LLVMValueRef outside, LLVMValueRef bits,
                       bool is_uniform) {
  LLVMValueRef none =
      LLVMBuildICmp(e->b, LLVMIntEQ, bits, cpu_i32(e, 0), CPU_NAME);
  e->is_inside_uniform = is_uniform;
  if (is_uniform)
    e->inside =
        outside
            ? LLVMBuildAnd(e->b, none,
                           LLVMBuildNot(e->b, cpu_any(e, outside), CPU_NAME),
                           CPU_NAME)
            : none;
  else
    e->inside = cpu_mask_without(
        e,
        LLVMBuildBitCast(e->b, LLVMBuildNot(e->b, bits, CPU_NAME), e->mask_type,
                         CPU_NAME),
        outside);
}

void cpu_tell_access(CpuEmit *e, const IrNode *node) {
  cpu_access_end(e);
  if (node->flags & NODE_OWN)
    return;
  if (is_own_memory(node)) {
    LLVMValueRef bad = cpu_check_indices(e, node, e->mask);
    LLVMValueRef rest = cpu_mask_without(e, e->mask, bad);
    bad = cpu_mask_or_none(e, bad, cpu_check_own_bytes(e, node, rest));
    e->inside = cpu_mask_without(e, NULL, bad);
    return;
  }
  CpuAddress at = cpu_address(e, node);
  LLVMValueRef mask = e->mask;
  if (at.guard)
    mask = cpu_mask_and(
        e, mask, at.is_guard_uniform ? cpu_splat(e, at.guard) : at.guard);
  Outside of = may_be_told(e, node) ? test_unless_told(e, node, &at, mask)
                                    : test_access(e, node, &at, mask);
  set_inside(e, of.outside, of.bits, at.shape.kind == CPU_UNIFORM);
}

void cpu_access_end(CpuEmit *e) {
  e->inside = NULL;
  e->is_inside_uniform = false;
}

// -------------------------------------------------------------- ordering

// A number for each lane, the same in all lanes of a part of the group: its
// first thread's rank in the block.
LLVMValueRef cpu_part_numbers(CpuEmit *e, const IrGroup *group) {
  if (code_is_scattered(group)) // its lanes in the warp
    return cpu_part_mask(e, group);
  LLVMValueRef block = cpu_as_vector(e, e->ranks[GROUP_ROW_BLOCK]);
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, group));
  return LLVMBuildSub(e->b, block, rank, CPU_NAME);
}

static void call_parts(CpuEmit *e, const IrGroup *group, size_t service) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->ptr};
  LLVMValueRef parts = cpu_spilled_lanes(e, cpu_part_numbers(e, group), e->i32);
  LLVMValueRef args[5] = {e->block, cpu_i32(e, group->id), lanes.warp,
                          lanes.bits, parts};
  cpu_tell_runtime(e, service, types, args, 5);
}

static void call_row(CpuEmit *e, const IrGroup *group, size_t service) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->i32};
  LLVMValueRef args[5] = {e->block, cpu_barrier_row(e, group), lanes.warp,
                          lanes.bits, cpu_barrier_threads(e, group)};
  cpu_tell_runtime(e, service, types, args, 5);
}

static bool is_wide(const IrGroup *group) {
  return group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER;
}

// By strands that come one after another, or by the warp.
static void tell_group(CpuEmit *e, const IrGroup *group, size_t row,
                       size_t parts) {
  if (is_wide(group))
    return; // the runtime completes these
  if (e->is_coroutine && cpu_needs_barrier(e->plan, group))
    call_row(e, group, row);
  else
    call_parts(e, group, parts);
}

void cpu_tell_block_sync(CpuEmit *e) {
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_block_sync), &e->ptr,
                   &e->block, 1);
}

void cpu_tell_sync(CpuEmit *e, const IrGroup *group) {
  tell_group(e, group, offsetof(HdCpuServices, check_arrive),
             offsetof(HdCpuServices, check_parts));
}

// Only waits for mbarriers can be left behind.
void cpu_tell_meeting(CpuEmit *e, const IrGroup *group) {
  if (ir_has_mbarriers(e->plan->kernel))
    tell_group(e, group, offsetof(HdCpuServices, check_meet),
               offsetof(HdCpuServices, check_meet_parts));
}

static void call_wide_half(CpuEmit *e, const IrGroup *group, bool is_arrival) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->i32};
  LLVMValueRef args[5] = {e->block, cpu_i32(e, group->kind == GROUP_GRID),
                          lanes.warp, lanes.bits, cpu_i32(e, is_arrival)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_wide_half), types, args, 5);
}

void cpu_tell_half(CpuEmit *e, const IrGroup *group, bool is_arrival) {
  if (is_wide(group))
    call_wide_half(e, group, is_arrival);
  else if (e->is_coroutine && cpu_needs_barrier(e->plan, group))
    call_row(e, group,
             is_arrival ? offsetof(HdCpuServices, check_row_arrive)
                        : offsetof(HdCpuServices, check_row_wait));
  else
    call_parts(e, group,
               is_arrival ? offsetof(HdCpuServices, check_parts_arrive)
                          : offsetof(HdCpuServices, check_parts_wait));
}

void cpu_tell_fence(CpuEmit *e, const IrNode *node) {
  int32_t kind = HD_CPU_FENCE_DEVICE;
  if (node->op == IR_FENCE_ASYNC)
    kind = HD_CPU_FENCE_ASYNC;
  else if (node->u.text.scope == SCOPE_BLOCK)
    kind = HD_CPU_FENCE_BLOCK;
  else if (node->u.text.scope == SCOPE_CLUSTER)
    kind = HD_CPU_FENCE_CLUSTER;
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMTypeRef types[4] = {e->ptr, e->i32, e->i32, e->i32};
  LLVMValueRef args[4] = {e->block, lanes.warp, lanes.bits, cpu_i32(e, kind)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_fence), types, args, 4);
}

void cpu_tell_value(CpuEmit *e, const IrNode *node) {
  CpuLeaf holds = cpu_leaf(e, node->args[0], 0);
  LLVMValueRef missing;
  if (holds.shape.kind == CPU_UNIFORM)
    missing = cpu_splat(e, LLVMBuildNot(e->b, holds.v, CPU_NAME));
  else
    missing = LLVMBuildNot(e->b, cpu_as_vector(e, holds), CPU_NAME);
  missing = cpu_mask_and(e, e->mask, missing);
  LLVMBasicBlockRef fails = cpu_new_block(e, "no_value");
  LLVMBasicBlockRef passes = cpu_new_block(e, "has_value");
  LLVMBuildCondBr(e->b, cpu_any(e, missing), fails, passes);
  cpu_begin_block(e, fails);
  CpuTold lanes = cpu_told_lanes(e, missing);
  LLVMTypeRef types[5] = {e->ptr, e->i32, e->i32, e->i32, e->ptr};
  LLVMValueRef args[5] = {e->block, cpu_i32(e, cpu_loc(e, node->loc)),
                          lanes.warp, lanes.bits,
                          cpu_text(e, node->u.text.text)};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_value), types, args, 5);
  LLVMBuildBr(e->b, passes);
  cpu_begin_block(e, passes);
}

// ---------------------------------------------------------------- claims

static uint32_t claim_scope(const CpuEmit *e, const IrGroup *group) {
  if (group->kind == GROUP_GRID)
    return HD_CPU_CLAIM_GRID;
  if (group->kind == GROUP_CLUSTER)
    return HD_CPU_CLAIM_CLUSTER;
  if (e->lanes == CPU_WARP && !cpu_needs_barrier(e->plan, group))
    return HD_CPU_CLAIM_STRAND;
  return code_is_scattered(group) ? HD_CPU_CLAIM_WARP : HD_CPU_CLAIM_BLOCK;
}

// "the block", "group 'tile'"
static LLVMValueRef claim_group(CpuEmit *e, const IrGroup *group) {
  bool is_implicit = group->kind == GROUP_GRID ||
                     group->kind == GROUP_CLUSTER ||
                     group->kind == GROUP_BLOCK || group->kind == GROUP_WARP;
  const char *name = group->name && group->name[0] ? group->name : "the group";
  return cpu_text(e,
                  is_implicit ? arena_printf(e->arena, "the %s", name) : name);
}

// Bits of the value in each lane, as HdCpuClaim has them.
static LLVMValueRef claim_bits(CpuEmit *e, CpuLeaf leaf, bool is_signed,
                               uint32_t *kind) {
  LLVMTypeRef numbers = cpu_vector_of(e, e->i64);
  LLVMValueRef v = cpu_as_vector(e, leaf);
  IrTypeKind type = (IrTypeKind)leaf.type.kind;
  *kind = is_signed ? HD_CPU_VALUE_INT : HD_CPU_VALUE_UNSIGNED;
  if (type == IR_TYPE_PTR) {
    *kind = HD_CPU_VALUE_POINTER;
    return LLVMBuildPtrToInt(e->b, v, numbers, CPU_NAME);
  }
  if (ir_type_is_float(leaf.type)) {
    *kind = HD_CPU_VALUE_FLOAT;
    if (type == IR_TYPE_F16 || type == IR_TYPE_BF16)
      v = cpu_to_f32(e, type, v);
    if (type != IR_TYPE_F64)
      v = LLVMBuildFPExt(e->b, v, cpu_vector_of(e, e->f64), CPU_NAME);
    return LLVMBuildBitCast(e->b, v, numbers, CPU_NAME);
  }
  return LLVMBuildIntCast2(e->b, v, numbers, is_signed && type != IR_TYPE_BOOL,
                           CPU_NAME);
}

void cpu_tell_claim(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  CpuLeaf value = cpu_leaf(e, node->args[0], 0);
  uint32_t scope = claim_scope(e, group), kind;
  if (scope == HD_CPU_CLAIM_STRAND && value.shape.kind == CPU_UNIFORM)
    return;
  bool is_signed = (node->flags & NODE_UNSIGNED) == 0;
  LLVMValueRef values =
      cpu_spilled_lanes(e, claim_bits(e, value, is_signed, &kind), e->i64);
  LLVMValueRef turns = cpu_spilled_lanes(
      e, cpu_as_vector(e, cpu_leaf(e, node->args[1], 0)), e->i64);
  bool is_one = is_wide(group) || group->kind == GROUP_BLOCK;
  LLVMValueRef parts =
      is_one ? cpu_spilled_lanes(e, LLVMConstNull(cpu_vector_of(e, e->i32)),
                                 e->i32)
             : cpu_spilled_lanes(e, cpu_part_numbers(e, group), e->i32);
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMValueRef record =
      cpu_alloca(e, LLVMArrayType2(e->i8, sizeof(HdCpuClaim)));
  LLVMSetAlignment(record, sizeof(void *));

  const struct {
    size_t offset;
    LLVMValueRef v;
  } fields[] = {
      {offsetof(HdCpuClaim, group), claim_group(e, group)},
      {offsetof(HdCpuClaim, parts), parts},
      {offsetof(HdCpuClaim, values), values},
      {offsetof(HdCpuClaim, turns), turns},
      {offsetof(HdCpuClaim, number), cpu_i32(e, node->id)},
      {offsetof(HdCpuClaim, loc), cpu_i32(e, cpu_loc(e, node->loc))},
      {offsetof(HdCpuClaim, warp), lanes.warp},
      {offsetof(HdCpuClaim, mask), lanes.bits},
      {offsetof(HdCpuClaim, scope), cpu_i32(e, scope)},
      {offsetof(HdCpuClaim, kind), cpu_i32(e, kind)},
  };

  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    cpu_set_field(e, fields[i].v, record, fields[i].offset);
  LLVMTypeRef types[2] = {e->ptr, e->ptr};
  LLVMValueRef args[2] = {e->block, record};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_claim), types, args, 2);
}
