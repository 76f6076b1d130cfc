// SPDX-License-Identifier: Apache-2.0
// Where shared and private arrays lie.
//
// Note [Private arrays]
// A thread's own array is stored unit by lane: all lanes' first units, all
// lanes' second units, and so on. With an index that is the same in all lanes
// an element is then one vector. The unit is the size of what every access
// moves; an array that is accessed in different sizes or whose address is
// taken is stored lane after lane.
#include "abi/cpu.h"
#include "base/bits.h"
#include "codegen/cpu/cpu_plan.h"
#include "ir/analyses/shared_life.h"

// Of the array that is sized at launch.
#define DYNAMIC_ALIGN 64
#define PRIVATE_LIMIT ((uint64_t)1 << 30)
// More than any machine has: sums of sizes stop here instead of wrapping.
#define SIZE_CEILING  ((uint64_t)1 << 48)

typedef hd_vec(SharedSpan) SharedSpans;

uint32_t cpu_element_bytes(const IrObject *object) {
  return object->kind == OBJECT_MBARRIER ? (uint32_t)sizeof(HdCpuMbarrier)
                                         : object->element_bytes;
}

// Too much shared memory is refused at the launch, which knows the limit.
static void cpu_layout_size_shared(CpuPlan *plan, const IrObject *object,
                                   SharedSpans *spans) {
  CodeShared *place = &plan->shared[object->id];
  place->n_instances = code_part_instances(plan->parts, object->group);
  if (!ir_object_bytes(object, cpu_element_bytes(object), SIZE_CEILING,
                       &place->size_bytes)) {
    place->is_dynamic = true;
    return;
  }
  if (place->n_instances > 1)
    place->size_bytes = bits_align_up(
        place->size_bytes,
        object->align_bytes ? object->align_bytes : object->element_bytes);
  SharedSpan span = {.object = object->id,
                     .bytes = place->size_bytes * place->n_instances};
  span.bytes = span.bytes > SIZE_CEILING ? SIZE_CEILING : span.bytes;
  span.align_bytes = object->align_bytes > 64 ? object->align_bytes : 64;
  VEC_PUSH(plan->arena, spans, span);
}

static void cpu_layout_take_spans(CpuPlan *plan, const SharedSpans *spans) {
  for (uint32_t i = 0; i < spans->count; i++)
    plan->shared[spans->data[i].object].offset_bytes =
        spans->data[i].offset_bytes;
}

// What the compiler made lies behind the program's arrays. With checks, arrays
// lie apart, and what they would share isn't counted as the program's either.
static void cpu_layout_shared(CpuPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  SharedSpans own = {0}, scratch = {0};
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    bool is_scratch =
        i >= plan->n_own_objects || object->is_scratch || object->is_tensor;
    if (object->space == SPACE_SHARED)
      cpu_layout_size_shared(plan, object, is_scratch ? &scratch : &own);
  }
  const SharedLives *lives = ir_shared_lives(plan->arena, kernel);
  uint64_t least =
      shared_lives_place(lives, own.data, own.count, 0, SIZE_CEILING);
  uint64_t end = least;
  if (plan->has_checks)
    end = shared_lives_place(NULL, own.data, own.count, 0, SIZE_CEILING);
  plan->shares = end == least && lives != NULL;
  cpu_layout_take_spans(plan, &own);
  end =
      shared_lives_place(NULL, scratch.data, scratch.count, end, SIZE_CEILING);
  cpu_layout_take_spans(plan, &scratch);
  plan->scratch_bytes = end - least;
  plan->shared_bytes = bits_align_up(end, DYNAMIC_ALIGN);
}

typedef struct {
  CpuPlan *plan;
} UnitContext;

// The size of scalars that an access moves, 0 if they differ.
static uint32_t moved_bytes(const CpuPlan *plan, const IrAccess *access) {
  uint32_t n = code_leaf_count(plan->module, access->type), bytes = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t offset;
    IrType leaf = code_leaf_type(plan->module, access->type, i, &offset);
    uint32_t size = ir_type_size(plan->module, leaf);
    if ((bytes != 0 && bytes != size) || offset % size != 0)
      return 0;
    bytes = size;
  }
  return bytes;
}

static void cpu_layout_note_use(CpuPlan *plan, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if (ir_op_info(node)->form != FORM_ACCESS)
    return;
  if (node->op == IR_STORE && access->hint == HINT_STREAMING)
    plan->may_stream = true;
  const IrObject *object = access->object;
  if (node->op != IR_STORE && object &&
      object->id < plan->kernel->objects.count &&
      plan->kernel->objects.data[object->id] == object)
    plan->is_only_written[object->id] = false;
}

static bool may_be_only_written(const IrObject *object) {
  return object->space == SPACE_GLOBAL && object->param >= 0 &&
         !object->is_const && object->alias_class == 0 &&
         (!object->is_plain_pointer ||
          (object->is_restrict && (object->facts & FACT_LONG) != 0));
}

#define UNIT_OPEN UINT32_MAX

static bool note_access(IrNode *node, void *context) {
  CpuPlan *plan = ((UnitContext *)context)->plan;
  cpu_layout_note_use(plan, node);
  if (ir_op_info(node)->form != FORM_ACCESS || node->u.access.object == NULL ||
      node->u.access.object->space != SPACE_LOCAL)
    return true;
  const IrAccess *access = &node->u.access;
  CpuPrivate *own = &plan->privates[access->object->id];
  uint32_t bytes = moved_bytes(plan, access);
  bool fits = node->op != IR_ADDRESS && bytes != 0 && !access->has_offset &&
              access->offset_bytes % bytes == 0 &&
              access->object->element_bytes % bytes == 0;
  if (own->unit_bytes == UNIT_OPEN && fits)
    own->unit_bytes = bytes;
  else if (!fits || own->unit_bytes != bytes)
    own->unit_bytes = 0;
  return true;
}

static bool place_private(CpuPlan *plan, const IrObject *object,
                          const char **why) {
  CpuPrivate *own = &plan->privates[object->id];
  if (own->unit_bytes == UNIT_OPEN)
    own->unit_bytes = 0;
  if (!ir_object_bytes(object, cpu_element_bytes(object), SIZE_CEILING,
                       &own->size_bytes)) {
    *why = "a private array has no constant size";
    return false;
  }
  uint64_t align = object->align_bytes > 8 ? object->align_bytes : 8;
  own->exact_bytes = own->size_bytes;
  own->size_bytes = bits_align_up(own->size_bytes, align);
  plan->private_bytes += own->size_bytes * plan->lanes + 256;
  if (plan->private_bytes > PRIVATE_LIMIT)
    *why = "a warp's private arrays are larger than 1 GiB";
  return *why == NULL;
}

bool cpu_plan_layout(CpuPlan *plan, const char **why) {
  const IrKernel *kernel = plan->kernel;
  uint32_t n = kernel->objects.count;
  plan->shared = ARENA_ARRAY(plan->arena, CodeShared, n);
  plan->privates = ARENA_ARRAY(plan->arena, CpuPrivate, n);
  plan->is_only_written = ARENA_ARRAY(plan->arena, bool, n);
  for (uint32_t i = 0; i < n; i++) {
    plan->privates[i].unit_bytes = UNIT_OPEN;
    plan->is_only_written[i] = may_be_only_written(kernel->objects.data[i]);
  }
  UnitContext cx = {plan};
  IrRegion body = kernel->body;
  ir_walk(&body, note_access, &cx);
  for (uint32_t i = 0; i < n; i++) {
    const IrObject *object = kernel->objects.data[i];
    plan->may_stream |= plan->is_only_written[i];
    if (object->space == SPACE_LOCAL && !place_private(plan, object, why))
      return false;
  }
  cpu_layout_shared(plan);
  return true;
}
