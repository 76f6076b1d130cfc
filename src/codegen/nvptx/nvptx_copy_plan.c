// SPDX-License-Identifier: Apache-2.0
// Which tma_loads, tma_stores and tma_reduces the copy engine performs, and by
// which boxes.
//
// Note [Boxes]
// A tensor map describes an array to the engine: base, extents, strides, and
// the box that one instruction moves. It wants a base and strides of whole 16
// bytes, neighbours side by side, at most 256 elements a side, and writes the
// box densely to shared memory from a multiple of 128 bytes on. A section is
// therefore cut into boxes: along the innermost dimension, then outwards as
// long as the rows in shared memory follow each other without a gap. All boxes
// of a copy are equal, so that one map serves them.
//
// In a swizzled array a box is as wide as a panel, and the map says the
// swizzle, which the engine applies to the bits of addresses: Note [Swizzled
// places].
//
// What the array is like comes from the facts that this variant of the kernel
// assumes. In variants without them, and where the shared side doesn't fit, the
// threads that issue the copy make it themselves (llvm_nvptx_bulk.c).
#include "codegen/nvptx/llvm_nvptx.h"

enum {
  MOST_RANK = 5,
  MOST_MAPS = 32,   // a parameter each
  MOST_SIDE = 256,  // elements of a box
  MOST_PIECES = 32, // boxes of a copy
  BOX_ALIGN = 128,  // of its place in shared memory
};

// ---------------------------------------------------------- the global side

// The engine moves bits: any type of the size does.
static bool copy_plan_element_number(const IrObject *object, uint32_t *number) {
  switch (object->element_bytes) {
  case 1: *number = 0; return true;
  case 2: *number = 1; return true;
  case 4: *number = 2; return true;
  case 8: *number = 4; return true;
  default: return false;
  }
}

// What is combined has a type.
static uint32_t combined_number(const IrNode *node) {
  IrTypeKind kind = (IrTypeKind)node->u.copy.to.object->element.kind;
  IrRmw rmw = node->u.copy.rmw;
  bool is_signed = rmw == RMW_SMIN || rmw == RMW_SMAX;
  if (kind == IR_TYPE_F16)
    return 6;
  if (kind == IR_TYPE_F32 || kind == IR_TYPE_F64)
    return kind == IR_TYPE_F32 ? 7 : 8;
  if (kind == IR_TYPE_BF16)
    return 9;
  return (kind == IR_TYPE_I64 ? 4u : 2u) + is_signed;
}

static bool has_whole_strides(const IrObject *object) {
  int64_t stride;
  if (object->facts & FACT_STRIDE16)
    return true;
  for (uint32_t k = 0; k + 1 < object->rank; k++)
    if (!code_stride_const(object, k, &stride) ||
        stride * object->element_bytes % NV_ENGINE_UNIT != 0)
      return false;
  return true;
}

static bool is_mappable(const IrObject *object) {
  uint32_t needed = FACT_ALIGNED16 | FACT_SMALL, number;
  int64_t inner;
  if (object->param < 0 || object->is_plain_pointer || object->rank == 0 ||
      object->rank > MOST_RANK || (object->facts & needed) != needed)
    return false;
  for (uint32_t k = 0; k < object->rank; k++)
    if (object->extents[k] == NULL)
      return false;
  return code_stride_const(object, object->rank - 1, &inner) && inner == 1 &&
         has_whole_strides(object) && copy_plan_element_number(object, &number);
}

// ---------------------------------------------------------- the shared side

// Bytes from element to element along a dimension, in a swizzled array within
// a panel; false: only the launch knows.
static bool copy_plan_stride(const IrObject *object, uint32_t k,
                             int64_t *stride) {
  uint32_t bytes = ir_swizzle_bytes(object);
  if (!code_stride_const(object, k, stride))
    return false;
  *stride *= object->element_bytes;
  if (bytes && k + 2 == object->rank)
    *stride = bytes;
  return true;
}

// Bytes of a panel; false: not known, or too many.
static bool copy_plan_panel(const IrObject *object, int64_t *bytes) {
  int64_t rows;
  return code_host_const(object->extents[object->rank - 2u], &rows) &&
         !__builtin_mul_overflow(rows, ir_swizzle_bytes(object), bytes);
}

// A section of whole panels begins at one: *bytes is where, if that is known
// here.
static bool copy_plan_begins_panel(const NvPlan *plan, const IrSection *section,
                                   const IrNode *index, int64_t *bytes) {
  const IrObject *object = section->object;
  uint32_t columns = ir_swizzle_bytes(object) / object->element_bytes;
  int64_t first, panel;
  *bytes = 0;
  if (section->length[object->rank - 1] % columns != 0 ||
      !copy_plan_panel(object, &panel))
    return false;
  if (!code_const_int(index, &first))
    return panel % BOX_ALIGN == 0 &&
           nv_zero_bits(plan, index) >= (uint32_t)__builtin_ctz(columns);
  *bytes = first / columns * panel;
  return first % columns == 0;
}

// index * stride is a multiple of BOX_ALIGN.
static bool copy_plan_is_multiple(const NvPlan *plan, const IrNode *index,
                                  int64_t stride) {
  uint32_t zeros = nv_zero_bits(plan, index);
  return stride % BOX_ALIGN == 0 ||
         (zeros < 32 && (stride << zeros) % BOX_ALIGN == 0);
}

// The section begins at a multiple of BOX_ALIGN for every value of the indices.
static bool copy_plan_begins_aligned(const NvPlan *plan,
                                     const IrSection *section,
                                     IrNode *const *indices) {
  const IrObject *object = section->object;
  const CodeShared *place = &plan->shared[object->id];
  uint64_t sum = place->offset_bytes;
  if (place->is_dynamic || object->is_cluster_shared ||
      (place->n_instances > 1 && place->size_bytes % BOX_ALIGN != 0))
    return false;
  for (uint32_t k = 0; k < object->rank; k++) {
    int64_t stride, index;
    if (!copy_plan_stride(object, k, &stride))
      return false;
    if (k + 1 == object->rank && ir_swizzle_bytes(object)) {
      if (!copy_plan_begins_panel(plan, section, indices[k], &index))
        return false;
      sum += (uint64_t)index;
    } else if (code_const_int(indices[k], &index)) {
      sum += (uint64_t)(index * stride);
    } else if (!copy_plan_is_multiple(plan, indices[k], stride)) {
      return false;
    }
  }
  return sum % BOX_ALIGN == 0;
}

// -------------------------------------------------------------- boxes

static uint32_t largest_side(int64_t length) {
  for (uint32_t side = MOST_SIDE; side > 1; side--)
    if (length % side == 0)
      return side;
  return 1;
}

// Dimension of the shared section that goes with the one before `k`.
static uint32_t outer_dimension(const IrSection *section, uint32_t k) {
  while (k > 0 && section->length[k - 1] == 1)
    k--;
  return k;
}

// Boxes as wide as the panels of a swizzled array.
static bool copy_plan_cut_panels(const IrSection *global,
                                 const IrSection *shared, uint32_t k,
                                 NvBulk *bulk) {
  const IrObject *object = shared->object;
  uint32_t columns = ir_swizzle_bytes(object) / object->element_bytes;
  if (shared->length[object->rank - 1] != global->length[k] ||
      !copy_plan_panel(object, &bulk->step_bytes[k]))
    return false;
  bulk->box[k] = columns;
  bulk->pieces[k] = (uint32_t)(global->length[k] / columns);
  return bulk->pieces[k] == 1 || bulk->step_bytes[k] % BOX_ALIGN == 0;
}

typedef struct {
  const IrSection *global, *shared;
  uint32_t s;       // dimensions of `shared` that are left
  int64_t dense;    // bytes of a box so far
  int64_t n_pieces; // boxes
  bool is_whole, is_innermost;
} Cutter;

static bool copy_plan_cut_one(Cutter *cut, uint32_t k, NvBulk *bulk) {
  const IrObject *shared = cut->shared->object;
  int64_t stride, length = cut->global->length[k];
  uint32_t s = cut->s = outer_dimension(cut->shared, cut->s);
  if (cut->s-- == 0 || !copy_plan_stride(shared, s - 1, &stride))
    return false;
  bool has_panels = cut->is_innermost && ir_swizzle_bytes(shared);
  if (has_panels) {
    if (s != shared->rank ||
        !copy_plan_cut_panels(cut->global, cut->shared, k, bulk))
      return false;
  } else {
    if (cut->is_innermost && stride != cut->dense)
      return false;
    if (cut->is_whole && stride == cut->dense)
      bulk->box[k] = largest_side(length);
    bulk->pieces[k] = (uint32_t)(length / bulk->box[k]);
    bulk->step_bytes[k] = stride * bulk->box[k];
    if (bulk->pieces[k] > 1 && bulk->step_bytes[k] % BOX_ALIGN != 0)
      return false;
    cut->is_whole &= bulk->pieces[k] == 1;
  }
  cut->dense *= bulk->box[k];
  cut->n_pieces *= bulk->pieces[k];
  cut->is_innermost = false;
  return cut->n_pieces <= MOST_PIECES;
}

// See Note [Boxes].
static bool copy_plan_cut(const IrSection *global, const IrSection *shared,
                          NvBulk *bulk) {
  Cutter cut = {.global = global,
                .shared = shared,
                .s = shared->object->rank,
                .dense = shared->object->element_bytes,
                .n_pieces = 1,
                .is_whole = true,
                .is_innermost = true};
  for (uint32_t k = global->object->rank; k-- > 0;) {
    bulk->box[k] = bulk->pieces[k] = 1;
    if (global->length[k] != 1 && !copy_plan_cut_one(&cut, k, bulk))
      return false;
  }
  return !cut.is_innermost || !ir_swizzle_bytes(shared->object);
}

static bool is_inner_whole(const IrSection *global, const NvBulk *bulk) {
  uint32_t last = global->object->rank - 1;
  return bulk->box[last] * global->object->element_bytes % NV_ENGINE_UNIT == 0;
}

// False where the box surely begins elsewhere than the engine takes it.
static bool may_be_aligned(const NvPlan *plan, const IrSection *global,
                           IrNode *const *indices, NvBulk *bulk) {
  const IrNode *inner = indices[global->object->rank - 1];
  uint32_t bytes = global->object->element_bytes; // a power of two
  int64_t index;
  bulk->is_aligned =
      nv_zero_bits(plan, inner) + (uint32_t)__builtin_ctz(bytes) >=
      (uint32_t)__builtin_ctz(NV_ENGINE_UNIT);
  return bulk->is_aligned || !code_const_int(inner, &index);
}

// ---------------------------------------------------------------- maps

static bool same_map(const NvTensorMap *a, const NvTensorMap *b) {
  if (a->object != b->object || a->element != b->element ||
      a->swizzle != b->swizzle)
    return false;
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->box[k] != b->box[k])
      return false;
  return true;
}

static uint32_t copy_plan_swizzle_number(uint32_t bytes) {
  switch (bytes) {
  case 32: return 1;
  case 64: return 2;
  case 128: return 3;
  default: return 0;
  }
}

// False if there are too many.
static bool find_map(NvPlan *plan, const IrNode *node, const IrObject *object,
                     uint32_t swizzle_bytes, NvBulk *bulk) {
  NvTensorMap map = {.object = object,
                     .rank = object->rank,
                     .swizzle = copy_plan_swizzle_number(swizzle_bytes)};
  copy_plan_element_number(object, &map.element);
  if (node->op == IR_TMA_REDUCE)
    map.element = combined_number(node);
  for (uint32_t k = 0; k < map.rank; k++)
    map.box[k] = bulk->box[map.rank - 1 - k];
  for (uint32_t i = 0; i < plan->maps.count; i++)
    if (same_map(&plan->maps.data[i], &map)) {
      bulk->map = i;
      return true;
    }
  if (plan->maps.count == MOST_MAPS)
    return false;
  bulk->map = plan->maps.count;
  VEC_PUSH(plan->arena, &plan->maps, map);
  return true;
}

static void plan_bulk(NvPlan *plan, const IrNode *node) {
  bool is_load = node->op == IR_TMA_LOAD;
  const IrSection *to = &node->u.copy.to, *from = &node->u.copy.from;
  const IrSection *global = is_load ? from : to, *shared = is_load ? to : from;
  IrNode *const *shared_indices = node->args + (is_load ? 0 : to->object->rank);
  bool is_counted =
      node->u.copy.barrier && node->u.copy.barrier->is_cluster_shared;
  IrNode *const *global_indices = node->args + (is_load ? to->object->rank : 0);
  NvBulk bulk = {0};
  if (plan->sm < 90 || is_counted || !is_mappable(global->object) ||
      !copy_plan_begins_aligned(plan, shared, shared_indices) ||
      !copy_plan_cut(global, shared, &bulk) || !is_inner_whole(global, &bulk) ||
      !may_be_aligned(plan, global, global_indices, &bulk) ||
      !find_map(plan, node, global->object, ir_swizzle_bytes(shared->object),
                &bulk))
    return;
  plan->bulk[node->id] = ARENA_NEW(plan->arena, NvBulk);
  *plan->bulk[node->id] = bulk;
  plan->has_bulk_stores |= !is_load;
}

static bool plan_copy(IrNode *node, void *context) {
  if (node->op == IR_TMA_LOAD || ir_is_tma_store(node))
    plan_bulk(context, node);
  NvPlan *plan = context;
  plan->has_bulk_stores |= node->op == IR_BULK_STORE && plan->sm >= 90;
  return true;
}

void nv_plan_copies(NvPlan *plan) {
  IrRegion body = plan->kernel->body;
  plan->bulk = ARENA_ARRAY(plan->arena, NvBulk *, plan->kernel->n_nodes);
  ir_walk(&body, plan_copy, plan);
}
