// SPDX-License-Identifier: Apache-2.0
// Copies of kernels and regions, for passes of a back end.
#include "ir/passes/clone.h"
#include "base/panic.h"
#include "ir/analyses/analysis.h"

#include <string.h>

typedef struct {
  IrKernel *to;
  const IrKernel *from; // NULL: within one kernel
  IrGroup **groups;     // by id, of another kernel
  IrObject **objects;
  Map nodes; // by address of the original
  Arena *scratch;
} Clone;

// -------------------------------------------------------- host expressions

typedef struct {
  Arena *arena;
  const IrKernel *from;
  IrObject *const *objects;
} HostClone;

static IrObject *own_object(const HostClone *c, IrObject *object) {
  bool is_own = object && object->id < c->from->objects.count &&
                c->from->objects.data[object->id] == object;
  return is_own ? c->objects[object->id] : object;
}

static bool names_object(const IrHost *host) {
  if (!host)
    return false;
  bool does = host->object || host->other;
  for (uint32_t i = 0; i < host->n_args; i++)
    does |= names_object(host->args[i]);
  return does;
}

// What names no object is shared.
static IrHost *own_host(const HostClone *c, IrHost *host) {
  if (!names_object(host))
    return host;
  IrHost *copy = arena_copy(c->arena, host, sizeof *host);
  copy->object = own_object(c, host->object);
  copy->other = own_object(c, host->other);
  for (uint32_t i = 0; i < host->n_args; i++)
    copy->args[i] = own_host(c, host->args[i]);
  return copy;
}

static void own_requirements(const HostClone *c, IrKernel *to) {
  const IrKernel *from = c->from;
  memset(&to->requirements, 0, sizeof to->requirements);
  for (uint32_t i = 0; i < from->requirements.count; i++) {
    IrRequire row = from->requirements.data[i];
    row.condition = own_host(c, row.condition);
    VEC_PUSH(c->arena, &to->requirements, row);
  }
}

static void own_pairs(const HostClone *c, IrKernel *to) {
  const IrKernel *from = c->from;
  memset(&to->may_alias, 0, sizeof to->may_alias);
  for (uint32_t i = 0; i < from->may_alias.count; i++) {
    IrAliasPair pair = from->may_alias.data[i];
    pair.a = own_object(c, pair.a);
    pair.b = own_object(c, pair.b);
    VEC_PUSH(c->arena, &to->may_alias, pair);
  }
}

void clone_host_tables(Arena *arena, const IrKernel *from, IrKernel *to,
                       IrObject *const *objects) {
  HostClone c = {arena, from, objects};
  own_requirements(&c, to);
  own_pairs(&c, to);
  for (uint32_t i = 0; i < to->objects.count; i++)
    for (uint32_t k = 0; k < to->objects.data[i]->rank; k++) {
      IrObject *object = to->objects.data[i];
      object->extents[k] = own_host(&c, object->extents[k]);
      object->strides[k] = own_host(&c, object->strides[k]);
    }
  for (uint32_t i = 0; i < 3; i++)
    to->grid[i] = own_host(&c, to->grid[i]);
  to->flops = own_host(&c, to->flops);
  to->bytes = own_host(&c, to->bytes);
}

// ------------------------------------------------------------------- nodes

static IrNode *clone_mapped(const Clone *c, IrNode *node) {
  IrNode *copy = map_get(&c->nodes, (uint64_t)(uintptr_t)node);
  return copy ? copy : node; // what stands outside of a region stays
}

static void map_group(const Clone *c, IrGroup **group) {
  if (*group && c->from)
    *group = c->groups[(*group)->id];
}

static void map_object(const Clone *c, IrObject **object) {
  if (*object && c->from && (*object)->id < c->from->objects.count &&
      c->from->objects.data[(*object)->id] == *object)
    *object = c->objects[(*object)->id];
}

static void map_references(Clone *c, IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_GROUP:
    map_group(c, &node->u.group.group);
    if (node->op == IR_MAKE_GROUP)
      node->u.group.group->maker = node;
    break;
  case FORM_PART:
    map_group(c, &node->u.part.group);
    map_group(c, &node->u.part.parent);
    if (node->op != IR_WITH)
      node->u.part.group->maker = node;
    break;
  case FORM_INDEX: map_object(c, &node->u.index.object); break;
  case FORM_ACCESS: map_object(c, &node->u.access.object); break;
  case FORM_COLLECTIVE: map_group(c, &node->u.collective.group); break;
  case FORM_BARRIER: map_object(c, &node->u.barrier.object); break;
  case FORM_COPY:
    map_group(c, &node->u.copy.group);
    map_object(c, &node->u.copy.to.object);
    map_object(c, &node->u.copy.from.object);
    map_object(c, &node->u.copy.barrier);
    break;
  case FORM_SECTION: map_object(c, &node->u.section.object); break;
  case FORM_EXIT:
    node->u.exit.target = clone_mapped(c, node->u.exit.target);
    break;
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_TILE: break;
  }
}

static void clone_region(Clone *c, const IrRegion *from, IrRegion *to);

static void clone_node(Clone *c, IrNode *from, IrRegion *to) {
  IrNode *node = ir_node_new(c->to, to, from->op, from->type, from->loc,
                             from->args, from->n_args);
  node->flags = from->flags;
  memcpy(&node->u, &from->u, sizeof node->u);
  for (uint32_t i = 0; i < node->n_args; i++)
    node->args[i] = clone_mapped(c, node->args[i]);
  map_put(c->scratch, &c->nodes, (uint64_t)(uintptr_t)from, node);
  map_references(c, node);
  for (uint32_t i = 0; i < from->n_regions; i++)
    clone_region(c, &from->regions[i], &node->regions[i]);
}

static void clone_region(Clone *c, const IrRegion *from, IrRegion *to) {
  for (IrNode *node = from->first; node; node = node->next)
    clone_node(c, node, to);
}

void ir_clone_region(IrKernel *kernel, const IrRegion *from, IrRegion *to) {
  HD_ASSERT(from != to);
  Clone c = {.to = kernel, .scratch = arena_new()};
  clone_region(&c, from, to);
  arena_free(c.scratch);
}

// ---------------------------------------------------- variables of operators

typedef struct {
  IrKernel *kernel;
  Map names; // of the original's variable + 1: the own one + 1
  Arena *scratch;
} OwnVariables;

static uint32_t own_variable(OwnVariables *own, uint32_t var, bool is_set) {
  uintptr_t name = (uintptr_t)map_get(&own->names, (uint64_t)var + 1);
  if (!name && is_set) {
    IrVar row = own->kernel->vars.data[var];
    name = ir_var_new(own->kernel, row.name, row.type) + (uintptr_t)1;
    own->kernel->vars.data[name - 1].loc = row.loc;
    map_put(own->scratch, &own->names, (uint64_t)var + 1, (void *)name);
  }
  return name ? (uint32_t)(name - 1) : var;
}

static bool own_assigned(IrNode *node, void *context) {
  if (node->op == IR_SET)
    node->u.variable.var = own_variable(context, node->u.variable.var, true);
  if (node->op == IR_FOR)
    node->u.loop.var = own_variable(context, node->u.loop.var, true);
  return true;
}

static bool own_read(IrNode *node, void *context) {
  if (node->op == IR_GET)
    node->u.variable.var = own_variable(context, node->u.variable.var, false);
  return true;
}

void ir_own_variables(IrKernel *kernel, IrRegion *region, IrOperator *by) {
  OwnVariables own = {.kernel = kernel, .scratch = arena_new()};
  by->left = own_variable(&own, by->left, true);
  by->right = own_variable(&own, by->right, true);
  by->result = own_variable(&own, by->result, true);
  for (IrNode *node = region->first; node; node = node->next) {
    own_assigned(node, &own);
    for (uint32_t i = 0; i < node->n_regions; i++)
      ir_walk(&node->regions[i], own_assigned, &own);
  }
  for (IrNode *node = region->first; node; node = node->next) {
    own_read(node, &own);
    for (uint32_t i = 0; i < node->n_regions; i++)
      ir_walk(&node->regions[i], own_read, &own);
  }
  arena_free(own.scratch);
}

static void clone_groups(Clone *c, Arena *arena) {
  const IrKernel *from = c->from;
  c->groups = ARENA_ARRAY(arena, IrGroup *, from->groups.count);
  for (uint32_t i = 0; i < from->groups.count; i++) {
    c->groups[i] = arena_copy(arena, from->groups.data[i], sizeof(IrGroup));
    if (c->groups[i]->parent)
      c->groups[i]->parent = c->groups[c->groups[i]->parent->id];
    VEC_PUSH(arena, &c->to->groups, c->groups[i]);
  }
}

static void clone_objects(Clone *c, Arena *arena) {
  const IrKernel *from = c->from;
  c->objects = ARENA_ARRAY(arena, IrObject *, from->objects.count);
  for (uint32_t i = 0; i < from->objects.count; i++) {
    IrObject *object =
        arena_copy(arena, from->objects.data[i], sizeof(IrObject));
    map_group(c, &object->group);
    c->objects[i] = object;
    VEC_PUSH(arena, &c->to->objects, object);
  }
}

IrKernel *ir_clone_kernel(Arena *arena, const IrKernel *kernel) {
  Clone c = {.from = kernel, .scratch = arena_new()};
  IrModule *module = ARENA_NEW(arena, IrModule);
  *module = *kernel->module;
  module->arena = arena;
  memset(&module->kernels, 0, sizeof module->kernels);
  IrKernel *to = ARENA_NEW(arena, IrKernel);
  *to = *kernel;
  VEC_PUSH(arena, &module->kernels, to);
  c.to = to;
  to->module = module;
  to->n_nodes = 0;
  to->body = (IrRegion){0};
  memset(&to->groups, 0, sizeof to->groups);
  memset(&to->objects, 0, sizeof to->objects);
  memset(&to->vars, 0, sizeof to->vars);
  memset(&to->params, 0, sizeof to->params);
  clone_groups(&c, arena);
  clone_objects(&c, arena);
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    VEC_PUSH(arena, &to->vars, kernel->vars.data[i]);
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    IrParam param = kernel->params.data[i];
    map_object(&c, &param.object);
    VEC_PUSH(arena, &to->params, param);
  }
  clone_host_tables(arena, kernel, to, c.objects);
  clone_region(&c, &kernel->body, &to->body);
  for (uint32_t i = 0; i < to->objects.count; i++) {
    IrObject *object = to->objects.data[i];
    if (object->lifetime)
      object->lifetime = clone_mapped(&c, object->lifetime);
  }
  for (uint32_t i = 0; i < to->vars.count; i++)
    if (to->vars.data[i].loop)
      to->vars.data[i].loop = clone_mapped(&c, to->vars.data[i].loop);
  arena_free(c.scratch);
  return to;
}
