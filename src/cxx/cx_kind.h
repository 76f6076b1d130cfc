// SPDX-License-Identifier: Apache-2.0
// Kinds of nodes of the tree of C++ (cx_ast.h), and lists of them.
#ifndef HD_CXX_CX_KIND_H
#define HD_CXX_CX_KIND_H

#include "diag/diag.h"
#include "syntax/ast.h"

typedef enum {

#define CX_EXPR(kind, dump, member) CX_EXPR_##kind,
#include "cxx/cx_ast.def"
} CxExprKind;

typedef enum {

#define CX_STMT(kind, dump, member) CX_STMT_##kind,
#include "cxx/cx_ast.def"
} CxStmtKind;

typedef enum {

#define CX_DECL(kind, dump, member) CX_DECL_##kind,
#include "cxx/cx_ast.def"
} CxDeclKind;

typedef enum {

#define CX_TYPE(kind, dump, member) CX_TYPE_##kind,
#include "cxx/cx_ast.def"
} CxTypeKind;

typedef enum {

#define CX_BUILTIN(kind, spelling) CX_BUILTIN_##kind,
#include "cxx/cx_ast.def"
} CxBuiltin;

typedef enum {

#define CX_CAST(kind, spelling) CX_CAST_##kind,
#include "cxx/cx_ast.def"
} CxCastKind;

// Sets of these are uint32_t `specs`.
enum {

#define CX_SPEC(kind, bit, spelling) CX_SPEC_##kind = 1u << (bit),
#include "cxx/cx_ast.def"
};

// Sets of these are uint8_t `quals` of types.
enum {
  CX_QUAL_CONST = 1,
  CX_QUAL_VOLATILE = 2,
  CX_QUAL_RESTRICT = 4,
};

typedef struct CxExpr CxExpr;
typedef struct CxStmt CxStmt;
typedef struct CxDecl CxDecl;
typedef struct CxType CxType;
typedef struct CxScope CxScope; // the parser's own

typedef struct {
  CxExpr **data;
  uint32_t count;
} CxExprList;

typedef struct {
  CxStmt **data;
  uint32_t count;
} CxStmtList;

typedef struct {
  CxDecl **data;
  uint32_t count;
} CxDeclList;

// Indices into the tokens of the unit, [begin, end).
typedef struct {
  uint32_t begin, end;
} CxTokens;

#endif
