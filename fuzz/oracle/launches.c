// SPDX-License-Identifier: Apache-2.0
#include "launches.h"
#include "check/run/sizes.h"
#include "check/run/trial.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { ENDLESS_S = 10, MOST_ARGS = 64 };

HdSession *launches_session(void) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  options.sanitize = 1;
  options.schedule = 1;
  HdSession *session = NULL;
  return hd_session_new(&options, &session) == HD_OK ? session : NULL;
}

void launches_of(Arena *arena, const IrKernel *kernel, uint32_t most,
                 LaunchList *out) {
  Sizes *sizes = sizes_new(arena, kernel, 0);
  ConcreteLaunch launch;
  size_t n = kernel->params.count;
  while (out->count < most && sizes_next(sizes, &launch)) {
    int64_t *scalars = ARENA_ARRAY(arena, int64_t, n + 1);
    if (n)
      memcpy(scalars, launch.scalars, n * sizeof *scalars);
    launch.scalars = scalars;
    VEC_PUSH(arena, out, launch);
  }
}

// -------------------------------------------------------------- arguments

typedef struct {
  const Subject *subject;
  const Trial *trial;
  HdArg args[MOST_ARGS];
  HdBuffer *buffers[MOST_ARGS];
  int n;
} Arguments;

// Arrays of scalars are the trial's memory; structs can't be wrapped.
static HdStatus make_buffer(const Arguments *a, uint32_t number,
                            const HdParamInfo *info, HdBuffer **out) {
  const IrParam *param = &a->trial->kernel->params.data[number];
  const InterpMemory *memory = &a->trial->arrays[number];
  const int64_t *slots = (const int64_t *)&a->trial->slots[param->slot];
  HdDevice *device = a->subject->device;
  int rank = param->kind == PARAM_ARRAY ? param->object->rank : 1;
  int64_t whole = info->element_bytes
                      ? (int64_t)(memory->size_bytes / info->element_bytes)
                      : 0;
  const int64_t *extents = param->kind == PARAM_ARRAY ? slots + 1 : &whole;
  const int64_t *strides = param->kind == PARAM_ARRAY ? slots + 1 + rank : NULL;
  if (info->type != HD_STRUCT)
    return hd_buffer_wrap(device, memory->data, info->type, rank, extents,
                          strides, out);
  HdStatus status =
      hd_buffer_new_bytes(device, info->element_bytes, rank, extents, out);
  if (status == HD_OK && memory->size_bytes)
    status = hd_buffer_write(*out, memory->data, memory->size_bytes);
  return status;
}

static HdStatus make_arg(Arguments *a, uint32_t number,
                         const HdParamInfo *info) {
  const IrParam *param = &a->trial->kernel->params.data[number];
  const void *bytes = &a->trial->slots[param->slot];
  switch (param->kind) {
  case PARAM_ARRAY:
  case PARAM_POINTER: {
    HdStatus status = make_buffer(a, number, info, &a->buffers[number]);
    a->args[number] = HD_BUF(a->buffers[number]);
    return status;
  }
  case PARAM_STRUCT:
    a->args[number] = HD_BYTES(bytes, info->element_bytes);
    return HD_OK;
  case PARAM_SCALAR: break;
  }
  if (info->type == HD_STRUCT)
    a->args[number] = HD_BYTES(bytes, info->element_bytes);
  else if (ir_type_is_int(param->type) || param->type.kind == IR_TYPE_BOOL)
    a->args[number] = HD_INT(a->trial->slots[param->slot]);
  else
    a->args[number] = HD_FLOAT(1);
  return HD_OK;
}

// The kernel's parameters without the embedded ones, which the IR doesn't have.
static HdStatus make_args(Arguments *a) {
  const HdKernel *kernel = a->subject->kernel;
  uint32_t n = 0;
  for (int i = 0; i < hd_kernel_param_count(kernel); i++) {
    HdParamInfo info;
    HdStatus status = hd_kernel_param(kernel, i, &info);
    if (status != HD_OK)
      return status;
    if (info.kind == HD_PARAM_EMBEDDED || info.kind == HD_PARAM_EMBEDDED_TYPE)
      continue;
    if (n >= a->trial->kernel->params.count || n == MOST_ARGS)
      return HD_ERROR_ARGUMENT;
    status = make_arg(a, n++, &info);
    if (status != HD_OK)
      return status;
  }
  a->n = (int)n;
  return n == a->trial->kernel->params.count ? HD_OK : HD_ERROR_ARGUMENT;
}

// ---------------------------------------------------------------- launches

static HdSession *running;

static void on_alarm(int signal) {
  (void)signal;
  hd_interrupt(running);
}

static HdLaunchOptions options_of(const Arguments *a,
                                  const ConcreteLaunch *launch,
                                  uint64_t schedule) {
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  const IrKernel *ir = a->trial->kernel;
  options.device = a->subject->device;
  options.schedule = schedule;
  options.has_grid = ir->n_grid == 0;
  for (int i = 0; i < 3; i++) {
    options.grid[i] = launch->grid[i];
    options.cluster[i] = launch->cluster[i];
    options.has_cluster |= ir->cluster_dim[0] <= 0 && launch->cluster[i] > 1;
  }
  return options;
}

static LaunchResult result_of(HdStatus status) {
  switch ((int)status) {
  case HD_OK: return LAUNCH_SILENT;
  case HD_ERROR_INTERRUPTED: return LAUNCH_ENDLESS;
  case HD_ERROR_CHECK:
  case HD_ERROR_TRAP:
  case HD_ERROR_DEADLOCK: return LAUNCH_FOUND;
  default: return LAUNCH_REFUSED;
  }
}

static LaunchResult run_trial(const Subject *subject, const Trial *trial,
                              const ConcreteLaunch *launch, uint64_t schedule) {
  Arguments a = {.subject = subject, .trial = trial};
  HdStatus status = make_args(&a);
  if (status == HD_OK) {
    HdLaunchOptions options = options_of(&a, launch, schedule);
    running = subject->session;
    signal(SIGALRM, on_alarm);
    alarm(ENDLESS_S);
    status = hd_kernel_launch(subject->kernel, NULL, &options, a.args, a.n);
    alarm(0);
  }
  for (int i = 0; i < MOST_ARGS; i++)
    hd_buffer_free(a.buffers[i]);
  return result_of(status);
}

// Whether the interpreter takes it, too: an `assume` may be false.
static bool is_launch(const Subject *subject, const ConcreteLaunch *launch) {
  Arena *arena = arena_new();
  ConcreteResult result;
  concrete_run(arena, subject->ir, launch, &result);
  bool ran = result.ran;
  arena_free(arena);
  return ran;
}

LaunchResult launches_run(const Subject *subject, const ConcreteLaunch *launch,
                          uint64_t schedule) {
  Arena *arena = arena_new();
  Trial trial;
  LaunchResult result = LAUNCH_NONE;
  bool is_filled =
      trial_shape(&trial, arena, subject->ir, launch) && trial_fill(&trial);
  if (is_filled)
    result = run_trial(subject, &trial, launch, schedule);
  trial_end(&trial);
  arena_free(arena);
  bool is_asked = result == LAUNCH_FOUND || result == LAUNCH_REFUSED;
  return is_asked && !is_launch(subject, launch) ? LAUNCH_NONE : result;
}
