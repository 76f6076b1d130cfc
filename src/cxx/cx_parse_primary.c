// SPDX-License-Identifier: Apache-2.0
// Names, constructions, named casts, parentheses.
#include "cxx/cx_parser.h"

#include <string.h>

// --- Named casts -----------------------------------------------------------

// named-cast: "static_cast" "<" type-id ">" "(" expr ")", and its kin
static CxExpr *parse_named_cast(CxParser *cx, CxCastKind kind) {
  Span begin = cx_span(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_CAST, begin);
  bool no_gt = cx->no_gt;
  cx_advance(cx);
  uint32_t opener = cx->pos;
  expr->u.cast.kind = kind;
  cx_expect(cx, CX_TOK_LT);
  cx->no_gt = true;
  expr->u.cast.type = cx_parse_type_id(cx);
  cx_expect_close(cx, CX_TOK_GT, opener);
  opener = cx->pos;
  cx_expect(cx, CX_TOK_LPAREN);
  cx->no_gt = false;
  expr->u.cast.operand = cx_parse_expr(cx);
  cx->no_gt = no_gt;
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  expr->span = cx_since(cx, begin);
  if (kind == CX_CAST_DYNAMIC && !cx->is_panicking)
    return cx_unsupported_expr(cx, begin, "'dynamic_cast'");
  return cx_finish(cx, expr, expr->u.cast.operand, NULL);
}

// --- Constructions ---------------------------------------------------------

static bool has_designators(const CxExpr *list) {
  for (uint32_t i = 0; i < list->u.init_list.n_items; i++)
    if (list->u.init_list.items[i].field)
      return true;
  return false;
}

// The items of {…} as arguments, or the list itself if it has designators.
static CxExprList braced_args(CxParser *cx, CxExpr *list) {
  uint32_t n = list->u.init_list.n_items;
  bool is_whole = has_designators(list);
  CxExpr **args = ARENA_ARRAY(cx->arena, CxExpr *, is_whole ? 1 : n);
  if (is_whole)
    args[0] = list;
  for (uint32_t i = 0; i < n && !is_whole; i++)
    args[i] = list->u.init_list.items[i].value;
  return (CxExprList){args, is_whole ? 1 : n};
}

// construct: type (arguments | init-list); the position is behind the type.
static CxExpr *parse_construct(CxParser *cx, CxType *type) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_CONSTRUCT, type->span);
  expr->u.construct.type = type;
  if (cx_at(cx, CX_TOK_LBRACE)) {
    CxExpr *list = cx_parse_init_list(cx);
    expr->u.construct.is_braced = true;
    expr->u.construct.args = braced_args(cx, list);
    cx_finish(cx, expr, list, NULL);
  } else if (cx_at(cx, CX_TOK_LPAREN)) {
    expr->u.construct.args = cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
  } else {
    cx_expected(cx, "'(' after a type");
  }
  expr->span = cx_since(cx, type->span);
  for (uint32_t i = 0; i < expr->u.construct.args.count; i++)
    cx_finish(cx, expr, expr->u.construct.args.data[i], NULL);
  return expr;
}

static CxExpr *type_expr(CxParser *cx, CxType *type) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_TYPE, type->span);
  expr->u.type = type;
  return expr;
}

// A type word, typename or decltype where an expression is needed.
static CxExpr *parse_word_construct(CxParser *cx) {
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  if (!specs.type) {
    cx_expected(cx, "an expression");
    return cx_new_expr(cx, CX_EXPR_POISON, cx_span(cx));
  }
  const CxName *name =
      specs.type->kind == CX_TYPE_NAMED ? specs.type->u.named.name : NULL;
  if (name && name->parts[0].kind == CX_PART_TYPE &&
      !cx_at(cx, CX_TOK_LBRACE)) { // decltype(x)::value
    CxExpr *expr = cx_new_expr(cx, CX_EXPR_NAME, name->span);
    expr->u.name = name;
    return expr;
  }
  return parse_construct(cx, specs.type);
}

// --- Names -----------------------------------------------------------------

static CxExpr *parse_name_expr(CxParser *cx) {
  Span begin = cx_span(cx);
  CxSymbol symbol;
  const CxName *name = cx_parse_name(cx, false, &symbol);
  if (!name)
    return cx_new_expr(cx, CX_EXPR_POISON, begin);
  bool is_type = cx_is_type_symbol(symbol);
  bool is_unknown = !symbol.is || (symbol.is & CX_NAME_DEPENDENT);
  bool is_construct = (is_type && cx_at(cx, CX_TOK_LPAREN)) ||
                      ((is_type || is_unknown) && cx_at(cx, CX_TOK_LBRACE) &&
                       cx_last_part(name)->kind == CX_PART_IDENT);
  if (!is_construct && !is_type) {
    CxExpr *expr = cx_new_expr(cx, CX_EXPR_NAME, name->span);
    expr->u.name = name;
    return expr;
  }
  CxType *type = cx_new_type(cx, CX_TYPE_NAMED, name->span);
  type->u.named.name = name;
  return is_construct ? parse_construct(cx, type) : type_expr(cx, type);
}

// --- Parentheses -----------------------------------------------------------

// parentheses: "(" expr ")"
static CxExpr *parse_parens(CxParser *cx) {
  uint32_t opener = cx->pos;
  if (cx_peek(cx, 1) == CX_TOK_LBRACE)
    return cx_parse_statement_expr(cx);
  if (cx->has_ellipsis && cx_at_fold(cx))
    return cx_parse_fold(cx);
  bool no_gt = cx->no_gt;
  cx_advance(cx);
  cx->no_gt = false;
  CxExpr *expr = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  cx->no_gt = no_gt;
  expr->has_parens = true;
  return expr;
}

// --- The rest --------------------------------------------------------------

// offsetof: "__builtin_offsetof" "(" type-id "," ident ("." ident | "[" e "]")*
//           ")"
static CxExpr *parse_offsetof(CxParser *cx) {
  Span begin = cx_span(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_OFFSETOF, begin);
  hd_vec(CxInitItem) path = {0};
  cx_advance(cx);
  uint32_t opener = cx->pos;
  cx_expect(cx, CX_TOK_LPAREN);
  expr->u.offset_of.type = cx_parse_type_id(cx);
  cx_expect(cx, CX_TOK_COMMA);
  do {
    CxInitItem item = {.span = cx_span(cx)};
    if (cx_at(cx, CX_TOK_IDENT)) {
      item.field = cx_token(cx)->u.name;
      cx_advance(cx);
    } else if (cx_accept(cx, CX_TOK_LBRACKET)) {
      item.index = cx_parse_expr(cx);
      cx_expect(cx, CX_TOK_RBRACKET);
    } else {
      cx_expected(cx, "the name of a member");
    }
    VEC_PUSH(cx->arena, &path, item);
  } while (cx_accept(cx, CX_TOK_DOT) || cx_at(cx, CX_TOK_LBRACKET));
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  expr->u.offset_of.path = path.data;
  expr->u.offset_of.n_path = path.count;
  expr->span = cx_since(cx, begin);
  return expr;
}

static CxExpr *parse_word_skipped(CxParser *cx, const char *what) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LPAREN))
    cx_skip_brackets(cx);
  return cx_unsupported_expr(cx, begin, what);
}

static bool is_group(CxTokenKind kind) {
  return kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACE;
}

static CxExpr *parse_coroutine(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  while (!cx_at(cx, CX_TOK_SEMICOLON) && !cx_at(cx, CX_TOK_EOF) &&
         !cx_at(cx, CX_TOK_RPAREN) && !cx_at(cx, CX_TOK_RBRACE)) {
    if (is_group(cx->kind))
      cx_skip_brackets(cx);
    else
      cx_advance(cx);
  }
  return cx_unsupported_expr(cx, begin, "coroutines");
}

// requires (T x) { … }
static CxExpr *parse_requires(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  while (is_group(cx->kind))
    cx_skip_brackets(cx);
  return cx_unsupported_expr(cx, begin, "concepts and constraints");
}

static bool at_requires(CxParser *cx) {
  return cx_at(cx, CX_TOK_IDENT) &&
         strcmp(cx_token(cx)->u.name, "requires") == 0 &&
         is_group(cx_peek(cx, 1));
}

static CxExpr *parse_constant(CxParser *cx, CxExprKind kind, bool value) {
  CxExpr *expr = cx_new_expr(cx, kind, cx_span(cx));
  if (kind == CX_EXPR_BOOL)
    expr->u.bool_value = value;
  cx_advance(cx);
  return expr;
}

// primary: literal | name | construct | parentheses | lambda | named-cast | …
CxExpr *cx_parse_primary(CxParser *cx) {
  switch ((int)cx->kind) {
  case CX_TOK_NUMBER: return cx_parse_number(cx);
  case CX_TOK_CHAR: return cx_parse_char(cx);
  case CX_TOK_STRING: return cx_parse_string(cx);
  case CX_TOK_TRUE: return parse_constant(cx, CX_EXPR_BOOL, true);
  case CX_TOK_FALSE: return parse_constant(cx, CX_EXPR_BOOL, false);
  case CX_TOK_NULLPTR: return parse_constant(cx, CX_EXPR_NULLPTR, false);
  case CX_TOK_THIS: return parse_constant(cx, CX_EXPR_THIS, false);
  case CX_TOK_LPAREN: return parse_parens(cx);
  case CX_TOK_LBRACKET: return cx_parse_lambda(cx);
  case CX_TOK_STATIC_CAST: return parse_named_cast(cx, CX_CAST_STATIC);
  case CX_TOK_CONST_CAST: return parse_named_cast(cx, CX_CAST_CONST);
  case CX_TOK_DYNAMIC_CAST: return parse_named_cast(cx, CX_CAST_DYNAMIC);
  case CX_TOK_REINTERPRET_CAST:
    return parse_named_cast(cx, CX_CAST_REINTERPRET);
  case CX_TOK_OFFSETOF: return parse_offsetof(cx);
  case CX_TOK_TYPEID: return parse_word_skipped(cx, "'typeid'");
  case CX_TOK_NOEXCEPT: return parse_word_skipped(cx, "'noexcept(…)'");
  case CX_TOK_IDENT:
  case CX_TOK_COLON_COLON:
  case CX_TOK_OPERATOR:
    if (cx_at_coroutine(cx))
      return parse_coroutine(cx);
    if (at_requires(cx))
      return parse_requires(cx);
    if (cx_at_name_start(cx))
      return parse_name_expr(cx);
    break;
  default:
    if (cx_at_type_word(cx))
      return parse_word_construct(cx);
  }
  cx_expected(cx, "an expression");
  return cx_new_expr(cx, CX_EXPR_POISON, cx_span(cx));
}
