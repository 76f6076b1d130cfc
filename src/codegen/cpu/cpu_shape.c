// SPDX-License-Identifier: Apache-2.0
// Shapes of scalar operations. Affine shapes exist for i32, i64 and pointers.
#include "codegen/cpu/cpu_plan.h"

#include "base/bits.h"

CpuShape cpu_uniform(void) {
  return (CpuShape){.kind = CPU_UNIFORM};
}

CpuShape cpu_varying(void) {
  return (CpuShape){.kind = CPU_VARYING};
}

CpuShape cpu_affine(int64_t step) {
  return (CpuShape){
      .kind = CPU_AFFINE, .period_log2 = CPU_WARP_LOG2, .step = step};
}

bool cpu_shape_equal(CpuShape a, CpuShape b) {
  return a.kind == b.kind && a.align_log2 == b.align_log2 &&
         a.is_exact == b.is_exact && a.is_nonneg == b.is_nonneg &&
         a.flip == b.flip && a.period_log2 == b.period_log2 &&
         a.form_bits == b.form_bits && a.has_row == b.has_row &&
         a.step == b.step && a.outer == b.outer && a.most == b.most;
}

static uint8_t cpu_shape_least(uint8_t a, uint8_t b) {
  return a < b ? a : b;
}

// Rewrites a plain affine shape with a shorter period.
static void set_period(CpuShape *shape, uint8_t period_log2) {
  shape->outer = shape->step * (int64_t)(1u << period_log2);
  shape->period_log2 = period_log2;
}

bool cpu_shape_align_periods(CpuShape *a, CpuShape *b) {
  if (a->period_log2 == b->period_log2)
    return true;
  if (a->period_log2 == CPU_WARP_LOG2)
    set_period(a, b->period_log2);
  else if (b->period_log2 == CPU_WARP_LOG2)
    set_period(b, a->period_log2);
  else
    return false;
  return true;
}

static int64_t cpu_shape_join_bounds(CpuShape a, CpuShape b) {
  if (!a.is_nonneg || !b.is_nonneg || a.most == 0 || b.most == 0)
    return 0;
  return a.most > b.most ? a.most : b.most;
}

CpuShape cpu_shape_join(CpuShape a, CpuShape b) {
  if (a.kind == CPU_NONE)
    return cpu_without_form(b);
  if (b.kind == CPU_NONE)
    return cpu_without_form(a);
  if (a.kind != b.kind || a.kind == CPU_VARYING)
    return cpu_varying();
  if (a.kind == CPU_AFFINE &&
      (!cpu_shape_align_periods(&a, &b) || a.flip != b.flip ||
       a.step != b.step || a.outer != b.outer))
    return cpu_varying();
  a.align_log2 = cpu_shape_least(a.align_log2, b.align_log2);
  a.is_exact = a.is_exact && b.is_exact;
  a.is_nonneg = a.is_nonneg && b.is_nonneg;
  a.most = cpu_shape_join_bounds(a, b);
  return a;
}

static uint8_t align_of(int64_t value) {
  if (value == 0)
    return 62;
  uint8_t align = (uint8_t)__builtin_ctzll((uint64_t)value);
  return align > 62 ? 62 : align;
}

static CpuShape shape_const(const IrNode *node) {
  CpuShape shape = cpu_uniform();
  int64_t value;
  if (code_const_int(node, &value)) {
    shape.align_log2 = align_of(value);
    shape.is_nonneg = value >= 0;
    shape.most = value > 0 ? value : value == 0;
  }
  return shape;
}

static bool can_be_affine(IrType type) {
  return type.lanes == 1 &&
         (type.kind == IR_TYPE_I32 || type.kind == IR_TYPE_I64 ||
          type.kind == IR_TYPE_PTR);
}

static bool cpu_shape_is_wide(IrType type) {
  return type.kind == IR_TYPE_I64 || type.kind == IR_TYPE_PTR;
}

// 64-bit sums only feed addresses and comparisons modulo 2^64, or widen no
// more; 32-bit ones must be known not to wrap.
static bool keeps_exact(const IrNode *node) {
  return cpu_shape_is_wide(node->type) ||
         (node->flags & NODE_NO_SIGNED_WRAP) != 0;
}

// Sums and products of nonnegative numbers stay so where nothing wraps: by the
// rules of the source, or because they are small.
static void bound_result(const IrNode *node, CpuShape a, CpuShape b,
                         bool is_product, CpuShape *result) {
  int64_t most = 0;
  result->is_nonneg = false;
  result->most = 0;
  if (!a.is_nonneg || !b.is_nonneg)
    return;
  bool is_known = a.most > 0 && b.most > 0 &&
                  !(is_product ? __builtin_mul_overflow(a.most, b.most, &most)
                               : __builtin_add_overflow(a.most, b.most, &most));
  bool fits = is_known && most <= INT32_MAX;
  result->is_nonneg = fits || (node->flags & NODE_NO_SIGNED_WRAP) != 0;
  result->most = fits ? most : 0;
  if (fits && a.is_exact && b.is_exact)
    result->is_exact = true;
}

static bool is_linear(CpuShape shape) {
  return shape.kind == CPU_UNIFORM || shape.kind == CPU_AFFINE;
}

// A uniform value as an affine one with no step.
static CpuShape as_affine(CpuShape shape, uint8_t flip) {
  if (shape.kind == CPU_UNIFORM) {
    shape.kind = CPU_AFFINE;
    shape.flip = flip;
    shape.period_log2 = CPU_WARP_LOG2;
    shape.step = shape.outer = 0;
    shape.is_exact = true;
  }
  return shape;
}

bool cpu_is_carry_free(CpuShape shape) {
  int64_t rows = ((int64_t)CPU_WARP >> shape.period_log2) - 1;
  int64_t columns = ((int64_t)1 << shape.period_log2) - 1;
  uint8_t align = cpu_shape_least(shape.align_log2, 31);
  int64_t limit = (int64_t)1 << align;
  return shape.kind == CPU_AFFINE && shape.step >= 0 && shape.outer >= 0 &&
         shape.step < limit && shape.outer < limit &&
         shape.step * columns + shape.outer * rows < limit;
}

static CpuShape cpu_shape_settle(const IrNode *node, CpuShape shape) {
  if (shape.period_log2 == CPU_WARP_LOG2)
    shape.outer = 0;
  if (node->type.kind == IR_TYPE_I32 && cpu_is_carry_free(shape))
    shape.is_exact = true;
  return shape;
}

bool cpu_may_wrap(const CpuPlan *plan, const IrNode *node) {
  CpuShape shape = cpu_node_shape(plan, node);
  bool is_sum = node->op == IR_ADD || node->op == IR_SUB ||
                node->op == IR_NEG || node->op == IR_MUL ||
                node->op == IR_SHL || node->op == IR_TRUNC;
  if (!is_sum || node->type.kind != IR_TYPE_I32 || shape.is_nonneg)
    return false;
  bool is_exact = keeps_exact(node);
  for (uint32_t i = 0; i < node->n_args; i++) {
    CpuShape arg = cpu_node_shape(plan, node->args[i]);
    is_exact &= arg.kind == CPU_UNIFORM || arg.is_exact;
  }
  return !is_exact;
}

static CpuShape shape_add(const IrNode *node, CpuShape a, CpuShape b,
                          int64_t sign) {
  if (!is_linear(a) || !is_linear(b))
    return cpu_varying();
  if (a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM) {
    CpuShape sum = cpu_uniform();
    sum.align_log2 = cpu_shape_least(a.align_log2, b.align_log2);
    if (sign > 0)
      bound_result(node, a, b, false, &sum);
    return sum;
  }
  if (!can_be_affine(node->type))
    return cpu_varying();
  a = as_affine(a, b.flip);
  b = as_affine(b, a.flip);
  if (a.flip != b.flip || !cpu_shape_align_periods(&a, &b))
    return cpu_varying();
  CpuShape sum = a;
  sum.step = a.step + sign * b.step;
  sum.outer = a.outer + sign * b.outer;
  sum.align_log2 = cpu_shape_least(a.align_log2, b.align_log2);
  sum.is_exact = a.is_exact && b.is_exact && keeps_exact(node);
  sum.is_nonneg = false;
  sum.most = 0;
  if (sign > 0)
    bound_result(node, a, b, false, &sum);
  return cpu_shape_settle(node, sum);
}

#define STEP_LIMIT ((int64_t)1 << 40)

static CpuShape shape_scale(const IrNode *node, CpuShape a, CpuShape b,
                            int64_t factor, bool is_const) {
  if (a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM) {
    CpuShape product = cpu_uniform();
    uint32_t align = (uint32_t)a.align_log2 + b.align_log2;
    product.align_log2 = (uint8_t)(align > 31 ? 31 : align);
    bound_result(node, a, b, true, &product);
    return product;
  }
  if (a.kind != CPU_AFFINE || !is_const || !can_be_affine(node->type) ||
      factor > STEP_LIMIT || factor < -STEP_LIMIT || a.step > STEP_LIMIT / 64 ||
      a.step < -STEP_LIMIT / 64 || a.outer > STEP_LIMIT / 64 ||
      a.outer < -STEP_LIMIT / 64)
    return cpu_varying();
  CpuShape product = a;
  product.step = a.step * factor;
  product.outer = a.outer * factor;
  if (product.step > STEP_LIMIT || product.step < -STEP_LIMIT ||
      product.outer > STEP_LIMIT || product.outer < -STEP_LIMIT)
    return cpu_varying();
  uint32_t align = (uint32_t)a.align_log2 + align_of(factor);
  product.align_log2 = (uint8_t)(align > 31 ? 31 : align);
  product.is_exact = a.is_exact && keeps_exact(node);
  CpuShape by = {.is_nonneg = factor >= 0,
                 .is_exact = true,
                 .most = factor > 0 ? factor : factor == 0};
  bound_result(node, a, by, true, &product);
  return cpu_shape_settle(node, product);
}

static CpuShape shape_mul(const IrNode *node, CpuShape a, CpuShape b) {
  int64_t factor = 0;
  if (a.kind == CPU_AFFINE && b.kind == CPU_UNIFORM) {
    bool is_const = code_const_int(node->args[1], &factor);
    return shape_scale(node, a, b, factor, is_const);
  }
  if (b.kind == CPU_AFFINE && a.kind == CPU_UNIFORM) {
    bool is_const = code_const_int(node->args[0], &factor);
    return shape_scale(node, b, a, factor, is_const);
  }
  return a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM
             ? shape_scale(node, a, b, 0, false)
             : cpu_varying();
}

static bool is_flipped_lane(CpuShape a) {
  return a.kind == CPU_AFFINE && a.period_log2 == CPU_WARP_LOG2 &&
         a.step == 1 && a.align_log2 >= CPU_WARP_LOG2 && a.is_exact;
}

// lane as it is: base a multiple of 32, step 1, nothing wrapped.
static bool is_aligned_lane(CpuShape a) {
  return is_flipped_lane(a) && a.flip == 0;
}

// x >> m of an aligned lane.
static CpuShape shape_shift_right(CpuShape a, int64_t count, bool is_unsigned) {
  CpuShape result = a;
  a.is_nonneg |= is_unsigned && count > 0;
  a.most >>= count;
  result.is_nonneg = a.is_nonneg;
  result.most = a.most;
  if (count >= CPU_WARP_LOG2) {
    result = cpu_uniform();
    result.is_nonneg = a.is_nonneg;
    result.most = a.most;
    result.align_log2 =
        (uint8_t)(a.align_log2 > count ? a.align_log2 - count : 0);
    return result;
  }
  result.period_log2 = (uint8_t)count;
  result.step = 0;
  result.outer = 1;
  result.align_log2 = (uint8_t)(a.align_log2 - count);
  if (count == 0)
    return a;
  return result;
}

// x & (2^m - 1) of an aligned lane.
static CpuShape shape_low_bits(CpuShape a, int64_t bits) {
  CpuShape result = a;
  result.is_nonneg = true;
  result.most = bits == 0 ? 1 : ((int64_t)1 << bits) - 1;
  if (bits >= CPU_WARP_LOG2)
    return result;
  result.align_log2 = 62;
  result.period_log2 = (uint8_t)bits;
  result.step = bits == 0 ? 0 : 1;
  result.outer = 0;
  return result;
}

static bool cpu_shape_is_power(int64_t value, int64_t *log2) {
  if (!is_power_of_two(value))
    return false;
  *log2 = bits_log2((uint64_t)value);
  return *log2 < 31;
}

// Division, remainder, shift and mask of an aligned lane by a constant.
static CpuShape shape_bits(const IrNode *node, CpuShape a) {
  int64_t value, log2;
  if (!is_aligned_lane(a) || !code_const_int(node->args[1], &value))
    return cpu_varying();
  bool is_unsigned =
      node->op == IR_LSHR || node->op == IR_UDIV || node->op == IR_UREM;
  // Bases of 32 bits are read as unsigned ones.
  bool can_read = a.is_nonneg || node->type.kind == IR_TYPE_I32;
  if (is_unsigned && !can_read)
    return cpu_varying();
  if (node->op == IR_ASHR || node->op == IR_LSHR) {
    if (value < 0 || value > 31)
      return cpu_varying();
    return shape_shift_right(a, value, is_unsigned);
  }
  if (node->op == IR_AND && value % CPU_WARP == 0) {
    // The lanes of a warp differ in other bits.
    CpuShape result = cpu_uniform();
    result.is_nonneg = a.is_nonneg || value >= 0;
    result.align_log2 =
        a.align_log2 > align_of(value) ? a.align_log2 : align_of(value);
    return result;
  }
  if (node->op == IR_AND)
    return value < INT32_MAX && cpu_shape_is_power(value + 1, &log2)
               ? shape_low_bits(a, log2)
               : cpu_varying();
  if ((!a.is_nonneg && !is_unsigned) || !cpu_shape_is_power(value, &log2))
    return cpu_varying();
  bool is_quotient = node->op == IR_SDIV || node->op == IR_UDIV;
  return is_quotient ? shape_shift_right(a, log2, is_unsigned)
                     : shape_low_bits(a, log2);
}

static CpuShape shape_and(const IrNode *node, CpuShape a, CpuShape b) {
  if (a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM) {
    CpuShape result = cpu_uniform();
    result.align_log2 =
        a.align_log2 > b.align_log2 ? a.align_log2 : b.align_log2;
    result.is_nonneg = a.is_nonneg || b.is_nonneg;
    return result;
  }
  return shape_bits(node, a);
}

// An aligned lane with some bits turned over: those of the base, and of the
// lane.
static CpuShape shape_xor(const IrNode *node, CpuShape a, CpuShape b) {
  int64_t value;
  if (a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM) {
    CpuShape result = cpu_uniform();
    result.align_log2 = cpu_shape_least(a.align_log2, b.align_log2);
    result.is_nonneg = a.is_nonneg && b.is_nonneg;
    return result;
  }
  if (!is_flipped_lane(a) || b.kind != CPU_UNIFORM)
    return cpu_varying();
  CpuShape result = a;
  result.is_nonneg = a.is_nonneg && b.is_nonneg;
  result.most = 0;
  if (code_const_int(node->args[1], &value)) {
    result.flip ^= (uint8_t)(value & (CPU_WARP - 1));
    result.align_log2 = CPU_WARP_LOG2;
    return result;
  }
  result.align_log2 = cpu_shape_least(a.align_log2, b.align_log2);
  return b.align_log2 >= CPU_WARP_LOG2 ? result : cpu_varying();
}

// Quotients and right shifts of nonnegative numbers stay so.
static CpuShape shape_divide(const IrNode *node, CpuShape a, CpuShape b) {
  if (a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM) {
    CpuShape result = cpu_uniform();
    int64_t divisor;
    bool is_shift = node->op == IR_LSHR || node->op == IR_ASHR;
    result.is_nonneg =
        a.is_nonneg &&
        (is_shift || (code_const_int(node->args[1], &divisor) && divisor > 0));
    result.most = a.most;
    return result;
  }
  return shape_bits(node, a);
}

// Lanes of a full warp lie on the same side of a multiple of 32. Widened as
// signed numbers, unsigned ones keep their order.
static CpuShape shape_less(CpuShape a, CpuShape b, bool is_or_equal) {
  if (a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM)
    return cpu_uniform();
  bool is_side = is_or_equal ? a.kind == CPU_UNIFORM && is_aligned_lane(b)
                             : is_aligned_lane(a) && b.kind == CPU_UNIFORM;
  uint8_t align = is_or_equal ? a.align_log2 : b.align_log2;
  if (is_side && align >= CPU_WARP_LOG2)
    return cpu_uniform();
  return cpu_varying();
}

static CpuShape shape_select(const IrNode *node, const CpuShape *args) {
  if (args[0].kind != CPU_UNIFORM || !is_linear(args[1]) ||
      !is_linear(args[2]) || !can_be_affine(node->type)) {
    bool all = args[0].kind == CPU_UNIFORM && args[1].kind == CPU_UNIFORM &&
               args[2].kind == CPU_UNIFORM;
    return all ? cpu_uniform() : cpu_varying();
  }
  return cpu_shape_join(args[1], args[2]);
}

// Signed widening keeps exact sums; unsigned ones if nothing is negative, or if
// all of a warp are.
static CpuShape shape_widen(const IrNode *node, CpuShape a) {
  bool is_signed = node->op == IR_SEXT;
  CpuShape result = a;
  if (a.kind == CPU_UNIFORM) {
    bool is_bool = node->args[0]->type.kind == IR_TYPE_BOOL;
    result.is_nonneg = a.is_nonneg || !is_signed;
    if (is_bool)
      result.align_log2 = 0;
    return result;
  }
  if (a.kind != CPU_AFFINE || !can_be_affine(node->type) || !a.is_exact ||
      (!is_signed && !a.is_nonneg && !cpu_is_carry_free(a)))
    return cpu_varying();
  result.is_nonneg |= !is_signed;
  return result;
}

static CpuShape shape_narrow(const IrNode *node, CpuShape a) {
  CpuShape result = a;
  bool fits = node->type.kind == IR_TYPE_I32 && a.is_nonneg && a.most > 0 &&
              a.most <= INT32_MAX;
  result.is_nonneg = fits;
  if (a.kind == CPU_UNIFORM)
    return result;
  if (a.kind != CPU_AFFINE || !can_be_affine(node->type))
    return cpu_varying();
  result.is_exact = fits && a.is_exact;
  return cpu_shape_settle(node, result);
}

static CpuShape shape_default(const IrNode *node, const CpuShape *args) {
  for (uint32_t i = 0; i < node->n_args; i++)
    if (args[i].kind != CPU_UNIFORM)
      return cpu_varying();
  return cpu_uniform();
}

static CpuShape shape_shl(const IrNode *node, CpuShape a, CpuShape b) {
  int64_t count;
  bool is_const =
      code_const_int(node->args[1], &count) && count >= 0 && count < 31;
  if (a.kind != CPU_AFFINE || b.kind != CPU_UNIFORM || !is_const)
    return a.kind == CPU_UNIFORM && b.kind == CPU_UNIFORM ? cpu_uniform()
                                                          : cpu_varying();
  return shape_scale(node, a, b, (int64_t)1 << count, true);
}

static CpuShape shape_place(const IrKernel *kernel, const IrNode *node) {
  CpuShape shape = cpu_uniform();
  int64_t threads = kernel->block_dim[node->u.index.number];
  int64_t blocks = kernel->has_few_threads ? INT32_MAX / threads : INT32_MAX;
  shape.is_nonneg = true;
  shape.most = node->op == IR_BLOCK_DIM ? threads : blocks;
  if (node->op == IR_BLOCK_INDEX)
    shape.most--;
  return shape;
}

static CpuShape shape_lanes(const CpuPlan *plan, const IrNode *node,
                            const CpuShape *args);

CpuShape cpu_shape_op(const CpuPlan *plan, const IrNode *node,
                      const CpuShape *args) {
  CpuShape shape = cpu_form_op(node, args, shape_lanes(plan, node, args));
  if (!shape.is_nonneg)
    shape.most = 0;
  return plan->lanes == 1 && shape.kind != CPU_NONE ? cpu_uniform() : shape;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static CpuShape shape_lanes(const CpuPlan *plan, const IrNode *node,
                            const CpuShape *args) {
  (void)plan;
  switch (node->op) {
  case IR_CONST: return shape_const(node);
  case IR_ADD: return shape_add(node, args[0], args[1], 1);
  case IR_SUB: return shape_add(node, args[0], args[1], -1);
  case IR_PTR_ADD: return shape_add(node, args[0], args[1], 1);
  case IR_NEG: {
    if (args[0].kind != CPU_AFFINE)
      return shape_default(node, args);
    return shape_scale(node, args[0], args[0], -1, true);
  }
  case IR_MUL: return shape_mul(node, args[0], args[1]);
  case IR_SHL: return shape_shl(node, args[0], args[1]);
  case IR_AND: return shape_and(node, args[0], args[1]);
  case IR_XOR: return shape_xor(node, args[0], args[1]);
  case IR_LSHR:
  case IR_ASHR:
  case IR_SDIV:
  case IR_UDIV:
  case IR_SREM:
  case IR_UREM: return shape_divide(node, args[0], args[1]);
  case IR_SLT:
  case IR_ULT: return shape_less(args[0], args[1], false);
  case IR_SLE:
  case IR_ULE: return shape_less(args[0], args[1], true);
  case IR_SELECT: return shape_select(node, args);
  case IR_SEXT:
  case IR_ZEXT: return shape_widen(node, args[0]);
  case IR_TRUNC: return shape_narrow(node, args[0]);
  case IR_UNIFORM: return args[0];
  case IR_BLOCK_INDEX:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: return shape_place(plan->kernel, node);
  case IR_SIZE:
  case IR_META_SIZE:
  case IR_EXTENT: {
    CpuShape shape = cpu_uniform();
    shape.is_nonneg = true;
    return shape;
  }
  default: return shape_default(node, args);
  }
}

#pragma GCC diagnostic pop
