// SPDX-License-Identifier: Apache-2.0
// Memory for tiles that are kept: arrays of the block, used anew for the next
// tile of their elements once nothing needs the last one.
#include "tile/tile_parts.h"

#include "base/bits.h"

IrHost *home_number(const Lower *t, uint32_t value) {
  IrHost *host = ARENA_NEW(t->arena, IrHost);
  host->op = HOST_CONST;
  host->number = value;
  return host;
}

// Who has one copy; NULL: each thread has its own.
static IrGroup *home_group(const Lower *t) {
  return t->is_of_threads ? t->holder : t->lane_group;
}

IrObject *home_object(Lower *t, IrType element, uint32_t elements) {
  IrGroup *group = home_group(t);
  IrObject *object = ir_object_new(t->kernel, "tile",
                                   group ? SPACE_SHARED : SPACE_LOCAL, element);
  object->rank = 1;
  object->extents[0] = home_number(t, elements);
  object->align_bytes = 128;
  object->layout = LAYOUT_ROW_MAJOR;
  object->group = group;
  object->loc = t->loc;
  object->is_uninitialised_ok = true;
  object->is_scratch = true;
  return object;
}

void home_free_before(Lower *t, uint32_t id) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->in_use.count; i++) {
    TileHome *home = t->in_use.data[i];
    if (home->last < id)
      VEC_PUSH(t->scratch, &t->unused, home);
    else
      t->in_use.data[n++] = home;
  }
  t->in_use.count = n;
}

void home_keep_until(Lower *t, uint32_t id) {
  for (uint32_t i = 0; i < t->in_use.count; i++)
    if (t->in_use.data[i]->last < id)
      t->in_use.data[i]->last = id;
}

// The smallest that fits, without most of it lying idle.
static TileHome *take_unused(Lower *t, IrType element, uint32_t elements) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < t->unused.count; i++) {
    const TileHome *home = t->unused.data[i];
    if (!ir_type_equal(home->object->element, element) ||
        home->object->group != home_group(t) || home->elements < elements)
      continue;
    if (best == UINT32_MAX || home->elements < t->unused.data[best]->elements)
      best = i;
  }
  if (best == UINT32_MAX)
    return NULL;
  TileHome *home = t->unused.data[best];
  t->unused.data[best] = VEC_POP(&t->unused);
  return home;
}

TileHome *home_new(Lower *t, IrType element, uint32_t elements, uint32_t last) {
  TileHome *from = take_unused(t, element, elements);
  TileHome *home = ARENA_NEW(t->scratch, TileHome);
  home->object = from ? from->object : home_object(t, element, elements);
  home->elements = from ? from->elements : elements;
  home->last = last;
  VEC_PUSH(t->scratch, &t->in_use, home);
  return home;
}

// In variables of the lanes, or NULL.
static TileHome *home_of_var_spread(Lower *t, uint32_t var) {
  const IrModule *module = t->kernel->module;
  IrType type = t->kernel->vars.data[var].type;
  uint32_t lanes = t->lanes;
  IrGroup *holder = t->is_shared ? work_of_var(t, var) : NULL;
  if (t->is_of_threads)
    t->lanes = holder ? (uint32_t)holder->size : 1;
  TileHome *home = spread_home(t, ir_element_type(module, type),
                               ir_tile_shape(module, type), t->n_nodes + var);
  t->lanes = lanes;
  return home;
}

TileHome *home_of_var(Lower *t, uint32_t var) {
  if (!t->var_homes[var])
    t->var_homes[var] = home_of_var_spread(t, var);
  if (!t->var_homes[var]) {
    const IrModule *module = t->kernel->module;
    IrType type = t->kernel->vars.data[var].type;
    TileHome *home = ARENA_NEW(t->scratch, TileHome);
    bool has_slots = t->rect && t->rect->acc == var;
    home->elements = ir_tile_elements(module, type);
    IrGroup *holder = t->holder; // whoever asks first
    if (t->is_shared)
      t->holder = work_of_var(t, var);
    home->object =
        home_object(t, ir_element_type(module, type),
                    home->elements * (has_slots ? t->rect->n_slots : 1));
    t->holder = holder;
    home->slot_var_1 = has_slots ? t->rect->slot_var + 1 : 0;
    home->last = UINT32_MAX;
    t->var_homes[var] = home;
  }
  return t->var_homes[var];
}

static void home_set_access(const Lower *t, IrNode *node,
                            const TileHome *home) {
  IrAccess *access = &node->u.access;
  access->object = home->object;
  access->type = home->object->element;
  access->n_index = 1;
  access->align_bytes = (uint32_t)bits_lowest(home->object->element_bytes);
  if (access->type.kind == IR_TYPE_STRUCT)
    access->align_bytes =
        t->kernel->module->structs.data[access->type.index]->align_bytes;
}

IrNode *home_place(Lower *t, const TileHome *home, IrNode *flat) {
  if (!home->slot_var_1)
    return flat;
  IrNode *slot = put_get(t, home->slot_var_1 - 1);
  if (flat->type.kind == IR_TYPE_I64)
    slot = put_wide(t, slot);
  return put_add(t, put_times(t, slot, home->elements), flat);
}

static IrNode *home_set(Lower *t, const TileHome *home, uint32_t slot,
                        IrNode *value) {
  IrNode *set = put_node(t, IR_SET, put_void, 1, value);
  set->u.variable.var = home->vars[slot];
  return set;
}

IrNode *home_load(Lower *t, const TileHome *home, IrNode *flat) {
  if (home->vars) {
    spread_ask(t, home);
    return put_get(t, home->vars[0]);
  }
  flat = home_place(t, home, flat);
  IrNode *node = put_node(t, IR_LOAD, home->object->element, 1, flat);
  home_set_access(t, node, home);
  return node;
}

IrNode *home_store(Lower *t, const TileHome *home, IrNode *flat,
                   IrNode *value) {
  if (home->vars) {
    spread_ask(t, home);
    return home_set(t, home, 0, value);
  }
  flat = home_place(t, home, flat);
  IrNode *node = put_node(t, IR_STORE, put_void, 2, flat, value);
  home_set_access(t, node, home);
  return node;
}

IrNode *home_load_at(Lower *t, const TileHome *home, const TileIndex *index) {
  if (home->vars && index->spread == home->spread)
    return put_get(t, home->vars[index->slot]);
  return home_load(t, home, index->flat);
}

IrNode *home_store_at(Lower *t, const TileHome *home, const TileIndex *index,
                      IrNode *value) {
  if (home->vars && index->spread == home->spread)
    return home_set(t, home, index->slot, value);
  return home_store(t, home, index->flat, value);
}
