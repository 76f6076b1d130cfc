// SPDX-License-Identifier: Apache-2.0
// Functions: their instances, choosing among them, calling them.
#ifndef HD_CUDA_FORM_CU_FUNCTION_H
#define HD_CUDA_FORM_CU_FUNCTION_H

#include "cuda/form/cu_value.h"

// The instance of a function or function template with its signature. NULL:
// it can't be made; reported unless in a trial.
CuFunction *cu_instance(CuContext *cu, CuEntity *entity, CuArgs args);
// The same declaration with a body, its parameters' defaults collected.
// Links what was declared several times; true: a later one stands for it.
bool cu_is_repeated(CuContext *cu, CuEntity *entity);
// The default argument of parameter `index`, NULL: none.
const CxExpr *cu_default_argument(CuContext *cu, const CuFunction *function,
                                  uint32_t index);
uint32_t cu_required_count(CuContext *cu, const CuFunction *function);
// The way to pass arguments that `by_pointer` says.
CuFunction *cu_variant(CuContext *cu, CuFunction *function,
                       uint64_t by_pointer);
// What it is called in Heddle C, before arguments and classes are added: a word
// for operators, too.
const char *cu_function_word(CuContext *cu, const CuFunction *function);
// Puts the function into the output. False: an error was reported.
bool cu_translate_function(CuContext *cu, CuFunction *function, Span call);

#endif
