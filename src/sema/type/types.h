// SPDX-License-Identifier: Apache-2.0
// Types of Heddle C: interned, so equal types are equal pointers.
//
// A type carries no qualifiers of its own: `const` is a property of what a
// pointer points to, of a field, and of a variable. LP64; layout is that of
// the host's C compiler, short vectors are aligned as in CUDA. Plain `char` is
// signed on every target.
//
// A TypeTable and all of its types live in one arena; types of one table must
// not be compared with those of another.
#ifndef HD_SEMA_TYPE_TYPES_H
#define HD_SEMA_TYPE_TYPES_H

#include "base/arena.h"
#include "diag/source.h"
#include <stdbool.h>
#include <stdint.h>

enum {
  TYPE_MAX_TILE_RANK = 5,
  TYPE_MAX_TILE_ELEMENTS = 1 << 20,
  TYPE_MAX_TILE_FACTOR = 31, // the largest odd factor of an extent
};

// TY_SCALAR rows: arithmetic types, in conversion rank order within a class.
typedef enum {
  TY_POISON, // an error was reported; compatible with everything
  TY_VOID,

#define SCALAR(kind, name, size, class) kind,
#include "sema/type/scalars.def"
#undef SCALAR
  TY_VECTOR,
  TY_STRUCT,
  TY_UNION,
  TY_ENUM,
  TY_POINTER,
  TY_ARRAY,
  TY_TILE,
  TY_GROUP,    // an execution group, never stored
  TY_TOKEN,    // an unfinished split barrier or copy
  TY_MBARRIER, // lies in shared memory, is only named
  TY_PIPELINE, // likewise
} TypeKind;

typedef enum {
  TSPACE_UNKNOWN, // not yet bound; never seen after checking without errors
  TSPACE_GLOBAL,
  TSPACE_SHARED,
  TSPACE_CONSTANT,
  TSPACE_LOCAL, // a thread's own variables
  TSPACE_GENERIC,
} Space;

typedef struct Type Type;
typedef struct Field Field;

struct Field {
  const char *name; // interned; NULL: anonymous struct or union
  const Type *type;
  uint64_t offset_bytes;
  uint32_t align_bytes; // of an _Alignas on the field, or 0
  bool is_const;
  Span span;
};

struct Type {
  TypeKind kind;
  uint32_t id;         // dense, in order of creation
  uint64_t size_bytes; // 0: incomplete, void, group, token
  uint32_t align_bytes;

  union {
    struct {
      const Type *element; // scalar
      uint32_t count;      // 2, 3 or 4
    } vector;

    struct {           // TY_STRUCT, TY_UNION: one type for each definition
      const char *tag; // interned; NULL: anonymous
      Field *fields;   // NULL while incomplete
      uint32_t n_fields;
      bool is_complete;
      bool is_poisoned; // some member was wrong: say nothing more
      Span span;
    } record;

    struct { // TY_ENUM: values have type int (or the wider type they need)
      const char *tag;
      const Type *underlying;
      bool is_complete;
      Span span;
    } enumeration;

    struct {
      const Type *pointee;
      Space space;
      bool to_const;
    } pointer;

    struct {
      const Type *element; // may be an array again
      int64_t extent;      // -1: known only at run time (see TVar.extents)
    } array;

    // A value of several elements. Rank 0: of a shape that isn't known yet, the
    // result of a function whose returns decide it; nothing else has it.
    struct {
      const Type *element; // scalar
      uint32_t rank;
      uint32_t extents[TYPE_MAX_TILE_RANK]; // outermost first
    } tile;
  } u;
};

typedef struct TypeTable TypeTable;

TypeTable *type_table_new(Arena *arena);

// The one type of a scalar kind, or of a kind from group on.
const Type *type_basic(TypeTable *table, TypeKind kind);
// `element` is scalar, `count` 2 to 4.
const Type *type_vector(TypeTable *table, const Type *element, uint32_t count);
const Type *type_pointer(TypeTable *table, const Type *pointee, Space space,
                         bool to_const);
// A pointer without a space that gets one: in constant memory it is to const.
const Type *type_pointer_in(TypeTable *table, const Type *pointer, Space space);
// `extent` -1: unknown until run time. NULL when the size would pass 2^60.
const Type *type_array(TypeTable *table, const Type *element, int64_t extent);

// Extents fit (type_tile_extent_fits), and so does their product.
const Type *type_tile(TypeTable *table, const Type *element, uint32_t rank,
                      const uint32_t *extents);
// `type`, a tile or not, with another element.
const Type *type_tile_of(TypeTable *table, const Type *type,
                         const Type *element);

// A new, incomplete struct, union or enum. The tag may be NULL.
Type *type_new_record(TypeTable *table, TypeKind kind, const char *tag,
                      Span span);
// Lays the fields out as C does and makes the type complete; offsets are set
// here. False when the size would pass 2^60.
bool type_complete_record(TypeTable *table, Type *record, Field *fields,
                          uint32_t n_fields);
Type *type_new_enum(TypeTable *table, const char *tag, Span span);
void type_complete_enum(Type *enumeration, const Type *underlying);

// --- questions ---
bool type_is_poison(const Type *type);
bool type_is_integer(const Type *type);  // bool and enums included
bool type_is_signed(const Type *type);   // integers
bool type_is_floating(const Type *type); // half … double (no fp8)
bool type_is_fp8(const Type *type);
// tf32 and the packed types: elements of tiles and of array parameters only.
bool type_is_narrow(const Type *type);
bool type_is_packed(const Type *type);        // fp4, fp6, fp8_e8m0, int1_p …
bool type_is_packed_int(const Type *type);    // int1_p … uint7_p
bool type_is_float_like(const Type *type);    // floating, fp8, narrow floats
bool type_lacks_arithmetic(const Type *type); // fp8 and narrow
bool type_is_arithmetic(const Type *type);    // integer or floating
bool type_is_scalar(const Type *type);        // arithmetic, fp8 or pointer
bool type_is_record(const Type *type);        // struct or union
bool type_is_complete(const Type *type);
// Group, token, mbarrier, pipeline: never copied, stored or pointed to.
bool type_is_opaque(const Type *type);

// Of a tile its element; other types are themselves.
const Type *type_tile_element(const Type *type);
uint32_t type_tile_count(const Type *type); // elements; of others 1
bool type_same_extents(const Type *a, const Type *b);
// An extent is m * 2^k, m odd and at most TYPE_MAX_TILE_FACTOR.
bool type_tile_extent_fits(int64_t extent);
// The nearest extents below and above one that doesn't fit; 0: there is none.
void type_tile_near_extents(int64_t extent, int64_t *below, int64_t *above);

static inline bool type_is(const Type *type, TypeKind kind) {
  return type->kind == kind;
}

// The integer type that represents an enum; other types are themselves.
const Type *type_underlying(const Type *type);
// Bits of a number; bool is 1.
uint32_t type_bits(const Type *type);
// The innermost element of nested arrays, and how many dimensions there are.
const Type *type_array_base(const Type *type, uint32_t *rank);
// Finds a field by interned name through anonymous members too; *offset_bytes
// is from the start of `record`. NULL: no such field.
const Field *type_find_field(const Type *record, const char *name,
                             uint64_t *offset_bytes);
// Where a thread's own variables could hide: a pointer anywhere inside?
bool type_has_pointer(const Type *type);
// Some pointer in it, or it itself, points to a thread's own variables.
bool type_has_local(const Type *type);

const char *space_name(Space space);
// As a C programmer writes it: "const float [16][k]" reads "float[16][k]".
const char *type_name(Arena *arena, const Type *type);

#endif
