// SPDX-License-Identifier: Apache-2.0
// Expressions: from the C++ tree to values.
#ifndef HD_CUDA_FORM_CU_VALUE_H
#define HD_CUDA_FORM_CU_VALUE_H

#include "cuda/form/cu.h"

// --- making values ---
CuValue cu_poison(CuContext *cu, Span span);
bool cu_is_poisoned(const CuValue *value);
CuValue cu_rvalue(const CuType *type, Expr *expr, Span span);
CuValue cu_lvalue(const CuType *type, Expr *expr, Span span);
// A constant with its literal.
CuValue cu_int_value(CuContext *cu, const CuType *type, int64_t value,
                     Span span);
// The variable as it is used in the output: a reference is looked through.
CuValue cu_variable_value(CuContext *cu, CuVariable *variable, Span span);

// --- evaluating (cu_expr*.c) ---
CuValue cu_expr(CuContext *cu, const CxExpr *expr);
// Refuses what is no value: functions, lists, void.
CuValue cu_operand(CuContext *cu, const CxExpr *expr);
// What is evaluated only if something else says so.
CuValue cu_perhaps(CuContext *cu, const CxExpr *expr);
// A condition, as bool.
CuValue cu_condition(CuContext *cu, const CxExpr *expr);
CuValue cu_condition_of(CuContext *cu, CuValue value);
// As a statement: its value is not wanted. NULL: nothing is left of it.
Expr *cu_discarded(CuContext *cu, const CxExpr *expr);

CuValue cu_unary_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_binary_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_binary_of(CuContext *cu, BinaryOp op, CuValue left, CuValue right,
                     Span span);
// A place that Heddle C assigns to.
Expr *cu_place(CuContext *cu, Expr *expr, Span span);
CuValue cu_assign_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_member_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_index_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_index_of(CuContext *cu, CuValue base, CuValue index, Span span);
CuValue cu_name_value(CuContext *cu, const CxName *name, Span span);
CuValue cu_cast_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_call_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_construct_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_lambda_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_conditional_expr(CuContext *cu, const CxExpr *expr);
// Field `index` of `object`, which has record type.
CuValue cu_field_value(CuContext *cu, CuValue object, CuRecord *record,
                       uint32_t index, Span span);
// The member that `field` is, in a base maybe.
CuValue cu_member_of_object(CuContext *cu, CuValue object, CuEntity *field,
                            Span span);
// `*this`, or poison outside of members.
CuValue cu_self(CuContext *cu, Span span);
CuValue cu_deref_value(CuContext *cu, CuValue pointer, Span span);
CuValue cu_address_value(CuContext *cu, CuValue place, Span span);
// Arrays become pointers.
CuValue cu_decay(CuContext *cu, CuValue value);
CuValue cu_expr_decltype_value(CuContext *cu, const CxExpr *expr);
const CuType *cu_decltype(CuContext *cu, const CxExpr *expr);

// --- cu_offset.c ---
CuValue cu_offset_of(CuContext *cu, const CxExpr *expr);

// --- constants (cu_const.c) ---
// Reports `what` when it isn't constant.
bool cu_constant_int(CuContext *cu, const CxExpr *expr, const char *what,
                     int64_t *out);
// That it isn't, or that the name that it is isn't declared.
void cu_report_not_constant(CuContext *cu, const CuValue *value, Span span,
                            const char *what);
// Evaluates without a trace; NOT_CONST when it can't.
CuValue cu_try_constant(CuContext *cu, const CxExpr *expr);
CuConst cu_const_int(int64_t value);
CuConst cu_const_convert(CuConst value, const CuType *from, const CuType *to);
CuConst cu_fold_unary(UnaryOp op, const CuValue *operand, const CuType *type);
CuConst cu_fold_binary(BinaryOp op, CuConst left, CuConst right,
                       const CuType *operands);

// --- conversions (cu_convert.c) ---
typedef enum {
  CU_RANK_EXACT,
  CU_RANK_QUALIFICATION, // exact but for const added
  CU_RANK_PROMOTION,
  CU_RANK_CONVERSION,
  CU_RANK_USER,
  CU_RANK_ELLIPSIS,
  CU_RANK_NONE,
} CuRank;

typedef struct {
  CuRank rank;
  uint32_t n_up;     // steps to a base class
  bool binds_rvalue; // && to an rvalue: better than const &
  // A reference to the object itself: const that it adds only counts against
  // another reference.
  bool is_bound;
  // USER by a function of the class: that, and what its result needs.
  const CuFunction *by;
  CuRank then;
} CuConversion;

// How `value` becomes a `to`, which may be a reference.
CuConversion cu_conversion(CuContext *cu, const CuValue *value,
                           const CuType *to, bool with_user);
// Does it, as for an initialisation; reports `what` when it can't. The
// expression is one that Heddle C converts to `to` by itself. Of a reference
// the result is what it refers to.
CuValue cu_convert(CuContext *cu, CuValue value, const CuType *to,
                   const char *what);
// The same with the type in the expression itself, so that it may stand where
// Heddle C asks for its type.
CuValue cu_convert_exactly(CuContext *cu, CuValue value, const CuType *to,
                           const char *what);
const CuType *cu_promoted(CuContext *cu, const CuType *type);
// NULL: there is none.
const CuType *cu_common_type(CuContext *cu, const CuType *a, const CuType *b);
// A class that takes part in arithmetic: what it converts to.
CuValue cu_convert_number(CuContext *cu, CuValue value);
// `derived` or a pointer to it as its base: a.base.
CuValue cu_upcast(CuContext *cu, CuValue object, CuRecord *base, Span span);

// --- initialisation (cu_init.c) ---
// The value of a new object of `type`: T(a, b), T{a, b}, T().
CuValue cu_construct(CuContext *cu, const CuType *type, CuValues args,
                     bool is_braced, Span span);
// The same where a single argument means a cast.
CuValue cu_construct_of(CuContext *cu, const CuType *type, CuValues args,
                        bool is_braced, Span span);
CuValue cu_from_list(CuContext *cu, const CuType *type, const CxExpr *list,
                     Span span);
// The value that `T()` and `T{}` have.
CuValue cu_zero(CuContext *cu, const CuType *type, Span span);
// Objects of this class, or elements of this array, are made by a constructor
// that does something, or from defaults.
bool cu_is_constructed(CuContext *cu, const CuType *type);
// `C c;` of this class gives its members no values: the constructor is
// defaulted, and no member has one or a value in the class.
bool cu_starts_unset(CuContext *cu, const CuType *type);
// `C c;` of this class, or the class of the elements of this array, gives
// values to some members, and may leave others unset: the constructor is
// defaulted, or there is none.
bool cu_starts_partly(CuContext *cu, const CuType *type);
// What a member of `type` holds if it is initialised with `value`: of a
// reference that is an address.
CuValue cu_held(CuContext *cu, CuValue value, const CuType *type,
                const char *what);
// The initialiser of a member that is written in its class.
CuValue cu_member_default(CuContext *cu, CuRecord *record, uint32_t index);
// An initialiser in a declaration: may be a bare {…}.
Expr *cu_initialiser(CuContext *cu, const CuType *type, const CxExpr *init);

// --- calls (cu_call.c, cu_overload.c, cu_function.c, cu_heddle.c) ---
CuValues cu_arguments(CuContext *cu, const CxExprList *args);
// Chooses among `set` and calls; `object` is NULL or what members get.
CuValue cu_call_overloads(CuContext *cu, CuOverloads *set, CuValue *object,
                          CuValues args, Span span, Span name_span);
// An operator of classes; false: none fits, the built-in one is meant.
bool cu_call_operator(CuContext *cu, const char *name, CuValues args, Span span,
                      CuValue *out);
CuValue cu_call_function(CuContext *cu, CuFunction *function, CuValue *object,
                         CuValues args, Span span);
// The constructor of `record` for these arguments, NULL: none fits.
CuFunction *cu_find_constructor(CuContext *cu, CuRecord *record, CuValues args,
                                Span span);
// The conversion function of a class to `to`; NULL.
CuFunction *cu_find_conversion(CuContext *cu, const CuValue *value,
                               const CuType *to, bool is_explicit);

// That to a number, for operators.
CuFunction *cu_find_number(CuContext *cu, const CuValue *value);
bool cu_is_opaque(const CuType *type);

// --- temporaries ---
// A variable of the current block that holds `value`.
CuValue cu_temporary(CuContext *cu, CuValue value, const char *wanted);
// A name, a literal, or what only consists of such: may stand several times.
bool cu_is_repeatable(const Expr *expr);
bool cu_has_effect(const Expr *expr);
// Whether computing it reads what other threads may write; of some that only
// make addresses, too.
bool cu_reads_memory(const Expr *expr);
// Likewise, naming the place.
bool cu_place_reads(const Expr *place);

#endif
