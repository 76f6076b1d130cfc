// SPDX-License-Identifier: Apache-2.0
// Specifiers: everything of a declaration before its first name.
#include "syntax/parser.h"

#include "base/bits.h"
#include "syntax/parse.h"
#include "syntax/parse_builtin.h"
#include <string.h>

// --- What starts a type ----------------------------------------------------

static uint32_t qualifier_of(TokenKind kind) {
  switch ((int)kind) {
  case TOK_CONST: return QUAL_CONST;
  case TOK_RESTRICT: return QUAL_RESTRICT;
  case TOK_VOLATILE: return QUAL_VOLATILE;
  case TOK_ATOMIC: return QUAL_ATOMIC;
  default: return 0;
  }
}

static bool is_type_keyword(TokenKind kind) {
  switch ((int)kind) {
  case TOK_STRUCT:
  case TOK_UNION:
  case TOK_ENUM:
  case TOK_TYPEOF: return true;
  default: return builtin_is_word(kind) || qualifier_of(kind) != 0;
  }
}

static uint32_t storage_of(TokenKind kind) {
  switch ((int)kind) {
  case TOK_TYPEDEF: return STORAGE_TYPEDEF;
  case TOK_EXTERN: return STORAGE_EXTERN;
  case TOK_STATIC: return STORAGE_STATIC;
  case TOK_INLINE: return STORAGE_INLINE;
  case TOK_REGISTER: return STORAGE_REGISTER;
  case TOK_THREAD_LOCAL: return STORAGE_THREAD_LOCAL;
  case TOK_NORETURN: return STORAGE_NORETURN;
  case TOK_CONSTEXPR: return STORAGE_CONSTEXPR;
  default: return 0;
  }
}

// What may stand behind a space, `tile` or an unknown type and makes it one.
static bool is_word_token(const Token *token) {
  TokenKind kind = token->kind;
  return kind == TOK_IDENT || is_type_keyword(kind) || storage_of(kind) != 0 ||
         kind == TOK_ALIGNAS;
}

// The space that an identifier names, 0 if it names none.
static uint32_t parse_type_space_of(const Parser *cx, const char *name) {
  const Words *words = &cx->words;
  return name == words->global     ? QUAL_GLOBAL
         : name == words->shared   ? QUAL_SHARED
         : name == words->constant ? QUAL_CONSTANT
         : name == words->local    ? QUAL_LOCAL
         : name == words->generic  ? QUAL_GENERIC
         : name == words->cluster  ? QUAL_CLUSTER
         : name == words->tmem     ? QUAL_TMEM
                                   : 0;
}

// A name before another word can't be an expression, so `shared float` and
// `tile T` are types wherever they stand.
bool is_type_start(Parser *cx, uint32_t n) {
  const Token *token = parser_peek(cx, n);
  if (token->kind != TOK_IDENT)
    return is_type_keyword(token->kind);
  const char *name = token->name;
  if (scope_is_type(cx, name))
    return true;
  bool is_prefix = parse_type_space_of(cx, name) || name == cx->words.tile;
  return is_prefix && is_word_token(parser_peek(cx, n + 1));
}

bool at_type_name(Parser *cx) {
  return is_type_start(cx, 0);
}

// At `group (`, `mbarrier (` or `pipeline (`: whether a name follows the
// parentheses, which makes it a declaration and not a call.
static bool has_name_after_parens(Parser *cx) {
  uint32_t depth = 0;
  uint32_t n = 1;
  for (;; n++) {
    TokenKind kind = parser_peek(cx, n)->kind;
    if (kind == TOK_EOF || kind == TOK_PANIC || kind == TOK_SEMICOLON ||
        kind == TOK_LBRACE)
      return false;
    depth += kind == TOK_LPAREN;
    if (kind == TOK_RPAREN && --depth == 0)
      return parser_peek(cx, n + 1)->kind == TOK_IDENT;
  }
}

static bool is_sized_word(const Parser *cx, const char *name) {
  return name == cx->words.group || name == cx->words.mbarrier ||
         name == cx->words.pipeline;
}

bool at_declaration(Parser *cx) {
  TokenKind kind = cx->token.kind;
  if (kind != TOK_IDENT)
    return is_type_keyword(kind) || storage_of(kind) != 0 ||
           kind == TOK_ALIGNAS || kind == TOK_AUTO ||
           kind == TOK_STATIC_ASSERT || kind == TOK_STATIC_ASSERT_C11;
  const Token *next = parser_peek(cx, 1);
  if (next->kind == TOK_IDENT || is_type_start(cx, 0))
    return true;
  return is_sized_word(cx, cx->token.name) && next->kind == TOK_LPAREN &&
         has_name_after_parens(cx);
}

// --- Qualifiers ------------------------------------------------------------

// Whether the identifier here is a space although it might be a name: another
// word or a `*` must follow it.
static uint32_t space_here(Parser *cx) {
  if (!at(cx, TOK_IDENT))
    return 0;
  uint32_t space = parse_type_space_of(cx, cx->token.name);
  if (!space)
    return 0;
  const Token *next = parser_peek(cx, 1);
  return is_word_token(next) || next->kind == TOK_STAR ? space : 0;
}

static void add_qualifier(Parser *cx, uint32_t *quals, uint32_t qualifier) {
  uint32_t spaces = (*quals | qualifier) & QUAL_SPACES;
  bool is_second = (qualifier & QUAL_SPACES) && bits_has_several(spaces);
  if (is_second && !parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_bad_specifiers,
                parser_place(cx, cx->token.span), DS("another space"),
                DS(cx->token.name));
  if (!is_second)
    *quals |= qualifier;
  parser_advance(cx);
}

// qualifier: 'const' | 'restrict' | 'volatile' | '_Atomic' | space
// space: 'global' | 'shared' | 'constant' | 'local' | 'generic' | 'tmem'
//      | 'cluster'
uint32_t parse_qualifiers(Parser *cx) {
  uint32_t quals = 0;
  for (;;) {
    uint32_t one = qualifier_of(cx->token.kind);
    if (!one)
      one = space_here(cx);
    if (one)
      add_qualifier(cx, &quals, one);
    else if (!parse_foreign_words(cx)) // __restrict__ and its kin
      return quals;
  }
}

// --- Specifiers ------------------------------------------------------------

typedef struct {
  DeclSpecs specs;
  BuiltinWords builtin;
  hd_vec(AlignSpec) aligns;
  uint32_t quals;
  bool is_tile;
  Span tile_span;
} Collector;

static bool has_type(const Collector *all) {
  return all->specs.type || all->builtin.count > 0;
}

static void report_combination(Parser *cx, const char *first,
                               const char *second, Span span) {
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_bad_specifiers, parser_place(cx, span),
                DS(second), DS(first));
}

// alignas: '_Alignas' '(' (type-name | conditional) ')'
static AlignSpec parse_alignas(Parser *cx) {
  AlignSpec align = {.span = cx->token.span};
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  if (at_type_name(cx))
    align.type = parse_type_name(cx);
  else
    align.expr = parse_conditional(cx);
  expect_close(cx, TOK_RPAREN, &opener);
  align.span = span_since(cx, align.span);
  return align;
}

ExprList parse_layout_parts(Parser *cx) {
  ExprVec parts = {0};
  if (!at(cx, TOK_IDENT))
    parser_expected(cx, "a layout, such as blocked(1, 4); of a shared array "
                        "row_major, swizzle32, swizzle64 or swizzle128");
  while (at(cx, TOK_IDENT))
    VEC_PUSH(cx->arena, &parts, parse_conditional(cx));
  return VEC_TO_LIST(ExprList, parts);
}

// layout: 'layout' '(' (conditional)+ ')'
void parse_layout(Parser *cx, LayoutSyntax *layout) {
  if (!at_word(cx, cx->words.layout) || parser_peek(cx, 1)->kind != TOK_LPAREN)
    return;
  Span begin = cx->token.span;
  parser_advance(cx);
  Token opener = cx->token;
  parser_advance(cx);
  layout->parts = parse_layout_parts(cx);
  expect_close(cx, TOK_RPAREN, &opener);
  layout->span = span_since(cx, begin);
}

// typeof: 'typeof' '(' (type-name | expr) ')'
static TypeSyntax *parse_typeof(Parser *cx) {
  TypeSyntax *type = new_type(cx, TYPE_TYPEOF_EXPR, cx->token.span);
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  if (at_type_name(cx)) {
    type->kind = TYPE_TYPEOF_TYPE;
    type->u.inner = parse_type_name(cx);
    type->depth = (uint16_t)(type->u.inner->depth + 1);
  } else {
    type->u.expr = parse_expr(cx);
  }
  expect_close(cx, TOK_RPAREN, &opener);
  type->span = span_since(cx, type->span);
  return type;
}

// atomic: '_Atomic' '(' type-name ')'
static TypeSyntax *parse_atomic(Parser *cx) {
  TypeSyntax *type = new_type(cx, TYPE_ATOMIC, cx->token.span);
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  type->u.inner = parse_type_name(cx);
  type->depth = (uint16_t)(type->u.inner->depth + 1);
  expect_close(cx, TOK_RPAREN, &opener);
  type->span = span_since(cx, type->span);
  return type;
}

// group-type: ('group' | 'mbarrier' | 'pipeline') ('(' conditional ')')?
//           | 'token'
static TypeSyntax *parse_word_type(Parser *cx) {
  const char *name = cx->token.name;
  const Words *words = &cx->words;
  TypeSyntaxKind kind = name == words->group      ? TYPE_GROUP
                        : name == words->token    ? TYPE_TOKEN
                        : name == words->mbarrier ? TYPE_MBARRIER
                                                  : TYPE_PIPELINE;
  TypeSyntax *type = new_type(cx, kind, cx->token.span);
  parser_advance(cx);
  if (kind != TYPE_TOKEN && at(cx, TOK_LPAREN)) {
    Token opener = cx->token;
    expect(cx, TOK_LPAREN);
    type->u.expr = parse_conditional(cx);
    expect_close(cx, TOK_RPAREN, &opener);
  }
  type->span = span_since(cx, type->span);
  return type;
}

static TypeSyntax *parse_named(Parser *cx) {
  TypeSyntax *type = new_type(cx, TYPE_NAMED, cx->token.span);
  type->u.named = cx->token.name;
  parser_advance(cx);
  return type;
}

// The note for a word that looks like a type and is none.
static void note_unknown_type(Parser *cx, Diag *diag, const char *name) {
  static const char *const candidates[] = {
#define TYPE_NAME(known) #known,
#include "syntax/type_names.def"
#undef TYPE_NAME
      "void",   "char",     "short",  "int",    "long",   "float",
      "double", "unsigned", "signed", "bool",   "const",  "struct",
      "static", "kernel",   "return", "shared", "global", "constant",
  };
  const char *hint = syntax_foreign_hint(name);
  const char *near = text_nearest(name, candidates,
                                  sizeof(candidates) / sizeof(candidates[0]));
  if (hint)
    diag_note(cx->diags, diag, (Place){0}, "%s", hint);
  else if (near)
    diag_note(cx->diags, diag, (Place){0}, "did you mean '%s'?", near);
}

// A name where only a type makes sense: reported, then taken as one.
static TypeSyntax *parse_unknown_type(Parser *cx) {
  TypeSyntax *type = new_type(cx, TYPE_POISON, cx->token.span);
  if (!parser_is_reported(cx)) {
    Diag *diag =
        DIAG_REPORT(cx->diags, DIAG_unknown_type,
                    parser_place(cx, cx->token.span), DS(cx->token.name));
    note_unknown_type(cx, diag, cx->token.name);
  }
  parser_advance(cx);
  return type;
}

static bool is_unknown_type_here(Parser *cx) {
  TokenKind next = parser_peek(cx, 1)->kind;
  return next == TOK_IDENT || next == TOK_STAR || is_type_keyword(next);
}

// Takes an identifier that belongs to the specifiers; false if it is the name
// that is declared.
static bool collect_name(Parser *cx, Collector *all) {
  const char *name = cx->token.name;
  const Words *words = &cx->words;
  uint32_t space = space_here(cx);
  if (space) {
    add_qualifier(cx, &all->quals, space);
    return true;
  }
  if (name == words->layout && all->quals && !has_type(all) &&
      parser_peek(cx, 1)->kind == TOK_LPAREN) {
    parse_layout(cx, &all->specs.layout);
    return true;
  }
  if (name == words->tile && is_word_token(parser_peek(cx, 1))) {
    all->is_tile = true;
    all->tile_span = cx->token.span;
    parser_advance(cx);
    return true;
  }
  if (has_type(all))
    return false;
  if (scope_is_type(cx, name))
    all->specs.type = parse_named(cx);
  else if (is_sized_word(cx, name) || name == words->token)
    all->specs.type = parse_word_type(cx);
  else if (parse_foreign_words(cx))
    return true;
  else if (is_unknown_type_here(cx))
    all->specs.type = parse_unknown_type(cx);
  else
    return false;
  return true;
}

// `auto` is C's empty word and C++'s inference: neither says anything here.
static void collect_auto(Parser *cx, Collector *all) {
  Span span = cx->token.span;
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_foreign_word, parser_place(cx, span),
                DS("auto"), DS("write the type"));
  parser_advance(cx);
  TokenKind next = parser_peek(cx, 1)->kind;
  if (!has_type(all) && at(cx, TOK_IDENT) &&
      (next == TOK_EQ || next == TOK_SEMICOLON || next == TOK_COMMA))
    all->specs.type = new_type(cx, TYPE_POISON, span);
}

static void collect_storage(Parser *cx, Collector *all, uint32_t storage) {
  all->specs.storage_span = cx->token.span;
  all->specs.storage |= storage;
  parser_advance(cx);
}

// A type that is complete by itself: not with another one.
static void collect_whole_type(Parser *cx, Collector *all) {
  Span span = cx->token.span;
  const char *second = token_describe(cx->arena, cx->source, &cx->token);
  bool is_second = has_type(all);
  TokenKind kind = cx->token.kind;
  TypeSyntax *type = kind == TOK_ENUM     ? parse_enum(cx)
                     : kind == TOK_TYPEOF ? parse_typeof(cx)
                     : kind == TOK_ATOMIC ? parse_atomic(cx)
                                          : parse_record(cx);
  if (is_second)
    report_combination(cx, "another type", second, span);
  else
    all->specs.type = type;
}

static void collect_builtin(Parser *cx, Collector *all) {
  Span span = cx->token.span;
  const char *second = cx->token.name;
  if (at(cx, TOK_COMPLEX) || at(cx, TOK_IMAGINARY)) {
    if (!parser_is_reported(cx))
      DIAG_REPORT(cx->diags, DIAG_not_in_heddle, parser_place(cx, span),
                  DS("complex numbers"), DS("use float2 or double2"));
    if (!has_type(all))
      all->specs.type = new_type(cx, TYPE_POISON, span);
  } else if (all->specs.type && all->specs.type->kind != TYPE_POISON) {
    report_combination(cx, "another type", second, span);
  } else if (!all->specs.type && !builtin_add(&all->builtin, cx->token.kind)) {
    report_combination(cx, builtin_spelling_so_far(&all->builtin), second,
                       span);
  }
  parser_advance(cx);
}

// Takes one specifier; false if none stands here.
static bool collect_one(Parser *cx, Collector *all) {
  TokenKind kind = cx->token.kind;
  uint32_t storage = storage_of(kind);
  bool is_atomic_type =
      kind == TOK_ATOMIC && parser_peek(cx, 1)->kind == TOK_LPAREN;
  if (storage) {
    collect_storage(cx, all, storage);
  } else if (is_atomic_type || kind == TOK_STRUCT || kind == TOK_UNION ||
             kind == TOK_ENUM || kind == TOK_TYPEOF) {
    collect_whole_type(cx, all);
  } else if (qualifier_of(kind)) {
    add_qualifier(cx, &all->quals, qualifier_of(kind));
  } else if (builtin_is_word(kind)) {
    collect_builtin(cx, all);
  } else if (kind == TOK_ALIGNAS) {
    AlignSpec align = parse_alignas(cx);
    VEC_PUSH(cx->arena, &all->aligns, align);
  } else if (kind == TOK_AUTO) {
    collect_auto(cx, all);
  } else {
    return kind == TOK_IDENT && collect_name(cx, all);
  }
  return true;
}

// Without a type: reported, and the rest is parsed as if it were there when a
// name stands here.
static TypeSyntax *missing_type(Parser *cx) {
  TypeSyntax *type = new_type(cx, TYPE_POISON, cx->real.span);
  if (!at(cx, TOK_IDENT)) {
    parser_expected(cx, "a type");
    return type;
  }
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_expected, parser_place(cx, cx->token.span),
                DS("a type before the name"),
                DS(token_describe(cx->arena, cx->source, &cx->token)));
  cx->reported_at = cx->real.span.begin;
  return type;
}

static TypeSyntax *parse_type_finish(Parser *cx, Collector *all) {
  TypeSyntax *type = all->specs.type;
  if (!type && all->builtin.count > 0) {
    type = new_type(cx, TYPE_BUILTIN, all->specs.span);
    type->u.builtin = builtin_result(&all->builtin);
  }
  if (!type)
    type = missing_type(cx);
  if (all->is_tile) {
    TypeSyntax *tile = new_type(cx, TYPE_TILE, all->specs.span);
    tile->u.inner = type;
    tile->depth = (uint16_t)(type->depth + 1);
    type = tile;
  }
  type->quals |= all->quals;
  return type;
}

// specifiers: (storage | qualifier | space | alignas | layout | 'tile'
//             | type-specifier)+
DeclSpecs parse_specifiers(Parser *cx) {
  Collector all = {0};
  Span begin = cx->real.span;
  while (!at(cx, TOK_PANIC) && collect_one(cx, &all)) {
  }
  all.specs.span = span_since(cx, (Span){begin.begin, begin.begin});
  all.specs.type = parse_type_finish(cx, &all);
  all.specs.aligns = all.aligns.data;
  all.specs.n_aligns = all.aligns.count;
  return all.specs;
}

// type-name: specifiers declarator(abstract)
TypeSyntax *parse_type_name(Parser *cx) {
  DeclSpecs specs = parse_specifiers(cx);
  if ((specs.storage || specs.n_aligns) && !parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_bad_storage,
                parser_place(cx, specs.storage ? specs.storage_span
                                               : specs.aligns[0].span),
                DS(specs.storage ? "a storage word" : "_Alignas"),
                DS("a type name"));
  Declarator declarator = parse_declarator(cx, specs.type, true);
  if (declarator.name && !parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_expected,
                parser_place(cx, declarator.name_span),
                DS("a type without a name"),
                DS(arena_printf(cx->arena, "'%s'", declarator.name)));
  return declarator.type;
}
