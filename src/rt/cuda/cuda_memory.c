// SPDX-License-Identifier: Apache-2.0
// The device's memory, and copies between it and the host.
//
// Note [Staging]. The driver copies at the speed of the bus only from memory
// that can't be paged out. Large copies go in pieces through two such buffers:
// while the device reads one, the host fills the other.
#include "rt/cuda/cuda_parts.h"

#include <stdlib.h>
#include <string.h>

enum { STAGING_BYTES = 4 << 20 };

// The driver itself takes small pieces at once.
static const uint64_t smallest_staged_bytes = (uint64_t)256 << 10;

static CudaDevice *cuda_of(RtDevice *device) {
  return (CudaDevice *)device;
}

static HdStatus refuse_size(CudaDevice *device, uint64_t size_bytes,
                            RtError *error) {
  size_t free_bytes = 0, total_bytes = 0;
  (void)device->api.memory_info(&free_bytes, &total_bytes);
  rt_error_set(error,
               "device cuda:%d is out of memory: %llu bytes were asked for, "
               "%zu of %zu are free",
               device->ordinal, (unsigned long long)size_bytes, free_bytes,
               total_bytes);
  return HD_ERROR_MEMORY;
}

// Zeroes in the stream of copies to the device and waits: launches follow in
// streams that aren't ordered with it.
static HdStatus zero_memory(CudaDevice *device, CuPointer memory,
                            uint64_t size_bytes, RtError *error);

HdStatus cuda_memory_new(RtDevice *base, uint64_t size_bytes, void **out,
                         RtError *error) {
  CudaDevice *device = cuda_of(base);
  *out = NULL;
  HD_TRY(cuda_check_alive(device, error));
  CuPointer memory = 0;
  bool has_entered = cuda_enter(device);
  // Sizes that fit no device needn't be asked of the driver.
  int code =
      size_bytes >> 48
          ? CU_OUT_OF_MEMORY
          : device->api.memory_alloc(&memory, size_bytes ? size_bytes : 1);
  HdStatus status = HD_OK;
  if (code == CU_OUT_OF_MEMORY)
    status = refuse_size(device, size_bytes, error);
  else if (code != CU_OK)
    status = cuda_fail(device, code, error, "%llu bytes of memory",
                       (unsigned long long)size_bytes);
  else
    status = zero_memory(device, memory, size_bytes, error);
  if (status == HD_OK)
    *out = (void *)(uintptr_t)memory;
  else if (code == CU_OK)
    (void)device->api.memory_free(memory);
  cuda_leave(device, has_entered);
  return status;
}

void cuda_memory_free(RtDevice *base, void *memory) {
  CudaDevice *device = cuda_of(base);
  if (!memory || atomic_load(&device->is_lost))
    return;
  bool has_entered = cuda_enter(device);
  (void)device->api.memory_free((CuPointer)(uintptr_t)memory);
  cuda_leave(device, has_entered);
}

HdStatus cuda_memory_check(RtDevice *base, const void *memory,
                           uint64_t size_bytes, RtError *error) {
  CudaDevice *device = cuda_of(base);
  HD_TRY(cuda_check_alive(device, error));
  if (size_bytes == 0)
    return HD_OK;
  CuContext context = NULL;
  int ordinal = -1, type = 0;
  CuPointer address = (CuPointer)(uintptr_t)memory;
  bool has_entered = cuda_enter(device);
  const CudaApi *api = &device->api;
  int code = api->pointer_attribute(&type, CU_POINTER_MEMORY_TYPE, address);
  if (code == CU_OK)
    code = api->pointer_attribute(&ordinal, CU_POINTER_ORDINAL, address);
  // Pools and mappings have no context: they belong to the device.
  if (code == CU_OK &&
      api->pointer_attribute(&context, CU_POINTER_CONTEXT, address) != CU_OK)
    context = NULL;
  cuda_leave(device, has_entered);
  if (code != CU_OK || type == 0) {
    rt_error_set(error,
                 "%p isn't memory that device cuda:%d can reach: it wasn't "
                 "allocated with CUDA",
                 memory, device->ordinal);
    return HD_ERROR_ARGUMENT;
  }
  if (type == CU_MEMORY_DEVICE && ordinal != device->ordinal) {
    rt_error_set(error, "%p is memory of device cuda:%d, not of cuda:%d",
                 memory, ordinal, device->ordinal);
    return HD_ERROR_ARGUMENT;
  }
  if (context && context != device->context) {
    rt_error_set(error,
                 "%p was allocated in another CUDA context than that of device "
                 "cuda:%d: let the library that it comes from use the GPU "
                 "before the device is opened, so that both share one",
                 memory, device->ordinal);
    return HD_ERROR_ARGUMENT;
  }
  return HD_OK;
}

// ----------------------------------------------------------------- copies

void cuda_copier_init(CudaCopier *copier) {
  pthread_mutex_init(&copier->lock, NULL);
}

void cuda_copier_fini(CudaDevice *device, CudaCopier *copier) {
  const CudaApi *api = &device->api;
  for (int i = 0; i < 2 && !atomic_load(&device->is_lost); i++) {
    if (copier->is_free[i])
      (void)api->event_destroy(copier->is_free[i]);
    if (copier->staging[i])
      (void)api->host_free(copier->staging[i]);
  }
  if (copier->stream && !atomic_load(&device->is_lost))
    (void)api->stream_destroy(copier->stream);
  pthread_mutex_destroy(&copier->lock);
}

// What the copier lacks is made when it is first needed, and kept.
static int prepare_stream(CudaDevice *device, CudaCopier *copier) {
  if (copier->stream)
    return CU_OK;
  return device->api.stream_create(&copier->stream,
                                   CU_STREAM_NON_BLOCKING_FLAG);
}

static int prepare_staging(CudaDevice *device, CudaCopier *copier) {
  int code = prepare_stream(device, copier);
  for (int i = 0; i < 2 && code == CU_OK; i++) {
    if (!copier->staging[i])
      code = device->api.host_alloc(&copier->staging[i], STAGING_BYTES,
                                    CU_HOST_PORTABLE);
    if (code == CU_OK && !copier->is_free[i])
      code = device->api.event_create(&copier->is_free[i], 0);
  }
  return code;
}

static int zero_and_wait(CudaDevice *device, CuPointer memory,
                         uint64_t size_bytes) {
  CudaCopier *copier = &device->to_device;
  int code = prepare_stream(device, copier);
  if (code == CU_OK)
    code = device->api.memory_set(memory, 0, size_bytes, copier->stream);
  if (code == CU_OK)
    code = device->api.stream_synchronize(copier->stream);
  return code;
}

static HdStatus zero_memory(CudaDevice *device, CuPointer memory,
                            uint64_t size_bytes, RtError *error) {
  if (size_bytes == 0)
    return HD_OK;
  pthread_mutex_lock(&device->to_device.lock);
  int code = zero_and_wait(device, memory, size_bytes);
  pthread_mutex_unlock(&device->to_device.lock);
  return code == CU_OK ? HD_OK
                       : cuda_fail(device, code, error, "zeroing %llu bytes",
                                   (unsigned long long)size_bytes);
}

static int write_staged(CudaDevice *device, CuPointer to, const char *from,
                        uint64_t size_bytes) {
  const CudaApi *api = &device->api;
  CudaCopier *copier = &device->to_device;
  int code = prepare_staging(device, copier);
  for (uint64_t done = 0, n = 0; done < size_bytes && code == CU_OK; n++) {
    uint64_t piece = size_bytes - done;
    if (piece > STAGING_BYTES)
      piece = STAGING_BYTES;
    if (n >= 2)
      code = api->event_synchronize(copier->is_free[n % 2]);
    if (code == CU_OK) {
      memcpy(copier->staging[n % 2], from + done, piece);
      code = api->copy_to(to + done, copier->staging[n % 2], piece,
                          copier->stream);
    }
    if (code == CU_OK)
      code = api->event_record(copier->is_free[n % 2], copier->stream);
    done += piece;
  }
  return code;
}

static int read_staged(CudaDevice *device, char *to, CuPointer from,
                       uint64_t size_bytes) {
  const CudaApi *api = &device->api;
  CudaCopier *copier = &device->to_host;
  int code = prepare_staging(device, copier);
  uint64_t n_pieces = (size_bytes + STAGING_BYTES - 1) / STAGING_BYTES;
  // Piece n is asked for, and piece n - 1 taken meanwhile.
  for (uint64_t n = 0; n <= n_pieces && code == CU_OK; n++) {
    uint64_t start = n * STAGING_BYTES;
    uint64_t piece = size_bytes - start;
    if (n < n_pieces) {
      code = api->copy_from(copier->staging[n % 2], from + start,
                            piece < STAGING_BYTES ? piece : STAGING_BYTES,
                            copier->stream);
      if (code == CU_OK)
        code = api->event_record(copier->is_free[n % 2], copier->stream);
    }
    if (n == 0 || code != CU_OK)
      continue;
    start -= STAGING_BYTES;
    piece = size_bytes - start;
    code = api->event_synchronize(copier->is_free[(n - 1) % 2]);
    if (code == CU_OK)
      memcpy(to + start, copier->staging[(n - 1) % 2],
             piece < STAGING_BYTES ? piece : STAGING_BYTES);
  }
  return code;
}

static int write_locked(CudaDevice *device, CuPointer to, const void *from,
                        uint64_t size_bytes) {
  CudaCopier *copier = &device->to_device;
  int code = prepare_stream(device, copier);
  if (code != CU_OK)
    return code;
  if (size_bytes >= smallest_staged_bytes)
    code = write_staged(device, to, from, size_bytes);
  else
    code = device->api.copy_to(to, from, size_bytes, copier->stream);
  int waited = device->api.stream_synchronize(copier->stream);
  return code != CU_OK ? code : waited;
}

static int read_locked(CudaDevice *device, void *to, CuPointer from,
                       uint64_t size_bytes) {
  CudaCopier *copier = &device->to_host;
  int code = prepare_stream(device, copier);
  if (code != CU_OK)
    return code;
  if (size_bytes >= smallest_staged_bytes)
    code = read_staged(device, to, from, size_bytes);
  else
    code = device->api.copy_from(to, from, size_bytes, copier->stream);
  int waited = device->api.stream_synchronize(copier->stream);
  return code != CU_OK ? code : waited;
}

HdStatus cuda_memory_write(RtDevice *base, void *to, const void *from,
                           uint64_t size_bytes, RtError *error) {
  CudaDevice *device = cuda_of(base);
  HD_TRY(cuda_check_alive(device, error));
  if (size_bytes == 0)
    return HD_OK;
  bool has_entered = cuda_enter(device);
  pthread_mutex_lock(&device->to_device.lock);
  int code = write_locked(device, (CuPointer)(uintptr_t)to, from, size_bytes);
  pthread_mutex_unlock(&device->to_device.lock);
  HdStatus status = HD_OK;
  if (code != CU_OK)
    status = cuda_fail(device, code, error, "copying %llu bytes to cuda:%d",
                       (unsigned long long)size_bytes, device->ordinal);
  cuda_leave(device, has_entered);
  return status;
}

HdStatus cuda_memory_read(RtDevice *base, void *to, const void *from,
                          uint64_t size_bytes, RtError *error) {
  CudaDevice *device = cuda_of(base);
  HD_TRY(cuda_check_alive(device, error));
  if (size_bytes == 0)
    return HD_OK;
  bool has_entered = cuda_enter(device);
  pthread_mutex_lock(&device->to_host.lock);
  int code = read_locked(device, to, (CuPointer)(uintptr_t)from, size_bytes);
  pthread_mutex_unlock(&device->to_host.lock);
  HdStatus status = HD_OK;
  if (code != CU_OK)
    status = cuda_fail(device, code, error, "copying %llu bytes from cuda:%d",
                       (unsigned long long)size_bytes, device->ordinal);
  cuda_leave(device, has_entered);
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
  if (faults->data && !atomic_load(&device->is_lost))
    (void)device->api.host_free(faults->data);
  faults->data = NULL;
}
