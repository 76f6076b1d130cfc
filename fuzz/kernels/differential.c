// SPDX-License-Identifier: Apache-2.0
// Generated kernels give the same results on the CPU back end and in the
// scalar interpreter.
//
//   differential FIRST COUNT [--print] [--no-reduce] [--groups]
//                            [--interpreter] [--device NAME] [--test]
//
// tries the seeds FIRST, FIRST+1, …; the exit status is 1 when one failed.
// --print only prints the programs. A failing program is printed with its
// seed, made smaller first. --groups: only programs with groups as values.
// --device cuda: on that device instead of the CPU. --interpreter: it runs
// twice, in order and, after the passes, in a random order. --test: from
// another range for each HD_SEED, and 50 times as many where HD_LONG is set, 25
// times with --groups.
#include "reduce.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 5, LONG_TIMES = 50, LONG_TIMES_OF_GROUPS = 25 };

typedef struct {
  uint64_t first, count;
  uint32_t groups; // of a hundred kernels
  bool prints, reduces, without_cpu;
  const char *device; // NULL: the CPU
} Options;

static void set_range(Options *options) {
  const char *seed = getenv("HD_SEED");
  if (getenv("HD_LONG")) {
    options->count *= options->groups ? LONG_TIMES_OF_GROUPS : LONG_TIMES;
    options->first *= LONG_TIMES;
  }
  if (seed)
    options->first += strtoull(seed, NULL, 10) << 20;
}

static bool read_options(int argc, char **argv, Options *options) {
  *options = (Options){.reduces = true, .groups = 0};
  if (argc < 3)
    return false;
  char *end;
  options->first = strtoull(argv[1], &end, 10);
  if (*end)
    return false;
  options->count = strtoull(argv[2], &end, 10);
  if (*end)
    return false;
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--print") == 0)
      options->prints = true;
    else if (strcmp(argv[i], "--no-reduce") == 0)
      options->reduces = false;
    else if (strcmp(argv[i], "--groups") == 0)
      options->groups = 100;
    else if (strcmp(argv[i], "--interpreter") == 0)
      options->without_cpu = true;
    else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      options->device = argv[++i];
    else if (strcmp(argv[i], "--test") == 0)
      set_range(options);
    else
      return false;
  }
  return true;
}

// Small programs first: where one of them fails, it is easy to understand.
static uint32_t budget_of(uint64_t seed) {
  return (uint32_t)(4 + seed % 37);
}

static const char *outcome_text(Outcome outcome) {
  switch (outcome) {
  case OUTCOME_SAME: return "same";
  case OUTCOME_REFUSED: return "refused";
  case OUTCOME_FAILED: return "failed";
  case OUTCOME_DIFFERS: return "differs";
  case OUTCOME_CRASHED: return "crashed";
  }
  return "?";
}

static void report(Arena *arena, const GenProgram *program, uint64_t seed,
                   Outcome outcome, const char *why, bool reduces) {
  printf("seed %" PRIu64 ": %s: %s\n", seed, outcome_text(outcome), why);
  const char *source = program->source;
  if (reduces && outcome != OUTCOME_REFUSED)
    source = reduce_program(arena, program, seed, outcome, why);
  printf("%s\n", source);
  if (source != program->source) {
    run_both(arena, program, source, seed, &why);
    printf("smaller program: %s\n", why ? why : "same");
  }
  fflush(stdout);
}

static bool try_seed(uint64_t seed, const Options *options) {
  Arena *arena = arena_new();
  GenProgram program;
  gen_program(arena, seed, budget_of(seed), options->groups, &program);
  program.without_cpu = options->without_cpu;
  program.device = options->device;
  bool is_good = true;
  if (options->prints) {
    printf("%s", program.source);
  } else {
    const char *why;
    Outcome outcome = run_both(arena, &program, program.source, seed, &why);
    is_good = outcome == OUTCOME_SAME;
    if (!is_good)
      report(arena, &program, seed, outcome, why, options->reduces);
  }
  arena_free(arena);
  return is_good;
}

int main(int argc, char **argv) {
  Options options;
  if (!read_options(argc, argv, &options)) {
    fprintf(stderr, "usage: differential FIRST COUNT [--print] "
                    "[--no-reduce] [--groups] [--interpreter] "
                    "[--device NAME] [--test]\n");
    return 2;
  }
  int n_failed = 0;
  for (uint64_t i = 0; i < options.count && n_failed < MOST_FAILURES; i++)
    n_failed += !try_seed(options.first + i, &options);
  if (!options.prints)
    printf("%" PRIu64 " kernels from seed %" PRIu64 ": %d failed\n",
           options.count, options.first, n_failed);
  return n_failed > 0;
}
