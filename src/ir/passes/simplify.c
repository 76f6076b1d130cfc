// SPDX-License-Identifier: Apache-2.0
// Makes a kernel smaller without changing what any thread does: constants are
// folded and followed through variables that hold nothing else, branches on
// constants are resolved, nodes without effect and use disappear. Group
// statements, thread loops, groups that are made and collective operations
// stay, because rules are checked on them, and so do loads, because a checked
// run tests their bounds.
#include "ir/analyses/analysis.h"
#include "ir/form/fold.h"
#include "ir/form/order.h"

typedef struct {
  IrKernel *kernel;
  Arena *scratch;
  IrNode **instead;          // by id: the value to use in place of the node
  const IrNode **known;      // by variable: its constant
  uint32_t *n_uses;          // by id
  uint32_t *n_gets;          // by variable
  bool *is_lifetime;         // by id: of an object
  hd_vec(IrNode *) branches; // on constants
  bool has_changed;
} Simplifier;

// -------------------------------------------------------- known variables

// A variable that is set once, to a constant, before every `get`: its `set` is
// the first occurrence, and all others stand in the same region.
static void find_known(Simplifier *s, const NodeOrder *order) {
  uint32_t n_vars = s->kernel->vars.count;
  const IrNode **first = ARENA_ARRAY(s->scratch, const IrNode *, n_vars);
  bool *is_bad = ARENA_ARRAY(s->scratch, bool, n_vars);
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if (node->op == IR_FOR)
      is_bad[node->u.loop.var] = true;
    else if (node->op == IR_THREAD_FOR)
      is_bad[node->u.part.var] = true;
    else if (ir_is_operator(node))
      is_bad[node->u.by.left] = is_bad[node->u.by.right] = true;
    if (node->op != IR_GET && node->op != IR_SET)
      continue;
    uint32_t var = node->u.variable.var;
    if (!first[var] && node->op == IR_SET && node->args[0]->op == IR_CONST)
      first[var] = node;
    else if (!first[var] || node->op == IR_SET ||
             !order_in_region(order, first[var]->region, node))
      is_bad[var] = true;
  }
  for (uint32_t i = 0; i < n_vars; i++)
    s->known[i] = first[i] && !is_bad[i] ? first[i]->args[0] : NULL;
}

// --------------------------------------------------------------- folding

static void become_constant(Simplifier *s, IrNode *node, uint64_t bits) {
  node->op = IR_CONST;
  node->n_args = 0;
  node->flags = 0;
  node->u.constant.bits = bits;
  s->has_changed = true;
}

// A pointer to a thread's own variable, once it is known to lead to its start
// or to a member, is the variable or member itself, which promote.c looks for.
static void fold_offset(Simplifier *s, IrNode *node) {
  IrAccess *access = &node->u.access;
  const IrObject *object = access->object;
  if (!object || object->space != SPACE_LOCAL || object->rank > 0 ||
      !access->has_offset || access->n_index > 0 ||
      node->args[0]->op != IR_CONST)
    return;
  uint64_t offset = node->args[0]->u.constant.bits;
  if (offset >= object->element_bytes)
    return; // outside: the access tells so itself
  access->offset_bytes += (uint32_t)offset;
  access->has_offset = false;
  node->n_args--;
  for (uint32_t i = 0; i < node->n_args; i++)
    node->args[i] = node->args[i + 1];
  s->has_changed = true;
}

static void fold_node(Simplifier *s, IrNode *node) {
  uint64_t bits;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (s->instead[node->args[i]->id])
      node->args[i] = s->instead[node->args[i]->id];
  if (ir_op_info(node)->form == FORM_ACCESS)
    fold_offset(s, node);
  if (node->op == IR_GET && s->known[node->u.variable.var])
    become_constant(s, node, s->known[node->u.variable.var]->u.constant.bits);
  else if (node->op == IR_SELECT && node->args[0]->op == IR_CONST) {
    s->instead[node->id] = node->args[node->args[0]->u.constant.bits ? 1 : 2];
    s->has_changed = true;
  } else if ((ir_op_info(node)->flags & OPF_PURE) && ir_fold(node, &bits))
    become_constant(s, node, bits);
}

// Removes what follows `node`, which control doesn't get past.
static void cut_behind(IrNode *node) {
  while (node->next)
    ir_node_unlink(node->region->last);
}

static void move_lifetimes(const IrKernel *kernel, const IrNode *from) {
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    IrObject *object = kernel->objects.data[i];
    if (object->lifetime == from)
      object->lifetime = from->region->owner;
  }
}

// Puts the nodes of the region in the place of its owner, which goes.
static void simplify_dissolve(Simplifier *s, IrNode *owner, IrRegion *region) {
  if (s->is_lifetime[owner->id])
    move_lifetimes(s->kernel, owner);
  while (region->first) {
    IrNode *node = region->first;
    ir_node_unlink(node);
    ir_node_insert_before(owner, node);
    if (node->op == IR_EXIT)
      cut_behind(node);
    if (!owner->region)
      break;
  }
  if (owner->region)
    ir_node_unlink(owner);
  s->has_changed = true;
}

static bool simplify_is_empty(const IrNode *node) {
  switch ((int)node->op) {
  case IR_IF: return !node->regions[0].first && !node->regions[1].first;
  case IR_BLOCK:
  case IR_CALL: return !node->regions[0].first;
  default: return false;
  }
}

static bool fold_visitor(IrNode *node, void *context) {
  Simplifier *s = context;
  fold_node(s, node);
  if (node->op == IR_IF && node->args[0]->op == IR_CONST)
    VEC_PUSH(s->scratch, &s->branches, node);
  return true;
}

// Outer branches first: what they take away needs no attention any more.
static void resolve_branches(Simplifier *s) {
  for (uint32_t i = 0; i < s->branches.count; i++) {
    IrNode *node = s->branches.data[i];
    if (node->region)
      simplify_dissolve(s, node,
                        &node->regions[node->args[0]->u.constant.bits ? 0 : 1]);
  }
}

// --------------------------------------------------------------- removal

static void simplify_count_uses(Simplifier *s, const NodeOrder *order) {
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    for (uint32_t k = 0; k < node->n_args; k++)
      s->n_uses[node->args[k]->id]++;
    if (node->op == IR_GET)
      s->n_gets[node->u.variable.var]++;
    else if (ir_is_operator(node))
      s->n_gets[node->u.by.result]++;
  }
}

static bool is_useless(const Simplifier *s, const IrNode *node) {
  if (node->op == IR_SET)
    return s->n_gets[node->u.variable.var] == 0;
  if (node->op == IR_GET || (ir_op_info(node)->flags & OPF_PURE))
    return s->n_uses[node->id] == 0;
  return simplify_is_empty(node);
}

// From the end, so that a removed node's operands are looked at afterwards.
static void remove_useless(Simplifier *s, const NodeOrder *order) {
  for (uint32_t i = order->n_nodes; i-- > 0;) {
    IrNode *node = order->nodes[i];
    if (!is_useless(s, node))
      continue;
    for (uint32_t k = 0; k < node->n_args; k++)
      s->n_uses[node->args[k]->id]--;
    if (node->op == IR_GET)
      s->n_gets[node->u.variable.var]--;
    ir_node_unlink(node);
    s->has_changed = true;
  }
}

static bool is_in_tree(const IrKernel *kernel, const IrNode *node) {
  while (node && node->region != &kernel->body)
    node = ir_node_owner(node);
  return node != NULL;
}

// Rows of groups whose statement is gone go, too.
static void drop_groups(IrKernel *kernel) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    IrGroup *group = kernel->groups.data[i];
    if (group->maker && !is_in_tree(kernel, group->maker))
      group->id = UINT32_MAX;
    else
      kernel->groups.data[n++] = group;
  }
  kernel->groups.count = n;
  for (uint32_t i = 0; i < n; i++) {
    IrGroup *group = kernel->groups.data[i];
    group->id = i;
    while (group->parent && group->parent->id == UINT32_MAX)
      group->parent = group->parent->parent;
  }
}

// Objects whose region or group is gone are not used by anything either, nor
// are variables.
static void drop_lifetimes(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    IrObject *object = kernel->objects.data[i];
    if (object->lifetime && !is_in_tree(kernel, object->lifetime))
      object->lifetime = NULL;
    if (object->group && object->group->id == UINT32_MAX)
      object->group = kernel->groups.data[GROUP_ROW_BLOCK];
  }
  for (uint32_t i = 0; i < kernel->vars.count; i++) {
    IrVar *var = &kernel->vars.data[i];
    if (var->loop && !is_in_tree(kernel, var->loop))
      var->loop = NULL;
  }
}

static bool simplify_once(IrKernel *kernel) {
  Arena *scratch = arena_new();
  ir_kernel_renumber(kernel);
  uint32_t n_nodes = kernel->n_nodes, n_vars = kernel->vars.count;
  Simplifier s = {.kernel = kernel, .scratch = scratch};
  s.instead = ARENA_ARRAY(scratch, IrNode *, n_nodes);
  s.known = ARENA_ARRAY(scratch, const IrNode *, n_vars);
  s.n_uses = ARENA_ARRAY(scratch, uint32_t, n_nodes);
  s.n_gets = ARENA_ARRAY(scratch, uint32_t, n_vars);
  s.is_lifetime = ARENA_ARRAY(scratch, bool, n_nodes);
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->lifetime)
      s.is_lifetime[kernel->objects.data[i]->lifetime->id] = true;
  find_known(&s, node_order(scratch, kernel));
  ir_walk(&kernel->body, fold_visitor, &s);
  resolve_branches(&s);
  const NodeOrder *order = node_order(scratch, kernel);
  simplify_count_uses(&s, order);
  remove_useless(&s, order);
  drop_groups(kernel);
  drop_lifetimes(kernel);
  arena_free(scratch);
  return s.has_changed;
}

#define MAX_ROUNDS 8 // constants that need more are rare and cost only time

bool ir_simplify(IrKernel *kernel) {
  bool has_changed = false;
  for (int i = 0; i < MAX_ROUNDS && simplify_once(kernel); i++)
    has_changed = true;
  ir_kernel_renumber(kernel);
  return has_changed;
}
