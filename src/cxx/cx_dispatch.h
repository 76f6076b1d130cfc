// SPDX-License-Identifier: Apache-2.0
// Macros of headers that aren't there and choose a type when the program runs:
// AT_DISPATCH_FLOATING_TYPES(type, "name", [&] { k<scalar_t><<<…>>>(…); }).
#ifndef HD_CXX_CX_DISPATCH_H
#define HD_CXX_CX_DISPATCH_H

#include "cxx/cx_ast.h"

typedef enum {
  CX_CHOSEN_NONE,  // the token isn't in such a macro's arguments
  CX_CHOSEN_FLOAT, // float is one of the types
  CX_CHOSEN_INT,   // int is one of them, as the macro's name says
} CxChosen;

// Which type `name`, if nothing declares it, may stand for at token `at`.
CxChosen cx_chosen_type(const CxUnit *unit, const char *name, uint32_t at);

#endif
