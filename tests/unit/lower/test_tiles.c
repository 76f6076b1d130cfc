// SPDX-License-Identifier: Apache-2.0
// Tile kernels, run by the reference interpreter and compared with loops.
#include "lowered.h"

#include <limits.h>
#include <math.h>

static void run_once(const char *text, const Arg *args) {
  Lowered program = lowered_new(text, "k");
  lowered_run(&program, args);
  lowered_free(&program);
}

static void expect_floats(const float *got, const float *want, int count) {
  for (int i = 0; i < count; i++)
    if (memcmp(&got[i], &want[i], sizeof *got) != 0)
      fail_msg("element %d is %a, not %a", i, (double)got[i], (double)want[i]);
}

static void expect_ints(const int *got, const int *want, int count) {
  for (int i = 0; i < count; i++)
    if (got[i] != want[i])
      fail_msg("element %d is %d, not %d", i, got[i], want[i]);
}

static float fraction(int i) {
  return (float)(i * 37 % 101) / 8 - 5;
}

// --------------------------------------------------------------- sections

// Every offset around the edges: outside is read as 0 and isn't written.
static void test_edges(void **state) {
  (void)state;

  enum { N = 21, LENGTH = 12 };

  Lowered program = lowered_new(
      "kernel void k(int n, int at, int to, const int x[n], int y[n]) grid(1)\n"
      "{ tile int t[12] = x[at:12]; y[to:12] = t + 1; }",
      "k");
  int x[N];
  for (int i = 0; i < N; i++)
    x[i] = 100 + i;
  for (int at = -LENGTH - 1; at <= N + 1; at++) {
    int y[N] = {0}, want[N] = {0}, to = N - LENGTH - at;
    for (int i = 0; i < LENGTH; i++)
      if (to + i >= 0 && to + i < N)
        want[to + i] = 1 + (at + i >= 0 && at + i < N ? x[at + i] : 0);
    Arg args[] = {arg_int(N), arg_int(at), arg_int(to), ARG_MEMORY(x),
                  ARG_MEMORY(y)};
    lowered_run(&program, args);
    expect_ints(y, want, N);
  }
  lowered_free(&program);
}

// Indices drop dimensions; op= evaluates its indices once; rows and whole
// arrays are sections.
static void test_forms(void **state) {
  (void)state;
  int x[4][8], y[4][8] = {{0}}, want[4][8] = {{0}}, count[1] = {0};
  for (int i = 0; i < 32; i++)
    x[i / 8][i % 8] = i * i;
  Arg args[] = {arg_int(1), ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(count)};
  run_once(
      "kernel void k(int i, const int x[4][8], int y[4][8], int count[1])\n"
      "    grid(1)\n"
      "{ int n = 0;\n"
      "  y = x[0:4][i + 1:1] * 0 + 2;\n"
      "  y[n++] += x[i];\n"
      "  y[0:4][n++] -= x[3][0:4];\n"
      "  y[2:2] = x[2];\n"
      "  y[3][4:4] *= x[:][7];\n"
      "  count[0] = n; }",
      args);
  for (int i = 0; i < 32; i++)
    want[i / 8][i % 8] = 2;
  for (int i = 0; i < 8; i++)
    want[0][i] += x[1][i];
  for (int i = 0; i < 4; i++)
    want[i][1] -= x[3][i];
  for (int i = 0; i < 16; i++)
    want[2 + i / 8][i % 8] = x[2][i % 8];
  for (int i = 0; i < 4; i++)
    want[3][4 + i] *= x[i][7];
  expect_ints(&y[0][0], &want[0][0], 32);
  assert_int_equal(count[0], 2);
}

// -------------------------------------------------------------- arithmetic

// No promotion: integers of 8 bits wrap, also signed ones.
static void test_narrow(void **state) {
  (void)state;
  signed char x[64], y[64], z[64];
  unsigned char u[64], v[64];
  for (int i = 0; i < 64; i++) {
    x[i] = (signed char)(i * 7 - 128);
    u[i] = (unsigned char)(i * 5);
  }
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(u), ARG_MEMORY(y), ARG_MEMORY(z),
                ARG_MEMORY(v)};
  run_once("kernel void k(const signed char x[64], const unsigned char u[64],\n"
           "    signed char y[64], signed char z[64], unsigned char v[64])\n"
           "    grid(1)\n"
           "{ y[:] = x + x * 3; z = -x >> 1 ^ 5; v = u - 200 << 3 | ~u % 7; }",
           args);
  for (int i = 0; i < 64; i++) {
    signed char product = (signed char)(x[i] * 3);
    assert_int_equal(y[i], (signed char)(x[i] + product));
    assert_int_equal(z[i], (signed char)((signed char)-x[i] >> 1 ^ 5));
    unsigned char less = (unsigned char)(u[i] - 200);
    unsigned char other = (unsigned char)~u[i];
    assert_int_equal(v[i], (unsigned char)((unsigned char)(less << 3) |
                                           (unsigned char)(other % 7)));
  }
}

static void test_choices(void **state) {
  (void)state;
  float x[16], y[16], want[16];
  int n[1] = {0};
  for (int i = 0; i < 16; i++)
    x[i] = i == 5 ? NAN : (float)(i - 8) / 2;
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(n)};
  run_once(
      "kernel void k(const float x[16], float y[16], int n[1]) grid(1)\n"
      "{ tile bool low[16] = x < 1, odd[16] = arange(16) % 2 != 0;\n"
      "  y = where(low && !odd, min(x, -1), where(isnan(x), 9, x * 0.5));\n"
      "  n[0] = sum(low || odd) + any(isnan(x)) * 100\n"
      "       + all(x == x) * 1000; }",
      args);
  int count = 0;
  for (int i = 0; i < 16; i++) {
    bool low = x[i] < 1;
    want[i] = low && i % 2 == 0 ? fminf(x[i], -1)
              : isnan(x[i])     ? 9
                                : x[i] * 0.5F;
    count += low || i % 2;
  }
  expect_floats(y, want, 16);
  assert_int_equal(n[0], count + 100);
}

// ------------------------------------------------- reductions and products

static void test_reductions(void **state) {
  (void)state;
  int x[4][8], s[8], p[4], m[4][1], at[2], all[1];
  for (int i = 0; i < 32; i++)
    x[i / 8][i % 8] = i * 37 % 29 - 11;
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(s),  ARG_MEMORY(p),
                ARG_MEMORY(m), ARG_MEMORY(at), ARG_MEMORY(all)};
  run_once("kernel void k(const int x[4][8], int s[8], int p[4], int m[4][1],\n"
           "    int at[2], int all[1]) grid(1)\n"
           "{ tile int t[4][8] = x;\n"
           "  s = sum(t, 0); p = prod(t, -1); m = max(t, keep(1));\n"
           "  at[0] = argmax(t); at[1] = argmin(t);\n"
           "  all[0] = sum(t - min(t, keep(0, 1)), axis(0, 1)); }",
           args);
  int low = INT_MAX, high = INT_MIN, low_at = 0, high_at = 0, total = 0;
  for (int i = 0; i < 32; i++) {
    int v = x[i / 8][i % 8];
    low_at = v < low ? i : low_at, low = v < low ? v : low;
    high_at = v > high ? i : high_at, high = v > high ? v : high;
    total += v;
  }
  for (int k = 0; k < 8; k++)
    assert_int_equal(s[k], x[0][k] + x[1][k] + x[2][k] + x[3][k]);
  for (int i = 0; i < 4; i++) {
    unsigned product = 1;
    int most = INT_MIN;
    for (int k = 0; k < 8; k++) {
      product *= (unsigned)x[i][k];
      most = x[i][k] > most ? x[i][k] : most;
    }
    assert_int_equal(p[i], (int)product);
    assert_int_equal(m[i][0], most);
  }
  assert_int_equal(at[0], high_at);
  assert_int_equal(at[1], low_at);
  assert_int_equal(all[0], total - 32 * low);
}

// The program of the reference, with sizes that no tile divides: chains of
// fma, k ascending, in which zeros from outside change nothing.
static void test_matmul(void **state) {
  (void)state;

  enum { M = 21, N = 37, K = 19 };

  static float a[M][K], b[K][N], c[M][N], want[M][N];
  for (int i = 0; i < M * K; i++)
    a[i / K][i % K] = fraction(i);
  for (int i = 0; i < K * N; i++)
    b[i / N][i % N] = fraction(i * 3 + 1);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < K; k++)
        want[i][j] = fmaf(a[i][k], b[k][j], want[i][j]);
  Arg args[] = {arg_int(M),    arg_int(N),    arg_int(K),
                ARG_MEMORY(a), ARG_MEMORY(b), ARG_MEMORY(c)};
  run_once("kernel void k(int M, int N, int K, const float A[M][K],\n"
           "    const float B[K][N], float C[M][N], constexpr int BM = 8,\n"
           "    constexpr int BN = 12, constexpr int BK = 4)\n"
           "    grid(cdiv(N, BN), cdiv(M, BM))\n"
           "{ int i = block_index().y * BM, j = block_index().x * BN;\n"
           "  tile float acc[BM][BN] = 0;\n"
           "  for (int k = 0; k < K; k += BK)\n"
           "    acc = mma(A[i:BM][k:BK], B[k:BK][j:BN], acc);\n"
           "  C[i:BM][j:BN] = acc; }",
           args);
  expect_floats(&c[0][0], &want[0][0], M * N);
}

// Bytes of both kinds in any mixture; leading dimensions broadcast.
static void test_byte_products(void **state) {
  (void)state;

  enum { L = 2, M = 3, N = 5, K = 6 };

  unsigned char a[L][M][K];
  signed char b[K][N];
  int c[L][M][N], d[M][M];
  for (int i = 0; i < L * M * K; i++)
    (&a[0][0][0])[i] = (unsigned char)(i * 91);
  for (int i = 0; i < K * N; i++)
    (&b[0][0])[i] = (signed char)(i * 77);
  Arg args[] = {ARG_MEMORY(a), ARG_MEMORY(b), ARG_MEMORY(c), ARG_MEMORY(d)};
  run_once("kernel void k(const unsigned char a[2][3][6], const signed char\n"
           "    b[6][5], int c[2][3][5], int d[3][3]) grid(1)\n"
           "{ c = mma(a, b, 7); d = dot(a[1], transpose(a[1])); }",
           args);
  for (int l = 0; l < L; l++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        int sum = 7;
        for (int k = 0; k < K; k++)
          sum += a[l][i][k] * b[k][j];
        assert_int_equal(c[l][i][j], sum);
      }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      int sum = 0;
      for (int k = 0; k < K; k++)
        sum += a[1][i][k] * a[1][j][k];
      assert_int_equal(d[i][j], sum);
    }
}

// ---------------------------------------------------------------- elements

static void test_moves(void **state) {
  (void)state;
  int x[4][6], y[10][6], z[6][4], w[3][2], v[2][24], u[8];
  for (int i = 0; i < 24; i++)
    x[i / 6][i % 6] = i;
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(z),
                ARG_MEMORY(w), ARG_MEMORY(v), ARG_MEMORY(u)};
  run_once("kernel void k(const int x[4][6], int y[10][6], int z[6][4],\n"
           "    int w[3][2], int v[2][24], int u[8]) grid(1)\n"
           "{ tile int t[4][6] = x;\n"
           "  y = cat(t, roll(t, -1, 1), flip(split(t, 2, 0, 1), 0), 0);\n"
           "  z = permute(insert(t, full(-1, 2, 3), 1, 2), 1, 0);\n"
           "  w = transpose(extract(t, 2, 3, 2, 3));\n"
           "  v = stack(reshape(t, 24), arange(24) * 2, 0);\n"
           "  u = pad_to(extract(reshape(t, 24), 9, 3), 8, 5); }",
           args);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 4; k++) {
      assert_int_equal(y[k][i], x[k][i]);
      assert_int_equal(y[4 + k][i], x[k][(i + 1) % 6]);
      bool is_part = k >= 1 && k < 3 && i >= 2 && i < 5;
      assert_int_equal(z[i][k], is_part ? -1 : x[k][i]);
    }
    assert_int_equal(y[8][i], x[3][i]);
    assert_int_equal(y[9][i], x[2][i]);
    assert_int_equal(w[i / 2][i % 2], x[2 + i % 2][3 + i / 2]);
  }
  for (int i = 0; i < 24; i++) {
    assert_int_equal(v[0][i], i);
    assert_int_equal(v[1][i], 2 * i);
  }
  for (int i = 0; i < 8; i++)
    assert_int_equal(u[i], i < 3 ? 9 + i : 5);
}

// ----------------------------------------------------- functions and control

// Halving: each turn has another shape, each call another instance.
static void test_shapes_that_vary(void **state) {
  (void)state;
  int x[64], y[7] = {0};
  for (int i = 0; i < 64; i++)
    x[i] = i * 13 % 64;
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y)};
  run_once(
      "tile int halves(tile int t[n])\n"
      "{ return max(extract(t, 0, n / 2), extract(t, n / 2, n / 2)); }\n"
      "tile int above(tile int t[m][n], int limit)\n"
      "{ tile int zero[m][n] = 0; return where(t > limit, t, zero); }\n"
      "kernel void k(const int x[64], int y[7]) grid(1)\n"
      "{ tile int t[1][64] = x;\n"
      "  int i = 0;\n"
      "  constexpr for (int s = 64; s >= 1; s /= 2) {\n"
      "    tile int part[s] = extract(reshape(above(t, 20), 64), 0, s);\n"
      "    constexpr for (int left = s; left > 1; left /= 2)\n"
      "      if (left == s) part = cat(halves(part), zeros(int, s / 2), 0);\n"
      "    y[i++] = sum(part); } }",
      args);
  for (int i = 0, s = 64; s >= 1; i++, s /= 2) {
    int total = 0;
    for (int k = 0; k < (s > 1 ? s / 2 : 1); k++) {
      int a = x[k] > 20 ? x[k] : 0, b = s > 1 ? x[k + s / 2] : 0;
      b = b > 20 ? b : 0;
      total += a > b ? a : b;
    }
    assert_int_equal(y[i], total);
  }
}

// Conditions hold for the whole block; a tile keeps its value until it is
// assigned again.
static void test_control(void **state) {
  (void)state;
  Lowered program =
      lowered_new("kernel void k(int n, const int x[8], int y[8]) grid(1)\n"
                  "{ tile int t[8], first[8] = x;\n"
                  "  if (n > 2) t = first; else t = 1;\n"
                  "  for (int i = 0; i < n; i++) {\n"
                  "    if (i == 1) continue;\n"
                  "    if (sum(t) > 5000) break;\n"
                  "    t = i % 2 ? t + first : t * 2; }\n"
                  "  t += n > 3 && all(t > 0) ? first : 0;\n"
                  "  y = t; }",
                  "k");
  for (int n = -1; n < 12; n++) {
    int x[8], y[8], t[8];
    for (int i = 0; i < 8; i++)
      t[i] = n > 2 ? x[i] = i + 1 : (x[i] = i + 1, 1);
    for (int turn = 0; turn < n; turn++) {
      int total = 0;
      for (int i = 0; i < 8; i++)
        total += t[i];
      if (turn == 1)
        continue;
      if (total > 5000)
        break;
      for (int i = 0; i < 8; i++)
        t[i] = turn % 2 ? t[i] + x[i] : t[i] * 2;
    }
    for (int i = 0; i < 8; i++)
      t[i] += n > 3 ? x[i] : 0;
    Arg args[] = {arg_int(n), ARG_MEMORY(x), ARG_MEMORY(y)};
    lowered_run(&program, args);
    expect_ints(y, t, 8);
  }
  lowered_free(&program);
}

// Four loops are the grid: the outer two share z.
static void test_nest(void **state) {
  (void)state;
  int out[3][4][5][6] = {{{{0}}}};
  Lowered program = lowered_new(
      "kernel void k(int a, int b, int c, int d, int out[a][b][c][d]) {\n"
      "  parallel for (int i = 0; i < a; i++)\n"
      "    parallel for (int j = 0; j < b; j++)\n"
      "      parallel for (int k = 0; k < c; k++)\n"
      "        parallel for (int l = 0; l < d; l += 4)\n"
      "          out[i][j][k][l:4] += i * 1000 + j * 100 + k * 10 + l\n"
      "                             + arange(4); }",
      "k");
  Arg args[] = {arg_int(3), arg_int(4), arg_int(5), arg_int(6),
                ARG_MEMORY(out)};
  lowered_run(&program, args);
  assert_int_equal(program.grid[0], 2);
  assert_int_equal(program.grid[1], 5);
  assert_int_equal(program.grid[2], 12);
  for (int i = 0; i < 360; i++)
    assert_int_equal((&out[0][0][0][0])[i], i / 120 * 1000 + i / 30 % 4 * 100 +
                                                i / 6 % 5 * 10 + i % 6);
  lowered_free(&program);
}

// A bijection for all small sizes; by rows with groups of 1, by columns if one
// group has all rows.
static void test_grouped(void **state) {
  (void)state;

  enum { MOST = 7 };

  Lowered program = lowered_new(
      "kernel void k(int nm, int nn, int g, int x[nm * nn], int y[nm * nn])\n"
      "    grid(nm * nn)\n"
      "{ int t = block_index().x; int2 at = grouped(t, nm, nn, g);\n"
      "  x[t] = at.x; y[t] = at.y; }",
      "k");
  for (int nm = 1; nm <= MOST; nm++)
    for (int nn = 1; nn <= MOST; nn++)
      for (int g = 1; g <= MOST + 2; g++) {
        int x[MOST * MOST], y[MOST * MOST], seen[MOST][MOST] = {{0}};
        Arg args[] = {arg_int(nm), arg_int(nn), arg_int(g), ARG_MEMORY(x),
                      ARG_MEMORY(y)};
        lowered_run(&program, args);
        for (int t = 0; t < nm * nn; t++) {
          assert_true(x[t] >= 0 && x[t] < nm && y[t] >= 0 && y[t] < nn);
          assert_int_equal(seen[x[t]][y[t]]++, 0);
          assert_true(t == 0 || x[t] / g >= x[t - 1] / g);
          if (g == 1)
            assert_int_equal(x[t] * nn + y[t], t);
          if (g >= nm)
            assert_int_equal(y[t] * nm + x[t], t);
        }
      }
  lowered_free(&program);
}

static void test_min_nan(void **state) {
  (void)state;
  float a[4] = {1, NAN, 2, -0.0F}, b[4] = {NAN, 3, -4, 0.0F}, y[4], z[4];
  Arg args[] = {ARG_MEMORY(a), ARG_MEMORY(b), ARG_MEMORY(y), ARG_MEMORY(z)};
  run_once("kernel void k(const float a[4], const float b[4], float y[4],\n"
           "              float z[4]) grid(1)\n"
           "{ y[:] = min_nan(a, b); z[0:3] = max_nan(a[0:3], b[0:3]);\n"
           "  z[3] = max_nan(a[3], b[3]); }",
           args);
  float less[4] = {NAN, NAN, -4, -0.0F}, more[4] = {NAN, NAN, 2, 0.0F};
  for (int i = 0; i < 4; i++) {
    assert_true(isnan(less[i]) ? isnan(y[i]) : y[i] == less[i]);
    assert_true(isnan(more[i]) ? isnan(z[i]) : z[i] == more[i]);
  }
  assert_true(signbit(y[3]) && !signbit(z[3]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_narrow),
      cmocka_unit_test(test_choices),
      cmocka_unit_test(test_reductions),
      cmocka_unit_test(test_matmul),
      cmocka_unit_test(test_byte_products),
      cmocka_unit_test(test_moves),
      cmocka_unit_test(test_shapes_that_vary),
      cmocka_unit_test(test_control),
      cmocka_unit_test(test_nest),
      cmocka_unit_test(test_grouped),
      cmocka_unit_test(test_min_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
