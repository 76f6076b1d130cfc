// SPDX-License-Identifier: Apache-2.0
// Addresses: a uniform base, and what is added to it in each lane.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/llvm_host.h"

#include <stddef.h>

// --------------------------------------------------------- memory types

LLVMTypeRef cpu_memory_type(const CpuEmit *e, IrType type) {
  return type.kind == IR_TYPE_BOOL ? e->i8 : cpu_scalar_type(e, type);
}

LLVMValueRef cpu_to_memory(CpuEmit *e, IrType type, LLVMValueRef v) {
  if (type.kind != IR_TYPE_BOOL)
    return v;
  return LLVMBuildZExt(e->b, v, llvm_type_like(LLVMTypeOf(v), e->i8), CPU_NAME);
}

LLVMValueRef cpu_from_memory(CpuEmit *e, IrType type, LLVMValueRef v) {
  if (type.kind != IR_TYPE_BOOL)
    return v;
  return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)),
                       CPU_NAME);
}

void cpu_mark_access(CpuEmit *e, LLVMValueRef access, const IrObject *object) {
  if (object == NULL || !cpu_is_kernel_object(e, object) ||
      e->scopes[object->id] == NULL)
    return;
  LLVMSetMetadata(access, e->md_scope, e->scopes[object->id]);
  if (e->no_scopes[object->id])
    LLVMSetMetadata(access, e->md_noalias, e->no_scopes[object->id]);
}

// ----------------------------------------------------------- arguments

// Loads from the launch never change while a kernel runs; they stand in the
// entry block.
static LLVMValueRef hoisted_load(CpuEmit *e, LLVMTypeRef type,
                                 LLVMValueRef record, size_t offset_bytes) {
  LLVMValueRef offset = cpu_i64(e, (int64_t)offset_bytes);
  LLVMValueRef at =
      LLVMBuildGEP2(e->hoist, e->i8, record, &offset, 1, CPU_NAME);
  LLVMValueRef load = LLVMBuildLoad2(e->hoist, type, at, CPU_NAME);
  LLVMSetMetadata(load, e->md_invariant,
                  LLVMMetadataAsValue(e->cx, e->md_empty));
  return load;
}

LLVMValueRef cpu_slot(CpuEmit *e, uint32_t slot) {
  if (e->slots[slot] == NULL) {
    LLVMValueRef args =
        hoisted_load(e, e->ptr, e->launch, offsetof(HdCpuLaunch, args));
    e->slots[slot] = hoisted_load(e, e->i64, args, (size_t)slot * 8);
  }
  return e->slots[slot];
}

LLVMValueRef cpu_launch_word(CpuEmit *e, size_t field, size_t offset_bytes) {
  LLVMValueRef table = hoisted_load(e, e->ptr, e->launch, field);
  return hoisted_load(e, e->i64, table, offset_bytes);
}

LLVMValueRef cpu_launch_number(CpuEmit *e, size_t field) {
  return hoisted_load(e, e->i32, e->launch, field);
}

static LLVMValueRef cpu_address_slot_of(void *emit, uint32_t slot) {
  return cpu_slot(emit, slot);
}

LLVMValueRef cpu_extent(CpuEmit *e, const IrObject *object, uint32_t dim) {
  int64_t value;
  if (code_host_const(object->extents[dim], &value))
    return cpu_i64(e, value);
  if (object->param >= 0)
    return cpu_slot(e, e->kernel->params.data[object->param].slot + 1 + dim);
  LlvmHost host = {e->hoist, e->i64, e->f64, e->kernel, cpu_address_slot_of, e};
  return llvm_host_value(&host, object->extents[dim]);
}

LLVMValueRef cpu_stride(CpuEmit *e, const IrObject *object, uint32_t dim) {
  int64_t value;
  if (code_stride_const(object, dim, &value))
    return cpu_i64(e, value);
  if (object->param >= 0)
    return cpu_slot(e, e->kernel->params.data[object->param].slot + 1 +
                           object->rank + dim);
  LLVMValueRef product = cpu_i64(e, 1);
  for (uint32_t k = dim + 1; k < object->rank; k++)
    product =
        LLVMBuildMul(e->hoist, product, cpu_extent(e, object, k), CPU_NAME);
  return product;
}

// ------------------------------------------------------------ object bases

static LLVMValueRef global_base(CpuEmit *e, const IrObject *object) {
  LLVMValueRef *base = &e->global_base[object->id];
  if (*base == NULL) {
    LLVMValueRef table =
        hoisted_load(e, e->ptr, e->launch, offsetof(HdCpuLaunch, globals));
    *base = hoisted_load(e, e->ptr, table, (size_t)object->id * sizeof(void *));
  }
  return *base;
}

static LLVMValueRef cpu_address_shared_base(CpuEmit *e,
                                            const IrObject *object) {
  const CodeShared *place = &e->plan->shared[object->id];
  uint64_t offset =
      place->is_dynamic ? e->plan->shared_bytes : place->offset_bytes;
  LLVMValueRef memory = hoisted_load(e, e->ptr, e->block,
                                     object->is_cluster_shared
                                         ? offsetof(HdCpuBlock, cluster_shared)
                                         : offsetof(HdCpuBlock, shared));
  LLVMValueRef by = cpu_i64(e, (int64_t)offset);
  return LLVMBuildGEP2(e->hoist, e->i8, memory, &by, 1, CPU_NAME);
}

bool cpu_is_kernel_object(const CpuEmit *e, const IrObject *object) {
  return object->id < e->kernel->objects.count &&
         e->kernel->objects.data[object->id] == object;
}

LLVMValueRef cpu_object_base(CpuEmit *e, const IrObject *object) {
  if (!cpu_is_kernel_object(e, object))
    return global_base(e, object);
  LLVMValueRef *base = &e->object_base[object->id];
  if (*base != NULL)
    return *base;
  if (object->space == SPACE_SHARED) {
    *base = cpu_address_shared_base(e, object);
  } else {
    HD_ASSERT(object->param >= 0);
    LLVMValueRef slot = cpu_slot(e, e->kernel->params.data[object->param].slot);
    *base = LLVMBuildIntToPtr(e->hoist, slot, e->ptr, CPU_NAME);
  }
  return *base;
}

// ------------------------------------------------------------- addresses

LLVMValueRef cpu_byte_offset(CpuEmit *e, LLVMValueRef pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  LLVMValueRef offset = cpu_i64(e, bytes);
  return LLVMBuildGEP2(e->b, e->i8, pointer, &offset, 1, CPU_NAME);
}

// The sum of an access' terms while it is taken.
typedef struct {
  CpuAddress *at;
  const IrNode *node;
  LLVMValueRef scalar; // i64 bytes
  LLVMValueRef fixed;  // i64 bytes, the same in the whole launch; or NULL
  LLVMValueRef vector; // in units, NULL: none
  bool is_small;       // 32 bits are enough for `vector`
  uint32_t n_lane_terms;
  LLVMValueRef lane_bytes; // the only lane term is lane * lane_bytes, or NULL
  bool has_rows;           // all lane terms so far are rows
  CpuShape rows;           // their constant part
  LLVMValueRef row_bytes;  // what comes to rows.outer, or NULL
  uint32_t wrapped_bits;   // as in CpuAddress
  LLVMValueRef wrapped_base;
  int64_t wrapped_bytes;
} Sum;

static void add_scalar(CpuEmit *e, Sum *sum, LLVMValueRef v,
                       LLVMValueRef stride_bytes) {
  LLVMValueRef term = LLVMBuildMul(e->b, v, stride_bytes, CPU_NAME);
  sum->scalar =
      sum->scalar ? LLVMBuildAdd(e->b, sum->scalar, term, CPU_NAME) : term;
}

static void cpu_address_add_vector(CpuEmit *e, Sum *sum, LLVMValueRef term) {
  sum->vector =
      sum->vector ? LLVMBuildAdd(e->b, sum->vector, term, CPU_NAME) : term;
}

// A vector of indices times a stride in units.
static void cpu_address_add_lanes(CpuEmit *e, Sum *sum, LLVMValueRef v,
                                  LLVMValueRef stride_units) {
  LLVMTypeRef type = sum->is_small ? e->i32 : e->i64;
  v = LLVMBuildIntCast2(e->b, v, cpu_vector_of(e, type), 1, CPU_NAME);
  LLVMValueRef stride =
      LLVMBuildIntCast2(e->b, stride_units, type, 1, CPU_NAME);
  if (!(LLVMIsAConstantInt(stride) && LLVMConstIntGetSExtValue(stride) == 1))
    v = LLVMBuildMul(e->b, v, cpu_splat(e, stride), CPU_NAME);
  cpu_address_add_vector(e, sum, v);
}

// A lane term as rows: neighbours at a constant distance, or a part that is the
// same within a row.
static void cpu_address_add_rows(CpuEmit *e, Sum *sum, CpuLeaf leaf,
                                 CpuShape index, LLVMValueRef bytes) {
  const int64_t limit = (int64_t)1 << 31;
  bool is_const = LLVMIsAConstantInt(bytes) != NULL;
  int64_t stride = is_const ? LLVMConstIntGetSExtValue(bytes) : 0;
  bool is_linear = index.kind == CPU_AFFINE ? index.is_exact : index.has_row;
  sum->has_rows = sum->has_rows && is_linear && index.flip == 0 &&
                  (is_const || index.step == 0) && stride < limit &&
                  stride > -limit && index.step < limit &&
                  index.step > -limit && index.outer < limit &&
                  index.outer > -limit;
  if (!sum->has_rows)
    return;
  LLVMValueRef row = is_const ? NULL : cpu_i64(e, index.outer);
  if (index.has_row)
    row = row ? LLVMBuildAdd(e->b, leaf.row, row, CPU_NAME) : leaf.row;
  if (row) {
    LLVMValueRef term = LLVMBuildMul(e->b, bytes, row, CPU_NAME);
    sum->row_bytes = sum->row_bytes
                         ? LLVMBuildAdd(e->b, sum->row_bytes, term, CPU_NAME)
                         : term;
  }
  index.step *= stride;
  index.outer *= stride;
  sum->has_rows = cpu_shape_align_periods(&sum->rows, &index);
  sum->rows.step += index.step;
  sum->rows.outer += index.outer;
}

// Rows whose places are known modulo 2^form_bits: as the only lane term, in
// elements; cpu_row cuts each row's.
static void add_wrapped_rows(Sum *sum, CpuLeaf leaf, CpuShape index,
                             LLVMValueRef bytes) {
  sum->has_rows = sum->has_rows && sum->n_lane_terms == 0 && index.step >= 0 &&
                  LLVMIsAConstantInt(bytes) != NULL;
  sum->wrapped_bits = index.form_bits;
  if (!sum->has_rows)
    return;
  sum->wrapped_base = leaf.base;
  sum->wrapped_bytes = LLVMConstIntGetSExtValue(bytes);
  sum->row_bytes = leaf.row;
  sum->rows = index;
  sum->rows.kind = CPU_AFFINE;
  sum->rows.step *= sum->wrapped_bytes;
}

static void finish_rows(CpuEmit *e, CpuAddress *at, const Sum *sum) {
  uint8_t period_log2 = sum->rows.period_log2;
  if (at->shape.kind != CPU_VARYING || !sum->has_rows || !sum->row_bytes ||
      period_log2 < 2 || period_log2 >= CPU_WARP_LOG2 ||
      (sum->wrapped_bits > 0 && sum->n_lane_terms > 1))
    return;
  at->rows = sum->rows;
  at->row_bytes =
      LLVMBuildAdd(e->b, sum->row_bytes, cpu_i64(e, sum->rows.outer), CPU_NAME);
  at->wrapped_bits = sum->wrapped_bits;
  at->wrapped_base = sum->wrapped_base;
  at->wrapped_bytes = sum->wrapped_bytes;
}

// The base of an index with a linear shape: the number of all that agree in
// form_bits bits that lies in the object.
static LLVMValueRef index_base(CpuEmit *e, CpuLeaf index, CpuShape shape) {
  LLVMValueRef base = cpu_base(e, index);
  if (shape.form_bits == 0 || shape.form_bits >= 64)
    return base;
  int64_t rows = (int64_t)(e->lanes >> shape.period_log2) - 1;
  int64_t columns = ((int64_t)1 << shape.period_log2) - 1, least = 0;
  least += shape.step < 0 ? shape.step * columns : 0;
  least += shape.outer < 0 ? shape.outer * rows : 0;
  base = LLVMBuildAdd(e->b, base, cpu_i64(e, least), CPU_NAME);
  base = cpu_cut(e, base, shape.form_bits, true);
  return LLVMBuildSub(e->b, base, cpu_i64(e, least), CPU_NAME);
}

// What lanes add to the base of an index.
static LLVMValueRef lane_offsets(CpuEmit *e, LLVMTypeRef type, CpuLeaf index,
                                 CpuShape shape) {
  LLVMValueRef offsets = cpu_affine_offsets(e, type, shape);
  if (!shape.has_row)
    return offsets;
  CpuShape counts = {.period_log2 = shape.period_log2, .outer = 1};
  LLVMValueRef row = LLVMBuildIntCast2(e->b, index.row, type, 1, CPU_NAME);
  LLVMValueRef rows = LLVMBuildMul(
      e->b, cpu_splat(e, row), cpu_affine_offsets(e, type, counts), CPU_NAME);
  return LLVMBuildAdd(e->b, rows, offsets, CPU_NAME);
}

// One term: index * stride, stride in elements of `element_bytes`. `shape` is
// what the address makes of the index' own.
static void cpu_address_add_term(CpuEmit *e, Sum *sum, CpuLeaf index,
                                 CpuShape shape, LLVMValueRef stride,
                                 int64_t element_bytes) {
  LLVMValueRef bytes =
      LLVMBuildMul(e->b, stride, cpu_i64(e, element_bytes), CPU_NAME);
  if (shape.kind == CPU_UNIFORM) {
    add_scalar(e, sum, cpu_base(e, index), bytes);
    return;
  }
  bool is_affine = shape.kind == CPU_AFFINE && shape.is_exact;
  bool is_linear = is_affine || (shape.has_row && shape.form_bits == 64);
  if (is_linear)
    add_scalar(e, sum, index_base(e, index, shape), bytes);
  if (is_affine && sum->at->shape.kind == CPU_AFFINE)
    return; // its lanes are in the address' shape
  if (shape.has_row && !is_linear)
    add_wrapped_rows(sum, index, shape, bytes);
  else
    cpu_address_add_rows(e, sum, index, shape, bytes);
  bool is_plain =
      is_affine && shape.period_log2 == CPU_WARP_LOG2 && shape.flip == 0;
  sum->lane_bytes = NULL;
  if (sum->n_lane_terms++ == 0 && is_plain)
    sum->lane_bytes =
        LLVMBuildMul(e->b, bytes, cpu_i64(e, shape.step), CPU_NAME);
  LLVMValueRef units = LLVMBuildMul(
      e->b, stride, cpu_i64(e, element_bytes / sum->at->unit_bytes), CPU_NAME);
  LLVMTypeRef type = sum->is_small ? e->i32 : e->i64;
  LLVMValueRef lanes =
      is_linear ? lane_offsets(e, type, index, shape) : cpu_as_vector(e, index);
  cpu_address_add_lanes(e, sum, lanes, units);
}

// Uniform guards stay one bit as long as no other one comes.
static void add_guard(CpuEmit *e, CpuAddress *at, CpuLeaf guard) {
  bool is_first = at->guard == NULL;
  if (guard.shape.kind == CPU_UNIFORM && (is_first || at->is_guard_uniform)) {
    at->guard =
        is_first ? guard.v : LLVMBuildAnd(e->b, at->guard, guard.v, CPU_NAME);
    at->is_guard_uniform = true;
    return;
  }
  LLVMValueRef v = cpu_as_vector(e, guard);
  if (at->guard && at->is_guard_uniform)
    at->guard = cpu_splat(e, at->guard);
  at->is_guard_uniform = false;
  at->guard = cpu_mask_and(e, at->guard, v);
}

// What --sanitize leaves of the access. Of a uniform address it is all or
// nothing.
static void cpu_address_add_inside(CpuEmit *e, CpuAddress *at) {
  if (e->inside == NULL)
    return;
  CpuLeaf inside = {.type = ir_scalar(IR_TYPE_BOOL), .v = e->inside};
  inside.shape = e->is_inside_uniform ? cpu_uniform() : cpu_varying();
  add_guard(e, at, inside);
}

// Indices within the extents, where the access asks for it.
static void add_bounds(CpuEmit *e, CpuAddress *at, CpuLeaf index,
                       uint32_t dim) {
  CpuLeaf inside = {.type = ir_scalar(IR_TYPE_BOOL)};
  LLVMValueRef extent = cpu_extent(e, at->object, dim);
  LLVMValueRef v = index.v;
  if (index.shape.kind == CPU_UNIFORM) {
    inside.shape = cpu_uniform();
    v = cpu_base(e, index);
  } else {
    inside.shape = cpu_varying();
    v = LLVMBuildSExt(e->b, cpu_as_vector(e, index), cpu_vector_of(e, e->i64),
                      CPU_NAME);
    extent = cpu_splat(e, extent);
  }
  inside.v = LLVMBuildICmp(e->b, LLVMIntULT, v, extent, CPU_NAME);
  add_guard(e, at, inside);
}

static uint32_t unit_of(const IrObject *object) {
  uint32_t bytes = object ? object->element_bytes : 1;
  uint32_t unit = bytes & (0u - bytes);
  return unit > 8 ? 8 : unit == 0 ? 1 : unit;
}

// `a[i + 1]` and `a[i - 1]` share the address of `a[i]`: a constant in a
// uniform index is taken out and added last, times a stride that the launch
// fixes. Values that phases don't keep are no longer there.
static const IrNode *without_constant(const CpuEmit *e, const IrNode *index,
                                      int64_t *constant) {
  *constant = 0;
  if (e->plan->phases || cpu_node_shape(e->plan, index).kind != CPU_UNIFORM)
    return index;
  for (;;) {
    bool is_exact = index->type.kind == IR_TYPE_I64 ||
                    (index->flags & NODE_NO_SIGNED_WRAP) != 0;
    int64_t value;
    if ((index->op != IR_ADD && index->op != IR_SUB) || !is_exact)
      return index;
    const IrNode *left = index->args[0], *right = index->args[1];
    bool is_right = code_const_int(right, &value);
    if (!is_right && (index->op == IR_SUB || !code_const_int(left, &value)))
      return index;
    uint64_t by = (uint64_t)value;
    *constant =
        (int64_t)((uint64_t)*constant + (index->op == IR_SUB ? 0 - by : by));
    index = is_right ? left : right;
  }
}

static void add_fixed(CpuEmit *e, Sum *sum, int64_t index, LLVMValueRef stride,
                      int64_t element_bytes) {
  if (index == 0)
    return;
  LLVMValueRef bytes = LLVMBuildMul(
      e->hoist, stride,
      cpu_i64(e, (int64_t)((uint64_t)index * (uint64_t)element_bytes)),
      CPU_NAME);
  sum->fixed =
      sum->fixed ? LLVMBuildAdd(e->hoist, sum->fixed, bytes, CPU_NAME) : bytes;
}

static void add_terms(CpuEmit *e, Sum *sum, const CodeOperands *at_operand) {
  const IrNode *node = sum->node;
  const IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  for (uint32_t k = object && object->is_table; k < access->n_index; k++) {
    const IrNode *at = node->args[(uint32_t)at_operand->index + k];
    LLVMValueRef stride = cpu_stride(e, object, k);
    int64_t constant;
    CpuLeaf index = cpu_leaf(e, without_constant(e, at, &constant), 0);
    CpuShape shape = cpu_index_shape(e->plan, node, at, false);
    cpu_address_add_term(e, sum, index, shape, stride, object->element_bytes);
    add_fixed(e, sum, constant, stride, object->element_bytes);
    if (access->bounds != BOUNDS_NONE)
      add_bounds(e, sum->at, cpu_leaf(e, at, 0), k);
  }
  if (object && object->space == SPACE_SHARED &&
      e->plan->shared[object->id].n_instances > 1) {
    int64_t bytes = (int64_t)e->plan->shared[object->id].size_bytes;
    int64_t unit = sum->at->unit_bytes;
    CpuLeaf instance = cpu_group_instance(e, object->group);
    cpu_address_add_term(e, sum, instance, instance.shape,
                         cpu_i64(e, bytes / unit), unit);
  }
  if (at_operand->offset >= 0) {
    const IrNode *offset = node->args[at_operand->offset];
    CpuShape shape = cpu_index_shape(e->plan, node, offset, true);
    cpu_address_add_term(e, sum, cpu_leaf(e, offset, 0), shape, cpu_i64(e, 1),
                         1);
  }
}

// Of one of several arrays: the first index says which. Where a guard is false,
// it may be any number; the table has an address for those, too.
static LLVMValueRef cpu_address_member_at(CpuEmit *e, const IrObject *object,
                                          LLVMValueRef index) {
  LLVMValueRef count = cpu_extent(e, object, 0);
  index = LLVMBuildIntCast2(e->b, index, e->i64, 1, CPU_NAME);
  LLVMValueRef is_one = LLVMBuildICmp(e->b, LLVMIntULT, index, count, CPU_NAME);
  index = LLVMBuildSelect(e->b, is_one, index, count, CPU_NAME);
  LLVMValueRef at = LLVMBuildGEP2(e->b, e->ptr, cpu_object_base(e, object),
                                  &index, 1, CPU_NAME);
  return LLVMBuildLoad2(e->b, e->ptr, at, CPU_NAME);
}

// The base, or the bases of the lanes.
static LLVMValueRef member_base(CpuEmit *e, const IrNode *node,
                                const CodeOperands *operand, CpuAddress *at) {
  const IrObject *object = node->u.access.object;
  CpuLeaf leaf = cpu_leaf(e, node->args[operand->index], 0);
  if (leaf.shape.kind == CPU_UNIFORM)
    return cpu_address_member_at(e, object, cpu_base(e, leaf));
  LLVMValueRef indices = cpu_as_vector(e, leaf);
  at->pointers = LLVMGetUndef(cpu_vector_of(e, e->ptr));
  for (uint32_t i = 0; i < e->lanes; i++) {
    LLVMValueRef lane = cpu_i32(e, i);
    LLVMValueRef index = LLVMBuildExtractElement(e->b, indices, lane, CPU_NAME);
    at->pointers = LLVMBuildInsertElement(
        e->b, at->pointers, cpu_address_member_at(e, object, index), lane,
        CPU_NAME);
  }
  return NULL;
}

static bool is_apart_by_lane(CpuEmit *e, const IrNode *node,
                             const CodeOperands *operand) {
  const IrObject *object = node->u.access.object;
  return object && object->is_table &&
         cpu_leaf(e, node->args[operand->index], 0).shape.kind != CPU_UNIFORM;
}

static bool cpu_address_is_constant(LLVMValueRef v) {
  return v == NULL || LLVMIsAConstantInt(v);
}

CpuAddress cpu_address(CpuEmit *e, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  CodeOperands operand = code_operands(node);
  CpuAddress at = {.shape = cpu_access_shape(e->plan, node)};
  at.object = access->object;
  at.hint = access->hint;
  at.align_bytes = access->align_bytes;
  at.unit_bytes = unit_of(access->object);
  // Byte offsets that differ by lane need bytes as the unit.
  if (operand.offset >= 0 &&
      cpu_leaf(e, node->args[operand.offset], 0).shape.kind != CPU_UNIFORM)
    at.unit_bytes = 1;
  if (is_apart_by_lane(e, node, &operand))
    at.unit_bytes = 1;
  if (operand.guard >= 0)
    add_guard(e, &at, cpu_leaf(e, node->args[operand.guard], 0));
  Sum sum = {.at = &at, .node = node, .has_rows = operand.pointer < 0};
  sum.rows = cpu_affine(0);
  bool is_own_memory = access->object && access->object->param < 0;
  sum.is_small =
      at.unit_bytes > 1 && cpu_object_is_small(e->plan, access->object) &&
      (is_own_memory || access->object->element_bytes == at.unit_bytes);
  add_terms(e, &sum, &operand);
  cpu_address_add_inside(e, &at);
  LLVMValueRef base = NULL;
  if (operand.pointer < 0) {
    base = access->object->is_table ? member_base(e, node, &operand, &at)
                                    : cpu_object_base(e, access->object);
  } else {
    CpuLeaf pointer = cpu_leaf(e, node->args[operand.pointer], 0);
    base = pointer.v;
    if (at.shape.kind == CPU_VARYING && pointer.shape.kind != CPU_UNIFORM) {
      at.pointers = cpu_as_vector(e, pointer);
      base = NULL;
    }
  }
  if (at.pointers) {
    LLVMValueRef offsets = sum.vector;
    if (sum.fixed)
      sum.scalar = sum.scalar
                       ? LLVMBuildAdd(e->b, sum.scalar, sum.fixed, CPU_NAME)
                       : sum.fixed;
    if (sum.scalar) {
      LLVMValueRef same = cpu_splat(e, sum.scalar);
      offsets = offsets ? LLVMBuildAdd(e->b, offsets, same, CPU_NAME) : same;
    }
    if (offsets)
      at.pointers =
          LLVMBuildGEP2(e->b, e->i8, at.pointers, &offsets, 1, CPU_NAME);
    at.pointers = cpu_byte_offset(e, at.pointers, access->offset_bytes);
    return at;
  }
  at.offsets = sum.vector;
  at.lane_bytes = sum.lane_bytes;
  finish_rows(e, &at, &sum);
  bool is_shared = access->object && access->object->space == SPACE_SHARED &&
                   operand.pointer < 0;
  if (is_shared && cpu_address_is_constant(sum.scalar) &&
      cpu_address_is_constant(sum.fixed)) {
    at.is_constant = true;
    at.constant_offset = access->offset_bytes;
    if (sum.scalar)
      at.constant_offset += LLVMConstIntGetSExtValue(sum.scalar);
    if (sum.fixed)
      at.constant_offset += LLVMConstIntGetSExtValue(sum.fixed);
  }
  if (sum.scalar)
    base = LLVMBuildGEP2(e->b, e->i8, base, &sum.scalar, 1, CPU_NAME);
  if (sum.fixed)
    base = LLVMBuildGEP2(e->b, e->i8, base, &sum.fixed, 1, CPU_NAME);
  at.base = cpu_byte_offset(e, base, access->offset_bytes);
  return at;
}

CpuShape cpu_rows(const CpuAddress *at) {
  return at->row_bytes ? at->rows : at->shape;
}

LLVMValueRef cpu_row(CpuEmit *e, const CpuAddress *at, uint32_t i,
                     uint32_t offset_bytes) {
  if (!at->row_bytes)
    return cpu_byte_offset(e, at->base,
                           offset_bytes + at->shape.outer * (int64_t)i);
  LLVMValueRef by = LLVMBuildMul(e->b, at->row_bytes, cpu_i64(e, i), CPU_NAME);
  if (at->wrapped_bits > 0) {
    by = LLVMBuildAdd(e->b, at->wrapped_base, by, CPU_NAME);
    by = LLVMBuildMul(e->b, cpu_cut(e, by, at->wrapped_bits, true),
                      cpu_i64(e, at->wrapped_bytes), CPU_NAME);
  }
  LLVMValueRef row = LLVMBuildGEP2(e->b, e->i8, at->base, &by, 1, CPU_NAME);
  return cpu_byte_offset(e, row, offset_bytes);
}

LLVMValueRef cpu_address_pointers(CpuEmit *e, const CpuAddress *at,
                                  uint32_t offset_bytes) {
  if (at->pointers)
    return cpu_byte_offset(e, at->pointers, offset_bytes);
  LLVMValueRef base = cpu_byte_offset(e, at->base, offset_bytes);
  LLVMValueRef offsets = at->offsets;
  if (at->shape.kind == CPU_AFFINE) {
    offsets = cpu_affine_offsets(e, e->i64, at->shape);
    return LLVMBuildGEP2(e->b, e->i8, base, &offsets, 1, CPU_NAME);
  }
  if (offsets == NULL)
    return cpu_splat(e, base);
  LLVMTypeRef unit = LLVMIntTypeInContext(e->cx, at->unit_bytes * 8);
  return LLVMBuildGEP2(e->b, unit, base, &offsets, 1, CPU_NAME);
}
