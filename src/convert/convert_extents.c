// SPDX-License-Identifier: Apache-2.0
// Pointers of CUDA C say nothing of how many elements they have; a kernel shows
// it. What the checker guesses becomes the extent if it then proves every
// access through the pointer.
#include "convert/convert.h"

#include "check/check.h"
#include "check/guess.h"
#include "check/solve/solve.h"

#include "session/program_cuda.h"
#include <string.h>

enum { CHECK_MS = 1000 };

static int convert_extents_find_param(const Conversion *cx, const char *name) {
  const DeclList *params = convert_params(cx);
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name && strcmp(params->data[i]->name, name) == 0)
      return (int)i;
  return -1;
}

static const char *convert_extents_name_of(const IrKernel *kernel,
                                           uint32_t param) {
  return kernel->params.data[param].name;
}

static void set_extent(Conversion *cx, const IrKernel *kernel,
                       const ExtentGuess *guess) {
  const char *factors[GUESS_FACTORS + 1] = {0};
  int index = convert_extents_find_param(
      cx, convert_extents_name_of(kernel, guess->param));
  if (index < 0 || convert_params(cx)->data[index]->type->kind != TYPE_POINTER)
    return;
  for (uint32_t i = 0; i < guess->n_factors; i++)
    factors[i] = convert_extents_name_of(kernel, guess->factors[i]);
  convert_set_extent(cx, (uint32_t)index, factors);
}

// The kernel with these extents; the unit of `cx` stays as it is.
static AstUnit with_extents(const Conversion *cx, const IrKernel *kernel,
                            const ExtentGuesses *guesses) {
  AstUnit unit = *cx->unit;
  Conversion attempt = *cx;
  attempt.unit = &unit;
  convert_own_kernel(&attempt);
  for (uint32_t i = 0; i < guesses->count; i++)
    set_extent(&attempt, kernel, &guesses->data[i]);
  return unit;
}

IrKernel *convert_lowered(const Conversion *cx, AstUnit *unit, Arena *arena) {
  HdProgram *program = cx->program;
  DiagEngine *diags = program->diags;
  if (!cx->tells_errors) {
    diags = diag_engine_new(arena, 0);
    diag_engine_set_source(diags, program->source);
  }
  SemaOptions options = {.fast_math = program->session->options.fast_math != 0,
                         .open_members = cx->open_members};
  KernelTree tree = {.unit = unit,
                     .sema = sema_new(arena, program->names, diags,
                                      program->source, &options)};
  return spec_try(program, diags, &tree, unit->decls.data[cx->position]->name,
                  arena, cx->open,
                  cx->is_cuda ? &kernels_in_cuda : &kernels_in_heddle);
}

uint32_t convert_time_left(const HdProgram *program, uint32_t most) {
  double end = program->convert_end_ms;
  double left = end > 0 ? end - solve_now_ms() : most;
  return left < 1 ? 0 : left < most ? (uint32_t)left : most;
}

// False: there is no time for it.
static bool check_quickly(const Conversion *cx, Arena *arena,
                          const IrKernel *kernel, bool is_cuda,
                          CheckReport *report) {
  CheckOptions check = {.no_search = true,
                        .no_fixes = true,
                        .no_remarks = true,
                        .is_retry = true,
                        .bounds_only = true,
                        .policy = is_cuda ? kernels_in_cuda.policy.check : 0,
                        .language = is_cuda ? LANGUAGE_CUDA : LANGUAGE_HEDDLE};
  check.solve.kernel_ms = convert_time_left(cx->program, CHECK_MS);
  if (check.solve.kernel_ms > 0)
    check_kernel(arena, kernel, &check, report);
  return check.solve.kernel_ms > 0;
}

static bool convert_extents_is_open(const CheckReport *report, uint32_t param) {
  for (uint32_t i = 0; i < report->open_params.count; i++)
    if (report->open_params.data[i] == param)
      return true;
  return false;
}

// Drops the guesses with which an access isn't proved to be inside, all of them
// where there is no time for proofs. False: none.
static bool drop_open(const Conversion *cx, const IrKernel *kernel,
                      ExtentGuesses *guesses, Arena *arena) {
  AstUnit unit = with_extents(cx, kernel, guesses);
  const IrKernel *made = convert_lowered(cx, &unit, arena);
  CheckReport report;
  uint32_t n_kept = 0, n_before = guesses->count;
  bool is_checked = made && check_quickly(cx, arena, made, false, &report);
  for (uint32_t i = 0; i < n_before; i++)
    if (is_checked && !convert_extents_is_open(&report, guesses->data[i].param))
      guesses->data[n_kept++] = guesses->data[i];
  guesses->count = n_kept;
  return n_kept < n_before;
}

// A pointer that the kernel moves, say, can't be an array.
static void drop_wrong(const Conversion *cx, const IrKernel *kernel,
                       ExtentGuesses *guesses, Arena *arena) {
  AstUnit unit = with_extents(cx, kernel, guesses);
  if (convert_lowered(cx, &unit, arena))
    return;
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < guesses->count; i++) {
    ExtentGuesses one = {.data = &guesses->data[i], .count = 1};
    unit = with_extents(cx, kernel, &one);
    if (convert_lowered(cx, &unit, arena))
      guesses->data[n_kept++] = guesses->data[i];
  }
  guesses->count = n_kept;
}

static uint32_t alignment_of(const CheckReport *report, uint32_t param) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < report->aligned_params.count; i++) {
    const AlignedParam *need = &report->aligned_params.data[i];
    if (need->param == param && need->align_bytes > most)
      most = need->align_bytes;
  }
  return most;
}

void convert_alignment(Conversion *cx) {
  Arena *arena = arena_new();
  IrKernel *kernel = convert_lowered(cx, cx->unit, arena);
  CheckReport report = {0};
  bool is_checked = kernel && check_quickly(cx, arena, kernel, true, &report);
  for (uint32_t i = 0; is_checked && i < kernel->params.count; i++) {
    uint32_t align = alignment_of(&report, i);
    int index =
        align
            ? convert_extents_find_param(cx, convert_extents_name_of(kernel, i))
            : -1;
    if (index >= 0)
      convert_require_aligned(cx, convert_params(cx)->data[index]->name, align);
  }
  arena_free(arena);
}

// Heddle C writes to no array of const, whatever is cast.
static void drop_const(Conversion *cx) {
  Arena *arena = arena_new();
  Conversion as_cuda = *cx;
  as_cuda.is_cuda = true;
  const IrKernel *kernel = convert_lowered(&as_cuda, cx->unit, arena);
  for (uint32_t i = 0; kernel && i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    int index =
        object->loses_const ? convert_extents_find_param(cx, object->name) : -1;
    if (index >= 0 && convert_params(cx)->data[index]->type->kind == TYPE_ARRAY)
      convert_drop_const(cx, (uint32_t)index);
  }
  arena_free(arena);
}

void convert_extents(Conversion *cx) {
  drop_const(cx);
  Arena *arena = arena_new();
  ExtentGuesses guesses = {0};
  IrKernel *kernel = convert_lowered(cx, cx->unit, arena);
  if (kernel)
    guess_extents(arena, kernel, &guesses);
  if (guesses.count > 0)
    drop_wrong(cx, kernel, &guesses, arena);
  while (guesses.count > 0 && drop_open(cx, kernel, &guesses, arena))
    ;
  for (uint32_t i = 0; i < guesses.count; i++)
    set_extent(cx, kernel, &guesses.data[i]);
  arena_free(arena);
}
