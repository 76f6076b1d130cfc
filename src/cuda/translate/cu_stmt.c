// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "cuda/form/cu_asm.h"
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_goto.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_stated.h"
#include "cuda/form/cu_tree.h"

static void statement(CuContext *cu, const CxStmt *stmt);

// The statements of a scope, apart.
static CuStmtVec stmt_inside(CuContext *cu, const CxStmt *stmt) {
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  statement(cu, stmt);
  cu_pop_block(cu);
  cu->frame->statements = before;
  return items;
}

// As a body: one statement stays one, if it may.
static Stmt *body(CuContext *cu, const CxStmt *stmt) {
  CuStmtVec items = stmt_inside(cu, stmt);
  bool is_block = stmt->kind == CX_STMT_COMPOUND;
  if (is_block && items.count == 1 && items.data[0]->kind == STMT_COMPOUND)
    return items.data[0];
  if (!is_block && items.count == 1 && items.data[0]->kind != STMT_DECL)
    return items.data[0];
  return cu_block(cu, &items, stmt->span);
}

// `condition` may be NULL.
static Stmt *stmt_guarded(CuContext *cu, const CxStmt *stmt,
                          const Expr *condition) {
  if (!condition)
    return body(cu, stmt);
  cu_push_guard(cu, condition);
  Stmt *made = body(cu, stmt);
  cu_pop_guard(cu);
  return made;
}

static void compound(CuContext *cu, const CxStmt *stmt) {
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
    statement(cu, stmt->u.compound.items.data[i]);
  cu_pop_block(cu);
  cu->frame->statements = before;
  cu_place_labels(cu, &items);
  Stmt *made = cu_block(cu, &items, stmt->span);
  made->u.compound.is_implicit = stmt->u.compound.is_implicit;
  cu_add_stmt(cu, made);
}

static void one_expression(CuContext *cu, const CxExpr *expr, Span span) {
  cu->statement = expr->span;
  Expr *made = cu_discarded(cu, expr);
  cu->statement = (Span){0, 0};
  if (made)
    cu_add_stmt(cu, cu_expr_stmt(cu, made, span));
}

// (f(xs), ...); is as many statements.
static void stmt_expression(CuContext *cu, const CxStmt *stmt) {
  const CxExpr *expr = stmt->u.expr;
  if (expr->kind != CX_EXPR_FOLD || !expr->u.fold.op.is_comma) {
    one_expression(cu, expr, stmt->span);
    return;
  }
  CuValue value;
  const CxExpr *all = cu_unfolded(cu, expr, &value);
  for (uint32_t i = 0; all && i < all->u.list.count; i++)
    one_expression(cu, all->u.list.data[i], stmt->span);
}

// ---------------------------------------------------------------- conditions

// Where the value is computed again and again, nothing can stand before it.
static CuValue repeated_condition(CuContext *cu, const CxExpr *expr) {
  bool before = cu->frame->is_conditional;
  cu->frame->is_conditional = true;
  CuValue value = cu_condition(cu, expr);
  cu->frame->is_conditional = before;
  return value;
}

static CuValue declared_condition(CuContext *cu, CxDecl *decl) {
  cu_local_declaration(cu, decl);
  CxNamePart part = {.name = decl->name, .span = decl->name_span};
  CxName name = {.span = decl->name_span, .parts = &part, .n_parts = 1};
  return cu_condition_of(cu, cu_name_value(cu, &name, decl->name_span));
}

static bool stmt_is_known(const CuValue *value) {
  return value->constant.kind == CU_CONST_INT;
}

// Only the side that is meant exists.
static void if_constexpr(CuContext *cu, const CxStmt *stmt,
                         const CuValue *condition) {
  if (!stmt_is_known(condition)) {
    if (!cu_is_poisoned(condition))
      CU_ERROR(cu, condition->span, not_constant,
               DS("the condition of 'if constexpr'"));
    return;
  }
  const CxStmt *taken = condition->constant.i ? stmt->u.if_stmt.then_stmt
                                              : stmt->u.if_stmt.else_stmt;
  if (taken)
    statement(cu, taken);
}

static CxStmt *new_statement(CuContext *cu, CxStmtKind kind, Span span) {
  CxStmt *made = ARENA_NEW(cu->arena, CxStmt);
  *made = (CxStmt){.kind = kind, .span = span, .keyword = span};
  return made;
}

static void if_statement(CuContext *cu, const CxStmt *stmt) {
  CuValue condition =
      stmt->u.if_stmt.condition_decl
          ? declared_condition(cu, stmt->u.if_stmt.condition_decl)
          : cu_condition(cu, stmt->u.if_stmt.condition);
  if (stmt->u.if_stmt.is_constexpr) {
    if_constexpr(cu, stmt, &condition);
    return;
  }
  Stmt *made = cu_new_stmt(cu, STMT_IF, stmt->span, stmt->keyword);
  made->u.if_stmt.condition =
      cu_stated(cu, condition.expr, condition.span, stmt->span);
  made->u.if_stmt.then_stmt =
      stmt_guarded(cu, stmt->u.if_stmt.then_stmt, condition.expr);
  if (stmt->u.if_stmt.else_stmt)
    made->u.if_stmt.else_stmt = body(cu, stmt->u.if_stmt.else_stmt);
  bool is_empty = !made->u.if_stmt.else_stmt &&
                  made->u.if_stmt.then_stmt->kind == STMT_COMPOUND &&
                  made->u.if_stmt.then_stmt->u.compound.items.count == 0 &&
                  condition.expr && !cu_has_effect(condition.expr) &&
                  !cu_reads_memory(condition.expr);
  if (condition.expr && !is_empty)
    cu_add_stmt(cu, made);
}

static CxStmt *as_statement(CuContext *cu, CxExpr *expr) {
  CxStmt *made = new_statement(cu, CX_STMT_EXPR, expr->span);
  made->u.expr = expr;
  return made;
}

// c ? f() : g(); of functions that give nothing, too.
static void chosen_expression(CuContext *cu, const CxExpr *expr) {
  CxStmt *choice = new_statement(cu, CX_STMT_IF, expr->span);
  choice->u.if_stmt.condition = expr->u.conditional.condition;
  choice->u.if_stmt.then_stmt = as_statement(cu, expr->u.conditional.if_true);
  choice->u.if_stmt.else_stmt = as_statement(cu, expr->u.conditional.if_false);
  if_statement(cu, choice);
}

// if (init; …) gets a block of its own.
static void if_with_init(CuContext *cu, const CxStmt *stmt) {
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  if (stmt->u.if_stmt.init)
    statement(cu, stmt->u.if_stmt.init);
  if_statement(cu, stmt);
  cu_pop_block(cu);
  cu->frame->statements = before;
  cu_add_stmt(cu, cu_block(cu, &items, stmt->span));
}

// ---------------------------------------------------------------- loops

static Stmt *loop_body(CuContext *cu, const CxStmt *stmt,
                       const Expr *condition) {
  cu->frame->n_loops++;
  Stmt *made = stmt_guarded(cu, stmt, condition);
  cu->frame->n_loops--;
  return made;
}

static UnrollPragma unroll(CuContext *cu, const CxUnroll *from) {
  UnrollPragma made = {.is_present = from->is_present, .span = from->span};
  if (from->count) {
    int64_t count = 0;
    if (cu_constant_int(cu, from->count, "the count of '#pragma unroll'",
                        &count))
      made.count = cu_int_literal(cu, count < 1 ? 1 : count, from->span);
  }
  return made;
}

// while (T x = e) body: while (true) if (T x = e) body else break;
static void declaring_while(CuContext *cu, const CxStmt *stmt) {
  CxStmt *loop = ARENA_NEW(cu->arena, CxStmt);
  CxExpr *forever = ARENA_NEW(cu->arena, CxExpr);
  CxStmt *choice = new_statement(cu, CX_STMT_IF, stmt->span);
  *loop = *stmt;
  *forever = (CxExpr){.kind = CX_EXPR_BOOL, .span = stmt->keyword};
  forever->u.bool_value = true;
  choice->keyword = stmt->keyword;
  choice->u.if_stmt.condition_decl = stmt->u.loop.condition_decl;
  choice->u.if_stmt.then_stmt = stmt->u.loop.body;
  choice->u.if_stmt.else_stmt = new_statement(cu, CX_STMT_BREAK, stmt->keyword);
  loop->u.loop.condition_decl = NULL;
  loop->u.loop.condition = forever;
  loop->u.loop.body = choice;
  statement(cu, loop);
}

static void while_statement(CuContext *cu, const CxStmt *stmt, StmtKind kind) {
  if (stmt->u.loop.condition_decl) {
    declaring_while(cu, stmt);
    return;
  }
  Stmt *made = cu_new_stmt(cu, kind, stmt->span, stmt->keyword);
  CuValue condition = repeated_condition(cu, stmt->u.loop.condition);
  made->u.loop.condition =
      cu_stated(cu, condition.expr, stmt->u.loop.condition->span, stmt->span);
  made->u.loop.unroll = unroll(cu, &stmt->u.loop.unroll);
  made->u.loop.header = stmt->u.loop.header;
  made->u.loop.body = loop_body(cu, stmt->u.loop.body, NULL);
  if (condition.expr)
    cu_add_stmt(cu, made);
}

// for (int i = 0, j = 9; …): declarations with one type are one statement.
static Stmt *join_declarations(CuContext *cu, const CuStmtVec *items) {
  Stmt *first = items->data[0];
  if (items->count == 1)
    return first;
  for (uint32_t i = 0; i < items->count; i++) {
    const Stmt *stmt = items->data[i];
    if (stmt->kind != STMT_DECL || stmt->u.decls.count != 1 ||
        stmt->u.decls.data[0]->type->kind !=
            first->u.decls.data[0]->type->kind ||
        stmt->u.decls.data[0]->type->kind != TYPE_BUILTIN ||
        stmt->u.decls.data[0]->type->u.builtin !=
            first->u.decls.data[0]->type->u.builtin)
      return NULL;
  }
  Decl **decls = ARENA_ARRAY(cu->arena, Decl *, items->count);
  for (uint32_t i = 0; i < items->count; i++) {
    decls[i] = items->data[i]->u.decls.data[0];
    decls[i]->type = decls[0]->type; // all names share their specifiers
  }
  first->u.decls = (DeclList){decls, items->count};
  return first;
}

// What the initialiser needs beside a single declaration stands before the
// loop.
static Stmt *loop_init(CuContext *cu, const CxStmt *init) {
  if (!init || init->kind == CX_STMT_EMPTY)
    return NULL;
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  statement(cu, init);
  cu->frame->statements = before;
  if (items.count == 0)
    return NULL;
  Stmt *joined = join_declarations(cu, &items);
  if (joined)
    return joined;
  for (uint32_t i = 0; i + 1 < items.count; i++)
    cu_add_stmt(cu, items.data[i]);
  return items.data[items.count - 1];
}

static void for_parts(CuContext *cu, const CxStmt *stmt) {
  Stmt *made = cu_new_stmt(cu, STMT_FOR, stmt->span, stmt->keyword);
  made->u.loop.init = loop_init(cu, stmt->u.loop.init);
  Expr *condition = NULL;
  if (stmt->u.loop.condition) {
    condition = repeated_condition(cu, stmt->u.loop.condition).expr;
    made->u.loop.condition =
        cu_stated(cu, condition, stmt->u.loop.condition->span, stmt->span);
  }
  if (stmt->u.loop.step) {
    bool before = cu->frame->is_conditional;
    cu->frame->is_conditional = true;
    made->u.loop.step = cu_discarded(cu, stmt->u.loop.step);
    cu->frame->is_conditional = before;
  }
  made->u.loop.unroll = unroll(cu, &stmt->u.loop.unroll);
  made->u.loop.header = stmt->u.loop.header;
  made->u.loop.body = loop_body(cu, stmt->u.loop.body, condition);
  cu_add_stmt(cu, made);
}

static void for_statement(CuContext *cu, const CxStmt *stmt) {
  if (stmt->u.loop.condition_decl) {
    cu_unsupported(cu, stmt->keyword, "a declaration as a loop's condition",
                   "declare it before the loop");
    return;
  }
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  for_parts(cu, stmt);
  cu_pop_block(cu);
  cu->frame->statements = before;
  if (items.count == 1)
    cu_add_stmt(cu, items.data[0]);
  else if (items.count)
    cu_add_stmt(cu, cu_block(cu, &items, stmt->span));
}

// ---------------------------------------------------------------- switch

static void switch_statement(CuContext *cu, const CxStmt *stmt) {
  Stmt *made = cu_new_stmt(cu, STMT_SWITCH, stmt->span, stmt->keyword);
  cu_push_block(cu);
  if (stmt->u.switch_stmt.init)
    statement(cu, stmt->u.switch_stmt.init);
  CuValue value =
      stmt->u.switch_stmt.condition_decl
          ? declared_condition(cu, stmt->u.switch_stmt.condition_decl)
          : cu_operand(cu, stmt->u.switch_stmt.condition);
  const CuType *type = cu_plain(value.type);
  if (type->kind == CU_RECORD)
    value = cu_convert(cu, value, cu_basic(&cu->types, CU_INT), "switch");
  const CxExpr *text = stmt->u.switch_stmt.condition;
  made->u.switch_stmt.condition =
      text ? cu_stated_value(cu, value.expr, text->span, stmt->span)
           : value.expr;
  made->u.switch_stmt.body = body(cu, stmt->u.switch_stmt.body);
  cu_pop_block(cu);
  if (value.expr)
    cu_add_stmt(cu, made);
}

static void case_label(CuContext *cu, const CxStmt *stmt) {
  Stmt *made = cu_new_stmt(cu, STMT_CASE, stmt->span, stmt->keyword);
  made->u.expr = cu_operand(cu, stmt->u.expr).expr;
  if (made->u.expr)
    cu_add_stmt(cu, made);
}

// ---------------------------------------------------------------- the rest

static void simple(CuContext *cu, const CxStmt *stmt, StmtKind kind) {
  cu_add_stmt(cu, cu_new_stmt(cu, kind, stmt->span, stmt->keyword));
}

static void label(CuContext *cu, const CxStmt *stmt, StmtKind kind) {
  Stmt *made = cu_new_stmt(cu, kind, stmt->span, stmt->keyword);
  made->u.label.name = stmt->u.label.name;
  made->u.label.name_span = stmt->u.label.name_span;
  cu_add_stmt(cu, made);
}

static void declarations(CuContext *cu, const CxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.decls.count; i++)
    cu_local_declaration(cu, stmt->u.decls.data[i]);
}

static void stmt_dispatch(CuContext *cu, const CxStmt *stmt) {
  switch (stmt->kind) {
  case CX_STMT_POISON: cu->reports.failed = true; return;
  case CX_STMT_UNSUPPORTED:
    cu_unsupported(cu, stmt->keyword, stmt->u.what, NULL);
    return;
  case CX_STMT_EMPTY: simple(cu, stmt, STMT_EMPTY); return;
  case CX_STMT_EXPR:
    if (stmt->u.expr->kind == CX_EXPR_CONDITIONAL)
      chosen_expression(cu, stmt->u.expr);
    else
      stmt_expression(cu, stmt);
    return;
  case CX_STMT_DECL: declarations(cu, stmt); return;
  case CX_STMT_COMPOUND: compound(cu, stmt); return;
  case CX_STMT_IF:
    if (stmt->u.if_stmt.init || stmt->u.if_stmt.condition_decl)
      if_with_init(cu, stmt);
    else
      if_statement(cu, stmt);
    return;
  case CX_STMT_WHILE: while_statement(cu, stmt, STMT_WHILE); return;
  case CX_STMT_DO: while_statement(cu, stmt, STMT_DO); return;
  case CX_STMT_FOR: for_statement(cu, stmt); return;
  case CX_STMT_RANGE_FOR: cu_range_for(cu, stmt); return;
  case CX_STMT_SWITCH: switch_statement(cu, stmt); return;
  case CX_STMT_CASE: case_label(cu, stmt); return;
  case CX_STMT_DEFAULT: simple(cu, stmt, STMT_DEFAULT); return;
  case CX_STMT_LABEL: label(cu, stmt, STMT_LABEL); return;
  case CX_STMT_GOTO: label(cu, stmt, STMT_GOTO); return;
  case CX_STMT_BREAK: simple(cu, stmt, STMT_BREAK); return;
  case CX_STMT_CONTINUE: simple(cu, stmt, STMT_CONTINUE); return;
  case CX_STMT_RETURN: cu_return(cu, stmt); return;
  case CX_STMT_ASM: cu_asm(cu, stmt); return;
  }
}

static void statement(CuContext *cu, const CxStmt *stmt) {
  if (!cu_enter(cu, stmt->keyword))
    return;
  stmt_dispatch(cu, stmt);
  cu_leave(cu);
}

void cu_statement(CuContext *cu, const CxStmt *stmt) {
  statement(cu, stmt);
}

Stmt *cu_body_statement(CuContext *cu, const CxStmt *stmt) {
  return body(cu, stmt);
}

void cu_translate_body(CuContext *cu, const CxStmt *block, CuStmtVec *out) {
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = out;
  for (uint32_t i = 0; i < block->u.compound.items.count; i++)
    statement(cu, block->u.compound.items.data[i]);
  cu->frame->statements = before;
  const CxDecl *decl = cu->frame->function ? cu->frame->function->decl : NULL;
  if (decl && (decl->specs & CX_SPEC_GLOBAL))
    cu_place_last_labels(cu, out);
  cu_place_labels(cu, out);
  cu_refuse_gotos(cu, out);
}
