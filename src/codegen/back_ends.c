// SPDX-License-Identifier: Apache-2.0
#include "codegen/code_ops.h"

#include <stdlib.h>

#define BACK_END(ops) extern const CodeOps ops;
#include "codegen/back_ends.def"
#undef BACK_END

static const CodeOps *const rows[] = {
#define BACK_END(ops) &(ops),
#include "codegen/back_ends.def"
#undef BACK_END
};

const CodeBackEnds code_back_ends = {rows, sizeof rows / sizeof rows[0]};

void code_object_free(CodeObject *object) {
  if (!object)
    return;
  free(object->data);
  *object = (CodeObject){0};
}
