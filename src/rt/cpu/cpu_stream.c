// SPDX-License-Identifier: Apache-2.0
// Streams, events and graphs of launches on the CPU.
//
// A stream is a queue and a thread that takes from it. Waiting for a stream
// waits for the queue to be empty and the thread to be idle. An event counts
// how often it was recorded (queued) and reached (done); waiting for it waits
// for the last record before the call. While a stream collects, launches go to
// the end of a graph instead of the queue.
#include "rt/cpu/cpu_stream.h"

#include "base/panic.h"
#include "base/status.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum { TASK_LAUNCH, TASK_GRAPH, TASK_RECORD, TASK_WAIT } TaskKind;

typedef struct Task {
  struct Task *next;
  TaskKind kind;
  RtLaunch launch; // args are a copy that follows the task
  void (*done)(void *context);
  void *context;
  RtEvent *event;
  uint64_t ticket; // the event's record that is reached or waited for
  RtGraph *graph;
  const int32_t *interrupt; // of the graph's launch, or NULL
} Task;

struct RtStream {
  CpuDevice *device;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Task *first, **last;
  bool is_busy, is_ending;
  RtGraph *collecting; // takes launches instead of the queue; or NULL
  HdStatus status;     // the first failure since the last wait
  RtError error;
};

// Launches that nobody has started yet: tasks that are run, but not finished,
// each time that the graph is launched.
struct RtGraph {
  CpuDevice *device;
  Task *first, **last;
};

struct RtEvent {
  int references; // its owner's and those of queued tasks; under `lock`
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t n_recorded, n_reached;
  struct timespec time;
};

// ----------------------------------------------------------------- events

HdStatus cpu_event_new(RtDevice *device, RtEvent **out, RtError *error) {
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
void cpu_event_free(RtEvent *event) {
  if (!event)
    return;
  pthread_mutex_lock(&event->lock);
  HD_ASSERT(event->references > 0);
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

HdStatus cpu_event_wait(RtEvent *event, RtError *error) {
  (void)error;
  event_await(event, event_hold(event, false));
  cpu_event_free(event);
  return HD_OK;
}

HdStatus cpu_event_elapsed_ms(RtEvent *start, RtEvent *end, double *out,
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
  cpu_event_free(task->event);
  free(task);
}

static void stream_fail(RtStream *stream, HdStatus status,
                        const RtError *error) {
  if (stream->status != HD_OK)
    return;
  stream->status = status;
  stream->error = *error;
}

static HdStatus graph_run(const RtGraph *graph, const int32_t *interrupt,
                          RtError *error) {
  HdStatus status = HD_OK;
  for (const Task *task = graph->first; task && status == HD_OK;
       task = task->next) {
    RtLaunch launch = task->launch;
    launch.interrupt = interrupt;
    status = cpu_pool_run(graph->device->pool, &launch, error);
  }
  return status;
}

static void task_run(RtStream *stream, const Task *task) {
  RtError error = {0};
  HdStatus status = HD_OK;
  switch (task->kind) {
  case TASK_LAUNCH:
    status = cpu_pool_run(stream->device->pool, &task->launch, &error);
    break;
  case TASK_GRAPH:
    status = graph_run(task->graph, task->interrupt, &error);
    break;
  case TASK_RECORD: event_reach(task->event, task->ticket); return;
  case TASK_WAIT: event_await(task->event, task->ticket); return;
  }
  if (status == HD_OK)
    return;
  pthread_mutex_lock(&stream->lock);
  stream_fail(stream, status, &error);
  pthread_mutex_unlock(&stream->lock);
}

// After a failure launches are dropped, events still happen.
static bool is_dropped(const RtStream *stream, const Task *task) {
  return stream->status != HD_OK &&
         (task->kind == TASK_LAUNCH || task->kind == TASK_GRAPH);
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
    bool runs = !is_dropped(stream, task);
    pthread_mutex_unlock(&stream->lock);
    if (runs)
      task_run(stream, task);
    task_finish(task);
    pthread_mutex_lock(&stream->lock);
    stream->is_busy = false;
    pthread_cond_broadcast(&stream->changed);
  }
  pthread_mutex_unlock(&stream->lock);
  return NULL;
}

HdStatus cpu_stream_new(RtDevice *device, RtStream **out, RtError *error) {
  *out = NULL;
  RtStream *stream = calloc(1, sizeof(*stream));
  if (!stream) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  stream->device = (CpuDevice *)device;
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

void cpu_stream_free(RtStream *stream) {
  if (!stream)
    return;
  cpu_graph_free(stream->collecting);
  pthread_mutex_lock(&stream->lock);
  stream->is_ending = true;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
  pthread_join(stream->thread, NULL);
  pthread_cond_destroy(&stream->changed);
  pthread_mutex_destroy(&stream->lock);
  free(stream);
}

static bool stream_collects(RtStream *stream) {
  pthread_mutex_lock(&stream->lock);
  bool collects = stream->collecting != NULL;
  pthread_mutex_unlock(&stream->lock);
  return collects;
}

static HdStatus refuse_collecting(RtStream *stream, const char *text,
                                  RtError *error) {
  if (!stream_collects(stream))
    return HD_OK;
  rt_error_set(error, "%s", text);
  return HD_ERROR_ARGUMENT;
}

HdStatus cpu_stream_wait(RtStream *stream, RtError *error) {
  HD_TRY(refuse_collecting(stream,
                           "the stream collects launches for a graph: end that "
                           "before it is waited for",
                           error));
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

// To the end of the queue, or of the graph that the stream collects.
static void stream_push(RtStream *stream, Task *task) {
  pthread_mutex_lock(&stream->lock);
  Task ***last = stream->collecting ? &stream->collecting->last : &stream->last;
  **last = task;
  *last = &task->next;
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

HdStatus cpu_launch(RtDevice *device, RtStream *stream, const RtLaunch *launch,
                    void (*done)(void *), void *context, RtError *error) {
  HD_ASSERT(launch->code && (launch->args || launch->n_slots == 0));
  HD_ASSERT(!stream || &stream->device->base == device);
  if (stream)
    return launch_queued(stream, launch, done, context, error);
  HdStatus status = cpu_pool_run(((CpuDevice *)device)->pool, launch, error);
  if (done)
    done(context);
  return status;
}

static HdStatus push_event(RtStream *stream, RtEvent *event, TaskKind kind,
                           RtError *error) {
  HD_TRY(refuse_collecting(stream,
                           "events are not allowed in a graph: the stream "
                           "collects launches",
                           error));
  Task *task = task_new(kind, 0, error);
  if (!task)
    return HD_ERROR_MEMORY;
  task->event = event;
  task->ticket = event_hold(event, kind == TASK_RECORD);
  stream_push(stream, task);
  return HD_OK;
}

HdStatus cpu_event_record(RtEvent *event, RtStream *stream, RtError *error) {
  if (stream)
    return push_event(stream, event, TASK_RECORD, error);
  event_reach(event, event_hold(event, true));
  cpu_event_free(event);
  return HD_OK;
}

HdStatus cpu_stream_wait_event(RtStream *stream, RtEvent *event,
                               RtError *error) {
  return push_event(stream, event, TASK_WAIT, error);
}

// ----------------------------------------------------------------- graphs

HdStatus cpu_graph_begin(RtStream *stream, RtError *error) {
  RtGraph *graph = calloc(1, sizeof *graph);
  if (!graph) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  graph->device = stream->device;
  graph->last = &graph->first;
  HdStatus status = HD_OK;
  pthread_mutex_lock(&stream->lock);
  if (stream->collecting) {
    rt_error_set(error, "the stream collects launches already");
    status = HD_ERROR_ARGUMENT;
  } else if (stream->status != HD_OK) {
    // What failed before belongs to the next wait, not to the graph.
    *error = stream->error;
    status = stream->status;
  } else {
    stream->collecting = graph;
  }
  pthread_mutex_unlock(&stream->lock);
  if (status != HD_OK)
    free(graph);
  return status;
}

HdStatus cpu_graph_end(RtStream *stream, RtGraph **out, RtError *error) {
  pthread_mutex_lock(&stream->lock);
  *out = stream->collecting;
  stream->collecting = NULL;
  pthread_mutex_unlock(&stream->lock);
  if (*out)
    return HD_OK;
  rt_error_set(error, "the stream doesn't collect launches");
  return HD_ERROR_ARGUMENT;
}

static HdStatus graph_queued(RtGraph *graph, RtStream *stream,
                             const int32_t *interrupt, void (*done)(void *),
                             void *context, RtError *error) {
  HdStatus status = HD_OK;
  Task *task = NULL;
  if (stream_collects(stream)) {
    rt_error_set(error, "a graph can't be a part of another one");
    status = HD_ERROR_ARGUMENT;
  } else {
    task = task_new(TASK_GRAPH, 0, error);
    status = task ? HD_OK : HD_ERROR_MEMORY;
  }
  if (status != HD_OK) {
    if (done)
      done(context);
    return status;
  }
  task->graph = graph;
  task->interrupt = interrupt;
  task->done = done;
  task->context = context;
  stream_push(stream, task);
  return HD_OK;
}

HdStatus cpu_graph_launch(RtGraph *graph, RtStream *stream,
                          const int32_t *interrupt, void (*done)(void *),
                          void *context, RtError *error) {
  HD_ASSERT(!stream || stream->device == graph->device);
  if (stream)
    return graph_queued(graph, stream, interrupt, done, context, error);
  HdStatus status = graph_run(graph, interrupt, error);
  if (done)
    done(context);
  return status;
}

void cpu_graph_free(RtGraph *graph) {
  if (!graph)
    return;
  while (graph->first) {
    Task *task = graph->first;
    graph->first = task->next;
    task_finish(task);
  }
  free(graph);
}
