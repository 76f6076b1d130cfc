// SPDX-License-Identifier: Apache-2.0
// Walking a kernel's tree: the rules that depend on where a node stands.
#include "ir/form/cursor.h"
#include "ir/form/order.h"
#include "ir/verify/verify_parts.h"

// -------------------------------------------------------------- linkage

static bool verify_links(Verifier *v, const IrNode *node,
                         const IrRegion *region) {
  if (node->id >= v->kernel->n_nodes || node->op >= IR_OP_COUNT) {
    v->fault =
        arena_printf(v->module->arena, "kernel '%s': a node has id %u of %u",
                     v->kernel->name, node->id, v->kernel->n_nodes);
    return false;
  }
  if (v->seen[node->id])
    return verify_fail(v, node, "stands twice in the tree, or its id does");
  v->seen[node->id] = node;
  const IrNode *before = node->previous;
  if (node->region != region ||
      (before ? before->next != node : region->first != node) ||
      (!node->next && region->last != node))
    return verify_fail(v, node, "is not linked to its neighbours");
  if (before && ir_op_info(before)->flags & OPF_EXIT)
    return verify_fail(v, node, "stands after an exit");
  bool has_regions = ir_op_info(node)->flags & OPF_REGION;
  uint32_t wanted = !has_regions ? 0 : node->op == IR_IF ? 2 : 1;
  if (node->n_regions != wanted)
    return verify_fail(v, node, "has %u regions, not %u", node->n_regions,
                       wanted);
  for (uint32_t i = 0; i < wanted; i++)
    if (node->regions[i].owner != node)
      return verify_fail(v, node, "doesn't own its region");
  return true;
}

// ------------------------------------------------------------ dominance

static bool verify_body_is_open(const Verifier *v, const IrRegion *region) {
  return region && (region == &v->kernel->body ||
                    (region->owner && region->owner->id < v->kernel->n_nodes &&
                     v->open[region->owner->id] == region));
}

static bool verify_operands(Verifier *v, const IrNode *node) {
  for (uint32_t i = 0; i < node->n_args; i++) {
    const IrNode *arg = node->args[i];
    bool was_passed = arg && arg != node && arg->id < v->kernel->n_nodes &&
                      v->seen[arg->id] == arg;
    if (!was_passed || !verify_body_is_open(v, arg->region))
      return verify_fail(v, node, "operand %u is not a value computed before",
                         i);
    if (arg->type.kind == IR_TYPE_VOID)
      return verify_fail(v, node, "operand %u has no value", i);
  }
  return true;
}

// ----------------------------------------------------------------- exits

static bool verify_exit(Verifier *v, const IrNode *node) {
  const IrNode *target = node->u.exit.target;
  if (!target || target->id >= v->kernel->n_nodes ||
      v->seen[target->id] != target || !v->open[target->id])
    return verify_fail(v, node, "its target is not around it");
  if (ir_op_info(target)->form != FORM_LOOP)
    return verify_fail(v, node, "its target can't be left");
  bool is_loop = target->op == IR_LOOP || target->op == IR_FOR;
  if (node->u.exit.is_continue && !is_loop)
    return verify_fail(v, node, "its target has no next turn");
  if (v->n_outer_parts[target->id] != v->n_parts)
    return verify_fail(v, node, "leaves a group or thread_for");
  return true;
}

// --------------------------------------------------------------- groups

// The group exists where the node stands: inside the region that makes it, or
// after its make_group, as a value would. So do the groups that it is a part
// of, because their makers stand around or before its own.
static bool verify_exists(Verifier *v, const IrNode *node,
                          const IrGroup *group) {
  if (!verify_has_group(v, group))
    return verify_fail(v, node, "has no group");
  for (; group; group = group->parent) {
    const IrNode *maker = group->maker;
    if (!maker)
      continue;
    bool is_there =
        maker->id < v->kernel->n_nodes && v->seen[maker->id] == maker &&
        (maker->op == IR_MAKE_GROUP ? verify_body_is_open(v, maker->region)
                                    : v->open[maker->id] != NULL);
    return is_there ||
           verify_fail(v, node, "its group #%u doesn't exist here", group->id);
  }
  return true;
}

// The current group is the parent, and the new one a part of it. Whether the
// group of a `with` is one is a rule of the language: check_groups.c.
static bool verify_part(Verifier *v, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  if (!verify_has_group(v, group) || !verify_has_group(v, parent))
    return verify_fail(v, node, "has no group or no parent");
  // A back end may enter a part of a part at once.
  bool is_inside =
      v->kernel->level == LEVEL_LANES && ir_group_contains(v->current, parent);
  if (parent != v->current && !is_inside)
    return verify_fail(v, node, "its parent is not the current group");
  if (node->op == IR_WITH)
    return verify_exists(v, node, group);
  if (!ir_group_contains(parent, group))
    return verify_fail(v, node, "its group is not a part of its parent");
  return true;
}

static bool verify_named_group(Verifier *v, const IrNode *node) {
  const IrGroup *group = ir_op_group(v->kernel, node);
  if (node->op == IR_MAKE_GROUP)
    return verify_exists(v, node, group->parent);
  return verify_exists(v, node, group);
}

// -------------------------------------------------------------- operators

enum { OUTSIDE = -1 };

// An operator's variables are its own; where a back end has put several copies
// of it, theirs.
static bool verify_owner(Verifier *v, const IrNode *node, uint32_t var,
                         const IrNode *operation) {
  if (var >= v->kernel->vars.count || v->kernel->level == LEVEL_LANES)
    return true;
  uint32_t owner = operation ? operation->id + 1 : (uint32_t)OUTSIDE;
  if (v->owner[var] && v->owner[var] != owner)
    return verify_fail(v, node, "shares a variable with an operator");
  v->owner[var] = owner;
  return true;
}

static bool is_same_everywhere(const IrNode *value) {
  switch ((int)value->op) {
  case IR_CONST:
  case IR_PARAM:
  case IR_EXTENT:
  case IR_STRIDE:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: return true;
  default: return false;
  }
}

// It isn't said which thread combines a pair, so it sees no thread's values.
static bool verify_operator_use(Verifier *v, const IrNode *node) {
  for (uint32_t i = 0; v->operation && i < node->n_args; i++)
    if (!is_same_everywhere(node->args[i]) &&
        !ir_is_inside(node->args[i], v->operation))
      return verify_fail(v, node, "an operator uses a value from outside");
  bool is_of_tile = ir_family(node) == FAMILY_TILE || ir_is_tile(node->type);
  if (v->operation && is_of_tile)
    return verify_fail(v, node, "stands in an operator");
  if (!ir_is_operator(node))
    return true;
  return verify_owner(v, node, node->u.by.left, node) &&
         verify_owner(v, node, node->u.by.right, node) &&
         verify_owner(v, node, node->u.by.result, node);
}

// ------------------------------------------------------------- variables

static uint32_t iterated_var(const IrNode *node) {
  if (node->op == IR_FOR)
    return node->u.loop.var;
  return node->op == IR_THREAD_FOR ? node->u.part.var : UINT32_MAX;
}

static bool verify_iteration(Verifier *v, const IrNode *node) {
  uint32_t var = iterated_var(node);
  if (node->op == IR_SET || node->op == IR_GET)
    var = node->u.variable.var;
  if (!verify_owner(v, node, var, v->operation))
    return false;
  if (node->op == IR_GET)
    return true;
  if (var < v->kernel->vars.count && v->iterating[var])
    return verify_fail(v, node, "sets the variable of a loop around it");
  return true;
}

// ------------------------------------------------------------------ walk

static bool enter_node(Verifier *v, const IrNode *node,
                       const IrRegion *region) {
  if (!verify_links(v, node, region) || !verify_operands(v, node) ||
      !verify_node(v, node) || !verify_iteration(v, node) ||
      !verify_operator_use(v, node))
    return false;
  if (v->has_locs && node->loc >= v->module->locs.count)
    return verify_fail(v, node, "has no location");
  switch (ir_op_info(node)->form) {
  case FORM_EXIT: return verify_exit(v, node);
  case FORM_PART: return verify_part(v, node);
  case FORM_GROUP:
  case FORM_COLLECTIVE:
  case FORM_COPY: return verify_named_group(v, node);
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_INDEX:
  case FORM_ACCESS:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_BARRIER:
  case FORM_TILE:
  case FORM_SECTION: break;
  }
  return true;
}

static bool enter_region(Verifier *v, const IrRegion *region, uint32_t depth) {
  const IrNode *owner = region->owner;
  if (depth > IR_MAX_DEPTH)
    return verify_fail(v, owner, "too many regions inside one another");
  if (!region->first && region->last)
    return verify_fail(v, owner, "has a broken region");
  if (!owner)
    return true;
  v->open[owner->id] = region;
  v->n_outer_parts[owner->id] = v->n_parts;
  uint32_t var = iterated_var(owner);
  if (var < v->kernel->vars.count)
    v->iterating[var]++;
  if (ir_op_info(owner)->form == FORM_PART) {
    v->n_parts++;
    v->current = owner->u.part.group;
  }
  if (ir_is_operator(owner)) {
    if (v->operation)
      return verify_fail(v, owner, "stands in an operator");
    v->n_parts++;
    v->operation = owner;
  }
  return true;
}

static void leave_region(Verifier *v, const IrRegion *region) {
  const IrNode *owner = region->owner;
  if (!owner)
    return;
  v->open[owner->id] = NULL;
  uint32_t var = iterated_var(owner);
  if (var < v->kernel->vars.count)
    v->iterating[var]--;
  if (ir_op_info(owner)->form == FORM_PART) {
    v->n_parts--;
    v->current = v->kernel->level == LEVEL_LANES
                     ? ir_node_group(v->kernel, owner)
                     : owner->u.part.parent;
  }
  if (ir_is_operator(owner)) {
    v->n_parts--;
    v->operation = NULL;
  }
}

static bool verify_body_walk(Verifier *v) {
  uint32_t depth = 0;
  IrCursor cursor = cursor_at(&v->kernel->body);
  while (cursor_next(&cursor)) {
    switch (cursor.event) {
    case CURSOR_START: break;
    case CURSOR_NODE:
      if (!enter_node(v, cursor.node, cursor.region))
        return false;
      break;
    case CURSOR_ENTER:
      if (!enter_region(v, cursor.region, ++depth))
        return false;
      break;
    case CURSOR_LEAVE:
      leave_region(v, cursor.region);
      depth--;
      break;
    }
  }
  return true;
}

// Rows may refer to nodes only after all nodes were seen.
static bool is_region_node(const Verifier *v, const IrNode *node) {
  return node->id < v->kernel->n_nodes && v->seen[node->id] == node &&
         node->n_regions > 0;
}

static bool is_maker(const Verifier *v, const IrNode *maker,
                     const IrGroup *group) {
  if (maker->id >= v->kernel->n_nodes || v->seen[maker->id] != maker)
    return false;
  if (maker->op == IR_MAKE_GROUP)
    return maker->u.group.group == group;
  return (maker->op == IR_GROUP || maker->op == IR_THREAD_FOR) &&
         group->kind < GROUP_TILED && maker->u.part.group == group;
}

static bool verify_references(Verifier *v) {
  for (uint32_t i = 0; i < v->kernel->objects.count; i++) {
    const IrObject *object = v->kernel->objects.data[i];
    if (object->lifetime && !is_region_node(v, object->lifetime))
      return verify_fail(v, NULL, "the lifetime of object '%s' is not a region",
                         object->name);
  }
  for (uint32_t i = 0; i < v->kernel->vars.count; i++) {
    IrNode *loop = v->kernel->vars.data[i].loop;
    if (loop && (!is_region_node(v, loop) || ir_loop_around(loop) != loop))
      return verify_fail(v, NULL, "the loop of variable %u is none", i);
  }
  for (uint32_t i = 0; i < v->kernel->groups.count; i++) {
    const IrGroup *group = v->kernel->groups.data[i];
    const IrNode *maker = group->maker;
    if (!maker)
      continue;
    if (!is_maker(v, maker, group))
      return verify_fail(v, NULL, "group #%u is not made by its maker", i);
  }
  return true;
}

bool verify_body(Verifier *v) {
  const IrKernel *kernel = v->kernel;
  if (kernel->n_nodes > IR_MAX_NODES)
    return verify_fail(v, NULL, "has more than %u nodes", IR_MAX_NODES);
  if (kernel->body.owner)
    return verify_fail(v, NULL, "its body belongs to a node");
  Arena *arena = v->module->arena;
  ArenaMark mark = arena_mark(arena);
  v->seen = ARENA_ARRAY(arena, const IrNode *, kernel->n_nodes + 1);
  v->open = ARENA_ARRAY(arena, const IrRegion *, kernel->n_nodes + 1);
  v->n_outer_parts = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes + 1);
  v->iterating = ARENA_ARRAY(arena, uint32_t, kernel->vars.count + 1);
  v->owner = ARENA_ARRAY(arena, uint32_t, kernel->vars.count + 1);
  v->operation = NULL;
  v->n_parts = 0;
  v->current = kernel->groups.data[GROUP_ROW_BLOCK];
  bool is_good = verify_body_walk(v) && verify_references(v);
  if (is_good) // otherwise the text of the fault lives there
    arena_release(arena, mark);
  return is_good;
}
