// SPDX-License-Identifier: Apache-2.0
// What the printer of syntax trees adds for people: comments and blank lines
// from the file that the tree was made from.
#include "syntax/ast_print.h"

#include "base/vec.h"
#include "syntax/parse.h"
#include <ctype.h>
#include <string.h>

enum { MOST_COMMENT_LINES = 200 };

// --- Comments --------------------------------------------------------------

typedef struct {
  uint32_t line, col, end_line; // from 1
  const char *text;             // on its first line
  size_t length;
  bool is_inner; // something stands behind it
  bool is_first; // nothing stands before it
  bool is_printed;
} Comment;

// Of the file itself, not of what it includes.
typedef struct AstComments {
  SourceText *source;
  const char *file;
  hd_vec(bool) is_printed; // by line
  hd_vec(Comment) all;     // once it is asked for
  bool is_read;
  uint32_t body; // the line behind what the file begins with
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

static bool ast_pretty_ends_with(Line line, const char *word) {
  size_t length = strlen(word);
  return line.length >= length &&
         memcmp(line.text + line.length - length, word, length) == 0;
}

// The line where the comment begins that ends in `last`; 0: none does.
static uint32_t comment_start(const AstComments *comments, uint32_t last) {
  Line line = line_at(comments, last);
  if (starts_with(line, "//"))
    return last;
  if (!ast_pretty_ends_with(line, "*/"))
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

static Place ast_pretty_place_of(const AstComments *comments, Span span) {
  Place place = source_place(comments->source, span);
  if (!place.file || strcmp(place.file, comments->file) != 0)
    place.line = place.end_line = 0;
  return place;
}

static bool is_blank(const AstComments *comments, uint32_t line) {
  return line_at(comments, line).length == 0;
}

// The first line of the comments above `line`, blank ones between them
// included; `line` itself: there are none.
static uint32_t comments_start(const AstComments *comments, uint32_t line) {
  uint32_t first = line, at = line;
  while (at > 1) {
    uint32_t start =
        is_blank(comments, at - 1) ? at - 1 : comment_start(comments, at - 1);
    if (start == 0)
      break;
    at = start;
    if (!is_blank(comments, at))
      first = at;
  }
  return first;
}

static size_t ast_pretty_indent_of(const AstComments *comments, uint32_t line) {
  size_t length = 0, n = 0;
  const char *text =
      source_line(comments->source, comments->file, line, &length);
  while (n < length && (text[n] == ' ' || text[n] == '\t'))
    n++;
  return n;
}

// Without what would make the next line part of it.
static Line uncontinued(Line line) {
  while (line.length > 0 && (line.text[line.length - 1] == '\\' ||
                             line.text[line.length - 1] == ' '))
    line.length--;
  return line;
}

// Lines of a comment keep their places to each other.
static void print_comment(AstOut *out, uint32_t first, uint32_t last) {
  AstComments *comments = out->comments;
  size_t outer = ast_pretty_indent_of(comments, first);
  for (uint32_t i = first; i <= last; i++) {
    Line line = uncontinued(line_at(comments, i));
    size_t inner = ast_pretty_indent_of(comments, i);
    print_indent(out);
    text_add_repeat(out->text, ' ', inner > outer ? inner - outer : 0);
    text_printf(out->text, "%.*s\n", (int)line.length, line.text);
  }
}

// From `first` to before `end`, but for what says something to Heddle. False:
// nothing was printed.
static bool print_comment_lines(AstOut *out, uint32_t first, uint32_t end) {
  AstComments *comments = out->comments;
  bool has_gap = false, is_any = false;
  for (uint32_t i = first; i < end; i++) {
    bool is_gap = is_blank(comments, i);
    Line line = line_at(comments, i);
    uint32_t last = i;
    has_gap |= is_gap;
    if (is_gap || !take_line(comments, out->text->arena, i) ||
        starts_with(line, "// heddle:"))
      continue;
    while (last + 1 < end && starts_with(line, "/*") &&
           comment_start(comments, last) != i)
      take_line(comments, out->text->arena, ++last);
    if (has_gap && is_any)
      text_add_char(out->text, '\n');
    print_comment(out, i, last);
    has_gap = false;
    is_any = true;
    i = last;
  }
  return is_any;
}

void print_comments_above(AstOut *out, Span span) {
  AstComments *comments = out->comments;
  if (!comments || span.end <= span.begin)
    return;
  uint32_t line = ast_pretty_place_of(comments, span).line;
  if (line > 0)
    print_comment_lines(out, comments_start(comments, line), line);
}

void print_gap_above(AstOut *out, Span before, Span span) {
  AstComments *comments = out->comments;
  if (!comments || span.end <= span.begin || before.end <= before.begin)
    return;
  uint32_t line = ast_pretty_place_of(comments, span).line;
  uint32_t last = ast_pretty_place_of(comments, before).end_line;
  uint32_t first = line > 0 ? comments_start(comments, line) : 0;
  if (last > 0 && first > last + 1 && is_blank(comments, first - 1))
    text_add_char(out->text, '\n');
}

void print_comments_at_end(AstOut *out, Span span) {
  if (span.end > span.begin)
    print_comments_above(out, (Span){span.end - 1, span.end});
}

void print_comments_anew(AstOut *out, Span span) {
  AstComments *comments = out->comments;
  if (!comments || span.end <= span.begin)
    return;
  Place place = ast_pretty_place_of(comments, span);
  uint32_t first = comments_start(comments, place.line);
  for (uint32_t i = first > comments->body ? first : comments->body;
       place.line > 0 && i <= place.end_line && i < comments->is_printed.count;
       i++)
    comments->is_printed.data[i] = false;
  for (uint32_t i = 0; i < comments->all.count; i++)
    if (comments->all.data[i].line >= place.line &&
        comments->all.data[i].line <= place.end_line)
      comments->all.data[i].is_printed = false;
}

// Behind the comments that the file begins with.
static uint32_t file_comment_end(const AstComments *comments) {
  for (uint32_t i = 1; i < MOST_COMMENT_LINES; i++) {
    Line line = line_at(comments, i);
    if (starts_with(line, "//") || line.length == 0)
      continue;
    if (!starts_with(line, "/*"))
      return i;
    uint32_t last = i;
    while (last < MOST_COMMENT_LINES && comment_start(comments, last) != i)
      last++;
    i = last;
  }
  return 1;
}

// What the file begins with, but for what stands right above something else
// that is in the file.
static void print_file_comment(AstOut *out, const AstUnit *unit) {
  AstComments *comments = out->comments;
  uint32_t first = 1, end = file_comment_end(comments), last = end;
  while (first < end && is_blank(comments, first))
    first++;
  while (last > first && !is_blank(comments, last - 1))
    last--;
  bool is_about_first =
      unit->decls.count > 0 &&
      ast_pretty_place_of(comments, unit->decls.data[0]->span).line == end;
  if (last > first || is_about_first)
    end = last;
  if (end <= first)
    return;
  comments->body = end;
  if (print_comment_lines(out, first, end))
    text_add_char(out->text, '\n');
}

// Where a comment begins that goes to the end of the line, outside of literals.
const char *print_find_comment(const char *text, size_t length) {
  char quote = 0;
  for (size_t i = 0; i + 1 < length; i++) {
    char c = text[i];
    if (quote && c == '\\')
      i++;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '/' && text[i + 1] == '/')
      return text + i;
    else if (c == '/' && text[i + 1] == '*') {
      const char *end = memmem(text + i + 2, length - i - 2, "*/", 2);
      if (!end || end + 2 == text + length)
        return end ? text + i : NULL;
      i = (size_t)(end + 1 - text);
    }
  }
  return NULL;
}

// --- Comments inside of what is one line -----------------------------------

// What begins in this line at `at`; gives where it ends there.
static size_t add_comment(AstComments *comments, Arena *arena, uint32_t line,
                          const char *text, size_t length, size_t at) {
  Comment comment = {.line = line,
                     .end_line = line,
                     .col = (uint32_t)at + 1,
                     .text = text + at,
                     .length = length - at};
  size_t end = length;
  if (text[at + 1] == '*') {
    const char *close = memmem(text + at + 2, length - at - 2, "*/", 2);
    end = close ? (size_t)(close - text) + 2 : length;
    comment.length = end - at;
    if (!close)
      comment.end_line = 0;
  }
  comment.is_first = true;
  for (size_t i = 0; i < at; i++)
    comment.is_first &= isspace((unsigned char)text[i]) != 0;
  for (size_t i = end; i < length; i++)
    comment.is_inner |= !isspace((unsigned char)text[i]);
  while (comment.length > 0 &&
         isspace((unsigned char)comment.text[comment.length - 1]))
    comment.length--;
  VEC_PUSH(arena, &comments->all, comment);
  return end;
}

// Outside of literals.
static size_t next_comment(const char *text, size_t length, size_t at) {
  char quote = 0;
  for (; at + 1 < length; at++) {
    char c = text[at];
    if (quote && c == '\\')
      at++;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '/' && (text[at + 1] == '/' || text[at + 1] == '*'))
      return at;
  }
  return length;
}

static void read_comments(AstComments *comments, Arena *arena) {
  const char *text;
  size_t length;
  bool is_open = false;
  comments->is_read = true;
  for (uint32_t line = 1;
       (text = source_line(comments->source, comments->file, line, &length));
       line++) {
    size_t at = 0;
    if (is_open) {
      const char *close = memmem(text, length, "*/", 2);
      if (!close)
        continue;
      comments->all.data[comments->all.count - 1].end_line = line;
      at = (size_t)(close - text) + 2;
    }
    for (at = next_comment(text, length, at); at < length;
         at = next_comment(text, length, at))
      at = add_comment(comments, arena, line, text, length, at);
    uint32_t count = comments->all.count;
    is_open = count > 0 && comments->all.data[count - 1].end_line == 0;
  }
}

// That wasn't printed, and stands between these places.
static bool is_between(const AstComments *comments, const Comment *comment,
                       Place from, Place to) {
  bool is_line_printed = comment->line < comments->is_printed.count &&
                         comments->is_printed.data[comment->line];
  bool is_behind = comment->line > from.line ||
                   (comment->line == from.line && comment->col > from.col);
  bool is_before = comment->line < to.line ||
                   (comment->line == to.line && comment->col < to.col);
  bool is_told =
      comment->length >= 10 && strncmp(comment->text, "// heddle:", 10) == 0;
  return is_behind && is_before && !comment->is_printed && !is_told &&
         comment->end_line == comment->line &&
         (comment->is_inner || !is_line_printed);
}

static bool places_of(AstOut *out, uint32_t begin, uint32_t end, Place *from,
                      Place *to) {
  AstComments *comments = out->comments;
  if (!comments || end <= begin)
    return false;
  if (!comments->is_read)
    read_comments(comments, out->text->arena);
  *from = ast_pretty_place_of(comments, (Span){begin, begin + 1});
  *to = ast_pretty_place_of(comments, (Span){end - 1, end});
  to->col++;
  return from->line > 0 && to->line > 0;
}

static void note_printed(AstOut *out, Comment *comment) {
  comment->is_printed = true;
  if (!comment->is_inner)
    take_line(out->comments, out->text->arena, comment->line);
}

void print_comments_between(AstOut *out, uint32_t begin, uint32_t end,
                            bool has_lines) {
  Place from, to;
  if (!places_of(out, begin, end, &from, &to))
    return;
  for (uint32_t i = 0; i < out->comments->all.count; i++) {
    Comment *comment = &out->comments->all.data[i];
    if (!is_between(out->comments, comment, from, to) ||
        (comment->is_first && !has_lines))
      continue;
    note_printed(out, comment);
    text_printf(out->text, " %.*s", (int)comment->length, comment->text);
  }
}

void print_comments_inside(AstOut *out, Span span) {
  Place from, to;
  uint32_t count = 0;
  if (!places_of(out, span.begin, span.end, &from, &to))
    return;
  for (uint32_t i = 0; i < out->comments->all.count; i++)
    count += is_between(out->comments, &out->comments->all.data[i], from, to);
  if (count + print_has_comment_behind(out, span) < 2)
    return;
  for (uint32_t i = 0; i < out->comments->all.count; i++) {
    Comment *comment = &out->comments->all.data[i];
    if (!is_between(out->comments, comment, from, to))
      continue;
    note_printed(out, comment);
    print_indent(out);
    text_printf(out->text, "%.*s\n", (int)comment->length, comment->text);
  }
}

// On the last line of the span; `text` NULL: none that wasn't printed.
static Line comment_behind(AstOut *out, Span span, uint32_t *number) {
  AstComments *comments = out->comments;
  Line none = {NULL, 0};
  if (!comments || span.end <= span.begin)
    return none;
  *number = ast_pretty_place_of(comments, span).end_line;
  Line line = *number ? line_at(comments, *number) : none;
  const char *comment =
      line.text ? print_find_comment(line.text, line.length) : NULL;
  bool is_printed = *number < comments->is_printed.count &&
                    comments->is_printed.data[*number];
  if (!comment || comment == line.text || is_printed)
    return none;
  return uncontinued(
      (Line){comment, line.length - (size_t)(comment - line.text)});
}

bool print_has_comment_behind(AstOut *out, Span span) {
  uint32_t number;
  return comment_behind(out, span, &number).text != NULL;
}

void print_comment_behind(AstOut *out, Span span) {
  uint32_t number;
  Line comment = comment_behind(out, span, &number);
  if (!comment.text)
    return;
  take_line(out->comments, out->text->arena, number);
  text_printf(out->text, " %.*s", (int)comment.length, comment.text);
}

bool print_is_same_line(AstOut *out, Span span, Span after) {
  return out->comments && ast_pretty_place_of(out->comments, span).end_line ==
                              ast_pretty_place_of(out->comments, after).line;
}

// As it stands in the file, with what is said about it.
static void print_definition(AstOut *out, const AstDefinition *definition) {
  AstComments *comments = out->comments;
  uint32_t number = definition->line;
  Line line = line_at(comments, number);
  const char *comment = print_find_comment(line.text, line.length);
  print_comment_lines(out, comments_start(comments, number), number);
  text_printf(out->text, "#define %s %s", definition->name, definition->body);
  if (comment)
    text_printf(out->text, " %.*s", (int)(line.text + line.length - comment),
                comment);
  text_add_char(out->text, '\n');
}

// Those of a header stand together.
static void print_definitions(AstOut *out) {
  AstDefinition definition;
  const char *header = NULL;
  uint32_t next = ast_macros_next(out->macros, 0, &definition);
  bool is_any = next > 0;
  for (; next > 0; next = ast_macros_next(out->macros, next, &definition)) {
    if (!definition.header)
      print_definition(out, &definition);
    else if (!header || strcmp(header, definition.header) != 0)
      text_printf(out->text, "#include <%s>\n", definition.header);
    header = definition.header;
  }
  if (is_any)
    text_add_char(out->text, '\n');
}

static void print_all(const AstUnit *unit, AstMacros *macros, Text *out) {
  Text text = {.arena = out->arena};
  AstComments comments = {.source = unit->source};
  if (unit->source)
    comments.file = source_name(unit->source);
  AstOut pretty = {.text = &text,
                   .is_pretty = true,
                   .comments = unit->source ? &comments : NULL,
                   .macros = macros};
  if (unit->source)
    print_file_comment(&pretty, unit);
  if (macros) { // so that it is known which are used
    AstOut trial = {.text = &(Text){.arena = out->arena},
                    .is_pretty = true,
                    .macros = macros};
    print_unit(&trial, unit);
    print_definitions(&pretty);
  }
  print_unit(&pretty, unit);
  print_in_lines(out, text_cstr(&text));
}

void ast_print_pretty(const AstUnit *unit, bool names_macros, Text *out) {
  AstMacros *macros = NULL;
  if (names_macros && unit->source) {
    Text plain = {.arena = out->arena};
    print_all(unit, NULL, &plain);
    macros = ast_macros_find(out->arena, unit->source);
    ast_macros_avoid(macros, text_cstr(&plain));
  }
  print_all(unit, macros, out);
}
