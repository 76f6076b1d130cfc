// SPDX-License-Identifier: Apache-2.0
// Terms as isl's sets and functions over the dimensions of an event.
#ifndef HD_CHECK_ORDER_ISL_ORDER_TERMS_H
#define HD_CHECK_ORDER_ISL_ORDER_TERMS_H

#include "check/tree/tree.h"
#include <isl/aff.h>
#include <isl/set.h>

enum { ORDER_MAX_DIMS = 48, ORDER_MAX_REPLACED = 8 };

// The blocks of a cluster: along which axes there are several, and how many.
typedef struct {
  int64_t size;    // 1: blocks are alone
  uint32_t n_axes; // 0: the same
  uint8_t axis[3];
  int64_t dim[3]; // by number in `axis`
} OrderCluster;

// Which symbol is which dimension. What has one value for all threads of the
// block (with clusters: of the cluster) is a parameter, also when it is an
// expression that isn't linear.
typedef struct {
  isl_ctx *ctx;
  TermTable *terms;
  const Tree *tree;
  // The first dimensions are the block's place in its cluster, one for each of
  // the cluster's axes; the cluster's numbers are parameters.
  OrderCluster cluster;
  uint32_t n_dims;
  const Symbol *symbols[ORDER_MAX_DIMS]; // NULL: none
  bool has_bounds;
  bool is_exact;   // set to false where something couldn't be said
  isl_set *bounds; // owned: ranges of the symbols met, or NULL
  uint32_t depth;
  // Turns of inner loops in terms of a nest's, Note [Flat nests].
  uint32_t n_replaced;
  const Symbol *replaced[ORDER_MAX_REPLACED];
  const Term *replaced_by[ORDER_MAX_REPLACED];
} OrderDims;

void order_replace_turn(OrderDims *dims, const Symbol *turn, const Term *by);
const Term *order_flatten(OrderDims *dims, const Term *term);

// A parameter of the block, so that both sides of a pair agree about it.
bool order_is_shared(const OrderDims *dims, const Symbol *symbol);
bool order_is_shared_term(const OrderDims *dims, const Term *term);
// Is the block's index along the axis part of its place in a cluster? Then
// *number is that of the axis.
bool order_has_axis(const OrderCluster *cluster, int axis, uint32_t *number);
// The number of the cluster along one of its axes, a parameter.
isl_pw_aff *order_cluster(const OrderDims *dims, uint32_t number);
isl_space *order_space(const OrderDims *dims);
// NULL: it can't be said.
isl_pw_aff *order_value(OrderDims *dims, const Term *term);
// All points where the condition may hold; exactly those if is_exact stays.
isl_set *order_condition(OrderDims *dims, const Term *condition);
// Ranges of the dimensions' symbols and of the parameters met so far.
isl_set *order_bounds(OrderDims *dims);
void order_dims_fini(OrderDims *dims);

#endif
