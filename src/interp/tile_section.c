// SPDX-License-Identifier: Apache-2.0
// Sections of arrays as tiles: loads, stores and atomics, element by element in
// row-major order. Indices are mathematical integers: what doesn't fit in 64
// bits is outside.
#include "interp/eval.h"
#include "interp/tile.h"
#include "ir/form/group_set.h"
#include <string.h>

// What an operation has, by dimension of the object or axis of the tile.
typedef struct {
  Machine *m;
  Thread *t;
  const Insn *insn;
  const ObjectPlace *place;
  char *base;
  const IrTileShape *shape;      // of the tile that is moved
  uint32_t size;                 // bytes of an element
  uint8_t kind;                  // of an element
  int64_t first[IR_MAX_RANK];    // of a range, or the index
  uint32_t axis[IR_MAX_RANK];    // of the tile, that a range is
  TileValue *index[IR_MAX_RANK]; // of gathered dimensions
  uint8_t index_kind[IR_MAX_RANK];
  uint32_t gather_axis, gather_rank;           // axes of the index tiles' shape
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK]; // what is inside
  int64_t origin[IR_MAX_RANK];                 // what indices count from
  TileValue *mask, *outside, *values[2];       // or NULL
  uint32_t at[IR_MAX_TILE_RANK];               // the current element
  uint64_t number;                             // the same in row-major order
  uint32_t width;                              // of packed elements; else 0
  uint32_t bit;                                // where one is in its byte
  uint64_t n_owners, rank; // of stores: threads of the group, the calling one

  struct {                // a byte that is being stored
    char *address;        // NULL: none
    uint32_t bits, value; // of its bits those that change
    uint64_t number;      // of its first element
  } byte;
} Section;

// ------------------------------------------------------------------- setup

// Whether a tile operand could be made.
static bool section_take(Section *s, uint32_t operand, TileValue **out) {
  *out = tile_operand(s->m, s->t, s->insn, operand);
  return *out != NULL;
}

static int64_t section_number(const Section *s, uint32_t operand) {
  uint32_t bits = ir_type_bits(s->insn->node->args[operand]->type);
  return eval_signed(*machine_operand(s->m, s->t, s->insn, operand), bits);
}

// Axes of the tile in the order of the dimensions; those of the index tiles
// stand where the first of them is.
static bool tile_section_indices(Section *s) {
  const IrNode *node = s->insn->node;
  const IrModule *module = s->m->program->kernel->module;
  uint32_t axis = 0;
  for (uint32_t i = 0; i < s->place->object->rank; i++) {
    if (node->u.section.kind[i] != SECTION_GATHER) {
      s->first[i] = section_number(s, i);
      s->axis[i] = axis;
      axis += node->u.section.kind[i] == SECTION_RANGE;
      continue;
    }
    const IrTileShape *index = ir_tile_shape(module, node->args[i]->type);
    s->index_kind[i] = index->element.kind;
    if (s->gather_rank == 0) {
      s->gather_axis = axis;
      s->gather_rank = index->rank;
      axis += index->rank;
    }
    if (!section_take(s, i, &s->index[i]))
      return false;
  }
  return true;
}

static void section_bounds(Section *s) {
  uint32_t rank = s->place->object->rank;
  for (uint32_t i = 0; i < rank; i++) {
    s->low[i] = s->place->has_extents ? 0 : INT64_MIN;
    s->high[i] = s->place->has_extents ? s->place->extents[i] : INT64_MAX;
    if (s->width && i + 1 == rank && s->place->has_extents)
      s->high[i] = s->high[i] > INT64_MAX / 8 ? INT64_MAX / (int64_t)s->width
                                              : s->high[i] * 8 / s->width;
    if (!s->insn->node->u.section.has_view)
      continue;
    int64_t low = section_number(s, rank + 2 * i);
    int64_t high = section_number(s, rank + 2 * i + 1);
    s->origin[i] = low;
    s->low[i] = low > s->low[i] ? low : s->low[i];
    s->high[i] = high < s->high[i] ? high : s->high[i];
  }
}

static bool section_rest(Section *s) {
  const IrNode *node = s->insn->node;
  uint32_t next = ir_section_operands(node);
  if (node->u.section.has_mask && !section_take(s, next++, &s->mask))
    return false;
  if (node->u.section.has_pad && !section_take(s, next++, &s->outside))
    return false;
  for (uint32_t i = 0; next < node->n_args; i++)
    if (!section_take(s, next++, &s->values[i]))
      return false;
  return true;
}

static bool section_begin(Section *s) {
  const IrNode *node = s->insn->node;
  const IrModule *module = s->m->program->kernel->module;
  IrType moved = node->op == IR_TILE_STORE ? node->args[node->n_args - 1]->type
                                           : node->type;
  s->place = launch_place(s->m->launch, node->u.section.object);
  s->base = machine_base(s->m, s->t, s->place);
  s->shape = ir_tile_shape(module, moved);
  s->kind = s->shape->element.kind;
  s->size = machine_kind_bytes[s->kind];
  if (ir_type_is_packed(s->shape->element))
    s->width = ir_type_bits(s->shape->element);
  section_bounds(s);
  return tile_section_indices(s) && section_rest(s);
}

static void section_end(Section *s) {
  for (uint32_t i = 0; i < IR_MAX_RANK; i++)
    tile_release(s->m, s->index[i]);
  tile_release(s->m, s->mask);
  tile_release(s->m, s->outside);
  tile_release(s->m, s->values[0]);
  tile_release(s->m, s->values[1]);
}

// ---------------------------------------------------------------- elements

static int64_t gathered_index(const Section *s, uint32_t dimension) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < s->gather_rank; i++) {
    uint32_t axis = s->gather_axis + i;
    number = number * s->shape->extents[axis] + s->at[axis];
  }
  uint8_t kind = s->index_kind[dimension];
  uint64_t value = machine_read(
      s->index[dimension]->bytes + number * machine_kind_bytes[kind], kind);
  return eval_signed(value, ir_type_bits(ir_scalar((IrTypeKind)kind)));
}

// False: beyond 64 bits, which is outside of all extents.
static bool index_along(const Section *s, uint32_t dimension, int64_t *index) {
  int64_t first = s->first[dimension], more = 0, sum;
  switch (s->insn->node->u.section.kind[dimension]) {
  case SECTION_INDEX: break;
  case SECTION_GATHER: first = gathered_index(s, dimension); break;
  case SECTION_RANGE: more = s->at[s->axis[dimension]]; break;
  }
  // In an order in which only a sum that is too large or small overflows.
  int64_t origin = s->origin[dimension], second = first < 0 ? more : origin;
  int64_t third = first < 0 ? origin : more;
  if (!__builtin_add_overflow(first, second, &sum) &&
      !__builtin_add_overflow(sum, third, index))
    return true;
  *index = first < 0 ? INT64_MIN : INT64_MAX;
  return false;
}

// True if an observer goes on, for which the element is outside.
static bool section_outside(const Section *s, uint32_t dimension,
                            int64_t index) {
  const ObjectPlace *place = s->place;
  bool is_in_array =
      !place->has_extents || (index >= 0 && index < place->extents[dimension]);
  FaultArgs args = {.name = place->object->name,
                    .numbers = {index, dimension, place->extents[dimension]}};
  if (is_in_array) {
    args.numbers[2] = s->low[dimension];
    args.numbers[3] = s->high[dimension];
  }
  return machine_trap(s->m, s->t, s->insn->node,
                      is_in_array ? FAULT_CODE_VIEW : FAULT_CODE_INDEX, &args);
}

static uint32_t bytes_moved(const Section *s) {
  return s->width ? (s->bit + s->width + 7) / 8 : s->size;
}

static bool outside_memory(const Section *s, int64_t at) {
  FaultArgs args = {
      .name = s->place->object->name,
      .numbers = {bytes_moved(s), at, (int64_t)s->place->size_bytes}};
  return machine_trap(s->m, s->t, s->insn->node, FAULT_CODE_BYTES, &args);
}

static bool section_address(const Section *s, const int64_t *index,
                            char **address) {
  int64_t elements = 0, at = 0, part = 0;
  bool is_over = false;
  for (uint32_t i = 0; i < s->place->object->rank; i++)
    is_over |= __builtin_mul_overflow(index[i], s->place->strides[i], &part) ||
               __builtin_add_overflow(elements, part, &elements);
  is_over |= __builtin_mul_overflow(
      elements, (int64_t)s->place->object->element_bytes, &at);
  if (is_over || at < 0 || (uint64_t)at > s->place->size_bytes ||
      bytes_moved(s) > s->place->size_bytes - (uint64_t)at)
    return outside_memory(s, is_over ? INT64_MAX : at);
  *address = s->base + at;
  return true;
}

// An index that counts packed elements becomes that of the byte in which the
// element begins. It is below 2^63 / 8.
static void section_to_byte(Section *s, int64_t *index) {
  if (!s->width)
    return;
  int64_t at = *index * s->width;
  s->bit = (uint32_t)(at & 7);
  *index = at >> 3;
}

// Where the current element is; NULL: nothing is to be done. False after a
// fault.
static bool section_find(Section *s, char **address) {
  int64_t index[IR_MAX_RANK];
  *address = NULL;
  if (s->mask && !s->mask->bytes[s->number])
    return true;
  for (uint32_t i = 0; i < s->place->object->rank; i++) {
    bool fits = index_along(s, i, &index[i]);
    if (fits && index[i] >= s->low[i] && index[i] < s->high[i])
      continue;
    return !s->insn->node->u.section.is_unchecked ||
           section_outside(s, i, index[i]);
  }
  section_to_byte(s, &index[s->place->object->rank - 1]);
  return section_address(s, index, address);
}

// -------------------------------------------------------------- operations

static void section_observe(const Section *s, const char *address,
                            uint64_t value) {
  bool is_store = s->insn->op == IR_TILE_STORE;
  uint32_t op_bytes = is_store ? s->size : bytes_moved(s);
  const InterpObserver *observer = s->m->observer;
  const IrNode *node = s->insn->node;
  IrOrder order = node->u.section.order;
  if (!observer || !observer->access || s->place->object->space == SPACE_LOCAL)
    return;
  uint32_t memory = ir_op_info(node)->memory;
  ObservedThread thread = machine_observed(s->m, s->t);
  ObservedAccess told = {
      .node = node,
      .address = (uint64_t)(uintptr_t)address,
      .n_bytes = op_bytes,
      .reads = memory & MEM_READ,
      .writes = memory & MEM_WRITE,
      .is_atomic = order != ORDER_PLAIN,
      .acquires = order == ORDER_ACQUIRE || order == ORDER_ACQ_REL,
      .releases = order == ORDER_RELEASE || order == ORDER_ACQ_REL,
      .scope = node->u.section.scope,
      .element = (uint32_t)(s->byte.address ? s->byte.number : s->number),
      .operation = s->m->n_sections,
      .value = is_store ? fingerprint_bytes(&value, sizeof value) : 0};
  observer->access(observer->context, &thread, &told);
}

static uint64_t section_value(const Section *s, uint32_t number) {
  return machine_read(s->values[number]->bytes + s->number * s->size, s->kind);
}

static uint64_t section_read(const Section *s, const char *address) {
  uint64_t value = 0;
  if (!s->width) {
    value = machine_read(address, s->kind);
    return s->kind == IR_TYPE_TF32 ? value & ~UINT64_C(0x1fff) : value;
  }
  memcpy(&value, address, bytes_moved(s));
  return value >> s->bit & eval_mask(s->width);
}

static void section_load(const Section *s, const char *address, TileValue *to) {
  char *element = to->bytes + s->number * s->size;
  if (address)
    machine_write(element, s->kind, section_read(s, address));
  else if (s->outside)
    memcpy(element, s->outside->bytes, s->size);
  if (address)
    section_observe(s, address, 0);
}

static void section_store(const Section *s, char *address) {
  uint64_t value = section_value(s, 0);
  section_observe(s, address, value);
  machine_write(address, s->kind, value);
  machine_note_set(s->m, address, s->size, true);
  s->m->n_writes++;
}

// The byte is written once, with all elements in it.
static void section_put_byte(Section *s) {
  char *address = s->byte.address;
  if (!address)
    return;
  uint8_t old = (uint8_t)*address;
  uint8_t value = (uint8_t)((old & ~s->byte.bits) | s->byte.value);
  section_observe(s, address, value);
  machine_write(address, IR_TYPE_I8, value);
  machine_note_set(s->m, address, 1, true);
  s->m->n_writes++;
  s->byte.address = NULL;
}

static void section_put_bits(Section *s, char *address, uint32_t bits,
                             uint32_t value) {
  if (s->byte.address != address) {
    section_put_byte(s);
    s->byte.address = address;
    s->byte.bits = s->byte.value = 0;
    s->byte.number = s->number;
  }
  s->byte.bits |= bits;
  s->byte.value = (s->byte.value & ~bits) | value;
}

// The rest of the byte after the last element of a row is zero.
static void section_store_packed(Section *s, char *address) {
  uint32_t value = (uint32_t)section_value(s, 0) << s->bit;
  uint32_t bits = (uint32_t)eval_mask(s->width) << s->bit;
  uint32_t last = s->place->object->rank - 1;
  int64_t index;
  if (index_along(s, last, &index) && index + 1 == s->high[last])
    bits |= 0xffffu << (s->bit + s->width);
  section_put_bits(s, address, bits & 0xff, value & 0xff);
  if (s->bit + s->width > 8)
    section_put_bits(s, address + 1, bits >> 8 & 0xff, value >> 8 & 0xff);
}

static void section_update(const Section *s, char *address, TileValue *to) {
  const IrNode *node = s->insn->node;
  uint64_t old = machine_read(address, s->kind), given = section_value(s, 0);
  uint64_t updated = old;
  section_observe(s, address, 0);
  if (node->op == IR_TILE_RMW)
    updated =
        machine_updated(node->u.section.rmw, s->shape->element, old, given);
  else if (old == given)
    updated = section_value(s, 1);
  machine_write(address, s->kind, updated);
  if (node->op == IR_TILE_RMW && node->u.section.rmw == RMW_EXCH)
    machine_note_set(s->m, address, s->size, true);
  machine_write(to->bytes + s->number * s->size, s->kind, old);
  s->m->n_writes += updated != old;
}

// Which thread of a group touches which element is unspecified. Here all of
// them load all elements, and each stores some: others by each store of the
// program.
// What `op=` loads is loaded by who stores it; nobody else looks at it.
static bool section_owns(const Section *s) {
  const IrNode *node = s->insn->node;
  uint64_t shift = node->u.section.is_update ? 0 : node->id;
  uint64_t number = s->width ? 0 : s->number;
  return (number + shift) % s->n_owners == s->rank;
}

static void section_owners(Section *s) {
  const IrKernel *kernel = s->m->program->kernel;
  const IrGroup *group = ir_node_group(kernel, s->insn->node);
  bool is_shared =
      s->insn->op == IR_TILE_STORE || s->insn->node->u.section.is_update;
  if (!is_shared || group_is_one_thread(group))
    return;
  s->n_owners = (uint64_t)group->size;
  s->rank = (uint64_t)group_context(s->m, s->t, group).rank;
}

// `to` is the result; NULL of stores.
static bool section_run(Section *s, TileValue *to) {
  s->m->n_sections++;
  s->t->did_poll |= ir_is_atomic(s->insn->node);
  do {
    char *address = NULL;
    bool is_owned = s->n_owners == 0 || section_owns(s);
    if (is_owned && !section_find(s, &address))
      return false;
    if (s->insn->op == IR_TILE_LOAD)
      section_load(s, address, to);
    else if (address && s->width)
      section_store_packed(s, address);
    else if (address && !to)
      section_store(s, address);
    else if (address)
      section_update(s, address, to);
    s->number++;
  } while (tile_next(s->shape->rank, s->shape->extents, s->at));
  section_put_byte(s);
  s->t->touched = NULL; // for `was_set`
  s->t->was_set = true;
  return true;
}

bool tile_section(Machine *m, Thread *t, const Insn *insn) {
  Section s = {.m = m, .t = t, .insn = insn};
  TileValue *to = NULL;
  bool is_good = section_begin(&s);
  if (is_good)
    section_owners(&s);
  if (is_good && insn->op != IR_TILE_STORE)
    is_good = (to = tile_new(m, t, insn->node, insn->node->type)) != NULL;
  is_good = is_good && section_run(&s, to);
  section_end(&s);
  if (is_good)
    return !to || tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}
