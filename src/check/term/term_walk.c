// SPDX-License-Identifier: Apache-2.0
// Walks over terms: symbols, replacement, evaluation.
#include "base/panic.h"
#include "base/vec.h"
#include "check/term/term_table.h"

// --------------------------------------------------------------------- symbols

typedef hd_vec(const Symbol *) SymbolList;

static void term_walk_collect(TermTable *table, const Term *term,
                              uint32_t stamp, SymbolList *list) {
  TermNode *node = term_node(term);
  if (node->stamp == stamp)
    return;
  node->stamp = stamp;
  node->image = NULL;
  if (term->symbol)
    VEC_PUSH(table->arena, list, term->symbol);
  for (uint32_t i = 0; i < term->n_args; i++)
    term_walk_collect(table, term->args[i], stamp, list);
  for (uint32_t i = 0; i < term->n_parts; i++)
    term_walk_collect(table, term->parts[i].atom, stamp, list);
}

void term_symbols(const Term *term, void (*visit)(const Symbol *, void *),
                  void *context) {
  TermTable *table = term_node(term)->table;
  SymbolList list = {0};
  // All first: visit may ask about terms itself.
  term_walk_collect(table, term, ++table->stamp, &list);
  for (uint32_t i = 0; i < list.count; i++)
    visit(list.data[i], context);
}

// ----------------------------------------------------------------- replacement

typedef struct {
  TermTable *table;
  TermMap map; // or NULL and
  void *context;
  const Term *from, *to;
  uint32_t stamp;
} Replacing;

static const Term *term_walk_replace(Replacing *r, const Term *term);

static const Term *replace_symbol(Replacing *r, const Term *term) {
  if (!r->map)
    return term;
  const Term *image = r->map(term->symbol, r->context);
  if (image)
    return image;
  return term->symbol->is_lost ? term_lost(r->table) : term;
}

static const Term *replace_sum(Replacing *r, const Term *term) {
  const Term *sum = NULL;
  for (uint32_t i = 0; i < term->n_parts; i++) {
    const Term *image = term_walk_replace(r, term->parts[i].atom);
    if (!sum && image == term->parts[i].atom)
      continue;
    if (!sum) { // the first that changes: the parts before stay
      TermPart parts[TERM_MAX_PARTS];
      for (uint32_t k = 0; k < i; k++)
        parts[k] = term->parts[k];
      sum = term_sum_make(r->table, term->number, parts, i);
    }
    sum = term_add(r->table, sum,
                   term_scale(r->table, image, term->parts[i].coefficient));
  }
  return sum ? sum : term;
}

static const Term *replace_product(Replacing *r, const Term *term) {
  const Term *product = term_int(r->table, 1);
  for (uint32_t i = 0; i < term->n_args; i++)
    product = term_mul(r->table, product, term_walk_replace(r, term->args[i]));
  return product;
}

static const Term *replace_apply(Replacing *r, const Term *term) {
  const Term *args[IR_MAX_RANK];
  HD_ASSERT(term->n_args <= IR_MAX_RANK);
  for (uint32_t i = 0; i < term->n_args; i++)
    args[i] = term_walk_replace(r, term->args[i]);
  return term_apply(r->table, term->object, args, term->n_args);
}

static const Term *replace_junction(Replacing *r, const Term *term) {
  const Term *args[TERM_MAX_ARGS + 1];
  bool is_changed = false;
  for (uint32_t i = 0; i < term->n_args; i++) {
    args[i] = term_walk_replace(r, term->args[i]);
    is_changed |= args[i] != term->args[i];
  }
  return is_changed ? term_junction(r->table, term->kind, args, term->n_args)
                    : term;
}

static const Term *replace_in(Replacing *r, const Term *term) {
  TermTable *table = r->table;
  const Term *a = NULL, *b = NULL;
  if (term->kind != TERM_APPLY && term->kind != TERM_MUL &&
      term->kind != TERM_ALL && term->kind != TERM_SOME) {
    a = term->n_args > 0 ? term_walk_replace(r, term->args[0]) : NULL;
    b = term->n_args > 1 ? term_walk_replace(r, term->args[1]) : NULL;
  }
  switch (term->kind) {
  case TERM_SUM: return replace_sum(r, term);
  case TERM_SYMBOL: return replace_symbol(r, term);
  case TERM_MUL: return replace_product(r, term);
  case TERM_DIV: return term_div(table, a, b);
  case TERM_MOD: return term_mod(table, a, b);
  case TERM_MIN: return term_min(table, a, b);
  case TERM_MAX: return term_max(table, a, b);
  case TERM_ITE:
    return term_ite(table, a, b, term_walk_replace(r, term->args[2]));
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR: return term_bits(table, term->kind, a, b);
  case TERM_APPLY: return replace_apply(r, term);
  case TERM_TRUE:
  case TERM_FALSE: return term;
  case TERM_LE: return term_le(table, a, term_int(table, 0));
  case TERM_EQ: return term_eq(table, a, term_int(table, 0));
  case TERM_NOT: return term_not(table, a);
  case TERM_ALL:
  case TERM_SOME: return replace_junction(r, term);
  }
  HD_PANIC("unknown kind of term");
}

static const Term *term_walk_replace(Replacing *r, const Term *term) {
  TermNode *node = term_node(term);
  if (node->stamp == r->stamp && node->image)
    return node->image;
  const Term *image = term == r->from ? r->to : replace_in(r, term);
  node->stamp = r->stamp;
  node->image = image;
  return image;
}

const Term *term_replace(TermTable *table, const Term *term, TermMap map,
                         void *context) {
  Replacing r = {table, map, context, NULL, NULL, ++table->stamp};
  return term_walk_replace(&r, term);
}

const Term *term_exchange(TermTable *table, const Term *term, const Term *from,
                          const Term *to) {
  Replacing r = {table, NULL, NULL, from, to, ++table->stamp};
  return term_walk_replace(&r, term);
}

void term_each(const Term *term, uint32_t stamp,
               void (*visit)(const Term *, void *), void *context) {
  TermNode *node = term_node(term);
  if (node->stamp == stamp)
    return;
  node->stamp = stamp;
  node->image = NULL;
  for (uint32_t i = 0; i < term->n_args; i++)
    term_each(term->args[i], stamp, visit, context);
  for (uint32_t i = 0; i < term->n_parts; i++)
    term_each(term->parts[i].atom, stamp, visit, context);
  visit(term, context);
}

// ------------------------------------------------------------------ evaluation

// Results by id, overwritten on collision: keeps shared parts from being
// computed again and again.
#define MEMO_SIZE 128
#define MAX_STEPS 200000

typedef struct {
  const TermModel *model;
  uint32_t steps;
  const Term *memo_terms[MEMO_SIZE];
  int64_t memo_values[MEMO_SIZE];
} Evaluation;

static bool term_walk_evaluate(Evaluation *e, const Term *term, int64_t *value);

bool term_model_get(const TermModel *model, const Symbol *symbol,
                    int64_t *value) {
  for (uint32_t i = 0; i < model->n; i++)
    if (model->symbols[i] == symbol) {
      *value = model->values[i];
      return true;
    }
  return false;
}

static bool term_walk_narrow(Wide wide, int64_t *value) {
  *value = (int64_t)wide;
  return wide >= INT64_MIN && wide <= INT64_MAX;
}

static bool evaluate_sum(Evaluation *e, const Term *term, int64_t *value) {
  Wide sum = term->number;
  for (uint32_t i = 0; i < term->n_parts; i++) {
    int64_t part; // at most 64 products below 2^126: see TERM_MAX_PARTS
    if (!term_walk_evaluate(e, term->parts[i].atom, &part))
      return false;
    Wide product = (Wide)term->parts[i].coefficient * part;
    if (product > ((Wide)1 << 100) || product < -((Wide)1 << 100))
      return false;
    sum += product;
  }
  return term_walk_narrow(sum, value);
}

static bool evaluate_product(Evaluation *e, const Term *term, int64_t *value) {
  *value = 1;
  for (uint32_t i = 0; i < term->n_args; i++) {
    int64_t factor;
    if (!term_walk_evaluate(e, term->args[i], &factor) ||
        __builtin_mul_overflow(*value, factor, value))
      return false;
  }
  return true;
}

static bool evaluate_junction(Evaluation *e, const Term *term, int64_t *value) {
  bool is_all = term->kind == TERM_ALL, is_known = true;
  for (uint32_t i = 0; i < term->n_args; i++) {
    int64_t arg;
    if (!term_walk_evaluate(e, term->args[i], &arg))
      is_known = false;
    else if ((arg != 0) != is_all) {
      *value = !is_all;
      return true;
    }
  }
  *value = is_all;
  return is_known;
}

static bool evaluate_shift(int64_t exponent, int64_t *value) {
  if (exponent < 0 || exponent > 62)
    return false;
  *value = (int64_t)1 << exponent;
  return true;
}

static bool evaluate_pair(const Term *term, int64_t a, int64_t b,
                          int64_t *value) {
  switch (term->kind) {
  case TERM_DIV:
  case TERM_MOD:
    if (b <= 0)
      return false;
    *value = term->kind == TERM_DIV ? floor_div(a, b) : floor_mod(a, b);
    return true;
  case TERM_MIN: *value = a < b ? a : b; return true;
  case TERM_MAX: *value = a > b ? a : b; return true;
  case TERM_AND: *value = a & b; return true;
  case TERM_OR: *value = a | b; return true;
  case TERM_XOR: *value = a ^ b; return true;
  case TERM_SHL: return evaluate_shift(b, value);
  case TERM_SUM:
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_ITE:
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  return false;
}

static bool evaluate_kind(Evaluation *e, const Term *term, int64_t *value) {
  int64_t a, b;
  switch (term->kind) {
  case TERM_SUM: return evaluate_sum(e, term, value);
  case TERM_SYMBOL: return term_model_get(e->model, term->symbol, value);
  case TERM_MUL: return evaluate_product(e, term, value);
  case TERM_ITE:
    return term_walk_evaluate(e, term->args[0], &a) &&
           term_walk_evaluate(e, term->args[a ? 1 : 2], value);
  case TERM_APPLY: return false;
  case TERM_TRUE: *value = 1; return true;
  case TERM_FALSE: *value = 0; return true;
  case TERM_ALL:
  case TERM_SOME: return evaluate_junction(e, term, value);
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
    if (!term_walk_evaluate(e, term->args[0], &a))
      return false;
    *value = term->kind == TERM_LE ? a <= 0 : a == 0;
    return true;
  case TERM_DIV:
  case TERM_MOD:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR: break;
  }
  return term_walk_evaluate(e, term->args[0], &a) &&
         term_walk_evaluate(e, term->args[1], &b) &&
         evaluate_pair(term, a, b, value);
}

static bool term_walk_evaluate(Evaluation *e, const Term *term,
                               int64_t *value) {
  uint32_t slot = term->id % MEMO_SIZE;
  if (e->memo_terms[slot] == term) {
    *value = e->memo_values[slot];
    return true;
  }
  if (++e->steps > MAX_STEPS || !evaluate_kind(e, term, value))
    return false;
  e->memo_terms[slot] = term;
  e->memo_values[slot] = *value;
  return true;
}

bool term_value(const Term *term, const TermModel *model, int64_t *value) {
  Evaluation e = {.model = model};
  return term_walk_evaluate(&e, term, value);
}
