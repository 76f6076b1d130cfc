// SPDX-License-Identifier: Apache-2.0
// Devices and their contexts.
//
// Note [Whose context]. A device gets a context of its own, so that what
// sessions have on a GPU is freed with them. But where the process's primary
// context is in use already (by the CUDA runtime and what is built on it), that
// one is taken: only then can memory of those libraries be wrapped.
//
// A thread that has no context yet keeps the device's from the first call on,
// which saves two calls of the driver in each launch; one that has another gets
// it back after each call.
#include "rt/cuda/cuda_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OLDEST_SM = 80 };

static CudaDevice *cuda_device_of(RtDevice *device) {
  return (CudaDevice *)device;
}

int64_t cuda_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// --------------------------------------------------------------- contexts

bool cuda_enter_to_free(CudaDevice *device, CudaScope *scope) {
  const CudaApi *api = &device->api;
  CuContext current = NULL;
  *scope = CUDA_OUTSIDE;
  if (atomic_load(&device->is_lost))
    return false;
  (void)api->context_current(&current);
  if (!current)
    (void)api->context_set(device->context);
  else if (current != device->context &&
           api->context_push(device->context) == CU_OK)
    *scope = CUDA_PUSHED;
  return true;
}

HdStatus cuda_enter(CudaDevice *device, CudaScope *scope, RtError *error) {
  if (cuda_enter_to_free(device, scope))
    return HD_OK;
  pthread_mutex_lock(&device->lock);
  *error = device->loss;
  pthread_mutex_unlock(&device->lock);
  return HD_ERROR_DEVICE;
}

void cuda_leave(CudaDevice *device, CudaScope scope) {
  CuContext context;
  if (scope == CUDA_PUSHED)
    (void)device->api.context_pop(&context);
}

static HdStatus fail_locked(CudaDevice *device, int code, RtError *error,
                            const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

static HdStatus fail_locked(CudaDevice *device, int code, RtError *error,
                            const char *format, va_list args) {
  if (cuda_is_fatal(code))
    cuda_lose_locked(device, code);
  if (atomic_load(&device->is_lost)) {
    *error = device->loss;
    return HD_ERROR_DEVICE;
  }
  char what[512];
  vsnprintf(what, sizeof what, format, args);
  rt_error_set(error, "%s: %s", what, cuda_error_text(&device->api, code).text);
  return code == CU_OUT_OF_MEMORY ? HD_ERROR_MEMORY : HD_ERROR_DEVICE;
}

HdStatus cuda_fail_locked(CudaDevice *device, int code, RtError *error,
                          const char *format, ...) {
  va_list args;
  va_start(args, format);
  HdStatus status = fail_locked(device, code, error, format, args);
  va_end(args);
  return status;
}

HdStatus cuda_fail(CudaDevice *device, int code, RtError *error,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  pthread_mutex_lock(&device->lock);
  HdStatus status = fail_locked(device, code, error, format, args);
  pthread_mutex_unlock(&device->lock);
  va_end(args);
  return status;
}

// ------------------------------------------------------------ what there is

static HdStatus count_devices(const CudaApi *api, int *out, RtError *error) {
  int code = api->device_count(out);
  if (code != CU_OK) {
    rt_error_set(error, "the NVIDIA driver doesn't count its devices: %s",
                 cuda_error_text(api, code).text);
    return HD_ERROR_DEVICE;
  }
  if (*out > 0)
    return HD_OK;
  rt_error_set(error, "there is no NVIDIA GPU: is it visible "
                      "(CUDA_VISIBLE_DEVICES)?");
  return HD_ERROR_NOT_FOUND;
}

static HdStatus device_count(int *out, RtError *error) {
  CudaApi api;
  *out = 0;
  HD_TRY(cuda_api_open(&api, error));
  HdStatus status = count_devices(&api, out, error);
  cuda_api_close(&api);
  return status;
}

static int attribute_of(const CudaApi *api, CuDeviceId id, int attribute) {
  int value = 0;
  return api->device_attribute(&value, attribute, id) == CU_OK ? value : 0;
}

static int sm_of(const CudaApi *api, CuDeviceId id) {
  return attribute_of(api, id, CU_DEVICE_MAJOR) * 10 +
         attribute_of(api, id, CU_DEVICE_MINOR);
}

static HdStatus find_device(const CudaApi *api, int ordinal, CuDeviceId *out,
                            RtError *error) {
  int count;
  HD_TRY(count_devices(api, &count, error));
  if (ordinal < 0)
    ordinal = 0;
  if (ordinal < count && api->device_get(out, ordinal) == CU_OK)
    return HD_OK;
  if (count == 1)
    rt_error_set(error, "there is no device cuda:%d; there is: cuda:0",
                 ordinal);
  else
    rt_error_set(error,
                 "there is no device cuda:%d; there are: cuda:0 to "
                 "cuda:%d",
                 ordinal, count - 1);
  return HD_ERROR_NOT_FOUND;
}

static void cuda_device_describe(int ordinal, char *text, size_t size_bytes) {
  CudaApi api;
  RtError error;
  CuDeviceId id;
  if (cuda_api_open(&api, &error) != HD_OK) {
    snprintf(text, size_bytes, "%s", error.text);
    return;
  }
  if (find_device(&api, ordinal, &id, &error) != HD_OK) {
    snprintf(text, size_bytes, "%s", error.text);
  } else {
    char name[128] = "NVIDIA GPU";
    size_t memory_bytes = 0;
    (void)api.device_name(name, sizeof name, id);
    (void)api.device_memory(&memory_bytes, id);
    int sm = sm_of(&api, id);
    snprintf(text, size_bytes,
             "%s, sm_%d%s, %d multiprocessors, %.1f GiB, driver with CUDA "
             "%d.%d",
             name, sm, sm < OLDEST_SM ? " (too old: sm_80 is needed)" : "",
             attribute_of(&api, id, CU_DEVICE_MULTIPROCESSORS),
             (double)memory_bytes / (1 << 30), api.version / 1000,
             api.version % 1000 / 10);
  }
  cuda_api_close(&api);
}

// ---------------------------------------------------------- open and close

static void read_limits(CudaDevice *device) {
  const CudaApi *api = &device->api;
  CudaLimits *limits = &device->limits;
  CuDeviceId id = device->id;
  limits->n_multiprocessors = attribute_of(api, id, CU_DEVICE_MULTIPROCESSORS);
  limits->max_threads = attribute_of(api, id, CU_DEVICE_MAX_THREADS);
  limits->max_multiprocessor_threads =
      attribute_of(api, id, CU_DEVICE_MAX_THREADS_MULTIPROCESSOR);
  for (int i = 0; i < 3; i++) {
    limits->max_block[i] = attribute_of(api, id, CU_DEVICE_MAX_BLOCK_X + i);
    limits->max_grid[i] = attribute_of(api, id, CU_DEVICE_MAX_GRID_X + i);
  }
  limits->has_clusters = attribute_of(api, id, CU_DEVICE_CLUSTER) != 0;
  limits->has_cooperative = attribute_of(api, id, CU_DEVICE_COOPERATIVE) != 0;
  device->base.sm = sm_of(api, id);
  device->base.shared_limit_bytes =
      (uint64_t)attribute_of(api, id, CU_DEVICE_MAX_SHARED_OPTIN);
  if (api->device_name(device->name, sizeof device->name, id) != CU_OK)
    snprintf(device->name, sizeof device->name, "NVIDIA GPU");
}

static HdStatus refuse_context(CudaDevice *device, int code, RtError *error) {
  const CudaApi *api = &device->api;
  int mode = attribute_of(api, device->id, CU_DEVICE_COMPUTE_MODE);
  const char *text = cuda_error_text(api, code).text;
  if (mode == CU_COMPUTE_MODE_PROHIBITED)
    rt_error_set(error,
                 "device cuda:%d (%s) is set to compute mode 'prohibited', so "
                 "nothing may run on it: %s",
                 device->ordinal, device->name, text);
  else if (code == CU_DEVICE_UNAVAILABLE)
    rt_error_set(error,
                 "device cuda:%d (%s) is busy: another process uses it "
                 "exclusively%s: %s",
                 device->ordinal, device->name,
                 mode == CU_COMPUTE_MODE_EXCLUSIVE
                     ? " (compute mode 'exclusive process')"
                     : "",
                 text);
  else if (cuda_is_fatal(code))
    rt_error_set(error,
                 "device cuda:%d (%s) can't be opened, since a kernel of this "
                 "process failed on it (%s): start the process again",
                 device->ordinal, device->name, text);
  else if (code == CU_OUT_OF_MEMORY)
    rt_error_set(error,
                 "device cuda:%d (%s) has no memory left to be opened: %s",
                 device->ordinal, device->name, text);
  else
    rt_error_set(error, "device cuda:%d (%s) can't be opened: %s",
                 device->ordinal, device->name, text);
  return code == CU_OUT_OF_MEMORY ? HD_ERROR_MEMORY : HD_ERROR_DEVICE;
}

// See Note [Whose context].
static HdStatus make_context(CudaDevice *device, RtError *error) {
  const CudaApi *api = &device->api;
  unsigned flags;
  int is_active = 0, code;
  CuContext ignored;
  if (api->primary_state(device->id, &flags, &is_active) == CU_OK && is_active)
    device->is_primary = true;
  if (device->is_primary) {
    code = api->primary_retain(&device->context, device->id);
  } else {
    code = api->context_create(&device->context, 0, device->id);
    if (code == CU_OK)
      (void)api->context_pop(&ignored); // creation makes it current
  }
  return code == CU_OK ? HD_OK : refuse_context(device, code, error);
}

static HdStatus check_generation(const CudaDevice *device, RtError *error) {
  if (device->base.sm >= OLDEST_SM)
    return HD_OK;
  rt_error_set(error,
               "device cuda:%d (%s) has compute capability %d.%d; at least "
               "%d.%d is needed",
               device->ordinal, device->name, device->base.sm / 10,
               device->base.sm % 10, OLDEST_SM / 10, OLDEST_SM % 10);
  return HD_ERROR_UNSUPPORTED;
}

static HdStatus open_driver(CudaDevice *device, int ordinal, RtError *error) {
  HdStatus status = cuda_api_open(&device->api, error);
  if (status != HD_OK)
    return status;
  device->ordinal = ordinal < 0 ? 0 : ordinal;
  status = find_device(&device->api, ordinal, &device->id, error);
  if (status == HD_OK) {
    read_limits(device);
    status = check_generation(device, error);
  }
  if (status == HD_OK)
    status = make_context(device, error);
  if (status != HD_OK)
    cuda_api_close(&device->api);
  return status;
}

static HdStatus cuda_device_open(int ordinal, RtDevice **out, RtError *error) {
  *out = NULL;
  CudaDevice *device = calloc(1, sizeof *device);
  if (!device) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  device->base.ops = &rt_cuda_ops;
  HdStatus status = open_driver(device, ordinal, error);
  if (status != HD_OK) {
    free(device);
    return status;
  }
  // Held for a microsecond: who wants it looks for a while before it sleeps.
  pthread_mutexattr_t adaptive;
  pthread_mutexattr_init(&adaptive);
  pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(&device->lock, &adaptive);
  pthread_mutexattr_destroy(&adaptive);
  pthread_cond_init(&device->changed, NULL);
  pthread_cond_init(&device->wake, NULL);
  cuda_copiers_init(device);
  *out = &device->base;
  return HD_OK;
}

static void cuda_device_close(RtDevice *base) {
  CudaDevice *device = cuda_device_of(base);
  if (!device)
    return;
  cuda_completer_stop(device);
  while (device->idle_streams) {
    RtStream *stream = device->idle_streams;
    device->idle_streams = stream->next_idle;
    cuda_stream_free(stream);
  }
  cuda_codes_free(device);
  cuda_copiers_fini(device);
  // Destroying the context would wait for the kernel that doesn't end.
  if (device->is_primary)
    (void)device->api.primary_release(device->id);
  else if (!device->is_abandoned)
    (void)device->api.context_destroy(device->context);
  cuda_api_close(&device->api);
  pthread_cond_destroy(&device->wake);
  pthread_cond_destroy(&device->changed);
  pthread_mutex_destroy(&device->lock);
  free(device);
}

const RtDeviceOps rt_cuda_ops = {
    .kind = "cuda",
    .count = device_count,
    .open = cuda_device_open,
    .close = cuda_device_close,
    .describe = cuda_device_describe,
    .memory_new = cuda_memory_new,
    .memory_free = cuda_memory_free,
    .memory_write = cuda_memory_write,
    .memory_read = cuda_memory_read,
    .launch = cuda_launch,
    .stream_new = cuda_stream_new,
    .stream_free = cuda_stream_free,
    .stream_wait = cuda_stream_wait,
    .event_new = cuda_event_new,
    .event_free = cuda_event_free,
    .event_record = cuda_event_record,
    .event_wait = cuda_event_wait,
    .stream_wait_event = cuda_stream_wait_event,
    .event_elapsed_ms = cuda_event_elapsed_ms,
    .code_load = cuda_code_load,
    .code_free = cuda_code_free,
    .code_info = cuda_code_info,
    .memory_check = cuda_memory_check,
    .stream_wrap = cuda_stream_wrap,
    .stream_handle = cuda_stream_handle,
    .graph_begin = cuda_graph_begin,
    .graph_end = cuda_graph_end,
    .graph_launch = cuda_graph_launch,
    .graph_free = cuda_graph_free,
};
