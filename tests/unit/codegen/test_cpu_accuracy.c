// SPDX-License-Identifier: Apache-2.0
// The errors that docs/reference/accuracy.md states, held: every function over
// its range against the C library in higher precision.
#include "heddle/heddle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { N = 20000 };

typedef struct {
  const char *name;
  long double (*exact)(long double);
  double low, high;              // tested range
  double single_ulp, double_ulp; // the bounds; 0: not for this type
} Function;

static long double rsqrt_exact(long double x) {
  return 1 / sqrtl(x);
}

static long double sigmoid_exact(long double x) {
  return 1 / (1 + expl(-x));
}

static const long double pi = 3.14159265358979323846264338327950288L;

static long double sinpi_exact(long double x) {
  long double t = x - 2 * rintl(x / 2);
  return sinl(pi * t);
}

static long double cospi_exact(long double x) {
  long double t = x - 2 * rintl(x / 2);
  return cosl(pi * t);
}

static long double reciprocal(long double x) {
  return 1 / x;
}

static const Function functions[] = {
    {"sqrt", sqrtl, 0, 1e6, 0.5, 0.5},
    {"rsqrt", rsqrt_exact, 1e-3, 1e6, 2, 2},
    {"cbrt", cbrtl, -1e3, 1e3, 4, 4},
    {"exp", expl, -87, 88, 2, 4},
    {"exp2", exp2l, -126, 127, 2, 4},
    {"exp10", exp10l, -37, 38, 4, 4},
    {"expm1", expm1l, -10, 80, 4, 4},
    {"log", logl, 1e-30, 1e30, 2, 4},
    {"log2", log2l, 1e-30, 1e30, 2, 4},
    {"log", logl, 0.5, 2, 2, 4},
    {"log2", log2l, 0.5, 2, 4, 8},
    {"log10", log10l, 1e-30, 1e30, 4, 4},
    {"log1p", log1pl, -0.99, 1e6, 4, 4},
    {"sin", sinl, -100, 100, 4, 4},
    {"cos", cosl, -100, 100, 4, 4},
    {"tan", tanl, -100, 100, 4, 4},
    {"asin", asinl, -1, 1, 4, 4},
    {"acos", acosl, -1, 1, 4, 4},
    {"atan", atanl, -100, 100, 4, 4},
    {"sinh", sinhl, -80, 80, 4, 4},
    {"cosh", coshl, -80, 80, 4, 4},
    {"tanh", tanhl, -10, 10, 4, 4},
    {"asinh", asinhl, -1e6, 1e6, 4, 4},
    {"acosh", acoshl, 1, 1e6, 4, 4},
    {"atanh", atanhl, -0.999, 0.999, 4, 4},
    {"erf", erfl, -4, 4, 4, 4},
    {"erfc", erfcl, -4, 9, 4, 4},
    {"tgamma", tgammal, 0.1, 30, 10, 10},
    {"lgamma", lgammal, 3, 1e4, 10, 10},
    {"sigmoid", sigmoid_exact, -80, 80, 5, 5},
    {"sinpi", sinpi_exact, -50, 50, 5, 5},
    {"cospi", cospi_exact, -50, 50, 5, 5},
    {"fast_exp", expl, -87, 88, 4, 64},
    {"fast_exp2", exp2l, -126, 127, 4, 64},
    {"fast_log", logl, 1e-30, 1e30, 4, 64},
    {"fast_log2", log2l, 1e-30, 1e30, 4, 64},
    {"fast_log", logl, 0.5, 2, 4, 64},
    {"fast_tanh", tanhl, -8, 8, 16, 0},
    {"fast_rcp", reciprocal, 1e-6, 1e6, 4, 4},
    {"fast_sqrt", sqrtl, 1e-6, 1e6, 4, 4},
    {"fast_rsqrt", rsqrt_exact, 1e-6, 1e6, 6, 6},
};

static const char source_format[] =
    "kernel void k(int n, const %s x[n], %s y[n])\n"
    "    grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    int i = block_index().x * 64 + rank();\n"
    "    if (i < n) y[i] = %s(x[i]);\n"
    "}\n";

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Half of the inputs are spread evenly, half by magnitude.
static double input(const Function *f, uint64_t *state, int i) {
  double u = (double)(next_random(state) >> 11) * 0x1p-53;
  double v = f->low + (f->high - f->low) * u;
  if (i % 2 == 0)
    return v;
  double w = (double)(next_random(state) >> 11) * 0x1p-53;
  double scaled = v * pow(10, -6 * w);
  return scaled < f->low ? v : scaled;
}

static double error_in_ulp(long double exact, double value, bool is_single) {
  if (isnan((double)exact) && isnan(value))
    return 0;
  long double size = fabsl(exact);
  int exponent;
  frexpl(size, &exponent);
  int bits = is_single ? 24 : 53, least = is_single ? -149 : -1074;
  int place = exponent - bits < least ? least : exponent - bits;
  return (double)(fabsl((long double)value - exact) / ldexpl(1, place));
}

typedef struct {
  HdSession *session;
  HdDevice *device;
} Machine;

static void run(Machine *m, const Function *f, bool is_single, void *x,
                void *y) {
  char text[512];
  const char *type = is_single ? "float" : "double";
  snprintf(text, sizeof text, source_format, type, type, f->name);
  HdProgram *program = NULL;
  HdStatus status =
      hd_compile_text(m->session, "k.hd", text, strlen(text), &program);
  if (status != HD_OK)
    print_message("%s\n", hd_last_message(m->session));
  assert_int_equal(status, HD_OK);
  HdType element = is_single ? HD_F32 : HD_F64;
  HdBuffer *in = NULL, *out = NULL;
  int64_t extent = N;
  size_t bytes = N * (is_single ? sizeof(float) : sizeof(double));
  assert_int_equal(hd_buffer_new(m->device, element, 1, &extent, &in), HD_OK);
  assert_int_equal(hd_buffer_new(m->device, element, 1, &extent, &out), HD_OK);
  assert_int_equal(hd_buffer_write(in, x, bytes), HD_OK);
  status =
      hd_launch(program, "k", NULL, HD_INT(N), HD_BUF(in), HD_BUF(out), HD_END);
  if (status != HD_OK)
    print_message("%s\n", hd_last_message(m->session));
  assert_int_equal(status, HD_OK);
  assert_int_equal(hd_buffer_read(out, y, bytes), HD_OK);
  hd_buffer_free(in);
  hd_buffer_free(out);
  hd_program_free(program);
}

static float singles[2][N];
static double doubles[2][N];

static double worst_single(Machine *m, const Function *f) {
  uint64_t state = 1;
  double worst = 0;
  for (int i = 0; i < N; i++)
    singles[0][i] = (float)input(f, &state, i);
  run(m, f, true, singles[0], singles[1]);
  for (int i = 0; i < N; i++) {
    double error = error_in_ulp(f->exact((long double)singles[0][i]),
                                (double)singles[1][i], true);
    worst = error > worst || isnan(error) ? error : worst;
  }
  return worst;
}

static double worst_double(Machine *m, const Function *f) {
  uint64_t state = 1;
  double worst = 0;
  for (int i = 0; i < N; i++)
    doubles[0][i] = input(f, &state, i);
  run(m, f, false, doubles[0], doubles[1]);
  for (int i = 0; i < N; i++) {
    double error = error_in_ulp(f->exact((long double)doubles[0][i]),
                                doubles[1][i], false);
    worst = error > worst || isnan(error) ? error : worst;
  }
  return worst;
}

static int open_machine(void **state) {
  static Machine machine;
  *state = &machine;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  if (hd_session_new(&options, &machine.session) != HD_OK)
    return -1;
  return hd_device_open(machine.session, "cpu", &machine.device) != HD_OK;
}

static int close_machine(void **state) {
  Machine *m = *state;
  hd_device_free(m->device);
  hd_session_free(m->session);
  return 0;
}

static bool is_within(const char *name, const char *type, double worst,
                      double bound) {
  if (worst <= bound)
    return true;
  print_message("%s of %s: %.2f ulp, at most %.2f expected\n", name, type,
                worst, bound);
  return false;
}

static void errors_stay_within_their_bounds(void **state) {
  Machine *m = *state;
  bool is_good = true;
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    const Function *f = &functions[i];
    if (f->single_ulp > 0)
      is_good &= is_within(f->name, "float", worst_single(m, f), f->single_ulp);
    if (f->double_ulp > 0)
      is_good &=
          is_within(f->name, "double", worst_double(m, f), f->double_ulp);
  }
  assert_true(is_good);
}

// Where the exact result passes through zero the absolute error is bounded.
static void absolute_errors_stay_within_their_bounds(void **state) {
  static const struct {
    Function f;
    double single_error, double_error;
  } rows[] = {
      {{"fast_sin", sinl, -1000, 1000, 0, 0}, 1e-6, 1e-9},
      {{"fast_cos", cosl, -1000, 1000, 0, 0}, 1e-6, 1e-9},
      {{"fast_tanh", tanhl, -20, 20, 0, 0}, 1e-6, 1e-5},
  };

  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Function *f = &rows[i].f;
    uint64_t seed = 1;
    for (int k = 0; k < N; k++) {
      doubles[0][k] = input(f, &seed, k);
      singles[0][k] = (float)doubles[0][k];
    }
    run(*state, f, true, singles[0], singles[1]);
    run(*state, f, false, doubles[0], doubles[1]);
    double worst[2] = {0, 0};
    for (int k = 0; k < N; k++) {
      long double exact = f->exact((long double)singles[0][k]);
      double error = (double)fabsl((long double)singles[1][k] - exact);
      worst[0] = error > worst[0] ? error : worst[0];
      error = (double)fabsl((long double)doubles[1][k] -
                            f->exact((long double)doubles[0][k]));
      worst[1] = error > worst[1] ? error : worst[1];
    }
    if (worst[0] > rows[i].single_error || worst[1] > rows[i].double_error)
      print_message("%s: %g for float, %g for double\n", f->name, worst[0],
                    worst[1]);
    assert_true(worst[0] <= rows[i].single_error);
    assert_true(worst[1] <= rows[i].double_error);
  }
}

// Values at which C says exactly what comes out.
static void special_values_are_exact(void **state) {
  Machine *m = *state;

  static const struct {
    const char *name;
    float x, y;
  } cases[] = {
      {"exp", INFINITY, INFINITY},
      {"exp", -INFINITY, 0},
      {"exp", 0, 1},
      {"exp", 1000, INFINITY},
      {"exp", -1000, 0},
      {"exp", -100, 3.783505853677006e-44f},
      {"exp2", -149, 0x1p-149f},
      {"exp2", 10, 1024},
      {"exp2", 128, INFINITY},
      {"log", 0, -INFINITY},
      {"log", 1, 0},
      {"log", INFINITY, INFINITY},
      {"log", -1, NAN},
      {"log2", 0x1p-149f, -149},
      {"log2", 8, 3},
      {"log2", -0.0f, -INFINITY},
      {"exp", NAN, NAN},
      {"log", NAN, NAN},
      {"sinpi", 1e6f, 0},
      {"cospi", 0.5f, 0},
      {"sqrt", -1, NAN},
      {"rsqrt", 4, 0.5f},
  };

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Function f = {.name = cases[i].name};
    for (int k = 0; k < N; k++)
      singles[0][k] = cases[i].x;
    run(m, &f, true, singles[0], singles[1]);
    float want = cases[i].y, got = singles[1][N - 1];
    bool same = (isnan(want) && isnan(got)) || want == got;
    if (!same)
      print_message("%s(%g) is %g, not %g\n", cases[i].name, (double)cases[i].x,
                    (double)got, (double)want);
    assert_true(same);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_stay_within_their_bounds),
      cmocka_unit_test(absolute_errors_stay_within_their_bounds),
      cmocka_unit_test(special_values_are_exact),
  };
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
