// SPDX-License-Identifier: Apache-2.0
// The layouts of DLPack (github.com/dmlc/dlpack), versions 0 and 1.
#ifndef HD_SESSION_DLPACK_H
#define HD_SESSION_DLPACK_H

#include <stdint.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };

enum {
  DL_INT = 0,
  DL_UINT = 1,
  DL_FLOAT = 2,
  DL_BFLOAT = 4,
  DL_BOOL = 6,
  DL_E4M3FN = 10,
  DL_E5M2 = 12,
};

enum { DL_MAJOR_VERSION = 1, DL_FLAG_READ_ONLY = 1 };

typedef struct {
  int32_t device_type, device_id;
} DlDevice;

typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} DlType;

typedef struct {
  void *data;
  DlDevice device;
  int32_t ndim;
  DlType dtype;
  int64_t *shape;
  int64_t *strides; // elements; NULL: dense
  uint64_t byte_offset;
} DlTensor;

struct DLManagedTensor {
  DlTensor tensor;
  void *context;
  void (*deleter)(struct DLManagedTensor *self); // may be NULL
};

struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct DLManagedTensorVersioned *self); // may be NULL
  uint64_t flags;
  DlTensor tensor;
};

#endif
