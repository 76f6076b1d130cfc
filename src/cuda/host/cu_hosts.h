// SPDX-License-Identifier: Apache-2.0
// Host functions that launch: where their names are looked up, and which
// instances of templates the file makes of them.
//
// An instance is known by texts, so that it can be found again in another
// context: "<float, 4>".
#ifndef HD_CUDA_HOST_CU_HOSTS_H
#define HD_CUDA_HOST_CU_HOSTS_H

#include "cuda/form/cu.h"

typedef struct {
  CxDecl *function;
  const char *record; // arguments of the class template that it is a member of
  const char *args;   // its own; NULL: none, or not known
} CuHostFunction;

typedef struct {
  CuHostFunction *data;
  uint32_t count;
} CuHostFunctions;

// The scope that the body stands in, parameters of templates bound as far as
// they are known. NULL: it isn't found.
CuScope *cu_host_scope(CuContext *cu, const CuHostFunction *host);

// Those that explicit instantiations and calls in the file make; one whose
// parameters aren't bound if there are none.
CuHostFunctions cu_host_functions(CuContext *cu, CxDecl *function);

// Arguments that are not written where an instantiation names a function
// template without them: from the types of its parameters. False: not known.
bool cu_declared_args(CuContext *cu, const CuEntity *entity,
                      const CxDecl *instantiation, CuArgs *out);

// --- types of host expressions ---

// A scope inside of `outer`, the host function's, with those of its variables
// that `names` may be, as far as their types are known.
CuScope *cu_typed_scope(CuContext *cu, CxDecl *function, CuScope *outer,
                        CxTokens names, uint32_t at);
// The same with types alone.
CuScope *cu_types_scope(CuContext *cu, CxDecl *function, CuScope *outer,
                        CxTokens names, uint32_t at);
// False: its type isn't known. The value is none to be translated.
bool cu_typed_value(CuContext *cu, CuScope *scope, const CxExpr *expr,
                    CuValue *out);
// The arguments of `part` (or NULL) and of the call's values for a function
// template; `known[i]` false: the type of that value isn't known.
bool cu_called_args(CuContext *cu, CuScope *scope, const CuEntity *entity,
                    const CxNamePart *part, CuValues values, const bool *known,
                    CuArgs *out);

#endif
