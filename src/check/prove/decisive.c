// SPDX-License-Identifier: Apache-2.0
#include "check/prove/decisive.h"

struct Decisive {
  Arena *arena;
  bool *nodes;                  // by id
  hd_vec(const IrNode *) open;  // marked, operands not yet
  bool *vars;                   // by id
  hd_vec(const IrNode *) *sets; // by variable
};

static void decisive_mark(Decisive *d, const IrNode *node) {
  if (d->nodes[node->id])
    return;
  d->nodes[node->id] = true;
  VEC_PUSH(d->arena, &d->open, node);
}

// Operators and exchanges hand values on; whether that matters is for the users
// of their results to say. (Operands of calls serve summaries only.)
static bool hands_on(const IrNode *node) {
  static const IrOp others[] = {IR_GET,    IR_SET,         IR_UNIFORM,
                                IR_PRINTF, IR_CHECK_VALUE, IR_CALL};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (node->op == others[i])
      return true;
  }
  return (ir_op_info(node)->flags & OPF_PURE) != 0 || ir_is_operator(node) ||
         ir_family(node) == FAMILY_EXCHANGE || ir_family(node) == FAMILY_REDUCE;
}

// Operands that are only moved: the values of stores and atomics.
static uint32_t n_data(const IrNode *node) {
  if (node->op == IR_CAS)
    return 2;
  return node->op == IR_STORE || node->op == IR_RMW;
}

static bool decisive_visit(IrNode *node, void *context) {
  Decisive *d = context;
  if (node->op == IR_SET)
    VEC_PUSH(d->arena, &d->sets[node->u.variable.var], node);
  if (hands_on(node))
    return true;
  for (uint32_t i = 0; i + n_data(node) < node->n_args; i++)
    decisive_mark(d, node->args[i]);
  return true;
}

static bool mark_set(IrNode *node, void *context) {
  if (node->op == IR_SET)
    decisive_mark(context, node);
  return true;
}

static void decisive_follow(Decisive *d, const IrNode *node) {
  if (node->op == IR_GET) {
    uint32_t var = node->u.variable.var;
    if (d->vars[var])
      return;
    d->vars[var] = true;
    for (uint32_t i = 0; i < d->sets[var].count; i++)
      decisive_mark(d, d->sets[var].data[i]);
    return;
  }
  // A load is anything, whatever was stored; its subscripts are marked.
  if (!hands_on(node))
    return;
  for (uint32_t i = 0; i < node->n_args; i++)
    decisive_mark(d, node->args[i]);
  if (ir_is_operator(node)) {
    IrRegion body = node->regions[0];
    ir_walk(&body, mark_set, d);
  }
}

Decisive *decisive_new(Arena *arena, const IrKernel *kernel) {
  Decisive *d = ARENA_NEW(arena, Decisive);
  d->arena = arena;
  d->nodes = ARENA_ARRAY(arena, bool, (size_t)kernel->n_nodes + 1);
  d->vars = ARENA_ARRAY(arena, bool, (size_t)kernel->vars.count + 1);
  d->sets =
      arena_alloc_array(arena, (size_t)kernel->vars.count + 1, sizeof *d->sets);
  IrRegion body = kernel->body;
  ir_walk(&body, decisive_visit, d);
  while (d->open.count > 0)
    decisive_follow(d, VEC_POP(&d->open));
  return d;
}

bool decisive_has(const Decisive *d, const IrNode *node) {
  return d->nodes[node->id];
}
