// SPDX-License-Identifier: Apache-2.0
// The IR's own rules, and its text form.
#ifndef HD_IR_VERIFY_VERIFY_H
#define HD_IR_VERIFY_VERIFY_H

#include "diag/diag.h"
#include "ir/form/ir.h"

// NULL when the module keeps every rule of ir.h and ops.def; otherwise what is
// wrong and where, from the module's arena.
const char *ir_verify(const IrModule *module);

// Reads the text that ir_print writes (first line "heddle-ir 1"). Errors go to
// `diags`; NULL then. The result is verified. Hostile text is safe.
IrModule *ir_parse(Arena *arena, SourceText *source, DiagEngine *diags);

#endif
