// SPDX-License-Identifier: Apache-2.0
// `for` loops that count.
//
// Note [Counted loops]. A C loop becomes a `for` of the IR when its number of
// turns is fixed before the first one and its counter can't wrap:
//  - the counter is an int or long of either signedness, not changed in the
//    body, and its address is not taken;
//  - the bound isn't changed by the body and reads no memory but read-only
//    arrays that nothing may overlap;
//  - the step is a constant in the direction of the comparison.
// A signed counter doesn't wrap: the program owes that. An unsigned one may, so
// its step must be one, or its bound a constant that leaves room for the last
// step. A counter declared outside must not be seen outside of its loops.
#include "lower/lower_view.h"

typedef struct {
  TVar *var;
  const TStmt *decl;  // DECL of the counter, or NULL
  const TExpr *start; // value
  const TExpr *bound;
  const Type *type;    // of the counter
  const Type *compare; // in which counter and bound are compared
  TOp op;              // counter op bound
  int64_t step;
} Counter;

// ---------------------------------------------------------------- matching

static bool is_read_of(const TExpr *expr, const TVar *var) {
  return expr->kind == TEXPR_LOAD && expr->u.operand->kind == TEXPR_VAR &&
         expr->u.operand->u.var == var;
}

static const TExpr *loop_counted_unconverted(const TExpr *expr) {
  while (expr->kind == TEXPR_CONVERT && type_is_integer(expr->type) &&
         type_is_integer(expr->u.operand->type) &&
         type_bits(type_underlying(expr->type)) >=
             type_bits(type_underlying(expr->u.operand->type)))
    expr = expr->u.operand;
  return expr;
}

// The variable that a comparison reads on one side.
static TVar *read_var(const TExpr *side) {
  const TExpr *expr = loop_counted_unconverted(side);
  return expr->kind == TEXPR_LOAD && expr->u.operand->kind == TEXPR_VAR
             ? expr->u.operand->u.var
             : NULL;
}

static TOp loop_counted_mirrored(TOp op) {
  switch ((int)op) {
  case TOP_LT: return TOP_GT;
  case TOP_LE: return TOP_GE;
  case TOP_GT: return TOP_LT;
  case TOP_GE: return TOP_LE;
  default: return op;
  }
}

// The declaration of `var` in the loop's init, alone or among others.
static const TStmt *find_decl(const TStmt *init, const TVar *var) {
  if (!init)
    return NULL;
  if (init->kind == TSTMT_DECL)
    return init->u.decl.var == var && init->u.decl.init ? init : NULL;
  if (init->kind != TSTMT_BLOCK)
    return NULL;
  for (uint32_t i = 0; i < init->u.block.n_stmts; i++) {
    const TStmt *decl = find_decl(init->u.block.stmts[i], var);
    if (decl)
      return decl;
  }
  return NULL;
}

static bool match_start(Lowering *lw, const TStmt *init, Counter *counter) {
  counter->decl = find_decl(init, counter->var);
  if (counter->decl) {
    counter->start = counter->decl->u.decl.init;
    return true;
  }
  if (!init || init->kind != TSTMT_EXPR || !init->u.expr ||
      init->u.expr->kind != TEXPR_ASSIGN)
    return false;
  const TExpr *assign = init->u.expr;
  const VarUse *use = lower_use(lw, counter->var);
  if (assign->u.binary.left->kind != TEXPR_VAR ||
      assign->u.binary.left->u.var != counter->var ||
      counter->var->kind != TVAR_LOCAL || use->n_uses != use->n_own_uses)
    return false;
  counter->start = assign->u.binary.right;
  return true;
}

static bool constant_step(const TExpr *expr, bool is_negative, int64_t *step) {
  if (expr->kind != TEXPR_CONST || !type_is_integer(expr->type))
    return false;
  int64_t value = expr->u.value.i;
  if (value == 0 || value < -(INT64_C(1) << 30) || value > INT64_C(1) << 30)
    return false;
  *step = is_negative ? -value : value;
  return true;
}

// i = i + c, i = c + i, i = i - c
static bool match_sum(const TExpr *value, const TVar *var, int64_t *step) {
  if (value->kind != TEXPR_BINARY)
    return false;
  TOp op = value->u.binary.op;
  const TExpr *left = value->u.binary.left, *right = value->u.binary.right;
  if (op == TOP_ADD && is_read_of(right, var))
    return constant_step(left, false, step);
  return (op == TOP_ADD || op == TOP_SUB) && is_read_of(left, var) &&
         constant_step(right, op == TOP_SUB, step);
}

static bool is_var(const TExpr *place, const TVar *var) {
  return place->kind == TEXPR_VAR && place->u.var == var;
}

static bool match_step(const TExpr *step, Counter *counter) {
  if (!step)
    return false;
  switch ((int)step->kind) {
  case TEXPR_INC_DEC:
    counter->step = step->u.inc_dec.is_increment ? 1 : -1;
    return is_var(step->u.inc_dec.place, counter->var);
  case TEXPR_ASSIGN_OP:
    return is_var(step->u.assign.place, counter->var) &&
           (step->u.assign.op == TOP_ADD || step->u.assign.op == TOP_SUB) &&
           type_underlying(step->u.assign.compute_type) == counter->type &&
           constant_step(step->u.assign.right, step->u.assign.op == TOP_SUB,
                         &counter->step);
  case TEXPR_ASSIGN:
    return is_var(step->u.binary.left, counter->var) &&
           match_sum(step->u.binary.right, counter->var, &counter->step);
  default: return false;
  }
}

static bool match_condition(const TExpr *condition, bool is_left,
                            Counter *counter) {
  const TExpr *left = condition->u.binary.left;
  const TExpr *right = condition->u.binary.right;
  counter->var = read_var(is_left ? left : right);
  if (!counter->var)
    return false;
  counter->bound = is_left ? right : left;
  counter->op = is_left ? condition->u.binary.op
                        : loop_counted_mirrored(condition->u.binary.op);
  counter->type = type_underlying(counter->var->type);
  counter->compare = type_underlying(left->type);
  return true;
}

static bool is_counter_type(const Type *type) {
  return type_is_integer(type) && type_bits(type) >= 32;
}

// `!=` with a step of one is `<` or `>`: a signed counter that passed its
// bound would have to wrap.
static bool match_direction(Counter *counter) {
  bool is_up = counter->step > 0;
  if (counter->op == TOP_NE && (counter->step == 1 || counter->step == -1) &&
      type_is_signed(counter->type) && counter->compare == counter->type)
    counter->op = is_up ? TOP_LT : TOP_GT;
  return is_up ? counter->op == TOP_LT || counter->op == TOP_LE
               : counter->op == TOP_GT || counter->op == TOP_GE;
}

// -------------------------------------------------------------- invariance

typedef struct {
  Lowering *lw;
  const TStmt *body;
} BoundCheck;

static bool is_not_assigned_to(const TExpr *expr, void *context) {
  const TExpr *place = NULL;
  if (expr->kind == TEXPR_ASSIGN)
    place = expr->u.binary.left;
  else if (expr->kind == TEXPR_ASSIGN_OP)
    place = expr->u.assign.place;
  else if (expr->kind == TEXPR_INC_DEC)
    place = expr->u.inc_dec.place;
  else if (expr->kind == TEXPR_ADDR) // Note [Parameters that are places]
    place = expr->u.operand;
  return !place || lower_root_var(place) != context;
}

static bool is_unchanged_in(Lowering *lw, TVar *var, const TStmt *body) {
  return !lower_use(lw, var)->is_assigned ||
         lower_visit_stmt(body, is_not_assigned_to, var);
}

static bool loop_counted_is_read_only(const IrObject *object) {
  return object->is_const && !object->is_plain_pointer &&
         object->alias_class == 0;
}

static bool is_fixed_var(const BoundCheck *check, TVar *var) {
  const Binding *binding = lower_binding(check->lw, var);
  if (!binding || binding->kind == BIND_DENSE)
    return false;
  if (binding->kind == BIND_OBJECT || binding->kind == BIND_VIEW) {
    IrObject *object =
        binding->kind == BIND_VIEW ? binding->view->object : binding->object;
    object->decides_turns |= loop_counted_is_read_only(object);
    return loop_counted_is_read_only(object);
  }
  return is_unchanged_in(check->lw, var, check->body);
}

static bool loop_counted_is_fixed_part(const TExpr *expr, void *context) {
  const BoundCheck *check = context;
  switch (expr->kind) {
  case TEXPR_CONST:
  case TEXPR_LOAD:
  case TEXPR_INDEX:
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT:
  case TEXPR_UNARY:
  case TEXPR_BINARY:
  case TEXPR_AND:
  case TEXPR_OR:
  case TEXPR_CONDITIONAL:
  case TEXPR_CONVERT: return true;
  case TEXPR_GROUP: return expr->u.group.ref <= TGROUP_NAMED;
  case TEXPR_VAR: return is_fixed_var(check, expr->u.var);
  case TEXPR_BUILTIN: return lower_is_pure_builtin(expr->u.builtin.id);
  case TEXPR_DEREF:
  case TEXPR_ADDR:
  case TEXPR_PTR_ADD:
  case TEXPR_PTR_DIFF:
  case TEXPR_COMMA:
  case TEXPR_ASSIGN:
  case TEXPR_ASSIGN_OP:
  case TEXPR_INC_DEC:
  case TEXPR_BROADCAST:
  case TEXPR_AGGREGATE:
  case TEXPR_SECTION:
  case TEXPR_CALL: break;
  }
  return false;
}

static bool is_fixed_bound(Lowering *lw, const TExpr *bound,
                           const TStmt *body) {
  BoundCheck check = {lw, body};
  return lower_visit_expr(bound, loop_counted_is_fixed_part, &check);
}

// ------------------------------------------------------------------ ranges

static bool loop_counted_constant_value(const TExpr *expr, int64_t *value) {
  if (expr->kind != TEXPR_CONST || !type_is_integer(expr->type))
    return false;
  *value = expr->u.value.i;
  return type_is_signed(expr->type) || *value >= 0;
}

static bool fits_without_wrap(const Counter *counter) {
  int64_t bound;
  if (counter->op == TOP_LT && counter->step == 1)
    return true;
  if (counter->op == TOP_GT && counter->step == -1)
    return true;
  if (!loop_counted_constant_value(counter->bound, &bound))
    return false;
  int64_t most =
      type_bits(counter->type) == 32 ? (int64_t)UINT32_MAX : INT64_MAX;
  if (counter->step > 0)
    return bound <= most - counter->step;
  return bound >= -counter->step;
}

// A bound of a wider or unsigned type, compared with an int: where the bound
// is out of int's range the counter would have to overflow first.
static bool may_clamp(const Counter *counter) {
  if (type_bits(counter->type) != 32 || !type_is_signed(counter->type))
    return false;
  if (type_is_signed(counter->compare))
    return counter->op == TOP_LT || counter->op == TOP_GT;
  int64_t start;
  return counter->op == TOP_LT &&
         loop_counted_constant_value(counter->start, &start) && start >= 0;
}

static bool loop_counted_is_in_range(const Counter *counter) {
  if (counter->compare == counter->type ||
      (type_bits(counter->compare) == type_bits(counter->type) &&
       type_is_signed(counter->compare) == type_is_signed(counter->type)))
    return type_is_signed(counter->type) || fits_without_wrap(counter);
  return may_clamp(counter);
}

static bool is_fixed_counter(Lowering *lw, const Counter *counter,
                             const TStmt *loop) {
  const TStmt *init = counter->decl ? loop->u.loop.init : NULL;
  const TStmt *body = loop->u.loop.body;
  return !lower_use(lw, counter->var)->needs_memory &&
         (!init || lower_visit_stmt(init, is_not_assigned_to, counter->var)) &&
         lower_visit_stmt(body, is_not_assigned_to, counter->var) &&
         is_fixed_bound(lw, counter->bound, body);
}

static bool match_sides(Lowering *lw, const TStmt *stmt, bool is_left,
                        Counter *counter) {
  *counter = (Counter){0};
  return match_condition(stmt->u.loop.condition, is_left, counter) &&
         is_counter_type(counter->type) &&
         match_start(lw, stmt->u.loop.init, counter) &&
         match_step(stmt->u.loop.step, counter);
}

static bool match_counter(Lowering *lw, const TStmt *stmt, Counter *counter) {
  const TExpr *condition = stmt->u.loop.condition;
  if (stmt->u.loop.is_post_tested || !condition ||
      condition->kind != TEXPR_BINARY || condition->u.binary.op < TOP_EQ ||
      !type_is_integer(condition->u.binary.left->type))
    return false;
  if (!match_sides(lw, stmt, true, counter) &&
      !match_sides(lw, stmt, false, counter))
    return false;
  return match_direction(counter) && loop_counted_is_in_range(counter) &&
         is_fixed_counter(lw, counter, stmt);
}

// ---------------------------------------------------------------- lowering

static IrNode *loop_counted_clamped(Lowering *lw, IrNode *node,
                                    bool is_signed) {
  IrType type = node->type, i32 = ir_scalar(IR_TYPE_I32);
  IrNode *most = lower_const(lw, type, INT32_MAX);
  if (is_signed) {
    IrNode *least = lower_const(lw, type, (uint64_t)(int64_t)INT32_MIN);
    node = lower_emit2(lw, IR_SMIN, type, node, most);
    node = lower_emit2(lw, IR_SMAX, type, node, least);
  } else {
    node = lower_emit2(lw, IR_UMIN, type, node, most);
  }
  return type.kind == IR_TYPE_I32 ? node : lower_emit1(lw, IR_TRUNC, i32, node);
}

static int64_t clamped_constant(int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}

// The bound in the counter's own type.
static IrNode *lower_bound(Lowering *lw, const Counter *counter) {
  const Type *compare = counter->compare, *type = counter->type;
  bool is_signed = type_is_signed(compare);
  if (type_bits(compare) == type_bits(type) &&
      is_signed == type_is_signed(type))
    return lower_scalar(lw, counter->bound);
  int64_t value;
  if (loop_counted_constant_value(counter->bound, &value))
    return lower_i32(lw, clamped_constant(value));
  const TExpr *narrow = loop_counted_unconverted(counter->bound);
  const Type *narrow_type = type_underlying(narrow->type);
  if (is_signed && type_is_signed(narrow_type) && type_bits(narrow_type) <= 32)
    return lower_convert_scalar(lw, lower_scalar(lw, narrow), narrow_type,
                                type);
  return loop_counted_clamped(lw, lower_scalar(lw, counter->bound), is_signed);
}

// In the order of the program; what is declared behind the counter may read it.
static void lower_decls(Lowering *lw, const TStmt *init, const Counter *counter,
                        IrNode **start) {
  if (init == counter->decl) {
    *start = lower_scalar(lw, counter->start);
    lower_bind_node(lw, counter->var, *start);
  } else if (init->kind == TSTMT_DECL) {
    lower_decl(lw, init);
  } else {
    for (uint32_t i = 0; i < init->u.block.n_stmts; i++)
      lower_decls(lw, init->u.block.stmts[i], counter, start);
  }
}

static void lower_counted_body(Lowering *lw, const TStmt *stmt, IrNode *loop,
                               const Counter *counter) {
  IrRegion *before = lower_enter(lw, loop, 0);
  const Binding *outside = lower_binding(lw, counter->var);
  lower_bind_node(lw, counter->var, lower_get(lw, loop->u.loop.var));
  ControlScope scope = {.parent = lw->control,
                        .break_target = loop,
                        .continue_target = loop,
                        .is_next_turn = true};
  lw->control = &scope;
  lower_claims(lw, &stmt->u.loop.claims, true);
  lower_stmt(lw, stmt->u.loop.body);
  lw->control = scope.parent;
  lower_strip_tail(&loop->regions[0], loop, true);
  lower_leave(lw, before);
  if (outside)
    lower_bind(lw, counter->var, outside);
}

bool lower_counted_loop(Lowering *lw, const TStmt *stmt, int32_t unroll) {
  Counter counter;
  if (!match_counter(lw, stmt, &counter))
    return false;
  IrNode *start = NULL;
  if (counter.decl)
    lower_decls(lw, stmt->u.loop.init, &counter, &start);
  else
    start = lower_scalar(lw, counter.start);
  IrNode *bound = lower_bound(lw, &counter);
  IrNode *loop = lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID), start, bound);
  loop->u.loop.var = lower_new_var(lw, counter.var->name, start->type);
  loop->u.loop.step = counter.step;
  loop->u.loop.is_signed = type_is_signed(counter.type);
  loop->u.loop.is_inclusive = counter.op == TOP_LE || counter.op == TOP_GE;
  loop->u.loop.unroll = unroll;
  lower_counted_body(lw, stmt, loop, &counter);
  return true;
}
