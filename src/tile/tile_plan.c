// SPDX-License-Identifier: Apache-2.0
// Which tiles are kept in memory, and how long.
//
// Note [Computed where it is used]
// A tile whose elements are asked for once is not made at all: its consumer
// computes each element when it needs it. So chains of element-wise operations,
// broadcasts, permutations and loads become the body of one loop. A tile is
// kept instead where
//  - an element is asked for more than once, and it isn't nearly free;
//  - its operation needs memory: reductions, products, sorts;
//  - it is loaded (or read from a variable), and something between here and the
//    last consumer may write there: a load has the value of its place. The one
//    exception is a store of the same section, at the end of an element-wise
//    chain: each element is then read right before it is written. Nothing is
//    solved for this: equal sections have the same operands, or equal
//    constants, and so have the views that they are in.
//  - the expression would become deeper than the recursion over it should be.
//
// Positions are ids. A consumer in a loop that the tile stands before asks for
// it until the loop ends.
#include "ir/analyses/alias.h"
#include "tile/tile_parts.h"

#define MOST_DEPTH 64
#define CHEAP      2
#define DEAR       10

typedef struct {
  Lower *t;
  IrNode **nodes;          // by id
  hd_vec(IrNode *) writes; // in order: what may change what was read
} Plan;

// ----------------------------------------------------------- kinds of nodes

bool tile_is_pointwise(const IrNode *node) {
  return ir_lifts(node->op) || node->op == IR_TILE_MAP ||
         node->op == IR_TILE_CAST;
}

// The operation needs memory for its result.
static bool row_is_kept(const IrNode *node) {
  switch (ir_tile_op(node->op)) {
  case TILE_CAT:
  case TILE_INSERT:
  case TILE_PAD:
  case TILE_REDUCE:
  case TILE_ARG:
  case TILE_REDUCE_BY:
  case TILE_SCAN:
  case TILE_SCAN_BY:
  case TILE_SORT:
  case TILE_ARGSORT:
  case TILE_TOPK:
  case TILE_HISTOGRAM:
  case TILE_COLLECT:
  case TILE_MMA:
  case TILE_MMA_SCALED:
  case WGMMA_MMA:
  case TILE_RMW:
  case TILE_CAS: return true;
  case TILE_BROADCAST:
  case TILE_IOTA:
  case TILE_RESHAPE:
  case TILE_PERMUTE:
  case TILE_EXTRACT:
  case TILE_FLIP:
  case TILE_ROLL:
  case TILE_MAP:
  case TILE_BITCAST:
  case TILE_CAST:
  case TILE_AT:
  case TILE_LOAD:
  case TENSOR_READ: // tile_tensor_core.c has changed these
  case TENSOR_WRITE:
  case TENSOR_MMA:
  case WGMMA_LOAD: // nobody asks for its elements
  case TILE_STORE:
  case TILE_PRINT:
  case TILE_ASSERT: break;
  }
  return false;
}

static bool may_not_stop(IrNode *node, void *context) {
  (void)context;
  bool is_owed = node->flags & NODE_OBLIGATION; // tested by --sanitize alone
  return node->op != IR_TRAP && (node->op != IR_ASSERT || is_owed);
}

// What may stop the launch happens, also if nothing needs its result, and so
// does what others may wait for.
static bool row_must_run(const IrNode *node) {
  if (node->op == IR_TILE_LOAD && ir_is_atomic(node))
    return true;
  IrRegion *body = (IrRegion *)(uintptr_t)&node->regions[0];
  return ir_is_operator(node) && !ir_walk(body, may_not_stop, NULL);
}

// Operations for an element, without those of its operands.
static uint32_t row_cost(const IrNode *node) {
  if (node->op == IR_GET)
    return 1;
  if (ir_family(node) == FAMILY_MATH || ir_divides(node->op) ||
      node->op == IR_FDIV || node->op == IR_TILE_MAP ||
      node->op == IR_TILE_LOAD || node->op == IR_TILE_BITCAST ||
      node->op == IR_TILE_CAST)
    return DEAR;
  return ir_family(node) == FAMILY_TILE ? 0 : 1;
}

static bool plan_is_tile(const IrNode *node) {
  return ir_is_tile(node->type);
}

// An element of operand `i` is asked for more than once for one of the node, or
// needs memory.
static uint32_t pulls_of(const Plan *p, const IrNode *node, uint32_t i) {
  const IrModule *module = p->t->kernel->module;
  const IrNode *from = node->args[i];
  uint32_t n_from = ir_tile_elements(module, from->type);
  switch ((int)node->op) {
  case IR_TILE_ARG:
  case IR_TILE_SORT:
  case IR_TILE_ARGSORT:
  case IR_TILE_TOPK: return 2;
  case IR_TILE_BROADCAST:
    return ir_tile_elements(module, node->type) > n_from ? 2 : 1;
  case IR_TILE_BITCAST: {
    uint32_t to_bits = ir_type_bits(ir_element_type(module, node->type));
    uint32_t bits = ir_type_bits(ir_element_type(module, from->type));
    return to_bits >= bits && to_bits % bits == 0 ? 1 : 2;
  }
  case IR_TILE_STORE: // each byte asks for all elements in it
    if (packed_is(p->t, node))
      return 2;
    break;
  default: break;
  }
  bool is_section = ir_op_info(node)->form == FORM_SECTION;
  if (is_section && i < node->u.section.object->rank) {
    IrType moved = node->op == IR_TILE_STORE
                       ? node->args[node->n_args - 1]->type
                       : node->type;
    return ir_tile_elements(module, moved) > n_from ? 2 : 1;
  }
  return 1;
}

// A matrix unit's operand in registers is there before the fence.
static bool is_computed_first(const IrNode *node, uint32_t i) {
  return node->op == IR_TILE_SORT || node->op == IR_TILE_ARGSORT ||
         node->op == IR_TILE_TOPK || (node->op == IR_WGMMA_MMA && i == 0);
}

// ------------------------------------------------------------- positions

static bool plan_is_loop(const IrNode *node) {
  return node->op == IR_FOR || node->op == IR_LOOP;
}

// Up to where `user` asks for the tile.
static uint32_t asks_until(const Plan *p, const IrNode *tile,
                           const IrNode *user, bool *is_repeated) {
  uint32_t until = user->id;
  for (const IrNode *up = user->region->owner; up && up->id > tile->id;
       up = up->region->owner)
    if (plan_is_loop(up)) {
      until = p->t->facts[up->id].end;
      *is_repeated = true;
    }
  return until;
}

static const IrNode *innermost_loop(const IrNode *node) {
  const IrNode *up = node->region->owner;
  while (up && !plan_is_loop(up))
    up = up->region->owner;
  return up;
}

// ------------------------------------------------------------ what changes

static bool plan_may_write(const Plan *p, const IrNode *write,
                           const IrNode *load) {
  const IrObject *object = load->u.section.object;
  IrForm form = ir_op_info(write)->form;
  if (form == FORM_SECTION)
    return write->u.section.order > ORDER_RELAXED ||
           ir_may_alias(p->t->kernel, write->u.section.object, object);
  if (form != FORM_ACCESS || write->u.access.order > ORDER_RELAXED)
    return true; // it orders what others write
  if (!ir_is_write(write))
    return false;
  if (!write->u.access.object)
    return ir_pointer_may_reach(write, object);
  return ir_may_alias(p->t->kernel, write->u.access.object, object);
}

static bool plan_may_change(const Plan *p, const IrNode *write,
                            const IrNode *read) {
  if (read->op != IR_GET)
    return write->op != IR_SET && !p->t->facts[write->id].direct &&
           plan_may_write(p, write, read);
  uint32_t var = read->u.variable.var;
  return write->op == IR_SET ? write->u.variable.var == var
                             : p->t->facts[write->id].direct == var + 1;
}

// All that the tile takes from `read` it takes at the same place.
static bool reads_same_place(const Plan *p, const IrNode *tile,
                             const IrNode *read, bool is_same) {
  if (tile == read)
    return is_same;
  if (!plan_is_tile(tile) || p->t->facts[tile->id].is_kept)
    return true;
  for (uint32_t i = 0; i < tile->n_args; i++)
    if (!reads_same_place(p, tile->args[i], read,
                          is_same && tile_is_pointwise(tile)))
      return false;
  return true;
}

static bool is_same_number(const IrNode *a, const IrNode *b) {
  return a == b || (a->op == IR_CONST && b->op == IR_CONST &&
                    ir_type_equal(a->type, b->type) &&
                    a->u.constant.bits == b->u.constant.bits);
}

// Their indices of dimension `i` count from the same element.
static bool same_origin(const IrNode *load, const IrNode *store, uint32_t i) {
  if (load->u.section.has_view != store->u.section.has_view)
    return false;
  const IrNode *a = section_origin(load, i), *b = section_origin(store, i);
  return !a || is_same_number(a, b);
}

static bool same_section(const IrNode *load, const IrNode *store) {
  const IrObject *object = load->u.section.object;
  if (store->op != IR_TILE_STORE || store->u.section.object != object)
    return false;
  for (uint32_t i = 0; i < object->rank; i++) {
    IrSectionKind kind = load->u.section.kind[i];
    if (kind == SECTION_GATHER || kind != store->u.section.kind[i] ||
        !is_same_number(load->args[i], store->args[i]) ||
        !same_origin(load, store, i) ||
        (kind == SECTION_RANGE &&
         load->u.section.length[i] != store->u.section.length[i]))
      return false;
  }
  return true;
}

static bool plan_is_product(const IrNode *node) {
  return node->op == IR_TILE_MMA || node->op == IR_WGMMA_MMA;
}

// The last consumer writes, but each element right after it was read.
static bool writes_behind(const Plan *p, const IrNode *write,
                          const IrNode *read) {
  if (innermost_loop(write) != innermost_loop(read))
    return false;
  if (write->op == IR_SET)
    return reads_same_place(p, write->args[0], read, true);
  if (plan_is_product(write)) // right into a variable
    return reads_same_place(p, write->args[0], read, false) &&
           reads_same_place(p, write->args[1], read, false) &&
           reads_same_place(p, write->args[2], read, true);
  if (read->op == IR_GET || !same_section(read, write))
    return false;
  for (uint32_t i = 0; i + 1 < write->n_args; i++)
    if (!reads_same_place(p, write->args[i], read, false))
      return false;
  return reads_same_place(p, write->args[write->n_args - 1], read, true);
}

static uint32_t first_write_behind(const Plan *p, uint32_t id) {
  uint32_t low = 0, high = p->writes.count;
  while (low < high) {
    uint32_t half = (low + high) / 2;
    if (p->writes.data[half]->id > id)
      high = half;
    else
      low = half + 1;
  }
  return low;
}

// Something writes, before its last consumer, what `read` reads.
static bool plan_is_overwritten(const Plan *p, const IrNode *read) {
  uint32_t last = p->t->facts[read->id].last;
  for (uint32_t i = first_write_behind(p, read->id); i < p->writes.count; i++) {
    const IrNode *write = p->writes.data[i];
    if (write->id > last)
      return false;
    if (plan_may_change(p, write, read) &&
        !(write->id == last && writes_behind(p, write, read)))
      return true;
  }
  return false;
}

// ------------------------------------------------- right into a variable

// A kept tile that only a `set` takes, soon after, is computed where the
// variable is, unless something between reads or sets it.
#define MOST_BETWEEN 64

static bool between_is_free(const IrNode *tile, const IrNode *set) {
  uint32_t count = 0;
  for (const IrNode *node = tile->next; node != set; node = node->next) {
    if (!node || node->n_regions > 0 || ++count > MOST_BETWEEN)
      return false;
    if (ir_op_info(node)->form == FORM_VAR &&
        node->u.variable.var == set->u.variable.var)
      return false;
  }
  return true;
}

static void plan_direct(const Plan *p) {
  uint32_t *n_uses = ARENA_ARRAY(p->t->scratch, uint32_t, p->t->n_nodes);
  for (uint32_t id = 0; id < p->t->n_nodes; id++)
    for (uint32_t i = 0; i < p->nodes[id]->n_args; i++)
      n_uses[p->nodes[id]->args[i]->id]++;
  for (uint32_t id = 0; id < p->t->n_nodes; id++) {
    const IrNode *set = p->nodes[id];
    if (set->op != IR_SET || !plan_is_tile(set->args[0]))
      continue;
    const IrNode *tile = set->args[0];
    if (plan_is_product(tile) && n_uses[tile->id] == 1 &&
        tile->region == set->region && between_is_free(tile, set))
      p->t->facts[tile->id].direct = set->u.variable.var + 1;
  }
}

// ---------------------------------------------------------------- the plan

static bool plan_list(IrNode *node, void *context) {
  Plan *plan = context;
  plan->nodes[node->id] = node;
  return true;
}

static void plan_ends(const Plan *p) {
  TileFact *facts = p->t->facts;
  for (uint32_t id = p->t->n_nodes; id-- > 0;) {
    const IrNode *node = p->nodes[id];
    if (facts[id].end < id)
      facts[id].end = id;
    const IrNode *owner = node->region->owner;
    if (owner && facts[owner->id].end < facts[id].end)
      facts[owner->id].end = facts[id].end;
  }
}

static void plan_writes(Plan *p) {
  for (uint32_t id = 0; id < p->t->n_nodes; id++) {
    IrNode *node = p->nodes[id];
    bool sets = node->op == IR_SET && plan_is_tile(node->args[0]);
    IrForm form = ir_op_info(node)->form;
    bool is_ordered =
        (form == FORM_ACCESS && node->u.access.order > ORDER_RELAXED) ||
        (form == FORM_SECTION && node->u.section.order > ORDER_RELAXED);
    bool meets = (ir_op_info(node)->flags & (OPF_COLLECTIVE | OPF_BLOCKS)) ||
                 ir_op_info(node)->waits || ir_op_info(node)->signals;
    if (sets || p->t->facts[id].direct || is_ordered || meets ||
        (ir_op_info(node)->memory & (MEM_WRITE | MEM_ORDER)))
      VEC_PUSH(p->t->scratch, &p->writes, node);
  }
}

// Costs and depths, from operands to results.
static void plan_costs(const Plan *p) {
  TileFact *facts = p->t->facts;
  for (uint32_t id = 0; id < p->t->n_nodes; id++) {
    const IrNode *node = p->nodes[id];
    uint32_t cost = row_cost(node), depth = 0;
    for (uint32_t i = 0; i < node->n_args; i++) {
      const TileFact *from = &facts[node->args[i]->id];
      if (!plan_is_tile(node->args[i]))
        continue;
      cost += from->is_kept ? 1 : from->cost;
      if (!from->is_kept && from->depth + 1u > depth)
        depth = from->depth + 1u;
    }
    facts[id].cost = cost > DEAR ? DEAR : cost;
    facts[id].depth = (uint8_t)depth;
    facts[id].must_run = row_must_run(node);
    facts[id].is_kept =
        plan_is_tile(node) &&
        (depth >= MOST_DEPTH || facts[id].must_run ||
         (ir_family(node) == FAMILY_TILE && row_is_kept(node)) ||
         tensor_is_left(p->t, node));
  }
}

// All consumers of the node are decided.
static void plan_tile(const Plan *p, const IrNode *node) {
  TileFact *fact = &p->t->facts[node->id];
  if (!plan_is_tile(node) || fact->is_kept || fact->pulls == 0)
    return;
  bool is_read = node->op == IR_GET || node->op == IR_TILE_LOAD;
  fact->is_kept = (fact->pulls > 1 && fact->cost > CHEAP) ||
                  (is_read && plan_is_overwritten(p, node));
}

static void plan_operands(const Plan *p, const IrNode *node) {
  TileFact *facts = p->t->facts, *own = &facts[node->id];
  bool is_moved = plan_is_tile(node) && !own->is_kept;
  if (plan_is_tile(node) && own->pulls == 0 && !ir_is_write(node) &&
      !own->must_run)
    return; // nothing needs it
  for (uint32_t i = 0; i < node->n_args; i++) {
    const IrNode *from = node->args[i];
    if (!plan_is_tile(from))
      continue;
    TileFact *fact = &facts[from->id];
    bool is_repeated = false;
    uint32_t until = asks_until(p, from, node, &is_repeated);
    if (is_moved && own->last > until)
      until = own->last;
    if (until > fact->last)
      fact->last = until;
    uint32_t pulls = pulls_of(p, node, i) * (is_repeated ? 2 : 1) *
                     (is_moved ? own->pulls : 1);
    fact->pulls = fact->pulls + pulls > 2 ? 2 : fact->pulls + pulls;
    fact->is_kept |= is_computed_first(node, i) && from->op != IR_GET &&
                     from->op != IR_WGMMA_LOAD;
  }
}

void tile_plan(Lower *t) {
  Plan plan = {.t = t};
  plan.nodes = ARENA_ARRAY(t->scratch, IrNode *, t->n_nodes);
  t->facts = ARENA_ARRAY(t->scratch, TileFact, t->n_nodes);
  ir_walk(&t->kernel->body, plan_list, &plan);
  plan_ends(&plan);
  plan_direct(&plan);
  plan_writes(&plan);
  plan_costs(&plan);
  for (uint32_t id = t->n_nodes; id-- > 0;) {
    plan_tile(&plan, plan.nodes[id]);
    plan_operands(&plan, plan.nodes[id]);
  }
}
