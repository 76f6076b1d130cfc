// SPDX-License-Identifier: Apache-2.0
// What declarations declare, and whether a statement is one.
#include "cxx/cx_parser.h"

// --- What declarations declare ---------------------------------------------

CxScope *cx_target_scope(const CxParser *cx, bool *is_template) {
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
  cx_scope_declare(cx, cx_target_scope(cx, &is_template), name, 0, inside);
}

static CxScope *declare_scope_of_type(const CxParser *cx, const CxType *type) {
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
  CxScope *scope = cx_target_scope(cx, &is_template);
  uint32_t is = names_as(decl);
  CxScope *inside = decl->kind == CX_DECL_ALIAS
                        ? declare_scope_of_type(cx, decl->type)
                        : NULL;
  if (is_template)
    is |= CX_NAME_TEMPLATE;
  cx_scope_declare(cx, scope, decl->name, is, inside);
  if (is_template && decl->kind == CX_DECL_FUNCTION &&
      scope->kind == CX_SCOPE_RECORD)
    map_put(cx->arena, &cx->member_templates, MAP_KEY(decl->name), decl);
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
    symbol = cx_scope_find(cx, cx->scope, cx_token(cx)->u.name);
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
  if (symbol.is && !(symbol.is & CX_NAME_DEPENDENT))
    return false;
  if (!cx_at_simple_name(cx)) {
    const CxNamed *type = cx_parse_name_at(cx, true); // unknown<int> *p = q;
    end = type ? type->end : end;
  }
  return follows_missing_type(cx, end);
}

bool cx_at_declaration(CxParser *cx) {
  CxTokenKind next = cx_peek(cx, 1);
  switch ((int)cx->kind) {
  case CX_TOK_IDENT:
  case CX_TOK_COLON_COLON:
    return cx_at_name_start(cx) && at_named_declaration(cx) &&
           !cx_at_coroutine(cx);
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
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
  case CX_TOK_ENUM:
  case CX_TOK_NAMESPACE: return true;
  case CX_TOK_TYPEOF:
  case CX_TOK_DECLTYPE: {
    uint32_t behind =
        next == CX_TOK_LPAREN ? cx_behind_brackets(cx, cx->pos + 1) : cx->limit;
    while (behind + 1 < cx->limit &&
           cx->tokens[behind].kind == CX_TOK_COLON_COLON &&
           cx->tokens[behind + 1].kind == CX_TOK_IDENT)
      behind += 2;
    return follows_declared_type(cx, behind);
  }
  case CX_TOK_TYPENAME: return true;
  default:
    return cx_at_type_word(cx) && next != CX_TOK_LBRACE &&
           (next != CX_TOK_LPAREN || is_nested_declarator(cx, cx->pos + 1));
  }
}
