// SPDX-License-Identifier: Apache-2.0
// The rules for operations on tiles.
#include "ir/form/cast.h"
#include "ir/verify/verify_parts.h"

// ---------------------------------------------------------------- shapes

static const IrTileShape *tile_shape_of(const Verifier *v, const IrNode *node) {
  return ir_tile_shape(v->module, node->type);
}

static const IrTileShape *tile_arg_shape(const Verifier *v, const IrNode *node,
                                         uint32_t i) {
  return i < node->n_args ? ir_tile_shape(v->module, node->args[i]->type)
                          : NULL;
}

static IrType tile_element(const Verifier *v, const IrNode *node) {
  return ir_element_type(v->module, node->type);
}

static bool has_element(const Verifier *v, const IrNode *node, IrType type) {
  return ir_type_equal(tile_element(v, node), type);
}

static bool verify_count(Verifier *v, const IrNode *node, uint32_t least,
                         uint32_t most) {
  return (node->n_args >= least && node->n_args <= most) ||
         verify_fail(v, node, "has %u operands", node->n_args);
}

// Operand 0 is a tile with the result's elements, and the axis is one of it.
static bool verify_from_tile(Verifier *v, const IrNode *node) {
  const IrTileShape *from = tile_arg_shape(v, node, 0);
  if (!from)
    return verify_fail(v, node, "operand 0 is not a tile");
  return node->u.tile.axis < from->rank ||
         verify_fail(v, node, "there is no axis %u", node->u.tile.axis);
}

static bool verify_same_element(Verifier *v, const IrNode *node) {
  return has_element(v, node, tile_element(v, node->args[0])) ||
         verify_fail(v, node, "its result has other elements");
}

static bool wrong_shape(Verifier *v, const IrNode *node) {
  return verify_fail(v, node, "its result has another shape");
}

// The extents of the result are those of `from`, but along `axis`.
static bool differs_along(const IrTileShape *from, const IrTileShape *to,
                          uint32_t axis) {
  bool is_good = to && from->rank == to->rank;
  for (uint32_t i = 0; is_good && i < from->rank; i++)
    is_good = i == axis || from->extents[i] == to->extents[i];
  return is_good;
}

// ------------------------------------------------------- moving elements

static bool verify_broadcast(Verifier *v, const IrNode *node) {
  const IrTileShape *to = tile_shape_of(v, node),
                    *from = tile_arg_shape(v, node, 0);
  if (!to || !verify_same_element(v, node))
    return to ? false : wrong_shape(v, node);
  uint32_t rank = from ? from->rank : 0;
  bool is_good = rank <= to->rank;
  for (uint32_t i = 0; is_good && i < rank; i++)
    is_good = from->extents[i] == 1 ||
              from->extents[i] == to->extents[to->rank - rank + i];
  return is_good || wrong_shape(v, node);
}

static bool verify_iota(Verifier *v, const IrNode *node) {
  const IrTileShape *to = tile_shape_of(v, node);
  return (to && to->rank == 1 && to->element.kind == IR_TYPE_I32) ||
         verify_fail(v, node, "its result is a row of i32");
}

static bool verify_reshape(Verifier *v, const IrNode *node) {
  return (tile_shape_of(v, node) &&
          ir_tile_elements(v->module, node->type) ==
              ir_tile_elements(v->module, node->args[0]->type)) ||
         wrong_shape(v, node);
}

static bool verify_permute(Verifier *v, const IrNode *node) {
  const IrTileShape *from = tile_arg_shape(v, node, 0),
                    *to = tile_shape_of(v, node);
  if (!to || to->rank != from->rank || node->u.tile.n_numbers != from->rank)
    return wrong_shape(v, node);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < from->rank; i++) {
    uint32_t axis = (uint32_t)node->u.tile.numbers[i];
    if (axis >= from->rank || seen >> axis & 1)
      return verify_fail(v, node, "its numbers are not a permutation");
    seen |= 1u << axis;
    if (to->extents[i] != from->extents[axis])
      return wrong_shape(v, node);
  }
  return true;
}

static bool verify_cat(Verifier *v, const IrNode *node) {
  const IrTileShape *to = tile_shape_of(v, node);
  uint32_t axis = node->u.tile.axis;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < node->n_args; i++) {
    const IrTileShape *from = tile_arg_shape(v, node, i);
    if (!from || !differs_along(from, to, axis) ||
        !ir_type_equal(from->element, to->element))
      return verify_fail(v, node, "operand %u doesn't fit", i);
    sum += from->extents[axis];
  }
  return sum == to->extents[axis] || wrong_shape(v, node);
}

// The part of `whole` that begins at the numbers.
static bool verify_part_of(Verifier *v, const IrNode *node,
                           const IrTileShape *part, const IrTileShape *whole) {
  if (!part || !whole || part->rank != whole->rank ||
      node->u.tile.n_numbers != whole->rank)
    return wrong_shape(v, node);
  for (uint32_t i = 0; i < whole->rank; i++) {
    int64_t begin = node->u.tile.numbers[i];
    if (begin < 0 || begin + part->extents[i] > whole->extents[i])
      return verify_fail(v, node, "its part goes outside along axis %u", i);
  }
  return true;
}

static bool verify_insert(Verifier *v, const IrNode *node) {
  if (!ir_type_equal(node->type, node->args[0]->type))
    return wrong_shape(v, node);
  if (!has_element(v, node->args[1], tile_element(v, node)))
    return verify_fail(v, node, "its part has other elements");
  return verify_part_of(v, node, tile_arg_shape(v, node, 1),
                        tile_shape_of(v, node));
}

static bool verify_pad(Verifier *v, const IrNode *node) {
  const IrTileShape *from = tile_arg_shape(v, node, 0),
                    *to = tile_shape_of(v, node);
  if (!ir_type_equal(node->args[1]->type, from->element))
    return verify_fail(v, node, "operand 1 is not an element");
  bool is_good = to && to->rank == from->rank;
  for (uint32_t i = 0; is_good && i < from->rank; i++)
    is_good = from->extents[i] <= to->extents[i];
  return is_good || wrong_shape(v, node);
}

static bool verify_unchanged(Verifier *v, const IrNode *node) {
  return ir_type_equal(node->type, node->args[0]->type) || wrong_shape(v, node);
}

static bool verify_roll(Verifier *v, const IrNode *node) {
  if (node->u.tile.n_numbers != 1)
    return verify_fail(v, node, "doesn't say how far");
  return verify_unchanged(v, node);
}

// Bits of a row along the last dimension; 0: they mean nothing.
static uint64_t row_bits(const IrTileShape *shape) {
  if (shape->element.kind == IR_TYPE_BOOL)
    return 0;
  return (uint64_t)ir_type_bits(shape->element) *
         shape->extents[shape->rank - 1];
}

// Where neither type has a multiple of the other's bits, an element comes from
// several of up to 32 bits.
static bool can_regroup(IrType from, IrType to) {
  uint32_t a = ir_type_bits(from), b = ir_type_bits(to);
  return (a > 0 && b > 0) && (a % b == 0 || b % a == 0 || (a <= 32 && b <= 32));
}

static bool verify_tile_bitcast(Verifier *v, const IrNode *node) {
  const IrTileShape *from = tile_arg_shape(v, node, 0),
                    *to = tile_shape_of(v, node);
  bool is_good = differs_along(from, to, from->rank - 1u) && row_bits(from) &&
                 row_bits(from) == row_bits(to) &&
                 can_regroup(from->element, to->element);
  return is_good || wrong_shape(v, node);
}

// ------------------------------------------------------------ combining

static bool combines(IrCombine combine, IrType type) {
  switch (combine) {
  case COMBINE_ADD:
  case COMBINE_MUL: return ir_type_is_int(type) || ir_type_is_float(type);
  case COMBINE_SMIN:
  case COMBINE_SMAX:
  case COMBINE_UMIN:
  case COMBINE_UMAX: return ir_type_is_int(type);
  case COMBINE_FMIN:
  case COMBINE_FMAX: return ir_type_is_float(type);
  case COMBINE_AND:
  case COMBINE_OR:
  case COMBINE_XOR: return ir_type_is_int(type) || type.kind == IR_TYPE_BOOL;
  }
  return false;
}

static bool verify_combine(Verifier *v, const IrNode *node) {
  return combines(node->u.tile.combine, tile_element(v, node->args[0])) ||
         verify_fail(v, node, "can't combine such elements in this way");
}

// The result has the dimensions that `axes` doesn't name.
static bool verify_reduced(Verifier *v, const IrNode *node, uint32_t axes) {
  const IrTileShape *from = tile_arg_shape(v, node, 0),
                    *to = tile_shape_of(v, node);
  uint32_t rank = 0, to_rank = to ? to->rank : 0;
  if (axes == 0 || axes >> from->rank)
    return verify_fail(v, node, "there are no such axes");
  for (uint32_t i = 0; i < from->rank; i++) {
    if (axes >> i & 1)
      continue;
    if (rank >= to_rank || to->extents[rank] != from->extents[i])
      return wrong_shape(v, node);
    rank++;
  }
  return rank == to_rank || wrong_shape(v, node);
}

static bool verify_reduce(Verifier *v, const IrNode *node) {
  return verify_same_element(v, node) && verify_combine(v, node) &&
         verify_reduced(v, node, node->u.tile.axes);
}

static bool tile_is_extreme(IrCombine combine) {
  return combine >= COMBINE_SMIN && combine <= COMBINE_FMAX;
}

static bool verify_arg(Verifier *v, const IrNode *node) {
  if (!tile_is_extreme(node->u.tile.combine))
    return verify_fail(v, node, "looks for neither a smallest nor a largest");
  if (!has_element(v, node, ir_scalar(IR_TYPE_I32)))
    return verify_fail(v, node, "its result is i32");
  return verify_combine(v, node) && verify_reduced(v, node, node->u.tile.axes);
}

static bool verify_tile_operand(Verifier *v, const IrNode *node, uint32_t var,
                                IrType type) {
  if (var >= v->kernel->vars.count)
    return verify_fail(v, node, "its variable is not in the table");
  return ir_type_equal(v->kernel->vars.data[var].type, type) ||
         verify_fail(v, node, "a variable of its operator is %s, not %s",
                     verify_type_text(v, v->kernel->vars.data[var].type),
                     verify_type_text(v, type));
}

static bool verify_tile_operator(Verifier *v, const IrNode *node) {
  IrType from = tile_element(v, node->args[0]), to = tile_element(v, node);
  return verify_tile_operand(v, node, node->u.by.left, from) &&
         verify_tile_operand(v, node, node->u.by.right, from) &&
         verify_tile_operand(v, node, node->u.by.result, to);
}

static bool verify_map(Verifier *v, const IrNode *node) {
  if (node->u.by.left != node->u.by.right)
    return verify_fail(v, node, "its operator takes one element");
  if (!ir_same_extents(v->module, node->type, node->args[0]->type))
    return wrong_shape(v, node);
  return verify_tile_operator(v, node);
}

static bool verify_reduce_by(Verifier *v, const IrNode *node) {
  return verify_same_element(v, node) && verify_tile_operator(v, node) &&
         verify_reduced(v, node, 1u << node->u.tile.axis);
}

static bool verify_scan(Verifier *v, const IrNode *node) {
  bool is_own = node->op == IR_TILE_SCAN_BY;
  if (node->n_args == 2 &&
      !ir_type_equal(node->args[1]->type, tile_element(v, node)))
    return verify_fail(v, node, "operand 1 is not an element");
  if (is_own && node->u.tile.is_exclusive && node->n_args < 2)
    return verify_fail(v, node, "has nothing to begin with");
  if (!verify_unchanged(v, node))
    return false;
  return is_own ? verify_tile_operator(v, node) : verify_combine(v, node);
}

// -------------------------------------------------------------- ordering

static bool tile_is_ordered(IrType type) {
  return ir_type_is_int(type) || ir_type_is_float(type);
}

static bool verify_sort(Verifier *v, const IrNode *node) {
  IrType from = tile_element(v, node->args[0]);
  IrType wanted = node->op == IR_TILE_SORT ? from : ir_scalar(IR_TYPE_I32);
  if (!tile_is_ordered(from))
    return verify_fail(v, node, "such elements have no order");
  return (has_element(v, node, wanted) &&
          ir_same_extents(v->module, node->type, node->args[0]->type)) ||
         wrong_shape(v, node);
}

static bool verify_topk(Verifier *v, const IrNode *node) {
  const IrTileShape *from = tile_arg_shape(v, node, 0),
                    *to = tile_shape_of(v, node);
  uint32_t axis = node->u.tile.axis;
  if (!tile_is_ordered(from->element))
    return verify_fail(v, node, "such elements have no order");
  if (!differs_along(from, to, axis) || to->extents[axis] > from->extents[axis])
    return wrong_shape(v, node);
  if (to->element.kind != IR_TYPE_STRUCT)
    return verify_fail(v, node, "its result has no structs");
  const IrStruct *record = v->module->structs.data[to->element.index];
  return (record->leaves.count == 2 &&
          ir_type_equal(record->leaves.data[0].type, from->element) &&
          ir_type_equal(record->leaves.data[1].type, ir_scalar(IR_TYPE_I32))) ||
         verify_fail(v, node, "its structs are not an element and an i32");
}

static bool verify_histogram(Verifier *v, const IrNode *node) {
  return (ir_type_is_int(tile_element(v, node->args[0])) &&
          verify_iota(v, node)) ||
         verify_fail(v, node, "counts integers in a row of i32");
}

// ------------------------------------------------------------------ casts

static bool verify_cast(Verifier *v, const IrNode *node) {
  IrType from = tile_element(v, node->args[0]), to = tile_element(v, node);
  if (!ir_same_extents(v->module, node->type, node->args[0]->type))
    return wrong_shape(v, node);
  if (node->u.tile.n_numbers > 2 || node->u.tile.numbers[0] < 0 ||
      node->u.tile.numbers[0] >= CAST_ROUNDING_COUNT ||
      node->u.tile.numbers[1] & ~(CAST_OVERFLOWS | CAST_WRAPS))
    return verify_fail(v, node, "has unknown numbers");
  return (ir_casts_from(from) && ir_casts_to(to)) ||
         verify_fail(v, node, "can't cast such elements");
}

// Narrow types have values only where tiles have them, and no operations but
// those that move elements.
bool verify_narrow(Verifier *v, const IrNode *node) {
  for (uint32_t i = 0; i < node->n_args; i++)
    if (node->args[i]->op == IR_WGMMA_LOAD &&
        (node->op != IR_WGMMA_MMA || i > 1))
      return verify_fail(v, node, "has an operand of wgmma_mma");
  if (!verify_tensor_operands(v, node))
    return false;
  bool is_narrow = ir_type_is_narrow(tile_element(v, node));
  for (uint32_t i = 0; i < node->n_args && !is_narrow; i++)
    is_narrow = ir_type_is_narrow(tile_element(v, node->args[i]));
  bool may_have = ir_family(node) == FAMILY_TILE || node->op == IR_CONST ||
                  node->op == IR_GET || node->op == IR_SET ||
                  node->op == IR_SELECT;
  if (!is_narrow)
    return true;
  if (v->kernel->level > LEVEL_TILES)
    return verify_fail(v, node, "has a type of the level tiles");
  return (may_have && node->op != IR_TILE_PRINT && node->type.lanes <= 1) ||
         verify_fail(v, node, "has no arithmetic on such elements");
}

// ---------------------------------------------------------------- products

// [M][K] by [K][N] is [M][N].
static bool product_fits(const IrTileShape *a, const IrTileShape *b,
                         const IrTileShape *to) {
  uint32_t rank = a->rank;
  if (rank < 2 || b->rank != rank || to->rank != rank)
    return false;
  bool is_good = a->extents[rank - 1] == b->extents[rank - 2] &&
                 a->extents[rank - 2] == to->extents[rank - 2] &&
                 b->extents[rank - 1] == to->extents[rank - 1];
  for (uint32_t i = 0; i + 2 < rank; i++)
    is_good &=
        a->extents[i] == b->extents[i] && a->extents[i] == to->extents[i];
  return is_good;
}

static bool verify_mma(Verifier *v, const IrNode *node) {
  const IrTileShape *a = tile_arg_shape(v, node, 0),
                    *b = tile_arg_shape(v, node, 1);
  const IrTileShape *to = tile_shape_of(v, node);
  if (!b || !to || !ir_type_equal(node->type, node->args[2]->type))
    return wrong_shape(v, node);
  if (!verify_multiplies(a->element, b->element, to->element))
    return verify_fail(v, node, "can't multiply such elements");
  if (node->u.tile.n_numbers > 1 || node->u.tile.numbers[0] & ~3)
    return verify_fail(v, node, "has unknown numbers");
  return product_fits(a, b, to) || wrong_shape(v, node);
}

// The scales of an operand whose dimension `axis` is K.
static bool scales_fit(const IrTileShape *operand, const IrTileShape *scales,
                       uint32_t axis, uint32_t block) {
  return differs_along(operand, scales, axis) &&
         operand->extents[axis] == scales->extents[axis] * block;
}

static bool verify_mma_scaled(Verifier *v, const IrNode *node) {
  const IrTileShape *shapes[4], *to = tile_shape_of(v, node);
  for (uint32_t i = 0; i < 4; i++)
    if ((shapes[i] = tile_arg_shape(v, node, i)) == NULL)
      return verify_fail(v, node, "operand %u is not a tile", i);
  if (!to || to->element.kind != IR_TYPE_F32 ||
      !ir_type_equal(node->type, node->args[4]->type) ||
      !product_fits(shapes[0], shapes[2], to))
    return wrong_shape(v, node);
  uint32_t block = ir_scale_block(shapes[0]->element, shapes[2]->element,
                                  shapes[1]->element);
  if (!block || !ir_type_equal(shapes[1]->element, shapes[3]->element))
    return verify_fail(v, node, "can't multiply such elements");
  uint32_t rank = to->rank;
  return (scales_fit(shapes[0], shapes[1], rank - 1, block) &&
          scales_fit(shapes[2], shapes[3], rank - 2, block)) ||
         verify_fail(v, node, "its scales don't fit");
}

// ----------------------------------------------------------------- threads

// Operands from `first` on: an index along each axis.
static bool tile_has_index(const IrNode *node, uint32_t first, uint32_t rank) {
  bool is_good = true;
  for (uint32_t i = first; i < first + rank; i++)
    is_good &= ir_type_equal(node->args[i]->type, ir_scalar(IR_TYPE_I32));
  return is_good;
}

static bool verify_at(Verifier *v, const IrNode *node) {
  const IrTileShape *from = tile_arg_shape(v, node, 0);
  return (node->n_args == 1u + from->rank &&
          ir_type_equal(node->type, from->element) &&
          tile_has_index(node, 1, from->rank)) ||
         verify_fail(v, node, "takes a tile and an index of an element");
}

static bool verify_collect(Verifier *v, const IrNode *node) {
  const IrTileShape *to = tile_shape_of(v, node);
  uint32_t step = to ? 1u + to->rank : 1;
  bool is_good = to && node->n_args % step == 0;
  for (uint32_t i = 0; is_good && i < node->n_args; i += step)
    is_good = ir_type_equal(node->args[i]->type, to->element) &&
              tile_has_index(node, i + 1, to->rank);
  return is_good || verify_fail(v, node, "takes elements and their indices");
}

// ------------------------------------------------------------------ rows

static bool verify_row(Verifier *v, const IrNode *node) {
  switch (ir_tile_op(node->op)) {
  case TILE_BROADCAST: return verify_broadcast(v, node);
  case TILE_IOTA: return verify_iota(v, node);
  case TILE_RESHAPE:
    return verify_same_element(v, node) && verify_reshape(v, node);
  case TILE_PERMUTE:
    return verify_same_element(v, node) && verify_permute(v, node);
  case TILE_CAT: return verify_same_element(v, node) && verify_cat(v, node);
  case TILE_EXTRACT:
    return verify_same_element(v, node) &&
           verify_part_of(v, node, tile_shape_of(v, node),
                          tile_arg_shape(v, node, 0));
  case TILE_INSERT: return verify_insert(v, node);
  case TILE_FLIP: return verify_unchanged(v, node);
  case TILE_ROLL: return verify_roll(v, node);
  case TILE_PAD: return verify_same_element(v, node) && verify_pad(v, node);
  case TILE_MAP: return verify_map(v, node);
  case TILE_REDUCE: return verify_reduce(v, node);
  case TILE_ARG: return verify_arg(v, node);
  case TILE_REDUCE_BY: return verify_reduce_by(v, node);
  case TILE_SCAN:
  case TILE_SCAN_BY: return verify_scan(v, node);
  case TILE_SORT:
  case TILE_ARGSORT: return verify_sort(v, node);
  case TILE_TOPK: return verify_topk(v, node);
  case TILE_HISTOGRAM: return verify_histogram(v, node);
  case TILE_BITCAST: return verify_tile_bitcast(v, node);
  case TILE_CAST: return verify_cast(v, node);
  case TILE_MMA: return verify_mma(v, node);
  case TILE_MMA_SCALED: return verify_mma_scaled(v, node);
  case TILE_AT: return verify_at(v, node);
  case TILE_COLLECT: return verify_collect(v, node);
  case WGMMA_MMA:
  case TENSOR_MMA: return verify_wgmma(v, node);
  case TENSOR_READ:
  case TENSOR_WRITE:
  case TILE_LOAD:
  case WGMMA_LOAD:
  case TILE_STORE:
  case TILE_RMW:
  case TILE_CAS:
  case TILE_PRINT:
  case TILE_ASSERT: break; // other forms
  }
  return false;
}

static uint32_t least_operands(IrOp op) {
  switch ((int)op) {
  case IR_TILE_IOTA: return 0;
  case IR_TILE_INSERT:
  case IR_TILE_PAD: return 2;
  case IR_TILE_MMA:
  case IR_WGMMA_MMA: return 3;
  case IR_TENSOR_MMA: return 4;
  case IR_TILE_MMA_SCALED: return 5;
  default: return 1;
  }
}

static uint32_t most_operands(IrOp op) {
  if (op == IR_TILE_CAT || op == IR_TILE_COLLECT)
    return IR_MAX_TILE_ELEMENTS;
  if (op == IR_TILE_AT)
    return 1 + IR_MAX_TILE_RANK;
  bool is_scan = op == IR_TILE_SCAN || op == IR_TILE_SCAN_BY;
  return is_scan ? 2 : least_operands(op);
}

bool verify_tile_form(Verifier *v, const IrNode *node) {
  if (node->u.tile.combine > COMBINE_XOR ||
      node->u.tile.n_numbers > IR_MAX_TILE_RANK)
    return verify_fail(v, node, "has an unknown attribute");
  if (!verify_count(v, node, least_operands(node->op), most_operands(node->op)))
    return false;
  bool takes_scalar = node->op == IR_TILE_BROADCAST ||
                      node->op == IR_TILE_IOTA || node->op == IR_TILE_CAST ||
                      node->op == IR_TILE_COLLECT;
  if (!takes_scalar && !verify_from_tile(v, node))
    return false;
  return verify_row(v, node);
}

// -------------------------------------------------------------- sections

static uint32_t n_section_values(const IrNode *node) {
  switch ((int)node->op) {
  case IR_TENSOR_WRITE:
  case IR_TILE_STORE:
  case IR_TILE_RMW: return 1;
  case IR_TILE_CAS: return 2;
  default: return 0;
  }
}

static bool verify_section_index(Verifier *v, const IrNode *node, uint32_t i,
                                 const IrNode **gathered) {
  IrType type = node->args[i]->type;
  switch (node->u.section.kind[i]) {
  case SECTION_RANGE:
    if (!ir_tile_extent_fits(node->u.section.length[i]))
      return verify_fail(v, node, "a length of %u doesn't fit",
                         node->u.section.length[i]);
    return verify_is_index(type) ||
           verify_fail(v, node, "index %u is not an index", i);
  case SECTION_INDEX:
    return verify_is_index(type) ||
           verify_fail(v, node, "index %u is not an index", i);
  case SECTION_GATHER: break;
  }
  if (!ir_is_tile(type) || !ir_type_is_int(ir_element_type(v->module, type)))
    return verify_fail(v, node, "index %u is not a tile of integers", i);
  if (*gathered && !ir_same_extents(v->module, type, (*gathered)->type))
    return verify_fail(v, node, "its index tiles have several shapes");
  *gathered = node->args[i];
  return true;
}

static bool verify_section_target(Verifier *v, const IrNode *node) {
  const IrObject *object = node->u.section.object;
  if (!verify_has_object(v, object) || object->kind != OBJECT_ARRAY ||
      object->rank == 0 || object->is_plain_pointer)
    return verify_fail(v, node, "its object has no sections");
  if (object->is_table && node->u.section.kind[0] != SECTION_INDEX)
    return verify_fail(v, node, "is a section of several arrays");
  bool writes = ir_op_info(node)->memory & MEM_WRITE;
  if (writes && (object->is_const || object->space == SPACE_CONSTANT))
    return verify_fail(v, node, "'%s' can't be written", object->name);
  return ir_type_bits(object->element) ||
         verify_fail(v, node, "'%s' has no scalar elements", object->name);
}

// Loads acquire and stores release, or they are relaxed; bytes are accessed so,
// too.
static bool verify_section_access(Verifier *v, const IrNode *node) {
  bool is_load = node->op == IR_TILE_LOAD;
  IrOrder order = (IrOrder)node->u.section.order;
  IrType element = node->u.section.object->element;
  if (order != ORDER_RELAXED &&
      order != (is_load ? ORDER_ACQUIRE : ORDER_RELEASE))
    return verify_fail(v, node, "has the wrong memory order");
  if (node->u.section.hint != HINT_NONE)
    return verify_fail(v, node, "is atomic and has a hint");
  if (!is_load && node->u.section.has_pad)
    return verify_fail(v, node, "has a value outside");
  return element.kind == IR_TYPE_I8 || verify_is_atomic_type(element) ||
         verify_fail(v, node, "has no atomic type");
}

static bool verify_section_attributes(Verifier *v, const IrNode *node) {
  bool is_update = node->op == IR_TILE_RMW || node->op == IR_TILE_CAS;
  if (node->u.section.order > ORDER_ACQ_REL ||
      node->u.section.scope > SCOPE_SYSTEM ||
      node->u.section.hint > HINT_LAST_USE || node->u.section.rmw > RMW_EXCH)
    return verify_fail(v, node, "has an unknown attribute");
  if (is_update && !ir_is_atomic(node))
    return verify_fail(v, node, "has the wrong memory order");
  if (!is_update && ir_is_atomic(node))
    return verify_section_access(v, node);
  if (is_update && !verify_is_atomic_type(node->u.section.object->element))
    return verify_fail(v, node, "has no atomic type");
  if (node->op == IR_TILE_RMW &&
      ir_type_is_float(node->u.section.object->element) &&
      !verify_is_float_rmw(node->u.section.rmw))
    return verify_fail(v, node, "has no such form for floats");
  return (node->op == IR_TILE_LOAD || !node->u.section.has_pad) ||
         verify_fail(v, node, "has a value outside");
}

// The operands behind the indices, in their order.
static bool verify_section_rest(Verifier *v, const IrNode *node, IrType moved) {
  uint32_t next = node->u.section.object->rank;
  const IrModule *module = v->module;
  for (; next < ir_section_operands(node); next++)
    if (!ir_type_equal(node->args[next]->type, ir_scalar(IR_TYPE_I64)))
      return verify_fail(v, node, "a bound of its view is not i64");
  if (node->u.section.has_mask) {
    IrType mask = node->args[next++]->type;
    if (ir_element_type(module, mask).kind != IR_TYPE_BOOL ||
        !ir_same_extents(module, mask, moved))
      return verify_fail(v, node, "its mask doesn't fit");
  }
  if (node->u.section.has_pad &&
      !ir_type_equal(node->args[next++]->type, ir_element_type(module, moved)))
    return verify_fail(v, node, "its value outside is not an element");
  for (; next < node->n_args; next++)
    if (!ir_type_equal(node->args[next]->type, moved))
      return verify_fail(v, node, "moves %s, but the value is %s",
                         verify_type_text(v, moved),
                         verify_type_text(v, node->args[next]->type));
  bool is_store = node->op == IR_TILE_STORE || node->op == IR_TENSOR_WRITE;
  return is_store || ir_type_equal(node->type, moved) ||
         verify_fail(v, node, "moves %s, but its result is %s",
                     verify_type_text(v, moved),
                     verify_type_text(v, node->type));
}

// Of the value that the section's elements make. The tables know it: the
// result has it, or an operand.
static bool section_moved_type(const Verifier *v, const IrNode *node,
                               IrType *moved) {
  uint32_t rank, extents[IR_MAX_TILE_RANK];
  if (!ir_section_shape(v->module, node, &rank, extents) || rank == 0)
    return false;
  bool is_store = node->op == IR_TILE_STORE || node->op == IR_TENSOR_WRITE;
  const IrNode *holder = is_store ? node->args[node->n_args - 1] : node;
  const IrTileShape *shape = ir_tile_shape(v->module, holder->type);
  bool is_good = shape && shape->rank == rank &&
                 ir_type_equal(ir_memory_type(shape->element),
                               node->u.section.object->element);
  for (uint32_t i = 0; is_good && i < rank; i++)
    is_good = shape->extents[i] == extents[i];
  *moved = holder->type;
  return is_good;
}

// Elements of packed types have no places of their own: nothing scatters them.
static bool verify_packed(Verifier *v, const IrNode *node, IrType moved) {
  if (!ir_type_is_packed(ir_element_type(v->module, moved)))
    return true;
  if (!node->u.section.has_view)
    return verify_fail(v, node, "moves packed elements without a view");
  if (node->op == IR_TILE_LOAD)
    return true;
  for (uint32_t i = 0; i < node->u.section.object->rank; i++)
    if (node->u.section.kind[i] == SECTION_GATHER)
      return verify_fail(v, node, "scatters packed elements");
  return node->op == IR_TILE_STORE ||
         verify_fail(v, node, "updates packed elements");
}

bool verify_section(Verifier *v, const IrNode *node) {
  const IrNode *gathered = NULL;
  IrType moved;
  if (!verify_section_target(v, node) || !verify_section_attributes(v, node))
    return false;
  uint32_t wanted = ir_section_operands(node) + node->u.section.has_mask +
                    node->u.section.has_pad + n_section_values(node);
  if (!verify_count(v, node, wanted, wanted))
    return false;
  for (uint32_t i = 0; i < node->u.section.object->rank; i++)
    if (!verify_section_index(v, node, i, &gathered))
      return false;
  if (!section_moved_type(v, node, &moved))
    return verify_fail(v, node, "its tile has another shape");
  if ((node->op == IR_WGMMA_LOAD || ir_is_tensor_op(node->op) ||
       node->u.section.object->is_tensor) &&
      !verify_engine_section(v, node))
    return false;
  return verify_packed(v, node, moved) && verify_section_rest(v, node, moved);
}
