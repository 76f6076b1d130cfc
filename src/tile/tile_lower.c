// SPDX-License-Identifier: Apache-2.0
// The pass: nodes in program order, each tile operation replaced by the loops
// that do it, each scalar effect left to the first lane.
#include "base/bits.h"
#include "base/panic.h"
#include "ir/analyses/analysis.h"
#include "tile/tile_parts.h"
#include "tile/tile_roles.h"

// ------------------------------------------------------------- what is taken

typedef struct {
  const IrKernel *kernel;
  const char *why;
} Refusal;

static bool find_refused(IrNode *node, void *context) {
  Refusal *refusal = context;
  switch (ir_family(node)) {
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE:
  case FAMILY_MBARRIER:
  case FAMILY_COPY:
    refusal->why = "it has operations of several threads";
    break;
  case FAMILY_CONTROL:
    if (ir_op_info(node)->form == FORM_PART)
      refusal->why = "it divides its threads";
    break;
  case FAMILY_POSITION:
    if (node->op == IR_MAKE_GROUP)
      refusal->why = "it divides its threads";
    break;
  case FAMILY_VALUE:
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_MEMORY:
  case FAMILY_SYNC:
  case FAMILY_CLAIM:
  case FAMILY_EFFECT:
  case FAMILY_TILE:
  case FAMILY_COUNT: break;
  }
  return refusal->why == NULL;
}

static bool is_of_threads(const IrKernel *kernel) {
  const int32_t *dim = kernel->block_dim;
  return dim[0] != 1 || dim[1] != 1 || dim[2] != 1;
}

const char *tile_refusal(const IrKernel *kernel) {
  Refusal refusal = {.kernel = kernel};
  if (is_of_threads(kernel))
    return NULL;
  if (kernel->cluster_dim[0] > 0)
    return "it has clusters";
  IrRegion body = kernel->body;
  ir_walk(&body, find_refused, &refusal);
  return refusal.why;
}

// --------------------------------------------------------------- positions
// A block is one thread: what it is told of itself stays so.

static void lower_to_number(IrNode *node, uint64_t bits) {
  node->op = IR_CONST;
  node->u.constant.bits = bits;
}

static IrNode *of_grid(Lower *t, IrOp op, uint32_t dimension) {
  IrNode *node = put_node(t, op, put_type_i32, 0);
  node->u.index.number = dimension;
  return put_node(t, IR_ZEXT, put_type_i64, 1, node);
}

static void become_product(IrNode *node, IrOp op, IrNode *a, IrNode *b) {
  node->op = op;
  node->n_args = 2;
  node->args[0] = a;
  node->args[1] = b;
}

// The block's number in the grid, or how many there are.
static void become_block_number(Lower *t, IrNode *node) {
  IrNode *x = of_grid(t, IR_GRID_DIM, 0), *y = of_grid(t, IR_GRID_DIM, 1);
  node->args = ARENA_ARRAY(t->arena, IrNode *, 2);
  if (node->op == IR_SIZE) {
    become_product(node, IR_MUL, put_two(t, IR_MUL, x, y),
                   of_grid(t, IR_GRID_DIM, 2));
    return;
  }
  IrNode *rows = put_two(t, IR_MUL, of_grid(t, IR_BLOCK_INDEX, 2), y);
  rows = put_two(t, IR_ADD, rows, of_grid(t, IR_BLOCK_INDEX, 1));
  become_product(node, IR_ADD, put_two(t, IR_MUL, rows, x),
                 of_grid(t, IR_BLOCK_INDEX, 0));
}

static void lower_position(Lower *t, IrNode *node) {
  switch (ir_position_op(node->op)) {
  case IR_RANK:
  case IR_SIZE:
    if (node->u.group.group->kind == GROUP_GRID)
      become_block_number(t, node);
    else
      lower_to_number(node, node->op == IR_SIZE);
    break;
  case IR_META_RANK: lower_to_number(node, 0); break;
  case IR_META_SIZE: lower_to_number(node, 1); break;
  case IR_THREAD_INDEX: lower_to_number(node, 0); break;
  case IR_BLOCK_DIM: lower_to_number(node, 1); break;
  case IR_BLOCK_INDEX:
  case IR_GRID_DIM:
  case IR_MAKE_GROUP: break;
  }
}

static bool lower_note_position(IrNode *node, void *context) {
  Lower *t = context;
  t->region = NULL;
  t->before = node;
  t->loc = node->loc;
  if (ir_family(node) == FAMILY_POSITION)
    lower_position(t, node);
  return true;
}

void roles_fix_positions(Lower *t) {
  ir_walk(&t->kernel->body, lower_note_position, t);
}

// ------------------------------------------------------------ scalar effects

// A thread's own memory is the same in all lanes, so all of them write it. A
// pointer that may lead there is written through by all of them, too; elsewhere
// they write one value to one place.
static bool lower_is_own_memory(const Lower *t, const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (object)
    return object->space == SPACE_LOCAL;
  IrSpace space = (IrSpace)node->args[0]->type.space;
  return space == SPACE_LOCAL ||
         (space == SPACE_GENERIC && t->has_local_pointers &&
          node->op == IR_STORE && node->u.access.order == ORDER_PLAIN);
}

// What happens once a block.
static bool is_effect(const Lower *t, const IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_ACCESS:
    return (ir_op_info(node)->memory && !lower_is_own_memory(t, node)) &&
           (ir_op_info(node)->memory & MEM_WRITE ||
            node->u.access.order != ORDER_PLAIN ||
            node->op == IR_SEMAPHORE_LOCK);
  case FORM_TEXT:
  case FORM_PLAIN: return ir_is_shown(node);
  case FORM_CONST:
  case FORM_VAR:
  case FORM_INDEX:
  case FORM_GROUP:
  case FORM_LOOP:
  case FORM_PART:
  case FORM_EXIT:
  case FORM_COLLECTIVE:
  case FORM_BARRIER:
  case FORM_COPY:
  case FORM_TILE:
  case FORM_SECTION: break;
  }
  return false;
}

static void lower_effect(Lower *t, IrNode *node) {
  bool touches = ir_op_info(node)->form == FORM_ACCESS;
  bool has_result = node->type.kind != IR_TYPE_VOID;
  IrNode *behind = node->next;
  IrRegion *region = node->region;
  if (touches)
    put_sync(t);
  uint32_t var = has_result ? ir_var_new(t->kernel, NULL, node->type) : 0;
  PutPlace place = put_if(t, t->is_first);
  ir_node_unlink(node);
  put_here(t, node);
  if (has_result)
    put_set(t, var, node);
  place.before = behind;
  place.region = behind ? NULL : region;
  put_end(t, place);
  if (has_result)
    t->replacements[node->id] = put_of_lane(t, put_get(t, var), 0);
  if (touches)
    put_sync(t);
}

// ------------------------------------------------------------ tile operations

static void lower_into(Lower *t, IrNode *node, const TileHome *home) {
  switch (ir_tile_op(node->op)) {
  case TILE_CAT:
  case TILE_INSERT:
  case TILE_PAD: tile_emit_pieces(t, node, home); break;
  case TILE_REDUCE:
    t->replacements[node->id] = tile_emit_reduce(t, node, home);
    break;
  case TILE_ARG:
    t->replacements[node->id] = tile_emit_arg(t, node, home);
    break;
  case TILE_REDUCE_BY:
    t->replacements[node->id] = tile_emit_reduce_by(t, node, home);
    break;
  case TILE_SCAN:
  case TILE_SCAN_BY: tile_emit_scan(t, node, home); break;
  case TILE_SORT:
  case TILE_ARGSORT:
  case TILE_TOPK: tile_emit_sort(t, node, home); break;
  case TILE_HISTOGRAM: tile_emit_histogram(t, node, home); break;
  case TILE_AT: t->replacements[node->id] = tile_emit_at(t, node); break;
  case TILE_COLLECT: tile_emit_collect(t, node, home); break;
  case TILE_MMA: tile_emit_mma(t, node, home); break;
  case TILE_MMA_SCALED: tile_emit_mma_scaled(t, node, home); break;
  case TILE_CAST:
    if (home)
      tile_emit_copy(t, node, home);
    else
      t->replacements[node->id] = tile_cast_element(t, node, node->args[0]);
    break;
  case TILE_RMW:
  case TILE_CAS: section_atomic(t, node, home); break;
  case TILE_BROADCAST:
  case TILE_IOTA:
  case TILE_RESHAPE:
  case TILE_PERMUTE:
  case TILE_EXTRACT:
  case TILE_FLIP:
  case TILE_ROLL:
  case TILE_MAP:
  case TILE_BITCAST: tile_emit_copy(t, node, home); break;
  case TILE_LOAD:
    if (tensor_is_left(t, node))
      tensor_emit_load(t, node, home);
    else if (ir_is_atomic(node))
      section_atomic(t, node, home);
    else
      tile_emit_copy(t, node, home);
    break;
  case TILE_STORE:
    if (tensor_is_left(t, node))
      tensor_emit_store(t, node);
    else if (ir_is_atomic(node))
      section_atomic(t, node, NULL);
    else
      section_store(t, node);
    break;
  case WGMMA_MMA: tile_emit_unit(t, node, home); break;
  case WGMMA_LOAD:
  case TENSOR_READ:
  case TENSOR_WRITE:
  case TENSOR_MMA: HD_PANIC("'%s' is lowered", ir_op_info(node)->text);
  case TILE_PRINT: tile_emit_print(t, node); break;
  case TILE_ASSERT: tile_emit_assert(t, node); break;
  }
}

static TileHome *home_for(Lower *t, const IrNode *node) {
  const TileFact *fact = tile_fact(t, node);
  if (fact->direct)
    return home_of_var(t, fact->direct - 1);
  IrTileShape shape = tile_shape_of_node(t, node);
  bool is_spread = spread_takes(node) || alike_result(t, node);
  TileHome *home =
      is_spread ? spread_home(t, shape.element, &shape, node->id) : NULL;
  if (home)
    return home;
  return home_new(t, ir_element_type(t->kernel->module, node->type),
                  ir_tile_elements(t->kernel->module, node->type), fact->last);
}

// Note [Kept while it is reduced]
// A tile that is kept for several consumers, of which the first one is a
// reduction, is stored by the loop of the reduction, which computes each
// element. So a row is gone over once, and what adds up has the time that
// computing takes. What is reduced may be computed from the tile, element by
// element.

// Whether the elements of `tile` are computed from those of `from` at the same
// place, or not at all from it.
static bool lower_is_of_same(const Lower *t, const IrNode *tile,
                             const IrNode *from, bool is_same, bool *is_of) {
  if (tile == from) {
    *is_of = true;
    return is_same;
  }
  if (!ir_is_tile(tile->type) || tile_fact(t, tile)->is_kept)
    return true;
  for (uint32_t i = 0; i < tile->n_args; i++)
    if (!lower_is_of_same(t, tile->args[i], from,
                          is_same && tile_is_pointwise(tile), is_of))
      return false;
  return true;
}

static bool is_filled_by(Lower *t, const IrNode *node, const IrNode *reduce) {
  bool is_of = false;
  bool is_made = tile_fact(t, reduce)->pulls > 0 || !ir_is_tile(reduce->type);
  return is_made && reduce_may_fill(t, reduce) &&
         lower_is_of_same(t, reduce->args[0], node, true, &is_of) && is_of;
}

// Nothing is made between the tile and the reduction. NULL: there is none.
static const IrNode *lower_filling(Lower *t, const IrNode *node) {
  bool is_copied = tile_is_pointwise(node) || node->op == IR_TILE_LOAD;
  if (!is_copied || ir_is_operator(node) || ir_is_atomic(node) ||
      tensor_is_left(t, node) || tile_fact(t, node)->must_run)
    return NULL;
  for (const IrNode *behind = node->next; behind; behind = behind->next) {
    const TileFact *fact = tile_fact(t, behind);
    if (behind->op == IR_TILE_REDUCE)
      return is_filled_by(t, node, behind) ? behind : NULL;
    bool is_made = ir_is_tile(behind->type) && fact->is_kept && fact->pulls > 0;
    if (is_made || behind->n_regions > 0 ||
        !(behind->op == IR_GET || ir_op_info(behind)->flags & OPF_PURE))
      return NULL;
  }
  return NULL;
}

// Makes the code of a tile that is kept, or of an effect or a number.
static void lower_made(Lower *t, IrNode *node, bool is_kept) {
  TileHome *home = is_kept ? home_for(t, node) : NULL;
  const IrNode *filling = is_kept ? lower_filling(t, node) : NULL;
  if (filling) {
    home_keep_until(t, filling->id); // what it is computed from
    t->filled = node;
    t->fills = home;
    return;
  }
  if (ir_family(node) == FAMILY_TILE)
    lower_into(t, node, home);
  else
    tile_emit_copy(t, node, home);
  t->homes[node->id] = home;
}

// No tile has to do with it, or threads have: all of them do it.
static bool lower_is_of_all(const IrNode *node) {
  bool has_tile = ir_is_tile(node->type);
  for (uint32_t i = 0; i < node->n_args && !has_tile; i++)
    has_tile = ir_is_tile(node->args[i]->type);
  return !has_tile || node->op == IR_TILE_AT || node->op == IR_TILE_COLLECT;
}

// By the lanes of the group. A number that they get becomes that of all
// threads.
static void lower_do(Lower *t, IrNode *node, bool is_kept) {
  IrGroup *group = work_holder(t, node);
  if (!group || lower_is_of_all(node)) {
    IrGroup *holder = t->holder;
    t->holder = group;
    lower_made(t, node, is_kept);
    t->holder = holder;
    return;
  }
  bool is_number = node->type.kind != IR_TYPE_VOID && !ir_is_tile(node->type);
  bool is_apart = work_is_apart_in(t, group);
  uint32_t var = 0;
  if (is_number && is_apart)
    var = put_var(t, node->type, put_const(t, node->type, 0));
  TileWork work = work_begin(t, node);
  lower_made(t, node, is_kept);
  IrNode *number = t->replacements[node->id];
  if (number && is_number && is_apart)
    put_set(t, var, number);
  work_end(t, work);
  if (number && is_number && is_apart)
    t->replacements[node->id] = work_broadcast(t, group, put_get(t, var));
}

static bool lower_is_of_tensor(const Lower *t, const IrNode *node) {
  return t->has_tensors && ir_is_tensor_op(node->op);
}

static void lower_tile(Lower *t, IrNode *node) {
  if (lower_is_of_tensor(t, node))
    return; // the tensor core does it
  const TileFact *fact = tile_fact(t, node);
  bool is_tile = ir_is_tile(node->type);
  bool has_effect =
      !(ir_op_info(node)->flags & OPF_PURE) &&
      (ir_op_info(node)->memory & MEM_WRITE || node->op == IR_TILE_PRINT);
  bool is_kept =
      is_tile && fact->is_kept && (fact->pulls > 0 || fact->must_run);
  if (is_tile && !is_kept && !has_effect)
    return; // where it is used, if anywhere
  lower_do(t, node, is_kept);
}

static void lower_set(Lower *t, const IrNode *node) {
  const IrNode *value = node->args[0];
  if (panel_operand(t, node) >= 0) {
    panel_pack(t, node);
  } else if (!tile_fact(t, value)->direct) {
    TileWork work = work_begin(t, node);
    tile_emit_copy(t, value, home_of_var(t, node->u.variable.var));
    work_end(t, work);
  }
}

// -------------------------------------------------------------- program order

static void take_replacements(const Lower *t, IrNode *node) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < node->n_args; i++) {
    IrNode *arg = node->args[i];
    IrNode *other = arg->id < t->n_nodes ? t->replacements[arg->id] : NULL;
    if (node->op == IR_CALL && ir_is_tile(arg->type))
      continue; // only summaries look at them
    node->args[n++] = other ? other : arg;
  }
  node->n_args = n;
}

static void lower_region(Lower *t, IrRegion *region);

static bool operator_node(IrNode *node, void *context) {
  Lower *t = context;
  take_replacements(t, node);
  if (ir_family(node) == FAMILY_POSITION && !t->is_of_threads) {
    t->region = NULL;
    t->before = node;
    lower_position(t, node);
  }
  return true;
}

bool tile_is_gone(const IrNode *node) {
  return ir_family(node) == FAMILY_TILE || ir_is_tile(node->type) ||
         (node->op == IR_SET && ir_is_tile(node->args[0]->type));
}

static void lower_node(Lower *t, IrNode *node) {
  take_replacements(t, node);
  t->region = NULL;
  t->before = node;
  t->loc = node->loc;
  home_free_before(t, node->id);
  if (ir_is_operator(node))
    ir_walk(&node->regions[0], operator_node, t);
  t->region = NULL;
  t->before = node;
  if (ir_family(node) == FAMILY_POSITION && !t->is_of_threads)
    lower_position(t, node);
  else if (ir_family(node) == FAMILY_TILE || ir_is_tile(node->type))
    lower_tile(t, node);
  else if (tile_is_gone(node))
    lower_set(t, node);
  else if (!t->is_of_threads && is_effect(t, node))
    lower_effect(t, node);
  else
    for (uint32_t i = 0; i < node->n_regions; i++)
      lower_region(t, &node->regions[i]);
}

static void lower_region(Lower *t, IrRegion *region) {
  for (IrNode *node = region->first, *next; node; node = next) {
    next = node->next;
    lower_node(t, node);
  }
}

static bool drop_tile(IrNode *node, void *context) {
  const Lower *t = context;
  bool is_of_unit =
      (t->has_units && node->id >= t->n_nodes) || lower_is_of_tensor(t, node);
  if (!is_of_unit && tile_is_gone(node))
    ir_node_unlink(node);
  return true;
}

// ------------------------------------------------------------------- products

static bool lower_is_product(const IrNode *node) {
  return node->op == IR_TILE_MMA || node->op == IR_WGMMA_MMA ||
         node->op == IR_TENSOR_MMA;
}

static bool note_product(IrNode *node, void *context) {
  Lower *t = context;
  if (lower_is_product(node))
    VEC_PUSH(t->scratch, &t->products, node);
  return true;
}

static bool note_product_id(IrNode *node, void *context) {
  Lower *t = context;
  if (lower_is_product(node)) {
    VEC_PUSH(t->scratch, &t->product_ids, node->id);
    t->target->units[node->id] = PRODUCT_CHAIN;
  }
  return true;
}

// The copy has the products of the kernel in the same order.
static void begin_products(Lower *t, const IrKernel *kernel) {
  if (!t->target->units)
    return;
  ir_walk(&t->kernel->body, note_product, t);
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, note_product_id, t);
  HD_ASSERT(t->products.count == t->product_ids.count);
}

void tile_tell_unit(Lower *t, const IrNode *product, ProductUnit unit) {
  for (uint32_t i = 0; i < t->products.count; i++)
    if (t->products.data[i] == product)
      t->target->units[t->product_ids.data[i]] = (uint8_t)unit;
}

// ------------------------------------------------------------------ the pass

static void drop_tile_vars(IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    if (ir_is_tile(kernel->vars.data[i].type))
      kernel->vars.data[i].type = put_type_i32; // nothing names it any more
}

// Note [Tiles of threads]
// In a kernel of threads, the lanes of the group that holds a tile compute it
// (Note [Lanes of a group]). If runs are told of accesses, each thread computes
// all of its elements, in memory of its own, without a sync; put_holder says
// which of them it stores. The program has the syncs that either needs, because
// which thread touches which element is unspecified: docs/internals/tiles.md.
static void begin_threads(Lower *t, IrNode *first) {
  t->before = first;
  t->rank = put_i32(t, 0);
  t->is_first = put_const(t, put_bool, 1);
}

static void begin_lanes(Lower *t, IrNode *first) {
  IrGroup *block = t->kernel->groups.data[GROUP_ROW_BLOCK];
  t->kernel->block_dim[0] = (int32_t)t->lanes;
  if (t->target->takes_all && t->kernel->min_blocks == 0)
    t->kernel->min_blocks = (int32_t)t->kernel->hints.occupancy;
  block->size = t->lanes;
  for (uint32_t i = 0; i < t->kernel->objects.count; i++) {
    const IrObject *object = t->kernel->objects.data[i];
    t->has_local_pointers |=
        object->space == SPACE_LOCAL && object->address_taken;
  }
  t->lane_group = block;
  t->before = first;
  t->rank = put_node(t, IR_RANK, put_type_i32, 0);
  t->rank->u.group.group = block;
  t->is_first = put_test(t, IR_EQ, t->rank, put_i32(t, 0));
}

static IrKernel *lower_on_trial(Arena *arena, const IrKernel *kernel,
                                const TileTarget *target, bool **in_memory,
                                bool *without_units) {
  Lower t = {.kernel = ir_clone_kernel(arena, kernel),
             .arena = arena,
             .scratch = arena_new(),
             .target = target,
             .lanes = is_of_threads(kernel) ? 1 : target->lanes,
             .is_of_threads = is_of_threads(kernel),
             .without_units = without_units};
  begin_products(&t, kernel);
  if (target->joins_for_workers > 0 && !t.is_of_threads)
    tile_rect(&t);
  tile_products_at_once(&t);
  tile_tensor_at_once(&t);
  ir_kernel_renumber(t.kernel);
  t.n_nodes = t.kernel->n_nodes;
  t.homes = ARENA_ARRAY(t.scratch, TileHome *, t.n_nodes);
  t.sections = ARENA_ARRAY(t.scratch, TileSection *, t.n_nodes);
  t.replacements = ARENA_ARRAY(t.scratch, IrNode *, t.n_nodes);
  t.var_homes = ARENA_ARRAY(t.scratch, TileHome *, t.kernel->vars.count);
  if (!*in_memory)
    *in_memory = ARENA_ARRAY(arena, bool, t.n_nodes + t.kernel->vars.count);
  t.in_memory = *in_memory;
  t.is_shared = t.is_of_threads && !target->shows_threads && work_is_shared(&t);
  if (t.has_units && !t.is_shared)
    *without_units = t.is_lowered_again = true;
  tile_plan(&t);
  spread_begin(&t);
  IrNode *first = t.kernel->body.first;
  if (first && t.is_of_threads)
    begin_threads(&t, first);
  else if (first)
    begin_lanes(&t, first);
  for (IrNode *node = first, *next; node; node = next) {
    next = node->next;
    lower_node(&t, node);
  }
  ir_walk(&t.kernel->body, drop_tile, &t);
  drop_tile_vars(t.kernel);
  cast_all_physical(t.kernel);
  ir_simplify(t.kernel);
  ir_kernel_renumber(t.kernel);
  t.kernel->has_units = t.has_units;
  t.kernel->has_tensors = t.has_tensors;
  t.kernel->level = LEVEL_THREAD;
  t.kernel->is_of_tiles = !t.is_of_threads;
  arena_free(t.scratch);
  return t.is_lowered_again ? NULL : t.kernel;
}

IrKernel *tile_lower(Arena *arena, const IrKernel *kernel,
                     const TileTarget *target) {
  HD_ASSERT(kernel->level == LEVEL_TILES && !tile_refusal(kernel));
  HD_ASSERT(target->lanes >= 2 && target->lanes <= 1024);
  HD_ASSERT(target->vector_bytes > 0);
  bool *in_memory = NULL;
  IrKernel *lowered = NULL;
  bool without_units = false, had_none = false;
  while (!lowered) { // Note [Spreads]
    lowered = lower_on_trial(arena, kernel, target, &in_memory, &without_units);
    if (without_units != had_none)
      in_memory = NULL; // by the ids of other nodes
    had_none = without_units;
  }
  return lowered;
}
