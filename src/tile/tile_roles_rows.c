// SPDX-License-Identifier: Apache-2.0
// Rows of tiles, divided among warpgroups.
//
// Note [Rows of a consumer]
// The first axis of a product is divided: each consumer computes a part of the
// rows of the sums. What is computed from them, element by element or along
// other axes, and what they are computed from, is divided likewise, so an axis
// of a tile follows from those of its operands and uses. A section that is
// divided begins as many rows further as the consumer's part does. Tiles that
// have nothing to do with rows are computed by each consumer, but nothing is
// stored of them. Where a tile is needed both ways, or rows meet in a
// reduction, they aren't divided.
#include "ir/analyses/analysis.h"
#include "tile/tile_roles.h"

#include <string.h>

enum { AXIS_OPEN = -2, AXIS_NONE = -1 };

typedef struct {
  Roles *r;
  const IrModule *module;
  int8_t *nodes, *vars; // the axis that is divided, by id
  bool is_changed, is_wrong;
} Rows;

static void rows_say(Rows *s, int8_t *known, int axis) {
  if (axis == AXIS_OPEN || *known == axis)
    return;
  s->is_wrong |= *known != AXIS_OPEN;
  s->is_changed |= *known == AXIS_OPEN;
  *known = (int8_t)axis;
}

static int8_t *rows_axis(const Rows *s, const IrNode *node) {
  return &s->nodes[node->id];
}

static void rows_same(Rows *s, int8_t *a, int8_t *b) {
  rows_say(s, a, *b);
  rows_say(s, b, *a);
}

static const IrTileShape *rows_shape(const Rows *s, const IrNode *node) {
  return ir_tile_shape(s->module, node->type);
}

// ------------------------------------------------------------ one operation

// The other axis is as far from the last one.
static void rows_of_broadcast(Rows *s, const IrNode *node) {
  const IrNode *from = node->args[0];
  if (!ir_is_tile(from->type))
    return;
  const IrTileShape *to = rows_shape(s, node), *a = rows_shape(s, from);
  int ahead = to->rank - a->rank, axis = *rows_axis(s, node);
  if (axis == AXIS_NONE) {
    rows_say(s, rows_axis(s, from), AXIS_NONE);
  } else if (axis >= 0) {
    bool has_it =
        axis >= ahead && a->extents[axis - ahead] == to->extents[axis];
    rows_say(s, rows_axis(s, from), has_it ? axis - ahead : AXIS_NONE);
  }
  if (*rows_axis(s, from) >= 0)
    rows_say(s, rows_axis(s, node), *rows_axis(s, from) + ahead);
}

static void rows_of_permute(Rows *s, const IrNode *node) {
  int8_t *to = rows_axis(s, node), *from = rows_axis(s, node->args[0]);
  if (*to == AXIS_NONE || *from == AXIS_NONE) {
    rows_same(s, to, from);
    return;
  }
  for (int k = 0; k < node->u.tile.n_numbers; k++)
    if (*to == k || *from == node->u.tile.numbers[k]) {
      rows_say(s, from, node->u.tile.numbers[k]);
      rows_say(s, to, k);
    }
}

// The axis of `b` that has the elements of an axis of `a`; or AXIS_NONE.
static int rows_reshaped(const IrTileShape *a, int axis, const IrTileShape *b) {
  uint64_t before = 1, own = 1;
  for (int k = 0; k < axis; k++)
    before *= a->extents[k];
  for (int k = 0; k < b->rank; own *= b->extents[k++])
    if (own == before && b->extents[k] == a->extents[axis])
      return k;
  return AXIS_NONE;
}

static void rows_of_reshape(Rows *s, const IrNode *node) {
  int8_t *to = rows_axis(s, node), *from = rows_axis(s, node->args[0]);
  const IrTileShape *a = rows_shape(s, node->args[0]), *b = rows_shape(s, node);
  if (*to == AXIS_NONE || *from == AXIS_NONE)
    rows_same(s, to, from);
  if (*from >= 0) {
    rows_say(s, to, rows_reshaped(a, *from, b));
    s->is_wrong |= *to == AXIS_NONE;
  } else if (*to >= 0) {
    rows_say(s, from, rows_reshaped(b, *to, a));
    s->is_wrong |= *from == AXIS_NONE;
  }
}

// Axes that are reduced are gone.
static void rows_of_reduce(Rows *s, const IrNode *node) {
  int8_t *from = rows_axis(s, node->args[0]);
  int left = 0;
  if (!ir_is_tile(node->type)) {
    rows_say(s, from, AXIS_NONE);
    return;
  }
  int8_t *to = rows_axis(s, node);
  if (*to == AXIS_NONE || *from == AXIS_NONE)
    rows_same(s, to, from);
  for (int k = 0; k < rows_shape(s, node->args[0])->rank; k++) {
    bool is_reduced = node->u.tile.axes >> k & 1;
    if (*from == k && is_reduced)
      s->is_wrong = true;
    if (!is_reduced && (*from == k || *to == left)) {
      rows_say(s, from, k);
      rows_say(s, to, left);
    }
    left += !is_reduced;
  }
}

// Tiles that a section takes or gives have one shape, if nothing is gathered.
static void rows_of_section(Rows *s, const IrNode *node) {
  int8_t *first = ir_is_tile(node->type) ? rows_axis(s, node) : NULL;
  uint32_t begin = ir_section_operands(node);
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = begin; i < node->n_args; i++) {
      if (!ir_is_tile(node->args[i]->type))
        continue;
      int8_t *own = rows_axis(s, node->args[i]);
      first = first ? first : own;
      rows_same(s, first, own);
    }
  for (uint32_t k = 0; k < node->u.section.object->rank; k++)
    if (node->u.section.kind[k] == SECTION_GATHER) {
      rows_say(s, rows_axis(s, node->args[k]), AXIS_NONE);
      if (first)
        rows_say(s, first, AXIS_NONE);
    }
}

static void rows_of_elements(Rows *s, const IrNode *node) {
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < node->n_args; i++)
      if (ir_is_tile(node->args[i]->type))
        rows_same(s, rows_axis(s, node), rows_axis(s, node->args[i]));
}

// Nothing is known of how its elements depend on each other.
static void rows_of_other(Rows *s, const IrNode *node) {
  if (ir_is_tile(node->type))
    rows_say(s, rows_axis(s, node), AXIS_NONE);
  for (uint32_t i = 0; i < node->n_args; i++)
    if (ir_is_tile(node->args[i]->type))
      rows_say(s, rows_axis(s, node->args[i]), AXIS_NONE);
}

// Before its operands are staged, they are nobody's.
static void rows_of_product(Rows *s, const IrNode *node) {
  rows_say(s, rows_axis(s, node), 0);
  rows_say(s, rows_axis(s, node->args[2]), 0);
  if (node->op == IR_TILE_MMA)
    return;
  bool is_turned = node->u.tile.numbers[0] & WGMMA_TURNS_A;
  rows_say(s, rows_axis(s, node->args[0]), is_turned);
  rows_say(s, rows_axis(s, node->args[1]), AXIS_NONE);
}

static bool rows_is_elementwise(const IrNode *node) {
  return ir_lifts(node->op) || node->op == IR_TILE_CAST ||
         node->op == IR_TILE_MAP;
}

static bool rows_visit(IrNode *node, void *context) {
  Rows *s = context;
  bool is_tiled = ir_is_tile(node->type) || ir_family(node) == FAMILY_TILE;
  for (uint32_t i = 0; i < node->n_args; i++)
    is_tiled |= ir_is_tile(node->args[i]->type);
  if (!is_tiled)
    return true;
  if (node->op == IR_GET)
    rows_same(s, rows_axis(s, node), &s->vars[node->u.variable.var]);
  else if (node->op == IR_SET)
    rows_same(s, rows_axis(s, node->args[0]), &s->vars[node->u.variable.var]);
  else if (node->op == IR_WGMMA_MMA || node->op == IR_TILE_MMA)
    rows_of_product(s, node);
  else if (node->op == IR_TILE_BROADCAST)
    rows_of_broadcast(s, node);
  else if (node->op == IR_TILE_PERMUTE)
    rows_of_permute(s, node);
  else if (node->op == IR_TILE_RESHAPE)
    rows_of_reshape(s, node);
  else if (node->op == IR_TILE_REDUCE)
    rows_of_reduce(s, node);
  else if (ir_op_info(node)->form == FORM_SECTION)
    rows_of_section(s, node);
  else if (rows_is_elementwise(node))
    rows_of_elements(s, node);
  else if (node->op != IR_TILE_IOTA)
    rows_of_other(s, node);
  return !s->is_wrong;
}

// --------------------------------------------------------------- the change

static IrType rows_part(Rows *s, IrType type, int axis) {
  IrModule *module = s->r->t->kernel->module;
  IrTileShape shape = *ir_tile_shape(module, type);
  shape.extents[axis] /= s->r->n_consumers;
  return ir_tile_type(module, shape.element, shape.rank, shape.extents);
}

// As many elements further as the consumer's part of the extent is. The sum may
// wrap: then the section begins before the array, as it would end behind it.
static IrNode *rows_further(Rows *s, IrNode *index, uint32_t length) {
  Lower *t = s->r->t;
  IrNode *part = put_times(t, s->r->part, length);
  if (index->type.kind == IR_TYPE_I64)
    part = put_wide(t, part);
  return put_two(t, IR_ADD, index, part);
}

static void rows_divide_section(Rows *s, IrNode *node, int axis) {
  const IrObject *object = node->u.section.object;
  int dimension = 0;
  for (uint32_t k = 0; k < object->rank; k++) {
    if (node->u.section.kind[k] != SECTION_RANGE || dimension++ != axis)
      continue;
    node->u.section.length[k] /= s->r->n_consumers;
    node->args[k] = rows_further(s, node->args[k], node->u.section.length[k]);
  }
}

static void rows_divide_iota(Rows *s, IrNode *node) {
  Lower *t = s->r->t;
  uint32_t length = rows_shape(s, node)->extents[0];
  IrNode *iota = put_node(t, IR_TILE_IOTA, node->type, 0);
  IrNode *part = put_times(t, s->r->part, length);
  part = put_node(t, IR_TILE_BROADCAST, node->type, 1, part);
  node->op = IR_ADD;
  node->n_args = 2;
  node->args = ARENA_ARRAY(t->arena, IrNode *, 2);
  node->args[0] = iota;
  node->args[1] = part;
}

static bool rows_divide(IrNode *node, void *context) {
  Rows *s = context;
  Lower *t = s->r->t;
  if (node->id >= t->n_nodes)
    return true; // made here
  t->region = NULL;
  t->before = node;
  t->loc = node->loc;
  bool is_section = ir_op_info(node)->form == FORM_SECTION;
  int axis = AXIS_NONE;
  if (ir_is_tile(node->type))
    axis = s->nodes[node->id];
  else if (is_section)
    axis = s->nodes[node->args[node->n_args - 1]->id];
  if (axis < 0)
    return true;
  if (ir_is_tile(node->type))
    node->type = rows_part(s, node->type, axis);
  if (is_section)
    rows_divide_section(s, node, axis);
  if (node->op == IR_TILE_IOTA)
    rows_divide_iota(s, node);
  return true;
}

// What happens to memory once must have rows.
static bool rows_check_effect(IrNode *node, void *context) {
  Rows *s = context;
  if (ir_op_info(node)->form == FORM_SECTION &&
      ir_op_info(node)->memory & MEM_WRITE)
    s->is_wrong |= s->nodes[node->args[node->n_args - 1]->id] < 0;
  return !s->is_wrong;
}

static bool rows_decide(Rows *s, IrRegion *region) {
  do {
    s->is_changed = false;
    if (!ir_walk(region, rows_visit, s))
      return false;
  } while (s->is_changed);
  return ir_walk(region, rows_check_effect, s);
}

static bool rows_begin(Rows *s, Roles *r, IrRegion *region) {
  Lower *t = r->t;
  *s = (Rows){.r = r, .module = t->kernel->module};
  ir_kernel_renumber(t->kernel);
  t->n_nodes = t->kernel->n_nodes;
  s->nodes = ARENA_ARRAY(t->scratch, int8_t, t->n_nodes);
  s->vars = ARENA_ARRAY(t->scratch, int8_t, t->kernel->vars.count);
  memset(s->nodes, AXIS_OPEN, t->n_nodes);
  memset(s->vars, AXIS_OPEN, t->kernel->vars.count);
  return rows_decide(s, region);
}

bool roles_may_split(Roles *r) {
  Rows s;
  return rows_begin(&s, r, &r->t->kernel->body);
}

bool roles_split(Roles *r, IrRegion *region) {
  Rows s;
  IrKernel *kernel = r->t->kernel;
  if (!rows_begin(&s, r, region))
    return false;
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    if (s.vars[i] >= 0 && ir_is_tile(kernel->vars.data[i].type))
      kernel->vars.data[i].type =
          rows_part(&s, kernel->vars.data[i].type, s.vars[i]);
  ir_walk(region, rows_divide, &s);
  return true;
}
