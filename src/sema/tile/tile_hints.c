// SPDX-License-Identifier: Apache-2.0
// The clauses tile(…) and tune(…) of tile kernels.
#include "sema/tile.h"

#include "base/bits.h"
#include <string.h>

enum { MAX_HINT = 1024 };

// --- tile(…) ---

static bool refuse_hint(SemaContext *cx, Span span, const char *problem) {
  SEMA_ERROR(cx, span, tile_hint, DS(sema_source_text(cx, span)), DS(problem));
  return false;
}

// The word of a hint, and its one argument (NULL: none).
static const char *hint_word(const Expr *hint, const Expr **argument) {
  *argument = NULL;
  if (hint->kind == EXPR_NAME)
    return hint->u.name;
  if (hint->kind != EXPR_CALL || hint->u.call.callee->kind != EXPR_NAME ||
      hint->u.call.args.count != 1)
    return NULL;
  *argument = hint->u.call.args.data[0];
  return hint->u.call.callee->u.name;
}

static bool hint_number(SemaContext *cx, const Expr *hint, const Expr *argument,
                        int64_t *out) {
  int64_t value;
  if (!argument)
    return refuse_hint(cx, hint->span, "must have a number in parentheses");
  if (!check_const_int(cx, argument, "a hint", &value))
    return false;
  if (value < 1 || value > MAX_HINT)
    return refuse_hint(cx, hint->span,
                       sema_format(cx,
                                   "must have a number from 1 to %d, not %lld",
                                   MAX_HINT, (long long)value));
  if (*out)
    return refuse_hint(cx, hint->span, "is given twice");
  *out = value;
  return true;
}

static bool hint_order(SemaContext *cx, const Expr *hint, const Expr *argument,
                       TTileHints *out) {
  const Expr *inner;
  const char *word = argument ? hint_word(argument, &inner) : NULL;
  out->order_span = hint->span;
  if (out->grouped || out->is_longest_first)
    return refuse_hint(cx, hint->span, "is given twice");
  if (word && strcmp(word, "grouped") == 0)
    return hint_number(cx, argument, inner, &out->grouped);
  if (!word || strcmp(word, "longest_first") != 0 || inner)
    return refuse_hint(cx, hint->span,
                       "must be order(grouped(n)) or order(longest_first)");
  out->is_longest_first = true;
  return true;
}

static bool hint_flag(SemaContext *cx, const Expr *hint, const Expr *argument,
                      bool *out) {
  if (argument)
    return refuse_hint(cx, hint->span, "takes no argument");
  if (*out)
    return refuse_hint(cx, hint->span, "is given twice");
  *out = true;
  return true;
}

static bool hint_one(SemaContext *cx, const Expr *hint, TTileHints *out) {
  const struct {
    const char *word;
    int64_t *number;
  } numbers[] = {{"warps", &out->warps},
                 {"stages", &out->stages},
                 {"ctas", &out->ctas},
                 {"occupancy", &out->occupancy},
                 {"consumers", &out->consumers}};

  const Expr *argument;
  const char *word = hint_word(hint, &argument);
  if (!word)
    return refuse_hint(cx, hint->span, "is not a hint");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(word, numbers[i].word) == 0)
      return hint_number(cx, hint, argument, numbers[i].number);
  if (strcmp(word, "order") == 0)
    return hint_order(cx, hint, argument, out);
  if (strcmp(word, "pingpong") == 0)
    return hint_flag(cx, hint, argument, &out->is_pingpong);
  if (strcmp(word, "persistent") == 0)
    return hint_flag(cx, hint, argument, &out->is_persistent);
  return refuse_hint(cx, hint->span,
                     "is not a hint: the hints are warps, stages, ctas, "
                     "occupancy, consumers, pingpong, persistent and order");
}

// --- hints that can't be followed ---
//
// A hint for GPUs is no mistake where a CPU runs the kernel. One that no device
// can follow, or that contradicts another one, is told and has no effect.

enum {
  MOST_CTAS = 16,
  MOST_WARPS = 32,    // of a block
  MOST_BLOCKS = 32,   // of a multiprocessor
  MOST_SM_WARPS = 64, // of a multiprocessor
  WARPGROUP = 4,      // warps
  MOST_CONSUMERS = 7, // of the eight warpgroups of a block one produces
};

static const char *ctas_problem(SemaContext *cx, const TKernel *kernel) {
  int64_t n = kernel->hints.ctas;
  const TExpr *blocks = kernel->grid[0];
  if (n > MOST_CTAS || !is_power_of_two(n))
    return "a cluster has 1, 2, 4, 8 or 16 blocks";
  bool is_known = kernel->n_grid > 0 && blocks && expr_is_const(blocks);
  if (!is_known || blocks->u.value.i % n == 0)
    return NULL;
  return sema_format(cx,
                     "the first dimension of the grid has %lld blocks, which "
                     "is not a multiple",
                     (long long)blocks->u.value.i);
}

static const char *occupancy_problem(SemaContext *cx, const TTileHints *hints) {
  if (hints->occupancy > MOST_BLOCKS)
    return sema_format(cx, "a multiprocessor runs %d blocks at most",
                       MOST_BLOCKS);
  if (hints->occupancy * hints->warps <= MOST_SM_WARPS)
    return NULL;
  return sema_format(cx, "a multiprocessor runs %d warps, %lld blocks of %lld",
                     MOST_SM_WARPS, (long long)(MOST_SM_WARPS / hints->warps),
                     (long long)hints->warps);
}

static const char *consumers_problem(SemaContext *cx, const TTileHints *hints) {
  int64_t warps = hints->consumers * WARPGROUP;
  if (hints->consumers > MOST_CONSUMERS)
    return sema_format(cx, "a block has %d of them at most, beside a producer",
                       MOST_CONSUMERS);
  if (!hints->warps || warps <= hints->warps)
    return NULL;
  return sema_format(cx, "they are %lld warps, but the block has %lld",
                     (long long)warps, (long long)hints->warps);
}

// NULL: it can be followed, as far as the clauses say.
static const char *hint_problem(SemaContext *cx, const TKernel *kernel,
                                const char *word) {
  const TTileHints *hints = &kernel->hints;
  if (strcmp(word, "warps") == 0 && hints->warps > MOST_WARPS)
    return sema_format(cx, "a block has %d warps at most", MOST_WARPS);
  if (strcmp(word, "ctas") == 0)
    return ctas_problem(cx, kernel);
  if (strcmp(word, "occupancy") == 0)
    return occupancy_problem(cx, hints);
  if (strcmp(word, "consumers") == 0)
    return consumers_problem(cx, hints);
  if (strcmp(word, "pingpong") == 0 && hints->consumers == 1)
    return "one consumer has no other one to alternate with";
  if (strcmp(word, "order") == 0 && hints->grouped && kernel->n_grid == 1)
    return "the grid has one dimension";
  return NULL;
}

void tile_check_hints(SemaContext *cx, const Clause *clause, TKernel *kernel) {
  for (uint32_t i = 0; i < clause->args.count; i++)
    if (!hint_one(cx, clause->args.data[i], &kernel->hints))
      return;
  for (uint32_t i = 0; i < clause->args.count; i++) {
    const Expr *hint = clause->args.data[i], *argument;
    const char *why = hint_problem(cx, kernel, hint_word(hint, &argument));
    if (why)
      SEMA_ERROR(cx, hint->span, tile_hint_idle,
                 DS(sema_source_text(cx, hint->span)), DS(why));
  }
}

void tile_check_consumers(SemaContext *cx, const Type *product, Span span) {
  const TKernel *kernel = cx->kernel ? cx->kernel->kernel : NULL;
  int64_t n = kernel ? kernel->hints.consumers : 0;
  uint32_t rows = product->u.tile.extents[product->u.tile.rank - 2];
  if (n > 0 && rows % n != 0)
    SEMA_ERROR(cx, span, tile_hint_idle,
               DS(sema_format(cx, "consumers(%lld)", (long long)n)),
               DS(sema_format(cx,
                              "this product has %u rows, which they can't "
                              "share equally",
                              rows)));
}

// --- tune(…) ---

static bool is_tunable_name(const Decl *kernel, const char *name) {
  const DeclList *params = &kernel->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++) {
    const Decl *param = params->data[i];
    if (param->name == name)
      return (param->storage & STORAGE_CONSTEXPR) && !param->u.param.is_type;
  }
  return false;
}

static bool tune_names(SemaContext *cx, const Decl *kernel,
                       const Clause *clause) {
  for (uint32_t i = 0; i < clause->names.count; i++) {
    const Expr *name = clause->names.data[i];
    if (!is_tunable_name(kernel, name->u.name)) {
      SEMA_ERROR(cx, name->span, tile_tune, DS(name->u.name),
                 DS("is not a constexpr parameter of this kernel"));
      return false;
    }
  }
  return true;
}

// As many numbers as there are names.
static bool tune_value(SemaContext *cx, const Expr *value, uint32_t n_names) {
  int64_t number;
  const ExprList one = {.data = (Expr *[]){(Expr *)(uintptr_t)value},
                        .count = 1};
  const ExprList *list = value->kind == EXPR_COMMA ? &value->u.list : &one;
  if (list->count != n_names) {
    SEMA_ERROR(cx, value->span, tile_tune,
               DS(sema_source_text(cx, value->span)),
               DS(sema_format(cx, "has %u value%s for %u name%s", list->count,
                              text_plural(list->count), n_names,
                              text_plural(n_names))));
    return false;
  }
  for (uint32_t i = 0; i < list->count; i++)
    if (!check_const_int(cx, list->data[i], "a value to try", &number))
      return false;
  return true;
}

static TExpr *tune_condition(SemaContext *cx, const Expr *written) {
  TExpr *condition = check_condition(cx, written);
  if (expr_is_poison(condition) || expr_is_const(condition))
    return condition;
  SEMA_ERROR(cx, condition->span, not_constant, DS("a condition of 'tune'"));
  return build_poison(cx, condition->span);
}

// Combinations of values that are looked at before silence.
enum { MOST_TRIALS = 4096 };

// One condition, with values for the names of the clauses looked at so far.
typedef struct {
  SemaContext *cx;
  const ClauseList *clauses;
  const Clause *clause; // that has the value and the condition
  const Expr *value, *condition;
  uint32_t n_trials;
} Trial;

// The names have these values in the current scope.
static void tune_bind(SemaContext *cx, const Clause *clause,
                      const Expr *value) {
  const ExprList one = {.data = (Expr *[]){(Expr *)(uintptr_t)value},
                        .count = 1};
  const ExprList *list = value->kind == EXPR_COMMA ? &value->u.list : &one;
  for (uint32_t i = 0; i < clause->names.count; i++) {
    const Expr *name = clause->names.data[i];
    const Symbol *param = sema_scope_find(cx, name->u.name);
    int64_t number;
    if (!param ||
        !check_const_int(cx, list->data[i], "a value to try", &number))
      continue;
    const Type *type = param->type.type;
    Symbol *symbol =
        sema_scope_declare(cx, SYMBOL_CONST, name->u.name, name->span);
    if (!symbol)
      continue;
    symbol->type = sema_plain(type);
    symbol->value = (TValue){.i = number};
  }
}

static bool tune_holds(Trial *trial) {
  TExpr *condition = check_condition(trial->cx, trial->condition);
  return ++trial->n_trials > MOST_TRIALS || expr_is_poison(condition) ||
         !expr_is_const(condition) || condition->u.value.u != 0;
}

// Some values of clauses `first` and on make the condition true.
static bool tune_may_hold(Trial *trial, uint32_t first) {
  SemaContext *cx = trial->cx;
  while (first < trial->clauses->count &&
         trial->clauses->data[first].kind != CLAUSE_TUNE)
    first++;
  if (first == trial->clauses->count)
    return tune_holds(trial);
  const Clause *clause = &trial->clauses->data[first];
  bool is_own = clause == trial->clause, holds = false;
  uint32_t n = is_own ? 1 : clause->args.count;
  for (uint32_t i = 0; i < n && !holds; i++) {
    sema_scope_push(cx, &cx->body->scope);
    tune_bind(cx, clause, is_own ? trial->value : clause->args.data[i]);
    holds = tune_may_hold(trial, first + 1);
    sema_scope_pop(cx, &cx->body->scope);
  }
  return holds;
}

// Warns of the values of a clause that each combination with others excludes.
static void tune_try(SemaContext *cx, const ClauseList *clauses,
                     const Clause *clause) {
  for (uint32_t i = 0; i < clause->args.count; i++)
    for (uint32_t k = 0; k < clause->conditions.count; k++) {
      Trial trial = {
          cx, clauses, clause, clause->args.data[i], clause->conditions.data[k],
          0};
      if (!tune_may_hold(&trial, 0))
        SEMA_ERROR(cx, trial.value->span, tile_tune_idle,
                   DS(sema_source_text(cx, trial.value->span)),
                   DS(sema_source_text(cx, trial.condition->span)));
    }
}

// A condition may be about names of other clauses, too.
static bool tune_is_sound(SemaContext *cx, const Decl *kernel,
                          const Clause *clause) {
  if (!tune_names(cx, kernel, clause))
    return false;
  for (uint32_t i = 0; i < clause->args.count; i++)
    if (!tune_value(cx, clause->args.data[i], clause->names.count))
      return false;
  for (uint32_t i = 0; i < clause->conditions.count; i++)
    if (expr_is_poison(tune_condition(cx, clause->conditions.data[i])))
      return false;
  return true;
}

void tile_check_tune(SemaContext *cx, const Decl *kernel,
                     const Clause *clause) {
  const ClauseList *clauses = &kernel->u.function.clauses;
  bool is_sound = true;
  for (uint32_t i = 0; i < clauses->count; i++)
    if (clauses->data[i].kind == CLAUSE_TUNE) {
      if (&clauses->data[i] < clause)
        return; // was done with the first one
      is_sound &= tune_is_sound(cx, kernel, &clauses->data[i]);
    }
  for (uint32_t i = 0; is_sound && i < clauses->count; i++)
    if (clauses->data[i].kind == CLAUSE_TUNE)
      tune_try(cx, clauses, &clauses->data[i]);
}
