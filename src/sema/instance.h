// SPDX-License-Identifier: Apache-2.0
// Instances of user functions, one for each way of being called.
#ifndef HD_SEMA_INSTANCE_H
#define HD_SEMA_INSTANCE_H

#include "sema/context.h"

// One argument of a call, checked in the caller.
typedef struct {
  TExpr *value;     // NULL for types
  const Type *type; // an embedded type
  bool is_embedded;
  bool is_barrier;     // value is an mbarrier, array of them, or pipeline
  bool is_whole_array; // value is a TEXPR_VAR of array type, not decayed
  bool is_view;        // value is a part of an array: see tile.h
} CallArgument;

// A parameter whose argument is a constant or a type that the instance has.
bool is_embedded_param(const Decl *param);

// The argument for an embedded parameter, which is number `number` of the call
// of `name`. Reports.
bool check_embedded_argument(SemaContext *cx, const Decl *param,
                             const char *name, const Expr *expr,
                             uint32_t number, CallArgument *out);

// The instance for these arguments under the current group, made on first use;
// NULL when it had errors. `args` has one entry a parameter of the declaration.
TFunc *instance_get(SemaContext *cx, FuncSymbol *symbol,
                    const CallArgument *args, Span span);

// An instance without a caller, for functions that nobody calls: pointers are
// global, embedded values open. Only for its errors.
void instance_check_alone(SemaContext *cx, FuncSymbol *symbol);

// `threads(n)` on the function, against the current group. Reports.
bool check_function_group(SemaContext *cx, const FuncSymbol *symbol, Span span);

// reads, writes or syncs are said of the function.
bool has_contract(const Decl *decl);
// Statements that do what the contract allows, for a function without a body.
void check_contract_body(SemaContext *cx, const Decl *decl, TFunc *func,
                         StmtBuilder *out);

// Starts and ends a body (of a function, or of a kernel with symbol NULL).
void body_begin(SemaContext *cx, Body *body, FuncSymbol *symbol,
                const char *name, Span call_span);
void body_end(SemaContext *cx, Body *body);
// Forgets what a pass over the body declared, keeps what it found out.
void body_restart(SemaContext *cx, Body *body);
// Pointers that were never bound are global. True: another pass is needed,
// because one was used before its space was known.
bool body_settle_pointers(SemaContext *cx, Body *body);

// A parameter or variable with array type gets its extents.
void fill_extents(SemaContext *cx, TVar *var, const ArrayContext *arrays);

#endif
