// SPDX-License-Identifier: Apache-2.0
// Names, types, constants and static ranges: from the AST and the values of
// `constexpr` parameters to the typed tree.
//
// Expects  an AST that was parsed without errors.
// Gives    for one specialisation of one kernel a TKernel, or NULL when an
//          error was reported for it.
// Owns     nothing: everything lives in the arena of the context.
// Leaves   which threads reach what (uniformity, divergence) to the IR.
#ifndef HD_SEMA_SEMA_H
#define HD_SEMA_SEMA_H

#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"
#include "diag/vocabulary.h"
#include "sema/type/typed.h"

struct AstUnit;

typedef struct SemaContext SemaContext;

// Tags of what isn't a member, but a place where pointers to several kinds of
// memory meet: a declaration by the span of its name, a `?:`.
#define SEMA_OPEN_DECL   ""
#define SEMA_OPEN_CHOICE "?:"

// A member that is given a pointer to other memory than its type says.
typedef struct {
  const char *tag, *name; // of its struct, its own
  Span span;              // of its declaration
  Space space;            // of what the pointer points to
} OpenMember;

typedef hd_vec(OpenMember) OpenMembers;

// What a tree that was translated from another language leaves out.
typedef enum {
  // Warnings about habits, as unused variables and assignments as conditions:
  // the translator wrote them.
  SEMA_NO_HABITS = 1 << 0,
  // Notes that show how Heddle C spells it.
  SEMA_NO_SPELLINGS = 1 << 1,
} SemaPolicy;

typedef struct {
  bool strict_groups; // a group's size must divide that of its parent
  bool fast_math;
  // Takes such members; they are not reported, but the kernel is not right.
  // NULL: they are errors.
  OpenMembers *open_members;
  uint32_t policy; // SemaPolicy
  Language words;  // of messages
} SemaOptions;

// `names` is the interner that the parser used; `arena`, `names`, `diags` and
// `source` must outlive the context and all that it made.
SemaContext *sema_new(Arena *arena, Interner *names, DiagEngine *diags,
                      SourceText *source, const SemaOptions *options);

// --- specialisation values ---

typedef enum { SPEC_SIGNED, SPEC_UNSIGNED, SPEC_FLOAT, SPEC_TYPE } SpecKind;

// A value given from outside for one embedded parameter. It is converted to
// the declared type if that is exact, else refused.
typedef struct {
  const char *name;
  SpecKind kind;

  union {
    int64_t i;
    uint64_t u;
    double f;
    const char *type; // a type name of the language, "float"
  } u;
} SpecValue;

typedef struct {
  const SpecValue *values;
  uint32_t count;
} SpecValues;

// --- what a file holds, without specialising ---

typedef enum {
  INDEX_SCALAR, // by value: arithmetic, enum, vector or record
  INDEX_POINTER,
  INDEX_ARRAY,
  INDEX_TABLE,    // an array of arrays; rank: of each
  INDEX_EMBEDDED, // constexpr value
  INDEX_TYPE,     // constexpr type
} IndexParamKind;

typedef struct {
  IndexParamKind kind;
  const char *name;
  const char *type_text; // as written, without extents
  uint32_t rank;         // arrays
  bool is_const;
  bool has_default;
  Span span;
} IndexParam;

typedef struct {
  const char *name;
  IndexParam *params;
  uint32_t n_params;
  Span span; // of all of it
} IndexKernel;

typedef struct {
  IndexKernel *kernels;
  uint32_t n_kernels;
} SemaIndex;

// Lists the kernels of a unit. Reports nothing.
void sema_index_unit(SemaContext *cx, const struct AstUnit *unit,
                     SemaIndex *out);

// --- checking ---

// Checks one specialisation of the kernel named `kernel`, which the unit has,
// and all that it reaches. `spec` may be NULL (defaults only); each name in it
// is an embedded parameter, once. Missing and inexact values are reported. NULL
// when there was any error. The same (unit, kernel, values) may be asked for
// repeatedly.
__attribute__((warn_unused_result)) TKernel *
sema_check_kernel(SemaContext *cx, const struct AstUnit *unit,
                  const char *kernel, const SpecValues *spec);

// Checks everything in the unit, so that errors are found that no wanted
// kernel reaches: kernels with their defaults, kernels whose embedded
// parameters lack one as far as possible, functions that nobody calls. True
// when nothing was reported as an error.
bool sema_check_unit(SemaContext *cx, const struct AstUnit *unit);

// The types of everything the context made.
TypeTable *sema_types(SemaContext *cx);

#endif
