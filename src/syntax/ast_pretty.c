// SPDX-License-Identifier: Apache-2.0
// What the printer of syntax trees adds for people: comments from the file that
// the tree was made from, and lines of a width that fits.
#include "syntax/ast_print.h"

#include "base/vec.h"
#include "syntax/parse.h"
#include <ctype.h>
#include <string.h>

enum { WIDTH = 80, STEP = 4, MOST_COMMENT_LINES = 200 };

// --- Comments --------------------------------------------------------------

// Of the file itself, not of what it includes.
typedef struct AstComments {
  SourceText *source;
  const char *file;
  hd_vec(bool) is_printed; // by line
} AstComments;

static bool take_line(AstComments *comments, Arena *arena, uint32_t line) {
  while (comments->is_printed.count <= line)
    VEC_PUSH(arena, &comments->is_printed, false);
  bool is_new = !comments->is_printed.data[line];
  comments->is_printed.data[line] = true;
  return is_new;
}

typedef struct {
  const char *text; // without blanks around
  size_t length;
} Line;

static Line line_at(const AstComments *comments, uint32_t number) {
  size_t length = 0;
  const char *text =
      source_line(comments->source, comments->file, number, &length);
  while (text && length > 0 && isspace((unsigned char)*text))
    text++, length--;
  while (text && length > 0 && isspace((unsigned char)text[length - 1]))
    length--;
  return (Line){text ? text : "", text ? length : 0};
}

static bool starts_with(Line line, const char *word) {
  size_t length = strlen(word);
  return line.length >= length && memcmp(line.text, word, length) == 0;
}

static bool ends_with(Line line, const char *word) {
  size_t length = strlen(word);
  return line.length >= length &&
         memcmp(line.text + line.length - length, word, length) == 0;
}

// The line where the comment begins that ends in `last`; 0: none does.
static uint32_t comment_start(const AstComments *comments, uint32_t last) {
  Line line = line_at(comments, last);
  if (starts_with(line, "//"))
    return last;
  if (!ends_with(line, "*/"))
    return 0;
  for (uint32_t i = last; i > 0 && last - i < MOST_COMMENT_LINES; i--) {
    line = line_at(comments, i);
    const char *opening =
        line.length > 1 ? memmem(line.text, line.length, "/*", 2) : NULL;
    if (opening)
      return opening == line.text ? i : 0;
  }
  return 0;
}

static Place place_of(const AstComments *comments, Span span) {
  Place place = source_place(comments->source, span);
  if (!place.file || strcmp(place.file, comments->file) != 0)
    place.line = place.end_line = 0;
  return place;
}

void print_comments_above(AstOut *out, Span span) {
  AstComments *comments = out->comments;
  if (!comments || span.end <= span.begin)
    return;
  uint32_t line = place_of(comments, span).line, first = line;
  while (first > 1) {
    uint32_t start = comment_start(comments, first - 1);
    if (start == 0)
      break;
    first = start;
  }
  for (uint32_t i = first; i < line; i++) {
    Line text = line_at(comments, i);
    if (!take_line(comments, out->text->arena, i))
      continue;
    print_indent(out);
    text_printf(out->text, "%s%.*s\n", starts_with(text, "*") ? " " : "",
                (int)text.length, text.text);
  }
}

// Where `//` begins a comment in a line, outside of literals.
static const char *find_comment(Line line) {
  char quote = 0;
  for (size_t i = 0; i + 1 < line.length; i++) {
    char c = line.text[i];
    if (quote && c == '\\')
      i++;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '/' && line.text[i + 1] == '/')
      return line.text + i;
  }
  return NULL;
}

void print_comment_behind(AstOut *out, Span span) {
  AstComments *comments = out->comments;
  if (!comments || span.end <= span.begin)
    return;
  uint32_t number = place_of(comments, span).end_line;
  Line line = number ? line_at(comments, number) : (Line){"", 0};
  const char *comment = find_comment(line);
  if (!comment || comment == line.text ||
      !take_line(comments, out->text->arena, number))
    return;
  text_printf(out->text, " %.*s",
              (int)(line.length - (size_t)(comment - line.text)), comment);
}

// --- Width -----------------------------------------------------------------

// How good a place before `i` is, from 1; 0: none. What binds least is best.
static int break_rank(const char *text, size_t i) {
  static const char *const ends[] = {" * ", " - ",  " + ",  " | ", " : ",
                                     " ? ", " && ", " || ", " = ", ", "};
  for (size_t k = sizeof ends / sizeof *ends; k > 0; k--) {
    size_t length = strlen(ends[k - 1]);
    if (i >= length && memcmp(text + i - length, ends[k - 1], length) == 0)
      return (int)k;
  }
  return 0;
}

// Where a line is broken: at the outermost place that fits, the last of those;
// `length` where none does.
static size_t break_of(const char *text, size_t length, size_t width) {
  size_t best = length;
  int depth = 0, best_depth = 0, best_rank = 0;
  char quote = 0;
  for (size_t i = 0; i < length && i <= width; i++) {
    char c = text[i];
    if (quote && c == '\\')
      i++;
    else if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    if (quote)
      continue;
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    int rank = i > 0 ? break_rank(text, i) : 0;
    bool is_better =
        depth < best_depth || (depth == best_depth && rank >= best_rank);
    if (rank > 0 && (best == length || is_better)) {
      best = i;
      best_depth = depth;
      best_rank = rank;
    }
  }
  return best;
}

static void wrap_line(Text *out, const char *text, size_t length) {
  size_t indent = 0;
  while (indent < length && text[indent] == ' ')
    indent++;
  bool is_fixed =
      indent < length &&
      (text[indent] == '#' || text[indent] == '/' || text[indent] == '*');
  Line line = {text, length};
  bool has_comment = find_comment(line) != NULL;
  size_t more = ends_with(line, "{") ? indent + 2 * STEP : indent + STEP;
  size_t at = indent;
  text_add_repeat(out, ' ', indent);
  while (length - at + indent > WIDTH && !is_fixed && !has_comment) {
    size_t part = break_of(text + at, length - at, WIDTH - indent);
    if (part == length - at)
      break;
    while (text[at + part - 1] == ' ')
      part--;
    text_printf(out, "%.*s\n", (int)part, text + at);
    at += part;
    while (at < length && text[at] == ' ')
      at++;
    indent = more;
    text_add_repeat(out, ' ', indent);
  }
  text_printf(out, "%.*s\n", (int)(length - at), text + at);
}

static void print_wrapped_lines(Text *out, const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    wrap_line(out, text, length);
    text += length + (text[length] == '\n');
  }
}

void ast_print_pretty(const AstUnit *unit, Text *out) {
  Text text = {.arena = out->arena};
  AstComments comments = {.source = unit->source};
  if (unit->source)
    comments.file = source_name(unit->source);
  print_unit(&(AstOut){.text = &text,
                       .is_pretty = true,
                       .comments = unit->source ? &comments : NULL},
             unit);
  print_wrapped_lines(out, text_cstr(&text));
}
