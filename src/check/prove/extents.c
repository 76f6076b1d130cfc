// SPDX-License-Identifier: Apache-2.0
#include "check/prove/extents.h"

#include <string.h>

static bool extents_mentions(const IrHost *host, int64_t param, int depth) {
  if (!host || depth > 64)
    return false;
  if (host->op == HOST_PARAM && host->number == param)
    return true;
  for (int i = 0; i < host->n_args; i++)
    if (extents_mentions(host->args[i], param, depth + 1))
      return true;
  return false;
}

int extents_open_param(const IrKernel *kernel) {
  static const char name[] = "dynamic_shared_bytes"; // of CUDA C's kernels

  int param = -1;
  for (uint32_t i = 0; i < kernel->params.count; i++)
    if (strcmp(kernel->params.data[i].name, name) == 0)
      param = (int)i;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    if (extents_mentions(kernel->requirements.data[i].condition, param, 0))
      return -1;
  return param;
}

bool extents_are_open(const IrKernel *kernel, const IrObject *object) {
  if (object->is_plain_pointer || object->space != SPACE_SHARED)
    return object->is_plain_pointer;
  int param = extents_open_param(kernel);
  for (int k = 0; param >= 0 && k < object->rank; k++)
    if (extents_mentions(object->extents[k], param, 0))
      return true;
  return false;
}

// ------------------------------------------------------------------- hints

// FEW: more elements than that may come of nothing but the largest grid.
enum { MOST_NAMES = 4, MOST_MS = 50, FEW = 1 << 20 };

typedef struct {
  const Check *check;
  const Term *terms[MOST_NAMES];
  uint32_t n_terms;
} Sizes;

static bool extents_is_size(const IrKernel *kernel, const Symbol *symbol) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (param->kind == PARAM_SCALAR && ir_type_is_int(param->type) &&
        strcmp(param->name, symbol->name) == 0)
      return true;
  }
  return false;
}

static void extents_collect_size(const Symbol *symbol, void *context) {
  Sizes *sizes = context;
  if (symbol->kind != SYMBOL_LAUNCH || !symbol->name ||
      sizes->n_terms == MOST_NAMES ||
      !extents_is_size(sizes->check->kernel, symbol))
    return;
  for (uint32_t i = 0; i < sizes->n_terms; i++)
    if (sizes->terms[i]->symbol == symbol)
      return;
  sizes->terms[sizes->n_terms++] = term_of(sizes->check->terms, symbol);
}

static bool extents_has_product(const Term *term) {
  for (uint32_t i = 0; i < term->n_parts; i++)
    if (term->parts[i].atom->kind == TERM_MUL)
      return true;
  return term->kind == TERM_MUL;
}

static bool extents_is_below(Check *check, const Step *step,
                             const Term *element, const Term *limit) {
  return solver_proves(check->solver, step->path,
                       term_lt(check->terms, element, limit));
}

// `size` as the number of elements, which isn't negative.
static bool is_below_size(Check *check, const Step *step, const Term *element,
                          const Term *size) {
  TermTable *t = check->terms;
  const Term *path = term_and(t, step->path, term_le(t, term_int(t, 0), size));
  return solver_proves(check->solver, path, term_lt(t, element, size));
}

// The least number of which it is proved that the element is below it; 0: none,
// or it takes long.
static int64_t constant_bound(Check *check, const Step *step,
                              const Term *element) {
  TermTable *t = check->terms;
  int64_t enough = (int64_t)1 << 30, too_few = 0;
  double end = solve_now_ms() + MOST_MS;
  if (!extents_is_below(check, step, element, term_int(t, enough)))
    return 0;
  while (enough - too_few > 1) {
    if (solve_now_ms() > end)
      return 0;
    int64_t middle = too_few + (enough - too_few) / 2;
    if (extents_is_below(check, step, element, term_int(t, middle)))
      enough = middle;
    else
      too_few = middle;
  }
  return enough;
}

// It is bounded by the number of threads: by a number only because the largest
// grid is one.
static bool extents_is_of_grid(Check *check, const Step *step,
                               const Term *element) {
  const Tree *tree = check->tree;
  return extents_is_below(
      check, step, element,
      term_scale(check->terms, tree->grid[0], tree->n_threads));
}

// What bounds the element, of all that decides about it.
static const char *bounding(Check *check, const Step *step, const Term *element,
                            bool *is_enough) {
  Sizes sizes = {.check = check};
  int64_t number;
  *is_enough = true;
  if (term_is_constant(element, &number))
    return arena_printf(check->arena, "%lld", (long long)number + 1);
  term_symbols(step->path, extents_collect_size, &sizes);
  term_symbols(element, extents_collect_size, &sizes);
  for (uint32_t i = 0; i < sizes.n_terms; i++)
    if (is_below_size(check, step, element, sizes.terms[i]))
      return sizes.terms[i]->symbol->name;
  for (uint32_t i = 0; i < sizes.n_terms; i++)
    if (element == sizes.terms[i])
      return arena_printf(check->arena, "%s + 1", sizes.terms[i]->symbol->name);
  int64_t bound = constant_bound(check, step, element);
  if (bound > 0 && (bound <= FEW || !extents_is_of_grid(check, step, element)))
    return arena_printf(check->arena, "%lld", (long long)bound);
  if (extents_is_below(check, step, element, check->tree->grid[0]))
    return "gridDim.x";
  if (extents_is_of_grid(check, step, element))
    return arena_printf(check->arena, "gridDim.x * %lld",
                        (long long)check->tree->n_threads);
  *is_enough = false;
  if (sizes.n_terms == 2 && extents_has_product(element))
    return arena_printf(check->arena, "%s * %s", sizes.terms[0]->symbol->name,
                        sizes.terms[1]->symbol->name);
  return sizes.n_terms > 0 ? sizes.terms[0]->symbol->name : "1024";
}

const char *extents_hint(Check *check, const Step *step, const Touch *touch,
                         bool *is_enough) {
  TermTable *t = check->terms;
  int64_t bytes = touch->object->element_bytes;
  const Term *element =
      term_div(t, term_add(t, touch->byte, term_int(t, touch->n_bytes - 1)),
               term_int(t, bytes > 0 ? bytes : 1));
  if (touch->n_index)
    element = term_add(t, element, touch->index[0]);
  return bounding(check, step, element, is_enough);
}
