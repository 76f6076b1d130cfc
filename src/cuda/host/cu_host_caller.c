// SPDX-License-Identifier: Apache-2.0
// One level up: what the parameters of the function that launches are, where
// all of its calls in the file pass the same number.
//
// Other files can't call it, or the file is a program by itself: it is static,
// or there is a `main`. Its name stands nowhere but in calls.
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/host/cu_host.h"
#include "cuda/host/cu_hosts.h"
#include "cuda/host/cu_pointers.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parser.h"

#include <string.h>

enum { MOST_CALLS = 16 };

typedef struct {
  CxDecl *around; // the function that calls
  uint32_t at;
} HostCall;

// Of one definition, but for those that only devices call; no member: by its
// name alone.
static bool host_caller_is_plain(const CxUnit *unit, const CxDecl *function) {
  const CxParser *cx = unit->parser;
  bool is_own = (function->specs & CX_SPEC_STATIC) || cx_has_main(unit);
  if (!is_own || !function->name ||
      (function->full && function->full->n_parts > 1))
    return false;
  for (uint32_t i = 0; i < cx->bodies.count; i++)
    if (cx->bodies.data[i] != function &&
        cx->bodies.data[i]->name == function->name &&
        !cx_is_for_devices(cx->bodies.data[i]))
      return false;
  return true;
}

// `void f(int n);` or its definition: what stands before is a type.
static bool is_declarator(const CxParser *cx, uint32_t at) {
  unsigned before = at > 0 ? cx_kind_at(cx, at - 1) : CX_TOK_SEMICOLON;
  return before == CX_TOK_IDENT || before == CX_TOK_VOID ||
         before == CX_TOK_INT || before == CX_TOK_BOOL ||
         before == CX_TOK_FLOAT || before == CX_TOK_DOUBLE ||
         before == CX_TOK_UNSIGNED || before == CX_TOK_LONG ||
         before == CX_TOK_STAR || before == CX_TOK_AMP || before == CX_TOK_GT;
}

// The tokens of argument `index` of the call at `at`.
static bool argument_at(const CxUnit *unit, uint32_t at, uint32_t index,
                        CxTokens *out) {
  CxTokens rest;
  uint32_t open = at + 1;
  if (cx_kind_at(unit->parser, open) == CX_TOK_LT &&
      !cx_looks_like_args(unit->parser, open, &open))
    return false;
  if (!cx_arguments_at(unit, open, &rest))
    return false;
  for (uint32_t i = 0; i <= index; i++)
    if (!cx_next_argument(unit, &rest, out))
      return false;
  return true;
}

bool cu_host_enter_call(const CuHostReader *reader, CxDecl *around, uint32_t at,
                        uint32_t index, CuHostCaller *out) {
  CuContext *cu = reader->cu;
  const CuHostFunction host = {.function = around};
  CxTokens tokens;
  CuScope *scope = around->n_templates ? NULL : cu_host_scope(cu, &host);
  if (!scope || !argument_at(cu->tree, at, index, &tokens))
    return false;
  *out = (CuHostCaller){.call = {.at = at, .function = around}};
  cx_find_host_vars(cu->tree, around, at, &out->call.vars, &out->call.n_vars);
  out->reader = (CuHostReader){.cu = cu,
                               .launch = &out->call,
                               .at = at,
                               .depth = reader->depth + 1,
                               .level = reader->level + 1};
  out->before = cu_set_scope(cu, scope);
  out->argument = cu_host_parse(&out->reader, tokens);
  return true;
}

void cu_host_leave_call(CuHostCaller *caller) {
  cu_set_scope(caller->reader.cu, caller->before);
}

// NULL: not known.
static const CuHost *passed_at(const CuHostReader *reader, const HostCall *call,
                               uint32_t index) {
  CuHostCaller caller;
  if (!cu_host_enter_call(reader, call->around, call->at, index, &caller))
    return NULL;
  const CuHost *value =
      caller.argument ? cu_host_term(&caller.reader, caller.argument) : NULL;
  cu_host_leave_call(&caller);
  return value;
}

int cu_host_param_index(const CxDecl *function, const char *param) {
  const CxDeclList *params = &function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == param)
      return (int)i;
  return -1;
}

// f(n), f<T>(n)
static bool host_caller_is_call(const CxParser *cx, uint32_t at) {
  uint32_t open = at + 1;
  if (cx_kind_at(cx, open) == CX_TOK_LT && !cx_looks_like_args(cx, open, &open))
    return false;
  return cx_kind_at(cx, open) == CX_TOK_LPAREN && !is_declarator(cx, at);
}

// All calls of the function that launches. 0: there may be others.
static uint32_t host_caller_find(const CuHostReader *reader,
                                 HostCall calls[MOST_CALLS]) {
  const CxUnit *unit = reader->cu->tree;
  const CxParser *cx = unit->parser;
  const CxDecl *function = reader->launch->function;
  uint32_t count = 0;
  if (reader->frame || reader->level >= CU_HOST_MOST_LEVELS ||
      !host_caller_is_plain(unit, function))
    return 0;
  for (uint32_t at = 0; at < cx->limit; at++) {
    if (!cx_is_named(cx, at, function->name))
      continue;
    CxDecl *around = cx_function_at(unit, at);
    if (around ? cx_is_for_devices(around) : is_declarator(cx, at))
      continue;
    if (!around || around == function || count == MOST_CALLS ||
        !host_caller_is_call(cx, at))
      return 0;
    calls[count++] = (HostCall){around, at};
  }
  return count;
}

const CuHost *cu_host_called(CuHostReader *reader, const char *param) {
  int index = cu_host_param_index(reader->launch->function, param);
  HostCall calls[MOST_CALLS];
  const CuHost *value = NULL;
  uint32_t count = index < 0 ? 0 : host_caller_find(reader, calls);
  for (uint32_t i = 0; i < count; i++) {
    const CuHost *passed = passed_at(reader, &calls[i], (uint32_t)index);
    if (!passed || passed->kind != CU_HOST_NUMBER ||
        (value && !cu_host_equal(value, passed)))
      return NULL;
    value = passed;
  }
  return value;
}

const char *cu_host_twin(const CuHostReader *reader, const char *param) {
  const CxDeclList *params = &reader->launch->function->type->u.function.params;
  int index = cu_host_param_index(reader->launch->function, param);
  HostCall calls[MOST_CALLS];
  const CuHost *passed[MOST_CALLS];
  uint32_t count = index < 1 ? 0 : host_caller_find(reader, calls);
  for (uint32_t i = 0; i < count; i++) {
    passed[i] = passed_at(reader, &calls[i], (uint32_t)index);
    if (!passed[i])
      return NULL;
  }
  for (int other = 0; count > 0 && other < index; other++) {
    CxPlace place = {.name = params->data[other]->name};
    uint32_t n_same = 0;
    while (n_same < count) {
      const CuHost *value = passed_at(reader, &calls[n_same], (uint32_t)other);
      if (!value || !cu_host_equal(value, passed[n_same]))
        break;
      n_same++;
    }
    if (n_same == count && place.name &&
        cu_host_write(reader, &place, NULL).kind == CX_WRITE_NONE)
      return place.name;
  }
  return NULL;
}

// ---------------------------------------------------------------- pointers

static const CxExpr *argument(const CuHostReader *caller, uint32_t at,
                              int index) {
  CxTokens tokens;
  return argument_at(caller->cu->tree, at, (uint32_t)index, &tokens)
             ? cu_host_parse(caller, tokens)
             : NULL;
}

static CuPointers compare_passed(const CuHostReader *reader, CxDecl *around,
                                 uint32_t at, int a, int b) {
  CuContext *cu = reader->cu;
  const CuHostFunction host = {.function = around};
  CxLaunch call = {.at = at, .function = around};
  CuScope *scope = around->n_templates ? NULL : cu_host_scope(cu, &host);
  if (!scope)
    return CU_POINTERS_APART;
  cx_find_host_vars(cu->tree, around, at, &call.vars, &call.n_vars);
  CuHostReader caller = {
      .cu = cu, .launch = &call, .at = at, .level = reader->level + 1};
  CuScope *before = cu_set_scope(cu, scope);
  CuPointers how = cu_compare_pointers(&caller, argument(&caller, at, a),
                                       argument(&caller, at, b));
  cu_set_scope(cu, before);
  return how;
}

// The first call that gives both one array decides. That others don't is no
// proof for it, as the launch is made for all of them.
CuPointers cu_compare_called(const CuHostReader *reader, const char *a,
                             const char *b) {
  const CxUnit *unit = reader->cu->tree;
  const CxParser *cx = unit->parser;
  CxDecl *function = reader->launch->function;
  int first = cu_host_param_index(function, a),
      second = cu_host_param_index(function, b);
  if (first < 0 || second < 0 || first == second || reader->frame ||
      reader->level >= CU_HOST_MOST_LEVELS || !function->name)
    return CU_POINTERS_APART;
  for (uint32_t at = 0; at < cx->limit; at++) {
    CxDecl *around =
        cx_is_named(cx, at, function->name) ? cx_function_at(unit, at) : NULL;
    if (!around || around == function || cx_is_for_devices(around) ||
        cx_kind_at(cx, at + 1) != CX_TOK_LPAREN || is_declarator(cx, at))
      continue;
    CuPointers how = compare_passed(reader, around, at, first, second);
    if (how != CU_POINTERS_APART) // of some calls, maybe not of all
      return CU_POINTERS_OVERLAP;
  }
  return CU_POINTERS_APART;
}
