// SPDX-License-Identifier: Apache-2.0
#include "session/flight.h"

#include <stdlib.h>

Flight *flight_new(HdSession *session, HdProgram *program, HdGraph *keeper,
                   uint32_t most_memories) {
  Flight *flight =
      calloc(1, sizeof *flight +
                    most_memories * (sizeof(Memory *) + sizeof(RtMemory)));
  if (!flight)
    return NULL;
  flight->ranges = (RtMemory *)(flight->memories + most_memories);
  flight->session = session;
  flight->program = program;
  flight->keeper = keeper;
  session_retain(session);
  if (program)
    program_retain(program);
  if (!keeper && atomic_fetch_add(&session->n_in_flight, 1) == 0)
    __atomic_store_n(&session->interrupt, 0, __ATOMIC_RELAXED);
  return flight;
}

void flight_add(Flight *flight, Memory *memory) {
  if (flight->keeper)
    memory_retain(memory);
  else
    memory_begin_use(memory);
  flight->ranges[flight->n_memories] =
      (RtMemory){memory->data, memory->size_bytes};
  flight->memories[flight->n_memories++] = memory;
}

void flight_done(void *context) {
  Flight *flight = context;
  for (uint32_t i = 0; i < flight->n_memories; i++) {
    if (flight->keeper)
      memory_release(flight->memories[i]);
    else
      memory_end_use(flight->memories[i]);
  }
  if (!flight->keeper)
    atomic_fetch_sub(&flight->session->n_in_flight, 1);
  if (flight->running)
    graph_end_use(flight->running);
  free(flight->tables);
  hd_program_free(flight->program);
  hd_session_free(flight->session);
  free(flight);
}
