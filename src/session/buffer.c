// SPDX-License-Identifier: Apache-2.0
// Buffers: shape over memory that views share.
#include "base/panic.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  size_t size_bytes;
  const char *name;
} types[] = {

#define TYPE_ROW(id, value, bytes, text) [id] = {bytes, text},
    HD_TYPE_TABLE(TYPE_ROW)
#undef TYPE_ROW
};

static bool is_type(HdType type) {
  return type >= HD_BOOL && type <= HD_STRUCT;
}

size_t hd_type_size(HdType type) {
  return is_type(type) ? types[type].size_bytes : 0;
}

const char *hd_type_name(HdType type) {
  return is_type(type) ? types[type].name : "unknown";
}

// ----------------------------------------------------------------- memory

void memory_retain(Memory *memory) {
  int before = atomic_fetch_add(&memory->references, 1);
  HD_ASSERT(before > 0); // else it is being freed
}

void memory_release(Memory *memory) {
  if (atomic_fetch_sub(&memory->references, 1) != 1)
    return;
  RtDevice *device = memory->device->device;
  if (memory->is_owned)
    device->ops->memory_free(device, memory->data);
  if (memory->release)
    memory->release(memory->context);
  hd_device_free(memory->device);
  pthread_cond_destroy(&memory->idle);
  pthread_mutex_destroy(&memory->lock);
  free(memory);
}

void memory_begin_use(Memory *memory) {
  memory_retain(memory);
  pthread_mutex_lock(&memory->lock);
  memory->n_in_flight++;
  pthread_mutex_unlock(&memory->lock);
}

void memory_end_use(Memory *memory) {
  pthread_mutex_lock(&memory->lock);
  HD_ASSERT(memory->n_in_flight > 0);
  if (--memory->n_in_flight == 0)
    pthread_cond_broadcast(&memory->idle);
  pthread_mutex_unlock(&memory->lock);
  memory_release(memory);
}

void memory_wait(Memory *memory) {
  pthread_mutex_lock(&memory->lock);
  while (memory->n_in_flight > 0)
    pthread_cond_wait(&memory->idle, &memory->lock);
  pthread_mutex_unlock(&memory->lock);
}

static Memory *memory_make(HdDevice *device, void *data, uint64_t size_bytes,
                           bool is_owned) {
  Memory *memory = calloc(1, sizeof(*memory));
  if (!memory)
    return NULL;
  atomic_init(&memory->references, 1);
  memory->device = device;
  device_retain(device);
  memory->data = data;
  memory->size_bytes = size_bytes;
  memory->is_owned = is_owned;
  pthread_mutex_init(&memory->lock, NULL);
  pthread_cond_init(&memory->idle, NULL);
  return memory;
}

// ------------------------------------------------------------------ shape

static HdStatus check_shape(HdSession *session, int rank,
                            const int64_t *extents) {
  if (rank < 1 || rank > 8)
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "a buffer has 1 to 8 dimensions, not %d", rank);
  for (int i = 0; i < rank; i++) {
    if (extents[i] < 0)
      return session_fail(session, HD_ERROR_ARGUMENT,
                          "extent %lld of dimension %d is negative",
                          (long long)extents[i], i);
  }
  return HD_OK;
}

// Elements from the first to one past the last, or -1 if that overflows.
static int64_t span_elements(int rank, const int64_t *extents,
                             const int64_t *strides) {
  int64_t last = 0;
  for (int i = 0; i < rank; i++) {
    int64_t part;
    if (extents[i] == 0)
      return 0;
    if (__builtin_mul_overflow(extents[i] - 1, strides[i], &part) ||
        __builtin_add_overflow(last, part, &last))
      return -1;
  }
  return last == INT64_MAX ? -1 : last + 1;
}

static bool dense_strides(int rank, const int64_t *extents, int64_t *strides) {
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; i--) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, extents[i] > 0 ? extents[i] : 1,
                               &stride))
      return false;
  }
  return true;
}

static void buffer_set_shape(HdBuffer *buffer, HdType type,
                             size_t element_bytes, int rank,
                             const int64_t *extents, const int64_t *strides) {
  buffer->type = type;
  buffer->element_bytes = element_bytes;
  buffer->rank = rank;
  memcpy(buffer->extents, extents, (size_t)rank * sizeof *extents);
  memcpy(buffer->strides, strides, (size_t)rank * sizeof *strides);
}

// Bytes of a shape; false if there are more than an address can reach.
static bool shape_bytes(int rank, const int64_t *extents,
                        const int64_t *strides, size_t element_bytes,
                        uint64_t *out) {
  int64_t elements = span_elements(rank, extents, strides);
  return elements >= 0 &&
         !__builtin_mul_overflow((uint64_t)elements, element_bytes, out) &&
         *out <= (uint64_t)1 << 62;
}

static HdStatus buffer_make(HdDevice *device, HdType type, size_t element_bytes,
                            int rank, const int64_t *extents, HdBuffer **out) {
  HdSession *session = device->session;
  *out = NULL;
  HD_TRY(check_shape(session, rank, extents));
  int64_t strides[8];
  uint64_t size_bytes;
  if (!dense_strides(rank, extents, strides) ||
      !shape_bytes(rank, extents, strides, element_bytes, &size_bytes))
    return session_fail(session, HD_ERROR_MEMORY,
                        "an array of that size exceeds the address space");
  void *data;
  RtError error = {0};
  HdStatus status = device->device->ops->memory_new(device->device, size_bytes,
                                                    &data, &error);
  if (status != HD_OK)
    return session_fail(session, status, "%s", error.text);
  HdBuffer *buffer = calloc(1, sizeof(*buffer));
  Memory *memory = buffer ? memory_make(device, data, size_bytes, true) : NULL;
  if (!memory) {
    free(buffer);
    device->device->ops->memory_free(device->device, data);
    return session_no_memory(session, NULL);
  }
  buffer->memory = memory;
  buffer->data = data;
  buffer_set_shape(buffer, type, element_bytes, rank, extents, strides);
  *out = buffer;
  return HD_OK;
}

HdStatus hd_buffer_new(HdDevice *device, HdType type, int rank,
                       const int64_t *extents, HdBuffer **out) {
  if (out)
    *out = NULL;
  if (!device || !out || (!extents && rank > 0 && rank <= 8))
    return session_null(device ? device->session : NULL, "hd_buffer_new");
  if (hd_type_size(type) == 0)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "hd_buffer_new needs a scalar element type");
  return buffer_make(device, type, hd_type_size(type), rank, extents, out);
}

HdStatus hd_buffer_new_bytes(HdDevice *device, size_t element_bytes, int rank,
                             const int64_t *extents, HdBuffer **out) {
  if (out)
    *out = NULL;
  if (!device || !out || (!extents && rank > 0 && rank <= 8))
    return session_null(device ? device->session : NULL, "hd_buffer_new_bytes");
  if (element_bytes == 0)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "an element has at least one byte");
  return buffer_make(device, HD_STRUCT, element_bytes, rank, extents, out);
}

static HdStatus check_strides(HdSession *session, int rank,
                              const int64_t *strides) {
  for (int i = 0; i < rank; i++) {
    if (strides[i] < 0)
      return session_fail(session, HD_ERROR_ARGUMENT,
                          "stride %lld of dimension %d is negative",
                          (long long)strides[i], i);
  }
  return HD_OK;
}

// A launch may reach that memory.
static HdStatus check_memory(HdDevice *device, const char *what,
                             const void *data, uint64_t size_bytes) {
  RtDevice *rt = device->device;
  RtError error = {0};
  if (!data && size_bytes > 0)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "%s needs the memory's address", what);
  if (!rt->ops->memory_check || size_bytes == 0)
    return HD_OK;
  HdStatus status = rt->ops->memory_check(rt, data, size_bytes, &error);
  return status == HD_OK ? status
                         : session_fail(device->session, status, "%s: %s", what,
                                        error.text);
}

HdStatus buffer_wrap(HdDevice *device, const char *what, void *data,
                     HdType type, size_t element_bytes, int rank,
                     const int64_t *extents, const int64_t *strides,
                     HdBuffer **out) {
  HD_ASSERT(element_bytes > 0 && what);
  HdSession *session = device->session;
  HD_TRY(check_shape(session, rank, extents));
  int64_t dense[8];
  bool fits = dense_strides(rank, extents, dense);
  if (strides)
    HD_TRY(check_strides(session, rank, strides));
  const int64_t *used = strides ? strides : dense;
  uint64_t size_bytes;
  if (!fits || !shape_bytes(rank, extents, used, element_bytes, &size_bytes))
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "an array of that size exceeds the address space");
  HD_TRY(check_memory(device, what, data, size_bytes));
  HdBuffer *buffer = calloc(1, sizeof(*buffer));
  Memory *memory = buffer ? memory_make(device, data, size_bytes, false) : NULL;
  if (!memory) {
    free(buffer);
    return session_no_memory(session, NULL);
  }
  buffer->memory = memory;
  buffer->data = data;
  buffer_set_shape(buffer, type, element_bytes, rank, extents, used);
  *out = buffer;
  return HD_OK;
}

HdStatus hd_buffer_wrap(HdDevice *device, void *data, HdType type, int rank,
                        const int64_t *extents, const int64_t *strides,
                        HdBuffer **out) {
  if (out)
    *out = NULL;
  if (!device || !out || (!extents && rank > 0 && rank <= 8))
    return session_null(device ? device->session : NULL, "hd_buffer_wrap");
  if (hd_type_size(type) == 0)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "hd_buffer_wrap needs a scalar element type");
  return buffer_wrap(device, "hd_buffer_wrap", data, type, hd_type_size(type),
                     rank, extents, strides, out);
}

HdStatus hd_buffer_view(HdBuffer *parent, int64_t offset, int rank,
                        const int64_t *extents, const int64_t *strides,
                        HdBuffer **out) {
  if (out)
    *out = NULL;
  if (!parent || !out || (!extents && rank > 0 && rank <= 8))
    return session_null(parent ? parent->memory->device->session : NULL,
                        "hd_buffer_view");
  HdSession *session = parent->memory->device->session;
  HD_TRY(check_shape(session, rank, extents));
  int64_t dense[8];
  bool fits = strides || dense_strides(rank, extents, dense);
  if (strides)
    HD_TRY(check_strides(session, rank, strides));
  else
    strides = dense;
  uint64_t view_bytes, room, skipped;
  room = parent->memory->size_bytes -
         (uint64_t)(parent->data - parent->memory->data);
  if (offset < 0 || !fits ||
      !shape_bytes(rank, extents, strides, parent->element_bytes,
                   &view_bytes) ||
      __builtin_mul_overflow((uint64_t)offset, parent->element_bytes,
                             &skipped) ||
      skipped > room || view_bytes > room - skipped)
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "the view reaches beyond its buffer");
  HdBuffer *view = calloc(1, sizeof(*view));
  if (!view)
    return session_no_memory(session, NULL);
  view->memory = parent->memory;
  memory_retain(view->memory);
  view->data = parent->data + skipped;
  view->is_read_only = parent->is_read_only;
  buffer_set_shape(view, parent->type, parent->element_bytes, rank, extents,
                   strides);
  *out = view;
  return HD_OK;
}

void hd_buffer_free(HdBuffer *buffer) {
  if (!buffer)
    return;
  memory_release(buffer->memory);
  free(buffer);
}

// --------------------------------------------------------------- questions

HdType hd_buffer_type(const HdBuffer *buffer) {
  if (!buffer)
    return HD_STRUCT;
  return buffer->type;
}

int hd_buffer_rank(const HdBuffer *buffer) {
  if (!buffer)
    return 0;
  return buffer->rank;
}

int64_t hd_buffer_extent(const HdBuffer *buffer, int dimension) {
  if (!buffer)
    return 0;
  bool exists = dimension >= 0 && dimension < buffer->rank;
  return exists ? buffer->extents[dimension] : 0;
}

int64_t hd_buffer_stride(const HdBuffer *buffer, int dimension) {
  if (!buffer)
    return 0;
  bool exists = dimension >= 0 && dimension < buffer->rank;
  return exists ? buffer->strides[dimension] : 0;
}

size_t hd_buffer_element_bytes(const HdBuffer *buffer) {
  if (!buffer)
    return 0;
  return buffer->element_bytes;
}

void *hd_buffer_data(HdBuffer *buffer) {
  if (!buffer)
    return NULL;
  return buffer->data;
}
