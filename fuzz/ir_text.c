// SPDX-License-Identifier: Apache-2.0
// IR text: any input gives diagnostics or a module; the text of a module reads
// back as the same text; and what it does when run is the same each time, in
// bounds and soon over.
#include "base/panic.h"
#include "diag/diag.h"
#include "interp/interp.h"
#include "ir/verify/verify.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ELEMENTS = 16, ARRAY_BYTES = 256, MAX_STEPS = 20000, MAX_THREADS = 64 };

static IrModule *parse(Arena *arena, const char *text, size_t length) {
  SourceText *source = source_new(arena, "fuzz.hir", text, length, false);
  DiagEngine *diags = diag_engine_new(arena, 0);
  diag_engine_set_source(diags, source);
  IrModule *module = ir_parse(arena, source, diags);
  HD_ASSERT((module != NULL) == (diag_error_count(diags) == 0));
  Text rendered = {.arena = arena};
  diag_render_text(diags, &rendered, false);
  return module;
}

static const char *print(Arena *arena, const IrModule *module) {
  Text text = {.arena = arena};
  ir_print(module, &text);
  return text_cstr(&text);
}

// ------------------------------------------------------------------- runs

typedef struct {
  uint64_t *args;
  InterpMemory *arrays, *globals;
  char *memory; // of all of them
  size_t memory_bytes;
} Inputs;

static void array_slots(const IrParam *param, uint64_t *slots) {
  uint32_t rank = param->object->rank;
  uint64_t left = ELEMENTS;
  for (uint32_t i = 0; i < rank; i++) {
    uint64_t extent = i == 0 ? left : 2;
    slots[1 + i] = extent;
    slots[1 + rank + i] = i + 1 < rank ? 2 : 1;
  }
}

// The same small inputs each time: numbers 0 to 7, arrays of 16 elements.
static Inputs make_inputs(Arena *arena, const IrKernel *kernel) {
  uint32_t n_params = kernel->params.count;
  uint32_t n_globals = kernel->module->globals.count;
  Inputs inputs = {0};
  inputs.memory_bytes = (size_t)(n_params + n_globals + 1) * ARRAY_BYTES;
  inputs.memory = arena_alloc(arena, inputs.memory_bytes + ARRAY_BYTES);
  inputs.memory += ARRAY_BYTES - (uintptr_t)inputs.memory % ARRAY_BYTES;
  for (size_t i = 0; i < inputs.memory_bytes; i++)
    inputs.memory[i] = (char)(i % 8);
  inputs.args = ARENA_ARRAY(arena, uint64_t, kernel->n_slots + 1);
  inputs.arrays = ARENA_ARRAY(arena, InterpMemory, n_params + 1);
  inputs.globals = ARENA_ARRAY(arena, InterpMemory, n_globals + 1);
  char *next = inputs.memory;
  for (uint32_t i = 0; i < n_params; i++, next += ARRAY_BYTES) {
    const IrParam *param = &kernel->params.data[i];
    uint64_t *slots = &inputs.args[param->slot];
    slots[0] = i % 8;
    if (!param->object)
      continue;
    slots[0] = (uint64_t)(uintptr_t)next;
    inputs.arrays[i] = (InterpMemory){next, ARRAY_BYTES};
    if (param->kind == PARAM_ARRAY)
      array_slots(param, slots);
  }
  return inputs;
}

typedef struct {
  HdStatus status;
  const char *why, *printed;
  Inputs inputs;
} Outcome;

static Outcome run(Arena *arena, const IrKernel *kernel) {
  Outcome outcome = {.inputs = make_inputs(arena, kernel)};
  Text printed = {.arena = arena};
  InterpLaunch launch = {.args = outcome.inputs.args,
                         .arrays = outcome.inputs.arrays,
                         .globals = outcome.inputs.globals,
                         .grid = {2, 1, 1},
                         .max_steps = MAX_STEPS,
                         .printed = &printed};
  outcome.status = interp_run(arena, kernel, &launch, &outcome.why);
  HD_ASSERT((outcome.status == HD_OK) == (outcome.why == NULL));
  outcome.printed = text_cstr(&printed);
  return outcome;
}

static bool is_small(const IrKernel *kernel) {
  const int32_t *block = kernel->block_dim;
  return block[0] * block[1] * block[2] <= MAX_THREADS;
}

// Addresses differ from run to run, so memory is compared only where the
// kernel has no pointers and reads no clock.
static bool holds_pointer(IrNode *node, void *context) {
  (void)context;
  return node->type.kind != IR_TYPE_PTR && node->op != IR_CLOCK &&
         node->op != IR_GLOBALTIMER;
}

static void check_runs(Arena *arena, IrKernel *kernel) {
  if (!is_small(kernel))
    return;
  Outcome first = run(arena, kernel), second = run(arena, kernel);
  if (!ir_walk(&kernel->body, holds_pointer, NULL))
    return;
  HD_ASSERT(first.status == second.status);
  HD_ASSERT(strcmp(first.printed, second.printed) == 0);
  HD_ASSERT(memcmp(first.inputs.memory, second.inputs.memory,
                   first.inputs.memory_bytes) == 0);
}

static void check(Arena *arena, const char *text, size_t length) {
  IrModule *module = parse(arena, text, length);
  if (!module)
    return;
  const char *printed = print(arena, module);
  IrModule *again = parse(arena, printed, strlen(printed));
  HD_ASSERT(again != NULL);
  HD_ASSERT(strcmp(print(arena, again), printed) == 0);
  for (uint32_t i = 0; i < module->kernels.count && i < 4; i++)
    check_runs(arena, module->kernels.data[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  char *text = arena_strndup(arena, (const char *)data, size);
  check(arena, text, size);
  arena_free(arena);
  return 0;
}
