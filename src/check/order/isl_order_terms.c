// SPDX-License-Identifier: Apache-2.0
// Terms to isl: linear ones, quotients by constants, choices, masks.
#ifdef HD_HAVE_ISL

#include "check/order/isl_order_terms.h"
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>

enum { MAX_DEPTH = 200 };

static isl_pw_aff *order_terms_value_of(OrderDims *dims, const Term *term);

isl_space *order_space(const OrderDims *dims) {
  return isl_space_set_alloc(dims->ctx, 0, dims->n_dims);
}

static isl_val *order_terms_number(const OrderDims *dims, int64_t value) {
  return isl_val_int_from_si(dims->ctx, (long)value);
}

static isl_pw_aff *order_terms_constant(const OrderDims *dims, int64_t value) {
  return isl_pw_aff_from_aff(isl_aff_val_on_domain_space(
      order_space(dims), order_terms_number(dims, value)));
}

static isl_pw_aff *dimension(const OrderDims *dims, uint32_t k) {
  isl_local_space *space = isl_local_space_from_space(order_space(dims));
  return isl_pw_aff_from_aff(
      isl_aff_var_on_domain(space, isl_dim_set, (unsigned)k));
}

static isl_pw_aff *parameter(const OrderDims *dims, const char *prefix,
                             uint32_t id) {
  char name[48];
  snprintf(name, sizeof name, "%s%u", prefix, id);
  isl_id *isl_name = isl_id_alloc(dims->ctx, name, NULL);
  isl_space *space =
      isl_space_add_param_id(order_space(dims), isl_id_copy(isl_name));
  return isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, isl_name));
}

bool order_has_axis(const OrderCluster *cluster, int axis, uint32_t *number_) {
  for (uint32_t i = 0; i < cluster->n_axes; i++)
    if (cluster->axis[i] == axis) {
      *number_ = i;
      return true;
    }
  return false;
}

isl_pw_aff *order_cluster(const OrderDims *dims, uint32_t number_) {
  return parameter(dims, "cluster", number_);
}

// ------------------------------------------------------------------ symbols

// All threads of the block are in one instance of the group, or don't ask.
static bool is_one_instance(const IrGroup *group) {
  for (; group; group = group->parent) {
    switch ((int)group->kind) {
    case GROUP_GRID:
    case GROUP_CLUSTER:
    case GROUP_BLOCK: return true;
    case GROUP_RANGE:
    case GROUP_SINGLE: break;
    default: return false;
    }
  }
  return false;
}

bool order_is_shared(const OrderDims *dims, const Symbol *symbol) {
  uint32_t axis;
  if (symbol->copy_of)
    return false;
  switch (symbol->kind) {
  case SYMBOL_LAUNCH: return true;
  case SYMBOL_BLOCK:
    return !order_has_axis(&dims->cluster, symbol->dimension, &axis);
  case SYMBOL_VALUE:
    return !symbol->loop && symbol->over &&
           (symbol->over->kind <= GROUP_CLUSTER ||
            (dims->cluster.n_axes == 0 && is_one_instance(symbol->over)));
  case SYMBOL_THREAD:
  case SYMBOL_TURN: break;
  }
  return false;
}

static void order_terms_bound(OrderDims *dims, const isl_pw_aff *value,
                              int64_t low, int64_t high) {
  isl_set *set = order_bounds(dims);
  isl_pw_aff *kept = isl_pw_aff_copy((isl_pw_aff *)(uintptr_t)value);
  if (low != INT64_MIN)
    set = isl_set_intersect(set,
                            isl_pw_aff_ge_set(isl_pw_aff_copy(kept),
                                              order_terms_constant(dims, low)));
  if (high != INT64_MAX)
    set = isl_set_intersect(
        set, isl_pw_aff_le_set(isl_pw_aff_copy(kept),
                               order_terms_constant(dims, high)));
  isl_pw_aff_free(kept);
  isl_set_free(dims->bounds);
  dims->bounds = set;
}

isl_set *order_bounds(OrderDims *dims) {
  if (!dims->has_bounds) {
    dims->has_bounds = true;
    dims->bounds = isl_set_universe(order_space(dims));
    for (uint32_t i = 0; i < dims->n_dims; i++) {
      if (!dims->symbols[i])
        continue;
      isl_pw_aff *value = dimension(dims, i);
      order_terms_bound(dims, value, dims->symbols[i]->low,
                        dims->symbols[i]->high);
      isl_pw_aff_free(value);
    }
  }
  return isl_set_copy(dims->bounds);
}

void order_dims_fini(OrderDims *dims) {
  isl_set_free(dims->bounds);
  dims->bounds = NULL;
  dims->has_bounds = false;
}

// The dimensions are those of one event.
static bool is_event(const OrderDims *dims) {
  uint32_t first = dims->cluster.n_axes;
  return dims->n_dims > first && (first == 0 || !dims->symbols[0]) &&
         dims->symbols[first] == dims->tree->thread;
}

// Index of the block along an axis: that of its cluster, and its place there.
static isl_pw_aff *order_terms_block_index(const OrderDims *dims,
                                           uint32_t axis) {
  isl_pw_aff *first =
      isl_pw_aff_scale_val(order_cluster(dims, axis),
                           order_terms_number(dims, dims->cluster.dim[axis]));
  return isl_pw_aff_add(first, dimension(dims, axis));
}

// Rank of the block in its cluster.
static isl_pw_aff *block_rank(const OrderDims *dims) {
  isl_pw_aff *rank = order_terms_constant(dims, 0);
  int64_t stride = 1;
  for (uint32_t i = 0; i < dims->cluster.n_axes; i++) {
    rank = isl_pw_aff_add(
        rank, isl_pw_aff_scale_val(dimension(dims, i),
                                   order_terms_number(dims, stride)));
    stride *= dims->cluster.dim[i];
  }
  return rank;
}

// Which instance of the group, in the block or cluster, the thread is in.
static isl_pw_aff *instance_number(OrderDims *dims, const IrGroup *group,
                                   int64_t *n) {
  const Tree *tree = dims->tree;
  if (group->id >= tree->groups.count)
    return NULL;
  const GroupView *view = &tree->groups.data[group->id];
  int64_t low, high;
  if (!view->is_known)
    return NULL;
  term_interval(dims->terms, view->instance, &low, &high);
  if (low < -ORDER_MAX_DIMS || high >= ORDER_MAX_DIMS)
    return NULL;
  *n = high - low + 1;
  isl_pw_aff *instance = order_terms_value_of(dims, view->instance);
  if (instance)
    instance = isl_pw_aff_add(instance, order_terms_constant(dims, -low));
  if (!instance || dims->cluster.n_axes == 0)
    return instance;
  *n *= dims->cluster.size;
  instance = isl_pw_aff_scale_val(instance,
                                  order_terms_number(dims, dims->cluster.size));
  return isl_pw_aff_add(instance, block_rank(dims));
}

// One value for each instance of its group: a parameter each, chosen by the
// thread.
static isl_pw_aff *instance_value(OrderDims *dims, const Symbol *symbol) {
  enum { MAX_INSTANCES = 16 };

  if (symbol->kind != SYMBOL_VALUE || symbol->copy_of || symbol->loop ||
      !symbol->over || !is_event(dims))
    return NULL;
  int64_t n = 0;
  isl_pw_aff *instance = instance_number(dims, symbol->over, &n), *all = NULL;
  for (int64_t i = 0; i < n && n <= MAX_INSTANCES && instance; i++) {
    char prefix[24];
    snprintf(prefix, sizeof prefix, "i%d_", (int)i);
    isl_pw_aff *value = parameter(dims, prefix, symbol->id);
    order_terms_bound(dims, value, symbol->low, symbol->high);
    value = isl_pw_aff_intersect_domain(
        value, isl_pw_aff_eq_set(isl_pw_aff_copy(instance),
                                 order_terms_constant(dims, i)));
    all = all ? isl_pw_aff_union_add(all, value) : value;
  }
  isl_pw_aff_free(instance);
  return all;
}

static isl_pw_aff *bounded_block(OrderDims *dims, const Symbol *symbol,
                                 uint32_t axis) {
  isl_pw_aff *index = order_terms_block_index(dims, axis);
  order_terms_bound(dims, index, symbol->low, symbol->high);
  return index;
}

static isl_pw_aff *symbol_value(OrderDims *dims, const Symbol *symbol) {
  for (uint32_t i = 0; i < dims->n_dims; i++)
    if (dims->symbols[i] == symbol)
      return dimension(dims, i);
  uint32_t axis;
  if (symbol->kind == SYMBOL_BLOCK && !symbol->copy_of &&
      order_has_axis(&dims->cluster, symbol->dimension, &axis))
    return is_event(dims) ? bounded_block(dims, symbol, axis) : NULL;
  if (!order_is_shared(dims, symbol))
    return instance_value(dims, symbol);
  isl_pw_aff *value = parameter(dims, "p", symbol->id);
  order_terms_bound(dims, value, symbol->low, symbol->high);
  return value;
}

typedef struct {
  const OrderDims *dims;
  bool are_shared;
} Sharing;

static void order_terms_visit_symbol(const Symbol *symbol, void *context) {
  Sharing *sharing = (Sharing *)context;
  if (!order_is_shared(sharing->dims, symbol))
    sharing->are_shared = false;
}

bool order_is_shared_term(const OrderDims *dims, const Term *term) {
  Sharing sharing = {dims, true};
  term_symbols(term, order_terms_visit_symbol, &sharing);
  return sharing.are_shared;
}

// What isn't linear, but the same for all: a parameter of its own.
static isl_pw_aff *order_terms_opaque(const OrderDims *dims, const Term *term) {
  return order_is_shared_term(dims, term) ? parameter(dims, "t", term->id)
                                          : NULL;
}

// ----------------------------------------------------------------- integers

static isl_pw_aff *sum_value(OrderDims *dims, const Term *term) {
  isl_pw_aff *sum = order_terms_constant(dims, term->number);
  for (uint32_t i = 0; i < term->n_parts && sum; i++) {
    isl_pw_aff *part = order_terms_value_of(dims, term->parts[i].atom);
    if (!part) {
      isl_pw_aff_free(sum);
      return NULL;
    }
    part = isl_pw_aff_scale_val(
        part, order_terms_number(dims, term->parts[i].coefficient));
    sum = isl_pw_aff_add(sum, part);
  }
  return sum;
}

// Bit k, 0 or 1, of a number in two's complement.
static isl_pw_aff *bit_of(const OrderDims *dims, const isl_pw_aff *x, int k) {
  isl_pw_aff *value = isl_pw_aff_copy((isl_pw_aff *)(uintptr_t)x);
  value = isl_pw_aff_scale_down_val(value,
                                    order_terms_number(dims, (int64_t)1 << k));
  return isl_pw_aff_mod_val(isl_pw_aff_floor(value),
                            order_terms_number(dims, 2));
}

// Of two bits, as a number.
static isl_pw_aff *join_bits(const OrderDims *dims, TermKind kind,
                             isl_pw_aff *a, isl_pw_aff *b) {
  isl_pw_aff *sum = isl_pw_aff_add(a, b); // 0, 1 or 2
  if (kind == TERM_XOR)
    return isl_pw_aff_mod_val(sum, order_terms_number(dims, 2));
  if (kind == TERM_OR)
    sum = isl_pw_aff_add(sum, order_terms_constant(dims, 1));
  return isl_pw_aff_floor(
      isl_pw_aff_scale_down_val(sum, order_terms_number(dims, 2)));
}

enum { MOST_BITS = 5 };

static bool has_few_bits(const OrderDims *dims, const Term *term) {
  int64_t low, high;
  term_interval(dims->terms, term, &low, &high);
  return low >= 0 && high < 1 << MOST_BITS;
}

// The lowest n bits of an operation on bits.
static isl_pw_aff *bitwise(OrderDims *dims, const Term *term, int n) {
  isl_pw_aff *a = order_terms_value_of(dims, term->args[0]),
             *all = order_terms_constant(dims, 0);
  isl_pw_aff *b = a ? order_terms_value_of(dims, term->args[1]) : NULL;
  for (int k = 0; k < n && b; k++) {
    isl_pw_aff *bit =
        join_bits(dims, term->kind, bit_of(dims, a, k), bit_of(dims, b, k));
    bit = isl_pw_aff_scale_val(bit, order_terms_number(dims, (int64_t)1 << k));
    all = isl_pw_aff_add(all, bit);
  }
  if (!b)
    all = isl_pw_aff_free(all);
  isl_pw_aff_free(a);
  isl_pw_aff_free(b);
  return all;
}

// x modulo a power of two needs few bits of x. -1: no such thing.
static int low_bits_wanted(const Term *x, int64_t divisor) {
  bool is_bitwise =
      x->kind == TERM_XOR || x->kind == TERM_AND || x->kind == TERM_OR;
  for (int n = 1; n <= MOST_BITS && is_bitwise && x->n_args == 2; n++)
    if (divisor == 1 << n)
      return n;
  return -1;
}

// args[0] divided by a constant.
static isl_pw_aff *order_terms_quotient(OrderDims *dims, const Term *term,
                                        bool is_mod) {
  int64_t divisor;
  if (!term_is_constant(term->args[1], &divisor) || divisor <= 0)
    return order_terms_opaque(dims, term);
  int n_bits = is_mod ? low_bits_wanted(term->args[0], divisor) : -1;
  isl_pw_aff *value = n_bits < 0 ? order_terms_value_of(dims, term->args[0])
                                 : bitwise(dims, term->args[0], n_bits);
  if (!value || n_bits >= 0)
    return value;
  if (is_mod)
    return isl_pw_aff_mod_val(value, order_terms_number(dims, divisor));
  return isl_pw_aff_floor(
      isl_pw_aff_scale_down_val(value, order_terms_number(dims, divisor)));
}

static isl_pw_aff *order_terms_extreme(OrderDims *dims, const Term *term,
                                       bool is_max) {
  isl_pw_aff *result = order_terms_value_of(dims, term->args[0]);
  for (uint32_t i = 1; i < term->n_args && result; i++) {
    isl_pw_aff *next = order_terms_value_of(dims, term->args[i]);
    if (!next) {
      isl_pw_aff_free(result);
      return NULL;
    }
    result =
        is_max ? isl_pw_aff_max(result, next) : isl_pw_aff_min(result, next);
  }
  return result;
}

// The condition exactly, or NULL.
static isl_set *exact_condition(OrderDims *dims, const Term *condition) {
  bool before = dims->is_exact;
  dims->is_exact = true;
  isl_set *set = order_condition(dims, condition);
  bool is_exact = dims->is_exact;
  dims->is_exact = before;
  if (is_exact)
    return set;
  isl_set_free(set);
  return NULL;
}

static isl_pw_aff *order_terms_choice(OrderDims *dims, const Term *term) {
  isl_set *yes = exact_condition(dims, term->args[0]);
  isl_pw_aff *a = yes ? order_terms_value_of(dims, term->args[1]) : NULL;
  isl_pw_aff *b = a ? order_terms_value_of(dims, term->args[2]) : NULL;
  if (!b) {
    isl_set_free(yes);
    isl_pw_aff_free(a);
    return order_terms_opaque(dims, term);
  }
  isl_set *no = isl_set_complement(isl_set_copy(yes));
  return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(a, yes),
                              isl_pw_aff_intersect_domain(b, no));
}

// x modulo 2^n, where `mask` is 2^n - 1.
static isl_pw_aff *order_terms_low_bits(OrderDims *dims, const Term *x,
                                        int64_t mask) {
  isl_pw_aff *value = order_terms_value_of(dims, x);
  return value ? isl_pw_aff_mod_val(value, order_terms_number(dims, mask + 1))
               : NULL;
}

static bool is_mask(int64_t number_) {
  return number_ > 0 && number_ < INT64_MAX && (number_ & (number_ + 1)) == 0;
}

// Bit by bit, of two numbers with few bits.
static isl_pw_aff *small_bits(OrderDims *dims, const Term *term) {
  bool are_small =
      has_few_bits(dims, term->args[0]) && has_few_bits(dims, term->args[1]);
  return are_small ? bitwise(dims, term, MOST_BITS) : NULL;
}

static isl_pw_aff *bits(OrderDims *dims, const Term *term) {
  int64_t other;
  if (term->n_args != 2)
    return order_terms_opaque(dims, term);
  int k = term_is_constant(term->args[1], &other) ? 0 : 1;
  bool has_constant = k == 0 || term_is_constant(term->args[0], &other);
  const Term *x = term->args[k];
  if (has_constant && term->kind == TERM_AND && is_mask(other))
    return order_terms_low_bits(dims, x, other);
  if (has_constant && term->kind == TERM_XOR && is_mask(other)) {
    // x with its low bits turned round: x + mask - 2 (x mod 2^n)
    isl_pw_aff *low = order_terms_low_bits(dims, x, other);
    isl_pw_aff *value = low ? order_terms_value_of(dims, x) : NULL;
    if (!value)
      return NULL;
    low = isl_pw_aff_scale_val(low, order_terms_number(dims, -2));
    return isl_pw_aff_add(isl_pw_aff_add(value, low),
                          order_terms_constant(dims, other));
  }
  isl_pw_aff *value = small_bits(dims, term);
  return value ? value : order_terms_opaque(dims, term);
}

static isl_pw_aff *order_terms_shift(OrderDims *dims, const Term *term) {
  int64_t by;
  if (!term_is_constant(term->args[1], &by) || by < 0 || by > 40)
    return order_terms_opaque(dims, term);
  isl_pw_aff *value = order_terms_value_of(dims, term->args[0]);
  if (!value)
    return NULL;
  isl_val *factor = order_terms_number(dims, (int64_t)1 << by);
  if (term->kind == TERM_SHL)
    return isl_pw_aff_scale_val(value, factor);
  return isl_pw_aff_floor(isl_pw_aff_scale_down_val(value, factor));
}

static isl_pw_aff *kind_value(OrderDims *dims, const Term *term) {
  switch ((int)term->kind) {
  case TERM_SUM: return sum_value(dims, term);
  case TERM_SYMBOL: return symbol_value(dims, term->symbol);
  case TERM_DIV: return order_terms_quotient(dims, term, false);
  case TERM_MOD: return order_terms_quotient(dims, term, true);
  case TERM_MIN: return order_terms_extreme(dims, term, false);
  case TERM_MAX: return order_terms_extreme(dims, term, true);
  case TERM_ITE: return order_terms_choice(dims, term);
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: return bits(dims, term);
  case TERM_SHL:
  case TERM_SHR: return order_terms_shift(dims, term);
  case TERM_MUL:
  case TERM_APPLY: return order_terms_opaque(dims, term);
  default: return NULL;
  }
}

static isl_pw_aff *order_terms_value_of(OrderDims *dims, const Term *term) {
  if (dims->depth >= MAX_DEPTH)
    return NULL;
  dims->depth++;
  isl_pw_aff *value = kind_value(dims, term);
  dims->depth--;
  return value;
}

isl_pw_aff *order_value(OrderDims *dims, const Term *term) {
  isl_pw_aff *value = order_terms_value_of(dims, order_flatten(dims, term));
  if (!value)
    dims->is_exact = false;
  return value;
}

// --------------------------------------------------------------- conditions

static isl_set *condition_of(OrderDims *dims, const Term *term, bool is_not);

static isl_set *order_terms_unknown(OrderDims *dims) {
  dims->is_exact = false;
  return isl_set_universe(order_space(dims));
}

static isl_set *order_terms_comparison(OrderDims *dims, const Term *term,
                                       bool is_not) {
  isl_pw_aff *value = order_terms_value_of(dims, term->args[0]);
  if (!value)
    return order_terms_unknown(dims);
  if (term->kind == TERM_LE)
    return is_not ? isl_pw_aff_pos_set(value)
                  : isl_pw_aff_le_set(value, order_terms_constant(dims, 0));
  return is_not ? isl_pw_aff_non_zero_set(value) : isl_pw_aff_zero_set(value);
}

static isl_set *several(OrderDims *dims, const Term *term, bool is_not) {
  bool is_and = (term->kind == TERM_ALL) != is_not;
  isl_set *result = condition_of(dims, term->args[0], is_not);
  for (uint32_t i = 1; i < term->n_args; i++) {
    isl_set *next = condition_of(dims, term->args[i], is_not);
    result =
        is_and ? isl_set_intersect(result, next) : isl_set_union(result, next);
  }
  return is_and ? result : isl_set_coalesce(result);
}

static isl_set *condition_of(OrderDims *dims, const Term *term, bool is_not) {
  if (dims->depth >= MAX_DEPTH)
    return order_terms_unknown(dims);
  dims->depth++;
  isl_set *result;
  switch ((int)term->kind) {
  case TERM_TRUE:
  case TERM_FALSE:
    result = (term->kind == TERM_TRUE) != is_not
                 ? isl_set_universe(order_space(dims))
                 : isl_set_empty(order_space(dims));
    break;
  case TERM_LE:
  case TERM_EQ: result = order_terms_comparison(dims, term, is_not); break;
  case TERM_NOT: result = condition_of(dims, term->args[0], !is_not); break;
  case TERM_ALL:
  case TERM_SOME: result = several(dims, term, is_not); break;
  default: result = order_terms_unknown(dims); break;
  }
  dims->depth--;
  return result;
}

isl_set *order_condition(OrderDims *dims, const Term *condition) {
  return condition_of(dims, order_flatten(dims, condition), false);
}

#else
typedef int OrderTermsNotBuilt; // a file can't be empty
#endif
