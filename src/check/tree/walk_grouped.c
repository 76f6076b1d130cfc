// SPDX-License-Identifier: Apache-2.0
// Note [Grouped places]
// What `grouped(t, rows, columns, g)` lowers to is found again in the nodes:
// with `most` = min(g, rows) rows in a group of `most * columns` places,
//
//   first = t / (most * columns) * most       rest = t % (most * columns)
//   height = min(rows - first, most)
//   row = first + rest % height               column = rest / height
//
// For rows >= 1, g >= 1 and 0 <= t < rows * columns, if most * columns doesn't
// wrap, no other step wraps and t is mapped one to one onto the places of
// [0, rows) x [0, columns): group q has the numbers from q * most * columns on,
// height * columns of them, and the last one may be lower. (`unit/lower` runs
// through all small ones.) Solvers can't follow these products. So the place
// is said in another way: u(t) = column * rows + row is a table that nobody
// knows, with different elements for different t in that range, and
//
//   row = u(t) mod rows     column = u(t) div rows     0 <= u(t) < rows *
//   columns
//
// holds where it was proved that t is in it. Elsewhere nothing is said of u.
// Rows, columns and g must be of the launch alone, as the contents of a table
// are: then u is one function for all blocks and turns.
#include "check/tree/walk.h"

typedef struct {
  const IrNode *t, *rows, *columns, *g; // of the call
  bool is_row;
} GroupedNode;

// ----------------------------------------------------------------- the nodes

static bool grouped_is_first(const IrNode *first, const IrNode *group,
                             const IrNode *most) {
  return first->op == IR_MUL && first->args[0] == group &&
         first->args[1] == most;
}

// rest / height or rest % height, and what `first` is to be.
static bool grouped_parts(const IrNode *node, GroupedNode *of,
                          const IrNode **first) {
  const IrNode *rest = node->args[0], *height = node->args[1];
  if (rest->op != IR_SREM || height->op != IR_SMIN ||
      height->args[0]->op != IR_SUB)
    return false;
  const IrNode *left = height->args[0], *most = height->args[1];
  const IrNode *size = rest->args[1];
  *first = left->args[1];
  if (most->op != IR_SMIN || size->op != IR_MUL || size->args[0] != most ||
      left->args[0] != most->args[1] || (*first)->op != IR_MUL)
    return false;
  const IrNode *group = (*first)->args[0];
  of->t = rest->args[0];
  of->g = most->args[0];
  of->rows = most->args[1];
  of->columns = size->args[1];
  return grouped_is_first(*first, group, most) && group->op == IR_SDIV &&
         group->args[0] == of->t && group->args[1] == size;
}

static bool grouped_node_of(const IrNode *node, GroupedNode *of) {
  const IrNode *first;
  bool is_number = node->type.kind == IR_TYPE_I32 && node->type.lanes <= 1;
  if (!is_number)
    return false;
  if (node->op == IR_SDIV)
    return grouped_parts(node, of, &first);
  of->is_row = true;
  return node->op == IR_ADD && node->args[1]->op == IR_SREM &&
         grouped_parts(node->args[1], of, &first) && node->args[0] == first;
}

// ----------------------------------------------------------------- the table

static void grouped_note_symbol(const Symbol *symbol, void *context) {
  bool *is_launch = context;
  *is_launch &= symbol->kind == SYMBOL_LAUNCH;
}

static bool grouped_is_of_launch(const Term *term, uint32_t depth) {
  bool is_launch = term->kind != TERM_APPLY && depth < 64;
  for (uint32_t i = 0; i < term->n_args && is_launch; i++)
    is_launch = grouped_is_of_launch(term->args[i], depth + 1);
  for (uint32_t i = 0; i < term->n_parts && is_launch; i++)
    is_launch = grouped_is_of_launch(term->parts[i].atom, depth + 1);
  if (is_launch)
    term_symbols(term, grouped_note_symbol, &is_launch);
  return is_launch;
}

typedef struct {
  const Term *t, *rows, *columns, *g, *all; // all: rows * columns
} GroupedTerms;

static bool grouped_terms_of(Walk *w, const GroupedNode *of,
                             GroupedTerms *terms) {
  const IrNode *nodes[] = {of->t, of->rows, of->columns, of->g};
  const Term **out[] = {&terms->t, &terms->rows, &terms->columns, &terms->g};
  for (int i = 0; i < 4; i++) {
    const Value *value = w->values[nodes[i]->id];
    if (!value || value->kind != VALUE_INT)
      return false;
    *out[i] = value_signed(w, value);
  }
  terms->all = term_mul(w->terms, terms->rows, terms->columns);
  return grouped_is_of_launch(terms->rows, 0) &&
         grouped_is_of_launch(terms->columns, 0) &&
         grouped_is_of_launch(terms->g, 0);
}

static bool grouped_proves(Walk *w, const Term *condition) {
  return condition->kind == TERM_TRUE ||
         solver_proves(w->quick, path_now(w), condition);
}

// What the note asks of them. Where t >= 0 is less than their product and they
// aren't negative, both are positive.
static bool grouped_is_right(Walk *w, const GroupedTerms *terms) {
  TermTable *t = w->terms;
  const Term *zero = term_int(t, 0), *one = term_int(t, 1);
  const Term *size =
      term_mul(t, term_min(t, terms->g, terms->rows), terms->columns);
  return grouped_proves(w, term_le(t, one, terms->g)) &&
         grouped_proves(w, term_le(t, zero, terms->rows)) &&
         grouped_proves(w, term_le(t, zero, terms->columns)) &&
         grouped_proves(w, term_le(t, zero, terms->t)) &&
         grouped_proves(w, term_lt(t, terms->t, terms->all)) &&
         grouped_proves(w, term_le(t, size, term_int(t, INT32_MAX)));
}

// One table for equal rows, columns and g.
static const IrObject *grouped_table(Walk *w, const GroupedTerms *terms) {
  enum { FIRST_ID = 1 << 30 }; // no object of a kernel has so high a number

  for (uint32_t i = 0; i < w->grouped.count; i++) {
    const Grouped *known = &w->grouped.data[i];
    if (known->rows == terms->rows && known->columns == terms->columns &&
        known->g == terms->g)
      return known->table;
  }
  IrObject *table = ARENA_NEW(w->arena, IrObject);
  *table = (IrObject){.id = FIRST_ID + w->grouped.count,
                      .name = "grouped",
                      .space = SPACE_CONSTANT,
                      .element = ir_scalar(IR_TYPE_I32),
                      .element_bytes = 4,
                      .rank = 1,
                      .is_const = true,
                      .is_signed = true,
                      .param = -1};
  Grouped grouped = {terms->rows, terms->columns, terms->g, table};
  VEC_PUSH(w->arena, &w->grouped, grouped);
  TableFact fact = {.kind = TABLE_INJECTIVE,
                    .object = table,
                    .low = term_int(w->terms, 0),
                    .high = terms->all};
  VEC_PUSH(w->arena, &w->tree->tables, fact);
  solver_assume_table(w->solver, &fact);
  solver_assume_table(w->quick, &fact);
  return table;
}

static int64_t grouped_most_rows(Walk *w, const GroupedTerms *terms) {
  int64_t low, high;
  term_interval(w->terms, terms->rows, &low, &high);
  return high < 1 ? 1 : high < INT32_MAX ? high : INT32_MAX;
}

const Value *walk_grouped(Walk *w, const IrNode *node) {
  GroupedNode of = {0};
  GroupedTerms terms;
  TermTable *t = w->terms;
  if (w->kernel->module->language == LANGUAGE_CUDA ||
      !grouped_node_of(node, &of) || !grouped_terms_of(w, &of, &terms) ||
      !grouped_is_right(w, &terms))
    return NULL;
  const Term *zero = term_int(t, 0);
  const Term *most = term_int(t, grouped_most_rows(w, &terms));
  const Term *place = term_apply(t, grouped_table(w, &terms), &terms.t, 1);
  const Term *row = term_mod(t, place, most);
  const Term *column = term_div(t, place, most);
  path_push(w, term_le(t, zero, place));
  path_push(w, term_lt(t, row, terms.rows));
  path_push(w, term_and(t, term_le(t, zero, column),
                        term_lt(t, column, terms.columns)));
  const Term *value = of.is_row ? row : column;
  return value_int(w, 32, value, true, true);
}
