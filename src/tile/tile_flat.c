// SPDX-License-Identifier: Apache-2.0
// What stands in the way of running blocks together: loops right inside of
// loops, and calls.
//
// Note [Calls as what they do]
// A call of a function that only computes its result, without branches, is
// replaced by what it does. The variable of its result is set once, and read
// only where that set has been reached, so that its value can take its place.
//
// Note [Loops as one loop]
// Products over several dimensions, as those of a convolution, are loops in
// loops of constant length:
//
//   for (y = 0; y < 3; y++) for (x = 0; x < 3; x++) acc = mma(…)
//
// If the outer one does nothing else than compute values for the inner one,
// both are one loop of 9 turns, q, whose y is q / 3 and whose x is q % 3. Then
// blocks of such kernels can be run together.
#include "ir/analyses/analysis.h"
#include "tile/tile_parts.h"

#include <string.h>

typedef struct {
  uint32_t vars[2]; // of the loops
  uint32_t n_gets;  // of these variables
  bool is_set;      // one of them, by a node
  bool *sets;       // by variable
} Flat;

int64_t loop_turns(const IrNode *loop) {
  if (loop->op != IR_FOR || loop->u.loop.is_inclusive ||
      !loop->u.loop.is_signed || loop->u.loop.step <= 0 ||
      loop->args[0]->op != IR_CONST || loop->args[1]->op != IR_CONST ||
      loop->args[0]->type.kind != IR_TYPE_I32)
    return 0;
  int64_t low = (int32_t)loop->args[0]->u.constant.bits;
  int64_t high = (int32_t)loop->args[1]->u.constant.bits;
  int64_t step = loop->u.loop.step;
  return high > low ? (high - low + step - 1) / step : 0;
}

static IrNode *flat_first_loop(const IrRegion *region) {
  for (IrNode *node = region->first; node; node = node->next)
    if (node->n_regions > 0 && !ir_is_operator(node))
      return node->op == IR_FOR ? node : NULL;
  return NULL;
}

static bool flat_look(IrNode *node, void *context) {
  Flat *f = context;
  if (ir_op_info(node)->form != FORM_VAR)
    return true;
  uint32_t var = node->u.variable.var;
  bool is_own = var == f->vars[0] || var == f->vars[1];
  f->n_gets += is_own && node->op == IR_GET;
  f->is_set |= is_own && node->op != IR_GET;
  f->sets[var] |= node->op != IR_GET;
  return true;
}

// What the outer loop does before the inner one may as well be done in it.
static bool flat_is_perfect(const Flat *f, const IrNode *outer,
                            const IrNode *inner) {
  if (inner->next)
    return false;
  for (const IrNode *node = outer->regions[0].first; node != inner;
       node = node->next) {
    bool is_value = node->op == IR_GET ? !f->sets[node->u.variable.var]
                                       : (ir_op_info(node)->flags & OPF_PURE) &&
                                             node->n_regions == 0;
    if (!is_value)
      return false;
  }
  return true;
}

static bool flat_can(Lower *t, Flat *f, IrNode *outer, IrNode *inner) {
  int64_t turns[2] = {loop_turns(outer), loop_turns(inner)};
  if (turns[0] == 0 || turns[1] == 0 || turns[0] > INT32_MAX / turns[1])
    return false;
  f->vars[0] = outer->u.loop.var;
  f->vars[1] = inner->u.loop.var;
  f->sets = ARENA_ARRAY(t->scratch, bool, t->kernel->vars.count);
  ir_walk(&outer->regions[0], flat_look, f);
  uint32_t n_inside = f->n_gets;
  if (!flat_is_perfect(f, outer, inner))
    return false;
  f->n_gets = 0;
  ir_walk(&t->kernel->body, flat_look, f);
  return !f->is_set && f->n_gets == n_inside;
}

typedef struct {
  const Flat *flat;
  Arena *arena;
  IrNode *firsts[2], *steps[2]; // a variable is the sum of both
} FlatVars;

static bool flat_replace(IrNode *node, void *context) {
  const FlatVars *v = context;
  if (node->op != IR_GET)
    return true;
  for (uint32_t i = 0; i < 2; i++)
    if (node->u.variable.var == v->flat->vars[i]) {
      memset(&node->u, 0, sizeof node->u);
      node->op = IR_ADD;
      node->n_args = 2;
      node->args = ARENA_ARRAY(v->arena, IrNode *, 2);
      node->args[0] = v->firsts[i];
      node->args[1] = v->steps[i];
      break;
    }
  return true;
}

void loop_dissolve(IrNode *owner) {
  for (IrNode *node = owner->regions[0].first, *next; node; node = next) {
    next = node->next;
    ir_node_unlink(node);
    ir_node_insert_before(owner, node);
  }
  ir_node_unlink(owner);
}

static void flat_join(Lower *t, const Flat *f, IrNode *outer, IrNode *inner) {
  int64_t n_inner = loop_turns(inner), n = loop_turns(outer) * n_inner;
  FlatVars v = {.flat = f, .arena = t->arena};
  t->loc = outer->loc;
  t->region = NULL;
  t->before = outer;
  IrNode *low = put_i32(t, 0), *high = put_i32(t, n);
  const IrNode *loops[2] = {outer, inner};
  int64_t steps[2];
  for (uint32_t i = 0; i < 2; i++) {
    v.firsts[i] =
        put_const(t, put_type_i32, loops[i]->args[0]->u.constant.bits);
    steps[i] = loops[i]->u.loop.step;
  }
  loop_dissolve(inner);
  outer->args[0] = low;
  outer->args[1] = high;
  outer->u.loop.step = 1;
  outer->u.loop.var = ir_var_new(t->kernel, NULL, put_type_i32);
  t->before = outer->regions[0].first;
  IrNode *q = put_get(t, outer->u.loop.var), *width = put_i32(t, n_inner);
  v.steps[0] = put_times(t, put_two(t, IR_UDIV, q, width), steps[0]);
  v.steps[1] = put_times(t, put_two(t, IR_UREM, q, width), steps[1]);
  ir_walk(&outer->regions[0], flat_replace, &v);
  t->before = NULL;
}

// ------------------------------------------------------------------- calls

typedef struct {
  const IrNode **sets; // by variable: the only one, in a call that is gone
  uint32_t *n_sets;
  bool *is_late; // a read that it doesn't reach
} Calls;

static bool call_is_plain(const IrNode *call) {
  for (const IrNode *node = call->regions[0].first; node; node = node->next)
    if ((node->n_regions > 0 && !ir_is_operator(node)) ||
        ir_op_info(node)->form == FORM_EXIT)
      return false;
  return true;
}

static bool calls_dissolve(IrRegion *region, Calls *c) {
  bool is_changed = false;
  for (IrNode *node = region->first, *next; node; node = next) {
    next = node->next;
    if (node->op != IR_CALL && node->op != IR_FOR)
      continue;
    is_changed |= calls_dissolve(&node->regions[0], c);
    if (node->op != IR_CALL || !call_is_plain(node))
      continue;
    for (const IrNode *in = node->regions[0].first; in; in = in->next)
      if (in->op == IR_SET)
        c->sets[in->u.variable.var] = in;
    loop_dissolve(node);
    is_changed = true;
  }
  return is_changed;
}

static bool calls_look(IrNode *node, void *context) {
  Calls *c = context;
  if (ir_op_info(node)->form != FORM_VAR)
    return true;
  uint32_t var = node->u.variable.var;
  const IrNode *set = c->sets[var];
  c->n_sets[var] += node->op != IR_GET;
  if (!set || node->op != IR_GET)
    return true;
  const IrRegion *up = node->region;
  while (up != set->region && up->owner)
    up = up->owner->region;
  c->is_late[var] |= up != set->region || node->id < set->id;
  return true;
}

static bool calls_forward(IrNode *node, void *context) {
  const Calls *c = context;
  for (uint32_t i = 0; i < node->n_args; i++)
    while (node->args[i]->op == IR_GET &&
           c->sets[node->args[i]->u.variable.var])
      node->args[i] = c->sets[node->args[i]->u.variable.var]->args[0];
  return true;
}

static bool calls_drop(IrNode *node, void *context) {
  const Calls *c = context;
  if ((node->op == IR_GET || node->op == IR_SET) &&
      c->sets[node->u.variable.var])
    ir_node_unlink(node);
  return true;
}

static bool flat_calls(Lower *t) {
  uint32_t n = t->kernel->vars.count;
  Calls c = {.sets = ARENA_ARRAY(t->scratch, const IrNode *, n),
             .n_sets = ARENA_ARRAY(t->scratch, uint32_t, n),
             .is_late = ARENA_ARRAY(t->scratch, bool, n)};
  IrRegion *body = &t->kernel->body;
  if (!calls_dissolve(body, &c))
    return false;
  ir_kernel_renumber(t->kernel);
  ir_walk(body, calls_look, &c);
  for (uint32_t var = 0; var < n; var++)
    if (c.n_sets[var] != 1 || c.is_late[var])
      c.sets[var] = NULL;
  ir_walk(body, calls_forward, &c);
  ir_walk(body, calls_drop, &c);
  return true;
}

// --------------------------------------------------------------------- all

bool rect_flatten(Lower *t) {
  bool is_changed = flat_calls(t);
  for (;;) {
    IrNode *outer = flat_first_loop(&t->kernel->body);
    IrNode *inner = outer ? flat_first_loop(&outer->regions[0]) : NULL;
    Flat f = {.n_gets = 0};
    if (!inner || !flat_can(t, &f, outer, inner))
      return is_changed;
    flat_join(t, &f, outer, inner);
    is_changed = true;
  }
}
