// SPDX-License-Identifier: Apache-2.0
// Note [Numbers that the file makes]
// A number that comes from outside, `atoi(argv[1])`, may be any. So what goes
// wrong for one value of it is wrong. A number that the file computes by steps
// that aren't followed has some values only: a size that is rounded up by
// shifts, the rest that a loop's last turn takes, what a few calls pass. What
// goes wrong for a value that it never has is none, and nobody can tell here:
// check_made.c asks again with others.
//
// Between the two is what other code of the same program hands over: a member
// of a struct, or a parameter of a function that only other files call. The
// latter may be any number, but several of them go together.
//
// Counters of loops around the launch are known by their conditions, and are
// not made.
#include "cuda/host/cu_made.h"

#include "cuda/host/cx_guards.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cuda/host/cx_origin.h"
#include "cxx/cx_parser.h"

#include <string.h>

enum { MOST_MAKING_CALLS = 16 };

static const CuMade made_is_given = {0};
static const CuMade made_is_passed = {.origin = CUDA_ORIGIN_PASSED};

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
    return made_is_passed;
  const CuHost *value =
      caller.argument ? cu_host_term(&caller.reader, caller.argument) : NULL;
  CuMade made = value && value->kind == CU_HOST_NUMBER
                    ? (CuMade){CUDA_ORIGIN_MADE, true, value->number}
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

// Of what two calls pass: what any of them may be.
static CuMade made_join(CuMade a, CuMade b) {
  CuMade both = a.has_value ? a : b;
  both.origin = a.origin < b.origin ? a.origin : b.origin;
  return both;
}

static bool made_has_calls(const CuHostReader *reader, const char *param) {
  return cu_host_param_index(reader->launch->function, param) >= 0 &&
         reader->launch->function->name &&
         strcmp(reader->launch->function->name, "main") != 0;
}

// The name is a variable there.
static bool made_is_variable(const CxUnit *unit, const CxDecl *around,
                             const char *name) {
  return cu_host_param_index(around, name) >= 0 ||
         cx_is_declared_in(unit->parser, around->u.function.body, name);
}

// What all calls in the file pass is made; where there is none, other files
// call the function.
static CuMade made_of_calls(const CuHostReader *reader, const char *param) {
  const CxUnit *unit = reader->cu->tree;
  const CxDecl *function = reader->launch->function;
  uint32_t n_calls = 0;
  CuMade all = {.origin = CUDA_ORIGIN_MADE};
  if (!made_has_calls(reader, param))
    return made_is_given;
  if (reader->frame || reader->level >= CU_HOST_MOST_LEVELS)
    return made_is_passed;
  uint32_t index = (uint32_t)cu_host_param_index(function, param);
  for (uint32_t at = 0; at < unit->parser->limit; at++) {
    CxDecl *around = cx_is_named(unit->parser, at, function->name)
                         ? cx_function_at(unit, at)
                         : NULL;
    if (!around || around == function || cx_is_for_devices(around) ||
        made_is_variable(unit, around, function->name))
      continue;
    if (made_is_passed_on(unit, at) || n_calls++ == MOST_MAKING_CALLS)
      return made_is_passed;
    if (cx_kind_at(unit->parser, at + 1) != CX_TOK_LPAREN &&
        cx_kind_at(unit->parser, at + 1) != CX_TOK_LT)
      continue;
    all = made_join(all, made_at_call(reader, around, at, index));
    if (all.origin == CUDA_ORIGIN_GIVEN)
      return made_is_given;
  }
  return n_calls > 0 ? all : made_is_passed;
}

// --------------------------------------------------------------- variables

static CuMade made_of_origin(CxOrigin origin) {
  static const CudaOrigin to[] = {[CX_ORIGIN_NONE] = CUDA_ORIGIN_GIVEN,
                                  [CX_ORIGIN_GIVEN] = CUDA_ORIGIN_GIVEN,
                                  [CX_ORIGIN_PASSED] = CUDA_ORIGIN_PASSED,
                                  [CX_ORIGIN_ASKED] = CUDA_ORIGIN_ASKED,
                                  [CX_ORIGIN_UNSEEN] = CUDA_ORIGIN_UNSEEN,
                                  [CX_ORIGIN_MADE] = CUDA_ORIGIN_MADE};
  return (CuMade){.origin = to[origin]};
}

static CuMade made_of_local(const CuHostReader *reader,
                            const CxHostVar *local) {
  const CxUnit *unit = reader->cu->tree;
  const CxTokens scope = {local->at + 1,
                          cx_behind_loops(unit, local->at, reader->launch->at)};
  CxOrigin first = cx_origin_of_value(unit, local->init);
  return made_of_origin(cx_origin_of_changes(unit, scope, local->name, first));
}

// Of a parameter: what calls pass, but where the function changes it.
static CuMade made_of_param(const CuHostReader *reader, const char *name) {
  static const CxOrigin from[] = {[CUDA_ORIGIN_GIVEN] = CX_ORIGIN_GIVEN,
                                  [CUDA_ORIGIN_PASSED] = CX_ORIGIN_PASSED,
                                  [CUDA_ORIGIN_ASKED] = CX_ORIGIN_ASKED,
                                  [CUDA_ORIGIN_UNSEEN] = CX_ORIGIN_UNSEEN,
                                  [CUDA_ORIGIN_MADE] = CX_ORIGIN_NONE};
  CuMade passed = made_of_calls(reader, name);
  CxOrigin first = from[passed.origin];
  CxOrigin origin = cx_origin_of_changes(
      reader->cu->tree, reader->launch->function->u.function.body, name, first);
  return origin == first ? passed : made_of_origin(origin);
}

static CuMade made_of_global(const CuHostReader *reader, const char *name) {
  const CxUnit *unit = reader->cu->tree;
  const CxTokens all = {1, unit->parser->limit};
  return made_of_origin(cx_origin_of_changes(unit, all, name, CX_ORIGIN_NONE));
}

static CuMade made_of_member(const CuHostReader *reader, const char *name) {
  const char *member = intern_cstr(reader->cu->names, strrchr(name, '.') + 1);
  return made_of_origin(cx_origin_of_member(reader->cu->tree, member));
}

// The conditions of a loop are facts where it stands around the launch, not
// where it stands around a call of the function that launches.
static CuMade made_of_variable(const CuHostReader *reader, const char *name) {
  if (strchr(name, '(')) // x.size(0)
    return made_is_given;
  if (strchr(name, '.'))
    return made_of_member(reader, name);
  if (made_is_counter(reader, name))
    return reader->level == 0 ? made_is_given
                              : (CuMade){.origin = CUDA_ORIGIN_MADE};
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
  CuMade out = {.origin = a.origin > b.origin ? a.origin : b.origin};
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
