// SPDX-License-Identifier: Apache-2.0
// What happens before what, as relations between events and nodes.
//
// An event is one static operation, a point for each time that a thread does
// it: [thread, turns of the loops around it, outermost first]. With clusters
// the block's rank comes before the thread. A node is a moment that several
// threads share: the completion of a phase of an mbarrier, a meeting of a
// group. Operations signal nodes (a node follows all that signal it), await
// nodes (it follows the node), or both (sync).
//
// `must` holds only pairs that are in order in time, `seen` those of them that
// order memory; all between nodes. Note [Order] in
// docs/internals/check-order.md.
#ifndef HD_CHECK_ORDER_ISL_ORDER_GRAPH_H
#define HD_CHECK_ORDER_ISL_ORDER_GRAPH_H

#include "base/vec.h"
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdbool.h>
#include <stdint.h>

enum { ORDER_MAX_LOOPS = 6 };

typedef struct {
  uint32_t position; // in program order, among what shares a turn
  uint32_t n_loops;
  const void *loops[ORDER_MAX_LOOPS]; // identities, outermost first
  // The same, but of a nest that is one loop the outer one of it.
  const void *outer[ORDER_MAX_LOOPS];
  isl_set *domain; // owned
  bool is_exact;   // else the domain has points too many
} OrderEvent;

typedef struct {
  OrderEvent event;
  bool signals, awaits;
  // In order in time, but not for memory: a copy that signals when it has
  // landed was asked for before, and publishes nothing of its thread; a
  // collective makes its group wait.
  bool is_silent;
  // Silent, but what its thread has awaited at mbarriers is ordered before it.
  bool hands_on, is_of_barrier;
  // Done once for a group by one of its threads, whichever: it follows only
  // what all of them have behind them.
  bool is_once;
  // Threads of a group may wait for each other here, or not: a copy that they
  // make together.
  bool is_loose;
  int block;     // of a cluster, whose threads do it: no others follow it
  isl_map *node; // owned: event -> node; NULL: takes no part
} OrderOp;

typedef struct {
  isl_ctx *ctx;
  uint32_t n_lead; // dimensions before the turns: the thread, axes of clusters
  hd_vec(OrderOp *) ops; // borrowed
  // What holds of the parameters, borrowed, or NULL: order is told for those.
  isl_set *context;
  isl_union_map *follows; // owned: further pairs of nodes in order, or NULL
  isl_union_map *must;    // owned, transitively closed as far as that went
  isl_union_map *seen;    // owned, the same; NULL before graph_see
  // Owned: the same through one thread each.
  isl_union_map *must_steps, *seen_steps;
  bool is_must_closed, has_silent;
} OrderGraph;

// One is inside of a nest that is one loop, and the other in its outer loop
// only: they share a loop that isn't a dimension of both.
bool graph_are_apart(const OrderEvent *a, const OrderEvent *b);
// Program order of one thread: strictly before, both executed. None is told of
// events that are apart.
isl_map *graph_program_order(const OrderGraph *graph, const OrderEvent *a,
                             const OrderEvent *b);
// All but `seen`, from `ops` and `follows`. Called again after they changed.
void graph_close(OrderGraph *graph);
// `seen`, which costs as much, from the graph that was closed.
void graph_see(OrderGraph *graph);
void graph_clear(OrderGraph *graph); // frees what it owns

// In time, or for memory.
typedef enum { ORDER_TIME, ORDER_MEMORY } OrderSense;

// Through the event's own thread, one other, or any number. Each is a part of
// the next, found sooner, and often enough.
typedef enum { ORDER_NEAR, ORDER_STEP, ORDER_FAR } OrderReach;

// Nodes that follow what is done before: event -> node. With `own`, a map from
// the event to nodes that follow it (an asynchronous copy), instead of what the
// thread signals later. Far in memory: needs graph_see.
isl_union_map *graph_after(const OrderGraph *graph, const OrderEvent *event,
                           const isl_union_map *own, OrderSense sense,
                           OrderReach reach);
// Nodes that precede the event in time: node -> event. `own`: those near it, or
// NULL.
isl_union_map *graph_ahead(const OrderGraph *graph, const OrderEvent *event,
                           const isl_union_map *own, OrderReach reach);
// What the thread awaited before the event, for memory, without what follows
// from that.
isl_union_map *graph_awaited(const OrderGraph *graph, const OrderEvent *event);
// No node waits for itself.
bool graph_is_acyclic(const OrderGraph *graph);

#endif
