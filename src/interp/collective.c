// SPDX-License-Identifier: Apache-2.0
// What threads that met get: shuffles, votes, reductions and scans, in exactly
// the order of combination that the language defines.
//
// Note [Order of combination]
// Threads of one block: reduce combines neighbours by rank until one is left;
// a scan doubles inside each 32 ranks, then over the totals of these. Above a
// block, blocks are combined from the first to the last: their reductions, or
// for scans what came before with what a block's own scan gives.
#include "interp/eval.h"
#include "interp/machine.h"
#include "interp/tile.h"
#include <string.h>

enum { CHUNK = 32, MOST_SLOTS = 32 };

typedef struct {
  Machine *m;
  Thread *t; // in whose frame operators run
  const Meeting *meeting;
  const Insn *insn;
  const IrNode *node;
  uint32_t n;  // slots of one value
  bool failed; // the operator did
} Fold;

static uint64_t *operand_of(const Meeting *meeting, uint32_t rank) {
  return meeting->values + (size_t)rank * meeting->n_slots;
}

static void collective_give(const Meeting *meeting, uint32_t rank,
                            const uint64_t *value, uint32_t n) {
  Thread *t = meeting->threads[rank];
  memcpy(&t->frame[meeting->insn->dst], value, n * sizeof *value);
}

// --------------------------------------------------------------- shuffles

static bool collective_is_scattered(const IrGroup *group) {
  return group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED;
}

static uint32_t collective_source_rank(const IrNode *node, uint32_t rank,
                                       uint32_t size, int32_t by) {
  int64_t from = by;
  switch ((int)node->op) {
  case IR_SHFL_UP: from = (int64_t)rank - by; break;
  case IR_SHFL_DOWN: from = (int64_t)rank + by; break;
  case IR_SHFL_XOR: from = (int32_t)(rank ^ (uint32_t)by); break;
  default:
    if (node->op == IR_BROADCAST ||
        !collective_is_scattered(node->u.group.group))
      from = ((from % size) + size) % size;
    break;
  }
  return from >= 0 && from < size ? (uint32_t)from : rank;
}

static void collective_shuffle(const Machine *m, const Meeting *meeting) {
  const IrNode *node = meeting->insn->node;
  uint32_t n = program_layout(m->program, node->type)->n_slots;
  for (uint32_t i = 0; i < meeting->size; i++) {
    int32_t by = (int32_t)operand_of(meeting, i)[n];
    uint32_t from = collective_source_rank(node, i, meeting->size, by);
    collective_give(meeting, i, operand_of(meeting, from), n);
  }
}

// ------------------------------------------------------------------ votes

static void collective_vote(const Meeting *meeting) {
  uint64_t count = 0, mask = 0, result = 0;
  for (uint32_t i = 0; i < meeting->size; i++)
    if (operand_of(meeting, i)[0]) {
      count++;
      mask |= UINT64_C(1) << (i & 31);
    }
  switch ((int)meeting->insn->node->op) {
  case IR_ANY: result = count > 0; break;
  case IR_ALL: result = count == meeting->size; break;
  case IR_COUNT: result = count; break;
  default: result = mask; break;
  }
  for (uint32_t i = 0; i < meeting->size; i++)
    collective_give(meeting, i, &result, 1);
}

static uint64_t matching(const Meeting *meeting, uint32_t rank) {
  size_t bytes = meeting->n_slots * sizeof(uint64_t);
  uint64_t mask = 0;
  for (uint32_t i = 0; i < meeting->size; i++)
    if (memcmp(operand_of(meeting, i), operand_of(meeting, rank), bytes) == 0)
      mask |= UINT64_C(1) << i;
  return mask;
}

static void match(const Meeting *meeting) {
  uint64_t all = eval_mask(meeting->size);
  bool wants_all = meeting->insn->node->op == IR_MATCH_ALL;
  for (uint32_t i = 0; i < meeting->size; i++) {
    uint64_t mask = matching(meeting, i);
    if (wants_all && mask != all)
      mask = 0;
    collective_give(meeting, i, &mask, 1);
  }
}

static bool mask_too_small(Machine *m, const Meeting *meeting) {
  return machine_fault(m, meeting->threads[0], meeting->insn->node,
                       HD_ERROR_TRAP,
                       "%s has bits for 32 threads, but %s has %u",
                       ir_op_info(meeting->insn->node)->text,
                       meeting->group->name, meeting->size);
}

// ------------------------------------------------------------- combination

// left = left op right
static void collective_combine(Fold *f, uint64_t *left, const uint64_t *right) {
  if (f->failed)
    return;
  if (f->node->n_regions) {
    f->failed = !machine_combine(f->m, f->t, f->insn, left, right);
    return;
  }
  IrType scalar = ir_scalar((IrTypeKind)f->node->type.kind);
  for (uint32_t i = 0; i < f->n; i++)
    left[i] = eval_rmw(f->node->u.collective.combine, (IrTypeKind)scalar.kind,
                       left[i], right[i]) &
              eval_mask(ir_type_bits(scalar));
}

// right = left op right
static void combine_from_left(Fold *f, const uint64_t *left, uint64_t *right) {
  uint64_t value[MOST_SLOTS];
  memcpy(value, left, f->n * sizeof *value);
  collective_combine(f, value, right);
  memcpy(right, value, f->n * sizeof *value);
}

// Threads of one block, or fewer: those that are combined as one sequence.
static uint32_t segment(const Machine *m, const Meeting *meeting) {
  bool is_above = meeting->group->kind == GROUP_GRID ||
                  meeting->group->kind == GROUP_CLUSTER;
  return is_above ? m->launch->n_threads : meeting->size;
}

// Neighbours, until values[0] is the result. `step` slots apart.
static void reduce_segment(Fold *f, uint64_t *values, uint32_t count,
                           uint32_t step) {
  while (count > 1) {
    for (uint32_t i = 0; i < count / 2; i++) {
      uint64_t *to = values + (size_t)i * step;
      memmove(to, values + (size_t)2 * i * step, f->n * sizeof *to);
      collective_combine(f, to, values + (size_t)(2 * i + 1) * step);
    }
    if (count % 2)
      memmove(values + (size_t)(count / 2) * step,
              values + (size_t)(count - 1) * step, f->n * sizeof *values);
    count = count / 2 + count % 2;
  }
}

static void collective_reduce(Fold *f) {
  const Meeting *meeting = f->meeting;
  uint32_t length = segment(f->m, meeting);
  uint64_t result[MOST_SLOTS];
  for (uint32_t first = 0; first < meeting->size; first += length) {
    uint64_t *values = operand_of(meeting, first);
    reduce_segment(f, values, length, meeting->n_slots);
    if (first == 0)
      memcpy(result, values, f->n * sizeof *result);
    else
      collective_combine(f, result, values);
  }
  for (uint32_t i = 0; i < meeting->size && !f->failed; i++)
    collective_give(meeting, i, result, f->n);
}

// ------------------------------------------------------------------- scans

// x[i] = x[i-d] op x[i] for d = 1, 2, 4, 8, 16. From the end, so that each
// step reads what the step before left.
static void scan_chunk(Fold *f, uint64_t *values, uint32_t count,
                       uint32_t step) {
  for (uint32_t d = 1; d < count; d *= 2)
    for (uint32_t i = count; i-- > d;)
      combine_from_left(f, values + (size_t)(i - d) * step,
                        values + (size_t)i * step);
}

static void scan_segment(Fold *f, uint64_t *values, uint32_t count,
                         uint32_t step) {
  uint64_t totals[CHUNK * MOST_SLOTS]; // a block has at most 32 chunks
  uint32_t n_chunks = (count + CHUNK - 1) / CHUNK;
  for (uint32_t c = 0; c < n_chunks; c++) {
    uint32_t first = c * CHUNK, left = count - first;
    uint32_t length = left < CHUNK ? left : CHUNK;
    uint64_t *chunk = values + (size_t)first * step;
    scan_chunk(f, chunk, length, step);
    memcpy(totals + (size_t)c * f->n, chunk + (size_t)(length - 1) * step,
           f->n * sizeof *totals);
  }
  scan_chunk(f, totals, n_chunks, f->n);
  for (uint32_t i = CHUNK; i < count; i++)
    combine_from_left(f, totals + (size_t)(i / CHUNK - 1) * f->n,
                      values + (size_t)i * step);
}

static void scan_all(Fold *f) {
  const Meeting *meeting = f->meeting;
  uint32_t length = segment(f->m, meeting), step = meeting->n_slots;
  uint64_t before[MOST_SLOTS], total[MOST_SLOTS];
  for (uint32_t first = 0; first < meeting->size; first += length) {
    uint64_t *values = operand_of(meeting, first);
    scan_segment(f, values, length, step);
    memcpy(total, values + (size_t)(length - 1) * step, f->n * sizeof *total);
    if (first > 0) {
      for (uint32_t i = 0; i < length; i++)
        combine_from_left(f, before, values + (size_t)i * step);
      collective_combine(f, before, total);
    } else {
      memcpy(before, total, f->n * sizeof *before);
    }
  }
}

static uint64_t collective_identity(const IrNode *node) {
  IrTypeKind kind = (IrTypeKind)node->type.kind;
  bool is_float = ir_type_is_float(ir_scalar(kind));
  uint64_t all = eval_mask(ir_type_bits(ir_scalar(kind)));
  switch ((int)node->u.collective.combine) {
  case RMW_SMIN:
    return is_float ? eval_from_double(kind, __builtin_inf()) : all >> 1;
  case RMW_SMAX:
    return is_float ? eval_from_double(kind, -__builtin_inf()) : (all >> 1) + 1;
  case RMW_UMIN:
  case RMW_AND: return all;
  default: return 0;
  }
}

// Operand 1 comes before rank 0: combined from the left, last of all.
static void collective_scan(Fold *f) {
  const Meeting *meeting = f->meeting;
  bool is_exclusive = f->node->u.collective.is_exclusive;
  bool has_first = f->node->n_args > 1;
  scan_all(f);
  for (uint32_t i = 0; i < meeting->size && !f->failed; i++) {
    const uint64_t *first = operand_of(meeting, i) + f->n;
    bool is_start = is_exclusive && i == 0;
    uint64_t value[MOST_SLOTS];
    if (!is_start)
      memcpy(value, operand_of(meeting, i - is_exclusive),
             f->n * sizeof *value);
    else if (has_first)
      memcpy(value, first, f->n * sizeof *value);
    else
      for (uint32_t k = 0; k < f->n; k++)
        value[k] = collective_identity(f->node);
    if (has_first && !is_start)
      combine_from_left(f, first, value);
    if (!f->failed)
      collective_give(meeting, i, value, f->n);
  }
}

static bool collective_fold(Machine *m, Thread *t, const Meeting *meeting) {
  const IrNode *node = meeting->insn->node;
  Fold f = {
      .m = m, .t = t, .meeting = meeting, .insn = meeting->insn, .node = node};
  f.n = program_layout(m->program, node->type)->n_slots;
  uint32_t length = segment(m, meeting);
  if (f.n > MOST_SLOTS || length > CHUNK * CHUNK || meeting->size % length)
    return machine_fault(m, t, node, HD_ERROR_UNSUPPORTED,
                         "the interpreter can't combine so many values");
  switch (ir_reduce_op(node->op)) {
  case REDUCE_REDUCE:
  case REDUCE_REDUCE_BY: collective_reduce(&f); break;
  case REDUCE_SCAN:
  case REDUCE_SCAN_BY: collective_scan(&f); break;
  }
  return !f.failed;
}

static bool collective_exchange(Machine *m, Meeting *meeting) {
  IrExchangeOp op = ir_exchange_op(meeting->insn->node->op);
  switch (op) {
  case EXCHANGE_SHFL:
  case EXCHANGE_SHFL_UP:
  case EXCHANGE_SHFL_DOWN:
  case EXCHANGE_SHFL_XOR:
  case EXCHANGE_BROADCAST: collective_shuffle(m, meeting); break;
  case EXCHANGE_ANY:
  case EXCHANGE_ALL:
  case EXCHANGE_COUNT: collective_vote(meeting); break;
  case EXCHANGE_BALLOT:
  case EXCHANGE_MATCH_ANY:
  case EXCHANGE_MATCH_ALL:
    if (meeting->size > 32)
      return mask_too_small(m, meeting);
    if (op == EXCHANGE_BALLOT)
      collective_vote(meeting);
    else
      match(meeting);
    break;
  }
  return true;
}

bool collective_finish(Machine *m, Thread *t, Meeting *meeting) {
  const IrNode *node = meeting->insn->node;
  switch (ir_family(node)) {
  case FAMILY_EXCHANGE: return collective_exchange(m, meeting);
  case FAMILY_REDUCE: return collective_fold(m, t, meeting);
  case FAMILY_POSITION: return group_make_labeled(m, meeting);
  case FAMILY_COPY:
    return node->op == IR_MEMCPY_WAIT || copy_issue_once(m, meeting);
  case FAMILY_MBARRIER: return mbarrier_multicast(m, t, meeting->insn);
  case FAMILY_TILE: return tile_collect(m, t, meeting);
  case FAMILY_SYNC: // barriers give nothing
  case FAMILY_VALUE:
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_MEMORY:
  case FAMILY_CLAIM:
  case FAMILY_EFFECT:
  case FAMILY_CONTROL:
  case FAMILY_COUNT: break;
  }
  return true;
}
