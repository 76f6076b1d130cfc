// SPDX-License-Identifier: Apache-2.0
// Arrays that launches give twice, or that overlap.
#include "check/run/concrete.h"
#include "verdict/check_findings.h"
#include "verdict/check_rounds.h"

#include <string.h>

// A parameter, else an array of the file; NULL: there is none.
static IrObject *find_array(const IrKernel *kernel, const char *name) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (param->object && strcmp(param->name, name) == 0)
      return param->object;
  }
  for (uint32_t i = 0; i < kernel->module->globals.count; i++) {
    IrObject *object = kernel->module->globals.data[i];
    if (object->space == SPACE_GLOBAL && object->name &&
        strcmp(object->name, name) == 0)
      return object;
  }
  return NULL;
}

typedef hd_vec(CheckShared) SharedArrays;

static bool check_shared_is_number(const char *text) {
  return *text && strspn(text, "0123456789") == strlen(text);
}

// `table`, `S_table`, `table_2`: what a name of CUDA C++ may have become.
static bool may_be_named(const char *emitted, const char *name) {
  size_t length = strlen(name);
  const char *at = emitted;
  while (at) {
    const char *rest = strncmp(at, name, length) == 0 ? at + length : "?";
    if (!*rest || (*rest == '_' && check_shared_is_number(rest + 1)))
      return true;
    at = strchr(at, '_');
    at += at != NULL;
  }
  return false;
}

// Arrays of file scope that the launch names: any that it may mean.
static void add_symbols(Arena *arena, const IrKernel *kernel,
                        const char *const *names, SharedArrays *out) {
  for (; names && names[0] && names[1]; names += 2) {
    IrObject *param = find_array(kernel, names[0]);
    if (!param || find_array(kernel, names[1]))
      continue;
    for (uint32_t i = 0; i < kernel->module->globals.count; i++) {
      IrObject *object = kernel->module->globals.data[i];
      CheckShared pair = {.begins_elsewhere = true, .a = param, .b = object};
      if (object->space == SPACE_GLOBAL && object->name &&
          may_be_named(object->name, names[1]))
        VEC_PUSH(arena, out, pair);
    }
  }
}

// Names that the kernel hasn't are left out.
static void check_shared_add(Arena *arena, const IrKernel *kernel,
                             const char *const *names, CheckShared kind,
                             SharedArrays *out) {
  for (; names && names[0] && names[1]; names += 2) {
    CheckShared pair = kind;
    pair.a = find_array(kernel, names[0]);
    pair.b = find_array(kernel, names[1]);
    if (pair.a && pair.b)
      VEC_PUSH(arena, out, pair);
  }
}

void check_set_shared(HdCheck *check, const IrKernel *kernel,
                      const HdCheckOptions *options, const CheckRound *round,
                      CheckOptions *out) {
  SharedArrays shared = {0};
  check_shared_add(check->arena, kernel, round->shared,
                   (CheckShared){.is_one = true}, &shared);
  check_shared_add(check->arena, kernel, round->overlapping,
                   (CheckShared){.begins_elsewhere = true}, &shared);
  add_symbols(check->arena, kernel, round->overlapping, &shared);
  check_shared_add(check->arena, kernel, options->shared, (CheckShared){0},
                   &shared);
  check_shared_add(check->arena, kernel, options->overlapping,
                   (CheckShared){.begins_elsewhere = true}, &shared);
  out->shared = shared.data;
  out->n_shared = shared.count;
}
