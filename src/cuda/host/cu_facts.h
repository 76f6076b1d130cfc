// SPDX-License-Identifier: Apache-2.0
// What a launch in host code says about the kernel's arguments, its grid and
// its dynamic shared memory, as conditions over the kernel's parameters.
#ifndef HD_CUDA_HOST_CU_FACTS_H
#define HD_CUDA_HOST_CU_FACTS_H

#include "cuda/host/cu_launch.h"

// "n == 256", "gridDim.x == (n + 127) / 128", "n * m <= len(x)",
// "dynamic_shared_bytes == 1024"; in that order, without a grid or a size of
// blocks that isn't known. All of the arena.
void cu_launch_facts(CuContext *cu, const CuLaunch *row,
                     const CuFunction *kernel, const uint32_t block[3],
                     CudaLaunch *out);

#endif
