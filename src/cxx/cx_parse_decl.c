// SPDX-License-Identifier: Apache-2.0
// Declarations of objects and functions.
#include "cxx/cx_parser.h"

// --- Objects ---------------------------------------------------------------

// initializer: "=" init-clause | "(" arguments ")" | init-list
void cx_parse_initializer(CxParser *cx, CxDecl *decl) {
  if (cx_accept(cx, CX_TOK_EQ)) {
    decl->u.var.init_kind = CX_INIT_EQUAL;
    decl->u.var.init = cx_parse_init_clause(cx);
  } else if (cx_at(cx, CX_TOK_LPAREN)) {
    decl->u.var.init_kind = CX_INIT_PAREN;
    CxExprList args = cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
    bool is_one = args.count == 1 && args.data[0]->kind != CX_EXPR_EXPANSION;
    decl->u.var.args = args;
    decl->u.var.init = is_one ? args.data[0] : NULL;
  } else if (cx_at(cx, CX_TOK_LBRACE)) {
    decl->u.var.init_kind = CX_INIT_BRACE;
    decl->u.var.init = cx_parse_init_list(cx);
  }
}

static void parse_bit_width(CxParser *cx, CxDecl *decl) {
  Span begin = cx_span(cx);
  if (!cx_accept(cx, CX_TOK_COLON))
    return;
  decl->u.var.bit_width = cx_parse_conditional(cx);
  cx_note_unsupported(decl, "bit-fields", cx_since(cx, begin));
}

// --- Declarators -----------------------------------------------------------

static CxDeclKind parse_decl_kind_of(const CxParser *cx, const CxSpecs *specs,
                                     const CxType *type) {
  bool is_template;
  if (specs->specs & CX_SPEC_TYPEDEF)
    return CX_DECL_ALIAS;
  if (type->kind == CX_TYPE_FUNCTION)
    return CX_DECL_FUNCTION;
  bool is_member = cx_target_scope(cx, &is_template)->kind == CX_SCOPE_RECORD;
  return is_member && !(specs->specs & CX_SPEC_STATIC) ? CX_DECL_FIELD
                                                       : CX_DECL_VAR;
}

static CxFunctionKind function_kind(const CxSpecs *specs,
                                    const CxDeclarator *declarator) {
  if (!declarator->name)
    return CX_FUNCTION_ORDINARY;
  switch (cx_last_part(declarator->name)->kind) {
  case CX_PART_DESTRUCTOR: return CX_FUNCTION_DESTRUCTOR;
  case CX_PART_CONVERSION: return CX_FUNCTION_CONVERSION;
  case CX_PART_IDENT:
    return specs->type ? CX_FUNCTION_ORDINARY : CX_FUNCTION_CONSTRUCTOR;
  case CX_PART_OPERATOR:
  case CX_PART_TYPE:
  case CX_PART_LITERAL_OPERATOR: break;
  }
  return CX_FUNCTION_ORDINARY;
}

static void finish_function(CxDecl *decl, const CxSpecs *specs,
                            const CxDeclarator *declarator, CxParser *cx) {
  decl->u.function.kind = function_kind(specs, declarator);
  decl->u.function.launch_bounds = specs->launch_bounds;
  decl->u.function.cluster_dims = specs->cluster_dims;
  decl->u.function.inside = declarator->inside ? declarator->inside : cx->scope;
  if (decl->u.function.kind == CX_FUNCTION_CONVERSION)
    decl->type->u.function.result = cx_last_part(declarator->name)->conversion;
  if (decl->specs & CX_SPEC_VIRTUAL)
    cx_note_unsupported(decl, "virtual functions", specs->span);
  for (uint32_t i = 0; i < decl->type->u.function.params.count; i++) {
    const CxDecl *param = decl->type->u.function.params.data[i];
    if (param->unsupported)
      cx_note_unsupported(decl, param->unsupported, param->unsupported_span);
  }
}

static CxDecl *parse_decl_make(CxParser *cx, const CxSpecs *specs,
                               const CxDeclarator *declarator) {
  CxDeclKind kind = parse_decl_kind_of(cx, specs, declarator->type);
  CxDecl *decl = cx_new_decl(cx, kind, specs->span);
  decl->type = declarator->type;
  decl->full = declarator->name;
  if (declarator->name) {
    decl->name = cx_last_part(declarator->name)->name;
    decl->name_span = declarator->name->span;
  }
  decl->specs = specs->specs | (cx->extern_c ? CX_SPEC_EXTERN_C : 0);
  decl->attributes = specs->attributes.data;
  decl->n_attributes = specs->attributes.count;
  decl->align = specs->align;
  decl->align_type = specs->align_type;
  if (specs->unsupported)
    cx_note_unsupported(decl, specs->unsupported, specs->unsupported_span);
  if (kind == CX_DECL_FUNCTION)
    finish_function(decl, specs, declarator, cx);
  return decl;
}

// auto [a, b] = e, auto &[a, b] = e: the position is at `[`.
static CxDecl *parse_binding(CxParser *cx, const CxSpecs *specs) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_BINDING, specs->span);
  hd_vec(const char *) names = {0};
  uint32_t opener = cx->pos;
  cx_advance(cx);
  while (cx_at(cx, CX_TOK_IDENT)) {
    const char *name = cx_token(cx)->u.name;
    VEC_PUSH(cx->arena, &names, name);
    cx_scope_declare(cx, cx->scope, name, CX_NAME_VALUE, NULL);
    cx_advance(cx);
    if (!cx_accept(cx, CX_TOK_COMMA))
      break;
  }
  cx_expect_close(cx, CX_TOK_RBRACKET, opener);
  decl->type = specs->type;
  decl->u.binding.names = names.data;
  decl->u.binding.n_names = names.count;
  if (cx_accept(cx, CX_TOK_EQ))
    decl->u.binding.init = cx_parse_init_clause(cx);
  else if (cx_at(cx, CX_TOK_LBRACE) || cx_at(cx, CX_TOK_LPAREN))
    decl->u.binding.init = cx_parse_primary(cx);
  decl->span = cx_since(cx, specs->span);
  cx_note_unsupported(decl, "structured bindings", decl->span);
  return decl;
}

static bool at_binding(const CxParser *cx, const CxSpecs *specs) {
  if (!specs->type || specs->type->kind != CX_TYPE_AUTO)
    return false;
  bool has_sign = cx_at(cx, CX_TOK_AMP) || cx_at(cx, CX_TOK_AMP_AMP);
  return cx_peek(cx, has_sign) == CX_TOK_LBRACKET &&
         cx_peek(cx, has_sign + 1u) == CX_TOK_IDENT;
}

static CxDecl *parse_one_binding(CxParser *cx, const CxSpecs *specs) {
  CxSpecs own = *specs;
  own.type = cx_parse_pointers(cx, specs->type, &own); // & or &&
  return parse_binding(cx, &own);
}

// One declarator with what follows it. True: it was a function with a body.
static bool parse_declared(CxParser *cx, const CxSpecs *shared,
                           CxDeclVec *out) {
  CxSpecs specs = *shared;
  specs.attributes.capacity = specs.attributes.count; // grow apart
  bool is_special = !shared->type;
  bool is_field = cx->scope->kind == CX_SCOPE_RECORD;
  CxType *base =
      is_special ? cx_new_type(cx, CX_TYPE_AUTO, cx_span(cx)) : shared->type;
  bool is_unnamed_bits = is_field && cx_at(cx, CX_TOK_COLON);
  CxDeclarator declarator = {.type = base};
  if (!is_unnamed_bits)
    declarator = cx_parse_declarator(cx, base, &specs, false);
  if (cx->is_panicking)
    return false;
  if (is_special && declarator.type->kind != CX_TYPE_FUNCTION) {
    cx_expected(cx, "a type in this declaration");
    return false;
  }
  CxDecl *decl = parse_decl_make(cx, &specs, &declarator);
  cx_declare(cx, decl);
  bool names_class = decl->kind == CX_DECL_ALIAS && shared->definition &&
                     !shared->definition->alias && decl->type == shared->type;
  if (names_class)
    shared->definition->alias = decl->name;
  bool has_body = false;
  if (decl->kind == CX_DECL_FUNCTION)
    has_body = cx_parse_function_rest(cx, decl);
  else if (is_field && cx_at(cx, CX_TOK_COLON))
    parse_bit_width(cx, decl);
  if (decl->kind == CX_DECL_VAR || decl->kind == CX_DECL_FIELD)
    cx_parse_initializer(cx, decl);
  decl->span = cx_since(cx, shared->span);
  VEC_PUSH(cx->arena, out, decl);
  return has_body;
}

// declarators: declared ("," declared)*
void cx_parse_declarators(CxParser *cx, CxSpecs *specs, CxDeclVec *out) {
  do {
    if (at_binding(cx, specs))
      VEC_PUSH(cx->arena, out, parse_one_binding(cx, specs));
    else
      parse_declared(cx, specs, out);
  } while (cx_accept(cx, CX_TOK_COMMA));
}

// --- Simple declarations ---------------------------------------------------

static bool is_anonymous_record(const CxSpecs *specs) {
  return specs->definition && !specs->definition->name &&
         specs->definition->kind == CX_DECL_RECORD;
}

// struct S {…}; and the like: the definition is the declaration. An anonymous
// one among members is a field, an anonymous union in a block a variable.
static void push_definition(CxParser *cx, const CxSpecs *specs,
                            CxDeclVec *out) {
  CxDecl *decl = specs->definition;
  if (!decl)
    return;
  bool is_field = is_anonymous_record(specs) &&
                  cx->scope->kind == CX_SCOPE_RECORD &&
                  cx_at(cx, CX_TOK_SEMICOLON);
  bool is_variable =
      is_anonymous_record(specs) && cx->scope->kind == CX_SCOPE_BLOCK &&
      decl->u.record.tag == CX_TAG_UNION && cx_at(cx, CX_TOK_SEMICOLON);
  if (is_field || is_variable) {
    CxDecl *field =
        cx_new_decl(cx, is_field ? CX_DECL_FIELD : CX_DECL_VAR, decl->span);
    field->type = specs->type;
    cx_scope_include(cx, cx->scope, decl->u.record.inside);
    decl = field;
  }
  decl->specs |= specs->specs;
  VEC_PUSH(cx->arena, out, decl);
}

static void wrap_friends(CxParser *cx, CxDeclVec *out, uint32_t from) {
  for (uint32_t i = from; i < out->count; i++) {
    CxDecl *decl = cx_new_decl(cx, CX_DECL_FRIEND, out->data[i]->span);
    decl->u.inner = out->data[i];
    decl->u.inner->specs &= ~(uint32_t)CX_SPEC_FRIEND;
    decl->name = out->data[i]->name;
    out->data[i] = decl;
  }
}

// simple-declaration: specifiers declarators? ";" | specifiers declarator body
static void parse_simple(CxParser *cx, CxDeclVec *out, const CxScope *record) {
  uint32_t from = out->count;
  CxSpecs specs = cx_parse_specifiers(cx, record);
  push_definition(cx, &specs, out);
  bool has_body = false;
  bool is_empty = (specs.definition || specs.specs & CX_SPEC_FRIEND) &&
                  cx_at(cx, CX_TOK_SEMICOLON);
  if (!is_empty && !cx->is_panicking) {
    do {
      if (at_binding(cx, &specs))
        VEC_PUSH(cx->arena, out, parse_one_binding(cx, &specs));
      else
        has_body = parse_declared(cx, &specs, out);
    } while (!has_body && cx_accept(cx, CX_TOK_COMMA));
  }
  if (!has_body)
    cx_expect_semicolon(cx, "a declaration");
  if (specs.specs & CX_SPEC_FRIEND)
    wrap_friends(cx, out, from);
}

// extern "C" {…} or extern "C" declaration
static void parse_linkage(CxParser *cx, CxDeclVec *out) {
  uint32_t length;
  const CxToken *token = &cx->tokens[cx->pos + 1];
  const char *text = cx_token_text(cx, token, &length);
  uint32_t is_c = length == 3 && text[1] == 'C';
  cx_advance(cx);
  cx_advance(cx);
  cx->extern_c += is_c;
  if (!cx_at(cx, CX_TOK_LBRACE)) {
    cx_parse_declaration(cx, out, NULL, CX_ACCESS_NONE);
  } else {
    uint32_t opener = cx->pos;
    cx_advance(cx);
    while (!cx_at(cx, CX_TOK_RBRACE) && !cx_at(cx, CX_TOK_EOF) &&
           !cx->is_panicking)
      cx_parse_declaration(cx, out, NULL, CX_ACCESS_NONE);
    cx_expect_close(cx, CX_TOK_RBRACE, opener);
  }
  cx->extern_c -= is_c;
}

CxDecl *cx_parse_static_assert(CxParser *cx) {
  Span begin = cx_span(cx);
  CxDecl *decl = cx_new_decl(cx, CX_DECL_STATIC_ASSERT, begin);
  cx_advance(cx);
  uint32_t opener = cx->pos;
  if (!cx_expect(cx, CX_TOK_LPAREN))
    return decl;
  decl->u.static_assertion.condition = cx_parse_conditional(cx);
  if (cx_accept(cx, CX_TOK_COMMA))
    decl->u.static_assertion.message = cx_parse_assignment(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  decl->span = cx_since(cx, begin);
  cx_expect_semicolon(cx, "static_assert(…)");
  return decl;
}

static void parse_by_keyword(CxParser *cx, CxDeclVec *out, CxDecl *record,
                             CxAccess access) {
  switch ((int)cx->kind) {
  case CX_TOK_SEMICOLON: cx_advance(cx); return;
  case CX_TOK_NAMESPACE: cx_parse_namespace(cx, out); return;
  case CX_TOK_USING: cx_parse_using(cx, out); return;
  case CX_TOK_TEMPLATE: cx_parse_template(cx, out, record, access); return;
  case CX_TOK_STATIC_ASSERT:
    VEC_PUSH(cx->arena, out, cx_parse_static_assert(cx));
    return;
  case CX_TOK_INLINE:
    if (cx_peek(cx, 1) == CX_TOK_NAMESPACE) {
      cx_parse_namespace(cx, out);
      return;
    }
    break;
  case CX_TOK_EXTERN:
    if (cx_peek(cx, 1) == CX_TOK_STRING) {
      parse_linkage(cx, out);
      return;
    }
    if (cx_peek(cx, 1) == CX_TOK_TEMPLATE) {
      cx_advance(cx);
      cx_parse_template(cx, out, record, access);
      return;
    }
    break;
  default: break;
  }
  parse_simple(cx, out, record ? record->u.record.inside : NULL);
}

// What a declaration can leave changed when it ends in an error.
typedef struct {
  CxScope *scope;
  CxProblem *problems;
  uint32_t reported_at;
  uint32_t limit;
  uint32_t nesting;
  uint32_t extern_c;
  bool no_gt;
} Saved;

static Saved parse_decl_save(CxParser *cx) {
  Saved saved = {cx->scope,   cx->problems, cx->reported_at, cx->limit,
                 cx->nesting, cx->extern_c, cx->no_gt};
  cx->problems = NULL;
  cx->reported_at = UINT32_MAX;
  return saved;
}

static void parse_decl_restore(CxParser *cx, const Saved *saved) {
  cx->scope = saved->scope;
  cx->problems = saved->problems;
  cx->reported_at = saved->reported_at;
  cx->nesting = saved->nesting;
  cx->extern_c = saved->extern_c;
  cx->no_gt = saved->no_gt;
  if (!cx->is_too_big)
    cx->limit = saved->limit;
}

// Classes that were declared on the way to this scope.
static void take_tags(CxParser *cx, CxDeclVec *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < cx->tags.count; i++) {
    CxDecl *tag = cx->tags.data[i];
    if (tag->scope == cx->scope)
      VEC_PUSH(cx->arena, out, tag);
    else
      cx->tags.data[n++] = tag;
  }
  cx->tags.count = n;
}

// Note [What isn't understood]: an error anywhere in a declaration (not inside
// the bodies of functions, of classes and namespaces) makes all of it an
// UNKNOWN, so that nothing half right remains.
void cx_parse_declaration(CxParser *cx, CxDeclVec *out, CxDecl *record,
                          CxAccess access) {
  uint32_t begin = cx->pos;
  uint32_t from = out->count;
  Saved saved = parse_decl_save(cx);
  if (cx_enter(cx))
    parse_by_keyword(cx, out, record, access);
  cx_leave(cx);
  CxProblem *problems = cx->problems;
  parse_decl_restore(cx, &saved);
  if (problems || cx->is_panicking) {
    out->count = from;
    cx_skip_declaration(cx, begin);
    VEC_PUSH(cx->arena, out, cx_unknown_decl(cx, begin, problems));
  }
  take_tags(cx, out);
  for (uint32_t i = from; i < out->count; i++)
    if (record && out->data[i]->access == CX_ACCESS_NONE)
      out->data[i]->access = access;
}

// --- In blocks -------------------------------------------------------------

void cx_parse_block_declaration(CxParser *cx, CxDeclVec *out) {
  switch ((int)cx->kind) {
  case CX_TOK_USING: cx_parse_using(cx, out); return;
  case CX_TOK_NAMESPACE: cx_parse_namespace(cx, out); return;
  case CX_TOK_STATIC_ASSERT:
    VEC_PUSH(cx->arena, out, cx_parse_static_assert(cx));
    return;
  default: break;
  }
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  take_tags(cx, out);
  push_definition(cx, &specs, out);
  bool is_empty = specs.definition && cx_at(cx, CX_TOK_SEMICOLON);
  if (!is_empty && !cx->is_panicking)
    cx_parse_declarators(cx, &specs, out);
  cx_expect_semicolon(cx, "a declaration");
}

CxDecl *cx_parse_condition_decl(CxParser *cx) {
  CxDeclVec out = {0};
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  if (!cx->is_panicking && at_binding(cx, &specs))
    return parse_one_binding(cx, &specs);
  if (!cx->is_panicking)
    parse_declared(cx, &specs, &out);
  return out.count ? out.data[0] : cx_new_decl(cx, CX_DECL_VAR, specs.span);
}
