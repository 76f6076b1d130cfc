// SPDX-License-Identifier: Apache-2.0
// Copies between the host's memory and the device's.
//
// Note [Staging]. The driver copies at the speed of the bus only from memory
// that can't be paged out. Large copies go in pieces through two such buffers:
// while the device takes one, the host fills the other. One core fills them at
// 10 GB/s, a fifth of the bus, so that a very large copy is made in parts by
// several threads, each with buffers and a stream of its own.
#include "rt/cuda/cuda_parts.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { STAGING_BYTES = 4 << 20 };

// The driver itself takes small pieces at once.
static const uint64_t smallest_staged_bytes = (uint64_t)256 << 10;
static const uint64_t smallest_part_bytes = (uint64_t)16 << 20;

void cuda_copiers_init(CudaDevice *device) {
  for (int i = 0; i < CUDA_LANES; i++) {
    pthread_mutex_init(&device->to_device[i].lock, NULL);
    pthread_mutex_init(&device->to_host[i].lock, NULL);
  }
}

static void copier_fini(CudaDevice *device, CudaCopier *copier, bool has_api) {
  const CudaApi *api = &device->api;
  for (int i = 0; i < 2 && has_api; i++) {
    if (copier->is_free[i])
      (void)api->event_destroy(copier->is_free[i]);
    if (copier->staging[i])
      (void)api->host_free(copier->staging[i]);
  }
  if (copier->stream && has_api)
    (void)api->stream_destroy(copier->stream);
  pthread_mutex_destroy(&copier->lock);
}

void cuda_copiers_fini(CudaDevice *device) {
  CudaScope scope;
  bool has_api = cuda_enter_to_free(device, &scope);
  for (int i = 0; i < CUDA_LANES; i++) {
    copier_fini(device, &device->to_device[i], has_api);
    copier_fini(device, &device->to_host[i], has_api);
  }
  cuda_leave(device, scope);
}

// What the copier lacks is made when it is first needed, and kept.
static int prepare_stream(CudaDevice *device, CudaCopier *copier) {
  if (copier->stream)
    return CU_OK;
  return device->api.stream_create(&copier->stream,
                                   CU_STREAM_NON_BLOCKING_FLAG);
}

static int prepare_staging(CudaDevice *device, CudaCopier *copier) {
  int code = CU_OK;
  for (int i = 0; i < 2 && code == CU_OK; i++) {
    if (!copier->staging[i])
      code = device->api.host_alloc(&copier->staging[i], STAGING_BYTES,
                                    CU_HOST_PORTABLE);
    if (code == CU_OK && !copier->is_free[i])
      code = device->api.event_create(&copier->is_free[i], 0);
  }
  return code;
}

// ------------------------------------------------------------------ one part

typedef struct {
  CudaDevice *device;
  CudaCopier *copier;
  bool is_write;
  CuPointer address; // on the device
  char *host;
  uint64_t size_bytes;
  int code;
  pthread_t thread;
  bool has_thread;
} Part;

static int write_staged(const Part *part) {
  const CudaApi *api = &part->device->api;
  CudaCopier *copier = part->copier;
  int code = prepare_staging(part->device, copier);
  for (uint64_t done = 0, n = 0; done < part->size_bytes && code == CU_OK;
       n++) {
    uint64_t piece = part->size_bytes - done;
    if (piece > STAGING_BYTES)
      piece = STAGING_BYTES;
    if (n >= 2)
      code = api->event_synchronize(copier->is_free[n % 2]);
    if (code == CU_OK) {
      memcpy(copier->staging[n % 2], part->host + done, piece);
      code = api->copy_to(part->address + done, copier->staging[n % 2], piece,
                          copier->stream);
    }
    if (code == CU_OK)
      code = api->event_record(copier->is_free[n % 2], copier->stream);
    done += piece;
  }
  return code;
}

static int read_staged(const Part *part) {
  const CudaApi *api = &part->device->api;
  CudaCopier *copier = part->copier;
  int code = prepare_staging(part->device, copier);
  uint64_t n_pieces = (part->size_bytes + STAGING_BYTES - 1) / STAGING_BYTES;
  // Piece n is asked for, and piece n - 1 taken meanwhile.
  for (uint64_t n = 0; n <= n_pieces && code == CU_OK; n++) {
    uint64_t start = n * STAGING_BYTES;
    uint64_t piece = part->size_bytes - start;
    if (n < n_pieces) {
      code = api->copy_from(copier->staging[n % 2], part->address + start,
                            piece < STAGING_BYTES ? piece : STAGING_BYTES,
                            copier->stream);
      if (code == CU_OK)
        code = api->event_record(copier->is_free[n % 2], copier->stream);
    }
    if (n == 0 || code != CU_OK)
      continue;
    start -= STAGING_BYTES;
    piece = part->size_bytes - start;
    code = api->event_synchronize(copier->is_free[(n - 1) % 2]);
    if (code == CU_OK)
      memcpy(part->host + start, copier->staging[(n - 1) % 2],
             piece < STAGING_BYTES ? piece : STAGING_BYTES);
  }
  return code;
}

static int copy_locked(const Part *part) {
  const CudaApi *api = &part->device->api;
  CuStream stream = part->copier->stream;
  if (part->size_bytes >= smallest_staged_bytes)
    return part->is_write ? write_staged(part) : read_staged(part);
  return part->is_write
             ? api->copy_to(part->address, part->host, part->size_bytes, stream)
             : api->copy_from(part->host, part->address, part->size_bytes,
                              stream);
}

static void copy_part(Part *part) {
  pthread_mutex_lock(&part->copier->lock);
  part->code = prepare_stream(part->device, part->copier);
  if (part->code == CU_OK) {
    part->code = copy_locked(part);
    int waited = part->device->api.stream_synchronize(part->copier->stream);
    if (part->code == CU_OK)
      part->code = waited;
  }
  pthread_mutex_unlock(&part->copier->lock);
}

// ----------------------------------------------------------------- all parts

static void *part_main(void *argument) {
  Part *part = argument;
  CudaScope scope;
  if (cuda_enter_to_free(part->device, &scope))
    copy_part(part);
  else
    part->code = CU_CONTEXT_DESTROYED;
  cuda_leave(part->device, scope);
  return NULL;
}

static void start_part(Part *part) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  part->has_thread = pthread_create(&part->thread, NULL, part_main, part) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static uint64_t count_parts(uint64_t size_bytes) {
  uint64_t count = size_bytes / smallest_part_bytes;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores > 0 && count > (uint64_t)cores)
    count = (uint64_t)cores;
  return count < 1 ? 1 : count > CUDA_LANES ? CUDA_LANES : count;
}

static int rt_cuda_copy(CudaDevice *device, CudaCopier *copiers, bool is_write,
                        CuPointer address, char *host, uint64_t size_bytes) {
  Part parts[CUDA_LANES];
  uint64_t n_parts = count_parts(size_bytes);
  uint64_t share = size_bytes / n_parts / STAGING_BYTES * STAGING_BYTES;
  int code = CU_OK;
  if (size_bytes == 0)
    return CU_OK;
  for (uint64_t i = 0; i < n_parts; i++) {
    bool is_last = i + 1 == n_parts;
    parts[i] = (Part){.device = device,
                      .copier = &copiers[i],
                      .is_write = is_write,
                      .address = address + i * share,
                      .host = host + i * share,
                      .size_bytes = is_last ? size_bytes - i * share : share};
    if (!is_last)
      start_part(&parts[i]);
  }
  for (uint64_t i = n_parts; i-- > 0;) {
    if (parts[i].has_thread)
      pthread_join(parts[i].thread, NULL);
    else
      copy_part(&parts[i]);
    if (code == CU_OK)
      code = parts[i].code;
  }
  return code;
}

int cuda_copy_to(CudaDevice *device, CuPointer to, const char *from,
                 uint64_t size_bytes) {
  char *host; // only read
  memcpy(&host, &from, sizeof host);
  return rt_cuda_copy(device, device->to_device, true, to, host, size_bytes);
}

int cuda_copy_from(CudaDevice *device, char *to, CuPointer from,
                   uint64_t size_bytes) {
  return rt_cuda_copy(device, device->to_host, false, from, to, size_bytes);
}

// Waits: launches follow in streams that aren't ordered with this one.
int cuda_copy_zeros(CudaDevice *device, CuPointer to, uint64_t size_bytes) {
  CudaCopier *copier = &device->to_device[0];
  if (size_bytes == 0)
    return CU_OK;
  pthread_mutex_lock(&copier->lock);
  int code = prepare_stream(device, copier);
  if (code == CU_OK)
    code = device->api.memory_set(to, 0, size_bytes, copier->stream);
  if (code == CU_OK)
    code = device->api.stream_synchronize(copier->stream);
  pthread_mutex_unlock(&copier->lock);
  return code;
}
