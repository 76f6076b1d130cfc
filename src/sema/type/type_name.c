// SPDX-License-Identifier: Apache-2.0
// Types in messages.
#include "sema/type/types.h"

#include "base/text.h"

static const char *const basic_names[] = {
    [TY_POISON] = "(error)",    [TY_VOID] = "void",
    [TY_GROUP] = "group",       [TY_TOKEN] = "token",
    [TY_MBARRIER] = "mbarrier", [TY_PIPELINE] = "pipeline",
#define SCALAR(kind, text, size, class) [kind] = text,
#include "sema/type/scalars.def"
#undef SCALAR
};

static const struct {
  TypeKind element;
  const char *prefix;
} vector_prefixes[] = {
    {TY_CHAR, "char"},        {TY_UCHAR, "uchar"},   {TY_SHORT, "short"},
    {TY_USHORT, "ushort"},    {TY_INT, "int"},       {TY_UINT, "uint"},
    {TY_LONG, "long"},        {TY_ULONG, "ulong"},   {TY_LLONG, "longlong"},
    {TY_ULLONG, "ulonglong"}, {TY_HALF, "half"},     {TY_BFLOAT16, "bfloat16"},
    {TY_FLOAT, "float"},      {TY_DOUBLE, "double"},
};

const char *space_name(Space space) {
  switch (space) {
  case TSPACE_UNKNOWN: return "unbound";
  case TSPACE_GLOBAL: return "global";
  case TSPACE_SHARED: return "shared";
  case TSPACE_CONSTANT: return "constant";
  case TSPACE_LOCAL: return "local";
  case TSPACE_GENERIC: return "generic";
  }
  return "?";
}

static void type_name_add_vector(Text *out, const Type *type) {
  for (size_t i = 0; i < sizeof(vector_prefixes) / sizeof(*vector_prefixes);
       i++)
    if (vector_prefixes[i].element == type->u.vector.element->kind)
      text_printf(out, "%s%u", vector_prefixes[i].prefix, type->u.vector.count);
}

static void add_tagged(Text *out, const char *word, const char *tag) {
  text_printf(out, "%s %s", word, tag ? tag : "(unnamed)");
}

static void type_name_add_type(Text *out, const Type *type);

static void type_name_add_pointer(Text *out, const Type *type) {
  Space space = type->u.pointer.space;
  if (space != TSPACE_GLOBAL && space != TSPACE_UNKNOWN)
    text_printf(out, "%s ", space_name(space));
  if (type->u.pointer.to_const)
    text_add(out, "const ");
  type_name_add_type(out, type->u.pointer.pointee);
  text_add(out, type->u.pointer.pointee->kind == TY_POINTER ? "*" : " *");
}

static void type_name_add_array(Text *out, const Type *type) {
  type_name_add_type(out, type_array_base(type, NULL));
  for (; type->kind == TY_ARRAY; type = type->u.array.element) {
    if (type->u.array.extent >= 0)
      text_printf(out, "[%lld]", (long long)type->u.array.extent);
    else
      text_add(out, "[]");
  }
}

static void type_name_add_tile(Text *out, const Type *type) {
  text_add(out, "tile ");
  type_name_add_type(out, type->u.tile.element);
  for (uint32_t i = 0; i < type->u.tile.rank; i++)
    text_printf(out, "[%u]", type->u.tile.extents[i]);
}

static void type_name_add_type(Text *out, const Type *type) {
  if (type->kind == TY_TILE)
    type_name_add_tile(out, type);
  else if (type->kind == TY_VECTOR)
    type_name_add_vector(out, type);
  else if (type->kind == TY_STRUCT)
    add_tagged(out, "struct", type->u.record.tag);
  else if (type->kind == TY_UNION)
    add_tagged(out, "union", type->u.record.tag);
  else if (type->kind == TY_ENUM)
    add_tagged(out, "enum", type->u.enumeration.tag);
  else if (type->kind == TY_POINTER)
    type_name_add_pointer(out, type);
  else if (type->kind == TY_ARRAY)
    type_name_add_array(out, type);
  else
    text_add(out, basic_names[type->kind]);
}

const char *type_name(Arena *arena, const Type *type) {
  Text out = {.arena = arena};
  type_name_add_type(&out, type);
  return text_cstr(&out);
}
