// SPDX-License-Identifier: Apache-2.0
// Sums of products that take elements twice, or leave some out.
//
// Note [Steps of products]
// A loop that adds up `mma(A[…][p:n], B[p:n][…], acc)` takes each product once
// if both sections begin n elements further in each turn. An offset in tiles
// instead of elements makes them overlap; one that is multiplied twice leaves
// gaps. Neither is an error of the kinds that are proved here, so it is a
// remark, and only where nothing else can be meant:
// - The product stands in the body of the loop itself, under no condition, and
//   is added to a variable that the loop carries and sets once a turn. What is
//   made of each product apart (the greatest of them, say) may overlap.
// - Both operands are sections as they are loaded, maybe transposed or cast.
//   A mask, or `where`, may leave out what overlaps.
// - Of their indices only that along k moves, in both by the same constant.
// - Of gaps: nothing else in the kernel reads these arrays, and the first turn
//   begins at a constant. So no other block, turn of a loop around, or launch
//   takes what this one leaves out (the parts of a split k do).
#include "check/report/finding.h"

#include "base/panic.h"

#include <inttypes.h>

enum { DEEPEST = 32 };

typedef struct {
  Check *check;
  Map loads; // of tile_load: its step
  hd_vec(const Step *) touches;
} Products;

// A section that is an operand, along k.
typedef struct {
  const Step *step;
  int64_t advance, length;
  const Term *start, *extent;
} Factor;

static void products_note(const Step *step, void *context) {
  Products *p = context;
  if (step->kind != STEP_TOUCH)
    return;
  VEC_PUSH(p->check->arena, &p->touches, step);
  if (step->node->op == IR_TILE_LOAD)
    map_put(p->check->arena, &p->loads, MAP_KEY(step->node),
            (void *)(uintptr_t)step);
}

// -------------------------------------------------------------- what moves

typedef struct {
  const CheckLoop *loop;
  bool is_of_turn, is_open; // names the turn; or what may change with it
  bool is_fixed;            // constants and elements' own indices only
} Moves;

static void products_symbol(const Symbol *symbol, void *context) {
  Moves *moves = context;
  if (symbol->is_axis)
    return;
  moves->is_fixed = false;
  if (symbol == moves->loop->turn)
    moves->is_of_turn = true;
  else if (symbol->kind == SYMBOL_TURN || symbol->kind == SYMBOL_VALUE)
    moves->is_open |= tree_is_in_loop(symbol->loop, moves->loop);
}

static Moves moves_of(const Term *term, const CheckLoop *loop) {
  Moves moves = {.loop = loop, .is_fixed = true};
  term_symbols(term, products_symbol, &moves);
  return moves;
}

typedef struct {
  const Symbol *symbol;
  const Term *to;
} Turned;

static const Term *turned_symbol(const Symbol *symbol, void *context) {
  const Turned *turned = context;
  return symbol == turned->symbol ? turned->to : NULL;
}

static const Term *products_at_turn(const Check *check, const Term *term,
                                    const CheckLoop *loop, const Term *turn) {
  Turned turned = {loop->turn, turn};
  return term_replace(check->terms, term, turned_symbol, &turned);
}

// No turn changes it.
static bool is_invariant(const IrNode *node, const IrNode *loop, int depth) {
  const IrRegion *region = node->region;
  while (region && region->owner && region->owner != loop)
    region = region->owner->region;
  if (!region || !region->owner)
    return true;
  if (!(ir_op_info(node)->flags & OPF_PURE) || depth > DEEPEST)
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!is_invariant(node->args[i], loop, depth + 1))
      return false;
  return true;
}

static bool has_still_view(const IrNode *load, const IrNode *loop) {
  uint32_t rank = load->u.section.object->rank;
  for (uint32_t k = 0; load->u.section.has_view && k < 2 * rank; k++)
    if (!is_invariant(load->args[rank + k], loop, 0))
      return false;
  return true;
}

// ---------------------------------------------------------------- operands

static const Symbol *factor_axis(const Touch *touch, uint32_t axis) {
  for (uint32_t i = 0; i < touch->n_axes; i++)
    if (touch->axis[i]->dimension == axis)
      return touch->axis[i];
  return NULL;
}

// How the section moves along dimension k of its array, which the axis runs
// through.
static bool factor_along(const Check *check, const CheckLoop *loop, uint32_t k,
                         const Symbol *axis, Factor *factor) {
  TermTable *t = check->terms;
  const Touch *touch = factor->step->u.touch.touch;
  const Term *rest;
  int64_t scale;
  if (!term_split(t, touch->index[k], axis, &scale, &rest) || scale != 1)
    return false;
  Moves moves = moves_of(rest, loop);
  if (moves.is_open || !moves.is_of_turn)
    return false;
  const Term *turn = term_of(t, loop->turn);
  const Term *next =
      products_at_turn(check, rest, loop, term_add(t, turn, term_int(t, 1)));
  factor->start = products_at_turn(check, rest, loop, term_int(t, 0));
  factor->extent = tree_extent(check->tree, touch->object, (int)k);
  factor->length = axis->high + 1;
  return term_is_constant(term_sub(t, next, rest), &factor->advance);
}

// Transposed and cast: the node that gives the elements.
static const IrNode *factor_source(const IrNode *node, uint32_t *axis) {
  for (int depth = 0; depth < DEEPEST; depth++) {
    bool is_cast =
        node->op == IR_TILE_CAST ||
        (ir_family(node) == FAMILY_CONVERT && node->op != IR_BITCAST);
    if (node->op == IR_TILE_PERMUTE)
      *axis = (uint32_t)node->u.tile.numbers[*axis];
    else if (!is_cast)
      return node;
    node = node->args[0];
  }
  return node;
}

static bool factor_of(const Products *p, const IrNode *node, uint32_t axis,
                      const CheckLoop *loop, Factor *factor) {
  const IrNode *load = factor_source(node, &axis);
  factor->step = map_get(&p->loads, MAP_KEY(load));
  if (!factor->step || factor->step->loop != loop || load->u.section.has_mask ||
      !has_still_view(load, loop->node))
    return false;
  const Touch *touch = factor->step->u.touch.touch;
  const Symbol *own = factor_axis(touch, axis);
  bool is_known = false;
  for (uint32_t k = 0; k < touch->n_index && own; k++) {
    if (!is_known && factor_along(p->check, loop, k, own, factor)) {
      is_known = true;
      continue;
    }
    Moves moves = moves_of(touch->index[k], loop);
    if (moves.is_of_turn || moves.is_open)
      return false;
  }
  return is_known;
}

// -------------------------------------------------------------------- sums

static bool is_product(const IrNode *node) {
  return node->op == IR_TILE_MMA || node->op == IR_TILE_MMA_SCALED;
}

// The other matrix, behind the first one and its scales.
static const IrNode *second_factor(const IrNode *product) {
  return product->args[product->op == IR_TILE_MMA ? 1 : 2];
}

// What the product is added to.
static const IrNode *summand_of(const IrNode *product) {
  return product->args[product->n_args - 1];
}

// The product is added into the value.
static bool sums_product(const IrNode *value, const IrNode *product,
                         int depth) {
  if (value == product || depth > DEEPEST)
    return value == product;
  if (value->op == IR_ADD || value->op == IR_SUB)
    return sums_product(value->args[0], product, depth + 1) ||
           sums_product(value->args[1], product, depth + 1);
  if (is_product(value))
    return sums_product(summand_of(value), product, depth + 1);
  return false;
}

// The value is a sum with what the variable held, or a multiple of it.
static bool adds_to(const IrNode *value, uint32_t var, int depth) {
  if (value->op == IR_GET || depth > DEEPEST)
    return value->op == IR_GET && value->u.variable.var == var;
  if (value->op == IR_ADD || value->op == IR_SUB || value->op == IR_MUL)
    return adds_to(value->args[0], var, depth + 1) ||
           adds_to(value->args[1], var, depth + 1);
  if (is_product(value))
    return adds_to(summand_of(value), var, depth + 1);
  return false;
}

typedef struct {
  uint32_t var, n;
} Sets;

static bool count_sets(IrNode *node, void *context) {
  Sets *sets = context;
  sets->n += node->op == IR_SET && node->u.variable.var == sets->var;
  return true;
}

static bool is_summed(const IrNode *product, const IrNode *loop) {
  for (const IrNode *node = product; node; node = node->next) {
    if (node->op != IR_SET || !sums_product(node->args[0], product, 0) ||
        !adds_to(node->args[0], node->u.variable.var, 0))
      continue;
    Sets sets = {.var = node->u.variable.var};
    ir_walk((IrRegion *)(uintptr_t)&loop->regions[0], count_sets, &sets);
    return sets.n == 1;
  }
  return false;
}

// ------------------------------------------------------------------- remarks

static uint32_t n_readers(const Products *p, const IrObject *object) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->touches.count; i++) {
    const Touch *touch = p->touches.data[i]->u.touch.touch;
    n += !touch->object || (touch->object == object && touch->is_read);
  }
  return n;
}

// Nothing else takes what it leaves out.
static bool products_are_alone(const Products *p, const Factor *a,
                               const Factor *b) {
  const IrObject *first = a->step->u.touch.touch->object;
  const IrObject *second = b->step->u.touch.touch->object;
  uint32_t own = first == second ? 2 : 1;
  return moves_of(a->start, a->step->loop).is_fixed &&
         moves_of(b->start, b->step->loop).is_fixed &&
         n_readers(p, first) == own && n_readers(p, second) == own;
}

// There is a second turn, and it has elements to take.
static bool products_go_on(const CheckLoop *loop, const Factor *factor,
                           int64_t further) {
  int64_t trips, extent;
  bool is_once =
      loop->trips && term_is_constant(loop->trips, &trips) && trips <= 1;
  bool is_all = factor->extent && term_is_constant(factor->extent, &extent) &&
                extent <= further;
  return !is_once && !is_all;
}

static void products_tell(const Products *p, const IrNode *product,
                          int64_t advance, int64_t length) {
  Check *check = p->check;
  bool is_twice = advance < length;
  Finding remark = {
      .code = is_twice ? CODE_PRODUCT_TWICE : CODE_PRODUCT_SKIPPED,
      .verdict = VERDICT_PROVED,
      .node = product,
      .message = arena_printf(check->arena,
                              "both operands advance by %" PRId64
                              " a turn, but their sections have %" PRId64
                              " elements: products are %s",
                              advance, length,
                              is_twice ? "added more than once" : "left out"),
      .notes = {[2] = arena_printf(
                    check->arena,
                    "offsets count elements, not tiles: let this one advance "
                    "by %" PRId64 " a turn",
                    length)}};
  VEC_PUSH(check->arena, &check->report->findings, remark);
}

static void look_at_product(const Products *p, const IrNode *product,
                            const CheckLoop *loop) {
  const IrModule *module = p->check->kernel->module;
  const IrTileShape *left = ir_tile_shape(module, product->args[0]->type);
  const IrNode *second = second_factor(product);
  const IrTileShape *right = ir_tile_shape(module, second->type);
  Factor a, b;
  if (!factor_of(p, product->args[0], left->rank - 1u, loop, &a) ||
      !factor_of(p, second, right->rank - 2u, loop, &b) ||
      a.advance != b.advance || !is_summed(product, loop->node))
    return;
  int64_t advance = a.advance < 0 ? -a.advance : a.advance;
  int64_t further = advance < a.length ? advance : a.length;
  if (advance == a.length || !products_go_on(loop, &a, further) ||
      !products_go_on(loop, &b, further) ||
      (advance > a.length && !products_are_alone(p, &a, &b)))
    return;
  products_tell(p, product, advance, a.length);
}

void check_products(Check *check) {
  Products p = {.check = check};
  tree_each(check->tree->first, products_note, &p);
  for (uint32_t i = 0; i < check->tree->loops.count; i++) {
    const CheckLoop *loop = check->tree->loops.data[i];
    const IrNode *node = loop->node ? loop->node->regions[0].first : NULL;
    for (; node; node = node->next)
      if (is_product(node))
        look_at_product(&p, node, loop);
  }
}
