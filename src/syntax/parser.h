// SPDX-License-Identifier: Apache-2.0
// Inside the parser: recursive descent, one token at a time, the grammar above
// each function (docs/reference/grammar.ebnf is the whole of it).
//
// Note [Panic mode]
// A syntax error is reported where it is found and sets `is_panicking`. From
// then on the current token reads as TOK_PANIC, which no rule accepts: every
// loop ends, every function returns what it has, nothing more is reported. The
// nearest list of statements, declarations or parameters calls a
// recover_… function, which skips to where its next item may start and ends
// the panic. So no function has an error path of its own.
//
// Note [One mistake, one message]
// Nothing is reported at a place where the lexer has just reported, nor twice
// at one token. Unknown types, foreign words and the like are reported without
// panic and parsing goes on as if they were right.
#ifndef HD_SYNTAX_PARSER_H
#define HD_SYNTAX_PARSER_H

#include "syntax/ast.h"
#include "syntax/lexer.h"
#include "syntax/limits.h"

// Names whose meaning depends on the place; interned.
typedef struct {
#define WORD(id) const char *id;
#include "syntax/word.def"
} Words;

typedef hd_vec(Token) TokenVec;
typedef hd_vec(Expr *) ExprVec;
typedef hd_vec(Stmt *) StmtVec;
typedef hd_vec(Decl *) DeclVec;
typedef hd_vec(Clause) ClauseVec;

#define VEC_TO_LIST(list_type, vec) ((list_type){(vec).data, (vec).count})

// A name that a declaration gave a new meaning, to be undone at scope end.
typedef struct {
  const char *name;
  void *previous; // see scope.c
} Hidden;

typedef struct {
  Arena *arena;
  Interner *interner;
  DiagEngine *diags;
  SourceText *source;
  Lexer lexer;
  Words words;

  Token token;           // the current one; kind TOK_PANIC while panicking
  Token real;            // the current one, whatever the state
  uint32_t previous_end; // end of the token before
  TokenVec ahead;        // tokens behind the current one that were looked at
  uint32_t ahead_first;
  uint32_t n_open; // ( and [ taken and not closed
  bool is_panicking;
  bool is_too_deep;       // this panic goes up to a list of statements
  uint32_t errors_before; // of the engine, when parsing began
  uint32_t reported_at;   // token offset of the last error, UINT32_MAX: none

  uint32_t n_nodes;
  uint32_t nesting;
  bool is_too_big; // the limit of nodes was met: reported, all stops

  Map name_kinds; // see scope.c
  hd_vec(Hidden) hidden;

  UnrollPragma unroll; // waits for its loop
  Expr *flops, *bytes; // wait for, or belong to, the kernel
} Parser;

// --- parse_core.c: tokens, errors, recovery, nodes ---

void parser_init(Parser *cx, Arena *arena, Interner *interner,
                 DiagEngine *diags, SourceText *source);
void parser_advance(Parser *cx);
// The token `n` behind the current one (0: the current). TOK_PANIC in panic.
const Token *parser_peek(Parser *cx, uint32_t n);

static inline bool at(const Parser *cx, TokenKind kind) {
  return cx->token.kind == kind;
}

static inline bool at_word(const Parser *cx, const char *word) {
  return cx->token.kind == TOK_IDENT && cx->token.name == word;
}

bool accept(Parser *cx, TokenKind kind);
// Takes the token, or reports "expected …" and panics.
bool expect(Parser *cx, TokenKind kind);
// Takes the bracket that closes `opener`, or reports both places.
Span expect_close(Parser *cx, TokenKind close, const Token *opener);
// Takes `;`. A missing one is reported at the end of the line before.
void expect_semicolon(Parser *cx, const char *after);
// Takes an identifier; NULL after an error.
const char *expect_name(Parser *cx, const char *what, Span *span);

Place parser_place(const Parser *cx, Span span);
// Adds to an error at the current token what to write instead of a form of
// another language, if it is one (parse_habit.c).
void parser_note_habit(Parser *cx, Diag *diag);
// Reports "expected `what`, found …" at the current token and panics.
void parser_expected(Parser *cx, const char *what);
// Starts a panic after a report made by the caller.
void parser_panic(Parser *cx);
// Whether an error at the current token would be the second for one mistake.
bool parser_is_reported(const Parser *cx);

// Skips to the next statement of a block, behind the start of the wrong one.
void recover_statement(Parser *cx, uint32_t item_begin, uint32_t n_open);
// Skips to the next declaration at file scope, likewise.
void recover_declaration(Parser *cx, uint32_t item_begin);
// These three are given `n_open` of the place where they resume.
// Skips to `stop` or to a comma; false, still in panic, if neither came before
// `{`, `}` or `;`.
bool recover_list(Parser *cx, TokenKind stop, uint32_t n_open);
// Skips behind the `)` that ends the header of a statement, or to its body.
void recover_header(Parser *cx, uint32_t n_open);
// Skips to the `{` of a function; does nothing without a panic, and keeps it
// if there is none.
void recover_to_body(Parser *cx, uint32_t n_open);
// Whether the current token can only start a declaration at file scope.
bool at_file_scope_word(const Parser *cx);

// One level deeper; false (reported, in panic) beyond the limit. Pairs with
// parser_leave in either case.
bool parser_enter(Parser *cx);
void parser_leave(Parser *cx);

Span span_since(const Parser *cx, Span begin);
Expr *new_expr(Parser *cx, ExprKind kind, Span span);
Stmt *new_stmt(Parser *cx, StmtKind kind, Span span);
Decl *new_decl(Parser *cx, DeclKind kind, Span span);
TypeSyntax *new_type(Parser *cx, TypeSyntaxKind kind, Span span);
// Sets the depth from operands (NULL is fine); beyond the limit it is reported
// and the result is poison. Returns `expr`.
Expr *expr_finish(Parser *cx, Expr *expr, const Expr *a, const Expr *b);

// --- parse_scope.c: which names are types ---

uint32_t scope_open(Parser *cx);
void scope_close(Parser *cx, uint32_t mark);
void scope_declare(Parser *cx, const char *name, bool is_type);
bool scope_is_type(const Parser *cx, const char *name);
void scope_add_builtins(Parser *cx);

// --- parse_foreign.c: words of other languages ---

// At a word of another language that may start a declaration: reports it,
// skips it and gives true.
bool parse_foreign_words(Parser *cx);

// --- parse_literal.c ---

Expr *parse_number(Parser *cx); // parse_number.c
Expr *parse_char(Parser *cx);
Expr *parse_string(Parser *cx);

// --- parse_expr.c, parse_unary.c, parse_primary.c ---

Expr *parse_expr(Parser *cx);        // with commas
Expr *parse_assignment(Parser *cx);  // without
Expr *parse_conditional(Parser *cx); // without = too
Expr *parse_cast(Parser *cx);
Expr *parse_unary(Parser *cx);
Expr *parse_primary(Parser *cx);
Expr *parse_postfix(Parser *cx, Expr *base);
Expr *parse_initializer(Parser *cx);
Expr *parse_init_list(Parser *cx);
// ( a, b, … ) with the parentheses, which `*parens` gets.
ExprList parse_arguments(Parser *cx, Span *parens);
// .a[2].b of designators and offsetof; `first` is what stands before.
Designator *parse_designators(Parser *cx, uint32_t *count);

// --- parse_type.c, parse_record.c, parse_declarator.c ---

typedef struct {
  Span span;
  TypeSyntax *type; // never NULL after parse_specifiers
  uint32_t storage;
  Span storage_span;
  AlignSpec *aligns;
  uint32_t n_aligns;
  LayoutSyntax layout; // before the type
} DeclSpecs;

typedef struct {
  TypeSyntax *type;
  const char *name; // NULL: abstract or an error
  Span name_span;
  TypeSyntax *function; // the FUNCTION node whose parameters a body would use
} Declarator;

// Whether a declaration, or a type name in parentheses, starts here.
bool at_declaration(Parser *cx);
bool at_type_name(Parser *cx);
// Whether the token `n` behind the current one starts a type name.
bool is_type_start(Parser *cx, uint32_t n);

DeclSpecs parse_specifiers(Parser *cx);
TypeSyntax *parse_type_name(Parser *cx);
TypeSyntax *parse_record(Parser *cx);
TypeSyntax *parse_enum(Parser *cx);
// A declarator with a name (may_be_abstract false) or without.
Declarator parse_declarator(Parser *cx, TypeSyntax *base, bool may_be_abstract);
DeclList parse_parameters(Parser *cx, bool *is_variadic, bool *has_prototype);
// layout(…) if it stands here.
void parse_layout(Parser *cx, LayoutSyntax *layout);
// What stands in its parentheses: expressions one after the other.
ExprList parse_layout_parts(Parser *cx);
uint32_t parse_qualifiers(Parser *cx);

// --- parse_decl.c ---

// One declaration with all its names, appended to `out`.
void parse_declaration(Parser *cx, DeclVec *out, bool is_file_scope);
Decl *parse_static_assert(Parser *cx);
Stmt *parse_function_body(Parser *cx, const Decl *function);

// --- parse_clause.c ---

// The clauses allowed at `where` (a letter of AST_CLAUSE), as many as there
// are; `what` names the place in messages.
ClauseList parse_clauses(Parser *cx, char where, const char *what);
bool at_clause(Parser *cx);

// --- parse_pragma.c ---

// Takes the pragma at the current token. True: *kind is to become a node.
bool parse_pragma(Parser *cx, PragmaKind *kind);
// Reports an unroll pragma that no loop followed.
void parse_pragma_check_used(Parser *cx);

// --- parse_stmt.c, parse_loop.c, parse_group.c ---

Stmt *parse_statement(Parser *cx);
Stmt *parse_compound(Parser *cx); // opens a scope
// A statement that is the body of another: labels before it are wrapped.
Stmt *parse_body(Parser *cx);
Stmt *parse_loop(Parser *cx);
bool at_loop(Parser *cx);
Stmt *parse_group_stmt(Parser *cx);
bool at_group_stmt(const Parser *cx);
Stmt *parse_asm(Parser *cx);

#endif
