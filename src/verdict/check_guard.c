// SPDX-License-Identifier: Apache-2.0
// What would mend an access outside of an array: an `if` in front of its
// statement, with the index as the program writes it and the extent. Whether it
// is right, a check of the changed text decides.
#include "verdict/check_guard.h"

#include "check/report/finding.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRIED = 4, MOST_INDEX = 60 };

typedef struct {
  const EditContext *cx;
  const IrNode *node;
  const IrObject *object;
  Place place;                    // of the access, in one line
  const char *index[IR_MAX_RANK]; // as it is written
  int64_t fault;                  // the index that was outside, and where
  uint32_t dim;
} Guard;

// ---------------------------------------------------------------- the text

// The end of what the bracket holds, or NULL.
static const char *closing(const char *p, const char *end) {
  for (int depth = 0; p < end; p++) {
    depth += *p == '[' || *p == '(';
    if ((*p == ']' || *p == ')') && depth-- == 0)
      return *p == ']' ? p : NULL;
  }
  return NULL;
}

// It may be evaluated twice.
static bool check_guard_is_plain(const char *text) {
  return text[0] && strlen(text) <= MOST_INDEX && !strstr(text, "++") &&
         !strstr(text, "--") && !strchr(text, '=') && !strchr(text, '?') &&
         !strchr(text, ',') && !strchr(text, '"') && !strchr(text, '/');
}

static const char *in_parens(Arena *arena, const char *text) {
  return strpbrk(text, "&|^<>!") ? arena_printf(arena, "(%s)", text) : text;
}

// "name[…][…]", which the access begins with.
static bool take_indices(Guard *g) {
  Arena *arena = g->cx->arena;
  size_t length, name_length = strlen(g->object->name);
  const char *line = source_line(g->cx->program->source, g->place.file,
                                 g->place.line, &length);
  if (!line || g->place.col == 0 || g->place.col > length)
    return false;
  const char *p = line + g->place.col - 1, *end = line + length;
  if ((size_t)(end - p) < name_length ||
      strncmp(p, g->object->name, name_length) != 0)
    return false;
  p += name_length;
  for (uint32_t i = 0; i < g->object->rank; i++) {
    const char *close = p < end && *p == '[' ? closing(p + 1, end) : NULL;
    if (!close)
      return false;
    const char *text = arena_strndup(arena, p + 1, (size_t)(close - p - 1));
    if (!check_guard_is_plain(text))
      return false;
    g->index[i] = in_parens(arena, text);
    p = close + 1;
  }
  return true;
}

// A parameter or a number; NULL: something else.
static const char *extent_text(const Guard *g, uint32_t dim) {
  const IrHost *extent = g->object->extents[dim];
  if (extent && extent->op == HOST_PARAM)
    return g->cx->ir->params.data[extent->number].name;
  return extent && extent->op == HOST_CONST
             ? arena_printf(g->cx->arena, "%" PRId64, extent->number)
             : NULL;
}

static void add_bound(Text *out, const char *left, const char *op,
                      const char *right) {
  text_printf(out, "%s%s %s %s", out->length ? " && " : "", left, op, right);
}

// `all`: of every dimension, else of the one that failed. `low`: not below 0
// either.
static const char *check_guard_condition(const Guard *g, bool all, bool low) {
  Text out = {.arena = g->cx->arena};
  for (uint32_t i = 0; i < g->object->rank; i++) {
    const char *extent = extent_text(g, i);
    if (!all && i != g->dim)
      continue;
    if (!extent)
      return NULL;
    if (low)
      add_bound(&out, g->index[i], ">=", "0");
    if (all || !low || g->fault >= 0)
      add_bound(&out, g->index[i], "<", extent);
  }
  return text_cstr(&out);
}

// ------------------------------------------------------------------- place

static bool begins_with(const char *text, const char *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - text) >= length && strncmp(text, word, length) == 0;
}

// Behind the blanks of a line; NULL: there is no such line.
static const char *first_word(const Guard *g, uint32_t line, const char **begin,
                              const char **end) {
  size_t length;
  const char *p =
      source_line(g->cx->program->source, g->place.file, line, &length);
  if (!p)
    return NULL;
  *begin = p;
  *end = p + length;
  while (p < *end && (*p == ' ' || *p == '\t'))
    p++;
  return p;
}

static bool has_else(const Guard *g) {
  const char *begin, *end, *p;
  uint32_t line = g->place.line + 1;
  do
    p = first_word(g, line++, &begin, &end);
  while (p && p == end);
  return p && begins_with(p, end, "else");
}

// One statement. What an `else` belongs to stays as it is.
static bool is_statement(const Guard *g, const char *p, const char *end) {
  static const char *const others[] = {"for", "while", "else", "}"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (begins_with(p, end, others[i]))
      return false;
  return !memchr(p, '{', (size_t)(end - p)) &&
         !(begins_with(p, end, "if") && has_else(g));
}

// In front of the line.
static bool edit_at(const Guard *g, const char *text, Edit *out) {
  const char *begin, *end, *p = first_word(g, g->place.line, &begin, &end);
  if (!p || !is_statement(g, p, end))
    return false;
  uint32_t line = g->place.line, column = (uint32_t)(p - begin) + 1;
  out->place = (Place){g->place.file, line, column, line, column, false};
  out->text = arena_printf(g->cx->arena, "if (%s) ", text);
  out->is_guess = true;
  return true;
}

// The statement stores to global memory: in shared and private arrays an
// element that isn't written would be read all the same.
static bool stores_globally(const Guard *g) {
  const IrKernel *kernel = g->cx->ir;
  for (const IrNode *node = g->node; node; node = node->next) {
    const Place *place = &kernel->module->locs.data[node->loc].place;
    if (node->op != IR_STORE && node->op != IR_RMW)
      continue;
    const IrObject *to = node->u.access.object;
    return place->line == g->place.line && to && to->space == SPACE_GLOBAL;
  }
  return false;
}

static bool take_fault(Guard *g, const Finding *finding) {
  if (!finding->is_of_index || finding->dim >= g->object->rank)
    return false;
  g->fault = finding->index;
  g->dim = finding->dim;
  return true;
}

static bool check_guard_begin(Guard *g, const Finding *finding) {
  const IrNode *node = g->node = finding->node;
  if (finding->verdict != VERDICT_BUG || finding->code != CODE_BOUNDS ||
      !node || !node->loc || ir_op_info(node)->form != FORM_ACCESS ||
      !node->u.access.object)
    return false;
  g->object = node->u.access.object;
  g->place = g->cx->ir->module->locs.data[node->loc].place;
  const char *file = source_name(g->cx->program->source);
  return g->place.file && strcmp(g->place.file, file) == 0 &&
         g->place.line == g->place.end_line && take_fault(g, finding) &&
         stores_globally(g) && take_indices(g);
}

const char *guard_of(EditContext *cx, const Finding *finding, Edit *out) {
  Guard g = {.cx = cx};
  if (!check_guard_begin(&g, finding))
    return NULL;
  for (int i = 0; i < 4; i++) {
    bool all = i >= 2, low = i % 2 == 1 || (i == 0 && g.fault < 0);
    const char *text = check_guard_condition(&g, all, low);
    if (!text || cx->n_guards++ >= MOST_TRIED)
      return NULL;
    if (!edit_at(&g, text, out))
      continue;
    if (edit_is_right(cx, out, finding))
      return arena_printf(
          cx->arena,
          "if (%s) before line %u (proved: this removes the finding)", text,
          g.place.line);
    if (cx->has_open_barriers) // which no condition of a store mends
      cx->n_guards = MOST_TRIED;
  }
  return NULL;
}
