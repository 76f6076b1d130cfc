// SPDX-License-Identifier: Apache-2.0
// Integer host expressions: extents and strides of objects. (A launch was
// checked before; here only what objects need is evaluated.)
#include "interp/eval.h"
#include "interp/machine.h"

enum { MAX_DEPTH = 2000 };

typedef struct {
  const Launch *launch;
  int depth;
} Host;

static bool interp_host_evaluate(Host *h, const IrHost *host, int64_t *out);

static bool interp_host_param_value(const Launch *launch, int64_t number,
                                    int64_t *out) {
  const IrParam *param = &launch->kernel->params.data[number];
  uint32_t bits = ir_type_bits(param->type);
  uint64_t slot = launch->given->args[param->slot] & eval_mask(bits);
  *out = param->is_signed ? eval_signed(slot, bits) : (int64_t)slot;
  return !ir_type_is_float(param->type) && (param->is_signed || *out >= 0);
}

static bool extent_value(const Launch *launch, const IrHost *host,
                         int64_t *out) {
  const IrObject *object = host->object;
  const IrParam *param = &launch->kernel->params.data[object->param];
  if (param->kind != PARAM_ARRAY)
    return false;
  *out = (int64_t)launch->given->args[param->slot + 1 + host->number];
  return true;
}

static bool interp_host_divide(IrHostOp op, int64_t a, int64_t b,
                               int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return false;
  if (op == HOST_REM)
    *out = a % b;
  else if (op == HOST_DIV)
    *out = a / b;
  else // rounded up
    *out = a / b + (a % b != 0 && (a < 0) == (b < 0));
  return true;
}

static bool host_shift(IrHostOp op, int64_t a, int64_t b, int64_t *out) {
  if (b < 0 || b > 63)
    return false;
  if (op == HOST_SHR) {
    *out = a >> b;
    return true;
  }
  *out = (int64_t)((uint64_t)a << b);
  return *out >> b == a;
}

static bool interp_host_binary(IrHostOp op, int64_t a, int64_t b,
                               int64_t *out) {
  switch ((int)op) {
  case HOST_ADD: return !__builtin_add_overflow(a, b, out);
  case HOST_SUB: return !__builtin_sub_overflow(a, b, out);
  case HOST_MUL: return !__builtin_mul_overflow(a, b, out);
  case HOST_DIV:
  case HOST_REM:
  case HOST_CDIV: return interp_host_divide(op, a, b, out);
  case HOST_SHL:
  case HOST_SHR: return host_shift(op, a, b, out);
  case HOST_BIT_AND: *out = a & b; return true;
  case HOST_BIT_OR: *out = a | b; return true;
  case HOST_BIT_XOR: *out = a ^ b; return true;
  case HOST_MIN: *out = a < b ? a : b; return true;
  case HOST_MAX: *out = a > b ? a : b; return true;
  case HOST_EQ: *out = a == b; return true;
  case HOST_NE: *out = a != b; return true;
  case HOST_LT: *out = a < b; return true;
  case HOST_LE: *out = a <= b; return true;
  default: return false;
  }
}

static bool interp_host_unary(IrHostOp op, int64_t a, int64_t *out) {
  switch ((int)op) {
  case HOST_NEG: return !__builtin_sub_overflow((int64_t)0, a, out);
  case HOST_ABS:
    return a >= 0 ? (*out = a, true) : interp_host_unary(HOST_NEG, a, out);
  case HOST_BIT_NOT: *out = ~a; return true;
  case HOST_LOGICAL_NOT: *out = !a; return true;
  case HOST_TO_INT: *out = a; return true;
  default: return false;
  }
}

// Operands that decide whether others are evaluated at all.
static bool lazy(Host *h, const IrHost *host, int64_t *out) {
  int64_t first;
  if (!interp_host_evaluate(h, host->args[0], &first))
    return false;
  if (host->op == HOST_COND)
    return interp_host_evaluate(h, host->args[first ? 1 : 2], out);
  bool is_decided = host->op == HOST_LOGICAL_AND ? !first : first != 0;
  *out = first != 0;
  if (is_decided)
    return true;
  if (!interp_host_evaluate(h, host->args[1], out))
    return false;
  *out = *out != 0;
  return true;
}

static bool interp_host_operation(Host *h, const IrHost *host, int64_t *out) {
  switch ((int)host->op) {
  case HOST_CONST: *out = host->number; return true;
  case HOST_PARAM: return interp_host_param_value(h->launch, host->number, out);
  case HOST_EXTENT: return extent_value(h->launch, host, out);
  case HOST_LOGICAL_AND:
  case HOST_LOGICAL_OR:
  case HOST_COND: return lazy(h, host, out);
  default: break;
  }
  int64_t a = 0, b = 0;
  if (host->n_args < 1 || host->n_args > 2 ||
      !interp_host_evaluate(h, host->args[0], &a))
    return false;
  if (host->n_args == 1)
    return interp_host_unary(host->op, a, out);
  return interp_host_evaluate(h, host->args[1], &b) &&
         interp_host_binary(host->op, a, b, out);
}

static bool interp_host_evaluate(Host *h, const IrHost *host, int64_t *out) {
  if (!host || host->is_float || h->depth > MAX_DEPTH)
    return false;
  h->depth++;
  bool has_value = interp_host_operation(h, host, out);
  h->depth--;
  return has_value;
}

bool host_evaluate(const Launch *launch, const IrHost *host, int64_t *out) {
  Host h = {launch, 0};
  return interp_host_evaluate(&h, host, out);
}
