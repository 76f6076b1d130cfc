// SPDX-License-Identifier: Apache-2.0
// What threads keep in their own arrays.
//
// Note [Own arrays]
// Threads that made the same stores, of the same values to the same places,
// have arrays that are alike at each point of the program that they come to. So
// a load depends on its indices and on all stores of its array: their operands,
// and who made them. Who isn't at a store of a group that is made anew, or
// that is named by a begin that moves, may be there the next time, so only
// groups of the same threads each time share what such stores leave.
// Arrays with an address that goes elsewhere are single threads'. For
// explanations a load that differs is a reason by itself.
#include "ir/analyses/uniform.h"

typedef struct {
  Uniformity *u;
  bool *is_open; // by object: something else than loads and stores uses it
  Token *memory; // by object
} Owns;

static bool uniform_local_is_of_kernel(const Owns *o, const IrObject *object) {
  const IrKernel *kernel = o->u->kernel;
  return object && object->id < kernel->objects.count &&
         kernel->objects.data[object->id] == object;
}

static void open_object(Owns *o, const IrObject *object) {
  if (uniform_local_is_of_kernel(o, object))
    o->is_open[object->id] = true;
}

static void uniform_local_note_use(Owns *o, const IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_ACCESS:
    if ((node->op != IR_LOAD && node->op != IR_STORE) ||
        node->u.access.order != ORDER_PLAIN)
      open_object(o, node->u.access.object);
    break;
  case FORM_INDEX: open_object(o, node->u.index.object); break;
  case FORM_BARRIER: open_object(o, node->u.barrier.object); break;
  case FORM_COPY:
    open_object(o, node->u.copy.to.object);
    open_object(o, node->u.copy.from.object);
    break;
  case FORM_SECTION: open_object(o, node->u.section.object); break;
  case FORM_TILE:
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_GROUP:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_PART:
  case FORM_EXIT:
  case FORM_COLLECTIVE: break;
  }
}

static bool uniform_local_is_own(const Owns *o, const IrObject *object) {
  return uniform_local_is_of_kernel(o, object) &&
         object->space == SPACE_LOCAL && !object->address_taken &&
         object->param < 0 && !o->is_open[object->id];
}

static Token memory_of(Owns *o, const IrNode *node) {
  Uniformity *u = o->u;
  Token *memory = &o->memory[node->u.access.object->id];
  if (!*memory) {
    TokenInfo info = {.kind = TOKEN_MEMORY, .node = node};
    VEC_PUSH(u->arena, &u->tokens, info);
    VEC_PUSH(u->arena, &u->base, GROUP_SET_ALL);
    *memory = u->tokens.count - 1;
  }
  return *memory;
}

static void uniform_local_depends(Uniformity *u, Token to, Token from) {
  if (from == uniform_start(u))
    return;
  TokenEdge edge = {from, to};
  VEC_PUSH(u->arena, &u->edges, edge);
}

static void uniform_local_add_access(Owns *o, const IrNode *node) {
  Uniformity *u = o->u;
  Token memory = memory_of(o, node);
  if (node->op == IR_LOAD) {
    u->base.data[node->id] = GROUP_SET_ALL;
    uniform_local_depends(u, node->id, memory);
    return;
  }
  uniform_local_depends(u, memory, u->reach[node->id]);
  for (uint32_t i = 0; i < node->n_args; i++)
    uniform_local_depends(u, memory, node->args[i]->id);
}

void uniform_by_stores(Uniformity *u, Arena *scratch) {
  const NodeOrder *order = u->order;
  uint32_t n_objects = u->kernel->objects.count;
  Owns owns = {.u = u,
               .is_open = ARENA_ARRAY(scratch, bool, n_objects + 1),
               .memory = ARENA_ARRAY(scratch, Token, n_objects + 1)};
  for (uint32_t i = 0; i < order->n_nodes; i++)
    uniform_local_note_use(&owns, order->nodes[i]);
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if ((node->op == IR_LOAD || node->op == IR_STORE) &&
        uniform_local_is_own(&owns, node->u.access.object))
      uniform_local_add_access(&owns, node);
  }
}

void uniform_settle_loads(Uniformity *u) {
  const NodeOrder *order = u->order;
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if (node->op == IR_LOAD && node->u.access.object &&
        node->u.access.object->space == SPACE_LOCAL)
      u->base.data[node->id] = u->set[node->id];
  }
}
