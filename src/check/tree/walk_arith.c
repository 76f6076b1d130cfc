// SPDX-License-Identifier: Apache-2.0
// Operations on integers and bools: see Note [Values and terms].
#include "check/tree/walk.h"

typedef struct {
  Walk *w;
  TermTable *t;
  const IrNode *node;
  uint32_t bits; // of operand 0
  const Value *a, *b;
} Arith;

static const Term *walk_arith_number(const Arith *x, int64_t value) {
  return term_int(x->t, value);
}

// The result is this number, signed: owed where it could lie outside.
static const Value *exact_signed(const Arith *x, const Term *term) {
  int64_t low, high, least, most;
  term_interval(x->t, term, &low, &high);
  type_range(x->bits, false, &least, &most);
  if (x->bits < 64 && (low < least || high > most)) {
    const Term *fits =
        term_and(x->t, term_le(x->t, walk_arith_number(x, least), term),
                 term_le(x->t, term, walk_arith_number(x, most)));
    walk_oblige(x->w, x->node, OBLIGATION_OVERFLOW, fits);
  }
  return value_int(x->w, x->bits, term, true, false);
}

static const Value *modular(const Arith *x, const Term *term) {
  return value_int(x->w, x->bits, term, false, false);
}

static const Value *any(const Arith *x) {
  return value_fresh(x->w, x->node, x->node->type);
}

// ------------------------------------------------------ sums and products

// A counter of 64 bits, and a small number.
static bool is_count(const Arith *x) {
  const IrNode *a = x->node->args[0];
  int64_t by;
  return (x->node->op == IR_ADD || x->node->op == IR_SUB) &&
         x->node->flags & NODE_OWN && a->op == IR_GET &&
         x->w->kernel->vars.data[a->u.variable.var].counts && x->b &&
         term_is_constant(value_signed(x->w, x->b), &by) && by >= -1024 &&
         by <= 1024;
}

// The ends of 64 bits can't be said in terms. So a bit more is owed there.
static void oblige_64(const Arith *x, const Term *term) {
  int64_t low, high, most = (int64_t)1 << 62;
  term_interval(x->t, term, &low, &high);
  if (x->bits < 64 || (low >= -most && high <= most) || is_count(x))
    return;
  const Term *fits =
      term_and(x->t, term_le(x->t, walk_arith_number(x, -most), term),
               term_le(x->t, term, walk_arith_number(x, most)));
  walk_oblige(x->w, x->node, OBLIGATION_OVERFLOW, fits);
}

static const Term *walk_arith_combined(const Arith *x, const Term *a,
                                       const Term *b) {
  switch ((int)x->node->op) {
  case IR_ADD: return term_add(x->t, a, b);
  case IR_SUB: return term_sub(x->t, a, b);
  case IR_NEG: return term_scale(x->t, a, -1);
  default: return term_mul(x->t, a, b);
  }
}

static const Value *sum_or_product(const Arith *x) {
  if (x->node->flags & NODE_NO_SIGNED_WRAP) {
    const Term *a = value_signed(x->w, x->a);
    const Term *b = x->b ? value_signed(x->w, x->b) : NULL;
    const Term *term = walk_arith_combined(x, a, b);
    oblige_64(x, term);
    return exact_signed(x, term);
  }
  const Term *b = x->b ? x->b->term : NULL;
  return modular(x, walk_arith_combined(x, x->a->term, b));
}

// ---------------------------------------------------------------- quotients

static bool is_not_negative(const Arith *x, const Term *term) {
  int64_t low, high;
  term_interval(x->t, term, &low, &high);
  return low >= 0;
}

// Towards zero, or what is left then; b > 0.
static const Term *truncated(const Arith *x, const Term *a, const Term *b,
                             bool is_rest) {
  const Term *(*op)(TermTable *, const Term *, const Term *) =
      is_rest ? term_mod : term_div;
  const Term *above = op(x->t, a, b);
  if (is_not_negative(x, a))
    return above;
  const Term *minus = term_scale(x->t, a, -1);
  const Term *below = term_scale(x->t, op(x->t, minus, b), -1);
  return term_ite(x->t, term_le(x->t, walk_arith_number(x, 0), a), above,
                  below);
}

static const Value *signed_quotient(const Arith *x) {
  bool is_rest = x->node->op == IR_SREM;
  const Term *a = value_signed(x->w, x->a), *b = value_signed(x->w, x->b);
  int64_t divisor;
  if (term_is_constant(b, &divisor) && divisor < -1 && divisor != INT64_MIN) {
    const Term *term = truncated(x, a, walk_arith_number(x, -divisor), is_rest);
    return value_int(x->w, x->bits, is_rest ? term : term_scale(x->t, term, -1),
                     true, false);
  }
  b = walk_divisor(x->w, b);
  if (!b)
    return any(x);
  return value_int(x->w, x->bits, truncated(x, a, b, is_rest), true, false);
}

static const Value *unsigned_quotient(const Arith *x) {
  const Term *a = value_unsigned(x->w, x->a), *b = value_unsigned(x->w, x->b);
  b = walk_divisor(x->w, b);
  if (!b)
    return any(x);
  const Term *term =
      x->node->op == IR_UREM ? term_mod(x->t, a, b) : term_div(x->t, a, b);
  return value_int(x->w, x->bits, term, false, true);
}

// --------------------------------------------------------------------- bits

static const Value *bools(const Arith *x) {
  const Term *a = x->a->term, *b = x->b->term;
  TermTable *t = x->t;
  switch ((int)x->node->op) {
  case IR_AND: return value_bool(x->w, term_and(t, a, b));
  case IR_OR: return value_bool(x->w, term_or(t, a, b));
  default:
    return value_bool(x->w, term_or(t, term_and(t, a, term_not(t, b)),
                                    term_and(t, term_not(t, a), b)));
  }
}

static TermKind bit_kind(IrOp op) {
  return op == IR_AND ? TERM_AND : op == IR_OR ? TERM_OR : TERM_XOR;
}

// x & mask sees only bits that the term has right.
static const Value *masked(const Arith *x, const Term *term, int64_t mask) {
  return value_int(x->w, x->bits,
                   term_bits(x->t, TERM_AND, term, walk_arith_number(x, mask)),
                   true, true);
}

static bool walk_arith_is_mask(const Arith *x, const Value *value,
                               int64_t *mask) {
  return term_is_constant(value_signed(x->w, value), mask) && *mask >= 0;
}

static const Value *bit_operation(const Arith *x) {
  const Value *bit = walk_lane_bit(x->w, x->node);
  if (bit)
    return bit;
  if (x->a->kind == VALUE_BOOL && x->b->kind == VALUE_BOOL)
    return bools(x);
  int64_t mask;
  if (x->node->op == IR_AND && walk_arith_is_mask(x, x->b, &mask))
    return masked(x, x->a->term, mask);
  if (x->node->op == IR_AND && walk_arith_is_mask(x, x->a, &mask))
    return masked(x, x->b->term, mask);
  bool is_unsigned =
      value_fits_unsigned(x->w, x->a) && value_fits_unsigned(x->w, x->b);
  const Term *a =
      is_unsigned ? value_unsigned(x->w, x->a) : value_signed(x->w, x->a);
  const Term *b =
      is_unsigned ? value_unsigned(x->w, x->b) : value_signed(x->w, x->b);
  return value_int(x->w, x->bits, term_bits(x->t, bit_kind(x->node->op), a, b),
                   !is_unsigned, is_unsigned);
}

static const Value *complement(const Arith *x) {
  if (x->a->kind == VALUE_BOOL)
    return value_bool(x->w, term_not(x->t, x->a->term));
  if (x->a->is_unsigned && x->bits < 63) {
    int64_t low, most;
    type_range(x->bits, true, &low, &most);
    return value_int(x->w, x->bits,
                     term_sub(x->t, walk_arith_number(x, most), x->a->term),
                     false, true);
  }
  return value_int(x->w, x->bits,
                   term_sub(x->t, walk_arith_number(x, -1), x->a->term),
                   x->a->is_signed, false);
}

// ------------------------------------------------------------------- shifts

// The count, from 0 to the width less one; NULL: not known to be.
static const Term *walk_arith_shift_count(const Arith *x) {
  const Term *count = value_unsigned(x->w, x->b);
  int64_t low, high;
  term_interval(x->t, count, &low, &high);
  if (low >= 0 && high < (int64_t)x->bits)
    return count;
  return term_mod(x->t, count, walk_arith_number(x, (int64_t)x->bits));
}

// The power of two of which the count is the number of zeros: `__ffs(w) - 1`
// where only the launch knows w; else NULL.
static const Term *shifted_by(const Arith *x) {
  const Term *count = value_unsigned(x->w, x->b);
  const Symbol *symbol = count->kind == TERM_SYMBOL ? count->symbol : NULL;
  const IrNode *origin = symbol ? symbol->origin : NULL;
  if (!origin || origin->op != IR_CTZ)
    return NULL;
  const Value *power = walk_arg(x->w, origin, 0);
  const Term *term = power->kind == VALUE_INT ? power->term : NULL;
  bool is_power = term && term->kind == TERM_SYMBOL &&
                  term->symbol->kind == SYMBOL_LAUNCH &&
                  term->symbol->is_power_of_two && term->symbol->low > 0;
  return is_power ? term : NULL;
}

static const Value *walk_arith_shift(const Arith *x) {
  const Term *count = walk_arith_shift_count(x), *power = shifted_by(x);
  if (power && x->node->op == IR_LSHR)
    return value_int(x->w, x->bits,
                     term_div(x->t, value_unsigned(x->w, x->a), power), false,
                     true);
  int64_t by;
  bool is_constant = term_is_constant(count, &by);
  switch ((int)x->node->op) {
  case IR_SHL:
    if (is_constant && by > 62)
      return any(x);
    if (x->node->flags & NODE_NO_SIGNED_WRAP)
      return exact_signed(
          x, term_bits(x->t, TERM_SHL, value_signed(x->w, x->a), count));
    return modular(x, term_bits(x->t, TERM_SHL, x->a->term, count));
  case IR_LSHR:
    return value_int(
        x->w, x->bits,
        term_bits(x->t, TERM_SHR, value_unsigned(x->w, x->a), count), false,
        true);
  default:
    return value_int(x->w, x->bits,
                     term_bits(x->t, TERM_SHR, value_signed(x->w, x->a), count),
                     true, false);
  }
}

// -------------------------------------------------- choices and comparisons

static const Value *least_or_most(const Arith *x) {
  IrOp op = x->node->op;
  bool is_unsigned = op == IR_UMIN || op == IR_UMAX;
  const Term *a =
      is_unsigned ? value_unsigned(x->w, x->a) : value_signed(x->w, x->a);
  const Term *b =
      is_unsigned ? value_unsigned(x->w, x->b) : value_signed(x->w, x->b);
  const Term *term = op == IR_SMIN || op == IR_UMIN ? term_min(x->t, a, b)
                                                    : term_max(x->t, a, b);
  return value_int(x->w, x->bits, term, !is_unsigned, is_unsigned);
}

static const Value *walk_arith_absolute(const Arith *x) {
  const Term *a = value_signed(x->w, x->a);
  const Term *term = term_ite(x->t, term_le(x->t, walk_arith_number(x, 0), a),
                              a, term_scale(x->t, a, -1));
  return value_int(x->w, x->bits, term, false, true);
}

static const Value *walk_arith_comparison(const Arith *x) {
  IrOp op = x->node->op;
  bool is_equality = op == IR_EQ || op == IR_NE;
  bool is_unsigned = op == IR_ULT || op == IR_ULE;
  if (is_equality && x->a->kind == VALUE_BOOL && x->b->kind == VALUE_BOOL) {
    TermTable *t = x->t;
    const Term *both = term_and(t, x->a->term, x->b->term);
    const Term *none =
        term_and(t, term_not(t, x->a->term), term_not(t, x->b->term));
    const Term *same = term_or(t, both, none);
    return value_bool(x->w, op == IR_EQ ? same : term_not(t, same));
  }
  if (is_equality)
    is_unsigned =
        value_fits_unsigned(x->w, x->a) && value_fits_unsigned(x->w, x->b);
  const Term *a =
      is_unsigned ? value_unsigned(x->w, x->a) : value_signed(x->w, x->a);
  const Term *b =
      is_unsigned ? value_unsigned(x->w, x->b) : value_signed(x->w, x->b);
  switch ((int)op) {
  case IR_EQ: return value_bool(x->w, term_eq(x->t, a, b));
  case IR_NE: return value_bool(x->w, term_ne(x->t, a, b));
  case IR_SLT:
  case IR_ULT: return value_bool(x->w, term_lt(x->t, a, b));
  default: return value_bool(x->w, term_le(x->t, a, b));
  }
}

// What a count of bits is where its operand is one number.
static const Value *walk_arith_counted(const Arith *x) {
  int64_t number_of;
  if (!term_is_constant(value_unsigned(x->w, x->a), &number_of) || x->bits > 64)
    return NULL;
  uint64_t bits = (uint64_t)number_of;
  if (x->bits < 64)
    bits &= (UINT64_C(1) << x->bits) - 1;
  int64_t n = x->bits;
  if (x->node->op == IR_POPCOUNT)
    n = __builtin_popcountll(bits);
  else if (bits)
    n = x->node->op == IR_CTZ ? __builtin_ctzll(bits)
                              : __builtin_clzll(bits) - (64 - (int64_t)x->bits);
  return value_int(x->w, x->bits, walk_arith_number(x, n), true, true);
}

// Of what isn't 0 they are fewer than its bits.
static const Value *n_zeros(const Arith *x) {
  int64_t low, high;
  term_interval(x->t, value_unsigned(x->w, x->a), &low, &high);
  return value_fresh_range(x->w, x->node, x->bits, 0,
                           (int64_t)x->bits - (low > 0));
}

// Of a number of few bits: each of them, at its place from the other end.
static const Value *walk_arith_reversed(const Arith *x) {
  enum { MOST_BITS = 12 };

  const Term *number_of = value_unsigned(x->w, x->a),
             *sum = walk_arith_number(x, 0);
  int64_t low, high;
  term_interval(x->t, number_of, &low, &high);
  if (low < 0 || high >= 1 << MOST_BITS || x->bits > 32)
    return NULL;
  for (uint32_t i = 0; high >> i > 0; i++) {
    const Term *bit = term_mod(
        x->t, term_div(x->t, number_of, walk_arith_number(x, INT64_C(1) << i)),
        walk_arith_number(x, 2));
    sum = term_add(x->t, sum,
                   term_scale(x->t, bit, INT64_C(1) << (x->bits - 1 - i)));
  }
  return value_int(x->w, x->bits, sum, false, true);
}

static bool walk_arith_is_number(const Value *value) {
  return value->kind == VALUE_INT || value->kind == VALUE_BOOL;
}

static const Value *selected(Walk *w, const IrNode *node) {
  const Term *condition = walk_arg(w, node, 0)->term;
  const Value *a = walk_arg(w, node, 1), *b = walk_arg(w, node, 2);
  const Value *value = value_merge(w, condition, a, b);
  return value->kind == VALUE_LOST ? value_fresh(w, node, node->type) : value;
}

// ------------------------------------------------------------------ dispatch

static const Value *count_of_bits(const Arith *x) {
  const Value *value = walk_arith_counted(x);
  if (!value && x->node->op == IR_POPCOUNT)
    value = walk_lanes_below(x->w, x->node);
  if (!value && x->node->op == IR_CTZ)
    value = n_zeros(x);
  return value ? value
               : value_fresh_range(x->w, x->node, x->bits, 0, (int64_t)x->bits);
}

static const Value *walk_arith_arithmetic(const Arith *x) {
  switch ((int)x->node->op) {
  case IR_ADD:
  case IR_SUB:
  case IR_NEG:
  case IR_MUL: return sum_or_product(x);
  case IR_SDIV:
  case IR_SREM: return signed_quotient(x);
  case IR_UDIV:
  case IR_UREM: return unsigned_quotient(x);
  case IR_AND:
  case IR_OR:
  case IR_XOR: return bit_operation(x);
  case IR_NOT: return complement(x);
  case IR_SHL:
  case IR_LSHR:
  case IR_ASHR: return walk_arith_shift(x);
  case IR_SMIN:
  case IR_SMAX:
  case IR_UMIN:
  case IR_UMAX: return least_or_most(x);
  case IR_SABS: return walk_arith_absolute(x);
  case IR_EQ:
  case IR_NE:
  case IR_SLT:
  case IR_SLE:
  case IR_ULT:
  case IR_ULE: return walk_arith_comparison(x);
  case IR_BITREVERSE: return walk_arith_reversed(x);
  case IR_CTZ:
  case IR_POPCOUNT:
  case IR_CLZ: return count_of_bits(x);
  default: return NULL;
  }
}

const Value *walk_arithmetic(Walk *w, const IrNode *node) {
  if (node->op == IR_SELECT)
    return selected(w, node);
  if (node->n_args < 1 || node->n_args > 2)
    return NULL;
  const Value *place = walk_grouped(w, node);
  if (place)
    return place;
  Arith x = {.w = w, .t = w->terms, .node = node};
  x.a = walk_arg(w, node, 0);
  x.b = node->n_args == 2 ? walk_arg(w, node, 1) : NULL;
  if (node->op == IR_EQ || node->op == IR_NE) {
    const Value *is_null = walk_is_null(w, node);
    if (is_null)
      return is_null;
  }
  if (!walk_arith_is_number(x.a) || (x.b && !walk_arith_is_number(x.b)))
    return NULL;
  x.bits = x.a->bits;
  return walk_arith_arithmetic(&x);
}

const Value *walk_convert(Walk *w, const IrNode *node) {
  const Value *a = walk_arg(w, node, 0);
  IrType type = walk_element(w, node->type);
  bool to_bool = type.kind == IR_TYPE_BOOL;
  if (!walk_arith_is_number(a) || !(to_bool || ir_type_is_int(type)))
    return NULL;
  uint32_t bits = ir_type_bits(type);
  TermTable *t = w->terms;
  switch ((int)node->op) {
  case IR_TRUNC:
    if (to_bool)
      return value_bool(
          w, term_eq(t, term_mod(t, a->term, term_int(t, 2)), term_int(t, 1)));
    return value_int(w, bits, a->term, false, false);
  case IR_ZEXT: {
    const Term *term = value_unsigned(w, a);
    return value_int(w, bits, term, bits > a->bits, true);
  }
  case IR_SEXT: return value_int(w, bits, value_signed(w, a), true, false);
  case IR_BITCAST: return bits == a->bits && a->kind == VALUE_INT ? a : NULL;
  default: return NULL;
  }
}
