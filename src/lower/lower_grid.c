// SPDX-License-Identifier: Apache-2.0
// Kernels that are one nest of parallel loops.
//
// Note [Flat nests]. Every iteration is one thread's. The innermost loop that
// is spread runs along x, 256 threads a block; the next one is y; all others
// together are z. The iteration number is compared with the number of the last
// one, so nothing can overflow in the last block. A nest without iterations
// has no blocks, hence the last number exists wherever code runs.
//
//   for i < n, for j < m      grid (cdiv(m, 256), n)
//   j = block.x*256 + rank    i = block.y       body if j <= m - 1
//
// An innermost loop of at most four turns stays in the thread (pixels with
// their channels: neighbouring lanes then have a stride of up to four). One
// that starts at a constant starts with its multiple of 32 before that, so that
// a warp's neighbours are those of a few cache lines and no more. One of fewer
// than 32 shares x with the loop around it, so that lanes aren't idle. Loops
// whose bounds depend on outer ones stay in the thread too.
#include "lower/lower_internal.h"

#include "base/bits.h"

enum {
  FLAT_THREADS = 256,
  MAX_SERIAL_TURNS = 4,
  MAX_FOLDED_TURNS = 31,
  MAX_LEVELS = 256,
  WARP_THREADS = 32,
};

typedef struct {
  const TStmt *stmt;
  IrHost *trips; // exact number of iterations
} Level;

typedef struct {
  Level levels[MAX_LEVELS]; // outermost first
  uint32_t n_levels;
  const TStmt *body; // of the innermost level that is spread
} Nest;

// ------------------------------------------------------------------- nests

static const TStmt *lone_loop(const TStmt *stmt) {
  while (stmt->kind == TSTMT_BLOCK && stmt->u.block.n_stmts == 1)
    stmt = stmt->u.block.stmts[0];
  return stmt->kind == TSTMT_PARALLEL_FOR ? stmt : NULL;
}

static bool lower_grid_has_host_bounds(const TStmt *loop) {
  return loop->u.thread_loop.lo->is_host && loop->u.thread_loop.hi->is_host;
}

static IrHost *lower_grid_trips_of(Lowering *lw, const TStmt *loop) {
  IrHost *zero = lower_host_const(lw, 0);
  IrHost *lo = lower_host(lw, loop->u.thread_loop.lo);
  IrHost *hi = lower_host(lw, loop->u.thread_loop.hi);
  IrHost *length = lower_host2(lw, HOST_SUB, hi, lo);
  if (loop->u.thread_loop.is_inclusive)
    length = lower_host2(lw, HOST_ADD, length, lower_host_const(lw, 1));
  length = lower_host2(lw, HOST_MAX, length, zero);
  return lower_host2(lw, HOST_CDIV, length,
                     lower_host_const(lw, loop->u.thread_loop.step));
}

static void find_levels(Lowering *lw, const TStmt *body, TLoopForm form,
                        uint32_t limit, Nest *nest) {
  nest->body = body;
  const TStmt *loop = lone_loop(body);
  while (loop && loop->u.thread_loop.form == form && nest->n_levels < limit &&
         (nest->n_levels == 0 || lower_grid_has_host_bounds(loop))) {
    nest->levels[nest->n_levels++] =
        (Level){loop, lower_grid_trips_of(lw, loop)};
    nest->body = loop->u.thread_loop.body;
    loop = lone_loop(nest->body);
  }
}

static bool constant_trips(const Level *level, int64_t *trips) {
  *trips = level->trips->number;
  return level->trips->op == HOST_CONST;
}

// ---------------------------------------------------------- iteration values

static bool starts_at_constant(const TStmt *loop) {
  const TExpr *lo = loop->u.thread_loop.lo;
  return lo->kind == TEXPR_CONST && lo->u.value.i >= 0;
}

// Numbers of iterations are i32 where the type of the variable bounds them.
static bool counts_in_i32(const TStmt *loop) {
  const Type *type = type_underlying(loop->u.thread_loop.var->type);
  bool is_small =
      type_bits(type) < 32 || (type_bits(type) == 32 && type_is_signed(type));
  return is_small && starts_at_constant(loop);
}

static IrNode *bound_i64(Lowering *lw, const TExpr *bound, const Type *type) {
  IrNode *node = lower_scalar(lw, bound);
  if (lower_type_is_signed(type) || ir_type_bits(node->type) == 64)
    return lower_to_i64(lw, node);
  return lower_emit1(lw, IR_ZEXT, ir_scalar(IR_TYPE_I64), node);
}

static IrNode *no_wrap(IrNode *node) {
  node->flags |= NODE_NO_SIGNED_WRAP | NODE_OWN;
  return node;
}

static IrNode *plus_times(Lowering *lw, IrNode *lo, IrNode *number,
                          int64_t step) {
  IrType type = lo->type;
  int64_t value;
  if (step != 1)
    number = no_wrap(lower_emit2(lw, IR_MUL, type, number,
                                 lower_const(lw, type, (uint64_t)step)));
  if (lower_is_const(lo, &value) && value == 0)
    return number;
  return no_wrap(lower_emit2(lw, IR_ADD, type, lo, number));
}

// Binds the loop's variable to its value in iteration `number` (i32 or i64).
static void bind_iteration(Lowering *lw, const TStmt *loop, IrNode *number) {
  const TVar *var = loop->u.thread_loop.var;
  const Type *type = type_underlying(var->type);
  int64_t step = loop->u.thread_loop.step;
  IrNode *value;
  if (counts_in_i32(loop) && number->type.kind == IR_TYPE_I32) {
    IrNode *lo = lower_i32(lw, loop->u.thread_loop.lo->u.value.i);
    value = plus_times(lw, lo, number, step);
  } else {
    IrNode *lo = bound_i64(lw, loop->u.thread_loop.lo, type);
    value = plus_times(lw, lo, lower_to_i64(lw, number), step);
  }
  lower_bind_node(lw, var, lower_narrow_exact(lw, value, type));
}

// The number of the last iteration; there is one.
static IrNode *last_number(Lowering *lw, const TStmt *loop) {
  const Type *type = type_underlying(loop->u.thread_loop.var->type);
  IrNode *hi = bound_i64(lw, loop->u.thread_loop.hi, type);
  IrNode *lo = bound_i64(lw, loop->u.thread_loop.lo, type);
  if (!loop->u.thread_loop.is_inclusive)
    hi = lower_add64(lw, hi, lower_i64(lw, -1));
  int64_t value, top;
  bool is_zero = lower_is_const(lo, &value) && value == 0;
  IrNode *distance = hi;
  if (!is_zero && lower_is_const(hi, &top) && lower_is_const(lo, &value))
    distance = lower_i64(lw, top - value);
  else if (!is_zero)
    distance = no_wrap(lower_emit2(lw, IR_SUB, hi->type, hi, lo));
  if (loop->u.thread_loop.step == 1)
    return distance;
  return lower_emit2(lw, IR_SDIV, hi->type, distance,
                     lower_i64(lw, loop->u.thread_loop.step));
}

static IrNode *trips_i64(Lowering *lw, const Level *level) {
  int64_t trips;
  if (constant_trips(level, &trips))
    return lower_i64(lw, trips);
  return lower_add64(lw, last_number(lw, level->stmt), lower_i64(lw, 1));
}

static IrNode *block_index(Lowering *lw, uint32_t dim) {
  return lower_index_op(lw, IR_BLOCK_INDEX, ir_scalar(IR_TYPE_I32), dim, NULL);
}

// ------------------------------------------------------------------- flat

// Which levels run where, counted from the outermost.
typedef struct {
  uint32_t n_spread;  // levels [0, n_spread); the rest stays in the thread
  uint32_t n_along_x; // the innermost one or two of those
  uint32_t threads;   // of a block
  int64_t lead;       // threads along x before the first iteration
} FlatPlan;

// Threads along x before the first iteration.
static int64_t lead_of(const Level *innermost) {
  const TStmt *loop = innermost->stmt;
  if (loop->u.thread_loop.step != 1 || loop->u.thread_loop.is_inclusive ||
      !counts_in_i32(loop) ||
      type_bits(type_underlying(loop->u.thread_loop.var->type)) != 32)
    return 0;
  return loop->u.thread_loop.lo->u.value.i % WARP_THREADS;
}

static uint32_t threads_for(const Level *innermost) {
  int64_t trips;
  if (!constant_trips(innermost, &trips) || trips >= FLAT_THREADS)
    return FLAT_THREADS;
  trips += lead_of(innermost);
  if (trips >= FLAT_THREADS)
    return FLAT_THREADS;
  return trips <= 32 ? 32 : (uint32_t)bits_align_up((uint64_t)trips, 32);
}

static FlatPlan plan_flat(const Nest *nest) {
  FlatPlan plan = {.n_spread = nest->n_levels, .n_along_x = 1};
  int64_t trips;
  while (plan.n_spread > 1 &&
         constant_trips(&nest->levels[plan.n_spread - 1], &trips) &&
         trips <= MAX_SERIAL_TURNS)
    plan.n_spread--;
  plan.threads = threads_for(&nest->levels[plan.n_spread - 1]);
  if (plan.n_spread > 1 &&
      constant_trips(&nest->levels[plan.n_spread - 1], &trips) && trips > 0 &&
      trips <= MAX_FOLDED_TURNS) {
    plan.n_along_x = 2;
    plan.threads = FLAT_THREADS;
  } else {
    plan.lead = lead_of(&nest->levels[plan.n_spread - 1]);
  }
  return plan;
}

// Of the outermost levels.
static IrHost *product_of_trips(Lowering *lw, const Nest *nest,
                                uint32_t n_levels) {
  IrHost *product = nest->levels[0].trips;
  for (uint32_t i = 1; i < n_levels; i++)
    product = lower_host2(lw, HOST_MUL, product, nest->levels[i].trips);
  return product;
}

static void set_flat_launch(Lowering *lw, const Nest *nest,
                            const FlatPlan *plan) {
  IrKernel *kernel = lw->kernel;
  uint32_t first_x = plan->n_spread - plan->n_along_x;
  IrHost *along_x = nest->levels[first_x].trips;
  for (uint32_t i = first_x + 1; i < plan->n_spread; i++)
    along_x = lower_host2(lw, HOST_MUL, along_x, nest->levels[i].trips);
  if (plan->lead > 0) { // unless there are no iterations
    IrHost *one = lower_host_const(lw, 1);
    IrHost *lead = lower_host2(lw, HOST_MUL, lower_host_const(lw, plan->lead),
                               lower_host2(lw, HOST_MIN, along_x, one));
    along_x = lower_host2(lw, HOST_ADD, along_x, lead);
  }
  kernel->block_dim[0] = (int32_t)plan->threads;
  kernel->grid[0] =
      lower_host2(lw, HOST_CDIV, along_x, lower_host_const(lw, plan->threads));
  kernel->n_grid = 1;
  if (first_x >= 1) {
    kernel->grid[1] = nest->levels[first_x - 1].trips;
    kernel->n_grid = 2;
  }
  if (first_x < 2)
    return;
  kernel->grid[2] = product_of_trips(lw, nest, first_x - 1);
  kernel->n_grid = 3;
}

// The iterations that share z, innermost of them fastest.
static void bind_along_z(Lowering *lw, const Nest *nest, uint32_t n_levels) {
  if (n_levels == 0)
    return;
  IrNode *rest = block_index(lw, 2);
  if (n_levels == 1) {
    bind_iteration(lw, nest->levels[0].stmt, rest);
    return;
  }
  IrType i64 = ir_scalar(IR_TYPE_I64);
  rest = lower_to_i64(lw, rest);
  for (uint32_t i = n_levels; i-- > 0;) {
    const Level *level = &nest->levels[i];
    if (i == 0) {
      bind_iteration(lw, level->stmt, rest);
      return;
    }
    IrNode *trips = trips_i64(lw, level);
    bind_iteration(lw, level->stmt, lower_emit2(lw, IR_UREM, i64, rest, trips));
    rest = lower_emit2(lw, IR_UDIV, i64, rest, trips);
  }
}

// The number of this thread along x.
static IrNode *thread_number(Lowering *lw, bool is_wide) {
  IrType type = ir_scalar(is_wide ? IR_TYPE_I64 : IR_TYPE_I32);
  IrNode *block = block_index(lw, 0);
  IrNode *rank = lower_rank(lw, lw->group);
  if (is_wide) {
    block = lower_to_i64(lw, block);
    rank = lower_to_i64(lw, rank);
  }
  IrNode *threads = lower_const(lw, type, (uint64_t)lw->kernel->block_dim[0]);
  IrNode *first = no_wrap(lower_emit2(lw, IR_MUL, type, block, threads));
  return no_wrap(lower_emit2(lw, IR_ADD, type, first, rank));
}

static IrNode *lower_grid_as_type(Lowering *lw, IrNode *node, IrType type) {
  int64_t value;
  if (node->type.kind == type.kind)
    return node;
  if (lower_is_const(node, &value))
    return lower_const(lw, type, (uint64_t)value);
  return lower_emit1(lw, IR_TRUNC, type, node);
}

// lo + number < hi, where there is an iteration and lo is not negative.
static IrNode *lower_grid_is_below(Lowering *lw, const TStmt *loop,
                                   IrNode *number) {
  IrNode *count = lower_scalar(lw, loop->u.thread_loop.hi);
  int64_t lo = loop->u.thread_loop.lo->u.value.i;
  if (lo != 0)
    count = no_wrap(lower_emit2(lw, IR_SUB, count->type, count,
                                lower_const(lw, count->type, (uint64_t)lo)));
  return lower_emit2(lw, IR_SLT, ir_scalar(IR_TYPE_BOOL), number, count);
}

static IrNode *is_iteration(Lowering *lw, const TStmt *loop, IrNode *number) {
  if (loop->u.thread_loop.step == 1 && !loop->u.thread_loop.is_inclusive &&
      counts_in_i32(loop) && number->type.kind == IR_TYPE_I32 &&
      type_bits(type_underlying(loop->u.thread_loop.var->type)) == 32)
    return lower_grid_is_below(lw, loop, number);
  IrNode *last = lower_grid_as_type(lw, last_number(lw, loop), number->type);
  return lower_emit2(lw, IR_SLE, ir_scalar(IR_TYPE_BOOL), number, last);
}

static void enter_if(Lowering *lw, IrNode *condition) {
  IrNode *branch = lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), condition);
  lower_enter(lw, branch, 0);
}

static void bind_one_along_x(Lowering *lw, const Level *level, int64_t lead) {
  IrNode *number = thread_number(lw, !counts_in_i32(level->stmt));
  if (lead == 0) {
    enter_if(lw, is_iteration(lw, level->stmt, number));
    bind_iteration(lw, level->stmt, number);
    return;
  }
  // The variable itself is what is compared: lo <= x, x < hi.
  const TStmt *loop = level->stmt;
  IrType truth = ir_scalar(IR_TYPE_BOOL);
  int64_t lo = loop->u.thread_loop.lo->u.value.i;
  IrNode *x = plus_times(lw, lower_i32(lw, lo - lead), number, 1);
  IrNode *after = lower_emit2(lw, IR_SLE, truth, lower_i32(lw, lo), x);
  IrNode *hi = lower_scalar(lw, loop->u.thread_loop.hi);
  IrNode *before = lower_emit2(lw, IR_SLT, truth, x, hi);
  enter_if(lw, lower_emit2(lw, IR_AND, truth, after, before));
  const TVar *var = loop->u.thread_loop.var;
  lower_bind_node(lw, var,
                  lower_narrow_exact(lw, x, type_underlying(var->type)));
}

// Two loops share x: a constant, short inner one and the one around it.
static void bind_two_along_x(Lowering *lw, const Level *outer,
                             const Level *inner) {
  IrType i64 = ir_scalar(IR_TYPE_I64);
  IrNode *number = thread_number(lw, true);
  IrNode *trips = trips_i64(lw, inner);
  IrNode *turn = lower_emit2(lw, IR_UDIV, i64, number, trips);
  enter_if(lw, is_iteration(lw, outer->stmt, turn));
  bind_iteration(lw, outer->stmt, turn);
  IrNode *rest = lower_emit2(lw, IR_UREM, i64, number, trips);
  if (counts_in_i32(inner->stmt))
    rest = lower_emit1(lw, IR_TRUNC, ir_scalar(IR_TYPE_I32), rest);
  bind_iteration(lw, inner->stmt, rest);
}

static void claim_levels(Lowering *lw, const Nest *nest, uint32_t n_levels) {
  for (uint32_t i = 0; i < n_levels; i++) {
    const TStmt *loop = nest->levels[i].stmt;
    lower_claims(lw, &loop->u.thread_loop.claims, true);
    VEC_PUSH(lw->scratch, &lw->nest, loop->u.thread_loop.var);
  }
}

static void lower_flat(Lowering *lw, Nest *nest) {
  FlatPlan plan = plan_flat(nest);
  set_flat_launch(lw, nest, &plan);
  IrGroup *block = lw->group;
  block->size = plan.threads;
  uint32_t first_x = plan.n_spread - plan.n_along_x;
  if (first_x >= 1)
    bind_iteration(lw, nest->levels[first_x - 1].stmt, block_index(lw, 1));
  bind_along_z(lw, nest, first_x >= 1 ? first_x - 1 : 0);
  IrRegion *before = lw->region;
  if (plan.n_along_x == 2)
    bind_two_along_x(lw, &nest->levels[first_x], &nest->levels[first_x + 1]);
  else
    bind_one_along_x(lw, &nest->levels[first_x], plan.lead);
  claim_levels(lw, nest, plan.n_spread);
  const TStmt *innermost = nest->levels[plan.n_spread - 1].stmt;
  lower_iteration_body(lw, innermost->u.thread_loop.body);
  lower_leave(lw, before);
}

// ------------------------------------------------------------------- grids

// Loops beyond three, which nests over tiles may have, share z.
static void lower_grid_nest(Lowering *lw, Nest *nest) {
  uint32_t n_levels = nest->n_levels;
  uint32_t n_along_z = n_levels > 2 ? n_levels - 2 : 0;
  lw->kernel->n_grid = (uint8_t)(n_along_z ? 3 : n_levels);
  for (uint32_t i = n_along_z; i < n_levels; i++)
    lw->kernel->grid[n_levels - 1 - i] = nest->levels[i].trips;
  if (n_along_z)
    lw->kernel->grid[2] = product_of_trips(lw, nest, n_along_z);
  bind_along_z(lw, nest, n_along_z);
  for (uint32_t i = n_along_z; i < n_levels; i++)
    bind_iteration(lw, nest->levels[i].stmt, block_index(lw, n_levels - 1 - i));
  claim_levels(lw, nest, n_levels);
  lower_iteration_body(lw, nest->body);
}

void lower_loop_kernel(Lowering *lw) {
  Nest *nest = ARENA_NEW(lw->scratch, Nest);
  const TKernel *tree = lw->tree;
  if (tree->form == TLAUNCH_FLAT) {
    find_levels(lw, tree->body, TLOOP_FLAT, MAX_LEVELS, nest);
    HD_ASSERT(nest->n_levels > 0);
    lower_flat(lw, nest);
  } else {
    find_levels(lw, tree->body, TLOOP_GRID, tree->n_grid, nest);
    HD_ASSERT(nest->n_levels == tree->n_grid);
    lower_grid_nest(lw, nest);
  }
}
