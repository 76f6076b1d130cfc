// SPDX-License-Identifier: Apache-2.0
// Source text lowered to IR and run by the reference interpreter.
#ifndef HD_TEST_LOWER_LOWERED_H
#define HD_TEST_LOWER_LOWERED_H

#include "base/intern.h"
#include "interp/machine.h"
#include "ir/analyses/analysis.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "sema/sema.h"
#include "syntax/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

typedef struct {
  Arena *arena;
  DiagEngine *diags;
  IrModule *module;
  IrKernel *kernel; // the first one; NULL: refused
  Text printed;
  int32_t grid[3]; // of the last run
} Lowered;

static inline const char *lowered_messages(Lowered *program) {
  Text text = {.arena = program->arena};
  diag_render_text(program->diags, &text, false);
  return text_cstr(&text);
}

static inline void lowered_lower(Lowered *program, Interner *names,
                                 SourceText *source, const char *kernel) {
  Arena *arena = program->arena;
  AstUnit *unit = parse_unit(arena, names, program->diags, source);
  if (unit->has_errors)
    return;
  SemaOptions options = {0};
  SemaContext *cx = sema_new(arena, names, program->diags, source, &options);
  TKernel *tree = sema_check_kernel(cx, unit, kernel, NULL);
  if (tree)
    program->kernel =
        lower_kernel(program->module, tree, source, program->diags);
}

// Lowers kernel `kernel` of `text`. A refusal leaves `kernel` NULL; IR that
// breaks the rules fails the test.
static inline Lowered lowered_open(const char *text, const char *kernel) {
  Lowered program = {.arena = arena_new()};
  Arena *arena = program.arena;
  SourceText *source = source_new(arena, "test.hd", text, strlen(text), false);
  program.diags = diag_engine_new(arena, 0);
  diag_engine_set_source(program.diags, source);
  program.module = ir_module_new(arena, "test.hd");
  lowered_lower(&program, intern_new(arena), source, kernel);
  const char *fault = program.kernel ? ir_verify(program.module) : NULL;
  if (fault)
    fail_msg("%s\n%s", fault, text);
  return program;
}

static inline Lowered lowered_new(const char *text, const char *kernel) {
  Lowered program = lowered_open(text, kernel);
  if (!program.kernel)
    fail_msg("%s", lowered_messages(&program));
  Uniformity *uniformity = ir_uniformity(program.arena, program.kernel);
  ir_check_groups(program.kernel, uniformity, program.diags);
  if (diag_error_count(program.diags))
    fail_msg("%s", lowered_messages(&program));
  ir_decide_joins(program.kernel, uniformity);
  return program;
}

static inline void lowered_free(Lowered *program) {
  arena_free(program->arena);
}

// ------------------------------------------------------------------ runs

typedef struct {
  uint64_t bits; // scalars
  void *data;    // arrays
  uint64_t size_bytes;
} Arg;

static inline Arg arg_int(int64_t value) {
  return (Arg){.bits = (uint64_t)value};
}

static inline Arg arg_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (Arg){.bits = bits};
}

#define ARG_MEMORY(object)                                                     \
  ((Arg){.data = &(object), .size_bytes = sizeof(object)})

static inline int64_t lowered_host(const Launch *launch, const IrHost *host) {
  int64_t value = 0;
  if (!host_evaluate(launch, host, &value))
    fail_msg("a host expression has no value");
  return value;
}

// Extents and dense or given strides, after all scalars are in their slots.
static inline void lowered_shape(const Launch *launch, const IrParam *param,
                                 uint64_t *slots) {
  const IrObject *object = param->object;
  int64_t stride = 1;
  for (uint32_t i = object->rank; i-- > 0;) {
    int64_t extent = lowered_host(launch, object->extents[i]);
    slots[param->slot + 1 + i] = (uint64_t)extent;
    slots[param->slot + 1 + object->rank + i] =
        object->has_strides ? (uint64_t)lowered_host(launch, object->strides[i])
                            : (uint64_t)stride;
    stride *= extent;
  }
}

static inline void lowered_args(const Lowered *program, const Arg *args,
                                uint64_t *slots, InterpMemory *arrays) {
  for (uint32_t i = 0; i < program->kernel->params.count; i++) {
    const IrParam *param = &program->kernel->params.data[i];
    if (param->kind == PARAM_STRUCT)
      memcpy(&slots[param->slot], args[i].data, args[i].size_bytes);
    else if (param->object)
      slots[param->slot] = (uint64_t)(uintptr_t)args[i].data;
    else
      slots[param->slot] = args[i].bits;
    arrays[i] = (InterpMemory){args[i].data, args[i].size_bytes};
  }
}

static inline HdStatus lowered_try(Lowered *program, const Arg *args,
                                   const char **why) {
  const IrKernel *kernel = program->kernel;
  Arena *arena = program->arena;
  uint64_t *slots = ARENA_ARRAY(arena, uint64_t, kernel->n_slots + 1);
  InterpMemory *arrays =
      ARENA_ARRAY(arena, InterpMemory, kernel->params.count + 1);
  lowered_args(program, args, slots, arrays);
  program->printed = (Text){.arena = arena};
  InterpLaunch given = {.args = slots,
                        .arrays = arrays,
                        .grid = {1, 1, 1},
                        .max_steps = 100000000,
                        .printed = &program->printed};
  Launch launch = {.arena = arena, .kernel = kernel, .given = &given};
  for (uint32_t i = 0; i < kernel->params.count; i++)
    if (kernel->params.data[i].kind == PARAM_ARRAY)
      lowered_shape(&launch, &kernel->params.data[i], slots);
  for (uint32_t i = 0; i < kernel->n_grid; i++)
    given.grid[i] = (int32_t)lowered_host(&launch, kernel->grid[i]);
  memcpy(program->grid, given.grid, sizeof program->grid);
  return interp_run(arena, kernel, &given, why);
}

static inline void lowered_run(Lowered *program, const Arg *args) {
  const char *why = NULL;
  if (lowered_try(program, args, &why) != HD_OK)
    fail_msg("%s", why);
}

// --------------------------------------------------------------- contents

typedef struct {
  IrOp op;
  uint32_t count;
} OpCount;

static inline bool lowered_count_node(IrNode *node, void *context) {
  OpCount *count = context;
  count->count += node->op == count->op;
  return true;
}

static inline uint32_t lowered_count(const Lowered *program, IrOp op) {
  OpCount count = {op, 0};
  ir_walk(&program->kernel->body, lowered_count_node, &count);
  return count.count;
}

#endif
