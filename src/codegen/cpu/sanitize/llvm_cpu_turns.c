// SPDX-License-Identifier: Apache-2.0
// What --sanitize tells of loops as a whole.
//
// Note [Turns told at once]
// A loop of a constant number of turns that does nothing to shared memory but
// read it, by indices that are linear in its variable, is told before it
// begins:
//
//   for (int i = 0; i < 16; i++)      told = check_turns(16, a[t.y][0], 64 rows
//     sum += a[t.y][i] * b[i][t.x];   …, 4 bytes a turn; b[0][t.x], …, 64)
//
// If all of its reads are inside the arrays and none can be wrong, the runtime
// has noted them, and the loop tells no more of them. Else it has noted
// nothing that counts, and each read is told where it is made: so reports are
// the same. Nobody else runs in between, because nothing in it suspends.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

enum {
  MOST_TURNS = 1 << 12,
  MOST_AHEAD = 48,       // nodes of the body that are computed before it
  MOST_FACTOR = 1 << 16, // of the variable, in an index
};

typedef struct {
  const IrNode *loop;
  int64_t first, step, n_turns;
  const IrNode *reads[HD_CPU_MOST_TURNS];
  uint32_t n_reads;
  const IrNode *ahead[MOST_AHEAD]; // in order
  uint32_t n_ahead;
} Turns;

uint32_t cpu_constant_turns(const IrNode *node) {
  int64_t low, high, step = node->u.loop.step;
  if (!code_const_int(node->args[0], &low) ||
      !code_const_int(node->args[1], &high) || step <= 0)
    return 0;
  high += node->u.loop.is_inclusive;
  if (low < 0 || high <= low || high > INT32_MAX ||
      high - low > MOST_TURNS * step)
    return 0;
  return (uint32_t)((high - low + step - 1) / step);
}

// ------------------------------------------------------------------ indices

static bool is_set_in(const IrNode *loop, uint32_t var) {
  for (const IrNode *n = loop->regions[0].first; n; n = n->next)
    if (n->op == IR_SET && n->u.variable.var == var)
      return true;
  return false;
}

static bool cpu_turns_is_in_body(const Turns *t, const IrNode *node) {
  return node->region == &t->loop->regions[0];
}

// Division by what may be 0 is not for before its time.
static bool may_be_ahead(const IrNode *node) {
  int64_t by;
  if ((ir_op_info(node)->flags & OPF_PURE) == 0 || node->op == IR_ADDRESS)
    return false;
  bool divides = node->op == IR_SDIV || node->op == IR_UDIV ||
                 node->op == IR_SREM || node->op == IR_UREM;
  return !divides || (code_const_int(node->args[1], &by) && by > 0);
}

static bool add_ahead(Turns *t, const IrNode *node) {
  for (uint32_t i = 0; i < t->n_ahead; i++)
    if (t->ahead[i] == node)
      return true;
  if (t->n_ahead == MOST_AHEAD)
    return false;
  t->ahead[t->n_ahead++] = node;
  return true;
}

static bool find_factor(Turns *t, const IrNode *node, int64_t *factor);

// By how much a node with linear arguments grows when the variable does.
static bool cpu_turns_combine(const IrNode *node, const int64_t *of,
                              int64_t *factor) {
  int64_t by;
  switch ((int)node->op) {
  case IR_ADD: *factor = of[0] + of[1]; return true;
  case IR_SUB: *factor = of[0] - of[1]; return true;
  case IR_MUL: {
    uint32_t other = of[0] == 0 ? 0 : 1;
    if (!code_const_int(node->args[other], &by) || by > MOST_FACTOR ||
        by < -MOST_FACTOR)
      return false;
    *factor = of[1 - other] * by;
    return true;
  }
  default: return false;
  }
}

static bool find_pure_factor(Turns *t, const IrNode *node, int64_t *factor) {
  int64_t of[3] = {0, 0, 0};
  bool is_same = true;
  if (!may_be_ahead(node) || node->n_args > 3)
    return false;
  for (uint32_t i = 0; i < node->n_args; i++) {
    if (!find_factor(t, node->args[i], &of[i]))
      return false;
    is_same &= of[i] == 0;
  }
  *factor = 0;
  bool is_linear = is_same || (ir_type_is_int(node->type) &&
                               cpu_turns_combine(node, of, factor));
  return is_linear && *factor <= MOST_FACTOR && *factor >= -MOST_FACTOR;
}

// The value is linear in the loop's variable, modulo 2^bits of its type; it can
// be computed before the loop for the first turn.
static bool find_factor(Turns *t, const IrNode *node, int64_t *factor) {
  *factor = 0;
  if (!cpu_turns_is_in_body(t, node))
    return true;
  if (node->op == IR_GET) {
    bool is_counter = node->u.variable.var == t->loop->u.loop.var;
    *factor = is_counter;
    return (is_counter || !is_set_in(t->loop, node->u.variable.var)) &&
           add_ahead(t, node);
  }
  return find_pure_factor(t, node, factor) && add_ahead(t, node);
}

// ------------------------------------------------------------------- bodies

static bool is_space(const IrNode *node, IrSpace space) {
  const IrObject *object = node->u.access.object;
  return object && !object->is_plain_pointer && object->space == space;
}

static bool is_plain_load(const IrNode *node) {
  return node->op == IR_LOAD && node->u.access.order == ORDER_PLAIN;
}

// A read of shared memory that can be told ahead.
static bool add_read(CpuEmit *e, Turns *t, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  int64_t factor;
  if (access->n_index != access->object->rank || access->has_offset ||
      access->bounds != BOUNDS_NONE || (node->flags & NODE_OWN) ||
      code_operands(node).guard >= 0 || code_operands(node).pointer >= 0 ||
      cpu_clause_loops(e, node) != 0 || t->n_reads == HD_CPU_MOST_TURNS)
    return false;
  for (uint32_t k = 0; k < access->n_index; k++) {
    const IrNode *index = node->args[(uint32_t)code_operands(node).index + k];
    if (!find_factor(t, index, &factor))
      return false;
  }
  t->reads[t->n_reads++] = node;
  return true;
}

// Nothing in the body matters to shared memory but reads that can be told
// ahead.
static bool find_reads(CpuEmit *e, Turns *t) {
  for (const IrNode *n = t->loop->regions[0].first; n; n = n->next) {
    bool is_own =
        (n->op == IR_LOAD || n->op == IR_STORE) && is_space(n, SPACE_LOCAL);
    if (n->n_regions > 0)
      return false;
    if (is_own || n->op == IR_GET || n->op == IR_SET ||
        (ir_op_info(n)->flags & OPF_PURE))
      continue;
    if (!is_plain_load(n))
      return false;
    if (is_space(n, SPACE_GLOBAL) || is_space(n, SPACE_CONSTANT))
      continue;
    if (!is_space(n, SPACE_SHARED) || !add_read(e, t, n))
      return false;
  }
  return t->n_reads > 0;
}

// ---------------------------------------------------------------- emission

// Lanes that are outside of dimension `dim` in the first turn or the last; the
// others are inside in all of them.
static LLVMValueRef outside_of(CpuEmit *e, Turns *t, const IrNode *read,
                               uint32_t dim) {
  const IrNode *node = read->args[(uint32_t)code_operands(read).index + dim];
  CpuLeaf index = cpu_leaf(e, node, 0);
  int64_t factor = 0;
  find_factor(t, node, &factor);
  bool is_one = index.shape.kind == CPU_UNIFORM;
  LLVMValueRef v = is_one ? cpu_base(e, index) : cpu_as_vector(e, index);
  if (!is_one)
    v = LLVMBuildSExt(e->b, v, cpu_vector_of(e, e->i64), CPU_NAME);
  LLVMValueRef extent = cpu_extent(e, read->u.access.object, dim);
  LLVMValueRef way = cpu_i64(e, factor * t->step * (t->n_turns - 1));
  if (!is_one) {
    extent = cpu_splat(e, extent);
    way = cpu_const_splat(e, way);
  }
  LLVMValueRef last = LLVMBuildAdd(e->b, v, way, CPU_NAME);
  LLVMValueRef bad = LLVMBuildOr(
      e->b, LLVMBuildICmp(e->b, LLVMIntUGE, v, extent, CPU_NAME),
      LLVMBuildICmp(e->b, LLVMIntUGE, last, extent, CPU_NAME), CPU_NAME);
  return is_one ? cpu_splat(e, bad) : bad;
}

// Bytes from turn to turn.
static LLVMValueRef turn_bytes(CpuEmit *e, Turns *t, const IrNode *read) {
  const IrObject *object = read->u.access.object;
  LLVMValueRef sum = cpu_i64(e, 0);
  for (uint32_t k = 0; k < read->u.access.n_index; k++) {
    int64_t factor = 0;
    find_factor(t, read->args[(uint32_t)code_operands(read).index + k],
                &factor);
    LLVMValueRef bytes = LLVMBuildMul(
        e->b, cpu_stride(e, object, k),
        cpu_i64(e, factor * t->step * (int64_t)object->element_bytes),
        CPU_NAME);
    sum = LLVMBuildAdd(e->b, sum, bytes, CPU_NAME);
  }
  return sum;
}

// Fills one HdCpuTurns; false: its lanes are no rows.
static bool cpu_turns_fill(CpuEmit *e, Turns *t, const IrNode *read,
                           LLVMValueRef record) {
  CpuAddress at = cpu_address(e, read);
  CpuRows rows = {cpu_i64(e, 0), cpu_i64(e, 0), CPU_WARP_LOG2};
  if (at.pointers || at.guard || at.wrapped_bits > 0 ||
      (at.shape.kind != CPU_UNIFORM && !cpu_told_rows(e, &at, &rows)))
    return false;

  const struct {
    size_t offset;
    LLVMValueRef v;
  } fields[] = {
      {offsetof(HdCpuTurns, address),
       LLVMBuildPtrToInt(e->b, at.base, e->i64, CPU_NAME)},
      {offsetof(HdCpuTurns, step), rows.step},
      {offsetof(HdCpuTurns, row_bytes), rows.row_bytes},
      {offsetof(HdCpuTurns, turn_bytes), turn_bytes(e, t, read)},
      {offsetof(HdCpuTurns, site), cpu_site(e, read)},
      {offsetof(HdCpuTurns, period_log2), cpu_i32(e, rows.period_log2)},
  };

  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    cpu_set_field(e, fields[i].v, record, fields[i].offset);
  return true;
}

static bool fill_all(CpuEmit *e, Turns *t, LLVMValueRef records,
                     LLVMValueRef *outside) {
  *outside = NULL;
  for (uint32_t i = 0; i < t->n_reads; i++) {
    const IrNode *read = t->reads[i];
    for (uint32_t k = 0; k < read->u.access.n_index; k++)
      *outside = cpu_mask_or_none(e, *outside, outside_of(e, t, read, k));
    LLVMValueRef record =
        cpu_byte_offset(e, records, (int64_t)(i * sizeof(HdCpuTurns)));
    if (!cpu_turns_fill(e, t, read, record))
      return false;
  }
  return true;
}

// i1: the reads are told.
static LLVMValueRef call_turns(CpuEmit *e, const Turns *t, LLVMValueRef records,
                               LLVMValueRef outside) {
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMValueRef n_turns = cpu_i32(e, t->n_turns);
  if (outside)
    n_turns =
        LLVMBuildSelect(e->b, cpu_any(e, cpu_mask_and(e, e->mask, outside)),
                        cpu_i32(e, 0), n_turns, CPU_NAME);
  LLVMTypeRef types[6] = {e->ptr, e->i32, e->i32, e->i32, e->i32, e->ptr};
  LLVMValueRef args[6] = {
      e->block, lanes.warp, lanes.bits, n_turns, cpu_i32(e, t->n_reads),
      records};
  LLVMValueRef told = cpu_ask_runtime(
      e, e->i32, offsetof(HdCpuServices, check_turns), types, args, 6);
  return LLVMBuildICmp(e->b, LLVMIntNE, told, cpu_i32(e, 0), CPU_NAME);
}

void cpu_tell_turns(CpuEmit *e, const IrNode *node) {
  const CpuFlow *flow = cpu_flow(e->plan, node);
  e->told_turns = NULL;
  if (!e->plan->has_checks || e->lanes != CPU_WARP || node->op != IR_FOR ||
      flow->is_divergent || flow->splits || flow->splits_turn || flow->leaks ||
      flow->yields)
    return;
  Turns t = {.loop = node,
             .step = node->u.loop.step,
             .n_turns = cpu_constant_turns(node)};
  if (t.n_turns < 2 || t.step > MOST_FACTOR || !find_reads(e, &t))
    return;
  e->is_ahead = true;
  for (uint32_t i = 0; i < t.n_ahead; i++)
    cpu_emit_value(e, t.ahead[i]);
  e->is_ahead = false;
  LLVMValueRef outside;
  LLVMValueRef records =
      cpu_alloca(e, LLVMArrayType2(e->i8, t.n_reads * sizeof(HdCpuTurns)));
  LLVMSetAlignment(records, sizeof(void *));
  if (fill_all(e, &t, records, &outside))
    e->told_turns = call_turns(e, &t, records, outside);
}

void cpu_turns_end(CpuEmit *e) {
  e->told_turns = NULL;
}
