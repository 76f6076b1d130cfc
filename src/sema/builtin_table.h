// SPDX-License-Identifier: Apache-2.0
// The tables of built-in names, as builtins.def and builtin_names.def list
// them.
#ifndef HD_SEMA_BUILTIN_TABLE_H
#define HD_SEMA_BUILTIN_TABLE_H

#include "sema/context.h"

// How arguments are checked; the rules are explained in builtins.def.
typedef enum {
  RULE_NONE,
  RULE_INDEX,
  RULE_MAKE_GROUP,
  RULE_GROUP_INT,
  RULE_SYNC,
  RULE_SHUFFLE,
  RULE_VOTE,
  RULE_MATCH,
  RULE_INVOKE,
  RULE_REDUCE,
  RULE_SCAN,
  RULE_UPDATE,
  RULE_FENCE,
  RULE_MATH1,
  RULE_MATH2,
  RULE_MATH3,
  RULE_MATH_CLASS,
  RULE_MATH_INT,
  RULE_MATH_TOINT,
  RULE_MATH_ILOGB,
  RULE_MATH_OUT,
  RULE_MINMAX,
  RULE_CLAMP,
  RULE_ABS,
  RULE_CDIV,
  RULE_GROUPED,
  RULE_BITS_INT,
  RULE_BITS,
  RULE_BITS_SHIFT,
  RULE_RMW,
  RULE_RMW_ADD,
  RULE_RMW_UINT,
  RULE_RMW_BITS,
  RULE_CAS,
  RULE_ATOMIC_LD,
  RULE_ATOMIC_ST,
  RULE_LOAD_HINT,
  RULE_STORE_HINT,
  RULE_PRINTF,
  RULE_CLOCK,
  RULE_TRAP,
  RULE_ASSERT,
  RULE_PRESENT,
  RULE_PRESENT_LANES,
  RULE_UNIFORM,
  RULE_ARRIVE,
  RULE_WAIT,
  RULE_TEST_WAIT,
  RULE_BARRIER,
  RULE_SLOT,
  RULE_DRAIN,
  RULE_FULL,
  RULE_COPY,
  RULE_COPY_STEP,
  RULE_REGISTERS,
  RULE_BYTES_OF,
  RULE_MEMCPY,
  RULE_COPY_BYTES,
  RULE_COPY_BULK,
  RULE_WAIT_PRIOR,
  RULE_SEMAPHORE,
  RULE_MAP_SHARED,
  RULE_PREDICATE,
} BuiltinRule;

struct BuiltinName {
  const char *name;
  Builtin id;
  TypeKind forced; // TY_POISON: the arguments decide
};

typedef struct {
  const char *name, *what, *instead;
} RefusedName;

BuiltinRule builtin_rule(Builtin id);
const RefusedName *refused_find(SemaContext *cx, const char *name);

// A call that is being checked: what the rules share.
typedef struct {
  SemaContext *cx;
  const BuiltinName *builtin;
  const Expr *call;
  const ExprList *args;
  const char *name;
  Span span;
} BuiltinCall;

// A word as an argument: an order, an operation. Lists end with a NULL.
typedef struct {
  const char *text;
  int value;
} BuiltinWord;

// The value of the word that is argument `index`; `fallback` if it is left out.
// False: reported.
bool builtin_word(const BuiltinCall *call, uint32_t index,
                  const BuiltinWord *words, int fallback, int *value);
// Arguments as values; NULL when one is poison (nothing more is reported).
TExpr **builtin_values(const BuiltinCall *call);
// Reports unless the number of arguments lies between the two.
bool builtin_takes(const BuiltinCall *call, uint32_t least, uint32_t most);
TExpr *builtin_refuse_type(const BuiltinCall *call, uint32_t index,
                           const Type *type, const char *needed);
// The group that a call names first, a TEXPR_GROUP: argument 0 if it is one by
// its form or if there are `most` arguments (then it must be one), else the
// current group. *n_taken: how many arguments that took. NULL: reported.
TExpr *take_group_argument(const BuiltinCall *call, uint32_t most,
                           uint32_t *n_taken);
// The same for a collective operation; in_block: not the cluster or the grid.
TExpr *collective_group(const BuiltinCall *call, uint32_t most,
                        uint32_t *n_taken, bool in_block);
// An argument that other threads receive: its type must be able to travel.
// NULL: reported.
TExpr *exchanged_value(const BuiltinCall *call, uint32_t index);
bool is_operator_name(const char *name);
TExpr *check_make_group(const BuiltinCall *call);
TExpr *check_shuffle(const BuiltinCall *call);
TExpr *check_vote(const BuiltinCall *call);
TExpr *check_match(const BuiltinCall *call);
TExpr *check_invoke(const BuiltinCall *call);
TExpr *check_reduce(const BuiltinCall *call);
TExpr *check_scan(const BuiltinCall *call);
TExpr *check_update(const BuiltinCall *call);
TExpr *check_math_call(const BuiltinCall *call, BuiltinRule rule);
TExpr *check_math_out(const BuiltinCall *call);
TExpr *check_integer_call(const BuiltinCall *call, BuiltinRule rule);
TExpr *check_atomic_call(const BuiltinCall *call, BuiltinRule rule);
TExpr *check_hint_call(const BuiltinCall *call, BuiltinRule rule);
TExpr *check_fence_call(const BuiltinCall *call);
// Barriers and copies; check_barrier.c, check_pipeline.c, check_copy.c.
TExpr *check_arrive_call(const BuiltinCall *call);
TExpr *check_wait_call(const BuiltinCall *call);
TExpr *check_test_wait_call(const BuiltinCall *call);
TExpr *check_barrier_call(const BuiltinCall *call);
TExpr *check_slot_call(const BuiltinCall *call);
TExpr *check_drain_call(const BuiltinCall *call);
TExpr *check_copy_call(const BuiltinCall *call);
TExpr *check_copy_step(const BuiltinCall *call);
TExpr *check_registers_call(const BuiltinCall *call);
TExpr *check_bytes_of(const BuiltinCall *call);
TExpr *check_memcpy_call(const BuiltinCall *call);
TExpr *check_copy_bytes(const BuiltinCall *call);
TExpr *check_copy_bulk(const BuiltinCall *call);
TExpr *check_wait_prior(const BuiltinCall *call);
TExpr *check_semaphore_call(const BuiltinCall *call);
TExpr *check_map_shared(const BuiltinCall *call);
// The group that a call names first, then *next is 1; else the current group
// and 0. NULL: reported.
TExpr *builtin_group(const BuiltinCall *call, uint32_t *next);
// The group is no larger than a block; reports.
bool builtin_in_block(const BuiltinCall *call, const TExpr *group);
// Argument `index` as a value of a type; NULL when it was refused.
TExpr *builtin_value(const BuiltinCall *call, uint32_t index, TypeKind kind);
// Argument `index` as a constant, at least 0.
bool builtin_constant(const BuiltinCall *call, uint32_t index, int64_t *value);
// Argument `index` as an mbarrier: a place, or full(p, k) where `may_be_full`.
TExpr *builtin_barrier(const BuiltinCall *call, uint32_t index,
                       bool may_be_full);
// Argument `index` as a mask of blocks of a cluster.
TExpr *builtin_mask(const BuiltinCall *call, uint32_t index);
TExpr *builtin_void(const BuiltinCall *call, Builtin id, TExpr **args,
                    uint32_t n_args);

#endif
