// SPDX-License-Identifier: Apache-2.0
// Expressions that the host evaluates before a launch.
#include "lower/lower_internal.h"

static IrHost *host_new(Lowering *lw, IrHostOp op, IrHost *const *args,
                        uint8_t n_args) {
  IrHost *host = ARENA_NEW(lw->module->arena, IrHost);
  host->op = op;
  host->n_args = n_args;
  for (uint8_t i = 0; i < n_args; i++) {
    host->args[i] = args[i];
    host->is_float |= args[i] && args[i]->is_float;
  }
  return host;
}

IrHost *lower_host_const(Lowering *lw, int64_t value) {
  IrHost *host = host_new(lw, HOST_CONST, NULL, 0);
  host->number = value;
  return host;
}

static bool lower_host_fold(IrHostOp op, int64_t a, int64_t b, int64_t *out) {
  switch ((int)op) {
  case HOST_ADD: return !__builtin_add_overflow(a, b, out);
  case HOST_SUB: return !__builtin_sub_overflow(a, b, out);
  case HOST_MUL: return !__builtin_mul_overflow(a, b, out);
  case HOST_MAX: *out = a > b ? a : b; return true;
  case HOST_MIN: *out = a < b ? a : b; return true;
  case HOST_CDIV:
    if (b <= 0 || a < 0)
      return false;
    *out = a / b + (a % b != 0);
    return true;
  default: return false;
  }
}

static bool lower_host_is_number(const IrHost *host, int64_t value) {
  return host->op == HOST_CONST && !host->is_float && host->number == value;
}

IrHost *lower_host2(Lowering *lw, IrHostOp op, IrHost *a, IrHost *b) {
  int64_t value;
  bool is_fixed = a->op == HOST_CONST && b->op == HOST_CONST && !a->is_float &&
                  !b->is_float;
  if (is_fixed && lower_host_fold(op, a->number, b->number, &value))
    return lower_host_const(lw, value);
  if ((op == HOST_SUB && lower_host_is_number(b, 0)) ||
      ((op == HOST_CDIV || op == HOST_MUL) && lower_host_is_number(b, 1)))
    return a;
  IrHost *args[] = {a, b};
  return host_new(lw, op, args, 2);
}

// -------------------------------------------------------------- operators

static IrHost *host_constant(Lowering *lw, const TExpr *expr) {
  IrHost *host = host_new(lw, HOST_CONST, NULL, 0);
  if (type_is_floating(expr->type)) {
    host->is_float = true;
    host->real = expr->u.value.f;
  } else {
    host->number = expr->u.value.i;
  }
  return host;
}

static IrHost *host_param(Lowering *lw, const TExpr *place) {
  const TVar *var = lower_root_var(place);
  HD_ASSERT(place->kind == TEXPR_VAR && var);
  uintptr_t index = (uintptr_t)map_get(&lw->params, MAP_KEY(var));
  HD_ASSERT(index > 0);
  IrHost *host = host_new(lw, HOST_PARAM, NULL, 0);
  host->number = (int64_t)index - 1;
  host->is_float = type_is_floating(var->type);
  return host;
}

static IrHostOp host_operator(TOp op) {
  switch (op) {
  case TOP_NEG: return HOST_NEG;
  case TOP_BIT_NOT: return HOST_BIT_NOT;
  case TOP_NOT: return HOST_LOGICAL_NOT;
  case TOP_ADD: return HOST_ADD;
  case TOP_SUB: return HOST_SUB;
  case TOP_MUL: return HOST_MUL;
  case TOP_DIV: return HOST_DIV;
  case TOP_REM: return HOST_REM;
  case TOP_SHL: return HOST_SHL;
  case TOP_SHR: return HOST_SHR;
  case TOP_BIT_AND: return HOST_BIT_AND;
  case TOP_BIT_OR: return HOST_BIT_OR;
  case TOP_BIT_XOR: return HOST_BIT_XOR;
  case TOP_EQ: return HOST_EQ;
  case TOP_NE: return HOST_NE;
  case TOP_LT:
  case TOP_GT: return HOST_LT;
  case TOP_LE:
  case TOP_GE: return HOST_LE;
  }
  return HOST_CONST;
}

static bool lower_host_is_truth(IrHostOp op) {
  return op == HOST_EQ || op == HOST_NE || op == HOST_LT || op == HOST_LE ||
         op == HOST_LOGICAL_AND || op == HOST_LOGICAL_OR ||
         op == HOST_LOGICAL_NOT;
}

static IrHost *host_pair(Lowering *lw, IrHostOp op, const TExpr *left,
                         const TExpr *right) {
  IrHost *a = lower_host(lw, left), *b = lower_host(lw, right);
  IrHost *host = lower_host2(lw, op, a, b);
  if (lower_host_is_truth(op))
    host->is_float = false;
  return host;
}

static IrHost *host_binary(Lowering *lw, const TExpr *expr) {
  TOp op = expr->u.binary.op;
  const TExpr *left = expr->u.binary.left, *right = expr->u.binary.right;
  if (op == TOP_GT || op == TOP_GE)
    return host_pair(lw, host_operator(op), right, left);
  return host_pair(lw, host_operator(op), left, right);
}

static IrHost *host_unary(Lowering *lw, const TExpr *expr) {
  IrHost *operand = lower_host(lw, expr->u.unary.operand);
  IrHost *host = host_new(lw, host_operator(expr->u.unary.op), &operand, 1);
  if (expr->u.unary.op == TOP_NOT)
    host->is_float = false;
  return host;
}

// Integers are exact on the host, so only changes of kind remain.
static IrHost *host_convert(Lowering *lw, const TExpr *expr) {
  IrHost *operand = lower_host(lw, expr->u.operand);
  const Type *from = expr->u.operand->type, *to = expr->type;
  if (type_is(to, TY_BOOL)) {
    if (type_is(from, TY_BOOL))
      return operand;
    IrHost *truth = lower_host2(lw, HOST_NE, operand, lower_host_const(lw, 0));
    truth->is_float = false;
    return truth;
  }
  if (type_is_floating(to) == operand->is_float)
    return operand;
  IrHostOp op = operand->is_float ? HOST_TO_INT : HOST_TO_FLOAT;
  IrHost *host = host_new(lw, op, &operand, 1);
  host->is_float = op == HOST_TO_FLOAT;
  return host;
}

static IrHost *host_conditional(Lowering *lw, const TExpr *expr) {
  IrHost *args[] = {lower_host(lw, expr->u.conditional.condition),
                    lower_host(lw, expr->u.conditional.if_true),
                    lower_host(lw, expr->u.conditional.if_false)};
  IrHost *host = host_new(lw, HOST_COND, args, 3);
  host->is_float = args[1]->is_float || args[2]->is_float;
  return host;
}

// --------------------------------------------------------------- builtins

static IrHost *host_fold_args(Lowering *lw, IrHostOp op, const TExpr *expr) {
  TExpr **args = expr->u.builtin.args;
  IrHost *host = lower_host(lw, args[0]);
  for (uint32_t i = 1; i < expr->u.builtin.n_args; i++)
    host = lower_host2(lw, op, host, lower_host(lw, args[i]));
  return host;
}

static IrObject *host_array(Lowering *lw, const TExpr *arg) {
  while (arg->kind == TEXPR_ADDR || arg->kind == TEXPR_LOAD ||
         arg->kind == TEXPR_CONVERT)
    arg = arg->u.operand;
  const TVar *var = lower_root_var(arg);
  // Of a pointer that the kernel moves, what it is at the start.
  uintptr_t param = (uintptr_t)map_get(&lw->params, MAP_KEY(var));
  if (param > 0 && lw->kernel->params.data[param - 1].object)
    return lw->kernel->params.data[param - 1].object;
  const Binding *binding = var ? lower_binding(lw, var) : NULL;
  HD_ASSERT(binding);
  if (binding->kind == BIND_OBJECT)
    return binding->object;
  HD_ASSERT(binding->kind == BIND_POINTER && binding->address->object);
  return binding->address->object;
}

static IrHost *host_predicate(Lowering *lw, IrHostOp op, const TExpr *expr) {
  IrHost *host = host_new(lw, op, NULL, 0);
  host->object = host_array(lw, expr->u.builtin.args[0]);
  if (op == HOST_DISJOINT) {
    host->other = expr->u.builtin.n_args > 1
                      ? host_array(lw, expr->u.builtin.args[1])
                      : host->object;
    return host;
  }
  host->n_args = op == HOST_ALIGNED ? 1 : 2;
  for (uint32_t i = 1; i < expr->u.builtin.n_args && i <= host->n_args; i++)
    host->args[i - 1] = lower_host(lw, expr->u.builtin.args[i]);
  return host;
}

static IrHost *host_builtin(Lowering *lw, const TExpr *expr) {
  switch ((int)expr->u.builtin.id) {
  case BI_MIN: return host_fold_args(lw, HOST_MIN, expr);
  case BI_MAX: return host_fold_args(lw, HOST_MAX, expr);
  case BI_CDIV: return host_fold_args(lw, HOST_CDIV, expr);
  case BI_CLAMP: {
    TExpr **args = expr->u.builtin.args;
    IrHost *low = lower_host2(lw, HOST_MAX, lower_host(lw, args[0]),
                              lower_host(lw, args[1]));
    return lower_host2(lw, HOST_MIN, low, lower_host(lw, args[2]));
  }
  case BI_ABS: {
    IrHost *operand = lower_host(lw, expr->u.builtin.args[0]);
    return host_new(lw, HOST_ABS, &operand, 1);
  }
  case BI_INJECTIVE: return host_predicate(lw, HOST_INJECTIVE, expr);
  case BI_BOUNDED: return host_predicate(lw, HOST_BOUNDED, expr);
  case BI_MONOTONE: return host_predicate(lw, HOST_MONOTONE, expr);
  case BI_DISJOINT: return host_predicate(lw, HOST_DISJOINT, expr);
  case BI_ALIGNED: return host_predicate(lw, HOST_ALIGNED, expr);
  default: break;
  }
  HD_PANIC("built-in %d in an expression for the host", expr->u.builtin.id);
}

IrHost *lower_host(Lowering *lw, const TExpr *expr) {
  switch ((int)expr->kind) {
  case TEXPR_CONST: return host_constant(lw, expr);
  case TEXPR_LOAD: return host_param(lw, expr->u.operand);
  case TEXPR_UNARY: return host_unary(lw, expr);
  case TEXPR_BINARY: return host_binary(lw, expr);
  case TEXPR_AND:
    return host_pair(lw, HOST_LOGICAL_AND, expr->u.binary.left,
                     expr->u.binary.right);
  case TEXPR_OR:
    return host_pair(lw, HOST_LOGICAL_OR, expr->u.binary.left,
                     expr->u.binary.right);
  case TEXPR_CONDITIONAL: return host_conditional(lw, expr);
  case TEXPR_CONVERT: return host_convert(lw, expr);
  case TEXPR_BUILTIN: return host_builtin(lw, expr);
  default: break;
  }
  HD_PANIC("expression of kind %d for the host", (int)expr->kind);
}
