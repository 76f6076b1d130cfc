// SPDX-License-Identifier: Apache-2.0
// How many arrivals, and how many bytes, a phase of a barrier gets.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"
#include <inttypes.h>
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>

// A number for each phase, [home, flat] -> number; none where nothing was
// added.
typedef struct {
  const Order *order;
  isl_pw_aff *total;
  bool is_known;
} Tally;

static isl_pw_aff *constant_on(isl_set *set, int64_t number) {
  isl_val *value = isl_val_int_from_si(isl_set_get_ctx(set), (long)number);
  isl_aff *aff = isl_aff_val_on_domain_space(isl_set_get_space(set), value);
  return isl_pw_aff_alloc(set, aff);
}

static void order_counts_add_part(Tally *tally, isl_pw_aff *part) {
  tally->total = tally->total ? isl_pw_aff_union_add(tally->total, part) : part;
  if (!tally->total)
    tally->is_known = false;
}

static void add_on(Tally *tally, isl_set *phases, int64_t number) {
  order_counts_add_part(tally, constant_on(phases, number));
}

// Threads and phases that have nothing to do with each other: so many each.
static bool add_product(Tally *tally, isl_map *each, int64_t number) {
  isl_set *threads =
      isl_set_project_out_all_params(isl_map_domain(isl_map_copy(each)));
  isl_set *phases = isl_map_range(isl_map_copy(each));
  isl_map *product = isl_map_from_domain_and_range(isl_set_copy(threads),
                                                   isl_set_copy(phases));
  bool is_product = isl_map_is_subset(product, each) == isl_bool_true;
  isl_map_free(product);
  isl_val *count = is_product ? isl_set_count_val(threads) : NULL;
  isl_set_free(threads);
  is_product = is_product && isl_val_is_int(count) == isl_bool_true;
  if (is_product)
    add_on(tally, phases, number * isl_val_get_num_si(count));
  else
    isl_set_free(phases);
  isl_val_free(count);
  return is_product;
}

// One thread, whichever the launch makes it.
static bool add_single(Tally *tally, isl_map *each, int64_t number) {
  isl_set *threads = isl_map_domain(isl_map_copy(each));
  isl_set *first = isl_set_lexmin(isl_set_copy(threads));
  bool is_single = isl_set_is_equal(threads, first) == isl_bool_true;
  isl_set_free(threads);
  isl_set_free(first);
  if (is_single)
    add_on(tally, isl_map_range(isl_map_copy(each)), number);
  return is_single;
}

// Everything from the first to the last of the set, in lexicographic order.
static isl_set *between(isl_set *first, isl_set *last) {
  isl_set *all = isl_set_universe(isl_set_get_space(first));
  isl_set *from = isl_map_domain(
      isl_set_lex_ge_set(isl_set_copy(all), isl_set_copy(first)));
  isl_set *to = isl_map_domain(isl_set_lex_le_set(all, isl_set_copy(last)));
  return isl_set_intersect(from, to);
}

// number * (last - first + 1), of single elements that parameters name, whose
// last dimension alone differs.
static isl_pw_aff *count_between(isl_set *first, isl_set *last,
                                 int64_t number) {
  unsigned at = (unsigned)isl_set_dim(first, isl_dim_set) - 1;
  isl_pw_aff *low = isl_set_dim_min(first, (int)at);
  isl_pw_aff *high = isl_set_dim_max(last, (int)at);
  isl_pw_aff *apart = isl_pw_aff_sub(high, low);
  isl_ctx *ctx = isl_pw_aff_get_ctx(apart);
  apart = isl_pw_aff_add_constant_val(apart, isl_val_one(ctx));
  return isl_pw_aff_scale_val(apart, isl_val_int_from_si(ctx, (long)number));
}

// Threads from one to another that parameters name, as those of roles that
// only a launch knows, in phases that are the same for all of them.
static bool add_interval(Tally *tally, isl_map *each, int64_t number) {
  isl_set *threads = isl_map_domain(isl_map_copy(each));
  isl_set *phases = isl_map_range(isl_map_copy(each));
  isl_map *product = isl_map_from_domain_and_range(isl_set_copy(threads),
                                                   isl_set_copy(phases));
  isl_set *first = isl_set_lexmin(isl_set_copy(threads));
  isl_set *last = isl_set_lexmax(isl_set_copy(threads));
  isl_set *all = between(first, last);
  bool is_interval = isl_map_is_subset(product, each) == isl_bool_true &&
                     isl_set_is_equal(threads, all) == isl_bool_true;
  isl_map_free(product);
  isl_set_free(all);
  isl_set_free(threads);
  if (!is_interval) {
    isl_set_free(first);
    isl_set_free(last);
    isl_set_free(phases);
    return false;
  }
  isl_set *count = isl_set_from_pw_aff(count_between(first, last, number));
  isl_map *of_phase = isl_map_from_domain_and_range(phases, count);
  isl_pw_multi_aff *counts = isl_pw_multi_aff_from_map(of_phase);
  isl_pw_aff *part = isl_pw_multi_aff_get_pw_aff(counts, 0);
  isl_pw_multi_aff_free(counts);
  order_counts_add_part(tally, part);
  return true;
}

// The last value of a dimension before the turns.
static int order_counts_last_of(const Tally *tally, unsigned k) {
  const OrderCluster *cluster = &tally->order->cluster;
  return (int)(k < cluster->n_axes ? cluster->dim[k]
                                   : tally->order->tree->n_threads) -
         1;
}

// The first and the last value of the dimension, no wider than they were.
static void tighten_threads(isl_map *map, unsigned k, int *low, int *high) {
  isl_set *domain = isl_map_domain(isl_map_copy(map));
  isl_val *first = isl_set_dim_min_val(isl_set_copy(domain), (int)k);
  isl_val *last = isl_set_dim_max_val(domain, (int)k);
  if (isl_val_is_int(first) == isl_bool_true &&
      isl_val_cmp_si(first, *low) > 0 && isl_val_cmp_si(first, *high) <= 0)
    *low = (int)isl_val_get_num_si(first);
  if (isl_val_is_int(last) == isl_bool_true &&
      isl_val_cmp_si(last, *low) >= 0 && isl_val_cmp_si(last, *high) < 0)
    *high = (int)isl_val_get_num_si(last);
  isl_val_free(first);
  isl_val_free(last);
}

// Halves the threads until each half behaves alike. Dimension k of the domain
// lies in low … high; earlier ones are fixed.
static void order_counts_add_range(Tally *tally, isl_map *each, unsigned k,
                                   int low, int high, int64_t number) {
  isl_map *part =
      isl_map_lower_bound_si(isl_map_copy(each), isl_dim_in, k, low);
  part = isl_map_upper_bound_si(part, isl_dim_in, k, high);
  isl_bool is_empty = isl_map_is_empty(part);
  if (is_empty == isl_bool_error)
    tally->is_known = false;
  if (is_empty != isl_bool_false || add_product(tally, part, number) ||
      add_single(tally, part, number) || add_interval(tally, part, number)) {
    isl_map_free(part);
    return;
  }
  tighten_threads(part, k, &low, &high);
  if (low < high) {
    int middle = low + (high - low) / 2;
    order_counts_add_range(tally, part, k, low, middle, number);
    order_counts_add_range(tally, part, k, middle + 1, high, number);
  } else if (k + 1 < (unsigned)isl_map_dim(part, isl_dim_in)) {
    order_counts_add_range(tally, part, k + 1, 0,
                           order_counts_last_of(tally, k + 1), number);
  } else {
    tally->is_known = false;
  }
  isl_map_free(part);
}

static bool drops(const OrderUse *use) {
  return use->kind == BARRIER_ARRIVE &&
         use->step->node->op == IR_MBAR_ARRIVE_DROP;
}

// From each phase to itself and all later ones.
static isl_map *from_phase_on(const Order *order, const OrderBarrier *barrier) {
  int64_t step = barrier->goes_round ? barrier->n_slots : 1;
  const char *tuple = barrier->goes_round ? "h" : "h, s";
  uint32_t id = barrier->object->id;
  char text[200];
  snprintf(text, sizeof text,
           "{ F%" PRIu32 "[%s, f] -> F%" PRIu32 "[%s, g] : exists k : k >= 0 "
           "and g = f + %" PRId64 " k }",
           id, tuple, id, tuple, step);
  return isl_map_read_from_str(order->ctx, text);
}

// The phases that an arrival counts for. Who drops counts as one that arrives
// in all later phases, too: so each still needs the count of the barrier's
// type. See Note [First violation] for why that is the same.
static isl_map *counts_for(const Order *order, const OrderUse *use) {
  isl_map *claim = isl_map_copy(use->claim);
  return drops(use)
             ? isl_map_apply_range(claim, from_phase_on(order, use->barrier))
             : claim;
}

enum { MOST_TURNS = 8 }; // in a row that belong to one phase

// Executions that count -> the phase. NULL: they aren't known.
static isl_map *order_counts_counted(const Order *order, const OrderUse *use) {
  if (!use->claim || !use->op.event.is_exact)
    return NULL;
  isl_map *map = counts_for(order, use);
  if (use->only) {
    OrderEvent event;
    bool is_known =
        order_event((Order *)(uintptr_t)order, use->step, use->only, &event) &&
        event.is_exact;
    if (is_known)
      map = isl_map_intersect_domain(map, isl_set_copy(event.domain));
    order_event_fini(&event);
    if (!is_known) {
      isl_map_free(map);
      return NULL;
    }
  }
  return isl_map_reset_tuple_id(map, isl_dim_out);
}

// [thread, turns] -> [thread, phase] takes no two turns to one point.
static bool is_once(const Order *order, const OrderUse *use,
                    const isl_map *given) {
  unsigned n_lead = order->graph.n_lead, n_loops = use->op.event.n_loops;
  isl_map *map = isl_map_copy((isl_map *)(uintptr_t)given);
  isl_map *keyed = isl_set_identity(isl_map_domain(isl_map_copy(map)));
  keyed = isl_map_project_out(keyed, isl_dim_out, n_lead, n_loops);
  keyed = isl_map_flat_range_product(keyed, map);
  bool result = isl_map_is_injective(keyed) == isl_bool_true;
  isl_map_free(keyed);
  return result;
}

// Without the turns: [thread] -> [phase].
static void add_once(const Order *order, Tally *tally, const OrderUse *use,
                     isl_map *map, int64_t number) {
  map = isl_map_project_out(map, isl_dim_in, order->graph.n_lead,
                            use->op.event.n_loops);
  map = isl_map_coalesce(map);
  order_counts_add_range(tally, map, 0, 0, order_counts_last_of(tally, 0),
                         number);
  isl_map_free(map);
}

// Those in every `step`-th turn of the innermost loop, from `first` on.
static isl_map *every(const Order *order, const OrderUse *use,
                      const isl_map *map, int step, int first) {
  int last = (int)(order->graph.n_lead + use->op.event.n_loops) - 1;
  isl_map *result = isl_map_copy((isl_map *)(uintptr_t)map);
  isl_local_space *space =
      isl_local_space_from_space(isl_space_domain(isl_map_get_space(result)));
  isl_aff *turn = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)last);
  turn = isl_aff_add_constant_si(turn, -first);
  turn = isl_aff_mod_val(turn, isl_val_int_from_si(order->ctx, step));
  isl_set *set = isl_set_from_basic_set(isl_aff_zero_basic_set(turn));
  return isl_map_intersect_domain(result, set);
}

// Several turns in a row, `step` of them, may belong to one phase.
static bool add_turns(const Order *order, Tally *tally, const OrderUse *use,
                      const isl_map *map, int step, int64_t number) {
  isl_map *parts[MOST_TURNS];
  bool are_once = use->op.event.n_loops > 0 || step == 1;
  int n = 0;
  for (; are_once && n < step; n++) {
    parts[n] = step == 1 ? isl_map_copy((isl_map *)(uintptr_t)map)
                         : every(order, use, map, step, n);
    are_once = is_once(order, use, parts[n]);
  }
  for (int i = 0; i < n; i++)
    if (are_once)
      add_once(order, tally, use, parts[i], number);
    else
      isl_map_free(parts[i]);
  return are_once;
}

static void add_use(const Order *order, Tally *tally, const OrderUse *use,
                    int64_t number) {
  isl_map *map = order_counts_counted(order, use);
  bool is_added = false;
  for (int step = 1; map && step <= MOST_TURNS && !is_added; step++)
    is_added = add_turns(order, tally, use, map, step, number);
  tally->is_known = tally->is_known && is_added;
  isl_map_free(map);
}

// ------------------------------------------------------------------ arrivals

static isl_set *where(const OrderBarrier *barrier, isl_set *phases) {
  char name[24];
  snprintf(name, sizeof name, "F%u", barrier->object->id);
  return isl_set_coalesce(isl_set_set_tuple_name(phases, name));
}

static void order_counts_forget(OrderBarrier *barrier) {
  isl_set_free(barrier->completed);
  isl_set_free(barrier->partial);
  barrier->completed = barrier->partial = NULL;
}

// Phases that somebody arrives in: where all have dropped, none ends any more.
static isl_set *arrived_in(const Order *order, const OrderBarrier *barrier) {
  isl_set *all = NULL;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier != barrier || use->arrivals <= 0)
      continue;
    isl_set *phases = isl_map_range(isl_map_copy(use->claim));
    all = all ? isl_set_union(all, phases) : phases;
  }
  return all;
}

// Nobody comes to the barrier in any launch.
static bool is_unused(const Order *order, OrderBarrier *barrier) {
  isl_set *phases = NULL;
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier != barrier)
      continue;
    isl_set_free(phases);
    phases = use->claim ? isl_map_range(isl_map_copy(use->claim)) : NULL;
    if (isl_set_is_empty(phases) != isl_bool_true) {
      isl_set_free(phases);
      return false;
    }
  }
  barrier->completed = phases;
  barrier->partial = isl_set_copy(phases);
  return phases != NULL;
}

static void count_arrivals(Order *order, OrderBarrier *barrier) {
  Tally tally = {.order = order, .is_known = true};
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier == barrier && use->arrivals > 0)
      add_use(order, &tally, use, use->arrivals);
  }
  if (!tally.total || !tally.is_known) {
    isl_pw_aff_free(tally.total);
    if (tally.is_known && is_unused(order, barrier))
      return;
    barrier->problem =
        tally.is_known
            ? "no thread arrives on it"
            : "the threads that arrive on it in each phase are unknown";
    return;
  }
  isl_set *any = isl_pw_aff_domain(isl_pw_aff_copy(tally.total));
  isl_pw_aff *count = constant_on(any, barrier->object->arrivals);
  isl_set *due = where(barrier, isl_pw_aff_eq_set(isl_pw_aff_copy(tally.total),
                                                  isl_pw_aff_copy(count)));
  isl_set *few = where(barrier, isl_pw_aff_lt_set(isl_pw_aff_copy(tally.total),
                                                  isl_pw_aff_copy(count)));
  isl_set *arrived = arrived_in(order, barrier);
  barrier->completed = isl_set_intersect(due, isl_set_copy(arrived));
  barrier->partial = isl_set_intersect(few, arrived);
  isl_set *over = isl_pw_aff_gt_set(tally.total, count);
  if (!set_is_empty(over))
    barrier->problem = "a phase may get more arrivals than its count";
  isl_set_free(over);
}

// --------------------------------------------------------------------- bytes

static void count_bytes(Order *order, OrderBarrier *barrier) {
  Tally tally = {.order = order, .is_known = true};
  for (uint32_t i = 0; i < order->uses.count; i++) {
    const OrderUse *use = order->uses.data[i];
    if (use->barrier == barrier && use->bytes != 0)
      add_use(order, &tally, use, use->expects ? use->bytes : -use->bytes);
  }
  if (!tally.is_known) {
    barrier->problem = "the phase that the bytes belong to is unknown";
  } else if (tally.total) {
    isl_set *wrong = isl_pw_aff_non_zero_set(isl_pw_aff_copy(tally.total));
    if (!set_is_empty(wrong))
      barrier->problem =
          "a phase may expect more or fewer bytes than are copied";
    isl_set_free(wrong);
  }
  isl_pw_aff_free(tally.total);
}

void order_count(Order *order, OrderBarrier *barrier) {
  order_counts_forget(barrier);
  if (!barrier->problem)
    count_arrivals(order, barrier);
  if (!barrier->problem)
    count_bytes(order, barrier);
}

#else
typedef int OrderCountsNotBuilt; // a file can't be empty
#endif
