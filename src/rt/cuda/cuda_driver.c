// SPDX-License-Identifier: Apache-2.0
#include "rt/cuda/cuda_driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_library[] = "libcuda.so.1";

typedef struct {
  const char *symbol;
  int since;
  size_t offset; // of the member of CudaApi
} ApiRow;

static const ApiRow api_rows[] = {
#define CUDA_API(name, symbol, since, parameters)                              \
  {#symbol, since, offsetof(CudaApi, name)},
#include "rt/cuda/cuda_api.def"
#undef CUDA_API
};

enum { N_API_ROWS = sizeof api_rows / sizeof api_rows[0] };

static int needed_version(void) {
  int version = 0;
  for (int i = 0; i < N_API_ROWS; i++) {
    if (api_rows[i].since > version)
      version = api_rows[i].since;
  }
  return version;
}

CudaErrorText cuda_error_text(const CudaApi *api, int code) {
  CudaErrorText out;
  const char *name = NULL, *text = NULL;
  if (api->error_name(code, &name) != CU_OK || !name)
    snprintf(out.text, sizeof out.text, "error %d of the CUDA driver", code);
  else if (api->error_text(code, &text) != CU_OK || !text)
    snprintf(out.text, sizeof out.text, "%s", name);
  else
    snprintf(out.text, sizeof out.text, "%s (%s)", text, name);
  return out;
}

static HdStatus open_library(CudaApi *api, RtError *error) {
  const char *path = getenv("HEDDLE_CUDA_LIBRARY");
  if (!path || !*path)
    path = default_library;
  // NODELETE: the driver has threads and exit handlers of its own.
  api->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (api->library)
    return HD_OK;
  const char *why = dlerror();
  rt_error_set(error,
               "there is no NVIDIA driver: %s. Install the driver (565 or "
               "newer); a CUDA toolkit isn't needed",
               why ? why : path);
  return HD_ERROR_NOT_FOUND;
}

static HdStatus refuse_version(const CudaApi *api, int needed, const char *what,
                               RtError *error) {
  rt_error_set(error,
               "the NVIDIA driver is too old: it has CUDA %d.%d, but at least "
               "CUDA %d.%d is needed%s%s. Install 565 or newer",
               api->version / 1000, api->version % 1000 / 10, needed / 1000,
               needed % 1000 / 10, *what ? " for " : "", what);
  return HD_ERROR_UNSUPPORTED;
}

// What to do about the failures that people meet.
static const char *init_advice(int code) {
  switch (code) {
  case CU_NO_DEVICE:
    return ": is a GPU in this machine, and is it visible "
           "(CUDA_VISIBLE_DEVICES, the container's settings)?";
  case CU_DRIVER_MISMATCH:
    return ": libcuda and the kernel's module are of different versions; "
           "restart the machine";
  case CU_SYSTEM_NOT_READY: return ": is the fabric manager running?";
  case CU_STUB_LIBRARY:
    return ": this is the toolkit's stub library: take its folder out of "
           "LD_LIBRARY_PATH";
  case CU_COMPAT_UNSUPPORTED:
    return ": the compatibility library is not for this device";
  default: return "";
  }
}

static HdStatus read_version(CudaApi *api, RtError *error) {
  int (*driver_version)(int *) = NULL;
  void *address = dlsym(api->library, "cuDriverGetVersion");
  memcpy(&driver_version, &address, sizeof address);
  int code = driver_version ? driver_version(&api->version) : CU_UNKNOWN;
  if (code != CU_OK) {
    rt_error_set(error,
                 "the library that was opened as NVIDIA's driver doesn't "
                 "report its version (error %d)%s",
                 code, init_advice(code));
    return HD_ERROR_DEVICE;
  }
  int needed = needed_version();
  return api->version < needed ? refuse_version(api, needed, "", error) : HD_OK;
}

static HdStatus resolve_all(CudaApi *api, RtError *error) {
  for (int i = 0; i < N_API_ROWS; i++) {
    void *address = dlsym(api->library, api_rows[i].symbol);
    if (!address)
      return refuse_version(api, api_rows[i].since, api_rows[i].symbol, error);
    // ISO C has no conversion from object to function pointers; POSIX does.
    memcpy((char *)api + api_rows[i].offset, &address, sizeof address);
  }
  return HD_OK;
}

static HdStatus cuda_driver_initialise(CudaApi *api, RtError *error) {
  int code = api->init(0);
  if (code == CU_OK)
    return HD_OK;
  if (code == CU_NO_DEVICE)
    rt_error_set(error, "there is no NVIDIA GPU%s", init_advice(code));
  else
    rt_error_set(error, "the NVIDIA driver doesn't start: %s%s",
                 cuda_error_text(api, code).text, init_advice(code));
  return code == CU_NO_DEVICE ? HD_ERROR_NOT_FOUND : HD_ERROR_DEVICE;
}

HdStatus cuda_api_open(CudaApi *api, RtError *error) {
  memset(api, 0, sizeof *api);
  HdStatus status = open_library(api, error);
  if (status != HD_OK)
    return status;
  status = read_version(api, error);
  if (status == HD_OK)
    status = resolve_all(api, error);
  if (status == HD_OK)
    status = cuda_driver_initialise(api, error);
  if (status != HD_OK)
    cuda_api_close(api);
  return status;
}

void cuda_api_close(CudaApi *api) {
  if (api->library)
    dlclose(api->library);
  api->library = NULL;
}
