// SPDX-License-Identifier: Apache-2.0
// Variables of host functions that a call may change, as it takes a reference.
#ifndef HD_CUDA_HOST_CX_PASSED_H
#define HD_CUDA_HOST_CX_PASSED_H

#include "cxx/cx_ast.h"

struct CxParser;

// The name from token `pos` to `end` is an argument of a call that may set it:
// of a function of the file with such a parameter, or of one that isn't seen.
// Launches, the library of C++ and CUDA's, methods of unseen classes and macros
// (by their names) are taken to leave numbers as they are.
bool cx_may_be_set(const struct CxParser *cx, uint32_t pos, uint32_t end);

// Nothing is done with the object `name` (interned) from token `from` until
// `at`, in any turn of a loop, but that it is asked for what it has or passed
// to what doesn't change it; it has no other name.
bool cx_is_only_asked(const CxUnit *unit, const CxDecl *function,
                      const char *name, uint32_t from, uint32_t at);

// The address that the `&` at token `amp` takes is an argument, `f(&x)`, of a
// call that is taken to be done with it on return, as it is with a reference:
// no declarator, no method that puts it into a container, and nothing is read
// or written through what it gives.
bool cx_is_lent(const struct CxParser *cx, CxTokens body, uint32_t amp);

// A function of C++'s or CUDA's libraries, or a macro by its name; space: what
// qualifies it, or NULL.
bool cx_is_library(const char *space, const char *name);

// A call that a token is in an argument of.
typedef struct {
  const char *name; // the last of `n::f`, or the class of `T(…)`, `T{…}`
  const char *variable; // v of `T v(…)`, or NULL
  uint32_t first, open; // where its name begins; the bracket
  uint32_t index;       // of the argument
  bool is_library;      // of C++ or CUDA, or a macro by its name
} CxCall;

// The innermost one around the token; false: none. `T v(…)` is one of T.
bool cx_call_around(const struct CxParser *cx, uint32_t pos, CxCall *out);

// A method that gives a size of its object: size, numel …
bool cx_asks_size(const char *method);

#endif
