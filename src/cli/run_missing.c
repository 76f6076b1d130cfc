// SPDX-License-Identifier: Apache-2.0
// Kernels of CUDA C leave more to a launch than those of Heddle C: a grid and
// the sizes of arrays. What is missing is told at once.
#include "cli/run_share.h"

#include <stdio.h>
#include <string.h>

// So that arrays of N and of N * N elements are large enough.
enum { EXAMPLE_INTEGER = 32, EXAMPLE_ELEMENTS = 1024 };

static bool is_extent_known(const Run *run, const HdParamInfo *info,
                            const Assignment *given) {
  return info->kind != HD_PARAM_POINTER ||
         (given && (given->extents || given->value[0] == '@' ||
                    run_is_shared(run, given)));
}

// `t_width` of a texture `t` that is given with its sizes.
static bool is_of_texture(const Run *run, const HdParamInfo *info) {
  static const char *const axes[] = {"width", "height", "depth"};
  const char *axis = strrchr(info->name, '_');
  for (int i = 0; i < run->n_params && axis; i++) {
    const HdParamInfo *array = &run->params[i];
    const Assignment *given = run_given(run, array->name);
    size_t length = strlen(array->name);
    if (array->kind != HD_PARAM_ARRAY || !given ||
        !(given->extents || given->value[0] == '@') ||
        length != (size_t)(axis - info->name) ||
        strncmp(array->name, info->name, length) != 0)
      continue;
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
      if (strcmp(axis + 1, axes[k]) == 0)
        return true;
  }
  return false;
}

// A parameter that needs something to be typed. (An array with extents is made
// to measure, and may tell integers.)
static bool is_missing(const Run *run, const HdParamInfo *info) {
  const Assignment *given = run_given(run, info->name);
  switch (info->kind) {
  case HD_PARAM_SCALAR:
    if (strcmp(info->name, "dynamic_shared_bytes") == 0)
      return !given && !run->options->shared_text && !run->has_file_shared;
    return !given && !is_of_texture(run, info);
  case HD_PARAM_STRUCT: return !given;
  case HD_PARAM_POINTER: return !is_extent_known(run, info, given);
  case HD_PARAM_ARRAY:
  case HD_PARAM_ARRAYS:
  case HD_PARAM_EMBEDDED:
  case HD_PARAM_EMBEDDED_TYPE: break;
  }
  return false;
}

static bool is_shared_size(const HdParamInfo *info) {
  return strcmp(info->name, "dynamic_shared_bytes") == 0;
}

static bool needs_grid(const Run *run) {
  return !run->options->grid_text && !run->has_file_grid &&
         hd_kernel_grid_rank(run->kernel) == 0;
}

static const char *type_name(const HdParamInfo *info) {
  return info->lanes > 1 ? "short vector" : hd_type_name(info->type);
}

static void add_line(Text *out, const HdParamInfo *info) {
  if (is_shared_size(info))
    text_add(out, "\n  --shared BYTES: for its 'extern __shared__' arrays");
  else if (info->kind == HD_PARAM_POINTER)
    text_printf(out, "\n  %s[N]=…: an array of N elements (%s%s)", info->name,
                info->is_const ? "read, " : "", type_name(info));
  else
    text_printf(out, "\n  %s=…: a value (%s)", info->name, type_name(info));
}

// `given`: what was typed without a size, or NULL.
static void add_example_value(Text *out, const HdParamInfo *info,
                              const Assignment *given) {
  bool is_float = info->type >= HD_F16 && info->type <= HD_E5M2;
  if (info->kind == HD_PARAM_POINTER)
    text_printf(out, " '%s[%d]=%s'", info->name, EXAMPLE_ELEMENTS,
                given                                       ? given->value
                : info->is_const && info->type != HD_STRUCT ? "random:1"
                                                            : "zeros");
  else if (info->lanes > 1)
    text_printf(out, " %s=%s", info->name,
                info->lanes == 2   ? "1,1"
                : info->lanes == 3 ? "1,1,1"
                                   : "1,1,1,1");
  else if (info->type == HD_STRUCT)
    text_printf(out, " %s=zeros", info->name);
  else
    text_printf(out, is_float ? " %s=1.5" : " %s=%d", info->name,
                EXAMPLE_INTEGER);
}

static void run_missing_add_given(const Run *run, Text *out) {
  const Options *options = run->options;
  for (uint32_t i = 0; i < options->assignments.count; i++) {
    const Assignment *given = &options->assignments.data[i];
    int param = run_find_param(run, given->name);
    if (param >= 0 && is_missing(run, &run->params[param]))
      continue;
    bool needs_quotes = given->extents || strchr(given->value, ' ');
    text_printf(out, needs_quotes ? " '%s%s=%s'" : " %s%s=%s", given->name,
                given->extents ? given->extents : "", given->value);
  }
}

static void add_example(const Run *run, Text *out) {
  const Options *options = run->options;
  bool has_shared = options->shared_text != NULL;
  text_printf(out, "\nfor example: heddle run %s '%s'", options->file,
              options->launch   ? hd_kernel_name(run->kernel)
              : options->kernel ? options->kernel
                                : hd_kernel_name(run->kernel));
  run_missing_add_given(run, out);
  for (int i = 0; i < run->n_params; i++) {
    const HdParamInfo *info = &run->params[i];
    if (!is_missing(run, info))
      continue;
    if (is_shared_size(info))
      has_shared = true;
    else
      add_example_value(out, info, run_given(run, info->name));
  }
  if (options->grid_text || needs_grid(run))
    text_printf(out, " --grid %s",
                options->grid_text ? options->grid_text : "4");
  if (options->block_text)
    text_printf(out, " --block %s", options->block_text);
  if (has_shared)
    text_printf(out, " --shared %s",
                options->shared_text ? options->shared_text : "4096");
}

int run_check_given(const Run *run) {
  if (hd_program_language(run->program) != HD_LANGUAGE_CUDA)
    return EXIT_DONE;
  int status = run_check_values(run);
  if (status != EXIT_DONE)
    return status;
  Text out = {.arena = run->options->arena};
  int block[3];
  HdBlockSource source = hd_kernel_block(run->kernel, block);
  if (needs_grid(run))
    text_printf(&out,
                "\n  --grid X[,Y[,Z]]: how many blocks (of %d x %d x %d "
                "threads: %s)",
                block[0], block[1], block[2],
                cli_block_text(run->options, source));
  for (int i = 0; i < run->n_params; i++) {
    if (is_missing(run, &run->params[i]))
      add_line(&out, &run->params[i]);
  }
  if (out.length == 0)
    return EXIT_DONE;
  add_example(run, &out);
  cli_error("kernel '%s' needs more to be launched:%s",
            hd_kernel_name(run->kernel), text_cstr(&out));
  return EXIT_USAGE;
}
