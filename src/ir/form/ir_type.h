// SPDX-License-Identifier: Apache-2.0
// Types of values and memory, expressions that the host evaluates, and
// locations.
#ifndef HD_IR_FORM_IR_TYPE_H
#define HD_IR_FORM_IR_TYPE_H

#include "base/vec.h"
#include "diag/source.h"

#include <stdbool.h>
#include <stdint.h>

// ---------------------------------------------------------------- types

typedef enum {

#define IR_TYPE(id, text, size_bytes, bits) IR_TYPE_##id,
#include "ir/types.def"
#undef IR_TYPE
  IR_TYPE_COUNT
} IrTypeKind;

// The narrow types (ir_type_is_narrow), for a switch that treats them alike.
#define IR_NARROW_CASES                                                        \
  case IR_TYPE_TF32:                                                           \
  case IR_TYPE_E2M1:                                                           \
  case IR_TYPE_E2M3:                                                           \
  case IR_TYPE_E3M2:                                                           \
  case IR_TYPE_E8M0:                                                           \
  case IR_TYPE_S1:                                                             \
  case IR_TYPE_S2:                                                             \
  case IR_TYPE_S3:                                                             \
  case IR_TYPE_S4:                                                             \
  case IR_TYPE_S5:                                                             \
  case IR_TYPE_S6:                                                             \
  case IR_TYPE_S7:                                                             \
  case IR_TYPE_U1:                                                             \
  case IR_TYPE_U2:                                                             \
  case IR_TYPE_U3:                                                             \
  case IR_TYPE_U4:                                                             \
  case IR_TYPE_U5:                                                             \
  case IR_TYPE_U6:                                                             \
  case IR_TYPE_U7

typedef enum {
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL, // a thread's own
  SPACE_CONSTANT,
  SPACE_GENERIC,
} IrSpace;

// By value; equal types compare equal with ir_type_equal.
typedef struct {
  uint8_t kind;   // IrTypeKind
  uint8_t lanes;  // 1; 2..4 for short vectors of a scalar kind
  uint8_t space;  // IrSpace of IR_TYPE_PTR
  uint32_t index; // struct of IR_TYPE_STRUCT, shape of IR_TYPE_TILE
} IrType;

// A struct or union as memory: leaves are what loads and values see.
// Unions have no leaves and live in objects only.
typedef struct {
  IrType type; // scalar or short vector
  uint32_t offset_bytes;
} IrLeaf;

typedef struct {
  const char *name;
  uint32_t size_bytes, align_bytes;
  hd_vec(IrLeaf) leaves;
} IrStruct;

#define IR_MAX_TILE_RANK     5
#define IR_MAX_TILE_ELEMENTS (1u << 20)
#define IR_MAX_ODD_FACTOR    31u

// Shape of a tile. Extents are m * 2^k, m odd and at most IR_MAX_ODD_FACTOR.
// What has rank 0 is no tile but a scalar. Elements are scalars or structs of
// scalars. Made by ir_tile_type only: equal shapes are one row.
typedef struct {
  IrType element;
  uint8_t rank; // 1 to IR_MAX_TILE_RANK
  uint32_t extents[IR_MAX_TILE_RANK];
} IrTileShape;

// ------------------------------------------------------ host expressions

// What is evaluated on the host at launch, exactly: integers without overflow
// (a result beyond 64 bits is refused), floats in double. Over scalar
// parameters and extents.
typedef enum {

#define HOST_OP(id, text, least, most, n_objects, rule) HOST_##id,
#include "ir/host.def"
#undef HOST_OP
  HOST_OP_COUNT
} IrHostOp;

typedef struct IrHost {
  IrHostOp op;
  bool is_float;           // the result is a floating-point number
  int64_t number;          // CONST (integers), PARAM: parameter index
  double real;             // CONST (floats)
  struct IrObject *object; // predicates on arrays: injective, bounded, …
  struct IrObject *other;  // the second array of disjoint
  uint8_t n_args;
  struct IrHost *args[3];
} IrHost;

// ------------------------------------------------------------- locations

// Index into the module's table; 0 is unknown. `parent` is the location of the
// call that was inlined (0: none) and `callee` the function inlined there.
typedef uint32_t IrLocId;

typedef struct {
  Place place;
  IrLocId parent;
  const char *callee;
  Span span; // in the text that was lowered; of IR text: none
} IrLoc;

#endif
