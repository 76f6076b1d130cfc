// SPDX-License-Identifier: Apache-2.0
// `heddle run` in the reference interpreter, one block after the other:
//
//   interpret run FILE [KERNEL] NAME=VALUE … --save NAME=FILE.npy
//
// takes the words of `heddle run` and leaves the same arrays. File-scope
// objects are as they are loaded. What printf prints appears at the end.
//
// `--mma hopper` in front of them: products of tiles have the bits that tensor
// cores of sm_90 give, of the instructions that are chosen for that target.
#include "cli/no_memory.h"
#include "cli/run.h"
#include "interp/interp.h"
#include "session/args.h"
#include "session/target.h"

#include <stdio.h>
#include <string.h>

static HdStatus say(const char *why, HdStatus status) {
  cli_error("%s", why);
  return status;
}

static InterpMemory *interpret_memory(Arena *arena, const HdArgs *args) {
  uint32_t count = args->ir->params.count;
  InterpMemory *memory = ARENA_ARRAY(arena, InterpMemory, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const HdBuffer *buffer = args->buffers[i];
    if (!buffer)
      continue;
    memory[i].data = buffer->data;
    memory[i].size_bytes =
        (uint64_t)buffer_span(buffer) * buffer->element_bytes;
  }
  return memory;
}

static bool is_hopper;

// NULL in launch->units: as the language has it.
static HdStatus interpret_units(Run *run, InterpLaunch *launch) {
  if (!is_hopper)
    return HD_OK;
  session_lock(run->session);
  CodeTarget *target = target_find(run->session, "sm_90a");
  HdStatus status = target ? HD_OK : HD_ERROR_UNSUPPORTED;
  if (target) {
    target_open(run->session, target);
    status = threads_units(run->program, target, run->args->kernel->spec,
                           run->options->arena, &launch->units);
  }
  session_unlock(run->session);
  return status;
}

static HdStatus interpret_launch(Run *run) {
  const HdArgs *args = run->args;
  const IrKernel *kernel = args->ir;
  HdLaunchOptions options = run_launch_options(run);
  InterpLaunch launch = {.args = args->slots,
                         .arrays = interpret_memory(run->options->arena, args)};
  if (args_check(args) != HD_OK ||
      args_grid(args, &options, launch.grid) != HD_OK ||
      args_cluster(args, &options, launch.grid, launch.cluster) != HD_OK ||
      interpret_units(run, &launch) != HD_OK)
    return say(hd_last_message(run->session), HD_ERROR_LAUNCH);
  const char *why = NULL;
  Text printed = {.arena = run->options->arena};
  launch.printed = &printed;
  HdStatus status = interp_run(run->options->arena, kernel, &launch, &why);
  fputs(text_cstr(&printed), stdout);
  return status == HD_OK ? HD_OK : say(why, status);
}

static int interpret_program(Run *run) {
  const char *name = cli_kernel_name(run->options, run->session, run->program);
  if (!name)
    return EXIT_USAGE;
  if (run_open_kernel(run, name) != HD_OK) {
    cli_error("%s", hd_last_message(run->session));
    return EXIT_USAGE;
  }
  int status = run_check_results(run);
  if (status == EXIT_DONE)
    status = run_set_arguments(run);
  if (status == EXIT_DONE && interpret_launch(run) != HD_OK)
    status = EXIT_WRONG;
  return status == EXIT_DONE ? run_write_results(run) : status;
}

static int interpret(int argc, char **argv) {
  if (argc > 3 && strcmp(argv[1], "--mma") == 0) {
    if (strcmp(argv[2], "hopper") != 0)
      return cli_error("--mma '%s': there is 'hopper' only", argv[2]),
             EXIT_USAGE;
    is_hopper = true;
    argc -= 2;
    argv += 2;
  }
  Arena *arena = arena_new();
  Options options;
  int status = options_parse(arena, RUN, argc, argv, 2, &options);
  Run run = {.options = &options};
  if (status == EXIT_DONE)
    status = cli_open(&options, &run.session, &run.program);
  if (status == EXIT_DONE)
    status = interpret_program(&run);
  run_close(&run);
  arena_free(arena);
  return status;
}

int main(int argc, char **argv) {
  Rescue rescue RESCUE_SCOPE;
  if (RESCUE_ENTER(&rescue))
    return EXIT_USAGE;
  no_memory_begin();
  return interpret(argc, argv);
}
