// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_launch.h"

#include "cuda/cu_host.h"
#include "cuda/cu_scope.h"

bool cu_launch_block(CuContext *cu, const CxLaunch *launch, uint32_t block[3]) {
  CuHostReader reader = {.cu = cu, .launch = launch, .is_loose = true};
  const CuHost *dims[3];
  CuScope *before = cu_set_scope(cu, cu->global);
  bool is_known =
      cu_host_dims(&reader, cu_host_parse(&reader, launch->block), dims);
  cu_set_scope(cu, before);
  for (int i = 0; i < 3 && is_known; i++) {
    is_known = dims[i] && dims[i]->kind == CU_HOST_NUMBER &&
               dims[i]->number >= 1 && dims[i]->number <= 1024;
    block[i] = is_known ? (uint32_t)dims[i]->number : 1;
  }
  return is_known && block[0] * block[1] * block[2] <= 1024;
}
