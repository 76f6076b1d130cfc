// SPDX-License-Identifier: Apache-2.0
// The block size of a kernel that no launch in the file tells.
#ifndef HD_CUDA_HOST_CU_BLOCK_H
#define HD_CUDA_HOST_CU_BLOCK_H

#include "cuda/form/cu.h"

enum { CU_MOST_THREADS = 1024 }; // of a block

// Of __launch_bounds__; false: there are none, or they aren't constant.
bool cu_bound_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                    uint32_t block[3]);
// What the kernel seems to be written for: the threads that primitives of CUB
// are told; else the extents of its tiles, in as many dimensions as it asks
// for; else what it multiplies blockIdx by, 256, 16 x 16 or 8 x 8 x 4. True:
// there are such primitives or tiles.
bool cu_guess_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                    uint32_t block[3]);
// What primitives of CUB are told, or the kernel multiplies blockIdx by, is
// this block.
bool cu_block_is_shown(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                       const uint32_t block[3]);
// A kernel that asks for y or z has the threads of its bounds in several
// dimensions, of which only their product is known. False: it has one.
bool cu_fold_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                   uint32_t block[3]);

#endif
