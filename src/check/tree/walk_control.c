// SPDX-License-Identifier: Apache-2.0
// Regions: branches, blocks, calls, exits, parts of groups.
#include "check/tree/walk.h"

// ------------------------------------------------------------------- joins

Join *join_open(Walk *w, const IrNode *node, Step *step) {
  Join *join = ARENA_NEW(w->arena, Join);
  join->outer = w->joins;
  join->node = node;
  join->step = step;
  join->loop = w->loop;
  join->log_mark = env_mark(w, &join->saved_base);
  join->path_mark = w->path.count;
  w->joins = join;
  return join;
}

void join_add(Walk *w, Join *join, bool is_next) {
  Incoming incoming = {.condition = path_since(w, join->path_mark),
                       .leaves_out =
                           path_has(w, join->path_mark, PATH_LEFT_OUT),
                       .is_joint = !path_has(w, join->path_mark, PATH_WAY),
                       .loop = w->loop};
  incoming.n_changes = env_changes(w, join->log_mark, &incoming.changes);
  if (is_next)
    VEC_PUSH(w->arena, &join->nexts, incoming);
  else
    VEC_PUSH(w->arena, &join->ends, incoming);
}

void join_close(Walk *w, Join *join) {
  path_pop(w, join->path_mark);
  env_undo(w, join->log_mark, join->saved_base);
  w->joins = join->outer;
}

// What holds behind: some way was taken. Said only where a way led elsewhere,
// for else it says nothing.
static void push_ways(Walk *w, const Incoming *incoming, uint32_t n) {
  const Term *any = term_false(w->terms);
  bool leaves_out = false, is_joint = true;
  for (uint32_t i = 0; i < n; i++) {
    const Term *condition = incoming[i].condition;
    leaves_out |= incoming[i].leaves_out;
    is_joint &= incoming[i].is_joint;
    any = any && condition ? term_or(w->terms, any, condition) : NULL;
    if (n > 1 && any && walk_size(w, any) > WALK_MAX_MERGE)
      any = NULL;
  }
  path_push_ways(w, any, leaves_out, is_joint);
}

void join_arrive(Walk *w, Incoming *incoming, uint32_t n, bool has_escape) {
  w->is_reachable = n > 0;
  if (n == 0)
    return;
  env_merge(w, incoming, n);
  if (has_escape || n == 1)
    push_ways(w, incoming, n);
}

// ---------------------------------------------------------------- branches

typedef struct {
  Incoming state;
  bool is_reachable;
  bool has_facts; // more is known at its end than its condition
} Branch;

static Branch walk_control_branch(Walk *w, const IrRegion *region, Step *step,
                                  Step **list, const Term *condition) {
  bool is_joint = walk_is_joint(w, region->owner->args[0]);
  Branch branch = {.state.loop = w->loop};
  uint32_t saved_base, path_mark = w->path.count;
  uint32_t mark = env_mark(w, &saved_base);
  path_push_way(w, condition, is_joint);
  uint32_t own_facts = w->path.count;
  StepPlace place = step_enter(w, step, list);
  w->is_reachable = true;
  walk_region(w, region);
  step_leave(w, place);
  branch.is_reachable = w->is_reachable;
  branch.has_facts = w->path.count > own_facts;
  branch.state.condition =
      branch.has_facts ? path_since(w, path_mark) : condition;
  branch.state.leaves_out = path_has(w, path_mark, PATH_LEFT_OUT);
  branch.state.is_joint = !path_has(w, path_mark, PATH_WAY);
  branch.state.n_changes = env_changes(w, mark, &branch.state.changes);
  path_pop(w, path_mark);
  env_undo(w, mark, saved_base);
  return branch;
}

// Of both branches the values are told apart by the branch's own condition:
// exits on the way made it more special, but then they left.
static void join_branches(Walk *w, Branch *then_branch, Branch *else_branch,
                          const Term *condition) {
  Incoming ways[2];
  uint32_t n = 0;
  bool has_facts = false;
  if (then_branch->is_reachable) {
    ways[n++] = then_branch->state;
    has_facts |= then_branch->has_facts;
  }
  if (else_branch->is_reachable) {
    ways[n++] = else_branch->state;
    has_facts |= else_branch->has_facts;
  }
  w->is_reachable = n > 0;
  if (n == 0)
    return;
  Incoming merged[2] = {ways[0], ways[n - 1]};
  merged[0].condition = condition;
  env_merge(w, merged, n);
  if (n == 1 || has_facts)
    push_ways(w, ways, n);
}

static const Term *branch_condition(Walk *w, const IrNode *node) {
  const Term *condition = walk_arg(w, node, 0)->term;
  if (walk_size(w, condition) <= WALK_MAX_SIZE)
    return condition;
  const Symbol *symbol =
      walk_symbol(w, "condition", node, walk_over(w, node->args[0]), 0, 1);
  return symbol_holds(w, symbol);
}

// An `if` that holds nothing isn't worth a step.
static void drop_empty(Walk *w, Step *step, Step **tail) {
  if (!step || step->u.branch.body || step->u.branch.other)
    return;
  *tail = NULL;
  w->tail = tail;
  w->tree->n_steps--;
}

// What one branch alone counts.
static void pass_branches(Walk *w, const IrNode *node, const Branch *a,
                          const Branch *b) {
  bool one_counts = a->is_reachable && b->is_reachable;
  if (one_counts && b->state.n_changes == 0)
    counts_pass(w, node, a->state.changes, a->state.n_changes);
  else if (one_counts && a->state.n_changes == 0)
    counts_pass(w, node, b->state.changes, b->state.n_changes);
}

void walk_if(Walk *w, const IrNode *node) {
  const Term *condition = branch_condition(w, node);
  bool is_known = condition->kind == TERM_TRUE || condition->kind == TERM_FALSE;
  if (is_known) {
    walk_region(w, &node->regions[condition->kind == TERM_TRUE ? 0 : 1]);
    return;
  }
  if (walk_is_head_test(node))
    VEC_PUSH(w->arena, &w->joins->stays, term_not(w->terms, condition));
  Step **tail = w->tail;
  Step *step = step_new(w, STEP_IF, node);
  if (step)
    step->u.branch.condition = condition;
  Branch then_branch =
      walk_control_branch(w, &node->regions[0], step,
                          step ? &step->u.branch.body : NULL, condition);
  Branch else_branch = walk_control_branch(w, &node->regions[1], step,
                                           step ? &step->u.branch.other : NULL,
                                           term_not(w->terms, condition));
  drop_empty(w, step, tail);
  join_branches(w, &then_branch, &else_branch, condition);
  if (!uniformity_has(w->uniformity, node->args[0], w->group))
    pass_branches(w, node, &then_branch, &else_branch);
}

// --------------------------------------------------------- blocks and calls

static void walk_scope_body(Walk *w, const IrNode *node, Step *step) {
  StepPlace place = step_enter(w, step, step ? &step->u.scope.body : NULL);
  walk_region(w, &node->regions[0]);
  step_leave(w, place);
}

// Symbols of loops that were left stand for their values at that moment.
static void close_all(Walk *w, const Join *join) {
  for (uint32_t i = 0; i < join->ends.count; i++)
    incoming_close(w, &join->ends.data[i], join->loop, NULL);
}

void walk_block(Walk *w, const IrNode *node) {
  Step *step = step_new(w, STEP_SCOPE, node);
  Join *join = join_open(w, node, step);
  walk_scope_body(w, node, step);
  if (w->is_reachable)
    join_add(w, join, false);
  join_close(w, join);
  close_all(w, join);
  join_arrive(w, join->ends.data, join->ends.count, join->has_escape);
}

static Join *find_join(Walk *w, const IrNode *target) {
  Join *join = w->joins;
  for (; join->node != target; join = join->outer)
    join->has_escape = true;
  return join;
}

void walk_exit(Walk *w, const IrNode *node) {
  bool is_continue = node->u.exit.is_continue;
  Join *join = find_join(w, node->u.exit.target);
  for (CheckLoop *loop = w->loop; loop && loop != join->loop;
       loop = loop->parent)
    if (!is_continue || loop->node != join->node)
      loop->has_exit = true;
  join->n_exits++;
  if (!is_continue)
    VEC_PUSH(w->arena, &join->exits, node);
  join_add(w, join, is_continue);
  Step *step = step_new(w, STEP_EXIT, node);
  if (step) {
    step->u.exit.target = join->step;
    step->u.exit.is_continue = is_continue;
  }
  w->is_reachable = false;
}

// ----------------------------------------------------------- parts of groups

static const Term *walk_control_membership(Walk *w, const IrNode *node) {
  const GroupView *view = walk_view(w, node->u.part.group);
  const GroupView *parent = walk_view(w, node->u.part.parent);
  if (view->is_known)
    return view->member;
  // Who is in it isn't known, but the parent's threads at most.
  const Symbol *symbol = walk_symbol(w, "member", node, NULL, 0, 1);
  return term_and(w->terms, symbol_holds(w, symbol),
                  parent->is_known ? parent->member : term_true(w->terms));
}

// What variables hold behind: those in the part what it made of them.
static void walk_control_part(Walk *w, const IrNode *node, const Term *member) {
  Step *step = step_new(w, STEP_SCOPE, node);
  const IrGroup *outer_group = w->group;
  uint32_t saved_base, path_mark = w->path.count;
  uint32_t mark = env_mark(w, &saved_base);
  w->group = node->u.part.group;
  path_push_way(w, member, false);
  walk_scope_body(w, node, step);
  Incoming ways[2] = {{.condition = member, .loop = w->loop},
                      {.loop = w->loop}};
  ways[0].n_changes = env_changes(w, mark, &ways[0].changes);
  path_pop(w, path_mark);
  env_undo(w, mark, saved_base);
  w->group = outer_group;
  w->is_reachable = true;
  bool is_whole = member->kind == TERM_TRUE;
  env_merge(w, ways, is_whole ? 1 : 2);
  if (!is_whole)
    counts_pass(w, node, ways[0].changes, ways[0].n_changes);
}

void walk_group(Walk *w, const IrNode *node) {
  if (node->op == IR_WITH) {
    walk_control_part(w, node, term_true(w->terms));
    return;
  }
  groups_make(w, node);
  walk_control_part(w, node, walk_control_membership(w, node));
}

void walk_split(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const IrGroup *parent = node->u.part.parent;
  const GroupView *view = walk_view(w, parent);
  groups_make(w, node);
  int64_t count = node->u.part.count;
  uint32_t bits = ir_type_bits(node->args[0]->type);
  const Value *variable = NULL;
  if (view->is_known && parent->size > 0 && count > 0 &&
      parent->size % count == 0) {
    const Term *turn =
        term_div(t, view->rank, term_int(t, parent->size / count));
    const Term *at = term_add(t, arg_signed(w, node, 0),
                              term_scale(t, turn, node->u.part.step));
    variable = value_int(w, bits, at, true, false);
  }
  env_set(w, node->u.part.var, variable ? variable : value_lost(w));
  walk_control_part(w, node, term_true(t));
  env_set(w, node->u.part.var, value_lost(w));
}
