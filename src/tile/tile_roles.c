// SPDX-License-Identifier: Apache-2.0
// Tile kernels with products as programs of thread groups.
//
// Note [Roles of a tile kernel]
// A tile kernel whose loop adds up products of sections (Note [Kernels for
// roles]) becomes a program as one writes it by hand: one thread, the producer,
// lets the copy engine load the sections of each turn into a ring of stages;
// one to three warpgroups, the consumers, multiply them by their matrix units,
// and do all else that the kernel does with tiles, each for some of the rows
// (Note [Rows of a consumer]). Barriers say which stages are full, and which
// are empty again.
//
// Both roles run the body of the kernel: the producer a copy without tiles, in
// which the loads are copies by the engine. So both make the same turns, also
// where loops are in loops or in branches, and the ring goes on from one loop
// to the next: who loads is ahead of who stores.
//
// What comes out is a kernel of threads of the level tiles, like any other.
#include "tile/tile_roles.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/analysis.h"

enum {
  ROLES_STAGES = 4,
  ROLES_LEAST_STAGES = 2,
  ROLES_SPARE_BYTES = 2048, // alignment and barriers
  ROLES_HEAVY_SUMS = 96,    // of a thread: it wants registers of the producer
};

// --------------------------------------------------------------------- stores

// Which thread stores an element isn't said. So where a block may store one
// twice, its consumer waits for all of its threads before it does. Several
// consumers never wait for each other: then there is only one.
static bool roles_is_repeated(const Roles *r, const IrNode *node) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->written.count; i++)
    n += ir_may_alias(r->t->kernel, node->u.section.object, r->written.data[i]);
  for (const IrNode *at = node->region->owner; at; at = at->region->owner)
    n += at->op == IR_FOR || at->op == IR_LOOP ? 2 : 0;
  return n > 1;
}

static bool roles_stores_once(IrNode *node, void *context) {
  bool is_store = ir_op_info(node)->form == FORM_SECTION && ir_is_write(node);
  return !is_store || !roles_is_repeated(context, node);
}

static bool roles_order_stores(IrNode *node, void *context) {
  Roles *r = context;
  Lower *t = r->t;
  if (roles_stores_once(node, r))
    return true;
  t->region = NULL;
  t->before = node;
  t->loc = node->loc;
  put_node(t, IR_SYNC, put_void, 0)->u.group.group = r->consumers;
  return true;
}

// ----------------------------------------------------------------- decisions

static uint32_t roles_sums_of(const Roles *r, uint32_t n) {
  return r->rows / n * r->sums / ROLES_GROUP;
}

static bool roles_may_have(Roles *r, uint32_t n) {
  return n <= ROLES_MOST_GROUPS && r->rows % (n * ROLES_UNIT_ROWS) == 0 &&
         roles_sums_of(r, n) <= ROLES_MOST_SUMS &&
         (n == 1 || (ir_walk(&r->t->kernel->body, roles_stores_once, r) &&
                     roles_may_split(r)));
}

static uint32_t roles_asked_consumers(const IrTileHints *hints) {
  enum { WARPS = ROLES_GROUP / 32 };

  if (hints->consumers)
    return hints->consumers;
  return hints->warps ? (hints->warps + WARPS - 1) / WARPS : 2;
}

// NULL: decided.
static const char *roles_decide_consumers(Roles *r) {
  uint32_t asked = roles_asked_consumers(&r->t->kernel->hints);
  for (uint32_t n = asked; n > 0; n--)
    if (roles_may_have(r, n)) {
      r->n_consumers = n;
      return NULL;
    }
  for (uint32_t n = asked + 1; n <= ROLES_MOST_GROUPS; n++)
    if (roles_may_have(r, n)) {
      r->n_consumers = n;
      return NULL;
    }
  return "its sums don't fit the registers of warpgroups that can divide its "
         "rows: each stores an element once, computed from its own rows";
}

static const char *roles_decide_stages(Roles *r, uint64_t most_bytes) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < r->n_rings; i++)
    bytes += r->rings[i].bytes;
  uint32_t n = r->t->kernel->hints.stages;
  n = n ? n : ROLES_STAGES;
  while (n >= ROLES_LEAST_STAGES && n * bytes + ROLES_SPARE_BYTES > most_bytes)
    n--;
  r->n_stages = n;
  return n >= ROLES_LEAST_STAGES
             ? NULL
             : "two stages of its operands don't fit shared memory";
}

// -------------------------------------------------------------------- objects

static IrObject *roles_shared(Roles *r, const char *name, IrType element) {
  Lower *t = r->t;
  IrObject *object = ir_object_new(t->kernel, name, SPACE_SHARED, element);
  object->group = t->kernel->groups.data[GROUP_ROW_BLOCK];
  object->loc = t->kernel->loc;
  object->rank = 1;
  object->extents[0] = home_number(t, r->n_stages);
  object->is_scratch = true;
  return object;
}

static IrObject *roles_barrier(Roles *r, const char *name, uint32_t arrivals) {
  IrObject *object = roles_shared(r, name, ir_scalar(IR_TYPE_I64));
  object->kind = OBJECT_MBARRIER;
  object->arrivals = arrivals;
  object->align_bytes = 8;
  object->layout = LAYOUT_ROW_MAJOR;
  return object;
}

static void roles_make_objects(Roles *r) {
  for (uint32_t i = 0; i < r->n_rings; i++) {
    const IrTileShape *shape = &r->rings[i].shape;
    const char *name = arena_printf(r->t->arena, "ring%u", i);
    IrObject *ring = roles_shared(r, name, shape->element);
    ring->rank = 3;
    for (uint32_t k = 0; k < 2; k++)
      ring->extents[k + 1] = home_number(r->t, shape->extents[k]);
    ring->align_bytes = 16;
    r->rings[i].ring = ring;
  }
  r->full = roles_barrier(r, "full", 1);
  r->empty = roles_barrier(r, "empty", r->n_consumers * ROLES_GROUP);
}

// --------------------------------------------------------------------- groups

static IrGroup *roles_part_of(Roles *r, IrGroupKind kind, IrGroup *parent,
                              uint32_t begin, uint32_t size) {
  IrGroup *group = ir_group_new(r->t->kernel, kind, parent);
  group->name = kind == GROUP_SINGLE ? "producer" : "consumers";
  group->size = size;
  group->begin = begin;
  group->instances = 1;
  group->alignment = begin ? begin & -begin : parent->alignment;
  return group;
}

// Code goes into the part.
static PutPlace roles_enter(Lower *t, IrGroup *group) {
  IrNode *node = put_node(t, IR_GROUP, put_void, 0);
  node->u.part.group = group;
  node->u.part.parent = group->parent;
  group->maker = node;
  return put_enter(t, node);
}

static void roles_set_registers(Roles *r, uint32_t n) {
  IrNode *node = put_node(r->t, IR_SET_MAX_REGS, put_void, 0);
  node->u.index.number = n;
}

// Registers of a producer's and a consumer's threads; false: as many as it
// comes.
static bool roles_registers(const Roles *r, uint32_t *few, uint32_t *many) {
  *few = r->n_consumers == 2 ? 40 : 32;
  *many = r->n_consumers == 2 ? 232 : 160;
  return r->n_consumers > 1 &&
         roles_sums_of(r, r->n_consumers) >= ROLES_HEAVY_SUMS;
}

// ----------------------------------------------------------------------- ring

typedef struct {
  uint32_t stage, phase; // variables
} RolesRingState;

static RolesRingState roles_ring_begin(Lower *t, uint32_t phase) {
  RolesRingState s;
  s.stage = put_var(t, put_type_i32, put_i32(t, 0));
  s.phase = put_var(t, put_type_i32, put_i32(t, phase));
  return s;
}

static void roles_ring_next(const Roles *r, const RolesRingState *s) {
  Lower *t = r->t;
  IrNode *next = put_plus(t, put_get(t, s->stage), 1);
  put_set(t, s->stage, next);
  PutPlace place = put_if(t, put_test(t, IR_EQ, next, put_i32(t, r->n_stages)));
  put_set(t, s->stage, put_i32(t, 0));
  IrNode *phase = put_get(t, s->phase);
  put_set(t, s->phase, put_two(t, IR_XOR, phase, put_i32(t, 1)));
  put_end(t, place);
}

static IrNode *roles_signal(Lower *t, IrOp op, IrObject *barrier, IrNode *stage,
                            IrNode *more) {
  IrType type = op == IR_MBAR_WAIT ? put_void : ir_scalar(IR_TYPE_TOKEN);
  IrNode *args[2] = {stage, more};
  IrNode *node = put_node_of(t, op, type, args, more ? 2 : 1);
  node->u.barrier.object = barrier;
  return node;
}

static void roles_await(Lower *t, const RolesRingState *s, IrObject *barrier) {
  IrNode *stage = put_get(t, s->stage);
  roles_signal(t, IR_MBAR_WAIT, barrier, stage, put_get(t, s->phase));
}

// --------------------------------------------------------------- the producer

typedef struct {
  Roles *r;
  RolesRingState state;
} RolesSide;

static void roles_copy_section(const RolesSide *side, IrGroup *group,
                               const RolesRing *ring, const IrNode *load) {
  Lower *t = side->r->t;
  const IrObject *from = load->u.section.object;
  IrNode *args[3 + IR_MAX_RANK + 1], *stage = put_get(t, side->state.stage);
  uint32_t n = 0;
  args[n++] = stage;
  args[n++] = put_i32(t, 0);
  args[n++] = put_i32(t, 0);
  for (uint32_t k = 0; k < from->rank; k++)
    args[n++] = load->args[k];
  args[n++] = stage;
  IrNode *node = put_node_of(t, IR_TMA_LOAD, put_void, args, n);
  node->u.copy.group = group;
  node->u.copy.barrier = side->r->full;
  node->u.copy.to.object = ring->ring;
  node->u.copy.to.length[0] = 1;
  node->u.copy.to.length[1] = ring->shape.extents[0];
  node->u.copy.to.length[2] = ring->shape.extents[1];
  node->u.copy.from.object = load->u.section.object;
  for (uint32_t k = 0; k < from->rank; k++)
    node->u.copy.from.length[k] = load->u.section.kind[k] == SECTION_RANGE
                                      ? load->u.section.length[k]
                                      : 1;
}

// In each turn, behind all that computes indices.
static bool roles_produce(IrNode *loop, void *context) {
  const RolesSide *side = context;
  const Roles *r = side->r;
  Lower *t = r->t;
  if (!roles_is_turn(loop))
    return true;
  uint32_t bytes = 0, n = 0;
  for (uint32_t i = 0; i < r->n_rings; i++)
    bytes += (uint32_t)r->rings[i].bytes;
  IrNode *last = loop->regions[0].last;
  t->region = &loop->regions[0];
  t->loc = loop->loc;
  roles_await(t, &side->state, r->empty);
  roles_signal(t, IR_MBAR_ARRIVE_EXPECT, r->full, put_get(t, side->state.stage),
               put_i32(t, bytes));
  for (IrNode *node = loop->regions[0].first; node != last->next;
       node = node->next)
    if (node->op == IR_TILE_LOAD) {
      t->loc = node->loc;
      roles_copy_section(side, ir_node_group(t->kernel, loop), &r->rings[n++],
                         node);
    }
  roles_ring_next(r, &side->state);
  return true;
}

static bool roles_drop_tile(IrNode *node, void *context) {
  (void)context;
  if (tile_is_gone(node))
    ir_node_unlink(node);
  if (node->op == IR_CALL) // only summaries look at them
    node->n_args = 0;
  return true;
}

typedef struct {
  IrKernel *kernel;
  uint32_t *own; // of each variable + 1, or 0
  bool reads;
} RolesVars;

// Variables of the copy are its own.
static bool roles_rename(IrNode *node, void *context) {
  RolesVars *v = context;
  bool is_loop = node->op == IR_FOR;
  bool is_read = node->op == IR_GET, is_write = node->op == IR_SET || is_loop;
  if (!(v->reads ? is_read : is_write))
    return true;
  uint32_t *var = is_loop ? &node->u.loop.var : &node->u.variable.var;
  if (!v->own[*var] && is_write) {
    IrVar row = v->kernel->vars.data[*var];
    v->own[*var] = ir_var_new(v->kernel, row.name, row.type) + 1;
    v->kernel->vars.data[v->own[*var] - 1].loc = row.loc;
  }
  if (v->own[*var])
    *var = v->own[*var] - 1;
  return true;
}

static void roles_make_producer(Roles *r, const IrRegion *body) {
  Lower *t = r->t;
  uint32_t begin = r->n_consumers * ROLES_GROUP, few, many;
  IrGroup *block = t->kernel->groups.data[GROUP_ROW_BLOCK];
  IrGroup *group = roles_part_of(r, GROUP_RANGE, block, begin, ROLES_GROUP);
  group->name = "producers";
  PutPlace outer = roles_enter(t, group);
  if (roles_registers(r, &few, &many))
    roles_set_registers(r, few);
  group = roles_part_of(r, GROUP_SINGLE, group, 0, 1);
  PutPlace inner = roles_enter(t, group);
  IrRegion *region = t->region;
  RolesSide side = {r, roles_ring_begin(t, 1)};
  RolesVars vars = {.kernel = t->kernel};
  IrNode *first = region->last;
  vars.own = ARENA_ARRAY(t->scratch, uint32_t, t->kernel->vars.count);
  ir_clone_region(t->kernel, body, region);
  IrRegion copy = {.first = first->next, .owner = region->owner};
  ir_walk(&copy, roles_rename, &vars);
  vars.reads = true;
  ir_walk(&copy, roles_rename, &vars);
  ir_walk(&copy, roles_produce, &side);
  ir_walk(&copy, roles_drop_tile, NULL);
  put_end(t, inner);
  put_end(t, outer);
}

// -------------------------------------------------------------- the consumers

static IrNode *roles_operand(const RolesSide *side, const IrNode *mma,
                             uint32_t i, int32_t *numbers) {
  Lower *t = side->r->t;
  bool is_turned;
  const IrNode *load = roles_section(mma->args[i], &is_turned);
  uint32_t n = 0;
  for (const IrNode *node = load->previous; node; node = node->previous)
    n += node->op == IR_TILE_LOAD;
  const RolesRing *ring = &side->r->rings[n];
  IrNode *args[3] = {put_get(t, side->state.stage), put_i32(t, 0),
                     put_i32(t, 0)};
  IrNode *node = put_node_of(t, IR_WGMMA_LOAD, load->type, args, 3);
  node->u.section.object = ring->ring;
  node->u.section.is_unchecked = true;
  for (uint32_t k = 0; k < 2; k++) {
    node->u.section.kind[k + 1] = SECTION_RANGE;
    node->u.section.length[k + 1] = ring->shape.extents[k];
  }
  if (is_turned)
    *numbers |= i == 0 ? WGMMA_TURNS_A : WGMMA_TURNS_B;
  return node;
}

static void roles_multiply(const RolesSide *side, const IrNode *mma) {
  Lower *t = side->r->t;
  uint32_t var = mma->args[2]->u.variable.var;
  int32_t numbers = 0;
  t->loc = mma->loc;
  IrNode *acc = put_get(t, var);
  IrNode *a = roles_operand(side, mma, 0, &numbers);
  IrNode *b = roles_operand(side, mma, 1, &numbers);
  IrNode *made = put_node(t, IR_WGMMA_MMA, mma->type, 3, a, b, acc);
  made->u.tile.numbers[0] = numbers;
  made->u.tile.n_numbers = numbers != 0;
  put_set(t, var, made);
}

static bool roles_consume(IrNode *loop, void *context) {
  const RolesSide *side = context;
  const Roles *r = side->r;
  Lower *t = r->t;
  if (!roles_is_turn(loop))
    return true;
  IrNode *last = loop->regions[0].last;
  t->region = &loop->regions[0];
  t->loc = loop->loc;
  roles_await(t, &side->state, r->full);
  put_node(t, IR_WGMMA_FENCE, put_void, 0);
  for (IrNode *node = loop->regions[0].first; node != last->next;
       node = node->next)
    if (node->op == IR_TILE_MMA)
      roles_multiply(side, node);
  t->loc = loop->loc;
  put_node(t, IR_WGMMA_COMMIT, put_void, 0);
  put_node(t, IR_WGMMA_WAIT, put_void, 0);
  roles_signal(t, IR_MBAR_ARRIVE, r->empty, put_get(t, side->state.stage),
               put_i32(t, 1));
  roles_ring_next(r, &side->state);
  for (IrNode *node = last, *before; node; node = before) {
    before = node->previous;
    if (tile_is_gone(node))
      ir_node_unlink(node);
  }
  return true;
}

static void roles_enter_consumer(Roles *r) {
  Lower *t = r->t;
  r->consumer = r->consumers;
  if (r->n_consumers == 1)
    return;
  r->consumer = roles_part_of(r, GROUP_TILED, r->consumers, 0, ROLES_GROUP);
  r->consumer->begin = SIZE_UNKNOWN;
  r->consumer->name = "consumer";
  r->consumer->instances = r->n_consumers;
  r->consumer->alignment = ROLES_GROUP;
  IrNode *node = put_node(t, IR_MAKE_GROUP, put_type_i32, 0);
  node->u.group.group = r->consumer;
  r->consumer->maker = node;
  node = put_node(t, IR_WITH, put_void, 0);
  node->u.part.group = r->consumer;
  node->u.part.parent = r->consumers;
  t->region = &node->regions[0];
  r->part = put_node(t, IR_META_RANK, put_type_i32, 0);
  r->part->u.group.group = r->consumer;
}

static bool roles_make_consumers(Roles *r, IrRegion *body) {
  Lower *t = r->t;
  IrGroup *block = t->kernel->groups.data[GROUP_ROW_BLOCK];
  uint32_t few, many;
  r->consumers =
      roles_part_of(r, GROUP_RANGE, block, 0, r->n_consumers * ROLES_GROUP);
  PutPlace place = roles_enter(t, r->consumers);
  roles_enter_consumer(r);
  if (roles_registers(r, &few, &many))
    roles_set_registers(r, many);
  RolesSide side = {r, roles_ring_begin(t, 0)};
  IrRegion *region = t->region;
  put_all(t, body);
  ir_walk(region, roles_consume, &side);
  ir_walk(region, roles_order_stores, r);
  put_end(t, place);
  return r->n_consumers == 1 || roles_split(r, region);
}

// ------------------------------------------------------------------- the pass

static void roles_set_block(Roles *r) {
  IrKernel *kernel = r->t->kernel;
  uint32_t threads = (r->n_consumers + 1) * ROLES_GROUP;
  kernel->block_dim[0] = (int32_t)threads;
  kernel->groups.data[GROUP_ROW_BLOCK]->size = threads;
  if (kernel->min_blocks == 0)
    kernel->min_blocks = (int32_t)kernel->hints.occupancy;
}

static bool roles_are_swizzled(const Roles *r) {
  for (uint32_t i = 0; i < r->n_rings; i++)
    if (r->rings[i].ring->layout == LAYOUT_UNDECIDED)
      return false;
  return true;
}

static const char *roles_make(Roles *r, uint64_t most_bytes) {
  Lower *t = r->t;
  IrRegion *kernel_body = &t->kernel->body, body = {0};
  roles_fix_positions(t);
  const char *why = roles_find(r);
  if (!why)
    why = roles_decide_consumers(r);
  if (!why)
    why = roles_decide_stages(r, most_bytes);
  if (why)
    return why;
  roles_set_block(r);
  roles_make_objects(r);
  t->loc = t->kernel->loc;
  t->region = &body;
  put_all(t, kernel_body);
  t->region = kernel_body;
  roles_make_producer(r, &body);
  if (!roles_make_consumers(r, &body))
    return "its rows can't be divided among warpgroups";
  ir_simplify(t->kernel);
  ir_decide_layouts(t->kernel);
  ir_kernel_renumber(t->kernel);
  return roles_are_swizzled(r)
             ? NULL
             : "rows of its operands can't be swizzled for matrix units";
}

IrKernel *tile_roles(Arena *arena, const IrKernel *kernel, uint64_t most_bytes,
                     const char **why) {
  Lower t = {.kernel = ir_clone_kernel(arena, kernel),
             .arena = arena,
             .scratch = arena_new(),
             .lanes = 1};
  Roles r = {.t = &t};
  *why = roles_make(&r, most_bytes);
  arena_free(t.scratch);
  return *why ? NULL : t.kernel;
}
