// SPDX-License-Identifier: Apache-2.0
// The walk over a kernel for one set of threads, with the touches that are
// open: made by a thread of the set, and not closed by a sync of all of the
// set, on some way to where the walk is.
//
// Nothing is removed but by a sync that all threads of the set pass together,
// so the open touches are at least those that another thread may still be at.
// Note [Open touches] in docs/internals/check.md.
#include "check/prove/race.h"
#include <string.h>

enum {
  MAX_OPEN = 20000,     // kinds of open touches of one set
  MAX_VISITS = 2000000, // steps walked for one set
  MAX_SETS_OPEN = 62,   // of one thread's copies
};

// A step that ways out lead to, while the walk is inside.
typedef struct Landing {
  const Step *target;
  Open left, next; // at its end, at its next turn
  struct Landing *outer;
} Landing;

typedef struct {
  Race *race;
  const SyncSet *set;
  OpenTable *table;
  Arena *arena;
  const uint8_t *marks;
  Open open;
  Landing *landing;
  Open at_end;
  uint32_t first_turn; // loops by depth, see Pair
  uint32_t n_visits;
  uint32_t most_sets; // more closed sets of copies needn't be told apart
} Flow;

static void flow_list(Flow *flow, const Step *first);

static bool phase_flow_is_followed(const Flow *flow, const Step *step) {
  return flow->marks[step->id] & (MARK_SYNC | MARK_ASYNC | MARK_EXIT);
}

static void give_up(Flow *flow, const Step *step) {
  race_give_up_comparing(flow->race, step);
}

// ------------------------------------------------------- changing what is open

// What becomes of an open touch; NULL: it is closed.
typedef const OpenTouch *(*Change)(Flow *flow, const OpenTouch *touch,
                                   void *context);

static void change_open(Flow *flow, Open *open, Change change, void *context) {
  Open result = {0};
  for (uint32_t id = open_next(open, 0); id != UINT32_MAX;
       id = open_next(open, id + 1)) {
    const OpenTouch *touch = change(flow, open_get(flow->table, id), context);
    if (touch)
      open_add(flow->table, &result, touch->id);
  }
  *open = result;
}

static Turning turning_of(const Flow *flow) {
  return (Turning){flow->race, flow->table};
}

static const OpenTouch *with_sets(Flow *flow, const OpenTouch *touch,
                                  uint32_t sets) {
  if (sets == touch->sets)
    return touch;
  OpenTouch changed = *touch;
  changed.sets = (uint16_t)(sets < flow->most_sets ? sets : flow->most_sets);
  return open_intern(flow->table, &changed);
}

// The loop at this depth goes on with its next turn.
static const OpenTouch *age_turn(Flow *flow, const OpenTouch *touch,
                                 void *context) {
  const Turning turning = turning_of(flow);
  return open_next_turn(&turning, touch, *(const uint32_t *)context);
}

static const OpenTouch *enter_loop(Flow *flow, const OpenTouch *touch,
                                   void *context) {
  const Turning turning = turning_of(flow);
  return open_enter_loop(&turning, touch, *(const uint32_t *)context);
}

static const OpenTouch *pass_loop(Flow *flow, const OpenTouch *touch,
                                  void *context) {
  const Turning turning = turning_of(flow);
  return open_pass_loop(&turning, touch, context);
}

typedef struct {
  uint32_t from;          // depth from which on loops are left
  const CheckLoop *ended; // by its condition, or NULL
} LeftLoops;

static const OpenTouch *leave_loops(Flow *flow, const OpenTouch *touch,
                                    void *context) {
  const LeftLoops *left = context;
  const Turning turning = turning_of(flow);
  return open_leave_loops(&turning, touch, left->from, left->ended);
}

// ------------------------------------------------------- touches

static bool is_aligned(const Flow *flow, const Step *loop) {
  if (flow->race->loop_depth[loop->u.loop.loop->id] >= TURN_LOOPS)
    return false;
  return flow->set->kind == SET_THREAD ||
         (flow->marks[loop->id] & MARK_SYNC) != 0;
}

static uint64_t turns_of(const Flow *flow, const Step *step) {
  uint64_t turns = 0;
  bool is_copy = step->u.touch.touch->done != DONE_AT_ONCE;
  for (const Step *s = step->parent; s; s = s->parent) {
    if (s->kind != STEP_LOOP)
      continue;
    uint32_t depth = flow->race->loop_depth[s->u.loop.loop->id];
    if (is_aligned(flow, s))
      turns = open_with_turn(turns, depth, TURN_SAME);
    else if (is_copy && phase_flow_is_followed(flow, s))
      turns = open_with_turn(turns, depth, TURN_OWN);
  }
  return turns;
}

static bool is_in_group_sets(const OpenTouch *touch, const IrGroup *group) {
  const Touch *t = touch->step->u.touch.touch;
  return touch->sets && t->done == DONE_GROUP && t->copied_by == group;
}

static const OpenTouch *age_group(Flow *flow, const OpenTouch *touch,
                                  void *context) {
  return is_in_group_sets(touch, context)
             ? with_sets(flow, touch, touch->sets + 1u)
             : touch;
}

static uint16_t sets_of(const Touch *touch) {
  switch (touch->done) {
  case DONE_AT_ONCE: return 0;
  case DONE_GROUP: return 2; // a set of its own
  case DONE_SETS:
  case DONE_TMA_SETS:
  case DONE_MATRIX:
  case DONE_TENSOR:
  case DONE_BARRIER: break;
  }
  return 1;
}

// Of one thread: its tensor core does one after the other.
static bool is_in_order(const Flow *flow, const Step *first,
                        const Step *second) {
  return flow->set->kind == SET_THREAD &&
         first->u.touch.touch->done == DONE_TENSOR &&
         second->u.touch.touch->done == DONE_TENSOR;
}

static void flow_touch(Flow *flow, const Step *step) {
  Race *race = flow->race;
  const Touch *touch = step->u.touch.touch;
  if (touch->done == DONE_GROUP && (flow->marks[step->id] & MARK_FIRST))
    change_open(flow, &flow->open, age_group,
                (void *)(uintptr_t)touch->copied_by);
  if (!race->is_relevant[step->id])
    return;
  OpenTouch model = {
      .step = step, .turns = turns_of(flow, step), .sets = sets_of(touch)};
  const OpenTouch *own = open_intern(flow->table, &model);
  if (own->id >= MAX_OPEN) {
    give_up(flow, step);
    return;
  }
  Pair pair = {.race = race,
               .set = flow->set,
               .second = step,
               .first_turn = flow->first_turn};
  for (uint32_t id = open_next(&flow->open, 0); id != UINT32_MAX;
       id = open_next(&flow->open, id + 1)) {
    if (race_is_over(race, step))
      return;
    pair.first = open_get(flow->table, id);
    if (!is_in_order(flow, pair.first->step, step))
      race_pair(&pair);
  }
  if (flow->set->kind != SET_THREAD) {
    pair.first = own;
    race_pair(&pair);
  }
  if (flow->set->kind != SET_THREAD || own->sets)
    open_add(flow->table, &flow->open, own->id);
}

// ------------------------------------------------------- syncs and copies

static const OpenTouch *close_synced(Flow *flow, const OpenTouch *touch,
                                     void *context) {
  (void)flow, (void)context;
  return touch->sets ? touch : NULL;
}

static const OpenTouch *mark_arrived(Flow *flow, const OpenTouch *touch,
                                     void *context) {
  const IrGroup *group = context;
  if (touch->sets || touch->arrived)
    return touch; // one mark is kept, the first
  OpenTouch changed = *touch;
  changed.arrived = (uint16_t)(group->id + 1);
  return open_intern(flow->table, &changed);
}

static const OpenTouch *close_arrived(Flow *flow, const OpenTouch *touch,
                                      void *context) {
  (void)flow;
  const IrGroup *group = context;
  return !touch->sets && touch->arrived == group->id + 1 ? NULL : touch;
}

static void flow_meet(Flow *flow, const Step *step) {
  const IrGroup *group = step->u.meet.group;
  if (!flow->set->ordered_by[group->id] || group->id >= UINT16_MAX - 1)
    return;
  void *context = (void *)(uintptr_t)group;
  if (step->kind == STEP_SYNC)
    change_open(flow, &flow->open, close_synced, NULL);
  else if (step->kind == STEP_ARRIVE)
    change_open(flow, &flow->open, mark_arrived, context);
  else
    change_open(flow, &flow->open, close_arrived, context);
}

static const OpenTouch *close_set(Flow *flow, const OpenTouch *touch,
                                  void *context) {
  const Step *commit = context;
  if (!touch->sets || touch->step->u.touch.touch->done != commit->u.sets.done)
    return touch;
  return with_sets(flow, touch, touch->sets + 1u);
}

static const OpenTouch *finish_sets(Flow *flow, const OpenTouch *touch,
                                    void *context) {
  const Step *wait = context;
  const Touch *t = touch->step->u.touch.touch;
  if (touch->sets < 2 || t->done != wait->u.sets.done ||
      (wait->u.sets.reads_only && t->is_write) ||
      (t->done == DONE_GROUP && t->copied_by != wait->u.sets.group))
    return touch;
  if (wait->u.sets.n_newest > touch->sets - 2)
    return touch;
  // Its own thread goes on behind the wait: nothing is left to compare.
  if (flow->set->kind == SET_THREAD)
    return NULL;
  return with_sets(flow, touch, 0);
}

// ------------------------------------------------------- control

static const OpenTouch *only_from(Flow *flow, const OpenTouch *touch,
                                  void *context) {
  (void)flow;
  const uint32_t *range = context;
  return touch->step->id >= range[0] && touch->step->id < range[1] ? touch
                                                                   : NULL;
}

typedef struct {
  const Open *common; // open on both ways: unchanged
  const Term *condition;
} OneWay;

static const OpenTouch *went_one_way(Flow *flow, const OpenTouch *touch,
                                     void *context) {
  const OneWay *way = context;
  const Turning turning = turning_of(flow);
  return open_has(way->common, touch->id)
             ? touch
             : open_with_extra(&turning, touch, way->condition);
}

// What is open where two ways meet. What is so on one way only went that way:
// its thread did, and the condition is no other one later.
static void join_ways(Flow *flow, Open *a, Open *b, const Term *condition) {
  if (condition && race_is_timeless(condition)) {
    Open before = open_copy(flow->table, a);
    change_open(flow, a, went_one_way, &(OneWay){b, condition});
    change_open(flow, b, went_one_way,
                &(OneWay){&before, term_not(flow->race->terms, condition)});
  }
  open_unite(flow->table, a, b);
}

static void flow_if(Flow *flow, const Step *step) {
  if (!(flow->marks[step->id] & (MARK_SYNC | MARK_ASYNC))) {
    flow_list(flow, step->u.branch.body);
    flow_list(flow, step->u.branch.other);
    return;
  }
  Open before = open_copy(flow->table, &flow->open);
  flow_list(flow, step->u.branch.body);
  Open taken = flow->open;
  flow->open = before;
  if (!(flow->marks[step->id] & MARK_SYNC) && step->u.branch.other) {
    // Nothing says that all threads go one way: one side's touches are open on
    // the other.
    Open inside = open_copy(flow->table, &taken);
    uint32_t range[2] = {step->id, step->u.branch.other->id};
    change_open(flow, &inside, only_from, range);
    open_unite(flow->table, &flow->open, &inside);
  }
  flow_list(flow, step->u.branch.other);
  Open other = flow->open;
  join_ways(flow, &taken, &other, step->u.branch.condition);
  flow->open = taken;
}

static bool phase_flow_is_part(const Step *step) {
  return step->node &&
         (step->node->op == IR_GROUP || step->node->op == IR_THREAD_FOR ||
          step->node->op == IR_WITH);
}

// The condition under which threads of the set run the scope: NULL: all do.
static const Term *scope_condition(Flow *flow, const Step *step, bool *is_all) {
  *is_all = true;
  if (!phase_flow_is_part(step) ||
      !(flow->marks[step->id] & (MARK_SYNC | MARK_ASYNC)) ||
      race_all_members(flow->race, flow->set, step->node->u.part.group))
    return NULL;
  *is_all = false;
  const GroupView *view =
      tree_group(flow->race->tree, step->node->u.part.group);
  return view && view->is_known ? view->member : NULL;
}

static void flow_scope(Flow *flow, const Step *step) {
  bool is_all;
  const Term *condition = scope_condition(flow, step, &is_all);
  Open before = {0};
  if (!is_all)
    before = open_copy(flow->table, &flow->open);
  Landing landing = {.target = step, .outer = flow->landing};
  flow->landing = &landing;
  flow_list(flow, step->u.scope.body);
  flow->landing = landing.outer;
  open_unite(flow->table, &flow->open, &landing.left);
  if (!is_all)
    join_ways(flow, &flow->open, &before, condition);
}

static void flow_exit(Flow *flow, const Step *step) {
  Landing *landing = flow->landing;
  while (landing && landing->target != step->u.exit.target)
    landing = landing->outer;
  if (!landing) { // the end of the kernel
    open_unite(flow->table, &flow->at_end, &flow->open);
    return;
  }
  const Race *race = flow->race;
  const Step *target = landing->target;
  uint32_t outside = target->loop ? race->loop_depth[target->loop->id] + 1 : 0;
  LeftLoops left = {.from = outside + (step->u.exit.is_continue ? 1 : 0)};
  Open open = open_copy(flow->table, &flow->open);
  change_open(flow, &open, leave_loops, &left);
  open_unite(flow->table,
             step->u.exit.is_continue ? &landing->next : &landing->left, &open);
  // The walk goes on as if the way out weren't taken: not all threads of the
  // set need take it, unless a sync follows, and then the paths say so.
}

// One turn of the body; what is open at the start of the next one is added to
// `ends`. Ways out by `break` gather in the innermost landing, the loop's own.
static void phase_flow_turn(Flow *flow, const Step *step, Open *ends) {
  flow->landing->next = (Open){0};
  flow_list(flow, step->u.loop.body);
  open_unite(flow->table, ends, &flow->open);
  open_unite(flow->table, ends, &flow->landing->next);
}

// It is entered, and left by ways out in its body alone: no test of it was
// taken for a number of turns.
static bool is_endless(const Step *step) {
  return step->node->op == IR_LOOP && !step->u.loop.loop->trips;
}

static bool has_a_turn(Flow *flow, const Step *step) {
  const CheckLoop *loop = step->u.loop.loop;
  if (!loop->trips)
    return is_endless(step);
  TermTable *terms = flow->race->terms;
  const Term *some = term_le(terms, term_int(terms, 1), loop->trips);
  return some->kind == TERM_TRUE ||
         solver_proves(flow->race->check->solver, step->path, some);
}

// Turn after turn until nothing new is open at the start of one.
static void flow_loop(Flow *flow, const Step *step) {
  uint32_t depth = flow->race->loop_depth[step->u.loop.loop->id];
  bool aligned = is_aligned(flow, step);
  uint32_t first_turn = flow->first_turn;
  Landing landing = {.target = step, .outer = flow->landing};
  // cppcheck-suppress autoVariables ; put back below
  flow->landing = &landing;
  Open before = open_copy(flow->table, &flow->open), ends = {0};
  if (aligned) {
    flow->first_turn |= 1u << depth;
    change_open(flow, &flow->open, enter_loop, &depth);
  }
  phase_flow_turn(flow, step, &ends);
  flow->first_turn = first_turn;
  Open head = {0};
  bool is_new = true;
  while (is_new) {
    Open next = open_copy(flow->table, &ends);
    change_open(flow, &next, age_turn, &depth);
    is_new = open_unite(flow->table, &head, &next) && !flow->race->gave_up;
    if (is_new) {
      flow->open = open_copy(flow->table, &head);
      phase_flow_turn(flow, step, &ends);
    }
  }
  flow->landing = landing.outer;
  change_open(flow, &ends, leave_loops,
              &(LeftLoops){.from = depth, .ended = step->u.loop.loop});
  flow->open = ends;
  if (is_endless(step))
    flow->open = (Open){0};
  open_unite(flow->table, &flow->open, &landing.left);
  if (has_a_turn(flow, step))
    return;
  change_open(flow, &before, pass_loop, (void *)(uintptr_t)step->u.loop.loop);
  open_unite(flow->table, &flow->open, &before);
}

// Nothing in it orders anything: its touches are open together.
static void flow_flat(Flow *flow, const Step *step) {
  switch (step->kind) {
  case STEP_TOUCH: flow_touch(flow, step); break;
  case STEP_IF:
    flow_list(flow, step->u.branch.body);
    flow_list(flow, step->u.branch.other);
    break;
  case STEP_LOOP: flow_list(flow, step->u.loop.body); break;
  case STEP_SCOPE: flow_list(flow, step->u.scope.body); break;
  case STEP_EXIT:
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_BARRIER:
  case STEP_COMMIT:
  case STEP_COPY_WAIT:
  case STEP_FENCE_ASYNC:
  case STEP_COLLECTIVE:
  case STEP_CLAIM:
  case STEP_FENCE:
  case STEP_OBLIGATION: break;
  }
}

static void flow_step(Flow *flow, const Step *step) {
  switch (step->kind) {
  case STEP_IF: flow_if(flow, step); break;
  case STEP_LOOP: flow_loop(flow, step); break;
  case STEP_SCOPE: flow_scope(flow, step); break;
  case STEP_EXIT: flow_exit(flow, step); break;
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT: flow_meet(flow, step); break;
  case STEP_COMMIT:
    change_open(flow, &flow->open, close_set, (void *)(uintptr_t)step);
    break;
  case STEP_COPY_WAIT:
    change_open(flow, &flow->open, finish_sets, (void *)(uintptr_t)step);
    break;
  case STEP_TOUCH: flow_touch(flow, step); break;
  case STEP_BARRIER:
  case STEP_FENCE_ASYNC:
  case STEP_COLLECTIVE:
  case STEP_CLAIM:
  case STEP_FENCE:
  case STEP_OBLIGATION: break;
  }
}

static void flow_list(Flow *flow, const Step *first) {
  for (const Step *step = first; step; step = step->next) {
    if (race_is_over(flow->race, step))
      return;
    if (flow->n_visits++ > MAX_VISITS)
      give_up(flow, step);
    else if (phase_flow_is_followed(flow, step))
      flow_step(flow, step);
    else
      flow_flat(flow, step);
  }
}

static uint32_t most_sets(const Race *race) {
  int64_t most = 0;
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (step && step->kind == STEP_COPY_WAIT && step->u.sets.n_newest > most)
      most = step->u.sets.n_newest;
  }
  return most + 3 < MAX_SETS_OPEN ? (uint32_t)most + 3 : MAX_SETS_OPEN;
}

static bool is_open_at_end(const Flow *flow, const Step *step) {
  for (uint32_t id = open_next(&flow->open, 0); id != UINT32_MAX;
       id = open_next(&flow->open, id + 1)) {
    const OpenTouch *open = open_get(flow->table, id);
    if (open->step == step && race_is_possible(flow->race, flow->set, open))
      return true;
  }
  return false;
}

// Of a copy from shared memory what it reads must be done, which is gone with
// the block; what it writes, the end of the kernel waits for.
static const Step *ends_first(const Race *race, uint32_t i) {
  const Step *write = race->steps.data[i];
  if (write->u.touch.touch->done != DONE_TMA_SETS)
    return write;
  while (i-- > 0) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH || step->node != write->node)
      continue;
    return race->is_relevant[step->id] ? step : write;
  }
  return write;
}

// The kernel ends: every copy that its threads can wait for must be done.
static void check_ends(Flow *flow) {
  Race *race = flow->race;
  open_unite(flow->table, &flow->open, &flow->at_end);
  for (uint32_t i = 0; i < race->steps.count && !race->gave_up; i++) {
    const Step *step = race->steps.data[i];
    if (!step || step->kind != STEP_TOUCH)
      continue;
    const Touch *touch = step->u.touch.touch;
    bool is_last = touch->is_write || touch->done == DONE_MATRIX;
    if (!is_last || touch->done == DONE_AT_ONCE ||
        touch->done == DONE_BARRIER || touch->done == DONE_TENSOR)
      continue;
    if (!is_open_at_end(flow, ends_first(race, i)))
      check_proved(race->check);
    else
      check_suspect(race->check,
                    &(Suspect){.kind = SUSPECT_COPY,
                               .a = step,
                               .reason.text =
                                   "no wait is proved to complete this "
                                   "copy before the threads end"});
  }
}

void race_flow(Race *race, const SyncSet *set) {
  Arena *arena = arena_new();
  Flow flow = {.race = race,
               .set = set,
               .arena = arena,
               .table = open_table_new(arena),
               .most_sets = most_sets(race),
               .marks = race_mark(race, arena, set)};
  flow_list(&flow, race->tree->first);
  if (set->kind == SET_THREAD)
    check_ends(&flow);
  arena_free(arena);
}
