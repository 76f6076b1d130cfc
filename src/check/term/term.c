// SPDX-License-Identifier: Apache-2.0
#include "check/term/term.h"
#include "base/panic.h"
#include "check/term/term_table.h"
#include <string.h>

// ------------------------------------------------------------------ interning

static uint64_t term_mix(uint64_t hash, uint64_t value) {
#ifdef HD_STRESS
  return (hash + value) & 15; // collisions everywhere
#else
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
#endif
}

static uint64_t hash_model(const Term *model) {
  uint64_t hash = term_mix(model->kind, (uint64_t)model->number);
  for (uint32_t i = 0; i < model->n_args; i++)
    hash = term_mix(hash, model->args[i]->id);
  for (uint32_t i = 0; i < model->n_parts; i++) {
    hash = term_mix(hash, model->parts[i].atom->id);
    hash = term_mix(hash, (uint64_t)model->parts[i].coefficient);
  }
  if (model->symbol)
    hash = term_mix(hash, model->symbol->id);
  if (model->object)
    hash = term_mix(hash, MAP_KEY(model->object));
  return hash;
}

static bool term_is_same(const Term *a, const Term *b) {
  if (a->kind != b->kind || a->number != b->number || a->n_args != b->n_args ||
      a->n_parts != b->n_parts || a->symbol != b->symbol ||
      a->object != b->object)
    return false;
  for (uint32_t i = 0; i < a->n_args; i++)
    if (a->args[i] != b->args[i])
      return false;
  for (uint32_t i = 0; i < a->n_parts; i++)
    if (a->parts[i].atom != b->parts[i].atom ||
        a->parts[i].coefficient != b->parts[i].coefficient)
      return false;
  return true;
}

static void grow_buckets(TermTable *table) {
  uint32_t n = table->n_buckets ? table->n_buckets * 2 : 256;
  TermNode **buckets = ARENA_ARRAY(table->arena, TermNode *, n);
  for (uint32_t i = 0; i < table->n_buckets; i++) {
    TermNode *next;
    for (TermNode *node = table->buckets[i]; node; node = next) {
      next = node->next;
      TermNode **bucket = &buckets[node->hash & (n - 1)];
      node->next = *bucket;
      *bucket = node;
    }
  }
  table->buckets = buckets;
  table->n_buckets = n;
}

static uint32_t term_depth_of(const Term *model) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < model->n_args; i++) {
    uint32_t d = term_node(model->args[i])->depth;
    depth = d > depth ? d : depth;
  }
  for (uint32_t i = 0; i < model->n_parts; i++) {
    uint32_t d = term_node(model->parts[i].atom)->depth;
    depth = d > depth ? d : depth;
  }
  return depth + 1;
}

static TermNode *add_node(TermTable *table, const Term *model, uint64_t hash) {
  TermNode *node = ARENA_NEW(table->arena, TermNode);
  node->term = *model;
  node->term.id = table->n_terms++;
  if (model->n_args)
    node->term.args = arena_copy(table->arena, model->args,
                                 model->n_args * sizeof *model->args);
  if (model->n_parts)
    node->term.parts = arena_copy(table->arena, model->parts,
                                  model->n_parts * sizeof *model->parts);
  node->table = table;
  node->hash = hash;
  node->depth = term_depth_of(model);
  node->range = (TermRange){INT64_MIN, INT64_MAX};
  if (model->kind == TERM_SUM)
    node->range = range_of_sum(&node->term);
  else if (term_is_int(model))
    node->range = range_of_atom(&node->term);
  return node;
}

const Term *term_intern(TermTable *table, const Term *model) {
  table->n_asked++;
  if (table->n_terms >= table->n_buckets)
    grow_buckets(table);
  uint64_t hash = hash_model(model);
  TermNode **bucket = &table->buckets[hash & (table->n_buckets - 1)];
  for (TermNode *node = *bucket; node; node = node->next)
    if (node->hash == hash && term_is_same(&node->term, model))
      return &node->term;
  if (term_depth_of(model) > TERM_MAX_DEPTH)
    return term_is_int(model) ? term_lost(table) : term_lost_condition(table);
  TermNode *node = add_node(table, model, hash);
  node->next = *bucket;
  *bucket = node;
  return &node->term;
}

const Term *term_intern2(TermTable *table, TermKind kind, const Term *a,
                         const Term *b) {
  const Term *args[2] = {a, b};
  return term_intern(table, &(Term){.kind = kind, .n_args = 2, .args = args});
}

TermTable *term_table_new(Arena *arena) {
  TermTable *table = ARENA_NEW(arena, TermTable);
  table->arena = arena;
  table->always = term_intern(table, &(Term){.kind = TERM_TRUE});
  table->never = term_intern(table, &(Term){.kind = TERM_FALSE});
  term_node(table->always)->negation = table->never;
  term_node(table->never)->negation = table->always;
  return table;
}

// -------------------------------------------------------------------- symbols

Symbol *term_symbol_new(TermTable *table, const Symbol *model) {
  HD_ASSERT(model->low <= model->high);
  Symbol *symbol = ARENA_NEW(table->arena, Symbol);
  *symbol = *model;
  symbol->id = table->n_symbols++;
  if (symbol->is_power_of_two && symbol->low < 1)
    symbol->low = 1;
  return symbol;
}

Symbol *term_copy_symbol(TermTable *table, const Symbol *symbol) {
  HD_ASSERT(symbol->id < table->n_symbols);
  Symbol *copy = term_symbol_new(table, symbol);
  copy->copy_of = symbol;
  return copy;
}

const Term *term_of(TermTable *table, const Symbol *symbol) {
  HD_ASSERT(symbol->id < table->n_symbols); // of this table
  if (symbol->low == symbol->high)
    return term_int(table, symbol->low);
  return term_intern(table, &(Term){.kind = TERM_SYMBOL, .symbol = symbol});
}

const Term *term_lost(TermTable *table) {
  Symbol model = {
      .kind = SYMBOL_VALUE,
      .name = arena_printf(table->arena, "unknown%u", ++table->n_lost),
      .low = INT64_MIN,
      .high = INT64_MAX,
      .is_lost = true,
  };
  return term_of(table, term_symbol_new(table, &model));
}

const Term *term_lost_condition(TermTable *table) {
  const Term *lost = term_lost(table);
  return term_intern(table,
                     &(Term){.kind = TERM_EQ, .n_args = 1, .args = &lost});
}

// ------------------------------------------------------------------ questions

bool term_is_int(const Term *term) {
  return term->kind < TERM_TRUE;
}

bool term_is_constant(const Term *term, int64_t *number) {
  if (term->kind != TERM_SUM || term->n_parts)
    return false;
  *number = term->number;
  return true;
}

void term_interval(TermTable *table, const Term *term, int64_t *low,
                   int64_t *high) {
  (void)table;
  *low = term_range(term).low;
  *high = term_range(term).high;
}
