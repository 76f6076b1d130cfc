// SPDX-License-Identifier: Apache-2.0
#ifndef HD_INTERP_LAYOUT_H
#define HD_INTERP_LAYOUT_H

#include "interp/program.h"

// Fills in the layouts of all types of the program's module.
void layout_build(Program *program);

#endif
