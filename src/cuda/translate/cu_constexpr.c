// SPDX-License-Identifier: Apache-2.0
// Calls of constexpr functions with constant arguments: statements are run,
// expressions are translated as ever, with what variables hold as their
// constants. What it can't do, it leaves to an ordinary call.
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cxx/cx_parse.h"

enum { MOST_STEPS = 20000, MOST_DEPTH = 128 };

typedef enum {
  RUN_ON,
  RUN_BREAK,
  RUN_CONTINUE,
  RUN_RETURN,
  RUN_FAILED,
} Outcome;

typedef struct {
  CuContext *cu;
  const CuType *type; // of the result; NULL: auto
  CuValue result;
} Run;

static Outcome constexpr_run(Run *state, const CxStmt *stmt);

static bool constexpr_constant_of(Run *state, const CxExpr *expr,
                                  CuValue *out) {
  if (++state->cu->limits.n_constexpr_steps > MOST_STEPS)
    return false;
  *out = cu_expr(state->cu, expr);
  return out->constant.kind != CU_NOT_CONST && !cu_is_poisoned(out);
}

static bool is_function(const CuValue *value) {
  const CuType *type = cu_plain(value->type);
  return cu_is(type, CU_LAMBDA) && type->u.lambda->only != NULL;
}

static bool returned(Run *state, const CxExpr *expr) {
  if (!state->type || !cu_is_function_pointer(state->type))
    return constexpr_constant_of(state, expr, &state->result);
  state->result =
      cu_function_constant(state->cu, cu_expr(state->cu, expr), state->type);
  return is_function(&state->result);
}

static bool constexpr_is_true(const CuValue *value) {
  return value->constant.kind == CU_CONST_FLOAT ? value->constant.f != 0
                                                : value->constant.i != 0;
}

// ---------------------------------------------------------------- variables

static CuVariable *new_variable(CuContext *cu, const CuType *type,
                                CuConst value) {
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  variable->type = cu_plain(cu_referred(type));
  variable->constant = value;
  variable->is_constexpr = true;
  return variable;
}

static bool constexpr_declare(Run *state, const CxDecl *decl) {
  CuContext *cu = state->cu;
  if (decl->kind != CX_DECL_VAR)
    return decl->kind == CX_DECL_STATIC_ASSERT || decl->kind == CX_DECL_ALIAS;
  const CxExpr *init = decl->u.var.init;
  if (init && init->kind == CX_EXPR_INIT_LIST && init->u.init_list.n_items == 1)
    init = init->u.init_list.items[0].value;
  bool is_auto = cu_has_auto(decl->type);
  const CuType *type = is_auto ? cu_basic(&cu->types, CU_POISON)
                               : cu_resolve_type(cu, decl->type);
  CuVariable *variable = new_variable(cu, type, (CuConst){0});
  cu_declare_local(cu, variable, decl->name, NULL);
  variable->own = CU_OWN_TYPE;
  CuValue value = {0};
  if (!init || !constexpr_constant_of(state, init, &value))
    return false;
  variable->own = CU_OWN_NOT;
  if (is_auto)
    type = variable->type = cu_plain(cu_referred(value.type));
  if (!cu_is_arithmetic(cu_plain(type)))
    return false;
  variable->constant = cu_const_convert(value.constant, value.type, type);
  return true;
}

static CuVariable *constexpr_assigned(Run *state, const CxExpr *place) {
  CuValue value = cu_expr(state->cu, place);
  return value.variable && value.variable->is_constexpr ? value.variable : NULL;
}

static bool constexpr_step(Run *state, const CxExpr *expr) {
  CuVariable *variable = constexpr_assigned(state, expr->u.unary.operand);
  UnaryOp op = expr->u.unary.op;
  if (!variable || op < UNARY_PRE_INC)
    return false;
  bool adds = op == UNARY_PRE_INC || op == UNARY_POST_INC;
  const CuType *wide = cu_promoted(state->cu, variable->type);
  CuConst one = cu_const_convert(cu_const_int(1),
                                 cu_basic(&state->cu->types, CU_INT), wide);
  CuConst sum = cu_fold_binary(
      adds ? BINARY_ADD : BINARY_SUB,
      cu_const_convert(variable->constant, variable->type, wide), one, wide);
  variable->constant = cu_const_convert(sum, wide, variable->type);
  return variable->constant.kind != CU_NOT_CONST;
}

static bool constexpr_assign(Run *state, const CxExpr *expr) {
  CuContext *cu = state->cu;
  CuVariable *variable = constexpr_assigned(state, expr->u.assign.left);
  CuValue value;
  if (!variable || !constexpr_constant_of(state, expr->u.assign.right, &value))
    return false;
  CuConst made = value.constant;
  const CuType *type = value.type;
  if (expr->u.assign.is_compound) {
    bool shifts =
        expr->u.assign.op == BINARY_SHL || expr->u.assign.op == BINARY_SHR;
    type = shifts ? cu_promoted(cu, variable->type)
                  : cu_common_type(cu, variable->type, value.type);
    made = cu_fold_binary(
        expr->u.assign.op,
        cu_const_convert(variable->constant, variable->type, type),
        shifts ? made : cu_const_convert(made, value.type, type), type);
  }
  variable->constant = cu_const_convert(made, type, variable->type);
  return variable->constant.kind != CU_NOT_CONST;
}

static bool constexpr_effect(Run *state, const CxExpr *expr) {
  if (++state->cu->limits.n_constexpr_steps > MOST_STEPS)
    return false;
  if (expr->kind == CX_EXPR_UNARY)
    return constexpr_step(state, expr);
  if (expr->kind == CX_EXPR_ASSIGN)
    return constexpr_assign(state, expr);
  if (expr->kind != CX_EXPR_COMMA)
    return false;
  for (uint32_t i = 0; i < expr->u.list.count; i++) {
    if (!constexpr_effect(state, expr->u.list.data[i]))
      return false;
  }
  return true;
}

// ---------------------------------------------------------------- statements

static Outcome run_list(Run *state, const CxStmtList *items) {
  for (uint32_t i = 0; i < items->count; i++) {
    Outcome outcome = constexpr_run(state, items->data[i]);
    if (outcome != RUN_ON)
      return outcome;
  }
  return RUN_ON;
}

static Outcome run_if(Run *state, const CxStmt *stmt) {
  CuValue condition;
  if (stmt->u.if_stmt.init || stmt->u.if_stmt.condition_decl ||
      !constexpr_constant_of(state, stmt->u.if_stmt.condition, &condition))
    return RUN_FAILED;
  const CxStmt *taken = constexpr_is_true(&condition)
                            ? stmt->u.if_stmt.then_stmt
                            : stmt->u.if_stmt.else_stmt;
  return taken ? constexpr_run(state, taken) : RUN_ON;
}

static Outcome run_loop(Run *state, const CxStmt *stmt) {
  if (stmt->u.loop.condition_decl)
    return RUN_FAILED;
  bool is_for = stmt->kind == CX_STMT_FOR;
  if (is_for && stmt->u.loop.init &&
      constexpr_run(state, stmt->u.loop.init) != RUN_ON)
    return RUN_FAILED;
  for (bool is_first = true;; is_first = false) {
    CuValue condition;
    bool asks =
        stmt->u.loop.condition && !(is_first && stmt->kind == CX_STMT_DO);
    if (asks &&
        !constexpr_constant_of(state, stmt->u.loop.condition, &condition))
      return RUN_FAILED;
    if (asks && !constexpr_is_true(&condition))
      return RUN_ON;
    Outcome outcome = constexpr_run(state, stmt->u.loop.body);
    if (outcome == RUN_BREAK)
      return RUN_ON;
    if (outcome == RUN_RETURN || outcome == RUN_FAILED)
      return outcome;
    if (is_for && stmt->u.loop.step &&
        !constexpr_effect(state, stmt->u.loop.step))
      return RUN_FAILED;
    if (++state->cu->limits.n_constexpr_steps > MOST_STEPS)
      return RUN_FAILED;
  }
}

static Outcome run_block(Run *state, const CxStmt *stmt) {
  cu_push_block(state->cu);
  Outcome outcome = stmt->kind == CX_STMT_COMPOUND
                        ? run_list(state, &stmt->u.compound.items)
                        : run_loop(state, stmt);
  cu_pop_block(state->cu);
  return outcome;
}

static Outcome run_declarations(Run *state, const CxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.decls.count; i++) {
    if (!constexpr_declare(state, stmt->u.decls.data[i]))
      return RUN_FAILED;
  }
  return RUN_ON;
}

static Outcome constexpr_run(Run *state, const CxStmt *stmt) {
  switch ((int)stmt->kind) {
  case CX_STMT_EMPTY: return RUN_ON;
  case CX_STMT_EXPR:
    return constexpr_effect(state, stmt->u.expr) ? RUN_ON : RUN_FAILED;
  case CX_STMT_DECL: return run_declarations(state, stmt);
  case CX_STMT_COMPOUND:
  case CX_STMT_FOR:
  case CX_STMT_WHILE:
  case CX_STMT_DO: return run_block(state, stmt);
  case CX_STMT_IF: return run_if(state, stmt);
  case CX_STMT_BREAK: return RUN_BREAK;
  case CX_STMT_CONTINUE: return RUN_CONTINUE;
  case CX_STMT_RETURN:
    return stmt->u.expr && returned(state, stmt->u.expr) ? RUN_RETURN
                                                         : RUN_FAILED;
  default: return RUN_FAILED;
  }
}

// ---------------------------------------------------------------- calls

static bool may_run(const CuContext *cu, const CuFunction *function,
                    CuValues args) {
  if (!function->decl ||
      (!cu->runs_host && !(function->decl->specs & CX_SPEC_CONSTEXPR)) ||
      function->record || !function->decl->u.function.has_body ||
      args.count != function->n_params || function->is_variadic)
    return false;
  for (uint32_t i = 0; i < args.count; i++) {
    const CuType *type = cu_referred(function->params[i].type);
    if (args.data[i].constant.kind == CU_NOT_CONST ||
        !cu_is_arithmetic(cu_plain(type)))
      return false;
  }
  return !function->result || cu_is_function_pointer(function->result) ||
         cu_is_arithmetic(cu_plain(cu_referred(function->result)));
}

static void declare_params(CuContext *cu, const CuFunction *function,
                           CuValues args) {
  cu_declare_packs(cu, &function->decl->type->u.function.params);
  for (uint32_t i = 0; i < args.count; i++) {
    const CuType *type = function->params[i].type;
    CuConst value = cu_const_convert(args.data[i].constant, args.data[i].type,
                                     cu_referred(type));
    cu_declare_param(cu, new_variable(cu, type, value),
                     cu_param_name(function, i), &function->params[i], NULL);
  }
}

// The arguments, and those that the call leaves to the declaration.
static CuValues constexpr_with_defaults(CuContext *cu,
                                        const CuFunction *function,
                                        CuValues args) {
  bool has_all = args.count >= function->n_params || !function->decl ||
                 !(function->decl->specs & CX_SPEC_CONSTEXPR);
  if (has_all)
    return args;
  CuValues all = {ARENA_ARRAY(cu->arena, CuValue, function->n_params), 0};
  CuScope *before = cu_set_scope(cu, function->scope);
  for (; all.count < function->n_params; all.count++) {
    const CxExpr *init = all.count < args.count
                             ? NULL
                             : cu_default_argument(cu, function, all.count);
    if (all.count < args.count)
      all.data[all.count] = args.data[all.count];
    else if (init)
      all.data[all.count] = cu_expr(cu, init);
    else
      break;
  }
  cu_set_scope(cu, before);
  return all;
}

bool cu_constexpr_call(CuContext *cu, const CuFunction *function, CuValues args,
                       CuValue *out) {
  args = constexpr_with_defaults(cu, function, args);
  if (!may_run(cu, function, args) || cu->limits.constexpr_depth >= MOST_DEPTH)
    return false;
  const CxBody *body = cx_parse_body(cu->tree, function->decl);
  if (!body || body->has_errors || !body->block)
    return false;
  if (cu->limits.constexpr_depth == 0)
    cu->limits.n_constexpr_steps = 0;
  CuFrame *frame = cu->frame;
  CuStmtVec dropped = {0};
  CuFrame apart = {.parent = frame,
                   .is_unevaluated = true,
                   .is_conditional = true,
                   .statements = &dropped};
  // cppcheck-suppress autoVariables ; put back below
  cu->frame = &apart;
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, function->scope));
  declare_params(cu, function, args);
  cu->limits.constexpr_depth++;
  CuTrial trial = cu_trial_begin(cu);
  Run state = {.cu = cu, .type = function->result};
  Outcome outcome = run_block(&state, body->block);
  bool failed = cu_trial_end(cu, trial);
  cu->limits.constexpr_depth--;
  cu_set_scope(cu, before);
  cu->frame = frame;
  if (failed || outcome != RUN_RETURN)
    return false;
  if (is_function(&state.result)) {
    *out = state.result;
    return true;
  }
  const CuType *type = function->result
                           ? cu_plain(cu_referred(function->result))
                           : cu_plain(state.result.type);
  *out = cu_rvalue(type, NULL, state.result.span);
  out->constant =
      cu_const_convert(state.result.constant, state.result.type, type);
  return out->constant.kind != CU_NOT_CONST;
}
