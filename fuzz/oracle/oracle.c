// SPDX-License-Identifier: Apache-2.0
// Runs all small launches of a program's kernels under the exact detector and
// says what errors exist: what `heddle check` is measured by.
//
//   oracle FILE [--kernel NAME] [--seconds S] [--most N] [NAME=VALUE…]
//
// A line for each error: "KERNEL: KIND LINE[ LINE]: text [sizes]". Ends with 1
// if there is one, 0 if there is none, 2 if the program can't be compiled.
#include "base/map.h"
#include "brute.h"
#include "check/run/fact.h"
#include "check/run/sizes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EMBEDS = 16 };

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

static uint32_t line_of(const IrModule *module, const IrNode *node) {
  return node ? module->locs.data[node->loc].place.line : 0;
}

// What was told already, by kind and lines.
typedef struct {
  Arena *arena;
  const IrKernel *kernel;
  Map told;
  uint32_t n_errors;
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
  printf(": %s", fact_text(s->arena, module, &found->fact));
  if (found->object) {
    printf(" (%s", found->object->name);
    for (uint32_t i = 0; i < found->n_index; i++)
      printf("[%lld]", (long long)found->index[i]);
    printf(", threads %d and %d)", found->a.thread, found->b.thread);
  }
  printf(" [%s; seed %llu]\n", sizes_text(s->arena, s->kernel, launch),
         (unsigned long long)launch->seed);
}

static void on_event(void *context, const ConcreteLaunch *launch,
                     const ConcreteFinding *found) {
  tell(context, launch, found);
}

static uint32_t search(const Options *options, const IrKernel *kernel) {
  Arena *arena = arena_new();
  Search s = {.arena = arena, .kernel = kernel};
  BruteCounts counts =
      brute_search(kernel, options->most, options->seconds, on_event, &s);
  if (options->verbose)
    printf("%s: %u launches, %u refused, %u unfinished\n", kernel->name,
           counts.n_launches, counts.n_refused, counts.n_unfinished);
  uint32_t n = s.n_errors;
  arena_free(arena);
  return n;
}

static int check_program(const Options *options, HdProgram *program) {
  uint32_t n_errors = 0;
  for (int i = 0; i < hd_program_kernel_count(program); i++) {
    const char *name = hd_program_kernel_name(program, i);
    if (options->kernel && strcmp(options->kernel, name) != 0)
      continue;
    Arena *arena = arena_new();
    IrModule *module =
        brute_load(arena, program, name, options->embeds, options->n_embeds);
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
