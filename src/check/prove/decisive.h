// SPDX-License-Identifier: Apache-2.0
// Which values decide what a kernel touches, where it goes and what it waits
// for, as opposed to data that is only computed and stored.
#ifndef HD_CHECK_PROVE_DECISIVE_H
#define HD_CHECK_PROVE_DECISIVE_H

#include "ir/form/ir.h"

typedef struct Decisive Decisive;

Decisive *decisive_new(Arena *arena, const IrKernel *kernel);
// The node's value may reach a subscript, a condition, a bound, a group, a
// barrier or a copy, through variables and operators. What goes through memory
// doesn't count: the checker takes what a load gives to be anything.
bool decisive_has(const Decisive *decisive, const IrNode *node);

#endif
