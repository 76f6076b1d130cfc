// SPDX-License-Identifier: Apache-2.0
// Qualified names and template arguments.
#include "cxx/cx_parser.h"

#include <string.h>

typedef hd_vec(CxNamePart) PartVec;
typedef hd_vec(CxTemplateArg) ArgVec;

bool cx_at_name_start(const CxParser *cx) {
  if (cx->kind == CX_TOK_COLON_COLON) {
    CxTokenKind next = cx_peek(cx, 1);
    return next == CX_TOK_IDENT || next == CX_TOK_OPERATOR;
  }
  return cx->kind == CX_TOK_IDENT || cx->kind == CX_TOK_OPERATOR;
}

CxName *cx_simple_name(CxParser *cx, const char *name, Span span) {
  CxName *out = ARENA_NEW(cx->arena, CxName);
  out->span = span;
  out->parts = ARENA_NEW(cx->arena, CxNamePart);
  out->parts[0] = (CxNamePart){.name = name, .span = span};
  out->n_parts = 1;
  return out;
}

// --- Template arguments ----------------------------------------------------

// What can't stand among template arguments that are worth guessing at.
static bool ends_guess(unsigned kind) {
  switch (kind) {
  case CX_TOK_EOF:
  case CX_TOK_SEMICOLON:
  case CX_TOK_LBRACE:
  case CX_TOK_RBRACE:
  case CX_TOK_RPAREN:
  case CX_TOK_RBRACKET:
  case CX_TOK_AMP_AMP:
  case CX_TOK_PIPE_PIPE:
  case CX_TOK_EQ:
  case CX_TOK_QUESTION:
  case CX_TOK_DOT:
  case CX_TOK_ARROW:
  case CX_TOK_STRING:
  case CX_TOK_LAUNCH: return true;
  default: return false;
  }
}

bool cx_looks_like_args(const CxParser *cx, uint32_t pos, uint32_t *end) {
  enum { MAX_GUESSED = 200 };

  uint32_t depth = 0;
  uint32_t last = cx->limit - pos < MAX_GUESSED ? cx->limit : pos + MAX_GUESSED;
  for (uint32_t at = pos; at < last; at++) {
    unsigned kind = cx->tokens[at].kind;
    if (ends_guess(kind))
      return false;
    depth += kind == CX_TOK_LT;
    if (kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET)
      at = cx_behind_brackets(cx, at) - 1;
    if (kind != CX_TOK_GT || --depth > 0)
      continue;
    *end = at + 1;
    return true;
  }
  return false;
}

static bool at_arg_end(const CxParser *cx) {
  return cx_at(cx, CX_TOK_COMMA) || cx_at(cx, CX_TOK_GT) ||
         cx_at(cx, CX_TOK_ELLIPSIS);
}

// A name of which nobody knows whether it is a type stands for both.
static void add_type_of_name(CxParser *cx, CxTemplateArg *arg) {
  CxExpr *expr = arg->expr;
  if (expr->kind != CX_EXPR_NAME || expr->has_parens)
    return;
  CxSymbol symbol = cx_scope_find_name(cx, cx->scope, expr->u.name);
  bool is_value =
      (symbol.is & CX_NAME_VALUE) && !(symbol.is & CX_NAME_DEPENDENT);
  if (is_value || cx_last_part(expr->u.name)->kind != CX_PART_IDENT)
    return;
  arg->type = cx_new_type(cx, CX_TYPE_NAMED, expr->span);
  arg->type->u.named.name = expr->u.name;
}

// A name that nobody knows with what only stands behind a type: `x const`, and
// `x *` or `x &` at an argument's end.
static bool at_unknown_type(CxParser *cx) {
  if (!cx_at_simple_name(cx) || !cx_at_type(cx, true))
    return false;
  CxTokenKind next = cx_peek(cx, 1), behind = cx_peek(cx, 2);
  if (next == CX_TOK_CONST || next == CX_TOK_VOLATILE)
    return true;
  return (next == CX_TOK_STAR || next == CX_TOK_AMP) &&
         (behind == CX_TOK_GT || behind == CX_TOK_COMMA);
}

// template-arg: type-id | constant-expression, "..."?
static CxTemplateArg parse_arg(CxParser *cx) {
  Span begin = cx_span(cx);
  uint32_t first = cx->pos;
  CxTemplateArg arg = {0};
  if (cx_at_type(cx, false) || at_unknown_type(cx)) {
    CxAttempt attempt = cx_try(cx);
    CxType *type = cx_parse_type_id(cx);
    if (cx_try_end(cx, &attempt, at_arg_end(cx)))
      arg.type = type;
  }
  if (!arg.type) {
    arg.expr = cx_parse_conditional(cx);
    add_type_of_name(cx, &arg);
  }
  if (cx_at(cx, CX_TOK_ELLIPSIS)) {
    arg.packs = cx_pack_names(cx, first);
    arg.is_expansion = cx_accept(cx, CX_TOK_ELLIPSIS);
  }
  arg.span = cx_since(cx, begin);
  return arg;
}

// template-args: "<" (template-arg ("," template-arg)*)? ">"
void cx_parse_template_args(CxParser *cx, CxNamePart *part) {
  ArgVec args = {0};
  Span begin = cx_span(cx);
  uint32_t opener = cx->pos;
  bool no_gt = cx->no_gt;
  part->has_args = true;
  if (cx_enter(cx)) {
    cx_advance(cx);
    cx->no_gt = true;
    while (!cx_at(cx, CX_TOK_GT) && !cx->is_panicking) {
      CxTemplateArg arg = parse_arg(cx);
      VEC_PUSH(cx->arena, &args, arg);
      if (!cx_accept(cx, CX_TOK_COMMA))
        break;
    }
    cx_expect_close(cx, CX_TOK_GT, opener);
    cx->no_gt = no_gt;
  }
  cx_leave(cx);
  part->args = args.data;
  part->n_args = args.count;
  part->args_span = cx_since(cx, begin);
}

static bool is_builtin_word(CxTokenKind kind) {
  return kind == CX_TOK_FLOAT || kind == CX_TOK_DOUBLE || kind == CX_TOK_INT ||
         kind == CX_TOK_UNSIGNED || kind == CX_TOK_LONG ||
         kind == CX_TOK_SHORT || kind == CX_TOK_BOOL ||
         kind == CX_TOK_CHAR_TYPE || kind == CX_TOK_CONST;
}

// Whether `<` at the current token opens arguments of a name that is `symbol`.
static bool opens_args(const CxParser *cx, CxSymbol symbol, bool is_type,
                       bool has_template) {
  uint32_t end;
  if (!cx_at(cx, CX_TOK_LT))
    return false;
  if (has_template || (symbol.is & CX_NAME_TEMPLATE))
    return true;
  if (symbol.is & CX_NAME_DEPENDENT)
    return is_type && !(symbol.is & CX_NAME_TYPE);
  if (symbol.is) // max<float>(…) of another file's max
    return is_builtin_word(cx_peek(cx, 1)) &&
           cx_looks_like_args(cx, cx->pos, &end) &&
           cx->tokens[end].kind == CX_TOK_LPAREN;
  if (is_type)
    return cx_looks_like_args(cx, cx->pos, &end);
  if (!cx_looks_like_args(cx, cx->pos, &end) || end >= cx->limit)
    return false;
  unsigned next = cx->tokens[end].kind;
  if (cx->no_gt && (next == CX_TOK_COMMA || next == CX_TOK_GT))
    return true;
  return next == CX_TOK_LPAREN || next == CX_TOK_COLON_COLON ||
         next == CX_TOK_LBRACE || next == CX_TOK_IDENT || next == CX_TOK_LAUNCH;
}

// --- Parts -----------------------------------------------------------------

static bool is_overloadable(CxTokenKind kind) {
  return kind >= CX_TOK_COMMA && kind <= CX_TOK_PIPE_EQ &&
         kind != CX_TOK_COLON && kind != CX_TOK_COLON_COLON &&
         kind != CX_TOK_QUESTION && kind != CX_TOK_DOT &&
         kind != CX_TOK_ELLIPSIS && kind != CX_TOK_LAUNCH;
}

static void name_operator(CxParser *cx, CxNamePart *part, const char *what) {
  const char *name = arena_printf(cx->arena, "operator%s", what);
  part->kind = CX_PART_OPERATOR;
  part->name = intern_cstr(cx->interner, name);
}

// The punctuator of the token without its quotes.
static const char *spelling_of(CxParser *cx, CxTokenKind kind) {
  const char *quoted = cx_token_kind_name(kind);
  return arena_strndup(cx->arena, quoted + 1, strlen(quoted) - 2);
}

static void parse_literal_operator(CxParser *cx, CxNamePart *part) {
  uint32_t length;
  const char *text = cx_token_text(cx, cx_token(cx), &length);
  cx_advance(cx);
  part->kind = CX_PART_LITERAL_OPERATOR;
  part->name = intern_text(cx->interner, length > 2 ? text + 2 : text,
                           length > 2 ? length - 2 : 0);
  if (length <= 2 && cx_at(cx, CX_TOK_IDENT)) {
    part->name = cx_token(cx)->u.name;
    cx_advance(cx);
  }
}

// A name behind `operator` is a type, whatever follows.
static CxType *parse_conversion_name(CxParser *cx) {
  const CxName *name = cx_parse_name(cx, true, NULL);
  if (!name)
    return NULL;
  CxType *type = cx_new_type(cx, CX_TYPE_NAMED, name->span);
  type->u.named.name = name;
  return type;
}

static void parse_conversion(CxParser *cx, CxNamePart *part) {
  CxSpecs specs = cx_parse_specifiers(cx, NULL);
  if (!specs.type && cx_at_name_start(cx))
    specs.type = parse_conversion_name(cx);
  part->kind = CX_PART_CONVERSION;
  part->name = intern_cstr(cx->interner, "operator ");
  if (!specs.type) {
    cx_expected(cx, "an operator or a type after 'operator'");
    specs.type = cx_new_type(cx, CX_TYPE_POISON, cx_span(cx));
  }
  part->conversion = cx_parse_pointers(cx, specs.type, &specs);
}

// operator-id: "operator" (punctuator | "()" | "[]" | '""' ident | type)
static void parse_operator(CxParser *cx, CxNamePart *part) {
  cx_advance(cx);
  CxTokenKind kind = cx->kind;
  if (kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET) {
    cx_advance(cx);
    cx_expect(cx, kind == CX_TOK_LPAREN ? CX_TOK_RPAREN : CX_TOK_RBRACKET);
    name_operator(cx, part, kind == CX_TOK_LPAREN ? "()" : "[]");
  } else if (cx_at_shift_right(cx)) {
    cx_advance(cx);
    name_operator(cx, part, cx_at(cx, CX_TOK_GE) ? ">>=" : ">>");
    cx_advance(cx);
  } else if (is_overloadable(kind)) {
    name_operator(cx, part, spelling_of(cx, kind));
    cx_advance(cx);
  } else if (kind == CX_TOK_NEW || kind == CX_TOK_DELETE) {
    name_operator(cx, part, kind == CX_TOK_NEW ? " new" : " delete");
    cx_advance(cx);
    if (cx_accept(cx, CX_TOK_LBRACKET))
      cx_expect(cx, CX_TOK_RBRACKET);
  } else if (kind == CX_TOK_STRING) {
    parse_literal_operator(cx, part);
  } else {
    parse_conversion(cx, part);
  }
}

// part: ident | "~" ident | operator-id
static bool parse_part(CxParser *cx, CxNamePart *part) {
  Span begin = cx_span(cx);
  if (cx_accept(cx, CX_TOK_TILDE))
    part->kind = CX_PART_DESTRUCTOR;
  if (cx_at(cx, CX_TOK_IDENT)) {
    part->name = cx_token(cx)->u.name;
    cx_advance(cx);
  } else if (cx_at(cx, CX_TOK_OPERATOR) && part->kind == CX_PART_IDENT) {
    parse_operator(cx, part);
  } else {
    cx_expected(cx, "a name");
    return false;
  }
  part->span = cx_since(cx, begin);
  return true;
}

// Whether the name goes on behind `::`; S::* does not.
static bool at_next_part(const CxParser *cx) {
  if (!cx_at(cx, CX_TOK_COLON_COLON))
    return false;
  CxTokenKind next = cx_peek(cx, 1);
  return next == CX_TOK_IDENT || next == CX_TOK_TEMPLATE ||
         next == CX_TOK_TILDE || next == CX_TOK_OPERATOR;
}

// What the name up to its last part is.
static CxSymbol symbol_of(const CxParser *cx, PartVec *parts, bool is_global) {
  CxName name = {
      .parts = parts->data, .n_parts = parts->count, .is_global = is_global};
  return cx_scope_find_name(cx, cx->scope, &name);
}

// name: "::"? (part template-args? "::" "template"?)* part template-args?
static CxName *parse_parts(CxParser *cx, bool is_type, CxSymbol *symbol) {
  enum { MAX_PARTS = 64 };

  CxName *name = ARENA_NEW(cx->arena, CxName);
  PartVec parts = {0};
  Span begin = cx_span(cx);
  name->is_global = cx_accept(cx, CX_TOK_COLON_COLON);
  for (;;) {
    CxNamePart part = {.has_template = cx_accept(cx, CX_TOK_TEMPLATE)};
    if (!parse_part(cx, &part) || parts.count >= MAX_PARTS)
      return NULL;
    VEC_PUSH(cx->arena, &parts, part);
    *symbol = symbol_of(cx, &parts, name->is_global);
    if (opens_args(cx, *symbol, is_type, part.has_template))
      cx_parse_template_args(cx, &VEC_LAST(&parts));
    if (!at_next_part(cx))
      break;
    cx_advance(cx);
  }
  name->parts = parts.data;
  name->n_parts = parts.count;
  name->span = cx_since(cx, begin);
  return cx->is_panicking ? NULL : name;
}

const CxNamed *cx_parse_name_at(CxParser *cx, bool is_type) {
  if (cx->is_panicking)
    return NULL;
  uint64_t key = (uint64_t)cx->pos * 2 + is_type + 2;
  CxNamed *known = map_get(&cx->named, key);
  if (known)
    return known;
  CxNamed named = {0};
  CxAttempt attempt = cx_try(cx);
  uint32_t last_end = cx->last_end;
  uint64_t tried = cx->tried;
  named.name = parse_parts(cx, is_type, &named.symbol);
  named.end = cx->pos;
  if (!named.name || cx->is_panicking) {
    cx->trying--; // the error stays
    return NULL;
  }
  cx_try_end(cx, &attempt, false);
  if (cx->trying == 0)
    cx->tried = tried; // what is remembered is parsed once
  cx->last_end = last_end;
  known = ARENA_NEW(cx->arena, CxNamed);
  *known = named;
  map_put(cx->arena, &cx->named, key, known);
  return known;
}

bool cx_at_simple_name(const CxParser *cx) {
  CxTokenKind next = cx_peek(cx, 1);
  return cx->kind == CX_TOK_IDENT && next != CX_TOK_COLON_COLON &&
         next != CX_TOK_LT;
}

const CxName *cx_parse_name(CxParser *cx, bool is_type, CxSymbol *symbol) {
  if (cx_at_simple_name(cx)) {
    const char *name = cx_token(cx)->u.name;
    Span span = cx_span(cx);
    if (symbol)
      *symbol = cx_scope_find(cx, cx->scope, name);
    cx_advance(cx);
    return cx_simple_name(cx, name, span);
  }
  const CxNamed *named = cx_parse_name_at(cx, is_type);
  if (symbol)
    *symbol = (CxSymbol){0};
  if (!named)
    return NULL;
  if (symbol)
    *symbol = named->symbol;
  cx_go_to(cx, named->end);
  cx->last_end = named->name->span.end;
  return named->name;
}

// x.f<...>(): a comparison with nothing doesn't exist. x.f<int>(y), but not
// x.f < int(z) > (y).
static bool are_certain_args(const CxParser *cx, uint32_t end) {
  bool begins_type =
      is_builtin_word(cx_peek(cx, 1)) && cx_peek(cx, 2) != CX_TOK_LPAREN;
  return cx_kind_at(cx, end) == CX_TOK_LPAREN &&
         (begins_type || cx_kind_at(cx, end + 1) == CX_TOK_RPAREN);
}

// Whether a member of this name takes the template arguments that stand
// behind it.
static bool member_opens_args(CxParser *cx, const CxNamePart *part) {
  uint32_t end;
  if (!cx_at(cx, CX_TOK_LT))
    return false;
  if (part->has_template)
    return true;
  if (part->kind != CX_PART_IDENT || !cx_looks_like_args(cx, cx->pos, &end))
    return false;
  return map_has(&cx->member_templates, MAP_KEY(part->name)) ||
         cx_kind_at(cx, end) == CX_TOK_COLON_COLON || are_certain_args(cx, end);
}

// "template"? part template-args?
static bool add_member_part(CxParser *cx, PartVec *parts) {
  CxNamePart part = {.has_template = cx_accept(cx, CX_TOK_TEMPLATE)};
  if (!parse_part(cx, &part))
    return false;
  if (member_opens_args(cx, &part))
    cx_parse_template_args(cx, &part);
  VEC_PUSH(cx->arena, parts, part);
  return true;
}

// member-name: "template"? part template-args? ("::" …)*
const CxName *cx_parse_member_name(CxParser *cx) {
  CxName *name = ARENA_NEW(cx->arena, CxName);
  PartVec parts = {0};
  Span begin = cx_span(cx);
  for (;;) {
    if (!add_member_part(cx, &parts))
      return NULL;
    if (!at_next_part(cx) || parts.count > SYNTAX_MAX_NESTING)
      break;
    cx_advance(cx);
  }
  name->parts = parts.data;
  name->n_parts = parts.count;
  name->span = cx_since(cx, begin);
  return name;
}

// name-of: ("::" "template"? part template-args?)+
const CxName *cx_parse_name_of(CxParser *cx, CxType *type) {
  if (cx->is_panicking || !at_next_part(cx))
    return NULL;
  CxName *name = ARENA_NEW(cx->arena, CxName);
  PartVec parts = {0};
  CxNamePart first = {
      .kind = CX_PART_TYPE, .span = type->span, .conversion = type};
  VEC_PUSH(cx->arena, &parts, first);
  while (at_next_part(cx) && parts.count <= SYNTAX_MAX_NESTING) {
    cx_advance(cx);
    if (!add_member_part(cx, &parts))
      return NULL;
  }
  name->parts = parts.data;
  name->n_parts = parts.count;
  name->span = cx_since(cx, type->span);
  return name;
}
