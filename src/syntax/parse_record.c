// SPDX-License-Identifier: Apache-2.0
// struct, union, enum.
#include "syntax/parser.h"

static Decl *new_field(Parser *cx, Span begin, const DeclSpecs *specs) {
  Decl *field = new_decl(cx, DECL_FIELD, begin);
  field->type = specs->type;
  field->storage = specs->storage;
  field->aligns = specs->aligns;
  field->n_aligns = specs->n_aligns;
  return field;
}

// field: declarator (':' conditional)? | ':' conditional
static Decl *parse_field(Parser *cx, Span begin, const DeclSpecs *specs) {
  Decl *field = new_field(cx, begin, specs);
  if (!at(cx, TOK_COLON)) {
    Declarator declarator = parse_declarator(cx, specs->type, false);
    field->type = declarator.type;
    field->name = declarator.name;
    field->name_span = declarator.name_span;
  }
  if (accept(cx, TOK_COLON))
    field->u.field.bit_width = parse_conditional(cx);
  field->span = span_since(cx, begin);
  return field;
}

// fields: specifiers (field (',' field)*)? ';' | static-assert
static void parse_fields(Parser *cx, DeclVec *fields) {
  Span begin = cx->token.span;
  if (at(cx, TOK_STATIC_ASSERT) || at(cx, TOK_STATIC_ASSERT_C11)) {
    VEC_PUSH(cx->arena, fields, parse_static_assert(cx));
    return;
  }
  if (accept(cx, TOK_SEMICOLON))
    return;
  DeclSpecs specs = parse_specifiers(cx);
  if (at(cx, TOK_SEMICOLON)) {
    VEC_PUSH(cx->arena, fields, new_field(cx, begin, &specs));
  } else {
    do
      VEC_PUSH(cx->arena, fields, parse_field(cx, begin, &specs));
    while (accept(cx, TOK_COMMA));
  }
  expect_semicolon(cx, "a member");
}

static void parse_record_body(Parser *cx, TypeSyntax *type) {
  Token opener = cx->token;
  DeclVec fields = {0};
  uint32_t n_open = cx->n_open;
  parser_advance(cx);
  while (!at(cx, TOK_RBRACE) && !at(cx, TOK_PANIC) && !at_file_scope_word(cx)) {
    uint32_t begin = cx->real.span.begin;
    parse_fields(cx, &fields);
    if (at(cx, TOK_PANIC))
      recover_statement(cx, begin, n_open);
  }
  expect_close(cx, TOK_RBRACE, &opener);
  type->u.record.is_definition = true;
  type->u.record.fields = VEC_TO_LIST(DeclList, fields);
}

// record: ('struct' | 'union') name? ('{' fields* '}')?
TypeSyntax *parse_record(Parser *cx) {
  Span begin = cx->token.span;
  TypeSyntaxKind kind = at(cx, TOK_UNION) ? TYPE_UNION : TYPE_STRUCT;
  TypeSyntax *type = new_type(cx, kind, begin);
  parser_advance(cx);
  if (at(cx, TOK_IDENT))
    type->u.record.tag = expect_name(cx, "a name", &type->u.record.tag_span);
  if (at(cx, TOK_LBRACE)) {
    if (parser_enter(cx))
      parse_record_body(cx, type);
    parser_leave(cx);
  } else if (!type->u.record.tag) {
    parser_expected(cx, "a name or '{'");
  }
  type->span = span_since(cx, begin);
  return type;
}

// enumerator: name ('=' conditional)?
static Decl *parse_record_enumerator(Parser *cx) {
  Decl *decl = new_decl(cx, DECL_ENUMERATOR, cx->token.span);
  decl->name = expect_name(cx, "the name of a constant", &decl->name_span);
  scope_declare(cx, decl->name, false);
  if (accept(cx, TOK_EQ))
    decl->u.enumerator.value = parse_conditional(cx);
  decl->span = span_since(cx, decl->span);
  return decl;
}

// enumerators: '{' enumerator (',' enumerator)* ','? '}'
static void parse_record_enumerators(Parser *cx, TypeSyntax *type) {
  Token opener = cx->token;
  DeclVec decls = {0};
  parser_advance(cx);
  do
    VEC_PUSH(cx->arena, &decls, parse_record_enumerator(cx));
  while (accept(cx, TOK_COMMA) && !at(cx, TOK_RBRACE));
  expect_close(cx, TOK_RBRACE, &opener);
  type->u.enumeration.is_definition = true;
  type->u.enumeration.enumerators = VEC_TO_LIST(DeclList, decls);
}

// enum: 'enum' name? enumerators?
TypeSyntax *parse_enum(Parser *cx) {
  Span begin = cx->token.span;
  TypeSyntax *type = new_type(cx, TYPE_ENUM, begin);
  parser_advance(cx);
  if (at(cx, TOK_IDENT))
    type->u.enumeration.tag =
        expect_name(cx, "a name", &type->u.enumeration.tag_span);
  if (at(cx, TOK_LBRACE))
    parse_record_enumerators(cx, type);
  else if (!type->u.enumeration.tag)
    parser_expected(cx, "a name or '{'");
  type->span = span_since(cx, begin);
  return type;
}
