// SPDX-License-Identifier: Apache-2.0
// Streams and events: the public face of the device table.
#include "session/session.h"

#include <stdlib.h>

static HdStatus device_fail(HdDevice *device, HdStatus status,
                            const RtError *error) {
  if (status == HD_OK)
    return status;
  return session_fail(device->session, status, "%s", error->text);
}

// ---------------------------------------------------------------- streams

// A new one, or around the driver's.
static HdStatus session_stream_make(HdDevice *device, bool wraps, void *handle,
                                    HdStream **out) {
  RtError error = {0};
  const RtDeviceOps *ops = device->device->ops;
  *out = calloc(1, sizeof(**out));
  if (!*out)
    return session_no_memory(device->session, NULL);
  HdStatus status =
      wraps ? ops->stream_wrap(device->device, handle, &(*out)->stream, &error)
            : ops->stream_new(device->device, &(*out)->stream, &error);
  if (status != HD_OK) {
    free(*out);
    *out = NULL;
    return device_fail(device, status, &error);
  }
  (*out)->device = device;
  device_retain(device);
  return HD_OK;
}

HdStatus hd_stream_new(HdDevice *device, HdStream **out) {
  if (out)
    *out = NULL;
  if (!device || !out)
    return session_null(device ? device->session : NULL, "hd_stream_new");
  return session_stream_make(device, false, NULL, out);
}

HdStatus hd_stream_wrap(HdDevice *device, void *handle, HdStream **out) {
  if (out)
    *out = NULL;
  if (!device || !out)
    return session_null(device ? device->session : NULL, "hd_stream_wrap");
  if (!device->device->ops->stream_wrap)
    return session_fail(device->session, HD_ERROR_UNSUPPORTED,
                        "device '%s' has no streams beside Heddle's",
                        device->device->ops->kind);
  return session_stream_make(device, true, handle, out);
}

void *hd_stream_handle(const HdStream *stream) {
  if (!stream)
    return NULL;
  const RtDeviceOps *ops = stream->device->device->ops;
  return ops->stream_handle ? ops->stream_handle(stream->stream) : NULL;
}

void hd_stream_free(HdStream *stream) {
  if (!stream)
    return;
  if (stream->graph) {
    HdGraph *dropped;
    if (hd_graph_end(stream, &dropped) == HD_OK)
      hd_graph_free(dropped);
  }
  stream->device->device->ops->stream_free(stream->stream);
  hd_device_free(stream->device);
  free(stream);
}

HdStatus hd_stream_wait(HdStream *stream) {
  if (!stream)
    return session_null(NULL, "hd_stream_wait");
  RtError error = {0};
  HdStatus status =
      stream->device->device->ops->stream_wait(stream->stream, &error);
  return device_fail(stream->device, status, &error);
}

// ----------------------------------------------------------------- events

HdStatus hd_event_new(HdDevice *device, HdEvent **out) {
  if (out)
    *out = NULL;
  if (!device || !out)
    return session_null(device ? device->session : NULL, "hd_event_new");
  RtError error = {0};
  *out = calloc(1, sizeof(**out));
  if (!*out)
    return session_no_memory(device->session, NULL);
  HdStatus status =
      device->device->ops->event_new(device->device, &(*out)->event, &error);
  if (status != HD_OK) {
    free(*out);
    return device_fail(device, status, &error);
  }
  (*out)->device = device;
  device_retain(device);
  return HD_OK;
}

void hd_event_free(HdEvent *event) {
  if (!event)
    return;
  event->device->device->ops->event_free(event->event);
  hd_device_free(event->device);
  free(event);
}

HdStatus hd_event_record(HdEvent *event, HdStream *stream) {
  if (!event)
    return session_null(NULL, "hd_event_record");
  RtError error = {0};
  HdStatus status = event->device->device->ops->event_record(
      event->event, stream ? stream->stream : NULL, &error);
  return device_fail(event->device, status, &error);
}

HdStatus hd_event_wait(HdEvent *event) {
  if (!event)
    return session_null(NULL, "hd_event_wait");
  RtError error = {0};
  HdStatus status =
      event->device->device->ops->event_wait(event->event, &error);
  return device_fail(event->device, status, &error);
}

HdStatus hd_stream_wait_event(HdStream *stream, HdEvent *event) {
  if (!stream || !event)
    return session_null(stream ? stream->device->session : NULL,
                        "hd_stream_wait_event");
  RtError error = {0};
  HdStatus status = stream->device->device->ops->stream_wait_event(
      stream->stream, event->event, &error);
  return device_fail(stream->device, status, &error);
}

HdStatus hd_event_elapsed_ms(HdEvent *start, HdEvent *end, double *out) {
  if (!start || !end || !out)
    return session_null(start ? start->device->session : NULL,
                        "hd_event_elapsed_ms");
  RtError error = {0};
  HdStatus status = start->device->device->ops->event_elapsed_ms(
      start->event, end->event, out, &error);
  return device_fail(start->device, status, &error);
}
