// SPDX-License-Identifier: Apache-2.0
// Worker threads, one a core. A run spreads its blocks over the calling thread
// and the pool; runs of one pool follow each other.
#ifndef HD_RT_CPU_CPU_POOL_H
#define HD_RT_CPU_CPU_POOL_H

#include "abi/cpu.h"
#include "rt/device.h"

typedef struct CpuPool CpuPool;

// n_workers >= 1 counts the calling thread. Threads start at the first run
// that can use them.
HdStatus cpu_pool_new(int n_workers, CpuPool **out, RtError *error);
void cpu_pool_free(CpuPool *pool);
int cpu_pool_workers(const CpuPool *pool);

// Runs a launch to its end. Zero blocks do nothing.
HdStatus cpu_pool_run(CpuPool *pool, const RtLaunch *launch, RtError *error);

// Cores that this process may use.
int cpu_core_count(void);

#endif
