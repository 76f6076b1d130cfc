// SPDX-License-Identifier: Apache-2.0
// What a launch is made of beside arguments: --grid, --block, --shared, or all
// at once as CUDA C writes it. Numbers may be computed from NAME=VALUE, so they
// are read when every word is known.
#include "cli/expression.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_THREADS = 1024 };

static const char shape_text[] = "'kernel<<<grid, block>>>' or "
                                 "'kernel<<<grid, block, bytes>>>'";

static int bad_launch(const Options *options, const char *why) {
  cli_error("--launch needs %s, not '%s': %s", shape_text, options->launch,
            why);
  return EXIT_USAGE;
}

static int set_part(const Options *options, const char *option,
                    const char **place, const char *text, size_t length) {
  if (*place) {
    cli_error("%s and --launch both give it: use one of them", option);
    return EXIT_USAGE;
  }
  *place = arena_strndup(options->arena, text, length);
  return EXIT_DONE;
}

// The text between <<< and >>>; a fourth part is the stream.
static int split_launch(Options *o, const char *text, size_t length) {
  static const char *const options[] = {"--grid", "--block", "--shared"};
  const char **places[] = {&o->grid_text, &o->block_text, &o->shared_text};
  int count = 0;
  for (;; count++) {
    size_t part = expression_part(text, length, ",");
    if (count == 4)
      return bad_launch(o, "it has more than four parts");
    if (count < 3) {
      int status = set_part(o, options[count], places[count], text, part);
      if (status != EXIT_DONE)
        return status;
    }
    if (part == length)
      break;
    text += part + 1;
    length -= part + 1;
  }
  return count > 0 ? EXIT_DONE : bad_launch(o, "it has no block size");
}

static int read_launch(Options *o) {
  const char *begin = strstr(o->launch, "<<<"), *end = NULL;
  for (const char *p = begin; p && (p = strstr(p, ">>>")); p++)
    end = p;
  if (!begin || begin == o->launch)
    return bad_launch(o, "it has no '<<<' after a kernel's name");
  if (!end)
    return bad_launch(o, "it has no '>>>'");
  if (end[3 + strspn(end + 3, " ;")])
    return bad_launch(o, "arguments are given as NAME=VALUE, after it");
  const char *name =
      arena_strndup(o->arena, o->launch, (size_t)(begin - o->launch));
  if (o->kernel && strcmp(o->kernel, name) != 0) {
    cli_error("--launch names the kernel '%s', but '%s' is given, too", name,
              o->kernel);
    return EXIT_USAGE;
  }
  o->kernel = name;
  return split_launch(o, begin + 3, (size_t)(end - begin - 3));
}

static int read_sizes(const Options *options, const char *option,
                      const char *text, int64_t out[3]) {
  const char *why = expression_sizes(options, text, strlen(text), out);
  if (!why)
    return EXIT_DONE;
  cli_error("%s needs X, X,Y or X,Y,Z, not '%s': %s", option, text, why);
  return EXIT_USAGE;
}

static int read_block(Options *o) {
  int status = read_sizes(o, "--block", o->block_text, o->block);
  int64_t threads = 1;
  for (int i = 0; i < 3 && status == EXIT_DONE; i++) {
    bool is_good = o->block[i] >= 1 && o->block[i] <= MOST_THREADS;
    threads *= is_good ? o->block[i] : MOST_THREADS + 1;
    if (threads <= MOST_THREADS)
      continue;
    cli_error("--block %s: a block has 1 to %d threads", o->block_text,
              MOST_THREADS);
    status = EXIT_USAGE;
  }
  return status;
}

static int read_shared(Options *o) {
  const char *why = expression_value(o, o->shared_text, strlen(o->shared_text),
                                     &o->shared_bytes);
  if (!why && (o->shared_bytes < 0 || o->shared_bytes > UINT32_MAX))
    why = "no such memory";
  if (!why)
    return EXIT_DONE;
  cli_error("--shared needs a number of bytes, not '%s': %s", o->shared_text,
            why);
  return EXIT_USAGE;
}

// The block first: the grid may be computed from it.
int options_read_launch(Options *o) {
  int status = o->launch ? read_launch(o) : EXIT_DONE;
  if (status == EXIT_DONE && o->block_text)
    status = read_block(o);
  o->has_block = o->block_text;
  if (status == EXIT_DONE && o->grid_text)
    status = read_sizes(o, "--grid", o->grid_text, o->grid);
  o->has_grid = o->grid_text;
  if (status == EXIT_DONE && o->cluster_text)
    status = read_sizes(o, "--cluster", o->cluster_text, o->cluster);
  if (status == EXIT_DONE && o->shared_text)
    status = read_shared(o);
  return status;
}
