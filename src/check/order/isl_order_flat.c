// SPDX-License-Identifier: Apache-2.0
// Note [Flat nests]
//
//   for (t …) for (k = 0; k < nk; k++) …   slot (t * nk + k) % S
//
// The number of turns that the inner loop makes isn't constant, so the number
// of the turn in the whole nest, g = nk * t + k, isn't linear in t and k. But t
// and k are told by g and the other way: (t, k) with 0 <= t < n and 0 <= k < nk
// are the numbers 0 <= g < n * nk, in the same order. So events have g for a
// dimension where t and k would be two, nk * n is one parameter, and k is g -
// nk * t in every term: what depends on g alone loses t by that, and nothing
// else can be said. Another loop with the same two numbers of turns has the
// same parameter; with others it has another one, of which nothing is known.
//
// That is done where every operation on an mbarrier, of all in the outer loop,
// stands in the inner one; without such operations, every one that orders
// something. Between turns of the nest and of the outer loop alone no order is
// told (OrderEvent.outer): what a sync in an epilogue orders is found only
// among the epilogues. That it makes nobody wait for ever is Note [Meetings
// aside]. Both loops make as many turns for all threads, and nothing leaves
// them early.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order.h"

// ------------------------------------------------------------- finding nests

// By loop: the loop in it that holds all operations so far.
typedef struct {
  const CheckLoop *child;
  bool is_mixed; // there are others
} FlatScan;

// Which operations have to stand in the inner loop: all, or those on mbarriers
// and what may leave.
typedef enum { FLAT_OF_ALL, FLAT_OF_BARRIERS, FLAT_SCANS } FlatKind;

typedef struct {
  FlatScan *by_loop[FLAT_SCANS];
} FlatScans;

// In how many of the scans the step counts.
static int order_flat_scans_of(const Step *step) {
  switch (step->kind) {
  case STEP_TOUCH:
    if (step->u.touch.touch->done == DONE_AT_ONCE)
      return 0;
    return step->u.touch.copy_barrier ||
                   step->u.touch.touch->done == DONE_TENSOR
               ? FLAT_SCANS
               : FLAT_OF_BARRIERS;
  case STEP_BARRIER:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_EXIT: return FLAT_SCANS;
  case STEP_SYNC:
  case STEP_COLLECTIVE:
  case STEP_FENCE_ASYNC:
  case STEP_COMMIT:
  case STEP_COPY_WAIT: return FLAT_OF_BARRIERS;
  case STEP_IF:
  case STEP_LOOP:
  case STEP_SCOPE:
  case STEP_CLAIM:
  case STEP_FENCE:
  case STEP_OBLIGATION: break;
  }
  return 0;
}

static bool is_head_exit(const Step *step) {
  return step->kind == STEP_EXIT && step->u.exit.target &&
         step->u.exit.target->kind == STEP_LOOP &&
         tree_has_head_test(step->u.exit.target) &&
         step->u.exit.target->u.loop.body->u.branch.body == step;
}

static void order_flat_note(const Step *step, FlatScan *scans) {
  const CheckLoop *child = NULL;
  for (const CheckLoop *loop = step->loop; loop; loop = loop->parent) {
    FlatScan *own = &scans[loop->id];
    own->is_mixed |=
        step->kind == STEP_EXIT || (own->child ? own->child != child : !child);
    own->child = child;
    child = loop;
  }
}

static void order_flat_scan(const Step *step, void *context) {
  const FlatScans *scans = context;
  int n = is_head_exit(step) ? 0 : order_flat_scans_of(step);
  for (int kind = 0; kind < n; kind++)
    order_flat_note(step, scans->by_loop[kind]);
}

static const CheckLoop *inner_of(const FlatScans *scans,
                                 const CheckLoop *outer) {
  const CheckLoop *inner = NULL;
  for (int kind = 0; kind < FLAT_SCANS && !inner; kind++) {
    const FlatScan *own = &scans->by_loop[kind][outer->id];
    inner = own->is_mixed ? NULL : own->child;
  }
  return inner;
}

static const Term *constant_turn(const Symbol *symbol, void *context) {
  const Term **given = context; // the turn, and what it is
  return symbol == given[0]->symbol ? given[1] : NULL;
}

static const Term *order_flat_at_turn(TermTable *terms, const Term *term,
                                      const Term *turn, int64_t number) {
  const Term *given[] = {turn, term_int(terms, number)};
  return term_replace(terms, term, constant_turn, (void *)given);
}

// Turns of a loop that begins with its test, `first + by * turn <= 0` for those
// that stay, where `by` needn't be a number; NULL: none, or it isn't known.
static const Term *tested_turns(TermTable *terms, const Step *step) {
  const Term *turn = term_of(terms, step->u.loop.loop->turn);
  if (!tree_has_head_test(step))
    return NULL;
  const Term *stay = term_not(terms, step->u.loop.body->u.branch.condition);
  if (stay->kind != TERM_LE)
    return NULL;
  const Term *sum = stay->args[0],
             *first = order_flat_at_turn(terms, sum, turn, 0);
  const Term *by =
      term_sub(terms, order_flat_at_turn(terms, sum, turn, 1), first);
  int64_t low, high;
  term_interval(terms, by, &low, &high);
  if (low < 1 || sum != term_add(terms, first, term_mul(terms, by, turn)))
    return NULL;
  return term_add(terms, term_div(terms, term_scale(terms, first, -1), by),
                  term_int(terms, 1));
}

static bool order_flat_is_steady(const Order *order, const Term *trips) {
  OrderDims dims = {.terms = order->check->terms,
                    .tree = order->tree,
                    .cluster = order->cluster};
  return trips && order_is_shared_term(&dims, trips);
}

// As often as that unless something leaves it, which the scan has seen; NULL:
// not known.
static const Term *order_flat_turns_of(const Order *order, const Step *step) {
  const CheckLoop *loop = step->u.loop.loop;
  const Term *trips =
      loop->trips ? loop->trips : tested_turns(order->check->terms, step);
  bool is_left = loop->trips && loop->has_exit;
  return !is_left && !loop->is_thread_loop && order_flat_is_steady(order, trips)
             ? trips
             : NULL;
}

static bool is_in_pair(const Order *order, const CheckLoop *loop) {
  for (uint32_t i = 0; i < order->flats.count; i++)
    if (order->flats.data[i]->outer == loop ||
        order->flats.data[i]->inner == loop)
      return true;
  return false;
}

static const Term *at_least_0(TermTable *terms, const Term *trips) {
  return term_max(terms, trips, term_int(terms, 0));
}

static void add_flat(Order *order, const CheckLoop *outer, const Term *n,
                     const CheckLoop *inner) {
  TermTable *terms = order->check->terms;
  OrderFlat *flat = ARENA_NEW(order->arena, OrderFlat);
  Symbol model = *inner->turn;
  model.low = 0;
  model.high = INT64_MAX;
  *flat = (OrderFlat){.outer = outer, .inner = inner};
  flat->loop = *inner;
  flat->loop.parent = outer->parent;
  flat->loop.turn = term_symbol_new(terms, &model);
  flat->loop.trips =
      term_mul(terms, at_least_0(terms, n), at_least_0(terms, inner->trips));
  VEC_PUSH(order->arena, &order->flats, flat);
}

static void find_pair(Order *order, const FlatScans *scans, const Step *step) {
  const CheckLoop *outer = step->u.loop.loop, *inner = inner_of(scans, outer);
  int64_t number;
  if (!inner || inner->has_exit || inner->is_thread_loop ||
      !order_flat_is_steady(order, inner->trips) ||
      term_is_constant(inner->trips, &number) || is_in_pair(order, outer) ||
      is_in_pair(order, inner))
    return;
  const Term *trips = order_flat_turns_of(order, step);
  if (trips)
    add_flat(order, outer, trips, inner);
}

// Innermost pairs first.
static void find_pairs(Order *order, const FlatScans *scans, const Step *step) {
  for (; step; step = step->next) {
    if (step->kind == STEP_IF) {
      find_pairs(order, scans, step->u.branch.body);
      find_pairs(order, scans, step->u.branch.other);
    } else if (step->kind == STEP_SCOPE) {
      find_pairs(order, scans, step->u.scope.body);
    } else if (step->kind == STEP_LOOP) {
      find_pairs(order, scans, step->u.loop.body);
      find_pair(order, scans, step);
    }
  }
}

void order_find_flats(Order *order) {
  uint32_t n = order->tree->loops.count;
  FlatScans scans;
  for (int kind = 0; kind < FLAT_SCANS; kind++)
    scans.by_loop[kind] = ARENA_ARRAY(order->arena, FlatScan, n + 1);
  tree_each(order->tree->first, order_flat_scan, &scans);
  find_pairs(order, &scans, order->tree->first);
}

// -------------------------------------------------------------------- using

uint32_t order_join_flats(const Order *order, const CheckLoop **loops,
                          uint32_t n) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const CheckLoop *loop = loops[i];
    for (uint32_t k = 0; k < order->flats.count && i + 1 < n; k++) {
      const OrderFlat *flat = order->flats.data[k];
      if (flat->outer == loops[i] && flat->inner == loops[i + 1]) {
        loop = &flat->loop;
        i++;
        break;
      }
    }
    loops[n_kept++] = loop;
  }
  return n_kept;
}

const OrderFlat *order_flat_of(const Order *order, const Symbol *turn) {
  for (uint32_t i = 0; i < order->flats.count; i++)
    if (order->flats.data[i]->loop.turn == turn)
      return order->flats.data[i];
  return NULL;
}

const Term *order_flat_start(const Order *order, const OrderFlat *flat,
                             const Term *outer_turn) {
  TermTable *terms = order->check->terms;
  return term_mul(terms, flat->inner->trips, outer_turn);
}

void order_replace_turn(OrderDims *dims, const Symbol *turn, const Term *by) {
  if (dims->n_replaced == ORDER_MAX_REPLACED)
    return;
  dims->replaced[dims->n_replaced] = turn;
  dims->replaced_by[dims->n_replaced++] = by;
}

static const Term *replacement(const Symbol *symbol, void *context) {
  const OrderDims *dims = context;
  for (uint32_t i = 0; i < dims->n_replaced; i++)
    if (dims->replaced[i] == symbol)
      return dims->replaced_by[i];
  return NULL;
}

// (r + x mod c) div c as (r + x) div c - x div c: then the quotients of t that
// a counter was carried with go away.
static const Term *order_flat_quotient(TermTable *terms, const Term *sum,
                                       const Term *by) {
  const TermPart whole = {sum, 1};
  const TermPart *parts = sum->kind == TERM_SUM ? sum->parts : &whole;
  uint32_t n = sum->kind == TERM_SUM ? sum->n_parts : 1;
  const Term *value = sum, *less = term_int(terms, 0);
  for (uint32_t i = 0; i < n; i++) {
    const Term *atom = parts[i].atom;
    int64_t factor = parts[i].coefficient;
    if (atom->kind != TERM_MOD || atom->args[1] != by)
      continue;
    const Term *whole_part = term_sub(terms, atom->args[0], atom);
    value = term_add(terms, value, term_scale(terms, whole_part, factor));
    less =
        term_add(terms, less,
                 term_scale(terms, term_div(terms, atom->args[0], by), factor));
  }
  return term_sub(terms, term_div(terms, value, by), less);
}

static const Term *order_flat_unfold(TermTable *terms, const Term *term,
                                     uint32_t depth) {
  enum { MAX_DEPTH = 20 };

  if (depth == MAX_DEPTH)
    return term;
  if (term->kind == TERM_SUM) {
    const Term *sum = term_int(terms, term->number);
    for (uint32_t i = 0; i < term->n_parts; i++)
      sum = term_add(
          terms, sum,
          term_scale(terms,
                     order_flat_unfold(terms, term->parts[i].atom, depth + 1),
                     term->parts[i].coefficient));
    return sum;
  }
  if (term->kind != TERM_MOD && term->kind != TERM_DIV)
    return term;
  const Term *by = term->args[1];
  const Term *value = order_flat_unfold(terms, term->args[0], depth + 1);
  return term->kind == TERM_MOD ? term_mod(terms, value, by)
                                : order_flat_quotient(terms, value, by);
}

const Term *order_flatten(OrderDims *dims, const Term *term) {
  if (dims->n_replaced > 0)
    term = term_replace(dims->terms, term, replacement, dims);
  return term_is_int(term) ? order_flat_unfold(dims->terms, term, 0) : term;
}

#else
typedef int OrderFlatNotBuilt; // a file can't be empty
#endif
