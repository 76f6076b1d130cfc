// SPDX-License-Identifier: Apache-2.0
// heddle run: arguments in, kernel, results out.
//
//   values of scalars and constexpr parameters are set first; then arrays from
//   files, which may tell extents; then what is missing is inferred; then
//   generated arrays and those that were not given are made to measure
#include "cli/array.h"
#include "cli/cli.h"
#include "cli/run_signal.h"
#include "cli/scalar.h"
#include "cli/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const Options *options;
  HdSession *session;
  HdProgram *program;
  HdKernel *kernel;
  HdDevice *device;
  HdArgs *args;
  int n_params;
  HdParamInfo *params;
  HdBuffer **buffers; // by parameter
  uint64_t seed;      // with --schedule
  bool has_traced;
} Run;

static const char *value_of(const Run *run, const char *name) {
  for (uint32_t i = 0; i < run->options->assignments.count; i++) {
    if (strcmp(run->options->assignments.data[i].name, name) == 0)
      return run->options->assignments.data[i].value;
  }
  return NULL;
}

static int find_param(const Run *run, const char *name) {
  for (int i = 0; i < run->n_params; i++) {
    if (strcmp(run->params[i].name, name) == 0)
      return i;
  }
  return -1;
}

static bool is_array(const HdParamInfo *info) {
  return info->kind == HD_PARAM_ARRAY || info->kind == HD_PARAM_POINTER;
}

static int unknown_name(const Run *run, const char *name) {
  const char **names =
      ARENA_ARRAY(run->options->arena, const char *, (size_t)run->n_params + 1);
  Text list = {.arena = run->options->arena};
  for (int i = 0; i < run->n_params; i++) {
    names[i] = run->params[i].name;
    text_printf(&list, "%s%s", i ? ", " : "", names[i]);
  }
  const char *nearest = text_nearest(name, names, (size_t)run->n_params);
  cli_error("kernel '%s' has no parameter '%s'%s%s%s; it has: %s",
            hd_kernel_name(run->kernel), name,
            nearest ? ", did you mean '" : "", nearest ? nearest : "",
            nearest ? "'?" : "", text_cstr(&list));
  return EXIT_USAGE;
}

// ---------------------------------------------------------------- scalars

// A short vector by value: "1,2,3".
static int set_vector(Run *run, const HdParamInfo *info, const char *text) {
  char bytes[64] = {0};
  size_t width = hd_type_size(info->type_of_lane);
  const char *p = text;
  for (int lane = 0; lane < info->lanes; lane++) {
    size_t length = strcspn(p, ",");
    const char *part = arena_strndup(run->options->arena, p, length);
    HdArg value;
    bool is_last = lane + 1 == info->lanes;
    if (!scalar_parse(part, type_is_float(info->type_of_lane), &value) ||
        !scalar_store(info->type_of_lane, &value, bytes + lane * (int)width) ||
        (p[length] == 0) != is_last) {
      cli_error("argument '%s' needs %d numbers (%s) with commas between, not "
                "'%s'",
                info->name, info->lanes, hd_type_name(info->type_of_lane),
                text);
      return EXIT_USAGE;
    }
    p += length + 1;
  }
  HdStatus status =
      hd_args_set(run->args, info->name, HD_BYTES(bytes, info->element_bytes));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_scalar(Run *run, const HdParamInfo *info, const char *text) {
  HdArg value = HD_INT(0);
  if (info->kind == HD_PARAM_STRUCT && info->lanes > 1)
    return set_vector(run, info, text);
  if (info->kind == HD_PARAM_STRUCT) {
    cli_error("argument '%s' is a struct by value, which can't be given on the "
              "command line; launch the kernel from C",
              info->name);
    return EXIT_USAGE;
  }
  if (!scalar_parse(text, type_is_float(info->type), &value)) {
    bool is_huge = value.kind == HD_ARG_FLOAT && isinf(value.real);
    cli_error("argument '%s' is a scalar of type %s; '%s' is %s", info->name,
              hd_type_name(info->type), text,
              is_huge ? "too large" : "not a number");
    return EXIT_USAGE;
  }
  HdStatus status = hd_args_set(run->args, info->name, value);
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_scalars(Run *run) {
  for (uint32_t i = 0; i < run->options->assignments.count; i++) {
    Assignment pair = run->options->assignments.data[i];
    int index = find_param(run, pair.name);
    if (index < 0)
      return unknown_name(run, pair.name);
    const HdParamInfo *info = &run->params[index];
    if (info->kind != HD_PARAM_SCALAR && info->kind != HD_PARAM_STRUCT)
      continue;
    int status = set_scalar(run, info, pair.value);
    if (status != EXIT_DONE)
      return status;
  }
  return EXIT_DONE;
}

// ----------------------------------------------------------------- arrays

static int array_error(const char *name, const char *what, const char *why) {
  cli_error("argument '%s': %s%s%s", name, what, *what ? ": " : "", why);
  return EXIT_USAGE;
}

// Opaque elements of a file (numpy has no bfloat16, fp8 or short vectors) are
// taken as the parameter's type where the size fits; so is a last dimension of
// scalars for short vectors.
static void adapt_array(const HdParamInfo *info, HostArray *array) {
  if (array->type == HD_STRUCT && info->lanes == 1 &&
      hd_type_size(info->type) == array->element_bytes)
    array->type = info->type;
  if (info->lanes > 1 && array->type == info->type_of_lane &&
      array->rank == info->rank + 1 &&
      array->extents[info->rank] * (int64_t)hd_type_size(array->type) ==
          (int64_t)info->element_bytes) {
    array->rank--;
    array->type = HD_STRUCT;
    array->element_bytes = info->element_bytes;
  }
}

static HdStatus make_buffer(Run *run, const HdParamInfo *info, int rank,
                            const int64_t *extents, HdBuffer **out) {
  if (info->type == HD_STRUCT)
    return hd_buffer_new_bytes(run->device, info->element_bytes, rank, extents,
                               out);
  return hd_buffer_new(run->device, info->type, rank, extents, out);
}

static HdStatus make_array_buffer(Run *run, const HostArray *array,
                                  HdBuffer **out) {
  if (array->type == HD_STRUCT)
    return hd_buffer_new_bytes(run->device, array->element_bytes, array->rank,
                               array->extents, out);
  return hd_buffer_new(run->device, array->type, array->rank, array->extents,
                       out);
}

static int set_file(Run *run, int index, const char *path) {
  const HdParamInfo *info = &run->params[index];
  Arena *arena = run->options->arena;
  HostArray array;
  size_t length = strlen(path);
  bool is_png = length > 4 && strcmp(path + length - 4, ".png") == 0;
  const char *why = is_png ? png_read_file(arena, path, &array)
                           : npy_read(arena, path, &array);
  if (why)
    return array_error(info->name, path, why);
  adapt_array(info, &array);
  HdStatus status = make_array_buffer(run, &array, &run->buffers[index]);
  if (status == HD_OK)
    status = hd_buffer_write(run->buffers[index], array.data, array.size_bytes);
  if (status == HD_OK)
    status = hd_args_set(run->args, info->name, HD_BUF(run->buffers[index]));
  array_fini(&array);
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_files(Run *run) {
  for (int i = 0; i < run->n_params; i++) {
    const char *value = value_of(run, run->params[i].name);
    if (!is_array(&run->params[i]) || !value || value[0] != '@')
      continue;
    int status = set_file(run, i, value + 1);
    if (status != EXIT_DONE)
      return status;
  }
  return EXIT_DONE;
}

// Fills a new buffer; through the host, as for a device of its own memory.
static int fill_buffer(Run *run, const HdParamInfo *info, HdBuffer *buffer,
                       const char *text) {
  if (!text || strcmp(text, "zeros") == 0)
    return EXIT_DONE;
  HostArray array = {.type = info->type,
                     .element_bytes = info->element_bytes,
                     .rank = hd_buffer_rank(buffer)};
  for (int i = 0; i < array.rank; i++)
    array.extents[i] = hd_buffer_extent(buffer, i);
  HdType lane_type = info->lanes > 1 ? info->type_of_lane : info->type;
  const char *why = array_alloc(&array);
  if (!why)
    why = array_generate(run->options->arena, &array, lane_type, info->lanes,
                         text);
  int result = why ? array_error(info->name, "", why) : EXIT_DONE;
  if (!why) {
    HdStatus status = hd_buffer_write(buffer, array.data, array.size_bytes);
    result = status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
  }
  array_fini(&array);
  return result;
}

// Room for an array with gaps: a dense run of elements, seen with strides.
static HdStatus make_strided(Run *run, const HdParamInfo *info, int rank,
                             const int64_t *extents, const int64_t *strides,
                             HdBuffer **out) {
  int64_t last = 0;
  bool is_empty = false;
  for (int i = 0; i < rank; i++) {
    int64_t part;
    is_empty |= extents[i] == 0;
    if (__builtin_mul_overflow(extents[i] - 1, strides[i], &part) ||
        __builtin_add_overflow(last, part, &last))
      return HD_ERROR_MEMORY;
  }
  int64_t elements = is_empty ? 0 : last + 1;
  HdBuffer *whole;
  HdStatus status = make_buffer(run, info, 1, &elements, &whole);
  if (status != HD_OK)
    return status;
  status = hd_buffer_view(whole, 0, rank, extents, strides, out);
  hd_buffer_free(whole);
  return status;
}

static bool shape_is_dense(int rank, const int64_t *extents,
                           const int64_t *strides) {
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; i--) {
    if (strides[i] != stride)
      return false;
    stride *= extents[i] > 0 ? extents[i] : 1;
  }
  return true;
}

static int make_missing(Run *run, int index) {
  const HdParamInfo *info = &run->params[index];
  const char *text = value_of(run, info->name);
  int rank;
  int64_t extents[8], strides[8];
  if (info->kind == HD_PARAM_POINTER)
    return array_error(info->name, "",
                       "is a pointer of unknown extent: give it from a file");
  HdStatus status = hd_args_extents(run->args, info->name, &rank, extents);
  if (status == HD_OK)
    status = hd_args_strides(run->args, info->name, &rank, strides);
  if (status != HD_OK)
    return cli_fail(run->session, status);
  bool is_dense = shape_is_dense(rank, extents, strides);
  if (!is_dense && text && strcmp(text, "zeros") != 0)
    return array_error(info->name, "",
                       "has gaps between its rows: only zeros can be made");
  HdBuffer **buffer = &run->buffers[index];
  status = is_dense ? make_buffer(run, info, rank, extents, buffer)
                    : make_strided(run, info, rank, extents, strides, buffer);
  if (status != HD_OK) {
    array_error(info->name, "", hd_last_message(run->session));
    return cli_exit_status(status);
  }
  int result = fill_buffer(run, info, *buffer, text);
  if (result != EXIT_DONE)
    return result;
  status = hd_args_set(run->args, info->name, HD_BUF(*buffer));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_arguments(Run *run) {
  int status = set_scalars(run);
  if (status == EXIT_DONE)
    status = set_files(run);
  if (status != EXIT_DONE)
    return status;
  HdStatus inferred = hd_args_infer(run->args);
  if (inferred != HD_OK)
    return cli_fail(run->session, inferred);
  for (int i = 0; i < run->n_params && status == EXIT_DONE; i++) {
    if (is_array(&run->params[i]) && !run->buffers[i])
      status = make_missing(run, i);
  }
  return status;
}

// ---------------------------------------------------------------- results

// The buffer's elements, dense.
static const char *fetch(HdBuffer *buffer, HostArray *out) {
  *out = (HostArray){.type = hd_buffer_type(buffer),
                     .element_bytes = hd_buffer_element_bytes(buffer),
                     .rank = hd_buffer_rank(buffer)};
  for (int i = 0; i < out->rank; i++)
    out->extents[i] = hd_buffer_extent(buffer, i);
  const char *why = array_alloc(out);
  if (why)
    return why;
  const char *data = hd_buffer_data(buffer);
  int64_t index[8] = {0}, count = array_count(out);
  for (int64_t k = 0; k < count; k++) {
    int64_t from = 0;
    for (int i = 0; i < out->rank; i++)
      from += index[i] * hd_buffer_stride(buffer, i);
    memcpy(out->data + (size_t)k * out->element_bytes,
           data + (size_t)from * out->element_bytes, out->element_bytes);
    for (int i = out->rank - 1; i >= 0 && ++index[i] == out->extents[i]; i--)
      index[i] = 0;
  }
  return NULL;
}

static int fetch_array(Run *run, int index, HostArray *out) {
  HdBuffer *buffer = run->buffers[index];
  const char *why = NULL;
  *out = (HostArray){.type = hd_buffer_type(buffer),
                     .element_bytes = hd_buffer_element_bytes(buffer),
                     .rank = hd_buffer_rank(buffer)};
  for (int i = 0; i < out->rank; i++)
    out->extents[i] = hd_buffer_extent(buffer, i);
  why = array_alloc(out);
  if (why)
    return array_error(run->params[index].name, "", why);
  if (hd_buffer_read(buffer, out->data, out->size_bytes) == HD_OK)
    return EXIT_DONE;
  array_fini(out);
  why = fetch(buffer, out);
  return why ? array_error(run->params[index].name, "", why) : EXIT_DONE;
}

// Short vectors become a last dimension, as adapt_array() takes them. (float3
// and the like have no gaps inside an array.)
static void spread_lanes(const HdParamInfo *info, HostArray *array) {
  size_t lane_bytes = hd_type_size(info->type_of_lane);
  if (info->lanes <= 1 || array->rank >= 8 ||
      array->element_bytes != (size_t)info->lanes * lane_bytes)
    return;
  array->extents[array->rank++] = info->lanes;
  array->type = info->type_of_lane;
  array->element_bytes = lane_bytes;
}

static int save_result(Run *run, const Assignment *save) {
  HostArray array;
  int index = find_param(run, save->name);
  int status = fetch_array(run, index, &array);
  if (status != EXIT_DONE)
    return status;
  spread_lanes(&run->params[index], &array);
  size_t length = strlen(save->value);
  bool is_png = length > 4 && strcmp(save->value + length - 4, ".png") == 0;
  const char *why =
      is_png ? png_write_file(run->options->arena, save->value, &array)
             : npy_write(run->options->arena, save->value, &array);
  array_fini(&array);
  if (!why)
    return EXIT_DONE;
  cli_error("%s: %s", save->value, why);
  return EXIT_USAGE;
}

static int print_result(Run *run, const char *name) {
  int index = find_param(run, name);
  const HdParamInfo *info = &run->params[index];
  HostArray array;
  int status = fetch_array(run, index, &array);
  if (status != EXIT_DONE)
    return status;
  HdType lane_type = info->lanes > 1 ? info->type_of_lane : info->type;
  array_print(name, &array, lane_type, info->lanes);
  array_fini(&array);
  return EXIT_DONE;
}

// Everything is written that can be; the first failure counts.
static int write_results(Run *run) {
  const Options *options = run->options;
  int result = EXIT_DONE;
  for (uint32_t i = 0; i < options->saves.count; i++) {
    int status = save_result(run, &options->saves.data[i]);
    result = result == EXIT_DONE ? status : result;
  }
  for (uint32_t i = 0; i < options->prints.count; i++) {
    int status = print_result(run, options->prints.data[i]);
    result = result == EXIT_DONE ? status : result;
  }
  return result;
}

// ------------------------------------------------------------ the command

static bool folder_is_writable(Arena *arena, const char *path) {
  if (access(path, W_OK) == 0)
    return true;
  if (access(path, F_OK) == 0)
    return false;
  const char *slash = strrchr(path, '/');
  const char *folder = slash == path ? "/"
                       : slash
                           ? arena_strndup(arena, path, (size_t)(slash - path))
                           : ".";
  return access(folder, W_OK) == 0;
}

// Names and places of results, before a long run is wasted on a wrong one.
static int check_results(const Run *run) {
  const Options *options = run->options;
  for (uint32_t i = 0; i < options->saves.count + options->prints.count; i++) {
    bool is_save = i < options->saves.count;
    const char *name = is_save ? options->saves.data[i].name
                               : options->prints.data[i - options->saves.count];
    int index = find_param(run, name);
    if (index < 0)
      return unknown_name(run, name);
    if (!is_array(&run->params[index])) {
      cli_error("'%s' is no array: there is nothing to %s", name,
                is_save ? "save" : "print");
      return EXIT_USAGE;
    }
    if (is_save &&
        !folder_is_writable(options->arena, options->saves.data[i].value)) {
      cli_error("%s: can't be written", options->saves.data[i].value);
      return EXIT_USAGE;
    }
  }
  return EXIT_DONE;
}

static HdStatus launch_once(void *context) {
  Run *run = context;
  HdLaunchOptions launch = HD_LAUNCH_OPTIONS_INIT;
  launch.has_grid = run->options->has_grid;
  memcpy(launch.grid, run->options->grid, sizeof launch.grid);
  launch.has_cluster = run->options->has_cluster;
  memcpy(launch.cluster, run->options->cluster, sizeof launch.cluster);
  launch.device = run->device;
  launch.schedule = run->seed;
  launch.trace = run->has_traced ? NULL : run->options->trace;
  run->has_traced = true; // the first launch only
  return hd_args_launch(run->args, NULL, &launch);
}

static void free_arguments(Run *run) {
  for (int i = 0; i < run->n_params && run->buffers; i++) {
    hd_buffer_free(run->buffers[i]);
    run->buffers[i] = NULL;
  }
  hd_args_free(run->args);
  run->args = NULL;
}

// Fresh arguments, and a launch; *launched says how that went.
static int launch_fresh(Run *run, HdStatus *launched) {
  int status = EXIT_DONE;
  if (!run->args) {
    HdStatus made = hd_args_new(run->kernel, &run->args);
    if (made != HD_OK)
      return cli_fail(run->session, made);
  }
  status = set_arguments(run);
  if (status == EXIT_DONE)
    *launched = launch_once(run);
  fflush(stdout);
  return status;
}

// Every seed by itself, until one fails.
static int launch_seeds(Run *run, HdStatus *launched) {
  const Options *options = run->options;
  run->seed = options->first_seed;
  int status = launch_fresh(run, launched);
  for (uint64_t i = 1;
       i < options->n_seeds && status == EXIT_DONE && *launched == HD_OK; i++) {
    free_arguments(run);
    run->seed = options->first_seed + i;
    status = launch_fresh(run, launched);
  }
  return status;
}

static int run_kernel(Run *run) {
  HdStatus launched = HD_OK;
  int status = check_results(run);
  if (status != EXIT_DONE)
    return status;
  signal_begin(run->session);
  status = launch_seeds(run, &launched);
  if (status != EXIT_DONE) {
    signal_end();
    return status;
  }
  if (launched == HD_OK)
    status = write_results(run);
  if (launched == HD_OK && status == EXIT_DONE && run->options->time_runs > 0)
    launched =
        timing_report(run->args, run->options->time_runs, launch_once, run);
  signal_end();
  if (launched == HD_OK)
    return status;
  status = cli_fail(run->session, launched);
  if (run->options->n_seeds > 1)
    cli_error("with --schedule %llu", (unsigned long long)run->seed);
  return status;
}

static HdStatus open_kernel(Run *run, const char *name) {
  int n_embeds;
  HdEmbed *embeds = cli_embeds(run->options, run->program, name, &n_embeds);
  HdStatus status =
      hd_kernel_get(run->program, name, embeds, n_embeds, &run->kernel);
  if (status == HD_OK)
    status = hd_args_new(run->kernel, &run->args);
  if (status == HD_OK)
    status = hd_device_open(run->session, run->options->device, &run->device);
  if (status != HD_OK)
    return status;
  run->n_params = hd_kernel_param_count(run->kernel);
  size_t count = (size_t)run->n_params + 1;
  run->params = ARENA_ARRAY(run->options->arena, HdParamInfo, count);
  run->buffers = ARENA_ARRAY(run->options->arena, HdBuffer *, count);
  for (int i = 0; i < run->n_params && status == HD_OK; i++)
    status = hd_kernel_param(run->kernel, i, &run->params[i]);
  return status;
}

// --check: EXIT_WRONG, after telling them, if the kernel has bugs.
static int check_first(const Run *run, const char *name) {
  int n_embeds;
  HdEmbed *embeds = cli_embeds(run->options, run->program, name, &n_embeds);
  HdCheck *check;
  HdStatus status = hd_check(run->program, name, embeds, n_embeds,
                             &run->options->check, &check);
  if (status != HD_OK)
    return cli_fail(run->session, status);
  HdVerdict verdict = hd_check_verdict(check);
  if (verdict == HD_VERDICT_BUG) {
    fputs(hd_program_diagnostics(run->program, HD_FORMAT_TEXT), stderr);
    fputs(hd_check_report(check, HD_FORMAT_TEXT), stderr);
    cli_error("kernel '%s' has a bug and isn't run", name);
  } else if (verdict == HD_VERDICT_UNKNOWN) {
    cli_error("kernel '%s' isn't proved, 'heddle check' says why; running it",
              name);
  }
  hd_check_free(check);
  return verdict == HD_VERDICT_BUG ? EXIT_WRONG : EXIT_DONE;
}

static int run_program(Run *run) {
  const char *name = cli_kernel_name(run->options, run->program);
  if (!name)
    return EXIT_USAGE;
  if (run->options->check_first) {
    int checked = check_first(run, name);
    if (checked != EXIT_DONE)
      return checked;
  }
  HdStatus status = open_kernel(run, name);
  if (hd_program_warning_count(run->program) > 0 && status == HD_OK)
    fputs(hd_program_diagnostics(run->program, HD_FORMAT_TEXT), stderr);
  return status == HD_OK ? run_kernel(run) : cli_fail(run->session, status);
}

int cmd_run(const Options *options) {
  Run run = {.options = options};
  int status = cli_open(options, &run.session, &run.program);
  if (status == EXIT_DONE)
    status = run_program(&run);
  free_arguments(&run);
  hd_kernel_free(run.kernel);
  hd_device_free(run.device);
  hd_program_free(run.program);
  hd_session_free(run.session);
  return status;
}
