// SPDX-License-Identifier: Apache-2.0
// When do two touches have a byte in common? Elements of one array are compared
// index by index, which is right where both are in bounds (bounds.c sees to
// that); what may stick out of an element, by its place in bytes.
#include "check/prove/race.h"
#include "ir/analyses/alias.h"

// ------------------------------------------------------- which memory

IrSpace race_space(const Step *step) {
  const Touch *touch = step->u.touch.touch;
  if (touch->object)
    return touch->object->space;
  const IrNode *node = step->node;
  if (node && ir_copies_bytes(node))
    return touch->is_write == (node->op != IR_BULK_STORE) ? SPACE_SHARED
                                                          : SPACE_GLOBAL;
  if (node && ir_op_info(node)->form == FORM_ACCESS && node->n_args &&
      node->args[0]->type.kind == IR_TYPE_PTR)
    return (IrSpace)node->args[0]->type.space;
  return SPACE_GENERIC;
}

static bool race_overlap_is_disjoint(const IrHost *x, const IrObject *a,
                                     const IrObject *b) {
  if (x->op == HOST_LOGICAL_AND)
    return race_overlap_is_disjoint(x->args[0], a, b) ||
           race_overlap_is_disjoint(x->args[1], a, b);
  return x->op == HOST_DISJOINT && ((x->object == a && x->other == b) ||
                                    (x->object == b && x->other == a));
}

static bool is_required_disjoint(const IrKernel *kernel, const IrObject *a,
                                 const IrObject *b) {
  for (uint32_t i = 0; i < kernel->requirements.count; i++) {
    const IrRequire *r = &kernel->requirements.data[i];
    if (r->condition && race_overlap_is_disjoint(r->condition, a, b))
      return true;
  }
  return false;
}

// The same memory may be several of the table's arrays.
bool race_is_open_table(const Check *check, const IrObject *object) {
  return object && object->is_table &&
         !is_required_disjoint(check->kernel, object, object);
}

// Pointers of CUDA C have no way to say so.
bool race_is_trusted_apart(const Check *check, const IrObject *a,
                           const IrObject *b) {
  return check_has(check, CHECK_TRUST_APART) &&
         (a->is_plain_pointer || b->is_plain_pointer) &&
         !ir_is_alias_pair(check->kernel, a, b);
}

static bool pointer_may_reach(IrSpace space, const IrObject *object) {
  if (object->space == SPACE_CONSTANT || object->space == SPACE_LOCAL)
    return false;
  if (space != SPACE_GENERIC && space != object->space)
    return false;
  return object->space == SPACE_GLOBAL || object->address_taken;
}

bool check_may_alias(const Check *check, const Step *a, const Step *b) {
  const IrObject *x = a->u.touch.touch->object, *y = b->u.touch.touch->object;
  if (x && y)
    return x == y || (ir_may_alias(check->kernel, x, y) &&
                      !race_is_trusted_apart(check, x, y) &&
                      !is_required_disjoint(check->kernel, x, y));
  if (x)
    return pointer_may_reach(race_space(b), x);
  if (y)
    return pointer_may_reach(race_space(a), y);
  IrSpace s = race_space(a), t = race_space(b);
  return s == SPACE_GENERIC || t == SPACE_GENERIC || s == t;
}

bool race_may_alias(const Race *race, const Step *a, const Step *b) {
  return check_may_alias(race->check, a, b);
}

// ------------------------------------------------------- places in bytes

// Touches of both sides, the first side's terms as its own.
typedef struct {
  const Touch *touch;
  const Term *index[IR_MAX_RANK];
  const Term *byte;
} Spot;

static Spot spot_of(const Pair *pair, const Touch *touch, bool is_first) {
  Spot place = {.touch = touch, .byte = touch->byte};
  for (int k = 0; k < touch->n_index; k++)
    place.index[k] =
        is_first ? race_first(pair, touch->index[k]) : touch->index[k];
  if (is_first)
    place.byte = race_first(pair, touch->byte);
  return place;
}

// It lies inside of the element that its indices name.
static bool is_in_element(const Spot *place) {
  const Touch *touch = place->touch;
  int64_t byte;
  return touch->n_index == touch->object->rank &&
         term_is_constant(place->byte, &byte) && byte >= 0 &&
         byte + touch->n_bytes <= touch->object->element_bytes;
}

// Bytes from the start of the object; NULL: not known.
static const Term *linear_place(const Race *race, const Spot *place) {
  TermTable *t = race->terms;
  const IrObject *object = place->touch->object;
  if (place->touch->n_index == 0)
    return place->byte;
  if (object->has_strides)
    return NULL;
  const Term *element = place->index[0];
  for (int k = 1; k < place->touch->n_index; k++) {
    const Term *extent = tree_extent(race->tree, object, k);
    if (!extent)
      return NULL;
    element = term_add(t, term_mul(t, element, extent), place->index[k]);
  }
  return term_add(t, term_scale(t, element, object->element_bytes),
                  place->byte);
}

static uint64_t race_overlap_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t race_overlap_magnitude(int64_t number) {
  return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

// What all values of the term are the same modulo; 0: it is constant.
static uint64_t step_of(const Term *term, int64_t *rest) {
  *rest = 0;
  if (term->kind != TERM_SUM)
    return 1;
  uint64_t step = 0;
  for (uint32_t i = 0; i < term->n_parts; i++)
    step = race_overlap_gcd(step,
                            race_overlap_magnitude(term->parts[i].coefficient));
  *rest = term->number;
  return step;
}

// Values of `difference` in (-n_first, n_second): condition, and zero if it is
// one value only. NULL: there is none.
static const Term *in_reach(TermTable *t, const Term *difference,
                            int64_t n_first, int64_t n_second,
                            const Term **zero) {
  int64_t rest, found = 0;
  uint64_t step = step_of(difference, &rest);
  uint32_t n_found = 0;
  for (int64_t v = 1 - n_first; v < n_second && n_found < 2; v++) {
    bool is_possible =
        step == 0 ? v == rest : (v - rest % (int64_t)step) % (int64_t)step == 0;
    if (is_possible) {
      found = v;
      n_found++;
    }
  }
  if (n_found == 0)
    return NULL;
  if (n_found == 1) {
    *zero = term_sub(t, difference, term_int(t, found));
    return term_eq(t, difference, term_int(t, found));
  }
  *zero = NULL;
  return term_and(t, term_lt(t, term_int(t, -n_first), difference),
                  term_lt(t, difference, term_int(t, n_second)));
}

static bool race_overlap_add_range(const Pair *pair, const Term *first,
                                   const Term *second, const Spot *a,
                                   const Spot *b, TermList *conditions,
                                   TermList *zeros) {
  const Term *zero = NULL;
  const Term *condition =
      in_reach(pair->race->terms, term_sub(pair->race->terms, first, second),
               a->touch->n_bytes, b->touch->n_bytes, &zero);
  if (!condition || condition->kind == TERM_FALSE)
    return false;
  VEC_PUSH(pair->race->arena, conditions, condition);
  if (zero)
    VEC_PUSH(pair->race->arena, zeros, zero);
  return true;
}

const Term *race_begin_apart(const Pair *pair) {
  Race *race = pair->race;
  const Touch *first = pair->first->step->u.touch.touch;
  const Touch *second = pair->second->u.touch.touch;
  if (!first->object || first->object != second->object ||
      first->n_index != second->n_index)
    return NULL;
  Spot a = spot_of(pair, first, true), b = spot_of(pair, second, false);
  int64_t from_a, from_b;
  if (is_in_element(&a) && is_in_element(&b) &&
      term_is_constant(a.byte, &from_a) && term_is_constant(b.byte, &from_b))
    return from_a == from_b ? term_false(race->terms) : term_true(race->terms);
  const Term *place_a = linear_place(race, &a),
             *place_b = linear_place(race, &b);
  return place_a && place_b ? term_ne(race->terms, place_a, place_b) : NULL;
}

// ------------------------------------------------------- elements and rows

static bool race_overlap_add_elements(const Pair *pair, const Spot *a,
                                      const Spot *b, TermList *conditions,
                                      TermList *zeros) {
  Race *race = pair->race;
  int64_t from_a, from_b;
  if (!term_is_constant(a->byte, &from_a) ||
      !term_is_constant(b->byte, &from_b))
    return true;
  if (from_a >= from_b + b->touch->n_bytes ||
      from_b >= from_a + a->touch->n_bytes)
    return false;
  for (int k = 0; k < a->touch->n_index; k++) {
    const Term *equal = term_eq(race->terms, a->index[k], b->index[k]);
    if (equal->kind == TERM_FALSE)
      return false;
    VEC_PUSH(race->arena, conditions, equal);
    VEC_PUSH(race->arena, zeros,
             term_sub(race->terms, a->index[k], b->index[k]));
  }
  return true;
}

// The touch doesn't leave its row (the last dimension).
static const Term *within_row(const Race *race, const Spot *place,
                              const Term *start) {
  TermTable *t = race->terms;
  const IrObject *object = place->touch->object;
  const Term *extent = tree_extent(race->tree, object, object->rank - 1);
  if (!extent)
    return term_false(t);
  const Term *end = term_add(t, start, term_int(t, place->touch->n_bytes));
  return term_and(
      t, term_le(t, term_int(t, 0), start),
      term_le(t, end, term_scale(t, extent, object->element_bytes)));
}

// Rows are equal and the ranges in them meet, unless one leaves its row.
static bool add_rows(const Pair *pair, const Spot *a, const Spot *b,
                     TermList *conditions) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  const IrObject *object = a->touch->object;
  int last = object->rank - 1;
  const Term *from_a = term_add(
      t, term_scale(t, a->index[last], object->element_bytes), a->byte);
  const Term *from_b = term_add(
      t, term_scale(t, b->index[last], object->element_bytes), b->byte);
  const Term *zero;
  const Term *meet = in_reach(t, term_sub(t, from_a, from_b), a->touch->n_bytes,
                              b->touch->n_bytes, &zero);
  if (!meet)
    meet = term_false(t);
  for (int k = 0; k < last; k++)
    meet = term_and(t, meet, term_eq(t, a->index[k], b->index[k]));
  const Term *leaves = term_not(
      t, term_and(t, within_row(race, a, from_a), within_row(race, b, from_b)));
  const Term *either = term_or(t, meet, leaves);
  if (either->kind == TERM_FALSE)
    return false;
  VEC_PUSH(race->arena, conditions, either);
  return true;
}

static bool inner_extents_are_constant(const Race *race,
                                       const IrObject *object) {
  for (int k = 1; k < object->rank; k++) {
    const Term *extent = tree_extent(race->tree, object, k);
    int64_t number;
    if (!extent || !term_is_constant(extent, &number))
      return false;
  }
  return true;
}

// Outside of the extents such a touch does nothing.
static void race_overlap_add_inside(const Pair *pair, const Spot *spot,
                                    TermList *conditions) {
  Race *race = pair->race;
  TermTable *t = race->terms;
  for (int k = 0; spot->touch->may_miss && k < spot->touch->n_index; k++) {
    const Term *extent = tree_extent(race->tree, spot->touch->object, k);
    VEC_PUSH(race->arena, conditions,
             term_le(t, term_int(t, 0), spot->index[k]));
    if (extent)
      VEC_PUSH(race->arena, conditions, term_lt(t, spot->index[k], extent));
  }
}

static bool are_one(const IrKernel *kernel, const IrObject *a,
                    const IrObject *b) {
  for (uint32_t i = 0; i < kernel->may_alias.count; i++) {
    IrAliasPair pair = kernel->may_alias.data[i];
    if (pair.is_one &&
        ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)))
      return true;
  }
  return false;
}

// Two names of one array, of which each may have elements of its own.
static bool overlap_of_names(const Pair *pair, const Touch *first,
                             const Touch *second, TermList *conditions,
                             TermList *zeros) {
  Spot a = spot_of(pair, first, true), b = spot_of(pair, second, false);
  const Term *from_a = linear_place(pair->race, &a);
  const Term *from_b = linear_place(pair->race, &b);
  return !from_a || !from_b ||
         race_overlap_add_range(pair, from_a, from_b, &a, &b, conditions,
                                zeros);
}

bool race_overlap(const Pair *pair, TermList *conditions, TermList *zeros) {
  Race *race = pair->race;
  const Touch *first = pair->first->step->u.touch.touch;
  const Touch *second = pair->second->u.touch.touch;
  const IrObject *object = first->object;
  bool has_names = object && second->object && object != second->object &&
                   are_one(race->check->kernel, object, second->object);
  if (has_names)
    return overlap_of_names(pair, first, second, conditions, zeros);
  if (!object || object != second->object)
    return true; // distance unknown
  Spot a = spot_of(pair, first, true), b = spot_of(pair, second, false);
  race_overlap_add_inside(pair, &a, conditions);
  race_overlap_add_inside(pair, &b, conditions);
  if (is_in_element(&a) && is_in_element(&b))
    return race_overlap_add_elements(pair, &a, &b, conditions, zeros);
  bool by_rows = object->rank > 1 && first->n_index == object->rank &&
                 second->n_index == object->rank && !object->has_strides &&
                 !inner_extents_are_constant(race, object);
  if (by_rows)
    return add_rows(pair, &a, &b, conditions);
  const Term *from_a = linear_place(race, &a);
  const Term *from_b = linear_place(race, &b);
  if (!from_a || !from_b)
    return true;
  return race_overlap_add_range(pair, from_a, from_b, &a, &b, conditions,
                                zeros);
}
