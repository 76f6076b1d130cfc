// SPDX-License-Identifier: Apache-2.0
// What the tokens of host functions, which are not parsed, say about their
// variables.
#ifndef HD_CUDA_HOST_CX_HOST_H
#define HD_CUDA_HOST_CX_HOST_H

#include "cxx/cx_ast.h"

struct CxParser;

// The variable at token `pos` may be changed there: assignments, `++`, `>>`,
// its address, its members, calls that may take a reference.
bool cx_changes_at(const struct CxParser *cx, uint32_t pos);

// `=`, `+=` and its kin, `++` or `--` stands at `pos`.
bool cx_assigns_at(const struct CxParser *cx, uint32_t pos);

#define CX_OPENER_FAR UINT32_MAX // too far to look

// The bracket that is open at `pos`; 0: none in this statement.
uint32_t cx_opener_before(const struct CxParser *cx, uint32_t pos);

// `int x`, `T x`: another variable of that name, from token `pos` on.
bool cx_declares_at(const struct CxParser *cx, uint32_t pos);
// Another variable of that name (interned) is declared in the tokens.
bool cx_is_declared_in(const struct CxParser *cx, CxTokens tokens,
                       const char *name);

// Behind `x.a.b`, which begins at token `pos`.
uint32_t cx_behind_members(const struct CxParser *cx, uint32_t pos);

// Its address is taken in the body, and is kept. A call that is passed it is
// taken to be done with it (cx_is_lent), as one that takes a reference is.
bool cx_is_shared(const struct CxParser *cx, CxTokens body, const char *name);
// Its address is passed to a call that isn't CUDA's, or is kept.
bool cx_is_address_passed(const struct CxParser *cx, CxTokens tokens,
                          const char *name);

// A `goto` in the function may lead to token `at` by another way than from the
// start: its label stands before it, or isn't found. One to a label behind it,
// `goto done`, leaves what leads there as it is.
bool cx_may_jump_to(const struct CxParser *cx, const CxDecl *function,
                    uint32_t at);

// The variable gets its value from cudaOccupancy…(…, &name, …) in the tokens.
bool cx_is_from_occupancy(const CxUnit *unit, CxTokens tokens,
                          const char *name);

// The tokens, a part of the body, neither change `name` (interned) nor declare
// another one, and its address is nowhere kept.
bool cx_is_kept(const CxUnit *unit, const CxDecl *function, CxTokens tokens,
                const char *name);

// The bytes of the one cudaMalloc(&name, bytes) in the body, if nothing else
// changes `name`.
bool cx_find_allocation(const CxUnit *unit, const CxDecl *function,
                        const char *name, CxTokens *bytes);

// Where cudaMallocPitch(…, &name, bytes, …) stands, if that is all that changes
// the variable in the body; 0: it doesn't.
uint32_t cx_find_pitch(const CxUnit *unit, const CxDecl *function,
                       const char *name, uint32_t at, CxTokens *bytes);

// Takes the first of the arguments of a call off `rest`, which are between
// commas; false: there is none left.
bool cx_next_argument(const CxUnit *unit, CxTokens *rest, CxTokens *out);
bool cx_split_argument(const struct CxParser *cx, CxTokens *rest,
                       CxTokens *out);

// {a, b, } without braces and the last comma; others as they are.
CxTokens cx_inside_braces(const CxUnit *unit, CxTokens tokens);

// What stands in the braces of `dim3 name[…] = {…}`, if that is the only array
// of the name and nothing changes an element; false: it isn't found.
bool cx_find_dims(const CxUnit *unit, const CxDecl *function, const char *name,
                  uint32_t at, CxTokens *list);

// The list of the last `void *name[] = {…}` before token `at`; false: none.
bool cx_find_pointers(const CxUnit *unit, const CxDecl *function,
                      const char *name, uint32_t at, CxTokens *list);

#endif
