// SPDX-License-Identifier: Apache-2.0
// What the files of the generator share: shapes, values, sections.
#ifndef HD_FUZZ_TILES_GEN_STATE_H
#define HD_FUZZ_TILES_GEN_STATE_H

#include "base/text.h"
#include "base/vec.h"
#include "gen.h"

enum { BOOL, I8, I16, I32, I64, F16, BF16, F32, F64 };

enum { MOST_RANK = 5, MOST_ELEMENTS = 2048, MOST_TILE_TYPES = 400 };

typedef struct {
  int type;
  uint32_t rank;
  uint32_t extents[MOST_RANK];
} Shape;

typedef struct {
  uint32_t number; // %number
  Shape shape;
  double bound; // integers of at most this size; infinity: anything
  bool is_wild; // may have NaNs, whose bits may differ
} Value;

typedef struct {
  uint32_t var;
  Shape shape;
} Variable;

typedef struct {
  Arena *arena;
  uint64_t random;
  Text types, vars, body;
  const char *rows[MOST_TILE_TYPES];
  uint32_t n_rows, n_values, n_vars;
  hd_vec(Value) values;
  hd_vec(Variable) variables;
  TileProgram *program;
  uint32_t depth, budget;
  uint32_t n_threads; // 1: a tile kernel; else the block holds the tiles
  TileSums sums;
} Gen;

typedef struct {
  const char *text; // "@a[…] view mask pad …"
  const char *rest; // operands behind the indices: ", %3, %4"
  bool is_injective;
} Section;

void gen_sync(Gen *g);         // gen.c
void gen_step_threads(Gen *g); // gen_apply.c
uint32_t gen_below(Gen *g, uint32_t n);
bool gen_is_float(int type);
bool gen_is_int(int type);
uint32_t gen_count_of(const Shape *shape);
uint32_t gen_odd_part(uint32_t n);
bool gen_is_legal(const Shape *shape);
uint32_t gen_random_extent(Gen *g);
Shape gen_random_shape(Gen *g, int type, uint32_t rank);
const char *gen_tile_text(Gen *g, const char *element, const Shape *shape);
const char *gen_type_text(Gen *g, const Shape *shape);
Value gen_begin(Gen *g, const char *op, Shape shape, double bound,
                bool is_wild);
Value gen_constant(Gen *g, int type, int64_t number);
Value gen_broadcast_of(Gen *g, Value from, Shape shape);
Value gen_counted(Gen *g, Shape shape);
Value gen_value_like(Gen *g, int type, Shape shape);
Value gen_any_value(Gen *g, bool (*filter)(int type));
bool gen_is_number(int type);
Section gen_random_section(Gen *g, Shape shape, bool is_load,
                           bool needs_injective);
const char *gen_behind(Gen *g, const Section *section, const char *values);
// " order … scope device" for some loads and stores, else "".
const char *gen_order(Gen *g, int type, bool is_load);
Value gen_loaded(Gen *g, Shape shape);
// gen_product.c: the whole body.
void gen_product(Gen *g);
// Of bf16, f16 or f32: integers of at most 8, rounded down, in place of all
// other numbers. In what order they are added up doesn't show.
Value gen_clean(Gen *g, Value a);
// Where sums are known: mostly something that isn't a small integer.
Value gen_factor(Gen *g, Value a);
// Products of such operands aren't one chain of fma.
bool gen_cleans_products(const Gen *g, int type);
// gen_apply.c
void gen_step_apply(Gen *g);
void gen_step_assert(Gen *g);
// gen_narrow.c
void gen_step_cast(Gen *g);
void gen_step_bits(Gen *g);
void gen_step_packed(Gen *g);
void gen_step_scaled(Gen *g);
Value gen_small_integers(Gen *g, int type, Shape shape);

#endif
