// SPDX-License-Identifier: Apache-2.0
// What would mend a race: a barrier or a fence at a place where a statement
// can stand, offered only if a check of the kernel with it has the race proved
// away and nothing new open.
#include "check/fix/fix.h"

#include "base/panic.h"

#include <string.h>

enum { MOST_MEANS = 3 }; // of one copy

enum { MOST_FIXED = 3, MOST_PLACES = 8, MOST_MS = 2500 };

typedef struct {
  Check *check;
  Finding *finding;
  FixSpot spots[MOST_PLACES];
  uint32_t n_spots;
} Fix;

// ----------------------------------------------------------------- places

static const Place *fix_place_of(const IrKernel *kernel, const IrNode *node) {
  return &kernel->module->locs.data[node->loc].place;
}

bool fix_same_line(const IrKernel *kernel, const IrNode *a, const IrNode *b) {
  const Place *p = fix_place_of(kernel, a), *q = fix_place_of(kernel, b);
  return p->line == q->line && p->file == q->file;
}

static uint32_t fix_depth_of(const IrNode *node) {
  uint32_t depth = 0;
  for (; node; node = node->region->owner)
    depth++;
  return depth;
}

void fix_lift(const IrNode **a, const IrNode **b) {
  HD_ASSERT((*a)->region && (*b)->region);
  uint32_t p = fix_depth_of(*a), q = fix_depth_of(*b);
  for (; p > q; p--)
    *a = (*a)->region->owner;
  for (; q > p; q--)
    *b = (*b)->region->owner;
  while ((*a)->region != (*b)->region) {
    *a = (*a)->region->owner;
    *b = (*b)->region->owner;
  }
}

const IrNode *fix_statement(const IrKernel *kernel, const IrNode *node,
                            const IrNode *until) {
  const IrNode *first = node;
  while (first->previous && first->previous != until &&
         fix_same_line(kernel, first->previous, node))
    first = first->previous;
  return first;
}

static void add_spot(Fix *fix, FixWhere where, const IrNode *node) {
  if (fix->n_spots < MOST_PLACES)
    fix->spots[fix->n_spots++] = (FixSpot){where, node};
}

static bool fix_is_loop(const IrNode *node) {
  return node->op == IR_FOR || node->op == IR_LOOP;
}

static void find_spots(Fix *fix) {
  const IrKernel *kernel = fix->check->kernel;
  const IrNode *a = fix->finding->node;
  const IrNode *b = fix->finding->other ? fix->finding->other : a;
  if (a->id > b->id) {
    const IrNode *swap = a;
    a = b;
    b = swap;
  }
  fix_lift(&a, &b);
  if (a != b && !fix_same_line(kernel, a, b)) {
    add_spot(fix, FIX_BEFORE, fix_statement(kernel, b, a));
    add_spot(fix, FIX_BEHIND, a);
  }
  for (const IrNode *loop = a->region->owner; loop; loop = loop->region->owner)
    if (fix_is_loop(loop))
      add_spot(fix, FIX_AT_END, loop);
}

// ----------------------------------------------------------------- trying

typedef struct {
  const FixSpot *spot;
  const FixMeans *means;
} Insertion;

IrNode *fix_put(FixPutter *p, IrNode *node) {
  if (p->before)
    ir_node_insert_before(p->before, node);
  else
    ir_node_insert_after(p->last, node);
  p->last = node;
  return node;
}

static bool find_putter(IrKernel *copy, const FixSpot *spot, FixPutter *p) {
  IrNode *at = fix_copy_of(copy, spot->node);
  *p = (FixPutter){.copy = copy};
  if (!at)
    return false;
  p->loc = at->loc;
  p->last = spot->where == FIX_AT_END ? at->regions[0].last : at;
  bool is_before =
      spot->where == FIX_BEFORE ||
      (p->last && spot->where == FIX_AT_END && p->last->op == IR_EXIT);
  p->before = is_before ? p->last : NULL;
  return p->last != NULL;
}

static void put_op(FixPutter *p, IrOp op, const IrGroup *group) {
  IrType none = {.kind = IR_TYPE_VOID, .lanes = 1};
  IrNode *none_left = NULL;
  if (op == IR_MEMCPY_WAIT)
    none_left = fix_put(
        p, ir_const_int(p->copy, NULL, ir_scalar(IR_TYPE_I64), 0, p->loc));
  IrNode *made = ir_node_new(p->copy, NULL, op, none, p->loc,
                             none_left ? &none_left : NULL, none_left ? 1 : 0);
  fix_put(p, made);
  if (op == IR_SYNC || op == IR_MEMCPY_WAIT)
    made->u.group.group =
        group ? p->copy->groups.data[group->id] : ir_node_group(p->copy, made);
}

static bool fix_insert(IrKernel *copy, const void *context) {
  const Insertion *insertion = context;
  FixPutter p;
  if (!find_putter(copy, insertion->spot, &p))
    return false;
  for (uint32_t i = 0; i < insertion->means->n_ops; i++)
    put_op(&p, insertion->means->ops[i], insertion->means->group);
  return true;
}

static const char *spot_text(const Check *check, const FixSpot *spot) {
  uint32_t line = fix_place_of(check->kernel, spot->node)->line;
  switch (spot->where) {
  case FIX_BEFORE: return arena_printf(check->arena, "before line %u", line);
  case FIX_BEHIND: return arena_printf(check->arena, "after line %u", line);
  case FIX_AT_END:
    return arena_printf(check->arena, "at the end of the loop of line %u",
                        line);
  case FIX_IN_FRONT:
  case FIX_NOWHERE: break;
  }
  return "";
}

const char *fix_try_spot(const Check *check, Finding *finding,
                         const FixSpot *spot, const FixMeans *means) {
  Insertion insertion = {spot, means};
  const char *text = vocabulary_word(check->options->language, means->word);
  if (!text || !fix_try(check, finding, fix_insert, &insertion))
    return NULL;
  finding->edit = (FixEdit){spot->where, spot->node, text};
  return arena_printf(check->arena, "%s %s (proved: this removes the %s)", text,
                      spot_text(check, spot),
                      finding->code == CODE_RACE ? "race" : "finding");
}

FixMeans fix_sync(void) {
  return (FixMeans){.ops = {IR_SYNC}, .n_ops = 1, .word = WORD_sync};
}

static const char *try_all(Fix *fix, const FixMeans *means) {
  const char *text = NULL;
  for (uint32_t i = 0; i < fix->n_spots && !text; i++)
    text = fix_try_spot(fix->check, fix->finding, &fix->spots[i], means);
  return text;
}

// All threads store one value at one place: one of them is enough.
static bool fix_is_repeated(const Fix *fix) {
  const IrNode *node = fix->finding->node;
  const IrKernel *kernel = fix->check->kernel;
  if (fix->finding->other || node->op != IR_STORE || !fix->check->tree ||
      node->u.access.order != ORDER_PLAIN)
    return false;
  const IrGroup *group = ir_node_group(kernel, node);
  const Uniformity *uniformity = fix->check->tree->uniformity;
  bool is_one = group->kind != GROUP_GRID &&
                uniformity_converged(uniformity, node, group);
  for (uint32_t i = 0; i < node->n_args; i++)
    is_one &= uniformity_has(uniformity, node->args[i], group);
  return is_one;
}

// Threads of several blocks of a cluster.
static const char *try_cluster(Fix *fix) {
  const IrKernel *kernel = fix->check->kernel;
  const int32_t *dim = kernel->cluster_dim;
  FixMeans means = {.ops = {IR_SYNC},
                    .n_ops = 1,
                    .group = kernel->groups.data[GROUP_ROW_CLUSTER],
                    .word = WORD_sync_cluster};
  bool has_cluster = dim[0] > 0 && dim[0] * dim[1] * dim[2] > 1;
  return has_cluster ? try_all(fix, &means) : NULL;
}

// What ends a copy that nobody waits for, in the order in which it is tried;
// for races also what all threads of the group then know.
static uint32_t find_waits(const IrNode *copy, bool is_race, FixMeans *means) {
  static const FixMeans of_group = {
      .ops = {IR_MEMCPY_WAIT}, .n_ops = 1, .word = WORD_wait_block};
  static const FixMeans of_sets[] = {
      {.ops = {IR_COPY_WAIT}, .n_ops = 1, .word = WORD_copy_wait},
      {.ops = {IR_COPY_WAIT, IR_SYNC}, .n_ops = 2, .word = WORD_copy_wait_sync},
      {.ops = {IR_COPY_COMMIT, IR_COPY_WAIT, IR_SYNC},
       .n_ops = 3,
       .word = WORD_copy_commit_wait_sync}};
  static const FixMeans of_lost_sets = {.ops = {IR_COPY_COMMIT, IR_COPY_WAIT},
                                        .n_ops = 2,
                                        .word = WORD_copy_commit_wait};
  static const FixMeans of_stores[] = {
      {.ops = {IR_TMA_COMMIT, IR_TMA_WAIT}, .n_ops = 2, .word = WORD_tma_wait},
      {.ops = {IR_TMA_COMMIT, IR_TMA_WAIT, IR_SYNC},
       .n_ops = 3,
       .word = WORD_tma_wait_sync}};
  if (copy->op == IR_MEMCPY_ASYNC && copy->u.group.group->kind == GROUP_BLOCK) {
    means[0] = of_group;
    means[0].group = copy->u.group.group;
    return 1;
  }
  if (ir_is_tma_store(copy) || copy->op == IR_BULK_STORE) {
    memcpy(means, of_stores, sizeof of_stores);
    return is_race ? 2 : 1;
  }
  if ((copy->op != IR_COPY_ASYNC && copy->op != IR_COPY_BYTES) ||
      copy->u.copy.barrier)
    return 0;
  memcpy(means, of_sets, sizeof of_sets);
  if (!is_race)
    means[1] = of_lost_sets;
  return is_race ? 3 : 2;
}

static const char *try_waits(Fix *fix) {
  FixMeans means[MOST_MEANS];
  const IrNode *sides[2] = {fix->finding->node, fix->finding->other};
  const char *text = NULL;
  for (int i = 0; i < 2; i++) {
    uint32_t n =
        sides[i] ? find_waits(sides[i], fix->finding->code == CODE_RACE, means)
                 : 0;
    for (uint32_t k = 0; k < n && !text; k++)
      text = try_all(fix, &means[k]);
  }
  return text;
}

// The copy races, too: what mends that is a wait for it.
static bool has_race(const Fix *fix) {
  const CheckReport *report = fix->check->report;
  const IrNode *node = fix->finding->node;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *other = &report->findings.data[i];
    if (other->code == CODE_RACE && other->verdict == VERDICT_BUG &&
        (other->node == node || other->other == node))
      return true;
  }
  return false;
}

static const char *fix_race(Fix *fix) {
  const char *one =
      vocabulary_word(fix->check->options->language, WORD_single_thread);
  if (one && !fix->finding->is_across_blocks && fix_is_repeated(fix)) {
    fix->finding->edit = (FixEdit){FIX_IN_FRONT, fix->finding->node, one};
    return "single_thread before it: all threads store the same value";
  }
  const FixMeans sync = fix_sync();
  const char *text = fix_atomic(fix->check, fix->finding);
  if (!text)
    text =
        fix->finding->is_across_blocks ? try_cluster(fix) : try_all(fix, &sync);
  return text || fix->finding->is_across_blocks ? text : try_waits(fix);
}

static const char *fix_of(Fix *fix) {
  static const FixMeans fence = {
      .ops = {IR_FENCE_ASYNC}, .n_ops = 1, .word = WORD_fence_async};
  find_spots(fix);
  switch (fix->finding->code) {
  case CODE_RACE: return fix_race(fix);
  case CODE_FENCE: return try_all(fix, &fence);
  case CODE_COPY:
    add_spot(fix, FIX_BEHIND, fix->finding->node);
    return has_race(fix) ? NULL : try_waits(fix);
  default: return NULL;
  }
}

// Runs of another form of the kernel (search_memory.c) name that one's nodes.
static bool fix_is_of_kernel(const IrKernel *kernel, const IrNode *node) {
  while (node->region->owner)
    node = node->region->owner;
  return node->region == &kernel->body;
}

static void find_fix(Check *check, Finding *finding) {
  Fix fix = {.check = check, .finding = finding};
  finding->fix = fix_barrier(check, finding);
  if (!finding->fix)
    finding->fix = fix_of(&fix);
}

// What is tried is bounded by number; the time of all together ends it where
// many attempts take long.
void check_fixes(Check *check) {
  CheckOptions options = *check->options;
  options.solve.end = solve_end_of_part(MOST_MS, &options.solve.end);
  Check own = *check;
  own.options = &options;
  uint32_t n_tried = 0;
  for (uint32_t i = 0; i < check->report->findings.count; i++) {
    Finding *finding = &check->report->findings.data[i];
    if (finding->verdict != VERDICT_BUG || !finding->node || finding->fix ||
        !fix_is_of_kernel(check->kernel, finding->node) ||
        n_tried >= MOST_FIXED || solve_is_over(&options.solve))
      continue;
    find_fix(&own, finding);
    n_tried++;
  }
}
