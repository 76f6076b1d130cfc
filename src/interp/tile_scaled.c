// SPDX-License-Identifier: Apache-2.0
// Products of matrices whose elements share scales along K. For each block of
// elements that share one: the chain s = fma(a, b, s) from 0 in float, then
// acc = acc + s * scale of a * scale of b, rounded once from what double holds:
// s has 24 bits, the scales at most 4 each, so that product is exact there.
#include "interp/eval.h"
#include "interp/tile.h"
#include <math.h>

typedef struct {
  uint32_t n_matrices, rows, columns, depth, block;
  const double *a, *a_scales, *b, *b_scales;
  const TileValue *acc;
  TileValue *to;
} Scaled;

// The sign of an e4m3 scale is ignored: matrix units have none.
static TileValue *scaled_numbers(Machine *m, Thread *t, const Insn *insn,
                                 uint32_t operand) {
  IrType type = insn->node->args[operand]->type;
  const IrModule *module = m->program->kernel->module;
  IrTypeKind kind = (IrTypeKind)ir_element_type(module, type).kind;
  uint64_t n = ir_tile_elements(module, type);
  bool is_scale = operand % 2 == 1;
  TileValue *from = tile_operand(m, t, insn, operand);
  TileValue *to =
      from ? tile_new_bytes(m, t, insn->node, n * sizeof(double)) : NULL;
  double *numbers = to ? (void *)to->bytes : NULL;
  for (uint64_t i = 0; i < n && numbers; i++) {
    double number =
        eval_to_double(kind, machine_read(from->bytes + i, (uint8_t)kind));
    numbers[i] = is_scale ? fabs(number) : number;
  }
  tile_release(m, from);
  return to;
}

static float scaled_element(const Scaled *p, uint64_t matrix, uint32_t row,
                            uint32_t column, float acc) {
  uint32_t n_blocks = p->depth / p->block;
  const double *a = p->a + (matrix * p->rows + row) * p->depth;
  const double *b = p->b + matrix * p->depth * p->columns + column;
  const double *sa = p->a_scales + (matrix * p->rows + row) * n_blocks;
  const double *sb = p->b_scales + matrix * n_blocks * p->columns + column;
  for (uint32_t i = 0; i < n_blocks; i++) {
    float sum = 0;
    for (uint32_t k = i * p->block; k < (i + 1) * p->block; k++)
      sum = fmaf((float)a[k], (float)b[(uint64_t)k * p->columns], sum);
    double scale = sa[i] * sb[(uint64_t)i * p->columns];
    acc = (float)((double)acc + (double)sum * scale);
  }
  return acc;
}

static bool scaled_run(Machine *m, Thread *t, const Insn *insn,
                       const Scaled *p) {
  uint64_t at = 0;
  for (uint64_t row = 0; row < (uint64_t)p->n_matrices * p->rows; row++) {
    if (!machine_charge(m, t, insn->node, (uint64_t)p->columns * p->depth))
      return false;
    for (uint32_t column = 0; column < p->columns; column++, at += 4) {
      double acc = eval_to_double(
          IR_TYPE_F32, machine_read(p->acc->bytes + at, IR_TYPE_F32));
      float sum = scaled_element(p, row / p->rows, (uint32_t)(row % p->rows),
                                 column, (float)acc);
      machine_write(p->to->bytes + at, IR_TYPE_F32,
                    eval_from_double(IR_TYPE_F32, (double)sum));
    }
  }
  return true;
}

static Scaled scaled_of(const Machine *m, const IrNode *node) {
  const IrModule *module = m->program->kernel->module;
  const IrTileShape *a = ir_tile_shape(module, node->args[0]->type);
  const IrTileShape *b = ir_tile_shape(module, node->args[2]->type);
  const IrTileShape *scales = ir_tile_shape(module, node->args[1]->type);
  Scaled p = {.n_matrices = 1,
              .rows = a->extents[a->rank - 2],
              .depth = a->extents[a->rank - 1],
              .columns = b->extents[b->rank - 1]};
  p.block = p.depth / scales->extents[scales->rank - 1];
  for (uint32_t i = 0; i + 2 < a->rank; i++)
    p.n_matrices *= a->extents[i];
  return p;
}

bool tile_mma_scaled(Machine *m, Thread *t, const Insn *insn) {
  Scaled p = scaled_of(m, insn->node);
  TileValue *numbers[4] = {NULL}, *acc = NULL;
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  bool is_good = to != NULL;
  for (uint32_t i = 0; i < 4 && is_good; i++)
    is_good = (numbers[i] = scaled_numbers(m, t, insn, i)) != NULL;
  is_good = is_good && (acc = tile_operand(m, t, insn, 4)) != NULL;
  if (is_good) {
    p.a = (const void *)numbers[0]->bytes;
    p.a_scales = (const void *)numbers[1]->bytes;
    p.b = (const void *)numbers[2]->bytes;
    p.b_scales = (const void *)numbers[3]->bytes;
    p.acc = acc;
    p.to = to;
    is_good = scaled_run(m, t, insn, &p);
  }
  for (uint32_t i = 0; i < 4; i++)
    tile_release(m, numbers[i]);
  tile_release(m, acc);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}
