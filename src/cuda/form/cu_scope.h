// SPDX-License-Identifier: Apache-2.0
// Scopes, entities, and finding them by name.
#ifndef HD_CUDA_FORM_CU_SCOPE_H
#define HD_CUDA_FORM_CU_SCOPE_H

#include "cuda/form/cu.h"

CuScope *cu_new_scope(CuContext *cu, CuScopeKind kind, CuScope *parent);
// Appends to those of the same name.
CuEntity *cu_declare(CuContext *cu, CuScope *scope, CuEntityKind kind,
                     const char *name, CxDecl *decl);
// All declarations of a class or a block.
void cu_declare_all(CuContext *cu, CuScope *scope, const CxDeclList *decls);
// The namespaces of a file; what is in them, once its name is asked for.
void cu_declare_file(CuContext *cu, CuScope *scope, const CuIndex *index);
// The first entity of that name that `scope` itself declares, or NULL.
CuEntity *cu_named(CuContext *cu, CuScope *scope, const char *name);
// The one that is declared by `decl`, or NULL.
CuEntity *cu_entity_of(CuContext *cu, CuScope *scope, const CxDecl *decl);
// The names of template parameters, bound.
void cu_bind(CuContext *cu, CuScope *scope, const CxTemplate *template,
             CuArgs args);

void cu_bind_one(CuContext *cu, CuScope *scope, CxDecl *param,
                 const CuArg *arg);

// Makes `scope` the current one and returns the one before.
CuScope *cu_set_scope(CuContext *cu, CuScope *scope);
void cu_push_block(CuContext *cu);
void cu_pop_block(CuContext *cu);

// Finds what `name` means in `scope` and around it; false: nothing.
bool cu_lookup(CuContext *cu, CuScope *scope, const char *name,
               CuEntityVec *found);
// Likewise for a name that stands at `at` (0: anywhere): what the file declares
// before it; only if there is nothing, what it declares behind it.
bool cu_lookup_at(CuContext *cu, CuScope *scope, const char *name, uint32_t at,
                  CuEntityVec *found);
// Only in `scope` and its bases; if there is nothing, in namespaces that it
// uses.
bool cu_lookup_in(CuContext *cu, CuScope *scope, const char *name,
                  CuEntityVec *found);
bool cu_lookup_in_at(CuContext *cu, CuScope *scope, const char *name,
                     uint32_t at, CuEntityVec *found);
// Functions of the namespace that is or is around `scope`, for an argument of
// a call: those that stand before `at` (0: all).
void cu_lookup_by_argument(CuContext *cu, CuScope *scope, const char *name,
                           uint32_t at, CuEntityVec *found);
// The file declares it behind `at` only.
bool cu_is_later(CuContext *cu, CuEntity *entity, uint32_t at);
// The namespace or class around what is declared in `scope`.
CuScope *cu_namespace_of(CuScope *scope);

#endif
