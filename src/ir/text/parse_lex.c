// SPDX-License-Identifier: Apache-2.0
// Tokens of the IR's text form, and the parser's small steps.
#include "base/panic.h"
#include "ir/form/words.h"
#include "ir/text/parse.h"
#include <inttypes.h>
#include <string.h>

// ---------------------------------------------------------------- errors

void irp_fail(IrParser *p, DiagId id, Span span, const char *what) {
  if (p->failed)
    return;
  p->failed = true;
  DIAG_REPORT(p->diags, id, source_place(p->source, span), DS(what));
  p->at = p->length;
  p->token = (IrToken){.kind = IRT_END, .span = {p->length, p->length}};
}

void irp_expected(IrParser *p, const char *what) {
  if (p->failed)
    return;
  Span span = p->token.span;
  uint32_t shown = span.end - span.begin < 40 ? span.end - span.begin : 40;
  const char *found = "the end of the text";
  if (p->token.kind != IRT_END)
    found = arena_printf(p->arena, "'%.*s'", (int)shown, p->text + span.begin);
  irp_fail(p, DIAG_ir_expected, span,
           arena_printf(p->arena, "%s, found %s", what, found));
}

// ---------------------------------------------------------------- lexing

static bool parse_lex_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool parse_lex_is_name_char(char c) {
  char lower = (char)(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || parse_lex_is_digit(c) || c == '_' ||
         c == '.';
}

static int hex_digit(char c) {
  if (parse_lex_is_digit(c))
    return c - '0';
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static char peek(const IrParser *p, uint32_t ahead) {
  return p->length - p->at > ahead ? p->text[p->at + ahead] : '\0';
}

static void parse_lex_skip_blanks(IrParser *p) {
  while (p->at < p->length) {
    char c = p->text[p->at];
    if (c == '/' && peek(p, 1) == '/') {
      const char *end = memchr(p->text + p->at, '\n', p->length - p->at);
      p->at = end ? (uint32_t)(end - p->text) : p->length;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      p->at++;
    } else {
      return;
    }
  }
}

static void lex_name(IrParser *p, IrToken *token) {
  token->text = p->text + p->at;
  while (p->at < p->length && parse_lex_is_name_char(p->text[p->at]))
    p->at++;
  token->length = (uint32_t)(p->text + p->at - token->text);
}

// Digits of `base`; false when there are none or the number is too large.
static bool lex_digits(IrParser *p, unsigned base, uint64_t *out) {
  uint64_t value = 0;
  uint32_t start = p->at;
  for (; p->at < p->length; p->at++) {
    int digit = hex_digit(p->text[p->at]);
    if (digit < 0 || (unsigned)digit >= base)
      break;
    if (value > (UINT64_MAX - (unsigned)digit) / base)
      return false;
    value = value * base + (unsigned)digit;
  }
  *out = value;
  return p->at > start;
}

static bool parse_lex_number(IrParser *p, IrToken *token) {
  token->kind = IRT_NUMBER;
  token->is_negative = peek(p, 0) == '-';
  if (token->is_negative)
    p->at++;
  bool is_hex = peek(p, 0) == '0' && peek(p, 1) == 'x';
  if (is_hex)
    p->at += 2;
  bool is_good = lex_digits(p, is_hex ? 16 : 10, &token->number);
  return is_good && !parse_lex_is_name_char(peek(p, 0));
}

// One escape after the backslash; a negative number when it is none.
static int lex_escape(IrParser *p) {
  char c = peek(p, 0);
  p->at += p->at < p->length;
  switch (c) {
  case 'n': return '\n';
  case 't': return '\t';
  case '"':
  case '\\': return c;
  default: break;
  }
  int high = hex_digit(peek(p, 0)), low = hex_digit(peek(p, 1));
  if (c != 'x' || high < 0 || low < 0)
    return -1;
  p->at += 2;
  return high * 16 + low;
}

static bool lex_string(IrParser *p, IrToken *token) {
  token->kind = IRT_STRING;
  Text text = {.arena = p->arena};
  p->at++;
  while (p->at < p->length && p->text[p->at] != '"') {
    int c = (unsigned char)p->text[p->at++];
    if (c == '\n')
      return false;
    if (c == '\\')
      c = lex_escape(p);
    if (c <= 0)
      return false;
    text_add_char(&text, (char)c);
  }
  token->string = text_cstr(&text);
  return p->at < p->length && p->text[p->at++] == '"';
}

// %12 #2 ^4 !7 are numbers; $x.3 and @a are names.
static bool lex_mark(IrParser *p, IrToken *token) {
  static const char marks[] = "%#^!$@";
  static const IrTokenKind kinds[] = {IRT_VALUE, IRT_GROUP, IRT_LABEL,
                                      IRT_LOC,   IRT_VAR,   IRT_OBJECT};
  size_t which = (size_t)(strchr(marks, p->text[p->at]) - marks);
  token->kind = kinds[which];
  p->at++;
  if (token->kind != IRT_VAR && token->kind != IRT_OBJECT)
    return lex_digits(p, 10, &token->number) &&
           !parse_lex_is_name_char(peek(p, 0));
  lex_name(p, token);
  return token->length > 0;
}

static bool lex(IrParser *p, IrToken *token) {
  char c = p->text[p->at];
  if (parse_lex_is_digit(c) || c == '-')
    if (parse_lex_is_digit(c) || parse_lex_is_digit(peek(p, 1)))
      return parse_lex_number(p, token);
  if (c == '"')
    return lex_string(p, token);
  if (c && strchr("%#^!$@", c))
    return lex_mark(p, token);
  if (parse_lex_is_name_char(c)) {
    token->kind = IRT_WORD;
    lex_name(p, token);
    return true;
  }
  token->kind = IRT_PUNCT;
  token->text = p->text + p->at++;
  token->length = 1;
  return c && strchr("{}[](),=+*:", c);
}

bool irp_starts_node(const IrParser *p) {
  IrParser ahead = *p;
  parse_lex_skip_blanks(&ahead);
  return p->token.kind == IRT_VALUE && peek(&ahead, 0) == '=';
}

void irp_next(IrParser *p) {
  parse_lex_skip_blanks(p);
  IrToken token = {.kind = IRT_END, .span = {p->at, p->at}};
  bool is_good = p->at >= p->length || lex(p, &token);
  token.span.end = p->at;
  p->token = token;
  if (!is_good)
    irp_fail(p, DIAG_ir_token, token.span,
             token.kind == IRT_STRING   ? "string"
             : token.kind == IRT_NUMBER ? "number"
             : token.kind == IRT_PUNCT  ? "character"
                                        : "name");
}

// ----------------------------------------------------------- small steps

bool irp_is_word(const IrParser *p, const char *word) {
  return p->token.kind == IRT_WORD && strlen(word) == p->token.length &&
         memcmp(word, p->token.text, p->token.length) == 0;
}

bool irp_is_punct(const IrParser *p, char c) {
  return p->token.kind == IRT_PUNCT && p->token.text[0] == c;
}

bool irp_accept_word(IrParser *p, const char *word) {
  bool is_it = irp_is_word(p, word);
  if (is_it)
    irp_next(p);
  return is_it;
}

bool irp_accept_punct(IrParser *p, char c) {
  bool is_it = irp_is_punct(p, c);
  if (is_it)
    irp_next(p);
  return is_it;
}

void irp_expect_word(IrParser *p, const char *word) {
  if (!irp_accept_word(p, word))
    irp_expected(p, arena_printf(p->arena, "'%s'", word));
}

void irp_expect_punct(IrParser *p, char c) {
  if (!irp_accept_punct(p, c))
    irp_expected(p, arena_printf(p->arena, "'%c'", c));
}

static void out_of_range(IrParser *p, const char *low, const char *high) {
  irp_fail(p, DIAG_ir_number, p->token.span,
           arena_printf(p->arena, "%s to %s", low, high));
}

uint64_t irp_unsigned(IrParser *p, uint64_t max) {
  IrToken token = p->token;
  if (token.kind != IRT_NUMBER) {
    irp_expected(p, "a number");
    return 0;
  }
  if (token.number > max || (token.is_negative && token.number)) {
    out_of_range(p, "0", arena_printf(p->arena, "%" PRIu64, max));
    return 0;
  }
  irp_next(p);
  return token.number;
}

int64_t irp_signed(IrParser *p, int64_t min, int64_t max) {
  IrToken token = p->token;
  if (token.kind != IRT_NUMBER) {
    irp_expected(p, "a number");
    return 0;
  }
  HD_ASSERT(min <= 0 && max >= 0);
  uint64_t limit =
      token.is_negative ? (uint64_t)0 - (uint64_t)min : (uint64_t)max;
  if (token.number > limit) {
    out_of_range(p, arena_printf(p->arena, "%" PRId64, min),
                 arena_printf(p->arena, "%" PRId64, max));
    return 0;
  }
  irp_next(p);
  return (int64_t)(token.is_negative ? (uint64_t)0 - token.number
                                     : token.number);
}

const char *irp_string(IrParser *p) {
  if (p->token.kind != IRT_STRING) {
    irp_expected(p, "a string");
    return "";
  }
  const char *string = p->token.string;
  irp_next(p);
  return string;
}

uint64_t irp_mark(IrParser *p, IrTokenKind kind, const char *what) {
  if (p->token.kind != kind) {
    irp_expected(p, what);
    return 0;
  }
  uint64_t number = p->token.number;
  irp_next(p);
  return number;
}

const char *irp_name(IrParser *p, IrTokenKind kind, const char *what) {
  if (p->token.kind != kind) {
    irp_expected(p, what);
    return "";
  }
  const char *name = intern_text(p->names, p->token.text, p->token.length);
  irp_next(p);
  return name;
}

uint32_t irp_word_of(IrParser *p, const char *const *words, const char *what) {
  int index = -1;
  if (p->token.kind == IRT_WORD)
    index = ir_word_find(words, p->token.text, p->token.length);
  if (index < 0) {
    irp_expected(p, what);
    return 0;
  }
  irp_next(p);
  return (uint32_t)index;
}
