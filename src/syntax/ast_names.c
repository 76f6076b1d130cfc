// SPDX-License-Identifier: Apache-2.0
// Names of nodes and operators, from ast.def.
#include "syntax/parse.h"

const char *ast_expr_kind_name(ExprKind kind) {
  static const char *const names[] = {
#define AST_EXPR(kind, dump, member) dump,
#include "syntax/ast.def"
  };
  return names[kind];
}

const char *ast_stmt_kind_name(StmtKind kind) {
  static const char *const names[] = {
#define AST_STMT(kind, dump, member) dump,
#include "syntax/ast.def"
  };
  return names[kind];
}

const char *ast_decl_kind_name(DeclKind kind) {
  static const char *const names[] = {
#define AST_DECL(kind, dump, member) dump,
#include "syntax/ast.def"
  };
  return names[kind];
}

const char *ast_type_kind_name(TypeSyntaxKind kind) {
  static const char *const names[] = {
#define AST_TYPE(kind, dump, member) dump,
#include "syntax/ast.def"
  };
  return names[kind];
}

const char *ast_unary_spelling(UnaryOp op) {
  static const char *const names[] = {
#define AST_UNARY(kind, spelling) spelling,
#include "syntax/ast.def"
  };
  return names[op];
}

const char *ast_binary_spelling(BinaryOp op) {
  static const char *const names[] = {
#define AST_BINARY(kind, spelling, prec) spelling,
#include "syntax/ast.def"
  };
  return names[op];
}

int ast_binary_precedence(BinaryOp op) {
  static const int precedences[] = {
#define AST_BINARY(kind, spelling, prec) prec,
#include "syntax/ast.def"
  };
  return precedences[op];
}

const char *ast_clause_spelling(ClauseKind kind) {
  static const char *const names[] = {
#define AST_CLAUSE(kind, spelling, where) spelling,
#include "syntax/ast.def"
  };
  return names[kind];
}

const char *ast_builtin_spelling(BuiltinType type) {
  static const char *const names[] = {
#define AST_BUILTIN(kind, spelling) spelling,
#include "syntax/ast.def"
  };
  return names[type];
}
