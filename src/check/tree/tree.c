// SPDX-License-Identifier: Apache-2.0
// From a kernel to its tree.
#include "check/tree/tree.h"
#include "check/solve/solve_parts.h"
#include "check/tree/walk.h"

// Nodes walked for laws, for each node of the kernel.
#define BUDGET_FACTOR 24

static uint64_t extent_key(const IrObject *object, int k) {
  return MAP_KEY(object) + (uint64_t)k; // objects lie 16 bytes apart or more
}

const Term *tree_extent(const Tree *tree, const IrObject *object, int k) {
  return map_get(&tree->extents, extent_key(object, k));
}

static void note_extents(Walk *w, const IrObject *object) {
  for (int k = 0; k < object->rank; k++) {
    union {
      const Term *in;
      void *out;
    } entry = {.in = host_term(w, object->extents[k])};

    if (entry.in)
      map_put(w->arena, &w->tree->extents, extent_key(object, k), entry.out);
  }
}

void walk_extents(Walk *w) {
  const IrModule *module = w->kernel->module;
  for (uint32_t i = 0; i < w->kernel->objects.count; i++)
    note_extents(w, w->kernel->objects.data[i]);
  for (uint32_t i = 0; i < module->globals.count; i++)
    note_extents(w, module->globals.data[i]);
}

static void make_thread(Walk *w) {
  Tree *tree = w->tree;
  const int32_t *dim = w->kernel->block_dim;
  tree->n_threads = (int64_t)dim[0] * dim[1] * dim[2];
  Symbol model = {
      .kind = SYMBOL_THREAD, .name = "thread", .high = tree->n_threads - 1};
  tree->thread = term_symbol_new(w->terms, &model);
}

static void make_tables(Walk *w) {
  const IrKernel *kernel = w->kernel;
  w->values = ARENA_ARRAY(w->arena, const Value *, kernel->n_nodes);
  w->hints = ARENA_ARRAY(w->arena, uint8_t, kernel->n_nodes);
  w->changed = ARENA_ARRAY(w->arena, LoopVars *, kernel->n_nodes);
  w->var_hints = ARENA_ARRAY(w->arena, uint8_t, w->n_vars);
  w->vars = ARENA_ARRAY(w->arena, const Value *, w->n_vars);
  w->logged_at = ARENA_ARRAY(w->arena, uint32_t, w->n_vars);
  w->var_stamp = ARENA_ARRAY(w->arena, uint32_t, w->n_vars);
}

void tree_each(const Step *first, StepVisit visit, void *context) {
  for (const Step *step = first; step; step = step->next) {
    visit(step, context);
    if (step->kind == STEP_IF) {
      tree_each(step->u.branch.body, visit, context);
      tree_each(step->u.branch.other, visit, context);
    } else if (step->kind == STEP_LOOP) {
      tree_each(step->u.loop.body, visit, context);
    } else if (step->kind == STEP_SCOPE) {
      tree_each(step->u.scope.body, visit, context);
    }
  }
}

bool tree_is_in_loop(const CheckLoop *loop, const CheckLoop *outer) {
  while (loop && loop != outer)
    loop = loop->parent;
  return loop != NULL;
}

// Steps that were dropped leave no gaps.
static void number_step(const Step *step, void *context) {
  Tree *tree = context;
  ((Step *)(uintptr_t)step)->id = tree->n_steps++;
}

static Solver *quick_solver(Walk *w) {
  enum { QUERY_MS = 150, KERNEL_MS = 1500 };

  SolveOptions options = w->solver->options;
  options.query_ms = QUERY_MS;
  options.kernel_ms = KERNEL_MS;
  options.tiers_off[TIER_Z3_BITS] = true;
  options.tiers_off[TIER_SPLIT] = true;
  return solver_new(w->arena, w->terms, &options);
}

Tree *tree_build(Arena *arena, const IrKernel *kernel,
                 const Uniformity *uniformity, TermTable *terms, Solver *solver,
                 bool trusts_sizes) {
  Tree *tree = ARENA_NEW(arena, Tree);
  *tree = (Tree){.arena = arena,
                 .kernel = kernel,
                 .uniformity = uniformity,
                 .terms = terms};
  Walk w = {.tree = tree,
            .arena = arena,
            .terms = terms,
            .solver = solver,
            .kernel = kernel,
            .uniformity = uniformity,
            .is_reachable = true,
            .trusts_places = trusts_sizes,
            .group = kernel->groups.data[GROUP_ROW_BLOCK],
            .tail = &tree->first,
            .budget = (int64_t)kernel->n_nodes * BUDGET_FACTOR};
  w.quick = quick_solver(&w);
  counts_find(&w);
  make_tables(&w);
  walk_prepare(&w);
  env_start(&w);
  make_thread(&w);
  walk_facts(&w);
  w.joint = ARENA_ARRAY(arena, uint8_t, (size_t)kernel->n_nodes + 1);
  groups_start(&w);
  counts_start(&w);
  walk_region(&w, &kernel->body);
  tree->end_counts = counts_now(&w);
  solver_free(w.quick);
  tree->n_steps = 0;
  tree_each(tree->first, number_step, tree);
  return tree;
}

bool tree_has_head_test(const Step *loop) {
  const Step *first = loop->u.loop.body;
  if (!first || first->kind != STEP_IF || first->u.branch.other ||
      !first->u.branch.body)
    return false;
  const Step *exit = first->u.branch.body;
  return exit->kind == STEP_EXIT && !exit->next &&
         exit->u.exit.target == loop && !exit->u.exit.is_continue;
}
