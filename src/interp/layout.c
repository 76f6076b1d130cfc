// SPDX-License-Identifier: Apache-2.0
// Where the scalars of a type are in memory.
#include "interp/layout.h"

static void add_scalars(const IrModule *module, TypeLayout *layout, IrType type,
                        uint32_t offset_bytes) {
  uint32_t step = ir_type_size(module, ir_scalar((IrTypeKind)type.kind));
  for (uint32_t lane = 0; lane < type.lanes; lane++) {
    layout->kinds[layout->n_slots] = type.kind;
    layout->offsets[layout->n_slots++] = offset_bytes + lane * step;
  }
}

static void layout_make_room(Arena *arena, TypeLayout *layout, uint32_t count) {
  layout->kinds = ARENA_ARRAY(arena, uint8_t, count);
  layout->offsets = ARENA_ARRAY(arena, uint32_t, count);
}

static void layout_struct(Program *program, TypeLayout *layout,
                          const IrStruct *record) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < record->leaves.count; i++)
    count += record->leaves.data[i].type.lanes;
  layout_make_room(program->arena, layout, count);
  for (uint32_t i = 0; i < record->leaves.count; i++)
    add_scalars(program->kernel->module, layout, record->leaves.data[i].type,
                record->leaves.data[i].offset_bytes);
}

void layout_build(Program *program) {
  Arena *arena = program->arena;
  const IrModule *module = program->kernel->module;
  for (int kind = 0; kind < IR_TYPE_COUNT; kind++) {
    IrType type = ir_scalar((IrTypeKind)kind);
    if (!ir_type_bits(type))
      continue;
    for (type.lanes = 1; type.lanes <= 4; type.lanes++) {
      TypeLayout *layout = &program->scalars[kind][type.lanes];
      layout_make_room(arena, layout, type.lanes);
      add_scalars(module, layout, type, 0);
    }
  }
  // A token is a value, but never in memory.
  TypeLayout *token = &program->scalars[IR_TYPE_TOKEN][1];
  layout_make_room(arena, token, 1);
  token->kinds[token->n_slots++] = IR_TYPE_TOKEN;
  program->structs = ARENA_ARRAY(arena, TypeLayout, module->structs.count);
  for (uint32_t i = 0; i < module->structs.count; i++)
    layout_struct(program, &program->structs[i], module->structs.data[i]);
}

const TypeLayout *program_layout(const Program *program, IrType type) {
  if (type.kind == IR_TYPE_STRUCT)
    return &program->structs[type.index];
  return &program->scalars[type.kind][type.lanes];
}
