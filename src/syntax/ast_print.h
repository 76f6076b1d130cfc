// SPDX-License-Identifier: Apache-2.0
// Inside the printer of syntax trees (parse.h has its face): pieces that fit
// on one line. Nothing here adds a newline.
#ifndef HD_SYNTAX_AST_PRINT_H
#define HD_SYNTAX_AST_PRINT_H

#include "base/text.h"
#include "syntax/ast.h"

// An expression as it may stand alone; commas at its top are bare.
void print_expr(Text *out, const Expr *expr);
// In parentheses unless it is a name, a literal, a call or the like.
void print_operand(Text *out, const Expr *expr);
// As an argument or initialiser: in parentheses if it is a comma expression.
void print_argument(Text *out, const Expr *expr);
void print_arguments(Text *out, const ExprList *args);    // with ( )
void print_clauses(Text *out, const ClauseList *clauses); // a blank before each

void print_type_name(Text *out, const TypeSyntax *type);
// What all names of a declaration share, without its storage words.
void print_base_type(Text *out, const TypeSyntax *type);
// One name with what stands around it; NULL prints an abstract declarator.
void print_declarator(Text *out, const TypeSyntax *type, const char *name);
const TypeSyntax *type_base(const TypeSyntax *type);

// The declarations from `first` on that were written as one, with the `;`.
// Returns the index behind them. Bodies are left to the caller.
uint32_t print_declaration(Text *out, const DeclList *decls, uint32_t first);
// A function or kernel up to its body.
void print_function_head(Text *out, const Decl *decl);

#endif
