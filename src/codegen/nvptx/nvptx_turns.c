// SPDX-License-Identifier: Apache-2.0
// How often loops turn, where that is the same in all launches.
//
// Note [Loops that are repeated whole]
// The turns of loops whose number is known follow each other in the code, as
// long as that isn't too much of it: addresses become constants, own arrays
// registers, neighbouring accesses one, and independent loads are under way
// together. Where threads begin a loop at different places but turn equally
// often (rows of a tile, from one's own on) the number is known, too.
#include "codegen/nvptx/llvm_nvptx.h"

#define WHOLE_OPERATIONS 1024
#define WHOLE_TURNS      64
#define RANGE_DEPTH      8

// ------------------------------------------------------------------ ranges

typedef struct {
  int64_t low, high;
} Range;

static bool nvptx_turns_range_of(const NvPlan *plan, const IrNode *node,
                                 int depth, Range *out);

static bool make_range(int64_t low, int64_t high, Range *out) {
  *out = (Range){low, high};
  return low >= INT32_MIN && high <= INT32_MAX && low <= high;
}

static bool position_range(const NvPlan *plan, const IrNode *node, Range *out) {
  if (node->op == IR_THREAD_INDEX || node->op == IR_BLOCK_DIM) {
    int64_t n = plan->kernel->block_dim[node->u.index.number];
    return make_range(node->op == IR_BLOCK_DIM ? n : 0,
                      node->op == IR_BLOCK_DIM ? n : n - 1, out);
  }
  const IrGroup *group = node->u.group.group;
  int64_t n = group->kind == GROUP_BLOCK ? plan->n_threads : group->size;
  return n > 0 && make_range(0, n - 1, out);
}

// By a constant of at least 1.
static bool divided_range(const IrNode *node, Range a, int64_t by, Range *out) {
  if (a.low < 0 || by < 1)
    return false;
  switch ((int)node->op) {
  case IR_SDIV:
  case IR_UDIV: return make_range(a.low / by, a.high / by, out);
  case IR_AND: return make_range(0, a.high < by ? a.high : by, out);
  case IR_LSHR:
  case IR_ASHR: return by < 31 && make_range(a.low >> by, a.high >> by, out);
  default: break;
  }
  if (a.high < by)
    return make_range(a.low, a.high, out);
  return make_range(0, by - 1, out);
}

static bool binary_range(const NvPlan *plan, const IrNode *node, int depth,
                         Range *out) {
  Range a, b;
  if (!nvptx_turns_range_of(plan, node->args[0], depth, &a) ||
      !nvptx_turns_range_of(plan, node->args[1], depth, &b))
    return false;
  switch ((int)node->op) {
  case IR_ADD: return make_range(a.low + b.low, a.high + b.high, out);
  case IR_SUB: return make_range(a.low - b.high, a.high - b.low, out);
  case IR_MUL:
    return a.low >= 0 && b.low >= 0 &&
           make_range(a.low * b.low, a.high * b.high, out);
  case IR_SHL:
    return a.low >= 0 && b.low == b.high && b.low >= 0 && b.low < 31 &&
           make_range(a.low << b.low, a.high << b.low, out);
  default: break;
  }
  return b.low == b.high && divided_range(node, a, b.low, out);
}

// As a signed number, whatever its type; nothing on the way wrapped.
static bool nvptx_turns_range_of(const NvPlan *plan, const IrNode *node,
                                 int depth, Range *out) {
  int64_t value;
  if (code_const_int(node, &value))
    return make_range(value, value, out);
  if (depth == 0 || ir_type_bits(node->type) < 32)
    return false;
  switch ((int)node->op) {
  case IR_RANK:
  case IR_THREAD_INDEX:
  case IR_BLOCK_DIM: return position_range(plan, node, out);
  case IR_SEXT:
    return nvptx_turns_range_of(plan, node->args[0], depth - 1, out);
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_SHL:
  case IR_SDIV:
  case IR_UDIV:
  case IR_SREM:
  case IR_UREM:
  case IR_AND:
  case IR_LSHR:
  case IR_ASHR: return binary_range(plan, node, depth - 1, out);
  default: return false;
  }
}

// ------------------------------------------------------------------- turns

static uint32_t turns_from(int64_t low, int64_t high, int64_t step) {
  if (step == 0)
    return 0;
  int64_t n = step > 0 ? (high - low + step - 1) / step
                       : (low - high - step - 1) / -step;
  if ((step > 0) != (low < high) || low == high)
    return 0;
  return n > UINT16_MAX ? UINT16_MAX : (uint32_t)n;
}

static NvWhole turns_of_for(const NvPlan *plan, const IrNode *node) {
  const NvWhole unknown = {.most = 0};
  int64_t step = node->u.loop.step, high;
  Range first;
  if (!code_const_int(node->args[1], &high) || step == 0 ||
      !nvptx_turns_range_of(plan, node->args[0], RANGE_DEPTH, &first) ||
      high < INT32_MIN || high > INT32_MAX ||
      (!node->u.loop.is_signed && (first.low < 0 || high < 0)))
    return unknown;
  high += node->u.loop.is_inclusive ? (step > 0 ? 1 : -1) : 0;
  // Unsigned counts down never get below zero.
  if (!node->u.loop.is_signed && step < 0)
    return unknown;
  uint32_t a = turns_from(first.low, high, step);
  uint32_t b = turns_from(first.high, high, step);
  uint32_t most = a > b ? a : b, least = a > b ? b : a;
  if (most - least > 1)
    return unknown;
  return (NvWhole){.most = most, .is_exact = most == least};
}

static NvWhole turns_of_strided(const NvPlan *plan, const IrNode *node) {
  const NvWhole unknown = {.most = 0};
  const IrGroup *parent = node->u.part.parent;
  int64_t size = parent->kind == GROUP_BLOCK ? plan->n_threads : parent->size;
  int64_t low, high, count;
  if (size <= 0 || !code_const_int(node->args[0], &low) ||
      !code_const_int(node->args[1], &high) || low < INT32_MIN ||
      high > INT32_MAX)
    return unknown;
  count = turns_from(low, high, node->u.part.step);
  return (NvWhole){.most = (uint32_t)((count + size - 1) / size),
                   .is_exact = count % size == 0};
}

static uint32_t region_cost(const NvPlan *plan, const IrRegion *region);

// Own arrays become registers; constants and variables are nothing.
static uint32_t nvptx_turns_node_cost(const NvPlan *plan, const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  bool is_loop = node->op == IR_LOOP || node->op == IR_FOR ||
                 (node->op == IR_THREAD_FOR && !node->u.part.is_split);
  uint32_t cost = 0;
  if (is_loop) {
    NvWhole turns = nv_whole_turns(plan, node);
    return turns.most == 0 ? WHOLE_OPERATIONS
                           : turns.most * region_cost(plan, &node->regions[0]);
  }
  for (uint32_t i = 0; i < node->n_regions; i++)
    cost += region_cost(plan, &node->regions[i]);
  bool is_free = info->form == FORM_CONST || info->form == FORM_VAR ||
                 (info->form == FORM_ACCESS && node->u.access.object &&
                  node->u.access.object->space == SPACE_LOCAL);
  return cost + !is_free;
}

static uint32_t region_cost(const NvPlan *plan, const IrRegion *region) {
  uint32_t cost = 0;
  for (const IrNode *node = region->first; node; node = node->next) {
    cost += nvptx_turns_node_cost(plan, node);
    if (cost >= WHOLE_OPERATIONS)
      return WHOLE_OPERATIONS;
  }
  return cost;
}

// Costs of inner loops are asked for by each loop around.
NvWhole nv_whole_turns(const NvPlan *plan, const IrNode *node) {
  NvWhole *known = &plan->turns[node->id];
  const NvWhole none = {.most = 0};
  if (known->is_decided)
    return *known;
  bool is_for = node->op == IR_FOR;
  NvWhole turns = none;
  if (is_for && node->u.loop.unroll <= 0)
    turns = turns_of_for(plan, node);
  else if (node->op == IR_THREAD_FOR && !node->u.part.is_split)
    turns = turns_of_strided(plan, node);
  bool is_asked = is_for && node->u.loop.unroll < 0;
  if (!is_asked &&
      (turns.most > WHOLE_TURNS ||
       turns.most * region_cost(plan, &node->regions[0]) > WHOLE_OPERATIONS))
    turns = none;
  turns.is_decided = true;
  *known = turns;
  return turns;
}
