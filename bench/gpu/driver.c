/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <dlfcn.h>

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
      {"cuMemcpyDtoDAsync_v2", &driver->copy},
      {"cuMemsetD8Async", &driver->fill},
      {"cuMemcpyDtoH_v2", &driver->read},
      {"cuDriverGetVersion", &driver->version},
      {"cuDeviceGetName", &driver->device_name},
  };

  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    *why = "libcuda.so.1 can't be opened";
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
