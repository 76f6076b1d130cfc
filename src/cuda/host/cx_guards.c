// SPDX-License-Identifier: Apache-2.0
// Statements of host functions are told apart by their tokens alone, as far as
// they stand around a launch or before it in the same block. What isn't
// understood ends the search, which leaves guards out and never adds one:
// macros that aren't statements, lambdas but those that a call is given. A
// function with a `goto` to what stands before the launch has none.
#include "cuda/host/cx_guards.h"

#include "cuda/host/cx_host.h"
#include "cxx/cx_parser.h"

#include <string.h>

enum { MAX_DEPTH = 64, MOST_GUARDS = 32 };

typedef struct {
  const CxParser *cx;
  const CxUnit *unit;
  const CxDecl *function;
  uint32_t target;
  uint32_t depth;
  CxGuards *out;
} Finder;

static bool guards_is_word(const CxParser *cx, uint32_t pos, const char *word) {
  return cx_kind_at(cx, pos) == CX_TOK_IDENT &&
         strcmp(cx->tokens[pos].u.name, word) == 0;
}

static bool guards_is_opener(unsigned kind) {
  return kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
         kind == CX_TOK_LBRACE;
}

// ------------------------------------------------------------- statements

// Behind the next `kind` outside of brackets; `end` if there is none.
static uint32_t behind_next(const CxParser *cx, uint32_t pos, uint32_t end,
                            unsigned kind) {
  while (pos < end && cx_kind_at(cx, pos) != kind)
    pos = guards_is_opener(cx_kind_at(cx, pos)) ? cx_behind_brackets(cx, pos)
                                                : pos + 1;
  return pos < end ? pos + 1 : end;
}

// The `(` of a statement that has one; 0: none.
static uint32_t header_of(const CxParser *cx, uint32_t pos) {
  unsigned kind = cx_kind_at(cx, pos);
  bool has_header = kind == CX_TOK_IF || kind == CX_TOK_FOR ||
                    kind == CX_TOK_WHILE || kind == CX_TOK_SWITCH;
  uint32_t at = cx_kind_at(cx, pos + 1) == CX_TOK_CONSTEXPR ? pos + 2 : pos + 1;
  return has_header && cx_kind_at(cx, at) == CX_TOK_LPAREN ? at : 0;
}

static uint32_t behind_statement(const CxParser *cx, uint32_t pos, uint32_t end,
                                 uint32_t depth) {
  uint32_t header = header_of(cx, pos);
  if (pos >= end || depth >= MAX_DEPTH)
    return end;
  if (cx_kind_at(cx, pos) == CX_TOK_LBRACE)
    return cx_behind_brackets(cx, pos);
  if (cx_kind_at(cx, pos) == CX_TOK_DO)
    return behind_next(cx, behind_statement(cx, pos + 1, end, depth + 1), end,
                       CX_TOK_SEMICOLON);
  if (!header)
    return behind_next(cx, pos, end, CX_TOK_SEMICOLON);
  uint32_t at =
      behind_statement(cx, cx_behind_brackets(cx, header), end, depth + 1);
  bool has_else =
      cx_kind_at(cx, pos) == CX_TOK_IF && cx_kind_at(cx, at) == CX_TOK_ELSE;
  return has_else ? behind_statement(cx, at + 1, end, depth + 1) : at;
}

// The statement ends where it leaves what is around it, a switch also by
// `break`.
static bool guards_leaves(const CxParser *cx, uint32_t pos, uint32_t end,
                          bool is_case) {
  if (cx_kind_at(cx, pos) == CX_TOK_LBRACE) {
    uint32_t last = pos + 1;
    for (uint32_t at = pos + 1; at + 1 < end;) {
      last = at;
      at = behind_statement(cx, at, end - 1, 0);
    }
    return cx_kind_at(cx, last) != CX_TOK_LBRACE &&
           guards_leaves(cx, last, end, is_case);
  }
  return cx_kind_at(cx, pos) == CX_TOK_RETURN ||
         cx_kind_at(cx, pos) == CX_TOK_GOTO || // to behind the launch
         cx_kind_at(cx, pos) == CX_TOK_CONTINUE ||
         guards_is_word(cx, pos, "exit") ||
         (is_case && cx_kind_at(cx, pos) == CX_TOK_BREAK);
}

// ----------------------------------------------------------------- guards

static bool is_kept(const Finder *f, const char *name, CxTokens scope) {
  return cx_is_kept(f->unit, f->function, scope, name);
}

static bool are_kept(const Finder *f, CxTokens names, CxTokens scope) {
  const CxParser *cx = f->cx;
  for (uint32_t at = names.begin; at < names.end; at++)
    if (cx_kind_at(cx, at) == CX_TOK_IDENT &&
        !is_kept(f, cx->tokens[at].u.name, scope))
      return false;
  return true;
}

static void guards_add(Finder *f, const CxGuard *guard, CxTokens scope) {
  const CxParser *cx = f->cx;
  CxTokens tokens = guard->condition;
  if (!are_kept(f, tokens, scope) || !are_kept(f, guard->label, scope))
    return;
  if (f->out->count < MOST_GUARDS &&
      (guard->counter || tokens.end > tokens.begin))
    VEC_PUSH(cx->arena, f->out, *guard);
}

static void guards_add_condition(Finder *f, CxTokens condition, bool is_false,
                                 CxTokens scope) {
  CxGuard guard = {.condition = condition, .is_false = is_false};
  guards_add(f, &guard, scope);
}

// How a step changes a variable: v <<= c, v *= 2, v = v << c, v = v * 2; the
// same with >> and /.
typedef enum { STEP_OTHER, STEP_UP, STEP_DOWN } Geometric;

static bool guards_is_two(const CxParser *cx, uint32_t pos) {
  const CxToken *by = &cx->tokens[pos];
  return by->end == by->begin + 1 && source_text(cx->source)[by->begin] == '2';
}

// The operation at `op`, whose operand ends before `end`.
static Geometric geometric_op(const CxParser *cx, uint32_t op, uint32_t end,
                              bool is_assignment) {
  unsigned kind = cx_kind_at(cx, op), next = cx_kind_at(cx, op + 1);
  bool is_right =
      kind == CX_TOK_GT && next == (is_assignment ? CX_TOK_GE : CX_TOK_GT);
  if (op + 2 + is_right != end || cx_kind_at(cx, end - 1) != CX_TOK_NUMBER)
    return STEP_OTHER;
  bool is_left = kind == (is_assignment ? CX_TOK_SHL_EQ : CX_TOK_SHL);
  bool is_product = kind == (is_assignment ? CX_TOK_STAR_EQ : CX_TOK_STAR);
  bool is_quotient = kind == (is_assignment ? CX_TOK_SLASH_EQ : CX_TOK_SLASH);
  bool is_two = guards_is_two(cx, end - 1);
  if (is_left || (is_product && is_two))
    return STEP_UP;
  return is_right || (is_quotient && is_two) ? STEP_DOWN : STEP_OTHER;
}

static Geometric geometric_step(const CxParser *cx, CxTokens step,
                                const char **name) {
  if (step.end < step.begin + 3 || cx_kind_at(cx, step.begin) != CX_TOK_IDENT)
    return STEP_OTHER;
  *name = cx->tokens[step.begin].u.name;
  bool is_again = cx_kind_at(cx, step.begin + 1) == CX_TOK_EQ &&
                  cx_is_named(cx, step.begin + 2, *name);
  return geometric_op(cx, step.begin + (is_again ? 3 : 1), step.end, !is_again);
}

// v++, ++v or v += number; with -- and -= alike.
static bool guards_steps_by(const CxParser *cx, CxTokens step, unsigned one,
                            unsigned number, const char **name) {
  uint32_t n = step.end - step.begin;
  bool is_prefix = n == 2 && cx_kind_at(cx, step.begin) == one;
  uint32_t at = is_prefix ? step.begin + 1 : step.begin;
  if (n < 2 || cx_kind_at(cx, at) != CX_TOK_IDENT)
    return false;
  *name = cx->tokens[at].u.name;
  bool is_postfix = n == 2 && cx_kind_at(cx, at + 1) == one;
  bool is_by_number = n == 3 && cx_kind_at(cx, at + 1) == number &&
                      cx_kind_at(cx, at + 2) == CX_TOK_NUMBER;
  return is_prefix || is_postfix || is_by_number;
}

// v < …, v <= …; v > …, v >= …
static bool guards_compares(const CxParser *cx, CxTokens test, const char *name,
                            unsigned strict, unsigned loose) {
  unsigned kind = cx_kind_at(cx, test.begin + 1);
  return cx_is_named(cx, test.begin, name) && (kind == strict || kind == loose);
}

static bool guards_is_above(const CxParser *cx, CxTokens test,
                            const char *name) {
  return guards_compares(cx, test, name, CX_TOK_GT, CX_TOK_GE);
}

// v < … and steps up: it doesn't wrap.
static bool is_growing(const CxParser *cx, CxTokens test, CxTokens step,
                       const char **name) {
  return guards_steps_by(cx, step, CX_TOK_PLUS_PLUS, CX_TOK_PLUS_EQ, name) &&
         guards_compares(cx, test, *name, CX_TOK_LT, CX_TOK_LE);
}

// v > … and steps down: it is at most what it began with.
static bool is_falling(const CxParser *cx, CxTokens test, CxTokens step,
                       const char **name) {
  return guards_steps_by(cx, step, CX_TOK_MINUS_MINUS, CX_TOK_MINUS_EQ, name) &&
         guards_is_above(cx, test, *name);
}

// How the step changes a counter, which it names.
static bool guards_read_step(const CxParser *cx, CxTokens test, CxTokens step,
                             CxGuard *guard) {
  Geometric how = geometric_step(cx, step, &guard->counter);
  guard->doubles = how != STEP_OTHER;
  if (guard->doubles)
    guard->shrinks =
        how == STEP_DOWN && guards_is_above(cx, test, guard->counter);
  else if (is_falling(cx, test, step, &guard->counter))
    guard->shrinks = true;
  else if (is_growing(cx, test, step, &guard->counter))
    guard->grows = true;
  else
    return false;
  return true;
}

// Up to the comma: v = first, w = …
static CxTokens guards_first(const CxParser *cx, CxTokens init, uint32_t at) {
  CxTokens rest = {at, init.end}, first = rest;
  cx_split_argument(cx, &rest, &first);
  return first;
}

typedef struct {
  CxTokens init, test, step, body;
} GuardsFor;

// The other steps, of a, b, leave it alone.
static bool guards_is_one_step(const Finder *f, const GuardsFor *loop,
                               const CxGuard *guard, CxTokens own) {
  CxTokens rest = loop->step, other;
  while (cx_split_argument(f->cx, &rest, &other))
    if (other.begin != own.begin && (!is_kept(f, guard->counter, other) ||
                                     !are_kept(f, guard->first, other)))
      return false;
  return true;
}

// for (T v = first; …; v <<= 1)
static void guards_add_counter(Finder *f, const GuardsFor *loop,
                               CxTokens step) {
  const CxParser *cx = f->cx;
  CxGuard guard = {.counter = NULL};
  if (!guards_read_step(cx, loop->test, step, &guard))
    return;
  for (uint32_t at = loop->init.begin; at + 1 < loop->init.end; at++) {
    if (cx_kind_at(cx, at) != CX_TOK_IDENT ||
        cx_kind_at(cx, at + 1) != CX_TOK_EQ ||
        cx->tokens[at].u.name != guard.counter)
      continue;
    guard.first = guards_first(cx, loop->init, at + 2);
    guard.shrinks = guard.shrinks && are_kept(f, guard.first, loop->body);
    if (is_kept(f, guard.counter, loop->body) &&
        (!guard.grows || are_kept(f, guard.first, loop->body)) &&
        guards_is_one_step(f, loop, &guard, step))
      guards_add(f, &guard, loop->body);
  }
}

static void add_for(Finder *f, uint32_t header, CxTokens body) {
  const CxParser *cx = f->cx;
  uint32_t end = cx_behind_brackets(cx, header) - 1;
  uint32_t test = behind_next(cx, header + 1, end, CX_TOK_SEMICOLON);
  uint32_t step = behind_next(cx, test, end, CX_TOK_SEMICOLON);
  if (test >= end || step >= end)
    return;
  const GuardsFor loop = {
      {header + 1, test - 1}, {test, step - 1}, {step, end}, body};
  CxTokens rest = loop.step, one;
  guards_add_condition(f, loop.test, false, body);
  while (cx_split_argument(cx, &rest, &one))
    guards_add_counter(f, &loop, one);
}

// assert(…), TORCH_CHECK(…, "message"): it goes on where the first argument
// holds.
static void pass_assertion(Finder *f, uint32_t pos, CxTokens scope) {
  static const char *const words[] = {"assert",    "TORCH_CHECK",
                                      "AT_CHECK",  "TORCH_INTERNAL_ASSERT",
                                      "AT_ASSERT", "AT_ASSERTM"};
  const CxParser *cx = f->cx;
  CxTokens condition;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!guards_is_word(cx, pos, words[i]) ||
        cx_kind_at(cx, pos + 1) != CX_TOK_LPAREN)
      continue;
    CxTokens rest = {pos + 2, cx_behind_brackets(cx, pos + 1) - 1};
    if (cx_split_argument(cx, &rest, &condition))
      guards_add_condition(f, condition, false, scope);
  }
}

// What is known behind a statement that doesn't hold the launch: an `if` that
// leaves was passed by its `else`.
static void guards_pass(Finder *f, uint32_t pos, uint32_t next, uint32_t end) {
  const CxParser *cx = f->cx;
  CxTokens scope = {next, end};
  uint32_t header = header_of(cx, pos);
  pass_assertion(f, pos, scope);
  if (cx_kind_at(cx, pos) != CX_TOK_IF || !header)
    return;
  uint32_t body = cx_behind_brackets(cx, header);
  uint32_t behind = behind_statement(cx, body, next, 0);
  scope.begin = behind;
  if (guards_leaves(cx, body, behind, false))
    guards_add_condition(f, (CxTokens){header + 1, body - 1}, true, scope);
}

static bool holds_target(const Finder *f, uint32_t begin, uint32_t end) {
  return begin <= f->target && f->target < end;
}

static void guards_enter(Finder *f, uint32_t pos, uint32_t end);

static void enter_list(Finder *f, uint32_t pos, uint32_t end) {
  while (pos < end) {
    uint32_t next = behind_statement(f->cx, pos, end, 0);
    if (next <= pos || next > end)
      return;
    if (holds_target(f, pos, next)) {
      guards_enter(f, pos, next);
      return;
    }
    guards_pass(f, pos, next, end);
    pos = next;
  }
}

static bool guards_is_label(const CxParser *cx, uint32_t pos) {
  return cx_kind_at(cx, pos) == CX_TOK_CASE ||
         cx_kind_at(cx, pos) == CX_TOK_DEFAULT;
}

// Behind the labels at `pos`: a single `case` has its expression in `label`.
static uint32_t behind_labels(const CxParser *cx, uint32_t pos, uint32_t end,
                              CxTokens *label) {
  uint32_t n = 0;
  while (pos < end && guards_is_label(cx, pos)) {
    uint32_t behind = behind_next(cx, pos, end, CX_TOK_COLON);
    bool is_first = n++ == 0 && cx_kind_at(cx, pos) == CX_TOK_CASE;
    *label = is_first ? (CxTokens){pos + 1, behind - 1} : (CxTokens){0, 0};
    pos = behind;
  }
  return pos;
}

// Another label of the same switch stands there.
static bool guards_has_label(const CxParser *cx, uint32_t pos, uint32_t end) {
  for (; pos < end; pos++) {
    if (guards_is_label(cx, pos))
      return true;
    if (cx_kind_at(cx, pos) == CX_TOK_SWITCH)
      pos = behind_statement(cx, pos, end, 0) - 1;
  }
  return false;
}

static void enter_switch(Finder *f, uint32_t header, uint32_t end) {
  const CxParser *cx = f->cx;
  uint32_t body = cx_behind_brackets(cx, header), n_before = f->out->count;
  CxGuard guard = {.condition = {header + 1, body - 1}};
  uint32_t from = body + 1;
  bool is_apart = true; // what stands before doesn't go on here
  for (uint32_t pos = from, next; pos < end; pos = next) {
    if (guards_is_label(cx, pos)) {
      f->out->count = n_before;
      pos = from = behind_labels(cx, pos, end, &guard.label);
      if (!is_apart)
        guard.label = (CxTokens){0, 0};
    }
    next = behind_statement(cx, pos, end, 0);
    if (next <= pos || next > end)
      return;
    if (holds_target(f, pos, next)) {
      if (guards_has_label(cx, from, next)) {
        f->out->count = n_before;
        return;
      }
      if (guard.label.end > guard.label.begin)
        guards_add(f, &guard, (CxTokens){from, next});
      guards_enter(f, pos, next);
      return;
    }
    guards_pass(f, pos, next, end);
    is_apart = guards_leaves(cx, pos, next, true);
  }
}

static void guards_enter_if(Finder *f, uint32_t header, uint32_t end) {
  uint32_t body = cx_behind_brackets(f->cx, header);
  uint32_t behind = behind_statement(f->cx, body, end, 0);
  CxTokens condition = {header + 1, body - 1};
  bool is_body = holds_target(f, body, behind);
  CxTokens inside = {is_body ? body : behind + 1, is_body ? behind : end};
  if (!holds_target(f, inside.begin, inside.end))
    return;
  CxGuard guard = {.condition = condition,
                   .is_false = !is_body,
                   .is_constant =
                       cx_kind_at(f->cx, header - 1) == CX_TOK_CONSTEXPR};
  guards_add(f, &guard, inside);
  guards_enter(f, inside.begin, inside.end);
}

// f(x, [&] { … }), whatever f does: what must hold in the body holds there.
static void enter_argument(Finder *f, uint32_t pos, uint32_t end) {
  const CxParser *cx = f->cx;
  uint32_t last = cx_kind_at(cx, pos + 1) == CX_TOK_LPAREN
                      ? cx_behind_brackets(cx, pos + 1)
                      : pos;
  for (uint32_t at = pos; at < last && at < f->target; at++) {
    uint32_t behind = cx_behind_brackets(cx, at);
    if (cx_kind_at(cx, at) != CX_TOK_LBRACE || !holds_target(f, at, behind))
      continue;
    guards_enter(f, at, behind <= end ? behind : end);
    return;
  }
}

// The statement that holds the launch.
static void guards_enter(Finder *f, uint32_t pos, uint32_t end) {
  const CxParser *cx = f->cx;
  uint32_t header = header_of(cx, pos);
  if (++f->depth >= MAX_DEPTH)
    return;
  if (cx_kind_at(cx, pos) == CX_TOK_LBRACE) {
    enter_list(f, pos + 1, end - 1);
  } else if (cx_kind_at(cx, pos) == CX_TOK_DO) {
    guards_enter(f, pos + 1, behind_statement(cx, pos + 1, end, 0));
  } else if (cx_kind_at(cx, pos) == CX_TOK_IDENT) {
    enter_argument(f, pos, end);
  } else if (header && holds_target(f, cx_behind_brackets(cx, header), end)) {
    CxTokens body = {cx_behind_brackets(cx, header), end};
    unsigned kind = cx_kind_at(cx, pos);
    if (kind == CX_TOK_IF) {
      guards_enter_if(f, header, end);
    } else if (kind == CX_TOK_SWITCH) {
      if (cx_kind_at(cx, body.begin) == CX_TOK_LBRACE)
        enter_switch(f, header, end - 1);
    } else {
      if (kind == CX_TOK_FOR)
        add_for(f, header, body);
      else
        guards_add_condition(f, (CxTokens){header + 1, body.begin - 1}, false,
                             body);
      guards_enter(f, body.begin, end);
    }
  }
}

void cx_find_guards(const CxUnit *unit, const CxDecl *function, uint32_t at,
                    CxGuards *out) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  if (cx_may_jump_to(cx, function, at))
    return;
  Finder f = {cx, unit, function, at, 0, out};
  if (cx_kind_at(cx, body.begin) == CX_TOK_LBRACE)
    guards_enter(&f, body.begin, cx_behind_brackets(cx, body.begin));
}

uint32_t cx_behind_loops(const CxUnit *unit, uint32_t from, uint32_t at) {
  const CxParser *cx = unit->parser;
  for (uint32_t pos = from; pos < at; pos++) {
    unsigned kind = cx_kind_at(cx, pos);
    if (kind != CX_TOK_FOR && kind != CX_TOK_WHILE && kind != CX_TOK_DO)
      continue;
    uint32_t end = behind_statement(cx, pos, cx->limit, 0);
    if (end > at)
      return end;
  }
  return at;
}
