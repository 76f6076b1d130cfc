// SPDX-License-Identifier: Apache-2.0
// Inline assembly of the block's 16 barriers: bar and barrier.
//
// Note [Named barriers]
// `bar.sync ID, N` counts N threads, however they come. It is an mbarrier with
// that count for each ID, an array of them where ID isn't constant. For ID 0
// with all threads it is the block's barrier, which __syncthreads() uses: with
// fewer it is refused, since arrivals of both would be counted together. One
// barrier may have several counts at different times. They are mbarriers of
// their own, so nothing but the place tells that they are apart: the block must
// meet between them in the kernel's own body, and all threads must wait.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/translate/cu_asm_parts.h"

#include <string.h>

enum { N_BARRIERS = 16, WARP = 32 };

// One `bar` instruction.
typedef struct {
  CuContext *cu;
  const CuInstruction *instruction;
  Span span;
  bool waits;
  CuValue id;
  int64_t number; // -1: not constant
  Expr *count;    // NULL: none is written
  int64_t n_threads;
} Bar;

static void asm_named_refuse(const Bar *bar, const char *rule) {
  const char *shown = bar->number >= 0
                          ? cu_format(bar->cu, "%lld", (long long)bar->number)
                          : "?";
  CU_ERROR(bar->cu, bar->span, cuda_named_barrier, DS(bar->instruction->op),
           DS(shown), DS(rule));
}

// ---------------------------------------------------------------- counts

// In terms of numbers and the block's size; 0: it isn't constant.
static int64_t asm_named_number_of(const CuContext *cu, const Expr *expr) {
  while (expr->kind == EXPR_CAST)
    expr = expr->u.cast.operand;
  if (expr->kind == EXPR_INT)
    return (int64_t)expr->u.int_lit.value;
  if (expr->kind == EXPR_NAME) {
    const CuName *name = map_get(&cu->output.named, MAP_KEY(expr));
    for (int i = 0; i < 3; i++)
      if (name && name == cu->launch.block_dims[i])
        return cu->launch.block[i];
  }
  if (expr->kind != EXPR_BINARY)
    return 0;
  int64_t left = asm_named_number_of(cu, expr->u.binary.left);
  int64_t right = asm_named_number_of(cu, expr->u.binary.right);
  bool is_small = left > 0 && left < 65536 && right > 0 && right < 65536;
  if (is_small && expr->u.binary.op == BINARY_MUL)
    return left * right;
  if (is_small && expr->u.binary.op == BINARY_DIV)
    return left / right;
  return 0;
}

static Expr *whole_block(CuContext *cu, Span span) {
  Expr *product = NULL;
  for (int i = 0; i < 3; i++) {
    Expr *dim = cu_name_expr(cu, cu->launch.block_dims[i], span);
    product = product ? cu_binary(cu, BINARY_MUL, product, dim, span) : dim;
  }
  return product;
}

static bool read_count(Bar *bar) {
  CuContext *cu = bar->cu;
  CuValue count = cu_asm_number(cu, bar->instruction, 1);
  if (!count.expr)
    return false;
  bar->count = count.constant.kind == CU_CONST_INT
                   ? cu_int_literal(cu, count.constant.i, bar->span)
                   : cu_clone(cu, count.expr, bar->span);
  bool is_negative =
      count.constant.kind == CU_CONST_INT && count.constant.i < 0;
  if (!cu_resolve_count(cu, &bar->count)) {
    cu_unsupported(cu, bar->span, "a named barrier whose count isn't constant",
                   "give the number of threads as a constant");
    return false;
  }
  bar->n_threads = asm_named_number_of(cu, bar->count);
  bool is_zero = bar->count->kind == EXPR_INT && bar->n_threads == 0;
  if (!is_negative && !is_zero && bar->n_threads % WARP == 0)
    return true;
  asm_named_refuse(
      bar, "PTX counts whole warps: the number of threads is a multiple of "
           "32, above 0");
  return false;
}

static bool asm_named_read_number(Bar *bar) {
  bar->id = cu_asm_number(bar->cu, bar->instruction, 0);
  bar->number = -1;
  if (!bar->id.expr)
    return false;
  if (bar->id.constant.kind != CU_CONST_INT)
    return true;
  bar->number = bar->id.constant.i;
  if (bar->number >= 0 && bar->number < N_BARRIERS)
    return true;
  asm_named_refuse(bar, "a block has the barriers 0 to 15");
  return false;
}

// ---------------------------------------------------------------- barriers

static bool is_same_count(const Bar *bar, const CuNamedBarrier *known) {
  if (bar->n_threads && known->n_threads)
    return bar->n_threads == known->n_threads;
  return cu_same_expr(bar->cu, bar->count, known->count);
}

static bool is_word_call(const CuContext *cu, const Expr *expr,
                         const char *word) {
  return expr->kind == EXPR_CALL &&
         !map_get(&cu->output.named, MAP_KEY(expr->u.call.callee)) &&
         cu_is_call_of(expr, word);
}

static bool is_block_sync(const CuContext *cu, const Stmt *stmt) {
  return stmt->kind == STMT_EXPR && stmt->u.expr &&
         is_word_call(cu, stmt->u.expr, "sync") &&
         stmt->u.expr->u.call.args.count == 1 &&
         is_word_call(cu, stmt->u.expr->u.call.args.data[0], "this_block");
}

// The whole block has met in the kernel's body since the barrier was used.
static bool has_met_since(const CuContext *cu, const CuNamedBarrier *known) {
  bool has_met = false;
  for (uint32_t i = 0; i < cu->body->count; i++) {
    const Stmt *stmt = cu->body->data[i];
    if (stmt->kind == STMT_LABEL)
      return false;
    has_met |= i >= known->last_use && is_block_sync(cu, stmt);
  }
  return has_met;
}

static bool is_in_body(const CuContext *cu) {
  return cu->frame == cu_root_frame((CuContext *)(uintptr_t)cu);
}

// Another count, or a number that may be the same: they must be apart.
static bool is_told_apart(const Bar *bar, const CuNamedBarrier *known) {
  bool is_one = known->number >= 0 && bar->number >= 0;
  if (is_one && known->number != bar->number)
    return true;
  if (bar->waits && known->is_apart && is_in_body(bar->cu) &&
      has_met_since(bar->cu, known))
    return true;
  asm_named_refuse(
      bar, is_one ? "it is used with another number of threads, too: then all "
                    "threads must wait there, and the block must sync in the "
                    "body of the kernel between the two"
                  : "it is used with constant numbers and others, or "
                    "with several counts: give each barrier a constant number");
  return false;
}

// A number that isn't constant is not 0 where the block's barrier is told by
// its count: index -1 is out of bounds.
static bool is_from_1(const Bar *bar) {
  return bar->number < 0 && bar->n_threads != bar->cu->launch.n_threads;
}

static CuVariable *new_barrier(const Bar *bar, bool is_first) {
  CuContext *cu = bar->cu;
  const CuType *type = cu_barrier_record(cu);
  if (bar->number < 0)
    type = cu_array(&cu->types, type, N_BARRIERS - is_from_1(bar));
  const char *name =
      is_from_1(bar)    ? "barriers_1_to_15"
      : bar->number < 0 ? "barriers"
      : is_first        ? cu_format(cu, "barrier_%lld", (long long)bar->number)
                 : cu_format(cu, "barrier_%lld_%lld", (long long)bar->number,
                             (long long)bar->n_threads);
  CuVariable *made = cu_new_shared(cu, name, type, bar->span);
  cu_barrier_type(made->decl)->u.expr = bar->count;
  return made;
}

// NULL: refused.
static CuVariable *named_barrier(Bar *bar) {
  CuContext *cu = bar->cu;
  CuNamedBarrier *same = NULL;
  bool is_first = true;
  for (uint32_t i = 0; i < cu->barriers.named.count; i++) {
    CuNamedBarrier *known = &cu->barriers.named.data[i];
    is_first &= known->number != bar->number;
    if (known->number == bar->number && is_same_count(bar, known))
      same = known;
    else if (!is_told_apart(bar, known))
      return NULL;
  }
  if (!same) {
    CuNamedBarrier made = {.number = bar->number,
                           .count = bar->count,
                           .n_threads = bar->n_threads,
                           .barrier = new_barrier(bar, is_first),
                           .is_apart = true};
    VEC_PUSH(cu->arena, &cu->barriers.named, made);
    same = &cu->barriers.named.data[cu->barriers.named.count - 1];
  }
  same->is_apart &= bar->waits && is_in_body(cu);
  same->last_use = cu->body->count;
  return same->barrier;
}

static Expr *barrier_place(const Bar *bar, CuVariable *variable) {
  CuContext *cu = bar->cu;
  CuVariable *here = cu_seen_from_here(cu, variable, bar->span);
  if (!here)
    return NULL;
  Expr *name = cu_variable_value(cu, here, bar->span).expr;
  if (bar->number >= 0)
    return name;
  Expr *index = cu_clone(cu, bar->id.expr, bar->span);
  if (is_from_1(bar))
    index = cu_binary(cu, BINARY_SUB, index, cu_int_literal(cu, 1, bar->span),
                      bar->span);
  return cu_subscript(cu, name, index, false, bar->span);
}

static void asm_named_add_call(const Bar *bar, const char *word, Expr *arg) {
  Expr *call = cu_word_call(bar->cu, word, arg, NULL, bar->span);
  cu_add_stmt(bar->cu, cu_expr_stmt(bar->cu, call, bar->span));
}

// { token phase = arrive(b); wait(b, phase); }
static void arrive_and_wait(const Bar *bar, CuVariable *barrier) {
  CuContext *cu = bar->cu;
  Span span = bar->span;
  Expr *first = barrier_place(bar, barrier);
  Expr *second = barrier_place(bar, barrier);
  if (!first || !second)
    return;
  CuStmtVec items = {0};
  CuName *name = cu_new_name(cu, "phase", true);
  Decl *decl = cu_new_decl(cu, DECL_VAR, name, span, span);
  decl->type = cu_new_type_syntax(cu, TYPE_TOKEN, span);
  decl->u.var.init = cu_word_call(cu, "arrive", first, NULL, span);
  VEC_PUSH(cu->arena, &items, cu_decl_stmt(cu, decl));
  Expr *wait =
      cu_word_call(cu, "wait", second, cu_name_expr(cu, name, span), span);
  VEC_PUSH(cu->arena, &items, cu_expr_stmt(cu, wait, span));
  cu_add_stmt(cu, cu_block(cu, &items, span));
}

// Barrier 0: the one of __syncthreads().
static void block_barrier(const Bar *bar) {
  CuContext *cu = bar->cu;
  if (!bar->waits) {
    asm_named_refuse(bar, "__syncthreads() uses it: arrive on one of 1 to 15");
    return;
  }
  if (bar->count && bar->n_threads != cu->launch.n_threads) {
    asm_named_refuse(bar,
                     cu_format(cu,
                               "__syncthreads() uses it for all threads of the "
                               "block, %u here: use one of 1 to 15",
                               cu->launch.n_threads));
    return;
  }
  asm_named_add_call(bar, "sync",
                     cu_word_call(cu, "this_block", NULL, NULL, bar->span));
}

static void asm_named_translate(Bar *bar) {
  const CuInstruction *instruction = bar->instruction;
  if (instruction->n_operands == 0 || instruction->n_operands > 2) {
    cu_asm_refuse(bar->cu, instruction);
    return;
  }
  if (!asm_named_read_number(bar) ||
      (instruction->n_operands > 1 && !read_count(bar)))
    return;
  if (!bar->count && !bar->waits) {
    asm_named_refuse(bar, "an arrival needs the number of threads");
    return;
  }
  if (bar->number == 0) {
    block_barrier(bar);
    return;
  }
  if (!bar->count) {
    bar->count = whole_block(bar->cu, bar->span);
    bar->n_threads = bar->cu->launch.n_threads;
  }
  CuVariable *variable = named_barrier(bar);
  if (!variable)
    return;
  if (bar->waits) {
    arrive_and_wait(bar, variable);
    return;
  }
  Expr *place = barrier_place(bar, variable);
  if (place)
    asm_named_add_call(bar, "arrive", place);
}

bool cu_asm_named_barrier(CuContext *cu, const CuInstruction *instruction) {
  static const struct {
    const char *op;
    bool waits;
  } forms[] = {
      {"bar.sync", true},
      {"bar.cta.sync", true},
      {"barrier.sync", true},
      {"barrier.sync.aligned", true},
      {"barrier.cta.sync", true},
      {"barrier.cta.sync.aligned", true},
      {"bar.arrive", false},
      {"bar.cta.arrive", false},
      {"barrier.arrive", false},
      {"barrier.arrive.aligned", false},
      {"barrier.cta.arrive", false},
      {"barrier.cta.arrive.aligned", false},
  };

  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    if (strcmp(instruction->op, forms[i].op) != 0)
      continue;
    Bar bar = {.cu = cu,
               .instruction = instruction,
               .span = instruction->stmt->keyword,
               .waits = forms[i].waits};
    asm_named_translate(&bar);
    return true;
  }
  return false;
}
