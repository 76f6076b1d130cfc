// SPDX-License-Identifier: Apache-2.0
// Names of tokens, and which characters names may have.
#include "syntax/lexer.h"

#include <string.h>

// C17 annex D.1, in pairs; D.2 (combining marks may not start a name) is left
// out: it would only refuse names that no one writes.
static const uint32_t ident_ranges[][2] = {
    {0xa8, 0xa8},       {0xaa, 0xaa},       {0xad, 0xad},
    {0xaf, 0xaf},       {0xb2, 0xb5},       {0xb7, 0xba},
    {0xbc, 0xbe},       {0xc0, 0xd6},       {0xd8, 0xf6},
    {0xf8, 0xff},       {0x100, 0x167f},    {0x1681, 0x180d},
    {0x180f, 0x1fff},   {0x200b, 0x200d},   {0x202a, 0x202e},
    {0x203f, 0x2040},   {0x2054, 0x2054},   {0x2060, 0x206f},
    {0x2070, 0x218f},   {0x2460, 0x24ff},   {0x2776, 0x2793},
    {0x2c00, 0x2dff},   {0x2e80, 0x2fff},   {0x3004, 0x3007},
    {0x3021, 0x302f},   {0x3031, 0x303f},   {0x3040, 0xd7ff},
    {0xf900, 0xfd3d},   {0xfd40, 0xfdcf},   {0xfdf0, 0xfe44},
    {0xfe47, 0xfffd},   {0x10000, 0x1fffd}, {0x20000, 0x2fffd},
    {0x30000, 0x3fffd}, {0x40000, 0x4fffd}, {0x50000, 0x5fffd},
    {0x60000, 0x6fffd}, {0x70000, 0x7fffd}, {0x80000, 0x8fffd},
    {0x90000, 0x9fffd}, {0xa0000, 0xafffd}, {0xb0000, 0xbfffd},
    {0xc0000, 0xcfffd}, {0xd0000, 0xdfffd}, {0xe0000, 0xefffd},
};

bool lexer_is_ident_point(uint32_t code_point) {
  for (size_t i = 0; i < sizeof(ident_ranges) / sizeof(ident_ranges[0]); i++)
    if (code_point >= ident_ranges[i][0] && code_point <= ident_ranges[i][1])
      return true;
  return false;
}

static const char *const kind_names[] = {
#define TOK_CLASS(kind, name)       [TOK_##kind] = name,
#define TOK_PUNCT(kind, spelling)   [TOK_##kind] = "'" spelling "'",
#define TOK_KEYWORD(kind, spelling) [TOK_##kind] = "'" spelling "'",
#include "syntax/token.def"
};

const char *token_kind_name(TokenKind kind) {
  return kind_names[kind];
}

bool token_is_keyword(TokenKind kind) {
  return kind >= TOK_AUTO;
}

const char *token_describe(Arena *arena, const SourceText *source,
                           const Token *token) {
  enum { MAX_SHOWN = 64 };

  switch ((int)token->kind) {
  case TOK_IDENT:
    if (strlen(token->name) > MAX_SHOWN)
      return "a long identifier";
    return arena_printf(arena, "'%s'", token->name);
  case TOK_NUMBER:
  case TOK_CHAR: {
    uint32_t n = token->span.end - token->span.begin;
    const char *text = source_text(source) + token->span.begin;
    if (n <= MAX_SHOWN && !token->is_bad)
      return arena_printf(arena, "'%.*s'", (int)n, text);
    return kind_names[token->kind];
  }
  default: return kind_names[token->kind];
  }
}

// The file is only named where it isn't the one that the user gave.
static void lex_names_print_place(SourceText *source, Span span, Text *out) {
  Place place = source_place(source, span);
  if (place.file && strcmp(place.file, source_name(source)) != 0)
    text_printf(out, "%s:", place.file);
  text_printf(out, "%u:%u: ", place.line, place.col);
}

void tokens_print(Arena *arena, Interner *interner, DiagEngine *diags,
                  SourceText *source, Text *out) {
  Lexer lexer;
  Token token;
  lexer_init(&lexer, arena, interner, diags, source);
  do {
    token = lexer_next(&lexer);
    lex_names_print_place(source, token.span, out);
    text_add(out, kind_names[token.kind]);
    if (token.kind == TOK_IDENT) {
      text_printf(out, " %s", token.name);
    } else if (token.kind == TOK_NUMBER || token.kind == TOK_CHAR ||
               token.kind == TOK_STRING) {
      text_add_char(out, ' ');
      text_add_n(out, source_text(source) + token.span.begin,
                 token.span.end - token.span.begin);
    }
    text_add_char(out, '\n');
  } while (token.kind != TOK_EOF);
}
