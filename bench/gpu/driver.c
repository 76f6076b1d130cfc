/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <dlfcn.h>
#include <stdlib.h>

int driver_open(Driver *driver, const char **why) {
  const struct {
    const char *name;
    void *place;
  } calls[] = {
      {"cuStreamGetCtx", &driver->stream_context},
      {"cuCtxSetCurrent", &driver->context_set},
      {"cuEventCreate", &driver->event_create},
      {"cuEventRecord", &driver->event_record},
      {"cuEventSynchronize", &driver->event_wait},
      {"cuEventElapsedTime", &driver->event_elapsed},
      {"cuStreamSynchronize", &driver->stream_wait},
      {"cuModuleLoadData", &driver->module_load},
      {"cuModuleGetFunction", &driver->module_function},
      {"cuLaunchKernelEx", &driver->launch},
      {"cuMemcpyDtoDAsync_v2", &driver->copy},
      {"cuMemsetD8Async", &driver->fill},
      {"cuDriverGetVersion", &driver->version},
      {"cuDeviceGetName", &driver->device_name},
  };

  const char *name = getenv("HEDDLE_CUDA_LIBRARY"); /* as the runtime does */
  void *library = dlopen(name ? name : "libcuda.so.1", RTLD_NOW);
  if (!library) {
    *why = "the driver's library can't be opened";
    return 1;
  }
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    void *symbol = dlsym(library, calls[i].name);
    if (!symbol) {
      *why = calls[i].name;
      return 1;
    }
    *(void **)calls[i].place = symbol;
  }
  return 0;
}
