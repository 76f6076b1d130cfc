// SPDX-License-Identifier: Apache-2.0
// Declarations.
#include "syntax/parser.h"

#include "syntax/parse.h"

// static-assert: ('static_assert' | '_Static_assert')
//                '(' conditional (',' string)? ')' ';'
Decl *parse_static_assert(Parser *cx) {
  Decl *decl = new_decl(cx, DECL_STATIC_ASSERT, cx->token.span);
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  decl->u.static_assertion.condition = parse_conditional(cx);
  if (accept(cx, TOK_COMMA)) {
    if (at(cx, TOK_STRING))
      decl->u.static_assertion.message = parse_string(cx);
    else
      parser_expected(cx, "a string");
  }
  expect_close(cx, TOK_RPAREN, &opener);
  expect_semicolon(cx, "static_assert(…)");
  decl->span = span_since(cx, decl->span);
  return decl;
}

static Decl *make_decl(Parser *cx, DeclKind kind, const DeclSpecs *specs,
                       const Declarator *declarator) {
  Decl *decl = new_decl(cx, kind, specs->span);
  decl->type = declarator->type;
  decl->name = declarator->name;
  decl->name_span = declarator->name_span;
  decl->storage = specs->storage;
  decl->aligns = specs->aligns;
  decl->n_aligns = specs->n_aligns;
  decl->span = span_since(cx, specs->span);
  return decl;
}

// --- Functions -------------------------------------------------------------

// body: compound, in which the names of the parameters are known
Stmt *parse_function_body(Parser *cx, const Decl *function) {
  uint32_t mark = scope_open(cx);
  const DeclList *params = &function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    scope_declare(cx, params->data[i]->name, params->data[i]->u.param.is_type);
  Stmt *body = parse_compound(cx);
  scope_close(cx, mark);
  return body;
}

// The parameters are in scope for the clauses too.
static void parse_function_clauses(Parser *cx, Decl *decl) {
  bool is_kernel = decl->kind == DECL_KERNEL;
  uint32_t mark = scope_open(cx);
  const DeclList *params = &decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    scope_declare(cx, params->data[i]->name, params->data[i]->u.param.is_type);
  decl->u.function.clauses =
      parse_clauses(cx, is_kernel ? 'K' : 'F',
                    is_kernel ? "the parameters of a kernel"
                              : "the parameters of a function");
  scope_close(cx, mark);
}

// Not after another error, which may be the reason.
static void refuse_work_pragma(Parser *cx) {
  const Expr *work = cx->flops ? cx->flops : cx->bytes;
  if (work && diag_error_count(cx->diags) == cx->errors_before)
    DIAG_REPORT(cx->diags, DIAG_bad_pragma, parser_place(cx, work->span),
                DS("heddle"), DS("flops and bytes belong to a kernel"));
}

// Gives the kernel the work that pragmas before it or inside it declare.
static void take_work_pragma(Parser *cx, Decl *decl) {
  if (decl->kind == DECL_KERNEL) {
    decl->u.function.flops = cx->flops;
    decl->u.function.bytes = cx->bytes;
  } else {
    refuse_work_pragma(cx);
  }
  cx->flops = cx->bytes = NULL;
}

static const char *after_parameters(const Decl *decl) {
  return decl->kind == DECL_KERNEL
             ? "a clause such as grid(…) or threads(…), '{' or ';'"
             : "'{' or ';'";
}

// function-rest: clauses (compound | ';')
static void parse_function_rest(Parser *cx, Decl *decl, bool is_file_scope) {
  parse_function_clauses(cx, decl);
  if (!at(cx, TOK_LBRACE) && !at(cx, TOK_SEMICOLON) && !at(cx, TOK_COMMA))
    parser_expected(cx, after_parameters(decl));
  recover_to_body(cx, 0); // an error in the header leaves the body readable
  if (at(cx, TOK_LBRACE)) {
    if (!is_file_scope && !parser_is_reported(cx))
      DIAG_REPORT(
          cx->diags, DIAG_not_in_heddle, parser_place(cx, decl->name_span),
          DS("functions inside functions"), DS("move it to file scope"));
    decl->u.function.body = parse_function_body(cx, decl);
  }
  decl->span = span_since(cx, decl->span);
}

// kernel: 'kernel' specifiers declarator function-rest
static void parse_decl_kernel(Parser *cx, DeclVec *out) {
  Span begin = cx->token.span;
  parser_advance(cx);
  if (at(cx, TOK_IDENT) && parser_peek(cx, 1)->kind == TOK_LPAREN &&
      !parser_is_reported(cx)) {
    DIAG_REPORT(cx->diags, DIAG_expected, parser_place(cx, cx->token.span),
                DS("'void' after 'kernel'"),
                DS(token_describe(cx->arena, cx->source, &cx->token)));
    cx->reported_at = cx->real.span.begin;
  }
  DeclSpecs specs = parse_specifiers(cx);
  Declarator declarator = parse_declarator(cx, specs.type, false);
  specs.span.begin = begin.begin;
  scope_declare(cx, declarator.name, false);
  if (!declarator.function) {
    parser_expected(cx, "'(' and the parameters of the kernel");
    return;
  }
  Decl *decl = make_decl(cx, DECL_KERNEL, &specs, &declarator);
  parse_function_rest(cx, decl, true);
  take_work_pragma(cx, decl);
  if (!decl->u.function.body)
    expect_semicolon(cx, "a kernel without a body");
  VEC_PUSH(cx->arena, out, decl);
}

// --- Objects, types, functions ---------------------------------------------

static void parse_var_rest(Parser *cx, Decl *decl, const DeclSpecs *specs) {
  decl->u.var.layout = specs->layout;
  parse_layout(cx, &decl->u.var.layout);
  if (accept(cx, TOK_EQ))
    decl->u.var.init = parse_initializer(cx);
  decl->span = span_since(cx, decl->span);
}

// One declarator of a declaration; true if it had a body, which ends the
// declaration.
static bool parse_decl_declared(Parser *cx, const DeclSpecs *specs,
                                bool is_file_scope, DeclVec *out) {
  Declarator declarator = parse_declarator(cx, specs->type, false);
  bool is_typedef = (specs->storage & STORAGE_TYPEDEF) != 0;
  DeclKind kind = is_typedef            ? DECL_TYPEDEF
                  : declarator.function ? DECL_FUNCTION
                                        : DECL_VAR;
  scope_declare(cx, declarator.name, is_typedef);
  Decl *decl = make_decl(cx, kind, specs, &declarator);
  VEC_PUSH(cx->arena, out, decl);
  if (kind == DECL_VAR)
    parse_var_rest(cx, decl, specs);
  if (kind != DECL_FUNCTION)
    return false;
  parse_function_rest(cx, decl, is_file_scope);
  take_work_pragma(cx, decl);
  return decl->u.function.body != NULL;
}

// A declaration without declarators declares a tag, or nothing.
static void parse_decl_add_tag(Parser *cx, const DeclSpecs *specs,
                               DeclVec *out) {
  TypeSyntaxKind kind = specs->type->kind;
  bool is_tag = kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_ENUM;
  if (!is_tag) {
    if (kind != TYPE_POISON && !parser_is_reported(cx))
      DIAG_REPORT0(cx->diags, DIAG_declares_nothing,
                   parser_place(cx, specs->span));
    return;
  }
  Decl *decl = new_decl(cx, DECL_TAG, specs->span);
  decl->type = specs->type;
  decl->storage = specs->storage;
  decl->name = kind == TYPE_ENUM ? specs->type->u.enumeration.tag
                                 : specs->type->u.record.tag;
  decl->name_span = kind == TYPE_ENUM ? specs->type->u.enumeration.tag_span
                                      : specs->type->u.record.tag_span;
  VEC_PUSH(cx->arena, out, decl);
}

// constexpr layout L = blocked(1, 4);
static bool at_layout(Parser *cx) {
  return at(cx, TOK_CONSTEXPR) && parser_peek(cx, 1)->kind == TOK_IDENT &&
         parser_peek(cx, 1)->name == cx->words.layout &&
         parser_peek(cx, 2)->kind == TOK_IDENT;
}

// layout-constant: 'constexpr' 'layout' name '=' (conditional)+ ';'
static Decl *parse_decl_layout(Parser *cx) {
  Span begin = cx->token.span;
  parser_advance(cx);
  parser_advance(cx);
  Decl *decl = new_decl(cx, DECL_LAYOUT, begin);
  decl->name = expect_name(cx, "a name", &decl->name_span);
  scope_declare(cx, decl->name, false);
  expect(cx, TOK_EQ);
  decl->u.var.layout.parts = parse_layout_parts(cx);
  decl->u.var.layout.span = decl->span = span_since(cx, begin);
  expect_semicolon(cx, "a layout");
  return decl;
}

// declaration: static-assert | kernel | layout-constant
//            | specifiers (declared (',' declared)*)? ';'
//            | specifiers declarator clauses compound
// declared: declarator (clauses | layout? ('=' initializer)?)
void parse_declaration(Parser *cx, DeclVec *out, bool is_file_scope) {
  if (at(cx, TOK_STATIC_ASSERT) || at(cx, TOK_STATIC_ASSERT_C11)) {
    VEC_PUSH(cx->arena, out, parse_static_assert(cx));
    return;
  }
  if (at(cx, TOK_KERNEL)) {
    parse_decl_kernel(cx, out);
    return;
  }
  if (at_layout(cx)) {
    VEC_PUSH(cx->arena, out, parse_decl_layout(cx));
    return;
  }
  DeclSpecs specs = parse_specifiers(cx);
  if (accept(cx, TOK_SEMICOLON)) {
    parse_decl_add_tag(cx, &specs, out);
    return;
  }
  do {
    if (at(cx, TOK_PANIC))
      return;
    if (parse_decl_declared(cx, &specs, is_file_scope, out))
      return;
  } while (accept(cx, TOK_COMMA));
  // What follows an unknown type may be no declaration at all: one message.
  if (specs.type->kind == TYPE_POISON && !at(cx, TOK_SEMICOLON))
    parser_panic(cx);
  expect_semicolon(cx, "a declaration");
}

// --- Units -----------------------------------------------------------------

static void parse_file_pragma(Parser *cx, DeclVec *decls) {
  Span begin = cx->token.span;
  PragmaKind kind;
  if (!parse_pragma(cx, &kind))
    return;
  Decl *decl = new_decl(cx, DECL_PRAGMA, span_since(cx, begin));
  decl->u.pragma.kind = kind;
  VEC_PUSH(cx->arena, decls, decl);
}

static void report_stray_close(Parser *cx) {
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_stray_close, parser_place(cx, cx->token.span),
                DS("'}'"), DS("'{'"));
  parser_advance(cx);
}

// A block at file scope: the body of a declaration that was wrong, if the one
// before was; else something that belongs into a function.
static void refuse_block(Parser *cx, bool is_after_error) {
  if (is_after_error)
    parser_panic(cx);
  else
    parser_expected(cx, "a declaration or a kernel");
}

// external: declaration | pragma | ';'
static void parse_external(Parser *cx, DeclVec *decls, bool is_after_error) {
  if (at(cx, TOK_PRAGMA)) {
    parse_file_pragma(cx, decls);
  } else if (at(cx, TOK_RBRACE)) {
    report_stray_close(cx);
  } else if (at(cx, TOK_LBRACE)) {
    refuse_block(cx, is_after_error);
  } else if (parse_foreign_words(cx) || accept(cx, TOK_SEMICOLON)) {
    return;
  } else if (at(cx, TOK_KERNEL) || at(cx, TOK_IDENT) || at_declaration(cx)) {
    parse_pragma_check_used(cx);
    parse_declaration(cx, decls, true);
  } else {
    parser_expected(cx, "a declaration or a kernel");
  }
}

static bool ends_with_body(const DeclVec *decls) {
  const Decl *last = decls->count > 0 ? VEC_LAST(decls) : NULL;
  return last && (last->kind == DECL_FUNCTION || last->kind == DECL_KERNEL) &&
         last->u.function.body;
}

// unit: external*
AstUnit *parse_unit(Arena *arena, Interner *interner, DiagEngine *diags,
                    SourceText *source) {
  Parser cx;
  DeclVec decls = {0};
  parser_init(&cx, arena, interner, diags, source);
  bool is_after_error = false;
  while (cx.real.kind != TOK_EOF) {
    uint32_t begin = cx.real.span.begin;
    uint32_t n_errors = diag_error_count(diags);
    parse_external(&cx, &decls, is_after_error);
    is_after_error = (is_after_error && !ends_with_body(&decls)) ||
                     diag_error_count(diags) > n_errors;
    if (at(&cx, TOK_PANIC))
      recover_declaration(&cx, begin);
  }
  parse_pragma_check_used(&cx);
  refuse_work_pragma(&cx);
  AstUnit *unit = ARENA_NEW(arena, AstUnit);
  unit->source = source;
  unit->decls = VEC_TO_LIST(DeclList, decls);
  unit->n_nodes = cx.n_nodes;
  unit->has_errors = diag_error_count(diags) > cx.errors_before;
  return unit;
}
