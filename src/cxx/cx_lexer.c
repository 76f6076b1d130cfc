// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_lexer.h"

#include "base/panic.h"
#include "base/utf8.h"
#include "syntax/lexer.h"
#include <string.h>

typedef struct {
  CxTokenKind kind;
  const char *spelling;
} Row;

static const Row words[] = {
#define CX_WORD(kind, spelling)  {CX_TOK_##kind, spelling},
#define CX_ALIAS(kind, spelling) {CX_TOK_##kind, spelling},
#include "cxx/cx_token.def"
};

static const char *const kind_names[] = {
#define CX_CLASS(kind, name)     [CX_TOK_##kind] = name,
#define CX_PUNCT(kind, spelling) [CX_TOK_##kind] = "'" spelling "'",
#define CX_WORD(kind, spelling)  [CX_TOK_##kind] = "'" spelling "'",
#include "cxx/cx_token.def"
};

const char *cx_token_kind_name(CxTokenKind kind) {
  return kind_names[kind];
}

bool cx_token_is_word(CxTokenKind kind) {
  return kind >= CX_TOK_ALIGNAS;
}

void cx_words_init(CxWords *out, Arena *arena, Interner *interner) {
  *out = (CxWords){.comment = intern_cstr(interner, "__heddle_comment"),
                   .unroll = intern_cstr(interner, "__heddle_unroll")};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    const char *name = intern_cstr(interner, words[i].spelling);
    Row *row = ARENA_NEW(arena, Row);
    *row = words[i];
    map_put(arena, &out->kinds, MAP_KEY(name), row);
  }
}

typedef struct {
  Arena *arena;
  Interner *interner;
  const CxWords *words;
  CxLexed *out;
  const char *text;
  uint32_t length, pos;
  bool at_line_start;
  bool is_joined;
  bool in_pragma;
  bool is_extra; // not of the file: all tokens get `span`
  Span span;
} CxLexer;

// --- Characters ------------------------------------------------------------

static char lexer_char_at(const CxLexer *cx, uint32_t offset) {
  uint64_t at = (uint64_t)cx->pos + offset;
  return at < cx->length ? cx->text[at] : '\0';
}

static bool lexer_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool lexer_is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         lexer_is_digit(c) || c == '_' || c == '$';
}

static bool at_text(const CxLexer *cx, const char *text) {
  size_t n = strlen(text);
  return n <= cx->length - cx->pos && memcmp(cx->text + cx->pos, text, n) == 0;
}

static bool lexer_at_word(const CxLexer *cx, const char *word) {
  return at_text(cx, word) &&
         !lexer_is_word_char(lexer_char_at(cx, (uint32_t)strlen(word)));
}

static void skip_line(CxLexer *cx) {
  const char *at = cx->text + cx->pos;
  const char *newline = memchr(at, '\n', cx->length - cx->pos);
  cx->pos = newline ? (uint32_t)(newline - cx->text) : cx->length;
}

static void skip_spaces(CxLexer *cx) {
  while (lexer_char_at(cx, 0) == ' ' || lexer_char_at(cx, 0) == '\t')
    cx->pos++;
}

// --- Between tokens --------------------------------------------------------

static void lexer_skip_block_comment(CxLexer *cx) {
  cx->pos += 2;
  while (cx->pos < cx->length && !at_text(cx, "*/"))
    cx->pos++;
  cx->pos = cx->pos < cx->length ? cx->pos + 2 : cx->length;
}

// #pragma heddle missing_header NAME, which the loader writes; the position is
// behind `heddle`.
static void lex_missing(CxLexer *cx, uint32_t begin) {
  skip_spaces(cx);
  if (!lexer_at_word(cx, "missing_header"))
    return;
  cx->pos += 14;
  skip_spaces(cx);
  uint32_t first = cx->pos;
  skip_line(cx);
  CxMissing missing = {
      intern_text(cx->interner, cx->text + first, cx->pos - first),
      {begin, cx->pos}};
  VEC_PUSH(cx->arena, &cx->out->missing, missing);
}

// After `#` at the start of a line: true at the words of a pragma about
// unrolling, which is then open; else the line is skipped.
static bool at_unroll_line(CxLexer *cx) {
  uint32_t begin = cx->pos - 1;
  skip_spaces(cx);
  if (lexer_at_word(cx, "pragma")) {
    cx->pos += 6;
    skip_spaces(cx);
    if (lexer_at_word(cx, "GCC")) {
      cx->pos += 3;
      skip_spaces(cx);
    }
    if (lexer_at_word(cx, "unroll") || lexer_at_word(cx, "nounroll"))
      return true;
    if (lexer_at_word(cx, "heddle")) {
      cx->pos += 6;
      lex_missing(cx, begin);
    }
  }
  skip_line(cx);
  return false;
}

// Skips blanks and comments; the newline that ends a pragma stays.
static void lexer_skip_blanks(CxLexer *cx) {
  for (;;) {
    char c = lexer_char_at(cx, 0);
    if (c == '\n' && cx->in_pragma)
      return;
    if (c == '\n')
      cx->at_line_start = true;
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      cx->pos++;
    } else if (c == '/' && lexer_char_at(cx, 1) == '/') {
      skip_line(cx);
    } else if (c == '/' && lexer_char_at(cx, 1) == '*') {
      lexer_skip_block_comment(cx);
    } else {
      return;
    }
    cx->is_joined = false;
  }
}

// --- Tokens ----------------------------------------------------------------

static CxToken *lexer_add(CxLexer *cx, CxTokenKind kind, uint32_t begin) {
  Span span = cx->is_extra ? cx->span : (Span){begin, cx->pos};
  CxToken token = {.kind = (uint8_t)kind,
                   .at_line_start = cx->at_line_start,
                   .is_joined = cx->is_joined,
                   .begin = span.begin,
                   .end = span.end};
  cx->at_line_start = false;
  cx->is_joined = true;
  VEC_PUSH(cx->arena, &cx->out->tokens, token);
  return &VEC_LAST(&cx->out->tokens);
}

// With a text that lives on where the token's span doesn't hold it.
static void lexer_add_text(CxLexer *cx, CxTokenKind kind, uint32_t begin) {
  CxToken *token = lexer_add(cx, kind, begin);
  if (cx->is_extra)
    token->u.name =
        intern_text(cx->interner, cx->text + begin, cx->pos - begin);
}

static uint32_t wide_char_bytes(const CxLexer *cx) {
  if (cx->pos >= cx->length || (unsigned char)cx->text[cx->pos] < 0x80)
    return 0;
  Utf8Char c = utf8_decode(cx->text + cx->pos, cx->length - cx->pos);
  return c.is_valid && lexer_is_ident_point(c.code_point) ? c.size_bytes : 0;
}

static void lex_word(CxLexer *cx) {
  uint32_t begin = cx->pos;
  for (;;) {
    while (lexer_is_word_char(lexer_char_at(cx, 0)))
      cx->pos++;
    uint32_t n = wide_char_bytes(cx);
    if (n == 0)
      break;
    cx->pos += n;
  }
  const char *name =
      intern_text(cx->interner, cx->text + begin, cx->pos - begin);
  const Row *row = map_get(&cx->words->kinds, MAP_KEY(name));
  if (name[0] == 'c' && strncmp(name, "cudaLaunch", strlen("cudaLaunch")) == 0)
    VEC_PUSH(cx->arena, &cx->out->launches, cx->out->tokens.count);
  CxToken *token = lexer_add(cx, row ? row->kind : CX_TOK_IDENT, begin);
  token->u.name = name;
}

static void lex_number(CxLexer *cx) {
  uint32_t begin = cx->pos;
  for (;;) {
    char c = lexer_char_at(cx, 0);
    char next = lexer_char_at(cx, 1);
    bool is_exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    if (is_exponent && (next == '+' || next == '-'))
      cx->pos += 2;
    else if (c == '\'' && lexer_is_word_char(next))
      cx->pos += 2;
    else if (lexer_is_word_char(c) || c == '.')
      cx->pos++;
    else
      break;
  }
  lexer_add_text(cx, CX_TOK_NUMBER, begin);
}

// A suffix of the user's belongs to the token.
static void lex_quoted(CxLexer *cx, uint32_t begin) {
  char quote = lexer_char_at(cx, 0);
  cx->pos++;
  while (cx->pos < cx->length && lexer_char_at(cx, 0) != quote &&
         lexer_char_at(cx, 0) != '\n')
    cx->pos += lexer_char_at(cx, 0) == '\\' && cx->pos + 1 < cx->length ? 2 : 1;
  bool is_closed = lexer_char_at(cx, 0) == quote && cx->pos < cx->length;
  if (!is_closed) {
    lexer_add(cx, CX_TOK_BAD, begin);
    return;
  }
  cx->pos++;
  while (lexer_is_word_char(lexer_char_at(cx, 0)))
    cx->pos++;
  lexer_add_text(cx, quote == '"' ? CX_TOK_STRING : CX_TOK_CHAR, begin);
}

// R"delimiter( … )delimiter", the position is at the quote.
static void lex_raw_string(CxLexer *cx, uint32_t begin) {
  enum { MAX_DELIMITER = 16 };

  uint32_t open = cx->pos + 1;
  uint32_t n = 0;
  while (n <= MAX_DELIMITER && open + n < cx->length &&
         cx->text[open + n] != '(')
    n++;
  uint32_t at = open + n + 1;
  if (n > MAX_DELIMITER || at >= cx->length) {
    cx->pos++;
    lexer_add(cx, CX_TOK_BAD, begin);
    return;
  }
  for (; at + n + 2 <= cx->length; at++)
    if (cx->text[at] == ')' && cx->text[at + n + 1] == '"' &&
        memcmp(cx->text + at + 1, cx->text + open, n) == 0)
      break;
  bool is_closed = at + n + 2 <= cx->length;
  cx->pos = is_closed ? at + n + 2 : cx->length;
  if (is_closed)
    lexer_add_text(cx, CX_TOK_STRING, begin);
  else
    lexer_add(cx, CX_TOK_BAD, begin);
}

// Bytes of the prefix (u8 u U L, then R) before a quote at the position; -1:
// no quote.
static int quote_prefix(const CxLexer *cx, bool *is_raw) {
  int n = 0;
  char c = lexer_char_at(cx, 0);
  if (c == 'u' && lexer_char_at(cx, 1) == '8')
    n = 2;
  else if (c == 'u' || c == 'U' || c == 'L')
    n = 1;
  *is_raw = lexer_char_at(cx, (uint32_t)n) == 'R';
  n += *is_raw;
  char quote = lexer_char_at(cx, (uint32_t)n);
  bool is_quote = quote == '"' || (quote == '\'' && !*is_raw);
  return is_quote ? n : -1;
}

// The kind of the punctuator at the position, and its length; BAD: none.
static CxTokenKind lexer_find_punct(const CxLexer *cx, uint32_t *length) {
  static const Row rows[] = {
#define CX_PUNCT(kind, spelling) {CX_TOK_##kind, spelling},
#include "cxx/cx_token.def"
  };
  char first = lexer_char_at(cx, 0);
  CxTokenKind best = CX_TOK_BAD;
  *length = 1;
  size_t best_length = 0;
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    const char *spelling = rows[i].spelling;
    if (spelling[0] != first)
      continue;
    size_t n = strlen(spelling);
    if (n > best_length && (n == 1 || at_text(cx, spelling))) {
      best = rows[i].kind;
      best_length = n;
      *length = (uint32_t)n;
    }
  }
  return best;
}

// The frequent ones that begin no longer one.
static CxTokenKind single_punct(char c) {
  switch (c) {
  case '(': return CX_TOK_LPAREN;
  case ')': return CX_TOK_RPAREN;
  case '[': return CX_TOK_LBRACKET;
  case ']': return CX_TOK_RBRACKET;
  case '{': return CX_TOK_LBRACE;
  case '}': return CX_TOK_RBRACE;
  case ';': return CX_TOK_SEMICOLON;
  case ',': return CX_TOK_COMMA;
  default: return CX_TOK_BAD;
  }
}

// `<< <`, as formatters that don't know CUDA leave launches: how many blanks
// stand between; 0: it is a shift.
static uint32_t gap_before_less(const CxLexer *cx) {
  uint32_t n = 0;
  while (lexer_char_at(cx, 2 + n) == ' ' || lexer_char_at(cx, 2 + n) == '\t')
    n++;
  return lexer_char_at(cx, 2 + n) == '<' ? n : 0;
}

static void lex_punct(CxLexer *cx) {
  uint32_t begin = cx->pos;
  uint32_t length = 1;
  CxTokenKind kind = single_punct(lexer_char_at(cx, 0));
  if (kind == CX_TOK_BAD)
    kind = lexer_find_punct(cx, &length);
  if (kind == CX_TOK_BAD) {
    Utf8Char c = utf8_decode(cx->text + begin, cx->length - begin);
    length = c.size_bytes;
  }
  if (kind == CX_TOK_SHL && gap_before_less(cx)) {
    kind = CX_TOK_LAUNCH;
    length += gap_before_less(cx) + 1;
  }
  cx->pos += length;
  if (kind == CX_TOK_LAUNCH)
    VEC_PUSH(cx->arena, &cx->out->launches, cx->out->tokens.count);
  lexer_add(cx, kind, begin);
}

static void lex_token(CxLexer *cx) {
  char c = lexer_char_at(cx, 0);
  bool is_raw;
  bool may_quote =
      c == '"' || c == '\'' || c == 'u' || c == 'U' || c == 'L' || c == 'R';
  int prefix = may_quote ? quote_prefix(cx, &is_raw) : -1;
  uint32_t begin = cx->pos;
  if (prefix >= 0) {
    cx->pos += (uint32_t)prefix;
    if (is_raw)
      lex_raw_string(cx, begin);
    else
      lex_quoted(cx, begin);
  } else if (lexer_is_digit(c) ||
             (c == '.' && lexer_is_digit(lexer_char_at(cx, 1)))) {
    lex_number(cx);
  } else if (lexer_is_word_char(c) || wide_char_bytes(cx)) {
    lex_word(cx);
  } else {
    lex_punct(cx);
  }
}

// One token, or none at a line that is skipped. False: the end.
static bool lex_next(CxLexer *cx) {
  lexer_skip_blanks(cx);
  bool is_end = cx->pos >= cx->length;
  uint32_t begin = cx->pos;
  if (cx->in_pragma && (is_end || lexer_char_at(cx, 0) == '\n')) {
    cx->in_pragma = false;
    lexer_add(cx, CX_TOK_PRAGMA_END, begin);
    return true;
  }
  if (is_end)
    return false;
  if (lexer_char_at(cx, 0) == '#' && cx->at_line_start && !cx->is_extra) {
    cx->pos++;
    if (at_unroll_line(cx)) {
      lexer_add(cx, CX_TOK_PRAGMA, begin);
      cx->in_pragma = true;
    }
    return true;
  }
  lex_token(cx);
  return true;
}

// --- What is taken out of the stream ---------------------------------------

typedef struct {
  bool is_open;
  uint32_t begin; // its word, as an index of the tokens
  uint32_t n_parens;
  hd_vec(CxToken) aside; // all that was taken out
} Aside;

static bool is_comment_word(const CxLexer *cx, const CxToken *token) {
  return token->kind == CX_TOK_IDENT && token->u.name == cx->words->comment;
}

// Moves `word ( … )`, the last tokens, aside.
static void end_comment(CxLexer *cx, Aside *aside) {
  CxTokenVec *tokens = &cx->out->tokens;
  uint32_t n = tokens->count - aside->begin;
  const CxToken *first = &tokens->data[aside->begin];
  CxComment comment = {.position = aside->begin,
                       .span = {first->begin, VEC_LAST(tokens).end},
                       .begin = aside->aside.count};
  CxToken end = VEC_LAST(tokens);
  for (uint32_t i = 2; i + 1 < n; i++)
    VEC_PUSH(cx->arena, &aside->aside, tokens->data[aside->begin + i]);
  comment.end = aside->aside.count;
  end.kind = CX_TOK_EOF;
  VEC_PUSH(cx->arena, &aside->aside, end);
  VEC_PUSH(cx->arena, &cx->out->comments, comment);
  tokens->count = aside->begin;
  aside->is_open = false;
}

// After each token: finds out whether a comment begins or ends here.
static void track_comment(CxLexer *cx, Aside *aside) {
  uint32_t count = cx->out->tokens.count;
  const CxToken *last = &VEC_LAST(&cx->out->tokens);
  if (!aside->is_open) {
    aside->is_open = is_comment_word(cx, last);
    aside->begin = count - 1;
    aside->n_parens = 0;
    return;
  }
  aside->n_parens += last->kind == CX_TOK_LPAREN;
  bool is_close = last->kind == CX_TOK_RPAREN;
  if (aside->n_parens == 0 ||
      (is_close && aside->n_parens == 1 && count - aside->begin < 3))
    aside->is_open = false; // not what the loader writes: ordinary tokens
  else if (is_close && --aside->n_parens == 0)
    end_comment(cx, aside);
}

static void append_aside(CxLexer *cx, const Aside *aside) {
  CxLexed *out = cx->out;
  for (uint32_t i = 0; i < out->comments.count; i++) {
    out->comments.data[i].begin += out->tokens.count;
    out->comments.data[i].end += out->tokens.count;
  }
  for (uint32_t i = 0; i < aside->aside.count; i++)
    VEC_PUSH(cx->arena, &out->tokens, aside->aside.data[i]);
}

// --- Brackets --------------------------------------------------------------

static bool lexer_is_opener(unsigned kind) {
  return kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
         kind == CX_TOK_LBRACE;
}

static bool lexer_is_closer(unsigned kind) {
  return kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET ||
         kind == CX_TOK_RBRACE;
}

typedef struct {
  CxLexed *out;
  hd_vec(uint32_t) open;
  uint32_t n_braces; // among them
} Matcher;

// Only braces: where another bracket has no partner, what holds it still ends
// where it should, and whoever parses it finds out.
static void note_unbalanced(Matcher *cx, uint32_t found, uint32_t opener,
                            bool has_opener) {
  CxUnbalanced *problem = &cx->out->unbalanced;
  const CxToken *token = &cx->out->tokens.data[found];
  const CxToken *first = &cx->out->tokens.data[opener];
  unsigned kind = has_opener ? first->kind : token->kind;
  if (problem->is_found || (kind != CX_TOK_LBRACE && kind != CX_TOK_RBRACE))
    return;
  *problem =
      (CxUnbalanced){.is_found = true, .span = {token->begin, token->end}};
  if (has_opener)
    problem->opener = (Span){first->begin, first->end};
}

// Closes all that is open down to `level`; what was not closed itself ends at
// `at` too.
static void close_down_to(Matcher *cx, uint32_t level, uint32_t at) {
  while (cx->open.count > level) {
    uint32_t opener = VEC_POP(&cx->open);
    cx->out->tokens.data[opener].u.match = at;
    cx->n_braces -= cx->out->tokens.data[opener].kind == CX_TOK_LBRACE;
    if (cx->open.count > level)
      note_unbalanced(cx, at, opener, true);
  }
}

static void match_closer(Matcher *cx, uint32_t at) {
  CxToken *tokens = cx->out->tokens.data;
  uint32_t level = cx->open.count;
  while (level > 0 &&
         tokens[cx->open.data[level - 1]].kind + 1u != tokens[at].kind)
    level--;
  tokens[at].u.match = at;
  if (level == 0) {
    note_unbalanced(cx, at, at, false);
    return;
  }
  tokens[at].u.match = cx->open.data[level - 1];
  close_down_to(cx, level - 1, at);
}

// What begins a declaration, and stands in parentheses at file scope only if
// they were not closed: `;`, or such a word at the start of a line.
static bool ends_parens(const CxToken *token) {
  switch (token->kind) {
  case CX_TOK_SEMICOLON: return true;
  case CX_TOK_GLOBAL:
  case CX_TOK_DEVICE:
  case CX_TOK_HOST:
  case CX_TOK_TEMPLATE:
  case CX_TOK_NAMESPACE:
  case CX_TOK_EXTERN:
  case CX_TOK_STATIC:
  case CX_TOK_TYPEDEF:
  case CX_TOK_USING: return token->at_line_start;
  default: return false;
  }
}

// The partners of brackets from `begin` to `end`, where an EOF stands.
static void match_brackets(Arena *arena, CxLexed *out, uint32_t begin,
                           uint32_t end) {
  Matcher cx = {.out = out};
  for (uint32_t i = begin; i < end; i++) {
    const CxToken *token = &out->tokens.data[i];
    if (cx.open.count > 0 && cx.n_braces == 0 && ends_parens(token))
      close_down_to(&cx, 0, i);
    if (lexer_is_opener(token->kind)) {
      VEC_PUSH(arena, &cx.open, i);
      cx.n_braces += token->kind == CX_TOK_LBRACE;
    } else if (lexer_is_closer(token->kind)) {
      match_closer(&cx, i);
    }
  }
  for (uint32_t i = cx.open.count; i > 0; i--)
    note_unbalanced(&cx, end, cx.open.data[i - 1], true);
  close_down_to(&cx, 0, end);
}

// --- All of it -------------------------------------------------------------

static void lex_all(CxLexer *cx, Aside *aside) {
  uint32_t count = cx->out->tokens.count;
  while (lex_next(cx)) {
    if (cx->out->tokens.count != count && aside)
      track_comment(cx, aside);
    count = cx->out->tokens.count;
  }
  lexer_add(cx, CX_TOK_EOF, cx->length);
}

void cx_lex(CxLexed *out, Arena *arena, Interner *interner,
            const CxWords *words_, SourceText *source) {
  HD_ASSERT(source_length(source) < UINT32_MAX);
  *out = (CxLexed){0};
  CxLexer cx = {.arena = arena,
                .interner = interner,
                .words = words_,
                .out = out,
                .text = source_text(source),
                .length = (uint32_t)source_length(source),
                .at_line_start = true};
  if (cx.length >= 3 && memcmp(cx.text, "\xef\xbb\xbf", 3) == 0)
    cx.pos = 3; // byte order mark
  Aside aside = {0};
  lex_all(&cx, &aside);
  out->n_main = out->tokens.count;
  append_aside(&cx, &aside);
  match_brackets(arena, out, 0, out->n_main - 1);
  for (uint32_t i = 0; i < out->comments.count; i++)
    match_brackets(arena, out, out->comments.data[i].begin,
                   out->comments.data[i].end);
}

uint32_t cx_lex_more(CxLexed *lexed, Arena *arena, Interner *interner,
                     const CxWords *words_, const char *text, Span span) {
  CxLexer cx = {.arena = arena,
                .interner = interner,
                .words = words_,
                .out = lexed,
                .text = text,
                .length = (uint32_t)strlen(text),
                .is_extra = true,
                .span = span};
  uint32_t begin = lexed->tokens.count;
  lex_all(&cx, NULL);
  CxUnbalanced before = lexed->unbalanced;
  match_brackets(arena, lexed, begin, lexed->tokens.count - 1);
  lexed->unbalanced = before;
  return begin;
}
