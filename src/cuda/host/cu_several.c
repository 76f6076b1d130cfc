// SPDX-License-Identifier: Apache-2.0
// Note [Several of one]
// What a parameter leads into is followed by names through the tokens of the
// body. Each mention of such a name is one of these:
//
//   T *q = x, q = x + n     q is a name of it, too
//   p.in = x, in(x), {x}    kept: a member is a name of it, too
//   f(x)                    as often as f keeps it, of the file; else see below
//   x[i], *x, x == y        only used
//
// Two that are kept are several, as is one in a loop. Of a class or behind a
// pointer, o.m and o->m are kept, and only the same member twice counts. A
// function of another file may keep several if it gets no other pointer, unless
// it is called for nothing but x itself: `check(x)`.
#include "cuda/host/cu_several.h"

#include "cuda/host/cx_guards.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_passed.h"
#include "cxx/cx_parser.h"

enum {
  MOST_NAMES = 16,
  MOST_MEMBERS = 16,
  MOST_DEPTH = 5,
  MOST_STEPS = 400000
};

typedef struct {
  const char *name;
  bool is_member; // any mention, also of an object
  bool is_object; // only what it holds counts
} SeveralName;

typedef struct {
  const CxUnit *unit;
  const CxParser *cx;
  const CxDecl *function;
  CxTokens body;
  SeveralName names[MOST_NAMES];
  const char *members[MOST_MEMBERS]; // of objects, those that are kept
  uint32_t n_names, n_members, n_kept;
  uint32_t depth, *n_steps;
} Several;

static bool several_of_param(const Several *outer, const CxDecl *function,
                             uint32_t index);

static const char *several_text(const CxParser *cx, uint32_t pos) {
  return cx_kind_at(cx, pos) == CX_TOK_IDENT ? cx->tokens[pos].u.name : NULL;
}

// ----------------------------------------------------------------- functions

static bool is_of_file(const CxParser *cx, const char *name) {
  for (uint32_t i = 0; name && i < cx->bodies.count; i++)
    if (cx->bodies.data[i]->name == name)
      return true;
  return false;
}

// `: a(x), b{y}` in front of a constructor's `{`.
static bool is_in_inits(const Several *s, uint32_t pos) {
  const CxParser *cx = s->cx;
  uint32_t at = s->body.begin;
  if (cx_kind_at(cx, at) != CX_TOK_COLON)
    return false;
  while (at < s->body.end && at <= pos) {
    unsigned kind = cx_kind_at(cx, at);
    bool is_body = kind == CX_TOK_LBRACE &&
                   cx_kind_at(cx, at - 1) != CX_TOK_IDENT &&
                   cx_kind_at(cx, at - 1) != CX_TOK_GT;
    if (is_body)
      return false;
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACE;
    at = opens ? cx_behind_brackets(cx, at) : at + 1;
  }
  return true;
}

// Of each overload, as the arguments may be for any.
static uint32_t kept_by(const Several *s, const CxCall *call) {
  for (uint32_t i = 0; i < s->cx->bodies.count; i++)
    if (s->cx->bodies.data[i]->name == call->name &&
        several_of_param(s, s->cx->bodies.data[i], call->index))
      return 2;
  return 1;
}

static bool is_pointer_param(const Several *s, const char *name) {
  const CxDeclList *params = &s->function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return params->data[i]->type->kind == CX_TYPE_POINTER;
  return false;
}

static uint32_t kept_elsewhere(const Several *s, const CxCall *call,
                               uint32_t pos) {
  const CxParser *cx = s->cx;
  CxTokens rest = {call->open + 1, cx_behind_brackets(cx, call->open) - 1}, arg;
  bool is_alone = cx_ends_statement(cx_kind_at(cx, call->first - 1));
  uint32_t n_args = 0;
  while (cx_split_argument(cx, &rest, &arg)) {
    n_args++;
    bool is_own = arg.begin <= pos && pos < arg.end;
    for (uint32_t at = arg.begin; at < arg.end && !is_own; at++)
      if (is_pointer_param(s, several_text(cx, at)))
        return 1;
  }
  return is_alone && n_args == 1 ? 0 : 2;
}

// ------------------------------------------------------------------ mentions

static void several_add_name(Several *s, const char *name, bool is_member,
                             bool is_object) {
  for (uint32_t i = 0; i < s->n_names; i++) {
    if (s->names[i].name != name)
      continue;
    s->names[i].is_member |= is_member;
    return;
  }
  if (s->n_names == MOST_NAMES)
    s->n_kept = 2; // not followed
  else
    s->names[s->n_names++] = (SeveralName){name, is_member, is_object};
}

// Set, dereferenced, compared or asked for.
static bool is_only_used(const CxParser *cx, uint32_t pos, uint32_t behind) {
  unsigned before = cx_kind_at(cx, pos - 1), next = cx_kind_at(cx, behind);
  bool is_tested = before == CX_TOK_BANG || before == CX_TOK_EQ_EQ ||
                   before == CX_TOK_BANG_EQ || before == CX_TOK_AMP_AMP ||
                   before == CX_TOK_PIPE_PIPE || next == CX_TOK_EQ_EQ ||
                   next == CX_TOK_BANG_EQ || next == CX_TOK_AMP_AMP ||
                   next == CX_TOK_PIPE_PIPE || next == CX_TOK_QUESTION;
  bool is_condition = before == CX_TOK_LPAREN && next == CX_TOK_RPAREN &&
                      (cx_kind_at(cx, pos - 2) == CX_TOK_IF ||
                       cx_kind_at(cx, pos - 2) == CX_TOK_WHILE);
  bool is_element = next == CX_TOK_LBRACKET && before != CX_TOK_AMP;
  bool is_target = cx_assigns_at(cx, behind) || before == CX_TOK_PLUS_PLUS;
  bool is_star = before == CX_TOK_STAR && cx_kind_at(cx, pos - 2) != CX_TOK_AMP;
  return is_tested || is_condition || is_element || is_target || is_star ||
         before == CX_TOK_DELETE;
}

// T *q, auto q, or a parameter: a pointer of this body alone.
static bool several_is_local(const Several *s, const char *name) {
  const CxParser *cx = s->cx;
  for (uint32_t at = s->body.begin + 1; at < s->body.end; at++) {
    unsigned before = cx_kind_at(cx, at - 1);
    if (cx_is_named(cx, at, name) &&
        (before == CX_TOK_STAR || before == CX_TOK_AUTO ||
         before == CX_TOK_AMP))
      return true;
  }
  const CxDeclList *params = &s->function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return true;
  return false;
}

typedef struct {
  const char *name;             // NULL: nothing is set
  bool is_local, is_of_members; // a pointer of the body; one of a list
} SeveralTarget;

// What is set to the value that holds `pos`: the last name before its `=`, or
// the one in front of the bracket of `in(x)`, `T *q(x)`.
static SeveralTarget several_target(const Several *s, uint32_t pos) {
  const CxParser *cx = s->cx;
  bool is_in_list = false;
  for (uint32_t at = pos; at > s->body.begin; at--) {
    unsigned kind = cx_kind_at(cx, at);
    if (kind == CX_TOK_SEMICOLON)
      break;
    bool is_brace = kind == CX_TOK_LBRACE || kind == CX_TOK_LPAREN;
    bool is_init =
        is_brace && cx_kind_at(cx, at - 1) == CX_TOK_IDENT &&
        (is_in_inits(s, at) || cx_kind_at(cx, at - 2) == CX_TOK_STAR);
    is_in_list |= kind == CX_TOK_LBRACE && !is_init;
    if (kind != CX_TOK_EQ && !is_init)
      continue;
    uint32_t last = at - 1;
    while (cx_kind_at(cx, last) == CX_TOK_RBRACKET)
      last = cx->tokens[last].u.match - 1;
    unsigned before = cx_kind_at(cx, last - 1);
    const char *name = several_text(cx, last);
    bool is_local = name && !is_in_list && before != CX_TOK_DOT &&
                    before != CX_TOK_ARROW && last == at - 1 &&
                    !is_in_inits(s, at) && several_is_local(s, name);
    return (SeveralTarget){name, is_local, is_in_list};
  }
  return (SeveralTarget){.name = NULL};
}

static uint32_t several_in_loop(const Several *s, uint32_t pos, uint32_t n) {
  bool is_in_loop = cx_behind_loops(s->unit, s->body.begin, pos) != pos;
  return n > 0 && is_in_loop ? 2 : n;
}

// Something is done with the value at `pos`.
static void several_note(Several *s, uint32_t pos) {
  CxCall call;
  bool is_call = cx_call_around(s->cx, pos, &call);
  if (is_call && is_in_inits(s, pos) && !is_of_file(s->cx, call.name))
    is_call = false; // a member's
  if (is_call && call.is_library)
    return;
  if (is_call && call.variable && !is_of_file(s->cx, call.name)) {
    several_add_name(s, call.variable, false, false);
    return;
  }
  if (is_call) {
    uint32_t n = is_of_file(s->cx, call.name) ? kept_by(s, &call)
                                              : kept_elsewhere(s, &call, pos);
    s->n_kept += several_in_loop(s, pos, n);
    return;
  }
  SeveralTarget target = several_target(s, pos);
  if (target.name)
    several_add_name(s, target.name, !target.is_local, target.is_of_members);
  if (!target.is_local)
    s->n_kept += several_in_loop(s, pos, 1);
}

// o.m, o->m: the same member for the second time.
static void several_note_member(Several *s, uint32_t pos) {
  const char *member = several_text(s->cx, pos + 2);
  for (uint32_t i = 0; i < s->n_members; i++)
    if (s->members[i] == member)
      s->n_kept = 2;
  if (member && s->n_members < MOST_MEMBERS)
    s->members[s->n_members++] = member;
}

static void several_look(Several *s, const SeveralName *name, uint32_t pos) {
  const CxParser *cx = s->cx;
  unsigned before = cx_kind_at(cx, pos - 1), next = cx_kind_at(cx, pos + 1);
  bool is_part = before == CX_TOK_DOT || before == CX_TOK_ARROW ||
                 before == CX_TOK_COLON_COLON;
  bool holds = next == CX_TOK_DOT || next == CX_TOK_ARROW;
  uint32_t behind = holds ? cx_behind_members(cx, pos) : pos + 1;
  // `: x(x)`, `T *q(x)`: what is set.
  bool is_set = (next == CX_TOK_LPAREN || next == CX_TOK_LBRACE) &&
                (before == CX_TOK_COLON || before == CX_TOK_COMMA ||
                 before == CX_TOK_STAR);
  if ((is_part && !name->is_member) || is_set || is_only_used(cx, pos, behind))
    return;
  CxCall call;
  if (holds)
    several_note_member(s, pos);
  else if (!name->is_object)
    several_note(s, pos);
  else if (cx_call_around(cx, pos, &call) && is_of_file(cx, call.name))
    s->n_kept += kept_by(s, &call) - 1;
}

static void several_scan(Several *s) {
  s->n_kept = s->n_members = 0;
  uint32_t n_tokens = s->body.end - s->body.begin;
  *s->n_steps += n_tokens;
  for (uint32_t pos = s->body.begin + 1;
       pos < s->body.end && *s->n_steps < MOST_STEPS; pos++) {
    const char *text = several_text(s->cx, pos);
    for (uint32_t i = 0; text && i < s->n_names; i++)
      if (s->names[i].name == text) {
        *s->n_steps += n_tokens; // which several of its questions look at
        several_look(s, &s->names[i], pos);
        break;
      }
  }
}

static bool several_finds(Several *s, const CxDecl *param) {
  if (!param->name || param->type->kind == CX_TYPE_BUILTIN)
    return false;
  s->names[0] = (SeveralName){
      .name = param->name, .is_object = param->type->kind != CX_TYPE_POINTER};
  s->n_names = 1;
  uint32_t n_before;
  do {
    n_before = s->n_names;
    several_scan(s);
  } while (n_before != s->n_names && s->n_kept < 2 && *s->n_steps < MOST_STEPS);
  return s->n_kept > 1 || *s->n_steps >= MOST_STEPS;
}

static Several several_in(const CxUnit *unit, const CxDecl *function,
                          uint32_t *n_steps, uint32_t depth) {
  return (Several){.unit = unit,
                   .cx = unit->parser,
                   .function = function,
                   .body = function->u.function.body,
                   .n_steps = n_steps,
                   .depth = depth};
}

static bool several_of_param(const Several *outer, const CxDecl *function,
                             uint32_t index) {
  const CxDeclList *params = &function->type->u.function.params;
  Several s =
      several_in(outer->unit, function, outer->n_steps, outer->depth + 1);
  if (s.depth > MOST_DEPTH || *s.n_steps >= MOST_STEPS)
    return true;
  return index < params->count && several_finds(&s, params->data[index]);
}

bool cu_makes_several(const CxUnit *unit, const CxDecl *function) {
  const CxDeclList *params = &function->type->u.function.params;
  uint32_t n_steps = 0;
  for (uint32_t i = 0; i < params->count; i++) {
    Several s = several_in(unit, function, &n_steps, 0);
    if (several_finds(&s, params->data[i]))
      return true;
  }
  return false;
}
