// SPDX-License-Identifier: Apache-2.0
// Functions: their instances, choosing among them, calling them.
#ifndef HD_CUDA_FORM_CU_FUNCTION_H
#define HD_CUDA_FORM_CU_FUNCTION_H

#include "cuda/form/cu_value.h"

// The instance of a function or function template with its signature. NULL:
// it can't be made; reported unless in a trial.
CuFunction *cu_instance(CuContext *cu, CuEntity *entity, CuArgs args);
// The same declaration with a body, its parameters' defaults collected.
// Links what was declared several times; true: a later one stands for it.
bool cu_is_repeated(CuContext *cu, CuEntity *entity);
// The default argument of parameter `index`, NULL: none.
const CxExpr *cu_default_argument(CuContext *cu, const CuFunction *function,
                                  uint32_t index);
uint32_t cu_required_count(CuContext *cu, const CuFunction *function);

// The way to pass arguments that `by_pointer` says.
CuFunction *cu_variant(CuContext *cu, CuFunction *function,
                       uint64_t by_pointer);
// What it is called in Heddle C, before arguments and classes are added: a word
// for operators, too.
const char *cu_function_word(CuContext *cu, const CuFunction *function);
// Puts the function into the output. False: an error was reported.
bool cu_translate_function(CuContext *cu, CuFunction *function, Span call);
// The expression of a body that is `return e;`, else NULL.
const CxExpr *cu_only_return(const CxBody *body);
// What all returns in its body refer to: the object (0), a parameter (1 …); or
// -1.
int cu_returned_param(CuContext *cu, const CuFunction *function,
                      const CxStmt *block);

// A function that gives a reference and returns at its end: its expression
// takes the place of the call. False: it isn't one.
bool cu_inline_call(CuContext *cu, CuFunction *function, CuValue *object,
                    CuValues args, Span span, CuValue *out);
// A call that is a statement of its own, of a function that changes pointers of
// the caller: its body is added. False: it isn't one.
bool cu_inline_statement(CuContext *cu, CuFunction *function,
                         const CuValue *object, CuValues args, Span span);
// A call of the function that has the body.
CuValue cu_call_body(CuContext *cu, CuFunction *function, CuValue *object,
                     CuValues args, Span span);
// How a parameter is declared in the output: by pointer or by value.
bool cu_is_by_pointer(const CuFunction *function, uint32_t param);
bool cu_is_memory_place(const CuValue *value);

// The statements of a body into `out`, in a frame that is set up.
void cu_translate_body(CuContext *cu, const CxStmt *block, CuStmtVec *out);

void cu_statement(CuContext *cu, const CxStmt *stmt);
void cu_return(CuContext *cu, const CxStmt *stmt);
void cu_range_for(CuContext *cu, const CxStmt *stmt);
// for (int counter = from; counter < to; counter++), without a body.
Stmt *cu_counting_loop(CuContext *cu, CuVariable *counter, int64_t from,
                       int64_t to, Span loop, Span span);
// Gives the members of a new variable values that have them by a default or by
// a constructor of theirs; the others stay unset.
void cu_make_members(CuContext *cu, CuVariable *object, CuRecord *record);
// The body of a constructor, which gives the object.
void cu_constructor_body(CuContext *cu, CuFunction *function,
                         const CxBody *body, CuStmtVec *out);
// A statement as the body of a loop.
Stmt *cu_body_statement(CuContext *cu, const CxStmt *stmt);

// --- overloads (cu_overload.c) ---
// The best for these arguments; NULL: reported.
CuFunction *cu_choose(CuContext *cu, CuOverloads *set, const CuValue *object,
                      CuValues args, Span span);
// NULL: none fits, nothing is reported.
CuFunction *cu_choose_quietly(CuContext *cu, CuOverloads *set,
                              const CuValue *object, CuValues args,
                              bool with_user);

// The operator for these operands among both; NULL: the built-in one.
CuFunction *cu_choose_operator(CuContext *cu, CuOverloads *members,
                               CuOverloads *free_ones, CuValues args);
// A call that is a constant: only `constant` of *out is set. False: it isn't.
bool cu_constexpr_call(CuContext *cu, const CuFunction *function, CuValues args,
                       CuValue *out);
// init(&b, n) of a cuda::barrier: n is the count in its declaration.
CuValue cu_barrier_init(CuContext *cu, CuValues args, Span span);
// What isn't known as an mbarrier is told once.
void cu_refuse_barrier(CuContext *cu, Span span);
// A class that is an mbarrier.
const CuType *cu_barrier_record(CuContext *cu);
// A class that no declaration makes, which is `opaque` in Heddle C; made once,
// in `*made`.
const CuType *cu_opaque_type(CuContext *cu, CuOpaque opaque, const char *shown,
                             const CuType **made);
// pointer[index] of a pointer to barriers; index NULL: 0.
Expr *cu_barrier_place(CuContext *cu, Expr *pointer, Expr *index, Span span);
bool cu_is_barrier_pointer(const CuType *type);
// An array of barriers, or a place in one.
bool cu_is_barriers(const CuContext *cu, const CuValue *value);
// A reference or pointer to a barrier is another name of it from here on;
// false: it is none, or to a place that can't be named so.
bool cu_bind_barrier(CuContext *cu, CuVariable *variable, CuValue value,
                     Span span);
// cuda::barrier, or what is one of the classes and words that are mbarriers.
bool cu_is_barrier(const CuType *type);
// What is declared as this type and gets an mbarrier is told if it is a copy.
bool cu_refuse_barrier_copy(CuContext *cu, const CuType *type, Span span);
// An index that may change later is kept in a variable.
Expr *cu_pinned_index(CuContext *cu, Expr *index, Span span);
// The same value where both stand.
bool cu_same_expr(const CuContext *cu, const Expr *a, const Expr *b);
// A class, or an array of it, with members that are mbarriers.
bool cu_has_barriers(CuContext *cu, const CuType *type);
// An object of it in shared memory, or a pointer to one.
bool cu_holds_barriers(CuContext *cu, const CuValue *object);
// A member that is an mbarrier, or an array of them; false: it is none.
bool cu_member_barrier(CuContext *cu, const CuValue *object,
                       const CuField *field, Span span, CuValue *out);
// The array of barriers at a place of shared memory, which becomes a variable
// of the name if it isn't one yet. NULL: told.
CuVariable *cu_barriers_at(CuContext *cu, CuMemberBarrier *wanted,
                           const char *name, Span span);
// As what a member of this type is stored.
const CuType *cu_stored_type(CuContext *cu, const CuType *type);
// make_pipeline() of a block (cu_pipeline.c).
CuValue cu_make_pipeline(CuContext *cu, const CuFunction *function,
                         CuValues args, Span span);
// The pipeline that a variable or parameter is; NULL: it is none, or not known.
const CuPipeline *cu_pipeline_of(const CuContext *cu, const Expr *expr);
// The barriers that a call gives to a function which makes a pipeline and has
// been called before; NULL: that can't be (reported).
CuVariable *cu_barriers_again(CuContext *cu, const CuVariable *earlier,
                              Span span);
// In a loop, or called in one.
bool cu_is_in_loop(const CuContext *cu);
// For how many threads `role` is that of a producer, where its form tells it;
// else NULL (cu_role.c).
Expr *cu_count_producers(CuContext *cu, const Expr *role, Span span);
Expr *cu_block_size(CuContext *cu, Span span);
// __heddle_full(p, stage), __heddle_free(p, stage), __heddle_stages(p) in
// headers.
bool cu_is_pipeline_word(const char *word, uint32_t n_args);
Expr *cu_pipeline_word(CuContext *cu, const char *word, const Expr *expr,
                       Expr *stage, Span span);
// The mbarrier in the type of a declaration, NULL: there is none.
TypeSyntax *cu_barrier_type(const Decl *decl);
// The variable's initialiser stands for it here; whether it then changed after
// all, is told at the end.
void cu_fix(CuContext *cu, const CuName *name, Span span);
void cu_check_fixed(CuContext *cu);
// An expression for a barrier's count, in terms of what stands before all
// declarations. False: it isn't one.
bool cu_resolve_count(CuContext *cu, Expr **place);

// --- lambdas (cu_lambda.c) ---
// The name of a function as an object that can be called, for parameters of
// templates; other values stay.
CuValue cu_function_object(CuContext *cu, CuValue value);
// --- functions as values (cu_function_value.c) ---

bool cu_is_function_pointer(const CuType *type);
// The name of a function as a pointer of type `to`, NULL: auto. What is none
// stays as it is.
CuValue cu_function_constant(CuContext *cu, CuValue value, const CuType *to);
// Parameters and result of what has the type of a named function; NULL: they
// aren't known.
const CuType *cu_signature(CuContext *cu, const CuType *type);

// Where a value is copied: a mutable lambda is refused.
void cu_refuse_mutable(CuContext *cu, CuValue value);
CuValue cu_call_closure(CuContext *cu, CuClosure *closure, CuValues args,
                        Span span);

// --- what headers say in Heddle C (cu_heddle.c) ---
bool cu_is_heddle(const CuFunction *function);
CuValue cu_heddle_call(CuContext *cu, CuFunction *function, CuValue *object,
                       CuValues args, Span span);
// E where its names are bound.
Expr *cu_heddle_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_heddle_variable(CuContext *cu, CuEntity *entity, Span span);
bool cu_heddle_only_group(CuContext *cu, CuRecord *record, Span span,
                          CuValue *out);
// The name of a function for an operator of reductions; NULL: it is none.
Expr *cu_operator_argument(CuContext *cu, CuValue value, const CuType *element);
// A function T f(T, T) that calls a lambda or an object (cu_lambda.c).
Expr *cu_operator_function(CuContext *cu, CuValue value, const CuType *element);

CuValue cu_enumerator(CuContext *cu, CuEnum *enumeration, CuEntity *entity,
                      Span span);

#endif
