// SPDX-License-Identifier: Apache-2.0
// Programs in Heddle C: one tree has all kernels.
#ifndef HD_SESSION_PROGRAM_HEDDLE_H
#define HD_SESSION_PROGRAM_HEDDLE_H

#include "session/kernel_source.h"

// The tree of a program; NULL: it is in another language, or wasn't read.
struct AstUnit *heddle_unit(const HdProgram *program);

// Some embedded parameter has no default.
bool index_is_open(const IndexKernel *kernel);

#endif
