// SPDX-License-Identifier: Apache-2.0
// Programs that are run with checks: what `uniform` and the clauses of thread
// loops state is tested. Threads make a statement together, or execute a loop
// together, if they are in the same turns of all loops around; a number beside
// each of these loops tells turns apart.
//
//   for (i …) {                    turn = 0
//     while (c)                    for (i …) { turn += 1
//       x = uniform(g, e);           inner = turn * M
//   }                                while (c) { inner += 1
//                                      check_uniform e, inner
#include "ir/analyses/analysis.h"

// Odd, and no small multiple of it is near another one: turns of nested loops
// get different numbers.
#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

typedef struct {
  IrKernel *kernel;
  Arena *scratch;
  Map turns; // loop to its variable, plus 1
  hd_vec(IrNode *) claims;
} Tracker;

static const IrType type_i64 = {.kind = IR_TYPE_I64, .lanes = 1};

// ---------------------------------------------------------------- making

static IrNode *track_claims_put(Tracker *t, IrNode *at, IrNode *node) {
  node->loc = at->loc;
  ir_node_insert_before(at, node);
  (void)t;
  return node;
}

static IrNode *track_claims_number(Tracker *t, IrNode *at, uint64_t bits) {
  return track_claims_put(
      t, at, ir_const_int(t->kernel, NULL, type_i64, bits, at->loc));
}

static IrNode *track_claims_get(Tracker *t, IrNode *at, uint32_t var) {
  IrNode *node =
      ir_node_new(t->kernel, NULL, IR_GET, type_i64, at->loc, NULL, 0);
  node->u.variable.var = var;
  return track_claims_put(t, at, node);
}

static IrNode *track_claims_combine(Tracker *t, IrNode *at, IrOp op, IrNode *a,
                                    IrNode *b) {
  IrNode *args[2] = {a, b};
  return track_claims_put(
      t, at, ir_node_new(t->kernel, NULL, op, type_i64, at->loc, args, 2));
}

static void track_claims_set(Tracker *t, IrNode *at, uint32_t var,
                             IrNode *value) {
  IrNode *node = ir_node_new(t->kernel, NULL, IR_SET, ir_scalar(IR_TYPE_VOID),
                             at->loc, &value, 1);
  node->u.variable.var = var;
  track_claims_put(t, at, node);
}

// ----------------------------------------------------------------- turns

static bool track_claims_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

static IrNode *track_claims_loop_around(const IrNode *node) {
  IrNode *up = node->region->owner;
  while (up && !track_claims_is_loop(up))
    up = up->region->owner;
  return up;
}

// The number of the turn in which the loop's body is. A loop that holds a
// statement has a first node.
static uint32_t track_claims_turn_of(Tracker *t, IrNode *loop) {
  void *known = map_get(&t->turns, MAP_KEY(loop));
  if (known)
    return (uint32_t)(uintptr_t)known - 1;
  uint32_t var = ir_var_new(t->kernel, NULL, type_i64);
  map_put(t->scratch, &t->turns, MAP_KEY(loop), (void *)((uintptr_t)var + 1));
  IrNode *outer = track_claims_loop_around(loop), *start = NULL;
  if (outer) {
    uint32_t turn = track_claims_turn_of(t, outer);
    start =
        track_claims_combine(t, loop, IR_MUL, track_claims_get(t, loop, turn),
                             track_claims_number(t, loop, SPREAD));
  }
  track_claims_set(t, loop, var,
                   start ? start : track_claims_number(t, loop, 0));
  IrNode *first = loop->regions[0].first;
  track_claims_set(t, first, var,
                   track_claims_combine(t, first, IR_ADD,
                                        track_claims_get(t, first, var),
                                        track_claims_number(t, first, 1)));
  return var;
}

// ---------------------------------------------------------------- claims

static void track_claims_check(Tracker *t, IrNode *claim, IrNode *value) {
  IrNode *loop = track_claims_loop_around(claim);
  IrNode *turn = loop
                     ? track_claims_get(t, claim, track_claims_turn_of(t, loop))
                     : track_claims_number(t, claim, 0);
  IrNode *args[2] = {value, turn};
  IrNode *node = ir_node_new(t->kernel, NULL, IR_CHECK_UNIFORM,
                             ir_scalar(IR_TYPE_VOID), claim->loc, args, 2);
  node->u.group.group = claim->u.group.group;
  node->flags = claim->flags & NODE_UNSIGNED;
  track_claims_put(t, claim, node);
}

static void check_claim(Tracker *t, IrNode *claim) {
  IrNode *value = claim->args[0];
  if (value->type.lanes == 1) {
    track_claims_check(t, claim, value);
    return;
  }
  IrType element = value->type;
  element.lanes = 1;
  for (uint32_t i = 0; i < value->type.lanes; i++) {
    IrNode *part = ir_node_new(t->kernel, NULL, IR_EXTRACT, element, claim->loc,
                               &value, 1);
    part->u.index.number = i;
    track_claims_check(t, claim, track_claims_put(t, claim, part));
  }
}

// A clause stands at the start of an iteration: the loops around its loop tell
// executions apart. One of a nest that is the whole kernel needs nothing.
static void track_clause(Tracker *t, IrNode *clause) {
  IrNode *owner = clause->region->owner;
  IrNode *loop = owner ? track_claims_loop_around(owner) : NULL;
  IrNode *turn =
      loop ? track_claims_get(t, clause, track_claims_turn_of(t, loop))
           : track_claims_number(t, clause, 0);
  IrNode **args = ARENA_ARRAY(t->scratch, IrNode *, clause->n_args + 1);
  for (uint32_t i = 0; i < clause->n_args; i++)
    args[i] = clause->args[i];
  args[clause->n_args] = turn;
  IrNode *node =
      ir_node_new(t->kernel, NULL, clause->op, ir_scalar(IR_TYPE_VOID),
                  clause->loc, args, clause->n_args + 1);
  node->u.index = clause->u.index;
  node->u.index.number |= CLAIM_TURNS;
  track_claims_put(t, clause, node);
  ir_node_unlink(clause);
}

static bool track_claims_find_claim(IrNode *node, void *context) {
  Tracker *t = context;
  if (ir_is_claim(node) ||
      (node->op == IR_UNIFORM && node->args[0]->type.kind != IR_TYPE_STRUCT))
    VEC_PUSH(t->scratch, &t->claims, node);
  return true;
}

void ir_track_claims(IrKernel *kernel) {
  Tracker t = {.kernel = kernel, .scratch = arena_new()};
  ir_walk(&kernel->body, track_claims_find_claim, &t);
  for (uint32_t i = 0; i < t.claims.count; i++)
    if (ir_is_claim(t.claims.data[i]))
      track_clause(&t, t.claims.data[i]);
    else
      check_claim(&t, t.claims.data[i]);
  if (t.claims.count > 0)
    ir_kernel_renumber(kernel);
  arena_free(t.scratch);
}
