// SPDX-License-Identifier: Apache-2.0
// Pipelines: produce, consume, slot and full. Which groups take part, and so
// the counts, is found when the kernel is lowered.
#include "sema/builtin_table.h"

static TExpr *poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

static TExpr *check_pipeline(SemaContext *cx, const Expr *expr,
                             const char *what) {
  TExpr *place = check_expr(cx, expr);
  if (expr_is_poison(place))
    return NULL;
  if (place->kind == TEXPR_VAR && type_is(place->type, TY_PIPELINE))
    return place;
  SEMA_ERROR(cx, expr->span, argument_type, DU(1), DS(what),
             NT(cx, place->type), DS("a pipeline"));
  return NULL;
}

// An int, or a long where the type needs it.
static TExpr *check_turn(SemaContext *cx, const Expr *expr, const char *what) {
  TExpr *value = check_value(cx, expr);
  if (expr_is_poison(value))
    return NULL;
  const Type *type = type_underlying(value->type);
  if (!type_is_integer(type)) {
    SEMA_ERROR(cx, expr->span, argument_type, DU(2), DS(what),
               NT(cx, value->type), DS("an integer"));
    return NULL;
  }
  bool is_narrow =
      type_bits(type) < 32 || (type_bits(type) == 32 && type_is_signed(type));
  value =
      build_convert(cx, value, sema_basic(cx, is_narrow ? TY_INT : TY_LONG));
  if (!expr_is_const(value) || value->u.value.i >= 0 || cx->unevaluated)
    return value;
  SEMA_ERROR(cx, expr->span, barrier_value,
             DS(sema_format(cx, "argument 2 of '%s'", what)),
             DD(value->u.value.i), DS("turns are counted from 0"));
  return NULL;
}

// --- slot(p, k) and full(p, k) ---

static bool is_in_stage(const SemaContext *cx, const TVar *pipeline) {
  for (const Jump *at = cx->body->jump; at; at = at->outer)
    if (at->produces == pipeline)
      return true;
  return false;
}

TExpr *check_slot_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  TExpr *args[2];
  if (!builtin_takes(call, 2, 2))
    return poison(call);
  args[0] = check_pipeline(cx, call->args->data[0], call->name);
  args[1] = check_turn(cx, call->args->data[1], call->name);
  if (!args[0] || !args[1])
    return poison(call);
  bool is_full = call->builtin->id == BI_FULL;
  if (is_full && !is_in_stage(cx, args[0]->u.var)) {
    SEMA_ERROR(cx, call->span, pipeline_use,
               DS(sema_source_text(cx, call->span)),
               DS(sema_format(cx,
                              "belongs inside produce (%s, …), which "
                              "counts what is copied on it",
                              args[0]->u.var->name)));
    return poison(call);
  }
  const Type *type = sema_basic(cx, is_full ? TY_MBARRIER : TY_INT);
  TExpr *result =
      build_call_builtin(cx, call->builtin->id, type, args, 2, call->span);
  result->is_lvalue = is_full;
  return result;
}

// --- produce and consume ---

static TStmt *check_stage_body(SemaContext *cx, const Stmt *stmt,
                               const char *word, const TVar *pipeline) {
  Body *body = cx->body;
  Jump jump = {.outer = body->jump, .kind = JUMP_GROUP, .construct = word};
  if (stmt->kind == STMT_PRODUCE)
    jump.produces = pipeline;
  body->jump = &jump;
  TStmt *result = check_block(cx, stmt->u.group.body);
  body->jump = jump.outer;
  return result;
}

TStmt *check_stage(SemaContext *cx, const Stmt *stmt) {
  bool is_produce = stmt->kind == STMT_PRODUCE;
  const char *word = is_produce ? "produce" : "consume";
  const ExprList *args = &stmt->u.group.args;
  TExpr *pipeline = NULL, *k = NULL;
  if (args->count != 2) {
    SEMA_ERROR(cx, stmt->keyword, argument_count, DS(word),
               DS("2 arguments, a pipeline and a turn"), DU(args->count));
  } else {
    pipeline = check_pipeline(cx, args->data[0], word);
    k = check_turn(cx, args->data[1], word);
  }
  TStmt *body =
      check_stage_body(cx, stmt, word, pipeline ? pipeline->u.var : NULL);
  if (!pipeline || !k)
    return NULL;
  TStmt *result = build_stmt(cx, TSTMT_STAGE, stmt->span);
  result->u.stage.pipeline = pipeline;
  result->u.stage.k = k;
  result->u.stage.is_produce = is_produce;
  result->u.stage.head = span_join(stmt->keyword, args->data[1]->span);
  result->u.stage.body = body;
  return result;
}
