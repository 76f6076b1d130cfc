// SPDX-License-Identifier: Apache-2.0
// Inside the printer of C++ trees: names, types and expressions on one line,
// every operation in parentheses.
#ifndef HD_CXX_CX_PRINT_H
#define HD_CXX_CX_PRINT_H

#include "base/text.h"
#include "cxx/cx_ast.h"

typedef struct {
  CxUnit *unit;
  Text *out;
  int indent;
  bool with_bodies;
} CxPrinter;

void cx_print_name(CxPrinter *cx, const CxName *name);
void cx_print_type(CxPrinter *cx, const CxType *type);
void cx_print_params(CxPrinter *cx, const CxType *function);
void cx_print_expr(CxPrinter *cx, const CxExpr *expr);
// a, b, c
void cx_print_list(CxPrinter *cx, CxExprList list);

// Behind a newline and the indentation.
void cx_print_line(CxPrinter *cx);
void cx_print_stmt(CxPrinter *cx, const CxStmt *stmt);
void cx_print_decl(CxPrinter *cx, CxDecl *decl);

#endif
