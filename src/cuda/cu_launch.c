// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_launch.h"

#include "cuda/cu_block.h"
#include "cuda/cu_host.h"
#include "cuda/cu_scope.h"

bool cu_launch_block(CuContext *cu, const CxLaunch *launch, uint32_t block[3]) {
  CuHostReader reader = {.cu = cu, .launch = launch, .is_loose = true};
  const CuHost *dims[3] = {NULL, NULL, NULL};
  CuScope *before = cu_set_scope(cu, cu->global);
  cu_host_block(&reader, dims);
  cu_set_scope(cu, before);
  uint32_t n_threads = 1;
  for (int i = 0; i < 3; i++) {
    bool is_known = dims[i] && dims[i]->kind == CU_HOST_NUMBER &&
                    dims[i]->number >= 1 && dims[i]->number <= CU_MOST_THREADS;
    block[i] = is_known ? (uint32_t)dims[i]->number : 0;
    n_threads *= block[i];
  }
  return n_threads >= 1 && n_threads <= CU_MOST_THREADS;
}

void cu_launch_fit(const uint32_t known[3], uint32_t block[3]) {
  for (int i = 0; i < 3; i++)
    if (known[i])
      block[i] = known[i];
  for (int i = 2; i >= 0; i--)
    while (!known[i] && block[i] > 1 &&
           block[0] * block[1] * block[2] > CU_MOST_THREADS)
      block[i] /= 2;
}
