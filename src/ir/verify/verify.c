// SPDX-License-Identifier: Apache-2.0
// The rules of ir.h and ops.def: entry points and module tables.
#include "ir/verify/verify.h"
#include "base/bits.h"
#include "ir/form/words.h"
#include "ir/verify/verify_parts.h"
#include <stdarg.h>

bool verify_fail(Verifier *v, const IrNode *node, const char *format, ...) {
  Text text = {.arena = v->module->arena};
  if (v->kernel)
    text_printf(&text, "kernel '%s': ", v->kernel->name);
  if (node)
    text_printf(&text, "%s (node %u): ", ir_op_info(node)->text, node->id);
  va_list args;
  va_start(args, format);
  text_vprintf(&text, format, args);
  va_end(args);
  if (node && v->has_locs && node->loc && node->loc < v->module->locs.count)
    text_printf(&text, "; at %s",
                ir_loc_text(v->module, node->loc, v->module->arena));
  v->fault = text_cstr(&text);
  v->place = node;
  return false;
}

const char *verify_type_text(const Verifier *v, IrType type) {
  const char *name = type.kind < IR_TYPE_COUNT ? ir_words_type[type.kind] : "?";
  if (type.lanes > 1)
    return arena_printf(v->module->arena, "%sx%u", name, type.lanes);
  return name;
}

bool verify_type(const Verifier *v, IrType type) {
  if (type.kind >= IR_TYPE_COUNT || type.lanes < 1 || type.lanes > 4)
    return false;
  bool is_scalar = ir_type_bits(type) != 0 && !ir_type_is_narrow(type);
  if (type.lanes > 1 && (!is_scalar || type.kind == IR_TYPE_PTR))
    return false;
  if (type.kind == IR_TYPE_PTR ? type.space > SPACE_GENERIC : type.space != 0)
    return false;
  if (type.kind == IR_TYPE_STRUCT)
    return type.index < v->module->structs.count;
  if (type.kind == IR_TYPE_TILE)
    return type.index < v->module->tiles.count;
  return type.index == 0;
}

bool verify_has_object(const Verifier *v, const IrObject *object) {
  if (!object)
    return false;
  if (v->kernel && object->id < v->kernel->objects.count &&
      v->kernel->objects.data[object->id] == object)
    return true;
  return object->id < v->module->globals.count &&
         v->module->globals.data[object->id] == object;
}

bool verify_has_group(const Verifier *v, const IrGroup *group) {
  return group && group->id < v->kernel->groups.count &&
         v->kernel->groups.data[group->id] == group;
}

// --------------------------------------------------------- module tables

static bool leaf_fits(const Verifier *v, const IrStruct *record,
                      const IrLeaf *leaf) {
  if (!verify_type(v, leaf->type) || !ir_type_bits(leaf->type) ||
      ir_type_is_narrow(leaf->type))
    return false;
  uint64_t end = (uint64_t)leaf->offset_bytes +
                 (uint64_t)ir_type_size(v->module, leaf->type);
  return end <= record->size_bytes;
}

static bool verify_struct(Verifier *v, const IrStruct *record, uint32_t index) {
  if (!bits_is_power(record->align_bytes) ||
      record->size_bytes % record->align_bytes)
    return verify_fail(v, NULL,
                       "struct.%u: its size is not a multiple of its "
                       "alignment, a power of two",
                       index);
  for (uint32_t i = 0; i < record->leaves.count; i++)
    if (!leaf_fits(v, record, &record->leaves.data[i]))
      return verify_fail(v, NULL, "struct.%u: leaf %u doesn't fit", index, i);
  return true;
}

static bool is_tile_scalar(IrType type) {
  return type.lanes == 1 && ir_type_bits(type) && type.kind != IR_TYPE_PTR;
}

static bool is_tile_element(const Verifier *v, IrType type) {
  if (!verify_type(v, type) || type.kind != IR_TYPE_STRUCT)
    return is_tile_scalar(type);
  const IrStruct *record = v->module->structs.data[type.index];
  for (uint32_t i = 0; i < record->leaves.count; i++)
    if (!is_tile_scalar(record->leaves.data[i].type))
      return false;
  return record->leaves.count > 0;
}

static bool verify_tile(Verifier *v, const IrTileShape *shape, uint32_t index) {
  uint64_t count = 1;
  if (!is_tile_element(v, shape->element))
    return verify_fail(v, NULL,
                       "tile.%u: elements are scalars or structs of "
                       "scalars",
                       index);
  if (shape->rank == 0 || shape->rank > IR_MAX_TILE_RANK)
    return verify_fail(v, NULL, "tile.%u: has %u dimensions", index,
                       shape->rank);
  for (uint32_t i = 0; i < shape->rank; i++) {
    count *= shape->extents[i];
    if (!ir_tile_extent_fits(shape->extents[i]) || count > IR_MAX_TILE_ELEMENTS)
      return verify_fail(v, NULL, "tile.%u: extent %u doesn't fit", index,
                         shape->extents[i]);
  }
  for (uint32_t i = 0; i < index; i++)
    if (ir_type_equal(v->module->tiles.data[i].element, shape->element) &&
        ir_same_extents(v->module, (IrType){.kind = IR_TYPE_TILE, .index = i},
                        (IrType){.kind = IR_TYPE_TILE, .index = index}))
      return verify_fail(v, NULL, "tile.%u: is tile.%u, too", index, i);
  return true;
}

static bool verify_module(Verifier *v) {
  const IrModule *module = v->module;
  for (uint32_t i = 0; i < module->structs.count; i++)
    if (!verify_struct(v, module->structs.data[i], i))
      return false;
  for (uint32_t i = 0; i < module->tiles.count; i++)
    if (!verify_tile(v, &module->tiles.data[i], i))
      return false;
  for (uint32_t i = 0; i < module->globals.count; i++) {
    const IrObject *object = module->globals.data[i];
    if (object->id != i)
      return verify_fail(v, NULL, "file-scope object %u has id %u", i,
                         object->id);
    if (!verify_object(v, object, true))
      return false;
  }
  return true;
}

static bool verify_locs(Verifier *v) {
  for (IrLocId i = 1; i < v->module->locs.count; i++)
    if (v->module->locs.data[i].parent >= i)
      return verify_fail(v, NULL, "location !%u precedes its parent", i);
  return v->module->locs.count > 0 ||
         verify_fail(v, NULL, "there is no location 0");
}

// ----------------------------------------------------------- entry points

const char *ir_module_fault(const IrModule *module) {
  Verifier verifier = {.module = module};
  return verify_module(&verifier) ? NULL : verifier.fault;
}

static bool verify_kernel(Verifier *v, const IrKernel *kernel) {
  v->kernel = kernel;
  return verify_kernel_tables(v) && verify_body(v);
}

const char *ir_kernel_fault(const IrKernel *kernel, const IrNode **place) {
  Verifier verifier = {.module = kernel->module};
  bool is_good = verify_kernel(&verifier, kernel);
  *place = verifier.place;
  return is_good ? NULL : verifier.fault;
}

const char *ir_verify(const IrModule *module) {
  Verifier verifier = {.module = module, .has_locs = true};
  if (!verify_locs(&verifier) || !verify_module(&verifier))
    return verifier.fault;
  for (uint32_t i = 0; i < module->kernels.count; i++)
    if (!verify_kernel(&verifier, module->kernels.data[i]))
      return verifier.fault;
  return NULL;
}
