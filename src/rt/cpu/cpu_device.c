// SPDX-License-Identifier: Apache-2.0
// The CPU as a device, and its memory.
#include "base/bits.h"
#include "base/panic.h"
#include "rt/cpu/cpu_stream.h"
#include "rt/cpu/cpu_worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_ALIGN = 128 };

// What a block may have on the GPUs that kernels are written for, so that a
// kernel that runs here is not refused there.
static const uint64_t shared_limit_bytes = 232448;

// ------------------------------------------------------------- the device

static int worker_count(int ordinal) {
  const char *text = getenv("HEDDLE_THREADS");
  long wanted = ordinal > 0 ? ordinal : text ? strtol(text, NULL, 10) : 0;
  return wanted >= 1 && wanted <= 1024 ? (int)wanted : cpu_core_count();
}

static HdStatus cpu_device_count(int *out, RtError *error) {
  (void)error;
  *out = 1;
  return HD_OK;
}

static HdStatus device_open(int ordinal, RtDevice **out, RtError *error) {
  *out = NULL;
  if (ordinal == 0 || ordinal > 1024) {
    rt_error_set(error,
                 "cpu:%d: the number of worker threads must be between "
                 "1 and 1024",
                 ordinal);
    return HD_ERROR_NOT_FOUND;
  }
  CpuDevice *device = calloc(1, sizeof(*device));
  if (!device) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  device->base.ops = &rt_cpu_ops;
  device->base.shared_limit_bytes = shared_limit_bytes;
  HdStatus status = cpu_pool_new(worker_count(ordinal), &device->pool, error);
  if (status != HD_OK)
    free(device);
  else
    *out = &device->base;
  return status;
}

static void device_close(RtDevice *device) {
  if (!device)
    return;
  cpu_pool_free(((CpuDevice *)device)->pool);
  free(device);
}

// The value of the first "model name" line of /proc/cpuinfo.
static void cpu_device_read_model(char *text, size_t size_bytes) {
  snprintf(text, size_bytes, "CPU");
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[256];
  while (file && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon)
      continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(text, size_bytes, "%s", colon + 2);
    break;
  }
  if (file)
    fclose(file);
}

static const char *vector_name(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return "AVX-512";
  if (__builtin_cpu_supports("avx2"))
    return "AVX2";
  return "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "scalar";
#endif
}

static void device_describe(int ordinal, char *text, size_t size_bytes) {
  char model[160];
  cpu_device_read_model(model, sizeof model);
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  double gigabytes = (double)pages * (double)page_bytes / (1 << 30);
  snprintf(text, size_bytes, "%s, %d worker threads, %s, %.1f GiB", model,
           worker_count(ordinal), vector_name(), gigabytes);
}

// ----------------------------------------------------------------- memory

void cpu_prefer_large_pages(char *memory, uint64_t size_bytes) {
#ifdef MADV_HUGEPAGE
  const uintptr_t page = CPU_LARGE_PAGE;
  if (size_bytes < 2 * page)
    return;
  uintptr_t start = bits_align_up((uintptr_t)memory, page);
  uintptr_t end = ((uintptr_t)memory + size_bytes) & ~(page - 1);
  (void)madvise(memory + (start - (uintptr_t)memory), end - start,
                MADV_HUGEPAGE);
#else
  (void)memory, (void)size_bytes;
#endif
}

static HdStatus memory_new(RtDevice *device, uint64_t size_bytes, void **out,
                           RtError *error) {
  (void)device;
  *out = NULL;
  uint64_t rounded = bits_align_up(size_bytes + 1, MEMORY_ALIGN);
  // calloc of large sizes is fresh zeroed pages; the alignment costs a header.
  char *raw = rounded > size_bytes
                  ? calloc(1, (size_t)rounded + MEMORY_ALIGN + sizeof(void *))
                  : NULL;
  if (!raw) {
    rt_error_set(error, "out of memory: %llu bytes",
                 (unsigned long long)size_bytes);
    return HD_ERROR_MEMORY;
  }
  uintptr_t from = (uintptr_t)raw, start = from + sizeof(void *);
  char *memory = raw + (bits_align_up(start, MEMORY_ALIGN) - from);
  memcpy(memory - sizeof(void *), &raw, sizeof raw);
  cpu_prefer_large_pages(memory, size_bytes);
  *out = memory;
  return HD_OK;
}

static void cpu_device_memory_free(RtDevice *device, void *memory) {
  (void)device;
  if (!memory)
    return;
  HD_ASSERT((uintptr_t)memory % MEMORY_ALIGN == 0); // is one of memory_new
  void *raw;
  memcpy(&raw, (char *)memory - sizeof(void *), sizeof raw);
  free(raw);
}

static HdStatus memory_copy(RtDevice *device, void *to, const void *from,
                            uint64_t size_bytes, RtError *error) {
  HD_ASSERT((to && from) || size_bytes == 0);
  (void)device;
  (void)error;
  if (size_bytes > 0)
    memcpy(to, from, size_bytes);
  return HD_OK;
}

const RtDeviceOps rt_cpu_ops = {
    .kind = "cpu",
    .is_host = true,
    .count = cpu_device_count,
    .open = device_open,
    .close = device_close,
    .describe = device_describe,
    .memory_new = memory_new,
    .memory_free = cpu_device_memory_free,
    .memory_write = memory_copy,
    .memory_read = memory_copy,
    .launch = cpu_launch,
    .stream_new = cpu_stream_new,
    .stream_free = cpu_stream_free,
    .stream_wait = cpu_stream_wait,
    .event_new = cpu_event_new,
    .event_free = cpu_event_free,
    .event_record = cpu_event_record,
    .event_wait = cpu_event_wait,
    .stream_wait_event = cpu_stream_wait_event,
    .event_elapsed_ms = cpu_event_elapsed_ms,
    .graph_begin = cpu_graph_begin,
    .graph_end = cpu_graph_end,
    .graph_launch = cpu_graph_launch,
    .graph_free = cpu_graph_free,
};
