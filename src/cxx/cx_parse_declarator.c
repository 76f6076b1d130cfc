// SPDX-License-Identifier: Apache-2.0
// Declarators and the types that they make.
#include "cxx/cx_parser.h"

static CxType *parse_declarator_wrap(CxParser *cx, CxTypeKind kind, Span begin,
                                     CxType *inner) {
  CxType *type = cx_new_type(cx, kind, cx_since(cx, begin));
  type->u.inner = inner;
  type->depth = (uint16_t)(inner->depth + 1);
  if (type->depth > SYNTAX_MAX_NESTING && !cx->is_panicking) {
    cx_problem(cx, DIAG_too_nested, type->span, NULL, NULL);
    cx_panic(cx);
    type->kind = CX_TYPE_POISON;
  }
  return type;
}

// --- Pointers and references -----------------------------------------------

static bool at_member_pointer(const CxParser *cx) {
  return cx_at(cx, CX_TOK_IDENT) && cx_peek(cx, 1) == CX_TOK_COLON_COLON &&
         cx_peek(cx, 2) == CX_TOK_STAR;
}

// pointers: ("*" quals | "&" | "&&" | ident "::" "*" | attribute)*
CxType *cx_parse_pointers(CxParser *cx, CxType *base, CxSpecs *specs) {
  CxType *type = base;
  while (!cx->is_panicking) {
    Span begin = cx_span(cx);
    if (cx_accept(cx, CX_TOK_STAR)) {
      uint8_t quals = cx_parse_quals(cx);
      type = parse_declarator_wrap(cx, CX_TYPE_POINTER, begin, type);
      type->quals = quals;
    } else if (cx_accept(cx, CX_TOK_AMP)) {
      uint8_t quals = cx_parse_quals(cx); // T &__restrict__ x
      type = parse_declarator_wrap(cx, CX_TYPE_REFERENCE, begin, type);
      type->quals = quals;
    } else if (cx_accept(cx, CX_TOK_AMP_AMP)) {
      cx_parse_quals(cx);
      type = parse_declarator_wrap(cx, CX_TYPE_RVALUE_REFERENCE, begin, type);
    } else if (at_member_pointer(cx)) {
      cx_advance(cx);
      cx_advance(cx);
      cx_advance(cx);
      type = cx_new_type(cx, CX_TYPE_UNSUPPORTED, cx_since(cx, begin));
      type->u.what = "pointers to members";
    } else if (!cx_parse_attribute(cx, specs)) {
      break;
    }
  }
  return type;
}

// --- Parameters ------------------------------------------------------------

static bool follows_param_type(const CxParser *cx) {
  switch ((int)cx->kind) {
  case CX_TOK_IDENT:
  case CX_TOK_STAR:
  case CX_TOK_AMP:
  case CX_TOK_AMP_AMP:
  case CX_TOK_COMMA:
  case CX_TOK_RPAREN:
  case CX_TOK_LBRACKET:
  case CX_TOK_ELLIPSIS:
  case CX_TOK_ATTRIBUTE:
  case CX_TOK_EQ: return true;
  case CX_TOK_LPAREN: {
    CxTokenKind next = cx_peek(cx, 1);
    return next == CX_TOK_STAR || next == CX_TOK_AMP || next == CX_TOK_AMP_AMP;
  }
  default: return false;
  }
}

// Behind a name that nobody knows: `x y`, `x *y`, `x &`, at file scope `x` too.
static bool follows_unknown_type(const CxParser *cx) {
  CxTokenKind next = cx_peek(cx, 1);
  switch ((int)cx->kind) {
  case CX_TOK_IDENT: return true;
  case CX_TOK_STAR:
  case CX_TOK_AMP:
  case CX_TOK_AMP_AMP:
    return next == CX_TOK_IDENT || next == CX_TOK_RPAREN ||
           next == CX_TOK_COMMA || next == CX_TOK_CONST ||
           next == CX_TOK_RESTRICT;
  case CX_TOK_RPAREN:
  case CX_TOK_COMMA: return cx->scope->kind != CX_SCOPE_BLOCK;
  default: return false;
  }
}

static bool begins_param(CxParser *cx) {
  if (cx_at(cx, CX_TOK_RPAREN) || cx_at(cx, CX_TOK_ELLIPSIS))
    return true;
  if (cx_at(cx, CX_TOK_CONST) || cx_at(cx, CX_TOK_STRUCT) ||
      cx_at(cx, CX_TOK_REGISTER) || cx_at(cx, CX_TOK_GRID_CONSTANT) ||
      (cx_at(cx, CX_TOK_LBRACKET) && cx_peek(cx, 1) == CX_TOK_LBRACKET))
    return true;
  bool is_known = cx_at_type(cx, false);
  if (!is_known && !cx_at_type(cx, true))
    return false;
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  if (cx->is_panicking || !specs.type)
    return false;
  return is_known ? follows_param_type(cx) : follows_unknown_type(cx);
}

bool cx_at_params(CxParser *cx) {
  if (!cx_at(cx, CX_TOK_LPAREN))
    return false;
  CxAttempt attempt = cx_try(cx);
  cx->no_gt = false;
  cx_advance(cx);
  bool is_params = begins_param(cx) && !cx->is_panicking;
  cx_try_end(cx, &attempt, false);
  return is_params;
}

static CxDecl *parse_param(CxParser *cx) {
  uint32_t begin = cx->pos;
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  CxDecl *decl = cx_new_decl(cx, CX_DECL_PARAM, specs.span);
  if (!specs.type) {
    cx_expected(cx, "the type of a parameter");
    return decl;
  }
  CxDeclarator declarator = cx_parse_declarator(cx, specs.type, &specs, true);
  decl->type = declarator.type;
  decl->specs = specs.specs;
  decl->u.var.is_pack = declarator.is_pack;
  if (declarator.is_pack)
    decl->u.var.packs = cx_pack_names(cx, begin);
  if (declarator.name) {
    decl->full = declarator.name;
    decl->name = cx_last_part(declarator.name)->name;
    decl->name_span = declarator.name->span;
  }
  if (cx_accept(cx, CX_TOK_EQ)) {
    decl->u.var.init_kind = CX_INIT_EQUAL;
    decl->u.var.init = cx_parse_init_clause(cx);
  }
  decl->span = cx_since(cx, specs.span);
  return decl;
}

// `(void)`, with the position behind the `(`.
static bool accept_void(CxParser *cx) {
  if (!cx_at(cx, CX_TOK_VOID) || cx_peek(cx, 1) != CX_TOK_RPAREN)
    return false;
  cx_advance(cx);
  return true;
}

// params: "(" (param ("," param)* ("," "...")? | "void" | "...")? ")"
CxDeclList cx_parse_params(CxParser *cx, bool *is_variadic) {
  CxDeclVec params = {0};
  uint32_t opener = cx->pos;
  bool no_gt = cx->no_gt;
  *is_variadic = false;
  cx_advance(cx);
  cx->no_gt = false;
  if (!accept_void(cx)) {
    while (!cx_at(cx, CX_TOK_RPAREN) && !cx->is_panicking) {
      *is_variadic = cx_accept(cx, CX_TOK_ELLIPSIS);
      if (*is_variadic)
        break;
      VEC_PUSH(cx->arena, &params, parse_param(cx));
      if (!cx_accept(cx, CX_TOK_COMMA) && !cx_at(cx, CX_TOK_ELLIPSIS))
        break;
    }
  }
  cx->no_gt = no_gt;
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  return CX_LIST(CxDeclList, params);
}

// --- What follows the name -------------------------------------------------

static void parse_noexcept(CxParser *cx, CxType *type) {
  type->u.function.is_noexcept = true;
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LPAREN))
    cx_skip_brackets(cx);
}

// function-tail: (quals | "&" | "&&" | noexcept | throw() | attribute)*
//                ("->" type-id)?
static void parse_function_tail(CxParser *cx, CxType *type, CxSpecs *specs) {
  for (;;) {
    uint8_t quals = cx_parse_quals(cx);
    type->u.function.quals |= quals;
    if (cx_at(cx, CX_TOK_NOEXCEPT) || cx_at(cx, CX_TOK_THROW))
      parse_noexcept(cx, type);
    else if (!quals && !cx_accept(cx, CX_TOK_AMP) &&
             !cx_accept(cx, CX_TOK_AMP_AMP) && !cx_parse_attribute(cx, specs))
      break;
  }
  if (!cx_accept(cx, CX_TOK_ARROW))
    return;
  type->u.function.has_trailing = true;
  type->u.function.result = cx_parse_type_id(cx);
}

static CxType *parse_declarator_function(CxParser *cx, CxType *result,
                                         CxSpecs *specs,
                                         CxDeclarator *declarator) {
  Span begin = cx_span(cx);
  CxType *type = parse_declarator_wrap(cx, CX_TYPE_FUNCTION, begin, result);
  type->u.function.result = result;
  CxScope *scope = cx->scope;
  if (declarator->inside)
    cx->scope = declarator->inside;
  type->u.function.params = cx_parse_params(cx, &type->u.function.is_variadic);
  if (!cx->is_panicking)
    parse_function_tail(cx, type, specs);
  cx->scope = scope;
  type->span = cx_since(cx, begin);
  return type;
}

static CxType *parse_suffixes(CxParser *cx, CxType *type, CxSpecs *specs,
                              CxDeclarator *declarator);

static CxType *parse_array(CxParser *cx, CxType *element, CxSpecs *specs,
                           CxDeclarator *declarator) {
  Span begin = cx_span(cx);
  uint32_t opener = cx->pos;
  bool no_gt = cx->no_gt;
  CxExpr *extent = NULL;
  CxScope *scope = cx->scope;
  if (!cx_enter(cx)) {
    cx_leave(cx);
    return element;
  }
  cx->no_gt = false;
  if (declarator->inside)
    cx->scope = declarator->inside;
  cx_advance(cx);
  if (!cx_at(cx, CX_TOK_RBRACKET))
    extent = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RBRACKET, opener);
  cx->no_gt = no_gt;
  cx->scope = scope;
  Span span = cx_since(cx, begin);
  CxType *type = parse_declarator_wrap(
      cx, CX_TYPE_ARRAY, begin, parse_suffixes(cx, element, specs, declarator));
  CxType *inner = type->u.inner;
  type->span = span;
  type->u.array.element = inner;
  type->u.array.extent = extent;
  cx_leave(cx);
  return type;
}

static CxType *parse_suffixes(CxParser *cx, CxType *type, CxSpecs *specs,
                              CxDeclarator *declarator) {
  if (cx_at(cx, CX_TOK_LBRACKET) && cx_peek(cx, 1) != CX_TOK_LBRACKET)
    return parse_array(cx, type, specs, declarator);
  if (cx_at(cx, CX_TOK_LPAREN) && cx_at_params(cx)) {
    type = parse_declarator_function(cx, type, specs, declarator);
    declarator->function = type;
  }
  return type;
}

// --- Declarators -----------------------------------------------------------

// Where a member of a class is declared outside of it, its parameters and body
// see the class.
static CxScope *member_scope(CxParser *cx, const CxName *name) {
  if (!name || name->n_parts < 2)
    return NULL;
  CxName qualifier = *name;
  qualifier.n_parts--;
  CxSymbol symbol = cx_scope_find_name(cx, cx->scope, &qualifier);
  if (!symbol.inside)
    return NULL;
  CxScope *scope = cx_scope_new(cx, CX_SCOPE_MEMBER, cx->scope);
  for (CxScope *at = symbol.inside; at && at != cx->file_scope; at = at->parent)
    cx_scope_include(cx, scope, at);
  return scope;
}

// `(` that opens a declarator, as in (*p)[4], not parameters.
static bool at_nested(CxParser *cx, bool may_be_abstract) {
  if (!cx_at(cx, CX_TOK_LPAREN))
    return false;
  CxTokenKind next = cx_peek(cx, 1);
  if (next == CX_TOK_STAR || next == CX_TOK_AMP || next == CX_TOK_AMP_AMP)
    return true;
  if (next == CX_TOK_IDENT && cx_peek(cx, 2) == CX_TOK_COLON_COLON &&
      cx_peek(cx, 3) == CX_TOK_STAR)
    return true;
  bool is_name = next == CX_TOK_IDENT && cx_peek(cx, 2) == CX_TOK_RPAREN;
  return is_name && !may_be_abstract && !cx_at_params(cx);
}

// The suffixes behind the parenthesis first, then what is inside it around
// the type that they make.
static void parse_nested(CxParser *cx, CxDeclarator *out, CxSpecs *specs,
                         bool may_be_abstract) {
  uint32_t inner = cx->pos + 1;
  uint32_t limit = cx->limit;
  uint32_t close = cx->tokens[cx->pos].u.match;
  if (close >= limit || cx->tokens[close].kind != CX_TOK_RPAREN) {
    cx_expect_close(cx, CX_TOK_RPAREN, cx->pos);
    return;
  }
  cx_skip_brackets(cx);
  CxType *type = parse_suffixes(cx, out->type, specs, out);
  CxType *function = out->function;
  uint32_t behind = cx->pos;
  uint32_t last_end = cx->last_end;
  if (cx->is_panicking)
    return;
  cx->limit = close;
  cx_go_to(cx, inner);
  *out = cx_parse_declarator(cx, type, specs, may_be_abstract);
  if (!cx->is_panicking && cx->pos < close)
    cx_expected(cx, "')'");
  cx->limit = limit;
  if (cx->is_panicking)
    return;
  if (!out->function && out->type == type)
    out->function = function; // (f)(int)
  cx_go_to(cx, behind);
  cx->last_end = last_end;
}

static void parse_declared_name(CxParser *cx, CxDeclarator *out,
                                bool may_be_abstract) {
  bool is_name = cx_at_name_start(cx) || cx_at(cx, CX_TOK_TILDE);
  if (is_name)
    out->name = cx_parse_name(cx, true, NULL);
  else if (!may_be_abstract)
    cx_expected(cx, "a name");
  out->inside = member_scope(cx, out->name);
}

// declarator: pointers "..."? ("(" declarator ")" | name)? suffixes
CxDeclarator cx_parse_declarator(CxParser *cx, CxType *base, CxSpecs *specs,
                                 bool may_be_abstract) {
  CxDeclarator out = {.type = base};
  if (cx_enter(cx)) {
    out.type = cx_parse_pointers(cx, base, specs);
    out.is_pack = cx_accept(cx, CX_TOK_ELLIPSIS);
    if (at_nested(cx, may_be_abstract)) {
      parse_nested(cx, &out, specs, may_be_abstract);
    } else {
      parse_declared_name(cx, &out, may_be_abstract);
      while (cx_parse_attribute(cx, specs)) {
      }
      out.type = parse_suffixes(cx, out.type, specs, &out);
    }
    while (!cx->is_panicking && cx_parse_attribute(cx, specs)) {
    }
  }
  cx_leave(cx);
  return out;
}

// type-id: specifiers declarator?, without a name
CxType *cx_parse_type_id(CxParser *cx) {
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  if (!specs.type) {
    cx_expected(cx, "a type");
    return cx_new_type(cx, CX_TYPE_POISON, cx_span(cx));
  }
  CxDeclarator declarator = cx_parse_declarator(cx, specs.type, &specs, true);
  // T...: the dots belong to whoever asked for the type.
  if (declarator.is_pack && !cx->is_panicking && cx->pos > 0 &&
      cx->tokens[cx->pos - 1].kind == CX_TOK_ELLIPSIS)
    cx_go_to(cx, cx->pos - 1);
  if (declarator.name && !cx->is_panicking) {
    cx_problem(cx, DIAG_expected, declarator.name->span,
               "a type without a name", cx_last_part(declarator.name)->name);
    cx_panic(cx);
  }
  return declarator.type;
}
