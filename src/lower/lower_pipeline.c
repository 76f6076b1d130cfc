// SPDX-License-Identifier: Apache-2.0
// Pipelines: `pipeline(S) p` and what is made of produce and consume.
//
// Note [Pipelines]. A pipeline is two arrays of S mbarriers. Turn k uses slot
// k % S for the time k / S; phases of a barrier alternate with k / S, so
//
//   produce (p, k) B    wait(p.empty[k % S], (k / S & 1) ^ 1)   free
//                       B
//                       sync(); one thread: arrive(p.full[k % S])
//   consume (p, k) B    wait(p.full[k % S], k / S & 1)          filled
//                       B
//                       sync(); one thread: arrive(p.empty[k % S])
//
// Each group that produces arrives once for every turn, so the count of `full`
// is the number of such groups, and that of `empty` the number of groups that
// consume. Both are known when the kernel is lowered, because groups are rows
// of a table: two statements belong to one group if their rows stand for the
// same ranks (describe_group), and conditions around them are evaluated
// (lower_pipeline_count.c). A tma_load on full(p, k) expects its bytes right
// before it is issued, which is before the arrival; each thread of a copy_async
// on it arrives when its part has landed, and is counted.
//
// Without a turn the statement takes it from a counter of its group, and a
// consume statement may free the slot of an earlier turn instead of its own:
//
//   consume (p, d) B       wait(p.full[k % S], k / S & 1); B
//                          if (k - d >= drained) … arrive(p.empty[(k - d) % S])
//   drain(p)               the same for the slots that are left; drained = k
//
// That k is 0, 1, 2, … in each group is an obligation: a counter of each
// thread says which turn is due. It also says which slots may still be waited
// for at the end of the pipeline's scope, where copies that nobody waited for
// would otherwise be pending.
#include "lower/lower_barrier.h"
#include <string.h>

// ------------------------------------------------------------- declaration

static IrObject *slots(Lowering *lw, const TVar *var, const char *part) {
  const char *name = arena_printf(lw->scratch, "%s.%s", var->name, part);
  IrObject *object = lower_new_barrier(lw, name, 1);
  object->rank = 1;
  object->extents[0] = lower_host_const(lw, var->count);
  object->is_cluster_shared = false;
  return object;
}

void lower_bind_pipeline(Lowering *lw, const TVar *var) {
  Pipeline *pipeline = ARENA_NEW(lw->scratch, Pipeline);
  pipeline->name = var->name;
  pipeline->place = lower_place(lw, var->span);
  pipeline->stages = var->count;
  pipeline->full = slots(lw, var, "full");
  pipeline->empty = slots(lw, var, "empty");
  pipeline->anchor = lower_i64(lw, 0);
  VEC_PUSH(lw->scratch, &lw->pipelines, pipeline);
  Binding binding = {
      .kind = BIND_PIPELINE, .type = var->type, .pipeline = pipeline};
  lower_bind(lw, var, &binding);
}

static Pipeline *pipeline_of(Lowering *lw, const TExpr *expr) {
  const Binding *binding = lower_binding(lw, expr->u.var);
  HD_ASSERT(binding && binding->kind == BIND_PIPELINE);
  return binding->pipeline;
}

// ------------------------------------------------------------ slot and phase

static IrNode *lower_pipeline_slot_of(Lowering *lw, const Pipeline *pipeline,
                                      IrNode *k) {
  if (pipeline->stages == 1)
    return lower_i32(lw, 0);
  IrNode *stages = lower_const(lw, k->type, (uint64_t)pipeline->stages);
  IrNode *slot = lower_emit2(lw, IR_UREM, k->type, k, stages);
  if (k->type.kind == IR_TYPE_I32)
    return slot;
  return lower_emit1(lw, IR_TRUNC, ir_scalar(IR_TYPE_I32), slot);
}

// k / S modulo 2; turned round where `is_other`.
static IrNode *lower_pipeline_parity_of(Lowering *lw, const Pipeline *pipeline,
                                        IrNode *k, bool is_other) {
  IrNode *time = k;
  if (pipeline->stages > 1)
    time = lower_emit2(lw, IR_UDIV, k->type, k,
                       lower_const(lw, k->type, (uint64_t)pipeline->stages));
  IrNode *one = lower_const(lw, k->type, 1);
  IrNode *parity = lower_emit2(lw, IR_AND, k->type, time, one);
  if (is_other)
    parity = lower_emit2(lw, IR_XOR, k->type, parity, one);
  if (k->type.kind == IR_TYPE_I32)
    return parity;
  return lower_emit1(lw, IR_TRUNC, ir_scalar(IR_TYPE_I32), parity);
}

// The innermost stage that counts the pipeline's turns; NULL: none.
static const Stage *lower_pipeline_counting_stage(const Lowering *lw,
                                                  const Pipeline *pipeline) {
  const Stage *stage = lw->stage;
  while (stage && (stage->pipeline != pipeline || !stage->counts))
    stage = stage->outside;
  return stage;
}

IrNode *lower_slot(Lowering *lw, const TExpr *expr) {
  Pipeline *pipeline = pipeline_of(lw, expr->u.builtin.args[0]);
  const Stage *stage = lower_pipeline_counting_stage(lw, pipeline);
  bool has_number = expr->u.builtin.n_args == 2;
  if (!stage)
    return lower_pipeline_slot_of(lw, pipeline,
                                  lower_scalar(lw, expr->u.builtin.args[1]));
  IrNode *turn = lower_get(lw, stage->turn);
  if (has_number) { // a round later: never negative
    IrNode *back = lower_to_i64(lw, lower_scalar(lw, expr->u.builtin.args[1]));
    turn = lower_add64(lw, turn,
                       lower_add64(lw, back, lower_i64(lw, pipeline->stages)));
  }
  return lower_pipeline_slot_of(lw, pipeline, turn);
}

BarrierPlace lower_full_place(Lowering *lw, const TExpr *expr) {
  Pipeline *pipeline = pipeline_of(lw, expr->u.builtin.args[0]);
  BarrierPlace place = {.object = pipeline->full, .n_indices = 1};
  place.indices[0] = lower_slot(lw, expr);
  return place;
}

// ------------------------------------------------------------------- groups

void lower_report(Lowering *lw, Diag *diag) {
  enum { MAX_CALLS = 8 };

  const IrModule *module = lw->module;
  const IrLoc *inner = &module->locs.data[lw->loc];
  for (int i = 0; i < MAX_CALLS && inner->parent; i++) {
    const IrLoc *call = &module->locs.data[inner->parent];
    diag_note(lw->diags, diag, call->place, "in the call of '%s'",
              inner->callee ? inner->callee : "?");
    inner = call;
  }
  lw->has_failed = true;
}

// What is said about the ranks of a group inside another.
typedef struct {
  Text key;
  bool has_range;
  int64_t begin, size; // of the last range
  int64_t instances;
} Ranks;

static void close_range(Ranks *ranks) {
  if (ranks->has_range)
    text_printf(&ranks->key, "r%lld,%lld", (long long)ranks->begin,
                (long long)ranks->size);
  ranks->has_range = false;
  ranks->begin = 0;
}

// One thread runs several iterations.
static bool is_strided(const IrGroup *group) {
  return group->maker && group->maker->op == IR_THREAD_FOR &&
         !group->maker->u.part.is_split;
}

// NULL, or why the group isn't known.
static const char *lower_pipeline_add_row(Lowering *lw, Ranks *ranks,
                                          const IrGroup *group) {
  if (group->size == SIZE_UNKNOWN)
    return arena_printf(lw->scratch, "the size of %s isn't", group->name);
  switch ((int)group->kind) {
  case GROUP_RANGE:
  case GROUP_SINGLE:
    if (group->begin == SIZE_UNKNOWN)
      return arena_printf(lw->scratch, "the first thread of %s isn't",
                          group->name);
    ranks->has_range = true;
    ranks->begin += group->begin;
    ranks->size = group->size;
    return NULL;
  case GROUP_SPLIT:
  case GROUP_TILED:
  case GROUP_WARP:
  case GROUP_THREAD:
    if (group->instances == SIZE_UNKNOWN || is_strided(group))
      break;
    close_range(ranks);
    text_printf(&ranks->key, "s%lld", (long long)group->size);
    ranks->instances *= group->instances;
    return NULL;
  default: break;
  }
  return arena_printf(lw->scratch, "the set of threads of %s isn't",
                      group->name[0] ? group->name : "the group");
}

static const char *describe_rows(Lowering *lw, Ranks *ranks,
                                 const IrGroup *group, const IrGroup *home) {
  if (group == home || !group->parent)
    return NULL;
  const char *why = describe_rows(lw, ranks, group->parent, home);
  return why ? why : lower_pipeline_add_row(lw, ranks, group);
}

// ----------------------------------------------------- who takes part, counts

static uint32_t new_count(Lowering *lw, const char *name) {
  uint32_t var = lower_new_var(lw, name, ir_scalar(IR_TYPE_I64));
  lw->kernel->vars.data[var].counts = true;
  return var;
}

// k - by, of a counter.
static IrNode *turns_before(Lowering *lw, IrNode *k, int64_t by) {
  IrNode *node =
      lower_emit2(lw, IR_SUB, ir_scalar(IR_TYPE_I64), k, lower_i64(lw, by));
  node->flags |= NODE_NO_SIGNED_WRAP | NODE_OWN;
  return node;
}

static uint32_t new_counter(Lowering *lw, const Pipeline *pipeline,
                            const char *what) {
  const char *name = arena_printf(lw->scratch, "%s.%s", pipeline->name, what);
  uint32_t var = new_count(lw, name);
  IrNode *zero = pipeline->anchor;
  IrNode *set = ir_node_new(lw->kernel, NULL, IR_SET, ir_scalar(IR_TYPE_VOID),
                            zero->loc, &zero, 1);
  set->u.variable.var = var;
  ir_node_insert_after(zero, set);
  return var;
}

// The row of the current group; NULL when it isn't known (reported).
static StageGroup *find_group(Lowering *lw, Pipeline *pipeline,
                              bool is_produce) {
  StageGroups *groups =
      is_produce ? &pipeline->producers : &pipeline->consumers;
  Ranks ranks = {.key = {.arena = lw->scratch}, .instances = 1};
  const char *why = describe_rows(lw, &ranks, lw->group, pipeline->full->group);
  Place place = lw->module->locs.data[lw->loc].place;
  if (why) {
    lower_report(lw,
                 DIAG_REPORT(lw->diags, DIAG_pipeline_group, place,
                             DS(is_produce ? "produce into" : "consume from"),
                             DS(pipeline->name), DS(why)));
    return NULL;
  }
  close_range(&ranks);
  const char *key = text_cstr(&ranks.key);
  for (uint32_t i = 0; i < groups->count; i++)
    if (strcmp(groups->data[i].key, key) == 0)
      return &groups->data[i];
  StageGroup group = {.key = key, .instances = ranks.instances, .place = place};
  group.counter =
      new_counter(lw, pipeline, is_produce ? "produced" : "consumed");
  VEC_PUSH(lw->scratch, groups, group);
  return &VEC_LAST(groups);
}

// A group signals with the same count at every turn, wherever it does.
static void note_arrivals(Lowering *lw, const Stage *stage, StageGroup *group) {
  int64_t arrivals = 1 + stage->copy_arrivals;
  if (group->arrivals == 0)
    group->arrivals = arrivals;
  if (group->arrivals == arrivals || lw->has_failed)
    return;
  Diag *diag = DIAG_REPORT(
      lw->diags, DIAG_pipeline_counts, lw->module->locs.data[lw->loc].place,
      DS(stage->is_produce ? "produce statements" : "consume statements"),
      DS(stage->pipeline->name), DD(group->arrivals), DD(arrivals));
  diag_label(lw->diags, diag, group->place, "the group's first one");
  lower_report(lw, diag);
}

// ---------------------------------------------------------- copies on slots

SingleThread lower_begin_single(Lowering *lw) {
  SingleThread saved = {lw->group, lw->region};
  if (lw->group->size == 1)
    return saved;
  IrGroup *group = ir_group_new(lw->kernel, GROUP_SINGLE, lw->group);
  group->name = "single_thread";
  group->size = 1;
  group->begin = 0;
  group->instances = 1;
  group->alignment = lw->group->alignment;
  IrNode *node = lower_emit(lw, IR_GROUP, ir_scalar(IR_TYPE_VOID), NULL, 0);
  node->u.part.group = group;
  node->u.part.parent = lw->group;
  node->u.part.is_any = true;
  group->maker = node;
  lw->group = group;
  lower_enter(lw, node, 0);
  return saved;
}

SingleThread lower_begin_first(Lowering *lw) {
  SingleThread saved = lower_begin_single(lw);
  if (lw->region != saved.region)
    lw->region->owner->u.part.is_any = false;
  return saved;
}

void lower_end_single(Lowering *lw, SingleThread saved) {
  lw->group = saved.outside;
  if (lw->region != saved.region)
    lower_leave(lw, saved.region);
}

static Stage *lower_pipeline_stage_of(Lowering *lw, const IrObject *full) {
  Stage *stage = lw->stage;
  while (stage && (stage->pipeline->full != full || !stage->is_produce))
    stage = stage->outside;
  return stage;
}

static bool lower_pipeline_is_slot(const Lowering *lw, const IrObject *object) {
  for (uint32_t i = 0; i < lw->pipelines.count; i++)
    if (lw->pipelines.data[i]->full == object)
      return true;
  return false;
}

// Executed exactly once for each turn, by the threads of each group between.
static bool is_unconditional(const Lowering *lw, const Stage *stage) {
  const IrRegion *region = lw->region;
  while (region != stage->region) {
    const IrNode *owner = region->owner;
    if (!owner || (owner->op != IR_GROUP && owner->op != IR_WITH &&
                   owner->op != IR_BLOCK && owner->op != IR_CALL))
      return false;
    region = owner->region;
  }
  return true;
}

static void refuse_copy(Lowering *lw, const char *problem) {
  lower_report(lw, DIAG_REPORT(lw->diags, DIAG_pipeline_use,
                               lw->module->locs.data[lw->loc].place,
                               DS("this copy into a pipeline"), DS(problem)));
}

// The threads that arrive for one turn of one group that produces.
static void count_threads(Lowering *lw, Stage *stage) {
  Ranks ranks = {.key = {.arena = lw->scratch}, .instances = 1};
  const char *why = describe_rows(lw, &ranks, lw->group, stage->group);
  if (why || lw->group->size == SIZE_UNKNOWN)
    refuse_copy(lw, "must be made by a group of constant size, whose threads "
                    "are counted");
  else if (!is_unconditional(lw, stage))
    refuse_copy(lw, "must be made exactly once a turn, in no loop and under "
                    "no condition: its threads are counted");
  else
    stage->copy_arrivals += ranks.instances * lw->group->size;
}

void lower_count_copy(Lowering *lw, const BarrierPlace *place, uint64_t n_bytes,
                      bool is_tma) {
  if (!lower_pipeline_is_slot(lw, place->object))
    return;
  Stage *stage = lower_pipeline_stage_of(lw, place->object);
  if (!stage) {
    refuse_copy(lw, "belongs inside its produce statement");
    return;
  }
  stage->pipeline->has_copies = true;
  if (!is_tma) {
    count_threads(lw, stage);
    return;
  }
  SingleThread saved = lower_begin_single(lw);
  IrNode *bytes = lower_i32(lw, (int64_t)n_bytes);
  lower_barrier_op(lw, IR_MBAR_EXPECT, ir_scalar(IR_TYPE_VOID), place, &bytes,
                   1);
  lower_end_single(lw, saved);
}

// ------------------------------------------------------- produce and consume

static IrNode *lower_pipeline_as_i64(Lowering *lw, IrNode *node) {
  return node->type.kind == IR_TYPE_I64 ? node : lower_to_i64(lw, node);
}

// The turn that is due, and the next one.
static void oblige_turn(Lowering *lw, const Stage *stage,
                        const StageGroup *group, IrNode *k) {
  IrNode *turn = lower_pipeline_as_i64(lw, k);
  IrNode *is_due = lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), turn,
                               lower_get(lw, group->counter));
  lower_owe(lw, is_due,
            arena_printf(lw->module->arena,
                         "turns of '%s' are 0, 1, 2, … in each group that %s",
                         stage->pipeline->name,
                         stage->is_produce ? "produces" : "consumes"));
  lower_set(lw, group->counter, lower_add64(lw, turn, lower_i64(lw, 1)));
}

static IrNode *wait_on(Lowering *lw, IrObject *object, IrNode *slot,
                       IrNode *parity) {
  BarrierPlace place = {.object = object, .indices = {slot}, .n_indices = 1};
  return lower_barrier_op(lw, IR_MBAR_WAIT, ir_scalar(IR_TYPE_VOID), &place,
                          &parity, 1);
}

static void sync_group(Lowering *lw) {
  if (lw->group->size == 1)
    return;
  IrNode *sync = lower_emit(lw, IR_SYNC, ir_scalar(IR_TYPE_VOID), NULL, 0);
  sync->u.group.group = lw->group;
}

static void signal_on(Lowering *lw, IrObject *object, IrNode *slot) {
  BarrierPlace place = {.object = object, .indices = {slot}, .n_indices = 1};
  sync_group(lw);
  SingleThread saved = lower_begin_single(lw);
  IrNode *one = lower_i32(lw, 1);
  lower_barrier_op(lw, IR_MBAR_ARRIVE, ir_scalar(IR_TYPE_TOKEN), &place, &one,
                   1);
  lower_end_single(lw, saved);
}

// Frees slots so many turns later, in all statements of the group alike.
static bool set_lag(Lowering *lw, const Pipeline *pipeline, StageGroup *group,
                    int64_t lag) {
  const char *problem = NULL;
  if (lag >= pipeline->stages)
    problem = "frees slots too late: all of them would wait to be freed";
  else if (group->places.count > 0 && group->lag != lag)
    problem = "frees slots by another number of turns later than the group's "
              "statements before";
  if (problem)
    lower_report(lw, DIAG_REPORT(lw->diags, DIAG_pipeline_use,
                                 lw->module->locs.data[lw->loc].place,
                                 DS(arena_printf(lw->scratch, "consume (%s, …)",
                                                 pipeline->name)),
                                 DS(problem)));
  group->lag = lag;
  if (lag > 0 && !group->has_lag) {
    group->has_lag = true;
    group->drained = new_counter(lw, pipeline, "drained");
  }
  return !problem;
}

// The turn of a pipeline that counts.
static IrNode *lower_pipeline_count_turn(Lowering *lw, Stage *stage,
                                         const StageGroup *group) {
  IrNode *k = lower_get(lw, group->counter);
  stage->counts = true;
  stage->turn = new_count(lw, "turn");
  lower_set(lw, stage->turn, k);
  lower_set(lw, group->counter, lower_add64(lw, k, lower_i64(lw, 1)));
  return k;
}

// The slot of turn k - lag, unless it was drained.
static void free_earlier(Lowering *lw, const Pipeline *pipeline,
                         const StageGroup *group, IrNode *k) {
  IrNode *turn = turns_before(lw, k, group->lag);
  IrNode *is_there = lower_emit2(lw, IR_SLE, ir_scalar(IR_TYPE_BOOL),
                                 lower_get(lw, group->drained), turn);
  IrNode *branch = lower_emit1(lw, IR_IF, ir_scalar(IR_TYPE_VOID), is_there);
  IrRegion *before = lower_enter(lw, branch, 0);
  IrNode *later = lower_i64(lw, pipeline->stages - group->lag);
  signal_on(lw, pipeline->empty,
            lower_pipeline_slot_of(lw, pipeline, lower_add64(lw, k, later)));
  lower_leave(lw, before);
}

static void end_stage(Lowering *lw, const Stage *stage, const StageGroup *group,
                      IrNode *k, IrNode *slot) {
  const Pipeline *pipeline = stage->pipeline;
  if (lower_is_ended(lw) || lw->has_failed)
    return;
  if (group->lag > 0)
    free_earlier(lw, pipeline, group, k);
  else
    signal_on(lw, stage->is_produce ? pipeline->full : pipeline->empty, slot);
}

void lower_stage(Lowering *lw, const TStmt *stmt) {
  Pipeline *pipeline = pipeline_of(lw, stmt->u.stage.pipeline);
  bool is_produce = stmt->u.stage.is_produce;
  lw->loc = lower_loc(lw, stmt->u.stage.head);
  StageGroup *group = find_group(lw, pipeline, is_produce);
  if (!group || !set_lag(lw, pipeline, group, stmt->u.stage.lag))
    return;
  StageGroups *groups =
      is_produce ? &pipeline->producers : &pipeline->consumers;
  uint32_t number = (uint32_t)(group - groups->data);
  Stage stage = {.outside = lw->stage,
                 .pipeline = pipeline,
                 .is_produce = is_produce,
                 .group = lw->group,
                 .region = lw->region};
  IrNode *k = stmt->u.stage.k ? lower_scalar(lw, stmt->u.stage.k)
                              : lower_pipeline_count_turn(lw, &stage, group);
  IrNode *slot = lower_pipeline_slot_of(lw, pipeline, k);
  if (stmt->u.stage.k)
    oblige_turn(lw, &stage, group, k);
  IrNode *wait =
      wait_on(lw, is_produce ? pipeline->empty : pipeline->full, slot,
              lower_pipeline_parity_of(lw, pipeline, k, is_produce));
  StagePlace here = {wait, lw->group};
  VEC_PUSH(lw->scratch, &group->places, here);
  IrLocId head = lw->loc;
  lw->stage = &stage;
  lower_stmt(lw, stmt->u.stage.body);
  lw->stage = stage.outside;
  lw->loc = head;
  note_arrivals(lw, &stage, &groups->data[number]);
  end_stage(lw, &stage, &groups->data[number], k, slot);
}

// Frees the slots that the group's last turns keep.
static void free_rest(Lowering *lw, const Pipeline *pipeline,
                      const StageGroup *group) {
  IrType i64 = ir_scalar(IR_TYPE_I64);
  sync_group(lw); // also where nothing is left
  IrNode *end = lower_get(lw, group->counter);
  IrNode *first = turns_before(lw, end, group->lag);
  first = lower_emit2(lw, IR_SMAX, i64, first, lower_get(lw, group->drained));
  IrNode *node = lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID), first, end);
  node->u.loop.var = lower_new_var(lw, "turn", i64);
  node->u.loop.step = 1;
  node->u.loop.is_signed = true;
  IrRegion *before = lower_enter(lw, node, 0);
  signal_on(
      lw, pipeline->empty,
      lower_pipeline_slot_of(lw, pipeline, lower_get(lw, node->u.loop.var)));
  lower_leave(lw, before);
  lower_set(lw, group->drained, lower_get(lw, group->counter));
}

void lower_drain_slots(Lowering *lw, const TExpr *expr) {
  Pipeline *pipeline = pipeline_of(lw, expr->u.builtin.args[0]);
  StageGroup *group = find_group(lw, pipeline, false);
  if (group && group->places.count == 0)
    lower_report(
        lw,
        DIAG_REPORT(lw->diags, DIAG_pipeline_use,
                    lw->module->locs.data[lw->loc].place,
                    DS(arena_printf(lw->scratch, "drain(%s)", pipeline->name)),
                    DS("comes before any consume statement of its group")));
  else if (group && group->has_lag)
    free_rest(lw, pipeline, group);
  else if (group)
    sync_group(lw);
}

// ------------------------------------------------------------------ the end

// Waits for the last turns of a group that produced.
static void drain_group(Lowering *lw, const Pipeline *pipeline,
                        const StageGroup *group) {
  IrType i64 = ir_scalar(IR_TYPE_I64);
  IrNode *end = lower_get(lw, group->counter);
  IrNode *first = turns_before(lw, end, pipeline->stages);
  first = lower_emit2(lw, IR_SMAX, i64, first, lower_i64(lw, 0));
  IrNode *node = lower_emit2(lw, IR_FOR, ir_scalar(IR_TYPE_VOID), first, end);
  node->u.loop.var = lower_new_var(lw, "turn", i64);
  node->u.loop.step = 1;
  node->u.loop.is_signed = true;
  IrRegion *before = lower_enter(lw, node, 0);
  IrNode *k = lower_get(lw, node->u.loop.var);
  wait_on(lw, pipeline->full, lower_pipeline_slot_of(lw, pipeline, k),
          lower_pipeline_parity_of(lw, pipeline, k, false))
      ->flags |= NODE_OWN;
  lower_leave(lw, before);
}

void lower_drain(Lowering *lw, uint32_t first_pipeline) {
  for (uint32_t i = first_pipeline; i < lw->pipelines.count; i++) {
    Pipeline *pipeline = lw->pipelines.data[i];
    bool is_due = pipeline->has_copies && !pipeline->is_drained &&
                  !lower_is_ended(lw) && !lw->has_failed;
    pipeline->is_drained = true;
    IrLocId before = lw->loc;
    lw->loc = pipeline->full->loc;
    for (uint32_t k = 0; is_due && k < pipeline->producers.count; k++)
      drain_group(lw, pipeline, &pipeline->producers.data[k]);
    lw->loc = before;
  }
}

static uint32_t total(const StageGroups *groups) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < groups->count; i++)
    sum += groups->data[i].instances * groups->data[i].arrivals;
  return sum > 0 ? (uint32_t)sum : 1;
}

static int64_t group_count(const StageGroups *groups) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < groups->count; i++)
    sum += groups->data[i].instances;
  return sum;
}

static void check_both_sides(Lowering *lw, const Pipeline *pipeline) {
  bool is_produced = group_count(&pipeline->producers) > 0;
  if (is_produced == (group_count(&pipeline->consumers) > 0))
    return;
  lower_report(
      lw,
      DIAG_REPORT(
          lw->diags, DIAG_pipeline_use, pipeline->place,
          DS(arena_printf(lw->scratch, "pipeline '%s'", pipeline->name)),
          DS(is_produced ? "is never consumed: no slot is ever freed"
                         : "is never produced into: no slot is ever filled")));
}

static bool count_groups(Lowering *lw, Pipeline *pipeline, bool is_produce) {
  StageGroups *groups =
      is_produce ? &pipeline->producers : &pipeline->consumers;
  bool is_known = true;
  for (uint32_t i = 0; i < groups->count && is_known; i++)
    is_known = lower_count_groups(lw, pipeline, &groups->data[i], is_produce);
  return is_known;
}

void lower_finish_pipelines(Lowering *lw) {
  for (uint32_t i = 0; i < lw->pipelines.count && !lw->has_failed; i++) {
    Pipeline *pipeline = lw->pipelines.data[i];
    if (!count_groups(lw, pipeline, true) || !count_groups(lw, pipeline, false))
      return;
    pipeline->full->arrivals = total(&pipeline->producers);
    pipeline->empty->arrivals = total(&pipeline->consumers);
    check_both_sides(lw, pipeline);
  }
}
