// SPDX-License-Identifier: Apache-2.0
// What the tokens of host functions, which are not parsed, say about their
// variables.
#ifndef HD_CUDA_CX_HOST_H
#define HD_CUDA_CX_HOST_H

#include "cuda/cx_ast.h"

// How often the body may change `name` (interned): assignments, `++`, `>>`, its
// address, its members. Its declaration at token `declared_at` doesn't count.
uint32_t cx_count_changes(const CxUnit *unit, const CxDecl *function,
                          const char *name, uint32_t declared_at);

// The tokens, a part of the body, neither change `name` (interned) nor declare
// another one, and its address is nowhere taken.
bool cx_is_kept(const CxUnit *unit, const CxDecl *function, CxTokens tokens,
                const char *name);

// The bytes of the one cudaMalloc(&name, bytes) in the body, if nothing else
// changes `name`.
bool cx_find_allocation(const CxUnit *unit, const CxDecl *function,
                        const char *name, CxTokens *bytes);

#endif
