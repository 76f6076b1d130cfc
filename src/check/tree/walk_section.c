// SPDX-License-Identifier: Apache-2.0
// Sections of arrays that are loaded and stored as tiles. A touch is that of
// one element, any of the section: its index has symbols of its own (VALUE,
// `is_axis`) that range over the axes, and the path says that the element is
// inside, for what is outside is not touched. See Note [Tiles] in walk_tile.c.
#include "base/panic.h"
#include "check/tree/walk.h"
#include "ir/analyses/touches.h"
#include "ir/form/group_set.h"

// About the element that values of tiles of the section's shape are about.
typedef struct {
  Walk *w;
  const IrNode *node;
  const IrObject *object;
  IrTileShape shape;
  const Term *index[IR_MAX_RANK];
  const Term *at[IR_MAX_RANK]; // of its first byte, where elements are packed
  uint32_t width;              // bits of packed elements, or 0
  const Term *in_array, *in_view; // conditions; NULL: an extent isn't known
  const Term *mask;
  uint32_t next; // operand behind the mask
} Section;

static const Term *walk_section_axis(const Section *s, uint32_t axis) {
  return walk_axis(s->w, axis, s->shape.extents[axis]);
}

// An index tile's axes stand at `axis` and behind it.
static const Term *gathered(const Section *s, uint32_t k, uint32_t axis) {
  const IrTileShape *shape =
      ir_tile_shape(s->w->kernel->module, s->node->args[k]->type);
  const Term *at[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape->rank; i++)
    at[i] = walk_section_axis(s, axis + i);
  const Value *tile = walk_arg(s->w, s->node, k);
  return value_signed(s->w, walk_tile_at(s->w, tile, shape, at));
}

static void walk_section_indices(Section *s) {
  uint32_t axis = 0, gather_axis = UINT32_MAX;
  uint32_t rank = s->object->rank;
  for (uint32_t k = 0; k < rank; k++) {
    switch (s->node->u.section.kind[k]) {
    case SECTION_INDEX: s->index[k] = arg_signed(s->w, s->node, k); break;
    case SECTION_RANGE:
      s->index[k] = term_add(s->w->terms, arg_signed(s->w, s->node, k),
                             walk_section_axis(s, axis++));
      break;
    case SECTION_GATHER:
      if (gather_axis == UINT32_MAX) {
        gather_axis = axis;
        axis +=
            ir_tile_shape(s->w->kernel->module, s->node->args[k]->type)->rank;
      }
      s->index[k] = gathered(s, k, gather_axis);
      break;
    }
    if (s->node->u.section.has_view)
      s->index[k] = term_add(s->w->terms, s->index[k],
                             arg_signed(s->w, s->node, rank + 2 * k));
  }
}

static const Term *walk_section_between(Walk *w, const Term *low,
                                        const Term *at, const Term *high) {
  return term_and(w->terms, term_le(w->terms, low, at),
                  term_lt(w->terms, at, high));
}

// Note [Packed touches]
// The array's elements are bytes. A packed element touches the one in which its
// bits begin, and the one in which they end: two touches where these may
// differ. A store that leaves bits of a byte as they were writes them all the
// same, so that two blocks which store parts of one byte race.
static const Term *walk_packed_byte(const Section *s, const Term *index,
                                    uint32_t bit) {
  TermTable *t = s->w->terms;
  const Term *at = term_scale(t, index, s->width);
  return term_div(t, term_add(t, at, term_int(t, bit)), term_int(t, 8));
}

static void walk_packed(Section *s) {
  const IrNode *node = s->node;
  bool is_store = node->op == IR_TILE_STORE || node->op == IR_TENSOR_WRITE;
  const IrNode *holder = is_store ? node->args[node->n_args - 1] : node;
  IrType element = ir_element_type(s->w->kernel->module, holder->type);
  uint32_t last = s->object->rank - 1u;
  for (uint32_t k = 0; k <= last; k++)
    s->at[k] = s->index[k];
  if (!ir_type_is_packed(element))
    return;
  s->width = ir_type_bits(element);
  s->at[last] = walk_packed_byte(s, s->index[last], 0);
}

static void walk_section_bounds(Section *s) {
  TermTable *t = s->w->terms;
  s->in_array = s->in_view = term_true(t);
  for (uint32_t k = 0; k < s->object->rank; k++) {
    const Term *extent = tree_extent(s->w->tree, s->object, (int)k);
    if (!extent)
      s->in_array = NULL;
    if (s->in_array)
      s->in_array = term_and(
          t, s->in_array,
          walk_section_between(s->w, term_int(t, 0), s->at[k], extent));
    if (s->node->u.section.has_view) {
      uint32_t bound = s->object->rank + 2 * k;
      s->in_view =
          term_and(t, s->in_view,
                   walk_section_between(s->w, arg_signed(s->w, s->node, bound),
                                        s->index[k],
                                        arg_signed(s->w, s->node, bound + 1)));
    }
  }
}

static Section walk_section_of(Walk *w, const IrNode *node) {
  Section s = {.w = w, .node = node, .object = node->u.section.object};
  uint32_t rank;
  HD_ASSERT(ir_section_shape(w->kernel->module, node, &rank, s.shape.extents));
  s.shape.rank = (uint8_t)rank;
  walk_section_indices(&s);
  walk_packed(&s);
  walk_section_bounds(&s);
  s.next = ir_section_operands(node);
  s.mask = term_true(w->terms);
  if (node->u.section.has_mask)
    s.mask = walk_arg(w, node, s.next++)->term;
  return s;
}

// ------------------------------------------------------------------ touches

static void element_range(const Walk *w, const IrObject *object,
                          bool *is_signed, uint32_t *bits) {
  *is_signed =
      object->param < 0 || w->kernel->params.data[object->param].is_signed;
  *bits = ir_type_bits(object->element);
}

typedef struct {
  Walk *w;
  Map seen;
} Ranging;

// What is known of all elements of tables is known of those in the term.
static void push_table_ranges(Ranging *r, const Term *term) {
  Walk *w = r->w;
  uint64_t key = (uint64_t)term->id + 1;
  if (map_has(&r->seen, key))
    return;
  map_put(w->arena, &r->seen, key, w);
  for (uint32_t i = 0; i < term->n_args; i++)
    push_table_ranges(r, term->args[i]);
  for (uint32_t i = 0; i < term->n_parts; i++)
    push_table_ranges(r, term->parts[i].atom);
  bool is_signed;
  uint32_t bits;
  if (term->kind != TERM_APPLY || !ir_type_is_int(term->object->element))
    return;
  element_range(w, term->object, &is_signed, &bits);
  if (bits >= 64)
    return;
  int64_t low, high;
  type_range(bits, !is_signed, &low, &high);
  path_push_range(
      w, term_and(w->terms, term_le(w->terms, term_int(w->terms, low), term),
                  term_le(w->terms, term, term_int(w->terms, high))));
}

// Terms of the section, about an element that only this touch is about.
typedef struct {
  const Section *section;
  Map symbols;
  Ranging ranging;
} Own;

static const Term *own_symbol(const Symbol *symbol, void *context) {
  Own *own = context;
  Walk *w = own->section->w;
  if (!symbol->is_axis && !symbol->is_of_element)
    return NULL;
  uint64_t key = (uint64_t)symbol->id + 1;

  union {
    const Term *in;
    void *out;
  } known = {.out = map_get(&own->symbols, key)};

  if (known.out)
    return known.in;
  Symbol model = *symbol;
  model.loop = w->loop;
  model.origin = symbol->is_axis ? own->section->node : symbol->origin;
  model.copy_of = model.received_of = NULL;
  known.in = term_of(w->terms, term_symbol_new(w->terms, &model));
  map_put(w->arena, &own->symbols, key, known.out);
  return known.in;
}

static const Term *own_term(Own *own, const Term *term) {
  Walk *w = own->section->w;
  term = term_replace(w->terms, term, own_symbol, own);
  push_table_ranges(&own->ranging, term);
  return term;
}

static void push_own(Own *own, const Term *condition) {
  if (condition)
    path_push(own->section->w, own_term(own, condition));
}

static void section_note_element(const Symbol *symbol, void *context) {
  bool *is_any = context;
  *is_any |= symbol->is_axis || symbol->is_of_element;
}

// What assertions said of all elements of tiles, of this touch's element.
static void push_asserted(Own *own) {
  Walk *w = own->section->w;
  uint32_t n = w->path.count;
  for (uint32_t i = 0; i < n; i++) {
    const Term *condition = w->path.data[i];
    bool is_any = false;
    if (!map_has(&w->ranges, MAP_KEY(condition)))
      term_symbols(condition, section_note_element, &is_any);
    if (is_any)
      push_own(own, condition);
  }
}

static Touch *walk_section_touch(const Section *s, const IrTouch *done) {
  Walk *w = s->w;
  Touch *touch = ARENA_NEW(w->arena, Touch);
  touch->object = s->object;
  touch->n_index = s->object->rank;
  touch->byte = term_int(w->terms, 0);
  touch->n_bytes = s->object->element_bytes;
  touch->may_miss = done->bounds != BOUNDS_NONE;
  touch->is_read = done->is_read;
  touch->is_write = done->is_write;
  touch->is_atomic = done->is_atomic;
  touch->is_partial =
      !s->mask || walk_size(w, s->mask) > WALK_MAX_SIZE; // is left out
  touch->scope = done->scope;
  touch->proxy = done->proxy;
  touch->done = !done->goes_on                 ? DONE_AT_ONCE
                : ir_is_tensor_op(s->node->op) ? DONE_TENSOR
                                               : DONE_MATRIX;
  const IrGroup *group = ir_node_group(w->kernel, s->node);
  touch->copied_by = group_is_one_thread(group) ? NULL : group;
  return touch;
}

// An unchecked section owes what others have in their path; that elements are
// inside the array, bounds.c asks.
static void walk_section_emit(const Section *s, bool owes) {
  Walk *w = s->w;
  IrTouch done;
  HD_ASSERT(ir_main_touch(s->node, &done));
  Touch *touch = walk_section_touch(s, &done);
  Own own = {.section = s, .ranging = {.w = w}};
  uint32_t mark = w->path.count;
  for (uint32_t i = 0; i < s->shape.rank; i++)
    if (s->shape.extents[i] > 1)
      touch->axis[touch->n_axes++] =
          own_term(&own, walk_section_axis(s, i))->symbol;
  push_asserted(&own);
  push_own(&own, s->mask);
  for (uint32_t k = 0; k < s->object->rank; k++)
    touch->index[k] = own_term(&own, s->at[k]);
  if (owes && !touch->may_miss && s->node->u.section.has_view)
    (void)walk_oblige(w, s->node, OBLIGATION_INSIDE,
                      own_term(&own, s->in_view));
  push_own(&own, s->in_view);
  if (touch->may_miss)
    push_own(&own, s->in_array);
  step_new(w, STEP_TOUCH, s->node)->u.touch.touch = touch;
  path_pop(w, mark);
}

// ------------------------------------------------------------------- values

// The contents of an array that nobody writes are a function of the index.
static const Value *table_element(const Section *s) {
  Walk *w = s->w;
  const IrObject *object = s->object;
  bool is_fixed =
      object->space == SPACE_GLOBAL || object->space == SPACE_CONSTANT;
  if (s->node->op != IR_TILE_LOAD || walk_is_written(w, object) || !is_fixed ||
      s->width || !ir_type_is_int(object->element) || !s->in_array)
    return NULL;
  bool is_signed;
  uint32_t bits;
  element_range(w, object, &is_signed, &bits);
  const Term *term = term_apply(w->terms, object, s->index, object->rank);
  Ranging ranging = {.w = w};
  push_table_ranges(&ranging, term);
  return value_int(w, bits, term, is_signed, !is_signed);
}

// What the tile has where nothing is loaded.
static const Value *value_outside(const Section *s) {
  Walk *w = s->w;
  if (s->node->u.section.has_pad)
    return walk_arg(w, s->node, s->next);
  return value_int(w, ir_type_bits(s->object->element), term_int(w->terms, 0),
                   true, true);
}

static const Value *walk_section_value(const Section *s) {
  Walk *w = s->w;
  const Value *element = table_element(s);
  if (!element)
    return NULL;
  const Term *is_loaded = term_and(w->terms, s->mask, s->in_view);
  is_loaded = term_and(w->terms, is_loaded, s->in_array);
  const Value *value = value_merge(w, is_loaded, element, value_outside(s));
  return value->kind == VALUE_LOST ? NULL : value;
}

const Value *walk_section(Walk *w, const IrNode *node) {
  Section section = walk_section_of(w, node);
  if (!w->dry)
    walk_section_emit(&section, true);
  if (!w->dry && section.width && 8 % section.width != 0) {
    uint32_t last = section.object->rank - 1u;
    section.at[last] =
        walk_packed_byte(&section, section.index[last], section.width - 1);
    walk_section_emit(&section, false);
  }
  return walk_section_value(&section);
}
