// SPDX-License-Identifier: Apache-2.0
// One worker: the thread-owned state in which blocks run, and the services
// that generated code calls.
#ifndef HD_RT_CPU_CPU_WORKER_H
#define HD_RT_CPU_CPU_WORKER_H

#include "abi/cpu.h"
#include "rt/device.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

typedef struct CpuCheck CpuCheck;

// What all workers of one launch share.
typedef struct {
  const HdCpuKernel *kernel;
  HdCpuLaunch launch;
  uint64_t shared_bytes;
  CpuCheck *check; // of kernels compiled with checks (cpu_check.h), or NULL
  const int32_t *interrupt;
  int64_t chunk_blocks; // most at a time
  int n_workers;
  _Atomic int64_t next_block;
  // Deadlock detection, see Note [Stuck workers] in cpu_block.c.
  _Atomic int32_t n_active, n_stuck;
  _Atomic uint64_t epoch;
  // The first failure wins.
  pthread_mutex_t lock;
  HdStatus status;
  RtError error;
} CpuRun;

// Memory for coroutine frames: chunks that are reused block after block.
typedef struct CpuChunk {
  struct CpuChunk *next;
  uint64_t size_bytes, used_bytes;
  char *data;
} CpuChunk;

typedef struct CpuWorker {
  HdCpuBlock block;
  CpuRun *run;
  CpuChunk *chunks, *current;
  char *shared;
  uint64_t shared_capacity;
  HdCpuBarrier *barriers;
  uint32_t barrier_capacity;
  HdCpuWait *waits;
  void **frames;
  uint32_t *live; // strands that have not ended, in order
  uint32_t strand_capacity;
  uint64_t dice;  // of the stress build's schedules
  jmp_buf escape; // where trap() goes
} CpuWorker;

void cpu_worker_init(CpuWorker *worker);
void cpu_worker_fini(CpuWorker *worker);
// Makes shared memory, barriers and tables large enough for the run.
HdStatus cpu_worker_prepare(CpuWorker *worker, CpuRun *run);
// Runs blocks until there are none left or the run stops.
void cpu_worker_run(CpuWorker *worker);

// Runs block `linear` of a kernel that blocks, to its end.
void cpu_block_run(CpuWorker *worker, int64_t linear);

// Records the first failure and stops the run; the worker goes on until it
// sees launch.stop.
void cpu_run_fail(CpuRun *run, HdStatus status, const char *text);
bool cpu_run_stopped(CpuRun *run);

// Block index of a linear number, x fastest.
void cpu_block_index(const int32_t grid[3], int64_t linear, int32_t index[3]);

// The text of a deadlock in this worker's block: who waits where for what.
void cpu_report_deadlock(const CpuWorker *worker, uint32_t n_live,
                         RtError *error);

extern const HdCpuServices cpu_services;

#endif
