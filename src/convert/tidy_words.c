// SPDX-License-Identifier: Apache-2.0
#include "convert/convert_tidy.h"

#include <string.h>

// A declaration hides the built-in.
static bool tidy_words_is_hidden(const Tidy *tidy, const char *name) {
  return map_has(&tidy->locals, MAP_KEY(name)) || tidy_is_declared(tidy, name);
}

static bool has_flat_block(const Tidy *tidy) {
  const ClauseList *clauses = &tidy->within->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++)
    if (clauses->data[i].kind == CLAUSE_THREADS)
      return clauses->data[i].args.count == 1;
  return tidy->is_flat;
}

// thread_index().x is rank() in blocks of one dimension.
static void make_rank(Tidy *tidy, Expr *expr) {
  const char *rank = intern_cstr(tidy->names, "rank");
  Expr *call = expr->u.member.base;
  if (strcmp(expr->u.member.name, "x") != 0 || !has_flat_block(tidy) ||
      tidy_words_is_hidden(tidy, rank))
    return;
  call->u.call.callee->u.name = rank;
  *expr = *call;
}

void tidy_word(Tidy *tidy, Expr *expr) {
  if (expr->kind == EXPR_MEMBER &&
      tidy_is_call_of(expr->u.member.base, "thread_index")) {
    make_rank(tidy, expr);
    return;
  }
  const char *callee = tidy_callee(expr);
  if (strncmp(callee, "whole_", strlen("whole_")) == 0)
    VEC_PUSH(tidy->arena, &tidy->wholes, expr);
  // The current group: no statement of the translation makes another.
  ExprList *args = expr->kind == EXPR_CALL ? &expr->u.call.args : NULL;
  if (strcmp(callee, "sync") == 0 && args->count == 1 &&
      tidy_is_call_of(args->data[0], "this_block"))
    args->count = 0;
}
