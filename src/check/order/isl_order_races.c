// SPDX-License-Identifier: Apache-2.0
// Whether two touches are always in order, and with the fence that they need.
#ifdef HD_HAVE_ISL

#include "base/panic.h"
#include "check/order/isl_order_done.h"
#include <isl/space.h>
#include <isl/val.h>

// ------------------------------------------------------------ pairs of events

// Symbols of the pair that aren't the same for all threads of the block.
static void add_symbol(const Symbol *symbol, void *context) {
  OrderDims *dims = (OrderDims *)context;
  if (order_is_shared(dims, symbol))
    return;
  for (uint32_t i = 0; i < dims->n_dims; i++)
    if (dims->symbols[i] == symbol)
      return;
  if (dims->n_dims < ORDER_MAX_DIMS)
    dims->symbols[dims->n_dims++] = symbol;
}

static const Term *side_term(const Order *order, const OrderSide *side,
                             const Symbol *symbol) {
  const Term *term = side->map ? side->map(symbol, side->context) : NULL;
  return term ? term : term_of(order->check->terms, symbol);
}

// The side's turn of a nest that is one loop, of its turns of the two.
static const Term *nest_turn(const Order *order, const OrderSide *side,
                             const OrderFlat *flat) {
  TermTable *terms = order->check->terms;
  const Term *outer = side_term(order, side, flat->outer->turn);
  return term_add(terms, order_flat_start(order, flat, outer),
                  side_term(order, side, flat->inner->turn));
}

// A dimension for it, in the place of the inner turn. Where both sides have the
// same inner turn it is that of the first, and of the other nothing is said.
static void add_nest(const Order *order, const OrderSide *side,
                     const OrderFlat *flat, OrderDims *dims) {
  TermTable *terms = order->check->terms;
  const Term *inner = side_term(order, side, flat->inner->turn);
  const Term *outer = side_term(order, side, flat->outer->turn);
  term_symbols(inner, add_symbol, dims);
  term_symbols(outer, add_symbol, dims);
  for (uint32_t i = 0; i < dims->n_replaced; i++)
    if (dims->replaced[i] == inner->symbol)
      return;
  if (inner->kind != TERM_SYMBOL || dims->n_dims == ORDER_MAX_DIMS)
    return;
  const Symbol *turn = term_symbol_new(terms, flat->loop.turn);
  dims->symbols[dims->n_dims++] = turn;
  order_replace_turn(dims, inner->symbol,
                     term_sub(terms, term_of(terms, turn),
                              order_flat_start(order, flat, outer)));
}

static void add_side(const Order *order, const OrderSide *side,
                     OrderDims *dims) {
  OrderDims own;
  order_step_dims(order, side->step, &own);
  for (uint32_t i = 0; i < own.n_dims; i++) {
    const Symbol *symbol = own.symbols[i]
                               ? own.symbols[i]
                               : order->tree->block[order->cluster.axis[i]];
    const OrderFlat *flat = order_flat_of(order, symbol);
    if (flat)
      add_nest(order, side, flat, dims);
    else
      term_symbols(side_term(order, side, symbol), add_symbol, dims);
  }
}

// Index of the side's block along an axis of clusters.
static isl_pw_aff *order_races_block_of(const Order *order,
                                        const OrderSide *side, OrderDims *dims,
                                        uint32_t i) {
  const Symbol *block = order->tree->block[order->cluster.axis[i]];
  return order_value(dims, side_term(order, side, block));
}

static isl_val *cluster_dim(const Order *order, uint32_t i) {
  return isl_val_int_from_si(order->ctx, (long)order->cluster.dim[i]);
}

// Points at which the side's block is in the cluster that is looked at; the
// parameters stand for any.
static isl_set *in_cluster(const Order *order, const OrderSide *side,
                           OrderDims *dims) {
  isl_set *all = isl_set_universe(order_space(dims));
  for (uint32_t i = 0; i < order->cluster.n_axes; i++) {
    isl_pw_aff *index = isl_pw_aff_scale_down_val(
        order_races_block_of(order, side, dims, i), cluster_dim(order, i));
    all = isl_set_intersect(all, isl_pw_aff_eq_set(isl_pw_aff_floor(index),
                                                   order_cluster(dims, i)));
  }
  return all;
}

// Point of the pair -> the side's event.
static isl_map *side_map(const Order *order, const OrderSide *side,
                         OrderDims *dims) {
  OrderDims own;
  order_step_dims(order, side->step, &own);
  isl_map *map = isl_map_from_domain(isl_set_universe(order_space(dims)));
  for (uint32_t i = 0; i < own.n_dims; i++) {
    const OrderFlat *flat = order_flat_of(order, own.symbols[i]);
    isl_pw_aff *value =
        own.symbols[i]
            ? order_value(dims, flat ? nest_turn(order, side, flat)
                                     : side_term(order, side, own.symbols[i]))
            : isl_pw_aff_mod_val(order_races_block_of(order, side, dims, i),
                                 cluster_dim(order, i));
    if (value)
      map = isl_map_flat_range_product(map, isl_map_from_pw_aff(value));
    else
      map = isl_map_add_dims(map, isl_dim_out, 1);
  }
  return map;
}

static isl_map *order_races_within(const Order *order, isl_map *pairs,
                                   const OrderTouch *a, const OrderTouch *b) {
  pairs = isl_map_intersect_domain(pairs, isl_set_copy(a->event.domain));
  pairs = isl_map_intersect_range(pairs, isl_set_copy(b->event.domain));
  return isl_map_intersect_params(pairs, isl_set_copy(order->facts));
}

// Points at which the two touches conflict, or more, and what they are there.
typedef struct {
  OrderDims dims;
  isl_set *points; // NULL: in different clusters, too
  isl_map *first, *second;
} Conflict;

static const OrderFlat *flat_around(const Order *order, const Step *step) {
  const CheckLoop *loops[ORDER_MAX_LOOPS];
  uint32_t n = order_loops(order, step, loops);
  const OrderFlat *flat = NULL;
  for (uint32_t i = 0; i < n && n <= ORDER_MAX_LOOPS && !flat; i++)
    flat = order_flat_of(order, loops[i]->turn);
  return flat;
}

// Of two nests whose inner loops turn equally often, what is in a later turn of
// the outer loop is later in the nest.
static const Term *nests_agree(const Order *order, const OrderSide *a,
                               const OrderSide *b) {
  TermTable *terms = order->check->terms;
  const OrderFlat *first = flat_around(order, a->step);
  const OrderFlat *second = flat_around(order, b->step);
  if (!first || !second || first->inner->trips != second->inner->trips)
    return term_true(terms);
  const Term *x = side_term(order, a, first->outer->turn);
  const Term *y = side_term(order, b, second->outer->turn);
  const Term *g = nest_turn(order, a, first), *h = nest_turn(order, b, second);
  return term_and(terms,
                  term_or(terms, term_le(terms, y, x), term_lt(terms, g, h)),
                  term_or(terms, term_le(terms, x, y), term_lt(terms, h, g)));
}

static void conflict_init(Conflict *c, Order *order, const OrderSide *a,
                          const OrderSide *b, const Term *const *conditions,
                          uint32_t n) {
  *c = (Conflict){.dims = {.ctx = order->ctx,
                           .terms = order->check->terms,
                           .tree = order->tree,
                           .cluster = order->cluster,
                           .is_exact = true}};
  add_side(order, a, &c->dims);
  add_side(order, b, &c->dims);
  for (uint32_t i = 0; i < n; i++)
    term_symbols(conditions[i], add_symbol, &c->dims);
  isl_set *set = isl_set_universe(order_space(&c->dims));
  for (uint32_t i = 0; i < n; i++)
    set = isl_set_intersect(set, order_condition(&c->dims, conditions[i]));
  set = isl_set_intersect(set,
                          order_condition(&c->dims, nests_agree(order, a, b)));
  c->first = side_map(order, a, &c->dims);
  c->second = side_map(order, b, &c->dims);
  set = isl_set_intersect(set, order_bounds(&c->dims));
  if (order->cluster.n_axes > 0) {
    isl_set *here = in_cluster(order, a, &c->dims);
    set = isl_set_intersect(set, isl_set_copy(here));
    here = isl_set_intersect(here, in_cluster(order, b, &c->dims));
    isl_set *apart = isl_set_subtract(isl_set_copy(set), here);
    if (!set_is_empty(apart))
      set = isl_set_free(set);
    isl_set_free(apart);
  }
  c->points = set;
}

static void conflict_fini(Conflict *c) {
  isl_set_free(c->points);
  isl_map_free(c->first);
  isl_map_free(c->second);
  order_dims_fini(&c->dims);
}

static isl_set *no_points(isl_set *set) {
  isl_space *space = isl_set_get_space(set);
  isl_set_free(set);
  return isl_set_empty(space);
}

// Events that conflict where the condition holds as well, or more.
static isl_map *conflicting(Order *order, Conflict *c, const OrderSide *a,
                            const OrderSide *b, const Term *also) {
  isl_set *set = isl_set_copy(c->points);
  if (also->kind != TERM_TRUE)
    set = isl_set_intersect(set, order_condition(&c->dims, also));
  if (isl_set_is_empty(set) == isl_bool_true) // of other blocks, often
    set = no_points(set);
  isl_map *first =
      isl_map_intersect_domain(isl_map_copy(c->first), isl_set_copy(set));
  isl_map *second = isl_map_intersect_domain(isl_map_copy(c->second), set);
  isl_map *pairs = isl_map_apply_range(isl_map_reverse(first), second);
  return order_races_within(order, pairs, order_touch(order, a->step),
                            order_touch(order, b->step));
}

// ----------------------------------------------------------------- questions

enum { MAX_OPERATIONS = 2000000 };

// Or of one cluster.
static bool is_one_block(const Order *order, const OrderSide *a,
                         const OrderSide *b) {
  for (int i = 0; i < 3; i++) {
    const Symbol *block = order->tree->block[i];
    uint32_t axis;
    if (block && !order_has_axis(&order->cluster, i, &axis) &&
        side_term(order, a, block) != side_term(order, b, block))
      return false;
  }
  return true;
}

// One or all of the blocks in which a multicast copy lands.
typedef struct {
  const OrderSide *side;
  OrderTouch *touch;
  const OrderUse *spread; // NULL: it is no such copy
  int block;
} PairSide;

static PairSide pair_side(Order *order, const OrderSide *side) {
  PairSide result = {side, order_touch(order, side->step), NULL,
                     ORDER_ALL_BLOCKS};
  const OrderUse *use =
      order_is_async(side->step) ? order_landing(order, side->step) : NULL;
  if (use && use->use->mask) {
    result.spread = use;
    result.block = 0;
  }
  return result;
}

// Executions that write in that block, or more.
static isl_set *where_it_lands(const Order *order, const PairSide *side) {
  isl_set *all = isl_set_copy(side->touch->event.domain);
  isl_set *naming =
      side->spread ? order_naming(order, side->spread, side->block) : NULL;
  return naming ? isl_set_intersect(all, naming) : all;
}

static const Term *in_that_block(const Order *order, const PairSide *side) {
  const Term *rank = side->side->step->u.touch.touch->cluster_rank;
  TermTable *terms = order->check->terms;
  if (!side->spread || !rank)
    return term_true(terms);
  if (side->side->map)
    rank = term_replace(terms, rank, side->side->map, side->side->context);
  return term_eq(terms, rank, term_int(terms, side->block));
}

static bool are_pairs_ordered(Order *order, isl_map *pairs, const PairSide *a,
                              const PairSide *b, bool is_first,
                              OrderReach reach) {
  isl_union_map *ordered =
      order_before(order, a->touch, a->block, b->touch, reach);
  if (!is_first)
    ordered = isl_union_map_union(
        ordered, isl_union_map_reverse(
                     order_before(order, b->touch, b->block, a->touch, reach)));
  return pairs_are_within(isl_union_map_from_map(isl_map_copy(pairs)), ordered);
}

// Within a question, whose operations begin anew.
static void see_far(Order *order) {
  if (order->is_seen)
    return;
  order_end(order);
  order_see(order);
  order_begin(order, MAX_OPERATIONS);
}

static bool is_pair_ordered(Order *order, Conflict *conflict, const PairSide *a,
                            const PairSide *b, bool is_first) {
  const Term *where = term_and(order->check->terms, in_that_block(order, a),
                               in_that_block(order, b));
  isl_map *pairs = conflicting(order, conflict, a->side, b->side, where);
  pairs = isl_map_intersect_domain(pairs, where_it_lands(order, a));
  pairs = isl_map_intersect_range(pairs, where_it_lands(order, b));
  if (isl_map_is_empty(pairs) == isl_bool_true) {
    isl_map_free(pairs);
    return true;
  }
  bool result = false;
  for (OrderReach reach = ORDER_NEAR; reach <= ORDER_FAR && !result; reach++) {
    if (reach == ORDER_FAR)
      see_far(order);
    result = are_pairs_ordered(order, pairs, a, b, is_first, reach);
  }
  isl_map_free(pairs);
  return result;
}

// For each block in which they land.
static bool are_ordered(Order *order, PairSide *a, PairSide *b, bool is_first,
                        const Term *const *conditions, uint32_t n) {
  int n_first = a->spread ? (int)order->cluster.size : 1;
  int n_second = b->spread ? (int)order->cluster.size : 1;
  bool is_ordered = true;
  Conflict conflict;
  conflict_init(&conflict, order, a->side, b->side, conditions, n);
  for (int i = 0; i < n_first * n_second && is_ordered; i++) {
    if (a->spread)
      a->block = i / n_second;
    if (b->spread)
      b->block = i % n_second;
    is_ordered = is_pair_ordered(order, &conflict, a, b, is_first);
  }
  conflict_fini(&conflict);
  return is_ordered;
}

static bool proves_order(Order *order, const OrderSide *a, const OrderSide *b,
                         bool is_first, const Term *const *conflict,
                         uint32_t n_conflict) {
  HD_ASSERT(a->step && b->step && n_conflict > 0);
  if (!is_one_block(order, a, b))
    return false;
  order_begin(order, MAX_OPERATIONS);
  PairSide first = pair_side(order, a), second = pair_side(order, b);
  bool result =
      first.touch && second.touch &&
      are_ordered(order, &first, &second, is_first, conflict, n_conflict);
  order_end(order);
  return result;
}

bool order_proves(Order *order, const OrderSide *a, const OrderSide *b,
                  const Term *const *conflict, uint32_t n_conflict) {
  return proves_order(order, a, b, false, conflict, n_conflict);
}

bool order_proves_first(Order *order, const OrderSide *a, const OrderSide *b,
                        const Term *const *conflict, uint32_t n_conflict) {
  return proves_order(order, a, b, true, conflict, n_conflict);
}

// -------------------------------------------------------------------- fences

// b follows the fence, of its own thread or another.
static isl_union_map *behind_fence(Order *order, const OrderEvent *fence,
                                   OrderTouch *b, OrderReach reach) {
  isl_union_map *publish = isl_union_map_apply_range(
      graph_after(&order->graph, fence, NULL, ORDER_MEMORY, reach),
      order_awaited(order, b));
  return isl_union_map_union(publish, order_of_thread(order, fence, &b->event));
}

// a, then a fence, then b: of the writer before it publishes, or of the one who
// issues the copy after its wait. A copy is made when it has been waited for.
static isl_union_map *fenced(Order *order, OrderTouch *a, OrderTouch *b,
                             OrderReach reach) {
  isl_union_map *all = order_no_pairs(order);
  for (uint32_t i = 0; i < order->fences.count; i++) {
    const OrderEvent *fence = &order->fences.data[i].event;
    if (!order->fences.data[i].event.is_exact)
      continue;
    bool is_async = order_is_async(a->step);
    isl_union_map *to = is_async ? order_before_event(order, a, fence, reach)
                                 : order_of_thread(order, &a->event, fence);
    all = isl_union_map_union(
        all,
        isl_union_map_apply_range(to, behind_fence(order, fence, b, reach)));
    if (is_async)
      continue;
    isl_union_map *take =
        isl_union_map_apply_range(graph_awaited(&order->graph, fence),
                                  order_of_thread(order, fence, &b->event));
    all = isl_union_map_union(
        all, isl_union_map_apply_range(
                 order_after(order, a, ORDER_ALL_BLOCKS, reach), take));
  }
  return all;
}

// Copies of all symbols of one thread, for a second one.
typedef struct {
  Order *order;
  uint32_t n;
  const Symbol *symbols[ORDER_MAX_DIMS];
  const Term *copies[ORDER_MAX_DIMS];
} SecondThread;

static const Term *second_copy(const Symbol *symbol, void *context) {
  SecondThread *second = (SecondThread *)context;
  OrderDims dims = {.ctx = second->order->ctx}; // blocks are alone
  if (order_is_shared(&dims, symbol))
    return NULL; // the same block, with clusters as well
  for (uint32_t i = 0; i < second->n; i++)
    if (second->symbols[i] == symbol)
      return second->copies[i];
  TermTable *terms = second->order->check->terms;
  const Term *copy = term_of(terms, term_copy_symbol(terms, symbol));
  if (second->n < ORDER_MAX_DIMS) {
    second->symbols[second->n] = symbol;
    second->copies[second->n++] = copy;
  }
  return copy;
}

// Conditions under which both touch a common element, or more.
static uint32_t order_races_overlap(Order *order, const Step *a, const Step *b,
                                    SecondThread *second,
                                    const Term **conditions) {
  TermTable *terms = order->check->terms;
  const Touch *x = a->u.touch.touch, *y = b->u.touch.touch;
  uint32_t n = 0;
  conditions[n++] = a->path;
  conditions[n++] = term_replace(terms, b->path, second_copy, second);
  bool are_elements = x->object && x->object == y->object &&
                      x->n_index == y->n_index &&
                      x->n_bytes <= x->object->element_bytes &&
                      y->n_bytes <= y->object->element_bytes;
  for (int i = 0; are_elements && i < x->n_index; i++)
    conditions[n++] =
        term_eq(terms, x->index[i],
                term_replace(terms, y->index[i], second_copy, second));
  const IrGroup *group = x->object ? x->object->group : NULL;
  const GroupView *view =
      group && group->kind > GROUP_BLOCK ? order_view(order, group) : NULL;
  if (view)
    conditions[n++] =
        term_eq(terms, view->instance,
                term_replace(terms, view->instance, second_copy, second));
  return n;
}

static bool are_pairs_fenced(Order *order, isl_map *pairs, OrderTouch *a,
                             OrderTouch *b, OrderReach reach) {
  isl_union_map *ordered = isl_union_map_union(
      fenced(order, a, b, reach), isl_union_map_reverse(order_before(
                                      order, b, ORDER_ALL_BLOCKS, a, reach)));
  return pairs_are_within(isl_union_map_from_map(isl_map_copy(pairs)), ordered);
}

static bool are_fenced(Order *order, const Step *a, const Step *b) {
  OrderTouch *first = order_touch(order, a), *second = order_touch(order, b);
  if (!first || !second)
    return false;
  SecondThread thread = {.order = order};
  const Term *conditions[IR_MAX_RANK + 3];
  uint32_t n = order_races_overlap(order, a, b, &thread, conditions);
  OrderSide sides[] = {{.step = a},
                       {.step = b, .map = second_copy, .context = &thread}};
  Conflict conflict;
  conflict_init(&conflict, order, &sides[0], &sides[1], conditions, n);
  isl_map *pairs = conflicting(order, &conflict, &sides[0], &sides[1],
                               term_true(order->check->terms));
  conflict_fini(&conflict);
  bool result = false;
  for (OrderReach reach = ORDER_NEAR; reach <= ORDER_FAR && !result; reach++) {
    if (reach == ORDER_FAR)
      see_far(order);
    result = are_pairs_fenced(order, pairs, first, second, reach);
  }
  isl_map_free(pairs);
  return result;
}

// The copy's or the write's memory may be another block's.
static bool is_remote(const Step *step) {
  return step->u.touch.touch->cluster_rank != NULL;
}

static bool is_within_block(IrNode *node, void *context) {
  (void)context;
  const IrOpInfo *info = ir_op_info(node);
  const IrGroup *group = info->form == FORM_GROUP ? node->u.group.group : NULL;
  for (const IrGroup *g = group; g && g->kind != GROUP_BLOCK; g = g->parent)
    if (g->kind == GROUP_GRID || g->kind == GROUP_CLUSTER)
      return false;
  return true;
}

// Nothing orders a copy and what another block writes, in memory of all: they
// are apart, or a race.
static bool are_blocks_apart(const Order *order, const Step *copy) {
  const IrObject *object = copy->u.touch.touch->object;
  IrRegion body = order->check->kernel->body;
  return (object && object->space == SPACE_SHARED) ||
         (order->cluster.n_axes == 0 && ir_walk(&body, is_within_block, NULL));
}

void order_check_fences(Order *order) {
  for (uint32_t i = 0; i < order->touches.count; i++) {
    const Step *b = order->touches.data[i].step;
    if (!b || b->u.touch.touch->proxy != PROXY_ASYNC)
      continue;
    for (uint32_t k = 0; k < order->touches.count; k++) {
      const Step *a = order->touches.data[k].step;
      if (!a || !fence_is_needed(order->check, a, b))
        continue;
      order_begin(order, MAX_OPERATIONS);
      if (!is_remote(a) && !is_remote(b) &&
          (fence_is_before_news(a) || fence_is_behind_news(order->check, b) ||
           (are_blocks_apart(order, b) && are_fenced(order, a, b))))
        order_proved(order);
      else
        order_suspect(order, SUSPECT_FENCE, a, b,
                      "no fence_async is proved to lie between this write and "
                      "the copy engine's access");
      order_end(order);
    }
  }
}

// -------------------------------------------------------------------- copies

static isl_set *all_waited(const Order *order, const OrderBarrier *barrier) {
  isl_set *all = NULL;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier != barrier || !use->op.awaits || !use->op.node ||
        !use->op.event.is_exact)
      continue;
    isl_set *set = isl_map_range(isl_map_copy(use->op.node));
    all = all ? isl_set_union(all, set) : set;
  }
  return all;
}

static bool is_landing_awaited(const Order *order, const Step *step) {
  const OrderUse *use = order_landing(order, step);
  if (!use || !use->claim)
    return false;
  isl_set *landed = isl_map_range(isl_map_copy(use->claim));
  isl_set *waited = all_waited(order, use->barrier);
  bool result = waited && set_is_subset(landed, waited);
  isl_set_free(landed);
  isl_set_free(waited);
  return result;
}

void order_check_copies(Order *order) {
  const IrNode *last = NULL;
  for (uint32_t i = 0; i < order->touches.count; i++) {
    const Step *step = order->touches.data[i].step;
    if (!step || step->u.touch.touch->done != DONE_BARRIER ||
        step->node == last)
      continue; // others: phase_flow.c
    last = step->node;
    order_begin(order, MAX_OPERATIONS);
    bool is_done = is_landing_awaited(order, step);
    order_end(order);
    if (is_done)
      order_proved(order);
    else
      order_suspect(
          order, SUSPECT_COPY, step, NULL,
          "no wait is proved to complete this copy before the threads end");
  }
}

#else
typedef int OrderRacesNotBuilt; // a file can't be empty
#endif
