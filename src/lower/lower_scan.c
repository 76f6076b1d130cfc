// SPDX-License-Identifier: Apache-2.0
// How variables are used: found once for each function, before it is lowered.
#include "lower/lower_internal.h"

// --------------------------------------------------------------- visiting

static bool visit_list(TExpr *const *exprs, uint32_t n_exprs, ExprVisitor visit,
                       void *context) {
  for (uint32_t i = 0; i < n_exprs; i++)
    if (!lower_visit_expr(exprs[i], visit, context))
      return false;
  return true;
}

static bool visit_two(const TExpr *a, const TExpr *b, ExprVisitor visit,
                      void *context) {
  return lower_visit_expr(a, visit, context) &&
         lower_visit_expr(b, visit, context);
}

static bool visit_parts(const TExpr *expr, ExprVisitor visit, void *context) {
  for (uint32_t i = 0; i < expr->u.aggregate.n_parts; i++)
    if (!lower_visit_expr(expr->u.aggregate.parts[i].value, visit, context))
      return false;
  return true;
}

static bool visit_below(const TExpr *expr, ExprVisitor visit, void *context) {
  switch (expr->kind) {
  case TEXPR_CONST:
  case TEXPR_VAR: return true;
  case TEXPR_GROUP:
    return visit_two(expr->u.group.parent, expr->u.group.operand, visit,
                     context);
  case TEXPR_LOAD:
  case TEXPR_DEREF:
  case TEXPR_ADDR:
  case TEXPR_CONVERT:
  case TEXPR_BROADCAST:
    return lower_visit_expr(expr->u.operand, visit, context);
  case TEXPR_INDEX:
    return lower_visit_expr(expr->u.index.base, visit, context) &&
           visit_list(expr->u.index.indices, expr->u.index.n_indices, visit,
                      context);
  case TEXPR_MEMBER:
  case TEXPR_COMPONENT:
    return lower_visit_expr(expr->u.member.base, visit, context);
  case TEXPR_UNARY:
    return lower_visit_expr(expr->u.unary.operand, visit, context);
  case TEXPR_PTR_ADD:
  case TEXPR_PTR_DIFF:
  case TEXPR_BINARY:
  case TEXPR_AND:
  case TEXPR_OR:
  case TEXPR_COMMA:
  case TEXPR_ASSIGN:
    return visit_two(expr->u.binary.left, expr->u.binary.right, visit, context);
  case TEXPR_CONDITIONAL:
    return lower_visit_expr(expr->u.conditional.condition, visit, context) &&
           visit_two(expr->u.conditional.if_true, expr->u.conditional.if_false,
                     visit, context);
  case TEXPR_ASSIGN_OP:
    return visit_two(expr->u.assign.place, expr->u.assign.right, visit,
                     context);
  case TEXPR_INC_DEC:
    return lower_visit_expr(expr->u.inc_dec.place, visit, context);
  case TEXPR_AGGREGATE: return visit_parts(expr, visit, context);
  case TEXPR_CALL:
    return visit_list(expr->u.call.args, expr->u.call.n_args, visit, context);
  case TEXPR_BUILTIN:
    return visit_list(expr->u.builtin.args, expr->u.builtin.n_args, visit,
                      context);
  case TEXPR_SECTION:
    return visit_list(expr->u.section->lo, expr->u.section->rank, visit,
                      context) &&
           visit_list(expr->u.section->length, expr->u.section->rank, visit,
                      context) &&
           visit_two(expr->u.section->mask, expr->u.section->outside, visit,
                     context);
  }
  return true;
}

bool lower_visit_expr(const TExpr *expr, ExprVisitor visit, void *context) {
  return !expr || (visit(expr, context) && visit_below(expr, visit, context));
}

static bool visit_claims(const TClaims *claims, ExprVisitor visit,
                         void *context) {
  for (uint32_t i = 0; i < claims->n; i++) {
    const TSection *section = &claims->data[i].section;
    if (!visit_list(section->lo, section->rank, visit, context) ||
        !visit_list(section->length, section->rank, visit, context))
      return false;
  }
  return true;
}

static bool visit_block(const TStmt *stmt, ExprVisitor visit, void *context) {
  for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
    if (!lower_visit_stmt(stmt->u.block.stmts[i], visit, context))
      return false;
  return true;
}

bool lower_visit_stmt(const TStmt *stmt, ExprVisitor visit, void *context) {
  if (!stmt)
    return true;
  switch (stmt->kind) {
  case TSTMT_EXPR:
  case TSTMT_RETURN: return lower_visit_expr(stmt->u.expr, visit, context);
  case TSTMT_DECL: return lower_visit_expr(stmt->u.decl.init, visit, context);
  case TSTMT_BLOCK: return visit_block(stmt, visit, context);
  case TSTMT_IF:
    return lower_visit_expr(stmt->u.if_.condition, visit, context) &&
           lower_visit_stmt(stmt->u.if_.if_true, visit, context) &&
           lower_visit_stmt(stmt->u.if_.if_false, visit, context);
  case TSTMT_LOOP:
    return lower_visit_stmt(stmt->u.loop.init, visit, context) &&
           visit_claims(&stmt->u.loop.claims, visit, context) &&
           visit_two(stmt->u.loop.condition, stmt->u.loop.step, visit,
                     context) &&
           lower_visit_stmt(stmt->u.loop.body, visit, context);
  case TSTMT_SWITCH:
    return lower_visit_expr(stmt->u.switch_.value, visit, context) &&
           lower_visit_stmt(stmt->u.switch_.body, visit, context);
  case TSTMT_GROUP:
    return lower_visit_expr(stmt->u.group.begin, visit, context) &&
           lower_visit_stmt(stmt->u.group.body, visit, context);
  case TSTMT_WITH:
    return lower_visit_expr(stmt->u.with.group, visit, context) &&
           lower_visit_stmt(stmt->u.with.body, visit, context);
  case TSTMT_STAGE:
    return visit_two(stmt->u.stage.pipeline, stmt->u.stage.k, visit, context) &&
           lower_visit_stmt(stmt->u.stage.body, visit, context);
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR:
    return visit_two(stmt->u.thread_loop.lo, stmt->u.thread_loop.hi, visit,
                     context) &&
           visit_claims(&stmt->u.thread_loop.claims, visit, context) &&
           lower_visit_stmt(stmt->u.thread_loop.body, visit, context);
  case TSTMT_BREAK:
  case TSTMT_CONTINUE: break;
  }
  return true;
}

// -------------------------------------------------------------- places

TVar *lower_root_var(const TExpr *place) {
  for (;;) {
    switch ((int)place->kind) {
    case TEXPR_VAR: return place->u.var;
    case TEXPR_INDEX: place = place->u.index.base; break;
    case TEXPR_MEMBER:
    case TEXPR_COMPONENT: place = place->u.member.base; break;
    default: return NULL;
    }
  }
}

bool lower_is_fixed_element(const TExpr *index) {
  const Type *type = index->u.index.base->type;
  for (uint32_t i = 0; i < index->u.index.n_indices; i++) {
    const TExpr *subscript = index->u.index.indices[i];
    if (subscript->kind != TEXPR_CONST || type->u.array.extent < 0 ||
        subscript->u.value.u >= (uint64_t)type->u.array.extent)
      return false;
    type = type->u.array.element;
  }
  return true;
}

// ---------------------------------------------------------------- the scan

VarUse *lower_use_of(Lowering *lw, const TVar *var) {
  VarUse *use = map_get(&lw->uses, MAP_KEY(var));
  if (!use) {
    use = ARENA_NEW(lw->scratch, VarUse);
    map_put(lw->scratch, &lw->uses, MAP_KEY(var), use);
  }
  return use;
}

const VarUse *lower_use(const Lowering *lw, const TVar *var) {
  static const VarUse unused = {0};
  const VarUse *use = map_get(&lw->uses, MAP_KEY(var));
  return use ? use : &unused;
}

static void note_assigned(Lowering *lw, const TExpr *place,
                          const TExpr *source) {
  TVar *var = lower_root_var(place);
  if (!var)
    return;
  VarUse *use = lower_use_of(lw, var);
  use->is_assigned = true;
  if (source && place->kind == TEXPR_VAR && type_is(place->type, TY_POINTER))
    VEC_PUSH(lw->scratch, &use->sources, source);
}

static void note_memory(Lowering *lw, const TExpr *place) {
  TVar *var = lower_root_var(place);
  if (var)
    lower_use_of(lw, var)->needs_memory = true;
}

// Whole arrays given to functions stay what they are there.
static void note_arguments(Lowering *lw, const TExpr *call) {
  for (uint32_t i = 0; i < call->u.call.n_args; i++)
    if (call->u.call.args[i]->is_lvalue)
      note_memory(lw, call->u.call.args[i]);
  lower_note_place_args(lw, call);
}

static void note_address(Lowering *lw, const TExpr *address) {
  if (map_has(&lw->place_args, MAP_KEY(address)))
    note_assigned(lw, address->u.operand, NULL);
  else
    note_memory(lw, address->u.operand);
}

static bool note_expr(const TExpr *expr, void *context) {
  Lowering *lw = context;
  switch ((int)expr->kind) {
  case TEXPR_VAR: lower_use_of(lw, expr->u.var)->n_uses++; break;
  case TEXPR_ASSIGN:
    note_assigned(lw, expr->u.binary.left, expr->u.binary.right);
    break;
  case TEXPR_ASSIGN_OP: note_assigned(lw, expr->u.assign.place, NULL); break;
  case TEXPR_INC_DEC: note_assigned(lw, expr->u.inc_dec.place, NULL); break;
  case TEXPR_ADDR: note_address(lw, expr); break;
  case TEXPR_CALL: note_arguments(lw, expr); break;
  case TEXPR_INDEX:
    if (!lower_is_fixed_element(expr))
      note_memory(lw, expr);
    break;
  case TEXPR_SECTION:
    lower_use_of(lw, expr->u.section->array)->needs_memory = true;
    break;
  default: break;
  }
  return true;
}

// ------------------------------------- counters declared outside of loops

typedef struct {
  const TVar *var;
  uint32_t count;
} UseCount;

static bool count_use(const TExpr *expr, void *context) {
  UseCount *count = context;
  if (expr->kind == TEXPR_VAR && expr->u.var == count->var)
    count->count++;
  return true;
}

// `for (i = …; …)` of an i that was declared before.
static const TVar *counter_set_by(const TStmt *loop) {
  const TStmt *init = loop->u.loop.init;
  if (!init || init->kind != TSTMT_EXPR || !init->u.expr ||
      init->u.expr->kind != TEXPR_ASSIGN)
    return NULL;
  const TExpr *place = init->u.expr->u.binary.left;
  return place->kind == TEXPR_VAR ? place->u.var : NULL;
}

typedef struct CounterScope {
  const TVar *var;
  const struct CounterScope *outside;
} CounterScope;

static bool lower_scan_is_open(const CounterScope *scope, const TVar *var) {
  while (scope && scope->var != var)
    scope = scope->outside;
  return scope != NULL;
}

static void find_loops(Lowering *lw, const TStmt *stmt,
                       const CounterScope *open);

static void find_loops_in_loop(Lowering *lw, const TStmt *stmt,
                               const CounterScope *open) {
  CounterScope scope = {counter_set_by(stmt), open};
  if (!scope.var || lower_scan_is_open(open, scope.var)) {
    find_loops(lw, stmt->u.loop.body, open);
    return;
  }
  UseCount count = {scope.var, 0};
  lower_visit_stmt(stmt, count_use, &count);
  lower_use_of(lw, scope.var)->n_own_uses += count.count;
  find_loops(lw, stmt->u.loop.body, &scope);
}

static void find_loops(Lowering *lw, const TStmt *stmt,
                       const CounterScope *open) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case TSTMT_BLOCK:
    for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
      find_loops(lw, stmt->u.block.stmts[i], open);
    break;
  case TSTMT_IF:
    find_loops(lw, stmt->u.if_.if_true, open);
    find_loops(lw, stmt->u.if_.if_false, open);
    break;
  case TSTMT_LOOP: find_loops_in_loop(lw, stmt, open); break;
  case TSTMT_SWITCH: find_loops(lw, stmt->u.switch_.body, open); break;
  case TSTMT_GROUP: find_loops(lw, stmt->u.group.body, open); break;
  case TSTMT_WITH: find_loops(lw, stmt->u.with.body, open); break;
  case TSTMT_STAGE: find_loops(lw, stmt->u.stage.body, open); break;
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR:
    find_loops(lw, stmt->u.thread_loop.body, open);
    break;
  case TSTMT_EXPR:
  case TSTMT_DECL:
  case TSTMT_RETURN:
  case TSTMT_BREAK:
  case TSTMT_CONTINUE: break;
  }
}

void lower_scan(Lowering *lw, const TStmt *body) {
  if (map_has(&lw->scanned, MAP_KEY(body)))
    return;
  lower_note_declared(lw, body);
  lower_visit_stmt(body, note_expr, lw);
  find_loops(lw, body, NULL);
}
