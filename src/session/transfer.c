// SPDX-License-Identifier: Apache-2.0
// Elements of buffers to the host and back.
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

static bool transfer_is_dense(const HdBuffer *b) {
  int64_t stride = 1;
  for (int i = b->rank - 1; i >= 0; i--) {
    if (b->extents[i] > 1 && b->strides[i] != stride)
      return false;
    stride *= b->extents[i];
  }
  return true;
}

static HdStatus transfer_check_size(const HdBuffer *buffer, size_t size_bytes) {
  uint64_t most = buffer->element_bytes;
  for (int i = 0; i < buffer->rank; i++)
    most *= (uint64_t)buffer->extents[i];
  if (size_bytes <= most)
    return HD_OK;
  return session_fail(buffer->memory->device->session, HD_ERROR_ARGUMENT,
                      "%zu bytes do not fit a buffer of %llu", size_bytes,
                      (unsigned long long)most);
}

// Exactly one of `to` and `from` is the host's, the other one NULL.
static HdStatus copy_whole(HdBuffer *buffer, void *to, const void *from,
                           uint64_t size_bytes) {
  HdDevice *device = buffer->memory->device;
  RtDevice *rt = device->device;
  RtError error = {0};
  HdStatus status =
      to ? rt->ops->memory_read(rt, to, buffer->data, size_bytes, &error)
         : rt->ops->memory_write(rt, buffer->data, from, size_bytes, &error);
  return status == HD_OK
             ? status
             : session_fail(device->session, status, "%s", error.text);
}

// Between the image of the buffer with its gaps and a dense one, the first
// size_bytes of which are there.
static void transfer_spread(const HdBuffer *b, char *image, char *dense,
                            size_t size_bytes, bool to_dense) {
  int64_t index[8] = {0};
  for (size_t done = 0; done < size_bytes; done += b->element_bytes) {
    int64_t at = 0;
    for (int i = 0; i < b->rank; i++)
      at += index[i] * b->strides[i];
    char *place = image + (size_t)at * b->element_bytes;
    size_t left = size_bytes - done;
    size_t bytes = left < b->element_bytes ? left : b->element_bytes;
    memcpy(to_dense ? dense + done : place, to_dense ? place : dense + done,
           bytes);
    for (int i = b->rank - 1; i >= 0 && ++index[i] == b->extents[i]; i--)
      index[i] = 0;
  }
}

// Through an image of the whole: what lies in the gaps is written back as it
// was.
static HdStatus copy_strided(HdBuffer *buffer, void *to, const void *from,
                             size_t size_bytes) {
  uint64_t span = (uint64_t)buffer_span(buffer) * buffer->element_bytes;
  char *image = malloc(span + 1);
  if (!image)
    return session_no_memory(buffer->memory->device->session, NULL);
  HdStatus status = copy_whole(buffer, image, NULL, span);
  if (status == HD_OK && to)
    transfer_spread(buffer, image, to, size_bytes, true);
  if (status == HD_OK && from) {
    // Only read: `spread` takes both directions.
    transfer_spread(buffer, image, (char *)(uintptr_t)from, size_bytes, false);
    status = copy_whole(buffer, NULL, image, span);
  }
  free(image);
  return status;
}

static HdStatus session_transfer(HdBuffer *buffer, void *to, const void *from,
                                 size_t size_bytes) {
  HD_TRY(transfer_check_size(buffer, size_bytes));
  memory_wait(buffer->memory);
  if (size_bytes == 0)
    return HD_OK;
  return transfer_is_dense(buffer) ? copy_whole(buffer, to, from, size_bytes)
                                   : copy_strided(buffer, to, from, size_bytes);
}

HdStatus hd_buffer_write(HdBuffer *buffer, const void *data,
                         size_t size_bytes) {
  if (!buffer || (!data && size_bytes > 0))
    return session_null(buffer ? buffer->memory->device->session : NULL,
                        "hd_buffer_write");
  if (buffer->is_read_only)
    return session_fail(buffer->memory->device->session, HD_ERROR_ARGUMENT,
                        "the buffer is a read-only tensor");
  return session_transfer(buffer, NULL, data, size_bytes);
}

HdStatus hd_buffer_read(HdBuffer *buffer, void *data, size_t size_bytes) {
  if (!buffer || (!data && size_bytes > 0))
    return session_null(buffer ? buffer->memory->device->session : NULL,
                        "hd_buffer_read");
  return session_transfer(buffer, data, NULL, size_bytes);
}
