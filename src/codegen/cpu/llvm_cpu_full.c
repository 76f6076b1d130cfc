// SPDX-License-Identifier: Apache-2.0
// Note [Code for all lanes]
// Most bounds checks hold in all lanes of nearly all warps. Where a scalar
// comparison can tell so (an affine value against a uniform one: its first or
// last lane decides), what the check guards is emitted twice: once without
// masks for warps in which it holds everywhere, once with masks for the rest.
// Loops that end when such a check fails first run turns in which no lane
// leaves.
#include "codegen/cpu/llvm_cpu.h"

#include <stdint.h>

// A scalar and a constant to be added, i64.
typedef struct {
  LLVMValueRef v;
  int64_t offset;
  bool is_small; // v is the same in all lanes and has 32 bits
} Extreme;

// The least or the greatest value over the lanes.
static Extreme extreme(CpuEmit *e, CpuLeaf leaf, bool is_greatest,
                       bool is_unsigned) {
  if (leaf.shape.kind == CPU_UNIFORM) {
    bool is_small = leaf.type.kind == IR_TYPE_I32;
    if (is_unsigned && is_small)
      return (Extreme){LLVMBuildZExt(e->b, leaf.v, e->i64, CPU_NAME), 0, true};
    return (Extreme){cpu_base(e, leaf), 0, is_small};
  }
  int64_t rows = (int64_t)(e->lanes >> leaf.shape.period_log2) - 1;
  int64_t columns = ((int64_t)1 << leaf.shape.period_log2) - 1;
  int64_t offset = 0;
  if ((leaf.shape.step > 0) == is_greatest)
    offset += leaf.shape.step * columns;
  if ((leaf.shape.outer > 0) == is_greatest)
    offset += leaf.shape.outer * rows;
  return (Extreme){leaf.v, offset, false};
}

static LLVMValueRef moved(CpuEmit *e, LLVMValueRef v, int64_t by) {
  return by == 0 ? v : LLVMBuildAdd(e->b, v, cpu_i64(e, by), CPU_NAME);
}

// Constants go to the side that a loop doesn't change, where it has room.
static LLVMValueRef compare(CpuEmit *e, LLVMIntPredicate p, Extreme a,
                            Extreme b) {
  int64_t by = b.offset - a.offset;
  if (b.is_small)
    b = (Extreme){moved(e, b.v, by), 0, false}, a.offset = 0;
  else if (a.is_small)
    a = (Extreme){moved(e, a.v, -by), 0, false}, b.offset = 0;
  return LLVMBuildICmp(e->b, p, moved(e, a.v, a.offset),
                       moved(e, b.v, b.offset), CPU_NAME);
}

static bool is_simple(CpuShape shape, bool is_unsigned) {
  return shape.kind == CPU_UNIFORM ||
         (shape.kind == CPU_AFFINE && shape.is_exact &&
          (!is_unsigned || shape.is_nonneg));
}

static bool can_compare(const CpuEmit *e, const IrNode *node) {
  bool is_unsigned = node->op == IR_ULT || node->op == IR_ULE;
  IrTypeKind kind = (IrTypeKind)node->args[0]->type.kind;
  return (kind == IR_TYPE_I32 || (kind == IR_TYPE_I64 && !is_unsigned)) &&
         is_simple(cpu_node_shape(e->plan, node->args[0]), is_unsigned) &&
         is_simple(cpu_node_shape(e->plan, node->args[1]), is_unsigned);
}

bool cpu_can_tell(const CpuEmit *e, const IrNode *node, bool wanted) {
  if (cpu_node_shape(e->plan, node).kind == CPU_UNIFORM)
    return true;
  switch ((int)node->op) {
  case IR_SLT:
  case IR_SLE:
  case IR_ULT:
  case IR_ULE: return can_compare(e, node);
  case IR_NOT: return cpu_can_tell(e, node->args[0], !wanted);
  case IR_AND:
  case IR_OR:
    return (node->op == IR_AND) == wanted &&
           cpu_can_tell(e, node->args[0], wanted) &&
           cpu_can_tell(e, node->args[1], wanted);
  default: return false;
  }
}

bool cpu_tells_exactly(const CpuEmit *e, const IrNode *node) {
  if (cpu_node_shape(e->plan, node).kind == CPU_UNIFORM)
    return true;
  if (node->op == IR_NOT)
    return cpu_tells_exactly(e, node->args[0]);
  if (node->op == IR_AND || node->op == IR_OR)
    return cpu_tells_exactly(e, node->args[0]) &&
           cpu_tells_exactly(e, node->args[1]);
  return cpu_node_shape(e->plan, node->args[0]).kind == CPU_UNIFORM ||
         cpu_node_shape(e->plan, node->args[1]).kind == CPU_UNIFORM;
}

static LLVMValueRef tell_compare(CpuEmit *e, const IrNode *node, bool wanted) {
  bool is_unsigned = node->op == IR_ULT || node->op == IR_ULE;
  bool is_strict = node->op == IR_SLT || node->op == IR_ULT;
  Extreme a = extreme(e, cpu_leaf(e, node->args[0], 0), wanted, is_unsigned);
  Extreme b = extreme(e, cpu_leaf(e, node->args[1], 0), !wanted, is_unsigned);
  // Wanted false: the greatest of b is not above the least of a.
  if (wanted)
    return compare(e, is_strict ? LLVMIntSLT : LLVMIntSLE, a, b);
  return compare(e, is_strict ? LLVMIntSLE : LLVMIntSLT, b, a);
}

LLVMValueRef cpu_tell(CpuEmit *e, const IrNode *node, bool wanted) {
  if (cpu_node_shape(e->plan, node).kind == CPU_UNIFORM) {
    LLVMValueRef v = cpu_leaf(e, node, 0).v;
    return wanted ? v : LLVMBuildNot(e->b, v, CPU_NAME);
  }
  switch ((int)node->op) {
  case IR_NOT: return cpu_tell(e, node->args[0], !wanted);
  case IR_AND:
  case IR_OR: {
    LLVMValueRef a = cpu_tell(e, node->args[0], wanted);
    LLVMValueRef b = cpu_tell(e, node->args[1], wanted);
    return LLVMBuildAnd(e->b, a, b, CPU_NAME);
  }
  default: return tell_compare(e, node, wanted);
  }
}

LLVMValueRef cpu_tell_count(CpuEmit *e, CpuLeaf now, int64_t ahead,
                            CpuLeaf bound, LLVMIntPredicate goes_on) {
  bool is_down = goes_on == LLVMIntSGT || goes_on == LLVMIntSGE;
  Extreme a = extreme(e, now, !is_down, false);
  Extreme b = extreme(e, bound, is_down, false);
  a.offset += ahead;
  return compare(e, goes_on, a, b);
}

bool cpu_can_tell_count(CpuLeaf now, CpuLeaf bound, LLVMIntPredicate goes_on) {
  bool is_signed = goes_on == LLVMIntSGT || goes_on == LLVMIntSGE ||
                   goes_on == LLVMIntSLT || goes_on == LLVMIntSLE;
  return is_signed && now.shape.kind == CPU_AFFINE && now.shape.is_exact &&
         is_simple(bound.shape, false);
}

// ------------------------------------------------------- when it pays

// Masked stores are slow on some CPUs with AVX-512 (Zen 5: a whole kernel of
// two stores and a hundred operations took twice as long), so long bodies gain
// too; the limit keeps code and compile time in bounds.
#define MOST_NODES 160
#define MOST_DEPTH 2

static bool add_node(IrNode *node, void *context) {
  uint32_t *count = context;
  IrForm form = ir_op_info(node)->form;
  *count += form != FORM_CONST && form != FORM_VAR;
  return *count <= MOST_NODES;
}

bool cpu_may_repeat(const CpuEmit *e, const IrRegion *region) {
  uint32_t count = 0;
  IrRegion copy = *region;
  return e->mask == NULL && e->lanes > 1 && e->n_repeats < MOST_DEPTH &&
         cpu_region_cost(e->plan, region) >= 8 &&
         ir_walk(&copy, add_node, &count);
}

typedef struct {
  const CpuEmit *e;
  const IrNode *allowed;
  bool found;
} OtherExits;

static bool find_split(IrNode *node, void *context) {
  OtherExits *search = context;
  if (node->op == IR_EXIT && node != search->allowed &&
      search->e->plan->splits_exit[node->id])
    search->found = true;
  return !search->found;
}

// The if at the start of a loop's body through which alone lanes leave early.
const IrNode *cpu_leading_exit(const CpuEmit *e, const IrNode *loop) {
  const CpuFlow *flow = cpu_flow(e->plan, loop);
  if (!flow->splits || flow->splits_turn || flow->leaks || flow->yields)
    return NULL;
  const IrNode *node = loop->regions[0].first;
  while (node &&
         (node->op == IR_GET || (ir_op_info(node)->flags & OPF_PURE) != 0))
    node = node->next;
  if (node == NULL || node->op != IR_IF ||
      !cpu_flow(e->plan, node)->is_divergent)
    return NULL;
  const IrNode *leave = node->regions[0].first;
  bool is_exit = leave && leave->op == IR_EXIT &&
                 leave->u.exit.target == loop && !leave->u.exit.is_continue &&
                 (node->n_regions < 2 || node->regions[1].first == NULL);
  if (!is_exit || !cpu_can_tell(e, node->args[0], false))
    return NULL;
  OtherExits search = {e, leave, false};
  IrRegion body = loop->regions[0];
  ir_walk(&body, find_split, &search);
  return search.found ? NULL : node;
}
