// SPDX-License-Identifier: Apache-2.0
// Parameter packs. A pack is an entity whose elements are entities: types and
// values of a template's pack, variables of a function's. What stands before
// `...` is translated once for each element, in a scope where the names of the
// packs mean that element.
#ifndef HD_CUDA_FORM_CU_PACK_H
#define HD_CUDA_FORM_CU_PACK_H

#include "cuda/form/cu_value.h"

// The packs that an expansion goes through together.
typedef struct {
  CuEntityVec packs;
  uint32_t count; // elements of each
} CuPacks;

// False: an error was reported.
bool cu_find_packs(CuContext *cu, const CxPackNames *names, Span span,
                   CuPacks *out);
// The current scope with the names of packs meaning their element `index`.
CuScope *cu_pack_scope(CuContext *cu, const CuPacks *packs, uint32_t index);

// Lists with their expansions written out as ELEMENT nodes.
CxExprList cu_expanded(CuContext *cu, const CxExprList *list);
const CxExpr *cu_expanded_init(CuContext *cu, const CxExpr *list);
// A fold as the binary expressions that it stands for; NULL: an error was
// reported, or nothing is left of it (`*value` is what it has then).
const CxExpr *cu_unfolded(CuContext *cu, const CxExpr *fold, CuValue *value);
CuValue cu_fold_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_element_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_sizeof_pack(CuContext *cu, const CxExpr *expr);

// The arguments with those of packs among the others.
CuArgs cu_flat_args(CuContext *cu, CuArgs args);

// Parameters of functions: first the packs, which may stay empty, then each
// parameter, in the current scope.
void cu_declare_packs(CuContext *cu, const CxDeclList *params);
void cu_declare_param(CuContext *cu, CuVariable *variable, const char *name,
                      const CuParam *param, CxDecl *decl);
// The type of each parameter, those of packs written out. False: an error was
// reported.
bool cu_add_params(CuContext *cu, const CxDeclList *written, CuFunction *out);
// Whether the last parameter is a pack.
bool cu_ends_in_pack(const CxDeclList *params);
// The name of a parameter in the function's definition, "xs_1" where it is one
// of a pack (as it is wished for in the output).
const char *cu_param_name(const CuFunction *function, uint32_t index);
const char *cu_param_wish(CuContext *cu, const CuFunction *function,
                          uint32_t index);

#endif
