// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_stage.h"

#include "base/bits.h"

enum {
  BANKS = 32, // of 4 bytes
  WORD_BYTES = 4,
  LINE_BYTES = BANKS * WORD_BYTES,
  VECTOR_BYTES = 16, // of the widest access
};

// Note [Free of conflicts]: let an access of a layout move the vectors of a
// space V of registers at once, and P be the lanes of a part. Then V + P, as
// elements, are at most 128 bytes, which have no conflict if their offsets
// differ below bit 7 of a byte's address: if they share only 0 with what the
// bits above stand for. This must hold for the store and the load. Any two
// subspaces have a third that is apart from both (bit_space_apart), so there
// always are such bits. What is below them is free, but for the vectors, which
// come first: those of one access must be among those of the other.

// One of both accesses.
typedef struct {
  const TileLayout *layout;
  BitSpace registers; // elements
  BitSpace vector;    // those of one access
} StageSide;

static uint32_t log2_elements(uint32_t bytes, uint32_t element_bits) {
  return bits_log2(8 * bytes) - bits_log2(element_bits);
}

static void grow_vector(StageSide *side, const BitSpace *from, uint32_t dim) {
  for (uint32_t i = 0; i < from->dim && side->vector.dim < dim; i++)
    bit_space_add(&side->vector, from->rows[i]);
}

// How many accesses both sides have, if only this one's are of `dim` bits.
static uint64_t accesses_with(const StageSide *side, const StageSide *other,
                              uint32_t dim) {
  uint32_t most = side->registers.dim;
  return (UINT64_C(1) << (most - (dim < most ? dim : most))) +
         (UINT64_C(1) << (other->registers.dim - other->vector.dim));
}

// Both move what is in registers of both. If that is less than 16 bytes, one
// of them moves more.
static void choose_vectors(StageSide *from, StageSide *to, uint32_t dim) {
  BitSpace common = bit_space_meet(&from->registers, &to->registers);
  grow_vector(from, &common, dim);
  grow_vector(to, &common, dim);
  StageSide *wider =
      accesses_with(from, to, dim) <= accesses_with(to, from, dim) ? from : to;
  grow_vector(wider, &wider->registers, dim);
}

// The elements of a part of an access.
static BitSpace part_elements(const StageSide *side, uint32_t element_bits) {
  const TileLayout *layout = side->layout;
  uint32_t lanes = log2_elements(LINE_BYTES, element_bits) - side->vector.dim;
  lanes = lanes < 5 ? lanes : 5;
  uint64_t mask = layout_bits_of(layout, PLACE_LANE) &
                  bit_mask(layout_first_bit(layout, PLACE_LANE) + lanes);
  BitSpace in = bit_space_of(mask);
  BitSpace elements = bit_map_image(&layout->map, &in);
  return bit_space_sum(&side->vector, &elements);
}

static void add_offsets(TileLayout *shared, const BitSpace *elements) {
  for (uint32_t i = 0; i < elements->dim; i++)
    layout_add_bit(shared, PLACE_OFFSET, elements->rows[i]);
}

static StageSide stage_side(const TileLayout *layout) {
  BitSpace in = bit_space_of(layout_bits_of(layout, PLACE_REGISTER));
  return (StageSide){.layout = layout,
                     .registers = bit_map_image(&layout->map, &in)};
}

static TileLayout stage_shape(const TileLayout *layout) {
  TileLayout shape = {.rank = layout->rank, .map.n_out = layout->map.n_out};
  for (uint32_t i = 0; i < layout->rank; i++) {
    shape.odd[i] = layout->odd[i];
    shape.bits[i] = layout->bits[i];
  }
  return shape;
}

LayoutStage layout_stage(const TileLayout *from, const TileLayout *to,
                         uint32_t element_bits) {
  HD_ASSERT(layout_same_shape(from, to) && element_bits >= 8);
  StageSide store = stage_side(from), load = stage_side(to);
  choose_vectors(&store, &load, log2_elements(VECTOR_BYTES, element_bits));
  BitSpace whole = bit_space_of(bit_mask(from->map.n_out));
  BitSpace stored = part_elements(&store, element_bits);
  BitSpace loaded = part_elements(&load, element_bits);
  BitSpace apart = bit_space_apart(&stored, &loaded, &whole);
  uint32_t line = log2_elements(LINE_BYTES, element_bits);
  apart.dim = whole.dim > line ? whole.dim - line : 0;

  bool store_is_wider = store.vector.dim > load.vector.dim;
  const BitSpace *narrow = store_is_wider ? &load.vector : &store.vector;
  const BitSpace *wide = store_is_wider ? &store.vector : &load.vector;
  BitSpace wider_by = bit_space_complement(narrow, wide);
  BitSpace placed = bit_space_sum(wide, &apart);
  BitSpace in_line = bit_space_complement(&placed, &whole);
  LayoutStage stage = {.shared = stage_shape(from),
                       .store_elements = 1U << store.vector.dim,
                       .load_elements = 1U << load.vector.dim};
  add_offsets(&stage.shared, narrow);
  add_offsets(&stage.shared, &wider_by);
  add_offsets(&stage.shared, &in_line);
  add_offsets(&stage.shared, &apart);
  for (uint32_t i = from->rank; i-- > 0;) {
    if (from->odd[i] > 1)
      layout_add_odd(&stage.shared, PLACE_OFFSET, from->odd[i], (int)i);
  }
  return stage;
}

// -------------------------------------------------------------------- banks

typedef struct {
  const TileLayout *layout, *shared;
  BitMap offsets; // of elements
  uint32_t access_bytes, lanes_of_part, element_bits, elements;
} BankAccess;

// The registers that are neighbours at offsets, as bits of the layout's places.
static bool find_vector(const TileLayout *layout, const TileLayout *shared,
                        uint32_t dim, BitSpace *out) {
  *out = (BitSpace){0};
  for (uint32_t i = 0; i < shared->n_odds; i++) {
    if (shared->odds[i].below < dim)
      return false;
  }
  uint64_t registers = layout_bits_of(layout, PLACE_REGISTER), in;
  for (uint32_t i = 0; i < dim; i++) {
    if (i >= shared->place_bits[PLACE_OFFSET] ||
        !bit_map_solve(&layout->map, registers, shared->map.columns[i], &in))
      return false;
    bit_space_add(out, in);
  }
  return true;
}

// The first byte of what the lane accesses together with this register.
static uint32_t bank_byte(const BankAccess *access, uint32_t reg,
                          uint32_t lane) {
  LayoutPlace place = {{[PLACE_REGISTER] = reg, [PLACE_LANE] = lane}};
  TileIndex index = layout_at(access->layout, &place);
  uint32_t offset =
      layout_find(access->shared, &access->offsets, &index).of[PLACE_OFFSET];
  return (offset & ~(access->elements - 1)) * access->element_bits / 8;
}

// How many turns the lanes from `first` on take.
static uint32_t turns_of_part(const BankAccess *access, uint32_t reg,
                              uint32_t first) {
  uint32_t words[BANKS][BANKS * 4], counts[BANKS] = {0}, most = 1;
  for (uint32_t i = 0; i < access->lanes_of_part; i++) {
    uint32_t byte = bank_byte(access, reg, first + i);
    for (uint32_t at = 0; at < access->access_bytes; at += WORD_BYTES) {
      uint32_t word = (byte + at) / WORD_BYTES, bank = word % BANKS, k = 0;
      while (k < counts[bank] && words[bank][k] != word)
        k++;
      words[bank][k] = word;
      if (k == counts[bank])
        counts[bank]++;
      most = counts[bank] > most ? counts[bank] : most;
    }
  }
  return most;
}

bool layout_count_banks(const TileLayout *layout, const TileLayout *shared,
                        uint32_t element_bits, uint32_t elements,
                        BankCount *out) {
  HD_ASSERT(bits_is_power(elements) && element_bits >= 8 &&
            elements * element_bits <= 8 * VECTOR_BYTES);
  BitSpace vector;
  if (!find_vector(layout, shared, bits_log2(elements), &vector))
    return false;
  uint32_t bytes = elements * element_bits / 8;
  uint32_t lanes = layout_count(layout, PLACE_LANE);
  uint32_t part = bytes > WORD_BYTES ? LINE_BYTES / bytes : BANKS;
  BankAccess access = {layout,
                       shared,
                       bit_map_invert(&shared->map),
                       bytes,
                       part < lanes ? part : lanes,
                       element_bits,
                       elements};
  BitSpace registers = bit_space_of(layout_bits_of(layout, PLACE_REGISTER));
  BitSpace kernel = bit_map_kernel(&layout->map);
  BitSpace copies = bit_space_meet(&kernel, &registers);
  BitSpace done = bit_space_sum(&vector, &copies);
  BitSpace others = bit_space_complement(&done, &registers);
  uint32_t digits = layout_count(layout, PLACE_REGISTER) >> registers.dim;
  *out = (BankCount){.n_accesses = digits << others.dim};
  for (uint32_t i = 0; i < out->n_accesses; i++) {
    uint64_t bits = bit_space_vector(&others, i & bit_mask(others.dim));
    uint32_t reg = (uint32_t)bits + (i >> others.dim << registers.dim);
    for (uint32_t lane = 0; lane < lanes; lane += access.lanes_of_part) {
      out->n_turns += turns_of_part(&access, reg, lane);
      out->n_parts++;
    }
  }
  return true;
}
