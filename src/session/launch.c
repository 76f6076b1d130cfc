// SPDX-License-Identifier: Apache-2.0
// Launches: nothing runs before every argument, clause and limit is checked.
#include "session/args.h"
#include "session/flight.h"
#include "session/kernel_source.h"
#include "tile/tile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const IrParam *launch_param_of(const HdArgs *args, uint32_t index) {
  return &args->ir->params.data[index];
}

// ------------------------------------------------------- grid and limits

static HdStatus grid_dimension(const HdArgs *args, int i, int64_t *out) {
  static const char axes[] = "xyz";
  HostScope scope = args_scope(args);
  char buffer[256];
  const char *why = host_eval_int(&scope, args->ir->grid[i], out, buffer);
  if (why)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "kernel '%s': grid %c: %s", args->ir->name, axes[i],
                        why);
  return HD_OK;
}

HdStatus args_grid(const HdArgs *args, const HdLaunchOptions *options,
                   int32_t grid[3]) {
  static const char axes[] = "xyz";
  bool is_given = options && options->has_grid;
  if (args->ir->n_grid == 0 && !is_given)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "kernel '%s' leaves its grid to the launcher: give the "
                        "number of blocks (--grid X,Y,Z)",
                        args->ir->name);
  for (int i = 0; i < 3; i++) {
    int64_t blocks = is_given ? options->grid[i] : 1, stated = 1;
    if (i < args->ir->n_grid && args->ir->grid[i])
      HD_TRY(grid_dimension(args, i, &stated));
    if (args->ir->n_grid > 0 && is_given && blocks != stated)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': grid %c is given as %" PRId64
                          ", but the kernel states %" PRId64,
                          args->ir->name, axes[i], blocks, stated);
    if (args->ir->n_grid > 0)
      blocks = stated;
    if (blocks < 0 || blocks > INT32_MAX)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': grid %c is %" PRId64
                          " blocks; it must be between 0 and %d",
                          args->ir->name, axes[i], blocks, INT32_MAX);
    grid[i] = (int32_t)blocks;
  }
  int64_t total = (int64_t)grid[0] * grid[1];
  if (__builtin_mul_overflow(total, grid[2], &total))
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "kernel '%s': %d x %d x %d blocks are more than 2^63-1",
                        args->ir->name, grid[0], grid[1], grid[2]);
  return HD_OK;
}

// Programs that were built before clusters pass smaller options.
static bool gives_cluster(const HdLaunchOptions *options) {
  size_t end = offsetof(HdLaunchOptions, has_cluster) + sizeof(int);
  return options && options->size_bytes >= end && options->has_cluster;
}

static const char *trace_path(const HdLaunchOptions *options) {
  size_t end = offsetof(HdLaunchOptions, trace) + sizeof(char *);
  return options && options->size_bytes >= end ? options->trace : NULL;
}

static uint64_t schedule_seed(const HdLaunchOptions *options) {
  size_t end = offsetof(HdLaunchOptions, schedule) + sizeof(uint64_t);
  return options && options->size_bytes >= end ? options->schedule : 0;
}

HdStatus args_cluster(const HdArgs *args, const HdLaunchOptions *options,
                      const int32_t grid[3], int32_t cluster[3]) {
  enum { MOST_BLOCKS = 16 };

  static const char axes[] = "xyz";
  const IrKernel *kernel = args->ir;
  bool is_given = gives_cluster(options), is_stated = kernel->cluster_dim[0];
  int64_t total = 1;
  for (int i = 0; i < 3; i++) {
    int64_t stated = is_stated ? kernel->cluster_dim[i] : 1;
    int64_t blocks = is_given ? options->cluster[i] : stated;
    if (is_stated && blocks != stated)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': cluster %c is given as %" PRId64
                          ", but the kernel states %" PRId64,
                          kernel->name, axes[i], blocks, stated);
    if (blocks < 1 || blocks > MOST_BLOCKS || total * blocks > MOST_BLOCKS)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': cluster %c is %" PRId64
                          "; a cluster has 1 to %d blocks altogether",
                          kernel->name, axes[i], blocks, MOST_BLOCKS);
    if (grid[i] % blocks != 0)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': grid %c is %d blocks, which is not a "
                          "multiple of the cluster's %" PRId64,
                          kernel->name, axes[i], grid[i], blocks);
    total *= blocks;
    cluster[i] = (int32_t)blocks;
  }
  return HD_OK;
}

static bool is_sized_by_launch(const IrObject *object) {
  for (int i = 0; i < object->rank; i++) {
    if (object->space == SPACE_SHARED && object->extents[i] &&
        object->extents[i]->op != HOST_CONST)
      return true;
  }
  return false;
}

HdStatus args_dynamic_shared(const HdArgs *args, uint64_t *out) {
  *out = 0;
  HostScope scope = args_scope(args);
  char buffer[256];
  for (uint32_t i = 0; i < args->ir->objects.count; i++) {
    const IrObject *object = args->ir->objects.data[i];
    if (!is_sized_by_launch(object))
      continue;
    uint64_t bytes = object->element_bytes;
    for (int k = 0; k < object->rank; k++) {
      int64_t extent = 0;
      const char *why =
          host_eval_int(&scope, object->extents[k], &extent, buffer);
      if (!why && extent < 0)
        return session_fail(args->session, HD_ERROR_LAUNCH,
                            "extent %d of shared array '%s' is %" PRId64
                            "; it must not be negative",
                            k, object->name, extent);
      if (!why && __builtin_mul_overflow(bytes, (uint64_t)extent, &bytes))
        why = "the array is larger than an address can reach";
      if (why)
        return session_fail(args->session, HD_ERROR_LAUNCH,
                            "extent %d of shared array '%s': %s", k,
                            object->name, why);
    }
    *out += bytes;
  }
  return HD_OK;
}

static HdStatus launch_check_shared(const HdArgs *args, const HdDevice *device,
                                    const HdCpuKernel *code, uint64_t dynamic) {
  uint64_t limit = device->device->shared_limit_bytes, total;
  uint64_t own = code->shared_bytes - code->scratch_bytes;
  if (!__builtin_add_overflow(own, dynamic, &total) && total <= limit)
    return HD_OK;
  return session_fail(args->session, HD_ERROR_LAUNCH,
                      "kernel '%s' needs %" PRIu64
                      " bytes of shared memory a block; the limit is %" PRIu64
                      ": %" PRIu64 " too many",
                      args->ir->name, own + dynamic, limit,
                      own + dynamic - limit);
}

// ------------------------------------------------------------------- facts

static bool strides_are_dense(const HdBuffer *b) {
  int64_t stride = 1;
  for (int i = b->rank - 1; i >= 0; i--) {
    if (b->extents[i] > 1 && b->strides[i] != stride)
      return false;
    stride *= b->extents[i] > 0 ? b->extents[i] : 1;
  }
  return true;
}

static uint64_t buffer_facts(const HdBuffer *b) {
  uint64_t facts = 0;
  bool is_stride16 =
      b->extents[b->rank - 1] * (int64_t)b->element_bytes % 16 == 0;
  bool is_empty = false; // the copy engine takes no such array
  for (int i = 0; i < b->rank; i++)
    is_empty |= b->extents[i] == 0;
  for (int i = 0; i < b->rank - 1; i++)
    is_stride16 &= b->strides[i] * (int64_t)b->element_bytes % 16 == 0;
  facts |= !is_empty && (uintptr_t)b->data % 16 == 0 ? FACT_ALIGNED16 : 0;
  facts |= is_stride16 ? FACT_STRIDE16 : 0;
  facts |= strides_are_dense(b) ? FACT_DENSE : 0;
  facts |= buffer_span(b) < INT32_MAX ? FACT_SMALL : 0;
  return facts;
}

#define LONG_BYTES ((uint64_t)16 << 20)

// A plain pointer leads to all of the memory that its buffer is a part of, on
// both sides.
static uint64_t pointer_facts(const HdBuffer *b) {
  uint64_t elements = b->memory->size_bytes / b->element_bytes, facts = 0;
  uint64_t most = b->data == b->memory->data ? INT32_MAX : INT32_MAX / 2;
  facts |= (uintptr_t)b->data % 16 == 0 ? FACT_ALIGNED16 : 0;
  facts |= elements < most ? FACT_SMALL : 0;
  facts |= b->memory->size_bytes >= LONG_BYTES ? FACT_LONG : 0;
  return facts;
}

// The block of a tile kernel becomes that many threads at most.
#define MOST_TILE_LANES 1024

static bool has_few_threads(const IrKernel *kernel, const int32_t grid[3]) {
  int64_t n_lanes = kernel->level == LEVEL_TILES ? MOST_TILE_LANES : 1;
  for (int k = 0; k < 3; k++)
    if (grid[k] * n_lanes * kernel->block_dim[k] > INT32_MAX)
      return false;
  return true;
}

uint64_t args_facts(const HdArgs *args, const int32_t grid[3]) {
  bool is_few = !grid || has_few_threads(args->ir, grid);
  uint64_t facts = is_few ? FACTS_FEW_THREADS : 0;
  int shift = 0;
  for (uint32_t i = 0; i < args->ir->params.count && shift < FACTS_END; i++) {
    IrParamKind kind = launch_param_of(args, i)->kind;
    if (kind != PARAM_ARRAY && kind != PARAM_POINTER)
      continue;
    if (!args->lists[i]) // of several buffers nothing is known
      facts |= (kind == PARAM_ARRAY ? buffer_facts(args->buffers[i])
                                    : pointer_facts(args->buffers[i]))
               << shift;
    shift += FACTS_BITS;
  }
  return facts;
}

// ----------------------------------------------------------------- running

static HdStatus launch_find_device(const HdArgs *args, HdStream *stream,
                                   const HdLaunchOptions *options,
                                   HdDevice **out) {
  *out = stream ? stream->device : options ? options->device : NULL;
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    HdBuffer *buffer = args->buffers[i];
    if (!buffer)
      continue;
    if (*out && buffer->memory->device != *out)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' is on another device than the launch",
                          launch_param_of(args, i)->name);
    *out = buffer->memory->device;
  }
  if (!*out)
    return session_fail(args->session, HD_ERROR_ARGUMENT,
                        "a kernel without arrays needs a stream or a device in "
                        "the launch options");
  return HD_OK;
}

static size_t tables_count(const HdArgs *args) {
  size_t n = 0;
  for (uint32_t i = 0; i < args->ir->params.count; i++)
    n += args->lists[i] ? args->lists[i]->count + 1u : 0;
  return n;
}

// To `table`, which kernels find at `address`. Behind the arrays of a list is
// one address more: code may load, but not use, what an index beyond them
// names.
static void tables_fill(HdArgs *args, uint64_t *table, uint64_t address) {
  size_t n = 0;
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    const ArgList *list = args->lists[i];
    if (!list)
      continue;
    args->slots[launch_param_of(args, i)->slot] = address + n * sizeof *table;
    for (uint32_t k = 0; k < list->count; k++)
      table[n++] = (uint64_t)(uintptr_t)list->members[k].data;
    table[n++] = (uint64_t)(uintptr_t)list->members[0].data;
  }
}

static HdStatus tables_to_device(HdArgs *args, HdDevice *device, Flight *flight,
                                 uint64_t *table, size_t n) {
  HdBuffer *buffer;
  int64_t length = (int64_t)n;
  HD_TRY(hd_buffer_new(device, HD_I64, 1, &length, &buffer));
  tables_fill(args, table, (uint64_t)(uintptr_t)buffer->data);
  HdStatus status = hd_buffer_write(buffer, table, n * sizeof *table);
  flight_add(flight, buffer->memory);
  hd_buffer_free(buffer);
  return status;
}

// Where the arrays of arrays of arrays are, in memory of the device.
static HdStatus add_tables(HdArgs *args, HdDevice *device, Flight *flight) {
  size_t n = tables_count(args);
  if (n == 0)
    return HD_OK;
  uint64_t *table = flight->tables = calloc(n, sizeof *table);
  if (!table)
    return session_no_memory(args->session, NULL);
  if (!device->device->ops->is_host)
    return tables_to_device(args, device, flight, table, n);
  tables_fill(args, table, (uint64_t)(uintptr_t)table);
  return HD_OK;
}

static HdStatus start_launch(HdArgs *args, HdStream *stream, HdDevice *device,
                             RtLaunch *launch) {
  HdSession *session = args->session;
  HdGraph *keeper = stream ? stream->graph : NULL;
  uint32_t n_params = args->ir->params.count;
  uint32_t n_buffers = 0;
  for (uint32_t i = 0; i < n_params; i++)
    n_buffers += args_buffer_count(args, i);
  Flight *flight =
      flight_new(session, args->kernel->program, keeper, n_buffers + 1);
  if (!flight)
    return session_no_memory(session, NULL);
  for (uint32_t i = 0; i < n_params; i++)
    for (uint32_t k = 0; k < args_buffer_count(args, i); k++)
      flight_add(flight, args_buffer(args, i, k)->memory);
  HdStatus status = add_tables(args, device, flight);
  if (status != HD_OK) {
    flight_done(flight);
    return status;
  }
  if (keeper && !graph_add(keeper, flight->memories, flight->n_memories)) {
    flight_done(flight);
    return session_no_memory(session, NULL);
  }
  launch->memories = flight->ranges;
  launch->n_memories = flight->n_memories;
  RtError error;
  error.text[0] = 0; // clearing all of it costs as much as the rest
  status = device->device->ops->launch(device->device,
                                       stream ? stream->stream : NULL, launch,
                                       flight_done, flight, &error);
  return status == HD_OK ? status
                         : session_fail(session, status, "%s", error.text);
}

static bool is_no_product(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_WGMMA_MMA;
}

// The moment at which matrix units make their products, of four.
static uint64_t moment_of(const HdArgs *args, uint64_t seed) {
  IrRegion body = args->ir->body;
  if (!args->session->options.schedule || ir_walk(&body, is_no_product, NULL))
    return 0;
  return (seed * UINT64_C(0x9e3779b97f4a7c15) >> 62) << FACTS_MOMENT;
}

// Under one seed in four each lane of a warp is scheduled by itself, which
// takes many times as long: where threads look for others, with checks.
static uint64_t schedule_facts(const HdArgs *args,
                               const HdLaunchOptions *options) {
  const HdSessionOptions *session = &args->session->options;
  bool is_drawn =
      session->schedule && session->sanitize && schedule_seed(options) % 4 == 3;
  bool is_apart = is_drawn && ir_observes_order(args->ir);
  return (is_apart ? FACTS_LANES_APART : 0) |
         moment_of(args, schedule_seed(options));
}

// All that is known of a launch once its arguments are checked; its code.
static HdStatus prepare_launch(HdArgs *args, HdDevice *device,
                               const HdLaunchOptions *options,
                               RtLaunch *launch) {
  HdProgram *program = args->kernel->program;
  Spec *spec = args->kernel->spec;
  *launch = (RtLaunch){.args = args->slots,
                       .n_slots = args->ir->n_slots,
                       .is_scheduled = args->session->options.schedule != 0,
                       .seed = schedule_seed(options),
                       .interrupt = &args->session->interrupt,
                       .allows_equal_stores =
                           program->kernels->policy.allows_equal_stores ||
                           args->session->options.allow_same_value != 0,
                       .trace_path = trace_path(options)};
  if (launch->trace_path && !device->target->ops->has_timelines)
    return session_fail(args->session, HD_ERROR_UNSUPPORTED,
                        "only launches on the CPU have timelines");
  HD_TRY(args_grid(args, options, launch->grid));
  HD_TRY(args_cluster(args, options, launch->grid, launch->cluster));
  HD_TRY(args_dynamic_shared(args, &launch->dynamic_shared_bytes));
  session_lock(args->session);
  uint64_t facts =
      args_facts(args, launch->grid) | schedule_facts(args, options);
  HdStatus status = variant_get(program, spec, device, facts, &launch->code);
  if (status == HD_OK)
    status = globals_table(program, spec, device, &launch->globals);
  session_unlock(args->session);
  HD_TRY(status);
  return device->device->ops->is_host
             ? launch_check_shared(args, device, launch->code,
                                   launch->dynamic_shared_bytes)
             : HD_OK;
}

static HdStatus launch_args(HdArgs *args, HdStream *stream,
                            const HdLaunchOptions *options) {
  HdDevice *device;
  RtLaunch launch;
  HD_TRY(args_check(args));
  if (args->session->options.sanitize)
    HD_TRY(args_check_contents(args));
  HD_TRY(launch_find_device(args, stream, options, &device));
  HD_TRY(prepare_launch(args, device, options, &launch));
  return start_launch(args, stream, device, &launch);
}

HdStatus hd_args_launch(HdArgs *args, HdStream *stream,
                        const HdLaunchOptions *options) {
  if (!args)
    return session_null(NULL, "hd_args_launch");
  SESSION_RESCUE(args->session, NULL, HD_ERROR_MEMORY);
  return launch_args(args, stream, options);
}

// How the blocks of a tile kernel are run.
static const char *blocks_text(HdArgs *args, const HdDevice *device) {
  const IrKernel *kernel = args->kernel->spec->kernel;
  if (device->target->compiler->follows_blocks)
    return "blocks run one by one: this session is told of each";
  session_lock(args->session);
  const char *why = tile_apart(kernel);
  const char *text =
      why ? arena_printf(args->kernel->program->arena,
                         "blocks run one by one: %s", why)
          : "neighbouring blocks run together, with operands of their product "
            "packed once for all of them";
  session_unlock(args->session);
  return text;
}

// Where the objects of a block's shared memory lie; NULL: it has none. The
// caller holds the lock.
static HdStatus shared_text(HdArgs *args, const HdDevice *device,
                            const char **out) {
  HdProgram *program = args->kernel->program;
  const CodeTarget *target = device->target;
  int stage = target_stage(target->ops, "shared");
  const IrKernel *kernel;
  const char *why = NULL;
  *out = NULL;
  if (stage < 0)
    return HD_OK;
  Text text = {.arena = arena_new()};
  HdStatus status =
      threads_get(program, target, args->kernel->spec, text.arena, &kernel);
  if (status == HD_OK) {
    status = target->ops->dump(target->compiler, text.arena, kernel->module,
                               kernel, stage, &text, &why);
    if (status != HD_OK)
      status = code_fail(program, target, args->kernel->spec, status, why);
    else if (text.length > 0)
      *out = arena_strdup(program->arena, text_cstr(&text));
  }
  arena_free(text.arena);
  return status;
}

// Devices that have no information on code: the CPUs.
static HdStatus report_without_code(HdArgs *args, HdDevice *device,
                                    HdReport *out) {
  bool is_tiled = args->kernel->spec->kernel->level == LEVEL_TILES;
  if (!is_tiled && target_stage(device->target->ops, "shared") < 0)
    return session_fail(args->session, HD_ERROR_UNSUPPORTED,
                        "the device reports nothing of this kernel");
  HdReport report = {.size_bytes = out->size_bytes, .spill_bytes = -1};
  if (is_tiled)
    report.blocks = blocks_text(args, device);
  session_lock(args->session);
  HdStatus status = shared_text(args, device, &report.shared);
  session_unlock(args->session);
  if (status == HD_OK)
    memcpy(out, &report,
           out->size_bytes < sizeof report ? out->size_bytes : sizeof report);
  return status;
}

static HdStatus report_args(HdArgs *args, HdDevice *device, HdReport *out) {
  HdSession *session = args->session;
  const RtDeviceOps *ops = device->device->ops;
  if (!ops->code_info)
    return report_without_code(args, device, out);
  const void *code;
  const char *shared = NULL;
  uint64_t dynamic;
  HD_TRY(args_check(args));
  HD_TRY(args_dynamic_shared(args, &dynamic));
  session_lock(session);
  HdStatus status = variant_get(args->kernel->program, args->kernel->spec,
                                device, args_facts(args, NULL), &code);
  if (status == HD_OK)
    status = shared_text(args, device, &shared);
  session_unlock(session);
  HD_TRY(status);
  RtCodeInfo info = {0};
  RtError error = {0};
  status =
      ops->code_info(device->device, (RtCode *)(uintptr_t)code, &info, &error);
  if (status != HD_OK)
    return session_fail(session, status, "%s", error.text);
  HdReport report = {.size_bytes = out->size_bytes,
                     .registers = info.registers,
                     .shared_bytes = info.shared_bytes + dynamic,
                     .local_bytes = info.local_bytes,
                     .spill_bytes = info.spill_bytes,
                     .resident_blocks = info.resident_blocks,
                     .resident_threads = info.resident_threads,
                     .most_threads = info.most_threads,
                     .assemble_ms = info.assemble_ms,
                     .shared = shared};
  memcpy(out, &report,
         out->size_bytes < sizeof report ? out->size_bytes : sizeof report);
  return HD_OK;
}

HdStatus hd_args_report(HdArgs *args, HdDevice *device, HdReport *out) {
  if (!args || !device || !out)
    return session_null(args ? args->session : NULL, "hd_args_report");
  SESSION_RESCUE(args->session, NULL, HD_ERROR_MEMORY);
  return report_args(args, device, out);
}

static HdStatus set_and_launch(HdArgs *args, HdStream *stream,
                               const HdLaunchOptions *options,
                               const HdArg *values) {
  for (uint32_t i = 0; i < args->ir->params.count; i++)
    HD_TRY(args_set_index(args, i, &values[i]));
  return hd_args_launch(args, stream, options);
}

HdStatus hd_kernel_launch(HdKernel *kernel, HdStream *stream,
                          const HdLaunchOptions *options, const HdArg *values,
                          int n_values) {
  if (!kernel || (!values && n_values > 0))
    return session_null(kernel ? kernel->program->session : NULL,
                        "hd_kernel_launch");

  enum { MOST_BYTES = 4096 };

  _Alignas(16) char place[MOST_BYTES]; // allocating costs a tenth of a launch
  HdArgs *args = (HdArgs *)(void *)place;
  HdSession *session = kernel->program->session;
  uint32_t n_params = kernel->spec->kernel->params.count;
  if (n_values < 0 || (uint32_t)n_values != n_params)
    return session_fail(session, HD_ERROR_LAUNCH,
                        "kernel '%s' takes %u arguments, but %d were given",
                        kernel->spec->kernel->name, n_params, n_values);
  bool is_large = args_size(kernel) > MOST_BYTES;
  if (is_large)
    HD_TRY(hd_args_new(kernel, &args));
  else
    args_init(args, kernel);
  HdStatus status = set_and_launch(args, stream, options, values);
  if (is_large)
    hd_args_free(args);
  else
    args_fini(args);
  return status;
}

HdStatus hd_launch(HdProgram *program, const char *name, HdStream *stream,
                   ...) {
  if (!program)
    return session_null(NULL, "hd_launch");

  enum { MOST_ARGS = 256 };

  HdArg values[MOST_ARGS];
  int n_values = 0;
  va_list list;
  va_start(list, stream);
  for (;;) {
    HdArg value = va_arg(list, HdArg);
    if (value.kind == HD_ARG_END || n_values == MOST_ARGS)
      break;
    values[n_values++] = value;
  }
  va_end(list);
  HdKernel *kernel;
  HD_TRY(hd_kernel_get(program, name, NULL, 0, &kernel));
  HdStatus status = hd_kernel_launch(kernel, stream, NULL, values, n_values);
  hd_kernel_free(kernel);
  return status;
}

HdStatus hd_args_work(HdArgs *args, double *flops, double *bytes) {
  if (!args || !flops || !bytes)
    return session_null(args ? args->session : NULL, "hd_args_work");
  const IrHost *works[2] = {args->ir->flops, args->ir->bytes};
  double *results[2] = {flops, bytes};
  HostScope scope = args_scope(args);
  for (int i = 0; i < 2; i++) {
    HostValue value;
    char buffer[256];
    *results[i] = -1;
    if (!works[i])
      continue;
    const char *why = host_eval(&scope, works[i], &value, buffer);
    if (why)
      return session_fail(args->session, HD_ERROR_LAUNCH, "declared work: %s",
                          why);
    *results[i] = value.is_float ? value.real : (double)value.integer;
  }
  return HD_OK;
}
