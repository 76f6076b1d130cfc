// SPDX-License-Identifier: Apache-2.0
// Statements with narrow elements. Their values are cast back at once, so that
// the other statements, and what compares arrays, never see them.
#include "gen_state.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  uint32_t bits;
  bool is_float, is_packed;
} Narrow;

static const Narrow narrow[] = {
    {"e4m3", 8, true, false},  {"e5m2", 8, true, false},
    {"tf32", 32, true, false}, {"e2m1", 4, true, true},
    {"e2m3", 6, true, true},   {"e3m2", 6, true, true},
    {"e8m0", 8, true, true},   {"s1", 1, false, true},
    {"s2", 2, false, true},    {"s3", 3, false, true},
    {"s4", 4, false, true},    {"s5", 5, false, true},
    {"s6", 6, false, true},    {"s7", 7, false, true},
    {"u1", 1, false, true},    {"u2", 2, false, true},
    {"u3", 3, false, true},    {"u4", 4, false, true},
    {"u5", 5, false, true},    {"u6", 6, false, true},
    {"u7", 7, false, true},
};

enum { N_NARROW = sizeof narrow / sizeof *narrow, FIRST_PACKED = 3 };

static const Narrow *any_packed(Gen *g) {
  return &narrow[FIRST_PACKED + gen_below(g, N_NARROW - FIRST_PACKED)];
}

static const char *any_mode(Gen *g) {
  return gen_below(g, 3) == 0 ? ""
                              : arena_printf(g->arena, "[%u, %u] ",
                                             gen_below(g, 5), gen_below(g, 4));
}

static const char *maybe_unsigned(Gen *g) {
  return gen_below(g, 3) ? "" : ".unsigned";
}

static uint32_t cast_to_narrow(Gen *g, const Value *from, const Narrow *to) {
  uint32_t number = g->n_values++;
  text_printf(&g->body, "%%%u = tile_cast%s %s %s%%%u\n", number,
              maybe_unsigned(g), gen_tile_text(g, to->name, &from->shape),
              any_mode(g), from->number);
  return number;
}

static void cast_back(Gen *g, uint32_t number, Shape shape) {
  do
    shape.type = (int)gen_below(g, TILE_TYPES);
  while (shape.type == BOOL);
  gen_begin(g, arena_printf(g->arena, "tile_cast%s", maybe_unsigned(g)), shape,
            INFINITY, true);
  text_printf(&g->body, "%s%%%u\n", any_mode(g), number);
}

void gen_step_cast(Gen *g) {
  Value a = gen_any_value(g, NULL);
  if (gen_below(g, 2))
    cast_back(g, a.number, a.shape);
  else
    cast_back(g, cast_to_narrow(g, &a, &narrow[gen_below(g, N_NARROW)]),
              a.shape);
}

// ------------------------------------------------------------------- bits

// Bytes as elements of one type, and these as elements of another one.
void gen_step_bits(Gen *g) {
  const Narrow *one = any_packed(g), *other = any_packed(g);
  Shape shape = {.type = I8, .rank = 1 + gen_below(g, 2)};
  shape.extents[0] = 1 + gen_below(g, 3);
  uint32_t *last = &shape.extents[shape.rank - 1];
  *last = one->bits * other->bits * (1u << gen_below(g, 3));
  uint32_t row = *last * 8;
  if (!gen_is_legal(&shape))
    return;
  Value from = gen_value_like(g, I8, shape);
  uint32_t first = g->n_values++, second = g->n_values++;
  *last = row / one->bits;
  bool fits = gen_is_legal(&shape);
  const char *first_text = fits ? gen_tile_text(g, one->name, &shape) : "";
  *last = row / other->bits;
  if (!fits || !gen_is_legal(&shape))
    return;
  text_printf(&g->body, "%%%u = tile_bitcast %s %%%u\n", first, first_text,
              from.number);
  text_printf(&g->body, "%%%u = tile_bitcast %s %%%u\n", second,
              gen_tile_text(g, other->name, &shape), first);
  cast_back(g, second, shape);
}

// --------------------------------------------------------------- sections

static uint32_t whole_bytes_step(uint32_t bits) {
  uint32_t step = 8;
  for (; bits % 2 == 0 && step > 1; bits /= 2)
    step /= 2;
  return step;
}

// A store keeps to what programs owe: it begins where a byte does, and ends
// there or where the row does.
static int64_t first_column(Gen *g, const Narrow *type, bool is_store,
                            uint32_t columns, uint32_t length) {
  uint32_t step = is_store ? whole_bytes_step(type->bits) : 1;
  int64_t at = (int64_t)gen_below(g, columns + length) - length;
  if (is_store && length % step != 0 && at + length < columns)
    at = columns;
  at -= (at % step + step) % step;
  if (!is_store || length % step == 0 || at + length >= columns)
    return at;
  at = (int64_t)columns / step * step;
  return at + length >= columns ? at : at + step; // or all is outside
}

typedef struct {
  const char *text; // "@a4[%1, %2 : 8] view mask"
  const char *rest; // ", %3, %4, …"
} PackedSection;

static PackedSection packed_section(Gen *g, const Narrow *type, Shape shape,
                                    bool is_store) {
  uint32_t rank = shape.rank, number = (uint32_t)I8 * TILE_RANKS + rank - 1;
  const TileArrayShape *array = &g->program->arrays[number];
  Text text = {.arena = g->arena}, rest = {.arena = g->arena};
  text_printf(&text, "@a%u[", number);
  uint32_t bytes = array->extents[rank - 1];
  uint32_t columns = 1 + gen_below(g, bytes * 8 / type->bits);
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t length = shape.extents[i], extent = array->extents[i];
    int64_t at = i + 1 == rank
                     ? first_column(g, type, is_store, columns, length)
                     : (int64_t)gen_below(g, extent + length) - length;
    text_printf(&text, "%s%%%u : %u", i ? ", " : "",
                gen_constant(g, I64, at).number, length);
    uint32_t low = gen_constant(g, I64, 0).number;
    uint32_t high =
        gen_constant(g, I64, i + 1 == rank ? columns : extent).number;
    text_printf(&rest, ", %%%u, %%%u", low, high);
  }
  text_add(&text, "] view");
  if (gen_below(g, 3) == 0) {
    text_add(&text, " mask");
    text_printf(&rest, ", %%%u", gen_value_like(g, BOOL, shape).number);
  }
  return (PackedSection){text_cstr(&text), text_cstr(&rest) + 2};
}

void gen_step_packed(Gen *g) {
  const Narrow *type = any_packed(g);
  Value a = gen_any_value(g, NULL);
  if (a.shape.rank > TILE_RANKS)
    return;
  if (gen_below(g, 2)) {
    uint32_t value = cast_to_narrow(g, &a, type);
    PackedSection to = packed_section(g, type, a.shape, true);
    gen_sync(g);
    text_printf(&g->body, "tile_store %s = %s, %%%u\n", to.text, to.rest,
                value);
    gen_sync(g);
  }
  PackedSection from = packed_section(g, type, a.shape, false);
  uint32_t loaded = g->n_values++;
  text_printf(&g->body, "%%%u = tile_load %s %s = %s\n", loaded,
              gen_tile_text(g, type->name, &a.shape), from.text, from.rest);
  cast_back(g, loaded, a.shape);
}

// --------------------------------------------------------------- products

static uint32_t scaled_operand(Gen *g, Shape shape, const Narrow *type) {
  shape.type = F32;
  Value from = gen_value_like(g, F32, shape);
  return cast_to_narrow(g, &from, type);
}

void gen_step_scaled(Gen *g) {
  static const uint32_t kinds[] = {0, 1, 3, 4, 5}; // of narrow[]
  const Narrow *a_type = &narrow[kinds[gen_below(g, 5)]];
  const Narrow *b_type = &narrow[kinds[gen_below(g, 5)]];
  bool is_short = gen_below(g, 3) == 0; // NVFP4
  if (is_short)
    a_type = b_type = &narrow[3];
  const Narrow *scales = &narrow[is_short ? 0 : 6];
  uint32_t block = is_short ? 16 : 32, batch = gen_below(g, 2);
  uint32_t n_blocks = 1 + gen_below(g, 3);
  uint32_t m = 1 + gen_below(g, 8), n = 1 + gen_below(g, 12);
  Shape a = {.rank = batch + 2}, b, c, sa, sb;
  a.extents[0] = 2;
  a.extents[batch] = m;
  a.extents[batch + 1] = block * n_blocks;
  sa = sb = b = c = a;
  b.extents[batch] = block * n_blocks;
  c.extents[batch + 1] = sb.extents[batch + 1] = b.extents[batch + 1] = n;
  sa.extents[batch + 1] = sb.extents[batch] = n_blocks;
  c.type = F32;
  if (!gen_is_legal(&a) || !gen_is_legal(&b) || !gen_is_legal(&c))
    return;
  uint32_t args[4] = {
      scaled_operand(g, a, a_type), scaled_operand(g, sa, scales),
      scaled_operand(g, b, b_type), scaled_operand(g, sb, scales)};
  Value acc = gen_value_like(g, F32, c);
  gen_begin(g, "tile_mma_scaled", c, INFINITY, true);
  text_printf(&g->body, "%%%u, %%%u, %%%u, %%%u, %%%u\n", args[0], args[1],
              args[2], args[3], acc.number);
}
