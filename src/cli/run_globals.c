// SPDX-License-Identifier: Apache-2.0
// File-scope objects of the program: NAME=VALUE before a launch, results after
// it.
#include "cli/run.h"
#include "cli/scalar.h"

#include <string.h>

bool run_find_global(const Run *run, const char *name, HdGlobalInfo *out) {
  for (int i = 0; i < hd_kernel_global_count(run->kernel); i++) {
    if (hd_kernel_global(run->kernel, i, out) == HD_OK &&
        strcmp(out->name, name) == 0)
      return true;
  }
  return false;
}

static HostArray shape_of(const HdGlobalInfo *info) {
  HostArray array = {.type = info->type,
                     .element_bytes = info->element_bytes,
                     .rank = info->rank};
  memcpy(array.extents, info->extents, sizeof array.extents);
  return array;
}

// "1" or, of a short vector, "1,2": its numbers.
static const char *read_element(const Run *run, const HdGlobalInfo *info,
                                const char *text, char *to) {
  HdType type = info->lanes > 1 ? info->type_of_lane : info->type;
  size_t width = hd_type_size(type);
  for (int lane = 0; lane < info->lanes && width > 0; lane++) {
    size_t length = strcspn(text, ",");
    HdArg value;
    const char *part = arena_strndup(run->options->arena, text, length);
    bool is_last = lane + 1 == info->lanes;
    if (!scalar_parse(part, scalar_is_float(type), &value) ||
        !scalar_store(type, &value, to + (size_t)lane * width) ||
        (text[length] == 0) != is_last)
      return arena_printf(run->options->arena, "'%s' is not a value of %s%s",
                          part, hd_type_name(type),
                          info->lanes > 1 ? " for each component" : "");
    text += length + 1;
  }
  return width > 0 ? NULL : "a struct can't be given on the command line";
}

static bool run_globals_is_same_shape(const HostArray *file,
                                      const HdGlobalInfo *info) {
  bool is_same = file->rank == info->rank &&
                 file->element_bytes == info->element_bytes &&
                 (file->type == info->type ||
                  (file->type == HD_STRUCT && !file->is_record));
  for (int i = 0; i < info->rank && is_same; i++)
    is_same = file->extents[i] == info->extents[i];
  return is_same;
}

static const char *run_globals_read_file(const Run *run,
                                         const HdGlobalInfo *info,
                                         const char *path, HostArray *out) {
  const char *why = npy_read(run->options->arena, path, out);
  if (why)
    return arena_printf(run->options->arena, "%s: %s", path, why);
  return run_globals_is_same_shape(out, info)
             ? NULL
             : arena_printf(run->options->arena,
                            "%s has another type or other extents", path);
}

static const char *read_value(const Run *run, const HdGlobalInfo *info,
                              const char *text, HostArray *out) {
  *out = shape_of(info);
  if (*text == '@')
    return run_globals_read_file(run, info, text + 1, out);
  const char *why = array_alloc(out);
  if (why)
    return why;
  if (info->rank == 0)
    return read_element(run, info, text, out->data);
  return array_generate(run->options->arena, out,
                        info->lanes > 1 ? info->type_of_lane : info->type,
                        info->lanes, text);
}

static int set_global(Run *run, const HdGlobalInfo *info,
                      const Assignment *given) {
  HostArray array = {0};
  const char *why = given->extents
                        ? "its extents are known: leave them out"
                        : read_value(run, info, given->value, &array);
  if (why) {
    array_fini(&array);
    cli_error("'%s': %s", info->name, why);
    return EXIT_USAGE;
  }
  HdStatus status = hd_global_write_on(run->program, run->device, info->name,
                                       array.data, array.size_bytes);
  array_fini(&array);
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

int run_set_globals(Run *run) {
  int status = EXIT_DONE;
  for (uint32_t i = 0;
       i < run->options->assignments.count && status == EXIT_DONE; i++) {
    const Assignment *given = &run->options->assignments.data[i];
    HdGlobalInfo info;
    if (run_find_param(run, given->name) < 0 &&
        run_find_global(run, given->name, &info))
      status = set_global(run, &info, given);
  }
  return status;
}

static int keep_global(Run *run, const HdGlobalInfo *info, HostArray *kept) {
  *kept = shape_of(info);
  const char *why = array_alloc(kept);
  if (why) {
    cli_error("'%s': %s", info->name, why);
    return EXIT_USAGE;
  }
  HdStatus status = hd_global_read_on(run->program, run->device, info->name,
                                      kept->data, kept->size_bytes);
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

int run_keep_globals(Run *run) {
  int n = hd_kernel_global_count(run->kernel), status = EXIT_DONE;
  run->kept_globals =
      ARENA_ARRAY(run->options->arena, HostArray, (size_t)n + 1);
  for (int i = 0; i < n && status == EXIT_DONE; i++) {
    HdGlobalInfo info;
    if (hd_kernel_global(run->kernel, i, &info) == HD_OK && !info.is_const)
      status = keep_global(run, &info, &run->kept_globals[i]);
  }
  return status;
}

int run_restore_globals(Run *run) {
  int n = hd_kernel_global_count(run->kernel);
  for (int i = 0; i < n; i++) {
    const HostArray *kept = &run->kept_globals[i];
    HdGlobalInfo info;
    if (!kept->data || hd_kernel_global(run->kernel, i, &info) != HD_OK)
      continue;
    HdStatus status = hd_global_write_on(run->program, run->device, info.name,
                                         kept->data, kept->size_bytes);
    if (status != HD_OK)
      return cli_fail(run->session, status);
  }
  return EXIT_DONE;
}

void run_free_globals(Run *run) {
  for (int i = 0; run->kept_globals && i < hd_kernel_global_count(run->kernel);
       i++)
    array_fini(&run->kept_globals[i]);
  run->kept_globals = NULL;
}

int run_fetch_global(Run *run, const HdGlobalInfo *info, HostArray *out) {
  *out = shape_of(info);
  if (info->rank == 0)
    out->extents[out->rank++] = 1; // results are arrays
  const char *why = array_alloc(out);
  if (why) {
    cli_error("'%s': %s", info->name, why);
    return EXIT_USAGE;
  }
  HdStatus status = hd_global_read_on(run->program, run->device, info->name,
                                      out->data, out->size_bytes);
  if (status == HD_OK)
    return EXIT_DONE;
  array_fini(out);
  return cli_fail(run->session, status);
}
