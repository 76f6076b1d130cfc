// SPDX-License-Identifier: Apache-2.0
// Classes and enumerations.
#include "cxx/cx_parser.h"

// --- Heads -----------------------------------------------------------------

// What stands between struct, enum and their `{`.
typedef struct {
  Span span; // of the whole, so far
  CxTag tag;
  const CxName *name; // or NULL
  CxSpecs attributes;
} Head;

static CxTag tag_of(CxTokenKind kind) {
  switch ((int)kind) {
  case CX_TOK_STRUCT: return CX_TAG_STRUCT;
  case CX_TOK_CLASS: return CX_TAG_CLASS;
  case CX_TOK_UNION: return CX_TAG_UNION;
  default: return CX_TAG_ENUM;
  }
}

static Head parse_head(CxParser *cx) {
  Head head = {.span = cx_span(cx), .tag = tag_of(cx->kind)};
  cx_advance(cx);
  if (head.tag == CX_TAG_ENUM &&
      (cx_at(cx, CX_TOK_CLASS) || cx_at(cx, CX_TOK_STRUCT)))
    cx_advance(cx);
  while (cx_parse_attribute(cx, &head.attributes)) {
  }
  if (cx_at_name_start(cx))
    head.name = cx_parse_name(cx, true, NULL);
  head.span = cx_since(cx, head.span);
  return head;
}

static void set_name(CxDecl *decl, const Head *head) {
  decl->full = head->name;
  if (head->name) {
    decl->name = cx_last_part(head->name)->name;
    decl->name_span = head->name->span;
  }
  decl->attributes = head->attributes.attributes.data;
  decl->n_attributes = head->attributes.attributes.count;
  decl->align = head->attributes.align;
  decl->align_type = head->attributes.align_type;
  if (head->attributes.unsupported)
    cx_note_unsupported(decl, head->attributes.unsupported,
                        head->attributes.unsupported_span);
}

static bool is_known_type(const CxParser *cx, const char *name) {
  for (const CxScope *scope = cx->scope; scope; scope = scope->parent)
    if (cx_scope_find_in(cx, scope, name).is & CX_NAME_TYPE)
      return true;
  return false;
}

// The first `struct S *p` declares S in the namespace or block around. Without
// anything else of that name, which it hides, its definition is found anyway.
static void parse_record_declare_tag(CxParser *cx, const Head *head) {
  const CxNamePart *part = &head->name->parts[0];
  if (head->tag == CX_TAG_ENUM || head->name->n_parts > 1 ||
      head->name->is_global || part->has_args ||
      !cx_scope_find(cx, cx->scope, part->name).is ||
      is_known_type(cx, part->name))
    return;
  CxScope *scope = cx->scope;
  while (scope->kind != CX_SCOPE_NAMESPACE && scope->kind != CX_SCOPE_BLOCK)
    scope = scope->parent;
  CxDecl *decl = cx_new_decl(cx, CX_DECL_RECORD, head->span);
  set_name(decl, head);
  decl->u.record.tag = head->tag;
  decl->scope = scope;
  cx_scope_declare(cx, scope, decl->name, CX_NAME_TYPE, NULL);
  VEC_PUSH(cx->arena, &cx->tags, decl);
}

// struct S where S is declared elsewhere (or here for the first time).
static CxType *elaborated(CxParser *cx, const Head *head) {
  if (!head->name) {
    cx_expected(cx, "a name or '{'");
    return cx_new_type(cx, CX_TYPE_POISON, head->span);
  }
  CxType *type = cx_new_type(cx, CX_TYPE_NAMED, head->span);
  type->u.named.name = head->name;
  type->u.named.tag = head->tag;
  return type;
}

static CxType *parse_record_defined(CxParser *cx, CxDecl *decl) {
  CxType *type = cx_new_type(cx, CX_TYPE_DEFINITION, decl->span);
  type->u.definition = decl;
  return type;
}

// --- Classes ---------------------------------------------------------------

static CxAccess access_of(CxTokenKind kind) {
  switch ((int)kind) {
  case CX_TOK_PUBLIC: return CX_ACCESS_PUBLIC;
  case CX_TOK_PROTECTED: return CX_ACCESS_PROTECTED;
  case CX_TOK_PRIVATE: return CX_ACCESS_PRIVATE;
  default: return CX_ACCESS_NONE;
  }
}

static void use_base(CxParser *cx, CxDecl *decl, const CxType *type,
                     bool is_dependent) {
  CxScope *inside = decl->u.record.inside;
  CxSymbol symbol = {0};
  if (type->kind == CX_TYPE_NAMED)
    symbol = cx_scope_find_name(cx, cx->scope, type->u.named.name);
  if (symbol.inside)
    cx_scope_derive(cx, inside, symbol.inside, is_dependent);
  else
    inside->has_unknown_base = true;
}

// base: (access | "virtual")* type-name "..."?
static CxBase parse_base(CxParser *cx, CxDecl *decl) {
  CxBase base = {.span = cx_span(cx)};
  bool is_struct = decl->u.record.tag != CX_TAG_CLASS;
  base.access = is_struct ? CX_ACCESS_PUBLIC : CX_ACCESS_PRIVATE;
  for (;;) {
    CxAccess access = access_of(cx->kind);
    if (cx_at(cx, CX_TOK_VIRTUAL)) {
      base.is_virtual = true;
      cx_note_unsupported(decl, "virtual bases", cx_span(cx));
    } else if (access) {
      base.access = access;
    } else {
      break;
    }
    cx_advance(cx);
  }
  uint32_t first = cx->pos;
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  base.type = specs.type;
  if (!base.type) {
    cx_expected(cx, "the name of a base");
    base.type = cx_new_type(cx, CX_TYPE_POISON, base.span);
  }
  use_base(cx, decl, base.type, cx_names_parameter(cx, first, cx->pos));
  base.is_expansion = cx_accept(cx, CX_TOK_ELLIPSIS);
  base.span = cx_since(cx, base.span);
  return base;
}

// bases: ":" base ("," base)*
static void parse_bases(CxParser *cx, CxDecl *decl) {
  hd_vec(CxBase) bases = {0};
  if (!cx_accept(cx, CX_TOK_COLON))
    return;
  do {
    CxBase base = parse_base(cx, decl);
    VEC_PUSH(cx->arena, &bases, base);
  } while (cx_accept(cx, CX_TOK_COMMA));
  decl->u.record.bases = bases.data;
  decl->u.record.n_bases = bases.count;
}

// members: "{" (access ":" | declaration)* "}"
static void parse_members(CxParser *cx, CxDecl *decl) {
  CxDeclVec members = {0};
  CxAccess access =
      decl->u.record.tag == CX_TAG_CLASS ? CX_ACCESS_PRIVATE : CX_ACCESS_PUBLIC;
  CxScope *scope = cx->scope;
  uint32_t opener = cx->pos;
  uint32_t extern_c = cx->extern_c;
  cx->scope = decl->u.record.inside;
  cx->extern_c = 0;
  cx_advance(cx);
  while (!cx_at(cx, CX_TOK_RBRACE) && !cx_at(cx, CX_TOK_EOF) &&
         !cx->is_panicking) {
    CxAccess label = access_of(cx->kind);
    if (label && cx_peek(cx, 1) == CX_TOK_COLON) {
      access = label;
      cx_advance(cx);
      cx_advance(cx);
    } else {
      cx_parse_declaration(cx, &members, decl, access);
    }
  }
  cx->scope = scope;
  cx->extern_c = extern_c;
  cx_expect_close(cx, CX_TOK_RBRACE, opener);
  decl->u.record.members = CX_LIST(CxDeclList, members);
}

// Names the class before its members are seen: in its surroundings and in
// itself.
static void parse_record_declare(CxParser *cx, CxDecl *decl) {
  bool is_special = decl->full && cx_last_part(decl->full)->has_args;
  CxScope *inside = decl->u.record.inside;
  if (!decl->name)
    return;
  inside->name = decl->name;
  if (!is_special) {
    cx_declare(cx, decl);
    if (decl->full->n_parts == 1)
      cx_scope_set_inside(cx, decl->name, inside);
  }
  bool is_template = is_special || cx->scope->kind == CX_SCOPE_TEMPLATE;
  cx_scope_declare(cx, inside, decl->name,
                   CX_NAME_TYPE | (is_template ? CX_NAME_TEMPLATE : 0u),
                   inside);
}

static CxDecl *parse_record_define(CxParser *cx, Head *head) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_RECORD, head->span);
  set_name(decl, head);
  decl->u.record.tag = head->tag;
  decl->u.record.is_definition = true;
  decl->u.record.inside = cx_scope_new(cx, CX_SCOPE_RECORD, cx->scope);
  parse_record_declare(cx, decl);
  if (cx_enter(cx)) {
    parse_bases(cx, decl);
    if (cx_at(cx, CX_TOK_LBRACE))
      parse_members(cx, decl);
    else
      cx_expected(cx, "'{'");
  }
  cx_leave(cx);
  decl->span = cx_since(cx, head->span);
  return decl;
}

// record: ("struct" | "class" | "union") attribute* name? "final"? bases?
//         members?
CxDecl *cx_parse_record(CxParser *cx, CxSpecs *specs, CxType **type) {
  Head head = parse_head(cx);
  if (cx_at_name(cx, cx->names.final) &&
      (cx_peek(cx, 1) == CX_TOK_LBRACE || cx_peek(cx, 1) == CX_TOK_COLON))
    cx_advance(cx);
  CxDecl *decl = NULL;
  if (cx_at(cx, CX_TOK_LBRACE) || (cx_at(cx, CX_TOK_COLON) && head.name)) {
    decl = parse_record_define(cx, &head);
    *type = parse_record_defined(cx, decl);
    return decl;
  }
  *type = elaborated(cx, &head);
  if (!cx_at(cx, CX_TOK_SEMICOLON) || !head.name) {
    if (head.name && !(specs->specs & CX_SPEC_FRIEND))
      parse_record_declare_tag(cx, &head);
    return NULL;
  }
  decl = cx_new_decl(cx, CX_DECL_RECORD, head.span);
  set_name(decl, &head);
  decl->u.record.tag = head.tag;
  if (!(specs->specs & CX_SPEC_FRIEND) && !cx_last_part(head.name)->has_args)
    cx_declare(cx, decl);
  return decl;
}

// --- Enumerations ----------------------------------------------------------

static CxDecl *parse_enumerator(CxParser *cx, CxDecl *owner, CxScope *inside) {
  CxDecl *decl = cx_new_decl(cx, CX_DECL_ENUMERATOR, cx_span(cx));
  CxSpecs attributes = {0};
  if (!cx_at(cx, CX_TOK_IDENT)) {
    cx_expected(cx, "the name of an enumerator");
    return decl;
  }
  decl->name = cx_token(cx)->u.name;
  decl->name_span = decl->span;
  decl->full = cx_simple_name(cx, decl->name, decl->span);
  cx_advance(cx);
  while (cx_parse_attribute(cx, &attributes)) {
  }
  if (cx_accept(cx, CX_TOK_EQ))
    decl->u.enumerator.value = cx_parse_conditional(cx);
  decl->span = cx_since(cx, decl->span);
  cx_scope_declare(cx, inside, decl->name, CX_NAME_VALUE, NULL);
  if (!owner->u.enumeration.is_class)
    cx_declare(cx, decl);
  return decl;
}

static void parse_enumerators(CxParser *cx, CxDecl *decl, CxScope *inside) {
  CxDeclVec out = {0};
  uint32_t opener = cx->pos;
  cx_advance(cx);
  while (!cx_at(cx, CX_TOK_RBRACE) && !cx->is_panicking) {
    VEC_PUSH(cx->arena, &out, parse_enumerator(cx, decl, inside));
    if (!cx_accept(cx, CX_TOK_COMMA))
      break;
  }
  cx_expect_close(cx, CX_TOK_RBRACE, opener);
  decl->u.enumeration.enumerators = CX_LIST(CxDeclList, out);
}

// enum: "enum" ("class" | "struct")? attribute* name? (":" type-id)?
//       ("{" (enumerator ("," enumerator)* ","?)? "}")?
CxDecl *cx_parse_enum(CxParser *cx, CxSpecs *specs, CxType **type) {
  CxTokenKind next = cx_peek(cx, 1);
  bool is_class = next == CX_TOK_CLASS || next == CX_TOK_STRUCT;
  (void)specs;
  Head head = parse_head(cx);
  bool is_head = cx_at(cx, CX_TOK_LBRACE) || cx_at(cx, CX_TOK_COLON) ||
                 (cx_at(cx, CX_TOK_SEMICOLON) && head.name);
  if (!is_head) {
    *type = elaborated(cx, &head);
    return NULL;
  }
  CxDecl *decl = cx_new_decl(cx, CX_DECL_ENUM, head.span);
  set_name(decl, &head);
  decl->u.enumeration.is_class = is_class;
  CxScope *inside = cx_scope_new(cx, CX_SCOPE_RECORD, cx->scope);
  cx_declare(cx, decl);
  if (decl->name && decl->full->n_parts == 1)
    cx_scope_set_inside(cx, decl->name, inside);
  if (cx_accept(cx, CX_TOK_COLON)) {
    CxSpecs underlying = cx_parse_specifiers(cx, NULL);
    decl->u.enumeration.underlying = underlying.type;
  }
  if (cx_at(cx, CX_TOK_LBRACE)) {
    decl->u.enumeration.is_definition = true;
    parse_enumerators(cx, decl, inside);
  }
  decl->span = cx_since(cx, head.span);
  *type = parse_record_defined(cx, decl);
  return decl;
}
