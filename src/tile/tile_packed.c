// SPDX-License-Identifier: Apache-2.0
// Sections of arrays of bytes as packed elements.
//
// Note [Packed rows]
// Column c of a row has the bits [c * w, (c + 1) * w). Elements are loaded one
// by one, from a byte and, where they reach into it, the next. Stores go by
// bytes: each is composed of all elements in it, so that no lane writes what
// another one does. The program owes that a section begins where a byte does,
// and ends there or where the row ends; what is left of a row's last byte is
// zero. Only under a mask a byte may keep some of its bits.
#include "ir/form/cast.h"
#include "tile/tile_parts.h"

static IrType packed_element(const Lower *t, const IrNode *node) {
  const IrNode *holder =
      node->op == IR_TILE_STORE ? node->args[node->n_args - 1] : node;
  return ir_element_type(t->kernel->module, holder->type);
}

bool packed_is(const Lower *t, const IrNode *node) {
  return ir_type_is_packed(packed_element(t, node));
}

uint32_t packed_width(const Lower *t, const IrNode *node) {
  return ir_type_bits(packed_element(t, node));
}

static IrNode *packed_narrow(Lower *t, IrNode *value, IrTypeKind kind) {
  return put_node(t, IR_TRUNC, ir_scalar(kind), 1, value);
}

static IrNode *packed_byte(Lower *t, IrNode *value) {
  return put_node(t, IR_ZEXT, put_type_i32, 1, value);
}

// ------------------------------------------------------------------- loads

IrNode *packed_load(Lower *t, const IrNode *load, const SectionPoint *point) {
  uint32_t width = packed_width(t, load);
  uint32_t last = load->u.section.object->rank - 1u;
  SectionPoint at = *point;
  IrNode *bit = put_times(t, point->index[last], width);
  at.index[last] = put_two(t, IR_ASHR, bit, put_i64(t, 3));
  IrNode *byte = section_access(t, IR_LOAD, load, &at, NULL, 0);
  if (width == 8)
    return byte;
  IrNode *shift = packed_narrow(t, bit, IR_TYPE_I32);
  shift = put_two(t, IR_AND, shift, put_i32(t, 7));
  IrNode *bits = packed_byte(t, byte);
  if (8 % width != 0) {
    at.guard = put_and(t, point->guard,
                       put_test(t, IR_SLT, put_i32(t, 8 - width), shift));
    at.index[last] = put_plus(t, at.index[last], 1);
    IrNode *next =
        packed_byte(t, section_access(t, IR_LOAD, load, &at, NULL, 0));
    bits = put_two(t, IR_OR, bits, put_two(t, IR_SHL, next, put_i32(t, 8)));
  }
  bits = put_two(t, IR_LSHR, bits, shift);
  bits = put_two(t, IR_AND, bits, put_i32(t, (1 << width) - 1));
  return packed_narrow(t, bits, IR_TYPE_I8);
}

// ------------------------------------------------------------------ stores

typedef struct {
  const IrNode *node, *value;
  IrTileShape shape; // of the value
  bool has_columns;  // its last axis is that of the array
  uint32_t length, width;
} PackedStore;

// What is known about one byte while it is composed.
typedef struct {
  const PackedStore *job;
  TileIndex index;    // of the byte
  IrNode *first;      // the element that its lowest bit is in
  IrNode *before;     // bits of that below the byte
  IrNode *low, *high; // elements of the row that are inside, i32
  IrNode *bits, *sum; // those that change, and their values, i32
} PackedByte;

// Elements that one byte has parts of, at most.
static uint32_t packed_in_byte(uint32_t width) {
  uint32_t most = 0;
  for (uint32_t bit = 0; bit < width; bit++) {
    bool occurs = false;
    for (uint32_t byte = 0; byte < width && !occurs; byte++)
      occurs = byte * 8 % width == bit;
    uint32_t n = (bit + 8 + width - 1) / width;
    most = occurs && n > most ? n : most;
  }
  return most;
}

static IrNode *packed_shifted(Lower *t, const PackedByte *byte, IrNode *value,
                              uint32_t up) {
  value = put_two(t, IR_SHL, value, put_i32(t, up));
  value = put_two(t, IR_LSHR, value, byte->before);
  return put_two(t, IR_AND, value, put_i32(t, 0xff));
}

// Element `i` from the first.
static void packed_add(Lower *t, PackedByte *byte, uint32_t i) {
  const PackedStore *job = byte->job;
  uint32_t width = job->width;
  IrNode *e = put_plus(t, byte->first, i);
  IrNode *is_there = put_and(t, put_test(t, IR_SLE, byte->low, e),
                             put_test(t, IR_SLT, e, byte->high));
  // The place of another element where there is none, so that it has one.
  IrNode *most = put_i32(t, (int64_t)job->length - 1);
  TileIndex at = byte->index;
  at.spread = NULL;
  if (job->has_columns) {
    at.at[at.rank - 1] = put_two(t, IR_SMIN, e, most);
    at = nest_index(t, &job->shape, at.at);
  }
  IrNode *value = cast_physical(t, element_of(t, job->value, &at));
  const IrNode *node = job->node;
  if (node->u.section.has_mask) {
    IrNode *mask = node->args[ir_section_operands(node)];
    is_there = put_and(t, is_there, element_of(t, mask, &at));
  }
  IrNode *zero = put_i32(t, 0), *all = put_i32(t, (1 << width) - 1);
  IrNode *bits = packed_shifted(t, byte, all, i * width);
  value = packed_shifted(t, byte, packed_byte(t, value), i * width);
  IrNode *rest = packed_shifted(t, byte, put_i32(t, 0xffff), (i + 1) * width);
  IrNode *is_end = put_test(t, IR_EQ, put_plus(t, e, 1), byte->high);
  bits = put_two(t, IR_OR, bits, put_select(t, is_end, rest, zero));
  bits = put_select(t, is_there, bits, zero);
  value = put_select(t, is_there, value, zero);
  byte->bits = byte->bits ? put_two(t, IR_OR, byte->bits, bits) : bits;
  byte->sum = byte->sum ? put_two(t, IR_OR, byte->sum, value) : value;
}

// Where the byte lies, and whether all other dimensions are inside.
static SectionPoint packed_place(Lower *t, const PackedByte *byte) {
  const PackedStore *job = byte->job;
  const IrNode *node = job->node;
  uint32_t last = node->u.section.object->rank - 1u;
  SectionPoint point = {.guard = NULL};
  uint32_t next = 0;
  for (uint32_t i = 0; i < last; i++) {
    bool is_range = node->u.section.kind[i] == SECTION_RANGE;
    section_along(t, node, i, is_range ? byte->index.at[next++] : NULL,
                  &byte->index, &point);
  }
  IrNode *bit =
      put_times(t, t->sections[node->id]->bounds[last].base, job->width);
  IrNode *at = put_two(t, IR_ASHR, bit, put_i64(t, 3));
  if (job->has_columns)
    at = put_add(t, at, put_wide(t, byte->index.at[byte->index.rank - 1]));
  point.index[last] = at;
  return point;
}

static void packed_bounds(Lower *t, PackedByte *byte) {
  const PackedStore *job = byte->job;
  uint32_t last = job->node->u.section.object->rank - 1u;
  const TileBound *bound = &t->sections[job->node->id]->bounds[last];
  bool is_tested = !t->assumes_inside && !job->node->u.section.is_unchecked;
  byte->low = put_i32(t, 0);
  byte->high = put_i32(t, job->length);
  if (!is_tested)
    return;
  if (job->has_columns) {
    byte->low = bound->low;
    byte->high = bound->high;
  } else {
    byte->high = put_select(t, bound->is_inside, byte->high, byte->low);
  }
}

static void packed_store_byte(Lower *t, const TileIndex *index, void *context) {
  const PackedStore *job = context;
  uint32_t width = job->width, n = packed_in_byte(width);
  PackedByte byte = {.job = job, .index = *index};
  IrNode *bit = put_i32(t, 0);
  if (job->has_columns)
    bit = put_times(t, index->at[index->rank - 1], 8);
  bool is_even = 8 % width == 0;
  byte.first = put_two(t, IR_UDIV, bit, put_i32(t, width));
  byte.before =
      is_even ? put_i32(t, 0) : put_two(t, IR_UREM, bit, put_i32(t, width));
  packed_bounds(t, &byte);
  for (uint32_t i = 0; i < (job->has_columns ? n : 1); i++)
    packed_add(t, &byte, i);
  SectionPoint point = packed_place(t, &byte);
  IrNode *is_any = put_test(t, IR_NE, byte.bits, put_i32(t, 0));
  point.guard = put_and(t, point.guard, is_any);
  if (job->node->u.section.has_mask) {
    IrNode *old =
        packed_byte(t, section_access(t, IR_LOAD, job->node, &point, NULL, 0));
    IrNode *kept = put_node(t, IR_NOT, put_type_i32, 1, byte.bits);
    old = put_two(t, IR_AND, old, kept);
    byte.sum = put_two(t, IR_OR, byte.sum, old);
  }
  IrNode *value = packed_narrow(t, byte.sum, IR_TYPE_I8);
  section_access(t, IR_STORE, job->node, &point, &value, 1);
}

void packed_store_all(Lower *t, const IrNode *node) {
  const IrNode *value = node->args[node->n_args - 1];
  uint32_t last = node->u.section.object->rank - 1u;
  PackedStore job = {.node = node,
                     .value = value,
                     .shape = tile_shape_of_node(t, value),
                     .length = 1,
                     .width = packed_width(t, node)};
  IrTileShape bytes = job.shape;
  job.has_columns = node->u.section.kind[last] == SECTION_RANGE;
  if (job.has_columns) {
    job.length = node->u.section.length[last];
    bytes.extents[bytes.rank - 1] = (job.length * job.width + 7) / 8;
  }
  nest_over(t, &bytes, packed_store_byte, &job);
}
