// SPDX-License-Identifier: Apache-2.0
// Elements of constant tables that the program initialises, as terms of the
// index: a number, a straight line, or one of a few runs of equal numbers.
//
// Of an index outside nothing needs to be right: that it lies inside is owed,
// and what follows from the first one that doesn't is no proof.
#include "check/tree/walk.h"
#include <string.h>

enum { MOST_ELEMENTS = 4096, MOST_RUNS = 32 };

typedef struct {
  const IrObject *object;
  int64_t n;
  bool is_signed;
} Table;

static bool as_table(const IrObject *object, bool is_signed, Table *table) {
  *table = (Table){object, 1, is_signed};
  bool is_plain = object->space == SPACE_CONSTANT && object->initial &&
                  !object->may_be_overwritten && object->element_bytes <= 8 &&
                  !object->has_strides && ir_type_is_int(object->element);
  for (int k = 0; is_plain && k < object->rank; k++) {
    const IrHost *extent = object->extents[k];
    if (!extent || extent->op != HOST_CONST || extent->number < 1 ||
        extent->number > MOST_ELEMENTS / table->n)
      return false;
    table->n *= extent->number;
  }
  return is_plain &&
         object->initial_bytes >= (uint64_t)table->n * object->element_bytes;
}

static int64_t walk_table_element(const Table *table, int64_t i) {
  uint32_t size = table->object->element_bytes;
  uint64_t bits = 0;
  memcpy(&bits, (const char *)table->object->initial + i * size, size);
  uint32_t unused = 64 - 8 * size;
  return table->is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static const Term *flat_index(Walk *w, const Table *table,
                              const Term *const *index) {
  TermTable *t = w->terms;
  const Term *at = index[0];
  for (int k = 1; k < table->object->rank; k++)
    at = term_add(
        t, term_mul(t, at, term_int(t, table->object->extents[k]->number)),
        index[k]);
  return at;
}

// first + by * index
static bool is_line(const Table *table, int64_t *by) {
  int64_t difference;
  *by = 0;
  for (int64_t i = 1; i < table->n; i++) {
    if (__builtin_sub_overflow(walk_table_element(table, i),
                               walk_table_element(table, i - 1), &difference) ||
        (i > 1 && difference != *by))
      return false;
    *by = difference;
  }
  return true;
}

// The numbers at which a run ends, the last one left out; false: too many.
static bool find_runs(const Table *table, int64_t *ends, uint32_t *n) {
  *n = 0;
  for (int64_t i = 0; i + 1 < table->n; i++) {
    if (walk_table_element(table, i) == walk_table_element(table, i + 1))
      continue;
    if (*n == MOST_RUNS)
      return false;
    ends[(*n)++] = i;
  }
  return true;
}

const Term *walk_known_element(Walk *w, const IrObject *object,
                               const Term *const *index, bool is_signed) {
  TermTable *t = w->terms;
  Table table;
  int64_t number, by, ends[MOST_RUNS];
  uint32_t n;
  if (!as_table(object, is_signed, &table))
    return NULL;
  const Term *at = flat_index(w, &table, index), *result = NULL;
  if (term_is_constant(at, &number) && number >= 0 && number < table.n)
    return term_int(t, walk_table_element(&table, number));
  if (is_line(&table, &by))
    return term_add(t, term_int(t, walk_table_element(&table, 0)),
                    term_scale(t, at, by));
  if (!find_runs(&table, ends, &n))
    return NULL;
  result = term_int(t, walk_table_element(&table, table.n - 1));
  for (uint32_t i = n; i-- > 0;)
    result = term_ite(t, term_le(t, at, term_int(t, ends[i])),
                      term_int(t, walk_table_element(&table, ends[i])), result);
  return result;
}
