// SPDX-License-Identifier: Apache-2.0
// What a kernel states about its block: `__requires(blockDim.x == 64)`,
// `// heddle: requires blockDim.x % 32 == 0`.
#ifndef HD_CUDA_HOST_CU_BLOCK_STATED_H
#define HD_CUDA_HOST_CU_BLOCK_STATED_H

#include "cuda/form/cu.h"

// Makes `block` the nearest block of at most `most` threads with which all that
// is stated about blockDim and constants holds; if there is none, or nothing is
// stated, it stays. True: it was changed. Reports nothing.
bool cu_stated_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                     uint32_t most, uint32_t block[3]);

#endif
