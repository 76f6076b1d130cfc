// SPDX-License-Identifier: Apache-2.0
// Lines of a width that fits, for people.
#include "syntax/ast_print.h"

#include <string.h>

enum { WIDTH = 80, STEP = 4 };

// How good a place before `i` is, from 1; 0: none. What binds least is best.
static int break_rank(const char *text, size_t i) {
  static const char *const ends[] = {" * ",  " - ",  " + ", " | ", " : ", " ? ",
                                     " && ", " || ", " = ", ", ",  "; "};
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
    int rank = i > 0 && !quote ? break_rank(text, i) : 0;
    bool is_better =
        depth < best_depth || (depth == best_depth && rank >= best_rank);
    if (rank > 0 && (best == length || is_better)) {
      best = i;
      best_depth = depth;
      best_rank = rank;
    }
    if (quote && c == '\\')
      i++;
    else if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    if (quote)
      continue;
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
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
  bool has_comment = print_find_comment(text, length) != NULL;
  bool opens = length > 0 && text[length - 1] == '{';
  size_t more = opens ? indent + 2 * STEP : indent + STEP;
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

void print_in_lines(Text *out, const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    wrap_line(out, text, length);
    text += length + (text[length] == '\n');
  }
}
