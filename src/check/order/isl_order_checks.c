// SPDX-License-Identifier: Apache-2.0
// Whether the claims hold: arrivals come in the phase that is meant, waits
// return behind it and before the one after the next, and nobody waits for
// ever. Note [First violation] in docs/internals/check-order.md.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include <inttypes.h>
#include <isl/val.h>
#include <stdio.h>

// How a phase is written, and by how much its last number grows.
static const char *phase_tuple(const OrderBarrier *barrier, int64_t *step) {
  *step = barrier->goes_round ? barrier->n_slots : 1;
  return barrier->goes_round ? "h, f" : "h, s, f";
}

// From each phase to the one `by` phases later.
static isl_map *phase_step(const Order *order, const OrderBarrier *barrier,
                           int by) {
  int64_t step;
  const char *tuple = phase_tuple(barrier, &step);
  uint32_t id = barrier->object->id;
  char text[160];
  snprintf(text, sizeof text,
           "{ F%" PRIu32 "[%s] -> F%" PRIu32 "[%s + %" PRId64 "] }", id, tuple,
           id, tuple, by * step);
  return isl_map_read_from_str(order->ctx, text);
}

// Phases from number `first` on.
static isl_set *phases_from(const Order *order, const OrderBarrier *barrier,
                            int first) {
  int64_t step;
  const char *tuple = phase_tuple(barrier, &step);
  char text[160];
  snprintf(text, sizeof text, "{ F%" PRIu32 "[%s] : f >= %" PRId64 " }",
           barrier->object->id, tuple, first * step);
  return isl_set_read_from_str(order->ctx, text);
}

static isl_map *claimed_from(const Order *order, const OrderUse *use,
                             int first) {
  return isl_map_intersect_range(isl_map_copy(use->claim),
                                 phases_from(order, use->barrier, first));
}

// No phase before number `first` is meant.
static bool starts_at(const Order *order, const OrderUse *use, int first) {
  isl_map *rest = isl_map_subtract(isl_map_copy(use->claim),
                                   claimed_from(order, use, first));
  bool result = isl_map_is_empty(rest) == isl_bool_true;
  isl_map_free(rest);
  return result;
}

// The last sync of the block, outside of all loops and branches, before the
// step, that all threads pass; NULL: none.
static const Step *sync_before(const Order *order, const Step *step) {
  const Step *found = NULL;
  for (const Step *s = order->tree->first; s && s->id < step->id; s = s->next) {
    const GroupView *view =
        s->kind == STEP_SYNC ? order_view(order, s->u.meet.group) : NULL;
    if (view && view_is_of_block(view))
      found = s;
  }
  for (uint32_t i = 0; found && i < order->exits.count; i++) {
    const Step *exit = order->exits.data[i];
    if (!exit->u.exit.target && exit->id < found->id)
      return NULL;
  }
  return found;
}

// Note [Ended by a sync]. Phases of which all arrivals, and nothing that lands,
// come before a sync of the whole block have completed behind it. NULL: none.
static isl_set *ended_before(const Order *order, const OrderUse *use) {
  const Step *sync = sync_before(order, use->step);
  isl_set *ended = isl_set_empty(isl_set_get_space(use->barrier->completed));
  if (!sync || order->cluster.n_axes > 0)
    return ended;
  isl_set *open = isl_set_copy(ended);
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *other = order->uses.data[i];
    if (other->barrier != use->barrier || other->kind == BARRIER_WAIT ||
        other->kind == BARRIER_WAIT_TOKEN || !other->claim)
      continue;
    isl_set *phases = isl_map_range(isl_map_copy(other->claim));
    if (other->kind == BARRIER_ARRIVE && other->step->id < sync->id)
      ended = isl_set_union(ended, phases);
    else
      open = isl_set_union(open, phases);
  }
  ended = isl_set_subtract(ended, open);
  return isl_set_intersect(ended, isl_set_copy(use->barrier->completed));
}

// The phase before the one that is meant has completed.
static bool is_late_enough(const Order *order, const OrderUse *use) {
  isl_map *before = isl_map_apply_range(claimed_from(order, use, 1),
                                        phase_step(order, use->barrier, -1));
  before = isl_map_subtract_range(before, ended_before(order, use));
  isl_union_map *pairs = isl_union_map_reverse(order_split(order, before));
  const OrderGraph *graph = &order->graph;
  const OrderEvent *event = &use->op.event;
  isl_union_map *near = graph_ahead(graph, event, NULL, ORDER_NEAR);
  bool result = false;
  for (OrderReach reach = ORDER_NEAR; reach <= ORDER_FAR && !result; reach++)
    result = pairs_are_within(isl_union_map_copy(pairs),
                              graph_ahead(graph, event, near, reach));
  isl_union_map_free(near);
  isl_union_map_free(pairs);
  return result;
}

// Each of the nodes follows the operation in time. Takes the pairs.
static bool are_after(const Order *order, const OrderUse *use,
                      isl_union_map *pairs) {
  const OrderGraph *graph = &order->graph;
  const OrderEvent *event = &use->op.event;
  isl_union_map *near = graph_after(graph, event, NULL, ORDER_TIME, ORDER_NEAR);
  bool result = false;
  for (OrderReach reach = ORDER_NEAR; reach <= ORDER_FAR && !result; reach++)
    result =
        pairs_are_within(isl_union_map_copy(pairs),
                         graph_after(graph, event, near, ORDER_TIME, reach));
  isl_union_map_free(near);
  isl_union_map_free(pairs);
  return result;
}

// The phase behind the one that is meant can't complete before the wait is
// over.
static bool is_early_enough(const Order *order, const OrderUse *use) {
  isl_map *behind = isl_map_apply_range(isl_map_copy(use->claim),
                                        phase_step(order, use->barrier, 1));
  behind =
      isl_map_intersect_range(behind, isl_set_copy(use->barrier->completed));
  return are_after(order, use, order_split(order, behind));
}

// What is waited for completes, if all arrive.
static bool has_phases(const Order *order, const OrderUse *use) {
  isl_set *meant = isl_map_range(claimed_from(order, use, 0));
  bool result = set_is_subset(meant, use->barrier->completed);
  isl_set_free(meant);
  return result;
}

// A copy for which the phase waits as soon as it is asked for.
static bool joins_phase(const OrderUse *use) {
  return use->kind == BARRIER_LAND && ir_joins_phase(use->step->node);
}

static bool expects_in_time(const Order *order, const OrderUse *use) {
  return are_after(order, use, order_split(order, isl_map_copy(use->claim)));
}

// -------------------------------------------------------------- the graph

static bool is_good(const OrderUse *use) {
  return use->barrier && !use->barrier->problem && use->claim;
}

static void set_op_node(OrderUse *use) {
  if (!use->barrier)
    return;
  isl_map_free(use->op.node);
  use->op.node = NULL;
  if (is_good(use))
    use->op.node = isl_map_coalesce(isl_map_intersect_range(
        isl_map_copy(use->claim), isl_set_copy(use->barrier->completed)));
}

// What may not happen orders nothing; and nobody waits for ever for it: Note
// [Meetings aside].
static bool counts_in_graph(const Order *order, const OrderUse *use) {
  return use->op.node && (use->op.event.is_exact || use->kind != GROUP_MEET ||
                          !order_is_aside(order, &use->op.event));
}

static isl_union_map *order_checks_follow(const Order *order) {
  isl_union_map *all =
      isl_union_map_empty(isl_space_params_alloc(order->ctx, 0));
  for (uint32_t i = 0; i < order->barriers.count; i++) {
    const OrderBarrier *barrier = order->barriers.data[i];
    if (barrier->problem)
      continue;
    isl_map *step = phase_step(order, barrier, 1);
    step = isl_map_intersect_domain(step, isl_set_copy(barrier->completed));
    step = isl_map_intersect_range(step, isl_set_copy(barrier->completed));
    all = isl_union_map_union(all, order_split_both(order, step));
  }
  return all;
}

static void build_graph(Order *order) {
  OrderGraph *graph = &order->graph;
  order_clear(order);
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    set_op_node(use);
    if (counts_in_graph(order, use))
      order_push(order, &use->op);
  }
  isl_union_map_free(graph->follows);
  graph->follows = order_checks_follow(order);
  graph_close(graph);
  order->n_graphs++;
}

// ------------------------------------------------------------------- rounds

static bool order_checks_is_wait(const OrderUse *use) {
  return use->kind == BARRIER_WAIT || use->kind == BARRIER_WAIT_TOKEN;
}

// NULL, or why an operation may belong to another phase than it claims.
static const char *find_misplaced(const Order *order, const OrderUse *use) {
  if (use->kind == BARRIER_WAIT_TOKEN)
    return NULL;
  if (!starts_at(order, use, use->kind == BARRIER_WAIT ? -1 : 0))
    return "the phase that it is for is unknown";
  if (!is_late_enough(order, use))
    return use->kind == BARRIER_WAIT
               ? "the wait may be for an earlier phase of the same parity"
               : "it may happen before the phase that it belongs to";
  if (use->kind == BARRIER_EXPECT && !expects_in_time(order, use))
    return "the phase may complete before these bytes are expected";
  if (joins_phase(use) && !expects_in_time(order, use))
    return "the phase may complete before this copy is issued";
  return NULL;
}

static const char *find_stuck(const Order *order, const OrderUse *use) {
  if (!has_phases(order, use))
    return "the phase that it waits for may never complete";
  if (!is_early_enough(order, use))
    return "the barrier may advance two phases before this wait sees it, and "
           "then has the same parity";
  return NULL;
}

static void order_checks_renew(const Order *order, OrderUse *use) {
  if (use->n_graphs == order->n_graphs)
    return;
  use->n_graphs = order->n_graphs;
  use->is_placed = use->is_run = false;
}

// Asked for once as long as neither the graph nor the claim changes.
static const char *misplaced(const Order *order, OrderUse *use) {
  order_checks_renew(order, use);
  if (!use->is_placed)
    use->misplaced = find_misplaced(order, use);
  use->is_placed = true;
  return use->misplaced;
}

static const char *stuck(const Order *order, OrderUse *use) {
  order_checks_renew(order, use);
  if (!use->is_run)
    use->stuck = find_stuck(order, use);
  use->is_run = true;
  return use->stuck;
}

static void set_shift(Order *order, OrderUse *use, int64_t shift) {
  use->shift = shift;
  order_set_node(order, use);
}

enum { MAX_SHIFT = 4 };

// Gives the wait the next later phases of its parity that all complete: of
// others no graph says more. False: there are none.
static bool shift_wait(Order *order, OrderUse *use) {
  int64_t first = use->shift;
  while (use->shift < MAX_SHIFT) {
    set_shift(order, use, use->shift + 2);
    if (has_phases(order, use))
      return true;
  }
  if (use->shift != first)
    set_shift(order, use, first);
  return false;
}

// Looks at every operation; true if a wait was given another phase to try.
static bool order_checks_try_waits(Order *order) {
  bool has_changed = false;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (is_good(use) && use->kind == BARRIER_WAIT &&
        (misplaced(order, use) || stuck(order, use)))
      has_changed |= shift_wait(order, use);
  }
  return has_changed;
}

// Waits whose other phases didn't help go back to the first guess. False: all
// were there.
static bool reset_waits(Order *order) {
  bool has_changed = false;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (use->kind != BARRIER_WAIT || use->shift == 0)
      continue;
    set_shift(order, use, 0);
    has_changed = true;
  }
  return has_changed;
}

static bool all_placed(const Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (is_good(use) && (misplaced(order, use) ||
                         (use->kind == BARRIER_WAIT && stuck(order, use))))
      return false;
  }
  return true;
}

static void blame(Order *order, OrderUse *use, const char *problem) {
  use->barrier->problem = problem;
  use->barrier->is_told = true;
  order_suspect(order, SUSPECT_BARRIER, use->step, NULL,
                arena_printf(order->arena, "mbarrier '%s': %s",
                             use->barrier->object->name, problem));
}

// A wait for a phase that never completes, nor any later one of its parity.
static void drop_endless(Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (!is_good(use) || !order_checks_is_wait(use) || has_phases(order, use))
      continue;
    while (use->kind == BARRIER_WAIT && use->shift < MAX_SHIFT &&
           !has_phases(order, use))
      set_shift(order, use, use->shift + 2);
    if (!has_phases(order, use))
      blame(order, use, "the phase that it waits for may never complete");
  }
}

// Nobody asks what else is open.
static bool is_ended(Order *order) {
  bool asks = !order->check->options->stop.is_enough || order->is_quiet;
  for (uint32_t i = 0; i < order->uses.count && !asks; i++) {
    OrderUse *use = order->uses.data[i];
    if (use->barrier && use->barrier->problem && !use->barrier->is_told)
      blame(order, use, use->barrier->problem);
  }
  return !asks && order->check->is_ended;
}

static void settle_waits(Order *order) {
  enum { MAX_ROUNDS = 3 };

  build_graph(order);
  for (int i = 0; i < MAX_ROUNDS && order_checks_try_waits(order); i++)
    build_graph(order);
  if (!all_placed(order) && reset_waits(order))
    build_graph(order);
}

// One barrier whose claims don't hold takes its order from the others; they are
// looked at again without it.
static bool drop_misplaced(Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (!is_good(use) || !order_checks_is_wait(use) || has_phases(order, use))
      continue;
    blame(order, use, "the phase that it waits for may never complete");
    return true;
  }
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    const char *problem = is_good(use) ? misplaced(order, use) : NULL;
    if (!problem)
      continue;
    blame(order, use, problem);
    return true;
  }
  return false;
}

static void tell_rest(Order *order) {
  bool is_whole = true;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (!use->barrier)
      continue;
    if (use->barrier->problem) {
      is_whole = false;
      if (!use->barrier->is_told)
        blame(order, use, use->barrier->problem);
      continue;
    }
    const char *problem = NULL;
    if (!use->claim)
      problem = "the phase that it is for is unknown";
    else if (order_checks_is_wait(use))
      problem = stuck(order, use);
    if (problem)
      order_suspect(order, SUSPECT_BARRIER, use->step, NULL,
                    arena_printf(order->arena, "mbarrier '%s': %s",
                                 use->barrier->object->name, problem));
    else
      order_proved(order);
    is_whole = is_whole && !problem;
  }
  if (!is_whole)
    return;
  const OrderUse *aside = order_waits_aside(order);
  if (aside) {
    order_suspect(order, SUSPECT_BARRIER, aside->step, NULL,
                  "not all threads that meet outside of the inner loop wait "
                  "here, so they may wait for each other");
    return;
  }
  if (graph_is_acyclic(&order->graph)) {
    order_proved(order);
    return;
  }
  for (uint32_t i = 0; i < order->uses.count; i++)
    if (order_checks_is_wait(order->uses.data[i])) {
      order_suspect(order, SUSPECT_BARRIER, order->uses.data[i]->step, NULL,
                    "threads may wait for each other in a cycle");
      return;
    }
}

// ------------------------------------------------------ what isn't followed

static void tell_polls(Order *order) {
  for (uint32_t i = 0; i < order->polls.count; i++)
    for (const CheckLoop *loop = order->polls.data[i]->loop; loop;
         loop = loop->parent)
      if (loop->has_exit || !loop->trips) {
        order_suspect(order, SUSPECT_BARRIER, order->polls.data[i], NULL,
                      "the number of calls of test_wait is unknown, and so is "
                      "the effect of its result");
        break;
      }
}

// Threads may wait at meetings of groups whose members aren't known.
static void tell_meetings(Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (!use->barrier && !use->op.node)
      order_suspect(order, SUSPECT_BARRIER, use->step, NULL,
                    "the threads that meet here are known only at run time, "
                    "and one of them may wait for an mbarrier");
  }
}

// Turns of a loop inside another one are counted through only if they are
// constant.
static const char *unclaimed(const OrderUse *use) {
  const OrderEvent *event = &use->op.event;
  int64_t trips;
  for (uint32_t i = 1; i < event->n_loops; i++) {
    const CheckLoop *loop = event->loops[i];
    if (!loop->trips || !term_is_constant(loop->trips, &trips))
      return "the phase of an arrival is unknown: the loop is inside another "
             "one, and its number of iterations isn't constant; a constant "
             "bound, or one loop over all iterations, would help";
  }
  return "the phase of an arrival is unknown";
}

static void drop_unclaimed(Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (use->barrier && !use->barrier->problem && !use->claim &&
        !order_checks_is_wait(use))
      use->barrier->problem = unclaimed(use);
  }
}

// Phases that may not have all their arrivals when the kernel ends: runs say
// whether that is so.
static void tell_partial(Order *order, const OrderBarrier *barrier) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier != barrier || use->arrivals == 0)
      continue;
    order_suspect(order, SUSPECT_PARTIAL, use->step, NULL, NULL);
    return;
  }
}

static void tell_all_partial(Order *order) {
  if (order->check->options->no_search || order->check->options->no_remarks)
    return;
  for (uint32_t i = 0; i < order->barriers.count; i++) {
    const OrderBarrier *barrier = order->barriers.data[i];
    if (!barrier->problem &&
        isl_set_is_empty(barrier->partial) == isl_bool_false)
      tell_partial(order, barrier);
  }
}

void order_check(Order *order, bool has_barriers) {
  if (!has_barriers) {
    build_graph(order);
    return;
  }
  drop_unclaimed(order);
  for (uint32_t i = 0; i < order->barriers.count && !is_ended(order); i++)
    order_count(order, order->barriers.data[i]);
  if (is_ended(order))
    return;
  drop_endless(order);
  if (is_ended(order))
    return;
  settle_waits(order);
  while (!is_ended(order) && drop_misplaced(order))
    build_graph(order);
  if (is_ended(order))
    return;
  tell_rest(order);
  tell_all_partial(order);
  tell_polls(order);
  tell_meetings(order);
}

#else
typedef int OrderChecksNotBuilt; // a file can't be empty
#endif
