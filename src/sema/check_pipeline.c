// SPDX-License-Identifier: Apache-2.0
// Pipelines: produce, consume, slot and full. Which groups take part, and so
// the counts, is found when the kernel is lowered.
#include "sema/builtin_table.h"

enum { MOST_LAG = 1023 }; // below the most slots

static TExpr *check_pipeline_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

static TExpr *check_pipeline(SemaContext *cx, const Expr *expr,
                             const char *what) {
  TExpr *place = check_expr(cx, expr);
  if (expr_is_poison(place))
    return NULL;
  if (place->kind == TEXPR_VAR && type_is(place->type, TY_PIPELINE))
    return place;
  SEMA_ERROR(cx, expr->span, argument_type, DU(1), DS(what), DS("a pipeline"),
             NT(cx, place->type));
  return NULL;
}

// An int, or a long where the type needs it.
static TExpr *check_turn(SemaContext *cx, const Expr *expr, const char *what) {
  TExpr *value = check_value(cx, expr);
  if (expr_is_poison(value))
    return NULL;
  const Type *type = type_underlying(value->type);
  if (!type_is_integer(type)) {
    SEMA_ERROR(cx, expr->span, argument_type, DU(2), DS(what), DS("an integer"),
               NT(cx, value->type));
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

// The innermost stage around that counts turns of the pipeline; NULL: none.
static const Jump *counting_stage(const SemaContext *cx, const TVar *pipeline) {
  const Jump *at = cx->body->jump;
  while (at && at->counts != pipeline)
    at = at->outer;
  return at;
}

static void report_use(SemaContext *cx, Span span, const char *problem) {
  SEMA_ERROR(cx, span, pipeline_use, DS(sema_source_text(cx, span)),
             DS(problem));
}

// slot(p, -j) of a pipeline that counts: a slot that isn't freed yet.
static TExpr *check_back(SemaContext *cx, const Expr *expr, const Jump *stage) {
  TExpr *value = check_value(cx, expr);
  if (expr_is_poison(value))
    return NULL;
  if (type_is_integer(type_underlying(value->type)) && expr_is_const(value) &&
      value->u.value.i <= 0 && value->u.value.i >= -stage->lag)
    return build_convert(cx, value, sema_basic(cx, TY_INT));
  report_use(cx, expr->span,
             sema_format(cx,
                         "must be a constant from -%lld to 0: a slot is freed "
                         "that many turns later",
                         (long long)stage->lag));
  return NULL;
}

// The turn of slot and full; NULL without one. False: an error was told.
static bool check_which(const BuiltinCall *call, const TVar *pipeline,
                        TExpr **turn) {
  SemaContext *cx = call->cx;
  bool is_named = call->args->count == 2;
  const Jump *stage = counting_stage(cx, pipeline);
  *turn = NULL;
  if (is_named && !pipeline->counts_turns) {
    *turn = check_turn(cx, call->args->data[1], call->name);
    return *turn != NULL;
  }
  if (!stage) {
    report_use(cx, call->span,
               sema_format(cx,
                           "belongs inside produce (%s) or consume (%s), which "
                           "determine the slot",
                           pipeline->name, pipeline->name));
    return false;
  }
  if (is_named)
    *turn = check_back(cx, call->args->data[1], stage);
  return !is_named || *turn;
}

TExpr *check_slot_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  TExpr *args[2];
  if (!builtin_takes(call, 1, 2))
    return check_pipeline_poison(call);
  args[0] = check_pipeline(cx, call->args->data[0], call->name);
  if (!args[0] || !check_which(call, args[0]->u.var, &args[1]))
    return check_pipeline_poison(call);
  bool is_full = call->builtin->id == BI_FULL;
  if (is_full && !is_in_stage(cx, args[0]->u.var)) {
    SEMA_ERROR(
        cx, call->span, pipeline_use, DS(sema_source_text(cx, call->span)),
        DS(sema_format(
            cx, "belongs inside produce (%s, …), which counts the copies on it",
            args[0]->u.var->name)));
    return check_pipeline_poison(call);
  }
  const Type *type = sema_basic(cx, is_full ? TY_MBARRIER : TY_INT);
  TExpr *result = build_call_builtin(cx, call->builtin->id, type, args,
                                     args[1] ? 2 : 1, call->span);
  result->is_lvalue = is_full;
  return result;
}

TExpr *check_drain_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return check_pipeline_poison(call);
  TExpr *pipeline = check_pipeline(cx, call->args->data[0], call->name);
  if (!pipeline)
    return check_pipeline_poison(call);
  if (!pipeline->u.var->counts_turns || counting_stage(cx, pipeline->u.var)) {
    report_use(
        cx, call->span,
        "belongs after consume statements without a turn, outside of them");
    return check_pipeline_poison(call);
  }
  return build_call_builtin(cx, call->builtin->id, sema_basic(cx, TY_VOID),
                            &pipeline, 1, call->span);
}

// --- produce and consume ---

static TStmt *check_stage_body(SemaContext *cx, const Stmt *stmt,
                               const char *word, const TVar *pipeline,
                               int64_t lag) {
  Body *body = cx->body;
  Jump jump = {.outer = body->jump,
               .kind = JUMP_GROUP,
               .construct = word,
               .counts = pipeline && pipeline->counts_turns ? pipeline : NULL,
               .lag = lag < 0 ? MOST_LAG : lag}; // an error was told
  if (stmt->kind == STMT_PRODUCE)
    jump.produces = pipeline;
  body->jump = &jump;
  TStmt *result = check_block(cx, stmt->u.group.body);
  body->jump = jump.outer;
  return result;
}

// How many turns later the slot is freed: consume (p, d). -1: an error.
static int64_t check_lag(SemaContext *cx, const Expr *expr) {
  TExpr *value = check_value(cx, expr);
  if (expr_is_poison(value))
    return -1;
  if (type_is_integer(type_underlying(value->type)) && expr_is_const(value) &&
      value->u.value.i >= 0 && value->u.value.i <= MOST_LAG)
    return value->u.value.i;
  report_use(cx, expr->span,
             "must be a constant: a pipeline that counts frees the slot that "
             "many turns later");
  return -1;
}

// The first statement decides for all of them. `consume (p, 1)` names turn 1
// unless the pipeline counts already.
static bool check_naming(SemaContext *cx, const Stmt *stmt, TVar *pipeline) {
  bool has_turn = stmt->u.group.args.count == 2;
  bool may_be_lag = stmt->kind == STMT_CONSUME && pipeline->counts_turns;
  bool names = has_turn && !may_be_lag;
  if (!pipeline->names_turns && !pipeline->counts_turns) {
    pipeline->names_turns = names;
    pipeline->counts_turns = !names;
  }
  if (names == pipeline->names_turns)
    return true;
  report_use(
      cx, stmt->keyword,
      sema_format(
          cx,
          "must name a turn of '%s' if and only if the statements before do",
          pipeline->name));
  return false;
}

static bool check_head(SemaContext *cx, const Stmt *stmt, TVar *pipeline,
                       TExpr **k, int64_t *lag) {
  bool is_produce = stmt->kind == STMT_PRODUCE;
  const ExprList *args = &stmt->u.group.args;
  if (!check_naming(cx, stmt, pipeline))
    return false;
  if (args->count == 2 && pipeline->counts_turns)
    *lag = check_lag(cx, args->data[1]);
  else if (args->count == 2)
    *k = check_turn(cx, args->data[1], is_produce ? "produce" : "consume");
  return *lag >= 0 && (args->count == 1 || pipeline->counts_turns || *k);
}

TStmt *check_stage(SemaContext *cx, const Stmt *stmt) {
  bool is_produce = stmt->kind == STMT_PRODUCE;
  const char *word = is_produce ? "produce" : "consume";
  const ExprList *args = &stmt->u.group.args;
  TExpr *pipeline = NULL, *k = NULL;
  int64_t lag = 0;
  bool is_right = false;
  if (args->count != 1 && args->count != 2) {
    SEMA_ERROR(cx, stmt->keyword, argument_count, DS(word),
               DS("2 arguments, a pipeline and a turn, or a pipeline alone"),
               DU(args->count));
  } else {
    pipeline = check_pipeline(cx, args->data[0], word);
    if (pipeline)
      is_right = check_head(cx, stmt, pipeline->u.var, &k, &lag);
    else if (args->count == 2)
      (void)check_turn(cx, args->data[1], word);
  }
  TStmt *body =
      check_stage_body(cx, stmt, word, pipeline ? pipeline->u.var : NULL, lag);
  if (!is_right)
    return NULL;
  TStmt *result = build_stmt(cx, TSTMT_STAGE, stmt->span);
  result->u.stage.pipeline = pipeline;
  result->u.stage.k = k;
  result->u.stage.lag = lag;
  result->u.stage.is_produce = is_produce;
  result->u.stage.head =
      span_join(stmt->keyword, args->data[args->count - 1]->span);
  result->u.stage.body = body;
  return result;
}
