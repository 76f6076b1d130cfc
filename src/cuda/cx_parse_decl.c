// SPDX-License-Identifier: Apache-2.0
// Declarations of objects and functions, and what is skipped.
#include "cuda/cx_parser.h"

#include <string.h>

// --- Skipping --------------------------------------------------------------

static bool is_closer(CxTokenKind kind) {
  return kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET ||
         kind == CX_TOK_RBRACE;
}

static bool is_opener(CxTokenKind kind) {
  return kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
         kind == CX_TOK_LBRACE;
}

// A declaration ends at its `;`, or behind braces that no initialiser, no type
// and no member initialiser of a constructor has.
typedef struct {
  bool is_type;  // struct, union, class, enum came
  bool has_init; // `=` came
  bool in_member_inits;
} Skip;

static bool ends_behind_braces(CxParser *cx, const Skip *skip) {
  if (skip->has_init || skip->is_type)
    return false;
  return !skip->in_member_inits ||
         !(cx_at(cx, CX_TOK_COMMA) || cx_at(cx, CX_TOK_LBRACE));
}

static void note_skipped(CxParser *cx, Skip *skip, CxTokenKind last) {
  switch ((int)cx->kind) {
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
  case CX_TOK_ENUM: skip->is_type = skip->is_type || last != CX_TOK_LT; break;
  case CX_TOK_EQ: skip->has_init = last != CX_TOK_OPERATOR; break;
  case CX_TOK_COLON: skip->in_member_inits |= last == CX_TOK_RPAREN; break;
  case CX_TOK_LPAREN: skip->is_type = false; break; // a result's struct S
  default: break;
  }
}

void cx_skip_declaration(CxParser *cx, uint32_t begin) {
  Skip skip = {0};
  CxTokenKind last = CX_TOK_EOF;
  cx_end_panic(cx);
  cx_go_to(cx, begin);
  while (!cx_at(cx, CX_TOK_EOF)) {
    CxTokenKind kind = cx->kind;
    if (is_closer(kind))
      break;
    note_skipped(cx, &skip, last);
    last = kind;
    if (is_opener(kind)) {
      cx_skip_brackets(cx);
      last = (CxTokenKind)(kind + 1);
    } else {
      cx_advance(cx);
    }
    if (kind == CX_TOK_SEMICOLON)
      break;
    if (kind == CX_TOK_LBRACE && ends_behind_braces(cx, &skip)) {
      cx_accept(cx, CX_TOK_SEMICOLON);
      break;
    }
  }
  if (cx->pos == begin)
    cx_advance(cx); // a stray bracket
}

static bool names_something(unsigned before, unsigned after) {
  switch (before) {
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
  case CX_TOK_ENUM:
  case CX_TOK_USING:
  case CX_TOK_NAMESPACE: return true;
  default: break;
  }
  return after == CX_TOK_LPAREN || after == CX_TOK_EQ ||
         after == CX_TOK_SEMICOLON || after == CX_TOK_COMMA ||
         after == CX_TOK_LBRACKET || after == CX_TOK_LBRACE;
}

static void find_names(CxParser *cx, CxDecl *decl) {
  enum { MAX_NAMES = 16 };

  hd_vec(const char *) names = {0};
  CxTokens range = decl->u.unknown.tokens;
  unsigned before = CX_TOK_EOF;
  for (uint32_t at = range.begin; at < range.end;) {
    const CxToken *token = &cx->tokens[at];
    unsigned after = at + 1 < cx->limit ? cx->tokens[at + 1].kind : CX_TOK_EOF;
    if (token->kind == CX_TOK_IDENT && names_something(before, after) &&
        names.count < MAX_NAMES)
      VEC_PUSH(cx->arena, &names, token->u.name);
    before = token->kind;
    at = is_opener((CxTokenKind)token->kind) ? cx_behind_brackets(cx, at)
                                             : at + 1;
  }
  decl->u.unknown.names = names.data;
  decl->u.unknown.n_names = names.count;
}

CxDecl *cx_unknown_decl(CxParser *cx, uint32_t begin, CxProblem *problems) {
  const CxToken *first = &cx->tokens[begin];
  CxDecl *decl =
      cx_new_decl(cx, CX_DECL_UNKNOWN, (Span){first->begin, first->end});
  uint32_t end = cx->pos;
  decl->u.unknown.tokens = (CxTokens){begin, end};
  decl->u.unknown.problem = problems;
  if (end > begin)
    decl->span = (Span){first->begin, cx->tokens[end - 1].end};
  find_names(cx, decl);
  VEC_PUSH(cx->arena, &cx->unknowns, decl);
  return decl;
}

// --- What declarations declare ---------------------------------------------

// Where the names of declarations go: not among template parameters.
static CxScope *target_scope(const CxParser *cx, bool *is_template) {
  CxScope *scope = cx->scope;
  *is_template = false;
  while (scope->kind == CX_SCOPE_TEMPLATE || scope->kind == CX_SCOPE_MEMBER) {
    *is_template |= scope->kind == CX_SCOPE_TEMPLATE;
    scope = scope->parent;
  }
  return scope;
}

void cx_scope_set_inside(CxParser *cx, const char *name, CxScope *inside) {
  bool is_template;
  cx_scope_declare(cx, target_scope(cx, &is_template), name, 0, inside);
}

static CxScope *scope_of_type(const CxParser *cx, const CxType *type) {
  if (!type || type->kind == CX_TYPE_POISON)
    return NULL;
  if (type->kind == CX_TYPE_NAMED)
    return cx_scope_find_name(cx, cx->scope, type->u.named.name).inside;
  if (type->kind != CX_TYPE_DEFINITION ||
      type->u.definition->kind != CX_DECL_RECORD)
    return NULL;
  return type->u.definition->u.record.inside;
}

static uint32_t names_as(const CxDecl *decl) {
  switch (decl->kind) {
  case CX_DECL_ALIAS:
  case CX_DECL_RECORD:
  case CX_DECL_ENUM: return CX_NAME_TYPE;
  case CX_DECL_NAMESPACE: return CX_NAME_SPACE;
  case CX_DECL_VAR:
  case CX_DECL_FIELD:
  case CX_DECL_FUNCTION:
  case CX_DECL_ENUMERATOR:
  case CX_DECL_PARAM: return CX_NAME_VALUE;
  case CX_DECL_UNKNOWN:
  case CX_DECL_NAMESPACE_ALIAS:
  case CX_DECL_USING_DIRECTIVE:
  case CX_DECL_USING:
  case CX_DECL_TEMPLATE_PARAM:
  case CX_DECL_STATIC_ASSERT:
  case CX_DECL_FRIEND:
  case CX_DECL_INSTANTIATION:
  case CX_DECL_BINDING: break;
  }
  return 0;
}

void cx_declare(CxParser *cx, CxDecl *decl) {
  bool is_special = decl->kind == CX_DECL_FUNCTION &&
                    decl->u.function.kind != CX_FUNCTION_ORDINARY;
  if (!decl->name || is_special || (decl->full && decl->full->n_parts > 1))
    return;
  bool is_template;
  CxScope *scope = target_scope(cx, &is_template);
  uint32_t is = names_as(decl);
  CxScope *inside =
      decl->kind == CX_DECL_ALIAS ? scope_of_type(cx, decl->type) : NULL;
  if (is_template)
    is |= CX_NAME_TEMPLATE;
  cx_scope_declare(cx, scope, decl->name, is, inside);
  if (is_template && decl->kind == CX_DECL_FUNCTION &&
      scope->kind == CX_SCOPE_RECORD)
    map_put(cx->arena, &cx->member_templates, MAP_KEY(decl->name), decl);
}

// --- Functions -------------------------------------------------------------

// Behind `:` of a constructor: up to the `{` of its body.
static void skip_member_inits(CxParser *cx) {
  cx_advance(cx);
  for (;;) {
    while (!cx_at(cx, CX_TOK_LPAREN) && !cx_at(cx, CX_TOK_LBRACE) &&
           !cx_at(cx, CX_TOK_SEMICOLON) && !cx_at(cx, CX_TOK_EOF) &&
           !cx->is_panicking)
      cx_advance(cx);
    if (!cx_at(cx, CX_TOK_LPAREN) && !cx_at(cx, CX_TOK_LBRACE))
      return;
    cx_skip_brackets(cx);
    cx_accept(cx, CX_TOK_ELLIPSIS);
    if (!cx_accept(cx, CX_TOK_COMMA))
      return;
  }
}

static void skip_handlers(CxParser *cx) {
  while (cx_accept(cx, CX_TOK_CATCH)) {
    if (cx_at(cx, CX_TOK_LPAREN))
      cx_skip_brackets(cx);
    if (cx_at(cx, CX_TOK_LBRACE))
      cx_skip_brackets(cx);
  }
}

static void take_body(CxParser *cx, CxDecl *decl) {
  bool has_handlers = cx_at(cx, CX_TOK_TRY);
  if (has_handlers) {
    cx_note_unsupported(decl, "exceptions", cx_span(cx));
    cx_advance(cx);
  }
  decl->u.function.body.begin = cx->pos;
  if (cx_at(cx, CX_TOK_COLON))
    skip_member_inits(cx);
  if (!cx_at(cx, CX_TOK_LBRACE)) {
    cx_expected(cx, "the body of the function");
    return;
  }
  cx_skip_brackets(cx);
  decl->u.function.body.end = cx->pos;
  decl->u.function.has_body = true;
  if (has_handlers)
    skip_handlers(cx);
  VEC_PUSH(cx->arena, &cx->bodies, decl);
  cx_scan_body(cx, decl);
}

// = default, = delete, = 0
static void parse_special_body(CxParser *cx, CxDecl *decl) {
  cx_advance(cx);
  if (cx_accept(cx, CX_TOK_DEFAULT)) {
    decl->u.function.is_defaulted = true;
  } else if (cx_accept(cx, CX_TOK_DELETE)) {
    decl->u.function.is_deleted = true;
  } else if (cx_at(cx, CX_TOK_NUMBER)) {
    decl->u.function.is_pure = true;
    cx_note_unsupported(decl, "virtual functions", cx_span(cx));
    cx_advance(cx);
  } else {
    cx_expected(cx, "'default', 'delete' or 0");
  }
}

// __requires(e) and its kin behind the parameters.
static bool parse_annotation(CxParser *cx, CxDecl *decl) {
  const char *word = cx_at(cx, CX_TOK_IDENT) ? cx_token(cx)->u.name : "";
  if (strncmp(word, "__", 2) != 0 || cx_peek(cx, 1) != CX_TOK_LPAREN)
    return false;
  Span begin = cx_span(cx);
  cx_advance(cx);
  CxAnnotation annotation = {.word = intern_cstr(cx->interner, word + 2)};
  annotation.tokens.begin = cx->pos + 1;
  cx_skip_brackets(cx);
  annotation.tokens.end = cx->pos - 1;
  annotation.span = cx_since(cx, begin);
  uint32_t n = decl->u.function.n_annotations;
  CxAnnotation *all = ARENA_ARRAY(cx->arena, CxAnnotation, n + 1);
  if (n > 0)
    memcpy(all, decl->u.function.annotations, n * sizeof(*all));
  all[n] = annotation;
  decl->u.function.annotations = all;
  decl->u.function.n_annotations = n + 1;
  return true;
}

// What follows the declarator of a function. True: a body, so that no `;` is
// needed.
bool cx_parse_function_rest(CxParser *cx, CxDecl *decl) {
  for (;;) {
    if (cx_at_name(cx, cx->names.override) || cx_at_name(cx, cx->names.final)) {
      cx_note_unsupported(decl, "virtual functions", cx_span(cx));
      cx_advance(cx);
    } else if (!parse_annotation(cx, decl)) {
      break;
    }
  }
  if (cx_at(cx, CX_TOK_EQ)) {
    parse_special_body(cx, decl);
    return false;
  }
  bool has_body = cx_at(cx, CX_TOK_LBRACE) || cx_at(cx, CX_TOK_TRY) ||
                  cx_at(cx, CX_TOK_COLON);
  if (has_body)
    take_body(cx, decl);
  return has_body;
}

// --- Objects ---------------------------------------------------------------

// initializer: "=" init-clause | "(" arguments ")" | init-list
void cx_parse_initializer(CxParser *cx, CxDecl *decl) {
  if (cx_accept(cx, CX_TOK_EQ)) {
    decl->u.var.init_kind = CX_INIT_EQUAL;
    decl->u.var.init = cx_parse_init_clause(cx);
  } else if (cx_at(cx, CX_TOK_LPAREN)) {
    decl->u.var.init_kind = CX_INIT_PAREN;
    decl->u.var.args = cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
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

static CxDeclKind kind_of(const CxParser *cx, const CxSpecs *specs,
                          const CxType *type) {
  bool is_template;
  if (specs->specs & CX_SPEC_TYPEDEF)
    return CX_DECL_ALIAS;
  if (type->kind == CX_TYPE_FUNCTION)
    return CX_DECL_FUNCTION;
  bool is_member = target_scope(cx, &is_template)->kind == CX_SCOPE_RECORD;
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

static CxDecl *make_decl(CxParser *cx, const CxSpecs *specs,
                         const CxDeclarator *declarator) {
  CxDeclKind kind = kind_of(cx, specs, declarator->type);
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
  if (!cx_at(cx, CX_TOK_LBRACKET))
    cx_advance(cx);
  return parse_binding(cx, specs);
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
  CxDeclarator declarator = is_unnamed_bits
                                ? (CxDeclarator){.type = base}
                                : cx_parse_declarator(cx, base, &specs, false);
  if (cx->is_panicking)
    return false;
  if (is_special && declarator.type->kind != CX_TYPE_FUNCTION) {
    cx_expected(cx, "a type in this declaration");
    return false;
  }
  CxDecl *decl = make_decl(cx, &specs, &declarator);
  cx_declare(cx, decl);
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
// one among members is a field.
static void push_definition(CxParser *cx, const CxSpecs *specs,
                            CxDeclVec *out) {
  CxDecl *decl = specs->definition;
  if (!decl)
    return;
  bool is_field = is_anonymous_record(specs) &&
                  cx->scope->kind == CX_SCOPE_RECORD &&
                  cx_at(cx, CX_TOK_SEMICOLON);
  if (is_field) {
    CxDecl *field = cx_new_decl(cx, CX_DECL_FIELD, decl->span);
    field->type = specs->type;
    cx_scope_use(cx, cx->scope, decl->u.record.inside);
    decl = field;
  }
  decl->specs |= specs->specs;
  VEC_PUSH(cx->arena, out, decl);
}

static void wrap_friends(CxParser *cx, CxDeclVec *out, uint32_t from) {
  for (uint32_t i = from; i < out->count; i++) {
    CxDecl *decl = cx_new_decl(cx, CX_DECL_FRIEND, out->data[i]->span);
    decl->u.inner = out->data[i];
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

static Saved save(CxParser *cx) {
  Saved saved = {cx->scope,   cx->problems, cx->reported_at, cx->limit,
                 cx->nesting, cx->extern_c, cx->no_gt};
  cx->problems = NULL;
  cx->reported_at = UINT32_MAX;
  return saved;
}

static void restore(CxParser *cx, const Saved *saved) {
  cx->scope = saved->scope;
  cx->problems = saved->problems;
  cx->reported_at = saved->reported_at;
  cx->nesting = saved->nesting;
  cx->extern_c = saved->extern_c;
  cx->no_gt = saved->no_gt;
  if (!cx->is_too_big)
    cx->limit = saved->limit;
}

// Note [What isn't understood]: an error anywhere in a declaration (not inside
// the bodies of functions, of classes and namespaces) makes all of it an
// UNKNOWN, so that nothing half right remains.
void cx_parse_declaration(CxParser *cx, CxDeclVec *out, CxDecl *record,
                          CxAccess access) {
  uint32_t begin = cx->pos;
  uint32_t from = out->count;
  Saved saved = save(cx);
  if (cx_enter(cx))
    parse_by_keyword(cx, out, record, access);
  cx_leave(cx);
  CxProblem *problems = cx->problems;
  restore(cx, &saved);
  if (problems || cx->is_panicking) {
    out->count = from;
    cx_skip_declaration(cx, begin);
    VEC_PUSH(cx->arena, out, cx_unknown_decl(cx, begin, problems));
  }
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

// --- Whether a statement is a declaration ----------------------------------

// `T (*p)…`, the position `pos` being at the `(`.
static bool is_nested_declarator(const CxParser *cx, uint32_t pos) {
  if (pos + 3 >= cx->limit)
    return false;
  unsigned sign = cx->tokens[pos + 1].kind;
  uint32_t behind = cx_behind_brackets(cx, pos);
  if ((sign != CX_TOK_STAR && sign != CX_TOK_AMP) || behind >= cx->limit)
    return false;
  unsigned next = cx->tokens[behind].kind;
  return next == CX_TOK_LPAREN || next == CX_TOK_LBRACKET || next == CX_TOK_EQ;
}

static bool follows_declared_type(const CxParser *cx, uint32_t pos) {
  unsigned next = pos < cx->limit ? cx->tokens[pos].kind : CX_TOK_EOF;
  switch (next) {
  case CX_TOK_IDENT:
  case CX_TOK_STAR:
  case CX_TOK_AMP:
  case CX_TOK_AMP_AMP:
  case CX_TOK_CONST:
  case CX_TOK_VOLATILE:
  case CX_TOK_RESTRICT:
  case CX_TOK_STATIC:
  case CX_TOK_CONSTEXPR:
  case CX_TOK_SHARED:
  case CX_TOK_ATTRIBUTE:
  case CX_TOK_ALIGN:
  case CX_TOK_COLON_COLON: return true; // T ::* of a member pointer
  case CX_TOK_LPAREN: return is_nested_declarator(cx, pos);
  default: return false;
  }
}

// Behind a name that is not known: `x y` and `x *y;` make it a type.
static bool follows_missing_type(const CxParser *cx, uint32_t pos) {
  if (pos + 2 >= cx->limit)
    return false;
  unsigned first = cx->tokens[pos].kind;
  unsigned second = cx->tokens[pos + 1].kind;
  unsigned third = cx->tokens[pos + 2].kind;
  if (first == CX_TOK_IDENT)
    return true;
  if ((first != CX_TOK_STAR && first != CX_TOK_AMP) || second != CX_TOK_IDENT)
    return false;
  return third == CX_TOK_EQ || third == CX_TOK_SEMICOLON ||
         third == CX_TOK_COMMA || third == CX_TOK_LBRACKET ||
         third == CX_TOK_COLON;
}

static bool at_named_declaration(CxParser *cx) {
  CxSymbol symbol;
  uint32_t end;
  if (cx_at_simple_name(cx)) {
    symbol = cx_scope_find(cx->scope, cx_token(cx)->u.name);
    end = cx->pos + 1;
  } else {
    const CxNamed *named = cx_parse_name_at(cx, false);
    if (!named)
      return false;
    symbol = named->symbol;
    end = named->end;
  }
  if (cx_is_type_symbol(symbol))
    return follows_declared_type(cx, end);
  bool is_known = symbol.is && !(symbol.is & CX_NAME_DEPENDENT);
  return !is_known && follows_missing_type(cx, end);
}

bool cx_at_declaration(CxParser *cx) {
  CxTokenKind next = cx_peek(cx, 1);
  switch ((int)cx->kind) {
  case CX_TOK_IDENT:
  case CX_TOK_COLON_COLON:
    return cx_at_name_start(cx) && at_named_declaration(cx);
  case CX_TOK_STATIC:
  case CX_TOK_CONSTEXPR:
  case CX_TOK_EXTERN:
  case CX_TOK_REGISTER:
  case CX_TOK_THREAD_LOCAL:
  case CX_TOK_INLINE:
  case CX_TOK_TYPEDEF:
  case CX_TOK_USING:
  case CX_TOK_STATIC_ASSERT:
  case CX_TOK_ALIGN:
  case CX_TOK_ALIGNAS:
  case CX_TOK_SHARED:
  case CX_TOK_CONSTANT:
  case CX_TOK_DEVICE:
  case CX_TOK_EXTENSION:
  case CX_TOK_NAMESPACE: return true;
  case CX_TOK_DECLTYPE: {
    uint32_t behind =
        next == CX_TOK_LPAREN ? cx_behind_brackets(cx, cx->pos + 1) : cx->limit;
    return follows_declared_type(cx, behind);
  }
  case CX_TOK_TYPENAME: return true;
  default:
    return cx_at_type_word(cx) && next != CX_TOK_LPAREN &&
           next != CX_TOK_LBRACE;
  }
}
