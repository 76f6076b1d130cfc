// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_walk.h"

static void walk_list(CuWalk *walk, ExprList list) {
  for (uint32_t i = 0; i < list.count; i++)
    cu_walk_expr(walk, list.data[i]);
}

static void walk_index(CuWalk *walk, const Expr *expr) {
  cu_walk_expr(walk, expr->u.index.base);
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
    cu_walk_expr(walk, expr->u.index.subscripts[i].index);
    cu_walk_expr(walk, expr->u.index.subscripts[i].lo);
    cu_walk_expr(walk, expr->u.index.subscripts[i].len);
  }
}

static void walk_operands(CuWalk *walk, const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_UNARY: cu_walk_expr(walk, expr->u.unary.operand); return;
  case EXPR_BINARY:
    cu_walk_expr(walk, expr->u.binary.left);
    cu_walk_expr(walk, expr->u.binary.right);
    return;
  case EXPR_ASSIGN:
    cu_walk_expr(walk, expr->u.assign.left);
    cu_walk_expr(walk, expr->u.assign.right);
    return;
  case EXPR_CONDITIONAL:
    cu_walk_expr(walk, expr->u.conditional.condition);
    cu_walk_expr(walk, expr->u.conditional.if_true);
    cu_walk_expr(walk, expr->u.conditional.if_false);
    return;
  case EXPR_COMMA: walk_list(walk, expr->u.list); return;
  case EXPR_CAST: cu_walk_expr(walk, expr->u.cast.operand); return;
  case EXPR_CALL:
    cu_walk_expr(walk, expr->u.call.callee);
    walk_list(walk, expr->u.call.args);
    return;
  case EXPR_INDEX: walk_index(walk, expr); return;
  case EXPR_MEMBER: cu_walk_expr(walk, expr->u.member.base); return;
  case EXPR_COMPOUND: cu_walk_expr(walk, expr->u.compound.init); return;
  case EXPR_INIT_LIST:
    for (uint32_t i = 0; i < expr->u.init_list.n_items; i++)
      cu_walk_expr(walk, expr->u.init_list.items[i].value);
    return;
  default: return;
  }
}

void cu_walk_expr(CuWalk *walk, const Expr *expr) {
  if (!expr)
    return;
  if (walk->on_expr)
    walk->on_expr(walk, expr);
  walk_operands(walk, expr);
}

static void walk_decls(CuWalk *walk, DeclList decls) {
  for (uint32_t i = 0; i < decls.count; i++) {
    const Decl *decl = decls.data[i];
    if (walk->on_decl)
      walk->on_decl(walk, decl);
    if (decl->kind == DECL_VAR)
      cu_walk_expr(walk, decl->u.var.init);
  }
}

static void walk_asm(CuWalk *walk, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.asm_stmt.n_outputs; i++)
    cu_walk_expr(walk, stmt->u.asm_stmt.outputs[i].value);
  for (uint32_t i = 0; i < stmt->u.asm_stmt.n_inputs; i++)
    cu_walk_expr(walk, stmt->u.asm_stmt.inputs[i].value);
}

void cu_walk_stmt(CuWalk *walk, const Stmt *stmt) {
  if (!stmt)
    return;
  if (walk->on_stmt)
    walk->on_stmt(walk, stmt);
  switch ((int)stmt->kind) {
  case STMT_EXPR:
  case STMT_CASE:
  case STMT_RETURN: cu_walk_expr(walk, stmt->u.expr); return;
  case STMT_DECL: walk_decls(walk, stmt->u.decls); return;
  case STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
      cu_walk_stmt(walk, stmt->u.compound.items.data[i]);
    return;
  case STMT_IF:
    cu_walk_expr(walk, stmt->u.if_stmt.condition);
    cu_walk_stmt(walk, stmt->u.if_stmt.then_stmt);
    cu_walk_stmt(walk, stmt->u.if_stmt.else_stmt);
    return;
  case STMT_WHILE:
  case STMT_DO:
  case STMT_FOR:
    cu_walk_stmt(walk, stmt->u.loop.init);
    cu_walk_expr(walk, stmt->u.loop.condition);
    cu_walk_expr(walk, stmt->u.loop.step);
    cu_walk_stmt(walk, stmt->u.loop.body);
    return;
  case STMT_SWITCH:
    cu_walk_expr(walk, stmt->u.switch_stmt.condition);
    cu_walk_stmt(walk, stmt->u.switch_stmt.body);
    return;
  case STMT_ASM: walk_asm(walk, stmt); return;
  case STMT_THREAD_GROUP:
  case STMT_SINGLE_THREAD:
  case STMT_SINGLE_WARP:
  case STMT_WARP_GROUP:
  case STMT_WITH:
    walk_list(walk, stmt->u.group.args);
    cu_walk_stmt(walk, stmt->u.group.body);
    return;
  default: return;
  }
}
