// SPDX-License-Identifier: Apache-2.0
// Lowering: from the typed tree to the IR.
//
// Expects  a TKernel that sema gave without errors, and the source text that
//          its spans are in.
// Gives    one IrKernel at the end of module->kernels, numbered densely; file
//          scope objects that it uses are in module->globals, each once.
// Owns     nothing: the IR lives in the module's arena, scratch memory is
//          freed before the function returns.
// Leaves   uniformity, joins (all JOIN_OPEN) and clean-up to the passes of
//          ir/analyses/analysis.h.
//
//   typed tree -scan-> uses of variables -bind-> variables, objects, values
//              -expressions, statements-> nodes; calls inlined as regions
#ifndef HD_LOWER_LOWER_H
#define HD_LOWER_LOWER_H

#include "diag/diag.h"
#include "ir/form/ir.h"
#include "sema/type/typed.h"

// NULL when the program is too big once its calls are inlined; that was then
// reported. Array facts (IrObject.facts) are 0 and may be set afterwards.
__attribute__((warn_unused_result)) IrKernel *lower_kernel(IrModule *module,
                                                           const TKernel *tree,
                                                           SourceText *source,
                                                           DiagEngine *diags);

#endif
