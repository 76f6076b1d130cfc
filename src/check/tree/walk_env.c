// SPDX-License-Identifier: Apache-2.0
// What variables hold, and what they hold where ways meet.
#include "check/tree/walk.h"
#include "ir/analyses/uniform.h"

// Work on joins in all; beyond it variables are lost where ways meet.
#define MAX_WORK 20000000u

// --------------------------------------------------------------- variables

void env_set(Walk *w, uint32_t var, const Value *value) {
  if (w->logged_at[var] <= w->log_base) {
    LogEntry entry = {var, w->logged_at[var], w->vars[var]};
    VEC_PUSH(w->arena, &w->log, entry);
    w->logged_at[var] = w->log.count;
  }
  w->vars[var] = value;
}

uint32_t env_mark(Walk *w, uint32_t *saved_base) {
  *saved_base = w->log_base;
  w->log_base = w->log.count;
  return w->log_base;
}

void env_undo(Walk *w, uint32_t mark, uint32_t saved_base) {
  while (w->log.count > mark) {
    LogEntry entry = VEC_POP(&w->log);
    w->vars[entry.var] = entry.value;
    w->logged_at[entry.var] = entry.previous;
  }
  w->log_base = saved_base;
}

// Too much to compare: from here on a variable may hold anything at each read.
static bool gives_up(Walk *w, uint64_t work) {
  w->work += work;
  if (w->work > MAX_WORK) {
    w->has_given_up = true;
    w->is_cut |= w->dry > 0;
  }
  return w->has_given_up;
}

uint32_t env_changes(Walk *w, uint32_t mark, VarValue **changes) {
  uint32_t n = 0;
  *changes = NULL;
  if (gives_up(w, w->log.count - mark))
    return 0;
  w->stamp++;
  *changes = ARENA_ARRAY(w->arena, VarValue, w->log.count - mark);
  for (uint32_t i = mark; i < w->log.count; i++) {
    uint32_t var = w->log.data[i].var;
    if (w->var_stamp[var] == w->stamp)
      continue;
    w->var_stamp[var] = w->stamp;
    (*changes)[n++] = (VarValue){var, w->vars[var]};
  }
  return n;
}

// -------------------------------------------------------------- lost ones

const Value *value_lost(Walk *w) {
  Value *value = value_new(w, VALUE_LOST);
  value->reads = ARENA_NEW(w->arena, LostRead *);
  value->loop = w->loop;
  return value;
}

const Value *value_lost_within(Walk *w, const Term *low, const Term *high) {
  Value *value = value_new(w, VALUE_LOST);
  *value = *value_lost(w);
  value->low = low;
  value->high = high;
  return value;
}

// Largest group around the current one over which what the token stands for is
// one value.
static const IrGroup *token_over(const Walk *w, Token token) {
  const Uniformity *u = w->uniformity;
  const IrGroup *over = NULL;
  for (const IrGroup *group = w->group; group; group = group->parent)
    if (group_set_has(u->sets, u->set[token], group))
      over = group;
  return over;
}

static void push_bounds(Walk *w, const Value *lost, const Value *value) {
  if (value->kind != VALUE_INT)
    return;
  if (lost->low)
    path_push(w, term_le(w->terms, lost->low, value->term));
  if (lost->high)
    path_push(w, term_le(w->terms, value->term, lost->high));
}

// A value of the variable that may be anything.
static const Value *any_value(Walk *w, uint32_t var, const IrNode *origin,
                              const IrGroup *over) {
  IrType type = walk_element(w, walk_var(w, var)->type);
  bool is_bool = type.kind == IR_TYPE_BOOL && type.lanes <= 1;
  if (!is_bool && !ir_type_is_int(type))
    return value_new(w, VALUE_OPAQUE);
  bool is_unsigned = w->var_hints[var] == HINT_UNSIGNED;
  uint32_t bits = ir_type_bits(type);
  int64_t low = 0, high = 1;
  if (!is_bool)
    type_range(bits, is_unsigned, &low, &high);
  const Symbol *symbol = walk_variable(w, var, origin, over, low, high);
  return is_bool ? value_bool(w, symbol_holds(w, symbol))
                 : value_int(w, bits, term_of(w->terms, symbol), !is_unsigned,
                             is_unsigned);
}

// The same token is the same value; no_token: one that is like no other.
static const Value *lost_value(Walk *w, const Value *lost, uint32_t var,
                               const IrNode *node, uint32_t token) {
  for (const LostRead *read = *lost->reads; read; read = read->next)
    if (read->token == token)
      return read->value;
  CheckLoop *loop = w->loop;
  w->loop = lost->loop;
  const IrGroup *over = node ? token_over(w, token) : NULL;
  LostRead *read = ARENA_NEW(w->arena, LostRead);
  *read = (LostRead){token, any_value(w, var, node, over), *lost->reads};
  *lost->reads = read;
  w->loop = loop;
  return read->value;
}

const Value *value_of_lost(Walk *w, const Value *lost, uint32_t var) {
  static const uint32_t no_token = UINT32_MAX;

  const Value *value = lost_value(w, lost, var, NULL, no_token);
  push_bounds(w, lost, value);
  return value;
}

const Value *value_of_turn(Walk *w, const IrNode *loop, uint32_t var) {
  uint64_t key = ((uint64_t)loop->id << 32 | var) + 1;
  uintptr_t token = (uintptr_t)map_get(&w->loop_phis, key);
  return any_value(w, var, NULL,
                   token ? token_over(w, (Token)(token - 1)) : NULL);
}

void env_start(Walk *w) {
  const Uniformity *u = w->uniformity;
  for (uint32_t i = u->order->n_ids; i < u->tokens.count; i++) {
    const TokenInfo *info = &u->tokens.data[i];
    bool is_loop =
        info->node && (info->node->op == IR_LOOP || info->node->op == IR_FOR ||
                       info->node->op == IR_THREAD_FOR);
    if (info->kind != TOKEN_PHI || !is_loop)
      continue;
    // The first is the one at the head.
    uint64_t key = ((uint64_t)info->node->id << 32 | info->var) + 1;
    if (!map_has(&w->loop_phis, key))
      map_put(w->arena, &w->loop_phis, key, (void *)((uintptr_t)i + 1));
  }
}

const Value *env_get(Walk *w, const IrNode *node) {
  uint32_t var = node->u.variable.var;
  if (!w->vars[var])
    w->vars[var] = value_lost(w);
  const Value *value = w->has_given_up ? value_lost(w) : w->vars[var];
  if (value->kind != VALUE_LOST)
    return value;
  const Value *read =
      lost_value(w, value, var, node, w->uniformity->version[node->id]);
  push_bounds(w, value, read);
  return read;
}

// ------------------------------------------------------------------ merging

static const Value *merge_ints(Walk *w, const Term *condition, const Value *a,
                               const Value *b) {
  bool is_signed = a->is_signed && b->is_signed;
  bool is_unsigned = a->is_unsigned && b->is_unsigned;
  const Term *x = a->term, *y = b->term;
  if (!is_signed && !is_unsigned) {
    x = value_signed(w, a);
    y = value_signed(w, b);
    is_signed = true;
  }
  const Term *term = term_ite(w->terms, condition, x, y);
  if (walk_size(w, term) > WALK_MAX_MERGE)
    return NULL;
  return value_int(w, a->bits, term, is_signed, is_unsigned);
}

static const Value *merge_bools(Walk *w, const Term *condition, const Value *a,
                                const Value *b) {
  TermTable *t = w->terms;
  const Term *term = term_or(t, term_and(t, condition, a->term),
                             term_and(t, term_not(t, condition), b->term));
  return walk_size(w, term) > WALK_MAX_MERGE ? NULL : value_bool(w, term);
}

static const Value *merge_pointers(Walk *w, const Term *condition,
                                   const Value *a, const Value *b) {
  if (a->is_null && b->is_null)
    return a;
  if (a->object != b->object || a->n_index != b->n_index || !a->object ||
      a->cluster_rank != b->cluster_rank)
    return NULL;
  TermTable *t = w->terms;
  Value *value = value_new(w, VALUE_POINTER);
  *value = *a;
  const Term **index = ARENA_ARRAY(w->arena, const Term *, a->n_index);
  for (uint32_t i = 0; i < a->n_index; i++) {
    index[i] = term_ite(t, condition, a->index[i], b->index[i]);
    if (walk_size(w, index[i]) > WALK_MAX_MERGE)
      return NULL;
  }
  value->index = index;
  value->term = term_ite(t, condition, a->term, b->term);
  return walk_size(w, value->term) > WALK_MAX_MERGE ? NULL : value;
}

static bool add_choices(Walk *w, const Value *value, const Term *condition,
                        ValueChoices *choices) {
  TermTable *t = w->terms;
  if (value->kind == VALUE_CHOICE)
    return add_choices(w, value->parts[0], term_and(t, condition, value->term),
                       choices) &&
           add_choices(w, value->parts[1],
                       term_and(t, condition, term_not(t, value->term)),
                       choices);
  if (choices->n == WALK_MAX_CHOICES)
    return false;
  choices->data[choices->n++] = (ValueChoice){condition, value};
  return true;
}

bool value_choices(Walk *w, const Value *value, ValueChoices *choices) {
  choices->n = 0;
  return add_choices(w, value, term_true(w->terms), choices);
}

static const Value *first_choice(const Value *value) {
  while (value && value->kind == VALUE_CHOICE)
    value = value->parts[0];
  return value;
}

static bool walk_env_is_pointer(const Value *value) {
  value = first_choice(value);
  return value && value->kind == VALUE_POINTER &&
         (value->object || value->is_null);
}

static bool walk_env_is_token(const Value *value) {
  value = first_choice(value);
  return value && value->kind == VALUE_TOKEN;
}

// One of two places, or tokens, that no one term says.
static const Value *merge_choice(Walk *w, const Term *condition, const Value *a,
                                 const Value *b) {
  if (walk_size(w, condition) > WALK_MAX_MERGE)
    return NULL;
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, 2);
  parts[0] = a;
  parts[1] = b;
  Value *value = value_new(w, VALUE_CHOICE);
  value->term = condition;
  value->n_parts = 2;
  value->parts = parts;
  ValueChoices choices;
  return value_choices(w, value, &choices) ? value : NULL;
}

static const Value *merge_parts(Walk *w, const Term *condition, const Value *a,
                                const Value *b) {
  if (a->n_parts != b->n_parts)
    return NULL;
  Value *value = value_new(w, VALUE_PARTS);
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, a->n_parts);
  for (uint32_t i = 0; i < a->n_parts; i++) {
    parts[i] = value_merge(w, condition, a->parts[i], b->parts[i]);
    if (parts[i]->kind == VALUE_LOST)
      return NULL;
  }
  value->n_parts = a->n_parts;
  value->parts = parts;
  return value;
}

static const Value *merge_known(Walk *w, const Term *condition, const Value *a,
                                const Value *b) {
  if (walk_env_is_pointer(a) && walk_env_is_pointer(b)) {
    const Value *one = a->kind == b->kind && a->kind == VALUE_POINTER
                           ? merge_pointers(w, condition, a, b)
                           : NULL;
    return one ? one : merge_choice(w, condition, a, b);
  }
  if (walk_env_is_token(a) && walk_env_is_token(b))
    return a->kind == b->kind && a->kind == VALUE_TOKEN && a->step == b->step
               ? a
               : merge_choice(w, condition, a, b);
  if (!a || !b || a->kind != b->kind)
    return NULL;
  switch (a->kind) {
  case VALUE_INT:
    return a->bits == b->bits ? merge_ints(w, condition, a, b) : NULL;
  case VALUE_BOOL: return merge_bools(w, condition, a, b);
  case VALUE_PARTS: return merge_parts(w, condition, a, b);
  case VALUE_OPAQUE: return a;
  case VALUE_TOKEN:
  case VALUE_POINTER:
  case VALUE_CHOICE:
  case VALUE_LOST: break;
  }
  return NULL;
}

const Value *value_merge(Walk *w, const Term *condition, const Value *a,
                         const Value *b) {
  if (a == b)
    return a;
  const Value *merged = condition ? merge_known(w, condition, a, b) : NULL;
  return merged ? merged : value_lost(w);
}

// The value of `var` on a way: changed there, or as it was.
static const Value *walk_env_arriving(const Walk *w, const Incoming *incoming,
                                      uint32_t var) {
  for (uint32_t i = 0; i < incoming->n_changes; i++)
    if (incoming->changes[i].var == var)
      return incoming->changes[i].value;
  return w->vars[var];
}

// Where nothing has set a number it is any number: what it is on other ways
// isn't lost by that.
static const Value *arriving_number(Walk *w, const Incoming *incoming,
                                    uint32_t var) {
  const Value *value = walk_env_arriving(w, incoming, var);
  IrType type = walk_element(w, walk_var(w, var)->type);
  bool is_bool = type.kind == IR_TYPE_BOOL && type.lanes <= 1;
  return value || !(is_bool || ir_type_is_int(type))
             ? value
             : any_value(w, var, NULL, NULL);
}

static void merge_variable(Walk *w, const Incoming *incoming, uint32_t n,
                           uint32_t var) {
  const Value *value = arriving_number(w, &incoming[n - 1], var);
  for (uint32_t i = n - 1; i-- > 0;) {
    value = value_merge(w, incoming[i].condition,
                        arriving_number(w, &incoming[i], var), value);
  }
  if (value != w->vars[var])
    env_set(w, var, value);
}

void env_merge(Walk *w, const Incoming *incoming, uint32_t n) {
  uint64_t n_changes = 0;
  for (uint32_t i = 0; i < n; i++)
    n_changes += incoming[i].n_changes;
  // Each variable is looked for in each list.
  if (gives_up(w, n > 1 ? n_changes * n_changes / n : n_changes))
    return;
  // Every variable once: the list first, for merging moves the stamps on.
  uint32_t *vars = ARENA_ARRAY(w->arena, uint32_t, n_changes), n_vars = 0;
  w->stamp++;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < incoming[i].n_changes; k++) {
      uint32_t var = incoming[i].changes[k].var;
      if (w->var_stamp[var] != w->stamp)
        vars[n_vars++] = var;
      w->var_stamp[var] = w->stamp;
    }
  for (uint32_t i = 0; i < n_vars; i++)
    merge_variable(w, incoming, n, vars[i]);
}

// ------------------------------------------------------------- replacement

static const Term *walk_env_mapped(Walk *w, const Term *term, TermMap map,
                                   void *context) {
  return term ? term_replace(w->terms, term, map, context) : NULL;
}

Value *value_map(Walk *w, const Value *value, TermMap map, void *context) {
  Value *copy = value_new(w, value->kind);
  *copy = *value;
  copy->term = walk_env_mapped(w, value->term, map, context);
  copy->cluster_rank = walk_env_mapped(w, value->cluster_rank, map, context);
  const Term **index = ARENA_ARRAY(w->arena, const Term *, value->n_index);
  for (uint32_t i = 0; i < value->n_index; i++)
    index[i] = walk_env_mapped(w, value->index[i], map, context);
  copy->index = index;
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, value->n_parts);
  for (uint32_t i = 0; i < value->n_parts; i++)
    parts[i] = value_map(w, value->parts[i], map, context);
  copy->parts = parts;
  return copy;
}
