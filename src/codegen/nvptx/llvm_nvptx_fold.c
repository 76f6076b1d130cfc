// SPDX-License-Identifier: Apache-2.0
// Operators of reductions and scans, on leaves.
#include "codegen/nvptx/llvm_nvptx_team.h"

NvFold nv_fold(NvEmit *e, const IrNode *node) {
  return (NvFold){.node = node,
                  .is_operator = ir_is_operator(node),
                  .combine = node->u.collective.combine,
                  .now = nv_leaves(e, node->args[0])};
}

bool nv_is_free(const NvFold *f) {
  if (f->is_operator)
    return false;
  for (uint32_t k = 0; k < f->now.n; k++)
    if (ir_type_is_float(f->now.types[k]))
      return false;
  return true;
}

// Of float minima and maxima, too: they order zeros by sign.
bool nv_commutes(const NvFold *f) {
  return !f->is_operator;
}

static void set_operand(NvEmit *e, uint32_t var, const NvLeaves *value) {
  for (uint32_t k = 0; k < value->n; k++)
    nv_store_var(e, e->plan->var_leaf[var] + k, value->types[k], value->v[k]);
}

// The body of the program's operator, once more.
static NvLeaves nvptx_fold_run_operator(NvEmit *e, const NvFold *f,
                                        const NvLeaves *left,
                                        const NvLeaves *right,
                                        LLVMValueRef where,
                                        const NvLeaves *otherwise) {
  const IrNode *node = f->node;
  uint32_t leaf = e->plan->var_leaf[node->u.by.result];
  if (otherwise)
    set_operand(e, node->u.by.result, otherwise);
  NvIf place = {NULL};
  if (where)
    place = nv_if(e, where);
  set_operand(e, node->u.by.left, left);
  set_operand(e, node->u.by.right, right);
  bool goes_on = nv_emit_region(e, &node->regions[0]);
  e->node = node;
  if (where && goes_on)
    nv_end_if(e, place);
  else if (where)
    nv_begin_block(e, place.after);
  else if (!goes_on) // a trap in any case
    nv_begin_block(e, nv_new_block(e, "never"));
  NvLeaves result = *left;
  for (uint32_t k = 0; k < result.n; k++)
    result.v[k] = nv_load_var(e, leaf + k, result.types[k]);
  return result;
}

NvLeaves nv_apply(NvEmit *e, const NvFold *f, const NvLeaves *left,
                  const NvLeaves *right, LLVMValueRef where,
                  const NvLeaves *otherwise) {
  if (f->is_operator)
    return nvptx_fold_run_operator(e, f, left, right, where, otherwise);
  NvLeaves result = *left;
  for (uint32_t k = 0; k < result.n; k++)
    result.v[k] =
        nv_combine(e, f->combine, left->types[k], left->v[k], right->v[k]);
  return where ? nv_choose(e, where, &result, otherwise) : result;
}

// -------------------------------------------------------------- identities

static LLVMValueRef infinity(NvEmit *e, IrType type, bool is_negative) {
  double value = is_negative ? -__builtin_inf() : __builtin_inf();
  return LLVMConstReal(nv_scalar_type(e, type), value);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

LLVMValueRef nv_identity(NvEmit *e, IrRmw combine, IrType type) {
  LLVMTypeRef scalar = nv_scalar_type(e, type);
  bool is_float = ir_type_is_float(type);
  uint64_t sign = UINT64_C(1) << (ir_type_bits(type) - 1);
  switch (combine) {
  case RMW_SMIN:
    return is_float ? infinity(e, type, false)
                    : LLVMConstInt(scalar, sign - 1, 0);
  case RMW_SMAX:
    return is_float ? infinity(e, type, true) : LLVMConstInt(scalar, sign, 0);
  case RMW_UMIN:
    return is_float ? infinity(e, type, false) : LLVMConstAllOnes(scalar);
  case RMW_UMAX:
    return is_float ? infinity(e, type, true) : LLVMConstNull(scalar);
  case RMW_AND: return LLVMConstAllOnes(scalar);
  default: return LLVMConstNull(scalar);
  }
}

#pragma GCC diagnostic pop

NvLeaves nv_identities(NvEmit *e, const NvFold *f) {
  NvLeaves none = f->now;
  for (uint32_t k = 0; k < none.n; k++)
    none.v[k] = nv_identity(e, f->combine, none.types[k]);
  return none;
}
