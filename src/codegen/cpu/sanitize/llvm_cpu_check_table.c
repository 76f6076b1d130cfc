// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds: the tables of arrays and of places that access them.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

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

bool cpu_is_never_written(CpuEmit *e, const IrObject *object) {
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
      cpu_i32(e, cpu_is_never_written(e, object)),
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
