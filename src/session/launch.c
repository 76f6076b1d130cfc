// SPDX-License-Identifier: Apache-2.0
// Launches: nothing runs before every argument, clause and limit is checked.
#include "session/args.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const IrParam *param_of(const HdArgs *args, uint32_t index) {
  return &args->ir->params.data[index];
}

static bool is_array(const IrParam *p) {
  return p->kind == PARAM_ARRAY;
}

static bool is_memory(const IrParam *p) {
  return p->kind == PARAM_ARRAY || p->kind == PARAM_POINTER;
}

// ------------------------------------------------------------------ shapes

// " (n is 5, from 'x')" for an extent that is a parameter inferred elsewhere.
static const char *origin_text(const HdArgs *args, const IrHost *expression,
                               char text[160]) {
  text[0] = 0;
  if (expression && expression->op == HOST_PARAM &&
      args->given_by[expression->number])
    snprintf(text, 160, " (%s comes from '%s')",
             param_of(args, (uint32_t)expression->number)->name,
             args->given_by[expression->number]);
  return text;
}

static HdStatus check_dense(const HdArgs *args, uint32_t index,
                            const int64_t *extents) {
  const HdBuffer *buffer = args->buffers[index];
  int64_t stride = 1;
  for (int i = buffer->rank - 1; i >= 0; i--) {
    if (extents[i] > 1 && buffer->strides[i] != stride)
      return session_fail(
          args->session, HD_ERROR_LAUNCH,
          "argument '%s': stride %d is %" PRId64 ", a dense array has %" PRId64,
          param_of(args, index)->name, i, buffer->strides[i], stride);
    stride *= extents[i] > 0 ? extents[i] : 1;
  }
  return HD_OK;
}

// Positive and non-overlapping where written; 0 is allowed for reading.
static HdStatus check_strides(const HdArgs *args, uint32_t index,
                              const int64_t *strides) {
  const IrParam *p = param_of(args, index);
  const HdBuffer *buffer = args->buffers[index];
  char text[160];
  for (int i = 0; i < buffer->rank; i++) {
    if (buffer->extents[i] > 1 && buffer->strides[i] != strides[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': stride %d is %" PRId64
                          ", the kernel states %" PRId64 "%s",
                          p->name, i, buffer->strides[i], strides[i],
                          origin_text(args, p->object->strides[i], text));
    if (!p->object->is_const && buffer->extents[i] > 1 && strides[i] == 0)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': stride %d is 0, but the array is "
                          "written",
                          p->name, i);
  }
  return HD_OK;
}

// Elements of different subscripts must be different places: sorted by stride,
// each must reach beyond all that the smaller ones span.
static HdStatus check_no_self_overlap(const HdArgs *args, uint32_t index) {
  const IrParam *p = param_of(args, index);
  const HdBuffer *b = args->buffers[index];
  int order[8];
  for (int i = 0; i < b->rank; i++) {
    int k = i;
    for (; k > 0 && b->strides[order[k - 1]] > b->strides[i]; k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  int64_t span = 1;
  for (int i = 0; i < b->rank; i++) {
    int64_t extent = b->extents[order[i]], stride = b->strides[order[i]];
    if (extent > 1 && stride < span)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' is written, but its elements overlap: "
                          "stride %d is %" PRId64 ", smaller than the %" PRId64
                          " elements inside",
                          p->name, order[i], stride, span);
    if (extent > 1)
      span += (extent - 1) * stride;
  }
  return HD_OK;
}

static HdStatus check_array(const HdArgs *args, uint32_t index) {
  const IrParam *p = param_of(args, index);
  const HdBuffer *buffer = args->buffers[index];
  int64_t extents[IR_MAX_RANK], strides[IR_MAX_RANK];
  HD_TRY(args_shape(args, index, false, extents));
  char text[160];
  for (int i = 0; i < buffer->rank; i++) {
    if (buffer->extents[i] != extents[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': extent %d is %" PRId64
                          ", the kernel states %" PRId64 "%s",
                          p->name, i, buffer->extents[i], extents[i],
                          origin_text(args, p->object->extents[i], text));
  }
  if (!p->object->has_strides)
    return check_dense(args, index, extents);
  HD_TRY(args_shape(args, index, true, strides));
  HD_TRY(check_strides(args, index, strides));
  return p->object->is_const ? HD_OK : check_no_self_overlap(args, index);
}

static HdStatus check_alignment(const HdArgs *args, uint32_t index) {
  const IrParam *p = param_of(args, index);
  uint32_t align = p->object->align_bytes ? p->object->align_bytes : 1;
  if ((uintptr_t)args->buffers[index]->data % align == 0)
    return HD_OK;
  return session_fail(args->session, HD_ERROR_LAUNCH,
                      "argument '%s' begins at %p, which is not a multiple of "
                      "%u bytes",
                      p->name, (void *)args->buffers[index]->data, align);
}

// ----------------------------------------------------------------- overlap

int64_t buffer_span(const HdBuffer *buffer) {
  int64_t last = 0;
  for (int i = 0; i < buffer->rank; i++) {
    if (buffer->extents[i] == 0)
      return 0;
    last += (buffer->extents[i] - 1) * buffer->strides[i];
  }
  return last + 1;
}

static bool buffers_overlap(const HdBuffer *a, const HdBuffer *b) {
  uint64_t a_bytes = (uint64_t)buffer_span(a) * a->element_bytes;
  uint64_t b_bytes = (uint64_t)buffer_span(b) * b->element_bytes;
  uintptr_t a_start = (uintptr_t)a->data, b_start = (uintptr_t)b->data;
  return a_start < b_start + b_bytes && b_start < a_start + a_bytes &&
         a_bytes > 0 && b_bytes > 0;
}

static bool may_alias(const IrKernel *kernel, const IrObject *a,
                      const IrObject *b) {
  if (a->is_plain_pointer || b->is_plain_pointer ||
      (a->is_const && b->is_const))
    return true;
  for (uint32_t i = 0; i < kernel->may_alias.count; i++) {
    IrAliasPair pair = kernel->may_alias.data[i];
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
      return true;
  }
  return false;
}

static HdStatus check_overlap(const HdArgs *args, uint32_t a) {
  for (uint32_t b = 0; b < a; b++) {
    const IrParam *pa = param_of(args, a), *pb = param_of(args, b);
    if (is_memory(pb) && !may_alias(args->ir, pa->object, pb->object) &&
        buffers_overlap(args->buffers[a], args->buffers[b]))
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "arguments '%s' and '%s' overlap in memory and one "
                          "is written; the kernel does not say may_alias(%s, "
                          "%s)",
                          pb->name, pa->name, pb->name, pa->name);
  }
  return HD_OK;
}

// ---------------------------------------------------------------- requires

static void add_values(const HdArgs *args, const IrHost *x, Text *text,
                       bool *seen) {
  if (x->op == HOST_PARAM && !seen[x->number]) {
    const IrParam *p = param_of(args, (uint32_t)x->number);
    HostScope scope = args_scope(args);
    HostValue value;
    char buffer[256];
    seen[x->number] = true;
    if (host_eval(&scope, x, &value, buffer))
      return;
    text_add(text, text->length ? ", " : "");
    if (value.is_float)
      text_printf(text, "%s = %.9g", p->name, value.real);
    else
      text_printf(text, "%s = %" PRId64, p->name, value.integer);
  }
  for (int i = 0; i < x->n_args; i++) {
    if (x->args[i])
      add_values(args, x->args[i], text, seen);
  }
}

static HdStatus refuse_require(const HdArgs *args, const IrRequire *require,
                               const char *why) {
  Arena *arena = arena_new();
  bool *seen = ARENA_ARRAY(arena, bool, args->ir->params.count + 1);
  Text values = {.arena = arena};
  add_values(args, require->condition, &values, seen);
  const char *place = ir_loc_text(args->ir->module, require->loc, arena);
  HdStatus status =
      session_fail(args->session, HD_ERROR_LAUNCH,
                   "kernel '%s' requires %s (%s), which %s%s%s", args->ir->name,
                   require->text, place, why, values.length ? " for " : "",
                   text_cstr(&values));
  arena_free(arena);
  return status;
}

static HdStatus check_requires(const HdArgs *args) {
  HostScope scope = args_scope(args);
  for (uint32_t i = 0; i < args->ir->requirements.count; i++) {
    const IrRequire *require = &args->ir->requirements.data[i];
    HostValue value;
    char buffer[256];
    if (require->kind != REQUIRE_HOST)
      continue;
    const char *why = host_eval(&scope, require->condition, &value, buffer);
    if (why)
      return refuse_require(args, require, why);
    if (value.is_float ? value.real == 0 : value.integer == 0)
      return refuse_require(args, require, "is false");
  }
  return HD_OK;
}

HdStatus args_check(const HdArgs *args) {
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    const IrParam *p = param_of(args, i);
    if (!args->has_value[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' of kernel '%s' is missing", p->name,
                          args->ir->name);
  }
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    if (!is_memory(param_of(args, i)))
      continue;
    if (is_array(param_of(args, i)))
      HD_TRY(check_array(args, i));
    HD_TRY(check_alignment(args, i));
    HD_TRY(check_overlap(args, i));
  }
  return check_requires(args);
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
                          ", the kernel states %" PRId64,
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
                          ", the kernel states %" PRId64,
                          kernel->name, axes[i], blocks, stated);
    if (blocks < 1 || blocks > MOST_BLOCKS || total * blocks > MOST_BLOCKS)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': cluster %c is %" PRId64
                          "; a cluster has 1 to %d blocks altogether",
                          kernel->name, axes[i], blocks, MOST_BLOCKS);
    if (grid[i] % blocks != 0)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "kernel '%s': grid %c is %d blocks, which is no "
                          "multiple of the cluster's %" PRId64,
                          kernel->name, axes[i], grid[i], blocks);
    total *= blocks;
    cluster[i] = (int32_t)blocks;
  }
  return HD_OK;
}

static bool is_sized_at_launch(const IrObject *object) {
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
    if (!is_sized_at_launch(object))
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

static HdStatus check_shared(const HdArgs *args, const HdDevice *device,
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
  for (int i = 0; i < b->rank - 1; i++)
    is_stride16 &= b->strides[i] * (int64_t)b->element_bytes % 16 == 0;
  facts |= (uintptr_t)b->data % 16 == 0 ? FACT_ALIGNED16 : 0;
  facts |= is_stride16 ? FACT_STRIDE16 : 0;
  facts |= strides_are_dense(b) ? FACT_DENSE : 0;
  facts |= buffer_span(b) < INT32_MAX ? FACT_SMALL : 0;
  return facts;
}

uint64_t args_facts(const HdArgs *args) {
  uint64_t facts = 0;
  int shift = 0;
  for (uint32_t i = 0; i < args->ir->params.count && shift < 64; i++) {
    if (!is_array(param_of(args, i)))
      continue;
    facts |= buffer_facts(args->buffers[i]) << shift;
    shift += 4;
  }
  return facts;
}

// ----------------------------------------------------------------- running

// What a launch in flight holds.
typedef struct {
  HdProgram *program;
  uint32_t n_memories;
  RtMemory *ranges; // of the memories
  Memory *memories[];
} InFlight;

static void launch_done(void *context) {
  InFlight *flight = context;
  for (uint32_t i = 0; i < flight->n_memories; i++)
    memory_end_use(flight->memories[i]);
  atomic_fetch_sub(&flight->program->session->n_in_flight, 1);
  hd_program_free(flight->program);
  free(flight);
}

static InFlight *flight_new(const HdArgs *args) {
  size_t n_params = args->ir->params.count;
  InFlight *flight = calloc(
      1, sizeof(*flight) + n_params * (sizeof(Memory *) + sizeof(RtMemory)));
  if (!flight)
    return NULL;
  flight->ranges = (RtMemory *)(flight->memories + n_params);
  flight->program = args->kernel->program;
  program_retain(flight->program);
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    if (!args->buffers[i])
      continue;
    Memory *memory = args->buffers[i]->memory;
    memory_begin_use(memory);
    flight->ranges[flight->n_memories] =
        (RtMemory){memory->data, memory->size_bytes};
    flight->memories[flight->n_memories++] = memory;
  }
  return flight;
}

static HdStatus find_device(const HdArgs *args, HdStream *stream,
                            const HdLaunchOptions *options, HdDevice **out) {
  *out = stream ? stream->device : options ? options->device : NULL;
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    HdBuffer *buffer = args->buffers[i];
    if (!buffer)
      continue;
    if (*out && buffer->memory->device != *out)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' is on another device than the launch",
                          param_of(args, i)->name);
    *out = buffer->memory->device;
  }
  if (!*out)
    return session_fail(args->session, HD_ERROR_ARGUMENT,
                        "a kernel without arrays needs a stream or a device in "
                        "the launch options");
  return HD_OK;
}

static HdStatus start_launch(HdArgs *args, HdStream *stream, HdDevice *device,
                             RtLaunch *launch) {
  HdSession *session = args->session;
  InFlight *flight = flight_new(args);
  if (!flight)
    return session_fail(session, HD_ERROR_MEMORY, "out of memory");
  if (atomic_fetch_add(&session->n_in_flight, 1) == 0)
    __atomic_store_n(&session->interrupt, 0, __ATOMIC_RELAXED);
  launch->memories = flight->ranges;
  launch->n_memories = flight->n_memories;
  RtError error = {0};
  HdStatus status = device->device->ops->launch(
      device->device, stream ? stream->stream : NULL, launch, launch_done,
      flight, &error);
  return status == HD_OK ? status
                         : session_fail(session, status, "%s", error.text);
}

HdStatus hd_args_launch(HdArgs *args, HdStream *stream,
                        const HdLaunchOptions *options) {
  HdProgram *program = args->kernel->program;
  Spec *spec = args->kernel->spec;
  HdDevice *device;
  const HdCpuKernel *code;
  RtLaunch launch = {.args = args->slots,
                     .n_slots = args->ir->n_slots,
                     .is_scheduled = args->session->options.schedule != 0,
                     .seed = schedule_seed(options),
                     .interrupt = &args->session->interrupt};
  launch.trace_path = trace_path(options);
  HD_TRY(args_check(args));
  if (args->session->options.sanitize)
    HD_TRY(args_check_contents(args));
  HD_TRY(find_device(args, stream, options, &device));
  HD_TRY(args_grid(args, options, launch.grid));
  HD_TRY(args_cluster(args, options, launch.grid, launch.cluster));
  HD_TRY(args_dynamic_shared(args, &launch.dynamic_shared_bytes));
  session_lock(args->session);
  HdStatus status = variant_get(program, spec, args_facts(args), &code);
  if (status == HD_OK) {
    launch.globals = globals_table(program, spec);
    if (!launch.globals)
      status = session_fail(args->session, HD_ERROR_MEMORY, "out of memory");
  }
  session_unlock(args->session);
  HD_TRY(status);
  launch.code = code;
  HD_TRY(check_shared(args, device, code, launch.dynamic_shared_bytes));
  return start_launch(args, stream, device, &launch);
}

HdStatus hd_kernel_launch(HdKernel *kernel, HdStream *stream,
                          const HdLaunchOptions *options, const HdArg *values,
                          int n_values) {
  HdArgs *args;
  HdSession *session = kernel->program->session;
  uint32_t n_params = kernel->spec->kernel->params.count;
  if (n_values < 0 || (uint32_t)n_values != n_params)
    return session_fail(session, HD_ERROR_LAUNCH,
                        "kernel '%s' takes %u arguments, %d were given",
                        kernel->spec->kernel->name, n_params, n_values);
  HD_TRY(hd_args_new(kernel, &args));
  HdStatus status = HD_OK;
  for (uint32_t i = 0; i < n_params && status == HD_OK; i++)
    status = args_set_index(args, i, &values[i]);
  if (status == HD_OK)
    status = hd_args_launch(args, stream, options);
  hd_args_free(args);
  return status;
}

HdStatus hd_launch(HdProgram *program, const char *name, HdStream *stream,
                   ...) {
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
