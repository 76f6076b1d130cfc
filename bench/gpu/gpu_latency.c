/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch costs, alone and in a graph; from text to a first result. */
#include "gpu_bench.h"

#include "../median.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 21, IN_A_ROW = 2000, NODES = 200 };

/* Each `number` is another program, in no cache yet. */
static const char saxpy_text[] =
    "kernel void saxpy(int n, float a, const float x[n], float y[n])\n"
    "    grid(cdiv(n, 256)) threads(256)\n"
    "{\n"
    "    int i = block_index().x * 256 + rank();\n"
    "    if (i < n)\n"
    "        y[i] = a * x[i] + y[i] + %d;\n"
    "}\n";

/* saxpy_plain for the driver alone. */
static const char driver_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x,\n"
    "                      .param .u64 y)\n"
    "{\n"
    "  .reg .pred p; .reg .b32 i, j, k; .reg .f32 f, g, h; .reg .b64 q, r, s;\n"
    "  mov.u32 i, %ctaid.x; mov.u32 j, %tid.x; mad.lo.s32 i, i, 256, j;\n"
    "  ld.param.u32 k, [n]; setp.ge.s32 p, i, k; @p ret;\n"
    "  ld.param.u64 q, [x]; ld.param.u64 r, [y]; mul.wide.s32 s, i, 4;\n"
    "  add.s64 q, q, s; add.s64 r, r, s; ld.param.f32 f, [a];\n"
    "  ld.global.f32 g, [q]; ld.global.f32 h, [r]; fma.rn.f32 h, f, g, h;\n"
    "  st.global.f32 [r], h; ret;\n"
    "}\n";

static void keep_numbers(Bench *bench, const char *side, const double *values,
                         int n) {
  fprintf(bench->json, ", \"%s\": [", side);
  for (int i = 0; i < n; i++)
    fprintf(bench->json, "%s%.6g", i ? ", " : "", values[i]);
  fprintf(bench->json, "]");
}

/* Prints the medians; `bar` in the unit, at most, 0: none; peer NULL: none. */
static void report_beside(Bench *bench, const char *what, double *values,
                          double *peer, int n, const char *unit, double bar) {
  double ratios[RUNS];
  if (bench->json) {
    fprintf(bench->json,
            "{\"group\": \"latency\", \"row\": \"%s\", "
            "\"unit\": \"%s\", \"bar\": %g",
            what, unit, bar);
    keep_numbers(bench, "heddle", values, n);
    if (peer)
      keep_numbers(bench, "peer", peer, n);
    fprintf(bench->json, "}\n");
  }
  for (int i = 0; peer && i < n; i++)
    ratios[i] = peer[i] / values[i];
  double median = bench_median(values, n);
  printf("| latency | %s | %s | %.3f |", what, unit, median);
  if (peer)
    printf(" %.3f | – | %.3f | – |", bench_median(peer, n),
           bench_median(ratios, n));
  else
    printf(" – | – | – | – |");
  if (bar > 0)
    printf(" ≤ %g | %s |\n", bar, median <= bar ? "met" : "**missed**");
  else
    printf(" – | |\n");
  fflush(stdout);
}

static void report(Bench *bench, const char *what, double *values, int n,
                   const char *unit, double bar) {
  report_beside(bench, what, values, NULL, n, unit, bar);
}

typedef struct {
  HdKernel *kernel;
  HdBuffer *x, *y;
  HdArg args[4];
  DriverFunction by_driver;
} Small;

static int open_small(Bench *bench, Small *small) {
  int64_t extent = 1024;
  small->kernel = bench_kernel(bench, "memory", "saxpy_plain", NULL);
  if (!small->kernel ||
      hd_buffer_new(bench->device, HD_F32, 1, &extent, &small->x) != HD_OK ||
      hd_buffer_new(bench->device, HD_F32, 1, &extent, &small->y) != HD_OK)
    return bench_complain(bench, "saxpy");
  small->args[0] = HD_INT(extent);
  small->args[1] = HD_FLOAT(0.5);
  small->args[2] = HD_BUF(small->x);
  small->args[3] = HD_BUF(small->y);
  return 0;
}

static int launch_small(Bench *bench, const Small *small) {
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.device = bench->device;
  return hd_kernel_launch(small->kernel, bench->stream, &options, small->args,
                          4) != HD_OK &&
         bench_complain(bench, "launch");
}

static int wait_small(Bench *bench) {
  return hd_stream_wait(bench->stream) != HD_OK &&
         bench_complain(bench, "wait");
}

static int load_by_driver(Bench *bench, Small *small) {
  DriverModule module;
  int failed =
      bench->driver.module_load(&module, driver_text) ||
      bench->driver.module_function(&small->by_driver, module, "saxpy");
  if (failed)
    fprintf(stderr, "gpu_bench: the driver refuses its kernel\n");
  return failed;
}

static int launch_by_driver(Bench *bench, const Small *small) {
  uint32_t n = 1024;
  float a = 0.5F;
  void *x = hd_buffer_data(small->x), *y = hd_buffer_data(small->y);
  void *parameters[] = {&n, &a, &x, &y};
  DriverLaunch launch = {.grid = {n / 256, 1, 1},
                         .block = {256, 1, 1},
                         .stream = bench->cu_stream};
  return bench->driver.launch(&launch, small->by_driver, parameters, NULL);
}

typedef int (*LaunchOne)(Bench *bench, const Small *small);

/* Microseconds of a launch among many that nobody waits for, and of one that is
 * waited for. */
static int time_launches(Bench *bench, const Small *small, LaunchOne launch,
                         int (*wait)(Bench *), double *each, double *alone) {
  int failed = 0;
  double start = bench_now_ms();
  for (int i = 0; i < IN_A_ROW && !failed; i++)
    failed = launch(bench, small);
  *each = (bench_now_ms() - start) * 1e3 / IN_A_ROW;
  failed = failed || wait(bench);
  start = bench_now_ms();
  failed = failed || launch(bench, small) || wait(bench);
  *alone = (bench_now_ms() - start) * 1e3;
  return failed;
}

static int wait_by_driver(Bench *bench) {
  return bench->driver.stream_wait(bench->cu_stream);
}

static int launch_rows(Bench *bench, Small *small) {
  double each[RUNS], alone[RUNS], peer_each[RUNS], peer_alone[RUNS];
  int failed = load_by_driver(bench, small) || launch_small(bench, small) ||
               launch_by_driver(bench, small) || wait_small(bench);
  for (int run = 0; run < RUNS && !failed; run++) {
    for (int side = 0; side < 2 && !failed; side++) {
      if (side == run % 2)
        failed = time_launches(bench, small, launch_small, wait_small,
                               &each[run], &alone[run]);
      else
        failed = time_launches(bench, small, launch_by_driver, wait_by_driver,
                               &peer_each[run], &peer_alone[run]);
    }
  }
  if (failed)
    return 1;
  report_beside(bench, "launch, one of 2000", each, peer_each, RUNS, "us", 3);
  report_beside(bench, "launch and wait", alone, peer_alone, RUNS, "us", 0);
  return 0;
}

static int graph_rows(Bench *bench, const Small *small) {
  double node[RUNS];
  HdGraph *graph = NULL;
  int failed = hd_graph_begin(bench->stream) != HD_OK;
  for (int i = 0; i < NODES && !failed; i++)
    failed = launch_small(bench, small);
  failed = failed || hd_graph_end(bench->stream, &graph) != HD_OK ||
           hd_graph_launch(graph, bench->stream) != HD_OK || wait_small(bench);
  for (int run = 0; run < RUNS && !failed; run++) {
    double start = bench_now_ms();
    failed =
        hd_graph_launch(graph, bench->stream) != HD_OK || wait_small(bench);
    node[run] = (bench_now_ms() - start) * 1e3 / NODES;
  }
  hd_graph_free(graph);
  if (failed)
    return bench_complain(bench, "graph");
  report(bench, "a launch in a graph of 200", node, RUNS, "us", 0);
  return 0;
}

/* Text to a launch that has ended. */
static int first_launch(HdSession *session, const Small *small, int number,
                        double *ms) {
  char text[1024];
  HdProgram *program = NULL;
  snprintf(text, sizeof text, saxpy_text, number);
  double start = bench_now_ms();
  int failed = hd_compile_text(session, "saxpy.hd", text, strlen(text),
                               &program) != HD_OK ||
               hd_launch(program, "saxpy", NULL, HD_INT(1024), HD_FLOAT(0.5),
                         HD_BUF(small->x), HD_BUF(small->y), HD_END) != HD_OK;
  *ms = bench_now_ms() - start;
  hd_program_free(program);
  if (failed)
    fprintf(stderr, "gpu_bench: %s\n", hd_last_message(session));
  return failed;
}

/* In a session of its own with a cache on disk in `folder`, or without one. */
static int with_session(Bench *bench, const char *device, const char *folder,
                        int first, int count, double *first_ms,
                        double *again_ms) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  Bench own = {.json = bench->json, .kernels_dir = bench->kernels_dir};
  Small small = {0};
  int64_t extent = 1024;
  double ignored;
  options.use_disk_cache = folder != NULL;
  options.cache_dir = folder;
  int failed =
      hd_session_new(&options, &own.session) != HD_OK ||
      hd_device_open(own.session, device, &own.device) != HD_OK ||
      hd_buffer_new(own.device, HD_F32, 1, &extent, &small.x) != HD_OK ||
      hd_buffer_new(own.device, HD_F32, 1, &extent, &small.y) != HD_OK;
  if (!failed && !folder) /* the driver's compiler is loaded */
    failed = first_launch(own.session, &small, 1000000, &ignored);
  for (int i = 0; i < count && !failed; i++) {
    failed = first_launch(own.session, &small, first + i, &first_ms[i]);
    if (again_ms)
      failed =
          failed || first_launch(own.session, &small, first + i, &again_ms[i]);
  }
  hd_buffer_free(small.x);
  hd_buffer_free(small.y);
  hd_device_free(own.device);
  hd_session_free(own.session);
  return failed;
}

static int compile_rows(Bench *bench) {
  double first[RUNS], again[RUNS], disk[RUNS];
  char folder[] = "/tmp/heddle-gpu-bench-XXXXXX", command[128];
  if (!mkdtemp(folder))
    return 1;
  const char *device = "cuda:0";
  int failed = with_session(bench, device, NULL, 0, RUNS, first, again) ||
               with_session(bench, device, folder, 0, RUNS, disk, NULL) ||
               with_session(bench, device, folder, 0, RUNS, disk, NULL);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  failed |= system(command) != 0;
  if (failed)
    return 1;
  report(bench, "saxpy, text to first result", first, RUNS, "ms", 15);
  report(bench, "the same text again in the session", again, RUNS, "ms", 0.2);
  report(bench, "the same text from the disk cache", disk, RUNS, "ms", 0.2);
  return 0;
}

int run_latencies(Bench *bench) {
  Small small = {0};
  int failed = open_small(bench, &small);
  if (!failed) {
    failed |= launch_rows(bench, &small);
    failed |= graph_rows(bench, &small);
    failed |= compile_rows(bench);
  }
  hd_kernel_free(small.kernel);
  hd_buffer_free(small.x);
  hd_buffer_free(small.y);
  return failed;
}
