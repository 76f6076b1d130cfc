// SPDX-License-Identifier: Apache-2.0
#include "brute.h"
#include "check/run/sizes.h"
#include "diag/diag.h"
#include "ir/verify/verify.h"
#include <string.h>
#include <time.h>

enum { N_PASSES = 5 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void try_launch(const IrKernel *kernel, const ConcreteLaunch *launch,
                       BruteCounts *counts, BruteVisit visit, void *context) {
  Arena *arena = arena_new();
  ConcreteResult result;
  concrete_run(arena, kernel, launch, &result);
  counts->n_launches++;
  counts->n_unfinished += result.ran && !result.finished;
  counts->n_refused += !result.ran;
  for (uint32_t i = 0; i < result.found.count && result.ran; i++) {
    const ConcreteFinding *found = &result.found.data[i];
    if (found->is_after_fault)
      continue;
    counts->n_events++;
    visit(context, launch, found);
  }
  arena_free(arena);
}

BruteCounts brute_search(const IrKernel *kernel, int64_t most, double seconds,
                         BruteVisit visit, void *context) {
  static const ConcreteFill fills[N_PASSES] = {
      FILL_IOTA, FILL_RANDOM, FILL_ZEROS, FILL_RANDOM, FILL_IOTA};
  Arena *arena = arena_new();
  BruteCounts counts = {0};
  Sizes *sizes = sizes_new(arena, kernel, most);
  double start = now();
  for (int pass = 0; pass < N_PASSES; pass++) {
    double end = start + seconds * (pass + 1) / N_PASSES;
    ConcreteLaunch launch;
    sizes_restart(sizes);
    while (now() < end && sizes_next(sizes, &launch)) {
      launch.fill = fills[pass];
      launch.seed = (uint64_t)pass;
      try_launch(kernel, &launch, &counts, visit, context);
    }
  }
  arena_free(arena);
  return counts;
}

static bool is_trusted(const CheckReport *report) {
  for (uint32_t i = 0; i < report->trusted.count; i++)
    if (strstr(report->trusted.data[i], "signed arithmetic"))
      return true;
  return false;
}

bool brute_is_claimed(const CheckReport *report, const Decisive *decisive,
                      const ConcreteFinding *found) {
  return found->kind != EVENT_FOUND_OVERFLOW ||
         (!is_trusted(report) && decisive_has(decisive, found->a.node));
}

IrModule *brute_load(Arena *arena, HdProgram *program, const char *kernel,
                     const HdEmbed *embeds, int n_embeds) {
  char *text = NULL;
  if (hd_dump(program, kernel, embeds, n_embeds, "ir", &text) != HD_OK)
    return NULL;
  const char *copy = arena_strdup(arena, text);
  hd_text_free(text);
  SourceText *source =
      source_new(arena, "kernel.hir", copy, strlen(copy), false);
  DiagEngine *diags = diag_engine_new(arena, 0);
  diag_engine_set_source(diags, source);
  return ir_parse(arena, source, diags);
}
