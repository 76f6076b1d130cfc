// SPDX-License-Identifier: Apache-2.0
// Solves the equations of the walk and answers questions.
#include "base/panic.h"
#include "ir/analyses/uniform.h"
#include "ir/analyses/uniform_load.h"

TokenEdge *uniform_sort_edges(Arena *arena, const Uniformity *u, bool by_from,
                              uint32_t **begin) {
  uint32_t n = u->tokens.count, n_edges = u->edges.count;
  uint32_t *starts = ARENA_ARRAY(arena, uint32_t, n + 2);
  TokenEdge *sorted = ARENA_ARRAY(arena, TokenEdge, n_edges);
  for (uint32_t i = 0; i < n_edges; i++) {
    TokenEdge edge = u->edges.data[i];
    starts[(by_from ? edge.from : edge.to) + 2]++;
  }
  for (uint32_t i = 2; i < n + 2; i++)
    starts[i] += starts[i - 1];
  for (uint32_t i = 0; i < n_edges; i++) {
    TokenEdge edge = u->edges.data[i];
    sorted[starts[(by_from ? edge.from : edge.to) + 1]++] = edge;
  }
  *begin = starts;
  return sorted;
}

typedef struct {
  Uniformity *u;
  const TokenEdge *users;
  const uint32_t *users_begin;
  Token *pending; // tokens whose users must look again
  uint32_t n_pending;
  bool *is_pending;
} Solver;

// A variable at its head is what an earlier turn left.
static bool uniformity_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR || node->op == IR_THREAD_FOR;
}

static void uniformity_lower(Solver *s, Token token, GroupSet bound) {
  Uniformity *u = s->u;
  const TokenInfo *info = &u->tokens.data[token];
  if (info->kind == TOKEN_PHI && uniformity_is_loop(info->node))
    bound = group_set_turn(u->sets, bound, info->node);
  else if (info->kind == TOKEN_MEMORY)
    bound = group_set_lasting(u->sets, bound);
  for (const TokenGroup *row = u->stated_of[token]; row; row = row->next)
    bound = group_set_add(u->sets, bound, row->group);
  GroupSet set = group_set_meet(u->sets, u->set[token], bound);
  if (set == u->set[token])
    return;
  u->set[token] = set;
  if (s->is_pending[token])
    return;
  s->is_pending[token] = true;
  s->pending[s->n_pending++] = token;
}

// Each set only shrinks, and each change is passed on along each edge once.
static void uniformity_run(Solver *s) {
  while (s->n_pending) {
    Token token = s->pending[--s->n_pending];
    s->is_pending[token] = false;
    GroupSet set = s->u->set[token];
    uint32_t end = s->users_begin[token + 1];
    for (uint32_t i = s->users_begin[token]; i < end; i++)
      uniformity_lower(s, s->users[i].to, set);
  }
}

static void chain_stated(Uniformity *u) {
  u->stated_of = ARENA_ARRAY(u->arena, const TokenGroup *, u->tokens.count);
  for (uint32_t i = 0; i < u->stated.count; i++) {
    TokenGroup *row = &u->stated.data[i];
    row->next = u->stated_of[row->token];
    u->stated_of[row->token] = row;
  }
}

static void uniformity_solve(Uniformity *u, Arena *scratch,
                             UniformLoads *loads) {
  uint32_t n = u->tokens.count, *begin;
  Solver s = {.u = u};
  chain_stated(u);
  s.users = uniform_sort_edges(scratch, u, true, &begin);
  s.users_begin = begin;
  s.pending = ARENA_ARRAY(scratch, Token, n);
  s.is_pending = ARENA_ARRAY(scratch, bool, n);
  for (uint32_t i = 0; i < n; i++)
    u->set[i] = GROUP_SET_ALL;
  for (uint32_t i = 0; i < n; i++)
    uniformity_lower(&s, i, u->base.data[i]);
  uniformity_run(&s);
  // What may write in the phase of a load depends on which branches differ.
  while (uniform_loads_update(loads)) {
    for (uint32_t i = 0; i < n; i++)
      uniformity_lower(&s, i, u->base.data[i]);
    uniformity_run(&s);
  }
}

Uniformity *uniform_tokens(Arena *arena, Arena *scratch, const IrKernel *kernel,
                           bool of_present) {
  Uniformity *u = ARENA_NEW(arena, Uniformity);
  u->arena = arena;
  u->kernel = kernel;
  u->of_present = of_present;
  u->order = node_order(arena, kernel);
  u->sets = group_sets_new(arena, kernel);
  u->reach = ARENA_ARRAY(arena, Token, kernel->n_nodes);
  u->version = ARENA_ARRAY(arena, Token, kernel->n_nodes);
  uniform_walk(u, scratch);
  uniform_by_stores(u, scratch);
  uniform_by_rank(u, scratch);
  return u;
}

static Uniformity *uniformity_of(Arena *arena, const IrKernel *kernel,
                                 bool of_present) {
  Arena *scratch = arena_new();
  Uniformity *u = uniform_tokens(arena, scratch, kernel, of_present);
  u->set = ARENA_ARRAY(arena, GroupSet, u->tokens.count);
  uniformity_solve(u, scratch, uniform_loads_new(scratch, u));
  uniform_settle_loads(u);
  u->edges.data = uniform_sort_edges(arena, u, false, &u->deps_begin);
  arena_free(scratch);
  return u;
}

Uniformity *ir_uniformity(Arena *arena, const IrKernel *kernel) {
  return uniformity_of(arena, kernel, false);
}

Uniformity *ir_uniformity_of_present(Arena *arena, const IrKernel *kernel) {
  return uniformity_of(arena, kernel, true);
}

bool uniformity_has(const Uniformity *uniformity, const IrNode *node,
                    const IrGroup *group) {
  HD_ASSERT(order_has(uniformity->order, node) && group);
  return group_set_has(uniformity->sets, uniformity->set[node->id], group);
}

bool uniformity_converged(const Uniformity *uniformity, const IrNode *node,
                          const IrGroup *group) {
  HD_ASSERT(order_has(uniformity->order, node) && group);
  return group_set_has(uniformity->sets,
                       uniformity->set[uniformity->reach[node->id]], group);
}
