// SPDX-License-Identifier: Apache-2.0
// The errors of the device math library that docs/reference/accuracy.md states,
// held on the host: the same source computes the same bits on a GPU, but for
// 2^x and 1 / x of float, which tests/gpu/test_math.c looks at.
//
//   (no argument)         samples of each function, and special values
//   exhaustive [NAME…]    every float for functions of one float
#include "devicemath/devicemath.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { N = 60000 };

typedef struct {
  const char *name;
  float (*single)(float);
  double (*wide)(double);
  double (*exact_single)(double);
  long double (*exact)(long double);
  double single_ulp, double_ulp; // the bounds
  double low, high;              // where the function isn't trivial
} Function;

static const long double pi = 3.14159265358979323846264338327950288L;

static long double sigmoid_exact(long double x) {
  return 1 / (1 + expl(-x));
}

// sin(pi x) by halves of turns, which are taken off exactly.
static long double sinpi_exact(long double x) {
  long double t = remainderl(x, 2);
  if (fabsl(t) > 0.5L)
    t = copysignl(1, t) - t;
  if (t == 0)
    return copysignl(0, x);
  return fabsl(t) > 0.25L ? copysignl(cosl(pi * (0.5L - fabsl(t))), t)
                          : sinl(pi * t);
}

static long double cospi_exact(long double x) {
  long double t = fabsl(remainderl(x, 2));
  if (t <= 0.25L)
    return cosl(pi * t);
  return t < 0.75L ? sinl(pi * (0.5L - t)) : -cosl(pi * (1 - t));
}

static long double lgamma_exact(long double x) {
  int sign;
  return lgammal_r(x, &sign);
}

static double sigmoid_double(double x) {
  return 1 / (1 + exp(-x));
}

static double sinpi_double(double x) {
  return (double)sinpi_exact((long double)x);
}

static double cospi_double(double x) {
  return (double)cospi_exact((long double)x);
}

static double lgamma_double(double x) {
  return (double)lgamma_exact((long double)x);
}

#define ROW(name, single_ulp, double_ulp, low, high)                           \
  {                                                                            \
#name, hdm_##name##_f32, hdm_##name##_f64, name, name##l, single_ulp,      \
        double_ulp, low, high                                                  \
  }
#define OWN(name, single_ulp, double_ulp, low, high)                           \
  {                                                                            \
#name, hdm_##name##_f32, hdm_##name##_f64, name##_double, name##_exact,    \
        single_ulp, double_ulp, low, high                                      \
  }

static const Function functions[] = {
    ROW(exp, 1, 1, -750, 720),    ROW(exp2, 1, 1, -1080, 1030),
    ROW(exp10, 1, 1, -330, 310),  ROW(expm1, 2, 2, -40, 720),
    OWN(sigmoid, 3, 3, -750, 40), ROW(log, 1, 1, 0, 3),
    ROW(log2, 2, 2, 0, 3),        ROW(log10, 1, 1, 0, 3),
    ROW(log1p, 2, 1, -1, 3),      ROW(sin, 2, 2, -100, 100),
    ROW(cos, 2, 2, -100, 100),    ROW(tan, 3, 3, -100, 100),
    OWN(sinpi, 1, 1, -10, 10),    OWN(cospi, 1, 1, -10, 10),
    ROW(asin, 2, 2, -1, 1),       ROW(acos, 2, 2, -1, 1),
    ROW(atan, 2, 2, -10, 10),     ROW(sinh, 1, 2, -720, 720),
    ROW(cosh, 1, 2, -720, 720),   ROW(tanh, 2, 3, -20, 20),
    ROW(asinh, 1, 2, -10, 10),    ROW(acosh, 1, 2, 1, 10),
    ROW(atanh, 1, 2, -1, 1),      ROW(erf, 1, 2, -6, 6),
    ROW(erfc, 1, 4, -6, 28),      ROW(tgamma, 1, 4, -180, 172),
    OWN(lgamma, 1, 4, 0, 20),     ROW(cbrt, 1, 1, -100, 100),
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

typedef struct {
  const char *name;
  float (*single)(float, float);
  double (*wide)(double, double);
  double (*exact_single)(double, double);
  long double (*exact)(long double, long double);
  double single_ulp, double_ulp;
} Function2;

#define ROW2(name, single_ulp, double_ulp)                                     \
  {                                                                            \
#name, hdm_##name##_f32, hdm_##name##_f64, name, name##l, single_ulp,      \
        double_ulp                                                             \
  }

static const Function2 functions2[] = {
    ROW2(pow, 1, 1),
    ROW2(atan2, 3, 2),
    ROW2(hypot, 1, 2),
};

enum { N_FUNCTIONS2 = sizeof functions2 / sizeof functions2[0] };

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// A third by value, a third by magnitude up to the limits, a third all bits.
static double input(const Function *f, uint64_t *state, int i) {
  double u = (double)(next_random(state) >> 11) * 0x1p-53;
  double w = (double)(next_random(state) >> 11) * 0x1p-53;
  double v = f->low + (f->high - f->low) * u;
  if (i % 3 == 0)
    return v;
  if (i % 3 == 1)
    return v * pow(2, -20 * w);
  uint64_t bits = next_random(state);
  memcpy(&v, &bits, sizeof v);
  return v;
}

static float narrow_input(const Function *f, uint64_t *state, int i) {
  double wide = input(f, state, i);
  if (i % 3 != 2)
    return (float)wide;
  uint32_t bits = (uint32_t)next_random(state);
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

// Huge where one is NaN or infinite and the other isn't.
static double error_in_ulp(long double exact, double value, int bits,
                           int least) {
  if (isnan(exact) || isnan(value))
    return isnan(exact) && isnan(value) ? 0 : 1e30;
  long double size = fabsl(exact);
  int top = bits == 24 ? 128 : 1024;
  if (isinf(value)) { // as if exponents had no limit
    if (!signbit(exact) != !signbit(value))
      return 1e30;
    return isinf(exact) || size >= ldexpl(1, top) - ldexpl(2, top - bits)
               ? 0
               : 1e30;
  }
  int exponent;
  frexpl(size > ldexpl(1, top) ? ldexpl(1, top) : size, &exponent);
  int place = exponent - bits < least ? least : exponent - bits;
  return (double)(fabsl((long double)value - exact) / ldexpl(1, place));
}

static double error_of_single(double exact, float value) {
  return error_in_ulp((long double)exact, (double)value, 24, -149);
}

static double error_of_double(long double exact, double value) {
  return error_in_ulp(exact, value, 53, -1074);
}

// Where the C library isn't accurate itself, or the bound isn't claimed:
// lgamma below zero passes through 0 between its poles.
static bool is_excluded(const Function *f, double x) {
  return strcmp(f->name, "lgamma") == 0 && x < 0;
}

// The largest error so far, of floats and of doubles, and where.
typedef struct {
  double single, at_single, wide, at_double;
} Worst;

static void meet(double error, double at, double *worst, double *worst_at) {
  if (error > *worst) {
    *worst = error;
    *worst_at = at;
  }
}

static bool is_within(const Worst *w, const char *name, double single_ulp,
                      double double_ulp) {
  print_message("%-8s %.3f at %a, %.3f at %a\n", name, w->single, w->at_single,
                w->wide, w->at_double);
  bool is_good = w->single <= single_ulp && w->wide <= double_ulp;
  if (!is_good)
    print_error("%s: bounds are %.1f and %.1f ULP\n", name, single_ulp,
                double_ulp);
  return is_good;
}

static void errors_of_one_argument(void **unused) {
  (void)unused;
  bool are_good = true;
  for (int i = 0; i < N_FUNCTIONS; i++) {
    const Function *f = &functions[i];
    uint64_t state = 1;
    Worst w = {0};
    for (int k = 0; k < N; k++) {
      float x = narrow_input(f, &state, k);
      double y = input(f, &state, k);
      if (!is_excluded(f, (double)x))
        meet(error_of_single(f->exact_single((double)x), f->single(x)),
             (double)x, &w.single, &w.at_single);
      if (!is_excluded(f, y))
        meet(error_of_double(f->exact((long double)y), f->wide(y)), y, &w.wide,
             &w.at_double);
    }
    are_good &= is_within(&w, f->name, f->single_ulp, f->double_ulp);
  }
  assert_true(are_good);
}

// Bits of any number, or one of the same size as `near`, or a small one.
static double any_number(uint64_t *state, double near, int i) {
  uint64_t bits = next_random(state);
  double u = (double)(next_random(state) >> 11) * 0x1p-52 - 1;
  if (i % 4 == 0) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
  }
  if (i % 4 == 1)
    return near * (1 + u);
  return i % 4 == 2 ? 10 * u : rint(20 * u);
}

static float any_float(uint64_t *state, float near, int i) {
  uint32_t bits = (uint32_t)next_random(state);
  float v = (float)any_number(state, (double)near, i);
  if (i % 4 == 0)
    memcpy(&v, &bits, sizeof v);
  return v;
}

static void errors_of_two_arguments(void **unused) {
  (void)unused;
  bool are_good = true;
  for (int i = 0; i < N_FUNCTIONS2; i++) {
    const Function2 *f = &functions2[i];
    uint64_t state = 2;
    Worst w = {0};
    for (int k = 0; k < 2 * N; k++) {
      float a = any_float(&state, 1, k), b = any_float(&state, a, k / 4);
      meet(error_of_single(f->exact_single((double)a, (double)b),
                           f->single(a, b)),
           (double)a, &w.single, &w.at_single);
      double x = any_number(&state, 1, k), y = any_number(&state, x, k / 4);
      meet(error_of_double(f->exact((long double)x, (long double)y),
                           f->wide(x, y)),
           x, &w.wide, &w.at_double);
    }
    are_good &= is_within(&w, f->name, f->single_ulp, f->double_ulp);
  }
  assert_true(are_good);
}

// Bases of all sizes, exponents for which the result is a number.
static void powers(void **unused) {
  (void)unused;
  uint64_t state = 4;
  Worst w = {0};
  for (int k = 0; k < 2 * N; k++) {
    double u = (double)(next_random(&state) >> 11) * 0x1p-52 - 1;
    double v = (double)(next_random(&state) >> 11) * 0x1p-52 - 1;
    float a = (float)exp2(k % 2 ? 149 * u : u);
    float b = (float)(150 * v / log2((double)a));
    meet(error_of_single(pow((double)a, (double)b), hdm_pow_f32(a, b)),
         (double)a, &w.single, &w.at_single);
    double x = exp2(k % 2 ? 1074 * u : u), y = 1080 * v / log2(x);
    meet(error_of_double(powl((long double)x, (long double)y),
                         hdm_pow_f64(x, y)),
         x, &w.wide, &w.at_double);
  }
  assert_true(is_within(&w, "pow", 1, 1));
}

// ------------------------------------------------------------ special values

static const double specials[] = {
    0.0,      INFINITY,  NAN,      1.0,     2.0,         3.0,     0.5,
    0x1p-149, 0x1p-1074, 0x1p-126, 0x1p100, 0x1.fp127,   0x1p128, 0x1.fp1023,
    0.25,     1.5,       2.5,      7.0,     33.0,        170.0,   171.0,
    88.5,     -103.0,    0.75,     1.25,    0x1p-1022,   200.0,   1000.0,
    0x1p23,   0x1p24,    0x1p52,   0x1p53,  0x1.8p1 - 1, 127.0,   1024.0};

enum { N_SPECIALS = 2 * (int)(sizeof specials / sizeof specials[0]) };

static double special(int i) {
  return i % 2 ? -specials[i / 2] : specials[i / 2];
}

// Equal as zeros with their sign, infinities and NaN.
static bool is_alike(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  if (a == 0 || b == 0 || isinf(a) || isinf(b))
    return a == b && !signbit(a) == !signbit(b);
  return !signbit(a) == !signbit(b);
}

static void special_values(void **unused) {
  (void)unused;
  for (int i = 0; i < N_FUNCTIONS; i++)
    for (int k = 0; k < N_SPECIALS; k++) {
      const Function *f = &functions[i];
      double x = special(k);
      float narrow = (float)x;
      double wide = f->wide(x), exact = (double)f->exact((long double)x);
      float single = f->single(narrow);
      float exact_single = (float)f->exact_single((double)narrow);
      if (!is_alike(wide, exact) ||
          !is_alike((double)single, (double)exact_single))
        fail_msg("%s(%a) = %a, %a; should be %a, %a", f->name, x,
                 (double)single, wide, (double)exact_single, exact);
    }
}

static void special_pairs(void **unused) {
  (void)unused;
  for (int i = 0; i < N_FUNCTIONS2; i++)
    for (int k = 0; k < N_SPECIALS * N_SPECIALS; k++) {
      const Function2 *f = &functions2[i];
      double x = special(k % N_SPECIALS), y = special(k / N_SPECIALS);
      float a = (float)x, b = (float)y;
      double wide = f->wide(x, y);
      double exact = (double)f->exact((long double)x, (long double)y);
      float single = f->single(a, b);
      float exact_single = (float)f->exact_single((double)a, (double)b);
      if (!is_alike(wide, exact) ||
          !is_alike((double)single, (double)exact_single))
        fail_msg("%s(%a, %a) = %a, %a; should be %a, %a", f->name, x, y,
                 (double)single, wide, (double)exact_single, exact);
    }
}

// ------------------------------------------------------------ exact functions

static bool is_same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static void check_exact_double(double x, double y) {
  if (!is_same(hdm_frem_f64(x, y), fmod(x, y)) ||
      !is_same(hdm_remainder_f64(x, y), remainder(x, y)) ||
      !is_same(hdm_nextafter_f64(x, y), nextafter(x, y)))
    fail_msg("of %a, %a: fmod %a, remainder %a, nextafter %a", x, y,
             hdm_frem_f64(x, y), hdm_remainder_f64(x, y),
             hdm_nextafter_f64(x, y));
}

static void check_exact_float(float x, float y) {
  double a = (double)x, b = (double)y;
  if (!is_same((double)hdm_frem_f32(x, y), (double)fmodf(x, y)) ||
      !is_same((double)hdm_remainder_f32(x, y), (double)remainderf(x, y)) ||
      !is_same((double)hdm_nextafter_f32(x, y), (double)nextafterf(x, y)))
    fail_msg("of %a, %a: fmodf %a, remainderf %a, nextafterf %a", a, b,
             (double)hdm_frem_f32(x, y), (double)hdm_remainder_f32(x, y),
             (double)hdm_nextafter_f32(x, y));
}

static void check_exponents(double x, float narrow, int n) {
  if (!is_same(hdm_ldexp_f64(x, n), ldexp(x, n)) ||
      !is_same((double)hdm_ldexp_f32(narrow, n), (double)ldexpf(narrow, n)))
    fail_msg("ldexp(%a or %a, %d) = %a, %a", x, (double)narrow, n,
             hdm_ldexp_f64(x, n), (double)hdm_ldexp_f32(narrow, n));
  if (hdm_ilogb_f64(x) != ilogb(x) || hdm_ilogb_f32(narrow) != ilogbf(narrow))
    fail_msg("ilogb(%a or %a) = %d, %d", x, (double)narrow, hdm_ilogb_f64(x),
             hdm_ilogb_f32(narrow));
}

static void exact_functions(void **unused) {
  (void)unused;
  for (int k = 0; k < N_SPECIALS * N_SPECIALS; k++) {
    double x = special(k % N_SPECIALS), y = special(k / N_SPECIALS);
    check_exact_double(x, y);
    check_exact_float((float)x, (float)y);
    check_exponents(x, (float)x, k - N_SPECIALS * N_SPECIALS / 2);
  }
  uint64_t state = 3;
  for (int k = 0; k < 2 * N; k++) {
    double x = any_number(&state, 1, k);
    check_exact_double(x, any_number(&state, x, k / 4));
    float a = any_float(&state, 1, k);
    check_exact_float(a, any_float(&state, a, k / 4));
    check_exponents(x, a, (int)(next_random(&state) % 5000) - 2500);
    check_exponents(x, a, (int)next_random(&state));
  }
}

// Of 16-bit floats, which the C library doesn't have: steps in their order.
static void neighbours_of_narrow_floats(void **unused) {
  (void)unused;
  const uint16_t infinities[] = {0x7c00, 0x7f80};
  for (int k = 0; k < 2; k++) {
    uint16_t inf = infinities[k];
    for (uint16_t x = 1; x < inf; x++) {
      assert_int_equal(hdm_nextafter_16(x, inf, inf), x + 1);
      assert_int_equal(hdm_nextafter_16(x, 0x8000, inf), x - 1);
      uint16_t minus = (uint16_t)(x | 0x8000);
      assert_int_equal(hdm_nextafter_16(minus, 0, inf), minus - 1);
      assert_int_equal(hdm_nextafter_16(minus, inf | 0x8000, inf), minus + 1);
    }
    assert_int_equal(hdm_nextafter_16(0x8000, 5, inf), 1);
    assert_int_equal(hdm_nextafter_16(0, 0x8005, inf), 0x8001);
    assert_int_equal(hdm_nextafter_16(0, 0x8000, inf), 0x8000);
    assert_int_equal(hdm_nextafter_16(inf, inf, inf), inf);
    assert_int_equal(hdm_nextafter_16((uint16_t)(inf + 1), 0, inf), 0x7fff);
    assert_int_equal(hdm_nextafter_16(0, (uint16_t)(inf + 1), inf), 0x7fff);
  }
}

// -------------------------------------------------------------- every float

static int check_every_float(const Function *f) {
  Worst w = {0};
  uint32_t bits = 0;
  do {
    float x;
    memcpy(&x, &bits, sizeof x);
    float v = f->single(x);
    double exact = f->exact_single((double)x);
    // Most are the nearest float, which needs no long double to see.
    if (v != (float)exact && !is_excluded(f, (double)x))
      meet(error_of_single(exact, v), (double)x, &w.single, &w.at_single);
  } while (++bits != 0);
  return is_within(&w, f->name, f->single_ulp, f->double_ulp) ? 0 : 1;
}

// Those functions of `names`, or all, that are `turn` modulo n_turns.
static int check_exhaustively(int n_names, char **names, int turn,
                              int n_turns) {
  int n_bad = 0;
  for (int i = turn; i < N_FUNCTIONS; i += n_turns) {
    bool is_asked = n_names == 0;
    for (int k = 0; k < n_names; k++)
      is_asked |= strcmp(names[k], functions[i].name) == 0;
    if (is_asked)
      n_bad += check_every_float(&functions[i]);
  }
  return n_bad;
}

// A process for each processor.
static int check_in_processes(int n_names, char **names) {
  int n = (int)sysconf(_SC_NPROCESSORS_ONLN), n_bad = 0;
  for (int i = 0; i < n; i++) {
    pid_t child = fork();
    if (child < 0)
      return 1;
    if (child == 0)
      exit(check_exhaustively(n_names, names, i, n) != 0);
  }
  for (int i = 0; i < n; i++) {
    int status = 1;
    wait(&status);
    n_bad += status != 0;
  }
  return n_bad;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "exhaustive") == 0)
    return check_in_processes(argc - 2, argv + 2) == 0 ? 0 : 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_of_one_argument),
      cmocka_unit_test(errors_of_two_arguments),
      cmocka_unit_test(powers),
      cmocka_unit_test(special_values),
      cmocka_unit_test(special_pairs),
      cmocka_unit_test(exact_functions),
      cmocka_unit_test(neighbours_of_narrow_floats),
  };
  return cmocka_run_group_tests_name("devicemath", tests, NULL, NULL);
}
