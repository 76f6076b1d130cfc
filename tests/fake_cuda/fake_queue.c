// SPDX-License-Identifier: Apache-2.0
// Work of streams: kernels, copies, events, graphs.
#include "fake_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// ------------------------------------------------------------------- queues

void fake_queue_init(Queue *queue) {
  queue->first = NULL;
  queue->last = &queue->first;
}

static void queue_add(Queue *queue, Work *work) {
  *queue->last = work;
  queue->last = &work->next;
}

static void work_free(Work *work) {
  if (work->event && fake_is_alive(work->event, FAKE_EVENT))
    work->event->n_pending--;
  free((void *)(uintptr_t)work->launch.words);
  free((void *)(uintptr_t)work->launch.maps);
  free(work);
}

void fake_queue_clear(Queue *queue) {
  while (queue->first) {
    Work *work = queue->first;
    queue->first = work->next;
    work_free(work);
  }
  queue->last = &queue->first;
}

static void *copy_bytes(const void *data, size_t size_bytes) {
  void *copy = aligned_alloc(64, (size_bytes + 64) / 64 * 64);
  if (!copy)
    abort();
  if (size_bytes > 0)
    memcpy(copy, data, size_bytes);
  return copy;
}

void fake_queue_copy(Queue *to, const Queue *from) {
  for (const Work *work = from->first; work; work = work->next) {
    Work *copy = malloc(sizeof *copy);
    if (!copy)
      abort();
    *copy = *work;
    copy->next = NULL;
    if (work->kind == WORK_KERNEL) {
      const struct CuModuleObject *module = work->function->module;
      copy->launch.words = copy_bytes(work->launch.words, module->words_bytes);
      copy->launch.maps =
          copy_bytes(work->launch.maps, module->n_maps * sizeof(CuTensorMap));
    }
    queue_add(to, copy);
  }
}

Work *fake_work_new(WorkKind kind) {
  Work *work = calloc(1, sizeof *work);
  if (!work)
    abort();
  work->kind = kind;
  return work;
}

// A piece of work: CU_OK, FAKE_GOES_ON, or what is wrong with the context now.
static int work_run(Work *work) {
  switch (work->kind) {
  case WORK_KERNEL:
    return fake.kernel ? fake.kernel(&work->launch, fake.kernel_context)
                       : CU_OK;
  case WORK_SET: memset(work->to, work->value, work->size_bytes); return CU_OK;
  case WORK_TO:
  case WORK_FROM: memcpy(work->to, work->from, work->size_bytes); return CU_OK;
  case WORK_RECORD: work->event->time_ms = now_ms(); return CU_OK;
  }
  return CU_OK;
}

int fake_run(CuStream stream, bool is_forced, int most) {
  CuContext context = stream->object.context;
  while (stream->queue.first && context->failure == CU_OK && most-- > 0) {
    if (fake.is_held && !is_forced)
      return CU_NOT_READY;
    Work *work = stream->queue.first;
    int code = work_run(work);
    if (code == FAKE_GOES_ON)
      return CU_NOT_READY;
    if (code != CU_OK)
      context->failure = fake.failure = code;
    stream->queue.first = work->next;
    if (!work->next)
      stream->queue.last = &stream->queue.first;
    work_free(work);
  }
  if (context->failure != CU_OK)
    return context->failure;
  return stream->queue.first ? CU_NOT_READY : CU_OK;
}

void fake_enqueue(CuStream stream, Work *work) {
  if (stream->capture) {
    queue_add(&stream->capture->queue, work);
    return;
  }
  queue_add(&stream->queue, work);
  fake_run(stream, false, INT32_MAX);
}

// Of functions about a stream: the code to return, with the lock held.
static int begin_stream(const char *function, CuStream stream) {
  int code = fake_begin(function);
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code == CU_OK && (!fake_is_alive(stream, FAKE_STREAM) ||
                        stream->object.context != context)) {
    fake.n_misused++;
    code = CU_INVALID_HANDLE;
  }
  return code == CU_OK ? CU_OK : fake_end(code);
}

// ------------------------------------------------------------------ streams

int cuStreamCreate(CuStream *stream, unsigned flags) {
  int code = fake_begin("cuStreamCreate");
  (void)flags;
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code == CU_OK) {
    *stream = fake_new(FAKE_STREAM, sizeof **stream, context);
    fake_queue_init(&(*stream)->queue);
  }
  return fake_end(code);
}

int cuStreamDestroy_v2(CuStream stream) {
  int code = begin_stream("cuStreamDestroy_v2", stream);
  if (code != CU_OK)
    return code;
  fake_delete(stream);
  return fake_end(CU_OK);
}

int cuStreamGetCtx(CuStream stream, CuContext *context) {
  int code = fake_begin("cuStreamGetCtx");
  if (code != CU_OK)
    return code;
  if (!stream)
    *context = fake_current();
  else if (fake_is_alive(stream, FAKE_STREAM))
    *context = stream->object.context;
  else
    code = CU_INVALID_HANDLE;
  return fake_end(code);
}

int cuStreamQuery(CuStream stream) {
  int code = begin_stream("cuStreamQuery", stream);
  if (code != CU_OK)
    return code;
  if (stream->capture) {
    fake.n_misused++;
    return fake_end(CU_INVALID_VALUE);
  }
  return fake_end(fake_run(stream, false, INT32_MAX));
}

// Held work is run by whoever waits for it; a kernel that goes on is let go.
int cuStreamSynchronize(CuStream stream) {
  int code = begin_stream("cuStreamSynchronize", stream);
  if (code != CU_OK)
    return code;
  code = fake_run(stream, true, INT32_MAX);
  return fake_end(code == CU_NOT_READY ? CU_OK : code);
}

int cuStreamWaitEvent(CuStream stream, CuEvent event, unsigned flags) {
  int code = begin_stream("cuStreamWaitEvent", stream);
  (void)flags;
  if (code != CU_OK)
    return code;
  if (!fake_is_alive(event, FAKE_EVENT)) {
    fake.n_misused++;
    code = CU_INVALID_HANDLE;
  }
  return fake_end(code);
}

// ------------------------------------------------------------------- events

static int begin_event(const char *function, CuEvent event) {
  int code = fake_begin(function);
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code == CU_OK &&
      (!fake_is_alive(event, FAKE_EVENT) || event->object.context != context)) {
    fake.n_misused++;
    code = CU_INVALID_HANDLE;
  }
  return code == CU_OK ? CU_OK : fake_end(code);
}

int cuEventCreate(CuEvent *event, unsigned flags) {
  int code = fake_begin("cuEventCreate");
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code == CU_OK) {
    *event = fake_new(FAKE_EVENT, sizeof **event, context);
    (*event)->flags = flags;
  }
  return fake_end(code);
}

int cuEventDestroy_v2(CuEvent event) {
  int code = begin_event("cuEventDestroy_v2", event);
  if (code != CU_OK)
    return code;
  fake_delete(event);
  return fake_end(CU_OK);
}

int cuEventRecord(CuEvent event, CuStream stream) {
  int code = begin_stream("cuEventRecord", stream);
  if (code != CU_OK)
    return code;
  if (!fake_is_alive(event, FAKE_EVENT)) {
    fake.n_misused++;
    return fake_end(CU_INVALID_HANDLE);
  }
  Work *work = fake_work_new(WORK_RECORD);
  work->event = event;
  event->n_pending++;
  event->is_recorded = true;
  fake_enqueue(stream, work);
  return fake_end(CU_OK);
}

int cuEventQuery(CuEvent event) {
  int code = begin_event("cuEventQuery", event);
  return code != CU_OK ? code
                       : fake_end(event->n_pending > 0 ? CU_NOT_READY : CU_OK);
}

int cuEventSynchronize(CuEvent event) {
  int code = begin_event("cuEventSynchronize", event);
  if (code != CU_OK)
    return code;
  for (Object *o = fake.objects; o && event->n_pending > 0; o = o->next) {
    if (o->kind == FAKE_STREAM && o->context == event->object.context)
      code = fake_run((CuStream)o, true, INT32_MAX);
  }
  return fake_end(code == CU_NOT_READY ? CU_OK : code);
}

int cuEventElapsedTime(float *milliseconds, CuEvent start, CuEvent end) {
  int code = begin_event("cuEventElapsedTime", start);
  if (code != CU_OK)
    return code;
  if (!start->is_recorded || !end->is_recorded)
    code = CU_INVALID_HANDLE;
  else if (start->n_pending > 0 || end->n_pending > 0)
    code = CU_NOT_READY;
  else
    *milliseconds = (float)(end->time_ms - start->time_ms);
  return fake_end(code);
}

// ------------------------------------------------------- memory in streams

static int enqueue_bytes(const char *function, CuStream stream, WorkKind kind,
                         void *to, const void *from, size_t size_bytes,
                         unsigned char value) {
  int code = begin_stream(function, stream);
  if (code != CU_OK)
    return code;
  if (!fake_find(kind == WORK_FROM ? from : to)) {
    fake.n_misused++;
    return fake_end(CU_INVALID_VALUE);
  }
  Work *work = fake_work_new(kind);
  work->to = to;
  work->from = from;
  work->size_bytes = size_bytes;
  work->value = value;
  fake_enqueue(stream, work);
  return fake_end(CU_OK);
}

int cuMemsetD8Async(CuPointer memory, unsigned char value, size_t size_bytes,
                    CuStream stream) {
  return enqueue_bytes("cuMemsetD8Async", stream, WORK_SET,
                       (void *)(uintptr_t)memory, NULL, size_bytes, value);
}

int cuMemcpyHtoDAsync_v2(CuPointer to, const void *from, size_t size_bytes,
                         CuStream stream) {
  return enqueue_bytes("cuMemcpyHtoDAsync_v2", stream, WORK_TO,
                       (void *)(uintptr_t)to, from, size_bytes, 0);
}

int cuMemcpyDtoHAsync_v2(void *to, CuPointer from, size_t size_bytes,
                         CuStream stream) {
  return enqueue_bytes("cuMemcpyDtoHAsync_v2", stream, WORK_FROM, to,
                       (const void *)(uintptr_t)from, size_bytes, 0);
}

// ------------------------------------------------------------------ kernels

static int check_launch(const CuLaunchConfig *config,
                        const struct CuFunctionObject *function,
                        const FakeLaunch *launch) {
  unsigned n_threads = launch->block[0] * launch->block[1] * launch->block[2];
  unsigned cluster =
      launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
  unsigned n_blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
  if (n_threads > (unsigned)fake.max_threads || n_blocks == 0 ||
      config->shared_bytes > (unsigned)function->dynamic_limit ||
      (cluster > 8 && !function->allows_large_clusters) ||
      launch->grid[0] % launch->cluster[0] != 0)
    return CU_INVALID_VALUE;
  if (launch->is_cooperative &&
      n_blocks > (unsigned)(fake.resident_blocks * fake.multiprocessors) &&
      cluster == 1)
    return CU_COOPERATIVE_TOO_LARGE;
  return CU_OK;
}

static FakeLaunch read_config(const CuLaunchConfig *config,
                              const struct CuModuleObject *module) {
  FakeLaunch launch = {.text = module->text,
                       .cluster = {1, 1, 1},
                       .shared_bytes = config->shared_bytes};
  memcpy(launch.grid, config->grid, sizeof launch.grid);
  memcpy(launch.block, config->block, sizeof launch.block);
  for (unsigned i = 0; i < config->n_attributes; i++) {
    const CuLaunchAttribute *attribute = &config->attributes[i];
    if (attribute->id == CU_LAUNCH_COOPERATIVE)
      launch.is_cooperative = attribute->value.is_cooperative != 0;
    if (attribute->id == CU_LAUNCH_CLUSTER)
      memcpy(launch.cluster, attribute->value.cluster, sizeof launch.cluster);
  }
  return launch;
}

int cuLaunchKernelEx(const CuLaunchConfig *config, CuFunction function,
                     void **parameters, void **extra) {
  int code = begin_stream("cuLaunchKernelEx", config->stream);
  (void)extra;
  if (code != CU_OK)
    return code;
  const struct CuModuleObject *module = function->module;
  FakeLaunch launch = read_config(config, module);
  code = check_launch(config, function, &launch);
  if (code != CU_OK)
    return fake_end(code);
  Work *work = fake_work_new(WORK_KERNEL);
  CuTensorMap *maps = aligned_alloc(64, (module->n_maps + 1) * sizeof *maps);
  if (!maps)
    abort();
  for (unsigned i = 0; i < module->n_maps; i++)
    memcpy(&maps[i], parameters[1 + i], sizeof *maps);
  launch.words = copy_bytes(parameters[0], module->words_bytes);
  launch.maps = maps;
  work->function = function;
  work->launch = launch;
  fake_enqueue(config->stream, work);
  return fake_end(CU_OK);
}

// ------------------------------------------------------------------- graphs

int cuStreamBeginCapture_v2(CuStream stream, int mode) {
  int code = begin_stream("cuStreamBeginCapture_v2", stream);
  (void)mode;
  if (code != CU_OK)
    return code;
  stream->capture =
      fake_new(FAKE_GRAPH, sizeof *stream->capture, stream->object.context);
  fake_queue_init(&stream->capture->queue);
  return fake_end(CU_OK);
}

int cuStreamEndCapture(CuStream stream, CuGraph *graph) {
  int code = begin_stream("cuStreamEndCapture", stream);
  if (code != CU_OK)
    return code;
  *graph = stream->capture;
  stream->capture = NULL;
  return fake_end(*graph ? CU_OK : CU_INVALID_VALUE);
}

int cuGraphInstantiateWithFlags(CuGraphExec *exec, CuGraph graph,
                                unsigned long long flags) {
  int code = fake_begin("cuGraphInstantiateWithFlags");
  (void)flags;
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code == CU_OK) {
    *exec = fake_new(FAKE_EXEC, sizeof **exec, context);
    fake_queue_init(&(*exec)->queue);
    fake_queue_copy(&(*exec)->queue, &graph->queue);
  }
  return fake_end(code);
}

int cuGraphLaunch(CuGraphExec exec, CuStream stream) {
  int code = begin_stream("cuGraphLaunch", stream);
  if (code != CU_OK)
    return code;
  fake_queue_copy(&stream->queue, &exec->queue);
  fake_run(stream, false, INT32_MAX);
  return fake_end(CU_OK);
}

static int delete_graph(const char *function, void *object) {
  int code = fake_begin(function);
  if (code != CU_OK)
    return code;
  (void)fake_context(&code);
  if (code == CU_OK)
    fake_delete(object);
  return fake_end(code);
}

int cuGraphDestroy(CuGraph graph) {
  return delete_graph("cuGraphDestroy", graph);
}

int cuGraphExecDestroy(CuGraphExec exec) {
  return delete_graph("cuGraphExecDestroy", exec);
}
