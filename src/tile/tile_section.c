// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of sections.
//
// Note [Bounds of ranges]
// Elements k of a range that begins at `base` are inside if low <= base + k <
// high, as mathematical integers. `base` is moved into [-2^21, high] first: as
// no range is longer than 2^20, what was outside stays outside, and no sum
// overflows. What is left is a comparison of k with two numbers from 0 to the
// length. Where these are 0 and the length for all ranges, loops are made that
// compare nothing.
//
// Indices into a view count from its first element: they are compared before
// that is added, so that no sum overflows there either.
#include "tile/tile_parts.h"

#define LEAST_BASE (-2 * (int64_t)IR_MAX_TILE_ELEMENTS)

// ------------------------------------------------------------------ bounds

static IrNode *extent_of(Lower *t, IrObject *object, uint32_t dimension) {
  IrNode *node = put_node(t, IR_EXTENT, put_type_i64, 0);
  node->u.index.object = object;
  node->u.index.number = dimension;
  return node;
}

static IrNode *less(Lower *t, IrNode *a, IrNode *b) {
  IrNode *node = put_two(t, IR_SUB, a, b);
  node->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  return node;
}

IrNode *section_origin(const IrNode *node, uint32_t i) {
  uint32_t rank = node->u.section.object->rank;
  return node->u.section.has_view ? node->args[rank + 2 * i] : NULL;
}

// Indices [*low, *high) of the dimension may be touched; i64.
static void allowed(Lower *t, const IrNode *node, uint32_t i, IrNode **low,
                    IrNode **high) {
  IrObject *object = node->u.section.object;
  IrNode *origin = section_origin(node, i);
  *low = put_i64(t, 0);
  *high = extent_of(t, object, i);
  if (i + 1u == object->rank && packed_is(t, node)) // of bytes
    *high = put_two(t, IR_UDIV, put_times(t, *high, 8),
                    put_i64(t, packed_width(t, node)));
  if (!origin)
    return;
  *high = put_two(t, IR_SMIN, *high, node->args[object->rank + 2 * i + 1]);
  *high = less(t, *high, origin);
  *low = put_two(t, IR_SMAX, *low, less(t, *low, origin));
}

// The element of the array that an index names.
static IrNode *from_origin(Lower *t, const IrNode *node, uint32_t i,
                           IrNode *index) {
  IrNode *origin = section_origin(node, i);
  return origin ? put_two(t, IR_ADD, origin, index) : index;
}

static IrNode *within(Lower *t, IrNode *value, uint32_t length) {
  value = put_two(t, IR_SMAX, value, put_i64(t, 0));
  value = put_two(t, IR_SMIN, value, put_i64(t, length));
  return put_node(t, IR_TRUNC, put_type_i32, 1, value);
}

static IrNode *range_bound(Lower *t, uint32_t length, IrNode *low, IrNode *high,
                           TileBound *bound) {
  IrNode *base = put_two(t, IR_SMAX, bound->base, put_i64(t, LEAST_BASE));
  bound->base = base = put_two(t, IR_SMIN, base, high);
  bound->low = within(t, less(t, low, base), length);
  bound->high = within(t, less(t, high, base), length);
  return put_and(t, put_test(t, IR_EQ, bound->low, put_i32(t, 0)),
                 put_test(t, IR_EQ, bound->high, put_i32(t, length)));
}

static IrNode *section_is_between(Lower *t, IrNode *low, IrNode *value,
                                  IrNode *high) {
  return put_and(t, put_test(t, IR_SLE, low, value),
                 put_test(t, IR_SLT, value, high));
}

// Known here: numbers of a range of an array whose extent is a number, too.
static bool section_is_within(const Lower *t, const IrNode *node, uint32_t i) {
  const IrHost *extent = node->u.section.object->extents[i];
  if (node->u.section.kind[i] != SECTION_RANGE || node->u.section.has_view ||
      packed_is(t, node) || !extent || extent->op != HOST_CONST ||
      extent->is_float || node->args[i]->op != IR_CONST ||
      node->args[i]->type.kind != IR_TYPE_I32)
    return false;
  int64_t base = (int32_t)node->args[i]->u.constant.bits;
  return base >= 0 &&
         base + node->u.section.length[i] <= (int64_t)extent->number;
}

// Whether the whole dimension is known to be inside, a bool; NULL: elements say
// so, or it is.
static IrNode *section_bound_along(Lower *t, const IrNode *node, uint32_t i,
                                   TileBound *bound) {
  IrNode *low, *high;
  bool is_gather = node->u.section.kind[i] == SECTION_GATHER;
  IrNode *index = is_gather ? NULL : put_wide(t, node->args[i]);
  IrNode *is_inside = NULL;
  bound->base = index;
  bound->is_within = section_is_within(t, node, i);
  if (!node->u.section.is_unchecked && !bound->is_within) {
    allowed(t, node, i, &low, &high);
    switch (node->u.section.kind[i]) {
    case SECTION_RANGE:
      is_inside = range_bound(t, node->u.section.length[i], low, high, bound);
      break;
    case SECTION_INDEX:
      is_inside = section_is_between(t, low, index, high);
      bound->is_inside = is_inside;
      break;
    case SECTION_GATHER:
      bound->low = low;
      bound->high = high;
      break;
    }
  }
  if (is_gather)
    return is_inside;
  bound->whole_base =
      index == bound->base ? NULL : from_origin(t, node, i, index);
  bound->base = from_origin(t, node, i, bound->base);
  if (!bound->whole_base)
    bound->whole_base = bound->base;
  return is_inside;
}

static TileSection *section_prepare(Lower *t, const IrNode *node) {
  TileSection *section = ARENA_NEW(t->scratch, TileSection);
  for (uint32_t i = 0; i < node->u.section.object->rank; i++)
    section->is_inside =
        put_and(t, section->is_inside,
                section_bound_along(t, node, i, &section->bounds[i]));
  t->sections[node->id] = section;
  return section;
}

// -------------------------------------------------------------- all of them

// Sections that the elements of a tile come from; their bounds are computed.
// Returns whether all are inside, NULL: nothing has to be tested.
static IrNode *prepare_all(Lower *t, const IrNode *node, IrNode *is_inside) {
  if (t->homes[node->id] || node->op == IR_GET)
    return is_inside;
  if (ir_op_info(node)->form == FORM_SECTION)
    is_inside = put_and(t, is_inside, section_prepare(t, node)->is_inside);
  for (uint32_t i = 0; i < node->n_args; i++)
    if (ir_is_tile(node->args[i]->type))
      is_inside = prepare_all(t, node->args[i], is_inside);
  return is_inside;
}

void section_emit(Lower *t, const IrNode *const *roots, uint32_t n_roots,
                  Emit emit, void *context) {
  IrNode *is_inside = NULL;
  for (uint32_t i = 0; i < n_roots; i++)
    is_inside = prepare_all(t, roots[i], is_inside);
  if (!is_inside) {
    emit(t, context);
    return;
  }
  PutPlace place = put_if(t, is_inside);
  t->assumes_inside = true;
  emit(t, context);
  put_else(t, &place);
  t->assumes_inside = false;
  emit(t, context);
  put_end(t, place);
}

// ---------------------------------------------------------------- accesses

// Where the dimensions of the index tiles stand in the section's tile.
static uint32_t gathered_at(const IrNode *node) {
  uint32_t at = 0;
  while (node->u.section.kind[at] != SECTION_GATHER)
    at++;
  uint32_t n_before = 0;
  for (uint32_t i = 0; i < at; i++)
    n_before += node->u.section.kind[i] == SECTION_RANGE;
  return n_before;
}

static IrNode *point_gathered(Lower *t, const IrNode *node, uint32_t i,
                              const TileIndex *index) {
  IrTileShape shape = tile_shape_of_node(t, node->args[i]);
  TileIndex own = nest_index(t, &shape, &index->at[gathered_at(node)]);
  return put_wide(t, element_of(t, node->args[i], &own));
}

// The number added to a lane's own index is added last, so that a lane's
// elements have one address and distances from it.
static IrNode *section_sum(Lower *t, IrNode *base, IrNode *k) {
  bool is_sum = k->op == IR_ADD && k->args[1]->op == IR_CONST;
  if (!t->target->takes_all || !is_sum)
    return put_add(t, base, put_wide(t, k));
  int64_t more = (int32_t)k->args[1]->u.constant.bits;
  return put_plus(t, put_add(t, base, put_wide(t, k->args[0])), more);
}

void section_along(Lower *t, const IrNode *node, uint32_t i, IrNode *k,
                   const TileIndex *index, SectionPoint *point) {
  const TileBound *bound = &t->sections[node->id]->bounds[i];
  bool is_tested =
      !t->assumes_inside && !node->u.section.is_unchecked && !bound->is_within;
  IrNode *test = NULL;
  switch (node->u.section.kind[i]) {
  case SECTION_RANGE:
    // Of what was not moved, back ends see which numbers it is a multiple of.
    point->index[i] =
        section_sum(t, t->assumes_inside ? bound->whole_base : bound->base, k);
    if (is_tested)
      test = section_is_between(t, bound->low, k, bound->high);
    break;
  case SECTION_INDEX:
    point->index[i] = bound->base;
    test = is_tested ? bound->is_inside : NULL;
    break;
  case SECTION_GATHER:
    point->index[i] = point_gathered(t, node, i, index);
    if (!node->u.section.is_unchecked)
      test = section_is_between(t, bound->low, point->index[i], bound->high);
    point->index[i] = from_origin(t, node, i, point->index[i]);
    break;
  }
  point->guard = put_and(t, point->guard, test);
}

static SectionPoint section_point(Lower *t, const IrNode *node,
                                  const TileIndex *index) {
  SectionPoint point = {.guard = NULL};
  bool has_gathered = false;
  uint32_t next = 0; // dimension of the tile
  for (uint32_t i = 0; i < node->u.section.object->rank; i++) {
    IrSectionKind kind = node->u.section.kind[i];
    section_along(t, node, i, kind == SECTION_RANGE ? index->at[next] : NULL,
                  index, &point);
    if (kind == SECTION_RANGE)
      next++;
    else if (kind == SECTION_GATHER && !has_gathered)
      next += tile_shape_of_node(t, node->args[i]).rank;
    has_gathered |= kind == SECTION_GATHER;
  }
  if (node->u.section.has_mask)
    point.guard =
        put_and(t, point.guard,
                element_of(t, node->args[ir_section_operands(node)], index));
  return point;
}

IrNode *section_access(Lower *t, IrOp op, const IrNode *node,
                       const SectionPoint *point, IrNode *const *values,
                       uint32_t n_values) {
  IrObject *object = node->u.section.object;
  IrNode *args[IR_MAX_RANK + 3];
  uint32_t n = 0;
  for (; n < object->rank; n++)
    args[n] = point->index[n];
  if (point->guard)
    args[n++] = point->guard;
  for (uint32_t i = 0; i < n_values; i++)
    args[n++] = values[i];
  IrType type = op == IR_STORE ? put_void : object->element;
  IrNode *made = put_node_of(t, op, type, args, n);
  IrAccess *access = &made->u.access;
  access->object = object;
  access->type = object->element;
  access->align_bytes = ir_type_size(t->kernel->module, object->element);
  access->n_index = object->rank;
  access->has_guard = point->guard != NULL;
  access->order = node->u.section.order;
  access->scope = node->u.section.scope;
  access->hint = node->u.section.hint;
  access->rmw = node->u.section.rmw;
  made->flags |= node->flags & NODE_OWN;
  return made;
}

IrNode *section_load(Lower *t, const IrNode *load, const TileIndex *index) {
  SectionPoint point = section_point(t, load, index);
  IrType type = ir_element_type(t->kernel->module, load->type);
  IrNode *value = ir_type_is_packed(type)
                      ? packed_load(t, load, &point)
                      : section_access(t, IR_LOAD, load, &point, NULL, 0);
  if (type.kind == IR_TYPE_TF32)
    value = cast_without_low(t, value);
  if (!load->u.section.has_pad || !point.guard)
    return value;
  return put_select(t, point.guard, value,
                    cast_physical(t, load->args[load->n_args - 1]));
}

// ------------------------------------------------------------ stores, atomics

typedef struct {
  const IrNode *node;
  IrTileShape shape;
  const TileHome *home; // NULL: the result is not used
} SectionJob;

static void store_element(Lower *t, const TileIndex *index, void *context) {
  const SectionJob *job = context;
  const IrNode *node = job->node;
  IrNode *value =
      cast_physical(t, element_of(t, node->args[node->n_args - 1], index));
  SectionPoint point = section_point(t, node, index);
  section_access(t, IR_STORE, node, &point, &value, 1);
}

// By one thread.
static void section_packed_of_one(Lower *t, const IrNode *store, IrNode *rank) {
  PutPlace place = {0};
  if (rank)
    place = put_if(t, put_test(t, IR_EQ, rank, put_i32(t, 0)));
  packed_store_all(t, store);
  if (rank)
    put_end(t, place);
}

static void section_store_all(Lower *t, void *context) {
  const SectionJob *job = context;
  IrNode *rank = NULL, *lane = t->rank;
  const IrGroup *holder = put_holder(t, job->node, &rank);
  if (packed_is(t, job->node)) {
    section_packed_of_one(t, job->node, rank);
    return;
  }
  uint32_t lanes = t->lanes;
  if (holder) {
    t->lanes = (uint32_t)holder->size;
    t->rank = rank;
  }
  nest_over(t, &job->shape, store_element, context);
  t->lanes = lanes;
  t->rank = lane;
}

static bool section_is_scatter(const IrNode *node) {
  for (uint32_t i = 0; i < node->u.section.object->rank; i++)
    if (node->u.section.kind[i] == SECTION_GATHER)
      return true;
  return false;
}

// Note [Doubles]
// A scatter that stores two elements at one place is a race of the block with
// itself. Where the detector is to see it, two different lanes must store them.
// The number of an element, written in a number system whose base is the number
// of lanes, has a digit in which it differs from that of the other. So the
// whole is stored once for each digit, by the lanes that the digit names, with
// a sync between. Each time the same values are stored.
typedef struct {
  const SectionJob *job;
  uint32_t n;    // elements
  uint32_t step; // of the digit: a power of the number of lanes
} Digit;

static void store_by_digit(Lower *t, void *context) {
  const Digit *digit = context;
  const IrTileShape *shape = &digit->job->shape;
  uint32_t n = digit->n, row = digit->step * t->lanes;
  IrNode *first, *k;
  PutPlace rows = put_for(t, put_i32(t, 0), put_i32(t, n), row, &first);
  PutPlace steps = put_for(t, put_i32(t, 0), put_i32(t, digit->step), 1, &k);
  IrNode *flat =
      put_add(t, put_add(t, first, k), put_times(t, t->rank, digit->step));
  PutPlace place = put_if(t, put_test(t, IR_SLT, flat, put_i32(t, n)));
  TileIndex index = nest_unflat(t, shape, flat);
  store_element(t, &index, (void *)(uintptr_t)digit->job);
  put_end(t, place);
  put_end(t, steps);
  put_end(t, rows);
}

void section_store(Lower *t, const IrNode *store) {
  SectionJob job = {.node = store};
  job.shape = tile_shape_of_node(t, store->args[store->n_args - 1]);
  if (t->is_of_threads || !t->target->shows_doubles ||
      !section_is_scatter(store)) {
    section_emit(t, &store, 1, section_store_all, &job);
    put_sync(t);
    return;
  }
  const IrNode *value = store->args[store->n_args - 1];
  uint32_t n = ir_tile_elements(t->kernel->module, value->type);
  for (uint64_t step = 1; step == 1 || step < n; step *= t->lanes) {
    Digit digit = {&job, n, (uint32_t)step};
    section_emit(t, &store, 1, store_by_digit, &digit);
    put_sync(t);
  }
}

// The access of one element, and the values that it takes.
static IrOp atomic_op(const IrNode *node, uint32_t *n_values) {
  *n_values = node->op == IR_TILE_LOAD ? 0 : node->op == IR_TILE_CAS ? 2 : 1;
  switch ((int)node->op) {
  case IR_TILE_LOAD: return IR_LOAD;
  case IR_TILE_STORE: return IR_STORE;
  case IR_TILE_CAS: return IR_CAS;
  default: return IR_RMW;
  }
}

static void atomic_element(Lower *t, const TileIndex *index, void *context) {
  const SectionJob *job = context;
  const IrNode *node = job->node;
  uint32_t n_values;
  IrOp op = atomic_op(node, &n_values);
  IrNode *values[2];
  for (uint32_t i = 0; i < n_values; i++)
    values[i] = element_of(t, node->args[node->n_args - n_values + i], index);
  SectionPoint point = section_point(t, node, index);
  IrType type = job->shape.element;
  IrNode *outside = node->u.section.has_pad
                        ? cast_physical(t, node->args[node->n_args - 1])
                        : put_const(t, type, 0);
  uint32_t old = job->home ? put_var(t, type, outside) : 0;
  PutPlace place = {0};
  if (point.guard)
    place = put_if(t, point.guard);
  point.guard = NULL;
  IrNode *found = section_access(t, op, node, &point, values, n_values);
  if (job->home)
    put_set(t, old, found);
  if (place.statement)
    put_end(t, place);
  if (job->home)
    home_store_at(t, job->home, index, put_get(t, old));
}

static void atomic_all(Lower *t, void *context) {
  const SectionJob *job = context;
  nest_over(t, &job->shape, atomic_element, context);
}

void section_atomic(Lower *t, const IrNode *node, const TileHome *home) {
  bool is_store = node->op == IR_TILE_STORE;
  const IrNode *moved = is_store ? node->args[node->n_args - 1] : node;
  SectionJob job = {node, tile_shape_of_node(t, moved), home};
  section_emit(t, &node, 1, atomic_all, &job);
  put_sync(t);
}

void section_tell(Lower *t, IrOp op, const IrNode *node) {
  const IrObject *object = node->u.section.object;
  IrNode *args[2 * IR_MAX_RANK] = {0};
  uint32_t rank = object->rank;
  for (uint32_t k = 0; k < rank; k++)
    args[k] = args[rank + k] = node->args[k];
  IrNode *touch = put_node_of(t, op, put_void, args, 2 * rank);
  IrSection section = {.object = node->u.section.object};
  for (uint32_t k = 0; k < rank; k++)
    section.length[k] = node->u.section.kind[k] == SECTION_RANGE
                            ? node->u.section.length[k]
                            : 1;
  touch->u.copy.group = ir_node_group(t->kernel, node);
  touch->u.copy.to = touch->u.copy.from = section;
}
