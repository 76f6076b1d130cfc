// SPDX-License-Identifier: Apache-2.0
// What LLVM does without memory, and what must not meet that; its C API has no
// words for it.
#ifndef HD_CODEGEN_LLVM_MEMORY_H
#define HD_CODEGEN_LLVM_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

// What LLVM makes ready once a process. A jump out of it would leave others
// waiting for its end for ever: it is done early, where little else is.
void llvm_register_passes(void);

// Called where LLVM has no memory and doesn't throw. Where it returns, the
// process ends, with LLVM's message.
void llvm_on_bad_alloc(void (*handler)(void));

#ifdef __cplusplus
}
#endif

#endif
