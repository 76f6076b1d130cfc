// SPDX-License-Identifier: Apache-2.0
#include "syntax/lexer.h"

#include "base/panic.h"
#include "base/utf8.h"
#include "syntax/lex_escape.h"
#include <string.h>

typedef struct {
  TokenKind kind;
  const char *spelling;
} Word;

static const Word keyword_table[] = {
#define TOK_KEYWORD(kind, spelling) {TOK_##kind, spelling},
#include "syntax/token.def"
};

static const Word punct_table[] = {
#define TOK_PUNCT(kind, spelling) {TOK_##kind, spelling},
#define TOK_ALIAS(kind, spelling) {TOK_##kind, spelling},
#include "syntax/token.def"
};

enum {
  N_KEYWORDS = sizeof(keyword_table) / sizeof(keyword_table[0]),
  N_PUNCTS = sizeof(punct_table) / sizeof(punct_table[0]),
};

static uint64_t word_key(const char *name) {
  return MAP_KEY(name);
}

void lexer_init(Lexer *lexer, Arena *arena, Interner *interner,
                DiagEngine *diags, SourceText *source) {
  HD_ASSERT(source_length(source) < UINT32_MAX);
  *lexer = (Lexer){
      .arena = arena,
      .interner = interner,
      .diags = diags,
      .source = source,
      .text = source_text(source),
      .length = (uint32_t)source_length(source),
      .at_line_start = true,
  };
  for (size_t i = 0; i < N_KEYWORDS; i++) {
    const char *name = intern_cstr(interner, keyword_table[i].spelling);
    Word *row = ARENA_NEW(arena, Word);
    *row = keyword_table[i];
    map_put(arena, &lexer->keywords, word_key(name), row);
  }
  if (lexer->length >= 3 && memcmp(lexer->text, "\xef\xbb\xbf", 3) == 0)
    lexer->pos = 3; // byte order mark
}

// --- Characters ------------------------------------------------------------

static char syntax_lexer_char_at(const Lexer *lexer, uint32_t offset) {
  uint64_t at = (uint64_t)lexer->pos + offset;
  return at < lexer->length ? lexer->text[at] : '\0';
}

static bool syntax_lexer_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool syntax_lexer_is_word_char(char c) {
  return syntax_lexer_is_digit(c) || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_word_start(char c) {
  return syntax_lexer_is_word_char(c) && !syntax_lexer_is_digit(c);
}

static Span span_from(const Lexer *lexer, uint32_t begin) {
  return (Span){begin, lexer->pos};
}

static Place place_from(const Lexer *lexer, uint32_t begin) {
  return source_place(lexer->source, span_from(lexer, begin));
}

static bool lexer_starts_with(const Lexer *lexer, const char *prefix) {
  size_t n = strlen(prefix);
  return n <= lexer->length - lexer->pos &&
         memcmp(lexer->text + lexer->pos, prefix, n) == 0;
}

static void skip_to_line_end(Lexer *lexer) {
  while (lexer->pos < lexer->length && lexer->text[lexer->pos] != '\n')
    lexer->pos++;
}

static void lexer_skip_spaces(Lexer *lexer) {
  while (syntax_lexer_char_at(lexer, 0) == ' ' ||
         syntax_lexer_char_at(lexer, 0) == '\t')
    lexer->pos++;
}

// --- Between tokens --------------------------------------------------------

static void syntax_lexer_skip_block_comment(Lexer *lexer) {
  uint32_t begin = lexer->pos;
  lexer->pos += 2;
  while (lexer->pos < lexer->length && !lexer_starts_with(lexer, "*/"))
    lexer->pos++;
  if (lexer->pos < lexer->length) {
    lexer->pos += 2;
    return;
  }
  Place place = source_place(lexer->source, (Span){begin, begin + 2});
  DIAG_REPORT(lexer->diags, DIAG_unterminated, place, DS("this comment"),
              DS("file"));
  lexer->error_end = lexer->length;
}

// Skips one blank, newline or comment; false if there is none. The newline
// that ends a pragma stays.
static bool skip_blank(Lexer *lexer) {
  char c = syntax_lexer_char_at(lexer, 0);
  if (lexer->pos >= lexer->length || (c == '\n' && lexer->in_pragma))
    return false;
  if (c == '\n')
    lexer->at_line_start = true;
  if (c == ' ' || (c >= '\t' && c <= '\r')) {
    lexer->pos++;
    return true;
  }
  if (lexer_starts_with(lexer, "//"))
    skip_to_line_end(lexer);
  else if (lexer_starts_with(lexer, "/*"))
    syntax_lexer_skip_block_comment(lexer);
  else
    return false;
  return true;
}

static bool syntax_lexer_at_word(const Lexer *lexer, const char *word) {
  return lexer_starts_with(lexer, word) &&
         !syntax_lexer_is_word_char(
             syntax_lexer_char_at(lexer, (uint32_t)strlen(word)));
}

static void warn_unknown_pragma(Lexer *lexer) {
  uint32_t begin = lexer->pos;
  while (syntax_lexer_is_word_char(syntax_lexer_char_at(lexer, 0)))
    lexer->pos++;
  const char *name =
      arena_strndup(lexer->arena, lexer->text + begin, lexer->pos - begin);
  if (strcmp(name, "once") != 0)
    DIAG_REPORT(lexer->diags, DIAG_unknown_pragma, place_from(lexer, begin),
                DS(name));
  skip_to_line_end(lexer);
}

// After `#`: a line marker, a pragma that is ours (true; its words follow), or
// something to skip.
static bool lex_hash_line(Lexer *lexer, uint32_t begin) {
  lexer_skip_spaces(lexer);
  if (syntax_lexer_at_word(lexer, "pragma")) {
    lexer->pos += 6;
    lexer_skip_spaces(lexer);
    if (syntax_lexer_at_word(lexer, "unroll") ||
        syntax_lexer_at_word(lexer, "heddle") ||
        syntax_lexer_at_word(lexer, "STDC"))
      return true;
    warn_unknown_pragma(lexer);
    return false;
  }
  if (!syntax_lexer_is_digit(syntax_lexer_char_at(lexer, 0)) &&
      !syntax_lexer_at_word(lexer, "line")) {
    lexer->error_end = lexer->pos;
    DIAG_REPORT(lexer->diags, DIAG_bad_character,
                source_place(lexer->source, (Span){begin, begin + 1}),
                DS("'#'"));
  }
  skip_to_line_end(lexer);
  return false;
}

// --- Tokens ----------------------------------------------------------------

static Token make_token(Lexer *lexer, TokenKind kind, uint32_t begin) {
  Token token = {.kind = kind,
                 .span = span_from(lexer, begin),
                 .at_line_start = lexer->at_line_start};
  lexer->at_line_start = false;
  return token;
}

// Bytes of the identifier character at the position that is not ASCII or is
// \uXXXX; 0 if there is none.
static uint32_t wide_ident_char(const Lexer *lexer, uint32_t *point) {
  const char *at = lexer->text + lexer->pos;
  uint32_t left = lexer->length - lexer->pos;
  if (left >= 2 && at[0] == '\\' && (at[1] == 'u' || at[1] == 'U')) {
    uint32_t n = escape_read_universal(at, left, point);
    return n && lexer_is_ident_point(*point) ? n : 0;
  }
  if (left == 0 || (unsigned char)at[0] < 0x80)
    return 0;
  Utf8Char c = utf8_decode(at, left);
  *point = c.code_point;
  return c.is_valid && lexer_is_ident_point(*point) ? c.size_bytes : 0;
}

// The name of an identifier with characters beyond ASCII, in UTF-8.
static const char *lex_wide_name(Lexer *lexer, uint32_t begin) {
  Text name = {.arena = lexer->arena};
  uint32_t point = 0;
  uint32_t n;
  text_add_n(&name, lexer->text + begin, lexer->pos - begin);
  for (;;) {
    if (syntax_lexer_is_word_char(syntax_lexer_char_at(lexer, 0))) {
      text_add_char(&name, syntax_lexer_char_at(lexer, 0));
      lexer->pos++;
    } else if ((n = wide_ident_char(lexer, &point)) > 0) {
      char bytes[4];
      text_add_n(&name, bytes, utf8_encode(point, bytes));
      lexer->pos += n;
    } else {
      return intern_text(lexer->interner, text_cstr(&name), name.length);
    }
  }
}

static Token lex_ident(Lexer *lexer) {
  uint32_t begin = lexer->pos;
  uint32_t point;
  while (syntax_lexer_is_word_char(syntax_lexer_char_at(lexer, 0)))
    lexer->pos++;
  const char *name = wide_ident_char(lexer, &point)
                         ? lex_wide_name(lexer, begin)
                         : intern_text(lexer->interner, lexer->text + begin,
                                       lexer->pos - begin);
  const Word *word = map_get(&lexer->keywords, word_key(name));
  Token token = make_token(lexer, word ? word->kind : TOK_IDENT, begin);
  token.name = name;
  return token;
}

// pp-number of C17 6.4.8, with C23's separators. What it means, and whether it
// means anything, is for number.c.
static Token lexer_lex_number(Lexer *lexer) {
  uint32_t begin = lexer->pos;
  for (;;) {
    char c = syntax_lexer_char_at(lexer, 0);
    char next = syntax_lexer_char_at(lexer, 1);
    bool is_exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    if (is_exponent && (next == '+' || next == '-'))
      lexer->pos += 2;
    else if (c == '\'' && syntax_lexer_is_word_char(next))
      lexer->pos += 2;
    else if (syntax_lexer_is_word_char(c) || c == '.')
      lexer->pos++;
    else
      return make_token(lexer, TOK_NUMBER, begin);
  }
}

// From the opening quote at the position to the closing one; the prefix began
// at `begin`.
static Token lexer_lex_quoted(Lexer *lexer, uint32_t begin) {
  char quote = syntax_lexer_char_at(lexer, 0);
  TokenKind kind = quote == '"' ? TOK_STRING : TOK_CHAR;
  lexer->pos++;
  while (lexer->pos < lexer->length) {
    char c = syntax_lexer_char_at(lexer, 0);
    if (c == quote || c == '\n')
      break;
    lexer->pos += c == '\\' && syntax_lexer_char_at(lexer, 1) != '\n' ? 2 : 1;
  }
  if (lexer->pos < lexer->length && syntax_lexer_char_at(lexer, 0) == quote) {
    lexer->pos++;
    return make_token(lexer, kind, begin);
  }
  if (lexer->pos > lexer->length) // a backslash was the last byte
    lexer->pos = lexer->length;
  DIAG_REPORT(lexer->diags, DIAG_unterminated, place_from(lexer, begin),
              DS(quote == '"' ? "this string" : "this character constant"),
              DS("line"));
  lexer->error_end = lexer->pos;
  Token token = make_token(lexer, kind, begin);
  token.is_bad = true;
  return token;
}

// Bytes of u8 u U L before a quote, 0 if there is no prefix.
static uint32_t lexer_quote_prefix(const Lexer *lexer) {
  char c = syntax_lexer_char_at(lexer, 0);
  uint32_t n = c == 'u' && syntax_lexer_char_at(lexer, 1) == '8' ? 2
               : c == 'u' || c == 'U' || c == 'L'                ? 1
                                                                 : 0;
  char quote = syntax_lexer_char_at(lexer, n);
  return n && (quote == '"' || quote == '\'') ? n : 0;
}

static const Word *find_punct(const Lexer *lexer) {
  const Word *best = NULL;
  size_t best_length = 0;
  char first = syntax_lexer_char_at(lexer, 0);
  for (size_t i = 0; i < N_PUNCTS; i++) {
    const char *spelling = punct_table[i].spelling;
    if (spelling[0] != first)
      continue;
    size_t n = strlen(spelling);
    if (n > best_length && lexer_starts_with(lexer, spelling)) {
      best = &punct_table[i];
      best_length = n;
    }
  }
  return best;
}

static const char *describe_char(Lexer *lexer, Utf8Char c) {
  unsigned char byte = (unsigned char)syntax_lexer_char_at(lexer, 0);
  if (!c.is_valid)
    return arena_printf(lexer->arena, "(byte 0x%02x)", byte);
  if (c.code_point < 0x20 || c.code_point == 0x7f)
    return arena_printf(lexer->arena, "(code 0x%02x)", byte);
  return arena_printf(lexer->arena, "'%.*s'", (int)c.size_bytes,
                      lexer->text + lexer->pos);
}

// Whether the character at the position starts neither a token nor a blank.
static bool at_bad_char(const Lexer *lexer) {
  char c = syntax_lexer_char_at(lexer, 0);
  bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
  return lexer->pos < lexer->length && !is_blank && c != '"' && c != '\'' &&
         !syntax_lexer_is_word_char(c) && !find_punct(lexer);
}

// Reports the character at the position and skips it and all like it that
// follow.
static void skip_bad_chars(Lexer *lexer) {
  uint32_t begin = lexer->pos;
  Utf8Char c = utf8_decode(lexer->text + begin, lexer->length - begin);
  const char *what = describe_char(lexer, c);
  do
    lexer->pos++;
  while (at_bad_char(lexer));
  lexer->error_end = lexer->pos;
  Span span = {begin, begin + c.size_bytes};
  DIAG_REPORT(lexer->diags, DIAG_bad_character,
              source_place(lexer->source, span), DS(what));
}

// The token at the position, which is no blank. False: there was none, only
// something to skip.
static bool lexer_lex_token(Lexer *lexer, Token *token) {
  char c = syntax_lexer_char_at(lexer, 0);
  uint32_t begin = lexer->pos;
  uint32_t point;
  uint32_t prefix = lexer_quote_prefix(lexer);
  if (prefix || c == '"' || c == '\'') {
    lexer->pos += prefix;
    *token = lexer_lex_quoted(lexer, begin);
  } else if (is_word_start(c) || wide_ident_char(lexer, &point)) {
    *token = lex_ident(lexer);
  } else if (syntax_lexer_is_digit(c) ||
             (c == '.' &&
              syntax_lexer_is_digit(syntax_lexer_char_at(lexer, 1)))) {
    *token = lexer_lex_number(lexer);
  } else {
    const Word *punct = find_punct(lexer);
    if (!punct) {
      skip_bad_chars(lexer);
      return false;
    }
    lexer->pos += (uint32_t)strlen(punct->spelling);
    *token = make_token(lexer, punct->kind, begin);
  }
  return true;
}

Token lexer_next(Lexer *lexer) {
  Token token;
  for (;;) {
    while (skip_blank(lexer)) {
    }
    uint32_t begin = lexer->pos;
    bool is_end = lexer->pos >= lexer->length;
    if (lexer->in_pragma &&
        (is_end || syntax_lexer_char_at(lexer, 0) == '\n')) {
      lexer->in_pragma = false;
      return make_token(lexer, TOK_PRAGMA_END, begin);
    }
    if (is_end)
      return make_token(lexer, TOK_EOF, begin);
    if (syntax_lexer_char_at(lexer, 0) == '#' && lexer->at_line_start) {
      lexer->pos++;
      if (!lex_hash_line(lexer, begin))
        continue;
      token = make_token(lexer, TOK_PRAGMA, begin);
      lexer->in_pragma = true;
      return token;
    }
    if (lexer_lex_token(lexer, &token))
      return token;
  }
}
