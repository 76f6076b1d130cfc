// SPDX-License-Identifier: Apache-2.0
// && || and ?:, as values and as conditions.
//
// A side that costs little and can't be seen to run is evaluated always (and,
// or, select): masks and branches would cost more. Otherwise a variable carries
// the result out of an `if`.
#include "lower/lower_internal.h"

enum { CHEAP_OPERATIONS = 8 };

// -------------------------------------------------------------- cheapness

typedef struct {
  Lowering *lw;
  uint32_t cost;
} CostCount;

static bool is_cheap_builtin(Builtin id, uint32_t *cost) {
  switch ((int)id) {
  case BI_BLOCK_INDEX:
  case BI_GRID_DIM:
  case BI_BLOCK_DIM:
  case BI_THREAD_INDEX:
  case BI_RANK:
  case BI_SIZE:
  case BI_META_RANK:
  case BI_META_SIZE: *cost = 0; return true;
  case BI_FABS:
  case BI_FMIN:
  case BI_FMAX:
  case BI_FMA:
  case BI_MIN:
  case BI_MAX:
  case BI_ABS:
  case BI_ISNAN:
  case BI_ISINF:
  case BI_ISFINITE:
  case BI_SIGNBIT:
  case BI_COPYSIGN:
  case BI_FLOOR:
  case BI_CEIL:
  case BI_TRUNC:
  case BI_RINT: *cost = 1; return true;
  case BI_CLAMP:
  case BI_CLZ:
  case BI_CTZ:
  case BI_POPCOUNT:
  case BI_ROTL:
  case BI_ROTR: *cost = 2; return true;
  default: return false;
  }
}

static uint32_t operator_cost(TOp op, const Type *type) {
  bool is_division = op == TOP_DIV || op == TOP_REM;
  uint32_t lanes = type_is(type, TY_VECTOR) ? type->u.vector.count : 1;
  return (is_division ? CHEAP_OPERATIONS : 1) * lanes;
}

// A read of a variable that isn't memory.
static bool is_register_read(Lowering *lw, const TExpr *place) {
  const TVar *var = lower_root_var(place);
  if (!var)
    return false;
  const Binding *binding = lower_binding(lw, var);
  return binding && binding->kind != BIND_OBJECT &&
         binding->kind != BIND_DENSE && binding->kind != BIND_VIEW &&
         lower_layout(lw, place->type)->n_leaves <= CHEAP_OPERATIONS;
}

// Must not be evaluated where the program doesn't.
static bool expr_logic_may_overflow(Lowering *lw, const TExpr *expr) {
  if (!lw->module->is_exact)
    return false;
  const Type *type = expr->type;
  if (type_is(type, TY_VECTOR))
    type = type->u.vector.element;
  bool is_sum = expr->kind == TEXPR_BINARY &&
                (expr->u.binary.op == TOP_ADD || expr->u.binary.op == TOP_SUB ||
                 expr->u.binary.op == TOP_MUL || expr->u.binary.op == TOP_SHL);
  return lower_type_is_signed(type) && (is_sum || expr->kind == TEXPR_UNARY);
}

static bool count_cost(const TExpr *expr, void *context) {
  CostCount *count = context;
  uint32_t cost = 0;
  if (expr_logic_may_overflow(count->lw, expr))
    return false;
  switch (expr->kind) {
  case TEXPR_CONST:
  case TEXPR_VAR:
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT:
  case TEXPR_BROADCAST: break;
  case TEXPR_GROUP:
    if (expr->u.group.ref > TGROUP_NAMED)
      return false; // makes one
    break;
  case TEXPR_LOAD:
    if (!is_register_read(count->lw, expr->u.operand))
      return false;
    break;
  case TEXPR_BINARY:
    cost = operator_cost(expr->u.binary.op, expr->u.binary.left->type);
    break;
  case TEXPR_UNARY:
  case TEXPR_AND:
  case TEXPR_OR:
  case TEXPR_CONDITIONAL:
  case TEXPR_CONVERT: cost = 1; break;
  case TEXPR_BUILTIN:
    if (!is_cheap_builtin(expr->u.builtin.id, &cost))
      return false;
    break;
  case TEXPR_INDEX:
  case TEXPR_DEREF:
  case TEXPR_ADDR:
  case TEXPR_PTR_ADD:
  case TEXPR_PTR_DIFF:
  case TEXPR_COMMA:
  case TEXPR_ASSIGN:
  case TEXPR_ASSIGN_OP:
  case TEXPR_INC_DEC:
  case TEXPR_AGGREGATE:
  case TEXPR_SECTION:
  case TEXPR_CALL: return false;
  }
  count->cost += cost;
  return count->cost <= CHEAP_OPERATIONS;
}

bool lower_is_cheap(Lowering *lw, const TExpr *expr) {
  CostCount count = {lw, 0};
  return lower_visit_expr(expr, count_cost, &count);
}

IrNode *lower_speculative(Lowering *lw, const TExpr *expr) {
  lw->n_speculative++;
  IrNode *node = lower_scalar(lw, expr);
  lw->n_speculative--;
  return node;
}

// ---------------------------------------------------------------- && and ||

static IrNode *expr_logic_open_if(Lowering *lw, IrNode *condition) {
  return lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), condition);
}

Value lower_logic(Lowering *lw, const TExpr *expr) {
  bool is_and = expr->kind == TEXPR_AND;
  IrType type = ir_scalar(IR_TYPE_BOOL);
  IrNode *left = lower_scalar(lw, expr->u.binary.left);
  if (left->op == IR_CONST) {
    bool is_decided = (left->u.constant.bits != 0) != is_and;
    return is_decided ? lower_value_node(left)
                      : lower_expr(lw, expr->u.binary.right);
  }
  if (lower_is_cheap(lw, expr->u.binary.right)) {
    IrNode *right = lower_speculative(lw, expr->u.binary.right);
    return lower_value_node(
        lower_emit2(lw, is_and ? IR_AND : IR_OR, type, left, right));
  }
  uint32_t var = lower_new_var(lw, NULL, type);
  lower_set(lw, var, left);
  IrNode *branch = expr_logic_open_if(lw, left);
  IrRegion *before = lower_enter(lw, branch, is_and ? 0 : 1);
  lower_set(lw, var, lower_scalar(lw, expr->u.binary.right));
  lower_leave(lw, before);
  return lower_value_node(lower_get(lw, var));
}

void lower_exit_unless(Lowering *lw, const TExpr *condition, IrNode *target) {
  if (condition->kind == TEXPR_AND) {
    lower_exit_unless(lw, condition->u.binary.left, target);
    lower_exit_unless(lw, condition->u.binary.right, target);
    return;
  }
  if (lower_is_ended(lw))
    return;
  IrNode *value = lower_scalar(lw, condition);
  if (value->op == IR_CONST && value->u.constant.bits)
    return;
  if (value->op == IR_CONST) {
    lower_exit(lw, target, false);
    return;
  }
  IrLocId before_loc = lw->loc;
  lw->loc = lower_loc(lw, condition->span);
  IrNode *branch = expr_logic_open_if(lw, lower_not(lw, value));
  IrRegion *before = lower_enter(lw, branch, 0);
  lower_exit(lw, target, false);
  lower_leave(lw, before);
  lw->loc = before_loc;
}

// ---------------------------------------------------------------------- ?:

static Value select_value(Lowering *lw, IrNode *condition, Value a, Value b,
                          const Type *type) {
  a = lower_as_leaves(lw, a, type);
  b = lower_as_leaves(lw, b, type);
  IrNode *leaves[LOWER_MAX_SPLIT_LEAVES + 4];
  for (uint32_t i = 0; i < a.n_leaves; i++) {
    IrNode *x = lower_leaf(&a, i), *y = lower_leaf(&b, i);
    leaves[i] = lower_emit3(lw, IR_SELECT, x->type, condition, x, y);
  }
  Value value = lower_value_leaves(lw, leaves, a.n_leaves);
  return lower_from_leaves(lw, value, type);
}

// Evaluates one side and keeps its value in `storage` (NULL: void).
static void lower_side(Lowering *lw, IrNode *branch, uint32_t which,
                       const TExpr *side, const Storage *storage) {
  IrRegion *before = lower_enter(lw, branch, which);
  Value value = lower_expr(lw, side);
  if (storage)
    lower_write(lw, storage, value);
  lower_leave(lw, before);
}

// An unnamed variable of `type`. Pointers that lead to one object stay offsets
// into it.
static Storage temporary(Lowering *lw, const TExpr *expr) {
  TVar *var = ARENA_NEW(lw->scratch, TVar);
  var->kind = TVAR_LOCAL;
  var->type = expr->type;
  var->align_bytes = expr->type->align_bytes;
  lower_bind_temporary(lw, var, expr->u.conditional.if_true,
                       expr->u.conditional.if_false);
  const Binding *binding = lower_binding(lw, var);
  Storage storage = {
      .kind = STORAGE_BINDING, .type = var->type, .binding = binding};
  if (binding->kind == BIND_OBJECT) {
    storage.kind = STORAGE_MEMORY;
    storage.address = lower_object_address(lw, binding->object);
  }
  return storage;
}

static Value branch_value(Lowering *lw, const TExpr *expr, IrNode *condition) {
  Storage storage = {0};
  bool has_value = !type_is(expr->type, TY_VOID);
  if (has_value)
    storage = temporary(lw, expr);
  IrNode *branch = expr_logic_open_if(lw, condition);
  const Storage *result = has_value ? &storage : NULL;
  lower_side(lw, branch, 0, expr->u.conditional.if_true, result);
  lower_side(lw, branch, 1, expr->u.conditional.if_false, result);
  return has_value ? lower_read(lw, &storage) : lower_value_leaves(lw, NULL, 0);
}

Value lower_conditional(Lowering *lw, const TExpr *expr) {
  const TExpr *if_true = expr->u.conditional.if_true;
  const TExpr *if_false = expr->u.conditional.if_false;
  IrNode *condition = lower_scalar(lw, expr->u.conditional.condition);
  if (condition->op == IR_CONST)
    return lower_expr(lw, condition->u.constant.bits ? if_true : if_false);
  bool is_scalar =
      !type_is(expr->type, TY_POINTER) && !type_is(expr->type, TY_TILE);
  if (is_scalar && lower_is_cheap(lw, if_true) &&
      lower_is_cheap(lw, if_false)) {
    lw->n_speculative++;
    Value a = lower_expr(lw, if_true);
    Value b = lower_expr(lw, if_false);
    lw->n_speculative--;
    return select_value(lw, condition, a, b, expr->type);
  }
  return branch_value(lw, expr, condition);
}
