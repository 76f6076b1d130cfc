// SPDX-License-Identifier: Apache-2.0
// Variables: of functions, at file scope, and seen from lambdas.
#ifndef HD_CUDA_FORM_CU_LOCAL_H
#define HD_CUDA_FORM_CU_LOCAL_H

#include "cuda/form/cu.h"

// A variable of the current function, not declared in any scope yet. `wanted`
// becomes its name if no block around uses it.
CuVariable *cu_new_local(CuContext *cu, const char *wanted, const CuType *type);
// Makes it known under `name`.
void cu_declare_local(CuContext *cu, CuVariable *variable, const char *name,
                      CxDecl *decl);
// Adds its declaration to the current block.
Decl *cu_add_local(CuContext *cu, CuVariable *variable, Expr *init, Span span);
// The same, `init` being assigned behind it: see Note [Own initialisers].
Decl *cu_add_split(CuContext *cu, CuVariable *variable, Expr *init, Span span);
// Makes the name known while the initialiser of a variable is translated that
// can't be declared without it. `type`: NULL where only the initialiser says
// it.
void cu_declare_early(CuContext *cu, CxDecl *decl, const CuType *type);

// What stands for `variable` in the function that is being translated: itself,
// or one more parameter of it.
CuVariable *cu_seen_from_here(CuContext *cu, CuVariable *variable, Span span);
// Then the variable is one that this function makes.
void cu_note_made(CuContext *cu, const CuVariable *variable);
// The kernel's frame.
CuFrame *cu_root_frame(CuContext *cu);
// For an expression that leaves no trace in the function: what would stand in
// front of it goes to `dropped`.
CuFrame cu_apart_frame(const CuContext *cu, CuStmtVec *dropped);

// The variable of a file scope entity, put into the output. NULL: an error was
// reported.
CuVariable *cu_file_variable(CuContext *cu, CuEntity *entity, Span span);
// The instance of a variable template that `part` names, any other variable
// itself; NULL: an error was reported.
CuEntity *cu_variable_instance(CuContext *cu, CuEntity *entity,
                               const CxNamePart *part);
// `wanted`, or with a number, so that no block around has it.
const char *cu_free_local_name(CuContext *cu, const char *wanted);
// Shared memory of the kernel that no declaration of the source stands for.
CuVariable *cu_new_shared(CuContext *cu, const char *name, const CuType *type,
                          Span span);
// A __shared__ array of a function, which is the kernel's.
CuVariable *cu_shared_variable(CuContext *cu, CxDecl *decl, const CuType *type);
// What shared memory of an earlier kernel, that a function of both needs, is in
// this one; NULL: nothing.
CuVariable *cu_shared_again(CuContext *cu, CuVariable *earlier, Span span);

// Objects whose end would have to do something.
void cu_refuse_destructor(CuContext *cu, const CuType *type, Span span);
// A declaration in a block.
void cu_local_declaration(CuContext *cu, CxDecl *decl);
void cu_static_assert(CuContext *cu, const CxDecl *decl);
// A reference to `value` under a name that the source can't have.
CuVariable *cu_bind_hidden(CuContext *cu, const char *name, CuValue value,
                           Span span);
// One with `auto [a, b]`.
void cu_binding(CuContext *cu, CxDecl *decl);

// That of the function around: not of a body that takes the place of a call.
CuFrame *cu_real_frame(CuFrame *frame);
// The scope around in the output: where a body takes the place of a call, that
// of the caller.
const CuScope *cu_block_around(const CuScope *scope);
// The value stands wherever the variable is named.
void cu_bind_substitute(CuVariable *variable, CuValue value);
// The variable is another name for what the value is, or a pointer to it.
void cu_bind_reference(CuContext *cu, CuVariable *variable, CuValue value,
                       Span span);

#endif
