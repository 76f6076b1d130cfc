// SPDX-License-Identifier: Apache-2.0
// Versions of variables, and what they are where paths meet.
#include "ir/analyses/uniform.h"
#include "ir/analyses/uniform_walk.h"

// Bounds the work on hostile programs: exits times variables.
#define MAX_RECORDS 40000000u

// --------------------------------------------------------------- tokens

Token uniform_new_token(UniformWalk *w, TokenKind kind, const IrNode *node,
                        GroupSet base) {
  Uniformity *u = w->u;
  TokenInfo info = {.kind = kind, .depth = w->depth, .node = node};
  VEC_PUSH(u->arena, &u->tokens, info);
  VEC_PUSH(u->arena, &u->base, base);
  return u->tokens.count - 1;
}

Token uniform_new_variable(UniformWalk *w, TokenKind kind, const IrNode *node,
                           uint32_t var, GroupSet base) {
  Token token = uniform_new_token(w, kind, node, base);
  w->u->tokens.data[token].var = var;
  return token;
}

void uniform_depends(UniformWalk *w, Token to, Token from) {
  if (from == uniform_start(w->u) || from == to)
    return;
  TokenEdge edge = {from, to};
  VEC_PUSH(w->u->arena, &w->u->edges, edge);
}

void uniform_depends_on_value(UniformWalk *w, Token to, const IrNode *value) {
  if (value->op != IR_CONST)
    uniform_depends(w, to, value->id);
}

Token uniform_reach_token(UniformWalk *w, const IrNode *node, Token outer) {
  Token token = uniform_new_token(w, TOKEN_REACH, node, GROUP_SET_ALL);
  uniform_depends(w, token, outer);
  return token;
}

// ------------------------------------------------------------- variables

// A variable that is set first of all in a region, and used only there, needs
// no versions outside: that is where its home is.
typedef struct {
  UniformWalk *walk;
  const IrRegion **regions; // by variable
  bool *is_seen;
} HomeSearch;

static void meet_variable(HomeSearch *search, const IrNode *node, uint32_t var,
                          const IrRegion *region) {
  if (!search->is_seen[var]) {
    search->is_seen[var] = true;
    search->regions[var] = region;
  } else if (search->regions[var] &&
             !order_in_region(search->walk->order, search->regions[var], node))
    search->regions[var] = NULL;
}

bool uniform_has_turn_variable(const IrNode *node) {
  return node->op == IR_FOR || node->op == IR_THREAD_FOR;
}

uint32_t uniform_turn_variable(const IrNode *node) {
  return node->op == IR_FOR ? node->u.loop.var : node->u.part.var;
}

void uniform_find_homes(UniformWalk *w) {
  uint32_t n_vars = w->kernel->vars.count;
  HomeSearch search = {w, ARENA_ARRAY(w->scratch, const IrRegion *, n_vars),
                       ARENA_ARRAY(w->scratch, bool, n_vars)};
  for (uint32_t i = 0; i < w->order->n_nodes; i++) {
    const IrNode *node = w->order->nodes[i];
    if (node->op == IR_SET)
      meet_variable(&search, node, node->u.variable.var, node->region);
    else if (node->op == IR_GET)
      meet_variable(&search, node, node->u.variable.var, NULL);
    else if (uniform_has_turn_variable(node))
      meet_variable(&search, node, uniform_turn_variable(node),
                    &node->regions[0]);
    if (node->op == IR_SET || uniform_has_turn_variable(node))
      VEC_PUSH(w->scratch, &w->setters, node);
  }
  for (uint32_t i = 0; i < n_vars; i++)
    w->home[i] = search.regions[i] ? search.regions[i]->owner : NULL;
}

static bool is_home_inside(const UniformWalk *w, uint32_t var,
                           const IrNode *node) {
  return w->home[var] && order_inside(w->order, node, w->home[var]);
}

void uniform_assign(UniformWalk *w, uint32_t var, Token version) {
  UniformAssignment entry = {var, w->current[var]};
  VEC_PUSH(w->scratch, &w->log, entry);
  w->current[var] = version;
}

void uniform_undo(UniformWalk *w, uint32_t mark) {
  while (w->log.count > mark) {
    UniformAssignment entry = VEC_POP(&w->log);
    w->current[entry.var] = entry.previous;
  }
}

// ----------------------------------------------------------------- joins

void uniform_record_path(UniformWalk *w, UniformJoin *join) {
  join->n_paths++;
  uint32_t stamp = ++w->clock;
  for (uint32_t i = join->log_mark; i < w->log.count; i++) {
    uint32_t var = w->log.data[i].var;
    if (++w->n_records > MAX_RECORDS)
      join->is_lost = true;
    if (join->is_lost)
      return;
    if (w->stamp[var] == stamp || is_home_inside(w, var, join->node))
      continue;
    w->stamp[var] = stamp;
    UniformRecord record = {var, w->current[var]};
    VEC_PUSH(w->scratch, &join->records, record);
  }
}

static void add_version(UniformWalk *w, const UniformJoin *join,
                        UniformMeeting *meeting, Token version) {
  meeting->n_paths++;
  if (version == meeting->version)
    return;
  if (!meeting->is_phi) {
    Token phi = uniform_new_variable(w, TOKEN_PHI, join->node, meeting->var,
                                     GROUP_SET_ALL);
    uniform_depends(w, phi, meeting->version);
    meeting->version = phi;
    meeting->is_phi = true;
  }
  uniform_depends(w, meeting->version, version);
}

void uniform_gather(UniformWalk *w, const UniformJoin *join) {
  uint32_t stamp = ++w->clock;
  w->meetings.count = 0;
  for (uint32_t i = 0; i < join->records.count; i++) {
    UniformRecord record = join->records.data[i];
    if (w->stamp[record.var] != stamp) {
      w->stamp[record.var] = stamp;
      w->slot[record.var] = w->meetings.count;
      UniformMeeting meeting = {record.var, 1, record.version, false};
      VEC_PUSH(w->scratch, &w->meetings, meeting);
    } else {
      UniformMeeting *meeting = &w->meetings.data[w->slot[record.var]];
      add_version(w, join, meeting, record.version);
    }
  }
  uniform_undo(w, join->log_mark);
  for (uint32_t i = 0; i < w->meetings.count; i++) {
    UniformMeeting *meeting = &w->meetings.data[i];
    if (meeting->n_paths < join->n_paths)
      add_version(w, join, meeting, w->current[meeting->var]);
  }
}

// Index into w->setters of the first at or after a position.
static uint32_t setter_at(const UniformWalk *w, uint32_t position) {
  uint32_t low = 0, high = w->setters.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (w->order->position[w->setters.data[middle]->id] < position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t assigned_variable(const IrNode *setter) {
  return setter->op == IR_SET ? setter->u.variable.var
                              : uniform_turn_variable(setter);
}

void uniform_each_assigned(UniformWalk *w, const IrNode *node,
                           UniformAction act) {
  uint32_t end = setter_at(w, w->order->end[node->id]);
  uint32_t stamp = ++w->clock;
  for (uint32_t i = setter_at(w, w->order->position[node->id]); i < end; i++) {
    uint32_t var = assigned_variable(w->setters.data[i]);
    if (w->stamp[var] == stamp || is_home_inside(w, var, node))
      continue;
    w->stamp[var] = stamp;
    act(w, node, var);
  }
}

void uniform_lose_variable(UniformWalk *w, const IrNode *node, uint32_t var) {
  uniform_assign(
      w, var, uniform_new_variable(w, TOKEN_LOST, node, var, GROUP_SET_SINGLE));
}

bool uniform_is_way_of_present(const UniformWalk *w, const IrNode *node,
                               int region) {
  uint32_t others = region == 0 ? NODE_ELSE_RETURNS : NODE_THEN_RETURNS;
  return w->u->of_present && (node->flags & others) != 0;
}

// The versions behind `join`. `target` is NULL for an `if`, whose condition
// decides. See Note [What decides a join].
void uniform_finish_join(UniformWalk *w, const UniformJoin *join,
                         UniformTarget *target) {
  if (join->is_lost) {
    uniform_undo(w, join->log_mark);
    uniform_each_assigned(w, join->node, uniform_lose_variable);
    return;
  }
  uniform_gather(w, join);
  for (uint32_t i = 0; i < w->meetings.count; i++) {
    UniformMeeting meeting = w->meetings.data[i];
    bool is_decided = meeting.is_phi;
    if (target && w->u->tokens.data[meeting.version].depth > w->depth &&
        !meeting.is_phi) {
      Token version = meeting.version;
      meeting.version = uniform_new_variable(w, TOKEN_PHI, join->node,
                                             meeting.var, GROUP_SET_ALL);
      uniform_depends(w, meeting.version, version);
      is_decided = true;
    }
    if (is_decided && target)
      uniform_depends(w, meeting.version, uniform_choice_of(w, target));
    else if (is_decided && !uniform_is_way_of_present(w, join->node, 0) &&
             !uniform_is_way_of_present(w, join->node, 1))
      uniform_depends_on_value(w, meeting.version, join->node->args[0]);
    uniform_assign(w, meeting.var, meeting.version);
  }
}
