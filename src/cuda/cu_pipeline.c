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
// The counts are part of the barriers' types. How many threads produce follows
// from the form of what decides their roles (cu_role.c). Where it doesn't, each
// barrier counts all threads of the block, and those that produce drop out of
// `free` at once, those that consume out of `full`: from the first phase on a
// barrier needs the arrivals of those that are left.
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

static bool is_role(const CuValue *given) {
  return cu_is(cu_plain(given->type), CU_ENUM);
}

static CuValue refuse(CuContext *cu, const char *what, const char *hint,
                      Span span) {
  cu_unsupported(cu, span, what, hint);
  return cu_poison(cu, span);
}

// The producers among the block's threads: all, a number, or by role; NULL:
// only the threads know.
static Expr *producers(CuContext *cu, CuValues args, Span span) {
  if (args.count < 3)
    return cu_block_size(cu, span);
  const CuValue *given = &args.data[2];
  if (given->constant.kind == CU_CONST_INT && !is_role(given))
    return number(cu, given->constant.i, span);
  uint32_t n_fixed = cu->fixed.count;
  Expr *count = is_role(given) ? cu_count_producers(cu, given->expr, span)
                               : cu_clone(cu, given->expr, span);
  if (count && cu_resolve_count(cu, &count))
    return count;
  cu->fixed.count = n_fixed; // nothing stands for a name after all
  return NULL;
}

// ------------------------------------------------------- roles of the threads

// Whether the thread produces. Of a number of producers, the first so many
// threads are taken for them: only the number matters.
static Expr *produces(CuContext *cu, CuValue given, Span span) {
  if (is_role(&given))
    return cu_binary(
        cu, BINARY_EQ,
        cu_cast(cu, cu_basic(&cu->types, CU_INT), given.expr, span),
        number(cu, 0, span), span);
  const CuType *type = cu_basic(&cu->types, CU_LONG);
  Expr *block = cu_word_call(cu, "this_block", NULL, NULL, span);
  Expr *rank =
      cu_cast(cu, type, cu_word_call(cu, "rank", block, NULL, span), span);
  return cu_binary(cu, BINARY_LT, rank, cu_cast(cu, type, given.expr, span),
                   span);
}

// The thread drops out of the barrier of each stage.
static Stmt *drop_out(CuContext *cu, const CuPipeline *pipeline,
                      CuVariable *barriers, Span span) {
  CuStmtVec items = {0};
  CuVariable *here = cu_seen_from_here(cu, barriers, span);
  for (int64_t i = 0; here && i < pipeline->stages; i++) {
    Expr *place = cu_subscript(cu, cu_variable_value(cu, here, span).expr,
                               number(cu, i, span), false, span);
    Expr *call = cu_word_call(cu, "arrive_drop", place, NULL, span);
    VEC_PUSH(cu->arena, &items, cu_expr_stmt(cu, call, span));
  }
  return cu_block(cu, &items, span);
}

static void tell_roles(CuContext *cu, const CuPipeline *pipeline, CuValue given,
                       Span span) {
  Stmt *branch = cu_new_stmt(cu, STMT_IF, span, span);
  branch->u.if_stmt.condition = produces(cu, given, span);
  branch->u.if_stmt.then_stmt = drop_out(cu, pipeline, pipeline->free, span);
  branch->u.if_stmt.else_stmt = drop_out(cu, pipeline, pipeline->full, span);
  cu_add_stmt(cu, branch);
}

// ----------------------------------------------------------------- making one

static CuPipeline *find_state(const CuContext *cu, const CuName *state) {
  for (uint32_t i = 0; i < cu->pipelines.count; i++)
    if (cu->pipelines.data[i]->state == state)
      return cu->pipelines.data[i];
  return NULL;
}

static bool is_once(const CuContext *cu) {
  const CuFrame *frame = cu->frame;
  return frame && !frame->parent && !frame->is_conditional &&
         frame->n_loops == 0;
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
  Expr *n_producers = producers(cu, args, span);
  bool is_counted = n_producers != NULL;
  Expr *n_consumers = cu_block_size(cu, span);
  if (!is_counted)
    n_producers = cu_block_size(cu, span);
  else if (args.count > 2)
    n_consumers = cu_binary(cu, BINARY_SUB, n_consumers,
                            cu_clone(cu, n_producers, span), span);
  made->full = new_barriers(cu, made, "full", n_producers, span);
  made->free = new_barriers(cu, made, "free", n_consumers, span);
  if (!is_counted)
    tell_roles(cu, made, args.data[2], span);
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
