// SPDX-License-Identifier: Apache-2.0
// Whether two pointers of host code lead into one array.
#ifndef HD_CUDA_HOST_CU_POINTERS_H
#define HD_CUDA_HOST_CU_POINTERS_H

#include "cuda/host/cu_host.h"

typedef enum {
  CU_POINTERS_APART,   // as far as is known
  CU_POINTERS_SAME,    // one place
  CU_POINTERS_OVERLAP, // they may lead to one array at different places
} CuPointers;

// Of two arguments of the reader's launch. Variables are followed to what they
// got last; `p + n` and `&p[n]` lead where p does.
CuPointers cu_compare_pointers(const CuHostReader *reader, const CxExpr *a,
                               const CxExpr *b);
// The array of file scope that an argument leads into: a managed one, or that
// of cudaGetSymbolAddress. NULL: none is known.
const char *cu_pointer_symbol(const CuHostReader *reader, const CxExpr *arg);
// The member `index` of what an expression of a class type gives: of a list its
// item, of a variable `x.m`. NULL: not known.
const CxExpr *cu_pointer_member(const CuHostReader *reader, const CxExpr *whole,
                                const CuRecord *record, uint32_t index);
// It isn't followed to one place that holds it: not known, or a member of a
// variable that got a value in another way.
bool cu_pointer_is_open(const CuHostReader *reader, const CxExpr *arg);
// The class that a variable is declared with; NULL: it is none.
const CuRecord *cu_pointer_record(const CuHostReader *reader,
                                  const CxHostVar *var);
// Of two parameters of the function that launches: what calls of it in the file
// pass (cu_host_caller.c).
CuPointers cu_compare_called(const CuHostReader *reader, const char *a,
                             const char *b);

#endif
