// SPDX-License-Identifier: Apache-2.0
// What launches in host code tell about kernels.
#ifndef HD_CUDA_CU_LAUNCH_H
#define HD_CUDA_CU_LAUNCH_H

#include "cuda/cu.h"

// The block size of a launch; dimensions that aren't constant are 0. False:
// there are some.
bool cu_launch_block(CuContext *cu, const CxLaunch *launch, uint32_t block[3]);

// A guessed block gets the dimensions that are known (not 0), and is made
// smaller in others where it has too many threads then.
void cu_launch_fit(const uint32_t known[3], uint32_t block[3]);

#endif
