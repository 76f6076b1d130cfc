// SPDX-License-Identifier: Apache-2.0
// Nests of loops that matrix registers run at once: see Note [Nests of
// products] in cpu_matrix.c.
#ifndef HD_CODEGEN_CPU_MATRIX_CPU_MATRIX_H
#define HD_CODEGEN_CPU_MATRIX_CPU_MATRIX_H

#include "codegen/cpu/cpu_plan.h"

enum { CPU_LINEAR_TERMS = 8 };

// constant + row * (the row) + k * (the link) + lane * (the lane) + the terms,
// values from before the nest: nodes that stand there, or a get of a variable.
typedef struct {
  int64_t constant, row, k, lane;
  uint32_t n_terms;

  struct {
    const IrNode *node;
    bool is_inside; // of the nest: a variable's value there
    int64_t times;
  } terms[CPU_LINEAR_TERMS];
} CpuLinear;

typedef struct {
  const IrObject *object;
  CpuLinear at; // in bytes
} CpuMatrixPlace;

typedef struct {
  IrOp link;         // fdot2, dot4 or its kin
  bool is_swapped;   // it has B's word before A's
  bool is_from_zero; // sums begin as 0, not as those of memory
  uint32_t n_rows;
  CpuLinear n_words; // links of a chain
  CpuMatrixPlace sums, a, b;
  uint32_t sum_var;
} CpuMatrix;

// The loop is such a nest.
bool cpu_matrix_find(const CpuPlan *plan, const IrNode *loop, CpuMatrix *out);

#endif
