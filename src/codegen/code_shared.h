// SPDX-License-Identifier: Apache-2.0
// What the shared memory of a block holds, as text: the stage "shared" of
// dumps, and what reports say of it.
#ifndef HD_CODEGEN_CODE_SHARED_H
#define HD_CODEGEN_CODE_SHARED_H

#include "base/text.h"
#include "ir/form/ir.h"

typedef struct {
  const IrObject *object;
  uint64_t offset_bytes, size_bytes; // of one instance
  uint32_t n_instances;              // one behind the other
  bool is_dynamic;                   // sized at launch
} CodeSharedRow;

// Appends a line for the block, which has `total_bytes`, and one for each row;
// nothing where there is none.
void code_shared_text(const IrModule *module, const CodeSharedRow *rows,
                      uint32_t n, uint64_t total_bytes, Text *out);

// The objects that such a text has.
static inline bool code_shared_is_shown(const IrObject *object) {
  return object->space == SPACE_SHARED && !object->is_scratch &&
         !object->marks_barrier;
}

#endif
