// SPDX-License-Identifier: Apache-2.0
// Making code: nodes at the current place, statements, collectives of the
// lanes.
#include "ir/analyses/analysis.h"
#include "ir/form/group_set.h"
#include "tile/tile_parts.h"

#include <stdarg.h>
#include <string.h>

const IrType put_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};
const IrType put_void = {.kind = IR_TYPE_VOID, .lanes = 1};
const IrType put_type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
const IrType put_type_i64 = {.kind = IR_TYPE_I64, .lanes = 1};

// ------------------------------------------------------------------ nodes

IrNode *put_here(Lower *t, IrNode *node) {
  if (ir_op_info(node)->form == FORM_ACCESS)
    t->n_accesses++;
  if (t->region == NULL) {
    ir_node_insert_before(t->before, node);
  } else if (t->region->last) {
    ir_node_insert_after(t->region->last, node);
  } else {
    node->region = t->region;
    t->region->first = t->region->last = node;
  }
  return node;
}

void put_all(Lower *t, IrRegion *from) {
  for (IrNode *node = from->first, *next; node; node = next) {
    next = node->next;
    ir_node_unlink(node);
    put_here(t, node);
  }
}

IrNode *put_node_of(Lower *t, IrOp op, IrType type, IrNode *const *args,
                    uint32_t n_args) {
  return put_here(t,
                  ir_node_new(t->kernel, NULL, op, type, t->loc, args, n_args));
}

IrNode *put_node(Lower *t, IrOp op, IrType type, uint32_t n_args, ...) {
  IrNode *args[4];
  va_list list;
  va_start(list, n_args);
  for (uint32_t i = 0; i < n_args; i++)
    args[i] = va_arg(list, IrNode *);
  va_end(list);
  return put_node_of(t, op, type, args, n_args);
}

IrNode *put_const(Lower *t, IrType type, uint64_t bits) {
  IrNode *node = put_node(t, IR_CONST, type, 0);
  uint32_t width = ir_type_bits(type);
  node->u.constant.bits =
      width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits;
  return node;
}

IrNode *put_i32(Lower *t, int64_t value) {
  return put_const(t, put_type_i32, (uint64_t)value);
}

IrNode *put_i64(Lower *t, int64_t value) {
  return put_const(t, put_type_i64, (uint64_t)value);
}

IrNode *put_two(Lower *t, IrOp op, IrNode *a, IrNode *b) {
  return put_node(t, op, a->type, 2, a, b);
}

IrNode *put_test(Lower *t, IrOp op, IrNode *a, IrNode *b) {
  return put_node(t, op, put_bool, 2, a, b);
}

static IrNode *put_exact(Lower *t, IrOp op, IrNode *a, IrNode *b) {
  IrNode *node = put_two(t, op, a, b);
  node->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  return node;
}

IrNode *put_add(Lower *t, IrNode *a, IrNode *b) {
  return put_exact(t, IR_ADD, a, b);
}

IrNode *put_plus(Lower *t, IrNode *a, int64_t b) {
  return b == 0 ? a : put_add(t, a, put_const(t, a->type, (uint64_t)b));
}

IrNode *put_times(Lower *t, IrNode *a, int64_t b) {
  if (b == 1)
    return a;
  return put_exact(t, IR_MUL, a, put_const(t, a->type, (uint64_t)b));
}

IrNode *put_and(Lower *t, IrNode *a, IrNode *b) {
  if (!a || !b)
    return a ? a : b;
  return put_two(t, IR_AND, a, b);
}

IrNode *put_select(Lower *t, IrNode *is, IrNode *yes, IrNode *no) {
  return put_node(t, IR_SELECT, yes->type, 3, is, yes, no);
}

IrNode *put_wide(Lower *t, IrNode *a) {
  if (a->type.kind == IR_TYPE_I64)
    return a;
  return put_node(t, IR_SEXT, put_type_i64, 1, a);
}

IrNode *put_get(Lower *t, uint32_t var) {
  IrNode *node = put_node(t, IR_GET, t->kernel->vars.data[var].type, 0);
  node->u.variable.var = var;
  return node;
}

void put_set(Lower *t, uint32_t var, IrNode *value) {
  put_node(t, IR_SET, put_void, 1, value)->u.variable.var = var;
}

uint32_t put_var(Lower *t, IrType type, IrNode *value) {
  uint32_t var = ir_var_new(t->kernel, NULL, type);
  if (value)
    put_set(t, var, value);
  return var;
}

void put_sync(Lower *t) {
  if (t->lanes == 1)
    return;
  IrNode *sync = put_node(t, IR_SYNC, put_void, 0);
  sync->u.group.group = t->lane_group;
  sync->flags |= t->is_of_threads ? NODE_OWN : 0u;
}

void put_sync_since(Lower *t, uint32_t n_accesses) {
  if (t->n_accesses != n_accesses)
    put_sync(t);
}

// ------------------------------------------------------------- statements

PutPlace put_enter(Lower *t, IrNode *statement) {
  PutPlace place = {t->region, t->before, statement};
  t->region = &statement->regions[0];
  return place;
}

PutPlace put_if(Lower *t, IrNode *condition) {
  return put_enter(t, put_node(t, IR_IF, put_void, 1, condition));
}

void put_else(Lower *t, const PutPlace *place) {
  t->region = &place->statement->regions[1];
}

PutPlace put_for(Lower *t, IrNode *low, IrNode *high, int64_t step,
                 IrNode **i) {
  IrNode *loop = put_node(t, IR_FOR, put_void, 2, low, high);
  loop->u.loop.var = ir_var_new(t->kernel, NULL, put_type_i32);
  loop->u.loop.step = step;
  loop->u.loop.is_signed = true;
  if (t->lanes == 1) // one lane has many turns, and they nest
    loop->u.loop.unroll = 1;
  PutPlace place = put_enter(t, loop);
  *i = put_get(t, loop->u.loop.var);
  return place;
}

void put_end(Lower *t, PutPlace place) {
  t->region = place.region;
  t->before = place.before;
}

// -------------------------------------------------------------- operators

IrNode *put_combine(Lower *t, IrCombine combine, IrNode *left, IrNode *right) {
  return put_two(t, ir_combine_op(combine), left, right);
}

static IrNode *put_own_operator(Lower *t, const IrNode *node, IrNode *left,
                                IrNode *right) {
  IrRegion copy = {0};
  IrOperator by = node->u.by;
  ir_clone_region(t->kernel, &node->regions[0], &copy);
  ir_own_variables(t->kernel, &copy, &by);
  put_set(t, by.left, left);
  if (right)
    put_set(t, by.right, right);
  put_all(t, &copy);
  return put_get(t, by.result);
}

IrNode *put_combined(Lower *t, const IrNode *node, IrNode *left,
                     IrNode *right) {
  if (ir_is_operator(node))
    return put_own_operator(t, node, left, right);
  return put_combine(t, node->u.tile.combine, left, right);
}

static bool never_fails(IrNode *node, void *context) {
  (void)context;
  switch (ir_family(node)) {
  case FAMILY_VALUE:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH: return true;
  case FAMILY_ARITHMETIC: return !(node->flags & NODE_NO_SIGNED_WRAP);
  case FAMILY_CONTROL: return node->op != IR_LOOP && node->op != IR_FOR;
  case FAMILY_POSITION:
  case FAMILY_MEMORY:
  case FAMILY_SYNC:
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE:
  case FAMILY_MBARRIER:
  case FAMILY_COPY:
  case FAMILY_CLAIM:
  case FAMILY_EFFECT:
  case FAMILY_TILE:
  case FAMILY_COUNT: break;
  }
  return false;
}

bool operator_takes_all(const IrNode *node) {
  IrRegion *body = (IrRegion *)(uintptr_t)&node->regions[0];
  return ir_walk(body, never_fails, NULL);
}

// ------------------------------------------------------------------ lanes

static bool lanes_have_sum(IrType type) {
  return type.kind == IR_TYPE_I32 || type.kind == IR_TYPE_I64 ||
         type.kind == IR_TYPE_F32 || type.kind == IR_TYPE_F64;
}

// The body of reduce_by or scan_by.
static void put_operator(Lower *t, const IrNode *node, IrNode *made) {
  IrType type = made->type;
  made->u.collective.by = (IrOperator){ir_var_new(t->kernel, NULL, type),
                                       ir_var_new(t->kernel, NULL, type),
                                       ir_var_new(t->kernel, NULL, type)};
  PutPlace place = {t->region, t->before, made};
  t->region = &made->regions[0];
  IrNode *left = put_get(t, made->u.collective.by.left);
  IrNode *right = put_get(t, made->u.collective.by.right);
  put_set(t, made->u.collective.by.result, put_combined(t, node, left, right));
  put_end(t, place);
}

IrNode *put_over_lanes(Lower *t, const IrNode *node, IrNode *value) {
  if (t->lanes == 1)
    return value;
  bool is_sum = !ir_is_operator(node) && node->u.tile.combine == COMBINE_ADD &&
                lanes_have_sum(value->type);
  IrNode *made =
      put_node(t, is_sum ? IR_REDUCE : IR_REDUCE_BY, value->type, 1, value);
  made->u.collective.group = t->lane_group;
  made->u.collective.combine = RMW_ADD;
  if (!is_sum)
    put_operator(t, node, made);
  return made;
}

IrNode *put_scan_lanes(Lower *t, const IrNode *node, IrNode *value) {
  if (t->lanes == 1)
    return value;
  IrNode *made = put_node(t, IR_SCAN_BY, value->type, 1, value);
  made->u.collective.group = t->lane_group;
  put_operator(t, node, made);
  return made;
}

IrNode *put_of_lane(Lower *t, IrNode *value, uint32_t lane) {
  if (t->lanes == 1)
    return value;
  IrNode *made =
      put_node(t, IR_BROADCAST, value->type, 2, value, put_i32(t, lane));
  made->u.group.group = t->lane_group;
  return made;
}

IrGroup *put_near_lanes(Lower *t, uint32_t size) {
  IrGroup *group = ir_group_new(t->kernel, GROUP_TILED, t->lane_group);
  group->name = "near lanes";
  group->size = size;
  group->instances = t->lane_group->size / size;
  group->alignment = size;
  IrNode *node = put_node(t, IR_MAKE_GROUP, put_type_i32, 0);
  node->u.group.group = group;
  group->maker = node;
  return group;
}

// Note [Who stores]
// Each thread of a group computes all elements of its tiles that are kept, and
// stores some elements of a section, for which it computes what isn't kept. It
// goes over a section as a lane does whose number is its rank plus that of the
// store, modulo the size of the group. So of two stores of one element two
// threads do one each, where the numbers of the stores aren't equal modulo the
// size. What `op=` loads isn't kept: who stores an element has loaded it.
const IrGroup *put_holder(Lower *t, const IrNode *node, IrNode **rank) {
  IrGroup *group = ir_node_group(t->kernel, node);
  if (!t->is_of_threads || t->holder || group_is_one_thread(group))
    return NULL;
  *rank = put_node(t, IR_RANK, put_type_i32, 0);
  (*rank)->u.group.group = group;
  *rank = put_plus(t, *rank, node->id % (uint32_t)group->size);
  *rank = put_two(t, IR_UREM, *rank, put_i32(t, group->size));
  return group;
}
