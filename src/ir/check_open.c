// SPDX-License-Identifier: Apache-2.0
// Conditions that decide who gets to an operation of a group, and of which
// nothing says that they differ between its threads.
//
// Note [Open conditions]
// From the threads at the operation the search goes back to the conditions that
// differ, and from each of them to what it is computed from. At a load it ends:
// what memory holds is the program's business. If it gets nowhere else, to no
// rank and no result of an atomic, the condition is open, and a language whose
// barriers need no proof may state it. What is exchanged between threads is as
// open as what they put in.
#include "ir/check_rules.h"

typedef struct {
  Checker *c;
  const IrGroup *group;
  Map seen;
  hd_vec(Token) ways;   // REACH, LEFT
  hd_vec(Token) values; // what conditions are computed from
  hd_vec(const IrNode *) deciding;
  bool is_closed; // something differs by construction
} OpenSearch;

static const TokenInfo *info_of(const OpenSearch *s, Token token) {
  return &s->c->u->tokens.data[token];
}

static bool differs(const OpenSearch *s, Token token) {
  const Uniformity *u = s->c->u;
  return !group_set_has(u->sets, u->set[token], s->group);
}

static bool is_root(const OpenSearch *s, Token token) {
  const Uniformity *u = s->c->u;
  return !group_set_has(u->sets, u->base.data[token], s->group);
}

static bool is_way(const OpenSearch *s, Token token) {
  TokenKind kind = info_of(s, token)->kind;
  return kind == TOKEN_REACH || kind == TOKEN_LEFT;
}

// False: it is the same for all threads.
static bool visit(OpenSearch *s, Token token) {
  if (!differs(s, token))
    return false;
  if (map_has(&s->seen, token + 1ull))
    return true;
  map_put(s->c->arena, &s->seen, token + 1ull, s);
  if (is_way(s, token))
    VEC_PUSH(s->c->arena, &s->ways, token);
  else
    VEC_PUSH(s->c->arena, &s->values, token);
  return true;
}

static uint32_t visit_causes(OpenSearch *s, Token token) {
  const Uniformity *u = s->c->u;
  uint32_t n_causes = 0;
  for (uint32_t i = u->deps_begin[token]; i < u->deps_begin[token + 1]; i++)
    n_causes += visit(s, u->edges.data[i].from);
  return n_causes;
}

// Who has left, or got here, as the conditions say.
static void visit_way(OpenSearch *s, Token way) {
  const Uniformity *u = s->c->u;
  const TokenInfo *info = info_of(s, way);
  bool is_decided = false;
  s->is_closed |= is_root(s, way);
  for (uint32_t i = u->deps_begin[way]; i < u->deps_begin[way + 1]; i++) {
    Token from = u->edges.data[i].from;
    is_decided |= visit(s, from) && !is_way(s, from);
  }
  if (is_decided)
    VEC_PUSH(s->c->arena, &s->deciding, info->node);
}

// Operand 0 of what threads exchange or combine.
static void visit_operand(OpenSearch *s, const IrNode *node) {
  visit(s, node->args[0]->id);
}

static void visit_node(OpenSearch *s, Token token, const IrNode *node) {
  switch ((int)node->op) {
  case IR_LOAD:
  case IR_UNKNOWN: break;
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR: visit_operand(s, node); break;
  default:
    if (ir_op_info(node)->flags & OPF_ALIKE) {
      visit_operand(s, node);
      break;
    }
    s->is_closed |= is_root(s, token);
    visit_causes(s, token);
    break;
  }
}

static void visit_value(OpenSearch *s, Token token) {
  const TokenInfo *info = info_of(s, token);
  if (info->kind == TOKEN_VALUE)
    visit_node(s, token, info->node);
  else
    s->is_closed |= is_root(s, token) || visit_causes(s, token) == 0;
}

static void list(OpenSearch *s) {
  const IrModule *module = s->c->kernel->module;
  for (uint32_t i = 0; i < s->deciding.count; i++) {
    OpenCondition row = {module->locs.data[s->deciding.data[i]->loc].span,
                         s->group->kind};
    VEC_PUSH(s->c->open_arena, s->c->open, row);
  }
}

bool check_open(Checker *c, const IrNode *node, const IrGroup *group) {
  OpenSearch s = {.c = c, .group = group};
  if (group->kind > GROUP_BLOCK || !visit(&s, c->u->reach[node->id]))
    return false;
  for (uint32_t i = 0; i < s.ways.count && !s.is_closed; i++)
    visit_way(&s, s.ways.data[i]);
  for (uint32_t i = 0; i < s.values.count && !s.is_closed; i++)
    visit_value(&s, s.values.data[i]);
  if (s.is_closed || s.deciding.count == 0)
    return false;
  list(&s);
  return true;
}
