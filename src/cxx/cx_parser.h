// SPDX-License-Identifier: Apache-2.0
// Inside the C++ parser: recursive descent over an array of tokens, the
// grammar above each function.
//
// Note [Panic mode]
// As in syntax/parser.h: an error is noted where it is found, from then on the
// current token reads as CX_TOK_PANIC, which no rule accepts, so every
// function returns what it has. The nearest list of statements or declarations
// skips to its next item and ends the panic.
//
// Note [Trying]
// Where C++ needs to know how something ends before it can say what it was, the
// parser tries: cx_try, parse, cx_try_end(cx, &attempt, is_good). What an
// attempt reports is dropped. Names are remembered by position, so that
// template arguments are never parsed twice, and the number of tokens that all
// attempts may take together is limited: hostile text ends in an error.
#ifndef HD_CXX_CX_PARSER_H
#define HD_CXX_CX_PARSER_H

#include "cxx/cx_ast.h"
#include "cxx/cx_lexer.h"
#include "cxx/cx_parse.h"
#include "syntax/limits.h"

// --- Names (cx_scope.c) ----------------------------------------------------

// What a name may be; a set.
enum {
  CX_NAME_TYPE = 1,
  CX_NAME_VALUE = 2, // a function or an object
  CX_NAME_SPACE = 4, // a namespace
  CX_NAME_TEMPLATE = 8,
  CX_NAME_DEPENDENT = 16, // a template parameter, or through one
  CX_NAME_BITS = 5,
};

typedef struct {
  uint32_t is;     // CX_NAME_*; 0: not declared
  CxScope *inside; // of namespaces and classes, or NULL
} CxSymbol;

typedef enum {
  CX_SCOPE_NAMESPACE,
  CX_SCOPE_RECORD,
  CX_SCOPE_TEMPLATE, // template parameters
  CX_SCOPE_MEMBER,   // of a member that is declared outside its class
  CX_SCOPE_BLOCK,
} CxScopeKind;

typedef struct {
  const char *name;
  CxSymbol symbol;
  uint32_t since[CX_NAME_BITS]; // from which offset on it is what, by bit
} CxEntry;

// To another scope, from an offset of the text on.
typedef struct {
  struct CxScope *to;
  uint32_t since;
  bool is_dependent; // a base that depends on parameters of a template
} CxScopeLink;

typedef hd_vec(CxScopeLink) CxScopeLinks;

struct CxScope {
  CxScopeKind kind;
  CxScope *parent;
  const char *name;        // of a class
  hd_vec(CxEntry) entries; // while there are few
  Map names;               // -> CxEntry, once there are more
  CxScopeLinks parts;      // bases, inline namespaces
  CxScopeLinks uses;       // namespaces of directives
  bool has_unknown_base;
  bool is_whole; // its names are known in all of it
};

typedef struct CxParser {
  Arena *arena;
  Interner *interner;
  DiagEngine *diags;
  SourceText *source;
  CxUnit *unit;
  CxLexed lexed;
  CxWords words;

  struct {
    const char *final, *override, *packed, *aligned, *noreturn, *nounroll,
        *host_std, *heddle;
  } names;

  const CxToken *tokens;
  uint32_t pos;
  uint32_t limit;    // reads as the end of file
  CxTokenKind kind;  // of the current token, or PANIC
  CxTokenKind last;  // of the token taken last
  uint32_t last_end; // its end
  bool last_is_joined;

  bool is_panicking;
  bool is_too_deep;
  bool is_too_big;
  bool has_ellipsis;    // `...` stands somewhere in the text
  bool no_gt;           // inside <…>: `>` is no operator
  uint32_t trying;      // attempts open
  uint64_t tried;       // tokens taken in attempts
  uint32_t reported_at; // token of the last error, UINT32_MAX: none
  CxProblem *problems;  // newest first
  uint32_t nesting;
  uint32_t n_nodes;

  CxScope *file_scope;
  CxScope *scope;
  Map named;            // position -> CxNamed
  Map expansions;       // position of a pattern -> behind it, with dots, + 1
  Map member_templates; // interned names of templates that are members
  uint32_t extern_c;    // `extern "C" {` around
  hd_vec(CxDecl *) unknowns;
  hd_vec(CxDecl *) bodies; // functions with one, by position
  hd_vec(CxDecl *) tags;   // classes that `struct S *` declared just now
  hd_vec(CxLaunch) launches;
  uint32_t next_launch;
} CxParser;

typedef hd_vec(CxExpr *) CxExprVec;
typedef hd_vec(CxStmt *) CxStmtVec;
typedef hd_vec(CxDecl *) CxDeclVec;

#define CX_LIST(list_type, vec) ((list_type){(vec).data, (vec).count})

CxScope *cx_scope_new(CxParser *cx, CxScopeKind kind, CxScope *parent);
void cx_scope_declare(CxParser *cx, CxScope *scope, const char *name,
                      uint32_t is, CxScope *inside);
// What a name is at the current token: Note [Names begin in the parser].
// Of a scope alone, its bases and used namespaces included.
CxSymbol cx_scope_find_in(const CxParser *cx, const CxScope *scope,
                          const char *name);
// From a scope outwards.
CxSymbol cx_scope_find(const CxParser *cx, const CxScope *scope,
                       const char *name);
// The namespace that another `namespace name {` in `scope` adds to, or NULL.
CxScope *cx_scope_space(const CxScope *scope, const char *name);
// The names of `part` are names of `scope`.
void cx_scope_include(CxParser *cx, CxScope *scope, CxScope *part);
// Likewise of a base; `is_dependent`: only of qualified names.
void cx_scope_derive(CxParser *cx, CxScope *scope, CxScope *base,
                     bool is_dependent);
// Whether a parameter of a template around is named by a token from `begin` on.
bool cx_names_parameter(const CxParser *cx, uint32_t begin, uint32_t end);
// using namespace …
void cx_scope_use(CxParser *cx, CxScope *scope, CxScope *used);
// Of a class that is declared in the current scope.
void cx_scope_set_inside(CxParser *cx, const char *name, CxScope *inside);
// What a qualified name is from `scope`.
CxSymbol cx_scope_find_name(const CxParser *cx, const CxScope *scope,
                            const CxName *name);

// --- Tokens, errors, nodes (cx_parse_core.c) -------------------------------

static inline bool cx_at(const CxParser *cx, CxTokenKind kind) {
  return cx->kind == kind;
}

static inline unsigned cx_kind_at(const CxParser *cx, uint32_t pos) {
  return pos < cx->limit ? cx->tokens[pos].kind : CX_TOK_EOF;
}

// The token is this identifier (interned).
static inline bool cx_is_named(const CxParser *cx, uint32_t pos,
                               const char *name) {
  return cx_kind_at(cx, pos) == CX_TOK_IDENT && cx->tokens[pos].u.name == name;
}

// What a statement may begin behind: the end of another one, or of none.
static inline bool cx_ends_statement(unsigned kind) {
  return kind == CX_TOK_SEMICOLON || kind == CX_TOK_LBRACE ||
         kind == CX_TOK_RBRACE;
}

void cx_advance(CxParser *cx);
// The kind of the token `n` behind the current one.
CxTokenKind cx_peek(const CxParser *cx, uint32_t n);
bool cx_accept(CxParser *cx, CxTokenKind kind);
bool cx_expect(CxParser *cx, CxTokenKind kind);
// Takes the bracket that closes the token `opener`, or notes both places.
bool cx_expect_close(CxParser *cx, CxTokenKind close, uint32_t opener);
void cx_expect_semicolon(CxParser *cx, const char *after);
bool cx_at_name(const CxParser *cx, const char *name);
// `>` that nothing joins to the one before.
bool cx_at_shift_right(const CxParser *cx);
const CxToken *cx_token(const CxParser *cx);
const char *cx_token_text(const CxParser *cx, const CxToken *token,
                          uint32_t *length);
void cx_go_to(CxParser *cx, uint32_t pos);
// Behind the bracket at the current token, and all that it holds.
void cx_skip_brackets(CxParser *cx);
uint32_t cx_behind_brackets(const CxParser *cx, uint32_t pos);

Span cx_span(const CxParser *cx); // of the current token
Span cx_since(const CxParser *cx, Span begin);

void cx_expected(CxParser *cx, const char *what);
// What a word at this token belongs to that isn't supported; NULL: nothing.
const char *cx_word_beyond(const CxParser *cx, uint32_t pos);
// At co_await and its kin.
bool cx_at_coroutine(const CxParser *cx);
// Likewise of all that may stand where something else is expected.
const char *cx_beyond(const CxParser *cx);
// Notes an error at `span`; up to three texts. No panic.
CxProblem *cx_problem(CxParser *cx, DiagId id, Span span, const char *first,
                      const char *second);
void cx_panic(CxParser *cx);
void cx_end_panic(CxParser *cx);
// Whether an error at the current token would be the second for one mistake.
bool cx_is_reported(const CxParser *cx);

typedef struct {
  uint32_t pos;
  CxProblem *problems;
  uint32_t reported_at;
  uint32_t nesting;
  CxScope *scope;
  bool no_gt;
} CxAttempt;

CxAttempt cx_try(CxParser *cx);
// Goes back to where the attempt began unless `is_good` and nothing was noted.
bool cx_try_end(CxParser *cx, const CxAttempt *attempt, bool is_good);

bool cx_enter(CxParser *cx);
void cx_leave(CxParser *cx);

CxExpr *cx_new_expr(CxParser *cx, CxExprKind kind, Span span);
CxStmt *cx_new_stmt(CxParser *cx, CxStmtKind kind, Span span);
CxDecl *cx_new_decl(CxParser *cx, CxDeclKind kind, Span span);
CxType *cx_new_type(CxParser *cx, CxTypeKind kind, Span span);
// Sets the depth from operands (NULL is fine); too deep: noted, and POISON.
// --- Parameter packs (cx_parse_pack.c) --------------------------------------

// The names from token `begin` to the current one, as what `...` expands.
CxPackNames cx_pack_names(CxParser *cx, uint32_t begin);
// `pattern`, which begins at token `begin`, or its expansion if `...` follows.
CxExpr *cx_parse_expansion(CxParser *cx, CxExpr *pattern, uint32_t begin);
// The position is at the dots.
CxExpr *cx_parse_sizeof_pack(CxParser *cx, Span begin);
// At a `(` that opens a fold.
bool cx_at_fold(const CxParser *cx);
CxExpr *cx_parse_fold(CxParser *cx);
// Takes the operator that a fold may have (cx_parse_expr.c).
bool cx_accept_fold_operator(CxParser *cx, CxFoldOperator *out);

CxExpr *cx_finish(CxParser *cx, CxExpr *expr, const CxExpr *a, const CxExpr *b);
CxExpr *cx_unsupported_expr(CxParser *cx, Span span, const char *what);

// --- Names and template arguments (cx_parse_name.c) ------------------------

// A name that was parsed, what it is, and where it ends.
typedef struct {
  CxName *name;
  uint32_t end; // position behind it
  CxSymbol symbol;
} CxNamed;

// At an identifier, ::, ~ or operator: what stands there, not taken. `is_type`:
// `x <` of an unknown x begins template arguments. NULL after an error.
const CxNamed *cx_parse_name_at(CxParser *cx, bool is_type);
// The name, taken; NULL after an error. `symbol` may be NULL.
const CxName *cx_parse_name(CxParser *cx, bool is_type, CxSymbol *symbol);
// One part behind `.` or `->`.
const CxName *cx_parse_member_name(CxParser *cx);
// decltype(e)::name: what follows the type; NULL: nothing does.
const CxName *cx_parse_name_of(CxParser *cx, CxType *type);
bool cx_at_name_start(const CxParser *cx);
// An identifier with neither `::` nor `<` behind it.
bool cx_at_simple_name(const CxParser *cx);
// A name of one part that is an identifier.
CxName *cx_simple_name(CxParser *cx, const char *name, Span span);
// Whether <…> at position `pos` looks like template arguments; *end: behind.
bool cx_looks_like_args(const CxParser *cx, uint32_t pos, uint32_t *end);
void cx_parse_template_args(CxParser *cx, CxNamePart *part);

static inline const CxNamePart *cx_last_part(const CxName *name) {
  return &name->parts[name->n_parts - 1];
}

// --- Types (cx_parse_type.c, cx_parse_declarator.c) ------------------------

typedef struct {
  Span span;
  CxType *type; // NULL: none was written
  uint32_t specs;
  CxExprList launch_bounds;
  CxExprList cluster_dims;
  hd_vec(CxAttribute) attributes;
  CxExpr *align;
  CxType *align_type;
  const char *unsupported;
  Span unsupported_span;
  CxDecl *definition; // struct, enum that was defined or declared in it
} CxSpecs;

typedef struct {
  CxType *type;
  const CxName *name; // NULL: abstract
  CxType *function;   // the FUNCTION whose parameters a body would use
  CxScope *inside;    // where what follows the name is looked up
  bool is_pack;
} CxDeclarator;

// Specifiers of a declaration. `record`: the class whose members are parsed.
CxSpecs cx_parse_specifiers(CxParser *cx, const CxScope *record);
// Attributes and specifier words wherever they may stand.
bool cx_parse_attribute(CxParser *cx, CxSpecs *specs);
uint8_t cx_parse_quals(CxParser *cx);
// *, &, && and what may follow them, around `base`.
CxType *cx_parse_pointers(CxParser *cx, CxType *base, CxSpecs *specs);
CxType *cx_parse_type_id(CxParser *cx);
CxDeclarator cx_parse_declarator(CxParser *cx, CxType *base, CxSpecs *specs,
                                 bool may_be_abstract);
CxDeclList cx_parse_params(CxParser *cx, bool *is_variadic);
// Whether a type begins at the current token. `if_unknown`: what an unknown
// name counts as.
bool cx_at_type(CxParser *cx, bool if_unknown);
bool cx_at_type_word(const CxParser *cx);
bool cx_is_type_symbol(CxSymbol symbol);
// Whether `(` at the current token opens parameters, not arguments.
bool cx_at_params(CxParser *cx);
void cx_note_unsupported(CxDecl *decl, const char *what, Span span);

// --- Declarations (cx_parse_decl.c, cx_parse_record.c, …) ------------------

// One declaration, appended to `out`. `record`: as a member of it.
void cx_parse_declaration(CxParser *cx, CxDeclVec *out, CxDecl *record,
                          CxAccess access);
// In a block: no function bodies; with its `;`.
void cx_parse_block_declaration(CxParser *cx, CxDeclVec *out);
// Specifiers and one declarator with its initialiser: conditions, range for.
CxDecl *cx_parse_condition_decl(CxParser *cx);
// The rest of a declaration after its specifiers, up to (not with) the `;`.
void cx_parse_declarators(CxParser *cx, CxSpecs *specs, CxDeclVec *out);
bool cx_at_declaration(CxParser *cx);
CxDecl *cx_parse_record(CxParser *cx, CxSpecs *specs, CxType **type);
CxDecl *cx_parse_enum(CxParser *cx, CxSpecs *specs, CxType **type);
void cx_parse_template(CxParser *cx, CxDeclVec *out, CxDecl *record,
                       CxAccess access);
void cx_parse_initializer(CxParser *cx, CxDecl *decl);
CxDecl *cx_parse_static_assert(CxParser *cx);
void cx_parse_using(CxParser *cx, CxDeclVec *out);
void cx_parse_namespace(CxParser *cx, CxDeclVec *out);
bool cx_parse_function_rest(CxParser *cx, CxDecl *decl);
void cx_declare(CxParser *cx, CxDecl *decl);
// Where the names of declarations go: not among template parameters.
CxScope *cx_target_scope(const CxParser *cx, bool *is_template);
void cx_add_annotation(CxParser *cx, CxDecl *function,
                       const CxAnnotation *annotation);
// From where a declaration began to behind its end.
void cx_skip_declaration(CxParser *cx, uint32_t begin);
CxDecl *cx_unknown_decl(CxParser *cx, uint32_t begin, CxProblem *problems);

// --- Expressions -----------------------------------------------------------

CxExpr *cx_parse_expr(CxParser *cx);        // with commas
CxExpr *cx_parse_assignment(CxParser *cx);  // without
CxExpr *cx_parse_conditional(CxParser *cx); // without = too
CxExpr *cx_parse_unary(CxParser *cx);
CxExpr *cx_parse_primary(CxParser *cx);
CxExpr *cx_parse_postfix(CxParser *cx, CxExpr *base);
CxExpr *cx_parse_init_list(CxParser *cx);
CxExpr *cx_parse_init_clause(CxParser *cx); // assignment or {…}
CxExprList cx_parse_arguments(CxParser *cx, CxTokenKind close, Span *span);
CxExpr *cx_parse_lambda(CxParser *cx);
// At "({".
CxExpr *cx_parse_statement_expr(CxParser *cx);
CxExpr *cx_parse_number(CxParser *cx);
CxExpr *cx_parse_char(CxParser *cx);
CxExpr *cx_parse_string(CxParser *cx);

// --- Statements (cx_parse_stmt.c) ------------------------------------------

CxStmt *cx_parse_statement(CxParser *cx);
CxStmt *cx_parse_compound(CxParser *cx);
CxStmt *cx_parse_loop(CxParser *cx);
CxStmt *cx_parse_asm(CxParser *cx);
bool cx_at_loop(const CxParser *cx);
CxStmt *cx_parse_sub_statement(CxParser *cx);

// --- On demand (cx_parse_body.c) -------------------------------------------

// What parsing on demand leaves as it was.
typedef struct {
  uint32_t pos, limit, last_end;
  CxProblem *problems;
  CxScope *scope;
} CxOutside;

CxOutside cx_begin(CxParser *cx, CxScope *scope, CxTokens tokens);
// Gives what was noted since cx_begin.
CxProblem *cx_end(CxParser *cx, const CxOutside *outside);
// Declares the parameters of a function's type in the current scope.
void cx_declare_params(CxParser *cx, const CxType *type);
// A scope with the parameters of the function.
CxScope *cx_body_scope(CxParser *cx, const CxDecl *function);

// --- Launches (cx_scan.c) --------------------------------------------------

// The launches in a body whose tokens are not parsed.
void cx_scan_body(CxParser *cx, CxDecl *function);

#endif
