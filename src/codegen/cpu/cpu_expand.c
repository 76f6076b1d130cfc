// SPDX-License-Identifier: Apache-2.0
#include "codegen/cpu/cpu_expand.h"
#include "base/panic.h"
#include "ir/passes/passes.h"

#include <stdarg.h>

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};
static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_void = {.kind = IR_TYPE_VOID, .lanes = 1};

// ---------------------------------------------------------------- building

IrNode *expand_node_of(Expand *x, IrOp op, IrType type, IrNode *const *args,
                       uint32_t n_args) {
  IrNode *node =
      ir_node_new(x->kernel, x->region, op, type, x->loc, args, n_args);
  if (x->region == NULL)
    ir_node_insert_before(x->before, node);
  return node;
}

IrNode *expand_node(Expand *x, IrOp op, IrType type, uint32_t n_args, ...) {
  IrNode *args[8];
  va_list list;
  va_start(list, n_args);
  for (uint32_t i = 0; i < n_args; i++)
    args[i] = va_arg(list, IrNode *);
  va_end(list);
  return expand_node_of(x, op, type, args, n_args);
}

IrNode *expand_number(Expand *x, int64_t value) {
  IrNode *node = expand_node_of(x, IR_CONST, type_i32, NULL, 0);
  node->u.constant.bits = (uint32_t)value;
  return node;
}

IrNode *expand_rank(Expand *x, IrOp op, IrGroup *group) {
  IrNode *node = expand_node_of(x, op, type_i32, NULL, 0);
  node->u.group.group = group;
  return node;
}

IrNode *expand_get(Expand *x, uint32_t var) {
  IrNode *node =
      expand_node_of(x, IR_GET, x->kernel->vars.data[var].type, NULL, 0);
  node->u.variable.var = var;
  return node;
}

void expand_set(Expand *x, uint32_t var, IrNode *value) {
  IrNode *node = expand_node_of(x, IR_SET, type_void, &value, 1);
  node->u.variable.var = var;
}

uint32_t expand_var(Expand *x, IrType type) {
  return ir_var_new(x->kernel, NULL, type);
}

static IrHost *host_number(Expand *x, int64_t value) {
  IrHost *host = ARENA_NEW(x->arena, IrHost);
  host->op = HOST_CONST;
  host->number = value;
  return host;
}

IrObject *expand_scratch(Expand *x, IrType type, const IrGroup *group,
                         uint32_t use) {
  bool is_common = use == SCRATCH_VALUES || use == SCRATCH_WARPS;
  uint32_t key = is_common ? use : (group->id + 1) * 4 + use;
  for (uint32_t i = 0; i < x->scratch.count; i++)
    if (x->keys.data[i] == key &&
        ir_type_equal(x->scratch.data[i]->element, type))
      return x->scratch.data[i];
  IrObject *object = ir_object_new(x->kernel, "scratch", SPACE_SHARED, type);
  object->element_bytes = ir_type_size(x->kernel->module, type);
  object->rank = 1;
  object->extents[0] = host_number(x, (int64_t)x->plan->n_warps * CPU_WARP);
  object->align_bytes = 64;
  object->param = -1;
  object->group = x->kernel->groups.data[GROUP_ROW_BLOCK];
  object->layout = LAYOUT_ROW_MAJOR;
  object->is_uninitialised_ok = true;
  VEC_PUSH(x->arena, &x->scratch, object);
  VEC_PUSH(x->arena, &x->keys, key);
  return object;
}

uint32_t expand_align(const Expand *x, IrType type) {
  if (type.kind == IR_TYPE_STRUCT)
    return x->kernel->module->structs.data[type.index]->align_bytes;
  IrType scalar = type;
  scalar.lanes = 1;
  return ir_type_size(x->kernel->module, scalar);
}

static void set_access(Expand *x, IrNode *node, IrObject *object) {
  node->u.access = (IrAccess){.object = object,
                              .type = object->element,
                              .align_bytes = expand_align(x, object->element),
                              .n_index = 1};
}

IrNode *expand_load(Expand *x, IrObject *object, IrNode *index) {
  IrNode *node = expand_node_of(x, IR_LOAD, object->element, &index, 1);
  node->flags |= NODE_OWN;
  set_access(x, node, object);
  return node;
}

void expand_store(Expand *x, IrObject *object, IrNode *index, IrNode *value) {
  IrNode *args[2] = {index, value};
  IrNode *node = expand_node_of(x, IR_STORE, type_void, args, 2);
  node->flags |= NODE_OWN;
  set_access(x, node, object);
}

void expand_sync(Expand *x, IrGroup *group) {
  IrNode *node = expand_node_of(x, IR_SYNC, type_void, NULL, 0);
  node->u.group.group = group;
  node->flags |= NODE_OWN;
}

static ExpandPlace cpu_expand_enter(Expand *x, IrRegion *region) {
  ExpandPlace place = {x->region, x->before};
  x->region = region;
  return place;
}

ExpandPlace expand_if(Expand *x, IrNode *condition) {
  return cpu_expand_enter(
      x, &expand_node_of(x, IR_IF, type_void, &condition, 1)->regions[0]);
}

ExpandLoop expand_loop(Expand *x) {
  ExpandLoop loop;
  loop.node = expand_node_of(x, IR_LOOP, type_void, NULL, 0);
  loop.place = cpu_expand_enter(x, &loop.node->regions[0]);
  return loop;
}

void expand_leave_unless(Expand *x, const ExpandLoop *loop, IrNode *condition) {
  IrNode *is_over = expand_node_of(x, IR_NOT, type_bool, &condition, 1);
  ExpandPlace place = expand_if(x, is_over);
  expand_node_of(x, IR_EXIT, type_void, NULL, 0)->u.exit.target = loop->node;
  expand_end(x, place);
}

void expand_end(Expand *x, ExpandPlace place) {
  x->region = place.region;
  x->before = place.before;
}

// --------------------------------------------------------------- operators

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static IrOp scalar_op(IrRmw combine, IrType type) {
  bool is_float = ir_type_is_float(type);
  switch (combine) {
  case RMW_SMIN: return is_float ? IR_FMIN : IR_SMIN;
  case RMW_UMIN: return is_float ? IR_FMIN : IR_UMIN;
  case RMW_SMAX: return is_float ? IR_FMAX : IR_SMAX;
  case RMW_UMAX: return is_float ? IR_FMAX : IR_UMAX;
  case RMW_AND: return IR_AND;
  case RMW_OR: return IR_OR;
  case RMW_XOR: return IR_XOR;
  default: return IR_ADD;
  }
}

#pragma GCC diagnostic pop

static IrNode *cpu_expand_extract(Expand *x, IrNode *value, IrType type,
                                  uint32_t k) {
  IrNode *node = expand_node_of(x, IR_EXTRACT, type, &value, 1);
  node->u.index.number = k;
  return node;
}

static IrNode *combine_builtin(Expand *x, IrRmw combine, IrNode *left,
                               IrNode *right) {
  IrType type = left->type;
  const IrModule *module = x->kernel->module;
  if (type.kind != IR_TYPE_STRUCT && type.lanes == 1)
    return expand_node(x, scalar_op(combine, type), type, 2, left, right);
  const IrStruct *record =
      type.kind == IR_TYPE_STRUCT ? module->structs.data[type.index] : NULL;
  uint32_t n = record ? record->leaves.count : type.lanes;
  IrNode **members = ARENA_ARRAY(x->arena, IrNode *, n);
  for (uint32_t k = 0; k < n; k++) {
    IrType member = record ? record->leaves.data[k].type : type;
    member.lanes = record ? member.lanes : 1;
    members[k] =
        combine_builtin(x, combine, cpu_expand_extract(x, left, member, k),
                        cpu_expand_extract(x, right, member, k));
  }
  return expand_node_of(x, IR_PACK, type, members, n);
}

// The body of the operator, once more.
static void cpu_expand_copy_body(Expand *x, const IrNode *node) {
  IrRegion *to = x->region;
  IrNode *block = NULL;
  if (to == NULL) { // at the end of a region of its own
    block = expand_node_of(x, IR_BLOCK, type_void, NULL, 0);
    to = &block->regions[0];
  }
  ir_clone_region(x->kernel, &node->regions[0], to);
}

IrNode *expand_combine(Expand *x, const IrNode *node, IrNode *left,
                       IrNode *right) {
  if (node->op != IR_REDUCE_BY && node->op != IR_SCAN_BY)
    return combine_builtin(x, node->u.collective.combine, left, right);
  expand_set(x, node->u.by.left, left);
  expand_set(x, node->u.by.right, right);
  cpu_expand_copy_body(x, node);
  return expand_get(x, node->u.by.result);
}

// ------------------------------------------------------------------- slots

Slots expand_slots(Expand *x, IrGroup *group) {
  IrGroup *block = x->kernel->groups.data[GROUP_ROW_BLOCK];
  Slots slots = {.group = group, .own = expand_rank(x, IR_RANK, block)};
  const IrGroup *set = group;
  while (set && !code_is_lane_set(set))
    set = set->parent;
  if (set) {
    slots.warp = expand_node(x, IR_AND, type_i32, 2, slots.own,
                             expand_number(x, -CPU_WARP));
    slots.mask = set->kind == GROUP_LABELED && set->maker->n_args > 1
                     ? set->maker->args[1]
                     : set->maker;
    if (set != group) // a piece of it: rank 0 is somewhere inside
      slots.first =
          expand_node(x, IR_SUB, type_i32, 2,
                      expand_rank(x, IR_RANK, x->kernel->groups.data[set->id]),
                      expand_rank(x, IR_RANK, group));
  } else {
    slots.base = expand_node(x, IR_SUB, type_i32, 2, slots.own,
                             expand_rank(x, IR_RANK, group));
  }
  return slots;
}

IrNode *expand_slot_of(Expand *x, const Slots *slots, IrNode *rank) {
  if (slots->base)
    return expand_node(x, IR_ADD, type_i32, 2, slots->base, rank);
  if (slots->first)
    rank = expand_node(x, IR_ADD, type_i32, 2, slots->first, rank);
  uint32_t left = expand_var(x, type_i32), count = expand_var(x, type_i32);
  expand_set(x, left, slots->mask);
  expand_set(x, count, expand_number(x, 0));
  ExpandLoop loop = expand_loop(x);
  IrNode *now = expand_get(x, count), *bits = expand_get(x, left);
  expand_leave_unless(x, &loop,
                      expand_node(x, IR_SLT, type_bool, 2, now, rank));
  IrNode *less = expand_node(x, IR_SUB, type_i32, 2, bits, expand_number(x, 1));
  expand_set(x, left, expand_node(x, IR_AND, type_i32, 2, bits, less));
  expand_set(x, count,
             expand_node(x, IR_ADD, type_i32, 2, now, expand_number(x, 1)));
  expand_end(x, loop.place);
  IrNode *lane = expand_node(x, IR_CTZ, type_i32, 1, expand_get(x, left));
  lane =
      expand_node(x, IR_AND, type_i32, 2, lane, expand_number(x, CPU_WARP - 1));
  return expand_node(x, IR_ADD, type_i32, 2, slots->warp, lane);
}

// ---------------------------------------------------------------- shuffles

static IrNode *cpu_expand_size_of(Expand *x, IrGroup *group) {
  return expand_rank(x, IR_SIZE, group);
}

static IrNode *cpu_expand_modulo(Expand *x, IrNode *i, IrNode *n) {
  IrNode *rest = expand_node(x, IR_SREM, type_i32, 2, i, n);
  IrNode *is_below =
      expand_node(x, IR_SLT, type_bool, 2, rest, expand_number(x, 0));
  IrNode *up = expand_node(x, IR_ADD, type_i32, 2, rest, n);
  return expand_node(x, IR_SELECT, type_i32, 3, is_below, up, rest);
}

static IrNode *expand_shuffle(Expand *x, const IrNode *node) {
  IrGroup *group = node->u.group.group;
  IrObject *values = expand_scratch(x, node->type, group, SCRATCH_VALUES);
  Slots slots = expand_slots(x, group);
  IrNode *rank = expand_rank(x, IR_RANK, group), *by = node->args[1];
  IrNode *size = cpu_expand_size_of(x, group), *from = by;
  expand_store(x, values, slots.own, node->args[0]);
  expand_sync(x, group);
  if (node->op == IR_SHFL_UP)
    from = expand_node(x, IR_SUB, type_i32, 2, rank, by);
  else if (node->op == IR_SHFL_DOWN)
    from = expand_node(x, IR_ADD, type_i32, 2, rank, by);
  else if (node->op == IR_SHFL_XOR)
    from = expand_node(x, IR_XOR, type_i32, 2, rank, by);
  bool is_modulo = node->op == IR_BROADCAST ||
                   (node->op == IR_SHFL && !code_is_lane_set(group));
  if (is_modulo) {
    from = cpu_expand_modulo(x, from, size);
  } else {
    IrNode *is_there = expand_node(x, IR_ULT, type_bool, 2, from, size);
    from = expand_node(x, IR_SELECT, type_i32, 3, is_there, from, rank);
  }
  IrNode *result = expand_load(x, values, expand_slot_of(x, &slots, from));
  expand_sync(x, group);
  return result;
}

// ------------------------------------------------------------------- votes

// A reduction of zeros and ones.
static IrNode *expand_count(Expand *x, const IrNode *node) {
  IrNode *one = expand_node(x, IR_ZEXT, type_i32, 1, node->args[0]);
  IrNode sum = {.op = IR_REDUCE, .type = type_i32, .loc = node->loc};
  sum.args = &one;
  sum.n_args = 1;
  sum.u.collective.group = node->u.group.group;
  sum.u.collective.combine = node->op == IR_COUNT ? RMW_ADD
                             : node->op == IR_ALL ? RMW_AND
                                                  : RMW_OR;
  IrNode *count = expand_reduce(x, &sum);
  if (node->op == IR_COUNT)
    return count;
  return expand_node(x, IR_NE, type_bool, 2, count, expand_number(x, 0));
}

// All leaves of two values have the same bits.
static IrNode *cpu_expand_same_bits(Expand *x, IrNode *a, IrNode *b) {
  IrType type = a->type;
  const IrModule *module = x->kernel->module;
  if (type.kind == IR_TYPE_STRUCT || type.lanes > 1) {
    const IrStruct *record =
        type.kind == IR_TYPE_STRUCT ? module->structs.data[type.index] : NULL;
    uint32_t n = record ? record->leaves.count : type.lanes;
    IrNode *all = NULL;
    for (uint32_t k = 0; k < n; k++) {
      IrType member = record ? record->leaves.data[k].type : type;
      member.lanes = record ? member.lanes : 1;
      IrNode *same =
          cpu_expand_same_bits(x, cpu_expand_extract(x, a, member, k),
                               cpu_expand_extract(x, b, member, k));
      all = all ? expand_node(x, IR_AND, type_bool, 2, all, same) : same;
    }
    return all;
  }
  if (ir_type_is_float(type) || type.kind == IR_TYPE_E4M3 ||
      type.kind == IR_TYPE_E5M2) {
    static const IrTypeKind by_size[] = {[1] = IR_TYPE_I8,
                                         [2] = IR_TYPE_I16,
                                         [4] = IR_TYPE_I32,
                                         [8] = IR_TYPE_I64};
    IrType bits = ir_scalar(by_size[ir_type_size(module, type)]);
    a = expand_node(x, IR_BITCAST, bits, 1, a);
    b = expand_node(x, IR_BITCAST, bits, 1, b);
  }
  return expand_node(x, IR_EQ, type_bool, 2, a, b);
}

// Masks by rank: every thread looks at every other one's value.
static IrNode *expand_mask(Expand *x, const IrNode *node) {
  IrGroup *group = node->u.group.group;
  IrNode *own = node->args[0], *size = cpu_expand_size_of(x, group);
  IrObject *values = expand_scratch(x, own->type, group, SCRATCH_VALUES);
  Slots slots = expand_slots(x, group);
  uint32_t rank = expand_var(x, type_i32), mask = expand_var(x, type_i32);
  uint32_t all = expand_var(x, type_i32);
  expand_store(x, values, slots.own, own);
  expand_sync(x, group);
  expand_set(x, rank, expand_number(x, 0));
  expand_set(x, mask, expand_number(x, 0));
  expand_set(x, all, expand_number(x, 0));
  ExpandLoop loop = expand_loop(x);
  IrNode *now = expand_get(x, rank);
  expand_leave_unless(x, &loop,
                      expand_node(x, IR_SLT, type_bool, 2, now, size));
  IrNode *other = expand_load(x, values, expand_slot_of(x, &slots, now));
  IrNode *is_set =
      node->op == IR_BALLOT ? other : cpu_expand_same_bits(x, own, other);
  IrNode *bit = expand_node(x, IR_SHL, type_i32, 2, expand_number(x, 1), now);
  IrNode *mine =
      expand_node(x, IR_SELECT, type_i32, 3, is_set, bit, expand_number(x, 0));
  expand_set(x, mask,
             expand_node(x, IR_OR, type_i32, 2, expand_get(x, mask), mine));
  expand_set(x, all,
             expand_node(x, IR_OR, type_i32, 2, expand_get(x, all), bit));
  expand_set(x, rank,
             expand_node(x, IR_ADD, type_i32, 2, now, expand_number(x, 1)));
  expand_end(x, loop.place);
  expand_sync(x, group);
  IrNode *result = expand_get(x, mask);
  if (node->op != IR_MATCH_ALL)
    return result;
  IrNode *is_all =
      expand_node(x, IR_EQ, type_bool, 2, result, expand_get(x, all));
  return expand_node(x, IR_SELECT, type_i32, 3, is_all, result,
                     expand_number(x, 0));
}

// ------------------------------------------------------------- labeled parts

// Where every lane runs for itself, parts are found by looking at each other:
// the operands of make_group become label, lanes of the part, lowest lanes of
// all parts of the parent.
static void expand_labels(Expand *x, IrNode *node) {
  IrGroup *parent = node->u.group.group->parent;
  IrNode *label = node->args[0], *size = cpu_expand_size_of(x, parent);
  IrObject *values = expand_scratch(x, label->type, parent, SCRATCH_VALUES);
  IrObject *masks = expand_scratch(x, type_i32, parent, SCRATCH_VALUES);
  Slots slots = expand_slots(x, parent);
  IrNode *results[3] = {label, NULL, NULL};
  for (int turn = 1; turn < 3; turn++) {
    uint32_t rank = expand_var(x, type_i32), mask = expand_var(x, type_i32);
    expand_store(x, turn == 1 ? values : masks, slots.own, results[turn - 1]);
    expand_sync(x, parent);
    expand_set(x, rank, expand_number(x, 0));
    expand_set(x, mask, expand_number(x, 0));
    ExpandLoop loop = expand_loop(x);
    IrNode *now = expand_get(x, rank);
    expand_leave_unless(x, &loop,
                        expand_node(x, IR_SLT, type_bool, 2, now, size));
    IrNode *slot = expand_slot_of(x, &slots, now);
    IrNode *lane = expand_node(x, IR_AND, type_i32, 2, slot,
                               expand_number(x, CPU_WARP - 1));
    IrNode *other = expand_load(x, turn == 1 ? values : masks, slot);
    IrNode *is_set =
        turn == 1
            ? cpu_expand_same_bits(x, label, other)
            : expand_node(x, IR_EQ, type_bool, 2,
                          expand_node(x, IR_CTZ, type_i32, 1, other), lane);
    IrNode *bit =
        expand_node(x, IR_SHL, type_i32, 2, expand_number(x, 1), lane);
    IrNode *mine = expand_node(x, IR_SELECT, type_i32, 3, is_set, bit,
                               expand_number(x, 0));
    expand_set(x, mask,
               expand_node(x, IR_OR, type_i32, 2, expand_get(x, mask), mine));
    expand_set(x, rank,
               expand_node(x, IR_ADD, type_i32, 2, now, expand_number(x, 1)));
    expand_end(x, loop.place);
    expand_sync(x, parent);
    results[turn] = expand_get(x, mask);
  }
  node->args = arena_copy(x->arena, results, sizeof results);
  node->n_args = 3;
}

// -------------------------------------------------------- coalesced threads

static bool cpu_expand_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

// A variable that counts a loop's turns from 1 on.
static uint32_t counter_of(Expand *x, IrNode *loop) {
  for (uint32_t i = 0; i < x->loops.count; i++)
    if (x->loops.data[i] == loop)
      return x->counters.data[i];
  Expand y = *x;
  uint32_t counter = expand_var(x, type_i32);
  y.region = NULL;
  y.before = loop;
  expand_set(&y, counter, expand_number(&y, 0));
  IrNode *first = loop->regions[0].first;
  if (first) { // always: the loop holds what asks for it
    y.before = first;
    expand_set(&y, counter,
               expand_node(&y, IR_ADD, type_i32, 2, expand_get(&y, counter),
                           expand_number(&y, 1)));
  }
  VEC_PUSH(x->arena, &x->loops, loop);
  VEC_PUSH(x->arena, &x->counters, counter);
  return counter;
}

// Where every lane runs for itself, threads of a warp are together if they are
// at the same place in the same turns and the same part of the current group:
// the operands of make_group become what HdCpuCoalesced.keys holds.
static void expand_coalesced(Expand *x, IrNode *node) {
  hd_vec(IrNode *) loops = {0};
  for (IrNode *up = node->region->owner; up; up = up->region->owner)
    if (cpu_expand_is_loop(up))
      VEC_PUSH(x->arena, &loops, up);
  hd_vec(IrNode *) keys = {0};
  for (uint32_t i = loops.count; i-- > 0;) {
    uint32_t counter = counter_of(x, loops.data[i]);
    VEC_PUSH(x->arena, &keys, expand_number(x, loops.data[i]->id));
    VEC_PUSH(x->arena, &keys, expand_get(x, counter));
  }
  VEC_PUSH(x->arena, &keys, expand_number(x, node->id));
  IrGroup *current = ir_node_group(x->kernel, node);
  if (current->kind > GROUP_BLOCK) { // its parts come one by one
    Slots slots = expand_slots(x, current);
    VEC_PUSH(x->arena, &keys, slots.base ? slots.base : slots.mask);
    if (slots.first)
      VEC_PUSH(x->arena, &keys, slots.first);
  }
  node->args = keys.data;
  node->n_args = keys.count;
}

// ------------------------------------------------------------------ kernels

static bool is_to_expand(const CpuPlan *plan, const IrNode *node) {
  if (node->op == IR_MAKE_GROUP)
    return plan->lanes == 1 &&
           ((node->u.group.group->kind == GROUP_LABELED && node->n_args == 1) ||
            (node->u.group.group->kind == GROUP_COALESCED &&
             node->n_args == 0));
  return cpu_copies_at_once(plan, node) ||
         (cpu_is_value_collective(node) &&
          cpu_needs_barrier(plan, cpu_node_group(node)));
}

typedef struct {
  const CpuPlan *plan;
  Arena *arena;
  hd_vec(IrNode *) found;
} Search;

static bool find_node(IrNode *node, void *context) {
  Search *search = context;
  // By id: the plan is of the original, the nodes of the copy.
  if (is_to_expand(search->plan, node))
    VEC_PUSH(search->arena, &search->found, node);
  return true;
}

bool cpu_needs_expansion(const CpuPlan *plan) {
  Search search = {.plan = plan, .arena = plan->arena};
  IrRegion body = plan->kernel->body;
  ir_walk(&body, find_node, &search);
  return search.found.count > 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static IrNode *expand_one(Expand *x, IrNode *node) {
  switch (node->op) {
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR:
  case IR_BROADCAST: return expand_shuffle(x, node);
  case IR_ANY:
  case IR_ALL:
  case IR_COUNT: return expand_count(x, node);
  case IR_REDUCE:
  case IR_REDUCE_BY: return expand_reduce(x, node);
  case IR_SCAN:
  case IR_SCAN_BY: return expand_scan(x, node);
  case IR_BALLOT:
  case IR_MATCH_ANY:
  case IR_MATCH_ALL: return expand_mask(x, node);
  default: HD_PANIC("'%s' of several strands", ir_op_info(node)->text);
  }
}

#pragma GCC diagnostic pop

typedef struct {
  Map results; // node to what takes its place
} Replace;

static bool replace_args(IrNode *node, void *context) {
  const Replace *replace = context;
  for (uint32_t i = 0; i < node->n_args; i++)
    for (IrNode *now = node->args[i]; now != NULL;) {
      node->args[i] = now;
      now = map_get(&replace->results, (uint64_t)(uintptr_t)now);
    }
  return true;
}

IrKernel *cpu_expand(const CpuPlan *plan) {
  Expand x = {.plan = plan, .arena = plan->arena};
  x.kernel = ir_clone_kernel(plan->arena, plan->kernel);
  Search search = {.plan = plan, .arena = plan->arena};
  Replace replace = {0};
  ir_walk(&x.kernel->body, find_node, &search);
  for (uint32_t i = 0; i < search.found.count; i++) {
    IrNode *node = search.found.data[i];
    x.before = node;
    x.region = NULL;
    x.loc = node->loc;
    if (node->op == IR_MAKE_GROUP) {
      if (node->u.group.group->kind == GROUP_LABELED)
        expand_labels(&x, node);
      else
        expand_coalesced(&x, node);
      continue;
    }
    if (node->op == IR_COPY_BYTES) {
      expand_copy(&x, node);
      ir_node_unlink(node);
      continue;
    }
    IrNode *result = expand_one(&x, node);
    map_put(plan->arena, &replace.results, (uint64_t)(uintptr_t)node, result);
    ir_node_unlink(node);
  }
  ir_walk(&x.kernel->body, replace_args, &replace);
  expand_drop_sets(&x);
  ir_kernel_renumber(x.kernel);
  x.kernel->level = pass_table[PASS_EXPAND].after;
  return x.kernel;
}
