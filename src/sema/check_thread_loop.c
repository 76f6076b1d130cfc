// SPDX-License-Identifier: Apache-2.0
// Headers of thread loops, and thread loops inside a block.
#include "sema/thread_loop.h"

#include "sema/instance.h"
#include "sema/type/constants.h"

static bool refuse_form(SemaContext *cx, const LoopHeader *header, Span span,
                        const char *problem) {
  SEMA_ERROR(cx, span, thread_loop_form, DS(header->word), DS(problem));
  return false;
}

// --- T i = lo ---

static const Decl *header_variable(const Stmt *init) {
  if (!init || init->kind != STMT_DECL || init->u.decls.count != 1)
    return NULL;
  const Decl *decl = init->u.decls.data[0];
  return decl->kind == DECL_VAR && decl->u.var.init ? decl : NULL;
}

static bool check_variable(SemaContext *cx, LoopHeader *header) {
  const Stmt *init = header->stmt->u.loop.init;
  const Decl *decl = header_variable(init);
  if (!decl)
    return refuse_form(cx, header,
                       init ? init->span : header->stmt->u.loop.header,
                       "it must declare its own variable");
  QualType type = sema_resolve_type(cx, decl->type, NULL);
  const Type *plain = type_underlying(type.type);
  bool is_valid = type_is_integer(plain) && plain->kind != TY_BOOL &&
                  type.space == TSPACE_UNKNOWN;
  if (!is_valid && !type_is_poison(plain))
    refuse_form(cx, header, decl->span, "the variable must be an integer");
  if (!is_valid)
    plain = sema_basic(cx, TY_INT);
  header->var =
      build_variable(cx, TVAR_INDUCTION, decl->name, plain, decl->name_span);
  header->var->loop_word = header->word;
  TExpr *lo = check_value(cx, decl->u.var.init);
  header->lo = convert_assign(cx, lo, plain, "start of the loop");
  Symbol *symbol =
      sema_scope_declare(cx, SYMBOL_VAR, decl->name, decl->name_span);
  if (symbol)
    symbol->var = header->var;
  return is_valid && !expr_is_poison(header->lo);
}

// --- i < hi ---

static bool is_variable(const LoopHeader *header, const Expr *expr) {
  return expr && expr->kind == EXPR_NAME && expr->u.name == header->var->name;
}

// The bound in the variable's type, where that keeps what `<` compares.
static bool convert_bound(SemaContext *cx, LoopHeader *header, TExpr *bound) {
  const Type *type = header->var->type;
  if (expr_is_poison(bound))
    return false;
  if (!type_is_integer(bound->type)) {
    refuse_form(cx, header, bound->span, "the bound must be an integer");
    return false;
  }
  bool is_exact = true;
  if (expr_is_const(bound))
    value_convert(type, bound->type, bound->u.value, &is_exact);
  else
    is_exact = convert_common_type(cx, type, bound->type) == type ||
               bound->type == type ||
               (bound->type->size_bytes < type->size_bytes &&
                (type_is_signed(type) || !type_is_signed(bound->type)));
  if (!is_exact) {
    const char *wide =
        sema_type_name(cx, convert_common_type(cx, type, bound->type));
    refuse_form(cx, header, bound->span,
                sema_format(cx,
                            "the bound is wider than '%s %s': declare it "
                            "'%s'",
                            sema_type_name(cx, type), header->var->name, wide));
    return false;
  }
  header->hi = build_convert(cx, bound, type);
  return true;
}

static bool check_bound(SemaContext *cx, LoopHeader *header) {
  const Expr *condition = header->stmt->u.loop.condition;
  bool is_less = condition && condition->kind == EXPR_BINARY &&
                 condition->u.binary.op == BINARY_LT &&
                 is_variable(header, condition->u.binary.left);
  if (!is_less)
    return refuse_form(
        cx, header, condition ? condition->span : header->stmt->u.loop.header,
        sema_format(cx, "the condition must be '%s < bound'",
                    header->var->name));
  header->var->is_read = false;
  TExpr *bound = check_value(cx, condition->u.binary.right);
  if (header->var->is_read)
    return refuse_form(cx, header, condition->u.binary.right->span,
                       "the bound can't depend on the loop's own variable");
  return convert_bound(cx, header, bound);
}

// --- i += step ---

static const Expr *step_amount(const LoopHeader *header, const Expr *step,
                               bool *is_one) {
  *is_one = false;
  if (!step)
    return NULL;
  if (step->kind == EXPR_UNARY && is_variable(header, step->u.unary.operand)) {
    *is_one =
        step->u.unary.op == UNARY_PRE_INC || step->u.unary.op == UNARY_POST_INC;
    return NULL;
  }
  if (step->kind != EXPR_ASSIGN || !is_variable(header, step->u.assign.left))
    return NULL;
  const Expr *right = step->u.assign.right;
  if (step->u.assign.is_compound)
    return step->u.assign.op == BINARY_ADD ? right : NULL;
  bool is_sum = right->kind == EXPR_BINARY &&
                right->u.binary.op == BINARY_ADD &&
                is_variable(header, right->u.binary.left);
  return is_sum ? right->u.binary.right : NULL;
}

static bool thread_loop_check_step(SemaContext *cx, LoopHeader *header) {
  const Expr *step = header->stmt->u.loop.step;
  bool is_one;
  const Expr *amount = step_amount(header, step, &is_one);
  header->step = 1;
  if (is_one)
    return true;
  if (!amount)
    return refuse_form(cx, header,
                       step ? step->span : header->stmt->u.loop.header,
                       sema_format(cx, "the step must be '%s += constant'",
                                   header->var->name));
  if (!check_const_int(cx, amount, "the step of a thread loop", &header->step))
    return false;
  if (header->step > 0)
    return true;
  return refuse_form(cx, header, amount->span,
                     sema_format(cx, "the step must be positive, not %lld",
                                 (long long)header->step));
}

// --- all of it ---

static int64_t thread_loop_count_iterations(const LoopHeader *header) {
  if (!expr_is_const(header->lo) || !expr_is_const(header->hi))
    return -1;
  int64_t lo = header->lo->u.value.i, hi = header->hi->u.value.i, distance;
  if (!type_is_signed(header->var->type) && (lo < 0 || hi < 0))
    return -1; // beyond 2^63
  if (hi <= lo)
    return 0;
  if (__builtin_sub_overflow(hi, lo, &distance))
    return -1;
  return (distance - 1) / header->step + 1;
}

bool check_loop_header(SemaContext *cx, const Stmt *stmt, const char *word,
                       LoopHeader *out) {
  *out = (LoopHeader){.word = word, .stmt = stmt, .iterations = -1};
  bool is_valid = check_variable(cx, out);
  if (!out->var)
    return false;
  is_valid &= check_bound(cx, out);
  is_valid &= thread_loop_check_step(cx, out);
  if (is_valid)
    out->iterations = thread_loop_count_iterations(out);
  return is_valid;
}

TStmt *build_thread_loop(SemaContext *cx, const LoopHeader *header,
                         TStmtKind kind) {
  TStmt *result = build_stmt(cx, kind, header->stmt->span);
  result->u.thread_loop.var = header->var;
  result->u.thread_loop.lo = header->lo;
  result->u.thread_loop.hi = header->hi;
  result->u.thread_loop.step = header->step;
  result->u.thread_loop.iterations = header->iterations;
  result->u.thread_loop.group_size = cx->body->group.size;
  result->u.thread_loop.unroll = check_unroll(cx, &header->stmt->u.loop.unroll);
  return result;
}

TStmt *check_thread_body(SemaContext *cx, const LoopHeader *header,
                         const Stmt *stmt, GroupState group) {
  Body *body = cx->body;
  Jump jump = {
      .outer = body->jump, .kind = JUMP_THREAD_LOOP, .construct = header->word};
  GroupState outer = body->group;
  body->jump = &jump;
  body->group = group;
  body->group.number = ++cx->n_groups;
  TStmt *result = check_block(cx, stmt);
  body->group = outer;
  body->jump = jump.outer;
  return result;
}

// --- loop clauses ---

static bool claim_kind(ClauseKind clause, TClaimKind *kind) {
  if (clause == CLAUSE_CONSUMES)
    *kind = TCLAIM_CONSUMES;
  else if (clause == CLAUSE_PRODUCES)
    *kind = TCLAIM_PRODUCES;
  else if (clause == CLAUSE_PRESERVES)
    *kind = TCLAIM_PRESERVES;
  else if (clause == CLAUSE_READS)
    *kind = TCLAIM_READS;
  else
    return false;
  return true;
}

// R, or uninit(R).
static const Expr *claimed_section(SemaContext *cx, const Expr *expr,
                                   bool *is_uninit) {
  static const char word[] = "uninit";
  *is_uninit = expr->kind == EXPR_CALL &&
               expr->u.call.callee->kind == EXPR_NAME &&
               expr->u.call.callee->u.name == intern_cstr(cx->names, word) &&
               expr->u.call.args.count == 1;
  return *is_uninit ? expr->u.call.args.data[0] : expr;
}

void check_claims(SemaContext *cx, const Stmt *stmt, TStmt *out) {
  hd_vec(TClaim) claims = {0};
  const ClauseList *clauses = &stmt->u.loop.clauses;
  for (uint32_t i = 0; i < clauses->count; i++) {
    TClaim claim = {0};
    if (!claim_kind(clauses->data[i].kind, &claim.kind))
      continue;
    for (uint32_t k = 0; k < clauses->data[i].args.count; k++) {
      const Expr *expr =
          claimed_section(cx, clauses->data[i].args.data[k], &claim.is_uninit);
      if (check_section(cx, expr, &claim.section))
        VEC_PUSH(cx->arena, &claims, claim);
    }
  }
  out->u.thread_loop.claims =
      (TClaims){out->u.thread_loop.var, claims.data, claims.count};
}

// --- inside a block ---

static const char *strided_reason(SemaContext *cx, const LoopHeader *header,
                                  int64_t threads) {
  if (header->iterations < 0) {
    const TExpr *open = expr_is_const(header->hi) ? header->lo : header->hi;
    return sema_format(cx, "its bound '%s' isn't constant",
                       sema_source_text(cx, open->span));
  }
  if (threads <= 0)
    return "the size of the current group isn't constant";
  return sema_format(cx,
                     "its %lld iterations are more than the %lld threads "
                     "of the current group",
                     (long long)header->iterations, (long long)threads);
}

// The form, and the group that runs one iteration. False (reported) when N
// doesn't divide M.
static bool choose_form(SemaContext *cx, const LoopHeader *header,
                        bool *is_split, GroupState *group) {
  int64_t threads = cx->body->group.size, count = header->iterations;
  *is_split = false;
  *group = (GroupState){.is_open = cx->body->group.is_open};
  if (threads == 0 && !sema_sizes_are_final(cx))
    return true; // not decided yet: say nothing about the body
  if (count == 0)
    return true;
  if (count > 0 && threads > 0 && count <= threads) {
    *is_split = true;
    group->size = group->max_size = threads / count;
    group->parts = count;
    if (threads % count == 0)
      return true;
    SEMA_VALUE_ERROR(cx, header->stmt->u.loop.header, thread_loop_divides,
                     DD(count), DD(threads));
    return cx->unevaluated > 0;
  }
  group->size = group->max_size = 1;
  group->is_strided_thread = true;
  group->ref = TGROUP_THREAD;
  group->reason = strided_reason(cx, header, threads);
  return true;
}

static int64_t multiply_product(int64_t product, int64_t iterations) {
  int64_t result;
  if (iterations <= 0 || product == 0)
    return product;
  return __builtin_mul_overflow(product, iterations, &result) ? INT64_MAX
                                                              : result;
}

static TStmt *check_in_block(SemaContext *cx, const Stmt *stmt,
                             const char *word, bool is_fork) {
  Body *body = cx->body;
  LoopHeader header;
  bool is_allowed =
      check_needs_group(cx, stmt->keyword, sema_format(cx, "'%s'", word));
  sema_scope_push(cx, &body->scope);
  bool is_valid = check_loop_header(cx, stmt, word, &header) && is_allowed;
  GroupState group = {0};
  bool is_split = false;
  TStmt *result = NULL;
  if (is_valid) {
    is_valid = choose_form(cx, &header, &is_split, &group);
    result = build_thread_loop(cx, &header,
                               is_fork ? TSTMT_PARALLEL_FOR : TSTMT_THREAD_FOR);
    TLoopForm split = is_fork ? TLOOP_FORK_SPLIT : TLOOP_SPLIT;
    TLoopForm strided = is_fork ? TLOOP_FORK_STRIDED : TLOOP_STRIDED;
    result->u.thread_loop.form = is_split ? split : strided;
    check_claims(cx, stmt, result);
  }
  int64_t product = body->thread_product;
  body->thread_product = multiply_product(product, header.iterations);
  if (is_valid)
    note_thread_trip(cx, &header);
  bool is_dead = header.iterations == 0;
  cx->unevaluated += is_dead;
  TStmt *inner = check_thread_body(cx, &header, stmt->u.loop.body, group);
  cx->unevaluated -= is_dead;
  body->thread_product = product;
  sema_scope_pop(cx, &body->scope);
  if (!is_valid || is_dead)
    return NULL;
  result->u.thread_loop.body = inner;
  return result;
}

TStmt *check_thread_for(SemaContext *cx, const Stmt *stmt) {
  return check_in_block(cx, stmt, "thread for", false);
}

TStmt *check_parallel_for(SemaContext *cx, const Stmt *stmt) {
  return check_in_block(cx, stmt, "parallel for", true);
}
