// SPDX-License-Identifier: Apache-2.0
// Note [Forms of indices]
// Index arithmetic that is not known to stay within its type gives no affine
// value: `zext(y * width + x)` jumps wherever the 32-bit sum wraps. Still the
// low bits of every lane are those of
//   base + step * (lane % period) + (outer + row) * (lane / period)
// with a scalar base and, where has_row is set, a scalar row that is only known
// at run time (`y * width` in blocks of 16 x 16 threads). A VARYING shape
// carries that as its form: form_bits low bits are told by it, all 64 if
// nothing wraps. A value keeps its vector besides; LLVM drops what isn't used.
//
// Addresses are what forms are for. The index of an access lies within its
// object, in all lanes that run, and where the object is small that is a range
// of less than 2^31. Modulo 2^32, whose signed representative is taken for the
// lane with the least offset, only one number of that range comes into
// question. So such an index is as good as an affine one, and no test is
// needed; nor does it matter what lanes hold that don't run.
#include "codegen/cpu/cpu_plan.h"

CpuShape cpu_without_form(CpuShape shape) {
  return shape.kind == CPU_VARYING ? cpu_varying() : shape;
}

bool cpu_as_form(IrType type, CpuShape *shape) {
  bool is_wide = type.kind == IR_TYPE_I64;
  if (!is_wide && type.kind != IR_TYPE_I32)
    return false;
  if (shape->kind == CPU_VARYING)
    return shape->form_bits > 0;
  if (shape->kind == CPU_UNIFORM) {
    *shape = cpu_affine(0);
    shape->is_exact = true;
  }
  shape->form_bits = is_wide || shape->is_exact ? 64 : 32;
  return shape->kind == CPU_AFFINE && shape->flip == 0;
}

static uint8_t cpu_form_least(uint32_t a, uint32_t b) {
  return (uint8_t)(a < b ? a : b);
}

#define STEP_LIMIT ((int64_t)1 << 40)

static bool is_moderate(int64_t step) {
  return step < STEP_LIMIT && step > -STEP_LIMIT;
}

static bool add_forms(CpuShape *sum, CpuShape b, int64_t sign) {
  if (!cpu_shape_align_periods(sum, &b))
    return false;
  sum->step += sign * b.step;
  sum->outer += sign * b.outer;
  sum->has_row |= b.has_row;
  sum->form_bits = cpu_form_least(sum->form_bits, b.form_bits);
  return true;
}

static bool scale_form(CpuShape *form, int64_t factor) {
  if (factor == 0 || !is_moderate(factor) ||
      __builtin_mul_overflow(form->step, factor, &form->step) ||
      __builtin_mul_overflow(form->outer, factor, &form->outer))
    return false;
  uint32_t zeros = (uint32_t)__builtin_ctzll((uint64_t)factor);
  form->form_bits = cpu_form_least(form->form_bits + zeros, 64);
  return true;
}

// Rows times a scalar: their distance is known at run time.
static bool scale_rows(CpuShape *form) {
  if (form->step != 0 || form->period_log2 == CPU_WARP_LOG2)
    return false;
  form->outer = 0;
  form->has_row = true;
  return true;
}

static bool multiply_form(const IrNode *node, const CpuShape *args,
                          CpuShape *form) {
  uint32_t other = args[0].kind == CPU_UNIFORM ? 0 : 1;
  int64_t factor;
  if (args[other].kind != CPU_UNIFORM)
    return false;
  *form = args[1 - other];
  if (!cpu_as_form(node->type, form))
    return false;
  return code_const_int(node->args[other], &factor) ? scale_form(form, factor)
                                                    : scale_rows(form);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static bool cpu_form_of(const IrNode *node, const CpuShape *args,
                        CpuShape *form) {
  int64_t count;
  CpuShape right = node->n_args > 1 ? args[1] : args[0];
  *form = args[0];
  if (node->op != IR_MUL && !cpu_as_form(node->args[0]->type, form))
    return false;
  switch (node->op) {
  case IR_ADD:
  case IR_SUB:
    return cpu_as_form(node->type, &right) &&
           add_forms(form, right, node->op == IR_ADD ? 1 : -1);
  case IR_MUL: return multiply_form(node, args, form);
  case IR_NEG: return scale_form(form, -1);
  case IR_SHL:
    return code_const_int(node->args[1], &count) && count >= 0 && count < 31 &&
           scale_form(form, (int64_t)1 << count);
  case IR_SEXT: return true;
  case IR_ZEXT:
    form->form_bits = cpu_form_least(form->form_bits, 32);
    return true;
  case IR_TRUNC:
    form->form_bits = cpu_form_least(form->form_bits, 32);
    return true;
  default: return false;
  }
}

#pragma GCC diagnostic pop

CpuShape cpu_form_op(const IrNode *node, const CpuShape *args, CpuShape shape) {
  CpuShape form;
  bool is_index =
      node->type.kind == IR_TYPE_I32 || node->type.kind == IR_TYPE_I64;
  if (shape.kind != CPU_VARYING || !is_index || node->type.lanes != 1 ||
      !cpu_form_of(node, args, &form) || !is_moderate(form.step) ||
      !is_moderate(form.outer))
    return shape;
  bool may_wrap = node->type.kind == IR_TYPE_I32 &&
                  (node->flags & NODE_NO_SIGNED_WRAP) == 0;
  if (may_wrap)
    form.form_bits = cpu_form_least(form.form_bits, 32);
  shape.form_bits = form.form_bits;
  shape.has_row = form.has_row;
  shape.period_log2 = form.period_log2;
  shape.step = form.step;
  shape.outer = form.outer;
  return shape;
}
