// SPDX-License-Identifier: Apache-2.0
#include "check/extents.h"

#include <string.h>

static bool mentions(const IrHost *host, int64_t param, int depth) {
  if (!host || depth > 64)
    return false;
  if (host->op == HOST_PARAM && host->number == param)
    return true;
  for (int i = 0; i < host->n_args; i++)
    if (mentions(host->args[i], param, depth + 1))
      return true;
  return false;
}

int extents_open_param(const IrKernel *kernel) {
  static const char name[] = "dynamic_shared_bytes"; // of CUDA C's kernels

  int param = -1;
  for (uint32_t i = 0; i < kernel->params.count; i++)
    if (strcmp(kernel->params.data[i].name, name) == 0)
      param = (int)i;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    if (mentions(kernel->requirements.data[i].condition, param, 0))
      return -1;
  return param;
}

bool extents_are_open(const IrKernel *kernel, const IrObject *object) {
  if (object->is_plain_pointer || object->space != SPACE_SHARED)
    return object->is_plain_pointer;
  int param = extents_open_param(kernel);
  for (int k = 0; param >= 0 && k < object->rank; k++)
    if (mentions(object->extents[k], param, 0))
      return true;
  return false;
}
