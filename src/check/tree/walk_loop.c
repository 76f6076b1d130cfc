// SPDX-License-Identifier: Apache-2.0
// Loops.
//
// Note [Walking a loop]. First a walk of the body makes no steps: the loop's
// variables start as symbols (heads), and what they are at the end of a turn
// are terms of those. From these, induct.c guesses laws, variables as terms of
// the turn, and proves them. Then the body is walked with the laws in place of
// the variables; those without a law are symbols of their own in every turn.
//
// A loop inside a body that is walked for laws is walked once, for what its
// variables are behind it; so a node is walked as often as loops stand around
// it, and once more. When the budget for that is used up, loops have no laws.
#include "check/tree/induct.h"

typedef struct {
  const IrNode *node;
  CheckLoop *loop;
  bool is_counted, is_signed;
  uint32_t var; // counted
  const Term *first, *step;
  const Term *condition; // counted: the turn exists
  const Value *variable; // counted: in the turn
} Loop;

// ------------------------------------------------------------------ counting

static const Term *walk_loop_bound(Walk *w, const IrNode *node, uint32_t k,
                                   bool is_signed) {
  const Value *value = walk_arg(w, node, k);
  return is_signed ? value_signed(w, value) : value_unsigned(w, value);
}

static void make_turn(Walk *w, Loop *loop, int64_t most) {
  Symbol model = {
      .kind = SYMBOL_TURN, .name = "turn", .high = most, .loop = loop->loop};
  if (loop->is_counted)
    model.name = w->kernel->vars.data[loop->var].name;
  if (!model.name)
    model.name = "turn";
  loop->loop->turn = term_symbol_new(w->terms, &model);
}

// The largest number of a turn and one more, where turns go on as long as
// by * turn <= room.
static int64_t last_turn(Walk *w, const Term *room, int64_t by) {
  int64_t low, high;
  term_interval(w->terms, room, &low, &high);
  if (high == INT64_MAX)
    return INT64_MAX;
  return high < 0 ? 0 : high / by + 1;
}

// Turns of first, first + step, … below (step < 0: above) the bound.
static void walk_loop_count_turns(Walk *w, Loop *loop, const Term *last,
                                  int64_t step, bool is_inclusive) {
  TermTable *t = w->terms;
  const Term *distance = step > 0 ? term_sub(t, last, loop->first)
                                  : term_sub(t, loop->first, last);
  int64_t by = step > 0 ? step : -step;
  const Term *room =
      is_inclusive ? distance : term_sub(t, distance, term_int(t, 1));
  make_turn(w, loop, last_turn(w, room, by));
  loop->loop->trips =
      term_add(t, term_div(t, room, term_int(t, by)), term_int(t, 1));
  loop->step = term_int(t, step);
  const Term *turn = term_of(t, loop->loop->turn);
  loop->condition = term_le(t, term_scale(t, turn, by), room);
}

static void start_for(Walk *w, Loop *loop) {
  const IrNode *node = loop->node;
  TermTable *t = w->terms;
  bool is_signed = node->u.loop.is_signed;
  int64_t step = node->u.loop.step;
  loop->var = node->u.loop.var;
  loop->is_counted = true;
  loop->is_signed = is_signed;
  loop->first = walk_loop_bound(w, node, 0, is_signed);
  const Term *last = walk_loop_bound(w, node, 1, is_signed);
  walk_loop_count_turns(w, loop, last, step, node->u.loop.is_inclusive);
  const Term *at = term_add(t, loop->first,
                            term_scale(t, term_of(t, loop->loop->turn), step));
  loop->variable = value_int(w, ir_type_bits(node->args[0]->type), at,
                             is_signed, !is_signed);
}

// The thread of rank r runs iterations r, r + M, … of a group of M.
static void start_strided(Walk *w, Loop *loop) {
  const IrNode *node = loop->node;
  TermTable *t = w->terms;
  const GroupView *view = walk_view(w, node->u.part.parent);
  loop->var = node->u.part.var;
  loop->is_counted = true;
  loop->is_signed = true;
  loop->loop->is_thread_loop = true;
  const Term *lo = walk_loop_bound(w, node, 0, true),
             *hi = walk_loop_bound(w, node, 1, true);
  int64_t step = node->u.part.step, size;
  const Term *rank = view->rank, *of = view->size;
  if (!view->is_known) {
    const Symbol *unknown = walk_symbol(w, "rank", node, NULL, 0, 1023);
    rank = term_of(t, unknown);
    unknown = walk_symbol(w, "size", node, node->u.part.parent, 1, 1024);
    of = term_of(t, unknown);
  }
  loop->first = term_add(t, lo, term_scale(t, rank, step));
  if (term_is_constant(of, &size) && size > 0 && size * step / size == step) {
    walk_loop_count_turns(w, loop, hi, step * size, false);
  } else {
    make_turn(w, loop, last_turn(w, term_sub(t, hi, loop->first), step));
    loop->step = term_scale(t, of, step);
    const Term *turn = term_of(t, loop->loop->turn);
    loop->condition =
        term_lt(t, term_add(t, loop->first, term_mul(t, loop->step, turn)), hi);
  }
  const Term *turn = term_of(t, loop->loop->turn);
  const Term *at = term_add(t, loop->first, term_mul(t, loop->step, turn));
  loop->variable =
      value_int(w, ir_type_bits(node->args[0]->type), at, true, false);
}

static void walk_loop_start(Walk *w, Loop *loop) {
  if (loop->node->op == IR_FOR)
    start_for(w, loop);
  else if (loop->node->op == IR_THREAD_FOR)
    start_strided(w, loop);
  else
    make_turn(w, loop, INT64_MAX);
}

// ------------------------------------------------------------------- bodies

typedef struct {
  Join *join;
  Step *step;
  const IrGroup *group;
  uint32_t path_mark;
} Body;

static Body body_enter(Walk *w, Loop *loop, Step *step) {
  Body body = {.step = step, .group = w->group, .path_mark = w->path.count};
  body.join = join_open(w, loop->node, step);
  w->loop = loop->loop;
  if (loop->loop->is_thread_loop)
    w->group = loop->node->u.part.group;
  if (loop->is_counted) {
    env_set(w, loop->var, loop->variable);
    path_push_way(w, loop->condition, false);
  }
  return body;
}

static void body_walk(Walk *w, const Loop *loop, Body *body) {
  StepPlace place =
      step_enter(w, body->step, body->step ? &body->step->u.loop.body : NULL);
  w->is_reachable = true;
  walk_region(w, &loop->node->regions[0]);
  if (w->is_reachable)
    join_add(w, body->join, true);
  step_leave(w, place);
}

static void body_leave(Walk *w, const Loop *loop, Body *body) {
  join_close(w, body->join);
  w->group = body->group;
  w->loop = loop->loop->parent;
}

// ------------------------------------------------------------- what is behind

// Threads of the group leave at the same turn, if each exit is decided by
// conditions that are the same for them.
bool walk_leaves_together(const Walk *w, const IrNode *exit, const IrNode *loop,
                          const IrGroup *group) {
  const IrNode *node = exit->region->owner;
  for (; node && node != loop; node = node->region->owner) {
    if (node->op == IR_BLOCK || node->op == IR_CALL)
      continue;
    if (node->op != IR_IF ||
        !uniformity_has(w->uniformity, node->args[0], group))
      return false;
  }
  return node == loop;
}

static const IrGroup *exit_over(Walk *w, const Loop *loop, const Join *join) {
  const IrGroup *over = NULL;
  for (const IrGroup *group = w->group; group; group = group->parent) {
    bool is_same = true;
    for (uint32_t i = 0; i < join->exits.count && is_same; i++)
      is_same = walk_leaves_together(w, join->exits.data[i], loop->node, group);
    if (is_same)
      over = group;
  }
  return over;
}

static const Value *lost_behind(Walk *w, const LoopLaws *laws,
                                const LoopVar *var, const Term *trips) {
  const Term *high = NULL;
  if (var->high && trips)
    high = induct_put(w, var->high, laws->turn, trips);
  return value_lost_within(w, var->low, high);
}

// All turns were done: what laws say then.
static Incoming all_turns(Walk *w, const Loop *loop, const LoopLaws *laws,
                          Closing *closing) {
  TermTable *t = w->terms;
  Incoming incoming = {.loop = w->loop};
  incoming.changes = ARENA_ARRAY(w->arena, VarValue, laws->n + 1);
  const Term *trips = loop->loop->trips;
  if (trips)
    trips = term_max(t, trips, term_int(t, 0));
  for (uint32_t i = 0; i < laws->n; i++) {
    const LoopVar *var = &laws->vars[i];
    const Value *value = lost_behind(w, laws, var, trips);
    if (var->law && trips)
      value = induct_at(w, laws, var, trips);
    if (laws->has_follower && value->kind != VALUE_LOST)
      value = value_map(w, value, closing_symbol, closing);
    incoming.changes[incoming.n_changes++] = (VarValue){var->var, value};
  }
  incoming.changes[incoming.n_changes++] = (VarValue){loop->var, value_lost(w)};
  return incoming;
}

static void arrive_behind(Walk *w, const Loop *loop, Join *join,
                          const LoopLaws *laws) {
  TermTable *t = w->terms;
  Closing *closing =
      closing_new(w, loop->loop->parent, exit_over(w, loop, join));
  const Term *trips = loop->loop->trips;
  bool is_ended = trips && !loop->is_counted && !loop->loop->has_exit;
  if (is_ended)
    closing_end(closing, loop->loop->turn, term_max(t, trips, term_int(t, 0)));
  uint32_t n = join->ends.count;
  Incoming *ways = ARENA_ARRAY(w->arena, Incoming, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    ways[i] = join->ends.data[i];
    bool is_deeper = ways[i].loop != loop->loop;
    incoming_close(w, &ways[i], loop->loop->parent, is_deeper ? NULL : closing);
  }
  // Which of several tests ended it the number of turns says.
  bool is_by_exit = n > 0 && !loop->is_counted && !(is_ended && n > 1);
  if (loop->is_counted)
    ways[n++] = all_turns(w, loop, laws, closing);
  if (n == 1 && !is_by_exit)
    ways[0].condition = term_true(t);
  join_arrive(w, ways, n, is_by_exit);
  if (join->has_escape && w->is_reachable)
    path_leave_out(w);
}

// --------------------------------------------------------------------- laws

static bool holds_number(const Walk *w, uint32_t var) {
  IrType type = walk_element(w, walk_var(w, var)->type);
  return ir_type_is_int(type) || (type.kind == IR_TYPE_BOOL && type.lanes <= 1);
}

static void make_head(Walk *w, LoopVar *var) {
  IrType type = walk_element(w, walk_var(w, var->var)->type);
  bool is_bool = type.kind == IR_TYPE_BOOL;
  bool is_unsigned = w->var_hints[var->var] == HINT_UNSIGNED;
  uint32_t bits = ir_type_bits(type);
  int64_t low = 0, high = 1;
  if (!is_bool)
    type_range(bits, is_unsigned, &low, &high);
  if (walk_is_counter(w, var->var))
    counts_range(w, var->var, &low, &high);
  var->symbol = walk_variable(w, var->var, NULL, NULL, low, high);
  var->head = is_bool ? value_bool(w, symbol_holds(w, var->symbol))
                      : value_int(w, bits, term_of(w->terms, var->symbol),
                                  !is_unsigned, is_unsigned);
}

// A pointer like no other, by which its variable is known at the turn's end.
static const Value *pointer_head(Walk *w, uint32_t var) {
  Value *head = value_new(w, VALUE_POINTER);
  head->head_var = var + 1;
  head->term = term_int(w->terms, 0);
  head->loop = w->loop;
  return head;
}

static void list_vars(Walk *w, const Loop *loop, LoopLaws *laws) {
  const LoopVars *changed = w->changed[loop->node->id];
  bool is_all = changed->is_all;
  uint32_t n = is_all ? w->n_vars : changed->n;
  laws->loop = loop->loop;
  laws->last_turn = INT64_MAX;
  laws->vars = ARENA_ARRAY(w->arena, LoopVar, n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t var = is_all ? i : changed->vars[i];
    if (!loop->is_counted || var != loop->var)
      laws->vars[laws->n++] = (LoopVar){.var = var};
  }
}

static void set_heads(Walk *w, const Loop *loop, LoopLaws *laws) {
  CheckLoop *outer = w->loop;
  w->loop = loop->loop;
  for (uint32_t i = 0; i < laws->n; i++) {
    LoopVar *var = &laws->vars[i];
    const Value *start = w->vars[var->var];
    if (holds_number(w, var->var)) {
      if (start && start->kind == VALUE_LOST)
        start = value_of_lost(w, start, var->var);
      make_head(w, var);
    } else if (walk_var(w, var->var)->type.kind == IR_TYPE_PTR) {
      var->head = pointer_head(w, var->var);
    }
    var->start = start;
    env_set(w, var->var, var->head ? var->head : value_lost(w));
  }
  w->loop = outer;
}

static const Term *way_back(Walk *w, const Join *join) {
  const Term *any = term_false(w->terms);
  for (uint32_t i = 0; i < join->nexts.count; i++) {
    if (!join->nexts.data[i].condition)
      return term_true(w->terms);
    any = term_or(w->terms, any, join->nexts.data[i].condition);
  }
  return walk_size(w, any) > WALK_MAX_SIZE ? term_true(w->terms) : any;
}

// Variables at the end of a turn; the environment holds the heads.
static void walk_loop_take_back(Walk *w, const Loop *loop, Join *join,
                                LoopLaws *laws) {
  uint32_t saved_base, mark = env_mark(w, &saved_base);
  CheckLoop *outer = w->loop;
  w->loop = loop->loop;
  for (uint32_t i = 0; i < join->nexts.count; i++)
    incoming_close(w, &join->nexts.data[i], loop->loop, NULL);
  laws->back_path = way_back(w, join);
  laws->has_back = join->nexts.count > 0;
  if (join->nexts.count)
    env_merge(w, join->nexts.data, join->nexts.count);
  for (uint32_t i = 0; i < laws->n; i++)
    laws->vars[i].back = w->vars[laws->vars[i].var];
  w->loop = outer;
  env_undo(w, mark, saved_base);
}

static Join *try_laws(Walk *w, Loop *loop, LoopLaws *laws) {
  uint32_t saved_base, mark = env_mark(w, &saved_base);
  uint32_t assumed = w->assumptions.count;
  w->dry++;
  set_heads(w, loop, laws);
  Body body = body_enter(w, loop, NULL);
  body_walk(w, loop, &body);
  body_leave(w, loop, &body);
  walk_loop_take_back(w, loop, body.join, laws);
  w->dry--;
  env_undo(w, mark, saved_base);
  w->n_assumed = assumed;
  if (w->is_cut)
    laws->back_path = NULL; // it may lack ways
  else
    induct(w, laws);
  return w->is_cut ? NULL : body.join;
}

// The walk for laws: its ways out, with the laws in them where they are known.
static Join *find_laws(Walk *w, Loop *loop, LoopLaws *laws) {
  uint32_t n_starts = w->n_starts;
  bool was_cut = w->is_cut;
  Join *join = try_laws(w, loop, laws);
  if (!laws->is_forgotten || w->n_starts == n_starts || w->doubts_starts)
    return join;
  LoopLaws again = {.turn = laws->turn};
  list_vars(w, loop, &again);
  w->is_cut = was_cut;
  w->doubts_starts = true;
  join = try_laws(w, loop, &again);
  w->doubts_starts = false;
  *laws = again;
  return join;
}

static void lose_vars(Walk *w, const Loop *loop, const LoopLaws *laws) {
  for (uint32_t i = 0; i < laws->n; i++)
    env_set(w, laws->vars[i].var, value_lost(w));
  if (loop->is_counted)
    env_set(w, loop->var, value_lost(w));
}

static void replace_heads(Walk *w, Join *join, LoopLaws *laws) {
  for (uint32_t i = 0; i < join->stays.count; i++)
    join->stays.data[i] =
        term_replace(w->terms, join->stays.data[i], induct_replace, laws);
  for (uint32_t i = 0; i < join->ends.count; i++) {
    Incoming *way = &join->ends.data[i];
    if (way->condition)
      way->condition =
          term_replace(w->terms, way->condition, induct_replace, laws);
    for (uint32_t k = 0; k < way->n_changes; k++)
      if (way->changes[k].value && way->changes[k].value->kind != VALUE_LOST)
        way->changes[k].value =
            value_map(w, way->changes[k].value, induct_replace, laws);
  }
}

// Too many to compare: one way, on which every variable is lost.
static void lose_ways(Walk *w, Join *join, const LoopLaws *laws) {
  Incoming way = {.loop = w->loop, .n_changes = laws->n};
  way.changes = ARENA_ARRAY(w->arena, VarValue, laws->n);
  for (uint32_t k = 0; k < laws->n; k++)
    way.changes[k] = (VarValue){laws->vars[k].var, value_lost(w)};
  join->ends.data[0] = way;
  join->ends.count = 1;
}

// A variable that an exit's way didn't change holds what it did at the head.
static void add_heads(Walk *w, Join *join, const LoopLaws *laws) {
  enum { MAX_ENTRIES = 1000000 };

  if ((uint64_t)join->ends.count * laws->n > MAX_ENTRIES) {
    lose_ways(w, join, laws);
    return;
  }
  for (uint32_t i = 0; i < join->ends.count; i++) {
    Incoming *way = &join->ends.data[i];
    VarValue *changes =
        ARENA_ARRAY(w->arena, VarValue, way->n_changes + laws->n);
    uint32_t n = 0;
    w->stamp++;
    for (uint32_t k = 0; k < way->n_changes; k++) {
      w->var_stamp[way->changes[k].var] = w->stamp;
      changes[n++] = way->changes[k];
    }
    for (uint32_t k = 0; k < laws->n; k++)
      if (w->var_stamp[laws->vars[k].var] != w->stamp)
        changes[n++] = (VarValue){laws->vars[k].var, laws->vars[k].at_head};
    way->changes = changes;
    way->n_changes = n;
  }
}

// --------------------------------------------------------------------- walk

// What is known of variables at the head.
// A law that is exact lies in the range of its type, because that nothing
// overflows is owed or proved.
static void push_ranges(Walk *w, const LoopLaws *laws) {
  TermTable *t = w->terms;
  const Term *turn = term_of(t, laws->loop->turn);
  for (uint32_t i = 0; i < laws->n; i++) {
    const LoopVar *var = &laws->vars[i];
    if (var->low)
      path_push(w, term_le(t, var->low, var->at_head->term));
    if (var->high)
      path_push(w, term_le(t, var->at_head->term,
                           induct_put(w, var->high, laws->turn, turn)));
    // Of sums the bound of the turn says enough.
    bool is_sum = var->step && var->period == 0;
    const Value *law = var->law && !is_sum ? var->at_head : NULL;
    bool is_exact = law && law->kind == VALUE_INT && law->bits < 64 &&
                    (law->is_signed || law->is_unsigned);
    if (!is_exact)
      continue;
    int64_t low, high;
    type_range(law->bits, !law->is_signed, &low, &high);
    path_push(w, term_le(t, term_int(t, low), law->term));
    path_push(w, term_le(t, law->term, term_int(t, high)));
  }
}

static const Value *walk_loop_turn_value(Walk *w, const Loop *loop,
                                         const LoopVar *var) {
  if (!holds_number(w, var->var))
    return value_lost(w);
  return value_of_turn(w, loop->node, var->var);
}

// The first thing that the loop does is to leave, or not.
static bool tests_first(const IrNode *loop) {
  const IrNode *node = loop->regions[0].first;
  while (node && !node->n_regions &&
         (ir_op_info(node)->flags & OPF_PURE || node->op == IR_GET))
    node = node->next;
  if (!node || node->op != IR_IF)
    return false;
  const IrNode *exit = node->regions[0].first;
  return exit && exit->op == IR_EXIT && exit->u.exit.target == loop &&
         !exit->u.exit.is_continue;
}

// In every turn but the first one, what is known at the end of the turn before.
static void push_way_back(Walk *w, LoopLaws *laws) {
  TermTable *t = w->terms;
  if (!laws->back_path)
    return;
  const Term *turn = term_of(t, laws->loop->turn);
  const Term *back = term_replace(t, laws->back_path, induct_replace, laws);
  uint32_t n = back->kind == TERM_ALL ? back->n_args : 1;
  for (uint32_t i = 0; i < n; i++) {
    const Term *one = back->kind == TERM_ALL ? back->args[i] : back;
    Induct in = {.w = w, .laws = laws};
    if (!induct_is_of_turn(&in, one))
      continue;
    const Term *before =
        induct_put(w, one, laws->turn, term_sub(t, turn, term_int(t, 1)));
    path_push(w, term_or(t, term_le(t, turn, term_int(t, 0)), before));
  }
}

// A counter that doesn't overflow bounds the turns.
static int64_t walk_loop_most_turns(Walk *w, const LoopVar *var) {
  TermTable *t = w->terms;
  bool is_exact = var->law && var->law->kind == VALUE_INT && var->step &&
                  var->period == 0 &&
                  (var->law->is_signed || var->law->is_unsigned);
  int64_t low, high, least, most, room;
  if (!is_exact)
    return INT64_MAX;
  term_interval(t, var->step, &low, &high);
  if (low > -1 && low < 1) // it may stand still
    low = 0;
  int64_t by = low > 0 ? low : high < 0 && high != INT64_MIN ? -high : 0;
  term_interval(t, var->first, &least, &most);
  if (by == 0 || least == INT64_MIN || most == INT64_MAX)
    return INT64_MAX;
  int64_t end = (int64_t)1 << 62; // of what is owed of 64 bits
  if (var->law->bits < 64)
    end = (int64_t)(UINT64_C(1) << var->law->bits);
  bool is_over = low > 0 ? __builtin_sub_overflow(end, least, &room)
                         : __builtin_add_overflow(most, end, &room);
  return is_over || room < 0 ? INT64_MAX : room / by;
}

static int64_t last_of_body(Walk *w, const Loop *loop, const LoopLaws *laws) {
  int64_t high = loop->loop->turn->high;
  if (loop->is_counted && high != INT64_MAX)
    return high > 0 ? high - 1 : 0;
  if (!loop->is_counted && laws->last_turn > 0 && laws->last_turn < high)
    high = laws->last_turn;
  for (uint32_t i = 0; i < laws->n; i++) {
    int64_t most = walk_loop_most_turns(w, &laws->vars[i]);
    if (most < high)
      high = most;
  }
  return high;
}

// From here on turns are those of the body.
static void narrow_turn(Walk *w, Loop *loop, const LoopLaws *laws) {
  const Symbol *wide = loop->loop->turn;
  Symbol model = *wide;
  model.high = last_of_body(w, loop, laws);
  if (model.high == wide->high)
    return;
  loop->loop->turn = term_symbol_new(w->terms, &model);
  if (!loop->is_counted)
    return;
  const Term *turn = term_of(w->terms, loop->loop->turn);
  loop->condition = induct_put(w, loop->condition, wide, turn);
  Value *variable = value_new(w, VALUE_INT);
  *variable = *loop->variable;
  variable->term = induct_put(w, variable->term, wide, turn);
  loop->variable = variable;
}

static void walk_real(Walk *w, Loop *loop, LoopLaws *laws) {
  narrow_turn(w, loop, laws);
  const Term *turn = term_of(w->terms, loop->loop->turn);
  Step *step = step_new(w, STEP_LOOP, loop->node);
  loop->loop->id = w->tree->loops.count;
  VEC_PUSH(w->arena, &w->tree->loops, loop->loop);
  step->u.loop.loop = loop->loop;
  uint32_t saved_base, mark = env_mark(w, &saved_base);
  w->loop = loop->loop;
  for (uint32_t i = 0; i < laws->n; i++) {
    LoopVar *var = &laws->vars[i];
    var->at_head = var->law ? induct_at(w, laws, var, turn)
                            : walk_loop_turn_value(w, loop, var);
    env_set(w, var->var, var->at_head);
  }
  w->loop = loop->loop->parent;
  loop->loop->has_exit = false;
  Body body = body_enter(w, loop, step);
  push_ranges(w, laws);
  if (!loop->is_counted && !tests_first(loop->node))
    push_way_back(w, laws);
  body_walk(w, loop, &body);
  body_leave(w, loop, &body);
  env_undo(w, mark, saved_base);
  count_while(w, step, body.join);
  add_heads(w, body.join, laws);
  arrive_behind(w, loop, body.join, laws);
}

static uint32_t walk_loop_depth_of(const CheckLoop *loop) {
  uint32_t depth = 0;
  while ((loop = loop->parent))
    depth++;
  return depth;
}

void walk_loop(Walk *w, const IrNode *node) {
  // Loops inside more others have no laws.
  enum { MAX_DEPTH = 16 };

  Loop loop = {.node = node};
  loop.loop = ARENA_NEW(w->arena, CheckLoop);
  loop.loop->node = node;
  loop.loop->parent = w->loop;
  walk_loop_start(w, &loop);
  LoopLaws laws = {.turn = loop.loop->turn};
  list_vars(w, &loop, &laws);
  bool is_wanted = w->budget > 0 && !w->has_given_up &&
                   (laws.n > 0 || w->dry) &&
                   walk_loop_depth_of(loop.loop) < MAX_DEPTH;
  Join *join = is_wanted ? find_laws(w, &loop, &laws) : NULL;
  if (!w->dry) {
    w->is_cut = false;
    walk_real(w, &loop, &laws);
    return;
  }
  if (!join) { // nothing of the walk around will be used
    w->is_cut = true;
    lose_vars(w, &loop, &laws);
    w->is_reachable = true;
    return;
  }
  for (uint32_t i = 0; i < laws.n; i++)
    laws.vars[i].at_head =
        laws.vars[i].head ? laws.vars[i].head : value_lost(w);
  add_heads(w, join, &laws);
  replace_heads(w, join, &laws);
  if (!loop.is_counted)
    count_while_dry(w, loop.loop, join);
  arrive_behind(w, &loop, join, &laws);
}
