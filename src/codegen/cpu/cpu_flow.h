// SPDX-License-Identifier: Apache-2.0
// The walk that finds shapes and where masks split, between its files.
#ifndef HD_CODEGEN_CPU_CPU_FLOW_H
#define HD_CODEGEN_CPU_CPU_FLOW_H

#include "codegen/cpu/cpu_plan.h"

typedef struct {
  CpuPlan *plan;
  Arena *scratch;
  CpuShape *env; // by leaf of variables
  uint32_t depth;
  bool changed;
} CpuPass;

static inline CpuShape *cpu_pass_leaves(const CpuPass *pass,
                                        const IrNode *node) {
  return &pass->plan->shapes[pass->plan->node_leaf[node->id]];
}

static inline uint32_t cpu_pass_count(const CpuPass *pass, const IrNode *node) {
  const CpuPlan *plan = pass->plan;
  return plan->node_leaf[node->id + 1] - plan->node_leaf[node->id];
}

// Results of a collective, leaf by leaf.
void cpu_pass_collective(const CpuPass *pass, const IrNode *node, CpuShape *out,
                         uint32_t n);
// What any other node than one of control makes of its operands.
void cpu_pass_value(CpuPass *pass, IrNode *node);

#endif
