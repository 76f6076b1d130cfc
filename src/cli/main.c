// SPDX-License-Identifier: Apache-2.0
// heddle: the command. Uses nothing but the public API.
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  Command command;
  int (*run)(const Options *options);
  const char *synopsis, *summary;
} CommandRow;

static const CommandRow commands[] = {
    {"run", RUN, cmd_run, "FILE [KERNEL] [NAME=VALUE …] [OPTION …]",
     "compile a kernel and run it"},
    {"check", CHECK, cmd_check,
     "FILE|FOLDER … [KERNEL] [NAME=VALUE …] [OPTION …]",
     "prove kernels right, or say what is wrong"},
    {"dump", DUMP, cmd_dump, "FILE [KERNEL] --stage STAGE [NAME=VALUE …]",
     "print what the compiler makes of a file"},
    {"explain", EXPLAIN, cmd_explain, "CODE",
     "explain a diagnostic's code, such as HD0501"},
    {"devices", DEVICES, cmd_devices, "", "list what kernels can run on"},
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

void cli_error(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("heddle: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

static const CommandRow *row_of(Command command) {
  for (int i = 0; i < N_COMMANDS; i++) {
    if (commands[i].command == command)
      return &commands[i];
  }
  return &commands[0];
}

const char *command_name(Command command) {
  return row_of(command)->name;
}

// One row a command's option: "  --save NAME=FILE    write …".
static void print_option(const char *name, const char *argument,
                         const char *help) {
  char left[64];
  snprintf(left, sizeof left, "%s%s%s", name, argument ? " " : "",
           argument ? argument : "");
  if (help)
    printf("  %-20s %s\n", left, help);
}

void options_print_help(Command command) {
  const CommandRow *row = row_of(command);
  printf("usage: heddle %s %s\n%s.\n\noptions:\n", row->name, row->synopsis,
         row->summary);
#define OPTION(id, name, argument, where, help)                                \
  if ((where)&command)                                                         \
    print_option(name, argument, help);
#include "cli/options.def"
#undef OPTION
  if (command == RUN)
    fputs(
        "\nvalues:\n"
        "  a number             for scalars and constexpr parameters\n"
        "  @FILE.npy @FILE.png  an array from a file\n"
        "  zeros iota full:X    an array of zeros, 0 1 2 …, or X\n"
        "  random:SEED          an array of random numbers: floats in [0, 1)\n"
        "Arrays that are not given are zeros; integer extents are taken from "
        "given arrays.\n",
        stdout);
}

static void print_usage(FILE *out) {
  fputs("usage: heddle COMMAND …\n\ncommands:\n", out);
  for (int i = 0; i < N_COMMANDS; i++)
    fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
  fputs("\n'heddle COMMAND --help' tells more; 'heddle --version' the "
        "version.\n",
        out);
}

static const CommandRow *find_command(const char *name) {
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  }
  return NULL;
}

static int unknown_command(const char *name) {
  const char *names[N_COMMANDS];
  for (int i = 0; i < N_COMMANDS; i++)
    names[i] = commands[i].name;
  if (strcmp(name, "build") == 0) {
    cli_error("'build' is not available in this version");
    return EXIT_USAGE;
  }
  const char *nearest = text_nearest(name, names, N_COMMANDS);
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
static int finish(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  cli_error("can't write to standard output");
  return status == EXIT_DONE ? EXIT_USAGE : status;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_usage(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    print_usage(stdout);
    return finish(EXIT_DONE);
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("%s\n", hd_version_details());
    return finish(EXIT_DONE);
  }
  const CommandRow *row = find_command(argv[1]);
  if (!row)
    return unknown_command(argv[1]);
  return finish(run_command(row, argc, argv));
}
