// SPDX-License-Identifier: Apache-2.0
// Events are the driver's.
#include "rt/cuda/cuda_parts.h"

#include <stdlib.h>

HdStatus cuda_event_new(RtDevice *base, RtEvent **out, RtError *error) {
  CudaDevice *device = (CudaDevice *)base;
  *out = NULL;
  HD_TRY(cuda_check_alive(device, error));
  RtEvent *event = calloc(1, sizeof *event);
  if (!event) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  event->device = device;
  bool has_entered = cuda_enter(device);
  int code = device->api.event_create(&event->handle, 0);
  cuda_leave(device, has_entered);
  if (code == CU_OK) {
    *out = event;
    return HD_OK;
  }
  free(event);
  return cuda_fail(device, code, error, "an event on cuda:%d", device->ordinal);
}

void cuda_event_free(RtEvent *event) {
  if (!event)
    return;
  CudaDevice *device = event->device;
  if (!atomic_load(&device->is_lost)) {
    bool has_entered = cuda_enter(device);
    (void)device->api.event_destroy(event->handle);
    cuda_leave(device, has_entered);
  }
  free(event);
}

static HdStatus refuse_collecting(const RtStream *stream, RtError *error) {
  if (!stream->collecting)
    return HD_OK;
  rt_error_set(error, "events have no place in a graph: the stream collects "
                      "launches");
  return HD_ERROR_ARGUMENT;
}

HdStatus cuda_event_record(RtEvent *event, RtStream *stream, RtError *error) {
  CudaDevice *device = event->device;
  RtStream *used = stream;
  HD_TRY(cuda_check_alive(device, error));
  bool has_entered = cuda_enter(device);
  // Launches without a stream have ended: nothing is behind an idle one.
  HdStatus status =
      stream ? HD_OK : cuda_stream_take_idle(device, &used, error);
  if (status == HD_OK) {
    pthread_mutex_lock(&device->lock);
    status = refuse_collecting(used, error);
    int code = CU_OK;
    if (status == HD_OK)
      code = device->api.event_record(event->handle, used->handle);
    if (code != CU_OK)
      status = cuda_fail_locked(device, code, error, "recording an event");
    pthread_mutex_unlock(&device->lock);
    if (!stream)
      cuda_stream_give_idle(used);
  }
  if (status == HD_OK)
    atomic_store(&event->is_recorded, true);
  cuda_leave(device, has_entered);
  return status;
}

// Looks instead of blocking in the driver, where nobody could give up the
// device.
HdStatus cuda_event_wait(RtEvent *event, RtError *error) {
  CudaDevice *device = event->device;
  int64_t start_ns = cuda_now_ns();
  HdStatus status;
  int code = CU_NOT_READY;
  bool has_entered = cuda_enter(device);
  while ((status = cuda_check_alive(device, error)) == HD_OK) {
    code = device->api.event_query(event->handle);
    if (code != CU_NOT_READY)
      break;
    cuda_nap(cuda_now_ns() - start_ns);
  }
  if (status == HD_OK && code != CU_OK)
    status = cuda_fail(device, code, error, "waiting for an event");
  cuda_leave(device, has_entered);
  return status;
}

HdStatus cuda_stream_wait_event(RtStream *stream, RtEvent *event,
                                RtError *error) {
  CudaDevice *device = stream->device;
  HD_TRY(cuda_check_alive(device, error));
  HD_TRY(cuda_check_alive(event->device, error));
  bool has_entered = cuda_enter(device);
  pthread_mutex_lock(&device->lock);
  HdStatus status = refuse_collecting(stream, error);
  int code = CU_OK;
  if (status == HD_OK)
    code = device->api.stream_wait_event(stream->handle, event->handle, 0);
  if (code != CU_OK)
    status = cuda_fail_locked(device, code, error, "awaiting an event");
  pthread_mutex_unlock(&device->lock);
  cuda_leave(device, has_entered);
  return status;
}

HdStatus cuda_event_elapsed_ms(RtEvent *start, RtEvent *end, double *out,
                               RtError *error) {
  CudaDevice *device = start->device;
  HD_TRY(cuda_check_alive(device, error));
  if (!atomic_load(&start->is_recorded) || !atomic_load(&end->is_recorded)) {
    rt_error_set(error, "an event was never recorded");
    return HD_ERROR_ARGUMENT;
  }
  if (end->device != device) {
    rt_error_set(error, "the events are of different devices");
    return HD_ERROR_ARGUMENT;
  }
  float milliseconds = 0;
  bool has_entered = cuda_enter(device);
  int code =
      device->api.event_elapsed(&milliseconds, start->handle, end->handle);
  cuda_leave(device, has_entered);
  *out = (double)milliseconds;
  if (code == CU_OK)
    return HD_OK;
  if (code != CU_NOT_READY)
    return cuda_fail(device, code, error, "the time between events");
  rt_error_set(error, "an event wasn't reached yet: wait for it first");
  return HD_ERROR_ARGUMENT;
}
