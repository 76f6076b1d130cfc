// SPDX-License-Identifier: Apache-2.0
#ifndef HD_CLI_COMMANDS_H
#define HD_CLI_COMMANDS_H

#include "cli/cli.h"

typedef struct {
  const char *name;
  Command command;
  int (*run)(const Options *options);
  const char *synopsis, *summary;
} CommandRow;

extern const CommandRow commands[];
extern const int n_commands;

#endif
