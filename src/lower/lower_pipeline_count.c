// SPDX-License-Identifier: Apache-2.0
// How many groups take part in a pipeline, where conditions around a produce or
// consume statement let only some of them get there:
//
//   thread for (int who = 0; who < 4; who++)
//       if (who < 3) for (…) produce (p, k) …
//       else         for (…) consume (p, k) …
//
// A condition is evaluated for the first thread of each group: from ranks,
// parts and iterations of split thread loops, which are known from the table
// of groups, constants, and variables that get such values. What can't be
// evaluated must be the same for all of them.
#include "ir/analyses/analysis.h"
#include "ir/form/fold.h"
#include "lower/lower_barrier.h"

enum { MOST_STEPS = 1000 }; // nodes looked at for one condition and thread

typedef struct {
  const IrGroup *home;   // where the pipeline is
  int64_t rank;          // in `home`: the thread that evaluates
  const IrNode **set_of; // by variable: its only SET, or NULL
  int64_t steps;
} Eval;

static bool pipeline_count_eval(Eval *e, const IrNode *node, uint64_t *bits);

// ----------------------------------------------------------------- groups

// The thread's rank in the group and the number of its part; false: it is in
// no part, or nothing is known.
static bool pipeline_count_place_in(Eval *e, const IrGroup *group,
                                    int64_t *rank, int64_t *part) {
  *part = 0;
  *rank = e->rank;
  if (group == e->home)
    return true;
  if (!group->parent || group->parent->kind <= GROUP_CLUSTER ||
      !pipeline_count_place_in(e, group->parent, rank, part) ||
      group->size <= 0)
    return false;
  int64_t size = group->size;
  switch ((int)group->kind) {
  case GROUP_RANGE:
  case GROUP_SINGLE:
    *part = 0;
    *rank -= group->begin;
    return group->begin >= 0 && *rank >= 0 && *rank < size;
  case GROUP_SPLIT:
  case GROUP_TILED:
  case GROUP_WARP:
  case GROUP_THREAD:
    *part = *rank / size;
    *rank %= size;
    return true;
  default: return false;
  }
}

static bool eval_position(Eval *e, const IrNode *node, uint64_t *bits) {
  const IrGroup *group = node->u.group.group;
  int64_t rank, part;
  if (!pipeline_count_place_in(e, group, &rank, &part))
    return false;
  if (node->op == IR_SIZE && group->size <= 0)
    return false;
  *bits = (uint64_t)(node->op == IR_RANK        ? rank
                     : node->op == IR_META_RANK ? part
                                                : group->size);
  return node->op != IR_META_SIZE;
}

// -------------------------------------------------------------- variables

static const IrNode *pipeline_count_loop_of(const IrNode *get) {
  uint32_t var = get->u.variable.var;
  for (const IrNode *up = get->region->owner; up; up = up->region->owner)
    if (up->op == IR_THREAD_FOR && up->u.part.var == var)
      return up;
  return NULL;
}

typedef struct {
  Eval *e;
  uint32_t var;
} Search;

static bool is_no_set(IrNode *node, void *context) {
  const Search *search = context;
  bool is_set = (node->op == IR_SET && node->u.variable.var == search->var) ||
                (node->op == IR_FOR && node->u.loop.var == search->var);
  return ++search->e->steps <= MOST_STEPS && !is_set;
}

static bool may_set(Search *search, const IrNode *node) {
  IrRegion regions[2] = {node->regions[0], node->regions[1]};
  for (uint32_t i = 0; i < node->n_regions; i++)
    if (!ir_walk(&regions[i], is_no_set, search))
      return true;
  return false;
}

// The last SET of the variable from `last` back in its region, for this thread.
// *unknown: there may be one.
static const IrNode *last_set(Search *search, const IrNode *last,
                              bool *unknown) {
  for (const IrNode *node = last; node; node = node->previous) {
    if (++search->e->steps > MOST_STEPS) {
      *unknown = true;
      return NULL;
    }
    if (node->op == IR_SET && node->u.variable.var == search->var)
      return node;
    if (!node->n_regions || !may_set(search, node))
      continue;
    uint64_t bits;
    *unknown = node->op != IR_IF ||
               !pipeline_count_eval(search->e, node->args[0], &bits);
    const IrNode *set =
        *unknown
            ? NULL
            : last_set(search, node->regions[bits & 1 ? 0 : 1].last, unknown);
    if (set || *unknown)
      return set;
  }
  return NULL;
}

static bool pipeline_count_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

static bool counts(const IrNode *loop, uint32_t var) {
  return loop->op == IR_FOR          ? loop->u.loop.var == var
         : loop->op == IR_THREAD_FOR ? loop->u.part.var == var
                                     : false;
}

static const IrNode *reaching_set(Eval *e, const IrNode *get) {
  Search search = {e, get->u.variable.var};
  bool unknown = false;
  for (const IrNode *node = get; node && !unknown; node = node->region->owner) {
    if (node != get && pipeline_count_is_loop(node) &&
        (counts(node, search.var) || may_set(&search, node)))
      return NULL;
    const IrNode *set = last_set(&search, node->previous, &unknown);
    if (set)
      return set;
  }
  return NULL;
}

static bool eval_variable(Eval *e, const IrNode *node, uint64_t *bits) {
  const IrNode *loop = pipeline_count_loop_of(node);
  if (!loop) {
    const IrNode *set = e->set_of[node->u.variable.var];
    set = set ? set : reaching_set(e, node);
    return set && pipeline_count_eval(e, set->args[0], bits);
  }
  int64_t rank, part;
  uint64_t first;
  if (!loop->u.part.is_split ||
      !pipeline_count_eval(e, loop->args[0], &first) ||
      !pipeline_count_place_in(e, loop->u.part.group, &rank, &part))
    return false;
  *bits = first + (uint64_t)(part * loop->u.part.step);
  return true;
}

// ----------------------------------------------------------------- values

static bool pipeline_count_value_of(void *context, const IrNode *node,
                                    uint64_t *bits) {
  return pipeline_count_eval(context, node, bits);
}

static bool pipeline_count_eval(Eval *e, const IrNode *node, uint64_t *bits) {
  if (e->steps++ > MOST_STEPS)
    return false;
  switch ((int)node->op) {
  case IR_GET: return eval_variable(e, node, bits);
  case IR_RANK:
  case IR_SIZE:
  case IR_META_RANK:
  case IR_META_SIZE: return eval_position(e, node, bits);
  default: return ir_fold_by(node, pipeline_count_value_of, e, bits);
  }
}

typedef struct {
  const IrNode **set_of;
  bool *is_moving;
} Sets;

static bool pipeline_count_note_set(IrNode *node, void *context) {
  Sets *sets = context;
  uint32_t var;
  if (node->op == IR_SET)
    var = node->u.variable.var;
  else if (node->op == IR_FOR)
    var = node->u.loop.var;
  else
    return true;
  if (sets->set_of[var] || sets->is_moving[var] || node->op == IR_FOR) {
    sets->is_moving[var] = true;
    sets->set_of[var] = NULL;
  } else {
    sets->set_of[var] = node;
  }
  return true;
}

// ------------------------------------------------------------- taking part

typedef enum { MISSES, GETS_THERE, UNKNOWN } Reach;

// Whether the conditions between the pipeline and the node let the thread
// through; *unknown: the innermost one that can't be evaluated.
static Reach reaches(Eval *e, const IrNode *node, const IrNode *outside,
                     const IrNode **unknown) {
  Reach reach = GETS_THERE;
  for (const IrNode *up = node->region->owner; up && up != outside;
       node = up, up = up->region->owner) {
    if (up->op != IR_IF)
      continue;
    uint64_t bits;
    bool is_then = node->region == &up->regions[0];
    e->steps = 0;
    if (pipeline_count_eval(e, up->args[0], &bits)) {
      if (((bits & 1) != 0) != is_then)
        return MISSES;
    } else if (reach == GETS_THERE) {
      reach = UNKNOWN;
      *unknown = up->args[0];
    }
  }
  return reach;
}

// Unknown conditions around the node that aren't the same for all groups.
static const IrNode *find_differing(Eval *e, const Uniformity *u,
                                    const IrNode *node, const IrNode *outside) {
  for (const IrNode *up = node->region->owner; up && up != outside;
       up = up->region->owner) {
    uint64_t bits;
    e->steps = 0;
    if (up->op == IR_IF && !pipeline_count_eval(e, up->args[0], &bits) &&
        !uniformity_has(u, up->args[0], e->home))
      return up->args[0];
  }
  return NULL;
}

static void report_differing(const Lowering *lw, const Pipeline *pipeline,
                             const StagePlace *place, const IrNode *condition,
                             bool is_produce) {
  const IrModule *module = lw->module;
  Diag *diag = DIAG_REPORT(
      lw->diags, DIAG_pipeline_group, module->locs.data[place->node->loc].place,
      DS(is_produce ? "produce into" : "consume from"), DS(pipeline->name),
      DS("the set of threads that get here isn't"));
  diag_label(lw->diags, diag, module->locs.data[condition->loc].place,
             "this decides which threads get here, and differs between them");
  diag_note(lw->diags, diag, (Place){0},
            "decide by constants and by ranks and parts of groups, or make "
            "the groups that take part by thread_group");
}

typedef struct {
  Lowering *lw;
  const Pipeline *pipeline;
  Eval eval;
  const IrNode *outside;
  Uniformity *uniformity; // once it is needed
} Count;

// True unless a condition that differs was found.
static bool check_unknown(Count *c, const StagePlace *place, bool is_produce) {
  if (!c->uniformity)
    c->uniformity = ir_uniformity(c->lw->scratch, c->lw->kernel);
  const IrNode *condition =
      find_differing(&c->eval, c->uniformity, place->node, c->outside);
  if (condition)
    report_differing(c->lw, c->pipeline, place, condition, is_produce);
  return condition == NULL;
}

// The first threads, by rank in the pipeline's group, that get to the place are
// marked.
static bool mark_place(Count *c, const StagePlace *place, bool is_produce,
                       bool *marks) {
  bool is_checked = false;
  for (int64_t i = 0; i < c->eval.home->size; i++) {
    int64_t rank, part;
    const IrNode *unknown;
    c->eval.rank = i;
    if (!pipeline_count_place_in(&c->eval, place->group, &rank, &part) ||
        rank != 0)
      continue;
    Reach reach = reaches(&c->eval, place->node, c->outside, &unknown);
    if (reach == UNKNOWN && !is_checked && !check_unknown(c, place, is_produce))
      return false;
    is_checked |= reach == UNKNOWN;
    marks[i] |= reach != MISSES;
  }
  return true;
}

bool lower_count_groups(Lowering *lw, const Pipeline *pipeline,
                        StageGroup *group, bool is_produce) {
  const IrKernel *kernel = lw->kernel;
  const IrGroup *home = pipeline->full->group;
  if (group->instances <= 1 || home->size <= 0)
    return true;
  Sets sets = {ARENA_ARRAY(lw->scratch, const IrNode *, kernel->vars.count),
               ARENA_ARRAY(lw->scratch, bool, kernel->vars.count)};
  IrRegion body = kernel->body;
  ir_walk(&body, pipeline_count_note_set, &sets);
  Count c = {.lw = lw,
             .pipeline = pipeline,
             .eval = {.home = home, .set_of = sets.set_of},
             .outside = pipeline->anchor->region->owner};
  bool *marks = ARENA_ARRAY(lw->scratch, bool, (size_t)home->size);
  for (uint32_t i = 0; i < group->places.count; i++)
    if (!mark_place(&c, &group->places.data[i], is_produce, marks)) {
      lw->has_failed = true;
      return false;
    }
  group->instances = 0;
  for (int64_t i = 0; i < home->size; i++)
    group->instances += marks[i];
  return true;
}
