// SPDX-License-Identifier: Apache-2.0
// The CUDA driver, opened at run time.
#ifndef HD_RT_CUDA_CUDA_DRIVER_H
#define HD_RT_CUDA_CUDA_DRIVER_H

#include "base/status.h"
#include "rt/cuda/cuda_types.h"
#include "rt/device.h"

typedef struct CudaApi {
#define CUDA_API(name, symbol, since, parameters) int(*name) parameters;
#include "rt/cuda/cuda_api.def"
#undef CUDA_API
  void *library;
  int version; // of CUDA that the driver has: 12080 is 12.8
} CudaApi;

// Opens libcuda.so.1, or $HEDDLE_CUDA_LIBRARY, and initialises it. No driver,
// an old one or no device is an error that says what is needed. The library
// stays loaded for good, as the driver wants it.
__attribute__((warn_unused_result)) HdStatus cuda_api_open(CudaApi *api,
                                                           RtError *error);
void cuda_api_close(CudaApi *api);

// "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"
typedef struct {
  char text[256];
} CudaErrorText;

CudaErrorText cuda_error_text(const CudaApi *api, int code);

#endif
