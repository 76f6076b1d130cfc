// SPDX-License-Identifier: Apache-2.0
// Tokens are linear: what arrive gives is held by one variable and taken by
// exactly one wait, on every path; between the two halves of a split barrier
// its group does nothing else together. A token of an mbarrier that test_wait
// asks for may be left without a wait: the answer may be all that is wanted.
// In CUDA C++ all tokens of mbarriers are plain values.
//
// One walk over the tree carries the tokens that are held. Where paths meet,
// at the end of a branch, a block, a call, and at the head of a loop, they must
// hold the same ones. A loop may so carry a token from turn to turn. What a
// region leaves to some threads only (a group statement, a loop over threads
// that may run no or several turns) must hold at its end what it held at its
// start. Nothing here depends on other analyses: the rule is about the text.
#include "ir/analyses/analysis.h"

// Held at once: more are no program's intention.
#define MAX_HELD   256u
#define MAX_ERRORS 64u

// A token in its variable.
typedef struct {
  uint32_t var;
  const IrNode *maker; // arrive, or what ir_gives_phase
} Held;

typedef struct {
  bool is_dead; // control doesn't get here
  uint32_t count;
  Held *held; // ascending var; copied when it changes
} State;

// What exits can lead to.
typedef struct Target {
  struct Target *outside;
  const IrNode *node;
  State behind, next_turn;
} Target;

typedef struct {
  const IrKernel *kernel;
  Arena *arena;
  DiagEngine *diags;
  Target *targets;
  Map taken;    // var + 1 -> the last wait for its token
  Map settled;  // var + 1: reported, nothing more is said
  Map asked;    // var + 1: test_wait asks for its token
  Map is_named; // arrive whose token gets into a variable
  uint32_t n_errors;
} Checker;

static void check_tokens_walk(Checker *c, const IrRegion *region, State *state);

// ---------------------------------------------------------------- reporting

static Place check_tokens_place_of(const Checker *c, const IrNode *node) {
  return c->kernel->module->locs.data[node->loc].place;
}

static void add_calls(Checker *c, Diag *diag, IrLocId loc) {
  const IrModule *module = c->kernel->module;
  for (uint32_t depth = 0; loc && depth < 8; depth++) {
    const IrLoc *inner = &module->locs.data[loc];
    if (!inner->parent)
      return;
    diag_note(c->diags, diag, module->locs.data[inner->parent].place,
              "in the call of '%s'", inner->callee ? inner->callee : "?");
    loc = inner->parent;
  }
}

static const char *check_tokens_name_of(const Checker *c, uint32_t var) {
  const char *name = c->kernel->vars.data[var].name;
  return name ? name : "token";
}

// False: something was said about this variable already.
static bool may_report(Checker *c, uint32_t var) {
  if (c->n_errors >= MAX_ERRORS || map_has(&c->settled, (uint64_t)var + 1))
    return false;
  map_put(c->arena, &c->settled, (uint64_t)var + 1, c);
  c->n_errors++;
  return true;
}

static bool is_barrier_token(const IrNode *maker) {
  return maker->op != IR_ARRIVE;
}

// It may be left without a wait.
static bool is_asked(const Checker *c, const Held *held) {
  bool is_plain =
      c->kernel->module->waits_freely && is_barrier_token(held->maker);
  return is_plain || map_has(&c->asked, (uint64_t)held->var + 1);
}

static void report_dropped(Checker *c, const Held *held, const IrNode *at,
                           const char *label) {
  if (is_asked(c, held) || !may_report(c, held->var))
    return;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_token_dropped, check_tokens_place_of(c, held->maker),
      DS(arena_printf(c->arena, "'%s'", check_tokens_name_of(c, held->var))));
  if (at && label)
    diag_label(c->diags, diag, check_tokens_place_of(c, at), "%s", label);
  add_calls(c, diag, held->maker->loc);
}

static void report_paths(Checker *c, const Held *held, const IrNode *join) {
  if (is_asked(c, held) || !may_report(c, held->var))
    return;
  Diag *diag = DIAG_REPORT(c->diags, DIAG_token_paths,
                           check_tokens_place_of(c, held->maker),
                           DS(check_tokens_name_of(c, held->var)));
  bool is_loop = ir_op_info(join)->form == FORM_LOOP && join->op != IR_BLOCK &&
                 join->op != IR_CALL;
  diag_label(c->diags, diag, check_tokens_place_of(c, join), "%s",
             is_loop
                 ? "a turn doesn't end as the next one begins, or the loop "
                   "is left both ways"
                 : "paths that hold it and paths that don't meet after this");
  const IrNode *wait = map_get(&c->taken, (uint64_t)held->var + 1);
  if (wait)
    diag_label(c->diags, diag, check_tokens_place_of(c, wait),
               "waited for here");
  add_calls(c, diag, held->maker->loc);
}

// ------------------------------------------------------------------- states

// A wait that fits the one fits the other.
static bool is_same_source(const IrNode *a, const IrNode *b) {
  if (is_barrier_token(a) != is_barrier_token(b))
    return false;
  return is_barrier_token(a) ? a->u.barrier.object == b->u.barrier.object
                             : a->u.group.group == b->u.group.group;
}

static const Held *find_held(const State *state, uint32_t var) {
  for (uint32_t i = 0; i < state->count; i++)
    if (state->held[i].var == var)
      return &state->held[i];
  return NULL;
}

static void remove_held(Checker *c, State *state, uint32_t var) {
  Held *held = ARENA_ARRAY(c->arena, Held, state->count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < state->count; i++)
    if (state->held[i].var != var)
      held[count++] = state->held[i];
  state->held = held;
  state->count = count;
}

static void add_held(Checker *c, State *state, Held added) {
  Held *held = ARENA_ARRAY(c->arena, Held, state->count + 1);
  uint32_t i = 0;
  for (; i < state->count && state->held[i].var < added.var; i++)
    held[i] = state->held[i];
  held[i] = added;
  for (; i < state->count; i++)
    held[i + 1] = state->held[i];
  state->held = held;
  state->count++;
}

// Paths meet at `join`: what not all of them hold is reported and forgotten.
static void check_tokens_meet(Checker *c, State *state, const State *other,
                              const IrNode *join) {
  if (other->is_dead)
    return;
  if (state->is_dead) {
    *state = *other;
    return;
  }
  State both = {.count = 0};
  both.held = ARENA_ARRAY(c->arena, Held, state->count + 1);
  for (uint32_t i = 0; i < state->count; i++) {
    const Held *here = &state->held[i], *there = find_held(other, here->var);
    if (there && is_same_source(here->maker, there->maker))
      both.held[both.count++] = *here;
    else
      report_paths(c, here, join);
  }
  for (uint32_t i = 0; i < other->count; i++)
    if (!find_held(state, other->held[i].var))
      report_paths(c, &other->held[i], join);
  *state = both;
}

// -------------------------------------------------------------------- nodes

static void check_tokens_set_token(Checker *c, const IrNode *node,
                                   State *state) {
  uint32_t var = node->u.variable.var;
  const IrNode *maker = node->args[0];
  if (node->args[0]->type.kind != IR_TYPE_TOKEN ||
      map_has(&c->settled, (uint64_t)var + 1))
    return;
  const Held *before = find_held(state, var);
  if (before) {
    bool was_asked = is_asked(c, before);
    report_dropped(c, before, node, "it is overwritten by another token here");
    remove_held(c, state, var);
    if (!was_asked)
      return;
  }
  bool is_made = maker->op == IR_ARRIVE || ir_gives_phase(maker);
  if (is_made && state->count < MAX_HELD)
    add_held(c, state, (Held){var, maker});
  else
    map_put(c->arena, &c->settled, (uint64_t)var + 1, c);
}

static const char *source_phrase(const Checker *c, const IrNode *maker) {
  if (is_barrier_token(maker))
    return arena_printf(c->arena, "mbarrier '%s'",
                        maker->u.barrier.object->name);
  return arena_printf(c->arena, "group '%s'", maker->u.group.group->name);
}

static bool check_tokens_fits(const IrNode *wait, const IrNode *maker) {
  if (is_barrier_token(maker) != (wait->op != IR_WAIT))
    return false;
  return wait->op == IR_WAIT
             ? wait->u.group.group == maker->u.group.group
             : wait->u.barrier.object == maker->u.barrier.object;
}

static void report_missing(Checker *c, const IrNode *wait, uint32_t var) {
  const IrNode *first = map_get(&c->taken, (uint64_t)var + 1);
  bool is_plain = c->kernel->module->waits_freely && wait->op != IR_WAIT;
  if (is_plain || !may_report(c, var))
    return;
  Diag *diag =
      DIAG_REPORT(c->diags, DIAG_token_missing, check_tokens_place_of(c, wait),
                  DS(check_tokens_name_of(c, var)),
                  DS(first ? "its arrival has already been waited for"
                           : "it has no arrival yet"));
  if (first && first != wait)
    diag_label(c->diags, diag, check_tokens_place_of(c, first),
               "waited for here");
  add_calls(c, diag, wait->loc);
}

static void take_token(Checker *c, const IrNode *wait, State *state) {
  const IrNode *token = wait->args[wait->n_args - 1];
  if (token->op != IR_GET)
    return; // only in IR text: checked when it runs
  uint32_t var = token->u.variable.var;
  const Held *held = find_held(state, var);
  if (!held) {
    report_missing(c, wait, var);
    return;
  }
  if (!check_tokens_fits(wait, held->maker) && may_report(c, var)) {
    const char *wanted =
        wait->op == IR_WAIT
            ? arena_printf(c->arena, "group '%s'", wait->u.group.group->name)
            : arena_printf(c->arena, "mbarrier '%s'",
                           wait->u.barrier.object->name);
    Diag *diag =
        DIAG_REPORT(c->diags, DIAG_token_other, check_tokens_place_of(c, wait),
                    DS(check_tokens_name_of(c, var)),
                    DS(source_phrase(c, held->maker)), DS(wanted));
    diag_label(c->diags, diag, check_tokens_place_of(c, held->maker),
               "it was made here");
    add_calls(c, diag, wait->loc);
  }
  if (wait->op == IR_MBAR_TEST_TOKEN)
    return; // it is held on
  remove_held(c, state, var);
  map_put(c->arena, &c->taken, (uint64_t)var + 1, (void *)(uintptr_t)wait);
}

// The group that does something together at `node`, or NULL. Copies that a
// group starts on sections, and barriers, don't count.
static const IrGroup *collective_group(const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  if (!(info->flags & OPF_COLLECTIVE))
    return NULL;
  if (info->form == FORM_GROUP)
    return node->u.group.group;
  return info->form == FORM_COLLECTIVE ? node->u.collective.group : NULL;
}

static void check_between(Checker *c, const IrNode *node, State *state) {
  const IrGroup *group = collective_group(node);
  for (uint32_t i = 0; group && i < state->count; i++) {
    Held held = state->held[i];
    if (is_barrier_token(held.maker) || held.maker->u.group.group != group ||
        !may_report(c, held.var))
      continue;
    Diag *diag =
        DIAG_REPORT(c->diags, DIAG_token_between,
                    check_tokens_place_of(c, node), DS(ir_op_info(node)->text),
                    DS(check_tokens_name_of(c, held.var)), DS(group->name));
    diag_label(c->diags, diag, check_tokens_place_of(c, held.maker),
               "arrived here");
    add_calls(c, diag, node->loc);
  }
}

static void check_named(Checker *c, const IrNode *node) {
  if (node->op != IR_ARRIVE || map_has(&c->is_named, MAP_KEY(node)) ||
      c->n_errors >= MAX_ERRORS)
    return;
  c->n_errors++;
  Language language = c->kernel->module->language;
  Diag *diag =
      DIAG_REPORT(c->diags, DIAG_token_dropped, check_tokens_place_of(c, node),
                  DS(arena_printf(c->arena, "of %s()",
                                  vocabulary_word(language, WORD_arrive))));
  diag_note(c->diags, diag, (Place){0}, "%s",
            vocabulary_word(language, WORD_hold_token));
  add_calls(c, diag, node->loc);
}

// ------------------------------------------------------------------ control

static void leave_to(Checker *c, const IrNode *exit, State *state) {
  Target *target = c->targets;
  while (target && target->node != exit->u.exit.target)
    target = target->outside;
  if (target)
    check_tokens_meet(
        c, exit->u.exit.is_continue ? &target->next_turn : &target->behind,
        state, target->node);
  state->is_dead = true;
}

static void walk_branch(Checker *c, const IrNode *node, State *state) {
  State other = *state;
  check_tokens_walk(c, &node->regions[0], state);
  check_tokens_walk(c, &node->regions[1], &other);
  check_tokens_meet(c, state, &other, node);
}

static void check_tokens_walk_loop(Checker *c, const IrNode *node,
                                   State *state) {
  Target target = {.outside = c->targets,
                   .node = node,
                   .behind.is_dead = true,
                   .next_turn.is_dead = true};
  State head = *state;
  c->targets = &target;
  check_tokens_walk(c, &node->regions[0], state);
  c->targets = target.outside;
  bool is_loop = node->op == IR_LOOP || node->op == IR_FOR;
  if (!is_loop) {
    check_tokens_meet(c, state, &target.behind, node);
    return;
  }
  check_tokens_meet(c, state, &target.next_turn, node);
  State turns = head;
  check_tokens_meet(c, &turns, state, node);
  if (node->op == IR_FOR)
    check_tokens_meet(c, &target.behind, &turns, node);
  *state = target.behind;
}

// Threads that a part doesn't hold go on as they are.
static void walk_part(Checker *c, const IrNode *node, State *state) {
  bool is_for_all = node->op == IR_WITH ||
                    (node->op == IR_THREAD_FOR && node->u.part.is_split);
  State before = *state;
  check_tokens_walk(c, &node->regions[0], state);
  if (!is_for_all)
    check_tokens_meet(c, state, &before, node);
}

static void check_tokens_walk_control(Checker *c, const IrNode *node,
                                      State *state) {
  switch (ir_control_op(node->op)) {
  case IR_IF: walk_branch(c, node, state); return;
  case IR_LOOP:
  case IR_FOR:
  case IR_BLOCK:
  case IR_CALL: check_tokens_walk_loop(c, node, state); return;
  case IR_GROUP:
  case IR_THREAD_FOR:
  case IR_WITH: walk_part(c, node, state); return;
  case IR_EXIT: leave_to(c, node, state); return;
  }
}

static void check_tokens_walk_node(Checker *c, const IrNode *node,
                                   State *state) {
  if (node->op != IR_WAIT)
    check_between(c, node, state);
  check_named(c, node);
  switch ((int)node->op) {
  case IR_SET: check_tokens_set_token(c, node, state); return;
  case IR_WAIT:
  case IR_MBAR_WAIT_TOKEN:
  case IR_MBAR_TEST_TOKEN: take_token(c, node, state); return;
  default: break;
  }
  if (ir_family(node) == FAMILY_CONTROL)
    check_tokens_walk_control(c, node, state);
}

static void check_tokens_walk(Checker *c, const IrRegion *region,
                              State *state) {
  for (const IrNode *node = region->first; node && !state->is_dead;
       node = node->next)
    check_tokens_walk_node(c, node, state);
}

// -------------------------------------------------------------------- start

static bool note_named(IrNode *node, void *context) {
  Checker *c = context;
  if (node->op == IR_WAIT || node->op == IR_SET)
    for (uint32_t i = 0; i < node->n_args; i++)
      if (node->args[i]->op == IR_ARRIVE)
        map_put(c->arena, &c->is_named, MAP_KEY(node->args[i]), c);
  const IrNode *token =
      node->op == IR_MBAR_TEST_TOKEN ? node->args[node->n_args - 1] : NULL;
  if (token && token->op == IR_GET)
    map_put(c->arena, &c->asked, (uint64_t)token->u.variable.var + 1, c);
  return true;
}

static bool is_no_arrival(IrNode *node, void *context) {
  (void)context;
  return node->type.kind != IR_TYPE_TOKEN && node->op != IR_WAIT &&
         node->op != IR_MBAR_WAIT_TOKEN && node->op != IR_MBAR_TEST_TOKEN;
}

void ir_check_tokens(const IrKernel *kernel, DiagEngine *diags) {
  IrRegion *body = &((IrKernel *)(uintptr_t)kernel)->body;
  if (ir_walk(body, is_no_arrival, NULL))
    return;
  Arena *scratch = arena_new();
  Checker c = {.kernel = kernel, .arena = scratch, .diags = diags};
  State state = {.count = 0};
  ir_walk(body, note_named, &c);
  check_tokens_walk(&c, body, &state);
  for (uint32_t i = 0; !state.is_dead && i < state.count; i++)
    report_dropped(&c, &state.held[i], NULL, NULL);
  arena_free(scratch);
}
