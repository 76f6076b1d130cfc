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
  bool is_small;     // v is the same in all lanes and has 32 bits
  LLVMValueRef fits; // i1: the sums of all lanes stay within the type; or NULL
} Extreme;

// How the base of an affine operand of a comparison is known.
typedef enum {
  BASE_NONE,
  BASE_EXACT,    // as it is
  BASE_UNSIGNED, // exact when read as unsigned
  BASE_CUT,      // exact when cut to the type, if no lane wraps
} BaseKind;

static BaseKind base_kind(IrType type, CpuShape shape, bool is_unsigned) {
  if (shape.kind != CPU_AFFINE)
    return shape.kind == CPU_UNIFORM ? BASE_EXACT : BASE_NONE;
  bool is_wide = type.kind == IR_TYPE_I64 && cpu_is_carry_free(shape);
  if (shape.is_exact && (!is_unsigned || shape.is_nonneg || is_wide))
    return BASE_EXACT;
  if (type.kind != IR_TYPE_I32)
    return BASE_NONE;
  return shape.is_exact && cpu_is_carry_free(shape) ? BASE_UNSIGNED : BASE_CUT;
}

// Lane 0 plus these is the least and the greatest of the lanes.
static int64_t lane_extreme(const CpuEmit *e, CpuShape shape,
                            bool is_greatest) {
  int64_t rows = (int64_t)(e->lanes >> shape.period_log2) - 1;
  int64_t columns = ((int64_t)1 << shape.period_log2) - 1;
  int64_t offset = 0;
  if ((shape.step > 0) == is_greatest)
    offset += shape.step * columns;
  if ((shape.outer > 0) == is_greatest)
    offset += shape.outer * rows;
  return offset;
}

// Cut where the lane with the least sum is: others add to that. A greatest one
// that is below another number of the type says itself that nothing wrapped.
static Extreme cut_extreme(CpuEmit *e, CpuLeaf leaf, bool is_greatest,
                           bool is_unsigned) {
  int64_t least = lane_extreme(e, leaf.shape, false);
  int64_t span = lane_extreme(e, leaf.shape, true) - least;
  LLVMValueRef low = LLVMBuildAdd(e->b, leaf.v, cpu_i64(e, least), CPU_NAME);
  Extreme extreme = {.v = cpu_cut(e, low, 32, !is_unsigned)};
  int64_t room = (is_unsigned ? (int64_t)UINT32_MAX : INT32_MAX) - span;
  extreme.offset = is_greatest ? span : 0;
  if (!is_greatest)
    extreme.fits =
        LLVMBuildICmp(e->b, LLVMIntSLE, extreme.v, cpu_i64(e, room), CPU_NAME);
  return extreme;
}

// The least or the greatest value over the lanes.
static Extreme cpu_full_extreme(CpuEmit *e, CpuLeaf leaf, bool is_greatest,
                                bool is_unsigned) {
  if (leaf.shape.kind == CPU_UNIFORM) {
    bool is_small = leaf.type.kind == IR_TYPE_I32;
    if (is_unsigned && is_small)
      return (Extreme){.v = LLVMBuildZExt(e->b, leaf.v, e->i64, CPU_NAME),
                       .is_small = true};
    return (Extreme){.v = cpu_base(e, leaf), .is_small = is_small};
  }
  BaseKind kind = base_kind(leaf.type, leaf.shape, is_unsigned);
  if (kind == BASE_CUT)
    return cut_extreme(e, leaf, is_greatest, is_unsigned);
  Extreme extreme = {.v = leaf.v};
  if (kind == BASE_UNSIGNED)
    extreme.v = cpu_cut(e, leaf.v, 32, false);
  extreme.offset = lane_extreme(e, leaf.shape, is_greatest);
  return extreme;
}

static LLVMValueRef cpu_full_moved(CpuEmit *e, LLVMValueRef v, int64_t by) {
  return by == 0 ? v : LLVMBuildAdd(e->b, v, cpu_i64(e, by), CPU_NAME);
}

// Constants go to the side that a loop doesn't change, where it has room.
static LLVMValueRef cpu_full_compare(CpuEmit *e, LLVMIntPredicate p, Extreme a,
                                     Extreme b) {
  int64_t by = b.offset - a.offset;
  if (b.is_small)
    b.v = cpu_full_moved(e, b.v, by), b.offset = a.offset = 0;
  else if (a.is_small)
    a.v = cpu_full_moved(e, a.v, -by), a.offset = b.offset = 0;
  LLVMValueRef holds =
      LLVMBuildICmp(e->b, p, cpu_full_moved(e, a.v, a.offset),
                    cpu_full_moved(e, b.v, b.offset), CPU_NAME);
  return b.fits ? LLVMBuildAnd(e->b, holds, b.fits, CPU_NAME) : holds;
}

static BaseKind operand_kind(const CpuEmit *e, const IrNode *node,
                             uint32_t arg) {
  bool is_unsigned = node->op == IR_ULT || node->op == IR_ULE;
  return base_kind(node->args[arg]->type,
                   cpu_node_shape(e->plan, node->args[arg]), is_unsigned);
}

static bool can_compare(const CpuEmit *e, const IrNode *node) {
  IrTypeKind kind = (IrTypeKind)node->args[0]->type.kind;
  return (kind == IR_TYPE_I32 || kind == IR_TYPE_I64) &&
         operand_kind(e, node, 0) != BASE_NONE &&
         operand_kind(e, node, 1) != BASE_NONE;
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
  bool is_cut = operand_kind(e, node, 0) == BASE_CUT ||
                operand_kind(e, node, 1) == BASE_CUT;
  return !is_cut &&
         (cpu_node_shape(e->plan, node->args[0]).kind == CPU_UNIFORM ||
          cpu_node_shape(e->plan, node->args[1]).kind == CPU_UNIFORM);
}

static LLVMValueRef tell_compare(CpuEmit *e, const IrNode *node, bool wanted) {
  bool is_unsigned = node->op == IR_ULT || node->op == IR_ULE;
  bool is_strict = node->op == IR_SLT || node->op == IR_ULT;
  Extreme a =
      cpu_full_extreme(e, cpu_leaf(e, node->args[0], 0), wanted, is_unsigned);
  Extreme b =
      cpu_full_extreme(e, cpu_leaf(e, node->args[1], 0), !wanted, is_unsigned);
  // Numbers of 32 bits have been widened.
  bool is_wide = node->args[0]->type.kind == IR_TYPE_I64;
  LLVMIntPredicate less = LLVMIntSLT, up_to = LLVMIntSLE;
  if (is_wide && is_unsigned)
    less = LLVMIntULT, up_to = LLVMIntULE;
  // Wanted false: the greatest of b is not above the least of a.
  if (wanted)
    return cpu_full_compare(e, is_strict ? less : up_to, a, b);
  return cpu_full_compare(e, is_strict ? up_to : less, b, a);
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
  Extreme a = cpu_full_extreme(e, now, !is_down, false);
  Extreme b = cpu_full_extreme(e, bound, is_down, false);
  a.offset += ahead;
  return cpu_full_compare(e, goes_on, a, b);
}

bool cpu_can_tell_count(CpuLeaf now, CpuLeaf bound, LLVMIntPredicate goes_on) {
  bool is_signed = goes_on == LLVMIntSGT || goes_on == LLVMIntSGE ||
                   goes_on == LLVMIntSLT || goes_on == LLVMIntSLE;
  return is_signed && now.shape.kind == CPU_AFFINE && now.shape.is_exact &&
         base_kind(bound.type, bound.shape, false) == BASE_EXACT;
}

// ------------------------------------------------------- when it pays

// Masked stores are slow on some CPUs with AVX-512 (Zen 5: a whole kernel of
// two stores and a hundred operations took twice as long), so long bodies gain
// too; the limit keeps code and compile time in bounds.
#define MOST_NODES 160
#define MOST_DEPTH 2

static bool cpu_full_add_node(IrNode *node, void *context) {
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
         ir_walk(&copy, cpu_full_add_node, &count);
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
