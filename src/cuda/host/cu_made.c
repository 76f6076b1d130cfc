// SPDX-License-Identifier: Apache-2.0
// Note [Numbers that the file makes]
// A number that comes from outside, `atoi(argv[1])` or a parameter of a
// function that only other files call, may be any. So what goes wrong for one
// value of it is wrong. A number that the file computes by steps that aren't
// followed has some values only: a size that is rounded up by shifts, the rest
// that a loop's last turn takes, what a few calls pass. What goes wrong for a
// value that it never has is none, and nobody can tell here: check_made.c asks
// again with others.
//
// Counters of loops are known by their conditions, and are not made.
#include "cuda/host/cu_made.h"

#include "cuda/host/cx_guards.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cuda/host/cx_origin.h"
#include "cxx/cx_parser.h"

#include <string.h>

enum { MOST_MAKING_CALLS = 16 };

static const CuMade made_is_given = {0};

static bool made_is_counter(const CuHostReader *reader, const char *name) {
  const CxLaunch *launch = reader->launch;
  CxGuards guards = {0};
  cx_find_guards(reader->cu->tree, launch->function, launch->at, &guards);
  for (uint32_t i = 0; i < guards.count; i++)
    if (guards.data[i].counter == name)
      return true;
  return false;
}

// ------------------------------------------------------------------- calls

static CuMade made_at_call(const CuHostReader *reader, CxDecl *around,
                           uint32_t at, uint32_t index) {
  CuHostCaller caller;
  if (!cu_host_enter_call(reader, around, at, index, &caller))
    return made_is_given;
  const CuHost *value =
      caller.argument ? cu_host_term(&caller.reader, caller.argument) : NULL;
  CuMade made =
      value && value->kind == CU_HOST_NUMBER
          ? (CuMade){.is_made = true, .has_value = true, .value = value->number}
          : cu_find_made(&caller.reader, value, caller.argument);
  cu_host_leave_call(&caller);
  return made;
}

// The function is passed to something that calls it with numbers of its own: a
// function of another file.
static bool made_is_passed_on(const CxUnit *unit, uint32_t at) {
  const CxParser *cx = unit->parser;
  unsigned next = cx_kind_at(cx, at + 1);
  if (next == CX_TOK_LPAREN || next == CX_TOK_LT)
    return false;
  uint32_t open = cx_opener_before(cx, at);
  bool is_argument = open > 0 && open != CX_OPENER_FAR &&
                     cx_kind_at(cx, open) == CX_TOK_LPAREN &&
                     cx_kind_at(cx, open - 1) == CX_TOK_IDENT;
  if (!is_argument)
    return true;
  const CxTokens call = {open - 1, open + 1};
  return cx_origin_of_value(unit, call) != CX_ORIGIN_MADE;
}

// What all calls in the file pass is made; where there is none, other files
// call the function.
static CuMade made_of_calls(const CuHostReader *reader, const char *param) {
  const CxUnit *unit = reader->cu->tree;
  const CxDecl *function = reader->launch->function;
  int index = cu_host_param_index(function, param);
  uint32_t n_calls = 0;
  CuMade all = made_is_given;
  if (index < 0 || !function->name || reader->frame ||
      reader->level >= CU_HOST_MOST_LEVELS)
    return made_is_given;
  for (uint32_t at = 0; at < unit->parser->limit; at++) {
    CxDecl *around = cx_is_named(unit->parser, at, function->name)
                         ? cx_function_at(unit, at)
                         : NULL;
    if (!around || around == function)
      continue;
    if (made_is_passed_on(unit, at))
      return made_is_given;
    if (cx_kind_at(unit->parser, at + 1) != CX_TOK_LPAREN &&
        cx_kind_at(unit->parser, at + 1) != CX_TOK_LT)
      continue;
    CuMade made = n_calls++ < MOST_MAKING_CALLS
                      ? made_at_call(reader, around, at, (uint32_t)index)
                      : made_is_given;
    if (!made.is_made)
      return made_is_given;
    if (!all.is_made)
      all = made;
  }
  return all;
}

// --------------------------------------------------------------- variables

static CuMade made_of_origin(CxOrigin origin) {
  return (CuMade){.is_made = origin == CX_ORIGIN_MADE};
}

static CuMade made_of_local(const CuHostReader *reader,
                            const CxHostVar *local) {
  const CxUnit *unit = reader->cu->tree;
  const CxTokens scope = {local->at + 1,
                          cx_behind_loops(unit, local->at, reader->launch->at)};
  CxOrigin first = cx_origin_of_value(unit, local->init);
  return made_of_origin(cx_origin_of_changes(unit, scope, local->name, first));
}

// Of a parameter: what calls pass is from outside, but where all is made.
static CuMade made_of_param(const CuHostReader *reader, const char *name) {
  CuMade passed = made_of_calls(reader, name);
  CxOrigin first = passed.is_made ? CX_ORIGIN_NONE : CX_ORIGIN_GIVEN;
  CxOrigin origin = cx_origin_of_changes(
      reader->cu->tree, reader->launch->function->u.function.body, name, first);
  return origin == CX_ORIGIN_NONE ? passed : made_of_origin(origin);
}

static CuMade made_of_global(const CuHostReader *reader, const char *name) {
  const CxUnit *unit = reader->cu->tree;
  const CxTokens all = {1, unit->parser->limit};
  return made_of_origin(cx_origin_of_changes(unit, all, name, CX_ORIGIN_NONE));
}

static CuMade made_of_variable(const CuHostReader *reader, const char *name) {
  if (strchr(name, '.') || made_is_counter(reader, name))
    return made_is_given;
  const CxHostVar *local = cu_host_local(reader, name);
  if (local)
    return made_of_local(reader, local);
  return cu_host_param_index(reader->launch->function, name) >= 0
             ? made_of_param(reader, name)
             : made_of_global(reader, name);
}

// ------------------------------------------------------------------- terms

// A number by itself has a value, and isn't made.
static CuMade made_of_term(const CuHostReader *reader, const CuHost *term) {
  if (term->kind == CU_HOST_NUMBER)
    return (CuMade){.has_value = true, .value = term->number};
  if (term->kind == CU_HOST_VARIABLE)
    return made_of_variable(reader, term->name);
  CuMade a = made_of_term(reader, term->a), b = made_of_term(reader, term->b);
  CuMade out = {.is_made = a.is_made || b.is_made};
  out.has_value = a.has_value && b.has_value &&
                  cu_host_fold(term->kind, a.value, b.value, &out.value);
  return out;
}

CuMade cu_find_made(CuHostReader *reader, const CuHost *value,
                    const CxExpr *argument) {
  if (value)
    return made_of_term(reader, value);
  if (!argument)
    return made_is_given;
  CxTokens tokens = cx_tokens_of(reader->cu->tree, argument->span);
  return made_of_origin(cx_origin_of_value(reader->cu->tree, tokens));
}
