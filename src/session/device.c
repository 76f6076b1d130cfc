// SPDX-License-Identifier: Apache-2.0
// Devices, streams and events: the public face of the device table.
#include "session/session.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Kinds of devices in the order in which they are listed.
static const RtDeviceOps *const device_kinds[] = {&rt_cpu_ops};

enum { N_KINDS = sizeof device_kinds / sizeof device_kinds[0] };

int hd_device_count(HdSession *session) {
  (void)session;
  return N_KINDS;
}

const char *hd_device_name(HdSession *session, int index) {
  (void)session;
  return index >= 0 && index < N_KINDS ? device_kinds[index]->kind : NULL;
}

const char *hd_device_description(HdSession *session, int index) {
  if (index < 0 || index >= N_KINDS)
    return NULL;
  char text[512];
  device_kinds[index]->describe(-1, text, sizeof text);
  session_lock(session);
  const char *copy = arena_strdup(session->arena, text);
  session_unlock(session);
  return copy;
}

// "cpu" or "cpu:4": the kind, and the number or -1. NULL: not a device.
static const RtDeviceOps *find_kind(const char *name, int *ordinal) {
  *ordinal = -1;
  for (int i = 0; i < N_KINDS; i++) {
    size_t length = strlen(device_kinds[i]->kind);
    if (strncmp(name, device_kinds[i]->kind, length) != 0)
      continue;
    if (name[length] == 0)
      return device_kinds[i];
    char *end;
    if (name[length] != ':' || !isdigit((unsigned char)name[length + 1]))
      continue;
    long number = strtol(name + length + 1, &end, 10);
    *ordinal = number > INT_MAX ? INT_MAX : (int)number;
    return *end == 0 ? device_kinds[i] : NULL;
  }
  return NULL;
}

HdStatus hd_device_open(HdSession *session, const char *name, HdDevice **out) {
  *out = NULL;
  int ordinal;
  const RtDeviceOps *ops = find_kind(name, &ordinal);
  if (!ops && strncmp(name, "cuda", 4) == 0)
    return session_fail(session, HD_ERROR_UNSUPPORTED,
                        "device '%s': NVIDIA GPUs are not supported in this "
                        "version; there is: cpu",
                        name);
  if (!ops)
    return session_fail(session, HD_ERROR_NOT_FOUND,
                        "no device '%s'; there is: cpu, cpu:N (N threads)",
                        name);
  HdDevice *device = calloc(1, sizeof(*device));
  if (!device)
    return session_fail(session, HD_ERROR_MEMORY, "out of memory");
  RtError error = {0};
  HdStatus status = ops->open(ordinal, &device->device, &error);
  if (status != HD_OK) {
    free(device);
    return session_fail(session, status, "%s", error.text);
  }
  atomic_init(&device->references, 1);
  device->session = session;
  session_retain(session);
  *out = device;
  return HD_OK;
}

void device_retain(HdDevice *device) {
  atomic_fetch_add(&device->references, 1);
}

void hd_device_free(HdDevice *device) {
  if (!device || atomic_fetch_sub(&device->references, 1) != 1)
    return;
  device->device->ops->close(device->device);
  hd_session_free(device->session);
  free(device);
}

static HdStatus device_fail(HdDevice *device, HdStatus status,
                            const RtError *error) {
  if (status == HD_OK)
    return status;
  return session_fail(device->session, status, "%s", error->text);
}

// ---------------------------------------------------------------- streams

HdStatus hd_stream_new(HdDevice *device, HdStream **out) {
  RtError error = {0};
  *out = calloc(1, sizeof(**out));
  if (!*out)
    return session_fail(device->session, HD_ERROR_MEMORY, "out of memory");
  HdStatus status =
      device->device->ops->stream_new(device->device, &(*out)->stream, &error);
  if (status != HD_OK) {
    free(*out);
    *out = NULL;
    return device_fail(device, status, &error);
  }
  (*out)->device = device;
  device_retain(device);
  return HD_OK;
}

void hd_stream_free(HdStream *stream) {
  if (!stream)
    return;
  stream->device->device->ops->stream_free(stream->stream);
  hd_device_free(stream->device);
  free(stream);
}

HdStatus hd_stream_wait(HdStream *stream) {
  RtError error = {0};
  HdStatus status =
      stream->device->device->ops->stream_wait(stream->stream, &error);
  return device_fail(stream->device, status, &error);
}

// ----------------------------------------------------------------- events

HdStatus hd_event_new(HdDevice *device, HdEvent **out) {
  RtError error = {0};
  *out = calloc(1, sizeof(**out));
  if (!*out)
    return session_fail(device->session, HD_ERROR_MEMORY, "out of memory");
  HdStatus status =
      device->device->ops->event_new(device->device, &(*out)->event, &error);
  if (status != HD_OK) {
    free(*out);
    *out = NULL;
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
  RtError error = {0};
  HdStatus status = event->device->device->ops->event_record(
      event->event, stream ? stream->stream : NULL, &error);
  return device_fail(event->device, status, &error);
}

HdStatus hd_event_wait(HdEvent *event) {
  RtError error = {0};
  HdStatus status =
      event->device->device->ops->event_wait(event->event, &error);
  return device_fail(event->device, status, &error);
}

HdStatus hd_stream_wait_event(HdStream *stream, HdEvent *event) {
  RtError error = {0};
  HdStatus status = stream->device->device->ops->stream_wait_event(
      stream->stream, event->event, &error);
  return device_fail(stream->device, status, &error);
}

HdStatus hd_event_elapsed_ms(HdEvent *start, HdEvent *end, double *out) {
  RtError error = {0};
  HdStatus status = start->device->device->ops->event_elapsed_ms(
      start->event, end->event, out, &error);
  return device_fail(start->device, status, &error);
}
