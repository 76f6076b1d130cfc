/* SPDX-License-Identifier: Apache-2.0 */
/* Products of matrices by a tile kernel, OpenBLAS and oneDNN, interleaved in
 * one process on the same arrays; medians and ratios.
 *
 *   heddle_products THREADS RUNS FILE.hd [N ...] [T=TYPE] [NAME=VALUE ...]
 *
 * FILE.hd has a kernel `product` as examples/tiles/product.hd. T is float,
 * bfloat16 or char. With one thread times are processor times, else wall-clock
 * times. Prints Markdown table rows. */
#include "heddle/heddle.h"

#include "median.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 1000, MOST_SIZES = 16, MOST_EMBEDS = 16 };

enum { HEDDLE, OPENBLAS, ONEDNN, N_PEERS };

typedef enum { T_FLOAT, T_BFLOAT16, T_CHAR } Element;

typedef struct {
  Element element;
  int n_threads, n_runs;
  HdSession *session;
  HdDevice *device;
  HdKernel *kernel;
  // Of the current size.
  int64_t n;
  HdBuffer *buffers[3];
  void *data[3];
  dnnl_primitive_t primitive; // NULL: dnnl_sgemm
  dnnl_stream_t stream;
  dnnl_exec_arg_t args[3];
} Products;

static double now(const Products *p) {
  struct timespec time;
  clock_gettime(p->n_threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void fail(const Products *p, const char *what) {
  fprintf(stderr, "products: %s: %s\n", what, hd_last_message(p->session));
  exit(1);
}

// ------------------------------------------------------------------ arrays

static HdType type_of(const Products *p, int i) {
  switch (p->element) {
  case T_BFLOAT16: return i < 2 ? HD_BF16 : HD_F32;
  case T_CHAR: return i < 2 ? HD_I8 : HD_I32;
  case T_FLOAT: break;
  }
  return HD_F32;
}

static uint16_t bfloat16_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Small whole numbers and halves: sums of all types are exact.
static void fill(const Products *p, int i) {
  static uint32_t state = 1;
  for (int64_t k = 0; k < p->n * p->n; k++) {
    state = state * 1664525u + 1013904223u;
    int value = (int)(state >> 24) % 9 - 4;
    if (p->element == T_FLOAT)
      ((float *)p->data[i])[k] = (float)value / 2;
    else if (p->element == T_BFLOAT16)
      ((uint16_t *)p->data[i])[k] = bfloat16_of((float)value / 2);
    else
      ((int8_t *)p->data[i])[k] = (int8_t)value;
  }
}

static void make_arrays(Products *p) {
  for (int i = 0; i < 3; i++) {
    if (hd_buffer_new(p->device, type_of(p, i), 2, (int64_t[]){p->n, p->n},
                      &p->buffers[i]) != HD_OK)
      fail(p, "buffers");
    p->data[i] = hd_buffer_data(p->buffers[i]);
    if (i < 2)
      fill(p, i);
  }
}

// ------------------------------------------------------------------- peers

static void make_primitive(Products *p) {
  dnnl_data_type_t of = p->element == T_CHAR ? dnnl_s8 : dnnl_bf16;
  dnnl_data_type_t to = p->element == T_CHAR ? dnnl_s32 : dnnl_f32;
  dnnl_engine_t engine;
  dnnl_memory_desc_t descs[3];
  dnnl_dims_t dims = {p->n, p->n};
  dnnl_matmul_desc_t matmul;
  dnnl_primitive_desc_t desc;
  dnnl_engine_create(&engine, dnnl_cpu, 0);
  dnnl_stream_create(&p->stream, engine, dnnl_stream_default_flags);
  for (int i = 0; i < 3; i++)
    dnnl_memory_desc_init_by_tag(&descs[i], 2, dims, i < 2 ? of : to, dnnl_ab);
  dnnl_matmul_desc_init(&matmul, &descs[0], &descs[1], NULL, &descs[2]);
  if (dnnl_primitive_desc_create(&desc, &matmul, NULL, engine, NULL) !=
          dnnl_success ||
      dnnl_primitive_create(&p->primitive, desc) != dnnl_success)
    fail(p, "oneDNN has no such product");
  static const int names[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
  for (int i = 0; i < 3; i++) {
    p->args[i].arg = names[i];
    dnnl_memory_create(&p->args[i].memory, &descs[i], engine, p->data[i]);
  }
  const char *name;
  dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name);
  fprintf(stderr, "oneDNN: %s\n", name);
}

static void by_onednn(Products *p) {
  dnnl_dim_t n = p->n;
  if (p->element == T_FLOAT) {
    dnnl_sgemm('N', 'N', n, n, n, 1, p->data[0], n, p->data[1], n, 0,
               p->data[2], n);
    return;
  }
  dnnl_primitive_execute(p->primitive, p->stream, 3, p->args);
  dnnl_stream_wait(p->stream);
}

static void by_openblas(Products *p) {
  int n = (int)p->n;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, p->data[0],
              n, p->data[1], n, 0, p->data[2], n);
}

static void by_heddle(Products *p) {
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.device = p->device;
  HdArg args[] = {HD_INT(p->n),          HD_INT(p->n),
                  HD_INT(p->n),          HD_BUF(p->buffers[0]),
                  HD_BUF(p->buffers[1]), HD_BUF(p->buffers[2])};
  if (hd_kernel_launch(p->kernel, NULL, &options, args, 6) != HD_OK)
    fail(p, "launch");
}

typedef void (*Run)(Products *p);
static const Run runs[N_PEERS] = {by_heddle, by_openblas, by_onednn};

// ------------------------------------------------------------------ a size

static void check(Products *p) {
  size_t size_bytes = (size_t)(p->n * p->n) * 4;
  void *expected = malloc(size_bytes);
  by_onednn(p);
  memcpy(expected, p->data[2], size_bytes);
  memset(p->data[2], 0xff, size_bytes);
  by_heddle(p);
  if (memcmp(expected, p->data[2], size_bytes) != 0) {
    fprintf(stderr, "products: n = %d: results differ\n", (int)p->n);
    exit(1);
  }
  free(expected);
}

static void print_size(const Products *p, double times[N_PEERS][MOST_RUNS]) {
  static double ratios[MOST_RUNS];
  static const char *const names[] = {"float", "bfloat16", "char"};
  double work = 2e-9 * (double)p->n * (double)p->n * (double)p->n;
  char text[N_PEERS][2][32];
  for (int peer = N_PEERS - 1; peer >= 0; peer--) {
    strcpy(text[peer][0], "–");
    strcpy(text[peer][1], "–");
    if (peer == OPENBLAS && p->element != T_FLOAT)
      continue;
    for (int i = 0; i < p->n_runs; i++)
      ratios[i] = times[peer][i] / times[HEDDLE][i];
    snprintf(text[peer][1], 32, "%.3f", bench_median(ratios, p->n_runs));
  }
  for (int peer = 0; peer < N_PEERS; peer++) {
    double median = bench_median(times[peer], p->n_runs);
    if (peer != OPENBLAS || p->element == T_FLOAT)
      snprintf(text[peer][0], 32, "%.1f (%.1f)", work / median,
               work / times[peer][0]);
  }
  printf("| %s %d | %d | %s | %s | %s | %s | %s |\n", names[p->element],
         (int)p->n, p->n_threads, text[0][0], text[1][0], text[2][0],
         text[1][1], text[2][1]);
  fflush(stdout);
}

static void run_size(Products *p, int64_t n) {
  static double times[N_PEERS][MOST_RUNS];
  p->n = n;
  make_arrays(p);
  if (p->element != T_FLOAT)
    make_primitive(p);
  check(p);
  for (int i = 0; i < p->n_runs; i++)
    for (int k = 0; k < N_PEERS; k++) {
      int peer = (i + k) % N_PEERS;
      if (peer == OPENBLAS && p->element != T_FLOAT)
        continue;
      if (p->n_threads > 1) // threads that spin for more work go to sleep
        nanosleep(&(struct timespec){.tv_nsec = 15000000}, NULL);
      double begin = now(p);
      runs[peer](p);
      times[peer][i] = now(p) - begin;
    }
  print_size(p, times);
  for (int i = 0; i < 3; i++)
    hd_buffer_free(p->buffers[i]);
}

// --------------------------------------------------------------------- all

static void open_kernel(Products *p, const char *path, const HdEmbed *embeds,
                        int n_embeds) {
  HdProgram *program;
  char device[32];
  snprintf(device, sizeof device, "cpu:%d", p->n_threads);
  if (hd_session_new(NULL, &p->session) != HD_OK)
    exit(1);
  if (hd_device_open(p->session, device, &p->device) != HD_OK)
    fail(p, device);
  if (hd_compile_file(p->session, path, &program) != HD_OK ||
      hd_kernel_get(program, "product", embeds, n_embeds, &p->kernel) != HD_OK)
    fail(p, path);
}

static Element element_of(const char *name) {
  if (strcmp(name, "bfloat16") == 0)
    return T_BFLOAT16;
  return strcmp(name, "char") == 0 ? T_CHAR : T_FLOAT;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s THREADS RUNS FILE.hd [N ...] [NAME=VALUE ...]\n",
            argv[0]);
    return 2;
  }
  Products p = {.n_threads = atoi(argv[1]), .n_runs = atoi(argv[2])};
  HdEmbed embeds[MOST_EMBEDS];
  int64_t sizes[MOST_SIZES];
  int n_embeds = 0, n_sizes = 0;
  if (p.n_threads < 1 || p.n_runs < 1 || p.n_runs > MOST_RUNS)
    return 2;
  for (int i = 4; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value && n_sizes < MOST_SIZES) {
      sizes[n_sizes++] = atoi(argv[i]);
    } else if (value && n_embeds + 1 < MOST_EMBEDS) {
      *value++ = 0;
      embeds[n_embeds++] = (HdEmbed){argv[i], value};
      if (strcmp(argv[i], "T") == 0)
        p.element = element_of(value);
    }
  }
  if (p.element == T_CHAR)
    embeds[n_embeds++] = (HdEmbed){"S", "int"};
  openblas_set_num_threads(p.n_threads);
  omp_set_num_threads(p.n_threads);
  open_kernel(&p, argv[3], embeds, n_embeds);
  fprintf(stderr, "OpenBLAS: %s\n", openblas_get_corename());
  for (int i = 0; i < n_sizes; i++)
    run_size(&p, sizes[i]);
  return 0;
}
