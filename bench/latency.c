/* SPDX-License-Identifier: Apache-2.0 */
/* Rows C8: how long a kernel takes to compile, to come from the cache, to
 * launch; what a barrier costs; a whole process. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 15 };

/* 20 lines, so many different texts that no cache holds one twice. */
static const char kernel_text[] =
    "kernel void blend%d(int n, float a, const float x[n], const float y[n],\n"
    "                    float out[n])\n"
    "    grid(cdiv(n, 256)) threads(256)\n"
    "{\n"
    "    shared float edge[256];\n"
    "    int i = block_index().x * 256 + rank();\n"
    "    float v = i < n ? x[i] : 0.0f;\n"
    "    edge[rank()] = v;\n"
    "    sync();\n"
    "    float left = rank() > 0 ? edge[rank() - 1] : v;\n"
    "    float right = rank() < 255 ? edge[rank() + 1] : v;\n"
    "    float smooth = 0.25f * left + 0.5f * v + 0.25f * right;\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "        if (smooth > a)\n"
    "            smooth = smooth * 0.5f;\n"
    "    }\n"
    "    if (i < n)\n"
    "        out[i] = a * smooth + (1.0f - a) * y[i] + %d.0f;\n"
    "\n"
    "}\n";

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *what, double *times, int n, const char *unit,
                   double scale) {
  qsort(times, (size_t)n, sizeof *times, by_value);
  printf("| C8 | %s | %.3f | %.3f | %s |\n", what, times[n / 2] * scale,
         times[0] * scale, unit);
  fflush(stdout);
}

/* Text to a launched kernel of 256 elements. */
static int compile_and_launch(Bench *bench, HdSession *session,
                              HdDevice *device, int number, double *ms) {
  char text[4096], name[32];
  int64_t extent = 256;
  HdBuffer *x = NULL, *y = NULL, *out = NULL;
  HdProgram *program = NULL;
  (void)bench;
  snprintf(text, sizeof text, kernel_text, number, number);
  snprintf(name, sizeof name, "blend%d", number);
  int failed = hd_buffer_new(device, HD_F32, 1, &extent, &x) != HD_OK ||
               hd_buffer_new(device, HD_F32, 1, &extent, &y) != HD_OK ||
               hd_buffer_new(device, HD_F32, 1, &extent, &out) != HD_OK;
  double start = bench_now_ms();
  failed = failed ||
           hd_compile_text(session, "blend.hd", text, strlen(text), &program) !=
               HD_OK ||
           hd_launch(program, name, NULL, HD_INT(256), HD_FLOAT(0.5), HD_BUF(x),
                     HD_BUF(y), HD_BUF(out), HD_END) != HD_OK;
  *ms = bench_now_ms() - start;
  if (failed)
    fprintf(stderr, "bench: %s\n", hd_last_message(session));
  hd_program_free(program);
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_buffer_free(out);
  return failed;
}

static int compile_rows(Bench *bench) {
  double cold[RUNS], warm[RUNS], disk[RUNS], ignored;
  char folder[] = "/tmp/heddle-bench-XXXXXX";
  if (!mkdtemp(folder))
    return 1;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  HdSession *session;
  HdDevice *device;
  if (hd_session_new(&options, &session) != HD_OK ||
      hd_device_open(session, "cpu:1", &device) != HD_OK)
    return 1;
  int failed = compile_and_launch(bench, session, device, 1000, &ignored);
  for (int i = 0; i < RUNS && !failed; i++) {
    failed = compile_and_launch(bench, session, device, i, &cold[i]) ||
             compile_and_launch(bench, session, device, i, &warm[i]);
  }
  hd_device_free(device);
  hd_session_free(session);
  options.use_disk_cache = 1;
  options.cache_dir = folder;
  for (int i = 0; i < RUNS && !failed; i++) {
    for (int turn = 0; turn < 2 && !failed; turn++) {
      failed = hd_session_new(&options, &session) != HD_OK ||
               hd_device_open(session, "cpu:1", &device) != HD_OK ||
               compile_and_launch(bench, session, device, i, &disk[i]);
      hd_device_free(device);
      hd_session_free(session);
    }
  }
  if (failed)
    return 1;
  report("20-line kernel: text to first result", cold, RUNS, "ms", 1);
  report("the same text again in the session", warm, RUNS, "ms", 1);
  report("the same text from the disk cache", disk, RUNS, "ms", 1);
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) != 0;
}

static int barrier_row(Bench *bench) {
  enum { TURNS = 100000 };

  double times[RUNS];
  HdBuffer *done;
  int64_t extent = 256;
  HdKernel *kernel = bench_kernel(bench, "barriers", "barriers");
  if (hd_buffer_new(bench->device, HD_I32, 1, &extent, &done) != HD_OK)
    return 1;
  HdArg args[] = {HD_INT(TURNS), HD_BUF(done)};
  int failed = bench_launch(bench, kernel, 0, args, 2);
  for (int i = 0; i < RUNS && !failed; i++) {
    double start = bench_now_ms();
    failed = bench_launch(bench, kernel, 0, args, 2);
    times[i] = bench_now_ms() - start;
  }
  hd_buffer_free(done);
  if (!failed)
    report("a barrier and a value passed on among 8 warps, a warp", times, RUNS,
           "ns", 1e6 / TURNS / 8 / 2);
  return failed;
}

static int launch_row(Bench *bench) {
  double times[RUNS];
  HdBuffer *x = bench_view(bench, 0, 1, 64, 0, 0);
  HdBuffer *y = bench_view(bench, 1, 1, 64, 0, 0);
  HdKernel *kernel = bench_kernel(bench, "memory", "saxpy");
  HdArg args[] = {HD_INT(64), HD_FLOAT(0.5), HD_BUF(x), HD_BUF(y)};
  int failed = bench_launch(bench, kernel, 0, args, 4);
  for (int i = 0; i < RUNS && !failed; i++) {
    double start = bench_now_ms();
    for (int k = 0; k < 1000 && !failed; k++)
      failed = bench_launch(bench, kernel, 0, args, 4);
    times[i] = bench_now_ms() - start;
  }
  hd_buffer_free(x);
  hd_buffer_free(y);
  if (!failed)
    report("launch and wait, 64 elements", times, RUNS, "us", 1);
  return failed;
}

/* `heddle ARGS` as a process; its peak memory in *megabytes. */
static int run_process(const char *heddle, const char *args, double *ms,
                       double *megabytes) {
  char command[8192];
  snprintf(command, sizeof command, "exec '%s' %s >/dev/null", heddle, args);
  double start = bench_now_ms();
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  int status = 1;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  *ms = bench_now_ms() - start;
  *megabytes = (double)usage.ru_maxrss / 1024;
  return status != 0;
}

static int process_row(Bench *bench, const char *heddle, const char *what,
                       const char *args) {
  double times[RUNS], megabytes = 0;
  (void)bench;
  int failed = 0;
  for (int i = 0; i < RUNS && !failed; i++)
    failed = run_process(heddle, args, &times[i], &megabytes);
  if (!failed) {
    report(what, times, RUNS, "ms", 1);
    printf("| C8 | %s: peak memory | %.0f | – | MB |\n", what, megabytes);
  }
  return failed;
}

/* A file of 2,000 lines: a hundred kernels of twenty. */
static int big_file_row(Bench *bench, const char *heddle) {
  char path[] = "/tmp/heddle-bench-XXXXXX.hd", args[128];
  int fd = mkstemps(path, 3);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (!file)
    return 1;
  for (int i = 0; i < 100; i++)
    fprintf(file, kernel_text, i, i);
  fclose(file);
  snprintf(args, sizeof args, "check --rules-only %s", path);
  int failed = process_row(bench, heddle, "heddle check, 2,000 lines", args);
  unlink(path);
  return failed;
}

/* The statements of a kernel of 2,000 lines: reads, branches, integers. */
static void write_long_kernel(FILE *file) {
  fprintf(file, "kernel void k(int n, const float x[n], float y[n])\n"
                "    grid(cdiv(n, 256)) threads(256)\n{\n"
                "    int i = block_index().x * 256 + rank(), k = i;\n"
                "    if (i >= n)\n        return;\n"
                "    float a = x[i], b = 1.0f, c = 0.5f;\n");
  for (int i = 0; i < 332; i++)
    fprintf(file,
            "    a = a * %d.5f + b;\n"
            "    b = b + x[(i + %d) %% n] * c;\n"
            "    if (a > %d.0f)\n"
            "        c = c * 0.75f - b;\n"
            "    k = k * %d + (k >> %d);\n"
            "    a = fmax(c, a - (float)(k & 255));\n",
            i % 17, i, i % 31, i % 13 + 3, i % 7 + 1);
  fprintf(file, "    y[i] = a + b + c + (float)k;\n}\n");
}

static int long_kernel_row(Bench *bench, const char *heddle) {
  char path[] = "/tmp/heddle-bench-XXXXXX.hd", args[128];
  int fd = mkstemps(path, 3);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (!file)
    return 1;
  write_long_kernel(file);
  fclose(file);
  snprintf(args, sizeof args, "run %s n=1024 x=iota --no-cache", path);
  int failed =
      process_row(bench, heddle, "heddle run, a kernel of 2,000 lines", args);
  unlink(path);
  return failed;
}

/* Text to the last result of all kernels of a file. */
static int launch_all(HdSession *session, HdDevice *device, const char *text) {
  int64_t extent = 256;
  HdBuffer *x = NULL;
  HdProgram *program = NULL;
  int failed =
      hd_buffer_new(device, HD_F32, 1, &extent, &x) != HD_OK ||
      hd_compile_text(session, "all.hd", text, strlen(text), &program) != HD_OK;
  for (int i = 0; !failed && i < hd_program_kernel_count(program); i++) {
    HdBuffer *out = NULL;
    failed = hd_buffer_new(device, HD_F32, 1, &extent, &out) != HD_OK ||
             hd_launch(program, hd_program_kernel_name(program, i), NULL,
                       HD_INT(256), HD_FLOAT(0.5), HD_BUF(x), HD_BUF(x),
                       HD_BUF(out), HD_END) != HD_OK;
    hd_buffer_free(out);
  }
  if (failed)
    fprintf(stderr, "bench: %s\n", hd_last_message(session));
  hd_program_free(program);
  hd_buffer_free(x);
  return failed;
}

static int all_kernels_row(void) {
  enum { KERNELS = 100, TURNS = 5 };

  static char text[KERNELS * sizeof kernel_text * 2];
  double times[TURNS];
  size_t length = 0;
  for (int i = 0; i < KERNELS; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, kernel_text,
                               i, i);
  int failed = 0;
  for (int i = 0; i < TURNS && !failed; i++) {
    HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
    options.use_disk_cache = 0;
    HdSession *session;
    HdDevice *device;
    if (hd_session_new(&options, &session) != HD_OK ||
        hd_device_open(session, "cpu:1", &device) != HD_OK)
      return 1;
    double start = bench_now_ms();
    failed = launch_all(session, device, text);
    times[i] = bench_now_ms() - start;
    hd_device_free(device);
    hd_session_free(session);
  }
  if (!failed)
    report("100 kernels in 2,000 lines, each compiled and run", times, TURNS,
           "ms", 1);
  return failed;
}

int bench_latency(Bench *bench, const char *heddle) {
  char args[4096];
  printf("\n| row | what | median | minimum | unit |\n"
         "| --- | --- | ---: | ---: | --- |\n");
  snprintf(args, sizeof args,
           "run '%s/memory.hd' saxpy n=1000 a=2.5 x=iota y=iota --no-cache",
           bench->kernels_dir);
  return compile_rows(bench) || launch_row(bench) || barrier_row(bench) ||
         process_row(bench, heddle, "heddle run saxpy, compiled", args) ||
         big_file_row(bench, heddle) || long_kernel_row(bench, heddle) ||
         all_kernels_row();
}
