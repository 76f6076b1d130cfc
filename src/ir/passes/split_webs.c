// SPDX-License-Identifier: Apache-2.0
// Gives each web of assignments and uses its own variable. The versions of the
// uniformity walk are the webs' threads: a `get` reads one version, a phi ties
// versions together. Only what a `get` can reach is tied, so that an
// assignment nobody reads becomes a variable nobody reads.
#include "ir/analyses/uniform.h"

typedef struct {
  IrKernel *kernel;
  Arena *scratch;
  Uniformity *u;
  const TokenEdge *deps;
  const uint32_t *deps_begin;
  uint32_t *outside_of; // by token: index + 1 into u->outside
  Token *root;          // union-find, by token
  bool *is_needed;      // by token: some `get` may read it
  bool *is_whole;       // by variable: not to be split
  hd_vec(Token) pending;
  uint32_t *web_var; // by root token: variable + 1
  bool *is_taken;    // by variable: a web has the old one
} Splitter;

static Token split_webs_find(Splitter *s, Token token) {
  while (s->root[token] != token) {
    s->root[token] = s->root[s->root[token]];
    token = s->root[token];
  }
  return token;
}

// The variable that the token is a version of, or UINT32_MAX.
static uint32_t variable_of(const Splitter *s, Token token) {
  const TokenInfo *info = &s->u->tokens.data[token];
  switch (info->kind) {
  case TOKEN_PHI:
  case TOKEN_TURN:
  case TOKEN_GROUP_EXIT:
  case TOKEN_LOST: return info->var;
  case TOKEN_VALUE:
    return info->node && info->node->op == IR_SET ? info->node->u.variable.var
                                                  : UINT32_MAX;
  case TOKEN_START:
  case TOKEN_REACH:
  case TOKEN_LEFT:
  case TOKEN_MEMORY:
  case TOKEN_CHOICE: break;
  }
  return UINT32_MAX;
}

static void split_webs_need(Splitter *s, Token token) {
  if (s->is_needed[token])
    return;
  s->is_needed[token] = true;
  VEC_PUSH(s->scratch, &s->pending, token);
}

static void tie(Splitter *s, Token token, Token other, uint32_t var) {
  if (variable_of(s, other) != var)
    return;
  split_webs_need(s, other);
  s->root[split_webs_find(s, other)] = split_webs_find(s, token);
}

static void tie_all(Splitter *s) {
  while (s->pending.count) {
    Token token = VEC_POP(&s->pending);
    TokenKind kind = s->u->tokens.data[token].kind;
    uint32_t var = variable_of(s, token);
    if (kind == TOKEN_LOST)
      s->is_whole[var] = true;
    if (kind != TOKEN_PHI && kind != TOKEN_GROUP_EXIT)
      continue;
    for (uint32_t i = s->deps_begin[token]; i < s->deps_begin[token + 1]; i++)
      tie(s, token, s->deps[i].from, var);
    if (s->outside_of[token])
      tie(s, token, s->u->outside.data[s->outside_of[token] - 1].from, var);
  }
}

// The variable of the web of `token`: the old one for the first web.
static uint32_t renamed(Splitter *s, Token token, uint32_t var) {
  IrKernel *kernel = s->kernel;
  if (token == uniform_start(s->u) || s->is_whole[var])
    return var;
  uint32_t *web = &s->web_var[split_webs_find(s, token)];
  if (*web)
    return *web - 1;
  if (s->is_taken[var]) {
    IrVar old = kernel->vars.data[var];
    uint32_t made = ir_var_new(kernel, NULL, old.type);
    kernel->vars.data[made].name = old.name;
    kernel->vars.data[made].loc = old.loc;
    kernel->vars.data[made].loop = old.loop;
    *web = made + 1;
  } else {
    s->is_taken[var] = true;
    *web = var + 1;
  }
  return *web - 1;
}

// The version that a counting node makes, by node id.
static Token *turn_tokens(Splitter *s) {
  Token *turns = ARENA_ARRAY(s->scratch, Token, s->u->order->n_ids);
  for (uint32_t i = s->u->order->n_ids; i < s->u->tokens.count; i++)
    if (s->u->tokens.data[i].kind == TOKEN_TURN)
      turns[s->u->tokens.data[i].node->id] = i;
  return turns;
}

static void rename_all(Splitter *s) {
  const Token *turns = turn_tokens(s);
  for (uint32_t i = 0; i < s->u->order->n_nodes; i++) {
    IrNode *node = s->u->order->nodes[i];
    if (node->op == IR_GET)
      node->u.variable.var =
          renamed(s, s->u->version[node->id], node->u.variable.var);
    else if (node->op == IR_SET)
      node->u.variable.var = renamed(s, node->id, node->u.variable.var);
    else if (node->op == IR_FOR && turns[node->id])
      node->u.loop.var = renamed(s, turns[node->id], node->u.loop.var);
    else if (node->op == IR_THREAD_FOR && turns[node->id])
      node->u.part.var = renamed(s, turns[node->id], node->u.part.var);
  }
}

// The variables by which an operator is given its pair and gives its result.
static void keep_operands(Splitter *s, const IrNode *node) {
  s->is_whole[node->u.by.left] = true;
  s->is_whole[node->u.by.right] = true;
  s->is_whole[node->u.by.result] = true;
}

static void split_webs_prepare(Splitter *s) {
  uint32_t n = s->u->tokens.count, n_vars = s->kernel->vars.count, *begin;
  s->deps = uniform_sort_edges(s->scratch, s->u, false, &begin);
  s->deps_begin = begin;
  s->outside_of = ARENA_ARRAY(s->scratch, uint32_t, n);
  for (uint32_t i = 0; i < s->u->outside.count; i++)
    s->outside_of[s->u->outside.data[i].to] = i + 1;
  s->root = ARENA_ARRAY(s->scratch, Token, n);
  for (uint32_t i = 0; i < n; i++)
    s->root[i] = i;
  s->is_needed = ARENA_ARRAY(s->scratch, bool, n);
  s->web_var = ARENA_ARRAY(s->scratch, uint32_t, n);
  s->is_whole = ARENA_ARRAY(s->scratch, bool, n_vars);
  s->is_taken = ARENA_ARRAY(s->scratch, bool, n_vars);
  for (uint32_t i = 0; i < s->u->order->n_nodes; i++)
    if (ir_is_operator(s->u->order->nodes[i]))
      keep_operands(s, s->u->order->nodes[i]);
}

bool ir_split_webs(IrKernel *kernel) {
  Arena *scratch = arena_new();
  ir_kernel_renumber(kernel);
  Splitter s = {.kernel = kernel, .scratch = scratch};
  s.u = uniform_tokens(scratch, scratch, kernel, false);
  split_webs_prepare(&s);
  for (uint32_t i = 0; i < s.u->order->n_nodes; i++) {
    const IrNode *node = s.u->order->nodes[i];
    if (node->op == IR_GET && s.u->version[node->id] != uniform_start(s.u))
      split_webs_need(&s, s.u->version[node->id]);
  }
  tie_all(&s);
  uint32_t n_vars = kernel->vars.count;
  rename_all(&s);
  bool has_changed = kernel->vars.count > n_vars;
  arena_free(scratch);
  return has_changed;
}
