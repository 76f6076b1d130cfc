// SPDX-License-Identifier: Apache-2.0
// Writes that their own thread fences before it tells anybody.
//
// Note [Fence before news]. Whatever comes behind a write in another thread, or
// behind an operation of the copy engine, comes behind something that the
// writing thread does later: a sync, an arrival, a copy that it asks for, …. If
// on every way from the write a fence_async stands before the first of these,
// it lies between the write and any access that follows it.
#include "check/report/finding.h"

typedef enum { WAY_ENDS, WAY_FENCED, WAY_TELLS } Way;

static Way way_through(const Step *step);

static bool is_head_test(const Step *step) {
  const Step *exit = step->u.branch.body;
  return step->parent && step->parent->kind == STEP_LOOP &&
         tree_has_head_test(step->parent) && exit && exit->kind == STEP_EXIT &&
         exit->u.exit.target == step->parent;
}

// Of two ways, either may be taken.
static Way fence_either(Way a, Way b) {
  if (a == WAY_TELLS || b == WAY_TELLS)
    return WAY_TELLS;
  return a == WAY_FENCED && b == WAY_FENCED ? WAY_FENCED : WAY_ENDS;
}

static Way way_of(const Step *step) {
  switch (step->kind) {
  case STEP_FENCE_ASYNC: return WAY_FENCED;
  case STEP_TOUCH:
    return step->u.touch.touch->proxy == PROXY_GENERIC &&
                   !step->u.touch.touch->is_atomic &&
                   step->u.touch.touch->done == DONE_AT_ONCE
               ? WAY_ENDS
               : WAY_TELLS;
  case STEP_IF:
    return is_head_test(step) ? WAY_ENDS
                              : fence_either(way_through(step->u.branch.body),
                                             way_through(step->u.branch.other));
  case STEP_LOOP: return fence_either(way_through(step->u.loop.body), WAY_ENDS);
  case STEP_SCOPE:
    return fence_either(way_through(step->u.scope.body), WAY_ENDS);
  case STEP_CLAIM:
  case STEP_OBLIGATION:
  case STEP_COMMIT: return WAY_ENDS;
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_BARRIER:
  case STEP_COLLECTIVE:
  case STEP_COPY_WAIT:
  case STEP_FENCE:
  case STEP_EXIT: break;
  }
  return WAY_TELLS;
}

static Way way_through(const Step *step) {
  Way way = WAY_ENDS;
  for (; step && way == WAY_ENDS; step = step->next)
    way = way_of(step);
  return way;
}

bool fence_is_before_news(const Step *write) {
  for (const Step *at = write; at; at = at->parent) {
    Way way = way_through(at->next);
    if (way != WAY_ENDS)
      return way == WAY_FENCED;
    // The next turn begins, or none does.
    if (at->parent && at->parent->kind == STEP_LOOP &&
        way_through(at->parent->u.loop.body) == WAY_TELLS)
      return false;
  }
  return true;
}

// ------------------------------------------------------------- of the kernel

typedef struct {
  Check *check;
  const Step *copy;
  bool are_clear;
} FenceSearch;

// A thread's write to what the copy engine reads or writes.
static void see_write(const Step *step, void *context) {
  FenceSearch *search = context;
  if (step->kind != STEP_TOUCH)
    return;
  const Touch *touch = step->u.touch.touch;
  const IrObject *object = search->copy->u.touch.touch->object;
  if (touch->is_write && touch->proxy == PROXY_GENERIC &&
      (!touch->object || touch->object == object))
    search->are_clear &= fence_is_before_news(step);
}

static void see_copy(const Step *step, void *context) {
  FenceSearch *search = context;
  if (step->kind != STEP_TOUCH || step->u.touch.touch->proxy != PROXY_ASYNC)
    return;
  const IrObject *object = step->u.touch.touch->object;
  if (object && object->space != SPACE_SHARED)
    return;
  search->copy = step;
  tree_each(search->check->tree->first, see_write, search);
}

bool fences_are_clear(Check *check) {
  FenceSearch search = {.check = check, .are_clear = true};
  tree_each(check->tree->first, see_copy, &search);
  return search.are_clear;
}
