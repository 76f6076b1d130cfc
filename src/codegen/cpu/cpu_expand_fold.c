// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over several strands; see Note [Expansion] and
// Note [Order of reductions].
#include "codegen/cpu/cpu_expand.h"

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};
static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_i64 = {.kind = IR_TYPE_I64, .lanes = 1};

static IrNode *expand_fold_add(Expand *x, IrNode *a, IrNode *b) {
  return expand_node(x, IR_ADD, type_i32, 2, a, b);
}

static IrNode *sub(Expand *x, IrNode *a, IrNode *b) {
  return expand_node(x, IR_SUB, type_i32, 2, a, b);
}

static IrNode *expand_fold_less(Expand *x, IrNode *a, IrNode *b) {
  return expand_node(x, IR_SLT, type_bool, 2, a, b);
}

static IrNode *expand_fold_equals(Expand *x, IrNode *a, int64_t value) {
  return expand_node(x, IR_EQ, type_bool, 2, a, expand_number(x, value));
}

static IrNode *expand_fold_least(Expand *x, IrNode *a, IrNode *b) {
  return expand_node(x, IR_SMIN, type_i32, 2, a, b);
}

// --------------------------------------------------------------- whole warps

// Warps of every part, if parts are equal and begin at a warp; else 0.
static uint32_t warps_of_parts(const CpuPlan *plan, const IrGroup *group) {
  const CodeParts *parts = code_parts_of(plan->parts, group);
  if (plan->lanes == 1 || parts == NULL || parts->count == 0)
    return 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < parts->count; i++) {
    CodePart part = parts->data[i];
    uint32_t mine = (uint32_t)(part.end - part.begin + CPU_WARP - 1) / CPU_WARP;
    if (part.begin % CPU_WARP != 0 || (n != 0 && mine != n) ||
        part.end > (int32_t)plan->n_threads)
      return 0;
    n = mine;
    // A cut inside one of its warps: lanes there don't run in step.
    for (int32_t at = part.begin; at < part.end; at++)
      if (plan->is_boundary[at] && at % CPU_WARP != 0)
        return 0;
  }
  return n;
}

// Pieces of one warp each.
static IrGroup *warp_pieces(Expand *x, IrGroup *group) {
  int64_t size = code_part_size(x->plan->parts, group);
  IrGroup *piece = ir_group_new(x->kernel, GROUP_TILED, group);
  piece->name = group->name;
  piece->alignment = CPU_WARP;
  bool has_size = size > 0 && size % CPU_WARP == 0;
  if (has_size)
    piece->size = CPU_WARP;
  IrNode *n = has_size ? NULL : expand_number(x, CPU_WARP);
  IrNode *maker = expand_node(x, IR_MAKE_GROUP, type_i32, has_size ? 0 : 1, n);
  maker->u.group.group = piece;
  piece->maker = maker;
  return piece;
}

typedef struct {
  IrGroup *group, *piece;
  IrNode *rank;   // in the warp's piece
  IrNode *number; // of the warp in the part
  IrNode *warp;   // of the warp in the block
  IrNode *base;   // of the part's first warp
  uint32_t n;     // warps of a part
} Warps;

static Warps warps_begin(Expand *x, IrGroup *group, uint32_t n) {
  IrGroup *block = x->kernel->groups.data[GROUP_ROW_BLOCK];
  Warps w = {.group = group, .n = n};
  w.piece = warp_pieces(x, group);
  w.rank = expand_rank(x, IR_RANK, w.piece);
  w.number = expand_rank(x, IR_META_RANK, w.piece);
  w.warp = expand_node(x, IR_LSHR, type_i32, 2, expand_rank(x, IR_RANK, block),
                       expand_number(x, CPU_WARP_LOG2));
  w.base = sub(x, w.warp, w.number);
  return w;
}

// A collective of the same operator over another group.
static IrNode *same_operator(Expand *x, const IrNode *node, IrOp builtin,
                             IrGroup *group, IrNode *value) {
  bool is_own = node->op == IR_REDUCE_BY || node->op == IR_SCAN_BY;
  IrOp op =
      is_own ? (builtin == IR_REDUCE ? IR_REDUCE_BY : IR_SCAN_BY) : builtin;
  IrNode *made = expand_node(x, op, value->type, 1, value);
  made->u.collective = node->u.collective;
  made->u.collective.group = group;
  made->u.collective.is_exclusive = false;
  if (is_own)
    ir_clone_region(x->kernel, &node->regions[0], &made->regions[0]);
  return made;
}

static void store_if_first(Expand *x, IrNode *rank, IrObject *object,
                           IrNode *index, IrNode *value) {
  ExpandPlace place = expand_if(x, expand_fold_equals(x, rank, 0));
  expand_store(x, object, index, value);
  expand_end(x, place);
}

// Lanes of the part's first warp that have a warp each: a group statement.
static IrGroup *enter_heads(Expand *x, const Warps *w, ExpandPlace *place) {
  IrGroup *heads = ir_group_new(x->kernel, GROUP_RANGE, w->piece);
  heads->name = w->group->name;
  heads->size = w->n;
  heads->begin = 0;
  heads->alignment = CPU_WARP;
  IrNode *node = expand_node(x, IR_GROUP, ir_scalar(IR_TYPE_VOID), 0);
  node->u.part.group = heads;
  node->u.part.parent = w->piece;
  heads->maker = node;
  *place = (ExpandPlace){x->region, x->before};
  x->region = &node->regions[0];
  return heads;
}

static IrNode *reduce_warps(Expand *x, const IrNode *node, uint32_t n) {
  IrGroup *group = node->u.collective.group;
  IrType type = node->type;
  IrObject *values = expand_scratch(x, type, group, SCRATCH_WARPS);
  IrObject *results = expand_scratch(x, type, group, SCRATCH_RESULT);
  Warps w = warps_begin(x, group, n);
  IrNode *own = same_operator(x, node, IR_REDUCE, w.piece, node->args[0]);
  store_if_first(x, w.rank, values, w.warp, own);
  expand_sync(x, group);
  ExpandPlace outer = expand_if(x, expand_fold_equals(x, w.number, 0)), inner;
  IrGroup *heads = enter_heads(x, &w, &inner);
  IrNode *rank = expand_rank(x, IR_RANK, heads);
  IrNode *one = expand_load(x, values, expand_fold_add(x, w.base, rank));
  IrNode *all = same_operator(x, node, IR_REDUCE, heads, one);
  store_if_first(x, rank, results, w.base, all);
  expand_end(x, inner);
  expand_end(x, outer);
  expand_sync(x, group);
  return expand_load(x, results, w.base);
}

// Prefixes of warps, by the part's first warp: what comes before warp i is
// results[i - 1]. before[i - 1] is what its rank 0 takes if exclusive: the
// inclusive value of the thread below.
static void scan_heads(Expand *x, const IrNode *node, const Warps *w,
                       IrObject *values, IrObject *results, IrObject *before) {
  ExpandPlace outer = expand_if(x, expand_fold_equals(x, w->number, 0)), inner;
  IrGroup *heads = enter_heads(x, w, &inner);
  IrNode *rank = expand_rank(x, IR_RANK, heads);
  IrNode *slot = expand_fold_add(x, w->base, rank);
  IrNode *one = expand_load(x, values, slot);
  IrNode *all = same_operator(x, node, IR_SCAN, heads, one);
  expand_store(x, results, slot, all);
  if (before) {
    IrNode *lower =
        expand_node(x, IR_SHFL_UP, node->type, 2, all, expand_number(x, 1));
    lower->u.group.group = heads;
    uint32_t last = expand_var(x, node->type);
    expand_set(x, last, one);
    ExpandPlace behind =
        expand_if(x, expand_fold_less(x, expand_number(x, 0), rank));
    expand_set(x, last, expand_combine(x, node, lower, one));
    expand_end(x, behind);
    expand_store(x, before, slot, expand_get(x, last));
  }
  expand_end(x, inner);
  expand_end(x, outer);
}

static IrNode *last_of_piece(Expand *x, const Warps *w, IrNode *value) {
  IrNode *size = expand_rank(x, IR_SIZE, w->piece);
  IrNode *last = expand_node(x, IR_BROADCAST, value->type, 2, value,
                             sub(x, size, expand_number(x, 1)));
  last->u.group.group = w->piece;
  return last;
}

// The inclusive value of the rank below; of rank 0 nothing that counts.
static IrNode *lower_rank(Expand *x, const Warps *w, IrNode *value,
                          IrObject *before) {
  IrNode *lower =
      expand_node(x, IR_SHFL_UP, value->type, 2, value, expand_number(x, 1));
  lower->u.group.group = w->piece;
  uint32_t result = expand_var(x, value->type);
  expand_set(x, result, lower);
  IrNode *is_first = expand_fold_equals(x, w->rank, 0);
  IrNode *is_behind = expand_fold_less(x, expand_number(x, 0), w->number);
  ExpandPlace place =
      expand_if(x, expand_node(x, IR_AND, type_bool, 2, is_first, is_behind));
  IrNode *slot = sub(x, w->warp, expand_number(x, 1));
  expand_set(x, result, expand_load(x, before, slot));
  expand_end(x, place);
  return expand_get(x, result);
}

// Inclusive; *lower, unless NULL, is the value of the rank below.
static IrNode *scan_warps(Expand *x, const IrNode *node, uint32_t n,
                          IrNode **lower) {
  IrGroup *group = node->u.collective.group;
  IrType type = node->type;
  IrObject *values = expand_scratch(x, type, group, SCRATCH_WARPS);
  IrObject *results = expand_scratch(x, type, group, SCRATCH_RESULT);
  IrObject *before =
      lower ? expand_scratch(x, type, group, SCRATCH_BEFORE) : NULL;
  Warps w = warps_begin(x, group, n);
  IrNode *own = same_operator(x, node, IR_SCAN, w.piece, node->args[0]);
  store_if_first(x, w.rank, values, w.warp, last_of_piece(x, &w, own));
  expand_sync(x, group);
  scan_heads(x, node, &w, values, results, before);
  expand_sync(x, group);
  uint32_t sum = expand_var(x, type);
  expand_set(x, sum, own);
  ExpandPlace place =
      expand_if(x, expand_fold_less(x, expand_number(x, 0), w.number));
  IrNode *prefix = expand_load(x, results, sub(x, w.warp, expand_number(x, 1)));
  expand_set(x, sum, expand_combine(x, node, prefix, own));
  expand_end(x, place);
  IrNode *result = expand_get(x, sum);
  if (lower)
    *lower = lower_rank(x, &w, result, before);
  return result;
}

// ------------------------------------------------------------ one by one

// values[to] = values[left] op values[right], by rank in the part.
static void combine_slots(Expand *x, const IrNode *node, IrObject *values,
                          IrNode *left, IrNode *right, IrNode *to) {
  IrNode *a = expand_load(x, values, left), *b = expand_load(x, values, right);
  expand_store(x, values, to, expand_combine(x, node, a, b));
}

// Neighbours, in place, by rank 0.
static void reduce_slots(Expand *x, const IrNode *node, const Slots *slots,
                         IrObject *values, IrNode *size) {
  uint32_t distance = expand_var(x, type_i32), at = expand_var(x, type_i32);
  expand_set(x, distance, expand_number(x, 1));
  ExpandLoop outer = expand_loop(x);
  IrNode *d = expand_get(x, distance);
  expand_leave_unless(x, &outer, expand_fold_less(x, d, size));
  expand_set(x, at, expand_number(x, 0));
  ExpandLoop inner = expand_loop(x);
  IrNode *i = expand_get(x, at), *other = expand_fold_add(x, i, d);
  expand_leave_unless(x, &inner, expand_fold_less(x, other, size));
  IrNode *left = expand_slot_of(x, slots, i);
  combine_slots(x, node, values, left, expand_slot_of(x, slots, other), left);
  expand_set(x, at, expand_fold_add(x, other, d));
  expand_end(x, inner.place);
  expand_set(x, distance, expand_fold_add(x, d, d));
  expand_end(x, outer.place);
}

// x[i] = x[i-d] op x[i] for i in [first + d, end), from the end, for d = 1, 2,
// 4, … below 32. Without slots: elements by number.
static void double_slots(Expand *x, const IrNode *node, const Slots *slots,
                         IrObject *values, IrNode *first, IrNode *end) {
  uint32_t distance = expand_var(x, type_i32), at = expand_var(x, type_i32);
  expand_set(x, distance, expand_number(x, 1));
  ExpandLoop outer = expand_loop(x);
  IrNode *d = expand_get(x, distance);
  expand_leave_unless(x, &outer,
                      expand_fold_less(x, d, expand_number(x, CPU_WARP)));
  IrNode *lowest = expand_fold_add(x, first, d);
  expand_set(x, at, sub(x, end, expand_number(x, 1)));
  ExpandLoop inner = expand_loop(x);
  IrNode *i = expand_get(x, at);
  IrNode *is_in = expand_node(x, IR_SLE, type_bool, 2, lowest, i);
  expand_leave_unless(x, &inner, is_in);
  IrNode *to = slots ? expand_slot_of(x, slots, i) : i;
  IrNode *from = sub(x, i, d);
  combine_slots(x, node, values, slots ? expand_slot_of(x, slots, from) : from,
                to, to);
  expand_set(x, at, sub(x, i, expand_number(x, 1)));
  expand_end(x, inner.place);
  expand_set(x, distance, expand_fold_add(x, d, d));
  expand_end(x, outer.place);
}

static IrNode *first_slot(Expand *x, const Slots *slots) {
  return expand_slot_of(x, slots, expand_number(x, 0));
}

static IrNode *reduce_slowly(Expand *x, const IrNode *node) {
  IrGroup *group = node->u.collective.group;
  IrObject *values = expand_scratch(x, node->type, group, SCRATCH_VALUES);
  IrObject *results = expand_scratch(x, node->type, group, SCRATCH_RESULT);
  Slots slots = expand_slots(x, group);
  IrNode *size = expand_rank(x, IR_SIZE, group);
  expand_store(x, values, slots.own, node->args[0]);
  expand_sync(x, group);
  IrNode *rank = expand_rank(x, IR_RANK, group);
  ExpandPlace place = expand_if(x, expand_fold_equals(x, rank, 0));
  reduce_slots(x, node, &slots, values, size);
  expand_store(x, results, slots.own, expand_load(x, values, slots.own));
  expand_end(x, place);
  expand_sync(x, group);
  return expand_load(x, results, first_slot(x, &slots));
}

// Chunks of 32 ranks, their totals (in `totals`, from the part's first slot
// on), and the totals before each chunk combined into it.
static void scan_slots(Expand *x, const IrNode *node, const Slots *slots,
                       IrObject *values, IrObject *totals, IrNode *size) {
  uint32_t chunk = expand_var(x, type_i32), at = expand_var(x, type_i32);
  IrNode *width = expand_number(x, CPU_WARP);
  IrNode *base = first_slot(x, slots);
  expand_set(x, chunk, expand_number(x, 0));
  ExpandLoop loop = expand_loop(x);
  IrNode *number = expand_get(x, chunk);
  IrNode *first = expand_node(x, IR_MUL, type_i32, 2, number, width);
  expand_leave_unless(x, &loop, expand_fold_less(x, first, size));
  IrNode *end = expand_fold_least(x, expand_fold_add(x, first, width), size);
  double_slots(x, node, slots, values, first, end);
  IrNode *last = expand_slot_of(x, slots, sub(x, end, expand_number(x, 1)));
  expand_store(x, totals, expand_fold_add(x, base, number),
               expand_load(x, values, last));
  expand_set(x, chunk, expand_fold_add(x, number, expand_number(x, 1)));
  expand_end(x, loop.place);
  double_slots(x, node, NULL, totals, base,
               expand_fold_add(x, base, expand_get(x, chunk)));
  expand_set(x, at, width);
  ExpandLoop rest = expand_loop(x);
  IrNode *i = expand_get(x, at);
  expand_leave_unless(x, &rest, expand_fold_less(x, i, size));
  IrNode *before = sub(x, expand_node(x, IR_SDIV, type_i32, 2, i, width),
                       expand_number(x, 1));
  IrNode *slot = expand_slot_of(x, slots, i);
  IrNode *prefix = expand_load(x, totals, expand_fold_add(x, base, before));
  IrNode *own = expand_load(x, values, slot);
  expand_store(x, values, slot, expand_combine(x, node, prefix, own));
  expand_set(x, at, expand_fold_add(x, i, expand_number(x, 1)));
  expand_end(x, rest.place);
}

static IrNode *scan_slowly(Expand *x, const IrNode *node, IrNode **lower) {
  IrGroup *group = node->u.collective.group;
  IrObject *values = expand_scratch(x, node->type, group, SCRATCH_VALUES);
  IrObject *totals = expand_scratch(x, node->type, group, SCRATCH_RESULT);
  Slots slots = expand_slots(x, group);
  IrNode *size = expand_rank(x, IR_SIZE, group);
  IrNode *rank = expand_rank(x, IR_RANK, group);
  expand_store(x, values, slots.own, node->args[0]);
  expand_sync(x, group);
  ExpandPlace place = expand_if(x, expand_fold_equals(x, rank, 0));
  scan_slots(x, node, &slots, values, totals, size);
  expand_end(x, place);
  expand_sync(x, group);
  IrNode *result = expand_load(x, values, slots.own);
  if (lower) {
    IrNode *below = sub(x, rank, expand_number(x, 1));
    IrNode *zero = expand_number(x, 0);
    below = expand_node(x, IR_SMAX, type_i32, 2, below, zero);
    *lower = expand_load(x, values, expand_slot_of(x, &slots, below));
  }
  expand_sync(x, group);
  return result;
}

// ------------------------------------------------------------ above a block

// The same operation for a block's threads.
static IrNode block_part(Expand *x, const IrNode *node) {
  IrNode part = *node;
  part.u.collective.group = x->kernel->groups.data[GROUP_ROW_BLOCK];
  part.u.collective.is_exclusive = false;
  part.n_args = 1;
  return part;
}

// Element 0 of an array in the shared memory of block number `block` of the
// cluster or grid.
typedef struct {
  IrGroup *group;
  IrObject *object;
} Remote;

static IrNode *remote_pointer(Expand *x, const Remote *r, IrNode *block) {
  IrType type = {.kind = IR_TYPE_PTR, .lanes = 1, .space = SPACE_SHARED};
  IrNode *zero = expand_number(x, 0);
  IrNode *address = expand_node(x, IR_ADDRESS, type, 1, zero);
  address->u.access =
      (IrAccess){.object = r->object,
                 .type = r->object->element,
                 .align_bytes = expand_align(x, r->object->element),
                 .n_index = 1};
  IrNode *there = expand_node(x, IR_MAP_SHARED, type, 2, address, block);
  there->u.group.group = r->group;
  return there;
}

static void set_remote_access(Expand *x, IrNode *node, const Remote *r) {
  node->flags |= NODE_OWN;
  node->u.access =
      (IrAccess){.type = r->object->element,
                 .align_bytes = expand_align(x, r->object->element)};
}

static IrNode *remote_load(Expand *x, const Remote *r, IrNode *block) {
  IrNode *node = expand_node(x, IR_LOAD, r->object->element, 1,
                             remote_pointer(x, r, block));
  set_remote_access(x, node, r);
  return node;
}

static void remote_store(Expand *x, const Remote *r, IrNode *block,
                         IrNode *value) {
  IrNode *node = expand_node(x, IR_STORE, ir_scalar(IR_TYPE_VOID), 2,
                             remote_pointer(x, r, block), value);
  set_remote_access(x, node, r);
}

typedef struct {
  IrGroup *group;
  IrNode *number, *count; // of the block, of all blocks; i32
  Remote values, results;
} Blocks;

static Blocks expand_fold_blocks_begin(Expand *x, const IrNode *node) {
  IrGroup *group = node->u.collective.group;
  IrGroup *block = x->kernel->groups.data[GROUP_ROW_BLOCK];
  Blocks b = {.group = group};
  b.values =
      (Remote){group, expand_scratch(x, node->type, group, SCRATCH_BEFORE)};
  b.results =
      (Remote){group, expand_scratch(x, node->type, group, SCRATCH_RESULT)};
  if (group->kind == GROUP_CLUSTER) {
    b.number = expand_rank(x, IR_META_RANK, block);
    b.count = expand_rank(x, IR_META_SIZE, block);
    return b;
  }
  IrNode *index[3], *dim[3];
  for (uint32_t k = 0; k < 3; k++) {
    index[k] = expand_node(x, IR_BLOCK_INDEX, type_i32, 0);
    index[k]->u.index.number = k;
    dim[k] = expand_node(x, IR_GRID_DIM, type_i32, 0);
    dim[k]->u.index.number = k;
  }
  IrNode *row = expand_node(x, IR_MUL, type_i32, 2, index[2], dim[1]);
  row = expand_node(x, IR_MUL, type_i32, 2, expand_fold_add(x, row, index[1]),
                    dim[0]);
  b.number = expand_fold_add(x, row, index[0]);
  b.count = expand_node(x, IR_MUL, type_i32, 2, dim[0], dim[1]);
  b.count = expand_node(x, IR_MUL, type_i32, 2, b.count, dim[2]);
  return b;
}

static IrNode *is_leader(Expand *x, const Blocks *b) {
  IrGroup *block = x->kernel->groups.data[GROUP_ROW_BLOCK];
  IrNode *is_first = expand_fold_equals(x, expand_rank(x, IR_RANK, block), 0);
  return expand_node(x, IR_AND, type_bool, 2, is_first,
                     expand_fold_equals(x, b->number, 0));
}

// Block 0 goes over all blocks: each gets what comes before it, block 0 all.
static void expand_fold_blocks(Expand *x, const IrNode *node, const Blocks *b) {
  uint32_t at = expand_var(x, type_i32), sum = expand_var(x, node->type);
  ExpandPlace place = expand_if(x, is_leader(x, b));
  IrNode *zero = expand_number(x, 0);
  expand_set(x, sum, remote_load(x, &b->values, zero));
  expand_set(x, at, expand_number(x, 1));
  ExpandLoop loop = expand_loop(x);
  IrNode *i = expand_get(x, at);
  expand_leave_unless(x, &loop, expand_fold_less(x, i, b->count));
  IrNode *before = expand_get(x, sum);
  remote_store(x, &b->results, i, before);
  IrNode *own = remote_load(x, &b->values, i);
  expand_set(x, sum, expand_combine(x, node, before, own));
  expand_set(x, at, expand_fold_add(x, i, expand_number(x, 1)));
  expand_end(x, loop.place);
  remote_store(x, &b->results, zero, expand_get(x, sum));
  expand_end(x, place);
}

static void expand_fold_publish(Expand *x, const Blocks *b, IrNode *value) {
  IrGroup *block = x->kernel->groups.data[GROUP_ROW_BLOCK];
  store_if_first(x, expand_rank(x, IR_RANK, block), b->values.object,
                 expand_number(x, 0), value);
  expand_sync(x, b->group);
}

static IrNode *reduce_blocks(Expand *x, const IrNode *node) {
  IrNode part = block_part(x, node);
  IrNode *own =
      x->plan->n_threads == 1 ? node->args[0] : expand_reduce(x, &part);
  Blocks b = expand_fold_blocks_begin(x, node);
  expand_fold_publish(x, &b, own);
  expand_fold_blocks(x, node, &b);
  expand_sync(x, b.group);
  return remote_load(x, &b.results, expand_number(x, 0));
}

// The inclusive value, and of the rank below.
static IrNode *scan_blocks(Expand *x, const IrNode *node, IrNode **lower) {
  IrGroup *block = x->kernel->groups.data[GROUP_ROW_BLOCK];
  IrNode part = block_part(x, node);
  Blocks b = expand_fold_blocks_begin(x, node);
  IrNode *below = NULL;
  IrNode *own = node->args[0];
  if (x->plan->n_threads > 1)
    own = x->plan->n_threads > CPU_WARP || cpu_needs_barrier(x->plan, block)
              ? (warps_of_parts(x->plan, block) > 0
                     ? scan_warps(x, &part, warps_of_parts(x->plan, block),
                                  lower ? &below : NULL)
                     : scan_slowly(x, &part, lower ? &below : NULL))
              : same_operator(x, &part, IR_SCAN, block, own);
  IrNode *rank = expand_rank(x, IR_RANK, block);
  IrNode *last = expand_number(x, (int64_t)x->plan->n_threads - 1);
  if (lower && below == NULL) {
    below = own;
    if (x->plan->n_threads > 1) {
      below =
          expand_node(x, IR_SHFL_UP, node->type, 2, own, expand_number(x, 1));
      below->u.group.group = block;
    }
  }
  ExpandPlace place =
      expand_if(x, expand_node(x, IR_EQ, type_bool, 2, rank, last));
  expand_store(x, b.values.object, expand_number(x, 0), own);
  expand_end(x, place);
  expand_sync(x, b.group);
  expand_fold_blocks(x, node, &b);
  expand_sync(x, b.group);
  uint32_t sum = expand_var(x, node->type), under = expand_var(x, node->type);
  expand_set(x, sum, own);
  if (lower)
    expand_set(x, under, below);
  IrNode *zero = expand_number(x, 0);
  place = expand_if(x, expand_fold_less(x, zero, b.number));
  IrNode *prefix = expand_load(x, b.results.object, expand_number(x, 0));
  expand_set(x, sum, expand_combine(x, node, prefix, own));
  if (lower) {
    uint32_t mine = expand_var(x, node->type);
    expand_set(x, mine, prefix);
    ExpandPlace behind =
        expand_if(x, expand_fold_less(x, expand_number(x, 0), rank));
    expand_set(x, mine, expand_combine(x, node, prefix, below));
    expand_end(x, behind);
    expand_set(x, under, expand_get(x, mine));
  }
  expand_end(x, place);
  if (lower)
    *lower = expand_get(x, under);
  return expand_get(x, sum);
}

// ------------------------------------------------------------------ choice

static bool is_above(const IrGroup *group) {
  return group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER;
}

IrNode *expand_reduce(Expand *x, const IrNode *node) {
  IrGroup *group = node->u.collective.group;
  if (is_above(group))
    return reduce_blocks(x, node);
  if (!cpu_needs_barrier(x->plan, group))
    return same_operator(x, node, IR_REDUCE, group, node->args[0]);
  uint32_t n = warps_of_parts(x->plan, group);
  return n > 0 ? reduce_warps(x, node, n) : reduce_slowly(x, node);
}

static IrNode *is_first_of(Expand *x, IrGroup *group) {
  if (group->kind != GROUP_GRID)
    return expand_fold_equals(x, expand_rank(x, IR_RANK, group), 0);
  IrNode *rank = expand_node(x, IR_RANK, type_i64, 0);
  rank->u.group.group = group;
  IrNode *zero = expand_node(x, IR_CONST, type_i64, 0);
  return expand_node(x, IR_EQ, type_bool, 2, rank, zero);
}

// What leaves every other value as it is: an exclusive scan of one thread.
static IrNode *expand_fold_identity(Expand *x, const IrNode *node) {
  IrGroup *thread = ir_group_new(x->kernel, GROUP_THREAD,
                                 x->kernel->groups.data[GROUP_ROW_BLOCK]);
  IrNode *made = expand_node(x, IR_SCAN, node->type, 1, node->args[0]);
  made->u.collective = node->u.collective;
  made->u.collective.group = thread;
  made->u.collective.is_exclusive = true;
  return made;
}

IrNode *expand_scan(Expand *x, const IrNode *node) {
  IrGroup *group = node->u.collective.group;
  bool is_exclusive = node->u.collective.is_exclusive;
  IrNode *lower = NULL, **below = is_exclusive ? &lower : NULL;
  uint32_t n = is_above(group) ? 0 : warps_of_parts(x->plan, group);
  IrNode *sum = is_above(group) ? scan_blocks(x, node, below)
                : n > 0         ? scan_warps(x, node, n, below)
                                : scan_slowly(x, node, below);
  IrNode *init = node->n_args > 1 ? node->args[1] : NULL;
  if (!is_exclusive)
    return init ? expand_combine(x, node, init, sum) : sum;
  uint32_t result = expand_var(x, node->type);
  expand_set(x, result, init ? init : expand_fold_identity(x, node));
  IrNode *is_behind =
      expand_node(x, IR_NOT, type_bool, 1, is_first_of(x, group));
  ExpandPlace place = expand_if(x, is_behind);
  expand_set(x, result, init ? expand_combine(x, node, init, lower) : lower);
  expand_end(x, place);
  return expand_get(x, result);
}
