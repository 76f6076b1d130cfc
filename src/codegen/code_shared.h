// SPDX-License-Identifier: Apache-2.0
// What the shared memory of a block holds, also as text: the stage "shared" of
// dumps, and what reports say of it.
#ifndef HD_CODEGEN_CODE_SHARED_H
#define HD_CODEGEN_CODE_SHARED_H

#include "base/text.h"
#include "ir/form/ir.h"

// Where a shared object lies.
typedef struct {
  uint64_t offset_bytes; // of instance 0, in the block's shared memory
  uint64_t size_bytes;   // of one instance
  uint32_t n_instances;  // one behind the other
  bool is_dynamic;       // sized at launch, behind everything else
} CodeShared;

// No bytes are of both objects of the kernel: those of no class overlap with
// nothing, those of a class only with each other, shared arrays with those that
// lie in the same bytes. `shared`, by object id: NULL where none do.
bool code_shared_are_apart(const IrKernel *kernel, const CodeShared *shared,
                           uint32_t a, uint32_t b);

// Appends a line for the block, which has `total_bytes`, and one for each
// shared object of the program among the first `n` of the kernel; nothing where
// there is none.
void code_shared_text(Arena *scratch, const IrKernel *kernel,
                      const CodeShared *shared, uint32_t n,
                      uint64_t total_bytes, Text *out);

#endif
