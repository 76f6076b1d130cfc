// SPDX-License-Identifier: Apache-2.0
// Reductions and scans: from the first element to the last, each result rounded
// to the element's type.
//
// Note [Order of combination]
// Where a row of ops.def leaves the order open, the interpreter combines one by
// one in ascending row-major order, beginning with the first element itself. A
// scan from the end begins with the last. The left operand always has the lower
// index, so that a scan in reverse combines each element with what lies behind
// it; a value that comes before the first element of such a scan lies behind
// the last.
#include "base/panic.h"
#include "interp/eval.h"
#include "interp/tile.h"
#include <string.h>

// -------------------------------------------------------------- operators

// Combines elements of one type, by a row or by the operator in the body.
typedef struct {
  Machine *m;
  Thread *t;
  const Insn *insn;
  const TypeLayout *layout;
  uint32_t size; // bytes of an element
  bool is_own;   // by the operator
  IrOp op;
  IrTypeKind kind;
} Combiner;

static Combiner combiner_of(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  IrType type = node->args[0]->type;
  Combiner c = {.m = m, .t = t, .insn = insn};
  c.layout = tile_layout(m, type);
  c.size = tile_element_bytes(m, type);
  c.is_own = ir_is_operator(node);
  c.kind = (IrTypeKind)c.layout->kinds[0];
  if (!c.is_own)
    c.op = ir_combine_op(node->u.tile.combine);
  return c;
}

// *to = left op right; `to` may be one of them.
static bool combine_pair(const Combiner *c, char *to, const char *left,
                         const char *right) {
  const IrOperator *by = &c->insn->node->u.by;
  const uint32_t *slots = c->m->program->var_slots;
  uint64_t *frame = c->t->frame;
  if (!c->is_own) {
    uint64_t a = machine_read(left, (uint8_t)c->kind);
    uint64_t b = machine_read(right, (uint8_t)c->kind);
    machine_write(to, (uint8_t)c->kind,
                  eval_scalar(c->op, c->kind, c->kind, a, b, 0));
    return true;
  }
  tile_unpack(c->layout, left, &frame[slots[by->left]]);
  tile_unpack(c->layout, right, &frame[slots[by->right]]);
  if (!machine_run_operator(c->m, c->t, c->insn))
    return false;
  tile_pack(c->layout, &frame[slots[by->result]], to);
  return true;
}

// -------------------------------------------------------------- reductions

static uint32_t reduced_axes(const IrNode *node) {
  return node->op == IR_TILE_REDUCE_BY ? 1u << node->u.tile.axis
                                       : node->u.tile.axes;
}

// Distances in the result, 0 along axes that go; and, for the place among
// those, in the row-major order of the axes that go, 0 along the others.
static void reduced_strides(const IrTileShape *from, uint32_t axes,
                            uint32_t *kept, uint32_t *gone) {
  uint32_t step = 1, gone_step = 1;
  for (uint32_t i = from->rank; i-- > 0;) {
    bool goes = axes >> i & 1;
    kept[i] = goes ? 0 : step;
    gone[i] = goes ? gone_step : 0;
    *(goes ? &gone_step : &step) *= from->extents[i];
  }
}

// For each element in row-major order: the number of its result and its place
// among the elements of that.
typedef struct {
  const IrTileShape *shape;
  uint32_t kept[IR_MAX_TILE_RANK], gone[IR_MAX_TILE_RANK];
  uint32_t at[IR_MAX_TILE_RANK];
  uint32_t result, place;
} Reduction;

static Reduction reduction_of(const Machine *m, const IrNode *node) {
  Reduction r = {
      .shape = ir_tile_shape(m->program->kernel->module, node->args[0]->type)};
  reduced_strides(r.shape, reduced_axes(node), r.kept, r.gone);
  return r;
}

static bool reduction_next(Reduction *r) {
  if (!tile_next(r->shape->rank, r->shape->extents, r->at))
    return false;
  r->result = r->place = 0;
  for (uint32_t i = 0; i < r->shape->rank; i++) {
    r->result += r->at[i] * r->kept[i];
    r->place += r->at[i] * r->gone[i];
  }
  return true;
}

static bool reduce_into(const Combiner *c, TileValue *to,
                        const TileValue *from) {
  Reduction r = reduction_of(c->m, c->insn->node);
  const char *next = from->bytes;
  do {
    char *result = to->bytes + (uint64_t)r.result * c->size;
    if (r.place == 0)
      memcpy(result, next, c->size);
    else if (!combine_pair(c, result, result, next))
      return false;
    next += c->size;
  } while (reduction_next(&r));
  return true;
}

bool tile_reduce(Machine *m, Thread *t, const Insn *insn) {
  Combiner c = combiner_of(m, t, insn);
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  TileValue *from = to ? tile_operand(m, t, insn, 0) : NULL;
  bool is_good = from && reduce_into(&c, to, from);
  tile_release(m, from);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}

// ------------------------------------------------------------------- places

static bool is_nan(IrTypeKind kind, uint64_t value) {
  return ir_type_is_float(ir_scalar(kind)) &&
         eval_float(IR_ISNAN, kind, value, 0, 0);
}

// Whether `a` is to be taken rather than `b`, which comes before it.
static bool tile_arg_is_better(IrCombine combine, IrTypeKind kind, uint64_t a,
                               uint64_t b) {
  switch ((int)combine) {
  case COMBINE_SMIN: return eval_scalar(IR_SLT, kind, kind, a, b, 0);
  case COMBINE_SMAX: return eval_scalar(IR_SLT, kind, kind, b, a, 0);
  case COMBINE_UMIN: return eval_scalar(IR_ULT, kind, kind, a, b, 0);
  case COMBINE_UMAX: return eval_scalar(IR_ULT, kind, kind, b, a, 0);
  case COMBINE_FMIN: return eval_scalar(IR_FLT, kind, kind, a, b, 0);
  case COMBINE_FMAX: return eval_scalar(IR_FLT, kind, kind, b, a, 0);
  default: HD_PANIC("combination %d takes none of both", (int)combine);
  }
}

// `best`: for each result the number of its element + 1, or 0.
static void arg_into(const Machine *m, const IrNode *node, TileValue *to,
                     TileValue *best, const TileValue *from) {
  IrTypeKind kind = (IrTypeKind)tile_layout(m, node->args[0]->type)->kinds[0];
  uint32_t size = machine_kind_bytes[kind], number = 0;
  Reduction r = reduction_of(m, node);
  do {
    char *mine = best->bytes + r.result * sizeof number;
    uint32_t before;
    memcpy(&before, mine, sizeof before);
    uint64_t value =
        machine_read(from->bytes + (uint64_t)number * size, (uint8_t)kind);
    number++;
    if (is_nan(kind, value))
      continue;
    if (before && !tile_arg_is_better(
                      node->u.tile.combine, kind, value,
                      machine_read(from->bytes + (uint64_t)(before - 1) * size,
                                   (uint8_t)kind)))
      continue;
    memcpy(mine, &number, sizeof number);
    memcpy(to->bytes + r.result * sizeof r.place, &r.place, sizeof r.place);
  } while (reduction_next(&r));
}

bool tile_arg(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  TileValue *from = tile_operand(m, t, insn, 0);
  TileValue *to = from ? tile_new(m, t, node, node->type) : NULL;
  TileValue *best = to ? tile_new(m, t, node, node->type) : NULL;
  bool is_good = best != NULL;
  if (is_good)
    arg_into(m, node, to, best, from);
  tile_release(m, best);
  tile_release(m, from);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}

// -------------------------------------------------------------------- scans

// What comes before the first element, or NULL: nothing does. `*space` is the
// value's.
static bool scan_first(const Combiner *c, TileValue **first) {
  const IrNode *node = c->insn->node;
  *first = NULL;
  if (node->n_args > 1) {
    *first = tile_operand(c->m, c->t, c->insn, 1);
    return *first != NULL;
  }
  if (!node->u.tile.is_exclusive)
    return true;
  *first = tile_new(c->m, c->t, node, ir_scalar(c->kind));
  if (!*first)
    return false;
  machine_write((*first)->bytes, (uint8_t)c->kind,
                ir_combine_identity(node->u.tile.combine, ir_scalar(c->kind)));
  return true;
}

// One line: `from` and `to` are its element 0. The running value is in `sum`.
static bool scan_line(const Combiner *c, const TileLines *lines, char *to,
                      const char *from, const TileValue *first, char *sum) {
  const IrNode *node = c->insn->node;
  bool has_sum = first != NULL, is_reverse = node->u.tile.is_reverse;
  if (first)
    memcpy(sum, first->bytes, c->size);
  for (uint32_t i = 0; i < lines->count; i++) {
    uint32_t at = is_reverse ? lines->count - 1 - i : i;
    uint64_t offset = (uint64_t)at * lines->step * c->size;
    const char *next = from + offset;
    if (node->u.tile.is_exclusive)
      memcpy(to + offset, sum, c->size);
    if (!has_sum)
      memcpy(sum, next, c->size);
    else if (!combine_pair(c, sum, is_reverse ? next : sum,
                           is_reverse ? sum : next))
      return false;
    has_sum = true;
    if (!node->u.tile.is_exclusive)
      memcpy(to + offset, sum, c->size);
  }
  return true;
}

static bool scan_into(const Combiner *c, TileValue *to, const TileValue *from,
                      const TileValue *first, char *sum) {
  const IrNode *node = c->insn->node;
  TileLines lines =
      tile_lines(ir_tile_shape(c->m->program->kernel->module, node->type),
                 node->u.tile.axis);
  for (uint32_t before = 0; before < lines.n_before; before++)
    for (uint32_t behind = 0; behind < lines.step; behind++) {
      uint64_t start =
          ((uint64_t)before * lines.count * lines.step + behind) * c->size;
      if (!scan_line(c, &lines, to->bytes + start, from->bytes + start, first,
                     sum))
        return false;
    }
  return true;
}

bool tile_scan(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  Combiner c = combiner_of(m, t, insn);
  TileValue *to = tile_new(m, t, node, node->type), *first = NULL;
  TileValue *from = to ? tile_operand(m, t, insn, 0) : NULL;
  TileValue *sum =
      from ? tile_new(m, t, node, ir_element_type(module, node->type)) : NULL;
  bool is_good = sum && scan_first(&c, &first) &&
                 scan_into(&c, to, from, first, sum->bytes);
  tile_release(m, sum);
  tile_release(m, first);
  tile_release(m, from);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}
