// SPDX-License-Identifier: Apache-2.0
// Checking a kernel: parameters, clauses, what kind of kernel it is, its body.
#include "sema/kernel.h"

#include "sema/thread_loop.h"
#include "sema/tile.h"

enum { MAX_PASSES = 8, MAX_THREADS = 1024 };

// --- what kind of kernel ---

// Without threads a block is one sequence of statements, with tiles or not. A
// nest of parallel loops without tiles is for threads.
static bool is_tile_body(SemaContext *cx, const Decl *decl, bool is_nest) {
  const Stmt *body = decl->u.function.body;
  return uses_tiles(cx, body) || (!is_nest && !uses_single_threads(cx, body));
}

static bool decide_form(KernelCheck *check, const Stmt **nest) {
  SemaContext *cx = check->cx;
  const Decl *decl = check->decl;
  bool has_threads =
      has_clause(decl, CLAUSE_THREADS) || has_clause(decl, CLAUSE_WARPS);
  *nest = NULL;
  if (!has_clause(decl, CLAUSE_GRID))
    *nest = find_nest(decl->u.function.body);
  bool is_tile = !has_threads && is_tile_body(cx, decl, *nest != NULL);
  check->kernel->is_tile = cx->kernel->is_tile = is_tile;
  if (*nest) {
    bool is_flat = !is_tile && is_flat_nest(cx, *nest);
    check->kernel->form = is_flat ? TLAUNCH_FLAT : TLAUNCH_GRID;
    return true;
  }
  check->kernel->form = TLAUNCH_THREADS;
  if (has_threads || is_tile)
    return true;
  SEMA_ERROR(cx, decl->name_span, kernel_shape, DS(decl->name),
             DS("uses threads and doesn't say how many: state threads(n), or "
                "make the whole body one 'parallel for'"));
  return false;
}

static void kernel_check_tables(const KernelCheck *check) {
  const TKernel *kernel = check->kernel;
  for (uint32_t i = 0; i < kernel->n_params; i++) {
    const TVar *param = kernel->params[i];
    if (!kernel->is_tile && param->is_table)
      SEMA_ERROR(check->cx, param->span, array_table, DS(param->name),
                 DS("tile kernels take those; pass one array with a dimension "
                    "more to kernels of threads"));
  }
}

// Clauses of tile kernels don't stand on others, nor the reverse.
static void check_clauses_of_form(KernelCheck *check) {
  SemaContext *cx = check->cx;
  const Clause *cluster = function_clause(check->decl, CLAUSE_CLUSTER);
  const Clause *hints = function_clause(check->decl, CLAUSE_TILE);
  if (check->kernel->is_tile && cluster)
    tile_check_threads(cx, cluster->span, "the clause 'cluster'");
  if (!check->kernel->is_tile && hints)
    tile_check_alone(cx, hints->span, "the clause 'tile'");
  kernel_check_tables(check);
}

// The number of threads as far as this pass knows it.
static void decide_threads(KernelCheck *check) {
  KernelState *state = check->cx->kernel;
  TKernel *kernel = check->kernel;
  if (kernel->is_tile)
    kernel->block[0] = kernel->block[1] = kernel->block[2] = 1;
  bool by_clause = kernel->block[0] > 0;
  bool by_loops =
      !by_clause && kernel->form == TLAUNCH_GRID && check->loop_threads > 0;
  if (by_loops) {
    kernel->block[0] = check->loop_threads;
    kernel->block[1] = kernel->block[2] = 1;
  }
  state->is_final = by_clause || by_loops || kernel->form == TLAUNCH_FLAT;
  state->block_size = kernel->block[0] * kernel->block[1] * kernel->block[2];
  check->cx->body->group = (GroupState){.size = state->block_size,
                                        .max_size = state->block_size,
                                        .ref = TGROUP_BLOCK};
}

// --- the body ---

static TStmt *check_nest(KernelCheck *check, const Stmt *nest) {
  SemaContext *cx = check->cx;
  TStmt *loop = check->kernel->form == TLAUNCH_FLAT
                    ? check_flat_nest(cx, nest)
                    : check_grid_nest(cx, nest, check->kernel);
  StmtBuilder items = {0};
  if (loop)
    VEC_PUSH(cx->arena, &items.list, loop);
  return build_block(cx, &items, check->decl->u.function.body->span);
}

static void check_result_type(KernelCheck *check) {
  SemaContext *cx = check->cx;
  QualType result =
      sema_resolve_type(cx, check->decl->type->u.function.result, NULL);
  bool is_void = result.type->kind == TY_VOID;
  if (!is_void && !type_is_poison(result.type))
    SEMA_ERROR(cx, check->decl->name_span, kernel_shape, DS(check->decl->name),
               DS("must return void: it writes to its arrays"));
  // A return with a value is then no second mistake.
  cx->body->result = sema_basic(cx, is_void ? TY_VOID : TY_POISON);
}

static void kernel_check_body(KernelCheck *check) {
  SemaContext *cx = check->cx;
  const Stmt *nest;
  if (!check->decl->u.function.body) {
    SEMA_ERROR(cx, check->decl->name_span, kernel_shape, DS(check->decl->name),
               DS("has no body"));
    return;
  }
  if (!decide_form(check, &nest))
    return;
  check_clauses_of_form(check);
  decide_threads(check);
  if (nest) {
    check->kernel->body = check_nest(check, nest);
  } else {
    StmtBuilder items = {0};
    check_items(cx, &check->decl->u.function.body->u.compound.items, &items);
    declare_temporaries(cx, 0, &items);
    check->kernel->body =
        build_block(cx, &items, check->decl->u.function.body->span);
  }
  check_labels(cx, cx->body);
}

// --- passes ---

static void begin_pass(KernelCheck *check, KernelState *state, int pass) {
  SemaContext *cx = check->cx;
  cx->epoch++;
  cx->has_depth_error = false;
  cx->unexplained = (Span){0, 0};
  cx->n_instances = 0;
  cx->n_exprs = 0;
  TKernel *kernel = ARENA_NEW(cx->arena, TKernel);
  kernel->name = check->decl->name;
  kernel->span = check->decl->span;
  *state = (KernelState){.kernel = kernel};
  cx->kernel = state;
  check->kernel = kernel;
  check->embedded.data = NULL;
  check->embedded.count = check->embedded.capacity = 0;
  check->requires.data = NULL;
  check->requires.count = check->requires.capacity = 0;
  check->aliases.data = NULL;
  check->aliases.count = check->aliases.capacity = 0;
  if (pass)
    body_restart(cx, cx->body);
}

// A loop kernel without a `threads` clause learns its block size in the first
// pass. True: go on with another one.
static bool learns_block_size(KernelCheck *check) {
  SemaContext *cx = check->cx;
  bool is_open = check->kernel->form == TLAUNCH_GRID && !cx->kernel->is_final &&
                 check->kernel->body;
  if (!is_open || check->is_open || has_clause(check->decl, CLAUSE_THREADS) ||
      has_clause(check->decl, CLAUSE_WARPS))
    return false;
  if (!decide_block_size(cx, check->decl, &check->loop_threads))
    return false;
  if (check->loop_threads <= MAX_THREADS)
    return true;
  SEMA_ERROR(cx, check->decl->name_span, too_many_threads,
             DD(check->loop_threads));
  return false;
}

static void run_pass(KernelCheck *check) {
  check_result_type(check);
  declare_kernel_params(check);
  check_launch_clauses(check);
  check_other_clauses(check);
  kernel_check_body(check);
}

static void kernel_finish(KernelCheck *check, const Body *body) {
  SemaContext *cx = check->cx;
  TKernel *kernel = check->kernel;
  kernel->globals = cx->kernel->global_list.data;
  kernel->n_globals = cx->kernel->global_list.count;
  kernel->vars = body->vars.data;
  kernel->n_vars = body->vars.count;
  kernel->fast_math =
      cx->unit->fast_math || cx->options.fast_math || body->fast_math;
}

TKernel *kernel_check(SemaContext *cx, const Decl *decl, uint32_t order,
                      const SpecValues *spec, bool is_partial) {
  KernelCheck check = {
      .cx = cx, .decl = decl, .spec = spec, .is_partial = is_partial};
  KernelState state;
  Body body = {0};
  uint32_t errors = cx->n_errors;
  cx->is_partial = false;
  body_begin(cx, &body, NULL, decl->name, decl->name_span);
  body.visible_order = order;
  check_given_names(decl, spec);
  for (int pass = 0; pass < MAX_PASSES; pass++) {
    begin_pass(&check, &state, pass);
    run_pass(&check);
    bool again = body_settle_pointers(cx, &body);
    if (!learns_block_size(&check) && !again)
      break;
  }
  kernel_finish(&check, &body);
  if (cx->n_errors == errors)
    tile_check_assigned(cx, check.kernel->body, body.vars.data,
                        body.vars.count);
  if (cx->n_errors == errors)
    sema_warn_values(cx, check.kernel->body, body.vars.data, body.vars.count);
  body_end(cx, &body);
  cx->kernel = NULL;
  bool is_whole = cx->n_errors == errors && !check.is_open;
  is_whole = is_whole && build_is_explained(cx);
  return is_whole ? check.kernel : NULL;
}
