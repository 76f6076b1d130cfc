// SPDX-License-Identifier: Apache-2.0
// The table of device operations: what a kind of device must be able to do.
// The session calls devices only through it; CPU and CUDA pass the same
// conformance tests. The runtime knows nothing of the compiler.
//
// Threads: every operation may be called from any thread at any time, unless
// its comment says otherwise. Nothing here is process-wide.
//
// A device can be lost: when a kernel traps or accesses memory wrongly, a GPU's
// driver gives up its context and all memory in it. The failure itself is told
// as that of the launch; from then on every operation fails with
// HD_ERROR_DEVICE and names the kernel, in all of the process, since the driver
// gives it no other context. What exists is still freed as always.
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
typedef struct RtCode RtCode;   // a kernel that was loaded on a device
typedef struct RtGraph RtGraph; // launches that are started together

// Memory that a launch may reach.
typedef struct {
  const void *data;
  uint64_t size_bytes;
} RtMemory;

// A kernel as text, to be assembled by the device.
typedef struct {
  const char *text; // CUDA: PTX that begins with the lines of abi/cuda.h
  size_t size_bytes;
  const char *cache_dir;      // assembled code is kept there; NULL: nowhere
  uint64_t cache_limit_bytes; // of that folder
} RtSource;

// What loaded code takes of its device, for reports.
typedef struct {
  const char *name;         // as long as the code
  uint32_t registers;       // of a thread
  uint64_t shared_bytes;    // of a block, without an array sized at launch
  uint64_t local_bytes;     // of a thread: private arrays and spilled registers
  int64_t spill_bytes;      // of which spilled registers; -1: not known
  uint32_t resident_blocks; // of a multiprocessor at most, for want of these
  uint32_t resident_threads, most_threads; // of a multiprocessor
  double assemble_ms;                      // 0: it came from the cache
} RtCodeInfo;

// One launch. Everything it points to must stay valid until it is done, but
// `args`, which is copied.
typedef struct {
  const void *code;     // CPU: const HdCpuKernel *; else RtCode *
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
  bool allows_equal_stores; // of kernels with checks: they are no races
  const char *trace_path;   // a timeline is written there; or NULL
} RtLaunch;

typedef struct {
  const char *kind; // "cpu", "cuda"
  bool is_host; // its memory is the host's, code is loaded into this process
  // Required, asserted at registration.

  // Devices of the kind that there are, numbered from 0. None is an error whose
  // text says why: no driver, an old one, no device.
  HdStatus (*count)(int *out, RtError *error);
  // `ordinal` from "cpu:N"; -1 when not given. The caller closes the device
  // after all its streams, events, graphs, code and memory are freed.
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
  // Between begin and end launches of the stream are collected instead of run,
  // and no event is recorded or awaited there; their `done` is called by
  // graph_free. What they point to, but args, must stay valid until then.
  HdStatus (*graph_begin)(RtStream *stream, RtError *error);
  HdStatus (*graph_end)(RtStream *stream, RtGraph **out, RtError *error);
  // Runs them in order, as one launch: see `launch`.
  HdStatus (*graph_launch)(RtGraph *graph, RtStream *stream,
                           const int32_t *interrupt,
                           void (*done)(void *context), void *context,
                           RtError *error);
  void (*graph_free)(RtGraph *graph); // its launches are done

  // NULL for kinds that are the host.

  // Loads a kernel. The same text gives the same code while it is loaded.
  // Text that the device's driver rejects is kept in a file that the message
  // names.
  HdStatus (*code_load)(RtDevice *device, const RtSource *source, RtCode **out,
                        RtError *error);
  void (*code_free)(RtDevice *device, RtCode *code); // its launches are done
  HdStatus (*code_info)(RtDevice *device, RtCode *code, RtCodeInfo *out,
                        RtError *error);
  // Whether launches may reach memory that memory_new didn't make.
  HdStatus (*memory_check)(RtDevice *device, const void *memory,
                           uint64_t size_bytes, RtError *error);
  // A stream of the driver's, which stays its owner's and outlives the result;
  // and the driver's stream of one. CUDA: CUstream.
  HdStatus (*stream_wrap)(RtDevice *device, void *handle, RtStream **out,
                          RtError *error);
  void *(*stream_handle)(RtStream *stream);
} RtDeviceOps;

struct RtDevice {
  const RtDeviceOps *ops;
  uint64_t shared_limit_bytes; // of one block
  int sm; // compute capability, major * 10 + minor; 0: no NVIDIA GPU
};

extern const RtDeviceOps rt_cpu_ops;
extern const RtDeviceOps rt_cuda_ops;

void rt_error_set(RtError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// "assertion failed: 'x > 0'", with n_index > 0 also "for element [2][3]" of a
// tile.
void rt_assert_text(char *what, size_t size_bytes, const char *text,
                    const int32_t *index, uint32_t n_index);

// "k.hd:3:5: WHAT in kernel 'k', block (5, 0, 0), thread (1, 1, 0)": how every
// kind of device says which thread failed, `thread` its rank in the block.
void rt_fault_text(char *text, size_t size_bytes, const char *place,
                   const char *what, const char *kernel, const int32_t block[3],
                   int32_t thread, const int32_t block_dim[3]);

#endif
