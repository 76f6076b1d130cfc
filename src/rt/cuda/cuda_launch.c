// SPDX-License-Identifier: Apache-2.0
// Launches. What the device can't do is refused with numbers before the driver
// is asked; then a launch is one call of it, or two if its workspace has to be
// zeroed. Nothing is allocated once a stream has seen a kernel.
#include "base/panic.h"
#include "rt/cuda/cuda_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CLUSTER = 16, PORTABLE_CLUSTER = 8 };

typedef struct {
  RtCode *code;
  const RtLaunch *launch;
  uint32_t cluster[3];
  uint32_t cluster_blocks;
  uint64_t shared_bytes;
  uint64_t n_blocks;
  RtError *error;
} Making;

// ----------------------------------------------------------------- refusals

static HdStatus check_call(const Making *m) {
  const RtLaunch *launch = m->launch;
  const CudaHeader *header = &m->code->header;
  if (launch->is_scheduled || launch->trace_path) {
    rt_error_set(m->error,
                 "kernel '%s': schedules and timelines exist on CPUs "
                 "only",
                 header->name);
    return HD_ERROR_UNSUPPORTED;
  }
  if (launch->n_slots == header->n_slots &&
      (launch->globals || header->n_globals == 0))
    return HD_OK;
  rt_error_set(m->error,
               "kernel '%s' takes %u argument slots and %u addresses of "
               "globals; %u and %s were given",
               header->name, header->n_slots, header->n_globals,
               launch->n_slots, launch->globals ? "they" : "none");
  return HD_ERROR_ARGUMENT;
}

static HdStatus check_threads(const Making *m) {
  const CudaDevice *device = m->code->device;
  const CudaHeader *header = &m->code->header;
  for (int i = 0; i < 3; i++) {
    if (header->block[i] <= (uint32_t)device->limits.max_block[i])
      continue;
    rt_error_set(m->error,
                 "kernel '%s' has %u threads a block along %c; device cuda:%d "
                 "(%s) allows %d",
                 header->name, header->block[i], "xyz"[i], device -> ordinal,
                 device -> name, device -> limits.max_block[i]);
    return HD_ERROR_LAUNCH;
  }
  if (m->code->n_threads <= (uint32_t)m->code->max_threads)
    return HD_OK;
  rt_error_set(m->error,
               "kernel '%s' has %u threads a block; device cuda:%d (%s) allows "
               "%d%s",
               header->name, m->code->n_threads, device->ordinal, device->name,
               m->code->max_threads,
               m->code->max_threads < device->limits.max_threads
                   ? " of this kernel, because of its registers"
                   : "");
  return HD_ERROR_LAUNCH;
}

static HdStatus check_grid(Making *m) {
  const CudaDevice *device = m->code->device;
  const int32_t *grid = m->launch->grid;
  for (int i = 0; i < 3; i++) {
    if (grid[i] <= device->limits.max_grid[i])
      continue;
    rt_error_set(m->error,
                 "kernel '%s': a grid of %d x %d x %d blocks; device cuda:%d "
                 "(%s) allows %d along %c",
                 m->code->header.name, grid[0], grid[1], grid[2],
                 device->ordinal, device->name, device->limits.max_grid[i],
                 "xyz"[i]);
    return HD_ERROR_LAUNCH;
  }
  m->n_blocks = (uint64_t)grid[0] * (uint64_t)grid[1] * (uint64_t)grid[2];
  return HD_OK;
}

static HdStatus cuda_launch_check_shared(const Making *m) {
  const CudaDevice *device = m->code->device;
  if (m->shared_bytes <= device->base.shared_limit_bytes)
    return HD_OK;
  rt_error_set(m->error,
               "kernel '%s' needs %llu bytes of shared memory a block; device "
               "cuda:%d (%s) has %llu",
               m->code->header.name, (unsigned long long)m->shared_bytes,
               device->ordinal, device->name,
               (unsigned long long)device->base.shared_limit_bytes);
  return HD_ERROR_LAUNCH;
}

static HdStatus refuse_clusters(const Making *m) {
  const CudaDevice *device = m->code->device;
  rt_error_set(m->error,
               "kernel '%s' uses clusters; device cuda:%d (%s, compute "
               "capability %d.%d) has none: they need 9.0",
               m->code->header.name, device->ordinal, device->name,
               device->base.sm / 10, device->base.sm % 10);
  return HD_ERROR_UNSUPPORTED;
}

static HdStatus cuda_launch_set_cluster(Making *m) {
  const CudaDevice *device = m->code->device;
  const int32_t *grid = m->launch->grid;
  m->cluster_blocks = 1;
  for (int i = 0; i < 3; i++) {
    uint32_t own = m->code->header.cluster[i];
    uint32_t wanted =
        m->launch->cluster[i] > 0 ? (uint32_t)m->launch->cluster[i] : 1;
    m->cluster[i] = own > 0 ? own : wanted;
    if (m->cluster[i] > MOST_CLUSTER ||
        (uint32_t)grid[i] % m->cluster[i] != 0) {
      rt_error_set(m->error,
                   "a grid of %d x %d x %d blocks can't be made of clusters of "
                   "%u along %c",
                   grid[0], grid[1], grid[2], m->cluster[i], "xyz"[i]);
      return HD_ERROR_LAUNCH;
    }
    m->cluster_blocks *= m->cluster[i];
  }
  if (m->cluster_blocks > MOST_CLUSTER) {
    rt_error_set(m->error, "a cluster has %u blocks: the limit is %d",
                 m->cluster_blocks, MOST_CLUSTER);
    return HD_ERROR_LAUNCH;
  }
  bool has_some = m->cluster_blocks > 1 ||
                  (m->code->header.flags & HD_CUDA_FLAG_CLUSTER) != 0;
  return has_some && !device->limits.has_clusters ? refuse_clusters(m) : HD_OK;
}

// ------------------------------------------------- what is asked of the driver

static bool is_cooperative(const Making *m) {
  return (m->code->header.flags & HD_CUDA_FLAG_COOPERATIVE) != 0;
}

static void set_config(const Making *m, CuLaunchConfig *config,
                       CuLaunchAttribute attributes[2]) {
  *config = (CuLaunchConfig){.shared_bytes = (unsigned)m->shared_bytes,
                             .attributes = attributes};
  for (int i = 0; i < 3; i++) {
    config->grid[i] = (unsigned)m->launch->grid[i];
    config->block[i] = m->code->header.block[i];
  }
  if (is_cooperative(m))
    attributes[config->n_attributes++] = (CuLaunchAttribute){
        .id = CU_LAUNCH_COOPERATIVE, .value.is_cooperative = 1};
  if (m->cluster_blocks == 1)
    return;
  CuLaunchAttribute *cluster = &attributes[config->n_attributes++];
  cluster->id = CU_LAUNCH_CLUSTER;
  memcpy(cluster->value.cluster, m->cluster, sizeof m->cluster);
}

// What only some devices have must be asked for once.
static HdStatus raise_limits_locked(const Making *m) {
  RtCode *code = m->code;
  CudaDevice *device = code->device;
  int result = cuda_code_allow_shared_locked(code, m->shared_bytes);
  if (result != CU_OK)
    return cuda_fail_locked(
        device, result, m->error, "kernel '%s': %llu bytes of shared memory",
        code->header.name, (unsigned long long)m->shared_bytes);
  if (m->cluster_blocks > PORTABLE_CLUSTER && !code->has_large_clusters) {
    result =
        device->api.function_set(code->function, CU_FUNCTION_LARGE_CLUSTERS, 1);
    if (result != CU_OK)
      return cuda_fail_locked(device, result, m->error,
                              "kernel '%s': clusters of %u blocks",
                              code->header.name, m->cluster_blocks);
    code->has_large_clusters = true;
  }
  return HD_OK;
}

// Blocks that can be there together, asked for anew when it may have changed.
static HdStatus count_resident_locked(const Making *m, int64_t *out) {
  RtCode *code = m->code;
  CudaDevice *device = code->device;
  if (code->has_resident && code->resident_for_bytes == m->shared_bytes &&
      memcmp(code->resident_for_cluster, m->cluster, sizeof m->cluster) == 0) {
    *out = code->n_resident;
    return HD_OK;
  }
  int count = 0, result;
  if (m->cluster_blocks > 1) {
    CuLaunchConfig config;
    CuLaunchAttribute attributes[2];
    set_config(m, &config, attributes);
    result = device->api.resident_clusters(&count, code->function, &config);
    *out = (int64_t)count * m->cluster_blocks;
  } else {
    result = device->api.resident_blocks(&count, code->function,
                                         (int)code->n_threads, m->shared_bytes);
    *out = (int64_t)count * device->limits.n_multiprocessors;
  }
  if (result != CU_OK)
    return cuda_fail_locked(device, result, m->error,
                            "kernel '%s': how many blocks fit",
                            code->header.name);
  code->has_resident = true;
  code->n_resident = *out;
  code->resident_for_bytes = m->shared_bytes;
  memcpy(code->resident_for_cluster, m->cluster, sizeof m->cluster);
  return HD_OK;
}

static HdStatus check_resident_locked(const Making *m) {
  const RtCode *code = m->code;
  const CudaDevice *device = code->device;
  int64_t n_resident;
  if (!is_cooperative(m) && m->cluster_blocks == 1)
    return HD_OK;
  HD_TRY(count_resident_locked(m, &n_resident));
  if (is_cooperative(m) && !device->limits.has_cooperative) {
    rt_error_set(m->error,
                 "kernel '%s' syncs the grid, which device cuda:%d (%s) can't",
                 code->header.name, device->ordinal, device->name);
    return HD_ERROR_UNSUPPORTED;
  }
  if (is_cooperative(m) && m->n_blocks > (uint64_t)n_resident) {
    rt_error_set(
        m->error,
        "kernel '%s' syncs the grid, so its %llu blocks must all be resident "
        "at once: of blocks of %u threads and %llu bytes of shared "
        "memory, %lld fit device cuda:%d (%s, %d multiprocessors)",
        code->header.name, (unsigned long long)m->n_blocks, code->n_threads,
        (unsigned long long)m->shared_bytes, (long long)n_resident,
        device->ordinal, device->name, device->limits.n_multiprocessors);
    return HD_ERROR_LAUNCH;
  }
  if (n_resident > 0)
    return HD_OK;
  rt_error_set(m->error,
               "kernel '%s': a cluster of %u blocks of %u threads and %llu "
               "bytes of shared memory doesn't fit device cuda:%d (%s)",
               code->header.name, m->cluster_blocks, code->n_threads,
               (unsigned long long)m->shared_bytes, device->ordinal,
               device->name);
  return HD_ERROR_LAUNCH;
}

static HdStatus check_locked(Making *m) {
  HD_TRY(check_call(m));
  HD_TRY(check_threads(m));
  HD_TRY(check_grid(m));
  HD_TRY(cuda_launch_check_shared(m));
  HD_TRY(cuda_launch_set_cluster(m));
  HD_TRY(raise_limits_locked(m));
  return check_resident_locked(m);
}

// ---------------------------------------------------------------- arguments

static HdStatus workspace_size(const Making *m, uint64_t *out) {
  const CudaHeader *header = &m->code->header;
  *out = 0;
  if (!m->code->has_workspace)
    return HD_OK;
  if (__builtin_mul_overflow(header->workspace_block_bytes, m->n_blocks, out) ||
      *out >> 48) {
    rt_error_set(m->error,
                 "kernel '%s': the workspace of %llu blocks exceeds the "
                 "address space",
                 header->name, (unsigned long long)m->n_blocks);
    return HD_ERROR_MEMORY;
  }
  *out += sizeof(HdCudaWorkspace) + header->workspace_bytes;
  return HD_OK;
}

// Nothing uses the old one any more. Drained streams stay so while the lock is
// held.
static HdStatus workspace_new_locked(CudaDevice *device, const Making *m,
                                     uint64_t size_bytes,
                                     CudaWorkspace *workspace) {
  if (workspace->address)
    (void)device->api.memory_free(workspace->address);
  *workspace = (CudaWorkspace){0};
  if (size_bytes == 0)
    return HD_OK;
  int result = device->api.memory_alloc(&workspace->address, size_bytes);
  if (result == CU_OK) {
    workspace->size_bytes = size_bytes;
    return HD_OK;
  }
  workspace->address = 0;
  return cuda_fail_locked(
      device, result, m->error,
      "kernel '%s': %llu bytes of workspace for %llu blocks",
      m->code->header.name, (unsigned long long)size_bytes,
      (unsigned long long)m->n_blocks);
}

static HdStatus zero_workspace_locked(RtStream *stream, const Making *m,
                                      const CudaWorkspace *workspace,
                                      uint64_t size_bytes) {
  if (size_bytes == 0)
    return HD_OK;
  int result = stream->device->api.memory_set(workspace->address, 0, size_bytes,
                                              stream->handle);
  return result == CU_OK ? HD_OK
                         : cuda_fail_locked(stream->device, result, m->error,
                                            "kernel '%s': its workspace",
                                            m->code->header.name);
}

static HdStatus reserve_words(RtStream *stream, const Making *m) {
  if (stream->words_capacity >= m->code->n_words)
    return HD_OK;
  uint64_t *words =
      realloc(stream->words, m->code->n_words * sizeof *stream->words);
  if (!words) {
    rt_error_set(m->error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  stream->words = words;
  stream->words_capacity = m->code->n_words;
  return HD_OK;
}

static void fill_words(uint64_t *words, const Making *m, CuPointer fault,
                       CuPointer workspace) {
  const CudaHeader *header = &m->code->header;
  const RtLaunch *launch = m->launch;
  uint64_t *hidden = words + header->n_slots;
  uint64_t *globals = hidden + HD_CUDA_N_HIDDEN;
  if (header->n_slots > 0)
    memcpy(words, launch->args, header->n_slots * sizeof *words);
  hidden[HD_CUDA_HIDDEN_FAULT] = fault;
  hidden[HD_CUDA_HIDDEN_WORKSPACE] = workspace;
  hidden[HD_CUDA_HIDDEN_GRID] =
      (uint32_t)launch->grid[0] | (uint64_t)(uint32_t)launch->grid[1] << 32;
  hidden[HD_CUDA_HIDDEN_GRID_Z] = (uint32_t)launch->grid[2];
  for (uint32_t i = 0; i < header->n_globals; i++)
    globals[i] = (uint64_t)(uintptr_t)launch->globals[i];
}

static HdStatus start_locked(RtStream *stream, const Making *m, CuPointer fault,
                             CuPointer workspace) {
  CuLaunchConfig config;
  CuLaunchAttribute attributes[2];
  void *parameters[1 + CUDA_MOST_MAPS];
  RtCode *code = m->code;
  HD_TRY(reserve_words(stream, m));
  fill_words(stream->words, m, fault, workspace);
  parameters[0] = stream->words;
  for (uint32_t i = 0; i < code->header.n_maps; i++) {
    const CuTensorMap *map;
    HD_TRY(cuda_map_get_locked(code, i, m->launch->args, &map, m->error));
    memcpy(&parameters[1 + i], &map, sizeof map);
  }
  set_config(m, &config, attributes);
  config.stream = stream->handle;
  int result =
      code->device->api.launch(&config, code->function, parameters, NULL);
  return result == CU_OK
             ? HD_OK
             : cuda_fail_locked(code->device, result, m->error,
                                "launching kernel '%s'", code->header.name);
}

// ------------------------------------------------------------------- launches

static HdStatus collect_locked(RtStream *stream, const Making *m,
                               const CudaEntry *entry) {
  CudaGraphNode *node;
  uint64_t size_bytes;
  HD_TRY(workspace_size(m, &size_bytes));
  HD_TRY(cuda_graph_node_new_locked(stream, &node, m->error));
  HdStatus status =
      workspace_new_locked(stream->device, m, size_bytes, &node->workspace);
  if (status == HD_OK)
    status = zero_workspace_locked(stream, m, &node->workspace, size_bytes);
  if (status == HD_OK)
    status =
        start_locked(stream, m, node->fault.address, node->workspace.address);
  cuda_graph_node_add_locked(stream, node, entry, status == HD_OK);
  return status;
}

static HdStatus queue_locked(RtStream *stream, const Making *m,
                             const CudaEntry *entry) {
  CudaWorkspace *workspace = &stream->workspace;
  uint64_t size_bytes;
  HD_TRY(workspace_size(m, &size_bytes));
  // Waits release the lock, so that what held before is looked at again.
  cuda_stream_make_room_locked(stream);
  while (workspace->size_bytes < size_bytes) {
    cuda_stream_drain_locked(stream);
    if (workspace->size_bytes < size_bytes)
      HD_TRY(workspace_new_locked(stream->device, m, size_bytes, workspace));
    cuda_stream_make_room_locked(stream);
  }
  HD_TRY(zero_workspace_locked(stream, m, workspace, size_bytes));
  CuPointer fault = stream->faults.address +
                    stream->n_launched % CUDA_RING * sizeof(HdCudaFault);
  HD_TRY(start_locked(stream, m, fault, size_bytes ? workspace->address : 0));
  if (m->code->header.flags & HD_CUDA_FLAG_PRINTS)
    stream->has_printed = true;
  cuda_stream_push_locked(stream, entry);
  return HD_OK;
}

// *is_kept: the entry's callback will be made. A launch behind a failure is
// dropped.
static HdStatus launch_locked(RtStream *stream, const RtLaunch *launch,
                              const CudaEntry *entry, bool *is_kept,
                              RtError *error) {
  CudaDevice *device = stream->device;
  Making m = {.code = entry->code, .launch = launch, .error = error};
  if (stream->status != HD_OK)
    return HD_OK;
  if (atomic_load(&device->is_lost)) {
    *error = device->loss;
    return HD_ERROR_DEVICE;
  }
  m.shared_bytes = m.code->header.shared_bytes + launch->dynamic_shared_bytes;
  HD_TRY(check_locked(&m));
  HdStatus status = stream->collecting ? collect_locked(stream, &m, entry)
                                       : queue_locked(stream, &m, entry);
  *is_kept = status == HD_OK;
  // A failure of an earlier launch showed: the next wait tells it.
  return stream->status != HD_OK ? HD_OK : status;
}

static bool is_interrupted(const RtLaunch *launch) {
  return launch->interrupt &&
         __atomic_load_n(launch->interrupt, __ATOMIC_RELAXED) != 0;
}

static HdStatus cuda_launch_on(RtStream *stream, const RtLaunch *launch,
                               void (*done)(void *context), void *context,
                               RtError *error) {
  CudaDevice *device = stream->device;
  // The driver's functions take code that they could change.
  RtCode *code;
  memcpy(&code, &launch->code, sizeof code);
  CudaEntry entry = {.code = code,
                     .done = done,
                     .context = context,
                     .interrupt = launch->interrupt};
  bool is_kept = false;
  HdStatus status = HD_OK;
  CudaScope scope;
  (void)cuda_enter_to_free(device, &scope); // a loss is told below
  pthread_mutex_lock(&device->lock);
  if (is_interrupted(launch)) {
    rt_error_set(error, "interrupted");
    cuda_stream_set_failure_locked(stream, HD_ERROR_INTERRUPTED, error);
  } else {
    status = launch_locked(stream, launch, &entry, &is_kept, error);
  }
  pthread_mutex_unlock(&device->lock);
  cuda_leave(device, scope);
  if (!is_kept && done)
    done(context);
  return status;
}

static HdStatus launch_alone(CudaDevice *device, const RtLaunch *launch,
                             void (*done)(void *context), void *context,
                             RtError *error) {
  RtStream *stream;
  HdStatus status = cuda_stream_take_idle(device, &stream, error);
  if (status != HD_OK) {
    if (done)
      done(context);
    return status;
  }
  status = cuda_launch_on(stream, launch, done, context, error);
  if (status == HD_OK)
    status = cuda_stream_wait(stream, error);
  cuda_stream_give_idle(stream);
  return status;
}

HdStatus cuda_launch(RtDevice *base, RtStream *stream, const RtLaunch *launch,
                     void (*done)(void *context), void *context,
                     RtError *error) {
  HD_ASSERT(launch->code && (launch->args || launch->n_slots == 0));
  HD_ASSERT(&((const RtCode *)launch->code)->device->base == base &&
            (!stream || &stream->device->base == base));
  if (launch->grid[0] < 1 || launch->grid[1] < 1 || launch->grid[2] < 1) {
    if (done)
      done(context);
    return HD_OK;
  }
  return stream
             ? cuda_launch_on(stream, launch, done, context, error)
             : launch_alone((CudaDevice *)base, launch, done, context, error);
}
