// SPDX-License-Identifier: Apache-2.0
// Classes, unions and enumerations.
#ifndef HD_CUDA_FORM_CU_RECORD_H
#define HD_CUDA_FORM_CU_RECORD_H

#include "base/map.h"
#include "base/vec.h"
#include "cuda/form/cu_type.h"

struct CuScope;
struct CuEntity;
struct CuName;

// What a value of the class is in Heddle C.
typedef enum {
  CU_OPAQUE_NONE,  // a struct, or the type that `heddle` names
  CU_OPAQUE_GROUP, // __heddle_group, __heddle_group("the only one")
  CU_OPAQUE_TOKEN,
  CU_OPAQUE_BARRIER,
} CuOpaque;

typedef struct {
  const char *name; // NULL: an anonymous struct or union
  const char *emitted;
  const CuType *type;
  CxDecl *decl; // FIELD, or NULL: a base
  struct CuRecord *base;
  uint64_t offset_bytes;
  uint64_t aligned_to; // more than its type is; or 0
} CuField;

// A class, or one instantiation of a class template.
typedef struct CuRecord {
  const char *shown;  // "Vec<int, 3>"
  const char *suffix; // for names made of it: "Vec_int_3"
  CxDecl *decl;       // that defines it, or declares it
  struct CuEntity *entity;
  const struct CuArg *args; // of its template
  uint32_t n_args;
  struct CuScope *scope; // its members, once complete
  // Friends whose bodies stand in the class: only arguments lead to them; or
  // NULL.
  struct CuScope *friends;
  Map unnamed; // CxDecl of a conversion function -> its CuEntity
  const CuType *type;
  struct CuName *name; // of the emitted typedef

  hd_vec(CuField) fields; // bases first
  bool is_union;
  bool is_declared; // the names of its members
  bool is_complete, is_completing, is_poisoned;
  bool is_emitting; // its members are being written
  bool is_emitted;
  CuOpaque opaque;
  const char *heddle; // __heddle("float4"), or NULL
  uint64_t size_bytes, align_bytes;
  uint64_t data_bytes;   // without the padding at its end, if as a base others
                         // may use it
  bool has_other_layout; // in CUDA, where members use the padding of a base
  bool is_empty;         // no members: one byte, and none as a base
  bool has_copy;         // a copy constructor that the user wrote
  CxDecl *destructor;    // that does something, of a base or member too
  bool has_constructor;  // one that the user declared
  bool has_mutable;      // members that change in const objects
  bool has_defaults;     // members that have to be initialised
  // How deep classes stand in it, and its members that are no classes; an
  // array counts once.
  uint32_t depth, n_leaves;
} CuRecord;

typedef struct CuEnum {
  const char *shown, *suffix;
  CxDecl *decl;
  struct CuScope *outer;
  struct CuScope *scope; // of its enumerators
  const CuType *type;
  const CuType *underlying;
  bool is_scoped;
  bool has_underlying;   // is written
  struct CuName *name;   // of the emitted typedef, NULL before
  struct CuName **names; // of the emitted constants
} CuEnum;

#endif
