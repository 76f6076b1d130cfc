// SPDX-License-Identifier: Apache-2.0
// NVIDIA GPUs as devices: what the files of this folder share.
//
//   cuda_driver.c   libcuda, opened at run time
//   cuda_device.c   devices, contexts, their loss
//   cuda_memory.c   memory
//   cuda_copy.c     copies between it and the host
//   cuda_header.c   what PTX says of its launch
//   cuda_code.c     loading, assembling, the cache
//   cuda_map.c      tensor maps
//   cuda_launch.c   launches: limits, arguments, workspace
//   cuda_stream.c   launches in flight, and waiting for them
//   cuda_event.c    events
//   cuda_fault.c    what went wrong in a kernel, in words
//   cuda_graph.c    launches that are collected and started together
//
// Locks: one a device, `lock`. It guards everything mutable that hangs on the
// device, streams included; no call that waits for the GPU, assembles, or calls
// back is made while it is held. Functions named …_locked want it held.
#ifndef HD_RT_CUDA_CUDA_PARTS_H
#define HD_RT_CUDA_CUDA_PARTS_H

#include "abi/cuda.h"
#include "rt/cuda/cuda_driver.h"
#include "rt/cuda/cuda_header.h"
#include "rt/device.h"
#include <pthread.h>
#include <stdatomic.h>

enum {
  CUDA_RING = 256,      // launches of a stream that are in flight at most
  CUDA_MARK_EVERY = 64, // of them an event tells which have ended
  CUDA_MARKS = CUDA_RING / CUDA_MARK_EVERY,
  CUDA_LANES = 4, // of a large copy
};

typedef struct {
  int n_multiprocessors;
  int max_threads, max_multiprocessor_threads;
  int max_block[3], max_grid[3];
  bool has_clusters, has_cooperative;
} CudaLimits;

// One direction of copies between host and device.
typedef struct {
  pthread_mutex_t lock; // held during a copy
  CuStream stream;
  void *staging[2];
  CuEvent is_free[2];
} CudaCopier;

typedef struct CudaDevice {
  RtDevice base;
  CudaApi api;
  CuDeviceId id;
  int ordinal;
  char name[128];
  CuContext context;
  bool is_primary; // the context is the process's, not our own
  CudaLimits limits;
  CudaCopier to_device[CUDA_LANES], to_host[CUDA_LANES];

  pthread_mutex_t lock;
  pthread_cond_t changed; // a callback returned
  RtStream *streams;      // all
  RtStream *idle_streams; // for launches without a stream
  RtCode *codes;
  bool has_print_buffer;
  atomic_bool is_lost;
  bool is_abandoned; // a kernel that won't end still runs
  RtError loss;      // why it is lost

  // Calls `done` of launches that nobody waits for.
  pthread_t completer;
  pthread_cond_t wake;
  bool has_completer, is_completer_asleep, is_woken, is_closing;
} CudaDevice;

// Records in memory that host and kernels share.
typedef struct {
  HdCudaFault *data;
  CuPointer address;
} CudaFaults;

typedef struct {
  CuPointer address;
  uint64_t size_bytes;
} CudaWorkspace;

// A launch that was handed to the driver.
typedef struct {
  RtCode *code;   // or
  RtGraph *graph; // these launches
  void (*done)(void *context);
  void *context;
  const int32_t *interrupt;
} CudaEntry;

struct RtStream {
  CudaDevice *device;
  RtStream *next;      // of device->streams
  RtStream *next_idle; // of device->idle_streams
  CuStream handle;
  CudaFaults faults; // CUDA_RING of them, one an entry
  CudaEntry entries[CUDA_RING];
  // Launches are numbered: entry n % CUDA_RING. Those below n_ended have ended
  // and were told; marks[i] comes behind launch number mark_at[i] - 1.
  uint64_t n_launched, n_ended;
  uint64_t n_launched_before; // when the completer looked last
  int n_skipped;              // looks since it did more than that
  int n_waiting;              // threads that wait for the stream
  CuEvent marks[CUDA_MARKS];
  uint64_t mark_at[CUDA_MARKS]; // 0: none
  CudaWorkspace workspace;
  uint64_t *words; // of the launch being made
  uint32_t words_capacity;
  bool has_printed; // since the driver's buffer was last written out
  int n_calling;    // callbacks that run now
  bool is_wrapped;  // the handle is somebody else's
  bool is_for_one;  // of launches without a stream, who wait themselves
  RtGraph *collecting;
  int64_t ending_since_ns; // what is in flight is to end; 0: isn't
  HdStatus status;         // the first failure since the last wait
  RtError error;
};

struct RtEvent {
  CudaDevice *device;
  CuEvent handle;
  atomic_bool is_recorded;
};

// Tensor maps of the arguments that a launch had before, by map line.
enum { CUDA_MAP_WAYS = 8 };

typedef struct {
  uint64_t key[1 + 2 * CUDA_MOST_RANK]; // address, extents, strides; 0s
  CuTensorMap map;
} CudaMapEntry;

struct RtCode {
  CudaDevice *device;
  RtCode *next;                 // of device->codes
  int references;               // 0: kept in case that it is wanted again
  uint64_t hash_low, hash_high; // of the text
  CudaHeader header;
  CuModule module;
  CuFunction function;
  uint32_t n_threads; // of a block
  uint32_t n_words;   // of the first parameter
  bool has_workspace;
  int max_threads; // that its registers allow in a block
  int64_t spill_bytes;
  double assemble_ms;
  uint64_t dynamic_limit_bytes; // asked of the driver so far
  bool has_large_clusters;      // likewise
  // The last answer about blocks that are resident together.
  uint64_t resident_for_bytes;
  uint32_t resident_for_cluster[3];
  int64_t n_resident;
  bool has_resident;
  CudaMapEntry *maps; // CUDA_MAP_WAYS a map line, each line's newest first
};

// Captured launches. Workspaces and fault records are the graph's own: it may
// run beside other launches of the streams.
typedef struct CudaGraphNode {
  struct CudaGraphNode *next;
  CudaEntry entry;
  CudaFaults fault;
  CudaWorkspace workspace;
} CudaGraphNode;

struct RtGraph {
  CudaDevice *device;
  CuGraphExec exec; // NULL: has no launches
  CudaGraphNode *nodes, **last_node;
  CudaGraphNode *failed; // of launches that didn't come about
  bool has_prints;
};

// ------------------------------------------------------- cuda_device.c

// Between enter and leave, which may nest, the device's context is current for
// the thread. If the device is lost it isn't, and the first is HD_ERROR_DEVICE;
// leave is called in any case.
typedef enum { CUDA_OUTSIDE, CUDA_PUSHED } CudaScope;

HdStatus cuda_enter(CudaDevice *device, CudaScope *scope, RtError *error);
void cuda_leave(CudaDevice *device, CudaScope scope);
// The same for those who free something: true if the driver has it still.
bool cuda_enter_to_free(CudaDevice *device, CudaScope *scope);
// The error of a call of the driver: "WHAT: …". Those that end the context are
// told as the loss of the device.
HdStatus cuda_fail(CudaDevice *device, int code, RtError *error,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));
HdStatus cuda_fail_locked(CudaDevice *device, int code, RtError *error,
                          const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int64_t cuda_now_ns(void);

// ------------------------------------------------------- cuda_memory.c

HdStatus cuda_memory_new(RtDevice *device, uint64_t size_bytes, void **out,
                         RtError *error);
void cuda_memory_free(RtDevice *device, void *memory);
HdStatus cuda_memory_write(RtDevice *device, void *to, const void *from,
                           uint64_t size_bytes, RtError *error);
HdStatus cuda_memory_read(RtDevice *device, void *to, const void *from,
                          uint64_t size_bytes, RtError *error);
HdStatus cuda_memory_check(RtDevice *device, const void *memory,
                           uint64_t size_bytes, RtError *error);

// Memory that host and kernels share; the context is current. A code of the
// driver.
int cuda_faults_alloc(CudaDevice *device, uint32_t count, CudaFaults *out);
void cuda_faults_free(CudaDevice *device, CudaFaults *faults);

// --------------------------------------------------------- cuda_copy.c

void cuda_copiers_init(CudaDevice *device);
void cuda_copiers_fini(CudaDevice *device);
// The context is current. Codes of the driver.
int cuda_copy_zeros(CudaDevice *device, CuPointer to, uint64_t size_bytes);
int cuda_copy_to(CudaDevice *device, CuPointer to, const char *from,
                 uint64_t size_bytes);
int cuda_copy_from(CudaDevice *device, char *to, CuPointer from,
                   uint64_t size_bytes);

// --------------------------------------------------------- cuda_code.c

HdStatus cuda_code_load(RtDevice *device, const RtSource *source, RtCode **out,
                        RtError *error);
void cuda_code_free(RtDevice *device, RtCode *code);
// All that are left, when the device is closed.
void cuda_codes_free(CudaDevice *device);
HdStatus cuda_code_info(RtDevice *device, RtCode *code, RtCodeInfo *out,
                        RtError *error);
// More shared memory than every device has must be asked for once. A code of
// the driver.
int cuda_code_allow_shared_locked(RtCode *code, uint64_t size_bytes);

// -------------------------------------------------------- cuda_assemble.c

typedef struct {
  void *cubin; // malloc'd
  size_t size_bytes;
  int64_t spill_bytes;
  double assemble_ms; // 0: from the cache
} CudaBinary;

// Machine code of the text for the device, from the cache or the driver.
HdStatus cuda_assemble(CudaDevice *device, const CudaHeader *header,
                       const RtSource *source, CudaBinary *out, RtError *error);

// ---------------------------------------------------------- cuda_map.c

// The tensor map of map line `line` for these arguments, made if it isn't
// there. Valid until the lock is released.
HdStatus cuda_map_get_locked(RtCode *code, uint32_t line, const uint64_t *args,
                             const CuTensorMap **out, RtError *error);

// ------------------------------------------------------- cuda_launch.c

HdStatus cuda_launch(RtDevice *device, RtStream *stream, const RtLaunch *launch,
                     void (*done)(void *context), void *context,
                     RtError *error);

// ------------------------------------------------------- cuda_stream.c

HdStatus cuda_stream_new(RtDevice *device, RtStream **out, RtError *error);
void cuda_stream_free(RtStream *stream);
HdStatus cuda_stream_wait(RtStream *stream, RtError *error);
HdStatus cuda_stream_wrap(RtDevice *device, void *handle, RtStream **out,
                          RtError *error);
void *cuda_stream_handle(RtStream *stream);
// A stream for one launch, given back when it was waited for.
HdStatus cuda_stream_take_idle(CudaDevice *device, RtStream **out,
                               RtError *error);
void cuda_stream_give_idle(RtStream *stream);
// Waits until there is room for one more entry. The lock is released meanwhile.
void cuda_stream_make_room_locked(RtStream *stream);
// Waits until everything ended and was told. Likewise.
void cuda_stream_drain_locked(RtStream *stream);
// The launch that was made is entry n_launched. Its events and callbacks.
void cuda_stream_push_locked(RtStream *stream, const CudaEntry *entry);
void cuda_stream_set_failure_locked(RtStream *stream, HdStatus status,
                                    const RtError *error);
// Between two looks of somebody who has waited for that long.
void cuda_nap(int64_t waited_ns);
// Ends the thread that makes callbacks.
void cuda_completer_stop(CudaDevice *device);

// -------------------------------------------------------- cuda_event.c

HdStatus cuda_event_new(RtDevice *device, RtEvent **out, RtError *error);
void cuda_event_free(RtEvent *event);
HdStatus cuda_event_record(RtEvent *event, RtStream *stream, RtError *error);
HdStatus cuda_event_wait(RtEvent *event, RtError *error);
HdStatus cuda_stream_wait_event(RtStream *stream, RtEvent *event,
                                RtError *error);
HdStatus cuda_event_elapsed_ms(RtEvent *start, RtEvent *end, double *out,
                               RtError *error);

// -------------------------------------------------------- cuda_fault.c

// Tells the fault that a launch left behind, if any, and clears the record.
void cuda_fault_collect_locked(RtStream *stream, const RtCode *code,
                               HdCudaFault *fault);
// The context is gone: tells every stream, and says why in device->loss.
void cuda_lose_locked(CudaDevice *device, int code);
// The oldest launch in flight wrote down a failure: its threads are to end.
bool cuda_fault_is_pending_locked(const RtStream *stream);
// A kernel that was asked to end doesn't: gives the device up.
void cuda_abandon_locked(CudaDevice *device, const RtStream *stream);
bool cuda_is_fatal(int code);

// -------------------------------------------------------- cuda_graph.c

HdStatus cuda_graph_begin(RtStream *stream, RtError *error);
HdStatus cuda_graph_end(RtStream *stream, RtGraph **out, RtError *error);
HdStatus cuda_graph_launch(RtGraph *graph, RtStream *stream,
                           const int32_t *interrupt,
                           void (*done)(void *context), void *context,
                           RtError *error);
void cuda_graph_free(RtGraph *graph);
// For a launch of a stream that collects; then added if it came about.
HdStatus cuda_graph_node_new_locked(RtStream *stream, CudaGraphNode **out,
                                    RtError *error);
void cuda_graph_node_add_locked(RtStream *stream, CudaGraphNode *node,
                                const CudaEntry *entry, bool is_added);

#endif
