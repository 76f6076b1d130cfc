// SPDX-License-Identifier: Apache-2.0
// The table of device operations: what a kind of device must be able to do.
// The session calls devices only through it; CPU and, later, CUDA pass the
// same conformance tests. The runtime knows nothing of the compiler.
//
// Threads: every operation may be called from any thread at any time, unless
// its comment says otherwise. Nothing here is process-wide.
#ifndef HD_RT_DEVICE_H
#define HD_RT_DEVICE_H

#include "base/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What went wrong, in words; empty on success.
typedef struct {
  char text[4096];
} RtError;

typedef struct RtDevice RtDevice; // each kind embeds it first
typedef struct RtStream RtStream;
typedef struct RtEvent RtEvent;

// Memory that a launch may reach.
typedef struct {
  const void *data;
  uint64_t size_bytes;
} RtMemory;

// One launch. Everything it points to must stay valid until it is done, but
// `args`, which is copied.
typedef struct {
  const void *code;     // of the device's kind; CPU: const HdCpuKernel *
  const uint64_t *args; // slots, see IrParam
  uint32_t n_slots;
  int32_t grid[3];
  int32_t cluster[3]; // blocks of a cluster; zeros: as the kernel says
  // Order of threads and blocks, and moments of asynchronous copies, are drawn
  // from `seed`, so that the run can be repeated. For kernels compiled so.
  bool is_scheduled;
  uint64_t seed;
  uint64_t dynamic_shared_bytes; // of the array that is sized at launch
  void *const *globals;          // addresses of file-scope objects
  const int32_t *interrupt;      // nonzero: end soon; may be NULL;
                                 // read and written atomically
  const RtMemory *memories;      // of its array arguments
  uint32_t n_memories;
  const char *trace_path; // a timeline is written there; or NULL
} RtLaunch;

typedef struct {
  const char *kind; // "cpu"
  // Required, asserted at registration.

  // `ordinal` from "cpu:N"; -1 when not given. The caller closes the device
  // after all its streams, events and memory are freed.
  HdStatus (*open)(int ordinal, RtDevice **out, RtError *error);
  void (*close)(RtDevice *device);
  // One line for people, without a newline.
  void (*describe)(int ordinal, char *text, size_t size_bytes);
  // Zeroed memory, aligned to 128 bytes; size 0 gives a valid address.
  HdStatus (*memory_new)(RtDevice *device, uint64_t size_bytes, void **out,
                         RtError *error);
  void (*memory_free)(RtDevice *device, void *memory);
  // Host to device and back; the caller has waited for launches that use it.
  HdStatus (*memory_write)(RtDevice *device, void *to, const void *from,
                           uint64_t size_bytes, RtError *error);
  HdStatus (*memory_read)(RtDevice *device, void *to, const void *from,
                          uint64_t size_bytes, RtError *error);
  // NULL stream: runs it before returning. Otherwise queues it; its failure is
  // told by the next stream_wait. `done(context)` is called once it has ended
  // or was dropped, possibly before this returns; on failure of the call
  // itself too.
  HdStatus (*launch)(RtDevice *device, RtStream *stream, const RtLaunch *launch,
                     void (*done)(void *context), void *context,
                     RtError *error);
  HdStatus (*stream_new)(RtDevice *device, RtStream **out, RtError *error);
  void (*stream_free)(RtStream *stream); // waits first
  // The first failure since the last wait; work after it was dropped.
  HdStatus (*stream_wait)(RtStream *stream, RtError *error);
  HdStatus (*event_new)(RtDevice *device, RtEvent **out, RtError *error);
  void (*event_free)(RtEvent *event);
  // NULL stream: records now.
  HdStatus (*event_record)(RtEvent *event, RtStream *stream, RtError *error);
  HdStatus (*event_wait)(RtEvent *event, RtError *error);
  HdStatus (*stream_wait_event)(RtStream *stream, RtEvent *event,
                                RtError *error);
  HdStatus (*event_elapsed_ms)(RtEvent *start, RtEvent *end, double *out,
                               RtError *error);
  // Shared memory that one block may have, bytes.
  uint64_t shared_limit_bytes;
} RtDeviceOps;

struct RtDevice {
  const RtDeviceOps *ops;
};

extern const RtDeviceOps rt_cpu_ops;

void rt_error_set(RtError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
