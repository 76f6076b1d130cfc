// SPDX-License-Identifier: Apache-2.0
// Pointers of CUDA C say nothing of how many elements they have; a kernel shows
// it. Products of its integer parameters are tried, smaller ones first, and the
// first with which every access is proved to be inside is the extent.
#include "session/convert.h"

#include "check/check.h"

#include <string.h>

enum {
  MOST_FACTORS = 3,
  MOST_SIZES = 6, // integer parameters that are looked at
  MOST_CANDIDATES = 48,
  CHECK_MS = 500,
  KERNEL_MS = 10000,
};

typedef struct {
  const char *factors[MOST_FACTORS + 1];
} Candidate;

typedef struct {
  Candidate data[MOST_CANDIDATES];
  uint32_t count;
} Candidates;

// ---------------------------------------------------------------- one try

// Obligations that aren't proved, all accesses through one pointer counted
// once; -1: the tree isn't right.
static int64_t count_open(const Conversion *cx, double *left_ms) {
  HdProgram *program = cx->program;
  Arena *arena = arena_new();
  DiagEngine *diags = diag_engine_new(arena, 0);
  diag_engine_set_source(diags, program->source);
  SemaOptions options = {.fast_math = program->session->options.fast_math != 0};
  KernelTree tree = {.unit = cx->unit,
                     .sema = sema_new(arena, program->names, diags,
                                      program->source, &options)};
  IrKernel *kernel =
      spec_try(program, diags, &tree, convert_kernel(cx)->name, arena);
  int64_t open = -1;
  if (kernel) {
    CheckOptions check = {.no_search = true,
                          .no_fixes = true,
                          .no_remarks = true,
                          .bounds_only = true};
    check.solve.kernel_ms = CHECK_MS;
    CheckReport report;
    check_kernel(arena, kernel, &check, &report);
    open = (int64_t)report.n_obligations - report.n_proved;
    *left_ms -= report.time_ms;
  }
  arena_free(arena);
  return open;
}

static bool is_proved_with(const Conversion *cx, uint32_t index,
                           const Candidate *candidate, int64_t n_open,
                           double *left_ms) {
  AstUnit unit = *cx->unit;
  Conversion attempt = *cx;
  attempt.unit = &unit;
  convert_own_kernel(&attempt);
  convert_set_extent(&attempt, index, candidate->factors);
  int64_t open = count_open(&attempt, left_ms);
  return open >= 0 && open < n_open;
}

// ------------------------------------------------------------- candidates

static bool is_integer_type(const TypeSyntax *type) {
  static const char *const names[] = {"size_t",   "ptrdiff_t", "int32_t",
                                      "uint32_t", "int64_t",   "uint64_t"};
  if (type->kind == TYPE_BUILTIN)
    return type->u.builtin == BUILTIN_INT || type->u.builtin == BUILTIN_UINT ||
           type->u.builtin == BUILTIN_LONG ||
           type->u.builtin == BUILTIN_ULONG ||
           type->u.builtin == BUILTIN_LLONG ||
           type->u.builtin == BUILTIN_ULLONG;
  for (size_t i = 0;
       type->kind == TYPE_NAMED && i < sizeof names / sizeof *names; i++)
    if (strcmp(type->u.named, names[i]) == 0)
      return true;
  return false;
}

static uint32_t find_sizes(const Conversion *cx, const char **sizes) {
  const DeclList *params = convert_params(cx);
  uint32_t count = 0;
  for (uint32_t i = 0; i < params->count && count < MOST_SIZES; i++) {
    const Decl *param = params->data[i];
    if (param->name && param->type && !param->u.param.is_type &&
        !(param->storage & STORAGE_CONSTEXPR) && is_integer_type(param->type) &&
        strcmp(param->name, "dynamic_shared_bytes") != 0)
      sizes[count++] = param->name;
  }
  return count;
}

static void add_candidate(Candidates *list, const char *a, const char *b,
                          const char *c) {
  if (list->count < MOST_CANDIDATES)
    list->data[list->count++] = (Candidate){{a, b, c, NULL}};
}

// n, then n * m, then n * m * k.
static void find_candidates(const Conversion *cx, Candidates *list) {
  const char *sizes[MOST_SIZES];
  uint32_t n = find_sizes(cx, sizes);
  list->count = 0;
  for (uint32_t i = 0; i < n; i++)
    add_candidate(list, sizes[i], NULL, NULL);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i; k < n; k++)
      add_candidate(list, sizes[i], sizes[k], NULL);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++)
      for (uint32_t l = k + 1; l < n; l++)
        add_candidate(list, sizes[i], sizes[k], sizes[l]);
}

void convert_extents(Conversion *cx) {
  Candidates list;
  double left_ms = KERNEL_MS;
  find_candidates(cx, &list);
  int64_t n_open = list.count > 0 ? count_open(cx, &left_ms) : 0;
  for (uint32_t i = 0; i < convert_params(cx)->count && n_open > 0; i++) {
    const Decl *param = convert_params(cx)->data[i];
    bool is_pointer = param->type && param->type->kind == TYPE_POINTER;
    for (uint32_t k = 0; k < list.count && is_pointer && left_ms > 0; k++) {
      const Candidate *candidate = &list.data[k];
      if (!is_proved_with(cx, i, candidate, n_open, &left_ms))
        continue;
      convert_set_extent(cx, i, candidate->factors);
      n_open--;
      break;
    }
  }
}
