// SPDX-License-Identifier: Apache-2.0
// Types, and making modules, kernels and the rows of their tables.
#include "ir/form/ir.h"
#include "base/panic.h"

// ---------------------------------------------------------------- types

static const struct {
  uint8_t size_bytes, bits;
} type_facts[IR_TYPE_COUNT] = {

#define IR_TYPE(id, text, size_bytes, bits) [IR_TYPE_##id] = {size_bytes, bits},
#include "ir/types.def"
#undef IR_TYPE
};

bool ir_type_is_int(IrType type) {
  return type.lanes == 1 && type.kind >= IR_TYPE_I8 && type.kind <= IR_TYPE_I64;
}

bool ir_type_is_float(IrType type) {
  return type.lanes == 1 && type.kind >= IR_TYPE_F16 &&
         type.kind <= IR_TYPE_F64;
}

bool ir_type_is_narrow(IrType type) {
  return type.kind >= IR_TYPE_TF32 && type.kind <= IR_TYPE_U7;
}

bool ir_type_is_packed(IrType type) {
  return type.kind >= IR_TYPE_E2M1 && type.kind <= IR_TYPE_U7;
}

bool ir_type_is_packed_int(IrType type) {
  return type.kind >= IR_TYPE_S1 && type.kind <= IR_TYPE_U7;
}

IrType ir_memory_type(IrType type) {
  if (type.kind == IR_TYPE_TF32)
    return ir_scalar(IR_TYPE_F32);
  return ir_type_is_packed(type) ? ir_scalar(IR_TYPE_I8) : type;
}

static bool has_scales(IrType type) {
  return type.kind == IR_TYPE_E4M3 || type.kind == IR_TYPE_E5M2 ||
         (type.kind >= IR_TYPE_E2M1 && type.kind <= IR_TYPE_E3M2);
}

uint32_t ir_scale_block(IrType a, IrType b, IrType scales) {
  if (!has_scales(a) || !has_scales(b))
    return 0;
  if (scales.kind == IR_TYPE_E8M0)
    return 32;
  bool are_four_bits = a.kind == IR_TYPE_E2M1 && b.kind == IR_TYPE_E2M1;
  return scales.kind == IR_TYPE_E4M3 && are_four_bits ? 16 : 0;
}

static uint32_t tile_bytes(const IrModule *module, const IrTileShape *shape) {
  uint64_t bytes = ir_type_size(module, shape->element);
  for (uint32_t i = 0; i < shape->rank; i++) {
    bytes *= shape->extents[i];
    if (bytes > UINT32_MAX)
      return UINT32_MAX;
  }
  return (uint32_t)bytes;
}

uint32_t ir_type_size(const IrModule *module, IrType type) {
  if (type.kind == IR_TYPE_STRUCT)
    return module->structs.data[type.index]->size_bytes;
  if (type.kind == IR_TYPE_TILE)
    return tile_bytes(module, &module->tiles.data[type.index]);
  return (uint32_t)type_facts[type.kind].size_bytes * type.lanes;
}

uint32_t ir_type_bits(IrType type) {
  return type_facts[type.kind].bits;
}

// ----------------------------------------------------------- containers

IrModule *ir_module_new(Arena *arena, const char *name) {
  IrModule *module = ARENA_NEW(arena, IrModule);
  module->arena = arena;
  module->name = arena_strdup(arena, name);
  IrLoc unknown = {0};
  VEC_PUSH(arena, &module->locs, unknown);
  return module;
}

static void make_implicit_groups(IrKernel *kernel) {
  IrGroup *grid = ir_group_new(kernel, GROUP_GRID, NULL);
  grid->name = "grid";
  grid->alignment = 1024;
  IrGroup *cluster = ir_group_new(kernel, GROUP_CLUSTER, grid);
  cluster->name = "cluster";
  cluster->alignment = 1024;
  IrGroup *block = ir_group_new(kernel, GROUP_BLOCK, cluster);
  block->name = "block";
  block->alignment = 1024;
}

IrKernel *ir_kernel_new(IrModule *module, const char *name) {
  Arena *arena = module->arena;
  IrKernel *kernel = ARENA_NEW(arena, IrKernel);
  kernel->module = module;
  kernel->name = arena_strdup(arena, name);
  kernel->variant = "";
  for (int i = 0; i < 3; i++)
    kernel->block_dim[i] = 1;
  make_implicit_groups(kernel);
  VEC_PUSH(arena, &module->kernels, kernel);
  return kernel;
}

IrObject *ir_object_new(IrKernel *kernel, const char *name, IrSpace space,
                        IrType element) {
  Arena *arena = kernel->module->arena;
  IrObject *object = ARENA_NEW(arena, IrObject);
  object->id = kernel->objects.count;
  object->kind = OBJECT_ARRAY;
  object->name = arena_strdup(arena, name);
  object->space = space;
  object->element = element;
  object->element_bytes = ir_type_size(kernel->module, element);
  object->param = -1;
  VEC_PUSH(arena, &kernel->objects, object);
  return object;
}

IrGroup *ir_group_new(IrKernel *kernel, IrGroupKind kind, IrGroup *parent) {
  Arena *arena = kernel->module->arena;
  IrGroup *group = ARENA_NEW(arena, IrGroup);
  group->id = kernel->groups.count;
  group->kind = kind;
  group->parent = parent;
  group->name = "";
  bool is_single = kind == GROUP_THREAD || kind == GROUP_SINGLE;
  group->size = is_single ? 1 : SIZE_UNKNOWN;
  group->begin = SIZE_UNKNOWN;
  group->instances = SIZE_UNKNOWN;
  group->alignment = 1;
  VEC_PUSH(arena, &kernel->groups, group);
  return group;
}

uint32_t ir_var_new(IrKernel *kernel, const char *name, IrType type) {
  Arena *arena = kernel->module->arena;
  IrVar var = {.id = kernel->vars.count, .type = type};
  var.name = name ? arena_strdup(arena, name) : NULL;
  VEC_PUSH(arena, &kernel->vars, var);
  return var.id;
}

uint32_t ir_struct_new(IrModule *module, const char *name, uint32_t size_bytes,
                       uint32_t align_bytes) {
  IrStruct *record = ARENA_NEW(module->arena, IrStruct);
  record->name = arena_strdup(module->arena, name);
  record->size_bytes = size_bytes;
  record->align_bytes = align_bytes;
  VEC_PUSH(module->arena, &module->structs, record);
  return module->structs.count - 1;
}

static uint32_t ir_slots_of(const IrModule *module, const IrParam *param) {
  switch (param->kind) {
  case PARAM_POINTER: return 1;
  case PARAM_ARRAY:
    return 1 + 2 * (uint32_t)(param->object ? param->object->rank : 0);
  case PARAM_SCALAR:
  case PARAM_STRUCT: break;
  }
  return (ir_type_size(module, param->type) + 7) / 8;
}

void ir_kernel_layout_args(IrKernel *kernel) {
  uint32_t slot = 0;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    IrParam *param = &kernel->params.data[i];
    param->slot = slot;
    param->n_slots = ir_slots_of(kernel->module, param);
    slot += param->n_slots;
  }
  kernel->n_slots = slot;
}
