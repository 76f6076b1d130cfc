// SPDX-License-Identifier: Apache-2.0
// Launches made of the solver's models.
#include "check/run/search_parts.h"

#include "check/prove/extents.h"
#include "check/run/trial.h"

#include <string.h>

// Of a run: sizes of models aren't chosen to make it short.
// Where there is time for many of them, it may take its part.
enum { MODEL_STEPS = 4 * 1000 * 1000, A_PART = 4 };

// ----------------------------------------------------------------- models

static int64_t model_value(const TermModel *model, const char *name,
                           int64_t otherwise) {
  for (uint32_t i = 0; i < model->n; i++)
    if (model->symbols[i]->kind == SYMBOL_LAUNCH && model->symbols[i]->name &&
        strcmp(model->symbols[i]->name, name) == 0)
      return model->values[i];
  return otherwise;
}

static void model_grid(const Search *s, const TermModel *model,
                       ConcreteLaunch *launch) {
  const Tree *tree = s->check->tree;
  for (int i = 0; i < 3; i++) {
    int64_t blocks = 1, least = 0;
    if (!tree->grid[i] || !term_value(tree->grid[i], model, &blocks))
      blocks = 1;
    for (uint32_t k = 0; k < model->n; k++) {
      const Symbol *symbol = model->symbols[k];
      const Symbol *origin = symbol->copy_of ? symbol->copy_of : symbol;
      if (origin == tree->block[i] && model->values[k] + 1 > least)
        least = model->values[k] + 1;
    }
    if (blocks < least)
      blocks = least;
    launch->grid[i] = blocks < 1 ? 1 : blocks > 64 ? 64 : (int32_t)blocks;
    launch->cluster[i] = 1;
  }
}

// The blocks of both sides; of one where the model speaks of one.
static void model_pair(const Search *s, const TermModel *model,
                       ConcreteLaunch *launch) {
  const Tree *tree = s->check->tree;
  for (int i = 0; i < 3; i++) {
    bool has_side[2] = {false};
    for (uint32_t k = 0; k < model->n; k++) {
      const Symbol *symbol = model->symbols[k];
      bool is_copy = symbol->copy_of == tree->block[i];
      if (symbol != tree->block[i] && !is_copy)
        continue;
      launch->pair[is_copy][i] = (int32_t)model->values[k];
      has_side[is_copy] = true;
    }
    if (has_side[0] != has_side[1])
      launch->pair[has_side[0]][i] = launch->pair[!has_side[0]][i];
  }
  launch->has_pair = true;
}

// The threads of both sides.
static void model_threads(const Search *s, const TermModel *model,
                          ConcreteLaunch *launch) {
  const Symbol *thread = s->check->tree->thread;
  launch->n_threads = 0;
  for (uint32_t k = 0; k < model->n && launch->n_threads < 2; k++) {
    const Symbol *symbol = model->symbols[k];
    if (symbol == thread || symbol->copy_of == thread)
      launch->threads[launch->n_threads++] = (uint32_t)model->values[k];
  }
}

// With values up to `most`, which makes the launch small enough.
static bool model_launch(const Search *s, const TermModel *model, int64_t most,
                         int64_t *scalars, ConcreteLaunch *launch) {
  const IrKernel *kernel = s->check->kernel;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    int64_t value;
    scalars[i] = model_value(model, kernel->params.data[i].name, 1);
    scalars[i] = scalars[i] > most ? most : scalars[i];
    if (sizes_required(s->check->arena, kernel, i, &value))
      scalars[i] = value;
  }
  int open = extents_open_param(kernel);
  if (open >= 0)
    scalars[open] = SIZES_OPEN_SHARED;
  *launch = (ConcreteLaunch){.scalars = scalars, .max_steps = MODEL_STEPS};
  model_grid(s, model, launch);
  model_pair(s, model, launch);
  Trial trial;
  Arena *scratch = arena_new();
  bool is_launch = trial_shape(&trial, scratch, kernel, launch);
  arena_free(scratch);
  return is_launch;
}

static void try_model(Search *s, const TermModel *model) {
  static const int64_t most[] = {INT64_MAX, 4096, 1024, 512, 256, 128, 64};
  const IrKernel *kernel = s->check->kernel;
  int64_t *scalars =
      ARENA_ARRAY(s->check->arena, int64_t, kernel->params.count + 1);
  for (uint32_t i = 0; i < sizeof most / sizeof *most; i++) {
    ConcreteLaunch launch;
    if (!model_launch(s, model, most[i], scalars, &launch))
      continue;
    launch.fill = FILL_IOTA;
    search_try(s, &launch);
    launch.fill = FILL_RANDOM;
    launch.seed = 1;
    search_try(s, &launch);
    return;
  }
}

void search_try_models(Search *s, double share) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count && !search_is_over(s, share);
       i++)
    if (!s->is_decided[i] && !s->is_aimed[i] &&
        check->suspects.data[i].has_model)
      try_model(s, &check->suspects.data[i].model);
}

// -------------------------------------------------------- aimed launches

// Only the blocks of the model run, and only its threads where none waits for
// another: Note [Aimed launches].
bool search_aimed_launch(const Search *s, const TermModel *model,
                         int64_t *scalars, ConcreteLaunch *launch) {
  if (!model_launch(s, model, INT64_MAX, scalars, launch))
    return false;
  launch->only_pair = true;
  model_threads(s, model, launch);
  uint64_t left = s->used < s->budget ? s->budget - s->used : 0;
  if (left / A_PART > launch->max_steps)
    launch->max_steps = left / A_PART;
  return true;
}

static bool try_aimed(Search *s, const TermModel *model) {
  static const ConcreteFill fills[] = {FILL_IOTA, FILL_RANDOM};
  int64_t *scalars =
      ARENA_ARRAY(s->check->arena, int64_t, s->check->kernel->params.count + 1);
  ConcreteLaunch launch;
  if (!search_aimed_launch(s, model, scalars, &launch))
    return false;
  for (uint64_t i = 0; i < 2; i++) {
    launch.fill = fills[i];
    launch.seed = i;
    search_try(s, &launch);
  }
  return true;
}

void search_aim_at_turns(Search *s, double share) {
  const Term *last = NULL;
  for (int i = 0; i < 2 && !search_is_over(s, share); i++) {
    const Term *turns = aim_turns(s->aim, i > 0);
    TermModel model;
    if (turns && turns != last && aim_model(s->aim, turns, NULL, &model))
      try_aimed(s, &model);
    last = turns;
  }
}

static void aim_at(Search *s, uint32_t number) {
  const Suspect *suspect = &s->check->suspects.data[number];
  TermModel model;
  for (uint32_t i = 0; i < suspect->n_queries && i < SUSPECT_QUERIES; i++)
    if (!s->is_decided[number] && !aim_is_over(s->aim) &&
        aim_model(s->aim, suspect->queries[i], NULL, &model))
      s->is_aimed[number] |= try_aimed(s, &model);
}

void search_aim_at_suspects(Search *s, double share) {
  const Check *check = s->check;
  for (uint32_t i = 0; i < check->suspects.count && !search_is_over(s, share);
       i++)
    if (!check->suspects.data[i].is_for_none)
      aim_at(s, i);
}
