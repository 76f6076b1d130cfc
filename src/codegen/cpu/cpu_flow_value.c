// SPDX-License-Identifier: Apache-2.0
// Shapes of values, for the walk of cpu_flow.c.
#include "codegen/cpu/cpu_flow.h"
#include "codegen/cpu/cpu_plan.h"

#include <string.h>

static void shape_rank(const CpuPass *pass, const IrNode *node, CpuShape *out) {
  const CpuPlan *plan = pass->plan;
  const IrGroup *group = node->u.group.group;
  switch ((int)node->op) {
  case IR_RANK: *out = cpu_rank_shape(plan, group); break;
  case IR_META_RANK: *out = cpu_part_shape(plan, group); break;
  case IR_SIZE: *out = cpu_size_shape(plan, group); break;
  default: *out = cpu_parts_shape(plan, group); break;
  }
}

void cpu_pass_collective(const CpuPass *pass, const IrNode *node, CpuShape *out,
                         uint32_t n) {
  const CpuShape *value = cpu_pass_leaves(pass, node->args[0]);
  bool is_row = cpu_pass_count(pass, node->args[0]) == n;
  for (uint32_t i = 0; i < n; i++)
    out[i] = cpu_collective_shape(pass->plan, node,
                                  is_row ? value[i] : cpu_varying());
}

// A token is what the barrier of the strand's part said; one a lane for
// mbarriers.
static CpuShape shape_of_effect(const CpuPass *pass, const IrNode *node) {
  const CpuPlan *plan = pass->plan;
  const IrGroup *group = cpu_node_group(node);
  if (node->op == IR_MAKE_GROUP)
    return code_is_lane_set(group) && !cpu_is_one_part(plan, group)
               ? cpu_varying()
               : cpu_uniform();
  if (node->op == IR_ARRIVE)
    return cpu_is_one_part(plan, group) ? cpu_uniform() : cpu_varying();
  bool is_by_lane = ir_gives_phase(node) || node->op == IR_MBAR_TEST ||
                    node->op == IR_MBAR_TEST_TOKEN;
  return is_by_lane ? cpu_varying() : cpu_uniform();
}

static void shape_memory(const CpuPass *pass, const IrNode *node, CpuShape *out,
                         uint32_t n) {
  const CpuPlan *plan = pass->plan;
  CodeOperands at = code_operands(node);
  const IrAccess *access = &node->u.access;
  CpuShape address = cpu_access_shape(plan, node);
  bool is_own = access->object && access->object->space == SPACE_LOCAL;
  CpuShape shape = cpu_varying();
  if (node->op == IR_ADDRESS)
    shape = is_own ? cpu_varying() : address;
  else if (node->op == IR_LOAD && address.kind == CPU_UNIFORM && !is_own &&
           (at.guard < 0 ||
            cpu_node_shape(plan, node->args[at.guard]).kind == CPU_UNIFORM))
    shape = cpu_uniform();
  if (plan->lanes == 1)
    shape = cpu_uniform();
  for (uint32_t i = 0; i < n; i++)
    out[i] = shape;
}

static void shape_pack(const CpuPass *pass, const IrNode *node, CpuShape *out) {
  for (uint32_t i = 0; i < node->n_args; i++)
    for (uint32_t k = 0; k < cpu_pass_count(pass, node->args[i]); k++)
      *out++ = cpu_without_form(cpu_pass_leaves(pass, node->args[i])[k]);
}

static void shape_member(const CpuPass *pass, const IrNode *node, CpuShape *out,
                         uint32_t n) {
  const IrModule *module = pass->plan->module;
  const CpuShape *whole = cpu_pass_leaves(pass, node->args[0]);
  uint32_t first =
      code_leaf_of_member(module, node->args[0]->type, node->u.index.number);
  if (node->op == IR_EXTRACT) {
    memcpy(out, whole + first, n * sizeof(*out));
    return;
  }
  memcpy(out, whole, n * sizeof(*out));
  for (uint32_t k = 0; k < cpu_pass_count(pass, node->args[1]); k++)
    out[first + k] = cpu_without_form(cpu_pass_leaves(pass, node->args[1])[k]);
}

static void shape_select_leaves(const CpuPass *pass, const IrNode *node,
                                CpuShape *out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    CpuShape args[3] = {cpu_pass_leaves(pass, node->args[0])[0],
                        cpu_pass_leaves(pass, node->args[1])[i],
                        cpu_pass_leaves(pass, node->args[2])[i]};
    out[i] = cpu_shape_op(pass->plan, node, args);
  }
}

static void shape_bitcast(const CpuPass *pass, const IrNode *node,
                          CpuShape *out, uint32_t n) {
  bool is_uniform = true;
  for (uint32_t i = 0; i < cpu_pass_count(pass, node->args[0]); i++)
    is_uniform &= cpu_pass_leaves(pass, node->args[0])[i].kind == CPU_UNIFORM;
  for (uint32_t i = 0; i < n; i++)
    out[i] = is_uniform ? cpu_uniform() : cpu_varying();
}

static CpuShape shape_thread_index(const CpuPlan *plan, const IrNode *node) {
  const int32_t *dim = plan->kernel->block_dim;
  CpuShape rank = plan->ranks[GROUP_ROW_BLOCK], inner, part;
  uint32_t number = node->u.index.number;
  if (dim[1] == 1 && dim[2] == 1) {
    CpuShape zero = cpu_uniform();
    zero.is_nonneg = true;
    return number == 0 ? rank : zero;
  }
  cpu_split_shapes(rank, dim[0], &inner, &part);
  if (number == 0)
    return inner;
  if (dim[2] == 1)
    return part;
  CpuShape plane_inner, plane_part;
  cpu_split_shapes(rank, (int64_t)dim[0] * dim[1], &plane_inner, &plane_part);
  if (number == 2)
    return plane_part;
  // y = rank / x % height: uniform when a row holds whole warps.
  return part.kind == CPU_UNIFORM ? part : cpu_varying();
}

static void shape_claim(const CpuPass *pass, const IrNode *node, CpuShape *out,
                        uint32_t n) {
  IrGroupKind kind = node->u.group.group->kind;
  bool is_wide =
      kind == GROUP_BLOCK || kind == GROUP_GRID || kind == GROUP_CLUSTER;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = cpu_without_form(cpu_pass_leaves(pass, node->args[0])[i]);
    if (is_wide)
      out[i] = cpu_uniform();
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

void cpu_pass_value(CpuPass *pass, IrNode *node) {
  CpuPlan *plan = pass->plan;
  uint32_t n = cpu_pass_count(pass, node);
  CpuShape *out = cpu_pass_leaves(pass, node);
  switch (node->op) {
  case IR_GET: {
    uint32_t leaf = plan->var_leaf[node->u.variable.var];
    for (uint32_t i = 0; i < n; i++)
      out[i] = pass->env[leaf + i].kind == CPU_NONE ? cpu_uniform()
                                                    : pass->env[leaf + i];
    return;
  }
  case IR_SET: {
    uint32_t leaf = plan->var_leaf[node->u.variable.var];
    for (uint32_t i = 0; i < cpu_pass_count(pass, node->args[0]); i++)
      pass->env[leaf + i] =
          cpu_without_form(cpu_pass_leaves(pass, node->args[0])[i]);
    return;
  }
  case IR_PACK: shape_pack(pass, node, out); return;
  case IR_EXTRACT:
  case IR_INSERT: shape_member(pass, node, out, n); return;
  case IR_SELECT: shape_select_leaves(pass, node, out, n); return;
  case IR_BITCAST: shape_bitcast(pass, node, out, n); return;
  case IR_UNIFORM: shape_claim(pass, node, out, n); return;
  case IR_PARAM:
    for (uint32_t i = 0; i < n; i++)
      out[i] = cpu_uniform();
    return;
  case IR_RANK:
  case IR_SIZE:
  case IR_META_RANK:
  case IR_META_SIZE: shape_rank(pass, node, out); break;
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR:
  case IR_BROADCAST:
  case IR_ANY:
  case IR_ALL:
  case IR_COUNT:
  case IR_BALLOT:
  case IR_MATCH_ANY:
  case IR_MATCH_ALL:
  case IR_REDUCE:
  case IR_SCAN: cpu_pass_collective(pass, node, out, n); return;
  case IR_MAKE_GROUP:
  case IR_ARRIVE:
  case IR_MBAR_ARRIVE:
  case IR_MBAR_ARRIVE_DROP:
  case IR_MBAR_ARRIVE_EXPECT:
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN: *out = shape_of_effect(pass, node); break;
  case IR_MAP_SHARED:
  case IR_SHARED_RANK: {
    bool is_uniform = true;
    for (uint32_t i = 0; i < node->n_args; i++)
      is_uniform &= cpu_pass_leaves(pass, node->args[i])[0].kind == CPU_UNIFORM;
    *out = is_uniform ? cpu_uniform() : cpu_varying();
    break;
  }
  case IR_THREAD_INDEX: *out = shape_thread_index(plan, node); break;
  case IR_LOAD:
  case IR_RMW:
  case IR_CAS:
  case IR_ADDRESS: shape_memory(pass, node, out, n); return;
  case IR_CLOCK:
  case IR_GLOBALTIMER: *out = cpu_uniform(); break;
  default: {
    CpuShape args[8] = {{0}};
    for (uint32_t i = 0; i < node->n_args && i < 8; i++)
      args[i] = cpu_pass_leaves(pass, node->args[i])[0];
    if (n == 1)
      *out = cpu_shape_op(plan, node, args);
    return;
  }
  }
  if (plan->lanes == 1 && n > 0)
    out->kind = CPU_UNIFORM;
}

#pragma GCC diagnostic pop
