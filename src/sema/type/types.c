// SPDX-License-Identifier: Apache-2.0
#include "sema/type/types.h"

#include "base/bits.h"
#include "base/map.h"
#include "base/vec.h"
#include <string.h>

// No object may be larger: offsets in bits and sums of two sizes still fit.
#define SIZE_LIMIT ((uint64_t)1 << 60)

typedef enum {
  CLASS_BOOL,
  CLASS_SIGNED,
  CLASS_UNSIGNED,
  CLASS_FLOATING,
  CLASS_FP8,
  CLASS_NARROW
} ScalarClass;

static const struct {
  const char *name;
  uint8_t size_bytes;
  ScalarClass class;
} scalars[] = {

#define SCALAR(kind, text, size, class) [kind] = {text, size, CLASS_##class},
#include "sema/type/scalars.def"
#undef SCALAR
};

struct TypeTable {
  Arena *arena;
  uint32_t n_types;
  Type *basic[TY_PIPELINE + 1];
  Map derived; // hash of a key -> chain of DerivedType
};

typedef struct DerivedType {
  struct DerivedType *next;
  Type *type;
} DerivedType;

static Type *new_type(TypeTable *table, TypeKind kind, uint64_t size_bytes,
                      uint32_t align_bytes) {
  Type *type = ARENA_NEW(table->arena, Type);
  type->kind = kind;
  type->id = table->n_types++;
  type->size_bytes = size_bytes;
  type->align_bytes = align_bytes;
  return type;
}

static bool is_scalar_kind(TypeKind kind) {
  return kind > TY_VOID && kind < TY_VECTOR;
}

TypeTable *type_table_new(Arena *arena) {
  TypeTable *table = ARENA_NEW(arena, TypeTable);
  table->arena = arena;
  for (int kind = TY_POISON; kind <= TY_PIPELINE; kind++) {
    uint32_t size =
        is_scalar_kind((TypeKind)kind) ? scalars[kind].size_bytes : 0;
    if (kind == TY_TOKEN || kind == TY_MBARRIER)
      size = 8;
    table->basic[kind] = new_type(table, (TypeKind)kind, size, size ? size : 1);
  }
  return table;
}

const Type *type_basic(TypeTable *table, TypeKind kind) {
  return table->basic[kind];
}

// --- derived types, interned ---

static bool is_same_derived(const Type *a, const Type *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == TY_VECTOR)
    return a->u.vector.element == b->u.vector.element &&
           a->u.vector.count == b->u.vector.count;
  if (a->kind == TY_ARRAY)
    return a->u.array.element == b->u.array.element &&
           a->u.array.extent == b->u.array.extent;
  if (a->kind == TY_TILE)
    return a->u.tile.element == b->u.tile.element && type_same_extents(a, b);
  return a->u.pointer.pointee == b->u.pointer.pointee &&
         a->u.pointer.space == b->u.pointer.space &&
         a->u.pointer.to_const == b->u.pointer.to_const;
}

static uint64_t derived_key(const Type *type) {
  uint64_t words[3] = {type->kind, 0, 0};
  if (type->kind == TY_VECTOR) {
    words[1] = type->u.vector.element->id;
    words[2] = type->u.vector.count;
  } else if (type->kind == TY_ARRAY) {
    words[1] = type->u.array.element->id;
    words[2] = (uint64_t)type->u.array.extent;
  } else if (type->kind == TY_TILE) {
    words[1] = type->u.tile.element->id;
    words[2] = hash_bytes(type->u.tile.extents, sizeof type->u.tile.extents);
  } else {
    words[1] = type->u.pointer.pointee->id;
    words[2] = (uint64_t)type->u.pointer.space * 2 + type->u.pointer.to_const;
  }
  return hash_bytes(words, sizeof(words)) | 1;
}

// The one type equal to `wanted`, made on first use.
static const Type *intern_derived(TypeTable *table, const Type *wanted) {
  uint64_t key = derived_key(wanted);
  DerivedType *first = map_get(&table->derived, key);
  for (DerivedType *at = first; at; at = at->next)
    if (is_same_derived(at->type, wanted))
      return at->type;
  DerivedType *entry = ARENA_NEW(table->arena, DerivedType);
  entry->next = first;
  entry->type =
      new_type(table, wanted->kind, wanted->size_bytes, wanted->align_bytes);
  entry->type->u = wanted->u;
  map_put(table->arena, &table->derived, key, entry);
  return entry->type;
}

// CUDA's alignment: two and four components align as a whole up to 16 bytes,
// three components as one of them.
const Type *type_vector(TypeTable *table, const Type *element, uint32_t count) {
  uint64_t size = element->size_bytes * count;
  uint64_t align = count == 3 ? element->size_bytes : size;
  Type wanted = {.kind = TY_VECTOR, .size_bytes = size};
  wanted.align_bytes = (uint32_t)(align > 16 ? 16 : align);
  wanted.u.vector.element = element;
  wanted.u.vector.count = count;
  return intern_derived(table, &wanted);
}

const Type *type_pointer(TypeTable *table, const Type *pointee, Space space,
                         bool to_const) {
  Type wanted = {.kind = TY_POINTER, .size_bytes = 8, .align_bytes = 8};
  wanted.u.pointer.pointee = pointee;
  wanted.u.pointer.space = space;
  wanted.u.pointer.to_const = to_const;
  return intern_derived(table, &wanted);
}

const Type *type_pointer_in(TypeTable *table, const Type *pointer,
                            Space space) {
  return type_pointer(table, pointer->u.pointer.pointee, space,
                      pointer->u.pointer.to_const || space == TSPACE_CONSTANT);
}

const Type *type_tile(TypeTable *table, const Type *element, uint32_t rank,
                      const uint32_t *extents) {
  Type wanted = {.kind = TY_TILE, .align_bytes = element->align_bytes};
  wanted.u.tile.element = element;
  wanted.u.tile.rank = rank;
  if (rank > 0)
    memcpy(wanted.u.tile.extents, extents, rank * sizeof *extents);
  wanted.size_bytes = element->size_bytes * type_tile_count(&wanted);
  return intern_derived(table, &wanted);
}

const Type *type_array(TypeTable *table, const Type *element, int64_t extent) {
  Type wanted = {.kind = TY_ARRAY, .align_bytes = element->align_bytes};
  if (extent > 0 && element->size_bytes > 0) {
    if ((uint64_t)extent > SIZE_LIMIT / element->size_bytes)
      return NULL;
    wanted.size_bytes = (uint64_t)extent * element->size_bytes;
  }
  wanted.u.array.element = element;
  wanted.u.array.extent = extent;
  return intern_derived(table, &wanted);
}

// --- records and enums ---

Type *type_new_record(TypeTable *table, TypeKind kind, const char *tag,
                      Span span) {
  Type *type = new_type(table, kind, 0, 1);
  type->u.record.tag = tag;
  type->u.record.span = span;
  return type;
}

bool type_complete_record(TypeTable *table, Type *record, Field *fields,
                          uint32_t n_fields) {
  (void)table;
  uint64_t size = 0;
  uint32_t align = 1;
  for (uint32_t i = 0; i < n_fields; i++) {
    uint32_t field_align = fields[i].align_bytes > fields[i].type->align_bytes
                               ? fields[i].align_bytes
                               : fields[i].type->align_bytes;
    bool is_union = record->kind == TY_UNION;
    fields[i].offset_bytes = is_union ? 0 : bits_align_up(size, field_align);
    uint64_t end = fields[i].offset_bytes + fields[i].type->size_bytes;
    size = end > size ? end : size;
    align = field_align > align ? field_align : align;
    if (size > SIZE_LIMIT)
      return false;
  }
  record->size_bytes = bits_align_up(size, align);
  record->align_bytes = align;
  record->u.record.fields = fields;
  record->u.record.n_fields = n_fields;
  record->u.record.is_complete = true;
  return true;
}

Type *type_new_enum(TypeTable *table, const char *tag, Span span) {
  Type *type = new_type(table, TY_ENUM, 0, 1);
  type->u.enumeration.tag = tag;
  type->u.enumeration.span = span;
  return type;
}

void type_complete_enum(Type *enumeration, const Type *underlying) {
  enumeration->size_bytes = underlying->size_bytes;
  enumeration->align_bytes = underlying->align_bytes;
  enumeration->u.enumeration.underlying = underlying;
  enumeration->u.enumeration.is_complete = true;
}

// --- questions ---

bool type_is_poison(const Type *type) {
  return type->kind == TY_POISON;
}

const Type *type_underlying(const Type *type) {
  if (type->kind == TY_ENUM && type->u.enumeration.underlying)
    return type->u.enumeration.underlying;
  return type;
}

static bool has_class(const Type *type, ScalarClass class) {
  type = type_underlying(type);
  return is_scalar_kind(type->kind) && scalars[type->kind].class == class;
}

bool type_is_integer(const Type *type) {
  return has_class(type, CLASS_BOOL) || has_class(type, CLASS_SIGNED) ||
         has_class(type, CLASS_UNSIGNED);
}

bool type_is_signed(const Type *type) {
  return has_class(type, CLASS_SIGNED);
}

bool type_is_floating(const Type *type) {
  return has_class(type, CLASS_FLOATING);
}

bool type_is_fp8(const Type *type) {
  return has_class(type, CLASS_FP8);
}

bool type_is_narrow(const Type *type) {
  return has_class(type, CLASS_NARROW);
}

bool type_is_packed(const Type *type) {
  return type_is_narrow(type) && type->kind != TY_TF32;
}

bool type_is_packed_int(const Type *type) {
  return type->kind >= TY_INT1_P && type->kind <= TY_UINT7_P;
}

bool type_is_float_like(const Type *type) {
  return type_is_floating(type) || type_is_fp8(type) ||
         (type_is_narrow(type) && !type_is_packed_int(type));
}

bool type_lacks_arithmetic(const Type *type) {
  return type_is_fp8(type) || type_is_narrow(type);
}

bool type_is_arithmetic(const Type *type) {
  return type_is_integer(type) || type_is_floating(type);
}

bool type_is_scalar(const Type *type) {
  return type_is_arithmetic(type) || type_is_fp8(type) ||
         type->kind == TY_POINTER;
}

bool type_is_record(const Type *type) {
  return type->kind == TY_STRUCT || type->kind == TY_UNION;
}

bool type_is_complete(const Type *type) {
  if (type->kind == TY_VOID)
    return false;
  if (type_is_record(type))
    return type->u.record.is_complete;
  if (type->kind == TY_ENUM)
    return type->u.enumeration.is_complete;
  if (type->kind == TY_ARRAY)
    return type->u.array.extent >= 0 && type_is_complete(type->u.array.element);
  return true;
}

bool type_is_opaque(const Type *type) {
  return type->kind >= TY_GROUP;
}

static uint32_t packed_bits(TypeKind kind) {
  switch ((int)kind) {
  case TY_FP4_E2M1: return 4;
  case TY_FP6_E2M3:
  case TY_FP6_E3M2: return 6;
  case TY_FP8_E8M0: return 8;
  default: break;
  }
  return 1 + (kind >= TY_UINT1_P ? kind - TY_UINT1_P : kind - TY_INT1_P);
}

uint32_t type_bits(const Type *type) {
  type = type_underlying(type);
  if (type_is_packed(type))
    return packed_bits(type->kind);
  return type->kind == TY_BOOL ? 1 : (uint32_t)type->size_bytes * 8;
}

const Type *type_array_base(const Type *type, uint32_t *rank) {
  uint32_t levels = 0;
  for (; type->kind == TY_ARRAY; type = type->u.array.element)
    levels++;
  if (rank)
    *rank = levels;
  return type;
}

const Field *type_find_field(const Type *record, const char *name,
                             uint64_t *offset_bytes) {
  for (uint32_t i = 0; i < record->u.record.n_fields; i++) {
    const Field *field = &record->u.record.fields[i];
    if (field->name == name) {
      *offset_bytes = field->offset_bytes;
      return field;
    }
    uint64_t inner = 0;
    if (field->name || !type_is_record(field->type))
      continue;
    const Field *found = type_find_field(field->type, name, &inner);
    if (found) {
      *offset_bytes = field->offset_bytes + inner;
      return found;
    }
  }
  return NULL;
}

bool type_has_pointer(const Type *type) {
  type = type_array_base(type, NULL);
  if (type->kind == TY_POINTER)
    return true;
  if (!type_is_record(type))
    return false;
  for (uint32_t i = 0; i < type->u.record.n_fields; i++)
    if (type_has_pointer(type->u.record.fields[i].type))
      return true;
  return false;
}

bool type_has_local(const Type *type) {
  type = type_array_base(type, NULL);
  if (type->kind == TY_POINTER)
    return type->u.pointer.space == TSPACE_LOCAL;
  for (uint32_t i = 0; type_is_record(type) && i < type->u.record.n_fields; i++)
    if (type_has_local(type->u.record.fields[i].type))
      return true;
  return false;
}
