// SPDX-License-Identifier: Apache-2.0
// Functions with control flow over elements of two tiles, and assertions.
#include "gen_state.h"

#include <math.h>

static uint32_t apply_var(Gen *g, const char *type) {
  text_printf(&g->vars, "var $%u %s\n", g->n_vars, type);
  return g->n_vars++;
}

// The body: r is x; y & 7 times r becomes r * x + x, until that is x; where y
// is negative it is x after all.
static void apply_body(Gen *g, const char *type, const char *pair,
                       uint32_t given, uint32_t result) {
  uint32_t i = apply_var(g, "i32"), n = g->n_values, label = 90000 + n;
  uint32_t x = n + 1, y = n + 2, none = n + 3, times = n + 5;
  g->n_values += 20;
  text_printf(&g->body,
              "%%%u = get %s $%u %%%u = extract %s [0] %%%u\n"
              "%%%u = extract i32 [1] %%%u %%%u = const i32 0\n"
              "%%%u = const i32 7 %%%u = and i32 %%%u, %%%u\n"
              "set $%u %%%u\n",
              n, pair, given, x, type, n, y, n, none, n + 4, times, y, n + 4,
              result, x);
  text_printf(&g->body,
              "for ^%u $%u step 1 signed %%%u, %%%u {\n"
              "%%%u = get %s $%u %%%u = mul %s %%%u, %%%u\n"
              "%%%u = add %s %%%u, %%%u set $%u %%%u\n",
              label, i, none, times, n + 6, type, result, n + 7, type, n + 6, x,
              n + 8, type, n + 7, x, result, n + 8);
  text_printf(&g->body,
              "%%%u = eq bool %%%u, %%%u if %%%u { exit ^%u } }\n"
              "%%%u = slt bool %%%u, %%%u if %%%u { set $%u %%%u }\n",
              n + 9, n + 8, x, n + 9, label, n + 10, y, none, n + 10, result,
              x);
}

void gen_step_apply(Gen *g) {
  Value a = gen_any_value(g, gen_is_int);
  Value b = gen_value_like(g, I32, a.shape);
  const char *type = tile_elements[a.shape.type].name;
  const char *pair = arena_printf(g->arena, "struct.%d", a.shape.type);
  const char *pairs = gen_tile_text(g, pair, &a.shape);
  uint32_t packed = g->n_values++;
  text_printf(&g->body, "%%%u = pack %s %%%u, %%%u\n", packed, pairs, a.number,
              b.number);
  uint32_t given = apply_var(g, pair), result = apply_var(g, type);
  gen_begin(g, "tile_map", a.shape, INFINITY, false);
  text_printf(&g->body, "by $%u $%u $%u %%%u {\n", given, given, result,
              packed);
  apply_body(g, type, pair, given, result);
  text_add(&g->body, "}\n");
}

// What is always true.
void gen_step_assert(Gen *g) {
  Value a = gen_any_value(g, gen_is_int);
  Shape shape = a.shape;
  shape.type = BOOL;
  Value same = gen_begin(g, "eq", shape, 1, false);
  text_printf(&g->body, "%%%u, %%%u\ntile_assert \"same\" %%%u\n", a.number,
              a.number, same.number);
}

// ---------------------------------------------------------------- threads

// An element of a tile for each thread, and a tile of these.
void gen_step_threads(Gen *g) {
  Value from = gen_any_value(g, NULL);
  if (g->n_threads == 1)
    return;
  uint32_t rank = g->n_values++, at[MOST_RANK];
  text_printf(&g->body, "%%%u = rank i32 #2\n", rank);
  for (uint32_t i = 0; i < from.shape.rank; i++) {
    uint32_t extent = gen_constant(g, I32, from.shape.extents[i]).number;
    at[i] = g->n_values++;
    text_printf(&g->body, "%%%u = urem i32 %%%u, %%%u\n", at[i], rank, extent);
  }
  uint32_t element = g->n_values++;
  text_printf(&g->body, "%%%u = tile_at %s %%%u", element,
              tile_elements[from.shape.type].name, from.number);
  for (uint32_t i = 0; i < from.shape.rank; i++)
    text_printf(&g->body, ", %%%u", at[i]);
  text_add(&g->body, "\n");
  Shape all = {.type = from.shape.type, .rank = 1};
  all.extents[0] = g->n_threads;
  gen_begin(g, "tile_collect", all, from.bound, from.is_wild);
  text_printf(&g->body, "%%%u, %%%u\n", element, rank);
}
