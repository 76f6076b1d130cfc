// SPDX-License-Identifier: Apache-2.0
// The checker against --sanitize, which is made of other code: generated
// machine code and a race detector with limited memory.
//
//   sanitized FILE [--kernel NAME] [--schedules N] [--verbose] [NAME=VALUE…]
//   sanitized --generated FIRST COUNT [--schedules N] [--test]
//
// A kernel that is proved must be silent in N launches of random sizes,
// contents and schedules; a bug must show in the launch that the checker names.
// Generated kernels are those of `verdicts`. --test: from another range for
// each HD_SEED, and ten times as many kernels and schedules where HD_LONG is
// set. The result is 1 if a kernel failed, 2 if the program can't be compiled.
#include "base/status.h"
#include "brute.h"
#include "check/check.h"
#include "check/prove/decisive.h"
#include "check/run/sizes.h"
#include "launches.h"
#include "mutant.h"
#include "session/kernel_source.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  MOST_EMBEDS = 16,
  MOST_SHAPES = 300,
  TRIED = 200,
  KERNEL_MS = 10000,
  LARGE_MS = 30,
};

typedef struct {
  const char *file, *kernel;
  uint64_t first, count; // of generated ones
  uint32_t n_schedules;
  HdEmbed embeds[MOST_EMBEDS];
  int n_embeds;
  bool verbose, is_test;
} Options;

typedef struct {
  uint32_t proved, launches, bugs, reproduced, unknown, refused, endless,
      overflows, failures;
} Totals;

typedef struct {
  const Options *options;
  Totals *totals;
  Arena *arena;
  Subject subject;
  const char *name; // of the kernel, for messages
} Comparison;

static void print_launch(const Comparison *c, const char *what,
                         const ConcreteLaunch *launch, uint64_t schedule,
                         const char *message) {
  printf("%s: %s [%s; contents %d of seed %" PRIu64 ", schedule %" PRIu64
         "]\n%s\n",
         c->name, what, sizes_text(c->arena, c->subject.ir, launch),
         (int)launch->fill, launch->seed, schedule, message);
  fflush(stdout);
}

// ------------------------------------------------------------------ proved

static bool is_data_overflow(const Comparison *c, const CheckReport *report,
                             const ConcreteLaunch *launch,
                             const char *message) {
  Arena *arena = arena_new();
  ConcreteResult result;
  bool is_data = strstr(message, "error[HD0704]") != NULL;
  if (is_data) {
    Decisive *decisive = decisive_new(arena, c->subject.ir);
    concrete_run(arena, c->subject.ir, launch, &result);
    is_data = result.found.count > 0;
    for (uint32_t i = 0; i < result.found.count; i++)
      is_data &= !brute_is_claimed(report, decisive, &result.found.data[i]);
  }
  arena_free(arena);
  return is_data;
}

// False: it failed.
static bool try_proved(Comparison *c, const CheckReport *report,
                       const ConcreteLaunch *launch, uint64_t schedule) {
  LaunchResult result = launches_run(&c->subject, launch, schedule);
  const char *message = hd_last_message(c->subject.session);
  switch (result) {
  case LAUNCH_SILENT: c->totals->launches++; return true;
  case LAUNCH_NONE: return true;
  case LAUNCH_ENDLESS: c->totals->endless++; return true;
  case LAUNCH_REFUSED:
    if (c->totals->refused++ == 0 || c->options->verbose)
      print_launch(c, "REFUSED", launch, schedule, message);
    return true;
  case LAUNCH_FOUND: break;
  }
  if (is_data_overflow(c, report, launch, message)) {
    c->totals->overflows++;
    return true;
  }
  print_launch(c, "PROVED, BUT NOT SILENT", launch, schedule, message);
  return false;
}

static bool is_silent(Comparison *c, const CheckReport *report) {
  static const ConcreteFill fills[] = {FILL_RANDOM, FILL_IOTA, FILL_RANDOM,
                                       FILL_ZEROS};
  LaunchList shapes = {0};
  launches_of(c->arena, c->subject.ir, MOST_SHAPES, &shapes);
  uint64_t random = c->options->first;
  for (uint32_t i = 0; i < c->options->n_schedules && shapes.count; i++) {
    uint64_t shape = gen_split_mix(&random) % shapes.count;
    ConcreteLaunch launch = shapes.data[shape];
    launch.fill = fills[i % (sizeof fills / sizeof *fills)];
    launch.seed = i;
    clock_t start = clock();
    if (!try_proved(c, report, &launch, i))
      return false;
    // Large launches once each: it is the number of schedules that counts.
    if (shapes.count > 1 &&
        clock() - start > LARGE_MS * (CLOCKS_PER_SEC / 1000))
      shapes.data[shape] = shapes.data[--shapes.count];
  }
  return true;
}

// -------------------------------------------------------------------- bugs

// Whatever is told: one mistake shows in many ways, and the first one ends the
// launch.
static bool is_reproduced(Comparison *c, const Finding *bug) {
  for (uint64_t schedule = 0; schedule < TRIED; schedule++) {
    LaunchResult result = launches_run(&c->subject, bug->launch, schedule);
    if (result == LAUNCH_FOUND || result == LAUNCH_ENDLESS)
      return true;
    if (result == LAUNCH_REFUSED)
      break;
  }
  return false;
}

static bool are_reproduced(Comparison *c, const CheckReport *report) {
  bool is_good = true;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *bug = &report->findings.data[i];
    if (bug->verdict != VERDICT_BUG || !bug->launch)
      continue;
    c->totals->bugs++;
    if (is_reproduced(c, bug)) {
      c->totals->reproduced++;
      continue;
    }
    is_good = false;
    const char *text = arena_printf(c->arena, "HD%04u isn't reproduced: %s",
                                    bug->code, bug->message);
    print_launch(c, text, bug->launch, 0, bug->witness);
  }
  return is_good;
}

// ----------------------------------------------------------------- kernels

static bool judge(Comparison *c) {
  const SourcePolicy *policy = &c->subject.program->kernels->policy;
  CheckOptions options = {.no_fixes = true,
                          .no_remarks = true,
                          .policy = policy->check,
                          .language = policy->words};
  options.solve.kernel_ms = KERNEL_MS;
  CheckReport report;
  check_kernel(c->arena, c->subject.ir, &options, &report);
  if (c->options->verbose)
    printf("%s: %s\n", c->name,
           hd_verdict_name(report.verdict == VERDICT_PROVED ? HD_VERDICT_PROVED
                           : report.verdict == VERDICT_BUG
                               ? HD_VERDICT_BUG
                               : HD_VERDICT_UNKNOWN));
  switch (report.verdict) {
  case VERDICT_PROVED: c->totals->proved++; return is_silent(c, &report);
  case VERDICT_UNKNOWN: c->totals->unknown++; return true;
  case VERDICT_BUG: break;
  }
  return are_reproduced(c, &report);
}

// What the compiler refuses isn't asked about.
static bool try_kernel(const Options *options, Totals *totals,
                       HdSession *session, HdProgram *program,
                       const char *kernel) {
  Arena *arena = arena_new();
  Comparison c = {.options = options, .totals = totals, .arena = arena};
  c.subject = (Subject){.session = session, .program = program};
  c.name = options->file ? arena_printf(arena, "%s: %s", options->file, kernel)
                         : kernel;
  IrModule *module =
      brute_load(arena, program, kernel, options->embeds, options->n_embeds);
  bool is_good = true;
  bool is_there =
      module &&
      hd_kernel_get(program, kernel, options->embeds, options->n_embeds,
                    &c.subject.kernel) == HD_OK &&
      hd_device_open(session, "cpu:1", &c.subject.device) == HD_OK;
  if (is_there) {
    c.subject.ir = module->kernels.data[0];
    is_good = judge(&c);
  }
  totals->failures += !is_good;
  hd_kernel_free(c.subject.kernel);
  hd_device_free(c.subject.device);
  arena_free(arena);
  return is_good;
}

static int try_file(const Options *options, Totals *totals) {
  HdSession *session = launches_session();
  HdProgram *program = NULL;
  bool is_read =
      session && hd_compile_file(session, options->file, &program) == HD_OK;
  int n = is_read ? hd_program_kernel_count(program) : 0;
  for (int i = 0; i < n; i++) {
    const char *name = hd_program_kernel_name(program, i);
    if (!options->kernel || strcmp(options->kernel, name) == 0)
      try_kernel(options, totals, session, program, name);
  }
  hd_program_free(program);
  hd_session_free(session);
  return is_read ? totals->failures > 0 : 2;
}

// --------------------------------------------------------------- generated

static void try_seed(const Options *options, Totals *totals, uint64_t seed) {
  Arena *arena = arena_new();
  GenProgram program;
  const char *source = mutant_of_seed(arena, seed, &program);
  HdSession *session = launches_session();
  HdProgram *compiled = NULL;
  if (session &&
      hd_compile_text(session, "generated.hd", source, strlen(source),
                      &compiled) == HD_OK &&
      !try_kernel(options, totals, session, compiled, "k"))
    printf("seed %" PRIu64 ":\n%s\n", seed, source);
  hd_program_free(compiled);
  hd_session_free(session);
  arena_free(arena);
}

// ----------------------------------------------------------------- command

static void set_range(Options *options) {
  const char *seed = getenv("HD_SEED");
  if (seed)
    options->first += strtoull(seed, NULL, 10) << 20;
  if (getenv("HD_LONG")) {
    options->count *= 10;
    options->n_schedules *= 10;
  }
}

static bool read_options(int argc, char **argv, Options *options) {
  *options = (Options){.n_schedules = 200};
  for (int i = 1; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (strcmp(argv[i], "--kernel") == 0 && i + 1 < argc) {
      options->kernel = argv[++i];
    } else if (strcmp(argv[i], "--schedules") == 0 && i + 1 < argc) {
      options->n_schedules = (uint32_t)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--generated") == 0 && i + 2 < argc) {
      options->first = strtoull(argv[++i], NULL, 10);
      options->count = strtoull(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--verbose") == 0) {
      options->verbose = true;
    } else if (strcmp(argv[i], "--test") == 0) {
      options->is_test = true;
    } else if (equals && options->n_embeds < MOST_EMBEDS) {
      *equals = 0;
      options->embeds[options->n_embeds++] =
          (HdEmbed){.name = argv[i], .text = equals + 1};
    } else if (!options->file) {
      options->file = argv[i];
    } else {
      return false;
    }
  }
  if (options->is_test)
    set_range(options);
  return options->file || options->count;
}

int main(int argc, char **argv) {
  Options options;
  Totals t = {0};
  if (!read_options(argc, argv, &options)) {
    fprintf(stderr, "usage: sanitized FILE [--kernel NAME] [--schedules N] "
                    "[--verbose] [NAME=VALUE…]\n"
                    "       sanitized --generated FIRST COUNT "
                    "[--schedules N] [--test]\n");
    return 2;
  }
  int result = options.file ? try_file(&options, &t) : 0;
  for (uint64_t i = 0; !options.file && i < options.count; i++)
    try_seed(&options, &t, options.first + i);
  printf("%u proved, %u launches, %u bugs, %u reproduced, %u unknown, "
         "%u refused, %u endless, %u overflows, %u wrong\n",
         t.proved, t.launches, t.bugs, t.reproduced, t.unknown, t.refused,
         t.endless, t.overflows, t.failures);
  return result ? result : t.failures > 0;
}
