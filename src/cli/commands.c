// SPDX-License-Identifier: Apache-2.0
// The commands, their help, and messages.
#include "cli/commands.h"

#include <stdarg.h>
#include <stdio.h>

const CommandRow commands[] = {
    {"run", RUN, cmd_run, "FILE [KERNEL] [NAME=VALUE …] [OPTION …]",
     "compile a kernel and run it"},
    {"check", CHECK, cmd_check,
     "FILE|FOLDER … [KERNEL] [NAME=VALUE …] [OPTION …]",
     "prove kernels correct, or show what is wrong"},
    {"convert", CONVERT, cmd_convert, "FILE.cu [KERNEL] [-o FILE.hd]",
     "print kernels in CUDA C as Heddle C"},
    {"dump", DUMP, cmd_dump, "FILE [KERNEL] --stage STAGE [NAME=VALUE …]",
     "print a file after a stage of the compiler"},
    {"explain", EXPLAIN, cmd_explain, "CODE",
     "explain a diagnostic's code, such as HD0501"},
    {"devices", DEVICES, cmd_devices, "", "list what kernels can run on"},
};

const int n_commands = sizeof commands / sizeof commands[0];

void cli_error(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("heddle: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

static const CommandRow *commands_row_of(Command command) {
  for (int i = 0; i < n_commands; i++) {
    if (commands[i].command == command)
      return &commands[i];
  }
  return &commands[0];
}

const char *command_name(Command command) {
  return commands_row_of(command)->name;
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
  const CommandRow *row = commands_row_of(command);
  printf("usage: heddle %s%s%s\n%s.\n\noptions:\n", row->name,
         row->synopsis[0] ? " " : "", row->synopsis, row->summary);
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
        "  list:X,Y,Z           an array's first elements, then zeros\n"
        "  random:SEED          an array of random numbers: floats in [0, 1)\n"
        "  NAME NAME+N          the array of another parameter, or its part "
        "after N elements\n"
        "Arrays that are not given are zeros; integer extents are taken from "
        "given arrays.\n"
        "NAME[N]=VALUE gives an array's number of elements, which pointers "
        "need: 'x[n*m]=iota'.\n",
        stdout);
}
