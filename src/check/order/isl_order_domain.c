// SPDX-License-Identifier: Apache-2.0
// When a step is executed: the set of its threads and turns.
//
// A step's path tells what is known there: the conditions that lead to it, and
// facts. The set of all points for which the path may hold has all executions.
// It has nothing else where each condition that leads there can be said: the
// choices, turns and groups around it, and the exits taken before.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"

#include "check/term/term_decide.h"
#include <isl/space.h>

// --------------------------------------------------------- what stands around

static bool order_domain_is_in_list(const Step *step, const Step *list) {
  for (; list; list = list->next)
    if (list == step)
      return true;
  return false;
}

static const IrGroup *order_domain_group_of(const Step *scope) {
  switch ((int)scope->node->op) {
  case IR_GROUP:
  case IR_THREAD_FOR:
  case IR_WITH: return scope->node->u.part.group;
  default: return NULL;
  }
}

static const Term *turn_is_there(const Order *order, const CheckLoop *loop) {
  TermTable *terms = order->check->terms;
  return term_lt(terms, term_of(terms, loop->turn), loop->trips);
}

// Of two loops that are one, each alone says nothing.
static bool is_in_flat(const Order *order, const Step *step,
                       const CheckLoop *loop) {
  const CheckLoop *loops[ORDER_MAX_LOOPS];
  uint32_t n = order_loops(order, step, loops);
  bool is_there = false;
  for (uint32_t i = 0; i < n && n <= ORDER_MAX_LOOPS; i++)
    is_there |= loops[i] == loop;
  return !is_there;
}

// What must hold for `step`, the one that holds `of`, to be reached in its
// parent; false: can't be said.
static bool condition_in(const Order *order, const Step *parent,
                         const Step *step, const Step *of,
                         const Term **condition) {
  TermTable *terms = order->check->terms;
  *condition = NULL;
  if (parent->kind == STEP_IF) {
    *condition = parent->u.branch.condition;
    if (!order_domain_is_in_list(step, parent->u.branch.body))
      *condition = term_not(terms, *condition);
  } else if (parent->kind == STEP_LOOP) {
    const CheckLoop *loop = parent->u.loop.loop;
    if (!loop->trips && !loop->has_exit)
      return false;
    if (loop->trips && !is_in_flat(order, of, loop))
      *condition = turn_is_there(order, loop);
  } else if (parent->node && order_domain_group_of(parent)) {
    const GroupView *view = order_view(order, order_domain_group_of(parent));
    if (!view)
      return false;
    *condition = view->member;
  }
  return true;
}

// Where the step is reached but for exits. Exact as long as dims->is_exact.
static isl_set *reached(const Order *order, const Step *of, OrderDims *dims) {
  const Step *step = of;
  isl_set *set = isl_set_universe(order_space(dims));
  for (const Step *parent = step->parent; parent; parent = parent->parent) {
    const Term *condition;
    if (!condition_in(order, parent, step, of, &condition))
      dims->is_exact = false;
    else if (condition)
      set = isl_set_intersect(set, order_condition(dims, condition));
    step = parent;
  }
  return set;
}

static isl_set *in_range(const Order *order, isl_set *domain) {
  int k = 0;
  for (; k < (int)order->cluster.n_axes; k++) {
    domain = isl_set_lower_bound_si(domain, isl_dim_set, (unsigned)k, 0);
    domain = isl_set_upper_bound_si(domain, isl_dim_set, (unsigned)k,
                                    (int)order->cluster.dim[k] - 1);
  }
  domain = isl_set_lower_bound_si(domain, isl_dim_set, (unsigned)k, 0);
  domain = isl_set_upper_bound_si(domain, isl_dim_set, (unsigned)k,
                                  (int)order->tree->n_threads - 1);
  int n = isl_set_dim(domain, isl_dim_set);
  for (int i = k + 1; i < n; i++)
    domain = isl_set_lower_bound_si(domain, isl_dim_set, (unsigned)i, 0);
  return domain;
}

// Ranges of parameters that were met.
static void order_domain_learn(Order *order, isl_set *ranges) {
  isl_set *facts = isl_set_intersect(isl_set_copy(order->facts), ranges);
  if (!facts)
    return;
  isl_set_free(order->facts);
  order->facts = order->graph.context = facts;
}

// Which blocks there are, with clusters.
static isl_set *blocks_there(const Order *order, OrderDims *dims) {
  TermTable *terms = order->check->terms;
  isl_set *all = isl_set_universe(order_space(dims));
  for (uint32_t i = 0; i < order->cluster.n_axes; i++) {
    int axis = order->cluster.axis[i];
    const Term *block = term_of(terms, order->tree->block[axis]);
    isl_pw_aff_free(order_value(dims, block)); // notes its range
    all = isl_set_intersect(
        all,
        order_condition(dims, term_lt(terms, block, order->tree->grid[axis])));
  }
  return all;
}

// Without what exits take away.
static bool whole_event(Order *order, const Step *step, const Term *also,
                        OrderEvent *event) {
  OrderDims dims;
  *event = (OrderEvent){.position = step->id};
  if (!order_step_dims(order, step, &dims))
    return false;
  const CheckLoop *loops[ORDER_MAX_LOOPS];
  event->n_loops = order_loops(order, step, loops);
  isl_set *domain = reached(order, step, &dims);
  for (uint32_t i = 0; i < event->n_loops; i++) {
    const OrderFlat *flat = order_flat_of(order, loops[i]->turn);
    event->loops[i] = loops[i];
    event->outer[i] = flat ? flat->outer : loops[i];
    if (flat)
      domain = isl_set_intersect(
          domain, order_condition(&dims, turn_is_there(order, loops[i])));
  }
  if (also)
    domain = isl_set_intersect(domain, order_condition(&dims, also));
  bool is_exact = dims.is_exact;
  if (order->cluster.n_axes > 0)
    domain = isl_set_intersect(domain, blocks_there(order, &dims));
  if (!is_exact) // facts don't make an exact set smaller
    domain = isl_set_intersect(domain, order_condition(&dims, step->path));
  domain = isl_set_intersect(domain, order_bounds(&dims));
  domain = in_range(order, domain);
  event->domain = isl_set_coalesce(
      isl_set_intersect_params(domain, isl_set_copy(order->facts)));
  event->is_exact = is_exact;
  order_domain_learn(order, isl_set_params(order_bounds(&dims)));
  order_dims_fini(&dims);
  return event->domain != NULL;
}

// -------------------------------------------------------------------- exits

static bool order_domain_contains(const Step *outer, const Step *step) {
  if (!outer)
    return true;
  for (; step; step = step->parent)
    if (step == outer)
      return true;
  return false;
}

// Loops whose turns leaving for the target doesn't end.
static uint32_t loops_kept(const Order *order, const Step *leave) {
  const Step *target = leave->u.exit.target;
  const CheckLoop *loops[ORDER_MAX_LOOPS];
  if (!target)
    return 0;
  uint32_t n = order_loops(order, target, loops);
  return n + (target->kind == STEP_LOOP && leave->u.exit.is_continue ? 1 : 0);
}

// Executions of `event` that come after one of `leave`, in the same turns of
// the first n_kept loops.
static isl_set *after_exit(const Order *order, const OrderEvent *leave,
                           uint32_t n_kept, const OrderEvent *event) {
  isl_map *later = graph_program_order(&order->graph, leave, event);
  for (uint32_t i = 0; i < n_kept; i++) {
    int k = (int)(order->graph.n_lead + i);
    later = isl_map_equate(later, isl_dim_in, k, isl_dim_out, k);
  }
  return isl_map_range(later);
}

// May the exit be taken before an execution of the step?
static bool is_before(const Step *leave, const Step *step) {
  if (leave->id < step->id)
    return true;
  for (const CheckLoop *loop = leave->loop; loop; loop = loop->parent)
    for (const CheckLoop *other = step->loop; other; other = other->parent)
      if (loop == other)
        return true;
  return false;
}

// The test of the outer loop of a nest that is one loop, and has its turns.
static bool is_end_of_nest(const Order *order, const Step *leave,
                           const OrderEvent *event) {
  for (uint32_t i = 0; i < event->n_loops; i++) {
    const CheckLoop *loop = event->loops[i];
    const OrderFlat *flat = order_flat_of(order, loop->turn);
    if (flat && leave->loop == flat->outer)
      return true;
  }
  return false;
}

static void remove_exits(Order *order, const Step *step, OrderEvent *event) {
  for (uint32_t i = 0; i < order->exits.count; i++) {
    const Step *leave = order->exits.data[i];
    OrderEvent gone;
    if (leave == step || !is_before(leave, step) ||
        is_end_of_nest(order, leave, event) ||
        !order_domain_contains(leave->u.exit.target, step))
      continue;
    uint32_t n_kept = loops_kept(order, leave);
    if (n_kept > event->n_loops || !whole_event(order, leave, NULL, &gone)) {
      event->is_exact = false;
      continue;
    }
    event->is_exact = event->is_exact && gone.is_exact;
    if (gone.is_exact)
      event->domain = isl_set_subtract(event->domain,
                                       after_exit(order, &gone, n_kept, event));
    order_event_fini(&gone);
  }
  event->domain = isl_set_coalesce(event->domain);
}

bool order_event(Order *order, const Step *step, const Term *also,
                 OrderEvent *event) {
  if (!whole_event(order, step, also, event))
    return false;
  remove_exits(order, step, event);
  return event->domain != NULL;
}

// ------------------------------------------------------------------ choices

// Does the condition hold, or never hold, at all executions? 1, -1; else 0.
static int decided(const Order *order, const OrderEvent *event,
                   const Step *step, const Term *condition) {
  OrderDims dims;
  if (!order_step_dims(order, step, &dims))
    return 0;
  isl_set *set = order_condition(&dims, condition);
  int result = 0;
  if (dims.is_exact) {
    isl_set *both =
        isl_set_intersect(isl_set_copy(event->domain), isl_set_copy(set));
    if (set_is_subset(event->domain, set))
      result = 1;
    else if (set_is_empty(both))
      result = -1;
    isl_set_free(both);
  }
  isl_set_free(set);
  order_dims_fini(&dims);
  return result;
}

typedef struct {
  const Order *order;
  const OrderEvent *event;
  const Step *step;
} Decider;

static int order_domain_ask(void *context, const Term *condition) {
  const Decider *d = context;
  return decided(d->order, d->event, d->step, condition);
}

const Term *order_decide(const Order *order, const OrderEvent *event,
                         const Step *step, const Term *term) {
  Decider d = {order, event, step};
  TermDecider decider = {order->check->terms, order_domain_ask, &d};
  return event->domain && term ? term_decide(&decider, term) : term;
}

#else
typedef int OrderDomainNotBuilt; // a file can't be empty
#endif
