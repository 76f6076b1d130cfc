// SPDX-License-Identifier: Apache-2.0
// A timeline of a launch in the Trace Event Format (JSON, as Chrome's tracing
// and Perfetto read it): a process for each block, a row for each strand, spans
// of running and of waiting with their places, and an arrow from where a copy
// is asked for to where it lands. Times are of the host, in microseconds from
// the start of the launch.
#ifndef HD_RT_CPU_CPU_TRACE_H
#define HD_RT_CPU_CPU_TRACE_H

#include "rt/cpu/cpu_worker.h"

// Of a launch; NULL when memory is out.
CpuTrace *cpu_trace_new(const HdCpuKernel *kernel, const int32_t grid[3]);
// Writes the file. Trouble is told in *error.
HdStatus cpu_trace_end(CpuTrace *trace, const char *path, RtError *error);

// What --sanitize kept, for so many elements.
void cpu_trace_checks(CpuTrace *trace, uint64_t bytes, uint64_t elements);
// The blocks of a gang start.
void cpu_trace_gang(CpuWorker *worker);
// A strand is about to run; has stopped, to wait or because it has ended.
void cpu_trace_run(CpuWorker *worker, CpuLive strand);
void cpu_trace_stop(CpuWorker *worker, CpuLive strand, bool has_ended);
// The strand that runs asks for a copy; what it waits for makes it land.
void cpu_trace_copy(CpuWorker *worker, HdCpuCopy *copy);
void cpu_trace_landed(CpuWorker *worker, const HdCpuCopy *copy);
// Blocks [first, last) of a kernel without strands, as one span of the worker.
uint64_t cpu_trace_now(const CpuTrace *trace); // ns
void cpu_trace_range(CpuTrace *trace, int worker, int64_t first, int64_t last,
                     uint64_t begin_ns);

#endif
