// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline of a block.
//
// Note [Pipelines of a block]
// Its shared state are two arrays of mbarriers, one element a stage: `full`
// counts the threads that produce, `free` those that consume. A pipeline is a
// struct of two counters of each thread, `head` of the stages that it has
// committed and `tail` of those that it has released; what its members do is
// said in include/heddle/cuda/cuda/pipeline. The barriers begin in their first
// phase and the counters at 0. So they aren't the program's shared state, which
// one pipeline after another may use: each place that makes a pipeline has its
// own, and so has each call of the function that it stands in. Where that is in
// a loop, a barrier in an odd phase is first brought into the next one.
//
// Which pipeline is used must be known where it is. A function that gets one is
// translated for each that it gets (cu_with_kept). Tiles that make one
// have each a column of the arrays.
#include "cuda/form/cu_pipeline.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_walk.h"

#include <string.h>

struct CuPipeline {
  const char *wish; // for names
  const Expr *made; // what the pipeline was initialised with
  CuVariable *full, *free;
  int64_t stages;
  int64_t tile;       // threads of the tile that has it; 0: the block
  CuVariable *column; // of the tile, or NULL
  bool is_guessed;    // a use took it for the only one
  bool is_repeated;   // the function that makes it is called again
};

typedef struct {
  CuWalk walk;
  CuContext *cu;
} StateWalk;

// ---------------------------------------------------------------- barriers

enum { MOST_THREADS = 1024 }; // of a block

static int64_t n_tiles(const CuContext *cu, const CuPipeline *pipeline) {
  int64_t threads = cu->launch.n_threads ? cu->launch.n_threads : MOST_THREADS;
  return (threads + pipeline->tile - 1) / pipeline->tile;
}

static CuVariable *new_barriers(CuContext *cu, CuPipeline *pipeline,
                                const char *what, Expr *count, Span span) {
  const CuType *type = cu_barrier_record(cu);
  if (pipeline->tile)
    type = cu_array(&cu->types, type, n_tiles(cu, pipeline));
  type = cu_array(&cu->types, type, pipeline->stages);
  const char *wish = cu_format(cu, "%s_%s", pipeline->wish, what);
  const char *name = cu_free_local_name(cu, wish);
  CuVariable *made = cu_new_shared(cu, name, type, span);
  map_put(cu->arena, &cu->prologue, MAP_KEY(name), made);
  cu_barrier_type(made->decl)->u.expr = count;
  made->pipeline = pipeline;
  if (cu_seen_from_here(cu, made, span))
    cu_note_made(cu, made);
  return made;
}

// The barrier of a stage as it is seen from here.
static Expr *stage_of(CuContext *cu, const CuPipeline *pipeline,
                      CuVariable *barriers, Expr *stage, Span span) {
  CuVariable *here = cu_seen_from_here(cu, barriers, span);
  CuVariable *column =
      pipeline->column ? cu_seen_from_here(cu, pipeline->column, span) : NULL;
  if (!here)
    return cu_poison_expr(cu, span);
  Expr *place = cu_subscript(cu, cu_variable_value(cu, here, span).expr, stage,
                             false, span);
  return column
             ? cu_subscript(cu, place, cu_variable_value(cu, column, span).expr,
                            true, span)
             : place;
}

static bool is_role(const CuValue *given) {
  return cu_is(cu_plain(given->type), CU_ENUM);
}

static CuValue pipeline_refuse(CuContext *cu, const char *what,
                               const char *hint, Span span) {
  cu_unsupported(cu, span, what, hint);
  return cu_poison(cu, span);
}

// All threads that the pipeline belongs to.
static Expr *group_size(CuContext *cu, const CuPipeline *pipeline, Span span) {
  return pipeline->tile ? cu_int_literal(cu, pipeline->tile, span)
                        : cu_block_size(cu, span);
}

// The producers among them: all, a number, or by role; NULL: only the threads
// know.
static Expr *producers(CuContext *cu, const CuPipeline *pipeline, CuValues args,
                       Span span) {
  if (args.count < 3)
    return group_size(cu, pipeline, span);
  const CuValue *given = &args.data[2];
  if (given->constant.kind == CU_CONST_INT && !is_role(given))
    return cu_int_literal(cu, given->constant.i, span);
  if (pipeline->tile)
    return NULL;
  uint32_t n_fixed = cu->barriers.fixed.count;
  Expr *count = is_role(given) ? cu_count_producers(cu, given->expr, span)
                               : cu_clone(cu, given->expr, span);
  if (count && cu_resolve_count(cu, &count))
    return count;
  cu->barriers.fixed.count = n_fixed; // nothing stands for a name after all
  return NULL;
}

// ------------------------------------------------------- roles of the threads

// Whether the thread produces. Of a number of producers, the first so many
// threads are taken for them: only the number matters.
static Expr *produces(CuContext *cu, CuValue group, CuValue given, Span span) {
  if (is_role(&given))
    return cu_binary(
        cu, BINARY_EQ,
        cu_cast(cu, cu_basic(&cu->types, CU_INT), given.expr, span),
        cu_int_literal(cu, 0, span), span);
  const CuType *type = cu_basic(&cu->types, CU_LONG);
  Expr *rank =
      cu_cast(cu, type, cu_word_call(cu, "rank", group.expr, NULL, span), span);
  return cu_binary(cu, BINARY_LT, rank, cu_cast(cu, type, given.expr, span),
                   span);
}

// The thread drops out of the barrier of each stage.
static Stmt *drop_out(CuContext *cu, const CuPipeline *pipeline,
                      CuVariable *barriers, Span span) {
  CuStmtVec items = {0};
  for (int64_t i = 0; i < pipeline->stages; i++) {
    Expr *place =
        stage_of(cu, pipeline, barriers, cu_int_literal(cu, i, span), span);
    Expr *call = cu_word_call(cu, "arrive_drop", place, NULL, span);
    VEC_PUSH(cu->arena, &items, cu_expr_stmt(cu, call, span));
  }
  return cu_block(cu, &items, span);
}

static void tell_roles(CuContext *cu, const CuPipeline *pipeline, CuValues args,
                       Span span) {
  Stmt *branch = cu_new_stmt(cu, STMT_IF, span, span);
  branch->u.if_stmt.condition = produces(cu, args.data[0], args.data[2], span);
  branch->u.if_stmt.then_stmt = drop_out(cu, pipeline, pipeline->free, span);
  branch->u.if_stmt.else_stmt = drop_out(cu, pipeline, pipeline->full, span);
  cu_add_stmt(cu, branch);
}

// ----------------------------------------------------------------- making one

// The threads of a tile; 0: of the block.
static int64_t tile_size(const CuValue *group) {
  const CuRecord *record = cu_plain(group->type)->u.record;
  return record->n_args ? record->args[0].value.i : 0;
}

// They are those of the block, whatever the tile is a part of.
static void set_column(CuContext *cu, CuPipeline *pipeline, Span span) {
  const CuType *type =
      cu_qualified(&cu->types, cu_basic(&cu->types, CU_INT), CX_QUAL_CONST);
  Expr *block = cu_word_call(cu, "this_block", NULL, NULL, span);
  Expr *column =
      cu_binary(cu, BINARY_DIV, cu_word_call(cu, "rank", block, NULL, span),
                cu_int_literal(cu, pipeline->tile, span), span);
  pipeline->column = cu_new_local(cu, "tile_number", type);
  pipeline->column->is_copy = true;
  cu_add_local(cu, pipeline->column, column, span);
}

static void unspell(CuWalk *walk, const Expr *expr) {
  CuContext *cu = ((StateWalk *)walk)->cu;
  CuName *name = expr->kind == EXPR_NAME ? cu_outermost_name(cu, expr) : NULL;
  if (!name || !name->decl)
    return;
  cu_name_unspelled(cu, (Expr *)(uintptr_t)expr);
  const TypeSyntax *type = name->decl->type;
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
  name->is_told = (type->quals & QUAL_SHARED) != 0;
}

// The state itself isn't used: where nothing else does, it isn't declared.
static void drop_state(CuContext *cu, const Expr *state) {
  StateWalk walk = {.walk = {.on_expr = unspell}, .cu = cu};
  cu_walk_expr(&walk.walk, state);
}

static const char *wish_for(const CuContext *cu, const Expr *state) {
  while (state->kind == EXPR_UNARY || state->kind == EXPR_INDEX)
    state = state->kind == EXPR_UNARY ? state->u.unary.operand
                                      : state->u.index.base;
  const CuName *name = cu_outermost_name(cu, state);
  return name ? name->wanted : "pipeline";
}

// --- again and again ---

static void add_sync(CuContext *cu, CuValue group, Span span) {
  Expr *expr = cu_clone(cu, group.expr, span);
  Expr *sync = cu_word_call(cu, "sync", expr, NULL, span);
  cu_add_stmt(cu, cu_expr_stmt(cu, sync, span));
}

// Whether the barrier is in an odd phase, as a variable.
static CuVariable *add_is_odd(CuContext *cu, Expr *barrier, Span span) {
  Expr *is_even =
      cu_word_call(cu, "test_wait", barrier, cu_int_literal(cu, 1, span), span);
  CuVariable *is_odd =
      cu_new_local(cu, "is_odd", cu_basic(&cu->types, CU_BOOL));
  cu_add_local(cu, is_odd, cu_unary(cu, UNARY_NOT, is_even, span), span);
  return is_odd;
}

static Stmt *arrive_if(CuContext *cu, CuVariable *is_odd, Expr *barrier,
                       Span span) {
  Stmt *branch = cu_new_stmt(cu, STMT_IF, span, span);
  branch->u.if_stmt.condition = cu_variable_value(cu, is_odd, span).expr;
  Expr *arrive = cu_word_call(cu, "arrive", barrier, NULL, span);
  branch->u.if_stmt.then_stmt = cu_expr_stmt(cu, arrive, span);
  return branch;
}

// Those that arrive on the barriers end the phases that are odd.
static void begin_again(CuContext *cu, const CuPipeline *pipeline,
                        CuValues args, Span span) {
  CuVariable *barriers[2] = {pipeline->full, pipeline->free};
  CuStmtVec ends[2] = {{0}, {0}};
  for (int64_t i = 0; i < 2 * pipeline->stages; i++) {
    CuVariable *of = barriers[i % 2];
    Expr *place =
        stage_of(cu, pipeline, of, cu_int_literal(cu, i / 2, span), span);
    CuVariable *is_odd = add_is_odd(cu, place, span);
    VEC_PUSH(cu->arena, &ends[i % 2],
             arrive_if(cu, is_odd, cu_clone(cu, place, span), span));
  }
  add_sync(cu, args.data[0], span);
  Stmt *full = cu_block(cu, &ends[0], span),
       *free = cu_block(cu, &ends[1], span);
  if (args.count > 2) {
    Stmt *branch = cu_new_stmt(cu, STMT_IF, span, span);
    branch->u.if_stmt.condition =
        produces(cu, args.data[0], args.data[2], span);
    branch->u.if_stmt.then_stmt = full;
    branch->u.if_stmt.else_stmt = free;
    cu_add_stmt(cu, branch);
  } else {
    cu_add_stmt(cu, full);
    cu_add_stmt(cu, free);
  }
  add_sync(cu, args.data[0], span);
}

static void make_barriers(CuContext *cu, CuPipeline *pipeline, CuValues args,
                          Span span) {
  Expr *n_producers = producers(cu, pipeline, args, span);
  bool is_counted = n_producers != NULL;
  Expr *n_consumers = group_size(cu, pipeline, span);
  if (!is_counted)
    n_producers = group_size(cu, pipeline, span);
  else if (args.count > 2)
    n_consumers = cu_binary(cu, BINARY_SUB, n_consumers,
                            cu_clone(cu, n_producers, span), span);
  pipeline->full = new_barriers(cu, pipeline, "full", n_producers, span);
  pipeline->free = new_barriers(cu, pipeline, "free", n_consumers, span);
  if (pipeline->tile)
    set_column(cu, pipeline, span);
  add_sync(cu, args.data[0], span); // as in CUDA, which begins the state
  if (cu_is_in_loop(cu) && !is_counted)
    (void)pipeline_refuse(
        cu, "roles in a pipeline that is made in a loop",
        "make it before the loop, or let constants and a comparison "
        "of block.thread_rank() decide who produces",
        span);
  else if (cu_is_in_loop(cu))
    begin_again(cu, pipeline, args, span);
  else if (!is_counted)
    tell_roles(cu, pipeline, args, span);
}

CuValue cu_make_pipeline(CuContext *cu, const CuFunction *function,
                         CuValues args, Span span) {
  CuValue state = args.data[1];
  const CuType *type = cu_plain(state.type);
  if (!args.data[0].expr || !state.expr || type->kind != CU_POINTER)
    return cu_poison(cu, span);
  if (!cu->frame || cu->frame->is_conditional)
    return pipeline_refuse(cu, "a pipeline that is made on some paths only",
                           "call make_pipeline() in a statement of its own",
                           span);
  CuPipeline *made = ARENA_NEW(cu->arena, CuPipeline);
  made->wish = wish_for(cu, state.expr);
  made->stages = cu_plain(type->u.inner)->u.record->args[1].value.i;
  made->tile = tile_size(&args.data[0]);
  if (made->stages < 1)
    return pipeline_refuse(cu, "a pipeline without stages", NULL, span);
  make_barriers(cu, made, args, span);
  drop_state(cu, state.expr);
  CuValue value = cu_construct(cu, cu_plain(function->result),
                               (CuValues){NULL, 0}, false, span);
  made->made = value.expr;
  VEC_PUSH(cu->arena, &cu->barriers.pipelines, made);
  return value;
}

// ------------------------------------------------------------------- uses

const CuPipeline *cu_pipeline_of(const CuContext *cu, const Expr *expr) {
  while (expr->kind == EXPR_UNARY)
    expr = expr->u.unary.operand;
  const CuName *name = cu_outermost_name(cu, expr);
  if (name && name->variable && name->variable->pipeline)
    return name->variable->pipeline;
  const Expr *init = name && name->decl && name->decl->kind == DECL_VAR
                         ? name->decl->u.var.init
                         : NULL;
  for (uint32_t i = 0; init && i < cu->barriers.pipelines.count; i++)
    if (cu->barriers.pipelines.data[i]->made == init)
      return cu->barriers.pipelines.data[i];
  return NULL;
}

// The only one there is, where nothing else is known.
static const CuPipeline *only_pipeline(const CuContext *cu) {
  CuPipeline *only =
      cu->barriers.pipelines.count == 1 ? cu->barriers.pipelines.data[0] : NULL;
  if (!only || only->is_repeated)
    return NULL;
  only->is_guessed = true;
  return only;
}

static void refuse_several(CuContext *cu, Span span) {
  cu_unsupported(cu, span, "a pipeline that may be one of several",
                 "keep each in a variable that make_pipeline() initialises, "
                 "and pass it to functions by reference");
}

CuVariable *cu_barriers_again(CuContext *cu, const CuVariable *earlier,
                              Span span) {
  CuPipeline *pipeline = (CuPipeline *)(uintptr_t)earlier->pipeline;
  pipeline->is_repeated = true;
  if (pipeline->is_guessed || cu_is_in_loop(cu)) {
    if (pipeline->is_guessed)
      refuse_several(cu, span);
    else
      (void)pipeline_refuse(cu, "a pipeline that is made again and again",
                            "call the function that makes it in the loop only",
                            span);
    return NULL;
  }
  const TypeSyntax *type = cu_barrier_type(earlier->decl);
  return new_barriers(cu, pipeline, earlier == pipeline->full ? "full" : "free",
                      cu_clone(cu, type->u.expr, span), span);
}

bool cu_is_pipeline_word(const char *word, uint32_t n_args) {
  return n_args == 1 ? strcmp(word, "__heddle_stages") == 0
                     : n_args == 2 && (strcmp(word, "__heddle_full") == 0 ||
                                       strcmp(word, "__heddle_free") == 0);
}

Expr *cu_pipeline_word(CuContext *cu, const char *word, const Expr *expr,
                       Expr *stage, Span span) {
  const CuPipeline *pipeline = cu_pipeline_of(cu, expr);
  if (!pipeline)
    pipeline = only_pipeline(cu);
  if (!pipeline) {
    refuse_several(cu, span);
    return cu_poison_expr(cu, span);
  }
  if (!stage)
    return cu_int_literal(cu, pipeline->stages, span);
  CuVariable *barriers =
      strcmp(word, "__heddle_full") == 0 ? pipeline->full : pipeline->free;
  return stage_of(cu, pipeline, barriers, stage, span);
}
