// SPDX-License-Identifier: Apache-2.0
#include "convert/convert_uses.h"

#include "cuda/cuda.h"
#include <string.h>

static void uses_add_type(BlockUses *uses, const TypeSyntax *type);
static void uses_add_stmt(BlockUses *uses, const Stmt *stmt);
static void uses_add_expr(BlockUses *uses, const Expr *expr);

// ------------------------------------------------------------------- names

static void uses_add_name(BlockUses *uses, const char *name) {
  uses->names_dims |= strcmp(name, "block_dim") == 0;
  for (int axis = 0; axis < 3; axis++) {
    bool is_param = strcmp(name, cuda_block_param(axis)) == 0;
    uses->dim_params[axis] |= is_param;
    uses->names_dims |= is_param;
  }
}

static bool uses_is_call_of(const Expr *expr, const char *name) {
  return expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
         strcmp(expr->u.call.callee->u.name, name) == 0;
}

static void uses_add_member(BlockUses *uses, const Expr *expr) {
  const char *name = expr->u.member.name;
  bool is_axis = name[0] >= 'x' && name[0] <= 'z' && name[1] == 0;
  if (is_axis && uses_is_call_of(expr->u.member.base, "thread_index"))
    uses->indices[name[0] - 'x'] = true;
  uses_add_expr(uses, expr->u.member.base);
}

// ------------------------------------------------------------- expressions

static void uses_add_list(BlockUses *uses, ExprList list) {
  for (uint32_t i = 0; i < list.count; i++)
    uses_add_expr(uses, list.data[i]);
}

static void uses_add_path(BlockUses *uses, const Designator *path, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    uses_add_expr(uses, path[i].index);
}

static void uses_add_subscripts(BlockUses *uses, const Expr *expr) {
  uses_add_expr(uses, expr->u.index.base);
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
    uses_add_expr(uses, expr->u.index.subscripts[i].index);
    uses_add_expr(uses, expr->u.index.subscripts[i].lo);
    uses_add_expr(uses, expr->u.index.subscripts[i].len);
  }
}

static void uses_add_items(BlockUses *uses, const Expr *list) {
  for (uint32_t i = 0; i < list->u.init_list.n_items; i++) {
    const InitItem *item = &list->u.init_list.items[i];
    uses_add_path(uses, item->designators, item->n_designators);
    uses_add_expr(uses, item->value);
  }
}

static void uses_add_choices(BlockUses *uses, const Expr *expr) {
  uses_add_expr(uses, expr->u.generic.control);
  for (uint32_t i = 0; i < expr->u.generic.n_assocs; i++) {
    uses_add_type(uses, expr->u.generic.assocs[i].type);
    uses_add_expr(uses, expr->u.generic.assocs[i].value);
  }
}

static void uses_add_expr(BlockUses *uses, const Expr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case EXPR_POISON:
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_CHAR:
  case EXPR_STRING:
  case EXPR_BOOL: return;
  case EXPR_NAME: uses_add_name(uses, expr->u.name); return;
  case EXPR_UNARY: uses_add_expr(uses, expr->u.unary.operand); return;
  case EXPR_BINARY:
    uses_add_expr(uses, expr->u.binary.left);
    uses_add_expr(uses, expr->u.binary.right);
    return;
  case EXPR_ASSIGN:
    uses_add_expr(uses, expr->u.assign.left);
    uses_add_expr(uses, expr->u.assign.right);
    return;
  case EXPR_CONDITIONAL:
    uses_add_expr(uses, expr->u.conditional.condition);
    uses_add_expr(uses, expr->u.conditional.if_true);
    uses_add_expr(uses, expr->u.conditional.if_false);
    return;
  case EXPR_COMMA: uses_add_list(uses, expr->u.list); return;
  case EXPR_CAST:
    uses_add_type(uses, expr->u.cast.type);
    uses_add_expr(uses, expr->u.cast.operand);
    return;
  case EXPR_SIZEOF_EXPR: uses_add_expr(uses, expr->u.operand); return;
  case EXPR_SIZEOF_TYPE:
  case EXPR_ALIGNOF:
  case EXPR_TYPE: uses_add_type(uses, expr->u.type); return;
  case EXPR_OFFSETOF:
    uses_add_type(uses, expr->u.offset_of.type);
    uses_add_path(uses, expr->u.offset_of.path, expr->u.offset_of.n_path);
    return;
  case EXPR_CALL:
    uses_add_expr(uses, expr->u.call.callee);
    uses_add_list(uses, expr->u.call.args);
    return;
  case EXPR_INDEX: uses_add_subscripts(uses, expr); return;
  case EXPR_MEMBER: uses_add_member(uses, expr); return;
  case EXPR_COMPOUND:
    uses_add_type(uses, expr->u.compound.type);
    uses_add_expr(uses, expr->u.compound.init);
    return;
  case EXPR_INIT_LIST: uses_add_items(uses, expr); return;
  case EXPR_GENERIC: uses_add_choices(uses, expr); return;
  }
}

// -------------------------------------------------------------- statements

static void uses_add_clauses(BlockUses *uses, ClauseList clauses) {
  for (uint32_t i = 0; i < clauses.count; i++)
    uses_add_list(uses, clauses.data[i].args);
}

static void uses_add_decls(BlockUses *uses, DeclList decls) {
  for (uint32_t i = 0; i < decls.count; i++)
    convert_add_uses(uses, decls.data[i]);
}

static void uses_add_loop(BlockUses *uses, const Stmt *stmt) {
  uses_add_stmt(uses, stmt->u.loop.init);
  uses_add_expr(uses, stmt->u.loop.condition);
  uses_add_expr(uses, stmt->u.loop.step);
  uses_add_clauses(uses, stmt->u.loop.clauses);
  uses_add_expr(uses, stmt->u.loop.unroll.count);
  uses_add_stmt(uses, stmt->u.loop.body);
}

static void uses_add_asm(BlockUses *uses, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.asm_stmt.n_outputs; i++)
    uses_add_expr(uses, stmt->u.asm_stmt.outputs[i].value);
  for (uint32_t i = 0; i < stmt->u.asm_stmt.n_inputs; i++)
    uses_add_expr(uses, stmt->u.asm_stmt.inputs[i].value);
  uses_add_clauses(uses, stmt->u.asm_stmt.clauses);
}

static void uses_add_stmt(BlockUses *uses, const Stmt *stmt) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case STMT_POISON:
  case STMT_EMPTY:
  case STMT_DEFAULT:
  case STMT_LABEL:
  case STMT_GOTO:
  case STMT_BREAK:
  case STMT_CONTINUE:
  case STMT_PRAGMA: return;
  case STMT_EXPR:
  case STMT_CASE:
  case STMT_RETURN: uses_add_expr(uses, stmt->u.expr); return;
  case STMT_DECL: uses_add_decls(uses, stmt->u.decls); return;
  case STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
      uses_add_stmt(uses, stmt->u.compound.items.data[i]);
    return;
  case STMT_IF:
    uses_add_expr(uses, stmt->u.if_stmt.condition);
    uses_add_stmt(uses, stmt->u.if_stmt.then_stmt);
    uses_add_stmt(uses, stmt->u.if_stmt.else_stmt);
    return;
  case STMT_WHILE:
  case STMT_DO:
  case STMT_FOR:
  case STMT_THREAD_FOR:
  case STMT_PARALLEL_FOR: uses_add_loop(uses, stmt); return;
  case STMT_SWITCH:
    uses_add_expr(uses, stmt->u.switch_stmt.condition);
    uses_add_stmt(uses, stmt->u.switch_stmt.body);
    return;
  case STMT_THREAD_GROUP:
  case STMT_SINGLE_THREAD:
  case STMT_SINGLE_WARP:
  case STMT_WARP_GROUP:
  case STMT_WITH:
  case STMT_PRODUCE:
  case STMT_CONSUME:
    uses_add_list(uses, stmt->u.group.args);
    uses_add_stmt(uses, stmt->u.group.body);
    return;
  case STMT_ASM: uses_add_asm(uses, stmt); return;
  }
}

// ------------------------------------------------- types and declarations

static void uses_add_type(BlockUses *uses, const TypeSyntax *type) {
  if (!type)
    return;
  switch (type->kind) {
  case TYPE_POISON:
  case TYPE_BUILTIN:
  case TYPE_NAMED:
  case TYPE_TOKEN: return;
  case TYPE_STRUCT:
  case TYPE_UNION:
    if (type->u.record.is_definition)
      uses_add_decls(uses, type->u.record.fields);
    return;
  case TYPE_ENUM:
    if (type->u.enumeration.is_definition)
      uses_add_decls(uses, type->u.enumeration.enumerators);
    return;
  case TYPE_POINTER: uses_add_type(uses, type->u.pointer.pointee); return;
  case TYPE_ARRAY:
    uses_add_type(uses, type->u.array.element);
    uses_add_expr(uses, type->u.array.extent);
    return;
  case TYPE_FUNCTION:
    uses_add_type(uses, type->u.function.result);
    uses_add_decls(uses, type->u.function.params);
    return;
  case TYPE_TYPEOF_EXPR:
  case TYPE_GROUP:
  case TYPE_MBARRIER:
  case TYPE_PIPELINE: uses_add_expr(uses, type->u.expr); return;
  case TYPE_TYPEOF_TYPE:
  case TYPE_ATOMIC:
  case TYPE_TILE: uses_add_type(uses, type->u.inner); return;
  }
}

static void uses_add_param(BlockUses *uses, const Decl *decl) {
  uses_add_expr(uses, decl->u.param.init);
  uses_add_type(uses, decl->u.param.default_type);
  uses_add_list(uses, decl->u.param.strides);
}

static void uses_add_function(BlockUses *uses, const Decl *decl) {
  uses_add_clauses(uses, decl->u.function.clauses);
  uses_add_expr(uses, decl->u.function.flops);
  uses_add_expr(uses, decl->u.function.bytes);
  uses_add_stmt(uses, decl->u.function.body);
}

void convert_add_uses(BlockUses *uses, const Decl *decl) {
  if (!decl)
    return;
  uses_add_type(uses, decl->type);
  for (uint32_t i = 0; i < decl->n_aligns; i++) {
    uses_add_expr(uses, decl->aligns[i].expr);
    uses_add_type(uses, decl->aligns[i].type);
  }
  switch (decl->kind) {
  case DECL_POISON:
  case DECL_TYPEDEF:
  case DECL_TAG:
  case DECL_LAYOUT: // CUDA C++ has none
  case DECL_PRAGMA: return;
  case DECL_VAR: uses_add_expr(uses, decl->u.var.init); return;
  case DECL_FUNCTION:
  case DECL_KERNEL: uses_add_function(uses, decl); return;
  case DECL_STATIC_ASSERT:
    uses_add_expr(uses, decl->u.static_assertion.condition);
    return;
  case DECL_PARAM: uses_add_param(uses, decl); return;
  case DECL_FIELD: uses_add_expr(uses, decl->u.field.bit_width); return;
  case DECL_ENUMERATOR: uses_add_expr(uses, decl->u.enumerator.value); return;
  }
}
