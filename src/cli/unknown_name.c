// SPDX-License-Identifier: Apache-2.0
// NAME=VALUE of a name that a kernel doesn't have.
#include "cli/cli.h"

#include "base/text.h"

#include <string.h>

typedef hd_vec(const char *) Names;

static void unknown_name_add_params(Arena *arena, const HdProgram *program,
                                    const char *kernel, Names *out) {
  bool has_block_params = hd_program_language(program) == HD_LANGUAGE_CUDA;
  HdParamInfo info;
  for (int i = 0; i < hd_program_param_count(program, kernel); i++) {
    if (hd_program_param(program, kernel, i, &info) != HD_OK)
      continue;
    // --block and --shared say what only the output has as a parameter.
    if (!has_block_params || (info.kind != HD_PARAM_EMBEDDED &&
                              strcmp(info.name, "dynamic_shared_bytes") != 0))
      VEC_PUSH(arena, out, info.name);
  }
}

static void add_globals(Arena *arena, const HdKernel *kernel, Names *out) {
  HdGlobalInfo info;
  for (int i = 0; kernel && i < hd_kernel_global_count(kernel); i++)
    if (hd_kernel_global(kernel, i, &info) == HD_OK)
      VEC_PUSH(arena, out, info.name);
}

const char *cli_no_parameter(Arena *arena, const HdProgram *program,
                             const char *kernel_name, const HdKernel *kernel,
                             const char *name) {
  Names names = {0};
  Text out = {.arena = arena};
  unknown_name_add_params(arena, program, kernel_name, &names);
  add_globals(arena, kernel, &names);
  const char *nearest = text_nearest(name, names.data, names.count);
  text_printf(&out, "kernel '%s' has no parameter '%s'", kernel_name, name);
  if (nearest)
    text_printf(&out, ", did you mean '%s'?", nearest);
  text_add(&out, "; it has: ");
  for (uint32_t i = 0; i < names.count; i++)
    text_printf(&out, "%s%s", i ? ", " : "", names.data[i]);
  return text_cstr(&out);
}

static bool unknown_name_is_param(const HdProgram *program, const char *kernel,
                                  const char *name) {
  HdParamInfo info;
  for (int i = 0; i < hd_program_param_count(program, kernel); i++)
    if (hd_program_param(program, kernel, i, &info) == HD_OK &&
        strcmp(info.name, name) == 0)
      return true;
  return false;
}

static bool is_global(const HdKernel *kernel, const char *name) {
  HdGlobalInfo info;
  for (int i = 0; i < hd_kernel_global_count(kernel); i++)
    if (hd_kernel_global(kernel, i, &info) == HD_OK &&
        strcmp(info.name, name) == 0)
      return true;
  return false;
}

// NULL: the kernel knows the name, or has errors, which are told anyway. Only a
// compiled kernel says which variables of the program it uses.
static const char *unknown_to(const Options *options, HdProgram *program,
                              const char *kernel_name, const char *name) {
  int n_embeds;
  HdKernel *kernel;
  if (unknown_name_is_param(program, kernel_name, name))
    return NULL;
  HdEmbed *embeds = cli_embeds(options, program, kernel_name, &n_embeds);
  if (hd_kernel_get(program, kernel_name, embeds, n_embeds, &kernel) != HD_OK)
    return NULL;
  const char *why = NULL;
  if (!is_global(kernel, name))
    why = cli_no_parameter(options->arena, program, kernel_name, kernel, name);
  hd_kernel_free(kernel);
  return why;
}

const char *cli_unknown_assignment(const Options *options, HdProgram *program,
                                   const char *kernel) {
  int n_kernels = kernel ? 1 : hd_program_kernel_count(program);
  for (uint32_t i = 0; i < options->assignments.count; i++) {
    const char *name = options->assignments.data[i].name, *why = NULL;
    int n_unknown = 0;
    for (int k = 0; k < n_kernels && n_unknown == k; k++) {
      const char *asked = kernel ? kernel : hd_program_kernel_name(program, k);
      why = unknown_to(options, program, asked, name);
      n_unknown += why != NULL;
    }
    if (n_kernels > 0 && n_unknown == n_kernels)
      return n_kernels == 1 ? why
                            : arena_printf(options->arena,
                                           "no kernel of %s has a parameter "
                                           "'%s'",
                                           options->file, name);
  }
  return NULL;
}
