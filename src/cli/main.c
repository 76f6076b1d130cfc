// SPDX-License-Identifier: Apache-2.0
// heddle: the command. Uses nothing but the public API.
#include "cli/commands.h"
#include "cli/no_memory.h"

#include <stdio.h>
#include <string.h>

static void print_usage(FILE *out) {
  fputs("usage: heddle COMMAND …\n\ncommands:\n", out);
  for (int i = 0; i < n_commands; i++)
    fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
  fputs("\n'heddle COMMAND --help' lists its options; 'heddle --version' "
        "prints the version.\n",
        out);
}

static const CommandRow *find_command(const char *name) {
  for (int i = 0; i < n_commands; i++) {
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  }
  return NULL;
}

static int unknown_command(const char *name) {
  enum { MOST_NAMES = 16 };

  const char *names[MOST_NAMES];
  for (int i = 0; i < n_commands; i++)
    names[i] = commands[i].name;
  if (strcmp(name, "build") == 0) {
    cli_error("'build' is not available in this version");
    return EXIT_USAGE;
  }
  const char *nearest = text_nearest(name, names, (size_t)n_commands);
  cli_error("unknown command '%s'%s%s%s; see 'heddle --help'", name,
            nearest ? ", did you mean '" : "", nearest ? nearest : "",
            nearest ? "'" : "");
  return EXIT_USAGE;
}

static int run_command(const CommandRow *row, int argc, char **argv) {
  Arena *arena = arena_new();
  Options options;
  int status = options_parse(arena, row->command, argc, argv, 2, &options);
  if (status == EXIT_DONE && options.wants_help)
    options_print_help(row->command);
  else if (status == EXIT_DONE)
    status = row->run(&options);
  arena_free(arena);
  return status;
}

// Results that never reached their reader are an error too.
static int main_finish(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  cli_error("can't write to standard output");
  return status == EXIT_DONE ? EXIT_USAGE : status;
}

static int main_run(int argc, char **argv) {
  if (argc < 2) {
    print_usage(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    print_usage(stdout);
    return main_finish(EXIT_DONE);
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("%s\n", hd_version_details());
    return main_finish(EXIT_DONE);
  }
  const CommandRow *row = find_command(argv[1]);
  if (!row)
    return unknown_command(argv[1]);
  return main_finish(run_command(row, argc, argv));
}

int main(int argc, char **argv) {
  Rescue rescue RESCUE_SCOPE;
  if (RESCUE_ENTER(&rescue))
    return EXIT_USAGE;
  no_memory_begin();
  no_memory_watch_stack();
  return main_run(argc, argv);
}
