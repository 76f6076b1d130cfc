// SPDX-License-Identifier: Apache-2.0
// Operations on tiles: prefixes, orders, diagonals, bits and random numbers,
// run by the reference interpreter and compared with loops.
#include "lowered.h"

#include <math.h>

static void run_once(const char *text, const Arg *args) {
  Lowered program = lowered_new(text, "k");
  lowered_run(&program, args);
  lowered_free(&program);
}

// ---------------------------------------------------------------- prefixes

// Narrow integers are added up as int; floats of 16 bits in float.
static void test_prefixes(void **state) {
  (void)state;
  signed char x[3][4];
  int sums[3][4], back[3][4], products[3][4], most[3][4];
  for (int i = 0; i < 12; i++)
    x[i / 4][i % 4] = (signed char)(i * 77);
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(sums), ARG_MEMORY(back),
                ARG_MEMORY(products), ARG_MEMORY(most)};
  run_once(
      "kernel void k(const signed char x[3][4], int s[3][4], int b[3][4],\n"
      "    int p[3][4], int m[3][4]) grid(1)\n"
      "{ s = cumsum(x, 1); b = cumsum(x, reverse(0));\n"
      "  p = cumprod(x, -1); m = cummax(x, reverse(-1)); }",
      args);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      int sum = 0, product = 1, down = 0, largest = x[i][k];
      for (int j = 0; j <= k; j++)
        sum += x[i][j], product *= x[i][j];
      for (int j = i; j < 3; j++)
        down += x[j][k];
      for (int j = k; j < 4; j++)
        largest = x[i][j] > largest ? x[i][j] : largest;
      assert_int_equal(sums[i][k], sum);
      assert_int_equal(products[i][k], product);
      assert_int_equal(back[i][k], down);
      assert_int_equal(most[i][k], largest);
    }
}

// -0 = +0, NaN last; argsort is stable; others than 0 … n-1 aren't counted.
static void test_orders(void **state) {
  (void)state;
  float x[8] = {3, NAN, -0.0F, 0, -INFINITY, 3, 7, -2}, y[8];
  float sorted[8] = {-INFINITY, -2, -0.0F, 0, 3, 3, 7, NAN};
  unsigned char u[2][4] = {{200, 5, 255, 5}, {0, 128, 127, 1}};
  unsigned char v[2][4], w[2][4];
  int at[8], c[6], h[6] = {0, 5, 5, -1, 6, 2}, n[256];
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(at),
                ARG_MEMORY(u), ARG_MEMORY(v), ARG_MEMORY(w),
                ARG_MEMORY(h), ARG_MEMORY(c), ARG_MEMORY(n)};
  run_once("kernel void k(const float x[8], float y[8], int at[8],\n"
           "    const unsigned char u[2][4], unsigned char v[2][4],\n"
           "    unsigned char w[2][4], const int h[6], int c[6], int n[256])\n"
           "    grid(1)\n"
           "{ y = sort(x); at = argsort(x); v = sort(u); w = sort(u, 0);\n"
           "  c = histogram(h, 6); n = histogram(u, 256); }",
           args);
  const int places[8] = {4, 7, 2, 3, 0, 5, 6, 1}, want[6] = {1, 0, 1, 0, 0, 2};
  const unsigned char rows[8] = {5, 5, 200, 255, 0, 1, 127, 128};
  const unsigned char columns[8] = {0, 5, 127, 1, 200, 128, 255, 5};
  assert_memory_equal(y, sorted, 7 * sizeof *y);
  assert_true(isnan(y[7]));
  assert_memory_equal(at, places, sizeof at);
  assert_memory_equal(v, rows, sizeof v);
  assert_memory_equal(w, columns, sizeof w);
  assert_memory_equal(c, want, sizeof c);
  for (int i = 0; i < 256; i++) {
    int count = 0;
    for (int k = 0; k < 8; k++)
      count += u[k / 4][k % 4] == i;
    assert_int_equal(n[i], count);
  }
}

// ------------------------------------------------------- norms, logarithms

static void test_norms(void **state) {
  (void)state;
  float x[4][3] = {{-INFINITY, -INFINITY, -INFINITY},
                   {1000, 1000, -INFINITY},
                   {INFINITY, 0, 1},
                   {NAN, 1, 2}};
  float y[4], n[1];
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(n)};
  run_once(
      "kernel void k(const float x[4][3], float y[4], float n[1]) grid(1)\n"
      "{ y = logsumexp(x, 1);\n"
      "  tile float t[2][2] = cast(float, reshape(arange(4), 2, 2));\n"
      "  n[0] = norm2(t) + sum(norm2(t, keep(1))); }",
      args);
  assert_float_equal(n[0], sqrtf(14) + 1 + sqrtf(13), 1e-5F);
  assert_true(isinf(y[0]) && y[0] < 0);
  assert_float_equal(y[1], 1000.6931F, 1e-3F);
  assert_true(isinf(y[2]) && y[2] > 0);
  assert_true(isnan(y[3]));
}

// --------------------------------------------------------------- diagonals

static void test_diagonals(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(long d, const int x[2][3][4], int l[2][3][4],\n"
      "    int u[2][3][4], fp8_e4m3 e[3][3]) grid(1)\n"
      "{ l = tril(x, d); u = triu(x, d); e = eye(fp8_e4m3, 3);\n"
      "  if (d == 0) { l = tril(x); u = triu(x); } }",
      "k");
  const int64_t far[] = {INT64_MIN, -4, -3, -1, 0, 1, 3, 4, INT64_MAX};
  for (size_t n = 0; n < sizeof far / sizeof *far; n++) {
    int x[24], l[24], u[24];
    unsigned char e[9];
    for (int i = 0; i < 24; i++)
      x[i] = i + 1;
    Arg args[] = {arg_int(far[n]), ARG_MEMORY(x), ARG_MEMORY(l), ARG_MEMORY(u),
                  ARG_MEMORY(e)};
    lowered_run(&program, args);
    for (int i = 0; i < 24; i++) {
      int at = i % 4 - i / 4 % 3;
      assert_int_equal(l[i], at <= far[n] ? x[i] : 0);
      assert_int_equal(u[i], at >= far[n] ? x[i] : 0);
    }
    for (int i = 0; i < 9; i++)
      assert_int_equal(e[i], i % 4 == 0 ? 0x38 : 0);
  }
  lowered_free(&program);
}

// -------------------------------------------------------------------- bits

static void test_bits(void **state) {
  (void)state;
  unsigned char x[8] = {1, 2, 3, 4, 0xFF, 0, 0x80, 0x3F}, z[8];
  unsigned y[2];
  float f[2];
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(z), ARG_MEMORY(f)};
  run_once("kernel void k(const unsigned char x[8], unsigned y[2],\n"
           "    unsigned char z[8], float f[2]) grid(1)\n"
           "{ y = pack(unsigned, x); z = unpack(unsigned char, y[0:2] + 1);\n"
           "  f = bitcast(float, pack(unsigned, x)); }",
           args);
  assert_int_equal(y[0], 0x04030201);
  assert_int_equal(y[1], 0x3F8000FF);
  const unsigned char more[8] = {2, 2, 3, 4, 0, 1, 0x80, 0x3F};
  assert_memory_equal(z, more, sizeof z);
  assert_memory_equal(f, y, sizeof f);
}

static void test_nan_extremes(void **state) {
  (void)state;
  float x[6] = {1, NAN, 2, NAN, 0, -0.0F}, y[6] = {2, 3, NAN, NAN, -0.0F, 0};
  float low[6], high[6];
  int n[1];
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(y), ARG_MEMORY(low), ARG_MEMORY(high),
                ARG_MEMORY(n)};
  run_once("kernel void k(const float x[6], const float y[6], float low[6],\n"
           "    float high[6], int n[1]) grid(1)\n"
           "{ low = min_nan(x, y); high = max_nan(x, y);\n"
           "  n[0] = max_nan(3, -4) * 10 + min_nan(2, 5); }",
           args);
  assert_true(low[0] == 1 && high[0] == 2);
  for (int i = 1; i < 4; i++)
    assert_true(isnan(low[i]) && isnan(high[i]));
  for (int i = 4; i < 6; i++)
    assert_true(signbit(low[i]) && !signbit(high[i]));
  assert_int_equal(n[0], 32);
}

// ----------------------------------------------------------------- printing

static void test_print(void **state) {
  (void)state;
  Lowered program = lowered_new(
      "kernel void k(const unsigned char x[2][2]) grid(1)\n"
      "{ tile unsigned char t[2][2] = x; print(t); print(x[1] * 2);\n"
      "  print(sum(t)); }",
      "k");
  unsigned char x[4] = {200, 1, 2, 3};
  Arg args[] = {ARG_MEMORY(x)};
  lowered_run(&program, args);
  assert_string_equal(text_cstr(&program.printed),
                      "t = [[200 1]\n     [2 3]]\nx[1] * 2 = [4 6]\n"
                      "sum(t) = 206\n");
  lowered_free(&program);
}

// ------------------------------------------------------------ random numbers

static void philox(const uint32_t *counter, const uint32_t *key,
                   uint32_t *out) {
  uint32_t k[2] = {key[0], key[1]};
  memcpy(out, counter, 4 * sizeof *out);
  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t)0xD2511F53 * out[0];
    uint64_t b = (uint64_t)0xCD9E8D57 * out[2];
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ out[1] ^ k[0], (uint32_t)b,
                        (uint32_t)(a >> 32) ^ out[3] ^ k[1], (uint32_t)a};
    memcpy(out, next, sizeof next);
    k[0] += 0x9E3779B9;
    k[1] += 0xBB67AE85;
  }
}

// The vectors that the authors of Philox publish.
static void test_philox_itself(void **state) {
  (void)state;
  const uint32_t given[3][6] = {
      {0, 0, 0, 0, 0, 0},
      {~0U, ~0U, ~0U, ~0U, ~0U, ~0U},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0}};
  const uint32_t want[3][4] = {
      {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    philox(given[i], given[i] + 4, out);
    assert_memory_equal(out, want[i], sizeof out);
  }
}

static void test_random(void **state) {
  (void)state;

  enum { N = 32 };

  uint32_t bits[N], out[4];
  float real[N], normal[N];
  const uint64_t seed = 0xFEDCBA9876543210, at = 0x00000000FFFFFFF0;
  Lowered program = lowered_new(
      "kernel void k(long seed, long at, unsigned bits[32], float x[32],\n"
      "    float y[32]) grid(1)\n"
      "{ tile long i[32] = at + cast(long, arange(32));\n"
      "  bits = random_bits(seed, i); x = random(seed, i);\n"
      "  y = normal(seed, i); }",
      "k");
  for (int turn = 0; turn < 2; turn++) {
    uint64_t s = turn ? seed : 0, first = turn ? at : 0;
    Arg args[] = {arg_int((int64_t)s), arg_int((int64_t)first),
                  ARG_MEMORY(bits), ARG_MEMORY(real), ARG_MEMORY(normal)};
    lowered_run(&program, args);
    if (!turn)
      assert_int_equal(bits[0], 0x6627e8d5);
    for (int i = 0; i < N; i++) {
      uint64_t o = first + (uint64_t)i;
      const uint32_t counter[4] = {(uint32_t)o, (uint32_t)(o >> 32), 0, 0};
      const uint32_t key[2] = {(uint32_t)s, (uint32_t)(s >> 32)};
      philox(counter, key, out);
      assert_int_equal(bits[i], out[0]);
      assert_true(real[i] == (float)(out[0] >> 8) * 0x1p-24F);
      double u = ((double)out[0] + 1) * 0x1p-32, v = (double)out[1] * 0x1p-32;
      assert_float_equal(
          normal[i], (float)(sqrt(-2 * log(u)) * cos(6.283185307179586 * v)),
          1e-5F);
    }
  }
  lowered_free(&program);
}

// ------------------------------------------------------ gathers, scatters

// Index tiles broadcast and take the place of the first of their dimensions;
// what they name outside is 0 and isn't written.
static void test_index_tiles(void **state) {
  (void)state;
  int x[5][6], rows[3] = {4, -1, 1}, y[3][4], d[3][2], z[5][6] = {{0}}, e[3];
  unsigned char columns[2] = {5, 255};
  for (int i = 0; i < 30; i++)
    x[i / 6][i % 6] = 100 + i;
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(rows), ARG_MEMORY(columns),
                ARG_MEMORY(y), ARG_MEMORY(d),    ARG_MEMORY(z),
                ARG_MEMORY(e)};
  run_once("kernel void k(const int x[5][6], const int rows[3],\n"
           "    const unsigned char columns[2], int y[3][4], int d[3][2],\n"
           "    int z[5][6], int e[3]) grid(1)\n"
           "{ tile int r[3] = rows;\n"
           "  y = x[r][3:4]; d = x[expand(r, 1)][columns]; e = x[r][r];\n"
           "  z[r][1:2] = 7; z[r + 1][arange(3)] += x[r][0]; }",
           args);
  for (int i = 0; i < 3; i++) {
    bool is_row = rows[i] >= 0;
    for (int k = 0; k < 4; k++)
      assert_int_equal(y[i][k], is_row && k < 3 ? x[rows[i]][3 + k] : 0);
    assert_int_equal(d[i][0], is_row ? x[rows[i]][5] : 0);
    assert_int_equal(d[i][1], 0);
    assert_int_equal(e[i], is_row ? x[rows[i]][rows[i]] : 0);
  }
  int want[5][6] = {{0}};
  want[4][1] = want[4][2] = want[1][1] = want[1][2] = 7;
  want[2][2] = x[1][0];
  assert_memory_equal(z, want, sizeof z);
}

// False in the mask counts as outside, where loads have the value of pad.
static void test_around(void **state) {
  (void)state;
  int x[5] = {1, 2, 3, 4, 5}, m[4][1] = {{1}, {0}, {2}, {1}}, y[8], z[8] = {0};
  int w[4][2];
  Arg args[] = {ARG_MEMORY(x), ARG_MEMORY(m), ARG_MEMORY(y), ARG_MEMORY(z),
                ARG_MEMORY(w)};
  run_once("kernel void k(const int x[5], const int m[4][1], int y[8],\n"
           "    int z[8], int w[4][2]) grid(1)\n"
           "{ y = pad(masked(x[-1:8], arange(8) != 3), -7);\n"
           "  masked(z[0:8], arange(8) % 2 == 0) = 1 + masked(x[0:8], true);\n"
           "  unchecked(masked(z[0:2], arange(2))) += 5;\n"
           "  w = 9; masked(w, m) = unchecked(pad(x[0:2], 1)); }",
           args);
  const int want_y[8] = {-7, 1, 2, -7, 4, 5, -7, -7};
  const int want_z[8] = {2, 5, 4, 0, 6, 0, 1, 0};
  const int want_w[8] = {1, 2, 9, 9, 1, 2, 1, 2};
  assert_memory_equal(y, want_y, sizeof y);
  assert_memory_equal(z, want_z, sizeof z);
  assert_memory_equal(w, want_w, sizeof w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prefixes), cmocka_unit_test(test_orders),
      cmocka_unit_test(test_norms),    cmocka_unit_test(test_diagonals),
      cmocka_unit_test(test_bits),     cmocka_unit_test(test_nan_extremes),
      cmocka_unit_test(test_print),    cmocka_unit_test(test_philox_itself),
      cmocka_unit_test(test_random),   cmocka_unit_test(test_index_tiles),
      cmocka_unit_test(test_around),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
