/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU suite: Heddle, CUDA C++ and a plain copy interleaved in one process,
 * on the same stream and data. bench/METHOD.md says how.
 *
 *   heddle_gpu_bench [--device NAME] [--peers LIBRARY] [--json FILE]
 *                    [--runs N] [--small] [--tune] KERNELS_DIR [GROUP [ROW]]
 *
 * GROUP is memory, compute, groups or latency; without one, all. Prints a row
 * of a Markdown table for each that has ROW in its name. */
#include "gpu_bench.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int open_peers(Bench *bench, const char *path) {
  const struct {
    const char *name;
    void *place;
  } calls[] = {
      {"peer_find", &bench->peers.find},
      {"peer_error_text", &bench->peers.error_text},
      {"peer_use_scratch", &bench->peers.use_scratch},
      {"peer_difference", &bench->peers.difference},
      {"peer_fill_words", &bench->peers.fill_words},
      {"peer_fill_floats", &bench->peers.fill_floats},
  };

  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    void *symbol = library ? dlsym(library, calls[i].name) : NULL;
    if (!symbol) {
      fprintf(stderr, "gpu_bench: %s\n", dlerror());
      return 1;
    }
    *(void **)calls[i].place = symbol;
  }
  return 0;
}

static HdBuffer *bytes_of_device(Bench *bench, int64_t size_bytes) {
  HdBuffer *buffer;
  if (hd_buffer_new(bench->device, HD_U8, 1, &size_bytes, &buffer) == HD_OK)
    return buffer;
  bench_complain(bench, "buffers");
  exit(2);
}

static int open_gpu(Bench *bench) {
  const char *why;
  if (driver_open(&bench->driver, &why)) {
    fprintf(stderr, "gpu_bench: %s\n", why);
    return 1;
  }
  if (bench->driver.stream_context(bench->cu_stream, &bench->context) ||
      bench->driver.context_set(bench->context) ||
      bench->driver.event_create(&bench->start, 0) ||
      bench->driver.event_create(&bench->end, 0)) {
    fprintf(stderr, "gpu_bench: the driver refuses its context or events\n");
    return 1;
  }
  int64_t copied = bench->is_small ? 1 << 20 : 1 << 30;
  bench->scratch = bytes_of_device(bench, 256 << 20);
  bench->copy_from = bytes_of_device(bench, copied);
  bench->copy_to = bytes_of_device(bench, copied);
  if (bench->peers.find) {
    bench->peers.use_scratch(hd_buffer_data(bench->scratch), 256 << 20);
    bench->peers.fill_words(bench->cu_stream, hd_buffer_data(bench->copy_from),
                            copied / 4, 99);
  }
  return 0;
}

static int open_bench(Bench *bench, const char *device, const char *peers) {
  if (peers && open_peers(bench, peers))
    return 1;
  if (hd_session_new(NULL, &bench->session) != HD_OK ||
      hd_device_open(bench->session, device, &bench->device) != HD_OK ||
      hd_stream_new(bench->device, &bench->stream) != HD_OK)
    return bench_complain(bench, device);
  bench->cu_stream = hd_stream_handle(bench->stream);
  return bench->cu_stream ? open_gpu(bench) : 0;
}

static int print_machine(Bench *bench, const char *device) {
  char name[256] = "a CPU";
  int version = 0;
  if (bench->cu_stream && (bench->driver.device_name(name, sizeof name, 0) ||
                           bench->driver.version(&version)))
    return 1;
  printf("Measured on: %s (%s), driver for CUDA %d.%d; %d runs.\n\n", name,
         device, version / 1000, version % 1000 / 10, bench->n_runs);
  printf(
      "| group | what | unit | Heddle | peer | copy | vs peer | vs copy | bar "
      "| |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
  fflush(stdout);
  return 0;
}

static void run_rows(Bench *bench, const Row *rows, const char *group,
                     const char *part) {
  for (const Row *row = rows; row->name; row++) {
    if ((group && strcmp(row->group, group) != 0) ||
        (part && !strstr(row->name, part)))
      continue;
    run_row(bench, row, row->embeds);
    for (int i = 0; bench->is_tuning && row->variants && row->variants[i]; i++)
      run_row(bench, row, row->variants[i]);
  }
}

int main(int argc, char **argv) {
  Bench bench = {.n_runs = 21};
  const char *device = "cuda:0", *peers = NULL, *json = NULL;
  int i = 1;
  for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
    const char *option = argv[i] + 2;
    if (strcmp(option, "small") == 0)
      bench.is_small = 1;
    else if (strcmp(option, "tune") == 0)
      bench.is_tuning = 1;
    else if (i + 1 == argc)
      break;
    else if (strcmp(option, "device") == 0)
      device = argv[++i];
    else if (strcmp(option, "peers") == 0)
      peers = argv[++i];
    else if (strcmp(option, "json") == 0)
      json = argv[++i];
    else if (strcmp(option, "runs") == 0)
      bench.n_runs = atoi(argv[++i]);
    else
      break;
  }
  if (i >= argc || argv[i][0] == '-' || bench.n_runs < 1 ||
      bench.n_runs > 1000) {
    fprintf(stderr,
            "usage: %s [--device NAME] [--peers LIBRARY] [--json FILE] "
            "[--runs N] [--small] [--tune] KERNELS_DIR [GROUP [ROW]]\n",
            argv[0]);
    return 2;
  }
  bench.kernels_dir = argv[i];
  const char *group = i + 1 < argc ? argv[i + 1] : NULL;
  const char *part = i + 2 < argc ? argv[i + 2] : NULL;
  if (json && !(bench.json = fopen(json, "a"))) {
    perror(json);
    return 2;
  }
  if (open_bench(&bench, device, peers) || print_machine(&bench, device))
    return 1;
  run_rows(&bench, memory_rows, group, part);
  run_rows(&bench, compute_rows, group, part);
  run_rows(&bench, group_rows, group, part);
  int failed = 0;
  if (bench.cu_stream && (!group || strcmp(group, "latency") == 0))
    failed = run_latencies(&bench);
  if (bench.json)
    fclose(bench.json);
  return failed;
}
