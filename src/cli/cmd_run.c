// SPDX-License-Identifier: Apache-2.0
// heddle run: arguments in, kernel, results out.
#include "base/panic.h"
#include "cli/run.h"
#include "cli/run_signal.h"

#include <stdio.h>
#include <string.h>

HdLaunchOptions run_launch_options(const Run *run) {
  HdLaunchOptions launch = HD_LAUNCH_OPTIONS_INIT;
  launch.has_grid = run->options->grid_text || run->has_file_grid;
  memcpy(launch.grid, run->has_file_grid ? run->file.grid : run->options->grid,
         sizeof launch.grid);
  launch.has_cluster = run->options->cluster_text != NULL;
  memcpy(launch.cluster, run->options->cluster, sizeof launch.cluster);
  launch.device = run->device;
  launch.schedule = run->seed;
  return launch;
}

static HdStatus launch_once(Run *run) {
  HdLaunchOptions launch = run_launch_options(run);
  launch.trace = run->has_traced ? NULL : run->options->trace;
  run->has_traced = true; // the first launch only
  fault_begin(hd_kernel_name(run->kernel), run->options->session.sanitize);
  HdStatus status = hd_args_launch(run->args, NULL, &launch);
  fault_end();
  return status;
}

void run_free_arguments(Run *run) {
  for (int i = 0; i < run->n_params && run->buffers; i++) {
    hd_buffer_free(run->buffers[i]);
    run->buffers[i] = NULL;
  }
  run_free_tables(run);
  hd_args_free(run->args);
  run->args = NULL;
}

// What the command line leaves to the file, or to chance.
static void tell_launch(const Run *run) {
  int block[3];
  const int64_t *grid = run->file.grid;
  if (run->has_file_grid)
    cli_error("a grid of %lld x %lld x %lld blocks, from the launch in the "
              "file; give another with --grid",
              (long long)grid[0], (long long)grid[1], (long long)grid[2]);
  if (run->has_file_shared && run_find_param(run, "dynamic_shared_bytes") >= 0)
    cli_error("%lld bytes of 'extern __shared__' arrays, from the launch in "
              "the file; give another number with --shared",
              (long long)run->file.shared_bytes);
  if (hd_kernel_block(run->kernel, block) == HD_BLOCK_GUESS)
    cli_error("blocks of %d x %d x %d threads are a guess; give another size "
              "with --block",
              block[0], block[1], block[2]);
}

// What a run with --sanitize that found nothing has looked at.
static void tell_sanitized(const Run *run) {
  const Options *o = run->options;
  if (!o->session.sanitize)
    return;
  if (o->n_seeds > 1)
    cli_error("--sanitize found nothing in '%s', for these arguments and in "
              "%llu orders of threads: races, bounds, values that nothing "
              "stored, barriers and copies",
              hd_kernel_name(run->kernel), (unsigned long long)o->n_seeds);
  else
    cli_error("--sanitize found nothing in '%s', for these arguments: races, "
              "bounds, values that nothing stored, barriers and copies",
              hd_kernel_name(run->kernel));
}

// Fresh arguments, and a launch; *launched says how that went.
static int launch_fresh(Run *run, HdStatus *launched) {
  int status = EXIT_DONE;
  if (!run->args) {
    HdStatus made = hd_args_new(run->kernel, &run->args);
    if (made != HD_OK)
      return cli_fail(run->session, made);
  }
  status = run_set_arguments(run);
  if (status == EXIT_DONE && !run->has_reported)
    tell_launch(run);
  if (status == EXIT_DONE && run->options->report && !run->has_reported)
    *launched = run_report(run);
  run->has_reported = true;
  if (status == EXIT_DONE && *launched == HD_OK)
    *launched = launch_once(run);
  fflush(stdout);
  return status;
}

// Every seed by itself, until one fails.
static int launch_seeds(Run *run, HdStatus *launched) {
  const Options *options = run->options;
  run->seed = options->first_seed;
  int status = options->n_seeds > 1 ? run_keep_globals(run) : EXIT_DONE;
  if (status == EXIT_DONE)
    status = launch_fresh(run, launched);
  for (uint64_t i = 1;
       i < options->n_seeds && status == EXIT_DONE && *launched == HD_OK; i++) {
    run_free_arguments(run);
    run->seed = options->first_seed + i;
    status = run_restore_globals(run);
    if (status == EXIT_DONE)
      status = launch_fresh(run, launched);
  }
  return status;
}

static int run_kernel(Run *run) {
  HdStatus launched = HD_OK;
  int status = run_check_results(run);
  if (status != EXIT_DONE)
    return status;
  signal_begin(run->session);
  status = launch_seeds(run, &launched);
  if (status != EXIT_DONE) {
    signal_end();
    return status;
  }
  if (launched == HD_OK)
    status = run_write_results(run);
  if (launched == HD_OK && status == EXIT_DONE)
    tell_sanitized(run);
  if (launched == HD_OK && status == EXIT_DONE && run->options->time_runs > 0)
    launched = run_time(run);
  signal_end();
  if (launched == HD_OK)
    return status;
  status = cli_fail(run->session, launched);
  if (run->options->n_seeds > 1)
    cli_error("with --schedule %llu", (unsigned long long)run->seed);
  return status;
}

HdStatus run_open_kernel(Run *run, const char *name) {
  HD_ASSERT(run->session && run->program && !run->kernel);
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
  hd_kernel_file_launch(run->kernel, &run->file);
  run->has_file_grid = run->file.has_grid && !run->options->grid_text &&
                       hd_kernel_grid_rank(run->kernel) == 0;
  run->has_file_shared = run->file.has_shared && !run->options->shared_text;
  run->n_params = hd_kernel_param_count(run->kernel);
  size_t count = (size_t)run->n_params + 1;
  run->params = ARENA_ARRAY(run->options->arena, HdParamInfo, count);
  run->buffers = ARENA_ARRAY(run->options->arena, HdBuffer *, count);
  run->lists = ARENA_ARRAY(run->options->arena, RunList, count);
  for (int i = 0; i < run->n_params && status == HD_OK; i++)
    status = hd_kernel_param(run->kernel, i, &run->params[i]);
  return status;
}

// --check: EXIT_WRONG, after telling them, if the kernel has bugs.
static int check_first(const Run *run, const char *name) {
  int n_embeds;
  HdEmbed *embeds = cli_embeds(run->options, run->program, name, &n_embeds);
  HdCheck *check;
  HdCheckOptions options = cli_check_options(run->options, run->program, name);
  HdStatus status =
      hd_check(run->program, name, embeds, n_embeds, &options, &check);
  if (status != HD_OK)
    return cli_fail(run->session, status);
  HdVerdict verdict = hd_check_verdict(check);
  if (verdict == HD_VERDICT_BUG) {
    fputs(hd_program_diagnostics(run->program, HD_FORMAT_TEXT), stderr);
    fputs(hd_check_report(check, HD_FORMAT_TEXT), stderr);
    cli_error("kernel '%s' has a bug and isn't run", name);
  } else if (verdict == HD_VERDICT_UNKNOWN) {
    cli_error("kernel '%s' isn't proved ('heddle check' gives the reason); "
              "running it",
              name);
  }
  hd_check_free(check);
  return verdict == HD_VERDICT_BUG ? EXIT_WRONG : EXIT_DONE;
}

static int run_program(Run *run) {
  const char *name = cli_kernel_name(run->options, run->session, run->program);
  if (!name)
    return EXIT_USAGE;
  if (run->options->check_first) {
    int checked = check_first(run, name);
    if (checked != EXIT_DONE)
      return checked;
  }
  HdStatus status = run_open_kernel(run, name);
  if (hd_program_warning_count(run->program) > 0 && status == HD_OK)
    fputs(hd_program_diagnostics(run->program, HD_FORMAT_TEXT), stderr);
  return status == HD_OK ? run_kernel(run) : cli_fail(run->session, status);
}

void run_close(Run *run) {
  run_free_arguments(run);
  run_free_globals(run);
  hd_kernel_free(run->kernel);
  hd_device_free(run->device);
  hd_program_free(run->program);
  hd_session_free(run->session);
}

int cmd_run(const Options *options) {
  HD_ASSERT(options->command == RUN);
  Run run = {.options = options};
  int status = cli_open(options, &run.session, &run.program);
  if (status == EXIT_DONE)
    status = run_program(&run);
  run_close(&run);
  return status;
}
