// SPDX-License-Identifier: Apache-2.0
// Arguments of heddle run, from words and files.
//
//   values of scalars and constexpr parameters are set first; then arrays from
//   files and those whose extents were typed, which may tell extents; then what
//   is missing is inferred; then generated arrays and those that were not given
//   are made to measure; then those that others share are given to these; then
//   file-scope objects are filled
#include "base/panic.h"
#include "cli/array.h"
#include "cli/expression.h"
#include "cli/run_share.h"
#include "cli/scalar.h"

#include <math.h>
#include <string.h>

const Assignment *run_given(const Run *run, const char *name) {
  for (uint32_t i = 0; i < run->options->assignments.count; i++) {
    if (strcmp(run->options->assignments.data[i].name, name) == 0)
      return &run->options->assignments.data[i];
  }
  return NULL;
}

static const char *run_args_value_of(const Run *run, const char *name) {
  const Assignment *given = run_given(run, name);
  return given ? given->value : NULL;
}

int run_find_param(const Run *run, const char *name) {
  for (int i = 0; i < run->n_params; i++) {
    if (strcmp(run->params[i].name, name) == 0)
      return i;
  }
  return -1;
}

int run_unknown_name(const Run *run, const char *name) {
  cli_error("%s",
            cli_no_parameter(run->options->arena, run->program,
                             hd_kernel_name(run->kernel), run->kernel, name));
  return EXIT_USAGE;
}

// ---------------------------------------------------------------- scalars

// A short vector by value: "1,2,3".
static int run_args_set_vector(Run *run, const HdParamInfo *info,
                               const char *text) {
  char bytes[64] = {0};
  size_t width = hd_type_size(info->type_of_lane);
  const char *p = text;
  for (int lane = 0; lane < info->lanes; lane++) {
    size_t length = strcspn(p, ",");
    const char *part = arena_strndup(run->options->arena, p, length);
    HdArg value;
    bool is_last = lane + 1 == info->lanes;
    if (!scalar_parse(part, scalar_is_float(info->type_of_lane), &value) ||
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

static int refuse_struct(const HdParamInfo *info, const char *path,
                         const char *why) {
  cli_error("argument '%s' is a struct of %zu bytes by value, to be given as "
            "%s=@FILE.npy or %s=zeros%s%s%s%s",
            info->name, info->element_bytes, info->name, info->name,
            *why ? "; " : "", path, *path ? ": " : "", why);
  return EXIT_USAGE;
}

// A struct by value: an array of as many bytes, whatever its elements are.
static int set_struct(Run *run, const HdParamInfo *info, const char *text) {
  Arena *arena = run->options->arena;
  HostArray array = {0};
  bool is_zeros = strcmp(text, "zeros") == 0;
  if (!is_zeros && text[0] != '@')
    return refuse_struct(info, "", "");
  const char *why = is_zeros ? NULL : npy_read(arena, text + 1, &array);
  if (why)
    return refuse_struct(info, text + 1, why);
  if (!is_zeros && array.size_bytes != info->element_bytes) {
    size_t size_bytes = array.size_bytes;
    array_fini(&array);
    return refuse_struct(info, text + 1,
                         arena_printf(arena, "it has %zu bytes", size_bytes));
  }
  const void *bytes =
      is_zeros ? arena_alloc(arena, info->element_bytes) : array.data;
  HdStatus status =
      hd_args_set(run->args, info->name, HD_BYTES(bytes, info->element_bytes));
  array_fini(&array);
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int run_args_set_scalar(Run *run, const HdParamInfo *info,
                               const char *text) {
  HdArg value = HD_INT(0);
  if (info->kind == HD_PARAM_STRUCT && info->lanes > 1)
    return run_args_set_vector(run, info, text);
  if (info->kind == HD_PARAM_STRUCT)
    return set_struct(run, info, text);
  if (!scalar_parse(text, scalar_is_float(info->type), &value)) {
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
    int index = run_find_param(run, pair.name);
    HdGlobalInfo global;
    if (index < 0 && run_find_global(run, pair.name, &global))
      continue;
    if (index < 0 && pair.is_size)
      continue;
    if (index < 0)
      return run_unknown_name(run, pair.name);
    const HdParamInfo *info = &run->params[index];
    if (array_is_param(info) || info->kind == HD_PARAM_ARRAYS)
      continue;
    if (pair.extents) {
      cli_error("argument '%s' is not an array: it has no extents", pair.name);
      return EXIT_USAGE;
    }
    if (info->kind != HD_PARAM_SCALAR && info->kind != HD_PARAM_STRUCT)
      continue;
    int status = run_args_set_scalar(run, info, pair.value);
    if (status != EXIT_DONE)
      return status;
  }
  return EXIT_DONE;
}

// --shared is a parameter that the kernel has if it needs one. In CUDA any
// launch may say a number of bytes.
static int set_shared(Run *run) {
  static const char name[] = "dynamic_shared_bytes";
  if (!run->options->shared_text && !run->has_file_shared)
    return EXIT_DONE;
  bool is_needed = run_find_param(run, name) >= 0;
  if (!is_needed && (run->options->launch || run->has_file_shared))
    return EXIT_DONE;
  if (!is_needed) {
    cli_error("--shared: kernel '%s' has no 'extern __shared__' array",
              hd_kernel_name(run->kernel));
    return EXIT_USAGE;
  }
  int64_t bytes = run->has_file_shared ? run->file.shared_bytes
                                       : run->options->shared_bytes;
  HdStatus status = hd_args_set(run->args, name, HD_INT(bytes));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

// ----------------------------------------------------------------- arrays

static int array_error(const char *name, const char *what, const char *why) {
  cli_error("%sargument '%s': %s%s%s", cli_reason_code(why), name, what,
            *what ? ": " : "", why);
  return EXIT_USAGE;
}

// The library has no buffer for the argument.
static void array_refused(const Run *run, const char *name, HdStatus status) {
  cli_error("%sargument '%s': %s", cli_status_code(status), name,
            hd_last_message(run->session));
}

// Opaque elements of a file (numpy has no bfloat16, fp8 or short vectors) are
// taken as the parameter's type where the size fits; so is a last dimension of
// scalars for short vectors.
static void adapt_array(const HdParamInfo *info, HostArray *array) {
  if (array->type == HD_STRUCT && !array->is_record && info->lanes == 1 &&
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

HdStatus run_make_buffer(Run *run, const HdParamInfo *info, int rank,
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

int run_read_buffer(Run *run, const HdParamInfo *info, const char *path,
                    HdBuffer **out) {
  Arena *arena = run->options->arena;
  HostArray array;
  size_t length = strlen(path);
  bool is_png = length > 4 && strcmp(path + length - 4, ".png") == 0;
  const char *why = is_png ? png_read_file(arena, path, &array)
                           : npy_read(arena, path, &array);
  if (why)
    return array_error(info->name, path, why);
  adapt_array(info, &array);
  HdStatus status = make_array_buffer(run, &array, out);
  if (status == HD_OK)
    status = hd_buffer_write(*out, array.data, array.size_bytes);
  array_fini(&array);
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_file(Run *run, int index, const char *path) {
  const HdParamInfo *info = &run->params[index];
  if (run_given(run, info->name)->extents)
    return array_error(info->name, "",
                       "the file gives its extents: leave them out");
  int result = run_read_buffer(run, info, path, &run->buffers[index]);
  if (result != EXIT_DONE)
    return result;
  HdStatus status =
      hd_args_set(run->args, info->name, HD_BUF(run->buffers[index]));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_files(Run *run) {
  for (int i = 0; i < run->n_params; i++) {
    const char *value = run_args_value_of(run, run->params[i].name);
    if (!array_is_param(&run->params[i]) || !value || value[0] != '@')
      continue;
    int status = set_file(run, i, value + 1);
    if (status != EXIT_DONE)
      return status;
  }
  return EXIT_DONE;
}

// Fills a new buffer; through the host, as for a device of its own memory.
int run_fill_buffer(Run *run, const HdParamInfo *info, HdBuffer *buffer,
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

int run_check_values(const Run *run) {
  for (uint32_t i = 0; i < run->options->assignments.count; i++) {
    const Assignment *given = &run->options->assignments.data[i];
    int index = run_find_param(run, given->name);
    HdGlobalInfo global;
    bool is_global = index < 0 && run_find_global(run, given->name, &global);
    if (index < 0 && !is_global && !given->is_size)
      return run_unknown_name(run, given->name);
    if (index < 0 || !array_is_param(&run->params[index]) ||
        given->value[0] == '@' || run_is_shared(run, given))
      continue;
    const HdParamInfo *info = &run->params[index];
    HostArray none = {.type = info->type, .rank = 1};
    const char *why =
        array_generate(run->options->arena, &none,
                       info->lanes > 1 ? info->type_of_lane : info->type,
                       info->lanes, given->value);
    if (why)
      return array_error(given->name, "", why);
  }
  return EXIT_DONE;
}

// "[n*m]", "[4][8]": each in brackets of its own.
int run_read_extents(const Run *run, const char *name, const char *text,
                     int *rank, int64_t extents[8]) {
  for (*rank = 0; *text; ++*rank) {
    size_t length = strcspn(text, "]");
    if (*text != '[' || text[length] != ']' || *rank == 8)
      return array_error(name, text, "extents are written [N], or [N][M]");
    const char *why =
        expression_value(run->options, text + 1, length - 1, &extents[*rank]);
    if (!why && extents[*rank] < 0)
      why = "it is negative";
    if (why)
      return array_error(name, text, why);
    text += length + 1;
  }
  return EXIT_DONE;
}

static int set_shaped(Run *run, int index, const Assignment *given) {
  const HdParamInfo *info = &run->params[index];
  HdBuffer **buffer = &run->buffers[index];
  int rank;
  int64_t extents[8];
  int result =
      run_read_extents(run, info->name, given->extents, &rank, extents);
  if (result != EXIT_DONE)
    return result;
  HdStatus status = run_make_buffer(run, info, rank, extents, buffer);
  if (status != HD_OK) {
    array_refused(run, info->name, status);
    return cli_exit_status(status);
  }
  result = run_fill_buffer(run, info, *buffer, given->value);
  if (result != EXIT_DONE)
    return result;
  status = hd_args_set(run->args, info->name, HD_BUF(*buffer));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static int set_all_shaped(Run *run) {
  for (int i = 0; i < run->n_params; i++) {
    const Assignment *given = run_given(run, run->params[i].name);
    if (!array_is_param(&run->params[i]) || !given || !given->extents ||
        run_is_shared(run, given))
      continue;
    int status = run->buffers[i] ? EXIT_DONE : set_shaped(run, i, given);
    if (status != EXIT_DONE)
      return status;
  }
  return EXIT_DONE;
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
  HdStatus status = run_make_buffer(run, info, 1, &elements, &whole);
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
  const char *text = run_args_value_of(run, info->name);
  int rank;
  int64_t extents[8], strides[8];
  if (info->kind == HD_PARAM_POINTER)
    return array_error(
        info->name, "",
        arena_printf(run->options->arena,
                     "is a pointer of unknown extent: give its number of "
                     "elements, as in '%s[1000]=zeros', or give it from a file",
                     info->name));
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
  status = is_dense ? run_make_buffer(run, info, rank, extents, buffer)
                    : make_strided(run, info, rank, extents, strides, buffer);
  if (status != HD_OK) {
    array_refused(run, info->name, status);
    return cli_exit_status(status);
  }
  int result = run_fill_buffer(run, info, *buffer, text);
  if (result != EXIT_DONE)
    return result;
  status = hd_args_set(run->args, info->name, HD_BUF(*buffer));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

int run_set_arguments(Run *run) {
  HD_ASSERT(run->kernel && run->args);
  int status = run_check_given(run);
  if (status == EXIT_DONE)
    status = set_scalars(run);
  if (status == EXIT_DONE)
    status = set_shared(run);
  if (status == EXIT_DONE)
    status = set_files(run);
  if (status == EXIT_DONE)
    status = run_set_table_files(run);
  if (status == EXIT_DONE)
    status = set_all_shaped(run);
  if (status != EXIT_DONE)
    return status;
  HdStatus inferred = hd_args_infer(run->args);
  if (inferred != HD_OK)
    return cli_fail(run->session, inferred);
  for (int i = 0; i < run->n_params && status == EXIT_DONE; i++) {
    if (array_is_param(&run->params[i]) && !run->buffers[i] &&
        !run_is_shared(run, run_given(run, run->params[i].name)))
      status = make_missing(run, i);
  }
  if (status == EXIT_DONE)
    status = run_make_tables(run);
  if (status == EXIT_DONE)
    status = run_set_shared_arrays(run);
  return status == EXIT_DONE ? run_set_globals(run) : status;
}
