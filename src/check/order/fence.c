// SPDX-License-Identifier: Apache-2.0
// Writes that their own thread fences before it tells anybody, and copies that
// their thread fences behind all that it was told.
//
// Note [Fence before news]. Whatever comes behind a write in another thread, or
// behind an operation of the copy engine, comes behind something that the
// writing thread does later: a sync, an arrival, a copy that it asks for, …. If
// on every way from the write a fence_async stands before the first of these,
// it lies between the write and any access that follows it. That of a copy,
// which is made later, is not known here.
//
// Note [Fence behind news]. Whatever a thread's copy comes behind, comes behind
// something that the thread did before: a sync, a wait, …, or a write of its
// own. If on every way to the copy a fence_async stands behind the last of
// these, it lies between the copy and any write that it follows.
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
  if (write->u.touch.touch->done != DONE_AT_ONCE)
    return false;
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

// ------------------------------------------------------------ of the copy

// NEWS_NONE: what was so before is still so.
typedef enum { NEWS_NONE, NEWS_FENCED, NEWS_HEARD } News;

static News news_through(const Step *step, const Step *end);

static bool has_exit(const Step *step) {
  for (; step; step = step->next) {
    bool is_exit = step->kind == STEP_EXIT;
    if (step->kind == STEP_IF && !is_head_test(step))
      is_exit = has_exit(step->u.branch.body) || has_exit(step->u.branch.other);
    else if (step->kind == STEP_LOOP)
      is_exit = has_exit(step->u.loop.body);
    else if (step->kind == STEP_SCOPE)
      is_exit = has_exit(step->u.scope.body);
    if (is_exit)
      return true;
  }
  return false;
}

// Of a part that not every thread goes through, or not to its end.
static News news_of_some(const Step *body) {
  bool is_heard = has_exit(body) || news_through(body, NULL) == NEWS_HEARD;
  return is_heard ? NEWS_HEARD : NEWS_NONE;
}

static News news_of_if(const Step *step) {
  if (is_head_test(step))
    return NEWS_NONE;
  News a = news_through(step->u.branch.body, NULL);
  News b = news_through(step->u.branch.other, NULL);
  if (a == NEWS_HEARD || b == NEWS_HEARD)
    return NEWS_HEARD;
  return a == b ? a : NEWS_NONE;
}

static News news_of(const Step *step) {
  const Touch *touch;
  switch (step->kind) {
  case STEP_FENCE_ASYNC: return NEWS_FENCED;
  case STEP_TOUCH:
    touch = step->u.touch.touch;
    return touch->proxy == PROXY_GENERIC &&
                   (touch->is_write || touch->is_atomic)
               ? NEWS_HEARD
               : NEWS_NONE;
  case STEP_BARRIER: // who arrives isn't told anything
    return ir_op_info(step->node)->signals == EVENT_MBARRIER ? NEWS_NONE
                                                             : NEWS_HEARD;
  case STEP_IF: return news_of_if(step);
  case STEP_LOOP: return news_of_some(step->u.loop.body);
  case STEP_SCOPE: return news_of_some(step->u.scope.body);
  case STEP_CLAIM:
  case STEP_OBLIGATION:
  case STEP_COMMIT:
  case STEP_ARRIVE:
  case STEP_EXIT: return NEWS_NONE; // who leaves doesn't get to the copy
  case STEP_SYNC:
  case STEP_WAIT:
  case STEP_COLLECTIVE:
  case STEP_COPY_WAIT:
  case STEP_FENCE: break;
  }
  return NEWS_HEARD;
}

static News news_through(const Step *step, const Step *end) {
  News news = NEWS_NONE;
  for (; step && step != end; step = step->next) {
    News next = news_of(step);
    if (next != NEWS_NONE)
      news = next;
  }
  return news;
}

static bool fence_is_in_list(const Step *list, const Step *step) {
  while (list && list != step)
    list = list->next;
  return list != NULL;
}

// The list of an `if` or scope that the step stands in.
static const Step *fence_list_of(const Step *parent, const Step *step) {
  if (parent->kind == STEP_SCOPE)
    return parent->u.scope.body;
  return fence_is_in_list(parent->u.branch.body, step) ? parent->u.branch.body
                                                       : parent->u.branch.other;
}

bool fence_is_behind_news(const Check *check, const Step *copy) {
  for (const Step *at = copy; at; at = at->parent) {
    const Step *parent = at->parent;
    const Step *list = check->tree->first;
    if (parent)
      list = parent->kind == STEP_LOOP ? parent->u.loop.body
                                       : fence_list_of(parent, at);
    News news = news_through(list, at);
    if (news != NEWS_NONE)
      return news == NEWS_FENCED;
    if (parent && parent->kind == STEP_LOOP)
      return false; // what its last turn heard
  }
  return true; // it follows nothing
}

// ------------------------------------------------------------- of the kernel

typedef struct {
  Check *check;
  const Step *copy;
  bool are_clear;
} FenceSearch;

bool fence_is_needed(const Check *check, const Step *write, const Step *copy) {
  const Touch *x = write->u.touch.touch, *y = copy->u.touch.touch;
  return x->is_write && x->proxy == PROXY_GENERIC && y->proxy == PROXY_ASYNC &&
         check_may_alias(check, write, copy);
}

static void see_write(const Step *step, void *context) {
  FenceSearch *search = context;
  if (step->kind == STEP_TOUCH && search->are_clear &&
      fence_is_needed(search->check, step, search->copy))
    search->are_clear = fence_is_before_news(step);
}

static void see_copy(const Step *step, void *context) {
  FenceSearch *search = context;
  if (step->kind != STEP_TOUCH || step->u.touch.touch->proxy != PROXY_ASYNC)
    return;
  if (fence_is_behind_news(search->check, step))
    return;
  search->copy = step;
  tree_each(search->check->tree->first, see_write, search);
}

bool fences_are_clear(Check *check) {
  FenceSearch search = {.check = check, .are_clear = true};
  tree_each(check->tree->first, see_copy, &search);
  return search.are_clear;
}
