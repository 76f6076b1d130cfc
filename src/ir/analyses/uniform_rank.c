// SPDX-License-Identifier: Apache-2.0
// Values that follow from the thread's rank in the block.
//
// Note [Values by rank]
// The size of the block is known, so a value that is computed from ranks and
// constants alone is a table: rank() / 32 is 0 for the first 32 threads, and so
// on. Where it is constant over each aligned run of 32 ranks, the threads of a
// warp agree on it, which the equations of uniform.h can't see: for them an
// operator has what its operands share.
//
// A table may stand beside a part that isn't known but is the same for the
// whole block, as in block_index().x * 256 + rank(): that part is a multiple of
// a power of two above every entry, so that shifts, quotients by powers of two
// and masks act on both apart.
#include "base/bits.h"
#include "ir/analyses/uniform.h"
#include "ir/form/fold.h"

enum {
  PURE = 64,             // `low` of a value without such a part
  MAX_ENTRIES = 1 << 21, // of all tables; beyond it nothing more is known
};

typedef struct {
  bool is_known;
  uint32_t low;       // the other part is a multiple of 2^low
  const uint64_t *of; // by rank; NULL: `flat` for all
  uint64_t flat;
} ByRank;

typedef struct {
  Uniformity *u;
  Arena *scratch;
  ByRank *values; // by node id
  uint32_t n_threads, n_left;
} Ranks;

static uint64_t uniform_rank_at(const ByRank *value, uint32_t rank) {
  return value->of ? value->of[rank] : value->flat;
}

static ByRank flat(uint64_t value, uint32_t low) {
  return (ByRank){.is_known = true, .low = low, .flat = value};
}

static uint64_t *new_table(Ranks *x) {
  if (x->n_left < x->n_threads)
    return NULL;
  x->n_left -= x->n_threads;
  return ARENA_ARRAY(x->scratch, uint64_t, x->n_threads);
}

// ------------------------------------------------------------------ leaves

static bool uniform_rank_is_number(IrType type) {
  return type.lanes == 1 && (type.kind == IR_TYPE_BOOL || ir_type_is_int(type));
}

static uint32_t index_in_block(const IrKernel *kernel, uint32_t rank,
                               uint32_t dimension) {
  for (uint32_t i = 0; i < dimension; i++)
    rank /= (uint32_t)kernel->block_dim[i];
  return rank % (uint32_t)kernel->block_dim[dimension];
}

// A warp's or the block's, whose ranks follow from those of the block.
static bool is_plain_group(const IrGroup *group) {
  return group->kind == GROUP_BLOCK || group->kind == GROUP_WARP;
}

static ByRank uniform_rank_position(Ranks *x, const IrNode *node) {
  uint64_t *of = new_table(x);
  if (!of)
    return (ByRank){0};
  bool in_warp = node->op == IR_RANK && node->u.group.group->kind == GROUP_WARP;
  for (uint32_t i = 0; i < x->n_threads; i++)
    of[i] = node->op == IR_THREAD_INDEX
                ? index_in_block(x->u->kernel, i, node->u.index.number)
            : in_warp ? i % 32
                      : i;
  return (ByRank){.is_known = true, .low = PURE, .of = of};
}

static const IrNode *what_was_set(const Ranks *x, const IrNode *node) {
  Token version = x->u->version[node->id];
  if (version >= x->u->order->n_ids)
    return NULL;
  const IrNode *set = x->u->tokens.data[version].node;
  return set->op == IR_SET ? set->args[0] : NULL;
}

static uint32_t uniform_rank_least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// The value is a multiple of two to the power of this.
static uint32_t zero_bits(const Ranks *x, const IrNode *node, uint32_t depth) {
  uint32_t width = ir_type_bits(node->type), zeros = 0;
  if (depth == 0)
    return 0;
  IrNode *const *args = node->args;
  switch ((int)node->op) {
  case IR_CONST:
    zeros = node->u.constant.bits
                ? (uint32_t)__builtin_ctzll(node->u.constant.bits)
                : width;
    break;
  case IR_MUL:
    zeros = zero_bits(x, args[0], depth - 1) + zero_bits(x, args[1], depth - 1);
    break;
  case IR_ADD:
    zeros = uniform_rank_least(zero_bits(x, args[0], depth - 1),
                               zero_bits(x, args[1], depth - 1));
    break;
  case IR_SHL:
    zeros = zero_bits(x, args[0], depth - 1);
    if (args[1]->op == IR_CONST)
      zeros += (uint32_t)(args[1]->u.constant.bits % width);
    break;
  case IR_ZEXT:
  case IR_SEXT:
  case IR_TRUNC: zeros = zero_bits(x, args[0], depth - 1); break;
  case IR_GET: {
    const IrNode *value = what_was_set(x, node);
    zeros = value ? zero_bits(x, value, depth - 1) : 0;
    break;
  }
  default: break;
  }
  return uniform_rank_least(zeros, width - 1);
}

static ByRank uniform_rank_operand(const Ranks *x, const IrNode *node) {
  ByRank value = x->values[node->id];
  if (value.is_known || !uniform_rank_is_number(node->type))
    return value;
  if (uniform_is_fixed(x->u, node))
    return flat(0, zero_bits(x, node, 8));
  return value;
}

// --------------------------------------------------------------- operators

// By the table of operations, for each rank.
static ByRank uniform_rank_compute(Ranks *x, const IrNode *node,
                                   const ByRank *args) {
  IrNode constants[2] = {0}, *list[2] = {&constants[0], &constants[1]};
  IrNode folded = *node;
  folded.args = list;
  bool is_flat = true;
  for (uint32_t i = 0; i < node->n_args; i++) {
    constants[i].op = IR_CONST;
    constants[i].type = node->args[i]->type;
    is_flat &= !args[i].of;
  }
  uint64_t *of = is_flat ? NULL : new_table(x), value = 0;
  if (!is_flat && !of)
    return (ByRank){0};
  for (uint32_t rank = 0; rank < (is_flat ? 1 : x->n_threads); rank++) {
    for (uint32_t i = 0; i < node->n_args; i++)
      constants[i].u.constant.bits = uniform_rank_at(&args[i], rank);
    if (!ir_fold(&folded, &value))
      return (ByRank){0};
    if (of)
      of[rank] = value;
  }
  return (ByRank){.is_known = true, .low = PURE, .of = of, .flat = value};
}

static ByRank uniform_rank_choose(Ranks *x, const ByRank *args) {
  uint64_t *of = new_table(x);
  if (!of)
    return (ByRank){0};
  for (uint32_t i = 0; i < x->n_threads; i++)
    of[i] = uniform_rank_at(&args[uniform_rank_at(&args[0], i) ? 1 : 2], i);
  return (ByRank){.is_known = true, .low = PURE, .of = of};
}

// What an operator does to tables beside a part that isn't known.
typedef struct {
  IrOp op;
  uint32_t low; // of the result
  uint64_t by;  // count of a shift, mask
} Step;

static uint64_t uniform_rank_apply(const Step *step, uint64_t a, uint64_t b) {
  switch ((int)step->op) {
  case IR_ADD: return a + b;
  case IR_SUB: return a - b;
  case IR_OR: return a | b;
  case IR_XOR: return a ^ b;
  case IR_AND: return a & step->by;
  case IR_SHL: return a << step->by;
  case IR_LSHR: return a >> step->by;
  default: return a;
  }
}

// Entries that reach the other part would mix with it.
static ByRank uniform_rank_combine(Ranks *x, const Step *step, const ByRank *a,
                                   const ByRank *b) {
  uint64_t *of = a->of || (b && b->of) ? new_table(x) : NULL, value = 0;
  if (!of && (a->of || (b && b->of)))
    return (ByRank){0};
  for (uint32_t i = 0; i < (of ? x->n_threads : 1); i++) {
    value = uniform_rank_apply(step, uniform_rank_at(a, i),
                               b ? uniform_rank_at(b, i) : 0);
    if (step->low < PURE && value >> step->low != 0)
      return (ByRank){0};
    if (of)
      of[i] = value;
  }
  return (ByRank){.is_known = true, .low = step->low, .of = of, .flat = value};
}

static bool uniform_rank_is_constant(const ByRank *value) {
  return value->low == PURE && !value->of;
}

// A shift to the right, or a quotient by a power of two.
static ByRank shift_right(Ranks *x, const ByRank *a, uint64_t count) {
  if (count >= a->low) // nothing of the table stays
    return flat(0, 0);
  Step step = {IR_LSHR, a->low - (uint32_t)count, count};
  return uniform_rank_combine(x, &step, a, NULL);
}

static ByRank mask(Ranks *x, const ByRank *a, uint64_t bits) {
  Step step = {IR_AND, bits >> a->low ? a->low : PURE, bits};
  return uniform_rank_combine(x, &step, a, NULL);
}

static ByRank shift_left(Ranks *x, const ByRank *a, uint64_t count,
                         uint32_t width) {
  if (count >= width)
    return (ByRank){0};
  Step step = {IR_SHL, uniform_rank_least(a->low + (uint32_t)count, width - 1),
               count};
  return uniform_rank_combine(x, &step, a, NULL);
}

// One operand is a constant.
static ByRank uniform_rank_scale(Ranks *x, const IrNode *node, const ByRank *a,
                                 uint64_t by) {
  uint32_t width = ir_type_bits(node->type);
  switch ((int)node->op) {
  case IR_AND: return mask(x, a, by);
  case IR_SHL: return shift_left(x, a, by % width, width);
  case IR_LSHR:
  case IR_ASHR: return shift_right(x, a, by % width);
  case IR_MUL:
    if (bits_is_power(by))
      return shift_left(x, a, bits_log2(by), width);
    break;
  case IR_UDIV:
    if (bits_is_power(by))
      return shift_right(x, a, bits_log2(by));
    break;
  case IR_UREM:
    if (bits_is_power(by))
      return mask(x, a, by - 1);
    break;
  default: break;
  }
  return (ByRank){0};
}

static ByRank beside(Ranks *x, const IrNode *node, const ByRank *args) {
  Step step = {node->op, args[0].low, 0};
  ByRank result = {0};
  switch ((int)node->op) {
  case IR_ZEXT:
  case IR_SEXT: return uniform_rank_combine(x, &step, &args[0], NULL);
  case IR_TRUNC:
    if (args[0].low < ir_type_bits(node->type))
      result = uniform_rank_combine(x, &step, &args[0], NULL);
    return result;
  case IR_ADD:
  case IR_SUB:
  case IR_OR:
  case IR_XOR:
    step.low = uniform_rank_least(args[0].low, args[1].low);
    return uniform_rank_combine(x, &step, &args[0], &args[1]);
  default: break;
  }
  if (node->n_args != 2)
    return result;
  if (uniform_rank_is_constant(&args[1]))
    return uniform_rank_scale(x, node, &args[0], args[1].flat);
  bool can_swap = node->op == IR_AND || node->op == IR_MUL;
  if (can_swap && uniform_rank_is_constant(&args[0]))
    return uniform_rank_scale(x, node, &args[1], args[0].flat);
  return result;
}

// ------------------------------------------------------------------- nodes

static ByRank uniform_rank_of(Ranks *x, const IrNode *node) {
  enum { MOST_ARGS = 3 };

  ByRank args[MOST_ARGS] = {0};
  if (!uniform_rank_is_number(node->type))
    return (ByRank){0};
  switch ((int)node->op) {
  case IR_CONST: return flat(node->u.constant.bits, PURE);
  case IR_THREAD_INDEX: return uniform_rank_position(x, node);
  case IR_RANK:
    return is_plain_group(node->u.group.group) ? uniform_rank_position(x, node)
                                               : (ByRank){0};
  case IR_GET: {
    const IrNode *value = what_was_set(x, node);
    return value ? x->values[value->id] : (ByRank){0};
  }
  default: break;
  }
  if (!(ir_op_info(node)->flags & OPF_PURE) || node->n_args == 0 ||
      node->n_args > MOST_ARGS)
    return (ByRank){0};
  bool is_pure = true;
  for (uint32_t i = 0; i < node->n_args; i++) {
    args[i] = uniform_rank_operand(x, node->args[i]);
    if (!args[i].is_known)
      return (ByRank){0};
    is_pure &= args[i].low == PURE;
  }
  if (is_pure && node->op == IR_SELECT)
    return uniform_rank_choose(x, args);
  if (node->n_args > 2)
    return (ByRank){0};
  return is_pure ? uniform_rank_compute(x, node, args) : beside(x, node, args);
}

// Threads of an aligned run of so many ranks agree; a power of two.
static uint32_t run_length(const Ranks *x, const ByRank *value) {
  uint32_t run = 1024;
  for (uint32_t i = 1; value->of && i < x->n_threads; i++)
    while (value->of[i] != value->of[i - 1] && i % run != 0)
      run /= 2;
  return run;
}

// Parts of the block of this many consecutive ranks, each at a multiple of it;
// 0: other groups.
static uint32_t uniform_rank_tile_size(const IrGroup *group) {
  for (const IrGroup *up = group; up->kind != GROUP_BLOCK; up = up->parent)
    if (up->kind != GROUP_WARP && up->kind != GROUP_TILED)
      return 0;
  if (group->kind == GROUP_BLOCK)
    return 1024;
  if (group->kind == GROUP_WARP)
    return 32;
  if (group->size > 0)
    return (uint32_t)group->size;
  const IrNode *maker = group->maker;
  bool is_known = maker && maker->n_args && maker->args[0]->op == IR_CONST;
  return is_known ? (uint32_t)maker->args[0]->u.constant.bits : 0;
}

static void uniform_rank_state(Ranks *x, const IrNode *node, uint32_t run) {
  const IrKernel *kernel = x->u->kernel;
  for (uint32_t i = GROUP_ROW_BLOCK; i < kernel->groups.count; i++) {
    const IrGroup *group = kernel->groups.data[i];
    uint32_t size = uniform_rank_tile_size(group);
    if (size < 2 || size > run || run % size != 0)
      continue;
    TokenGroup row = {.token = node->id, .group = group};
    VEC_PUSH(x->u->arena, &x->u->stated, row);
  }
}

static bool uniform_rank_visit(IrNode *node, void *context) {
  Ranks *x = context;
  ByRank *value = &x->values[node->id];
  *value = uniform_rank_of(x, node);
  bool says_more = value->of || value->low < PURE;
  uint32_t run = value->is_known && says_more ? run_length(x, value) : 1;
  if (run > 1)
    uniform_rank_state(x, node, run);
  return true;
}

void uniform_by_rank(Uniformity *u, Arena *scratch) {
  const IrKernel *kernel = u->kernel;
  Ranks x = {.u = u, .scratch = scratch, .n_left = MAX_ENTRIES};
  int64_t size = kernel->groups.data[GROUP_ROW_BLOCK]->size;
  if (size <= 0 || size > 1024)
    return;
  x.n_threads = (uint32_t)size;
  x.values = ARENA_ARRAY(scratch, ByRank, kernel->n_nodes);
  IrRegion body = kernel->body;
  ir_walk(&body, uniform_rank_visit, &x);
}
