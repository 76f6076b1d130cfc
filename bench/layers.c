/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of networks by tile kernels, loops in C and oneDNN, interleaved in one
 * process on the same arrays; medians and ratios.
 *
 *   heddle_layers THREADS RUNS FILE.hd [KERNEL…]
 *
 * FILE.hd is bench/kernels/layers.hd; all of its kernels, or those named. With
 * one thread times are processor times, else wall-clock times. Prints Markdown
 * table rows. */
#include "heddle/heddle.h"

#include "layer_peers.h"
#include "median.h"

#include <math.h>
#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 1000, MOST_ARRAYS = 4, MOST_SCALARS = 2 };

enum { HEDDLE, LOOPS, ONEDNN, N_PEERS };

enum { D = 64, CHANNELS = 64 };

typedef struct Layer Layer;

typedef struct {
  int n_threads, n_runs;
  HdSession *session;
  HdDevice *device;
  HdProgram *program;
  dnnl_engine_t engine;
  dnnl_stream_t stream;
} Bench;

/* A step of oneDNN. */
typedef struct {
  dnnl_primitive_t primitive;
  int n_args;
  dnnl_exec_arg_t args[6];
} Step;

struct Layer {
  const char *name, *what;
  int n_scalars, n_arrays;
  int64_t scalars[MOST_SCALARS];
  int64_t lengths[MOST_ARRAYS]; /* elements; the last array is the result */
  void (*loops)(Layer *layer);
  void (*prepare)(Layer *layer); /* oneDNN's steps */
  Bench *bench;
  HdKernel *kernel;
  HdBuffer *buffers[MOST_ARRAYS];
  float *data[MOST_ARRAYS];
  int ranks[MOST_ARRAYS];
  int64_t extents[MOST_ARRAYS][4];
  int n_steps;
  Step steps[3];
};

static double now(const Bench *b) {
  struct timespec time;
  clock_gettime(b->n_threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void fail(const Bench *b, const char *what) {
  fprintf(stderr, "layers: %s: %s\n", what, hd_last_message(b->session));
  exit(1);
}

static void demand(dnnl_status_t status, const char *what) {
  if (status == dnnl_success)
    return;
  fprintf(stderr, "layers: oneDNN: %s: status %d\n", what, (int)status);
  exit(1);
}

/* ------------------------------------------------------------------ loops */

static void loops_softmax(Layer *l) {
  c_softmax((int)l->scalars[0], (int)l->scalars[1], l->data[0], l->data[1]);
}

static void loops_layer_norm(Layer *l) {
  c_layer_norm((int)l->scalars[0], (int)l->scalars[1], l->data[0], l->data[1],
               l->data[2], l->data[3]);
}

static void loops_attention(Layer *l) {
  c_attention((int)l->scalars[0], (int)l->scalars[1], l->data[0], l->data[1],
              l->data[2], l->data[3]);
}

static void loops_convolution(Layer *l) {
  c_convolution((int)l->scalars[0], (int)l->scalars[1], l->data[0], l->data[1],
                l->data[2]);
}

/* ----------------------------------------------------------------- oneDNN */

static dnnl_memory_desc_t desc_of(int rank, const int64_t *dims,
                                  dnnl_format_tag_t tag) {
  dnnl_memory_desc_t desc;
  dnnl_dims_t all = {0};
  memcpy(all, dims, (size_t)rank * sizeof *dims);
  demand(dnnl_memory_desc_init_by_tag(&desc, rank, all, dnnl_f32, tag),
         "a format");
  return desc;
}

static Step *add_step(Layer *l, const void *desc,
                      const_dnnl_primitive_attr_t attr,
                      dnnl_primitive_desc_t *out) {
  Step *step = &l->steps[l->n_steps++];
  demand(dnnl_primitive_desc_create(out, desc, attr, l->bench->engine, NULL),
         "an operation");
  demand(dnnl_primitive_create(&step->primitive, *out), "an operation");
  const char *name;
  dnnl_primitive_desc_query(*out, dnnl_query_impl_info_str, 0, &name);
  fprintf(stderr, "oneDNN, %s: %s\n", l->name, name);
  return step;
}

static dnnl_memory_t memory_of(Layer *l, const dnnl_memory_desc_t *desc,
                               void *data) {
  dnnl_memory_t memory;
  demand(dnnl_memory_create(&memory, desc, l->bench->engine, data), "memory");
  return memory;
}

static void add_argument(Layer *l, Step *step, int name,
                         const dnnl_memory_desc_t *desc, void *data) {
  step->args[step->n_args++] =
      (dnnl_exec_arg_t){name, memory_of(l, desc, data)};
}

static void prepare_softmax(Layer *l) {
  dnnl_memory_desc_t rows = desc_of(2, l->scalars, dnnl_ab);
  dnnl_softmax_desc_t softmax;
  dnnl_primitive_desc_t desc;
  demand(dnnl_softmax_forward_desc_init(&softmax, dnnl_forward_inference, &rows,
                                        1),
         "softmax");
  Step *step = add_step(l, &softmax, NULL, &desc);
  add_argument(l, step, DNNL_ARG_SRC, &rows, l->data[0]);
  add_argument(l, step, DNNL_ARG_DST, &rows, l->data[1]);
}

static void prepare_layer_norm(Layer *l) {
  dnnl_memory_desc_t rows = desc_of(2, l->scalars, dnnl_ab);
  dnnl_memory_desc_t row = desc_of(1, &l->scalars[1], dnnl_a);
  dnnl_layer_normalization_desc_t norm;
  dnnl_primitive_desc_t desc;
  demand(dnnl_layer_normalization_forward_desc_init(
             &norm, dnnl_forward_inference, &rows, NULL, 1e-5f,
             dnnl_use_scale | dnnl_use_shift),
         "layer norm");
  Step *step = add_step(l, &norm, NULL, &desc);
  add_argument(l, step, DNNL_ARG_SRC, &rows, l->data[0]);
  add_argument(l, step, DNNL_ARG_SCALE, &row, l->data[1]);
  add_argument(l, step, DNNL_ARG_SHIFT, &row, l->data[2]);
  add_argument(l, step, DNNL_ARG_DST, &rows, l->data[3]);
}

static Step *add_product(Layer *l, const dnnl_memory_desc_t descs[3],
                         float scale) {
  dnnl_matmul_desc_t matmul;
  dnnl_primitive_desc_t desc;
  dnnl_primitive_attr_t attr;
  dnnl_primitive_attr_create(&attr);
  dnnl_primitive_attr_set_output_scales(attr, 1, 0, &scale);
  demand(dnnl_matmul_desc_init(&matmul, &descs[0], &descs[1], NULL, &descs[2]),
         "a product");
  return add_step(l, &matmul, attr, &desc);
}

/* It has no attention in one: two products, and softmax between. */
static void prepare_attention(Layer *l) {
  int64_t heads = l->scalars[0], n = l->scalars[1];
  int64_t rows[3] = {heads, n, D}, turned[3] = {heads, D, n};
  int64_t square[3] = {heads, n, n};
  float *scores = malloc((size_t)(heads * n * n) * sizeof(float));
  dnnl_memory_desc_t row = desc_of(3, rows, dnnl_abc);
  dnnl_memory_desc_t turn = desc_of(3, turned, dnnl_acb);
  dnnl_memory_desc_t score = desc_of(3, square, dnnl_abc);
  dnnl_softmax_desc_t softmax;
  dnnl_primitive_desc_t desc;
  Step *step =
      add_product(l, (dnnl_memory_desc_t[]){row, turn, score}, 1 / sqrtf(D));
  add_argument(l, step, DNNL_ARG_SRC, &row, l->data[0]);
  add_argument(l, step, DNNL_ARG_WEIGHTS, &turn, l->data[1]);
  add_argument(l, step, DNNL_ARG_DST, &score, scores);
  demand(dnnl_softmax_forward_desc_init(&softmax, dnnl_forward_inference,
                                        &score, 2),
         "softmax");
  step = add_step(l, &softmax, NULL, &desc);
  add_argument(l, step, DNNL_ARG_SRC, &score, scores);
  add_argument(l, step, DNNL_ARG_DST, &score, scores);
  step = add_product(l, (dnnl_memory_desc_t[]){score, row, row}, 1);
  add_argument(l, step, DNNL_ARG_SRC, &score, scores);
  add_argument(l, step, DNNL_ARG_WEIGHTS, &row, l->data[2]);
  add_argument(l, step, DNNL_ARG_DST, &row, l->data[3]);
}

/* Weights in the order that it asks for, once, as those who serve a network
 * have them. */
static void prepare_convolution(Layer *l) {
  int64_t image[4] = {1, CHANNELS, l->scalars[0], l->scalars[1]};
  int64_t filter[4] = {CHANNELS, CHANNELS, 3, 3};
  dnnl_dims_t one = {1, 1};
  dnnl_memory_desc_t pixels = desc_of(4, image, dnnl_acdb);
  dnnl_memory_desc_t given = desc_of(4, filter, dnnl_cdba);
  dnnl_memory_desc_t wanted = desc_of(4, filter, dnnl_format_tag_any);
  dnnl_convolution_desc_t convolution;
  dnnl_primitive_desc_t desc, order;
  demand(dnnl_convolution_forward_desc_init(
             &convolution, dnnl_forward_inference, dnnl_convolution_direct,
             &pixels, &wanted, NULL, &pixels, one, one, one),
         "a convolution");
  Step *step = add_step(l, &convolution, NULL, &desc);
  const dnnl_memory_desc_t *ordered =
      dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 0);
  void *weights = aligned_alloc(64, dnnl_memory_desc_get_size(ordered));
  dnnl_primitive_t reorder;
  demand(dnnl_reorder_primitive_desc_create(&order, &given, l->bench->engine,
                                            ordered, l->bench->engine, NULL),
         "an order");
  demand(dnnl_primitive_create(&reorder, order), "an order");
  dnnl_exec_arg_t args[2] = {{DNNL_ARG_FROM, memory_of(l, &given, l->data[1])},
                             {DNNL_ARG_TO, memory_of(l, ordered, weights)}};
  demand(dnnl_primitive_execute(reorder, l->bench->stream, 2, args),
         "an order");
  dnnl_stream_wait(l->bench->stream);
  add_argument(l, step, DNNL_ARG_SRC, &pixels, l->data[0]);
  add_argument(l, step, DNNL_ARG_WEIGHTS, ordered, weights);
  add_argument(l, step, DNNL_ARG_DST, &pixels, l->data[2]);
}

/* -------------------------------------------------------------- all of them */

static void by_heddle(Layer *l) {
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  HdArg args[MOST_SCALARS + MOST_ARRAYS];
  options.device = l->bench->device;
  for (int i = 0; i < l->n_scalars; i++)
    args[i] = HD_INT(l->scalars[i]);
  for (int i = 0; i < l->n_arrays; i++)
    args[l->n_scalars + i] = HD_BUF(l->buffers[i]);
  if (hd_kernel_launch(l->kernel, NULL, &options, args,
                       l->n_scalars + l->n_arrays) != HD_OK)
    fail(l->bench, l->name);
}

static void by_loops(Layer *l) {
  l->loops(l);
}

static void by_onednn(Layer *l) {
  for (int i = 0; i < l->n_steps; i++)
    dnnl_primitive_execute(l->steps[i].primitive, l->bench->stream,
                           l->steps[i].n_args, l->steps[i].args);
  dnnl_stream_wait(l->bench->stream);
}

static void (*const runs[N_PEERS])(Layer *) = {by_heddle, by_loops, by_onednn};

static void make_arrays(Layer *l) {
  uint32_t state = 1;
  for (int i = 0; i < l->n_arrays; i++) {
    if (hd_buffer_new(l->bench->device, HD_F32, l->ranks[i], l->extents[i],
                      &l->buffers[i]) != HD_OK)
      fail(l->bench, "buffers");
    l->data[i] = hd_buffer_data(l->buffers[i]);
    l->lengths[i] = 1;
    for (int k = 0; k < l->ranks[i]; k++)
      l->lengths[i] *= l->extents[i][k];
    for (int64_t k = 0; i + 1 < l->n_arrays && k < l->lengths[i]; k++) {
      state = state * 1664525u + 1013904223u;
      l->data[i][k] = (float)(state >> 8) * 0x1p-23f - 1;
    }
  }
}

/* Every peer's result is Heddle's, within the rounding of long sums. */
static void check(Layer *l) {
  int to = l->n_arrays - 1;
  float *expected = malloc((size_t)l->lengths[to] * sizeof(float));
  by_heddle(l);
  memcpy(expected, l->data[to], (size_t)l->lengths[to] * sizeof(float));
  for (int peer = 1; peer < N_PEERS; peer++) {
    memset(l->data[to], 0xff, (size_t)l->lengths[to] * sizeof(float));
    runs[peer](l);
    for (int64_t k = 0; k < l->lengths[to]; k++)
      if (!(fabsf(l->data[to][k] - expected[k]) <=
            1e-3f * (1 + fabsf(expected[k])))) {
        fprintf(stderr, "layers: %s: results differ\n", l->name);
        exit(1);
      }
  }
  free(expected);
}

static void run_layer(Layer *l) {
  static double times[N_PEERS][MOST_RUNS], ratios[N_PEERS][MOST_RUNS];
  const Bench *b = l->bench;
  if (hd_kernel_get(b->program, l->name, NULL, 0, &l->kernel) != HD_OK)
    fail(b, l->name);
  make_arrays(l);
  l->prepare(l);
  check(l);
  for (int i = 0; i < b->n_runs; i++) {
    for (int k = 0; k < N_PEERS; k++) {
      int peer = (i + k) % N_PEERS;
      if (b->n_threads > 1) /* threads that spin for more work go to sleep */
        nanosleep(&(struct timespec){.tv_nsec = 15000000}, NULL);
      double begin = now(b);
      runs[peer](l);
      times[peer][i] = now(b) - begin;
    }
    for (int peer = 1; peer < N_PEERS; peer++)
      ratios[peer][i] = times[peer][i] / times[HEDDLE][i];
  }
  printf("| %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f |\n", l->what,
         b->n_threads, bench_median(times[HEDDLE], b->n_runs) * 1e3,
         bench_median(times[LOOPS], b->n_runs) * 1e3,
         bench_median(times[ONEDNN], b->n_runs) * 1e3,
         bench_median(ratios[LOOPS], b->n_runs),
         bench_median(ratios[ONEDNN], b->n_runs));
  fflush(stdout);
}

static Layer layers[] = {
    {.name = "softmax",
     .what = "softmax 4096 x 1024",
     .n_scalars = 2,
     .scalars = {4096, 1024},
     .n_arrays = 2,
     .ranks = {2, 2},
     .extents = {{4096, 1024}, {4096, 1024}},
     .loops = loops_softmax,
     .prepare = prepare_softmax},
    {.name = "layer_norm",
     .what = "layer norm 4096 x 1024",
     .n_scalars = 2,
     .scalars = {4096, 1024},
     .n_arrays = 4,
     .ranks = {2, 1, 1, 2},
     .extents = {{4096, 1024}, {1024}, {1024}, {4096, 1024}},
     .loops = loops_layer_norm,
     .prepare = prepare_layer_norm},
    {.name = "attention",
     .what = "attention, 4 heads of 1024 x 64",
     .n_scalars = 2,
     .scalars = {4, 1024},
     .n_arrays = 4,
     .ranks = {3, 3, 3, 3},
     .extents = {{4, 1024, D}, {4, 1024, D}, {4, 1024, D}, {4, 1024, D}},
     .loops = loops_attention,
     .prepare = prepare_attention},
    {.name = "convolution",
     .what = "convolution 3 x 3, 64 to 64 channels, 128 x 128",
     .n_scalars = 2,
     .scalars = {128, 128},
     .n_arrays = 3,
     .ranks = {3, 4, 3},
     .extents = {{128, 128, CHANNELS},
                 {3, 3, CHANNELS, CHANNELS},
                 {128, 128, CHANNELS}},
     .loops = loops_convolution,
     .prepare = prepare_convolution},
};

static int is_named(const char *name, char **names, int n) {
  int is = n == 0;
  for (int i = 0; i < n; i++)
    is |= strcmp(names[i], name) == 0;
  return is;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s THREADS RUNS FILE.hd [KERNEL...]\n", argv[0]);
    return 2;
  }
  Bench b = {.n_threads = atoi(argv[1]), .n_runs = atoi(argv[2])};
  char device[32];
  if (b.n_threads < 1 || b.n_runs < 1 || b.n_runs > MOST_RUNS)
    return 2;
  snprintf(device, sizeof device, "cpu:%d", b.n_threads);
  omp_set_num_threads(b.n_threads);
  if (hd_session_new(NULL, &b.session) != HD_OK)
    return 1;
  if (hd_device_open(b.session, device, &b.device) != HD_OK ||
      hd_compile_file(b.session, argv[3], &b.program) != HD_OK)
    fail(&b, argv[3]);
  demand(dnnl_engine_create(&b.engine, dnnl_cpu, 0), "an engine");
  demand(dnnl_stream_create(&b.stream, b.engine, dnnl_stream_default_flags),
         "a stream");
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
    layers[i].bench = &b;
    if (is_named(layers[i].name, argv + 4, argc - 4))
      run_layer(&layers[i]);
  }
  return 0;
}
