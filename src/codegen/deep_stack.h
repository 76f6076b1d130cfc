// SPDX-License-Identifier: Apache-2.0
// LLVM recurses along chains of values: a few hundred bytes for each operation
// of a long sum. What a user may write must not overflow the stack.
#ifndef HD_CODEGEN_DEEP_STACK_H
#define HD_CODEGEN_DEEP_STACK_H

#include <stdint.h>

// Runs work(context) and waits for its end. For more than a few thousand
// operations it runs on a thread whose stack is large enough for them.
void deep_stack_run(uint32_t n_operations, void (*work)(void *context),
                    void *context);

#endif
