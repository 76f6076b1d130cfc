// SPDX-License-Identifier: Apache-2.0
// The tree of the kernel is built once, under the assumption that its integer
// parameters are sizes; then products of them are tried, for all touches of a
// pointer at a time, and most fail at the first touch.
#include "check/guess.h"

#include "check/check.h"
#include "check/tree/tree.h"

#include <string.h>

enum {
  MOST_SIZES = 6, // integer parameters in what decides about one pointer
  QUERY_MS = 50,
  KERNEL_MS = 300,
};

#define LARGEST_SIZE ((int64_t)1 << 30)
#define LARGE        2000

typedef hd_vec(const Step *) Steps;

typedef struct {
  uint32_t param;
  const Term *term;
} Size;

typedef struct {
  Arena *arena;
  const IrKernel *kernel;
  TermTable *terms;
  Solver *solver;
  Tree *tree;
  const IrObject *object;
  Steps touches; // of the object
  Size sizes[MOST_SIZES];
  uint32_t n_sizes;
} Guess;

// ------------------------------------------------- integers that are sizes

static IrHost *host_node(Arena *arena, IrHostOp op, int64_t number) {
  IrHost *host = ARENA_NEW(arena, IrHost);
  host->op = op;
  host->number = number;
  return host;
}

static void require_order(Arena *arena, IrKernel *kernel, IrHost *low,
                          IrHost *high) {
  IrRequire require = {.condition = host_node(arena, HOST_LE, 0)};
  require.condition->n_args = 2;
  require.condition->args[0] = low;
  require.condition->args[1] = high;
  VEC_PUSH(arena, &kernel->requirements, require);
}

static bool is_size(const IrParam *param) {
  return param->kind == PARAM_SCALAR && ir_type_is_int(param->type) &&
         param->type.lanes <= 1 && ir_type_bits(param->type) >= 32;
}

// From now on the kernel can only be launched with sizes.
static void require_sizes(Arena *arena, IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    if (!is_size(&kernel->params.data[i]))
      continue;
    require_order(arena, kernel, host_node(arena, HOST_CONST, 0),
                  host_node(arena, HOST_PARAM, i));
    require_order(arena, kernel, host_node(arena, HOST_PARAM, i),
                  host_node(arena, HOST_CONST, LARGEST_SIZE));
  }
}

static void collect_size(const Symbol *symbol, void *context) {
  Guess *g = context;
  if (symbol->kind != SYMBOL_LAUNCH || g->n_sizes == MOST_SIZES)
    return;
  for (uint32_t i = 0; i < g->n_sizes; i++)
    if (g->sizes[i].term->symbol == symbol)
      return;
  for (uint32_t i = 0; i < g->kernel->params.count; i++) {
    const IrParam *param = &g->kernel->params.data[i];
    if (is_size(param) && strcmp(param->name, symbol->name) == 0 &&
        strcmp(param->name, "dynamic_shared_bytes") != 0)
      g->sizes[g->n_sizes++] = (Size){i, term_of(g->terms, symbol)};
  }
}

static void sort_sizes(Guess *g) {
  for (uint32_t i = 1; i < g->n_sizes; i++) {
    Size size = g->sizes[i];
    uint32_t k = i;
    for (; k > 0 && g->sizes[k - 1].param > size.param; k--)
      g->sizes[k] = g->sizes[k - 1];
    g->sizes[k] = size;
  }
}

// ------------------------------------------------------------- the touches

static void collect_touch(const Step *step, void *context) {
  Guess *g = context;
  if (step->kind == STEP_TOUCH && step->u.touch.touch->object == g->object)
    VEC_PUSH(g->arena, &g->touches, step);
}

static void guess_find_sizes(Guess *g) {
  g->n_sizes = 0;
  for (uint32_t i = 0; i < g->touches.count; i++) {
    const Touch *touch = g->touches.data[i]->u.touch.touch;
    for (int k = 0; k < touch->n_index; k++)
      term_symbols(touch->index[k], collect_size, g);
    term_symbols(touch->byte, collect_size, g);
    term_symbols(g->touches.data[i]->path, collect_size, g);
  }
  sort_sizes(g);
}

static const Term *first_byte(Guess *g, const Touch *touch) {
  if (!touch->n_index)
    return touch->byte;
  return term_add(
      g->terms, touch->byte,
      term_scale(g->terms, touch->index[0], g->object->element_bytes));
}

// The touch ends where `size` elements, less `n_less`, end, or before.
static bool ends_below(Guess *g, const Step *step, const Term *given,
                       const Term *size, int64_t n_less) {
  TermTable *t = g->terms;
  const Touch *touch = step->u.touch.touch;
  int64_t bytes = g->object->element_bytes;
  const Term *room = term_sub(t, term_scale(t, size, bytes),
                              term_int(t, touch->n_bytes + n_less * bytes));
  return solver_proves(g->solver, given,
                       term_le(t, first_byte(g, touch), room));
}

static bool guess_is_inside(Guess *g, const Step *step, const Term *size) {
  TermTable *t = g->terms;
  const Term *low =
      term_le(t, term_int(t, 0), first_byte(g, step->u.touch.touch));
  const Term *given =
      term_and(t, step->path, term_le(t, size, term_int(t, CHECK_MAX_EXTENT)));
  return ends_below(g, step, given, size, 0) &&
         solver_proves(g->solver, given, low);
}

// --------------------------------------------------------------- products

// Some touch may get to the last element even where sizes are large: an element
// for each block, say, is below the number of threads, but that says nothing.
static bool is_tight(Guess *g, const uint32_t *chosen, uint32_t n,
                     const Term *size) {
  const Term *large = term_true(g->terms);
  for (uint32_t i = 0; i < n; i++)
    large = term_and(
        g->terms, large,
        term_le(g->terms, term_int(g->terms, LARGE), g->sizes[chosen[i]].term));
  for (uint32_t i = 0; i < g->touches.count; i++) {
    const Step *step = g->touches.data[i];
    const Term *given = term_and(g->terms, step->path, large);
    if (!ends_below(g, step, given, size, 1))
      return true;
  }
  return false;
}

static bool guess_fits(Guess *g, const uint32_t *chosen, uint32_t n) {
  const Term *size = g->sizes[chosen[0]].term;
  for (uint32_t i = 1; i < n; i++)
    size = term_mul(g->terms, size, g->sizes[chosen[i]].term);
  for (uint32_t i = 0; i < g->touches.count; i++)
    if (!guess_is_inside(g, g->touches.data[i], size))
      return false;
  return is_tight(g, chosen, n, size);
}

// Products of n factors, in order; of two, squares too.
static bool find_product(Guess *g, uint32_t n, uint32_t *chosen,
                         uint32_t n_chosen) {
  if (n_chosen == n)
    return guess_fits(g, chosen, n);
  uint32_t first = n_chosen == 0 ? 0 : chosen[n_chosen - 1] + (n != 2);
  for (uint32_t i = first; i < g->n_sizes; i++) {
    chosen[n_chosen] = i;
    if (find_product(g, n, chosen, n_chosen + 1))
      return true;
  }
  return false;
}

static void guess_object(Guess *g, ExtentGuesses *out) {
  uint32_t chosen[GUESS_FACTORS];
  g->touches.count = 0;
  tree_each(g->tree->first, collect_touch, g);
  guess_find_sizes(g);
  for (uint32_t n = 1; n <= GUESS_FACTORS && g->touches.count > 0; n++) {
    if (!find_product(g, n, chosen, 0))
      continue;
    ExtentGuess guess = {.param = (uint32_t)g->object->param, .n_factors = n};
    for (uint32_t i = 0; i < n; i++)
      guess.factors[i] = g->sizes[chosen[i]].param;
    VEC_PUSH(g->arena, out, guess);
    return;
  }
}

void guess_extents(Arena *arena, IrKernel *kernel, ExtentGuesses *out) {
  SolveOptions options = {.query_ms = QUERY_MS, .kernel_ms = KERNEL_MS};
  options.tiers_off[TIER_SPLIT] = options.tiers_off[TIER_ISL] = true;
  options.tiers_off[TIER_Z3_BITS] = true;
  Guess g = {.arena = arena, .kernel = kernel};
  g.terms = term_table_new(arena);
  g.solver = solver_new(arena, g.terms, &options);
  require_sizes(arena, kernel);
  g.tree = tree_build(arena, kernel, ir_uniformity(arena, kernel), g.terms,
                      g.solver, false);
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    g.object = kernel->objects.data[i];
    if (g.object->is_plain_pointer && g.object->param >= 0 &&
        g.object->rank <= 1)
      guess_object(&g, out);
  }
  solver_free(g.solver);
}
