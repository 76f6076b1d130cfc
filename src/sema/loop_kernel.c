// SPDX-License-Identifier: Apache-2.0
// Kernels whose body is one nest of `parallel for`.
//
// A flat nest runs each iteration on one thread. Any other nest has a grid: its
// leading loops are blocks, and what is inside them runs in a block whose size
// is the `threads` clause or else what the thread loops ask for, which a first
// pass over the body finds out.
#include "sema/thread_loop.h"
#include "sema/tile.h"

enum { MAX_GRID_LOOPS = 3, MAX_TILE_LOOPS = 256 };

// --- the shape of the nest ---

// The one statement that a body consists of, or NULL.
static const Stmt *only_statement(const Stmt *stmt) {
  while (stmt && stmt->kind == STMT_COMPOUND) {
    const Stmt *only = NULL;
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++) {
      const Stmt *item = stmt->u.compound.items.data[i];
      bool is_silent = item->kind == STMT_EMPTY || item->kind == STMT_PRAGMA;
      if (is_silent)
        continue;
      if (only)
        return NULL;
      only = item;
    }
    stmt = only;
  }
  return stmt;
}

const Stmt *find_nest(const Stmt *body) {
  const Stmt *only = only_statement(body);
  return only && only->kind == STMT_PARALLEL_FOR ? only : NULL;
}

bool is_flat_nest(SemaContext *cx, const Stmt *nest) {
  for (;;) {
    if (nest->u.loop.is_block)
      return false;
    const Stmt *inner = find_nest(nest->u.loop.body);
    if (!inner)
      return !uses_threads(cx, nest->u.loop.body);
    nest = inner;
  }
}

// --- flat nests ---

// A loop whose bounds only the thread knows runs on that thread.
static TStmt *build_serial_loop(SemaContext *cx, const LoopHeader *header,
                                TStmt *body) {
  Span span = header->stmt->span;
  TVar *var = header->var;
  TStmt *loop = build_stmt(cx, TSTMT_LOOP, span);
  loop->u.loop.init = build_stmt(cx, TSTMT_DECL, span);
  loop->u.loop.init->u.decl.var = var;
  loop->u.loop.init->u.decl.init = header->lo;
  TExpr *value = build_load(cx, build_var(cx, var, span));
  loop->u.loop.condition =
      build_binary(cx, TOP_LT, "<", value, header->hi, span);
  TExpr *step = build_expr(cx, TEXPR_ASSIGN_OP, var->type, span);
  step->u.assign.op = TOP_ADD;
  step->u.assign.place = build_var(cx, var, span);
  step->u.assign.right = build_int(cx, var->type, header->step, span);
  step->u.assign.compute_type = var->type;
  loop->u.loop.step = step;
  loop->u.loop.body = body;
  loop->u.loop.unroll = check_unroll(cx, &header->stmt->u.loop.unroll);
  return loop;
}

static bool is_host_bound(SemaContext *cx, const TExpr *bound) {
  if (bound->is_host)
    return true;
  SEMA_ERROR(cx, bound->span, grid_loop,
             DS("needs bounds over constants and parameters of the kernel"));
  return false;
}

static bool has_host_bounds(SemaContext *cx, const LoopHeader *header) {
  return is_host_bound(cx, header->lo) && is_host_bound(cx, header->hi);
}

static TStmt *check_flat_level(SemaContext *cx, const Stmt *loop,
                               bool is_outermost, bool is_parallel);

static TStmt *check_flat_body(SemaContext *cx, const LoopHeader *header,
                              const Stmt *body, bool is_parallel) {
  GroupState group = {.size = 1,
                      .max_size = 1,
                      .ref = TGROUP_THREAD,
                      .is_strided_thread = true};
  group.reason = "the kernel is a flat nest of parallel loops";
  const Stmt *inner = find_nest(body);
  if (!inner)
    return check_thread_body(cx, header, body, group);
  return check_flat_level(cx, inner, false, is_parallel);
}

static TStmt *check_flat_level(SemaContext *cx, const Stmt *loop,
                               bool is_outermost, bool is_parallel) {
  LoopHeader header;
  sema_scope_push(cx, &cx->body->scope);
  bool is_valid = check_loop_header(cx, loop, "parallel for", &header);
  if (is_valid && is_outermost)
    is_valid = has_host_bounds(cx, &header);
  is_parallel =
      is_parallel && is_valid && header.lo->is_host && header.hi->is_host;
  TStmt *result = NULL;
  if (is_valid) {
    result = build_thread_loop(cx, &header, TSTMT_PARALLEL_FOR);
    result->u.thread_loop.form = TLOOP_FLAT;
    check_claims(cx, loop, result);
  }
  TStmt *body = check_flat_body(cx, &header, loop->u.loop.body, is_parallel);
  sema_scope_pop(cx, &cx->body->scope);
  if (!is_valid)
    return NULL;
  result->u.thread_loop.body = body;
  if (!is_parallel) {
    TClaims claims = result->u.thread_loop.claims;
    result = build_serial_loop(cx, &header, body);
    result->u.loop.claims = claims;
  }
  return result;
}

TStmt *check_flat_nest(SemaContext *cx, const Stmt *nest) {
  return check_flat_level(cx, nest, true, true);
}

// --- the grid ---

// Over tiles, where a block is one thread, all loops of the nest.
static uint32_t count_grid_loops(const SemaContext *cx, const Stmt *nest) {
  uint32_t count = 0, most = is_tile_code(cx) ? MAX_TILE_LOOPS : MAX_GRID_LOOPS;
  while (nest && !nest->u.loop.is_block && count < most) {
    count++;
    nest = find_nest(nest->u.loop.body);
  }
  return count;
}

// max(0, cdiv(hi - lo, step)), as a long.
static TExpr *count_blocks(SemaContext *cx, const LoopHeader *header) {
  const Type *type = sema_basic(cx, TY_LONG);
  Span span = header->stmt->u.loop.header;
  if (header->iterations >= 0)
    return build_int(cx, type, header->iterations, span);
  TExpr *lo = build_convert(cx, header->lo, type);
  TExpr *hi = build_convert(cx, header->hi, type);
  TExpr *args[2];
  args[0] = build_binary(cx, TOP_SUB, "-", hi, lo, span);
  args[1] = build_int(cx, type, header->step, span);
  args[0] = build_call_builtin(cx, BI_CDIV, type, args, 2, span);
  args[0]->is_host = true;
  args[1] = build_int(cx, type, 0, span);
  TExpr *count = build_call_builtin(cx, BI_MAX, type, args, 2, span);
  count->is_host = true;
  return count;
}

static TStmt *check_grid_level(SemaContext *cx, const Stmt *loop,
                               uint32_t n_left, TKernel *kernel) {
  LoopHeader header;
  sema_scope_push(cx, &cx->body->scope);
  bool is_valid = check_loop_header(cx, loop, "parallel for", &header) &&
                  has_host_bounds(cx, &header);
  TStmt *result = NULL;
  if (is_valid) {
    result = build_thread_loop(cx, &header, TSTMT_PARALLEL_FOR);
    result->u.thread_loop.form = TLOOP_GRID;
    uint32_t axis = n_left < MAX_GRID_LOOPS ? n_left - 1 : MAX_GRID_LOOPS - 1;
    result->u.thread_loop.grid_axis = axis;
    kernel->grid[axis] = count_blocks(cx, &header); // of several: see lower
    check_claims(cx, loop, result);
  }
  const Stmt *inner = loop->u.loop.body;
  TStmt *body;
  if (n_left > 1)
    body = check_grid_level(cx, find_nest(inner), n_left - 1, kernel);
  else
    body = check_thread_body(cx, &header, inner, cx->body->group);
  sema_scope_pop(cx, &cx->body->scope);
  if (!is_valid || !body)
    return NULL;
  result->u.thread_loop.body = body;
  return result;
}

TStmt *check_grid_nest(SemaContext *cx, const Stmt *nest, TKernel *kernel) {
  uint32_t count = count_grid_loops(cx, nest);
  if (count == 0) {
    SEMA_ERROR(cx, nest->keyword, grid_loop,
               DS("must enclose the first 'parallel(block) for'"));
    return NULL;
  }
  kernel->n_grid = count;
  return check_grid_level(cx, nest, count, kernel);
}

// --- the size of a block ---

void note_thread_trip(SemaContext *cx, const LoopHeader *header) {
  bool counts = cx->kernel && !cx->kernel->is_final && header->iterations > 0 &&
                cx->body->thread_product > 0;
  if (!counts)
    return;
  ThreadTrip trip = {cx->body->thread_product, header->stmt->u.loop.header};
  VEC_PUSH(cx->arena, &cx->kernel->trips, trip);
}

bool decide_block_size(SemaContext *cx, const Decl *kernel, int64_t *threads) {
  const ThreadTrip *trips = cx->kernel->trips.data;
  uint32_t count = cx->kernel->trips.count;
  int64_t largest = 0;
  for (uint32_t i = 0; i < count; i++)
    largest = trips[i].product > largest ? trips[i].product : largest;
  *threads = largest;
  if (largest == 0) {
    SEMA_ERROR(cx, kernel->name_span, kernel_shape, DS(kernel->name),
               DS("has no thread loop with a constant number of iterations: "
                  "state threads(…)"));
    return false;
  }
  for (uint32_t i = 0; i < count; i++)
    if (largest % trips[i].product != 0) {
      SEMA_ERROR(cx, trips[i].span, block_size, DD(trips[i].product),
                 DD(largest));
      return false;
    }
  return true;
}

bool sema_sizes_are_final(const SemaContext *cx) {
  return cx->kernel && cx->kernel->is_final;
}
