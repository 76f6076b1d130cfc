// SPDX-License-Identifier: Apache-2.0
// Loops that do nothing but ask an mbarrier until its phase has completed are
// waits for it: `while (!test_wait(b, parity)) {}`, or by a token.
//
// Note [What a loop that asks may do]
// A turn may also compute, set variables from what it computes, and be in
// inlined functions, as in
//     bool asked(mbarrier b, int p) { int done = test_wait(b, p) ? 1 : 0;
//                                     return done != 0; }
//     while (!asked(b, p)) {}              int done = 0;
//                                          while (!done) done = asked(b, p);
// as long as no turn depends on an earlier one, but by the condition: the turn
// with the answer "yes" is then the only one that leaves a trace. Whether the
// loop ends exactly with that answer, is found by computing a turn for both.
// What the loop computes before it asks is the same in every turn, as it reads
// no memory.
#include "base/map.h"
#include "ir/analyses/analysis.h"
#include "ir/form/fold.h"
#include "ir/form/order.h"

typedef hd_vec(IrNode *) Loops;

static bool is_lifetime(const IrKernel *kernel, const IrNode *loop) {
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->lifetime == loop)
      return true;
  return false;
}

static bool is_still(const IrNode *node) {
  return node->op == IR_GET || (ir_op_info(node)->flags & OPF_PURE) != 0;
}

// `if c { exit loop }`
static bool wait_polls_leaves(const IrNode *node, const IrNode *loop) {
  if (node->op != IR_IF || node->regions[1].first)
    return false;
  const IrNode *exit = node->regions[0].first;
  return exit && exit->op == IR_EXIT && exit->u.exit.target == loop &&
         !exit->u.exit.is_continue && !exit->next;
}

static bool is_test(const IrNode *node) {
  return node->op == IR_MBAR_TEST || node->op == IR_MBAR_TEST_TOKEN;
}

// A loop that may be a wait: `before`, the condition, `behind` it.
typedef struct {
  Arena *arena;
  const IrNode *loop;
  IrNode *leave, *test;
  Map sets; // var + 1 of what a turn sets
} Poll;

static bool note_nodes(Poll *poll, IrRegion *region, bool is_inner) {
  for (IrNode *node = region->first; node; node = node->next) {
    if (is_test(node) && !poll->test) {
      poll->test = node;
    } else if (node->op == IR_SET) {
      map_put(poll->arena, &poll->sets, node->u.variable.var + 1u, node);
    } else if (node->op == IR_CALL) {
      if (!note_nodes(poll, &node->regions[0], true))
        return false;
    } else if (!is_inner && !poll->leave &&
               wait_polls_leaves(node, poll->loop)) {
      poll->leave = node;
    } else if (!is_still(node)) {
      return false;
    }
  }
  return true;
}

// ------------------------------------------------------------- one turn

typedef struct {
  Arena *arena;
  const Poll *poll;
  uint64_t answer;
  bool is_second;  // what an earlier turn has set may be read
  bool is_carried; // a turn reads what an earlier one has set
  Map values;      // node -> its bits
  Map variables;   // var + 1 -> their bits, NULL: not known
  Map is_set;      // var + 1, in this turn
} Turn;

static bool wait_polls_value_of(void *context, const IrNode *node,
                                uint64_t *bits) {
  const Turn *turn = context;
  if (node->op == IR_CONST && ir_type_bits(node->type) <= 64)
    *bits = node->u.constant.bits;
  else if (node == turn->poll->test)
    *bits = turn->answer;
  else {
    const uint64_t *known = map_get(&turn->values, MAP_KEY(node));
    *bits = known ? *known : 0;
    return known != NULL;
  }
  return true;
}

static void wait_polls_keep(Turn *turn, Map *map, uint64_t key, uint64_t bits) {
  uint64_t *kept = ARENA_NEW(turn->arena, uint64_t);
  *kept = bits;
  map_put(turn->arena, map, key, kept);
}

static void wait_polls_compute(Turn *turn, const IrNode *node) {
  uint32_t key = node->u.variable.var + 1u;
  uint64_t bits;
  if (node->op == IR_SET) {
    map_put(turn->arena, &turn->is_set, key, turn);
    map_put(turn->arena, &turn->variables, key, NULL);
    if (wait_polls_value_of(turn, node->args[0], &bits))
      wait_polls_keep(turn, &turn->variables, key, bits);
  } else if (node->op == IR_GET) {
    bool is_old = map_has(&turn->poll->sets, key) &&
                  !map_has(&turn->is_set, key) && !turn->is_second;
    turn->is_carried = turn->is_carried || is_old;
    const uint64_t *known = map_get(&turn->variables, key);
    map_put(turn->arena, &turn->values, MAP_KEY(node), NULL);
    if (known)
      wait_polls_keep(turn, &turn->values, MAP_KEY(node), *known);
  } else if (node->op == IR_CALL) {
    for (const IrNode *inner = node->regions[0].first; inner;
         inner = inner->next)
      wait_polls_compute(turn, inner);
  } else if (!is_test(node) && node->op != IR_CONST) {
    map_put(turn->arena, &turn->values, MAP_KEY(node), NULL);
    if (ir_fold_by(node, wait_polls_value_of, turn, &bits))
      wait_polls_keep(turn, &turn->values, MAP_KEY(node), bits);
  }
}

// Constants that variables are set to right before the loop.
static void wait_polls_read_before(Turn *turn) {
  Map seen = {0};
  for (const IrNode *node = turn->poll->loop->previous;
       node && (is_still(node) || node->op == IR_SET); node = node->previous) {
    uint32_t key = node->u.variable.var + 1u;
    if (node->op != IR_SET || map_has(&seen, key))
      continue;
    map_put(turn->arena, &seen, key, turn);
    if (node->args[0]->op == IR_CONST)
      wait_polls_keep(turn, &turn->variables, key,
                      node->args[0]->u.constant.bits);
  }
}

// Whether the loop ends after a turn with this answer; false: not known.
static bool wait_polls_ends_with(const Poll *poll, uint64_t answer,
                                 bool *ends) {
  Arena *arena = arena_new();
  Turn turn = {.arena = arena, .poll = poll, .answer = answer};
  const IrNode *leave = poll->leave;
  uint64_t condition = 0;
  bool is_known = true;
  if (leave->next) { // the first turn asks whether to begin
    wait_polls_read_before(&turn);
    turn.is_second = true;
    for (const IrNode *node = leave->region->first; node != leave;
         node = node->next)
      wait_polls_compute(&turn, node);
    is_known =
        wait_polls_value_of(&turn, leave->args[0], &condition) && !condition;
    turn.is_second = false;
    for (const IrNode *node = leave->next; node; node = node->next)
      wait_polls_compute(&turn, node);
    turn.is_second = true;
  }
  for (const IrNode *node = leave->region->first; node != leave;
       node = node->next)
    wait_polls_compute(&turn, node);
  is_known = is_known && !turn.is_carried &&
             wait_polls_value_of(&turn, leave->args[0], &condition);
  *ends = condition != 0;
  arena_free(arena);
  return is_known;
}

// What stands before the condition and behind it at once: a turn's values of
// what the turn before has set.
static bool uses_carried(Poll *poll) {
  Map carried = {0};
  const IrNode *node = poll->leave->region->first;
  for (; node != poll->leave; node = node->next) {
    bool is_carried =
        node->op == IR_GET && map_has(&poll->sets, node->u.variable.var + 1u);
    for (uint32_t i = 0; i < node->n_args; i++)
      is_carried = is_carried || map_has(&carried, MAP_KEY(node->args[i]));
    if (is_carried)
      map_put(poll->arena, &carried, MAP_KEY(node), poll);
    if (node->op == IR_SET || node->op == IR_CALL)
      return true;
  }
  for (node = poll->leave->next; node; node = node->next) {
    for (uint32_t i = 0; i < node->n_args; i++)
      if (map_has(&carried, MAP_KEY(node->args[i])))
        return true;
  }
  return false;
}

static bool wait_polls_is_before(const IrNode *node, const IrNode *other) {
  for (const IrNode *at = node; at; at = at->next)
    if (at == other)
      return true;
  return false;
}

static const IrNode *top(const IrNode *node, const IrNode *loop) {
  while (node->region->owner != loop)
    node = node->region->owner;
  return node;
}

static bool polls_are_wait(Poll *poll, const IrKernel *kernel, IrNode *loop) {
  poll->loop = loop;
  if (is_lifetime(kernel, loop) ||
      !note_nodes(poll, &loop->regions[0], false) || !poll->test ||
      !poll->leave)
    return false;
  bool asks_first = wait_polls_is_before(top(poll->test, loop), poll->leave);
  if (asks_first ? poll->leave->next != NULL : uses_carried(poll))
    return false;
  bool if_yes, if_no;
  return wait_polls_ends_with(poll, 1, &if_yes) && if_yes &&
         wait_polls_ends_with(poll, 0, &if_no) && !if_no;
}

typedef struct {
  const IrNode *test;
  IrNode *yes;
} Answer;

static bool put_answer(IrNode *node, void *context) {
  const Answer *answer = context;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (node->args[i] == answer->test)
      node->args[i] = answer->yes;
  return true;
}

// The answer is yes from here on.
static void answer_yes(IrKernel *kernel, IrNode *test) {
  Answer answer = {test, ir_const_int(kernel, NULL, test->type, 1, test->loc)};
  ir_walk(test->region, put_answer, &answer);
  ir_node_insert_after(test, answer.yes);
  test->op = test->op == IR_MBAR_TEST ? IR_MBAR_WAIT : IR_MBAR_WAIT_TOKEN;
  test->type = ir_scalar(IR_TYPE_VOID);
}

// Its variables begin where it stands.
static void release_variables(const IrKernel *kernel, const IrNode *loop) {
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    if (kernel->vars.data[i].loop == loop)
      kernel->vars.data[i].loop = ir_loop_around(ir_node_owner(loop));
}

static void make_wait(IrKernel *kernel, IrNode *loop, const Poll *poll) {
  release_variables(kernel, loop);
  ir_node_unlink(poll->leave);
  answer_yes(kernel, poll->test);
  while (loop->regions[0].first) {
    IrNode *node = loop->regions[0].first;
    ir_node_unlink(node);
    ir_node_insert_before(loop, node);
  }
  ir_node_unlink(loop);
}

typedef struct {
  Arena *arena;
  Loops loops;
} Found;

static bool wait_polls_note_loop(IrNode *node, void *context) {
  Found *found = context;
  if (node->op == IR_LOOP)
    VEC_PUSH(found->arena, &found->loops, node);
  return true;
}

bool ir_wait_polls(IrKernel *kernel) {
  Found found = {.arena = arena_new()};
  bool has_changed = false;
  ir_walk(&kernel->body, wait_polls_note_loop, &found);
  for (uint32_t i = 0; i < found.loops.count; i++) {
    Poll poll = {.arena = found.arena};
    if (!polls_are_wait(&poll, kernel, found.loops.data[i]))
      continue;
    make_wait(kernel, found.loops.data[i], &poll);
    has_changed = true;
  }
  arena_free(found.arena);
  if (has_changed)
    ir_kernel_renumber(kernel);
  return has_changed;
}
