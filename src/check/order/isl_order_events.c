// SPDX-License-Identifier: Apache-2.0
// The operations of a tree that order something, and when they are executed.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include <isl/space.h>

// -------------------------------------------------------------- small things

bool set_is_empty(isl_set *set) {
  return isl_set_is_empty(set) == isl_bool_true;
}

bool set_is_subset(isl_set *a, isl_set *b) {
  return isl_set_is_subset(a, b) == isl_bool_true;
}

bool pairs_are_within(isl_union_map *pairs, isl_union_map *order) {
  bool result = isl_union_map_is_subset(pairs, order) == isl_bool_true;
  isl_union_map_free(pairs);
  isl_union_map_free(order);
  return result;
}

// `n_operations` are those of a kernel that may take WHOLE_MS.
void order_begin(Order *order, unsigned long n_operations) {
  enum { MOST_MS = 4000, WHOLE_MS = 10000 };

  uint32_t kernel_ms = order->check->options->solve.kernel_ms;
  if (kernel_ms > 0 && kernel_ms < WHOLE_MS)
    n_operations = n_operations / WHOLE_MS * kernel_ms;
  order->start_ms = solve_now_ms();
  bool is_late = order->spent_ms >= MOST_MS ||
                 solve_is_over(&order->check->options->solve);
  isl_ctx_reset_operations(order->ctx);
  isl_ctx_set_max_operations(order->ctx, is_late ? 1 : n_operations);
}

void order_end(Order *order) {
  order->spent_ms += solve_now_ms() - order->start_ms;
  isl_ctx_set_max_operations(order->ctx, 0);
  isl_ctx_reset_error(order->ctx);
}

void order_proved(Order *order) {
  if (!order->is_quiet)
    check_proved(order->check);
}

void order_suspect(Order *order, SuspectKind kind, const Step *a, const Step *b,
                   const char *reason) {
  Suspect suspect = {.kind = kind, .a = a, .b = b, .reason.text = reason};
  if (!order->is_quiet)
    check_suspect(order->check, &suspect);
}

void order_event_fini(OrderEvent *event) {
  isl_set_free(event->domain);
  event->domain = NULL;
}

const GroupView *order_view(const Order *order, const IrGroup *group) {
  if (!group || group->id >= order->tree->groups.count)
    return NULL;
  const GroupView *view = &order->tree->groups.data[group->id];
  return view->is_known ? view : NULL;
}

// -------------------------------------------------------------------- events

uint32_t order_loops(const Order *order, const Step *step,
                     const CheckLoop **loops) {
  uint32_t n = 0;
  for (const CheckLoop *loop = step->loop; loop; loop = loop->parent)
    n++;
  if (n > ORDER_MAX_LOOPS)
    return n;
  uint32_t k = n;
  for (const CheckLoop *loop = step->loop; loop; loop = loop->parent)
    loops[--k] = loop;
  return order_join_flats(order, loops, n);
}

// k is g - nk * t: Note [Flat nests].
static void flatten_turn(const Order *order, OrderDims *dims,
                         const CheckLoop *loop) {
  TermTable *terms = dims->terms;
  const OrderFlat *flat = order_flat_of(order, loop->turn);
  if (flat)
    order_replace_turn(
        dims, flat->inner->turn,
        term_sub(
            terms, term_of(terms, loop->turn),
            order_flat_start(order, flat, term_of(terms, flat->outer->turn))));
}

bool order_step_dims(const Order *order, const Step *step, OrderDims *dims) {
  const CheckLoop *loops[ORDER_MAX_LOOPS];
  uint32_t n = order_loops(order, step, loops);
  *dims = (OrderDims){.ctx = order->ctx,
                      .terms = order->check->terms,
                      .tree = order->tree,
                      .cluster = order->cluster,
                      .is_exact = true};
  if (n > ORDER_MAX_LOOPS)
    return false;
  for (uint32_t i = 0; i < order->cluster.n_axes; i++)
    dims->symbols[dims->n_dims++] = NULL;
  dims->symbols[dims->n_dims++] = order->tree->thread;
  for (uint32_t i = 0; i < n; i++) {
    dims->symbols[dims->n_dims++] = loops[i]->turn;
    flatten_turn(order, dims, loops[i]);
  }
  return true;
}

isl_map *order_term_map(const Order *order, const OrderEvent *event,
                        const Step *step, const Term *term) {
  OrderDims dims;
  if (!order_step_dims(order, step, &dims))
    return NULL;
  isl_pw_aff *value = order_value(&dims, term);
  isl_map *map = value ? isl_map_from_pw_aff(value) : NULL;
  if (map)
    map = isl_map_intersect_domain(map, isl_set_copy(event->domain));
  order_dims_fini(&dims);
  return map;
}

OrderTouch *order_touch(Order *order, const Step *step) {
  OrderTouch *touch = &order->touches.data[step->id];
  if (!touch->is_ready) {
    touch->is_ready = true;
    touch->step = step;
    if (!order_event(order, step, NULL, &touch->event))
      order_event_fini(&touch->event);
  }
  return touch->event.domain ? touch : NULL;
}

// ---------------------------------------------------------------- collecting

static int64_t n_elements(const IrObject *object) {
  int64_t n = 1;
  for (int i = 0; i < object->rank; i++) {
    const IrHost *extent = object->extents[i];
    if (!extent || extent->op != HOST_CONST || extent->number <= 0 ||
        extent->number > 1048576 / n)
      return 0;
    n *= extent->number;
  }
  return n;
}

static OrderBarrier *order_events_barrier_of(Order *order,
                                             const IrObject *object) {
  for (uint32_t i = 0; i < order->barriers.count; i++)
    if (order->barriers.data[i]->object == object)
      return order->barriers.data[i];
  OrderBarrier *barrier = ARENA_NEW(order->arena, OrderBarrier);
  *barrier = (OrderBarrier){.object = object, .n_slots = n_elements(object)};
  if (barrier->n_slots == 0)
    barrier->problem = "the number of barriers isn't constant";
  VEC_PUSH(order->arena, &order->barriers, barrier);
  return barrier;
}

static void order_events_refuse(OrderUse *use, const char *problem) {
  if (use->barrier && !use->barrier->problem)
    use->barrier->problem = problem;
}

// Constant, or refused.
static int64_t order_events_constant_of(OrderUse *use, const Term *term,
                                        const char *problem) {
  int64_t number = 0;
  if (term && !term_is_constant(term, &number))
    order_events_refuse(use, problem);
  return number;
}

static const Term *order_events_first_of(Order *order, OrderUse *use,
                                         const IrGroup *group) {
  const GroupView *view = order_view(order, group);
  if (!view) {
    order_events_refuse(use,
                        "the threads that copy or arrive together are unknown");
    return NULL;
  }
  TermTable *terms = order->check->terms;
  return term_eq(terms, view->rank, term_int(terms, 0));
}

// A group does it once: whichever of its threads.
static void set_once(Order *order, OrderUse *use, const IrGroup *group) {
  use->only = order_events_first_of(order, use, group);
  use->op.is_once = group->size != 1;
}

static OrderUse *new_use(Order *order, const Step *step, OrderKind kind) {
  OrderUse *use = ARENA_NEW(order->arena, OrderUse);
  *use = (OrderUse){.kind = kind, .step = step};
  if (step->kind == STEP_SYNC || step->kind == STEP_ARRIVE ||
      step->kind == STEP_WAIT)
    use->group = step->u.meet.group;
  use->op.signals = kind == BARRIER_ARRIVE || kind == BARRIER_LAND ||
                    kind == GROUP_MEET || kind == GROUP_ARRIVE;
  use->op.awaits = kind == BARRIER_WAIT || kind == BARRIER_WAIT_TOKEN ||
                   kind == GROUP_MEET || kind == GROUP_WAIT;
  use->op.is_silent = kind == BARRIER_LAND || step->kind == STEP_COLLECTIVE ||
                      step->kind == STEP_TOUCH;
  bool is_known = order_event(order, step, NULL, &use->op.event);
  VEC_PUSH(order->arena, &order->uses, use);
  if (!is_known)
    use->op.event.is_exact = false;
  return use;
}

static void describe_use(Order *order, OrderUse *use, const BarrierUse *given) {
  BarrierUse *barrier = ARENA_NEW(order->arena, BarrierUse);
  const OrderEvent *event = &use->op.event;
  *barrier = *given;
  barrier->slot = order_decide(order, event, use->step, given->slot);
  barrier->parity = order_decide(order, event, use->step, given->parity);
  use->use = barrier;
  use->barrier = order_events_barrier_of(order, barrier->object);
  use->arrivals = order_events_constant_of(
      use, barrier->count, "the number of arrivals isn't constant");
  if (use->kind != BARRIER_LAND || use->step->node->op == IR_TMA_LOAD ||
      use->step->node->op == IR_COPY_BULK)
    use->bytes = order_events_constant_of(
        use, barrier->bytes, "the bytes that it expects aren't constant");
}

// Copies arrive when they land.
static OrderKind kind_of_use(const IrNode *node) {
  if (ir_family(node) != FAMILY_MBARRIER)
    return BARRIER_ARRIVE;
  switch (ir_mbarrier_op(node->op)) {
  case IR_MBAR_EXPECT: return BARRIER_EXPECT;
  case IR_MBAR_WAIT: return BARRIER_WAIT;
  case IR_MBAR_WAIT_TOKEN: return BARRIER_WAIT_TOKEN;
  case IR_MBAR_INIT:
  case IR_MBAR_TENSOR:
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN:
  case IR_MBAR_ARRIVE:
  case IR_MBAR_ARRIVE_DROP:
  case IR_MBAR_ARRIVE_REMOTE:
  case IR_MBAR_ARRIVE_EXPECT:
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST: break;
  }
  return BARRIER_ARRIVE;
}

static void add_barrier_use(Order *order, const Step *step) {
  const BarrierUse *barrier = step->u.barrier;
  OrderKind kind = kind_of_use(step->node);
  if (ir_asks_phase(step->node->op)) {
    VEC_PUSH(order->arena, &order->polls, step);
    return;
  }
  OrderUse *use = new_use(order, step, kind);
  use->op.is_of_barrier = true;
  use->op.hands_on = step->node->op == IR_MBAR_TENSOR;
  use->op.is_silent |= use->op.hands_on;
  describe_use(order, use, barrier);
  if (kind == BARRIER_WAIT || kind == BARRIER_WAIT_TOKEN)
    use->arrivals = use->bytes = 0;
  use->expects = kind == BARRIER_EXPECT ||
                 (kind == BARRIER_ARRIVE && barrier->bytes != NULL);
  if (step->node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST)
    set_once(order, use, ir_op_group(order->tree->kernel, step->node));
}

// Both touches of a copy are one landing.
static bool order_events_is_counted(const Order *order, const Step *step) {
  if (order->uses.count == 0)
    return false;
  const OrderUse *last = VEC_LAST(&order->uses);
  return last->kind == BARRIER_LAND && last->step->node == step->node &&
         last->step->parent == step->parent;
}

static void add_landing(Order *order, const Step *step) {
  const BarrierUse *barrier = step->u.touch.copy_barrier;
  if (!barrier)
    return;
  OrderUse *use = new_use(order, step, BARRIER_LAND);
  // A phase doesn't need a copy that joins it: nobody counts on it.
  use->op.signals = !ir_joins_phase(step->node);
  describe_use(order, use, barrier);
  if (step->node->op == IR_TMA_LOAD)
    set_once(order, use, step->node->u.copy.group);
}

// One of several meetings of a group in a row is enough.
static void add_collective(Order *order, const Step *step,
                           const IrGroup *group) {
  const OrderUse *last = order->uses.count > 0 ? VEC_LAST(&order->uses) : NULL;
  if (group->size == 1 ||
      (last && last->kind == GROUP_MEET && last->group == group &&
       !last->op.is_loose && last->step->parent == step->parent))
    return;
  OrderUse *use = new_use(order, step, GROUP_MEET);
  use->group = group;
  use->op.is_loose = step->kind != STEP_COLLECTIVE;
}

// Copies and barrier operations that a group makes together.
static void add_together(Order *order, const Step *step) {
  const IrNode *node = step->node;
  if (ir_op_info(node)->form == FORM_COPY)
    add_collective(order, step, node->u.copy.group);
  else if (node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST ||
           node->op == IR_MEMCPY_ASYNC)
    add_collective(order, step, ir_op_group(order->tree->kernel, node));
}

static void add_step(const Step *step, void *context) {
  Order *order = context;
  OrderStep plain = {.step = step};
  switch (step->kind) {
  case STEP_TOUCH:
    if (order_events_is_counted(order, step))
      break;
    add_together(order, step);
    add_landing(order, step);
    break;
  case STEP_BARRIER:
    add_together(order, step);
    add_barrier_use(order, step);
    break;
  case STEP_SYNC: new_use(order, step, GROUP_MEET); break;
  case STEP_COLLECTIVE: add_collective(order, step, step->u.meet.group); break;
  case STEP_ARRIVE: new_use(order, step, GROUP_ARRIVE); break;
  case STEP_WAIT: new_use(order, step, GROUP_WAIT); break;
  case STEP_EXIT: VEC_PUSH(order->arena, &order->exits, step); break;
  case STEP_FENCE_ASYNC: VEC_PUSH(order->arena, &order->fences, plain); break;
  case STEP_COMMIT: VEC_PUSH(order->arena, &order->commits, plain); break;
  case STEP_COPY_WAIT: VEC_PUSH(order->arena, &order->copy_waits, plain); break;
  case STEP_IF:
  case STEP_LOOP:
  case STEP_SCOPE:
  case STEP_CLAIM:
  case STEP_FENCE:
  case STEP_OBLIGATION: break;
  }
}

static void place_steps(Order *order, OrderStep *steps, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!order_event(order, steps[i].step, NULL, &steps[i].event))
      steps[i].event.is_exact = false;
}

void order_collect(Order *order) {
  order_find_flats(order);
  tree_each(order->tree->first, add_step, order);
  place_steps(order, order->fences.data, order->fences.count);
  place_steps(order, order->commits.data, order->commits.count);
  place_steps(order, order->copy_waits.data, order->copy_waits.count);
  // All parameters have been met now.
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderEvent *event = &order->uses.data[i]->op.event;
    event->domain =
        isl_set_intersect_params(event->domain, isl_set_copy(order->facts));
  }
}

#else
typedef int OrderEventsNotBuilt; // a file can't be empty
#endif
