// SPDX-License-Identifier: Apache-2.0
// Names of kinds, from the table.
#include "cxx/cx_parse.h"

static const char *const expr_names[] = {
#define CX_EXPR(kind, dump, member) dump,
#include "cxx/cx_ast.def"
};

static const char *const stmt_names[] = {
#define CX_STMT(kind, dump, member) dump,
#include "cxx/cx_ast.def"
};

static const char *const decl_names[] = {
#define CX_DECL(kind, dump, member) dump,
#include "cxx/cx_ast.def"
};

static const char *const type_names[] = {
#define CX_TYPE(kind, dump, member) dump,
#include "cxx/cx_ast.def"
};

static const char *const builtin_spellings[] = {
#define CX_BUILTIN(kind, spelling) spelling,
#include "cxx/cx_ast.def"
};

static const char *const cast_spellings[] = {
#define CX_CAST(kind, spelling) spelling,
#include "cxx/cx_ast.def"
};

const char *cx_expr_kind_name(CxExprKind kind) {
  return expr_names[kind];
}

const char *cx_stmt_kind_name(CxStmtKind kind) {
  return stmt_names[kind];
}

const char *cx_decl_kind_name(CxDeclKind kind) {
  return decl_names[kind];
}

const char *cx_type_kind_name(CxTypeKind kind) {
  return type_names[kind];
}

const char *cx_builtin_spelling(CxBuiltin builtin) {
  return builtin_spellings[builtin];
}

const char *cx_cast_spelling(CxCastKind kind) {
  return cast_spellings[kind];
}
