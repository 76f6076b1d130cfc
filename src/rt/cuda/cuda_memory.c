// SPDX-License-Identifier: Apache-2.0
// The device's memory.
#include "base/panic.h"
#include "rt/cuda/cuda_parts.h"

#include <string.h>

static CudaDevice *cuda_memory_of(RtDevice *device) {
  return (CudaDevice *)device;
}

static HdStatus refuse_size(CudaDevice *device, uint64_t size_bytes,
                            RtError *error) {
  size_t free_bytes = 0, total_bytes = 0;
  (void)device->api.memory_info(&free_bytes, &total_bytes);
  rt_error_set(error,
               "device cuda:%d is out of memory: %llu bytes were requested, "
               "but %zu of %zu are free",
               device->ordinal, (unsigned long long)size_bytes, free_bytes,
               total_bytes);
  return HD_ERROR_MEMORY;
}

static HdStatus cuda_memory_make(CudaDevice *device, uint64_t size_bytes,
                                 CuPointer *out, RtError *error) {
  // Sizes that fit no device needn't be asked of the driver.
  int code = size_bytes >> 48
                 ? CU_OUT_OF_MEMORY
                 : device->api.memory_alloc(out, size_bytes ? size_bytes : 1);
  if (code == CU_OUT_OF_MEMORY)
    return refuse_size(device, size_bytes, error);
  if (code != CU_OK)
    return cuda_fail(device, code, error, "%llu bytes of memory",
                     (unsigned long long)size_bytes);
  code = cuda_copy_zeros(device, *out, size_bytes);
  if (code == CU_OK)
    return HD_OK;
  (void)device->api.memory_free(*out);
  *out = 0;
  return cuda_fail(device, code, error, "zeroing %llu bytes",
                   (unsigned long long)size_bytes);
}

HdStatus cuda_memory_new(RtDevice *base, uint64_t size_bytes, void **out,
                         RtError *error) {
  CudaDevice *device = cuda_memory_of(base);
  CuPointer memory = 0;
  CudaScope scope;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    status = cuda_memory_make(device, size_bytes, &memory, error);
  cuda_leave(device, scope);
  *out = (void *)(uintptr_t)memory;
  return status;
}

void cuda_memory_free(RtDevice *base, void *memory) {
  CudaDevice *device = cuda_memory_of(base);
  CudaScope scope;
  if (!memory)
    return;
  if (cuda_enter_to_free(device, &scope))
    (void)device->api.memory_free((CuPointer)(uintptr_t)memory);
  cuda_leave(device, scope);
}

HdStatus cuda_memory_write(RtDevice *base, void *to, const void *from,
                           uint64_t size_bytes, RtError *error) {
  HD_ASSERT((to && from) || size_bytes == 0);
  CudaDevice *device = cuda_memory_of(base);
  CudaScope scope;
  int code = CU_OK;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    code = cuda_copy_to(device, (CuPointer)(uintptr_t)to, from, size_bytes);
  if (code != CU_OK)
    status = cuda_fail(device, code, error, "copying %llu bytes to cuda:%d",
                       (unsigned long long)size_bytes, device->ordinal);
  cuda_leave(device, scope);
  return status;
}

HdStatus cuda_memory_read(RtDevice *base, void *to, const void *from,
                          uint64_t size_bytes, RtError *error) {
  HD_ASSERT((to && from) || size_bytes == 0);
  CudaDevice *device = cuda_memory_of(base);
  CudaScope scope;
  int code = CU_OK;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    code = cuda_copy_from(device, to, (CuPointer)(uintptr_t)from, size_bytes);
  if (code != CU_OK)
    status = cuda_fail(device, code, error, "copying %llu bytes from cuda:%d",
                       (unsigned long long)size_bytes, device->ordinal);
  cuda_leave(device, scope);
  return status;
}

// What the driver knows of an address. Pools and mappings have no context: they
// belong to the device.
typedef struct {
  int code, type, ordinal;
  CuContext context;
} Origin;

static Origin cuda_memory_origin_of(const CudaApi *api, CuPointer address) {
  Origin o = {.ordinal = -1};
  o.code = api->pointer_attribute(&o.type, CU_POINTER_MEMORY_TYPE, address);
  if (o.code == CU_OK)
    o.code = api->pointer_attribute(&o.ordinal, CU_POINTER_ORDINAL, address);
  if (o.code == CU_OK &&
      api->pointer_attribute(&o.context, CU_POINTER_CONTEXT, address) != CU_OK)
    o.context = NULL;
  return o;
}

static HdStatus check_origin(const CudaDevice *device, const void *memory,
                             const Origin *o, RtError *error) {
  if (o->code != CU_OK || o->type == 0)
    rt_error_set(error,
                 "%p isn't memory that device cuda:%d can reach: it wasn't "
                 "allocated with CUDA",
                 memory, device->ordinal);
  else if (o->type == CU_MEMORY_DEVICE && o->ordinal != device->ordinal)
    rt_error_set(error, "%p is memory of device cuda:%d, not of cuda:%d",
                 memory, o->ordinal, device->ordinal);
  else if (o->context && o->context != device->context)
    rt_error_set(error,
                 "%p was allocated in another CUDA context than that of device "
                 "cuda:%d: let the library that it comes from use the GPU "
                 "before the device is opened, so that both share one",
                 memory, device->ordinal);
  else
    return HD_OK;
  return HD_ERROR_ARGUMENT;
}

HdStatus cuda_memory_check(RtDevice *base, const void *memory,
                           uint64_t size_bytes, RtError *error) {
  CudaDevice *device = cuda_memory_of(base);
  CudaScope scope;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK && size_bytes > 0) {
    Origin origin =
        cuda_memory_origin_of(&device->api, (CuPointer)(uintptr_t)memory);
    status = check_origin(device, memory, &origin, error);
  }
  cuda_leave(device, scope);
  return status;
}

// ------------------------------------------------------- shared with kernels

int cuda_faults_alloc(CudaDevice *device, uint32_t count, CudaFaults *out) {
  void *memory = NULL;
  size_t size_bytes = count * sizeof(HdCudaFault);
  int code = device->api.host_alloc(&memory, size_bytes,
                                    CU_HOST_PORTABLE | CU_HOST_MAP);
  if (code != CU_OK)
    return code;
  code = device->api.host_address(&out->address, memory, 0);
  if (code != CU_OK) {
    (void)device->api.host_free(memory);
    return code;
  }
  memset(memory, 0, size_bytes);
  out->data = memory;
  return CU_OK;
}

void cuda_faults_free(CudaDevice *device, CudaFaults *faults) {
  if (faults->data)
    (void)device->api.host_free(faults->data);
  faults->data = NULL;
}
