// SPDX-License-Identifier: Apache-2.0
// Opening a program, choosing its kernel, and what statuses mean to a shell.
#include "cli/cli.h"

#include "cli/array.h"
#include <stdio.h>
#include <string.h>

int cli_exit_status(HdStatus status) {
  switch (status) {
  case HD_OK: return EXIT_DONE;
  case HD_ERROR_PROGRAM:
  case HD_ERROR_TRAP:
  case HD_ERROR_CHECK:
  case HD_ERROR_DEADLOCK: return EXIT_WRONG;
  case HD_ERROR_INTERRUPTED: return EXIT_INTERRUPTED;
  case HD_ERROR_LAUNCH:
  case HD_ERROR_ARGUMENT:
  case HD_ERROR_NOT_FOUND:
  case HD_ERROR_IO:
  case HD_ERROR_MEMORY:
  case HD_ERROR_DEVICE:
  case HD_ERROR_UNSUPPORTED: break;
  }
  return EXIT_USAGE;
}

const char *cli_status_code(HdStatus status) {
  return status == HD_ERROR_MEMORY ? "error[HD0902]: " : "";
}

const char *cli_reason_code(const char *why) {
  return cli_status_code(why == array_no_memory ? HD_ERROR_MEMORY : HD_OK);
}

int cli_fail(HdSession *session, HdStatus status) {
  const char *message = session ? hd_last_message(session) : "";
  // Of a wrong program the diagnostics, which have their own face.
  bool is_rendered = *message && status == HD_ERROR_PROGRAM;
  if (!*message)
    message = hd_status_text(status);
  size_t length = strlen(message);
  fprintf(stderr, "%s%s%s%s",
          is_rendered ? "" : "heddle: ", cli_status_code(status), message,
          length && message[length - 1] == '\n' ? "" : "\n");
  return cli_exit_status(status);
}

int cli_open(const Options *options, HdSession **session, HdProgram **program) {
  *program = NULL;
  HdStatus status = hd_session_new(&options->session, session);
  if (status != HD_OK)
    return cli_fail(*session, status);
  status = hd_compile_file(*session, options->file, program);
  if (status != HD_OK && !(options->json && *program))
    return cli_fail(*session, status);
  return cli_exit_status(status);
}

static bool program_is_embedded(const HdProgram *program, const char *kernel,
                                const char *name) {
  int count = hd_program_param_count(program, kernel);
  for (int i = 0; i < count; i++) {
    HdParamInfo info;
    if (hd_program_param(program, kernel, i, &info) == HD_OK &&
        strcmp(info.name, name) == 0)
      return info.kind == HD_PARAM_EMBEDDED ||
             info.kind == HD_PARAM_EMBEDDED_TYPE;
  }
  return false;
}

// --block, for kernels that take it; of one that doesn't, but was named, the
// library says why not.
static void program_add_block(const Options *options, const HdProgram *program,
                              const char *kernel, HdEmbed *embeds, int *count) {
  static const char *const names[] = {"block_dim_x", "block_dim_y",
                                      "block_dim_z"};
  bool is_named = options->kernel || options->command == RUN;
  for (int i = 0; i < 3 && options->block_text; i++) {
    if (is_named || program_is_embedded(program, kernel, names[i]))
      embeds[(*count)++] =
          (HdEmbed){names[i], arena_printf(options->arena, "%lld",
                                           (long long)options->block[i])};
  }
}

HdEmbed *cli_embeds(const Options *options, const HdProgram *program,
                    const char *kernel, int *count) {
  HdEmbed *embeds =
      ARENA_ARRAY(options->arena, HdEmbed, options->assignments.count + 4);
  *count = 0;
  program_add_block(options, program, kernel, embeds, count);
  for (uint32_t i = 0; i < options->assignments.count; i++) {
    Assignment pair = options->assignments.data[i];
    if (program_is_embedded(program, kernel, pair.name))
      embeds[(*count)++] = (HdEmbed){pair.name, pair.value};
  }
  return embeds;
}

const char *cli_block_text(const Options *options, HdBlockSource source) {
  switch (source) {
  case HD_BLOCK_KERNEL: return "as the kernel states";
  case HD_BLOCK_GIVEN:
    return options->launch ? "given by --launch" : "given by --block";
  case HD_BLOCK_LAUNCH: return "from the launch in the file";
  case HD_BLOCK_BOUNDS: return "from its __launch_bounds__";
  case HD_BLOCK_GUESS: break;
  }
  return "a guess: give another size with --block";
}

static const char *program_list_kernels(Arena *arena,
                                        const HdProgram *program) {
  Text text = {.arena = arena};
  for (int i = 0; i < hd_program_kernel_count(program); i++)
    text_printf(&text, "%s%s", i ? ", " : "",
                hd_program_kernel_name(program, i));
  return text_cstr(&text);
}

static const char *find_cuda_kernel(const Options *options, HdSession *session,
                                    HdProgram *program) {
  const char *name;
  HdStatus status = hd_program_find_kernel(program, options->kernel, &name);
  if (status != HD_OK)
    cli_error("%s: %s", options->file, hd_last_message(session));
  return name;
}

const char *cli_kernel_name(const Options *options, HdSession *session,
                            HdProgram *program) {
  int count = hd_program_kernel_count(program);
  const char *list = program_list_kernels(options->arena, program);
  if (count == 0) {
    cli_error("%s has no kernel", options->file);
    return NULL;
  }
  if (!options->kernel && count == 1)
    return hd_program_kernel_name(program, 0);
  if (!options->kernel) {
    cli_error("%s has %d kernels; name one: %s", options->file, count, list);
    return NULL;
  }
  for (int i = 0; i < count; i++) {
    const char *name = hd_program_kernel_name(program, i);
    if (strcmp(name, options->kernel) == 0)
      return name;
  }
  if (hd_program_language(program) == HD_LANGUAGE_CUDA)
    return find_cuda_kernel(options, session, program);
  cli_error("%s has no kernel '%s'; it has: %s", options->file, options->kernel,
            list);
  return NULL;
}
