// SPDX-License-Identifier: Apache-2.0
// Template arguments from types: of function arguments, and of the arguments
// of a partial specialisation.
#ifndef HD_CUDA_FORM_CU_DEDUCE_H
#define HD_CUDA_FORM_CU_DEDUCE_H

#include "cuda/form/cu.h"

typedef struct {
  const CxTemplate *template;
  CuScope *outer; // where other names of patterns are looked up
  CuArg *args;
  bool *known;
  bool is_explicit; // some are given
} CuDeduction;

CuDeduction cu_deduction(CuContext *cu, const CxTemplate *template,
                         CuScope *outer);
// Whether a parameter of the template stands in the type.
bool cu_mentions(const CxType *pattern, const CxTemplate *template);
// The pattern with the arguments found is `actual`. Nothing is reported.
bool cu_deduce(CuContext *cu, CuDeduction *deduction, const CxType *pattern,
               const CuType *actual);
// For a function parameter declared as `pattern` and an argument.
bool cu_deduce_param(CuContext *cu, CuDeduction *deduction,
                     const CxType *pattern, const CuValue *argument);
// For a parameter pack of that pattern and all arguments that are left.
bool cu_deduce_pack(CuContext *cu, CuDeduction *deduction,
                    const CxType *pattern, CuValues args);
// Arguments of a specialisation. `is_whole`: there are no more than those.
bool cu_deduce_args(CuContext *cu, CuDeduction *deduction,
                    const CxNamePart *pattern, CuArgs actual, bool is_whole);

#endif
