// SPDX-License-Identifier: Apache-2.0
// The rows of the CPU's table (rt/device.h) that are about work in flight.
#ifndef HD_RT_CPU_CPU_STREAM_H
#define HD_RT_CPU_CPU_STREAM_H

#include "rt/cpu/cpu_pool.h"
#include "rt/device.h"

typedef struct {
  RtDevice base;
  CpuPool *pool;
} CpuDevice;

HdStatus cpu_launch(RtDevice *device, RtStream *stream, const RtLaunch *launch,
                    void (*done)(void *context), void *context, RtError *error);
HdStatus cpu_stream_new(RtDevice *device, RtStream **out, RtError *error);
void cpu_stream_free(RtStream *stream);
HdStatus cpu_stream_wait(RtStream *stream, RtError *error);

HdStatus cpu_event_new(RtDevice *device, RtEvent **out, RtError *error);
void cpu_event_free(RtEvent *event);
HdStatus cpu_event_record(RtEvent *event, RtStream *stream, RtError *error);
HdStatus cpu_event_wait(RtEvent *event, RtError *error);
HdStatus cpu_stream_wait_event(RtStream *stream, RtEvent *event,
                               RtError *error);
HdStatus cpu_event_elapsed_ms(RtEvent *start, RtEvent *end, double *out,
                              RtError *error);

HdStatus cpu_graph_begin(RtStream *stream, RtError *error);
HdStatus cpu_graph_end(RtStream *stream, RtGraph **out, RtError *error);
HdStatus cpu_graph_launch(RtGraph *graph, RtStream *stream,
                          const int32_t *interrupt, void (*done)(void *context),
                          void *context, RtError *error);
void cpu_graph_free(RtGraph *graph);

#endif
