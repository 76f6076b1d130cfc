// SPDX-License-Identifier: Apache-2.0
// Events are the driver's.
#include "rt/cuda/cuda_parts.h"

#include <stdlib.h>

HdStatus cuda_event_new(RtDevice *base, RtEvent **out, RtError *error) {
  CudaDevice *device = (CudaDevice *)base;
  CudaScope scope;
  *out = NULL;
  RtEvent *event = calloc(1, sizeof *event);
  if (!event) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  event->device = device;
  int code = CU_OK;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    code = device->api.event_create(&event->handle, 0);
  if (code != CU_OK)
    status =
        cuda_fail(device, code, error, "an event on cuda:%d", device->ordinal);
  cuda_leave(device, scope);
  if (status == HD_OK)
    *out = event;
  else
    free(event);
  return status;
}

void cuda_event_free(RtEvent *event) {
  if (!event)
    return;
  CudaScope scope;
  if (cuda_enter_to_free(event->device, &scope))
    (void)event->device->api.event_destroy(event->handle);
  cuda_leave(event->device, scope);
  free(event);
}

static HdStatus cuda_event_refuse_collecting(const RtStream *stream,
                                             RtError *error) {
  if (!stream->collecting)
    return HD_OK;
  rt_error_set(error, "events are not allowed in a graph: the stream collects "
                      "launches");
  return HD_ERROR_ARGUMENT;
}

HdStatus cuda_event_record(RtEvent *event, RtStream *stream, RtError *error) {
  CudaDevice *device = event->device;
  RtStream *used = stream;
  CudaScope scope;
  HdStatus status = cuda_enter(device, &scope, error);
  // Launches without a stream have ended: nothing is behind an idle one.
  if (status == HD_OK && !stream)
    status = cuda_stream_take_idle(device, &used, error);
  if (status == HD_OK) {
    pthread_mutex_lock(&device->lock);
    status = cuda_event_refuse_collecting(used, error);
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
  cuda_leave(device, scope);
  return status;
}

// Looks instead of blocking in the driver, where nobody could give up the
// device.
HdStatus cuda_event_wait(RtEvent *event, RtError *error) {
  CudaDevice *device = event->device;
  int64_t start_ns = cuda_now_ns();
  CudaScope scope;
  HdStatus status = cuda_enter(device, &scope, error);
  while (status == HD_OK) {
    int code = device->api.event_query(event->handle);
    if (code == CU_OK)
      break;
    if (code != CU_NOT_READY || atomic_load(&device->is_lost))
      status = cuda_fail(device, code, error, "waiting for an event");
    else
      cuda_nap(cuda_now_ns() - start_ns);
  }
  cuda_leave(device, scope);
  return status;
}

HdStatus cuda_stream_wait_event(RtStream *stream, RtEvent *event,
                                RtError *error) {
  CudaDevice *device = stream->device;
  CudaScope events, scope;
  HdStatus status = cuda_enter(event->device, &events, error);
  HdStatus own = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    status = own;
  if (status == HD_OK) {
    pthread_mutex_lock(&device->lock);
    status = cuda_event_refuse_collecting(stream, error);
    int code = CU_OK;
    if (status == HD_OK)
      code = device->api.stream_wait_event(stream->handle, event->handle, 0);
    if (code != CU_OK)
      status = cuda_fail_locked(device, code, error, "awaiting an event");
    pthread_mutex_unlock(&device->lock);
  }
  cuda_leave(device, scope);
  cuda_leave(event->device, events);
  return status;
}

HdStatus cuda_event_elapsed_ms(RtEvent *start, RtEvent *end, double *out,
                               RtError *error) {
  CudaDevice *device = start->device;
  CudaScope scope;
  if (!atomic_load(&start->is_recorded) || !atomic_load(&end->is_recorded)) {
    rt_error_set(error, "an event was never recorded");
    return HD_ERROR_ARGUMENT;
  }
  if (end->device != device) {
    rt_error_set(error, "the events are of different devices");
    return HD_ERROR_ARGUMENT;
  }
  float milliseconds = 0;
  int code = CU_OK;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    code = device->api.event_elapsed(&milliseconds, start->handle, end->handle);
  if (code == CU_NOT_READY) {
    rt_error_set(error, "an event wasn't reached yet: wait for it first");
    status = HD_ERROR_ARGUMENT;
  } else if (code != CU_OK) {
    status = cuda_fail(device, code, error, "the time between events");
  }
  cuda_leave(device, scope);
  *out = (double)milliseconds;
  return status;
}
