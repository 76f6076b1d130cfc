// SPDX-License-Identifier: Apache-2.0
// Specifiers: type words, qualifiers, attributes.
#include "cxx/cx_parser.h"

#include <string.h>

// --- Where types begin -----------------------------------------------------

bool cx_at_type_word(const CxParser *cx) {
  switch ((int)cx->kind) {
  case CX_TOK_AUTO:
  case CX_TOK_BOOL:
  case CX_TOK_CHAR_TYPE:
  case CX_TOK_CHAR8:
  case CX_TOK_CHAR16:
  case CX_TOK_CHAR32:
  case CX_TOK_WCHAR:
  case CX_TOK_DOUBLE:
  case CX_TOK_FLOAT:
  case CX_TOK_FLOAT16:
  case CX_TOK_BF16:
  case CX_TOK_INT:
  case CX_TOK_INT128:
  case CX_TOK_LONG:
  case CX_TOK_SHORT:
  case CX_TOK_SIGNED:
  case CX_TOK_UNSIGNED:
  case CX_TOK_VOID:
  case CX_TOK_DECLTYPE:
  case CX_TOK_TYPEOF:
  case CX_TOK_TYPENAME:
  case CX_TOK_CONST:
  case CX_TOK_VOLATILE:
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
  case CX_TOK_ENUM: return true;
  default: return false;
  }
}

// What the name at the current token is.
static CxSymbol symbol_at(CxParser *cx, bool is_type) {
  if (cx_at_simple_name(cx))
    return cx_scope_find(cx, cx->scope, cx_token(cx)->u.name);
  const CxNamed *named = cx_parse_name_at(cx, is_type);
  return named ? named->symbol : (CxSymbol){.is = CX_NAME_VALUE};
}

bool cx_at_type(CxParser *cx, bool if_unknown) {
  if (cx_at_type_word(cx))
    return true;
  if (!cx_at_name_start(cx) || cx_at(cx, CX_TOK_OPERATOR))
    return false;
  CxSymbol symbol = symbol_at(cx, if_unknown);
  return symbol.is ? cx_is_type_symbol(symbol) : if_unknown;
}

// --- Attributes ------------------------------------------------------------

void cx_note_unsupported(CxDecl *decl, const char *what, Span span) {
  if (decl->unsupported)
    return;
  decl->unsupported = what;
  decl->unsupported_span = span;
}

static void parse_type_note(CxSpecs *specs, const char *what, Span span) {
  if (specs->unsupported)
    return;
  specs->unsupported = what;
  specs->unsupported_span = span;
}

// ( e ) behind a word; NULL after an error.
static CxExprList parse_word_args(CxParser *cx) {
  cx_advance(cx);
  if (!cx_at(cx, CX_TOK_LPAREN)) {
    cx_expected(cx, "'('");
    return (CxExprList){0};
  }
  return cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
}

// alignas(e), alignas(T), __align__(e), aligned(e)
static void parse_align(CxParser *cx, CxSpecs *specs) {
  cx_advance(cx);
  uint32_t opener = cx->pos;
  if (!cx_expect(cx, CX_TOK_LPAREN))
    return;
  CxAttempt attempt = cx_try(cx);
  CxType *type = cx_at_type(cx, false) ? cx_parse_type_id(cx) : NULL;
  if (cx_try_end(cx, &attempt, type && cx_at(cx, CX_TOK_RPAREN)))
    specs->align_type = type;
  else
    specs->align = cx_parse_assignment(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
}

static bool parse_type_is_word(const char *name, const char *word) {
  size_t n = strlen(name);
  bool has_lines =
      n > 4 && memcmp(name, "__", 2) == 0 && memcmp(name + n - 2, "__", 2) == 0;
  size_t inner = has_lines ? n - 4 : n;
  return strlen(word) == inner &&
         memcmp(name + (has_lines ? 2 : 0), word, inner) == 0;
}

// One word inside __attribute__((…)) or [[…]].
static void parse_foreign_attribute(CxParser *cx, CxSpecs *specs) {
  bool has_name = cx_at(cx, CX_TOK_IDENT) || cx_token_is_word(cx->kind);
  const char *name = has_name ? cx_token(cx)->u.name : "";
  if (parse_type_is_word(name, "aligned") && cx_peek(cx, 1) == CX_TOK_LPAREN) {
    parse_align(cx, specs);
    return;
  }
  if (parse_type_is_word(name, "packed"))
    parse_type_note(specs, "packed structs", cx_span(cx));
  if (parse_type_is_word(name, "noreturn"))
    specs->specs |= CX_SPEC_NORETURN;
  if (parse_type_is_word(name, "always_inline"))
    specs->specs |= CX_SPEC_FORCEINLINE;
  if (parse_type_is_word(name, "noinline"))
    specs->specs |= CX_SPEC_NOINLINE;
  if (cx_at(cx, CX_TOK_LPAREN) || cx_at(cx, CX_TOK_LBRACKET) ||
      cx_at(cx, CX_TOK_LBRACE))
    cx_skip_brackets(cx);
  else
    cx_advance(cx);
}

// __attribute__((…)) __declspec(…) [[…]]: the position is at the bracket.
static void parse_foreign_attributes(CxParser *cx, CxSpecs *specs) {
  uint32_t opener = cx->pos;
  CxTokenKind close = (CxTokenKind)(cx->kind + 1);
  if (!cx_at(cx, CX_TOK_LPAREN) && !cx_at(cx, CX_TOK_LBRACKET)) {
    cx_expected(cx, "'('");
    return;
  }
  cx_advance(cx);
  bool is_double = cx_accept(cx, (CxTokenKind)(close - 1));
  while (!cx_at(cx, close) && !cx_at(cx, CX_TOK_EOF) && !cx->is_panicking)
    parse_foreign_attribute(cx, specs);
  if (is_double)
    cx_expect(cx, close);
  cx_expect_close(cx, close, opener);
}

static bool at_own_attribute(const CxParser *cx) {
  return cx_at(cx, CX_TOK_IDENT) &&
         strncmp(cx_token(cx)->u.name, "__heddle", 8) == 0;
}

static void parse_own_attribute(CxParser *cx, CxSpecs *specs) {
  Span begin = cx_span(cx);
  CxAttribute attribute = {.word = cx_token(cx)->u.name};
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LPAREN))
    attribute.args = cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
  attribute.span = cx_since(cx, begin);
  VEC_PUSH(cx->arena, &specs->attributes, attribute);
}

bool cx_parse_attribute(CxParser *cx, CxSpecs *specs) {
  switch ((int)cx->kind) {
  case CX_TOK_LBRACKET:
    if (cx_peek(cx, 1) != CX_TOK_LBRACKET)
      return false;
    parse_foreign_attributes(cx, specs);
    return true;
  case CX_TOK_ATTRIBUTE:
  case CX_TOK_DECLSPEC:
    cx_advance(cx);
    parse_foreign_attributes(cx, specs);
    return true;
  case CX_TOK_EXTENSION: cx_advance(cx); return true;
  case CX_TOK_ALIGN:
  case CX_TOK_ALIGNAS: parse_align(cx, specs); return true;
  case CX_TOK_LAUNCH_BOUNDS:
    specs->launch_bounds = parse_word_args(cx);
    return true;
  case CX_TOK_CLUSTER_DIMS:
    specs->cluster_dims = parse_word_args(cx);
    return true;
  case CX_TOK_MAXNREG: parse_word_args(cx); return true;
  default: break;
  }
  if (!at_own_attribute(cx))
    return false;
  parse_own_attribute(cx, specs);
  return true;
}

// --- Qualifiers ------------------------------------------------------------

uint8_t cx_parse_quals(CxParser *cx) {
  uint8_t quals = 0;
  for (;;) {
    if (cx_accept(cx, CX_TOK_CONST))
      quals |= CX_QUAL_CONST;
    else if (cx_accept(cx, CX_TOK_VOLATILE))
      quals |= CX_QUAL_VOLATILE;
    else if (cx_accept(cx, CX_TOK_RESTRICT))
      quals |= CX_QUAL_RESTRICT;
    else
      return quals;
  }
}

// --- Type words ------------------------------------------------------------

// How often each of C's type words stands in one declaration.
typedef struct {
  uint8_t n_signed, n_unsigned, n_short, n_long, n_int;
  bool has_any;
  bool has_base;
  CxBuiltin base; // a word that isn't one of those
} TypeWords;

static bool take_base_word(CxParser *cx, TypeWords *words) {
  static const struct {
    CxTokenKind token;
    CxBuiltin builtin;
  } rows[] = {
      {CX_TOK_VOID, CX_BUILTIN_VOID},      {CX_TOK_BOOL, CX_BUILTIN_BOOL},
      {CX_TOK_CHAR_TYPE, CX_BUILTIN_CHAR}, {CX_TOK_CHAR8, CX_BUILTIN_CHAR8},
      {CX_TOK_CHAR16, CX_BUILTIN_CHAR16},  {CX_TOK_CHAR32, CX_BUILTIN_CHAR32},
      {CX_TOK_WCHAR, CX_BUILTIN_WCHAR},    {CX_TOK_FLOAT16, CX_BUILTIN_HALF},
      {CX_TOK_BF16, CX_BUILTIN_BFLOAT16},  {CX_TOK_FLOAT, CX_BUILTIN_FLOAT},
      {CX_TOK_DOUBLE, CX_BUILTIN_DOUBLE},  {CX_TOK_INT128, CX_BUILTIN_INT128}};

  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    if (cx->kind != rows[i].token || words->has_base)
      continue;
    words->has_base = true;
    words->base = rows[i].builtin;
    return true;
  }
  return false;
}

static bool take_type_word(CxParser *cx, TypeWords *words) {
  switch ((int)cx->kind) {
  case CX_TOK_SIGNED: words->n_signed++; break;
  case CX_TOK_UNSIGNED: words->n_unsigned++; break;
  case CX_TOK_SHORT: words->n_short++; break;
  case CX_TOK_LONG: words->n_long++; break;
  case CX_TOK_INT: words->n_int++; break;
  default:
    if (!take_base_word(cx, words))
      return false;
  }
  words->has_any = true;
  cx_advance(cx);
  return true;
}

static CxBuiltin builtin_of(const TypeWords *words) {
  bool is_unsigned = words->n_unsigned > 0;
  if (words->has_base) {
    switch ((int)words->base) {
    case CX_BUILTIN_CHAR:
      return is_unsigned       ? CX_BUILTIN_UCHAR
             : words->n_signed ? CX_BUILTIN_SCHAR
                               : CX_BUILTIN_CHAR;
    case CX_BUILTIN_DOUBLE:
      return words->n_long ? CX_BUILTIN_LDOUBLE : CX_BUILTIN_DOUBLE;
    case CX_BUILTIN_INT128:
      return is_unsigned ? CX_BUILTIN_UINT128 : CX_BUILTIN_INT128;
    default: return words->base;
    }
  }
  if (words->n_short)
    return is_unsigned ? CX_BUILTIN_USHORT : CX_BUILTIN_SHORT;
  if (words->n_long >= 2)
    return is_unsigned ? CX_BUILTIN_ULLONG : CX_BUILTIN_LLONG;
  if (words->n_long)
    return is_unsigned ? CX_BUILTIN_ULONG : CX_BUILTIN_LONG;
  return is_unsigned ? CX_BUILTIN_UINT : CX_BUILTIN_INT;
}

// --- Specifiers ------------------------------------------------------------

typedef struct {
  CxParser *cx;
  CxSpecs specs;
  const CxScope *record; // the class whose members are parsed, or NULL
  TypeWords words;
  uint8_t quals;
} SpecParser;

static uint32_t parse_type_spec_of(CxTokenKind kind) {
  switch ((int)kind) {
  case CX_TOK_GLOBAL: return CX_SPEC_GLOBAL;
  case CX_TOK_DEVICE: return CX_SPEC_DEVICE;
  case CX_TOK_HOST: return CX_SPEC_HOST;
  case CX_TOK_SHARED: return CX_SPEC_SHARED;
  case CX_TOK_CONSTANT: return CX_SPEC_CONSTANT;
  case CX_TOK_MANAGED: return CX_SPEC_MANAGED;
  case CX_TOK_GRID_CONSTANT: return CX_SPEC_GRID_CONSTANT;
  case CX_TOK_FORCEINLINE: return CX_SPEC_FORCEINLINE;
  case CX_TOK_NOINLINE: return CX_SPEC_NOINLINE;
  case CX_TOK_STATIC: return CX_SPEC_STATIC;
  case CX_TOK_EXTERN: return CX_SPEC_EXTERN;
  case CX_TOK_INLINE: return CX_SPEC_INLINE;
  case CX_TOK_CONSTEXPR: return CX_SPEC_CONSTEXPR;
  case CX_TOK_REGISTER: return CX_SPEC_REGISTER;
  case CX_TOK_THREAD_LOCAL: return CX_SPEC_THREAD_LOCAL;
  case CX_TOK_VIRTUAL: return CX_SPEC_VIRTUAL;
  case CX_TOK_EXPLICIT: return CX_SPEC_EXPLICIT;
  case CX_TOK_MUTABLE: return CX_SPEC_MUTABLE;
  case CX_TOK_TYPEDEF: return CX_SPEC_TYPEDEF;
  default: return 0;
  }
}

static bool take_spec_word(SpecParser *at) {
  CxParser *cx = at->cx;
  uint32_t spec = parse_type_spec_of(cx->kind);
  if (!spec)
    return false;
  at->specs.specs |= spec;
  cx_advance(cx);
  if (spec == CX_SPEC_EXPLICIT && cx_at(cx, CX_TOK_LPAREN))
    cx_skip_brackets(cx);
  return true;
}

static void set_type(SpecParser *at, CxType *type) {
  if (at->specs.type || at->words.has_any) {
    cx_expected(at->cx, "a name after the type");
    return;
  }
  at->specs.type = type;
}

static CxType *named_type(CxParser *cx, const CxName *name) {
  CxType *type = cx_new_type(cx, CX_TYPE_NAMED, name->span);
  type->u.named.name = name;
  return type;
}

// decltype(e) decltype(auto) typeof(e) typeof(T)
static CxType *parse_decltype(CxParser *cx) {
  Span begin = cx_span(cx);
  bool is_typeof = cx_at(cx, CX_TOK_TYPEOF);
  cx_advance(cx);
  uint32_t opener = cx->pos;
  CxType *type = cx_new_type(cx, CX_TYPE_DECLTYPE, begin);
  if (!cx_expect(cx, CX_TOK_LPAREN))
    return type;
  bool no_gt = cx->no_gt;
  cx->no_gt = false;
  CxAttempt attempt = cx_try(cx);
  bool may_be_type = is_typeof && cx_at_type(cx, false);
  CxType *inner = may_be_type ? cx_parse_type_id(cx) : NULL;
  if (cx_try_end(cx, &attempt, inner && cx_at(cx, CX_TOK_RPAREN)))
    type = inner;
  else if (!cx_accept(cx, CX_TOK_AUTO))
    type->u.expr = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  cx->no_gt = no_gt;
  if (type != inner)
    type->span = cx_since(cx, begin);
  const CxName *member = cx_parse_name_of(cx, type);
  return member ? named_type(cx, member) : type;
}

// typename T::x
static CxType *parse_typename(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_DECLTYPE))
    return parse_decltype(cx);
  const CxName *name = cx_parse_name(cx, true, NULL);
  if (!name)
    return cx_new_type(cx, CX_TYPE_POISON, begin);
  CxType *type = named_type(cx, name);
  type->span = cx_since(cx, begin);
  type->u.named.has_typename = true;
  return type;
}

// Whether what follows the name that ends before `pos` fits a type: another
// name, a declarator's sign, a type's end.
static bool follows_type(const CxParser *cx, uint32_t pos) {
  if (pos >= cx->limit)
    return true;
  switch (cx->tokens[pos].kind) {
  case CX_TOK_IDENT:
  case CX_TOK_STAR:
  case CX_TOK_AMP:
  case CX_TOK_AMP_AMP:
  case CX_TOK_CONST:
  case CX_TOK_VOLATILE:
  case CX_TOK_RESTRICT:
  case CX_TOK_COMMA:
  case CX_TOK_RPAREN:
  case CX_TOK_GT:
  case CX_TOK_GE:
  case CX_TOK_ELLIPSIS:
  case CX_TOK_OPERATOR:
  case CX_TOK_ATTRIBUTE:
  case CX_TOK_COLON_COLON:
  case CX_TOK_LBRACE:
  case CX_TOK_SEMICOLON:
  case CX_TOK_EQ: return true;
  default:
    return parse_type_spec_of((CxTokenKind)cx->tokens[pos].kind) != 0 ||
           cx->tokens[pos].kind == CX_TOK_LAUNCH_BOUNDS;
  }
}

// Whether the name is that of a constructor, destructor or conversion that is
// declared here: it has no type.
static bool is_special_member(const SpecParser *at, const CxName *name,
                              uint32_t end) {
  const CxNamePart *last = cx_last_part(name);
  bool has_params =
      end < at->cx->limit && at->cx->tokens[end].kind == CX_TOK_LPAREN;
  if (last->kind != CX_PART_IDENT)
    return true;
  if (!has_params)
    return false;
  if (name->n_parts == 1)
    return at->record && at->record->name == last->name;
  return name->parts[name->n_parts - 2].name == last->name;
}

// A type's name, unless what stands here is the declarator.
static bool take_type_name(SpecParser *at) {
  CxParser *cx = at->cx;
  if (at->specs.type || at->words.has_any || !cx_at_name_start(cx) ||
      cx_at(cx, CX_TOK_OPERATOR))
    return false;
  const CxName *name;
  uint32_t end;
  CxSymbol symbol;
  uint32_t pos = cx->pos;
  if (cx_at_simple_name(cx)) {
    const char *text = cx_token(cx)->u.name;
    name = cx_simple_name(cx, text, cx_span(cx));
    symbol = cx_scope_find(cx, cx->scope, text);
    end = pos + 1;
  } else {
    const CxNamed *named = cx_parse_name_at(cx, true);
    if (!named)
      return false;
    name = named->name;
    symbol = named->symbol;
    end = named->end;
  }
  bool is_value = (symbol.is & (CX_NAME_VALUE | CX_NAME_SPACE)) &&
                  !(symbol.is & CX_NAME_DEPENDENT) &&
                  !cx_is_type_symbol(symbol);
  if (is_special_member(at, name, end) || is_value)
    return false;
  if (!cx_is_type_symbol(symbol) && !follows_type(cx, end))
    return false;
  at->specs.type = named_type(cx, name);
  cx_go_to(cx, end);
  cx->last_end = name->span.end;
  return true;
}

// A type begins at the `ahead`th token from here.
static bool is_before_type(const CxParser *cx, uint32_t ahead) {
  switch ((int)cx_peek(cx, ahead)) {
  case CX_TOK_VOID:
  case CX_TOK_BOOL:
  case CX_TOK_CHAR_TYPE:
  case CX_TOK_INT:
  case CX_TOK_UNSIGNED:
  case CX_TOK_LONG:
  case CX_TOK_FLOAT:
  case CX_TOK_DOUBLE:
  case CX_TOK_AUTO:
  case CX_TOK_STATIC:
  case CX_TOK_INLINE:
  case CX_TOK_FORCEINLINE:
  case CX_TOK_HOST:
  case CX_TOK_DEVICE:
  case CX_TOK_GLOBAL:
  case CX_TOK_CONSTEXPR:
  case CX_TOK_VIRTUAL:
  case CX_TOK_EXPLICIT:
  case CX_TOK_TILDE: return true;
  case CX_TOK_CONST: return ahead == 1 && is_before_type(cx, 2);
  case CX_TOK_IDENT: break;
  default: return false;
  }
  const char *next = cx->tokens[cx->pos + ahead].u.name;
  CxTokenKind behind = cx_peek(cx, ahead + 1);
  CxSymbol symbol = cx_scope_find(cx, cx->scope, next);
  if (behind == CX_TOK_IDENT)
    return !symbol.is || cx_is_type_symbol(symbol); // T f
  return cx_is_type_symbol(symbol) &&               // T *f, T<int> f, T() in T
         (behind == CX_TOK_STAR || behind == CX_TOK_AMP ||
          behind == CX_TOK_LT || behind == CX_TOK_LPAREN);
}

// Of NAME(…) before what only declares a function: where that begins; 0: it is
// something else, such as a constraint.
static uint32_t behind_bounds(const CxParser *cx) {
  if (cx_peek(cx, 1) != CX_TOK_LPAREN ||
      strcmp(cx->tokens[cx->pos].u.name, "requires") == 0)
    return 0;
  uint32_t behind = cx_behind_brackets(cx, cx->pos + 1);
  switch ((int)cx_kind_at(cx, behind)) {
  case CX_TOK_GLOBAL:
  case CX_TOK_DEVICE:
  case CX_TOK_HOST:
  case CX_TOK_FORCEINLINE: return behind;
  default: return 0;
  }
}

// A name that nobody knows before a type: a macro of a header that is missing,
// maybe with arguments. It is passed over.
static bool skip_macro(SpecParser *at) {
  CxParser *cx = at->cx;
  if (at->specs.type || at->words.has_any || !cx_at(cx, CX_TOK_IDENT) ||
      cx_scope_find(cx, cx->scope, cx_token(cx)->u.name).is)
    return false;
  uint32_t behind = behind_bounds(cx);
  if (!behind && !is_before_type(cx, 1))
    return false;
  cx_advance(cx);
  while (cx->pos < behind)
    cx_advance(cx);
  return true;
}

static bool take_type(SpecParser *at) {
  CxParser *cx = at->cx;
  CxType *type = NULL;
  switch ((int)cx->kind) {
  case CX_TOK_STRUCT:
  case CX_TOK_CLASS:
  case CX_TOK_UNION:
    at->specs.definition = cx_parse_record(cx, &at->specs, &type);
    break;
  case CX_TOK_ENUM:
    at->specs.definition = cx_parse_enum(cx, &at->specs, &type);
    break;
  case CX_TOK_TYPENAME: type = parse_typename(cx); break;
  case CX_TOK_DECLTYPE:
  case CX_TOK_TYPEOF: type = parse_decltype(cx); break;
  case CX_TOK_AUTO:
    type = cx_new_type(cx, CX_TYPE_AUTO, cx_span(cx));
    cx_advance(cx);
    break;
  default: return skip_macro(at) || take_type_name(at);
  }
  set_type(at, type);
  return true;
}

static bool take_friend(SpecParser *at) {
  if (!cx_accept(at->cx, CX_TOK_FRIEND))
    return false;
  at->specs.specs |= CX_SPEC_FRIEND;
  return true;
}

static void finish_type(SpecParser *at, Span begin) {
  CxParser *cx = at->cx;
  CxSpecs *specs = &at->specs;
  if (at->words.has_any) {
    specs->type = cx_new_type(cx, CX_TYPE_BUILTIN, begin);
    specs->type->u.builtin = builtin_of(&at->words);
  }
  if (!specs->type || !at->quals)
    return;
  if (specs->type->kind == CX_TYPE_DEFINITION) {
    CxType *copy = cx_new_type(cx, CX_TYPE_DEFINITION, specs->type->span);
    copy->u.definition = specs->type->u.definition;
    specs->type = copy;
  }
  specs->type->quals |= at->quals;
}

// specifiers: (spec-word | attribute | qualifier | type)*
CxSpecs cx_parse_specifiers(CxParser *cx, const CxScope *record) {
  SpecParser at = {.cx = cx, .record = record};
  Span begin = cx_span(cx);
  Span type_begin = begin;
  while (!cx->is_panicking) {
    uint8_t quals = cx_parse_quals(cx);
    at.quals |= quals;
    Span here = cx_span(cx);
    bool had_type = at.specs.type || at.words.has_any;
    if (quals || take_spec_word(&at) || take_friend(&at) ||
        cx_parse_attribute(cx, &at.specs))
      continue;
    if (!at.specs.type && take_type_word(cx, &at.words)) {
      if (!had_type)
        type_begin = here;
      continue;
    }
    if (!take_type(&at))
      break;
  }
  if (at.words.has_any)
    type_begin = cx_since(cx, type_begin);
  finish_type(&at, type_begin);
  at.specs.span = cx_since(cx, begin);
  return at.specs;
}
