// SPDX-License-Identifier: Apache-2.0
// Numbers with width as terms without.
//
// Note [Values and terms]. A value of b bits is kept as a term that is equal to
// it modulo 2^b: sums, differences and products of such terms are such terms
// again, so nothing needs to be said about wrapping while values are added up.
// Where an operation looks at the number itself (a comparison, a quotient, a
// conversion to more bits, an index), the term is used as it is if it is known
// to lie in the range; else its remainder modulo 2^b is. What signed operations
// give is exact, because that they don't overflow is an obligation.
#include "check/term/term_table.h"
#include "check/tree/walk.h"
#include "ir/analyses/uniform.h"

Value *value_new(Walk *w, ValueKind kind) {
  Value *value = ARENA_NEW(w->arena, Value);
  value->kind = kind;
  return value;
}

const Value *value_int(Walk *w, uint32_t bits, const Term *term, bool is_signed,
                       bool is_unsigned) {
  Value *value = value_new(w, VALUE_INT);
  value->bits = (uint8_t)bits;
  value->term = term;
  value->is_signed = is_signed;
  value->is_unsigned = is_unsigned;
  return value;
}

const Value *value_bool(Walk *w, const Term *condition) {
  Value *value = value_new(w, VALUE_BOOL);
  value->bits = 1;
  value->term = condition;
  return value;
}

void type_range(uint32_t bits, bool is_unsigned, int64_t *low, int64_t *high) {
  if (is_unsigned) {
    *low = 0;
    *high = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    return;
  }
  *low = bits >= 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
  *high = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
}

static bool lies_in(Walk *w, const Term *term, uint32_t bits,
                    bool is_unsigned) {
  int64_t low, high, least, most;
  term_interval(w->terms, term, &low, &high);
  type_range(bits, is_unsigned, &least, &most);
  // An end that is open may be anything.
  if (is_unsigned && bits == 64)
    return low >= 0 && high != INT64_MAX;
  return low >= least && high <= most && low != INT64_MIN && high != INT64_MAX;
}

// It is the number as signed, and not negative.
static bool is_natural(Walk *w, const Value *value) {
  int64_t low, high;
  if (!value->is_signed)
    return false;
  term_interval(w->terms, value->term, &low, &high);
  return low >= 0;
}

bool value_fits_unsigned(Walk *w, const Value *value) {
  return value->kind == VALUE_BOOL || value->is_unsigned ||
         is_natural(w, value) || lies_in(w, value->term, value->bits, true);
}

static Symbol model_of(const Walk *w, const char *name, const IrNode *origin,
                       const IrGroup *over, int64_t low, int64_t high) {
  bool is_of_element = w->n_operators || (origin && ir_is_tile(origin->type));
  return (Symbol){.kind = SYMBOL_VALUE,
                  .name = name ? name : "value",
                  .low = low,
                  .high = high,
                  .over = is_of_element ? NULL : over,
                  .loop = w->loop,
                  .origin = origin,
                  .is_of_element = is_of_element};
}

static void walk_number_note_element(const Symbol *symbol, void *context) {
  bool *is_of_element = context;
  *is_of_element |= symbol->is_axis || symbol->is_of_element;
}

static bool walk_number_is_of_element(const Term *term) {
  bool is_of_element = false;
  term_symbols(term, walk_number_note_element, &is_of_element);
  return is_of_element;
}

// A symbol for what a term of 64 bits is once it has wrapped.
static const Term *wrapped_64(Walk *w, const Term *term, bool is_unsigned) {
  uint64_t key = ((uint64_t)term->id << 1 | is_unsigned) + 1;
  const Term *known = map_get(&w->wrapped, key);
  if (known)
    return known;
  int64_t low, high;
  type_range(64, is_unsigned, &low, &high);
  Symbol model = model_of(w, "wrapped", NULL, NULL, low, high);
  model.is_wrapped = true;
  model.is_of_element |= walk_number_is_of_element(term);
  const Symbol *symbol = term_symbol_new(w->terms, &model);

  union {
    const Term *in;
    void *out;
  } entry = {.in = term_of(w->terms, symbol)};

  map_put(w->arena, &w->wrapped, key, entry.out);
  return entry.in;
}

// What is known here shows that the number fits, though its interval doesn't:
// `2 * s` in `for (unsigned s = 1; s < n; s *= 2)`.
static bool is_proved_in(Walk *w, const Term *term, uint32_t bits,
                         bool is_unsigned) {
  enum { MOST_PROOFS = 48 };

  TermTable *t = w->terms;
  uint64_t key = ((uint64_t)term->id << 8 | bits << 1 | is_unsigned) + 1;
  if (w->dry || w->n_fit_proofs >= MOST_PROOFS || map_has(&w->unfit, key))
    return false;
  int64_t low, high;
  type_range(bits, is_unsigned, &low, &high);
  if (bits >= 64) { // an end that is open may be anything
    low = is_unsigned ? 0 : -((int64_t)1 << 62);
    high = (int64_t)1 << 62;
  }
  const Term *fits = term_and(t, term_le(t, term_int(t, low), term),
                              term_le(t, term, term_int(t, high)));
  w->n_fit_proofs++;
  if (solver_proves(w->quick, path_now(w), fits))
    return true;
  map_put(w->arena, &w->unfit, key, w);
  return false;
}

// What holds only here mustn't be said of the divisor itself: the quotient may
// be part of what is known elsewhere, and says there, too, that its divisor is
// positive. So it gets the larger of the divisor and 1, which is the divisor
// here.
const Term *walk_divisor(Walk *w, const Term *term) {
  enum { MOST_PROOFS = 32 };

  TermTable *t = w->terms;
  const Term *one = term_int(t, 1);
  int64_t low, high;
  term_interval(t, term, &low, &high);
  if (low > 0)
    return term;
  if (high <= 0 || w->n_divisor_proofs >= MOST_PROOFS)
    return NULL;
  w->n_divisor_proofs++;
  const Term *is_positive = term_le(t, one, term);
  if (solver_proves(w->quick, term_true(t), is_positive))
    return term;
  if (solver_proves(w->quick, path_now(w), is_positive))
    return term_max(t, term, one);
  return NULL;
}

static void note_data(const Symbol *symbol, void *context) {
  bool *has_data = context;
  *has_data |= symbol->kind == SYMBOL_VALUE;
}

// A sum of positions with a product of sizes and positions in it, and nothing
// that is taken away or comes from memory: `y * width + x`.
static bool walk_number_is_place(const Term *term) {
  SumView sum;
  bool has_data = false, has_product = false;
  term_sum_view(term, &sum);
  for (uint32_t i = 0; i < sum.n; i++) {
    if (sum.parts[i].coefficient < 0)
      return false;
    has_product |= sum.parts[i].atom->kind == TERM_MUL;
  }
  term_symbols(term, note_data, &has_data);
  return sum.number >= 0 && has_product && !has_data;
}

// CUDA C has no way to say how large a grid and its arrays are together.
static bool is_trusted(Walk *w, const Term *term) {
  if (!w->trusts_places || !walk_number_is_place(term))
    return false;
  walk_trust(w, "indices of products of sizes don't wrap");
  return true;
}

static const Term *wrapped(Walk *w, const Value *value, bool is_unsigned) {
  TermTable *t = w->terms;
  const Term *term = value->term;
  if (lies_in(w, term, value->bits, is_unsigned) || is_trusted(w, term) ||
      is_proved_in(w, term, value->bits, is_unsigned))
    return term;
  if (value->bits >= 64)
    return wrapped_64(w, term, is_unsigned);
  const Term *size = term_int(t, (int64_t)(UINT64_C(1) << value->bits));
  if (is_unsigned)
    return term_mod(t, term, size);
  const Term *half = term_int(t, (int64_t)1 << (value->bits - 1));
  return term_sub(t, term_mod(t, term_add(t, term, half), size), half);
}

const Term *value_signed(Walk *w, const Value *value) {
  if (value->kind == VALUE_BOOL)
    return term_ite(w->terms, value->term, term_int(w->terms, 1),
                    term_int(w->terms, 0));
  if (value->is_signed)
    return value->term;
  return wrapped(w, value, false);
}

const Term *value_unsigned(Walk *w, const Value *value) {
  if (value->kind == VALUE_BOOL)
    return value_signed(w, value);
  if (value->is_unsigned || is_natural(w, value))
    return value->term;
  return wrapped(w, value, true);
}

// ----------------------------------------------------------------- symbols

const IrGroup *walk_over(Walk *w, const IrNode *node) {
  const IrGroup *over = NULL;
  for (const IrGroup *group = w->group; group; group = group->parent)
    if (uniformity_has(w->uniformity, node, group))
      over = group;
  if (over)
    return over;
  // Groups that are values aren't on the way up.
  const IrGroup *own = ir_op_group(w->kernel, node);
  for (; own; own = own->parent)
    if (uniformity_has(w->uniformity, node, own))
      over = own;
  return over;
}

const Symbol *walk_symbol(Walk *w, const char *name, const IrNode *origin,
                          const IrGroup *over, int64_t low, int64_t high) {
  Symbol model = model_of(w, name, origin, over, low, high);
  return term_symbol_new(w->terms, &model);
}

const Symbol *walk_variable(Walk *w, uint32_t var, const IrNode *origin,
                            const IrGroup *over, int64_t low, int64_t high) {
  Symbol model = model_of(w, walk_var(w, var)->name, origin, over, low, high);
  model.n_var = var + 1;
  if (ir_is_tile(walk_var(w, var)->type)) {
    model.is_of_element = true;
    model.over = NULL;
  }
  return term_symbol_new(w->terms, &model);
}

const Term *symbol_holds(Walk *w, const Symbol *symbol) {
  return term_eq(w->terms, term_of(w->terms, symbol), term_int(w->terms, 1));
}

static const char *origin_name(const IrNode *node) {
  if (ir_op_info(node)->form == FORM_SECTION)
    return node->u.section.object->name;
  if (ir_op_info(node)->form == FORM_ACCESS && node->u.access.object)
    return node->u.access.object->name;
  return ir_op_info(node)->text;
}

const Value *value_fresh_range(Walk *w, const IrNode *node, uint32_t bits,
                               int64_t low, int64_t high) {
  const Symbol *symbol =
      walk_symbol(w, origin_name(node), node, walk_over(w, node), low, high);
  if (bits == 1)
    return value_bool(w, symbol_holds(w, symbol));
  int64_t least, most;
  type_range(bits, false, &least, &most);
  return value_int(w, bits, term_of(w->terms, symbol),
                   low >= least && high <= most, low >= 0);
}

const Value *value_fresh(Walk *w, const IrNode *node, IrType type) {
  type = walk_element(w, type);
  if (type.kind == IR_TYPE_BOOL && type.lanes <= 1)
    return value_fresh_range(w, node, 1, 0, 1);
  if (!ir_type_is_int(type))
    return value_new(w,
                     type.kind == IR_TYPE_PTR ? VALUE_POINTER : VALUE_OPAQUE);
  int64_t low, high;
  uint32_t bits = ir_type_bits(type);
  bool is_unsigned = w->hints[node->id] == HINT_UNSIGNED;
  type_range(bits, is_unsigned, &low, &high);
  const Symbol *symbol =
      walk_symbol(w, origin_name(node), node, walk_over(w, node), low, high);
  return value_int(w, bits, term_of(w->terms, symbol), !is_unsigned,
                   is_unsigned);
}

// ---------------------------------------------------------------- operands

const Value *walk_arg(Walk *w, const IrNode *node, uint32_t k) {
  const IrNode *arg = node->args[k];
  const Value *value = w->values[arg->id];
  if (!value)
    value = w->values[arg->id] = value_fresh(w, arg, arg->type);
  // An integer or bool always has a term.
  IrType type = walk_element(w, arg->type);
  bool is_int =
      ir_type_is_int(type) || (type.kind == IR_TYPE_BOOL && type.lanes <= 1);
  if (is_int && value->kind != VALUE_INT && value->kind != VALUE_BOOL)
    value = w->values[arg->id] = value_fresh(w, arg, arg->type);
  return value;
}

const Term *arg_signed(Walk *w, const IrNode *node, uint32_t k) {
  return value_signed(w, walk_arg(w, node, k));
}
