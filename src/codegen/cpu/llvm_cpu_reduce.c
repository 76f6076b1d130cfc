// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of groups that lie within a strand, in the order that
// the language defines.
//
// Note [Order of reductions]
// reduce: y[i] = x[2i] op x[2i+1], until one is left. In place that is a step
// d = 1, 2, 4, … in which every rank that is a multiple of 2d takes the value
// of rank + d, if there is one. In even tiles every thread may do the same
// with rank ^ d: both ends up with what the lower one should have, in the
// right order.
// scan: in step d = 1, 2, 4, … every rank from d on takes rank - d's value
// from the left.
// Integers are combined in any order, which can't change the result.
#include "codegen/cpu/llvm_cpu.h"

typedef struct {
  const IrNode *node;
  const IrGroup *group;
  uint32_t n; // leaves
  bool is_operator;
  IrType types[CPU_MAX_LEAVES];
  LLVMValueRef v[CPU_MAX_LEAVES]; // vectors
} Fold;

static LLVMValueRef cpu_reduce_fill(CpuEmit *e, int64_t value) {
  return cpu_const_splat(e, cpu_i32(e, value));
}

static Fold fold_begin(CpuEmit *e, const IrNode *node) {
  Fold f = {.node = node, .group = node->u.collective.group};
  f.n = e->plan->node_leaf[node->id + 1] - e->plan->node_leaf[node->id];
  f.is_operator = node->op == IR_REDUCE_BY || node->op == IR_SCAN_BY;
  for (uint32_t k = 0; k < f.n; k++) {
    CpuLeaf leaf = cpu_leaf(e, node->args[0], k);
    f.types[k] = leaf.type;
    f.v[k] = cpu_as_vector(e, leaf);
  }
  return f;
}

// -------------------------------------------------------------- operators

static LLVMValueRef cpu_reduce_choose(CpuEmit *e, const char *name,
                                      LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef args[2] = {a, b};
  return cpu_intrinsic(e, name, &type, 1, args, 2);
}

static LLVMValueRef combine_floats(CpuEmit *e, IrRmw combine, LLVMValueRef a,
                                   LLVMValueRef b) {
  if (combine == RMW_ADD)
    return LLVMBuildFAdd(e->b, a, b, CPU_NAME);
  bool is_min = combine == RMW_SMIN || combine == RMW_UMIN;
  return cpu_extreme(e, is_min, a, b);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static LLVMValueRef combine_integers(CpuEmit *e, IrRmw combine, LLVMValueRef a,
                                     LLVMValueRef b) {
  switch (combine) {
  case RMW_SMIN: return cpu_reduce_choose(e, "llvm.smin", a, b);
  case RMW_SMAX: return cpu_reduce_choose(e, "llvm.smax", a, b);
  case RMW_UMIN: return cpu_reduce_choose(e, "llvm.umin", a, b);
  case RMW_UMAX: return cpu_reduce_choose(e, "llvm.umax", a, b);
  case RMW_AND: return LLVMBuildAnd(e->b, a, b, CPU_NAME);
  case RMW_OR: return LLVMBuildOr(e->b, a, b, CPU_NAME);
  case RMW_XOR: return LLVMBuildXor(e->b, a, b, CPU_NAME);
  default: return LLVMBuildAdd(e->b, a, b, CPU_NAME);
  }
}

#pragma GCC diagnostic pop

LLVMValueRef cpu_combine(CpuEmit *e, IrRmw combine, IrType type,
                         LLVMValueRef left, LLVMValueRef right) {
  if (!ir_type_is_float(type))
    return combine_integers(e, combine, left, right);
  if (type.kind != IR_TYPE_F16 && type.kind != IR_TYPE_BF16)
    return combine_floats(e, combine, left, right);
  IrTypeKind kind = (IrTypeKind)type.kind;
  LLVMValueRef a = cpu_to_f32(e, kind, left), b = cpu_to_f32(e, kind, right);
  return cpu_from_f32(e, kind, combine_floats(e, combine, a, b));
}

static void cpu_reduce_set_operand(CpuEmit *e, const Fold *f, uint32_t var,
                                   LLVMValueRef *v) {
  CpuShape shape = e->lanes == 1 ? cpu_uniform() : cpu_varying();
  for (uint32_t k = 0; k < f->n; k++)
    cpu_store_var(e, e->plan->var_leaf[var] + k,
                  cpu_leaf_of(shape, f->types[k], v[k]));
}

// f->v = left op right in the lanes of `lanes` (NULL: all that are active),
// for which the body of a user's operator is run once more.
static void cpu_reduce_run_operator(CpuEmit *e, Fold *f, LLVMValueRef *left,
                                    LLVMValueRef *right, LLVMValueRef lanes) {
  const IrNode *node = f->node;
  LLVMValueRef slots[CPU_MAX_LEAVES], mask = e->mask;
  for (uint32_t k = 0; k < f->n; k++) {
    slots[k] = cpu_alloca(e, LLVMTypeOf(f->v[k]));
    LLVMBuildStore(e->b, f->v[k], slots[k]);
  }
  LLVMBasicBlockRef body = cpu_new_block(e, "combine");
  LLVMBasicBlockRef end = cpu_new_block(e, "combined");
  if (lanes)
    e->mask = cpu_mask_and(e, mask, lanes);
  LLVMBuildCondBr(e->b, cpu_any(e, e->mask), body, end);
  cpu_begin_block(e, body);
  CpuSkip skip = {end, NULL}, *outer = e->skip;
  e->skip = &skip;
  e->n_repeats++;
  cpu_reduce_set_operand(e, f, node->u.by.left, left);
  cpu_reduce_set_operand(e, f, node->u.by.right, right);
  uint32_t leaf = e->plan->var_leaf[node->u.by.result];
  if (cpu_emit_region(e, &node->regions[0])) {
    for (uint32_t k = 0; k < f->n; k++) {
      LLVMValueRef v = cpu_as_vector(e, cpu_load_var(e, leaf + k, f->types[k]));
      LLVMBuildStore(e->b, lanes ? cpu_select(e, lanes, v, f->v[k]) : v,
                     slots[k]);
    }
    LLVMBuildBr(e->b, end);
  }
  e->n_repeats--;
  e->skip = outer;
  e->mask = mask;
  cpu_begin_block(e, end);
  for (uint32_t k = 0; k < f->n; k++)
    f->v[k] = cpu_load_slot(e, LLVMTypeOf(left[k]), slots[k]);
}

static void cpu_reduce_combine(CpuEmit *e, Fold *f, LLVMValueRef *left,
                               LLVMValueRef *right, LLVMValueRef lanes) {
  if (f->is_operator) {
    cpu_reduce_run_operator(e, f, left, right, lanes);
    return;
  }
  for (uint32_t k = 0; k < f->n; k++) {
    LLVMValueRef v = cpu_combine(e, f->node->u.collective.combine, f->types[k],
                                 left[k], right[k]);
    f->v[k] = lanes ? LLVMBuildSelect(e->b, lanes, v, f->v[k], CPU_NAME) : v;
  }
}

// ----------------------------------------------------------------- reduce

static LLVMValueRef is_upper(CpuEmit *e, uint32_t distance) {
  LLVMValueRef bits[CPU_WARP];
  for (uint32_t i = 0; i < CPU_WARP; i++)
    bits[i] = LLVMConstInt(e->i1, (i & distance) != 0, 0);
  return LLVMConstVector(bits, CPU_WARP);
}

// Which operand is the left one can't be seen from the result.
static bool commutes(const Fold *f, IrType type) {
  return !f->is_operator &&
         (!ir_type_is_float(type) || f->node->u.collective.combine == RMW_ADD);
}

static bool all_commute(const Fold *f) {
  for (uint32_t k = 0; k < f->n; k++)
    if (!commutes(f, f->types[k]))
      return false;
  return true;
}

// Even tiles of n threads: every thread combines with its partner. The moves
// stay within registers of any width for as long as possible.
static void reduce_tiles(CpuEmit *e, Fold *f, uint32_t n) {
  for (uint32_t d = 1; d < n; d *= 2) {
    LLVMValueRef left[CPU_MAX_LEAVES], right[CPU_MAX_LEAVES];
    int lanes[CPU_WARP];
    for (uint32_t i = 0; i < CPU_WARP; i++)
      lanes[i] = (int)(i ^ d);
    for (uint32_t k = 0; k < f->n; k++) {
      LLVMValueRef other = cpu_shuffle(e, f->v[k], lanes);
      left[k] = f->v[k];
      right[k] = other;
      if (commutes(f, f->types[k]))
        continue;
      left[k] = LLVMBuildSelect(e->b, is_upper(e, d), other, f->v[k], CPU_NAME);
      right[k] =
          LLVMBuildSelect(e->b, is_upper(e, d), f->v[k], other, CPU_NAME);
    }
    cpu_reduce_combine(e, f, left, right, NULL);
  }
}

// n lanes, `step` apart, each the one whose number differs in the bits `flip`.
static LLVMValueRef cpu_reduce_pick(CpuEmit *e, LLVMValueRef v, unsigned n,
                                    unsigned step, unsigned flip) {
  LLVMValueRef lanes[CPU_WARP];
  for (unsigned i = 0; i < n; i++)
    lanes[i] = cpu_i32(e, (i * step) ^ flip);
  return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                LLVMConstVector(lanes, n), CPU_NAME);
}

// A whole warp, where operands may be exchanged: quarters of sixteen bytes are
// summed up in place, and what is left of each goes into one short vector.
static LLVMValueRef reduce_warp(CpuEmit *e, const Fold *f, uint32_t k) {
  IrRmw op = f->node->u.collective.combine;
  IrType type = f->types[k];
  LLVMValueRef v = f->v[k];
  unsigned n = CPU_WARP;
  for (unsigned d = 1; d <= 2; d *= 2)
    v = cpu_combine(e, op, type, v, cpu_reduce_pick(e, v, n, 1, d));
  n /= 4;
  v = cpu_reduce_pick(e, v, n, 4, 0);
  for (unsigned d = 1; d < n; d *= 2)
    v = cpu_combine(e, op, type, v, cpu_reduce_pick(e, v, n, 1, d));
  return LLVMBuildExtractElement(e->b, v, cpu_i32(e, 0), CPU_NAME);
}

// The values of the threads whose rank is higher (or lower) by `by`, which is
// negative then.
static void take_neighbours(CpuEmit *e, const Fold *f, int by,
                            LLVMValueRef *out) {
  int lanes[CPU_WARP];
  for (int i = 0; i < CPU_WARP; i++)
    lanes[i] = i + by;
  if (!code_is_scattered(f->group)) {
    for (uint32_t k = 0; k < f->n; k++)
      out[k] = cpu_shuffle(e, f->v[k], lanes);
    return;
  }
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, f->group));
  LLVMValueRef from = cpu_lane_of_rank(
      e, f->group, LLVMBuildAdd(e->b, rank, cpu_reduce_fill(e, by), CPU_NAME));
  for (uint32_t k = 0; k < f->n; k++)
    out[k] = cpu_permute(e, f->v[k], from);
}

// Any part: the result is in its rank 0.
static void reduce_ranks(CpuEmit *e, Fold *f) {
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, f->group));
  LLVMValueRef size = cpu_as_vector(e, cpu_group_threads(e, f->group));
  int64_t most = code_part_size(e->plan->parts, f->group);
  for (int d = 1; d < CPU_WARP && (most == 0 || d < most); d *= 2) {
    LLVMValueRef left[CPU_MAX_LEAVES], right[CPU_MAX_LEAVES];
    take_neighbours(e, f, d, right);
    for (uint32_t k = 0; k < f->n; k++)
      left[k] = f->v[k];
    LLVMValueRef rest =
        LLVMBuildAnd(e->b, rank, cpu_reduce_fill(e, 2 * d - 1), CPU_NAME);
    LLVMValueRef is_first =
        LLVMBuildICmp(e->b, LLVMIntEQ, rest, cpu_reduce_fill(e, 0), CPU_NAME);
    LLVMValueRef other =
        LLVMBuildAdd(e->b, rank, cpu_reduce_fill(e, d), CPU_NAME);
    LLVMValueRef is_there =
        LLVMBuildICmp(e->b, LLVMIntSLT, other, size, CPU_NAME);
    cpu_reduce_combine(e, f, left, right,
                       LLVMBuildAnd(e->b, is_first, is_there, CPU_NAME));
  }
}

static void set_reduced(CpuEmit *e, const Fold *f, bool is_in_all) {
  bool is_one = cpu_is_one_part(e->plan, f->group);
  LLVMValueRef from = NULL;
  if (!is_one && !is_in_all)
    from = cpu_lane_of_rank(e, f->group, cpu_reduce_fill(e, 0));
  for (uint32_t k = 0; k < f->n; k++) {
    LLVMValueRef v = f->v[k];
    if (is_one) // the lowest active lane has rank 0
      v = LLVMBuildExtractElement(e->b, v, cpu_first_active(e), CPU_NAME);
    else if (!is_in_all)
      v = cpu_permute(e, v, from);
    cpu_set_value(e, f->node, k, v);
  }
}

void cpu_emit_reduce(CpuEmit *e, const IrNode *node) {
  if (cpu_is_lanes_here(e, node)) {
    cpu_set_value(e, node, 0, cpu_lanes_here(e, node->u.collective.group));
    return;
  }
  Fold f = fold_begin(e, node);
  bool is_even;
  uint32_t n = cpu_lane_pattern(e->plan, f.group, &is_even);
  if (e->lanes == 1) {
    for (uint32_t k = 0; k < f.n; k++)
      cpu_set_value(e, node, k, f.v[k]);
  } else if (n == CPU_WARP && (is_even || e->mask == NULL) && all_commute(&f)) {
    for (uint32_t k = 0; k < f.n; k++)
      cpu_set_value(e, node, k, reduce_warp(e, &f, k));
  } else if (n > 0 && (is_even || (n == CPU_WARP && e->mask == NULL))) {
    reduce_tiles(e, &f, n);
    set_reduced(e, &f, true);
  } else {
    reduce_ranks(e, &f);
    set_reduced(e, &f, false);
  }
}

// ------------------------------------------------------------------- scan

static LLVMValueRef cpu_reduce_real(CpuEmit *e, IrType type, double value) {
  if (type.kind == IR_TYPE_F64 || type.kind == IR_TYPE_F32)
    return LLVMConstReal(cpu_scalar_type(e, type), value);
  bool is_half = type.kind == IR_TYPE_F16;
  int64_t infinity = is_half ? 0x7c00 : 0x7f80;
  int64_t bits = value > 0 ? infinity : value < 0 ? infinity | 0x8000 : 0;
  return LLVMConstInt(e->i16, (uint64_t)bits, 0);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

// What leaves every other value as it is.
static LLVMValueRef cpu_reduce_identity(CpuEmit *e, IrRmw combine,
                                        IrType type) {
  bool is_min = combine == RMW_SMIN || combine == RMW_UMIN;
  bool is_max = combine == RMW_SMAX || combine == RMW_UMAX;
  double infinity = __builtin_inf();
  if (ir_type_is_float(type))
    return cpu_reduce_real(e, type,
                           is_min   ? infinity
                           : is_max ? -infinity
                                    : 0.0);
  LLVMTypeRef scalar = cpu_scalar_type(e, type);
  uint64_t sign = UINT64_C(1) << (ir_type_bits(type) - 1);
  switch (combine) {
  case RMW_SMIN: return LLVMConstInt(scalar, sign - 1, 0);
  case RMW_SMAX: return LLVMConstInt(scalar, sign, 0);
  case RMW_UMIN:
  case RMW_AND: return LLVMConstAllOnes(scalar);
  default: return LLVMConstNull(scalar);
  }
}

#pragma GCC diagnostic pop

static void scan_ranks(CpuEmit *e, Fold *f, LLVMValueRef rank) {
  int64_t most = code_part_size(e->plan->parts, f->group);
  for (int d = 1; d < CPU_WARP && (most == 0 || d < most); d *= 2) {
    LLVMValueRef left[CPU_MAX_LEAVES], right[CPU_MAX_LEAVES];
    take_neighbours(e, f, -d, left);
    for (uint32_t k = 0; k < f->n; k++)
      right[k] = f->v[k];
    LLVMValueRef is_there =
        LLVMBuildICmp(e->b, LLVMIntSGE, rank, cpu_reduce_fill(e, d), CPU_NAME);
    cpu_reduce_combine(e, f, left, right, is_there);
  }
}

// Every rank takes what the one below has; rank 0 what comes before all.
static void shift_up(CpuEmit *e, Fold *f, LLVMValueRef rank,
                     LLVMValueRef *before) {
  LLVMValueRef lower[CPU_MAX_LEAVES];
  take_neighbours(e, f, -1, lower);
  LLVMValueRef is_first =
      LLVMBuildICmp(e->b, LLVMIntEQ, rank, cpu_reduce_fill(e, 0), CPU_NAME);
  for (uint32_t k = 0; k < f->n; k++)
    f->v[k] = LLVMBuildSelect(e->b, is_first, before[k], lower[k], CPU_NAME);
}

// What operand 1 holds is combined from the left, last of all.
static void combine_before(CpuEmit *e, Fold *f, LLVMValueRef *before,
                           LLVMValueRef lanes) {
  LLVMValueRef right[CPU_MAX_LEAVES];
  for (uint32_t k = 0; k < f->n; k++)
    right[k] = f->v[k];
  cpu_reduce_combine(e, f, before, right, lanes);
}

void cpu_emit_scan(CpuEmit *e, const IrNode *node) {
  Fold f = fold_begin(e, node);
  LLVMValueRef before[CPU_MAX_LEAVES];
  LLVMValueRef rank = cpu_as_vector(e, cpu_group_rank(e, f.group));
  bool has_init = node->n_args > 1, is_exclusive;
  is_exclusive = node->u.collective.is_exclusive;
  for (uint32_t k = 0; k < f.n; k++)
    before[k] =
        has_init ? cpu_as_vector(e, cpu_leaf(e, node->args[1], k))
        : f.is_operator
            ? f.v[k]
            : cpu_splat(e, cpu_reduce_identity(e, node->u.collective.combine,
                                               f.types[k]));
  if (e->lanes > 1)
    scan_ranks(e, &f, rank);
  if (is_exclusive)
    shift_up(e, &f, rank, before);
  LLVMValueRef is_behind =
      LLVMBuildICmp(e->b, LLVMIntSGT, rank, cpu_reduce_fill(e, 0), CPU_NAME);
  if (has_init)
    combine_before(e, &f, before, is_exclusive ? is_behind : NULL);
  for (uint32_t k = 0; k < f.n; k++)
    cpu_set_value(e, node, k, f.v[k]);
}
