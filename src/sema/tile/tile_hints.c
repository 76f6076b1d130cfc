// SPDX-License-Identifier: Apache-2.0
// The clauses tile(…) and tune(…) of tile kernels.
#include "sema/tile.h"

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
    return refuse_hint(cx, hint->span, "needs a number in parentheses");
  if (!check_const_int(cx, argument, "a hint", &value))
    return false;
  if (value < 1 || value > MAX_HINT)
    return refuse_hint(cx, hint->span,
                       sema_format(cx, "is %lld: it must be 1 to %d",
                                   (long long)value, MAX_HINT));
  if (*out)
    return refuse_hint(cx, hint->span, "is given twice");
  *out = value;
  return true;
}

static bool hint_order(SemaContext *cx, const Expr *hint, const Expr *argument,
                       TTileHints *out) {
  const Expr *inner;
  const char *word = argument ? hint_word(argument, &inner) : NULL;
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
    return refuse_hint(cx, hint->span, "is no hint");
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
                     "is no hint: warps, stages, ctas, occupancy, consumers, "
                     "pingpong, persistent and order are");
}

void tile_check_hints(SemaContext *cx, const Clause *clause, TTileHints *out) {
  for (uint32_t i = 0; i < clause->args.count; i++)
    if (!hint_one(cx, clause->args.data[i], out))
      return;
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
                 DS("is no constexpr parameter of this kernel"));
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
               DS(sema_format(cx, "has %u values for %u names", list->count,
                              n_names)));
    return false;
  }
  for (uint32_t i = 0; i < list->count; i++)
    if (!check_const_int(cx, list->data[i], "a value to try", &number))
      return false;
  return true;
}

void tile_check_tune(SemaContext *cx, const Decl *kernel,
                     const Clause *clause) {
  if (!tune_names(cx, kernel, clause))
    return;
  for (uint32_t i = 0; i < clause->args.count; i++)
    if (!tune_value(cx, clause->args.data[i], clause->names.count))
      return;
  for (uint32_t i = 0; i < clause->conditions.count; i++) {
    TExpr *condition = check_condition(cx, clause->conditions.data[i]);
    if (!expr_is_poison(condition) && !expr_is_const(condition))
      SEMA_ERROR(cx, condition->span, not_constant,
                 DS("a condition of 'tune'"));
  }
}
