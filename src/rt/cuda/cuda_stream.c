// SPDX-License-Identifier: Apache-2.0
// Launches in flight.
//
// Note [Who has ended]. A launch costs one call of the driver and no more: what
// has ended is found out by those who wait. A stream that is idle has ended all
// of its launches; while it is busy, an event behind every 64th tells how far
// it is. Where nobody waits, a thread of the device looks every now and then,
// so that callbacks come without anybody's doing. It sleeps for good once
// nothing was in flight for a while, so that a launch wakes it seldom.
//
//   launch 63   launch 64   launch 65        n_launched = 66
//          mark 64 ──^                       the mark is reached: n_ended = 64
#include "rt/cuda/cuda_parts.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { TOLD_AT_ONCE = 32 };

static const int64_t spin_ns = 200 * 1000;
static const int64_t shortest_nap_ns = 15 * 1000;
static const int64_t longest_nap_ns = 500 * 1000;
static const int64_t linger_ns = 5 * 1000 * 1000;
// How long a kernel that was asked to end may go on.
static const int64_t grace_ns = INT64_C(2) * 1000 * 1000 * 1000;

static CudaDevice *cuda_stream_of(RtDevice *device) {
  return (CudaDevice *)device;
}

void cuda_stream_set_failure_locked(RtStream *stream, HdStatus status,
                                    const RtError *error) {
  if (stream->status != HD_OK)
    return;
  stream->status = status;
  stream->error = *error;
}

// ------------------------------------------------------------- what has ended

static bool cuda_stream_is_idle(const RtStream *stream) {
  return stream->n_ended == stream->n_launched;
}

// Launches below the result have ended.
static uint64_t count_ended_locked(RtStream *stream) {
  CudaDevice *device = stream->device;
  const CudaApi *api = &device->api;
  if (atomic_load(&device->is_lost) || cuda_stream_is_idle(stream))
    return stream->n_launched;
  int code = api->stream_query(stream->handle);
  if (code == CU_OK && stream->has_printed) {
    // Only a wait makes the driver write what kernels printed.
    code = api->stream_synchronize(stream->handle);
    stream->has_printed = false;
  }
  if (code == CU_OK)
    return stream->n_launched;
  uint64_t n_ended = stream->n_ended;
  for (int i = 0; i < CUDA_MARKS && code == CU_NOT_READY; i++) {
    if (stream->mark_at[i] <= n_ended)
      continue;
    int reached = api->event_query(stream->marks[i]);
    if (reached == CU_OK)
      n_ended = stream->mark_at[i];
    else if (reached != CU_NOT_READY)
      code = reached;
  }
  if (code == CU_NOT_READY)
    return n_ended;
  cuda_lose_locked(device, code);
  return stream->n_launched;
}

static void collect_faults_locked(RtStream *stream, const CudaEntry *entry) {
  if (atomic_load(&stream->device->is_lost))
    return; // told when it was
  if (entry->code) {
    cuda_fault_collect_locked(
        stream, entry->code, &stream->faults.data[stream->n_ended % CUDA_RING]);
    return;
  }
  for (CudaGraphNode *node = entry->graph->nodes; node; node = node->next)
    cuda_fault_collect_locked(stream, node->entry.code, node->fault.data);
}

// Tells those below n_ended. The lock is released during callbacks.
static void tell_locked(RtStream *stream, uint64_t n_ended) {
  CudaDevice *device = stream->device;
  while (stream->n_ended < n_ended) {
    CudaEntry told[TOLD_AT_ONCE];
    int count = 0;
    while (stream->n_ended < n_ended && count < TOLD_AT_ONCE) {
      told[count] = stream->entries[stream->n_ended % CUDA_RING];
      collect_faults_locked(stream, &told[count++]);
      stream->n_ended++;
    }
    stream->n_calling++;
    pthread_mutex_unlock(&device->lock);
    for (int i = 0; i < count; i++) {
      if (told[i].done)
        told[i].done(told[i].context);
    }
    pthread_mutex_lock(&device->lock);
    stream->n_calling--;
    pthread_cond_broadcast(&device->changed);
  }
}

// ------------------------------------------------------------------ waiting

static void ask_to_end(HdCudaFault *fault) {
  __atomic_store_n(&fault->interrupt, 1, __ATOMIC_RELAXED);
}

static bool cuda_stream_is_interrupted(const CudaEntry *entry) {
  return entry->interrupt &&
         __atomic_load_n(entry->interrupt, __ATOMIC_RELAXED) != 0;
}

// Hands the host's wish to end on to the kernels, which look at it where they
// wait for something.
static void pass_interrupt_locked(RtStream *stream) {
  RtError error = {0};
  for (uint64_t n = stream->n_ended; n < stream->n_launched; n++) {
    const CudaEntry *entry = &stream->entries[n % CUDA_RING];
    if (entry->code)
      ask_to_end(&stream->faults.data[n % CUDA_RING]);
    for (CudaGraphNode *node = entry->graph ? entry->graph->nodes : NULL; node;
         node = node->next)
      ask_to_end(node->fault.data);
  }
  rt_error_set(&error, "interrupted");
  cuda_stream_set_failure_locked(stream, HD_ERROR_INTERRUPTED, &error);
}

// Kernels that were interrupted or failed have some time to end.
static void watch_end_locked(RtStream *stream) {
  CudaDevice *device = stream->device;
  if (cuda_stream_is_idle(stream) || atomic_load(&device->is_lost))
    return;
  const CudaEntry *oldest = &stream->entries[stream->n_ended % CUDA_RING];
  bool is_ending = cuda_fault_is_pending_locked(stream);
  if (cuda_stream_is_interrupted(oldest)) {
    pass_interrupt_locked(stream);
    is_ending = true;
  }
  if (!is_ending)
    stream->ending_since_ns = 0;
  else if (stream->ending_since_ns == 0)
    stream->ending_since_ns = cuda_now_ns();
  else if (cuda_now_ns() - stream->ending_since_ns > grace_ns)
    cuda_abandon_locked(device, stream);
}

static void sleep_ns(int64_t time_ns) {
  struct timespec time = {.tv_nsec = time_ns};
  nanosleep(&time, NULL);
}

// Awake at first, since most launches are short, then a twentieth of the time.
void cuda_nap(int64_t waited_ns) {
  if (waited_ns < spin_ns) {
    for (int i = 0; i < 2; i++) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    return;
  }
  int64_t time_ns = waited_ns / 20;
  if (time_ns < shortest_nap_ns)
    time_ns = shortest_nap_ns;
  sleep_ns(time_ns < longest_nap_ns ? time_ns : longest_nap_ns);
}

// Until those below `number` have ended and were told.
static void wait_for_locked(RtStream *stream, uint64_t number) {
  CudaDevice *device = stream->device;
  int64_t start_ns = 0;
  for (;;) {
    tell_locked(stream, count_ended_locked(stream));
    if (stream->n_ended >= number)
      return;
    watch_end_locked(stream);
    int64_t now_ns = cuda_now_ns();
    if (start_ns == 0)
      start_ns = now_ns;
    pthread_mutex_unlock(&device->lock);
    cuda_nap(now_ns - start_ns);
    pthread_mutex_lock(&device->lock);
  }
}

void cuda_stream_make_room_locked(RtStream *stream) {
  while (stream->n_launched - stream->n_ended >= CUDA_RING)
    wait_for_locked(stream, stream->n_launched - CUDA_RING + 1);
}

void cuda_stream_drain_locked(RtStream *stream) {
  stream->n_waiting++;
  wait_for_locked(stream, stream->n_launched);
  stream->n_waiting--;
  while (stream->n_calling > 0)
    pthread_cond_wait(&stream->device->changed, &stream->device->lock);
  if (cuda_stream_is_idle(stream))
    stream->ending_since_ns = 0;
}

HdStatus cuda_stream_wait(RtStream *stream, RtError *error) {
  CudaDevice *device = stream->device;
  CudaScope scope;
  (void)cuda_enter_to_free(device, &scope); // if lost, it is told all the same
  pthread_mutex_lock(&device->lock);
  HdStatus status = HD_ERROR_ARGUMENT;
  if (stream->collecting) {
    rt_error_set(error, "the stream collects launches for a graph: end that "
                        "before it is waited for");
  } else {
    cuda_stream_drain_locked(stream);
    status = stream->status;
    if (status != HD_OK)
      *error = stream->error;
    stream->status = HD_OK;
  }
  pthread_mutex_unlock(&device->lock);
  cuda_leave(device, scope);
  return status;
}

// ---------------------------------------------------- the thread for callbacks

// Streams that need no look from here: somebody waits for them and tells, or
// launches to them. Who launches shouldn't find the lock taken; what has ended
// can wait for some looks.
static bool is_tended(RtStream *stream) {
  enum { MOST_SKIPPED = 8 };

  uint64_t before = stream->n_launched_before;
  stream->n_launched_before = stream->n_launched;
  if (stream->n_waiting > 0)
    return true;
  if (before == stream->n_launched || stream->n_skipped == MOST_SKIPPED)
    stream->n_skipped = 0;
  else
    stream->n_skipped++;
  return stream->n_skipped > 0;
}

// Looks at all streams; true if something is in flight.
static bool look_around(CudaDevice *device) {
  bool is_busy = false;
  CudaScope scope;
  (void)cuda_enter_to_free(device, &scope); // if lost, it is told all the same
  pthread_mutex_lock(&device->lock);
  // While the lock is released for a stream's callbacks it can't be freed.
  for (RtStream *stream = device->streams; stream; stream = stream->next) {
    if (cuda_stream_is_idle(stream) || stream->is_for_one)
      continue;
    if (!is_tended(stream)) {
      tell_locked(stream, count_ended_locked(stream));
      watch_end_locked(stream);
    }
    is_busy = is_busy || !cuda_stream_is_idle(stream);
  }
  pthread_mutex_unlock(&device->lock);
  cuda_leave(device, scope);
  return is_busy;
}

// Until something is launched.
static void sleep_until_launch(CudaDevice *device) {
  pthread_mutex_lock(&device->lock);
  bool is_busy = false;
  for (RtStream *stream = device->streams; stream; stream = stream->next)
    is_busy = is_busy || (!cuda_stream_is_idle(stream) && !stream->is_for_one);
  while (!is_busy && !device->is_closing && !device->is_woken) {
    device->is_completer_asleep = true;
    pthread_cond_wait(&device->wake, &device->lock);
  }
  device->is_completer_asleep = false;
  device->is_woken = false;
  pthread_mutex_unlock(&device->lock);
}

static bool is_closing(CudaDevice *device) {
  pthread_mutex_lock(&device->lock);
  bool is_so = device->is_closing;
  pthread_mutex_unlock(&device->lock);
  return is_so;
}

static void *completer_main(void *argument) {
  CudaDevice *device = argument;
  int64_t busy_since_ns = cuda_now_ns(), idle_since_ns = 0;
  // Else a nap is 50 us longer than asked for.
  (void)prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  while (!is_closing(device)) {
    bool is_busy = look_around(device);
    int64_t now_ns = cuda_now_ns();
    if (is_busy && idle_since_ns)
      busy_since_ns = now_ns;
    if (is_busy)
      idle_since_ns = 0;
    else if (idle_since_ns == 0)
      idle_since_ns = now_ns;
    if (!is_busy && now_ns - idle_since_ns > linger_ns) {
      sleep_until_launch(device);
      busy_since_ns = cuda_now_ns();
      idle_since_ns = 0;
    } else {
      cuda_nap(spin_ns + (is_busy ? now_ns - busy_since_ns : 0));
    }
  }
  return NULL;
}

// Signals are for the program's threads.
static bool completer_start_locked(CudaDevice *device) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int failure =
      pthread_create(&device->completer, NULL, completer_main, device);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  device->has_completer = failure == 0;
  return device->has_completer;
}

void cuda_completer_stop(CudaDevice *device) {
  pthread_mutex_lock(&device->lock);
  device->is_closing = true;
  pthread_cond_signal(&device->wake);
  pthread_mutex_unlock(&device->lock);
  if (device->has_completer)
    pthread_join(device->completer, NULL);
}

void cuda_stream_push_locked(RtStream *stream, const CudaEntry *entry) {
  CudaDevice *device = stream->device;
  stream->entries[stream->n_launched++ % CUDA_RING] = *entry;
  if (stream->n_launched % CUDA_MARK_EVERY == 0) {
    uint64_t i = stream->n_launched / CUDA_MARK_EVERY % CUDA_MARKS;
    int code = device->api.event_record(stream->marks[i], stream->handle);
    stream->mark_at[i] = code == CU_OK ? stream->n_launched : 0;
  }
  if (stream->is_for_one)
    return; // who launches waits
  if (device->is_completer_asleep) {
    device->is_woken = true;
    device->is_completer_asleep = false;
    pthread_cond_signal(&device->wake);
  } else if (!device->has_completer && !completer_start_locked(device)) {
    cuda_stream_drain_locked(stream); // without a thread: at once
  }
}

// -------------------------------------------------------------- new and free

static void stream_dispose(RtStream *stream) {
  CudaDevice *device = stream->device;
  const CudaApi *api = &device->api;
  CudaScope scope;
  if (cuda_enter_to_free(device, &scope)) {
    for (int i = 0; i < CUDA_MARKS; i++) {
      if (stream->marks[i])
        (void)api->event_destroy(stream->marks[i]);
    }
    if (stream->workspace.address)
      (void)api->memory_free(stream->workspace.address);
    if (stream->handle && !stream->is_wrapped)
      (void)api->stream_destroy(stream->handle);
    cuda_faults_free(device, &stream->faults);
  }
  cuda_leave(device, scope);
  free(stream->words);
  free(stream);
}

// A stream that is given has to be in the device's context: launches there
// can't reach the memory of another one.
static HdStatus stream_take(RtStream *stream, void *handle, RtError *error) {
  CudaDevice *device = stream->device;
  CuContext context = NULL;
  stream->handle = handle;
  stream->is_wrapped = true;
  int code = device->api.stream_context(stream->handle, &context);
  if (code != CU_OK)
    return cuda_fail(device, code, error, "a stream that was made elsewhere");
  if (context == device->context)
    return HD_OK;
  rt_error_set(error,
               "the stream belongs to another CUDA context than that of device "
               "cuda:%d: let the library that it comes from use the GPU before "
               "the device is opened, so that both share one",
               device->ordinal);
  return HD_ERROR_ARGUMENT;
}

static HdStatus stream_prepare(RtStream *stream, RtError *error) {
  enum { NO_TIMING = 2 };

  CudaDevice *device = stream->device;
  const CudaApi *api = &device->api;
  int code = CU_OK;
  if (!stream->is_wrapped)
    code = api->stream_create(&stream->handle, CU_STREAM_NON_BLOCKING_FLAG);
  for (int i = 0; i < CUDA_MARKS && code == CU_OK; i++)
    code = api->event_create(&stream->marks[i], NO_TIMING);
  if (code == CU_OK)
    code = cuda_faults_alloc(device, CUDA_RING, &stream->faults);
  return code == CU_OK ? HD_OK
                       : cuda_fail(device, code, error, "a stream on cuda:%d",
                                   device->ordinal);
}

static HdStatus stream_make(CudaDevice *device, bool is_given, void *handle,
                            RtStream **out, RtError *error) {
  CudaScope scope;
  *out = NULL;
  RtStream *stream = calloc(1, sizeof *stream);
  if (!stream) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  stream->device = device;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK && is_given)
    status = stream_take(stream, handle, error);
  if (status == HD_OK)
    status = stream_prepare(stream, error);
  if (status != HD_OK) {
    stream_dispose(stream);
  } else {
    pthread_mutex_lock(&device->lock);
    stream->next = device->streams;
    device->streams = stream;
    pthread_mutex_unlock(&device->lock);
    *out = stream;
  }
  cuda_leave(device, scope);
  return status;
}

HdStatus cuda_stream_new(RtDevice *base, RtStream **out, RtError *error) {
  return stream_make(cuda_stream_of(base), false, NULL, out, error);
}

HdStatus cuda_stream_wrap(RtDevice *base, void *handle, RtStream **out,
                          RtError *error) {
  return stream_make(cuda_stream_of(base), true, handle, out, error);
}

void *cuda_stream_handle(RtStream *stream) {
  return stream->handle;
}

void cuda_stream_free(RtStream *stream) {
  if (!stream)
    return;
  CudaDevice *device = stream->device;
  RtGraph *graph = NULL;
  RtError ignored;
  if (stream->collecting && cuda_graph_end(stream, &graph, &ignored) == HD_OK)
    cuda_graph_free(graph);
  CudaScope scope;
  (void)cuda_enter_to_free(device, &scope);
  pthread_mutex_lock(&device->lock);
  cuda_stream_drain_locked(stream);
  RtStream **link = &device->streams;
  while (*link != stream)
    link = &(*link)->next;
  *link = stream->next;
  pthread_mutex_unlock(&device->lock);
  stream_dispose(stream);
  cuda_leave(device, scope);
}

HdStatus cuda_stream_take_idle(CudaDevice *device, RtStream **out,
                               RtError *error) {
  pthread_mutex_lock(&device->lock);
  *out = device->idle_streams;
  if (*out)
    device->idle_streams = (*out)->next_idle;
  pthread_mutex_unlock(&device->lock);
  if (*out)
    return HD_OK;
  HdStatus status = cuda_stream_new(&device->base, out, error);
  if (status == HD_OK)
    (*out)->is_for_one = true;
  return status;
}

void cuda_stream_give_idle(RtStream *stream) {
  CudaDevice *device = stream->device;
  pthread_mutex_lock(&device->lock);
  stream->next_idle = device->idle_streams;
  device->idle_streams = stream;
  pthread_mutex_unlock(&device->lock);
}
