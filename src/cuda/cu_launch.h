// SPDX-License-Identifier: Apache-2.0
// What launches in host code tell about kernels.
#ifndef HD_CUDA_CU_LAUNCH_H
#define HD_CUDA_CU_LAUNCH_H

#include "cuda/cu.h"

// The block size of a launch, if it is constant.
bool cu_launch_block(CuContext *cu, const CxLaunch *launch, uint32_t block[3]);

#endif
