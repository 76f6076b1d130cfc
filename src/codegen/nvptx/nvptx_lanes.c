// SPDX-License-Identifier: Apache-2.0
// Who comes together at coalesced_threads(), computed as IR.
//
// Note [Masks of coalesced threads]
// Which lanes happen to run together says nothing: the hardware may keep lanes
// apart that take the same way. So a variable holds the lanes that come through
// each place in this turn of all loops around. It starts where the current
// group became current, with the warp's lanes in it, and is followed down to
// each coalesced_threads():
//
//   if            in: those for whom the condition holds (a ballot of the lanes
//                 before it), or the others; behind: those from before
//   loop          at each turn: those of the last one who go on (a ballot at
//                 its end); behind: those from before
//   exit          doesn't leave at once: it sets a code and goes to the end of
//                 what it leaves, where all lanes that came in ask who stays (a
//                 ballot), and then leaves that, and so on
//
// So at every ballot all lanes of its mask arrive. There is none where all
// lanes of the warp decide alike. In IR a ballot is a make_group of a coalesced
// row with two operands, lanes and condition; without one it gives the warp's
// lanes in the current group; with one, the lanes that it was given.
#include "codegen/code_groups.h"
#include "codegen/nvptx/llvm_nvptx.h"
#include "ir/form/order.h"
#include "ir/passes/passes.h"

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};
static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_void = {.kind = IR_TYPE_VOID, .lanes = 1};

typedef struct {
  IrNode *target;
  bool is_continue;
} Way; // out of a node

typedef struct {
  Arena *arena;
  IrKernel *kernel;
  const Uniformity *uniformity; // of the nodes with ids below n_known
  uint32_t n_known;
  IrGroup *warp;
  IrGroup *lanes; // the row of ballots
  bool *holds;    // by node id: a coalesced_threads() under the same group
  uint32_t mask;  // variable: who is here
  // Where nodes are made: before `before`, else at the end of `region`.
  IrRegion *region;
  IrNode *before;
  IrLocId loc;
} Lanes;

// ---------------------------------------------------------------- building

static IrNode *nvptx_lanes_make(Lanes *x, IrOp op, IrType type, uint32_t n_args,
                                IrNode *const *args) {
  IrNode *node = ir_node_new(x->kernel, x->before ? NULL : x->region, op, type,
                             x->loc, args, n_args);
  if (x->before)
    ir_node_insert_before(x->before, node);
  return node;
}

static IrNode *nvptx_lanes_number(Lanes *x, IrType type, uint64_t bits) {
  IrNode *node = nvptx_lanes_make(x, IR_CONST, type, 0, NULL);
  node->u.constant.bits = bits;
  return node;
}

static IrNode *nvptx_lanes_binary(Lanes *x, IrOp op, IrType type, IrNode *a,
                                  IrNode *b) {
  IrNode *args[2] = {a, b};
  return nvptx_lanes_make(x, op, type, 2, args);
}

static IrNode *nvptx_lanes_get(Lanes *x, uint32_t var) {
  IrNode *node =
      nvptx_lanes_make(x, IR_GET, x->kernel->vars.data[var].type, 0, NULL);
  node->u.variable.var = var;
  return node;
}

static void nvptx_lanes_set(Lanes *x, uint32_t var, IrNode *value) {
  nvptx_lanes_make(x, IR_SET, type_void, 1, &value)->u.variable.var = var;
}

static IrNode *ballot(Lanes *x, IrNode *lanes, IrNode *condition) {
  IrNode *node =
      nvptx_lanes_binary(x, IR_MAKE_GROUP, type_i32, lanes, condition);
  node->u.group.group = x->lanes;
  return node;
}

static IrNode *is_code(Lanes *x, uint32_t code, uint64_t value) {
  return nvptx_lanes_binary(x, IR_EQ, type_bool, nvptx_lanes_get(x, code),
                            nvptx_lanes_number(x, type_i32, value));
}

static void at_start(Lanes *x, IrRegion *region) {
  x->region = region;
  x->before = region->first;
}

static void nvptx_lanes_at_end(Lanes *x, IrRegion *region) {
  x->region = region;
  x->before = NULL;
}

static void behind(Lanes *x, IrNode *node) {
  x->region = node->region;
  x->before = node->next;
}

static void nvptx_lanes_append(IrRegion *region, IrNode *node) {
  node->region = region;
  node->previous = region->last;
  node->next = NULL;
  if (region->last)
    region->last->next = node;
  else
    region->first = node;
  region->last = node;
}

// ---------------------------------------------------------------- questions

static bool is_coalesced(const IrNode *node) {
  return node->op == IR_MAKE_GROUP &&
         node->u.group.group->kind == GROUP_COALESCED;
}

// Under the same current group as what is around it.
static bool nvptx_lanes_is_open(const IrNode *node) {
  return node->n_regions > 0 && ir_op_info(node)->form != FORM_PART &&
         !ir_is_operator(node);
}

static bool nvptx_lanes_holds(const Lanes *x, const IrNode *node) {
  return node->id < x->n_known && x->holds[node->id];
}

static bool region_holds(const Lanes *x, const IrRegion *region) {
  for (const IrNode *node = region->first; node; node = node->next)
    if (is_coalesced(node) || nvptx_lanes_holds(x, node))
      return true;
  return false;
}

// The same for all lanes of a warp.
static bool is_alike(const Lanes *x, const IrNode *value) {
  return value->id < x->n_known &&
         uniformity_has(x->uniformity, value, x->warp);
}

// What decides about it is the same for all lanes that get to what it leaves.
static bool is_decided_alike(const Lanes *x, const IrNode *exit) {
  const IrNode *node = exit->region->owner;
  while (node && node != exit->u.exit.target && node->op == IR_IF &&
         is_alike(x, node->args[0]))
    node = node->region->owner;
  return node == exit->u.exit.target;
}

static bool leave_together(const Lanes *x, const IrNode *exit) {
  return exit->id < x->n_known &&
         (uniformity_converged(x->uniformity, exit, x->warp) ||
          is_decided_alike(x, exit));
}

// -------------------------------------------------------------------- exits

typedef hd_vec(IrNode *) Exits;

typedef struct {
  const Lanes *x;
  const IrNode *outer; // what is left
  Exits found;
  bool is_apart; // some lanes may leave, and others not
} Search;

static bool find_exit(IrNode *node, void *context) {
  Search *search = context;
  if (node->op != IR_EXIT || !nvptx_lanes_holds(search->x, node->u.exit.target))
    return true;
  const IrNode *target = node->u.exit.target;
  if (target != search->outer && ir_is_inside(target, search->outer))
    return true;
  VEC_PUSH(search->x->arena, &search->found, node);
  search->is_apart |= !leave_together(search->x, node);
  return true;
}

// Exits in `region` that leave it, which lies in `outer` or is its own.
static Search exits_of(const Lanes *x, IrRegion *region, const IrNode *outer) {
  Search search = {.x = x, .outer = outer};
  ir_walk(region, find_exit, &search);
  return search;
}

// Each exit becomes a code and one to the end of `block`; the ways that they
// went have the codes from 1 on; 0 is who stays.
typedef struct {
  uint32_t code; // the variable
  hd_vec(Way) ways;
} Turnout;

static uint64_t nvptx_lanes_code_of(Lanes *x, Turnout *out, Way way) {
  for (uint32_t i = 0; i < out->ways.count; i++)
    if (out->ways.data[i].target == way.target &&
        out->ways.data[i].is_continue == way.is_continue)
      return i + 1;
  VEC_PUSH(x->arena, &out->ways, way);
  return out->ways.count;
}

static Turnout turn_out(Lanes *x, const Exits *exits, IrNode *block,
                        const IrNode *loop) {
  Turnout out = {.code = ir_var_new(x->kernel, NULL, type_i32)};
  for (uint32_t i = 0; i < exits->count; i++) {
    IrNode *exit = exits->data[i];
    Way way = {exit->u.exit.target, exit->u.exit.is_continue};
    bool goes_on = way.target == loop && way.is_continue;
    if (!goes_on) {
      uint64_t code = nvptx_lanes_code_of(x, &out, way);
      x->before = exit;
      nvptx_lanes_set(x, out.code, nvptx_lanes_number(x, type_i32, code));
    }
    exit->u.exit.target = block;
    exit->u.exit.is_continue = false;
  }
  return out;
}

// Where all are together again: each goes the way it wanted to.
static void go_ways(Lanes *x, const Turnout *out) {
  for (uint32_t i = 0; i < out->ways.count; i++) {
    IrNode *condition = is_code(x, out->code, i + 1);
    IrNode *branch = nvptx_lanes_make(x, IR_IF, type_void, 1, &condition);
    IrNode *exit = ir_node_new(x->kernel, &branch->regions[0], IR_EXIT,
                               type_void, x->loc, NULL, 0);
    exit->u.exit.target = out->ways.data[i].target;
    exit->u.exit.is_continue = out->ways.data[i].is_continue;
  }
}

// ---------------------------------------------------------------- following

static void follow_region(Lanes *x, IrRegion *region);

static void follow_if(Lanes *x, IrNode *node) {
  x->before = node;
  IrNode *here = nvptx_lanes_get(x, x->mask);
  if (!is_alike(x, node->args[0])) {
    IrNode *those = ballot(x, here, node->args[0]);
    for (uint32_t i = 0; i < 2; i++) {
      if (!region_holds(x, &node->regions[i]))
        continue;
      at_start(x, &node->regions[i]);
      nvptx_lanes_set(
          x, x->mask,
          i == 0 ? those
                 : nvptx_lanes_binary(x, IR_XOR, type_i32, here, those));
    }
  }
  follow_region(x, &node->regions[0]);
  follow_region(x, &node->regions[1]);
  behind(x, node);
  nvptx_lanes_set(x, x->mask, here);
}

static void follow_block(Lanes *x, IrNode *node) {
  x->before = node;
  IrNode *here = nvptx_lanes_get(x, x->mask);
  follow_region(x, &node->regions[0]);
  behind(x, node);
  nvptx_lanes_set(x, x->mask, here);
}

// A counted loop's next turn: hi - now > step, as numbers without sign.
static IrNode *has_next(Lanes *x, const IrNode *node) {
  IrType type = node->args[1]->type;
  IrNode *now = nvptx_lanes_get(x, node->u.loop.var), *bound = node->args[1];
  int64_t step = node->u.loop.step;
  IrNode *left = step > 0 ? nvptx_lanes_binary(x, IR_SUB, type, bound, now)
                          : nvptx_lanes_binary(x, IR_SUB, type, now, bound);
  uint64_t distance = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
  return nvptx_lanes_binary(x, node->u.loop.is_inclusive ? IR_ULE : IR_ULT,
                            type_bool, nvptx_lanes_number(x, type, distance),
                            left);
}

static IrNode *has_first(Lanes *x, const IrNode *node) {
  bool is_signed = node->u.loop.is_signed;
  IrOp op = node->u.loop.is_inclusive ? (is_signed ? IR_SLE : IR_ULE)
                                      : (is_signed ? IR_SLT : IR_ULT);
  return node->u.loop.step > 0
             ? nvptx_lanes_binary(x, op, type_bool, node->args[0],
                                  node->args[1])
             : nvptx_lanes_binary(x, op, type_bool, node->args[1],
                                  node->args[0]);
}

// The body as one block, which ends with those who go on.
static void follow_turns(Lanes *x, IrNode *node, bool is_counted) {
  IrRegion *body = &node->regions[0];
  Search search = exits_of(x, body, node);
  IrNode *block =
      ir_node_new(x->kernel, NULL, IR_BLOCK, type_void, node->loc, NULL, 0);
  while (body->first) {
    IrNode *moved = body->first;
    ir_node_unlink(moved);
    nvptx_lanes_append(&block->regions[0], moved);
  }
  Turnout out = turn_out(x, &search.found, block, node);
  nvptx_lanes_at_end(x, body);
  IrNode *here = nvptx_lanes_get(x, x->mask);
  nvptx_lanes_set(x, out.code, nvptx_lanes_number(x, type_i32, 0));
  nvptx_lanes_append(body, block);
  IrNode *goes_on = is_code(x, out.code, 0);
  if (is_counted)
    goes_on =
        nvptx_lanes_binary(x, IR_AND, type_bool, goes_on, has_next(x, node));
  nvptx_lanes_set(x, x->mask, ballot(x, here, goes_on));
  go_ways(x, &out);
}

static void nvptx_lanes_follow_loop(Lanes *x, IrNode *node) {
  IrRegion *body = &node->regions[0];
  bool is_for = node->op == IR_FOR;
  bool is_counted =
      is_for && !(is_alike(x, node->args[0]) && is_alike(x, node->args[1]));
  bool is_apart = exits_of(x, body, node).is_apart || is_counted;
  x->before = node;
  IrNode *here = nvptx_lanes_get(x, x->mask);
  if (is_counted)
    nvptx_lanes_set(x, x->mask, ballot(x, here, has_first(x, node)));
  if (!is_apart) {
    at_start(x, body);
    nvptx_lanes_set(x, x->mask, here);
  }
  follow_region(x, body);
  if (is_apart)
    follow_turns(x, node, is_counted);
  behind(x, node);
  nvptx_lanes_set(x, x->mask, here);
}

// What lanes may leave for good: its end comes first. `next`: what stood behind
// the node before it was followed.
static void nvptx_lanes_wrap(Lanes *x, IrNode *node, IrNode *next,
                             const Exits *exits) {
  IrNode *block =
      ir_node_new(x->kernel, NULL, IR_BLOCK, type_void, node->loc, NULL, 0);
  Turnout out = turn_out(x, exits, block, NULL);
  x->before = node;
  IrNode *here = nvptx_lanes_get(x, x->mask);
  nvptx_lanes_set(x, out.code, nvptx_lanes_number(x, type_i32, 0));
  ir_node_insert_before(node, block);
  ir_node_unlink(node);
  nvptx_lanes_append(&block->regions[0], node);
  x->region = block->region;
  x->before = next;
  nvptx_lanes_set(x, x->mask, ballot(x, here, is_code(x, out.code, 0)));
  go_ways(x, &out);
}

static Search exits_from(const Lanes *x, IrNode *node) {
  Search all = {.x = x, .outer = node};
  for (uint32_t i = 0; i < node->n_regions; i++) {
    Search one = exits_of(x, &node->regions[i], node);
    for (uint32_t k = 0; k < one.found.count; k++) {
      IrNode *exit = one.found.data[k];
      if (exit->u.exit.target == node)
        continue; // ends here
      VEC_PUSH(x->arena, &all.found, exit);
      all.is_apart |= !leave_together(x, exit);
    }
  }
  return all;
}

static void follow_node(Lanes *x, IrNode *node, IrNode *next) {
  x->loc = node->loc;
  if (is_coalesced(node)) {
    x->before = node;
    IrNode *here = nvptx_lanes_get(x, x->mask);
    node->args = arena_copy(x->arena, &here, sizeof here);
    node->n_args = 1;
    return;
  }
  if (!nvptx_lanes_is_open(node))
    return;
  if (nvptx_lanes_holds(x, node)) {
    if (node->op == IR_IF)
      follow_if(x, node);
    else if (node->op == IR_LOOP || node->op == IR_FOR)
      nvptx_lanes_follow_loop(x, node);
    else
      follow_block(x, node);
  }
  x->loc = node->loc;
  Search search = exits_from(x, node);
  if (search.is_apart)
    nvptx_lanes_wrap(x, node, next, &search.found);
}

static void follow_region(Lanes *x, IrRegion *region) {
  if (!region_holds(x, region))
    return;
  for (IrNode *node = region->first, *next; node; node = next) {
    next = node->next; // what is made behind the node is followed already
    follow_node(x, node, next);
  }
}

// ------------------------------------------------------------------- kernels

typedef struct {
  Lanes *x;
  hd_vec(IrRegion *) scopes; // bodies of groups that hold such statements
} Scopes;

static void add_scope(Scopes *scopes, IrRegion *region) {
  for (uint32_t i = 0; i < scopes->scopes.count; i++)
    if (scopes->scopes.data[i] == region)
      return;
  VEC_PUSH(scopes->x->arena, &scopes->scopes, region);
}

static bool note_maker(IrNode *node, void *context) {
  Scopes *scopes = context;
  if (!is_coalesced(node))
    return true;
  IrRegion *region = node->region;
  for (; region->owner && nvptx_lanes_is_open(region->owner);
       region = region->owner->region)
    scopes->x->holds[region->owner->id] = true;
  if (region->owner) // a thread loop's turns may end early
    scopes->x->holds[region->owner->id] = true;
  add_scope(scopes, region);
  return true;
}

static IrGroup *nvptx_lanes_warp_of(IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    if (kernel->groups.data[i]->kind == GROUP_WARP)
      return kernel->groups.data[i];
  IrGroup *block = kernel->groups.data[GROUP_ROW_BLOCK];
  int64_t n = block->size;
  IrGroup *warp = ir_group_new(kernel, GROUP_WARP, block);
  warp->name = "warp";
  warp->size = n % NV_WARP == 0 ? NV_WARP : n < NV_WARP ? n : SIZE_UNKNOWN;
  warp->instances = (n + NV_WARP - 1) / NV_WARP;
  warp->alignment = NV_WARP;
  return warp;
}

static void start_scope(Lanes *x, IrRegion *region) {
  x->mask = ir_var_new(x->kernel, NULL, type_i32);
  x->loc = region->first->loc;
  follow_region(x, region);
  at_start(x, region);
  IrNode *all = nvptx_lanes_make(x, IR_MAKE_GROUP, type_i32, 0, NULL);
  all->u.group.group = x->lanes;
  nvptx_lanes_set(x, x->mask, all);
}

IrKernel *nv_prepare_kernel(Arena *arena, const IrKernel *kernel) {
  IrKernel *copy = ir_clone_kernel(arena, kernel);
  Lanes x = {.arena = arena, .kernel = copy};
  Scopes scopes = {.x = &x};
  x.warp = nvptx_lanes_warp_of(copy);
  ir_kernel_renumber(copy);
  x.n_known = copy->n_nodes;
  x.holds = ARENA_ARRAY(arena, bool, x.n_known);
  ir_walk(&copy->body, note_maker, &scopes);
  copy->level = pass_table[PASS_MASK_LANES].after;
  if (scopes.scopes.count == 0)
    return copy;
  x.uniformity = ir_uniformity(arena, copy);
  x.lanes = ir_group_new(copy, GROUP_COALESCED, x.warp);
  x.lanes->name = "lanes";
  for (uint32_t i = 0; i < scopes.scopes.count; i++)
    start_scope(&x, scopes.scopes.data[i]);
  ir_kernel_renumber(copy);
  return copy;
}
