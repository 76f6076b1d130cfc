// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline of a block.
//
// Note [Pipelines of a block]
// Its shared state are two arrays of mbarriers, one element a stage: `full`
// counts the threads that produce, `free` those that consume. A pipeline is a
// struct of two counters of each thread, `head` of the stages that it has
// committed and `tail` of those that it has released; what its members do is
// said in include/heddle/cuda/cuda/pipeline. The barriers begin in their first
// phase and the counters at 0, so a state is used by one pipeline, once.
//
// The counts are part of the barriers' types. Where a thread's role is
// computed, how many produce follows from the form of the condition: a
// comparison of the thread's rank, of its quotient or remainder, with a
// constant.
#include "cuda/cu_function.h"
#include "cuda/cu_local.h"
#include "cuda/cu_names.h"
#include "cuda/cu_report.h"
#include "cuda/cu_tree.h"

#include <string.h>

struct CuPipeline {
  const CuName *state; // the variable in shared memory
  const Expr *made;    // what the pipeline was initialised with
  CuVariable *full, *free;
  int64_t stages;
};

static Expr *number(CuContext *cu, int64_t value, Span span) {
  return cu_int_expr(cu, cu_basic(&cu->types, CU_INT), value, span);
}

static Expr *block_size(CuContext *cu, Span span) {
  return cu_word_call(
      cu, "size", cu_word_call(cu, "this_block", NULL, NULL, span), NULL, span);
}

// ------------------------------------------------------------------- roles

// What a name of the function that never changes stands for, without casts.
static const Expr *meant(CuContext *cu, const Expr *expr) {
  for (int depth = 0; expr && depth < 16; depth++) {
    if (expr->kind == EXPR_CAST) {
      expr = expr->u.cast.operand;
      continue;
    }
    const CuName *name = cu_outermost_name(cu, expr);
    bool is_known = name && name->is_local && name->decl &&
                    name->decl->kind == DECL_VAR && name->decl->u.var.init;
    if (!is_known)
      break;
    cu_fix(cu, name, expr->span);
    expr = name->decl->u.var.init;
  }
  return expr;
}

static bool is_call_of(const Expr *expr, const char *word) {
  return expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
         strcmp(expr->u.call.callee->u.name, word) == 0;
}

static bool is_int(CuContext *cu, const Expr *expr, int64_t *value) {
  expr = meant(cu, expr);
  if (!expr || expr->kind != EXPR_INT)
    return false;
  *value = (int64_t)expr->u.int_lit.value;
  return true;
}

// A number of the thread: its rank, or its index along x, over `divisor`, or
// what is left of it by `modulus`.
typedef struct {
  bool is_x;
  int64_t divisor, modulus;
} Position;

static bool is_block(CuContext *cu, const Expr *expr) {
  expr = meant(cu, expr);
  return expr && is_call_of(expr, "this_block");
}

// meta_rank(g) of a tile of the block.
static bool tile_position(CuContext *cu, const Expr *expr, Position *out) {
  const Expr *tile = expr->u.call.args.count == 1
                         ? meant(cu, expr->u.call.args.data[0])
                         : NULL;
  return tile && is_call_of(tile, "whole_partition") &&
         tile->u.call.args.count == 2 &&
         is_block(cu, tile->u.call.args.data[0]) &&
         is_int(cu, tile->u.call.args.data[1], &out->divisor) &&
         out->divisor > 0;
}

// a / n, a % n, a >> n, a & (n - 1): what is taken of a.
static bool part_of(CuContext *cu, const Expr *expr, Position *out) {
  int64_t by;
  if (expr->kind != EXPR_BINARY || !is_int(cu, expr->u.binary.right, &by) ||
      by < 0 || by > INT32_MAX)
    return false;
  switch ((int)expr->u.binary.op) {
  case BINARY_DIV: out->divisor = by; return by > 0;
  case BINARY_REM: out->modulus = by; return by > 0;
  case BINARY_SHR: out->divisor = (int64_t)1 << (by & 31); return by < 31;
  case BINARY_BIT_AND: out->modulus = by + 1; return (by & (by + 1)) == 0;
  default: return false;
  }
}

static bool position_of(CuContext *cu, const Expr *expr, Position *out) {
  *out = (Position){.divisor = 1};
  expr = meant(cu, expr);
  if (!expr)
    return false;
  if (is_call_of(expr, "meta_rank"))
    return tile_position(cu, expr, out);
  if (is_call_of(expr, "rank"))
    return expr->u.call.args.count == 1 &&
           is_block(cu, expr->u.call.args.data[0]);
  if (expr->kind == EXPR_MEMBER) {
    out->is_x = true;
    return is_call_of(expr->u.member.base, "thread_index") &&
           strcmp(expr->u.member.name, "x") == 0;
  }
  Position inner;
  if (!part_of(cu, expr, out) ||
      !position_of(cu, expr->u.binary.left, &inner) || inner.divisor != 1 ||
      inner.modulus)
    return false;
  out->is_x = inner.is_x;
  return true;
}

static Expr *smaller(CuContext *cu, Expr *a, Expr *b, Span span) {
  Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, span);
  made->u.conditional.condition = cu_binary(
      cu, BINARY_LT, cu_clone(cu, a, span), cu_clone(cu, b, span), span);
  made->u.conditional.if_true = a;
  made->u.conditional.if_false = b;
  made->depth = (uint16_t)(a->depth + b->depth + 2);
  return made;
}

static Expr *extent(CuContext *cu, const Position *at, Span span) {
  if (!at->is_x)
    return block_size(cu, span);
  return cu_member(cu, cu_word_call(cu, "block_dim", NULL, NULL, span), "x",
                   span);
}

// How many of the positions are below `limit` (and a number more).
static Expr *below(CuContext *cu, const Position *at, const Expr *limit,
                   int64_t more, Span span) {
  int64_t value;
  Expr *bound;
  if (is_int(cu, limit, &value)) {
    if (value + more <= 0)
      return number(cu, 0, span);
    bound = number(cu, (value + more) * at->divisor, span);
  } else {
    bound = cu_binary(cu, BINARY_ADD, cu_clone(cu, limit, span),
                      number(cu, more, span), span);
    bound =
        cu_binary(cu, BINARY_MUL, bound, number(cu, at->divisor, span), span);
  }
  return smaller(cu, bound, extent(cu, at, span), span);
}

// … leave this rest.
static Expr *with_rest(CuContext *cu, const Position *at, int64_t rest,
                       Span span) {
  Expr *more = number(cu, at->modulus - 1 - rest, span);
  Expr *sum = cu_binary(cu, BINARY_ADD, extent(cu, at, span), more, span);
  return cu_binary(cu, BINARY_DIV, sum, number(cu, at->modulus, span), span);
}

static BinaryOp turned(BinaryOp op) {
  switch ((int)op) {
  case BINARY_LT: return BINARY_GT;
  case BINARY_GT: return BINARY_LT;
  case BINARY_LE: return BINARY_GE;
  case BINARY_GE: return BINARY_LE;
  default: return op;
  }
}

static Expr *others(CuContext *cu, const Position *at, Expr *count, Span span) {
  return cu_binary(cu, BINARY_SUB, extent(cu, at, span), count, span);
}

static Expr *count_compared(CuContext *cu, const Position *at, BinaryOp op,
                            const Expr *limit, Span span) {
  int64_t rest;
  if (at->modulus) {
    bool is_rest = (op == BINARY_EQ || op == BINARY_NE) &&
                   is_int(cu, limit, &rest) && rest >= 0 && rest < at->modulus;
    if (!is_rest)
      return NULL;
    Expr *count = with_rest(cu, at, rest, span);
    return op == BINARY_EQ ? count : others(cu, at, count, span);
  }
  switch ((int)op) {
  case BINARY_LT: return below(cu, at, limit, 0, span);
  case BINARY_LE: return below(cu, at, limit, 1, span);
  case BINARY_GE: return others(cu, at, below(cu, at, limit, 0, span), span);
  case BINARY_GT: return others(cu, at, below(cu, at, limit, 1, span), span);
  default: break;
  }
  if (op != BINARY_EQ && op != BINARY_NE)
    return NULL;
  Expr *count = cu_binary(cu, BINARY_SUB, below(cu, at, limit, 1, span),
                          below(cu, at, limit, 0, span), span);
  return op == BINARY_EQ ? count : others(cu, at, count, span);
}

// Positions along x are those of each row.
static Expr *in_all_rows(CuContext *cu, const Position *at, Expr *count,
                         Span span) {
  if (!count || !at->is_x)
    return count;
  Expr *rows = cu_binary(cu, BINARY_DIV, block_size(cu, span),
                         extent(cu, at, span), span);
  return cu_binary(cu, BINARY_MUL, count, rows, span);
}

static Expr *count_where(CuContext *cu, const Expr *condition, Span span);

static Expr *count_where_not(CuContext *cu, const Expr *condition, Span span) {
  Expr *count = count_where(cu, condition, span);
  return count ? cu_binary(cu, BINARY_SUB, block_size(cu, span), count, span)
               : NULL;
}

// For how many threads of the block the condition holds; NULL: not known.
static Expr *count_where(CuContext *cu, const Expr *condition, Span span) {
  const Expr *expr = meant(cu, condition);
  Position at, other;
  if (expr && expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_NOT)
    return count_where_not(cu, expr->u.unary.operand, span);
  if (position_of(cu, expr, &at))
    return in_all_rows(
        cu, &at, count_compared(cu, &at, BINARY_NE, number(cu, 0, span), span),
        span);
  if (!expr || expr->kind != EXPR_BINARY)
    return NULL;
  const Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  BinaryOp op = expr->u.binary.op;
  if (!position_of(cu, left, &at)) {
    const Expr *swapped = left;
    left = right;
    right = swapped;
    op = turned(op);
    if (!position_of(cu, left, &at))
      return NULL;
  }
  if (position_of(cu, right, &other))
    return NULL;
  return in_all_rows(cu, &at, count_compared(cu, &at, op, right, span), span);
}

// 1: producer, 0: consumer, -1: neither.
static int role_of(CuContext *cu, const Expr *expr) {
  int64_t value;
  if (is_int(cu, expr, &value))
    return value == 0;
  expr = meant(cu, expr);
  const CuName *name = expr ? cu_outermost_name(cu, expr) : NULL;
  const char *text = name ? name->wanted : "";
  return strstr(text, "producer") ? 1 : strstr(text, "consumer") ? 0 : -1;
}

static Expr *count_producers(CuContext *cu, const Expr *role, Span span) {
  const Expr *expr = meant(cu, role);
  if (!expr || expr->kind != EXPR_CONDITIONAL)
    return NULL;
  int first = role_of(cu, expr->u.conditional.if_true);
  int second = role_of(cu, expr->u.conditional.if_false);
  if (first < 0 || second < 0 || first == second)
    return NULL;
  Expr *count = count_where(cu, expr->u.conditional.condition, span);
  if (!count || first == 1)
    return count;
  return cu_binary(cu, BINARY_SUB, block_size(cu, span), count, span);
}

// ---------------------------------------------------------------- barriers

static CuVariable *new_barriers(CuContext *cu, const CuPipeline *pipeline,
                                const char *what, Expr *count, Span span) {
  const CuType *type =
      cu_array(&cu->types, cu_barrier_record(cu), pipeline->stages);
  const char *name = cu_format(cu, "%s_%s", pipeline->state->wanted, what);
  CuVariable *made =
      cu_new_shared(cu, intern_cstr(cu->names, name), type, span);
  cu_barrier_type(made->decl)->u.expr = count;
  return made;
}

static CuValue refuse(CuContext *cu, const char *what, const char *hint,
                      Span span) {
  cu_unsupported(cu, span, what, hint);
  return cu_poison(cu, span);
}

// The producers among the block's threads: all, a number, or by role.
static Expr *producers(CuContext *cu, CuValues args, bool *is_unified,
                       Span span) {
  *is_unified = args.count < 3;
  if (*is_unified)
    return block_size(cu, span);
  const CuValue *given = &args.data[2];
  const CuType *type = cu_plain(given->type);
  if (cu_is(type, CU_ENUM))
    return count_producers(cu, given->expr, span);
  return given->constant.kind == CU_CONST_INT
             ? number(cu, given->constant.i, span)
             : cu_clone(cu, given->expr, span);
}

static CuPipeline *find_state(const CuContext *cu, const CuName *state) {
  for (uint32_t i = 0; i < cu->pipelines.count; i++)
    if (cu->pipelines.data[i]->state == state)
      return cu->pipelines.data[i];
  return NULL;
}

static bool is_once(const CuContext *cu) {
  return cu->frame && !cu->frame->parent && cu->frame->n_loops == 0;
}

CuValue cu_make_pipeline(CuContext *cu, const CuFunction *function,
                         CuValues args, Span span) {
  CuValue state = args.data[1];
  const CuType *type = cu_plain(state.type);
  const CuName *name = state.expr ? cu_outermost_name(cu, state.expr) : NULL;
  if (!state.expr || type->kind != CU_POINTER)
    return cu_poison(cu, span);
  if (!name || !is_once(cu) || find_state(cu, name))
    return refuse(cu, "this way to make a pipeline of a block",
                  "call make_pipeline() in the kernel that declares the shared "
                  "state, once for each state, and not in a loop",
                  span);
  CuPipeline *made = ARENA_NEW(cu->arena, CuPipeline);
  made->state = name;
  made->stages = cu_plain(type->u.inner)->u.record->args[1].value.i;
  bool is_unified;
  Expr *n_producers = producers(cu, args, &is_unified, span);
  if (!n_producers || !cu_resolve_count(cu, &n_producers) || made->stages < 1)
    return refuse(cu, "a pipeline whose number of producers isn't known",
                  "let constants and a comparison of block.thread_rank() "
                  "decide who produces",
                  span);
  Expr *n_consumers = block_size(cu, span);
  if (!is_unified)
    n_consumers = cu_binary(cu, BINARY_SUB, n_consumers,
                            cu_clone(cu, n_producers, span), span);
  made->full = new_barriers(cu, made, "full", n_producers, span);
  made->free = new_barriers(cu, made, "free", n_consumers, span);
  CuValue value = cu_construct(cu, cu_plain(function->result),
                               (CuValues){NULL, 0}, false, span);
  made->made = value.expr;
  VEC_PUSH(cu->arena, &cu->pipelines, made);
  return value;
}

// ------------------------------------------------------------------- uses

static const CuPipeline *pipeline_of(const CuContext *cu, const Expr *expr) {
  const CuName *name = cu_outermost_name(cu, expr);
  const Expr *init = name && name->decl && name->decl->kind == DECL_VAR
                         ? name->decl->u.var.init
                         : NULL;
  for (uint32_t i = 0; init && i < cu->pipelines.count; i++)
    if (cu->pipelines.data[i]->made == init)
      return cu->pipelines.data[i];
  return cu->pipelines.count == 1 ? cu->pipelines.data[0] : NULL;
}

static const char *const words[] = {"__heddle_full", "__heddle_free",
                                    "__heddle_stages"};

bool cu_is_pipeline_word(const char *word) {
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(word, words[i]) == 0)
      return true;
  return false;
}

Expr *cu_pipeline_word(CuContext *cu, const char *word, const Expr *expr,
                       Span span) {
  const CuPipeline *pipeline = pipeline_of(cu, expr);
  if (!pipeline) {
    cu_unsupported(cu, span, "a pipeline that may be one of several",
                   "use each in the kernel that makes it");
    return cu_poison_expr(cu, span);
  }
  if (strcmp(word, "__heddle_stages") == 0)
    return number(cu, pipeline->stages, span);
  CuVariable *barriers =
      strcmp(word, "__heddle_full") == 0 ? pipeline->full : pipeline->free;
  CuVariable *here = cu_seen_from_here(cu, barriers, span);
  return here ? cu_variable_value(cu, here, span).expr
              : cu_poison_expr(cu, span);
}
