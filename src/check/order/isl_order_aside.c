// SPDX-License-Identifier: Apache-2.0
// Note [Meetings aside]
//
//   for (t …) { for (k = 0; k < nk; k++) { wait(full[…]); … arrive(empty[…]); }
//               sync(); … }
//
// The graph doesn't order the sync with what is in the nest, which is one loop
// (Note [Flat nests]), so no cycle through it shows there. There is none if all
// who meet await the same nodes in the nest. For take a cycle with meetings of
// outer loops alone, and a part of it that leads from a node of the nest, which
// thread X signals, through such meetings to a node that thread Y awaited. Y
// did that before the first of these meetings in time, hence in a turn that X
// had finished as well; so X awaited that node before it signalled, and the
// part through the meetings can be left out. A cycle of such meetings alone
// would go back in the program of a thread.
//
// A meeting in the nest of some of those who meet outside needs no more: only
// its members await it, and they all meet outside, so what it stands for is
// what they awaited themselves.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"

bool order_is_aside(const Order *order, const OrderEvent *event) {
  for (uint32_t i = 0; i < event->n_loops; i++)
    for (uint32_t k = 0; k < order->flats.count; k++)
      if (event->loops[i] == order->flats.data[k]->outer)
        return true;
  return false;
}

// Thread -> threads that it meets there, of the dimensions before turns.
static isl_map *met_by(const Order *order, const OrderUse *use) {
  unsigned n_lead = order->graph.n_lead, n_turns = use->op.event.n_loops;
  isl_map *map = isl_map_apply_range(
      isl_map_copy(use->op.node), isl_map_reverse(isl_map_copy(use->op.node)));
  map = isl_map_project_out(map, isl_dim_in, n_lead, n_turns);
  return isl_map_project_out(map, isl_dim_out, n_lead, n_turns);
}

// The same for events in the same turns.
static isl_map *in_same_turns(isl_map *threads, uint32_t n_turns) {
  unsigned n_lead = (unsigned)isl_map_dim(threads, isl_dim_in);
  threads = isl_map_add_dims(threads, isl_dim_in, n_turns);
  threads = isl_map_add_dims(threads, isl_dim_out, n_turns);
  for (uint32_t i = 0; i < n_turns; i++)
    threads = isl_map_equate(threads, isl_dim_in, (int)(n_lead + i),
                             isl_dim_out, (int)(n_lead + i));
  return threads;
}

// All who meet there await the same nodes at `use`.
static bool await_alike(const Order *order, const OrderUse *meeting,
                        const OrderUse *use) {
  if (use->kind == GROUP_MEET && ir_group_contains(meeting->group, use->group))
    return true;
  if (!use->op.node || !use->op.event.is_exact)
    return false;
  isl_map *others =
      in_same_turns(met_by(order, meeting), use->op.event.n_loops);
  isl_map *moved = isl_map_apply_domain(isl_map_copy(use->op.node), others);
  bool result = isl_map_is_subset(moved, use->op.node) == isl_bool_true;
  isl_map_free(moved);
  return result;
}

const OrderUse *order_waits_aside(const Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *meeting = order->uses.data[i];
    if (meeting->kind != GROUP_MEET ||
        !order_is_aside(order, &meeting->op.event))
      continue;
    for (uint32_t k = 0; k < order->uses.count; k++) {
      const OrderUse *use = order->uses.data[k];
      if (use->op.awaits &&
          graph_are_apart(&meeting->op.event, &use->op.event) &&
          !(meeting->op.node && await_alike(order, meeting, use)))
        return use;
    }
  }
  return NULL;
}

#else
typedef int OrderAsideNotBuilt; // a file can't be empty
#endif
