// SPDX-License-Identifier: Apache-2.0
// Making nodes at the current place, with the locations and the small folding
// of constants that keep what the other files write short.
#include "lower/lower_internal.h"

// ------------------------------------------------------------- locations

enum { LOC_CACHE_ROWS = 1024 };

// Finding line and column of a span costs a search, and most spans are asked
// for several times in a row.
typedef struct LocCacheRow {
  Span span;
  IrLocId parent;
  IrLocId loc; // 0: empty row
} LocCacheRow;

Place lower_place(Lowering *lw, Span span) {
  return source_place(lw->source, span);
}

IrLocId lower_loc(Lowering *lw, Span span) {
  IrLocId parent = lw->frame->call_loc;
  if (!lw->locs)
    lw->locs = ARENA_ARRAY(lw->scratch, LocCacheRow, LOC_CACHE_ROWS);
  uint32_t hash = span.begin * 31 + span.end * 7 + parent * 101;
  LocCacheRow *row = &lw->locs[hash % LOC_CACHE_ROWS];
  if (row->loc && row->parent == parent && row->span.begin == span.begin &&
      row->span.end == span.end)
    return row->loc;
  const char *callee = lw->frame->func ? lw->frame->func->name : NULL;
  IrLoc loc = {lower_place(lw, span), parent, callee, span};
  row->loc = ir_loc_intern(lw->module, &loc);
  row->span = span;
  row->parent = parent;
  return row->loc;
}

// ----------------------------------------------------------------- nodes

// The innermost active call that accounts for at least half of the nodes.
static const Frame *frame_that_grew(const Lowering *lw) {
  uint32_t total = lw->kernel->n_nodes;
  for (const Frame *frame = lw->frame; frame; frame = frame->caller)
    if (frame->func && total - frame->nodes_before >= total / 2)
      return frame;
  return NULL;
}

static void report_too_big(Lowering *lw) {
  lw->has_failed = true;
  const Frame *frame = frame_that_grew(lw);
  const char *what = frame ? "call" : "kernel";
  const char *name = frame ? frame->func->name : lw->tree->name;
  Span span = frame ? frame->call_span : lw->tree->span;
  DIAG_REPORT(lw->diags, DIAG_program_too_big, lower_place(lw, span), DS(what),
              DS(name), DU(IR_MAX_NODES));
}

IrNode *lower_emit(Lowering *lw, IrOp op, IrType type, IrNode *const *args,
                   uint32_t n_args) {
  if (lw->kernel->n_nodes >= IR_MAX_NODES && !lw->has_failed)
    report_too_big(lw);
  IrNode *node =
      ir_node_new(lw->kernel, lw->region, op, type, lw->loc, args, n_args);
  if (lw->frame->fast_math)
    node->flags |= NODE_FAST_MATH;
  return node;
}

IrNode *lower_emit1(Lowering *lw, IrOp op, IrType type, IrNode *a) {
  return lower_emit(lw, op, type, &a, 1);
}

IrNode *lower_emit2(Lowering *lw, IrOp op, IrType type, IrNode *a, IrNode *b) {
  IrNode *args[] = {a, b};
  return lower_emit(lw, op, type, args, 2);
}

IrNode *lower_emit3(Lowering *lw, IrOp op, IrType type, IrNode *a, IrNode *b,
                    IrNode *c) {
  IrNode *args[] = {a, b, c};
  return lower_emit(lw, op, type, args, 3);
}

// ------------------------------------------------------------- constants

IrNode *lower_const(Lowering *lw, IrType type, uint64_t bits) {
  return ir_const_int(lw->kernel, lw->region, type, bits, lw->loc);
}

IrNode *lower_i32(Lowering *lw, int64_t value) {
  return lower_const(lw, ir_scalar(IR_TYPE_I32), (uint64_t)value);
}

IrNode *lower_i64(Lowering *lw, int64_t value) {
  return lower_const(lw, ir_scalar(IR_TYPE_I64), (uint64_t)value);
}

IrNode *lower_bool(Lowering *lw, bool value) {
  return lower_const(lw, ir_scalar(IR_TYPE_BOOL), value);
}

IrNode *lower_zero(Lowering *lw, IrType type) {
  if (!ir_is_tile(type))
    return lower_const(lw, type, 0);
  IrNode *zero = lower_const(lw, ir_element_type(lw->module, type), 0);
  return lower_emit1(lw, IR_TILE_BROADCAST, type, zero);
}

IrType lower_shaped(Lowering *lw, const IrNode *like, IrType element) {
  return ir_tile_of(lw->module, like->type, element);
}

uint32_t lower_element_bits(const Lowering *lw, const IrNode *node) {
  return ir_type_bits(ir_element_type(lw->module, node->type));
}

bool lower_is_const(const IrNode *node, int64_t *value) {
  if (!node || node->op != IR_CONST || !ir_type_is_int(node->type))
    return false;
  uint32_t unused = 64 - ir_type_bits(node->type);
  *value = (int64_t)(node->u.constant.bits << unused) >> unused;
  return true;
}

// -------------------------------------------------------- address sums

IrNode *lower_to_i64(Lowering *lw, IrNode *node) {
  int64_t value;
  IrType i64 = ir_scalar(IR_TYPE_I64);
  if (node->type.kind == IR_TYPE_I64)
    return node;
  if (lower_is_const(node, &value))
    return lower_i64(lw, value);
  IrNode *wide = map_get(&lw->wide, MAP_KEY(node));
  return wide ? wide : lower_emit1(lw, IR_SEXT, i64, node);
}

IrNode *lower_add64(Lowering *lw, IrNode *a, IrNode *b) {
  int64_t x = 0, y = 0, sum;
  bool is_x = lower_is_const(a, &x), is_y = lower_is_const(b, &y);
  if (is_x && is_y && !__builtin_add_overflow(x, y, &sum))
    return lower_i64(lw, sum);
  if (is_x && x == 0)
    return b;
  if (is_y && y == 0)
    return a;
  IrNode *node = lower_emit2(lw, IR_ADD, ir_scalar(IR_TYPE_I64), a, b);
  node->flags |= NODE_NO_SIGNED_WRAP | NODE_OWN;
  return node;
}

IrNode *lower_mul64(Lowering *lw, IrNode *a, IrNode *b) {
  int64_t x = 0, y = 0, product;
  bool is_x = lower_is_const(a, &x), is_y = lower_is_const(b, &y);
  if (is_x && is_y && !__builtin_mul_overflow(x, y, &product))
    return lower_i64(lw, product);
  if (is_x && x == 1)
    return b;
  if (is_y && y == 1)
    return a;
  IrNode *node = lower_emit2(lw, IR_MUL, ir_scalar(IR_TYPE_I64), a, b);
  node->flags |= NODE_NO_SIGNED_WRAP | NODE_OWN;
  return node;
}

IrNode *lower_scale64(Lowering *lw, IrNode *node, int64_t factor) {
  int64_t value, product;
  if (lower_is_const(node, &value) &&
      !__builtin_mul_overflow(value, factor, &product))
    return lower_i64(lw, product);
  node = lower_to_i64(lw, node);
  return factor == 1 ? node : lower_mul64(lw, node, lower_i64(lw, factor));
}

// ------------------------------------------------------------- variables

IrNode *lower_get(Lowering *lw, uint32_t var) {
  IrType type = lw->kernel->vars.data[var].type;
  IrNode *node = lower_emit(lw, IR_GET, type, NULL, 0);
  node->u.variable.var = var;
  return node;
}

void lower_set(Lowering *lw, uint32_t var, IrNode *value) {
  IrNode *node = lower_emit1(lw, IR_SET, ir_scalar(IR_TYPE_VOID), value);
  node->u.variable.var = var;
}

uint32_t lower_new_var(Lowering *lw, const char *name, IrType type) {
  uint32_t var = ir_var_new(lw->kernel, name, type);
  lw->kernel->vars.data[var].loc = lw->loc;
  return var;
}

IrNode *lower_index_op(Lowering *lw, IrOp op, IrType type, uint32_t number,
                       IrObject *object) {
  IrNode *node = lower_emit(lw, op, type, NULL, 0);
  node->u.index.number = number;
  node->u.index.object = object;
  return node;
}

// --------------------------------------------------------------- control

IrNode *lower_not(Lowering *lw, IrNode *condition) {
  if (condition->op == IR_CONST)
    return lower_bool(lw, condition->u.constant.bits == 0);
  if (condition->op == IR_NOT)
    return condition->args[0];
  return lower_emit1(lw, IR_NOT, condition->type, condition);
}

bool lower_is_ended(const Lowering *lw) {
  return lw->region->last && lw->region->last->op == IR_EXIT;
}

IrNode *lower_exit(Lowering *lw, IrNode *target, bool is_next_turn) {
  if (lower_is_ended(lw))
    return NULL;
  IrNode *node = lower_emit(lw, IR_EXIT, ir_scalar(IR_TYPE_VOID), NULL, 0);
  node->u.exit.target = target;
  node->u.exit.is_continue = is_next_turn;
  return node;
}

IrRegion *lower_enter(Lowering *lw, IrNode *node, uint32_t which) {
  IrRegion *before = lw->region;
  lw->region = &node->regions[which];
  return before;
}

void lower_leave(Lowering *lw, IrRegion *before) {
  lw->region = before;
}

IrNode *lower_open_block(Lowering *lw) {
  IrNode *block = lower_emit(lw, IR_BLOCK, ir_scalar(IR_TYPE_VOID), NULL, 0);
  lw->region = &block->regions[0];
  return block;
}

void lower_strip_tail(IrRegion *region, const IrNode *target,
                      bool is_next_turn) {
  IrNode *last = region->last;
  if (!last)
    return;
  if (last->op == IR_EXIT && last->u.exit.target == target &&
      last->u.exit.is_continue == is_next_turn) {
    ir_node_unlink(last);
    lower_strip_tail(region, target, is_next_turn);
  } else if (last->op == IR_IF || last->op == IR_BLOCK) {
    for (uint32_t i = 0; i < last->n_regions; i++)
      lower_strip_tail(&last->regions[i], target, is_next_turn);
  }
}

typedef struct {
  const IrNode *target;
} ExitSearch;

static bool is_other_exit(IrNode *node, void *context) {
  const ExitSearch *search = context;
  return node->op != IR_EXIT || node->u.exit.target != search->target;
}

static void lower_emit_move_lifetimes(Lowering *lw, const IrNode *from,
                                      IrNode *to) {
  for (uint32_t i = 0; i < lw->kernel->objects.count; i++) {
    IrObject *object = lw->kernel->objects.data[i];
    if (object->lifetime == from)
      object->lifetime = to;
  }
}

// Moves the nodes of `block` to the end of `region`, where it stood last.
static void lower_emit_dissolve(Lowering *lw, IrNode *block, IrRegion *region) {
  ir_node_unlink(block);
  IrRegion *body = &block->regions[0];
  for (IrNode *node = body->first; node; node = node->next)
    node->region = region;
  if (body->first) {
    body->first->previous = region->last;
    if (region->last)
      region->last->next = body->first;
    else
      region->first = body->first;
    region->last = body->last;
  }
  lower_emit_move_lifetimes(lw, block, region->owner);
}

void lower_close_block(Lowering *lw, IrNode *block) {
  IrRegion *outside = block->region;
  lw->region = outside;
  lower_strip_tail(&block->regions[0], block, false);
  ExitSearch search = {block};
  if (ir_walk(&block->regions[0], is_other_exit, &search))
    lower_emit_dissolve(lw, block, outside);
}
