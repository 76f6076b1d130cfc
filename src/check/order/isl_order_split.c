// SPDX-License-Identifier: Apache-2.0
// The graph of a cluster, block by block: Note [Blocks of a cluster].
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include <stdio.h>
#include <string.h>

// Which dimension of the node's tuple is a block's rank; -1: none.
static int block_dimension(const char *tuple) {
  switch (tuple ? tuple[0] : 0) {
  case NODE_PHASE: return 0;
  case NODE_MEETING: return 1;
  default: return -1;
  }
}

// Nodes of one block, named for it.
static isl_map *order_split_in_block(isl_map *map, enum isl_dim_type type,
                                     int block) {
  char name[48];
  const char *tuple = isl_map_get_tuple_name(map, type);
  int k = block_dimension(tuple);
  snprintf(name, sizeof name, "%s_%d", tuple, block);
  map = isl_map_fix_si(map, type, (unsigned)k, block);
  map = isl_map_project_out(map, type, (unsigned)k, 1);
  return isl_map_set_tuple_name(map, type, name);
}

static bool is_split(const Order *order, isl_map *map) {
  return order->cluster.n_axes > 0 &&
         block_dimension(isl_map_get_tuple_name(map, isl_dim_out)) >= 0;
}

isl_union_map *order_split(const Order *order, isl_map *map) {
  if (!map || !is_split(order, map))
    return isl_union_map_from_map(map);
  isl_union_map *all =
      isl_union_map_empty(isl_space_params_alloc(order->ctx, 0));
  for (int i = 0; i < order->cluster.size; i++)
    all = isl_union_map_add_map(
        all, order_split_in_block(isl_map_copy(map), isl_dim_out, i));
  isl_map_free(map);
  return all;
}

isl_union_map *order_split_both(const Order *order, isl_map *map) {
  if (!map || !is_split(order, map))
    return isl_union_map_from_map(map);
  isl_union_map *all =
      isl_union_map_empty(isl_space_params_alloc(order->ctx, 0));
  for (int i = 0; i < order->cluster.size; i++) {
    isl_map *part = order_split_in_block(isl_map_copy(map), isl_dim_in, i);
    all =
        isl_union_map_add_map(all, order_split_in_block(part, isl_dim_out, i));
  }
  isl_map_free(map);
  return all;
}

// ------------------------------------------------------------- operations

isl_set *order_in_block(const Order *order, isl_set *domain, int block) {
  for (uint32_t i = 0; i < order->cluster.n_axes; i++) {
    int dim = (int)order->cluster.dim[i];
    domain = isl_set_fix_si(domain, isl_dim_set, i, block % dim);
    block /= dim;
  }
  return domain;
}

static void order_split_push(Order *order, const OrderOp *op, isl_set *domain,
                             isl_map *node, int block) {
  if (isl_map_is_empty(node) == isl_bool_true) {
    isl_set_free(domain);
    isl_map_free(node);
    return;
  }
  OrderOp *part = ARENA_NEW(order->arena, OrderOp);
  *part = *op;
  part->block = block;
  part->event.domain = domain;
  part->node = node;
  VEC_PUSH(order->arena, &order->parts, part);
  VEC_PUSH(order->arena, &order->graph.ops, part);
}

static void push_block(Order *order, const OrderOp *op, int block) {
  isl_set *domain =
      order_in_block(order, isl_set_copy(op->event.domain), block);
  isl_map *node =
      isl_map_intersect_domain(isl_map_copy(op->node), isl_set_copy(domain));
  if (!is_split(order, node)) {
    order_split_push(order, op, domain, node, block);
    return;
  }
  for (int i = 0; i < order->cluster.size; i++)
    order_split_push(order, op, isl_set_copy(domain),
                     isl_map_coalesce(order_split_in_block(isl_map_copy(node),
                                                           isl_dim_out, i)),
                     block);
  isl_set_free(domain);
  isl_map_free(node);
}

void order_push(Order *order, OrderOp *op) {
  if (order->cluster.n_axes == 0) {
    VEC_PUSH(order->arena, &order->graph.ops, op);
    return;
  }
  for (int i = 0; i < order->cluster.size; i++)
    push_block(order, op, i);
}

void order_clear(Order *order) {
  for (uint32_t i = 0; i < order->parts.count; i++) {
    isl_set_free(order->parts.data[i]->event.domain);
    isl_map_free(order->parts.data[i]->node);
  }
  order->parts.count = order->graph.ops.count = 0;
}

#else
typedef int OrderSplitNotBuilt; // a file can't be empty
#endif
