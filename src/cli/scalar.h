// SPDX-License-Identifier: Apache-2.0
// One scalar of any element type in host memory.
#ifndef HD_CLI_SCALAR_H
#define HD_CLI_SCALAR_H

#include "heddle/heddle.h"
#include <stdbool.h>

bool scalar_is_float(HdType type);
bool scalar_is_signed(HdType type); // integers

// Stores a number; false if an integer type can't hold it exactly.
// Floating-point types round to nearest, ties to even.
bool scalar_store(HdType type, const HdArg *value, void *to);
// HD_INT, HD_UINT or HD_FLOAT, exact.
HdArg scalar_load(HdType type, const void *from);

#endif
