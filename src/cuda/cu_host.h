// SPDX-License-Identifier: Apache-2.0
// Numbers of host code, as far as they are known: constants, and expressions
// over variables whose values aren't.
//
// Host code is not translated. An expression is followed through variables that
// nothing changes after their initialisers, and through functions that are one
// `return`. All numbers are taken to be whole and not to overflow: what is
// found is trusted, and listed.
#ifndef HD_CUDA_CU_HOST_H
#define HD_CUDA_CU_HOST_H

#include "cuda/cu.h"

typedef enum {
  CU_HOST_NUMBER,
  CU_HOST_VARIABLE, // what it holds at the launch
  CU_HOST_ADD,
  CU_HOST_SUB,
  CU_HOST_MUL,
  CU_HOST_DIV,
  CU_HOST_CDIV, // rounded up
  CU_HOST_REM,
  CU_HOST_MIN,
  CU_HOST_MAX,
} CuHostKind;

typedef struct CuHost {
  CuHostKind kind;
  int64_t number;
  const char *name; // interned
  const struct CuHost *a, *b;
} CuHost;

typedef struct {
  CuContext *cu;
  const CxLaunch *launch;
  // Variables have the values of their initialisers, whatever changes them: for
  // a guess.
  bool is_loose;
  uint32_t depth;
} CuHostReader;

// The expression that the tokens are; NULL: they aren't one.
const CxExpr *cu_host_parse(const CuHostReader *reader, CxTokens tokens);
// Its value at the launch; NULL: not known.
const CuHost *cu_host_term(CuHostReader *reader, const CxExpr *expr);
// Three dimensions, as a dim3 or a number; false: none is known. Of those that
// aren't dims[i] is NULL.
bool cu_host_dims(CuHostReader *reader, const CxExpr *expr,
                  const CuHost *dims[3]);
// What `cudaMalloc(&name, bytes)` gave the variable; NULL: not known.
const CuHost *cu_host_bytes(CuHostReader *reader, const char *name);

bool cu_host_equal(const CuHost *a, const CuHost *b);
// a / by, if that has no rest.
const CuHost *cu_host_divide(CuContext *cu, const CuHost *a, int64_t by);

#endif
