// SPDX-License-Identifier: Apache-2.0
// One kernel's order: made, checked, freed.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include "base/rescue.h"
#include "check/order/order.h"
#include "check/solve/isl_memory.h"

static OrderCluster cluster_of(const IrKernel *kernel) {
  OrderCluster cluster = {.size = 1};
  for (int k = 0; k < 3; k++) {
    if (kernel->cluster_dim[k] <= 1)
      continue;
    cluster.axis[cluster.n_axes] = (uint8_t)k;
    cluster.dim[cluster.n_axes++] = kernel->cluster_dim[k];
    cluster.size *= kernel->cluster_dim[k];
  }
  return cluster;
}

static void note_touch(const Step *step, void *context) {
  Order *order = context;
  if (step->kind == STEP_TOUCH)
    order->touches.data[step->id].step = step;
}

// The last block of a grid has an index, too: none of its cluster is beyond.
static isl_set *add_last_blocks(const Order *order, OrderDims *dims,
                                isl_set *all) {
  TermTable *terms = order->check->terms;
  for (uint32_t i = 0; i < order->cluster.n_axes; i++) {
    int axis = order->cluster.axis[i];
    const Symbol *block = order->tree->block[axis];
    const Term *grid = order->tree->grid[axis];
    if (!block || !grid || block->high == INT64_MAX)
      continue;
    const Term *most = term_int(terms, block->high + 1);
    isl_set *fact =
        isl_set_params(order_condition(dims, term_le(terms, grid, most)));
    if (isl_set_n_basic_set(fact) == 1)
      all = isl_set_intersect(all, fact);
    else
      isl_set_free(fact);
  }
  return all;
}

// What is known of the parameters: facts that are linear and don't branch.
static void add_facts(Order *order) {
  OrderDims dims = {.ctx = order->ctx,
                    .terms = order->check->terms,
                    .tree = order->tree,
                    .cluster = order->cluster,
                    .is_exact = true};
  isl_set *all = isl_set_universe(isl_space_params_alloc(order->ctx, 0));
  for (uint32_t i = 0; i < order->tree->facts.count; i++) {
    dims.is_exact = true;
    isl_set *fact =
        isl_set_params(order_condition(&dims, order->tree->facts.data[i]));
    if (dims.is_exact && isl_set_n_basic_set(fact) == 1)
      all = isl_set_intersect(all, fact);
    else
      isl_set_free(fact);
  }
  all = add_last_blocks(order, &dims, all);
  all = isl_set_intersect(all, isl_set_params(order_bounds(&dims)));
  order_dims_fini(&dims);
  order->facts = order->graph.context = all;
}

// Of isl, for one kernel: two or three seconds. A ring takes some 100,000.
enum { MAX_OPERATIONS = 3000000, FEW_OPERATIONS = 400000 };

// Of turns that are dealt isl finds what it finds soon; runs find the rest.
static unsigned long most_operations(const Order *order) {
  bool is_short = order->is_quiet || order->check->are_turns_dealt;
  return is_short ? FEW_OPERATIONS : MAX_OPERATIONS;
}

void order_see(Order *order) {
  if (order->is_seen)
    return;
  order->is_seen = true;
  order_begin(order, most_operations(order));
  graph_see(&order->graph);
  order_end(order);
}

Order *isl_order_new(Check *check, bool has_barriers) {
  Order *order = ARENA_NEW(check->arena, Order);
  *order = (Order){.check = check,
                   .arena = check->arena,
                   .tree = check->tree,
                   .is_quiet = check->rings != NULL};
  order->ctx = isl_memory_ctx();
  order->cluster = cluster_of(check->kernel);
  order->graph.ctx = order->ctx;
  order->graph.n_lead = 1 + order->cluster.n_axes;
  VEC_RESERVE(order->arena, &order->touches, check->tree->n_steps);
  order->touches.count = check->tree->n_steps;
  for (uint32_t i = 0; i < order->touches.count; i++)
    order->touches.data[i] = (OrderTouch){0};
  order_begin(order, most_operations(order));
  add_facts(order);
  tree_each(check->tree->first, note_touch, order);
  order_collect(order);
  order_claim(order);
  order_check(order, has_barriers);
  order_end(order);
  if (!order->is_quiet && !check->is_ended) {
    order_check_copies(order);
    order_check_fences(order);
  }
  if (isl_memory_is_out(order->ctx)) {
    isl_order_free(order);
    rescue_out_of_memory();
  }
  return order;
}

void isl_order_fences(Order *order) {
  bool was_quiet = order->is_quiet;
  order->is_quiet = false;
  order_check_fences(order);
  order->is_quiet = was_quiet;
}

static void free_steps(OrderStep *steps, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    order_event_fini(&steps[i].event);
}

static void free_use(OrderUse *use) {
  order_event_fini(&use->op.event);
  isl_map_free(use->op.node);
  isl_map_free(use->claim);
}

static void free_after(OrderAfter *after) {
  for (int i = 0; i <= ORDER_FAR; i++)
    isl_union_map_free(after->nodes[i]);
}

void isl_order_free(Order *order) {
  graph_clear(&order->graph);
  order_clear(order);
  for (uint32_t i = 0; i < order->uses.count; i++)
    free_use(order->uses.data[i]);
  for (uint32_t i = 0; i < order->barriers.count; i++) {
    isl_set_free(order->barriers.data[i]->completed);
    isl_set_free(order->barriers.data[i]->partial);
  }
  for (uint32_t i = 0; i < order->touches.count; i++) {
    OrderTouch *touch = &order->touches.data[i];
    order_event_fini(&touch->event);
    free_after(&touch->after);
    isl_union_map_free(touch->awaited);
    for (int k = 0; touch->landed && k < order->cluster.size; k++)
      free_after(&touch->landed[k]);
  }
  free_steps(order->fences.data, order->fences.count);
  free_steps(order->commits.data, order->commits.count);
  free_steps(order->copy_waits.data, order->copy_waits.count);
  isl_set_free(order->facts);
  isl_ctx_free(order->ctx);
}

#else
typedef int OrderNotBuilt; // a file can't be empty
#endif
