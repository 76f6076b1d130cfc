/* SPDX-License-Identifier: Apache-2.0 */
/* The few calls of NVIDIA's driver that measuring needs, from the libcuda of
 * the machine. Each returns 0 on success. */
#ifndef HD_BENCH_GPU_DRIVER_H
#define HD_BENCH_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct CUstream_st *DriverStream;
typedef struct CUevent_st *DriverEvent;
typedef struct CUmod_st *DriverModule;
typedef struct CUfunc_st *DriverFunction;
typedef uintptr_t DriverAddress;

/* CUlaunchConfig */
typedef struct {
  unsigned grid[3], block[3], shared_bytes;
  DriverStream stream;
  void *attributes;
  unsigned n_attributes;
} DriverLaunch;

typedef struct {
  int (*stream_context)(DriverStream, void **context);
  int (*context_set)(void *context);
  int (*event_create)(DriverEvent *, unsigned flags);
  int (*event_record)(DriverEvent, DriverStream);
  int (*event_wait)(DriverEvent);
  int (*event_elapsed)(float *ms, DriverEvent start, DriverEvent end);
  int (*stream_wait)(DriverStream);
  int (*module_load)(DriverModule *, const void *text);
  int (*module_function)(DriverFunction *, DriverModule, const char *name);
  int (*launch)(const DriverLaunch *, DriverFunction, void **parameters,
                void **extra);
  int (*copy)(DriverAddress to, DriverAddress from, size_t, DriverStream);
  int (*fill)(DriverAddress, unsigned char, size_t, DriverStream);
  int (*version)(int *);
  int (*device_name)(char *, int size, int device);
} Driver;

/* Zero on success; else *why says what is missing. */
int driver_open(Driver *driver, const char **why);

#endif
