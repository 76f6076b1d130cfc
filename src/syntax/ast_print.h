// SPDX-License-Identifier: Apache-2.0
// Inside the printer of syntax trees (parse.h has its face): pieces that fit
// on one line. Nothing here adds a newline.
#ifndef HD_SYNTAX_AST_PRINT_H
#define HD_SYNTAX_AST_PRINT_H

#include "base/text.h"
#include "syntax/ast.h"
#include "syntax/ast_macros.h"

typedef struct {
  Text *text;
  bool is_pretty; // only the parentheses that C needs, or readers do
  int indent;     // of the current line, in steps
  struct AstComments *comments; // pretty: those of the file
  AstMacros *macros;            // that are to be named; NULL: none
} AstOut;

// Comments that weren't printed and stand above the span's first line, each on
// a line of its own.
void print_comments_above(AstOut *out, Span span);
// Those above its last line: the end of a block.
void print_comments_at_end(AstOut *out, Span span);
// An empty line, if one stands above the span and its comments, behind
// `before`.
void print_gap_above(AstOut *out, Span before, Span span);
// Another instance of a template: the comments in and above it come again.
void print_comments_anew(AstOut *out, Span span);
// One behind the span, on its last line, with a blank before it.
void print_comment_behind(AstOut *out, Span span);

// Behind what is printed: those that stand between these places; `has_lines`:
// those too that have a line of their own.
void print_comments_between(AstOut *out, uint32_t begin, uint32_t end,
                            bool has_lines);
// Above the statement, those inside of it, if there are several with the one
// behind it.
void print_comments_inside(AstOut *out, Span span);

// Whether it would print something.
bool print_has_comment_behind(AstOut *out, Span span);
// `after` begins on the line on which `span` ends.
bool print_is_same_line(AstOut *out, Span span, Span after);
// The comment at the end of a line; NULL: there is none.
const char *print_find_comment(const char *text, size_t length);
// With breaks in lines that are too long.
void print_in_lines(Text *out, const char *text);

void print_indent(AstOut *out);
void print_unit(AstOut *out, const AstUnit *unit);

// An expression as it may stand alone; commas at its top are bare.
void print_expr(AstOut *out, const Expr *expr);
// In parentheses unless it is a name, a literal, a call or the like.
void print_operand(AstOut *out, const Expr *expr);

// How tightly an expression's outermost operator binds.
typedef enum {
  LEVEL_COMMA,
  LEVEL_ASSIGN,
  LEVEL_CONDITIONAL,
  LEVEL_BINARY = 4, // less 1: the table's precedence is added
  LEVEL_UNARY = 14,
  LEVEL_POSTFIX,
  LEVEL_PRIMARY,
} ExprLevel;

// Pretty: in parentheses if it binds less tightly; else as an operand.
void print_level(AstOut *out, const Expr *expr, int level);
// As an argument or initialiser: in parentheses if it is a comma expression.
void print_argument(AstOut *out, const Expr *expr);
void print_arguments(AstOut *out, const ExprList *args); // with ( )
void print_clauses(AstOut *out,
                   const ClauseList *clauses); // a blank before each

// Pretty: below a kernel's parameters, conditions on lines of their own.
void print_clause_lines(AstOut *out, const ClauseList *clauses);

void print_type_name(AstOut *out, const TypeSyntax *type);
// What all names of a declaration share, without its storage words.
void print_base_type(AstOut *out, const TypeSyntax *type);
// One name with what stands around it; NULL prints an abstract declarator.
void print_declarator(AstOut *out, const TypeSyntax *type, const char *name);
const TypeSyntax *type_base(const TypeSyntax *type);

// The declarations from `first` on that were written as one, with the `;`.
// Returns the index behind them. Bodies are left to the caller.
uint32_t print_declaration(AstOut *out, const DeclList *decls, uint32_t first);
// A function or kernel up to its body.
void print_function_head(AstOut *out, const Decl *decl);

#endif
