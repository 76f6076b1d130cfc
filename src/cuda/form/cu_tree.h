// SPDX-License-Identifier: Apache-2.0
// Nodes of Heddle C, with dense ids and depths.
#ifndef HD_CUDA_FORM_CU_TREE_H
#define HD_CUDA_FORM_CU_TREE_H

#include "cuda/form/cu.h"

Expr *cu_new_expr(CuContext *cu, ExprKind kind, Span span);
Expr *cu_poison_expr(CuContext *cu, Span span);
// A literal of arithmetic type `type`: suffixes as the type needs, a minus in
// front, a cast where there is no literal of that type.
Expr *cu_int_expr(CuContext *cu, const CuType *type, int64_t value, Span span);
Expr *cu_int_literal(CuContext *cu, int64_t value, Span span); // of int
Expr *cu_float_expr(CuContext *cu, const CuType *type, double value, Span span);
Expr *cu_bool_expr(CuContext *cu, bool value, Span span);
// A name that was declared with a CuName, and one of the language.
Expr *cu_name_expr(CuContext *cu, CuName *name, Span span);
Expr *cu_word_expr(CuContext *cu, const char *word, Span span);
Expr *cu_unary(CuContext *cu, UnaryOp op, Expr *operand, Span span);
Expr *cu_binary(CuContext *cu, BinaryOp op, Expr *left, Expr *right, Span span);
Expr *cu_assign(CuContext *cu, Expr *left, Expr *right, Span span);
Expr *cu_compound_assign(CuContext *cu, BinaryOp op, Expr *left, Expr *right,
                         Span span);
Expr *cu_comma(CuContext *cu, Expr *first, Expr *second, Span span);
Expr *cu_cast(CuContext *cu, const CuType *type, Expr *operand, Span span);
// `.name`; of a dereference it becomes `->name`.
Expr *cu_member(CuContext *cu, Expr *base, const char *name, Span span);
// a[i], one more subscript where `base` is a subscripted array.
Expr *cu_subscript(CuContext *cu, Expr *base, Expr *index, bool joins,
                   Span span);
Expr *cu_call(CuContext *cu, Expr *callee, Expr **args, uint32_t n_args,
              Span span);
// A call of a word of the language; `b`, or both, may be NULL.
Expr *cu_word_call(CuContext *cu, const char *word, Expr *a, Expr *b,
                   Span span);
bool cu_is_call_of(const Expr *expr, const char *word);
// *&x and &*x are x.
Expr *cu_deref(CuContext *cu, Expr *pointer, Span span);
Expr *cu_address(CuContext *cu, Expr *place, Span span);
Expr *cu_list_expr(CuContext *cu, const CuExprVec *values, Span span);
Expr *cu_compound_literal(CuContext *cu, const CuType *type, Expr *list,
                          Span span);
// A copy to stand at another place. `span` replaces all spans if it isn't
// {0,0}.
Expr *cu_clone(CuContext *cu, const Expr *expr, Span span);

Stmt *cu_new_stmt(CuContext *cu, StmtKind kind, Span span, Span keyword);
// Shares what it holds.
Stmt *cu_copy_stmt(CuContext *cu, const Stmt *stmt);
Stmt *cu_expr_stmt(CuContext *cu, Expr *expr, Span span);
Stmt *cu_return_stmt(CuContext *cu, Expr *expr, Span span);
Stmt *cu_decl_stmt(CuContext *cu, Decl *decl);
Stmt *cu_block(CuContext *cu, const CuStmtVec *items, Span span);
// Appends to the statements of the current block.
void cu_add_stmt(CuContext *cu, Stmt *stmt);

Decl *cu_new_decl(CuContext *cu, DeclKind kind, CuName *name, Span span,
                  Span name_span);
// alignas(align)
void cu_align_decl(CuContext *cu, Decl *decl, int64_t align, Span span);

TypeSyntax *cu_new_type_syntax(CuContext *cu, TypeSyntaxKind kind, Span span);
// A copy.
TypeSyntax *cu_without_const(CuContext *cu, const TypeSyntax *type);
TypeSyntax *cu_word_type(CuContext *cu, const char *word, Span span);
TypeSyntax *cu_pointer_type(CuContext *cu, TypeSyntax *pointee, Span span);
TypeSyntax *cu_array_type(CuContext *cu, TypeSyntax *element, Expr *extent,
                          Span span);
// How a C++ type is written in Heddle C; what it needs is declared first.
TypeSyntax *cu_emit_type(CuContext *cu, const CuType *type, Span span);
// Extents of the made type as they were written, where they are plain.
void cu_write_extents(CuContext *cu, const CxType *written, TypeSyntax *made);

#endif
