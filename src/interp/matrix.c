// SPDX-License-Identifier: Apache-2.0
// Matrix units of warpgroups: products that are under way until somebody waits
// for them. Each thread has a queue of what it asked for: its loads read their
// sections, and its products add up, in this order and as late as they may;
// under a random order at any time before.
#include "interp/copy.h"
#include "interp/eval.h"
#include "interp/tile.h"
#include <string.h>

// ------------------------------------------------------------------ asking

// Where the section is, which must lie whole in its array. False after a fault.
static bool matrix_find_section(Machine *m, Thread *t, const Insn *insn,
                                MatrixWork *work) {
  const IrNode *node = insn->node;
  const ObjectPlace *place = launch_place(m->launch, node->u.section.object);
  int64_t size = place->object->element_bytes, offset = 0;
  uint32_t axis = 0;
  for (uint32_t i = 0; i < place->object->rank; i++) {
    uint32_t bits = ir_type_bits(node->args[i]->type);
    int64_t first = eval_signed(*machine_operand(m, t, insn, i), bits);
    bool is_range = node->u.section.kind[i] == SECTION_RANGE;
    int64_t length = is_range ? node->u.section.length[i] : 1;
    if (first < 0 || length > place->extents[i] ||
        first > place->extents[i] - length)
      return machine_trap(m, t, node, FAULT_CODE_COPY_BOX,
                          &(FaultArgs){.name = place->object->name,
                                       .numbers = {first, first + length - 1, i,
                                                   place->extents[i]}});
    offset += first * place->strides[i];
    if (is_range) {
      work->step[axis] = place->strides[i] * size;
      work->extents[axis++] = (uint32_t)length;
    }
  }
  work->first = machine_base(m, t, place) + offset * size;
  return true;
}

static CopyQueue *matrix_queue(Thread *t, bool is_tensor) {
  return is_tensor ? &t->tensors : &t->matrices;
}

static void matrix_tell_part(Machine *m, Thread *t, Copy *copy,
                             const IrGroup *group) {
  bool is_tensor = copy->matrix.is_tensor;
  copy_tell_part(m, t, copy, group,
                 is_tensor ? OBSERVED_TENSOR : OBSERVED_SETS);
  if (is_tensor && m->observer)
    VEC_PUSH(m->gang_arena, &t->tensor_parts, copy->part);
}

static bool matrix_ask_load(Machine *m, Thread *t, const Insn *insn) {
  const IrGroup *group = ir_node_group(m->program->kernel, insn->node);
  GroupContext context = group_context(m, t, group);
  MatrixWork work = {.kind = MATRIX_LOAD,
                     .is_tensor = insn->op == IR_TENSOR_READ};
  if (!matrix_find_section(m, t, insn, &work))
    return false;
  work.to = tile_new(m, t, insn->node, insn->node->type);
  if (!work.to)
    return false;
  Copy *copy = copy_new(m, t, insn->node);
  int64_t count = (int64_t)work.extents[0] * work.extents[1];
  copy->matrix = work;
  copy->first = count * context.rank / context.size;
  copy->end = count * (context.rank + 1) / context.size;
  copy_queue(m, matrix_queue(t, work.is_tensor), copy);
  matrix_tell_part(m, t, copy, group);
  work.to->n_references++; // the queue's
  return tile_give(m, t, insn, work.to);
}

static void matrix_drop(Machine *m, MatrixWork *work) {
  tile_release(m, work->to);
  tile_release(m, work->a);
  tile_release(m, work->b);
  tile_release(m, work->acc);
  work->to = work->a = work->b = work->acc = NULL;
}

static bool matrix_ask_product(Machine *m, Thread *t, const Insn *insn) {
  MatrixWork work = {.kind = MATRIX_PRODUCT,
                     .is_tensor = insn->op == IR_TENSOR_MMA};
  work.is_from_zero = work.is_tensor && !(*machine_operand(m, t, insn, 3) & 1);
  work.to = tile_new(m, t, insn->node, insn->node->type);
  work.a = work.to ? tile_operand(m, t, insn, 0) : NULL;
  work.b = work.a ? tile_operand(m, t, insn, 1) : NULL;
  work.acc = work.b ? tile_operand(m, t, insn, 2) : NULL;
  if (!work.acc) {
    matrix_drop(m, &work);
    return false;
  }
  Copy *copy = copy_new(m, t, insn->node);
  copy->matrix = work;
  copy_queue(m, matrix_queue(t, work.is_tensor), copy);
  work.to->n_references++;
  return tile_give(m, t, insn, work.to);
}

bool tile_wgmma(Machine *m, Thread *t, const Insn *insn) {
  return insn->op == IR_WGMMA_LOAD ? matrix_ask_load(m, t, insn)
                                   : matrix_ask_product(m, t, insn);
}

static bool matrix_ask_store(Machine *m, Thread *t, const Insn *insn) {
  MatrixWork work = {.kind = MATRIX_STORE, .is_tensor = true};
  if (!matrix_find_section(m, t, insn, &work))
    return false;
  work.to = tile_operand(m, t, insn, insn->node->n_args - 1);
  if (!work.to)
    return false;
  Copy *copy = copy_new(m, t, insn->node);
  copy->matrix = work;
  copy->end = (int64_t)work.extents[0] * work.extents[1];
  copy_queue(m, &t->tensors, copy);
  matrix_tell_part(m, t, copy, ir_node_group(m->program->kernel, insn->node));
  return true;
}

static void matrix_read(MatrixWork *work) {
  uint64_t size =
      work->to->size_bytes / ((uint64_t)work->extents[0] * work->extents[1]);
  char *to = work->to->bytes;
  for (uint32_t i = 0; i < work->extents[0]; i++) {
    const char *row = work->first + i * work->step[0];
    if ((uint64_t)work->step[1] == size) {
      memcpy(to, row, work->extents[1] * size);
      to += work->extents[1] * size;
      continue;
    }
    for (uint32_t k = 0; k < work->extents[1]; k++, to += size)
      memcpy(to, row + k * work->step[1], size);
  }
}

static void matrix_write(Machine *m, const MatrixWork *work) {
  uint64_t size =
      work->to->size_bytes / ((uint64_t)work->extents[0] * work->extents[1]);
  const char *from = work->to->bytes;
  for (uint32_t i = 0; i < work->extents[0]; i++)
    for (uint32_t k = 0; k < work->extents[1]; k++, from += size) {
      char *to = work->first + i * work->step[0] + k * work->step[1];
      memcpy(to, from, size);
      machine_note_set(m, to, size, true);
    }
  m->n_writes++;
}

// tcgen05_ld, tcgen05_st: of a warpgroup each thread reaches the lane of its
// rank.
static void tensor_observe(Machine *m, const Thread *t, const Insn *insn,
                           const MatrixWork *work, uint32_t lane) {
  const InterpObserver *observer = m->observer;

  enum { COLUMN_BYTES = 4 };

  if (!observer || !observer->access)
    return;
  ObservedThread thread = machine_observed(m, t);
  bool is_store = insn->op == IR_TILE_STORE;
  for (uint32_t k = 0; k < work->extents[1]; k++) {
    const char *at = work->first + lane * work->step[0] + k * work->step[1];
    ObservedAccess told = {.node = insn->node,
                           .address = (uint64_t)(uintptr_t)at,
                           .n_bytes = COLUMN_BYTES,
                           .reads = !is_store,
                           .writes = is_store,
                           .element = lane * work->extents[1] + k,
                           .operation = m->n_sections};
    observer->access(observer->context, &thread, &told);
  }
}

bool tile_tensor_lanes(Machine *m, Thread *t, const Insn *insn) {
  const IrGroup *group = ir_node_group(m->program->kernel, insn->node);
  uint32_t lane = (uint32_t)group_context(m, t, group).rank;
  MatrixWork work = {.kind = MATRIX_LOAD};
  bool is_store = insn->op == IR_TILE_STORE;
  if (!matrix_find_section(m, t, insn, &work))
    return false;
  work.to = is_store ? tile_operand(m, t, insn, insn->node->n_args - 1)
                     : tile_new(m, t, insn->node, insn->node->type);
  if (!work.to)
    return false;
  m->n_sections++;
  tensor_observe(m, t, insn, &work, lane);
  if (!is_store) {
    matrix_read(&work);
    return tile_give(m, t, insn, work.to);
  }
  TileValue row = *work.to;
  row.size_bytes /= work.extents[0];
  row.bytes += lane * row.size_bytes;
  work.first += lane * work.step[0];
  work.extents[0] = 1;
  MatrixWork own = work;
  own.to = &row;
  matrix_write(m, &own);
  tile_release(m, work.to);
  return true;
}

bool tile_tensor(Machine *m, Thread *t, const Insn *insn) {
  if (insn->op == IR_TENSOR_WRITE)
    return matrix_ask_store(m, t, insn);
  return insn->op == IR_TENSOR_READ ? matrix_ask_load(m, t, insn)
                                    : matrix_ask_product(m, t, insn);
}

void matrix_ask_arrival(Machine *m, Thread *t, const IrNode *node,
                        Mbarrier *barrier) {
  Copy *copy = copy_new(m, t, node);
  copy->matrix = (MatrixWork){.kind = MATRIX_ARRIVE, .is_tensor = true};
  copy->barrier = barrier;
  barrier->n_copies++;
  copy_queue(m, &t->tensors, copy);
  copy_tell_part(m, t, copy, ir_node_group(m->program->kernel, node),
                 OBSERVED_TENSOR);
}

// ------------------------------------------------------------------- doing

// All that was asked for before is done.
static bool matrix_arrive(Machine *m, Copy *copy) {
  const InterpObserver *observer = m->observer;
  Thread *t = copy->t;
  uint32_t number = (uint32_t)(copy->barrier - m->mbarriers);
  copy->barrier->n_copies--;
  m->n_writes++;
  if (observer && observer->copy_landed)
    observer->copy_landed(observer->context, copy->part, number);
  for (uint32_t i = 0; observer && i < t->tensor_parts.count; i++)
    if (observer->copy_landed && t->tensor_parts.data[i] < copy->part)
      observer->copy_landed(observer->context, t->tensor_parts.data[i], number);
  return mbarrier_arrive(m, t, copy->node, copy->barrier, 1);
}

// Bytes that were moved or compared: as long as so many steps take.
static bool matrix_charge(Machine *m, const Copy *copy, uint64_t n_bytes) {
  enum { BYTES_A_STEP = 512 };

  return machine_charge(m, copy->t, copy->node, n_bytes / BYTES_A_STEP);
}

// See Note [What a group computes once].
static bool matrix_multiply(Machine *m, const Copy *copy) {
  const MatrixWork *work = &copy->matrix;
  if (work->is_from_zero)
    memset(work->acc->bytes, 0, work->acc->size_bytes);
  TileValue *const operands[] = {work->a, work->b, work->acc};
  const TileValue *known = tile_memo_product(m, copy->node, operands);
  if (known) {
    memcpy(work->to->bytes, known->bytes, known->size_bytes);
    return matrix_charge(m, copy, 4 * known->size_bytes);
  }
  if (!tile_product(m, copy->t, copy->node, work->a, work->b, work->acc,
                    work->to))
    return false;
  tile_memo_keep_product(m, copy->node, operands, work->to);
  return true;
}

static bool matrix_do(Machine *m, Copy *copy) {
  MatrixWork *work = &copy->matrix;
  bool is_good = true;
  copy->has_landed = true;
  if (work->kind == MATRIX_PRODUCT) {
    is_good = matrix_multiply(m, copy);
  } else if (work->kind == MATRIX_ARRIVE) {
    is_good = matrix_arrive(m, copy);
  } else {
    if (work->kind == MATRIX_LOAD)
      matrix_read(work);
    else
      matrix_write(m, work);
    is_good = matrix_charge(m, copy, work->to->size_bytes);
  }
  matrix_drop(m, work);
  return is_good;
}

// No wait names what was done for a tensor core.
static void matrix_sweep(Machine *m, CopyQueue *queue) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < queue->copies.count; i++) {
    if (queue->copies.data[i]->has_landed)
      copy_drop(m, queue->copies.data[i]);
    else
      queue->copies.data[kept++] = queue->copies.data[i];
  }
  queue->copies.count = kept;
}

bool matrix_land(Machine *m, Copy *copy) {
  CopyQueue *queue = matrix_queue(copy->t, copy->matrix.is_tensor);
  for (uint32_t i = 0; i < queue->copies.count; i++) {
    Copy *before = queue->copies.data[i];
    if (!before->has_landed && !matrix_do(m, before))
      return false;
    if (before == copy)
      break;
  }
  if (copy->matrix.is_tensor)
    matrix_sweep(m, queue);
  return true;
}

// ----------------------------------------------------------------- telling

void matrix_tell(const Machine *m, const Copy *copy) {
  const MatrixWork *work = &copy->matrix;
  const InterpObserver *observer = m->observer;
  if (work->kind == MATRIX_ARRIVE)
    return;
  uint64_t size =
      work->to->size_bytes / ((uint64_t)work->extents[0] * work->extents[1]);
  for (int64_t i = copy->first; i < copy->end;) {
    int64_t row = i / work->extents[1], column = i % work->extents[1];
    int64_t n = work->extents[1] - column;
    if (n > copy->end - i)
      n = copy->end - i;
    if ((uint64_t)work->step[1] != size)
      n = 1;
    const char *from =
        work->first + row * work->step[0] + column * work->step[1];
    uint64_t at = (uint64_t)(uintptr_t)from;
    bool is_store = work->kind == MATRIX_STORE;
    observer->copy_bytes(observer->context, copy->part, is_store ? at : 0,
                         is_store ? 0 : at, (uint64_t)n * size);
    i += n;
  }
}
