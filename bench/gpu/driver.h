/* SPDX-License-Identifier: Apache-2.0 */
/* The few calls of NVIDIA's driver that measuring needs, from the libcuda of
 * the machine. Each returns 0 on success. */
#ifndef HD_BENCH_GPU_DRIVER_H
#define HD_BENCH_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct CUstream_st *DriverStream;
typedef struct CUevent_st *DriverEvent;
typedef uintptr_t DriverAddress;

typedef struct {
  int (*stream_context)(DriverStream, void **context);
  int (*context_set)(void *context);
  int (*event_create)(DriverEvent *, unsigned flags);
  int (*event_record)(DriverEvent, DriverStream);
  int (*event_wait)(DriverEvent);
  int (*event_elapsed)(float *ms, DriverEvent start, DriverEvent end);
  int (*stream_wait)(DriverStream);
  int (*copy)(DriverAddress to, DriverAddress from, size_t, DriverStream);
  int (*fill)(DriverAddress, unsigned char, size_t, DriverStream);
  int (*version)(int *);
  int (*device_name)(char *, int size, int device);
} Driver;

/* Zero on success; else *why says what is missing. */
int driver_open(Driver *driver, const char **why);

#endif
