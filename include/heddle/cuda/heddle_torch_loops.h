// SPDX-License-Identifier: Apache-2.0
// Loops of PyTorch's KernelUtils headers, which programs often define themselves.
#pragma once
#include <heddle_torch.h>

#define CUDA_KERNEL_LOOP_TYPE(i, n, T)                                         \
  for (T i = blockIdx.x * blockDim.x + threadIdx.x; i < (n);                   \
       i += blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
