// SPDX-License-Identifier: Apache-2.0
// Barriers, copies and pipelines: what their files of lowering share.
#ifndef HD_LOWER_LOWER_BARRIER_H
#define HD_LOWER_LOWER_BARRIER_H

#include "lower/lower_internal.h"

// An mbarrier, or an array of them while n_indices is below the rank.
struct BarrierPlace {
  IrObject *object;
  IrNode *indices[IR_MAX_RANK]; // i32 or i64
  uint32_t n_indices;
};

// A produce or consume statement, by its wait.
typedef struct {
  const IrNode *node;
  const IrGroup *group;
} StagePlace;

// The groups that produce into a pipeline, or consume from it, as one set:
// `key` is equal where the threads are.
typedef struct {
  const char *key;
  int64_t instances; // groups of this kind
  hd_vec(StagePlace) places;
  int64_t arrivals; // of each, for one turn
  uint32_t counter; // i64 variable of its threads: the next turn
  // Of consumers that count and free slots `lag` turns later: an i64 variable
  // of the turns that were drained. `has_lag`: there is one.
  bool has_lag;
  int64_t lag;
  uint32_t drained;
  Place place; // of the first such statement
} StageGroup;

typedef hd_vec(StageGroup) StageGroups;

// Note [Pipelines] in lower_pipeline.c.
struct Pipeline {
  const char *name;
  Place place;
  int64_t stages;
  IrObject *full, *empty;
  IrNode *anchor; // a zero at the declaration, behind which counters start
  StageGroups producers, consumers;
  bool has_copies; // some land on `full`
  bool is_drained;
};

// A produce or consume statement whose body is being lowered.
struct Stage {
  Stage *outside;
  Pipeline *pipeline;
  bool is_produce;
  IrGroup *group;
  const IrRegion *region;
  int64_t copy_arrivals; // of threads whose copies arrive on `full`
  bool counts;           // `turn` is an i64 variable with its turn
  uint32_t turn;
};

// Sets how many of the groups get to their statements (lower_pipeline_count.c).
// The kernel's nodes are numbered. False: that isn't known; it was reported.
bool lower_count_groups(Lowering *lw, const Pipeline *pipeline,
                        StageGroup *group, bool is_produce);
// Adds the calls in which the place stands to the message; lowering fails.
void lower_report(Lowering *lw, Diag *diag);
// The section as one of an object: lengths, and indices to `args`. False: the
// array is bound to something of which it is no section (reported).
bool lower_section(Lowering *lw, const TSection *section, bool fills,
                   IrSection *out, IrNode **args, uint32_t *n_args);
// Operands of a clause about a function's array parameter that is bound to a
// part of an array: at most 2 * IR_MAX_RANK. NULL: of which array isn't known.
IrObject *lower_claimed(Lowering *lw, const TSection *section, IrNode **args,
                        uint32_t *n_args, bool *is_part);
IrObject *lower_new_barrier(Lowering *lw, const char *name, int64_t arrivals);
BarrierPlace lower_barrier_place(Lowering *lw, const TExpr *expr);
IrNode *lower_barrier_op(Lowering *lw, IrOp op, IrType type,
                         const BarrierPlace *place, IrNode *const *operands,
                         uint32_t n_operands);
BarrierPlace lower_full_place(Lowering *lw, const TExpr *expr);
IrNode *lower_slot(Lowering *lw, const TExpr *expr);
bool lower_builtin_copy(Lowering *lw, const TExpr *expr, Value *out);

// Before a copy whose completion is signalled on `place`: where that is a slot
// of a pipeline, its bytes (tma_load) or arrivals (copy_async) are added to the
// signal.
void lower_count_copy(Lowering *lw, const BarrierPlace *place, uint64_t n_bytes,
                      bool is_tma);

// One thread of the current group runs what is emitted until lower_end_single.
typedef struct {
  IrGroup *outside;
  IrRegion *region;
} SingleThread;

SingleThread lower_begin_single(Lowering *lw);
// Likewise, the first one of the group.
SingleThread lower_begin_first(Lowering *lw);
void lower_end_single(Lowering *lw, SingleThread saved);

#endif
