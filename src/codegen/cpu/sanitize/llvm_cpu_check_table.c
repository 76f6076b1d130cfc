// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds: the tables of arrays and of places that access them.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"
#include "ir/analyses/touches.h"

#include <stddef.h>

// ----------------------------------------------------------------- sites

// A copy has two, one behind the other: where it reads and where it writes.
LLVMValueRef cpu_site(CpuEmit *e, const IrNode *node) {
  uint32_t *number = &e->site_number[node->id];
  if (*number == 0) {
    VEC_PUSH(e->arena, &e->sites, node);
    *number = e->sites.count;
    cpu_loc(e, node->loc);
    if (ir_op_info(node)->form != FORM_ACCESS && node->op != IR_WGMMA_READ &&
        node->op != IR_TENSOR_TOUCH)
      VEC_PUSH(e->arena, &e->sites, node);
  }
  return cpu_i32(e, *number - 1);
}

static bool check_table_acquires(IrOrder order) {
  return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL;
}

static bool check_table_releases(IrOrder order) {
  return order == ORDER_RELEASE || order == ORDER_ACQ_REL;
}

static uint32_t atomic_flags(const IrTouch *touch) {
  uint32_t flags = HD_CPU_ATOMIC;
  // An engine's updates are told when they are asked for, not in their order.
  bool is_told = touch->proxy != PROXY_ASYNC;
  flags |= is_told && touch->is_read && touch->is_write ? HD_CPU_RMW : 0;
  flags |= touch->scope == SCOPE_BLOCK ? HD_CPU_BLOCK_SCOPE : 0;
  flags |= check_table_acquires(touch->order) ? HD_CPU_ACQUIRES : 0;
  flags |= check_table_releases(touch->order) ? HD_CPU_RELEASES : 0;
  return flags;
}

// What the copy engine does needs fences.
static uint32_t touch_flags(const IrTouch *touch) {
  uint32_t flags = touch->is_write ? HD_CPU_WRITES : 0;
  flags |= touch->proxy == PROXY_ASYNC ? HD_CPU_ASYNC : 0;
  return touch->is_atomic ? flags | atomic_flags(touch) : flags;
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

static bool check_table_find_write(IrNode *node, void *context) {
  Writes *writes = context;
  IrTouch touch;
  if (!ir_main_touch(node, &touch) || !touch.is_write)
    return true;
  const IrObject *target = touch.object;
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
    ir_walk(&body, check_table_find_write, &writes);
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
    const CodeShared *place = &e->plan->shared[object->id];
    kind = HD_CPU_ARRAY_SHARED;
    where = place->is_dynamic ? e->plan->shared_bytes : place->offset_bytes;
    size = place->is_dynamic ? UINT64_MAX : place->size_bytes;
    n_instances = place->n_instances;
  } else if (is_kernels) {
    kind = object->is_plain_pointer ? HD_CPU_ARRAY_POINTER
           : object->is_table       ? HD_CPU_ARRAY_TABLE
                                    : HD_CPU_ARRAY_PARAM;
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

typedef struct {
  CpuEmit *e;
  const IrNode *node;
  LLVMValueRef *rows; // behind the last one
} Sites;

// One side of a copy, or an access.
static bool add_site(const IrTouch *touch, void *context) {
  Sites *sites = context;
  uint32_t flags = touch_flags(touch), n_bytes = 1, align_bytes = 1;
  if (touch->kind != IR_TOUCH_MEMORY)
    return true;
  if (touch->shape == IR_TOUCH_ELEMENT) {
    n_bytes = ir_type_size(sites->e->module, touch->type);
    align_bytes = sites->node->u.access.align_bytes;
    flags |= sites->node->flags & NODE_ENDS ? HD_CPU_ENDS : 0;
  }
  *sites->rows++ = site_record(sites->e, sites->node, flags, n_bytes,
                               align_bytes, touch->object);
  return true;
}

LLVMValueRef cpu_site_table(CpuEmit *e) {
  uint32_t n = e->sites.count;
  if (n == 0)
    return LLVMConstNull(e->ptr);
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  Sites sites = {.e = e, .rows = rows};
  for (uint32_t i = 0; i < n; i++) {
    bool is_second = i > 0 && e->sites.data[i] == e->sites.data[i - 1];
    sites.node = e->sites.data[i];
    if (!is_second)
      ir_touches(sites.node, add_site, &sites);
  }
  HD_ASSERT(sites.rows == rows + n);
  return cpu_constant_table(e, LLVMConstArray2(LLVMTypeOf(rows[0]), rows, n));
}
