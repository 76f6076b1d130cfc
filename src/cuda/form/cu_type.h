// SPDX-License-Identifier: Apache-2.0
// Types of CUDA C++: interned, so equal types are equal pointers. Unlike those
// of Heddle C they carry qualifiers, references, and no spaces.
//
// Sizes are those of the device (LP64). A record's layout is known once it is
// complete (cu_record.c).
#ifndef HD_CUDA_FORM_CU_TYPE_H
#define HD_CUDA_FORM_CU_TYPE_H

#include "base/arena.h"
#include "base/text.h"
#include "cxx/cx_ast.h"

// How the type of a lambda is shown.
#define CU_LAMBDA_NAME "<lambda>"

// CU_BOOL … CU_DOUBLE are arithmetic; integers in order of conversion rank,
// each unsigned type behind its signed one; then floats by rank.
typedef enum {
  CU_POISON, // an error was reported; compatible with everything
  CU_VOID,
  CU_BOOL,
  CU_CHAR,
  CU_SCHAR,
  CU_UCHAR,
  CU_SHORT,
  CU_USHORT,
  CU_INT,
  CU_UINT,
  CU_LONG,
  CU_ULONG,
  CU_LLONG,
  CU_ULLONG,
  CU_HALF,
  CU_BFLOAT16,
  CU_FLOAT,
  CU_DOUBLE,
  CU_NULLPTR,
  CU_POINTER,
  CU_REFERENCE,
  CU_ARRAY,
  CU_FUNCTION,
  CU_RECORD,
  CU_ENUM,
  CU_LAMBDA,
  CU_OVERLOADS, // the name of functions, not called yet
  CU_LIST,      // {…} whose type depends on what it initialises
} CuTypeKind;

typedef struct CuType CuType;
struct CuRecord;
struct CuEnum;
struct CuClosure;

struct CuType {
  CuTypeKind kind;
  uint8_t quals;  // CX_QUAL_CONST, CX_QUAL_VOLATILE
  bool is_rvalue; // REFERENCE: &&
  // POINTER: the type of the pointer's address as an integer of so many bytes
  // (cu_address.h); 0: a pointer.
  uint8_t number_bytes;
  const CuType *plain; // without `quals`

  union {
    const CuType *inner; // POINTER, REFERENCE
    struct CuRecord *record;
    struct CuEnum *enumeration;
    struct CuClosure *lambda;

    struct {
      const CuType *element;
      int64_t extent; // -1: []
    } array;

    struct {
      const CuType *result;
      const CuType **params;
      uint32_t n_params;
    } function;
  } u;

  // Types made of this one.
  CuType *qualified[4], *pointer, *references[2], *arrays, *functions;
  CuType *numbers[2];
  CuType *next; // in the list `arrays` or `functions` of another
};

typedef struct {
  Arena *arena;
  CuType basic[CU_LIST + 1];
} CuTypes;

void cu_types_init(CuTypes *types, Arena *arena);

const CuType *cu_basic(const CuTypes *types, CuTypeKind kind);
const CuType *cu_pointer(CuTypes *types, const CuType *to);
// The address that `pointer` (or such an address) is, as an integer of 4 or 8
// bytes; 0: the pointer itself.
const CuType *cu_number(CuTypes *types, const CuType *pointer, uint32_t bytes);
// A reference to a reference collapses as in C++.
const CuType *cu_reference(CuTypes *types, const CuType *to, bool is_rvalue);
const CuType *cu_array(CuTypes *types, const CuType *element, int64_t extent);
// Adds qualifiers; those of an array go to its elements, a reference has none.
const CuType *cu_qualified(CuTypes *types, const CuType *type, uint8_t quals);
const CuType *cu_function(CuTypes *types, const CuType *result,
                          const CuType *const *params, uint32_t n_params);
// A new type of kind RECORD, ENUM or LAMBDA; the caller sets `u`.
CuType *cu_new_type(CuTypes *types, CuTypeKind kind);

// --- questions ---
bool cu_is_poison(const CuType *type);
bool cu_is_integer(const CuType *type); // bool included, enums not
bool cu_is_signed(const CuType *type);  // integers
bool cu_is_floating(const CuType *type);
bool cu_is_arithmetic(const CuType *type);
bool cu_is_unscoped_enum(const CuType *type);
bool cu_is_const(const CuType *type);  // an array: its elements
bool cu_is_number(const CuType *type); // made by cu_number
// Arithmetic, enum, pointer or nullptr.
bool cu_is_scalar(const CuType *type);
bool cu_is(const CuType *type, CuTypeKind kind);

// What a reference refers to, any other type itself.
const CuType *cu_referred(const CuType *type);
const CuType *cu_plain(const CuType *type);
// Elements of arrays of arrays.
const CuType *cu_array_base(const CuType *type);
// Bits of an arithmetic type other than bool, for which it gives 1.
uint32_t cu_bits(const CuType *type);
// 0: void, incomplete, unknown.
uint64_t cu_size(const CuType *type);
uint64_t cu_align(const CuType *type);

// As messages show it: "const float *", "Vec<int, 3> &".
void cu_type_print(const CuType *type, Text *out);
const char *cu_type_text(Arena *arena, const CuType *type);

#endif
