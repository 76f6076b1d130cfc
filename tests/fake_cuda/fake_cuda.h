// SPDX-License-Identifier: Apache-2.0
// A stand-in for libcuda on machines without a GPU: the functions of
// rt/cuda/cuda_api.def over the host's memory. It keeps the driver's rules (who
// has a context, what is whose, what fails once a kernel failed), counts what
// is alive, and fails where it is told to. It runs no kernels; a test may
// install a function that does what a kernel would.
//
// Scripts are also read from $HEDDLE_FAKE_CUDA when the library is first used,
// words separated by spaces: "devices=2 version=11080 cuMemAlloc_v2@3=2" sets
// two settings and lets the third call of cuMemAlloc_v2 fail with code 2.
#ifndef HD_TESTS_FAKE_CUDA_H
#define HD_TESTS_FAKE_CUDA_H

#include "rt/cuda/cuda_types.h"
#include <stdbool.h>

// X(name, value after reset)
#define FAKE_SETTINGS(X)                                                       \
  X(version, 13000)                                                            \
  X(devices, 1)                                                                \
  X(major, 9)                                                                  \
  X(minor, 0)                                                                  \
  X(compute_mode, 0)                                                           \
  X(clusters, 1)                                                               \
  X(cooperative, 1)                                                            \
  X(multiprocessors, 4)                                                        \
  X(shared_bytes, 232448)                                                      \
  X(memory_mib, 256)                                                           \
  X(primary_is_active, 0)                                                      \
  X(registers, 32)                                                             \
  X(local_bytes, 0)                                                            \
  X(spill_bytes, 0)                                                            \
  X(max_threads, 1024)                                                         \
  X(resident_blocks, 2)                                                        \
  X(resident_clusters, 3)                                                      \
  X(is_held, 0) /* 1: queued work waits for fake->step */

// Things that are alive, by kind.
typedef enum {
  FAKE_CONTEXT,
  FAKE_MEMORY,
  FAKE_HOST,
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_MODULE,
  FAKE_LINK,
  FAKE_GRAPH,
  FAKE_EXEC,
  FAKE_KINDS
} FakeKind;

typedef struct {
  const char *text; // the PTX that was assembled
  unsigned grid[3], block[3], cluster[3];
  unsigned shared_bytes;
  bool is_cooperative;
  const uint64_t *words; // the first parameter
  const CuTensorMap *maps;
} FakeLaunch;

enum { FAKE_GOES_ON = -1 };

// The code that the kernel ends with, or FAKE_GOES_ON: it hasn't ended, and is
// called again when somebody looks.
typedef int (*FakeKernel)(const FakeLaunch *launch, void *context);

typedef struct {
  // Everything as at first; what was alive is forgotten.
  void (*reset)(void);
  void (*set)(const char *setting, int value);
  // The n-th call from now on (1: the next) of `function` returns `code`.
  void (*fail_at)(const char *function, int n, int code);
  void (*on_kernel)(FakeKernel kernel, void *context);
  // Runs the next piece of queued work of each stream; those that are there.
  int (*step)(void);
  int (*alive)(FakeKind kind);
  // What was alive when its context was destroyed though no kernel had failed
  // in it, and calls that the driver's rules forbid.
  int (*leaked)(void);
  int (*misused)(void);
  int (*calls)(const char *function); // NULL: of all
} FakeCuda;

// The symbol `fake_cuda` of the library.
typedef const FakeCuda *(*FakeCudaGet)(void);

#endif
