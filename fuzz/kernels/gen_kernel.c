// SPDX-License-Identifier: Apache-2.0
// Whole programs: types, tables, functions, a kernel and its parameters.
#include "gen_state.h"
#include <string.h>

enum { INPUT_ELEMENTS = 64, MAX_BLOCKS = 4 };

typedef struct {
  int32_t x, y, z;
} Shape;

static Shape block_shape(Gen *g) {
  static const Shape shapes[] = {
      {32, 1, 1},  {64, 1, 1}, {33, 1, 1}, {100, 1, 1}, {7, 5, 3},
      {128, 1, 1}, {1, 1, 1},  {31, 1, 1}, {16, 4, 1},  {8, 8, 2},
      {5, 13, 1},  {2, 3, 4},  {96, 1, 1}, {256, 1, 1}};
  return shapes[gen_below(g, sizeof shapes / sizeof *shapes)];
}

// -------------------------------------------------------------- functions

static void small_body(Gen *g, uint32_t statements) {
  g->budget = (int32_t)statements;
  g->indent = 1;
  gen_block(g);
}

static void function(Gen *g) {
  GenFunction made = {.name = gen_name(g, "f"), .result = gen_any_type(g)};
  made.n_params = 1 + gen_below(g, 3);
  Text head = {.arena = g->arena};
  text_printf(&head, "static %s %s(", gen_types[made.result].text, made.name);
  for (uint32_t i = 0; i < made.n_params; i++) {
    GenType type = made.params[i] = gen_any_type(g);
    const char *name = gen_name(g, "a");
    text_printf(&head, i ? ", %s %s" : "%s %s", gen_types[type].text, name);
    gen_declare(g, name, type, false, false);
  }
  g->in_function = true;
  g->is_uniform = false;
  g->result = made.result;
  gen_line(g, "%s) {", text_cstr(&head));
  small_body(g, 6);
  gen_line(g, "return %s;", gen_expr(g, made.result, 2, false));
  gen_line(g, "}");
  g->in_function = false;
  g->vars.count = 0;
  VEC_PUSH(g->arena, &g->functions, made);
}

// Pointers to private arrays, and a function that all threads call together.
static void fixed_functions(Gen *g) {
  gen_line(g, "static void bump(int *p, int at, int by) { p[at & 7] ^= by; }");
  gen_line(g, "static int fold(const int *p, int count) {");
  gen_line(g, "int sum = 0;");
  gen_line(g, "for (int i = 0; i < count; i++)");
  gen_line(g, "    sum = (sum << 1 & 65535) ^ p[i & 7];");
  gen_line(g, "return sum;");
  gen_line(g, "}");
  gen_line(g, "static int meet(int v, int by, constexpr int m) {");
  gen_line(g, "shared int s[m];");
  gen_line(g, "s[rank()] = v;");
  gen_line(g, "sync();");
  gen_line(g, "int r = s[(unsigned)(rank() + by) %% (unsigned)m];");
  gen_line(g, "sync();");
  gen_line(g, "return r;");
  gen_line(g, "}");
}

// Associative; the second and the third don't commute.
static void operators(Gen *g) {
  gen_line(g, "struct Affine { unsigned a, b; };");
  gen_line(g, "static unsigned op_mix(unsigned a, unsigned b) "
              "{ return a + b + 3u * a * b; }");
  gen_line(g, "static int op_last(int a, int b) { return b != 0 ? b : a; }");
  gen_line(g, "static struct Affine op_affine(struct Affine f, struct Affine "
              "g) {");
  gen_line(g, "struct Affine h = {f.a * g.a, f.b * g.a + g.b};");
  gen_line(g, "return h;");
  gen_line(g, "}");
}

static void file_scope(Gen *g) {
  gen_line(g, "struct Pair { int a; double b; unsigned char c[2]; };");
  if (g->has_groups)
    operators(g);
  gen_line(g, "static struct Pair swap_pair(struct Pair p, int by) {");
  gen_line(g, "if (by < 0) {");
  gen_line(g, "return p;");
  gen_line(g, "}");
  gen_line(g,
           "struct Pair q = {(int)p.b, (double)p.a + by, {p.c[1], p.c[0]}};");
  gen_line(g, "return q;");
  gen_line(g, "}");
  Text table = {.arena = g->arena};
  for (int i = 0; i < 16; i++)
    text_printf(&table, i ? ", %d" : "%d", (int)gen_below(g, 2000) - 1000);
  gen_line(g, "constant int table[16] = {%s};", text_cstr(&table));
  fixed_functions(g);
  for (uint32_t i = gen_below(g, 4); i > 0; i--)
    function(g);
}

// ------------------------------------------------------------- parameters

static void scalar_param(Gen *g, Text *head, const char *name, GenType type,
                         int64_t integer) {
  GenParam *param = gen_param(g, name, type);
  param->integer = integer;
  param->real = (double)integer / 8;
  text_printf(head, "%s %s, ", gen_types[type].text, name);
  gen_declare(g, name, type, true, true);
}

static void array_param(Gen *g, Text *head, const char *name, GenType type,
                        bool is_output, int64_t elements) {
  GenParam *param = gen_param(g, name, type);
  param->is_array = true;
  param->is_output = is_output;
  param->elements = param->extents[0] = elements;
  param->rank = param->lanes = 1;
  param->strides[0] = 1;
  text_printf(head, "%s%s %s[%lld], ", is_output ? "" : "const ",
              gen_types[type].text, name, (long long)elements);
}

// Rows with gaps between them: `stride` or, where the gap is 0, dense.
static void matrix_param(Gen *g, Text *head, const char *name, GenType type,
                         bool is_output, int64_t rows, int64_t columns) {
  int64_t row = columns + gen_below(g, 4);
  array_param(g, head, name, type, is_output, rows * row);
  GenParam *param = &g->program->params[g->program->n_params - 1];
  param->rank = 2;
  param->extents[0] = rows;
  param->extents[1] = columns;
  param->strides[0] = row;
  param->strides[1] = 1;
  head->length -= strlen(strrchr(text_cstr(head), '['));
  text_printf(head, "[%lld][%lld]", (long long)rows, (long long)columns);
  if (row != columns)
    text_printf(head, " stride(%lld, 1)", (long long)row);
  text_add(head, ", ");
}

static void vector_param(Gen *g, Text *head, const char *name,
                         int64_t elements) {
  GenParam *param = gen_param(g, name, GEN_F32);
  *param = (GenParam){.name = name,
                      .type = GEN_F32,
                      .is_array = true,
                      .is_output = true,
                      .elements = 4 * elements,
                      .rank = 1,
                      .extents = {elements},
                      .strides = {1},
                      .lanes = 4};
  text_printf(head, "float4 %s[%lld], ", name, (long long)elements);
}

static void params(Gen *g, Text *head, int64_t n_threads) {
  static const struct {
    const char *name;
    GenType type;
  } inputs[] = {{"in_int", GEN_I32},
                {"in_float", GEN_F32},
                {"in_double", GEN_F64},
                {"in_byte", GEN_U8},
                {"in_half", GEN_F16}},
    outputs[] = {{"out_int", GEN_I32},  {"out_float", GEN_F32},
                 {"out_long", GEN_I64}, {"out_double", GEN_F64},
                 {"out_byte", GEN_U8},  {"out_half", GEN_F16},
                 {"out_uint", GEN_U32}, {"out_short", GEN_I16}},
    counts[] = {{"count_add", GEN_I32}, {"count_min", GEN_I32},
                {"count_max", GEN_I32}, {"count_and", GEN_I32},
                {"count_or", GEN_I32},  {"count_xor", GEN_I32}};

  scalar_param(g, head, "n", GEN_I32, 1 + (int64_t)gen_below(g, 90));
  scalar_param(g, head, "ku", GEN_U32, (int64_t)gen_below(g, 1000));
  scalar_param(g, head, "kf", GEN_F32, (int64_t)gen_below(g, 1000) - 500);
  scalar_param(g, head, "kl", GEN_I64, -(int64_t)gen_below(g, 100000));
  scalar_param(g, head, "kd", GEN_F64, (int64_t)gen_below(g, 1000));
  scalar_param(g, head, "kc", GEN_I8, (int64_t)gen_below(g, 100) - 50);
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    array_param(g, head, inputs[i].name, inputs[i].type, false, INPUT_ELEMENTS);
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    array_param(g, head, outputs[i].name, outputs[i].type, true,
                n_threads * g->n_slots);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    array_param(g, head, counts[i].name, counts[i].type, true, 16);
  array_param(g, head, "count_long", GEN_I64, true, 16);
  matrix_param(g, head, "in_mat", GEN_F32, false, 8, 16);
  matrix_param(g, head, "out_mat", GEN_I32, true, n_threads, 3);
  vector_param(g, head, "out_vec", n_threads);
  array_param(g, head, "out_math", GEN_F32, true, n_threads);
  g->program->params[g->program->n_params - 1].is_close = true;
  if (g->has_groups)
    array_param(g, head, "out_copy", GEN_I32, true, n_threads);
  text_printf(head, "constexpr int KC = %u", 1 + gen_below(g, 9));
  gen_declare(g, "KC", GEN_I32, true, true);
}

// ---------------------------------------------------------------- kernels

// One library function of an argument where every one is well behaved.
static void library_function(Gen *g) {
  static const char *const names[] = {"exp",   "sin",  "cos",  "tanh",
                                      "log1p", "atan", "exp2", "cbrt"};
  gen_line(g, "out_math[me] = %s(in_float[me & 63] * 0.125f + 1.0f);",
           names[gen_below(g, 8)]);
}

// All variables that are left, so that nothing computed is lost.
static void store_all(Gen *g) {
  uint32_t n_stored[GEN_TYPE_COUNT] = {0};
  static const char *const outputs[GEN_TYPE_COUNT] = {
      [GEN_U8] = "out_byte",   [GEN_I16] = "out_short", [GEN_I32] = "out_int",
      [GEN_U32] = "out_uint",  [GEN_I64] = "out_long",  [GEN_F16] = "out_half",
      [GEN_F32] = "out_float", [GEN_F64] = "out_double"};
  for (uint32_t i = 0; i < g->vars.count; i++) {
    const GenVar *var = &g->vars.data[i];
    if (var->is_const || !outputs[var->type] ||
        n_stored[var->type] == g->n_slots)
      continue;
    gen_line(g, "%s[own + %u] = %s;", outputs[var->type], n_stored[var->type]++,
             var->name);
  }
}

static void block_kernel(Gen *g) {
  Shape shape = block_shape(g);
  int32_t threads = shape.x * shape.y * shape.z;
  int32_t blocks = 1 + (int32_t)gen_below(g, MAX_BLOCKS);
  Text head = {.arena = g->arena};
  g->n_slots = 4;
  g->in_cluster = 1;
  if (g->has_groups && gen_chance(g, 25)) {
    g->in_cluster = 2 + (int32_t)gen_below(g, 2);
    blocks = g->in_cluster * (1 + (int32_t)gen_below(g, 2));
  }
  params(g, &head, (int64_t)threads * blocks);
  gen_line(g, "kernel void k(%s)", text_cstr(&head));
  if (g->in_cluster > 1)
    gen_line(g, "    cluster(%d)", (int)g->in_cluster);
  if (gen_chance(g, 50))
    gen_line(g, "    grid(%d)", (int)blocks);
  else
    g->program->has_grid = true;
  g->program->grid[0] = blocks;
  gen_line(g, "    threads(%d, %d, %d)", (int)shape.x, (int)shape.y,
           (int)shape.z);
  gen_line(g, "{");
  gen_line(g, "int me = block_index().x * %d + rank();", (int)threads);
  gen_line(g, "int own = me * %u;", g->n_slots);
  gen_declare(g, "me", GEN_I32, true, false);
  g->threads = threads;
  g->is_uniform = g->can_share = g->is_aligned = true;
  // Little else, so that blocks stay small.
  for (uint32_t n = gen_chance(g, 10) ? 1 + gen_below(g, 2) : 0; n > 0; n--) {
    gen_steps(g);
    g->budget = 0;
  }
  while (g->budget > 0)
    gen_block(g);
  if (gen_chance(g, 20)) {
    gen_line(g, "if (%s)", gen_condition(g, 2, false));
    gen_line(g, "    return;");
  }
  library_function(g);
  store_all(g);
  gen_line(g, "}");
}

// A nest of parallel loops that is the whole kernel: every iteration is a
// thread of its own, with its own slots.
static void flat_kernel(Gen *g) {
  Text head = {.arena = g->arena};
  int32_t extents[3], total = 1;
  uint32_t n_loops = 1 + gen_below(g, 3);
  for (uint32_t i = 0; i < n_loops; i++) {
    extents[i] = 1 + (int32_t)gen_below(g, n_loops == 1 ? 600 : 12);
    total *= extents[i];
  }
  g->n_slots = 4;
  params(g, &head, total);
  gen_line(g, "kernel void k(%s)", text_cstr(&head));
  gen_line(g, "{");
  Text me = {.arena = g->arena};
  for (uint32_t i = 0; i < n_loops; i++) {
    const char *name = gen_name(g, "i");
    gen_line(g, "parallel for (int %s = 0; %s < %d; %s++) {", name, name,
             (int)extents[i], name);
    gen_declare(g, name, GEN_I32, true, false);
    const char *before = arena_strdup(g->arena, text_cstr(&me));
    me.length = 0;
    if (i == 0)
      text_add(&me, name);
    else
      text_printf(&me, "(%s) * %d + %s", before, (int)extents[i], name);
  }
  gen_line(g, "int me = %s;", text_cstr(&me));
  gen_line(g, "int own = me * %u;", g->n_slots);
  gen_declare(g, "me", GEN_I32, true, false);
  g->is_thread = g->is_flat = true;
  g->is_uniform = false;
  while (g->budget > 0)
    gen_block(g);
  library_function(g);
  store_all(g);
  for (uint32_t i = 0; i <= n_loops; i++)
    gen_line(g, "}");
}

// Blocks by parallel loops, threads by thread loops that go on inside them.
static void grid_kernel(Gen *g) {
  Text head = {.arena = g->arena};
  int32_t by = 1 + (int32_t)gen_below(g, 3), bx = 1 + (int32_t)gen_below(g, 3);
  int32_t ty = 1 + (int32_t)gen_below(g, 8), tx = 1 + (int32_t)gen_below(g, 16);
  g->n_slots = 4;
  params(g, &head, (int64_t)by * bx * ty * tx);
  gen_line(g, "kernel void k(%s)", text_cstr(&head));
  gen_line(g, "{");
  gen_line(g, "parallel for (int by = 0; by < %d; by++) {", (int)by);
  gen_line(g, "parallel for (int bx = 0; bx < %d; bx++) {", (int)bx);
  gen_line(g, "thread for (int ty = 0; ty < %d; ty++) {", (int)ty);
  gen_line(g, "thread for (int tx = 0; tx < %d; tx++) {", (int)tx);
  gen_line(g, "int me = ((by * %d + bx) * %d + ty) * %d + tx;", (int)bx,
           (int)ty, (int)tx);
  gen_line(g, "int own = me * %u;", g->n_slots);
  static const char *const names[] = {"by", "bx", "ty", "tx", "me"};
  for (int i = 0; i < 5; i++)
    gen_declare(g, names[i], GEN_I32, true, false);
  g->is_thread = g->is_flat = true;
  g->is_uniform = false;
  while (g->budget > 0)
    gen_block(g);
  library_function(g);
  store_all(g);
  for (int i = 0; i < 5; i++)
    gen_line(g, "}");
}

void gen_program(Arena *arena, uint64_t seed, uint32_t budget, uint32_t groups,
                 GenProgram *out) {
  *out = (GenProgram){.grid = {1, 1, 1}};
  Gen gen = {.arena = arena, .random = seed, .out = {.arena = arena}};
  Gen *g = &gen;
  g->program = out;
  g->has_groups = gen_below(g, 100) < groups;
  file_scope(g);
  g->indent = 0;
  g->budget = (int32_t)budget;
  uint32_t kind = gen_below(g, 100);
  if (g->has_groups || kind < 75)
    block_kernel(g);
  else if (kind < 90)
    flat_kernel(g);
  else
    grid_kernel(g);
  out->source = text_cstr(&g->out);
}
