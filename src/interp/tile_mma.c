// SPDX-License-Identifier: Apache-2.0
// Products of matrices. Each element of the result is a chain over k in
// ascending order that begins with the accumulator's element:
//   float, double: acc = fma(a[k], b[k], acc) in that type;
//   narrower floats: the same in float, of the exact products; a result in half
//     is rounded once, at the end;
//   integers: products of the mathematical integers, added modulo 2^32.
// On request floats are added up as the tensor cores do it that a device has
// for the product: Note [Sums of tensor cores].
#include "interp/eval.h"
#include "interp/tensor_sum.h"
#include "interp/tile.h"
#include <math.h>
#include <string.h>

typedef struct {
  const IrNode *node;
  IrTypeKind to_kind;
  uint32_t n_matrices, rows, columns, depth;
  bool is_of_unit; // of that form
  TensorForm form;
  const double *a, *b; // exact; b by columns, so that both chains are rows
  const TensorNumber *unit_a, *unit_b; // in their place
  const TileValue *acc;
  TileValue *to;
} Product;

// ------------------------------------------------------------------- units

_Static_assert(sizeof(TensorNumber) == sizeof(double), "in one buffer");

static IrTypeKind product_kind(const Machine *m, const IrNode *operand) {
  return (IrTypeKind)tile_layout(m, operand->type)->kinds[0];
}

// What multiplies on the device that is asked for. For mma.sync 8-bit floats
// are made halves; it adds in float, wgmma in the type of the result.
static void product_find_unit(const Machine *m, Product *p) {
  const uint8_t *units = m->launch->given->units;
  ProductUnit unit = units ? (ProductUnit)units[p->node->id] : PRODUCT_CHAIN;
  IrTypeKind a = product_kind(m, p->node->args[0]);
  IrTypeKind b = product_kind(m, p->node->args[1]);
  bool is_half =
      unit == PRODUCT_MMA_SYNC && (a == IR_TYPE_E4M3 || a == IR_TYPE_E5M2);
  p->is_of_unit = unit != PRODUCT_CHAIN && a != IR_TYPE_I8;
  p->form = (TensorForm){.is_wgmma = unit == PRODUCT_WGMMA,
                         .a = is_half ? IR_TYPE_F16 : a,
                         .b = is_half ? IR_TYPE_F16 : b,
                         .sum = IR_TYPE_F32};
  if (unit == PRODUCT_WGMMA && p->to_kind == IR_TYPE_F16)
    p->form.sum = IR_TYPE_F16;
}

static TensorNumber product_unit_number(const Product *p, uint32_t operand,
                                        IrTypeKind kind, uint64_t value) {
  IrTypeKind taken = operand == 0 ? p->form.a : p->form.b;
  if (kind != taken)
    value = eval_from_double(taken, eval_to_double(kind, value));
  return tensor_number(&p->form, operand, (uint32_t)value);
}

// ---------------------------------------------------------------- operands

static double product_number(const IrNode *node, uint32_t operand,
                             IrTypeKind kind, uint64_t value) {
  bool is_unsigned =
      node->flags & NODE_UNSIGNED || node->u.tile.numbers[0] >> operand & 1;
  if (kind != IR_TYPE_I8)
    return eval_to_double(kind, value);
  return is_unsigned ? (double)value : (double)eval_signed(value, 8);
}

// The numbers of an operand `from`, a `count` of matrices of rows and columns,
// each transposed or not. NULL after a fault.
static TileValue *product_operand(Machine *m, Thread *t, const Product *p,
                                  uint32_t operand, const TileValue *from,
                                  const uint32_t *size, bool is_transposed) {
  const IrNode *node = p->node;
  IrTypeKind kind = product_kind(m, node->args[operand]);
  uint64_t in_matrix = (uint64_t)size[1] * size[2], n = size[0] * in_matrix;
  TileValue *to = tile_new_bytes(m, t, node, n * sizeof(double));
  double *numbers = to ? (void *)to->bytes : NULL;
  TensorNumber *of_unit = (void *)numbers;
  for (uint64_t i = 0; i < n && numbers; i++) {
    uint64_t in = i % in_matrix, row = in / size[2], column = in % size[2];
    uint64_t at = is_transposed ? column * size[1] + row : in;
    uint64_t value =
        machine_read(from->bytes + i * machine_kind_bytes[kind], (uint8_t)kind);
    if (p->is_of_unit)
      of_unit[i - in + at] = product_unit_number(p, operand, kind, value);
    else
      numbers[i - in + at] = product_number(node, operand, kind, value);
  }
  return to;
}

// ------------------------------------------------------------------ chains

static uint64_t double_chain(const double *a, const double *b, uint32_t depth,
                             uint64_t start) {
  double sum = eval_to_double(IR_TYPE_F64, start);
  for (uint32_t k = 0; k < depth; k++)
    sum = fma(a[k], b[k], sum);
  return eval_from_double(IR_TYPE_F64, sum);
}

static uint64_t float_chain(const double *a, const double *b, uint32_t depth,
                            IrTypeKind kind, uint64_t start) {
  float sum = (float)eval_to_double(kind, start);
  for (uint32_t k = 0; k < depth; k++)
    sum = fmaf((float)a[k], (float)b[k], sum);
  return eval_from_double(kind, (double)sum);
}

static uint64_t integer_chain(const double *a, const double *b, uint32_t depth,
                              uint64_t start) {
  for (uint32_t k = 0; k < depth; k++)
    start += (uint64_t)(int64_t)(a[k] * b[k]);
  return start;
}

static uint64_t unit_chain(const Product *p, const TensorNumber *a,
                           const TensorNumber *b, uint64_t start) {
  uint32_t step = tensor_depth(&p->form);
  IrTypeKind sum_kind = p->form.sum;
  uint32_t sum =
      (uint32_t)eval_from_double(sum_kind, eval_to_double(p->to_kind, start));
  for (uint32_t k = 0; k < p->depth; k += step) {
    uint32_t n = p->depth - k < step ? p->depth - k : step;
    sum = tensor_sum(&p->form, a + k, b + k, n, sum);
  }
  return eval_from_double(p->to_kind, eval_to_double(sum_kind, sum));
}

static void product_row(const Product *p, uint32_t row) {
  uint32_t size = machine_kind_bytes[p->to_kind], depth = p->depth;
  uint64_t a_at = (uint64_t)row * depth;
  uint64_t b_at = (uint64_t)(row / p->rows) * p->columns * depth;
  for (uint32_t column = 0; column < p->columns; column++, b_at += depth) {
    const double *a = p->a + a_at, *b = p->b + b_at;
    uint64_t at = ((uint64_t)row * p->columns + column) * size;
    uint64_t value = machine_read(p->acc->bytes + at, (uint8_t)p->to_kind);
    if (p->is_of_unit)
      value = unit_chain(p, p->unit_a + a_at, p->unit_b + b_at, value);
    else if (p->to_kind == IR_TYPE_I32)
      value = integer_chain(a, b, depth, value);
    else if (p->to_kind == IR_TYPE_F64)
      value = double_chain(a, b, depth, value);
    else
      value = float_chain(a, b, depth, p->to_kind, value);
    machine_write(p->to->bytes + at, (uint8_t)p->to_kind, value);
  }
}

// --------------------------------------------------------------- operation

// Whether a product of a matrix unit has the operand transposed.
static bool product_turns(const IrNode *node, int32_t bit) {
  return (node->op == IR_WGMMA_MMA || node->op == IR_TENSOR_MMA) &&
         node->u.tile.n_numbers && (node->u.tile.numbers[0] & bit);
}

static Product product_of(const Machine *m, const IrNode *node) {
  const IrModule *module = m->program->kernel->module;
  const IrTileShape *a = ir_tile_shape(module, node->args[0]->type);
  const IrTileShape *b = ir_tile_shape(module, node->args[1]->type);
  Product p = {.node = node,
               .to_kind = (IrTypeKind)ir_element_type(module, node->type).kind,
               .n_matrices = 1,
               .rows = a->extents[a->rank - 2],
               .depth = a->extents[a->rank - 1],
               .columns = b->extents[b->rank - 1]};
  if (product_turns(node, WGMMA_TURNS_A)) {
    p.rows = a->extents[1];
    p.depth = a->extents[0];
  }
  if (product_turns(node, WGMMA_TURNS_B))
    p.columns = b->extents[0];
  for (uint32_t i = 0; i + 2 < a->rank; i++)
    p.n_matrices *= a->extents[i];
  return p;
}

static bool product_run(Machine *m, Thread *t, const Product *p) {
  for (uint32_t row = 0; row < p->n_matrices * p->rows; row++) {
    if (!machine_charge(m, t, p->node, (uint64_t)p->columns * p->depth))
      return false;
    product_row(p, row);
  }
  return true;
}

bool tile_product(Machine *m, Thread *t, const IrNode *node, const TileValue *a,
                  const TileValue *b, const TileValue *acc, TileValue *to) {
  Product p = product_of(m, node);
  product_find_unit(m, &p);
  bool a_is_turned = product_turns(node, WGMMA_TURNS_A);
  bool b_is_turned = product_turns(node, WGMMA_TURNS_B);
  uint32_t a_size[] = {p.n_matrices, p.rows, p.depth};
  uint32_t turned[] = {p.n_matrices, p.depth, p.rows};
  uint32_t b_size[] = {p.n_matrices, p.depth, p.columns};
  uint32_t b_turned[] = {p.n_matrices, p.columns, p.depth};
  TileValue *x = product_operand(m, t, &p, 0, a, a_is_turned ? turned : a_size,
                                 a_is_turned);
  TileValue *y =
      x ? product_operand(m, t, &p, 1, b, b_is_turned ? b_turned : b_size,
                          !b_is_turned)
        : NULL;
  bool is_good = y != NULL;
  if (is_good) {
    p.a = (const void *)x->bytes;
    p.b = (const void *)y->bytes;
    p.unit_a = (const void *)x->bytes;
    p.unit_b = (const void *)y->bytes;
    p.acc = acc;
    p.to = to;
    is_good = product_run(m, t, &p);
  }
  tile_release(m, x);
  tile_release(m, y);
  return is_good;
}

bool tile_mma(Machine *m, Thread *t, const Insn *insn) {
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  TileValue *a = to ? tile_operand(m, t, insn, 0) : NULL;
  TileValue *b = a ? tile_operand(m, t, insn, 1) : NULL;
  TileValue *acc = b ? tile_operand(m, t, insn, 2) : NULL;
  bool is_good = acc && tile_product(m, t, insn->node, a, b, acc, to);
  tile_release(m, a);
  tile_release(m, b);
  tile_release(m, acc);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}
