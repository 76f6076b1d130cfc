// SPDX-License-Identifier: Apache-2.0
// What a launch in flight holds, so that its user may free it; and graphs.
#ifndef HD_SESSION_FLIGHT_H
#define HD_SESSION_FLIGHT_H

#include "session/session.h"

#include <pthread.h>

// Launches of a stream that are kept, and later run together.
struct HdGraph {
  HdDevice *device;
  RtGraph *graph;    // NULL: still taking launches
  Memory **memories; // of its launches; their flights hold them
  uint32_t n_memories, capacity;
  pthread_mutex_t lock;
  pthread_cond_t idle; // no launch of it is in flight
  uint32_t n_in_flight;
};

// The flight of a launch that a graph keeps holds its memory, too, but does not
// use it: running the graph is a flight of its own.
typedef struct Flight {
  HdSession *session;
  HdProgram *program; // or NULL
  uint64_t *tables;   // of addresses that arrays of arrays consist of, or NULL
  HdGraph *keeper;    // or NULL
  HdGraph *running;   // which this is a launch of, or NULL
  uint32_t n_memories;
  RtMemory *ranges; // of the memories
  Memory *memories[];
} Flight;

// NULL: out of memory. The flight of a graph that runs has no program.
Flight *flight_new(HdSession *session, HdProgram *program, HdGraph *keeper,
                   uint32_t most_memories);
void flight_add(Flight *flight, Memory *memory);
// Ends it; for RtDeviceOps.launch.
void flight_done(void *flight);

// Around a launch of the graph; the second is the last that touches it.
void graph_begin_use(HdGraph *graph);
void graph_end_use(HdGraph *graph);

// What a stream's graph will use when it runs; false: out of memory.
bool graph_add(HdGraph *graph, Memory *const *memories, uint32_t count);

#endif
