// SPDX-License-Identifier: Apache-2.0
// Source text to syntax tree.
//
// Expects  a SourceText, preprocessed if it had directives (load.h).
// Gives    an AstUnit, always: after an error the parser goes on behind it, so
//          that one run shows many errors and one mistake gives one message.
// Owns     nothing: the tree lives in `arena`, names in the interner.
#ifndef HD_SYNTAX_PARSE_H
#define HD_SYNTAX_PARSE_H

#include "base/intern.h"
#include "base/text.h"
#include "diag/diag.h"
#include "syntax/ast.h"

// Errors go to `diags`; `has_errors` of the unit says whether there were any.
AstUnit *parse_unit(Arena *arena, Interner *interner, DiagEngine *diags,
                    SourceText *source);

// Source text that means the same: one statement a line, every operation in
// parentheses, every body in braces. Printing what is parsed from it gives it
// again. The unit must be free of errors.
void ast_print(const AstUnit *unit, Text *out);

// Source text for people, that means the same: only the parentheses and braces
// that C needs, or readers do, in lines of up to 80 characters. Comments of the
// file stand where they stood, as far as that can be told. `names_macros`:
// those that are numbers stay, with their definitions; the text then needs the
// preprocessor.
void ast_print_pretty(const AstUnit *unit, bool names_macros, Text *out);

// How a node is called in messages: "call", "thread_for", "kernel".
const char *ast_expr_kind_name(ExprKind kind);
const char *ast_stmt_kind_name(StmtKind kind);
const char *ast_decl_kind_name(DeclKind kind);
const char *ast_type_kind_name(TypeSyntaxKind kind);
// As the user writes them.
const char *ast_unary_spelling(UnaryOp op); // "++x", "x++" for the four
const char *ast_binary_spelling(BinaryOp op);
int ast_binary_precedence(BinaryOp op); // higher binds tighter
const char *ast_clause_spelling(ClauseKind kind);
const char *ast_builtin_spelling(BuiltinType type);

// What to write instead of a word of another language (CUDA, OpenCL, C++, …)
// such as `threadIdx` or `__syncthreads`; NULL if the word is none.
const char *syntax_foreign_hint(const char *word);

#endif
