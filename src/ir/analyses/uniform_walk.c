// SPDX-License-Identifier: Apache-2.0
// The walk that makes tokens and edges: one pass over the tree with the current
// version of every variable, a log to undo assignments at the end of a path,
// and a stack of what an exit can leave.
//
// Note [What decides a join]
// Where paths meet, a variable is what all its versions share, and also what
// the conditions share that decide which path a thread came by. At the end of
// an `if` that is its condition. At the end of a block, call or loop it is
// every condition between it and an exit to it, and how the loops and blocks in
// between were left (a thread that left an inner loop at another turn did not
// meet the later conditions of that turn). Exits that go further out don't
// count: their threads aren't here. A variable set in a loop, used after it,
// is decided by the loop's exits even if only one of its versions gets there,
// because threads that left at different turns hold different values of it.
//
// Note [Who is here]
// `reach` is another question, the one of collective operations: do all threads
// of the group come here together? Every exit counts that was passed since the
// group became current, wherever it leads, until its target ends.
#include "ir/analyses/uniform_walk.h"
#include "ir/analyses/uniform.h"
#include <string.h>

// --------------------------------------------------------------- targets

static UniformTarget *push_target(UniformWalk *w, const IrNode *node,
                                  bool is_turn) {
  UniformTarget *target = ARENA_NEW(w->scratch, UniformTarget);
  target->join.node = node;
  target->join.log_mark = w->log.count;
  target->is_turn = is_turn;
  target->left = target->choice = uniform_start(w->u);
  VEC_PUSH(w->scratch, &w->stack, target);
  (is_turn ? w->turn_of : w->leave_of)[node->id] = target;
  return target;
}

static void uniform_walk_state(UniformWalk *w, Token token,
                               const IrGroup *group) {
  TokenGroup row = {.token = token, .group = group};
  VEC_PUSH(w->u->arena, &w->u->stated, row);
}

#define MAX_EARLIER 64u // parts of those who left; more only says less

// A labeled or coalesced group was made: its threads are together from here
// on, whoever left before.
static Token make_group_reach(UniformWalk *w, const IrNode *node, Token reach) {
  Token here = uniform_reach_token(w, node, reach);
  uniform_walk_state(w, here, node->u.group.group);
  for (uint32_t i = 0; i < w->stack.count; i++) {
    UniformTarget *target = w->stack.data[i];
    if (target->left == uniform_start(w->u) ||
        target->earlier.count == MAX_EARLIER)
      continue;
    UniformLeavers leavers = {target->left, target->last_exit};
    VEC_PUSH(w->scratch, &target->earlier, leavers);
    target->left = uniform_start(w->u);
  }
  return here;
}

static void uniform_walk_exit(UniformWalk *w, const IrNode *node, Token reach) {
  if (w->u->of_present && (node->flags & NODE_RETURNS))
    return;
  const IrNode *aim = node->u.exit.target;
  bool is_turn =
      node->u.exit.is_continue && (aim->op == IR_LOOP || aim->op == IR_FOR);
  UniformTarget *target = (is_turn ? w->turn_of : w->leave_of)[aim->id];
  uint32_t at = w->order->position[node->id];
  if (target->exits.count == 0)
    target->first_exit = at;
  target->last_exit = at;
  w->last_exit = at + 1;
  VEC_PUSH(w->scratch, &target->exits, node);
  Token left = uniform_new_token(w, TOKEN_LEFT, node, GROUP_SET_ALL);
  uniform_depends(w, left, target->left);
  uniform_depends(w, left, reach);
  target->left = left;
  uniform_record_path(w, &target->join);
}

// Makes `token` depend on who left for an enclosing target inside `node`.
static void add_leaks(UniformWalk *w, const IrNode *node, Token token) {
  uint32_t from = w->order->position[node->id];
  for (uint32_t i = w->stack.count; i-- > 0;) {
    const UniformTarget *target = w->stack.data[i];
    if (target->exits.count == 0 || target->last_exit <= from)
      continue;
    uniform_depends(w, token, target->left);
    for (uint32_t k = target->earlier.count; k-- > 0;) {
      if (target->earlier.data[k].last_exit <= from)
        break;
      uniform_depends(w, token, target->earlier.data[k].left);
    }
  }
}

static bool has_leaks(const UniformWalk *w, const IrNode *node) {
  uint32_t from = w->order->position[node->id];
  if (w->last_exit > from)
    for (uint32_t i = w->stack.count; i-- > 0;) {
      const UniformTarget *target = w->stack.data[i];
      if (target->exits.count && target->last_exit > from)
        return true;
    }
  return false;
}

// ----------------------------------------------------------------- nodes

static bool uniform_walk_region(UniformWalk *w, const IrRegion *region,
                                Token reach);

static bool uniform_walk_if(UniformWalk *w, const IrNode *node, Token reach) {
  UniformJoin join = {.node = node, .log_mark = w->log.count};
  Token inside = uniform_reach_token(w, node, reach);
  uniform_depends_on_value(w, inside, node->args[0]);
  for (int i = 0; i < 2; i++) {
    Token way = uniform_is_way_of_present(w, node, i) ? reach : inside;
    if (uniform_walk_region(w, &node->regions[i], way))
      uniform_record_path(w, &join);
    uniform_undo(w, join.log_mark);
  }
  if (join.n_paths > 0)
    uniform_finish_join(w, &join, NULL);
  return join.n_paths > 0;
}

static bool uniform_walk_block(UniformWalk *w, const IrNode *node,
                               Token reach) {
  UniformTarget *target = push_target(w, node, false);
  bool falls = uniform_walk_region(w, &node->regions[0], reach);
  (void)VEC_POP(&w->stack);
  if (target->exits.count == 0)
    return falls;
  if (falls)
    uniform_record_path(w, &target->join);
  uniform_finish_join(w, &target->join, target);
  return true;
}

static void make_header(UniformWalk *w, const IrNode *node, uint32_t var) {
  Token phi = uniform_new_variable(w, TOKEN_PHI, node, var, GROUP_SET_ALL);
  uniform_depends(w, phi, w->current[var]);
  uniform_assign(w, var, phi);
}

static void lose_header(UniformWalk *w, const IrNode *node, uint32_t var) {
  Token lost = uniform_new_variable(w, TOKEN_LOST, node, var, GROUP_SET_SINGLE);
  uniform_depends(w, w->current[var], lost);
}

// Back edges into the header versions, which are current afterwards.
static void close_turn(UniformWalk *w, UniformTarget *turn) {
  UniformJoin *join = &turn->join;
  if (join->is_lost) {
    uniform_undo(w, join->log_mark);
    uniform_each_assigned(w, join->node, lose_header);
    return;
  }
  uniform_gather(w, join);
  for (uint32_t i = 0; i < w->meetings.count; i++) {
    UniformMeeting meeting = w->meetings.data[i];
    if (meeting.is_phi)
      uniform_depends(w, meeting.version, uniform_choice_of(w, turn));
    uniform_depends(w, w->current[meeting.var], meeting.version);
  }
}

static void start_turn_variable(UniformWalk *w, const IrNode *node,
                                GroupSet base) {
  uint32_t var = uniform_turn_variable(node);
  Token turn = uniform_new_variable(w, TOKEN_TURN, node, var, base);
  uniform_depends_on_value(w, turn, node->args[0]);
  uniform_assign(w, var, turn);
}

// `loop`, `for` and the strided form of `thread_for`. `inside` is the reach
// token of the body.
static bool walk_loop(UniformWalk *w, const IrNode *node, Token inside) {
  UniformTarget *leave = push_target(w, node, false);
  if (node->op == IR_THREAD_FOR)
    uniform_choice_of(
        w, leave); // its turns differ: done in uniform_finish_choices
  w->depth++;
  uniform_each_assigned(w, node, make_header);
  if (uniform_has_turn_variable(node))
    start_turn_variable(w, node,
                        node->op == IR_FOR ? GROUP_SET_ALL : GROUP_SET_SINGLE);
  UniformTarget *turn = push_target(w, node, true);
  if (uniform_walk_region(w, &node->regions[0], inside))
    uniform_record_path(w, &turn->join);
  (void)VEC_POP(&w->stack);
  add_leaks(w, node, inside);
  close_turn(w, turn);
  w->depth--;
  (void)VEC_POP(&w->stack);
  bool has_end = node->op != IR_LOOP;
  if (has_end)
    uniform_record_path(w, &leave->join);
  if (leave->join.n_paths > 0)
    uniform_finish_join(w, &leave->join, leave);
  return leave->join.n_paths > 0;
}

static bool walk_for(UniformWalk *w, const IrNode *node, Token reach) {
  Token inside = uniform_reach_token(w, node, reach);
  bool is_left_by_returns = w->u->of_present && (node->flags & NODE_RETURNS);
  for (uint32_t i = 0; i < node->n_args && !is_left_by_returns; i++)
    uniform_depends_on_value(w, inside, node->args[i]);
  return walk_loop(w, node, inside);
}

// Does one execution of the statement mean the same threads as the next?
static bool uniform_walk_is_fixed_part(const Uniformity *u,
                                       const IrNode *node) {
  if (node->u.part.is_any || node->u.part.group->begin >= 0)
    return true;
  return node->n_args == 0 || uniform_is_fixed(u, node->args[0]);
}

static void leave_group(UniformWalk *w, const IrNode *node,
                        const UniformJoin *join) {
  GroupSet base = uniform_walk_is_fixed_part(w->u, node)
                      ? group_set_of(w->u->sets, node->u.part.group)
                      : GROUP_SET_SINGLE;
  uniform_undo(w, join->log_mark);
  for (uint32_t i = 0; i < join->records.count; i++) {
    UniformRecord record = join->records.data[i];
    Token after =
        uniform_new_variable(w, TOKEN_GROUP_EXIT, node, record.var, base);
    uniform_depends(w, after, record.version);
    TokenEdge outside = {w->current[record.var], after};
    VEC_PUSH(w->u->arena, &w->u->outside, outside);
    uniform_assign(w, record.var, after);
  }
}

static bool is_whole_parent(const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  return group->begin == 0 && group->size > 0 && group->size == parent->size;
}

static Token part_reach(UniformWalk *w, const IrNode *node) {
  return uniform_new_token(w, TOKEN_REACH, node,
                           group_set_inside(w->u->sets, node->u.part.group));
}

// The operator's variables are its own: behind it all is as before.
static bool uniform_walk_operator(UniformWalk *w, const IrNode *node) {
  uint32_t mark = w->log.count;
  uint32_t given[] = {node->u.by.left, node->u.by.right};
  for (uint32_t i = 0; i < 2; i++)
    uniform_assign(
        w, given[i],
        uniform_new_variable(w, TOKEN_TURN, node, given[i], GROUP_SET_SINGLE));
  uniform_walk_region(
      w, &node->regions[0],
      uniform_new_token(w, TOKEN_REACH, node, GROUP_SET_SINGLE));
  uniform_undo(w, mark);
  return true;
}

static bool uniform_walk_group(UniformWalk *w, const IrNode *node) {
  UniformJoin join = {.node = node, .log_mark = w->log.count};
  bool falls = uniform_walk_region(w, &node->regions[0], part_reach(w, node));
  if (is_whole_parent(node))
    return falls;
  if (falls)
    uniform_record_path(w, &join);
  if (join.is_lost) {
    uniform_undo(w, join.log_mark);
    uniform_each_assigned(w, node, uniform_lose_variable);
  } else
    leave_group(w, node, &join);
  return true;
}

static bool walk_thread_for(UniformWalk *w, const IrNode *node) {
  if (!node->u.part.is_split)
    return walk_loop(w, node,
                     uniform_new_token(w, TOKEN_REACH, node, GROUP_SET_SINGLE));
  start_turn_variable(w, node,
                      group_set_inside(w->u->sets, node->u.part.group));
  return uniform_walk_region(w, &node->regions[0], part_reach(w, node));
}

// True if the node after it is reached by this path.
static bool walk_control(UniformWalk *w, const IrNode *node, Token reach) {
  if (ir_is_operator(node))
    return uniform_walk_operator(w, node);
  switch (ir_control_op(node->op)) {
  case IR_IF: return uniform_walk_if(w, node, reach);
  case IR_LOOP: return walk_loop(w, node, uniform_reach_token(w, node, reach));
  case IR_FOR: return walk_for(w, node, reach);
  case IR_BLOCK:
  case IR_CALL: return uniform_walk_block(w, node, reach);
  case IR_GROUP: return uniform_walk_group(w, node);
  case IR_WITH:
    return uniform_walk_region(w, &node->regions[0], part_reach(w, node));
  case IR_THREAD_FOR: return walk_thread_for(w, node);
  case IR_EXIT: break;
  }
  HD_PANIC("'%s' has no region to walk", ir_op_info(node)->text);
}

// The threads of a labeled group agree on its label, and on the variable that
// held it until another value is assigned.
static void state_label(UniformWalk *w, const IrNode *make) {
  const IrNode *label = make->args[0];
  while (label->op == IR_ZEXT || label->op == IR_SEXT) {
    uniform_walk_state(w, label->id, make->u.group.group);
    label = label->args[0];
  }
  if (label->op == IR_CONST)
    return;
  w->labels[w->n_labels++ % MAX_LABELS] = make;
  uniform_walk_state(w, label->id, make->u.group.group);
  Token version = w->u->version[label->id];
  if (label->op == IR_GET && version != uniform_start(w->u))
    uniform_walk_state(w, version, make->u.group.group);
}

// The label may be written again behind its partition.
static void state_repeated_label(UniformWalk *w, const IrNode *node) {
  bool may_be = ir_type_is_int(node->type) || node->type.kind == IR_TYPE_BOOL;
  uint32_t count = w->n_labels < MAX_LABELS ? w->n_labels : MAX_LABELS;
  for (uint32_t i = 0; may_be && i < count; i++)
    if (uniform_repeats(w->u, node, w->labels[i]->args[0]))
      uniform_walk_state(w, node->id, w->labels[i]->u.group.group);
}

static void walk_value(UniformWalk *w, const IrNode *node) {
  Uniformity *u = w->u;
  if (node->op == IR_UNIFORM)
    uniform_walk_state(w, node->id, node->u.group.group);
  if (ir_op_info(node)->flags & OPF_ALIKE)
    return;
  if (node->op == IR_GET) {
    Token version = w->current[node->u.variable.var];
    u->version[node->id] = version;
    uniform_depends(w, node->id, version);
    return;
  }
  if (node->type.kind != IR_TYPE_VOID || node->op == IR_SET)
    for (uint32_t i = 0; i < node->n_args; i++)
      uniform_depends_on_value(w, node->id, node->args[i]);
  state_repeated_label(w, node);
  if (node->op == IR_SET)
    uniform_assign(w, node->u.variable.var, node->id);
}

// True if the end of the region is reached.
static bool uniform_walk_region(UniformWalk *w, const IrRegion *region,
                                Token reach) {
  for (const IrNode *node = region->first; node; node = node->next) {
    w->u->reach[node->id] = reach;
    w->u->tokens.data[node->id].depth = w->depth;
    if (node->op == IR_EXIT) {
      uniform_walk_exit(w, node, reach);
      return false;
    }
    if (node->op == IR_MAKE_GROUP) {
      if (node->u.group.group->kind == GROUP_LABELED)
        state_label(w, node);
      if (node->u.group.group->kind != GROUP_TILED)
        reach = make_group_reach(w, node, reach);
      continue;
    }
    if (node->n_regions == 0) {
      walk_value(w, node);
      continue;
    }
    if (!walk_control(w, node, reach))
      return false;
    if (has_leaks(w, node)) {
      reach = uniform_reach_token(w, node, reach);
      add_leaks(w, node, reach);
    }
  }
  return true;
}

// Values that no path reaches are never asked about, but have a row.
static void make_value_tokens(Uniformity *u) {
  uint32_t n_ids = u->order->n_ids;
  VEC_RESERVE(u->arena, &u->tokens, n_ids + n_ids / 2 + 1);
  VEC_RESERVE(u->arena, &u->base, n_ids + n_ids / 2 + 1);
  u->tokens.count = u->base.count = n_ids;
  memset(u->tokens.data, 0, n_ids * sizeof *u->tokens.data);
  memset(u->base.data, 0, n_ids * sizeof *u->base.data);
  for (uint32_t i = 0; i < u->order->n_nodes; i++) {
    const IrNode *node = u->order->nodes[i];
    u->tokens.data[node->id] = (TokenInfo){.kind = TOKEN_VALUE, .node = node};
    u->base.data[node->id] = uniform_base(u, node);
    u->reach[node->id] = u->version[node->id] = uniform_start(u);
  }
}

void uniform_walk(Uniformity *u, Arena *scratch) {
  const IrKernel *kernel = u->kernel;
  uint32_t n_vars = kernel->vars.count, n_ids = u->order->n_ids;
  UniformWalk w = {
      .u = u, .scratch = scratch, .kernel = kernel, .order = u->order};
  w.current = ARENA_ARRAY(scratch, Token, n_vars);
  w.home = ARENA_ARRAY(scratch, const IrNode *, n_vars);
  w.stamp = ARENA_ARRAY(scratch, uint32_t, n_vars);
  w.slot = ARENA_ARRAY(scratch, uint32_t, n_vars);
  w.leave_of = ARENA_ARRAY(scratch, UniformTarget *, n_ids);
  w.turn_of = ARENA_ARRAY(scratch, UniformTarget *, n_ids);
  for (uint32_t i = 0; i < n_vars; i++)
    w.current[i] = uniform_start(u);
  uniform_find_homes(&w);
  make_value_tokens(u);
  uniform_new_token(&w, TOKEN_START, NULL, GROUP_SET_ALL);
  uniform_walk_region(&w, &kernel->body, uniform_start(u));
  uniform_finish_choices(&w);
}
