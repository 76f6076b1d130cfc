// SPDX-License-Identifier: Apache-2.0
// What heddle run saves and prints when the kernel is done.
#include "base/panic.h"
#include "cli/array.h"
#include "cli/run.h"

#include <string.h>
#include <unistd.h>

// The buffer's elements, dense; freed by array_fini.
static int fetch_array(Run *run, int index, HdBuffer *buffer, HostArray *out) {
  *out = (HostArray){.type = hd_buffer_type(buffer),
                     .element_bytes = hd_buffer_element_bytes(buffer),
                     .rank = hd_buffer_rank(buffer)};
  for (int i = 0; i < out->rank; i++)
    out->extents[i] = hd_buffer_extent(buffer, i);
  const char *why = array_alloc(out);
  if (why) {
    cli_error("%sargument '%s': %s", cli_reason_code(why),
              run->params[index].name, why);
    return EXIT_USAGE;
  }
  HdStatus status = hd_buffer_read(buffer, out->data, out->size_bytes);
  if (status == HD_OK)
    return EXIT_DONE;
  array_fini(out);
  return cli_fail(run->session, status);
}

// What an array of arrays was given, which has several results; NULL: the
// result is one.
static const RunList *result_list(const Run *run, const char *name) {
  int index = run_find_param(run, name);
  bool is_table = index >= 0 && run->params[index].kind == HD_PARAM_ARRAYS;
  return is_table ? &run->lists[index] : NULL;
}

// A result by its name (array `i` of it), and of what its elements consist.
static int fetch(Run *run, const char *name, int i, HostArray *out, int *lanes,
                 HdType *type_of_lane) {
  int index = run_find_param(run, name);
  HdGlobalInfo global;
  if (index < 0 && run_find_global(run, name, &global)) {
    *lanes = global.lanes;
    *type_of_lane = global.type_of_lane;
    return run_fetch_global(run, &global, out);
  }
  *lanes = run->params[index].lanes;
  *type_of_lane = run->params[index].type_of_lane;
  const RunList *list = result_list(run, name);
  return fetch_array(run, index, list ? list->buffers[i] : run->buffers[index],
                     out);
}

// Short vectors become a last dimension, as adapt_array() takes them. (float3
// and the like have no gaps inside an array.)
static void spread_lanes(int lanes, HdType type_of_lane, HostArray *array) {
  size_t lane_bytes = hd_type_size(type_of_lane);
  if (lanes <= 1 || array->rank >= 8 ||
      array->element_bytes != (size_t)lanes * lane_bytes)
    return;
  array->extents[array->rank++] = lanes;
  array->type = type_of_lane;
  array->element_bytes = lane_bytes;
}

static bool has_ending(const char *path, const char *ending) {
  size_t n = strlen(path);
  size_t m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

static int save_one(Run *run, const Assignment *save, int i, const char *path) {
  HostArray array;
  int lanes;
  HdType type_of_lane;
  int status = fetch(run, save->name, i, &array, &lanes, &type_of_lane);
  if (status != EXIT_DONE)
    return status;
  spread_lanes(lanes, type_of_lane, &array);
  const char *why = has_ending(path, ".png")
                        ? png_write_file(run->options->arena, path, &array)
                        : npy_write(run->options->arena, path, &array);
  array_fini(&array);
  if (!why)
    return EXIT_DONE;
  cli_error("%s: %s", path, why);
  return EXIT_USAGE;
}

static int save_result(Run *run, const Assignment *save) {
  const RunList *list = result_list(run, save->name);
  if (!list)
    return save_one(run, save, 0, save->value);
  int result = EXIT_DONE;
  for (int i = 0; i < list->count && result == EXIT_DONE; i++)
    result = save_one(run, save, i, run_member_path(run, save->value, i));
  return result;
}

static int print_one_result(Run *run, const char *name, int i,
                            const char *title) {
  HostArray array;
  int lanes;
  HdType type_of_lane;
  int status = fetch(run, name, i, &array, &lanes, &type_of_lane);
  if (status != EXIT_DONE)
    return status;
  array_print(title, &array, lanes > 1 ? type_of_lane : array.type, lanes);
  array_fini(&array);
  return EXIT_DONE;
}

static int print_result(Run *run, const char *name) {
  const RunList *list = result_list(run, name);
  if (!list)
    return print_one_result(run, name, 0, name);
  int result = EXIT_DONE;
  for (int i = 0; i < list->count && result == EXIT_DONE; i++)
    result = print_one_result(
        run, name, i, arena_printf(run->options->arena, "%s[%d]", name, i));
  return result;
}

int run_write_results(Run *run) {
  HD_ASSERT(run->kernel && run->args);
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

// Names without an ending (/dev/stdout) are .npy.
static bool is_known_format(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  return !dot || has_ending(path, ".npy") || has_ending(path, ".png");
}

static int check_save(Arena *arena, const char *path) {
  if (!is_known_format(path)) {
    cli_error("%s: arrays are written to .npy and .png; a name without an "
              "ending means NumPy's format",
              path);
    return EXIT_USAGE;
  }
  if (!folder_is_writable(arena, path)) {
    cli_error("%s: can't be written", path);
    return EXIT_USAGE;
  }
  return EXIT_DONE;
}

int run_check_results(const Run *run) {
  const Options *options = run->options;
  for (uint32_t i = 0; i < options->saves.count + options->prints.count; i++) {
    bool is_save = i < options->saves.count;
    const char *name = is_save ? options->saves.data[i].name
                               : options->prints.data[i - options->saves.count];
    int index = run_find_param(run, name);
    HdGlobalInfo global;
    bool is_global = index < 0 && run_find_global(run, name, &global);
    if (index < 0 && !is_global)
      return run_unknown_name(run, name);
    if (!is_global && !array_is_param(&run->params[index]) &&
        run->params[index].kind != HD_PARAM_ARRAYS) {
      cli_error("'%s' is not an array: there is nothing to %s", name,
                is_save ? "save" : "print");
      return EXIT_USAGE;
    }
    int status = is_save
                     ? check_save(options->arena, options->saves.data[i].value)
                     : EXIT_DONE;
    if (status != EXIT_DONE)
      return status;
  }
  return EXIT_DONE;
}
