// SPDX-License-Identifier: Apache-2.0
// Where the barrier of an operation lives: its group's instance, or the block
// of the cluster.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>

static isl_map *constant_map(const OrderEvent *event, int64_t value) {
  isl_map *map = isl_map_from_domain(isl_set_copy(event->domain));
  map = isl_map_add_dims(map, isl_dim_out, 1);
  return isl_map_fix_si(map, isl_dim_out, 0, (int)value);
}

isl_map *order_instance(const Order *order, const OrderEvent *event,
                        const Step *step, const IrGroup *group) {
  if (!group || group->kind == GROUP_BLOCK || group->kind == GROUP_CLUSTER ||
      group->kind == GROUP_GRID)
    return constant_map(event, 0);
  const GroupView *view = order_view(order, group);
  return view ? order_term_map(order, event, step, view->instance) : NULL;
}

isl_map *order_own_block(const Order *order, const OrderEvent *event) {
  isl_space *space = isl_set_get_space(event->domain);
  isl_local_space *local = isl_local_space_from_space(space);
  isl_aff *rank = isl_aff_zero_on_domain(local);
  int stride = 1;
  for (uint32_t i = 0; i < order->cluster.n_axes; i++) {
    rank = isl_aff_add_coefficient_si(rank, isl_dim_in, (int)i, stride);
    stride *= (int)order->cluster.dim[i];
  }
  return isl_map_intersect_domain(isl_map_from_aff(rank),
                                  isl_set_copy(event->domain));
}

// Puts a place in the cluster for the block's index.
typedef struct {
  const Order *order;
  int64_t place[3]; // by axis
} InCluster;

// The index is known but for a number of whole clusters.
static const Term *order_homes_place_of(const Symbol *symbol, void *context) {
  const InCluster *in = context;
  TermTable *terms = in->order->check->terms;
  uint32_t number;
  if (symbol->kind != SYMBOL_BLOCK || symbol->copy_of ||
      !order_has_axis(&in->order->cluster, symbol->dimension, &number))
    return NULL;
  int64_t dim = in->order->cluster.dim[number];
  const Term *place = term_int(terms, in->place[number]);
  if (symbol->high < dim)
    return place;
  const Term *clusters = term_of(terms, term_copy_symbol(terms, symbol));
  return term_add(terms, place, term_scale(terms, clusters, dim));
}

// Blocks that the mask names where it is said in the block of this rank; false:
// it isn't known there.
static bool mask_in(const Order *order, const Term *mask, int64_t rank,
                    int64_t *bits) {
  InCluster in = {.order = order};
  for (uint32_t i = 0; i < order->cluster.n_axes; i++) {
    in.place[i] = rank % order->cluster.dim[i];
    rank /= order->cluster.dim[i];
  }
  const Term *here =
      term_replace(order->check->terms, mask, order_homes_place_of, &in);
  return term_is_constant(here, bits);
}

enum { MOST_MASKED = 32 };

isl_set *order_naming(const Order *order, const OrderUse *use, int to) {
  isl_set *domain = use->op.event.domain;
  isl_set *all = isl_set_empty(isl_set_get_space(domain));
  for (int rank = 0; rank < order->cluster.size; rank++) {
    int64_t mask;
    if (order->cluster.size > MOST_MASKED ||
        !mask_in(order, use->use->mask, rank, &mask)) {
      isl_set_free(all);
      return NULL;
    }
    if (mask >> to & 1)
      all =
          isl_set_union(all, order_in_block(order, isl_set_copy(domain), rank));
  }
  return all;
}

// From each execution of an operation with a mask to the ranks of all blocks
// that it names; NULL: not known.
static isl_map *masked_blocks(const Order *order, const OrderUse *use) {
  isl_map *all = NULL;
  for (int to = 0; to < order->cluster.size; to++) {
    isl_set *here = order_naming(order, use, to);
    if (!here) {
      isl_map_free(all);
      return NULL;
    }
    isl_map *one = isl_map_add_dims(isl_map_from_domain(here), isl_dim_out, 1);
    one = isl_map_fix_si(one, isl_dim_out, 0, to);
    all = all ? isl_map_union(all, one) : one;
  }
  return isl_map_coalesce(all);
}

isl_map *order_home(const Order *order, const OrderUse *use) {
  const IrObject *object = use->barrier->object;
  const OrderEvent *event = &use->op.event;
  bool is_block = !object->group || object->group->kind <= GROUP_BLOCK;
  if (order->cluster.n_axes == 0) {
    int64_t blocks = 0;
    (void)term_is_constant(order->tree->cluster_size, &blocks);
    if (use->use->cluster_rank || use->use->mask ||
        (object->is_cluster_shared && blocks != 1))
      return NULL;
    return order_instance(order, event, use->step, object->group);
  }
  if (object->is_cluster_shared)
    return constant_map(event, 0);
  if (!is_block)
    return NULL;
  if (use->use->mask)
    return masked_blocks(order, use);
  if (use->use->cluster_rank)
    return order_term_map(order, event, use->step, use->use->cluster_rank);
  return order_own_block(order, event);
}

#else
typedef int OrderHomesNotBuilt; // a file can't be empty
#endif
