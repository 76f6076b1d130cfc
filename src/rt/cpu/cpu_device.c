// SPDX-License-Identifier: Apache-2.0
// The CPU as a device: memory, streams and events.
//
// A stream is a queue and a thread that takes from it. Waiting for a stream
// waits for the queue to be empty and the thread to be idle. An event counts
// how often it was recorded (queued) and reached (done); waiting for it waits
// for the last record before the call.
#include "rt/cpu/cpu_pool.h"
#include "rt/device.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY_ALIGN = 128 };

// What a block may have on the GPUs that kernels are written for, so that a
// kernel that runs here is not refused there.
static const uint64_t shared_limit_bytes = 232448;

typedef struct {
  RtDevice base;
  CpuPool *pool;
} CpuDevice;

typedef enum { TASK_LAUNCH, TASK_RECORD, TASK_WAIT } TaskKind;

typedef struct Task {
  struct Task *next;
  TaskKind kind;
  RtLaunch launch; // args are a copy that follows the task
  void (*done)(void *context);
  void *context;
  RtEvent *event;
  uint64_t ticket; // the event's record that is reached or waited for
} Task;

struct RtStream {
  CpuDevice *device;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Task *first, **last;
  bool is_busy, is_ending;
  HdStatus status; // the first failure since the last wait
  RtError error;
};

struct RtEvent {
  int references; // its owner's and those of queued tasks; under `lock`
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t n_recorded, n_reached;
  struct timespec time;
};

// ------------------------------------------------------------- the device

static int worker_count(int ordinal) {
  const char *text = getenv("HEDDLE_THREADS");
  long wanted = ordinal > 0 ? ordinal : text ? strtol(text, NULL, 10) : 0;
  return wanted >= 1 && wanted <= 1024 ? (int)wanted : cpu_core_count();
}

static HdStatus device_count(int *out, RtError *error) {
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

static CpuDevice *cpu_of(RtDevice *device) {
  return (CpuDevice *)device;
}

static void device_close(RtDevice *device) {
  if (!device)
    return;
  cpu_pool_free(cpu_of(device)->pool);
  free(device);
}

// The value of the first "model name" line of /proc/cpuinfo.
static void read_model(char *text, size_t size_bytes) {
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
  read_model(model, sizeof model);
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  double gigabytes = (double)pages * (double)page_bytes / (1 << 30);
  snprintf(text, size_bytes, "%s, %d worker threads, %s, %.1f GiB", model,
           worker_count(ordinal), vector_name(), gigabytes);
}

// ----------------------------------------------------------------- memory

// Long arrays in large pages: walks of the page tables cost a fifth of the
// bandwidth otherwise, and more where rows are far apart. Only advice.
static void prefer_large_pages(char *memory, uint64_t size_bytes) {
#ifdef MADV_HUGEPAGE
  const uintptr_t page = (uintptr_t)2 << 20;
  if (size_bytes < 2 * page)
    return;
  uintptr_t start = ((uintptr_t)memory + page - 1) & ~(page - 1);
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
  uint64_t rounded = (size_bytes + MEMORY_ALIGN) & ~(MEMORY_ALIGN - 1ull);
  // calloc of large sizes is fresh zeroed pages; the alignment costs a header.
  char *raw = rounded > size_bytes
                  ? calloc(1, (size_t)rounded + MEMORY_ALIGN + sizeof(void *))
                  : NULL;
  if (!raw) {
    rt_error_set(error, "out of memory: %llu bytes",
                 (unsigned long long)size_bytes);
    return HD_ERROR_MEMORY;
  }
  uintptr_t start = (uintptr_t)raw + sizeof(void *) + MEMORY_ALIGN - 1;
  char *memory =
      raw + ((start & ~(uintptr_t)(MEMORY_ALIGN - 1)) - (uintptr_t)raw);
  memcpy(memory - sizeof(void *), &raw, sizeof raw);
  prefer_large_pages(memory, size_bytes);
  *out = memory;
  return HD_OK;
}

static void memory_free(RtDevice *device, void *memory) {
  (void)device;
  if (!memory)
    return;
  void *raw;
  memcpy(&raw, (char *)memory - sizeof(void *), sizeof raw);
  free(raw);
}

static HdStatus memory_copy(RtDevice *device, void *to, const void *from,
                            uint64_t size_bytes, RtError *error) {
  (void)device;
  (void)error;
  if (size_bytes > 0)
    memcpy(to, from, size_bytes);
  return HD_OK;
}

// ----------------------------------------------------------------- events

static HdStatus event_new(RtDevice *device, RtEvent **out, RtError *error) {
  (void)device;
  *out = calloc(1, sizeof(**out));
  if (!*out) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  pthread_mutex_init(&(*out)->lock, NULL);
  pthread_cond_init(&(*out)->changed, NULL);
  (*out)->references = 1;
  return HD_OK;
}

// An event may be freed while streams still have to reach or to await it.
static void event_free(RtEvent *event) {
  if (!event)
    return;
  pthread_mutex_lock(&event->lock);
  bool is_last = --event->references == 0;
  pthread_mutex_unlock(&event->lock);
  if (!is_last)
    return;
  pthread_cond_destroy(&event->changed);
  pthread_mutex_destroy(&event->lock);
  free(event);
}

// The ticket that a task gets; it holds the event until it is done.
static uint64_t event_hold(RtEvent *event, bool is_record) {
  pthread_mutex_lock(&event->lock);
  event->references++;
  event->n_recorded += is_record;
  uint64_t ticket = event->n_recorded;
  pthread_mutex_unlock(&event->lock);
  return ticket;
}

static void event_reach(RtEvent *event, uint64_t ticket) {
  pthread_mutex_lock(&event->lock);
  clock_gettime(CLOCK_MONOTONIC, &event->time);
  if (ticket > event->n_reached)
    event->n_reached = ticket;
  pthread_cond_broadcast(&event->changed);
  pthread_mutex_unlock(&event->lock);
}

static void event_await(RtEvent *event, uint64_t ticket) {
  pthread_mutex_lock(&event->lock);
  while (event->n_reached < ticket)
    pthread_cond_wait(&event->changed, &event->lock);
  pthread_mutex_unlock(&event->lock);
}

static HdStatus event_wait(RtEvent *event, RtError *error) {
  (void)error;
  event_await(event, event_hold(event, false));
  event_free(event);
  return HD_OK;
}

static HdStatus event_elapsed_ms(RtEvent *start, RtEvent *end, double *out,
                                 RtError *error) {
  pthread_mutex_lock(&start->lock);
  struct timespec begin = start->time;
  bool is_reached = start->n_reached > 0;
  pthread_mutex_unlock(&start->lock);
  pthread_mutex_lock(&end->lock);
  struct timespec finish = end->time;
  is_reached = is_reached && end->n_reached > 0;
  pthread_mutex_unlock(&end->lock);
  if (!is_reached) {
    rt_error_set(error, "an event was never recorded");
    return HD_ERROR_ARGUMENT;
  }
  *out = (double)(finish.tv_sec - begin.tv_sec) * 1e3 +
         (double)(finish.tv_nsec - begin.tv_nsec) * 1e-6;
  return HD_OK;
}

// ---------------------------------------------------------------- streams

static void task_finish(Task *task) {
  if (task->done)
    task->done(task->context);
  event_free(task->event);
  free(task);
}

static void stream_fail(RtStream *stream, HdStatus status,
                        const RtError *error) {
  if (stream->status != HD_OK)
    return;
  stream->status = status;
  stream->error = *error;
}

static void task_run(RtStream *stream, Task *task) {
  RtError error = {0};
  switch (task->kind) {
  case TASK_LAUNCH: {
    HdStatus status = cpu_pool_run(stream->device->pool, &task->launch, &error);
    pthread_mutex_lock(&stream->lock);
    if (status != HD_OK)
      stream_fail(stream, status, &error);
    pthread_mutex_unlock(&stream->lock);
    break;
  }
  case TASK_RECORD: event_reach(task->event, task->ticket); break;
  case TASK_WAIT: event_await(task->event, task->ticket); break;
  }
}

static void *stream_main(void *argument) {
  RtStream *stream = argument;
  pthread_mutex_lock(&stream->lock);
  for (;;) {
    Task *task = stream->first;
    if (!task) {
      if (stream->is_ending)
        break;
      pthread_cond_wait(&stream->changed, &stream->lock);
      continue;
    }
    stream->first = task->next;
    if (!stream->first)
      stream->last = &stream->first;
    stream->is_busy = true;
    // After a failure launches are dropped, events still happen.
    bool is_dropped = stream->status != HD_OK && task->kind == TASK_LAUNCH;
    pthread_mutex_unlock(&stream->lock);
    if (!is_dropped)
      task_run(stream, task);
    task_finish(task);
    pthread_mutex_lock(&stream->lock);
    stream->is_busy = false;
    pthread_cond_broadcast(&stream->changed);
  }
  pthread_mutex_unlock(&stream->lock);
  return NULL;
}

static HdStatus stream_new(RtDevice *device, RtStream **out, RtError *error) {
  *out = NULL;
  RtStream *stream = calloc(1, sizeof(*stream));
  if (!stream) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  stream->device = cpu_of(device);
  stream->last = &stream->first;
  pthread_mutex_init(&stream->lock, NULL);
  pthread_cond_init(&stream->changed, NULL);
  int failure = pthread_create(&stream->thread, NULL, stream_main, stream);
  if (failure == 0) {
    *out = stream;
    return HD_OK;
  }
  rt_error_set(error, "no thread for a stream: %s", strerror(failure));
  pthread_cond_destroy(&stream->changed);
  pthread_mutex_destroy(&stream->lock);
  free(stream);
  return HD_ERROR_MEMORY;
}

static void stream_free(RtStream *stream) {
  if (!stream)
    return;
  pthread_mutex_lock(&stream->lock);
  stream->is_ending = true;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
  pthread_join(stream->thread, NULL);
  pthread_cond_destroy(&stream->changed);
  pthread_mutex_destroy(&stream->lock);
  free(stream);
}

static HdStatus stream_wait(RtStream *stream, RtError *error) {
  pthread_mutex_lock(&stream->lock);
  while (stream->first || stream->is_busy)
    pthread_cond_wait(&stream->changed, &stream->lock);
  HdStatus status = stream->status;
  if (status != HD_OK)
    *error = stream->error;
  stream->status = HD_OK;
  pthread_mutex_unlock(&stream->lock);
  return status;
}

static void stream_push(RtStream *stream, Task *task) {
  pthread_mutex_lock(&stream->lock);
  *stream->last = task;
  stream->last = &task->next;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
}

static Task *task_new(TaskKind kind, size_t extra_bytes, RtError *error) {
  Task *task = calloc(1, sizeof(*task) + extra_bytes);
  if (task)
    task->kind = kind;
  else
    rt_error_set(error, "out of memory");
  return task;
}

static HdStatus launch_queued(RtStream *stream, const RtLaunch *launch,
                              void (*done)(void *), void *context,
                              RtError *error) {
  size_t args_bytes = launch->n_slots * sizeof(uint64_t);
  Task *task = task_new(TASK_LAUNCH, args_bytes, error);
  if (!task) {
    if (done)
      done(context);
    return HD_ERROR_MEMORY;
  }
  task->launch = *launch;
  uint64_t *args = (uint64_t *)(task + 1);
  if (args_bytes > 0)
    memcpy(args, launch->args, args_bytes);
  task->launch.args = args;
  task->done = done;
  task->context = context;
  stream_push(stream, task);
  return HD_OK;
}

static HdStatus device_launch(RtDevice *device, RtStream *stream,
                              const RtLaunch *launch, void (*done)(void *),
                              void *context, RtError *error) {
  if (stream)
    return launch_queued(stream, launch, done, context, error);
  HdStatus status = cpu_pool_run(cpu_of(device)->pool, launch, error);
  if (done)
    done(context);
  return status;
}

static HdStatus push_event(RtStream *stream, RtEvent *event, TaskKind kind,
                           RtError *error) {
  Task *task = task_new(kind, 0, error);
  if (!task)
    return HD_ERROR_MEMORY;
  task->event = event;
  task->ticket = event_hold(event, kind == TASK_RECORD);
  stream_push(stream, task);
  return HD_OK;
}

static HdStatus event_record(RtEvent *event, RtStream *stream, RtError *error) {
  if (stream)
    return push_event(stream, event, TASK_RECORD, error);
  event_reach(event, event_hold(event, true));
  event_free(event);
  return HD_OK;
}

static HdStatus stream_wait_event(RtStream *stream, RtEvent *event,
                                  RtError *error) {
  return push_event(stream, event, TASK_WAIT, error);
}

const RtDeviceOps rt_cpu_ops = {
    .kind = "cpu",
    .count = device_count,
    .open = device_open,
    .close = device_close,
    .describe = device_describe,
    .memory_new = memory_new,
    .memory_free = memory_free,
    .memory_write = memory_copy,
    .memory_read = memory_copy,
    .launch = device_launch,
    .stream_new = stream_new,
    .stream_free = stream_free,
    .stream_wait = stream_wait,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .event_wait = event_wait,
    .stream_wait_event = stream_wait_event,
    .event_elapsed_ms = event_elapsed_ms,
};
