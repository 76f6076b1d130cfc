// SPDX-License-Identifier: Apache-2.0
// Who of a warp comes to a place: coalesced_threads(), and shuffles of those
// that haven't returned (ir/passes/decide_lanes.c).
//
// Note [Lanes that are there]
// The path holds all that decides whether a thread gets to a place, unless it
// says that something was left out. So another thread gets there, in the same
// turns of all loops, if the path holds with that thread in it; and all of a
// warp do if that follows from the path for any lane:
//
//   if (i >= n) return;           n % 32 == 0,  i < n
//   v += __shfl_down_sync(…)      proves  i - i % 32 + lane < n
//
// Of a loop the path tells this turn alone. That another thread didn't leave in
// a turn before is certain where every exit is one of the warp's (the threads
// that are in a turn leave together), or a test at the head that is linear in
// the turn: where it lets a turn begin, it let those before.
#include "check/tree/induct.h"
#include "ir/form/cursor.h"
#include "ir/form/order.h"

// -------------------------------------------------------------- other threads

typedef struct {
  const Walk *w;
  const IrGroup *group;
  const Term *thread; // NULL: not known
  bool is_known;
} Other;

static const Term *at_other(const Symbol *symbol, void *context) {
  Other *other = context;
  if (symbol == other->w->tree->thread) {
    other->is_known &= other->thread != NULL;
    return other->thread;
  }
  if (symbol->kind == SYMBOL_VALUE &&
      !(symbol->over && ir_group_contains(symbol->over, other->group)))
    other->is_known = false;
  return NULL;
}

const Term *walk_at_thread(Walk *w, const IrGroup *group, const Term *term,
                           const Term *thread) {
  Other other = {w, group, thread, true};
  const Term *there = term_replace(w->terms, term, at_other, &other);
  return other.is_known ? there : NULL;
}

// --------------------------------------------------------------------- loops

enum { JOINT_UNKNOWN, JOINT, JOINT_BUT_HEADS, JOINT_NOT };

typedef struct {
  const Walk *w;
  const IrNode *loop;
  const IrGroup *warp;
  bool has_heads, has_others, is_mixed;
} Exits;

static void see_exit(Exits *exits, const IrNode *exit) {
  const IrNode *target = exit->u.exit.target, *owner = ir_node_owner(exit);
  bool stays = target != exits->loop && ir_is_inside(target, exits->loop);
  bool is_next = target == exits->loop && exit->u.exit.is_continue;
  bool is_joint =
      walk_leaves_together(exits->w, exit, exits->loop, exits->warp);
  bool leaves = !stays && !is_next;
  if (leaves && !is_joint && target == exits->loop && owner->op == IR_IF &&
      walk_is_head_test(owner)) {
    exits->has_heads = true;
    return;
  }
  exits->has_others |= leaves;
  exits->is_mixed |= !is_joint;
}

// Threads that go on with a turn that others leave in the middle may miss an
// exit that these take.
static uint8_t see_loop(const Walk *w, const IrNode *loop,
                        const IrGroup *warp) {
  Exits exits = {.w = w, .loop = loop, .warp = warp};
  IrCursor cursor = cursor_at(&loop->regions[0]);
  while (cursor_next(&cursor))
    if (cursor.event == CURSOR_NODE && cursor.node->op == IR_EXIT)
      see_exit(&exits, cursor.node);
  if (exits.has_others && exits.is_mixed)
    return JOINT_NOT;
  return exits.has_heads ? JOINT_BUT_HEADS : JOINT;
}

// It held in all turns before, if it does in this one.
static bool is_monotone(Walk *w, const CheckLoop *loop, const Term *stay) {
  TermTable *t = w->terms;
  if (stay->kind != TERM_LE || !walk_is_of_turn(loop, stay))
    return false;
  const Term *turn = term_of(t, loop->turn), *now = stay->args[0];
  const Term *before =
      induct_put(w, now, loop->turn, term_sub(t, turn, term_int(t, 1)));
  return solver_proves(w->quick, NULL, term_le(t, before, now));
}

static bool heads_are_monotone(Walk *w, const CheckLoop *loop,
                               const IrGroup *warp) {
  const Join *join = w->joins;
  while (join && join->node != loop->node)
    join = join->outer;
  if (!join || join->stays.count == 0)
    return false;
  for (uint32_t i = 0; i < join->stays.count; i++) {
    const Term *stay = join->stays.data[i];
    if (walk_at_thread(w, warp, stay, NULL) != stay &&
        !is_monotone(w, loop, stay))
      return false;
  }
  return true;
}

static bool loops_are_joint(Walk *w, const IrGroup *warp) {
  for (const CheckLoop *loop = w->loop; loop; loop = loop->parent) {
    uint8_t *kind = &w->joint[loop->node->id];
    if (*kind == JOINT_UNKNOWN)
      *kind = see_loop(w, loop->node, warp);
    if (*kind == JOINT_NOT ||
        (*kind == JOINT_BUT_HEADS && !heads_are_monotone(w, loop, warp)))
      return false;
  }
  return true;
}

// ----------------------------------------------------------------- all lanes

typedef struct {
  Walk *w;
  const IrGroup *warp;
  const Term *thread;
  hd_vec(const Term *) open;
} AtLane;

// False: what it is there isn't known.
static bool walk_lanes_need(AtLane *at, const Term *condition) {
  Walk *w = at->w;
  if (condition->kind == TERM_ALL) {
    bool is_known = true;
    for (uint32_t i = 0; i < condition->n_args && is_known; i++)
      is_known = walk_lanes_need(at, condition->args[i]);
    return is_known;
  }
  if (map_has(&w->ranges, MAP_KEY(condition)))
    return true;
  const Term *there = walk_at_thread(w, at->warp, condition, at->thread);
  if (there && there != condition)
    VEC_PUSH(w->arena, &at->open, there);
  return there != NULL;
}

// Some follow from others: those that don't are tried again.
static bool prove_open(AtLane *at) {
  Walk *w = at->w;
  TermTable *t = w->terms;
  const Term *exists = term_lt(t, at->thread, term_int(t, w->tree->n_threads));
  const Term *given = term_and(t, path_now(w), exists);
  uint32_t before = at->open.count + 1;
  while (at->open.count > 0 && at->open.count < before) {
    before = at->open.count;
    uint32_t n = 0;
    for (uint32_t i = 0; i < before; i++) {
      const Term *one = at->open.data[i];
      if (solver_proves(w->quick, given, one))
        given = term_and(t, given, one);
      else
        at->open.data[n++] = one;
    }
    at->open.count = n;
  }
  return at->open.count == 0;
}

static bool path_holds_at(Walk *w, const IrGroup *warp, const Term *thread) {
  AtLane at = {.w = w, .warp = warp, .thread = thread};
  for (uint32_t i = 0; i < w->path.count; i++)
    if (w->path_kinds.data[i] == PATH_WAY &&
        !walk_lanes_need(&at, w->path.data[i]))
      return false;
  return prove_open(&at);
}

static const IrGroup *warp_of(const Walk *w) {
  for (uint32_t i = 0; i < w->kernel->groups.count; i++)
    if (w->kernel->groups.data[i]->kind == GROUP_WARP)
      return w->kernel->groups.data[i];
  return NULL;
}

bool walk_is_joint(const Walk *w, const IrNode *node) {
  const IrGroup *warp = warp_of(w);
  return warp && uniformity_has(w->uniformity, node, warp);
}

// What it tells of other threads.
static const Term *ways_of(const Walk *w) {
  const Term *all = term_true(w->terms);
  for (uint32_t i = 0; i < w->path.count; i++)
    if (w->path_kinds.data[i] == PATH_WAY)
      all = term_and(w->terms, all, w->path.data[i]);
  return all;
}

bool walk_has_all_lanes(Walk *w) {
  TermTable *t = w->terms;
  const IrGroup *warp = warp_of(w);
  if (!warp || path_has(w, 0, PATH_LEFT_OUT) || !loops_are_joint(w, warp))
    return false;
  uint64_t key = (uint64_t)path_now(w)->id << 32 | ways_of(w)->id;
  const char *known = map_get(&w->whole, key);
  if (!known) {
    const Term *own = term_of(t, w->tree->thread);
    const Term *first = term_sub(t, own, term_mod(t, own, term_int(t, 32)));
    const Symbol *lane = walk_symbol(w, "lane", NULL, NULL, 0, 31);
    bool is_whole =
        path_holds_at(w, warp, term_add(t, first, term_of(t, lane)));
    known = is_whole ? "all" : "";
    map_put(w->arena, &w->whole, key, (void *)(uintptr_t)known);
  }
  return *known != 0;
}

// --------------------------------------------------------------------- masks

// All of a warp, none of which is short.
static bool walk_lanes_is_full(Walk *w, const IrGroup *group) {
  return group->kind == GROUP_COALESCED && walk_view(w, group)->is_known &&
         w->tree->n_threads % 32 == 0;
}

static bool walk_lanes_is_number(const IrNode *node, uint64_t value) {
  return node->op == IR_CONST && node->u.constant.bits == value;
}

const Value *walk_lane_mask(Walk *w, const IrNode *node) {
  const IrNode *bit = node->args[0];
  bool is_union = node->op == IR_REDUCE && node->n_args == 1 &&
                  node->u.collective.combine == RMW_OR &&
                  walk_lanes_is_full(w, node->u.collective.group);
  bool is_own = is_union && bit->op == IR_SHL &&
                walk_lanes_is_number(bit->args[0], 1) &&
                bit->args[1]->op == IR_RANK &&
                bit->args[1]->u.group.group->kind == GROUP_WARP;
  return is_own ? value_int(w, 32, term_int(w->terms, -1), true, false) : NULL;
}

// Operand k of the node is the mask of all 32.
static bool is_all(Walk *w, const IrNode *node, uint32_t k) {
  const Value *set = walk_arg(w, node, k);
  int64_t all;
  return set->kind == VALUE_INT && set->bits == 32 &&
         term_is_constant(set->term, &all) && (uint32_t)all == UINT32_MAX;
}

static const Term *lane_at(Walk *w, const IrNode *node, uint32_t k) {
  const Value *value = walk_arg(w, node, k);
  const Term *lane = value->kind == VALUE_INT ? value_unsigned(w, value) : NULL;
  int64_t low, high = 32;
  if (lane)
    term_interval(w->terms, lane, &low, &high);
  return high < 32 ? lane : NULL;
}

// all >> lane & 1
const Value *walk_lane_bit(Walk *w, const IrNode *node) {
  const IrNode *moved = node->args[0];
  bool is_set = node->op == IR_AND && moved->op == IR_LSHR &&
                walk_lanes_is_number(node->args[1], 1) && is_all(w, moved, 0) &&
                lane_at(w, moved, 1);
  return is_set ? value_int(w, 32, term_int(w->terms, 1), true, true) : NULL;
}

// all & ((1 << lane) - 1)
const Value *walk_lanes_below(Walk *w, const IrNode *node) {
  const IrNode *mask = node->args[0];
  const IrNode *below = mask->op == IR_AND ? mask->args[1] : NULL;
  const IrNode *bit = below && below->op == IR_SUB ? below->args[0] : NULL;
  if (!bit || bit->op != IR_SHL || !walk_lanes_is_number(bit->args[0], 1) ||
      !walk_lanes_is_number(below->args[1], 1) || !is_all(w, mask, 0))
    return NULL;
  const Term *lane = lane_at(w, bit, 1);
  return lane ? value_int(w, 32, lane, true, true) : NULL;
}
