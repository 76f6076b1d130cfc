// SPDX-License-Identifier: Apache-2.0
// The checker against brute force on generated kernels.
//
//   verdicts FIRST COUNT [--print] [--test]
//
// Every second program has one barrier, wait, arrival or fence taken out. A
// kernel that is proved must be one in which no small launch shows an error; in
// those that are whole nothing about order may be called a bug. --test: from
// another range for each HD_SEED, and ten times as many where HD_LONG is set.
#include "base/status.h"
#include "brute.h"
#include "check/check.h"
#include "check/run/fact.h"
#include "check/run/sizes.h"
#include "mutant.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_MS = 3000, MOST_FAILURES = 5 };

typedef struct {
  uint64_t first, count;
  bool prints;
} Options;

typedef struct {
  uint32_t proved, bugs, unknown, refused, failures;
} Totals;

// ------------------------------------------------------------------ search

typedef struct {
  Arena *arena;
  const IrKernel *kernel;
  const CheckReport *report;
  const Decisive *decisive;
  const char *first; // what was seen first, in words
} Seen;

static void on_event(void *context, const ConcreteLaunch *launch,
                     const ConcreteFinding *found) {
  Seen *seen = context;
  const IrModule *module = seen->kernel->module;
  if (seen->first || !brute_is_claimed(seen->report, seen->decisive, found))
    return;
  uint32_t a = module->locs.data[found->a.node->loc].place.line, b = 0;
  if (found->b.node)
    b = module->locs.data[found->b.node->loc].place.line;
  seen->first = arena_printf(seen->arena, "kind %d, lines %u and %u: %s [%s]",
                             (int)found->kind, a, b,
                             fact_text(seen->arena, module, &found->fact),
                             sizes_text(seen->arena, seen->kernel, launch));
}

// Races, fences, barriers, copies: generated programs have no mistakes of these
// kinds, whatever their parameters are. (Their bounds hold for some only.)
static bool is_about_order(uint32_t code) {
  return (code >= 601 && code <= 609) || code >= 1000;
}

static const char *judge(Arena *arena, const IrKernel *kernel, bool is_whole,
                         Totals *totals) {
  CheckOptions options = {.no_fixes = true};
  options.solve.kernel_ms = KERNEL_MS;
  CheckReport report;
  check_kernel(arena, kernel, &options, &report);
  Seen seen = {.arena = arena,
               .kernel = kernel,
               .report = &report,
               .decisive = decisive_new(arena, kernel)};
  switch (report.verdict) {
  case VERDICT_UNKNOWN: totals->unknown++; return NULL;
  case VERDICT_PROVED:
    totals->proved++;
    brute_search(kernel, 0, 0.5, on_event, &seen);
    return seen.first ? arena_printf(arena, "WRONG PROOF: %s", seen.first)
                      : NULL;
  case VERDICT_BUG: break;
  }
  totals->bugs++;
  for (uint32_t i = 0; i < report.findings.count && is_whole; i++) {
    const Finding *bug = &report.findings.data[i];
    if (bug->verdict == VERDICT_BUG && is_about_order(bug->code))
      return arena_printf(arena, "FALSE BUG: HD%04u %s, %s", bug->code,
                          bug->message, bug->witness ? bug->witness : "");
  }
  return NULL;
}

// NULL: as it should be.
static const char *try_source(Arena *arena, const char *source, bool is_whole,
                              Totals *totals) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  HdSession *session;
  HdProgram *program = NULL;
  if (hd_session_new(&options, &session) != HD_OK)
    return "no session";
  IrModule *module = NULL;
  if (hd_compile_text(session, "generated.hd", source, strlen(source),
                      &program) == HD_OK)
    module = brute_load(arena, program, "k", NULL, 0);
  hd_program_free(program);
  hd_session_free(session);
  if (module)
    return judge(arena, module->kernels.data[0], is_whole, totals);
  totals->refused++; // a mutant may be none of the language
  return NULL;
}

static void try_seed(uint64_t seed, const Options *options, Totals *totals) {
  Arena *arena = arena_new();
  GenProgram program;
  const char *source = mutant_of_seed(arena, seed, &program);
  // An open grid is one that the generator chose: others may race.
  bool is_whole = source == program.source && !program.has_grid;
  if (options->prints) {
    printf("%s", source);
  } else {
    const char *why = try_source(arena, source, is_whole, totals);
    if (why) {
      totals->failures++;
      printf("seed %" PRIu64 ": %s\n%s\n", seed, why, source);
    }
  }
  arena_free(arena);
}

// ---------------------------------------------------------------- command

static bool read_options(int argc, char **argv, Options *options) {
  *options = (Options){0};
  if (argc < 3)
    return false;
  options->first = strtoull(argv[1], NULL, 10);
  options->count = strtoull(argv[2], NULL, 10);
  for (int i = 3; i < argc; i++) {
    const char *seed = getenv("HD_SEED");
    if (strcmp(argv[i], "--print") == 0)
      options->prints = true;
    else if (strcmp(argv[i], "--test") != 0)
      return false;
    else if (seed)
      options->first += strtoull(seed, NULL, 10) << 20;
    if (strcmp(argv[i], "--test") == 0 && getenv("HD_LONG"))
      options->count *= 10;
  }
  return true;
}

int main(int argc, char **argv) {
  Options options;
  Totals totals = {0};
  if (!read_options(argc, argv, &options)) {
    fprintf(stderr, "usage: verdicts FIRST COUNT [--print] [--test]\n");
    return 2;
  }
  for (uint64_t i = 0; i < options.count && totals.failures < MOST_FAILURES;
       i++)
    try_seed(options.first + i, &options, &totals);
  if (!options.prints)
    printf("%u proved, %u bugs, %u unknown, %u refused, %u wrong\n",
           totals.proved, totals.bugs, totals.unknown, totals.refused,
           totals.failures);
  return totals.failures > 0;
}
