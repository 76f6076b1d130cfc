// SPDX-License-Identifier: Apache-2.0
// The device math library computes the same bits on a GPU as on the host, where
// its errors are measured; and the hardware's approximations, with what is made
// of them, are as accurate as docs/reference/accuracy.md says. Prints a line a
// function, with its time.
//
//   gpu_math [DEVICE]      "cuda" if left out
#include "devicemath/devicemath.h"
#include "heddle/heddle.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 22 };

typedef struct {
  HdSession *session;
  HdDevice *device;
  HdStream *stream;
  HdEvent *start, *end;
  HdBuffer *buffers[2][4]; // x, y, e, result; of float and of double
  double *host[4];
} Machine;

static void need(Machine *m, HdStatus status) {
  if (status == HD_OK)
    return;
  fprintf(stderr, "%s\n", hd_last_message(m->session));
  exit(1);
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Any bits, numbers about 1, of some hundreds, and whole ones.
static double input(uint64_t *state, int i) {
  uint64_t bits = next_random(state);
  double u = (double)(next_random(state) >> 11) * 0x1p-52 - 1, v;
  memcpy(&v, &bits, sizeof v);
  switch (i % 4) {
  case 0: return v;
  case 1: return 2 * u;
  case 2: return 800 * u;
  default: return rint(64 * u);
  }
}

static void fill(Machine *m, bool is_single) {
  uint64_t state = 1;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) {
      double v = input(&state, i / (k ? 4 : 1));
      uint32_t bits = (uint32_t)next_random(&state);
      float narrow = (float)v;
      if (i / (k ? 4 : 1) % 4 == 0)
        memcpy(&narrow, &bits, sizeof narrow);
      if (is_single)
        ((float *)m->host[k])[i] = narrow;
      else
        m->host[k][i] = v;
    }
  for (int i = 0; i < N; i++)
    ((int32_t *)m->host[2])[i] = i % 3 ? i % 200 - 100 : i % 5000 - 2500;
  for (int k = 0; k < 3; k++)
    need(m, hd_buffer_write(m->buffers[!is_single][k], m->host[k],
                            N * (is_single || k == 2 ? 4 : 8)));
}

// Runs r[i] = CALL on the device; milliseconds.
static double run(Machine *m, bool is_single, const char *call) {
  const char *type = is_single ? "float" : "double";
  char text[1024];
  snprintf(text, sizeof text,
           "kernel void k(int n, const %s x[n], const %s y[n], const int e[n],"
           " %s r[n])\n"
           "    grid(cdiv(n, 256)) threads(256)\n"
           "{\n"
           "    int i = block_index().x * 256 + rank();\n"
           "    if (i < n) r[i] = %s;\n"
           "}\n",
           type, type, type, call);
  HdProgram *program = NULL;
  need(m, hd_compile_text(m->session, "k.hd", text, strlen(text), &program));
  HdBuffer **b = m->buffers[!is_single];
  double ms = 0;
  for (int turn = 0; turn < 3; turn++) {
    need(m, hd_event_record(m->start, m->stream));
    need(m, hd_launch(program, "k", m->stream, HD_INT(N), HD_BUF(b[0]),
                      HD_BUF(b[1]), HD_BUF(b[2]), HD_BUF(b[3]), HD_END));
    need(m, hd_event_record(m->end, m->stream));
    need(m, hd_stream_wait(m->stream));
    need(m, hd_event_elapsed_ms(m->start, m->end, &ms));
  }
  need(m, hd_buffer_read(b[3], m->host[3], N * (is_single ? 4 : 8)));
  hd_program_free(program);
  return ms;
}

// Of float these stand on 2^x and 1 / x of the hardware.
static bool is_approximate(const char *name) {
  static const char *const names[] = {"exp",     "exp2", "exp10", "expm1",
                                      "sigmoid", "tanh", "erf",   "pow"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool is_same_single(const char *name, float a, float b) {
  if ((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0)
    return true;
  int32_t bits[2];
  memcpy(&bits[0], &a, sizeof a);
  memcpy(&bits[1], &b, sizeof b);
  return is_approximate(name) && llabs((int64_t)bits[0] - bits[1]) <= 4;
}

static bool is_same_double(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

typedef struct {
  int n_other; // results that differ
  int first;
} Count;

static void meet(Count *count, bool is_same, int i) {
  if (!is_same && count->n_other++ == 0)
    count->first = i;
}

static int report(const char *name, const char *type, Count c, double ms) {
  printf("%-12s %-6s %8d of %d differ, %.1f ps each", name, type, c.n_other,
         (int)N, ms * 1e9 / N);
  if (c.n_other)
    printf(", first number %d", c.first);
  printf("\n");
  return c.n_other ? 1 : 0;
}

// What the host computes of element i, by kind of function.
#define ONE_CALL(f)      f(x[i])
#define TWO_CALL(f)      f(x[i], y[i])
#define SCALE_CALL(f)    f(x[i], e[i])
#define EXPONENT_CALL(f) f(x[i])
#define ONE_TEXT         "(x[i])"
#define TWO_TEXT         "(x[i], y[i])"
#define SCALE_TEXT       "(x[i], e[i])"
#define EXPONENT_TEXT    "(x[i])"

// The language has the operation `frem` as fmod.
static const char *source_name(const char *text) {
  return strcmp(text, "frem") == 0 ? "fmod" : text;
}

#define FUNCTION(op, text, kind, family)                                       \
  static int check_##text##_single(Machine *m) {                               \
    const float *x = (const float *)m->host[0];                                \
    const float *y = (const float *)m->host[1];                                \
    const int32_t *e = (const int32_t *)m->host[2];                            \
    (void)y, (void)e;                                                          \
    char call[64];                                                             \
    snprintf(call, sizeof call, "%s" kind##_TEXT, source_name(#text));         \
    double ms = run(m, true, call);                                            \
    const float *r = (const float *)m->host[3];                                \
    Count c = {0};                                                             \
    for (int i = 0; i < N; i++)                                                \
      meet(&c,                                                                 \
           is_same_single(#text, r[i], (float)kind##_CALL(hdm_##text##_f32)),  \
           i);                                                                 \
    return report(#text, "float", c, ms);                                      \
  }                                                                            \
  static int check_##text##_double(Machine *m) {                               \
    const double *x = m->host[0], *y = m->host[1];                             \
    const int32_t *e = (const int32_t *)m->host[2];                            \
    (void)y, (void)e;                                                          \
    char call[64];                                                             \
    snprintf(call, sizeof call, "%s" kind##_TEXT, source_name(#text));         \
    double ms = run(m, false, call);                                           \
    Count c = {0};                                                             \
    for (int i = 0; i < N; i++)                                                \
      meet(&c,                                                                 \
           is_same_double(m->host[3][i],                                       \
                          (double)kind##_CALL(hdm_##text##_f64)),              \
           i);                                                                 \
    return report(#text, "double", c, ms);                                     \
  }
#include "devicemath/devicemath.def"
#undef FUNCTION

static int (*const checks[][2])(Machine *m) = {
#define FUNCTION(op, text, kind, family)                                       \
  {check_##text##_single, check_##text##_double},
#include "devicemath/devicemath.def"
#undef FUNCTION
};

// ------------------------------------------------------------ approximations

typedef struct {
  const char *name;
  double (*exact)(double);
  double low, high;
  double ulp, per_x; // the bound: ulp + per_x |x|
  double absolute;   // or this
} Approximation;

static double rsqrt_exact(double x) {
  return 1 / sqrt(x);
}

static double rcp_exact(double x) {
  return 1 / x;
}

static double sigmoid_exact(double x) {
  return 1 / (1 + exp(-x));
}

static const Approximation approximations[] = {
    {"exp", exp, -104, 88.7, 2, 0, 0},
    {"exp2", exp2, -149, 127.9, 2.5, 0, 0},
    {"exp10", exp10, -45, 38.5, 2, 0, 0},
    {"expm1", expm1, -20, 88.7, 2, 0, 0},
    {"sigmoid", sigmoid_exact, -104, 20, 4, 0, 0},
    {"tanh", tanh, -10, 10, 3, 0, 0},
    {"erf", erf, -4, 4, 2, 0, 0},
    {"rsqrt", rsqrt_exact, 0x1p-126, 0x1p127, 2, 0, 0},
    {"fast_rsqrt", rsqrt_exact, 0x1p-126, 0x1p127, 2, 0, 0},
    {"fast_rcp", rcp_exact, 0x1p-125, 0x1p125, 1, 0, 0},
    {"fast_sqrt", sqrt, 0x1p-126, 0x1p127, 2, 0, 0},
    {"fast_exp", exp, -87, 88, 2, 1.173, 0},
    {"fast_exp2", exp2, -126, 127, 2.5, 0, 0},
    {"fast_log", log, 2, 0x1p127, 3, 0, 0},
    {"fast_log", log, 0.5, 2, 0, 0, 3.6e-7},
    {"fast_log2", log2, 2, 0x1p127, 2, 0, 0},
    {"fast_log2", log2, 0.5, 2, 0, 0, 0x1p-22},
    {"fast_sin", sin, -1000, 1000, 0, 0, 1e-6},
    {"fast_cos", cos, -1000, 1000, 0, 0, 1e-6},
    {"fast_tanh", tanh, -20, 20, 8800, 0, 0},
};

static int check_approximation(Machine *m, const Approximation *a) {
  float *x = (float *)m->host[0];
  uint64_t state = 7;
  for (int i = 0; i < N; i++) {
    double u = (double)(next_random(&state) >> 11) * 0x1p-53;
    x[i] = (float)(i % 2 || a->low <= 0 ? a->low + (a->high - a->low) * u
                                        : a->low * pow(a->high / a->low, u));
  }
  need(m, hd_buffer_write(m->buffers[0][0], x, N * sizeof(float)));
  char call[64];
  snprintf(call, sizeof call, "%s(x[i])", a->name);
  double ms = run(m, true, call);
  const float *r = (const float *)m->host[3];
  double worst = 0, worst_x = 0;
  for (int i = 0; i < N; i++) {
    double exact = a->exact((double)x[i]), off = fabs((double)r[i] - exact);
    int exponent;
    frexp(exact, &exponent);
    double bound = a->absolute > 0
                       ? a->absolute
                       : (a->ulp + a->per_x * fabs((double)x[i])) *
                             ldexp(1, exponent < -125 ? -149 : exponent - 24);
    if (off / bound > worst || isnan(off)) {
      worst = isnan(off) ? INFINITY : off / bound;
      worst_x = (double)x[i];
    }
  }
  printf("%-12s float  %.3f of its bound at %a, %.1f ps each\n", a->name, worst,
         worst_x, ms * 1e9 / N);
  return worst <= 1 ? 0 : 1;
}

int main(int argc, char **argv) {
  static Machine m;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  if (hd_session_new(&options, &m.session) != HD_OK)
    return 1;
  need(&m, hd_device_open(m.session, argc > 1 ? argv[1] : "cuda", &m.device));
  need(&m, hd_stream_new(m.device, &m.stream));
  need(&m, hd_event_new(m.device, &m.start));
  need(&m, hd_event_new(m.device, &m.end));
  int64_t extent = N;
  for (int k = 0; k < 4; k++) {
    for (int is_double = 0; is_double < 2; is_double++) {
      HdType type = k == 2 ? HD_I32 : is_double ? HD_F64 : HD_F32;
      need(&m,
           hd_buffer_new(m.device, type, 1, &extent, &m.buffers[is_double][k]));
    }
    m.host[k] = malloc(N * sizeof(double));
    if (m.host[k] == NULL)
      return 1;
  }
  int n_bad = 0;
  for (int is_double = 0; is_double < 2; is_double++) {
    fill(&m, !is_double);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
      n_bad += checks[i][is_double](&m);
  }
  for (size_t i = 0; i < sizeof approximations / sizeof approximations[0]; i++)
    n_bad += check_approximation(&m, &approximations[i]);
  printf("%d lines are bad\n", n_bad);
  for (int k = 0; k < 4; k++) {
    hd_buffer_free(m.buffers[0][k]);
    hd_buffer_free(m.buffers[1][k]);
    free(m.host[k]);
  }
  hd_event_free(m.start);
  hd_event_free(m.end);
  hd_stream_free(m.stream);
  hd_device_free(m.device);
  hd_session_free(m.session);
  return n_bad ? 1 : 0;
}
