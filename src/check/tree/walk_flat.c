// SPDX-License-Identifier: Apache-2.0
// Addresses in bytes as indices again: what a pointer into a row points to.
#include "check/tree/walk.h"

const Term *walk_dense_stride(Walk *w, const IrObject *object, uint32_t k) {
  const Term *product = term_int(w->terms, 1);
  for (int i = (int)k + 1; i < object->rank; i++) {
    const Term *extent = tree_extent(w->tree, object, i);
    if (!extent)
      return NULL;
    product = term_mul(w->terms, product, extent);
  }
  return product;
}

// `atom` without one factor `by`; NULL: it has none.
static const Term *without_factor(TermTable *t, const Term *atom,
                                  const Term *by) {
  if (atom == by)
    return term_int(t, 1);
  if (atom->kind != TERM_MUL)
    return NULL;
  const Term *rest = term_int(t, 1);
  bool is_found = false;
  for (uint32_t i = 0; i < atom->n_args; i++) {
    if (atom->args[i] == by && !is_found)
      is_found = true;
    else
      rest = term_mul(t, rest, atom->args[i]);
  }
  return is_found ? rest : NULL;
}

// sum = by * quotient + rest, by the form of the sum alone.
static void walk_flat_split(TermTable *t, const Term *sum, const Term *by,
                            const Term **quotient, const Term **rest) {
  TermPart single = {sum, 1};
  const TermPart *parts = sum->kind == TERM_SUM ? sum->parts : &single;
  uint32_t n = sum->kind == TERM_SUM ? sum->n_parts : 1;
  const Term *whole = term_int(t, 0);
  const Term *left = term_int(t, sum->kind == TERM_SUM ? sum->number : 0);
  for (uint32_t i = 0; i < n; i++) {
    const Term *factor = without_factor(t, parts[i].atom, by);
    const Term **where = factor ? &whole : &left;
    *where = term_add(
        t, *where,
        term_scale(t, factor ? factor : parts[i].atom, parts[i].coefficient));
  }
  *quotient = whole;
  *rest = left;
}

const Term *walk_quotient(Walk *w, const Term *sum, const Term *by) {
  TermTable *t = w->terms;
  const Term *quotient, *rest;
  int64_t number;
  if (term_is_constant(by, &number)) {
    if (number <= 0)
      return NULL;
    rest = term_mod(t, sum, by);
    quotient = term_div(t, sum, by);
  } else {
    walk_flat_split(t, sum, by, &quotient, &rest);
  }
  return term_is_constant(rest, &number) && number == 0 ? quotient : NULL;
}

static bool walk_flat_is_below(Walk *w, const Term *rest, const Term *extent) {
  TermTable *t = w->terms;
  const Term *inside =
      term_and(t, term_le(t, term_int(t, 0), rest), term_lt(t, rest, extent));
  return solver_proves(w->quick, path_now(w), inside);
}

// Of a constant extent every element has an index.
static bool take_index(Walk *w, const Term *extent, const Term **rest,
                       const Term **index) {
  TermTable *t = w->terms;
  int64_t number;
  if (term_is_constant(extent, &number)) {
    if (number <= 0)
      return false;
    *index = term_mod(t, *rest, extent);
    *rest = term_div(t, *rest, extent);
    return true;
  }
  if (extent->kind == TERM_MUL || extent->kind == TERM_SUM)
    return false;
  walk_flat_split(t, *rest, extent, rest, index);
  return walk_flat_is_below(w, *index, extent);
}

bool walk_unflatten(Walk *w, const IrObject *object, uint32_t n_bytes,
                    const Term *at, const Term **index, const Term **byte) {
  TermTable *t = w->terms;
  int64_t start;
  if (object->has_strides || object->is_plain_pointer ||
      object->element_bytes < n_bytes)
    return false;
  const Term *element = term_int(t, object->element_bytes);
  *byte = term_mod(t, at, element);
  // All of it in one element.
  if (!term_is_constant(*byte, &start) ||
      start + n_bytes > object->element_bytes)
    return false;
  const Term *rest = term_div(t, at, element);
  for (int k = object->rank - 1; k > 0; k--) {
    const Term *extent = tree_extent(w->tree, object, k);
    if (!extent || !take_index(w, extent, &rest, &index[k]))
      return false;
  }
  index[0] = rest;
  return true;
}
