// SPDX-License-Identifier: Apache-2.0
// Collectives, barriers of groups, mbarriers.
#include "check/tree/walk.h"

// ------------------------------------------------------ barriers of a group

static Step *meet_step(Walk *w, StepKind kind, const IrNode *node) {
  Step *step = step_new(w, kind, node);
  if (step)
    step->u.meet.group = node->u.group.group;
  return step;
}

static const Value *token(Walk *w, const Step *step) {
  Value *value = value_new(w, VALUE_TOKEN);
  value->step = step;
  return value;
}

static const Step *token_step(Walk *w, const IrNode *node, uint32_t k) {
  const Value *value = walk_arg(w, node, k);
  return value->kind == VALUE_TOKEN ? value->step : NULL;
}

void walk_memcpy_wait(Walk *w, const IrNode *node) {
  Step *step = step_new(w, STEP_COPY_WAIT, node);
  int64_t newest = 0;
  (void)term_is_constant(arg_signed(w, node, 0), &newest);
  if (step) {
    step->u.sets.done = DONE_GROUP;
    step->u.sets.n_newest = newest;
    step->u.sets.group = node->u.group.group;
  }
  (void)meet_step(w, STEP_SYNC, node);
}

// ------------------------------------------------------------------- votes

// What is one value for the threads that vote is what they find.
static const Value *walk_meet_vote(Walk *w, const IrNode *node) {
  if (uniformity_has(w->uniformity, node->args[0], node->u.group.group))
    return walk_arg(w, node, 0);
  const Value *value = value_fresh_range(w, node, 1, 0, 1);
  const Term *own = walk_arg(w, node, 0)->term;
  const Term *from = node->op == IR_ANY ? own : value->term;
  const Term *to = node->op == IR_ANY ? value->term : own;
  path_push(w, term_or(w->terms, term_not(w->terms, from), to));
  return value;
}

static const Value *walk_meet_count(Walk *w, const IrNode *node) {
  const GroupView *view = walk_view(w, node->u.group.group);
  int64_t low, most = 1024;
  if (view->is_known)
    term_interval(w->terms, view->size, &low, &most);
  const Value *value =
      value_fresh_range(w, node, 32, 0, most < INT32_MAX ? most : INT32_MAX);
  const Value *own = walk_arg(w, node, 0);
  if (own->kind == VALUE_BOOL) // one is counted, if it is this thread
    path_push(w, term_or(w->terms, term_not(w->terms, own->term),
                         term_le(w->terms, term_int(w->terms, 1),
                                 value_signed(w, value))));
  return value;
}

// One number for all threads of the group, whichever.
const Value *walk_choice(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const IrGroup *group = node->u.group.group;
  const Term *low = arg_signed(w, node, 0), *end = arg_signed(w, node, 1);
  int64_t least, most, open;
  term_interval(t, low, &least, &open);
  term_interval(t, end, &open, &most);
  if (most != INT64_MAX)
    most--;
  if (most < least)
    most = least; // never
  const Symbol *symbol =
      walk_symbol(w, "choice", node, group->kind == GROUP_THREAD ? NULL : group,
                  least, most);
  const Term *chosen = term_of(t, symbol);
  path_push(w, term_and(t, term_le(t, low, chosen), term_lt(t, chosen, end)));
  return value_int(w, 64, chosen, true, least >= 0);
}

// What is the same for the group already is what each of them gets.
static const Value *walk_meet_broadcast(Walk *w, const IrNode *node) {
  if (uniformity_has(w->uniformity, node->args[0], node->u.group.group) &&
      node->args[0]->type.kind != IR_TYPE_STRUCT)
    return walk_arg(w, node, 0);
  return walk_exchange(w, node);
}

// ------------------------------------------------------------------ claims

typedef struct {
  const IrGroup *group;
  bool is_shared;
} Sharing;

static void walk_meet_see_symbol(const Symbol *symbol, void *context) {
  Sharing *sharing = context;
  if (symbol->kind == SYMBOL_LAUNCH || symbol->kind == SYMBOL_BLOCK)
    return;
  bool is_shared = symbol->kind == SYMBOL_VALUE && symbol->over &&
                   ir_group_contains(symbol->over, sharing->group);
  sharing->is_shared &= is_shared && !symbol->loop;
}

const Value *walk_uniform(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  const Value *value = walk_arg(w, node, 0);
  bool is_number = value->kind == VALUE_INT || value->kind == VALUE_BOOL;
  const Term *term = is_number ? value_signed(w, value) : NULL;
  Sharing sharing = {group, true};
  if (term)
    term_symbols(term, walk_meet_see_symbol, &sharing);
  Step *step = NULL;
  bool is_obvious = uniformity_has(w->uniformity, node->args[0], group);
  if (!is_obvious && !(term && sharing.is_shared))
    step = walk_oblige(w, node, OBLIGATION_UNIFORM, NULL);
  if (step) {
    step->u.obligation.value = term;
    step->u.obligation.group = group;
  }
  if (!term || sharing.is_shared || is_obvious)
    return value;
  const Value *stated = value_fresh(w, node, node->type);
  path_push(w, term_eq(w->terms, value_signed(w, stated), term));
  return stated;
}

// --------------------------------------------------------------- positions

static const Term *meta_size(Walk *w, const IrGroup *group) {
  TermTable *t = w->terms;
  const GroupView *view = walk_view(w, group);
  const GroupView *parent = group->parent ? walk_view(w, group->parent) : NULL;
  if (group->kind == GROUP_BLOCK)
    return w->tree->cluster_size;
  if (group->kind == GROUP_THREAD)
    return parent && parent->is_known ? parent->size : NULL;
  if (group->kind == GROUP_SPLIT)
    return term_int(t, group->maker->u.part.count);
  if (group->kind == GROUP_WARP)
    return term_int(t, (w->tree->n_threads + 31) / 32);
  if (group->kind == GROUP_RANGE || group->kind == GROUP_SINGLE)
    return term_int(t, 1);
  if (group->kind == GROUP_TILED && view->is_known && parent->is_known &&
      group->size > 0)
    return term_div(t, term_add(t, parent->size, term_int(t, group->size - 1)),
                    term_int(t, group->size));
  return NULL;
}

static const Term *meta_rank(Walk *w, const IrGroup *group) {
  TermTable *t = w->terms;
  const GroupView *view = walk_view(w, group);
  const GroupView *parent = group->parent ? walk_view(w, group->parent) : NULL;
  bool has_parent = parent && parent->is_known;
  switch ((int)group->kind) {
  case GROUP_BLOCK: // the blocks of a cluster are its parts
    return has_parent
               ? term_div(t, parent->rank, term_int(t, w->tree->n_threads))
               : NULL;
  case GROUP_THREAD: return has_parent ? parent->rank : NULL;
  case GROUP_WARP: return view->instance;
  case GROUP_RANGE:
  case GROUP_SINGLE: return term_int(t, 0);
  case GROUP_SPLIT:
  case GROUP_TILED:
    if (!view->is_known || !has_parent || group->size <= 0)
      return NULL;
    return term_div(t, parent->rank, term_int(t, group->size));
  default: return NULL;
  }
}

const Value *walk_position(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  const GroupView *view = walk_view(w, group);
  const Term *term = NULL;
  if (node->op == IR_META_RANK)
    term = meta_rank(w, group);
  else if (node->op == IR_META_SIZE)
    term = meta_size(w, group);
  else if (view->is_known)
    term = node->op == IR_RANK ? view->rank : view->size;
  uint32_t bits = ir_type_bits(node->type);
  if (term && walk_size(w, term) <= WALK_MAX_SIZE)
    return value_int(w, bits, term, true, true);
  int64_t most = ir_group_most(group);
  if (most > INT32_MAX)
    most = INT32_MAX;
  bool is_size = node->op == IR_SIZE || node->op == IR_META_SIZE;
  return value_fresh_range(w, node, bits, is_size,
                           node->op == IR_RANK ? most - 1 : most);
}

const Value *walk_sync(Walk *w, const IrNode *node) {
  Step *step;
  switch (ir_sync_op(node->op)) {
  case IR_SYNC: (void)meet_step(w, STEP_SYNC, node); break;
  case IR_JOIN:
    if (node->u.group.join == JOIN_KEPT || node->u.group.join == JOIN_OPEN)
      (void)meet_step(w, STEP_SYNC, node);
    break;
  case IR_ARRIVE: return token(w, meet_step(w, STEP_ARRIVE, node));
  case IR_WAIT:
    step = meet_step(w, STEP_WAIT, node);
    if (step)
      step->u.meet.token = token_step(w, node, 0);
    break;
  case IR_FENCE: (void)step_new(w, STEP_FENCE, node); break;
  case IR_FENCE_ASYNC: (void)step_new(w, STEP_FENCE_ASYNC, node); break;
  case IR_SEMAPHORE_LOCK:
  case IR_SEMAPHORE_RELEASE: return walk_access(w, node);
  }
  return NULL;
}

const Value *walk_between_lanes(Walk *w, const IrNode *node) {
  switch (ir_exchange_op(node->op)) {
  case IR_ANY:
  case IR_ALL: return walk_meet_vote(w, node);
  case IR_COUNT: return walk_meet_count(w, node);
  case IR_BROADCAST: return walk_meet_broadcast(w, node);
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR: return walk_exchange(w, node);
  case IR_BALLOT:
  case IR_MATCH_ANY:
  case IR_MATCH_ALL: break;
  }
  return NULL;
}

// --------------------------------------------------------------- mbarriers

BarrierUse *barrier_use(Walk *w, const IrObject *object, const IrNode *node,
                        uint32_t first_index) {
  TermTable *t = w->terms;
  BarrierUse *use = ARENA_NEW(w->arena, BarrierUse);
  use->object = object;
  use->slot = term_int(t, 0);
  use->count = term_int(t, 0);
  for (uint32_t k = 0; k < object->rank; k++) {
    const Term *extent = tree_extent(w->tree, object, (int)k);
    use->index[k] = arg_signed(w, node, first_index + k);
    use->slot = term_add(t, extent ? term_mul(t, use->slot, extent) : use->slot,
                         arg_signed(w, node, first_index + k));
  }
  return use;
}

static void fill_use(Walk *w, const IrNode *node, BarrierUse *use,
                     uint32_t next) {
  const Term *one = term_int(w->terms, 1);
  switch (ir_mbarrier_op(node->op)) {
  case IR_MBAR_ARRIVE:
  case IR_MBAR_ARRIVE_DROP: use->count = arg_signed(w, node, next); break;
  case IR_MBAR_TENSOR: use->count = one; break;
  case IR_MBAR_ARRIVE_REMOTE:
    use->count = one;
    use->cluster_rank =
        term_mod(w->terms, arg_signed(w, node, next), w->tree->cluster_size);
    break;
  case IR_MBAR_EXPECT: use->bytes = arg_signed(w, node, next); break;
  case IR_MBAR_ARRIVE_EXPECT:
    use->count = one;
    use->bytes = arg_signed(w, node, next);
    break;
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST:
    use->count = one;
    use->bytes = arg_signed(w, node, next);
    use->mask = arg_signed(w, node, next + 1);
    break;
  case IR_MBAR_WAIT:
  case IR_MBAR_TEST:
    use->parity =
        term_mod(w->terms, arg_signed(w, node, next), term_int(w->terms, 2));
    break;
  case IR_MBAR_WAIT_TOKEN:
  case IR_MBAR_TEST_TOKEN: use->token = token_step(w, node, next); break;
  case IR_MBAR_INIT: break;
  }
}

static Step *barrier_step(Walk *w, const IrNode *node) {
  Step *step = step_new(w, STEP_BARRIER, node);
  if (step) {
    const IrObject *object = node->u.barrier.object;
    step->u.barrier = barrier_use(w, object, node, 0);
    fill_use(w, node, step->u.barrier, object->rank);
  }
  return step;
}

// A token of one of several arrivals: a wait for each.
static void wait_for_choices(Walk *w, const IrNode *node, const Value *made) {
  ValueChoices choices;
  (void)value_choices(w, made, &choices); // as many as when it was made
  for (uint32_t i = 0; i < choices.n; i++) {
    uint32_t mark = w->path.count;
    path_push(w, choices.data[i].condition);
    Step *step = barrier_step(w, node);
    if (step)
      step->u.barrier->token = choices.data[i].value->step;
    path_pop(w, mark);
  }
}

const Value *walk_barrier(Walk *w, const IrNode *node) {
  if (node->op == IR_MBAR_WAIT_TOKEN || node->op == IR_MBAR_TEST_TOKEN) {
    const Value *made = walk_arg(w, node, node->n_args - 1);
    if (made->kind == VALUE_CHOICE) {
      wait_for_choices(w, node, made);
      counts_add(w, node);
      return NULL;
    }
  }
  Step *step = barrier_step(w, node);
  counts_add(w, node);
  return node->type.kind == IR_TYPE_TOKEN ? token(w, step) : NULL;
}
