// SPDX-License-Identifier: Apache-2.0
// Values of tiles.
//
// Note [Tiles]. The value of a tile is that of one of its elements, any of
// them: a value like a scalar's whose terms have a symbol for each axis of the
// shape (`is_axis`), from 0 to the extent less one. So operations that work
// element by element need nothing of their own, and those that move elements
// put other terms in the place of these symbols (walk_tile_at).
//
// What no term says is a symbol that stands for another value in each element
// (`is_of_element`). Where elements are moved, or one of them is touched, such
// symbols are replaced by new ones: the element there may be another one, and
// nothing is known of it but its range.
//
// A tile of structs has parts, each a tile.
#include "base/panic.h"
#include "check/tree/walk.h"

IrType walk_element(const Walk *w, IrType type) {
  return ir_element_type(w->kernel->module, type);
}

static const IrTileShape *walk_tile_shape(const Walk *w, const IrNode *node) {
  return ir_tile_shape(w->kernel->module, node->type);
}

static const Term *walk_tile_number(Walk *w, int64_t number) {
  return term_int(w->terms, number);
}

const Term *walk_axis(Walk *w, uint32_t axis, uint32_t extent) {
  uint64_t key = ((uint64_t)extent << 8 | axis) + 1;
  const Term *known = map_get(&w->axes, key);
  if (known || extent == 1)
    return known ? known : walk_tile_number(w, 0);
  Symbol model = {.kind = SYMBOL_VALUE,
                  .name = "element",
                  .high = (int64_t)extent - 1,
                  .dimension = (uint8_t)axis,
                  .is_axis = true};

  union {
    const Term *in;
    void *out;
  } entry = {.in = term_of(w->terms, term_symbol_new(w->terms, &model))};

  map_put(w->arena, &w->axes, key, entry.out);
  return entry.in;
}

// ------------------------------------------------------------ other places

typedef struct {
  Walk *w;
  const Term *const *at;
  Map symbols; // of elements, by id: those of the element there
} Moving;

static const Term *moved_symbol(const Symbol *symbol, void *context) {
  Moving *moving = context;
  if (symbol->is_axis)
    return moving->at[symbol->dimension];
  if (!symbol->is_of_element)
    return NULL;
  uint64_t key = (uint64_t)symbol->id + 1;

  union {
    const Term *in;
    void *out;
  } known = {.out = map_get(&moving->symbols, key)};

  if (known.out)
    return known.in;
  Symbol model = *symbol;
  model.loop = moving->w->loop;
  model.copy_of = model.received_of = NULL;
  known.in =
      term_of(moving->w->terms, term_symbol_new(moving->w->terms, &model));
  map_put(moving->w->arena, &moving->symbols, key, known.out);
  return known.in;
}

const Value *walk_tile_at(Walk *w, const Value *tile, const IrTileShape *shape,
                          const Term *const *at) {
  bool is_own = true;
  for (uint32_t i = 0; i < shape->rank; i++)
    is_own &= at[i] == walk_axis(w, i, shape->extents[i]);
  if (is_own || tile->kind == VALUE_OPAQUE || tile->kind == VALUE_LOST)
    return tile;
  Moving moving = {.w = w, .at = at};
  return value_map(w, tile, moved_symbol, &moving);
}

// ---------------------------------------------------------- moving elements

// The axes of the result of a node.
typedef struct {
  Walk *w;
  const IrNode *node;
  const IrTileShape *to;
  const Term *at[IR_MAX_TILE_RANK]; // where operand 0 is looked at
} Placing;

static Placing placing_of(Walk *w, const IrNode *node) {
  Placing p = {.w = w, .node = node, .to = walk_tile_shape(w, node)};
  for (uint32_t i = 0; i < p.to->rank; i++)
    p.at[i] = walk_axis(w, i, p.to->extents[i]);
  return p;
}

static const Value *placed(const Placing *p, uint32_t operand) {
  return walk_tile_at(p->w, walk_arg(p->w, p->node, operand),
                      walk_tile_shape(p->w, p->node->args[operand]), p->at);
}

static const Value *walk_broadcast(Walk *w, const IrNode *node) {
  const IrTileShape *from = walk_tile_shape(w, node->args[0]);
  Placing p = placing_of(w, node);
  if (!from)
    return walk_arg(w, node, 0);
  uint32_t n_new = p.to->rank - from->rank;
  for (uint32_t i = 0; i < from->rank; i++)
    p.at[i] = from->extents[i] == 1 ? walk_tile_number(w, 0) : p.at[n_new + i];
  return placed(&p, 0);
}

// Axes of the one shape whose extents have the product of axes of the other.
typedef struct {
  uint32_t from, n_from, to, n_to;
} AxisGroup;

static bool next_group(const IrTileShape *from, const IrTileShape *to,
                       AxisGroup *group) {
  uint64_t a = 1, b = 1;
  group->from += group->n_from;
  group->to += group->n_to;
  group->n_from = group->n_to = 0;
  do {
    bool has_from = group->from + group->n_from < from->rank;
    bool has_to = group->to + group->n_to < to->rank;
    if (has_from && (a <= b || !has_to))
      a *= from->extents[group->from + group->n_from++];
    else if (has_to)
      b *= to->extents[group->to + group->n_to++];
    else
      return group->n_from > 0;
  } while (a != b || !group->n_from);
  return true;
}

// Elements stay at their place in row-major order, in each group by itself.
static const Value *walk_reshape(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const IrTileShape *from = walk_tile_shape(w, node->args[0]);
  Placing p = placing_of(w, node);
  const Term *at[IR_MAX_TILE_RANK] = {NULL};
  AxisGroup group = {0};
  while (next_group(from, p.to, &group)) {
    const Term *place = walk_tile_number(w, 0);
    for (uint32_t i = group.to; i < group.to + group.n_to; i++)
      place = term_add(t, term_scale(t, place, p.to->extents[i]), p.at[i]);
    for (uint32_t i = group.from + group.n_from; i-- > group.from;) {
      const Term *extent = walk_tile_number(w, from->extents[i]);
      at[i] = i == group.from ? place : term_mod(t, place, extent);
      place = term_div(t, place, extent);
    }
  }
  for (uint32_t i = 0; i < from->rank; i++)
    p.at[i] = at[i];
  return placed(&p, 0);
}

static const Value *walk_permute(Walk *w, const IrNode *node) {
  Placing p = placing_of(w, node), moved = p;
  for (uint32_t i = 0; i < p.to->rank; i++)
    moved.at[node->u.tile.numbers[i]] = p.at[i];
  return placed(&moved, 0);
}

static const Value *chosen(Walk *w, const Term *condition, const Value *a,
                           const Value *b) {
  const Value *value = value_merge(w, condition, a, b);
  return value->kind == VALUE_LOST ? NULL : value;
}

static const Value *walk_cat(Walk *w, const IrNode *node) {
  enum { MOST = 16 };

  uint32_t axis = node->u.tile.axis;
  Placing p = placing_of(w, node);
  const Term *at = p.at[axis];
  int64_t begin = p.to->extents[axis];
  const Value *all = NULL;
  if (node->n_args > MOST)
    return NULL;
  for (uint32_t i = node->n_args; i-- > 0;) {
    int64_t end = begin;
    begin -= walk_tile_shape(w, node->args[i])->extents[axis];
    p.at[axis] = term_sub(w->terms, at, walk_tile_number(w, begin));
    const Term *is_before = term_lt(w->terms, at, walk_tile_number(w, end));
    const Value *part = placed(&p, i);
    all = i + 1 == node->n_args ? part : chosen(w, is_before, part, all);
    if (!all)
      return NULL;
  }
  return all;
}

static const Value *walk_taken_part(Walk *w, const IrNode *node) {
  Placing p = placing_of(w, node);
  for (uint32_t i = 0; i < p.to->rank; i++)
    p.at[i] = term_add(w->terms, p.at[i],
                       walk_tile_number(w, node->u.tile.numbers[i]));
  return placed(&p, 0);
}

// The element lies in the shape that begins at these numbers (NULL: zeros).
static const Term *lies_in_part(const Placing *p, const IrTileShape *shape,
                                const int32_t *begin) {
  TermTable *t = p->w->terms;
  const Term *is_inside = term_true(t);
  for (uint32_t i = 0; i < shape->rank; i++) {
    int64_t from = begin ? begin[i] : 0, end = from + shape->extents[i];
    is_inside = term_and(t, is_inside, term_le(t, term_int(t, from), p->at[i]));
    is_inside = term_and(t, is_inside, term_lt(t, p->at[i], term_int(t, end)));
  }
  return is_inside;
}

static const Value *walk_put_in(Walk *w, const IrNode *node) {
  Placing p = placing_of(w, node);
  const int32_t *begin = node->u.tile.numbers;
  const Term *is_part =
      lies_in_part(&p, walk_tile_shape(w, node->args[1]), begin);
  for (uint32_t i = 0; i < p.to->rank; i++)
    p.at[i] = term_sub(w->terms, p.at[i], walk_tile_number(w, begin[i]));
  return chosen(w, is_part, placed(&p, 1), walk_arg(w, node, 0));
}

static const Value *walk_pad(Walk *w, const IrNode *node) {
  Placing p = placing_of(w, node);
  const Term *is_part =
      lies_in_part(&p, walk_tile_shape(w, node->args[0]), NULL);
  return chosen(w, is_part, placed(&p, 0), walk_arg(w, node, 1));
}

// The element that the thread names. It makes sense where a tile is no opaque.
static const Value *walk_taken_element(Walk *w, const IrNode *node) {
  const IrTileShape *shape = walk_tile_shape(w, node->args[0]);
  const Term *at[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape->rank; i++)
    at[i] = value_signed(w, walk_arg(w, node, i + 1));
  const Value *tile = walk_arg(w, node, 0);
  bool is_number = tile->kind == VALUE_INT || tile->kind == VALUE_BOOL;
  return is_number ? walk_tile_at(w, tile, shape, at) : NULL;
}

static const Value *walk_flip(Walk *w, const IrNode *node) {
  uint32_t axis = node->u.tile.axis;
  Placing p = placing_of(w, node);
  p.at[axis] =
      term_sub(w->terms, walk_tile_number(w, (int64_t)p.to->extents[axis] - 1),
               p.at[axis]);
  return placed(&p, 0);
}

static const Value *walk_roll(Walk *w, const IrNode *node) {
  uint32_t axis = node->u.tile.axis;
  Placing p = placing_of(w, node);
  int64_t extent = p.to->extents[axis];
  int64_t back = -(int64_t)node->u.tile.numbers[0] % extent;
  const Term *at = term_add(w->terms, p.at[axis],
                            walk_tile_number(w, (back + extent) % extent));
  p.at[axis] = term_mod(w->terms, at, walk_tile_number(w, extent));
  return placed(&p, 0);
}

// --------------------------------------------------------- what has a range

// Where all elements of a tile of integers lie; false: nobody knows.
static bool range_of(Walk *w, const IrNode *node, bool is_unsigned,
                     int64_t *low, int64_t *high) {
  const Value *value = walk_arg(w, node, 0);
  if (value->kind != VALUE_INT)
    return false;
  const Term *term =
      is_unsigned ? value_unsigned(w, value) : value_signed(w, value);
  term_interval(w->terms, term, low, high);
  int64_t least, most;
  type_range(value->bits, is_unsigned, &least, &most);
  *low = *low < least ? least : *low;
  *high = *high > most ? most : *high;
  return true;
}

// One of the elements.
static const Value *one_of(Walk *w, const IrNode *node, bool is_unsigned) {
  int64_t low, high;
  IrType type = walk_element(w, node->type);
  if (!ir_type_is_int(type) || !range_of(w, node, is_unsigned, &low, &high))
    return NULL;
  return value_fresh_range(w, node, ir_type_bits(type), low, high);
}

static const Value *walk_tile_reduce(Walk *w, const IrNode *node) {
  IrCombine combine = node->u.tile.combine;
  switch (combine) {
  case COMBINE_SMIN:
  case COMBINE_SMAX: return one_of(w, node, false);
  case COMBINE_UMIN:
  case COMBINE_UMAX: return one_of(w, node, true);
  case COMBINE_ADD:
  case COMBINE_MUL:
  case COMBINE_FMIN:
  case COMBINE_FMAX:
  case COMBINE_AND:
  case COMBINE_OR:
  case COMBINE_XOR: break;
  }
  return NULL;
}

static const Value *walk_tile_below(Walk *w, const IrNode *node,
                                    uint64_t count) {
  return value_fresh_range(w, node, 32, 0, (int64_t)count - 1);
}

static const Value *walk_arg_index(Walk *w, const IrNode *node) {
  const IrTileShape *from = walk_tile_shape(w, node->args[0]);
  uint64_t count = 1;
  for (uint32_t i = 0; i < from->rank; i++)
    if (node->u.tile.axes >> i & 1)
      count *= from->extents[i];
  return walk_tile_below(w, node, count);
}

static const Value *walk_topk(Walk *w, const IrNode *node) {
  const IrNode *from = node->args[0];
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, 2);
  Value *value = value_new(w, VALUE_PARTS);
  parts[0] = value_fresh(w, node, from->type);
  parts[1] = walk_tile_below(
      w, node, walk_tile_shape(w, from)->extents[node->u.tile.axis]);
  value->n_parts = 2;
  value->parts = parts;
  return value;
}

// ---------------------------------------------------------------- operators

// The operator for an element that nothing else is about, at `at`.
static void walk_tile_operator(Walk *w, const IrNode *node, const Value *left,
                               const Value *right) {
  w->n_operators++;
  env_set(w, node->u.tile.by.left, left);
  if (right)
    env_set(w, node->u.tile.by.right, right);
  walk_region(w, &node->regions[0]);
  w->n_operators--;
}

static const Value *any_element(Walk *w, const IrNode *node) {
  return value_fresh(w, node->args[0], node->args[0]->type);
}

typedef struct {
  const Symbol *own[IR_MAX_TILE_RANK];
  const Term *at[IR_MAX_TILE_RANK];
  uint32_t rank;
} Mapped;

static const Term *mapped_symbol(const Symbol *symbol, void *context) {
  const Mapped *mapped = context;
  for (uint32_t i = 0; i < mapped->rank; i++)
    if (symbol == mapped->own[i])
      return mapped->at[i];
  return NULL;
}

// In the operator the element has symbols of its own, so that what is known of
// one element there isn't held to be known of others.
static const Value *walk_tile_map(Walk *w, const IrNode *node) {
  const IrTileShape *shape = walk_tile_shape(w, node);
  Mapped mapped = {.rank = shape->rank};
  const Term *at[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape->rank; i++) {
    Symbol model = {.kind = SYMBOL_VALUE,
                    .name = "element",
                    .high = (int64_t)shape->extents[i] - 1,
                    .loop = w->loop,
                    .dimension = (uint8_t)i,
                    .is_axis = true};
    mapped.own[i] = term_symbol_new(w->terms, &model);
    mapped.at[i] = walk_axis(w, i, shape->extents[i]);
    at[i] = term_of(w->terms, mapped.own[i]);
  }
  walk_tile_operator(w, node, walk_tile_at(w, walk_arg(w, node, 0), shape, at),
                     NULL);
  const Value *result = w->vars[node->u.tile.by.result];
  bool is_known = w->is_reachable && result && result->kind != VALUE_LOST;
  return is_known ? value_map(w, result, mapped_symbol, &mapped) : NULL;
}

static const Value *walk_combining(Walk *w, const IrNode *node) {
  walk_tile_operator(w, node, any_element(w, node), any_element(w, node));
  return NULL;
}

// ------------------------------------------------------------------ dispatch

const Value *walk_tile(Walk *w, const IrNode *node) {
  switch (ir_tile_op(node->op)) {
  case TILE_BROADCAST: return walk_broadcast(w, node);
  case TILE_IOTA:
    return value_int(w, 32,
                     walk_axis(w, 0, walk_tile_shape(w, node)->extents[0]),
                     true, true);
  case TILE_RESHAPE: return walk_reshape(w, node);
  case TILE_PERMUTE: return walk_permute(w, node);
  case TILE_CAT: return walk_cat(w, node);
  case TILE_EXTRACT: return walk_taken_part(w, node);
  case TILE_INSERT: return walk_put_in(w, node);
  case TILE_FLIP: return walk_flip(w, node);
  case TILE_ROLL: return walk_roll(w, node);
  case TILE_PAD: return walk_pad(w, node);
  case TILE_MAP: return walk_tile_map(w, node);
  case TILE_REDUCE: return walk_tile_reduce(w, node);
  case TILE_ARG: return walk_arg_index(w, node);
  case TILE_ARGSORT:
    return walk_tile_below(
        w, node, walk_tile_shape(w, node)->extents[node->u.tile.axis]);
  case TILE_SORT: return one_of(w, node, node->flags & NODE_UNSIGNED);
  case TILE_TOPK: return walk_topk(w, node);
  case TILE_REDUCE_BY:
  case TILE_SCAN_BY: return walk_combining(w, node);
  case TILE_LOAD:
  case WGMMA_LOAD:
  case TENSOR_READ:
  case TENSOR_WRITE:
  case TILE_STORE:
  case TILE_RMW:
  case TILE_CAS: return walk_section(w, node);
  case TILE_ASSERT: walk_assert(w, node); break;
  case TILE_AT: return walk_taken_element(w, node);
  case TILE_COLLECT:
  case TILE_SCAN:
  case TILE_HISTOGRAM:
  case TILE_BITCAST:
  case TILE_CAST:
  case TILE_MMA:
  case TILE_MMA_SCALED:
  case WGMMA_MMA:
  case TENSOR_MMA:
  case TILE_PRINT: break;
  }
  return NULL;
}
