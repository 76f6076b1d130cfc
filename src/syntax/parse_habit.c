// SPDX-License-Identifier: Apache-2.0
// Notes on syntax errors that habits of other languages make: a word that
// foreign.def lists, or one of these forms, which the text around tells.
#include "syntax/parser.h"

#include "syntax/parse.h"
#include <ctype.h>
#include <string.h>

// The source before the token where the error is.
typedef struct {
  const char *text;
  uint32_t end; // behind the last character that is no space
} Before;

static Before before_error(const Parser *cx) {
  Before before = {source_text(cx->source), cx->real.span.begin};
  while (before.end > 0 && isspace((unsigned char)before.text[before.end - 1]))
    before.end--;
  return before;
}

static char parse_habit_last_of(const Before *before) {
  return before->end > 0 ? before->text[before->end - 1] : '\0';
}

// The word that ends there; "" if none does.
static const char *word_before(const Parser *cx, const Before *before) {
  uint32_t begin = before->end;
  while (begin > 0 && (isalnum((unsigned char)before->text[begin - 1]) ||
                       before->text[begin - 1] == '_'))
    begin--;
  return arena_strndup(cx->arena, before->text + begin, before->end - begin);
}

static const char *word_after(const Parser *cx, const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_')
    length++;
  return arena_strndup(cx->arena, text, length);
}

// std::max(a, b)
static const char *namespace_hint(const Parser *cx, const Before *before) {
  const char *text = before->text + cx->real.span.begin;
  if (cx->real.kind != TOK_COLON)
    return NULL;
  bool is_first = text[1] == ':',
       is_second = parse_habit_last_of(before) == ':';
  const char *name =
      is_first || is_second ? word_after(cx, text + 1 + is_first) : "";
  if (*name == '\0')
    return NULL;
  const char *hint = syntax_foreign_hint(name);
  return arena_printf(cx->arena, "there are no namespaces: %s",
                      hint ? hint
                           : arena_printf(cx->arena, "write '%s'", name));
}

// The word before the parenthesis that is open there; "" if none is.
static const char *word_before_parens(const Parser *cx, const Before *before) {
  uint32_t at = before->end;
  while (at > 0 && !strchr(";{}()", before->text[at - 1]))
    at--;
  if (at == 0 || before->text[at - 1] != '(')
    return "";
  Before opener = {before->text, at - 1};
  while (opener.end > 0 && isspace((unsigned char)opener.text[opener.end - 1]))
    opener.end--;
  return word_before(cx, &opener);
}

// for (int x : xs)
static const char *range_hint(const Parser *cx, const Before *before) {
  return cx->real.kind == TOK_COLON &&
                 strcmp(word_before_parens(cx, before), "for") == 0
             ? "loops count: 'for (int i = 0; i < n; i++)'"
             : NULL;
}

// foreach (i = 0 ... n)
static const char *foreach_hint(const Parser *cx, const Before *before) {
  return cx->real.kind == TOK_ELLIPSIS &&
                 strncmp(word_before_parens(cx, before), "foreach", 7) == 0
             ? "write 'thread for (int i = 0; i < n; i++)' in a kernel"
             : NULL;
}

// tile<float, 16>
static const char *template_hint(const Parser *cx, const Before *before) {
  if (parse_habit_last_of(before) != '<' || !token_is_keyword(cx->real.kind))
    return NULL;
  Before name = {before->text, before->end - 1};
  const char *word = word_before(cx, &name);
  if (*word == '\0')
    return NULL;
  return strcmp(word, "tile") == 0
             ? "there are no templates: a tile is declared 'tile float t[16]'"
             : "there are no templates: a function takes 'constexpr type T' "
               "or 'constexpr int N' as a parameter";
}

// reduce(x, +)
static const char *operator_hint(const Parser *cx, const Before *before) {
  static const struct {
    char sign;
    const char *name;
  } operators[] = {
      {'+', "plus"}, {'&', "bit_and"}, {'|', "bit_or"}, {'^', "bit_xor"}};

  if (cx->real.kind != TOK_RPAREN && cx->real.kind != TOK_COMMA)
    return NULL;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (parse_habit_last_of(before) == operators[i].sign)
      return arena_printf(cx->arena,
                          "operators are passed by name: '%s' for '%c'",
                          operators[i].name, operators[i].sign);
  return parse_habit_last_of(before) == '*'
             ? "there is no operator for products: pass a function "
               "'T f(T a, T b) { return a * b; }'"
             : NULL;
}

typedef const char *(*HabitHint)(const Parser *, const Before *);

static const HabitHint habit_hints[] = {
    namespace_hint, range_hint, foreach_hint, template_hint, operator_hint};

void parser_note_habit(Parser *cx, Diag *diag) {
  Before before = before_error(cx);
  const char *hint =
      cx->real.kind == TOK_IDENT ? syntax_foreign_hint(cx->real.name) : NULL;
  for (size_t i = 0; i < sizeof habit_hints / sizeof *habit_hints && !hint; i++)
    hint = habit_hints[i](cx, &before);
  if (hint)
    diag_note(cx->diags, diag, (Place){0}, "%s", hint);
}
