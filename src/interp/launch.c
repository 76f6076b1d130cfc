// SPDX-License-Identifier: Apache-2.0
// Where every object and group of a kernel is during one launch.
#include "base/bits.h"
#include "interp/machine.h"
#include <inttypes.h>

enum { MAX_PARTS = 1 << 20, MAX_MBARRIERS = 1 << 20, MAX_RESIDENT = 1 << 22 };

static const uint64_t max_bytes = UINT64_C(1) << 33;
// No device has as much, and a run would write all of it.
static const uint64_t max_shared_bytes = UINT64_C(1) << 28;
// Of file-scope and constant objects that the interpreter keeps itself.
static const uint64_t max_own_bytes = UINT64_C(1) << 28;

static HdStatus launch_refuse(Launch *launch, HdStatus status, const char *what,
                              const char *name) {
  launch->why = arena_printf(launch->arena, "kernel '%s': %s%s",
                             launch->kernel->name, what, name);
  return status;
}

// --------------------------------------------------------------- groups

static uint32_t saturated(uint64_t value) {
  return value > MAX_PARTS ? MAX_PARTS : (uint32_t)value;
}

// Parts that one part of the parent has of this row, as far as they own
// memory: what isn't constant has one.
static uint64_t parts_in_parent(const Launch *launch, const IrGroup *group) {
  switch (group->kind) {
  case GROUP_WARP: return (launch->n_threads + 31) / 32;
  case GROUP_THREAD: return launch->n_threads;
  case GROUP_SPLIT: {
    int64_t outer = group->parent->size;
    return outer > 0 && group->size > 0 ? (uint64_t)(outer / group->size) : 1;
  }
  case GROUP_TILED:
    return group->instances > 0 ? (uint64_t)group->instances : 1;
  case GROUP_GRID:
  case GROUP_CLUSTER:
  case GROUP_BLOCK:
  case GROUP_RANGE:
  case GROUP_SINGLE:
  case GROUP_LABELED:
  case GROUP_COALESCED:
  case GROUP_KIND_COUNT: break;
  }
  return 1;
}

static void place_groups(Launch *launch) {
  const IrKernel *kernel = launch->kernel;
  launch->groups = ARENA_ARRAY(launch->arena, GroupPlace, kernel->groups.count);
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    const IrGroup *group = kernel->groups.data[i];
    bool is_rooted = i <= GROUP_ROW_BLOCK || group->kind == GROUP_WARP ||
                     group->kind == GROUP_THREAD;
    uint64_t outer =
        is_rooted ? 1 : launch->groups[group->parent->id].n_instances;
    launch->groups[i].n_instances =
        saturated(outer * parts_in_parent(launch, group));
  }
}

// ----------------------------------------------------------------- blocks

typedef struct {
  bool meets_grid, meets_cluster;
} Meets;

static bool note_meeting(IrNode *node, void *context) {
  Meets *meets = context;
  const IrOpInfo *info = ir_op_info(node);
  const IrGroup *group = NULL;
  if (info->flags & OPF_COLLECTIVE && info->form == FORM_GROUP)
    group = node->u.group.group;
  if (info->form == FORM_COLLECTIVE)
    group = node->u.collective.group;
  if (info->form == FORM_COPY)
    group = node->u.copy.group;
  if (info->form == FORM_PART)
    group = node->u.part.group;
  meets->meets_grid |= group && group->kind == GROUP_GRID;
  meets->meets_cluster |= group && group->kind == GROUP_CLUSTER;
  return true;
}

static HdStatus place_blocks(Launch *launch) {
  const IrKernel *kernel = launch->kernel;
  uint64_t in_cluster = 1, in_grid = 1;
  for (int i = 0; i < 3; i++) {
    int32_t given = kernel->cluster_dim[i] > 0 ? kernel->cluster_dim[i]
                                               : launch->given->cluster[i];
    launch->cluster[i] = given > 0 ? given : 1;
    in_cluster *= (uint64_t)launch->cluster[i];
    if (launch->grid[i] % launch->cluster[i] != 0)
      return launch_refuse(launch, HD_ERROR_LAUNCH,
                           "the cluster doesn't divide the grid", "");
    if (__builtin_mul_overflow(in_grid, (uint64_t)launch->grid[i], &in_grid) ||
        in_grid > INT64_MAX / 1024 || in_cluster > MAX_RESIDENT)
      return launch_refuse(launch, HD_ERROR_LAUNCH, "too many blocks", "");
  }
  Meets meets = {0};
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, note_meeting, &meets);
  launch->gang = meets.meets_grid                        ? GANG_GRID
                 : meets.meets_cluster || in_cluster > 1 ? GANG_CLUSTER
                                                         : GANG_BLOCK;
  if (launch->given->blocks && launch->gang != GANG_BLOCK)
    return launch_refuse(launch, HD_ERROR_UNSUPPORTED,
                         "its blocks run together", "");
  uint64_t n_blocks = launch->gang == GANG_GRID ? in_grid : in_cluster;
  if (n_blocks * launch->n_threads > MAX_RESIDENT) {
    launch->why = arena_printf(
        launch->arena,
        "kernel '%s': %" PRIu64 " blocks of %u threads are needed at the same "
        "time: the limit is %d threads",
        kernel->name, n_blocks, launch->n_threads, MAX_RESIDENT);
    return HD_ERROR_MEMORY;
  }
  launch->n_blocks = (uint32_t)n_blocks;
  launch->n_clusters = n_blocks ? (uint32_t)(n_blocks / in_cluster) : 0;
  return HD_OK;
}

// -------------------------------------------------------------- objects

// Strides of a dense array from its extents.
static bool launch_dense_strides(ObjectPlace *place, uint32_t rank) {
  int64_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    place->strides[i] = stride;
    int64_t extent = place->extents[i] > 0 ? place->extents[i] : 1;
    if (__builtin_mul_overflow(stride, extent, &stride))
      return false;
  }
  return true;
}

// Bytes from the first element to behind the last.
static bool dense_bytes(const ObjectPlace *place, uint64_t *out) {
  const IrObject *object = place->object;
  uint64_t bytes = object->element_bytes;
  for (uint32_t i = 0; i < object->rank; i++)
    if (__builtin_mul_overflow(bytes, (uint64_t)place->extents[i], &bytes))
      return false;
  *out = bytes;
  return true;
}

static void bind_param(Launch *launch, ObjectPlace *place) {
  const IrObject *object = place->object;
  const IrParam *param = &launch->kernel->params.data[object->param];
  const uint64_t *slots = &launch->given->args[param->slot];
  const InterpMemory *memory = &launch->given->arrays[object->param];
  place->home = HOME_FIXED;
  place->base = memory->data;
  place->size_bytes = memory->size_bytes;
  place->has_extents = param->kind == PARAM_ARRAY;
  if (!place->has_extents) {
    place->strides[0] = 1;
    return;
  }
  for (uint32_t i = 0; i < object->rank; i++) {
    place->extents[i] = (int64_t)slots[1 + i];
    place->strides[i] = (int64_t)slots[1 + object->rank + i];
  }
}

static HdStatus shape_object(Launch *launch, ObjectPlace *place) {
  const IrObject *object = place->object;
  place->has_extents = true;
  for (uint32_t i = 0; i < object->rank; i++)
    if (!host_evaluate(launch, object->extents[i], &place->extents[i]) ||
        place->extents[i] < 0)
      return launch_refuse(launch, HD_ERROR_LAUNCH, "no valid extent for ",
                           object->name);
  if (!launch_dense_strides(place, object->rank) ||
      !dense_bytes(place, &place->size_bytes) || place->size_bytes > max_bytes)
    return launch_refuse(launch, HD_ERROR_MEMORY, "too large: ", object->name);
  return HD_OK;
}

static HdStatus take_space(Launch *launch, ObjectPlace *place,
                           uint64_t *used_bytes, uint64_t most_bytes) {
  const IrObject *object = place->object;
  uint64_t align = object->align_bytes < 16 ? 16 : object->align_bytes;
  uint64_t size = bits_align_up(place->size_bytes, align);
  place->offset = bits_align_up(*used_bytes, align);
  *used_bytes = place->offset + size * place->n_instances;
  if (align > 4096 || size > most_bytes || *used_bytes > most_bytes)
    return launch_refuse(launch, HD_ERROR_MEMORY, "no room for ", object->name);
  return HD_OK;
}

static HdStatus place_initial(Launch *launch, ObjectPlace *place) {
  const IrObject *object = place->object;
  place->home = HOME_FIXED;
  if (place->size_bytes > max_own_bytes)
    return launch_refuse(launch, HD_ERROR_MEMORY, "too large: ", object->name);
  place->base = arena_alloc(launch->arena, place->size_bytes + 128);
  place->base += (128 - (uintptr_t)place->base % 128) % 128;
  uint64_t given = object->initial ? object->initial_bytes : 0;
  if (given > place->size_bytes)
    return launch_refuse(launch, HD_ERROR_LAUNCH,
                         "too many initial bytes: ", object->name);
  if (given)
    __builtin_memcpy(place->base, object->initial, given);
  return HD_OK;
}

static HdStatus place_mbarrier(Launch *launch, ObjectPlace *place) {
  const IrObject *object = place->object;
  uint64_t count = 1;
  for (uint32_t i = 0; i < object->rank; i++) {
    place->extents[i] = object->extents[i]->number;
    count = saturated(count * (uint64_t)place->extents[i]);
  }
  place->has_extents = true;
  place->n_instances = launch->groups[object->group->id].n_instances;
  place->size_bytes = count; // elements
  place->first_mbarrier = launch->n_mbarriers;
  count = launch->n_mbarriers + count * place->n_instances;
  if (count > MAX_MBARRIERS)
    return launch_refuse(launch, HD_ERROR_MEMORY,
                         "too many mbarriers: ", object->name);
  launch->n_mbarriers = (uint32_t)count;
  launch_dense_strides(place, object->rank);
  return HD_OK;
}

static HdStatus place_object(Launch *launch, const IrObject *object,
                             ObjectPlace *place) {
  place->object = object;
  place->n_instances = 1;
  if (object->kind == OBJECT_MBARRIER)
    return place_mbarrier(launch, place);
  if (object->kind != OBJECT_ARRAY)
    return launch_refuse(launch, HD_ERROR_UNSUPPORTED,
                         "the interpreter doesn't know the object ",
                         object->name);
  if (object->param >= 0) {
    bind_param(launch, place);
    return HD_OK;
  }
  HD_TRY(shape_object(launch, place));
  if (object->space == SPACE_SHARED) {
    place->home = HOME_SHARED;
    place->n_instances = launch->groups[object->group->id].n_instances;
    return take_space(launch, place, &launch->shared_bytes, max_shared_bytes);
  }
  if (object->space == SPACE_LOCAL) {
    place->home = HOME_LOCAL;
    return take_space(launch, place, &launch->local_bytes, max_bytes);
  }
  return place_initial(launch, place);
}

// Memory that the caller keeps, or the initial bytes where it gave none.
static HdStatus place_global(Launch *launch, const IrObject *object,
                             ObjectPlace *place) {
  const InterpMemory *memory =
      launch->given->globals ? &launch->given->globals[object->id] : NULL;
  if (!memory || !memory->data)
    return place_object(launch, object, place);
  place->object = object;
  HD_TRY(shape_object(launch, place));
  place->home = HOME_FIXED;
  place->base = memory->data;
  place->size_bytes = memory->size_bytes;
  return HD_OK;
}

HdStatus launch_setup(Launch *launch) {
  const IrKernel *kernel = launch->kernel;
  const IrModule *module = kernel->module;
  const int32_t *block = kernel->block_dim;
  launch->n_threads = (uint32_t)(block[0] * block[1] * block[2]);
  for (int i = 0; i < 3; i++) {
    launch->grid[i] = launch->given->grid[i];
    if (launch->grid[i] < 0)
      return launch_refuse(launch, HD_ERROR_LAUNCH, "a negative grid", "");
  }
  HD_TRY(place_blocks(launch));
  place_groups(launch);
  launch->objects =
      ARENA_ARRAY(launch->arena, ObjectPlace, kernel->objects.count);
  launch->globals =
      ARENA_ARRAY(launch->arena, ObjectPlace, module->globals.count);
  for (uint32_t i = 0; i < module->globals.count; i++)
    HD_TRY(place_global(launch, module->globals.data[i], &launch->globals[i]));
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    HD_TRY(place_object(launch, kernel->objects.data[i], &launch->objects[i]));
  return HD_OK;
}

const ObjectPlace *launch_place(const Launch *launch, const IrObject *object) {
  if (object->id < launch->kernel->objects.count &&
      launch->kernel->objects.data[object->id] == object)
    return &launch->objects[object->id];
  return &launch->globals[object->id];
}
