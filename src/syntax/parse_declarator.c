// SPDX-License-Identifier: Apache-2.0
// Declarators: the part of a declaration around its name.
//
// C writes them inside out: in `int (*p)[3]` the pointer comes first, then the
// array, then int. So the parts are listed from the name outwards and the type
// is built from the end of that list.
#include "syntax/parser.h"

typedef hd_vec(TypeSyntax *) Parts;

typedef struct {
  Parts parts;
  const char *name;
  Span name_span;
} Shape;

static void parse_shape(Parser *cx, Shape *shape, bool may_be_abstract);

// pointer: '*' qualifier*
static void parse_pointers(Parser *cx, Parts *pointers) {
  while (at(cx, TOK_STAR)) {
    TypeSyntax *pointer = new_type(cx, TYPE_POINTER, cx->token.span);
    parser_advance(cx);
    pointer->quals = parse_qualifiers(cx);
    VEC_PUSH(cx->arena, pointers, pointer);
    if (pointers->count <= SYNTAX_MAX_NESTING)
      continue;
    if (!parser_is_reported(cx))
      DIAG_REPORT(cx->diags, DIAG_too_nested, parser_place(cx, cx->token.span),
                  DU(SYNTAX_MAX_NESTING));
    parser_panic(cx);
  }
}

// Whether `(` here opens the parameters of a function, not a declarator.
static bool opens_parameters(Parser *cx) {
  TokenKind next = parser_peek(cx, 1)->kind;
  if (next == TOK_RPAREN || next == TOK_ELLIPSIS || next == TOK_CONSTEXPR)
    return true;
  if (next == TOK_STAR || next == TOK_LPAREN || next == TOK_LBRACKET)
    return false;
  return next != TOK_IDENT || is_type_start(cx, 1);
}

// array: '[' ('static' | qualifier)* ('*' | assignment)? ']'
static TypeSyntax *parse_declarator_array(Parser *cx) {
  Token opener = cx->token;
  TypeSyntax *type = new_type(cx, TYPE_ARRAY, opener.span);
  parser_advance(cx);
  type->u.array.quals = parse_qualifiers(cx);
  type->u.array.has_static = accept(cx, TOK_STATIC);
  type->u.array.quals |= parse_qualifiers(cx);
  if (at(cx, TOK_STAR) && parser_peek(cx, 1)->kind == TOK_RBRACKET) {
    type->u.array.is_star = true;
    parser_advance(cx);
  } else if (!at(cx, TOK_RBRACKET)) {
    type->u.array.extent = parse_assignment(cx);
  }
  expect_close(cx, TOK_RBRACKET, &opener);
  type->span = type->u.array.brackets = span_since(cx, opener.span);
  return type;
}

// function: '(' parameters ')'
static TypeSyntax *parse_function_part(Parser *cx) {
  Span begin = cx->token.span;
  TypeSyntax *type = new_type(cx, TYPE_FUNCTION, begin);
  type->u.function.params = parse_parameters(cx, &type->u.function.is_variadic,
                                             &type->u.function.has_prototype);
  type->span = type->u.function.parens = span_since(cx, begin);
  return type;
}

// direct: name | '(' declarator ')'
static void parse_direct(Parser *cx, Shape *shape, bool may_be_abstract) {
  if (at(cx, TOK_IDENT)) {
    shape->name = expect_name(cx, "a name", &shape->name_span);
  } else if (at(cx, TOK_LPAREN) && !(may_be_abstract && opens_parameters(cx))) {
    Token opener = cx->token;
    parser_advance(cx);
    parse_shape(cx, shape, may_be_abstract);
    expect_close(cx, TOK_RPAREN, &opener);
  } else if (!may_be_abstract) {
    shape->name = expect_name(cx, "a name", &shape->name_span);
  }
}

// declarator: pointer* direct (array | function)*
static void parse_shape(Parser *cx, Shape *shape, bool may_be_abstract) {
  Parts pointers = {0};
  if (!parser_enter(cx)) {
    parser_leave(cx);
    return;
  }
  parse_pointers(cx, &pointers);
  parse_direct(cx, shape, may_be_abstract);
  while (at(cx, TOK_LBRACKET) || at(cx, TOK_LPAREN))
    VEC_PUSH(cx->arena, &shape->parts,
             at(cx, TOK_LBRACKET) ? parse_declarator_array(cx)
                                  : parse_function_part(cx));
  for (uint32_t i = pointers.count; i > 0; i--)
    VEC_PUSH(cx->arena, &shape->parts, pointers.data[i - 1]);
  parser_leave(cx);
}

// Puts `inner` inside the part; false beyond the limit of depth.
static bool syntax_parse_declarator_wrap(TypeSyntax *part, TypeSyntax *inner) {
  if (part->kind == TYPE_POINTER)
    part->u.pointer.pointee = inner;
  else if (part->kind == TYPE_ARRAY)
    part->u.array.element = inner;
  else
    part->u.function.result = inner;
  uint32_t depth = inner->depth + 1u;
  if (depth > part->depth)
    part->depth = (uint16_t)depth;
  return depth <= SYNTAX_MAX_NESTING;
}

Declarator parse_declarator(Parser *cx, TypeSyntax *base,
                            bool may_be_abstract) {
  Shape shape = {0};
  Span begin = cx->real.span;
  parse_shape(cx, &shape, may_be_abstract);
  Declarator out = {
      .type = base, .name = shape.name, .name_span = shape.name_span};
  for (uint32_t i = shape.parts.count; i > 0; i--) {
    TypeSyntax *part = shape.parts.data[i - 1];
    if (!syntax_parse_declarator_wrap(part, out.type)) {
      if (!parser_is_reported(cx))
        DIAG_REPORT(cx->diags, DIAG_too_nested, parser_place(cx, begin),
                    DU(SYNTAX_MAX_NESTING));
      out.type = new_type(cx, TYPE_POISON, begin);
      parser_panic(cx);
      return out;
    }
    out.type = part;
  }
  if (shape.parts.count > 0 && shape.parts.data[0]->kind == TYPE_FUNCTION)
    out.function = shape.parts.data[0];
  return out;
}

// --- Parameters ------------------------------------------------------------

// Whether `type NAME` after constexpr stands here.
static bool at_type_parameter(Parser *cx) {
  return at(cx, TOK_CONSTEXPR) && parser_peek(cx, 1)->kind == TOK_IDENT &&
         parser_peek(cx, 1)->name == cx->words.type &&
         parser_peek(cx, 2)->kind == TOK_IDENT;
}

// type-parameter: 'constexpr' 'type' name ('=' type-name)?
static Decl *parse_type_parameter(Parser *cx) {
  Span begin = cx->token.span;
  Decl *param = new_decl(cx, DECL_PARAM, begin);
  parser_advance(cx);
  parser_advance(cx);
  param->storage = STORAGE_CONSTEXPR;
  param->u.param.is_type = true;
  param->name = expect_name(cx, "a name", &param->name_span);
  scope_declare(cx, param->name, true);
  if (accept(cx, TOK_EQ))
    param->u.param.default_type = parse_type_name(cx);
  param->span = span_since(cx, begin);
  return param;
}

// stride: 'stride' arguments
static void parse_stride(Parser *cx, Decl *param) {
  if (!at_word(cx, cx->words.stride) || parser_peek(cx, 1)->kind != TOK_LPAREN)
    return;
  Span begin = cx->token.span;
  Span parens;
  parser_advance(cx);
  param->u.param.has_strides = true;
  param->u.param.strides = parse_arguments(cx, &parens);
  param->u.param.stride_span = span_since(cx, begin);
}

// parameter: type-parameter
//          | specifiers declarator? stride? ('=' initializer)?
static Decl *parse_parameter(Parser *cx) {
  if (at_type_parameter(cx))
    return parse_type_parameter(cx);
  Span begin = cx->real.span;
  DeclSpecs specs = parse_specifiers(cx);
  Decl *param = new_decl(cx, DECL_PARAM, begin);
  Declarator declarator = parse_declarator(cx, specs.type, true);
  param->type = declarator.type;
  param->name = declarator.name;
  param->name_span = declarator.name_span;
  param->storage = specs.storage;
  param->aligns = specs.aligns;
  param->n_aligns = specs.n_aligns;
  scope_declare(cx, param->name, false);
  parse_stride(cx, param);
  if (accept(cx, TOK_EQ))
    param->u.param.init = parse_initializer(cx);
  param->span = span_since(cx, begin);
  if (specs.type->kind == TYPE_POISON && !at(cx, TOK_COMMA) &&
      !at(cx, TOK_RPAREN))
    parser_panic(cx); // what follows an unknown type belongs to that mistake
  return param;
}

// `;` between parameters, as between variables.
static bool accept_semicolon(Parser *cx) {
  if (!at(cx, TOK_SEMICOLON) || !is_type_start(cx, 1))
    return false;
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_expected, parser_place(cx, cx->token.span),
                DS("',' between parameters"), DS("';'"));
  parser_advance(cx);
  return true;
}

// At the end of one parameter: whether another follows. An error inside is
// left behind.
static bool next_parameter(Parser *cx, uint32_t n_open) {
  if (accept_semicolon(cx))
    return true;
  if (!at(cx, TOK_PANIC) && !at(cx, TOK_COMMA) && !at(cx, TOK_RPAREN))
    parser_expected(cx, "',' or ')' after a parameter");
  if (at(cx, TOK_PANIC) && !recover_list(cx, TOK_RPAREN, n_open))
    return false;
  return accept(cx, TOK_COMMA);
}

static void parse_parameter_list(Parser *cx, DeclVec *params,
                                 bool *is_variadic) {
  uint32_t n_open = cx->n_open;
  do {
    if (accept(cx, TOK_ELLIPSIS)) {
      *is_variadic = true;
      return;
    }
    VEC_PUSH(cx->arena, params, parse_parameter(cx));
  } while (next_parameter(cx, n_open));
}

// parameters: '(' ('void' | parameter (',' parameter)* (',' '...')?)? ')'
// Names of parameters hide types up to the `)`; a body declares them again.
DeclList parse_parameters(Parser *cx, bool *is_variadic, bool *has_prototype) {
  Token opener = cx->token;
  DeclVec params = {0};
  uint32_t mark = scope_open(cx);
  parser_enter(cx);
  expect(cx, TOK_LPAREN);
  bool is_void = at(cx, TOK_VOID) && parser_peek(cx, 1)->kind == TOK_RPAREN;
  *has_prototype = is_void || !at(cx, TOK_RPAREN);
  if (is_void)
    parser_advance(cx);
  else if (!at(cx, TOK_RPAREN))
    parse_parameter_list(cx, &params, is_variadic);
  expect_close(cx, TOK_RPAREN, &opener);
  parser_leave(cx);
  scope_close(cx, mark);
  return VEC_TO_LIST(DeclList, params);
}
