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
//
// A rank in the block may cancel out: i < n + rank() where i starts at rank(),
// or where n is a multiple of what i starts below. So a condition of the block
// that gets to one is open, too, if it is more than ranks and constants, and no
// way that threads went, such as the turns of a loop by rank, decides about its
// operands. It doesn't decide about a return: threads that have returned are
// not missed. Runs test it: test_claims.c.
#include "ir/rules/check_rules.h"

typedef struct {
  const Uniformity *u;
  Arena *arena;
  const IrGroup *group;
  Map seen;
  hd_vec(Token) ways;   // REACH, LEFT
  hd_vec(Token) values; // what conditions are computed from
  hd_vec(const IrNode *) deciding;
  bool is_closed; // something differs by construction
  bool has_rank;
  bool has_way;   // that decides about a value, or returned
  bool has_other; // than ranks and constants
} OpenSearch;

static const TokenInfo *info_of(const OpenSearch *s, Token token) {
  return &s->u->tokens.data[token];
}

static bool differs(const OpenSearch *s, Token token) {
  const Uniformity *u = s->u;
  return !group_set_has(u->sets, u->set[token], s->group);
}

static bool is_root(const OpenSearch *s, Token token) {
  const Uniformity *u = s->u;
  return !group_set_has(u->sets, u->base.data[token], s->group);
}

static bool is_way(const OpenSearch *s, Token token) {
  TokenKind kind = info_of(s, token)->kind;
  return kind == TOKEN_REACH || kind == TOKEN_LEFT;
}

// False: it is the same for all threads.
static bool check_open_visit(OpenSearch *s, Token token) {
  if (!differs(s, token))
    return false;
  if (map_has(&s->seen, token + 1ull))
    return true;
  map_put(s->arena, &s->seen, token + 1ull, s);
  if (is_way(s, token))
    VEC_PUSH(s->arena, &s->ways, token);
  else
    VEC_PUSH(s->arena, &s->values, token);
  return true;
}

static uint32_t visit_causes(OpenSearch *s, Token token) {
  const Uniformity *u = s->u;
  uint32_t n_causes = 0;
  for (uint32_t i = u->deps_begin[token]; i < u->deps_begin[token + 1]; i++)
    n_causes += check_open_visit(s, u->edges.data[i].from);
  return n_causes;
}

// Other than by the end of a loop.
static bool check_open_is_return(const TokenInfo *info) {
  uint32_t flags = NODE_THEN_RETURNS | NODE_ELSE_RETURNS;
  if (info->kind != TOKEN_LEFT)
    return info->node->op == IR_IF && (info->node->flags & flags);
  IrOp target = info->node->u.exit.target->op;
  return target != IR_LOOP && target != IR_FOR;
}

// Who has left, or got here, as the conditions say.
static void visit_way(OpenSearch *s, Token way) {
  const Uniformity *u = s->u;
  const TokenInfo *info = info_of(s, way);
  bool is_decided = false;
  s->is_closed |= is_root(s, way);
  s->has_way |= check_open_is_return(info);
  for (uint32_t i = u->deps_begin[way]; i < u->deps_begin[way + 1]; i++) {
    Token from = u->edges.data[i].from;
    is_decided |= check_open_visit(s, from) && !is_way(s, from);
  }
  if (!is_decided)
    return;
  VEC_PUSH(s->arena, &s->deciding, info->node);
  s->has_other |= info->node->op == IR_FOR;
}

// Operand 0 of what threads exchange or combine.
static void visit_operand(OpenSearch *s, const IrNode *node) {
  check_open_visit(s, node->args[0]->id);
}

static void visit_operands(OpenSearch *s, Token token, const IrNode *node) {
  s->is_closed |= is_root(s, token);
  visit_causes(s, token);
  for (uint32_t i = 0; i < node->n_args; i++)
    s->has_other |=
        node->args[i]->op != IR_CONST && !differs(s, node->args[i]->id);
}

// Which statements gave a value is a way that the thread went. A choice between
// two values, min(n, i + 4) or `?:`, is a value like any other.
static bool is_chosen(const OpenSearch *s, const IrNode *node) {
  return node->op == IR_IF && differs(s, node->args[0]->id);
}

static bool check_open_is_rank(IrPositionOp op) {
  switch (op) {
  case IR_THREAD_INDEX:
  case IR_RANK: return true;
  case IR_SIZE:
  case IR_META_RANK:
  case IR_META_SIZE:
  case IR_BLOCK_INDEX:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM:
  case IR_MAKE_GROUP: break;
  }
  return false;
}

static void visit_node(OpenSearch *s, Token token, const IrNode *node) {
  if (ir_family(node) == FAMILY_POSITION &&
      check_open_is_rank(ir_position_op(node->op))) {
    s->has_rank = true;
    return;
  }
  switch ((int)node->op) {
  case IR_LOAD:
  case IR_UNKNOWN: s->has_other = true; break;
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR: visit_operand(s, node); break;
  default:
    if (ir_op_info(node)->flags & OPF_ALIKE && ir_family(node) != FAMILY_TILE) {
      visit_operand(s, node);
      break;
    }
    s->has_way |= is_chosen(s, node);
    visit_operands(s, token, node);
    break;
  }
}

static void visit_value(OpenSearch *s, Token token) {
  const TokenInfo *info = info_of(s, token);
  if (info->kind == TOKEN_VALUE) {
    visit_node(s, token, info->node);
    return;
  }
  s->has_other = true;
  s->has_way |= info->kind != TOKEN_TURN &&
                (info->kind != TOKEN_PHI || is_chosen(s, info->node));
  s->is_closed |= is_root(s, token) || visit_causes(s, token) == 0;
}

static void visit_values(OpenSearch *s) {
  for (uint32_t i = 0; i < s->values.count && !s->is_closed; i++)
    visit_value(s, s->values.data[i]);
}

// See Note [Open conditions].
static bool may_cancel(const OpenSearch *s) {
  return s->group->kind == GROUP_BLOCK && s->has_other && !s->has_way;
}

static void list(Checker *c, const OpenSearch *s) {
  const IrModule *module = c->kernel->module;
  for (uint32_t i = 0; i < s->deciding.count; i++) {
    OpenCondition row = {module->locs.data[s->deciding.data[i]->loc].span,
                         s->group->kind};
    VEC_PUSH(c->open_arena, c->open, row);
  }
}

bool check_open(Checker *c, const IrNode *node, const IrGroup *group) {
  OpenSearch s = {.u = c->u, .arena = c->arena, .group = group};
  if (group->kind > GROUP_BLOCK || !check_open_visit(&s, c->u->reach[node->id]))
    return false;
  for (uint32_t i = 0; i < s.ways.count && !s.is_closed; i++)
    visit_way(&s, s.ways.data[i]);
  visit_values(&s);
  if (s.is_closed || s.deciding.count == 0 || (s.has_rank && !may_cancel(&s)))
    return false;
  list(c, &s);
  return true;
}

bool check_is_tested(const IrKernel *kernel, const Uniformity *u,
                     Arena *scratch, const IrNode *claim) {
  OpenSearch s = {.u = u, .arena = scratch, .group = claim->u.group.group};
  if (!kernel->module->waits_freely || s.group->kind != GROUP_BLOCK)
    return false;
  if (check_open_visit(&s, claim->args[0]->id))
    visit_values(&s);
  return s.has_rank || s.is_closed;
}
