// SPDX-License-Identifier: Apache-2.0
// Repeats loops turn by turn while the kernel is copied.
//
// The copy follows constants through variables as it goes (Note [Known
// variables]), so that a loop such as
//
//   for (int half = 128; half > 0; half /= 2) { …; sync(); }
//
// ends by itself: in each turn its condition is a constant. A loop is tried; if
// a turn's end isn't known, or the copies grow too many, they are dropped and
// the loop stays one.
//
// Note [Known variables]
// `known` says what a variable holds for every thread that gets here. Changes
// are logged: what a branch did is taken back before the other one is copied,
// and behind both everything that either changed is unknown. Before a loop that
// stays one, all that it assigns is unknown.
#include "ir/analyses/analysis.h"
#include "ir/form/fold.h"
#include "ir/passes/clone.h"

#include <string.h>

// Kernels beyond it, and turns beyond these, are left alone.
#define MOST_NODES  20000
#define MOST_TURNS  1024
// Operations in the copies of one loop, constants and variables not counted:
// where the program asks for it, and where a short loop holds a barrier.
#define MOST_ASKED  4096
#define MOST_SHORT  512
#define SHORT_TURNS 16
// Turns of a loop over elements by rank.
#define FEW_TURNS   4
// All copies together.
#define MOST_MADE   50000
// Nodes made for one loop and for all, whatever becomes of them: constants fold
// and cost nothing in the end, but a nest of loops visits them all.
#define LOOP_STEPS  32768
#define MOST_STEPS  500000

typedef struct {
  uint32_t var;
  IrNode *before;
} Change;

typedef enum {
  GOES_ON,
  LEFT,   // behind an exit
  ENDED,  // the repeated loop `ended` ends, or its turn
  FAILED, // a repeated loop's end depends on what isn't known
} Way;

typedef struct {
  Arena *arena, *scratch;
  const IrKernel *from;
  IrKernel *to;
  IrNode **copy;      // by id: its copy, the latest
  IrGroup **groups;   // by id
  IrObject **objects; // by id
  IrNode **known;     // by variable: a constant or the value of a turn
  hd_vec(Change) log;
  IrRegion **repeated_in; // by id: where a loop's turns go while they do
  bool *stays;            // by id: a loop that can't be repeated
  bool *is_candidate;     // by id
  uint32_t *n_gets;       // by variable
  uint32_t *n_inner_gets; // by id of counted loops: of their variable, inside
  uint32_t n_made;
  const IrNode *ended;   // with ENDED
  const IrNode *failing; // with FAILED
  bool is_turn;
  bool has_candidates;
} Unroller;

static Way copy_region(Unroller *u, const IrRegion *from, IrRegion *to);

// -------------------------------------------------------- known variables

static void set_known(Unroller *u, uint32_t var, IrNode *value) {
  Change change = {var, u->known[var]};
  if (change.before == value)
    return;
  VEC_PUSH(u->scratch, &u->log, change);
  u->known[var] = value;
}

static void take_back(Unroller *u, uint32_t mark) {
  while (u->log.count > mark) {
    Change change = VEC_POP(&u->log);
    u->known[change.var] = change.before;
  }
}

typedef hd_vec(uint32_t) VarList;

// Takes back what was changed since `mark`, noting which variables it was.
static void take_back_noting(Unroller *u, uint32_t mark, VarList *list) {
  for (uint32_t i = mark; i < u->log.count; i++)
    VEC_PUSH(u->scratch, list, u->log.data[i].var);
  take_back(u, mark);
}

static void unroll_forget(Unroller *u, const VarList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    set_known(u, list->data[i], NULL);
}

static bool forget_assigned(IrNode *node, void *context) {
  Unroller *u = context;
  if (node->op == IR_SET)
    set_known(u, node->u.variable.var, NULL);
  else if (node->op == IR_FOR)
    set_known(u, node->u.loop.var, NULL);
  else if (node->op == IR_THREAD_FOR)
    set_known(u, node->u.part.var, NULL);
  else if (ir_is_operator(node)) {
    set_known(u, node->u.by.left, NULL);
    set_known(u, node->u.by.right, NULL);
    set_known(u, node->u.by.result, NULL);
  }
  return true;
}

static void forget_inside(Unroller *u, const IrNode *node) {
  IrNode own = *node;
  forget_assigned(&own, u);
  for (uint32_t i = 0; i < node->n_regions; i++) {
    IrRegion region = node->regions[i];
    for (IrNode *inner = region.first; inner; inner = inner->next) {
      forget_assigned(inner, u);
      for (uint32_t k = 0; k < inner->n_regions; k++)
        ir_walk(&inner->regions[k], forget_assigned, u);
    }
  }
}

// ------------------------------------------------------------- one node

static void copy_group(const Unroller *u, IrGroup **group) {
  if (*group)
    *group = u->groups[(*group)->id];
}

// Objects of the module stay what they are.
static void copy_object(const Unroller *u, IrObject **object) {
  if (*object && (*object)->id < u->from->objects.count &&
      u->from->objects.data[(*object)->id] == *object)
    *object = u->objects[(*object)->id];
}

static void copy_references(Unroller *u, IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_GROUP:
    copy_group(u, &node->u.group.group);
    if (node->op == IR_MAKE_GROUP)
      node->u.group.group->maker = node;
    break;
  case FORM_PART:
    copy_group(u, &node->u.part.group);
    copy_group(u, &node->u.part.parent);
    if (node->op != IR_WITH) // which makes none
      node->u.part.group->maker = node;
    break;
  case FORM_INDEX: copy_object(u, &node->u.index.object); break;
  case FORM_ACCESS: copy_object(u, &node->u.access.object); break;
  case FORM_COLLECTIVE: copy_group(u, &node->u.collective.group); break;
  case FORM_BARRIER: copy_object(u, &node->u.barrier.object); break;
  case FORM_COPY:
    copy_group(u, &node->u.copy.group);
    copy_object(u, &node->u.copy.to.object);
    copy_object(u, &node->u.copy.from.object);
    copy_object(u, &node->u.copy.barrier);
    break;
  case FORM_EXIT: node->u.exit.target = u->copy[node->u.exit.target->id]; break;
  case FORM_SECTION: copy_object(u, &node->u.section.object); break;
  case FORM_TILE:
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_TEXT:
  case FORM_LOOP: break;
  }
}

static IrNode *make_constant(Unroller *u, IrRegion *to, IrType type,
                             uint64_t bits, IrLocId loc) {
  IrNode *node = ir_node_new(u->to, to, IR_CONST, type, loc, NULL, 0);
  node->u.constant.bits = bits;
  return node;
}

// A copy with empty regions.
static IrNode *copy_node(Unroller *u, const IrNode *from, IrRegion *to) {
  IrNode *node =
      ir_node_new(u->to, to, from->op, from->type, from->loc, NULL, 0);
  node->flags = from->flags;
  node->n_args = from->n_args;
  node->args = ARENA_ARRAY(u->arena, IrNode *, from->n_args);
  for (uint32_t i = 0; i < from->n_args; i++)
    node->args[i] = u->copy[from->args[i]->id];
  memcpy(&node->u, &from->u, sizeof node->u);
  u->copy[from->id] = node;
  copy_references(u, node);
  IrForm form = ir_op_info(node)->form;
  u->n_made += form != FORM_CONST && form != FORM_VAR;
  return node;
}

static void copy_value(Unroller *u, const IrNode *from, IrRegion *to) {
  uint64_t bits;
  if (from->op == IR_GET && u->known[from->u.variable.var]) {
    IrNode *value = u->known[from->u.variable.var];
    u->copy[from->id] = value;
    if (value->op == IR_CONST)
      u->copy[from->id] =
          make_constant(u, to, value->type, value->u.constant.bits, from->loc);
    return;
  }
  if (from->op == IR_SELECT) {
    const IrNode *condition = u->copy[from->args[0]->id];
    if (condition->op == IR_CONST) {
      uint32_t pick = condition->u.constant.bits ? 1 : 2;
      u->copy[from->id] = u->copy[from->args[pick]->id];
      return;
    }
  }
  IrNode *node = copy_node(u, from, to);
  if (node->op == IR_SET)
    set_known(u, node->u.variable.var,
              node->args[0]->op == IR_CONST ? node->args[0] : NULL);
  else if ((ir_op_info(node)->flags & OPF_PURE) && ir_fold(node, &bits)) {
    node->op = IR_CONST;
    node->n_args = 0;
    node->flags = 0;
    node->u.constant.bits = bits;
    u->n_made--;
  }
}

// --------------------------------------------------------------- control

static Way unroll_fail(Unroller *u, const IrNode *loop) {
  u->failing = loop;
  return FAILED;
}

static Way copy_exit(Unroller *u, const IrNode *from, IrRegion *to) {
  const IrNode *target = from->u.exit.target;
  if (u->repeated_in[target->id] == NULL) {
    copy_node(u, from, to);
    return LEFT;
  }
  if (u->repeated_in[target->id] != to)
    return unroll_fail(u, target);
  u->ended = target;
  u->is_turn = from->u.exit.is_continue;
  return ENDED;
}

static Way copy_if(Unroller *u, const IrNode *from, IrRegion *to) {
  const IrNode *condition = u->copy[from->args[0]->id];
  if (condition->op == IR_CONST)
    return copy_region(u, &from->regions[condition->u.constant.bits ? 0 : 1],
                       to);
  IrNode *node = copy_node(u, from, to);
  VarList changed = {0};
  Way ways[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t mark = u->log.count;
    ways[i] = copy_region(u, &from->regions[i], &node->regions[i]);
    take_back_noting(u, mark, &changed);
    if (ways[i] == FAILED)
      return FAILED;
  }
  unroll_forget(u, &changed);
  return ways[0] == LEFT && ways[1] == LEFT ? LEFT : GOES_ON;
}

// A node with a body that stays what it is.
static Way copy_body(Unroller *u, const IrNode *from, IrRegion *to) {
  bool is_loop = from->op != IR_BLOCK && from->op != IR_CALL;
  bool is_again = u->copy[from->id] != NULL;
  IrNode *node = copy_node(u, from, to);
  if (is_loop)
    forget_inside(u, from);
  VarList changed = {0};
  uint32_t mark = u->log.count;
  Way way = copy_region(u, &from->regions[0], &node->regions[0]);
  take_back_noting(u, mark, &changed);
  unroll_forget(u, &changed);
  if (is_again && ir_is_operator(node))
    ir_own_variables(u->to, &node->regions[0], &node->u.by);
  return way == FAILED ? FAILED : GOES_ON;
}

// -------------------------------------------------------- repeated loops

// The values of an iteration variable. `n_threads` threads may start one after
// the other; those of later turns are only some.
typedef struct {
  int64_t first, last, step; // last: inclusive
  int64_t n_threads;         // 1: all start at `first`
  IrNode *start;             // with more threads: where each starts
} Count;

static int64_t unroll_constant_of(const IrNode *node, bool is_signed) {
  uint64_t bits = node->u.constant.bits;
  if (ir_type_bits(node->type) == 64)
    return (int64_t)bits;
  return is_signed ? (int32_t)bits : (int64_t)(uint32_t)bits;
}

static bool unroll_is_known(const IrNode *node) {
  return node->op == IR_CONST && ir_type_bits(node->type) >= 32;
}

// A rank, or the sum of one and a constant: the least and how many there are.
static bool unroll_is_rank(const Unroller *u, IrNode *node, Count *count) {
  int64_t offset = 0;
  count->start = node;
  if (node->op == IR_ADD && node->args[0]->op == IR_RANK &&
      unroll_is_known(node->args[1])) {
    offset = unroll_constant_of(node->args[1], true);
    node = node->args[0];
  }
  if (node->op != IR_RANK || ir_type_bits(node->type) != 32)
    return false;
  const IrGroup *group = node->u.group.group;
  const int32_t *dim = u->from->block_dim;
  count->first = offset;
  count->n_threads = group->kind == GROUP_BLOCK
                         ? (int64_t)dim[0] * dim[1] * dim[2]
                         : group->size;
  return count->n_threads > 0;
}

static bool is_in_reach(int64_t value) {
  return value > -(INT64_C(1) << 30) && value < INT64_C(1) << 30;
}

// The turns of a counted loop, if they are known and few enough.
static bool count_turns(const Unroller *u, const IrNode *loop, Count *count) {
  IrNode *low = u->copy[loop->args[0]->id], *high = u->copy[loop->args[1]->id];
  bool is_signed = loop->u.loop.is_signed;
  count->step = loop->u.loop.step;
  count->n_threads = 1;
  if (!unroll_is_known(high))
    return false;
  if (unroll_is_known(low))
    count->first = unroll_constant_of(low, is_signed);
  else if (!is_signed || count->step <= 0 || !unroll_is_rank(u, low, count) ||
           u->n_gets[loop->u.loop.var] != u->n_inner_gets[loop->id])
    return false;
  count->last = unroll_constant_of(high, is_signed);
  if (!is_in_reach(count->first) || !is_in_reach(count->last) ||
      !is_in_reach(count->step))
    return false;
  if (!loop->u.loop.is_inclusive)
    count->last -= count->step > 0 ? 1 : -1;
  return is_signed || count->first >= 0;
}

static bool is_within(const Count *count, int64_t value) {
  return count->step > 0 ? value <= count->last : value >= count->last;
}

// The iteration variable of a turn.
static IrNode *turn_value(Unroller *u, const IrNode *loop, const Count *count,
                          uint32_t turn, IrRegion *to) {
  int64_t value = (int64_t)turn * count->step;
  if (count->n_threads == 1)
    value += count->first;
  IrType type = u->from->vars.data[loop->u.loop.var].type;
  uint64_t bits = (uint64_t)value;
  if (ir_type_bits(type) < 64)
    bits &= (UINT64_C(1) << ir_type_bits(type)) - 1;
  IrNode *constant = make_constant(u, to, type, bits, loop->loc);
  if (count->n_threads == 1)
    return constant;
  IrNode *terms[2] = {count->start, constant};
  IrNode *sum = ir_node_new(u->to, to, IR_ADD, type, loop->loc, terms, 2);
  sum->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  return turn == 0 ? count->start : sum;
}

static void set_turn(Unroller *u, const IrNode *loop, IrNode *value,
                     IrRegion *to) {
  IrNode *set = ir_node_new(u->to, to, IR_SET, ir_scalar(IR_TYPE_VOID),
                            loop->loc, &value, 1);
  set->u.variable.var = loop->u.loop.var;
  set_known(u, loop->u.loop.var, value);
}

// A turn that only some threads take.
static Way copy_partial_turn(Unroller *u, const IrNode *loop,
                             const Count *count, IrNode *value, IrRegion *to) {
  IrNode *last = make_constant(u, to, value->type,
                               (uint64_t)count->last & UINT32_MAX, loop->loc);
  IrNode *terms[2] = {value, last};
  IrNode *test = ir_node_new(u->to, to, IR_SLE, ir_scalar(IR_TYPE_BOOL),
                             loop->loc, terms, 2);
  IrNode *branch = ir_node_new(u->to, to, IR_IF, ir_scalar(IR_TYPE_VOID),
                               loop->loc, &test, 1);
  VarList changed = {0};
  uint32_t mark = u->log.count;
  Way way = copy_region(u, &loop->regions[0], &branch->regions[0]);
  take_back_noting(u, mark, &changed);
  unroll_forget(u, &changed);
  return way == LEFT ? GOES_ON : way;
}

static Way copy_turn(Unroller *u, const IrNode *loop, const Count *count,
                     uint32_t turn, IrRegion *to) {
  if (loop->op != IR_FOR)
    return copy_region(u, &loop->regions[0], to);
  IrNode *value = turn_value(u, loop, count, turn, to);
  set_turn(u, loop, value, to);
  int64_t last = count->first + turn * count->step + count->n_threads - 1;
  if (count->n_threads > 1 && !is_within(count, last))
    return copy_partial_turn(u, loop, count, value, to);
  return copy_region(u, &loop->regions[0], to);
}

static uint32_t most_turns(const IrNode *loop, const Count *count) {
  if (loop->u.loop.unroll < 0)
    return MOST_TURNS;
  return count->n_threads > 1 ? FEW_TURNS : SHORT_TURNS;
}

// What the copies of a loop may come to.
typedef struct {
  uint32_t n_made, n_nodes;
} Budget;

static Budget unroll_budget_of(const Unroller *u, const IrNode *loop) {
  bool is_asked = loop->u.loop.unroll < 0;
  return (Budget){u->n_made + (is_asked ? MOST_ASKED : MOST_SHORT),
                  u->to->n_nodes + LOOP_STEPS};
}

static bool is_spent(const Unroller *u, Budget budget) {
  return u->n_made > budget.n_made || u->n_made > MOST_MADE ||
         u->to->n_nodes > budget.n_nodes || u->to->n_nodes > MOST_STEPS;
}

static Way copy_turns(Unroller *u, const IrNode *loop, IrRegion *to) {
  Budget budget = unroll_budget_of(u, loop);
  Count count = {.n_threads = 1};
  if (loop->op == IR_FOR && !count_turns(u, loop, &count))
    return unroll_fail(u, loop);
  uint32_t turn = 0;
  for (;; turn++) {
    if (loop->op == IR_FOR &&
        !is_within(&count, count.first + turn * count.step))
      break;
    if (turn == most_turns(loop, &count) || is_spent(u, budget))
      return unroll_fail(u, loop);
    Way way = copy_turn(u, loop, &count, turn, to);
    if (way == ENDED && u->ended == loop && !u->is_turn)
      return GOES_ON;
    if (way != GOES_ON && !(way == ENDED && u->ended == loop))
      return way;
  }
  if (count.n_threads == 1)
    set_turn(u, loop, turn_value(u, loop, &count, turn, to), to);
  return GOES_ON;
}

static Way copy_loop(Unroller *u, const IrNode *loop, IrRegion *to) {
  if (!u->is_candidate[loop->id] || u->stays[loop->id])
    return copy_body(u, loop, to);
  uint32_t mark = u->log.count, n_made = u->n_made;
  IrNode *last = to->last;
  u->repeated_in[loop->id] = to;
  Way way = copy_turns(u, loop, to);
  u->repeated_in[loop->id] = NULL;
  if (way != FAILED || u->failing != loop)
    return way;
  while (to->last != last)
    ir_node_unlink(to->last);
  take_back(u, mark);
  u->n_made = n_made;
  u->stays[loop->id] = true;
  return copy_body(u, loop, to);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static Way copy_any(Unroller *u, const IrNode *node, IrRegion *to) {
  switch (node->op) {
  case IR_IF: return copy_if(u, node, to);
  case IR_EXIT: return copy_exit(u, node, to);
  case IR_LOOP:
  case IR_FOR: return copy_loop(u, node, to);
  default: break;
  }
  if (node->n_regions > 0)
    return copy_body(u, node, to);
  copy_value(u, node, to);
  return GOES_ON;
}

#pragma GCC diagnostic pop

static Way copy_region(Unroller *u, const IrRegion *from, IrRegion *to) {
  for (const IrNode *node = from->first; node; node = node->next) {
    Way way = copy_any(u, node, to);
    if (way != GOES_ON)
      return way;
  }
  return GOES_ON;
}

// ------------------------------------------------------------ candidates

typedef struct {
  uint32_t var; // whose uses are counted
  uint32_t n_gets;
  bool has_barrier, has_group;
} Contents;

static bool look_inside(IrNode *node, void *context) {
  Contents *contents = context;
  contents->has_barrier |= node->op == IR_SYNC;
  contents->has_group |= node->op == IR_GROUP || node->op == IR_THREAD_FOR ||
                         node->op == IR_MAKE_GROUP;
  contents->n_gets +=
      node->op == IR_GET && node->u.variable.var == contents->var;
  return true;
}

static bool may_start_by_rank(const IrNode *loop) {
  if (loop->op != IR_FOR)
    return false;
  const IrNode *low = loop->args[0];
  return low->op == IR_RANK ||
         (low->op == IR_ADD && low->args[0]->op == IR_RANK);
}

// Groups have one row each: loops that make some stay.
static bool find_candidate(IrNode *node, void *context) {
  Unroller *u = context;
  if (node->op == IR_GET)
    u->n_gets[node->u.variable.var]++;
  if ((node->op != IR_LOOP && node->op != IR_FOR) || node->u.loop.unroll > 0)
    return true;
  Contents contents = {.var = UINT32_MAX};
  if (node->op == IR_FOR)
    contents.var = node->u.loop.var;
  for (IrNode *inner = node->regions[0].first; inner; inner = inner->next) {
    look_inside(inner, &contents);
    for (uint32_t i = 0; i < inner->n_regions; i++)
      ir_walk(&inner->regions[i], look_inside, &contents);
  }
  u->n_inner_gets[node->id] = contents.n_gets;
  u->is_candidate[node->id] =
      !contents.has_group && (node->u.loop.unroll < 0 || contents.has_barrier ||
                              may_start_by_rank(node));
  u->has_candidates |= u->is_candidate[node->id];
  return true;
}

// ------------------------------------------------------------- the kernel

static IrKernel *copy_tables(Unroller *u) {
  const IrKernel *from = u->from;
  Arena *arena = u->arena;
  IrModule *module = ARENA_NEW(arena, IrModule);
  *module = *from->module;
  module->arena = arena;
  IrKernel *to = ARENA_NEW(arena, IrKernel);
  *to = *from;
  memset(&module->kernels, 0, sizeof module->kernels);
  VEC_PUSH(arena, &module->kernels, to);
  to->module = module;
  to->n_nodes = 0;
  to->body = (IrRegion){0};
  to->groups.data = u->groups =
      ARENA_ARRAY(arena, IrGroup *, from->groups.count);
  for (uint32_t i = 0; i < from->groups.count; i++)
    u->groups[i] = arena_copy(arena, from->groups.data[i], sizeof(IrGroup));
  for (uint32_t i = 0; i < from->groups.count; i++)
    if (u->groups[i]->parent)
      u->groups[i]->parent = u->groups[u->groups[i]->parent->id];
  to->groups.capacity = from->groups.count;
  to->objects.data = u->objects =
      ARENA_ARRAY(arena, IrObject *, from->objects.count);
  to->objects.capacity = from->objects.count;
  for (uint32_t i = 0; i < from->objects.count; i++) {
    IrObject *object =
        arena_copy(arena, from->objects.data[i], sizeof(IrObject));
    object->lifetime = NULL;
    if (object->group)
      object->group = u->groups[object->group->id];
    u->objects[i] = object;
  }
  to->vars.data = arena_copy(arena, from->vars.data,
                             from->vars.count * sizeof from->vars.data[0]);
  to->vars.capacity = from->vars.count;
  for (uint32_t i = 0; i < from->vars.count; i++)
    to->vars.data[i].loop = NULL;
  to->params.data =
      arena_copy(arena, from->params.data,
                 from->params.count * sizeof from->params.data[0]);
  to->params.capacity = from->params.count;
  for (uint32_t i = 0; i < from->params.count; i++)
    if (to->params.data[i].object)
      to->params.data[i].object = u->objects[to->params.data[i].object->id];
  clone_host_tables(arena, from, to, u->objects);
  return to;
}

IrKernel *ir_unroll(Arena *arena, const IrKernel *kernel) {
  if (kernel->n_nodes > MOST_NODES)
    return NULL;
  Arena *scratch = arena_new();
  Unroller u = {.arena = arena, .scratch = scratch, .from = kernel};
  u.is_candidate = ARENA_ARRAY(scratch, bool, kernel->n_nodes);
  u.n_gets = ARENA_ARRAY(scratch, uint32_t, kernel->vars.count);
  u.n_inner_gets = ARENA_ARRAY(scratch, uint32_t, kernel->n_nodes);
  IrRegion body = kernel->body;
  ir_walk(&body, find_candidate, &u);
  if (u.has_candidates) {
    u.copy = ARENA_ARRAY(scratch, IrNode *, kernel->n_nodes);
    u.known = ARENA_ARRAY(scratch, IrNode *, kernel->vars.count);
    u.repeated_in = ARENA_ARRAY(scratch, IrRegion *, kernel->n_nodes);
    u.stays = ARENA_ARRAY(scratch, bool, kernel->n_nodes);
    u.to = copy_tables(&u);
    copy_region(&u, &kernel->body, &u.to->body);
    ir_simplify(u.to);
  }
  arena_free(scratch);
  return u.to;
}
