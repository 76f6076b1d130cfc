// SPDX-License-Identifier: Apache-2.0
// Which phase of its barrier each operation is meant for.
//
// All of this is guessing: a claim is a term, and isl_order_checks.c proves or
// rejects it. A wait tells by its parity, an arrival by the slot that goes
// round or by how many of its thread came before.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>

// ----------------------------------------------------------------- questions

// Least value over all executions and launches; false: none.
static bool least_value(isl_map *map, int64_t *value) {
  isl_set *range = isl_set_project_out_all_params(isl_map_range(map));
  isl_local_space *space = isl_local_space_from_space(isl_set_get_space(range));
  isl_aff *first = isl_aff_var_on_domain(space, isl_dim_set, 0);
  isl_val *least = isl_set_min_val(range, first);
  bool is_known = isl_val_is_int(least) == isl_bool_true;
  if (is_known)
    *value = isl_val_get_num_si(least);
  isl_val_free(least);
  isl_aff_free(first);
  isl_set_free(range);
  return is_known;
}

// The threads (with clusters: and blocks) that execute it at all.
static isl_set *order_claims_threads_of(const Order *order,
                                        const OrderUse *use) {
  unsigned n_lead = order->graph.n_lead;
  isl_set *set = isl_set_copy(use->op.event.domain);
  set = isl_set_project_out(set, isl_dim_set, n_lead, use->op.event.n_loops);
  return isl_set_project_out_all_params(set);
}

static bool share_threads(const Order *order, const OrderUse *a,
                          const OrderUse *b) {
  if (!a->op.event.domain || !b->op.event.domain)
    return false;
  isl_set *both = isl_set_intersect(order_claims_threads_of(order, a),
                                    order_claims_threads_of(order, b));
  bool result = !set_is_empty(both);
  isl_set_free(both);
  return result;
}

typedef struct {
  const Symbol *wanted; // NULL: any turn
  bool is_found;
} SymbolSearch;

static void visit_symbol(const Symbol *symbol, void *context) {
  SymbolSearch *search = (SymbolSearch *)context;
  if (search->wanted ? symbol == search->wanted : symbol->kind == SYMBOL_TURN)
    search->is_found = true;
}

static bool depends_on(const Term *term, const Symbol *symbol) {
  SymbolSearch search = {symbol, false};
  term_symbols(term, visit_symbol, &search);
  return search.is_found;
}

// ------------------------------------------------------------ from parities

static bool is_even(int64_t number) {
  return number % 2 == 0;
}

// A term of the same parity whose values go on where those of `parity` turn
// back: of k / 4 % 2 it is k / 4.
static const Term *order_claims_unfold(TermTable *terms, const Term *parity) {
  int64_t number;
  if (term_is_constant(parity, &number))
    return term_int(terms, is_even(number) ? 0 : -1);
  if (parity->kind == TERM_MOD && term_is_constant(parity->args[1], &number))
    return is_even(number) ? order_claims_unfold(terms, parity->args[0])
                           : parity;
  if (parity->kind == TERM_AND && parity->n_args == 2)
    for (int i = 0; i < 2; i++)
      if (term_is_constant(parity->args[i], &number) && (number & 1))
        return order_claims_unfold(terms, parity->args[1 - i]);
  if (parity->kind == TERM_XOR && parity->n_args == 2)
    return order_claims_unfold(
        terms, term_add(terms, parity->args[0], parity->args[1]));
  if (parity->kind != TERM_SUM)
    return parity;
  const Term *sum = term_int(terms, is_even(parity->number) ? 0 : -1);
  for (uint32_t i = 0; i < parity->n_parts; i++)
    if (!is_even(parity->parts[i].coefficient))
      sum = term_add(terms, sum,
                     order_claims_unfold(terms, parity->parts[i].atom));
  return sum;
}

// By an even number, so that the first one is phase 0 or the one before it.
static const Term *from_start(const Order *order, const OrderUse *use,
                              const Term *phase, isl_set *where) {
  TermTable *terms = order->check->terms;
  OrderEvent event = use->op.event;
  event.domain = where;
  isl_map *map = order_term_map(order, &event, use->step, phase);
  int64_t least;
  if (!map || !least_value(map, &least))
    return phase;
  int64_t first = is_even(least) ? 0 : -1;
  return term_add(terms, phase, term_int(terms, first - least));
}

static const Term *phase_of_parity(const Order *order, const OrderUse *use,
                                   const Term *parity, isl_set *where) {
  if (parity->kind != TERM_ITE)
    return from_start(order, use,
                      order_claims_unfold(order->check->terms, parity), where);
  OrderDims dims;
  if (!order_step_dims(order, use->step, &dims))
    return NULL;
  isl_set *yes = order_condition(&dims, parity->args[0]);
  const Term *result = NULL;
  if (dims.is_exact) {
    isl_set *then = isl_set_intersect(isl_set_copy(where), isl_set_copy(yes));
    isl_set *other = isl_set_subtract(isl_set_copy(where), isl_set_copy(yes));
    const Term *a = phase_of_parity(order, use, parity->args[1], then);
    const Term *b = phase_of_parity(order, use, parity->args[2], other);
    if (a && b)
      result = term_ite(order->check->terms, parity->args[0], a, b);
    isl_set_free(then);
    isl_set_free(other);
  }
  isl_set_free(yes);
  order_dims_fini(&dims);
  return result;
}

// ---------------------------------------------------------------- from slots

// A slot that goes round with the turns of a loop: k / S for k % S.
typedef bool (*IsRound)(const Term *term);

static const Term *phase_of_rest(TermTable *terms, const Term *slot,
                                 IsRound is_round) {
  const TermPart whole = {slot, 1};
  const TermPart *parts = slot->kind == TERM_SUM ? slot->parts : &whole;
  uint32_t n = slot->kind == TERM_SUM ? slot->n_parts : 1;
  for (uint32_t i = 0; i < n; i++) {
    const Term *atom = parts[i].atom;
    if (atom->kind == TERM_MOD && is_round(atom))
      return term_div(terms, atom->args[0], atom->args[1]);
  }
  return NULL;
}

static bool has_turn(const Term *term) {
  return depends_on(term, NULL);
}

static void visit_other(const Symbol *symbol, void *context) {
  bool *is_other = context;
  *is_other |= symbol->kind != SYMBOL_LAUNCH;
}

static bool order_claims_is_of_launch(const Term *term) {
  bool is_other = false;
  term_symbols(term, visit_other, &is_other);
  return !is_other;
}

static const Term *phase_of_slot(TermTable *terms, const Term *slot) {
  return phase_of_rest(terms, slot, has_turn);
}

// Behind a loop that goes round the slots, the one that the launch decides.
static const Term *phase_of_use_slot(const Order *order, const OrderUse *use) {
  TermTable *terms = order->check->terms;
  const Term *phase = phase_of_slot(terms, use->use->slot);
  return phase || !use->barrier->goes_round
             ? phase
             : phase_of_rest(terms, use->use->slot, order_claims_is_of_launch);
}

// ----------------------------------------------------------------- by counting

static bool arrives(const OrderUse *use) {
  return (use->kind == BARRIER_ARRIVE || use->kind == BARRIER_LAND) &&
         use->arrivals > 0;
}

// Arrivals of `use` in one turn of its outer `depth` loops.
static const Term *amount(const Order *order, const OrderUse *use,
                          uint32_t depth) {
  TermTable *terms = order->check->terms;
  const Term *result = term_int(terms, use->arrivals);
  for (uint32_t i = depth; i < use->op.event.n_loops; i++) {
    const CheckLoop *loop = (const CheckLoop *)use->op.event.loops[i];
    if (!depends_on(use->use->slot, loop->turn) && loop->trips)
      result = term_mul(terms, result,
                        term_max(terms, loop->trips, term_int(terms, 0)));
  }
  return result;
}

static isl_set *order_claims_slots_of(const Order *order, const OrderUse *use) {
  isl_map *map =
      order_term_map(order, &use->op.event, use->step, use->use->slot);
  return map ? isl_set_project_out_all_params(isl_map_range(map)) : NULL;
}

// Unless it is clear that no slot is the same.
static bool share_slots(const Order *order, const OrderUse *a,
                        const OrderUse *b) {
  if (a->use->slot == b->use->slot)
    return true;
  isl_set *both = isl_set_intersect(order_claims_slots_of(order, a),
                                    order_claims_slots_of(order, b));
  bool result = !set_is_empty(both);
  isl_set_free(both);
  return result;
}

// Arrivals of the executing thread on the same slot before it, as a term: none
// of them dropped, or it wouldn't arrive any more.
static const Term *arrivals_before(const Order *order, const OrderUse *use) {
  TermTable *terms = order->check->terms;
  const Term *sum = term_int(terms, 0);
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *other = order->uses.data[i];
    if (other->barrier != use->barrier || !arrives(other) ||
        other->step->node->op == IR_MBAR_ARRIVE_DROP ||
        !share_threads(order, use, other) || !share_slots(order, use, other))
      continue;
    uint32_t depth = 0;
    while (depth < use->op.event.n_loops && depth < other->op.event.n_loops &&
           use->op.event.loops[depth] == other->op.event.loops[depth]) {
      const CheckLoop *loop = (const CheckLoop *)use->op.event.loops[depth++];
      if (!depends_on(use->use->slot, loop->turn))
        sum = term_add(terms, sum,
                       term_mul(terms, term_of(terms, loop->turn),
                                amount(order, other, depth)));
    }
    if (other->step->id < use->step->id)
      sum = term_add(terms, sum, amount(order, other, depth));
  }
  return sum;
}

// [thread] -> [home, slot]; NULL: not known.
static isl_map *order_claims_place_of(const Order *order, const OrderUse *use) {
  isl_map *home = order_home(order, use);
  isl_map *slot =
      home ? order_term_map(order, &use->op.event, use->step, use->use->slot)
           : NULL;
  if (!slot) {
    isl_map_free(home);
    return NULL;
  }
  isl_map *map = isl_map_flat_range_product(home, slot);
  map = isl_map_project_out(map, isl_dim_in, order->graph.n_lead,
                            use->op.event.n_loops);
  return isl_map_project_out_all_params(map);
}

// The same of all that arrive on the barrier.
static isl_map *order_claims_arriving(const Order *order,
                                      const OrderBarrier *barrier) {
  isl_map *all = NULL;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier != barrier || !arrives(use))
      continue;
    isl_map *map = order_claims_place_of(order, use);
    if (map)
      all = all ? isl_map_union(all, map) : map;
  }
  return all;
}

// Threads that arrive on the first of the barriers that `use` arrives on.
static int64_t count_arriving(const Order *order, const OrderUse *use) {
  isl_map *own = order_claims_place_of(order, use);
  isl_map *all = own ? order_claims_arriving(order, use->barrier) : NULL;
  if (!all) {
    isl_map_free(own);
    return 0;
  }
  isl_set *first = isl_set_lexmin(isl_map_range(own));
  isl_set *threads = isl_map_domain(isl_map_intersect_range(all, first));
  isl_val *count = isl_set_count_val(threads);
  int64_t n =
      isl_val_is_int(count) == isl_bool_true ? isl_val_get_num_si(count) : 0;
  isl_val_free(count);
  isl_set_free(threads);
  return n;
}

static const Term *phase_by_counting(const Order *order, const OrderUse *use) {
  TermTable *terms = order->check->terms;
  const Term *before = arrivals_before(order, use);
  int64_t count = use->barrier->object->arrivals;
  int64_t n = count_arriving(order, use);
  int64_t each = n > 0 && count % n == 0 ? count / n : 1;
  return each > 1 ? term_div(terms, before, term_int(terms, each)) : before;
}

// ------------------------------------------------------------------- by kind

static const Term *phase_of_arrival(const Order *order, const OrderUse *use) {
  const Term *phase = phase_of_use_slot(order, use);
  return phase ? phase : phase_by_counting(order, use);
}

static bool loops_hold(const OrderUse *outer, const OrderUse *inner) {
  const OrderEvent *a = &outer->op.event, *b = &inner->op.event;
  if (a->n_loops > b->n_loops)
    return false;
  for (uint32_t i = 0; i < a->n_loops; i++)
    if (a->loops[i] != b->loops[i])
      return false;
  return true;
}

// The expectation that stands for the bytes of the copy: the last one before
// it, else the first one after it.
static const OrderUse *expectation(const Order *order, const OrderUse *copy) {
  const OrderUse *result = NULL;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier != copy->barrier || !use->expects ||
        use->use->slot != copy->use->slot || !loops_hold(use, copy))
      continue;
    if (use->step->id > copy->step->id)
      return result ? result : use;
    result = use;
  }
  return result;
}

static const Term *phase_of_landing(const Order *order, const OrderUse *use) {
  const Term *phase = phase_of_use_slot(order, use);
  if (phase)
    return phase;
  if (use->arrivals > 0 || ir_joins_phase(use->step->node))
    return phase_by_counting(order, use);
  const OrderUse *expected = expectation(order, use);
  return expected ? phase_of_arrival(order, expected) : NULL;
}

static const OrderUse *use_of(const Order *order, const Step *step) {
  for (uint32_t i = 0; step && i < order->uses.count; i++)
    if (order->uses.data[i]->step == step)
      return order->uses.data[i];
  return NULL;
}

static const Term *phase_of_token(const Order *order, const OrderUse *use) {
  const OrderUse *arrive = use_of(order, use->use->token);
  if (!arrive || arrive->barrier != use->barrier || !loops_hold(arrive, use))
    return NULL;
  return phase_of_arrival(order, arrive);
}

// The parity is that of the phase, whenever it is executed.
static bool has_parity(const Order *order, const OrderUse *use,
                       const Term *phase) {
  TermTable *terms = order->check->terms;
  const Term *differs = term_mod(
      terms, term_sub(terms, phase, use->use->parity), term_int(terms, 2));
  isl_map *map = order_term_map(order, &use->op.event, use->step, differs);
  isl_set *range = map ? isl_map_range(map) : NULL;
  isl_set *odd = isl_set_lower_bound_si(range, isl_dim_set, 0, 1);
  bool result = set_is_empty(odd);
  isl_set_free(odd);
  return result;
}

// Of a wait for a fixed parity: the phase of the thread's last
// arrival before it.
static const Term *phase_of_last(const Order *order, const OrderUse *wait) {
  const Term *result = NULL;
  int64_t parity;
  if (!term_is_constant(wait->use->parity, &parity))
    return NULL;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->step->id > wait->step->id)
      break;
    if (use->barrier == wait->barrier && arrives(use) &&
        use->use->slot == wait->use->slot && loops_hold(use, wait) &&
        share_threads(order, use, wait)) {
      const Term *phase = phase_of_arrival(order, use);
      if (has_parity(order, wait, phase))
        result = phase;
    }
  }
  return result;
}

static const Term *phase_of_wait(const Order *order, const OrderUse *use) {
  if (!use->use->parity)
    return NULL;
  const Term *last = phase_of_last(order, use);
  return last ? last
              : phase_of_parity(order, use, use->use->parity,
                                use->op.event.domain);
}

static const Term *order_claims_phase_of(const Order *order,
                                         const OrderUse *use) {
  if (!use->op.event.domain || !use->use->slot || use->barrier->n_slots == 0)
    return NULL;
  switch (use->kind) {
  case BARRIER_ARRIVE:
  case BARRIER_EXPECT: return phase_of_arrival(order, use);
  case BARRIER_LAND: return phase_of_landing(order, use);
  case BARRIER_WAIT: return phase_of_wait(order, use);
  case BARRIER_WAIT_TOKEN: return phase_of_token(order, use);
  case GROUP_MEET:
  case GROUP_ARRIVE:
  case GROUP_WAIT: break;
  }
  return NULL;
}

// ------------------------------------------------------------------- nodes

static isl_map *order_claims_named(isl_map *map, char prefix, uint32_t id) {
  char name[24];
  snprintf(name, sizeof name, "%c%u", prefix, id);
  return isl_map_set_tuple_name(map, isl_dim_out, name);
}

// Event -> the phase it is meant for, without its home.
static isl_map *phase_map(const Order *order, const OrderUse *use) {
  TermTable *terms = order->check->terms;
  const OrderEvent *event = &use->op.event;
  const Term *phase = term_add(terms, use->phase, term_int(terms, use->shift));
  const Term *slot = use->use->slot;
  if (use->barrier->goes_round)
    return order_term_map(
        order, event, use->step,
        term_add(terms, term_scale(terms, phase, use->barrier->n_slots), slot));
  isl_map *first = order_term_map(order, event, use->step, slot);
  isl_map *second =
      first ? order_term_map(order, event, use->step, phase) : NULL;
  if (second)
    return isl_map_flat_range_product(first, second);
  isl_map_free(first);
  return NULL;
}

void order_set_node(Order *order, OrderUse *use) {
  isl_map_free(use->claim);
  use->claim = NULL;
  use->n_graphs = 0;
  if (!use->phase)
    return;
  isl_map *home = order_home(order, use);
  isl_map *node = home ? phase_map(order, use) : NULL;
  if (!node) {
    isl_map_free(home);
    return;
  }
  node = isl_map_flat_range_product(home, node);
  use->claim = order_claims_named(node, NODE_PHASE, use->barrier->object->id);
}

// ------------------------------------------------------------------- meetings

static bool order_claims_is_wide(const IrGroup *group) {
  return group->kind == GROUP_CLUSTER || group->kind == GROUP_GRID;
}

// [instance, turns of the loops around the step whose meeting it is].
static isl_map *meeting(const Order *order, const OrderUse *use,
                        const IrGroup *group, uint32_t n_loops) {
  const OrderEvent *event = &use->op.event;
  isl_map *map = order_instance(order, event, use->step, group);
  if (!map)
    return NULL;
  if (order->cluster.n_axes > 0 && !order_claims_is_wide(group))
    map = isl_map_flat_range_product(map, order_own_block(order, event));
  unsigned first = (unsigned)isl_map_dim(map, isl_dim_out);
  map = isl_map_add_dims(map, isl_dim_out, n_loops);
  for (uint32_t i = 0; i < n_loops; i++)
    map = isl_map_equate(map, isl_dim_in, (int)(order->graph.n_lead + i),
                         isl_dim_out, (int)(first + i));
  return map;
}

static void set_meeting(Order *order, OrderUse *use) {
  const IrGroup *group = use->group;
  if (!use->op.event.domain || !group)
    return;
  const OrderUse *first =
      use->kind == GROUP_WAIT ? use_of(order, use->step->u.meet.token) : use;
  if (!first || !loops_hold(first, use))
    return;
  isl_map *map = meeting(order, use, group, first->op.event.n_loops);
  if (map)
    use->op.node = order_claims_named(
        map, order_claims_is_wide(group) ? NODE_WIDE_MEETING : NODE_MEETING,
        first->step->id);
}

// ---------------------------------------------------------------------- all

// A thread that arrives a second time in the same phase means a later one.
static bool repeats(const Order *order, const OrderUse *use) {
  unsigned n_lead = order->graph.n_lead;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *other = order->uses.data[i];
    if (other->step->id >= use->step->id)
      break;
    if (other->barrier != use->barrier || !arrives(other) || !other->claim)
      continue;
    isl_map *a = isl_map_project_out(isl_map_copy(use->claim), isl_dim_in,
                                     n_lead, use->op.event.n_loops);
    isl_map *b = isl_map_project_out(isl_map_copy(other->claim), isl_dim_in,
                                     n_lead, other->op.event.n_loops);
    isl_map *both = isl_map_intersect(a, b);
    bool is_empty = isl_map_is_empty(both) != isl_bool_false;
    isl_map_free(both);
    if (!is_empty)
      return true;
  }
  return false;
}

// A slot tells the phase but for a number: from 0 on.
static void shift_to_start(Order *order, OrderUse *use) {
  if (use->kind == BARRIER_WAIT || !use->claim ||
      !phase_of_use_slot(order, use))
    return;
  isl_map *phase = order_term_map(order, &use->op.event, use->step, use->phase);
  int64_t least;
  if (!phase || !least_value(phase, &least) || least == 0)
    return;
  use->shift = -least;
  order_set_node(order, use);
}

static void shift_arrival(Order *order, OrderUse *use) {
  enum { MAX_SHIFT = 8 };

  bool is_by_slot =
      arrives(use) && use->claim && phase_of_use_slot(order, use) &&
      count_arriving(order, use) >= use->barrier->object->arrivals;
  while (is_by_slot && use->shift < MAX_SHIFT && repeats(order, use)) {
    use->shift++;
    order_set_node(order, use);
  }
}

// What goes with an arrival is shifted with it.
static void shift_with_arrival(Order *order, OrderUse *use) {
  if (arrives(use) || use->kind == BARRIER_WAIT)
    return;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *other = order->uses.data[i];
    if (other->barrier == use->barrier && arrives(other) && other->shift != 0 &&
        other->use->slot == use->use->slot && loops_hold(other, use)) {
      use->shift = other->shift;
      order_set_node(order, use);
      return;
    }
  }
}

static void note_rounds(const Order *order) {
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->use && phase_of_slot(order->check->terms, use->use->slot))
      use->barrier->goes_round = true;
  }
}

void order_claim(Order *order) {
  note_rounds(order);
  for (uint32_t i = 0; i < order->uses.count; i++) {
    OrderUse *use = order->uses.data[i];
    if (use->use) {
      use->phase = order_claims_phase_of(order, use);
      order_set_node(order, use);
      shift_to_start(order, use);
      shift_arrival(order, use);
    } else {
      set_meeting(order, use);
    }
  }
  for (uint32_t i = 0; i < order->uses.count; i++)
    if (order->uses.data[i]->use)
      shift_with_arrival(order, order->uses.data[i]);
}

#else
typedef int OrderClaimsNotBuilt; // a file can't be empty
#endif
