// SPDX-License-Identifier: Apache-2.0
// Graphs of launches.
#include "session/flight.h"

#include <stdlib.h>
#include <string.h>

bool graph_add(HdGraph *graph, Memory *const *memories, uint32_t count) {
  while (graph->capacity - graph->n_memories < count) {
    uint32_t capacity = graph->capacity ? graph->capacity * 2 : 16;
    Memory **larger = realloc(graph->memories, capacity * sizeof *larger);
    if (!larger)
      return false;
    graph->memories = larger;
    graph->capacity = capacity;
  }
  if (count > 0)
    memcpy(graph->memories + graph->n_memories, memories,
           count * sizeof *memories);
  graph->n_memories += count;
  return true;
}

void graph_begin_use(HdGraph *graph) {
  pthread_mutex_lock(&graph->lock);
  graph->n_in_flight++;
  pthread_mutex_unlock(&graph->lock);
}

void graph_end_use(HdGraph *graph) {
  pthread_mutex_lock(&graph->lock);
  if (--graph->n_in_flight == 0)
    pthread_cond_broadcast(&graph->idle);
  pthread_mutex_unlock(&graph->lock);
}

static void wait_until_idle(HdGraph *graph) {
  pthread_mutex_lock(&graph->lock);
  while (graph->n_in_flight > 0)
    pthread_cond_wait(&graph->idle, &graph->lock);
  pthread_mutex_unlock(&graph->lock);
}

static HdStatus graph_fail(const HdDevice *device, HdStatus status,
                           const RtError *error) {
  return status == HD_OK
             ? status
             : session_fail(device->session, status, "%s", error->text);
}

HdStatus hd_graph_begin(HdStream *stream) {
  if (!stream)
    return session_null(NULL, "hd_graph_begin");
  HdDevice *device = stream->device;
  const RtDeviceOps *ops = device->device->ops;
  RtError error = {0};
  if (stream->graph)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "the stream collects launches for a graph already");
  HdGraph *graph = calloc(1, sizeof *graph);
  if (!graph)
    return session_no_memory(device->session, NULL);
  HdStatus status = ops->graph_begin(stream->stream, &error);
  if (status != HD_OK) {
    free(graph);
    return graph_fail(device, status, &error);
  }
  graph->device = device;
  pthread_mutex_init(&graph->lock, NULL);
  pthread_cond_init(&graph->idle, NULL);
  device_retain(device);
  stream->graph = graph;
  return HD_OK;
}

HdStatus hd_graph_end(HdStream *stream, HdGraph **out) {
  if (out)
    *out = NULL;
  if (!stream || !out)
    return session_null(stream ? stream->device->session : NULL,
                        "hd_graph_end");
  HdDevice *device = stream->device;
  HdGraph *graph = stream->graph;
  RtError error = {0};
  if (!graph)
    return session_fail(device->session, HD_ERROR_ARGUMENT,
                        "hd_graph_end without hd_graph_begin");
  stream->graph = NULL;
  HdStatus status =
      device->device->ops->graph_end(stream->stream, &graph->graph, &error);
  if (status == HD_OK)
    *out = graph;
  else
    hd_graph_free(graph);
  return graph_fail(device, status, &error);
}

HdStatus hd_graph_launch(HdGraph *graph, HdStream *stream) {
  if (!graph)
    return session_null(NULL, "hd_graph_launch");
  HdDevice *device = graph->device;
  HdSession *session = device->session;
  RtError error = {0};
  if (stream && stream->device != device)
    return session_fail(session, HD_ERROR_LAUNCH,
                        "the graph belongs to another device than the stream");
  Flight *flight = flight_new(session, NULL, NULL, graph->n_memories);
  if (!flight)
    return session_no_memory(session, NULL);
  for (uint32_t i = 0; i < graph->n_memories; i++)
    flight_add(flight, graph->memories[i]);
  flight->running = graph;
  graph_begin_use(graph);
  return graph_fail(device,
                    device->device->ops->graph_launch(
                        graph->graph, stream ? stream->stream : NULL,
                        &session->interrupt, flight_done, flight, &error),
                    &error);
}

void hd_graph_free(HdGraph *graph) {
  if (!graph)
    return;
  wait_until_idle(graph);
  if (graph->graph)
    graph->device->device->ops->graph_free(graph->graph);
  pthread_cond_destroy(&graph->idle);
  pthread_mutex_destroy(&graph->lock);
  hd_device_free(graph->device);
  free(graph->memories);
  free(graph);
}
