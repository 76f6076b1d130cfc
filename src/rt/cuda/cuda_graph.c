// SPDX-License-Identifier: Apache-2.0
// Launches that are collected and then started together: CUDA's graphs, made by
// capturing a stream. A launch of the graph is one entry of its stream.
#include "base/panic.h"
#include "rt/cuda/cuda_parts.h"

#include <stdlib.h>

// has_api: the driver has it still.
static void free_nodes(CudaDevice *device, CudaGraphNode *nodes, bool has_api) {
  while (nodes) {
    CudaGraphNode *node = nodes;
    nodes = node->next;
    if (node->entry.done)
      node->entry.done(node->entry.context);
    if (node->workspace.address && has_api)
      (void)device->api.memory_free(node->workspace.address);
    if (has_api)
      cuda_faults_free(device, &node->fault);
    free(node);
  }
}

HdStatus cuda_graph_node_new_locked(RtStream *stream, CudaGraphNode **out,
                                    RtError *error) {
  CudaDevice *device = stream->device;
  *out = calloc(1, sizeof **out);
  if (!*out) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  CudaFaults *fault = &(*out)->fault;
  int code = cuda_faults_alloc(device, 1, fault);
  if (code == CU_OK)
    return HD_OK;
  free(*out);
  return cuda_fail_locked(device, code, error, "memory for a graph");
}

void cuda_graph_node_add_locked(RtStream *stream, CudaGraphNode *node,
                                const CudaEntry *entry, bool is_added) {
  RtGraph *graph = stream->collecting;
  if (!is_added) {
    // Its workspace may already be zeroed in the graph.
    node->next = graph->failed;
    graph->failed = node;
    return;
  }
  node->entry = *entry;
  *graph->last_node = node;
  graph->last_node = &node->next;
  if (entry->code->header.flags & HD_CUDA_FLAG_PRINTS)
    graph->has_prints = true;
}

static HdStatus begin_locked(RtStream *stream, RtGraph *graph, RtError *error) {
  if (stream->collecting) {
    rt_error_set(error, "the stream collects launches already");
    return HD_ERROR_ARGUMENT;
  }
  cuda_stream_drain_locked(stream);
  // What failed before belongs to the next wait, not to the graph.
  if (stream->status != HD_OK) {
    *error = stream->error;
    return stream->status;
  }
  int code =
      stream->device->api.capture_begin(stream->handle, CU_CAPTURE_RELAXED);
  if (code != CU_OK)
    return cuda_fail_locked(stream->device, code, error, "a graph");
  stream->collecting = graph;
  return HD_OK;
}

HdStatus cuda_graph_begin(RtStream *stream, RtError *error) {
  CudaDevice *device = stream->device;
  CudaScope scope;
  RtGraph *graph = calloc(1, sizeof *graph);
  if (!graph) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  graph->device = device;
  graph->last_node = &graph->nodes;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK) {
    pthread_mutex_lock(&device->lock);
    status = begin_locked(stream, graph, error);
    pthread_mutex_unlock(&device->lock);
  }
  cuda_leave(device, scope);
  if (status != HD_OK)
    free(graph);
  return status;
}

static HdStatus end_locked(RtStream *stream, RtGraph *graph, RtError *error) {
  CudaDevice *device = stream->device;
  const CudaApi *api = &device->api;
  CuGraph captured = NULL;
  stream->collecting = NULL;
  if (atomic_load(&device->is_lost)) {
    *error = device->loss;
    return HD_ERROR_DEVICE;
  }
  int code = api->capture_end(stream->handle, &captured);
  if (code == CU_OK && graph->nodes)
    code = api->graph_instantiate(&graph->exec, captured, 0);
  if (captured)
    (void)api->graph_destroy(captured);
  HdStatus status = stream->status; // of launches that were interrupted
  if (status != HD_OK)
    *error = stream->error;
  else if (code != CU_OK)
    status = cuda_fail_locked(device, code, error, "a graph");
  stream->status = HD_OK;
  return status;
}

HdStatus cuda_graph_end(RtStream *stream, RtGraph **out, RtError *error) {
  CudaDevice *device = stream->device;
  CudaScope scope;
  *out = NULL;
  (void)cuda_enter_to_free(device, &scope); // a loss is told below
  pthread_mutex_lock(&device->lock);
  RtGraph *graph = stream->collecting;
  HdStatus status = HD_ERROR_ARGUMENT;
  if (graph)
    status = end_locked(stream, graph, error);
  else
    rt_error_set(error, "the stream doesn't collect launches");
  pthread_mutex_unlock(&device->lock);
  cuda_leave(device, scope);
  if (status == HD_OK)
    *out = graph;
  else
    cuda_graph_free(graph);
  return status;
}

static HdStatus cuda_graph_start_locked(RtGraph *graph, RtStream *stream,
                                        const CudaEntry *entry, bool *is_kept,
                                        RtError *error) {
  CudaDevice *device = graph->device;
  if (stream->collecting) {
    rt_error_set(error, "a graph can't be a part of another one");
    return HD_ERROR_ARGUMENT;
  }
  if (entry->interrupt &&
      __atomic_load_n(entry->interrupt, __ATOMIC_RELAXED) != 0) {
    rt_error_set(error, "interrupted");
    cuda_stream_set_failure_locked(stream, HD_ERROR_INTERRUPTED, error);
  }
  if (stream->status != HD_OK || !graph->exec)
    return HD_OK;
  if (atomic_load(&device->is_lost)) {
    *error = device->loss;
    return HD_ERROR_DEVICE;
  }
  cuda_stream_make_room_locked(stream);
  int code = device->api.graph_launch(graph->exec, stream->handle);
  if (code != CU_OK) {
    HdStatus status = cuda_fail_locked(device, code, error, "starting a graph");
    return stream->status != HD_OK ? HD_OK : status;
  }
  stream->has_printed = stream->has_printed || graph->has_prints;
  *is_kept = true;
  cuda_stream_push_locked(stream, entry);
  return HD_OK;
}

static HdStatus launch_on(RtGraph *graph, RtStream *stream,
                          const CudaEntry *entry, RtError *error) {
  CudaDevice *device = graph->device;
  bool is_kept = false;
  CudaScope scope;
  (void)cuda_enter_to_free(device, &scope); // a loss is told below
  pthread_mutex_lock(&device->lock);
  HdStatus status =
      cuda_graph_start_locked(graph, stream, entry, &is_kept, error);
  pthread_mutex_unlock(&device->lock);
  cuda_leave(device, scope);
  if (!is_kept && entry->done)
    entry->done(entry->context);
  return status;
}

HdStatus cuda_graph_launch(RtGraph *graph, RtStream *stream,
                           const int32_t *interrupt,
                           void (*done)(void *context), void *context,
                           RtError *error) {
  HD_ASSERT(!stream || stream->device == graph->device);
  CudaEntry entry = {
      .graph = graph, .done = done, .context = context, .interrupt = interrupt};
  if (stream)
    return launch_on(graph, stream, &entry, error);
  HdStatus status = cuda_stream_take_idle(graph->device, &stream, error);
  if (status != HD_OK) {
    if (done)
      done(context);
    return status;
  }
  status = launch_on(graph, stream, &entry, error);
  if (status == HD_OK)
    status = cuda_stream_wait(stream, error);
  cuda_stream_give_idle(stream);
  return status;
}

void cuda_graph_free(RtGraph *graph) {
  if (!graph)
    return;
  CudaDevice *device = graph->device;
  CudaScope scope;
  bool has_api = cuda_enter_to_free(device, &scope);
  if (graph->exec && has_api)
    (void)device->api.graph_exec_destroy(graph->exec);
  free_nodes(device, graph->nodes, has_api);
  free_nodes(device, graph->failed, has_api);
  cuda_leave(device, scope);
  free(graph);
}
