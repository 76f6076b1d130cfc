// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "cxx/cx_parser.h"

#include <string.h>

// --- Recovery --------------------------------------------------------------

static bool parse_stmt_starts_statement(unsigned kind) {
  switch (kind) {
  case CX_TOK_IF:
  case CX_TOK_FOR:
  case CX_TOK_WHILE:
  case CX_TOK_DO:
  case CX_TOK_SWITCH:
  case CX_TOK_RETURN:
  case CX_TOK_BREAK:
  case CX_TOK_CONTINUE:
  case CX_TOK_GOTO:
  case CX_TOK_CASE:
  case CX_TOK_DEFAULT:
  case CX_TOK_PRAGMA: return true;
  default: return false;
  }
}

// Skips to the next statement of a block, behind the start of the wrong one.
static void recover(CxParser *cx, uint32_t begin) {
  bool is_too_deep = cx->is_too_deep;
  cx_end_panic(cx);
  for (;;) {
    CxTokenKind kind = cx->kind;
    bool is_first = cx->pos == begin;
    if (kind == CX_TOK_EOF || kind == CX_TOK_RBRACE)
      break;
    if (!is_first && !is_too_deep && cx_token(cx)->at_line_start &&
        parse_stmt_starts_statement(kind))
      break;
    if (kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
        kind == CX_TOK_LBRACE)
      cx_skip_brackets(cx);
    else
      cx_advance(cx);
    if (kind == CX_TOK_SEMICOLON && !is_too_deep)
      break;
    if (kind == CX_TOK_LBRACE && !is_too_deep) {
      cx_accept(cx, CX_TOK_SEMICOLON);
      break;
    }
  }
}

// --- Blocks ----------------------------------------------------------------

static CxScope *open_scope(CxParser *cx) {
  CxScope *outer = cx->scope;
  cx->scope = cx_scope_new(cx, CX_SCOPE_BLOCK, outer);
  return outer;
}

static void parse_stmt_finish(CxParser *cx, CxStmt *stmt) {
  stmt->span = cx_since(cx, stmt->keyword);
}

static void parse_items(CxParser *cx, CxStmtVec *items) {
  while (!cx_at(cx, CX_TOK_RBRACE) && !cx_at(cx, CX_TOK_EOF)) {
    uint32_t begin = cx->pos;
    uint32_t nesting = cx->nesting;
    CxScope *scope = cx->scope;
    VEC_PUSH(cx->arena, items, cx_parse_statement(cx));
    if (!cx->is_panicking)
      continue;
    cx->nesting = nesting;
    cx->scope = scope;
    cx->no_gt = false;
    recover(cx, begin);
  }
}

// compound: "{" statement* "}"
CxStmt *cx_parse_compound(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_COMPOUND, cx_span(cx));
  CxStmtVec items = {0};
  uint32_t opener = cx->pos;
  if (!cx_expect(cx, CX_TOK_LBRACE))
    return stmt;
  CxScope *outer = open_scope(cx);
  parse_items(cx, &items);
  cx_expect_close(cx, CX_TOK_RBRACE, opener);
  cx->scope = outer;
  stmt->u.compound.items = CX_LIST(CxStmtList, items);
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static bool parse_stmt_is_label(const CxStmt *stmt) {
  return stmt->kind == CX_STMT_CASE || stmt->kind == CX_STMT_DEFAULT ||
         stmt->kind == CX_STMT_LABEL;
}

// A statement that is the body of another: a label and what follows become a
// block.
CxStmt *cx_parse_sub_statement(CxParser *cx) {
  CxScope *outer = open_scope(cx);
  Span begin = cx_span(cx);
  CxStmt *stmt = cx_parse_statement(cx);
  if (parse_stmt_is_label(stmt)) {
    CxStmtVec items = {0};
    VEC_PUSH(cx->arena, &items, stmt);
    while (parse_stmt_is_label(VEC_LAST(&items)) && !cx->is_panicking &&
           !cx_at(cx, CX_TOK_RBRACE))
      VEC_PUSH(cx->arena, &items, cx_parse_statement(cx));
    stmt = cx_new_stmt(cx, CX_STMT_COMPOUND, begin);
    stmt->u.compound.is_implicit = true;
    stmt->u.compound.items = CX_LIST(CxStmtList, items);
    parse_stmt_finish(cx, stmt);
  }
  cx->scope = outer;
  return stmt;
}

// --- Simple statements -----------------------------------------------------

// FOR_EACH(i, n) { … }: the macro's header isn't there.
static bool is_unknown_macro(CxParser *cx, const CxExpr *expr) {
  if (expr->kind != CX_EXPR_CALL || cx_at(cx, CX_TOK_SEMICOLON) ||
      cx_is_reported(cx) || expr->u.call.callee->kind != CX_EXPR_NAME)
    return false;
  const CxName *name = expr->u.call.callee->u.name;
  return name->n_parts == 1 && name->parts[0].name &&
         !cx_scope_find(cx, cx->scope, name->parts[0].name).is;
}

static CxStmt *parse_expr_statement(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_EXPR, cx_span(cx));
  stmt->u.expr = cx_parse_expr(cx);
  if (is_unknown_macro(cx, stmt->u.expr)) {
    const CxName *name = stmt->u.expr->u.call.callee->u.name;
    cx_problem(cx, DIAG_undeclared_name, name->span, name->parts[0].name, NULL);
  }
  cx_expect_semicolon(cx, "an expression");
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static CxStmt *parse_decl_statement(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_DECL, cx_span(cx));
  CxDeclVec decls = {0};
  cx_parse_block_declaration(cx, &decls);
  stmt->u.decls = CX_LIST(CxDeclList, decls);
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static CxStmt *parse_word(CxParser *cx, CxStmtKind kind, const char *what) {
  CxStmt *stmt = cx_new_stmt(cx, kind, cx_span(cx));
  cx_advance(cx);
  cx_expect_semicolon(cx, what);
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static CxStmt *parse_empty(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_EMPTY, cx_span(cx));
  cx_advance(cx);
  return stmt;
}

// return: "return" (expr | init-list)? ";"
static CxStmt *parse_return(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_RETURN, cx_span(cx));
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LBRACE))
    stmt->u.expr = cx_parse_init_list(cx);
  else if (!cx_at(cx, CX_TOK_SEMICOLON))
    stmt->u.expr = cx_parse_expr(cx);
  cx_expect_semicolon(cx, "'return'");
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static CxStmt *parse_goto(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_GOTO, cx_span(cx));
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_IDENT)) {
    stmt->u.label.name = cx_token(cx)->u.name;
    stmt->u.label.name_span = cx_span(cx);
    cx_advance(cx);
  } else {
    cx_expected(cx, "a label");
  }
  cx_expect_semicolon(cx, "'goto'");
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// case: "case" conditional ":" | "default" ":" | ident ":"
static CxStmt *parse_label(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_LABEL, cx_span(cx));
  if (cx_accept(cx, CX_TOK_CASE)) {
    stmt->kind = CX_STMT_CASE;
    stmt->u.expr = cx_parse_conditional(cx);
    if (cx_at(cx, CX_TOK_ELLIPSIS)) {
      cx_advance(cx);
      stmt->u.expr = cx_parse_conditional(cx);
      stmt->u.expr =
          cx_unsupported_expr(cx, stmt->u.expr->span, "ranges in 'case'");
    }
  } else if (cx_accept(cx, CX_TOK_DEFAULT)) {
    stmt->kind = CX_STMT_DEFAULT;
  } else {
    stmt->u.label.name = cx_token(cx)->u.name;
    stmt->u.label.name_span = cx_span(cx);
    cx_advance(cx);
  }
  cx_expect(cx, CX_TOK_COLON);
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// --- if and switch ---------------------------------------------------------

// The header of if, while and switch.
typedef struct {
  CxStmt *init;
  CxExpr *condition;
  CxDecl *decl;
  Span span;
} Header;

// Whether a `;` stands directly inside of the parentheses at the token before.
static bool has_init(const CxParser *cx, uint32_t opener) {
  uint32_t end = cx->tokens[opener].u.match;
  for (uint32_t at = opener + 1; at < end && at < cx->limit;) {
    unsigned kind = cx->tokens[at].kind;
    if (kind == CX_TOK_SEMICOLON)
      return true;
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
                 kind == CX_TOK_LBRACE;
    at = opens ? cx_behind_brackets(cx, at) : at + 1;
  }
  return false;
}

static CxStmt *parse_init_statement(CxParser *cx) {
  if (cx_at(cx, CX_TOK_SEMICOLON))
    return parse_empty(cx);
  return cx_at_declaration(cx) ? parse_decl_statement(cx)
                               : parse_expr_statement(cx);
}

// header: "(" (init-statement)? (declaration | expr) ")"
static Header parse_header(CxParser *cx) {
  Header header = {.span = cx_span(cx)};
  uint32_t opener = cx->pos;
  if (!cx_expect(cx, CX_TOK_LPAREN))
    return header;
  if (has_init(cx, opener))
    header.init = parse_init_statement(cx);
  if (cx_at_declaration(cx))
    header.decl = cx_parse_condition_decl(cx);
  else
    header.condition = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  header.span = cx_since(cx, header.span);
  return header;
}

// if: "if" "constexpr"? header statement ("else" statement)?
static CxStmt *parse_if(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_IF, cx_span(cx));
  CxScope *outer = open_scope(cx);
  cx_advance(cx);
  stmt->u.if_stmt.is_constexpr = cx_accept(cx, CX_TOK_CONSTEXPR);
  Header header = parse_header(cx);
  stmt->u.if_stmt.init = header.init;
  stmt->u.if_stmt.condition = header.condition;
  stmt->u.if_stmt.condition_decl = header.decl;
  stmt->u.if_stmt.then_stmt = cx_parse_sub_statement(cx);
  if (cx_accept(cx, CX_TOK_ELSE))
    stmt->u.if_stmt.else_stmt = cx_parse_sub_statement(cx);
  cx->scope = outer;
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static CxStmt *parse_switch(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_SWITCH, cx_span(cx));
  CxScope *outer = open_scope(cx);
  cx_advance(cx);
  Header header = parse_header(cx);
  stmt->u.switch_stmt.init = header.init;
  stmt->u.switch_stmt.condition = header.condition;
  stmt->u.switch_stmt.condition_decl = header.decl;
  stmt->u.switch_stmt.body = cx_parse_sub_statement(cx);
  cx->scope = outer;
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// --- Loops -----------------------------------------------------------------

bool cx_at_loop(const CxParser *cx) {
  return cx_at(cx, CX_TOK_FOR) || cx_at(cx, CX_TOK_WHILE) ||
         cx_at(cx, CX_TOK_DO);
}

static CxStmt *parse_while(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_WHILE, cx_span(cx));
  CxScope *outer = open_scope(cx);
  cx_advance(cx);
  Header header = parse_header(cx);
  stmt->u.loop.condition = header.condition;
  stmt->u.loop.condition_decl = header.decl;
  stmt->u.loop.header = header.span;
  stmt->u.loop.body = cx_parse_sub_statement(cx);
  cx->scope = outer;
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static CxStmt *parse_do(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_DO, cx_span(cx));
  cx_advance(cx);
  stmt->u.loop.body = cx_parse_sub_statement(cx);
  stmt->u.loop.header = cx_span(cx);
  cx_expect(cx, CX_TOK_WHILE);
  uint32_t opener = cx->pos;
  cx_expect(cx, CX_TOK_LPAREN);
  stmt->u.loop.condition = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  stmt->u.loop.header = cx_since(cx, stmt->u.loop.header);
  cx_expect_semicolon(cx, "'do … while (…)'");
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// Whether the header at the token before is `declaration : range`: a `:` that
// no `?` asks for comes before any `;`.
static bool is_range_for(const CxParser *cx, uint32_t opener) {
  uint32_t end = cx->tokens[opener].u.match;
  uint32_t n_questions = 0;
  for (uint32_t at = opener + 1; at < end && at < cx->limit;) {
    unsigned kind = cx->tokens[at].kind;
    n_questions += kind == CX_TOK_QUESTION;
    if (kind == CX_TOK_COLON && n_questions == 0)
      return true;
    n_questions -= kind == CX_TOK_COLON;
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
                 kind == CX_TOK_LBRACE;
    at = opens ? cx_behind_brackets(cx, at) : at + 1;
  }
  return false;
}

// range-for: "for" "(" init-statement? specifiers declarator ":" range ")"
static CxStmt *parse_range_for(CxParser *cx, CxStmt *stmt, uint32_t opener) {
  stmt->kind = CX_STMT_RANGE_FOR;
  if (has_init(cx, opener))
    stmt->u.range_for.init = parse_init_statement(cx);
  stmt->u.range_for.variable = cx_parse_condition_decl(cx);
  cx_expect(cx, CX_TOK_COLON);
  stmt->u.range_for.range = cx_parse_init_clause(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  stmt->u.range_for.body = cx_parse_sub_statement(cx);
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// for: "for" "(" init-statement expr? ";" expr? ")" statement
static CxStmt *parse_stmt_for(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_FOR, cx_span(cx));
  CxScope *outer = open_scope(cx);
  cx_advance(cx);
  uint32_t opener = cx->pos;
  stmt->u.loop.header = cx_span(cx);
  if (!cx_expect(cx, CX_TOK_LPAREN)) {
    cx->scope = outer;
    return stmt;
  }
  if (is_range_for(cx, opener)) {
    memset(&stmt->u, 0, sizeof(stmt->u));
    parse_range_for(cx, stmt, opener);
    cx->scope = outer;
    return stmt;
  }
  stmt->u.loop.init = parse_init_statement(cx);
  if (!cx_at(cx, CX_TOK_SEMICOLON))
    stmt->u.loop.condition = cx_parse_expr(cx);
  cx_expect(cx, CX_TOK_SEMICOLON);
  if (!cx_at(cx, CX_TOK_RPAREN))
    stmt->u.loop.step = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  stmt->u.loop.header = cx_since(cx, stmt->u.loop.header);
  stmt->u.loop.body = cx_parse_sub_statement(cx);
  cx->scope = outer;
  parse_stmt_finish(cx, stmt);
  return stmt;
}

CxStmt *cx_parse_loop(CxParser *cx) {
  if (cx_at(cx, CX_TOK_FOR))
    return parse_stmt_for(cx);
  return cx_at(cx, CX_TOK_DO) ? parse_do(cx) : parse_while(cx);
}

// --- Pragmas ---------------------------------------------------------------

static CxExpr *parse_stmt_one(CxParser *cx, Span span) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_INT, span);
  expr->u.int_lit.value = 1;
  expr->u.int_lit.base = 10;
  return expr;
}

// The words behind #pragma unroll, or in __heddle_unroll(…), up to `end`.
static CxUnroll parse_unroll_count(CxParser *cx, Span begin, bool is_off,
                                   CxTokenKind end) {
  CxUnroll unroll = {.is_present = true};
  if (is_off)
    unroll.count = parse_stmt_one(cx, begin);
  else if (!cx_at(cx, end))
    unroll.count = cx_parse_conditional(cx);
  cx_expect(cx, end);
  unroll.span = cx_since(cx, begin);
  return unroll;
}

static bool at_unroll_word(const CxParser *cx) {
  return cx_at_name(cx, cx->words.unroll) && cx_peek(cx, 1) == CX_TOK_LPAREN;
}

static CxUnroll parse_unroll(CxParser *cx) {
  Span begin = cx_span(cx);
  bool is_pragma = cx_accept(cx, CX_TOK_PRAGMA);
  bool is_off = is_pragma && cx_at_name(cx, cx->names.nounroll);
  cx_advance(cx);
  if (!is_pragma)
    cx_advance(cx);
  return parse_unroll_count(cx, begin, is_off,
                            is_pragma ? CX_TOK_PRAGMA_END : CX_TOK_RPAREN);
}

// The pragma belongs to the loop behind it; before anything else it has no
// meaning.
static CxStmt *parse_pragma(CxParser *cx) {
  CxUnroll unroll = parse_unroll(cx);
  if (cx->is_panicking || cx_at(cx, CX_TOK_RBRACE))
    return cx_new_stmt(cx, CX_STMT_EMPTY, unroll.span);
  CxStmt *stmt = cx_parse_statement(cx);
  if (stmt->kind == CX_STMT_RANGE_FOR)
    stmt->u.range_for.unroll = unroll;
  else if (stmt->kind == CX_STMT_FOR || stmt->kind == CX_STMT_WHILE ||
           stmt->kind == CX_STMT_DO)
    stmt->u.loop.unroll = unroll;
  return stmt;
}

// --- asm -------------------------------------------------------------------

// asm-operand: ("[" ident "]")? string "(" expr ")"
static CxAsmOperand parse_operand(CxParser *cx) {
  CxAsmOperand operand = {0};
  if (cx_accept(cx, CX_TOK_LBRACKET)) {
    if (cx_at(cx, CX_TOK_IDENT))
      operand.name = cx_token(cx)->u.name;
    cx_advance(cx);
    cx_expect(cx, CX_TOK_RBRACKET);
  }
  if (!cx_at(cx, CX_TOK_STRING)) {
    cx_expected(cx, "a constraint");
    return operand;
  }
  operand.constraint = cx_parse_string(cx);
  uint32_t opener = cx->pos;
  cx_expect(cx, CX_TOK_LPAREN);
  operand.value = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  return operand;
}

static CxAsmOperand *parse_operands(CxParser *cx, uint32_t *count) {
  hd_vec(CxAsmOperand) out = {0};
  while (cx_at(cx, CX_TOK_STRING) || cx_at(cx, CX_TOK_LBRACKET)) {
    CxAsmOperand operand = parse_operand(cx);
    VEC_PUSH(cx->arena, &out, operand);
    cx_accept(cx, CX_TOK_COMMA); // nvcc can do without
  }
  *count = out.count;
  return out.data;
}

// Takes one `:`; of `::`, the first. True where a list follows.
static bool accept_colon(CxParser *cx, bool *half) {
  if (*half) {
    *half = false;
    return true;
  }
  if (cx_accept(cx, CX_TOK_COLON_COLON)) {
    *half = true;
    return true;
  }
  return cx_accept(cx, CX_TOK_COLON);
}

static bool is_asm_goto(CxParser *cx) {
  return cx_peek(cx, 1) == CX_TOK_GOTO || cx_peek(cx, 2) == CX_TOK_GOTO;
}

static CxStmt *parse_asm_goto(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_UNSUPPORTED, cx_span(cx));
  stmt->u.what = "'asm goto'";
  while (!cx_at(cx, CX_TOK_LPAREN) && !cx_at(cx, CX_TOK_SEMICOLON) &&
         !cx_at(cx, CX_TOK_EOF))
    cx_advance(cx);
  if (cx_at(cx, CX_TOK_LPAREN))
    cx_skip_brackets(cx);
  cx_expect_semicolon(cx, "'asm (…)'");
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// asm: "asm" "volatile"? "(" string (":" outputs (":" inputs (":" …)?)?)? ")"
//      ";"
CxStmt *cx_parse_asm(CxParser *cx) {
  if (is_asm_goto(cx))
    return parse_asm_goto(cx);
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_ASM, cx_span(cx));
  bool half = false;
  CxExprVec clobbers = {0};
  cx_advance(cx);
  for (;;) {
    if (cx_accept(cx, CX_TOK_VOLATILE))
      stmt->u.asm_stmt.is_volatile = true;
    else if (!cx_accept(cx, CX_TOK_INLINE))
      break;
  }
  uint32_t opener = cx->pos;
  cx_expect(cx, CX_TOK_LPAREN);
  if (cx_at(cx, CX_TOK_STRING))
    stmt->u.asm_stmt.code = cx_parse_string(cx);
  else
    cx_expected(cx, "the text of the assembly");
  if (accept_colon(cx, &half) && !half)
    stmt->u.asm_stmt.outputs = parse_operands(cx, &stmt->u.asm_stmt.n_outputs);
  if (accept_colon(cx, &half) && !half)
    stmt->u.asm_stmt.inputs = parse_operands(cx, &stmt->u.asm_stmt.n_inputs);
  if (accept_colon(cx, &half) && !half)
    while (cx_at(cx, CX_TOK_STRING)) {
      VEC_PUSH(cx->arena, &clobbers, cx_parse_string(cx));
      if (!cx_accept(cx, CX_TOK_COMMA))
        break;
    }
  stmt->u.asm_stmt.clobbers = CX_LIST(CxExprList, clobbers);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  cx_expect_semicolon(cx, "'asm (…)'");
  parse_stmt_finish(cx, stmt);
  return stmt;
}

// --- Statements ------------------------------------------------------------

// try … catch: skipped.
static CxStmt *parse_try(CxParser *cx) {
  CxStmt *stmt = cx_new_stmt(cx, CX_STMT_UNSUPPORTED, cx_span(cx));
  stmt->u.what = "exceptions";
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LBRACE))
    cx_skip_brackets(cx);
  while (cx_accept(cx, CX_TOK_CATCH)) {
    if (cx_at(cx, CX_TOK_LPAREN))
      cx_skip_brackets(cx);
    if (cx_at(cx, CX_TOK_LBRACE))
      cx_skip_brackets(cx);
  }
  parse_stmt_finish(cx, stmt);
  return stmt;
}

static void skip_attributes(CxParser *cx) {
  CxSpecs specs = {0};
  while (cx_at(cx, CX_TOK_LBRACKET) && cx_peek(cx, 1) == CX_TOK_LBRACKET &&
         cx_parse_attribute(cx, &specs)) {
  }
}

static CxStmt *parse_statement(CxParser *cx) {
  skip_attributes(cx);
  switch ((int)cx->kind) {
  case CX_TOK_SEMICOLON: return parse_empty(cx);
  case CX_TOK_LBRACE: return cx_parse_compound(cx);
  case CX_TOK_IF: return parse_if(cx);
  case CX_TOK_FOR:
  case CX_TOK_WHILE:
  case CX_TOK_DO: return cx_parse_loop(cx);
  case CX_TOK_SWITCH: return parse_switch(cx);
  case CX_TOK_CASE:
  case CX_TOK_DEFAULT: return parse_label(cx);
  case CX_TOK_GOTO: return parse_goto(cx);
  case CX_TOK_BREAK: return parse_word(cx, CX_STMT_BREAK, "'break'");
  case CX_TOK_CONTINUE: return parse_word(cx, CX_STMT_CONTINUE, "'continue'");
  case CX_TOK_RETURN: return parse_return(cx);
  case CX_TOK_ASM: return cx_parse_asm(cx);
  case CX_TOK_TRY: return parse_try(cx);
  case CX_TOK_PRAGMA: return parse_pragma(cx);
  default: break;
  }
  if (at_unroll_word(cx))
    return parse_pragma(cx);
  if (cx_at(cx, CX_TOK_IDENT) && cx_peek(cx, 1) == CX_TOK_COLON)
    return parse_label(cx);
  return cx_at_declaration(cx) ? parse_decl_statement(cx)
                               : parse_expr_statement(cx);
}

CxStmt *cx_parse_statement(CxParser *cx) {
  CxStmt *stmt = NULL;
  if (cx_enter(cx))
    stmt = parse_statement(cx);
  cx_leave(cx);
  if (stmt && !cx->is_panicking)
    return stmt;
  return cx_new_stmt(cx, CX_STMT_POISON, stmt ? stmt->span : cx_span(cx));
}
