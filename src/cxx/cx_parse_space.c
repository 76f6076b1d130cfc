// SPDX-License-Identifier: Apache-2.0
// Namespaces, using, templates.
#include "cxx/cx_parser.h"

// --- Namespaces ------------------------------------------------------------

static CxDecl *parse_alias(CxParser *cx, Span begin, const char *name,
                           Span name_span) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_NAMESPACE_ALIAS, begin);
  CxSymbol symbol;
  decl->name = name;
  decl->name_span = name_span;
  decl->u.target = cx_parse_name(cx, false, &symbol);
  cx_scope_declare(cx, cx->scope, name, CX_NAME_SPACE, symbol.inside);
  decl->span = cx_since(cx, begin);
  cx_expect_semicolon(cx, "a namespace alias");
  return decl;
}

// The scope of a namespace, opened again or new.
static CxScope *open_space(CxParser *cx, CxDecl *decl) {
  CxScope *known = decl->name ? cx_scope_space(cx->scope, decl->name) : NULL;
  if (known)
    return known;
  CxScope *inside = cx_scope_new(cx, CX_SCOPE_NAMESPACE, cx->scope);
  cx_scope_declare(cx, cx->scope, decl->name, CX_NAME_SPACE, inside);
  if (decl->u.space.is_inline || decl->u.space.is_anonymous)
    cx_scope_include(cx, cx->scope, inside);
  return inside;
}

static void parse_space_body(CxParser *cx, CxDecl *decl) {
  CxDeclVec decls = {0};
  uint32_t opener = cx->pos;
  cx_advance(cx);
  while (!cx_at(cx, CX_TOK_RBRACE) && !cx_at(cx, CX_TOK_EOF) &&
         !cx->is_panicking)
    cx_parse_declaration(cx, &decls, NULL, CX_ACCESS_NONE);
  cx_expect_close(cx, CX_TOK_RBRACE, opener);
  decl->u.space.decls = CX_LIST(CxDeclList, decls);
}

// The `a` or `::a` of namespace a::b::c, with what it holds.
static CxDecl *parse_space_rest(CxParser *cx, Span begin, bool is_inline) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_NAMESPACE, begin);
  CxSpecs attributes = {0};
  decl->u.space.is_inline = is_inline;
  while (cx_parse_attribute(cx, &attributes)) {
  }
  if (cx_at(cx, CX_TOK_IDENT)) {
    decl->name = cx_token(cx)->u.name;
    decl->name_span = cx_span(cx);
    cx_advance(cx);
    if (cx_accept(cx, CX_TOK_EQ))
      return parse_alias(cx, begin, decl->name, decl->name_span);
    while (cx_parse_attribute(cx, &attributes)) {
    }
  }
  decl->u.space.is_anonymous = !decl->name;
  CxScope *scope = cx->scope;
  cx->scope = open_space(cx, decl);
  if (cx_accept(cx, CX_TOK_COLON_COLON) && cx_enter(cx)) {
    bool is_inner_inline = cx_accept(cx, CX_TOK_INLINE);
    CxDecl **inner = ARENA_NEW(cx->arena, CxDecl *);
    *inner = parse_space_rest(cx, begin, is_inner_inline);
    decl->u.space.decls = (CxDeclList){inner, 1};
    cx_leave(cx);
  } else if (cx_at(cx, CX_TOK_LBRACE)) {
    parse_space_body(cx, decl);
  } else {
    cx_expected(cx, "'{'");
  }
  cx->scope = scope;
  decl->span = cx_since(cx, begin);
  return decl;
}

// namespace: "inline"? "namespace" ident? ("::" ident)* "{" declaration* "}"
//          | "namespace" ident "=" name ";"
void cx_parse_namespace(CxParser *cx, CxDeclVec *out) {
  Span begin = cx_span(cx);
  bool is_inline = cx_accept(cx, CX_TOK_INLINE);
  cx_advance(cx);
  VEC_PUSH(cx->arena, out, parse_space_rest(cx, begin, is_inline));
}

// --- Using -----------------------------------------------------------------

static CxDecl *parse_directive(CxParser *cx, Span begin) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_USING_DIRECTIVE, begin);
  CxSymbol symbol;
  cx_advance(cx);
  decl->u.target = cx_parse_name(cx, false, &symbol);
  cx_scope_use(cx, cx->scope, symbol.inside);
  decl->span = cx_since(cx, begin);
  return decl;
}

// using A = T, the position is at A.
static CxDecl *parse_type_alias(CxParser *cx, Span begin) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_ALIAS, begin);
  CxSpecs attributes = {0};
  decl->name = cx_token(cx)->u.name;
  decl->name_span = cx_span(cx);
  decl->full = cx_simple_name(cx, decl->name, decl->name_span);
  cx_advance(cx);
  while (cx_parse_attribute(cx, &attributes)) {
  }
  cx_expect(cx, CX_TOK_EQ);
  decl->type = cx_parse_type_id(cx);
  decl->span = cx_since(cx, begin);
  while (cx_parse_attribute(cx, &attributes)) {
  }
  decl->attributes = attributes.attributes.data;
  decl->n_attributes = attributes.attributes.count;
  cx_declare(cx, decl);
  return decl;
}

static CxDecl *parse_using_name(CxParser *cx, Span begin) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_USING, begin);
  CxSymbol symbol;
  cx_accept(cx, CX_TOK_TYPENAME);
  const CxName *name = cx_parse_name(cx, false, &symbol);
  if (!name) {
    cx_expected(cx, "a name");
    return decl;
  }
  decl->u.target = name;
  decl->name = cx_last_part(name)->name;
  decl->name_span = name->span;
  cx_scope_declare(cx, cx->scope, decl->name, symbol.is, symbol.inside);
  cx_accept(cx, CX_TOK_ELLIPSIS);
  decl->span = cx_since(cx, begin);
  return decl;
}

// using: "using" ("namespace" name | ident "=" type-id
//                | "typename"? name ("," "typename"? name)*) ";"
void cx_parse_using(CxParser *cx, CxDeclVec *out) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  CxTokenKind next = cx_peek(cx, 1);
  bool is_alias = cx_at(cx, CX_TOK_IDENT) &&
                  (next == CX_TOK_EQ || next == CX_TOK_LBRACKET ||
                   next == CX_TOK_ATTRIBUTE);
  if (cx_at(cx, CX_TOK_NAMESPACE)) {
    VEC_PUSH(cx->arena, out, parse_directive(cx, begin));
  } else if (is_alias) {
    VEC_PUSH(cx->arena, out, parse_type_alias(cx, begin));
  } else {
    do
      VEC_PUSH(cx->arena, out, parse_using_name(cx, begin));
    while (cx_accept(cx, CX_TOK_COMMA));
  }
  cx_expect_semicolon(cx, "a using declaration");
}

// --- Templates -------------------------------------------------------------

static void set_param_name(CxParser *cx, CxDecl *decl, uint32_t is) {
  if (!cx_at(cx, CX_TOK_IDENT))
    return;
  decl->name = cx_token(cx)->u.name;
  decl->name_span = cx_span(cx);
  cx_advance(cx);
  cx_scope_declare(cx, cx->scope, decl->name, is | CX_NAME_DEPENDENT, NULL);
}

static void accept_pack(CxParser *cx, CxDecl *decl) {
  if (!cx_accept(cx, CX_TOK_ELLIPSIS))
    return;
  decl->u.template_param.is_pack = true;
}

// ("typename" | "class") "..."? ident? ("=" type-id)?
static void parse_type_param(CxParser *cx, CxDecl *decl) {
  cx_advance(cx);
  decl->u.template_param.is_type = true;
  accept_pack(cx, decl);
  set_param_name(cx, decl, CX_NAME_TYPE);
  if (cx_accept(cx, CX_TOK_EQ))
    decl->u.template_param.default_type = cx_parse_type_id(cx);
}

static void parse_value_param(CxParser *cx, CxDecl *decl) {
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  if (!specs.type) {
    cx_expected(cx, "a template parameter");
    return;
  }
  CxDeclarator declarator = cx_parse_declarator(cx, specs.type, &specs, true);
  decl->type = declarator.type;
  decl->u.template_param.is_pack = declarator.is_pack;
  if (declarator.name) {
    decl->name = cx_last_part(declarator.name)->name;
    decl->name_span = declarator.name->span;
    cx_scope_declare(cx, cx->scope, decl->name, CX_NAME_VALUE, NULL);
  }
  if (cx_accept(cx, CX_TOK_EQ)) {
    cx->no_gt = true;
    decl->u.template_param.default_value = cx_parse_conditional(cx);
    cx->no_gt = false;
  }
}

// "template" "<" … ">" "class" ident?
static void parse_template_param_template(CxParser *cx, CxDecl *decl) {
  uint32_t end;
  decl->u.template_param.is_type = true;
  decl->u.template_param.is_template = true;
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LT) && cx_looks_like_args(cx, cx->pos, &end))
    cx_go_to(cx, end);
  if (!cx_accept(cx, CX_TOK_CLASS) && !cx_accept(cx, CX_TOK_TYPENAME))
    cx_expected(cx, "'class'");
  accept_pack(cx, decl);
  set_param_name(cx, decl, CX_NAME_TYPE | CX_NAME_TEMPLATE);
  if (cx_accept(cx, CX_TOK_EQ))
    decl->u.template_param.default_type = cx_parse_type_id(cx);
}

// typename T::x is a value's type: typename U T is none.
static bool at_type_param(const CxParser *cx) {
  if (cx_at(cx, CX_TOK_CLASS))
    return true;
  if (!cx_at(cx, CX_TOK_TYPENAME))
    return false;
  return cx_peek(cx, 1) != CX_TOK_COLON_COLON &&
         cx_peek(cx, 2) != CX_TOK_COLON_COLON && cx_peek(cx, 2) != CX_TOK_LT;
}

static CxDecl *parse_template_param(CxParser *cx) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_TEMPLATE_PARAM, cx_span(cx));
  if (at_type_param(cx))
    parse_type_param(cx, decl);
  else if (cx_at(cx, CX_TOK_TEMPLATE))
    parse_template_param_template(cx, decl);
  else
    parse_value_param(cx, decl);
  decl->span = cx_since(cx, decl->span);
  return decl;
}

// template-params: "<" (template-param ("," template-param)*)? ">"
static CxTemplate parse_params(CxParser *cx, Span begin) {
  CxTemplate out = {0};
  CxDeclVec params = {0};
  uint32_t opener = cx->pos;
  cx_advance(cx);
  while (!cx_at(cx, CX_TOK_GT) && !cx->is_panicking) {
    VEC_PUSH(cx->arena, &params, parse_template_param(cx));
    if (!cx_accept(cx, CX_TOK_COMMA))
      break;
  }
  cx_expect_close(cx, CX_TOK_GT, opener);
  out.params = CX_LIST(CxDeclList, params);
  out.span = cx_since(cx, begin);
  return out;
}

static void add_templates(CxDecl *decl, CxTemplate *headers, uint32_t count) {
  if (decl->kind == CX_DECL_FRIEND)
    decl = decl->u.inner;
  decl->templates = headers;
  decl->n_templates = count;
}

// template void f<int>(int); the position is behind `template`.
static void parse_instantiation(CxParser *cx, CxDeclVec *out, Span begin) {
  uint32_t from = out->count;
  cx_parse_declaration(cx, out, NULL, CX_ACCESS_NONE);
  for (uint32_t i = from; i < out->count; i++) {
    CxDecl *decl = cx_new_decl(cx, CX_DECL_INSTANTIATION, begin);
    decl->u.inner = out->data[i];
    decl->name = out->data[i]->name;
    decl->span = cx_since(cx, begin);
    out->data[i] = decl;
  }
}

// template: ("template" template-params)+ declaration
//         | "template" declaration
void cx_parse_template(CxParser *cx, CxDeclVec *out, CxDecl *record,
                       CxAccess access) {
  hd_vec(CxTemplate) headers = {0};
  CxScope *scope = cx->scope;
  Span begin = cx_span(cx);
  while (cx_at(cx, CX_TOK_TEMPLATE) && !cx->is_panicking) {
    Span here = cx_span(cx);
    cx_advance(cx);
    if (!cx_at(cx, CX_TOK_LT)) {
      parse_instantiation(cx, out, begin);
      return;
    }
    cx->scope = cx_scope_new(cx, CX_SCOPE_TEMPLATE, cx->scope);
    CxTemplate header = parse_params(cx, here);
    VEC_PUSH(cx->arena, &headers, header);
  }
  uint32_t from = out->count;
  if (!cx->is_panicking)
    cx_parse_declaration(cx, out, record, access);
  cx->scope = scope;
  for (uint32_t i = from; i < out->count; i++) {
    out->data[i]->span.begin = begin.begin;
    if (out->data[i]->kind != CX_DECL_UNKNOWN)
      add_templates(out->data[i], headers.data, headers.count);
  }
}
