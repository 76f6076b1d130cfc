// SPDX-License-Identifier: Apache-2.0
// Clauses of kernels.
#include "sema/kernel.h"

#include "sema/tile.h"

#include "sema/type/constants.h"

enum { MAX_THREADS = 1024, WARP = 32, MAX_CLUSTER = 16 };

static const char *const clause_words[] = {
#define AST_CLAUSE(kind, spelling, where) [CLAUSE_##kind] = spelling,
#include "syntax/ast.def"
};

static const char *clause_word(ClauseKind kind) {
  return clause_words[kind];
}

bool has_clause(const Decl *decl, ClauseKind kind) {
  return function_clause(decl, kind) != NULL;
}

static bool has_count(SemaContext *cx, const Clause *clause, uint32_t least,
                      uint32_t most, const char *expected) {
  uint32_t given = clause->args.count;
  if (given >= least && given <= most)
    return true;
  SEMA_ERROR(cx, clause->span, clause_arguments, DS(clause_word(clause->kind)),
             DS(expected), DU(given));
  return false;
}

static bool refuse_value(SemaContext *cx, Span span, const char *what,
                         int64_t value, const char *needed) {
  SEMA_ERROR(cx, span, clause_value, DS(what), DD(value), DS(needed));
  return false;
}

static bool positive_const(SemaContext *cx, const Expr *expr, const char *what,
                           int64_t *out) {
  if (!check_const_int(cx, expr, what, out))
    return false;
  if (*out > 0)
    return true;
  return refuse_value(cx, expr->span, what, *out, "it must be positive");
}

// --- threads and warps ---

static int64_t dimensions_product(const int64_t *dims) {
  int64_t product = 1;
  for (int i = 0; i < 3; i++)
    if (__builtin_mul_overflow(product, dims[i], &product))
      return INT64_MAX;
  return product;
}

static bool within_limit(SemaContext *cx, const Clause *clause,
                         const int64_t *dims) {
  int64_t threads = dimensions_product(dims);
  if (threads <= MAX_THREADS)
    return true;
  SEMA_ERROR(cx, clause->span, too_many_threads, DD(threads));
  return false;
}

static void kernel_clauses_check_threads(KernelCheck *check,
                                         const Clause *clause) {
  SemaContext *cx = check->cx;
  int64_t dims[3] = {1, 1, 1};
  if (!has_count(cx, clause, 1, 3, "1 to 3 arguments"))
    return;
  bool is_valid = true;
  for (uint32_t i = 0; i < clause->args.count; i++)
    is_valid &= positive_const(cx, clause->args.data[i],
                               "the number of threads", &dims[i]);
  if (!is_valid || !within_limit(cx, clause, dims))
    return;
  for (int i = 0; i < 3; i++)
    check->kernel->block[i] = dims[i];
}

static void check_warps(KernelCheck *check, const Clause *clause) {
  SemaContext *cx = check->cx;
  int64_t warps;
  if (!has_count(cx, clause, 1, 1, "1 argument") ||
      !positive_const(cx, clause->args.data[0], "the number of warps", &warps))
    return;
  int64_t threads;
  if (__builtin_mul_overflow(warps, WARP, &threads))
    threads = INT64_MAX;
  int64_t dims[3] = {threads, 1, 1};
  if (!within_limit(cx, clause, dims))
    return;
  for (int i = 0; i < 3; i++)
    check->kernel->block[i] = dims[i];
  check->kernel->is_warps = true;
}

// --- grid ---

static void kernel_clauses_check_grid(KernelCheck *check,
                                      const Clause *clause) {
  SemaContext *cx = check->cx;
  if (!has_count(cx, clause, 1, 3, "1 to 3 arguments"))
    return;
  check->kernel->n_grid = clause->args.count;
  for (uint32_t i = 0; i < clause->args.count; i++) {
    const Expr *expr = clause->args.data[i];
    TExpr *blocks = check_host_long(cx, expr, "the grid");
    if (expr_is_poison(blocks))
      continue;
    check->kernel->grid[i] = blocks;
    int64_t value = expr_is_const(blocks) ? blocks->u.value.i : 0;
    if (value < 0)
      refuse_value(cx, expr->span, "the number of blocks", value,
                   "it can't be negative");
    else if (value > INT32_MAX)
      refuse_value(cx, expr->span, "the number of blocks", value,
                   "the limit is 2147483647");
  }
}

// --- cluster ---

static void check_cluster(KernelCheck *check, const Clause *clause) {
  SemaContext *cx = check->cx;
  int64_t dims[3] = {1, 1, 1};
  if (!has_count(cx, clause, 1, 3, "1 to 3 arguments"))
    return;
  bool is_valid = true;
  for (uint32_t i = 0; i < clause->args.count; i++)
    is_valid &= positive_const(cx, clause->args.data[i],
                               "the number of blocks of a cluster", &dims[i]);
  if (!is_valid)
    return;
  int64_t blocks = dimensions_product(dims);
  if (blocks > MAX_CLUSTER) {
    refuse_value(cx, clause->span, "the number of blocks of a cluster", blocks,
                 "the limit is 16");
    return;
  }
  for (int i = 0; i < 3; i++)
    check->kernel->cluster[i] = dims[i];
}

// A constant grid is known to be whole clusters, or not.
static void check_whole_clusters(KernelCheck *check, const Clause *grid) {
  const TKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < 3; i++) {
    bool is_given = i < grid->args.count && i < kernel->n_grid;
    const TExpr *blocks = is_given ? kernel->grid[i] : NULL;
    if (is_given && (!blocks || !expr_is_const(blocks)))
      continue;
    int64_t count = is_given ? blocks->u.value.i : 1;
    if (kernel->cluster[i] == 0 || count % kernel->cluster[i] == 0)
      continue;
    refuse_value(check->cx, is_given ? grid->args.data[i]->span : grid->span,
                 sema_format(check->cx, "dimension %u of the grid", i), count,
                 sema_format(check->cx,
                             "it must be a multiple of the cluster's %lld",
                             (long long)kernel->cluster[i]));
  }
}

static void refuse_twice(SemaContext *cx, const Decl *decl) {
  const ClauseList *clauses = &decl->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++) {
    ClauseKind kind = clauses->data[i].kind;
    if (kind == CLAUSE_REQUIRES || kind == CLAUSE_MAY_ALIAS ||
        kind == CLAUSE_TUNE)
      continue;
    for (uint32_t k = 0; k < i; k++)
      if (clauses->data[k].kind == kind) {
        Diag *diag = SEMA_ERROR(cx, clauses->data[i].span, clause_twice,
                                DS(clause_word(kind)));
        diag_label(cx->diags, diag, sema_place(cx, clauses->data[k].span),
                   "first here");
        break;
      }
  }
}

void check_launch_clauses(KernelCheck *check) {
  SemaContext *cx = check->cx;
  refuse_twice(cx, check->decl);
  const Clause *threads = function_clause(check->decl, CLAUSE_THREADS);
  const Clause *warps = function_clause(check->decl, CLAUSE_WARPS);
  const Clause *grid = function_clause(check->decl, CLAUSE_GRID);
  if (threads && warps)
    SEMA_ERROR(cx, warps->span, clause_conflict, DS("threads"), DS("warps"));
  else if (threads)
    kernel_clauses_check_threads(check, threads);
  else if (warps)
    check_warps(check, warps);
  if (grid)
    kernel_clauses_check_grid(check, grid);
  const Clause *cluster = function_clause(check->decl, CLAUSE_CLUSTER);
  if (cluster)
    check_cluster(check, cluster);
  if (cluster && grid)
    check_whole_clusters(check, grid);
}

// --- requires ---

static bool has_predicate(const TExpr *expr) {
  if (expr->kind == TEXPR_UNARY)
    return has_predicate(expr->u.unary.operand);
  if (expr->kind == TEXPR_CONVERT)
    return has_predicate(expr->u.operand);
  if (expr->kind == TEXPR_OR || expr->kind == TEXPR_AND)
    return has_predicate(expr->u.binary.left) ||
           has_predicate(expr->u.binary.right);
  return expr->kind == TEXPR_BUILTIN && expr->u.builtin.id >= BI_INJECTIVE &&
         expr->u.builtin.id <= BI_ALIGNED;
}

// Parts joined by && are separate requirements, so that a message names the
// part that is false.
static void add_require(KernelCheck *check, const Expr *expr, bool is_made) {
  SemaContext *cx = check->cx;
  if (expr->kind == EXPR_BINARY && expr->u.binary.op == BINARY_LOG_AND) {
    add_require(check, expr->u.binary.left, is_made);
    add_require(check, expr->u.binary.right, is_made);
    return;
  }
  TExpr *condition = check_condition(cx, expr);
  if (expr_is_poison(condition))
    return;
  bool is_content = !condition->is_host && has_predicate(condition) &&
                    condition->kind == TEXPR_BUILTIN;
  if (!condition->is_host && !is_content) {
    SEMA_ERROR(cx, expr->span, host_expression, DS("'requires'"));
    return;
  }
  // What isn't in the file has the kernel's name as its place.
  Span name = check->decl->name_span;
  TRequire require = {.condition = condition,
                      .is_host = condition->is_host,
                      .text = sema_source_text(cx, expr->span),
                      .span = expr->span,
                      .is_given = is_made || (expr->span.begin == name.begin &&
                                              expr->span.end == name.end)};
  VEC_PUSH(cx->arena, &check->requires, require);
}

static void check_requires(KernelCheck *check, const Clause *clause) {
  SemaContext *cx = check->cx;
  if (!has_count(cx, clause, 1, UINT32_MAX, "at least 1 argument"))
    return;
  cx->in_requires = cx->in_clause = true;
  for (uint32_t i = 0; i < clause->args.count; i++)
    add_require(check, clause->args.data[i], clause->is_made);
  cx->in_requires = cx->in_clause = false;
}

TStmt *check_requirement_stmt(SemaContext *cx, const Expr *expr) {
  TExpr *condition = check_condition(cx, expr);
  TStmt *stmt = build_stmt(cx, TSTMT_EXPR, expr->span);
  stmt->u.expr = build_call_builtin(cx, BI_ASSERT, sema_basic(cx, TY_VOID),
                                    &condition, 1, expr->span);
  stmt->u.expr->u.builtin.text = sema_source_text(cx, expr->span);
  return stmt;
}

// --- may_alias and the rest ---

static TVar *aliased_array(SemaContext *cx, const Expr *expr) {
  Symbol *symbol =
      expr->kind == EXPR_NAME ? sema_scope_find(cx, expr->u.name) : NULL;
  if (expr->kind == EXPR_NAME && !symbol) {
    sema_scope_undeclared(cx, expr->span, expr->u.name);
    return NULL;
  }
  if (symbol && symbol->kind == SYMBOL_POISON)
    return NULL;
  TVar *var = symbol && symbol->kind == SYMBOL_VAR ? symbol->var : NULL;
  if (var && (var->kind == TVAR_PARAM_ARRAY || var->kind == TVAR_PARAM_PTR))
    return var;
  if (expr->kind != EXPR_POISON)
    SEMA_ERROR(cx, expr->span, clause_array, DS("may_alias"));
  return NULL;
}

static void check_may_alias(KernelCheck *check, const Clause *clause) {
  SemaContext *cx = check->cx;
  if (!has_count(cx, clause, 2, UINT32_MAX, "at least 2 arguments"))
    return;
  uint32_t count = clause->args.count;
  TVar **arrays = ARENA_ARRAY(cx->arena, TVar *, count);
  for (uint32_t i = 0; i < count; i++)
    arrays[i] = aliased_array(cx, clause->args.data[i]);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (arrays[i] && arrays[k]) {
        TMayAlias pair = {arrays[k], arrays[i]};
        VEC_PUSH(cx->arena, &check->aliases, pair);
      }
}

static void check_number(KernelCheck *check, const Clause *clause,
                         int64_t *out) {
  if (has_count(check->cx, clause, 1, 1, "1 argument"))
    positive_const(check->cx, clause->args.data[0],
                   sema_format(check->cx, "'%s'", clause_word(clause->kind)),
                   out);
}

static TExpr *check_work(SemaContext *cx, const Expr *expr) {
  if (!expr)
    return NULL;
  cx->in_clause = true;
  TExpr *value = check_value(cx, expr);
  cx->in_clause = false;
  if (expr_is_poison(value))
    return NULL;
  if (!value->is_host || !type_is_arithmetic(value->type)) {
    SEMA_ERROR(cx, expr->span, host_expression, DS("declared work"));
    return NULL;
  }
  return value;
}

static void check_clause(KernelCheck *check, const Clause *clause) {
  SemaContext *cx = check->cx;
  switch (clause->kind) {
  case CLAUSE_GRID:
  case CLAUSE_THREADS:
  case CLAUSE_WARPS:
  case CLAUSE_CLUSTER: return;
  case CLAUSE_REQUIRES: check_requires(check, clause); return;
  case CLAUSE_MAY_ALIAS: check_may_alias(check, clause); return;
  case CLAUSE_MIN_BLOCKS:
    check_number(check, clause, &check->kernel->min_blocks);
    return;
  case CLAUSE_MAX_REGISTERS:
    check_number(check, clause, &check->kernel->max_registers);
    return;
  case CLAUSE_TILE: tile_check_hints(cx, clause, check->kernel); return;
  case CLAUSE_TUNE: tile_check_tune(cx, check->decl, clause); return;
  case CLAUSE_HOST:
  case CLAUSE_READS:
  case CLAUSE_WRITES:
  case CLAUSE_SYNCS:
  case CLAUSE_CONSUMES:
  case CLAUSE_PRODUCES:
  case CLAUSE_PRESERVES:
  case CLAUSE_GROUP:
    SEMA_ERROR(cx, clause->span, misplaced, DS(clause_word(clause->kind)),
               DS("functions, loops and asm"));
    return;
  }
}

void check_other_clauses(KernelCheck *check) {
  const ClauseList *clauses = &check->decl->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++)
    check_clause(check, &clauses->data[i]);
  TKernel *kernel = check->kernel;
  kernel->requires = check->requires.data;
  kernel->n_requires = check->requires.count;
  kernel->aliases = check->aliases.data;
  kernel->n_aliases = check->aliases.count;
  kernel->flops = check_work(check->cx, check->decl->u.function.flops);
  kernel->bytes = check_work(check->cx, check->decl->u.function.bytes);
}
