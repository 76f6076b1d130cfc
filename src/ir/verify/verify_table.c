// SPDX-License-Identifier: Apache-2.0
// The rules for objects, groups, parameters and variables.
#include "base/bits.h"
#include "ir/form/swizzle.h"
#include "ir/form/words.h"
#include "ir/verify/verify_parts.h"
#include <inttypes.h>

enum { MAX_MBARRIERS = 65536, MAX_ARRIVALS = (1 << 20) - 1 };

// -------------------------------------------------------------- objects

static bool verify_table_object_shape(Verifier *v, const IrObject *object) {
  if (object->rank > IR_MAX_RANK)
    return verify_fail(v, NULL, "object '%s' has too many dimensions",
                       object->name);
  bool is_bound = object->param >= 0;
  for (uint32_t i = 0; i < object->rank; i++) {
    if (!object->extents[i] && !is_bound && object->kind == OBJECT_ARRAY)
      return verify_fail(v, NULL, "object '%s' lacks extent %u", object->name,
                         i);
    if (!verify_host(v, object->extents[i], HOST_ASKS_VALUES, object->name))
      return false;
    if (object->has_strides &&
        !verify_host(v, object->strides[i], HOST_ASKS_VALUES, object->name))
      return false;
  }
  return true;
}

// Declared with their count, outside of loops: their number is constant.
static bool object_mbarrier(const IrObject *object) {
  if (object->kind != OBJECT_MBARRIER)
    return true;
  for (uint32_t i = 0; i < object->rank; i++)
    if (!object->extents[i] || object->extents[i]->op != HOST_CONST ||
        object->extents[i]->is_float || object->extents[i]->number < 1 ||
        object->extents[i]->number > MAX_MBARRIERS)
      return false;
  return object->space == SPACE_SHARED && object->arrivals > 0 &&
         object->arrivals <= MAX_ARRIVALS;
}

static bool object_element(const Verifier *v, const IrObject *object) {
  if (object->kind != OBJECT_ARRAY)
    return true;
  IrType type = object->element;
  if (!verify_type(v, type) || type.kind == IR_TYPE_VOID ||
      ir_type_is_narrow(type) || type.kind == IR_TYPE_TOKEN ||
      type.kind == IR_TYPE_TILE)
    return false;
  return object->element_bytes >= ir_type_size(v->module, type) &&
         object->element_bytes > 0;
}

// Several arrays that the host gives.
static bool object_table(const IrObject *object) {
  return !object->is_table ||
         (object->kind == OBJECT_ARRAY && object->rank >= 2 &&
          object->param >= 0 && !object->has_strides &&
          !object->is_plain_pointer);
}

static bool object_param(const Verifier *v, const IrObject *object,
                         bool is_global) {
  if (object->param < 0)
    return object->param == -1;
  return !is_global && (uint32_t)object->param < v->kernel->params.count &&
         v->kernel->params.data[object->param].object == object &&
         object->space == SPACE_GLOBAL;
}

static bool object_home(const Verifier *v, const IrObject *object,
                        bool is_global) {
  if (is_global)
    return !object->group && !object->lifetime &&
           (object->space == SPACE_GLOBAL || object->space == SPACE_CONSTANT);
  if (object->group && !verify_has_group(v, object->group))
    return false;
  if (object->space == SPACE_GENERIC)
    return false;
  if (object->space == SPACE_GLOBAL)
    return object->param >= 0;
  return object->space != SPACE_SHARED || object->group;
}

static bool object_holes(const IrObject *object) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < object->holes.count; i++) {
    const IrHole *hole = &object->holes.data[i];
    if (hole->begin < last || hole->end <= hole->begin || hole->end > INT32_MAX)
      return false;
    last = hole->end;
  }
  return object->holes.count == 0 ||
         (object->space == SPACE_SHARED && object->kind == OBJECT_ARRAY);
}

static bool object_layout(Verifier *v, const IrObject *object) {
  uint32_t bytes = ir_swizzle_bytes(object);
  const char *why = bytes ? ir_swizzle_problem(object, bytes) : NULL;
  return !why || verify_fail(v, NULL, "object '%s' can't be swizzled: %s",
                             object->name, why);
}

// 128 lanes of up to 512 columns of 32 bits, once a block.
static bool object_tensor(const IrObject *object) {
  const IrHost *lanes = object->extents[0], *columns = object->extents[1];
  return object->space == SPACE_SHARED && object->kind == OBJECT_ARRAY &&
         object->rank == 2 && object->group &&
         object->group->kind == GROUP_BLOCK && !object->has_strides &&
         !object->is_cluster_shared && !object->address_taken &&
         ir_type_bits(object->element) == 32 && lanes && columns &&
         lanes->op == HOST_CONST && lanes->number == 128 &&
         columns->op == HOST_CONST && columns->number > 0 &&
         columns->number <= 512;
}

bool verify_object(Verifier *v, const IrObject *object, bool is_global) {
  if (!object->name)
    return verify_fail(v, NULL, "object %u has no name", object->id);
  if (object->space > SPACE_GENERIC || object->kind > OBJECT_PIPELINE ||
      object->layout > LAYOUT_LINEAR || object->n_map_bits > 64)
    return verify_fail(v, NULL, "object '%s' has an unknown kind",
                       object->name);
  if (!object_element(v, object))
    return verify_fail(v, NULL, "object '%s' has no sane element type",
                       object->name);
  if (!object_mbarrier(object))
    return verify_fail(v, NULL, "mbarrier '%s' is not sane", object->name);
  if (object->is_tensor && !object_tensor(object))
    return verify_fail(v, NULL, "tensor memory '%s' is not sane", object->name);
  if (!object_holes(object))
    return verify_fail(v, NULL, "object '%s': its holes are not in order",
                       object->name);
  if (!bits_is_power(object->align_bytes))
    return verify_fail(v, NULL,
                       "object '%s': its alignment is not a power of two",
                       object->name);
  if (!object_table(object))
    return verify_fail(v, NULL, "object '%s' can't be a table", object->name);
  if (!object_param(v, object, is_global))
    return verify_fail(v, NULL, "object '%s' and its parameter disagree",
                       object->name);
  if (!object_home(v, object, is_global))
    return verify_fail(v, NULL, "object '%s' can't live there", object->name);
  if (object->facts & ~FACTS_ALL)
    return verify_fail(v, NULL, "object '%s' has unknown facts", object->name);
  if (v->has_locs && object->loc >= v->module->locs.count)
    return verify_fail(v, NULL, "object '%s' has no location", object->name);
  return verify_table_object_shape(v, object) && object_layout(v, object);
}

// --------------------------------------------------------------- groups

static bool group_numbers(const IrGroup *group) {
  return (group->size == SIZE_UNKNOWN || group->size > 0) &&
         group->begin >= SIZE_UNKNOWN &&
         (group->instances == SIZE_UNKNOWN || group->instances > 0) &&
         bits_is_power(group->alignment);
}

static bool group_parent(const Verifier *v, const IrGroup *group) {
  if (group->id == GROUP_ROW_GRID)
    return !group->parent;
  return group->parent && group->parent->id < group->id &&
         verify_has_group(v, group->parent);
}

// Both are checked only where they are known.
static bool group_inside_parent(const IrGroup *group) {
  if (!group->parent || group->kind != GROUP_RANGE)
    return true;
  int64_t outer = group->parent->size;
  if (outer == SIZE_UNKNOWN || group->size == SIZE_UNKNOWN)
    return true;
  int64_t begin = group->begin == SIZE_UNKNOWN ? 0 : group->begin;
  return group->size <= outer && begin <= outer - group->size;
}

// Sizes that a row may state, because every part has it.
static bool verify_table_group_size(const Verifier *v, const IrGroup *group) {
  int64_t size = group->size, outer = group->parent ? group->parent->size : -1;
  const int32_t *dim = v->kernel->block_dim;
  int64_t n_threads = (int64_t)dim[0] * dim[1] * dim[2];
  bool is_one = group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE;
  if (size == SIZE_UNKNOWN)
    return !is_one;
  if (outer == SIZE_UNKNOWN && group->parent->kind == GROUP_WARP)
    outer = n_threads % 32; // of the last one
  switch ((int)group->kind) {
  case GROUP_WARP:
    return group->parent->kind == GROUP_BLOCK &&
           (size == 32 ? n_threads % 32 == 0 : size == n_threads && size < 32);
  case GROUP_THREAD:
  case GROUP_SINGLE: return size == 1;
  case GROUP_TILED: return size == 1 || (outer > 0 && outer % size == 0);
  case GROUP_LABELED: return size == 1 && outer == 1;
  case GROUP_COALESCED: return false;
  default: return true;
  }
}

static bool verify_group(Verifier *v, const IrGroup *group, uint32_t index) {
  static const IrGroupKind fixed[] = {GROUP_GRID, GROUP_CLUSTER, GROUP_BLOCK};
  if (group->id != index)
    return verify_fail(v, NULL, "group %u has id %u", index, group->id);
  if (group->kind >= GROUP_KIND_COUNT || !group->name ||
      (index <= GROUP_ROW_BLOCK && group->kind != fixed[index]) ||
      (index > GROUP_ROW_BLOCK && group->kind <= GROUP_BLOCK))
    return verify_fail(v, NULL, "group #%u is of the wrong kind", index);
  if (!group_parent(v, group))
    return verify_fail(v, NULL, "group #%u must have an earlier row as parent",
                       index);
  if (!group_numbers(group))
    return verify_fail(v, NULL,
                       "group #%u has a size, begin, number or "
                       "alignment that can't be",
                       index);
  bool is_shared =
      v->kernel->level == LEVEL_LANES && group->kind == GROUP_COALESCED;
  if (group->kind >= GROUP_TILED && !group->maker && !is_shared)
    return verify_fail(v, NULL, "group #%u has no maker", index);
  if (group->is_whole && v->kernel->level != LEVEL_SOURCE)
    return verify_fail(v, NULL, "group #%u is a whole one at the level %s",
                       index, ir_words_level[v->kernel->level]);
  if (!verify_table_group_size(v, group))
    return verify_fail(v, NULL, "group #%u can't be known to have %d threads",
                       index, (int)group->size);
  if (!group_inside_parent(group))
    return verify_fail(v, NULL, "group #%u is not inside its parent", index);
  return true;
}

// Passes go up from group to parent.
static bool verify_group_depth(Verifier *v) {
  const IrKernel *kernel = v->kernel;
  Arena *scratch = arena_new();
  uint32_t *depth = ARENA_ARRAY(scratch, uint32_t, kernel->groups.count);
  bool is_good = true;
  for (uint32_t i = 1; i < kernel->groups.count && is_good; i++) {
    depth[i] = depth[kernel->groups.data[i]->parent->id] + 1;
    is_good = depth[i] <= IR_MAX_DEPTH;
  }
  arena_free(scratch);
  return is_good || verify_fail(v, NULL, "too many groups inside one another");
}

static bool verify_groups(Verifier *v) {
  const IrKernel *kernel = v->kernel;
  if (kernel->groups.count <= GROUP_ROW_BLOCK)
    return verify_fail(v, NULL, "grid, cluster and block have no group rows");
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    if (!verify_group(v, kernel->groups.data[i], i))
      return false;
  if (!verify_group_depth(v))
    return false;
  int64_t threads = (int64_t)kernel->block_dim[0] * kernel->block_dim[1] *
                    kernel->block_dim[2];
  int64_t size = kernel->groups.data[GROUP_ROW_BLOCK]->size;
  if (size != threads)
    return verify_fail(v, NULL,
                       "the block has %" PRId64
                       " threads, but its group row says %" PRId64,
                       threads, size);
  return true;
}

// ----------------------------------------------------------- other tables

static bool param_fits(const Verifier *v, const IrParam *param,
                       uint32_t index) {
  if (!param->name || param->kind > PARAM_POINTER)
    return false;
  if (param->kind == PARAM_ARRAY || param->kind == PARAM_POINTER)
    return verify_has_object(v, param->object) &&
           param->object->param == (int32_t)index;
  if (param->object || !verify_type(v, param->type))
    return false;
  if (param->type.kind == IR_TYPE_PTR || ir_type_is_narrow(param->type))
    return false;
  return param->kind == PARAM_SCALAR ? ir_type_bits(param->type) != 0
                                     : ir_type_size(v->module, param->type) > 0;
}

static bool verify_params(Verifier *v) {
  uint32_t slot = 0;
  for (uint32_t i = 0; i < v->kernel->params.count; i++) {
    const IrParam *param = &v->kernel->params.data[i];
    if (!param_fits(v, param, i))
      return verify_fail(v, NULL, "parameter %u is not sane", i);
    if (param->slot != slot)
      return verify_fail(v, NULL, "parameter %u has slot %u instead of %u", i,
                         param->slot, slot);
    if (v->has_locs && param->loc >= v->module->locs.count)
      return verify_fail(v, NULL, "parameter %u has no location", i);
    slot += param->n_slots;
  }
  return slot == v->kernel->n_slots ||
         verify_fail(v, NULL, "the parameters have %u slots, not %u", slot,
                     v->kernel->n_slots);
}

static bool verify_requirements(Verifier *v) {
  const IrKernel *kernel = v->kernel;
  for (uint32_t i = 0; i < kernel->requirements.count; i++) {
    const IrRequire *row = &kernel->requirements.data[i];
    if (!row->condition || row->kind > ASSUME_TRUSTED)
      return verify_fail(v, NULL, "requirement %u is not sane", i);
    HostAsks asks =
        row->kind == REQUIRE_CONTENTS ? HOST_ASKS_ALL : HOST_ASKS_PLACES;
    if (!verify_host(v, row->condition, asks, "a requirement"))
      return false;
    if (v->has_locs && row->loc >= v->module->locs.count)
      return verify_fail(v, NULL, "requirement %u has no location", i);
  }
  for (uint32_t i = 0; i < kernel->may_alias.count; i++)
    if (!verify_has_object(v, kernel->may_alias.data[i].a) ||
        !verify_has_object(v, kernel->may_alias.data[i].b))
      return verify_fail(v, NULL, "alias %u names no objects", i);
  return true;
}

static bool verify_launch(Verifier *v) {
  const IrKernel *kernel = v->kernel;
  const int32_t *block = kernel->block_dim;
  if (block[0] < 1 || block[1] < 1 || block[2] < 1 || block[0] > 1024 ||
      block[1] > 1024 || block[2] > 1024 ||
      (int64_t)block[0] * block[1] * block[2] > 1024)
    return verify_fail(v, NULL, "a block has 1 to 1024 threads");
  if (kernel->n_grid > 3)
    return verify_fail(v, NULL, "the grid has too many dimensions");
  for (int i = 0; i < 3; i++) {
    if (kernel->cluster_dim[i] < 0 || kernel->cluster_dim[i] > 1024)
      return verify_fail(v, NULL, "the cluster is too large");
    if (!verify_host(v, kernel->grid[i], HOST_ASKS_SIZES, "the grid"))
      return false;
  }
  return verify_host(v, kernel->flops, HOST_ASKS_SIZES, "flops") &&
         verify_host(v, kernel->bytes, HOST_ASKS_SIZES, "bytes");
}

static bool verify_vars(Verifier *v) {
  for (uint32_t i = 0; i < v->kernel->vars.count; i++) {
    const IrVar *var = &v->kernel->vars.data[i];
    if (var->id != i)
      return verify_fail(v, NULL, "variable %u has id %u", i, var->id);
    if (!verify_type(v, var->type) || var->type.kind == IR_TYPE_VOID)
      return verify_fail(v, NULL, "variable %u has no type", i);
    if (v->has_locs && var->loc >= v->module->locs.count)
      return verify_fail(v, NULL, "variable %u has no location", i);
  }
  return true;
}

static bool verify_objects(Verifier *v) {
  for (uint32_t i = 0; i < v->kernel->objects.count; i++) {
    const IrObject *object = v->kernel->objects.data[i];
    if (object->id != i)
      return verify_fail(v, NULL, "object %u has id %u", i, object->id);
    if (!verify_object(v, object, false))
      return false;
  }
  return true;
}

bool verify_kernel_tables(Verifier *v) {
  if (!v->kernel->name || v->kernel->module != v->module)
    return verify_fail(v, NULL, "a kernel is not of this module");
  if (v->has_locs && v->kernel->loc >= v->module->locs.count)
    return verify_fail(v, NULL, "it has no location");
  return verify_launch(v) && verify_groups(v) && verify_objects(v) &&
         verify_params(v) && verify_requirements(v) && verify_vars(v);
}
