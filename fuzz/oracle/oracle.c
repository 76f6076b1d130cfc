// SPDX-License-Identifier: Apache-2.0
// Runs all small launches of a program's kernels under the exact detector and
// says what errors exist: what `heddle check` is measured by.
//
//   oracle FILE [--kernel NAME] [--seconds S] [--most N] [NAME=VALUE…]
//
// A line for each error: "KERNEL: KIND LINE[ LINE]: text [sizes]". Ends with 1
// if there is one, 0 if there is none, 2 if the program can't be compiled.
#include "base/status.h"
#include "check/sizes.h"
#include "diag/diag.h"
#include "heddle/heddle.h"
#include "ir/verify.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_EMBEDS = 16, N_PASSES = 5 };

static const char *const kind_names[] = {
    [EVENT_FOUND_RACE] = "race",       [EVENT_FOUND_FENCE] = "fence",
    [EVENT_FOUND_BOUNDS] = "bounds",   [EVENT_FOUND_OVERFLOW] = "overflow",
    [EVENT_FOUND_ASSERT] = "assert",   [EVENT_FOUND_RANGE] = "range",
    [EVENT_FOUND_UNIFORM] = "uniform", [EVENT_FOUND_DEADLOCK] = "deadlock",
    [EVENT_FOUND_BARRIER] = "barrier", [EVENT_FOUND_COPY] = "copy",
};

typedef struct {
  const char *file, *kernel;
  double seconds;
  int64_t most;
  HdEmbed embeds[MOST_EMBEDS];
  int n_embeds;
  bool verbose;
} Options;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t line_of(const IrModule *module, const IrNode *node) {
  return node ? module->locs.data[node->loc].place.line : 0;
}

// What was told already, by kind and lines.
typedef struct {
  Arena *arena;
  const IrKernel *kernel;
  Map told;
  uint32_t n_errors, n_launches, n_unfinished, n_refused;
} Search;

static void tell(Search *s, const ConcreteLaunch *launch,
                 const ConcreteFinding *found) {
  const IrModule *module = s->kernel->module;
  uint32_t a = line_of(module, found->a.node),
           b = line_of(module, found->b.node);
  uint64_t key = (uint64_t)found->kind << 56 | (uint64_t)a << 28 | b | 1u << 27;
  if (map_has(&s->told, key))
    return;
  map_put(s->arena, &s->told, key, s);
  s->n_errors++;
  printf("%s: %s %u", s->kernel->name, kind_names[found->kind], a);
  if (found->b.node)
    printf(" %u", b);
  printf(": %s", found->text);
  if (found->object) {
    printf(" (%s", found->object->name);
    for (uint32_t i = 0; i < found->n_index; i++)
      printf("[%lld]", (long long)found->index[i]);
    printf(", threads %d and %d)", found->a.thread, found->b.thread);
  }
  printf(" [%s; seed %llu]\n", sizes_text(s->arena, s->kernel, launch),
         (unsigned long long)launch->seed);
}

static void try_launch(Search *s, const ConcreteLaunch *launch) {
  Arena *arena = arena_new();
  ConcreteResult result;
  concrete_run(arena, s->kernel, launch, &result);
  s->n_launches++;
  s->n_unfinished += result.ran && !result.finished;
  s->n_refused += !result.ran;
  for (uint32_t i = 0; i < result.found.count && result.ran; i++)
    if (!result.found.data[i].is_after_fault)
      tell(s, launch, &result.found.data[i]);
  arena_free(arena);
}

static uint32_t search(const Options *options, const IrKernel *kernel) {
  static const ConcreteFill fills[N_PASSES] = {
      FILL_IOTA, FILL_RANDOM, FILL_ZEROS, FILL_RANDOM, FILL_IOTA};
  Arena *arena = arena_new();
  Search s = {.arena = arena, .kernel = kernel};
  Sizes *sizes = sizes_new(arena, kernel, options->most);
  double start = now();
  for (int pass = 0; pass < N_PASSES; pass++) {
    double end = start + options->seconds * (pass + 1) / N_PASSES;
    ConcreteLaunch launch;
    sizes_restart(sizes);
    while (now() < end && sizes_next(sizes, &launch)) {
      launch.fill = fills[pass];
      launch.seed = (uint64_t)pass;
      try_launch(&s, &launch);
    }
  }
  if (options->verbose)
    printf("%s: %u launches, %u refused, %u unfinished, %.2f s\n", kernel->name,
           s.n_launches, s.n_refused, s.n_unfinished, now() - start);
  uint32_t n = s.n_errors;
  arena_free(arena);
  return n;
}

// The kernel's IR after all passes, as the checker sees it.
static IrModule *load(Arena *arena, const Options *options, HdProgram *program,
                      const char *kernel) {
  char *text = NULL;
  if (hd_dump(program, kernel, options->embeds, options->n_embeds, "ir",
              &text) != HD_OK)
    return NULL;
  const char *copy = arena_strdup(arena, text);
  hd_text_free(text);
  SourceText *source =
      source_new(arena, "kernel.hir", copy, strlen(copy), false);
  DiagEngine *diags = diag_engine_new(arena, 0);
  diag_engine_set_source(diags, source);
  return ir_parse(arena, source, diags);
}

static int check_program(const Options *options, HdProgram *program) {
  uint32_t n_errors = 0;
  for (int i = 0; i < hd_program_kernel_count(program); i++) {
    const char *name = hd_program_kernel_name(program, i);
    if (options->kernel && strcmp(options->kernel, name) != 0)
      continue;
    Arena *arena = arena_new();
    IrModule *module = load(arena, options, program, name);
    if (module)
      n_errors += search(options, module->kernels.data[0]);
    else
      printf("%s: not compiled\n", name);
    arena_free(arena);
    if (!module && options->kernel)
      return 2;
  }
  return n_errors > 0;
}

static bool read_options(int argc, char **argv, Options *options) {
  *options = (Options){.seconds = 2};
  for (int i = 1; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    bool has_next = i + 1 < argc;
    if (strcmp(argv[i], "--kernel") == 0 && has_next) {
      options->kernel = argv[++i];
    } else if (strcmp(argv[i], "--seconds") == 0 && has_next) {
      options->seconds = strtod(argv[++i], NULL);
    } else if (strcmp(argv[i], "--most") == 0 && has_next) {
      options->most = strtoll(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--verbose") == 0) {
      options->verbose = true;
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
  return options->file != NULL;
}

int main(int argc, char **argv) {
  Options options;
  if (!read_options(argc, argv, &options)) {
    fprintf(stderr, "usage: oracle FILE [--kernel NAME] [--seconds S] "
                    "[--most N] [--verbose] [NAME=VALUE…]\n");
    return 2;
  }
  HdSessionOptions session_options = HD_SESSION_OPTIONS_INIT;
  session_options.use_disk_cache = 0;
  HdSession *session;
  HdProgram *program = NULL;
  if (hd_session_new(&session_options, &session) != HD_OK)
    return 2;
  int result = 2;
  if (hd_compile_file(session, options.file, &program) == HD_OK)
    result = check_program(&options, program);
  else
    fprintf(stderr, "%s\n", hd_last_message(session));
  hd_program_free(program);
  hd_session_free(session);
  return result;
}
