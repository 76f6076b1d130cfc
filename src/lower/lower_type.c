// SPDX-License-Identifier: Apache-2.0
// Types of the typed tree as IR types, and their leaves.
#include "lower/lower_internal.h"

static const uint8_t scalar_kinds[] = {
    [TY_VOID] = IR_TYPE_VOID,     [TY_BOOL] = IR_TYPE_BOOL,
    [TY_CHAR] = IR_TYPE_I8,       [TY_SCHAR] = IR_TYPE_I8,
    [TY_UCHAR] = IR_TYPE_I8,      [TY_SHORT] = IR_TYPE_I16,
    [TY_USHORT] = IR_TYPE_I16,    [TY_INT] = IR_TYPE_I32,
    [TY_UINT] = IR_TYPE_I32,      [TY_LONG] = IR_TYPE_I64,
    [TY_ULONG] = IR_TYPE_I64,     [TY_LLONG] = IR_TYPE_I64,
    [TY_ULLONG] = IR_TYPE_I64,    [TY_FP8_E4M3] = IR_TYPE_E4M3,
    [TY_FP8_E5M2] = IR_TYPE_E5M2, [TY_HALF] = IR_TYPE_F16,
    [TY_BFLOAT16] = IR_TYPE_BF16, [TY_FLOAT] = IR_TYPE_F32,
    [TY_DOUBLE] = IR_TYPE_F64,    [TY_TF32] = IR_TYPE_TF32,
    [TY_FP4_E2M1] = IR_TYPE_E2M1, [TY_FP6_E2M3] = IR_TYPE_E2M3,
    [TY_FP6_E3M2] = IR_TYPE_E3M2, [TY_FP8_E8M0] = IR_TYPE_E8M0,
    [TY_INT1_P] = IR_TYPE_S1,     [TY_INT2_P] = IR_TYPE_S2,
    [TY_INT3_P] = IR_TYPE_S3,     [TY_INT4_P] = IR_TYPE_S4,
    [TY_INT5_P] = IR_TYPE_S5,     [TY_INT6_P] = IR_TYPE_S6,
    [TY_INT7_P] = IR_TYPE_S7,     [TY_UINT1_P] = IR_TYPE_U1,
    [TY_UINT2_P] = IR_TYPE_U2,    [TY_UINT3_P] = IR_TYPE_U3,
    [TY_UINT4_P] = IR_TYPE_U4,    [TY_UINT5_P] = IR_TYPE_U5,
    [TY_UINT6_P] = IR_TYPE_U6,    [TY_UINT7_P] = IR_TYPE_U7,
};

IrSpace lower_space(Space space) {
  switch (space) {
  case TSPACE_GLOBAL: return SPACE_GLOBAL;
  case TSPACE_SHARED: return SPACE_SHARED;
  case TSPACE_CONSTANT: return SPACE_CONSTANT;
  case TSPACE_LOCAL: return SPACE_LOCAL;
  case TSPACE_UNKNOWN:
  case TSPACE_GENERIC: break;
  }
  return SPACE_GENERIC;
}

bool lower_type_is_signed(const Type *type) {
  type = type_underlying(type);
  return type_is_integer(type) && type_is_signed(type);
}

// ----------------------------------------------------------------- leaves

typedef struct {
  hd_vec(Leaf) leaves;
  hd_vec(Chunk) chunks;
  bool is_split;
} LayoutBuilder;

static void add_type(Lowering *lw, LayoutBuilder *builder, const Type *type,
                     uint64_t offset_bytes, const char *path);

static void add_leaf(Lowering *lw, LayoutBuilder *builder, const Type *type,
                     uint64_t offset_bytes, const char *path) {
  Leaf leaf = {type, lower_type(lw, type), (uint32_t)offset_bytes, path};
  VEC_PUSH(lw->scratch, &builder->leaves, leaf);
}

static void add_chunk(Lowering *lw, LayoutBuilder *builder, const Type *type,
                      uint64_t offset_bytes, uint32_t n_leaves) {
  Chunk chunk = {.ir = lower_type(lw, type),
                 .offset_bytes = (uint32_t)offset_bytes,
                 .align_bytes = type->align_bytes,
                 .first_leaf = builder->leaves.count,
                 .n_leaves = n_leaves};
  VEC_PUSH(lw->scratch, &builder->chunks, chunk);
}

static void lower_type_add_vector(Lowering *lw, LayoutBuilder *builder,
                                  const Type *type, uint64_t offset_bytes,
                                  const char *path) {
  const Type *element = type->u.vector.element;
  uint32_t count = type->u.vector.count;
  add_chunk(lw, builder, type, offset_bytes, count);
  for (uint32_t i = 0; i < count; i++)
    add_leaf(lw, builder, element, offset_bytes + i * element->size_bytes,
             arena_printf(lw->scratch, "%s.%c", path, "xyzw"[i]));
}

static void lower_type_add_fields(Lowering *lw, LayoutBuilder *builder,
                                  const Type *type, uint64_t offset_bytes,
                                  const char *path) {
  for (uint32_t i = 0; i < type->u.record.n_fields; i++) {
    const Field *field = &type->u.record.fields[i];
    const char *below = path;
    if (field->name)
      below = arena_printf(lw->scratch, "%s.%s", path, field->name);
    add_type(lw, builder, field->type, offset_bytes + field->offset_bytes,
             below);
  }
}

static void lower_type_add_elements(Lowering *lw, LayoutBuilder *builder,
                                    const Type *type, uint64_t offset_bytes,
                                    const char *path) {
  const Type *element = type->u.array.element;
  int64_t extent = type->u.array.extent;
  if (extent < 0 || extent > LOWER_MAX_SPLIT_LEAVES) {
    builder->is_split = false;
    return;
  }
  for (int64_t i = 0; i < extent && builder->is_split; i++)
    add_type(lw, builder, element,
             offset_bytes + (uint64_t)i * element->size_bytes,
             arena_printf(lw->scratch, "%s[%d]", path, (int)i));
}

// A tile of structs is one tile for each member.
static void lower_type_add_members(Lowering *lw, LayoutBuilder *builder,
                                   const Type *tile) {
  const Type *record = tile->u.tile.element;
  for (uint32_t i = 0; i < record->u.record.n_fields; i++) {
    const Field *field = &record->u.record.fields[i];
    Leaf leaf = {.type = type_underlying(field->type),
                 .offset_bytes = (uint32_t)field->offset_bytes,
                 .path = arena_printf(lw->scratch, ".%s", field->name)};
    leaf.ir = ir_tile_type(lw->module, lower_type(lw, leaf.type),
                           tile->u.tile.rank, tile->u.tile.extents);
    Chunk chunk = {.ir = leaf.ir, .first_leaf = i, .n_leaves = 1};
    VEC_PUSH(lw->scratch, &builder->leaves, leaf);
    VEC_PUSH(lw->scratch, &builder->chunks, chunk);
  }
}

static void add_type(Lowering *lw, LayoutBuilder *builder, const Type *type,
                     uint64_t offset_bytes, const char *path) {
  if (builder->leaves.count >= LOWER_MAX_SPLIT_LEAVES)
    builder->is_split = false;
  if (!builder->is_split || type->size_bytes == 0)
    return;
  switch ((int)type->kind) {
  case TY_VECTOR:
    lower_type_add_vector(lw, builder, type, offset_bytes, path);
    return;
  case TY_STRUCT:
    lower_type_add_fields(lw, builder, type, offset_bytes, path);
    return;
  case TY_ARRAY:
    lower_type_add_elements(lw, builder, type, offset_bytes, path);
    return;
  case TY_UNION: builder->is_split = false; return;
  case TY_TILE:
    if (!type_is(type->u.tile.element, TY_STRUCT))
      break;
    lower_type_add_members(lw, builder, type);
    return;
  default: break;
  }
  add_chunk(lw, builder, type, offset_bytes, 1);
  add_leaf(lw, builder, type, offset_bytes, path);
}

const TypeLayout *lower_layout(Lowering *lw, const Type *type) {
  TypeLayout *layout = map_get(&lw->layouts, MAP_KEY(type));
  if (layout)
    return layout;
  LayoutBuilder builder = {.is_split = true};
  add_type(lw, &builder, type, 0, "");
  layout = ARENA_NEW(lw->scratch, TypeLayout);
  layout->is_split = builder.is_split;
  layout->leaves = builder.leaves.data;
  layout->n_leaves = builder.leaves.count;
  layout->chunks = builder.chunks.data;
  layout->n_chunks = builder.chunks.count;
  map_put(lw->scratch, &lw->layouts, MAP_KEY(type), layout);
  return layout;
}

uint32_t lower_leaf_at(const TypeLayout *layout, uint64_t offset_bytes) {
  uint32_t i = 0;
  while (i < layout->n_leaves && layout->leaves[i].offset_bytes < offset_bytes)
    i++;
  return i;
}

// ---------------------------------------------------------------- structs

// What has a type of the IR lies in memory.
static IrType new_struct(Lowering *lw, const Type *type) {
  if (type_has_local(type))
    lower_refuse_local(lw);
  const char *tag = type->u.record.tag ? type->u.record.tag : "anonymous";
  uint32_t index = ir_struct_new(lw->module, tag, (uint32_t)type->size_bytes,
                                 type->align_bytes);
  IrStruct *record = lw->module->structs.data[index];
  const TypeLayout *layout = lower_layout(lw, type);
  for (uint32_t i = 0; layout->is_split && i < layout->n_chunks; i++) {
    const Chunk *chunk = &layout->chunks[i];
    IrLeaf leaf = {chunk->ir, chunk->offset_bytes};
    VEC_PUSH(lw->module->arena, &record->leaves, leaf);
  }
  return (IrType){.kind = IR_TYPE_STRUCT, .lanes = 1, .index = index};
}

static IrType struct_type(Lowering *lw, const Type *type) {
  uintptr_t known = (uintptr_t)map_get(&lw->structs, MAP_KEY(type));
  if (known)
    return (IrType){
        .kind = IR_TYPE_STRUCT, .lanes = 1, .index = (uint32_t)(known - 1)};
  IrType made = new_struct(lw, type);
  // The map holds pointers; an index plus one is never NULL.
  map_put(lw->scratch, &lw->structs, MAP_KEY(type),
          (void *)(uintptr_t)(made.index + 1));
  return made;
}

IrType lower_byte_image(Lowering *lw, const Type *type) {
  uint32_t size = (uint32_t)type->size_bytes;
  uint32_t index = ir_struct_new(lw->module, "bytes", size, type->align_bytes);
  IrStruct *record = lw->module->structs.data[index];
  uint32_t step = type->align_bytes > 8 ? 8 : type->align_bytes;
  for (uint32_t at = 0; at < size; at += step) {
    IrTypeKind kind = step == 8   ? IR_TYPE_I64
                      : step == 4 ? IR_TYPE_I32
                      : step == 2 ? IR_TYPE_I16
                                  : IR_TYPE_I8;
    IrLeaf leaf = {ir_scalar(kind), at};
    VEC_PUSH(lw->module->arena, &record->leaves, leaf);
  }
  return (IrType){.kind = IR_TYPE_STRUCT, .lanes = 1, .index = index};
}

IrType lower_type(Lowering *lw, const Type *type) {
  type = type_underlying(type);
  switch ((int)type->kind) {
  case TY_VECTOR: {
    IrType lanes = lower_type(lw, type->u.vector.element);
    lanes.lanes = (uint8_t)type->u.vector.count;
    return lanes;
  }
  case TY_STRUCT:
  case TY_UNION: return struct_type(lw, type);
  case TY_POINTER:
    return (IrType){.kind = IR_TYPE_PTR,
                    .lanes = 1,
                    .space = (uint8_t)lower_space(type->u.pointer.space)};
  case TY_ARRAY: return lower_type(lw, type->u.array.element);
  case TY_TILE:
    return ir_tile_type(lw->module, lower_type(lw, type->u.tile.element),
                        type->u.tile.rank, type->u.tile.extents);
  default: break;
  }
  if (type_is(type, TY_TOKEN))
    return ir_scalar(IR_TYPE_TOKEN);
  HD_ASSERT((size_t)type->kind < sizeof scalar_kinds);
  return ir_scalar((IrTypeKind)scalar_kinds[type->kind]);
}
