// SPDX-License-Identifier: Apache-2.0
// Note [Names of macros]
// A tree is made of what the preprocessor gives, where N is 1024. The file
// still has the line that the user wrote: its tokens and those of the
// preprocessed line are the same but where a macro stood. So both are read side
// by side, from the left and, behind what can't be followed (a macro with
// arguments), from the right. An expression that stands just where N did, and
// is printed as the body of N is written, is printed as N.
//
// Only macros whose bodies are numbers, operators and other such macros count,
// and only if the file defines them once.
#include "syntax/ast_macros.h"

#include "base/map.h"
#include "base/vec.h"
#include <ctype.h>
#include <string.h>

enum { MOST_TOKENS = 512, MOST_DEPTH = 16, MOST_BODY = 64 };

typedef struct {
  const char *text;
  size_t length;
} Token;

typedef struct {
  Token data[MOST_TOKENS];
  uint32_t count;
  bool is_whole; // all of the line
} Tokens;

typedef struct {
  const char *name;
  const char *header; // of Heddle's that defines it; NULL: the file does
  uint32_t line;
  Token *body; // fully expanded; NULL: not one of these
  uint32_t n_body;
  const char *written; // the body as it stands there
  bool is_single;      // a token, or in parentheses
  bool is_off, is_used;
} Macro;

typedef struct {
  Span span;  // in the preprocessed text
  Span inner; // without parentheses around it
  uint32_t macro;
} Use;

struct AstMacros {
  Arena *arena;
  SourceText *source;
  hd_vec(Macro) all;
  hd_vec(Use) uses;
  hd_vec(uint32_t) lines; // offsets of those that were looked at
};

// ------------------------------------------------------------------ tokens

static bool ast_macros_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *ast_macros_skip_number(const char *at, const char *end) {
  while (at < end) {
    bool is_exponent = strchr("eEpP", *at) != NULL;
    if (is_exponent && at + 1 < end && (at[1] == '+' || at[1] == '-'))
      at++;
    else if (!ast_macros_is_word(*at) && *at != '.' && *at != '\'')
      break;
    at++;
  }
  return at;
}

static const char *ast_macros_skip_quoted(const char *at, const char *end) {
  char quote = *at++;
  while (at < end && *at != quote)
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end ? at + 1 : end;
}

// Behind blanks and comments; `end`: nothing is there.
static const char *ast_macros_skip_space(const char *at, const char *end) {
  while (at < end) {
    if (isspace((unsigned char)*at)) {
      at++;
    } else if (at + 1 < end && at[0] == '/' && at[1] == '/') {
      return end;
    } else if (at + 1 < end && at[0] == '/' && at[1] == '*') {
      const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
      if (!close)
        return end;
      at = close + 2;
    } else {
      break;
    }
  }
  return at;
}

static const char *ast_macros_skip_token(const char *at, const char *end) {
  if (isdigit((unsigned char)*at) ||
      (*at == '.' && at + 1 < end && isdigit((unsigned char)at[1])))
    return ast_macros_skip_number(at, end);
  if (*at == '"' || *at == '\'')
    return ast_macros_skip_quoted(at, end);
  if (!ast_macros_is_word(*at))
    return at + 1;
  while (at < end && ast_macros_is_word(*at))
    at++;
  return at;
}

static void add_tokens(const char *text, size_t length, Tokens *out) {
  const char *end = text + length;
  for (const char *at = ast_macros_skip_space(text, end); at < end;
       at = ast_macros_skip_space(at, end)) {
    const char *next = ast_macros_skip_token(at, end);
    if (out->count == MOST_TOKENS) {
      out->is_whole = false;
      return;
    }
    out->data[out->count++] = (Token){at, (size_t)(next - at)};
    at = next;
  }
}

static void ast_macros_split(const char *text, size_t length, Tokens *out) {
  out->count = 0;
  out->is_whole = true;
  add_tokens(text, length, out);
}

static bool ast_macros_is_same(Token a, Token b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_text(Token token, const char *text) {
  return ast_macros_is_same(token, (Token){text, strlen(text)});
}

static bool is_name(Token token) {
  return ast_macros_is_word(token.text[0]) &&
         !isdigit((unsigned char)token.text[0]);
}

// ------------------------------------------------------------- definitions

static int find_macro(const AstMacros *macros, Token name) {
  for (uint32_t i = 0; i < macros->all.count; i++)
    if (is_text(name, macros->all.data[i].name))
      return (int)i;
  return -1;
}

static void add_macro(AstMacros *macros, uint32_t line, const Tokens *tokens) {
  Token name = tokens->data[2];
  int known = find_macro(macros, name);
  Macro macro = {.name = arena_strndup(macros->arena, name.text, name.length),
                 .line = line};
  const Token *last = &tokens->data[tokens->count - 1];
  bool has_params = tokens->count > 3 &&
                    tokens->data[3].text == name.text + name.length &&
                    tokens->data[3].text[0] == '(';
  if (tokens->count > 3 && tokens->is_whole && !has_params)
    macro.written = arena_strndup(
        macros->arena, tokens->data[3].text,
        (size_t)(last->text + last->length - tokens->data[3].text));
  macro.is_off = !macro.written || strchr(macro.written, '\\') ||
                 strstr(macro.written, "/*");
  if (known >= 0)
    macros->all.data[known].is_off = true;
  else
    VEC_PUSH(macros->arena, &macros->all, macro);
}

static void ast_macros_read_line(AstMacros *macros, uint32_t line,
                                 const char *text, size_t length) {
  Tokens tokens;
  const char *start = ast_macros_skip_space(text, text + length);
  if (start == text + length || *start != '#')
    return;
  ast_macros_split(text, length, &tokens);
  if (tokens.count < 3 || !is_name(tokens.data[2]))
    return;
  if (is_text(tokens.data[1], "define"))
    add_macro(macros, line, &tokens);
  int known = find_macro(macros, tokens.data[2]);
  if (is_text(tokens.data[1], "undef") && known >= 0)
    macros->all.data[known].is_off = true;
}

// False: it has other things than numbers.
static bool ast_macros_expand(const AstMacros *macros, uint32_t index,
                              uint32_t depth, Token *out, uint32_t *count) {
  const Macro *macro = &macros->all.data[index];
  Tokens tokens;
  if (macro->is_off || depth > MOST_DEPTH)
    return false;
  ast_macros_split(macro->written, strlen(macro->written), &tokens);
  for (uint32_t i = 0; i < tokens.count; i++) {
    Token token = tokens.data[i];
    int other = is_name(token) ? find_macro(macros, token) : -1;
    bool is_number = isdigit((unsigned char)token.text[0]) ||
                     (token.text[0] == '.' && token.length > 1);
    if (other >= 0) {
      if (!ast_macros_expand(macros, (uint32_t)other, depth + 1, out, count))
        return false;
      continue;
    }
    bool is_plain = is_number && !memchr(token.text, '\'', token.length);
    if ((!is_plain && !strchr("+-*/%()<>&|^~", token.text[0])) ||
        *count == MOST_BODY)
      return false;
    out[(*count)++] = token;
  }
  return true;
}

// It begins with the bracket that ends it.
static bool is_in_parens(const Token *body, uint32_t count) {
  int depth = 0;
  for (uint32_t i = 0; i < count; i++) {
    depth += body[i].text[0] == '(';
    depth -= body[i].text[0] == ')';
    if (depth == 0 && i + 1 < count)
      return false;
  }
  return count > 2 && body[0].text[0] == '(';
}

static void ast_macros_add_own(AstMacros *macros) {
  static const Macro rows[] = {
#define C_MACRO(file, word, text)                                              \
  {.name = word, .header = file, .written = text},
#include "syntax/c_macros.def"
  };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    VEC_PUSH(macros->arena, &macros->all, rows[i]);
}

AstMacros *ast_macros_find(Arena *arena, SourceText *source) {
  AstMacros *macros = ARENA_NEW(arena, AstMacros);
  macros->arena = arena;
  macros->source = source;
  ast_macros_add_own(macros);
  size_t length;
  const char *text;
  for (uint32_t i = 1;
       (text = source_line(source, source_name(source), i, &length)); i++)
    ast_macros_read_line(macros, i, text, length);
  for (uint32_t i = 0; i < macros->all.count; i++) {
    Token body[MOST_BODY];
    uint32_t count = 0;
    Macro *macro = &macros->all.data[i];
    if (!ast_macros_expand(macros, i, 0, body, &count) || count == 0)
      continue;
    macro->body = arena_copy(arena, body, count * sizeof *body);
    macro->n_body = count;
    macro->is_single = count == 1 || is_in_parens(body, count);
  }
  return macros;
}

// In the text of `c`, which has no macros: a name that stands there can't be
// that of one.
void ast_macros_avoid(AstMacros *macros, const char *text) {
  while (*text) {
    const char *end = strchr(text, '\n');
    Tokens tokens;
    ast_macros_split(text, end ? (size_t)(end - text) : strlen(text), &tokens);
    for (uint32_t i = 0; i < tokens.count; i++) {
      int known =
          is_name(tokens.data[i]) ? find_macro(macros, tokens.data[i]) : -1;
      if (known >= 0)
        macros->all.data[known].body = NULL;
    }
    text = end ? end + 1 : text + strlen(text);
  }
}

// -------------------------------------------------------------------- uses

typedef struct {
  const Tokens *user, *made;
  uint32_t user_begin, user_end; // what isn't read yet
  uint32_t made_begin, made_end;
} Sides;

static void ast_macros_add_use(AstMacros *macros, uint32_t index,
                               const Tokens *made, uint32_t first,
                               uint32_t count) {
  const char *text = source_text(macros->source);
  uint32_t last = first + count - 1;
  Use use = {.macro = index};
  use.span.begin = (uint32_t)(made->data[first].text - text);
  use.span.end =
      (uint32_t)(made->data[last].text + made->data[last].length - text);
  use.inner = use.span;
  while (first + 1 < last && made->data[first].text[0] == '(' &&
         is_in_parens(&made->data[first], last - first + 1)) {
    first++, last--;
    use.inner.begin = (uint32_t)(made->data[first].text - text);
    use.inner.end =
        (uint32_t)(made->data[last].text + made->data[last].length - text);
  }
  VEC_PUSH(macros->arena, &macros->uses, use);
}

// The macro's body stands there.
static bool is_body(const Macro *macro, const Tokens *made, uint32_t first) {
  for (uint32_t i = 0; i < macro->n_body; i++)
    if (!ast_macros_is_same(macro->body[i], made->data[first + i]))
      return false;
  return true;
}

// One token of the user's, and what it became. False: that isn't understood.
static bool ast_macros_step(AstMacros *macros, Sides *s, bool is_left) {
  Token token = s->user->data[is_left ? s->user_begin : s->user_end - 1];
  int index = is_name(token) ? find_macro(macros, token) : -1;
  const Macro *macro = index >= 0 ? &macros->all.data[index] : NULL;
  uint32_t count = macro && macro->body ? macro->n_body : 1;
  if (s->made_end - s->made_begin < count)
    return false;
  uint32_t first = is_left ? s->made_begin : s->made_end - count;
  if (macro && macro->body) {
    if (!is_body(macro, s->made, first))
      return false;
    ast_macros_add_use(macros, (uint32_t)index, s->made, first, count);
  } else if (!ast_macros_is_same(token, s->made->data[first])) {
    return false;
  }
  s->user_begin += is_left;
  s->user_end -= !is_left;
  s->made_begin += is_left ? count : 0;
  s->made_end -= is_left ? 0 : count;
  return true;
}

static uint32_t line_begin(const char *text, uint32_t at) {
  while (at > 0 && text[at - 1] != '\n')
    at--;
  return at;
}

static uint32_t ast_macros_line_end(const char *text, uint32_t at) {
  return at + (uint32_t)strcspn(text + at, "\n");
}

// The line of text that begins there is (a part of) the user's, or a marker
// between such parts: macros of system headers stand between markers.
static bool ast_macros_is_part(AstMacros *macros, uint32_t begin, Place line) {
  const char *text = source_text(macros->source);
  if (text[begin] == '#' || text[begin] == '\n')
    return true;
  Place place = source_place(macros->source, (Span){begin, begin + 1});
  return place.line == line.line && place.file && line.file &&
         strcmp(place.file, line.file) == 0;
}

// All that the user's line became.
static void split_parts(AstMacros *macros, uint32_t begin, Place line,
                        Tokens *out) {
  enum { MOST_PARTS = 256 };

  const char *text = source_text(macros->source);
  for (int i = 0; i < MOST_PARTS && begin > 0; i++) {
    uint32_t before = line_begin(text, begin - 1);
    if (!ast_macros_is_part(macros, before, line))
      break;
    begin = before;
  }
  out->count = 0;
  out->is_whole = true;
  for (int i = 0; i < 2 * MOST_PARTS && text[begin]; i++) {
    uint32_t end = ast_macros_line_end(text, begin);
    if (!ast_macros_is_part(macros, begin, line))
      break;
    if (text[begin] != '#')
      add_tokens(text + begin, end - begin, out);
    begin = end + (text[end] == '\n');
  }
}

static void read_uses(AstMacros *macros, uint32_t begin, Place place) {
  Tokens user, made;
  size_t length;
  const char *line =
      source_line(macros->source, place.file, place.line, &length);
  if (!line)
    return;
  ast_macros_split(line, length, &user);
  split_parts(macros, begin, place, &made);
  if (!user.is_whole || !made.is_whole)
    return;
  Sides sides = {&user, &made, 0, user.count, 0, made.count};
  for (int is_left = 1; is_left >= 0; is_left--)
    while (sides.user_begin < sides.user_end &&
           ast_macros_step(macros, &sides, is_left)) {
    }
}

static void look_at_line(AstMacros *macros, Span span) {
  uint32_t begin = line_begin(source_text(macros->source), span.begin);
  for (uint32_t i = macros->lines.count; i > 0; i--)
    if (macros->lines.data[i - 1] == begin)
      return;
  VEC_PUSH(macros->arena, &macros->lines, begin);
  Place place =
      source_place(macros->source, (Span){span.begin, span.begin + 1});
  if (place.file && strcmp(place.file, source_name(macros->source)) == 0)
    read_uses(macros, begin, place);
}

static bool ast_macros_is_equal(Span a, Span b) {
  return a.begin == b.begin && a.end == b.end;
}

// The same but for blanks and parentheses around all of it.
static bool is_written_as(const Macro *macro, const char *printed) {
  Tokens tokens;
  ast_macros_split(printed, strlen(printed), &tokens);
  uint32_t first = 0, end = macro->n_body;
  while (is_in_parens(macro->body + first, end - first))
    first++, end--;
  bool is_right = tokens.count == end - first;
  for (uint32_t i = 0; i < tokens.count && is_right; i++) {
    Token a = tokens.data[i], b = macro->body[first + i];
    is_right =
        a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
  }
  return is_right;
}

bool ast_macros_may_be(AstMacros *macros, Span span) {
  if (macros->all.count == 0 || span.end <= span.begin)
    return false;
  look_at_line(macros, span);
  for (uint32_t i = 0; i < macros->uses.count; i++)
    if (ast_macros_is_equal(macros->uses.data[i].span, span) ||
        ast_macros_is_equal(macros->uses.data[i].inner, span))
      return true;
  return false;
}

const char *ast_macros_name(AstMacros *macros, Span span, const char *printed,
                            bool *is_single) {
  for (uint32_t i = 0; i < macros->uses.count; i++) {
    const Use *use = &macros->uses.data[i];
    Macro *macro = &macros->all.data[use->macro];
    if ((!ast_macros_is_equal(use->span, span) &&
         !ast_macros_is_equal(use->inner, span)) ||
        !macro->body || !is_written_as(macro, printed))
      continue;
    *is_single = macro->is_single;
    macro->is_used = true;
    return macro->name;
  }
  return NULL;
}

// ----------------------------------------------------------------- printing

// With those that bodies name.
static void use_named(AstMacros *macros, Macro *macro, uint32_t depth) {
  Tokens tokens;
  macro->is_used = true;
  ast_macros_split(macro->written, strlen(macro->written), &tokens);
  for (uint32_t i = 0; i < tokens.count && depth < MOST_DEPTH; i++) {
    int other =
        is_name(tokens.data[i]) ? find_macro(macros, tokens.data[i]) : -1;
    if (other >= 0)
      use_named(macros, &macros->all.data[other], depth + 1);
  }
}

uint32_t ast_macros_next(AstMacros *macros, uint32_t index,
                         AstDefinition *out) {
  for (uint32_t i = 0; i < macros->all.count && index == 0; i++)
    if (macros->all.data[i].is_used)
      use_named(macros, &macros->all.data[i], 0);
  for (; index < macros->all.count; index++) {
    const Macro *macro = &macros->all.data[index];
    if (!macro->is_used)
      continue;
    *out = (AstDefinition){macro->name, macro->written, macro->header,
                           macro->line};
    return index + 1;
  }
  return 0;
}
