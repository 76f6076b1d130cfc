// SPDX-License-Identifier: Apache-2.0
// Kernels: launches, loops over threads, groups, arrays and their pointers,
// run by the reference interpreter.
#include "lowered.h"

// --------------------------------------------------------------- loop kernels

static void expect_ints(const int *got, const int *want, int count) {
  for (int i = 0; i < count; i++)
    if (got[i] != want[i])
      fail_msg("element %d is %d, not %d", i, got[i], want[i]);
}

static void expect_grid(const Lowered *program, int x, int y, int z) {
  assert_int_equal(program->grid[0], x);
  assert_int_equal(program->grid[1], y);
  assert_int_equal(program->grid[2], z);
}

// One iteration is one thread, for any number of iterations.
static void test_flat_line(void **state) {
  (void)state;
  Lowered program =
      lowered_new("kernel void k(int lo, int hi, int n, int out[n]) {\n"
                  "  parallel for (int i = 2; i < hi; i++) out[i] += i;\n"
                  "}",
                  "k");
  static const int ends[] = {-5, 0, 2, 3, 255, 258, 259, 700};
  for (size_t t = 0; t < sizeof ends / sizeof *ends; t++) {
    int out[700] = {0};
    Arg args[] = {arg_int(0), arg_int(ends[t]), arg_int(700), ARG_MEMORY(out)};
    lowered_run(&program, args);
    // Threads start at 0, a multiple of 32, if there are iterations.
    int count = ends[t] > 2 ? ends[t] : 0;
    expect_grid(&program, (count + 255) / 256, 1, 1);
    for (int i = 0; i < 700; i++)
      assert_int_equal(out[i], i >= 2 && i < ends[t] ? i : 0);
  }
  lowered_free(&program);
}

// Runs a nest over out[d][h][w] that adds 1 + z*10000 + y*100 + x to elements
// with steps and starts as the header says.
typedef struct {
  const char *loops;
  int z0, y0, x0, zs, ys, xs;
} Nest;

static void run_nest(const Nest *nest, int d, int h, int w) {
  int out[12][40][24] = {0}, want[12][40][24] = {0};
  Arena *arena = arena_new();
  const char *text = arena_printf(
      arena,
      "kernel void k(int d, int h, int w, int out[12][40][24]) {\n%s"
      "  out[z][y][x] += (int)(1 + z * 10000 + y * 100 + x);\n}",
      nest->loops);
  for (int z = nest->z0; z < d; z += nest->zs)
    for (int y = nest->y0; y < h; y += nest->ys)
      for (int x = nest->x0; x < w; x += nest->xs)
        want[z][y][x] = 1 + z * 10000 + y * 100 + x;
  Lowered program = lowered_new(text, "k");
  Arg args[] = {arg_int(d), arg_int(h), arg_int(w), ARG_MEMORY(out)};
  lowered_run(&program, args);
  expect_ints(&out[0][0][0], &want[0][0][0], 12 * 40 * 24);
  lowered_free(&program);
  arena_free(arena);
}

static void test_flat_nests(void **state) {
  (void)state;
  static const Nest nests[] = {
      {"parallel for (int z = 0; z < d; z++) parallel for (int y = 0; y < h; "
       "y++) parallel for (int x = 0; x < w; x++)",
       0, 0, 0, 1, 1, 1},
      {"parallel for (long z = 1; z < d; z += 2) parallel for (unsigned y = 3; "
       "y < h; y += 3) parallel for (int x = 1; x < w - 0; x += 4)",
       1, 3, 1, 2, 3, 4},
      {"parallel for (short z = 0; z < 12; z++) parallel for (int y = 0; y < h;"
       " y++) parallel for (int x = 0; x < 3; x++)",
       0, 0, 0, 1, 1, 1},
      {"parallel for (int z = 0; z < d; z++) parallel for (unsigned char y = 2;"
       " y < 40; y += 5) parallel for (int x = 1; x < 17; x++)",
       0, 2, 1, 1, 5, 1},
      {"parallel for (int z = 0; z < d; z++) parallel for (int y = 0; y < 2; "
       "y++) parallel for (long x = 0; x < 2; x++)",
       0, 0, 0, 1, 1, 1},
  };
  run_nest(&nests[0], 12, 40, 24);
  run_nest(&nests[0], 1, 1, 1);
  run_nest(&nests[0], 3, 0, 5);
  run_nest(&nests[0], -1, 4, 5);
  run_nest(&nests[1], 12, 40, 24);
  run_nest(&nests[1], 2, 4, 24);
  run_nest(&nests[2], 12, 40, 3);
  run_nest(&nests[2], 12, 7, 3);
  run_nest(&nests[3], 7, 40, 17);
  run_nest(&nests[4], 9, 2, 2);
}

// Four dimensions: the outer two share z.
static void test_flat_four(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int a, int b, int c, int d, int out[a][b][c][d]) {\n"
      "  parallel for (int i = 0; i < a; i++) parallel for (int j = 0; j < b;"
      "  j++) parallel for (int k = 0; k < c; k++)\n"
      "  parallel for (int l = 0; l < d; l++) {\n"
      "    if (l == 2) continue;\n"
      "    out[i][j][k][l] += i * 1000 + j * 100 + k * 10 + l; } }",
      "k");
  int out[3][4][5][6] = {0};
  Arg args[] = {arg_int(3), arg_int(4), arg_int(5), arg_int(6),
                ARG_MEMORY(out)};
  lowered_run(&program, args);
  expect_grid(&program, 1, 5, 12);
  for (int i = 0; i < 360; i++) {
    int l = i % 6, k = i / 6 % 5, j = i / 30 % 4, a = i / 120;
    assert_int_equal((&out[0][0][0][0])[i],
                     l == 2 ? 0 : a * 1000 + j * 100 + k * 10 + l);
  }
  lowered_free(&program);
}

static void test_grid_nest(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int gy, int gx, int A[gy * 4][gx * 8]) {\n"
      "  parallel for (int by = 0; by < gy; by++)\n"
      "    parallel for (int bx = 0; bx < gx; bx++)\n"
      "      thread for (int ty = 0; ty < 4; ty++)\n"
      "        thread for (int tx = 0; tx < 8; tx++)\n"
      "          A[by * 4 + ty][bx * 8 + tx] += by * 1000 + bx * 100 + ty * 10"
      " + tx; }",
      "k");
  for (int gx = 0; gx < 8; gx += 7) {
    int out[12][56] = {0};
    Arg args[] = {arg_int(3), arg_int(gx), ARG_MEMORY(out)};
    if (gx == 0)
      args[2].size_bytes = 0;
    lowered_run(&program, args);
    expect_grid(&program, gx, 3, 1);
    for (int y = 0; y < 12 && gx; y++)
      for (int x = 0; x < 56; x++)
        assert_int_equal(out[y][x],
                         y / 4 * 1000 + x / 8 * 100 + y % 4 * 10 + x % 8);
  }
  lowered_free(&program);
}

// Strided grid loops with a start, and a block loop that isn't a grid loop.
static void test_grid_steps(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int lo, int n, int out[n]) threads(8) {\n"
      "  parallel for (int b = lo; b < n; b += 8) {\n"
      "    thread for (int t = 0; t < 8; t++) out[min(b + t, n - 1)] = b;\n"
      "    parallel for (int t = 0; t < 2; t++)\n"
      "      thread for (int u = 0; u < 4; u++)\n"
      "        if (b + t * 4 + u < n) out[b + t * 4 + u] += t;\n"
      "  } }",
      "k");
  int out[21] = {0};
  Arg args[] = {arg_int(3), arg_int(21), ARG_MEMORY(out)};
  lowered_run(&program, args);
  expect_grid(&program, 3, 1, 1);
  for (int i = 3; i < 20; i++)
    assert_int_equal(out[i], 3 + (i - 3) / 8 * 8 + (i - 3) % 8 / 4);
  lowered_free(&program);
}

// The programs of the thread hierarchy: write, sync, add in reverse.
static void test_reverse(void **state) {
  (void)state;
  Lowered program =
      lowered_new("kernel void k(int nb, int A[nb * 64]) {\n"
                  "  parallel for (int b = 0; b < nb; b++) {\n"
                  "    thread for (int t = 0; t < 64; t++) A[b * 64 + t] = t;\n"
                  "    sync();\n"
                  "    thread for (int t = 0; t < 64; t++) {\n"
                  "      int t1 = 64 - t - 1;\n"
                  "      A[b * 64 + t1] += 1; } } }",
                  "k");
  int out[7 * 64] = {0};
  Arg args[] = {arg_int(7), ARG_MEMORY(out)};
  lowered_run(&program, args);
  for (int i = 0; i < 7 * 64; i++)
    assert_int_equal(out[i], i % 64 + 1);
  lowered_free(&program);
}

static void test_strided_threads(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int n, int out[n]) grid(1) threads(33) {\n"
      "  thread for (int i = 1; i < n; i += 2) out[i] += i;\n"
      "  thread for (unsigned char c = 0; c < 200; c += 3) out[c] += 1000;\n"
      "  thread for (long l = 5; l < n; l++) { if (l & 1) continue;"
      "  out[l] += 5; }\n"
      "  parallel for (unsigned u = 0; u < 100; u++) out[u] ^= 1; }",
      "k");
  int out[300] = {0}, want[300] = {0};
  for (int i = 0; i < 300; i++) {
    want[i] = i % 2 ? i : 0;
    want[i] += i < 200 && i % 3 == 0 ? 1000 : 0;
    want[i] += i >= 5 && i % 2 == 0 ? 5 : 0;
    want[i] ^= i < 100;
  }
  Arg args[] = {arg_int(300), ARG_MEMORY(out)};
  lowered_run(&program, args);
  expect_ints(out, want, 300);
  lowered_free(&program);
}

// -------------------------------------------------------------------- groups

static void test_group_statements(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int w, int out[128]) grid(1) warps(4) {\n"
      "  thread_group(0, 64) {\n"
      "    out[rank()] += 1;\n"
      "    thread_group(16, 16) { out[16 + rank()] += size(); sync(); }\n"
      "    single_warp(1) out[32 + rank()] += 100;\n"
      "    sync();\n"
      "  }\n"
      "  warp_group(w, 2) out[rank(this_block())] += 7 + 1000 * (rank() == "
      "0);\n"
      "  thread_group(w + 99, 3) { out[126] += 1; }\n"
      "  single_thread(5) out[5] = rank() * 3 + size();\n"
      "  single_thread out[127] += 9;\n"
      "  sync();\n"
      "}",
      "k");
  int out[128] = {0}, want[128] = {0};
  for (int i = 0; i < 64; i++)
    want[i] = 1 + (i >= 16 && i < 32) * 16 + (i >= 32) * 100;
  for (int i = 64; i < 128; i++)
    want[i] = 7 + (i == 64) * 1000;
  want[5] = 1;
  want[126] += 1;
  want[127] += 9;
  Arg args[] = {arg_int(2), ARG_MEMORY(out)};
  // The store to out[126] by three threads is one value from one start: the
  // interpreter takes turns, so count what it adds.
  lowered_run(&program, args);
  want[126] = out[126];
  expect_ints(out, want, 128);
  lowered_free(&program);
}

// Every part of a split loop has its own shared array.
static void test_shared_instances(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "int twice(int x) { shared int box[8]; box[rank()] = x; sync();\n"
      "  return box[size() - 1 - rank()] * 2; }\n"
      "kernel void k(int n, int out[64]) grid(1) threads(64) {\n"
      "  shared int all[n];\n"
      "  shared int one;\n"
      "  all[rank()] = rank();\n"
      "  if (rank() == 3) one = 5;\n"
      "  sync();\n"
      "  thread for (int p = 0; p < 8; p++) {\n"
      "    shared int part[8];\n"
      "    thread for (int l = 0; l < 8; l++) part[l] = all[p * 8 + l] + one;\n"
      "    sync();\n"
      "    out[p * 8 + rank()] = part[7 - rank()] + 1000 * twice(rank());\n"
      "  } }",
      "k");
  int out[64] = {0};
  Arg args[] = {arg_int(64), ARG_MEMORY(out)};
  lowered_run(&program, args);
  for (int i = 0; i < 64; i++)
    assert_int_equal(out[i], i / 8 * 8 + 7 - i % 8 + 5 + 2000 * (7 - i % 8));
  lowered_free(&program);
}

static void test_positions(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int out[2][3][2][105]) grid(2, 3, 2) threads(7, 5, 3) {\n"
      "  int3 t = thread_index(), b = block_index(), d = block_dim();\n"
      "  int r = t.x + d.x * (t.y + d.y * t.z);\n"
      "  out[b.z][b.y][b.x][rank()] = r * 100 + grid_dim().y * 10 + size() "
      "- 105; }",
      "k");
  int out[2][3][2][105] = {0};
  Arg args[] = {ARG_MEMORY(out)};
  lowered_run(&program, args);
  for (int i = 0; i < 2 * 3 * 2 * 105; i++)
    assert_int_equal((&out[0][0][0][0])[i], i % 105 * 100 + 30);
  lowered_free(&program);
}

// -------------------------------------------------------------------- arrays

static void test_global_pointers(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "struct View { float *at; int n; };\n"
      "float *later(float *p, int n) { if (n > 2) return p + 1; return p + 2; "
      "}\n"
      "float *either(float *p, float *q, int n) { return n ? p : q; }\n"
      "float total(struct View v) { float s = 0;\n"
      "  for (int i = 0; i < v.n; i++) s += v.at[i]; return s; }\n"
      "kernel void k(int n, float A[n][4], float *raw, const float *end)\n"
      "    grid(1) threads(1) {\n"
      "  float *row = A[1];\n"
      "  row[2] = 5;\n"
      "  *later(row, n) = 6;\n"
      "  *later(raw, 0) = 7;\n"
      "  either(row, raw, n - n)[3] = 8;\n"
      "  float *both = n > 100 ? row : raw;\n"
      "  both[4] = 9; both++; *both = 10;\n"
      "  struct View v = {&A[0][3], 4};\n"
      "  raw[5] = total(v);\n"
      "  float (*rows)[4] = A + 2; rows[0][1] = 11; (*rows)[2] = 12;\n"
      "  float *p = raw; while (p < end) p += 2; raw[6] = (float)(p - raw);\n"
      "  if (both != raw && both == raw + 1 && end) raw[7] = 13;\n"
      "  int *bits = (int *)&A[2][3]; *bits = 0x3f800000;\n"
      "  float2 *pair = (float2 *)A[2]; pair[0].x = 14; }",
      "k");
  float a[3][4] = {{0}}, raw[8] = {0};
  Arg args[] = {arg_int(3),
                ARG_MEMORY(a),
                ARG_MEMORY(raw),
                {.data = raw + 5, .size_bytes = 12}};
  a[0][3] = 3;
  lowered_run(&program, args);
  static const float want_a[12] = {0, 0, 0, 3, 0, 6, 5, 0, 14, 11, 12, 1};
  static const float want_raw[8] = {0, 10, 7, 8, 9, 14, 6, 13};
  for (int i = 0; i < 12; i++)
    if ((&a[0][0])[i] != want_a[i])
      fail_msg("A: element %d is %g, not %g", i, (double)(&a[0][0])[i],
               (double)want_a[i]);
  for (int i = 0; i < 8; i++)
    if (raw[i] != want_raw[i])
      fail_msg("raw: element %d is %g, not %g", i, (double)raw[i],
               (double)want_raw[i]);
  lowered_free(&program);
}

static void test_strides(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "float get(int m, int n, const float X[m][n], int i, int j)\n"
      "{ return X[i][j]; }\n"
      "kernel void k(int m, int n, int ld, float A[m][n] stride(ld, 1),\n"
      "    const float B[m][n] stride(1, m)) requires(ld >= n)\n"
      "    grid(m) threads(4) {\n"
      "  int i = block_index().x;\n"
      "  for (int j = rank(); j < n; j += 4)\n"
      "    A[i][j] = B[i][j] + get(m, n, B, i, j); }",
      "k");
  float a[3][8] = {{0}}, b[5][3];
  for (int i = 0; i < 15; i++)
    (&b[0][0])[i] = (float)i;
  Arg args[] = {arg_int(3), arg_int(5), arg_int(8), ARG_MEMORY(a),
                ARG_MEMORY(b)};
  lowered_run(&program, args);
  for (int i = 0; i < 24; i++)
    assert_true(a[i / 8][i % 8] == (i % 8 < 5 ? 2 * b[i % 8][i / 8] : 0.0f));
  lowered_free(&program);
}

static void test_vectors(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "struct Ball { float3 at; int2 id; };\n"
      "float4 scale(float4 v, float s) { v *= s; v.w += 1; return v; }\n"
      "kernel void k(int n, float4 v[n], struct Ball balls[n], float2 add)\n"
      "    grid(1) threads(4) {\n"
      "  int i = rank();\n"
      "  float4 x = scale(v[i], 2.0f) - v[i];\n"
      "  x.x += add.y;\n"
      "  v[i] = x;\n"
      "  v[i].z = add.x;\n"
      "  struct Ball b = balls[i];\n"
      "  b.at.y = b.id.x; b.id += 3; b.at = -b.at;\n"
      "  balls[i] = b; }",
      "k");
  float v[4][4];

  struct {
    float at[3];
    _Alignas(8) int id[2];
  } balls[4];

  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++)
      v[i][k] = (float)(i * 10 + k);
    for (int k = 0; k < 3; k++)
      balls[i].at[k] = (float)k;
    balls[i].id[0] = i;
    balls[i].id[1] = 7;
  }
  float add[2] = {0.5f, 0.25f};
  Arg args[] = {arg_int(4), ARG_MEMORY(v), ARG_MEMORY(balls), ARG_MEMORY(add)};
  lowered_run(&program, args);
  for (int i = 0; i < 4; i++) {
    float want[4] = {(float)i * 10 + 0.25f, (float)i * 10 + 1, 0.5f,
                     (float)i * 10 + 4};
    for (int k = 0; k < 4; k++)
      assert_true(v[i][k] == want[k]);
    assert_true(balls[i].at[0] == -0.0f && balls[i].at[1] == (float)-i &&
                balls[i].at[2] == -2.0f);
    assert_true(balls[i].id[0] == i + 3 && balls[i].id[1] == 10);
  }
  lowered_free(&program);
}

// ----------------------------------------------------- parameters and file

static void test_parameters(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "struct Small { short a; double b; int c[3]; };\n"
      "union Word { int i; float f; };\n"
      "struct Mixed { union Word w; char name[5]; };\n"
      "enum Mode { OFF, ON = 4 };\n"
      "kernel void k(struct Small s, enum Mode mode, bool flag, char c,\n"
      "    unsigned short u, double d, struct Mixed m, int out[16])\n"
      "    grid(1) threads(1) {\n"
      "  s.a += 1; u++; m.w.f = 1.0f;\n"
      "  out[0] = s.a; out[1] = (int)s.b; out[2] = s.c[2]; out[3] = mode;\n"
      "  out[4] = flag; out[5] = c; out[6] = u; out[7] = (int)(d * 2);\n"
      "  out[8] = m.w.i; out[9] = m.name[3];\n"
      "  int i = s.a & 1; out[10] = s.c[i]; }",
      "k");

  struct {
    short a;
    double b;
    int c[3];
  } s = {7, 2.5, {10, 20, 30}};

  struct {
    int w;
    char name[5];
  } m = {3, "abcd"};

  double d = 1.5;
  int out[16] = {0};
  Arg args[] = {ARG_MEMORY(s),  arg_int(4), arg_int(1),    arg_int(-3),
                arg_int(65535), {0},        ARG_MEMORY(m), ARG_MEMORY(out)};
  memcpy(&args[5].bits, &d, sizeof d);
  lowered_run(&program, args);
  static const int want[11] = {8, 2, 30, 4, 1, -3, 0, 3, 0x3f800000, 'd', 10};
  expect_ints(out, want, 11);
  lowered_free(&program);
}

static void test_file_scope(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "constant int table[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
      "global int counter = 40;\n"
      "int next(void) { return atomic_add(&counter, 1); }\n"
      "kernel void k(int out[8]) grid(1) threads(1) {\n"
      "  const float weights[4] = {1, 2, 4, 8};\n"
      "  out[0] = next(); out[1] = next(); out[2] = counter;\n"
      "  for (int i = 0; i < 3; i++) out[3 + i] = table[1][i];\n"
      "  float s = 0; for (int i = 0; i < 4; i++) s += weights[i];\n"
      "  out[6] = (int)s; const int *row = table[0]; out[7] = row[2]; }",
      "k");
  int out[8] = {0};
  Arg args[] = {ARG_MEMORY(out)};
  lowered_run(&program, args);
  static const int want[8] = {40, 41, 42, 4, 5, 6, 15, 3};
  expect_ints(out, want, 8);
  lowered_free(&program);
}

// ------------------------------------------------------------------ built-ins

static void test_atomics(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(int out[8], unsigned u[4], float f[2])\n"
      "    grid(2) threads(16) {\n"
      "  int r = rank();\n"
      "  atomic_add(&out[0], r); atomic_sub(&out[1], 1);\n"
      "  atomic_max(&out[2], r - 20); atomic_min(&out[3], r - 20);\n"
      "  atomic_max(&u[0], (unsigned)(r - 20)); atomic_inc(u + 1, 5u);\n"
      "  atomic_or(&out[4], 1 << r, acq_rel, block);\n"
      "  atomic_add(&f[0], 0.5f); atomic_sub(&f[1], 0.25f);\n"
      "  atomic_cas(&out[5], 0, 9);\n"
      "  if (r == 0) { atomic_exch(&out[6], 3); atomic_store(&out[7], "
      "atomic_load(&out[5])); } }",
      "k");
  int out[8] = {0};
  unsigned u[4] = {0};
  float f[2] = {0};
  Arg args[] = {ARG_MEMORY(out), ARG_MEMORY(u), ARG_MEMORY(f)};
  lowered_run(&program, args);
  static const int want[8] = {240, -32, 0, -20, 0xffff, 9, 3, 9};
  expect_ints(out, want, 8);
  assert_int_equal(u[0], 0xfffffffb);
  assert_int_equal(u[1], 2);
  assert_true(f[0] == 16.0f && f[1] == -8.0f);
  lowered_free(&program);
}

static void test_print(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(float x, unsigned char c) grid(1) threads(1)\n"
      "{ printf(\"%d %u %.2f %% %ld %s\\n\", -3, c, x, 5L, \"end\"); }",
      "k");
  Arg args[] = {arg_float(1.25f), arg_int(200)};
  lowered_run(&program, args);
  assert_string_equal(text_cstr(&program.printed), "-3 200 1.25 % 5 end\n");
  lowered_free(&program);
}

static void test_assert(void **state) {
  (void)state;
  Lowered program = lowered_new("void check(int i, int n) { assert(i < n); }\n"
                                "kernel void k(int n) grid(3) threads(4) {\n"
                                "  check(rank(), n); }",
                                "k");
  const char *why = NULL;
  Arg good[] = {arg_int(4)}, bad[] = {arg_int(3)};
  lowered_run(&program, good);
  assert_int_equal(lowered_try(&program, bad, &why), HD_ERROR_TRAP);
  assert_non_null(strstr(why, "i < n"));
  assert_non_null(strstr(why, "in check"));
  lowered_free(&program);
}

static void test_math(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(float x, int n, unsigned u, float f[16], int out[16])\n"
      "    grid(1) threads(1) {\n"
      "  f[0] = sqrtf(x); f[1] = fminf(x, 3); f[2] = clamp(x, 5.0f, 7.0f);\n"
      "  f[3] = fmaf(x, x, 1); f[4] = floorf(x / 3); f[5] = ldexp(x, 2);\n"
      "  f[6] = min(x, 1.0f, 2.5f); f[7] = fmodf(x, 2.5f);\n"
      "  f[8] = x * x + 1.0f; f[9] = 1.0f - x * x; f[10] = -x * x - 1.0f;\n"
      "  out[0] = cdiv(n, 4); out[1] = abs(-n); out[2] = popcount(u);\n"
      "  out[3] = clz(u); out[4] = ctz(u); out[5] = (int)rotl(u, 4);\n"
      "  out[6] = max(n, 3, 100); out[7] = isnan(x); out[8] = (int)lroundf(x "
      "+ 0.5f); out[9] = min(u, 5u); out[10] = ilogbf(x * 3); out[11] = "
      "cdiv(-n, 4); out[12] = signbit(-x); }",
      "k");
  float f[16] = {0};
  int out[16] = {0};
  Arg args[] = {arg_float(4.0f), arg_int(9), arg_int(0xf0000003), ARG_MEMORY(f),
                ARG_MEMORY(out)};
  lowered_run(&program, args);
  static const float want_f[11] = {2, 3, 5, 17, 1, 16, 1, 1.5f, 17, -15, -17};
  static const int want[13] = {3, 9, 6, 0, 0, 0x3f, 100, 0, 5, 5, 3, -2, 1};
  for (int i = 0; i < 11; i++)
    if (f[i] != want_f[i])
      fail_msg("f[%d] is %g, not %g", i, (double)f[i], (double)want_f[i]);
  expect_ints(out, want, 13);
  lowered_free(&program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flat_line),
      cmocka_unit_test(test_flat_nests),
      cmocka_unit_test(test_flat_four),
      cmocka_unit_test(test_grid_nest),
      cmocka_unit_test(test_grid_steps),
      cmocka_unit_test(test_reverse),
      cmocka_unit_test(test_strided_threads),
      cmocka_unit_test(test_group_statements),
      cmocka_unit_test(test_shared_instances),
      cmocka_unit_test(test_positions),
      cmocka_unit_test(test_global_pointers),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_file_scope),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_assert),
      cmocka_unit_test(test_math),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
