// SPDX-License-Identifier: Apache-2.0
// Sizes on the command line: integer arithmetic over NAME=VALUE.
#ifndef HD_CLI_EXPRESSION_H
#define HD_CLI_EXPRESSION_H

#include "cli/cli.h"

// The value of `length` characters: + - * / % << >> ( ), integers, names that
// were given integers, cdiv min max sizeof(type). NULL, or what is wrong with
// it, from the options' arena.
const char *expression_value(const Options *options, const char *text,
                             size_t length, int64_t *out);

// X, X,Y, X,Y,Z, or dim3 of them; what isn't given becomes 1.
const char *expression_sizes(const Options *options, const char *text,
                             size_t length, int64_t out[3]);

// Characters before the first of `stops` outside of brackets.
size_t expression_part(const char *text, size_t length, const char *stops);

#endif
