// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries as buffers, and buffers as tensors.
#include "session/dlpack.h"

#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  HdType type;
  uint8_t code;
} types[] = {
    {HD_BOOL, DL_BOOL}, {HD_I8, DL_INT},      {HD_I16, DL_INT},
    {HD_I32, DL_INT},   {HD_I64, DL_INT},     {HD_U8, DL_UINT},
    {HD_U16, DL_UINT},  {HD_U32, DL_UINT},    {HD_U64, DL_UINT},
    {HD_F16, DL_FLOAT}, {HD_BF16, DL_BFLOAT}, {HD_F32, DL_FLOAT},
    {HD_F64, DL_FLOAT}, {HD_E4M3, DL_E4M3FN}, {HD_E5M2, DL_E5M2},
};

enum { N_TYPES = sizeof types / sizeof types[0] };

static HdType type_of(DlType dtype) {
  for (int i = 0; i < N_TYPES; i++) {
    if (types[i].code == dtype.code &&
        hd_type_size(types[i].type) * 8 == dtype.bits)
      return types[i].type;
  }
  return HD_STRUCT;
}

// ------------------------------------------------------------------ import

static HdStatus check_device(const HdDevice *device, DlDevice of) {
  bool is_host = of.device_type == DL_CPU || of.device_type == DL_CUDA_HOST;
  bool is_gpu = of.device_type == DL_CUDA || of.device_type == DL_CUDA_MANAGED;
  bool is_cpu = device->device->ops->is_host;
  if (is_cpu ? is_host : is_gpu && of.device_id == device->ordinal)
    return HD_OK;
  char place[64] = "the host";
  if (is_gpu)
    snprintf(place, sizeof place, "GPU %d", of.device_id);
  else if (!is_host)
    snprintf(place, sizeof place, "a device of DLPack's type %d",
             of.device_type);
  char wanted[32] = "the host's memory";
  if (!is_cpu)
    snprintf(wanted, sizeof wanted, "GPU %d", device->ordinal);
  return session_fail(
      device->session, HD_ERROR_ARGUMENT,
      "the tensor is on %s, but a buffer of this device needs %s", place,
      wanted);
}

static HdStatus import(HdDevice *device, const DlTensor *tensor,
                       HdBuffer **out) {
  HdSession *session = device->session;
  HD_TRY(check_device(device, tensor->device));
  DlType dtype = tensor->dtype;
  HdType type = type_of(dtype);
  if (type == HD_STRUCT || dtype.lanes == 0)
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "the tensor's elements (DLPack code %d, %d bits, %d "
                        "lanes) are not a type of Heddle",
                        dtype.code, dtype.bits, dtype.lanes);
  static const int64_t one = 1; // a scalar is an array of one
  int rank = tensor->ndim > 0 ? tensor->ndim : 1;
  bool is_scalar = tensor->ndim == 0;
  char *data = tensor->data;
  return buffer_wrap(
      device, "the tensor", data ? data + tensor->byte_offset : NULL,
      dtype.lanes == 1 ? type : HD_STRUCT, hd_type_size(type) * dtype.lanes,
      rank, is_scalar ? &one : tensor->shape,
      is_scalar ? &one : tensor->strides, out);
}

static void release_plain(void *context) {
  struct DLManagedTensor *tensor = context;
  if (tensor->deleter)
    tensor->deleter(tensor);
}

static void release_versioned(void *context) {
  struct DLManagedTensorVersioned *tensor = context;
  if (tensor->deleter)
    tensor->deleter(tensor);
}

HdStatus hd_buffer_from_dlpack(HdDevice *device, struct DLManagedTensor *tensor,
                               HdBuffer **out) {
  if (out)
    *out = NULL;
  if (!device || !tensor || !out)
    return session_null(device ? device->session : NULL,
                        "hd_buffer_from_dlpack");
  HD_TRY(import(device, &tensor->tensor, out));
  (*out)->memory->release = release_plain;
  (*out)->memory->context = tensor;
  return HD_OK;
}

HdStatus hd_buffer_from_dlpack_versioned(
    HdDevice *device, struct DLManagedTensorVersioned *tensor, HdBuffer **out) {
  if (out)
    *out = NULL;
  if (!device || !tensor || !out)
    return session_null(device ? device->session : NULL,
                        "hd_buffer_from_dlpack_versioned");
  if (tensor->major != DL_MAJOR_VERSION)
    return session_fail(
        device->session, HD_ERROR_UNSUPPORTED,
        "the tensor has DLPack version %u.%u; only version 1 is supported",
        tensor->major, tensor->minor);
  HD_TRY(import(device, &tensor->tensor, out));
  (*out)->is_read_only = tensor->flags & DL_FLAG_READ_ONLY;
  (*out)->memory->release = release_versioned;
  (*out)->memory->context = tensor;
  return HD_OK;
}

// ------------------------------------------------------------------ export

// The tensor that another library owns, and what it points to.
typedef struct {
  union {
    struct DLManagedTensor plain;
    struct DLManagedTensorVersioned versioned;
  };

  Memory *memory;
  int64_t shape[8], strides[8];
} Export;

static void export_free(Export *self) {
  memory_release(self->memory);
  free(self);
}

static void delete_plain(struct DLManagedTensor *tensor) {
  export_free(tensor->context);
}

static void delete_versioned(struct DLManagedTensorVersioned *tensor) {
  export_free(tensor->context);
}

static HdStatus export_new(const HdBuffer *buffer, DlTensor *tensor,
                           Export **out) {
  const HdDevice *device = buffer->memory->device;
  int row = 0;
  while (row < N_TYPES && types[row].type != buffer->type)
    row++;
  if (row == N_TYPES)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "an array of structs is not a tensor");
  Export *self = calloc(1, sizeof *self);
  if (!self)
    return session_no_memory(device->session, NULL);
  self->memory = buffer->memory;
  memory_retain(self->memory);
  memcpy(self->shape, buffer->extents, sizeof self->shape);
  memcpy(self->strides, buffer->strides, sizeof self->strides);
  *tensor = (DlTensor){
      .data = buffer->data,
      .device = {device->device->ops->is_host ? DL_CPU : DL_CUDA,
                 device->ordinal},
      .ndim = buffer->rank,
      .dtype = {types[row].code, (uint8_t)(buffer->element_bytes * 8), 1},
      .shape = self->shape,
      .strides = self->strides};
  *out = self;
  return HD_OK;
}

HdStatus hd_buffer_to_dlpack(HdBuffer *buffer, struct DLManagedTensor **out) {
  if (out)
    *out = NULL;
  if (!buffer || !out)
    return session_null(buffer ? buffer->memory->device->session : NULL,
                        "hd_buffer_to_dlpack");
  DlTensor tensor;
  Export *self;
  if (buffer->is_read_only)
    return session_fail(buffer->memory->device->session, HD_ERROR_ARGUMENT,
                        "a read-only tensor can only be handed on with "
                        "hd_buffer_to_dlpack_versioned");
  HD_TRY(export_new(buffer, &tensor, &self));
  self->plain = (struct DLManagedTensor){tensor, self, delete_plain};
  *out = &self->plain;
  return HD_OK;
}

HdStatus hd_buffer_to_dlpack_versioned(HdBuffer *buffer,
                                       struct DLManagedTensorVersioned **out) {
  if (out)
    *out = NULL;
  if (!buffer || !out)
    return session_null(buffer ? buffer->memory->device->session : NULL,
                        "hd_buffer_to_dlpack_versioned");
  DlTensor tensor;
  Export *self;
  HD_TRY(export_new(buffer, &tensor, &self));
  self->versioned = (struct DLManagedTensorVersioned){
      DL_MAJOR_VERSION,
      0,
      self,
      delete_versioned,
      buffer->is_read_only ? DL_FLAG_READ_ONLY : 0,
      tensor};
  *out = &self->versioned;
  return HD_OK;
}
