// SPDX-License-Identifier: Apache-2.0
// What holds at the point that the walk has reached, and the list of steps.
#include "check/tree/walk.h"

// ------------------------------------------------------------------- sizes

static void grow_sizes(Walk *w, uint32_t id) {
  while (w->sizes.count <= id)
    VEC_PUSH(w->arena, &w->sizes, 0);
}

static uint32_t add_size(uint32_t a, uint32_t b) {
  return a + b < 1000000 ? a + b : 1000000;
}

uint32_t walk_size(Walk *w, const Term *term) {
  if (term->id < w->sizes.count && w->sizes.data[term->id])
    return w->sizes.data[term->id];
  uint32_t size = 1;
  for (uint32_t i = 0; i < term->n_args; i++)
    size = add_size(size, walk_size(w, term->args[i]));
  if (term->kind == TERM_SUM)
    for (uint32_t i = 0; i < term->n_parts; i++)
      size = add_size(size, walk_size(w, term->parts[i].atom));
  grow_sizes(w, term->id);
  w->sizes.data[term->id] = size;
  return size;
}

// -------------------------------------------------------------------- path

static void walk_path_push(Walk *w, const Term *condition, PathKind kind) {
  const Term *all = term_and(w->terms, path_now(w), condition);
  VEC_PUSH(w->arena, &w->path, condition);
  VEC_PUSH(w->arena, &w->path_all, all);
  VEC_PUSH(w->arena, &w->path_kinds, (uint8_t)kind);
}

void path_push(Walk *w, const Term *condition) {
  // Leaving something out is always right.
  if (condition->kind != TERM_TRUE && walk_size(w, condition) <= WALK_MAX_SIZE)
    walk_path_push(w, condition, PATH_FACT);
}

void path_push_range(Walk *w, const Term *range) {
  path_push(w, range);
  uint32_t n = range->kind == TERM_ALL ? range->n_args : 0;
  for (uint32_t i = 0; i < n; i++)
    map_put(w->arena, &w->ranges, MAP_KEY(range->args[i]), w);
  map_put(w->arena, &w->ranges, MAP_KEY(range), w);
}

void path_push_way(Walk *w, const Term *condition, bool is_joint) {
  if (walk_size(w, condition) > WALK_MAX_SIZE)
    condition = symbol_holds(w, walk_symbol(w, "way", NULL, NULL, 0, 1));
  if (condition->kind != TERM_TRUE)
    walk_path_push(w, condition, is_joint ? PATH_FACT : PATH_WAY);
}

void path_push_ways(Walk *w, const Term *any, bool leaves_out, bool is_joint) {
  bool is_said = any && walk_size(w, any) <= WALK_MAX_SIZE;
  if (is_said && any->kind != TERM_TRUE)
    walk_path_push(w, any, is_joint ? PATH_FACT : PATH_WAY);
  if ((!is_said && !is_joint) || leaves_out)
    path_leave_out(w);
}

void path_leave_out(Walk *w) {
  walk_path_push(w, term_true(w->terms), PATH_LEFT_OUT);
}

bool path_has(const Walk *w, uint32_t mark, PathKind kind) {
  for (uint32_t i = mark; i < w->path.count; i++)
    if (w->path_kinds.data[i] == kind)
      return true;
  return false;
}

void path_pop(Walk *w, uint32_t mark) {
  w->path.count = mark;
  w->path_all.count = mark;
  w->path_kinds.count = mark;
}

const Term *path_now(const Walk *w) {
  return w->path_all.count ? VEC_LAST(&w->path_all) : term_true(w->terms);
}

const Term *path_since(Walk *w, uint32_t mark) {
  const Term *all = term_true(w->terms);
  if (w->path.count - mark > WALK_MAX_MERGE)
    return NULL;
  for (uint32_t i = mark; i < w->path.count; i++)
    all = term_and(w->terms, all, w->path.data[i]);
  return walk_size(w, all) > WALK_MAX_SIZE ? NULL : all;
}

// ------------------------------------------------------------------- steps

Step *step_new(Walk *w, StepKind kind, const IrNode *node) {
  if (w->dry)
    return NULL;
  Step *step = ARENA_NEW(w->arena, Step);
  step->kind = kind;
  step->id = w->tree->n_steps++;
  step->node = node;
  step->parent = w->parent;
  step->loop = w->loop;
  step->path = path_now(w);
  if (kind == STEP_TOUCH || kind == STEP_BARRIER)
    step->counts = counts_now(w);
  *w->tail = step;
  w->tail = &step->next;
  return step;
}

StepPlace step_enter(Walk *w, Step *parent, Step **list) {
  StepPlace place = {w->parent, w->tail};
  if (!w->dry) {
    w->parent = parent;
    w->tail = list;
  }
  return place;
}

void step_leave(Walk *w, StepPlace place) {
  w->parent = place.parent;
  w->tail = place.tail;
}

static bool walk_path_is_around(const Step *outer, const Step *inner) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner == outer;
}

Step *walk_oblige(Walk *w, const IrNode *node, ObligationKind kind,
                  const Term *condition) {
  if (w->dry || (condition && condition->kind == TERM_TRUE))
    return NULL;
  // The same condition before, in a list around this one.
  if (kind == OBLIGATION_OVERFLOW && condition) {
    const Step *before = map_get(&w->obliged, MAP_KEY(condition));
    if (before &&
        (!before->parent || walk_path_is_around(before->parent, w->parent)))
      return NULL;
  }
  Step *step = step_new(w, STEP_OBLIGATION, node);
  step->u.obligation.kind = kind;
  step->u.obligation.condition = condition;
  if (kind == OBLIGATION_OVERFLOW && condition)
    map_put(w->arena, &w->obliged, MAP_KEY(condition), step);
  return step;
}
