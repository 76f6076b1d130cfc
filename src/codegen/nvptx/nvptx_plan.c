// SPDX-License-Identifier: Apache-2.0
// What is decided before emission: leaves of values, the layout of a block's
// shared memory.
//
//   [arrays and mbarriers, by id] [what groups and copies need] [dynamic array]
//
// The whole is one array that begins at a multiple of 1024 bytes, as tensor
// copies with swizzles want it.
#include "base/bits.h"
#include "codegen/nvptx/llvm_nvptx.h"
#include "ir/analyses/shared_life.h"
#include "ir/passes/passes.h"

#include "base/panic.h"
#include <stdarg.h>

#define SHARED_ALIGN         1024
#define MBARRIER_SIZE        8
#define TENSOR_ADDRESS_BYTES 4
// More than any machine has: sums of sizes stop here instead of wrapping.
#define SIZE_CEILING         ((uint64_t)1 << 40)

typedef hd_vec(SharedSpan) SharedSpans;

void nv_refuse(NvPlan *plan, IrLocId loc, const char *format, ...) {
  if (plan->why)
    return;
  va_list args;
  va_start(args, format);
  const char *reason = arena_vprintf(plan->arena, format, args);
  va_end(args);
  if (loc == 0) {
    plan->why = reason;
    return;
  }
  const char *place = ir_loc_text(plan->module, loc, plan->arena);
  plan->why = arena_printf(plan->arena, "%s: %s", place, reason);
}

static bool nvptx_plan_number_node(IrNode *node, void *context) {
  NvPlan *plan = context;
  // Until prefix sums are taken: the count, one place behind.
  plan->node_leaf[node->id + 1] = code_leaf_count(plan->module, node->type);
  return true;
}

static void nvptx_plan_number_leaves(NvPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  uint32_t n = kernel->n_nodes, n_vars = kernel->vars.count;
  plan->node_leaf = ARENA_ARRAY(plan->arena, uint32_t, n + 1);
  IrRegion body = kernel->body;
  ir_walk(&body, nvptx_plan_number_node, plan);
  for (uint32_t i = 0; i < n; i++)
    plan->node_leaf[i + 1] += plan->node_leaf[i];
  plan->var_leaf = ARENA_ARRAY(plan->arena, uint32_t, n_vars + 1);
  for (uint32_t v = 0; v < n_vars; v++)
    plan->var_leaf[v + 1] =
        plan->var_leaf[v] +
        code_leaf_count(plan->module, kernel->vars.data[v].type);
}

// ----------------------------------------------------------- shared memory

uint64_t nv_plan_reserve(NvPlan *plan, uint64_t bytes, uint64_t align_bytes) {
  uint64_t offset = bits_align_up(plan->shared_bytes, align_bytes);
  plan->shared_bytes = offset + bytes;
  if (plan->shared_bytes > SIZE_CEILING)
    plan->shared_bytes = SIZE_CEILING;
  return offset;
}

static uint32_t nvptx_plan_element_bytes(const IrObject *object) {
  return object->kind == OBJECT_MBARRIER ? MBARRIER_SIZE
                                         : object->element_bytes;
}

// What bulk copies may need: 128 bytes, with a swizzle its whole pattern.
static uint64_t object_align(const IrObject *object) {
  uint64_t bytes = 0, align = 16;
  bool is_constant = ir_object_bytes(object, nvptx_plan_element_bytes(object),
                                     SIZE_CEILING, &bytes);
  if (object->is_tensor) // Note [Addresses of tensor memory]
    return TENSOR_ADDRESS_BYTES;
  if (object->kind == OBJECT_MBARRIER)
    align = MBARRIER_SIZE;
  else if (ir_swizzle_bytes(object))
    align = ir_swizzle_align(object);
  else if (!is_constant || bytes >= 128)
    align = 128;
  return object->align_bytes > align ? object->align_bytes : align;
}

// Too much shared memory is refused at the launch, which knows the limit.
static void nvptx_plan_size_shared(NvPlan *plan, const IrObject *object,
                                   SharedSpans *spans) {
  CodeShared *place = &plan->shared[object->id];
  uint64_t align = object_align(object);
  place->n_instances =
      object->group ? plan->groups[object->group->id].n_instances : 1;
  if (object->is_tensor) {
    place->size_bytes = TENSOR_ADDRESS_BYTES;
  } else if (!ir_object_bytes(object, nvptx_plan_element_bytes(object),
                              SIZE_CEILING, &place->size_bytes)) {
    place->is_dynamic = true;
    plan->has_dynamic = true;
    plan->dynamic_align = align;
    return;
  }
  if (place->n_instances > 1)
    place->size_bytes = bits_align_up(place->size_bytes, align);
  SharedSpan span = {.object = object->id,
                     .bytes = place->size_bytes * place->n_instances,
                     .align_bytes = align};
  span.bytes = span.bytes > SIZE_CEILING ? SIZE_CEILING : span.bytes;
  VEC_PUSH(plan->arena, spans, span);
}

// Objects that want the largest alignment come first: no gaps between.
static void lay_out_shared(NvPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  SharedSpans spans = {0};
  plan->shared = ARENA_ARRAY(plan->arena, CodeShared, kernel->objects.count);
  for (uint64_t align = SHARED_ALIGN; align > 0; align /= 2)
    for (uint32_t i = 0; i < kernel->objects.count; i++) {
      const IrObject *object = kernel->objects.data[i];
      uint64_t own = object_align(object);
      if (object->space == SPACE_SHARED &&
          (own > SHARED_ALIGN ? SHARED_ALIGN : own) == align)
        nvptx_plan_size_shared(plan, object, &spans);
    }
  const SharedLives *lives = ir_shared_lives(plan->arena, kernel);
  plan->shares = lives != NULL;
  plan->shared_bytes =
      shared_lives_place(lives, spans.data, spans.count, 0, SIZE_CEILING);
  for (uint32_t i = 0; i < spans.count; i++)
    plan->shared[spans.data[i].object].offset_bytes =
        spans.data[i].offset_bytes;
}

static bool note_flags(IrNode *node, void *context) {
  NvPlan *plan = context;
  if (node->op == IR_PRINTF)
    plan->flags |= HD_CUDA_FLAG_PRINTS;
  return true;
}

NvPlan *nv_plan_new(Arena *arena, const IrKernel *original, int sm) {
  NvPlan *plan = ARENA_NEW(arena, NvPlan);
  const IrKernel *kernel = nv_prepare_kernel(arena, original);
  pass_done(PASS_MASK_LANES, kernel, true);
  const int32_t *dim = kernel->block_dim;
  plan->arena = arena;
  plan->module = kernel->module;
  plan->kernel = kernel;
  plan->sm = sm;
  plan->n_threads = (uint32_t)(dim[0] * dim[1] * dim[2]);
  plan->dynamic_align = 16;
  plan->n_warps = (plan->n_threads + NV_WARP - 1) / NV_WARP;
  HD_ASSERT(plan->n_threads > 0 && plan->n_threads <= 1024);
  plan->uniformity = ir_uniformity(arena, kernel);
  plan->turns = ARENA_ARRAY(arena, NvWhole, kernel->n_nodes);
  plan->groups = ARENA_ARRAY(arena, NvGroupPlan, kernel->groups.count);
  nvptx_plan_number_leaves(plan);
  IrRegion body = kernel->body;
  ir_walk(&body, note_flags, plan);
  nv_describe_groups(plan);
  lay_out_shared(plan);
  nv_plan_groups(plan);
  nv_plan_copies(plan);
  nv_plan_barriers(plan);
  plan->shared_bytes = bits_align_up(plan->shared_bytes, plan->dynamic_align);
  return plan;
}

// Each part takes two warps of the block, so no row has more parts.
static bool may_have_many_barriers(const IrKernel *kernel) {
  enum { N_BARRIERS = 15 };

  const int32_t *dim = kernel->block_dim;
  int64_t n_parts = (int64_t)dim[0] * dim[1] * dim[2] / (2 * NV_WARP);
  return (kernel->groups.count - GROUP_ROW_BLOCK - 1) * n_parts > N_BARRIERS;
}

const IrGroup *nv_left_out(Arena *arena, const IrKernel *kernel) {
  enum { ANY_SM = 90 };

  if (kernel->level <= LEVEL_TILES || !may_have_many_barriers(kernel))
    return NULL; // of tiles there is no plan
  const NvPlan *plan = nv_plan_new(arena, kernel, ANY_SM);
  bool is_own = plan->left_out && plan->left_out->id < kernel->groups.count;
  return is_own ? kernel->groups.data[plan->left_out->id] : NULL;
}
