// SPDX-License-Identifier: Apache-2.0
// Places of a file that name something, by tokens alone, and what variables of
// host functions are declared as.
#ifndef HD_CUDA_HOST_CX_MENTIONS_H
#define HD_CUDA_HOST_CX_MENTIONS_H

#include "cxx/cx_ast.h"

// The next token from `at` on that is `name` (interned) with `<` or `(` behind
// it; false: there is none.
bool cx_next_mention(const CxUnit *unit, const char *name, uint32_t *at);

// The function whose body the token stands in; NULL: none.
CxDecl *cx_function_at(const CxUnit *unit, uint32_t at);
// The file is a program by itself.
bool cx_has_main(const CxUnit *unit);
// Only kernels and what they call can call it.
bool cx_is_for_devices(const CxDecl *function);

// The name with its template arguments that begins at token `at`; *behind: the
// token behind it. NULL: it isn't one.
const CxName *cx_name_at(CxUnit *unit, CxDecl *function, uint32_t at,
                         uint32_t *behind);

// Host code of the file names the variable (`name` interned) in a way that may
// give it another value: cudaMemcpyToSymbol(name, …), fill(name), &name. Any
// use in a host function is such a way; in what is also compiled for devices,
// and at file scope, one that isn't read or declared there.
bool cx_host_may_write(const CxUnit *unit, const char *name);

// What stands in the `(…)` that begins at token `at`; false: nothing does.
bool cx_arguments_at(const CxUnit *unit, uint32_t at, CxTokens *out);
// The expression that the tokens are; NULL: they aren't one, or there are none.
const CxExpr *cx_parse_part(CxUnit *unit, CxDecl *function, CxTokens tokens);

// The declaration of the local variable or type `name` that is seen at token
// `at`; NULL: none is found.
CxDecl *cx_find_local(CxUnit *unit, CxDecl *function, const char *name,
                      uint32_t at);

// The tokens that begin in the span.
CxTokens cx_tokens_of(const CxUnit *unit, Span span);

// Names in the tokens that may be variables; each once, at most `most`.
uint32_t cx_names_in(const CxUnit *unit, CxTokens tokens, uint32_t most,
                     const char **names);

#endif
