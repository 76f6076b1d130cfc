// SPDX-License-Identifier: Apache-2.0
// Note [What memory holds before it is written]
// Whether what a kernel reads from shared memory, or from a private array, was
// written before isn't always proved (prove/filled.c). Runs ask it, too: the
// kernel that runs is one in which such loads are followed like variables
// without a value (follow_values.c), and the interpreter keeps a mark for each
// byte.
//
//   y[t] = s[t];    a bug where no thread has written s[t] before
//
// Only kernels that are proved run so: elsewhere a race, or an access outside,
// explains it as well.
#include "check/prove/filled.h"
#include "check/run/search_parts.h"

#include "ir/form/ir.h"
#include "ir/passes/passes.h"

typedef struct {
  const IrKernel *kernel;
  bool *open; // by number of the load, or NULL
  uint32_t n_loads, n_open;
  bool has_arrays; // that pointers may lead into
  bool has_chosen; // one of many places stands for those that a call writes
} Loads;

static bool number_load(IrNode *node, void *context) {
  Loads *l = context;
  l->has_chosen |= node->op == IR_CHOICE;
  if (!ir_reads_memory(node))
    return true;
  const IrObject *object = node->u.access.object;
  bool is_open = object ? filled_is_followed(object) : l->has_arrays;
  if (l->open)
    l->open[l->n_loads] = is_open;
  l->n_loads++;
  l->n_open += is_open;
  return true;
}

static void number_loads(Loads *l) {
  l->n_loads = l->n_open = 0;
  ir_walk((IrRegion *)(uintptr_t)&l->kernel->body, number_load, l);
}

static bool has_arrays(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (filled_is_followed(kernel->objects.data[i]))
      return true;
  return false;
}

const IrKernel *search_follow_memory(const Check *check) {
  Loads loads = {.kernel = check->plain,
                 .has_arrays = has_arrays(check->plain)};
  number_loads(&loads);
  if (loads.n_open == 0 || loads.has_chosen)
    return check->kernel;
  loads.open = ARENA_ARRAY(check->arena, bool, loads.n_loads);
  number_loads(&loads);
  const IrKernel *followed =
      ir_follow_values(check->arena, check->plain, loads.open);
  pass_done(PASS_FOLLOW_VALUES, followed, followed != check->plain);
  return followed;
}

void search_for_unfilled(Search *s, const IrKernel *followed) {
  enum { MOST_RUNS = 4, STEPS = 1000 * 1000 };

  Check *check = s->check;
  int64_t *scalars =
      ARENA_ARRAY(check->arena, int64_t, followed->params.count + 1);
  check->kernel = followed;
  s->budget += (uint64_t)MOST_RUNS * STEPS;
  for (uint32_t i = 0, n = 0; i < check->unfilled.count && n < MOST_RUNS; i++) {
    const TermModel *model = &check->unfilled.data[i].model;
    ConcreteLaunch launch;
    if (model->n == 0 || s->has_bug ||
        !search_aimed_launch(s, model, scalars, &launch))
      continue;
    launch.n_threads = 0; // the others write, too
    launch.fill = FILL_RANDOM;
    launch.seed = i + 1;
    launch.max_steps = STEPS;
    search_try(s, &launch);
    n++;
  }
}
