// SPDX-License-Identifier: Apache-2.0
// Where a name that nobody declares may come from.
#ifndef HD_CXX_CX_MISSING_H
#define HD_CXX_CX_MISSING_H

#include "cxx/cx_ast.h"
#include "diag/diag.h"

// Adds what helps against "'name' is not declared": the header of CUDA that
// declares it, or those that were not found.
void cx_note_missing(const CxUnit *unit, Diag *diag, const char *name);
// Words for the library whose namespace the name begins with, NULL: none that
// is known.
const char *cx_library_of(const CxName *name);

#endif
